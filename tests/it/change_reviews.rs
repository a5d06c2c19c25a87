//! Change reviews: a team marks a change as reviewed.

use access::Tier;
use serde_json::{Value, json};
use tests::Service;

use crate::{
    change_feed::follow,
    two_companies::{self, ingest},
};

#[tokio::test]
async fn a_change_newer_than_the_generation_is_found_and_can_be_reviewed() {
    let service = Service::start().await;
    let publications = two_companies::publications();
    service.ingest_publications(publications[..3].to_vec()).await;
    let cloud = &service.cloud;
    ingest(&cloud.registry, cloud, &publications[3..]).await.expect("ingested");
    let newest = follow(&service, "", 100, None).await.pop().expect("a change");
    let id = newest["id"].as_str().expect("an id");
    assert_eq!(service.get(&format!("/v1/changes/{id}")).await.body[0], newest);
    let key = service.key(Tier::Starter).await;
    let request = http::Request::put(format!("/v1/changes/{id}/review"));
    let answer = service.send(tests::bearing(&key, request)).await;
    assert_eq!(answer.status.as_u16(), 204, "{}", answer.text);
}

#[tokio::test]
async fn a_review_is_visible_to_its_own_team_only() {
    let service = Service::start().await;
    service.ingest_publications(two_companies::publications()).await;
    let key = service.key(Tier::Starter).await;
    let list = service.get("/v1/changes").await;
    let id = list.body["items"][0]["id"].as_str().expect("an id");
    for _ in 0..2 {
        let request = http::Request::put(format!("/v1/changes/{id}/review"));
        let answer = service.send(tests::bearing(&key, request)).await;
        assert_eq!((answer.status.as_u16(), answer.text.as_str()), (204, ""));
    }
    let unknown = http::Request::put("/v1/changes/00000000-0000-4000-8000-000000000000/review");
    let answer = service.send(tests::bearing(&key, unknown)).await;
    assert_eq!((answer.status.as_u16(), answer.slug()), (404, "not-found"));

    let company = list.body["items"][0]["companyUid"].as_str().expect("a company");
    let other = service.key(Tier::Starter).await;
    for path in
        ["/v1/changes".to_owned(), format!("/v1/changes/{company}"), format!("/v1/changes/{id}")]
    {
        let reviewed = async |key: &str| {
            let answer = service.send(tests::bearing(key, http::Request::get(&path))).await;
            let changes = answer.body.get("items").unwrap_or(&answer.body).clone();
            let changes: Vec<Value> = serde_json::from_value(changes).expect("changes");
            let reviewed = changes.into_iter().filter(|it| it.get("reviewedAt").is_some());
            reviewed.map(|it| it["id"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(reviewed(&key).await, [json!(id)], "{path}");
        assert_eq!(reviewed(&other).await, [] as [Value; 0], "{path}");
        assert!(!service.get(&path).await.text.contains("reviewedAt"), "{path}");
    }
}
