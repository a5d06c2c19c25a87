//! What each job does.

use aws_environment::SdkConfig;
use jobs::FeedbackJob;
use store::Tenants;

/// The dependencies of the jobs.
pub struct Worker {
    pub tenants: Tenants,
}

impl Worker {
    /// Reads the configuration from the environment.
    pub fn from_env(aws: &SdkConfig) -> Self {
        Self { tenants: Tenants::from_env(store::client(aws)) }
    }

    /// Runs a job.
    pub async fn handle(&self, job: FeedbackJob) -> Result<(), store::Error> {
        let Some((to, report)) = job.report() else { return Ok(()) };
        self.tenants.report_mail(to, &report).await?;
        tracing::info!(outcome = ?report.outcome, mail = report.mail, "mail reported");
        Ok(())
    }
}
