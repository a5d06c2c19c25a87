//! What has become of the comparisons of watched companies with the entries of a list that an update has changed.
//!
//! Invariants: a company that could not be compared is marked until it is, with the version before the first update that it
//! missed; the hits of which a team was notified are stored after the notification.

use std::collections::HashMap;

use domain::{Uid, lists::List};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use teams::monitoring::NotifiedHits;

use crate::{Error, TeamKey, Tenants, keys, table::Write};

/// How long it is known of which hits a team was notified. An update that is not finished by then may notify it again.
const NOTIFIED_FOR: SignedDuration = SignedDuration::from_hours(90 * 24);

/// The updates with which a watched company could not be compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MissedUpdates {
    /// The version before the first of them. `None`: it was the first version.
    pub before: Option<String>,
    /// The version of the last of them.
    pub version: String,
}

impl Tenants {
    /// Marks a company that could not be compared after the update from `before` to `version`.
    pub async fn mark_missed_update(
        &self,
        list: List,
        uid: Uid,
        missed: &MissedUpdates,
    ) -> Result<(), Error> {
        let mark = |it: &mut Option<MissedUpdates>| match it {
            Some(known) if known.version >= missed.version => {}
            Some(known) => known.version.clone_from(&missed.version),
            None => *it = Some(missed.clone()),
        };
        self.table.update(keys::missed_updates(list, uid), mark).await.map(drop)
    }

    /// The companies that could not be compared with a list. Consistent.
    pub async fn missed_updates(&self, list: List) -> Result<HashMap<Uid, MissedUpdates>, Error> {
        let rows = self.table.query_rows(keys::all_missed_updates(list)).await?.into_iter();
        let companies = rows.filter_map(|row| {
            let uid = row.sort.parse().ok()?;
            Some(row.read().map(|missed| (uid, missed)))
        });
        companies.collect()
    }

    /// The updates with which a company could not be compared. Consistent.
    pub async fn missed_updates_of(
        &self,
        list: List,
        uid: Uid,
    ) -> Result<Option<MissedUpdates>, Error> {
        self.table.get(keys::missed_updates(list, uid)).await
    }

    /// Removes the mark of a company that was compared after the update to `version`. The mark of a later update stays.
    pub async fn unmark_missed_updates(
        &self,
        list: List,
        uid: Uid,
        version: &str,
    ) -> Result<(), Error> {
        let key = keys::missed_updates(list, uid);
        let Some(read) = self.table.get_revised::<MissedUpdates>(key.clone()).await? else {
            return Ok(());
        };
        if read.value.version.as_str() > version {
            return Ok(());
        }
        match self.table.transact(vec![Write::delete(key).if_revision(read.revision)]).await {
            // Another update was missed meanwhile, or the mark was removed.
            Err(Error::Changed) => Ok(()),
            done => done,
        }
    }

    /// The hits of a subject, which is the company or an officer, of which a team that watches the company was notified.
    /// Consistent.
    pub async fn notified_hits(
        &self,
        team: &TeamKey,
        list: List,
        company: Uid,
        subject: &str,
    ) -> Result<NotifiedHits, Error> {
        let notified = self.table.get(keys::notified_hits(team, list, company, subject)).await?;
        Ok(notified.unwrap_or_default())
    }

    /// Stores of which hits a team was notified.
    pub async fn put_notified_hits(
        &self,
        team: &TeamKey,
        list: List,
        (company, subject): (Uid, &str),
        notified: &NotifiedHits,
        now: Timestamp,
    ) -> Result<(), Error> {
        let key = keys::notified_hits(team, list, company, subject);
        self.table.put_expiring(key, notified, (now + NOTIFIED_FOR).as_second()).await
    }
}
