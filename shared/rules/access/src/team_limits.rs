use crate::Tier;

/// How many of the resources that cause work by themselves a team may keep. Our choice: the specification gives no numbers.
///
/// An alert runs up to 24 times a day and a webhook can get every change of the register, so a Free team has few of them. Lists
/// are answered whole, so each stays below 3 MB: a saved search has up to 11 kB, a watch 0.2 kB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamLimits {
    /// Companies watched by themselves, outside watchlists.
    pub watches: u32,
    /// Companies in all watchlists together. A company in two of them counts twice.
    pub listed_companies: u32,
    pub saved_searches: u32,
    pub alerts: u32,
    pub webhooks: u32,
    /// Persons and organisations that are screened again when a list changes.
    pub monitored_subjects: u32,
}

impl TeamLimits {
    /// The limits of a tier.
    #[rustfmt::skip]
    pub const fn of(tier: Tier) -> Self {
        let [watches, listed_companies, saved_searches, alerts, webhooks, monitored_subjects] =
            match tier {
                //                    Watches  Listed   Searches  Alerts  Webhooks  Monitored
                Tier::Free         => [ 1_000,   1_000,       50,     20,        3,     1_000],
                Tier::Starter      => [ 2_000,   2_000,      100,     50,       10,     2_000],
                Tier::Professional => [ 5_000,   5_000,      150,    100,       20,     5_000],
                Tier::Enterprise   => [10_000, 500_000,      200,    200,       50,    10_000],
            };
        Self { watches, listed_companies, saved_searches, alerts, webhooks, monitored_subjects }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_tier_never_has_a_lower_limit() {
        let limits = Tier::ALL.map(TeamLimits::of);
        assert!(limits.is_sorted_by_key(|it| it.watches));
        assert!(limits.is_sorted_by_key(|it| it.listed_companies));
        assert!(limits.is_sorted_by_key(|it| it.saved_searches));
        assert!(limits.is_sorted_by_key(|it| it.alerts));
        assert!(limits.is_sorted_by_key(|it| it.webhooks));
        assert!(limits.is_sorted_by_key(|it| it.monitored_subjects));
    }
}
