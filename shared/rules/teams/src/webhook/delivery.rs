//! The deliveries of a webhook, and when they are retried.

use std::collections::BTreeMap;

use access::Environment;
use auth::TeamId;
use domain::{Uid, changes::PublishedEvent, events::CompanyEvent, history::Recorded};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    Report, StoredSearch,
    monitoring::Concerned,
    notification_id,
    screening::{Screening, ScreeningHit},
};

/// Maximum size of a delivery's body, in bytes: what CloudEvents requires every receiver to accept.
pub const MAX_BODY: usize = 65_536;
/// Maximum length of the summary in a body that would be too large, in characters.
const MAX_SUMMARY: usize = 1_000;
/// Seconds from a failed attempt to the next: after the first attempt, the second, and so on. The retries that Standard
/// Webhooks recommends.
const RETRY_SECONDS: [i64; 9] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/// Type of the event that reports new results of an alert.
const NEW_RESULTS: &str = "ch.gotthard.search.new_results";

/// Type of the event that reports new hits of a screening.
const NEW_HITS: &str = "ch.gotthard.screening.hit";

/// An event that is about no change of the register: what every event has (CloudEvents), beside its data.
struct Event<'a> {
    id: Uuid,
    kind: &'static str,
    source: &'a str,
    subject: &'a str,
    at: Timestamp,
}

impl Event<'_> {
    /// Its delivery with this id.
    fn delivery(self, id: Uuid, data: &Value) -> PendingDelivery {
        let Self { id: event_id, kind, source, subject, at } = self;
        let body = serde_json::json!({
            "specversion": "1.0",
            "id": event_id,
            "source": source,
            "type": kind,
            "subject": subject,
            "time": at,
            "datacontenttype": "application/json",
            "data": data,
        });
        let delivery = WebhookDelivery::due(id, event_id, kind.to_owned(), at);
        PendingDelivery { delivery, body: body.to_string() }
    }
}

/// The result of one request to the receiver of a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Status of the response. `None`: there was none.
    pub http_status: Option<u16>,
    /// Why the attempt failed. `None`: it succeeded.
    pub error: Option<String>,
}

impl Attempt {
    /// An attempt with a response: only statuses from 200 to 299 are a success.
    pub fn answered(status: u16) -> Self {
        let error = match status {
            200..=299 => None,
            300..=399 => {
                Some(format!("the receiver answered {status}; redirects are not followed"))
            }
            410 => Some("the receiver answered 410 (Gone)".to_owned()),
            _ => Some(format!("the receiver answered {status}")),
        };
        Self { http_status: Some(status), error }
    }

    /// An attempt with a response to a challenge: a success only if the challenge `is_returned`.
    pub fn challenged(status: u16, is_returned: bool) -> Self {
        let error = match Self::answered(status).error {
            None if is_returned => None,
            None => Some(format!("the receiver answered {status}, but not with the challenge")),
            Some(other) => Some(other),
        };
        Self { http_status: Some(status), error }
    }

    /// An attempt without a response.
    pub fn failed(error: impl Into<String>) -> Self {
        Self { http_status: None, error: Some(error.into()) }
    }

    pub fn is_success(&self) -> bool {
        self.error.is_none()
    }

    /// Whether the receiver wants no more deliveries.
    pub fn is_gone(&self) -> bool {
        self.http_status == Some(410)
    }
}

/// A delivery of a change, of new results or of new hits to a webhook, with its last attempt. Deliveries are listed for 30 days.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDelivery {
    /// Id of the delivery: the header `webhook-id`, the same for every attempt.
    #[schema(example = "0199c0de-0061-7000-8000-000000000000")]
    pub id: Uuid,
    /// Id of the event that is delivered.
    pub event_id: Uuid,
    /// Type of the event that is delivered.
    #[schema(example = "ch.gotthard.company.auditor_change")]
    pub event_type: String,
    /// Status of the delivery.
    pub status: DeliveryStatus,
    /// Number of attempts.
    pub attempt: u32,
    /// HTTP status of the last attempt. Absent if there was no response.
    pub http_status: Option<u16>,
    /// Why the last attempt failed. Absent if it succeeded, or if there was none.
    pub error_message: Option<String>,
    /// Time from which the next attempt is due. Absent if there is none.
    pub next_attempt_at: Option<Timestamp>,
    /// What the next attempt waits for, beside its time. Absent if for nothing.
    pub waits_for: Option<WaitsFor>,
    /// Time of the successful attempt. Absent if there was none.
    pub delivered_at: Option<Timestamp>,
    /// Time of the delivery: when the change was added to the change feed, when the alert ran or the subject was screened, or when
    /// it was requested again.
    pub created_at: Timestamp,
}

