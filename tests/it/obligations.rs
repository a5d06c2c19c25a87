//! The catalogue of legal obligations.

use access::Tier;
use http::StatusCode;
use serde_json::{Value, json};
use tests::Service;

const LIST: &str = "/v1/methodology/obligations";

async fn get(service: &Service, key: &str, path: &str) -> Value {
    let answer = service.get_as(key, path).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.body
}

fn entry<'a>(list: &'a Value, id: &str) -> &'a Value {
    let list = list.as_array().expect("a list");
    list.iter().find(|it| it["id"] == id).unwrap_or_else(|| panic!("no {id}"))
}

#[tokio::test]
async fn list_has_the_state_of_each_provision_on_a_day() {
    let service = Service::start().await;
    let key = service.key(Tier::Professional).await;
    let today = get(&service, &key, LIST).await;
    let past = get(&service, &key, &format!("{LIST}?asOf=2024-06-30")).await;
    assert_eq!(today.as_array().map(Vec::len), past.as_array().map(Vec::len));
    for (id, then, now) in [
        ("co-697j", "active", "repealed"),
        ("leta-9", "not_yet_in_force", "active"),
        ("co-727", "active", "active"),
    ] {
        assert_eq!(
            (&entry(&past, id)["status"], &entry(&today, id)["status"]),
            (&json!(then), &json!(now))
        );
    }
    assert_eq!(entry(&today, "leta-9")["verified"], false);
    assert_eq!(entry(&today, "co-727")["verified"], true);
    assert_eq!(entry(&today, "fatf-24")["jurisdiction"], "INTL");
}

#[tokio::test]
async fn detail_has_the_version_of_the_day_with_controls_and_evidence() {
    let service = Service::start().await;
    let key = service.key(Tier::Professional).await;
    let path = format!("{LIST}/co-727a");
    let today = get(&service, &key, &path).await;
    let past = get(&service, &key, &format!("{path}?asOf=2024-06-30")).await;
    assert_eq!((&today["regulationId"], &today["article"]), (&json!("CO"), &json!("Art. 727a")));
    assert!(today["fullText"].as_str().is_some_and(|it| it.contains("future financial years")));
    assert!(past["fullText"].as_str().is_some_and(|it| !it.contains("future financial years")));
    assert_eq!(today["versions"].as_array().map(Vec::len), Some(2));
    assert_eq!(today["versions"][1]["since"], "2025-01-01");
    let control = &today["controls"][0];
    assert!(
        control["objective"].is_string() && control["evidence"][0]["name"].is_string(),
        "{control}"
    );
    assert_eq!(today["applications"][0]["rule"], "limited_audit");
}

#[tokio::test]
async fn every_listed_provision_can_be_read() {
    let service = Service::start().await;
    let key = service.key(Tier::Professional).await;
    let list = get(&service, &key, LIST).await;
    for it in list.as_array().expect("a list") {
        let id = it["id"].as_str().expect("an id");
        let detail = get(&service, &key, &format!("{LIST}/{id}")).await;
        for (name, value) in it.as_object().expect("an object") {
            assert_eq!(&detail[name], value, "{id} {name}");
        }
    }
}

#[tokio::test]
async fn unknown_ids_future_days_and_lower_tiers_are_refused() {
    let service = Service::start().await;
    let key = service.key(Tier::Professional).await;
    let unknown = service.get_as(&key, &format!("{LIST}/co-999")).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    assert_eq!(unknown.body["detail"], "no obligation has the id `co-999`");
    for path in [LIST.to_owned(), format!("{LIST}/co-727")] {
        for bad in ["asOf=2027-01-01", "asOf=yesterday", "asof=2024-01-01"] {
            let answer = service.get_as(&key, &format!("{path}?{bad}")).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{bad} {answer:?}");
        }
        let starter = service.key(Tier::Starter).await;
        assert_eq!(service.get_as(&starter, &path).await.status, StatusCode::FORBIDDEN);
    }
}
