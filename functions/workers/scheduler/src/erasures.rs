//! Deletes what erased users and teams have left, in steps that can be killed and repeated.

use std::time::Duration;

use auth::TeamId;
use jiff::Timestamp;
use objects::Objects;
use store::erasures::{Erased, Erasure};
use tokio::time::Instant;

use crate::{Error, Worker};

/// A run stops after this time, less than its function may run. The next one continues.
const TIME_LIMIT: Duration = Duration::from_secs(40);

impl Worker {
    /// Runs each erasure as far as the time allows. A failure with one does not keep the others waiting.
    pub(crate) async fn erase(&self, now: Timestamp) -> Result<(), Error> {
        let deadline = Instant::now() + TIME_LIMIT;
        let mut failed = None;
        for erasure in self.tenants.erasures().await?.iter().filter(|it| !it.is_emptied) {
            match self.empty(erasure, deadline).await {
                Ok(true) => tracing::info!(kind = erasure.erased.kind(), "found by key: deleted"),
                Ok(false) => break,
                Err(failure) => {
                    let failure_text = errors::chain(&failure);
                    tracing::warn!(failure = failure_text, "an erasure was interrupted");
                    failed = Some(failure);
                }
            }
        }
        for erasure in self.tenants.sweep(now, deadline).await? {
            // Again: a process may have written after the first time.
            if self.empty(&erasure, deadline).await? {
                self.tenants.end_erasure(&erasure).await?;
                tracing::info!(kind = erasure.erased.kind(), "erased");
            }
        }
        failed.map_or(Ok(()), Err)
    }

    async fn empty(&self, erasure: &Erasure, deadline: Instant) -> Result<bool, Error> {
        if let Erased::Team { team, .. } = &erasure.erased {
            delete_objects(&self.objects, team).await?;
        }
        Ok(self.tenants.empty(erasure, deadline).await?)
    }
}

/// Deletes the objects of a team, and what of them is being uploaded.
pub async fn delete_objects(objects: &Objects, team: &TeamId) -> Result<(), objects::Error> {
    let exports = format!("exports/{team}/");
    objects.abort_uploads(&exports).await?;
    for key in objects.keys(&exports).await? {
        objects.delete(&key).await?;
    }
    Ok(())
}
