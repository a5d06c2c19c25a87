//! Changes of a company: the change types that the register publishes, and one event.

mod legal_events;

use std::{fmt, str::FromStr};

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};
use uuid::Uuid;

use crate::{Amount, Canton, Provenance, Uid, text};

pub use legal_events::LegalEvent;

/// Change type. `publication_cancelled`: the gazette withdrew a publication. `other`: the publication
/// changes no field of the record. `/v1/reference/change-types` lists all change types with their names.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// Entry in the register.
    NewRegistration,
    /// Change of name.
    NameChange,
    /// Change of legal form.
    LegalFormChange,
    /// Change of seat.
    SeatChange,
    /// Change of address.
    AddressChange,
    /// Change of purpose.
    PurposeChange,
    /// Change of capital.
    CapitalChange,
    /// Change of officers, partners or signatures.
    BoardChange,
    /// Change of auditor.
    AuditorChange,
    /// The company waived the limited audit, or revoked the waiver.
    AuditOptOut,
    /// Merger, demerger or transfer of assets.
    Merger,
    /// Dissolution and liquidation.
    Liquidation,
    /// Bankruptcy or moratorium.
    Bankruptcy,
    /// A dissolution or bankruptcy was revoked.
    Revocation,
    /// Deletion from the register.
    Deletion,
    /// Re-entry in the register after a deletion.
    ReRegistration,
    /// The gazette withdrew a publication. Its content is no longer part of the history.
    PublicationCancelled,
    /// A publication that changes no field of the record.
    Other,
    /// Change of the articles of association.
    StatutesChange,
    /// A publication corrects or supplements an earlier one.
    Correction,
    /// A branch is entered, is deleted or cannot be deleted yet.
    BranchChange,
}

/// Importance of a change for business partners of the company. If the change has a legal event, it decides
/// (`LegalEvent` states the severity of each). Otherwise the change type decides.
/// `critical`: `bankruptcy`. `high`: `liquidation`, `deletion`, `merger`. `low`: `new_registration`, `address_change`,
/// `purpose_change`, `statutes_change`, `branch_change`, `other`. `medium`: all other types.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// For example a change of address.
    Low,
    /// For example a change of capital.
    Medium,
    /// For example a merger.
    High,
    /// Bankruptcy.
    Critical,
}

impl Severity {
    /// Name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }

    /// Value of `severitytext` in the CloudEvents severity extension.
    pub fn text(self) -> SeverityText {
        match self {
            Self::Low => SeverityText::Info,
            Self::Medium => SeverityText::Warn,
            Self::High => SeverityText::Error,
            Self::Critical => SeverityText::Fatal,
        }
    }

    /// Value of `severitynumber` in the CloudEvents severity extension: the severity numbers of
    /// OpenTelemetry's log data model.
    pub fn number(self) -> u8 {
        match self {
            Self::Low => 9,
            Self::Medium => 13,
            Self::High => 17,
            Self::Critical => 21,
        }
    }
}

/// Severity by the short names of OpenTelemetry's log data model: `INFO` for `low`, `WARN` for `medium`, `ERROR` for
/// `high`, `FATAL` for `critical`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum SeverityText {
    /// `low`.
    Info,
    /// `medium`.
    Warn,
    /// `high`.
    Error,
    /// `critical`.
    Fatal,
}

impl ChangeKind {
    /// Whether such events change no field of the record.
    pub fn is_internal(self) -> bool {
        self == Self::Other
    }

    /// Every kind, from entry in the register to deletion, then those that were added later: an index stores the position,
    /// which must not change.
    pub const ALL: [Self; 21] = [
        Self::NewRegistration,
        Self::NameChange,
        Self::LegalFormChange,
        Self::SeatChange,
        Self::AddressChange,
        Self::PurposeChange,
        Self::CapitalChange,
        Self::BoardChange,
        Self::AuditorChange,
        Self::AuditOptOut,
        Self::Merger,
        Self::Liquidation,
        Self::Bankruptcy,
        Self::Revocation,
        Self::Deletion,
        Self::ReRegistration,
        Self::PublicationCancelled,
        Self::Other,
        Self::StatutesChange,
        Self::Correction,
        Self::BranchChange,
    ];

