//! Single sign-on of a team: its settings, and the domains that it verifies.

use access::{Role, Scope, Tier};
use auth::TeamId;
use aws_sdk_dynamodb::types::AttributeValue;
use emulators::identity_provider::{CONFIGURATION, Fault, KEYS};
use http::StatusCode;
use serde_json::{Value, json};
use store::keys::Key;
use teams::Check;
use tests::{
    Answer, PROVIDER_URL, SSO_SECRET, Service, SignedInMember, operator,
    sso::{CLIENT_ID, CONFIRM, DOMAIN, SETTINGS, SsoTeam, VERIFY, settings, user},
};

use crate::items::Items;

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
async fn only_owners_choose_the_provider_and_admins_change_the_rest() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let admin = service.session(&team.id, Role::Admin).await;
    let added = service.put_as(&team.owner, SETTINGS, settings(&[DOMAIN, "muster.example"])).await;
    assert_eq!(added.status, StatusCode::OK, "{}", added.text);
    // The same provider: the secret, and fewer domains. What is verified stays so.
    let mut same = settings(&[DOMAIN]);
    same["clientSecret"] = "s3cret".into();
    let put = service.put_as(&admin, SETTINGS, same).await;
    assert_eq!((put.status, status(&put, DOMAIN)), (StatusCode::OK, "verified"));
    let verified = service.post_as(&admin, VERIFY, json!({})).await;
    assert_eq!(verified.status, StatusCode::OK, "{}", verified.text);

    let asked = service.identity_provider.requests(CONFIGURATION);
    for (member, value) in [("issuer", "https://login.evil.example"), ("clientId", "other")] {
        let mut other = settings(&[DOMAIN]);
        other[member] = value.into();
        let refused = service.put_as(&admin, SETTINGS, other).await;
        assert_eq!((refused.status, refused.slug()), (StatusCode::FORBIDDEN, "forbidden"));
        assert!(refused.detail().contains("only an owner"), "{}", refused.text);
    }
    // Who has a domain decides about its users: with Google, the domain of an own organisation is enough to sign in.
    let refused = service.put_as(&admin, SETTINGS, settings(&[DOMAIN, "evil.example"])).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.text);
    assert!(refused.detail().contains("add domains"), "{}", refused.text);
    assert_eq!(service.identity_provider.requests(CONFIGURATION), asked, "nobody was asked");
    assert_eq!(service.get_as(&admin, SETTINGS).await.body, verified.body, "nothing has changed");
    // An admin can stop it, and not set it up again.
    assert_eq!(service.delete_as(&admin, SETTINGS).await.status, StatusCode::NO_CONTENT);
    let first = service.put_as(&admin, SETTINGS, settings(&[DOMAIN])).await;
    assert_eq!(first.status, StatusCode::FORBIDDEN, "{}", first.text);
    assert_eq!(service.get_as(&admin, SETTINGS).await.status, StatusCode::NOT_FOUND);

    let member = service.session(&team.id, Role::Member).await;
    let key = service.key_of(&team.id, access::Environment::Live, &Scope::ALL).await;
    for token in [&member, &key] {
        for answer in [
            service.get_as(token, SETTINGS).await,
            service.put_as(token, SETTINGS, settings(&[DOMAIN])).await,
            service.post_as(token, VERIFY, json!({})).await,
            service.post_as(token, CONFIRM, json!({})).await,
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

/// For a minute, a process knows only the role that the user had.
#[tokio::test]
async fn the_stored_role_decides_who_chooses_and_confirms_the_provider() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let demoted = service.member(&team.id, Role::Owner).await;
    assert_eq!(service.get_as(&demoted.token, SETTINGS).await.status, StatusCode::OK);
    demote(&service, &team, &demoted.id).await;
    let mut other = settings(&[DOMAIN]);
    other["clientId"] = "other".into();
    for refused in [
        service.put_as(&demoted.token, SETTINGS, other).await,
        service.post_as(&demoted.token, CONFIRM, json!({})).await,
    ] {
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.text);
        assert!(refused.detail().contains("owner"), "{}", refused.text);
    }
}

