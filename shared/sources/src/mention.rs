//! Records that name their company otherwise than by its number.

use domain::Uid;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use statements::{CompanyStatement, Isin, Lei, Source, Statement};

use crate::{Batch, Rejected};

/// How a record names its company.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mention {
    Uid(Uid),
    Lei(Lei),
    Isin(Isin),
    /// A registered name, to be found as it is or not at all.
    Name(String),
}

impl std::fmt::Display for Mention {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Uid(uid) => write!(f, "{uid}"),
            Self::Lei(lei) => write!(f, "LEI {lei}"),
            Self::Isin(isin) => write!(f, "ISIN {isin}"),
            Self::Name(name) => write!(f, "name `{name}`"),
        }
    }
}

/// A statement whose company has yet to be found, as far as the record tells who it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Unresolved {
    /// The surest first: whoever looks them up takes the first that is known.
    pub mentions: Vec<Mention>,
    pub published: Option<Date>,
    pub source: Source,
    pub statement: Statement,
    /// The record as it was, in case that nobody is found.
    pub(crate) record: String,
}

/// What a file held whose records name companies by number, identifier or name.
#[derive(Debug, Default)]
pub struct Pending {
    pub unresolved: Vec<Unresolved>,
    pub rejected: Vec<Rejected>,
}

impl Pending {
    /// Everything to be looked up before [`resolved`](Self::resolved): each once, in order.
    pub fn mentions(&self) -> Vec<&Mention> {
        let all = self.unresolved.iter().flat_map(|it| &it.mentions);
        let mut mentions: Vec<&Mention> = all.collect();
        mentions.sort_unstable();
        mentions.dedup();
        mentions
    }

    /// Statements of the companies found, a company number being found without looking. A record of which
    /// no company is known is rejected, so that it can be read again when its company is.
    pub fn resolved(self, find: impl Fn(&Mention) -> Option<Uid>) -> Batch {
        let mut batch = Batch { statements: Vec::new(), rejected: self.rejected };
        for it in self.unresolved {
            let found = it.mentions.iter().find_map(|mention| match mention {
                Mention::Uid(uid) => Some(*uid),
                other => find(other),
            });
            match found {
                Some(uid) => batch.statements.push(CompanyStatement {
                    uid,
                    source: it.source,
                    published: it.published,
                    statement: it.statement,
                }),
                None => {
                    let known: Vec<String> = it.mentions.iter().map(Mention::to_string).collect();
                    let reason = match known.is_empty() {
                        true => "names no company".to_owned(),
                        false => format!("no company is known by {}", known.join(", ")),
                    };
                    batch.rejected.push(Rejected { record: it.record, reason });
                }
            }
        }
        batch
    }
}
