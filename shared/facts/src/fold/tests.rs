use std::collections::BTreeSet;

use domain::{ChangeKind, Status};
use publications::Publication;
use serde_json::{Value, json};
use sources::{Batch, finma, lindas, zefix};
use statements::{Source, Statement};

use super::*;
use crate::{facts as made_of, takeovers};

fn fact(name: &str, published: &str) -> Fact {
    let json = format!(
        r#"{{"uid": "CHE107251578", "name": "{name}", "canton": "LU", "sogcDate": "{published}"}}"#
    );
    made_of(zefix::read(json.as_bytes()).expect("json").statements).remove(0)
}

#[test]
fn a_company_is_deleted_on_the_day_that_the_office_says() {
    let deletion = r#"{"meta": {"id": "00000000-0000-4000-8000-000000000001", "rubric": "HR",
        "subRubric": "HR03", "language": "de", "publicationNumber": "HR03-1000000001",
        "publicationState": "PUBLISHED", "publicationDate": "2026-03-05T00:00:00.000Z",
        "cantons": ["LU"], "title": {"de": "Alt AG"}},
        "content": {"publicationText": "Alt AG, in Luzern, CHE-107.251.578, Aktiengesellschaft. Die Gesellschaft wird im Handelsregister gelöscht.",
        "journalNumber": 1, "journalDate": "2026-03-02T00:00:00.000Z",
        "commonsActual": {"company": {"name": "Alt AG", "uid": "CHE-107.251.578", "seat": "Luzern", "legalForm": "0106"}},
        "transaction": {"delete": {"deletionDate": "2026-03-02"}}}}"#;
    let deletion =
        made_of(sources::gazette::read(deletion.as_bytes()).expect("json").statements).remove(0);
    let company = fold(&[fact("Alt AG", "2024-01-01"), deletion]).expect("a record");
    assert_eq!(company.status, Some(Status::Cancelled));
    assert_eq!(company.deletion_date, "2026-03-02".parse().ok());
}

#[test]
fn the_newest_publication_wins_in_whatever_order_facts_arrive() {
    let (old, new) = (fact("Alt AG", "2024-01-01"), fact("Neu AG", "2026-01-01"));
    let forward = fold(&[old.clone(), new.clone()]).expect("a record");
    let backward = fold(&[new, old]).expect("a record");
    assert_eq!(forward, backward);
    assert_eq!(forward.name, "Neu AG");
}

const PAGE: &str = r#"{"results": {"bindings": [{"entity": {"value": "https://register.ld.admin.ch/zefix/company/1"},
    "legalName": {"value": "Muster AG (verbunden)"}, "uid": {"value": "CHE107251578"},
    "purpose": {"value": "Betrieb einer Bäckerei. Die Gesellschaft kann Immobilien erwerben."}}]}}"#;

#[test]
fn the_linked_data_is_the_base_until_the_register_itself_was_asked() {
    let day = "2026-11-19".parse().ok();
    let linked =
        made_of(lindas::read(PAGE.as_bytes()).expect("json").dated(day).statements).remove(0);
    let company = fold(std::slice::from_ref(&linked)).expect("a record");
    assert_eq!(company.name, "Muster AG (verbunden)");
    assert_eq!(company.sub_industry.as_deref(), Some("Bakeries"));
    assert_eq!(company.industry_classified_at, company.updated_at);
    // However new the linked data is: it knows less.
    let company = fold(&[linked, fact("Muster AG", "2024-01-01")]).expect("a record");
    assert_eq!(company.name, "Muster AG");
    assert_eq!(company.data_source.as_deref(), Some("zefix"));
    assert_eq!(company.sources.len(), 1);
}

#[test]
fn a_company_of_the_linked_data_alone_is_active_or_what_its_name_says() {
    let status = |name: &str| {
        let page = PAGE.replace("Muster AG (verbunden)", name);
        let facts = made_of(lindas::read(page.as_bytes()).expect("json").statements);
        fold(&facts).expect("a record").status
    };
    assert_eq!(status("Muster AG"), Some(Status::Active));
    assert_eq!(status("Muster AG in Liquidation"), Some(Status::BeingCancelled));
    assert_eq!(status("Muster SA en liquidation"), Some(Status::BeingCancelled));
}

#[test]
fn a_deletion_wins_over_the_linked_data_whatever_the_order() {
    for graph in ["2026-03-01", "2026-03-15"] {
        let end = notice("HR03", 1, "2026-03-10", "Die Gesellschaft wird gelöscht.");
        let mut facts = gazette([end]);
        facts.push(linked(graph));
        for _ in 0..2 {
            assert_eq!(fold(&facts).expect("a record").status, Some(Status::Cancelled), "{graph}");
            facts.reverse();
        }
    }
}

#[test]
fn a_name_in_liquidation_ends_an_active_company_and_proves_it() {
    let entry = notice("HR01", 1, "2020-01-06", "");
    let graph = PAGE.replace("(verbunden)", "in Liquidation");
    let graph = lindas::read(graph.as_bytes()).expect("json");
    let graph = made_of(graph.dated("2026-03-15".parse().ok()).statements);
    let then = on(&[gazette([entry.clone()]), graph].concat(), "2026-03-15").expect("a record");
    assert_eq!(then.company.status, Some(Status::BeingCancelled));
    assert_eq!(proof(&then, "status").as_deref(), Some("2026-03-15"));
    // That it is still registered is no news.
    let then = on(&[gazette([entry]), vec![linked("2026-03-15")]].concat(), "2026-03-15");
    let then = then.expect("a record");
    assert_eq!(then.company.status, Some(Status::Active));
    assert_eq!(proof(&then, "status").as_deref(), Some("2020-01-06"));
    // The first that says so, not the last.
    let mut named = notice("HR02", 2, "2026-04-01", "");
    named["content"]["commonsNew"]["company"]["name"] = json!("Muster AG in Liquidation");
    let mut still = named.clone();
    still["meta"]["publicationNumber"] = json!("HR02-3");
    still["meta"]["publicationDate"] = json!("2026-05-01");
    let facts = [vec![linked("2026-03-15")], gazette([named, still])].concat();
    let then = on(&facts, "2026-06-01").expect("a record");
    assert_eq!(then.company.status, Some(Status::BeingCancelled));
    assert_eq!(proof(&then, "status").as_deref(), Some("2026-04-01"));
}

