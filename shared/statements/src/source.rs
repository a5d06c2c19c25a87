use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A public data source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The public REST API of the commercial register.
    Zefix,
    /// The Swiss Official Gazette of Commerce (SHAB).
    Shab,
    /// The commercial register as linked data.
    Lindas,
    /// Legal entity identifiers and the parents of legal entities.
    Gleif,
    /// Companies licensed by the Swiss Financial Market Supervisory Authority.
    Finma,
    /// Notices and significant shareholdings published by the Swiss stock exchange.
    Six,
    /// News feeds of media publishers.
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

    /// The name used in provenance, in prefixes of stored files and on the command line.
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

/// The text is not the name of a source.
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
