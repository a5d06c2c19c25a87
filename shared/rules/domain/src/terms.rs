//! The names of the terms of the register in four languages: what documents, mails and `labels` call a status, a change, an office.
//!
//! Each is a noun phrase, except for a status, which describes a company (in French and Italian of feminine gender). All are
//! written as within a sentence: of first words, only those that are German nouns begin with a capital letter. [`capitalised`]
//! makes them fit where they stand by themselves.

mod legal_events;
pub mod offices;
mod parents;

pub use legal_events::legal_event;
pub use parents::reasons_for_no_parent;

pub use crate::wording::Text;
use crate::{
    ChangeKind, Language, Status,
    changes::LegalEvent,
    company::StatusReason,
    legal_forms::LegalForm,
    noga,
    persons::{RoleCategory, SigningAuthority},
};

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

/// The member of answers with the values of the field that the member `field` names. If the field is one of [`MEMBERS`], they are
/// terms.
pub const VALUES: &str = "values";

/// The name of the term that a member of an answer contains, in each language. `None` if it contains something else, such as the
/// status of a job.
pub fn label(member: &str, value: &str) -> Option<[String; 4]> {
    let name = match member {
        // It follows the name of the company.
        "status" | "companyStatus" => {
            let known = Status::ALL.into_iter().find(|it| it.name() == value)?;
            return Some(status(known).map(str::to_owned));
        }
        "statusReason" => status_reason(*StatusReason::ALL.iter().find(|it| it.code() == value)?),
        "legalForm" => LegalForm::with_name(value)?.names,
        "industry" | "industryGroup" | "groupName" => {
            let division = noga::division_named(value)?;
            let [de, fr, italian] = division.official;
            [de, fr, italian, division.name]
        }
        "changeType" | "category" | "watchedChangeTypes" => {
            change(ChangeKind::ALL.into_iter().find(|it| it.code() == value)?)
        }
        "roleCategory" | "roleCategories" | "office" => {
            offices::role(RoleCategory::ALL.into_iter().find(|it| it.name() == value)?, None)
        }
        "signingAuthority" => {
            signing(SigningAuthority::ALL.into_iter().find(|it| it.name() == value)?)
        }
        _ => return None,
    };
    Some(name.map(capitalised))
}

/// A term where it stands by itself: with a capital letter.
pub fn capitalised(term: &str) -> String {
    let mut letters = term.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
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

/// The reason for a status. Where a legal event has caused the status, that event.
pub fn status_reason(reason: StatusReason) -> Text {
    use LegalEvent as E;
    use StatusReason as R;
    match reason {
        R::Moratorium => [
            "Nachlassstundung oder Konkursaufschub",
            "sursis concordataire ou ajournement de la faillite",
            "moratoria concordataria o differimento del fallimento",
            "moratorium or postponement of the bankruptcy",
        ],
        R::Voluntary => legal_event(E::DissolvedByResolution),
        R::Court => legal_event(E::DissolvedByCourt),
        R::Court731b => legal_event(E::DissolvedForDefect),
        R::NoDomicile => legal_event(E::DissolvedWithoutDomicile),
        R::Bankruptcy => ["Konkurs", "faillite", "fallimento", "bankruptcy"],
        R::Composition => [
            "Nachlassvertrag mit Vermögensabtretung",
            "concordat par abandon d’actif",
            "concordato con abbandono dell’attivo",
            "composition agreement with assignment of assets",
        ],
        R::ReEntered => legal_event(E::ReEnteredInLiquidation),
        R::Moved => [
            "Verlegung des Sitzes ins Ausland",
            "transfert du siège à l’étranger",
            "trasferimento della sede all’estero",
            "move of the seat abroad",
        ],
        R::Merged => ["Fusion", "fusion", "fusione", "merger"],
        R::Demerged => ["Aufspaltung", "division", "divisione", "split-up"],
        R::DeletedAfterLiquidation => legal_event(E::LiquidationCompleted),
        R::DeletedAfterBankruptcy => [
            "Schluss des Konkursverfahrens",
            "clôture de la faillite",
            "chiusura del fallimento",
            "closing of the bankruptcy proceedings",
        ],
        R::DeletedNoAssets => {
            ["Fehlen von Aktiven", "absence d’actifs", "mancanza di attivi", "lack of assets"]
        }
        R::DeletedBusinessCeased => [
            "Aufgabe oder Übergang des Geschäfts",
            "cessation ou transfert de l’activité",
            "cessazione o trasferimento dell’attività",
            "end or transfer of the business",
        ],
        R::DeletedExOfficio => legal_event(E::DeletedExOfficio),
        R::DeletedOnApplication => legal_event(E::DeletedOnApplication),
    }
}

/// The reason for a status as the legal events of the company state it, the newest first: of a moratorium its kind. What was granted
/// before the end of an earlier one is not the reason.
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
            E::MoratoriumEnded | E::BankruptcyPostponementEnded => break,
            _ => {}
        }
    }
    extended.unwrap_or_else(|| status_reason(reason))
}

