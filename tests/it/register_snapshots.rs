//! Snapshots of the register, as files.

use std::collections::BTreeMap;

use access::Tier;
use http::StatusCode;
use publications::Publication;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tests::{Service, company};

const PATH: &str = "/v1/snapshots";

/// The records of a snapshot by company number, after its files were checked.
async fn records(service: &Service, snapshot: &Value) -> BTreeMap<String, Value> {
    let mut records = BTreeMap::new();
    let generation = snapshot["id"].as_str().expect("an id");
    for file in snapshot["files"].as_array().expect("files") {
        let (name, url) = (file["name"].as_str().expect("a name"), file["url"].as_str());
        let key = format!("generations/{generation}/records/{name}");
        assert!(
            url.is_some_and(|it| it.contains(&key) && it.contains("X-Amz-Signature=")),
            "{file}"
        );
        let bytes = service.cloud.objects.get(&key).await.expect("read").expect("an object");
        assert_eq!(file["sizeBytes"], bytes.len());
        assert_eq!(file["sha256"], hex(&Sha256::digest(&bytes)));
        let lines = zstd::decode_all(&bytes[..]).expect("a stream");
        for line in String::from_utf8(lines).expect("UTF-8").lines() {
            let record: Value = serde_json::from_str(line).expect("JSON");
            let uid = record["uid"].as_str().expect("a number").to_owned();
            assert!(records.insert(uid, record).is_none(), "each company is once");
        }
    }
    assert_eq!(snapshot["companies"], records.len());
    records
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

#[tokio::test]
async fn a_snapshot_and_the_feed_after_it_give_the_next_snapshot() {
    let companies = [company("CHE-600.000.001", "Eins AG"), company("CHE-600.000.012", "Zwei AG")];
    let service = Service::with(companies).await;
    let key = service.key(Tier::Enterprise).await;
    let auditor = |uid: &str, name: &str| {
        Publication::mutation(uid, name).persons_entered("Revisor AG, in Bern, Revisionsstelle")
    };
    service.ingest_publications([auditor("CHE-600.000.001", "Eins AG")]).await;
    let dissolved = Publication::mutation("CHE-600.000.012", "Zwei AG");
    let officer = "Muster, Eva, von Chur, in Bern, Mitglied, mit Einzelunterschrift";
    let founded = Publication::mutation("CHE-600.000.029", "Drei AG");
    service.pass_seconds(60);
    let later = [dissolved.persons_entered(officer), founded.persons_entered(officer)];
    service.ingest_publications(later).await;

    let answer = service.get_as(&key, PATH).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    let snapshots = answer.body.as_array().expect("a list");
    assert_eq!(snapshots.len(), 3, "{answer:?}");
    let sequence = |it: &Value| it["asOfSequence"].as_u64().expect("a number");
    let (newer, older) = (&snapshots[0], &snapshots[1]);
    assert!(sequence(newer) > sequence(older) && sequence(older) > sequence(&snapshots[2]));
    let current = service.generations.current().await.expect("one");
    assert_eq!(newer["id"], current.manifest.id);

    let (mut state, expected) = (records(&service, older).await, records(&service, newer).await);
    assert_ne!(state, expected);
    let cursor = older["feedCursor"].as_str().expect("a cursor");
    let feed = format!("/v1/changes/feed?cursor={cursor}&limit=100");
    let feed = service.get_as(&key, &feed).await;
    let changes = feed.body["items"].as_array().unwrap_or_else(|| panic!("{feed:?}"));
    assert!(!changes.is_empty());
    for change in changes {
        let uid = change["companyUid"].as_str().unwrap_or_else(|| panic!("{change}"));
        let record = service.get_as(&key, &format!("/v1/companies/{uid}")).await.body;
        state.insert(uid.to_owned(), record);
    }
    assert_eq!(state, expected);
}

#[tokio::test]
async fn only_enterprise_teams_get_snapshots() {
    let service = Service::start().await;
    let key = service.key(Tier::Professional).await;
    assert_eq!(service.get_as(&key, PATH).await.status, StatusCode::FORBIDDEN);
}
