//! What each job does.

use std::path::PathBuf;

use components::{Component, Components};
use jiff::{SignedDuration, Timestamp};
use jobs::{IndexJob, JobId};
use objects::Objects;
use queue_worker::Threads;
use store::Registry;

use crate::{Error, publish, update};

/// Maximum difference between the clocks of two functions.
const CLOCK_SKEW: SignedDuration = SignedDuration::from_secs(5);

/// Number of parallel segments of the table scan. With one segment, scanning a full register takes longer
/// than a Lambda function may run.
const SEGMENTS: i32 = 4;

/// The dependencies of the jobs.
#[derive(Clone)]
pub struct Worker {
    registry: Registry,
    objects: Objects,
    folder: PathBuf,
}

impl Component for Worker {
    fn open(components: &Components) -> Self {
        let registry: Registry = components.get();
        Self::new(registry.in_segments(SEGMENTS), components.get(), std::env::temp_dir())
    }
}

impl queue_worker::Worker for Worker {
    type Job = IndexJob;
    type Error = Error;
    const NAME: &str = "indexer";
    const THREADS: Threads = Threads::Cores;

    async fn work(&self, job: IndexJob, _: JobId, _: Timestamp) -> Result<(), Error> {
        self.handle(job).await
    }
}

impl Worker {
    /// `folder` is for temporary files, on Lambda `/tmp`.
    pub fn new(registry: Registry, objects: Objects, folder: impl Into<PathBuf>) -> Self {
        Self { registry, objects, folder: folder.into() }
    }

    /// Runs a job.
    pub async fn handle(&self, job: IndexJob) -> Result<(), Error> {
        #[expect(clippy::disallowed_methods, reason = "the time at which a job starts")]
        let now = Timestamp::now();
        let is_needed = match job {
            IndexJob::PublishChanges => {
                let published = generations::published(&self.objects).await?;
                let published = published.map_or(0, |it| it.registry_version);
                self.registry.version(now).await? != published
            }
            // Needs no generation that can be read.
            IndexJob::Rebuild => {
                let Self { registry, objects, folder } = self;
                let manifest = publish(registry, objects, folder, now, |_| ()).await?;
                tracing::info!(generation = manifest.id, "rebuilt");
                return Ok(());
            }
            IndexJob::Publish { requested_at } => {
                let published = generations::published(&self.objects).await?;
                let is_newer = |it: Timestamp| it.duration_since(requested_at) >= CLOCK_SKEW;
                !published.is_some_and(|it| is_newer(it.built_at))
            }
        };
        if !is_needed {
            return Ok(());
        }
        let manifest = update(&self.registry, &self.objects, &self.folder, now).await?;
        tracing::info!(generation = manifest.id, companies = manifest.companies, "published");
        Ok(())
    }
}