#[test]
fn a_licence_and_heads_are_filled_in_and_news_are_not() {
    let list = |row: &str| format!("Name,UID,AuthorisationTypeEN\n{row}");
    let day = |text: &str| text.parse().ok();
    let licensed = finma::read(list("Muster AG,CHE107251578,Bank").as_bytes());
    let licensed = licensed.expect("a table").dated(day("2026-01-01"));
    let uids = |it: &Batch| it.statements.iter().map(|it| it.uid).collect::<Vec<_>>();
    let empty = finma::read(list("Andere AG,CHE600000026,Bank").as_bytes());
    let gone = finma::withdrawn(uids(&licensed), uids(&empty.expect("a table")));
    let gone = Batch { statements: gone, rejected: Vec::new() }.dated(day("2026-02-01"));
    let reports = "uid,fiscalYear,employees\nCHE107251578,2024,40\nCHE107251578,2023,30\n";
    let reports = sources::read(Source::Reports, reports.as_bytes()).expect("a table");
    let feed = "<rss><channel><item><title>Nachricht</title><link>https://a.example/</link>\
        <category domain=\"uid\">CHE107251578</category><pubDate>2026-03-01</pubDate></item></channel></rss>";
    let news = sources::read(Source::News, feed.as_bytes()).expect("rss");
    assert_eq!((reports.statements.len(), news.statements.len()), (2, 1));

    let mut facts = vec![fact("Muster AG", "2024-01-01")];
    facts.extend(made_of(licensed.statements));
    facts.extend(made_of(reports.statements));
    facts.extend(made_of(news.statements));
    let company = fold(&facts).expect("a record");
    assert_eq!((company.is_finma_regulated, company.employee_count), (Some(true), Some(40)));
    let sources: Vec<&str> = company.sources.iter().map(|it| it.source.as_str()).collect();
    assert_eq!(sources, ["zefix", "finma", "reports"]);
    assert_eq!(company.updated_at.map(|it| it.to_string()), Some("2026-01-01T00:00:00Z".into()));
    facts.extend(made_of(gone.statements));
    assert_eq!(fold(&facts).expect("a record").is_finma_regulated, Some(false));
}

#[test]
fn without_facts_there_is_no_record() {
    assert_eq!(fold(&[]), None);
}

const UID: &str = "CHE-107.251.578";

/// A publication of an invented company in Luzern, whose blocks say its name and seat.
fn notice(rubric: &str, number: u64, day: &str, text: &str) -> Value {
    let publication = match rubric {
        "HR01" => Publication::registration(UID, "Muster AG"),
        "HR03" => Publication::deletion(UID, "Muster AG"),
        _ => Publication::mutation(UID, "Muster AG"),
    };
    let publication = publication.number(number).on(day).in_canton("LU").seat("Luzern").text(text);
    publication.json()
}

/// The same, naming the day of the one before it.
fn after(previous: &str, mut notice: Value) -> Value {
    let previous = format!("{previous}T00:00:00.000Z");
    notice["content"]["lastFosc"] = json!({ "lastFoscDate": previous, "lastFoscNumber": 2 });
    notice
}

fn gazette(notices: impl IntoIterator<Item = Value>) -> Vec<Fact> {
    let notices: Vec<Value> = notices.into_iter().collect();
    let batch = sources::gazette::read(Value::from(notices).to_string().as_bytes()).expect("json");
    assert_eq!(batch.rejected, []);
    made_of(batch.statements)
}

fn linked(day: &str) -> Fact {
    let batch = lindas::read(PAGE.as_bytes()).expect("json");
    made_of(batch.dated(day.parse().ok()).statements).remove(0)
}

fn persons(heading: &str, persons: &str) -> String {
    format!("{heading}: {persons}.")
}

fn entered(who: &str) -> String {
    persons("Eingetragene Personen neu oder mutierend", who)
}

fn left(who: &str) -> String {
    persons("Ausgeschiedene Personen und erloschene Unterschriften", who)
}

fn on(facts: &[Fact], day: &str) -> Option<Past> {
    fold_until(facts, day.parse().expect("a day"))
}

/// The day by which a member is proved.
fn proof(past: &Past, member: &str) -> Option<String> {
    past.proofs.get(member).and_then(|it| it.date).map(|it| it.to_string())
}

const BANKRUPT: &str = "Über die Gesellschaft ist der Konkurs eröffnet worden.";
const AUDITOR: &str = "Erste Revision AG, in Luzern, Revisionsstelle";

/// Bankruptcy, capital, auditor and waiver, published five days before the graph was made.
fn told_before_the_graph() -> Vec<Fact> {
    let mut told = notice("HR02", 1, "2026-03-10", &format!("{BANKRUPT} {}", entered(AUDITOR)));
    told["content"]["commonsNew"]["capital"] = json!({ "nominal": "100000" });
    told["content"]["commonsNew"]["revision"] = json!({ "optingOut": false });
    told["content"]["commonsNew"]["purpose"] = json!("Handel mit Waren aller Art.");
    let mut facts = gazette([told]);
    facts.push(linked("2026-03-15"));
    facts
}

#[test]
fn the_linked_data_does_not_hide_what_it_does_not_state() {
    let mut facts = told_before_the_graph();
    for _ in 0..2 {
        let company = fold(&facts).expect("a record");
        assert_eq!(company.status, Some(Status::BeingCancelled));
        assert_eq!(company.share_capital, "100000".parse().ok());
        assert_eq!(company.auditor_name.as_deref(), Some("Erste Revision AG"));
        assert_eq!(company.auditor_opt_out, Some(false));
        assert_eq!(company.canton, Some(domain::Canton::Lu));
        // What it states, it states later.
        assert_eq!(company.name, "Muster AG (verbunden)");
        assert!(company.purpose.as_deref().is_some_and(|it| it.contains("Bäckerei")));
        assert_eq!(company.data_source.as_deref(), Some("lindas"));
        let sources: Vec<&str> = company.sources.iter().map(|it| it.source.as_str()).collect();
        assert_eq!(sources, ["lindas", "shab"]);
        facts.reverse();
    }
}

#[test]
fn a_publication_after_the_linked_data_has_the_last_word() {
    let mut renamed = notice("HR02", 2, "2026-03-20", "");
    renamed["content"]["commonsNew"]["company"]["name"] = json!("Neu AG");
    let mut facts = told_before_the_graph();
    facts.extend(gazette([renamed]));
    let company = fold(&facts).expect("a record");
    assert_eq!(company.name, "Neu AG");
    assert_eq!(company.status, Some(Status::BeingCancelled), "that it is bankrupt, stays");
    assert!(company.purpose.as_deref().is_some_and(|it| it.contains("Bäckerei")));
}

