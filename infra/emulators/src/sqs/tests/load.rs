use std::{collections::BTreeSet, sync::Arc};

use aws_sdk_sqs::types::SendMessageBatchRequestEntry;

use super::*;

/// In real time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_consumers_receive_every_message_once() {
    const BATCHES: usize = 100;
    let queue = Arc::new(TestQueue::new().await);
    let senders = (0..4).map(|sender| {
        let queue = queue.clone();
        tokio::spawn(async move {
            for batch in (sender..BATCHES).step_by(4) {
                let entry = |it: usize| {
                    let entry = SendMessageBatchRequestEntry::builder().id(it.to_string());
                    let entry = entry.message_group_id(batch.to_string());
                    let entry = entry.message_deduplication_id(format!("{batch}-{it}"));
                    entry.message_body(format!("{batch}-{it}")).build().expect("an entry")
                };
                let request = queue.client.send_message_batch().queue_url(&queue.url);
                let request = request.set_entries(Some((0..10).map(entry).collect()));
                assert!(request.send().await.expect("sent").failed().is_empty());
            }
        })
    });
    for it in senders.collect::<Vec<_>>() {
        it.await.expect("sent");
    }
    let consumers = (0..10).map(|_| {
        let queue = queue.clone();
        tokio::spawn(async move {
            let mut bodies = Vec::new();
            loop {
                let received = queue.receive().await;
                if received.is_empty() {
                    return bodies;
                }
                for message in &received {
                    queue.delete(message).await;
                }
                bodies.extend(received.into_iter().filter_map(|it| it.body));
            }
        })
    });
    let mut bodies = Vec::new();
    for it in consumers.collect::<Vec<_>>() {
        bodies.extend(it.await.expect("consumed"));
    }
    assert_eq!(bodies.len(), BATCHES * 10);
    assert_eq!(bodies.into_iter().collect::<BTreeSet<_>>().len(), BATCHES * 10);
    assert_eq!(queue.counts().await, ["0", "0", "0"]);
}