async fn demote(service: &Service, team: &SsoTeam, user: &str) {
    let path = format!("/v1/teams/me/members/{user}");
    let demoted = service.put_as(&team.owner, &path, json!({ "role": "admin" })).await;
    assert_eq!(demoted.status, StatusCode::OK, "{}", demoted.text);
}

/// The recipients of the mails with this subject, sorted.
async fn told(service: &Service, subject: &str) -> Vec<String> {
    service.run_mails().await;
    let mails = service.mails().into_iter().filter(|it| it.subject == subject);
    let mut to: Vec<String> = mails.map(|it| it.to).collect();
    to.sort();
    to
}

const CHOSEN: &str = "Single sign-on: another identity provider";
const REMOVED: &str = "Single sign-on was removed";
const UNCONFIRMED: &str = "Single sign-on must be confirmed";

/// The address of the user of a session.
async fn email_of(service: &Service, token: &str) -> String {
    let me = service.get_as(token, "/v1/auth/me").await;
    me.body["user"]["email"].as_str().expect("an address").to_owned()
}

/// A member whose language is English.
async fn english(service: &Service, team: &SsoTeam, role: Role) -> SignedInMember {
    let member = service.member(&team.id, role).await;
    let put = service.put_as(&member.token, "/v1/auth/me", json!({ "language": "en" })).await;
    assert_eq!(put.status, StatusCode::OK, "{}", put.text);
    member
}

#[tokio::test]
async fn another_provider_takes_back_domains_and_accounts_and_all_owners_are_told() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    service.run_mails().await;
    let (one, two) =
        (english(&service, &team, Role::Owner).await, english(&service, &team, Role::Owner).await);
    english(&service, &team, Role::Admin).await;
    let eva = service.sso(&team, user("eva", "eva.muster@example.ch")).await;
    assert_eq!(eva.status, StatusCode::OK, "{}", eva.text);
    let before = service.get_as(&team.owner, SETTINGS).await;
    let first = email_of(&service, &team.owner).await;
    let mut owners = vec![first.clone(), one.email.clone(), two.email.clone()];
    owners.sort();
    let alone = std::slice::from_ref(&first);
    assert_eq!(told(&service, CHOSEN).await, alone, "chosen before the others were owners");

    for client in ["other", CLIENT_ID] {
        let mut other = settings(&[DOMAIN]);
        other["clientId"] = client.into();
        let put = service.put_as(&one.token, SETTINGS, other).await;
        assert_eq!(put.status, StatusCode::OK, "{}", put.text);
        let [old, new] = [&before, &put].map(|it| &it.body["domains"][0]);
        assert_eq!((&new["status"], new.get("lastSeenAt")), (&json!("pending"), None));
        assert_ne!(new["recordValue"], old["recordValue"], "another record");
        // The old record is still published.
        assert_eq!(
            status(&service.post_as(&one.token, VERIFY, json!({})).await, DOMAIN),
            "pending"
        );
        let refused = service.sso(&team, user("eva", "eva.muster@example.ch")).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.text);
    }
    let mut twice: Vec<String> = owners.iter().flat_map(|it| [it.clone(), it.clone()]).collect();
    twice.push(first);
    twice.sort();
    assert_eq!(told(&service, CHOSEN).await, twice);
    let mail = service.mails().into_iter().find(|it| it.subject == CHOSEN).expect("a mail");
    assert!(mail.text.contains(&team.id.0), "{}", mail.text);

    // Nor is the account linked that was, at the same provider.
    service.publish_records(&service.get_as(&one.token, SETTINGS).await.body);
    service.post_as(&one.token, VERIFY, json!({})).await;
    let unlinked = service.sso(&team, user("eva", "eva.muster@example.ch")).await;
    assert!(unlinked.detail().contains("is not linked"), "{}", unlinked.text);
    let key = |sort: String| Key { partition: format!("TEAM#{}#live", team.id), sort };
    let id = eva.body["user"]["id"].as_str().expect("an id");
    let copy = Items::of_tenants(&service).find(&key(format!("SSO-USER#{id}"))).await;
    assert_eq!(copy, None, "deleted");

    assert_eq!(service.delete_as(&one.token, SETTINGS).await.status, StatusCode::NO_CONTENT);
    assert_eq!(told(&service, REMOVED).await, owners);
}

