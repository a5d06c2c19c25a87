use std::{
    collections::{HashMap, HashSet},
    thread,
};

use domain::{AuditorCategory, DEMO, Lei, Uid, auditors, company::AffiliationKind, noga, text};

use super::*;
use crate::identifiers::uid;

mod invariants;
mod law;
mod publications;
mod special_cases;

/// As many companies as `cargo run` serves.
const SOME: usize = 5_000;

/// Them, with all their notices.
static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let part = SOME.div_ceil(threads);
    let of_part = |it: usize| {
        let indexes = it * part..SOME.min((it + 1) * part);
        thread::spawn(move || indexes.map(|it| register().entry(it, true)).collect::<Vec<Entry>>())
    };
    let parts: Vec<_> = (0..threads).map(of_part).collect();
    parts.into_iter().flat_map(|it| it.join().expect("entries")).collect()
});

fn register() -> Register {
    Register::on(DEMO_DATE)
}

fn company(index: usize) -> Company {
    register().company(index)
}

fn companies(count: usize) -> impl Iterator<Item = Company> {
    ENTRIES[..count].iter().map(|it| it.company.clone())
}

fn publications(index: usize, all: bool) -> Vec<Value> {
    register().publications(index, all)
}

/// The share of the companies that this holds for, in per cent.
fn share(companies: &[Company], holds: impl Fn(&Company) -> bool) -> f64 {
    companies.iter().filter(|it| holds(it)).count() as f64 * 100.0 / companies.len() as f64
}

#[test]
fn company_is_the_same_in_registers_of_different_sizes() {
    let smaller: Vec<Company> = register().companies(300).collect();
    let larger: Vec<Company> = register().companies(1_000).take(300).collect();
    assert_eq!(smaller, larger);
    assert_eq!(register().companies(0).len(), 0);
    assert_eq!(register().companies(usize::MAX).len(), CAPACITY);
}

#[test]
fn newest_statements_are_of_the_week_before_the_start() {
    for day in ["2026-10-31", "2026-11-29", "2027-03-01", "2028-02-29", "2031-12-31"] {
        let today: Date = day.parse().expect("a day");
        let register = Register::on(today);
        assert!(
            register.day() <= today && today.duration_since(register.day()).as_hours() < 7 * 24
        );
        let newest = (0..100).flat_map(|index| {
            let Entry { company, history, facts } = register.entry(index, true);
            let events = history.events.iter().map(|it| it.event.date).collect::<Vec<_>>();
            let updated = company.sources.into_iter().filter_map(|it| it.date);
            let published = facts.into_iter().filter_map(|it| it.published);
            events.into_iter().chain(updated).chain(published).max()
        });
        let newest = newest.max().expect("statements");
        assert!(newest <= today, "{newest} {today}");
        assert!(today.duration_since(newest).as_hours() < 10 * 24, "{newest} {today}");
    }
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
        for source in &company.sources {
            // Positions come from a table of real localities.
            assert!([DEMO, domain::LOCALITIES].contains(&source.source.as_str()), "{source:?}");
            assert!(source.date.is_none_or(|it| it <= DEMO_DATE), "{source:?}");
        }
        assert!(company.sources.iter().any(|it| it.source == DEMO));
    }
}

#[test]
fn first_5000_companies_are_in_every_canton() {
    let cantons: HashSet<Canton> = companies(SOME).filter_map(|it| it.canton).collect();
    assert_eq!(cantons.len(), Canton::ALL.len());
}

#[test]
fn shares_are_similar_to_those_of_switzerland() {
    let some: Vec<Company> = companies(SOME).collect();
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
        ("industry", share(&some, |it| it.industry.is_some()), 98.0, 2.0),
        ("employees", share(&some, |it| it.employee_count.is_some()), 52.0, 2.5),
        ("LEI", share(&some, |it| it.lei.is_some()), 3.0, 0.5),
        ("old names", share(&some, |it| it.old_names.is_some()), 5.0, 1.5),
        ("translations", share(&some, |it| it.translations.is_some()), 4.0, 0.5),
        ("supervised", share(&some, |it| it.is_finma_regulated.is_some()), 0.5, 0.25),
        ("auditor of AG", share(&corporations, |it| it.auditor_name.is_some()), 55.0, 2.0),
        ("auditor of GmbH", share(&limited, |it| it.auditor_name.is_some()), 11.0, 1.5),
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
    for company in companies(SOME).skip(REAL.len()) {
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
fn industry_is_the_division_of_the_code() {
    let mut divisions = HashSet::new();
    for company in companies(SOME) {
        let code = company.noga_code.as_deref();
        assert_eq!(company.industry.as_deref(), code.and_then(noga::division).map(|it| it.name));
        divisions.extend(company.industry);
    }
    assert!(divisions.len() > 65, "{}", divisions.len());
}

#[test]
fn head_office_of_a_branch_is_in_a_register_of_the_same_size() {
    let some: Vec<Company> = companies(SOME).collect();
    let names: HashMap<Uid, &str> = some.iter().map(|it| (it.uid, it.name.as_str())).collect();
    let affiliations = some.iter().flat_map(|it| &it.affiliations);
    let head_offices = affiliations.filter(|it| it.kind == AffiliationKind::HeadOffice);
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
