//! Notifications of a team, and the preferences of those who get them.
//!
//! Invariants: a notification is stored once, however often it is sent, and sending it again does not make it unread;
//! the numbers of notifications are exact, because they change in the same transaction; a notification is
//! kept for 90 days after the day of its creation, and is not listed afterwards, even if it is not yet deleted.

use std::collections::{BTreeMap, HashSet};

use access::Environment;
use auth::{Delegation, Email, Owner};
use futures_util::{TryStreamExt, pin_mut};
use jiff::{Span, Timestamp, civil::Date, tz::TimeZone};
use teams::{Notification, NotificationPreferences};
use uuid::Uuid;

use crate::{
    ATTEMPTS, Error, TeamKey, Tenants,
    due::Due,
    keys::{self, Key, Tally},
    pause_after_conflict,
    table::{Read, Write},
};

/// Number of days that notifications are kept after the day of their creation.
const RETENTION_DAYS: i64 = 90;
/// Maximum number of notifications written in one transaction, next to the numbers of their day.
const MAX_TOGETHER: usize = 80;
/// Maximum number of notifications that one request marks as read.
pub const MAX_MARKED: usize = 5_000;
/// Maximum number of notifications that DynamoDB reads at once.
const PAGE: i32 = 500;
/// The attribute that says whether a notification is read.
const IS_READ: &str = "isRead";

/// A part of a team's notifications, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct NotificationPage {
    pub items: Vec<Notification>,
    /// Number of notifications that match, on all pages.
    pub total: u64,
    /// Number of unread notifications.
    pub unread: u64,
}

/// The numbers of notifications of a day.
#[derive(Clone, Copy, Debug, Default)]
struct Numbers {
    all: u64,
    unread: u64,
}

impl Tenants {
    /// Stores notifications of a team, unread, and returns the number of those that were not stored yet. The same
    /// notification must have the same id and time each time it is sent ([`teams::notification_id`]).
    pub async fn notify(
        &self,
        team: &TeamKey,
        notifications: &[Notification],
    ) -> Result<usize, Error> {
        let mut by_day: BTreeMap<Date, Vec<&Notification>> = BTreeMap::new();
        let mut seen = HashSet::new();
        for notification in notifications.iter().filter(|it| seen.insert(it.id)) {
            by_day.entry(day_of(notification.created_at)).or_default().push(notification);
        }
        let mut stored = 0;
        for (day, notifications) in by_day {
            for chunk in notifications.chunks(MAX_TOGETHER) {
                stored += self.notify_together(team, day, chunk.to_vec()).await?;
            }
        }
        Ok(stored)
    }

    /// Stores notifications of one day that fit in one transaction.
    async fn notify_together(
        &self,
        team: &TeamKey,
        day: Date,
        notifications: Vec<&Notification>,
    ) -> Result<usize, Error> {
        let expires = expiry(day).as_second();
        let mut writes = Vec::with_capacity(notifications.len());
        for notification in notifications {
            let unread = Notification { is_read: false, ..notification.clone() };
            let put = Write::put(keys::notification(team, unread.id), &unread)?;
            writes.push(vec![put.if_absent().expiring(expires)]);
        }
        let count = |tally, number: i32| {
            Write::count(keys::number_of_notifications(team, day, tally), number, Some(expires))
        };
        let counts = |number| vec![count(Tally::All, number), count(Tally::Unread, number)];
        Ok(self.table.transact_new(writes, counts).await?.unwrap_or_default())
    }

    /// Notifications of a team, newest first: at most `limit`, after the first `offset`. Consistent.
    pub async fn notifications(
        &self,
        team: &TeamKey,
        only_unread: bool,
        (offset, limit): (usize, usize),
        now: Timestamp,
    ) -> Result<NotificationPage, Error> {
        let numbers = self.numbers_of_notifications(team, now).await?;
        let matching = |it: &Numbers| if only_unread { it.unread } else { it.all };
        let total = numbers.values().map(matching).sum();
        let unread = numbers.values().map(|it| it.unread).sum();
        let (mut items, mut to_skip) = (Vec::new(), offset as u64);
        for (&day, numbers) in numbers.iter().rev() {
            let of_day = matching(numbers);
            if to_skip >= of_day {
                to_skip -= of_day;
                continue;
            }
            let wanted = limit - items.len();
            let found = self.notifications_of(team, day, only_unread, (to_skip, wanted)).await?;
            items.extend(found);
            to_skip = 0;
            if items.len() >= limit {
                break;
            }
        }
        Ok(NotificationPage { items, total, unread })
    }

