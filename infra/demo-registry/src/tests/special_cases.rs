//! What every register has to show.

use std::collections::HashMap;

use domain::company::AffiliationKind;

use super::*;
use crate::{showcase, size};

/// The smallest register with all special cases.
const SMALL: usize = 100;

fn find(name: &str) -> Company {
    let company = companies(SMALL).find(|it| it.name.starts_with(name));
    company.unwrap_or_else(|| panic!("no company is called {name}"))
}

#[test]
fn showcase_is_within_the_first_hundred_companies() {
    assert!(REAL.len() + showcase::COUNT <= SMALL);
}

#[test]
fn common_search_words_are_in_names_of_the_first_fifty_companies() {
    let words = [
        "bank",
        "versicherung",
        "assurance",
        "pharma",
        "treuhand",
        "montres",
        "hotel",
        "bau",
        "energie",
        "stiftung",
    ];
    for wanted in words {
        let has_word = |it: &Company| {
            text::fold(&it.name)
                .split(' ')
                .any(|word| word.trim_end_matches('s') == wanted.trim_end_matches('s'))
        };
        assert!(companies(50).any(|it| has_word(&it)), "{wanted}");
        // A larger register has more of them.
        let found = companies(SOME).filter(has_word).count();
        assert!(found > 0, "{wanted}: {found}");
    }
}

#[test]
fn groups_have_parents_and_subsidiaries_here_and_abroad() {
    let pharma = find("Merantis Pharma AG");
    let kinds: Vec<AffiliationKind> = pharma.affiliations.iter().map(|it| it.kind).collect();
    use AffiliationKind::{AuditedBy, ConsolidatedBy, Consolidates};
    assert_eq!(kinds, [AuditedBy, ConsolidatedBy, Consolidates, Consolidates]);
    assert!(pharma.affiliations.iter().all(|it| it.uid.is_none()));
    let production = find("Merantis Pharma Produktion AG");
    assert_eq!(production.direct_parent_lei, pharma.lei);
    assert_eq!(production.ultimate_parent_lei, pharma.ultimate_parent_lei);
    assert_eq!(production.ultimate_parent_name.as_deref(), Some("Merantis Group N.V."));
    let solar = find("Ostvera Solar GmbH");
    assert_eq!(solar.direct_parent_lei, find("Ostvera Energie AG").lei);
    assert_eq!(solar.ultimate_parent_lei, find("Ostvera Holding AG").lei);
    let branch = find("Ostvera Energie AG, Zweigniederlassung");
    assert_eq!(branch.affiliations[0].uid, Some(find("Ostvera Energie AG").uid));
}

#[test]
fn dozens_of_companies_share_an_address() {
    let at_most = |count: usize| {
        let mut addresses: HashMap<_, usize> = HashMap::new();
        for it in companies(count).filter(|it| it.address_street.is_some()) {
            let address = (it.address_street, it.address_house_number, it.address_zip_code);
            *addresses.entry(address).or_default() += 1;
        }
        addresses.into_values().max().unwrap_or_default()
    };
    assert!((30..60).contains(&at_most(SMALL)), "{}", at_most(SMALL));
    // Addresses stay plausible in a larger register.
    assert!((30..250).contains(&at_most(SOME)), "{}", at_most(SOME));
}

#[test]
fn capital_fits_the_legal_form_and_the_trade_at_any_time() {
    for (index, company) in companies(SOME).enumerate().skip(REAL.len()) {
        let (drawn, background) = crate::company::invented(index);
        let trade = background.business.trade;
        let form = company.legal_form_code.as_deref().expect("a legal form");
        let context = format!("{} {:?}", company.name, company.share_capital);
        assert_eq!(company.share_capital.is_some(), company.currency.is_some(), "{context}");
        let Some(least) = size::least_capital(form, trade) else {
            assert_eq!(company.share_capital, None, "{context}");
            continue;
        };
        let is_swiss = company.currency.as_deref() == Some("CHF");
        // A minimum in francs is more in euros and dollars at no rate of the last years.
        let least = if is_swiss { least } else { least * 5 / 4 };
        let capital = company.share_capital.unwrap_or_else(|| panic!("{context}"));
        assert!(capital >= domain::Amount::units(least), "{context}");
        for notice in crate::history::notices(index, &drawn, &background, true) {
            let capital = notice.state().capital.as_ref().map(|it| it.0);
            assert!(capital >= Some(least), "{context} {capital:?}");
        }
    }
}

#[test]
fn capital_and_employees_grow_together() {
    let mut by_size: HashMap<bool, Vec<i64>> = HashMap::new();
    for company in companies(SOME).skip(REAL.len()) {
        let employees = company.employee_count.unwrap_or_default();
        let form = company.legal_form_code.as_deref();
        assert!(form != Some("0101") || employees < 10, "{}: {employees}", company.name);
        if let (Some("0106"), Some(capital)) = (form, company.share_capital)
            && employees > 0
        {
            let units = capital.ten_thousandths() / 10_000;
            assert!(employees < 250 || units >= 1_000_000, "{}: {units}", company.name);
            by_size.entry(employees >= 50).or_default().push(units);
        }
    }
    let median = |is_large: bool| {
        let mut capitals = by_size.remove(&is_large).expect("companies");
        capitals.sort_unstable();
        capitals[capitals.len() / 2]
    };
    let [small, large] = [false, true].map(median);
    assert!(small == 100_000 && large >= 500_000, "{small} {large}");
}

#[test]
fn a_merger_has_the_same_companies_on_both_sides() {
    let (acquirer, acquired) = (find("Ostvera Energie AG"), find("Lindtal Energie AG"));
    let of_kind = |it: &Company, kind| {
        it.affiliations.iter().find(|it| it.kind == kind).and_then(|it| it.uid)
    };
    assert_eq!(of_kind(&acquirer, AffiliationKind::HasTakenOver), Some(acquired.uid));
    assert_eq!(of_kind(&acquired, AffiliationKind::WasTakenOverBy), Some(acquirer.uid));
    assert_eq!(acquired.superseded_by, Some(acquirer.uid));
    assert_eq!(acquired.status, Some(Status::Cancelled));
}
