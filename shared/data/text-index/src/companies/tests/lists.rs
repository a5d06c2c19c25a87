use domain::{
    Amount, AuditorCategory, Canton, Company, Isin, Lei, Status,
    auditors::WantedAuditorCategory,
    company::StatusReason,
    legal_forms::WantedLegalForm,
    noga::DIVISIONS,
    search::{
        Bound, CompanyQuery, Day, NogaPrefix, NogaSection, PageNumber, PageSize, Share, SortBy,
        WantedIdentifier, WantedIndustry, WantedStatus, changes::UtcDay,
    },
};

use super::{Register, company, uid};
use crate::companies::{Facet, UNKNOWN};

fn lei() -> Lei {
    "506700GE1G29325QX363".parse().expect("valid")
}

fn isin() -> Isin {
    "CH0012221716".parse().expect("valid")
}

fn first() -> Company {
    Company {
        canton: Some(Canton::Zh),
        status: Some(Status::Active),
        legal_form_code: Some("0106".into()),
        share_capital: Some(Amount::units(100_000)),
        currency: Some("CHF".into()),
        auditor_name: Some("KPMG AG".into()),
        auditor_category: Some(AuditorCategory::Kpmg),
        founding_date: Some("2020-01-01".parse().expect("a date")),
        registration_date: Some("2020-01-15".parse().expect("a date")),
        updated_at: Some("2026-01-01T00:00:00Z".parse().expect("a moment")),
        lei: Some(lei()),
        is_finma_regulated: Some(true),
        noga_code: Some("620100".into()),
        employee_count: Some(10),
        data_quality_score: Some(0.9),
        ..company(1, "First")
    }
}

fn second() -> Company {
    Company {
        canton: Some(Canton::Ag),
        status: Some(Status::BeingCancelled),
        status_reason: Some(StatusReason::Court731b),
        legal_form_code: Some("0107".into()),
        share_capital: Some(Amount::units(20_000)),
        auditor_category: Some(AuditorCategory::None),
        registration_date: Some("2010-06-30".parse().expect("a date")),
        updated_at: Some("2025-01-01T00:00:00Z".parse().expect("a moment")),
        duns: Some("480000000".into()),
        isin: Some(isin()),
        noga_code: Some("62".into()),
        employee_count: Some(0),
        data_quality_score: Some(0.5),
        ..company(2, "Second")
    }
}

fn third() -> Company {
    Company { industry: Some(DIVISIONS[10].name.to_owned()), ..company(3, "Third") }
}

fn register() -> Register {
    Register::of([third(), second(), first()])
}

#[test]
fn all_companies_that_match_are_returned_unless_they_are_more_than_the_maximum() {
    let register = register();
    let all =
        CompanyQuery { page_size: PageSize::try_from(1).expect("a size"), ..Default::default() };
    let found = |query: &CompanyQuery, max| {
        let (total, uids) = register.companies.all_among(query, None, max).expect("an answer");
        (total, uids.map(|it| it.iter().map(|it| it.number()).collect::<Vec<_>>()))
    };
    assert_eq!(found(&all, 3), (3, Some(vec![1, 2, 3])));
    assert_eq!(found(&all, 2), (3, None));
    let zurich = CompanyQuery { canton: [Canton::Zh].into(), ..Default::default() };
    assert_eq!(found(&zurich, 1), (1, Some(vec![1])));
    let among = [uid(2), uid(3)].into();
    let two = register.companies.all_among(&all, Some(&among), 3).expect("an answer");
    assert_eq!(two, (2, Some(vec![uid(2), uid(3)])));
    assert_eq!(register.companies.selection(&all, Some(&among)).expect("an answer"), [1, 2]);
}

fn parsed<T: TryFrom<String, Error: std::fmt::Debug>>(text: &str) -> T {
    T::try_from(text.to_owned()).expect("accepted")
}

