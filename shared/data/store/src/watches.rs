//! Watches, watchlists, and what the delivery of notifications reads of them.
//!
//! Invariants: a watch and its copies appear and disappear together; a company in a watchlist that no longer
//! exists notifies nobody; the number of companies in the watchlists of a team is exact and bounded, under any
//! concurrency; the cursor of the delivery never moves back.

use std::collections::{BTreeMap, HashMap, HashSet};

use access::{TeamLimits, Tier};
use auth::{Owner, Principal};
use domain::Uid;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use teams::{
    NotificationPreferences, Watch, Watcher, Watchlist, WatchlistEntry, WatchlistSummary,
    watch::{Added, WatchingTeam},
};

use crate::{
    ATTEMPTS, Error, Refused, TeamKey, Tenants,
    companies::readable,
    keys::{self, Key, WatchedBy},
    kind::Kind,
    notifications::default_preferences,
    pause_after_conflict,
    resources::{Copy, Limit, LimitedByTier, Resource, deletion, path_within},
    table::{Read, Write},
};

/// Maximum number of watchlists of a team.
const MAX_WATCHLISTS: u32 = 100;
/// Maximum number of companies of a watchlist.
pub const MAX_LISTED_COMPANIES: u32 = 5_000;
// An Enterprise team can fill all its watchlists.
const _: () = assert!(
    TeamLimits::of(Tier::Enterprise).listed_companies >= MAX_WATCHLISTS * MAX_LISTED_COMPANIES
);
/// Maximum number of companies added in one transaction, each with its two copies.
const MAX_TOGETHER: usize = 30;
/// Number of partitions of the copies of all watches.
pub const WATCH_SHARDS: u32 = keys::WATCH_SHARDS;

/// Companies that teams watch, in the order in which they are stored.
#[derive(Debug)]
pub struct WatchedPart {
    /// Each once. A company whose watches two parts contain is in both.
    pub companies: Vec<Uid>,
    /// Where the next part of the shard starts. `None`: this is the last one.
    pub next: Option<String>,
}

/// The teams that watch some companies.
pub type WatchingTeams = HashMap<TeamKey, WatchingTeam>;

impl Resource for Watch {
    const KIND: Kind = Kind::Watch;

    fn path(&self) -> String {
        self.company_uid.to_string()
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit::by_tier::<Self>()]
    }

    fn copies(&self, team: &TeamKey) -> Vec<Copy> {
        let keys = [keys::watched, keys::watched_of_all];
        keys.map(|it| Copy { key: it(self.company_uid, team, None), is_unique: false }).into()
    }
}

impl LimitedByTier for Watch {
    fn max(limits: &TeamLimits) -> u32 {
        limits.watches
    }
}

impl Resource for Watchlist {
    const KIND: Kind = Kind::Watchlist;

    fn path(&self) -> String {
        self.id.clone()
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit::of_team(MAX_WATCHLISTS)]
    }

    fn copies(&self, team: &TeamKey) -> Vec<Copy> {
        let name = keys::watchlist_name(team, &self.folded_name());
        let for_delivery = keys::watchlist_for_delivery(team, &self.id);
        vec![Copy { key: name, is_unique: true }, Copy { key: for_delivery, is_unique: false }]
    }
}

impl Resource for WatchlistEntry {
    const KIND: Kind = Kind::WatchlistEntry;

    fn path(&self) -> String {
        path_within(&self.watchlist_id, &self.company_uid.to_string())
    }

    fn limits(&self) -> Vec<Limit> {
        let of_team = Limit::by_tier::<Self>();
        vec![Limit::within(&self.watchlist_id, MAX_LISTED_COMPANIES), of_team]
    }

    fn copies(&self, team: &TeamKey) -> Vec<Copy> {
        let keys = [keys::watched, keys::watched_of_all];
        let key = |it: fn(Uid, &TeamKey, Option<&str>) -> Key| {
            it(self.company_uid, team, Some(&self.watchlist_id))
        };
        keys.map(|it| Copy { key: key(it), is_unique: false }).into()
    }
}

impl LimitedByTier for WatchlistEntry {
    fn max(limits: &TeamLimits) -> u32 {
        limits.listed_companies
    }
}

