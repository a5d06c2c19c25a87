//! Why a job failed, and what clients learn about it.

use crate::{Error, resolve};

/// Why a job failed. The job is retried.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    #[error(transparent)]
    Ingest(#[from] Error),
    #[error(transparent)]
    Fetch(#[from] fetch::Error),
    #[error(transparent)]
    Lookup(#[from] resolve::LookupError),
    #[error(transparent)]
    NotSent(#[from] jobs::NotSent),
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl JobError {
    /// The reason as clients see it. Describes problems of sources and files in full, but no internals of
    /// the service: those are in the log only.
    pub(crate) fn public_reason(&self) -> String {
        match self {
            Self::Fetch(_)
            | Self::Ingest(
                Error::Unreadable(_)
                | Error::TooLarge { .. }
                | Error::Shrunk { .. }
                | Error::ShrunkRelationships { .. }
                | Error::Objects(objects::Error::Missing(_)),
            ) => self.to_string(),
            _ => "the registry, the bucket or a queue did not answer".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_reason_describes_files_but_no_internals() {
        let missing = Error::from(objects::Error::Missing("incoming/a.json".into()));
        assert_eq!(JobError::from(missing).public_reason(), "there is no object `incoming/a.json`");
        let denied = objects::Error::Unavailable("arn:aws:sts::1:assumed-role/ingest".into());
        let denied = JobError::from(Error::from(denied));
        assert_eq!(denied.public_reason(), "the registry, the bucket or a queue did not answer");
    }
}
