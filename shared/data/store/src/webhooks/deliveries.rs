//! The deliveries of webhooks: those that wait for an attempt, and the log.

use std::collections::HashSet;

use futures_util::{TryStreamExt, pin_mut};
use jiff::{SignedDuration, Timestamp};
use teams::{DeliveryStatus, PendingDelivery, WebhookDelivery, WebhookState};
use uuid::Uuid;

use crate::{
    Error, TeamKey, Tenants,
    keys::{self, Key},
    table::{Row, Write},
};

/// How long deliveries are listed, and can be attempted.
const RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Maximum number of deliveries written in one transaction, each with up to two items. Their bodies have at most 64 KB.
const MAX_TOGETHER: usize = 40;

impl Tenants {
    /// Adds deliveries that are due, and returns the number of new ones. A delivery that was added before stays as it is. While those
    /// of the day are used up, only as many are added as may wait; the others are counted.
    pub async fn add_webhook_deliveries(
        &self,
        team: &TeamKey,
        webhook: &str,
        new: &[PendingDelivery],
    ) -> Result<usize, Error> {
        let mut added = 0;
        let mut seen = HashSet::new();
        let mut new: Vec<_> = new.iter().filter(|it| seen.insert(it.delivery.id)).collect();
        let of = (team.clone(), webhook.to_owned());
        let state = self.read_states([of.clone()]).await?.remove(&of).flatten();
        let backlog = state.and_then(|it| it.backlog);
        let mut dropped = Vec::new();
        if let Some(backlog) = &backlog {
            let known = self.known_deliveries(team, webhook, &new).await?;
            new.retain(|it| !known.contains(&it.delivery.id));
            dropped = new.split_off(new.len().min(backlog.room()));
        }
        for together in new.chunks(MAX_TOGETHER) {
            let mut groups = Vec::with_capacity(together.len());
            for new in together {
                let mut writes = delivery(team, webhook, &new.delivery, &new.body)?;
                writes[0] = writes[0].clone().if_absent();
                groups.push(writes);
            }
            added += self.table.transact_new(groups, |_| Vec::new()).await?.unwrap_or_default();
        }
        if backlog.is_some() {
            let left_out = dropped.len();
            let since = dropped.first().map_or(Timestamp::UNIX_EPOCH, |it| it.delivery.created_at);
            let change = |it: &mut WebhookState| it.added_to_backlog(added, left_out, since);
            self.change_webhook_state(team, webhook, change).await?;
        }
        Ok(added)
    }

    /// The ids of those of these deliveries that were added before.
    async fn known_deliveries(
        &self,
        team: &TeamKey,
        webhook: &str,
        deliveries: &[&PendingDelivery],
    ) -> Result<HashSet<Uuid>, Error> {
        let key = |it: &&PendingDelivery| keys::webhook_delivery(team, webhook, it.delivery.id);
        let rows = self.table.get_rows(deliveries.iter().map(key).collect()).await?;
        rows.into_iter().map(|row| Ok(row.read::<WebhookDelivery>()?.id)).collect()
    }

    /// The number of deliveries that wait for an attempt, at most `max`.
    pub async fn number_of_pending_deliveries(
        &self,
        team: &TeamKey,
        webhook: &str,
        max: u32,
    ) -> Result<u32, Error> {
        let Key { partition, sort } = keys::pending_deliveries(team, webhook);
        let range = (sort.as_str(), format!("{sort}~"));
        let page = i32::try_from(max).unwrap_or(i32::MAX);
        let pages = self.table.query_forwards_consistently(&partition, (range.0, &range.1), page);
        pin_mut!(pages);
        let mut number = 0_usize;
        while number < max as usize
            && let Some(rows) = pages.try_next().await?
        {
            number += rows.len();
        }
        Ok(u32::try_from(number).unwrap_or(max).min(max))
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
