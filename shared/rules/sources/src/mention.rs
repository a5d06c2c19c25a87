//! Records that identify their company by LEI, ISIN or name instead of its UID.

use domain::{
    Isin, Lei, Source, Uid,
    statements::{CompanyStatement, Statement},
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{Batch, Rejected, left_out::LeftOut};

/// A reference to a company in a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mention {
    Uid(Uid),
    Lei(Lei),
    Isin(Isin),
    /// A registered name, for an exact search.
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

/// A statement whose company has to be looked up.
#[derive(Clone, Debug, PartialEq)]
pub struct Unresolved {
    /// Most reliable reference first. The first known company is used.
    pub mentions: Vec<Mention>,
    pub published: Option<Date>,
    pub source: Source,
    pub statement: Statement,
    /// The original record, for quarantine if no company is found. `None` for a row of a table about all companies of the
    /// world, which is then left out.
    pub(crate) record: Option<String>,
    /// What could not be read of the record.
    pub(crate) left_out: LeftOut,
}

impl From<CompanyStatement> for Unresolved {
    fn from(it: CompanyStatement) -> Self {
        let CompanyStatement { uid, source, published, statement } = it;
        let (mentions, left_out) = (vec![Mention::Uid(uid)], LeftOut::default());
        Self { mentions, published, source, statement, record: None, left_out }
    }
}

/// Content of a file whose records identify companies by UID, LEI, ISIN or name.
#[derive(Debug, Default)]
pub struct Pending {
    pub unresolved: Vec<Unresolved>,
    pub rejected: Vec<Rejected>,
}

impl Pending {
    /// Adds what was read of a record, and what was not.
    pub(crate) fn push(
        &mut self,
        record: String,
        read: Result<Unresolved, String>,
        left_out: LeftOut,
    ) {
        match read {
            Ok(it) => self.unresolved.push(Unresolved { record: Some(record), left_out, ..it }),
            Err(reason) => self.rejected.push(Rejected::new(record, left_out.before(&reason))),
        }
    }

    /// The distinct references to look up before [`resolve`](Self::resolve), sorted.
    pub fn mentions(&self) -> Vec<&Mention> {
        let all = self.unresolved.iter().flat_map(|it| &it.mentions);
        let mut mentions: Vec<&Mention> = all.collect();
        mentions.sort_unstable();
        mentions.dedup();
        mentions
    }

    /// Whether a company has to be looked up.
    pub fn has_lookups(&self) -> bool {
        self.unresolved.iter().any(|it| !matches!(it.mentions.first(), Some(Mention::Uid(_))))
    }

    /// Converts to statements. `find` returns the UID of a reference; it is not called for UIDs. Records
    /// without a known company are rejected, so that they can be processed again later.
    pub fn resolve(self, find: impl Fn(&Mention) -> Option<Uid>) -> Batch {
        let mut batch = Batch { rejected: self.rejected, ..Batch::default() };
        let mut unknown: Vec<Mention> = Vec::new();
        for it in self.unresolved {
            let found = it.mentions.iter().find_map(|mention| match mention {
                Mention::Uid(uid) => Some(*uid),
                other => find(other),
            });
            match found {
                Some(uid) => {
                    batch.statements.push(CompanyStatement {
                        uid,
                        source: it.source,
                        published: it.published,
                        statement: it.statement,
                    });
                    let record = it.record.unwrap_or_default();
                    batch.rejected.extend(Rejected::in_part(&it.left_out, || record));
                }
                None => {
                    let Some(record) = it.record else {
                        unknown.extend(it.mentions);
                        continue;
                    };
                    let known: Vec<String> = it.mentions.iter().map(Mention::to_string).collect();
                    let reason = match known.is_empty() {
                        true => "contains no company".to_owned(),
                        false => format!("no known company has {}", known.join(", ")),
                    };
                    batch.rejected.push(Rejected::new(record, it.left_out.before(&reason)));
                }
            }
        }
        // A table without any known company is not about nothing: the companies are imported later.
        if batch.statements.is_empty()
            && let Some(first) = unknown.first()
        {
            let reason = format!(
                "none of the {} rows is about a known company, from {first} on: import the companies first",
                unknown.len()
            );
            batch.rejected.push(Rejected::new(format!("all rows from {first} on"), reason));
        }
        batch
    }
}
