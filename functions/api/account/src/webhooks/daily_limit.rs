//! The deliveries of a team on one day (UTC). Those that nobody waits for are made on the next day; others are refused.

use access::{Allowance, RateGroup, Tier, Window, webhook_deliveries};
use accounts::WebhookDelivery;
use jiff::Timestamp;
use problem_details::{Problem, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE};
use store::{CountError, Counted, TeamKey};

/// Counts a delivery that is made at once, or refuses it with 429.
pub(super) async fn count_delivery(
    state: &crate::State,
    team: &TeamKey,
    tier: Tier,
    now: Timestamp,
) -> Result<(), Problem> {
    let allowance = webhook_deliveries(tier);
    match state.counters.count_webhook_deliveries(team, 1, allowance, now).await {
        // A lost answer follows a count, usually.
        Ok(Counted::Now { .. }) | Err(CountError::AnswerLost(_)) => Ok(()),
        Ok(Counted::Full) => Err(reached(tier, allowance, now)),
        Err(failure) => {
            tracing::error!(
                metric = "MeteringFailure",
                failure = errors::chain(&failure),
                "delivery to a webhook not counted"
            );
            let detail = "deliveries cannot be counted at the moment; try again later";
            Err(Problem::new(&SERVICE_UNAVAILABLE, detail))
        }
    }
}

/// Refuses with 429 if no deliveries of this day are left.
pub(super) async fn has_deliveries_left(
    state: &crate::State,
    team: &TeamKey,
    tier: Tier,
    now: Timestamp,
) -> Result<(), Problem> {
    let allowance = webhook_deliveries(tier);
    match state.counters.is_webhook_limit_reached(team, allowance, now).await? {
        true => Err(reached(tier, allowance, now)),
        false => Ok(()),
    }
}

fn reached(tier: Tier, allowance: Allowance, now: Timestamp) -> Problem {
    let Allowance { requests, window } = allowance;
    let retry_after = window.seconds_to_reset(now);
    let detail = format!(
        "the tier `{tier}` allows {requests} deliveries to webhooks per {}; try again in {retry_after} seconds",
        window.word()
    );
    Problem::new(&RATE_LIMIT_EXCEEDED, detail)
        .with("group", RateGroup::Account)
        .with("window", window.header())
        .with("limit", requests)
        .with("retryAfterSeconds", retry_after)
        .with("violatedPolicies", ["webhook_deliveries"])
}

/// The deliveries as they are shown: those that are due wait for the next day while the limit is reached.
pub(super) async fn shown(
    state: &crate::State,
    team: &TeamKey,
    tier: Tier,
    deliveries: Vec<WebhookDelivery>,
) -> Result<Vec<WebhookDelivery>, Problem> {
    let now = state.clock.now();
    if deliveries.iter().all(|it| it.next_attempt_at.is_none())
        || !state.counters.is_webhook_limit_reached(team, webhook_deliveries(tier), now).await?
    {
        return Ok(deliveries);
    }
    let next_day = Timestamp::from_second(Window::Day.end(now)).unwrap_or(now);
    Ok(deliveries.into_iter().map(|it| it.waiting_until(next_day)).collect())
}
