//! Terms of the register to filter by. A request may name them by their codes, by the labels of answers in any language, and by
//! other usual words. Case, accents and separators do not matter.

use std::str::FromStr;

use serde::Deserialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use crate::{
    ChangeKind, Status,
    changes::LegalEvent,
    choice::{Choice, UnknownValue},
    company::StatusReason,
    persons::{RoleCategory, SigningAuthority},
    terms::{self, Text, offices},
    text::one_of,
};

/// Terms with labels.
trait Term: Copy + PartialEq + 'static {
    const CHOICE: Choice;
    const ALL: &[Self];
    /// Other words for a term.
    const USUAL: &[(&str, Self)];
    /// What may stand before a code.
    const PREFIX: &str = "";

    /// The name in requests and responses.
    fn code(self) -> &'static str;
    fn labels(self) -> Text;

    /// The term with this name.
    fn read(given: &str) -> Result<Self, UnknownValue> {
        let codes = Self::ALL.iter().map(|it| (it.code(), *it));
        let labels = Self::ALL.iter().flat_map(|it| it.labels().map(|label| (label, *it)));
        let name = given.strip_prefix(Self::PREFIX).unwrap_or(given);
        Self::CHOICE.read(name, codes.chain(labels).chain(Self::USUAL.iter().copied()))
    }
}

macro_rules! wanted {
    ($($(#[$doc:meta])* $wanted:ident($term:ident))*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $wanted(pub $term);

        impl FromStr for $wanted {
            type Err = UnknownValue;

            fn from_str(given: &str) -> Result<Self, UnknownValue> {
                Term::read(given).map(Self)
            }
        }

        impl TryFrom<String> for $wanted {
            type Error = UnknownValue;

            fn try_from(given: String) -> Result<Self, UnknownValue> {
                given.parse()
            }
        }
    )*};
}

wanted! {
    /// Status to filter by: the register's name, the plain one, or a label.
    WantedStatus(Status)
    /// Reason for the status to filter by.
    WantedStatusReason(StatusReason)
    /// Change type to filter by. The prefix `ch.gotthard.company.` does not matter either.
    WantedChangeKind(ChangeKind)
    /// Legal event to filter by.
    WantedLegalEvent(LegalEvent)
    /// Role category to filter by.
    WantedRoleCategory(RoleCategory)
    /// Signing authority to filter by.
    WantedSigningAuthority(SigningAuthority)
}

impl Term for Status {
    const CHOICE: Choice = Choice::of("a status such as `ACTIVE`");
    const ALL: &[Self] = &Self::ALL;
    const USUAL: &[(&str, Self)] = &[
        ("in_liquidation", Self::BeingCancelled),
        // As the mocks of a published client call it. In the law a dissolved company is in liquidation, so other words for
        // "dissolved" are refused.
        ("dissolved", Self::Cancelled),
        ("actif", Self::Active),
        ("attivo", Self::Active),
        ("radié", Self::Cancelled),
        ("cancellato", Self::Cancelled),
    ];

    fn code(self) -> &'static str {
        self.name()
    }

    fn labels(self) -> Text {
        terms::status(self)
    }
}

impl Term for StatusReason {
    const CHOICE: Choice = Choice::of("a reason for a status such as `bankruptcy`");
    const ALL: &[Self] = Self::ALL;
    const USUAL: &[(&str, Self)] = &[
        ("Nachlassstundung", Self::Moratorium),
        ("Sursis concordataire", Self::Moratorium),
        ("Moratoria concordataria", Self::Moratorium),
        ("Nachlassvertrag", Self::Composition),
        ("Concordat", Self::Composition),
        ("Concordato", Self::Composition),
        ("Spaltung", Self::Demerged),
        ("Scission", Self::Demerged),
        ("Scissione", Self::Demerged),
    ];

    fn code(self) -> &'static str {
        self.code()
    }

    fn labels(self) -> Text {
        terms::status_reason(self)
    }
}

