//! The audit log: who changed what, when, and from which address.

use std::net::IpAddr;

use access::{Environment, Role, Scope, Tier};
use auth::TeamId;
use emulators::stripe::sign;
use http::{Method, Request, StatusCode};
use jiff::{SignedDuration, Timestamp};
use local::cloud::clients::dynamodb_client;
use serde_json::{Value, json};
use store::{MAX_SEARCHED, Tenants};
use teams::{AuditActor, AuditEntry, AuditFilter, AuditOutcome};
use tests::{
    Answer, Service, bearing,
    faults::{Fault, Faults},
    from, link_token, operator,
    sso::user,
};
use uuid::Uuid;

const LOG: &str = "/v1/audit-log";
const COMPANY: &str = "CHE-107.787.577";

/// A service with an Enterprise team and the token of an owner.
async fn service_with_owner() -> (Service, TeamId, String) {
    let service = Service::with([tests::company(COMPANY, "Muster AG")]).await;
    let team = service.team(Tier::Enterprise).await;
    let owner = service.session(&team, Role::Owner).await;
    (service, team, owner)
}

async fn entries(service: &Service, owner: &str, query: &str) -> Vec<Value> {
    let log = service.get_as(owner, &format!("{LOG}?pageSize=100&{query}")).await;
    assert_eq!(log.status, StatusCode::OK, "{log:?}");
    log.body["items"].as_array().expect("entries").clone()
}

fn actions(entries: &[Value]) -> Vec<&str> {
    entries.iter().map(|it| it["action"].as_str().expect("an action")).collect()
}

#[tokio::test]
async fn an_entry_states_who_did_what_when_and_from_where() {
    let (service, team, owner) = service_with_owner().await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let keys = service.get_as(&key, "/v1/api-keys").await.body;
    let path = format!("/v1/companies/{COMPANY}/notes");
    let body = json!({ "content": "a private text" }).to_string();
    let request = from("2001:db8::7", bearing(&key, Request::post(&path)));
    let request = request.header("content-type", "application/json");
    let created = service.send_with(request, body).await;
    assert_eq!(created.status, StatusCode::CREATED);
    let [entry] = &entries(&service, &owner, "").await[..] else { panic!("one entry") };
    let id = entry["id"].as_str().expect("an id").to_owned();
    assert_eq!(
        entry,
        &json!({
            "id": id,
            "createdAt": service.now().to_string(),
            "actor": { "type": "api_key", "id": keys[0]["id"] },
            "action": "create_note",
            "target": path,
            "createdId": created.body["id"],
            "clientAddress": "2001:db8::7",
            "requestId": created.header("x-request-id").expect("an id"),
            "outcome": "succeeded",
            "status": 201,
        })
    );

    let admin = service.member(&team, Role::Admin).await;
    let renamed = service.put_as(&admin.token, "/v1/teams/me", json!({ "name": "Neu" })).await;
    assert_eq!(renamed.status, StatusCode::OK);
    let newest = &entries(&service, &owner, &format!("actor={}", admin.id)).await[0];
    assert_eq!(
        newest["actor"],
        json!({ "type": "user", "id": admin.id, "role": "admin", "email": admin.email })
    );
    assert_eq!(
        (&newest["action"], &newest["target"]),
        (&json!("update_team"), &json!("/v1/teams/me"))
    );
}

#[tokio::test]
async fn refused_and_failed_operations_are_recorded_with_their_outcome() {
    let (service, team, owner) = service_with_owner().await;
    let unknown = "/v1/alerts/0199c0de-0000-7000-8000-000000000000";
    assert_eq!(service.delete_as(&owner, unknown).await.status, StatusCode::NOT_FOUND);
    let text = service.delete_as(&owner, "/v1/alerts/my-secret").await;
    assert_eq!(text.status, StatusCode::NOT_FOUND);
    let [second, first] = &entries(&service, &owner, "").await[..] else { panic!("two entries") };
    let found = |it: &Value| (it["target"].clone(), it["outcome"].clone(), it["status"].clone());
    let refused = |target: &str| (json!(target), json!("refused"), json!(404));
    let mut both = [found(first), found(second)];
    both.sort_by_key(|it| it.0.to_string());
    // A text in the place of an id is not recorded.
    assert_eq!(both, [refused(unknown), refused("/v1/alerts/{id}")]);

    // What is refused before it is counted changes nothing, and is not recorded.
    let reader = service.key_of(&team, Environment::Live, &[Scope::Read]).await;
    let refused = service.delete_as(&reader, unknown).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert_eq!(entries(&service, &owner, "").await.len(), 2);
}

