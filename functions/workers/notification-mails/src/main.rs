//! The Lambda function of the queue `mails`: sends notifications by e-mail.

use jiff::Timestamp;
use jobs::Queue;
use notification_mails::Worker;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_runtime::Error> {
    let aws = aws::load().await;
    let worker = Worker::from_env(&aws);
    let queue = Queue::from_env(jobs::client(&aws));
    #[expect(clippy::disallowed_methods, reason = "the time at which a job starts")]
    let handle = async |job, _| worker.handle(job, Timestamp::now()).await;
    queue_worker::serve("notification-mails", &queue, handle).await
}
