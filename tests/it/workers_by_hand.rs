//! Workers whose jobs a test runs itself, and kills.

use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::Poll,
};

use jobs::{Message, Queue};

/// Takes the jobs that wait in a queue, oldest first. `last` is a job that differs from them.
pub async fn waiting<T: Message + PartialEq>(queue: &Queue<T>, last: &T) -> Vec<T> {
    // Sent last, so it is received last.
    queue.send(last).await.expect("sent");
    let mut jobs = Vec::new();
    loop {
        let Some(delivery) = queue.receive().await.expect("received") else { continue };
        queue.delete(&delivery.receipt_handle).await.expect("deleted");
        let job: T = serde_json::from_str(&delivery.body).expect("a job");
        if job == *last {
            return jobs;
        }
        jobs.push(job);
    }
}

/// Runs a future until it has been polled this often. Returns its result if it is complete.
pub async fn polled<F: Future>(polls: usize, mut future: Pin<&mut F>) -> Option<F::Output> {
    let mut left = polls;
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        future.as_mut().poll(context).map(Some)
    })
    .await
}

/// Runs a future until it has been polled this often, then drops it as a killed process would. Returns whether it was
/// killed.
pub async fn killed_after(polls: usize, future: impl Future) -> bool {
    polled(polls, pin!(future)).await.is_none()
}
