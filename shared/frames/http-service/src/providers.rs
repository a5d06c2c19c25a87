//! Identity providers of teams: what they publish, and the verification of their ID tokens.
//!
//! Invariant: only providers that a team has chosen are asked, and a process asks each of them at most once
//! per [`REFRESH_INTERVAL`], however many tokens are presented.

mod redemption;

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use auth::{
    Expected, InvalidIdToken, InvalidMetadata, NotKeys, PresentedIdToken, ProviderKeys,
    ProviderMetadata, VerifiedIdToken,
};
use bytes::Bytes;
use components::{Component, Components};
use http::{Request, StatusCode, header};
use jiff::{SignedDuration, Timestamp};
use moka::future::Cache;
use network::outgoing::{Forbidden, Limits, NotAnswered, OutgoingHttp};
use url::Url;

pub use redemption::{NotRedeemed, Redemption, error_code};

/// How long a process uses what a provider has published, before it asks again.
const FRESH_DURATION: SignedDuration = SignedDuration::from_hours(1);
/// How long it does if the provider does not answer.
const STALE_DURATION: SignedDuration = SignedDuration::from_hours(24);
/// Minimum time between two requests for it, for example because a token names an unknown key.
pub const REFRESH_INTERVAL: SignedDuration = SignedDuration::from_secs(60);
/// Maximum number of providers that a process remembers.
const CAPACITY: u64 = 1_000;
/// Maximum time of a request to a provider.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum size of a response of a provider in bytes. Large key sets have about 20,000.
const MAX_BYTES: usize = 262_144;

/// Why a provider cannot be used at the moment, or at all.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ProviderFailure {
    /// Its address, or one that it has published, may not be requested.
    #[error("the address `{address}` of the identity provider cannot be used: {reason}")]
    Forbidden { address: String, reason: Forbidden },
    #[error("the identity provider did not answer at `{address}`: {reason}")]
    NotAnswered { address: String, reason: String },
    #[error("the identity provider answered with status {status} at `{address}`")]
    Status { address: String, status: u16 },
    #[error("the identity provider cannot be used")]
    Metadata(#[from] InvalidMetadata),
    #[error("the identity provider cannot be used")]
    Keys(#[from] NotKeys),
}

/// Why an ID token is not accepted.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NotVerified {
    #[error(transparent)]
    Invalid(#[from] InvalidIdToken),
    /// The token may be valid.
    #[error(transparent)]
    Failed(#[from] ProviderFailure),
}

/// Asks identity providers. Clones share what is known.
#[derive(Clone)]
pub struct Providers {
    http: OutgoingHttp,
    timeout: Duration,
    known: Cache<String, Arc<Provider>>,
}

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Providers({:?})", self.http)
    }
}

/// One provider, as this process knows it.
#[derive(Default)]
struct Provider {
    published: Mutex<Option<Published>>,
    /// Held while the provider is asked: concurrent requests share the answer. Tokens of known keys do not wait for it.
    last_request: tokio::sync::Mutex<Option<(Timestamp, Option<ProviderFailure>)>>,
}

/// What a provider has published, when it answered last.
#[derive(Clone)]
struct Published {
    at: Timestamp,
    metadata: Arc<ProviderMetadata>,
    keys: Arc<ProviderKeys>,
}

impl Published {
    fn is_younger_than(&self, age: SignedDuration, now: Timestamp) -> bool {
        now.duration_since(self.at) < age
    }
}

