//! Snapshots of the register, as files.

use std::collections::{BTreeMap, BTreeSet};

use access::Tier;
use http::StatusCode;
use parquet::{
    file::reader::{FileReader, SerializedFileReader},
    record::RowAccessor,
};
use publications::Publication;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tests::{Service, company};

use super::export_faults::Random;

const PATH: &str = "/v1/snapshots";
const ONE: &str = "CHE-600.000.001";
const TWO: &str = "CHE-600.000.012";

/// The records of a snapshot by company number, after its files were checked.
async fn records(service: &Service, snapshot: &Value) -> BTreeMap<String, Value> {
    let (mut records, mut rows) = (BTreeMap::new(), BTreeMap::new());
    let generation = snapshot["id"].as_str().expect("an id");
    for file in snapshot["files"].as_array().expect("files") {
        let (name, url) = (file["name"].as_str().expect("a name"), file["url"].as_str());
        let key = format!("generations/8/{generation}/records/{name}");
        assert!(
            url.is_some_and(|it| it.contains(&key) && it.contains("X-Amz-Signature=")),
            "{file}"
        );
        let bytes = service.cloud.objects.get(&key).await.expect("read").expect("an object");
        assert_eq!(file["sizeBytes"], bytes.len());
        assert_eq!(file["sha256"], hex(&Sha256::digest(&bytes)));
        match file["format"].as_str() {
            Some("ndjson") => {
                assert_eq!(file["compression"], "zstd");
                let lines = zstd::decode_all(&bytes[..]).expect("a stream");
                for line in String::from_utf8(lines).expect("UTF-8").lines() {
                    let record: Value = serde_json::from_str(line).expect("JSON");
                    let uid = record["uid"].as_str().expect("a number").to_owned();
                    assert!(records.insert(uid, record).is_none(), "each company is once");
                }
            }
            Some("parquet") => {
                assert!(file.get("compression").is_none(), "{file}");
                let table = SerializedFileReader::new(bytes).expect("a table");
                for row in table.get_row_iter(None).expect("rows") {
                    let row = row.expect("a row");
                    let text = |index| row.get_string(index).expect("text").clone();
                    assert!(rows.insert(text(0), text(1)).is_none(), "each company is once");
                }
            }
            _ => panic!("{file}"),
        }
    }
    assert_eq!(snapshot["companies"], records.len());
    let named = |(uid, it): (&String, &Value)| {
        (uid.clone(), it["name"].as_str().expect("a name").to_owned())
    };
    assert_eq!(rows, records.iter().map(named).collect(), "both formats have the same companies");
    records
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

/// The snapshots that are listed, newest first.
async fn listed(service: &Service, key: &str) -> Vec<Value> {
    let answer = service.get_as(key, PATH).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.body.as_array().expect("a list").clone()
}

/// The state of a snapshot after every company that the feed names since then was read again.
async fn followed(service: &Service, key: &str, snapshot: &Value) -> BTreeMap<String, Value> {
    let mut state = records(service, snapshot).await;
    let (changed, _) = changed(service, key, snapshot, 100).await;
    for uid in changed {
        let record = service.get_as(key, &format!("/v1/companies/{uid}")).await.body;
        state.insert(uid, record);
    }
    state
}

/// The companies that the feed names since a snapshot, read page by page, and the number of pages.
async fn changed(
    service: &Service,
    key: &str,
    snapshot: &Value,
    per_page: usize,
) -> (BTreeSet<String>, usize) {
    let (mut changed, mut pages) = (BTreeSet::new(), 0);
    let mut cursor = snapshot["feedCursor"].as_str().expect("a cursor").to_owned();
    loop {
        let page = format!("/v1/changes/feed?cursor={cursor}&limit={per_page}");
        let page = service.get_as(key, &page).await;
        let items = page.body["items"].as_array().unwrap_or_else(|| panic!("{page:?}"));
        pages += 1;
        let uid = |it: &Value| it["companyUid"].as_str().expect("a number").to_owned();
        changed.extend(items.iter().map(uid));
        if items.len() < per_page {
            return (changed, pages);
        }
        cursor = page.body["nextCursor"].as_str().unwrap_or_else(|| panic!("{page:?}")).to_owned();
    }
}

#[tokio::test]
async fn a_snapshot_and_the_feed_after_it_give_the_next_snapshot() {
    let companies = [company(ONE, "Eins AG"), company(TWO, "Zwei AG")];
    let service = Service::with(companies).await;
    let key = service.key(Tier::Enterprise).await;
    let auditor = "Revisor AG, in Bern, Revisionsstelle";
    let audited = Publication::mutation(ONE, "Eins AG").persons_entered(auditor);
    service.ingest_publications([audited]).await;
    let officer = "Muster, Eva, von Chur, in Bern, Mitglied, mit Einzelunterschrift";
    let changed = Publication::mutation(TWO, "Zwei AG");
    let founded = Publication::mutation("CHE-600.000.029", "Drei AG");
    service.pass_seconds(60);
    let later = [changed.persons_entered(officer), founded.persons_entered(officer)];
    service.ingest_publications(later).await;

    let snapshots = listed(&service, &key).await;
    let sequence = |it: &Value| it["asOfSequence"].as_u64().expect("a number");
    assert!(snapshots.len() > 2, "those of the last hours are listed: {snapshots:?}");
    let (newer, older) = (&snapshots[0], &snapshots[1]);
    assert!(sequence(newer) > sequence(older));
    let current = service.generations.current().await.expect("one");
    assert_eq!(newer["id"], current.manifest.id);
    assert_ne!(records(&service, older).await, records(&service, newer).await);
    assert_eq!(followed(&service, &key, older).await, records(&service, newer).await);

    // Its addresses work for an hour, whatever follows.
    service.publish().await;
    service.publish().await;
    records(&service, older).await;
}

/// More companies than a block of a snapshot has, of which many change, some several times, and some are new or deleted.
#[tokio::test]
async fn every_snapshot_and_the_feed_after_it_give_every_later_one() {
    const COMPANIES: u64 = 600;
    const ROUNDS: u64 = 5;
    const CHANGES: u64 = 40;
    let uid = |number: u64| format!("CHE-7{:02}.{:03}.000", number / 1_000, number % 1_000);
    let companies = (0..COMPANIES).map(|it| company(&uid(it), &format!("Muster {it} AG")));
    let service = Service::with(companies).await;
    let key = service.key(Tier::Enterprise).await;
    let random = Random::new(18);
    let mut earlier: Vec<(Value, BTreeMap<String, Value>)> = Vec::new();
    let (mut most_pages, mut number) = (0, 1_000_000_000);
    for round in 0..=ROUNDS {
        if round > 0 {
            let mut publications = Vec::new();
            for at in 0..CHANGES {
                number += 1;
                let changed = random.below(COMPANIES);
                let name = format!("Muster {changed} AG");
                let person = format!(
                    "Muster, Eva {number}, von Chur, in Bern, Mitglied, mit Einzelunterschrift"
                );
                let publication = match random.below(8) {
                    0 => {
                        let new = uid(COMPANIES + round * CHANGES + at);
                        Publication::registration(&new, "Neu AG").persons_entered(&person)
                    }
                    1 => Publication::deletion(&uid(changed), &name),
                    2 => Publication::mutation(&uid(changed), &name).new_seat("Thun"),
                    3 => Publication::mutation(&uid(changed), &name).persons_left(&person),
                    _ => Publication::mutation(&uid(changed), &name)
                        .persons_entered(&format!("Revisor {number} AG, in Bern, Revisionsstelle")),
                };
                let day = format!("2026-02-{:02}", round);
                publications.push(publication.number(number).on(&day));
            }
            service.pass_seconds(60);
            service.ingest_publications(publications).await;
        }
        // What the register answers now is the state of the newest snapshot.
        let newest = listed(&service, &key).await.remove(0);
        let expected = records(&service, &newest).await;
        let mut answered = BTreeMap::new();
        for (snapshot, state) in &earlier {
            let (changed, pages) = changed(&service, &key, snapshot, 7).await;
            let mut state = state.clone();
            for uid in changed {
                if !answered.contains_key(&uid) {
                    let record = service.get_as(&key, &format!("/v1/companies/{uid}")).await.body;
                    answered.insert(uid.clone(), record);
                }
                state.insert(uid.clone(), answered[&uid].clone());
            }
            assert_eq!(state.len(), expected.len());
            for (uid, record) in &expected {
                assert_eq!(state.get(uid), Some(record), "{uid}");
            }
            most_pages = most_pages.max(pages);
        }
        if let Some((_, before)) = earlier.last() {
            assert_ne!(*before, expected);
        }
        earlier.push((newest, expected));
    }
    let sequences: BTreeSet<u64> =
        earlier.iter().filter_map(|(it, _)| it["asOfSequence"].as_u64()).collect();
    assert_eq!(sequences.len(), earlier.len(), "each one has more changes");
    assert!(most_pages > 20, "{most_pages} pages");
    assert!(earlier.last().is_some_and(|(_, it)| it.len() > 600), "new companies");
}

/// What the description of the snapshots says of sources whose statements are no changes of the feed.
#[tokio::test]
async fn what_other_sources_state_is_in_the_next_snapshot_but_not_in_the_feed() {
    let service = Service::with([company(ONE, "Eins AG"), company(TWO, "Zwei AG")]).await;
    let key = service.key(Tier::Enterprise).await;
    service.pass_seconds(60);
    let mut with_lei = company(TWO, "Zwei AG");
    with_lei.lei = "506700GE1G29325QX363".parse().ok();
    service.register([with_lei]).await;
    let snapshots = listed(&service, &key).await;
    let mut followed = followed(&service, &key, &snapshots[1]).await;
    let expected = records(&service, &snapshots[0]).await;
    assert_ne!(followed, expected);
    followed.insert(TWO.to_owned(), expected[TWO].clone());
    assert_eq!(followed, expected);
    assert_eq!(expected[TWO]["lei"], "506700GE1G29325QX363");
}

#[tokio::test]
async fn only_enterprise_teams_get_snapshots() {
    let service = Service::start().await;
    let key = service.key(Tier::Professional).await;
    assert_eq!(service.get_as(&key, PATH).await.status, StatusCode::FORBIDDEN);
}
