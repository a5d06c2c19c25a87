use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Environment of an API key: `live` or `test`. Both read the same register. What a team stores with test keys (the
/// sandbox) is separate from what it stores with live keys. Requests with both are counted together.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Environment {
    /// The team's own data.
    #[serde(alias = "production")]
    Live,
    /// The team's sandbox.
    #[serde(alias = "sandbox")]
    Test,
}

impl Environment {
    /// Name in requests and responses, and in the prefix of a key.
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

/// The text is not the name of an environment.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("must be `live` or `test`; got `{0}`")]
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
