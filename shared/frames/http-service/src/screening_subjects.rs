//! Counts the subjects that requests screen, beside the requests themselves.

use std::sync::{Arc, Mutex, PoisonError};

use access::{RateGroup, Tier, Window, screening_subjects};
use auth::Caller;
use axum::extract::FromRequestParts;
use components::Clock;
use http::request::Parts;
use jiff::Timestamp;
use problem_details::{INTERNAL, Problem, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE};
use store::{CountError, CountedSubject, Counters, Subject, SubjectCount};

use crate::Middleware;

/// The name of this limit in problem documents.
pub(crate) const SCREENING_SUBJECTS: &str = "screening_subjects";

/// Counts the subjects of a request. For the handlers of operations that declare [`Access::screens`](crate::Access::screens).
///
/// What was counted is taken back if the request fails with 5xx.
#[derive(Clone, Debug)]
pub struct ScreeningSubjects {
    counters: Counters,
    subject: Subject,
    tier: Tier,
    group: RateGroup,
    clock: Clock,
    counted: Arc<Mutex<Vec<(u32, Timestamp)>>>,
}

impl ScreeningSubjects {
    pub(crate) fn of(middleware: &Middleware, caller: &Caller, group: RateGroup) -> Self {
        Self {
            counters: middleware.counters.clone(),
            subject: Subject::of(caller),
            tier: caller.tier(),
            group,
            clock: middleware.clock.clone(),
            counted: Arc::default(),
        }
    }

    /// Counts one subject.
    ///
    /// # Errors
    /// As [`Self::count`], except that it is allowed without being counted if the counter is unavailable.
    pub async fn count_one(&self) -> Result<CountedSubject, Problem> {
        let counted = self.count(1).await?.pop();
        counted.ok_or_else(|| Problem::new(&INTERNAL, "the subject was not counted"))
    }

    /// Counts this number of subjects, all or none.
    ///
    /// # Errors
    /// 429 if the team may not screen as many today. 503 if the counter is unavailable and there are several.
    pub async fn count(&self, number: usize) -> Result<Vec<CountedSubject>, Problem> {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let (limit, now) = (screening_subjects(self.tier), self.clock.now());
        match self.counters.count_subjects(&self.subject, number, limit, now).await {
            Ok(SubjectCount::Counted(subjects)) => {
                let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
                counted.push((number, now));
                Ok(subjects)
            }
            Ok(SubjectCount::Unconfirmed(subjects, failure)) => {
                self.log(&failure);
                Ok(subjects)
            }
            Ok(SubjectCount::Full) => Err(self.exceeded(number, now)),
            Err(failure) => {
                self.log(&failure);
                let detail =
                    "the subjects of a screening cannot be counted at the moment; try again later";
                Err(Problem::new(&SERVICE_UNAVAILABLE, detail))
            }
        }
    }

    /// Takes back what was counted.
    pub(crate) async fn refund(&self) {
        let counted = {
            let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *counted)
        };
        let limit = screening_subjects(self.tier);
        for (number, at) in counted {
            let refunded = self.counters.refund_subjects(&self.subject, number, limit, at).await;
            if let Err(failure) = refunded {
                tracing::error!(
                    metric = "MeteringFailure",
                    group = %self.group,
                    failure = errors::chain(&failure),
                    "subjects of a screening not refunded"
                );
            }
        }
    }

    fn log(&self, failure: &CountError) {
        tracing::error!(
            metric = "MeteringFailure",
            group = %self.group,
            failure = errors::chain(failure),
            "subjects of a screening not counted"
        );
    }

    fn exceeded(&self, number: u32, now: Timestamp) -> Problem {
        let (window, tier, limit) = (Window::Day, self.tier, screening_subjects(self.tier));
        let of = match self.subject {
            Subject::FreeTeams(_) => " to all Free teams that one user has created together",
            Subject::Team(_) | Subject::Network(_) => "",
        };
        let detail = format!(
            "the tier `{tier}` allows{of} {limit} subjects of screenings per {}, and fewer than the {number} of this \
             request are left; `GET /v1/usage/current` has the number",
            window.word()
        );
        Problem::new(&RATE_LIMIT_EXCEEDED, detail)
            .with("group", self.group)
            .with("window", window.header())
            .with("limit", limit)
            .with("retryAfterSeconds", window.seconds_to_reset(now))
            .with("violatedPolicies", [SCREENING_SUBJECTS])
    }
}

impl<S: Sync> FromRequestParts<S> for ScreeningSubjects {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let found = parts.extensions.get::<Self>().cloned();
        found.ok_or_else(|| {
            Problem::new(&INTERNAL, "the operation does not declare that it screens")
        })
    }
}
