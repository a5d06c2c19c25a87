//! What each job does.

use std::time::Duration;

use access::{Environment, Tier, Window, waiting_deliveries, webhook_deliveries};
use components::PublicUrl;
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::{SignedDuration, Timestamp};
use jobs::{JobId, WebhookJob};
use outgoing::webhooks::WebhookSender;
use store::{CountError, Counted, Counters, Registry, Subject, TeamKey, Tenants};
use teams::{
    Attempt, PendingDelivery, Webhook, WebhookDelivery, WebhookState, WebhookStatus,
    webhook::Backlog,
};
use tokio::time::Instant;

use crate::notification;

/// Number of deliveries that are made to one receiver at the same time.
const PARALLEL: usize = 8;
/// A job stops after this time, less than its function may run; the next one continues.
const TIME_LIMIT: Duration = Duration::from_secs(240);
/// Pause after several deliveries to a receiver have all failed and others are due. Those do not use up attempts meanwhile.
const PAUSE: SignedDuration = SignedDuration::from_secs(60);
/// Deliveries that together take longer than this make a job end early that has run for [`MAX_SLOW`].
const SLOW: Duration = Duration::from_secs(5);
const MAX_SLOW: Duration = Duration::from_secs(30);
/// How long deliveries that were stored before a pause wait until it is looked whether the tier allows the webhook again.
const PAUSED: SignedDuration = SignedDuration::from_hours(1);
/// If this job is lost for good, the scheduler sends another after this time.
const LATEST: SignedDuration = SignedDuration::from_mins(30);
/// The first retry is due after five seconds. The scheduler would be later.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Why not all deliveries were made that are due.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    NotSent(#[from] outgoing::webhooks::NotSent),
    #[error(transparent)]
    NotCounted(#[from] CountError),
}

components::component! {
    /// The dependencies of the jobs.
    pub struct Worker {
        pub tenants: Tenants,
        pub registry: Registry,
        pub counters: Counters,
        pub sender: WebhookSender,
        /// Address of the API: the `source` of CloudEvents.
        pub public_url: PublicUrl,
        /// A job waits this long for the next delivery that is due, before it leaves it to the scheduler.
        pub longest_wait: Duration = LONGEST_WAIT,
    }
}

/// A webhook whose deliveries are made, and the time.
pub(crate) struct Run<'a> {
    pub(crate) team: TeamKey,
    pub(crate) webhook: Webhook,
    started_at: Timestamp,
    started: Instant,
    /// Whether the scheduler sends another job if this one is lost.
    is_found_again: bool,
    tier: Tier,
    /// Whose allowance the deliveries use.
    subject: Subject,
    worker: &'a Worker,
}

/// What follows after some deliveries were made.
enum Next {
    Continue,
    /// The scheduler sends a job at this time.
    At(Timestamp),
    /// There is nothing more to do.
    End,
}

impl queue_worker::Worker for Worker {
    type Job = WebhookJob;
    type Error = Error;
    const NAME: &str = "webhooks";
    const PARALLEL: usize = 20;

    async fn work(&self, job: WebhookJob, _: JobId, now: Timestamp) -> Result<(), Error> {
        self.handle(job, now).await
    }
}

impl Worker {
    /// Runs a job.
    pub async fn handle(&self, job: WebhookJob, now: Timestamp) -> Result<(), Error> {
        let WebhookJob::Deliver { team, environment, webhook } = job;
        if self.tenants.is_erased(&team).await? {
            return Ok(());
        }
        // Those of the sandbox have no copies, so nothing is delivered to them anyway.
        if environment == Environment::Test {
            return Ok(());
        }
        #[expect(
            clippy::disallowed_methods,
            reason = "the job was sent for a webhook that the team has created"
        )]
        let team = TeamKey::as_operator(team, environment);
        let Some(webhook) = self.tenants.resource::<Webhook>(&team, &webhook).await? else {
            return Ok(());
        };
        let entitlement = self.tenants.entitlement(team.team(), now).await?;
        let (tier, subject) = (entitlement.tier, Subject::of_team(team.team(), &entitlement));
        let within = self.tenants.within_tier::<Webhook>(&team, tier).await?;
        let is_paused = !within.includes(&webhook.id);
        let run = Run {
            team,
            webhook,
            started_at: now,
            started: Instant::now(),
            is_found_again: false,
            tier,
            subject,
            worker: self,
        };
        match is_paused {
            true => run.wait_for_tier().await,
            false => run.deliver().await,
        }
    }
}

