use std::collections::{HashMap, HashSet};

use domain::{AuditorCategory, Lei, Uid, auditors, noga, text};

use super::*;
use crate::identifiers::uid;

mod publications;
mod special_cases;

const SOME: usize = 5_000;

/// The share of the companies that this holds for, in per cent.
fn share(companies: &[Company], holds: impl Fn(&Company) -> bool) -> f64 {
    companies.iter().filter(|it| holds(it)).count() as f64 * 100.0 / companies.len() as f64
}

#[test]
fn company_is_the_same_in_registers_of_different_sizes() {
    let smaller: Vec<Company> = companies(300).collect();
    let larger: Vec<Company> = companies(1_000).take(300).collect();
    assert_eq!(smaller, larger);
    assert_eq!((companies(0).len(), companies(0).next()), (0, None));
    assert_eq!(companies(usize::MAX).len(), CAPACITY);
}

#[test]
fn numbers_are_unique_valid_and_in_the_unassigned_range() {
    let mut seen = HashSet::new();
    for index in (REAL.len()..60_000).chain(CAPACITY - 60_000..CAPACITY) {
        let uid = uid(index);
        assert!(uid.has_valid_check_digit(), "{uid}");
        assert!((600_000_000..900_000_000).contains(&uid.number()), "{uid}");
        assert!(seen.insert(uid.number() / 100), "{uid}");
    }
}

#[test]
fn real_companies_have_identity_facts_only() {
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
fn every_record_names_demo_as_its_source() {
    for company in companies(SOME) {
        assert_eq!(company.data_source.as_deref(), Some("demo"));
        assert_eq!(company.sources.len(), 1);
        assert_eq!(company.sources[0].date, Some(DEMO_DATE));
    }
}

#[test]
fn first_5000_companies_are_in_every_canton() {
    let cantons: HashSet<Canton> = companies(SOME).filter_map(|it| it.canton).collect();
    assert_eq!(cantons.len(), Canton::ALL.len());
}

#[test]
fn shares_are_similar_to_those_of_switzerland() {
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
        ("supervised", share(&some, |it| it.is_finma_regulated.is_some()), 0.5, 0.25),
        ("auditor of AG", share(&corporations, |it| it.auditor_name.is_some()), 55.0, 2.0),
        ("auditor of GmbH", share(&limited, |it| it.auditor_name.is_some()), 10.0, 1.5),
        ("foreign money", share(&corporations, |it| it.currency.as_deref() != Some("CHF")), 2.0, 0.6),
    ];
    let is_far = |(_, found, expected, tolerance): &&(&str, f64, f64, f64)| {
        (found - expected).abs() > *tolerance
    };
    let far: Vec<_> = expected.iter().filter(is_far).collect();
    assert!(far.is_empty(), "share, found, expected, tolerance: {far:?}");
}

#[test]
fn legal_entity_identifiers_have_a_prefix_that_no_issuer_has() {
    let leis: Vec<Lei> = companies(SOME).filter_map(|it| it.lei).collect();
    assert!(!leis.is_empty());
    assert!(leis.iter().all(|it| it.as_str().starts_with("DEMO00CHE")));
}

#[test]
fn no_invented_company_has_a_well_known_name() {
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
fn dates_of_a_company_are_in_order() {
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
fn industry_is_the_division_of_the_code() {
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
fn head_office_of_a_branch_is_in_a_register_of_the_same_size() {
    let some: Vec<Company> = companies(SOME).collect();
    let names: HashMap<Uid, &str> = some.iter().map(|it| (it.uid, it.name.as_str())).collect();
    let head_offices = some.iter().flat_map(|it| &it.affiliations);
    let linked: Vec<_> = head_offices.filter_map(|it| Some((it.uid?, it.name.as_str()))).collect();
    assert!(linked.len() > 100, "{}", linked.len());
    for (uid, name) in linked {
        assert_eq!(names.get(&uid), Some(&name));
    }
}

#[test]
fn first_5000_companies_have_auditors_of_every_tier() {
    let tiers: HashSet<AuditorCategory> =
        companies(SOME).filter_map(|it| it.auditor_category).collect();
    assert_eq!(tiers.len(), auditors::AuditorCategory::ALL.len());
}
