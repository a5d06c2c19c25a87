//! How a key becomes a caller: checksum, memory of the process, guards, and then Argon2id.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use auth::{ApiKey, Caller, Fingerprint, FingerprintKey, Refusal};
use axum::extract::{ConnectInfo, FromRequestParts, OptionalFromRequestParts};
use http::{Extensions, HeaderMap, header, request::Parts};
use jiff::{SignedDuration, Timestamp};
use lambda_http::request::RequestContext;
use moka::future::Cache;
use problem_details::{Problem, UNAUTHORIZED};
use store::{Counters, Subject, TeamKey, Tenants};
use tokio::sync::Semaphore;

/// How long a process trusts what it verified, and so how long a revoked key may still be let in.
const REMEMBERED: SignedDuration = SignedDuration::from_secs(60);
/// How many credentials a process remembers.
const CREDENTIALS_REMEMBERED: u64 = 10_000;
/// How many secrets are verified at the same time: each takes tens of milliseconds of a core.
const VERIFICATIONS_AT_A_TIME: usize = 2;
/// How many may wait for their turn; more are told to come back.
const VERIFICATIONS_WAITING: usize = 64;
/// Failed verifications in a minute after which no more are tried for a key, from anywhere. High,
/// because whoever knows a key's public part could keep its holder out with them …
pub const FAILURES_OF_A_KEY: u32 = 1_000;
/// … and from an address, for any key.
pub const FAILURES_OF_AN_ADDRESS: u32 = 20;
/// How old the note of a key's last use may get before it is written again.
const LAST_USE_NOTED: SignedDuration = SignedDuration::from_mins(5);

/// Verifies credentials.
#[derive(Clone, Debug)]
pub struct Gatekeeper {
    tenants: Tenants,
    counters: Counters,
    fingerprints: FingerprintKey,
    verified: Cache<Fingerprint, Verified>,
    verifications: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

#[derive(Clone, Debug)]
struct Verified {
    at: Timestamp,
    outcome: Result<Caller, Refusal>,
}

/// Why a credential does not make a caller.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Rejected {
    #[error("the Authorization header is not of the form `Bearer <token>`")]
    NotBearer,
    #[error(transparent)]
    Malformed(#[from] auth::MalformedKey),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("too many failed attempts; the next is possible in {0} seconds")]
    TooManyFailures(i64),
    #[error("the credential cannot be verified at the moment")]
    Unverifiable,
}

impl Gatekeeper {
    pub fn new(tenants: Tenants, counters: Counters) -> Self {
        Self {
            tenants,
            counters,
            fingerprints: FingerprintKey::random(),
            verified: Cache::builder()
                .max_capacity(CREDENTIALS_REMEMBERED)
                .time_to_live(Duration::from_secs(REMEMBERED.as_secs().unsigned_abs()))
                .build(),
            verifications: Arc::new(Semaphore::new(VERIFICATIONS_AT_A_TIME)),
            waiting: Arc::new(Semaphore::new(VERIFICATIONS_WAITING)),
        }
    }

