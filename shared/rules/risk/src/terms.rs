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
        RiskLevel::Unknown => ["nicht beurteilt", "non évalué", "non valutato", "not assessed"],
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
            "bekannte Anteile von mehr als dem ganzen Kapital oder geschlossener Kreis von Eigentümern",
            "parts connues supérieures au capital ou cercle fermé de propriétaires",
            "quote note superiori al capitale o cerchia chiusa di proprietari",
        ],
        Sign::Pyramid => [
            "Kontrolle des Unternehmens mittels nur teilweise gehaltener Gesellschaften",
            "contrôle de l’entreprise par des sociétés détenues partiellement",
            "controllo dell’impresa tramite società detenute solo in parte",
        ],
        Sign::WithheldParent => [
            "Meldung des Unternehmens oder eines Eigentümers an die GLEIF, die Muttergesellschaft nicht offenzulegen",
            "déclaration de l’entreprise ou d’un propriétaire à la GLEIF de ne pas divulguer la société mère",
            "dichiarazione dell’impresa o di un proprietario alla GLEIF di non rendere nota la società madre",
        ],
        Sign::CareOfAddress => [
            "Adresse des Unternehmens oder eines Eigentümers mit Zusatz c/o",
            "adresse c/o de l’entreprise ou d’un propriétaire",
            "indirizzo c/o dell’impresa o di un proprietario",
        ],
        Sign::OwnerAtSharedAddress => [
            "Eigentümer an einer Adresse vieler Gesellschaften",
            "propriétaire à une adresse de nombreuses sociétés",
            "proprietario a un indirizzo di molte società",
        ],
        Sign::OwnersVisible => [
            "bekannte natürliche Personen als letzte Eigentümer von mindestens 75 % des Unternehmens",
            "personnes physiques connues comme derniers propriétaires d’au moins 75 % de l’entreprise",
            "persone fisiche note come ultime proprietarie di almeno il 75 % dell’impresa",
        ],
        Sign::Sanctioned => [
            "bestätigter Eintrag des Unternehmens oder eines Eigentümers auf einer Sanktionsliste",
            "inscription confirmée de l’entreprise ou d’un propriétaire sur une liste de sanctions",
            "iscrizione confermata dell’impresa o di un proprietario in una lista di sanzioni",
        ],
        Sign::SanctionedOfficer => [
            "bestätigter Eintrag einer eingetragenen Person auf einer Sanktionsliste",
            "inscription confirmée d’une personne inscrite sur une liste de sanctions",
            "iscrizione confermata di una persona iscritta in una lista di sanzioni",
        ],
        Sign::Warned => [
            "bestätigter Eintrag des Unternehmens, eines Eigentümers oder einer eingetragenen Person auf einer Warnliste einer Aufsichtsbehörde",
            "inscription confirmée de l’entreprise, d’un propriétaire ou d’une personne inscrite sur une liste d’avertissements d’une autorité de surveillance",
            "iscrizione confermata dell’impresa, di un proprietario o di una persona iscritta in una lista di avvertimenti di un’autorità di vigilanza",
        ],
        Sign::PoliticallyExposed => [
            "bestätigte politisch exponierte Person als Eigentümer oder als eingetragene Person",
            "personne politiquement exposée confirmée comme propriétaire ou personne inscrite",
            "persona politicamente esposta confermata come proprietario o persona iscritta",
        ],
        Sign::AssociateOfExposed => [
            "bestätigter Angehöriger oder bestätigte nahestehende Person einer politisch exponierten Person als Eigentümer oder als eingetragene Person",
            "parent ou proche confirmé d’une personne politiquement exposée comme propriétaire ou personne inscrite",
            "familiare o persona vicina confermata di una persona politicamente esposta come proprietario o persona iscritta",
        ],
        Sign::PossibleSanction => [
            "Ähnlichkeit eines Namens mit einem auf einer Sanktionsliste bei nicht bestätigter Identität",
            "ressemblance d’un nom avec un nom d’une liste de sanctions, identité non confirmée",
            "somiglianza di un nome con uno di una lista di sanzioni, identità non confermata",
        ],
        Sign::PossibleWarning => [
            "Ähnlichkeit eines Namens mit einem auf einer Warnliste bei nicht bestätigter Identität",
            "ressemblance d’un nom avec un nom d’une liste d’avertissements, identité non confirmée",
            "somiglianza di un nome con uno di una lista di avvertimenti, identità non confermata",
        ],
        Sign::PossibleExposure => [
            "Ähnlichkeit eines Namens mit dem einer politisch exponierten oder ihr nahestehenden Person bei nicht bestätigter Identität",
            "ressemblance d’un nom avec celui d’une personne politiquement exposée ou d’un proche, identité non confirmée",
            "somiglianza di un nome con quello di una persona politicamente esposta o di una persona vicina, identità non confermata",
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
            "Tätigkeit in einer Branche, die Empfehlung 22 der FATF als anfällig für Geldwäscherei nennt",
            "activité dans une branche que la recommandation 22 du GAFI cite comme exposée au blanchiment",
            "attività in un ramo che la raccomandazione 22 del GAFI indica come esposto al riciclaggio",
        ],
        Sign::Supervised => [
            "Bewilligung und Aufsicht der FINMA",
            "autorisation et surveillance de la FINMA",
            "autorizzazione e vigilanza della FINMA",
        ],
        Sign::OptedOut => return change(ChangeKind::AuditOptOut),
        Sign::AuditorLeft => [
            "Ausscheiden der letzten bekannten Revisionsstelle ohne bekannte Nachfolge und ohne Verzicht auf die Revision",
            "départ du dernier organe de révision connu, sans successeur connu ni renonciation au contrôle",
            "uscita dell’ultimo ufficio di revisione noto senza successore noto né rinuncia alla revisione",
        ],
        Sign::AuditorEnded => [
            "Ende eines Mandats der Revisionsstelle",
            "fin d’un mandat de l’organe de révision",
            "fine di un mandato dell’ufficio di revisione",
        ],
        Sign::LongTenure => [
            "Mandat derselben Revisionsstelle seit mehr als sieben Jahren",
            "mandat du même organe de révision depuis plus de sept ans",
            "mandato dello stesso ufficio di revisione da più di sette anni",
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
            "eingetragene Person mit zwanzig oder mehr Mandaten in anderen Gesellschaften",
            "personne inscrite avec vingt mandats ou plus dans d’autres sociétés",
            "persona iscritta con venti o più mandati in altre società",
        ],
        Sign::StableBoard => [
            "kein Ausscheiden aus der Leitung seit fünf Jahren",
            "aucun départ des organes dirigeants depuis cinq ans",
            "nessuna uscita dagli organi direttivi da cinque anni",
        ],
        Sign::Moved => [
            "Wechsel der Adresse oder des Sitzes",
            "changement d’adresse ou de siège",
            "cambiamento di indirizzo o di sede",
        ],
        Sign::SharedAddress => [
            "Adresse von zwanzig oder mehr anderen Gesellschaften",
            "adresse de vingt autres sociétés ou plus",
            "indirizzo di venti o più altre società",
        ],
        Sign::StableAddress => [
            "unveränderte Adresse seit fünf Jahren",
            "adresse inchangée depuis cinq ans",
            "indirizzo invariato da cinque anni",
        ],
        Sign::LeastCapital => [
            "Kapital von höchstens dem gesetzlichen Minimum einer neuen Gesellschaft dieser Rechtsform",
            "capital égal ou inférieur au minimum légal d’une nouvelle société de cette forme juridique",
            "capitale pari o inferiore al minimo legale di una nuova società di questa forma giuridica",
        ],
        Sign::CapitalReduced => {
            ["Herabsetzung des Kapitals", "réduction du capital", "riduzione del capitale"]
        }
        Sign::CapitalIncreased => {
            ["Erhöhung des Kapitals", "augmentation du capital", "aumento del capitale"]
        }
        Sign::Insolvent => [
            "Konkurs, Liquidation durch Nachlassvertrag oder Löschung nach Konkurs oder ohne Aktiven",
            "faillite, liquidation concordataire ou radiation après faillite ou faute d’actifs",
            "fallimento, liquidazione concordataria o cancellazione dopo fallimento o per mancanza di attivi",
        ],
        Sign::Moratorium => return status_reason(StatusReason::Moratorium),
        Sign::DissolvedForDefect => [
            "Auflösung wegen Mängeln in der Organisation oder fehlenden Domizils oder Löschung von Amtes wegen",
            "dissolution pour carences dans l’organisation ou défaut de domicile, ou radiation d’office",
            "scioglimento per lacune nell’organizzazione o mancanza di domicilio, o cancellazione d’ufficio",
        ],
        Sign::DissolvedByCourt => return status_reason(StatusReason::Court),
        Sign::Ending => [
            "Liquidation oder Löschung aus einem anderen Grund als Fusion, Spaltung oder Wegzug ins Ausland",
            "liquidation ou radiation pour un motif autre qu’une fusion, une scission ou un départ à l’étranger",
            "liquidazione o cancellazione per un motivo diverso da fusione, scissione o trasferimento all’estero",
        ],
        Sign::InsolvencyEvent => [
            "veröffentlichter und nicht widerrufener Konkurs oder veröffentlichte Stundung",
            "faillite publiée et non révoquée ou sursis publié",
            "fallimento pubblicato e non revocato o moratoria pubblicata",
        ],
        Sign::DefectEvent => [
            "veröffentlichte und nicht behobene Mängel in der Organisation",
            "carences publiées et non réparées dans l’organisation",
            "lacune pubblicate e non sanate nell’organizzazione",
        ],
        Sign::ReEntered => [
            "Wiedereintragung nach einer Löschung",
            "réinscription après une radiation",
            "reiscrizione dopo una cancellazione",
        ],
        Sign::ShelfCompany => [
            "Wechsel von Name, Zweck und Organen an einem Tag, mindestens ein Jahr nach der Eintragung, wie beim Verkauf eines Mantels",
            "changement du nom, du but et des organes le même jour, au moins un an après l’inscription, comme à la vente d’un manteau d’actions",
            "cambiamento di nome, scopo e organi lo stesso giorno, almeno un anno dopo l’iscrizione, come alla vendita di un mantello azionario",
        ],
        Sign::Young => [
            "Eintragung vor weniger als zwei Jahren",
            "inscription depuis moins de deux ans",
            "iscrizione da meno di due anni",
        ],
        Sign::LongStanding => [
            "Eintragung seit zehn Jahren oder länger, aktiv und ohne Stundung",
            "inscription depuis dix ans ou plus, entreprise active et sans sursis",
            "iscrizione da dieci anni o più, impresa attiva e senza moratoria",
        ],
    };
    [de, fr, it, english]
}

