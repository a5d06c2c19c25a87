//! Counts requests against the rate limits, refunds them, and writes the rate limit headers.
//!
//! Each request takes one unit with one conditional write and without a read before. The count is exact
//! with any number of concurrent requests. The counts that a process caches are used only for headers and
//! to reject further requests quickly. They never allow a request.
//!
//! An IPv6 network (/64) also takes units from the allowance of its /48: for its first request in a window,
//! and then in advance for more and more requests (see [`Allowance::site_units`]). After the allowance of a /48
//! is used up, each process may still serve the few requests that come before units are taken again.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use access::{Allowance, RateGroup, Tier};
use http::{HeaderMap, HeaderName, HeaderValue};
use jiff::Timestamp;
use moka::future::Cache;
use problem_details::{Problem, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE};
use store::{CountError, Counted, Counters, Subject};

/// How long further requests are rejected without a write after the limit is reached. Short, so that
/// refunded units are available soon.
const REJECTION_DURATION: Duration = Duration::from_secs(1);
/// Maximum number of cached buckets in a process.
const CACHE_CAPACITY: u64 = 50_000;

/// The rate limit headers, in the order of the documentation.
pub(crate) static HEADERS: [HeaderName; 7] = [
    HeaderName::from_static("x-ratelimit-group"),
    HeaderName::from_static("x-ratelimit-window"),
    HeaderName::from_static("x-ratelimit-limit"),
    HeaderName::from_static("x-ratelimit-remaining"),
    HeaderName::from_static("x-ratelimit-reset"),
    HeaderName::from_static("ratelimit"),
    HeaderName::from_static("ratelimit-policy"),
];

/// Takes and refunds units.
#[derive(Clone, Debug)]
pub struct Meter {
    counters: Counters,
    /// Start of the window in which the bucket is full, and its limit: after an upgrade it is full no more.
    full: Cache<Bucket, (i64, u32)>,
    /// Start of the window in which a /48 is full, which gets no refunds and therefore remains full until the window ends.
    full_sites: Cache<Bucket, i64>,
    // Every request changes its entry. Changing it in place is cheaper than inserting it again.
    last_known: Cache<Bucket, Arc<Mutex<CachedCount>>>,
}

/// The counter of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bucket {
    pub subject: Subject,
    pub group: RateGroup,
}

impl Bucket {
    /// The bucket of the /48, for an IPv6 network.
    fn site(&self) -> Option<Self> {
        let Subject::Network(network) = &self.subject else { return None };
        Some(Self { subject: Subject::Network(network.site()?), group: self.group })
    }
}

#[derive(Clone, Copy, Debug)]
struct CachedCount {
    window_start: i64,
    taken: u32,
}

/// The values of the rate limit headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimitStatus {
    pub group: RateGroup,
    /// 0 if the tier does not include the group.
    pub limit: u32,
    pub remaining: u32,
    /// Seconds until the window resets.
    pub reset: i64,
}

/// One counted request, or one that was allowed although it could not be counted.
#[derive(Clone, Debug)]
pub struct Unit {
    bucket: Bucket,
    allowance: Allowance,
    taken_at: Timestamp,
    counted: bool,
}

impl Meter {
    pub fn new(counters: Counters) -> Self {
        let one_hour = Duration::from_secs(3_600);
        Self {
            counters,
            full: cache(REJECTION_DURATION),
            full_sites: cache(one_hour),
            last_known: cache(one_hour),
        }
    }

