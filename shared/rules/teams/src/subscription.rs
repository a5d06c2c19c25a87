use access::Tier;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// Maximum number of subscriptions of a team that are stored. More than one is a mistake, which the team corrects at the
/// payment provider.
const MAX_SUBSCRIPTIONS: usize = 10;

/// How long after its period a subscription counts of which the renewal was not reported. The payment provider repeats its events
/// for three days; the rest is for an operator who has to mend their receipt.
const UNREPORTED: SignedDuration = SignedDuration::from_hours(14 * 24);

/// A subscription at the payment provider, as reported last.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscription {
    /// Its id at the payment provider.
    pub id: String,
    /// The tier that it pays for.
    pub tier: Tier,
    pub status: SubscriptionStatus,
    /// End of the period that is paid or being paid.
    pub current_period_end: Option<Timestamp>,
    /// When it ends. `None`: it continues.
    pub ends_at: Option<Timestamp>,
}

/// State of a subscription, in the words of the payment provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubscriptionStatus {
    Trialing,
    Active,
    /// A payment has failed, and the provider tries again.
    PastDue,
    /// The provider has given up.
    Unpaid,
    Paused,
    /// The first payment is not made yet.
    Incomplete,
    IncompleteExpired,
    Canceled,
}

impl SubscriptionStatus {
    /// Whether the team has the tier. A team keeps it while the provider repeats a failed payment.
    pub fn gives_tier(self) -> bool {
        matches!(self, Self::Trialing | Self::Active | Self::PastDue)
    }

    /// Whether it is over for ever.
    pub fn has_ended(self) -> bool {
        matches!(self, Self::IncompleteExpired | Self::Canceled)
    }
}

/// What the payment provider knows about a team.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscriptions {
    /// The team's id at the payment provider.
    pub customer: Option<String>,
    /// The subscriptions that have not ended: normally at most one.
    pub open: Vec<Subscription>,
}

impl Subscription {
    /// Whether the team has the tier at this time.
    pub fn gives_tier(&self, now: Timestamp) -> bool {
        self.status.gives_tier() && !self.has_ended(now)
    }

    /// Whether it is over: reported so, or by time, if the event that says so is lost.
    pub fn has_ended(&self, now: Timestamp) -> bool {
        let renewed_by = self.current_period_end.map(|it| it.saturating_add(UNREPORTED));
        let by_time = [self.ends_at, renewed_by.and_then(Result::ok)];
        self.status.has_ended() || by_time.into_iter().flatten().any(|it| it <= now)
    }

    /// Whether its state must have changed since it was reported.
    pub fn is_outdated(&self, now: Timestamp) -> bool {
        [self.ends_at, self.current_period_end].into_iter().flatten().any(|it| it <= now)
    }
}

impl Subscriptions {
    /// The tier that is paid for: the highest, if there are several subscriptions.
    pub fn tier(&self, now: Timestamp) -> Tier {
        self.current(now).filter(|it| it.gives_tier(now)).map_or(Tier::Free, |it| it.tier)
    }

    /// The tier by what the payment provider has reported last, also of a subscription whose end has passed since.
    pub fn reported_tier(&self) -> Tier {
        let giving = self.open.iter().filter(|it| it.status.gives_tier());
        giving.map(|it| it.tier).max().unwrap_or(Tier::Free)
    }

    /// The subscription that the tier follows from, or else another one that has not ended.
    pub fn current(&self, now: Timestamp) -> Option<&Subscription> {
        let open = self.open.iter().filter(|it| !it.has_ended(now));
        open.max_by_key(|it| (it.gives_tier(now), it.tier, it.current_period_end))
    }

    /// Whether there is a subscription to change. One whose first payment was never made does not count.
    pub fn can_change(&self, now: Timestamp) -> bool {
        let is_unpaid = |it: &Subscription| it.status == SubscriptionStatus::Incomplete;
        self.open.iter().any(|it| !it.has_ended(now) && !is_unpaid(it))
    }

    /// Replaces what was known about a subscription. One that has ended by time stays known, so that the provider can be asked.
    pub fn update(&mut self, reported: Subscription, now: Timestamp) {
        self.open.retain(|it| it.id != reported.id);
        if !reported.status.has_ended() {
            self.open.push(reported);
        }
        self.open.sort_by_key(|it| std::cmp::Reverse((it.gives_tier(now), it.tier)));
        self.open.truncate(MAX_SUBSCRIPTIONS);
    }
}

