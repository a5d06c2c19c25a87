//! Webhooks, and their deliveries.
//!
//! Invariants: a delivery is either finished, or one item says when its next attempt is due; its log and that item change
//! together. Adding a delivery again changes nothing. A webhook with a delivery that is due is found by the scheduler
//! even if the message of its job is lost.

use std::collections::{HashMap, HashSet};

use access::Environment;
use accounts::{
    DeliveryStatus, PendingDelivery, Webhook, WebhookDelivery, WebhookReplay, WebhookState,
    WebhookStatus,
};
use auth::TeamId;
use futures_util::{TryStreamExt, future::try_join, pin_mut};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    Error, TeamKey, Tenants,
    companies::readable,
    keys::{self, Key},
    kind::Kind,
    resources::{Copy, Limit, Resource},
    table::{Row, Write},
};

/// If the message of a job for new deliveries is lost, the scheduler sends another after this time.
pub const LATEST_WEBHOOK_JOB: SignedDuration = SignedDuration::from_mins(15);
/// How long deliveries are listed, and can be attempted.
const RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);
/// A replay that has not ended after this time never will.
const REPLAY_RETENTION: SignedDuration = SignedDuration::from_hours(24);
/// Maximum number of deliveries written in one transaction, each with up to two items. Their bodies have at most 64 KB.
const MAX_TOGETHER: usize = 40;

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

/// A webhook that may have a delivery that is due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DueWebhook {
    pub team: TeamId,
    pub environment: Environment,
    pub webhook: String,
    pub at: Timestamp,
}

/// A replay that is not finished.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplayProgress {
    pub replay: WebhookReplay,
    /// Sequence number of the last change that was considered. `None`: none was.
    pub after_sequence: Option<u64>,
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

    /// Adds deliveries that are due, and returns the number of new ones. A delivery that was added before stays as it is.
    pub async fn add_webhook_deliveries(
        &self,
        team: &TeamKey,
        webhook: &str,
        new: &[PendingDelivery],
    ) -> Result<usize, Error> {
        let mut added = 0;
        let mut seen = HashSet::new();
        let new: Vec<_> = new.iter().filter(|it| seen.insert(it.delivery.id)).collect();
        for together in new.chunks(MAX_TOGETHER) {
            let mut groups = Vec::with_capacity(together.len());
            for new in together {
                let mut writes = delivery(team, webhook, &new.delivery, &new.body)?;
                writes[0] = writes[0].clone().if_absent();
                groups.push(writes);
            }
            added += self.table.transact_new(groups, |_| Vec::new()).await?.unwrap_or_default();
        }
        Ok(added)
    }

    /// Makes deliveries due again that are finished, and adds those that do not exist. Those that wait for an attempt stay
    /// as they are.
    pub async fn repeat_webhook_deliveries(
        &self,
        team: &TeamKey,
        webhook: &str,
        again: &[PendingDelivery],
    ) -> Result<(), Error> {
        let key = |it: &PendingDelivery| keys::webhook_delivery(team, webhook, it.delivery.id);
        let mut waiting = HashSet::new();
        for row in self.table.get_rows(again.iter().map(key).collect()).await? {
            let logged: WebhookDelivery = row.read()?;
            if logged.status == DeliveryStatus::Pending {
                waiting.insert(logged.id);
            }
        }
        let again: Vec<_> = again.iter().filter(|it| !waiting.contains(&it.delivery.id)).collect();
        for together in again.chunks(MAX_TOGETHER) {
            let mut groups = Vec::with_capacity(together.len());
            for again in together {
                groups.push(delivery(team, webhook, &again.delivery, &again.body)?);
            }
            self.table.transact_new(groups, |_| Vec::new()).await?;
        }
        Ok(())
    }

    /// The deliveries that wait for an attempt, at most `limit`, by due time. Consistent.
    pub async fn pending_webhook_deliveries(
        &self,
        team: &TeamKey,
        webhook: &str,
        limit: usize,
    ) -> Result<Vec<PendingDelivery>, Error> {
        let Key { partition, sort } = keys::pending_deliveries(team, webhook);
        let page = i32::try_from(limit).unwrap_or(i32::MAX);
        let range = (sort.as_str(), format!("{sort}~"));
        let pages = self.table.query_forwards_consistently(&partition, (range.0, &range.1), page);
        first_of(pages, limit).await
    }

    /// Records attempts: each delivery as it was before, and as it is afterwards. An attempt of a delivery that another
    /// worker has recorded meanwhile is ignored.
    pub async fn record_webhook_attempts(
        &self,
        team: &TeamKey,
        webhook: &str,
        attempts: &[(PendingDelivery, WebhookDelivery)],
    ) -> Result<(), Error> {
        for together in attempts.chunks(MAX_TOGETHER / 2) {
            let mut groups = Vec::with_capacity(together.len());
            for (before, after) in together {
                let waiting = pending(team, webhook, &before.delivery);
                let mut writes = vec![Write::delete(waiting).if_present()];
                writes.extend(delivery(team, webhook, after, &before.body)?);
                groups.push(writes);
            }
            self.table.transact_new(groups, |_| Vec::new()).await?;
        }
        Ok(())
    }

    /// Adds a delivery that is finished to the log.
    pub async fn log_webhook_delivery(
        &self,
        team: &TeamKey,
        webhook: &str,
        finished: &WebhookDelivery,
    ) -> Result<(), Error> {
        self.table.transact(delivery(team, webhook, finished, "")?).await
    }

    /// The deliveries of a webhook, newest first, at most `limit`.
    pub async fn webhook_deliveries(
        &self,
        team: &TeamKey,
        webhook: &str,
        limit: usize,
    ) -> Result<Vec<WebhookDelivery>, Error> {
        let Key { partition, sort } = keys::webhook_deliveries(team, webhook);
        let page = i32::try_from(limit).unwrap_or(i32::MAX);
        let range = (sort.as_str(), format!("{sort}~"));
        let pages = self.table.query_backwards_consistently(&partition, (range.0, &range.1), page);
        first_of(pages, limit).await
    }

    /// Starts a replay. `false`: the last one has not ended.
    pub async fn start_webhook_replay(
        &self,
        team: &TeamKey,
        webhook: &str,
        replay: &WebhookReplay,
    ) -> Result<bool, Error> {
        let progress = ReplayProgress { replay: replay.clone(), after_sequence: None };
        let put = put_replay(team, webhook, &progress)?.if_absent();
        match self.table.transact(vec![put]).await {
            Ok(()) => Ok(true),
            Err(Error::Changed) => Ok(false),
            Err(failure) => Err(failure),
        }
    }

    /// The replay of a webhook that has not ended.
    pub async fn webhook_replay(
        &self,
        team: &TeamKey,
        webhook: &str,
    ) -> Result<Option<ReplayProgress>, Error> {
        self.table.get(keys::webhook_replay(team, webhook)).await
    }

    /// Stores the progress of a replay. `None`: it has ended.
    pub async fn put_webhook_replay(
        &self,
        team: &TeamKey,
        webhook: &str,
        progress: Option<&ReplayProgress>,
    ) -> Result<(), Error> {
        match progress {
            Some(progress) => {
                let put = put_replay(team, webhook, progress)?;
                // A webhook that was deleted meanwhile gets no new item.
                match self.table.transact(vec![put.if_present()]).await {
                    Ok(()) | Err(Error::Changed) => Ok(()),
                    Err(failure) => Err(failure),
                }
            }
            None => self.table.delete_all(vec![keys::webhook_replay(team, webhook)]).await,
        }
    }

    /// Lets the scheduler send a job for these webhooks at this time or soon afterwards.
    pub async fn schedule_webhooks(
        &self,
        webhooks: &[(TeamKey, String)],
        at: Timestamp,
    ) -> Result<(), Error> {
        let mut due = Vec::with_capacity(webhooks.len());
        for (team, id) in webhooks {
            let (environment, webhook) = (team.environment(), id.clone());
            let of = DueWebhook { team: team.team().clone(), environment, webhook, at };
            due.push((keys::due_webhook(team, id, at), of));
        }
        self.table.put_documents(due).await
    }

    /// The webhooks that may have a delivery that is due, of one of [`keys::WEBHOOK_SHARDS`] partitions, in the order of the
    /// due times. An item that cannot be decoded is left out and logged. It stays, and counts as soon as it can be decoded.
    pub async fn due_webhooks(&self, shard: u32, now: Timestamp) -> Result<Vec<DueWebhook>, Error> {
        // After every key with this time.
        let to = format!("{}~", keys::webhook_moment(now));
        let rows = self.table.query_between(keys::due_webhooks_from(shard), to).await?;
        rows.into_iter().filter_map(readable).collect()
    }

    /// Removes webhooks whose jobs were sent.
    pub async fn drop_due_webhooks(&self, due: &[DueWebhook]) -> Result<(), Error> {
        let key = |it: &DueWebhook| {
            let team = TeamKey::of_schedule(&it.team, it.environment);
            keys::due_webhook(&team, &it.webhook, it.at)
        };
        self.table.delete_all(due.iter().map(key).collect()).await
    }
}