/// The copy of a watch, or of a company in a watchlist.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Watched {
    created_by: Principal,
    after_sequence: u64,
    /// `None`: the copy of a webhook.
    company_uid: Option<Uid>,
    added_at: Option<Timestamp>,
}

/// The progress of the delivery.
#[derive(Serialize, Deserialize)]
struct Cursor {
    /// Sequence number of the last event of the feed whose notifications are stored.
    sequence: u64,
}

/// The write that gives a watchlist its next revision. Its condition holds unless somebody has deleted the watchlist, or added or
/// removed companies, since it was read.
fn next_revision(team: &TeamKey, list: &Read<Watchlist>) -> Result<Write, Error> {
    let key = keys::resource(team, Kind::Watchlist, &list.value.path());
    Ok(Write::put_document(key, &list.value)?.revise(list.revision, list.revision + 1))
}

impl Tenants {
    /// The watchlists of a team of this tier with their numbers of companies, oldest first.
    pub async fn watchlists(
        &self,
        team: &TeamKey,
        tier: Tier,
    ) -> Result<Vec<WatchlistSummary>, Error> {
        let watchlists: Vec<Watchlist> = self.resources(team, "").await?;
        let counts = self.numbers_in_watchlists(team).await?;
        let counts: BTreeMap<String, u32> = counts.into_iter().collect();
        let mut left = TeamLimits::of(tier).listed_companies;
        let summary = |watchlist: Watchlist| {
            let company_count = counts.get(&watchlist.id).copied().unwrap_or_default();
            let paused = company_count.saturating_sub(left);
            left = left.saturating_sub(company_count);
            let paused_company_count = (paused > 0).then_some(paused);
            WatchlistSummary { watchlist, company_count, paused_company_count }
        };
        Ok(watchlists.into_iter().map(summary).collect())
    }

    /// Number of companies in all watchlists of a team. Consistent.
    pub async fn number_of_listed(&self, team: &TeamKey) -> Result<usize, Error> {
        self.number_in(team, "").await
    }

    /// Number of companies in a watchlist. With an empty id: in all watchlists of the team.
    async fn number_in(&self, team: &TeamKey, watchlist: &str) -> Result<usize, Error> {
        let key = keys::number_of(team, Kind::WatchlistEntry, watchlist);
        let row = self.table.get_row(key).await?;
        Ok(row.and_then(|it| it.number("count")).unwrap_or_default())
    }

    /// Adds companies to a watchlist of a team of this tier, and returns the number of those that it did not contain. Different
    /// companies only. If a limit is reached, companies may have been added. [`Error::Changed`]: the watchlist does not exist, or
    /// others change it all the time.
    pub async fn add_to_watchlist(
        &self,
        team: &TeamKey,
        tier: Tier,
        watchlist: &str,
        entries: &[WatchlistEntry],
    ) -> Result<usize, Refused> {
        let mut added = 0;
        for entries in entries.chunks(MAX_TOGETHER) {
            let mut groups = Vec::with_capacity(entries.len());
            for entry in entries {
                let key = keys::resource(team, Kind::WatchlistEntry, &entry.path());
                // At the revision of a resource that was created by itself.
                let mut group = vec![Write::put_document(key, entry)?.revise(0, 1)];
                for copy in entry.copies(team) {
                    group.push(Write::put_document(copy.key, entry)?);
                }
                groups.push(group);
            }
            added += self.add_together(team, tier, watchlist, &groups).await?;
        }
        Ok(added)
    }

    /// Adds companies to a watchlist in one transaction. Each group of writes adds one.
    async fn add_together(
        &self,
        team: &TeamKey,
        tier: Tier,
        watchlist: &str,
        groups: &[Vec<Write>],
    ) -> Result<usize, Refused> {
        let number_of = |container| keys::number_of(team, Kind::WatchlistEntry, container);
        let (of_list, of_team) = (number_of(watchlist), number_of(""));
        let max = TeamLimits::of(tier).listed_companies;
        let mut tried = None;
        for attempt in 0..ATTEMPTS {
            let read = self.read_resource::<Watchlist>(team, watchlist).await?;
            let Some(list) = read else { return Err(Error::Changed.into()) };
            if tried == Some(list.revision) {
                // The watchlist has not changed since the last attempt, so that a limit was reached: the smaller one, as
                // full watchlists of an Enterprise team do not reach its own limit.
                let (kind, max) = (Kind::WatchlistEntry, max.min(MAX_LISTED_COMPANIES));
                return Err(Refused::LimitReached { kind, max });
            }
            tried = Some(list.revision);
            let next = next_revision(team, &list)?;
            let counts = |number| {
                let of_list = Write::count_within(of_list.clone(), number, MAX_LISTED_COMPANIES);
                let of_team = Write::count_within(of_team.clone(), number, max);
                vec![next.clone(), of_list, of_team]
            };
            if let Some(new) = self.table.transact_new(groups.to_vec(), counts).await? {
                return Ok(new);
            }
            pause_after_conflict(attempt).await;
        }
        Err(Error::Changed.into())
    }

