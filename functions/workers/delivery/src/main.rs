//! The Lambda function of the queue `delivery`: notifies teams.

use delivery::Worker;
use jobs::Queue;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// On Lambda, the function has less than one core.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_runtime::Error> {
    let aws = aws::load().await;
    let worker = Worker::from_env(&aws);
    let queue = Queue::from_env(jobs::client(&aws));
    queue_worker::serve("delivery", &queue, async |job, _| worker.handle(job).await).await
}
