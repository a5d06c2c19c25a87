//! What is known of the receivers of webhooks: whether they have proven themselves, fail, or are disabled.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use teams::{Webhook, WebhookState};

use crate::{
    Error, TeamKey, Tenants,
    companies::readable,
    keys::{self, Key},
};

impl Tenants {
    /// Those of these webhooks to which new deliveries are added: their receivers have proven themselves and are not disabled, and
    /// the present tiers of their teams allow them. Consistent.
    ///
    /// A webhook whose state cannot be decoded, which is logged, is one of them: its deliveries wait until their job can read the
    /// state.
    pub async fn deliverable<'a>(
        &self,
        webhooks: impl IntoIterator<Item = (&'a TeamKey, &'a Webhook)>,
        now: Timestamp,
    ) -> Result<HashSet<(TeamKey, String)>, Error> {
        let webhooks: Vec<(&TeamKey, &Webhook)> = webhooks.into_iter().collect();
        let ids = webhooks.iter().map(|(team, it)| ((*team).clone(), it.id.clone()));
        let states = self.read_states(ids).await?;
        let teams = webhooks.iter().map(|(team, _)| (*team).clone());
        let within = self.within_present_tiers::<Webhook>(teams, now).await?;
        let mut deliverable = HashSet::with_capacity(webhooks.len());
        for (team, webhook) in webhooks {
            if within.get(team).is_some_and(|it| !it.includes(&webhook.id)) {
                continue;
            }
            let key = (team.clone(), webhook.id.clone());
            let accepts = match states.get(&key) {
                Some(None) => true,
                Some(Some(state)) => state.disabled.is_none() && state.is_verified(&webhook.url),
                None => false,
            };
            if accepts {
                deliverable.insert(key);
            }
        }
        Ok(deliverable)
    }

    /// The stored states of the receivers of these webhooks. Consistent. `None`: it cannot be decoded, which is logged.
    pub(super) async fn read_states(
        &self,
        webhooks: impl IntoIterator<Item = (TeamKey, String)>,
    ) -> Result<HashMap<(TeamKey, String), Option<WebhookState>>, Error> {
        let mut wanted: HashMap<Key, (TeamKey, String)> = HashMap::new();
        for (team, id) in webhooks {
            wanted.insert(keys::webhook_state(&team, &id), (team, id));
        }
        let mut states = HashMap::new();
        for row in self.table.get_rows(wanted.keys().cloned().collect()).await? {
            let key = Key { partition: row.partition.clone(), sort: row.sort.clone() };
            let Some(webhook) = wanted.remove(&key) else { continue };
            states.insert(webhook, readable(row).transpose()?);
        }
        Ok(states)
    }

    /// What is known of the receivers of these webhooks of a team, in their order. Consistent.
    pub async fn webhook_states(
        &self,
        team: &TeamKey,
        webhooks: &[Webhook],
    ) -> Result<Vec<WebhookState>, Error> {
        let ids = webhooks.iter().map(|it| (team.clone(), it.id.clone()));
        let mut read = self.read_states(ids).await?;
        let state = |it: &Webhook| read.remove(&(team.clone(), it.id.clone())).flatten();
        Ok(webhooks.iter().map(state).map(Option::unwrap_or_default).collect())
    }

    /// What is known of the receiver of a webhook. Consistent.
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
}