    /// Removes a company from a watchlist. `false`: the watchlist does not exist or does not contain it.
    pub async fn remove_from_watchlist(
        &self,
        team: &TeamKey,
        watchlist: &str,
        company: Uid,
    ) -> Result<bool, Error> {
        let path = path_within(watchlist, &company.to_string());
        for attempt in 0..ATTEMPTS {
            let list = self.read_resource::<Watchlist>(team, watchlist).await?;
            let entry = self.read_resource::<WatchlistEntry>(team, &path).await?;
            let (Some(list), Some(entry)) = (list, entry) else { return Ok(false) };
            let mut writes = deletion(team, &entry);
            writes.push(next_revision(team, &list)?);
            match self.table.try_transact(writes).await {
                Ok(failed) if failed.is_empty() => return Ok(true),
                Ok(_) | Err(Error::Changed) => pause_after_conflict(attempt).await,
                Err(failure) => return Err(failure),
            }
        }
        Err(Error::Changed)
    }

    /// Deletes a watchlist and its companies. `false`: it does not exist.
    ///
    /// The watchlist is deleted first, together with the numbers of its companies. Companies that remain after an interruption
    /// notify nobody, and another attempt deletes them.
    pub async fn delete_watchlist(&self, team: &TeamKey, id: &str) -> Result<bool, Error> {
        for attempt in 0..ATTEMPTS {
            let read = self.read_resource::<Watchlist>(team, id).await?;
            let Some(list) = read else {
                // An earlier attempt may have been interrupted.
                self.delete_contents::<WatchlistEntry>(team, id).await?;
                return Ok(false);
            };
            // Read after the watchlist: when a company is added or removed, the watchlist gets a new revision, at which it is
            // not deleted here.
            let number = self.number_in(team, id).await?;
            let mut writes = deletion(team, &list);
            writes.push(Write::delete(keys::number_of(team, Kind::WatchlistEntry, id)));
            let number = i32::try_from(number).unwrap_or(i32::MAX);
            let of_team = keys::number_of(team, Kind::WatchlistEntry, "");
            writes.push(Write::count(of_team, -number, None));
            match self.table.try_transact(writes).await {
                Ok(failed) if failed.is_empty() => {
                    self.delete_contents::<WatchlistEntry>(team, id).await?;
                    return Ok(true);
                }
                Ok(_) | Err(Error::Changed) => pause_after_conflict(attempt).await,
                Err(failure) => return Err(failure),
            }
        }
        Err(Error::Changed)
    }

    /// Who watches a company, of all teams. Consistent. One request, unless there are thousands.
    pub async fn watchers(&self, company: Uid) -> Result<Vec<Watcher>, Error> {
        self.read_watchers(keys::watchers(company)).await
    }

    /// The companies of a shard, below [`WATCH_SHARDS`], that any team watches: those of at most `limit` watches, after the key
    /// `after`. Consistent.
    pub async fn watched_companies(
        &self,
        shard: u32,
        after: Option<&str>,
        limit: usize,
    ) -> Result<WatchedPart, Error> {
        let (rows, next) = self.rows_of_shard(&keys::all_watched(shard), after, limit).await?;
        let mut companies: Vec<Uid> =
            rows.iter().filter_map(|it| keys::watched_company(&it.sort)).collect();
        companies.dedup();
        Ok(WatchedPart { companies, next })
    }

    /// As [`Tenants::watchers`], of one team.
    pub async fn watchers_of_team(
        &self,
        company: Uid,
        team: &TeamKey,
    ) -> Result<Vec<Watcher>, Error> {
        self.read_watchers(keys::watchers_of_team(company, team)).await
    }

