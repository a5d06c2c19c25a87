//! Companies and persons that are erased from the register, for good.

use std::{collections::HashMap, io::Read};

use access::Tier;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::Source;
use flate2::read::GzDecoder;
use jobs::{IngestJob, JobId};
use local::{
    cloud::clients::dynamodb_client,
    register::erasures::{Erasing, apply, finish},
};
use publications::Publication;
use serde_json::{Value, json};
use tests::{Service, workers_by_hand::polled};

use crate::change_feed::follow;

const EINS: &str = "CHE-600.000.012";
const BETA: &str = "CHE-600.000.029";
const DREI: &str = "CHE-600.000.035";
const BETA_NUMBER: u32 = 600_000_029;

/// How the erased company could be found.
const TRACES: [&str; 4] = ["CHE-600.000.029", "600000029", "Beta Treuhand", "BETA TREUHAND"];

/// Beta Treuhand AG audits Eins AG and is taken over by it; Drei AG is its branch; one person is on the boards of both others.
fn publications() -> Vec<Publication> {
    let board = "Musterfrau, Regula, von Bern, in Bern, Mitglied des Verwaltungsrates, mit Einzelunterschrift";
    let auditor = "Beta Treuhand AG (CHE-600.000.029), in Bern, Revisionsstelle";
    vec![
        Publication::registration(EINS, "Eins AG")
            .number(1_000_000_001)
            .on("2020-03-02")
            .persons_entered(&format!("{board}; {auditor}")),
        Publication::registration(BETA, "Beta Treuhand AG")
            .number(1_000_000_002)
            .on("2021-06-01")
            .persons_entered("Geheim, Gustav, von Chur, in Chur, Mitglied des Verwaltungsrates, mit Einzelunterschrift"),
        Publication::registration(DREI, "Drei AG")
            .number(1_000_000_003)
            .on("2022-01-10")
            .head_office(BETA, "Beta Treuhand AG")
            .persons_entered(board),
        Publication::mutation(EINS, "Eins AG").number(1_000_000_004).on("2024-02-06").text(
            "Übernahme der Aktiven und Passiven der Beta Treuhand AG, in Bern (CHE-600.000.029), gemäss \
             Fusionsvertrag vom 19.12.2023 und Bilanz per 31.12.2022.",
        ),
        Publication::mutation(BETA, "Beta Treuhand AG")
            .number(1_000_000_005)
            .on("2024-02-07")
            .new_purpose("Treuhand", "Beratung"),
        Publication::mutation(DREI, "Drei AG")
            .number(1_000_000_006)
            .on("2024-03-01")
            .new_purpose("Bau", "Handel"),
    ]
}

fn erasing(service: &Service) -> Erasing {
    Erasing {
        registry: service.cloud.registry.clone(),
        tenants: service.cloud.tenants.clone(),
        objects: service.cloud.objects.clone(),
    }
}

/// Adds the company to the list and applies it, as the command does before the generation is published.
async fn erase(service: &Service) {
    let uid = BETA.parse().expect("a number");
    let reference = Some("4A_1/2026".to_owned());
    let registry = &service.cloud.registry;
    assert!(registry.erase_company(uid, &[], service.now(), reference).await.expect("stored"));
    apply(&erasing(service), |_, _| ()).await.expect("applied");
}

/// As the command after that.
async fn publish_and_finish(service: &Service) {
    service.publish().await;
    finish(&erasing(service), service.now()).await.expect("finished");
}

/// The text of an item, also of compressed documents.
fn text_of(item: &HashMap<String, AttributeValue>) -> String {
    let mut text = format!("{item:?}");
    for bytes in item.values().filter_map(|it| it.as_b().ok()) {
        let mut document = String::new();
        if GzDecoder::new(bytes.as_ref()).read_to_string(&mut document).is_ok() {
            text.push_str(&document);
        }
    }
    text
}

