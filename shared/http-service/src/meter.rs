//! How units are taken, given back and reported.
//!
//! One conditional write a request takes a unit, exactly under any concurrency; no read precedes
//! it. What a process remembers of the counters serves headers and keeps floods from writing; it
//! never decides that a request is let through.

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

/// How long a refused caller is refused without asking the table again. Short, so that units which
/// were given back are soon seen.
const REFUSAL_REMEMBERED: Duration = Duration::from_secs(1);
/// How many subjects a process remembers.
const SUBJECTS_REMEMBERED: u64 = 50_000;

/// The headers that say a caller's standing, as they are documented.
pub(crate) static HEADERS: [HeaderName; 7] = [
    HeaderName::from_static("x-ratelimit-group"),
    HeaderName::from_static("x-ratelimit-window"),
    HeaderName::from_static("x-ratelimit-limit"),
    HeaderName::from_static("x-ratelimit-remaining"),
    HeaderName::from_static("x-ratelimit-reset"),
    HeaderName::from_static("ratelimit"),
    HeaderName::from_static("ratelimit-policy"),
];

/// Takes and gives back units.
#[derive(Clone, Debug)]
pub struct Meter {
    counters: Counters,
    refused: Cache<Bucket, i64>,
    // Written in place: every request does, and putting an entry into the cache costs more than counting.
    last_known: Cache<Bucket, Arc<Mutex<Known>>>,
}

/// What a request is counted in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bucket {
    pub subject: Subject,
    pub group: RateGroup,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    window_start: i64,
    taken: u32,
}

/// What the rate headers of an answer say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub group: RateGroup,
    /// 0 where the tier does not include the group.
    pub limit: u32,
    pub remaining: u32,
    /// Seconds until the window resets.
    pub reset: i64,
}

/// A unit that was taken, or that could not be counted and was let through.
#[derive(Clone, Debug)]
pub struct Unit {
    bucket: Bucket,
    allowance: Allowance,
    taken_at: Timestamp,
    counted: bool,
}

impl Meter {
    pub fn new(counters: Counters) -> Self {
        Self {
            counters,
            refused: Cache::builder()
                .max_capacity(SUBJECTS_REMEMBERED)
                .time_to_live(REFUSAL_REMEMBERED)
                .build(),
            last_known: Cache::builder()
                .max_capacity(SUBJECTS_REMEMBERED)
                .time_to_live(Duration::from_secs(3_600))
                .build(),
        }
    }

