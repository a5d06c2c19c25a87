//! Sessions: which tokens are accepted, and when they stop being accepted.

use access::{Environment, Role, Tier};
use auth::{Secret, Session, SigningKey};
use http::{Request, StatusCode};
use http_service::{authentication::MAX_FAILURES_PER_ADDRESS, sessions::KEYS_INTERVAL};
use serde_json::{Value, json};
use tests::{
    PUBLIC_URL, SESSION_SECRET, Service, bearing, from,
    sso::{CLIENT_ID, user},
};

const COUNT: &str = "/v1/companies/count";

fn key(secret: &str) -> SigningKey {
    SigningKey::from_secret(&Secret::new(secret.to_owned())).expect("a key")
}

fn unknown_key(number: usize) -> SigningKey {
    key(&format!("the secret of somebody else, number {number}"))
}

fn signed(key: &SigningKey, session: &Session, url: &str) -> String {
    key.sign(session, url).expect("signed").expose().to_owned()
}

#[tokio::test]
async fn a_session_acts_for_its_team_with_the_scopes_of_the_role() {
    let service = Service::start().await;
    let team = service.team(Tier::Starter).await;
    let member = service.session(&team, Role::Member).await;
    assert_eq!(service.get_as(&member, COUNT).await.status, StatusCode::OK);
    let created = service.post_as(&member, "/v1/pipelines", json!({ "name": "Prospects" })).await;
    assert_eq!(created.body["createdBy"]["type"], "user", "{}", created.text);
    let refused = service.get_as(&member, "/v1/api-keys").await;
    assert_eq!(refused.detail(), "this operation requires the role `admin`; yours is `member`");
    // A colleague and the team's key see the same data.
    let admin = service.session(&team, Role::Admin).await;
    assert_eq!(
        service.get_as(&admin, "/v1/pipelines").await.body.as_array().map(Vec::len),
        Some(1)
    );
    assert_eq!(service.get_as(&admin, "/v1/api-keys").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_key_created_in_a_session_outlives_the_session() {
    let service = Service::start().await;
    let admin = service.session(&service.team(Tier::Free).await, Role::Admin).await;
    let made = service.post_as(&admin, "/v1/api-keys", json!({})).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    assert!(made.body.get("expiresAt").is_none(), "{}", made.text);
    service.pass_seconds(13 * 3_600);
    let key = made.body["key"].as_str().expect("a key");
    assert_eq!(service.get_as(key, COUNT).await.status, StatusCode::OK);
    let expired = service.get_as(&admin, COUNT).await;
    assert_eq!(expired.detail(), "the session has expired; sign in again");
}

#[tokio::test]
async fn forged_expired_and_foreign_tokens_are_refused() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let valid = service.session(&team, Role::Owner).await;
    assert_eq!(service.get_as(&valid, COUNT).await.status, StatusCode::OK);
    let [header, claims, signature] = valid.split('.').collect::<Vec<_>>()[..] else {
        panic!("three parts")
    };

    let now = service.now();
    let session = |at| Session::starting("x".into(), "user".into(), team.clone(), at);
    let ours = key(SESSION_SECRET);
    let elsewhere = signed(&ours, &session(now), "https://other.example/api");
    let unknown = signed(&unknown_key(0), &session(now), PUBLIC_URL);
    let expired = signed(&ours, &session(now - jiff::SignedDuration::from_hours(13)), PUBLIC_URL);
    let never_started = signed(&ours, &session(now), PUBLIC_URL);
    // {"alg":"none","typ":"JWT"} and {"alg":"HS256","typ":"JWT"}
    let (none, symmetric) =
        ("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9");
    let other_signature = unknown.rsplit('.').next().expect("a signature");
    let unknown_id_token = "the ID token is not valid, or its user has not signed in with single sign-on yet; sign in again";
    let (malformed, invalid) = (
        "the session token is malformed; sign in again",
        "the session token is not valid; sign in again",
    );
    for (token, reason) in [
        (format!("{none}.{claims}."), malformed),
        (format!("{symmetric}.{claims}.{signature}"), malformed),
        (format!("{header}.{claims}."), invalid),
        (format!("{header}.{claims}.{other_signature}"), invalid),
        (format!("{header}.{}.{signature}", unknown.split('.').nth(1).expect("claims")), invalid),
        (elsewhere, unknown_id_token),
        (unknown.clone(), invalid),
        (expired, "the session has expired; sign in again"),
        (never_started, "the session has ended; sign in again"),
        ("a.b.c".to_owned(), malformed),
    ] {
        let refused = service.get_as(&token, COUNT).await;
        assert_eq!((refused.status, refused.slug()), (StatusCode::UNAUTHORIZED, "unauthorized"));
        assert_eq!(refused.detail(), reason, "{token}");
        assert!(refused.header("www-authenticate").is_some());
    }
    assert_eq!(service.get_as(&valid, COUNT).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_flood_of_forged_tokens_is_limited_and_does_not_block_sessions() {
    let service = Service::start().await;
    let team = service.team(Tier::Enterprise).await;
    let valid = service.session(&team, Role::Owner).await;
    let now = service.now();
    let send = async |number: usize| {
        let session = Session::starting(number.to_string(), "user".into(), team.clone(), now);
        let token = signed(&unknown_key(number), &session, PUBLIC_URL);
        service.send(from("198.51.100.7", bearing(&token, Request::get(COUNT)))).await
    };
    for number in 0..MAX_FAILURES_PER_ADDRESS as usize {
        assert_eq!(send(number).await.status, StatusCode::UNAUTHORIZED, "{number}");
    }
    let refused = send(1_000).await;
    assert_eq!(
        (refused.status, refused.slug()),
        (StatusCode::TOO_MANY_REQUESTS, "rate-limit-exceeded")
    );
    assert_eq!(refused.body["violatedPolicies"], json!(["failed_verifications"]));
    // A session at the same address works, also in a process that has not seen it.
    let request = || from("198.51.100.7", bearing(&valid, Request::get(COUNT)));
    assert_eq!(service.send(request()).await.status, StatusCode::OK);
    assert_eq!(service.second_process().send(request()).await.status, StatusCode::OK);
}

/// A session of this user, with a token that is signed after a rotation of the key.
async fn session_after_rotation(service: &Service, team: &auth::TeamId, user: &str) -> String {
    let rotated = Secret::new("the secret of the sessions after a rotation".to_owned());
    let tenants = &service.cloud.tenants;
    let issuer = account::SessionIssuer::new(rotated, tenants.clone(), PUBLIC_URL);
    let token = local::teams::create_session(tenants, &issuer, team, user, service.now()).await;
    token.expect("a session")
}

#[tokio::test]
async fn unknown_keys_are_looked_up_once_in_10_seconds() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let user = service.member(&team, Role::Owner).await;
    let forged = Session::starting("x".into(), "user".into(), team.clone(), service.now());
    let forged = signed(&unknown_key(0), &forged, PUBLIC_URL);
    assert_eq!(service.get_as(&forged, COUNT).await.status, StatusCode::UNAUTHORIZED);
    // The keys were read for the forged token, so the next key becomes known later.
    let rotated = session_after_rotation(&service, &team, &user.id).await;
    assert_eq!(service.get_as(&rotated, COUNT).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(service.get_as(&user.token, COUNT).await.status, StatusCode::OK, "a known key");
    service.pass_seconds(KEYS_INTERVAL.as_secs());
    assert_eq!(service.get_as(&rotated, COUNT).await.status, StatusCode::OK);
}

#[tokio::test]
async fn tokens_of_the_key_before_a_rotation_are_accepted() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let user = service.member(&team, Role::Owner).await;
    let new = session_after_rotation(&service, &team, &user.id).await;
    assert_ne!(new.split('.').next(), user.token.split('.').next(), "another `kid`");
    for token in [&user.token, &new] {
        assert_eq!(service.get_as(token, COUNT).await.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn signing_out_ends_the_session_within_a_minute() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let user = service.member(&team, Role::Owner).await;
    let other = service.session_of(&team, &user.id).await;
    assert_eq!(service.get_as(&user.token, COUNT).await.status, StatusCode::OK);
    let ended = service.post_as(&user.token, "/v1/auth/logout", json!({})).await;
    assert_eq!((ended.status, ended.text.as_str()), (StatusCode::NO_CONTENT, ""));
    let fresh = service.second_process().get_as(&user.token, COUNT).await;
    assert_eq!(fresh.detail(), "the session has ended; sign in again");
    service.pass_seconds(60);
    assert_eq!(service.get_as(&user.token, COUNT).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(service.get_as(&other, COUNT).await.status, StatusCode::OK, "another session");
}

#[tokio::test]
async fn the_sessions_of_a_removed_member_end_within_a_minute_and_stay_ended() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let owner = service.session(&team, Role::Owner).await;
    let user = service.member(&team, Role::Member).await;
    assert_eq!(service.get_as(&user.token, COUNT).await.status, StatusCode::OK);
    let path = format!("/v1/teams/me/members/{}", user.id);
    assert_eq!(service.delete_as(&owner, &path).await.status, StatusCode::NO_CONTENT);
    let fresh = service.second_process().get_as(&user.token, COUNT).await;
    assert_eq!(fresh.status, StatusCode::UNAUTHORIZED);
    service.pass_seconds(60);
    assert_eq!(service.get_as(&user.token, COUNT).await.status, StatusCode::UNAUTHORIZED);

    let tenants = &service.cloud.tenants;
    let back = local::teams::add_member(tenants, &team, &user.id, Role::Owner, service.now());
    back.await.expect("a member");
    service.pass_seconds(60);
    assert_eq!(service.get_as(&user.token, COUNT).await.status, StatusCode::UNAUTHORIZED);
    let new = service.session_of(&team, &user.id).await;
    assert_eq!(service.get_as(&new, COUNT).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_new_role_takes_effect_within_a_minute() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let owner = service.session(&team, Role::Owner).await;
    let user = service.member(&team, Role::Admin).await;
    assert_eq!(service.get_as(&user.token, "/v1/api-keys").await.status, StatusCode::OK);
    let path = format!("/v1/teams/me/members/{}", user.id);
    let changed = service.put_as(&owner, &path, json!({ "role": "Member" })).await;
    assert_eq!(changed.body["role"], "member", "{}", changed.text);
    service.pass_seconds(60);
    assert_eq!(service.get_as(&user.token, "/v1/api-keys").await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_session_moves_to_another_team_of_the_user_only() {
    let service = Service::start().await;
    let (one, other) = (service.team(Tier::Free).await, service.team(Tier::Starter).await);
    let foreign = service.team(Tier::Enterprise).await;
    let user = service.member(&one, Role::Member).await;
    let now = service.now();
    let added =
        local::teams::add_member(&service.cloud.tenants, &other, &user.id, Role::Owner, now);
    added.await.expect("a member");
    let first_end = (now + jiff::SignedDuration::from_hours(12)).to_string();
    service.pass_seconds(3_600);
    let switch = async |team: &str| {
        service.post_as(&user.token, "/v1/auth/switch-team", json!({ "teamId": team })).await
    };
    assert_eq!(switch(&foreign.0).await.status, StatusCode::NOT_FOUND);
    assert_eq!(switch("nonsense").await.status, StatusCode::NOT_FOUND);
    let switched = switch(&other.0).await;
    assert_eq!(switched.body["team"]["tier"], "starter", "{}", switched.text);
    let token = switched.body["token"].as_str().expect("a token");
    assert_eq!(switched.body["expiresAt"], first_end, "switching does not prolong the session");
    let me = service.get_as(token, "/v1/auth/me").await;
    assert_eq!((&me.body["team"]["id"], &me.body["role"]), (&json!(other.0), &json!("owner")));
    let old = service.second_process().get_as(&user.token, COUNT).await;
    assert_eq!(old.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_session_is_live_and_sees_nothing_of_the_sandbox() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let sandbox = service.key_of(&team, Environment::Test, &access::Scope::ALL).await;
    service.post_as(&sandbox, "/v1/pipelines", json!({ "name": "Test" })).await;
    let owner = service.session(&team, Role::Owner).await;
    assert_eq!(service.get_as(&owner, "/v1/pipelines").await.body, json!([]));
    assert_eq!(service.get_as(&sandbox, "/v1/teams/me/members").await.body, json!([]));
}

const EVERYWHERE: &str = "/v1/auth/sessions";

#[tokio::test]
async fn signing_out_everywhere_ends_all_sessions_of_the_user_within_a_minute() {
    let service = Service::start().await;
    let (one, two) = (service.team(Tier::Free).await, service.team(Tier::Free).await);
    let user = service.member(&one, Role::Member).await;
    let (tenants, now) = (&service.cloud.tenants, service.now());
    let added = local::teams::add_member(tenants, &two, &user.id, Role::Owner, now);
    added.await.expect("a member");
    let elsewhere = service.session_of(&two, &user.id).await;
    let colleague = service.session(&one, Role::Member).await;
    let switchable = service.session_of(&one, &user.id).await;
    for token in [&user.token, &elsewhere, &switchable] {
        assert_eq!(service.get_as(token, COUNT).await.status, StatusCode::OK);
    }
    let ended = service.delete_as(&user.token, EVERYWHERE).await;
    assert_eq!(ended.status, StatusCode::NO_CONTENT, "{}", ended.text);
    // For a minute, this process accepts the others. They do not become sessions that last.
    let switched =
        service.post_as(&switchable, "/v1/auth/switch-team", json!({ "teamId": two })).await;
    assert_eq!(switched.status, StatusCode::UNAUTHORIZED, "{}", switched.text);
    for token in [&user.token, &elsewhere, &switchable] {
        let refused = service.second_process().get_as(token, COUNT).await;
        assert_eq!(refused.detail(), "the session has ended; sign in again");
    }
    assert_eq!(service.get_as(&colleague, COUNT).await.status, StatusCode::OK);
    service.pass_seconds(60);
    assert_eq!(service.get_as(&elsewhere, COUNT).await.status, StatusCode::UNAUTHORIZED);
    let new = service.session_of(&one, &user.id).await;
    assert_eq!(service.get_as(&new, COUNT).await.status, StatusCode::OK);
    // A later sign-in and its sessions end with the next one.
    let switched = service.post_as(&new, "/v1/auth/switch-team", json!({ "teamId": two })).await;
    let switched = switched.body["token"].as_str().expect("a token").to_owned();
    assert_eq!(service.delete_as(&switched, EVERYWHERE).await.status, StatusCode::NO_CONTENT);
    assert_eq!(
        service.second_process().get_as(&switched, COUNT).await.status,
        StatusCode::UNAUTHORIZED
    );
}

/// A session that is switched at the same time is not a later sign-in.
#[tokio::test]
async fn a_session_of_another_team_ends_with_the_sign_in_that_it_comes_from() {
    let service = Service::start().await;
    let (one, two) = (service.team(Tier::Free).await, service.team(Tier::Free).await);
    let user = service.member(&one, Role::Member).await;
    let (tenants, now) = (&service.cloud.tenants, service.now());
    let added = local::teams::add_member(tenants, &two, &user.id, Role::Owner, now);
    added.await.expect("a member");
    let signed_in_at = service.now();
    service.pass_seconds(60);
    let switched =
        service.post_as(&user.token, "/v1/auth/switch-team", json!({ "teamId": two })).await;
    let switched = switched.body["token"].as_str().expect("a token").to_owned();
    tenants.end_sessions(&user.id, None, signed_in_at).await.expect("ended");
    let refused = service.get_as(&switched, COUNT).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{}", refused.text);
}

#[tokio::test]
async fn an_owner_ends_the_sessions_of_a_member_in_the_team() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let other = service.team(Tier::Free).await;
    let member = service.member(&team.id, Role::Admin).await;
    let (tenants, now) = (&service.cloud.tenants, service.now());
    let added = local::teams::add_member(tenants, &other, &member.id, Role::Owner, now);
    added.await.expect("a member");
    let elsewhere = service.session_of(&other, &member.id).await;
    let sso = service.linked_sso(&team, user("member", &member.email)).await;
    let sso = sso.body["token"].as_str().expect("a token").to_owned();
    let id_token = || {
        let claims = service.identity_provider.claims(CLIENT_ID, None);
        service.identity_provider.signed(&claims)
    };
    let early = id_token();
    let ends = [&member.token, &sso, &early];
    for token in ends {
        assert_eq!(service.get_as(token, COUNT).await.status, StatusCode::OK);
    }
    let path = format!("/v1/teams/me/members/{}/sessions", member.id);
    let admin = service.session(&team.id, Role::Admin).await;
    assert_eq!(service.delete_as(&admin, &path).await.status, StatusCode::FORBIDDEN);
    assert_eq!(service.delete_as(&team.owner, &path).await.status, StatusCode::NO_CONTENT);
    for token in ends {
        let refused = service.second_process().get_as(token, COUNT).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{}", refused.text);
    }
    assert_eq!(service.get_as(&elsewhere, COUNT).await.status, StatusCode::OK);
    // From the other team, the same sign-in does not lead back.
    let back = json!({ "teamId": team.id });
    let refused = service.post_as(&elsewhere, "/v1/auth/switch-team", back).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{}", refused.text);
    service.pass_seconds(60);
    for token in ends {
        assert_eq!(service.get_as(token, COUNT).await.status, StatusCode::UNAUTHORIZED);
    }
    // The clock of the provider may be a minute ahead of ours.
    let ahead = service.second_process().get_as(&id_token(), COUNT).await;
    assert_eq!(ahead.status, StatusCode::UNAUTHORIZED, "{}", ahead.text);
    // The member signs in again.
    service.pass_seconds(1);
    assert_eq!(service.get_as(&id_token(), COUNT).await.status, StatusCode::OK);
    let again = service.sso(&team, user("member", &member.email)).await;
    assert_eq!(again.status, StatusCode::OK, "{}", again.text);
    let unknown = format!("/v1/teams/me/members/{}/sessions", uuid::Uuid::now_v7());
    assert_eq!(service.delete_as(&team.owner, &unknown).await.status, StatusCode::NOT_FOUND);
}

/// A person who controls the provider must not sign the user out of other teams.
#[tokio::test]
async fn signing_out_everywhere_with_single_sign_on_ends_the_sessions_in_the_team_only() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let other = service.team(Tier::Free).await;
    let member = service.member(&team.id, Role::Member).await;
    let (tenants, now) = (&service.cloud.tenants, service.now());
    let added = local::teams::add_member(tenants, &other, &member.id, Role::Owner, now);
    added.await.expect("a member");
    let elsewhere = service.session_of(&other, &member.id).await;
    let sso = service.linked_sso(&team, user("member", &member.email)).await;
    let sso = sso.body["token"].as_str().expect("a token");
    assert_eq!(service.delete_as(sso, EVERYWHERE).await.status, StatusCode::NO_CONTENT);
    let fresh = service.second_process();
    for token in [sso, &member.token] {
        assert_eq!(fresh.get_as(token, COUNT).await.status, StatusCode::UNAUTHORIZED);
    }
    assert_eq!(fresh.get_as(&elsewhere, COUNT).await.status, StatusCode::OK);
}

/// Of the user: a repetition would leave the other session as it is, and answer that it has ended.
#[tokio::test]
async fn an_idempotency_key_of_signing_out_belongs_to_the_session() {
    let service = Service::start().await;
    let (one, two) = (service.team(Tier::Free).await, service.team(Tier::Free).await);
    let user = service.member(&one, Role::Member).await;
    let (tenants, now) = (&service.cloud.tenants, service.now());
    let added = local::teams::add_member(tenants, &two, &user.id, Role::Owner, now);
    added.await.expect("a member");
    let post = async |token: &str, path: &str, body: Value| {
        let request = tests::bearing(token, http::Request::post(path));
        let request = request.header("content-type", "application/json");
        service.send_with(request.header("idempotency-key", "a"), body.to_string()).await
    };
    for (path, body, status) in [
        ("/v1/auth/logout", json!({}), StatusCode::NO_CONTENT),
        ("/v1/auth/switch-team", json!({ "teamId": two }), StatusCode::OK),
    ] {
        for _ in 0..2 {
            let session = service.session_of(&one, &user.id).await;
            let ended = post(&session, path, body.clone()).await;
            assert_eq!(ended.status, status, "{path}: {}", ended.text);
            let fresh = service.second_process().get_as(&session, COUNT).await;
            assert_eq!(fresh.status, StatusCode::UNAUTHORIZED, "{path}: {}", fresh.text);
        }
    }
}