/// A change of settings that is killed has deleted no account. None of them counts.
#[tokio::test]
async fn accounts_of_an_earlier_choice_are_deleted_by_later_changes_too() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let mut ids = Vec::new();
    for number in 0..50 {
        let claims = user(&format!("u{number}"), &format!("u{number}@example.ch"));
        let signed_in = service.sso(&team, claims).await;
        ids.push(signed_in.body["user"]["id"].as_str().expect(&signed_in.text).to_owned());
    }
    let key = operator(team.id.clone());
    let items = Items::of_tenants(&service);
    let copy = |id: &str| Key {
        partition: format!("TEAM#{}#live", team.id),
        sort: format!("SSO-USER#{id}"),
    };
    let tenants = &service.cloud.tenants;
    tenants.forget_identities(&key).await.expect("nothing to do");
    assert!(items.find(&copy(&ids[0])).await.is_some(), "they count");
    // Only the settings, as if the process had ended then.
    tenants.delete_single_sign_on(&key, service.now()).await.expect("deleted");
    assert!(items.find(&copy(&ids[49])).await.is_some());
    let put = service.put_as(&team.owner, SETTINGS, settings(&[DOMAIN])).await;
    assert_eq!(put.status, StatusCode::OK, "{}", put.text);
    for id in &ids {
        assert_eq!(items.find(&copy(id)).await, None);
    }
}

#[tokio::test]
async fn a_provider_whose_owner_has_left_needs_confirmation_after_seven_days() {
    const DAY: i64 = 86_400;
    for how in ["demoted", "removed", "left", "erased"] {
        let service = Service::start().await;
        let team = service.sso_team().await;
        let owner = english(&service, &team, Role::Owner).await;
        let other = english(&service, &team, Role::Owner).await;
        let mut chosen = settings(&[DOMAIN]);
        chosen["clientId"] = "chosen".into();
        let put = service.put_as(&owner.token, SETTINGS, chosen.clone()).await;
        service.publish_records(&put.body);
        service.post_as(&owner.token, VERIFY, json!({})).await;
        let eva = async || service.sso(&team, user("eva", "eva.muster@example.ch")).await;
        let session = eva().await.body["token"].as_str().expect("a token").to_owned();
        assert!(put.body.get("confirmationNeededBy").is_none(), "{}", put.text);

        let path = format!("/v1/teams/me/members/{}", owner.id);
        match how {
            "demoted" => demote(&service, &team, &owner.id).await,
            "removed" => drop(service.delete_as(&team.owner, &path).await),
            "erased" => drop(service.delete_as(&owner.token, "/v1/auth/me").await),
            _ => drop(service.post_as(&owner.token, "/v1/teams/me/leave", json!({})).await),
        }
        let mut owners = [other.email.clone(), email_of(&service, &team.owner).await];
        owners.sort();
        assert_eq!(told(&service, UNCONFIRMED).await, owners, "{how}");
        let read = service.get_as(&other.token, SETTINGS).await;
        assert_eq!(read.body["confirmationNeededBy"], "2026-11-27T12:30:00Z", "{how}");
        service.pass_seconds(7 * DAY - 1);
        assert_eq!(eva().await.status, StatusCode::OK, "{how}");
        let id_token = {
            let claims = service.identity_provider.claims("chosen", None);
            service.identity_provider.signed(&claims)
        };
        let fresh = service.second_process();
        assert_eq!(fresh.get_as(&id_token, "/v1/auth/me").await.status, StatusCode::OK, "{how}");
        let last = eva().await.body["token"].as_str().expect("a token").to_owned();

        service.pass_seconds(1);
        let refused = eva().await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{how}: {}", refused.text);
        assert!(refused.detail().contains("must confirm"), "{}", refused.text);
        for token in [&session, &last, &id_token] {
            let refused = service.second_process().get_as(token, "/v1/auth/me").await;
            assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{how}: {}", refused.text);
        }
        // Saving the settings is no confirmation.
        let other = service.session_of(&team.id, &other.id).await;
        let saved = service.put_as(&other, SETTINGS, chosen).await;
        assert!(saved.body.get("confirmationNeededBy").is_some(), "{how}: {}", saved.text);
        let confirmed = service.post_as(&other, CONFIRM, json!({})).await;
        assert_eq!(confirmed.status, StatusCode::OK, "{how}: {}", confirmed.text);
        assert!(confirmed.body.get("confirmationNeededBy").is_none(), "{}", confirmed.text);
        assert_eq!(eva().await.status, StatusCode::OK, "{how}");
    }
}

