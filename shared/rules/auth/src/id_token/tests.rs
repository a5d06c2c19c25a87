use access::{Role, Scope, Tier};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::{EncodingKey, Header, jwk::Jwk};
use serde_json::json;

use super::*;
use crate::{AnsweredFor, session::ed25519};

const ISSUER: &str = "https://login.example";
const NOW: Timestamp = Timestamp::constant(1_795_177_800, 0);

fn key(seed: u8) -> EncodingKey {
    ed25519(&[seed; 32]).expect("a key").0
}

/// The published keys: one with the id `a`, and the public part of `key(1)`.
fn keys() -> ProviderKeys {
    let jwk = Jwk::from_encoding_key(&key(1), Algorithm::EdDSA).expect("a key");
    let mut jwk = serde_json::to_value(jwk).expect("json");
    jwk["kid"] = "a".into();
    ProviderKeys::parse(json!({ "keys": [jwk] }).to_string().as_bytes()).expect("a key set")
}

fn header() -> Header {
    Header { kid: Some("a".into()), ..Header::new(Algorithm::EdDSA) }
}

fn claims() -> Value {
    json!({
        "iss": ISSUER, "aud": "client", "sub": "eva", "nonce": "n",
        "iat": NOW.as_second(), "exp": NOW.as_second() + 3_600,
        "email": "Eva.Muster@Example.ch", "email_verified": true, "name": " Eva Muster ",
    })
}

fn with(claim: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[claim] = value;
    claims
}

fn signed(header: &Header, claims: &Value, key: &EncodingKey) -> String {
    jsonwebtoken::encode(header, claims, key).expect("signed")
}

const EXPECTED: Expected<'static> =
    Expected { issuer: ISSUER, client_id: "client", nonce: Some("n") };

fn verified(claims: &Value) -> Result<VerifiedIdToken, InvalidIdToken> {
    let token = signed(&header(), claims, &key(1));
    PresentedIdToken::read(&token).expect("a token").verify(&keys(), EXPECTED, NOW)
}

#[test]
fn a_signed_token_states_a_user() {
    let token = verified(&claims()).expect("verified");
    assert_eq!(token.email().map(Email::as_str), Some("eva.muster@example.ch"));
    assert_eq!(token.name(), Some("Eva Muster"));
    assert_eq!(token.provider(), &ProviderId::of(ISSUER, "client"));
    assert_eq!(token.expires_at(), NOW + SignedDuration::from_hours(1));
    let text = signed(&header(), &claims(), &key(1));
    let presented = PresentedIdToken::read(&text).expect("a token");
    assert_eq!(presented.subject(), token.subject());
    assert!(PresentedIdToken::is_of_another_issuer(&text, "https://api.example/api"));
    assert!(!PresentedIdToken::is_of_another_issuer(&text, ISSUER));
}

#[test]
fn only_signatures_with_a_published_key_are_accepted() {
    let of_other_key = signed(&header(), &claims(), &key(2));
    let forged = PresentedIdToken::read(&of_other_key).expect("a token");
    assert_eq!(forged.verify(&keys(), EXPECTED, NOW), Err(InvalidIdToken::Invalid));
    let unknown = Header { kid: Some("b".into()), ..header() };
    let unknown = signed(&unknown, &claims(), &key(1));
    let unknown = PresentedIdToken::read(&unknown).expect("a token");
    assert_eq!(unknown.verify(&keys(), EXPECTED, NOW), Err(InvalidIdToken::UnknownKey));
    let unnamed = signed(&Header { kid: None, ..header() }, &claims(), &key(1));
    let unnamed = PresentedIdToken::read(&unnamed).expect("a token");
    assert!(unnamed.verify(&keys(), EXPECTED, NOW).is_ok(), "the only key");
    // Every part counts.
    let valid = signed(&header(), &claims(), &key(1));
    let other = signed(&header(), &with("sub", "hans".into()), &key(1));
    let (rest, _) = valid.rsplit_once('.').expect("a signature");
    let (_, signature) = other.rsplit_once('.').expect("a signature");
    let mixed = format!("{rest}.{signature}");
    let mixed = PresentedIdToken::read(&mixed).expect("a token");
    assert_eq!(mixed.verify(&keys(), EXPECTED, NOW), Err(InvalidIdToken::Invalid));
}