    async fn read_watchers(&self, prefix: Key) -> Result<Vec<Watcher>, Error> {
        let mut watchers = Vec::new();
        for row in self.table.query_rows(prefix).await? {
            let Some((team, by)) = keys::watcher(&row.sort) else { continue };
            let (watchlist, webhook) = match by {
                WatchedBy::Watch => (None, None),
                WatchedBy::Watchlist(id) => (Some(id), None),
                WatchedBy::Webhook(id) => (None, Some(id)),
            };
            let Some(watched) = readable(row).transpose()? else { continue };
            let Watched { created_by, after_sequence, company_uid, added_at } = watched;
            let added = company_uid.zip(added_at).map(|(company, at)| Added { at, company });
            watchers.push(Watcher {
                team: team.team().clone(),
                environment: team.environment(),
                watchlist,
                webhook,
                added,
                created_by,
                after_sequence,
            });
        }
        Ok(watchers)
    }

    /// What the rules of notifications need to know of the teams of these watchers. Consistent.
    ///
    /// If the preferences of an owner cannot be decoded, which is logged, the defaults apply.
    pub async fn watching_teams(
        &self,
        watchers: &[Watcher],
        now: Timestamp,
    ) -> Result<WatchingTeams, Error> {
        let mut owners: HashMap<Key, (TeamKey, Owner)> = HashMap::new();
        let mut watchlists: HashMap<Key, (TeamKey, String)> = HashMap::new();
        for watcher in watchers {
            let (team, owner) = (TeamKey::of_watcher(watcher), watcher.created_by.owner());
            if let Some(id) = &watcher.watchlist {
                let key = keys::watchlist_for_delivery(&team, id);
                watchlists.insert(key, (team.clone(), id.clone()));
            }
            owners.insert(keys::notification_preferences(&team, &owner), (team, owner));
        }
        let wanted: HashSet<Key> = owners.keys().chain(watchlists.keys()).cloned().collect();
        let mut teams = WatchingTeams::new();
        for row in self.table.get_rows(wanted.into_iter().collect()).await? {
            let key = Key { partition: row.partition.clone(), sort: row.sort.clone() };
            if let Some((team, id)) = watchlists.remove(&key) {
                teams.entry(team).or_default().watchlists.insert(id);
                continue;
            }
            // With the defaults, the owner gets a notification of every change, but no e-mail. A notification too many does less
            // harm than a missing one, which no later job would create.
            let Some(preferences) = readable::<NotificationPreferences>(row).transpose()? else {
                continue;
            };
            if let Some((team, owner)) = owners.remove(&key) {
                teams.entry(team).or_default().preferences.insert(owner, preferences);
            }
        }
        for (team, owner) in owners.into_values() {
            let preferences = default_preferences(&team, &owner);
            teams.entry(team).or_default().preferences.insert(owner, preferences);
        }
        let watching = watchers.iter().filter(|it| it.webhook.is_none()).map(TeamKey::of_watcher);
        let within = self.watches_within_present_tiers(watching.collect(), now).await?;
        for (team, (tier, within_tier)) in within {
            let known = teams.entry(team).or_default();
            (known.tier, known.within_tier) = (tier, within_tier);
        }
        Ok(teams)
    }

    /// Sequence number of the last event of the feed whose notifications are stored; 0 at first.
    pub async fn delivered_through(&self) -> Result<u64, Error> {
        let cursor: Option<Cursor> = self.table.get(keys::delivery_cursor()).await?;
        Ok(cursor.map_or(0, |it| it.sequence))
    }

    /// Moves the cursor of the delivery forward. `false`: it is no longer at `from`, because another worker has moved
    /// it.
    pub async fn advance_delivery(&self, from: u64, to: u64) -> Result<bool, Error> {
        if to <= from {
            return Ok(to == from);
        }
        // The sequence number serves as revision.
        let revision = |it| usize::try_from(it).unwrap_or(usize::MAX);
        let put = Write::put_document(keys::delivery_cursor(), &Cursor { sequence: to })?;
        match self.table.transact(vec![put.revise(revision(from), revision(to))]).await {
            Ok(()) => Ok(true),
            Err(Error::Changed) => Ok(false),
            Err(failure) => Err(failure),
        }
    }
}
