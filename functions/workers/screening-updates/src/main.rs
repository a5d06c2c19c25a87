//! The Lambda function of the queue `lists`: fetches and publishes screening lists.

use jiff::Timestamp;
use screening_updates::Worker;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> Result<(), lambda_runtime::Error> {
    let worker = Worker::from_env(&aws::load().await)?;
    #[expect(clippy::disallowed_methods, reason = "the time at which a job starts")]
    let handle = async |job, id| worker.handle(job, id, Timestamp::now()).await;
    queue_worker::serve("screening-updates", &worker.jobs, handle).await
}
