//! What a screening says about lists of which records cannot be read.

use access::Tier;
use bytes::Bytes;
use domain::lists::Minimum;
use http::StatusCode;
use screening_updates::import;
use serde_json::{Value, json};
use sources::lists::ListFormat;
use tests::{Answer, Service};

use crate::list_updates::with_targets;

const MINIMUM: Minimum = Minimum { entries: 1, active: 1 };

async fn publish(service: &Service, format: ListFormat, text: &str) {
    let bytes = Bytes::from(text.to_owned());
    let objects = &service.cloud.objects;
    import(objects, format, bytes, Some(MINIMUM), service.now()).await.expect("published");
}

async fn screen(service: &Service, key: &str, name: &str) -> Answer {
    let answer = service.post_as(key, "/v1/screening", json!({ "name": name })).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer
}

/// What `GET /v1/sources/freshness` says about a list.
async fn freshness(service: &Service, key: &str, list: &str) -> Value {
    let answer = service.get_as(key, "/v1/sources/freshness").await;
    let lists = answer.body["screeningLists"].as_array().expect("lists").clone();
    lists.into_iter().find(|it| it["list"] == list).unwrap_or_else(|| panic!("{answer:?}"))
}

#[tokio::test]
async fn a_listed_person_is_found_although_a_member_of_the_entry_cannot_be_read() {
    for (at, damaged) in ["1974-02-6", "1974-01-32", "spring"].into_iter().enumerate() {
        let service = Service::start().await;
        let key = service.key(Tier::Free).await;
        let entity = json!({
            "id": format!("NK-damaged{at}"), "schema": "Person", "target": true,
            "properties": { "name": ["Aurelio Zapletal"], "birthDate": [damaged], "topics": ["sanction"] },
        });
        publish(&service, ListFormat::FollowTheMoney, &format!("{entity}\n")).await;
        let answer = screen(&service, &key, "Aurelio Zapletal").await;
        let hit = &answer.body["hits"][0];
        assert_eq!(hit["id"], format!("opensanctions:NK-damaged{at}"), "{answer:?}");
        assert_eq!(hit["details"]["unreadable"], json!(["birthDate"]));
        assert_eq!(answer.body["riskLevel"], "high");
        // Its name was searched.
        assert_eq!(answer.body["sourcesChecked"], json!(["opensanctions"]));
        assert_eq!(answer.body["sourcesNotFullySearched"], json!([]));
        let list = freshness(&service, &key, "opensanctions").await;
        assert_eq!((&list["incomplete"], &list["unsearched"]), (&json!(1), &json!(0)));
    }
}

#[tokio::test]
async fn a_source_with_an_entry_without_a_readable_name_is_not_fully_searched() {
    let service = Service::start().await;
    let key = service.key(Tier::Free).await;
    let named = with_targets(&[(70_001, "individual", "Aurelio Zapletal")]);
    let nameless = named.replace("<value>Aurelio Zapletal</value>", "<value>\u{fffd}</value>");
    assert_ne!(named, nameless);
    // Its entry is in no earlier version.
    publish(&service, ListFormat::Seco, &nameless).await;
    let answer = screen(&service, &key, "Aurelio Zapletal").await;
    assert_eq!(answer.body["riskLevel"], "clear");
    assert_eq!(answer.body["sourcesChecked"], json!([]));
    assert_eq!(answer.body["sourcesNotFullySearched"], json!(["seco"]));
    assert_eq!(answer.body["lists"][0]["unsearched"], 1);
    let body = json!({ "uids": ["CHE-101.049.653"] });
    let batch = service.post_as(&key, "/v1/screening/batch", body).await;
    assert_eq!(batch.body["results"][0]["sourcesNotFullySearched"], json!(["seco"]), "{batch:?}");
    let list = freshness(&service, &key, "seco").await;
    assert_eq!((&list["kept"], &list["unsearched"]), (&json!(0), &json!(1)));
    // The stored evidence says the same.
    let id = answer.body["id"].as_str().expect("an id");
    let evidence = service.get_as(&key, &format!("/v1/screenings/{id}")).await;
    assert_eq!(evidence.body["sourcesNotFullySearched"], json!(["seco"]));
    // An entry of an earlier version is still searched.
    publish(&service, ListFormat::Seco, &named).await;
    publish(&service, ListFormat::Seco, &nameless).await;
    // The first process may have the earlier version open.
    let answer = screen(&service.second_process(), &key, "Aurelio Zapletal").await;
    assert_eq!(answer.body["hits"][0]["id"], "seco:70001", "{answer:?}");
    assert_eq!(answer.body["sourcesChecked"], json!(["seco"]));
    let list = freshness(&service, &key, "seco").await;
    assert_eq!((&list["kept"], &list["unsearched"]), (&json!(1), &json!(0)));
}
