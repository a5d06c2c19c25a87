//! What each job does.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    time::Duration,
};

use access::{Environment, RateGroup};
use auth::{Owner, TeamId};
use company_reader::Sources;
use components::PublicUrl;
use domain::{Uid, changes::PublishedEvent};
use futures_util::{StreamExt, TryStreamExt, stream};
use generations::Generations;
use jiff::{Timestamp, civil::Date};
use jobs::{DeliveryJob, JobId, MailJob, Queue, WebhookJob};
use store::{FeedPart, Registry, TeamKey, Tenants, WatchingTeams};
use teams::{
    Addressed, Notification, Watcher, watch,
    watch::{Notified, WatchingTeam},
};
use text_index::changes::FeedQuery;
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
    #[error(transparent)]
    Generation(#[from] generations::Error),
    #[error("the risk of {company} cannot be assessed: {problem}")]
    Risk { company: Uid, problem: String },
}

components::component! {
    /// The dependencies of the jobs.
    pub struct Worker {
        pub registry: Registry,
        pub tenants: Tenants,
        pub mails: Queue<MailJob>,
        pub webhooks: Queue<WebhookJob>,
        /// The queue of this worker.
        pub jobs: Queue<DeliveryJob>,
        pub assessments: Sources,
        pub generations: Generations,
        /// Address of the API: the `source` of CloudEvents.
        pub public_url: PublicUrl,
    }
}

/// What a team gets.
#[derive(Default)]
struct News {
    notifications: Vec<Notification>,
    mails: Vec<Addressed>,
}

/// Notifications that are to be stored and sent.
#[derive(Default)]
pub(crate) struct Outbox {
    by_team: HashMap<TeamKey, News>,
    /// Owners whose mails are sent at once.
    at_once: BTreeMap<(TeamId, Owner), TeamKey>,
}

impl Outbox {
    /// Adds a notification. `teams` are those of the watchers.
    pub(crate) fn add(&mut self, notified: Notified<'_>, teams: &WatchingTeams) {
        let key = TeamKey::of_watcher(notified.watchers[0]);
        let Some(team) = teams.get(&key) else { return };
        let mail = notified.mail(team);
        let has_digest =
            |it: &&Owner| team.preferences.get(it).is_some_and(|it| it.digest().is_some());
        let owners = mail.to.iter().filter(|it| !has_digest(it));
        self.at_once.extend(owners.map(|it| ((key.team().clone(), it.clone()), key.clone())));
        let news = self.by_team.entry(key).or_default();
        news.notifications.push(notified.notification);
        news.mails.extend((!mail.to.is_empty()).then_some(mail));
    }
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

impl queue_worker::Worker for Worker {
    type Job = DeliveryJob;
    type Error = Error;
    const NAME: &str = "delivery";
    const PARALLEL: usize = 2;

    async fn work(&self, job: DeliveryJob, _: JobId, _: Timestamp) -> Result<(), Error> {
        self.handle(job).await
    }
}

impl Worker {
    pub(crate) fn now(&self) -> Timestamp {
        self.assessments.clock.now()
    }

    /// Runs a job.
    pub async fn handle(&self, job: DeliveryJob) -> Result<(), Error> {
        match job {
            DeliveryJob::NotifyWatchers => self.notify_watchers().await,
            DeliveryJob::CompareRisk { company, change } => {
                self.compare_risk(company, change).await
            }
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
        let part = self.next_events(after).await?;
        let Some(last) = part.events.last() else { return Ok(Delivered::default()) };
        let watchers = self.watchers(&part.events).await?;
        let all: Vec<Watcher> = watchers.values().flatten().cloned().collect();
        let teams = self.tenants.watching_teams(&all, self.now()).await?;
        let mut outbox = Outbox::default();
        for event in &part.events {
            let Some(watchers) = watchers.get(&event.event.uid) else { continue };
            let team_of = |it: &Watcher| teams.get(&TeamKey::of_watcher(it));
            for notified in watch::notifications(event, watchers, team_of) {
                outbox.add(notified, &teams);
            }
        }
        let notifications = self.deliver(outbox, last.recorded_at).await?;
        self.jobs.send_all(&risks(&part.events, &watchers, &teams)).await?;
        let to_webhooks = self.deliver_to_webhooks(&part.events, &watchers, &teams).await?;
        // If another worker has moved the cursor, the next call continues from there.
        self.tenants.advance_delivery(after, last.sequence).await?;
        let events = part.events.len();
        Ok(Delivered { events, notifications, to_webhooks, has_more: part.has_more })
    }

    /// The next events of the feed. If its next part cannot be decoded, they are taken from the generation, once it contains them:
    /// no notification is lost.
    async fn next_events(&self, after: u64) -> Result<FeedPart, Error> {
        let (mut part, has_gap) = self.registry.feed(after, PART).await?.up_to_a_gap(after);
        if !part.events.is_empty() || !has_gap {
            return Ok(part);
        }
        let generation = self.generations.current().await?;
        let query = FeedQuery { after, ..FeedQuery::default() };
        let changes = generation.changes().await.map_err(generations::Error::from)?;
        part.events = changes.feed(&query, PART).await.map_err(generations::Error::from)?;
        part.read_to = part.events.last().map_or(after, |it| it.sequence);
        part.has_more = !part.events.is_empty();
        Ok(part)
    }

    /// The watchers of the companies with new events.
    async fn watchers(
        &self,
        events: &[PublishedEvent],
    ) -> Result<HashMap<Uid, Vec<Watcher>>, Error> {
        let news = events.iter().filter(|it| watch::is_recent(it));
        let companies: HashSet<Uid> = news.map(|it| it.event.uid).collect();
        let read = stream::iter(companies).map(|uid| {
            let tenants = self.tenants.clone();
            async move { Ok::<_, Error>((uid, tenants.watchers(uid).await?)) }
        });
        read.buffer_unordered(PARALLEL).try_collect().await
    }

    /// Stores notifications, queues their mails, and sends those that are sent at once. Returns the number of new notifications.
    pub(crate) async fn deliver(&self, outbox: Outbox, at: Timestamp) -> Result<usize, Error> {
        let Outbox { by_team, at_once } = outbox;
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
        self.tenants.schedule_mails(&owners, at).await?;
        self.mails.send_all(&jobs).await?;
        Ok(notifications)
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

/// Whether the present tier of a team includes the risk of companies.
pub(crate) fn has_risk(team: &WatchingTeam) -> bool {
    RateGroup::MethodologyRead.allowance(team.tier).is_some()
}

/// The jobs that compare the risk of companies with news among these events, of which a team with the risk in its tier gets
/// notifications: one for each company and day.
fn risks(
    events: &[PublishedEvent],
    watchers: &HashMap<Uid, Vec<Watcher>>,
    teams: &WatchingTeams,
) -> Vec<DeliveryJob> {
    let is_notified = |it: &Watcher| {
        let team = teams.get(&TeamKey::of_watcher(it));
        it.webhook.is_none() && team.is_some_and(|team| has_risk(team) && team.is_present(it))
    };
    let is_watched = |uid: &Uid| watchers.get(uid).is_some_and(|it| it.iter().any(is_notified));
    let mut days: BTreeMap<(Uid, Date), u64> = BTreeMap::new();
    for it in events.iter().filter(|it| watch::is_recent(it) && is_watched(&it.event.uid)) {
        days.insert((it.event.uid, it.event.date), it.sequence);
    }
    let job = |((company, _), change)| DeliveryJob::CompareRisk { company, change };
    days.into_iter().map(job).collect()
}