#[tokio::test]
async fn reading_is_not_recorded() {
    let (service, team, owner) = service_with_owner().await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    for path in ["/v1/companies/count", "/v1/api-keys", "/v1/watches", LOG] {
        service.get_as(&owner, path).await;
    }
    let both = json!({ "uids": [COMPANY, COMPANY] });
    service.post_as(&key, "/v1/companies/compare", both).await;
    assert_eq!(entries(&service, &owner, "").await, [] as [Value; 0]);
}

#[tokio::test]
async fn only_changes_of_the_live_team_of_an_enterprise_are_recorded() {
    let (service, team, owner) = service_with_owner().await;
    let sandbox = service.key_of(&team, Environment::Test, &Scope::ALL).await;
    let alert = json!({ "name": "Zürich", "queryParams": { "canton": "ZH" } });
    assert_eq!(service.post_as(&sandbox, "/v1/alerts", alert.clone()).await.status.as_u16(), 201);
    assert_eq!(entries(&service, &owner, "").await.len(), 0);

    let professional = service.team(Tier::Professional).await;
    let other = service.session(&professional, Role::Owner).await;
    assert_eq!(service.post_as(&other, "/v1/alerts", alert).await.status.as_u16(), 201);
    let refused = service.get_as(&other, LOG).await;
    assert_eq!((refused.status, refused.slug()), (StatusCode::FORBIDDEN, "tier-not-unlocked"));
    let (key, filter) = (operator(professional.clone()), AuditFilter::default());
    let stored = service.cloud.tenants.audit_log(&key, &filter, (0, 10), service.now()).await;
    assert_eq!(stored.expect("read").items, []);
}

#[tokio::test]
async fn only_owners_read_it() {
    let (service, team, _) = service_with_owner().await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let admin = service.session(&team, Role::Admin).await;
    for token in [&key, &admin] {
        let refused = service.get_as(token, LOG).await;
        assert_eq!((refused.status, refused.slug()), (StatusCode::FORBIDDEN, "forbidden"));
    }
}

#[tokio::test]
async fn entries_are_filtered_by_time_action_and_actor() {
    let (service, team, _) = service_with_owner().await;
    let boss = service.member(&team, Role::Owner).await;
    let member = service.member(&team, Role::Member).await;
    let alert = json!({ "name": "Zürich", "queryParams": { "canton": "ZH" } });
    let watchlist = json!({ "name": "Suppliers" });
    service.post_as(&member.token, "/v1/alerts", alert.clone()).await;
    service.pass_seconds(86_400);
    let owner = service.session_of(&team, &boss.id).await;
    service.post_as(&owner, "/v1/watchlists", watchlist).await;
    service.pass_seconds(60);
    service.post_as(&owner, "/v1/alerts", alert).await;
    for (query, expected) in [
        ("", &["create_alert", "create_watchlist", "create_alert"] as &[&str]),
        ("action=create_watchlist", &["create_watchlist"]),
        ("action=delete_alert", &[]),
        (&format!("actor={}", member.id), &["create_alert"]),
        ("since=2026-11-21", &["create_alert", "create_watchlist"]),
        ("until=2026-11-20", &["create_alert"]),
        (
            "since=2026-11-20&until=2026-11-21",
            &["create_alert", "create_watchlist", "create_alert"],
        ),
        ("until=2026-11-21T12:30:00Z&since=2026-11-21T12:30:00Z", &["create_watchlist"]),
        ("since=2026-11-22", &[]),
        (
            "since=1900-01-01&until=2999-01-01&action=create_alert",
            &["create_alert", "create_alert"],
        ),
    ] {
        let found = entries(&service, &owner, query).await;
        assert_eq!(actions(&found), expected, "{query}");
    }
    for (query, member) in [
        ("action=DELETE", "action"),
        ("actor=me", "actor"),
        ("since=x", "since"),
        ("since=2026-11-22&until=2026-11-20", "since"),
    ] {
        let refused = service.get_as(&owner, &format!("{LOG}?{query}")).await;
        assert_eq!(refused.body["errors"][0]["member"], member, "{refused:?}");
    }
}