/// What a delivery waits for: `daily_limit` (the team has made all deliveries of the day, UTC, that its tier allows).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitsFor {
    /// The next day.
    DailyLimit,
}

/// Status of a delivery: `pending` (before the first attempt, or waiting for the next), `delivered` or `failed` (all
/// attempts failed).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStatus {
    /// Another attempt follows.
    Pending,
    /// The receiver accepted it.
    Delivered,
    /// No further attempt follows.
    Failed,
}

/// A delivery with what is sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PendingDelivery {
    pub delivery: WebhookDelivery,
    /// A CloudEvent in JSON.
    pub body: String,
}

impl WebhookDelivery {
    /// A delivery that is due at this time.
    pub fn due(id: Uuid, event_id: Uuid, event_type: String, at: Timestamp) -> Self {
        Self {
            id,
            event_id,
            event_type,
            status: DeliveryStatus::Pending,
            attempt: 0,
            http_status: None,
            error_message: None,
            next_attempt_at: Some(at),
            waits_for: None,
            delivered_at: None,
            created_at: at,
        }
    }

    /// The delivery as it is shown while the limit of the day is reached, which ends at this time.
    #[must_use]
    pub fn waiting_until(self, next_day: Timestamp) -> Self {
        match self.next_attempt_at {
            Some(at) if at < next_day => Self {
                next_attempt_at: Some(next_day),
                waits_for: Some(WaitsFor::DailyLimit),
                ..self
            },
            _ => self,
        }
    }

    /// The delivery after its only attempt, which ended at this time.
    #[must_use]
    pub fn after_last(&self, attempt: &Attempt, now: Timestamp) -> Self {
        let after = self.after(attempt, now);
        match after.status {
            DeliveryStatus::Pending => {
                Self { status: DeliveryStatus::Failed, next_attempt_at: None, ..after }
            }
            DeliveryStatus::Delivered | DeliveryStatus::Failed => after,
        }
    }

    /// The delivery after one more attempt, which ended at this time.
    #[must_use]
    pub fn after(&self, attempt: &Attempt, now: Timestamp) -> Self {
        let number = self.attempt + 1;
        let retry = RETRY_SECONDS.get(self.attempt as usize);
        let retry = retry.map(|it| now + SignedDuration::from_secs(*it));
        let (status, next_attempt_at) = match (attempt.is_success(), attempt.is_gone(), retry) {
            (true, ..) => (DeliveryStatus::Delivered, None),
            (false, false, Some(at)) => (DeliveryStatus::Pending, Some(at)),
            _ => (DeliveryStatus::Failed, None),
        };
        Self {
            status,
            attempt: number,
            http_status: attempt.http_status,
            error_message: attempt.error.clone(),
            next_attempt_at,
            delivered_at: attempt.is_success().then_some(now),
            ..self.clone()
        }
    }
}

impl PendingDelivery {
    /// The delivery of a change to a webhook. `source` is the address of the API. The same change always has the same id.
    pub fn of(
        event: &PublishedEvent,
        (team, environment): (&TeamId, Environment),
        webhook: &str,
        source: &str,
    ) -> Self {
        let (event_id, at) = (event.event.id, event.recorded_at);
        let parts = ["webhook", webhook, &event_id.to_string()];
        let id = notification_id(team, environment, at, &parts);
        let event_type = event.event.kind.event_type();
        let delivery = WebhookDelivery::due(id, event_id, event_type, at);
        Self { delivery, body: body(event, source) }
    }