impl Term for ChangeKind {
    const CHOICE: Choice =
        Choice::of("a change type such as `board_change`").listed_at("/v1/reference/change-types");
    const ALL: &[Self] = &Self::ALL;
    /// As in the types of the events that webhooks deliver.
    const PREFIX: &str = "ch.gotthard.company.";
    const USUAL: &[(&str, Self)] = &[
        ("Neueintragung", Self::NewRegistration),
        ("Nouvelle inscription", Self::NewRegistration),
        ("Nuova iscrizione", Self::NewRegistration),
        ("Kapitalerhöhung", Self::CapitalChange),
        ("Kapitalherabsetzung", Self::CapitalChange),
        ("Kapitaländerung", Self::CapitalChange),
        ("Zweckänderung", Self::PurposeChange),
        ("Firmenänderung", Self::NameChange),
        ("Änderung der Firma", Self::NameChange),
        ("Namensänderung", Self::NameChange),
        ("Änderung des Namens", Self::NameChange),
        ("Modification de la raison sociale", Self::NameChange),
        ("Modification de la raison de commerce", Self::NameChange),
        ("Modification du nom", Self::NameChange),
        ("Modifica della ditta", Self::NameChange),
        ("Modifica del nome", Self::NameChange),
        ("Verzicht auf die eingeschränkte Revision", Self::AuditOptOut),
        ("Renonciation au contrôle restreint", Self::AuditOptOut),
        ("Rinuncia alla revisione limitata", Self::AuditOptOut),
        ("Waiver of the limited audit", Self::AuditOptOut),
        ("Statutenänderung", Self::StatutesChange),
        ("Adressänderung", Self::AddressChange),
        ("Mutation von Personen", Self::BoardChange),
        ("Organe", Self::BoardChange),
        ("Organes", Self::BoardChange),
        ("Organi", Self::BoardChange),
        ("Fusion", Self::Merger),
        ("Fusione", Self::Merger),
        ("Spaltung", Self::Merger),
        ("Scission", Self::Merger),
        ("Scissione", Self::Merger),
        ("Vermögensübertragung", Self::Merger),
        ("Transfert de patrimoine", Self::Merger),
        ("Trasferimento di patrimonio", Self::Merger),
        ("Auflösung", Self::Liquidation),
        ("Dissolution", Self::Liquidation),
        ("Scioglimento", Self::Liquidation),
        ("Liquidazione", Self::Liquidation),
        ("Konkurs", Self::Bankruptcy),
        ("Nachlassstundung", Self::Bankruptcy),
        ("Faillite", Self::Bankruptcy),
        ("Sursis concordataire", Self::Bankruptcy),
        ("Fallimento", Self::Bankruptcy),
        ("Moratoria concordataria", Self::Bankruptcy),
        ("Löschung", Self::Deletion),
        ("Radiation", Self::Deletion),
        ("Cancellazione", Self::Deletion),
        ("Wiedereintragung", Self::ReRegistration),
        ("Réinscription", Self::ReRegistration),
        ("Reiscrizione", Self::ReRegistration),
        ("Berichtigung", Self::Correction),
        ("Rectification", Self::Correction),
        ("Rettifica", Self::Correction),
    ];

    fn code(self) -> &'static str {
        self.code()
    }

    fn labels(self) -> Text {
        terms::change(self)
    }
}

impl Term for LegalEvent {
    const CHOICE: Choice = Choice::of("a legal event such as `bankruptcy_opened`");
    const ALL: &[Self] = Self::ALL;
    const USUAL: &[(&str, Self)] = &[];

    fn code(self) -> &'static str {
        self.code()
    }

    fn labels(self) -> Text {
        terms::legal_event(self)
    }
}

impl Term for RoleCategory {
    const CHOICE: Choice = Choice::of("a role category such as `board`");
    const ALL: &[Self] = &Self::ALL;
    const USUAL: &[(&str, Self)] = &[
        ("Verwaltungsrat", Self::Board),
        ("Verwaltung", Self::Board),
        ("Stiftungsrat", Self::Board),
        ("Vorstand", Self::Board),
        ("Conseil d’administration", Self::Board),
        ("Administrateur", Self::Board),
        ("Conseil de fondation", Self::Board),
        ("Comité", Self::Board),
        ("Consiglio di amministrazione", Self::Board),
        ("Amministratore", Self::Board),
        ("Consiglio di fondazione", Self::Board),
        ("Board of directors", Self::Board),
        ("Director", Self::Board),
        ("Geschäftsführung", Self::Management),
        ("Geschäftsführer", Self::Management),
        ("Geschäftsleitung", Self::Management),
        ("Direktion", Self::Management),
        ("Direction", Self::Management),
        ("Gérant", Self::Management),
        ("Gérance", Self::Management),
        ("Directeur", Self::Management),
        ("Direzione", Self::Management),
        ("Gerente", Self::Management),
        ("Direttore", Self::Management),
        ("Manager", Self::Management),
        ("Gesellschafter", Self::Partner),
        ("Associé", Self::Partner),
        ("Socio", Self::Partner),
        ("Inhaber", Self::Owner),
        ("Titulaire", Self::Owner),
        ("Titolare", Self::Owner),
        ("Prokurist", Self::Signatory),
    ];

