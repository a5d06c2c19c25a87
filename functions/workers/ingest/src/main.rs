//! The Lambda function of the queue `ingest`: fetches from the sources and ingests into the registry.

use ingest::Worker;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> Result<(), lambda_runtime::Error> {
    let worker = Worker::from_env().await;
    queue_worker::serve("ingest", &worker.jobs, async |job, id| worker.handle(job, id).await).await
}