/// The items and objects that contain a trace of the erased company.
async fn traces(service: &Service) -> Vec<String> {
    let client = dynamodb_client(&service.cloud.endpoints.dynamodb);
    let mut stored = Vec::new();
    for table in &service.cloud.tables {
        let pages = client.scan().table_name(table).into_paginator().items().send();
        let items = pages.collect::<Result<Vec<_>, _>>().await.expect("read");
        stored.extend(items.iter().map(text_of));
    }
    let objects = &service.cloud.objects;
    for key in objects.keys("").await.expect("listed") {
        let bytes = objects.get(&key).await.expect("read").expect("exists");
        let bytes = zstd::decode_all(&bytes[..]).unwrap_or_else(|_| bytes.to_vec());
        let number = BETA_NUMBER.to_le_bytes();
        let has_number = bytes.windows(4).any(|it| it == number) && key.contains("records");
        stored.push(format!("{key} {has_number} {}", String::from_utf8_lossy(&bytes)));
    }
    stored.retain(|it| TRACES.iter().any(|trace| it.contains(trace)));
    stored.into_iter().map(|it| it.chars().take(300).collect()).collect()
}

/// Sequence number and id of each change of the feed.
fn places(feed: &[Value]) -> Vec<(Value, Value)> {
    feed.iter().map(|it| (it["sequence"].clone(), it["id"].clone())).collect()
}

#[tokio::test]
async fn erased_company_is_unknown_and_a_placeholder_stands_where_others_mention_it() {
    let service = Service::start().await;
    service.ingest_publications(publications()).await;
    let key = service.key(Tier::Enterprise).await;
    let before = follow(&service, "", 100, None).await;
    let eins = service.get_as(&key, &format!("/v1/companies/{EINS}")).await;
    assert_eq!(eins.body["auditorName"], "Beta Treuhand AG", "{}", eins.text);
    assert!(!traces(&service).await.is_empty());
    let first_page = service.get_as(&key, "/v1/changes/feed?limit=2").await;
    let cursor = first_page.body["nextCursor"].as_str().expect("a cursor").to_owned();

    erase(&service).await;
    // The generation still contains it, until the next one is published.
    for path in
        ["", "/full", "/events", "/risk", "/ownership", "/relationships", "/persons", "/pdf"]
    {
        let answer = service.get_as(&key, &format!("/v1/companies/{BETA}{path}")).await;
        assert_eq!(answer.status, 404, "{path}: {}", answer.text);
    }
    let list = service.get_as(&key, "/v1/companies?pageSize=100").await;
    assert_eq!(list.status, 200, "{}", list.text);
    assert!(!list.text.contains("Beta"), "{}", list.text);

    publish_and_finish(&service).await;
    assert_eq!(traces(&service).await, Vec::<String>::new());
    let eins = service.get_as(&key, &format!("/v1/companies/{EINS}")).await;
    assert_eq!(eins.body["auditorName"], "ERASED COMPANY", "{}", eins.text);
    assert!(eins.body["auditorUid"].is_null(), "{}", eins.text);
    let of_eins = service.get_as(&key, &format!("/v1/companies/{EINS}/relationships")).await;
    assert_eq!(of_eins.status, 200, "{}", of_eins.text);
    for path in ["/v1/companies?search=Beta", "/v1/persons/search?q=Geheim"] {
        let found = service.get_as(&key, path).await;
        assert_eq!(found.body["total"], 0, "{}", found.text);
    }

    let after = follow(&service, "", 100, None).await;
    assert_eq!(places(&after), places(&before), "the feed keeps its numbering");
    for (before, after) in before.iter().zip(&after) {
        if before["companyUid"] == BETA {
            assert_eq!(after["changeType"], "erased", "{after}");
            assert_eq!(after["companyUid"], "CHE-000.000.000", "{after}");
        } else if !before.to_string().contains("Beta") {
            assert_eq!(after, before);
        } else {
            assert!(after.to_string().contains("ERASED COMPANY"), "{after}");
        }
    }
    let rest = follow(&service, "", 3, Some(&cursor)).await;
    assert_eq!(places(&rest), places(&after[2..]), "cursors of clients stay valid");
    let listed = service.get_as(&key, "/v1/changes?pageSize=100&includeInternal=true").await;
    assert_eq!(listed.body["items"].as_array().map(Vec::len), Some(after.len()), "{}", listed.text);
}

