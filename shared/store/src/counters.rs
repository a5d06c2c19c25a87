use std::{fmt, net::IpAddr};

use access::RateGroup;
use jiff::Timestamp;

use crate::{
    Counters, Error, TeamKey,
    keys::{self, Key},
};

pub use crate::table::{CountError, Counted};

/// Whom a rate limit applies to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A team in one environment.
    Team(TeamKey),
    /// A client without a token. IPv6 addresses count by their /64 prefix, which one subscriber has.
    Address(IpAddr),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Team(key) => write!(f, "{}#{}", key.team(), key.environment()),
            Self::Address(IpAddr::V4(address)) => write!(f, "address#{address}"),
            Self::Address(IpAddr::V6(address)) => match address.to_ipv4_mapped() {
                Some(mapped) => write!(f, "address#{mapped}"),
                None => {
                    let [a, b, c, d, ..] = address.segments();
                    write!(f, "address#{a:x}:{b:x}:{c:x}:{d:x}::/64")
                }
            },
        }
    }
}

/// Seconds that a counter is kept after its window.
const RETENTION: i64 = 3_600;

impl Counters {
    /// Takes one unit of a group's current window if fewer than `limit` are taken.
    pub async fn take(
        &self,
        subject: &Subject,
        group: RateGroup,
        limit: u32,
        now: Timestamp,
    ) -> Result<Counted, CountError> {
        let expires = group.window().end(now) + RETENTION;
        self.table.count_below(window_key(subject, group, now), limit, expires).await
    }

    /// Refunds the unit taken at `taken_at`. Returns how many units are still taken; `None` if none was.
    pub async fn give_back(
        &self,
        subject: &Subject,
        group: RateGroup,
        taken_at: Timestamp,
    ) -> Result<Option<u32>, Error> {
        self.table.count_down(window_key(subject, group, taken_at)).await
    }

    /// Units taken in each group's current window, in the order of `groups`.
    pub async fn taken(
        &self,
        subject: &Subject,
        groups: &[RateGroup],
        now: Timestamp,
    ) -> Result<Vec<u32>, Error> {
        self.table.counts(groups.iter().map(|it| window_key(subject, *it, now)).collect()).await
    }

    /// Failed verifications of each subject in the current minute, in the order of `subjects`.
    pub async fn failures(&self, subjects: &[&str], now: Timestamp) -> Result<Vec<u32>, Error> {
        self.table.counts(subjects.iter().map(|it| failure_key(it, now)).collect()).await
    }

    /// Counts a failed verification.
    pub async fn record_failure(&self, subject: &str, now: Timestamp) -> Result<(), CountError> {
        let expires = now.as_second() + RETENTION;
        self.table.count_below(failure_key(subject, now), u32::MAX, expires).await.map(|_| ())
    }
}

fn window_key(subject: &Subject, group: RateGroup, now: Timestamp) -> Key {
    keys::count(&subject.to_string(), group, group.window().start(now))
}

fn failure_key(subject: &str, now: Timestamp) -> Key {
    keys::failures(subject, now.as_second().div_euclid(60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_subscriber_are_one_subject() {
        let subject = |text: &str| Subject::Address(text.parse().expect("an address")).to_string();
        assert_eq!(subject("2001:db8:1:2::1"), subject("2001:db8:1:2:ffff::9"));
        assert_ne!(subject("2001:db8:1:2::1"), subject("2001:db8:1:3::1"));
        assert_ne!(subject("192.0.2.1"), subject("192.0.2.2"));
        assert_eq!(subject("::ffff:192.0.2.1"), subject("192.0.2.1"));
    }
}