#[tokio::test]
async fn entries_come_in_pages() {
    let (service, _, owner) = service_with_owner().await;
    for number in 0..7 {
        service.pass_seconds(1);
        let body = json!({ "name": format!("List {number}") });
        assert_eq!(service.post_as(&owner, "/v1/watchlists", body).await.status.as_u16(), 201);
    }
    let all = entries(&service, &owner, "").await;
    let mut times: Vec<_> = all.iter().map(|it| it["createdAt"].to_string()).collect();
    assert!(times.is_sorted_by(|a, b| a > b), "{times:?}");
    times.dedup();
    assert_eq!(times.len(), 7);

    let (mut found, mut next) = (Vec::new(), Some(format!("{LOG}?pageSize=3")));
    while let Some(path) = next {
        let page = service.get_as(&owner, &path).await;
        found.extend(page.body["items"].as_array().expect("entries").clone());
        next = page.next();
        assert_eq!(page.body["hasMore"], next.is_some(), "{page:?}");
        assert!(page.body["searchedTo"].is_null(), "{page:?}");
    }
    assert_eq!(found, all);
    let beyond = service.get_as(&owner, &format!("{LOG}?page=100&pageSize=100")).await;
    assert_eq!((&beyond.body["items"], &beyond.body["hasMore"]), (&json!([]), &json!(false)));
    let too_far = service.get_as(&owner, &format!("{LOG}?page=101&pageSize=100")).await;
    assert_eq!(too_far.status, StatusCode::BAD_REQUEST);
    assert!(too_far.detail().contains("at most 100"), "{too_far:?}");
}

/// An entry as the service stores it.
fn stored_entry(created_at: Timestamp, action: &str) -> AuditEntry {
    let milliseconds = u64::try_from(created_at.as_millisecond()).expect("after 1970");
    let random = Uuid::new_v4().into_bytes();
    let random = random[..10].try_into().expect("ten bytes");
    AuditEntry {
        id: uuid::Builder::from_unix_timestamp_millis(milliseconds, random).into_uuid(),
        created_at,
        actor: AuditActor::user("0199c0de-0000-7000-8000-000000000000", Role::Owner),
        action: action.to_owned(),
        target: "/v1/teams/me".to_owned(),
        client_address: IpAddr::from([192, 0, 2, 1]),
        request_id: String::new(),
    }
}

#[tokio::test]
async fn a_search_through_too_many_entries_says_where_to_continue() {
    let (service, team, owner) = service_with_owner().await;
    let (tenants, key, now) = (&service.cloud.tenants, operator(team.clone()), service.now());
    let oldest = stored_entry(now - SignedDuration::from_hours(2), "delete_alert");
    tenants.record(&key, &oldest).await.expect("stored");
    let many: Vec<AuditEntry> = (0..MAX_SEARCHED as i64 + 10)
        .map(|it| stored_entry(now - SignedDuration::from_millis(100 * it), "create_alert"))
        .collect();
    for chunk in many.chunks(200) {
        let stored = chunk.iter().map(|it| tenants.record(&key, it));
        futures_util::future::try_join_all(stored).await.expect("stored");
    }
    let first = service.get_as(&owner, &format!("{LOG}?action=delete_alert")).await.body;
    assert_eq!((&first["items"], &first["hasMore"]), (&json!([]), &json!(false)));
    let until = first["searchedTo"].as_str().expect("a time");
    let next = service.get_as(&owner, &format!("{LOG}?action=delete_alert&until={until}")).await;
    assert_eq!(next.body["items"][0]["id"], oldest.id.to_string());
    assert!(next.body["searchedTo"].is_null(), "{next:?}");
    // The last page that can be asked for.
    let last = service.get_as(&owner, &format!("{LOG}?page=100&pageSize=100")).await.body;
    assert_eq!(last["items"].as_array().map(Vec::len), Some(100));
    assert_eq!(last["searchedTo"], last["items"][99]["createdAt"]);
}

