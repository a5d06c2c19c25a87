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
    /// Runs a job that another one has sent, and remembers its id. Does nothing if that job is done.
    pub async fn run_once<E: From<Error>>(
        &self,
        id: &str,
        job: impl Future<Output = Result<(), E>>,
        now: impl FnOnce() -> Timestamp,
    ) -> Result<(), E> {
        let done: Option<DoneJob> = self.table.get(keys::done_job(id)).await?;
        if done.is_some() {
            tracing::info!(id, "this job was sent twice and is done");
            return Ok(());
        }
        job.await?;
        let expires = now().as_second() + RETENTION.as_secs();
        Ok(self.table.put_expiring(keys::done_job(id), &DoneJob {}, expires).await?)
    }
}
