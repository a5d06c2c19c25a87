//! What each job does.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use access::Environment;
use accounts::{Addressed, Notification, Watcher, watch};
use auth::{Owner, TeamId};
use aws_environment::SdkConfig;
use domain::{Uid, changes::PublishedEvent};
use futures_util::{StreamExt, TryStreamExt, stream};
use jobs::{DeliveryJob, MailJob, Queue, WebhookJob};
use store::{Registry, TeamKey, Tenants};
use tokio::time::Instant;

/// Maximum number of events between two moves of the cursor.
const PART: usize = 100;
/// Number of companies whose watchers are read in parallel, and of teams whose notifications are stored in parallel.
pub(crate) const PARALLEL: usize = 16;
/// A job stops after this time, less than its function may run; the next one continues.
const TIME_LIMIT: Duration = Duration::from_secs(200);

/// Why not all events were delivered.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    NotSent(#[from] jobs::NotSent),
}

/// The dependencies of the jobs.
#[derive(Clone, Debug)]
pub struct Worker {
    pub registry: Registry,
    pub tenants: Tenants,
    pub mails: Queue<MailJob>,
    pub webhooks: Queue<WebhookJob>,
    /// Address of the API: the `source` of CloudEvents.
    pub public_url: Arc<str>,
}

/// What a team gets of a part of the feed.
#[derive(Default)]
struct News {
    notifications: Vec<Notification>,
    mails: Vec<Addressed>,
}

/// What was done with a part of the feed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivered {
    /// Number of events read.
    pub events: usize,
    /// Number of new notifications.
    pub notifications: usize,
    /// Number of new deliveries to webhooks.
    pub to_webhooks: usize,
    /// Whether the feed continues.
    pub has_more: bool,
}

impl Worker {
    /// Reads the configuration from the environment.
    ///
    /// # Panics
    /// If a variable is missing.
    #[expect(clippy::disallowed_methods, reason = "the configuration of this worker is read here")]
    pub fn from_env(aws: &SdkConfig) -> Self {
        let tables = store::client(aws);
        let Ok(public_url) = std::env::var("PUBLIC_URL") else {
            panic!("PUBLIC_URL is not set; template.yaml sets it")
        };
        Self {
            registry: Registry::from_env(tables.clone()),
            tenants: Tenants::from_env(tables),
            mails: Queue::from_env(jobs::client(aws)),
            webhooks: Queue::from_env(jobs::client(aws)),
            public_url: public_url.into(),
        }
    }

    /// Runs a job.
    pub async fn handle(&self, job: DeliveryJob) -> Result<(), Error> {
        match job {
            DeliveryJob::NotifyWatchers => self.notify_watchers().await,
        }
    }

    async fn notify_watchers(&self) -> Result<(), Error> {
        let started = Instant::now();
        loop {
            let delivered = self.deliver_next().await?;
            let Delivered { events, notifications, to_webhooks, has_more } = delivered;
            if notifications > 0 || to_webhooks > 0 {
                tracing::info!(events, notifications, to_webhooks, "delivered");
            }
            if !has_more || started.elapsed() > TIME_LIMIT {
                return Ok(());
            }
        }
    }

    /// Stores the notifications of the next events of the feed and their deliveries to webhooks, then moves the cursor.
    pub async fn deliver_next(&self) -> Result<Delivered, Error> {
        let after = self.tenants.delivered_through().await?;
        let part = self.registry.feed(after, PART).await?;
        let Some(last) = part.events.last() else { return Ok(Delivered::default()) };
        let watchers = self.watchers(&part.events).await?;
        let all: Vec<Watcher> = watchers.values().flatten().cloned().collect();
        let teams = self.tenants.watching_teams(&all).await?;
        let mut by_team: HashMap<TeamKey, News> = HashMap::new();
        // Their mails are sent at once.
        let mut at_once: BTreeMap<(TeamId, Owner), TeamKey> = BTreeMap::new();
        for event in &part.events {
            let Some(watchers) = watchers.get(&event.event.uid) else { continue };
            let team_of = |it: &Watcher| teams.get(&TeamKey::of_watcher(it));
            for notified in watch::notifications(event, watchers, team_of) {
                let key = TeamKey::of_watcher(notified.watchers[0]);
                let Some(team) = teams.get(&key) else { continue };
                let mail = notified.mail(event, team);
                let has_digest =
                    |it: &&Owner| team.preferences.get(it).is_some_and(|it| it.digest().is_some());
                let owners = mail.to.iter().filter(|it| !has_digest(it));
                at_once.extend(owners.map(|it| ((key.team().clone(), it.clone()), key.clone())));
                let news = by_team.entry(key).or_default();
                news.notifications.push(notified.notification);
                news.mails.extend((!mail.to.is_empty()).then_some(mail));
            }
        }
        let notifications = self.store(by_team).await?;
        // Again if an earlier worker was killed before it could: mails that were sent do not wait any more.
        let send = |(team, owner): &(TeamId, Owner)| MailJob::Send {
            team: team.clone(),
            environment: Environment::Live,
            owner: owner.clone(),
        };
        let jobs: Vec<MailJob> = at_once.keys().map(send).collect();
        let owners: Vec<(TeamKey, Owner)> =
            at_once.into_iter().map(|((_, owner), team)| (team, owner)).collect();
        self.tenants.wake_mails(&owners, last.recorded_at).await?;
        self.mails.send_all(&jobs).await?;
        let to_webhooks = self.deliver_to_webhooks(&part.events, &watchers, &teams).await?;
        // If another worker has moved the cursor, the next call continues from there.
        self.tenants.advance_delivery(after, last.sequence).await?;
        let events = part.events.len();
        Ok(Delivered { events, notifications, to_webhooks, has_more: part.has_more })
    }

    /// The watchers of the companies with new events.
    async fn watchers(
        &self,
        events: &[PublishedEvent],
    ) -> Result<HashMap<Uid, Vec<Watcher>>, Error> {
        let news = events.iter().filter(|it| watch::is_news(it));
        let companies: HashSet<Uid> = news.map(|it| it.event.uid).collect();
        let read = stream::iter(companies).map(|uid| {
            let tenants = self.tenants.clone();
            async move { Ok::<_, Error>((uid, tenants.watchers(uid).await?)) }
        });
        read.buffer_unordered(PARALLEL).try_collect().await
    }

    /// Stores notifications and queues their mails. Returns the number of new notifications.
    async fn store(&self, by_team: HashMap<TeamKey, News>) -> Result<usize, Error> {
        let stored = stream::iter(by_team).map(|(team, News { notifications, mails })| {
            let tenants = self.tenants.clone();
            async move {
                let new = tenants.notify(&team, &notifications).await?;
                tenants.queue_mails(&team, &mails).await?;
                Ok::<_, Error>(new)
            }
        });
        let counts = stored.buffer_unordered(PARALLEL);
        counts.try_fold(0, |sum, count| std::future::ready(Ok(sum + count))).await
    }
}
