//! Sign-in with an identity provider that others have written: the npm package oidc-provider.
//!
//! `.ci/run` starts it with `.ci/oidc-provider.mjs` and sets `OIDC_PROVIDER` to its address.

use std::collections::BTreeMap;

use access::{Role, Tier};
use auth::TeamId;
use bytes::Bytes;
use http::{Request, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper_util::{client::legacy::Client, rt::TokioExecutor};
use serde_json::{Value, json};
use tests::{
    Answer, PUBLIC_URL, Service,
    sso::{Browser, SETTINGS, VERIFY, account_link},
};
use url::Url;

/// The redirect URI that is registered at the provider contains it.
const TEAM: &str = "0199c0de-5500-7000-8000-000000000000";

/// Follows the provider's redirects with its cookies, until it sends the browser back. Returns our path and query.
async fn at_provider(address: &str) -> String {
    let client = Client::builder(TokioExecutor::new()).build_http::<Full<Bytes>>();
    let (mut cookies, mut address) = (BTreeMap::<String, String>::new(), address.to_owned());
    for _ in 0..10 {
        let pairs: Vec<String> = cookies.iter().map(|(name, it)| format!("{name}={it}")).collect();
        let request = Request::get(&address).header(header::COOKIE, pairs.join("; "));
        let request = request.body(Full::default()).expect("a request");
        let answer = client.request(request).await.expect("an answer");
        let (head, body) = answer.into_parts();
        for cookie in head.headers.get_all(header::SET_COOKIE) {
            let cookie = cookie.to_str().expect("text").split(';').next().expect("a pair");
            let (name, value) = cookie.split_once('=').expect("a pair");
            cookies.insert(name.to_owned(), value.to_owned());
        }
        let Some(location) = head.headers.get(header::LOCATION) else {
            let body = body.collect().await.expect("a body").to_bytes();
            panic!("{address} {}: {}", head.status, String::from_utf8_lossy(&body));
        };
        let location = location.to_str().expect("text");
        if let Some(back) = location.strip_prefix(PUBLIC_URL) {
            return back.to_owned();
        }
        let base = Url::parse(&address).expect("an address");
        address = base.join(location).expect("an address").into();
    }
    panic!("too many redirects, last to {address}");
}

struct Team {
    service: Service,
    owner: String,
    issuer: String,
}

impl Team {
    async fn start() -> Self {
        #[expect(clippy::disallowed_methods, reason = "the tests' own configuration is read here")]
        let issuer = std::env::var("OIDC_PROVIDER").expect("the address of the provider");
        let service = Service::reaching_this_machine().await;
        let id = TeamId(TEAM.to_owned());
        let (name, tier) = ("Muster AG".to_owned(), Tier::Enterprise);
        let team = store::Team { id: id.clone(), name, tier };
        service.cloud.tenants.put_team(&team).await.expect("stored");
        let owner = service.session(&id, Role::Owner).await;
        Self { service, owner, issuer }
    }

    async fn set_up(&self, algorithm: &str, secret: Option<&str>) -> Answer {
        let mut settings = json!({
            "issuer": self.issuer, "clientId": format!("client-{algorithm}"), "domains": ["example.ch"],
        });
        if let Some(secret) = secret {
            settings["clientSecret"] = secret.into();
        }
        let put = self.service.put_as(&self.owner, SETTINGS, settings).await;
        assert_eq!(put.status, StatusCode::OK, "{algorithm}: {}", put.text);
        self.service.publish_records(&put.body);
        let verified = self.service.post_as(&self.owner, VERIFY, json!({})).await;
        assert_eq!(verified.body["domains"][0]["status"], "verified", "{}", verified.text);
        verified
    }

    async fn sign_in(&self, browser: &mut Browser<'_>) -> Answer {
        let address = browser.start(TEAM).await;
        let back = at_provider(&address).await;
        let signed_in = browser.open(&back, "application/json").await;
        assert_ne!(browser.open(&back, "application/json").await.status, StatusCode::OK, "once");
        signed_in
    }

    /// Signs in with an account that the provider has for another client, after its member has linked it.
    async fn linked_sign_in(&self, browser: &mut Browser<'_>) -> Answer {
        let asked = self.sign_in(browser).await;
        assert_eq!(asked.status, StatusCode::FORBIDDEN, "{}", asked.text);
        let linked = browser.post(&account_link(&self.service.mails()[0])).await;
        assert_eq!(linked.status, StatusCode::OK, "{}", linked.text);
        self.sign_in(browser).await
    }
}

#[tokio::test]
#[ignore = "needs the npm package oidc-provider, which .ci/run installs and starts"]
async fn users_of_the_npm_provider_sign_in_with_every_algorithm() {
    let team = Team::start().await;
    let mut user = Value::Null;
    for (algorithm, secret) in
        [("RS256", None), ("PS256", None), ("ES256", Some("s3cret:&%=signs")), ("EdDSA", None)]
    {
        team.set_up(algorithm, secret).await;
        let browser = &mut Browser::new(&team.service);
        let signed_in = match user.is_null() {
            true => team.sign_in(browser).await,
            false => team.linked_sign_in(browser).await,
        };
        assert_eq!(signed_in.status, StatusCode::OK, "{algorithm}: {}", signed_in.text);
        let token = signed_in.body["token"].as_str().expect("a token");
        let me = team.service.get_as(token, "/v1/auth/me").await;
        assert_eq!((&me.body["authMethod"], &me.body["role"]), (&json!("sso"), &json!("member")));
        assert_eq!(me.body["user"]["email"], "eva.muster@example.ch");
        assert_eq!(me.body["user"]["name"], "Eva Muster");
        // A client with another id is another identity of the same member.
        assert!(user.is_null() || user == me.body["user"]["id"], "{algorithm}");
        user = me.body["user"]["id"].clone();
    }
}

#[tokio::test]
#[ignore = "needs the npm package oidc-provider, which .ci/run installs and starts"]
async fn the_npm_provider_refuses_a_wrong_client_secret() {
    let team = Team::start().await;
    team.set_up("ES256", Some("wrong")).await;
    let refused = team.sign_in(&mut Browser::new(&team.service)).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{}", refused.text);
    assert!(refused.detail().contains("invalid_client"), "{}", refused.text);
}