    /// Name in requests and responses (`category`, `changeType`).
    pub fn code(self) -> &'static str {
        match self {
            Self::NewRegistration => "new_registration",
            Self::NameChange => "name_change",
            Self::LegalFormChange => "legal_form_change",
            Self::SeatChange => "seat_change",
            Self::AddressChange => "address_change",
            Self::PurposeChange => "purpose_change",
            Self::CapitalChange => "capital_change",
            Self::BoardChange => "board_change",
            Self::AuditorChange => "auditor_change",
            Self::AuditOptOut => "audit_opt_out",
            Self::Merger => "merger",
            Self::Liquidation => "liquidation",
            Self::Bankruptcy => "bankruptcy",
            Self::Revocation => "revocation",
            Self::Deletion => "deletion",
            Self::ReRegistration => "re_registration",
            Self::PublicationCancelled => "publication_cancelled",
            Self::Other => "other",
            Self::StatutesChange => "statutes_change",
            Self::Correction => "correction",
            Self::BranchChange => "branch_change",
        }
    }

    /// English name.
    pub fn name(self) -> &'static str {
        match self {
            Self::NewRegistration => "Entry in the register",
            Self::NameChange => "Change of name",
            Self::LegalFormChange => "Change of legal form",
            Self::SeatChange => "Change of seat",
            Self::AddressChange => "Change of address",
            Self::PurposeChange => "Change of purpose",
            Self::CapitalChange => "Change of capital",
            Self::BoardChange => "Change of officers, partners or signatures",
            Self::AuditorChange => "Change of auditor",
            Self::AuditOptOut => "Waiver of the limited audit",
            Self::Merger => "Merger, demerger or transfer of assets",
            Self::Liquidation => "Dissolution and liquidation",
            Self::Bankruptcy => "Bankruptcy or moratorium",
            Self::Revocation => "Revocation of a dissolution or bankruptcy",
            Self::Deletion => "Deletion from the register",
            Self::ReRegistration => "Re-entry in the register",
            Self::PublicationCancelled => "Publication withdrawn",
            Self::Other => "Other publication",
            Self::StatutesChange => "Change of the articles of association",
            Self::Correction => "Correction of a publication",
            Self::BranchChange => "Change of a branch",
        }
    }

    /// Every change type with its name, for the description of a schema.
    pub fn meanings() -> String {
        Self::ALL.map(|it| format!(" `{}`: {}.", it.code(), it.name())).concat()
    }

    /// Importance of a change of this type, if it has no legal event. Our own choice: no source rates its publications.
    pub fn severity(self) -> Severity {
        match self {
            Self::Bankruptcy => Severity::Critical,
            Self::Liquidation | Self::Deletion | Self::Merger => Severity::High,
            Self::NameChange
            | Self::LegalFormChange
            | Self::SeatChange
            | Self::CapitalChange
            | Self::AuditorChange
            | Self::AuditOptOut
            | Self::BoardChange
            | Self::Revocation
            | Self::ReRegistration
            | Self::PublicationCancelled
            | Self::Correction => Severity::Medium,
            // What changes in substance has an event of its own.
            Self::StatutesChange => Severity::Low,
            Self::NewRegistration
            | Self::AddressChange
            | Self::PurposeChange
            | Self::BranchChange
            | Self::Other => Severity::Low,
        }
    }

    /// `type` of the CloudEvent, such as `ch.gotthard.company.auditor_change`.
    pub fn event_type(self) -> String {
        format!("ch.gotthard.company.{}", self.code())
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Change type to filter by. Case, underscores, spaces and the prefix `ch.gotthard.company.` do not
/// matter: `AuditorChange` is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct WantedChangeKind(pub ChangeKind);

impl PartialSchema for WantedChangeKind {
    fn schema() -> RefOr<Schema> {
        let description = format!("Change type.{}", ChangeKind::meanings());
        let text = ObjectBuilder::new().schema_type(Type::String);
        let codes = ChangeKind::ALL.map(ChangeKind::code);
        text.enum_values(Some(codes)).description(Some(description)).into()
    }
}

impl ToSchema for WantedChangeKind {}

/// The text is not a change type.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("must be a change type such as `board_change`; got `{given}`. Did you mean `{nearest}`?")]
pub struct UnknownChangeKind {
    given: String,
    nearest: &'static str,
}

impl FromStr for WantedChangeKind {
    type Err = UnknownChangeKind;

    fn from_str(given: &str) -> Result<Self, UnknownChangeKind> {
        let plain = |text: &str| text::fold(text).replace(' ', "");
        let wanted = plain(given.strip_prefix("ch.gotthard.company.").unwrap_or(given));
        match ChangeKind::ALL.into_iter().find(|it| plain(it.code()) == wanted) {
            Some(kind) => Ok(Self(kind)),
            None => Err(UnknownChangeKind {
                given: given.to_owned(),
                nearest: text::nearest(
                    given,
                    ChangeKind::ALL.into_iter().map(|it| (it.code(), it)),
                )
                .unwrap_or(ChangeKind::Other)
                .code(),
            }),
        }
    }
}

impl TryFrom<String> for WantedChangeKind {
    type Error = UnknownChangeKind;

    fn try_from(text: String) -> Result<Self, UnknownChangeKind> {
        text.parse()
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_every_spelling_that_clients_send() {
        for word in ["auditor_change", "AUDITOR_CHANGE", "AuditorChange", "auditor change"] {
            assert_eq!(word.parse(), Ok(WantedChangeKind(ChangeKind::AuditorChange)), "{word}");
        }
        let typed = "ch.gotthard.company.auditor_change";
        assert_eq!(typed.parse(), Ok(WantedChangeKind(ChangeKind::AuditorChange)));
        let error = "auditor_chnge".parse::<WantedChangeKind>().expect_err("unknown");
        let message = "must be a change type such as `board_change`; got `auditor_chnge`. Did you mean `auditor_change`?";
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn severity_documents_the_types_of_each_value_but_medium() {
        let schema = serde_json::to_value(Severity::schema()).expect("a schema");
        let documented = schema["description"].as_str().expect("a text");
        for kind in ChangeKind::ALL {
            let severity = serde_json::to_value(kind.severity()).expect("a text");
            let severity = severity.as_str().expect("a text");
            let sentences = documented.split(". ").filter(|it| it.contains(&format!("`{kind}`")));
            let stated: Vec<_> = sentences.filter_map(|it| it.split('`').nth(1)).collect();
            let expected = if severity == "medium" { vec![] } else { vec![severity] };
            assert_eq!(stated, expected, "{kind}");
        }
    }

    #[test]
    fn serialised_kind_is_its_code() {
        for kind in ChangeKind::ALL {
            let serialised = serde_json::to_value(kind).expect("json");
            assert_eq!(serialised, kind.code());
            assert_eq!(kind.code().parse(), Ok(WantedChangeKind(kind)));
        }
    }
}
