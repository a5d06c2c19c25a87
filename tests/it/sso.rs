//! A team with single sign-on, and the browser of its users.

use access::{Role, Tier};
use auth::{
    Author, Identity, Language, OneTimeToken, Principal, ProviderChoice, SubjectId, TeamId,
    code_challenge,
};
use axum::body::Body;
use emulators::identity_provider::Grant;
use http::{HeaderMap, Request, StatusCode, header};
use local::outbox::OutboxMail;
use serde_json::{Value, json};
use store::{PendingIdentity, SsoAttempt};
use teams::{Check, SingleSignOn, SsoDomain};
use tower::ServiceExt;
use uuid::Uuid;

use crate::{Answer, PROVIDER_URL, PUBLIC_URL, Service, operator};

pub const SETTINGS: &str = "/v1/teams/me/sso";
pub const VERIFY: &str = "/v1/teams/me/sso/verify";
pub const CONFIRM: &str = "/v1/teams/me/sso/confirm";
/// The domain of the team. Also that of [`Service::member`].
pub const DOMAIN: &str = "example.ch";
pub const CLIENT_ID: &str = "client";

/// The cookie of a browser: name and value.
pub const COOKIE: (&str, &str) =
    ("__Host-gotthard-sso", "b3Jx1mZ8vK5qT2nW9cRyH7dLpAeUsGoFiXtjVkM4wQ0");

/// A team that has set up single sign-on and verified its domain.
pub struct SsoTeam {
    pub id: TeamId,
    /// Session of an owner.
    pub owner: String,
}

/// The settings of a team with the provider of the test.
pub fn settings(domains: &[&str]) -> Value {
    json!({ "issuer": PROVIDER_URL, "clientId": CLIENT_ID, "domains": domains })
}

/// The claims of a user at the provider.
pub fn user(subject: &str, email: &str) -> Value {
    json!({ "sub": subject, "email": email, "email_verified": true })
}

impl Service {
    pub async fn sso_team(&self) -> SsoTeam {
        let id = self.team(Tier::Enterprise).await;
        let owner = self.session(&id, Role::Owner).await;
        let put = self.put_as(&owner, SETTINGS, settings(&[DOMAIN])).await;
        assert_eq!(put.status, StatusCode::OK, "{}", put.text);
        self.publish_records(&put.body);
        let verified = self.post_as(&owner, VERIFY, json!({})).await;
        assert_eq!(verified.body["domains"][0]["status"], "verified", "{}", verified.text);
        SsoTeam { id, owner }
    }

    /// Sets up single sign-on of a team of any tier, chosen by one of its owners.
    pub async fn store_single_sign_on(&self, team: &TeamId, domain: &str) {
        let owners = self.cloud.tenants.owners(team).await.expect("read");
        let owner = match owners.into_iter().next() {
            Some(owner) => owner.id,
            None => self.member(team, Role::Owner).await.id,
        };
        let domain = SsoDomain::new(domain.parse().expect("a domain"));
        let settings = SingleSignOn {
            issuer: PROVIDER_URL.to_owned(),
            client_id: CLIENT_ID.to_owned(),
            has_client_secret: false,
            domains: vec![domain.clone()],
            choice: ProviderChoice::new_random(),
            chosen_by: Author { user: owner.clone(), since: self.now(), through: None },
            confirm_before: None,
            updated_by: Principal::user(owner),
            updated_at: self.now(),
        };
        let key = operator(team.clone());
        let tenants = &self.cloud.tenants;
        #[expect(clippy::disallowed_methods, reason = "the tier of the team is any")]
        tenants.set_up_single_sign_on(&key, &settings).await.expect("stored");
        let checks = [(domain, Check::Found)];
        tenants.record_domain_checks(team, &checks, self.now()).await.expect("stored");
    }

    /// Starts a sign-in of a user in the browser with [`COOKIE`]. Returns the state and the code of the answer.
    pub async fn started_sso(&self, team: &TeamId) -> (String, String) {
        let (state, code) = (OneTimeToken::generate(), Uuid::new_v4().to_string());
        let (nonce, verifier) = (OneTimeToken::generate(), OneTimeToken::generate());
        let tenant = self.cloud.tenants.sso_tenant(&team.0, self.now()).await.expect("read");
        let settings = tenant.expect("single sign-on").settings;
        let attempt = SsoAttempt {
            team: team.clone(),
            provider: settings.provider(),
            choice: settings.choice.clone(),
            browser: COOKIE.1.parse::<OneTimeToken>().expect("a token").hash(),
            nonce: nonce.expose().to_owned(),
            verifier: verifier.expose().to_owned(),
            language: Language::En,
            redirect_url: None,
            expires_at: self.now() + jiff::SignedDuration::from_mins(10),
        };
        let hash = state.hash();
        self.cloud.tenants.put_sso_attempt(&hash, &attempt).await.expect("stored");
        let grant = Grant {
            client_id: CLIENT_ID.to_owned(),
            redirect_uri: format!("{PUBLIC_URL}/v1/auth/sso/callback?team={team}"),
            nonce: attempt.nonce,
            challenge: code_challenge(&attempt.verifier),
        };
        self.identity_provider.grant(&code, grant);
        (state.expose().to_owned(), code)
    }

