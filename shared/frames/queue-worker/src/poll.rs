//! A poller that replaces Lambda's event source in the local server.

use std::{future::Future, pin::pin, time::Duration};

use aws_lambda_events::sqs::{SqsEvent, SqsMessage};
use components::Components;
use futures_util::future::join_all;
use jobs::{Delivery, JobId, Message, Queue};
use lambda_runtime::Error;

use crate::{
    Worker, batch,
    chain::{CHAIN, Chain, Function},
    now,
};

/// Pause after a request to the queue failed.
const PAUSE: Duration = Duration::from_secs(1);
/// The attribute with the trace header of the request that sent a message.
const TRACE_HEADER: &str = "AWSTraceHeader";

/// Runs a worker for the messages of its queue, as many in parallel as it allows, until `shutdown` completes.
pub async fn run<W: Worker>(
    components: &Components,
    function: Function,
    shutdown: impl Future<Output = ()> + Clone,
) {
    let (queue, worker): (Queue<W::Job>, W) = (components.get(), components.get());
    let handler = async |job, id| Box::pin(worker.work(job, id, now())).await;
    let pollers = (0..W::PARALLEL).map(|_| poll(&queue, function, &handler, shutdown.clone()));
    join_all(pollers).await;
}

/// Runs the handler for each message of the queue, one at a time, until `shutdown` completes. A running handler
/// is awaited. As on Lambda, a message is deleted if its handler succeeds, and retried if it fails; and it is not handled if the
/// function has been called too often in its chain.
pub async fn poll<T: Message, E: Into<Error>>(
    queue: &Queue<T>,
    function: Function,
    handler: impl AsyncFn(T, JobId) -> Result<(), E>,
    shutdown: impl Future<Output = ()>,
) {
    let mut shutdown = pin!(shutdown);
    loop {
        let received = tokio::select! {
            biased;
            () = &mut shutdown => return,
            received = queue.receive() => received,
        };
        match received {
            Ok(Some(delivery)) => handle(queue, function, delivery, &handler).await,
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(error = errors::chain(&error), "no message was received");
                tokio::select! {
                    () = &mut shutdown => return,
                    () = tokio::time::sleep(PAUSE) => {}
                }
            }
        }
    }
}

async fn handle<T: Message, E: Into<Error>>(
    queue: &Queue<T>,
    function: Function,
    delivery: Delivery,
    handler: &impl AsyncFn(T, JobId) -> Result<(), E>,
) {
    let header = delivery.attributes.get(TRACE_HEADER).map(String::as_str);
    let (chain, is_called) = Chain::read(header).called(function);
    if !is_called {
        // As on Lambda, the message stays in the queue until its visibility timeout, and its group waits.
        let function = function.name;
        tracing::error!(function, %chain, "a chain of jobs is too long; Lambda would drop this call");
        return;
    }
    let receipt_handle = delivery.receipt_handle.clone();
    let mut event = SqsEvent::default();
    event.records = vec![lambda_message(delivery)];
    let response = CHAIN.scope(chain, batch::handle(event, queue, handler)).await;
    if response.batch_item_failures.is_empty()
        && let Err(error) = queue.delete(&receipt_handle).await
    {
        tracing::warn!(error = errors::chain(&error), "a message was not deleted");
    }
}

/// A message in the format of Lambda's events.
fn lambda_message(delivery: Delivery) -> SqsMessage {
    let mut message = SqsMessage::default();
    message.message_id = Some(delivery.id);
    message.receipt_handle = Some(delivery.receipt_handle);
    message.body = Some(delivery.body);
    message.attributes = delivery.attributes;
    message.event_source = Some("aws:sqs".to_owned());
    message
}
