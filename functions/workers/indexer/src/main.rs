//! Does the jobs of the queue `indexer`: publishes a new generation. One at a time: its queue keeps one order.

use indexer::Worker;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> Result<(), lambda_runtime::Error> {
    let worker = Worker::from_env().await;
    queue_worker::serve("indexer", async |job| worker.handle(job).await).await
}
