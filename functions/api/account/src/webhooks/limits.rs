//! The deliveries on one day (UTC): those that nobody waits for are made on the next day; others are refused. And the tests and
//! challenges, during which a request waits for a receiver.

use access::{Allowance, RateGroup, Tier, Window, webhook_deliveries};
use auth::Caller;
use http_service::short_limits::{Limited, count};
use jiff::Timestamp;
use problem_details::{Problem, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE};
use store::{CountError, Counted, MailWindow, Subject};
use teams::{Webhook, WebhookDelivery};
use url::Url;

/// Maximum number of tests, and of challenges, that a team and the person who is responsible cause in 10 minutes. The Free teams of
/// one creator are one team.
const MAX_IMMEDIATE: u32 = 10;
/// Tests and challenges that all Free teams together send to one host in 10 minutes.
const MAX_TO_HOST: u32 = 30;
/// Tests and challenges that all Free teams together send in 10 minutes. A receiver can make each take 15 seconds.
const MAX_OF_FREE: u32 = 300;

pub(super) const TESTS: Limited = Limited {
    group: RateGroup::Account,
    policy: "webhook_tests",
    allowed: "test deliveries",
    plural: "test deliveries",
    singular: "test delivery",
    window: MailWindow::TenMinutes,
};

pub(super) const CHALLENGES: Limited = Limited {
    group: RateGroup::Account,
    policy: "webhook_verifications",
    allowed: "verifications of webhooks",
    plural: "verifications of webhooks",
    singular: "verification of a webhook",
    window: MailWindow::TenMinutes,
};

const TO_HOST: Limited = Limited {
    group: RateGroup::Account,
    policy: "webhook_hosts",
    allowed: "tests and verifications of webhooks of all Free teams at one host",
    plural: "tests and verifications of webhooks",
    singular: "test or verification of a webhook",
    window: MailWindow::TenMinutes,
};

const OF_FREE: Limited =
    Limited { allowed: "tests and verifications of webhooks of all Free teams", ..TO_HOST };

/// Counts a test or a challenge by those who cause it, or refuses it with 429.
pub(super) async fn count_request(
    state: &crate::State,
    caller: &Caller,
    kind: &Limited,
    now: Timestamp,
) -> Result<(), Problem> {
    let person = caller.responsible().map(|it| format!("user#{it}"));
    for of in [Some(Subject::of(caller).to_string()), person].into_iter().flatten() {
        let subject = format!("{}#{of}", kind.policy);
        count(&state.counters, kind, &subject, MAX_IMMEDIATE, now).await?;
    }
    Ok(())
}

/// Counts a test or a challenge by its receiver and as a delivery of the day, or refuses it with 429.
pub(super) async fn count_immediate(
    state: &crate::State,
    caller: &Caller,
    webhook: &Webhook,
    now: Timestamp,
) -> Result<(), Problem> {
    // Paying teams are known.
    if caller.tier() == Tier::Free {
        let url = Url::parse(&webhook.url).ok();
        let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
        let to_host = format!("receivers#host#{host}");
        count(&state.counters, &TO_HOST, &to_host, MAX_TO_HOST, now).await?;
        count(&state.counters, &OF_FREE, "receivers#free", MAX_OF_FREE, now).await?;
    }
    count_delivery(state, caller, now).await
}

/// Takes back a delivery that was counted at this time and not sent. If this fails, it stays counted.
pub(super) async fn refund(state: &crate::State, caller: &Caller, counted_at: Timestamp) {
    let (subject, allowance) = (Subject::of(caller), webhook_deliveries(caller.tier()));
    let counters = &state.counters;
    let refunded = counters.refund_webhook_deliveries(&subject, 1, allowance, counted_at).await;
    if let Err(failure) = refunded {
        tracing::warn!(failure = errors::chain(&failure), "a delivery stays counted");
    }
}

/// Counts a delivery that is made at once, or refuses it with 429.
async fn count_delivery(
    state: &crate::State,
    caller: &Caller,
    now: Timestamp,
) -> Result<(), Problem> {
    let (tier, subject) = (caller.tier(), Subject::of(caller));
    let allowance = webhook_deliveries(tier);
    match state.counters.count_webhook_deliveries(&subject, 1, allowance, now).await {
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
    caller: &Caller,
    now: Timestamp,
) -> Result<(), Problem> {
    let (tier, subject) = (caller.tier(), Subject::of(caller));
    let allowance = webhook_deliveries(tier);
    match state.counters.is_webhook_limit_reached(&subject, allowance, now).await? {
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
    caller: &Caller,
    deliveries: Vec<WebhookDelivery>,
) -> Result<Vec<WebhookDelivery>, Problem> {
    if deliveries.iter().all(|it| it.next_attempt_at.is_none()) {
        return Ok(deliveries);
    }
    let (subject, allowance) = (Subject::of(caller), webhook_deliveries(caller.tier()));
    let now = state.clock.now();
    if !state.counters.is_webhook_limit_reached(&subject, allowance, now).await? {
        return Ok(deliveries);
    }
    let next_day = Timestamp::from_second(Window::Day.end(now)).unwrap_or(now);
    Ok(deliveries.into_iter().map(|it| it.waiting_until(next_day)).collect())
}
