//! Webhooks, and their deliveries.
//!
//! Invariants: a delivery is either finished, or one item says when its next attempt is due; its log and that item change
//! together. Adding a delivery again changes nothing. A webhook with a delivery that is due is found by the scheduler
//! even if the message of its job is lost.

mod deliveries;
mod due;
mod replays;

use std::collections::HashMap;

use access::Environment;
use accounts::{Webhook, WebhookState, WebhookStatus};
use futures_util::future::try_join;

pub use self::{
    due::{DueWebhook, LATEST_WEBHOOK_JOB},
    replays::ReplayProgress,
};
use crate::{
    Error, TeamKey, Tenants,
    companies::readable,
    keys::{self, Key},
    kind::Kind,
    resources::{Copy, Limit, Resource},
};

impl Resource for Webhook {
    const KIND: Kind = Kind::Webhook;

    fn path(&self) -> String {
        self.id.clone()
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit::by_tier(|it| it.webhooks)]
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

    /// The webhooks of a team that get hits of screenings, and whose receivers are not disabled. Consistent.
    pub async fn webhooks_of_hits(&self, team: &TeamKey) -> Result<Vec<Webhook>, Error> {
        let mut webhooks: Vec<Webhook> = self.table.query(keys::webhook_of_hits(team, "")).await?;
        let ids = webhooks.iter().map(|it| (team.clone(), it.id.clone()));
        let states = self.webhook_states(ids).await?;
        let is_disabled = |it: &Webhook| {
            states.get(&(team.clone(), it.id.clone())).is_some_and(|it| it.disabled.is_some())
        };
        webhooks.retain(|it| !is_disabled(it));
        Ok(webhooks)
    }

    /// The states of the receivers of these webhooks, if something is known of them. Consistent. One that cannot be decoded is
    /// left out and logged: new deliveries to it are stored, and wait until their job can read the state.
    pub async fn webhook_states(
        &self,
        webhooks: impl IntoIterator<Item = (TeamKey, String)>,
    ) -> Result<HashMap<(TeamKey, String), WebhookState>, Error> {
        let mut wanted: HashMap<Key, (TeamKey, String)> = HashMap::new();
        for (team, id) in webhooks {
            wanted.insert(keys::webhook_state(&team, &id), (team, id));
        }
        let mut states = HashMap::new();
        for row in self.table.get_rows(wanted.keys().cloned().collect()).await? {
            let key = Key { partition: row.partition.clone(), sort: row.sort.clone() };
            let Some(webhook) = wanted.remove(&key) else { continue };
            if let Some(state) = readable(row).transpose()? {
                states.insert(webhook, state);
            }
        }
        Ok(states)
    }

    /// The webhook with this id, if new results can be delivered to it: it is active, and its receiver is.
    pub async fn active_webhook(&self, team: &TeamKey, id: &str) -> Result<Option<Webhook>, Error> {
        let webhook = self.resource::<Webhook>(team, id);
        let (webhook, state) = try_join(webhook, self.webhook_state(team, id)).await?;
        let is_active =
            |it: &Webhook| it.status == WebhookStatus::Active && state.disabled.is_none();
        Ok(webhook.filter(is_active))
    }

    /// What is known of the receiver of a webhook.
    pub async fn webhook_state(&self, team: &TeamKey, id: &str) -> Result<WebhookState, Error> {
        let state = self.table.get(keys::webhook_state(team, id)).await?;
        Ok(state.unwrap_or_default())
    }

    /// Changes what is known of the receiver of a webhook, and returns it. `change` runs again if another change was faster.
    pub async fn change_webhook_state(
        &self,
        team: &TeamKey,
        id: &str,
        change: impl Fn(&mut WebhookState),
    ) -> Result<WebhookState, Error> {
        self.table.update(keys::webhook_state(team, id), change).await
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
