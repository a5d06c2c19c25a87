//! Verifies API keys: checksum, cache of the process, limit of failed attempts, and then Argon2id.

use std::{net::IpAddr, sync::Arc, time::Duration};

use auth::{ApiKey, Caller, Fingerprint, FingerprintKey, Refusal};
use http::{HeaderMap, header};
use jiff::{SignedDuration, Timestamp};
use moka::future::Cache;
use problem_details::{Problem, UNAUTHORIZED};
use store::{Counters, Subject, Tenants};
use tokio::sync::Semaphore;

/// How long a process caches the result of a verification. A revoked key may be accepted for that long.
const CACHE_DURATION: SignedDuration = SignedDuration::from_secs(60);
/// Maximum number of cached keys in a process.
const CACHE_CAPACITY: u64 = 10_000;
/// Maximum number of concurrent verifications. Each takes tens of milliseconds of a core.
const MAX_CONCURRENT_VERIFICATIONS: usize = 2;
/// Maximum number of waiting verifications. Further requests get 503.
const MAX_WAITING_VERIFICATIONS: usize = 64;
/// Maximum number of failed verifications of one key in a minute, from all addresses together. High,
/// because anybody who knows the public part of a key could lock out its owner.
pub const MAX_FAILURES_PER_KEY: u32 = 1_000;
/// Maximum number of failed verifications from one address in a minute, for all keys together.
pub const MAX_FAILURES_PER_ADDRESS: u32 = 20;
/// Minimum time between two updates of a key's time of last use.
const LAST_USE_INTERVAL: SignedDuration = SignedDuration::from_mins(5);

/// Verifies API keys.
#[derive(Clone, Debug)]
pub struct Authenticator {
    tenants: Tenants,
    counters: Counters,
    fingerprint_key: FingerprintKey,
    cache: Cache<Fingerprint, Verification>,
    verifications: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

#[derive(Clone, Debug)]
struct Verification {
    at: Timestamp,
    outcome: Result<Caller, Refusal>,
}

/// Why a request with credentials is rejected.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Rejected {
    #[error("the `Authorization` header must have the form `Bearer <API key>`")]
    NotBearer,
    #[error(transparent)]
    Malformed(#[from] auth::MalformedKey),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("too many failed attempts; try again in {0} seconds")]
    TooManyFailures(i64),
    #[error("the API key cannot be verified at the moment; try again later")]
    Unverifiable,
}

impl Authenticator {
    pub fn new(tenants: Tenants, counters: Counters) -> Self {
        Self {
            tenants,
            counters,
            fingerprint_key: FingerprintKey::random(),
            cache: Cache::builder()
                .max_capacity(CACHE_CAPACITY)
                .time_to_live(Duration::from_secs(CACHE_DURATION.as_secs().unsigned_abs()))
                .build(),
            verifications: Arc::new(Semaphore::new(MAX_CONCURRENT_VERIFICATIONS)),
            waiting: Arc::new(Semaphore::new(MAX_WAITING_VERIFICATIONS)),
        }
    }

    /// The caller whose API key is in the headers; `None` without an `Authorization` header.
    pub async fn caller(
        &self,
        headers: &HeaderMap,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<Option<Caller>, Rejected> {
        let Some(header) = headers.get(header::AUTHORIZATION) else { return Ok(None) };
        let token = header.to_str().ok().and_then(bearer).ok_or(Rejected::NotBearer)?;
        let presented: ApiKey = token.parse()?;
        let fingerprint = self.fingerprint_key.fingerprint(token);

        // The clock of the cache may stop while a Lambda function is frozen, so entries are also checked
        // against the current time.
        if let Some(cached) = self.cache.get(&fingerprint).await {
            if now.duration_since(cached.at) < CACHE_DURATION {
                return cached.outcome.map(Some).map_err(Rejected::Refused);
            }
            self.cache.invalidate(&fingerprint).await;
        }
        // Concurrent requests with the same key share one verification.
        let verification = self.verify(&presented, address, now);
        let verification = Box::pin(self.cache.try_get_with(fingerprint, verification)).await;
        verification.map_err(|it| (*it).clone())?.outcome.map(Some).map_err(Rejected::Refused)
    }

    async fn verify(
        &self,
        presented: &ApiKey,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<Verification, Rejected> {
        // Failures are read after waiting, so that they include those of the requests before.
        let Ok(_waiting) = self.waiting.try_acquire() else { return Err(Rejected::Unverifiable) };
        let _permit = self.verifications.acquire().await;
        let by_key = format!("key#{}", presented.id);
        let by_address = Subject::Address(address).to_string();
        let subjects = [by_key.as_str(), by_address.as_str()];
        // If the counters are unavailable, verification continues: they only limit attempts.
        if let Ok(failures) = self.counters.failures(&subjects, now).await
            && (failures[0] >= MAX_FAILURES_PER_KEY || failures[1] >= MAX_FAILURES_PER_ADDRESS)
        {
            return Err(Rejected::TooManyFailures(60 - now.as_second().rem_euclid(60)));
        }
        let outcome = self.check(presented, now).await.map_err(|failure| {
            tracing::error!(failure = errors::chain(&failure), "API key could not be verified");
            Rejected::Unverifiable
        })?;
        if outcome.is_err() {
            for subject in subjects {
                if let Err(failure) = self.counters.record_failure(subject, now).await {
                    tracing::error!(
                        metric = "MeteringFailure",
                        failure = errors::chain(&failure),
                        "failed attempt not counted"
                    );
                }
            }
        }
        Ok(Verification { at: now, outcome })
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
        let is_recent = last_used.is_some_and(|it| now.duration_since(it) < LAST_USE_INTERVAL);
        if outcome.is_ok() && !is_recent {
            // A valid key must work even if this update fails.
            if let Err(failure) = self.tenants.touch_api_key(&used, now).await {
                tracing::warn!(
                    failure = errors::chain(&failure),
                    "time of last use of an API key not updated"
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
