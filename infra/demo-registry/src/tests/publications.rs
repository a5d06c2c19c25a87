use std::collections::{BTreeMap, HashMap, HashSet};

use domain::{ChangeKind, DEMO, History, Source, persons::RoleCategory};
use facts::{Fact, fold_with_history};
use uuid::Uuid;

use super::*;
use crate::{
    board::{Change, Firm, Officer},
    company::invented,
    history,
    notice::{Notice, Topic},
    showcase,
};

/// As many companies as a test reads in a few seconds.
const MANY: usize = 3_000;

/// The facts of a company's publications, read as the loader reads them.
fn facts(publications: &[Value]) -> Vec<Fact> {
    let bytes = serde_json::to_vec(publications).expect("json");
    let batch = sources::read(Source::Shab, &bytes).expect("a list");
    assert_eq!(batch.rejected, []);
    assert_eq!(batch.statements.len(), publications.len());
    facts::facts(batch.statements)
}

/// The company of the register, and the record and history that follow from its publications.
fn folded(index: usize, all: bool) -> (Company, Company, History) {
    let (company, publications) = (company(index), publications(index, all));
    let read = fold_with_history(&facts(&publications));
    let (folded, history) = read.expect("every invented company has a publication");
    (company, folded, history)
}

/// The members of a record that publications state.
fn stated(company: &Company) -> Company {
    let mut stated = Company::new(company.uid, &company.name);
    let it = company.clone();
    (stated.canton, stated.status) = (it.canton, it.status);
    (stated.legal_form, stated.legal_form_code) = (it.legal_form, it.legal_form_code);
    (stated.legal_seat, stated.purpose) = (it.legal_seat, it.purpose);
    (stated.share_capital, stated.currency) = (it.share_capital, it.currency);
    (stated.address_care_of, stated.address_street) = (it.address_care_of, it.address_street);
    (stated.address_house_number, stated.address_po_box) =
        (it.address_house_number, it.address_po_box);
    (stated.address_zip_code, stated.address_city) = (it.address_zip_code, it.address_city);
    stated.translations = it.translations;
    stated.auditor_opt_out = Some(it.auditor_opt_out == Some(true));
    stated
}

#[test]
fn publications_of_a_company_lead_to_its_record() {
    for index in REAL.len()..MANY {
        for all in [true, false] {
            let (company, folded, history) = folded(index, all);
            let context = format!("{index} {} ({all})", company.name);
            assert_eq!(stated(&folded), stated(&company), "{context}");
            if all || !history.tenures.is_empty() {
                let audits = |it: &Company| {
                    let lasts = it.status != Some(Status::Cancelled);
                    it.auditor_name.clone().filter(|_| lasts)
                };
                assert_eq!(audits(&folded), audits(&company), "{context}");
            }
            let registered = company.registration_date.expect("a registration");
            assert!(folded.registration_date.is_none_or(|it| it == registered), "{context}");
            assert_eq!(folded.deletion_date, company.deletion_date, "{context}");
            let renamed = history.events.iter().filter(|it| {
                it.event.kind == ChangeKind::NameChange
                    && it
                        .event
                        .new_value
                        .as_deref()
                        .is_some_and(|new| !new.to_lowercase().contains("liquida"))
            });
            let old_names: Vec<String> =
                renamed.filter_map(|it| it.event.old_value.clone()).collect();
            if all {
                let mut expected = company.old_names.clone().unwrap_or_default();
                expected.retain(|it| *it != company.name);
                // Some were deleted before they could change their name.
                let is_short = old_names.is_empty() && company.status == Some(Status::Cancelled);
                assert!(old_names == expected || is_short, "{context}: {old_names:?}");
            }
        }
    }
}

/// The officers after these notices, as the register made them.
fn officers_after(notices: &[Notice]) -> Vec<Officer> {
    let mut board: Vec<Officer> = Vec::new();
    for change in notices.iter().flat_map(|it| &it.board) {
        let is = |one: &Officer, other: &Officer| {
            one.person.first_name == other.person.first_name
                && one.person.last_name == other.person.last_name
        };
        match change {
            Change::Entered(it) => board.push(it.clone()),
            Change::Left(gone) => board.retain(|it| !is(it, gone)),
            Change::Changed(before, after) => {
                board.retain(|it| !is(it, before));
                board.push(after.clone());
            }
            Change::FirmEntered(_) | Change::FirmChanged(..) => {}
        }
    }
    if notices.last().is_some_and(|it| it.has(Topic::Deletion)) {
        board.clear();
    }
    board
}

