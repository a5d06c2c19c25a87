//! How many deliveries to webhooks were made on a day (UTC), by whose allowance they use.

use access::{Allowance, Window};
use jiff::Timestamp;

use crate::{
    CountError, Counted, Counters, Error, Subject,
    counters::RETENTION,
    keys::{self, Key},
};

impl Counters {
    /// Counts deliveries, if the allowance for the day leaves room for all of them.
    pub async fn count_webhook_deliveries(
        &self,
        subject: &Subject,
        deliveries: u32,
        allowance: Allowance,
        now: Timestamp,
    ) -> Result<Counted, CountError> {
        let expires = Window::Day.end(now) + RETENTION;
        self.table.count_below(key(subject, now), deliveries, allowance.requests, expires).await
    }

    /// Takes back deliveries that were counted at `counted_at` and not sent, if then at most as many of that day were taken back as
    /// the allowance includes.
    pub async fn refund_webhook_deliveries(
        &self,
        subject: &Subject,
        deliveries: u32,
        allowance: Allowance,
        counted_at: Timestamp,
    ) -> Result<(), Error> {
        let key = key(subject, counted_at);
        self.table.count_down(key, deliveries, allowance.requests).await.map(drop)
    }

    /// Whether all deliveries of the day were made that the allowance includes.
    pub async fn is_webhook_limit_reached(
        &self,
        subject: &Subject,
        allowance: Allowance,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let counts = self.table.counts(vec![key(subject, now)]).await?;
        Ok(counts.first().is_some_and(|it| *it >= allowance.requests))
    }
}

fn key(subject: &Subject, now: Timestamp) -> Key {
    keys::webhook_deliveries_of_day(&subject.to_string(), Window::Day.start(now))
}
