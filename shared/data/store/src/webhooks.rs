//! Webhooks, and their deliveries.
//!
//! Invariants: a delivery is either finished, or one item says when its next attempt is due; its log and that item change
//! together. Adding a delivery again changes nothing. A webhook with a delivery that is due is found by the scheduler
//! even if the message of its job is lost.

mod deliveries;
mod due;
mod receivers;
mod replays;

use access::{Environment, TeamLimits};
use auth::TeamId;
use jiff::Timestamp;
use teams::{Webhook, WebhookStatus};

pub use self::{
    due::{DueWebhook, LATEST_WEBHOOK_JOB},
    replays::ReplayProgress,
};
use crate::{
    Error, TeamKey, Tenants,
    companies::readable,
    keys,
    kind::Kind,
    resources::{Copy, Limit, LimitedByTier, Resource},
    within_tier::SortedByAge,
};

impl Resource for Webhook {
    const KIND: Kind = Kind::Webhook;

    fn path(&self) -> String {
        self.id.clone()
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit::by_tier::<Self>()]
    }

    /// Only the webhooks with copies get changes and hits. Those of the sandbox send nothing.
    fn copies(&self, team: &TeamKey) -> Vec<Copy> {
        let is_sandbox = team.environment() == Environment::Test;
        let is_of_alert = self.alert_id.is_some();
        if is_sandbox || is_of_alert || self.status != WebhookStatus::Active {
            return Vec::new();
        }
        let mut keys = vec![match self.is_about_all() {
            true => keys::webhook_about_all(team, &self.id),
            false => keys::webhook_of_team(team, &self.id),
        }];
        let companies = self.company_filters.iter();
        keys.extend(companies.map(|it| keys::watched_by_webhook(*it, team, &self.id)));
        keys.extend(self.wants_hits().then(|| keys::webhook_of_hits(team, &self.id)));
        keys.into_iter().map(|key| Copy { key, is_unique: false }).collect()
    }
}

impl LimitedByTier for Webhook {
    fn max(limits: &TeamLimits) -> u32 {
        limits.webhooks
    }
}

impl SortedByAge for Webhook {}

impl Tenants {
    /// The webhooks about all companies, of all teams. Consistent.
    pub async fn webhooks_about_all(&self) -> Result<Vec<(TeamKey, Webhook)>, Error> {
        let mut webhooks = Vec::new();
        for row in self.table.query_rows(keys::webhooks_about_all()).await? {
            let Some(team) = keys::team_of_webhook(&row.sort) else { continue };
            webhooks.extend(readable(row).transpose()?.map(|it| (team, it)));
        }
        Ok(webhooks)
    }

    /// The webhooks of a team about companies that it watches or names. Consistent. One that cannot be decoded is left out and
    /// logged: the changes of all teams are delivered together. A replay delivers to it what it has missed.
    pub async fn webhooks_of_team(&self, team: &TeamKey) -> Result<Vec<Webhook>, Error> {
        let rows = self.table.query_rows(keys::webhook_of_team(team, "")).await?;
        rows.into_iter().filter_map(readable).collect()
    }

    /// The webhooks of a team that get hits of screenings, and to which new deliveries are added. Consistent.
    pub async fn webhooks_of_hits(
        &self,
        team: &TeamKey,
        now: Timestamp,
    ) -> Result<Vec<Webhook>, Error> {
        let mut webhooks: Vec<Webhook> = self.table.query(keys::webhook_of_hits(team, "")).await?;
        let deliverable = self.deliverable(webhooks.iter().map(|it| (team, it)), now).await?;
        webhooks.retain(|it| deliverable.contains(&(team.clone(), it.id.clone())));
        Ok(webhooks)
    }

    /// The webhook with this id, if it is active and new deliveries are added to it.
    pub async fn active_webhook(
        &self,
        team: &TeamKey,
        id: &str,
        now: Timestamp,
    ) -> Result<Option<Webhook>, Error> {
        let webhook = self.resource::<Webhook>(team, id).await?;
        let Some(webhook) = webhook.filter(|it| it.status == WebhookStatus::Active) else {
            return Ok(None);
        };
        let deliverable = self.deliverable([(team, &webhook)], now).await?;
        Ok((!deliverable.is_empty()).then_some(webhook))
    }

    /// Lets the scheduler send a job for each webhook of a team at this time: what waits because of its tier may be sent then.
    pub async fn retry_webhooks(&self, team: &TeamId, at: Timestamp) -> Result<(), Error> {
        // Those of the sandbox send nothing.
        let team = TeamKey::of_schedule(team, Environment::Live);
        let webhooks: Vec<Webhook> = self.resources(&team, "").await?;
        let due: Vec<_> = webhooks.into_iter().map(|it| (team.clone(), it.id)).collect();
        self.schedule_webhooks(&due, at).await
    }

    /// Deletes a webhook if `may` allows it. `false`: it does not exist, or may not be deleted. Its deliveries expire by
    /// themselves.
    pub async fn delete_webhook(
        &self,
        team: &TeamKey,
        id: &str,
        may: impl Fn(&Webhook) -> bool,
    ) -> Result<bool, Error> {
        let Some(_) = self.delete::<Webhook>(team, id, may).await? else { return Ok(false) };
        let keys = vec![keys::webhook_state(team, id), keys::webhook_replay(team, id)];
        self.table.delete_all(keys).await?;
        Ok(true)
    }
}
