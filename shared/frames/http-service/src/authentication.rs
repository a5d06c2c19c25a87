//! Verifies API keys: checksum, cache of the process, limit of failed attempts, what other processes remember (see
//! [`KeyMemory`]), and then Argon2id. And the tokens of sessions, see [`sessions`](crate::sessions), and ID tokens, see
//! [`id_tokens`](crate::id_tokens).

mod failures;

use std::{net::IpAddr, sync::Arc, time::Duration};

use access::{RateGroup, Tier};
use auth::{
    ApiKey, AuthMethod, Authority, Caller, Credential, Entitlement, Fingerprint, FingerprintKey,
    KeyMemory, PresentedIdToken, PresentedToken, Principal, Refusal,
};
use components::Components;
use http::{HeaderMap, header};
use jiff::{SignedDuration, Timestamp};
use moka::future::Cache;
use problem_details::{Problem, RATE_LIMIT_EXCEEDED, TIER_NOT_UNLOCKED, UNAUTHORIZED};
use store::{Counters, PresentedKey, Tenants};
use tokio::sync::Semaphore;

pub use self::failures::{
    FACTOR_FOR_EXISTING_KEYS, MAX_FAILURES_PER_ADDRESS, MAX_FAILURES_PER_KEY,
};
use self::failures::{Failures, Subjects, too_many};
use crate::{
    domains::Domains,
    id_tokens::{self, Outcome},
    key_memory::ApiKeySecret,
    providers::Providers,
    refused_requests::RefusedRequests,
    sessions::Sessions,
};

/// How long a process caches the result of a verification. A revoked key or an ended session may be accepted for that
/// long.
const CACHE_DURATION: SignedDuration = SignedDuration::from_secs(60);
/// Maximum number of cached keys and tokens in a process.
const CACHE_CAPACITY: u64 = 10_000;
/// Maximum number of concurrent verifications. Each takes tens of milliseconds of a core.
const MAX_CONCURRENT_VERIFICATIONS: usize = 2;
/// Maximum number of waiting verifications. Further requests get 503.
const MAX_WAITING_VERIFICATIONS: usize = 64;
/// How long a process remembers that a key was valid, since its last verification.
const MEMORY_OF_VALID_KEYS: Duration = Duration::from_secs(86_400);
/// The name of these limits in problem documents.
pub(crate) const FAILED_VERIFICATIONS: &str = "failed_verifications";
/// Minimum time between two updates of a key's time of last use.
const LAST_USE_INTERVAL: SignedDuration = SignedDuration::from_mins(5);

