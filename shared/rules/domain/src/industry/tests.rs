use proptest::prelude::*;

use super::{
    words::{GOODS, TRADES},
    *,
};

/// Purposes of every section in four languages, each with its division.
#[rustfmt::skip]
const PURPOSES: [(&str, &str); 84] = [
    ("01", "Die Gesellschaft bezweckt die Bewirtschaftung eines Bauernhofes mit Milchwirtschaft und Direktverkauf ab Hof. Sie kann Grundstücke erwerben und Zweigniederlassungen errichten."),
    ("01", "La société a pour but l'exploitation d'un domaine agricole et viticole. Elle peut acquérir des immeubles et contracter des emprunts."),
    ("02", "La società ha per scopo i lavori forestali, il taglio di alberi e la vendita di legna da ardere. La società può partecipare ad altre imprese."),
    ("03", "The Company operates a fish farm and sells fresh trout. The Company may open branches in Switzerland and abroad."),
    ("08", "Zweck ist der Abbau von Kies und Sand sowie die Rekultivierung der Gruben; die Gesellschaft kann sich an gleichartigen Unternehmen beteiligen."),
    ("08", "L'exploitation de carrières de pierre naturelle et de gravières, ainsi que toutes opérations immobilières en rapport."),
    ("08", "L'estrazione di inerti e la gestione di cave di granito. La società può acquistare immobili."),
    ("09", "Provision of drilling services to mining companies. The Company may hold interests in other companies."),
    ("10", "Herstellung und Verkauf von Konfitüren, Saucen und anderen Lebensmitteln. Die Gesellschaft kann Immaterialgüterrechte halten."),
    ("25", "Le décolletage et l'usinage de pièces de précision pour l'industrie. La société peut créer des succursales."),
    ("26", "Sviluppo e produzione di componenti elettronici e sensori per l'industria automobilistica. La società può concedere finanziamenti."),
    ("32", "The purpose of the Company is to develop and manufacture medical devices, in particular implants for spinal surgery. The Company may acquire real estate."),
    ("35", "Planung, Bau und Betrieb von Windparks und die Produktion von Strom. Die Gesellschaft kann Liegenschaften erwerben."),
    ("35", "L'approvisionnement en énergie des communes membres et la distribution d'électricité. La société peut prendre des participations."),
    ("35", "La produzione di energia elettrica da impianti idroelettrici. La società può compiere tutte le operazioni immobiliari."),
    ("35", "Operation of solar power plants and sale of electricity to the grid. The company may grant loans."),
    ("38", "Sammlung, Transport und Recycling von Altmetall und Elektroschrott. Die Gesellschaft kann Grundstücke erwerben."),
    ("36", "La distribution d'eau potable dans la commune et l'entretien du réseau. Elle peut emprunter."),
    ("37", "Lo spurgo e la videoispezione di canalizzazioni e fognature. La società può aprire succursali."),
    ("38", "Collection and disposal of hazardous waste. The Company may engage in any other commercial activity."),
    ("43", "Ausführung sämtlicher Malerarbeiten und Renovationen. Die Gesellschaft kann Zweigniederlassungen im In- und Ausland errichten."),
    ("43", "L'exploitation d'une entreprise de chauffage, sanitaire et ventilation. La société peut effectuer toutes opérations financières."),
    ("41", "L'esecuzione di lavori edili di ogni genere quale impresa di costruzioni. La società può partecipare ad altre società."),
    ("42", "Construction of roads, tunnels and bridges. The Company may purchase real estate."),
    ("45", "Betrieb einer Garage mit Carrosseriewerkstatt und Handel mit Neu- und Gebrauchtwagen. Die Gesellschaft kann sich beteiligen."),
    ("47", "L'exploitation d'une pharmacie et parfumerie. La société peut acquérir des immeubles."),
    ("46", "L'importazione e il commercio all'ingrosso di vini e prodotti alimentari italiani. La società può aprire filiali."),
    ("46", "International trading of crude oil, petroleum products and other commodities. The Company may establish subsidiaries."),
    ("49", "Durchführung von Lastwagentransporten und Umzügen im In- und Ausland. Die Gesellschaft kann Fahrzeuge vermieten."),
    ("49", "Le transport de personnes en taxi et en minibus. La société peut exercer toute activité financière."),
    ("52", "L'attività di casa di spedizioni, la logistica e il deposito di merci. La società può acquistare immobili."),
    ("51", "Operation of helicopter flights and charter services. The Company may lease aircraft."),
    ("55", "Führung eines Hotels mit Wellnessbereich. Die Gesellschaft kann Grundstücke erwerben, belasten und veräussern."),
    ("56", "L'exploitation d'une crêperie et d'un service traiteur. La société peut créer des succursales en Suisse et à l'étranger."),
    ("56", "La gestione di un'osteria con alloggio e di un bar. La società può acquistare immobili."),
    ("56", "The operation of restaurants, bars and takeaway outlets. The Company may acquire, hold and sell real estate."),
    ("62", "Entwicklung von Webapplikationen und Beratung im Bereich Informatik. Die Gesellschaft kann Immobilien erwerben."),
    ("58", "L'édition de livres, revues et publications numériques. La société peut participer à d'autres entreprises."),
    ("61", "La fornitura di servizi di telecomunicazione e la gestione di reti in fibra ottica. La società può compiere ogni operazione utile."),
    ("62", "Development and licensing of software for the financial industry. The Company may hold participations in other companies."),
    ("64", "Halten, Verwalten und Verkaufen von Beteiligungen an in- und ausländischen Gesellschaften. Die Gesellschaft kann Restaurants betreiben."),
    ("66", "La gestion de fortune et le conseil en investissements pour une clientèle privée. La société peut acquérir des immeubles."),
    ("65", "L'esercizio della riassicurazione in tutti i rami. La società può partecipare ad altre imprese."),
    ("66", "Insurance brokerage and related advice to companies and private persons. The company may open branches."),
    ("68", "Kauf, Verkauf, Vermietung und Bewirtschaftung von Immobilien. Die Gesellschaft kann Darlehen gewähren."),
    ("68", "L'achat, la vente, la location et la gestion de biens immobiliers. La société peut contracter des emprunts."),
    ("68", "La compravendita, la locazione e l'amministrazione di immobili. La società può concedere garanzie."),
    ("68", "The acquisition, letting and management of real estate in Switzerland. The Company may take out loans."),
    ("69", "Führung eines Treuhandbüros, insbesondere Buchführung, Steuerberatung und Wirtschaftsprüfung. Die Gesellschaft kann Liegenschaften erwerben."),
    ("71", "L'exploitation d'un bureau d'ingénieurs civils et de géomètres. La société peut prendre des participations."),
    ("69", "La gestione di uno studio legale e notarile. La società può acquistare immobili."),
    ("72", "Research and development in the field of biotechnology, in particular antibody therapies. The Company may acquire patents."),
    ("81", "Unterhalts- und Fensterreinigungen, Hauswartungen sowie Gartenunterhalt. Die Gesellschaft kann Zweigniederlassungen errichten."),
    ("78", "Le placement fixe et temporaire de personnel. La société peut faire toutes opérations commerciales."),
    ("79", "L'organizzazione di viaggi e la gestione di un'agenzia di viaggi. La società può aprire succursali."),
    ("80", "Provision of guarding and security services for events and buildings. The Company may acquire real estate."),
    ("84", "Erfüllung gemeinsamer öffentlicher Aufgaben der Verbandsgemeinden im Bereich Feuerwehr und Zivilschutz."),
    ("84", "L'administration de la caisse de compensation et le versement d'allocations familiales."),
    ("84", "L'adempimento di compiti pubblici dei comuni consorziati."),
    ("84", "Performance of public tasks on behalf of the member municipalities."),
    ("85", "Betrieb einer Sprachschule und Durchführung von Firmenkursen. Die Gesellschaft kann sich an anderen Schulen beteiligen."),
    ("85", "L'enseignement de la conduite et l'exploitation d'une auto-école. La société peut acquérir des véhicules."),
    ("85", "L'organizzazione di corsi di lingue e di formazione continua. La società può partecipare ad altre imprese."),
    ("85", "Operation of an international school with boarding facilities. The company may acquire property."),
    ("86", "Betrieb einer zahnärztlichen Praxis sowie Dentalhygiene. Die Gesellschaft kann Liegenschaften erwerben."),
    ("86", "L'exploitation d'un cabinet d'ostéopathie et de thérapies naturelles. La société peut louer des locaux."),
    ("87", "La gestione di una casa per anziani medicalizzata. La fondazione può ricevere donazioni."),
    ("88", "Operation of day nurseries for children of pre-school age. The association may employ staff."),
    ("93", "Betrieb eines Fitnesscenters mit Sauna und Verkauf von Sportartikeln. Die Gesellschaft kann Filialen eröffnen."),
    ("90", "La production de spectacles de théâtre et l'organisation de concerts. L'association peut recevoir des dons."),
    ("91", "La conservazione della collezione e la gestione di un museo. La fondazione può accettare lasciti."),
    ("92", "Operation of a casino and related gambling activities. The company may run restaurants."),
    ("96", "Führung eines Coiffeursalons und Verkauf von Haarpflegeprodukten. Die Gesellschaft kann weitere Salons eröffnen."),
    ("94", "Le soutien d'œuvres religieuses et l'entretien de l'église. La fondation peut recevoir des legs."),
    ("96", "La gestione di una lavanderia e stireria. La società può aprire filiali."),
    ("94", "The protection of the common interests of its members and charitable activities. The association may own property."),
    ("97", "Anstellung von Hauspersonal durch private Haushalte."),
    ("97", "L'emploi de personnel de maison par les ménages privés."),
    ("97", "L'impiego di personale domestico presso economie domestiche private."),
    ("97", "Employment of domestic staff by private households."),
    ("99", "Vertretung einer internationalen Organisation mit Sitz in Genf."),
    ("99", "La représentation d'une organisation internationale à Genève."),
    ("99", "La rappresentanza di un'organizzazione internazionale."),
    ("99", "Liaison office of an international organisation."),
];