#[tokio::test]
async fn an_entry_is_never_replaced() {
    let (service, team, owner) = service_with_owner().await;
    let (tenants, key) = (&service.cloud.tenants, operator(team.clone()));
    let entry = stored_entry(service.now(), "create_alert");
    let other = AuditEntry { action: "sign_out".to_owned(), ..entry.clone() };
    for (entry, status) in [(&entry, 201), (&other, 204)] {
        let outcome = AuditOutcome { status, created_id: None };
        tenants.record(&key, entry).await.expect("accepted");
        tenants.record_outcome(&key, entry, outcome).await.expect("accepted");
    }
    let [found] = &entries(&service, &owner, "").await[..] else { panic!("one entry") };
    assert_eq!((&found["action"], &found["status"]), (&json!("create_alert"), &json!(201)));
}

/// 400 days, by Swiss law at least a year.
#[tokio::test]
async fn entries_are_kept_for_400_days() {
    let (service, team, owner) = service_with_owner().await;
    let boss = service.member(&team, Role::Owner).await;
    service.post_as(&owner, "/v1/watchlists", json!({ "name": "Old" })).await;
    let table = dynamodb_client(&service.cloud.endpoints.dynamodb);
    let items = table.scan().table_name(&service.cloud.tables[1]).send().await.expect("read");
    let partition = format!("AUDIT#{team}#live");
    let mut stored = items.items().to_vec();
    stored.retain(|it| it["pk"].as_s().is_ok_and(|it| *it == partition));
    let expires = service.now().as_second() + 400 * 86_400;
    let times: Vec<_> = stored.iter().map(|it| it["expires"].as_n().cloned()).collect();
    assert_eq!(times, vec![Ok(expires.to_string()); 2], "the entry and its outcome");

    for (days, number) in [(399, 1), (1, 0)] {
        // One second more, so that the entry is older than 400 days at last.
        service.pass_seconds(days * 86_400 + 1);
        let owner = service.session_of(&team, &boss.id).await;
        assert_eq!(entries(&service, &owner, "").await.len(), number);
    }
}

#[tokio::test]
async fn a_repeated_request_is_recorded_once() {
    let (service, _, owner) = service_with_owner().await;
    let body = json!({ "name": "Zürich", "queryParams": { "canton": "ZH" } }).to_string();
    for _ in 0..3 {
        let request = bearing(&owner, Request::post("/v1/alerts"));
        let request = request.header("content-type", "application/json");
        let request = request.header("idempotency-key", "once");
        let answer = service.send_with(request, body.clone()).await;
        assert_eq!(answer.status, StatusCode::CREATED);
    }
    assert_eq!(actions(&entries(&service, &owner, "").await), ["create_alert"]);
}

