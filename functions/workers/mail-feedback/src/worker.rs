//! What each job does.

use jiff::Timestamp;
use jobs::{FeedbackJob, JobId};
use store::{CountError, Counters, Tenants};
use teams::MailOutcome;

/// Why a report was not stored.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    NotCounted(#[from] CountError),
}

components::component! {
    /// The dependencies of the jobs.
    pub struct Worker {
        pub tenants: Tenants,
        pub counters: Counters,
    }
}

impl queue_worker::Worker for Worker {
    type Job = FeedbackJob;
    type Error = Error;
    const NAME: &str = "mail-feedback";

    async fn work(&self, job: FeedbackJob, _: JobId, _: Timestamp) -> Result<(), Error> {
        self.handle(job).await
    }
}

impl Worker {
    /// Runs a job.
    pub async fn handle(&self, job: FeedbackJob) -> Result<(), Error> {
        let Some((to, report)) = job.report() else { return Ok(()) };
        let is_new = self.tenants.report_mail(to, &report).await?;
        if is_new && report.outcome == MailOutcome::Refused {
            self.counters.count_refused_mail(report.at).await?;
        }
        tracing::info!(outcome = ?report.outcome, mail = report.mail, "mail reported");
        Ok(())
    }
}