fn code(purpose: &str) -> Option<&'static str> {
    classify(purpose).map(|it| it.code())
}

#[test]
fn purposes_in_four_languages_give_the_right_division() {
    let results = PURPOSES.map(|(division, purpose)| {
        let found = classify(purpose).map(|it| it.division.code);
        (found == Some(division), division, found, purpose)
    });
    let wrong: Vec<_> = results.iter().filter(|(is_right, ..)| !is_right).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let sections: HashSet<char> =
        PURPOSES.iter().filter_map(|(it, _)| Some(noga::division(it)?.section)).collect();
    assert_eq!(sections.len(), noga::SECTIONS.len());
}

#[test]
fn class_is_given_if_the_words_are_specific() {
    for (purpose, code) in [
        ("Betrieb einer Bäckerei", "1071"),
        ("La réparation de montres", "9525"),
        ("Grosshandel mit Medikamenten", "4646"),
        ("Detailhandel mit Schuhen", "4772"),
        ("Weinhandel", "4634"),
        ("Watch manufacturing", "2652"),
        ("Betrieb eines Architekturbüros", "7111"),
        ("Handel mit Textilien und Lebensmitteln", "46"),
        ("Reinigungen, Hauswartungen und Gartenpflege", "81"),
    ] {
        assert_eq!(self::code(purpose), Some(code), "{purpose}");
    }
}

