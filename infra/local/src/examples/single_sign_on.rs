//! What the examples of single sign-on need before each request: settings, and a sign-in that a browser has started.

use std::net::IpAddr;

use auth::{
    Author, Identity, Language, OneTimeToken, Principal, ProviderChoice, SubjectId, TeamId,
    code_challenge,
};
use emulators::identity_provider::{Grant, IdentityProvider};
use http::header;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use store::{PendingIdentity, SsoAttempt, TeamKey, Tenants};
use teams::{AuditActor, AuditEntry, AuditOutcome, Audited, Check, SingleSignOn, SsoDomain};
use uuid::Uuid;

use super::{PUBLIC_URL, failed};
use crate::{CommandError, Context};

const DOMAIN: &str = "example.ch";
const CLIENT_ID: &str = "0oa1gotthard";
/// Eva at the provider.
const SUBJECT: &str = "00u1eva";
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
        "sub": SUBJECT, "email": "eva.muster@example.ch", "email_verified": true, "name": "Eva Muster",
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
        choice: ProviderChoice::new_random(),
        chosen_by: Author { user: user.to_owned(), since: now, through: None },
        confirm_before: None,
        updated_by: Principal::user(user),
        updated_at: now,
    };
    #[expect(
        clippy::disallowed_methods,
        reason = "the settings of the examples have a known record"
    )]
    tenants.set_up_single_sign_on(team, &settings).await.context(context)?;
    let checks = [(domain, Check::Found)];
    tenants.record_domain_checks(team.team(), &checks, now).await.context(context)?;
    Ok(())
}

async fn settings(
    tenants: &Tenants,
    team: &TeamId,
    now: Timestamp,
) -> Result<SingleSignOn, CommandError> {
    let tenant = tenants.sso_tenant(&team.0, now).await.map_err(failed)?;
    Ok(tenant.ok_or("single sign-on is not set up").map_err(failed)?.settings)
}

/// Asks Eva whether her account at the provider is hers.
pub(super) async fn put_account(
    tenants: &Tenants,
    team: &TeamId,
    user: &str,
    link: &OneTimeToken,
    now: Timestamp,
) -> Result<(), CommandError> {
    let settings = settings(tenants, team, now).await?;
    let provider = settings.provider();
    let browser = BROWSER.parse::<OneTimeToken>().map_err(failed)?;
    let pending = PendingIdentity {
        identity: Identity {
            subject: SubjectId::of(&provider, SUBJECT),
            provider,
            choice: settings.choice,
            team: team.clone(),
            user: user.to_owned(),
            domain: DOMAIN.to_owned(),
            signed_in_at: now,
        },
        browser: browser.hash(),
        email: "eva.muster@example.ch".parse().map_err(failed)?,
        language: Language::De,
        expires_at: now + SignedDuration::from_mins(10),
    };
    tenants.put_pending_identity(&link.hash(), &pending).await.map_err(failed)
}

/// Links the account, as if Eva had followed the link.
pub(super) async fn link_account(
    tenants: &Tenants,
    link: &OneTimeToken,
    now: Timestamp,
) -> Result<(), CommandError> {
    let browser = BROWSER.parse::<OneTimeToken>().map_err(failed)?;
    let entry = |actor: AuditActor| Audited {
        entry: AuditEntry {
            id: Uuid::nil(),
            created_at: now,
            actor,
            action: "link_sso".to_owned(),
            target: "/v1/auth/sso/link".to_owned(),
            client_address: IpAddr::from([192, 0, 2, 1]),
            request_id: "4f7c7a5e-0d5b-4b0e-9d53-2f1f6a7f9e10".to_owned(),
        },
        outcome: AuditOutcome { status: 200, created_id: None },
    };
    let linked = tenants.link_identity(&link.hash(), &browser.hash(), now, entry).await;
    linked.map(drop).map_err(failed)
}

/// Starts a sign-in, at the provider too.
pub(super) async fn start(
    tenants: &Tenants,
    provider: &IdentityProvider,
    team: &TeamId,
    now: Timestamp,
) -> Result<(), CommandError> {
    let token = |text: &str| text.parse::<OneTimeToken>().map_err(failed);
    let settings = settings(tenants, team, now).await?;
    let attempt = SsoAttempt {
        team: team.clone(),
        provider: settings.provider(),
        choice: settings.choice.clone(),
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