#[tokio::test]
async fn erased_company_does_not_come_back() {
    let service = Service::start().await;
    service.ingest_publications(publications()).await;
    let feed_end = service.cloud.registry.feed_end().await.expect("read");
    erase(&service).await;
    publish_and_finish(&service).await;
    let eins = service.get(&format!("/v1/companies/{EINS}")).await.text;

    // The same publications, in one file and one by one, in the other order.
    let batch = tests::read_publications(&publications());
    let report = service.ingest(Source::Shab, batch).await;
    assert_eq!((report.new, report.changed), (0, 0), "{report:?}");
    for publication in publications().iter().rev() {
        let batch = tests::read_publications(std::slice::from_ref(publication));
        service.ingest(Source::Shab, batch).await;
    }
    // A new one of another company that mentions it, and one that nobody can read.
    let new = Publication::mutation(DREI, "Drei AG").number(1_000_000_007).on("2025-01-07").text(
        "Übernahme der Aktiven und Passiven der BETA TREUHAND AG, in Bern (CHE-600.000.029), gemäss \
         Fusionsvertrag vom 19.12.2024 und Bilanz per 31.12.2023.",
    );
    let file = json!([new.json(), { "meta": "?", "content": "Beta Treuhand AG" }]).to_string();
    let batch = sources::read(Source::Shab, file.as_bytes()).expect("json");
    assert_eq!(batch.rejected.len(), 1);
    service.ingest(Source::Shab, batch).await;
    service.publish().await;
    assert_eq!(traces(&service).await, Vec::<String>::new());
    assert_eq!(service.get(&format!("/v1/companies/{BETA}")).await.status, 404);
    assert_eq!(service.get(&format!("/v1/companies/{EINS}")).await.text, eins);
    let end = service.cloud.registry.feed_end().await.expect("read");
    assert!(end > feed_end, "the new publication is in the feed");
    let last = follow(&service, "", 100, None).await;
    assert!(last.iter().any(|it| it.to_string().contains("ERASED COMPANY")), "{last:?}");

    // Applying the list again changes nothing.
    let again = apply(&erasing(&service), |_, _| ()).await.expect("applied");
    assert_eq!((again.registry.deleted, again.registry.redacted, again.files), (0, 0, 0));
    assert_eq!((again.tenants.deleted, again.tenants.redacted), (0, 0));
}

#[tokio::test]
async fn a_table_restored_from_before_is_cleaned_and_the_feed_goes_on() {
    let service = Service::start().await;
    let publications = publications();
    service.ingest_publications(publications[..4].to_vec()).await;
    let uid = BETA.parse().expect("a number");
    let registry = &service.cloud.registry;
    // Only the entry, as when the items about the company were put back afterwards.
    assert!(registry.erase_company(uid, &[], service.now(), None).await.expect("stored"));
    let batch = tests::read_publications(&publications[4..]);
    service.ingest(Source::Shab, batch).await;
    // A generation is built without it although its items are still there.
    service.publish().await;
    let key = service.key(Tier::Enterprise).await;
    let found = service.get_as(&key, "/v1/companies?search=Beta").await;
    assert_eq!(found.body["total"], 0, "{}", found.text);
    let changes = service.get_as(&key, "/v1/changes?pageSize=100&includeInternal=true").await;
    assert!(changes.text.contains("\"erased\""), "{}", changes.text);
    apply(&erasing(&service), |_, _| ()).await.expect("applied");
    publish_and_finish(&service).await;
    assert_eq!(traces(&service).await, Vec::<String>::new());
    let feed = follow(&service, "", 2, None).await;
    let sequences: Vec<u64> = feed.iter().filter_map(|it| it["sequence"].as_u64()).collect();
    assert!(sequences.iter().copied().eq(1..=feed.len() as u64), "{sequences:?}");
}

