//! Sign-in with the identity provider of a team: who gets in, and as whom.

use access::{Role, Tier};
use emulators::identity_provider::{CONFIGURATION, Fault, Key, TOKEN};
use http::{Request, StatusCode, header};
use serde_json::{Value, json};
use tests::{
    Answer, PROVIDER_URL, Service,
    sso::{Browser, CLIENT_ID, DOMAIN, SETTINGS, SsoTeam, account_link, parameter, settings, user},
};

const ME: &str = "/v1/auth/me";
const EVA: &str = "eva.muster@example.ch";

fn token(answer: &Answer) -> &str {
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    answer.body["token"].as_str().expect("a token")
}

/// Number of members of the team.
async fn members(service: &Service, team: &SsoTeam) -> usize {
    let members = service.get_as(&team.owner, "/v1/teams/me/members").await;
    members.body.as_array().expect("a list").len()
}

fn is_refused(answer: &Answer, status: StatusCode, reason: &str) {
    assert_eq!(answer.status, status, "{}", answer.text);
    assert!(answer.detail().contains(reason), "{}", answer.text);
    assert!(answer.body.get("token").is_none());
}

#[tokio::test]
async fn a_new_user_becomes_a_member_and_is_the_same_user_next_time() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let mut claims = user("eva", "Eva.Muster@Example.ch");
    claims["name"] = "Eva Muster".into();
    let first = service.sso(&team, claims).await;
    let me = service.get_as(token(&first), ME).await;
    assert_eq!(first.header("cache-control"), Some("no-store"));
    assert_eq!(me.status, StatusCode::OK, "{}", me.text);
    assert_eq!(
        me.body,
        json!({
            "user": first.body["user"], "team": first.body["team"], "tier": "enterprise",
            "role": "member", "authMethod": "sso", "scopes": ["read", "write"],
        })
    );
    assert_eq!(
        (&me.body["user"]["email"], &me.body["user"]["name"], &me.body["team"]["id"]),
        (&json!(EVA), &json!("Eva Muster"), &json!(team.id.0))
    );
    assert_eq!(first.body["expiresAt"], "2026-11-21T00:30:00Z");
    // The account at the provider decides, not the address.
    let second = service.sso(&team, user("eva", "eva.meier@example.ch")).await;
    assert_eq!(second.body["user"], first.body["user"], "{}", second.text);
    assert_eq!(members(&service, &team).await, 2);
    // A link signs in the same user.
    let other = service.sso(&team, user("hans", "hans@example.ch")).await;
    assert_ne!(other.body["user"]["id"], first.body["user"]["id"]);
}

#[tokio::test]
async fn the_browser_is_sent_to_the_provider_with_everything_that_protects_the_sign_in() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    for tenant in [team.id.0.as_str(), DOMAIN, "EXAMPLE.ch"] {
        let mut browser = Browser::new(&service);
        let started = browser.open(&format!("/v1/auth/sso/{tenant}"), "text/html").await;
        assert_eq!(started.status, StatusCode::FOUND, "{tenant}: {}", started.text);
        assert_eq!(started.header("cache-control"), Some("no-store"));
        let cookie = started.header("set-cookie").expect("a cookie");
        assert!(cookie.starts_with("__Host-gotthard-sso="), "{cookie}");
        assert!(
            cookie.ends_with("; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure"),
            "{cookie}"
        );
        let address = started.header("location").expect("an address");
        assert!(address.starts_with(&format!("{PROVIDER_URL}/authorize?")), "{address}");
        for (name, value) in [
            ("response_type", "code"),
            ("client_id", CLIENT_ID),
            ("scope", "openid+email+profile"),
            ("code_challenge_method", "S256"),
        ] {
            assert_eq!(parameter(address, name), value);
        }
        let callback = parameter(address, "redirect_uri");
        assert!(callback.ends_with(&format!("callback%3Fteam%3D{}", team.id)), "{callback}");
        for name in ["state", "nonce", "code_challenge"] {
            assert_eq!(parameter(address, name).len(), 43, "{name}");
        }
    }
    for unknown in ["nobody.example", "0199c0de-0000-7000-8000-000000000000", "x", "gmail.com"] {
        let missing = service.get(&format!("/v1/auth/sso/{unknown}")).await;
        assert_eq!(missing.status, StatusCode::NOT_FOUND, "{unknown}");
    }
}

