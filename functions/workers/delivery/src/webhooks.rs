//! Which webhooks get an event. The worker `webhooks` makes the deliveries.

use std::collections::HashMap;

use domain::{Uid, changes::PublishedEvent};
use futures_util::{StreamExt, TryStreamExt, stream};
use jobs::WebhookJob;
use store::{LATEST_WEBHOOK_JOB, TeamKey, WatchingTeams};
use teams::{PendingDelivery, Watcher, Webhook};

use crate::worker::{Error, PARALLEL, Worker};

impl Worker {
    /// Stores the deliveries of these events, lets the scheduler find them, and only then sends a job for each webhook.
    /// Returns the number of new deliveries.
    pub(crate) async fn deliver_to_webhooks(
        &self,
        events: &[PublishedEvent],
        watchers: &HashMap<Uid, Vec<Watcher>>,
        teams: &WatchingTeams,
    ) -> Result<usize, Error> {
        let Some(newest) = events.iter().map(|it| it.recorded_at).max() else { return Ok(0) };
        let mut wanted = Vec::new();
        for (team, webhook) in self.webhooks_for(watchers).await? {
            let known = teams.get(&team);
            let accepts = |event: &&PublishedEvent| {
                let watchers = watchers.get(&event.event.uid).into_iter().flatten();
                let of_team = watchers.filter(|it| {
                    (&it.team, it.environment) == (team.team(), team.environment())
                        && event.sequence > it.after_sequence
                });
                webhook.accepts(event, webhook.after_sequence, of_team, known)
            };
            let accepted: Vec<&PublishedEvent> = events.iter().filter(accepts).collect();
            if !accepted.is_empty() {
                wanted.push((team, webhook, accepted));
            }
        }
        let webhooks = wanted.iter().map(|(team, webhook, _)| (team, webhook));
        let deliverable = self.tenants.deliverable(webhooks, self.now()).await?;
        wanted
            .retain(|(team, webhook, _)| deliverable.contains(&(team.clone(), webhook.id.clone())));
        let mut due = Vec::with_capacity(wanted.len());
        let mut jobs = Vec::with_capacity(wanted.len());
        let mut added = Vec::with_capacity(wanted.len());
        for (team, webhook, accepted) in wanted {
            let id = webhook.id;
            due.push((team.clone(), id.clone()));
            let environment = team.environment();
            let webhook = id.clone();
            jobs.push(WebhookJob::Deliver { team: team.team().clone(), environment, webhook });
            added.push(self.add_deliveries(team, id, accepted));
        }
        let added = stream::iter(added).buffer_unordered(PARALLEL);
        let added = added.try_fold(0, |sum, count| std::future::ready(Ok(sum + count))).await?;
        self.tenants.schedule_webhooks(&due, newest + LATEST_WEBHOOK_JOB).await?;
        self.webhooks.send_all(&jobs).await?;
        Ok(added)
    }

    /// Stores the deliveries of these events to a webhook. Returns the number of new ones.
    async fn add_deliveries(
        &self,
        team: TeamKey,
        id: String,
        events: Vec<&PublishedEvent>,
    ) -> Result<usize, store::Error> {
        let of = (team.team(), team.environment());
        let pending = |it| PendingDelivery::of(it, of, &id, &self.public_url);
        let new: Vec<PendingDelivery> = events.into_iter().map(pending).collect();
        self.tenants.add_webhook_deliveries(&team, &id, &new).await
    }

    /// The webhooks that may get events of these companies: those about all companies, and those of the teams that watch
    /// or name one of them.
    async fn webhooks_for(
        &self,
        watchers: &HashMap<Uid, Vec<Watcher>>,
    ) -> Result<Vec<(TeamKey, Webhook)>, Error> {
        let mut webhooks = self.tenants.webhooks_about_all().await?;
        let mut teams: Vec<TeamKey> =
            watchers.values().flatten().map(TeamKey::of_watcher).collect();
        teams.sort_unstable_by_key(|it| (it.team().clone(), it.environment().name()));
        teams.dedup();
        let of_teams = stream::iter(teams).map(|team| {
            let tenants = self.tenants.clone();
            async move {
                let webhooks = tenants.webhooks_of_team(&team).await?.into_iter();
                let with_team: Vec<_> = webhooks.map(|it| (team.clone(), it)).collect();
                Ok::<_, store::Error>(with_team)
            }
        });
        let of_teams: Vec<Vec<_>> = of_teams.buffer_unordered(PARALLEL).try_collect().await?;
        webhooks.extend(of_teams.into_iter().flatten());
        Ok(webhooks)
    }
}