#[test]
fn activity_with_goods_decides_the_division() {
    for (purpose, division) in [
        ("Herstellung von Uhren", "26"),
        ("Handel mit Uhren", "46"),
        ("Verkauf von Uhren im eigenen Laden", "47"),
        ("Reparatur von Uhren", "95"),
        ("Entwicklung, Herstellung und Vertrieb von Maschinen", "28"),
        ("Handel mit Maschinen und deren Vermietung", "46"),
        ("Vermietung von Baumaschinen", "77"),
        ("Location de voitures", "77"),
    ] {
        let found = classify(purpose).map(|it| it.division.code);
        assert_eq!(found, Some(division), "{purpose}");
    }
}

#[test]
fn permitted_activities_do_not_count() {
    for purpose in [
        "Die Gesellschaft kann Restaurants betreiben und Grundstücke erwerben.",
        "La société peut acquérir des immeubles et exploiter des hôtels.",
        "La società può gestire ristoranti.",
        "The Company may operate restaurants.",
    ] {
        assert_eq!(classify(purpose), None, "{purpose}");
    }
    let alone = classify("Betrieb eines Coiffeursalons.");
    let with_rest = classify(
        "Betrieb eines Coiffeursalons. Die Gesellschaft kann Zweigniederlassungen errichten, sich an anderen \
         Unternehmen beteiligen, Grundstücke erwerben, belasten, veräussern und verwalten sowie alle Geschäfte \
         tätigen, die damit zusammenhängen.",
    );
    assert_eq!(
        alone.map(|it| (it.code(), it.confidence)),
        with_rest.map(|it| (it.code(), it.confidence))
    );
}

#[test]
fn activities_of_clients_and_holdings_do_not_count() {
    for (purpose, division) in [
        ("Halten von Beteiligungen an Gesellschaften, die Restaurants und Hotels betreiben", "64"),
        ("Détention de participations dans des sociétés actives dans la restauration", "64"),
        ("Entwicklung von Software für Restaurants, Hotels und Treuhänder", "62"),
        ("Reinigung von Gebäuden für Banken und Versicherungen", "81"),
    ] {
        let found = classify(purpose).map(|it| it.division.code);
        assert_eq!(found, Some(division), "{purpose}");
    }
}