#[tokio::test]
async fn what_teams_keep_about_an_erased_company_is_deleted_and_counts_no_more() {
    let service = Service::start().await;
    service.ingest_publications(publications()).await;
    let key = service.key(Tier::Enterprise).await;
    for (path, body) in [
        ("/v1/watches".to_owned(), json!({ "companyUid": BETA })),
        ("/v1/watches".to_owned(), json!({ "companyUid": EINS })),
        (format!("/v1/companies/{BETA}/notes"), json!({ "content": "Call back." })),
        (
            format!("/v1/companies/{EINS}/notes"),
            json!({ "content": "Audited by Beta Treuhand AG." }),
        ),
        (format!("/v1/companies/{BETA}/tags"), json!({ "tagName": "Risk" })),
    ] {
        let answer = service.post_as(&key, &path, body).await;
        assert!(answer.status.is_success(), "{path}: {}", answer.text);
    }
    for company in [BETA, EINS] {
        let body = json!({ "uid": company, "level": "summary" });
        let dossier = service.post_as(&key, "/v1/dossiers", body).await;
        assert!(dossier.status.is_success(), "{}", dossier.text);
    }
    let export = service.post_as(&key, "/v1/exports", json!({})).await;
    let export = export.body["id"].as_str().expect("an id").to_owned();
    service.run_exports().await;
    let pdf = service.get_as(&key, &format!("/v1/companies/{BETA}/pdf")).await;
    assert!(pdf.status.is_success() || pdf.status == 404, "{}", pdf.text);

    erase(&service).await;
    publish_and_finish(&service).await;
    assert_eq!(traces(&service).await, Vec::<String>::new());
    let watches = service.get_as(&key, "/v1/watches").await;
    assert_eq!(watches.body.as_array().map(Vec::len), Some(1), "{}", watches.text);
    let notes = service.get_as(&key, &format!("/v1/companies/{EINS}/notes")).await;
    assert!(notes.text.contains("Audited by ERASED COMPANY."), "{}", notes.text);
    assert_eq!(service.get_as(&key, &format!("/v1/exports/{export}")).await.status, 404);
}

#[tokio::test]
async fn files_of_sources_keep_only_records_that_mention_no_erased_company() {
    let service = Service::start().await;
    service.ingest_publications(publications()).await;
    let objects = &service.cloud.objects;
    let file: Vec<Value> = publications().iter().map(Publication::json).collect();
    let key = "incoming/shab/2026-11-20/a";
    objects.put(key, Value::from(file.clone()).to_string()).await.expect("stored");
    objects.put("incoming/shab/2026-11-20/b", "<a>BETA TREUHAND AG</a>").await.expect("stored");
    objects.put("incoming/shab/2026-11-20/c", "<a>Eins AG</a>").await.expect("stored");
    objects
        .put("quarantine/shab/a.json", "{\"record\":\"CHE-600.000.029\"}")
        .await
        .expect("stored");
    erase(&service).await;
    let rest = objects.get(key).await.expect("read").expect("exists");
    let rest: Vec<Value> = serde_json::from_slice(&rest).expect("json");
    assert_eq!(rest, [file[5].clone()], "the publication that mentions nobody");
    let left = objects.keys("incoming/").await.expect("listed");
    assert_eq!(left, [key, "incoming/shab/2026-11-20/b", "incoming/shab/2026-11-20/c"]);
    let text = objects.get("incoming/shab/2026-11-20/b").await.expect("read").expect("exists");
    assert_eq!(text, "<a>ERASED COMPANY</a>");
    assert!(objects.keys("quarantine/").await.expect("listed").is_empty());

    // An import of a file in the bucket leaves nothing either.
    objects.put(key, Value::from(file).to_string()).await.expect("stored");
    let job = IngestJob::ImportFile {
        source: Source::Shab,
        key: key.to_owned(),
        offset: 0,
        accept_shrunk: false,
    };
    let worker = service.ingest_worker(fetch::Fetcher::new(fetch::Settings::default()));
    worker.handle(job, JobId::of_message("a", None)).await.expect("imported");
    publish_and_finish(&service).await;
    assert_eq!(traces(&service).await, Vec::<String>::new());
}