#[test]
fn reader_finds_the_officers_of_the_register() {
    for index in REAL.len()..MANY {
        let (company, background) = invented(index);
        let notices = history::notices(index, &company, &background, true);
        let history = folded(index, true).2;
        let mut expected: Vec<(String, String, i64)> = officers_after(&notices)
            .into_iter()
            .map(|Officer { person, share, .. }| {
                let name = format!("{} {}", person.first_name, person.last_name);
                (
                    words(&name),
                    person.residence.to_owned(),
                    share.map_or(0, |it| it.count * it.each),
                )
            })
            .collect();
        let firms = firms_after(&notices);
        expected.extend(firms.iter().map(|it| {
            let share = it.share.as_ref().map_or(0, |it| it.count * it.each);
            (words(it.name), it.seat.to_owned(), share)
        }));
        let mut read: Vec<(String, String, i64)> = history
            .current_mandates()
            .map(|it| {
                let total = it.holding.as_ref().and_then(|it| it.total).unwrap_or_default();
                let units = total.ten_thousandths() / 10_000;
                (
                    words(&it.person.full_name()),
                    it.person.residence.clone().unwrap_or_default(),
                    units,
                )
            })
            .collect();
        expected.sort();
        read.sort();
        assert_eq!(read, expected, "{:#?}", texts(index));
        let persons = history.mandates.iter().filter(|it| it.person.uid.is_none());
        for mandate in persons {
            let is_known = mandate.category != RoleCategory::Other || mandate.role == "Sachwalter";
            assert!(is_known, "{mandate:?} {:#?}", texts(index));
            assert!(mandate.signing_authority.is_some() || mandate.until.is_some(), "{mandate:?}");
            let is_known = mandate.person.nationality_iso.is_some();
            assert!(is_known || mandate.until.is_some(), "{mandate:?} {:#?}", texts(index));
        }
    }
}

/// The firms that are partners after these notices, as the register made them.
fn firms_after(notices: &[Notice]) -> Vec<Firm> {
    let mut firms: Vec<Firm> = Vec::new();
    for change in notices.iter().flat_map(|it| &it.board) {
        if let Change::FirmEntered(it) | Change::FirmChanged(_, it) = change {
            firms.retain(|known| known.uid != it.uid);
            firms.push(it.clone());
        }
    }
    if notices.last().is_some_and(|it| it.has(Topic::Deletion)) {
        firms.clear();
    }
    firms
}

/// The words of a name in order: without a comma it is not always clear which of them is the family name.
fn words(name: &str) -> String {
    let mut words: Vec<&str> = name.split(' ').collect();
    words.sort_unstable();
    words.join(" ")
}

fn texts(index: usize) -> Vec<Value> {
    publications(index, true).iter().map(|it| it["content"]["publicationText"].clone()).collect()
}

#[test]
fn publications_are_the_same_each_time() {
    for index in (0..REAL.len()).chain(REAL.len() + showcase::COUNT..400) {
        let all = publications(index, true);
        assert_eq!(all, publications(index, true));
        let newest: Vec<Value> = all.last().cloned().into_iter().collect();
        let number = |it: &[Value]| it.iter().map(|it| it["meta"].clone()).collect::<Vec<_>>();
        assert_eq!(number(&newest), number(&publications(index, false)));
    }
}

#[test]
fn real_companies_have_no_publications() {
    for index in 0..REAL.len() {
        assert!(publications(index, true).is_empty() && publications(index, false).is_empty());
    }
}

#[test]
fn everything_read_from_a_publication_names_demo_as_its_source() {
    for index in REAL.len()..400 {
        let (_, folded, history) = folded(index, true);
        let events = history.events.iter().map(|it| &it.event.source);
        let mandates = history.mandates.iter().map(|it| &it.source);
        let tenures = history.tenures.iter().map(|it| &it.source);
        for source in events.chain(mandates).chain(tenures).chain(&folded.sources) {
            assert_eq!(source.source, DEMO);
            assert!(
                source.reference.as_ref().is_some_and(|it| it.starts_with("HR0")),
                "{source:?}"
            );
        }
        assert_eq!(folded.data_source.as_deref(), Some(DEMO));
        for fact in facts(&publications(index, true)) {
            assert_eq!(fact.provenance().source, DEMO);
        }
    }
}