#[tokio::test]
async fn state_nonce_and_verifier_work_once() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let mut browser = Browser::new(&service);
    let address = browser.start(DOMAIN).await;
    let back = browser.at_provider(&address, user("eva", EVA)).await;
    assert_eq!(browser.open(&back, "application/json").await.status, StatusCode::OK);
    is_refused(
        &browser.open(&back, "application/json").await,
        StatusCode::UNAUTHORIZED,
        "start again",
    );

    // Of requests at the same time, one signs in, and one redeems the code.
    let address = browser.start(DOMAIN).await;
    let back = browser.at_provider(&address, user("eva", EVA)).await;
    let cookie = browser.cookie.clone().expect("a cookie");
    let before = service.identity_provider.requests(TOKEN);
    let requests = (0..6).map(|_| {
        let request = Request::get(&back).header(header::COOKIE, &cookie);
        service.send(request)
    });
    let answers = futures_util::future::join_all(requests).await;
    assert_eq!(answers.iter().filter(|it| it.status == StatusCode::OK).count(), 1, "{answers:?}");
    assert_eq!(service.identity_provider.requests(TOKEN), before + 1);

    // A code that was stolen is of no use: its verifier and nonce are those of another attempt.
    let address = browser.start(DOMAIN).await;
    let stolen = browser.at_provider(&address, user("eva", EVA)).await;
    let mut thief = Browser::new(&service);
    let own = thief.start(DOMAIN).await;
    let mixed = format!(
        "/v1/auth/sso/callback?team={}&code={}&state={}",
        team.id,
        parameter(&stolen, "code"),
        parameter(&own, "state")
    );
    is_refused(
        &thief.open(&mixed, "application/json").await,
        StatusCode::UNAUTHORIZED,
        "invalid_grant",
    );
}

#[tokio::test]
async fn only_the_browser_that_started_a_sign_in_finishes_it() {
    let service = Service::start().await;
    service.sso_team().await;
    let mut browser = Browser::new(&service);
    let address = browser.start(DOMAIN).await;
    let back = browser.at_provider(&address, user("eva", EVA)).await;
    let mut other = Browser::new(&service);
    for cookie in [None, Some("__Host-gotthard-sso=x".to_owned())] {
        other.cookie = cookie;
        is_refused(
            &other.open(&back, "application/json").await,
            StatusCode::UNAUTHORIZED,
            "this browser",
        );
    }
    other.start(DOMAIN).await;
    is_refused(
        &other.open(&back, "application/json").await,
        StatusCode::UNAUTHORIZED,
        "this browser",
    );
    // Nor has the other browser ended it.
    assert_eq!(browser.open(&back, "application/json").await.status, StatusCode::OK);
    // Two sign-ins in one browser do not disturb each other.
    let (one, two) = (browser.start(DOMAIN).await, browser.start(DOMAIN).await);
    for address in [one, two] {
        let back = browser.at_provider(&address, user("eva", EVA)).await;
        assert_eq!(browser.open(&back, "application/json").await.status, StatusCode::OK);
    }
    // Ten minutes.
    let address = browser.start(DOMAIN).await;
    let back = browser.at_provider(&address, user("eva", EVA)).await;
    service.pass_seconds(600);
    is_refused(
        &browser.open(&back, "application/json").await,
        StatusCode::UNAUTHORIZED,
        "10 minutes",
    );
}