impl Provider {
    fn published(&self) -> Option<Published> {
        self.published.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Asks providers on the public internet.
impl Component for Providers {
    fn open(_: &Components) -> Self {
        Self::public()
    }
}

impl Providers {
    /// Asks providers on the public internet.
    pub fn public() -> Self {
        Self::new(OutgoingHttp::public())
    }

    pub fn new(http: OutgoingHttp) -> Self {
        Self { http, timeout: TIMEOUT, known: Cache::new(CAPACITY) }
    }

    /// The same with another maximum time of a request, for tests.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Whether an address may be requested, as far as that is known without a look-up.
    pub fn check(&self, address: &Url) -> Result<(), Forbidden> {
        self.http.check(address)
    }

    /// What a provider publishes about itself. `is_fresh` asks it in any case, for example when a team chooses it.
    pub async fn metadata(
        &self,
        issuer: &str,
        is_fresh: bool,
        now: Timestamp,
    ) -> Result<Arc<ProviderMetadata>, ProviderFailure> {
        let provider = self.provider(issuer).await;
        if is_fresh {
            let published = self.request(issuer, now).await?;
            *provider.published.lock().unwrap_or_else(PoisonError::into_inner) =
                Some(published.clone());
            return Ok(published.metadata);
        }
        Ok(self.current(&provider, issuer, &|_| true, now).await?.metadata)
    }

    /// Verifies an ID token of a provider.
    pub async fn verify(
        &self,
        token: &PresentedIdToken<'_>,
        expected: Expected<'_>,
        now: Timestamp,
    ) -> Result<VerifiedIdToken, NotVerified> {
        let provider = self.provider(expected.issuer).await;
        let has_key = |it: &Published| token.has_key_in(&it.keys);
        let published = self.current(&provider, expected.issuer, &has_key, now).await?;
        Ok(token.verify(&published.keys, expected, now)?)
    }

    async fn provider(&self, issuer: &str) -> Arc<Provider> {
        self.known.get_with_by_ref(issuer, async { Arc::default() }).await
    }

    /// What the provider has published: as known if that is fresh and `is_enough`, or else as it publishes now.
    async fn current(
        &self,
        provider: &Provider,
        issuer: &str,
        is_enough: &(dyn Fn(&Published) -> bool + Sync),
        now: Timestamp,
    ) -> Result<Published, ProviderFailure> {
        let known = |age| provider.published().filter(|it| it.is_younger_than(age, now));
        let is_known = || known(FRESH_DURATION).filter(is_enough);
        if let Some(known) = is_known() {
            return Ok(known);
        }
        let usable = known(STALE_DURATION).filter(is_enough);
        let mut last = match (usable, provider.last_request.try_lock()) {
            (_, Ok(last)) => last,
            // Another request asks the provider.
            (Some(known), Err(_)) => return Ok(known),
            (None, Err(_)) => provider.last_request.lock().await,
        };
        // Another request may have asked while this one waited.
        if let Some(known) = is_known() {
            return Ok(known);
        }
        let is_recent = |at: Timestamp| now.duration_since(at) < REFRESH_INTERVAL;
        let failure = match &*last {
            Some((at, failure)) if is_recent(*at) => failure.clone(),
            _ => match self.request(issuer, now).await {
                Ok(published) => {
                    *last = Some((now, None));
                    *provider.published.lock().unwrap_or_else(PoisonError::into_inner) =
                        Some(published.clone());
                    return Ok(published);
                }
                Err(failure) => {
                    tracing::warn!(failure = errors::chain(&failure), "identity provider failed");
                    *last = Some((now, Some(failure.clone())));
                    Some(failure)
                }
            },
        };
        match (known(STALE_DURATION), failure) {
            (Some(known), _) => Ok(known),
            (None, Some(failure)) => Err(failure),
            // It has answered a minute ago, and what it published was dropped from memory meanwhile.
            (None, None) => self.request(issuer, now).await,
        }
    }

    async fn request(&self, issuer: &str, now: Timestamp) -> Result<Published, ProviderFailure> {
        let address = ProviderMetadata::address(issuer);
        let url = Url::parse(&address).map_err(|_| InvalidMetadata::Malformed)?;
        let metadata = ProviderMetadata::parse(&self.get(&url).await?, issuer)?;
        // The browser is sent to the first one.
        for endpoint in [&metadata.authorization_endpoint, &metadata.token_endpoint] {
            self.http.check(endpoint).map_err(|reason| forbidden(endpoint, reason))?;
        }
        let keys = ProviderKeys::parse(&self.get(&metadata.jwks_uri).await?)?;
        Ok(Published { at: now, metadata: Arc::new(metadata), keys: Arc::new(keys) })
    }

    async fn get(&self, url: &Url) -> Result<Bytes, ProviderFailure> {
        let request = Request::get(url.as_str()).header(header::ACCEPT, "application/json");
        match self.send(url, request, Bytes::new()).await? {
            (StatusCode::OK, body) => Ok(body),
            (status, _) => {
                Err(ProviderFailure::Status { address: shown(url), status: status.as_u16() })
            }
        }
    }

    async fn send(
        &self,
        url: &Url,
        request: http::request::Builder,
        body: Bytes,
    ) -> Result<(StatusCode, Bytes), ProviderFailure> {
        let limits = Limits { timeout: self.timeout, max_bytes: MAX_BYTES };
        match self.http.send(url, request, body, limits).await {
            Ok(answer) => Ok((answer.status(), answer.into_body())),
            Err(NotAnswered::Forbidden(reason)) => Err(forbidden(url, reason)),
            Err(failure) => {
                // The causes may name addresses of our network.
                tracing::info!(
                    failure = errors::chain(&failure),
                    "no answer of an identity provider"
                );
                let (address, reason) = (shown(url), failure.to_string());
                Err(ProviderFailure::NotAnswered { address, reason })
            }
        }
    }
}

fn forbidden(url: &Url, reason: Forbidden) -> ProviderFailure {
    ProviderFailure::Forbidden { address: shown(url), reason }
}

/// An address without its query, which may contain secrets.
fn shown(url: &Url) -> String {
    let text = url.as_str();
    text.split(['?', '#']).next().unwrap_or_default().chars().take(255).collect()
}
