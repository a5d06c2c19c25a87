//! The audit log of a team.
//!
//! Invariant: entries and outcomes are only added. No operation here changes or deletes one, and the functions' roles only
//! permit to put items; an item that exists is not replaced.

use access::Tier;
use auth::{Member, Session};
use futures_util::{TryStreamExt, pin_mut};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use teams::{AUDIT_RETENTION, AuditActor, AuditEntry, AuditFilter, AuditOutcome, Audited};

use crate::{
    Error, TeamKey, Tenants,
    keys::{self, Key},
    table::Write,
};

/// Maximum number of entries that a request searches.
pub const MAX_SEARCHED: usize = 10_000;
/// Maximum number of items that are read together: an entry and its outcome are two.
const PAGE: usize = 1_000;

/// How far the clocks of two processes may differ.
const CLOCK_DIFFERENCE: SignedDuration = SignedDuration::from_mins(1);

/// An entry with its outcome. `None`: the outcome could not be stored, or the operation is still running.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    pub entry: AuditEntry,
    pub outcome: Option<AuditOutcome>,
}

/// A part of the audit log, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditPage {
    pub items: Vec<Recorded>,
    /// Whether there are more entries that match.
    pub has_more: bool,
    /// Time of the oldest entry that was searched, if there are too many to search all.
    pub searched_to: Option<Timestamp>,
}

/// An entry whose operation has not happened yet.
pub(crate) struct Announced {
    team: TeamKey,
    audited: Audited,
}

/// When an item is deleted.
fn expiry(entry: &AuditEntry) -> i64 {
    (entry.created_at + AUDIT_RETENTION).as_second()
}

/// The writes of a new entry with its outcome, for a transaction.
pub(crate) fn creation(team: &TeamKey, audited: &Audited) -> Result<[Write; 2], Error> {
    let Audited { entry, outcome } = audited;
    let writes = [
        Write::put_document(keys::audit_entry(team, entry.id), entry)?,
        Write::put_document(keys::audit_outcome(team, entry.id), outcome)?,
    ];
    Ok(writes.map(|it| it.if_absent().expiring(expiry(entry))))
}

impl Tenants {
    /// Adds an entry, before its operation runs.
    pub async fn record(&self, team: &TeamKey, entry: &AuditEntry) -> Result<(), Error> {
        self.add(keys::audit_entry(team, entry.id), entry, entry).await
    }

    /// Adds the outcome of an operation.
    pub async fn record_outcome(
        &self,
        team: &TeamKey,
        entry: &AuditEntry,
        outcome: AuditOutcome,
    ) -> Result<(), Error> {
        self.add(keys::audit_outcome(team, entry.id), &outcome, entry).await
    }

    /// Adds the entry about a user who starts to act for a team (signs in, joins it, or switches to it), before that happens.
    /// `None`: the tier of the team includes no audit log. `entry` makes the entry of an actor.
    ///
    /// Not in the transaction of the change, which also deletes items: no function may delete what is in the partition of
    /// the log, and a role's permission counts for all partitions of a transaction.
    pub(crate) async fn announce(
        &self,
        member: &Member,
        entry: impl Fn(AuditActor) -> Audited,
        now: Timestamp,
    ) -> Result<Option<Announced>, Error> {
        if self.tier(&member.team, now).await? < Tier::Enterprise {
            return Ok(None);
        }
        let audited = entry(AuditActor::user(&member.user, member.role));
        let team = TeamKey::of_user(&member.team);
        self.record(&team, &audited.entry).await?;
        Ok(Some(Announced { team, audited }))
    }

    /// Adds the outcome of what was announced, after it has happened. If that fails, the entry remains without an outcome.
    pub(crate) async fn record_outcome_of(&self, announced: Option<Announced>) {
        let Some(Announced { team, audited: Audited { entry, outcome } }) = announced else {
            return;
        };
        if let Err(failure) = self.record_outcome(&team, &entry, outcome).await {
            tracing::error!(
                metric = "AuditFailure",
                failure = errors::chain(&failure),
                audit_request = entry.request_id,
                action = entry.action,
                "the audit log could not be written"
            );
        }
    }

    /// Adds the entry about a user who has signed in, after it has happened: only then is it known who it is, if several requests
    /// create the same user. Nobody has got the token of the session yet. If the entry cannot be stored, the session ends.
    pub(crate) async fn record_sign_in(
        &self,
        session: &Session,
        member: &Member,
        entry: impl Fn(AuditActor) -> Audited,
    ) -> Result<(), Error> {
        match self.announce(member, entry, session.created_at).await {
            Ok(announced) => {
                self.record_outcome_of(announced).await;
                Ok(())
            }
            Err(failure) => {
                self.end_session(&session.id).await?;
                Err(failure)
            }
        }
    }

    async fn add<T: Serialize>(&self, key: Key, item: &T, entry: &AuditEntry) -> Result<(), Error> {
        self.table.put_new(key, item, expiry(entry)).await
    }

    /// Entries of a team that match, newest first: at most `limit`, after the first `offset`. Consistent. Searches at most
    /// [`MAX_SEARCHED`] entries.
    pub async fn audit_log(
        &self,
        team: &TeamKey,
        filter: &AuditFilter,
        (offset, limit): (usize, usize),
        now: Timestamp,
    ) -> Result<AuditPage, Error> {
        let kept = now - AUDIT_RETENTION;
        let from = keys::audit_from(team, filter.since.map_or(kept, |it| it.max(kept)));
        let latest = now + CLOCK_DIFFERENCE;
        let until = filter.until.map_or(latest, |it| it.min(latest));
        let to = keys::audit_from(team, until + SignedDuration::from_millis(1));
        let mut page = AuditPage { items: Vec::new(), has_more: false, searched_to: None };
        if from.sort >= to.sort {
            return Ok(page);
        }
        // Two items for each entry, and one more entry, which shows that there are more.
        let wanted = (2 * (offset + limit + 1)).min(PAGE);
        let range = (from.sort.as_str(), to.sort.as_str());
        let size = i32::try_from(wanted).unwrap_or(i32::MAX);
        let pages = self.table.query_backwards_consistently(&from.partition, range, size);
        pin_mut!(pages);
        let (mut outcome, mut searched, mut skipped) = (None, 0, 0);
        while let Some(rows) = pages.try_next().await? {
            for row in rows {
                // An outcome comes directly before its entry.
                if keys::is_audit_outcome(&row.sort) {
                    outcome = Some(row.read::<AuditOutcome>()?);
                    continue;
                }
                let (entry, outcome) = (row.read::<AuditEntry>()?, outcome.take());
                searched += 1;
                let is_wanted = filter.matches(&entry);
                if is_wanted && page.items.len() == limit {
                    page.has_more = true;
                    return Ok(page);
                }
                if searched == MAX_SEARCHED {
                    page.searched_to = Some(entry.created_at);
                }
                if is_wanted && skipped < offset {
                    skipped += 1;
                } else if is_wanted {
                    page.items.push(Recorded { entry, outcome });
                }
                if page.searched_to.is_some() {
                    return Ok(page);
                }
            }
        }
        Ok(page)
    }
}
