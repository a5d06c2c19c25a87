use std::{
    collections::{HashMap, HashSet},
    time::Instant,
};

use domain::{AuditorCategory, auditors};

use super::*;

mod publications;

const SOME: usize = 5_000;

/// The share of the companies that this holds for, in per cent.
fn share(companies: &[Company], holds: impl Fn(&Company) -> bool) -> f64 {
    companies.iter().filter(|it| holds(it)).count() as f64 * 100.0 / companies.len() as f64
}

#[test]
fn a_company_is_the_same_in_registers_of_different_sizes() {
    let smaller: Vec<Company> = companies(300).collect();
    let larger: Vec<Company> = companies(1_000).take(300).collect();
    assert_eq!(smaller, larger);
    assert_eq!((companies(0).len(), companies(0).next()), (0, None));
    assert_eq!(companies(usize::MAX).len(), CAPACITY);
}

#[test]
fn numbers_are_unique_valid_and_in_the_range_that_nobody_is_given() {
    let mut seen = HashSet::new();
    for index in (REAL.len()..60_000).chain(CAPACITY - 60_000..CAPACITY) {
        let uid = invented_uid(index);
        assert!(uid.has_valid_check_digit(), "{uid}");
        assert!((600_000_000..900_000_000).contains(&uid.number()), "{uid}");
        assert!(seen.insert(uid.number() / 100), "{uid}");
    }
}

#[test]
fn the_real_companies_carry_identity_facts_only() {
    let real: Vec<Company> = companies(6).collect();
    let numbers: Vec<String> = real.iter().map(|it| it.uid.to_string()).collect();
    let expected = [
        "CHE-101.049.653",
        "CHE-101.329.561",
        "CHE-103.011.259",
        "CHE-103.000.037",
        "CHE-101.236.480",
        "CHE-105.909.036",
    ];
    assert_eq!(numbers, expected);
    let members = [
        "canton",
        "dataQualityScore",
        "dataSource",
        "enrichmentLevel",
        "legalForm",
        "legalFormCode",
        "legalSeat",
        "municipality",
        "name",
        "sources",
        "status",
        "statusCanonical",
        "uid",
    ];
    for company in &real {
        let json = serde_json::to_value(company).expect("json");
        let mut found: Vec<&String> = json.as_object().expect("an object").keys().collect();
        found.sort();
        assert_eq!(found, members, "{}", company.name);
        assert_eq!(company.legal_form.as_deref(), Some("Aktiengesellschaft"));
    }
    assert_eq!(real[5].municipality.as_deref(), Some("Vevey"));
}

#[test]
fn every_record_says_that_it_is_of_the_demonstration() {
    for company in companies(SOME) {
        assert_eq!(company.data_source.as_deref(), Some("demo"));
        assert_eq!(company.sources.len(), 1);
        assert_eq!(company.sources[0].date, Some(DEMO_DATE));
    }
}

#[test]
fn every_canton_appears_among_five_thousand() {
    let cantons: HashSet<Canton> = companies(SOME).filter_map(|it| it.canton).collect();
    assert_eq!(cantons.len(), Canton::ALL.len());
}

#[test]
fn localities_are_sorted_by_canton_and_lie_in_switzerland() {
    for canton in Canton::ALL {
        let places = localities::of_canton(canton);
        assert!(!places.is_empty() && places.iter().all(|it| it.canton == canton), "{canton:?}");
        for place in places {
            assert!((45.8..47.85).contains(&place.latitude), "{}", place.name);
            assert!((5.9..10.5).contains(&place.longitude), "{}", place.name);
            assert!(place.weight > 0 && place.language != Language::English, "{}", place.name);
        }
    }
    let basel = &localities::of_canton(Canton::Bs)[0];
    assert!((basel.latitude - 47.559).abs() < 0.01 && (basel.longitude - 7.588).abs() < 0.01);
}

