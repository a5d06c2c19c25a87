//! What each job does.

use std::collections::BTreeMap;

use access::Environment;
use components::PublicUrl;
use domain::{Uid, search::CompanyQuery};
use generations::Generations;
use jiff::Timestamp;
use jobs::{JobId, MailJob, Queue, SearchJob, WebhookJob};
use store::{LATEST_WEBHOOK_JOB, ReadReported, Registry, TeamKey, Tenants};
use teams::{
    Addressed, Found, LastRun, MAX_COMPARED, PendingDelivery, PendingMail, Report, Reported,
    StoredSearch,
};

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

components::component! {
    /// The dependencies of the jobs.
    pub struct Worker {
        pub tenants: Tenants,
        pub registry: Registry,
        pub generations: Generations,
        pub mails: Queue<MailJob>,
        pub webhooks: Queue<WebhookJob>,
        /// Address of the API: the `source` of CloudEvents.
        pub public_url: PublicUrl,
    }
}

impl queue_worker::Worker for Worker {
    type Job = SearchJob;
    type Error = Error;
    const NAME: &str = "saved-searches";
    const PARALLEL: usize = 5;

    async fn work(&self, job: SearchJob, _: JobId, now: Timestamp) -> Result<(), Error> {
        self.handle(job, now).await
    }
}

impl Worker {
    /// Runs a job.
    pub async fn handle(&self, job: SearchJob, now: Timestamp) -> Result<(), Error> {
        let SearchJob::Run { team, environment, search, period } = job;
        if self.tenants.is_erased(&team).await? {
            return Ok(());
        }
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
            let Some(search) = Search::read(&self.tenants, team, stored, now).await? else {
                // Deleted, perhaps while an earlier attempt was running.
                return Ok(self.tenants.delete_runs(team, stored).await?);
            };
            // What an interrupted run has found waits too.
            if search.is_paused {
                return Ok(());
            }
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
        let tagged = self.tenants.companies_with_tags(team, query).await?;
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

    /// Stores the notification, queues its mail and the delivery to the webhook, then marks the report as delivered.
    async fn deliver(
        &self,
        team: &TeamKey,
        stored: &StoredSearch,
        search: &Search,
        read: &ReadReported,
        reported: &Reported,
    ) -> Result<(), Error> {
        let Some(report) = reported.undelivered() else { return Ok(()) };
        let companies = self.companies(report).await?;
        let named = report.companies.iter().filter_map(|it| companies.get(it));
        let names: Vec<String> = named.take(NAMED).cloned().collect();
        let notification = notification(team, stored, search, report, &names);
        let mail = pending_mail(stored, search, report, &notification, names);
        self.tenants.notify(team, &[notification]).await?;
        self.queue_mail(team, search, mail).await?;
        if search.has_webhook {
            self.deliver_to_webhook(team, stored, search, report, &companies).await?;
        }
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
        let now = mail.created_at;
        let mail = Addressed { mail, to: vec![owner.clone()] };
        self.tenants.queue_mails(team, &[mail]).await?;
        if preferences.digest().is_none() {
            self.tenants.schedule_mails(&[(team.clone(), owner.clone())], now).await?;
            let (team, environment) = (team.team().clone(), team.environment());
            self.mails.send(&MailJob::Send { team, environment, owner }).await?;
        }
        Ok(())
    }

    /// Stores the delivery to the webhook of the alert, lets the scheduler find it, and only then sends a job for it. Nothing
    /// while the webhook is paused or disabled, as for changes.
    async fn deliver_to_webhook(
        &self,
        team: &TeamKey,
        stored: &StoredSearch,
        search: &Search,
        report: &Report,
        companies: &BTreeMap<Uid, String>,
    ) -> Result<(), Error> {
        // Those of the sandbox send nothing.
        if team.environment() != Environment::Live {
            return Ok(());
        }
        let Some(webhook) = self.tenants.active_webhook(team, &stored.id, report.run_at).await?
        else {
            return Ok(());
        };
        let of = (team.team(), team.environment());
        let source = &self.public_url;
        let delivery =
            PendingDelivery::of_alert(stored, &search.name, report, companies, of, source);
        self.tenants.add_webhook_deliveries(team, &webhook.id, &[delivery]).await?;
        let due = (team.clone(), webhook.id.clone());
        self.tenants.schedule_webhooks(&[due], report.run_at + LATEST_WEBHOOK_JOB).await?;
        let (team, environment) = (team.team().clone(), team.environment());
        Ok(self
            .webhooks
            .send(&WebhookJob::Deliver { team, environment, webhook: webhook.id })
            .await?)
    }

    /// The names of the companies that a report lists.
    async fn companies(&self, report: &Report) -> Result<BTreeMap<Uid, String>, Error> {
        let companies = self.registry.companies(&report.companies).await?;
        Ok(companies.into_iter().map(|it| (it.uid, it.name)).collect())
    }
}
