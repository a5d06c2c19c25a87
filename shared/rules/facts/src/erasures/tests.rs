use domain::{ChangeKind, Source};
use publications::Publication;

use super::*;
use crate::{facts, fold_with_history};

const ERASED: &str = "CHE-600.000.029";
const OTHER: &str = "CHE-600.000.012";

fn uid(text: &str) -> Uid {
    text.parse().expect("well-formed")
}

fn key() -> HashKey {
    HashKey("the key of the tests".to_owned())
}

fn read(publication: &Publication) -> Fact {
    let json = publication.json().to_string();
    let batch = sources::read(Source::Shab, json.as_bytes()).expect("json");
    facts(batch.statements).remove(0)
}

fn erasure() -> Erasure {
    let registration = read(&Publication::registration(ERASED, "Beta & Söhne AG"));
    let now = "2026-11-20T12:00:00Z".parse().expect("a time");
    let reference = Some("4A_1/2026".to_owned());
    Erasure::of_company(&key(), uid(ERASED), None, &[registration], now, reference)
}

fn list() -> Erasures {
    Erasures::new(key(), [erasure()])
}

#[test]
fn list_contains_neither_name_nor_number() {
    let json = serde_json::to_string(&erasure()).expect("json");
    for clear in ["600.000", "600000029", "Beta", "beta", "sohne"] {
        assert!(!json.contains(clear), "{clear}: {json}");
    }
    assert!(list().has_company(uid(ERASED)));
    assert!(!list().has_company(uid(OTHER)));
    let other_key = HashKey("another key".to_owned());
    assert!(!Erasures::new(other_key, [erasure()]).has_company(uid(ERASED)));
}

#[test]
fn names_and_numbers_are_found_in_every_spelling() {
    for (text, redacted) in [
        ("Fusion mit der Beta & Söhne AG, in Bern", "Fusion mit der ERASED COMPANY, in Bern"),
        ("BETA & SOEHNE AG.", "ERASED COMPANY."),
        ("Beta  und Söhne AG", "Beta  und Söhne AG"),
        ("(CHE-600.000.029)", "(CHE-000.000.000)"),
        (
            "che600000029, 600000029 und CHE 600 000 029 MWST",
            "CHE-000.000.000, 000000000 und CHE-000.000.000 MWST",
        ),
        ("CHE-600.000.012", "CHE-600.000.012"),
        ("HR02-1600000029", "HR02-1600000029"),
    ] {
        let found = list().redact_text(text);
        assert_eq!(found.as_deref().unwrap_or(text), redacted);
        assert_eq!(list().redact_text(redacted), None, "a second time: {redacted}");
    }
}

#[test]
fn facts_about_an_erased_company_are_left_out_and_those_that_mention_it_are_redacted() {
    let merger = Publication::mutation(OTHER, "Eins AG").text(
        "Übernahme der Aktiven und Passiven der Beta & Söhne AG, in Bern (CHE-600.000.029), gemäss \
         Fusionsvertrag vom 19.12.2024 und Bilanz per 31.12.2023.",
    );
    let fact = read(&merger);
    let redacted = list().redact(fact.clone()).expect("about another company");
    let json = serde_json::to_string(&redacted).expect("json");
    assert!(json.contains(ERASED_COMPANY) && !json.contains("Söhne"), "{json}");
    assert_ne!(redacted.fingerprint, fact.fingerprint);
    assert_eq!(list().redact(redacted.clone()), Some(redacted.clone()), "a second time");
    let (_, history) = fold_with_history(&[redacted]).expect("a company");
    let (_, before) = fold_with_history(std::slice::from_ref(&fact)).expect("a company");
    let kinds = |it: &History| it.events.iter().map(|it| it.event.kind).collect::<Vec<_>>();
    assert_eq!(kinds(&history), kinds(&before), "the same events");
    assert!(kinds(&history).contains(&ChangeKind::Merger));

    let own = read(&Publication::registration(ERASED, "Beta & Söhne AG"));
    assert_eq!(list().redact(own), None);
    let unrelated = read(&Publication::registration(OTHER, "Eins AG"));
    assert_eq!(list().redact(unrelated.clone()), Some(unrelated));
}

#[test]
fn company_with_the_same_name_keeps_its_name() {
    let namesake = read(&Publication::registration(OTHER, "Beta & Söhne AG"));
    assert_eq!(list().redact(namesake.clone()), Some(namesake));
    let longer = read(&Publication::registration(OTHER, "Alpha Beta & Söhne AG Bau"));
    assert_eq!(list().redact(longer.clone()), Some(longer));
}

#[test]
fn name_of_one_word_counts_only_next_to_the_number() {
    let erasure = erasure().with_names(&key(), &["Treuhand".to_owned()]);
    let list = Erasures::new(key(), [erasure]);
    let fact = |text: &str| {
        let fact = list.redact(read(&Publication::mutation(OTHER, "Eins AG").text(text)));
        serde_json::to_string(&fact.expect("about another company")).expect("json")
    };
    assert!(fact("Zweck neu: Treuhand und Beratung.").contains("Treuhand"));
    assert!(!fact("Fusion mit Treuhand, in Bern (CHE-600.000.029).").contains("Treuhand"));
}

