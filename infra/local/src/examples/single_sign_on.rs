//! What the examples of single sign-on need before each request: settings, and a sign-in that a browser has started.

use access::Role;
use accounts::{Check, SingleSignOn, SsoDomain};
use auth::{Language, OneTimeToken, Principal, TeamId, code_challenge};
use http::header;
use identity_provider_emulator::{Grant, IdentityProvider};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use store::{SsoAttempt, TeamKey, Tenants};

use super::{PUBLIC_URL, failed};
use crate::{CommandError, Context};

const DOMAIN: &str = "example.ch";
const CLIENT_ID: &str = "0oa1gotthard";
const CODE: &str = "SplxlOBeZQQYbYS6WxSbIA";
const STATE: &str = "Vq3kT8mZ1xJ5bRcN7yHdLpWg2sFvAeUo9iKtXj4MwQ0";
const CHALLENGE: &str = "gotthard-9mZ2x0v5bqf7nJ1sT4kYw8eRcUgHdLaPoXi3MtVjS6E";
/// The secrets of the sign-in that only the browser and we know.
const BROWSER: &str = "b3Jx1mZ8vK5qT2nW9cRyH7dLpAeUsGoFiXtjVkM4wQ0";
const NONCE: &str = "n0nceK5qT2nW9cRyH7dLpAeUsGoFiXtjVkM4wQ0b3Jx";
const VERIFIER: &str = "v3r1fierT2nW9cRyH7dLpAeUsGoFiXtjVkM4wQ0b3Jx";

/// The provider of the examples, at which Eva is signed in.
pub(super) fn provider(now: Timestamp) -> IdentityProvider {
    let provider = IdentityProvider::new("https://login.example", move || now);
    provider.sign_in(json!({
        "sub": "00u1eva", "email": "eva.muster@example.ch", "email_verified": true, "name": "Eva Muster",
    }));
    provider
}

/// The texts of the record with which the domain is verified of the examples.
pub(super) fn texts(name: &str) -> Vec<String> {
    match name.strip_suffix(DOMAIN) {
        Some(_) => vec![CHALLENGE.to_owned()],
        None => Vec::new(),
    }
}

/// The header with the cookie of the browser that has started the sign-in.
pub(super) fn cookie() -> (header::HeaderName, String) {
    (header::COOKIE, format!("__Host-gotthard-sso={BROWSER}"))
}

/// Sets up single sign-on of the team, unless an example has.
pub(super) async fn set_up(
    tenants: &Tenants,
    team: &TeamKey,
    user: &str,
    now: Timestamp,
) -> Result<(), CommandError> {
    let context = "cannot set up single sign-on";
    if tenants.single_sign_on(team).await.context(context)?.is_some() {
        return Ok(());
    }
    let domain = SsoDomain {
        challenge: CHALLENGE.to_owned(),
        ..SsoDomain::new(DOMAIN.parse().context(DOMAIN)?)
    };
    let settings = SingleSignOn {
        issuer: "https://login.example".to_owned(),
        client_id: CLIENT_ID.to_owned(),
        has_client_secret: false,
        domains: vec![domain.clone()],
        highest_role: Role::Owner,
        updated_by: Principal::user(user),
        updated_at: now,
    };
    tenants.put_single_sign_on(team, |_| settings.clone(), None).await.context(context)?;
    let checks = [(domain.domain, Check::Found)];
    tenants.record_domain_checks(team.team(), &checks, now).await.context(context)?;
    Ok(())
}

/// Starts a sign-in, at the provider too.
pub(super) async fn start(
    tenants: &Tenants,
    provider: &IdentityProvider,
    team: &TeamId,
    now: Timestamp,
) -> Result<(), CommandError> {
    let token = |text: &str| text.parse::<OneTimeToken>().map_err(failed);
    let settings = tenants.sso_tenant(&team.0).await.map_err(failed)?;
    let settings = settings.ok_or("single sign-on is not set up").map_err(failed)?.settings;
    let attempt = SsoAttempt {
        team: team.clone(),
        provider: settings.provider(),
        browser: token(BROWSER)?.hash(),
        nonce: NONCE.to_owned(),
        verifier: VERIFIER.to_owned(),
        language: Language::De,
        redirect_url: None,
        expires_at: now + SignedDuration::from_mins(10),
    };
    tenants.put_sso_attempt(&token(STATE)?.hash(), &attempt).await.map_err(failed)?;
    let grant = Grant {
        client_id: CLIENT_ID.to_owned(),
        redirect_uri: format!("{PUBLIC_URL}/v1/auth/sso/callback?team={team}"),
        nonce: NONCE.to_owned(),
        challenge: code_challenge(VERIFIER),
    };
    provider.grant(CODE, grant);
    Ok(())
}
