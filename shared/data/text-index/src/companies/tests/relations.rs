use domain::{
    Company, Lei, Status,
    company::{Affiliation, AffiliationKind},
    search::CompanyQuery,
};
use tempfile::TempDir;

use super::{Builder, Companies, Register, company, uid};

fn related(number: u32, name: &str, kind: AffiliationKind, to: Option<u32>) -> Company {
    let affiliation = Affiliation { kind, uid: to.map(uid), name: "Muster".into() };
    Company { affiliations: vec![affiliation.clone(), affiliation], ..company(number, name) }
}

#[test]
fn related_companies_name_this_one_but_not_as_auditor() {
    let register = Register::of([
        company(1, "Head AG"),
        related(2, "Branch", AffiliationKind::HeadOffice, Some(1)),
        related(3, "Bought", AffiliationKind::WasTakenOverBy, Some(1)),
        related(4, "Audited", AffiliationKind::AuditedBy, Some(1)),
        related(5, "Foreign", AffiliationKind::HeadOffice, None),
    ]);
    let related_to = |number| {
        let related = register.companies.related_to(uid(number)).expect("an answer");
        register.names_of(&related)
    };
    assert_eq!(related_to(1), ["Bought", "Branch"]);
    assert!(related_to(2).is_empty() && related_to(999).is_empty());
}

#[test]
fn group_is_found_by_lei_and_by_parent() {
    let lei = |text: &str| text.parse::<Lei>().expect("valid");
    let (parent, child) = (lei("5493001KJTIIGC8Y1R12"), lei("529900T8BM49AURSDO55"));
    let with_leis = |company: Company, own, parent| Company {
        lei: Some(own),
        direct_parent_lei: parent,
        ..company
    };
    let register = Register::of([
        with_leis(company(1, "Parent AG"), parent, None),
        with_leis(company(2, "Child AG"), child, Some(parent)),
        company(3, "Other AG"),
    ]);
    let names = |uids: Result<Vec<_>, _>| register.names_of(&uids.expect("an answer"));
    assert_eq!(names(register.companies.with_lei(parent)), ["Parent AG"]);
    assert_eq!(names(register.companies.with_parent(parent)), ["Child AG"]);
    assert!(names(register.companies.with_parent(child)).is_empty());
}

#[test]
fn list_can_be_limited_to_given_companies() {
    let names: Vec<String> = (1..50).map(|it| format!("Muster {it:02}")).collect();
    let others = ["Other 50", "Other 51"];
    let names: Vec<&str> = names.iter().map(String::as_str).chain(others).collect();
    let register = Register::named(&names);
    let query = CompanyQuery { search: Some("muster".into()), ..Default::default() };
    assert_eq!(register.searched_among(&query, &[2]), ["Muster 02"]);
    assert_eq!(register.searched_among(&query, &[1, 3, 51, 99]), ["Muster 01", "Muster 03"]);
    assert!(register.searched_among(&query, &[50]).is_empty());
    assert!(register.searched_among(&query, &[]).is_empty());
    let all = CompanyQuery::default();
    assert_eq!(register.searched_among(&all, &[51, 1]), ["Muster 01", "Other 51"]);
}

#[test]
fn board_member_search_without_given_companies_finds_nothing() {
    let register = Register::named(&["Muster A"]);
    let query = CompanyQuery { board_member_search: Some("Regula".into()), ..Default::default() };
    assert_eq!(register.hits(&query).total, 0);
    assert_eq!(register.searched_among(&query, &[1]), ["Muster A"]);
}

#[test]
fn companies_are_filtered_by_number_of_changes() {
    let directory = TempDir::new().expect("a directory");
    let mut builder = Builder::new();
    for changes in 1..4 {
        builder.push_with_changes(&company(changes, "Muster"), changes);
    }
    builder.push(&company(9, "Muster"));
    builder.finish(directory.path()).expect("an index");
    let companies = Companies::open(directory.path()).expect("the index");
    for (least, expected) in [(0, 4), (1, 3), (3, 1), (4, 0), (u32::MAX, 0)] {
        let query = CompanyQuery { min_changes: Some(least), ..Default::default() };
        assert_eq!(companies.search(&query).expect("an answer").total, expected, "{least}");
    }
}

#[test]
fn companies_at_the_same_address_are_counted_however_it_is_written() {
    let at = |number, street: Option<&str>, house: Option<&str>, town| {
        let mut it = company(number, "Muster AG");
        it.address_street = street.map(str::to_owned);
        it.address_house_number = house.map(str::to_owned);
        it.address_city = Some(String::from(town));
        it
    };
    let mut deleted = at(4, Some("Bahnhofstrasse"), Some("5"), "Zug");
    deleted.status = Some(Status::Cancelled);
    let mut box_one = at(8, Some("Im Feld"), None, "Zug");
    box_one.address_po_box = Some("Postfach 12".into());
    let mut box_two = at(9, None, None, "Zug");
    box_two.address_po_box = Some("Postfach 12".into());
    let register = Register::of([
        at(1, Some("Bahnhofstrasse"), Some("5"), "Zug"),
        at(2, Some("BAHNHOFSTR. 5"), None, "Zug"),
        at(3, Some("Bahnhof-Strasse"), Some("5"), "Zug"),
        deleted,
        at(5, Some("Bahnhofstrasse"), Some("6"), "Zug"),
        at(6, Some("Bahnhofstrasse"), Some("5"), "Baar"),
        at(7, Some("Dorf"), None, "Zug"),
        box_one,
        box_two,
    ]);
    let others = |number| register.companies.others_at_address(uid(number)).expect("an answer");
    assert_eq!([others(1), others(2), others(3)], [Some(2); 3]);
    assert_eq!([others(5), others(6)], [Some(0); 2], "another house or town");
    assert_eq!([others(4), others(7), others(99)], [None; 3], "deleted, no house number, unknown");
    assert_eq!([others(8), others(9)], [Some(1); 2], "the same box");
}
