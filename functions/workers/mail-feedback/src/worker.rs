//! What each job does.

use aws::SdkConfig;
use jobs::FeedbackJob;
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

/// The dependencies of the jobs.
pub struct Worker {
    pub tenants: Tenants,
    pub counters: Counters,
}

impl Worker {
    /// Reads the configuration from the environment.
    pub fn from_env(aws: &SdkConfig) -> Self {
        let tables = store::client(aws);
        Self { tenants: Tenants::from_env(tables.clone()), counters: Counters::from_env(tables) }
    }

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
