use std::{collections::HashMap, sync::Arc, time::Duration};

use components::{Component, Components};
use domain::lists::List;
use objects::Objects;
use problem_details::{Problem, SERVICE_UNAVAILABLE};
use published::{Error, Freshness, Last, Reader, Source};
use tokio::sync::Mutex;

use crate::{OpenList, version::location};

/// How long a version is served before the bucket is asked for a newer one.
const CHECK_INTERVAL: Duration = Duration::from_secs(60);
/// How long a version is served if the bucket cannot be asked.
const MAX_AGE: Duration = Duration::from_secs(3_600);

/// The lists that a process has open. Clones share them.
#[derive(Clone)]
pub struct ScreeningLists(Arc<State>);

struct State {
    objects: Objects,
    current: HashMap<List, Arc<Reader<CurrentList>>>,
    /// The version of each list that was opened last to repeat a screening, by id.
    earlier: HashMap<List, Last<String, Arc<OpenList>>>,
}

/// The current version of a list.
struct CurrentList {
    objects: Objects,
    list: List,
    /// Held while the current version of any list is opened.
    opening: Arc<Mutex<()>>,
    check_interval: Duration,
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
        Self::new(components.get())
    }
}

impl ScreeningLists {
    /// The lists in a bucket.
    pub fn new(objects: Objects) -> Self {
        Self::checked_every(objects, CHECK_INTERVAL)
    }

    /// The lists in a bucket, which is asked at this interval for newer versions. For tests.
    pub fn checked_every(objects: Objects, check_interval: Duration) -> Self {
        // A caller that comes when the version has to be checked waits for the check, so that no screening uses a version that was
        // replaced before.
        let freshness = Freshness {
            check_every: check_interval..=check_interval,
            retry_after: Duration::ZERO,
            outdated_for: Duration::ZERO,
            wait_at_most: Duration::MAX,
        };
        let opening = Arc::new(Mutex::default());
        let reader = |list| {
            let (objects, opening) = (objects.clone(), opening.clone());
            let source = CurrentList { objects, list, opening, check_interval };
            (list, Reader::new(source, freshness.clone(), None))
        };
        let current = List::ALL.map(reader).into();
        let earlier = List::ALL.map(|it| (it, Last::default())).into();
        Self(Arc::new(State { objects, current, earlier }))
    }

    /// The current version of a list. `None`: it has not been published. If the bucket does not answer, the known version is
    /// used for at most [`MAX_AGE`].
    pub async fn current(&self, list: List) -> Result<Option<Arc<OpenList>>, ListsUnavailable> {
        Ok(self.0.current[&list].current().await?)
    }

    /// Asks the bucket for newer versions of these lists now, and opens them.
    pub async fn refresh(&self, lists: &[List]) -> Result<(), ListsUnavailable> {
        for list in lists {
            self.0.current[list].refresh().await?;
        }
        Ok(())
    }

    /// The version with this id, current or earlier. `None` if it is not stored.
    pub async fn version(
        &self,
        list: List,
        id: &str,
    ) -> Result<Option<Arc<OpenList>>, ListsUnavailable> {
        let current = self.current(list).await?;
        if let Some(open) = current.filter(|it| it.published.id == id) {
            return Ok(Some(open));
        }
        let objects = &self.0.objects;
        let open = async {
            match location(objects, list).find(id).await? {
                Some(version) => Ok(Some(Arc::new(OpenList::open(objects, version).await?))),
                None => Ok::<_, Error>(None),
            }
        };
        Ok(self.0.earlier[&list].get(id.to_owned(), open).await?)
    }
}

impl Source for CurrentList {
    /// `None`: no version is published.
    type Version = Option<String>;
    type Opened = Option<Arc<OpenList>>;
    type Error = Error;

    async fn current(&self) -> Result<Option<String>, Error> {
        location(&self.objects, self.list).current_id().await
    }

    async fn open(
        &self,
        id: &Option<String>,
        _: Option<&Option<Arc<OpenList>>>,
    ) -> Result<Option<Arc<OpenList>>, Error> {
        let Some(id) = id else { return Ok(None) };
        let _turn = self.opening.lock().await;
        let published = location(&self.objects, self.list).version(id).await?;
        let open = OpenList::open(&self.objects, published).await?;
        tracing::info!(list = %self.list, version = id, entries = open.len(), "list opened");
        Ok(Some(Arc::new(open)))
    }

    /// A list that was not published may be published by now: without it, a screening would look complete.
    fn kept_for(&self, open: &Option<Arc<OpenList>>) -> Duration {
        if open.is_some() { MAX_AGE } else { self.check_interval }
    }

    fn log(&self, failure: &Error) {
        let failure = errors::chain(failure);
        tracing::warn!(list = %self.list, failure, "the list could not be checked");
    }
}