#[test]
fn shares_are_those_of_the_country() {
    let some: Vec<Company> = companies(20_000).collect();
    let form = |code: &'static str| move |it: &Company| it.legal_form_code.as_deref() == Some(code);
    let canton = |canton: Canton| move |it: &Company| it.canton == Some(canton);
    let corporations: Vec<Company> = some.iter().filter(|it| form("0106")(it)).cloned().collect();
    let limited: Vec<Company> = some.iter().filter(|it| form("0107")(it)).cloned().collect();
    #[rustfmt::skip]
    let expected = [
        ("GmbH", share(&some, form("0107")), 33.0, 1.5),
        ("AG", share(&some, form("0106")), 30.0, 1.5),
        ("sole traders", share(&some, form("0101")), 24.0, 1.5),
        ("branches", share(&some, form("0151")), 3.0, 0.5),
        ("ZH", share(&some, canton(Canton::Zh)), 17.5, 1.0),
        ("VD", share(&some, canton(Canton::Vd)), 9.0, 1.0),
        ("AI", share(&some, canton(Canton::Ai)), 0.3, 0.2),
        ("active", share(&some, |it| it.status == Some(Status::Active)), 93.0, 1.0),
        ("deleted", share(&some, |it| it.deletion_date.is_some()), 4.0, 0.5),
        ("industry", share(&some, |it| it.industry.is_some()), 85.0, 1.0),
        ("employees", share(&some, |it| it.employee_count.is_some()), 60.0, 1.5),
        ("website", share(&some, |it| it.website.is_some()), 30.0, 1.5),
        ("LEI", share(&some, |it| it.lei.is_some()), 3.0, 0.5),
        ("old names", share(&some, |it| it.old_names.is_some()), 5.0, 1.5),
        ("translations", share(&some, |it| it.translations.is_some()), 4.0, 0.5),
        ("supervised", share(&some, |it| it.is_finma_regulated.is_some()), 0.4, 0.2),
        ("auditor of AG", share(&corporations, |it| it.auditor_name.is_some()), 55.0, 2.0),
        ("auditor of GmbH", share(&limited, |it| it.auditor_name.is_some()), 10.0, 1.5),
        ("foreign money", share(&corporations, |it| it.currency.as_deref() != Some("CHF")), 2.0, 0.6),
    ];
    for (what, found, expected, tolerance) in expected {
        assert!((found - expected).abs() <= tolerance, "{what}: {found} instead of {expected}");
    }
}

#[test]
fn identifiers_of_legal_entities_check() {
    let leis: Vec<String> = companies(SOME).filter_map(|it| it.lei).collect();
    assert!(!leis.is_empty());
    for lei in leis {
        assert_eq!(lei.len(), 20, "{lei}");
        let digits: String = lei
            .chars()
            .map(|it| it.to_digit(36).expect("a letter or a digit").to_string())
            .collect();
        let remainder = digits.bytes().fold(0, |rest, it| (rest * 10 + u32::from(it - b'0')) % 97);
        assert_eq!(remainder, 1, "{lei}");
    }
}

#[test]
fn no_invented_company_bears_a_well_known_name() {
    let reserved = ["abb", "ubs", "novartis", "roche", "nestle"];
    for company in companies(20_000).skip(REAL.len()) {
        let all = [vec![company.name.clone()], company.old_names.unwrap_or_default()].concat();
        for name in all {
            let folded = text::fold(&name);
            assert!(!folded.split(' ').any(|word| reserved.contains(&word)), "{name}");
            assert!(!folded.starts_with("zurich insurance"), "{name}");
            assert!(!reserved.iter().any(|it| folded.starts_with(it)), "{name}");
            assert!(!name.contains("  ") && name.trim() == name && name.len() > 5, "{name:?}");
        }
    }
}

