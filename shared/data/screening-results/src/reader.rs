use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use components::{Component, Components};
use objects::Objects;

use crate::{
    Error, ScreenedCompanies, current,
    screened::{ListResult, risks},
};

/// How long results are used before the bucket is asked for newer ones.
const CHECK_INTERVAL: Duration = Duration::from_secs(60);
/// How long a request waits for newer results.
const TIMEOUT: Duration = Duration::from_secs(3);

/// The current results of all lists. Clones share them.
#[derive(Clone, Debug)]
pub struct CompanyScreenings(Arc<State>);

#[derive(Debug)]
struct State {
    objects: Objects,
    check_interval: Duration,
    known: Mutex<Known>,
    /// Held while the bucket is asked.
    checking: tokio::sync::Mutex<()>,
}

#[derive(Clone, Debug, Default)]
struct Known {
    results: ScreenedCompanies,
    checked: Option<Instant>,
}

/// The results in the bucket.
impl Component for CompanyScreenings {
    fn open(components: &Components) -> Self {
        Self::checked_every(components.get(), CHECK_INTERVAL)
    }
}

impl CompanyScreenings {
    /// The results in a bucket.
    pub fn new(objects: Objects) -> Self {
        Self::checked_every(objects, CHECK_INTERVAL)
    }

    /// The results in a bucket, which is asked at this interval for newer ones. For tests.
    pub fn checked_every(objects: Objects, check_interval: Duration) -> Self {
        Self(Arc::new(State {
            objects,
            check_interval,
            known: Mutex::default(),
            checking: tokio::sync::Mutex::default(),
        }))
    }

    /// The current results. If the bucket does not answer in time, those that are known: a record of a company is worth
    /// reading without them.
    pub async fn current(&self) -> ScreenedCompanies {
        let is_fresh =
            |it: &Known| it.checked.is_some_and(|it| it.elapsed() < self.0.check_interval);
        let known = self.known();
        if is_fresh(&known) {
            return known.results;
        }
        let _turn = self.0.checking.lock().await;
        let known = self.known();
        if is_fresh(&known) {
            return known.results;
        }
        let results = match tokio::time::timeout(TIMEOUT, self.check(&known.results)).await {
            Ok(Ok(results)) => results,
            Ok(Err(failure)) => {
                let failure = errors::chain(&failure);
                tracing::error!(failure, "the results of screening all companies are unavailable");
                known.results
            }
            Err(_) => {
                tracing::error!("the results of screening all companies were not read in time");
                known.results
            }
        };
        let known = Known { results: results.clone(), checked: Some(Instant::now()) };
        *self.0.known.lock().unwrap_or_else(PoisonError::into_inner) = known;
        results
    }

    /// Reads the results that are not known yet.
    async fn check(&self, known: &ScreenedCompanies) -> Result<ScreenedCompanies, Error> {
        let mut results = Vec::new();
        for list in risks() {
            let Some(published) = current(&self.0.objects, list).await? else { continue };
            let same = known.0.iter().find(|it| it.published == published);
            results.push(match same {
                Some(open) => open.clone(),
                None => Arc::new(ListResult::read(&self.0.objects, published).await?),
            });
        }
        Ok(ScreenedCompanies(results))
    }

    fn known(&self) -> Known {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
