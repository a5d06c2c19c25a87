//! The Lambda function of the queue `feedback`: stores bounces and complaints.

use jobs::Queue;
use mail_feedback::Worker;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_runtime::Error> {
    let aws = aws::load().await;
    let worker = Worker::from_env(&aws);
    let queue = Queue::from_env(jobs::client(&aws));
    let handle = async |job, _| worker.handle(job).await;
    queue_worker::serve("mail-feedback", &queue, handle).await
}
