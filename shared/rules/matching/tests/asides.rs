//! Words that say little about which company is meant never turn a match into none, on both sides.

use invented_names::Names;
use matching::{Candidates, Kind, Name, Prepared, Subject, compare, explain};

const STATES: &[&str] = &[
    "in Liquidation",
    "i.L.",
    "in Nachlassliquidation",
    "in provisorischer Nachlassstundung",
    "in Konkurs",
    "en liquidation",
    "en liq.",
    "en faillite",
    "en sursis concordataire",
    "in liquidazione",
    "in liq.",
    "in fallimento",
    "in moratoria concordataria",
    "in voluntary liquidation",
    "in bankruptcy",
    "under administration",
    "in receivership",
];

const PLACES: &[&str] = &[
    ", Zug",
    ", Genève",
    ", Sankt Gallen",
    " (Bellinzona)",
    ", La Chaux-de-Fonds",
    ", Hinterforst",
    " (Hong Kong)",
    " (Singapore)",
    ", Frankfurt am Main",
];

const COUNTRIES: &[&str] = &[
    " (Schweiz)",
    " (Suisse)",
    " (Svizzera)",
    " (Switzerland)",
    " (Deutschland)",
    " (Royaume-Uni)",
    " (Emirati Arabi Uniti)",
    " (Netherlands)",
    " Österreich",
    " Europe",
];

const NUMBERS: &[&str] = &[
    " (CHE-123.456.789)",
    ", CHE-123.456.789 MWST",
    " (HRB 12345)",
    " (1987)",
    " (No. 4)",
    " [20260815]",
    " 2",
    " No. 4",
    " Nr. 12",
    " II",
    " III",
];

const ACTIVITIES: &[&str] = &[
    "Trading",
    "International",
    "Holding",
    "Group",
    "Services",
    "Handel",
    "Négoce",
    "Commercio",
    "Beteiligungen",
    "Consulting",
];

const TRADES: &[&str] = &[
    "Commodities",
    "Rohstoffhandel",
    "Matières premières",
    "Bau",
    "Holzbau",
    "Construction",
    "Costruzioni",
    "Real Estate",
    "Immobilier",
    "Finanz",
    "Transporti",
    "Spedition",
    "Oil & Gas",
    "Informatique",
    "Sicurezza",
];

const BRANCHES: &[&str] = &[
    ", Zweigniederlassung Zürich",
    ", succursale de Lausanne",
    ", succursale di Lugano",
    ", Zug Branch",
];

/// What stands before a name.
const LEADING: &[&str] = &[
    "Konkursmasse",
    "Liquidationsmasse",
    "Masse en faillite de",
    "Fallimento",
    "Nachlass der",
    "Nachfolgerin der",
    "Rechtsnachfolgerin der",
    "Succession de",
    "Successor of",
    "vormals",
    "vorm.",
    "ehemals",
    "formerly",
    "anciennement",
];

/// Names of companies, without legal form and with it.
fn names() -> Vec<(String, String)> {
    let mut invented = Names::new(31);
    let mut names: Vec<_> = (0..40)
        .map(|_| {
            let company = invented.company();
            let (form, words) = company.split_last().expect("a name and a legal form");
            (words.join(" "), form.clone())
        })
        .collect();
    names.extend(
        [
            ("Tannhof Rohstoffe", "AG"),
            ("Silbergrund", "Sagl"),
            ("Ostwind Energie", "GmbH"),
            ("Nordlicht", "SA"),
        ]
        .map(|(name, form)| (name.to_owned(), form.to_owned())),
    );
    names
}

fn company(name: &str) -> Prepared {
    let names = vec![Name::new(name)];
    Prepared::new(&Subject { kind: Kind::Organisation, names, ..Subject::default() })
}