/// The key of a delivery that waits for an attempt.
fn pending(team: &TeamKey, webhook: &str, delivery: &WebhookDelivery) -> Key {
    let due = delivery.next_attempt_at.unwrap_or(delivery.created_at);
    keys::pending_delivery(team, webhook, due, delivery.id)
}

/// The log of a delivery, and the item with its next attempt if there is one.
fn delivery(
    team: &TeamKey,
    webhook: &str,
    delivery: &WebhookDelivery,
    body: &str,
) -> Result<Vec<Write>, Error> {
    let expires = (delivery.created_at + RETENTION).as_second();
    let key = keys::webhook_delivery(team, webhook, delivery.id);
    let mut writes = vec![Write::put_document(key, delivery)?.expiring(expires)];
    if delivery.status == DeliveryStatus::Pending {
        let waiting = PendingDelivery { delivery: delivery.clone(), body: body.to_owned() };
        let put = Write::put_document(pending(team, webhook, delivery), &waiting)?;
        writes.push(put.expiring(expires));
    }
    Ok(writes)
}

fn put_replay(team: &TeamKey, webhook: &str, progress: &ReplayProgress) -> Result<Write, Error> {
    let expires = (progress.replay.requested_at + REPLAY_RETENTION).as_second();
    let put = Write::put_document(keys::webhook_replay(team, webhook), progress)?;
    Ok(put.expiring(expires))
}

/// The documents of the first rows, at most `limit`.
async fn first_of<T: serde::de::DeserializeOwned>(
    pages: impl futures_util::Stream<Item = Result<Vec<Row>, Error>>,
    limit: usize,
) -> Result<Vec<T>, Error> {
    pin_mut!(pages);
    let mut found = Vec::new();
    while found.len() < limit
        && let Some(rows) = pages.try_next().await?
    {
        for row in rows.into_iter().take(limit - found.len()) {
            found.push(row.read()?);
        }
    }
    Ok(found)
}