#[cfg(test)]
mod tests {
    use jiff::Span;

    use super::*;

    fn subscription(id: &str, tier: Tier, status: SubscriptionStatus) -> Subscription {
        Subscription { id: id.into(), tier, status, current_period_end: None, ends_at: None }
    }

    #[test]
    fn a_team_has_the_highest_tier_of_a_subscription_that_gives_one() {
        use SubscriptionStatus::{Active, Canceled, Incomplete, PastDue, Trialing, Unpaid};
        let mut team = Subscriptions::default();
        let now = Timestamp::UNIX_EPOCH;
        assert_eq!((team.tier(now), team.current(now)), (Tier::Free, None));
        for (id, tier, status, expected) in [
            ("1", Tier::Starter, Incomplete, Tier::Free),
            ("1", Tier::Starter, Active, Tier::Starter),
            ("2", Tier::Enterprise, Unpaid, Tier::Starter),
            ("2", Tier::Enterprise, Trialing, Tier::Enterprise),
            ("2", Tier::Enterprise, PastDue, Tier::Enterprise),
            ("2", Tier::Enterprise, Canceled, Tier::Starter),
            ("3", Tier::Professional, Active, Tier::Professional),
            // The end of an earlier subscription does not touch a later one.
            ("1", Tier::Starter, Canceled, Tier::Professional),
            ("3", Tier::Professional, Canceled, Tier::Free),
        ] {
            team.update(subscription(id, tier, status), now);
            assert_eq!(team.tier(now), expected, "{id} {tier} {status:?}");
        }
        assert_eq!(team.open, []);
    }

    #[test]
    fn a_subscription_gives_its_tier_until_it_ends() {
        let ends_at: Timestamp = "2026-11-30T12:00:00Z".parse().expect("a time");
        let active = subscription("1", Tier::Professional, SubscriptionStatus::Active);
        let mut team = Subscriptions::default();
        team.update(Subscription { ends_at: Some(ends_at), ..active }, ends_at);
        team.update(subscription("2", Tier::Starter, SubscriptionStatus::Active), ends_at);
        let second = Span::new().seconds(1);
        assert_eq!(team.tier(ends_at - second), Tier::Professional);
        // At its end, whatever the payment provider has reported since.
        assert_eq!(team.tier(ends_at), Tier::Starter);
        assert_eq!(team.reported_tier(), Tier::Professional);
        assert_eq!(team.current(ends_at).map(|it| it.id.as_str()), Some("2"));
    }

    #[test]
    fn a_subscription_whose_renewal_is_not_reported_ends() {
        let period_end = "2026-11-30T12:00:00Z".parse::<Timestamp>().expect("a time");
        for status in [SubscriptionStatus::Active, SubscriptionStatus::PastDue] {
            let paid = subscription("1", Tier::Professional, status);
            let paid = Subscription { current_period_end: Some(period_end), ..paid };
            assert!(!paid.is_outdated(period_end - SignedDuration::from_secs(1)));
            assert!(paid.is_outdated(period_end));
            let late = SignedDuration::from_secs(1);
            assert!(paid.gives_tier(period_end + UNREPORTED - late));
            assert!(!paid.gives_tier(period_end + UNREPORTED));
        }
    }

    #[test]
    fn the_number_of_subscriptions_is_bounded_and_the_best_is_kept() {
        let mut team = Subscriptions::default();
        let now = Timestamp::UNIX_EPOCH;
        team.update(subscription("best", Tier::Professional, SubscriptionStatus::Active), now);
        for number in 0..2 * MAX_SUBSCRIPTIONS {
            let id = number.to_string();
            team.update(subscription(&id, Tier::Starter, SubscriptionStatus::Active), now);
            // One that has ended by time gives no tier, however high.
            let ended =
                subscription(&format!("ended {id}"), Tier::Enterprise, SubscriptionStatus::Active);
            team.update(Subscription { ends_at: Some(now), ..ended }, now);
        }
        let tier = team.tier(now);
        assert_eq!((team.open.len(), tier), (MAX_SUBSCRIPTIONS, Tier::Professional));
    }
}