/// The provider of one team must not get the codes of another team's provider.
#[tokio::test]
async fn an_answer_for_another_team_or_of_another_issuer_is_refused_before_its_code_is_used() {
    let service = Service::start().await;
    service.sso_team().await;
    let other = service.team(Tier::Enterprise).await;
    let mut browser = Browser::new(&service);
    let address = browser.start(DOMAIN).await;
    let back = browser.at_provider(&address, user("eva", EVA)).await;
    let before = service.identity_provider.requests(TOKEN);
    let team = parameter(&back, "team");
    let elsewhere = back.replace(&team, &other.0);
    is_refused(
        &browser.open(&elsewhere, "application/json").await,
        StatusCode::UNAUTHORIZED,
        "start again",
    );
    let lying = format!("{back}&iss=https%3A%2F%2Fevil.example");
    is_refused(
        &browser.open(&lying, "application/json").await,
        StatusCode::UNAUTHORIZED,
        "not from the identity provider",
    );
    assert_eq!(service.identity_provider.requests(TOKEN), before);

    // A provider that says that it names itself must do so.
    service
        .identity_provider
        .configure(json!({ "authorization_response_iss_parameter_supported": true }));
    service.pass_seconds(3_600);
    let address = browser.start(DOMAIN).await;
    let back = browser.at_provider(&address, user("eva", EVA)).await;
    is_refused(
        &browser.open(&back, "application/json").await,
        StatusCode::UNAUTHORIZED,
        "not from the identity provider",
    );
    let address = browser.start(DOMAIN).await;
    let back = browser.at_provider(&address, user("eva", EVA)).await;
    let named =
        format!("{back}&iss=https%3A%2F%2Flogin.example&session_state=x&authuser=0&hd=example.ch");
    assert_eq!(browser.open(&named, "application/json").await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_provider_can_refuse_the_user() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let mut browser = Browser::new(&service);
    let state = parameter(&browser.start(DOMAIN).await, "state");
    let back = format!(
        "/v1/auth/sso/callback?team={}&state={state}&error=access_denied&error_description=%3Cscript%3E",
        team.id
    );
    let refused = browser.open(&back, "text/html").await;
    is_refused(&refused, StatusCode::UNAUTHORIZED, "`access_denied`");
    assert!(!refused.text.contains("script"), "{}", refused.text);
}

/// The matrix of ID tokens. None of them signs in, and none makes anybody a member.
#[tokio::test]
async fn an_id_token_that_is_not_for_this_sign_in_is_refused() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let now = service.now().as_second();
    for (claim, value, reason) in [
        ("aud", json!("other"), "another application"),
        ("aud", json!([CLIENT_ID, "other"]), "malformed"),
        ("azp", json!("other"), "malformed"),
        ("iss", json!("https://evil.example"), "another issuer"),
        ("nonce", json!("other"), "`nonce`"),
        ("nonce", Value::Null, "`nonce`"),
        ("exp", Value::Null, "not valid"),
        ("iat", Value::Null, "not valid"),
        ("exp", json!(now), "expired"),
        ("iat", json!(now + 120), "not valid yet"),
        ("nbf", json!(now + 120), "not valid yet"),
        ("sub", Value::Null, "malformed"),
        ("sub", json!(""), "malformed"),
    ] {
        let mut claims = user("eva", EVA);
        claims[claim] = value.clone();
        is_refused(&service.sso(&team, claims).await, StatusCode::UNAUTHORIZED, reason);
    }
    for (body, reason) in [
        (json!({ "access_token": "x" }).to_string(), "no ID token"),
        ("<html>".to_owned(), "no ID token"),
        (json!({ "id_token": "eyJhbGciOiJub25lIn0.e30." }).to_string(), "malformed"),
    ] {
        service.identity_provider.fail(TOKEN, Some(Fault::Body(body)));
        is_refused(&service.sso(&team, user("eva", EVA)).await, StatusCode::UNAUTHORIZED, reason);
    }
    service.identity_provider.fail(TOKEN, None);
    // A key that is not published. The keys are asked for again at most once a minute.
    let forged = Key::new("key-1", 9);
    let published = service.identity_provider.requests(emulators::identity_provider::KEYS);
    service.identity_provider.rotate(forged);
    is_refused(&service.sso(&team, user("eva", EVA)).await, StatusCode::UNAUTHORIZED, "signature");
    assert_eq!(service.identity_provider.requests(emulators::identity_provider::KEYS), published);
    assert_eq!(members(&service, &team).await, 1);
}

#[tokio::test]
async fn only_verified_addresses_of_proven_domains_sign_in() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let unverified = |value: Value| json!({ "sub": "eva", "email": EVA, "email_verified": value });
    for (claims, reason) in [
        (unverified(json!(false)), "no e-mail address that it has verified"),
        (unverified(json!("false")), "no e-mail address that it has verified"),
        (json!({ "sub": "eva" }), "no e-mail address that it has verified"),
        (user("eva", "not an address"), "no e-mail address that it has verified"),
        (user("eva", "eva@other.example"), "`other.example`"),
        (user("eva", "eva@sub.example.ch"), "`sub.example.ch`"),
        (user("eva", "eva@example.ch.evil.example"), "`example.ch.evil.example`"),
    ] {
        is_refused(&service.sso(&team, claims).await, StatusCode::FORBIDDEN, reason);
    }
    // Also the next time.
    let eva = service.sso(&team, user("eva", EVA)).await;
    assert_eq!(eva.status, StatusCode::OK);
    let moved = service.sso(&team, user("eva", "eva@other.example")).await;
    is_refused(&moved, StatusCode::FORBIDDEN, "`other.example`");
    // A domain that is only named does not count.
    let put = service.put_as(&team.owner, SETTINGS, settings(&[DOMAIN, "other.example"])).await;
    assert_eq!(put.status, StatusCode::OK);
    let pending = service.sso(&team, user("eva", "eva@other.example")).await;
    is_refused(&pending, StatusCode::FORBIDDEN, "`other.example`");
    // Microsoft Entra does not say whether it has verified an address.
    let silent = service.sso(&team, json!({ "sub": "nina", "email": "nina@example.ch" })).await;
    assert_eq!(silent.status, StatusCode::OK, "{}", silent.text);
}

