//! Screenings of a team, and its decisions about their hits.
//!
//! Invariants: a stored screening never changes. A decision is replaced by a newer one, which names it. Neither is read after it
//! has expired, although DynamoDB deletes it later.

use std::collections::BTreeSet;

use futures_util::{TryStreamExt, future::try_join_all, pin_mut};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use teams::screening::{Decisions, HitDecision, Screening};
use uuid::Uuid;

use crate::{
    Error, TeamKey, Tenants,
    keys::{self, Key},
    table::Row,
};

/// Number of screenings that are stored in parallel.
const PARALLEL: usize = 16;

impl Tenants {
    /// Stores the evidence of a screening until `expires`.
    pub async fn put_screening(
        &self,
        team: &TeamKey,
        screening: &Screening,
        expires: Timestamp,
    ) -> Result<(), Error> {
        let key = keys::screening(team, screening.id);
        self.table.put_new_compressed(key, screening, expires.as_second()).await
    }

    /// Stores the evidence of several screenings, as [`Self::put_screening`].
    pub async fn put_screenings(
        &self,
        team: &TeamKey,
        screenings: &[Screening],
        expires: Timestamp,
    ) -> Result<(), Error> {
        for together in screenings.chunks(PARALLEL) {
            try_join_all(together.iter().map(|it| self.put_screening(team, it, expires))).await?;
        }
        Ok(())
    }

    /// The evidence of a screening. `None` if the team has none with this id, or it has expired.
    pub async fn screening(
        &self,
        team: &TeamKey,
        id: Uuid,
        now: Timestamp,
    ) -> Result<Option<Screening>, Error> {
        let row = self.table.get_row(keys::screening(team, id)).await?;
        row.filter(|it| !it.has_expired(now)).map(Row::read).transpose()
    }

    /// The team's screenings, newest first: at most `limit`, and only those before the one with the id `before`. Consistent.
    pub async fn screenings(
        &self,
        team: &TeamKey,
        before: Option<Uuid>,
        limit: usize,
        now: Timestamp,
    ) -> Result<Vec<Screening>, Error> {
        let is_kept = |it: &Row| !it.has_expired(now);
        self.newest_of(keys::all_screenings(team), before, limit, is_kept).await
    }

    /// The documents whose keys are `prefix` and an id that sorts by time, newest first: at most `limit`, and only those before
    /// the one with the id `before`. Consistent.
    pub(crate) async fn newest<T: DeserializeOwned>(
        &self,
        prefix: Key,
        before: Option<Uuid>,
        limit: usize,
    ) -> Result<Vec<T>, Error> {
        self.newest_of(prefix, before, limit, |_| true).await
    }

    /// As [`Self::newest`], without the documents that `is_kept` leaves out.
    async fn newest_of<T: DeserializeOwned>(
        &self,
        prefix: Key,
        before: Option<Uuid>,
        limit: usize,
        is_kept: impl Fn(&Row) -> bool,
    ) -> Result<Vec<T>, Error> {
        let last = format!("{}{}", prefix.sort, before.unwrap_or(Uuid::max()));
        // The range includes its end.
        let wanted = limit + usize::from(before.is_some());
        let page = i32::try_from(wanted).unwrap_or(i32::MAX);
        let range = (prefix.sort.as_str(), last.as_str());
        let pages = self.table.query_backwards_consistently(&prefix.partition, range, page);
        pin_mut!(pages);
        let mut found = Vec::new();
        while let Some(rows) = pages.try_next().await? {
            for row in rows {
                if (before.is_some() && row.sort == last) || !is_kept(&row) {
                    continue;
                }
                found.push(row.read()?);
                if found.len() == limit {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    }

    /// The team's decisions about the hits of these screenings, by pair of subject and entry. Consistent.
    pub async fn decisions_about(
        &self,
        team: &TeamKey,
        screenings: &[Screening],
        now: Timestamp,
    ) -> Result<Decisions, Error> {
        let pairs = |it: &Screening| it.hits.iter().map(|hit| it.pair(hit)).collect::<Vec<_>>();
        self.hit_decisions(team, screenings.iter().flat_map(pairs), now).await
    }

    /// The team's decisions about these pairs of subject and entry, by pair. Consistent.
    pub async fn hit_decisions(
        &self,
        team: &TeamKey,
        pairs: impl IntoIterator<Item = String>,
        now: Timestamp,
    ) -> Result<Decisions, Error> {
        // The table refuses a request for the same item twice.
        let pairs: BTreeSet<String> = pairs.into_iter().collect();
        let keys = pairs.iter().map(|it| keys::hit_decision(team, it)).collect();
        let mut decisions = Decisions::new();
        let rows = self.table.get_rows(keys).await?;
        for row in rows.into_iter().filter(|it| !it.has_expired(now)) {
            let decision: HitDecision = row.read()?;
            decisions.insert(decision.pair.clone(), decision);
        }
        Ok(decisions)
    }

    /// Stores a decision until `expires`, which replaces an earlier one about the same pair. Returns it with those that were
    /// replaced.
    pub async fn put_hit_decision(
        &self,
        team: &TeamKey,
        decision: HitDecision,
        expires: Timestamp,
    ) -> Result<HitDecision, Error> {
        let key = keys::hit_decision(team, &decision.pair);
        let replace = |it: &mut Option<HitDecision>| {
            let new = decision.clone();
            *it = Some(match it.take() {
                Some(old) => new.replacing(old),
                None => new,
            });
        };
        let times = (decision.decided_at, expires);
        Ok(self.table.update_expiring(key, times, replace).await?.unwrap_or(decision))
    }
}
