//! Every worker of a queue, and who hands it its jobs: on AWS Lambda does, here a poller. A new one is
//! started by one line here.

use std::{future::Future, path::Path, thread};

use fetch::Fetcher;
use generations::Generations;

use crate::{CommandError, cloud::Cloud};

/// The workers over one cloud.
pub struct Workers {
    ingest: ingest::Worker,
    indexer: indexer::Worker,
}

impl Workers {
    /// `below` is a folder for generations on their way.
    pub fn new(cloud: &Cloud, generations: &Generations, fetcher: Fetcher, below: &Path) -> Self {
        let ingest = ingest::Worker {
            registry: cloud.registry.clone(),
            objects: cloud.objects.clone(),
            generations: generations.clone(),
            fetcher,
            jobs: cloud.ingest_queue.clone(),
            index_jobs: cloud.index_queue.clone(),
        };
        let indexer = indexer::Worker::new(cloud.registry.clone(), cloud.objects.clone(), below);
        Self { ingest, indexer }
    }

    /// Hands them their jobs until `shutdown` is ready, on a thread of their own: in the cloud they are
    /// other processes than those that answer.
    pub fn start(
        self,
        cloud: &Cloud,
        shutdown: impl Future<Output = ()> + Clone + Send + 'static,
    ) -> Result<(), CommandError> {
        let Self { ingest, indexer } = self;
        let (jobs, index_jobs) = (cloud.ingest_queue.clone(), cloud.index_queue.clone());
        let failed = |it| CommandError::new("the workers", it);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(failed)?;
        let work = move || {
            runtime.block_on(async {
                tokio::join!(
                    queue_worker::poll(jobs, async |it| ingest.handle(it).await, shutdown.clone()),
                    queue_worker::poll(index_jobs, async |it| indexer.handle(it).await, shutdown),
                )
            })
        };
        let thread = thread::Builder::new().name("workers".to_owned());
        thread.spawn(work).map_err(failed)?;
        Ok(())
    }
}
