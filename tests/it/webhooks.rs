//! Webhooks: creating, changing and deleting them, and their keys.

use access::{Environment, Role, Scope, Tier};
use auth::{SignatureScheme, TeamId, WebhookSecret};
use serde_json::{Value, json};
use tests::{Answer, Service, bearing};

const COMPANY: &str = "CHE-107.787.577";
const URL: &str = "https://hooks.example/gotthard";

/// Creates a webhook. Returns the answer.
async fn create(service: &Service, key: &str, body: Value) -> Answer {
    let created = service.post_as(key, "/v1/webhooks", body).await;
    assert_eq!(created.status, 201, "{created:?}");
    created
}

fn path(created: &Answer) -> String {
    format!("/v1/webhooks/{}", created.body["webhook"]["id"].as_str().expect("an id"))
}

#[tokio::test]
async fn webhooks_are_created_listed_changed_and_deleted() {
    let service = Service::start().await;
    let key = service.key(Tier::Free).await;
    let created = create(
        &service,
        &key,
        json!({
            "url": URL, "description": " Suppliers ", "eventFilters": ["AuditorChange", "auditor_change", "Company.Changed"],
            "companyFilters": ["CHE107787577", COMPANY], "minimumSeverity": "high",
        }),
    )
    .await;
    let webhook = &created.body["webhook"];
    for (member, value) in [
        ("url", json!(URL)),
        ("description", json!("Suppliers")),
        ("eventFilters", json!(["auditor_change", "company.changed"])),
        ("companyFilters", json!([COMPANY])),
        ("watchlistFilters", json!([])),
        ("watchedOnly", json!(false)),
        ("minimumSeverity", json!("high")),
        ("status", json!("active")),
        ("createdAt", json!("2026-11-20T12:30:00Z")),
        ("updatedAt", json!("2026-11-20T12:30:00Z")),
    ] {
        assert_eq!(webhook[member], value, "{member}");
    }
    let secret = created.body["signingSecret"].as_str().expect("a secret");
    assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
    assert_eq!(created.header("cache-control"), Some("no-store"));

    service.pass_seconds(60);
    let path = path(&created);
    // Both spellings, as the published clients send them.
    let changed = service
        .put_as(
            &key,
            &path,
            json!({ "status": "paused", "event_filters": [], "company_filters": [] }),
        )
        .await;
    assert_eq!(changed.status, 200, "{changed:?}");
    assert_eq!(changed.body["status"], "paused");
    assert_eq!((&changed.body["eventFilters"], &changed.body["url"]), (&json!([]), &json!(URL)));
    assert_eq!(changed.body["updatedAt"], "2026-11-20T12:31:00Z");
    assert_eq!(service.get_as(&key, &path).await.body, changed.body);
    let listed = service.get_as(&key, "/v1/webhooks").await;
    assert_eq!(listed.body, json!([changed.body]));
    assert!(!listed.text.contains(secret), "the secret is not shown again");

    assert_eq!(service.delete_as(&key, &path).await.status, 204);
    for answer in [
        service.delete_as(&key, &path).await,
        service.get_as(&key, &path).await,
        service.put_as(&key, &path, json!({})).await,
        service.get_as(&key, &format!("{path}/deliveries")).await,
        service.post_as(&key, &format!("{path}/test"), json!({})).await,
        service.post_as(&key, &format!("{path}/rotate"), json!({})).await,
        service
            .post_as(&key, &format!("{path}/replay"), json!({ "from": "2026-11-20T00:00:00Z" }))
            .await,
    ] {
        assert_eq!((answer.status.as_u16(), answer.slug()), (404, "not-found"), "{answer:?}");
    }
    assert_eq!(service.get_as(&key, "/v1/webhooks").await.body, json!([]));
}

