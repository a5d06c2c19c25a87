//! How many requests each tier may make of each rate group, and in which window.
//!
//! Invariant: no I/O and no clock; the moment is passed in.

use domain::access::{RateGroup, Tier};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// Requests per window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    pub requests: u32,
    pub window: Window,
}

/// The time in which requests are counted together. Windows are aligned to the UTC clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    Hour,
    Day,
}

impl Window {
    /// The length in seconds.
    pub const fn seconds(self) -> i64 {
        match self {
            Self::Hour => 3_600,
            Self::Day => 86_400,
        }
    }

    /// The value of `x-ratelimit-window`.
    pub const fn header(self) -> &'static str {
        match self {
            Self::Hour => "1h",
            Self::Day => "1d",
        }
    }

    /// The word in sentences.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
        }
    }

    /// The second in which the window around `now` began, since the Unix epoch.
    pub fn start(self, now: Timestamp) -> i64 {
        now.as_second() - now.as_second().rem_euclid(self.seconds())
    }

    /// The second in which the window around `now` ends, since the Unix epoch.
    pub fn end(self, now: Timestamp) -> i64 {
        self.start(now) + self.seconds()
    }

    /// Whole seconds until the window around `now` resets, at least 1.
    pub fn seconds_to_reset(self, now: Timestamp) -> i64 {
        (self.end(now) - now.as_second()).max(1)
    }
}

/// The window in which requests of a group are counted, whatever the tier.
pub const fn window(group: RateGroup) -> Window {
    match group {
        RateGroup::ExpensiveAi | RateGroup::Bulk => Window::Day,
        _ => Window::Hour,
    }
}

/// The table in the specification's "Limits". `None`: the tier does not include the group.
#[rustfmt::skip]
pub const fn allowance(group: RateGroup, tier: Tier) -> Option<Allowance> {
    use RateGroup::*;

    let [free, starter, professional, enterprise] = match group {
        //                   Free  Starter  Professional  Enterprise
        SearchRead      => [   60,     600,        6_000,     60_000],
        StandardRead    => [   60,     600,        6_000,     60_000],
        AnalyticsRead   => [    0,      60,          600,      6_000],
        MethodologyRead => [    0,       0,          600,      6_000],
        ExpensiveAi     => [    0,       0,           20,        200],
        // Ours: the specification unlocks the spreadsheet export from Professional and names no allowance.
        Bulk            => [    0,       0,           10,        100],
        // Ours: the specification says "generous".
        Account         => [  600,   6_000,       60_000,    600_000],
        // Ours: the specification is silent. Counted by client address, so that no tier has more.
        Public          => [  600,     600,          600,        600],
    };
    let requests = match tier {
        Tier::Free => free,
        Tier::Starter => starter,
        Tier::Professional => professional,
        Tier::Enterprise => enterprise,
    };
    if requests == 0 {
        return None;
    }
    Some(Allowance { requests, window: window(group) })
}

/// The smallest tier that includes a group.
pub fn first_tier(group: RateGroup) -> Tier {
    let includes = |tier: &Tier| allowance(group, *tier).is_some();
    Tier::ALL.into_iter().find(includes).unwrap_or(Tier::Enterprise)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_unlocks_at_its_tier() {
        assert_eq!(first_tier(RateGroup::SearchRead), Tier::Free);
        assert_eq!(first_tier(RateGroup::AnalyticsRead), Tier::Starter);
        assert_eq!(first_tier(RateGroup::MethodologyRead), Tier::Professional);
        assert_eq!(
            allowance(RateGroup::ExpensiveAi, Tier::Professional),
            Some(Allowance { requests: 20, window: Window::Day })
        );
    }

    #[test]
    fn a_larger_tier_never_has_less() {
        for group in RateGroup::ALL {
            let of = |tier| allowance(group, tier).map_or(0, |it| it.requests);
            assert!(Tier::ALL.map(of).is_sorted(), "{group}");
        }
    }

    #[test]
    fn windows_are_aligned_to_the_clock() {
        let now: Timestamp = "2026-11-20T13:59:59.5Z".parse().expect("a moment");
        assert_eq!(Window::Hour.seconds_to_reset(now), 1);
        assert_eq!(Window::Hour.start(now) % 3_600, 0);
        assert_eq!(Window::Day.end(now), Window::Day.start(now) + 86_400);
    }
}
