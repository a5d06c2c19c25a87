//! The Lambda function of the queue `index`: publishes generations.

use indexer::Worker;
use jobs::Queue;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> Result<(), lambda_runtime::Error> {
    let aws = aws::load().await;
    let worker = Worker::from_env(&aws);
    let queue = Queue::from_env(jobs::client(&aws));
    queue_worker::serve("indexer", &queue, async |job, _| worker.handle(job).await).await
}