#[test]
fn the_linked_data_moves_an_address_whole() {
    let mut housed = notice("HR02", 1, "2026-03-10", "");
    housed["content"]["commonsNew"]["company"]["address"] = json!({
        "addressLine1": "c/o Treuhand AG", "street": "Seestrasse", "houseNumber": "1a",
        "swissZipCode": "6003", "town": "Luzern",
    });
    let located = |street: &str| {
        let address = format!(
            r#""street": {{"value": "{street}"}}, "zip": {{"value": "6003"}}, "locality": {{"value": "Luzern"}}, "uid""#
        );
        let page = PAGE.replacen("\"uid\"", &address, 1);
        let batch = lindas::read(page.as_bytes()).expect("json");
        let mut facts = made_of(batch.dated("2026-03-15".parse().ok()).statements);
        facts.extend(gazette([housed.clone()]));
        fold(&facts).expect("a record")
    };
    let same = located("Seestrasse 1a");
    assert_eq!(same.address_care_of.as_deref(), Some("c/o Treuhand AG"));
    let moved = located("Bergstrasse 2");
    assert_eq!((moved.address_care_of, moved.address_house_number), (None, Some("2".to_owned())));
}

#[test]
fn the_registers_own_snapshot_holds_what_was_published_until_then() {
    let until = notice("HR02", 1, "2024-01-01", BANKRUPT);
    let mut waived =
        notice("HR02", 2, "2023-05-01", "Auf eine eingeschränkte Revision wird verzichtet.");
    waived["content"]["commonsNew"]["company"]["name"] = json!("Alt AG");
    let mut facts = gazette([until, waived]);
    facts.push(fact("Muster AG", "2024-01-01"));
    let company = fold(&facts).expect("a record");
    assert_eq!((company.name.as_str(), company.status), ("Muster AG", None));
    // All but the waiver, which it does not state.
    assert_eq!(company.auditor_opt_out, Some(true));
}

#[test]
fn a_snapshot_keeps_its_auditor_until_a_notice_tells_of_another() {
    let json = format!(
        r#"{{"uid": "{UID}", "name": "Muster AG", "canton": "LU", "sogcDate": "2024-01-01",
            "auditCompanies": [{{"name": "Zweite Revision AG"}}]}}"#
    );
    let snapshot = made_of(zefix::read(json.as_bytes()).expect("json").statements);
    let old = notice("HR02", 1, "2020-01-01", &entered(AUDITOR));
    let other = notice("HR02", 2, "2025-01-01", "");
    let facts = [snapshot, gazette([old, other])].concat();
    let company = fold(&facts).expect("a record");
    assert_eq!(company.auditor_name.as_deref(), Some("Zweite Revision AG"));
    let next = "Dritte Revision AG, in Luzern, Revisionsstelle";
    let swap = notice("HR02", 3, "2025-06-01", &format!("{} {}", left(AUDITOR), entered(next)));
    let company = fold(&[facts, gazette([swap])].concat()).expect("a record");
    assert_eq!(company.auditor_name.as_deref(), Some("Dritte Revision AG"));
}

#[test]
fn a_merged_company_says_who_supersedes_it() {
    let entry = notice("HR01", 1, "2020-01-06", "");
    let text = "Aktiven und Passiven gehen infolge Fusion auf die Probe AG, in Bern \
                (CHE-600.000.029), über. Die Gesellschaft wird gelöscht.";
    let facts = gazette([entry, notice("HR03", 2, "2026-03-02", text)]);
    let company = fold(&facts).expect("a record");
    assert_eq!(company.status, Some(Status::Cancelled));
    assert_eq!(company.superseded_by, "CHE-600.000.029".parse().ok());
    let before = on(&facts, "2026-03-01").expect("a record").company;
    assert_eq!((before.status, before.superseded_by), (Some(Status::Active), None));
    let after = on(&facts, "2026-03-02").expect("a record");
    assert_eq!(after.company.superseded_by, company.superseded_by);
    assert_eq!(proof(&after, "supersededBy").as_deref(), Some("2026-03-02"));
}

#[test]
fn a_branch_names_its_head_office_by_the_gazette_as_by_the_register() {
    let head = |name: &str, uid: Option<&str>| json!({ "name": name, "uid": uid, "country": "CH" });
    let mut entry = notice("HR01", 1, "2026-03-02", "");
    entry["content"]["commonsNew"]["headOffice"] = head("Probe AG", Some("CHE600000029"));
    let facts = gazette([entry.clone()]);
    let record = format!(
        r#"{{"uid": "{UID}", "name": "Muster AG", "canton": "LU",
            "headOffices": [{{"name": "Probe AG", "uid": "CHE600000029"}}]}}"#
    );
    let record = made_of(zefix::read(record.as_bytes()).expect("json").statements);
    let branch = fold(&facts).expect("a record");
    assert_eq!(branch.affiliations.len(), 1);
    assert_eq!(branch.affiliations, fold(&record).expect("a record").affiliations);
    let then = on(&facts, "2026-03-02").expect("a record");
    assert_eq!(proof(&then, "affiliations").as_deref(), Some("2026-03-02"));
    // It belongs to one only; the same one keeps its number.
    let named = |name: &str, uid: Option<&str>| {
        let mut later = notice("HR02", 2, "2026-04-01", "");
        later["content"]["commonsNew"]["headOffice"] = head(name, uid);
        fold(&gazette([later, entry.clone()])).expect("a record").affiliations
    };
    assert_eq!(named("PROBE AG", None)[0].uid, "CHE-600.000.029".parse().ok());
    let [other] = named("Neue AG", None).try_into().expect("one head office");
    assert_eq!((other.name.as_str(), other.uid), ("Neue AG", None));
    // A publication that names none leaves it.
    let silent = notice("HR02", 2, "2026-04-01", "");
    let branch = fold(&gazette([entry, silent])).expect("a record");
    assert_eq!(branch.affiliations[0].name, "Probe AG");
}

/// The facts that the notice of another company's takeover makes, and the company's own.
fn taken_over(state: &str) -> Vec<Fact> {
    let text = "Übernahme der Aktiven und Passiven der Muster AG, in Luzern (CHE-107.251.578), \
                gemäss Fusionsvertrag vom 19.12.2025.";
    let mut merger = notice("HR02", 3, "2026-02-27", text);
    merger["meta"]["publicationState"] = json!(state);
    for block in ["commonsActual", "commonsNew"] {
        merger["content"][block]["company"] =
            json!({ "name": "Probe AG", "uid": "CHE-600.000.029", "seat": "Bern" });
    }
    let takeovers = takeovers(&gazette([merger]));
    assert!(takeovers.iter().all(|it| it.uid == UID.parse().expect("a number")));
    let end = notice("HR03", 2, "2026-03-02", "Die Gesellschaft wird gelöscht.");
    let facts = [takeovers, gazette([notice("HR01", 1, "2020-01-06", ""), end])].concat();
    assert_eq!(facts.len(), 3);
    facts
}

