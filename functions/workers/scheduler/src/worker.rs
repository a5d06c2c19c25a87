//! What each job does.

use std::collections::HashSet;

use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use jobs::{JobId, MailJob, Queue, ScheduleJob, SearchJob, WebhookJob};
use objects::Objects;
use store::{
    Due, DueWebhook, Tenants,
    keys::{DUE_SHARDS, WEBHOOK_SHARDS},
};
use teams::Task;

/// Number of schedules that are sent together. If sending fails, they are sent again.
const TOGETHER: usize = 100;
/// Number of parallel requests to the table.
const PARALLEL: usize = 16;

/// Why not everything that is due was sent.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    NotSent(#[from] jobs::NotSent),
    #[error(transparent)]
    Objects(#[from] objects::Error),
}

components::component! {
    /// The dependencies of the jobs.
    pub struct Worker {
        pub tenants: Tenants,
        pub searches: Queue<SearchJob>,
        pub mails: Queue<MailJob>,
        pub webhooks: Queue<WebhookJob>,
        pub objects: Objects,
    }
}

impl queue_worker::Worker for Worker {
    type Job = ScheduleJob;
    type Error = Error;
    const NAME: &str = "scheduler";
    const PARALLEL: usize = 3;

    async fn work(&self, job: ScheduleJob, _: JobId, now: Timestamp) -> Result<(), Error> {
        self.handle(job, now).await
    }
}

impl Worker {
    /// Runs a job.
    pub async fn handle(&self, job: ScheduleJob, now: Timestamp) -> Result<(), Error> {
        match job {
            ScheduleJob::SendDue => self.send_due(now).await,
            ScheduleJob::SendDueWebhooks => self.send_due_webhooks(now).await,
            ScheduleJob::Erase => self.erase(now).await,
        }
    }

    /// Sends one job for each due webhook, and then deletes their due items.
    async fn send_due_webhooks(&self, now: Timestamp) -> Result<(), Error> {
        for shard in 0..WEBHOOK_SHARDS {
            let due = self.tenants.due_webhooks(shard, now).await?;
            let mut seen = HashSet::new();
            let first = due.iter().filter(|it| seen.insert(&it.webhook));
            let job = |it: &DueWebhook| WebhookJob::Deliver {
                team: it.team.clone(),
                environment: it.environment,
                webhook: it.webhook.clone(),
            };
            let jobs: Vec<WebhookJob> = first.map(job).collect();
            self.webhooks.send_all(&jobs).await?;
            self.tenants.drop_due_webhooks(&due).await?;
            if !jobs.is_empty() {
                tracing::info!(webhooks = jobs.len(), "webhooks sent");
            }
        }
        Ok(())
    }

    async fn send_due(&self, now: Timestamp) -> Result<(), Error> {
        for shard in 0..DUE_SHARDS {
            let due = self.tenants.due(shard, now).await?;
            for together in due.chunks(TOGETHER) {
                self.send_together(together, now).await?;
            }
        }
        Ok(())
    }

    /// Sends first, and moves the schedules on afterwards: if the process is killed in between, the same jobs are sent
    /// again.
    async fn send_together(&self, due: &[Due], now: Timestamp) -> Result<(), Error> {
        let checked = stream::iter(due)
            .map(async |due| Ok::<_, Error>((due, self.tenants.is_scheduled(due).await?)));
        let checked: Vec<(&Due, bool)> = checked.buffered(PARALLEL).try_collect().await?;
        let paused = self.tenants.paused_schedules(due, now).await?;
        let (mut searches, mut mails) = (Vec::new(), Vec::new());
        for (due, is_scheduled) in &checked {
            let (team, environment) = (due.team.clone(), due.environment);
            let period = due.schedule.newest(now).unwrap_or(due.at);
            match &due.task {
                Task::Search(_) if !is_scheduled => {}
                // The schedule goes on, so that it is found when the tier allows it again.
                Task::Search(_) if paused.contains(&due.key()) => {}
                Task::Search(search) => {
                    let search = search.clone();
                    searches.push(SearchJob::Run { team, environment, search, period });
                }
                // Also after its end: notifications may still wait for it.
                Task::Digest(owner) => {
                    let owner = owner.clone();
                    mails.push(MailJob::Digest { team, environment, owner, period });
                }
                Task::Mails(_) if !is_scheduled => {}
                Task::Mails(owner) => {
                    mails.push(MailJob::Send { team, environment, owner: owner.clone() });
                }
            }
        }
        self.searches.send_all(&searches).await?;
        self.mails.send_all(&mails).await?;
        let moved = stream::iter(&checked).map(async |(due, is_scheduled)| match is_scheduled {
            true => self.tenants.move_on(due, due.schedule.next_after(now)).await,
            false => self.tenants.drop_schedule(due).await,
        });
        moved.buffered(PARALLEL).try_collect::<()>().await?;
        if !searches.is_empty() || !mails.is_empty() {
            tracing::info!(searches = searches.len(), mails = mails.len(), "sent");
        }
        Ok(())
    }
}
