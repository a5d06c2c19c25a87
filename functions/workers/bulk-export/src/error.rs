use spreadsheet::ParquetError;

/// Why the file of an export was not written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Objects(#[from] objects::Error),
    #[error(transparent)]
    Generations(#[from] generations::Error),
    #[error("a record could not be read")]
    Record(#[from] records::Error),
    #[error("a row could not be written")]
    Row(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the generation has {found} of {expected} rows")]
    Incomplete { found: u64, expected: u64 },
    #[error("the file was not finished within {0} minutes")]
    TooSlow(u64),
    /// Another worker writes the file, or the export was cancelled.
    #[error("the lease was lost")]
    LeaseLost,
    /// The user or API key that requested the export may not do so any more.
    #[error("who has requested the export may not do so any more")]
    NotAllowed,
    #[error("the export cannot be understood: {0}")]
    Invalid(String),
    #[error(transparent)]
    NotSent(#[from] jobs::NotSent),
}

impl Error {
    /// The reason in words for the team, as a part of a sentence. The log has the causes.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::Objects(failure) | Self::Generations(generations::Error::Objects(failure)) => {
                match failure {
                    objects::Error::Missing(_) | objects::Error::Shorter { .. } => {
                        "a file of the register is missing or damaged"
                    }
                    objects::Error::File(_) => "the process could not write a temporary file",
                    objects::Error::Unavailable(_) => "the storage did not answer",
                }
            }
            Self::Store(_) | Self::NotSent(_) => "the storage did not answer",
            Self::Generations(_) | Self::Record(_) | Self::Incomplete { .. } => {
                "the records of the register could not be read"
            }
            Self::Row(_) => "a row could not be written",
            Self::TooSlow(minutes) => {
                return format!("the file was not finished within {minutes} minutes");
            }
            Self::LeaseLost => "the process was replaced by another",
            Self::NotAllowed => {
                "The user or API key that requested the export has left the team, has ended or has lost the right to export."
            }
            Self::Invalid(reason) => return reason.clone(),
        }
        .to_owned()
    }

    /// Whether another attempt would fail for the same reason.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, Self::Invalid(_) | Self::NotAllowed)
    }
}

impl From<generations::Unavailable> for Error {
    fn from(unavailable: generations::Unavailable) -> Self {
        Self::Generations(unavailable.into())
    }
}

impl From<std::io::Error> for Error {
    fn from(failure: std::io::Error) -> Self {
        Self::Row(failure.into())
    }
}

impl From<ParquetError> for Error {
    fn from(failure: ParquetError) -> Self {
        Self::Row(failure.into())
    }
}