/// Verifies API keys and session tokens.
#[derive(Clone, Debug)]
pub struct Authenticator {
    tenants: Tenants,
    counters: Counters,
    sessions: Sessions,
    providers: Providers,
    domains: Domains,
    /// The address of the API.
    url: Arc<str>,
    refused_requests: RefusedRequests,
    fingerprint_key: FingerprintKey,
    key_secret: ApiKeySecret,
    cache: Cache<Fingerprint, Verification>,
    /// Keys whose last verification succeeded. Their next verification is no guess, so the failures of
    /// others do not prevent it.
    valid: Cache<Fingerprint, ()>,
    verifications: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

#[derive(Clone, Debug)]
struct Verification {
    at: Timestamp,
    outcome: Result<Caller, Refusal>,
    /// What was stored of an API key that was valid.
    stored: Option<Arc<Known>>,
}

/// What the outcome of an API key depends on, beside its secret and the time.
#[derive(Debug, PartialEq)]
struct Known {
    credential: Credential,
    /// What its author may still delegate.
    authority: Authority,
    /// What the rate limits of its team depend on.
    entitlement: Entitlement,
}

impl Known {
    fn of(PresentedKey { record, authority, entitlement, .. }: &PresentedKey) -> Self {
        let credential = record.credential.clone();
        Self { credential, authority: *authority, entitlement: entitlement.clone() }
    }
}

impl Verification {
    /// The outcome at `now`: the key or session may have expired since it was verified.
    fn outcome_at(self, now: Timestamp) -> Result<Caller, Refusal> {
        let caller = self.outcome?;
        match caller.expires_at() {
            Some(end) if end <= now && caller.method() == AuthMethod::ApiKey => {
                Err(Refusal::Expired)
            }
            Some(end) if end <= now => Err(Refusal::SessionExpired),
            _ => Ok(caller),
        }
    }
}

/// Why a request with credentials is rejected.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Rejected {
    #[error(
        "the `Authorization` header must have the form `Bearer <API key>` or `Bearer <session token>`"
    )]
    NotBearer,
    #[error(transparent)]
    Malformed(#[from] auth::MalformedKey),
    #[error(transparent)]
    MalformedSession(#[from] auth::MalformedSessionToken),
    #[error(transparent)]
    MalformedIdToken(#[from] auth::MalformedIdToken),
    #[error(
        "single sign-on requires the tier `{required}`; that of the team is `{0}`",
        required = teams::SSO_TIER
    )]
    TierTooLow(Tier),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(
        "too many API keys or session tokens were not valid: {limit} failed verifications are allowed per minute; try again in {retry_after} seconds"
    )]
    TooManyFailures {
        limit: u32,
        /// Seconds until the next minute.
        retry_after: i64,
    },
    #[error("the API key or session token cannot be verified at the moment; try again later")]
    Unverifiable,
}

