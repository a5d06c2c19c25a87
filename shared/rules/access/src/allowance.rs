//! How many requests each tier may make of each rate group, and in which window.

use crate::{RateGroup, Tier, Window};

/// A whole IPv6 /48 gets as much as this number of /64 networks.
pub const NETWORKS_PER_SITE: u32 = 16;

/// Requests per window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Number of requests in one window, at least 1.
    pub requests: u32,
    /// Period over which the requests are counted.
    pub window: Window,
}

impl Allowance {
    /// The requests of all /64 networks of an IPv6 /48 together.
    pub const fn of_site(self) -> Self {
        Self { requests: self.requests.saturating_mul(NETWORKS_PER_SITE), ..self }
    }

    /// How many units a /64 takes from the allowance of its /48 with the request that is number `number` in
    /// its own window, refunded requests included.
    ///
    /// The units are taken in advance, at the requests 1, 2, 4, 8 and so on, for all requests until the next of these. So
    /// few requests need the second counter, and for a /64 that makes all its requests exactly these are counted.
    pub const fn site_units(self, number: u32) -> u32 {
        if !number.is_power_of_two() || number > self.requests {
            return 0;
        }
        let left = self.requests - number + 1;
        if number < left { number } else { left }
    }
}

impl RateGroup {
    /// The window in which requests of this group are counted, the same for every tier.
    pub const fn window(self) -> Window {
        match self {
            Self::ExpensiveAi | Self::Bulk => Window::Day,
            _ => Window::Hour,
        }
    }

    /// The requests that `tier` may make of this group, from the specification's "Limits" table.
    /// `None`: the tier does not include the group.
    #[rustfmt::skip]
    pub const fn allowance(self, tier: Tier) -> Option<Allowance> {
        let [free, starter, professional, enterprise] = match self {
            //                         Free  Starter  Professional  Enterprise
            Self::SearchRead      => [   60,     600,        6_000,     60_000],
            Self::StandardRead    => [   60,     600,        6_000,     60_000],
            Self::AnalyticsRead   => [    0,      60,          600,      6_000],
            Self::MethodologyRead => [    0,       0,          600,      6_000],
            Self::ExpensiveAi     => [    0,       0,           20,        200],
            // Our choice: the specification includes the spreadsheet export from Professional up and
            // gives no number.
            Self::Bulk            => [    0,       0,           10,        100],
            // Our choice: the specification says "generous".
            Self::Account         => [  600,   6_000,       60_000,    600_000],
            // Our choice: the specification gives no number. These requests are counted by client
            // address, so every tier has the same.
            Self::Public          => [  600,     600,          600,        600],
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
        Some(Allowance { requests, window: self.window() })
    }

    /// The lowest tier that includes this group.
    pub fn lowest_tier(self) -> Tier {
        let includes = |tier: &Tier| self.allowance(*tier).is_some();
        Tier::ALL.into_iter().find(includes).unwrap_or(Tier::Enterprise)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_group_is_included_from_its_lowest_tier() {
        assert_eq!(RateGroup::SearchRead.lowest_tier(), Tier::Free);
        assert_eq!(RateGroup::AnalyticsRead.lowest_tier(), Tier::Starter);
        assert_eq!(RateGroup::MethodologyRead.lowest_tier(), Tier::Professional);
        assert_eq!(
            RateGroup::ExpensiveAi.allowance(Tier::Professional),
            Some(Allowance { requests: 20, window: Window::Day })
        );
    }

    #[test]
    fn units_of_a_site_cover_all_requests_of_a_network_and_in_the_end_no_more() {
        for requests in 1..=700 {
            let allowance = Allowance { requests, window: Window::Hour };
            let mut counted = 0;
            for taken in 1..=requests {
                counted += allowance.site_units(taken);
                assert!(counted >= taken, "{taken} of {requests}: {counted}");
            }
            assert_eq!(counted, requests);
            assert_eq!(allowance.site_units(requests + 1), 0);
        }
    }

    #[test]
    fn a_higher_tier_never_allows_fewer_requests() {
        for group in RateGroup::ALL {
            let requests = |tier| group.allowance(tier).map_or(0, |it| it.requests);
            assert!(Tier::ALL.map(requests).is_sorted(), "{group}");
        }
    }
}