impl Run<'_> {
    /// The time in whole milliseconds, the precision of all times that the API returns.
    pub(crate) fn now(&self) -> Timestamp {
        let now = self.started_at + self.started.elapsed();
        Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
    }

    pub(crate) fn tenants(&self) -> &Tenants {
        &self.worker.tenants
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.worker.registry
    }

    pub(crate) fn public_url(&self) -> &str {
        &self.worker.public_url
    }

    /// Leaves the webhook to the scheduler if something waits for it. Nothing is sent while the tier does not allow it.
    async fn wait_for_tier(&self) -> Result<(), Error> {
        let (tenants, team, id) = (self.tenants(), &self.team, &self.webhook.id);
        let waits = self.webhook.status == WebhookStatus::Active
            && (!tenants.pending_webhook_deliveries(team, id, 1).await?.is_empty()
                || tenants.webhook_replay(team, id).await?.is_some());
        match waits {
            true => self.schedule_next_job(self.now() + PAUSED).await,
            false => Ok(()),
        }
    }

    async fn deliver(mut self) -> Result<(), Error> {
        let mut state = self.tenants().webhook_state(&self.team, &self.webhook.id).await?;
        loop {
            // Its address, its keys or its status may have changed since the last deliveries.
            let webhook = self.tenants().resource::<Webhook>(&self.team, &self.webhook.id).await?;
            let Some(webhook) = webhook else { return Ok(()) };
            self.webhook = webhook;
            if state.disabled.is_some() {
                return self.notify_disabled(state).await;
            }
            // The answer to a challenge sends the next job.
            if self.webhook.status != WebhookStatus::Active || !state.is_verified(&self.webhook.url)
            {
                return Ok(());
            }
            match self.deliver_some(&mut state).await? {
                Next::End => return Ok(()),
                Next::At(time) => return self.schedule_next_job(time).await,
                Next::Continue if self.started.elapsed() > TIME_LIMIT => {
                    return self.schedule_next_job(self.now()).await;
                }
                Next::Continue => {}
            }
        }
    }

    /// Makes the deliveries that are due, at most [`PARALLEL`]. Without any, continues a replay, or waits.
    async fn deliver_some(&mut self, state: &mut WebhookState) -> Result<Next, Error> {
        // One more, to know whether others are due.
        let id = &self.webhook.id;
        let mut pending =
            self.tenants().pending_webhook_deliveries(&self.team, id, PARALLEL + 1).await?;
        let now = self.now();
        let due_at = |it: &PendingDelivery| it.delivery.next_attempt_at.unwrap_or(now);
        let next = pending.first().map(due_at);
        pending.retain(|it| due_at(it) <= now);
        if pending.is_empty() {
            if self.continue_replay().await? {
                return Ok(Next::Continue);
            }
            let Some(next) = next else { return Ok(Next::End) };
            let wait = Duration::try_from(next.duration_since(now)).unwrap_or_default();
            if wait > self.worker.longest_wait {
                return Ok(Next::At(next));
            }
            tokio::time::sleep(wait).await;
            return Ok(Next::Continue);
        }
        let allowed = self.count(pending.len().min(PARALLEL), now).await?;
        if allowed == 0 {
            tracing::warn!(team = %self.team.team(), webhook = %id, "daily limit of deliveries");
            self.keep_backlog(state).await?;
            let next_day = Timestamp::from_second(Window::Day.end(now)).unwrap_or(now + LATEST);
            return Ok(Next::At(next_day));
        }
        if !self.is_found_again {
            self.schedule_next_job(now + LATEST).await?;
            self.is_found_again = true;
        }
        if state.backlog.is_some() {
            *state = self.change_state(WebhookState::end_backlog).await?;
        }
        let has_more = pending.len() > allowed;
        pending.truncate(allowed);
        let sent = Instant::now();
        let attempts = match self.attempts(pending).await {
            Ok(attempts) => attempts,
            Err(failure) => {
                self.refund(allowed, now).await;
                return Err(failure);
            }
        };
        self.record(&attempts, state).await?;
        // A slow receiver must not occupy a process that others need.
        if sent.elapsed() > SLOW && self.started.elapsed() > MAX_SLOW && has_more {
            return Ok(Next::At(self.now() + PAUSE));
        }
        let all_failed = attempts.iter().all(|(_, attempt)| !attempt.is_success());
        if all_failed && has_more && state.disabled.is_none() {
            return Ok(Next::At(self.now() + PAUSE));
        }
        Ok(Next::Continue)
    }

    /// Counts deliveries of this day, at most `wanted`. Returns how many may be made now: none if the limit is reached.
    async fn count(&self, wanted: usize, now: Timestamp) -> Result<usize, Error> {
        let (counters, allowance) = (&self.worker.counters, webhook_deliveries(self.tier));
        let mut number = u32::try_from(wanted).unwrap_or(u32::MAX);
        while number > 0 {
            let counted =
                counters.count_webhook_deliveries(&self.subject, number, allowance, now).await;
            match counted {
                // A lost answer follows a count, usually.
                Ok(Counted::Now { .. }) | Err(CountError::AnswerLost(_)) => {
                    return Ok(number as usize);
                }
                Ok(Counted::Full) => number /= 2,
                Err(failure) => return Err(failure.into()),
            }
        }
        Ok(0)
    }

    /// Takes back deliveries that were counted at this time, if none was sent. If this fails, they stay counted.
    async fn refund(&self, deliveries: usize, counted_at: Timestamp) {
        let number = u32::try_from(deliveries).unwrap_or(u32::MAX);
        let (counters, allowance) = (&self.worker.counters, webhook_deliveries(self.tier));
        let refunded =
            counters.refund_webhook_deliveries(&self.subject, number, allowance, counted_at).await;
        if let Err(failure) = refunded {
            tracing::warn!(failure = errors::chain(&failure), "deliveries stay counted");
        }
    }

    /// While the deliveries of the day are used up: limits how many wait, and notifies the team if others were left out.
    async fn keep_backlog(&self, state: &mut WebhookState) -> Result<(), Error> {
        let (tenants, team, id) = (self.tenants(), &self.team, &self.webhook.id);
        if state.backlog.is_none() {
            let max = waiting_deliveries(self.tier);
            let waiting = tenants.number_of_pending_deliveries(team, id, max).await?;
            let backlog = Backlog { waiting, max };
            *state = self.change_state(|it| it.backlog = Some(backlog.clone())).await?;
        }
        let Some(dropped) = state.dropped.as_ref().filter(|it| !it.is_notified) else {
            return Ok(());
        };
        let notification = notification::dropped(team, &self.webhook, dropped, self.now());
        tenants.notify(team, &[notification]).await?;
        let notified = |it: &mut WebhookState| {
            if let Some(dropped) = &mut it.dropped {
                dropped.is_notified = true;
            }
        };
        *state = self.change_state(notified).await?;
        Ok(())
    }

    async fn change_state(
        &self,
        change: impl Fn(&mut WebhookState),
    ) -> Result<WebhookState, store::Error> {
        self.tenants().change_webhook_state(&self.team, &self.webhook.id, change).await
    }

    async fn attempts(
        &self,
        pending: Vec<PendingDelivery>,
    ) -> Result<Vec<(PendingDelivery, Attempt)>, Error> {
        let sent = stream::iter(pending).map(async |delivery| {
            let sent =
                self.worker.sender.send(&self.team, &self.webhook, &delivery, self.now()).await;
            Ok::<_, Error>((delivery, sent?))
        });
        sent.buffer_unordered(PARALLEL).try_collect().await
    }

    async fn record(
        &self,
        attempts: &[(PendingDelivery, Attempt)],
        state: &mut WebhookState,
    ) -> Result<(), Error> {
        let (id, now) = (&self.webhook.id, self.now());
        let after = |(before, attempt): &(PendingDelivery, Attempt)| {
            (before.clone(), before.delivery.after(attempt, now))
        };
        let recorded: Vec<(PendingDelivery, WebhookDelivery)> =
            attempts.iter().map(after).collect();
        let results: Vec<Attempt> = attempts.iter().map(|(_, it)| it.clone()).collect();
        // Before the deliveries: a worker that is killed in between makes them again, but forgets no 410.
        if state.after(&results, now) != *state {
            *state = self.change_state(|it| *it = it.after(&results, now)).await?;
        }
        self.tenants().record_webhook_attempts(&self.team, id, &recorded).await?;
        let failed = results.iter().filter(|it| !it.is_success()).count();
        tracing::info!(webhook = %id, delivered = results.len() - failed, failed, "deliveries made");
        Ok(())
    }

    /// Notifies the team, unless it was notified before.
    async fn notify_disabled(&self, state: WebhookState) -> Result<(), Error> {
        let Some(disabled) = &state.disabled else { return Ok(()) };
        if disabled.is_notified {
            return Ok(());
        }
        let notification = notification::disabled(&self.team, &self.webhook, disabled);
        self.tenants().notify(&self.team, &[notification]).await?;
        // Unless the team has activated the webhook meanwhile.
        let change = |it: &mut WebhookState| {
            if let Some(disabled) = &mut it.disabled {
                disabled.is_notified = true;
            }
        };
        self.change_state(change).await?;
        Ok(())
    }

    /// Lets the scheduler send the next job.
    async fn schedule_next_job(&self, time: Timestamp) -> Result<(), Error> {
        let webhook = (self.team.clone(), self.webhook.id.clone());
        Ok(self.tenants().schedule_webhooks(&[webhook], time).await?)
    }
}