/// The mail is not lost if the process ends between the change and the mail, or mails cannot be sent.
#[tokio::test]
async fn owners_are_told_by_a_later_request_if_the_first_one_could_not() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    service.run_mails().await;
    let owner = english(&service, &team, Role::Owner).await;
    let key = operator(team.id.clone());
    let me = service.get_as(&team.owner, "/v1/auth/me").await;
    let id = me.body["user"]["id"].as_str().expect("an id").to_owned();
    let tenants = &service.cloud.tenants;
    let removed = tenants.remove_member(&key, &id, |_| true, service.now()).await;
    assert!(removed.expect("removed").is_some());
    assert_eq!(told(&service, UNCONFIRMED).await, Vec::<String>::new());
    service.sso(&team, user("eva", "eva.muster@example.ch")).await;
    assert_eq!(told(&service, UNCONFIRMED).await, std::slice::from_ref(&owner.email));
    service.get_as(&owner.token, SETTINGS).await;
    assert_eq!(told(&service, UNCONFIRMED).await, [owner.email], "once");
}

/// The name servers answer late: meanwhile, the team chooses another provider, with the same domain.
#[tokio::test]
async fn a_look_up_verifies_the_domain_of_the_provider_with_which_it_started() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let tenants = &service.cloud.tenants;
    let before = tenants.single_sign_on(&operator(team.id.clone())).await.expect("read");
    let before = before.expect("set up").domains.remove(0);
    let mut other = settings(&[DOMAIN]);
    other["clientId"] = "other".into();
    assert_eq!(service.put_as(&team.owner, SETTINGS, other).await.status, StatusCode::OK);
    let checks = [(before, Check::Found)];
    tenants.record_domain_checks(&team.id, &checks, service.now()).await.expect("stored");
    assert_eq!(status(&service.get_as(&team.owner, SETTINGS).await, DOMAIN), "pending");
}

/// An owner whose mails cannot be sent.
#[tokio::test]
async fn each_owner_is_told_once_and_by_itself() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    told(&service, CHOSEN).await;
    let (one, two) =
        (english(&service, &team, Role::Owner).await, english(&service, &team, Role::Owner).await);
    let mut other = settings(&[DOMAIN]);
    other["clientId"] = "other".into();
    assert_eq!(service.put_as(&team.owner, SETTINGS, other).await.status, StatusCode::OK);
    // One was told before the worker was killed.
    let tenants = &service.cloud.tenants;
    let mut news = tenants.sso_news(&team.id).await.expect("read").remove(0);
    let first = tenants.user(&one.id).await.expect("read").expect("a user");
    tenants.put_told(&team.id, &mut news, &first, service.now()).await.expect("stored");
    let before = told(&service, CHOSEN).await;
    assert!(before.contains(&two.email) && !before.contains(&one.email), "{before:?}");
    service.get_as(&team.owner, SETTINGS).await;
    assert_eq!(told(&service, CHOSEN).await, before);
}

/// The item of a team's client secret.
fn secret_key(team: &TeamId) -> Key {
    Key { partition: format!("TEAM#{team}#live"), sort: "SSO-SECRET".to_owned() }
}