#[test]
fn each_filter_keeps_matching_companies_only() {
    let all = CompanyQuery::default;
    let big_four: WantedAuditorCategory = parsed("big4");
    let register = register();
    for (query, expected) in [
        (all(), &["First", "Second", "Third"][..]),
        (CompanyQuery { canton: [Canton::Zh].into(), ..all() }, &["First"]),
        (CompanyQuery { canton: [Canton::Zh, Canton::Ag].into(), ..all() }, &["First", "Second"]),
        (CompanyQuery { status: [WantedStatus(Status::Active)].into(), ..all() }, &["First"]),
        (
            CompanyQuery { status_canonical: [parsed("in_liquidation")].into(), ..all() },
            &["Second"],
        ),
        (
            CompanyQuery {
                status_reason: [parsed("bankruptcy"), parsed("court_731b")].into(),
                ..all()
            },
            &["Second"],
        ),
        (CompanyQuery { status_reason: [parsed("voluntary")].into(), ..all() }, &[]),
        (
            CompanyQuery {
                status: [parsed("active")].into(),
                status_canonical: [parsed("deleted")].into(),
                ..all()
            },
            &[],
        ),
        (CompanyQuery { legal_form: [parsed("AG")].into(), ..all() }, &["First"]),
        (
            CompanyQuery { legal_form_code: [parsed::<WantedLegalForm>("0107")].into(), ..all() },
            &["Second"],
        ),
        (CompanyQuery { capital_min: Some(Bound(Amount::units(100_000))), ..all() }, &["First"]),
        (CompanyQuery { capital_max: Some(Bound(Amount::units(99_999))), ..all() }, &["Second"]),
        (
            CompanyQuery { capital_min: Some(Bound(Amount::units(-1))), ..all() },
            &["First", "Second"],
        ),
        (CompanyQuery { auditor_category: Some(big_four), ..all() }, &["First"]),
        (CompanyQuery { auditor_category: Some(parsed("None")), ..all() }, &["Second"]),
        (CompanyQuery { has_auditor: Some(true), ..all() }, &["First"]),
        (CompanyQuery { has_auditor: Some(false), ..all() }, &["Second", "Third"]),
        (CompanyQuery { founded_after: Some(parsed::<Day>("2020-01-01")), ..all() }, &["First"]),
        (CompanyQuery { founded_before: Some(parsed::<Day>("2010-06-30")), ..all() }, &["Second"]),
        (CompanyQuery { founded_before: Some(parsed::<Day>("2010-06-29")), ..all() }, &[]),
        (
            // Publications have a date but no time, so that the time of `changed_since` is ignored.
            CompanyQuery { changed_since: Some(parsed::<UtcDay>("2026-01-01T18:00:00Z")), ..all() },
            &["First"],
        ),
        (CompanyQuery { uids: [uid(3), uid(1), uid(9)].into(), ..all() }, &["First", "Third"]),
        (CompanyQuery { lei: Some(lei().into()), ..all() }, &["First"]),
        (CompanyQuery { lei: Some(WantedIdentifier(None)), ..all() }, &[]),
        (CompanyQuery { duns: Some("48-000-0000".into()), ..all() }, &["Second"]),
        (CompanyQuery { isin: Some(isin().into()), ..all() }, &["Second"]),
        (CompanyQuery { isin: Some(WantedIdentifier(None)), ..all() }, &[]),
        (CompanyQuery { has_lei: Some(true), ..all() }, &["First"]),
        (CompanyQuery { has_lei: Some(false), ..all() }, &["Second", "Third"]),
        (CompanyQuery { has_wikidata: Some(true), ..all() }, &[]),
        (CompanyQuery { has_wikidata: Some(false), ..all() }, &["First", "Second", "Third"]),
        (CompanyQuery { enriched: Some(true), ..all() }, &["First", "Second", "Third"]),
        (CompanyQuery { enriched: Some(false), ..all() }, &[]),
        (CompanyQuery { is_finma_regulated: Some(true), ..all() }, &["First"]),
        (CompanyQuery { is_finma_regulated: Some(false), ..all() }, &["Second", "Third"]),
        (CompanyQuery { industry: Some(WantedIndustry(&DIVISIONS[10])), ..all() }, &["Third"]),
        (CompanyQuery { noga_section: Some(NogaSection('J')), ..all() }, &["First", "Second"]),
        (
            CompanyQuery { noga_division: Some(parsed::<NogaPrefix<2>>("62")), ..all() },
            &["First", "Second"],
        ),
        (CompanyQuery { noga_code: Some(parsed::<NogaPrefix<6>>("6201")), ..all() }, &["First"]),
        (CompanyQuery { data_quality_min: Some(Share(0.9)), ..all() }, &["First"]),
        (CompanyQuery { data_quality_max: Some(Share(0.5)), ..all() }, &["Second"]),
    ] {
        assert_eq!(register.found(query.clone()), expected, "{query:?}");
    }
}

