//! The workers of the local server. Pollers hand them their jobs, as Lambda does in the cloud.

use std::{future::Future, path::Path, thread};

use fetch::Fetcher;
use futures_util::future::join_all;
use generations::Generations;
use queue_worker::poll;

use crate::{CommandError, cloud::Cloud};

/// Number of ingest jobs that run in parallel, each of another message group. As `MaximumConcurrency` in
/// `template.yaml`.
const PARALLEL_INGEST_JOBS: usize = 3;

/// The workers of one cloud.
pub struct Workers {
    ingest: ingest::Worker,
    indexer: indexer::Worker,
}

impl Workers {
    /// `folder` is for the temporary files of generations.
    pub fn new(cloud: &Cloud, generations: &Generations, fetcher: Fetcher, folder: &Path) -> Self {
        let ingest = ingest::Worker {
            registry: cloud.registry.clone(),
            objects: cloud.objects.clone(),
            generations: generations.clone(),
            fetcher,
            jobs: cloud.ingest_queue.clone(),
            index_jobs: cloud.index_queue.clone(),
        };
        let indexer = indexer::Worker::new(cloud.registry.clone(), cloud.objects.clone(), folder);
        Self { ingest, indexer }
    }

    /// Runs the jobs of the queues until `shutdown` completes. Uses a separate thread, because in the cloud the
    /// workers are separate processes.
    pub fn start(
        self,
        cloud: &Cloud,
        shutdown: impl Future<Output = ()> + Clone + Send + 'static,
    ) -> Result<(), CommandError> {
        let Self { ingest, indexer } = self;
        let (ingest_queue, index_queue) = (cloud.ingest_queue.clone(), cloud.index_queue.clone());
        let failed = |it| CommandError::new("the workers", it);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(failed)?;
        let run = move || {
            runtime.block_on(async {
                let ingesting = (0..PARALLEL_INGEST_JOBS).map(|_| {
                    poll(&ingest_queue, async |it| ingest.handle(it).await, shutdown.clone())
                });
                tokio::join!(
                    join_all(ingesting),
                    poll(&index_queue, async |it| indexer.handle(it).await, shutdown.clone()),
                )
            })
        };
        let thread = thread::Builder::new().name("workers".to_owned());
        thread.spawn(run).map_err(failed)?;
        Ok(())
    }
}