#[test]
fn a_takeover_counts_that_only_the_other_company_published() {
    let facts = taken_over("PUBLISHED");
    let company = fold(&facts).expect("a record");
    assert_eq!(company.superseded_by, "CHE-600.000.029".parse().ok());
    let reversed: Vec<Fact> = facts.iter().rev().cloned().collect();
    assert_eq!(fold(&reversed), Some(company));
    let then = on(&facts, "2026-03-02").expect("a record");
    assert_eq!(proof(&then, "supersededBy").as_deref(), Some("2026-02-27"));
    assert_eq!(fold(&facts[..1]), None, "it proves no company of its own");
}

/// The events of mergers and withdrawals.
fn mergers(facts: &[Fact]) -> Vec<domain::Event> {
    let (_, history) = fold_with_history(facts).expect("a record");
    let kinds = [ChangeKind::Merger, ChangeKind::PublicationCancelled];
    let events = history.events.into_iter().map(|it| it.event);
    events.filter(|it| kinds.contains(&it.kind)).collect()
}

#[test]
fn a_company_that_is_taken_over_tells_of_it_by_its_acquirers_publication() {
    let facts = taken_over("PUBLISHED");
    let [told] = mergers(&facts).try_into().expect("one event");
    assert_eq!(
        (told.uid.to_string().as_str(), told.date.to_string().as_str()),
        (UID, "2026-02-27")
    );
    assert_eq!(told.field.as_deref(), Some("wasTakenOverBy"));
    assert_eq!(told.summary, "Muster AG is taken over by Probe AG");
    assert_eq!(told.subject.as_ref().and_then(|it| it.uid), "CHE-600.000.029".parse().ok());
    assert!(told.source.reference.as_ref().is_some_and(|it| it.ends_with("000000000003")));
    let days: Vec<String> = fold_with_history(&facts)
        .map(|(_, it)| it.events.iter().map(|it| it.event.date.to_string()).collect())
        .expect("a record");
    assert_eq!(days, ["2020-01-06", "2026-02-27", "2026-03-02"]);
    let reversed: Vec<Fact> = facts.iter().rev().cloned().collect();
    assert_eq!(fold_with_history(&reversed), fold_with_history(&facts));
    let before = on(&facts, "2026-02-26").expect("a record").history;
    assert!(before.events.iter().all(|it| it.event.kind != ChangeKind::Merger));
    // Of the acquirer's own event it is told by its company.
    let Statement::Takeover(publication) = &facts[0].statement else { panic!("a takeover") };
    let own = Fact {
        uid: "CHE-600.000.029".parse().expect("a number"),
        statement: Statement::Shab(publication.clone()),
        ..facts[0].clone()
    };
    let [other] = mergers(&[own]).try_into().expect("one event");
    assert_eq!((other.field.as_deref(), &other.source), (Some("hasTakenOver"), &told.source));
    assert_ne!(other.id, told.id);
}

#[test]
fn a_takeover_that_the_company_itself_published_is_told_once() {
    let text = "Aktiven und Passiven gehen infolge Fusion auf die Probe AG, in Bern \
                (CHE-600.000.029), über. Die Gesellschaft wird gelöscht.";
    let mut own = notice("HR03", 4, "2026-03-03", text);
    let facts = [taken_over("PUBLISHED"), gazette([own.clone()])].concat();
    let days = |facts: &[Fact]| -> Vec<String> {
        mergers(facts).into_iter().map(|it| it.date.to_string()).collect()
    };
    assert_eq!(days(&facts), ["2026-03-03"]);
    // Unless it was withdrawn.
    own["meta"]["publicationState"] = json!("CANCELLED");
    let facts = [facts, gazette([own])].concat();
    assert_eq!(days(&facts), ["2026-02-27", "2026-03-03"]);
    assert_eq!(mergers(&facts)[0].kind, ChangeKind::Merger);
}

#[test]
fn a_takeover_that_was_withdrawn_is_told_to_be_withdrawn() {
    let facts = [taken_over("PUBLISHED"), taken_over("CANCELLED")].concat();
    let [told] = mergers(&facts).try_into().expect("one event");
    assert_eq!(told.kind, ChangeKind::PublicationCancelled);
    let reversed: Vec<Fact> = facts.into_iter().rev().collect();
    assert_eq!(mergers(&reversed), [told]);
}

#[test]
fn a_takeover_that_was_withdrawn_counts_no_more_in_any_order() {
    let withdrawn = taken_over("CANCELLED");
    for facts in [
        withdrawn.clone(),
        [withdrawn.clone(), taken_over("PUBLISHED")].concat(),
        [taken_over("PUBLISHED"), withdrawn].concat(),
    ] {
        assert_eq!(fold(&facts).expect("a record").superseded_by, None);
    }
}

#[test]
fn a_deleted_company_has_neither_officers_nor_an_auditor() {
    let board = "Musterfrau, Regula, von Bern, in Bern, Mitglied, mit Einzelunterschrift";
    let entry = notice("HR01", 1, "2020-01-06", &entered(&format!("{board}; {AUDITOR}")));
    let end = notice("HR03", 2, "2026-03-02", "Die Gesellschaft wird gelöscht.");
    let facts = gazette([entry, end]);
    let (company, history) = fold_with_history(&facts).expect("a record");
    assert_eq!((company.status, company.auditor_name), (Some(Status::Cancelled), None));
    assert_eq!(history.current_mandates().count(), 0);
    assert_eq!(history.tenures[0].resigned_at, "2026-03-02".parse().ok());
    assert_eq!(on(&facts, "2026-03-01").expect("a record").history.current_mandates().count(), 1);
}

/// A company whose life is published from its first day on.
fn life() -> Vec<Fact> {
    let mut first = notice("HR01", 1, "2020-03-02", &entered(AUDITOR));
    first["content"]["commonsNew"]["purpose"] = json!("Betrieb einer Bäckerei.");
    first["content"]["commonsNew"]["capital"] = json!({ "nominal": "100000" });
    let mut moved = after("2020-03-02", notice("HR02", 2, "2022-05-02", ""));
    moved["content"]["commonsNew"]["company"]["seat"] = json!("Sursee");
    let ended = after("2022-05-02", notice("HR02", 3, "2024-02-06", BANKRUPT));
    gazette([first, moved, ended])
}

#[test]
fn the_order_of_facts_does_not_matter() {
    let mut facts = life();
    facts.push(linked("2023-01-01"));
    let whole = fold_with_history(&facts).expect("a record");
    let then = on(&facts, "2023-06-01");
    // Every order of four.
    for mut at in 0..24 {
        let mut left = facts.clone();
        let mut shuffled = Vec::new();
        for count in (1..=left.len()).rev() {
            shuffled.push(left.remove(at % count));
            at /= count;
        }
        assert_eq!(fold_with_history(&shuffled).as_ref(), Some(&whole));
        assert_eq!(on(&shuffled, "2023-06-01"), then);
    }
}

