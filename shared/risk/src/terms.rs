//! The names of factors, signs and levels in four languages. A missing name does not compile.

use domain::{
    ChangeKind,
    company::StatusReason,
    terms::{Text, change, status_reason},
};

use crate::{FactorKind, RiskLevel, Sign};

/// A factor.
pub const fn factor(factor: FactorKind) -> Text {
    match factor {
        FactorKind::OwnershipOpacity => [
            "undurchsichtige Eigentümerschaft",
            "opacité de la propriété",
            "opacità della proprietà",
            "opacity of ownership",
        ],
        FactorKind::Listings => [
            "Sanktions- und Warnlisten",
            "listes de sanctions et d’avertissements",
            "liste di sanzioni e di avvertimenti",
            "lists of sanctions and warnings",
        ],
        FactorKind::Geography => {
            ["Länderbezug", "pays concernés", "paesi interessati", "countries"]
        }
        FactorKind::Industry => ["Branche", "branche", "settore", "industry"],
        FactorKind::Audit => ["Revision", "révision", "revisione", "audit"],
        FactorKind::Board => {
            ["Leitung", "organes dirigeants", "organi direttivi", "board and management"]
        }
        FactorKind::Address => ["Adresse", "adresse", "indirizzo", "address"],
        FactorKind::Capital => [
            "Rechtsform und Kapital",
            "forme juridique et capital",
            "forma giuridica e capitale",
            "legal form and capital",
        ],
        FactorKind::Status => {
            ["Alter und Status", "âge et statut", "età e stato", "age and status"]
        }
    }
}

/// A level of the risk, as it follows the word for level.
pub const fn level(level: RiskLevel) -> Text {
    match level {
        RiskLevel::Low => ["tief", "faible", "basso", "low"],
        RiskLevel::Medium => ["mittel", "moyen", "medio", "medium"],
        RiskLevel::High => ["hoch", "élevé", "elevato", "high"],
        RiskLevel::Critical => ["kritisch", "critique", "critico", "critical"],
    }
}