#[test]
fn a_word_that_says_little_never_turns_a_match_into_none() {
    let mut wrong = Vec::new();
    for (name, form) in names() {
        let full = format!("{name} {form}");
        let listed = company(&full);
        let base = compare(&listed, &listed).score;
        let after = [STATES].into_iter().flatten().map(|it| format!("{full} {it}"));
        let inside =
            [STATES, ACTIVITIES].into_iter().flatten().map(|it| format!("{name} {it} {form}"));
        let bracketed = STATES.iter().map(|it| format!("{full} ({it})"));
        let attached = [PLACES, COUNTRIES, NUMBERS, BRANCHES]
            .into_iter()
            .flatten()
            .map(|it| format!("{full}{it}"));
        let before = COUNTRIES.iter().map(|it| format!("{name}{it} {form}"));
        let several =
            STATES.iter().zip(COUNTRIES).zip(&NUMBERS[..6]).map(|((state, country), number)| {
                format!("{name} International{country} {form}, Zug{number} {state}")
            });
        let leading = LEADING.iter().map(|it| format!("{it} {full}"));
        let capitals = STATES.iter().map(|it| format!("{full} {it}").to_uppercase());
        let all = after.chain(inside).chain(bracketed).chain(attached).chain(before);
        for text in all.chain(leading).chain(several).chain(capitals) {
            let other = company(&text);
            let score = compare(&other, &listed).score;
            let is_found = |query: &Prepared, entry: &Prepared| {
                !Candidates::new([entry]).find(query).is_empty()
            };
            let is_found = is_found(&other, &listed) && is_found(&listed, &other);
            if score < base - 0.05 || !is_found || compare(&listed, &other).score != score {
                wrong.push(format!(
                    "{score:.3} instead of {base:.3}, candidate: {is_found}: {text}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// More of a listed name never weighs less: a name with its legal form is written in full, but keeps the lowest level of a match.
#[test]
fn a_legal_form_never_turns_a_match_into_none() {
    let mut wrong = Vec::new();
    let mut check = |typed: String, listed: &Prepared, least: f64| {
        let typed_name = company(&typed);
        let score = compare(&typed_name, listed).score;
        let is_candidate = !Candidates::new([listed]).find(&typed_name).is_empty();
        if score < least || !is_candidate || compare(listed, &typed_name).score != score {
            wrong.push(format!("{score:.3} {is_candidate}: {typed}"));
        }
    };
    // Names that contain words of a legal form.
    let is_form = |it: &str| it.contains("foundation") || it.ends_with(" co");
    for (name, form) in names().into_iter().filter(|it| !is_form(&it.0)) {
        for trade in TRADES {
            let listed = company(&format!("{name} {trade} {form}"));
            for form in ["AG", "SA", "Sagl", "Ltd"] {
                check(format!("{name} {form}"), &listed, 0.7);
            }
            check(format!("{name} AG, Zug"), &listed, 0.7);
            check(format!("{name} AG, Zweigniederlassung Genf"), &listed, 0.7);
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    // Common words are those of many companies.
    for (one, other) in [("Meier AG", "Meier Holzbau AG"), ("Swiss AG", "Swiss Garage AG")] {
        let score = compare(&company(one), &company(other)).score;
        assert!(score < 0.7, "{one} | {other}: {score}");
    }
}

#[test]
fn the_designation_of_an_office_stands_before_or_behind_the_name() {
    let listed = company("Dravonic Commodities AG");
    for office in [
        "Repräsentanz",
        "Representative Office of",
        "Bureau de représentation de",
        "Bureau de représentation",
        "Ufficio di rappresentanza",
        "Ufficio di rappresentanza della",
        "Zweigniederlassung der",
        "Succursale de",
        "Betriebsstätte der",
        "Établissement stable de",
        "Stabile organizzazione di",
    ] {
        for typed in [
            format!("{office} Dravonic Commodities AG"),
            format!("Dravonic Commodities AG, {office} Baar"),
        ] {
            let score = compare(&company(&typed), &listed).score;
            assert!(score >= 0.9, "{typed}: {score}");
        }
    }
}

#[test]
fn a_trade_may_be_missing_in_a_name_without_legal_form() {
    let mut wrong = Vec::new();
    // A foundation states its legal form in the name.
    for (name, form) in names().into_iter().filter(|it| !it.0.contains("foundation")) {
        for trade in TRADES {
            let listed = company(&format!("{name} {trade} {form}"));
            for typed in [name.clone(), format!("{name}, Zug"), format!("{name} in Liquidation")] {
                let typed_name = company(&typed);
                let score = compare(&typed_name, &listed).score;
                let is_candidate = !Candidates::new([&listed]).find(&typed_name).is_empty();
                if score < 0.7 || !is_candidate {
                    wrong.push(format!("{score:.3} {is_candidate}: {typed} | {name} {trade}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_word_added_to_a_rare_name_never_turns_a_match_into_none() {
    let added =
        ["ex", "già", "Neue", "Nouvelle", "Nuova", "Die", "Freunde der", "Projekt", "Kralbeta"];
    let behind = [
        "Repräsentanz Zürich",
        "Representative Office",
        "Bureau de représentation",
        "Ufficio di rappresentanza",
        "Vertretung",
        "sede secondaria",
        "und Energie",
        "Kralbeta",
    ];
    let mut wrong = Vec::new();
    for listed_name in [
        "Dravonic Commodities AG",
        "Silbergrund Beteiligungs GmbH",
        "Tannhof Rohstoffe SA",
        "Fondation Ostwindhag",
    ] {
        let listed = company(listed_name);
        let before = added.iter().map(|it| format!("{it} {listed_name}"));
        for typed in before.chain(behind.iter().map(|it| format!("{listed_name} {it}"))) {
            let typed_name = company(&typed);
            let score = compare(&typed_name, &listed).score;
            let is_candidate = !Candidates::new([&listed]).find(&typed_name).is_empty();
            if score < 0.7 || !is_candidate || compare(&listed, &typed_name).score != score {
                wrong.push(format!("{score:.3} {is_candidate}: {typed} | {listed_name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    // Common words, of which the longer name may be another company's.
    for (one, other) in
        [("Swiss Bau AG", "Alpen Swiss Bau AG"), ("Meier Garage AG", "Kralbeta Meier Garage AG")]
    {
        assert!(!compare(&company(one), &company(other)).is_match(), "{one} | {other}");
    }
}

#[test]
fn a_trade_in_another_language_is_the_same_trade() {
    for (one, other) in [
        ("Tannhof Investments AG", "Tannhof Invest AG"),
        ("Tannhof Investissements SA", "Tannhof Invest AG"),
        ("Tannhof Commodities Ltd", "Tannhof Rohstoffe AG"),
        ("Silbergrund Costruzioni SA", "Silbergrund Bau AG"),
        ("Ostwind Kapital AG", "Ostwind Capital SA"),
        ("Ostwind Transporti SA", "Ostwind Transporte AG"),
        ("Tannhof Matières premières SA", "Tannhof Rohstoffe AG"),
        ("Tannhof Materie prime Sagl", "Tannhof Commodities Ltd"),
        ("Tannhof Raw Materials Ltd", "Tannhof Rohstoffe AG"),
        ("Goldener Anker Gestion de fortune Sàrl", "Goldener Anker Vermögensverwaltung GmbH"),
        ("Goldener Anker Asset Management GmbH", "Goldener Anker Gestione patrimoniale Sagl"),
        ("Silbergrund Énergies renouvelables SA", "Silbergrund Erneuerbare Energien AG"),
        ("Silbergrund Génie civil SA", "Silbergrund Tiefbau AG"),
    ] {
        assert!(compare(&company(one), &company(other)).is_match(), "{one} | {other}");
    }
}

#[test]
fn no_spelling_scores_above_the_name_itself() {
    for (listed, spelled) in [
        ("Zubragroprombank", "Zubr Agroprombank"),
        ("Silbergrundhandel", "Silbergrund Handel"),
        ("Ostwindenergie AG", "Ostwind Energie AG"),
    ] {
        let equal = compare(&company(listed), &company(listed)).score;
        let score = compare(&company(spelled), &company(listed)).score;
        assert!(score < equal, "{spelled} {score} | {listed} {equal}");
    }
    assert!(compare(&company("Zubragroprombank"), &company("Zubragroprombank")).score >= 0.9);
}

#[test]
fn what_a_company_does_says_less_than_its_name() {
    let reasons = explain(&company("Dravonic AG"), &company("Dravonic Commodities AG")).reasons;
    let weight = |word: &str| {
        let has_word = |it: &&matching::Explanation| it.text.en.contains(word);
        reasons.iter().find(has_word).expect("a reason").weight
    };
    assert!(weight("Dravonic") > weight("Commodities"));
}

#[test]
fn different_trades_tell_companies_apart() {
    for (one, other) in [
        ("Tannhof Holzbau AG", "Tannhof Spedition AG"),
        ("Silbergrund Immobilier SA", "Silbergrund Transporti SA"),
        ("Construction Finance SA", "Finance"),
    ] {
        let score = compare(&company(one), &company(other)).score;
        assert!(score < 0.7, "{one} | {other}: {score}");
    }
}

#[test]
fn an_estate_is_a_state_only_before_a_name() {
    for (name, other) in [
        ("Real Estate of Geneva SA", "Real Geneva SA"),
        ("Haus Erben der Zunft AG", "Haus Zunft AG"),
        ("Energie Masse de Vaud SA", "Energie Vaud SA"),
    ] {
        let score = compare(&company(name), &company(other)).score;
        assert!(score < compare(&company(name), &company(name)).score - 0.05, "{name}: {score}");
    }
    let estate =
        compare(&company("Estate of Tannhof Rohstoffe AG"), &company("Tannhof Rohstoffe AG"));
    assert!(estate.is_match(), "{estate:?}");
}

#[test]
fn a_former_name_is_found() {
    for (text, former) in [
        ("Tannhof Rohstoffe AG, vormals Silbergrund Handels AG", "Silbergrund Handels AG"),
        ("Tannhof Rohstoffe AG (vorm. Silbergrund AG)", "Silbergrund AG"),
        ("Tannhof Rohstoffe AG (ehemals Silbergrund AG)", "Silbergrund AG"),
        ("Tannhof Rohstoffe SA, anc. Silbergrund SA", "Silbergrund SA"),
        ("Tannhof Rohstoffe SA, anciennement Silbergrund SA", "Silbergrund SA"),
        ("Tannhof Rohstoffe Sagl (già Silbergrund Sagl)", "Silbergrund Sagl"),
        ("Tannhof Rohstoffe Ltd, formerly known as Silbergrund Ltd", "Silbergrund Ltd"),
        ("Tannhof Rohstoffe Ltd (f/k/a Silbergrund Ltd)", "Silbergrund Ltd"),
    ] {
        for name in [former, "Tannhof Rohstoffe AG"] {
            assert!(compare(&company(text), &company(name)).is_match(), "{text}: {name}");
            assert!(compare(&company(name), &company(text)).is_match(), "{text}: {name}");
        }
    }
}

#[test]
fn different_places_and_numbers_tell_companies_apart() {
    for (one, other) in [
        ("Tannhof Rohstoffe (Schweiz) AG", "Tannhof Rohstoffe (Deutschland) GmbH"),
        ("Tannhof Rohstoffe Zürich AG", "Tannhof Rohstoffe Basel AG"),
        ("Tannhof Fonds (2) AG", "Tannhof Fonds (3) AG"),
        ("Bank (Schweiz) AG", "Bank AG"),
        ("Silbergrund Bank AG in Liquidation", "Ostwind Energie AG in Liquidation"),
    ] {
        let score = compare(&company(one), &company(other)).score;
        assert!(score < 0.7, "{one} | {other}: {score}");
    }
    let one = company("Tannhof Rohstoffe (Schweiz) AG");
    assert!(compare(&one, &company("Tannhof Rohstoffe AG, Zug")).is_match());
}

#[test]
fn a_word_of_a_state_within_a_name_is_a_part_of_it() {
    for (one, other) in [
        ("Nachfolger Muster Immobilien AG", "Muster Immobilien AG"),
        ("Succession Films SA", "Films SA"),
    ] {
        let equal = compare(&company(one), &company(one)).score;
        assert!(compare(&company(one), &company(other)).score < equal - 0.1, "{one}");
    }
}

#[test]
fn the_state_is_a_remark_of_the_explanation() {
    let query = company("Tannhof Rohstoffe (Schweiz) AG in Liquidation");
    let reasons = explain(&query, &company("Tannhof Rohstoffe AG")).reasons;
    let texts: Vec<&str> = reasons.iter().map(|it| it.text.en.as_str()).collect();
    assert!(
        texts.contains(&"“in Liquidation” is the state of the company and no part of its name."),
        "{texts:?}"
    );
    assert!(
        texts.iter().any(|it| it.starts_with("“Schweiz” is only in one of the names")),
        "{texts:?}"
    );
}

#[test]
fn abbreviated_and_truncated_legal_forms_are_legal_forms() {
    for (one, other) in [
        ("Silbergrund LIMITED LIABILITY COMP", "Silbergrund LLC"),
        ("SILBERGRUND LIMITED LIABILITY", "Silbergrund LLC"),
        ("Public Joint Stock Co Silbergrund", "PJSC Silbergrund"),
        ("Silbergrund Joint Stk Co", "Silbergrund JSC"),
        ("Silbergrund Priv. Ltd", "Silbergrund Private Limited"),
        ("AT&Q Silbergrund Ltd", "ATQ Silbergrund Ltd"),
    ] {
        let score = compare(&company(one), &company(other)).score;
        assert!(score >= 0.8, "{one} | {other}: {score}");
    }
}
