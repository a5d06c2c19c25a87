//! Delivers changes of an earlier time again.
//!
//! A replay is stored with its progress, which moves after the deliveries are stored. A killed worker therefore loses
//! nothing; what it has delivered after the progress was stored last may be delivered again.

use std::collections::{HashMap, HashSet};

use domain::{Uid, changes::PublishedEvent};
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::SignedDuration;
use store::{ReplayProgress, WatchingTeams};
use teams::{PendingDelivery, Watcher, Webhook, watch::is_recent};

use crate::worker::{Error, Run};

/// Number of changes that are considered before their deliveries are made.
const PART: usize = 100;
/// Number of companies whose watchers are read in parallel.
const PARALLEL: usize = 16;
/// Changes are in the feed in the order of their times, except that workers which add them at the same time may have
/// started this long before each other.
const DISORDER: SignedDuration = SignedDuration::from_hours(1);

impl Run<'_> {
    /// Adds the deliveries of the next changes of a replay. `false`: there is no replay.
    pub(crate) async fn continue_replay(&self) -> Result<bool, Error> {
        let (tenants, id) = (self.tenants(), &self.webhook.id);
        let Some(progress) = tenants.webhook_replay(&self.team, id).await? else {
            return Ok(false);
        };
        let replay = &progress.replay;
        let after = match progress.after_sequence {
            Some(sequence) => sequence,
            None => self.registry().feed_before(replay.from - DISORDER).await?,
        };
        let part = self.registry().feed(after, PART).await?;
        let is_in_time = |it: &&PublishedEvent| {
            (replay.from..replay.to).contains(&it.recorded_at) && is_recent(it)
        };
        let events: Vec<&PublishedEvent> = part.events.iter().filter(is_in_time).collect();
        let accepted = self.accepted(&events).await?;
        let now = self.now();
        let source = (self.team.team(), self.team.environment());
        let repeated = |it: &&PublishedEvent| {
            PendingDelivery::of(it, source, id, self.public_url()).repeated(now)
        };
        let again: Vec<PendingDelivery> = accepted.iter().map(repeated).collect();
        tenants.repeat_webhook_deliveries(&self.team, id, &again).await?;
        let is_past = part.events.last().is_some_and(|it| it.recorded_at >= replay.to + DISORDER);
        let next = (part.has_more && !is_past)
            .then(|| ReplayProgress { after_sequence: Some(part.read_to), ..progress.clone() });
        tenants.put_webhook_replay(&self.team, id, next.as_ref()).await?;
        Ok(true)
    }

    /// The changes that the webhook gets now, also those from before it was created.
    async fn accepted<'e>(
        &self,
        events: &[&'e PublishedEvent],
    ) -> Result<Vec<&'e PublishedEvent>, Error> {
        let (tenants, webhook): (_, &Webhook) = (self.tenants(), &self.webhook);
        let mut watchers: HashMap<Uid, Vec<Watcher>> = HashMap::new();
        let mut teams = WatchingTeams::new();
        if webhook.is_about_watched() {
            let companies: HashSet<Uid> = events.iter().map(|it| it.event.uid).collect();
            let read = stream::iter(companies).map(async |uid| {
                Ok::<_, Error>((uid, tenants.watchers_of_team(uid, &self.team).await?))
            });
            watchers = read.buffer_unordered(PARALLEL).try_collect().await?;
            let all: Vec<Watcher> = watchers.values().flatten().cloned().collect();
            teams = tenants.watching_teams(&all, self.now()).await?;
        }
        let accepts = |event: &&&PublishedEvent| {
            let watchers = watchers.get(&event.event.uid).into_iter().flatten();
            webhook.accepts(event, 0, watchers, teams.get(&self.team))
        };
        Ok(events.iter().filter(accepts).copied().collect())
    }
}
