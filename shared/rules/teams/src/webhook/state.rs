//! What is known of the receiver of a webhook, and when the webhook is disabled.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::delivery::Attempt;

/// A webhook is disabled if no attempt has succeeded for this long, and at least [`MIN_FAILURES`] have failed. The retries
/// of one delivery take a little longer.
const MAX_FAILING: SignedDuration = SignedDuration::from_hours(72);
const MIN_FAILURES: u32 = 10;

/// Why a webhook was disabled: `gone` (the receiver answered 410) or `failing` (no attempt succeeded for 72 hours and at
/// least ten failed).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisabledReason {
    /// The receiver answered 410 (Gone).
    Gone,
    /// No attempt succeeded for 72 hours, and at least ten failed.
    Failing,
}

/// What is known of the receiver of a webhook. The default: nothing has failed.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookState {
    /// Time of the first failed attempt after the last successful one.
    pub failing_since: Option<Timestamp>,
    /// Number of failed attempts after the last successful one.
    pub failures: u32,
    pub disabled: Option<Disabled>,
    /// Whether a receiver has proven itself. `None`: it was never asked.
    pub verification: Option<Verification>,
    /// What waits because the deliveries of the day are used up. `None`: they are not.
    pub backlog: Option<Backlog>,
    /// What was left out because as much waited as may.
    pub dropped: Option<Dropped>,
}

/// The deliveries of a webhook that wait for the next day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Backlog {
    pub waiting: u32,
    pub max: u32,
}

impl Backlog {
    /// The number of deliveries that can be added.
    pub fn room(&self) -> usize {
        self.max.saturating_sub(self.waiting) as usize
    }
}

/// Deliveries that were not added to a backlog.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dropped {
    pub number: u64,
    /// Time of the first one.
    pub since: Timestamp,
    /// Whether the team was notified of this backlog.
    pub is_notified: bool,
}

/// Whether the receiver at an address has returned the challenge that was sent to it. Another address has to prove itself again.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    pub url: String,
    /// Time of the right answer. `None`: there was none.
    pub verified_at: Option<Timestamp>,
    /// What was wrong with the last answer. `None`: nothing, or there was no request yet.
    pub error: Option<String>,
}

impl Verification {
    /// The receiver at this address has proven itself.
    pub fn proven(url: &str, at: Timestamp) -> Self {
        Self { url: url.to_owned(), verified_at: Some(at), error: None }
    }

    /// The receiver at this address has not proven itself.
    pub fn unproven(url: &str, error: Option<String>) -> Self {
        Self { url: url.to_owned(), verified_at: None, error }
    }
}

/// That a webhook was disabled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Disabled {
    pub at: Timestamp,
    pub reason: DisabledReason,
    /// Whether the team was notified.
    pub is_notified: bool,
}

impl WebhookState {
    /// What is known of this address. `None`: nothing.
    pub fn verification_of(&self, url: &str) -> Option<&Verification> {
        self.verification.as_ref().filter(|it| it.url == url)
    }

    /// Whether the receiver at this address has proven itself.
    pub fn is_verified(&self, url: &str) -> bool {
        self.verification_of(url).is_some_and(|it| it.verified_at.is_some())
    }

    /// The state of a receiver that nothing has failed at.
    #[must_use]
    pub fn without_failures(&self) -> Self {
        Self { failing_since: None, failures: 0, disabled: None, ..self.clone() }
    }

    /// After deliveries were added to the backlog, and this number was left out, the first of this time.
    pub fn added_to_backlog(&mut self, added: usize, dropped: usize, since: Timestamp) {
        let Some(backlog) = &mut self.backlog else { return };
        let added = u32::try_from(added).unwrap_or(u32::MAX);
        backlog.waiting = backlog.waiting.saturating_add(added);
        if dropped > 0 {
            let new = Dropped { number: 0, since, is_notified: false };
            let all = self.dropped.get_or_insert(new);
            all.number = all.number.saturating_add(dropped as u64);
        }
    }

    /// After deliveries are made again.
    pub fn end_backlog(&mut self) {
        self.backlog = None;
        if let Some(dropped) = &mut self.dropped {
            dropped.is_notified = false;
        }
    }

    /// The state after attempts that ended at this time.
    #[must_use]
    pub fn after(&self, attempts: &[Attempt], now: Timestamp) -> Self {
        let failed = attempts.iter().filter(|it| !it.is_success()).count();
        let is_gone = attempts.iter().any(Attempt::is_gone);
        let mut state =
            if failed < attempts.len() { self.without_failures() } else { self.clone() };
        if failed == attempts.len() && failed > 0 {
            state.failing_since.get_or_insert(now);
            state.failures =
                state.failures.saturating_add(u32::try_from(failed).unwrap_or(u32::MAX));
        }
        let since = state.failing_since.unwrap_or(now);
        let is_failing = state.failures >= MIN_FAILURES && now.duration_since(since) >= MAX_FAILING;
        let reason = match (is_gone, is_failing) {
            (true, _) => Some(DisabledReason::Gone),
            (false, true) => Some(DisabledReason::Failing),
            (false, false) => None,
        };
        state.disabled = reason.map(|reason| Disabled { at: now, reason, is_notified: false });
        state
    }
}
