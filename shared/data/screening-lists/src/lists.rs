use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use components::{Component, Components};
use domain::lists::List;
use objects::Objects;
use problem_details::{Problem, SERVICE_UNAVAILABLE};

use crate::{Error, OpenList, PublishedVersion, publish::current, version::current_id};

/// How long a version is served before the bucket is asked for a newer one.
const CHECK_INTERVAL: Duration = Duration::from_secs(60);
/// How long a version is served if the bucket cannot be asked.
const MAX_AGE: Duration = Duration::from_secs(3_600);

/// The lists that a process has open. Clones share them.
#[derive(Clone, Debug)]
pub struct ScreeningLists(Arc<State>);

#[derive(Debug)]
struct State {
    objects: Objects,
    check_interval: Duration,
    current: Mutex<HashMap<List, Known>>,
    /// The earlier version of each list that was opened last, to repeat screenings.
    earlier: tokio::sync::Mutex<HashMap<List, Arc<OpenList>>>,
    /// Held while the current version of any list is opened.
    opening: tokio::sync::Mutex<()>,
}

/// What is known of a list.
#[derive(Clone, Debug)]
struct Known {
    /// `None`: the list has not been published.
    open: Option<Arc<OpenList>>,
    checked: Instant,
}

/// A list cannot be read at the moment.
///
/// It does not implement `Error`, so that `?` in a handler turns it into a 503.
#[derive(Debug)]
pub struct ListsUnavailable(pub Error);

impl From<Error> for ListsUnavailable {
    fn from(failure: Error) -> Self {
        Self(failure)
    }
}

impl From<std::io::Error> for ListsUnavailable {
    fn from(failure: std::io::Error) -> Self {
        Self(failure.into())
    }
}

impl From<ListsUnavailable> for Problem {
    /// Logs the cause, which may name internal resources, and returns a 503 without it.
    fn from(ListsUnavailable(failure): ListsUnavailable) -> Self {
        tracing::error!(failure = errors::chain(&failure), "a screening list is unavailable");
        Self::new(&SERVICE_UNAVAILABLE, "the screening lists cannot be read at the moment")
    }
}

/// The lists in the bucket.
impl Component for ScreeningLists {
    fn open(components: &Components) -> Self {
        Self::checked_every(components.get(), CHECK_INTERVAL)
    }
}

impl ScreeningLists {
    /// The lists in a bucket.
    pub fn new(objects: Objects) -> Self {
        Self::checked_every(objects, CHECK_INTERVAL)
    }

    /// The lists in a bucket, which is asked at this interval for newer versions. For tests.
    pub fn checked_every(objects: Objects, check_interval: Duration) -> Self {
        Self(Arc::new(State {
            objects,
            check_interval,
            current: Mutex::default(),
            earlier: tokio::sync::Mutex::default(),
            opening: tokio::sync::Mutex::default(),
        }))
    }

    /// The current version of a list. `None`: it has not been published. A caller that comes when the version has to be
    /// checked waits for the check, so that no screening uses a version that was replaced before. If the bucket does not
    /// answer, the known version is used for at most [`MAX_AGE`].
    pub async fn current(&self, list: List) -> Result<Option<Arc<OpenList>>, ListsUnavailable> {
        let is_fresh = |it: &Known| it.checked.elapsed() < self.0.check_interval;
        if let Some(known) = self.known(list).filter(is_fresh) {
            return Ok(known.open);
        }
        let _turn = self.0.opening.lock().await;
        let known = self.known(list);
        if let Some(known) = known.clone().filter(is_fresh) {
            return Ok(known.open);
        }
        match (self.check(list).await, known) {
            (Ok(open), _) => Ok(open),
            (Err(failure), Some(Known { open: Some(open), checked }))
                if checked.elapsed() < MAX_AGE =>
            {
                let failure = errors::chain(&failure);
                tracing::warn!(%list, failure, "the list could not be checked");
                Ok(Some(open))
            }
            (Err(failure), _) => Err(failure.into()),
        }
    }

    /// Asks the bucket for newer versions of these lists now, and opens them.
    pub async fn refresh(&self, lists: &[List]) -> Result<(), ListsUnavailable> {
        let _turn = self.0.opening.lock().await;
        for list in lists {
            self.check(*list).await?;
        }
        Ok(())
    }

    /// The version with this id, current or earlier. `None` if it is not stored.
    pub async fn version(
        &self,
        list: List,
        id: &str,
    ) -> Result<Option<Arc<OpenList>>, ListsUnavailable> {
        let is_wanted = |it: &Arc<OpenList>| it.published.id == id;
        if let Some(open) = self.current(list).await?.filter(is_wanted) {
            return Ok(Some(open));
        }
        let mut earlier = self.0.earlier.lock().await;
        if let Some(open) = earlier.get(&list).filter(|it| is_wanted(it)) {
            return Ok(Some(open.clone()));
        }
        let Some(published) = PublishedVersion::read(&self.0.objects, list, id).await? else {
            return Ok(None);
        };
        // The memory of a process has room for one of them.
        earlier.remove(&list);
        let open = Arc::new(OpenList::open(&self.0.objects, published).await?);
        earlier.insert(list, open.clone());
        Ok(Some(open))
    }

    /// Opens the published version, unless it is open.
    async fn check(&self, list: List) -> Result<Option<Arc<OpenList>>, Error> {
        let before = self.known(list).and_then(|it| it.open);
        let id = current_id(&self.0.objects, list).await?;
        let open = match (id, before) {
            (None, _) => None,
            (Some(id), Some(before)) if before.published.id == id => Some(before),
            (Some(_), _) => match current(&self.0.objects, list).await? {
                None => None,
                Some(published) => {
                    let open = OpenList::open(&self.0.objects, published).await?;
                    tracing::info!(%list, version = open.published.id, entries = open.len(), "list opened");
                    Some(Arc::new(open))
                }
            },
        };
        self.remember(list, open.clone());
        Ok(open)
    }

    fn remember(&self, list: List, open: Option<Arc<OpenList>>) {
        let known = Known { open, checked: Instant::now() };
        self.0.current.lock().unwrap_or_else(PoisonError::into_inner).insert(list, known);
    }

    fn known(&self, list: List) -> Option<Known> {
        self.0.current.lock().unwrap_or_else(PoisonError::into_inner).get(&list).cloned()
    }
}
