//! What each job does.

use access::Environment;
use accounts::{
    Addressed, Found, LastRun, MAX_COMPARED, PendingMail, Report, Reported, StoredSearch,
};
use aws_environment::SdkConfig;
use domain::search::CompanyQuery;
use generations::Generations;
use jiff::Timestamp;
use jobs::{MailJob, Queue, SearchJob};
use objects::Objects;
use store::{ReadReported, Registry, TeamKey, Tenants};

use crate::{
    notification::{notification, pending_mail},
    search::Search,
};

/// Number of attempts for a run that another process has overtaken. Losing this often means a defect.
const ATTEMPTS: usize = 20;
/// Number of companies that a notification names.
const NAMED: usize = 5;

/// Why a run was not completed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Generation(#[from] generations::Error),
    #[error(transparent)]
    NotSent(#[from] jobs::NotSent),
}

/// The dependencies of the jobs.
pub struct Worker {
    pub tenants: Tenants,
    pub registry: Registry,
    pub generations: Generations,
    pub mails: Queue<MailJob>,
}

impl Worker {
    /// Reads the configuration from the environment.
    pub fn from_env(aws: &SdkConfig) -> Self {
        let tables = store::client(aws);
        Self {
            tenants: Tenants::from_env(tables.clone()),
            registry: Registry::from_env(tables),
            generations: Generations::from_env(Objects::from_env(objects::client(aws))),
            mails: Queue::from_env(jobs::client(aws)),
        }
    }

    /// Runs a job.
    pub async fn handle(&self, job: SearchJob, now: Timestamp) -> Result<(), Error> {
        let SearchJob::Run { team, environment, search, period } = job;
        // As precise as all times that the API returns.
        let now = Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now);
        #[expect(
            clippy::disallowed_methods,
            reason = "the scheduler read the team from the schedule that the team set"
        )]
        let team = TeamKey::as_operator(team, environment);
        self.run(&team, &search, period, now).await
    }

    async fn run(
        &self,
        team: &TeamKey,
        stored: &StoredSearch,
        period: Timestamp,
        now: Timestamp,
    ) -> Result<(), Error> {
        for _ in 0..ATTEMPTS {
            let Some(search) = Search::read(&self.tenants, team, stored).await? else {
                // Deleted, perhaps while an earlier attempt was running.
                return Ok(self.tenants.delete_runs(team, stored).await?);
            };
            let read = self.tenants.reported(team, stored).await?;
            let step = match &read.reported {
                Some(reported) if reported.undelivered().is_some() => {
                    self.deliver(team, stored, &search, &read, reported).await
                }
                Some(reported) if reported.includes(period) => return Ok(()),
                _ if !search.is_scheduled => return Ok(()),
                before => match search.params.query() {
                    Ok(query) => {
                        let found = self.found(team, &query).await?;
                        let params = &search.params;
                        let after = Reported::after(before.as_ref(), params, period, now, found);
                        self.store(team, stored, &read, &after, now).await
                    }
                    Err(invalid) => {
                        // Only if a rule has changed since the search was saved. A run by hand shows the reason.
                        tracing::warn!(search = %stored, %invalid, "the search cannot run");
                        return Ok(());
                    }
                },
            };
            match step {
                // Reads again: the report must be delivered, and the search may have been deleted meanwhile.
                Ok(()) | Err(Error::Store(store::Error::Changed)) => {}
                Err(failure) => return Err(failure),
            }
        }
        Err(store::Error::Changed.into())
    }

    async fn found(&self, team: &TeamKey, query: &CompanyQuery) -> Result<Found, Error> {
        let tagged = if query.tag.is_empty() {
            None
        } else {
            Some(self.tenants.companies_with_tags(team, &query.tags()).await?)
        };
        let generation = self.generations.current().await?;
        let found = generation.all_companies(query, tagged, MAX_COMPARED).await;
        let (total, companies) = found.map_err(generations::Error::from)?;
        Ok(Found { total, companies })
    }

    /// Stores what a run has found, with its report.
    async fn store(
        &self,
        team: &TeamKey,
        stored: &StoredSearch,
        read: &ReadReported,
        after: &Reported,
        now: Timestamp,
    ) -> Result<(), Error> {
        let last = self.tenants.last_run(team, stored).await?;
        let is_triggered = after.undelivered().is_some();
        let trigger_count = last.as_ref().map_or(0, |it| it.trigger_count);
        let last = LastRun {
            id: stored.id.clone(),
            run_at: now,
            result_count: after.total(),
            trigger_count: trigger_count + u64::from(is_triggered),
            triggered_at: if is_triggered {
                Some(now)
            } else {
                last.and_then(|it| it.triggered_at)
            },
        };
        Ok(self.tenants.put_reported(team, stored, read, after, Some(&last)).await?)
    }

    /// Stores the notification and queues its mail, then marks the report as delivered.
    async fn deliver(
        &self,
        team: &TeamKey,
        stored: &StoredSearch,
        search: &Search,
        read: &ReadReported,
        reported: &Reported,
    ) -> Result<(), Error> {
        let Some(report) = reported.undelivered() else { return Ok(()) };
        let names = self.names(report).await?;
        let notification = notification(team, stored, search, report, &names);
        let mail = pending_mail(stored, search, report, &notification, names);
        self.tenants.notify(team, &[notification]).await?;
        self.queue_mail(team, search, mail).await?;
        let delivered = reported.clone().delivered();
        Ok(self.tenants.put_reported(team, stored, read, &delivered, None).await?)
    }

    /// Queues the mail to the one who saved the search, if that one gets mails. A test key sends none.
    async fn queue_mail(
        &self,
        team: &TeamKey,
        search: &Search,
        mail: PendingMail,
    ) -> Result<(), Error> {
        let owner = search.created_by.owner();
        let preferences = self.tenants.notification_preferences(team, &owner).await?;
        if team.environment() != Environment::Live || preferences.mail_to().is_none() {
            return Ok(());
        }
        let mail = Addressed { mail, to: vec![owner.clone()] };
        self.tenants.queue_mails(team, &[mail]).await?;
        if preferences.digest().is_none() {
            let (team, environment) = (team.team().clone(), team.environment());
            self.mails.send(&MailJob::Send { team, environment, owner }).await?;
        }
        Ok(())
    }

    /// The names of the first new companies.
    async fn names(&self, report: &Report) -> Result<Vec<String>, Error> {
        let listed = &report.companies[..report.companies.len().min(NAMED)];
        let companies = self.registry.companies(listed).await?;
        Ok(companies.into_iter().map(|it| it.name).collect())
    }
}
