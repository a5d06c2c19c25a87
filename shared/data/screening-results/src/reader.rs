use std::{sync::Arc, time::Duration};

use components::{Component, Components};
use domain::lists::{HitMeaning, List};
use objects::Objects;
use published::{Error, Freshness, Reader, Source};

use crate::{Published, ScreenedCompanies, current, screened::ListResult};

/// How long results are used before the bucket is asked for newer ones.
const CHECK_INTERVAL: Duration = Duration::from_secs(60);
/// How long a request waits for newer results.
const TIMEOUT: Duration = Duration::from_secs(3);

/// The current results of all lists whose hits can be a risk. Clones share them.
#[derive(Clone)]
pub struct CompanyScreenings(Arc<Reader<Results>>);

struct Results(Objects);

/// The results in the bucket.
impl Component for CompanyScreenings {
    fn open(components: &Components) -> Self {
        Self::new(components.get())
    }
}

impl CompanyScreenings {
    /// The results in a bucket.
    pub fn new(objects: Objects) -> Self {
        Self::checked_every(objects, CHECK_INTERVAL)
    }

    /// The results in a bucket, which is asked at this interval for newer ones. For tests.
    pub fn checked_every(objects: Objects, check_interval: Duration) -> Self {
        let freshness = Freshness {
            check_every: check_interval..=check_interval,
            retry_after: check_interval,
            outdated_for: Duration::ZERO,
            wait_at_most: TIMEOUT,
        };
        let none = (Vec::new(), ScreenedCompanies::default());
        Self(Reader::new(Results(objects), freshness, Some(none)))
    }

    /// The current results. If the bucket does not answer in time, those that are known: a record of a company is worth
    /// reading without them.
    pub async fn current(&self) -> ScreenedCompanies {
        self.0.current().await.unwrap_or_default()
    }
}

impl Source for Results {
    type Version = Vec<Published>;
    type Opened = ScreenedCompanies;
    type Error = Error;

    async fn current(&self) -> Result<Vec<Published>, Error> {
        let mut results = Vec::new();
        for list in List::ALL.into_iter().filter(|it| it.meaning() == HitMeaning::Risk) {
            results.extend(current(&self.0, list).await?);
        }
        Ok(results)
    }

    /// Reads the results that are not known yet.
    async fn open(
        &self,
        version: &Vec<Published>,
        before: Option<&ScreenedCompanies>,
    ) -> Result<ScreenedCompanies, Error> {
        let mut results = Vec::new();
        for published in version {
            let known = before.and_then(|it| it.0.iter().find(|it| it.published == *published));
            results.push(match known {
                Some(open) => open.clone(),
                None => Arc::new(ListResult::read(&self.0, published.clone()).await?),
            });
        }
        Ok(ScreenedCompanies(results))
    }

    fn log(&self, failure: &Error) {
        let failure = errors::chain(failure);
        tracing::error!(failure, "the results of screening all companies are unavailable");
    }
}