/// A kind of change of a company of this legal form: a foundation has a deed in place of articles of association (CC 81).
pub fn change_of(kind: ChangeKind, legal_form: Option<&str>) -> Text {
    match (kind, legal_form) {
        (ChangeKind::StatutesChange, Some("0110")) => [
            "Änderung der Stiftungsurkunde",
            "modification de l’acte de fondation",
            "modifica dell’atto di fondazione",
            "change of the foundation deed",
        ],
        _ => change(kind),
    }
}

/// A kind of change.
pub fn change(kind: ChangeKind) -> Text {
    use ChangeKind as K;
    match kind {
        K::NewRegistration => [
            "Neueintragung im Handelsregister",
            "nouvelle inscription au registre du commerce",
            "nuova iscrizione nel registro di commercio",
            "entry in the register",
        ],
        // Associations and foundations have a name, and no business name.
        K::NameChange => [
            "Änderung der Firma oder des Namens",
            "modification de la raison de commerce ou du nom",
            "modifica della ditta o del nome",
            "change of name",
        ],
        K::LegalFormChange => [
            "Änderung der Rechtsform",
            "modification de la forme juridique",
            "modifica della forma giuridica",
            "change of legal form",
        ],
        K::SeatChange => {
            ["Sitzverlegung", "transfert du siège", "trasferimento della sede", "change of seat"]
        }
        K::AddressChange => [
            "Änderung der Adresse",
            "modification de l’adresse",
            "modifica dell’indirizzo",
            "change of address",
        ],
        K::PurposeChange => [
            "Änderung des Zwecks",
            "modification du but",
            "modifica dello scopo",
            "change of purpose",
        ],
        K::CapitalChange => [
            "Änderung des Kapitals",
            "modification du capital",
            "modifica del capitale",
            "change of capital",
        ],
        K::BoardChange => [
            "Änderung bei Organen, Gesellschaftern oder Unterschriften",
            "modification des organes, des associés ou des signatures",
            "modifica degli organi, dei soci o delle firme",
            "change of officers, partners or signatures",
        ],
        K::AuditorChange => [
            "Wechsel der Revisionsstelle",
            "changement de l’organe de révision",
            "cambiamento dell’ufficio di revisione",
            "change of auditor",
        ],
        // Companies waive the audit; an authority exempts a foundation.
        K::AuditOptOut => [
            "Verzicht auf die eingeschränkte Revision oder Befreiung von der Revision",
            "renonciation au contrôle restreint ou dispense de l’organe de révision",
            "rinuncia alla revisione limitata o dispensa dall’ufficio di revisione",
            "waiver of the limited audit or exemption from the audit",
        ],
        K::Merger => [
            "Fusion, Spaltung oder Vermögensübertragung",
            "fusion, scission ou transfert de patrimoine",
            "fusione, scissione o trasferimento di patrimonio",
            "merger, demerger or transfer of assets",
        ],
        K::Liquidation => [
            "Auflösung und Liquidation",
            "dissolution et liquidation",
            "scioglimento e liquidazione",
            "dissolution and liquidation",
        ],
        K::Bankruptcy => [
            "Konkurs oder Nachlassstundung",
            "faillite ou sursis concordataire",
            "fallimento o moratoria concordataria",
            "bankruptcy or moratorium",
        ],
        K::Revocation => [
            "Widerruf einer Auflösung oder eines Konkurses",
            "révocation d’une dissolution ou d’une faillite",
            "revoca di uno scioglimento o di un fallimento",
            "revocation of a dissolution or bankruptcy",
        ],
        K::Deletion => [
            "Löschung im Handelsregister",
            "radiation du registre du commerce",
            "cancellazione dal registro di commercio",
            "deletion from the register",
        ],
        K::ReRegistration => [
            "Wiedereintragung im Handelsregister",
            "réinscription au registre du commerce",
            "reiscrizione nel registro di commercio",
            "re-entry in the register",
        ],
        K::PublicationCancelled => [
            "Widerruf einer Publikation",
            "révocation d’une publication",
            "revoca di una pubblicazione",
            "publication withdrawn",
        ],
        K::Other => [
            "Publikation anderer Art",
            "autre publication",
            "altra pubblicazione",
            "other publication",
        ],
        K::StatutesChange => [
            "Änderung der Statuten",
            "modification des statuts",
            "modifica dello statuto",
            "change of the articles of association",
        ],
        K::Correction => [
            "Berichtigung einer Publikation",
            "rectification d’une publication",
            "rettifica di una pubblicazione",
            "correction of a publication",
        ],
        K::BranchChange => [
            "Änderung einer Zweigniederlassung",
            "modification d’une succursale",
            "modifica di una succursale",
            "change of a branch",
        ],
        K::Erased => {
            ["gelöschter Inhalt", "contenu effacé", "contenuto cancellato", "erased content"]
        }
    }
}

