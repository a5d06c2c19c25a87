//! ID tokens of the identity providers of teams as credentials.

use access::{Role, Tier};
use auth::{Secret, Session, SigningKey};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use emulators::identity_provider::{CONFIGURATION, Fault, KEYS, Key};
use http::{Request, StatusCode};
use http_service::{authentication::MAX_FAILURES_PER_ADDRESS, providers::REFRESH_INTERVAL};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};
use tests::{
    Answer, PUBLIC_URL, Service, bearing, from,
    sso::{CLIENT_ID, DOMAIN, SETTINGS, SsoTeam, settings, user},
};

const ME: &str = "/v1/auth/me";
const COUNT: &str = "/v1/companies/count";
const EVA: &str = "eva.muster@example.ch";
const INVALID: &str = "the ID token is not valid, or its user has not signed in with single sign-on yet; sign in again";

/// A team with a member who has signed in. Returns the id of the user too.
async fn team_of_eva(service: &Service) -> (SsoTeam, Value) {
    let team = service.sso_team().await;
    let signed_in = service.sso(&team, user("eva", EVA)).await;
    assert_eq!(signed_in.status, StatusCode::OK, "{}", signed_in.text);
    (team, signed_in.body["user"]["id"].clone())
}

/// The claims of an ID token for Eva, without nonce.
fn claims(service: &Service) -> Value {
    service.identity_provider.sign_in(user("eva", EVA));
    service.identity_provider.claims(CLIENT_ID, None)
}

fn id_token(service: &Service) -> String {
    service.identity_provider.signed(&claims(service))
}

fn is_unauthorized(answer: &Answer, reason: &str) {
    assert_eq!(
        (answer.status, answer.slug()),
        (StatusCode::UNAUTHORIZED, "unauthorized"),
        "{}",
        answer.text
    );
    assert!(answer.detail().contains(reason), "{}", answer.text);
}

#[tokio::test]
async fn an_id_token_gives_the_rights_of_its_user_in_the_team() {
    let service = Service::start().await;
    let (team, id) = team_of_eva(&service).await;
    let token = id_token(&service);
    let me = service.get_as(&token, ME).await;
    assert_eq!(me.status, StatusCode::OK, "{}", me.text);
    assert_eq!(
        (&me.body["user"]["id"], &me.body["team"]["id"], &me.body["authMethod"]),
        (&id, &json!(team.id.0), &json!("sso"))
    );
    assert_eq!((&me.body["role"], &me.body["tier"]), (&json!("member"), &json!("enterprise")));
    for path in [COUNT, "/v1/changes", "/v1/tags", "/v1/usage/current"] {
        assert_eq!(service.get_as(&token, path).await.status, StatusCode::OK, "{path}");
    }
    assert_eq!(service.get_as(&token, "/v1/api-keys").await.status, StatusCode::FORBIDDEN);
    // Several audiences, of which we are the authorized party.
    let mut both = claims(&service);
    (both["aud"], both["azp"]) = (json!([CLIENT_ID, "other"]), json!(CLIENT_ID));
    let both = service.identity_provider.signed(&both);
    assert_eq!(service.get_as(&both, ME).await.status, StatusCode::OK);
    // The keys were read once.
    assert_eq!(service.identity_provider.requests(KEYS), 1);
}

