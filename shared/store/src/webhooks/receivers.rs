//! What is known of the receivers of webhooks: whether they have proven themselves, fail, or are disabled.

use std::collections::{HashMap, HashSet};

use accounts::{DeliveryStatus, Verification, Webhook, WebhookDelivery, WebhookState};
use futures_util::{TryStreamExt, pin_mut};
use jiff::Timestamp;

use crate::{
    Error, TeamKey, Tenants,
    companies::readable,
    keys::{self, Key},
};

/// Number of deliveries that are read together to find an accepted one.
const PAGE: i32 = 100;

impl Tenants {
    /// Those of these webhooks to which new deliveries are added: their receivers have proven themselves and are not disabled, and
    /// the present tiers of their teams allow them. Consistent.
    ///
    /// A webhook whose state cannot be decoded, which is logged, is one of them: its deliveries wait until their job can read the
    /// state.
    pub async fn deliverable<'a>(
        &self,
        webhooks: impl IntoIterator<Item = (&'a TeamKey, &'a Webhook)>,
    ) -> Result<HashSet<(TeamKey, String)>, Error> {
        let webhooks: Vec<(&TeamKey, &Webhook)> = webhooks.into_iter().collect();
        let ids = webhooks.iter().map(|(team, it)| ((*team).clone(), it.id.clone()));
        let states = self.read_states(ids).await?;
        let teams = webhooks.iter().map(|(team, _)| (*team).clone());
        let within = self.within_present_tiers::<Webhook>(teams).await?;
        let mut deliverable = HashSet::with_capacity(webhooks.len());
        for (team, webhook) in webhooks {
            if within.get(team).is_some_and(|it| !it.includes(&webhook.id)) {
                continue;
            }
            let key = (team.clone(), webhook.id.clone());
            let accepts = match states.get(&key) {
                Some(None) => true,
                Some(Some(state)) if state.disabled.is_some() => false,
                Some(Some(state)) if state.verification.is_some() => {
                    state.is_verified(&webhook.url)
                }
                Some(Some(_)) | None => {
                    self.settle_webhook_receiver(team, webhook).await?.is_verified(&webhook.url)
                }
            };
            if accepts {
                deliverable.insert(key);
            }
        }
        Ok(deliverable)
    }

    /// The stored states of the receivers of these webhooks. Consistent. `None`: it cannot be decoded, which is logged.
    async fn read_states(
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
    pub async fn webhook_receivers(
        &self,
        team: &TeamKey,
        webhooks: &[Webhook],
    ) -> Result<Vec<WebhookState>, Error> {
        let ids = webhooks.iter().map(|it| (team.clone(), it.id.clone()));
        let mut read = self.read_states(ids).await?;
        let mut states = Vec::with_capacity(webhooks.len());
        for webhook in webhooks {
            let state = read.remove(&(team.clone(), webhook.id.clone())).flatten();
            states.push(self.with_verification(team, webhook, state.unwrap_or_default()).await?);
        }
        Ok(states)
    }

    /// What is stored of the receiver of a webhook.
    pub async fn webhook_state(&self, team: &TeamKey, id: &str) -> Result<WebhookState, Error> {
        let state = self.table.get(keys::webhook_state(team, id)).await?;
        Ok(state.unwrap_or_default())
    }

    /// What is known of the receiver of a webhook. Consistent.
    pub async fn webhook_receiver(
        &self,
        team: &TeamKey,
        webhook: &Webhook,
    ) -> Result<WebhookState, Error> {
        let state = self.webhook_state(team, &webhook.id).await?;
        self.with_verification(team, webhook, state).await
    }

    /// As [`Self::webhook_receiver`]. Stores it if an earlier version has not stored whether the receiver has proven itself. Must be called
    /// before the address changes, which the receiver at the new one has not.
    pub async fn settle_webhook_receiver(
        &self,
        team: &TeamKey,
        webhook: &Webhook,
    ) -> Result<WebhookState, Error> {
        let known = self.webhook_receiver(team, webhook).await?;
        let change = |it: &mut WebhookState| {
            if it.verification.is_none() {
                it.verification.clone_from(&known.verification);
            }
        };
        self.change_webhook_state(team, &webhook.id, change).await
    }

    /// A receiver of which an earlier version of the service knows counts as proven if it has accepted a delivery.
    async fn with_verification(
        &self,
        team: &TeamKey,
        webhook: &Webhook,
        state: WebhookState,
    ) -> Result<WebhookState, Error> {
        if state.verification.is_some() {
            return Ok(state);
        }
        let url = &webhook.url;
        let verification = match self.last_accepted(team, &webhook.id).await? {
            Some(at) => Verification::proven(url, at),
            None => Verification::unproven(url, None),
        };
        Ok(WebhookState { verification: Some(verification), ..state })
    }

    /// When the receiver of a webhook accepted the newest of the deliveries that it has accepted.
    async fn last_accepted(
        &self,
        team: &TeamKey,
        webhook: &str,
    ) -> Result<Option<Timestamp>, Error> {
        let Key { partition, sort } = keys::webhook_deliveries(team, webhook);
        let last = format!("{sort}~");
        let pages = self.table.query_backwards_consistently(&partition, (&sort, &last), PAGE);
        pin_mut!(pages);
        while let Some(rows) = pages.try_next().await? {
            for row in rows {
                let Some(delivery) = readable::<WebhookDelivery>(row).transpose()? else {
                    continue;
                };
                if delivery.status == DeliveryStatus::Delivered {
                    return Ok(Some(delivery.delivered_at.unwrap_or(delivery.created_at)));
                }
            }
        }
        Ok(None)
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
