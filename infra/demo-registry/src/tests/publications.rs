use std::collections::{BTreeMap, HashMap, HashSet};

use domain::{ChangeKind, History};
use sources::{Fact, Source, Statement, fold_with_history};
use uuid::Uuid;

use super::*;
use crate::{
    board::{Change, Officer},
    life::{self, Matter},
};

/// The facts of a company's publications, as the loader reads them.
fn facts(publications: &[Value]) -> Vec<Fact> {
    let bytes = serde_json::to_vec(publications).expect("json");
    let batch = sources::read(Source::Shab, &bytes).expect("a list");
    assert_eq!(batch.rejected, []);
    assert_eq!(batch.facts.len(), publications.len());
    batch.facts
}

fn folded(index: usize, plenty: bool) -> Option<(Company, Company, History)> {
    let (company, publications) = company_with_publications(index, plenty);
    let (folded, history) = fold_with_history(&facts(&publications))?;
    Some((company, folded, history))
}

fn days_between(one: Date, other: Date) -> i32 {
    (days_of(one) - days_of(other)).abs()
}

#[test]
fn the_publications_of_a_company_end_in_its_record() {
    for index in REAL.len()..SOME {
        for plenty in [true, false] {
            let Some((company, folded, history)) = folded(index, plenty) else {
                panic!("{index} has no publication");
            };
            let said = format!("{index} {} ({plenty})", company.name);
            assert_eq!(folded.uid, company.uid, "{said}");
            assert_eq!(folded.name, company.name, "{said}");
            assert_eq!(folded.legal_form, company.legal_form, "{said}");
            assert_eq!(folded.legal_form_code, company.legal_form_code, "{said}");
            assert_eq!(folded.canton, company.canton, "{said}");
            assert_eq!(folded.legal_seat, company.legal_seat, "{said}");
            assert_eq!(folded.address_care_of, company.address_care_of, "{said}");
            assert_eq!(folded.address_street, company.address_street, "{said}");
            assert_eq!(folded.address_house_number, company.address_house_number, "{said}");
            assert_eq!(folded.address_po_box, company.address_po_box, "{said}");
            assert_eq!(folded.address_zip_code, company.address_zip_code, "{said}");
            assert_eq!(folded.address_city, company.address_city, "{said}");
            assert_eq!(folded.share_capital, company.share_capital, "{said}");
            assert_eq!(folded.currency, company.currency, "{said}");
            assert_eq!(folded.purpose, company.purpose, "{said}");
            assert_eq!(folded.status, company.status, "{said}");
            assert_eq!(folded.deletion_date, company.deletion_date, "{said}");
            let waives = |it: &Company| it.auditor_opt_out == Some(true);
            assert_eq!(waives(&folded), waives(&company), "{said}");
            if plenty || !history.tenures.is_empty() {
                let audits = |it: &Company| {
                    let lasts = it.status != Some(Status::Cancelled);
                    it.auditor_name.clone().filter(|_| lasts)
                };
                assert_eq!(audits(&folded), audits(&company), "{said}");
            }
            let registered = company.registration_date.expect("a registration");
            assert!(
                folded.registration_date.is_none_or(|it| days_between(it, registered) <= 6),
                "{said}"
            );
            let updated = company.updated_at.expect("a change").to_string()[..10].to_owned();
            let updated: Date = updated.parse().expect("a date");
            let newest = history.newest().expect("an event");
            assert!(newest <= DEMO_DATE, "{said}");
            assert!(days_between(newest, updated) <= 7, "{said}: {newest} {updated}");
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
            if plenty {
                let told = company.old_names.clone().unwrap_or_default();
                assert_eq!(old_names, told, "{said}");
            }
        }
    }
}

/// A board as its offices: name, home, residence, function, signature, share.
fn seats(officers: &[(String, String)]) -> Vec<(String, String)> {
    let mut seats = officers.to_vec();
    seats.sort();
    seats
}