#[tokio::test]
async fn invalid_webhooks_are_refused() {
    let service = Service::start().await;
    let key = service.key(Tier::Free).await;
    let id = "0199c0de-0000-7000-8000-000000000000";
    let long = format!("https://hooks.example/{}", "x".repeat(2_048));
    let companies: Vec<String> = (0..41).map(|it| format!("{}", 300_000_000 + it)).collect();
    for (body, member) in [
        (json!({}), "url"),
        (json!({ "url": "hooks.example" }), "url"),
        (json!({ "url": "http://hooks.example/" }), "url"),
        (json!({ "url": "ftp://hooks.example/" }), "url"),
        (json!({ "url": "https://user:password@hooks.example/" }), "url"),
        (json!({ "url": "https://hooks.example/#fragment" }), "url"),
        (json!({ "url": "https://10.0.0.1/" }), "url"),
        (json!({ "url": "https://169.254.169.254/latest/meta-data" }), "url"),
        (json!({ "url": "https://[fd00:ec2::254]/" }), "url"),
        (json!({ "url": "https://[::ffff:10.0.0.1]/" }), "url"),
        (json!({ "url": long }), "url"),
        (json!({ "url": URL, "description": "" }), "description"),
        (json!({ "url": URL, "eventFilters": ["auditor"] }), "eventFilters[0]"),
        (json!({ "url": URL, "eventFilters": vec!["other"; 51] }), "eventFilters"),
        (json!({ "url": URL, "companyFilters": ["x"] }), "companyFilters[0]"),
        (json!({ "url": URL, "companyFilters": [COMPANY, "CHE-107.787.578"] }), "companyFilters"),
        (json!({ "url": URL, "companyFilters": companies }), "companyFilters"),
        (json!({ "url": URL, "watchlistFilters": [id] }), "watchlistFilters"),
        (json!({ "url": URL, "minimumSeverity": "severe" }), "minimumSeverity"),
        (json!({ "url": URL, "signatureScheme": "v2" }), "signatureScheme"),
        (json!({ "url": URL, "secret": "x" }), "secret"),
    ] {
        let answer = service.post_as(&key, "/v1/webhooks", body.clone()).await;
        assert_eq!((answer.status.as_u16(), answer.slug()), (400, "bad-request"), "{body}");
        assert_eq!(answer.body["errors"][0]["member"], member, "{answer:?}");
    }
    let created = create(&service, &key, json!({ "url": URL })).await;
    for (body, member) in [
        (json!({ "url": "https://127.0.0.2.nip.example@10.0.0.1/" }), "url"),
        (json!({ "status": "disabled" }), "status"),
        (json!({ "watchlistFilters": [id] }), "watchlistFilters"),
    ] {
        let answer = service.put_as(&key, &path(&created), body).await;
        assert_eq!(answer.body["errors"][0]["member"], member, "{answer:?}");
    }
    for (body, member) in [
        (json!({}), "from"),
        (json!({ "from": "2026-10-20T00:00:00Z" }), "from"),
        (json!({ "from": "2026-11-20T12:30:00Z" }), "from"),
        (json!({ "from": "2026-11-19T00:00:00Z", "to": "2026-11-18T00:00:00Z" }), "from"),
    ] {
        let answer = service.post_as(&key, &format!("{}/replay", path(&created)), body).await;
        assert_eq!(answer.body["errors"][0]["member"], member, "{answer:?}");
    }
}

#[tokio::test]
async fn only_admins_and_keys_with_the_scope_manage_see_and_change_webhooks() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let admin = service.session(&team, Role::Admin).await;
    let member = service.session(&team, Role::Member).await;
    let writer = service.key_of(&team, Environment::Live, &[Scope::Read, Scope::Write]).await;
    let path = path(&create(&service, &admin, json!({ "url": URL })).await);
    for token in [&member, &writer] {
        for answer in [
            service.get_as(token, "/v1/webhooks").await,
            service.get_as(token, &path).await,
            service.get_as(token, &format!("{path}/deliveries")).await,
            service.post_as(token, "/v1/webhooks", json!({ "url": URL })).await,
            service.post_as(token, &format!("{path}/rotate"), json!({})).await,
            service.delete_as(token, &path).await,
        ] {
            assert_eq!((answer.status.as_u16(), answer.slug()), (403, "forbidden"), "{answer:?}");
        }
    }
    let manager = service.key_of(&team, Environment::Live, &[Scope::Manage]).await;
    assert_eq!(service.delete_as(&manager, &path).await.status, 204);
}