/// A credential in a request, not verified yet.
enum Presented<'a> {
    Key(ApiKey),
    Session(PresentedToken<'a>),
    IdToken(PresentedIdToken<'a>),
}

impl Authenticator {
    /// `url` is the address of the API, for which session tokens must be issued.
    pub(crate) fn new(
        components: &Components,
        url: Arc<str>,
        refused_requests: RefusedRequests,
    ) -> Self {
        let tenants: Tenants = components.get();
        Self {
            refused_requests,
            domains: Domains::new(tenants.clone(), components.get()),
            sessions: Sessions::new(tenants.clone(), url.clone()),
            providers: components.get(),
            url,
            tenants,
            counters: components.get(),
            fingerprint_key: FingerprintKey::random(),
            key_secret: components.get(),
            cache: Cache::builder()
                .max_capacity(CACHE_CAPACITY)
                .time_to_live(Duration::from_secs(CACHE_DURATION.as_secs().unsigned_abs()))
                .build(),
            valid: Cache::builder()
                .max_capacity(CACHE_CAPACITY)
                .time_to_live(MEMORY_OF_VALID_KEYS)
                .build(),
            verifications: Arc::new(Semaphore::new(MAX_CONCURRENT_VERIFICATIONS)),
            waiting: Arc::new(Semaphore::new(MAX_WAITING_VERIFICATIONS)),
        }
    }

    /// The caller whose API key or session token is in the headers; `None` without an `Authorization` header. With
    /// `is_fresh`, what is stored about it is read again.
    pub async fn caller(
        &self,
        headers: &HeaderMap,
        address: IpAddr,
        is_fresh: bool,
        now: Timestamp,
    ) -> Result<Option<Caller>, Rejected> {
        let Some(header) = headers.get(header::AUTHORIZATION) else { return Ok(None) };
        let token = header.to_str().ok().and_then(bearer).ok_or(Rejected::NotBearer)?;
        let presented = match PresentedToken::looks_like(token) {
            true if PresentedIdToken::is_of_another_issuer(token, &self.url) => {
                Presented::IdToken(PresentedIdToken::read(token)?)
            }
            true => Presented::Session(PresentedToken::read(token)?),
            false => Presented::Key(token.parse()?),
        };
        let fingerprint = self.fingerprint_key.fingerprint(token);

        // The clock of the cache may stop while a Lambda function is frozen, so entries are also checked
        // against the current time.
        if let Some(cached) = self.cache.get(&fingerprint).await {
            let is_recent = now.duration_since(cached.at) < CACHE_DURATION;
            if is_recent && (!is_fresh || self.is_unchanged(&presented, &cached, now).await?) {
                return Ok(Some(cached.outcome_at(now)?));
            }
            self.cache.invalidate(&fingerprint).await;
        }
        // Concurrent requests with the same key share one verification.
        let verification = async {
            match &presented {
                Presented::Key(key) => self.verify(key, fingerprint, address, now).await,
                Presented::Session(token) => self.verify_session(token, address, now).await,
                Presented::IdToken(token) => self.verify_id_token(token, address, now).await,
            }
        };
        let verification = Box::pin(self.cache.try_get_with(fingerprint, verification)).await;
        let verification = verification.map_err(|it| (*it).clone())?;
        Ok(Some(verification.outcome_at(now)?))
    }

    /// Whether what is stored about a valid key is the same as when its secret was verified. Then the secret needs no second
    /// verification, which takes tens of milliseconds of a core. Tokens are verified again: a signature is cheap.
    async fn is_unchanged(
        &self,
        presented: &Presented<'_>,
        cached: &Verification,
        now: Timestamp,
    ) -> Result<bool, Rejected> {
        let (Presented::Key(key), Some(known)) = (presented, &cached.stored) else {
            return Ok(false);
        };
        let stored = self.tenants.presented_key(&key.id, now).await.map_err(unverifiable)?;
        Ok(stored.is_some_and(|it| Known::of(&it) == **known))
    }

    async fn verify(
        &self,
        presented: &ApiKey,
        fingerprint: Fingerprint,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<Verification, Rejected> {
        // Failures are read after waiting, so that they include those of the requests before.
        let Ok(_waiting) = self.waiting.try_acquire() else { return Err(Rejected::Unverifiable) };
        let _permit = self.verifications.acquire().await;
        let subjects = Subjects::of(presented, address);
        let is_known = self.valid.contains_key(&fingerprint);
        if !is_known && !self.refused_requests.may_look_up(address, now) {
            return Err(Refusal::Unknown.into());
        }
        let failures = match is_known {
            true => Failures::default(),
            false => self.failures(&subjects, now).await,
        };
        let too_many = too_many(now);
        failures.check_key().map_err(too_many)?;
        let used = self.tenants.presented_key(&presented.id, now);
        let (used, memory) = tokio::join!(used, self.key_secret.memory(now));
        let (outcome, stored) = match used.map_err(unverifiable)? {
            Some(used) => {
                failures.check_network(FACTOR_FOR_EXISTING_KEYS).map_err(too_many)?;
                let outcome = self.check(presented, &used, memory, now).await;
                (outcome, Some(Arc::new(Known::of(&used))))
            }
            None => {
                self.refused_requests.count_lookup(address, now);
                failures.check_network(1).map_err(too_many)?;
                (Err(Refusal::Unknown), None)
            }
        };
        match outcome {
            Ok(_) => self.valid.insert(fingerprint, ()).await,
            Err(_) => {
                self.valid.invalidate(&fingerprint).await;
                // A key that exists is limited by these failures, because verifying it is expensive.
                if stored.is_some() || !self.refused_requests.is_exhausted(address, now) {
                    self.record_failure(&subjects, now).await;
                }
            }
        }
        Ok(Verification { at: now, outcome, stored })
    }

    /// Verifying a signature is cheap, so only forged tokens are limited: a token that we have signed is no guess.
    async fn verify_session(
        &self,
        token: &PresentedToken<'_>,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<Verification, Rejected> {
        let claims = self.sessions.claims(token, now).await.map_err(unverifiable)?;
        let outcome = match claims {
            Some(claims) => self.sessions.caller(&claims, now).await.map_err(unverifiable)?,
            // Not remembered: after a rotation, the key may become known.
            None => return Err(self.forged(address, Refusal::InvalidSession, now).await),
        };
        Ok(Verification { at: now, outcome, stored: None })
    }

    /// As [`Self::verify_session`].
    async fn verify_id_token(
        &self,
        token: &PresentedIdToken<'_>,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<Verification, Rejected> {
        let (tenants, providers, domains) = (&self.tenants, &self.providers, &self.domains);
        let verified = id_tokens::verify(token, tenants, providers, domains, now).await;
        match verified.map_err(unverifiable)? {
            Outcome::Known(outcome) => {
                Ok(Verification { at: now, outcome: *outcome, stored: None })
            }
            Outcome::TierTooLow(tier) => Err(Rejected::TierTooLow(tier)),
            // Not remembered: the user may sign in, and the provider may publish the key.
            Outcome::Forged => Err(self.forged(address, Refusal::InvalidIdToken, now).await),
        }
    }

    /// The rejection of a forged token, which is counted. Where refused requests are limited already, nothing is stored.
    async fn forged(&self, address: IpAddr, refusal: Refusal, now: Timestamp) -> Rejected {
        if self.refused_requests.is_exhausted(address, now) {
            return refusal.into();
        }
        let subjects = Subjects::of_address(address);
        let failures = self.failures(&subjects, now).await;
        if let Err(limit) = failures.check_network(1) {
            return too_many(now)(limit);
        }
        self.record_failure(&subjects, now).await;
        refusal.into()
    }

    async fn check(
        &self,
        presented: &ApiKey,
        used: &PresentedKey,
        memory: Option<KeyMemory>,
        now: Timestamp,
    ) -> Result<Caller, Refusal> {
        let record = &used.record;
        let recalled = memory.as_ref().zip(record.remembered.as_ref());
        let recalled =
            recalled.and_then(|(memory, it)| memory.recall(it, presented, &record.credential, now));
        let (proven, remembered) = match recalled {
            Some(recalled) => (Some(recalled), None),
            None => {
                let (credential, key) = (record.credential.clone(), presented.clone());
                let prove = move || credential.prove(&key);
                let proven = tokio::task::spawn_blocking(prove).await.unwrap_or_default();
                let new = memory.zip(proven.as_ref());
                let new = new.and_then(|(it, proven)| {
                    it.remember((presented, proven), &record.credential, now)
                });
                (proven, new)
            }
        };
        let outcome = record.credential.admit(
            proven,
            Principal::api_key(&record.id),
            (&record.author, used.authority),
            used.entitlement.clone(),
            now,
        );
        let last_used = record.last_used_at;
        let is_recent = last_used.is_some_and(|it| now.duration_since(it) < LAST_USE_INTERVAL);
        if outcome.is_ok() && (remembered.is_some() || !is_recent) {
            // A valid key must work even if this update fails.
            if let Err(failure) = self.tenants.touch_api_key(used, remembered.as_ref(), now).await {
                tracing::warn!(
                    failure = errors::chain(&failure),
                    "time of last use of an API key not updated"
                );
            }
        }
        outcome
    }
}

fn unverifiable(failure: impl std::error::Error + 'static) -> Rejected {
    tracing::error!(failure = errors::chain(&failure), "a caller could not be verified");
    Rejected::Unverifiable
}

fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

impl Rejected {
    /// The response to a request for an operation of this rate group.
    pub fn into_problem(self, group: RateGroup) -> Problem {
        match self {
            Self::Unverifiable => Problem::unavailable(self),
            Self::TooManyFailures { limit, retry_after } => {
                Problem::new(&RATE_LIMIT_EXCEEDED, self)
                    .with("group", group)
                    .with("window", "1m")
                    .with("limit", limit)
                    .with("retryAfterSeconds", retry_after)
                    .with("violatedPolicies", [FAILED_VERIFICATIONS])
            }
            Self::TierTooLow(tier) => Problem::new(&TIER_NOT_UNLOCKED, self)
                .with("group", group)
                .with("tier", tier)
                .with("requiredTier", teams::SSO_TIER),
            other => Problem::new(&UNAUTHORIZED, other),
        }
    }
}
