use QueueAttributeName::{
    DeduplicationScope, FifoQueue, FifoThroughputLimit, ReceiveMessageWaitTimeSeconds,
    VisibilityTimeout,
};

use super::*;

#[tokio::test(start_paused = true)]
async fn a_queue_has_the_defaults_of_aws() {
    let queue = TestQueue::new().await;
    for (name, default) in [
        (QueueAttributeName::ContentBasedDeduplication, "false"),
        (DeduplicationScope, "queue"),
        (FifoThroughputLimit, "perQueue"),
        (QueueAttributeName::DelaySeconds, "0"),
        (QueueAttributeName::MaximumMessageSize, "1048576"),
        (QueueAttributeName::MessageRetentionPeriod, "345600"),
        (QueueAttributeName::QueueArn, "arn:aws:sqs:eu-central-2:000000000000:queue.fifo"),
        (ReceiveMessageWaitTimeSeconds, "0"),
        (VisibilityTimeout, "30"),
    ] {
        assert_eq!(queue.attribute(name).await, default);
    }
}

#[tokio::test(start_paused = true)]
async fn creating_a_queue_again_requires_the_same_attributes() {
    let client = client().await;
    let first = TestQueue::with(&client, "queue", &[(VisibilityTimeout, "60")]).await;
    for attributes in [&[(VisibilityTimeout, "60")][..], &[]] {
        assert_eq!(TestQueue::with(&client, "queue", attributes).await.url, first.url);
    }
    let request =
        client.create_queue().queue_name("queue.fifo").attributes(VisibilityTimeout, "61");
    let request = request.attributes(QueueAttributeName::FifoQueue, "true");
    let refused = request.send().await.expect_err("another queue");
    assert!(refused.as_service_error().expect("an answer").is_queue_name_exists());
}

#[tokio::test(start_paused = true)]
async fn attributes_can_be_changed_and_invalid_ones_are_refused() {
    let queue = TestQueue::new().await;
    let set = async |name: QueueAttributeName, value: &str| {
        let request = queue.client.set_queue_attributes().queue_url(&queue.url);
        request.attributes(name, value).send().await.map(|_| ()).map_err(code)
    };
    assert_eq!(set(VisibilityTimeout, "5").await, Ok(()));
    queue.send("hello").await;
    queue.receive_one().await;
    pass(6).await;
    queue.receive_one().await;
    assert_eq!(set(VisibilityTimeout, "43201").await, Err("InvalidAttributeValue".to_owned()));
    assert_eq!(
        set(QueueAttributeName::from("Colour"), "red").await,
        Err("InvalidAttributeName".to_owned())
    );
    assert_eq!(queue.attribute(VisibilityTimeout).await, "5");
}

#[tokio::test(start_paused = true)]
async fn throughput_per_group_requires_deduplication_per_group() {
    let client = client().await;
    let fifo = (FifoQueue, "true");
    for (attributes, expected) in [
        (&[fifo.clone(), (DeduplicationScope, "messageGroupId")][..], "InvalidAttributeValue"),
        (&[fifo.clone(), (FifoThroughputLimit, "perMessageGroup")], "InvalidAttributeValue"),
        (&[fifo.clone(), (FifoThroughputLimit, "perMessageGroupId")], "InvalidAttributeValue"),
        (
            &[fifo, (DeduplicationScope, "queue"), (FifoThroughputLimit, "perMessageGroupId")],
            "InvalidAttributeValue",
        ),
        // Only a FIFO queue has these attributes.
        (&[(DeduplicationScope, "messageGroup")], "InvalidParameterValue"),
        (&[(FifoThroughputLimit, "perQueue")], "InvalidParameterValue"),
    ] {
        let mut request = client.create_queue().queue_name("queue.fifo");
        for (name, value) in attributes {
            request = request.attributes(name.clone(), *value);
        }
        let refused = request.send().await.expect_err(expected);
        assert_eq!(code(refused), expected, "{attributes:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_invalid_name_is_refused() {
    let client = client().await;
    for (name, expected) in [
        (".fifo", "InvalidParameterValue"),
        ("a b.fifo", "InvalidParameterValue"),
        ("queue", "InvalidParameterValue"),
        (&format!("{}.fifo", "x".repeat(76)), "InvalidParameterValue"),
    ] {
        let request = client.create_queue().queue_name(name);
        let request = request.attributes(QueueAttributeName::FifoQueue, "true");
        assert_eq!(code(request.send().await.expect_err(name)), expected, "{name}");
    }
    let refused = client.create_queue().queue_name("standard").send().await.expect_err("refused");
    assert_eq!(code(refused), "AWS.SimpleQueueService.UnsupportedOperation");
}

#[tokio::test(start_paused = true)]
async fn queues_are_found_and_listed_by_name() {
    let client = client().await;
    let mut urls = Vec::new();
    for name in ["a-1", "a-2", "a-3", "b"] {
        urls.push(TestQueue::with(&client, name, &[]).await.url);
    }
    let found = client.get_queue_url().queue_name("b.fifo").send().await.expect("found");
    assert_eq!(found.queue_url(), Some(urls[3].as_str()));
    let list = || client.list_queues().queue_name_prefix("a-");
    assert_eq!(list().send().await.expect("a list").queue_urls(), &urls[..3]);
    let page = list().max_results(2).send().await.expect("a page");
    assert_eq!(page.queue_urls(), &urls[..2]);
    let next = page.next_token().expect("more");
    let page = list().max_results(2).next_token(next).send().await.expect("a page");
    assert_eq!((page.queue_urls(), page.next_token()), (&urls[2..3], None));
}

#[tokio::test(start_paused = true)]
async fn every_operation_on_a_deleted_queue_is_refused() {
    let queue = TestQueue::new().await;
    queue.send("hello").await;
    queue.client.delete_queue().queue_url(&queue.url).send().await.expect("deleted");
    let refused = queue.client.get_queue_url().queue_name("queue.fifo").send().await;
    assert!(
        refused.expect_err("gone").as_service_error().expect("an answer").is_queue_does_not_exist()
    );
    let refused = queue.message("group", "x").send().await.expect_err("gone");
    assert!(refused.as_service_error().expect("an answer").is_queue_does_not_exist());
    // A new queue with the same name is empty.
    assert!(TestQueue::with(&queue.client, "queue", &[]).await.receive().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_purge_deletes_all_messages_and_is_allowed_once_a_minute() {
    let queue = TestQueue::new().await;
    for _ in 0..3 {
        queue.send("hello").await;
    }
    let message = queue.receive().await.remove(0);
    let purge = async || {
        let request = queue.client.purge_queue().queue_url(&queue.url);
        request.send().await.map(|_| ()).map_err(code)
    };
    assert_eq!(purge().await, Ok(()));
    assert_eq!(queue.counts().await, ["0", "0", "0"]);
    queue.delete(&message).await;
    assert_eq!(purge().await, Err("AWS.SimpleQueueService.PurgeQueueInProgress".to_owned()));
    pass(61).await;
    assert_eq!(purge().await, Ok(()));
}

#[tokio::test(start_paused = true)]
async fn an_unknown_operation_is_refused() {
    let queue = TestQueue::new().await;
    let refused = queue.client.list_queue_tags().queue_url(&queue.url).send().await;
    assert_eq!(code(refused.expect_err("refused")), "InvalidAction");
}