    /// A new member of a team, and an account with its address that waits for its confirmation in the browser with [`COOKIE`].
    pub async fn put_pending_identity(&self, team: &TeamId, token: &str) {
        let member = self.member(team, Role::Member).await;
        let tenant = self.cloud.tenants.sso_tenant(&team.0, self.now()).await.expect("read");
        let settings = tenant.expect("single sign-on").settings;
        let pending = PendingIdentity {
            identity: Identity {
                subject: SubjectId::of(&settings.provider(), &member.id),
                provider: settings.provider(),
                choice: settings.choice.clone(),
                team: team.clone(),
                user: member.id,
                domain: DOMAIN.to_owned(),
                signed_in_at: self.now(),
            },
            browser: COOKIE.1.parse::<OneTimeToken>().expect("a token").hash(),
            email: member.email.parse().expect("an address"),
            language: Language::En,
            expires_at: self.now() + jiff::SignedDuration::from_mins(10),
        };
        let token: OneTimeToken = token.parse().expect("a token");
        self.cloud.tenants.put_pending_identity(&token.hash(), &pending).await.expect("stored");
    }

    /// Publishes the DNS records that the settings ask for.
    pub fn publish_records(&self, settings: &Value) {
        let mut records = self.dns_records.lock().expect("not poisoned");
        for domain in settings["domains"].as_array().expect("domains") {
            let text = |member: &str| domain[member].as_str().expect(member).to_owned();
            let texts = records.entry(text("recordName")).or_default();
            texts.get_or_insert_default().push(text("recordValue"));
        }
    }

    /// What the name servers answer about the domain of the team.
    pub fn set_record(&self, texts: Option<Vec<String>>) {
        let name = format!("_gotthard-challenge.{DOMAIN}");
        self.dns_records.lock().expect("not poisoned").insert(name, texts);
    }

    /// Signs in a user with these claims at the provider, and with a new browser here.
    pub async fn sso(&self, team: &SsoTeam, claims: Value) -> Answer {
        Browser::new(self).sign_in(&team.id.0, claims).await
    }

    /// Signs in a member, who links the account with the link in the mail.
    pub async fn linked_sso(&self, team: &SsoTeam, claims: Value) -> Answer {
        let mut browser = Browser::new(self);
        let asked = browser.sign_in(&team.id.0, claims.clone()).await;
        assert_eq!(asked.status, StatusCode::FORBIDDEN, "{}", asked.text);
        let link = account_link(&self.mails()[0]);
        let linked = browser.post(&link).await;
        assert_eq!(linked.status, StatusCode::OK, "{}", linked.text);
        browser.sign_in(&team.id.0, claims).await
    }
}

/// A browser with its cookies.
pub struct Browser<'a> {
    service: &'a Service,
    pub cookie: Option<String>,
}

impl<'a> Browser<'a> {
    pub fn new(service: &'a Service) -> Self {
        Self { service, cookie: None }
    }

    /// Opens a page of the API.
    pub async fn open(&mut self, path: &str, accept: &str) -> Answer {
        let mut request = Request::get(path).header(header::ACCEPT, accept);
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, format!("other=1; {cookie}"));
        }
        let answer = self.service.send(request).await;
        if let Some(cookie) = answer.header("set-cookie") {
            self.cookie = cookie.split(';').next().map(str::to_owned);
        }
        answer
    }

    /// Presses the button of a page of the API.
    pub async fn post(&self, path: &str) -> Answer {
        let cookie = self.cookie.clone().unwrap_or_else(|| "other=1".to_owned());
        self.service.send(Request::post(path).header(header::COOKIE, cookie)).await
    }

    /// Starts a sign-in. Returns the address at the provider.
    pub async fn start(&mut self, tenant: &str) -> String {
        let started = self.open(&format!("/v1/auth/sso/{tenant}"), "text/html").await;
        assert_eq!(started.status, StatusCode::FOUND, "{}", started.text);
        started.header("location").expect("an address").to_owned()
    }

    /// Signs in at the provider. Returns the path and query with which it sends the browser back.
    pub async fn at_provider(&self, address: &str, claims: Value) -> String {
        self.service.identity_provider.sign_in(claims);
        let request = Request::get(address).body(Body::empty()).expect("a request");
        let answer = self.service.identity_provider.router().oneshot(request).await;
        let headers: HeaderMap = answer.expect("infallible").into_parts().0.headers;
        let location = headers[header::LOCATION].to_str().expect("text");
        location.strip_prefix(PUBLIC_URL).expect("our address").to_owned()
    }

    /// The whole sign-in. The answer is JSON.
    pub async fn sign_in(&mut self, tenant: &str, claims: Value) -> Answer {
        let address = self.start(tenant).await;
        let back = self.at_provider(&address, claims).await;
        self.open(&back, "application/json").await
    }
}

/// The path of the link in a mail that links an account.
pub fn account_link(mail: &OutboxMail) -> String {
    let (_, rest) = mail.text.split_once(PUBLIC_URL).expect("a link");
    let path = rest.split_whitespace().next().expect("a path");
    assert!(path.starts_with("/v1/auth/sso/link?token="), "{}", mail.text);
    path.to_owned()
}

/// A parameter in the query of an address.
pub fn parameter(address: &str, name: &str) -> String {
    let (_, query) = address.split_once('?').expect("a query");
    let mut pairs = query.split('&').filter_map(|it| it.split_once('='));
    let (_, value) = pairs.find(|it| it.0 == name).unwrap_or_else(|| panic!("{name}: {address}"));
    value.to_owned()
}