#[tokio::test]
async fn an_existing_user_signs_in_only_as_a_member() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    // The user of another team has an address of the domain.
    let elsewhere = service.team(Tier::Free).await;
    let outsider = service.member(&elsewhere, Role::Owner).await;
    let refused = service.sso(&team, user("outsider", &outsider.email)).await;
    is_refused(&refused, StatusCode::FORBIDDEN, "is not a member");
    assert_eq!(members(&service, &team).await, 1);
    // A member keeps its role and its user.
    let member = service.member(&team.id, Role::Admin).await;
    let signed_in = service.linked_sso(&team, user("admin", &member.email)).await;
    let me = service.get_as(token(&signed_in), ME).await;
    assert_eq!((&me.body["user"]["id"], &me.body["role"]), (&json!(member.id), &json!("admin")));
    // A member who was removed is not added again.
    let path = format!("/v1/teams/me/members/{}", member.id);
    assert_eq!(service.delete_as(&team.owner, &path).await.status, StatusCode::NO_CONTENT);
    let refused = service.sso(&team, user("admin", &member.email)).await;
    is_refused(&refused, StatusCode::FORBIDDEN, "is not a member");
    // Whoever has accepted an invitation is a member again.
    let tenants = &service.cloud.tenants;
    let back = local::teams::add_member(tenants, &team.id, &member.id, Role::Member, service.now());
    back.await.expect("a member");
    assert_eq!(service.sso(&team, user("admin", &member.email)).await.status, StatusCode::OK);
}

/// An address may be given to another person.
#[tokio::test]
async fn another_account_with_the_address_of_a_member_is_refused_until_the_member_is_removed() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let eva = service.sso(&team, user("eva-1", EVA)).await;
    let refused = service.sso(&team, user("eva-2", EVA)).await;
    is_refused(&refused, StatusCode::FORBIDDEN, "another account");
    let id = eva.body["user"]["id"].as_str().expect("an id").to_owned();
    let path = format!("/v1/teams/me/members/{id}");
    assert_eq!(service.delete_as(&team.owner, &path).await.status, StatusCode::NO_CONTENT);
    service.pass_seconds(1);
    let tenants = &service.cloud.tenants;
    let back = local::teams::add_member(tenants, &team.id, &id, Role::Member, service.now());
    back.await.expect("a member");
    assert_eq!(service.linked_sso(&team, user("eva-2", EVA)).await.body["user"]["id"], id);
    let old = service.sso(&team, user("eva-1", EVA)).await;
    is_refused(&old, StatusCode::FORBIDDEN, "another account");
}

/// An owner chooses a provider of his own, which states what he likes, and even has the record of the domain published.
#[tokio::test]
async fn a_person_who_controls_the_provider_becomes_nobody_else() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let (owner, admin) =
        (service.member(&team.id, Role::Owner).await, service.member(&team.id, Role::Admin).await);
    let eva = service.sso(&team, user("eva", EVA)).await;
    assert_eq!(eva.status, StatusCode::OK);
    let mut own = settings(&[DOMAIN]);
    own["clientId"] = "chosen-by-an-owner".into();
    let put = service.put_as(&team.owner, SETTINGS, own).await;
    service.publish_records(&put.body);
    let verified = service.post_as(&team.owner, tests::sso::VERIFY, json!({})).await;
    assert_eq!(verified.body["domains"][0]["status"], "verified", "{}", verified.text);

    let mut attacker = Browser::new(&service);
    for (subject, email) in [("x", &owner.email), ("y", &admin.email), ("eva", &EVA.to_owned())] {
        let refused = attacker.sign_in(DOMAIN, user(subject, email)).await;
        is_refused(&refused, StatusCode::FORBIDDEN, "is not linked");
        // The mail goes to the user, and works in the browser that has signed in only.
        let mail = service.mails().remove(0);
        assert_eq!(mail.to, *email);
        let link = account_link(&mail);
        let mut victim = Browser::new(&service);
        is_refused(&victim.post(&link).await, StatusCode::UNAUTHORIZED, "this browser has not");
        victim.start(DOMAIN).await;
        is_refused(&victim.post(&link).await, StatusCode::UNAUTHORIZED, "this browser has not");
        is_refused(
            &attacker.sign_in(DOMAIN, user(subject, email)).await,
            StatusCode::FORBIDDEN,
            "is not linked",
        );
    }
    // An ID token is of no use either.
    let claims = service.identity_provider.claims("chosen-by-an-owner", None);
    let id_token = service.identity_provider.signed(&claims);
    assert_eq!(service.get_as(&id_token, ME).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_member_links_the_account_once_in_the_same_browser_within_ten_minutes() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let member = service.member(&team.id, Role::Admin).await;
    let claims = user("admin", &member.email);
    let mut browser = Browser::new(&service);
    let asked = async |browser: &mut Browser<'_>| {
        let refused = browser.sign_in(DOMAIN, claims.clone()).await;
        is_refused(&refused, StatusCode::FORBIDDEN, "open the link in the e-mail");
        account_link(&service.mails()[0])
    };
    let link = asked(&mut browser).await;
    service.pass_seconds(600);
    is_refused(&browser.post(&link).await, StatusCode::UNAUTHORIZED, "has expired");
    let (one, two) = (asked(&mut browser).await, asked(&mut browser).await);
    // Programs that check mails open links.
    let page = browser.open(&one, "text/html").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    // The member sees what is to be linked.
    assert!(page.text.contains(PROVIDER_URL) && page.text.contains(&member.email), "{}", page.text);
    assert!(page.header("content-security-policy").is_some() && page.text.contains("<button>"));
    let answers = futures_util::future::join(browser.post(&one), browser.post(&one)).await;
    let mut statuses = [answers.0.status.as_u16(), answers.1.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401], "{answers:?}");
    let signed_in = browser.sign_in(DOMAIN, claims.clone()).await;
    assert_eq!(signed_in.body["user"]["id"], member.id, "{}", signed_in.text);
    // Another account can no longer be linked.
    assert_eq!(browser.post(&two).await.status, StatusCode::OK, "the same account");
    assert_eq!(browser.open(&two, "text/html").await.status, StatusCode::UNAUTHORIZED);
    let other = browser.sign_in(DOMAIN, user("other", &member.email)).await;
    is_refused(&other, StatusCode::FORBIDDEN, "another account");
    // It is recorded who has linked an account.
    let log = service.get_as(&team.owner, "/v1/audit-log?action=link_sso").await;
    assert!(log.text.contains(&member.id), "{}", log.text);
}