    /// Takes a unit. Refuses with 429 when the window's units are used up.
    ///
    /// Where the answer of the counter was lost, the request is served and stays counted, if it
    /// was. Where the counter is down, reads go on; generating and bulk work, which is what a
    /// quota is bought for, waits with 503.
    pub async fn take(
        &self,
        bucket: &Bucket,
        tier: Tier,
        allowance: Allowance,
        now: Timestamp,
    ) -> Result<(Unit, Standing), (Problem, Standing)> {
        let window_start = allowance.window.start(now);
        let standing = |taken: u32| Standing {
            group: bucket.group,
            limit: allowance.requests,
            remaining: allowance.requests.saturating_sub(taken),
            reset: allowance.window.seconds_to_reset(now),
        };
        let unit = |counted| Unit { bucket: bucket.clone(), allowance, taken_at: now, counted };
        let refused =
            || (exceeded(bucket.group, tier, allowance, now), standing(allowance.requests));

        if self.refused.get(bucket).await == Some(window_start) {
            return Err(refused());
        }
        let taken =
            self.counters.take(&bucket.subject, bucket.group, allowance.requests, now).await;
        let failure = match taken {
            Ok(Counted::Now(taken)) => {
                self.know(bucket, window_start, taken).await;
                return Ok((unit(true), standing(taken)));
            }
            Ok(Counted::Full) => {
                self.refused.insert(bucket.clone(), window_start).await;
                self.know(bucket, window_start, allowance.requests).await;
                return Err(refused());
            }
            Err(failure) => failure,
        };
        tracing::error!(metric = "MeteringFailure", group = %bucket.group, failure = errors::chain(&failure), "not metered");
        // An answer that was lost says nothing of the counter's health; asking again does.
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
                format!("requests of {} cannot be counted at the moment", bucket.group),
            );
            return Err((problem, standing(known)));
        }
        Ok((unit(false), standing(known)))
    }

    /// Gives a unit back, because its request cost nothing (304) or we failed (5xx).
    pub async fn give_back(&self, unit: &Unit, now: Timestamp) -> Option<Standing> {
        if !unit.counted {
            return None;
        }
        let Unit { bucket, allowance, taken_at, .. } = unit;
        let given = self.counters.give_back(&bucket.subject, bucket.group, *taken_at).await;
        let taken = match given {
            Ok(taken) => taken?,
            Err(failure) => {
                let group = bucket.group;
                tracing::error!(metric = "MeteringFailure", %group, failure = errors::chain(&failure), "not given back");
                return None;
            }
        };
        self.know(bucket, allowance.window.start(*taken_at), taken).await;
        Some(Standing {
            group: bucket.group,
            limit: allowance.requests,
            remaining: allowance.requests.saturating_sub(taken),
            reset: allowance.window.seconds_to_reset(now),
        })
    }

    /// What the headers of an answer say that took no unit: the last known value, or a read one.
    pub async fn standing(&self, bucket: &Bucket, tier: Tier, now: Timestamp) -> Standing {
        let window = bucket.group.window();
        let reset = window.seconds_to_reset(now);
        let Some(allowance) = bucket.group.allowance(tier) else {
            return Standing { group: bucket.group, limit: 0, remaining: 0, reset };
        };
        let taken = match self.last_known(bucket, window.start(now)).await {
            Some(taken) => taken,
            None => {
                let asked = [bucket.group];
                let read = Box::pin(self.counters.taken(&bucket.subject, &asked, now)).await;
                let taken = read.ok().and_then(|it| it.first().copied());
                if let Some(taken) = taken {
                    self.know(bucket, window.start(now), taken).await;
                }
                taken.unwrap_or(0)
            }
        };
        let remaining = allowance.requests.saturating_sub(taken);
        Standing { group: bucket.group, limit: allowance.requests, remaining, reset }
    }

    async fn know(&self, bucket: &Bucket, window_start: i64, taken: u32) {
        let known = Known { window_start, taken };
        match self.last_known.get(bucket).await {
            Some(there) => *there.lock().unwrap_or_else(PoisonError::into_inner) = known,
            None => self.last_known.insert(bucket.clone(), Arc::new(Mutex::new(known))).await,
        }
    }

    async fn last_known(&self, bucket: &Bucket, window_start: i64) -> Option<u32> {
        let known = self.last_known.get(bucket).await?;
        let known = *known.lock().unwrap_or_else(PoisonError::into_inner);
        (known.window_start == window_start).then_some(known.taken)
    }
}

fn exceeded(group: RateGroup, tier: Tier, allowance: Allowance, now: Timestamp) -> Problem {
    let Allowance { requests, window } = allowance;
    let detail =
        format!("the {tier} tier allows {requests} requests of {group} per {}", window.word());
    Problem::new(&RATE_LIMIT_EXCEEDED, detail)
        .with("group", group)
        .with("window", window.header())
        .with("limit", requests)
        .with("retryAfterSeconds", window.seconds_to_reset(now))
        .with("violatedPolicies", [group])
}

impl Standing {
    /// The mandated headers, and the IETF fields (draft-ietf-httpapi-ratelimit-headers-10).
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let Self { group, limit, remaining, reset } = *self;
        let window = group.window();
        let [of_group, of_window, of_limit, of_remaining, of_reset, standing, policy] =
            HEADERS.clone();
        headers.reserve(HEADERS.len());
        headers.insert(of_group, HeaderValue::from_static(group.name()));
        headers.insert(of_window, HeaderValue::from_static(window.header()));
        headers.insert(of_limit, limit.into());
        headers.insert(of_remaining, remaining.into());
        headers.insert(of_reset, reset.into());
        let fields = [
            (standing, format!("\"{group}\";r={remaining};t={reset}")),
            (policy, format!("\"{group}\";q={limit};w={}", window.seconds())),
        ];
        for (name, value) in fields {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(name, value);
            }
        }
    }
}
