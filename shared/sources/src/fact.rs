use std::{fmt, str::FromStr};

use domain::{Provenance, Uid};
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{finma, gazette, gleif, lindas, news, reports, six, zefix};

/// A public source that the loader reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The commercial register's public REST interface.
    Zefix,
    /// The official gazette of commerce.
    Shab,
    /// The commercial register as linked data.
    Lindas,
    /// Legal entity identifiers, and who consolidates whom.
    Gleif,
    /// Who is licensed by the financial market authority.
    Finma,
    /// Notices of the Swiss exchange, and who holds how much of an issuer.
    Six,
    /// Feeds of publishers.
    News,
    /// Figures of annual reports.
    Reports,
}

impl Source {
    /// Every source.
    pub const ALL: [Self; 8] = [
        Self::Zefix,
        Self::Shab,
        Self::Lindas,
        Self::Gleif,
        Self::Finma,
        Self::Six,
        Self::News,
        Self::Reports,
    ];

    /// The name in provenance, in file prefixes and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zefix => "zefix",
            Self::Shab => "shab",
            Self::Lindas => "lindas",
            Self::Gleif => "gleif",
            Self::Finma => "finma",
            Self::Six => "six",
            Self::News => "news",
            Self::Reports => "reports",
        }
    }
}

impl Source {
    /// How often it is read, in minutes, as the schedules of `template.yaml` say; `None` where it depends
    /// on its operator.
    pub fn interval_minutes(self) -> Option<u32> {
        match self {
            Self::Zefix | Self::Shab | Self::Gleif | Self::Six => Some(24 * 60),
            Self::Lindas | Self::Finma => Some(7 * 24 * 60),
            Self::News => Some(60),
            Self::Reports => None,
        }
    }

    /// Whether records of this source may name their company otherwise than by its number.
    pub fn names_companies(self) -> bool {
        matches!(self, Self::Six | Self::News | Self::Reports)
    }

    /// Whether a file of this source lists all there is, so that what it leaves out is no more.
    pub fn is_whole_list(self) -> bool {
        self == Self::Finma
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Text that names no source.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{given}` cannot be read (yet); the sources are: {}", names())]
pub struct UnknownSource {
    given: String,
}

fn names() -> String {
    Source::ALL.map(Source::name).join(", ")
}

impl FromStr for Source {
    type Err = UnknownSource;

    fn from_str(given: &str) -> Result<Self, UnknownSource> {
        let known = Self::ALL.into_iter().find(|it| it.name() == given);
        known.ok_or_else(|| UnknownSource { given: given.to_owned() })
    }
}

/// What one source states of one company on one day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    pub uid: Uid,
    pub source: Source,
    /// The day of publication; `None` sorts before every day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Date>,
    /// The number of the publication, where the source numbers them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publication: Option<u64>,
    /// SHA-256 of the statement as this crate writes it, in hexadecimal: the same record is the same
    /// fact, however its file was laid out.
    pub fingerprint: String,
    /// When this was read first; `None` until it is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_at: Option<Timestamp>,
    pub statement: Statement,
}

impl Fact {
    /// Facts are folded in this order, whatever the order of their arrival: by day and number of
    /// publication. Two different records of one publication cannot be told older from newer; the
    /// fingerprint decides, so that everybody decides alike.
    pub fn order(&self) -> (Option<Date>, Option<u64>, &str) {
        (self.published, self.publication, &self.fingerprint)
    }

    /// What the record says of where this came from.
    pub fn provenance(&self) -> Provenance {
        let reference = match &self.statement {
            Statement::Zefix(record) => record.reference(),
            Statement::Shab(publication) | Statement::Takeover(publication) => {
                return publication.provenance();
            }
            Statement::Lindas(record) => Some(record.entity.clone()),
            Statement::Gleif(entity) => Some(entity.reference()),
            Statement::Finma(_) => Some(finma::REFERENCE.to_owned()),
            Statement::News(item) => Some(item.reference()),
            Statement::Shareholding(it) => Some(it.id.clone()),
            Statement::Report(report) => report.source_url.clone(),
        };
        Provenance { source: self.source.name().to_owned(), reference, date: self.published }
    }
}

/// The statement itself, in the words of its source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Statement {
    Shab(Box<gazette::Publication>),
    /// A publication of another company, which takes this one over: see
    /// [`takeovers`](gazette::takeovers).
    Takeover(Box<gazette::Publication>),
    Zefix(Box<zefix::CompanyFull>),
    Lindas(Box<lindas::Organisation>),
    Gleif(Box<gleif::Entity>),
    Finma(Box<finma::Licensee>),
    News(Box<news::Item>),
    Shareholding(Box<six::Shareholding>),
    Report(Box<reports::Report>),
}

/// SHA-256 of a record as this crate writes it, in hexadecimal.
pub(crate) fn fingerprint(record: &impl Serialize) -> Result<String, String> {
    let written = serde_json::to_vec(record).map_err(|it| it.to_string())?;
    Ok(hex::encode(Sha256::digest(&written)))
}

/// What a file held.
#[derive(Debug, Default)]
pub struct Batch {
    pub facts: Vec<Fact>,
    pub rejected: Vec<Rejected>,
}

impl Batch {
    /// The same, every fact without a day having this one: lists that bear no date are as old as
    /// their file, which is for its fetcher to know.
    #[must_use]
    pub fn dated(mut self, day: Option<Date>) -> Self {
        for fact in &mut self.facts {
            fact.published = fact.published.or(day);
        }
        self
    }
}

/// A record that could not be read, as it was, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rejected {
    /// The record's bytes as text.
    pub record: String,
    /// The member and the rule it breaks.
    pub reason: String,
}

/// A file that is not in its source's format at all.
#[derive(Debug, thiserror::Error)]
#[error("not a {source_name} file: {reason}")]
pub struct Unreadable {
    pub source_name: Source,
    pub reason: String,
}
