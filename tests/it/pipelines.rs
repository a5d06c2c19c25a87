//! Pipelines of prospects.

use access::Tier;
use serde_json::json;
use tests::{Answer, Service, company};

const FIRST: &str = "CHE-107.787.577";
const SECOND: &str = "CHE-600.000.001";

async fn service() -> Service {
    let mut first = company(FIRST, "Muster AG");
    first.canton = "ZH".parse().ok();
    Service::with([first, company(SECOND, "Zweite AG")]).await
}

fn id(answer: &Answer) -> &str {
    answer.body["id"].as_str().unwrap_or_else(|| panic!("no id: {answer:?}"))
}

#[tokio::test]
async fn a_company_moves_through_the_stages_of_a_pipeline() {
    let service = service().await;
    let key = service.key(Tier::Starter).await;
    let created = service.post_as(&key, "/v1/pipelines", json!({ "name": "Clients" })).await;
    assert_eq!(created.status, 201, "{created:?}");
    assert_eq!(created.body["stages"][0], "Lead");
    assert_eq!(created.body["createdAt"], service.now().as_second());
    let path = format!("/v1/pipelines/{}", id(&created));
    let entries = format!("{path}/entries");

    let first = service.post_as(&key, &entries, json!({ "companyUid": FIRST })).await;
    assert_eq!(first.status, 201, "{first:?}");
    for (member, value) in [
        ("companyName", json!("Muster AG")),
        ("canton", json!("ZH")),
        ("stage", json!("Lead")),
        ("tier", json!(3)),
    ] {
        assert_eq!(first.body[member], value, "{member}");
    }
    let again = service.post_as(&key, &entries, json!({ "companyUid": FIRST })).await;
    assert_eq!((again.status.as_u16(), again.slug()), (409, "conflict"));
    assert_eq!(again.detail(), format!("the pipeline contains the company {FIRST} already"));
    let second = json!({ "companyUid": SECOND, "stage": "Qualified", "tier": 1 });
    let second = service.post_as(&key, &entries, second).await;
    assert!(second.body.get("canton").is_none(), "{second:?}");

    let change = json!({ "stage": "Won", "notes": "Signed." });
    let moved = service.put_as(&key, &format!("{entries}/{}", id(&first)), change).await;
    assert_eq!((&moved.body["stage"], &moved.body["notes"]), (&json!("Won"), &json!("Signed.")));
    assert_eq!(moved.body["tier"], 3);

    let stats = service.get_as(&key, &format!("{path}/stats")).await.body;
    assert_eq!(
        stats["byStage"],
        json!({ "Lead": 0, "Contacted": 0, "Qualified": 1, "Proposal": 0, "Won": 1, "Lost": 0 })
    );
    assert_eq!((&stats["byTier"], &stats["total"]), (&json!({ "1": 1, "3": 1 }), &json!(2)));

    let whole = service.get_as(&key, &path).await.body;
    assert_eq!((&whole["totalEntries"], &whole["entries"][0]), (&json!(2), &moved.body));
    assert_eq!(service.delete_as(&key, &format!("{entries}/{}", id(&first))).await.status, 204);
    assert_eq!(service.get_as(&key, &path).await.body["totalEntries"], 1);
    assert_eq!(service.post_as(&key, &entries, json!({ "companyUid": FIRST })).await.status, 201);
}

#[tokio::test]
async fn a_stage_with_entries_cannot_be_removed() {
    let service = service().await;
    let key = service.key(Tier::Starter).await;
    let stages = json!({ "name": "Two", "stages": ["A", "B"] });
    let path =
        format!("/v1/pipelines/{}", id(&service.post_as(&key, "/v1/pipelines", stages).await));
    let entry = json!({ "companyUid": FIRST, "stage": "B" });
    service.post_as(&key, &format!("{path}/entries"), entry).await;
    let refused = service.put_as(&key, &path, json!({ "stages": ["A", "C"] })).await;
    assert_eq!((refused.status.as_u16(), refused.slug()), (409, "conflict"));
    assert!(refused.detail().contains("`B`"), "{refused:?}");
    let changed =
        service.put_as(&key, &path, json!({ "name": "Three", "stages": ["B", "C"] })).await;
    assert_eq!(
        (&changed.body["name"], &changed.body["stages"]),
        (&json!("Three"), &json!(["B", "C"]))
    );
}

#[tokio::test]
async fn a_deleted_pipeline_leaves_nothing_that_can_be_reached() {
    let service = service().await;
    let key = service.key(Tier::Starter).await;
    let created = service.post_as(&key, "/v1/pipelines", json!({ "name": "Gone" })).await;
    let path = format!("/v1/pipelines/{}", id(&created));
    let entry =
        service.post_as(&key, &format!("{path}/entries"), json!({ "companyUid": FIRST })).await;
    let entry = format!("{path}/entries/{}", id(&entry));
    assert_eq!(service.delete_as(&key, &path).await.status, 204);
    assert_eq!(service.get_as(&key, "/v1/pipelines").await.body, json!([]));
    for status in [
        service.delete_as(&key, &path).await.status,
        service.get_as(&key, &path).await.status,
        service.get_as(&key, &format!("{path}/stats")).await.status,
        service.put_as(&key, &entry, json!({})).await.status,
        service.delete_as(&key, &entry).await.status,
    ] {
        assert_eq!(status, 404);
    }
}

#[tokio::test]
async fn invalid_pipelines_and_entries_are_refused_and_name_the_member() {
    let service = service().await;
    let key = service.key(Tier::Starter).await;
    let created = service.post_as(&key, "/v1/pipelines", json!({ "name": "Clients" })).await;
    let entries = format!("/v1/pipelines/{}/entries", id(&created));
    let many: Vec<String> = (0..21).map(|it| it.to_string()).collect();
    for (path, body, member) in [
        ("/v1/pipelines", json!({}), "name"),
        ("/v1/pipelines", json!({ "name": "x", "stages": [] }), "stages"),
        ("/v1/pipelines", json!({ "name": "x", "stages": many }), "stages"),
        ("/v1/pipelines", json!({ "name": "x", "stages": ["Lead", "lead"] }), "stages"),
        (&entries, json!({}), "companyUid"),
        (&entries, json!({ "companyUid": "CHE-999.999.996" }), "companyUid"),
        (&entries, json!({ "companyUid": FIRST, "stage": "Nowhere" }), "stage"),
        (&entries, json!({ "companyUid": FIRST, "tier": 0 }), "tier"),
        (&entries, json!({ "companyUid": FIRST, "assignedToUserId": "me" }), "assignedToUserId"),
    ] {
        let answer = service.post_as(&key, path, body.clone()).await;
        assert_eq!((answer.status.as_u16(), answer.slug()), (400, "bad-request"), "{body}");
        assert_eq!(answer.body["errors"][0]["member"], member, "{answer:?}");
    }
}
