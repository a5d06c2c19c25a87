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
async fn a_queue_can_set_its_visibility_timeout() {
    let queue = TestQueue::with(&client().await, "short", &[(VisibilityTimeout, "5")]).await;
    queue.send("hello").await;
    queue.receive_one().await;
    pass(6).await;
    queue.receive_one().await;
}

#[tokio::test(start_paused = true)]
async fn an_invalid_attribute_is_refused() {
    let client = client().await;
    for (name, value, expected) in [
        (VisibilityTimeout, "43201", "InvalidAttributeValue"),
        (QueueAttributeName::from("Colour"), "red", "InvalidAttributeName"),
    ] {
        let request = client.create_queue().queue_name("queue.fifo").attributes(FifoQueue, "true");
        let refused = request.attributes(name, value).send().await.expect_err(expected);
        assert_eq!(code(refused), expected);
    }
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
async fn a_request_to_a_missing_queue_is_refused() {
    let queue = TestQueue::new().await;
    let nowhere = TestQueue { url: queue.url.replace("queue.fifo", "nowhere.fifo"), ..queue };
    let refused = nowhere.message("group", "x").send().await.expect_err("refused");
    assert!(refused.as_service_error().expect("an answer").is_queue_does_not_exist());
}

#[tokio::test(start_paused = true)]
async fn an_unknown_operation_is_refused() {
    let queue = TestQueue::new().await;
    let refused = queue.client.purge_queue().queue_url(&queue.url).send().await;
    assert_eq!(code(refused.expect_err("refused")), "InvalidAction");
}
