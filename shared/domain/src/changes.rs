//! What happens to a company: the kinds of change that the register publishes, and one event of one
//! of them.

use std::{fmt, str::FromStr};

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};
use uuid::Uuid;

use crate::{Canton, Provenance, Uid, text};

/// A kind of change.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    NewRegistration,
    NameChange,
    LegalFormChange,
    SeatChange,
    AddressChange,
    PurposeChange,
    CapitalChange,
    BoardChange,
    AuditorChange,
    AuditOptOut,
    Merger,
    Liquidation,
    Bankruptcy,
    Revocation,
    Deletion,
    ReRegistration,
    /// The gazette withdrew a publication: what it said is no longer part of the history.
    PublicationCancelled,
    /// A publication that changes none of what is kept here.
    Other,
}

/// How much a change matters to whoever does business with the company.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Low,
    Medium,
    High,
    Critical,
}

impl Severity {
    /// The text of the CloudEvents severity extension.
    pub fn text(self) -> SeverityText {
        match self {
            Self::Low => SeverityText::Info,
            Self::Medium => SeverityText::Warn,
            Self::High => SeverityText::Error,
            Self::Critical => SeverityText::Fatal,
        }
    }

    /// The number of the CloudEvents severity extension, in the ranges of OpenTelemetry's logs.
    pub fn number(self) -> u8 {
        match self {
            Self::Low => 9,
            Self::Medium => 13,
            Self::High => 17,
            Self::Critical => 21,
        }
    }
}

/// The short names of OpenTelemetry's logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum SeverityText {
    Info,
    Warn,
    Error,
    Fatal,
}

impl ChangeKind {
    /// Every kind, in the order of a company's life.
    pub const ALL: [Self; 18] = [
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
    ];

    /// The name on the wire, as in `category` and `changeType`.
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
        }
    }

    /// In plain English.
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
        }
    }

    /// How much a change of this kind matters. Ours: no source grades its notices.
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
            | Self::PublicationCancelled => Severity::Medium,
            Self::NewRegistration | Self::AddressChange | Self::PurposeChange | Self::Other => {
                Severity::Low
            }
        }
    }

    /// The `type` of the CloudEvent: `ch.gotthard.company.auditor_change`.
    pub fn event_type(self) -> String {
        format!("ch.gotthard.company.{}", self.code())
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A kind that a caller asks for: case, underscores and spaces do not matter (`AuditorChange`), nor
/// does the prefix of the event's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct WantedChangeKind(pub ChangeKind);

impl PartialSchema for WantedChangeKind {
    fn schema() -> RefOr<Schema> {
        text::one_of(ChangeKind::ALL.map(ChangeKind::code))
    }
}

impl ToSchema for WantedChangeKind {}

/// Text that names no kind of change.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{given}` is not a kind of change; the nearest is `{nearest}`")]
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

/// One thing that happened to a company, as one publication says it.
///
/// It follows from that publication alone, so that neither the order nor the repetition of files
/// changes it; what is learnt later of the publication makes another event.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// A UUIDv5 of publication, kind, field and subject, and of that again where the event is told
    /// otherwise than it was: what bears an id says the same for ever.
    pub id: Uuid,
    pub uid: Uid,
    /// As the publication names the company.
    pub company_name: String,
    /// Of the seat, as the publication says it.
    pub canton: Option<Canton>,
    pub kind: ChangeKind,
    /// The wire name of the company's member that changed, or what the record does not hold: `persons`,
    /// `auditor`, `paidInCapital`, `participationCapital`, `paidInParticipationCapital`.
    pub field: Option<String>,
    pub old_value: Option<String>,
    pub new_value: Option<String>,
    /// One sentence in English.
    pub summary: String,
    /// The day of the publication.
    pub date: Date,
    pub source: Provenance,
    /// The person or auditor concerned.
    pub subject: Option<Subject>,
}

/// Whom an event is about, beside the company.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    pub person_id: Option<Uuid>,
    /// Of a subject that is in the register itself.
    pub uid: Option<Uid>,
    pub name: String,
}

impl Event {
    /// The beginning of its day in UTC: publications have a day, and no time of day.
    pub fn time(&self) -> Timestamp {
        midnight(self.date)
    }

    /// Internal events change nothing that the API answers; lists leave them out unless asked.
    pub fn is_internal(&self) -> bool {
        self.kind == ChangeKind::Other
    }
}

/// The beginning of a day in UTC. The last day of the year 9999, which moments do not reach, begins with the
/// last of them.
pub fn midnight(day: Date) -> Timestamp {
    let beginning = day.to_zoned(TimeZone::UTC).map(|it| it.timestamp());
    beginning.unwrap_or(if day.year() > 0 { Timestamp::MAX } else { Timestamp::MIN })
}

/// An event in the feed: it has its place, and keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishedEvent {
    /// From 1 on, without holes, in the order of publishing.
    pub sequence: u64,
    /// When the event got its place.
    pub recorded_at: Timestamp,
    /// The ids of events with earlier places, of the same company, that count no more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<Uuid>,
    #[serde(flatten)]
    pub event: Event,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_known_by_every_spelling_that_clients_send() {
        for word in ["auditor_change", "AUDITOR_CHANGE", "AuditorChange", "auditor change"] {
            assert_eq!(word.parse(), Ok(WantedChangeKind(ChangeKind::AuditorChange)), "{word}");
        }
        let typed = "ch.gotthard.company.auditor_change";
        assert_eq!(typed.parse(), Ok(WantedChangeKind(ChangeKind::AuditorChange)));
        let refusal = "auditor_chnge".parse::<WantedChangeKind>().expect_err("unknown");
        let said = "`auditor_chnge` is not a kind of change; the nearest is `auditor_change`";
        assert_eq!(refusal.to_string(), said);
    }

    #[test]
    fn what_is_written_is_what_is_called() {
        for kind in ChangeKind::ALL {
            let written = serde_json::to_value(kind).expect("json");
            assert_eq!(written, kind.code());
            assert_eq!(kind.code().parse(), Ok(WantedChangeKind(kind)));
        }
    }
}
