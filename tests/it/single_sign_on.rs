//! Single sign-on of a team: its settings, and the domains that it verifies.

use access::{Role, Scope, Tier};
use http::StatusCode;
use identity_provider_emulator::{CONFIGURATION, Fault, KEYS};
use serde_json::{Value, json};
use tests::{
    Answer, PROVIDER_URL, Service,
    sso::{CLIENT_ID, DOMAIN, SETTINGS, VERIFY, settings},
};

async fn owner(service: &Service) -> String {
    let team = service.team(Tier::Enterprise).await;
    service.session(&team, Role::Owner).await
}

fn status<'a>(answer: &'a Answer, domain: &str) -> &'a str {
    let mut domains = answer.body["domains"].as_array().expect("domains").iter();
    let found = domains.find(|it| it["domain"] == domain).expect(domain);
    found["status"].as_str().expect("a status")
}

#[tokio::test]
async fn the_settings_are_read_back_without_the_client_secret() {
    let service = Service::start().await;
    let team = service.team(Tier::Enterprise).await;
    let owner = service.session(&team, Role::Owner).await;
    let missing = service.get_as(&owner, SETTINGS).await;
    assert_eq!((missing.status, missing.slug()), (StatusCode::NOT_FOUND, "not-found"));

    let mut body = settings(&["Example.CH", "muster.example"]);
    body["clientSecret"] = "s3cret-of-the-client".into();
    let put = service.put_as(&owner, SETTINGS, body).await;
    assert_eq!(put.status, StatusCode::OK, "{}", put.text);
    let read = service.get_as(&owner, SETTINGS).await;
    assert_eq!(read.body, put.body);
    assert!(!read.text.contains("s3cret"), "{}", read.text);
    assert_eq!(
        (&read.body["issuer"], &read.body["clientId"], &read.body["hasClientSecret"]),
        (&json!(PROVIDER_URL), &json!(CLIENT_ID), &json!(true))
    );
    let callback = format!("https://api.example/api/v1/auth/sso/callback?team={team}");
    assert_eq!(read.body["redirectUri"], callback);
    assert_eq!(read.body["highestRole"], "owner");
    let domain = &read.body["domains"][0];
    assert_eq!((&domain["domain"], &domain["status"]), (&json!(DOMAIN), &json!("pending")));
    assert_eq!(domain["recordName"], "_gotthard-challenge.example.ch");
    assert!(domain.get("lastSeenAt").is_none());

    // Without a new secret, that of the same provider stays; that of another one does not.
    let kept = service.put_as(&owner, SETTINGS, settings(&[DOMAIN])).await;
    assert_eq!(kept.body["hasClientSecret"], true, "{}", kept.text);
    assert_eq!(kept.body["domains"][0]["recordValue"], domain["recordValue"], "the same record");
    let mut other = settings(&[DOMAIN]);
    other["clientId"] = "other".into();
    let other = service.put_as(&owner, SETTINGS, other).await;
    assert_eq!(other.body["hasClientSecret"], false);

    let removed = service.delete_as(&owner, SETTINGS).await;
    assert_eq!(removed.status, StatusCode::NO_CONTENT);
    assert_eq!(service.get_as(&owner, SETTINGS).await.status, StatusCode::NOT_FOUND);
    assert_eq!(service.delete_as(&owner, SETTINGS).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn only_admins_and_owners_of_enterprise_teams_configure_single_sign_on() {
    let service = Service::start().await;
    let team = service.team(Tier::Enterprise).await;
    let admin = service.session(&team, Role::Admin).await;
    let put = service.put_as(&admin, SETTINGS, settings(&[DOMAIN])).await;
    assert_eq!((put.status, &put.body["highestRole"]), (StatusCode::OK, &json!("admin")));
    let member = service.session(&team, Role::Member).await;
    let key = service.key_of(&team, access::Environment::Live, &Scope::ALL).await;
    for token in [&member, &key] {
        for answer in [
            service.get_as(token, SETTINGS).await,
            service.put_as(token, SETTINGS, settings(&[DOMAIN])).await,
            service.post_as(token, VERIFY, json!({})).await,
            service.delete_as(token, SETTINGS).await,
        ] {
            assert_eq!((answer.status, answer.slug()), (StatusCode::FORBIDDEN, "forbidden"));
        }
    }
    let small = service.team(Tier::Professional).await;
    let small = service.session(&small, Role::Owner).await;
    let refused = service.put_as(&small, SETTINGS, settings(&[DOMAIN])).await;
    assert_eq!(
        (refused.slug(), &refused.body["requiredTier"]),
        ("tier-not-unlocked", &json!("enterprise"))
    );
}

/// An owner confirms the provider by saving the settings.
#[tokio::test]
async fn the_highest_role_is_that_of_the_user_who_chose_the_provider() {
    let service = Service::start().await;
    let team = service.team(Tier::Enterprise).await;
    let admin = service.session(&team, Role::Admin).await;
    let owner = service.session(&team, Role::Owner).await;
    let put = async |token: &str, client: &str| {
        let mut body = settings(&[DOMAIN]);
        body["clientId"] = client.into();
        service.put_as(token, SETTINGS, body).await.body["highestRole"].clone()
    };
    assert_eq!(put(&admin, "one").await, "admin");
    assert_eq!(put(&owner, "one").await, "owner");
    assert_eq!(put(&admin, "one").await, "owner", "the same provider");
    assert_eq!(put(&admin, "two").await, "admin", "another provider");
}

#[tokio::test]
async fn wrong_settings_are_refused_with_the_name_of_the_member() {
    let service = Service::start().await;
    let owner = owner(&service).await;
    let long = "x".repeat(256);
    let domains: Vec<String> = (0..21).map(|it| format!("d{it}.example")).collect();
    for (member, value) in [
        ("issuer", json!("login.example")),
        ("issuer", json!("http://login.example")),
        ("issuer", json!("https://login.example?tenant=1")),
        ("issuer", json!("https://login.example#x")),
        ("issuer", json!("https://user:secret@login.example")),
        ("issuer", json!("https://localhost")),
        ("issuer", json!("https://127.0.0.1:8443")),
        ("issuer", json!("https://169.254.169.254")),
        ("issuer", json!("https://[::ffff:169.254.169.254]")),
        ("issuer", json!("https://10.0.0.1")),
        ("issuer", json!("file:///etc/passwd")),
        ("issuer", json!(format!("https://{long}.example"))),
        ("clientId", json!("")),
        ("clientId", json!(long)),
        ("clientId", json!("a b")),
        ("clientSecret", json!("a\nb")),
        ("clientSecret", json!("")),
        ("domains", json!([])),
        ("domains", json!(["gmail.com"])),
        ("domains", json!(["ch"])),
        ("domains", json!(["127.0.0.1"])),
        ("domains", json!(["a.example", "A.example"])),
        ("domains", json!(domains)),
    ] {
        let mut body = settings(&[DOMAIN]);
        body[member] = value.clone();
        let refused = service.put_as(&owner, SETTINGS, body).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{value}: {}", refused.text);
        let named = refused.body["errors"][0]["member"].as_str().expect("a member");
        assert!(named.starts_with(member), "{value}: {}", refused.text);
        assert!(!refused.text.contains("a\\nb"), "the secret: {}", refused.text);
        service.pass_seconds(600);
    }
    assert_eq!(service.identity_provider.requests(CONFIGURATION), 0, "nobody was asked");
}

#[tokio::test]
async fn a_provider_that_fails_or_sends_a_forged_answer_is_refused_in_time() {
    let service = Service::start().await;
    let owner = owner(&service).await;
    let put = async || service.put_as(&owner, SETTINGS, settings(&[DOMAIN])).await;
    let internal = "https://169.254.169.254/latest/meta-data/".to_owned();
    for (endpoint, fault, reason) in [
        (CONFIGURATION, Fault::Status(500), "answered with status 500"),
        (CONFIGURATION, Fault::Redirect(internal.clone()), "answered with status 307"),
        (KEYS, Fault::Redirect(internal), "answered with status 307"),
        (CONFIGURATION, Fault::Size(300_000), "larger than 262144 bytes"),
        (KEYS, Fault::Size(300_000), "larger than 262144 bytes"),
        (CONFIGURATION, Fault::Delay(std::time::Duration::from_secs(60)), "no response within"),
        (CONFIGURATION, Fault::Body("<html>".into()), "not that of an OpenID provider"),
        (KEYS, Fault::Body("[]".into()), "not a JSON Web Key Set"),
    ] {
        service.identity_provider.fail(endpoint, Some(fault.clone()));
        let refused = put().await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{fault:?}: {}", refused.text);
        assert!(refused.detail().contains(reason), "{fault:?}: {}", refused.text);
        service.identity_provider.fail(endpoint, None);
    }
    for (member, value, reason) in [
        ("issuer", json!("https://other.example"), "names another issuer"),
        ("jwks_uri", json!("http://login.example/keys"), "must start with `https://`"),
        ("jwks_uri", json!("https://127.0.0.1/keys"), "not on the public internet"),
        ("token_endpoint", json!("https://10.0.0.1/token"), "not on the public internet"),
        ("authorization_endpoint", json!("javascript:alert(1)"), "must have a host"),
        ("code_challenge_methods_supported", json!(["plain"]), "PKCE"),
    ] {
        service.identity_provider.configure(json!({ member: value }));
        let refused = put().await;
        assert_eq!(refused.body["errors"][0]["member"], "issuer", "{member}: {}", refused.text);
        assert!(refused.detail().contains(reason), "{member}: {}", refused.text);
    }
    service.identity_provider.configure(json!({}));
    assert_eq!(put().await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_domain_counts_once_its_record_was_seen() {
    let service = Service::start().await;
    let owner = owner(&service).await;
    let put = service.put_as(&owner, SETTINGS, settings(&[DOMAIN, "muster.example"])).await;
    let verify = async || service.post_as(&owner, VERIFY, json!({})).await;
    let unseen = verify().await;
    assert_eq!(unseen.status, StatusCode::OK, "{}", unseen.text);
    assert_eq!(
        (status(&unseen, DOMAIN), status(&unseen, "muster.example")),
        ("pending", "pending")
    );
    service.set_record(Some(vec!["v=spf1 -all".into(), "gotthard-guess".into()]));
    assert_eq!(status(&verify().await, DOMAIN), "pending");
    service.set_record(None);
    assert_eq!(status(&verify().await, DOMAIN), "pending");
    let mut one: Value = put.body.clone();
    one["domains"].as_array_mut().expect("domains").truncate(1);
    service.set_record(Some(vec!["v=spf1 -all".into()]));
    service.publish_records(&one);
    let seen = verify().await;
    assert_eq!((status(&seen, DOMAIN), status(&seen, "muster.example")), ("verified", "pending"));
    assert_eq!(seen.body["domains"][0]["lastSeenAt"], "2026-11-20T12:30:00Z");
    assert_eq!(service.get_as(&owner, SETTINGS).await.body, seen.body);
}

#[tokio::test]
async fn a_domain_belongs_to_one_team_until_its_record_is_removed() {
    let service = Service::start().await;
    let first = service.sso_team().await;
    let second = owner(&service).await;
    let put = service.put_as(&second, SETTINGS, settings(&[DOMAIN])).await;
    let theirs = put.body["domains"][0]["recordValue"].as_str().expect("a value").to_owned();
    service.publish_records(&put.body);
    let verify = async |token: &str| service.post_as(token, VERIFY, json!({})).await;
    let refused = verify(&second).await;
    assert_eq!((refused.status, refused.slug()), (StatusCode::CONFLICT, "conflict"));
    assert!(refused.detail().contains(DOMAIN), "{}", refused.text);
    // The name servers fail: nothing changes.
    service.set_record(None);
    assert_eq!(status(&verify(&second).await, DOMAIN), "pending");
    assert_eq!(status(&service.get_as(&first.owner, SETTINGS).await, DOMAIN), "verified");
    // The domain has a new owner, who has replaced the record.
    service.set_record(Some(vec![theirs]));
    assert_eq!(status(&verify(&second).await, DOMAIN), "verified");
    assert_eq!(status(&service.get_as(&first.owner, SETTINGS).await, DOMAIN), "pending");
    // Of two teams that verify a free domain at the same time, one gets it.
    assert_eq!(service.delete_as(&second, SETTINGS).await.status, StatusCode::NO_CONTENT);
    let third = owner(&service).await;
    let put = service.put_as(&third, SETTINGS, settings(&[DOMAIN])).await;
    service.set_record(Some(Vec::new()));
    service.publish_records(&put.body);
    service.publish_records(&service.get_as(&first.owner, SETTINGS).await.body);
    let (one, other) = futures_util::future::join(verify(&first.owner), verify(&third)).await;
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "{} {}", one.text, other.text);
}

#[tokio::test]
async fn domains_that_are_left_out_become_free() {
    let service = Service::start().await;
    let first = service.sso_team().await;
    let put = service.put_as(&first.owner, SETTINGS, settings(&["other.example"])).await;
    assert_eq!(put.status, StatusCode::OK);
    let second = owner(&service).await;
    let put = service.put_as(&second, SETTINGS, settings(&[DOMAIN])).await;
    service.publish_records(&put.body);
    let verified = service.post_as(&second, VERIFY, json!({})).await;
    assert_eq!(status(&verified, DOMAIN), "verified");
    // And it is verified again with a new record.
    let again = service.put_as(&first.owner, SETTINGS, settings(&[DOMAIN])).await;
    assert_eq!(status(&again, DOMAIN), "pending");
    let taken = service.post_as(&first.owner, VERIFY, json!({})).await;
    assert_eq!(status(&taken, DOMAIN), "pending", "its new record is not published");
}

#[tokio::test]
async fn a_team_changes_and_verifies_30_times_in_10_minutes() {
    let service = Service::start().await;
    let owner = owner(&service).await;
    for _ in 0..29 {
        service.post_as(&owner, VERIFY, json!({})).await;
    }
    let put = service.put_as(&owner, SETTINGS, settings(&[DOMAIN])).await;
    assert_eq!(put.status, StatusCode::OK);
    for refused in [
        service.put_as(&owner, SETTINGS, settings(&[DOMAIN])).await,
        service.post_as(&owner, VERIFY, json!({})).await,
    ] {
        assert_eq!(
            (refused.status, &refused.body["limit"]),
            (StatusCode::TOO_MANY_REQUESTS, &json!(30))
        );
        assert_eq!(refused.body["violatedPolicies"], json!(["single_sign_on"]));
    }
    assert_eq!(service.identity_provider.requests(CONFIGURATION), 1);
    service.pass_seconds(600);
    assert_eq!(service.post_as(&owner, VERIFY, json!({})).await.status, StatusCode::OK);
}