    fn code(self) -> &'static str {
        self.name()
    }

    fn labels(self) -> Text {
        offices::role(self, None)
    }
}

impl Term for SigningAuthority {
    const CHOICE: Choice = Choice::of("a signing authority such as `sole`");
    const ALL: &[Self] = &Self::ALL;
    const USUAL: &[(&str, Self)] = &[];

    fn code(self) -> &'static str {
        self.name()
    }

    fn labels(self) -> Text {
        terms::signing(self)
    }
}

impl PartialSchema for WantedChangeKind {
    fn schema() -> RefOr<Schema> {
        let description = format!("Change type.{}", ChangeKind::meanings());
        let text = ObjectBuilder::new().schema_type(Type::String);
        let codes = ChangeKind::ALL.map(ChangeKind::code);
        text.enum_values(Some(codes)).description(Some(description)).into()
    }
}

impl ToSchema for WantedChangeKind {}

impl PartialSchema for WantedLegalEvent {
    fn schema() -> RefOr<Schema> {
        one_of(LegalEvent::ALL.iter().map(|it| it.code()))
    }
}

impl ToSchema for WantedLegalEvent {}

impl PartialSchema for WantedRoleCategory {
    fn schema() -> RefOr<Schema> {
        one_of(RoleCategory::ALL.map(RoleCategory::name))
    }
}

impl ToSchema for WantedRoleCategory {}

impl PartialSchema for WantedSigningAuthority {
    fn schema() -> RefOr<Schema> {
        one_of(SigningAuthority::ALL.map(SigningAuthority::name))
    }
}

impl ToSchema for WantedSigningAuthority {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fold;

    #[test]
    fn codes_are_read_in_any_spelling() {
        for given in ["active", "ACTIVE", "Active"] {
            assert_eq!(given.parse(), Ok(WantedStatus(Status::Active)));
        }
        for given in ["Being_Cancelled", "being cancelled", "in_liquidation"] {
            assert_eq!(given.parse(), Ok(WantedStatus(Status::BeingCancelled)));
        }
        for given in ["court_731b", "COURT_731B", "court 731b"] {
            assert_eq!(given.parse(), Ok(WantedStatusReason(StatusReason::Court731b)), "{given}");
        }
        for given in ["auditor_change", "AUDITOR_CHANGE", "AuditorChange", "auditor change"] {
            assert_eq!(given.parse(), Ok(WantedChangeKind(ChangeKind::AuditorChange)), "{given}");
        }
        let typed = "ch.gotthard.company.auditor_change";
        assert_eq!(typed.parse(), Ok(WantedChangeKind(ChangeKind::AuditorChange)));
    }

    /// What an answer shows, its reader may filter by: each label and each usual word names one term.
    fn every_name_is_read<T: Term + std::fmt::Debug>() {
        for term in T::ALL.iter().copied() {
            for name in [term.code()].into_iter().chain(term.labels()) {
                assert_eq!(T::read(name), Ok(term), "{name}");
                assert_eq!(T::read(&fold(name)), Ok(term), "{name}");
                assert_eq!(T::read(&format!("{}{name}", T::PREFIX)), Ok(term), "{name}");
            }
        }
        for (name, term) in T::USUAL {
            assert_eq!(T::read(name), Ok(*term), "{name}");
        }
    }

    #[test]
    fn every_label_and_usual_word_is_read() {
        every_name_is_read::<Status>();
        every_name_is_read::<StatusReason>();
        every_name_is_read::<ChangeKind>();
        every_name_is_read::<LegalEvent>();
        every_name_is_read::<RoleCategory>();
        every_name_is_read::<SigningAuthority>();
    }

    #[test]
    fn an_error_suggests_what_is_near() {
        let error = |it: Result<(), UnknownValue>| it.expect_err("unknown").to_string();
        assert_eq!(
            error("activ".parse::<WantedStatus>().map(|_| ())),
            "must be a status such as `ACTIVE`; got `activ`. Did you mean `ACTIVE`?"
        );
        assert_eq!(
            error("bankrupcy".parse::<WantedStatusReason>().map(|_| ())),
            "must be a reason for a status such as `bankruptcy`; got `bankrupcy`. Did you mean `bankruptcy`?"
        );
        assert_eq!(
            error("auditor_chnge".parse::<WantedChangeKind>().map(|_| ())),
            "must be a change type such as `board_change`; got `auditor_chnge`. Did you mean `auditor_change`?"
        );
    }
}