/// What counts is what is true when the link is followed.
#[tokio::test]
async fn an_account_is_not_linked_after_the_settings_or_the_member_have_changed() {
    for change in ["provider", "removed", "domain"] {
        let service = Service::start().await;
        let team = service.sso_team().await;
        let member = service.member(&team.id, Role::Member).await;
        let mut browser = Browser::new(&service);
        browser.sign_in(DOMAIN, user("member", &member.email)).await;
        let link = account_link(&service.mails()[0]);
        let mut other = settings(&[DOMAIN]);
        let expected = match change {
            "provider" => {
                other["clientId"] = "other".into();
                service.put_as(&team.owner, SETTINGS, other).await;
                StatusCode::UNAUTHORIZED
            }
            "removed" => {
                let path = format!("/v1/teams/me/members/{}", member.id);
                service.delete_as(&team.owner, &path).await;
                StatusCode::FORBIDDEN
            }
            _ => {
                other["domains"] = json!(["other.example"]);
                service.put_as(&team.owner, SETTINGS, other).await;
                StatusCode::FORBIDDEN
            }
        };
        let refused = browser.post(&link).await;
        assert_eq!(refused.status, expected, "{change}: {}", refused.text);
    }
}

/// Sign-ins of others must not block a person's own sign-in mail, nor flood the person.
#[tokio::test]
async fn mails_about_accounts_are_limited_apart_from_other_mails() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let member = service.member(&team.id, Role::Member).await;
    let mut browser = Browser::new(&service);
    for _ in 0..5 {
        let asked = browser.sign_in(DOMAIN, user("member", &member.email)).await;
        assert_eq!(asked.status, StatusCode::FORBIDDEN);
    }
    let refused = browser.sign_in(DOMAIN, user("member", &member.email)).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{}", refused.text);
    let asked = json!({ "email": member.email }).to_string();
    let request =
        Request::post("/v1/auth/magic-link").header(header::CONTENT_TYPE, "application/json");
    assert_eq!(service.send_with(request, asked).await.status, StatusCode::ACCEPTED);
}

/// The provider changes nothing of a user who existed before, not even what is missing.
#[tokio::test]
async fn a_sign_in_changes_nothing_of_an_existing_user_but_the_time() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let member = service.member(&team.id, Role::Member).await;
    let tenants = &service.cloud.tenants;
    let before = tenants.user(&member.id).await.expect("read").expect("a user");
    assert_eq!((&before.name, &before.language), (&None, &None));
    service.pass_seconds(60);
    let mut claims = user("member", &member.email);
    claims["name"] = "Somebody Else".into();
    assert_eq!(service.linked_sso(&team, claims).await.status, StatusCode::OK);
    let after = tenants.user(&member.id).await.expect("read").expect("a user");
    assert_eq!(after.last_login_at, service.now());
    assert_eq!(after, auth::User { last_login_at: after.last_login_at, ..before });
}

