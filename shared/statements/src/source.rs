use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

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

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Text that names no source.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("unknown source `{given}`; expected one of: {}", names())]
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
