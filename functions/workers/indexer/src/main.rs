//! Does the jobs of the queue `indexer`: publishes a new generation. Its reserved concurrency is 1.

use indexer::Worker;

#[tokio::main]
async fn main() -> Result<(), lambda_runtime::Error> {
    let worker = Worker::from_env().await;
    queue_worker::serve("indexer", async |job| worker.handle(job).await).await
}
