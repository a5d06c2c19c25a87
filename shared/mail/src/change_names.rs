//! The names of change types in each language.

use auth::Language;
use domain::ChangeKind;

pub(crate) fn name(change: ChangeKind, language: Language) -> &'static str {
    let [de, fr, it] = match change {
        ChangeKind::NewRegistration => [
            "Eintragung im Handelsregister",
            "Inscription au registre du commerce",
            "Iscrizione nel registro di commercio",
        ],
        ChangeKind::NameChange => {
            ["Änderung der Firma", "Modification de la raison sociale", "Modifica della ditta"]
        }
        ChangeKind::LegalFormChange => [
            "Änderung der Rechtsform",
            "Modification de la forme juridique",
            "Modifica della forma giuridica",
        ],
        ChangeKind::SeatChange => {
            ["Sitzverlegung", "Transfert du siège", "Trasferimento della sede"]
        }
        ChangeKind::AddressChange => {
            ["Änderung der Adresse", "Modification de l’adresse", "Modifica dell’indirizzo"]
        }
        ChangeKind::PurposeChange => {
            ["Änderung des Zwecks", "Modification du but", "Modifica dello scopo"]
        }
        ChangeKind::CapitalChange => {
            ["Änderung des Kapitals", "Modification du capital", "Modifica del capitale"]
        }
        ChangeKind::BoardChange => [
            "Änderung bei Organen, Gesellschaftern oder Unterschriften",
            "Modification des organes, des associés ou des signatures",
            "Modifica degli organi, dei soci o delle firme",
        ],
        ChangeKind::AuditorChange => [
            "Wechsel der Revisionsstelle",
            "Changement de l’organe de révision",
            "Cambiamento dell’ufficio di revisione",
        ],
        ChangeKind::AuditOptOut => [
            "Verzicht auf die eingeschränkte Revision",
            "Renonciation au contrôle restreint",
            "Rinuncia alla revisione limitata",
        ],
        ChangeKind::Merger => [
            "Fusion, Spaltung oder Vermögensübertragung",
            "Fusion, scission ou transfert de patrimoine",
            "Fusione, scissione o trasferimento di patrimonio",
        ],
        ChangeKind::Liquidation => [
            "Auflösung und Liquidation",
            "Dissolution et liquidation",
            "Scioglimento e liquidazione",
        ],
        ChangeKind::Bankruptcy => [
            "Konkurs oder Nachlassstundung",
            "Faillite ou sursis concordataire",
            "Fallimento o moratoria concordataria",
        ],
        ChangeKind::Revocation => [
            "Widerruf einer Auflösung oder eines Konkurses",
            "Révocation d’une dissolution ou d’une faillite",
            "Revoca di uno scioglimento o di un fallimento",
        ],
        ChangeKind::Deletion => [
            "Löschung im Handelsregister",
            "Radiation du registre du commerce",
            "Cancellazione dal registro di commercio",
        ],
        ChangeKind::ReRegistration => [
            "Wiedereintragung im Handelsregister",
            "Réinscription au registre du commerce",
            "Reiscrizione nel registro di commercio",
        ],
        ChangeKind::PublicationCancelled => {
            ["Zurückgezogene Publikation", "Publication retirée", "Pubblicazione ritirata"]
        }
        ChangeKind::Other => ["Andere Publikation", "Autre publication", "Altra pubblicazione"],
        ChangeKind::StatutesChange => {
            ["Änderung der Statuten", "Modification des statuts", "Modifica dello statuto"]
        }
        ChangeKind::Correction => [
            "Berichtigung einer Publikation",
            "Rectification d’une publication",
            "Rettifica di una pubblicazione",
        ],
        ChangeKind::BranchChange => [
            "Änderung einer Zweigniederlassung",
            "Modification d’une succursale",
            "Modifica di una succursale",
        ],
        ChangeKind::Erased => ["Gelöscht", "Effacé", "Cancellato"],
    };
    match language {
        Language::De => de,
        Language::Fr => fr,
        Language::It => it,
        Language::En => change.name(),
    }
}