#[test]
fn the_reader_finds_the_board_that_was_written() {
    for index in REAL.len()..SOME {
        let (company, past) = invented(index);
        let notices = life::notices(index, &company, &past, true);
        let Some((_, _, history)) = folded(index, true) else { panic!("{index}") };
        let mut board: Vec<Officer> = Vec::new();
        for change in notices.iter().flat_map(|it| &it.board) {
            match change {
                Change::Entered(it) => board.push(it.clone()),
                Change::Left(gone) => board.retain(|it| it.person != gone.person),
                Change::Changed(before, after) => {
                    let name =
                        |it: &Officer| (it.person.first_name.clone(), it.person.last_name.clone());
                    board.retain(|it| name(it) != name(before));
                    board.push(after.clone());
                }
            }
        }
        if notices.last().is_some_and(|it| it.has(Matter::Deleted)) {
            board.clear();
        }
        let written: Vec<(String, String)> = board
            .iter()
            .map(|it| {
                let name = format!("{} {}", it.person.first_name, it.person.last_name);
                let share = it.share.as_ref().map_or(0, |it| it.count * it.each);
                (name, format!("{} {share}", it.person.residence))
            })
            .collect();
        let read: Vec<(String, String)> = history
            .current_mandates()
            .map(|it| {
                let total = it.holding.as_ref().and_then(|it| it.total);
                let total = total.map_or_else(|| "0".to_owned(), |it| it.to_string());
                let residence = it.person.residence.clone().unwrap_or_default();
                (it.person.full_name(), format!("{residence} {total}"))
            })
            .collect();
        let texts: Vec<String> = publications(index, true)
            .iter()
            .map(|it| it["content"]["publicationText"].to_string())
            .collect();
        assert_eq!(seats(&read), seats(&written), "{index} {texts:#?}");
        for mandate in &history.mandates {
            assert!(mandate.category != domain::persons::RoleCategory::Other, "{texts:#?}");
            assert!(mandate.signing_authority.is_some(), "{mandate:?} {texts:#?}");
            let known = mandate.person.origin.is_some() || mandate.person.nationality_iso.is_some();
            assert!(known || mandate.until.is_some(), "{mandate:?} {texts:#?}");
        }
    }
}

#[test]
fn a_past_is_the_same_whatever_is_asked_for() {
    for index in 0..300 {
        let plenty = publications(index, true);
        assert_eq!(plenty, publications(index, true));
        let newest: Vec<Value> = plenty.last().cloned().into_iter().collect();
        let number = |it: &[Value]| it.iter().map(|it| it["meta"].clone()).collect::<Vec<_>>();
        assert_eq!(number(&newest), number(&publications(index, false)));
        assert_eq!(company_with_publications(index, true).0, company(index));
    }
}

#[test]
fn nothing_is_published_of_a_real_company() {
    for index in 0..REAL.len() {
        assert!(publications(index, true).is_empty() && publications(index, false).is_empty());
    }
}

#[test]
fn whatever_follows_from_a_publication_says_that_it_is_of_the_demonstration() {
    for index in REAL.len()..400 {
        let Some((_, folded, history)) = folded(index, true) else { panic!("{index}") };
        let events = history.events.iter().map(|it| &it.event.source);
        let mandates = history.mandates.iter().map(|it| &it.source);
        let tenures = history.tenures.iter().map(|it| &it.source);
        for source in events.chain(mandates).chain(tenures).chain(&folded.sources) {
            assert_eq!(source.source, SOURCE);
            assert!(
                source.reference.as_ref().is_some_and(|it| it.starts_with("HR0")),
                "{source:?}"
            );
        }
        assert_eq!(folded.data_source.as_deref(), Some(SOURCE));
        for fact in facts(&publications(index, true)) {
            assert_eq!(fact.provenance().source, SOURCE);
        }
    }
}

