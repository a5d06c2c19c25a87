//! One change of a company, also in the change feed.

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};
use uuid::Uuid;

use super::{kind::ChangeKind, legal_events::LegalEvent, severity::Severity};
use crate::{
    Amount, Canton, Provenance, Uid,
    erased::{ERASED_COMPANY, ERASED_PERSON},
};

/// One change of a company, as one publication states it.
///
/// It is derived from that publication alone, so that neither the order nor the repetition of files
/// changes it; only the legal events about the board, owners and auditor need the company's earlier publications. If the
/// publication is later interpreted differently, that makes a new event.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// UUIDv5 of the publication, kind, field and subject. If the content of an event changes later, the
    /// new event gets a new id, so that an id always identifies the same content.
    pub id: Uuid,
    /// Company number.
    pub uid: Uid,
    /// Name of the company, as in the publication.
    pub company_name: String,
    /// Canton of the seat, as in the publication.
    pub canton: Option<Canton>,
    /// Change type.
    pub kind: ChangeKind,
    /// What changed: one of [`ChangedField::ALL`].
    pub field: Option<String>,
    /// Value before the change.
    pub old_value: Option<String>,
    /// Value after the change.
    pub new_value: Option<String>,
    /// Currencies of the values before and after, if these are amounts.
    #[serde(default)]
    pub currencies: Option<[String; 2]>,
    /// Summary in one English sentence.
    pub summary: String,
    /// Date of the publication.
    pub date: Date,
    /// The publication.
    pub source: Provenance,
    /// Person or auditor concerned.
    pub subject: Option<Subject>,
    /// Legal event. Absent if the change type says everything, or if the event could not be recognised with certainty.
    #[serde(default)]
    pub legal_event: Option<LegalEvent>,
    /// Date of the entry in the register's journal, from which the change has legal effect. Absent if it is not stated.
    #[serde(default)]
    pub journal_date: Option<Date>,
    /// Date of the court's decision or of the resolution. Absent if it is not stated.
    #[serde(default)]
    pub decision_date: Option<Date>,
    /// Amounts of a demerger or a transfer of assets. Absent if none is stated.
    #[serde(default)]
    pub transfer: Option<Transfer>,
}

/// Amounts of a demerger or a transfer of assets, in units of `currency`.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Transfer {
    /// Assets that are transferred. Absent if they are not stated.
    pub assets: Option<Amount>,
    /// Liabilities that are transferred. Absent if they are not stated.
    pub liabilities: Option<Amount>,
    /// Price for the transferred assets (consideration). Absent if it is not stated.
    pub consideration: Option<Amount>,
    /// Currency: ISO 4217 code.
    #[schema(example = "CHF")]
    pub currency: String,
}

/// The schema of [`Event::field`].
pub struct ChangedField;

impl ChangedField {
    /// Every value.
    pub const ALL: [&str; 23] = [
        "name",
        "legalForm",
        "legalSeat",
        "address",
        "purpose",
        "shareCapital",
        "paidInCapital",
        "participationCapital",
        "paidInParticipationCapital",
        "possibleCapital",
        "shares",
        "contribution",
        "auditorOptOut",
        "auditorName",
        "auditor",
        "persons",
        "status",
        "hasTakenOver",
        "wasTakenOverBy",
        "merger",
        "demerger",
        "assetTransfer",
        "statutes",
    ];
}

impl PartialSchema for ChangedField {
    fn schema() -> RefOr<Schema> {
        let description = "What a change concerns. Most values are fields of the company record. The others: `address` \
            (all fields of the address), `persons` (an officer or signatory), `auditor` (the entry of an auditor who \
            stays), `paidInCapital`, `participationCapital` and `paidInParticipationCapital` (capital that records do \
            not contain), `possibleCapital` (capital that the board may create), `shares` (their kind or nominal value), \
            `contribution` (what is contributed or acquired in kind), and `hasTakenOver`, `wasTakenOverBy`, `merger` (the \
            text does not say who takes over whom), `demerger` and `assetTransfer`, each of which names the other company.";
        let text = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(Self::ALL));
        text.description(Some(description)).into()
    }
}

impl ToSchema for ChangedField {}

/// Person, auditor or other company that a change concerns.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    /// Id of the person. Absent if the subject is not a person.
    pub person_id: Option<Uuid>,
    /// Company number of the subject. Absent if it is not in the register.
    pub uid: Option<Uid>,
    /// Name, as in the publication.
    pub name: String,
}

impl Event {
    /// What remains of an event of an erased company: its id, its date and its place in the feed.
    #[must_use]
    pub fn erased(&self) -> Self {
        let source = Provenance { reference: None, ..self.source.clone() };
        Self {
            id: self.id,
            uid: Uid::ERASED,
            company_name: ERASED_COMPANY.to_owned(),
            canton: None,
            kind: ChangeKind::Erased,
            field: None,
            old_value: None,
            new_value: None,
            currencies: None,
            summary: format!("{ERASED_COMPANY} was erased"),
            date: self.date,
            source,
            subject: None,
            legal_event: None,
            journal_date: None,
            decision_date: None,
            transfer: None,
        }
    }

    /// Whether something of its content was erased.
    pub fn is_redacted(&self) -> bool {
        let values = self.old_value.iter().chain(&self.new_value).chain([&self.summary]);
        let names = self.subject.iter().map(|it| &it.name);
        let mut texts = values.chain(names);
        texts.any(|it| it.contains(ERASED_COMPANY) || it.contains(ERASED_PERSON))
    }

    /// Start of the publication date in UTC. Publications have a date but no time.
    pub fn time(&self) -> Timestamp {
        midnight(self.date)
    }

    /// Importance for business partners of the company: that of the legal event, or else that of the change type.
    pub fn severity(&self) -> Severity {
        self.legal_event.map_or_else(|| self.kind.severity(), LegalEvent::severity)
    }

    /// Whether the event changes no field of the record. Lists leave such events out by default.
    pub fn is_internal(&self) -> bool {
        self.kind.is_internal()
    }
}

/// Start of a day in UTC. The last day of the year 9999 is outside the range of timestamps; for it, the
/// last timestamp is returned.
pub fn midnight(day: Date) -> Timestamp {
    let start = day.to_zoned(TimeZone::UTC).map(|it| it.timestamp());
    start.unwrap_or(if day.year() > 0 { Timestamp::MAX } else { Timestamp::MIN })
}

/// An event in the change feed, with its permanent sequence number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishedEvent {
    /// Sequence number, from 1 and without gaps, in the order in which events were added to the feed.
    pub sequence: u64,
    /// Time at which the event was added to the feed.
    pub recorded_at: Timestamp,
    /// Ids of earlier events of the same company that this event replaces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<Uuid>,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
}