    /// The delivery of what a run of an alert has found to the webhook of the alert, which has the same id. The same run always
    /// has the same delivery. `companies` are the names of those that the report lists.
    pub fn of_alert(
        alert: &StoredSearch,
        name: &str,
        report: &Report,
        companies: &BTreeMap<Uid, String>,
        (team, environment): (&TeamId, Environment),
        source: &str,
    ) -> Self {
        let (period, at) = (report.period.to_string(), report.run_at);
        let id = |kind| notification_id(team, environment, at, &[kind, &alert.id, &period]);
        let (id, event_id) = (id("alert-webhook"), id("alert-event"));
        let named = |uid: &Uid| serde_json::json!({ "uid": uid, "name": companies.get(uid) });
        let companies: Vec<_> = report.companies.iter().map(named).collect();
        let event = Event { id: event_id, kind: NEW_RESULTS, source, subject: &alert.id, at };
        event.delivery(
            id,
            &serde_json::json!({
                "alertId": alert.id,
                "alertName": name,
                "newCount": report.new,
                "totalCount": report.total,
                "companies": companies,
            }),
        )
    }

    /// The delivery of new hits, which are in the evidence, to a webhook. The same screening always has the same delivery.
    pub fn of_hits(
        concerned: &Concerned,
        screening: &Screening,
        new: &[&ScreeningHit],
        webhook: &str,
        (team, environment): (&TeamId, Environment),
        source: &str,
    ) -> Self {
        let (screened, at) = (screening.id.to_string(), screening.screened_at);
        // An officer of several companies is screened once, and may be a hit of each of them.
        let subject = concerned.company_uid.map_or(screened.clone(), |it| it.to_string());
        let id =
            notification_id(team, environment, at, &["hits-webhook", webhook, &screened, &subject]);
        let event_id = notification_id(team, environment, at, &["hits-event", &screened, &subject]);
        let hit = |it: &&ScreeningHit| {
            serde_json::json!({
                "id": it.id(),
                "list": it.list,
                "name": it.name,
                "score": it.score,
                "riskLevel": it.risk_level,
                "sourceUrl": it.source_url,
            })
        };
        let event = Event { id: event_id, kind: NEW_HITS, source, subject: &subject, at };
        event.delivery(
            id,
            &serde_json::json!({
                "screeningId": screening.id,
                "subjectName": concerned.name,
                "officerOf": concerned.officer_of(),
                "parentOf": concerned.parent_of(),
                "companyUid": concerned.company_uid,
                "watchlistIds": concerned.watchlist_ids,
                "hits": new.iter().map(hit).collect::<Vec<_>>(),
            }),
        )
    }

    /// The delivery as it is due again at this time, from the first attempt on.
    #[must_use]
    pub fn repeated(self, at: Timestamp) -> Self {
        let WebhookDelivery { id, event_id, event_type, .. } = self.delivery;
        Self { delivery: WebhookDelivery::due(id, event_id, event_type, at), body: self.body }
    }

    /// The delivery of an event that asks the receiver to return a challenge.
    pub fn verify(id: Uuid, challenge: &str, source: &str, webhook: &str, at: Timestamp) -> Self {
        let kind = "ch.gotthard.webhook.verify";
        Event { id, kind, source, subject: webhook, at }.delivery(id, &serde_json::json!({
            "challenge": challenge,
            "message": "Return the challenge, as {\"challenge\": \"…\"} or as text, to receive deliveries.",
        }))
    }

    /// The delivery of an event that is sent on request, to test the receiver.
    pub fn test(id: Uuid, source: &str, webhook: &str, at: Timestamp) -> Self {
        let kind = "ch.gotthard.webhook.test";
        Event { id, kind, source, subject: webhook, at }.delivery(
            id,
            &serde_json::json!({ "message": "A test delivery. Nothing has changed." }),
        )
    }
}

/// The change as a CloudEvent in JSON. A change that would be too large is sent without its values, and with the beginning
/// of its summary.
fn body(event: &PublishedEvent, source: &str) -> String {
    let mut event = CompanyEvent::of(&Recorded::from(event.clone()), source).event;
    let mut json = text_of(&event);
    if json.len() > MAX_BODY {
        (event.data.old_value, event.data.new_value) = (None, None);
        let summary = &event.data.summary;
        event.data.summary = summary.chars().take(MAX_SUMMARY).collect();
        json = text_of(&event);
    }
    json
}

fn text_of(value: &impl Serialize) -> String {
    #[expect(clippy::expect_used, reason = "a CloudEvent has no maps with other keys than text")]
    serde_json::to_string(value).expect("plain data")
}
