//! Tags of a team on companies, and the filter by tag.

use access::{Environment, Scope, Tier};
use serde_json::{Value, json};
use tests::{Service, company};

const FIRST: &str = "CHE-107.787.577";
const SECOND: &str = "CHE-600.000.001";

async fn service() -> Service {
    Service::with([company(FIRST, "Muster AG"), company(SECOND, "Zweite AG")]).await
}

async fn tag(service: &Service, key: &str, company: &str, name: &str) -> tests::Answer {
    service.post_as(key, &format!("/v1/companies/{company}/tags"), json!({ "tagName": name })).await
}

#[tokio::test]
async fn a_company_is_tagged_once_and_the_tag_can_be_removed() {
    let service = service().await;
    let key = service.key(Tier::Free).await;
    let path = format!("/v1/companies/{FIRST}/tags");
    let created = tag(&service, &key, FIRST, " Zürich ").await;
    assert_eq!((created.status.as_u16(), &created.body["tagName"]), (201, &json!("Zürich")));
    assert!(created.body.get("color").is_none());
    let again = json!({ "tagName": "ZUERICH", "color": "#0af" });
    let again = service.post_as(&key, &path, again).await;
    assert_eq!((again.status.as_u16(), &again.body["id"]), (200, &created.body["id"]));
    assert_eq!((&again.body["tagName"], &again.body["color"]), (&json!("Zürich"), &json!("#0af")));
    let tags = service.get_as(&key, &path).await.body;
    assert_eq!(tags, json!([again.body]));

    let one = format!("{path}/{}", created.body["id"].as_str().expect("an id"));
    assert_eq!(service.delete_as(&key, &one).await.status, 204);
    assert_eq!(service.delete_as(&key, &one).await.status, 404);
    assert_eq!(service.get_as(&key, "/v1/tags").await.body, json!([]));
    assert_eq!(tag(&service, &key, FIRST, "zurich").await.status, 201);
}

#[tokio::test]
async fn the_tags_of_a_team_are_counted() {
    let service = service().await;
    let key = service.key(Tier::Starter).await;
    for (company, name) in [(FIRST, "vip"), (FIRST, "Audit"), (SECOND, "AUDIT")] {
        assert_eq!(tag(&service, &key, company, name).await.status, 201);
    }
    let tags = service.get_as(&key, "/v1/tags").await.body;
    let expected = json!([{ "tagName": "Audit", "count": 2 }, { "tagName": "vip", "count": 1 }]);
    assert_eq!(tags, expected);
}

#[tokio::test]
async fn companies_are_filtered_by_the_tags_of_the_callers_team_and_environment() {
    let service = service().await;
    let team = service.team(Tier::Starter).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let sandbox = service.key_of(&team, Environment::Test, &Scope::ALL).await;
    let other = service.key(Tier::Starter).await;
    tag(&service, &key, FIRST, "High risk").await;
    tag(&service, &key, SECOND, "Audit").await;
    tag(&service, &other, SECOND, "High risk").await;
    let list = async |key: &str, query: &str| {
        let answer = service.get_as(key, &format!("/v1/companies?{query}")).await;
        let names: Vec<String> = answer.names().into_iter().map(str::to_owned).collect();
        (answer.body["total"].clone(), names)
    };
    let expect = |total: u32, names: &[&str]| {
        (Value::from(total), names.iter().map(|it| (*it).to_owned()).collect())
    };
    assert_eq!(list(&key, "tag=high-RISK").await, expect(1, &["Muster AG"]));
    assert_eq!(list(&other, "tag=High+risk").await, expect(1, &["Zweite AG"]));
    assert_eq!(
        list(&key, "tag=high+risk,audit&sortBy=name").await,
        expect(2, &["Muster AG", "Zweite AG"])
    );
    assert_eq!(
        list(&key, "tag=high+risk&tag=audit&search=zweite").await,
        expect(1, &["Zweite AG"])
    );
    assert_eq!(list(&key, "tag=unknown").await, expect(0, &[]));
    assert_eq!(list(&sandbox, "tag=audit").await, expect(0, &[]));
    assert_eq!(list(&key, "tag=audit&boardMemberSearch=Muster").await, expect(0, &[]));
    let anonymous = service.get("/v1/companies?tag=audit").await;
    assert_eq!((anonymous.status.as_u16(), anonymous.slug()), (401, "unauthorized"));
}

#[tokio::test]
async fn an_invalid_tag_is_refused_and_names_the_member() {
    let service = service().await;
    let key = service.key(Tier::Starter).await;
    let path = format!("/v1/companies/{FIRST}/tags");
    for (body, member) in [
        (json!({}), "tagName"),
        (json!({ "tagName": "!?" }), "tagName"),
        (json!({ "tagName": "x".repeat(51) }), "tagName"),
        (json!({ "tagName": "x", "color": "red" }), "color"),
    ] {
        let answer = service.post_as(&key, &path, body).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.body["errors"][0]["member"]),
            (400, &json!(member))
        );
    }
    assert_eq!(tag(&service, &key, "CHE-999.999.996", "x").await.status, 404);
}

#[tokio::test]
async fn a_company_has_at_most_50_tags() {
    let service = service().await;
    let key = service.key(Tier::Starter).await;
    for number in 0..50 {
        assert_eq!(tag(&service, &key, FIRST, &format!("tag {number}")).await.status, 201);
    }
    let refused = tag(&service, &key, FIRST, "one more").await;
    assert_eq!((refused.status.as_u16(), refused.slug()), (409, "conflict"));
    assert_eq!(tag(&service, &key, FIRST, "tag 7").await.status, 200);
    assert_eq!(tag(&service, &key, SECOND, "one more").await.status, 201);
}