#[test]
fn redacted_events_continue_the_published_ones() {
    let merger = Publication::mutation(OTHER, "Eins AG").on("2025-01-07").text(
        "Übernahme der Aktiven und Passiven der Beta & Söhne AG, in Bern (CHE-600.000.029), gemäss \
         Fusionsvertrag vom 19.12.2024 und Bilanz per 31.12.2023.",
    );
    let fact = read(&merger);
    let (_, mut published) = fold_with_history(std::slice::from_ref(&fact)).expect("a company");
    let (mut last, now) = (0, "2026-11-20T12:00:00Z".parse().expect("a time"));
    published.publish(&mut last, now, usize::MAX);
    let before = list().redact_history(published.clone(), &["Eins AG".to_owned()]);
    assert_ne!(before, published);
    let redacted = list().redact(fact).expect("about another company");
    let (_, folded) = fold_with_history(&[redacted]).expect("a company");
    let continued = folded.continuing(&before);
    assert_eq!(continued.events, before.events);
    assert!(continued.replaced.is_empty() && !continued.has_unpublished());
}

#[test]
fn event_of_an_erased_company_keeps_its_place_and_nothing_else() {
    let registration = read(&Publication::registration(ERASED, "Beta & Söhne AG"));
    let (_, mut history) = fold_with_history(&[registration]).expect("a company");
    let (mut last, now) = (7, "2026-11-20T12:00:00Z".parse().expect("a time"));
    let published = history.publish(&mut last, now, 1).remove(0);
    let erased = list().redact_event(published.clone());
    assert_eq!((erased.sequence, erased.event.id), (published.sequence, published.event.id));
    assert_eq!((erased.event.uid, erased.event.kind), (Uid::ERASED, ChangeKind::Erased));
    let json = serde_json::to_string(&erased).expect("json");
    assert!(
        !json.contains("Beta") && !json.contains("600") && !json.contains("reference"),
        "{json}"
    );
    assert_eq!(list().redact_event(erased.clone()), erased, "a second time");
}

const FATHER: &str = "Muster, Hans, von Chur, in Bern, Präsident, mit Einzelunterschrift";
const SON: &str = "Muster, Hans, von Chur, in Thun, Mitglied, mit Einzelunterschrift";

#[test]
fn erased_person_is_removed_from_notices_and_namesakes_stay() {
    let registration = |persons: &str| {
        let board = Publication::registration(OTHER, "Eins AG").number(1).on("2020-01-06");
        read(&board.persons_entered(persons))
    };
    let left = Publication::mutation(OTHER, "Eins AG").number(2).on("2021-01-05");
    let facts = vec![registration(&format!("{FATHER}; {SON}")), read(&left.persons_left(FATHER))];
    let (_, mut history) = fold_with_history(&facts).expect("a company");
    let father = history.mandates[0].clone();
    assert_eq!(father.person.residence.as_deref(), Some("Bern"));
    let now: Timestamp = "2026-11-20T12:00:00Z".parse().expect("a time");
    let roles = [(uid(OTHER), father.person)];
    let erasure = Erasure::of_person(&key(), father.person_id, &roles, now, None);
    let list = Erasures::new(key(), [erasure]);

    let redacted = list.apply(facts.clone());
    let text = serde_json::to_string(&redacted).expect("json");
    assert!(!text.contains("in Bern, Präsident") && text.contains("Thun"), "{text}");
    assert_eq!(list.apply(redacted.clone()), redacted, "a second time");
    let (_, folded) = fold_with_history(&redacted).expect("a company");
    assert_eq!(folded.mandates.len(), 2);
    let names: Vec<String> = folded.mandates.iter().map(|it| it.person.full_name()).collect();
    assert_eq!(names, ["ERASED PERSON", "Hans Muster"]);
    assert_eq!(folded.mandates[1], history.mandates[1], "the son");
    assert!(!folded.mandates[0].is_current(), "the father has left");
    assert_eq!(folded.mandates[0].person.residence, None);

    history.publish(&mut 0, now, usize::MAX);
    let before = list.redact_history(history.clone(), &[]);
    let continued = folded.continuing(&before);
    assert_eq!(continued.events, before.events);
    assert!(continued.replaced.is_empty() && !continued.has_unpublished());
    let ids = |it: &History| it.events.iter().map(|it| it.event.id).collect::<Vec<_>>();
    assert_eq!(ids(&continued), ids(&history));
    let elsewhere = Publication::registration(ERASED, "Zwei AG").persons_entered(SON);
    assert_eq!(list.redact(read(&elsewhere)), Some(read(&elsewhere)), "a namesake");
    let new = Publication::registration(ERASED, "Zwei AG").persons_entered(FATHER);
    let new = list.redact(read(&new)).expect("about a company");
    assert!(!serde_json::to_string(&new).expect("json").contains("Muster"), "a new company");
}