#[tokio::test]
async fn only_valid_tokens_of_users_who_have_signed_in_are_accepted() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let early = id_token(&service);
    let configured = service.identity_provider.requests(KEYS);
    // Nobody has signed in yet.
    is_unauthorized(&service.get_as(&early, ME).await, INVALID);
    assert_eq!(service.sso(&team, user("eva", EVA)).await.status, StatusCode::OK);
    assert_eq!(service.get_as(&early, ME).await.status, StatusCode::OK);

    let now = service.now().as_second();
    let signed = |claim: &str, value: Value| {
        let mut claims = claims(&service);
        claims[claim] = value;
        service.identity_provider.signed(&claims)
    };
    let header = |algorithm| Header { kid: Some("key-1".into()), ..Header::new(algorithm) };
    let valid = id_token(&service);
    let (_, rest) = valid.split_once('.').expect("claims");
    let (payload, signature) = rest.split_once('.').expect("a signature");
    // {"alg":"none","typ":"JWT","kid":"key-1"}
    let none = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIiwia2lkIjoia2V5LTEifQ";
    let symmetric = EncodingKey::from_secret(
        Key::new("key-1", 1).public()["x"].as_str().expect("x").as_bytes(),
    );
    let symmetric = jsonwebtoken::encode(&header(Algorithm::HS256), &claims(&service), &symmetric);
    let forged = Key::new("key-1", 2).sign(&header(Algorithm::EdDSA), &claims(&service));
    let access_token = Header { typ: Some("at+jwt".into()), ..header(Algorithm::EdDSA) };
    let access_token = Key::new("key-1", 1).sign(&access_token, &claims(&service));
    let malformed = "malformed, or its algorithm is not accepted";
    for (number, (token, reason)) in [
        (format!("{none}.{payload}."), malformed),
        (symmetric.expect("signed"), malformed),
        (access_token, malformed),
        (forged, INVALID),
        (
            format!("{}.{}", valid.rsplit_once('.').expect("a signature").0, &signature[1..]),
            INVALID,
        ),
        (signed("aud", json!("other")), INVALID),
        (signed("aud", json!([CLIENT_ID, "other"])), malformed),
        (signed("azp", json!("other")), malformed),
        (signed("iss", json!("https://evil.example")), INVALID),
        (signed("iss", json!("https://login.example/")), INVALID),
        (signed("sub", json!("hans")), INVALID),
        (signed("exp", Value::Null), INVALID),
        (signed("exp", json!(i64::MAX)), INVALID),
        (signed("iat", Value::Null), INVALID),
        (signed("nbf", json!(now + 120)), INVALID),
        (signed("exp", json!(now)), "has expired"),
        (signed("iat", json!(now - 12 * 3_600)), "has expired"),
    ]
    .into_iter()
    .enumerate()
    {
        let request = from(&format!("203.0.113.{number}"), bearing(&token, Request::get(ME)));
        is_unauthorized(&service.send(request).await, reason);
    }
    assert_eq!(service.get_as(&valid, ME).await.status, StatusCode::OK);
    assert_eq!(service.identity_provider.requests(KEYS), configured, "no other provider is asked");
}

#[tokio::test]
async fn a_token_in_our_name_is_a_session_token_and_not_an_id_token() {
    let service = Service::start().await;
    let (team, id) = team_of_eva(&service).await;
    let mut ours = claims(&service);
    ours["iss"] = PUBLIC_URL.into();
    let ours = service.identity_provider.signed(&ours);
    is_unauthorized(&service.get_as(&ours, ME).await, "the session token is malformed");
    // And a session token that somebody else has issued.
    let key =
        SigningKey::from_secret(&Secret::new("the secret of somebody else, which is long".into()));
    let id = id.as_str().expect("an id").to_owned();
    let session = Session::starting("s".into(), id, team.id.clone(), service.now());
    let theirs = key.expect("a key").sign(&session, "https://login.example").expect("signed");
    is_unauthorized(&service.get_as(theirs.expose(), ME).await, INVALID);
}

