use std::{
    ops::Range,
    path::PathBuf,
    sync::{Arc, RwLock},
    time::Duration,
};

use components::{Component, Components};
use objects::Objects;
use tokio::{sync::Mutex, time::Instant};

use crate::{Error, Generation, Layout, Manifest, TemporaryFolder, Unavailable, index::Source};

/// Shortest and longest interval between checks for a newer generation. A random one between them, so that the processes of
/// a function do not download a newer one all at once.
const CHECK_INTERVAL: Range<u64> = 20..40;
/// Pause before another attempt to open a generation that failed on this machine, for example because the disk
/// was full. Each attempt downloads it again.
const RETRY_PAUSE: Duration = Duration::from_mins(15);

/// How long a process serves a generation after it has noticed a newer one. Lambda stops processes between requests, so with few
/// requests a download in the background hardly proceeds; then a request waits for it.
const OUTDATED_FOR: Duration = Duration::from_mins(30);
/// Maximum time that such a request waits.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The generation that this process serves. Replaces it when a newer one is published.
#[derive(Clone)]
pub struct Generations {
    source: Source,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    open: RwLock<Open>,
    refreshing: Mutex<()>,
}

#[derive(Default)]
struct Open {
    generation: Option<Arc<Generation>>,
    /// When it is checked next whether there is a newer generation.
    next_check: Option<Instant>,
    /// Since when a newer generation is known that is not open yet.
    outdated_since: Option<Instant>,
    /// The generation that could not be opened, so that it is not downloaded again and again.
    refused: Option<Refused>,
}

#[derive(Clone)]
struct Refused {
    id: String,
    /// Until when it is not tried again. `None`: never, because it is damaged.
    until: Option<Instant>,
}

impl Refused {
    /// The record of a failure. `None` if only the bucket did not answer, which may be tried again at once.
    fn because(failure: &Error, id: String) -> Option<Self> {
        if failure.is_of_this_machine() {
            return Some(Self { id, until: Some(Instant::now() + RETRY_PAUSE) });
        }
        failure.is_damage().then_some(Self { id, until: None })
    }

    fn is(&self, id: &str) -> bool {
        self.id == id && self.until.is_none_or(|it| Instant::now() < it)
    }
}

impl Open {
    fn check_later(&mut self) {
        let seconds = rand::random_range(CHECK_INTERVAL);
        self.next_check = Some(Instant::now() + Duration::from_secs(seconds));
    }
}

/// The generations in the bucket, downloaded to the temporary folder of the environment.
impl Component for Generations {
    fn open(components: &Components) -> Self {
        Self::new(components.get(), std::env::temp_dir())
    }
}

impl Generations {
    /// `downloads` is the folder for downloads, `/tmp` on Lambda. What killed processes left in it is deleted.
    pub fn new(objects: Objects, downloads: impl Into<PathBuf>) -> Self {
        let downloads = Arc::new(TemporaryFolder::open(downloads));
        let source = Source { objects, downloads, copies_records: false, layout: Layout::PRESENT };
        Self { source, state: Arc::default() }
    }

    /// Reads generations of another layout, as an earlier or later version does. For tests: files of another format cannot
    /// be opened.
    #[must_use]
    pub fn with_layout(mut self, layout: Layout) -> Self {
        self.source.layout = layout;
        self
    }

    /// Lets records be copied to this machine in the background, so that later requests do not wait for the bucket. For
    /// processes that are not stopped between requests and have room for all records.
    #[must_use]
    pub fn with_copies(mut self) -> Self {
        self.source.copies_records = true;
        self
    }

    /// The generation for a request. Converts to a 503 while there is none.
    pub async fn serving(&self) -> Result<Arc<Generation>, Unavailable> {
        self.current().await.map_err(Unavailable)
    }

    /// The current generation. The first call opens it. Later calls check for a newer one in the background, and do not wait: a
    /// newer generation is served once it has the same indexes open. Only a process that has not managed to open it for a
    /// long time waits a few seconds.
    pub async fn current(&self) -> Result<Arc<Generation>, Error> {
        let (generation, next_check, outdated_since) = {
            let open = self.open();
            (open.generation.clone(), open.next_check, open.outdated_since)
        };
        let Some(generation) = generation else { return self.refresh().await };
        let is_due = next_check.is_none_or(|it| it <= Instant::now());
        let checking = is_due.then(|| {
            self.with_open(Open::check_later);
            let reader = self.clone();
            tokio::spawn(async move {
                if let Err(failure) = reader.check(false).await {
                    tracing::error!(
                        failure = errors::chain(&failure),
                        "newer generation not opened; still serving the previous one"
                    );
                }
            })
        });
        if outdated_since.is_none_or(|it| it.elapsed() < OUTDATED_FOR) {
            return Ok(generation);
        }
        let opened = async {
            match checking {
                Some(checking) => drop(checking.await),
                // Another request is checking and holds this lock until it is done.
                None => drop(self.state.refreshing.lock().await),
            }
        };
        let _may_take_longer = tokio::time::timeout(TIMEOUT, opened).await;
        Ok(self.open().generation.clone().unwrap_or(generation))
    }