/// What a sign observes: a phrase that ends a sentence. A sign of one state or event has the name of that.
pub fn sign(sign: Sign) -> Text {
    // Some English meanings have a second sentence with details of the method.
    let english = sign.meaning().split(". ").next().unwrap_or_default().trim_end_matches('.');
    let [de, fr, it] = match sign {
        Sign::CircularOwnership => [
            "gegenseitiger Besitz der Gesellschaften über dem Unternehmen",
            "détention réciproque des sociétés en amont",
            "detenzione reciproca delle società a monte",
        ],
        Sign::ContradictoryShares => [
            "widersprüchliche Angaben über Anteile",
            "indications contradictoires sur les parts",
            "indicazioni contraddittorie sulle quote",
        ],
        Sign::Pyramid => [
            "Kontrolle über nur teilweise gehaltene Gesellschaften",
            "contrôle par des sociétés détenues partiellement",
            "controllo tramite società detenute solo in parte",
        ],
        Sign::WithheldParent => [
            "fehlende Angabe der Muttergesellschaft gegenüber der GLEIF",
            "absence d’indication de la société mère à la GLEIF",
            "mancata indicazione della società madre alla GLEIF",
        ],
        Sign::CareOfAddress => ["Adresse mit Zusatz c/o", "adresse c/o", "indirizzo c/o"],
        Sign::OwnerAtSharedAddress => [
            "Eigentümer an einer Adresse vieler Gesellschaften",
            "propriétaire à une adresse de nombreuses sociétés",
            "proprietario a un indirizzo di molte società",
        ],
        Sign::OwnersVisible => [
            "bekannte natürliche Personen als Eigentümer des grössten Teils des Kapitals",
            "personnes physiques connues comme propriétaires de la plus grande partie du capital",
            "persone fisiche note come proprietarie della maggior parte del capitale",
        ],
        Sign::Sanctioned => [
            "bestätigter Eintrag auf einer Sanktionsliste",
            "inscription confirmée sur une liste de sanctions",
            "iscrizione confermata in una lista di sanzioni",
        ],
        Sign::SanctionedOfficer => [
            "bestätigter Eintrag einer eingetragenen Person auf einer Sanktionsliste",
            "inscription confirmée d’une personne inscrite sur une liste de sanctions",
            "iscrizione confermata di una persona iscritta in una lista di sanzioni",
        ],
        Sign::Warned => [
            "bestätigter Eintrag auf einer Warnliste",
            "inscription confirmée sur une liste d’avertissements",
            "iscrizione confermata in una lista di avvertimenti",
        ],
        Sign::PoliticallyExposed => [
            "bestätigte politisch exponierte Person",
            "personne politiquement exposée confirmée",
            "persona politicamente esposta confermata",
        ],
        Sign::AssociateOfExposed => [
            "bestätigte nahestehende Person einer politisch exponierten Person",
            "proche confirmé d’une personne politiquement exposée",
            "persona vicina confermata di una persona politicamente esposta",
        ],
        Sign::PossibleSanction => [
            "mögliche Namensübereinstimmung mit einer Sanktionsliste",
            "concordance possible de nom avec une liste de sanctions",
            "possibile corrispondenza di nome con una lista di sanzioni",
        ],
        Sign::PossibleWarning => [
            "mögliche Namensübereinstimmung mit einer Warnliste",
            "concordance possible de nom avec une liste d’avertissements",
            "possibile corrispondenza di nome con una lista di avvertimenti",
        ],
        Sign::PossibleExposure => [
            "mögliche Namensübereinstimmung mit einer politisch exponierten Person",
            "concordance possible de nom avec une personne politiquement exposée",
            "possibile corrispondenza di nome con una persona politicamente esposta",
        ],
        Sign::OwnerFromCallForAction => [
            "Eigentümer in einem Land auf der schwarzen Liste der FATF",
            "propriétaire dans un pays de la liste noire du GAFI",
            "proprietario in un paese della lista nera del GAFI",
        ],
        Sign::OfficerFromCallForAction => [
            "eingetragene Person mit Wohnsitz in einem Land auf der schwarzen Liste der FATF",
            "personne inscrite domiciliée dans un pays de la liste noire du GAFI",
            "persona iscritta domiciliata in un paese della lista nera del GAFI",
        ],
        Sign::OwnerFromIncreasedMonitoring => [
            "Eigentümer in einem Land unter verstärkter Beobachtung der FATF",
            "propriétaire dans un pays sous surveillance accrue du GAFI",
            "proprietario in un paese sotto osservazione rafforzata del GAFI",
        ],
        Sign::OfficerFromIncreasedMonitoring => [
            "eingetragene Person mit Wohnsitz in einem Land unter verstärkter Beobachtung der FATF",
            "personne inscrite domiciliée dans un pays sous surveillance accrue du GAFI",
            "persona iscritta domiciliata in un paese sotto osservazione rafforzata del GAFI",
        ],
        Sign::Hospitality => [
            "Tätigkeit im Gastgewerbe",
            "activité dans l’hôtellerie ou la restauration",
            "attività alberghiera o di ristorazione",
        ],
        Sign::ExposedIndustry => [
            "Tätigkeit in einer für Geldwäscherei anfälligen Branche",
            "activité dans une branche exposée au blanchiment",
            "attività in un ramo esposto al riciclaggio",
        ],
        Sign::Supervised => [
            "Bewilligung und Aufsicht der FINMA",
            "autorisation et surveillance de la FINMA",
            "autorizzazione e vigilanza della FINMA",
        ],
        Sign::OptedOut => return change(ChangeKind::AuditOptOut),
        Sign::AuditorLeft => [
            "Ausscheiden der letzten bekannten Revisionsstelle",
            "départ du dernier organe de révision connu",
            "uscita dell’ultimo ufficio di revisione noto",
        ],
        Sign::AuditorEnded => [
            "Ende eines Mandats der Revisionsstelle",
            "fin d’un mandat de l’organe de révision",
            "fine di un mandato dell’ufficio di revisione",
        ],
        Sign::LongTenure => [
            "langjähriges Mandat derselben Revisionsstelle",
            "mandat de longue durée du même organe de révision",
            "mandato di lunga durata dello stesso ufficio di revisione",
        ],
        Sign::Audited => [
            "bestehende Revisionsstelle",
            "organe de révision en fonction",
            "ufficio di revisione in carica",
        ],
        Sign::Departure => [
            "Ausscheiden einer Person aus der Leitung",
            "départ d’un membre des organes dirigeants",
            "uscita di un membro degli organi direttivi",
        ],
        Sign::NoBoard => [
            "Ausscheiden aller bekannten Mitglieder der Leitung",
            "départ de tous les membres connus des organes dirigeants",
            "uscita di tutti i membri noti degli organi direttivi",
        ],
        Sign::ManyMandates => [
            "Organ mit vielen Mandaten in anderen Gesellschaften",
            "organe avec de nombreux mandats dans d’autres sociétés",
            "organo con molti mandati in altre società",
        ],
        Sign::StableBoard => [
            "unveränderte Leitung seit Jahren",
            "organes dirigeants inchangés depuis des années",
            "organi direttivi invariati da anni",
        ],
        Sign::Moved => [
            "Wechsel der Adresse oder des Sitzes",
            "changement d’adresse ou de siège",
            "cambiamento di indirizzo o di sede",
        ],
        Sign::SharedAddress => [
            "Adresse vieler anderer Gesellschaften",
            "adresse de nombreuses autres sociétés",
            "indirizzo di molte altre società",
        ],
        Sign::StableAddress => [
            "unveränderte Adresse seit Jahren",
            "adresse inchangée depuis des années",
            "indirizzo invariato da anni",
        ],
        Sign::LeastCapital => [
            "Kapital von höchstens dem gesetzlichen Minimum",
            "capital égal ou inférieur au minimum légal",
            "capitale pari o inferiore al minimo legale",
        ],
        Sign::CapitalReduced => {
            ["Herabsetzung des Kapitals", "réduction du capital", "riduzione del capitale"]
        }
        Sign::CapitalIncreased => {
            ["Erhöhung des Kapitals", "augmentation du capital", "aumento del capitale"]
        }
        Sign::Insolvent => [
            "Konkurs oder Liquidation durch Nachlassvertrag",
            "faillite ou liquidation concordataire",
            "fallimento o liquidazione concordataria",
        ],
        Sign::Moratorium => return status_reason(StatusReason::Moratorium),
        Sign::DissolvedForDefect => [
            "Auflösung wegen Mängeln in der Organisation",
            "dissolution pour carences dans l’organisation",
            "scioglimento per lacune nell’organizzazione",
        ],
        Sign::DissolvedByCourt => return status_reason(StatusReason::Court),
        Sign::Ending => [
            "Liquidation oder Löschung",
            "liquidation ou radiation",
            "liquidazione o cancellazione",
        ],
        Sign::InsolvencyEvent => [
            "veröffentlichter Konkurs oder veröffentlichte Stundung",
            "faillite publiée ou sursis publié",
            "fallimento pubblicato o moratoria pubblicata",
        ],
        Sign::DefectEvent => [
            "veröffentlichte Mängel in der Organisation",
            "carences publiées dans l’organisation",
            "lacune pubblicate nell’organizzazione",
        ],
        Sign::ReEntered => [
            "Wiedereintragung nach einer Löschung",
            "réinscription après une radiation",
            "reiscrizione dopo una cancellazione",
        ],
        Sign::ShelfCompany => [
            "Merkmale eines Mantelhandels",
            "indices de la vente d’un manteau d’actions",
            "indizi della vendita di un mantello azionario",
        ],
        Sign::Young => [
            "Eintragung vor weniger als zwei Jahren",
            "inscription depuis moins de deux ans",
            "iscrizione da meno di due anni",
        ],
        Sign::LongStanding => [
            "Eintragung seit zehn Jahren oder länger",
            "inscription depuis dix ans ou plus",
            "iscrizione da dieci anni o più",
        ],
    };
    [de, fr, it, english]
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use domain::{
        Language,
        typography::{is_within_sentence, misprint},
    };

    use super::*;

    #[test]
    fn every_name_is_different_and_no_full_stop_ends_a_sentence() {
        for language in Language::ALL {
            for texts in [
                FactorKind::ALL.map(factor).to_vec(),
                RiskLevel::ALL.map(level).to_vec(),
                Sign::ALL.iter().map(|it| sign(*it)).collect(),
            ] {
                let names: HashSet<&str> = texts.iter().map(|it| language.of(*it)).collect();
                assert_eq!(names.len(), texts.len(), "{names:?}");
                for name in names {
                    assert!(!name.contains(". ") && !name.ends_with('.'), "{name}");
                    assert_eq!(misprint(name), None, "{name}");
                }
            }
        }
    }

    #[test]
    fn names_are_written_as_within_a_sentence() {
        for language in Language::ALL {
            let signs = Sign::ALL.iter().filter(|_| language != Language::En).map(|it| sign(*it));
            for text in FactorKind::ALL.map(factor).into_iter().chain(signs) {
                let name = language.of(text);
                assert!(is_within_sentence(language, name), "{language:?}: {name}");
            }
        }
    }
}