    /// Notifications of one day, newest first: at most `limit`, after the first `to_skip`.
    async fn notifications_of(
        &self,
        team: &TeamKey,
        day: Date,
        only_unread: bool,
        (mut to_skip, limit): (u64, usize),
    ) -> Result<Vec<Notification>, Error> {
        let from = keys::notifications_from(team, midnight(day));
        let to = keys::notifications_from(team, midnight(days_after(day, 1)));
        // Without a filter, DynamoDB reads no more than is needed.
        let most = usize::try_from(to_skip).unwrap_or(usize::MAX).saturating_add(limit);
        let page = if only_unread { PAGE } else { i32::try_from(most).unwrap_or(PAGE).min(PAGE) };
        let range = (from.sort.as_str(), to.sort.as_str());
        let pages = self.table.query_backwards_consistently(&from.partition, range, page);
        pin_mut!(pages);
        let mut found = Vec::new();
        while let Some(rows) = pages.try_next().await? {
            for row in rows {
                let notification: Notification = row.read()?;
                if only_unread && notification.is_read {
                    continue;
                }
                if to_skip > 0 {
                    to_skip -= 1;
                    continue;
                }
                found.push(notification);
                if found.len() == limit {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    }

    /// The numbers of each day with notifications that are still listed.
    async fn numbers_of_notifications(
        &self,
        team: &TeamKey,
        now: Timestamp,
    ) -> Result<BTreeMap<Date, Numbers>, Error> {
        let first = days_after(day_of(now), -RETENTION_DAYS);
        let from = keys::number_of_notifications(team, first, Tally::All);
        let last = keys::number_of_notifications(team, Date::MAX, Tally::Unread).sort;
        let mut days: BTreeMap<Date, Numbers> = BTreeMap::new();
        for row in self.table.query_between(from, last).await? {
            let Some((day, tally)) = keys::counted_notifications(&row.sort) else { continue };
            let number = row.number("count").unwrap_or_default() as u64;
            let numbers = days.entry(day).or_default();
            match tally {
                Tally::All => numbers.all = number,
                Tally::Unread => numbers.unread = number,
            }
        }
        Ok(days)
    }

    /// Marks notifications as read. Returns the number of those that were unread.
    pub async fn mark_read(&self, team: &TeamKey, ids: &[Uuid]) -> Result<usize, Error> {
        let mut by_day: BTreeMap<Date, Vec<Uuid>> = BTreeMap::new();
        let mut seen = HashSet::new();
        for &id in ids.iter().filter(|it| seen.insert(**it)) {
            // Other ids are of no notification.
            if let Some(day) = time_of(id).map(day_of) {
                by_day.entry(day).or_default().push(id);
            }
        }
        let mut marked = 0;
        for (day, ids) in by_day {
            let expires = expiry(day).as_second();
            for ids in ids.chunks(MAX_TOGETHER) {
                let mark = |it: &Uuid| vec![Write::mark(keys::notification(team, *it), IS_READ)];
                let count = |number: i32| {
                    let key = keys::number_of_notifications(team, day, Tally::Unread);
                    vec![Write::count(key, -number, Some(expires))]
                };
                let new = self.table.transact_new(ids.iter().map(mark).collect(), count).await?;
                marked += new.unwrap_or_default();
            }
        }
        Ok(marked)
    }

    /// Marks the newest unread notifications as read, at most [`MAX_MARKED`]. Returns their number.
    pub async fn mark_all_read(&self, team: &TeamKey, now: Timestamp) -> Result<usize, Error> {
        let unread = self.notifications(team, true, (0, MAX_MARKED), now).await?;
        let ids: Vec<Uuid> = unread.items.into_iter().map(|it| it.id).collect();
        self.mark_read(team, &ids).await
    }

    /// The preferences of an owner; the defaults if none were stored.
    pub async fn notification_preferences(
        &self,
        team: &TeamKey,
        owner: &Owner,
    ) -> Result<NotificationPreferences, Error> {
        let stored = self.table.get(keys::notification_preferences(team, owner)).await?;
        Ok(stored.unwrap_or_else(|| default_preferences(team, owner)))
    }

    /// Ends the mails to an address: those who have set it have no rights in the team any more. Whoever has set another one
    /// meanwhile gets its mails.
    pub async fn end_mails_set_by(
        &self,
        team: &TeamKey,
        owner: &Owner,
        set_by: &Delegation,
        now: Timestamp,
    ) -> Result<(), Error> {
        let end = |it: &mut NotificationPreferences| {
            if it.email_set_by.as_ref() == Some(set_by) {
                it.unsubscribe();
            }
        };
        self.change_notification_preferences(team, owner, now, end).await?;
        Ok(())
    }

    /// The writes that end the mails of a team to an address, whoever has given it: a key or another member.
    pub(crate) async fn without_mails_to(
        &self,
        team: &TeamKey,
        address: &Email,
    ) -> Result<Vec<Write>, Error> {
        let mut writes = Vec::new();
        for row in self.table.query_rows(keys::all_notification_preferences(team)).await? {
            let key = Key { partition: row.partition.clone(), sort: row.sort.clone() };
            let Read { value: mut preferences, revision } =
                row.read_revised::<NotificationPreferences>()?;
            if preferences.email_address.as_ref() == Some(address) {
                preferences.unsubscribe();
                let put = Write::put_document(key, &preferences)?;
                writes.push(put.revise(revision, revision + 1));
            }
        }
        Ok(writes)
    }

    /// Changes the preferences of an owner and returns them, and schedules the digest that they ask for. `change` runs
    /// again if another change was faster.
    pub async fn change_notification_preferences(
        &self,
        team: &TeamKey,
        owner: &Owner,
        now: Timestamp,
        change: impl Fn(&mut NotificationPreferences),
    ) -> Result<NotificationPreferences, Error> {
        let key = keys::notification_preferences(team, owner);
        for conflicts in 0..ATTEMPTS {
            let stored = self.table.get_revised(key.clone()).await?;
            let Read { value: mut preferences, revision } = stored
                .unwrap_or_else(|| Read { value: default_preferences(team, owner), revision: 0 });
            change(&mut preferences);
            preferences.created_at.get_or_insert(now);
            preferences.updated_at = Some(now);
            let put = Write::put_document(key.clone(), &preferences)?;
            let mut writes = vec![put.revise(revision, revision + 1)];
            // A test key sends no mail.
            let digest = preferences.digest().filter(|_| team.environment() == Environment::Live);
            if let Some(schedule) = digest {
                writes.push(Due::digest(team, owner, schedule, now).put()?);
            }
            match self.table.transact(writes).await {
                Err(Error::Changed) => pause_after_conflict(conflicts).await,
                done => return done.map(|()| preferences),
            }
        }
        Err(Error::Changed)
    }
}

pub(crate) fn default_preferences(team: &TeamKey, owner: &Owner) -> NotificationPreferences {
    NotificationPreferences::default_of(team.team(), team.environment(), owner)
}

/// The day in UTC.
fn day_of(time: Timestamp) -> Date {
    TimeZone::UTC.to_datetime(time).date()
}

fn days_after(day: Date, days: i64) -> Date {
    day.saturating_add(Span::new().days(days))
}

fn midnight(day: Date) -> Timestamp {
    domain::changes::midnight(day)
}

/// When the notifications of a day are deleted.
fn expiry(day: Date) -> Timestamp {
    midnight(days_after(day, RETENTION_DAYS + 1))
}

/// The time in a UUIDv7.
fn time_of(id: Uuid) -> Option<Timestamp> {
    let (seconds, _) = id.get_timestamp().filter(|_| id.get_version_num() == 7)?.to_unix();
    Timestamp::from_second(i64::try_from(seconds).ok()?).ok()
}
