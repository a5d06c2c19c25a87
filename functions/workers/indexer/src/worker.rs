//! What becomes of each job of the queue.

use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use jobs::IndexJob;
use objects::Objects;
use store::Registry;
use tokio::sync::Mutex;

use crate::{Error, publish};

/// By how much the clocks of two functions may differ.
const CLOCKS_DIFFER: SignedDuration = SignedDuration::from_secs(5);

/// How many parts of the table are read at a time: with one, a full register is read longer than a function
/// runs.
const SEGMENTS: i32 = 4;

/// What the jobs work with.
pub struct Worker {
    registry: Registry,
    objects: Objects,
    below: PathBuf,
    one_at_a_time: Mutex<()>,
}

impl Worker {
    /// `below` is a folder for the files on their way, on Lambda `/tmp`.
    pub fn new(registry: Registry, objects: Objects, below: impl Into<PathBuf>) -> Self {
        Self { registry, objects, below: below.into(), one_at_a_time: Mutex::default() }
    }

    /// The worker that the environment describes.
    pub async fn from_env() -> Self {
        let aws = aws_environment::load().await;
        let registry = Registry::from_env(store::client(&aws)).in_segments(SEGMENTS);
        let objects = Objects::from_env(objects::client(&aws));
        Self::new(registry, objects, std::env::temp_dir())
    }

    /// Does a job. Of many that come together, the first publishes for those that were sent before it
    /// began.
    pub async fn handle(&self, IndexJob::Publish { asked_at }: IndexJob) -> Result<(), Error> {
        let _turn = self.one_at_a_time.lock().await;
        let published = generations::published(&self.objects).await?;
        let is_there = |began: Timestamp| began.duration_since(asked_at) >= CLOCKS_DIFFER;
        if published.is_some_and(|it| is_there(it.built_at)) {
            return Ok(());
        }
        let now = Timestamp::now();
        let manifest = publish(&self.registry, &self.objects, &self.below, now, |_| ()).await?;
        tracing::info!(generation = manifest.id, companies = manifest.companies, "published");
        Ok(())
    }
}