#[test]
fn a_day_is_answered_by_what_was_published_until_then() {
    let facts = life();
    assert_eq!(on(&facts, "2020-03-01"), None);
    let early = on(&facts, "2021-01-01").expect("a record");
    assert_eq!(early.company.legal_seat.as_deref(), Some("Luzern"));
    assert_eq!(early.company.status, Some(Status::Active));
    assert_eq!(early.company.share_capital, "100000".parse().ok());
    for member in ["name", "legalSeat", "purpose", "shareCapital", "status", "auditorName"] {
        assert_eq!(proof(&early, member).as_deref(), Some("2020-03-02"), "{member}");
    }
    let late = on(&facts, "2023-01-01").expect("a record");
    assert_eq!(late.company.legal_seat.as_deref(), Some("Sursee"));
    assert_eq!(proof(&late, "legalSeat").as_deref(), Some("2022-05-02"));
    assert_eq!(proof(&late, "status").as_deref(), Some("2020-03-02"), "no news of it since");
    assert_eq!(proof(&late, "purpose").as_deref(), Some("2020-03-02"));
    let end = on(&facts, "2030-01-01").expect("a record");
    assert_eq!(end.company.status, Some(Status::BeingCancelled));
    assert_eq!(proof(&end, "statusCanonical").as_deref(), Some("2024-02-06"));
    assert_eq!(Some(end.company), fold(&facts), "the last day is today");
}

#[test]
fn every_member_of_a_day_has_its_proof() {
    let mut facts = life();
    facts.push(linked("2023-01-01"));
    let of_the_record = ["uid", "dataSource", "auditorSource", "sources", "updatedAt"];
    let counted = ["dataQualityScore", "enrichmentLevel"];
    for day in ["2020-03-02", "2022-05-01", "2023-01-01", "2024-02-06"] {
        let past = on(&facts, day).expect("a record");
        let members = serde_json::to_value(&past.company).expect("json");
        let members = members.as_object().expect("an object").keys().map(String::as_str);
        let members = members.filter(|it| !of_the_record.contains(it) && !counted.contains(it));
        let proved: BTreeSet<&str> = past.proofs.keys().map(String::as_str).collect();
        assert_eq!(members.collect::<BTreeSet<_>>(), proved, "{day}");
        assert!(past.proofs.values().all(|it| it.date <= day.parse().ok()), "{day}: {past:?}");
    }
}

#[test]
fn a_company_of_the_linked_data_alone_is_unknown_before_its_day() {
    let facts = [linked("2026-03-15")];
    assert_eq!(on(&facts, "1850-01-01"), None);
    assert_eq!(on(&facts, "2026-03-14"), None);
    let past = on(&facts, "2026-03-15").expect("a record");
    assert_eq!(past.company.name, "Muster AG (verbunden)");
    assert_eq!(proof(&past, "purpose").as_deref(), Some("2026-03-15"));
}

#[test]
fn before_the_first_snapshot_only_the_next_publication_tells_how_it_was() {
    let mut next = after("2021-04-01", notice("HR02", 7, "2025-02-03", ""));
    next["content"]["commonsActual"]["company"]["name"] = json!("Alt AG");
    next["content"]["commonsNew"]["company"]["name"] = json!("Muster AG");
    let mut facts = gazette([next]);
    facts.push(fact("Muster AG", "2025-06-01"));
    // The publication names the one before it: nothing was published in between.
    let past = on(&facts, "2021-04-01").expect("a record");
    assert_eq!((past.company.name.as_str(), past.company.purpose.as_deref()), ("Alt AG", None));
    assert_eq!(past.company.status, Some(Status::Active));
    assert_eq!(past.company.canton, Some(domain::Canton::Lu));
    assert_eq!(proof(&past, "name").as_deref(), Some("2025-02-03"));
    assert_eq!(past.company.sources.len(), 1);
    assert_eq!(past.company.updated_at, None);
    // Of before that, nothing is known.
    assert_eq!(on(&facts, "2021-03-31"), None);
    assert_eq!(on(&facts, "1850-01-01"), None);
    assert_eq!(on(&facts, "2025-02-03").expect("a record").company.name, "Muster AG");
}

#[test]
fn a_publication_that_names_none_before_it_proves_nothing_of_before() {
    let facts = gazette([notice("HR02", 7, "2025-02-03", "")]);
    assert_eq!(on(&facts, "2025-02-02"), None);
    // Unless others are known: then it is the next one.
    let mut next = notice("HR02", 7, "2025-02-03", "");
    next["content"]["commonsActual"]["purpose"] = json!("Betrieb einer Bäckerei.");
    let known = gazette([notice("HR02", 6, "2024-02-05", ""), next]);
    let past = on(&known, "2024-06-01").expect("a record");
    assert_eq!(past.company.purpose.as_deref(), Some("Betrieb einer Bäckerei."));
    assert_eq!(proof(&past, "purpose").as_deref(), Some("2025-02-03"));
    assert_eq!(proof(&past, "legalSeat").as_deref(), Some("2024-02-05"));
}

#[test]
fn a_name_that_only_a_quoted_notice_tells_is_that_of_its_day() {
    let json = format!(
        r#"{{"uid": "{UID}", "name": "Neu AG", "canton": "LU", "sogcDate": "2024-01-01", "sogcPub": [
            {{"sogcDate": "2020-01-06", "sogcId": 1, "mutationTypes": [{{"id": 2, "key": "status.neu"}}],
              "message": "<FT TYPE=\"F\">Alt AG</FT>, in <FT TYPE=\"S\">Luzern</FT>, {UID}, Aktiengesellschaft (Neueintragung). Aktienkapital: CHF 100'000.00."}},
            {{"sogcDate": "2024-01-01", "sogcId": 2,
              "message": "<FT TYPE=\"F\">Alt AG</FT>, in <FT TYPE=\"S\">Luzern</FT>, {UID}, Aktiengesellschaft. Firma neu: <FT TYPE=\"N\">Neu AG</FT>."}}]}}"#
    );
    let facts = made_of(zefix::read(json.as_bytes()).expect("json").statements);
    assert_eq!(on(&facts, "2020-01-05"), None);
    let past = on(&facts, "2023-12-31").expect("a record");
    assert_eq!(past.company.name, "Alt AG");
    assert_eq!(past.company.share_capital, "100000".parse().ok());
    assert_eq!(proof(&past, "name").as_deref(), Some("2020-01-06"));
    assert_eq!(fold(&facts).expect("a record").name, "Neu AG");
}