#[test]
fn a_token_without_an_asymmetric_signature_or_of_another_type_is_malformed() {
    let encoded = |value: Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let none = encoded(json!({ "alg": "none", "typ": "JWT", "kid": "a" }));
    let none = format!("{none}.{}.", encoded(claims()));
    let symmetric = EncodingKey::from_secret(b"the public key as a secret");
    let hs256 = Header { kid: Some("a".into()), ..Header::new(Algorithm::HS256) };
    let hs256 = signed(&hs256, &claims(), &symmetric);
    let header_with = |change: fn(&mut Header)| {
        let mut header = header();
        change(&mut header);
        signed(&header, &claims(), &key(1))
    };
    let access_token = header_with(|it| it.typ = Some("at+jwt".into()));
    let logout_token = header_with(|it| it.typ = Some("logout+jwt".into()));
    let critical = header_with(|it| it.crit = Some(vec!["exp".into()]));
    let long_id = header_with(|it| it.kid = Some("x".repeat(256)));
    let long = "x".repeat(MAX_TOKEN_LENGTH + 1);
    for text in
        [&none, &hs256, &access_token, &logout_token, &critical, &long_id, &long, "a.b.c", ""]
    {
        assert!(PresentedIdToken::read(text).is_err(), "{text}");
    }
    for claims in [
        with("sub", "".into()),
        with("sub", "x".repeat(256).into()),
        with("sub", 7.into()),
        with("aud", json!([])),
        with("aud", json!(["client", "other"])),
        with("aud", json!(vec!["client"; MAX_AUDIENCES + 1])),
        with("azp", "other".into()),
        with("iss", format!("https://{}", "x".repeat(255)).into()),
    ] {
        let text = signed(&header(), &claims, &key(1));
        assert!(PresentedIdToken::read(&text).is_err(), "{claims}");
    }
}

#[test]
fn a_wrong_issuer_audience_or_nonce_is_refused() {
    for (claims, reason) in [
        (with("iss", "https://login.example/".into()), InvalidIdToken::Issuer),
        (with("iss", "https://evil.example".into()), InvalidIdToken::Issuer),
        (with("aud", "other".into()), InvalidIdToken::Audience),
        (with("aud", json!(["other"])), InvalidIdToken::Audience),
        (with("nonce", "other".into()), InvalidIdToken::Nonce),
        (with("nonce", Value::Null), InvalidIdToken::Nonce),
    ] {
        assert_eq!(verified(&claims).map(drop), Err(reason), "{claims}");
    }
    let mut both = with("aud", json!(["client", "other"]));
    both["azp"] = "other".into();
    assert_eq!(verified(&both).map(drop), Err(InvalidIdToken::Audience));
    both["azp"] = "client".into();
    assert!(verified(&both).is_ok());
    // As a credential, a token needs no nonce.
    let text = signed(&header(), &with("nonce", Value::Null), &key(1));
    let expected = Expected { nonce: None, ..EXPECTED };
    let presented = PresentedIdToken::read(&text).expect("a token");
    assert!(presented.verify(&keys(), expected, NOW).is_ok());
}

#[test]
fn times_are_required_and_limited() {
    let seconds = |hours: i64, seconds: i64| json!(NOW.as_second() + hours * 3_600 + seconds);
    for (claims, reason) in [
        (with("exp", seconds(0, 0)), InvalidIdToken::Expired),
        (with("exp", seconds(0, -1)), InvalidIdToken::Expired),
        (with("exp", "tomorrow".into()), InvalidIdToken::Invalid),
        (with("exp", json!(i64::MAX)), InvalidIdToken::Invalid),
        (with("exp", json!(1e300)), InvalidIdToken::Invalid),
        (with("exp", Value::Null), InvalidIdToken::Invalid),
        (with("iat", Value::Null), InvalidIdToken::Invalid),
        (with("iat", seconds(0, 61)), InvalidIdToken::Early),
        (with("nbf", seconds(0, 61)), InvalidIdToken::Early),
    ] {
        assert_eq!(verified(&claims).map(drop), Err(reason), "{claims}");
    }
    for claim in ["exp", "iat"] {
        let mut missing = claims();
        missing.as_object_mut().expect("an object").remove(claim);
        assert_eq!(verified(&missing).map(drop), Err(InvalidIdToken::Invalid), "{claim}");
    }
    assert!(verified(&with("iat", seconds(0, 60))).is_ok(), "clocks differ");
    assert!(verified(&with("exp", json!(NOW.as_second() as f64 + 1.5))).is_ok(), "a fraction");
    // However late a token says that it ends.
    let late = with("exp", seconds(24 * 365, 0));
    let end = NOW + crate::SESSION_DURATION;
    assert_eq!(verified(&late).expect("verified").expires_at(), end);
    let old = json!({
        "iss": ISSUER, "aud": "client", "sub": "eva", "nonce": "n",
        "iat": seconds(-12, 0), "exp": seconds(24, 0),
    });
    assert_eq!(verified(&old).map(drop), Err(InvalidIdToken::Expired));
}

