//! Screening of the monitored subjects and the watched companies after a list was updated.

use std::sync::Arc;

use domain::lists::List;
use futures_util::future::join_all;
use jiff::Timestamp;
use jobs::ListJob;
use screening_lists::{Changes, current};
use store::Rescreened;

use crate::{
    Error, Worker,
    update::{Part, Update},
};

/// Number of subjects or watches that a job reads. Comparing takes microseconds, and a screening a millisecond, which few of them
/// need unless the matcher has changed.
pub(crate) const PART: usize = 1_000;
/// Number of subjects that are screened again in parallel.
const PARALLEL: usize = 8;
/// Number of failures of a part after which the whole job fails and is retried: then not only single items are damaged.
const MAX_FAILED: usize = 20;

/// One that could not be screened.
#[derive(Debug)]
pub(crate) struct Failed {
    /// The job that tries it again.
    pub(crate) retry: ListJob,
    pub(crate) cause: Error,
}

impl Worker {
    /// The first job of the re-screening with the current version of a list. `None` if all were screened with it.
    ///
    /// Asked after each file, also after one without changes: an earlier job may have been killed after it had published.
    pub(crate) async fn first_part(&self, list: List) -> Result<Option<ListJob>, Error> {
        let Some(current) = current(&self.objects, list).await? else { return Ok(None) };
        let before = self.tenants.rescreened(list).await?.map(|it| it.version);
        let is_needed = before.as_ref() != Some(&current.id);
        let update = Update { list, version: current.id, before };
        Ok(is_needed.then(|| update.job(Part::Subjects { shard: 0, after: None })))
    }

    /// Screens a part again. Returns the next jobs: those for the ones that failed, and that of the next part.
    pub(crate) async fn rescreen(
        &self,
        update: Update,
        part: Part,
        now: Timestamp,
    ) -> Result<Vec<ListJob>, Error> {
        let (rest, failed) = match &part {
            Part::Subjects { shard, after } => {
                self.rescreen_subjects(&update, *shard, after.as_deref(), now).await?
            }
            Part::Companies { shard, after } => {
                self.rescreen_companies(&update, *shard, after.as_deref(), now).await?
            }
        };
        let mut jobs = Vec::with_capacity(failed.len() + 1);
        let number = failed.len();
        for Failed { retry, cause } in failed {
            tracing::error!(
                list = %update.list,
                version = update.version,
                one = jobs::Message::group(&retry),
                failure = errors::chain(&cause),
                failed = number,
                "one could not be screened again; it is tried again alone"
            );
            if number > MAX_FAILED {
                return Err(cause);
            }
            jobs.push(retry);
        }
        match part.next(rest) {
            Some(next) => jobs.push(update.job(next)),
            None => {
                let done = Rescreened { version: update.version, at: now };
                self.tenants.put_rescreened(update.list, &done).await?;
                jobs.push(ListJob::ScreenList { list: update.list });
            }
        }
        Ok(jobs)
    }

    /// What an update has changed. `None`: its version is not stored any more.
    pub(crate) async fn changes(&self, update: &Update) -> Result<Option<Arc<Changes>>, Error> {
        let (before, version) = (update.before.as_deref(), update.version.as_str());
        let changes = self.last_changes.between(&self.objects, update.list, before, version);
        Ok(changes.await?)
    }
}

/// Runs these futures, some of them in parallel. Returns the results in their order.
pub(crate) async fn in_parallel<F: Future>(futures: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let mut futures = futures.into_iter().peekable();
    let mut results = Vec::new();
    while futures.peek().is_some() {
        results.extend(join_all(futures.by_ref().take(PARALLEL)).await);
    }
    results
}
