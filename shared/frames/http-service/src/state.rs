//! The state that the steps of every request share.

use std::sync::Arc;

use access::{RateGroup, Tier};
use components::{Clock, Components, PublicUrl};
use jiff::Timestamp;
use problem_details::Problem;
use store::{Counters, Subject, Tenants};

use crate::{
    Providers, TrustedProxy,
    authentication::Authenticator,
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
    /// The state of a process that works with these, behind no proxy.
    pub fn new(components: &Components) -> Self {
        let refused_requests = RefusedRequests::default();
        let (tenants, counters): (Tenants, Counters) = (components.get(), components.get());
        let providers: Providers = components.get();
        let public_url: Arc<str> = components.get::<PublicUrl>().into();
        let authenticator =
            Authenticator::new(components, public_url.clone(), refused_requests.clone());
        Self {
            public_url,
            clock: components.get(),
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

    /// The state of a process that works with these. The settings `CLIENT_ADDRESS_HEADER` and `PROXY_SECRET`, the ARN of a secret
    /// of AWS Secrets Manager, name a [`TrustedProxy`].
    ///
    /// # Panics
    /// If the setting `METERING` is another one than `groups`, or those of the proxy cannot be used: a process with a wrong
    /// configuration must not start.
    pub async fn load(components: &Components) -> Self {
        let metering = components.setting("METERING").unwrap_or_else(|| "groups".to_owned());
        assert!(metering == "groups", "METERING must be `groups`; got `{metering}`");
        let proxy = match TrustedProxy::load(components).await {
            Ok(proxy) => proxy,
            Err(invalid) => panic!("{}", errors::chain(&invalid)),
        };
        Self::new(components).with_trusted_proxy(proxy)
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
