use http::StatusCode;
use sources::Unreadable;

use crate::account::AccountError;

/// Why a page was not fetched. Errors never contain credentials, nor the query and fragment of an address.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No response, an incomplete one or a temporary error, after several attempts.
    #[error("{source_name} did not respond to `{address}`: {reason}")]
    Unavailable { source_name: &'static str, address: String, reason: String },
    /// A permanent error such as 404.
    #[error("{source_name} responded to `{address}` with {status}")]
    Refused { source_name: &'static str, address: String, status: StatusCode },
    #[error("{source_name} responded to `{address}` with more than {max_bytes} bytes")]
    TooLarge { source_name: &'static str, address: String, max_bytes: usize },
    /// The address does not use HTTPS, contains credentials or redirects too often.
    #[error("{source_name}: `{address}` cannot be requested: {reason}")]
    InvalidAddress { source_name: &'static str, address: String, reason: &'static str },
    /// A required setting of the operator is missing.
    #[error("{source_name} requires {setting}")]
    MissingSetting { source_name: &'static str, setting: &'static str },
    /// The operator's account for a source cannot be read.
    #[error("the account for {source_name} cannot be read")]
    Account {
        source_name: &'static str,
        #[source]
        reason: AccountError,
    },
    /// The response is not in the format of the source.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The response is not an archive with exactly one table.
    #[error("{source_name} did not respond with an archive of one table: {reason}")]
    InvalidArchive { source_name: &'static str, reason: String },
}

impl Error {
    /// Whether a later attempt may succeed.
    pub fn is_temporary(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }
}