/// The team that a user signs in to or joins is not the one that the user acts for.
#[tokio::test]
async fn sign_ins_and_new_members_are_recorded_in_the_log_of_their_team() {
    let (service, team, owner) = service_with_owner().await;
    let other = service.team(Tier::Free).await;
    let guest = service.member(&other, Role::Owner).await;
    let invited = service
        .post_as(&owner, "/v1/teams/me/members", json!({ "email": guest.email, "role": "admin" }))
        .await;
    let joined = service
        .post_as(&guest.token, "/v1/teams/join", json!({ "token": invited.body["token"] }))
        .await;
    assert_eq!(joined.status, StatusCode::OK, "{joined:?}");
    let switched =
        service.post_as(&guest.token, "/v1/auth/switch-team", json!({ "teamId": team.0 })).await;
    assert_eq!(switched.status, StatusCode::OK, "{switched:?}");
    let link = Request::post("/v1/auth/magic-link").header("content-type", "application/json");
    service.send_with(link, json!({ "email": guest.email }).to_string()).await;
    let token = link_token(&service.mails()[0]);
    let verify =
        Request::post("/v1/auth/magic-link/verify").header("content-type", "application/json");
    let signed_in = service.send_with(verify, json!({ "token": token }).to_string()).await;
    assert_eq!(signed_in.status, StatusCode::OK, "{signed_in:?}");

    let mut found = entries(&service, &owner, "").await;
    found.sort_by_key(|it| it["action"].to_string());
    assert_eq!(actions(&found), ["invite_member", "join_team", "switch_team", "verify_magic_link"]);
    for entry in &found[1..] {
        let actor =
            json!({ "type": "user", "id": guest.id, "role": "admin", "email": guest.email });
        assert_eq!((&entry["actor"], &entry["outcome"]), (&actor, &json!("succeeded")), "{entry}");
    }
    assert_eq!(found[0]["createdId"], invited.body["id"]);
}

#[tokio::test]
async fn a_tier_that_is_bought_or_ends_is_recorded() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let owner = service.member(&team, Role::Owner).await;
    for (id, kind, status) in [
        ("evt_1", "customer.subscription.created", "active"),
        ("evt_2", "customer.subscription.updated", "active"),
        ("evt_3", "customer.subscription.deleted", "canceled"),
        ("evt_4", "customer.subscription.created", "active"),
    ] {
        service.stripe.put_subscription("sub_1", &team.0, "price_enterprise", status);
        if id == "evt_2" {
            // It has ended when the event arrives that says so.
            let ends_at = service.now() + jiff::SignedDuration::from_secs(30);
            service.stripe.change_subscription("sub_1", "cancel_at", json!(ends_at.as_second()));
        }
        let body = service.stripe.subscription_event(id, kind, "sub_1");
        let request =
            Request::post("/v1/webhooks/stripe").header("content-type", "application/json");
        let request = request.header("stripe-signature", sign(&body, service.now()));
        assert_eq!(service.send_with(request, body).await.status, StatusCode::OK);
        service.pass_seconds(61);
    }
    let found = entries(&service, &owner.token, "").await;
    // `evt_2` does not change the tier.
    assert_eq!(actions(&found), ["payment_event"; 3]);
    for entry in &found {
        assert_eq!(entry["actor"], json!({ "type": "payment_provider" }));
        assert_eq!((&entry["target"], &entry["status"]), (&json!("/v1/teams/me"), &json!(200)));
    }
}

/// A service whose functions reach the tables through a proxy that injects faults.
async fn with_faults() -> (Service, Faults, String) {
    let mut cloud = tests::cloud().await;
    let faults = Faults::before(&cloud.endpoints.dynamodb).await;
    cloud.tenants = Tenants::named(dynamodb_client(&faults.address), &cloud.tables[1]);
    let service = Service::over(cloud).await;
    let team = service.team(Tier::Enterprise).await;
    let owner = service.session(&team, Role::Owner).await;
    (service, faults, owner)
}

/// Whether a request to the table writes to the audit log an item with such a sort key.
fn writes(operation: &str, request: &Value, is_outcome: bool) -> bool {
    let member = |name: &str| request["Item"][name]["S"].as_str().unwrap_or_default().to_owned();
    operation == "PutItem"
        && member("pk").starts_with("AUDIT#")
        && member("sk").ends_with("#OUTCOME") == is_outcome
}

async fn create_watchlist(service: &Service, owner: &str) -> Answer {
    service.post_as(owner, "/v1/watchlists", json!({ "name": "One" })).await
}

#[tokio::test]
async fn nothing_is_changed_if_the_log_cannot_be_written() {
    let (service, faults, owner) = with_faults().await;
    faults.decide(|operation, it| writes(operation, it, false).then_some(Fault::Down));
    let refused = create_watchlist(&service, &owner).await;
    let found = (refused.status, refused.slug());
    assert_eq!(found, (StatusCode::SERVICE_UNAVAILABLE, "service-unavailable"));
    assert!(refused.detail().contains("nothing was changed"), "{refused:?}");
    faults.decide(|_, _| None);
    assert_eq!(service.get_as(&owner, "/v1/watchlists").await.body, json!([]));
    assert_eq!(create_watchlist(&service, &owner).await.status, StatusCode::CREATED);
    assert_eq!(actions(&entries(&service, &owner, "").await), ["create_watchlist"]);
}