    /// Takes one unit.
    ///
    /// # Errors
    /// 429 if all units of the window are used. 503 for AI and bulk operations, whose quotas customers pay
    /// for, while the counters are unavailable; other operations are then allowed without being counted.
    /// If only the response of the counter is lost, the request is allowed and may be counted.
    pub async fn take(
        &self,
        bucket: &Bucket,
        tier: Tier,
        allowance: Allowance,
        now: Timestamp,
    ) -> Result<(Unit, RateLimitStatus), (Problem, RateLimitStatus)> {
        let window_start = allowance.window.start(now);
        let status = |taken: u32| RateLimitStatus {
            group: bucket.group,
            limit: allowance.requests,
            remaining: allowance.requests.saturating_sub(taken),
            reset: allowance.window.seconds_to_reset(now),
        };
        let unit = |counted| Unit { bucket: bucket.clone(), allowance, taken_at: now, counted };
        let rejection = || (exceeded(bucket, tier, allowance, now), status(allowance.requests));

        let full = (window_start, allowance.requests);
        if self.full.get(bucket).await == Some(full) {
            return Err(rejection());
        }
        let site = bucket.site();
        let site_rejection =
            || (site_exceeded(bucket.group, allowance.of_site(), now), status(allowance.requests));
        if let Some(site) = &site
            && self.full_sites.get(site).await == Some(window_start)
        {
            return Err(site_rejection());
        }
        let taken =
            self.counters.take(&bucket.subject, bucket.group, allowance.requests, now).await;
        let failure = match taken {
            Ok(Counted::Now { taken, ever }) => {
                self.remember(bucket, window_start, taken).await;
                if let Some(site) = site
                    && Box::pin(self.network_limit_reached(&site, ever, allowance, now)).await
                {
                    self.full_sites.insert(site, window_start).await;
                    return Err(site_rejection());
                }
                return Ok((unit(true), status(taken)));
            }
            Ok(Counted::Full) => {
                self.full.insert(bucket.clone(), full).await;
                self.remember(bucket, window_start, allowance.requests).await;
                return Err(rejection());
            }
            Err(failure) => failure,
        };
        tracing::error!(metric = "MeteringFailure", group = %bucket.group, failure = errors::chain(&failure), "request not counted");
        // A lost response does not show whether the counters are available; a read does.
        let is_down = match failure {
            CountError::NotCounted(_) => true,
            CountError::AnswerLost(_) => {
                Box::pin(self.counters.taken(&bucket.subject, &[bucket.group], now)).await.is_err()
            }
        };
        let known = self.last_known(bucket, window_start).await.unwrap_or(0);
        if is_down && matches!(bucket.group, RateGroup::ExpensiveAi | RateGroup::Bulk) {
            let problem = Problem::new(
                &SERVICE_UNAVAILABLE,
                format!(
                    "`{}` requests cannot be counted at the moment; try again later",
                    bucket.group
                ),
            );
            return Err((problem, status(known)));
        }
        Ok((unit(false), status(known)))
    }

    /// Takes the units of a /48 that a /64 must count with its request number `ever`, and returns whether too few
    /// are left. Refunded requests keep their numbers, so that none is counted twice. The limit of the /64 still
    /// applies if the counter of the /48 is unavailable.
    async fn network_limit_reached(
        &self,
        site: &Bucket,
        ever: u32,
        allowance: Allowance,
        now: Timestamp,
    ) -> bool {
        let units = allowance.site_units(ever);
        if units == 0 {
            return false;
        }
        let limit = allowance.of_site().requests;
        let counted = self.counters.take_units(&site.subject, site.group, units, limit, now).await;
        counted.unwrap_or_else(|failure| {
            let group = site.group;
            tracing::error!(metric = "MeteringFailure", %group, failure = errors::chain(&failure), "request not counted for its /48");
            Counted::Now { taken: 0, ever: 0 }
        }) == Counted::Full
    }

    /// Refunds the unit of a request that was answered with 304 or 5xx. `None` if there was nothing to
    /// refund, if as many units of the window were refunded as it allows, or if the refund failed.
    pub async fn refund(&self, unit: &Unit, now: Timestamp) -> Option<RateLimitStatus> {
        if !unit.counted {
            return None;
        }
        let Unit { bucket, allowance, taken_at, .. } = unit;
        let limit = allowance.requests;
        let refunded = self.counters.refund(&bucket.subject, bucket.group, limit, *taken_at).await;
        let taken = match refunded {
            Ok(taken) => taken?,
            Err(failure) => {
                let group = bucket.group;
                tracing::error!(metric = "MeteringFailure", %group, failure = errors::chain(&failure), "request not refunded");
                return None;
            }
        };
        self.remember(bucket, allowance.window.start(*taken_at), taken).await;
        Some(RateLimitStatus {
            group: bucket.group,
            limit: allowance.requests,
            remaining: allowance.requests.saturating_sub(taken),
            reset: allowance.window.seconds_to_reset(now),
        })
    }