/// Everybody can have an account at Google. `hd` names the organisation whose account it is.
#[tokio::test]
async fn google_signs_in_accounts_of_verified_organisations_only() {
    const GOOGLE: &str = "https://accounts.google.com";
    let service = Service::with_provider(GOOGLE).await;
    let team = service.team(Tier::Enterprise).await;
    let owner = service.session(&team, Role::Owner).await;
    let team = SsoTeam { id: team, owner };
    let mut google = settings(&[DOMAIN]);
    google["issuer"] = GOOGLE.into();
    let put = service.put_as(&team.owner, SETTINGS, google).await;
    assert_eq!(put.status, StatusCode::OK, "{}", put.text);
    service.publish_records(&put.body);
    service.post_as(&team.owner, tests::sso::VERIFY, json!({})).await;
    let with = |hd: Value| {
        let mut claims = user("eva", EVA);
        claims["hd"] = hd;
        claims
    };
    for claims in [user("eva", EVA), with(json!("other.example")), with(json!(true))] {
        is_refused(&service.sso(&team, claims).await, StatusCode::FORBIDDEN, "`hd`");
    }
    assert_eq!(service.sso(&team, with(json!("Example.ch"))).await.status, StatusCode::OK);
    // The domain of the organisation is looked up like that of the address.
    let second = "organisation.example";
    let mut both = settings(&[DOMAIN, second]);
    both["issuer"] = GOOGLE.into();
    let put = service.put_as(&team.owner, SETTINGS, both).await;
    service.publish_records(&json!({ "domains": [put.body["domains"][1]] }));
    service.post_as(&team.owner, tests::sso::VERIFY, json!({})).await;
    let other = with(json!(second));
    let id_token_of = |claims: &Value| {
        service.identity_provider.sign_in(claims.clone());
        let claims = service.identity_provider.claims(CLIENT_ID, None);
        service.identity_provider.signed(&claims)
    };
    assert_eq!(service.sso(&team, other.clone()).await.status, StatusCode::OK);
    let name = format!("_gotthard-challenge.{second}");
    service.dns_records.lock().expect("not poisoned").insert(name, Some(Vec::new()));
    service.pass_seconds(7 * 86_400);
    let fresh = service.second_process();
    assert_eq!(fresh.get_as(&id_token_of(&with(json!(DOMAIN))), ME).await.status, StatusCode::OK);
    let gone = fresh.get_as(&id_token_of(&other), ME).await;
    assert_eq!(gone.status, StatusCode::UNAUTHORIZED, "{}", gone.text);
    is_refused(&service.sso(&team, other).await, StatusCode::FORBIDDEN, "`hd`");
    let id_token = |claims: Value| {
        service.identity_provider.sign_in(claims);
        let claims = service.identity_provider.claims(CLIENT_ID, None);
        service.identity_provider.signed(&claims)
    };
    let own = id_token(with(json!(DOMAIN)));
    assert_eq!(service.get_as(&own, ME).await.status, StatusCode::OK);
    for claims in [user("eva", EVA), with(json!("other.example"))] {
        let refused = service.get_as(&id_token(claims), ME).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{}", refused.text);
        assert!(refused.detail().contains("does not accept this account"), "{}", refused.text);
    }
}

