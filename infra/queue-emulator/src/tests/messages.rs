use aws_sdk_sqs::{
    primitives::Blob,
    types::{MessageAttributeValue, MessageSystemAttributeName},
};

use super::*;

#[tokio::test(start_paused = true)]
async fn a_message_is_received_with_its_digest_and_deleted() {
    let queue = TestQueue::new().await;
    let id = queue.send("hello").await;
    let message = queue.receive_one().await;
    assert_eq!(message.message_id(), Some(id.as_str()));
    assert_eq!(message.body(), Some("hello"));
    assert_eq!(message.md5_of_body(), Some("5d41402abc4b2a76b9719d911017c592"));
    queue.delete(&message).await;
    pass(31).await;
    assert!(queue.receive().await.is_empty());
    // Twice is no error.
    queue.delete(&message).await;
}

#[tokio::test(start_paused = true)]
async fn a_received_message_comes_again_when_it_was_hidden_long_enough() {
    let queue = TestQueue::new().await;
    queue.send("hello").await;
    let first = queue.receive_one().await;
    pass(29).await;
    assert!(queue.receive().await.is_empty());
    pass(2).await;
    let second = queue.receive_one().await;
    assert_eq!(first.message_id(), second.message_id());
    assert_ne!(first.receipt_handle(), second.receipt_handle());
}

#[tokio::test(start_paused = true)]
async fn receives_are_counted_and_dated() {
    use MessageSystemAttributeName::*;
    let queue = TestQueue::new().await;
    queue.send("hello").await;
    pass(5).await;
    let first = queue.receive_one().await;
    pass(31).await;
    let second = queue.receive_one().await;
    assert_eq!(system(&first, ApproximateReceiveCount), "1");
    assert_eq!(system(&second, ApproximateReceiveCount), "2");
    let time = |message, name| system(message, name).parse::<u64>().expect("milliseconds");
    let (sent, received) =
        (time(&first, SentTimestamp), time(&first, ApproximateFirstReceiveTimestamp));
    assert!((5_000..6_000).contains(&(received - sent)), "{sent} {received}");
    assert_eq!(time(&second, SentTimestamp), sent);
    assert_eq!(time(&second, ApproximateFirstReceiveTimestamp), received);
}

#[tokio::test(start_paused = true)]
async fn the_handle_of_an_older_receive_deletes_nothing_and_hides_nothing() {
    let queue = TestQueue::new().await;
    queue.send("hello").await;
    let old = queue.receive_one().await;
    pass(31).await;
    let new = queue.receive_one().await;
    queue.delete(&old).await;
    assert_eq!(
        queue.hide(&old, 600).await,
        Err("AWS.SimpleQueueService.MessageNotInflight".to_owned())
    );
    pass(31).await;
    let newest = queue.receive_one().await;
    assert_eq!(newest.message_id(), new.message_id());
}

