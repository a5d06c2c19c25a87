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
    /// Runs each erasure as far as the time allows. A failure with one does not keep the others waiting; the job fails with the
    /// last one, and is tried again.
    pub(crate) async fn erase(&self, now: Timestamp) -> Result<(), Error> {
        let deadline = Instant::now() + TIME_LIMIT;
        let mut last = Ok(());
        for erasure in self.tenants.erasures().await?.iter().filter(|it| !it.is_emptied) {
            match self.empty(erasure, deadline).await {
                Ok(true) => tracing::info!(kind = erasure.erased.kind(), "found by key: deleted"),
                Ok(false) => break,
                Err(failure) => last = Err(interrupted(erasure, failure)),
            }
        }
        for erasure in self.tenants.sweep(now, deadline).await? {
            match self.end(&erasure, deadline).await {
                Ok(true) => tracing::info!(kind = erasure.erased.kind(), "erased"),
                Ok(false) => break,
                Err(failure) => last = Err(interrupted(&erasure, failure)),
            }
        }
        last
    }

    /// Ends an erasure after a search. `false`: the time was not enough.
    async fn end(&self, erasure: &Erasure, deadline: Instant) -> Result<bool, Error> {
        // Again: a process may have written after the first time.
        let is_empty = self.empty(erasure, deadline).await?;
        if is_empty {
            self.tenants.end_erasure(erasure).await?;
        }
        Ok(is_empty)
    }

    async fn empty(&self, erasure: &Erasure, deadline: Instant) -> Result<bool, Error> {
        if let Erased::Team { team, .. } = &erasure.erased
            && !delete_objects(&self.objects, team, deadline).await?
        {
            return Ok(false);
        }
        Ok(self.tenants.empty(erasure, deadline).await?)
    }
}

fn interrupted(erasure: &Erasure, failure: Error) -> Error {
    let (kind, reason) = (erasure.erased.kind(), errors::chain(&failure));
    tracing::warn!(kind, reason, "an erasure was interrupted");
    failure
}

/// Deletes the objects of a team, and what of them is being uploaded. `false`: the time was not enough.
pub async fn delete_objects(
    objects: &Objects,
    team: &TeamId,
    deadline: Instant,
) -> Result<bool, objects::Error> {
    let exports = format!("exports/{team}/");
    objects.abort_uploads(&exports).await?;
    for key in objects.keys(&exports).await? {
        if Instant::now() >= deadline {
            return Ok(false);
        }
        objects.delete(&key).await?;
    }
    Ok(true)
}
