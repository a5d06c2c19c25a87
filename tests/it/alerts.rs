//! Alerts: creation, list and deletion. `schedules.rs` tests their runs.

use access::Tier;
use serde_json::{Value, json};
use tests::Service;

const ALERTS: &str = "/v1/alerts";

fn alert() -> Value {
    json!({ "name": "Zürich", "queryParams": { "canton": "ZH", "capital_min": 100_000 } })
}

/// An alert with one member set.
fn with(member: &str, value: Value) -> Value {
    let mut alert = alert();
    alert[member] = value;
    alert
}

#[tokio::test]
async fn an_alert_is_created_listed_and_deleted() {
    let service = Service::start().await;
    let key = service.key(Tier::Starter).await;
    let created = service.post_as(&key, ALERTS, alert()).await;
    assert_eq!(created.status, 201, "{created:?}");
    for (member, value) in [
        ("name", json!("Zürich")),
        ("queryParams", alert()["queryParams"].clone()),
        ("frequency", json!("daily")),
        ("isActive", json!(true)),
        ("triggerCount", json!(0)),
        ("createdAt", json!("2026-11-20T12:30:00Z")),
        ("nextRunAt", json!("2026-11-21T12:30:00Z")),
    ] {
        assert_eq!(created.body[member], value, "{member}");
    }
    for member in ["webhookUrl", "savedSearchId", "lastTriggeredAt", "lastResultCount"] {
        assert!(created.body.get(member).is_none(), "{member}");
    }
    let search = json!({ "name": "All", "searchParams": {} });
    let search = service.post_as(&key, "/v1/saved-searches", search).await.body["id"].clone();
    let mut linked = with("savedSearchId", search.clone());
    linked["webhookUrl"] = json!("https://example.com/hook?team=1");
    linked["frequency"] = json!("Hourly");
    let linked = service.post_as(&key, ALERTS, linked).await;
    assert_eq!(linked.status, 201, "{linked:?}");
    assert_eq!(linked.body["savedSearchId"], search);
    assert_eq!(linked.body["webhookUrl"], "https://example.com/hook?team=1");
    assert_eq!(linked.body["nextRunAt"], "2026-11-20T13:30:00Z");
    let list = service.get_as(&key, ALERTS).await.body;
    let mut linked = linked.body;
    let secret = linked.as_object_mut().and_then(|it| it.remove("signingSecret"));
    assert!(secret.is_some_and(|it| it.to_string().contains("whsec_")));
    assert_eq!(list, json!([created.body, linked]));

    let path = format!("{ALERTS}/{}", created.body["id"].as_str().expect("an id"));
    assert_eq!(service.delete_as(&key, &path).await.status, 204);
    assert_eq!(service.delete_as(&key, &path).await.slug(), "not-found");
    assert_eq!(service.get_as(&key, ALERTS).await.body, json!([linked]));
}

#[tokio::test]
async fn an_invalid_alert_is_refused_and_names_the_member() {
    let service = Service::start().await;
    let key = service.key(Tier::Starter).await;
    let other = service.key(Tier::Starter).await;
    let search = json!({ "name": "All", "searchParams": {} });
    let search = service.post_as(&other, "/v1/saved-searches", search).await.body["id"].clone();
    for (body, member, detail) in [
        (
            with("queryParams", json!({ "cantn": "ZH" })),
            "queryParams.cantn",
            "did you mean `canton`?",
        ),
        (with("queryParams", json!({ "legalForm": "Xyz" })), "queryParams.legalForm", "got `Xyz`"),
        (
            with("frequency", json!("monthly")),
            "frequency",
            "must be one of `hourly`, `daily`, `weekly`; got `monthly`",
        ),
        (
            with("savedSearchId", search),
            "savedSearchId",
            "must be the id of a saved search of the team",
        ),
        (with("savedSearchId", json!("x")), "savedSearchId", "must be an id such as"),
        (with("name", json!("x".repeat(101))), "name", "must have 1 to 100 characters"),
        (json!({ "name": "x" }), "queryParams", "is required, but missing"),
    ] {
        let answer = service.post_as(&key, ALERTS, body.clone()).await;
        let error = &answer.body["errors"][0];
        assert_eq!((answer.status.as_u16(), &error["member"]), (400, &json!(member)), "{body}");
        assert!(error["detail"].as_str().is_some_and(|it| it.contains(detail)), "{error}");
    }
    for address in [
        "http://example.com/hook",
        "https://user@example.com/",
        "https://:secret@example.com/",
        "https://example.com/#part",
        "https://",
        "example.com",
        "javascript:alert(1)",
        "",
        &format!("https://example.com/{}", "x".repeat(2_048)),
    ] {
        let answer = service.post_as(&key, ALERTS, with("webhookUrl", json!(address))).await;
        let error = &answer.body["errors"][0];
        assert_eq!(
            (answer.status.as_u16(), &error["member"]),
            (400, &json!("webhookUrl")),
            "{address}"
        );
        assert!(
            error["detail"].as_str().is_some_and(|it| it.contains("must be an https URL")),
            "{error}"
        );
    }
    assert_eq!(service.get_as(&key, ALERTS).await.body, json!([]));
}

#[tokio::test]
async fn the_tier_limits_the_number_of_alerts() {
    let service = Service::start().await;
    for (tier, max) in [(Tier::Free, 20), (Tier::Starter, 50)] {
        let key = service.key(tier).await;
        for _ in 0..max {
            assert_eq!(service.post_as(&key, ALERTS, alert()).await.status, 201);
        }
        let refused = service.post_as(&key, ALERTS, alert()).await;
        assert_eq!((refused.status.as_u16(), refused.slug()), (409, "conflict"));
        assert!(refused.detail().contains(&max.to_string()), "{}", refused.text);
        assert_eq!(service.get_as(&key, ALERTS).await.body.as_array().map(Vec::len), Some(max));
    }
}
