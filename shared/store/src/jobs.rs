//! Jobs that are done. A queue recognises a message that was sent twice for five minutes only.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{Error, Registry, keys};

/// How long a job is remembered: longer than a queue keeps a message (14 days).
const RETENTION: SignedDuration = SignedDuration::from_hours(15 * 24);

/// A job that is done.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct DoneJob {}

impl Registry {
    /// Whether the job with this id is done.
    pub async fn is_job_done(&self, id: &str) -> Result<bool, Error> {
        let done: Option<DoneJob> = self.table.get(keys::done_job(id)).await?;
        Ok(done.is_some())
    }

    /// Remembers that the job with this id is done.
    pub async fn mark_job_done(&self, id: &str, now: Timestamp) -> Result<(), Error> {
        let expires = now.as_second() + RETENTION.as_secs();
        self.table.put_expiring(keys::done_job(id), &DoneJob {}, expires).await
    }
}