/// What a sign observes at a deleted company, as a phrase that ends a sentence: what lasted ended with the deletion.
pub fn sign_of_deleted(of: Sign) -> Text {
    match of {
        Sign::StableBoard => [
            "kein Ausscheiden aus der Leitung in den fünf Jahren vor der Löschung",
            "aucun départ des organes dirigeants pendant les cinq ans avant la radiation",
            "nessuna uscita dagli organi direttivi nei cinque anni prima della cancellazione",
            "At the deletion, no member of the board or the management had left for five years",
        ],
        Sign::StableAddress => [
            "unveränderte Adresse in den fünf Jahren vor der Löschung",
            "adresse inchangée pendant les cinq ans avant la radiation",
            "indirizzo invariato nei cinque anni prima della cancellazione",
            "At the deletion, the address had not changed for five years",
        ],
        Sign::LeastCapital => [
            "letztes Kapital von höchstens dem gesetzlichen Minimum einer neuen Gesellschaft dieser Rechtsform",
            "dernier capital égal ou inférieur au minimum légal d’une nouvelle société de cette forme juridique",
            "ultimo capitale pari o inferiore al minimo legale di una nuova società di questa forma giuridica",
            "The last capital was at most the least that the law requires of a new company of the legal form",
        ],
        Sign::Hospitality => [
            "frühere Tätigkeit im Gastgewerbe",
            "ancienne activité dans l’hôtellerie ou la restauration",
            "precedente attività alberghiera o di ristorazione",
            "The company ran hotels or restaurants, which become insolvent 2.2 times as often as the average company",
        ],
        other => sign(other),
    }
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
                [&[RiskLevel::Unknown], &RiskLevel::OF_SCORES[..]]
                    .concat()
                    .into_iter()
                    .map(level)
                    .collect(),
                Sign::ALL.iter().map(|it| sign(*it)).collect(),
                Sign::ALL.iter().map(|it| sign_of_deleted(*it)).collect(),
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

    /// Numbers and persons that the English meaning names, in each other language.
    #[test]
    fn signs_measure_the_same_in_every_language() {
        const NAMED: [[&str; 4]; 15] = [
            ["eigentümer", "propriétaire", "proprietari", "owner"],
            ["eingetragen", "inscrit", "iscritt", "an officer"],
            ["person", "person", "person", "natural person"],
            ["aktiv", "activ", "attiv", "active"],
            ["lösch", "radi", "cancell", "deleted"],
            ["widerrufen", "révoqu", "revocat", "not revoked"],
            ["behoben", "répar", "sanat", "not repaired"],
            ["nicht bestätigt", "non confirmée", "non confermata", "not confirmed"],
            ["mindestens ein jahr", "au moins un an", "almeno un anno", "at least a year"],
            ["zwei jahre", "deux ans", "due anni", "two years"],
            ["fünf jahre", "cinq ans", "cinque anni", "five years"],
            ["sieben jahre", "sept ans", "sette anni", "seven years"],
            ["zehn jahre", "dix ans", "dieci anni", "ten years"],
            ["zwanzig", "vingt", "venti", "twenty"],
            ["75 %", "75 %", "75 %", "75 %"],
        ];
        let signs = Sign::ALL.iter().flat_map(|it| [sign(*it), sign_of_deleted(*it)]);
        for of_sign in signs.map(|it| it.map(str::to_lowercase)) {
            for named in NAMED.iter().filter(|it| of_sign[3].contains(it[3])) {
                let is_named = of_sign.iter().zip(named).all(|(text, it)| text.contains(it));
                assert!(is_named, "{named:?}: {of_sign:?}");
            }
            // A time without its number says more than the sign measures.
            let [de, fr, it, _] = &of_sign;
            assert!(!de.contains("seit jahren") && !fr.contains("des années"), "{de}, {fr}");
            assert!(!it.ends_with("da anni"), "{it}");
        }
    }

    #[test]
    fn names_are_written_as_within_a_sentence() {
        for language in Language::ALL {
            let signs = Sign::ALL.iter().filter(|_| language != Language::En);
            let signs = signs.flat_map(|it| [sign(*it), sign_of_deleted(*it)]);
            for text in FactorKind::ALL.map(factor).into_iter().chain(signs) {
                let name = language.of(text);
                assert!(is_within_sentence(language, name), "{language:?}: {name}");
            }
        }
    }
}
