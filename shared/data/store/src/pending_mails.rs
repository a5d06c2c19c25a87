//! Notifications that are to be sent by e-mail.
//!
//! Invariants: a notification waits once for each owner, however often it is queued, and not again after it was sent; it
//! waits until it is sent, or 30 days; a digest knows the period of the last one that was sent.

use auth::Owner;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use teams::{Addressed, PendingMail};
use uuid::Uuid;

use crate::{Error, TeamKey, Tenants, keys, table::Write};

/// How long a mail may wait, for example while mails cannot be sent.
const RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Maximum number of mails queued in one transaction, each with its mark.
const MAX_TOGETHER: usize = 40;

/// Says that a mail was queued. It stays after the mail was sent.
#[derive(Serialize)]
struct Queued {}

/// The last digest of an owner.
#[derive(Serialize, Deserialize)]
struct LastDigest {
    period: Timestamp,
}

impl Tenants {
    /// Queues mails for the owners to whom they are addressed. Mails that were queued before are left out.
    pub async fn queue_mails(&self, team: &TeamKey, mails: &[Addressed]) -> Result<(), Error> {
        let mut groups = Vec::new();
        for Addressed { mail, to } in mails {
            let expires = (mail.created_at + RETENTION).as_second();
            for owner in to {
                let mark = keys::queued_mail(team, owner, mail.notification);
                let mark = Write::put(mark, &Queued {})?.if_absent().expiring(expires);
                let key = keys::pending_mail(team, owner, mail.notification);
                groups.push(vec![mark, Write::put_document(key, mail)?.expiring(expires)]);
            }
        }
        for groups in groups.chunks(MAX_TOGETHER) {
            self.table.transact_new(groups.to_vec(), |_| Vec::new()).await?;
        }
        Ok(())
    }

    /// The mails that wait for an owner, oldest first. Consistent.
    pub async fn pending_mails(
        &self,
        team: &TeamKey,
        owner: &Owner,
    ) -> Result<Vec<PendingMail>, Error> {
        self.table.query(keys::pending_mails(team, owner)).await
    }

    /// After mails were sent, or are no longer wanted.
    pub async fn delete_pending_mails(
        &self,
        team: &TeamKey,
        owner: &Owner,
        notifications: impl IntoIterator<Item = Uuid>,
    ) -> Result<(), Error> {
        let key = |it| keys::pending_mail(team, owner, it);
        self.table.delete_all(notifications.into_iter().map(key).collect()).await
    }

    /// The period of the last digest that was sent to an owner.
    pub async fn last_digest(
        &self,
        team: &TeamKey,
        owner: &Owner,
    ) -> Result<Option<Timestamp>, Error> {
        let last: Option<LastDigest> = self.table.get(keys::last_digest(team, owner)).await?;
        Ok(last.map(|it| it.period))
    }

    /// After the digest of a period was sent.
    pub async fn put_last_digest(
        &self,
        team: &TeamKey,
        owner: &Owner,
        period: Timestamp,
    ) -> Result<(), Error> {
        self.table.put(keys::last_digest(team, owner), &LastDigest { period }).await
    }
}