#[test]
fn publication_numbers_are_unique_and_in_the_order_of_days() {
    let mut all: Vec<(String, u64)> = Vec::new();
    for index in REAL.len()..MANY {
        for publication in publications(index, true) {
            let day = publication["meta"]["publicationDate"].as_str().expect("a day").to_owned();
            let number = publication["meta"]["publicationNumber"].as_str().expect("a number");
            let number: u64 = number[5..].parse().expect("digits");
            assert_eq!(number.to_string().len(), 11);
            all.push((day, number));
        }
    }
    all.sort();
    assert!(all.is_sorted_by(|one, other| one.1 < other.1));
}

#[test]
fn notices_are_written_in_three_languages_as_lists_and_prose() {
    let mut found: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut cantons: HashSet<String> = HashSet::new();
    for publication in (REAL.len()..MANY).flat_map(|it| publications(it, true)) {
        let language = publication["meta"]["language"].as_str().expect("a language").to_owned();
        let text = publication["content"]["publicationText"].as_str().expect("a text");
        let is_list = ["person(s)", "persone", "Personen", "Personne(s)", "Persone"]
            .iter()
            .any(|it| text.contains(it));
        if text.contains("n'est plus") && !is_list {
            cantons.insert(publication["meta"]["cantons"][0].to_string());
        }
        *found.entry((language, if is_list { "list" } else { "prose" })).or_default() += 1;
    }
    assert!(found.len() >= 5, "{found:?}");
    assert_eq!(cantons, ["\"GE\"", "\"VD\"", "\"NE\""].map(str::to_owned).into());
}

/// How many current mandates each person has, and the numbers of all events and mandates.
fn mandates(count: usize, all: bool) -> (HashMap<Uuid, usize>, usize, usize) {
    let mut mandates: HashMap<Uuid, usize> = HashMap::new();
    let (mut events, mut total) = (0, 0);
    for index in REAL.len()..count {
        let history = folded(index, all).2;
        events += history.events.len();
        total += history.mandates.len();
        for mandate in history.current_mandates() {
            *mandates.entry(mandate.person_id).or_default() += 1;
        }
    }
    (mandates, events, total)
}

fn share_with_at_least(mandates: &HashMap<Uuid, usize>, some: usize) -> f64 {
    mandates.values().filter(|it| **it >= some).count() as f64 / mandates.len() as f64
}

#[test]
fn some_people_have_several_mandates_and_a_few_have_dozens() {
    let (mandates, events, _) = mandates(SOME, true);
    let share = share_with_at_least(&mandates, 2);
    assert!((0.2..0.3).contains(&share), "{share}");
    let most = mandates.values().max().copied().unwrap_or_default();
    assert!((24..120).contains(&most), "{most}");
    let events = events as f64 / SOME as f64;
    assert!((4.0..7.5).contains(&events), "{events}");
}

/// The kinds of the newest events of a company.
fn newest_kinds(name: &str) -> Vec<ChangeKind> {
    let index = (0..100).find(|it| company(*it).name.starts_with(name)).expect("a company");
    // Companies of the showcase have all of their notices in a register of any size.
    let (company, folded, history) = folded(index, false);
    assert_eq!(stated(&folded), stated(&company));
    assert!(history.events.len() > 3, "{name}: {:#?}", history.events);
    let newest = history.newest();
    let events = history.events.iter().map(|it| &it.event);
    events.filter(|it| Some(it.date) == newest).map(|it| it.kind).collect()
}

#[test]
fn newest_notice_of_a_showcase_company_has_its_story() {
    for (name, kind) in [
        ("Ostvera Energie AG", ChangeKind::Merger),
        ("Lindtal Energie AG", ChangeKind::Merger),
        ("Ostvera Solar GmbH", ChangeKind::AuditOptOut),
        ("Hotel Lärchenhof GmbH", ChangeKind::AuditOptOut),
        ("Kranholm Bau GmbH", ChangeKind::Bankruptcy),
        ("Restaurant Les Glycines Sàrl", ChangeKind::Bankruptcy),
        ("Seewarte Textil AG", ChangeKind::Liquidation),
    ] {
        let kinds = newest_kinds(name);
        assert!(kinds.contains(&kind), "{name}: {kinds:?}");
    }
}

#[test]
fn one_person_is_a_director_of_dozens_of_companies_at_one_address() {
    let (mandates, ..) = mandates(100, false);
    let most = mandates.values().max().copied().unwrap_or_default();
    assert!((20..=40).contains(&most), "{most}");
}
