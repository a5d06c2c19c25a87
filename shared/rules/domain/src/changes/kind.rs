//! The change types: their names, their severity, and how requests name them.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::severity::Severity;

/// Change type. `publication_cancelled`: the gazette withdrew a publication. `other`: the publication
/// changes no field of the record. `erased`: the company was erased from this service; the event has no content any more.
/// `/v1/reference/change-types` lists all change types with their names.
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
    /// The company waived the limited audit, or revoked the waiver; or an authority exempted the foundation from having an auditor.
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
    /// The company was erased from this service. The event keeps its id, its date and its place in the feed, and nothing else.
    Erased,
}

impl ChangeKind {
    /// Whether such events change no field of a record.
    pub fn is_internal(self) -> bool {
        matches!(self, Self::Other | Self::Erased)
    }

    /// Every kind, from entry in the register to deletion, then those that were added later: an index stores the position,
    /// which must not change.
    pub const ALL: [Self; 22] = [
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
        Self::Erased,
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
            Self::Erased => "erased",
        }
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
            | Self::Other
            | Self::Erased => Severity::Low,
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

#[cfg(test)]
mod tests {
    use utoipa::PartialSchema;

    use super::*;

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
        }
    }
}