    /// The generation with this id, which need not be the current one. `None`: it is not kept any more.
    pub async fn with_id(&self, id: &str) -> Result<Option<Arc<Generation>>, Error> {
        let served = self.open().generation.clone();
        if let Some(served) = served.filter(|it| it.manifest.id == id) {
            return Ok(Some(served));
        }
        let (objects, layout) = (&self.source.objects, self.source.layout);
        let Some(manifest) = Manifest::find(objects, layout, id).await? else {
            return Ok(None);
        };
        manifest.check_paths()?;
        Ok(Some(Arc::new(Generation::new(manifest, self.source.clone()))))
    }

    /// Opens and serves the published generation if it is not served yet.
    pub async fn refresh(&self) -> Result<Arc<Generation>, Error> {
        self.check(true).await
    }

    async fn check(&self, even_if_refused: bool) -> Result<Arc<Generation>, Error> {
        let _one_at_a_time = self.state.refreshing.lock().await;
        let id = self.source.layout.current(&self.source.objects).await?.ok_or(Error::None)?;
        let (known, refused) = {
            let open = self.open();
            (open.generation.clone(), open.refused.clone())
        };
        let is_served = |it: &&Arc<Generation>| it.manifest.id == id;
        let is_refused = !even_if_refused && refused.is_some_and(|it| it.is(&id));
        if let Some(known) = known.as_ref().filter(|it| is_served(it) || is_refused) {
            self.with_open(|open| {
                open.check_later();
                open.outdated_since = None;
            });
            return Ok(known.clone());
        }
        self.with_open(|open| {
            open.outdated_since.get_or_insert_with(Instant::now);
        });
        let generation = match self.next(&id, known.as_deref()).await {
            Ok(generation) => Arc::new(generation),
            Err(failure) => {
                if let Some(refused) = Refused::because(&failure, id) {
                    self.with_open(|open| {
                        open.refused = Some(refused);
                        open.outdated_since = None;
                    });
                }
                return Err(failure);
            }
        };
        self.with_open(|open| {
            open.generation = Some(generation.clone());
            open.check_later();
            open.outdated_since = None;
            open.refused = None;
        });
        tracing::info!(generation = generation.manifest.id, "serving generation");
        Ok(generation)
    }

    /// The generation with this id, with the indexes open that are open in `before`, so that no request waits
    /// for an index that was open before.
    async fn next(&self, id: &str, before: Option<&Generation>) -> Result<Generation, Error> {
        let manifest = Manifest::read(&self.source.objects, self.source.layout, id).await?;
        manifest.check_paths()?;
        let generation = Generation::new(manifest, self.source.clone());
        if let Some(before) = before {
            generation.open_what_is_open_in(before).await?;
        }
        Ok(generation)
    }

    fn open(&self) -> std::sync::RwLockReadGuard<'_, Open> {
        self.state.open.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn with_open(&self, change: impl FnOnce(&mut Open)) {
        change(&mut self.state.open.write().unwrap_or_else(std::sync::PoisonError::into_inner));
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn full_disk_pauses_retries_and_damage_stops_them() {
        let refused = |it: &Error| Refused::because(it, "a".to_owned());
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        let index = text_index::Error::Unanswered(full());
        let failures =
            [Error::File(full()), Error::Objects(objects::Error::File(full())), index.into()];
        for failure in failures {
            let full = refused(&failure).expect("refused");
            assert!(full.is("a") && !full.is("b"));
            let later = Refused { until: Some(Instant::now()), ..full };
            assert!(!later.is("a"));
        }
        let invalid = Error::Invalid { generation: "a".to_owned(), reason: "shorter".to_owned() };
        assert!(refused(&invalid).is_some_and(|it| it.is("a") && it.until.is_none()));
        let silent = objects::Error::Unavailable("no answer".into());
        assert!(refused(&Error::Objects(silent)).is_none());
    }
}