#[tokio::test]
async fn a_flood_of_unknown_keys_asks_the_provider_once_a_minute_and_is_limited() {
    let service = Service::start().await;
    team_of_eva(&service).await;
    let valid = id_token(&service);
    assert_eq!(service.get_as(&valid, ME).await.status, StatusCode::OK);
    let before = service.identity_provider.requests(KEYS);
    let flood = async |number: u32| {
        let key = Key::new(&format!("unknown-{number}"), 7);
        let header = Header { kid: Some(key.id().to_owned()), ..Header::new(Algorithm::EdDSA) };
        let token = key.sign(&header, &claims(&service));
        service.send(from("198.51.100.7", bearing(&token, Request::get(COUNT)))).await
    };
    for number in 0..MAX_FAILURES_PER_ADDRESS {
        is_unauthorized(&flood(number).await, INVALID);
    }
    assert!(service.identity_provider.requests(KEYS) <= before + 1);
    let refused = flood(1_000).await;
    assert_eq!(
        (refused.status, refused.slug()),
        (StatusCode::TOO_MANY_REQUESTS, "rate-limit-exceeded")
    );
    // A user at the same address works, also in a process that has not seen the token.
    let request = || from("198.51.100.7", bearing(&valid, Request::get(COUNT)));
    assert_eq!(service.send(request()).await.status, StatusCode::OK);
    assert_eq!(service.second_process().send(request()).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_new_key_of_the_provider_is_known_within_a_minute() {
    let service = Service::start().await;
    team_of_eva(&service).await;
    service.pass_seconds(REFRESH_INTERVAL.as_secs());
    let old = id_token(&service);
    assert_eq!(service.get_as(&old, COUNT).await.status, StatusCode::OK);
    service.identity_provider.rotate(Key::new("key-2", 2));
    let new = id_token(&service);
    assert_eq!(service.get_as(&new, COUNT).await.status, StatusCode::OK, "asked at once");
    service.identity_provider.rotate(Key::new("key-3", 3));
    let newest = id_token(&service);
    is_unauthorized(&service.get_as(&newest, COUNT).await, INVALID);
    service.pass_seconds(REFRESH_INTERVAL.as_secs());
    assert_eq!(service.get_as(&newest, COUNT).await.status, StatusCode::OK);
    is_unauthorized(&service.second_process().get_as(&new, COUNT).await, INVALID);
}

#[tokio::test]
async fn known_keys_are_used_for_a_day_while_the_provider_fails() {
    let service = Service::start().await;
    team_of_eva(&service).await;
    service.identity_provider.fail(KEYS, Some(Fault::Status(500)));
    let requests = async || service.get_as(&id_token(&service), COUNT).await;
    for _ in 0..23 {
        service.pass_seconds(3_600);
        assert_eq!(requests().await.status, StatusCode::OK);
    }
    service.pass_seconds(3_600);
    let failed = requests().await;
    assert_eq!(
        (failed.status, failed.slug()),
        (StatusCode::SERVICE_UNAVAILABLE, "service-unavailable")
    );
    // A process that knows no keys cannot say whether a token is valid.
    let asked = service.identity_provider.requests(CONFIGURATION);
    let fresh = service.second_process();
    for _ in 0..3 {
        let failed = fresh.get_as(&id_token(&service), COUNT).await;
        assert_eq!(failed.status, StatusCode::SERVICE_UNAVAILABLE, "{}", failed.text);
    }
    assert_eq!(service.identity_provider.requests(CONFIGURATION), asked + 1);
    service.identity_provider.fail(KEYS, None);
    service.pass_seconds(REFRESH_INTERVAL.as_secs());
    assert_eq!(requests().await.status, StatusCode::OK);
}

#[tokio::test]
async fn what_ends_an_id_token_takes_effect_within_a_minute() {
    let service = Service::start().await;
    let (team, id) = team_of_eva(&service).await;
    let path = format!("/v1/teams/me/members/{}", id.as_str().expect("an id"));
    let put_other_provider = async || {
        let mut other = settings(&[DOMAIN]);
        other["clientId"] = "other".into();
        service.put_as(&team.owner, SETTINGS, other).await
    };

    // Signing out.
    let token = id_token(&service);
    let other = {
        let mut it = claims(&service);
        it["jti"] = "other".into();
        service.identity_provider.signed(&it)
    };
    assert_eq!(
        service.post_as(&token, "/v1/auth/logout", json!({})).await.status,
        StatusCode::NO_CONTENT
    );
    is_unauthorized(&service.second_process().get_as(&token, ME).await, "signed out");
    service.pass_seconds(60);
    is_unauthorized(&service.get_as(&token, ME).await, "signed out");
    assert_eq!(service.get_as(&other, ME).await.status, StatusCode::OK, "another token");

    // A change of the provider. Also after a change back, its users must link their accounts again.
    assert_eq!(put_other_provider().await.status, StatusCode::OK);
    is_unauthorized(&service.second_process().get_as(&other, ME).await, INVALID);
    let back = service.put_as(&team.owner, SETTINGS, settings(&[DOMAIN])).await;
    service.publish_records(&back.body);
    service.post_as(&team.owner, tests::sso::VERIFY, json!({})).await;
    is_unauthorized(&service.second_process().get_as(&other, ME).await, INVALID);
    assert_eq!(service.linked_sso(&team, user("eva", EVA)).await.status, StatusCode::OK);
    assert_eq!(service.second_process().get_as(&other, ME).await.status, StatusCode::OK);

    // A domain that the team gives up.
    let put = service.put_as(&team.owner, SETTINGS, settings(&["other.example"])).await;
    assert_eq!(put.status, StatusCode::OK);
    is_unauthorized(&service.second_process().get_as(&other, ME).await, "has ended");
    service.put_as(&team.owner, SETTINGS, settings(&[DOMAIN])).await;
    let read = service.get_as(&team.owner, SETTINGS).await;
    service.publish_records(&read.body);
    service.post_as(&team.owner, tests::sso::VERIFY, json!({})).await;
    assert_eq!(service.second_process().get_as(&other, ME).await.status, StatusCode::OK);

    // A removed member, also after it has joined again.
    assert_eq!(service.delete_as(&team.owner, &path).await.status, StatusCode::NO_CONTENT);
    is_unauthorized(&service.second_process().get_as(&other, ME).await, "has ended");
    service.pass_seconds(60);
    is_unauthorized(&service.get_as(&other, ME).await, "has ended");
    let tenants = &service.cloud.tenants;
    let user_id = id.as_str().expect("an id");
    let back = local::teams::add_member(tenants, &team.id, user_id, Role::Member, service.now());
    back.await.expect("a member");
    is_unauthorized(&service.second_process().get_as(&other, ME).await, "has ended");
    assert_eq!(service.sso(&team, user("eva", EVA)).await.status, StatusCode::OK);
    assert_eq!(service.second_process().get_as(&other, ME).await.status, StatusCode::OK);
}

#[tokio::test]
async fn an_id_token_stays_in_its_team_and_needs_the_enterprise_tier() {
    let service = Service::start().await;
    let (team, _) = team_of_eva(&service).await;
    let token = id_token(&service);
    for (path, body) in [
        ("/v1/auth/switch-team", json!({ "teamId": team.id })),
        ("/v1/teams/join", json!({ "token": auth::OneTimeToken::generate().expose() })),
    ] {
        let refused = service.post_as(&token, path, body).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path}: {}", refused.text);
        assert!(refused.detail().contains("sign in with a link"), "{}", refused.text);
    }
    let tier = Tier::Professional;
    let smaller = store::Team { id: team.id.clone(), name: "Smaller".into(), tier };
    service.cloud.tenants.put_team(&smaller).await.expect("stored");
    let refused = service.second_process().get_as(&token, ME).await;
    assert_eq!((refused.status, refused.slug()), (StatusCode::FORBIDDEN, "tier-not-unlocked"));
    assert_eq!(refused.body["requiredTier"], "enterprise");
}

/// Two teams of different customers may use the same provider.
#[tokio::test]
async fn a_token_of_the_same_account_for_another_application_is_another_identity() {
    let service = Service::start().await;
    team_of_eva(&service).await;
    let mut other = claims(&service);
    other["aud"] = "application-of-another-team".into();
    let other = service.identity_provider.signed(&other);
    is_unauthorized(&service.get_as(&other, ME).await, INVALID);
}

/// `n - s` for the order `n` of the curve P-256.
fn negated(s: &[u8]) -> Vec<u8> {
    const ORDER: [u8; 32] = [
        0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63,
        0x25, 0x51,
    ];
    let mut result = vec![0; 32];
    let mut borrow = 0;
    for place in (0..32).rev() {
        let difference = i16::from(ORDER[place]) - i16::from(s[place]) - borrow;
        borrow = i16::from(difference < 0);
        result[place] = u8::try_from(difference.rem_euclid(256)).expect("a byte");
    }
    result
}

/// Everybody can compute a second signature of a token from the first one, if it is of an elliptic curve.
#[tokio::test]
async fn a_token_that_was_signed_out_stays_so_with_another_form_of_its_signature() {
    let service = Service::start().await;
    team_of_eva(&service).await;
    service.pass_seconds(REFRESH_INTERVAL.as_secs());
    service.identity_provider.rotate(Key::elliptic("key-1"));
    service.pass_seconds(3_600);
    let token = id_token(&service);
    assert_eq!(service.get_as(&token, ME).await.status, StatusCode::OK);
    let (signed, signature) = token.rsplit_once('.').expect("a signature");
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(signature).expect("base64");
    let (r, s) = bytes.split_at(32);
    let second = format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode([r, &negated(s)].concat()));
    assert_eq!(service.get_as(&second, ME).await.status, StatusCode::OK, "both are valid");
    let signed_out = service.post_as(&token, "/v1/auth/logout", json!({})).await;
    assert_eq!(signed_out.status, StatusCode::NO_CONTENT);
    let fresh = service.second_process();
    is_unauthorized(&fresh.get_as(&token, ME).await, "signed out");
    is_unauthorized(&fresh.get_as(&second, ME).await, "signed out");
    for other in [format!("{token}="), format!("{token}=="), format!("{second}A")] {
        assert_eq!(fresh.get_as(&other, ME).await.status, StatusCode::UNAUTHORIZED, "{other}");
    }
    // The provider signs the same claims again, with other members in the header.
    let header = Header { kid: Some("key-1".into()), ..Header::new(Algorithm::ES256) };
    let header = Header { cty: Some("JWT".into()), ..header };
    let again = Key::elliptic("key-1").sign(&header, &claims(&service));
    is_unauthorized(&fresh.get_as(&again, ME).await, "signed out");
    // A later token is another one.
    service.pass_seconds(1);
    assert_eq!(fresh.get_as(&id_token(&service), ME).await.status, StatusCode::OK);
}

