//! What a team keeps within the limits of its present tier: the oldest of each kind. What exceeds them pauses.
//!
//! Invariant: nothing of this is stored. It follows from the present tier and from what the team keeps, whenever it is read, so that
//! no change of the tier has to be carried out, and none can be missed.

use std::collections::{HashMap, HashSet};

use access::{TeamLimits, Tier};
use auth::TeamId;
use futures_util::{TryStreamExt, future::try_join, pin_mut};
use jiff::Timestamp;
use teams::{
    PausedReason, Subscriptions, Watch, WatchlistEntry,
    watch::{Added, ListWithinTier, WatchesWithinTier},
};

use crate::{
    Error, TeamKey, Tenants,
    companies::readable,
    keys::{self, Key},
    kind::Kind,
    resources::{LimitedByTier, path_within},
    teams::{TierByOperator, tier},
};

/// A resource whose path begins with its id. Ids sort by time.
pub trait SortedByAge: LimitedByTier {}

/// The resources of a kind within the limit: those up to a path. The default: all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WithinTier {
    /// The newest one within the limit. `None`: all are.
    newest: Option<String>,
}

impl WithinTier {
    /// Whether the resource with this path is within the limit.
    pub fn includes(&self, path: &str) -> bool {
        self.newest.as_deref().is_none_or(|newest| path <= newest)
    }

    /// Why the resource with this path pauses. `None`: it does not.
    pub fn paused_reason(&self, path: &str) -> Option<PausedReason> {
        (!self.includes(path)).then_some(PausedReason::Tier)
    }
}

/// The present tiers of teams, and how much they keep.
struct Present {
    tiers: HashMap<TeamId, Tier>,
    numbers: HashMap<Key, u32>,
}

impl Present {
    fn tier(&self, team: &TeamKey) -> Tier {
        self.tiers.get(team.team()).copied().unwrap_or(Tier::Free)
    }

    /// The maximum number of a kind, if the team has more.
    fn exceeded<T: LimitedByTier>(&self, team: &TeamKey) -> Option<u32> {
        let max = T::max(&TeamLimits::of(self.tier(team)));
        let number = self.numbers.get(&keys::number_of(team, T::KIND, ""));
        number.is_some_and(|it| *it > max).then_some(max)
    }
}

impl Tenants {
    /// What of a kind is within the limit of a team of this tier. Consistent. One request, unless the limit is exceeded.
    pub async fn within_tier<T: SortedByAge>(
        &self,
        team: &TeamKey,
        tier: Tier,
    ) -> Result<WithinTier, Error> {
        let max = T::max(&TeamLimits::of(tier));
        let number = self.table.get_row(keys::number_of(team, T::KIND, "")).await?;
        match number.and_then(|it| it.number("count")) {
            Some(number) if number > max as usize => self.up_to::<T>(team, max).await,
            _ => Ok(WithinTier::default()),
        }
    }

    /// What of a kind is within the limits of the present tiers of these teams. Consistent.
    pub async fn within_present_tiers<T: SortedByAge>(
        &self,
        teams: impl IntoIterator<Item = TeamKey>,
        now: Timestamp,
    ) -> Result<HashMap<TeamKey, WithinTier>, Error> {
        let teams: HashSet<TeamKey> = teams.into_iter().collect();
        let present = self.present(&teams, &[T::KIND], now).await?;
        let mut within = HashMap::with_capacity(teams.len());
        for team in teams {
            let of_team = match present.exceeded::<T>(&team) {
                Some(max) => self.up_to::<T>(&team, max).await?,
                None => WithinTier::default(),
            };
            within.insert(team, of_team);
        }
        Ok(within)
    }

    /// As [`Self::within_present_tiers`], of one team.
    pub async fn within_present_tier<T: SortedByAge>(
        &self,
        team: &TeamKey,
        now: Timestamp,
    ) -> Result<WithinTier, Error> {
        let mut within = self.within_present_tiers::<T>([team.clone()], now).await?;
        Ok(within.remove(team).unwrap_or_default())
    }

    /// The present tiers of these teams, each with what the team watches within the limits. Consistent.
    pub(crate) async fn watches_within_present_tiers(
        &self,
        teams: HashSet<TeamKey>,
        now: Timestamp,
    ) -> Result<HashMap<TeamKey, (Tier, WatchesWithinTier)>, Error> {
        let present = self.present(&teams, &[Kind::Watch, Kind::WatchlistEntry], now).await?;
        let mut within = HashMap::with_capacity(teams.len());
        for team in teams {
            let of_team = self.watches_up_to(
                &team,
                present.exceeded::<Watch>(&team),
                present.exceeded::<WatchlistEntry>(&team),
            );
            let of_team = of_team.await?;
            within.insert(team.clone(), (present.tier(&team), of_team));
        }
        Ok(within)
    }