    /// The caller whose credential the headers bear; `None` without one.
    pub async fn caller(
        &self,
        headers: &HeaderMap,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<Option<Caller>, Rejected> {
        let Some(header) = headers.get(header::AUTHORIZATION) else { return Ok(None) };
        let token = header.to_str().ok().and_then(bearer).ok_or(Rejected::NotBearer)?;
        let presented: ApiKey = token.parse()?;
        let fingerprint = self.fingerprints.fingerprint(token);

        // The memory's own clock may stand still while a function is frozen; ours does not.
        if let Some(known) = self.verified.get(&fingerprint).await {
            if now.duration_since(known.at) < REMEMBERED {
                return known.outcome.map(Some).map_err(Rejected::Refused);
            }
            self.verified.invalidate(&fingerprint).await;
        }
        // One verification at a time for one credential; the others wait for its outcome.
        let verification = self.verify(&presented, address, now);
        let verified = Box::pin(self.verified.try_get_with(fingerprint, verification)).await;
        verified.map_err(|it| (*it).clone())?.outcome.map(Some).map_err(Rejected::Refused)
    }

    async fn verify(
        &self,
        presented: &ApiKey,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<Verified, Rejected> {
        // The turn comes first, so that those who waited see the failures of those before them.
        let Ok(_place) = self.waiting.try_acquire() else { return Err(Rejected::Unverifiable) };
        let _turn = self.verifications.acquire().await;
        let by_key = format!("key#{}", presented.id);
        let by_address = Subject::Address(address).to_string();
        let subjects = [by_key.as_str(), by_address.as_str()];
        // Counters that do not answer let verification go on: they guard it, they are not it.
        if let Ok(failures) = self.counters.failures(&subjects, now).await
            && (failures[0] >= FAILURES_OF_A_KEY || failures[1] >= FAILURES_OF_AN_ADDRESS)
        {
            return Err(Rejected::TooManyFailures(60 - now.as_second().rem_euclid(60)));
        }
        let outcome = self.check(presented, now).await.map_err(|failure| {
            tracing::error!(
                failure = errors::chain(&failure),
                "a credential could not be verified"
            );
            Rejected::Unverifiable
        })?;
        if outcome.is_err() {
            for subject in subjects {
                if let Err(failure) = self.counters.record_failure(subject, now).await {
                    tracing::error!(
                        metric = "MeteringFailure",
                        failure = errors::chain(&failure),
                        "failure not counted"
                    );
                }
            }
        }
        Ok(Verified { at: now, outcome })
    }

    async fn check(
        &self,
        presented: &ApiKey,
        now: Timestamp,
    ) -> Result<Result<Caller, Refusal>, store::Error> {
        let Some(used) = self.tenants.presented_key(&presented.id).await? else {
            return Ok(Err(Refusal::Unknown));
        };
        let Some(team) = self.tenants.team(&used.record.credential.team).await? else {
            return Ok(Err(Refusal::Unknown));
        };
        let (credential, key) = (used.record.credential.clone(), presented.clone());
        let verify = move || credential.verify(&key, team.tier, now);
        let outcome = tokio::task::spawn_blocking(verify).await.unwrap_or(Err(Refusal::Unknown));
        let last_used = used.record.last_used_at;
        let noted = last_used.is_some_and(|it| now.duration_since(it) < LAST_USE_NOTED);
        if outcome.is_ok() && !noted {
            // A note that fails must not keep a good key out.
            if let Err(failure) = self.tenants.touch_api_key(&used, now).await {
                tracing::warn!(
                    failure = errors::chain(&failure),
                    "the last use of a key was not noted"
                );
            }
        }
        Ok(outcome)
    }
}

fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

impl Rejected {
    pub(crate) fn into_problem(self) -> Problem {
        match self {
            Self::Unverifiable => Problem::unavailable(self),
            other => Problem::new(&UNAUTHORIZED, other),
        }
    }
}

/// The address a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// What the gateway says of the request, or else the connection. `X-Forwarded-For` is whatever
    /// a client writes into it, and is not read.
    pub(crate) fn of(extensions: &Extensions) -> Self {
        if let Some(address) = extensions.get::<Self>() {
            return *address;
        }
        let gateway = extensions.get::<RequestContext>().and_then(|context| match context {
            RequestContext::ApiGatewayV1(context) => context.identity.source_ip.as_deref(),
            // What `cargo lambda watch` sends.
            RequestContext::ApiGatewayV2(context) => context.http.source_ip.as_deref(),
            _ => None,
        });
        let connection = || extensions.get::<ConnectInfo<SocketAddr>>().map(|it| it.0.ip());
        let address = gateway.and_then(|it| it.parse().ok()).or_else(connection);
        // Without an address all share one allowance: never nobody's.
        Self(address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)))
    }
}

/// The caller and the key to its team's data, for handlers of operations that need a token.
#[derive(Clone, Debug)]
pub struct Tenant {
    pub caller: Caller,
    pub team: TeamKey,
}

impl<S: Sync> FromRequestParts<S> for Tenant {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Ok(tenant) =
            <Self as OptionalFromRequestParts<S>>::from_request_parts(parts, state).await;
        tenant.ok_or_else(|| Problem::new(&UNAUTHORIZED, "a token is needed"))
    }
}

/// For operations that say more to who bears a token.
impl<S: Sync> OptionalFromRequestParts<S> for Tenant {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, Infallible> {
        let caller = parts.extensions.get::<Caller>().cloned();
        Ok(caller.map(|caller| Self { team: TeamKey::of(&caller), caller }))
    }
}

impl<S: Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::of(&parts.extensions))
    }
}