#[test]
fn purpose_with_two_industries_has_low_confidence_or_no_classification() {
    for purpose in [
        "Treuhand und Handel mit Software.",
        "Betrieb einer Treuhandgesellschaft; Entwicklung und Vertrieb von Software.",
        "Organisation von Events und Betrieb von Bars",
    ] {
        let confidence = classify(purpose).map_or(0.0, |it| it.confidence);
        assert!(confidence < 0.8, "{purpose}: {confidence}");
    }
    let clear = classify("Betrieb einer Treuhandgesellschaft, Buchführung und Steuerberatung");
    assert!(clear.is_some_and(|it| it.confidence > 0.9));
}

#[test]
fn purpose_without_known_words_has_no_classification() {
    for purpose in [
        "",
        ".",
        "Verfolgung des statutarischen Zwecks",
        "Erbringung von Leistungen aller Art",
        "toutes activités licites",
        "9999 ????",
    ] {
        assert_eq!(classify(purpose), None, "{purpose}");
    }
}

#[test]
fn classification_lists_its_evidence() {
    let industry = classify("Betrieb eines Restaurants und einer Pizzeria").expect("classified");
    assert_eq!(industry.code(), "5610");
    assert_eq!(industry.division.name, "Restaurants, bars and catering");
    assert_eq!(industry.class.map(|it| it.name), Some("Restaurants and takeaways"));
    let phrases: Vec<&str> = industry.evidence.iter().map(|it| it.phrase.as_str()).collect();
    assert_eq!(phrases, ["restaurants", "pizzeria"]);
    assert!(industry.evidence.is_sorted_by(|one, other| one.weight >= other.weight));
    assert!(industry.confidence >= MIN_CONFIDENCE && industry.confidence <= 1.0);
}

#[test]
fn classified_record_states_keyword_match_as_source() {
    let uid = "CHE-107.787.577".parse().expect("well-formed");
    let mut company = crate::Company::new(uid, "Muster AG");
    company.purpose = Some("Betrieb einer Bäckerei mit Konditorei".into());
    company.classify(None);
    assert_eq!(company.industry.as_deref(), Some("Food production"));
    assert_eq!(company.sub_industry.as_deref(), Some("Bakeries"));
    assert_eq!(company.noga_code.as_deref(), Some("1071"));
    assert_eq!(company.industry_source.as_deref(), Some("keyword_match"));
    assert!(company.industry_confidence.is_some_and(|it| it > 0.8));
    // The industry of another source is not overwritten.
    company.industry_source = Some("demo".into());
    company.purpose = Some("Betrieb eines Hotels".into());
    company.classify(None);
    assert_eq!(company.noga_code.as_deref(), Some("1071"));
}

#[test]
fn every_phrase_has_a_valid_code_and_every_division_has_a_phrase() {
    assert!(patterns::PATTERNS.0.is_some());
    let of_goods =
        GOODS.iter().flat_map(|it| [it.make, it.wholesale, it.retail, it.repair, it.rent]);
    let codes = TRADES.iter().map(|it| it.0).chain(of_goods.filter(|it| !it.is_empty()));
    for code in codes {
        assert!(noga::division(code).is_some(), "{code}");
        assert!((2..=4).contains(&code.len()), "{code}");
        assert!(code.len() < 4 || noga::class(code).is_some(), "{code}");
    }
    for division in &noga::DIVISIONS {
        let has_phrase = TRADES.iter().any(|it| it.0.starts_with(division.code))
            || GOODS.iter().any(|it| it.make.starts_with(division.code));
        assert!(has_phrase, "{division:?}");
    }
}

proptest! {
    #[test]
    fn classifying_never_panics(purpose in any::<String>()) {
        let _ = classify(&purpose);
    }

    #[test]
    fn every_classification_has_evidence_and_confidence_in_range(
        words in proptest::collection::vec(
            prop::sample::select(vec!["Handel", "mit", "Wein", "für", "Treuhand", ",", ".", "kann", "Beteiligungen an", "Restaurants", "ü", "Herstellung von", "Weinhandel", "pour", "but", "|", "(", "Holding"]),
            0..30,
        ),
    ) {
        if let Some(it) = classify(&words.join(" ")) {
            prop_assert!((MIN_CONFIDENCE..=1.0).contains(&it.confidence));
            prop_assert!(!it.evidence.is_empty());
            prop_assert!(it.code().starts_with(it.division.code));
        }
    }
}
