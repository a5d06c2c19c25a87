//! Webhooks: which changes they get, how deliveries are retried, and when a webhook is disabled.

mod delivery;
mod state;
#[cfg(test)]
mod tests;

use auth::{Principal, SignatureScheme};
use domain::{
    Uid,
    changes::{ChangeKind, PublishedEvent, Severity},
    search::WantedChangeKind,
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_with::skip_serializing_none;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};
use uuid::Uuid;

pub use self::{
    delivery::{Attempt, DeliveryStatus, MAX_BODY, PendingDelivery, WaitsFor, WebhookDelivery},
    state::{Backlog, Disabled, DisabledReason, Dropped, Verification, WebhookState},
};
use crate::{
    Alert, PausedReason, Watcher,
    monitoring::Concerned,
    watch::{WatchingTeam, is_recent},
};

/// Maximum number of keys that sign the deliveries of a webhook at the same time.
const MAX_KEYS: usize = 4;

/// An address to which changes, or new results of an alert, are sent.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StoredWebhook)]
pub struct Webhook {
    /// Id of the webhook.
    #[schema(example = "0199c0de-0060-7000-8000-000000000000")]
    pub id: String,
    /// Address to which changes are sent.
    #[schema(example = "https://example.com/hooks/gotthard")]
    pub url: String,
    /// Description. Empty if none was given.
    pub description: String,
    /// Change types that are delivered, and `screening.hit` if new hits are. Empty: all change types except `other`, and no hits.
    pub event_filters: Vec<EventFilter>,
    /// Companies whose changes are delivered, in addition to those of `watchlistFilters` and `watchedOnly`.
    #[schema(value_type = Vec<String>, example = json!(["CHE-812.460.660"]))]
    pub company_filters: Vec<Uid>,
    /// Watchlists whose companies' changes are delivered.
    pub watchlist_filters: Vec<String>,
    /// Whether changes of the companies that the team watches, directly or in watchlists, are delivered, in addition to
    /// those of `companyFilters` and `watchlistFilters`. If this is `false`, and there are no companies and watchlists,
    /// changes of all companies in the register are delivered.
    pub watched_only: bool,
    /// Lowest severity that is delivered.
    pub minimum_severity: Severity,
    /// Alert whose new results are delivered, instead of changes. Absent for a webhook of changes.
    #[schema(example = "0199c0de-0021-7000-8000-000000000000")]
    pub alert_id: Option<String>,
    /// Whether changes are delivered.
    pub status: WebhookStatus,
    /// Keys that sign deliveries, newest first: the current one, and those that it replaced a short time ago.
    pub signing_keys: Vec<WebhookSigningKey>,
    /// Last sequence number of the change feed when the webhook was created. Only later changes are delivered.
    pub after_sequence: u64,
    /// Who created the webhook.
    pub created_by: Principal,
    /// Time when the webhook was created.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

/// Status of a webhook: `active`, `paused` (by the team) or `disabled` (the receiver answered 410, or no attempt succeeded
/// for 72 hours and at least ten failed). Changes are delivered only while it is `active`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookStatus {
    /// Changes are delivered.
    Active,
    /// The team has paused it.
    Paused,
    /// The receiver does not accept deliveries.
    Disabled,
}

/// A key that signs deliveries. The key itself is not stored.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookSigningKey {
    /// Random id of the key.
    pub id: Uuid,
    /// How the key signs.
    pub scheme: SignatureScheme,
    /// Public key that verifies signatures of the scheme `v1a`. Absent for `v1`.
    #[schema(example = "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")]
    pub public_key: Option<String>,
    /// Time when the key was created.
    pub created_at: Timestamp,
    /// Time at which the key stops signing. Absent for the current key.
    pub expires_at: Option<Timestamp>,
}

/// What a webhook gets: changes of one type, `company.changed` for changes of all types except `other` and `erased`, or `screening.hit` for
/// new hits of monitored subjects and watched companies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventFilter {
    /// All types that change a field of the record.
    Any,
    /// New hits that an update of a screening list leads to.
    ScreeningHits,
    /// This type.
    Kind(ChangeKind),
}

/// The name of [`EventFilter::Any`].
const ANY: &str = "company.changed";
/// The name of [`EventFilter::ScreeningHits`].
const SCREENING_HITS: &str = "screening.hit";

