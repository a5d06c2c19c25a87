use std::{path::PathBuf, sync::Arc, time::Duration};

use components::{Component, Components};
use objects::Objects;
use published::{Freshness, Reader, TemporaryFolder};

use crate::{Error, Generation, Layout, Manifest, Unavailable, index::Source};

/// A process looks for a newer generation in the background, and serves it once it has the same indexes open. Lambda stops processes
/// between requests, so with few requests a download in the background hardly proceeds; then a request waits for it.
const FRESHNESS: Freshness = Freshness {
    check_every: Duration::from_secs(20)..=Duration::from_secs(40),
    retry_after: Duration::from_secs(30),
    outdated_for: Duration::from_mins(30),
    wait_at_most: Duration::from_secs(10),
};
/// Pause before another attempt to open a generation that failed on this machine, for example because the disk
/// was full. Each attempt downloads it again.
const RETRY_PAUSE: Duration = Duration::from_mins(15);

/// The generation that this process serves. Replaces it when a newer one is published.
#[derive(Clone)]
pub struct Generations(Arc<Reader<Source>>);

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
        Self::of(Source { objects, downloads, copies_records: false, layout: Layout::PRESENT })
    }

    fn of(source: Source) -> Self {
        Self(Reader::new(source, FRESHNESS, None))
    }

    /// Reads generations of another layout, as an earlier or later version does. For tests: files of another format cannot
    /// be opened.
    #[must_use]
    pub fn with_layout(self, layout: Layout) -> Self {
        Self::of(Source { layout, ..self.0.source().clone() })
    }

    /// Lets records be copied to this machine in the background, so that later requests do not wait for the bucket. For
    /// processes that are not stopped between requests and have room for all records.
    #[must_use]
    pub fn with_copies(self) -> Self {
        Self::of(Source { copies_records: true, ..self.0.source().clone() })
    }

    /// The generation for a request. Converts to a 503 while there is none.
    pub async fn serving(&self) -> Result<Arc<Generation>, Unavailable> {
        self.current().await.map_err(Unavailable)
    }

    /// The current generation. The first call opens it. Later calls do not wait for a newer one, unless the process has not managed
    /// to open it for a long time.
    pub async fn current(&self) -> Result<Arc<Generation>, Error> {
        self.0.current().await
    }

    /// The generation with this id, which need not be the current one. `None`: it is not kept any more.
    pub async fn with_id(&self, id: &str) -> Result<Option<Arc<Generation>>, Error> {
        if let Some(served) = self.0.open().filter(|it| it.manifest.id == id) {
            return Ok(Some(served));
        }
        let source = self.0.source();
        let found = source.location().find(id).await?;
        Ok(found.map(|it| Arc::new(Generation::new(it, source.clone()))))
    }

    /// Opens and serves the published generation if it is not served yet.
    pub async fn refresh(&self) -> Result<Arc<Generation>, Error> {
        self.0.refresh().await
    }
}

impl published::Source for Source {
    type Version = String;
    type Opened = Arc<Generation>;
    type Error = Error;

    async fn current(&self) -> Result<String, Error> {
        self.location().current_id().await?.ok_or(Error::None)
    }

    /// The generation with the indexes open that are open in `before`, so that no request waits for an index that was open before.
    async fn open(
        &self,
        id: &String,
        before: Option<&Arc<Generation>>,
    ) -> Result<Arc<Generation>, Error> {
        let manifest: Manifest = self.location().version(id).await?;
        let generation = Generation::new(manifest, self.clone());
        if let Some(before) = before {
            generation.open_what_is_open_in(before).await?;
        }
        tracing::info!(generation = generation.manifest.id, "serving generation");
        Ok(Arc::new(generation))
    }

    fn pause(&self, failure: &Error) -> Option<Duration> {
        pause(failure)
    }

    fn log(&self, failure: &Error) {
        let failure = errors::chain(failure);
        tracing::error!(failure, "newer generation not opened; still serving the previous one");
    }
}

/// For how long a generation is not tried again after a failure. `None` if only the bucket did not answer.
fn pause(failure: &Error) -> Option<Duration> {
    match failure.is_of_this_machine() {
        true => Some(RETRY_PAUSE),
        false => failure.is_damage().then_some(Duration::MAX),
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn full_disk_pauses_retries_and_damage_stops_them() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        let index = text_index::Error::Unanswered(full());
        let failures =
            [Error::File(full()), Error::Objects(objects::Error::File(full())), index.into()];
        for failure in failures {
            assert_eq!(pause(&failure), Some(RETRY_PAUSE));
        }
        let invalid = published::Error::damaged("a", "shorter");
        assert_eq!(pause(&invalid.into()), Some(Duration::MAX));
        let silent = objects::Error::Unavailable("no answer".into());
        assert_eq!(pause(&Error::Objects(silent)), None);
    }
}