#[test]
fn an_address_that_the_provider_has_not_verified_does_not_count() {
    for value in [json!(false), json!("false"), json!("no"), json!(0), json!(1), json!({})] {
        let token = verified(&with("email_verified", value.clone())).expect("verified");
        assert_eq!(token.email(), None, "{value}");
    }
    for value in [json!(true), json!("true"), Value::Null] {
        let token = verified(&with("email_verified", value.clone())).expect("verified");
        assert!(token.email().is_some(), "{value}");
    }
    for value in [json!("eva"), json!(["eva@example.ch"]), Value::Null] {
        let token = verified(&with("email", value.clone())).expect("verified");
        assert_eq!(token.email(), None, "{value}");
    }
    for value in [json!(""), json!("x".repeat(101)), json!("a\nb"), json!(7)] {
        let token = verified(&with("name", value.clone())).expect("verified");
        assert_eq!(token.name(), None, "{value}");
    }
}

#[test]
fn a_token_identifies_a_member_who_has_signed_in_since_joining() {
    let token = verified(&claims()).expect("verified");
    let team = TeamId("team".into());
    let member = Member { team: team.clone(), user: "user".into(), role: Role::Admin, since: NOW };
    let identity = Identity {
        subject: token.subject().clone(),
        provider: token.provider().clone(),
        choice: ProviderChoice::new_random(),
        team,
        user: "user".into(),
        domain: "example.ch".into(),
        signed_in_at: NOW,
    };
    let caller = |identity: &Identity, member: Option<&Member>, now| {
        let answered = AnsweredFor::ByOwner;
        token.caller(identity, member, answered, Tier::Enterprise.into(), now)
    };
    let found = caller(&identity, Some(&member), NOW).expect("a caller");
    assert_eq!((found.role(), found.method()), (Some(Role::Admin), AuthMethod::Sso));
    assert!(found.may(Scope::Manage) && found.session().is_none() && found.id_token().is_some());
    let end = NOW + SignedDuration::from_hours(1);
    let expired = caller(&identity, Some(&member), end);
    assert_eq!(expired, Err(Refusal::SessionExpired));
    let other_subject = SubjectId::of(token.provider(), "hans");
    let rejoined = Member { since: NOW + SignedDuration::from_secs(1), ..member.clone() };
    let other_user = Member { user: "other".into(), ..member.clone() };
    let other_team = Member { team: TeamId("other".into()), ..member.clone() };
    for (identity, member) in [
        (&Identity { subject: other_subject, ..identity.clone() }, Some(&member)),
        (&identity, None),
        (&identity, Some(&rejoined)),
        (&identity, Some(&other_user)),
        (&identity, Some(&other_team)),
    ] {
        let refused = caller(identity, member, NOW);
        assert_eq!(refused, Err(Refusal::SessionEnded), "{identity:?} {member:?}");
    }
}

#[test]
fn a_token_is_identified_by_what_it_says_and_not_by_its_signature() {
    let id = |claims: &Value, header: &Header, key: &EncodingKey| {
        let text = signed(header, claims, key);
        PresentedIdToken::read(&text).expect("a token").id().clone()
    };
    let one = id(&claims(), &header(), &key(1));
    let longer = Header { cty: Some("x".into()), ..header() };
    assert_eq!(id(&claims(), &longer, &key(2)), one);
    assert_eq!(id(&with("name", "Eva".into()), &header(), &key(1)), one);
    let float = with("iat", json!(NOW.as_second() as f64 + 0.25));
    assert_eq!(id(&float, &header(), &key(1)), one, "the same second");
    for (claim, value) in [
        ("sub", json!("hans")),
        ("aud", json!("other")),
        ("iss", json!("https://other.example")),
        ("iat", json!(NOW.as_second() + 1)),
        ("jti", json!("a")),
        ("jti", json!(7)),
    ] {
        assert_ne!(id(&with(claim, value.clone()), &header(), &key(1)), one, "{claim} {value}");
    }
}

#[test]
fn the_domain_of_an_organisation_is_read_in_lower_case() {
    let domain = |value: Value| verified(&with("hd", value)).expect("verified").hosted_domain;
    assert_eq!(domain(json!("Example.CH")), Some("example.ch".to_owned()));
    assert_eq!(domain(json!(true)), None);
    assert_eq!(verified(&claims()).expect("verified").hosted_domain(), None);
}
