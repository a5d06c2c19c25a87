//! The provider's form of a subscription.

use std::collections::BTreeMap;

use access::Tier;
use auth::TeamId;
use jiff::Timestamp;
use serde::Deserialize;
use teams::{Subscription, SubscriptionStatus};

use crate::{PaymentError, settings::Prices};

/// The state of a subscription.
#[derive(Clone, Debug)]
pub struct ReportedSubscription {
    /// The team that it is of. `None`: it is not of this service.
    pub team: Option<TeamId>,
    pub state: Option<Subscription>,
}

/// The name of the metadata of a subscription that contains the id of its team.
pub(crate) const TEAM: &str = "team";

#[derive(Deserialize)]
pub(crate) struct StripeSubscription {
    id: String,
    status: SubscriptionStatus,
    #[serde(default)]
    metadata: BTreeMap<String, String>,
    items: Items,
    #[serde(default)]
    cancel_at: Option<i64>,
    #[serde(default)]
    cancel_at_period_end: bool,
}

#[derive(Deserialize)]
struct Items {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    price: Price,
    #[serde(default)]
    current_period_end: Option<i64>,
}

#[derive(Deserialize)]
struct Price {
    id: String,
}

impl StripeSubscription {
    /// Our form. The tier is the highest one of its prices. A subscription that gives none, because it has ended or is not paid, needs
    /// no price that we know: nobody keeps a tier because the price was removed from the configuration meanwhile.
    pub(crate) fn reported(self, prices: &Prices) -> Result<ReportedSubscription, PaymentError> {
        let team = self.metadata.get(TEAM).cloned().map(TeamId);
        let tiers = self.items.data.iter().filter_map(|it| prices.tier(&it.price.id));
        let tier = match tiers.max() {
            Some(tier) => tier,
            // Whether somebody else's subscription has a price of ours does not matter.
            None if team.is_none() => return Ok(ReportedSubscription { team: None, state: None }),
            None if !self.status.gives_tier() => Tier::Free,
            None => return Err(PaymentError::UnknownPrice(self.id)),
        };
        let time = |second: i64| Timestamp::from_second(second).ok();
        let current_period_end =
            self.items.data.iter().filter_map(|it| it.current_period_end).max().and_then(time);
        let at_period_end = current_period_end.filter(|_| self.cancel_at_period_end);
        let ends_at = self.cancel_at.and_then(time).or(at_period_end);
        let state =
            Subscription { id: self.id, tier, status: self.status, current_period_end, ends_at };
        Ok(ReportedSubscription { team, state: Some(state) })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn reported(subscription: Value) -> Result<ReportedSubscription, PaymentError> {
        let prices = "starter=price_s professional=price_p".parse().expect("prices");
        let subscription: StripeSubscription =
            serde_json::from_value(subscription).expect("a subscription");
        subscription.reported(&prices)
    }

    fn subscription(price: &str) -> Value {
        json!({
            "id": "sub_1",
            "object": "subscription",
            "status": "past_due",
            "customer": "cus_1",
            "metadata": { "team": "t" },
            "items": { "data": [{ "price": { "id": price }, "current_period_end": 1_000 }] },
            "cancel_at": null,
            "cancel_at_period_end": false,
        })
    }

    #[test]
    fn the_tier_follows_from_the_price_and_the_end_from_the_cancellation() {
        let found = reported(subscription("price_p")).expect("known");
        assert_eq!(found.team, Some(TeamId("t".into())));
        let state = found.state.expect("a state");
        assert_eq!((state.tier, state.status), (Tier::Professional, SubscriptionStatus::PastDue));
        let end = Timestamp::from_second(1_000).ok();
        assert_eq!((state.current_period_end, state.ends_at), (end, None));

        let mut canceled = subscription("price_s");
        canceled["cancel_at_period_end"] = true.into();
        assert_eq!(reported(canceled.clone()).expect("known").state.expect("a state").ends_at, end);
        canceled["cancel_at"] = 500.into();
        let earlier = Timestamp::from_second(500).ok();
        assert_eq!(reported(canceled).expect("known").state.expect("a state").ends_at, earlier);
    }

    #[test]
    fn a_team_with_an_unknown_price_is_an_error_of_the_configuration() {
        assert!(matches!(
            reported(subscription("price_x")),
            Err(PaymentError::UnknownPrice(id)) if id == "sub_1"
        ));
        for status in ["canceled", "unpaid", "incomplete_expired", "paused", "incomplete"] {
            let mut ended = subscription("price_x");
            ended["status"] = status.into();
            let state = reported(ended).expect("without a price").state.expect("a state");
            assert_eq!(state.tier, Tier::Free, "{status}");
        }
        let mut other = subscription("price_x");
        other["metadata"] = json!({});
        let found = reported(other).expect("ignored");
        assert_eq!((found.team, found.state), (None, None));
    }
}