#[tokio::test]
async fn a_session_of_single_sign_on_stays_in_its_team_and_ends_with_the_settings() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let member = service.member(&team.id, Role::Admin).await;
    let other = service.team(Tier::Free).await;
    let (tenants, now) = (&service.cloud.tenants, service.now());
    let added = local::teams::add_member(tenants, &other, &member.id, Role::Owner, now);
    added.await.expect("a member");
    let signed_in = service.linked_sso(&team, user("eva", &member.email)).await;
    let session = token(&signed_in).to_owned();
    let switch = json!({ "teamId": other });
    let refused = service.post_as(&session, "/v1/auth/switch-team", switch.clone()).await;
    is_refused(&refused, StatusCode::FORBIDDEN, "sign in with a link");
    let join = json!({ "token": auth::OneTimeToken::generate().expose() });
    let refused = service.post_as(&session, "/v1/teams/join", join).await;
    is_refused(&refused, StatusCode::FORBIDDEN, "sign in with a link");
    // Nor does it create teams or change what all teams of the user see.
    let created = service.post_as(&session, "/v1/teams", json!({ "name": "New" })).await;
    is_refused(&created, StatusCode::FORBIDDEN, "sign in with a link");
    let named = service.put_as(&session, ME, json!({ "name": "Somebody", "language": "it" })).await;
    is_refused(&named, StatusCode::FORBIDDEN, "sign in with a link");
    assert_eq!(service.cloud.tenants.teams_of(&member.id).await.expect("teams").len(), 2);

    let by_link = service.post_as(&member.token, "/v1/auth/switch-team", switch).await;
    assert_eq!(by_link.status, StatusCode::OK);

    assert_eq!(service.get_as(&session, ME).await.status, StatusCode::OK);
    assert_eq!(service.delete_as(&team.owner, SETTINGS).await.status, StatusCode::NO_CONTENT);
    let fresh = service.second_process().get_as(&session, ME).await;
    assert_eq!(fresh.detail(), "the session has ended; sign in again");
    service.pass_seconds(60);
    assert_eq!(service.get_as(&session, ME).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_domain_is_looked_up_again_once_a_day_and_counts_for_a_week_without_its_record() {
    const DAY: i64 = 86_400;
    let service = Service::start().await;
    let team = service.sso_team().await;
    let sign_in = async || service.sso(&team, user("eva", EVA)).await;
    assert_eq!(sign_in().await.status, StatusCode::OK);
    let record = service.dns_records.lock().expect("not poisoned").clone();
    service.set_record(Some(Vec::new()));
    service.pass_seconds(DAY - 1);
    assert_eq!(sign_in().await.status, StatusCode::OK, "not looked up yet");
    service.pass_seconds(6 * DAY);
    assert_eq!(sign_in().await.status, StatusCode::OK, "the period of grace");
    let owner = service.session(&team.id, Role::Owner).await;
    let seen = service.get_as(&owner, SETTINGS).await.body["domains"][0]["lastSeenAt"].clone();
    assert_eq!(seen, "2026-11-20T12:30:00Z");
    // Nor is a record seen if the name servers do not answer.
    service.set_record(None);
    service.pass_seconds(1);
    is_refused(&sign_in().await, StatusCode::FORBIDDEN, "`example.ch`");
    // By its domain, the team is not found any more.
    assert_eq!(service.get("/v1/auth/sso/example.ch").await.status, StatusCode::NOT_FOUND);
    *service.dns_records.lock().expect("not poisoned") = record;
    is_refused(&sign_in().await, StatusCode::FORBIDDEN, "`example.ch`");
    let owner = service.session(&team.id, Role::Owner).await;
    service.post_as(&owner, tests::sso::VERIFY, json!({})).await;
    assert_eq!(sign_in().await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_provider_that_fails_during_a_sign_in_is_a_503_in_time() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let delay = Fault::Delay(std::time::Duration::from_secs(60));
    let redirect = Fault::Redirect("https://169.254.169.254/".into());
    for fault in [delay, redirect, Fault::Size(300_000), Fault::Status(502)] {
        service.identity_provider.fail(TOKEN, Some(fault.clone()));
        let failed = service.sso(&team, user("eva", EVA)).await;
        assert_eq!(
            (failed.status, failed.slug()),
            (StatusCode::SERVICE_UNAVAILABLE, "service-unavailable"),
            "{fault:?}"
        );
        assert!(failed.detail().contains("identity provider"), "{}", failed.text);
    }
    service.identity_provider.fail(TOKEN, Some(Fault::Status(400)));
    assert_eq!(service.sso(&team, user("eva", EVA)).await.status, StatusCode::SERVICE_UNAVAILABLE);
    service.identity_provider.fail(TOKEN, None);
    // A process that does not know the provider yet asks it once a minute.
    let fresh = service.second_process();
    let before = service.identity_provider.requests(CONFIGURATION);
    service.identity_provider.fail(CONFIGURATION, Some(Fault::Status(500)));
    for _ in 0..3 {
        let failed = fresh.get("/v1/auth/sso/example.ch").await;
        assert_eq!(failed.status, StatusCode::SERVICE_UNAVAILABLE, "{}", failed.text);
    }
    assert_eq!(service.identity_provider.requests(CONFIGURATION), before + 1);
    service.identity_provider.fail(CONFIGURATION, None);
    service.pass_seconds(60);
    assert_eq!(fresh.get("/v1/auth/sso/example.ch").await.status, StatusCode::FOUND);
}

#[tokio::test]
async fn a_client_secret_is_sent_to_the_provider_only() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    service.identity_provider.require_secret("s3cret");
    let refused = service.sso(&team, user("eva", EVA)).await;
    is_refused(&refused, StatusCode::UNAUTHORIZED, "invalid_client");
    let mut body = settings(&[DOMAIN]);
    body["clientSecret"] = "s3cret".into();
    assert_eq!(service.put_as(&team.owner, SETTINGS, body).await.status, StatusCode::OK);
    let signed_in = service.sso(&team, user("eva", EVA)).await;
    assert_eq!(signed_in.status, StatusCode::OK, "{}", signed_in.text);
    let methods = json!({ "token_endpoint_auth_methods_supported": ["client_secret_post"] });
    service.identity_provider.configure(methods);
    service.pass_seconds(3_600);
    assert_eq!(service.sso(&team, user("eva", EVA)).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_team_below_enterprise_does_not_sign_in() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let name = "Smaller".to_owned();
    let tier = Tier::Professional;
    let smaller = store::Team { id: team.id.clone(), name, tier };
    let mut browser = Browser::new(&service);
    let address = browser.start(DOMAIN).await;
    let back = browser.at_provider(&address, user("eva", EVA)).await;
    service.cloud.tenants.put_team(&smaller).await.expect("stored");
    for answer in [
        service.get("/v1/auth/sso/example.ch").await,
        browser.open(&back, "application/json").await,
    ] {
        assert_eq!((answer.status, answer.slug()), (StatusCode::FORBIDDEN, "tier-not-unlocked"));
        assert_eq!(
            (&answer.body["tier"], &answer.body["requiredTier"]),
            (&json!("professional"), &json!("enterprise"))
        );
    }
}

#[tokio::test]
async fn a_browser_continues_at_an_allowed_application_or_sees_a_page() {
    let service = Service::start().await;
    service.sso_team().await;
    let evil =
        service.get("/v1/auth/sso/example.ch?redirectUrl=https%3A%2F%2Fevil.example%2F").await;
    assert_eq!(evil.status, StatusCode::BAD_REQUEST);
    assert_eq!(evil.body["errors"][0]["member"], "redirectUrl");
    let mut browser = Browser::new(&service);
    let address = browser.start("example.ch?redirectUrl=https%3A%2F%2Fapp.example%2Fwelcome").await;
    let back = browser.at_provider(&address, user("eva", EVA)).await;
    let redirect = browser.open(&back, "text/html").await;
    assert_eq!(redirect.status, StatusCode::SEE_OTHER, "{}", redirect.text);
    let location = redirect.header("location").expect("an address");
    let rest = location.strip_prefix("https://app.example/welcome#token=").expect(location);
    let (session, _) = rest.split_once("&expiresAt=2026-11-21T00:30:00Z").expect(location);
    assert_eq!(service.get_as(session, ME).await.status, StatusCode::OK);

    let address = browser.start(DOMAIN).await;
    let back = browser.at_provider(&address, user("eva", EVA)).await;
    let page = browser.open(&back, "text/html").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    assert!(page.header("content-security-policy").is_some());
    assert!(page.text.contains(EVA), "{}", page.text);
}

#[tokio::test]
async fn a_form_and_json_finish_a_sign_in_with_the_cookie_only() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    for media_type in ["application/json", "application/x-www-form-urlencoded"] {
        let mut browser = Browser::new(&service);
        let address = browser.start(DOMAIN).await;
        let back = browser.at_provider(&address, user("eva", EVA)).await;
        let (state, code) = (parameter(&back, "state"), parameter(&back, "code"));
        let body = match media_type {
            "application/json" => json!({ "state": state, "code": code }).to_string(),
            _ => format!("state={state}&code={code}&session_state=x"),
        };
        let post = async |cookie: &str| {
            let request = Request::post(format!("/v1/auth/sso/callback?team={}", team.id))
                .header(header::CONTENT_TYPE, media_type)
                .header(header::COOKIE, cookie);
            service.send_with(request, body.clone()).await
        };
        is_refused(&post("other=1").await, StatusCode::UNAUTHORIZED, "this browser");
        let signed_in = post(&browser.cookie.clone().expect("a cookie")).await;
        assert_eq!(signed_in.status, StatusCode::OK, "{media_type}: {}", signed_in.text);
        assert_eq!(signed_in.body["tokenType"], "Bearer");
    }
    let state = auth::OneTimeToken::generate();
    let state = format!("state={}", state.expose());
    for (query, member) in [
        (format!("team=x&{state}"), "team"),
        (state, "team"),
        ("team=0199c0de-00ff-7000-8000-000000000000&state=y".to_owned(), "state"),
        ("team=0199c0de-00ff-7000-8000-000000000000".to_owned(), "state"),
    ] {
        let refused = service.get(&format!("/v1/auth/sso/callback?{query}")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{query}");
        assert_eq!(refused.body["errors"][0]["member"], member, "{query}");
    }
}

#[tokio::test]
async fn the_first_sign_ins_of_one_user_at_the_same_time_create_one_member() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let sign_ins = (0..15).map(|_| service.sso(&team, user("eva", EVA)));
    let answers = futures_util::future::join_all(sign_ins).await;
    assert!(answers.iter().all(|it| it.status == StatusCode::OK), "{answers:?}");
    assert!(answers.iter().all(|it| it.body["user"]["id"] == answers[0].body["user"]["id"]));
    // The audit log names nobody else.
    let log = service.get_as(&team.owner, "/v1/audit-log?action=finish_sso&pageSize=100").await;
    let entries = log.body["items"].as_array().unwrap_or_else(|| panic!("{}", log.text));
    assert_eq!(entries.len(), 15, "{}", log.text);
    let id = &answers[0].body["user"]["id"];
    assert!(entries.iter().all(|it| it["actor"]["id"] == *id), "{}", log.text);
    assert_eq!(members(&service, &team).await, 2);
}
