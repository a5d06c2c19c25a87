//! The poller that plays Lambda's event source in the local server.

use std::{collections::BTreeSet, future::Future, pin::pin, time::Duration};

use aws_lambda_events::sqs::{SqsEvent, SqsMessage};
use jobs::{Delivery, Message, Queue};
use lambda_runtime::Error;

use crate::answer;

/// How long a queue that does not answer is left alone.
const PAUSE: Duration = Duration::from_secs(1);

/// Hands batches of the queue to the handler, one after another, until `shutdown` is ready. As with
/// Lambda, what was done is deleted, and what failed becomes visible when its time is up. A batch
/// that is under way at the shutdown is brought to its end.
pub async fn poll<T: Message, E: Into<Error>>(
    queue: Queue<T>,
    handler: impl AsyncFn(T) -> Result<(), E>,
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
            Ok(deliveries) => batch(&queue, deliveries, &handler).await,
            Err(failure) => {
                tracing::warn!(failure = errors::chain(&failure), "nothing could be received");
                tokio::select! {
                    () = &mut shutdown => return,
                    () = tokio::time::sleep(PAUSE) => {}
                }
            }
        }
    }
}

async fn batch<T: Message, E: Into<Error>>(
    queue: &Queue<T>,
    deliveries: Vec<Delivery>,
    handler: &impl AsyncFn(T) -> Result<(), E>,
) {
    let mut event = SqsEvent::default();
    let receipts: Vec<_> =
        deliveries.iter().map(|it| (it.id.clone(), it.receipt.clone())).collect();
    event.records = deliveries.into_iter().map(as_lambda_has_it).collect();
    let response = answer(event, handler).await;
    let failures = response.batch_item_failures.into_iter().map(|it| it.item_identifier);
    let failed: BTreeSet<String> = failures.collect();
    let done = receipts.into_iter().filter(|(id, _)| !failed.contains(id));
    let done: Vec<String> = done.map(|(_, receipt)| receipt).collect();
    if let Err(failure) = queue.delete(&done).await {
        tracing::warn!(failure = errors::chain(&failure), "what was done could not be deleted");
    }
}

fn as_lambda_has_it(delivery: Delivery) -> SqsMessage {
    let mut message = SqsMessage::default();
    message.message_id = Some(delivery.id);
    message.receipt_handle = Some(delivery.receipt);
    message.body = Some(delivery.body);
    message.attributes = delivery.attributes;
    message.event_source = Some("aws:sqs".to_owned());
    message
}
