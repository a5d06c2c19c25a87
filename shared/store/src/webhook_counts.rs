//! How many deliveries to webhooks were made for a team on a day (UTC).

use access::{Allowance, Window};
use jiff::Timestamp;

use crate::{
    CountError, Counted, Counters, Error, TeamKey,
    keys::{self, Key},
};

/// Seconds that a counter is kept after its day.
const RETENTION: i64 = 3_600;

impl Counters {
    /// Counts deliveries of a team, if its allowance for the day leaves room for all of them.
    pub async fn count_webhook_deliveries(
        &self,
        team: &TeamKey,
        deliveries: u32,
        allowance: Allowance,
        now: Timestamp,
    ) -> Result<Counted, CountError> {
        let expires = Window::Day.end(now) + RETENTION;
        self.table.count_below(key(team, now), deliveries, allowance.requests, expires).await
    }

    /// Whether a team has made all deliveries of the day that its allowance includes.
    pub async fn is_webhook_limit_reached(
        &self,
        team: &TeamKey,
        allowance: Allowance,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let counts = self.table.counts(vec![key(team, now)]).await?;
        Ok(counts.first().is_some_and(|it| *it >= allowance.requests))
    }
}

/// One counter for both environments of a team.
fn key(team: &TeamKey, now: Timestamp) -> Key {
    keys::webhook_deliveries_of_day(team.team(), Window::Day.start(now))
}
