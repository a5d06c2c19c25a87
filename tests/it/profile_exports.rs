//! Exports of the profiles of chosen companies.

use access::Tier;
use domain::Uid;
use http::StatusCode;
use indexer::{About, Builder};
use jiff::Timestamp;
use jobs::ExportJob;
use publications::Publication;
use serde_json::{Value, json};
use tests::{Service, company, read_publications, workers_by_hand::waiting};

use super::exports::{PATH, PROFILES, id, job, numbered, service};

const OFFICER: &str = "Muster, Eva, von Chur, in Bern, Mitglied, mit Einzelunterschrift";

fn entered(uid: Uid) -> Publication {
    Publication::mutation(&uid.to_string(), "Muster 1 AG").persons_entered(OFFICER)
}

/// The lines of an export that is complete.
async fn lines(service: &Service, key: &str, id: &str) -> Vec<Value> {
    let text = service.get_as(key, &format!("{PATH}/{id}/download")).await.text;
    text.lines().map(|it| serde_json::from_str(it).expect("JSON")).collect()
}

#[tokio::test]
async fn profiles_have_the_board_and_the_timeline_if_they_are_wanted() {
    let (service, key) = service().await;
    let (one, other) = (numbered(1).uid, numbered(3).uid);
    service.ingest_publications([entered(one)]).await;
    let profiles = async |body: Value| {
        let id = id(&service.post_as(&key, PROFILES, body).await);
        service.run_exports().await;
        lines(&service, &key, &id).await
    };
    let plain = profiles(json!({ "uids": [other, one, other] })).await;
    assert_eq!((plain.len(), &plain[0]["uid"], &plain[1]["uid"]), (2, &json!(one), &json!(other)));
    for absent in ["board", "boardAsOf", "timeline"] {
        assert!(plain[0].get(absent).is_none(), "{absent}");
    }
    let full = json!({ "uids": [one, other], "includeBoard": true, "includeTimeline": true });
    let full = profiles(full).await;
    assert_eq!(full[0]["board"][0]["lastName"], "Muster", "{full:?}");
    let as_of: Option<Timestamp> = full[0]["boardAsOf"].as_str().and_then(|it| it.parse().ok());
    let age = as_of.map(|it| service.now().duration_since(it).as_secs().abs());
    assert!(age.is_some_and(|it| it < 60), "{full:?}");
    assert_eq!(full[0]["timeline"].as_array().map(Vec::len), Some(1), "{full:?}");
    assert_eq!((&full[1]["board"], &full[1]["timeline"]), (&json!([]), &json!([])));
    assert_eq!(full[1]["name"], numbered(3).name);
}

#[tokio::test]
async fn board_and_timeline_are_those_of_the_generation() {
    let (service, key) = service().await;
    let (one, other) = (numbered(1).uid, numbered(3).uid);
    service.ingest_publications([entered(one)]).await;
    let body = json!({ "uids": [one, other], "includeBoard": true, "includeTimeline": true });
    let created = id(&service.post_as(&key, PROFILES, body).await);
    // Before the file is written: one change is published in the feed, the other one is not.
    service.ingest_publications([entered(other)]).await;
    let auditor = Publication::mutation(&one.to_string(), "Muster 1 AG");
    let auditor = auditor.persons_entered("Revisor AG, in Bern, Revisionsstelle");
    service.ingest(domain::Source::Shab, read_publications(&[auditor])).await;
    service.run_exports().await;
    let lines = lines(&service, &key, &created).await;
    let changes: Vec<_> = lines.iter().map(|it| it["timeline"].as_array().map(Vec::len)).collect();
    assert_eq!(changes, [Some(1), Some(0)], "{lines:?}");
    let boards: Vec<_> = lines.iter().map(|it| it["board"].as_array().map(Vec::len)).collect();
    assert_eq!(boards, [Some(1), Some(0)], "{lines:?}");
}

#[tokio::test]
async fn a_company_that_the_generation_lacks_is_refused_and_nothing_is_started() {
    let (service, key) = service().await;
    let (known, late) = (numbered(0).uid, company("CHE-900.000.004", "Später AG"));
    service.cloud.registry.put_companies(vec![late.clone()]).await.expect("stored");
    let body = json!({ "uids": [known, late.uid] });
    let refused = service.post_as(&key, PROFILES, body.clone()).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND, "{refused:?}");
    let detail = refused.detail();
    assert!(detail.contains("CHE-900.000.004") && !detail.contains(&known.to_string()), "{detail}");
    assert_eq!(waiting(&service.cloud.exports_queue, &ExportJob::Sweep).await, Vec::new());
    assert_eq!(service.get_as(&key, PATH).await.body, json!([]));
    service.publish().await;
    let created = id(&service.post_as(&key, PROFILES, body).await);
    service.run_exports().await;
    assert_eq!(lines(&service, &key, &created).await.len(), 2);
}

#[tokio::test]
async fn an_export_whose_company_is_in_no_kept_generation_fails_at_once_with_that_reason() {
    let (service, key) = service().await;
    let created = id(&service.post_as(&key, PROFILES, json!({ "uids": [numbered(0).uid] })).await);
    for number in 0..3 {
        let mut builder = Builder::new(jiff::civil::date(2026, 10, 30));
        let other = company(&format!("CHE-{}", 900_000_000 + number), "Andere AG");
        builder.push(&other, &domain::History::default()).expect("added");
        let about =
            About { built_at: service.now(), registry_version: 0, as_of_sequence: 0, left_out: 0 };
        let (objects, folder) = (&service.cloud.objects, service.downloads.path());
        builder.publish(objects, folder, about).await.expect("published");
    }
    let asked = job(&service, &key, &created).await["generation"].clone();
    service.delete_generation(asked.as_str().expect("an id")).await;
    service.run_exports().await;
    let ended = job(&service, &key, &created).await;
    assert_eq!(ended["status"], "failed", "{ended}");
    let reason = ended["errorMessage"].as_str().unwrap_or_default();
    assert!(reason.contains("has 0 of the 1 companies"), "{ended}");
}

#[tokio::test]
async fn the_companies_with_a_tag_are_those_of_the_time_of_the_request() {
    let (service, key) = service().await;
    let tag = async |number: u32| {
        let path = format!("/v1/companies/{}/tags", numbered(number).uid);
        let tagged = service.post_as(&key, &path, json!({ "tagName": "audit" })).await;
        assert_eq!(tagged.status, StatusCode::CREATED, "{tagged:?}");
    };
    tag(5).await;
    tag(2).await;
    let tagged = json!({ "filter": { "tag": "audit" }, "fields": ["uid"] });
    let created = id(&service.post_as(&key, PATH, tagged).await);
    tag(1).await;
    service.run_exports().await;
    let expected = [2, 5].map(|it| json!({ "uid": numbered(it).uid }));
    assert_eq!(lines(&service, &key, &created).await, expected);
    let professional = service.key(Tier::Professional).await;
    let refused = service.post_as(&professional, PROFILES, json!({ "uids": ["CHE-1"] })).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{refused:?}");
}
