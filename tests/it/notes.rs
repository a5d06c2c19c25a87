//! Notes of a team about a company.

use access::{Environment, Scope, Tier};
use serde_json::json;
use tests::{Answer, Service, company};

const COMPANY: &str = "CHE-107.787.577";
const NOTES: &str = "/v1/companies/CHE-107.787.577/notes";

async fn service() -> Service {
    Service::with([company(COMPANY, "Muster AG"), company("CHE-600.000.001", "Zweite AG")]).await
}

fn contents(answer: &Answer) -> Vec<&str> {
    let notes = answer.body.as_array().expect("a list");
    notes.iter().filter_map(|it| it["content"].as_str()).collect()
}

#[tokio::test]
async fn a_note_is_created_listed_changed_and_deleted() {
    let service = service().await;
    let key = service.key(Tier::Free).await;
    let first = service.post_as(&key, NOTES, json!({ "content": " First.\nSecond line. " })).await;
    assert_eq!(first.status, 201, "{first:?}");
    assert_eq!(first.body["content"], "First.\nSecond line.");
    assert_eq!(
        (&first.body["noteType"], &first.body["isPrivate"], &first.body["companyUid"]),
        (&json!("note"), &json!(false), &json!(COMPANY))
    );
    assert_eq!(first.body["createdBy"]["type"], "api_key");
    service.pass_seconds(60);
    let second = json!({ "content": "Second", "noteType": "Rating", "rating": 4 });
    let second = service.post_as(&key, NOTES, second).await;
    assert_eq!(contents(&service.get_as(&key, NOTES).await), ["Second", "First.\nSecond line."]);

    let path = format!("{NOTES}/{}", second.body["id"].as_str().expect("an id"));
    let changed =
        service.put_as(&key, &path, json!({ "content": "Changed", "rating": null })).await;
    assert_eq!(changed.body["content"], "Changed");
    assert_eq!(changed.body["noteType"], "rating");
    assert!(changed.body.get("rating").is_none(), "{changed:?}");
    assert_eq!(changed.body["createdAt"], second.body["createdAt"]);

    assert_eq!(service.delete_as(&key, &path).await.status, 204);
    assert_eq!(service.delete_as(&key, &path).await.status, 404);
    assert_eq!(service.put_as(&key, &path, json!({})).await.status, 404);
    assert_eq!(contents(&service.get_as(&key, NOTES).await), ["First.\nSecond line."]);
    let other = service.get_as(&key, "/v1/companies/CHE-600.000.001/notes").await;
    assert_eq!(other.body, json!([]));
}

#[tokio::test]
async fn a_private_note_exists_for_its_author_only() {
    let service = service().await;
    let team = service.team(Tier::Starter).await;
    let scopes = [Scope::Read, Scope::Write];
    let author = service.key_of(&team, Environment::Live, &scopes).await;
    let colleague = service.key_of(&team, Environment::Live, &scopes).await;
    let private = json!({ "content": "Mine", "isPrivate": true });
    let private = service.post_as(&author, NOTES, private).await;
    let shared = service.post_as(&author, NOTES, json!({ "content": "Ours" })).await;
    let at = |note: &Answer| format!("{NOTES}/{}", note.body["id"].as_str().expect("an id"));

    assert_eq!(contents(&service.get_as(&author, NOTES).await), ["Ours", "Mine"]);
    assert_eq!(contents(&service.get_as(&colleague, NOTES).await), ["Ours"]);
    let refused = service.put_as(&colleague, &at(&private), json!({ "content": "Read" })).await;
    assert_eq!(refused.status, 404);
    assert_eq!(service.delete_as(&colleague, &at(&private)).await.status, 404);

    let edited = service.put_as(&colleague, &at(&shared), json!({ "content": "Edited" })).await;
    assert_eq!(edited.body["content"], "Edited");
    let hidden = service.put_as(&colleague, &at(&shared), json!({ "isPrivate": true })).await;
    assert_eq!((hidden.status.as_u16(), hidden.slug()), (403, "forbidden"));
    assert_eq!(contents(&service.get_as(&author, NOTES).await), ["Edited", "Mine"]);
}

#[tokio::test]
async fn an_invalid_note_is_refused_and_names_the_member() {
    let service = service().await;
    let key = service.key(Tier::Starter).await;
    for (body, member) in [
        (json!({}), "content"),
        (json!({ "content": " " }), "content"),
        (json!({ "content": "x".repeat(5_001) }), "content"),
        (json!({ "content": "x", "rating": 6 }), "rating"),
        (json!({ "content": "x", "rating": 0 }), "rating"),
        (json!({ "content": "x", "noteType": "memo" }), "noteType"),
        (json!({ "content": "x", "colour": "red" }), "colour"),
    ] {
        let answer = service.post_as(&key, NOTES, body.clone()).await;
        assert_eq!((answer.status.as_u16(), answer.slug()), (400, "bad-request"), "{body}");
        assert_eq!(answer.body["errors"][0]["member"], member, "{answer:?}");
    }
    let unknown =
        service.post_as(&key, "/v1/companies/CHE-999.999.996/notes", json!({ "content": "x" }));
    assert_eq!(unknown.await.status, 404);
    assert_eq!(contents(&service.get_as(&key, NOTES).await), [] as [&str; 0]);
}

#[tokio::test]
async fn a_team_has_at_most_200_notes_about_a_company_at_any_concurrency() {
    let service = service().await;
    let key = service.key(Tier::Enterprise).await;
    let create = || service.post_as(&key, NOTES, json!({ "content": "x" }));
    let mut answers = Vec::new();
    for _ in 0..26 {
        answers.extend(futures_util::future::join_all((0..8).map(|_| create())).await);
    }
    let created = answers.iter().filter(|it| it.status == 201).count();
    assert_eq!(created, 200);
    assert!(answers.iter().all(|it| matches!(it.status.as_u16(), 201 | 409)), "{answers:?}");
    let notes = service.get_as(&key, NOTES).await;
    assert_eq!(contents(&notes).len(), 200);
    let path = format!("{NOTES}/{}", notes.body[0]["id"].as_str().expect("an id"));
    assert_eq!(service.delete_as(&key, &path).await.status, 204);
    assert_eq!(create().await.status, 201);
    assert_eq!(create().await.status, 409);
    let other = json!({ "content": "x" });
    let other = service.post_as(&key, "/v1/companies/CHE-600.000.001/notes", other).await;
    assert_eq!(other.status, 201);
}