#[tokio::test]
async fn client_secrets_are_encrypted_for_their_team_and_provider() {
    const SECRET: &str = "s3cret-of-the-client";
    let service = Service::start().await;
    let team = service.sso_team().await;
    let items = Items::of_tenants(&service);
    service.identity_provider.require_secret(SECRET);
    let mut body = settings(&[DOMAIN]);
    body["clientSecret"] = SECRET.into();
    assert_eq!(service.put_as(&team.owner, SETTINGS, body.clone()).await.status, StatusCode::OK);
    let stored = items.get(&secret_key(&team.id)).await;
    assert!(!format!("{stored:?}").contains(SECRET), "{stored:?}");
    let sign_in = async |service: &Service| {
        service.sso(&team, user("eva", "eva.muster@example.ch")).await.status
    };
    assert_eq!(sign_in(&service).await, StatusCode::OK);
    // Another secret of the deployment does not open it; with the old one behind it, it does.
    let another = "another-secret-of-the-deployment-which-is-long";
    let rotated = format!("{another} {SSO_SECRET}");
    assert_eq!(sign_in(&service.with_sso_secret(another)).await, StatusCode::INTERNAL_SERVER_ERROR);
    let rotated = service.with_sso_secret(&rotated);
    assert_eq!(sign_in(&rotated).await, StatusCode::OK);
    // The next change encrypts it with the new one.
    let put = rotated.put_as(&team.owner, SETTINGS, settings(&[DOMAIN])).await;
    assert_eq!(put.body["hasClientSecret"], true, "{}", put.text);
    assert_eq!(sign_in(&service.with_sso_secret(another)).await, StatusCode::OK);

    // The item of one team is of no use for another.
    let stored = items.get(&secret_key(&team.id)).await;
    let other = service.team(Tier::Enterprise).await;
    let other = SsoTeam { owner: service.session(&other, Role::Owner).await, id: other };
    let mut body = settings(&["muster.example"]);
    body["clientSecret"] = "x".into();
    let put = service.put_as(&other.owner, SETTINGS, body).await;
    service.publish_records(&put.body);
    service.post_as(&other.owner, VERIFY, json!({})).await;
    let mut moved = stored;
    moved.insert("pk".into(), AttributeValue::S(secret_key(&other.id).partition));
    items.put(moved).await;
    let service = service.with_sso_secret(another);
    let stolen = service.sso(&other, user("eva", "eva@muster.example")).await;
    assert_eq!(stolen.status, StatusCode::INTERNAL_SERVER_ERROR, "{}", stolen.text);
    assert!(!stolen.text.contains("secret"), "{}", stolen.text);
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
        ("issuer", json!("https://login.microsoftonline.com/common/v2.0")),
        ("issuer", json!("https://login.microsoftonline.com/organizations/v2.0")),
        (
            "issuer",
            json!("https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"),
        ),
        ("issuer", json!("https://gitlab.com")),
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

/// All owners are told of each by e-mail.
#[tokio::test]
async fn a_provider_is_chosen_or_confirmed_at_most_ten_times_a_day() {
    let service = Service::start().await;
    let owner = owner(&service).await;
    let choose = async |client: &str| {
        let mut settings = settings(&[DOMAIN]);
        settings["clientId"] = client.into();
        service.put_as(&owner, SETTINGS, settings).await
    };
    for number in 0..5 {
        assert_eq!(choose(&format!("client-{number}")).await.status, StatusCode::OK);
        let confirmed = service.post_as(&owner, CONFIRM, json!({})).await;
        assert_eq!(confirmed.status, StatusCode::OK, "{}", confirmed.text);
    }
    for refused in [choose("another").await, service.post_as(&owner, CONFIRM, json!({})).await] {
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{}", refused.text);
        assert_eq!(refused.body["violatedPolicies"], json!(["identity_providers"]));
    }
    // What chooses no provider is not counted, and single sign-on can always be removed.
    assert_eq!(choose("client-4").await.status, StatusCode::OK);
    assert_eq!(service.delete_as(&owner, SETTINGS).await.status, StatusCode::NO_CONTENT);
    service.pass_seconds(24 * 3_600);
    let owner = self::owner(&service).await;
    let chosen = service.put_as(&owner, SETTINGS, settings(&[DOMAIN])).await;
    assert_eq!(chosen.status, StatusCode::OK, "{}", chosen.text);
}