#[tokio::test]
async fn erased_person_is_not_found_and_namesakes_stay() {
    let service = Service::start().await;
    let person =
        "Geheim, Gustav, von Chur, in Chur, Mitglied des Verwaltungsrates, mit Einzelunterschrift";
    let namesake =
        "Geheim, Gustav, von Thun, in Thun, Mitglied des Verwaltungsrates, mit Einzelunterschrift";
    let publications = [
        Publication::registration(EINS, "Eins AG")
            .number(1_000_000_001)
            .on("2020-03-02")
            .persons_entered(person),
        Publication::registration(DREI, "Drei AG")
            .number(1_000_000_002)
            .on("2022-01-10")
            .persons_entered(namesake),
        Publication::mutation(EINS, "Eins AG")
            .number(1_000_000_003)
            .on("2024-02-06")
            .persons_left(person),
    ];
    service.ingest_publications(publications.clone()).await;
    let key = service.key(Tier::Enterprise).await;
    let found = service.get_as(&key, "/v1/persons/search?q=Geheim").await;
    assert_eq!(found.body["total"], 2, "{}", found.text);
    let before = follow(&service, "", 100, None).await;
    let history = service.cloud.registry.history(EINS.parse().expect("a number")).await;
    let erased = history.expect("read").mandates[0].person_id;
    let note = json!({ "content": "Gustav Geheim left CHE-600.000.012." });
    let note = service.post_as(&key, &format!("/v1/companies/{EINS}/notes"), note).await;
    assert!(note.status.is_success(), "{}", note.text);

    let registry = &service.cloud.registry;
    let (now, reference) = (service.now(), Some("4A_2/2026".to_owned()));
    assert!(registry.erase_person(erased, now, reference).await.expect("stored"));
    for round in 0..2 {
        apply(&erasing(&service), |_, _| ()).await.expect("applied");
        publish_and_finish(&service).await;
        let found = service.get_as(&key, "/v1/persons/search?q=Geheim").await;
        assert_eq!(found.body["total"], 1, "round {round}: {}", found.text);
        let person = service.get_as(&key, &format!("/v1/persons/{erased}")).await;
        assert_eq!(person.status, 404, "{}", person.text);
        let after = follow(&service, "", 100, None).await;
        assert_eq!(places(&after), places(&before));
        for change in after.iter().filter(|it| it["companyUid"] == EINS) {
            assert!(!change.to_string().contains("Geheim"), "{change}");
        }
        assert!(after.iter().any(|it| it.to_string().contains("ERASED PERSON")), "{after:?}");
        for path in ["/board", "/full", "/timeline", "/notes"] {
            let answer = service.get_as(&key, &format!("/v1/companies/{EINS}{path}")).await;
            assert!(!answer.text.contains("Geheim"), "{path}: {}", answer.text);
        }
        let other = service.get_as(&key, &format!("/v1/companies/{DREI}/full")).await;
        assert!(other.text.contains("Geheim") || other.status == 404, "{}", other.text);
        // It does not come back.
        service.ingest_publications(publications.clone()).await;
    }
}

#[tokio::test]
async fn facts_that_are_stored_while_a_company_is_erased_do_not_stay() {
    let service = Service::start().await;
    let registry = &service.cloud.registry;
    let numbers = 600_000_040..;
    let numbers = numbers.filter_map(|it: u32| format!("CHE{it:09}").parse::<domain::Uid>().ok());
    let mut interrupted = 0;
    for (polls, uid) in (1..=12).zip(numbers) {
        let publication = Publication::registration(&uid.to_string(), "Beta Treuhand AG");
        let facts = facts::facts(tests::read_publications(&[publication]).statements);
        let mut writer = Box::pin(registry.record_facts(uid, &facts));
        // At each step of the writer.
        let done = polled(polls, writer.as_mut()).await;
        registry.erase_company(uid, &[], service.now(), None).await.expect("listed");
        apply(&erasing(&service), |_, _| ()).await.expect("applied");
        if done.is_none() {
            interrupted += 1;
            writer.await.expect("stored or left out");
        }
        assert_eq!(registry.facts(uid).await.expect("read"), [], "after {polls} polls");
        assert_eq!(registry.company(uid).await.expect("read"), None, "after {polls} polls");
    }
    assert!(interrupted > 3, "{interrupted}");
}