impl EventFilter {
    fn name(self) -> &'static str {
        match self {
            Self::Any => ANY,
            Self::ScreeningHits => SCREENING_HITS,
            Self::Kind(kind) => kind.code(),
        }
    }

    fn accepts(self, kind: ChangeKind) -> bool {
        match self {
            Self::Any => !kind.is_internal(),
            Self::ScreeningHits => false,
            Self::Kind(wanted) => wanted == kind,
        }
    }
}

impl Serialize for EventFilter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for EventFilter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = String::deserialize(deserializer)?;
        if given.eq_ignore_ascii_case(ANY) {
            return Ok(Self::Any);
        }
        if given.eq_ignore_ascii_case(SCREENING_HITS) {
            return Ok(Self::ScreeningHits);
        }
        let kind: Result<WantedChangeKind, _> = given.parse();
        kind.map(|it| Self::Kind(it.0)).map_err(|it| {
            D::Error::custom(format_args!("{it}. Accepted too: `{ANY}` and `{SCREENING_HITS}`"))
        })
    }
}

impl PartialSchema for EventFilter {
    fn schema() -> RefOr<Schema> {
        let kinds = ChangeKind::ALL.map(ChangeKind::code);
        let values = [ANY, SCREENING_HITS].into_iter().chain(kinds);
        let description = format!(
            "What a webhook receives. `{ANY}`: changes of all types except `other` and `erased`. `{SCREENING_HITS}`: new hits of monitored \
             subjects and watched companies. Other values are change types.{}",
            ChangeKind::meanings()
        );
        let text = ObjectBuilder::new().schema_type(Type::String);
        text.enum_values(Some(values)).description(Some(description)).into()
    }
}

impl ToSchema for EventFilter {}

impl Webhook {
    /// The webhook of an alert, which has the same id.
    pub fn of_alert(alert: &Alert, url: String, key: WebhookSigningKey) -> Self {
        Self {
            id: alert.id.clone(),
            url,
            description: alert.name.clone(),
            event_filters: Vec::new(),
            company_filters: Vec::new(),
            watchlist_filters: Vec::new(),
            watched_only: false,
            minimum_severity: Severity::Low,
            alert_id: Some(alert.id.clone()),
            status: WebhookStatus::Active,
            signing_keys: vec![key],
            after_sequence: 0,
            created_by: alert.created_by.clone(),
            created_at: alert.created_at,
            updated_at: alert.created_at,
        }
    }

    /// Whether changes of all companies in the register are delivered.
    pub fn is_about_all(&self) -> bool {
        self.alert_id.is_none() && !self.is_about_watched() && self.company_filters.is_empty()
    }

    /// Whether changes of companies that the team watches are delivered.
    pub fn is_about_watched(&self) -> bool {
        self.watched_only || !self.watchlist_filters.is_empty()
    }

