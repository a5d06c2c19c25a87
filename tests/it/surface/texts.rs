//! Texts that people choose and others read.

use access::Tier;
use http::{Method, StatusCode};
use http_service::BodyType;
use serde_json::{Value, json};
use tests::{bearing, request};

use super::{
    callers::prepared,
    members::{Member, document, members_of, put},
    requests::{body, operations, service},
};

/// Hides what follows it in a name: the rest is shown from right to left.
const REVERSED: &str = "Bank\u{202e}GA";

/// Whether the description has neither a format nor a list of values for a text.
fn is_free(schema: &Value) -> bool {
    schema["type"] == "string" && schema["format"].is_null() && schema["enum"].is_null()
}

#[tokio::test]
async fn no_operation_accepts_a_text_that_changes_the_direction_of_what_follows() {
    let service = service().await;
    let document = document();
    let (mut tested, mut named) = (0, 0);
    for operation in operations(&service) {
        let is_json = matches!(operation.method, Method::POST | Method::PUT)
            && !matches!(operation.body, BodyType::File);
        if !is_json {
            continue;
        }
        let members = members_of(&document, &operation).into_iter();
        for Member { path: member, .. } in members.filter(|it| is_free(&it.schema)) {
            let name = member.join(".");
            let caller = prepared(&service, Tier::Enterprise, &operation).await;
            let valid = body(&service, &caller.team, caller.user.as_deref(), &operation).await;
            let mut body: Value = serde_json::from_str(&valid).expect("json");
            put(&mut body, &member, &json!(REVERSED));
            let request = bearing(&caller.token, request(&operation.method, &caller.path))
                .header("content-type", "application/json");
            let answer = service.send_with(request, body.to_string()).await;
            let what = format!("{} {name}: {}", operation.id, answer.text);
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{what}");
            let first = &member[0];
            let wrong = answer.body["errors"][0]["member"].as_str().unwrap_or_default();
            // The payment provider signs its requests, and the parameters of a search are those of a query.
            assert!(wrong.contains(first.as_str()) || operation.id == "payment_event", "{what}");
            named += usize::from(answer.detail().contains("U+202E"));
            tested += 1;
        }
    }
    assert!(tested > 40 && named > 20, "{tested} {named}");
}

#[tokio::test]
async fn a_refused_name_is_answered_with_the_code_point_and_the_member() {
    let service = service().await;
    let key = service.key(Tier::Starter).await;
    for (name, code) in [
        ("Bank\u{202e}GA", "U+202E"),
        ("Line\u{2028}two", "U+2028"),
        ("Zero\u{200b}width", "U+200B"),
        ("Private\u{e000}", "U+E000"),
        ("Control\u{7}", "U+0007"),
    ] {
        let refused = service.put_as(&key, "/v1/teams/me", json!({ "name": name })).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.text);
        assert_eq!(refused.body["errors"][0]["member"], "name");
        assert!(refused.detail().contains(code), "{}", refused.text);
    }
    for name in ["Müller & Söhne", "می‌خواهم", "株式会社", "👩‍💻 Team"] {
        let renamed = service.put_as(&key, "/v1/teams/me", json!({ "name": name })).await;
        assert_eq!(renamed.body["name"], name, "{}", renamed.text);
    }
    let invisible = service.put_as(&key, "/v1/teams/me", json!({ "name": "\u{3164}" })).await;
    assert_eq!(invisible.status, StatusCode::BAD_REQUEST, "{}", invisible.text);
}
