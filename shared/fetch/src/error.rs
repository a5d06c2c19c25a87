use http::StatusCode;
use sources::Unreadable;

/// Why a page was not fetched. None of these ever holds credentials.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No answer, a broken one, or the answer that it cannot be given now. It was tried several times.
    #[error("{of} did not answer `{address}`: {reason}")]
    Unavailable { of: &'static str, address: String, reason: String },
    #[error("{of} answered `{address}` with {status}")]
    Refused { of: &'static str, address: String, status: StatusCode },
    #[error("{of} answered `{address}` with more than {largest} bytes")]
    TooLarge { of: &'static str, address: String, largest: usize },
    /// Only addresses that are encrypted and bear no credentials are asked.
    #[error("{of}: `{address}` is not an address that is asked: {reason}")]
    NotAsked { of: &'static str, address: String, reason: &'static str },
    /// What an operator has to bring is missing.
    #[error("{of} is not asked without {what}")]
    Missing { of: &'static str, what: &'static str },
    /// The answer is in no form that its source has.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    #[error("{of} did not answer with an archive of one table: {reason}")]
    NoTable { of: &'static str, reason: String },
}

impl Error {
    /// Whether asking later may help.
    pub fn is_temporary(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }
}