    /// Whether the change is delivered. `watchers` are those of the company, of all teams; `team` is what is known of the
    /// webhook's team. Changes up to the sequence number `after` are not delivered.
    pub fn accepts<'a>(
        &self,
        event: &PublishedEvent,
        after: u64,
        watchers: impl IntoIterator<Item = &'a Watcher>,
        team: Option<&WatchingTeam>,
    ) -> bool {
        let (filters, kind) = (&self.event_filters, event.event.kind);
        let is_wanted = if filters.is_empty() {
            EventFilter::Any.accepts(kind)
        } else {
            filters.iter().any(|it| it.accepts(kind))
        };
        let is_wanted = is_wanted
            && event.event.severity() >= self.minimum_severity
            && event.sequence > after
            && is_recent(event);
        let is_watched = |watcher: &Watcher| match &watcher.watchlist {
            Some(list) => self.watched_only || self.watchlist_filters.contains(list),
            None => self.watched_only && watcher.webhook.is_none(),
        };
        let is_watched = |watcher: &Watcher| {
            is_watched(watcher) && team.is_some_and(|it| it.is_present(watcher))
        };
        is_wanted
            && (self.is_about_all()
                || self.company_filters.contains(&event.event.uid)
                || watchers.into_iter().any(is_watched))
    }

    /// Whether new hits are delivered, of any subject or company.
    pub fn wants_hits(&self) -> bool {
        self.event_filters.contains(&EventFilter::ScreeningHits)
    }

    /// Whether new hits about this subject are delivered. With filters of companies: those of companies that a filter names, and
    /// those of monitored subjects whose number is in `companyFilters`.
    pub fn accepts_hits(&self, concerned: &Concerned) -> bool {
        let is_named = |it: &Uid| self.company_filters.contains(it);
        self.wants_hits()
            && (self.is_about_all()
                || concerned.company_uid.as_ref().is_some_and(is_named)
                || (self.watched_only && concerned.is_watched)
                || concerned.watchlist_ids.iter().any(|it| self.watchlist_filters.contains(it)))
    }

    /// The keys that sign at this time, newest first.
    pub fn valid_keys(&self, now: Timestamp) -> impl Iterator<Item = &WebhookSigningKey> {
        self.signing_keys.iter().filter(move |it| it.expires_at.is_none_or(|at| at > now))
    }

    /// The webhook with a new key. The other keys sign until the end of `overlap`; without one, they sign no more.
    #[must_use]
    pub fn rotated(&self, new: WebhookSigningKey, overlap: SignedDuration, now: Timestamp) -> Self {
        let end = now + overlap;
        let old = self.valid_keys(now).cloned().map(|it| WebhookSigningKey {
            expires_at: Some(it.expires_at.map_or(end, |at| at.min(end))),
            ..it
        });
        let old = old.filter(|_| overlap > SignedDuration::ZERO);
        let signing_keys = std::iter::once(new).chain(old).take(MAX_KEYS).collect();
        Self { signing_keys, updated_at: now, ..self.clone() }
    }
}

/// A webhook, and the state of its receiver.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Webhook)]
pub struct WebhookView {
    #[serde(flatten)]
    pub webhook: Webhook,
    /// Time of the first failed attempt after the last successful one. Absent if the last attempt succeeded.
    pub failing_since: Option<Timestamp>,
    /// Time when the webhook was disabled. Absent if it is not.
    pub disabled_at: Option<Timestamp>,
    /// Why the webhook was disabled. Absent if it is not.
    pub disabled_reason: Option<DisabledReason>,
    /// Whether the receiver has returned the challenge of an event `ch.gotthard.webhook.verify` that was sent to this address. Nothing
    /// else is sent before.
    pub verified: bool,
    /// Time when the receiver returned the challenge. Absent if it did not.
    pub verified_at: Option<Timestamp>,
    /// Why the receiver is not verified: what was wrong with its last answer. Absent if it is verified, or was not asked.
    #[schema(example = "the receiver answered 200, but not with the challenge")]
    pub verification_error: Option<String>,
    /// Why nothing is delivered at present, whatever the status. Absent if the tier allows the webhook.
    pub paused_reason: Option<PausedReason>,
    /// Number of changes that were left out, because the deliveries of the day (UTC) were used up and as many waited as may. A replay
    /// delivers them. Absent if none were since the status was last set to `active`.
    #[schema(minimum = 1)]
    pub dropped_count: Option<u64>,
    /// Time of the first of them.
    pub dropped_since: Option<Timestamp>,
}

impl WebhookView {
    pub fn new(
        webhook: Webhook,
        state: &WebhookState,
        paused_reason: Option<PausedReason>,
    ) -> Self {
        let verification = state.verification_of(&webhook.url);
        let disabled = state.disabled.as_ref();
        let status = if disabled.is_some() { WebhookStatus::Disabled } else { webhook.status };
        Self {
            failing_since: state.failing_since,
            disabled_at: disabled.map(|it| it.at),
            disabled_reason: disabled.map(|it| it.reason),
            verified: state.is_verified(&webhook.url),
            verified_at: verification.and_then(|it| it.verified_at),
            verification_error: verification.and_then(|it| it.error.clone()),
            paused_reason,
            dropped_count: state.dropped.as_ref().map(|it| it.number),
            dropped_since: state.dropped.as_ref().map(|it| it.since),
            webhook: Webhook { status, ..webhook },
        }
    }
}

/// A request to deliver changes again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookReplay {
    /// Changes from this time on are delivered, by the time when they were added to the change feed.
    pub from: Timestamp,
    /// Changes before this time are delivered.
    pub to: Timestamp,
    /// Time of the request.
    pub requested_at: Timestamp,
}
