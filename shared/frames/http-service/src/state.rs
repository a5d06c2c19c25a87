//! The state that the steps of every request share.

use std::sync::Arc;

use access::{RateGroup, Tier};
use aws::SdkConfig;
use jiff::Timestamp;
use network::dns::Dns;
use problem_details::Problem;
use store::{Counters, Subject, Tenants};

use crate::{
    Clock, Providers, TrustedProxy,
    authentication::Authenticator,
    key_memory::ApiKeySecret,
    meter::{Bucket, Meter, RateLimitStatus},
    refusal_log::RefusalLog,
    refused_requests::RefusedRequests,
};

/// The state that the steps of every request share: one for each process.
#[derive(Debug)]
pub struct Middleware {
    /// URL of the API for clients, such as `https://api.example/api`.
    pub public_url: Arc<str>,
    pub clock: Clock,
    /// The identity providers of teams.
    pub providers: Providers,
    pub(crate) trusted_proxy: Option<TrustedProxy>,
    pub(crate) tenants: Tenants,
    pub(crate) counters: Counters,
    pub(crate) authenticator: Authenticator,
    pub(crate) meter: Meter,
    pub(crate) refusals: RefusalLog,
    pub(crate) refused_requests: RefusedRequests,
}

impl Middleware {
    pub fn new(
        tenants: Tenants,
        counters: Counters,
        providers: Providers,
        public_url: &str,
        clock: Clock,
    ) -> Self {
        let refused_requests = RefusedRequests::default();
        let public_url: Arc<str> = public_url.trim_end_matches('/').into();
        let authenticator = Authenticator::new(
            tenants.clone(),
            counters.clone(),
            providers.clone(),
            public_url.clone(),
            refused_requests.clone(),
        );
        Self {
            public_url,
            clock,
            providers,
            trusted_proxy: None,
            authenticator,
            meter: Meter::new(counters.clone()),
            refusals: RefusalLog::default(),
            refused_requests,
            tenants,
            counters,
        }
    }

    /// The same with a proxy whose statements about client addresses are trusted.
    #[must_use]
    pub fn with_trusted_proxy(self, proxy: Option<TrustedProxy>) -> Self {
        Self { trusted_proxy: proxy, ..self }
    }

    /// The same with other name servers, which say whether domains are still those of teams.
    #[must_use]
    pub fn with_dns(self, dns: Dns) -> Self {
        Self { authenticator: self.authenticator.with_dns(dns), ..self }
    }

    /// The same, which remembers verified API keys beyond this process.
    #[must_use]
    pub fn with_key_secret(self, secret: ApiKeySecret) -> Self {
        Self { authenticator: self.authenticator.with_key_secret(secret), ..self }
    }

    /// Reads `PUBLIC_URL` (required), `METERING` (default: `groups`), and the settings of
    /// [`TrustedProxy`] and of [`ApiKeySecret`] from the environment.
    ///
    /// # Panics
    /// If `PUBLIC_URL` is not set, `METERING` has an unknown value, or the settings of the proxy cannot be
    /// used: a process with a wrong configuration must not start.
    #[expect(clippy::disallowed_methods, reason = "these variables are read only here")]
    pub async fn from_env(environment: &SdkConfig, client: store::Client) -> Self {
        let Ok(public_url) = std::env::var("PUBLIC_URL") else {
            panic!("the environment variable PUBLIC_URL is not set")
        };
        let metering = std::env::var("METERING").unwrap_or_else(|_| "groups".into());
        assert!(metering == "groups", "METERING must be `groups`; got `{metering}`");
        let proxy = match TrustedProxy::from_env(environment).await {
            Ok(proxy) => proxy,
            Err(invalid) => panic!("{}", errors::chain(&invalid)),
        };
        let tenants = Tenants::from_env(client.clone());
        let (counters, providers) = (Counters::from_env(client), Providers::public());
        Self::new(tenants, counters, providers, &public_url, Clock::system())
            .with_trusted_proxy(proxy)
            .with_key_secret(ApiKeySecret::from_env(environment))
    }
}

impl Middleware {
    /// How a request is answered that is refused before it takes a unit, and the values of the rate limit headers. The refusal is
    /// counted for `by`; above the limit, nothing is read.
    pub(crate) async fn refuse(
        &self,
        problem: Problem,
        by: &Subject,
        bucket: &Bucket,
        tier: Tier,
        now: Timestamp,
    ) -> (Problem, RateLimitStatus) {
        match self.count_refusal(problem, by, bucket.group, now) {
            Ok(problem) => (problem, self.meter.status(bucket, tier, now).await),
            Err(limited) => (limited, self.meter.known_status(bucket, tier, now).await),
        }
    }

    /// Counts a refusal. The error is what to answer instead, above the limit. Other problems are not counted.
    pub(crate) fn count_refusal(
        &self,
        problem: Problem,
        by: &Subject,
        group: RateGroup,
        now: Timestamp,
    ) -> Result<Problem, Problem> {
        let is_refusal = matches!(problem.kind.status.as_u16(), 401 | 403 | 404 | 405);
        let limited = if is_refusal { self.refused_requests.count(by, group, now) } else { None };
        limited.map_or(Ok(problem), Err)
    }
}