#[test]
fn dates_follow_each_other() {
    for company in companies(SOME).skip(REAL.len()) {
        let registered = company.registration_date.expect("a registration");
        assert!(registered.year() >= 1883 && registered < DEMO_DATE, "{registered}");
        assert!(company.founding_date.is_none_or(|it| it < registered && it.year() >= 1883));
        assert!(company.deletion_date.is_none_or(|it| it > registered && it < DEMO_DATE));
        assert_eq!(company.deletion_date.is_some(), company.status == Some(Status::Cancelled));
        let updated = company.updated_at.expect("a change").to_string();
        assert!(*"2015-01-01" <= *updated && *updated < *"2026-10-31", "{updated}");
        assert!(*registered.to_string() <= updated[..10], "{registered} {updated}");
    }
}

#[test]
fn industries_are_divisions_and_codes_belong_to_them() {
    let mut divisions = HashSet::new();
    for company in companies(SOME) {
        let code = company.noga_code.as_deref();
        assert_eq!(company.industry.as_deref(), code.and_then(noga::division).map(|it| it.name));
        assert!(code.is_none_or(|it| it.len() == 6));
        divisions.extend(company.industry);
    }
    assert!(divisions.len() > 65, "{}", divisions.len());
}

#[test]
fn trades_are_in_order_and_name_themselves_in_every_language() {
    assert!(TRADES.is_sorted_by(|a, b| a.code < b.code));
    for trade in &TRADES {
        assert!(noga::division(trade.code).is_some(), "{}", trade.code);
        assert!(trade.words.iter().all(|it| !it.is_empty()), "{}", trade.code);
        let nouns = ["die ", "das ", "den "];
        assert!(nouns.iter().any(|it| trade.activity[0].starts_with(it)), "{}", trade.code);
    }
    let lists: [&[(u32, &str)]; 4] =
        [&ASSOCIATION_TRADES, &FOUNDATION_TRADES, &COOPERATIVE_TRADES, &PUBLIC_TRADES];
    for (_, code) in lists.concat() {
        assert!(Trade::by_code(code).is_some(), "{code}");
    }
}

#[test]
fn head_offices_stand_earlier_in_the_register() {
    let some: Vec<Company> = companies(SOME).collect();
    let names: HashMap<Uid, &str> = some.iter().map(|it| (it.uid, it.name.as_str())).collect();
    let heads = some.iter().flat_map(|it| &it.affiliations);
    let linked: Vec<_> = heads.filter_map(|it| Some((it.uid?, it.name.as_str()))).collect();
    assert!(linked.len() > 100, "{}", linked.len());
    for (uid, name) in linked {
        assert_eq!(names.get(&uid), Some(&name));
    }
}

#[test]
fn every_tier_of_auditors_is_there() {
    let tiers: HashSet<AuditorCategory> =
        companies(SOME).filter_map(|it| it.auditor_category).collect();
    assert_eq!(tiers.len(), auditors::AuditorCategory::ALL.len());
}

/// `cargo test --release -p demo-registry -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn measure_the_whole_register() {
    const WHOLE: usize = 790_000;
    let started = Instant::now();
    let made = companies(WHOLE).filter(|it| it.name.len() > 3).count();
    println!("{made} companies in {:?}", started.elapsed());
    let started = Instant::now();
    println!("{} companies in {:?}", companies(SOME).map(drop).count(), started.elapsed());
    let mut names: HashMap<String, usize> = HashMap::new();
    for company in companies(WHOLE) {
        *names.entry(company.name).or_default() += 1;
    }
    println!("distinct names: {:.1} %", names.len() as f64 * 100.0 / WHOLE as f64);
    let mut often: Vec<(String, usize)> = names.into_iter().collect();
    often.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    println!("{:#?}", &often[..15]);
    for company in companies(60).skip(6) {
        println!("{} | {}", company.name, company.purpose.unwrap_or_default());
    }
    println!("{}", serde_json::to_string_pretty(&companies(60).last()).expect("json"));
}