#[test]
fn other_sources_count_from_their_day_on() {
    let list = "Name,UID,AuthorisationTypeEN\nMuster AG,CHE107251578,Bank";
    let licensed = finma::read(list.as_bytes()).expect("a table");
    let licensed = made_of(licensed.dated("2023-01-01".parse().ok()).statements);
    let facts = [life(), licensed].concat();
    let before = on(&facts, "2022-12-31").expect("a record");
    assert_eq!(before.company.is_finma_regulated, None);
    let since = on(&facts, "2023-01-01").expect("a record");
    assert_eq!(since.company.is_finma_regulated, Some(true));
    assert_eq!(since.proofs["isFinmaRegulated"].source, "finma");
    assert_eq!(on(&facts, "2020-01-01"), None, "a licence is no entry");
}

/// A publication by whose blocks the company takes another name.
fn renaming(number: u64, day: &str, from: [&str; 2], to: [&str; 2]) -> Value {
    let mut renamed = notice("HR02", number, day, "");
    for (block, [name, translations]) in [("commonsActual", from), ("commonsNew", to)] {
        renamed["content"][block]["company"]["name"] = json!(name);
        renamed["content"][block]["company"]["translations"] = json!(translations);
    }
    renamed
}

#[test]
fn a_company_remembers_the_names_that_it_gave_up() {
    let old_names = |facts: &[Fact]| fold(facts).expect("a record").old_names.unwrap_or_default();
    let first = renaming(1, "2022-03-01", ["Alt AG", "(Alt SA)"], ["Muster AG", "(Muster SA)"]);
    let second = renaming(2, "2024-03-01", ["Muster AG", "(Muster SA)"], ["Neu AG", "(Neu SA)"]);
    let facts = gazette([second, first.clone()]);
    assert_eq!(old_names(&facts), ["Alt AG", "Alt SA", "Muster AG", "Muster SA"]);
    let then = on(&facts, "2023-01-01").expect("a record");
    assert_eq!(then.company.old_names, Some(vec!["Alt AG".into(), "Alt SA".into()]));
    assert_eq!(proof(&then, "oldNames").as_deref(), Some("2022-03-01"));
    // What the linked data calls it is no other name.
    let facts = [gazette([first.clone()]), vec![linked("2022-06-01")]].concat();
    assert_eq!(old_names(&facts), ["Alt AG", "Alt SA"]);
    // The register may say it already.
    let known = |day: &str| {
        let json = format!(
            r#"{{"uid": "{UID}", "name": "Muster AG", "canton": "LU", "sogcDate": "{day}",
                "oldNames": [{{"name": "Alt AG", "translation": ["Alt SA"]}}]}}"#
        );
        made_of(zefix::read(json.as_bytes()).expect("json").statements)
    };
    for day in ["2022-02-27", "2022-03-01"] {
        let facts = [gazette([first.clone()]), known(day)].concat();
        assert_eq!(old_names(&facts), ["Alt AG", "Alt SA"], "{day}");
    }
    // A liquidation is no other name.
    let ended = renaming(1, "2022-03-01", ["Alt AG", ""], ["Alt AG in Liquidation", ""]);
    assert_eq!(old_names(&gazette([ended])), [""; 0]);
}

#[test]
fn a_name_that_only_the_text_gives_up_is_remembered_too() {
    let mut renamed = notice("HR02", 1, "2022-03-01", "");
    let text = "<FT TYPE=\"F\">Alt AG</FT>, in <FT TYPE=\"S\">Luzern</FT>, CHE-107.251.578, \
                Aktiengesellschaft. Firma neu: <FT TYPE=\"N\">Muster AG</FT>.";
    renamed["content"]["publicationText"] = json!(text);
    renamed["content"]["commonsActual"] = Value::Null;
    let company = fold(&gazette([renamed])).expect("a record");
    assert_eq!(
        (company.name.as_str(), company.old_names),
        ("Muster AG", Some(vec!["Alt AG".into()]))
    );
}

#[test]
fn a_company_is_founded_on_the_day_of_its_statutes() {
    let entry = |text: &str| notice("HR01", 1, "2020-03-02", text);
    let founded = |text: &str| fold(&gazette([entry(text)])).expect("a record").founding_date;
    assert_eq!(founded("Statutendatum: 24.02.2020."), "2020-02-24".parse().ok());
    assert_eq!(founded("Statuts du 24.02.2020."), "2020-02-24".parse().ok());
    // Whoever comes from another register brings the first statutes.
    assert_eq!(founded("Statutendatum: 24.02.2020, 05.06.1998."), "1998-06-05".parse().ok());
    assert_eq!(founded("Statutendatum: 24.02.2050."), None, "later than the entry");
    // The statutes of a mutation are others.
    let changed = notice("HR02", 2, "2022-03-01", "Statutenänderung: 24.02.2022.");
    assert_eq!(fold(&gazette([changed.clone()])).expect("a record").founding_date, None);
    let facts = gazette([entry("Statutendatum: 24.02.2020."), changed]);
    let then = on(&facts, "2022-03-01").expect("a record");
    assert_eq!(then.company.founding_date, "2020-02-24".parse().ok());
    assert_eq!(proof(&then, "foundingDate").as_deref(), Some("2020-03-02"));
}

/// The changes of capital that a publication tells: what, from, to.
fn capital_changes(notice: Value) -> Vec<(String, Option<String>, Option<String>)> {
    let (_, history) = fold_with_history(&gazette([notice])).expect("a record");
    let told = history.events.into_iter().map(|it| it.event);
    let told = told.map(|it| {
        assert_eq!(it.kind, ChangeKind::CapitalChange, "{it:?}");
        (it.field.expect("a member"), it.old_value, it.new_value)
    });
    told.collect()
}

fn change_of(what: &str, from: &str, to: &str) -> (String, Option<String>, Option<String>) {
    let value = |text: &str| Some(text.to_owned()).filter(|it| !it.is_empty());
    (what.to_owned(), value(from), value(to))
}

#[test]
fn what_is_paid_in_and_the_participation_capital_change_by_the_text() {
    let told = |text: &str| capital_changes(notice("HR02", 1, "2026-03-02", text));
    let paid = "Liberierung Aktienkapital neu: CHF 100'000.00 [bisher: CHF 50'000.00].";
    assert_eq!(told(paid), [change_of("paidInCapital", "50000", "100000")]);
    let paid = "Liberierung Aktienkapital neu: CHF 100'000.00.";
    assert_eq!(told(paid), [change_of("paidInCapital", "", "100000")]);
    // As much as there is, of a new kind of capital.
    let whole = "Partizipationskapital neu: CHF 12'000.00. \
                 Liberierung Partizipationskapital neu: CHF 12'000.00.";
    assert_eq!(told(whole), [change_of("participationCapital", "", "12000")]);
    let part = whole.replace("neu: CHF 12'000.00.", "neu: CHF 6'000.00.");
    let part = part.replacen("CHF 6'000", "CHF 12'000", 1);
    assert_eq!(
        told(&part),
        [
            change_of("participationCapital", "", "12000"),
            change_of("paidInParticipationCapital", "", "6000"),
        ]
    );
}