#[test]
fn numbers_of_publications_are_unique_and_grow_with_their_days() {
    let mut all: Vec<(String, u64)> = Vec::new();
    for index in REAL.len()..SOME {
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
fn three_languages_and_both_manners_are_written() {
    let mut found: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut cantons: HashSet<String> = HashSet::new();
    for publication in (REAL.len()..SOME).flat_map(|it| publications(it, true)) {
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

/// How many current mandates each person has.
fn mandates(count: usize, plenty: bool) -> (HashMap<Uuid, usize>, usize, usize) {
    let mut mandates: HashMap<Uuid, usize> = HashMap::new();
    let (mut events, mut all) = (0, 0);
    for index in REAL.len()..count {
        let Some((_, _, history)) = folded(index, plenty) else { continue };
        events += history.events.len();
        all += history.mandates.len();
        for mandate in history.current_mandates() {
            *mandates.entry(mandate.person_id).or_default() += 1;
        }
    }
    (mandates, events, all)
}

fn with_at_least(mandates: &HashMap<Uuid, usize>, some: usize) -> f64 {
    mandates.values().filter(|it| **it >= some).count() as f64 / mandates.len() as f64
}

#[test]
fn some_people_sit_in_several_boards_and_a_few_in_dozens() {
    let (mandates, events, _) = mandates(SOME, true);
    let share = with_at_least(&mandates, 2);
    assert!((0.2..0.3).contains(&share), "{share}");
    let most = mandates.values().max().copied().unwrap_or_default();
    assert!((24..120).contains(&most), "{most}");
    let events = events as f64 / SOME as f64;
    assert!((4.0..7.5).contains(&events), "{events}");
}

/// `cargo test --release -p demo-registry -- --ignored --nocapture measure_the_past`
#[test]
#[ignore = "a measurement"]
fn measure_the_past() {
    for (count, plenty) in [(5_000, true), (50_000, true), (50_000, false)] {
        let started = Instant::now();
        let (mandates, events, all) = mandates(count, plenty);
        println!(
            "{count} ({plenty}): {events} events, {all} mandates, {} persons in office, {:.3} with 2+, {:.4} with 10+, at most {}, in {:?}",
            mandates.len(),
            with_at_least(&mandates, 2),
            with_at_least(&mandates, 10),
            mandates.values().max().copied().unwrap_or_default(),
            started.elapsed(),
        );
    }
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let (mut notices, mut after) = (0, 0);
    for index in REAL.len()..5_000 {
        let published = publications(index, true);
        notices += published.len();
        let (_, history) = fold_with_history(&facts(&published)).expect("a record");
        let first = history.events.first().map(|it| it.event.clone());
        let is_entry = first.as_ref().is_some_and(|it| it.kind == ChangeKind::NewRegistration);
        for recorded in &history.events {
            *kinds.entry(recorded.event.kind.code().to_owned()).or_default() += 1;
            after += usize::from(
                !is_entry || first.as_ref().is_some_and(|it| it.date < recorded.event.date),
            );
        }
    }
    println!("5000: {notices} notices, {after} events after the entry, {kinds:#?}");
    for index in REAL.len()..140 {
        for publication in publications(index, true) {
            println!("{}", publication["content"]["publicationText"].as_str().unwrap_or_default());
        }
        println!();
    }
    let Statement::Shab(publication) = &facts(&publications(7, true))[0].statement else { return };
    println!("{publication:#?}");
}

#[test]
#[ignore = "TEMP"]
fn stages() {
    let cpu = || -> f64 {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("linux");
        text.split(' ').next().expect("ns").parse::<f64>().expect("ns") / 1e9
    };
    for plenty in [false, true] {
        let n = if plenty { 5_000 } else { 20_000 };
        let t = cpu();
        let companies: Vec<_> = (6..n).map(company).collect();
        let t1 = cpu();
        drop(companies);
        let t2 = cpu();
        let all: Vec<_> = (6..n).map(|it| company_with_publications(it, plenty)).collect();
        let t3 = cpu();
        let bytes: Vec<_> = all.iter().map(|it| serde_json::to_vec(&it.1).expect("json")).collect();
        let t4 = cpu();
        let facts: Vec<_> = bytes.iter().map(|it| sources::read(Source::Shab, it).expect("json").facts).collect();
        let t5 = cpu();
        let folded: Vec<_> = facts.iter().map(|it| fold_with_history(it)).collect();
        let t6 = cpu();
        let us = |a: f64, b: f64| (b - a) * 1e6 / n as f64;
        println!("plenty {plenty}: per company us: company {:.0}, with publications {:.0}, to_vec {:.0}, read {:.0}, fold {:.0}; bytes {}", us(t, t1), us(t2, t3), us(t3, t4), us(t4, t5), us(t5, t6), bytes.iter().map(Vec::len).sum::<usize>() / n);
        drop(folded);
    }
}
