//! The Lambda function of the queue `exports`: writes the files of exports.

use bulk_export::Worker;
use jiff::Timestamp;
use jobs::Queue;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// Two threads: a part is uploaded while the next one is written.
#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<(), lambda_runtime::Error> {
    let aws = aws::load().await;
    let worker = Worker::from_env(&aws);
    let queue = Queue::from_env(jobs::client(&aws));
    #[expect(clippy::disallowed_methods, reason = "the time at which a job starts")]
    let handle = async |job, _| worker.handle(job, Timestamp::now()).await;
    queue_worker::serve("bulk-export", &queue, handle).await
}
