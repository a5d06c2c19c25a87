use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Declares the sources: the enum, the list of all sources and their names.
macro_rules! sources {
    ($($(#[$doc:meta])* $source:ident = $name:literal,)+) => {
        /// A public data source. `sources::description` describes each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Source {
            $($(#[$doc])* #[serde(rename = $name)] $source,)+
        }

        impl Source {
            /// Every source.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$source),+];

            /// The name used in provenance, in prefixes of stored files and on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$source => $name,)+
                }
            }
        }
    };
}

sources! {
    /// The public REST API of the commercial register.
    Zefix = "zefix",
    /// The Swiss Official Gazette of Commerce (SHAB).
    Shab = "shab",
    /// The commercial register as linked data.
    Lindas = "lindas",
    /// Legal entity identifiers and the parents of legal entities.
    Gleif = "gleif",
    /// Companies licensed by the Swiss Financial Market Supervisory Authority.
    Finma = "finma",
    /// Notices and significant shareholdings published by the Swiss stock exchange.
    Six = "six",
    /// News feeds of media publishers.
    News = "news",
    /// Figures of annual reports.
    Reports = "reports",
}

/// The name that the records of the demo register have as their source.
pub const DEMO: &str = "demo";

/// The name of the directory of localities, from which records are completed.
pub const LOCALITIES: &str = "swisstopo";

impl Source {
    /// Whether it is the commercial register, or publishes its entries.
    pub const fn is_register(self) -> bool {
        match self {
            Self::Zefix | Self::Shab | Self::Lindas => true,
            Self::Gleif | Self::Finma | Self::Six | Self::News | Self::Reports => false,
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
#[error("unknown source `{given}`; expected one of: {}", Source::ALL.map(Source::name).join(", "))]
pub struct UnknownSource {
    given: String,
}

impl FromStr for Source {
    type Err = UnknownSource;

    fn from_str(given: &str) -> Result<Self, UnknownSource> {
        let known = Self::ALL.into_iter().find(|it| it.name() == given);
        known.ok_or_else(|| UnknownSource { given: given.to_owned() })
    }
}