#[tokio::test]
async fn an_entry_whose_outcome_cannot_be_written_remains() {
    let (service, faults, owner) = with_faults().await;
    faults.decide(|operation, it| writes(operation, it, true).then_some(Fault::Down));
    assert_eq!(create_watchlist(&service, &owner).await.status, StatusCode::CREATED);
    faults.decide(|_, _| None);
    let [entry] = &entries(&service, &owner, "").await[..] else { panic!("one entry") };
    assert_eq!((&entry["outcome"], &entry["status"]), (&json!("unknown"), &Value::Null));
}

#[tokio::test]
async fn an_entry_is_written_once_although_the_answer_of_the_table_is_lost() {
    let (service, faults, owner) = with_faults().await;
    let mut left = 1;
    faults.decide(move |operation, it| {
        let is_lost = writes(operation, it, false) && left > 0;
        left -= i32::from(is_lost);
        is_lost.then_some(Fault::LoseAnswer)
    });
    assert_eq!(create_watchlist(&service, &owner).await.status, StatusCode::CREATED);
    let found = entries(&service, &owner, "").await;
    assert_eq!(actions(&found), ["create_watchlist"]);
    assert_eq!(found[0]["outcome"], "succeeded");
}

/// The callback is a GET, because the provider redirects the browser to it.
#[tokio::test]
async fn a_sign_in_with_the_identity_provider_is_recorded() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let signed_in = service.sso(&team, user("eva", "eva.muster@example.ch")).await;
    assert_eq!(signed_in.status, StatusCode::OK, "{}", signed_in.text);
    let found = entries(&service, &team.owner, "action=finish_sso").await;
    assert_eq!(actions(&found), ["finish_sso"]);
    let actor = json!({
        "type": "user",
        "id": signed_in.body["user"]["id"],
        "role": "member",
        "email": "eva.muster@example.ch",
    });
    assert_eq!((&found[0]["actor"], &found[0]["outcome"]), (&actor, &json!("succeeded")));
}

/// Every operation whose method changes something is recorded, except those that declare that they change nothing.
#[tokio::test]
async fn every_operation_that_changes_something_is_recorded() {
    let service = Service::start().await;
    let mut left_out: Vec<&str> = service
        .operations
        .iter()
        .filter(|it| it.method != Method::GET && !it.is_audited)
        .map(|it| it.id)
        .collect();
    left_out.sort_unstable();
    let change_nothing = [
        "analyze_network",
        "anomalies",
        "bulk_export",
        "cluster",
        "compare_companies",
        "export_excel",
        "replay_screening",
        "run_saved_search",
        "trace_ownership",
    ];
    assert_eq!(left_out, change_nothing);
    let gets = service.operations.iter().filter(|it| it.method == Method::GET && it.is_audited);
    assert_eq!(gets.map(|it| it.id).collect::<Vec<_>>(), ["finish_sso"]);
}

#[tokio::test]
async fn exactly_the_recorded_operations_are_actions_to_filter_by() {
    let (service, _, owner) = service_with_owner().await;
    for operation in &service.operations {
        let path = format!("{LOG}?action={}", operation.id);
        let answer = service.get_as(&owner, &path).await;
        let expected = if operation.is_audited { 200 } else { 400 };
        assert_eq!(answer.status.as_u16(), expected, "{answer:?}");
    }
    let unknown = service.get_as(&owner, &format!("{LOG}?action=nothing_known")).await;
    assert!(unknown.detail().contains("`create_api_key`"), "{unknown:?}");
    let mistyped = service.get_as(&owner, &format!("{LOG}?action=chnge_role")).await;
    assert!(mistyped.detail().ends_with("Did you mean `change_role`?"), "{mistyped:?}");
}