    /// The status for a response that took no unit: from the cache, or else from the counters.
    pub async fn status(&self, bucket: &Bucket, tier: Tier, now: Timestamp) -> RateLimitStatus {
        let window_start = bucket.group.window().start(now);
        if bucket.group.allowance(tier).is_some()
            && self.last_known(bucket, window_start).await.is_none()
        {
            let groups = [bucket.group];
            let read = Box::pin(self.counters.taken(&bucket.subject, &groups, now)).await;
            if let Some(taken) = read.ok().and_then(|it| it.first().copied()) {
                self.remember(bucket, window_start, taken).await;
            }
        }
        self.known_status(bucket, tier, now).await
    }

    /// As [`Self::status`], from the cache only: an unknown count is shown as 0.
    pub(crate) async fn known_status(
        &self,
        bucket: &Bucket,
        tier: Tier,
        now: Timestamp,
    ) -> RateLimitStatus {
        let (group, window) = (bucket.group, bucket.group.window());
        let reset = window.seconds_to_reset(now);
        let Some(allowance) = group.allowance(tier) else {
            return RateLimitStatus { group, limit: 0, remaining: 0, reset };
        };
        let taken = self.last_known(bucket, window.start(now)).await.unwrap_or(0);
        let remaining = allowance.requests.saturating_sub(taken);
        RateLimitStatus { group, limit: allowance.requests, remaining, reset }
    }

    async fn remember(&self, bucket: &Bucket, window_start: i64, taken: u32) {
        let count = CachedCount { window_start, taken };
        match self.last_known.get(bucket).await {
            Some(entry) => *entry.lock().unwrap_or_else(PoisonError::into_inner) = count,
            None => self.last_known.insert(bucket.clone(), Arc::new(Mutex::new(count))).await,
        }
    }

    async fn last_known(&self, bucket: &Bucket, window_start: i64) -> Option<u32> {
        let entry = self.last_known.get(bucket).await?;
        let count = *entry.lock().unwrap_or_else(PoisonError::into_inner);
        (count.window_start == window_start).then_some(count.taken)
    }
}

fn cache<V: Clone + Send + Sync + 'static>(time_to_live: Duration) -> Cache<Bucket, V> {
    Cache::builder().max_capacity(CACHE_CAPACITY).time_to_live(time_to_live).build()
}

fn exceeded(bucket: &Bucket, tier: Tier, allowance: Allowance, now: Timestamp) -> Problem {
    let (Allowance { requests, window }, group) = (allowance, bucket.group);
    let shared = match bucket.subject {
        Subject::FreeTeams(_) => ", to all Free teams that one user has created together",
        Subject::Team(_) | Subject::Network(_) => "",
    };
    let window = window.word();
    let detail =
        format!("the tier `{tier}` allows {requests} `{group}` requests per {window}{shared}");
    rate_limit_exceeded(detail, group, allowance, now)
}

fn site_exceeded(group: RateGroup, allowance: Allowance, now: Timestamp) -> Problem {
    let Allowance { requests, window } = allowance;
    let detail = format!(
        "the addresses of one IPv6 /48 are together allowed {requests} `{group}` requests per {}",
        window.word()
    );
    rate_limit_exceeded(detail, group, allowance, now)
}

fn rate_limit_exceeded(
    detail: String,
    group: RateGroup,
    Allowance { requests, window }: Allowance,
    now: Timestamp,
) -> Problem {
    Problem::new(&RATE_LIMIT_EXCEEDED, detail)
        .with("group", group)
        .with("window", window.header())
        .with("limit", requests)
        .with("retryAfterSeconds", window.seconds_to_reset(now))
        .with("violatedPolicies", [group])
}

impl RateLimitStatus {
    /// Writes the `x-ratelimit-` headers of the specification, and the two headers of
    /// draft-ietf-httpapi-ratelimit-headers-10.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let Self { group, limit, remaining, reset } = *self;
        let window = group.window();
        let [
            group_header,
            window_header,
            limit_header,
            remaining_header,
            reset_header,
            status,
            policy,
        ] = HEADERS.clone();
        headers.reserve(HEADERS.len());
        headers.insert(group_header, HeaderValue::from_static(group.name()));
        headers.insert(window_header, HeaderValue::from_static(window.header()));
        headers.insert(limit_header, limit.into());
        headers.insert(remaining_header, remaining.into());
        headers.insert(reset_header, reset.into());
        let fields = [
            (status, format!("\"{group}\";r={remaining};t={reset}")),
            (policy, format!("\"{group}\";q={limit};w={}", window.seconds())),
        ];
        for (name, value) in fields {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(name, value);
            }
        }
    }
}