#[tokio::test(start_paused = true)]
async fn the_latest_handle_deletes_even_after_its_time() {
    let queue = TestQueue::new().await;
    queue.send("hello").await;
    let message = queue.receive_one().await;
    pass(31).await;
    queue.delete(&message).await;
    assert!(queue.receive().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_message_in_flight_can_be_given_back_or_kept_longer() {
    let queue = TestQueue::new().await;
    queue.send("hello").await;
    let message = queue.receive_one().await;
    queue.hide(&message, 0).await.expect("given back");
    let message = queue.receive_one().await;
    queue.hide(&message, 300).await.expect("kept");
    pass(299).await;
    assert!(queue.receive().await.is_empty());
    pass(2).await;
    assert_eq!(
        queue.hide(&message, 1).await,
        Err("AWS.SimpleQueueService.MessageNotInflight".to_owned())
    );
    let message = queue.receive_one().await;
    assert_eq!(queue.hide(&message, 43_201).await, Err("InvalidParameterValue".to_owned()));
    queue.delete(&message).await;
    assert_eq!(queue.hide(&message, 1).await, Err("InvalidParameterValue".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_handle_that_is_none_is_refused() {
    let queue = TestQueue::new().await;
    queue.send("hello").await;
    let message = queue.receive_one().await;
    let elsewhere = TestQueue::with(&queue.client, "other", &[]).await;
    for handle in ["nonsense", receipt(&message)] {
        let request = elsewhere.client.delete_message().queue_url(&elsewhere.url);
        let refused = request.receipt_handle(handle).send().await.expect_err("refused");
        assert!(refused.as_service_error().expect("an answer").is_receipt_handle_is_invalid());
    }
}

#[tokio::test(start_paused = true)]
async fn a_message_can_be_delayed_by_itself_or_by_its_queue() {
    let client = client().await;
    let queue = TestQueue::with(&client, "slow", &[(QueueAttributeName::DelaySeconds, "60")]).await;
    queue.send("by its queue").await;
    let request = client.send_message().queue_url(&queue.url).message_body("by itself");
    request.delay_seconds(10).send().await.expect("sent");
    assert_eq!(queue.counts().await, ["0", "0", "2"]);
    pass(11).await;
    assert_eq!(bodies(&queue.receive().await), ["by itself"]);
    assert_eq!(queue.counts().await, ["0", "1", "1"]);
    pass(50).await;
    assert_eq!(bodies(&queue.receive().await), ["by its queue", "by itself"]);
}

#[tokio::test(start_paused = true)]
async fn messages_come_in_order_and_no_more_than_asked_for() {
    let queue = TestQueue::new().await;
    for body in ["a", "b", "c"] {
        queue.send(body).await;
    }
    let request = queue.client.receive_message().queue_url(&queue.url).visibility_timeout(0);
    let received = request.max_number_of_messages(2).send().await.expect("received");
    assert_eq!(bodies(received.messages()), ["a", "b"]);
    let request = queue.client.receive_message().queue_url(&queue.url);
    let received = request.send().await.expect("received");
    assert_eq!(bodies(received.messages()), ["a"]);
    for most in [0, 11] {
        let request = queue.client.receive_message().queue_url(&queue.url);
        let refused = request.max_number_of_messages(most).send().await.expect_err("refused");
        assert_eq!(code(refused), "InvalidParameterValue");
    }
}

#[tokio::test(start_paused = true)]
async fn attributes_travel_with_a_message_and_have_the_digest_of_aws() {
    let queue = TestQueue::new().await;
    let value = |kind: &str| MessageAttributeValue::builder().data_type(kind);
    let number = value("Number").string_value("1493147359900").build().expect("a value");
    let request = queue.client.send_message().queue_url(&queue.url).message_body("hello");
    let sent = request.message_attributes("timestamp", number).send().await.expect("sent");
    // A well-known pair.
    assert_eq!(sent.md5_of_message_attributes(), Some("235c5c510d26fb653d073faed50ae77c"));

    let text = value("String").string_value("x").build().expect("a value");
    let bytes = value("Binary.png").binary_value(Blob::new([0, 255])).build().expect("a value");
    let request = queue.client.send_message().queue_url(&queue.url).message_body("hello");
    let request = request.message_attributes("a", text).message_attributes("b", bytes.clone());
    let sent = request.send().await.expect("sent");
    // Computed apart, with Python's hashlib.
    assert_eq!(sent.md5_of_message_attributes(), Some("49fb294cfc1b84feed4823595ac49d34"));
    let received = queue.receive().await;
    let last = received.last().expect("a message");
    assert_eq!(last.md5_of_message_attributes(), sent.md5_of_message_attributes());
    assert_eq!(last.message_attributes().and_then(|it| it.get("b")), Some(&bytes));
}

#[tokio::test(start_paused = true)]
async fn what_is_no_message_is_refused() {
    let queue = TestQueue::new().await;
    let send = async |body: &str, delay: i32| {
        let request = queue.client.send_message().queue_url(&queue.url).message_body(body);
        request.delay_seconds(delay).send().await.map(|_| ()).map_err(code)
    };
    let longest = "x".repeat(1_048_576);
    assert_eq!(send(&longest, 0).await, Ok(()));
    assert_eq!(send(&format!("{longest}x"), 0).await, Err("InvalidParameterValue".to_owned()));
    assert_eq!(send("", 0).await, Err("MissingParameter".to_owned()));
    assert_eq!(send("\u{b}", 0).await, Err("InvalidMessageContents".to_owned()));
    assert_eq!(send("x", 901).await, Err("InvalidParameterValue".to_owned()));
    let wrong = MessageAttributeValue::builder().data_type("Colour").string_value("red");
    let request = queue.client.send_message().queue_url(&queue.url).message_body("x");
    let request = request.message_attributes("a", wrong.build().expect("a value"));
    assert_eq!(code(request.send().await.expect_err("refused")), "InvalidParameterValue");
}

#[tokio::test(start_paused = true)]
async fn a_message_is_forgotten_after_its_retention() {
    let client = client().await;
    let retention = [(QueueAttributeName::MessageRetentionPeriod, "60")];
    let queue = TestQueue::with(&client, "short", &retention).await;
    queue.send("hello").await;
    pass(61).await;
    assert_eq!(queue.counts().await, ["0", "0", "0"]);
}