/// Nobody signs in here if a team uses ID tokens only. The record is looked up nevertheless.
#[tokio::test]
async fn the_record_of_the_domain_is_looked_up_daily_for_id_tokens_too() {
    const DAY: i64 = 86_400;
    let service = Service::start().await;
    let (team, _) = team_of_eva(&service).await;
    // Each time in a process that has not seen a token, as the domain is looked up in any.
    let ask = async || {
        let token = id_token(&service);
        service.second_process().get_as(&token, COUNT).await
    };
    let record = service.dns_records.lock().expect("not poisoned").clone();
    // Seen after a day and after six, so it counts for a week from then.
    for days in [1, 5] {
        service.pass_seconds(days * DAY);
        assert_eq!(ask().await.status, StatusCode::OK, "{days}");
    }
    let seen = service.now().to_string();
    let owner = service.member(&team.id, Role::Owner).await;
    let read = service.get_as(&owner.token, SETTINGS).await;
    assert_eq!(read.body["domains"][0]["lastSeenAt"], seen.as_str(), "{}", read.text);
    service.set_record(Some(Vec::new()));
    service.pass_seconds(DAY - 1);
    assert_eq!(ask().await.status, StatusCode::OK, "not looked up yet");
    service.pass_seconds(6 * DAY);
    assert_eq!(ask().await.status, StatusCode::OK, "less than seven days");
    // A sign-in counts from the same time.
    assert_eq!(service.sso(&team, user("eva", EVA)).await.status, StatusCode::OK);
    service.pass_seconds(1);
    is_unauthorized(&ask().await, "has ended");
    *service.dns_records.lock().expect("not poisoned") = record;
    assert_eq!(ask().await.status, StatusCode::OK, "published again");
}

#[tokio::test]
async fn a_flood_of_id_tokens_looks_up_the_record_once() {
    let service = Service::start().await;
    team_of_eva(&service).await;
    service.pass_seconds(2 * 86_400);
    let before = service.look_ups();
    for status in [Some(Vec::new()), None] {
        service.set_record(status);
        for number in 0..20 {
            let mut claims = claims(&service);
            claims["jti"] = number.into();
            let token = service.identity_provider.signed(&claims);
            assert_eq!(service.get_as(&token, COUNT).await.status, StatusCode::OK);
        }
    }
    assert_eq!(service.look_ups(), before + 1);
}
