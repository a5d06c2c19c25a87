//! The names of the terms of the register in four languages: what documents, mails and `labels` call a status, a change, an office.
//!
//! Each is a noun phrase that stands by itself and begins with a capital letter, except for a status, which describes a company (in
//! French and Italian of feminine gender). [`within_sentence`] makes them fit into a sentence.

mod legal_events;
pub mod offices;

pub use legal_events::legal_event;

use crate::{
    ChangeKind, Language, Status,
    changes::LegalEvent,
    company::StatusReason,
    legal_forms::LegalForm,
    noga,
    persons::{RoleCategory, SigningAuthority},
};

/// A text in German, French, Italian and English, for [`Language::of`].
pub type Text = [&'static str; 4];

/// The members of answers that contain a term of the register, or a list of terms.
pub const MEMBERS: [&str; 14] = [
    "status",
    "companyStatus",
    "statusReason",
    "legalForm",
    "industry",
    "industryGroup",
    "groupName",
    "changeType",
    "category",
    "watchedChangeTypes",
    "roleCategory",
    "roleCategories",
    "office",
    "signingAuthority",
];

/// The name of the term that a member of an answer contains. `None` if it contains something else, such as the status of a job.
pub fn label(member: &str, value: &str) -> Option<Text> {
    match member {
        "status" | "companyStatus" => {
            Status::ALL.into_iter().find(|it| it.name() == value).map(status)
        }
        "statusReason" => {
            let reason = StatusReason::ALL.iter().find(|it| it.code() == value);
            reason.map(|it| status_reason(*it))
        }
        "legalForm" => LegalForm::with_name(value).map(|it| it.names),
        "industry" | "industryGroup" | "groupName" => noga::division_named(value).map(|it| {
            let [de, fr, italian] = it.official;
            [de, fr, italian, it.name]
        }),
        "changeType" | "category" | "watchedChangeTypes" => {
            ChangeKind::ALL.into_iter().find(|it| it.code() == value).map(change)
        }
        "roleCategory" | "roleCategories" | "office" => RoleCategory::ALL
            .into_iter()
            .find(|it| it.name() == value)
            .map(|it| offices::role(it, None)),
        "signingAuthority" => {
            SigningAuthority::ALL.into_iter().find(|it| it.name() == value).map(signing)
        }
        _ => None,
    }
}

/// First words of German terms that are no nouns.
const NO_NOUNS: [&str; 9] = [
    "Aufschiebende",
    "Bedingtes",
    "Definitive",
    "Fehlende",
    "Fehlendes",
    "Keine",
    "Nur",
    "Provisorische",
    "Zeichnungsberechtigte",
];

/// A term within a sentence: with a small first letter, unless it begins with a German noun.
pub fn within_sentence(language: Language, term: &str) -> String {
    let first = term.split(' ').next().unwrap_or_default();
    if language == Language::De && !NO_NOUNS.contains(&first) {
        return term.to_owned();
    }
    let mut letters = term.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// What a company is that has this status.
pub fn status(status: Status) -> Text {
    match status {
        Status::Active => ["aktiv", "active", "attiva", "active"],
        Status::BeingCancelled => {
            ["in Liquidation", "en liquidation", "in liquidazione", "in liquidation"]
        }
        Status::Cancelled => ["gelöscht", "radiée", "cancellata", "deleted"],
    }
}

/// The reason for a status.
pub fn status_reason(reason: StatusReason) -> Text {
    use StatusReason as R;
    match reason {
        R::Moratorium => [
            "Nachlassstundung oder Konkursaufschub",
            "Sursis concordataire ou ajournement de la faillite",
            "Moratoria concordataria o differimento del fallimento",
            "Moratorium or postponed bankruptcy",
        ],
        R::Voluntary => [
            "Auflösung durch Beschluss",
            "Dissolution par décision",
            "Scioglimento per decisione",
            "Dissolution by a resolution",
        ],
        R::Court => [
            "Auflösung durch ein Gericht",
            "Dissolution par un tribunal",
            "Scioglimento da parte di un giudice",
            "Dissolution by a court",
        ],
        R::Court731b => [
            "Auflösung durch ein Gericht wegen eines Mangels in der Organisation",
            "Dissolution par un tribunal pour carence dans l’organisation",
            "Scioglimento da parte di un giudice per lacune nell’organizzazione",
            "Dissolution by a court for a defect in the organisation",
        ],
        R::NoDomicile => [
            "Auflösung von Amtes wegen, weil das Rechtsdomizil fehlt",
            "Dissolution d’office pour absence de domicile",
            "Scioglimento d’ufficio per mancanza del domicilio legale",
            "Dissolution ex officio for lack of a legal domicile",
        ],
        R::Bankruptcy => ["Konkurs", "Faillite", "Fallimento", "Bankruptcy"],
        R::Composition => [
            "Nachlassvertrag mit Vermögensabtretung",
            "Concordat par abandon d’actifs",
            "Concordato con abbandono dell’attivo",
            "Composition agreement with assignment of assets",
        ],
        R::ReEntered => [
            "Wiedereintragung zur Liquidation",
            "Réinscription en vue de la liquidation",
            "Reiscrizione in vista della liquidazione",
            "Re-entry for liquidation",
        ],
        R::Moved => [
            "Verlegung des Sitzes ins Ausland",
            "Transfert du siège à l’étranger",
            "Trasferimento della sede all’estero",
            "Move of the seat abroad",
        ],
        R::Merged => ["Fusion", "Fusion", "Fusione", "Merger"],
        R::Demerged => ["Aufspaltung", "Division", "Divisione", "Split-up"],
        R::DeletedAfterLiquidation => [
            "Abschluss der Liquidation",
            "Clôture de la liquidation",
            "Conclusione della liquidazione",
            "Completed liquidation",
        ],
        R::DeletedAfterBankruptcy => [
            "Schluss des Konkursverfahrens",
            "Clôture de la faillite",
            "Chiusura del fallimento",
            "Closed bankruptcy",
        ],
        R::DeletedNoAssets => {
            ["Fehlen von Aktiven", "Absence d’actifs", "Mancanza di attivi", "Lack of assets"]
        }
        R::DeletedBusinessCeased => [
            "Aufgabe oder Übergang des Geschäfts",
            "Cessation ou transfert de l’activité",
            "Cessazione o trasferimento dell’attività",
            "End or transfer of the business",
        ],
        R::DeletedExOfficio => [
            "Löschung von Amtes wegen",
            "Radiation d’office",
            "Cancellazione d’ufficio",
            "Deletion ex officio",
        ],
        R::DeletedOnApplication => [
            "Löschung auf Antrag",
            "Radiation sur réquisition",
            "Cancellazione su richiesta",
            "Deletion on application",
        ],
    }
}

/// The reason for a status as the legal events of the company state it, the newest first: of a moratorium its kind.
pub fn status_reason_by(
    reason: StatusReason,
    events: impl IntoIterator<Item = LegalEvent>,
) -> Text {
    use LegalEvent as E;
    if reason != StatusReason::Moratorium {
        return status_reason(reason);
    }
    let mut extended = None;
    for event in events {
        match event {
            E::MoratoriumGranted
            | E::MoratoriumProvisional
            | E::MoratoriumDefinitive
            | E::BankruptcyPostponed => return legal_event(event),
            // What was extended is stated by an earlier one, if that is known.
            E::MoratoriumExtended => extended = Some(legal_event(E::MoratoriumGranted)),
            _ => {}
        }
    }
    extended.unwrap_or_else(|| status_reason(reason))
}

/// A kind of change.
pub fn change(kind: ChangeKind) -> Text {
    use ChangeKind as K;
    let [de, fr, it] = match kind {
        K::NewRegistration => [
            "Neueintragung im Handelsregister",
            "Nouvelle inscription au registre du commerce",
            "Nuova iscrizione nel registro di commercio",
        ],
        K::NameChange => {
            ["Änderung der Firma", "Modification de la raison sociale", "Modifica della ditta"]
        }
        K::LegalFormChange => [
            "Änderung der Rechtsform",
            "Modification de la forme juridique",
            "Modifica della forma giuridica",
        ],
        K::SeatChange => ["Sitzverlegung", "Transfert du siège", "Trasferimento della sede"],
        K::AddressChange => {
            ["Änderung der Adresse", "Modification de l’adresse", "Modifica dell’indirizzo"]
        }
        K::PurposeChange => ["Änderung des Zwecks", "Modification du but", "Modifica dello scopo"],
        K::CapitalChange => {
            ["Änderung des Kapitals", "Modification du capital", "Modifica del capitale"]
        }
        K::BoardChange => [
            "Änderung bei Organen, Gesellschaftern oder Unterschriften",
            "Modification des organes, des associés ou des signatures",
            "Modifica degli organi, dei soci o delle firme",
        ],
        K::AuditorChange => [
            "Wechsel der Revisionsstelle",
            "Changement de l’organe de révision",
            "Cambiamento dell’ufficio di revisione",
        ],
        K::AuditOptOut => [
            "Verzicht auf die eingeschränkte Revision",
            "Renonciation au contrôle restreint",
            "Rinuncia alla revisione limitata",
        ],
        K::Merger => [
            "Fusion, Spaltung oder Vermögensübertragung",
            "Fusion, scission ou transfert de patrimoine",
            "Fusione, scissione o trasferimento di patrimonio",
        ],
        K::Liquidation => [
            "Auflösung und Liquidation",
            "Dissolution et liquidation",
            "Scioglimento e liquidazione",
        ],
        K::Bankruptcy => [
            "Konkurs oder Nachlassstundung",
            "Faillite ou sursis concordataire",
            "Fallimento o moratoria concordataria",
        ],
        K::Revocation => [
            "Widerruf einer Auflösung oder eines Konkurses",
            "Révocation d’une dissolution ou d’une faillite",
            "Revoca di uno scioglimento o di un fallimento",
        ],
        K::Deletion => [
            "Löschung im Handelsregister",
            "Radiation du registre du commerce",
            "Cancellazione dal registro di commercio",
        ],
        K::ReRegistration => [
            "Wiedereintragung im Handelsregister",
            "Réinscription au registre du commerce",
            "Reiscrizione nel registro di commercio",
        ],
        K::PublicationCancelled => [
            "Widerruf einer Publikation",
            "Révocation d’une publication",
            "Revoca di una pubblicazione",
        ],
        K::Other => ["Publikation anderer Art", "Autre publication", "Altra pubblicazione"],
        K::StatutesChange => {
            ["Änderung der Statuten", "Modification des statuts", "Modifica dello statuto"]
        }
        K::Correction => [
            "Berichtigung einer Publikation",
            "Rectification d’une publication",
            "Rettifica di una pubblicazione",
        ],
        K::BranchChange => [
            "Änderung einer Zweigniederlassung",
            "Modification d’une succursale",
            "Modifica di una succursale",
        ],
        K::Erased => ["Gelöschter Inhalt", "Contenu effacé", "Contenuto cancellato"],
    };
    [de, fr, it, kind.name()]
}

/// How somebody signs for a company.
pub const fn signing(authority: SigningAuthority) -> Text {
    match authority {
        SigningAuthority::Sole => {
            ["Einzelunterschrift", "Signature individuelle", "Firma individuale", "Sole signature"]
        }
        SigningAuthority::CollectiveTwo => [
            "Kollektivunterschrift zu zweien",
            "Signature collective à deux",
            "Firma collettiva a due",
            "Joint signature of two",
        ],
        SigningAuthority::Collective => {
            ["Kollektivunterschrift", "Signature collective", "Firma collettiva", "Joint signature"]
        }
        SigningAuthority::SoleProcuration => {
            ["Einzelprokura", "Procuration individuelle", "Procura individuale", "Sole procuration"]
        }
        SigningAuthority::CollectiveProcuration => [
            "Kollektivprokura",
            "Procuration collective",
            "Procura collettiva",
            "Joint procuration",
        ],
        SigningAuthority::None => [
            "Ohne Zeichnungsberechtigung",
            "Sans signature",
            "Senza diritto di firma",
            "No signing authority",
        ],
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{legal_forms::LEGAL_FORMS, noga::DIVISIONS};

    #[test]
    fn terms_are_different_and_begin_with_a_capital_letter() {
        let kinds: [Vec<Text>; 5] = [
            ChangeKind::ALL.map(change).to_vec(),
            LegalEvent::ALL.iter().map(|it| legal_event(*it)).collect(),
            StatusReason::ALL.iter().map(|it| status_reason(*it)).collect(),
            RoleCategory::ALL.map(|it| offices::role(it, None)).to_vec(),
            SigningAuthority::ALL.map(signing).to_vec(),
        ];
        for texts in kinds {
            for language in Language::ALL {
                let names: HashSet<&str> = texts.iter().map(|it| language.of(*it)).collect();
                assert_eq!(names.len(), texts.len(), "{names:?}");
                for name in names {
                    assert!(name.starts_with(char::is_uppercase), "{name}");
                    assert!(!name.contains('\''), "{name}: the apostrophe is ’");
                }
            }
        }
    }

    #[test]
    fn a_moratorium_is_named_by_its_newest_event() {
        use LegalEvent as E;
        let named = |events: &[LegalEvent]| {
            Language::De.of(status_reason_by(StatusReason::Moratorium, events.iter().copied()))
        };
        assert_eq!(
            named(&[E::MoratoriumExtended, E::MoratoriumProvisional]),
            "Provisorische Nachlassstundung"
        );
        assert_eq!(
            named(&[E::MoratoriumDefinitive, E::MoratoriumProvisional]),
            "Definitive Nachlassstundung"
        );
        assert_eq!(named(&[E::BankruptcyPostponed]), "Konkursaufschub");
        assert_eq!(named(&[E::MoratoriumExtended, E::Entered]), "Nachlassstundung");
        assert_eq!(named(&[]), "Nachlassstundung oder Konkursaufschub");
    }

    #[test]
    fn every_code_has_a_label_in_every_member_that_contains_it() {
        let names = |member: &str| -> Vec<&str> {
            match member {
                "status" | "companyStatus" => Status::ALL.map(Status::name).to_vec(),
                "statusReason" => StatusReason::ALL.iter().map(|it| it.code()).collect(),
                "legalForm" => LEGAL_FORMS.iter().map(LegalForm::name).collect(),
                "industry" | "industryGroup" | "groupName" => {
                    DIVISIONS.iter().map(|it| it.name).collect()
                }
                "changeType" | "category" | "watchedChangeTypes" => {
                    ChangeKind::ALL.map(ChangeKind::code).to_vec()
                }
                "roleCategory" | "roleCategories" | "office" => {
                    RoleCategory::ALL.map(RoleCategory::name).to_vec()
                }
                "signingAuthority" => SigningAuthority::ALL.map(SigningAuthority::name).to_vec(),
                other => panic!("{other}"),
            }
        };
        for member in MEMBERS {
            for value in names(member) {
                let text = label(member, value).expect(value);
                assert!(text.iter().all(|it| !it.is_empty()), "{member} {value}: {text:?}");
            }
            assert_eq!(label(member, "pending"), None, "{member}");
        }
    }
}
