use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where a key acts: on the team's own data, or in its sandbox.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Environment {
    #[serde(alias = "production")]
    Live,
    #[serde(alias = "sandbox")]
    Test,
}

impl Environment {
    /// The name on the wire and in a key's prefix.
    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Test => "test",
        }
    }
}

impl fmt::Display for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Text that names no environment.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{0}` is not an environment; it is `live` or `test`")]
pub struct UnknownEnvironment(String);

impl FromStr for Environment {
    type Err = UnknownEnvironment;

    fn from_str(text: &str) -> Result<Self, UnknownEnvironment> {
        match text {
            "live" => Ok(Self::Live),
            "test" => Ok(Self::Test),
            other => Err(UnknownEnvironment(other.to_owned())),
        }
    }
}