#[test]
fn what_is_paid_in_changes_by_the_blocks_unless_the_nominal_change_tells_it() {
    let told = |before: [&str; 2], after: [&str; 2], text: &str| {
        let mut notice = notice("HR02", 1, "2026-03-02", text);
        for (block, [nominal, paid]) in [("commonsActual", before), ("commonsNew", after)] {
            notice["content"][block]["capital"] = json!({ "nominal": nominal, "paid": paid });
        }
        capital_changes(notice)
    };
    let text = "Liberierung Aktienkapital neu: CHF 100'000.00 [bisher: CHF 50'000.00].";
    let paid = [change_of("paidInCapital", "50000", "100000")];
    let whole = ["100000", "100000"];
    assert_eq!(told(["100000", "50000"], whole, text), paid, "once");
    assert_eq!(told(["100000", "50000"], whole, ""), paid);
    let raised = "Aktienkapital neu: CHF 200'000.00 [bisher: CHF 100'000.00]. \
                  Liberierung Aktienkapital neu: CHF 200'000.00 [bisher: CHF 100'000.00].";
    let nominal = [change_of("shareCapital", "100000", "200000")];
    assert_eq!(told(whole, ["200000", "200000"], raised), nominal);
    // Half of the new shares are paid in: that is another thing.
    let half = change_of("paidInCapital", "100000", "150000");
    assert_eq!(told(whole, ["200000", "150000"], raised), [nominal.as_slice(), &[half]].concat());
    // Where only one block says what is paid in, the text counts.
    assert_eq!(told(["100000", ""], ["200000", "200000"], raised), nominal);
    assert_eq!(told(["100000", ""], whole, text), paid);
}

const FATHER: &str = "Muster, Hans, von Chur, in Bern, Präsident, mit Einzelunterschrift";
const SON: &str = "Muster, Hans, von Chur, in Thun, Mitglied, mit Einzelunterschrift";

fn board_of(notices: impl IntoIterator<Item = Value>) -> History {
    fold_with_history(&gazette(notices)).expect("a record").1
}

#[test]
fn who_enters_beside_a_namesake_of_another_residence_is_somebody_else() {
    let father = notice("HR01", 1, "2010-01-04", &entered(FATHER));
    let son = notice("HR02", 2, "2020-01-06", &entered(SON));
    let history = board_of([father.clone(), son.clone()]);
    assert_eq!(history.current_mandates().count(), 2);
    assert_ne!(history.mandates[0].person_id, history.mandates[1].person_id);
    assert_eq!(history.same_persons, []);
    assert!(history.mandates.iter().all(|it| (it.confidence - 0.95).abs() < 1e-9));
    // Each leaves by himself.
    let gone = notice("HR02", 3, "2022-01-03", &left(FATHER));
    let history = board_of([father, son, gone]);
    let still: Vec<_> = history.current_mandates().map(|it| it.person.residence.clone()).collect();
    assert_eq!(still, [Some("Thun".to_owned())]);
}

#[test]
fn who_is_said_to_have_moved_stays_the_same() {
    let father = notice("HR01", 1, "2010-01-04", &entered(FATHER));
    let moved = SON.replace("Mitglied", "Präsident");
    let moved = notice("HR02", 2, "2020-01-06", &entered(&format!("{moved} [bisher: in Bern]")));
    let history = board_of([father, moved]);
    assert_eq!(history.mandates.len(), 1);
    assert_eq!(history.mandates[0].since, "2010-01-04".parse().ok());
    assert_eq!(history.same_persons.len(), 1);
}

#[test]
fn who_leaves_by_the_name_alone_is_found_by_either_id() {
    let father = notice("HR01", 1, "2010-01-04", &entered(FATHER));
    let gone = notice("HR02", 2, "2022-01-03", &left("Muster, Hans, Präsident"));
    let history = board_of([father, gone]);
    assert_eq!(history.current_mandates().count(), 0);
    let [(one, other)] = history.same_persons.as_slice() else { panic!("{history:?}") };
    assert_eq!(*one, history.mandates[0].person_id);
    let told = history.events.last().and_then(|it| it.event.subject.as_ref()?.person_id);
    assert_eq!(Some(*other), told, "the event names whom the notice names");
}

#[test]
fn of_two_namesakes_the_one_moves_who_lived_where_the_notice_says() {
    let both = entered(&format!("{FATHER}; {SON}"));
    let moved = SON.replace("in Thun", "in Basel");
    let moved = entered(&format!("{moved} [bisher: in Thun]"));
    let history =
        board_of([notice("HR01", 1, "2010-01-04", &both), notice("HR02", 2, "2020-01-06", &moved)]);
    let residences: Vec<_> =
        history.mandates.iter().map(|it| it.person.residence.clone()).collect();
    assert_eq!(residences, [Some("Bern".to_owned()), Some("Basel".to_owned())]);
}

#[test]
fn who_enters_without_a_residence_is_the_namesake_in_office() {
    let father = notice("HR01", 1, "2010-01-04", &entered(FATHER));
    let again = "Muster, Hans, von Chur, Delegierter, mit Einzelunterschrift";
    let history = board_of([father, notice("HR02", 2, "2020-01-06", &entered(again))]);
    assert_eq!(history.mandates.len(), 1);
}

const ANNA: &str = "Meier, Anna, von Chur, in Bern, Mitglied, mit Einzelunterschrift";

/// The role and the signature of the only person in a notice.
fn role_and_signature(heading: &str, entry: &str) -> (String, Option<String>) {
    let history = board_of([notice("HR01", 1, "2020-01-06", &persons(heading, entry))]);
    let mandate = history.mandates.into_iter().next().expect("a mandate");
    (mandate.role, mandate.signature)
}