    /// What a team of this tier watches within the limits. Consistent. Two requests, unless a limit is exceeded.
    pub async fn watches_within_tier(
        &self,
        team: &TeamKey,
        tier: Tier,
    ) -> Result<WatchesWithinTier, Error> {
        let limits = TeamLimits::of(tier);
        let (watches, listed) = (
            keys::number_of(team, Kind::Watch, ""),
            keys::number_of(team, Kind::WatchlistEntry, ""),
        );
        let numbers = try_join(self.table.get_row(watches), self.table.get_row(listed)).await?;
        let exceeded = |row: Option<crate::table::Row>, max: u32| {
            let number = row.and_then(|it| it.number("count")).unwrap_or_default();
            (number > max as usize).then_some(max)
        };
        let watches = exceeded(numbers.0, Watch::max(&limits));
        let listed = exceeded(numbers.1, WatchlistEntry::max(&limits));
        self.watches_up_to(team, watches, listed).await
    }

    /// The numbers of companies in the watchlists of a team, by the id of the watchlist. A watchlist without companies may be
    /// missing. Consistent.
    pub(crate) async fn numbers_in_watchlists(
        &self,
        team: &TeamKey,
    ) -> Result<Vec<(String, u32)>, Error> {
        // With the number of the team, whose container is empty and therefore no watchlist.
        let prefix = keys::number_of(team, Kind::WatchlistEntry, "");
        let rows = self.table.query_rows(prefix.clone()).await?.into_iter();
        let numbers = rows.map(|row| {
            let number = row.number("count").and_then(|it| u32::try_from(it).ok());
            (row.sort[prefix.sort.len()..].to_owned(), number.unwrap_or_default())
        });
        Ok(numbers.filter(|(id, _)| !id.is_empty()).collect())
    }

    async fn present(
        &self,
        teams: &HashSet<TeamKey>,
        kinds: &[Kind],
        now: Timestamp,
    ) -> Result<Present, Error> {
        let (mut wanted, mut ids) = (HashSet::new(), HashMap::new());
        for team in teams {
            let id = team.team();
            for key in [keys::team(id), keys::subscriptions(id)] {
                ids.insert(key.clone(), id.clone());
                wanted.insert(key);
            }
            wanted.extend(kinds.iter().map(|it| keys::number_of(team, *it, "")));
        }
        let (mut by_operator, mut paid) = (HashMap::new(), HashMap::new());
        let mut numbers = HashMap::new();
        for row in self.table.get_rows(wanted.into_iter().collect()).await? {
            let key = Key { partition: row.partition.clone(), sort: row.sort.clone() };
            let Some(id) = ids.get(&key).cloned() else {
                let number = row.number("count").and_then(|it| u32::try_from(it).ok());
                numbers.insert(key, number.unwrap_or_default());
                continue;
            };
            if key == keys::subscriptions(&id) {
                let read = readable::<Subscriptions>(row).transpose()?;
                paid.insert(id, read.map_or(Tier::Enterprise, |it| it.tier(now)));
            } else {
                // What cannot be decoded pauses nothing: a notification too many does less harm than a missing one.
                let read = readable::<TierByOperator>(row).transpose()?;
                by_operator.insert(id, read.map_or(Tier::Enterprise, |it| it.tier));
            }
        }
        let of = |id: &TeamId| {
            tier(by_operator.get(id).copied(), paid.get(id).copied().unwrap_or(Tier::Free))
        };
        let tiers = teams.iter().map(|it| (it.team().clone(), of(it.team()))).collect();
        Ok(Present { tiers, numbers })
    }

    /// The oldest resources of a kind, `max` of them.
    async fn up_to<T: SortedByAge>(&self, team: &TeamKey, max: u32) -> Result<WithinTier, Error> {
        let Key { partition, sort } = keys::resource(team, T::KIND, "");
        let last = format!("{sort}~");
        let page = i32::try_from(max).unwrap_or(i32::MAX);
        let pages = self.table.query_forwards_consistently(&partition, (&sort, &last), page);
        pin_mut!(pages);
        let (mut number, max) = (0, max as usize);
        while let Some(rows) = pages.try_next().await? {
            if let Some(newest) = rows.get(max - 1 - number) {
                return Ok(WithinTier { newest: Some(newest.sort[sort.len()..].to_owned()) });
            }
            number += rows.len();
        }
        // Some were deleted meanwhile.
        Ok(WithinTier::default())
    }

    /// What a team watches, if at most as many watches and companies in watchlists as these are within the limits. `None`: all.
    async fn watches_up_to(
        &self,
        team: &TeamKey,
        watches: Option<u32>,
        listed: Option<u32>,
    ) -> Result<WatchesWithinTier, Error> {
        let mut within = WatchesWithinTier::default();
        if let Some(max) = watches {
            let watches: Vec<Watch> = self.resources(team, "").await?;
            within.newest_watch = newest_of(watches.iter().map(Watch::added).collect(), max);
        }
        if let Some(max) = listed {
            let mut left = max;
            for (id, number) in self.numbers_in_watchlists(team).await? {
                if number <= left {
                    left -= number;
                    continue;
                }
                let entries: Vec<WatchlistEntry> =
                    self.resources(team, &path_within(&id, "")).await?;
                let added = entries.iter().map(WatchlistEntry::added).collect();
                within.newest_list = Some(ListWithinTier { id, newest: newest_of(added, left) });
                break;
            }
        }
        Ok(within)
    }
}

/// The newest one of the oldest `max`. `None`: there is none.
fn newest_of(mut added: Vec<Added>, max: u32) -> Option<Added> {
    added.sort_unstable();
    added.truncate(max as usize);
    added.pop()
}
