//! What teams have subscribed to. Only the function `payments` writes it.

use access::Tier;
use auth::TeamId;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use teams::{Audited, Subscriptions};

use crate::{
    Error, TeamKey, Tenants, audit, keys,
    table::{Read, Write},
};

/// How long it is remembered that an event is done. The payment provider repeats events for three days.
const EVENT_RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Subscriptions as read, with the revision that a change of them is conditional on.
#[derive(Clone, Debug, Default)]
pub struct ReadSubscriptions {
    pub value: Subscriptions,
    revision: usize,
}

impl ReadSubscriptions {
    /// How often the subscriptions were changed.
    pub fn changes(&self) -> usize {
        self.revision
    }
}

/// An event of the payment provider that changes a team's subscriptions.
#[derive(Clone, Debug)]
pub struct PaymentEvent {
    pub id: String,
    pub at: Timestamp,
}

/// An event that is done.
#[derive(Serialize, Deserialize)]
struct Done {
    at: Timestamp,
}

impl Tenants {
    /// The subscriptions of a team.
    pub async fn subscriptions(&self, team: &TeamId) -> Result<Subscriptions, Error> {
        let stored: Option<Subscriptions> = self.table.get(keys::subscriptions(team)).await?;
        Ok(stored.unwrap_or_default())
    }

    /// The subscriptions of a team, for changing them.
    pub async fn read_subscriptions(&self, team: &TeamId) -> Result<ReadSubscriptions, Error> {
        let read = self.table.get_revised(keys::subscriptions(team)).await?;
        let Read { value, revision } = read.unwrap_or_default();
        Ok(ReadSubscriptions { value, revision })
    }

    /// Stores the customer of a team. [`Error::Changed`]: the subscriptions were changed since they were read.
    pub async fn put_customer(
        &self,
        team: &TeamId,
        read: &ReadSubscriptions,
        customer: &str,
    ) -> Result<(), Error> {
        let new = Subscriptions { customer: Some(customer.to_owned()), ..read.value.clone() };
        self.table.transact(vec![replacement(team, read, &new)?]).await
    }

    /// Whether this event is done.
    pub async fn is_payment_event_done(&self, id: &str) -> Result<bool, Error> {
        Ok(self.table.get::<Done>(keys::payment_event(id)).await?.is_some())
    }

    /// Replaces the subscriptions of a team, and marks the event as done, if one has reported the change. If the tier of the team
    /// changes and it is or was Enterprise, also adds the entry to the audit log of the team. All or nothing.
    ///
    /// [`Error::Changed`]: the subscriptions were changed since they were read, or the event is done.
    pub async fn put_subscriptions(
        &self,
        team: &TeamId,
        read: &ReadSubscriptions,
        new: &Subscriptions,
        audited: &Audited,
        event: Option<&PaymentEvent>,
    ) -> Result<(), Error> {
        let by_operator = self.tier_by_operator(team).await?;
        let tiers = [&read.value, new].map(|it| it.reported_tier().max(by_operator));
        let mut writes = vec![replacement(team, read, new)?];
        if let Some(event) = event {
            writes.push(done(event)?);
        }
        if tiers[0] != tiers[1] && tiers.contains(&Tier::Enterprise) {
            let key = TeamKey::of_user(team);
            writes.extend(audit::creation(&key, audited)?);
        }
        self.table.transact(writes).await
    }
}

fn replacement(
    team: &TeamId,
    read: &ReadSubscriptions,
    new: &Subscriptions,
) -> Result<Write, Error> {
    let put = Write::put_document(keys::subscriptions(team), new)?;
    Ok(put.revise(read.revision, read.revision + 1))
}

fn done(event: &PaymentEvent) -> Result<Write, Error> {
    let put = Write::put_document(keys::payment_event(&event.id), &Done { at: event.at })?;
    Ok(put.if_absent().expiring((event.at + EVENT_RETENTION).as_second()))
}