#[test]
fn filters_narrow_a_search() {
    let register = Register::of([
        Company { canton: Some(Canton::Zh), ..company(1, "Muster Zürich") },
        Company { canton: Some(Canton::Be), ..company(2, "Muster Bern") },
    ]);
    let query = CompanyQuery {
        search: Some("muster".into()),
        canton: [Canton::Be].into(),
        ..Default::default()
    };
    assert_eq!(register.found(query), ["Muster Bern"]);
}

#[test]
fn every_sort_order_has_two_directions_with_unknown_values_last() {
    let register = register();
    for (sort_by, up, down) in [
        (SortBy::Relevance, ["First", "Second", "Third"], ["First", "Second", "Third"]),
        (SortBy::Name, ["First", "Second", "Third"], ["Third", "Second", "First"]),
        (SortBy::ShareCapital, ["Second", "First", "Third"], ["First", "Second", "Third"]),
        (SortBy::FoundingDate, ["First", "Second", "Third"], ["First", "Second", "Third"]),
        (SortBy::RegistrationDate, ["Second", "First", "Third"], ["First", "Second", "Third"]),
        (SortBy::UpdatedAt, ["Second", "First", "Third"], ["First", "Second", "Third"]),
        (SortBy::Canton, ["Second", "First", "Third"], ["First", "Second", "Third"]),
        (SortBy::EmployeeCount, ["Second", "First", "Third"], ["First", "Second", "Third"]),
        (SortBy::DataQualityScore, ["Second", "First", "Third"], ["First", "Second", "Third"]),
    ] {
        for (sort_desc, expected) in [(false, up), (true, down)] {
            let query = CompanyQuery { sort_by, sort_desc, ..Default::default() };
            assert_eq!(register.found(query), expected, "{sort_by} {sort_desc}");
        }
    }
}

#[test]
fn equal_values_are_sorted_by_relevance_in_both_directions() {
    let of_size = |number, capital| Company {
        share_capital: Some(Amount::units(capital)),
        canton: Some(Canton::Zh),
        ..company(number, &format!("Company {capital}"))
    };
    let register = Register::of([of_size(1, 1_000), of_size(2, 3_000), of_size(3, 2_000)]);
    for sort_desc in [false, true] {
        let query = CompanyQuery { sort_by: SortBy::Canton, sort_desc, ..Default::default() };
        assert_eq!(register.found(query), ["Company 3000", "Company 2000", "Company 1000"]);
    }
}

#[test]
fn pages_are_consecutive_and_end() {
    let names: Vec<String> = (0..250).map(|it| format!("Muster {it:03}")).collect();
    let register = Register::of(names.iter().zip(1..).map(|(name, number)| company(number, name)));
    for sort_by in SortBy::ALL {
        for search in [None, Some("muster".to_owned())] {
            let page = |page| CompanyQuery {
                search: search.clone(),
                sort_by,
                page: PageNumber::try_from(page).expect("a page"),
                page_size: PageSize::try_from(100).expect("a size"),
                ..Default::default()
            };
            let pages = [1, 2, 3].map(|it| register.hits(&page(it)));
            assert!(pages.iter().all(|it| it.total == 250));
            let all: Vec<_> = pages.iter().flat_map(|it| register.names_of(&it.uids)).collect();
            assert_eq!(all, names, "{sort_by}");
            for beyond in [4, 1_000_000, u32::MAX] {
                let hits = register.hits(&page(beyond));
                assert_eq!((hits.uids, hits.total), (Vec::new(), 250));
            }
        }
    }
}

#[test]
fn facets_count_each_found_company_once() {
    let register = register();
    let facet = |query: &CompanyQuery, it| register.companies.facet(query, it).expect("an answer");
    let all = CompanyQuery::default();
    assert_eq!(facet(&all, Facet::Canton), [("AG", 1), (UNKNOWN, 1), ("ZH", 1)]);
    assert_eq!(facet(&all, Facet::Status), [("ACTIVE", 1), ("BEING_CANCELLED", 1), (UNKNOWN, 1)]);
    assert_eq!(facet(&all, Facet::NogaDivision), [("62", 2), (DIVISIONS[10].code, 1)]);
    assert_eq!(facet(&all, Facet::LegalForm)[0], ("Aktiengesellschaft", 1));
    assert_eq!(facet(&all, Facet::AuditorCategory)[0], ("KPMG", 1));
    let search = CompanyQuery { search: Some("second".into()), ..all.clone() };
    assert_eq!(facet(&search, Facet::Canton), [("AG", 1)]);
    for it in Facet::ALL {
        let counts = facet(&all, it);
        assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), 3, "{it:?}");
        assert_eq!(register.companies.totals(it), counts, "{it:?}");
    }
}