impl ChangeKind {
    /// English name.
    pub fn name(self) -> String {
        capitalised(Language::En.of(change(self)))
    }

    /// Every change type with its name, for the description of a schema.
    pub fn meanings() -> String {
        Self::ALL.map(|it| format!(" `{}`: {}.", it.code(), it.name())).concat()
    }
}

/// How somebody signs for a company.
pub const fn signing(authority: SigningAuthority) -> Text {
    match authority {
        SigningAuthority::Sole => {
            ["Einzelunterschrift", "signature individuelle", "firma individuale", "sole signature"]
        }
        SigningAuthority::CollectiveTwo => [
            "Kollektivunterschrift zu zweien",
            "signature collective à deux",
            "firma collettiva a due",
            "joint signature of two",
        ],
        SigningAuthority::Collective => {
            ["Kollektivunterschrift", "signature collective", "firma collettiva", "joint signature"]
        }
        SigningAuthority::SoleProcuration => {
            ["Einzelprokura", "procuration individuelle", "procura individuale", "sole procuration"]
        }
        SigningAuthority::CollectiveProcuration => [
            "Kollektivprokura",
            "procuration collective",
            "procura collettiva",
            "joint procuration",
        ],
        SigningAuthority::None => [
            "ohne Zeichnungsberechtigung",
            "sans signature",
            "senza diritto di firma",
            "no signing authority",
        ],
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{
        legal_forms::LEGAL_FORMS,
        noga::DIVISIONS,
        typography::{is_within_sentence, misprint},
    };

    #[test]
    fn terms_are_different_and_written_as_within_a_sentence() {
        let forms = ["", "0103", "0105", "0106", "0107", "0108", "0109", "0110"];
        let of_offices = |name: fn(RoleCategory, Option<&str>) -> Text| {
            forms.map(|form| RoleCategory::ALL.map(|it| name(it, Some(form))).to_vec())
        };
        let kinds: Vec<Vec<Text>> = [
            Status::ALL.map(status).to_vec(),
            ChangeKind::ALL.map(change).to_vec(),
            LegalEvent::ALL.iter().map(|it| legal_event(*it)).collect(),
            StatusReason::ALL.iter().map(|it| status_reason(*it)).collect(),
            SigningAuthority::ALL.map(signing).to_vec(),
            offices::TITLES.to_vec(),
        ]
        .into_iter()
        .chain(of_offices(offices::role))
        .chain(of_offices(offices::heading))
        .collect();
        for texts in kinds {
            for language in Language::ALL {
                let names: HashSet<&str> = texts.iter().map(|it| language.of(*it)).collect();
                assert_eq!(names.len(), texts.len(), "{names:?}");
                for name in names {
                    assert!(is_within_sentence(language, name), "{language:?}: {name}");
                    assert_eq!(misprint(name), None, "{language:?}: {name}");
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
            "provisorische Nachlassstundung"
        );
        assert_eq!(
            named(&[E::MoratoriumDefinitive, E::MoratoriumProvisional]),
            "definitive Nachlassstundung"
        );
        assert_eq!(named(&[E::BankruptcyPostponed]), "Konkursaufschub");
        assert_eq!(named(&[E::MoratoriumExtended, E::Entered]), "Nachlassstundung");
        assert_eq!(named(&[]), "Nachlassstundung oder Konkursaufschub");
        assert_eq!(
            named(&[E::MoratoriumExtended, E::BankruptcyPostponementEnded, E::BankruptcyPostponed]),
            "Nachlassstundung"
        );
        assert_eq!(
            named(&[E::MoratoriumEnded, E::MoratoriumProvisional]),
            "Nachlassstundung oder Konkursaufschub"
        );
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