#[tokio::test]
async fn the_tier_limits_the_number_of_webhooks() {
    let service = Service::start().await;
    for (tier, max) in [(Tier::Free, 3), (Tier::Starter, 10)] {
        let key = service.key(tier).await;
        for _ in 0..max {
            create(&service, &key, json!({ "url": URL })).await;
        }
        let refused = service.post_as(&key, "/v1/webhooks", json!({ "url": URL })).await;
        assert_eq!((refused.status.as_u16(), refused.slug()), (409, "conflict"), "{refused:?}");
    }
}

#[tokio::test]
async fn a_rotated_key_signs_next_to_the_old_one_until_the_overlap_ends() {
    let service = Service::start().await;
    let key = service.key(Tier::Free).await;
    let created = create(&service, &key, json!({ "url": URL })).await;
    let path = format!("{}/rotate", path(&created));
    let rotated = service.post_as(&key, &path, json!({})).await;
    assert_eq!(rotated.status, 200, "{rotated:?}");
    assert_ne!(rotated.body["signingSecret"], created.body["signingSecret"]);
    let keys = rotated.body["webhook"]["signingKeys"].as_array().expect("keys");
    assert_eq!(keys.len(), 2);
    assert!(keys[0].get("expiresAt").is_none());
    assert_eq!(keys[1]["id"], created.body["webhook"]["signingKeys"][0]["id"]);
    assert_eq!(keys[1]["expiresAt"], "2026-11-21T12:30:00Z");

    let asymmetric = json!({ "overlapHours": 0, "signatureScheme": "v1a" });
    let rotated = service.post_as(&key, &path, asymmetric).await;
    assert!(rotated.body.get("signingSecret").is_none(), "{rotated:?}");
    let public = rotated.body["publicKey"].as_str().expect("a public key");
    assert!(public.starts_with("whpk_"), "{public}");
    let keys = rotated.body["webhook"]["signingKeys"].as_array().expect("keys");
    assert_eq!((keys.len(), &keys[0]["publicKey"]), (1, &json!(public)));
    assert_eq!(keys[0]["scheme"], "v1a");
    for hours in [169, -1] {
        let refused = service.post_as(&key, &path, json!({ "overlapHours": hours })).await;
        assert_eq!(refused.body["errors"][0]["member"], "overlapHours", "{refused:?}");
    }
    for _ in 0..6 {
        let rotated = service.post_as(&key, &path, json!({})).await;
        let keys = rotated.body["webhook"]["signingKeys"].as_array().expect("keys").len();
        assert!(keys <= 4, "{keys}");
    }
}

#[tokio::test]
async fn the_secret_is_neither_stored_nor_repeated() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let request = || {
        let request = http::Request::post("/v1/webhooks").header("idempotency-key", "once");
        bearing(&key, request).header("content-type", "application/json")
    };
    let body = json!({ "url": URL }).to_string();
    let created = service.send_with(request(), body.clone()).await;
    let again = service.send_with(request(), body).await;
    assert_eq!((again.status.as_u16(), again.slug()), (409, "idempotency-conflict"));
    assert_eq!(again.body["id"], created.body["webhook"]["id"]);

    let client = local::cloud::clients::dynamodb_client(&service.cloud.endpoints.dynamodb);
    let items = client.scan().table_name(&service.cloud.tables[1]).send().await.expect("items");
    let items = format!("{:?}", items.items());
    assert!(items.contains(URL), "the webhook is stored");
    let secret = created.body["signingSecret"].as_str().expect("a secret");
    assert!(!items.contains(secret.trim_start_matches("whsec_")));
    // It follows from the secret of the deployment.
    let webhook = &created.body["webhook"];
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let (id, key_id) = (text(&webhook["id"]), text(&webhook["signingKeys"][0]["id"]));
    let derived = |deployment: &str, team: &TeamId| {
        let deployment = WebhookSecret::new(&auth::Secret::new(deployment.to_owned()));
        let deployment = deployment.expect("a long secret");
        let of = (team, Environment::Live);
        let key = deployment.key(of, &id, &key_id, SignatureScheme::V1).expect("a key");
        key.secret().expect("a secret").expose().to_owned()
    };
    assert_eq!(derived(tests::WEBHOOK_SECRET, &team), secret);
    assert_ne!(derived(tests::SESSION_SECRET, &team), secret);
}