#[tokio::test]
async fn unreadable_records_and_files_with_a_namesake_are_kept_and_what_is_left_out_is_counted() {
    let service = Service::start().await;
    let person =
        "Geheim, Gustav, von Chur, in Chur, Mitglied des Verwaltungsrates, mit Einzelunterschrift";
    let namesake =
        "Geheim, Gustav, von Thun, in Thun, Mitglied des Verwaltungsrates, mit Einzelunterschrift";
    let publications = [
        Publication::registration(EINS, "Eins AG").number(1_000_000_001).persons_entered(person),
        Publication::registration(BETA, "Beta Treuhand AG").number(1_000_000_002),
    ];
    service.ingest_publications(publications.clone()).await;
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let history = registry.history(EINS.parse().expect("a number")).await.expect("read");
    let erased = history.mandates[0].person_id;
    registry.erase_person(erased, service.now(), None).await.expect("stored");
    registry
        .erase_company(
            BETA.parse().expect("a number"),
            &["Treuhand".to_owned()],
            service.now(),
            None,
        )
        .await
        .expect("stored");
    let files = [
        ("a", format!("<a>Eingetragene Personen: {namesake}.</a>"), "Geheim, Gustav, von Thun"),
        ("b", format!("<a>Eingetragene Personen: {person}.</a>"), "PERSON, ERASED"),
        ("c", "<a>Beratung und Treuhand &amp; mehr</a>".to_owned(), "Treuhand &amp; mehr"),
    ];
    for (name, content, _) in &files {
        let key = format!("incoming/shab/2026-11-20/{name}");
        objects.put(&key, content.clone()).await.expect("stored");
    }
    apply(&erasing(&service), |_, _| ()).await.expect("applied");
    for (name, _, expected) in &files {
        let key = format!("incoming/shab/2026-11-20/{name}");
        let rest = objects.get(&key).await.expect("read").expect("the file stays");
        let rest = String::from_utf8_lossy(&rest);
        assert!(rest.contains(expected) && !rest.contains("Chur"), "{rest}");
    }
    let records = json!([
        publications[1].json(),
        { "meta": "?", "content": format!("Eingetragene Personen: {namesake}.") },
        { "meta": "?", "content": "Beratung und Treuhand" },
        { "meta": "?", "content": "Beta Treuhand AG" },
        { "meta": "?", "content": format!("{BETA}: Geheim") },
    ]);
    let batch = sources::read(Source::Shab, records.to_string().as_bytes()).expect("json");
    let report = service.ingest(Source::Shab, batch).await;
    assert_eq!((report.read, report.erased, report.quarantined), (5, 2, 3), "{report:?}");
    let mut stored = String::new();
    for key in objects.keys("quarantine/").await.expect("listed") {
        let record = objects.get(&key).await.expect("read").expect("exists");
        stored.push_str(&String::from_utf8_lossy(&record));
    }
    for kept in ["von Thun", "Beratung und Treuhand", "ERASED COMPANY"] {
        assert!(stored.contains(kept), "{kept}: {stored}");
    }
    assert!(!stored.contains("Beta") && !stored.contains("600.000.029"), "{stored}");
    let freshness = service.get("/v1/sources/freshness").await.body;
    let sources = freshness["sources"].as_array().expect("a list");
    let shab = sources.iter().find(|it| it["source"] == "shab").expect("the gazette");
    assert_eq!(shab["erased"], 2, "{shab}");
}