#[test]
fn a_signatory_without_function_has_the_role_authorised_signatory_in_the_language_of_the_notice() {
    const DE: &str = "Eingetragene Personen";
    const FR: &str = "Personne(s) inscrite(s)";
    const IT: &str = "Persone iscritte";
    for (heading, entry, role, signature) in [
        (
            DE,
            "Muster, Hans, von Chur, in Bern, mit Einzelprokura",
            "Zeichnungsberechtigte Person",
            "mit Einzelprokura",
        ),
        (
            DE,
            "Muster, Hans, von Chur, in Bern, mit Kollektivunterschrift zu zweien",
            "Zeichnungsberechtigte Person",
            "mit Kollektivunterschrift zu zweien",
        ),
        (
            FR,
            "Modèle, Jean, de Sion, à Sierre, avec signature individuelle",
            "personne autorisée à signer",
            "avec signature individuelle",
        ),
        (
            FR,
            "Modèle, Jean, de Sion, à Sierre, avec procuration collective à deux",
            "personne autorisée à signer",
            "avec procuration collective à deux",
        ),
        (
            IT,
            "Modello, Gianni, da Lugano, in Chiasso, con firma collettiva a due",
            "persona autorizzata a firmare",
            "con firma collettiva a due",
        ),
        (
            IT,
            "Modello, Gianni, da Lugano, in Chiasso, con procura individuale",
            "persona autorizzata a firmare",
            "con procura individuale",
        ),
    ] {
        assert_eq!(
            role_and_signature(heading, entry),
            (role.to_owned(), Some(signature.to_owned()))
        );
    }
    let director = "Muster, Hans, von Chur, in Bern, Direktor, mit Einzelprokura";
    let (role, signature) = role_and_signature(DE, director);
    assert_eq!((role.as_str(), signature.as_deref()), ("Direktor", Some("mit Einzelprokura")));
}

/// The board after Anna Meier has taken another name, as the words in brackets say.
fn renamed(before: &[&str], entry: &str) -> History {
    let first = notice("HR01", 1, "2010-01-04", &entered(&before.join("; ")));
    board_of([first, notice("HR02", 2, "2020-01-06", &entered(entry))])
}

#[test]
fn who_takes_another_name_keeps_the_mandate() {
    let anew = ANNA.replace("Meier", "Huber-Meier");
    for said in
        ["Meier, Anna, von Chur, in Bern", "Meier, Anna", "Meier, von Chur", "Meier", "Anna Meier"]
    {
        let history = renamed(&[ANNA, FATHER], &format!("{anew} [bisher: {said}]"));
        let [anna, father] = history.mandates.as_slice() else { panic!("{said}: {history:?}") };
        assert_eq!(anna.person.full_name(), "Anna Huber-Meier", "{said}");
        assert_eq!((anna.since, anna.until), ("2010-01-04".parse().ok(), None));
        assert_eq!(father.person.last_name, "Muster");
        let [(one, other)] = history.same_persons.as_slice() else { panic!("{history:?}") };
        assert_eq!(*one, anna.person_id, "the id of the first entry stays");
        assert_eq!(*other, anna.person.identity(UID.parse().expect("a number")).id);
    }
    // By marriage she takes another origin too.
    let married = anew.replace("Chur", "Thun");
    let history = renamed(&[ANNA], &format!("{married} [bisher: Meier, Anna, von Chur]"));
    assert_eq!(history.mandates.len(), 1);
    // And she leaves by her new name.
    let first = notice("HR01", 1, "2010-01-04", &entered(ANNA));
    let second = notice("HR02", 2, "2020-01-06", &entered(&format!("{anew} [bisher: Meier]")));
    let gone = notice("HR02", 3, "2022-01-03", &left(&anew));
    assert_eq!(board_of([first, second, gone]).current_mandates().count(), 0);
}

#[test]
fn of_two_who_bore_the_former_name_neither_is_renamed_in_doubt() {
    let anew = ANNA.replace("Meier", "Huber-Meier");
    let other = ANNA.replace("in Bern", "in Thun");
    let history = renamed(&[ANNA, &other], &format!("{anew} [bisher: Meier, Anna]"));
    assert_eq!(history.current_mandates().count(), 3);
    assert_eq!(history.same_persons, []);
    // Unless the entry says where she lived.
    let history = renamed(&[ANNA, &other], &format!("{anew} [bisher: Meier, Anna, in Thun]"));
    let names: Vec<String> = history.mandates.iter().map(|it| it.person.full_name()).collect();
    assert_eq!(names, ["Anna Meier", "Anna Huber-Meier"]);
    assert_eq!(history.mandates[0].person.residence.as_deref(), Some("Bern"));
}

#[test]
fn whoever_bore_another_name_is_not_renamed() {
    let anew = ANNA.replace("Meier", "Huber-Meier");
    for said in ["Keller, Anna", "Präsidentin", "in Bern", "von Chur", "Meier, Beat"] {
        let history = renamed(&[ANNA], &format!("{anew} [bisher: {said}]"));
        assert_eq!(history.current_mandates().count(), 2, "{said}");
        assert_eq!(history.same_persons, [], "{said}");
    }
    // Origin and nationality speak against it.
    let german = "Huber, Anna, deutsche Staatsangehörige, in Bern, Mitglied [bisher: Meier, Anna]";
    for other in [anew.replace("Chur", "Thun") + " [bisher: Meier, Anna]", german.to_owned()] {
        let history = renamed(&[ANNA], &other);
        assert_eq!(history.current_mandates().count(), 2, "{other}");
    }
}

#[test]
fn an_auditor_under_another_name_is_a_change_of_one_tenure() {
    let first = notice("HR01", 1, "2010-01-04", &entered(AUDITOR));
    let renamed = "Neue Revision AG, in Luzern, Revisionsstelle [bisher: Erste Revision AG]";
    let renamed = notice("HR02", 2, "2020-01-06", &entered(renamed));
    let company = UID.parse().expect("a number");
    let before = board_of([first.clone()]).tenures[0].id(company);
    let history = board_of([first, renamed]);
    let [tenure] = history.tenures.as_slice() else { panic!("one tenure: {history:?}") };
    assert_eq!(tenure.auditor_name, "Neue Revision AG");
    assert_eq!(tenure.id(company), before);
    assert_eq!(tenure.appointed_at, "2010-01-04".parse().ok());
    assert_eq!(tenure.source.date, "2020-01-06".parse().ok(), "what proves the line as it stands");
    let told = &history.events.last().expect("an event").event;
    assert_eq!(
        (told.kind, told.field.as_deref()),
        (ChangeKind::AuditorChange, Some("auditorName"))
    );
    assert_eq!(told.old_value.as_deref(), Some("Erste Revision AG"));
    assert_eq!(told.new_value.as_deref(), Some("Neue Revision AG"));
}

#[test]
fn an_auditor_at_another_seat_is_a_change_that_leaves_its_name() {
    let first = notice("HR01", 1, "2010-01-04", &entered(AUDITOR));
    let moved = "Erste Revision AG, in Zug, Revisionsstelle [bisher: in Luzern]";
    let history = board_of([first, notice("HR02", 2, "2020-01-06", &entered(moved))]);
    assert_eq!(history.tenures.len(), 1);
    let told = &history.events.last().expect("an event").event;
    assert_eq!((told.kind, told.field.as_deref()), (ChangeKind::AuditorChange, Some("auditor")));
    assert_eq!(told.old_value.as_deref(), Some("in Luzern"));
    assert_eq!(told.new_value.as_deref(), Some("Erste Revision AG, in Zug"));
}
