use aws_sdk_sqs::types::{
    MessageAttributeValue, MessageSystemAttributeName, MessageSystemAttributeValue,
};

use super::*;

#[tokio::test(start_paused = true)]
async fn a_message_is_received_with_its_digest_and_can_be_deleted() {
    let queue = TestQueue::new().await;
    let id = queue.send("hello").await;
    let message = queue.receive_one().await;
    assert_eq!(message.message_id(), Some(id.as_str()));
    assert_eq!(message.body(), Some("hello"));
    assert_eq!(message.md5_of_body(), Some("5d41402abc4b2a76b9719d911017c592"));
    queue.delete(&message).await;
    pass(31).await;
    assert!(queue.receive().await.is_empty());
    // Deleting it again is no error.
    queue.delete(&message).await;
}

#[tokio::test(start_paused = true)]
async fn a_message_is_visible_again_after_its_visibility_timeout() {
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
async fn receives_are_counted_and_the_first_is_dated() {
    use MessageSystemAttributeName::*;
    let queue = TestQueue::new().await;
    queue.send("hello").await;
    pass(5).await;
    let first = queue.receive_one().await;
    pass(31).await;
    let second = queue.receive_one().await;
    assert_eq!(system_attribute(&first, ApproximateReceiveCount), "1");
    assert_eq!(system_attribute(&second, ApproximateReceiveCount), "2");
    let time =
        |message, name| system_attribute(message, name).parse::<u64>().expect("milliseconds");
    let (sent, received) =
        (time(&first, SentTimestamp), time(&first, ApproximateFirstReceiveTimestamp));
    assert!((5_000..6_000).contains(&(received - sent)), "{sent} {received}");
    assert_eq!(time(&second, SentTimestamp), sent);
    assert_eq!(time(&second, ApproximateFirstReceiveTimestamp), received);
}

#[tokio::test(start_paused = true)]
async fn the_receipt_handle_of_an_older_receive_has_no_effect() {
    let queue = TestQueue::new().await;
    queue.send("hello").await;
    let old = queue.receive_one().await;
    pass(31).await;
    let new = queue.receive_one().await;
    queue.delete(&old).await;
    assert_eq!(
        queue.change_visibility(&old, 600).await,
        Err("AWS.SimpleQueueService.MessageNotInflight".to_owned())
    );
    pass(31).await;
    let newest = queue.receive_one().await;
    assert_eq!(newest.message_id(), new.message_id());
}

#[tokio::test(start_paused = true)]
async fn the_latest_receipt_handle_deletes_even_after_the_visibility_timeout() {
    let queue = TestQueue::new().await;
    queue.send("hello").await;
    let message = queue.receive_one().await;
    pass(31).await;
    queue.delete(&message).await;
    assert!(queue.receive().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_visibility_timeout_of_a_message_in_flight_can_be_changed() {
    let queue = TestQueue::new().await;
    queue.send("hello").await;
    let message = queue.receive_one().await;
    queue.change_visibility(&message, 0).await.expect("changed");
    let message = queue.receive_one().await;
    queue.change_visibility(&message, 300).await.expect("changed");
    pass(299).await;
    assert!(queue.receive().await.is_empty());
    pass(2).await;
    assert_eq!(
        queue.change_visibility(&message, 1).await,
        Err("AWS.SimpleQueueService.MessageNotInflight".to_owned())
    );
    let message = queue.receive_one().await;
    assert_eq!(
        queue.change_visibility(&message, 43_201).await,
        Err("InvalidParameterValue".to_owned())
    );
    queue.delete(&message).await;
    assert_eq!(queue.change_visibility(&message, 1).await, Err("InvalidParameterValue".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn an_invalid_receipt_handle_is_refused() {
    let queue = TestQueue::new().await;
    queue.send("hello").await;
    let message = queue.receive_one().await;
    let elsewhere = TestQueue::with(&queue.client, "other", &[]).await;
    for handle in ["nonsense", receipt_handle(&message)] {
        let request = elsewhere.client.delete_message().queue_url(&elsewhere.url);
        let refused = request.receipt_handle(handle).send().await.expect_err("refused");
        assert!(refused.as_service_error().expect("an answer").is_receipt_handle_is_invalid());
    }
}

#[tokio::test(start_paused = true)]
async fn a_queue_can_delay_its_messages() {
    let client = client().await;
    let queue = TestQueue::with(&client, "slow", &[(QueueAttributeName::DelaySeconds, "60")]).await;
    queue.send("hello").await;
    assert_eq!(queue.counts().await, ["0", "0", "1"]);
    pass(59).await;
    assert!(queue.receive().await.is_empty());
    pass(2).await;
    assert_eq!(bodies(&queue.receive().await), ["hello"]);
    assert_eq!(queue.counts().await, ["0", "1", "0"]);
}

#[tokio::test(start_paused = true)]
async fn a_receive_returns_at_most_the_requested_number_of_messages() {
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
async fn a_message_with_attributes_is_refused() {
    use aws_sdk_sqs::types::MessageSystemAttributeNameForSends::AwsTraceHeader;
    let queue = TestQueue::new().await;
    let text = MessageAttributeValue::builder().data_type("String").string_value("x");
    let request = queue.message("group", "x");
    let request = request.message_attributes("a", text.build().expect("a value"));
    let refused = code(request.send().await.expect_err("refused"));
    assert_eq!(refused, "AWS.SimpleQueueService.UnsupportedOperation");
    let trace = MessageSystemAttributeValue::builder().data_type("String").string_value("x");
    let request = queue.message("group", "x");
    let request =
        request.message_system_attributes(AwsTraceHeader, trace.build().expect("a value"));
    let refused = code(request.send().await.expect_err("refused"));
    assert_eq!(refused, "AWS.SimpleQueueService.UnsupportedOperation");
}

#[tokio::test(start_paused = true)]
async fn an_invalid_message_is_refused() {
    let queue = TestQueue::new().await;
    let send =
        async |body: &str| queue.message("group", body).send().await.map(|_| ()).map_err(code);
    let longest = "x".repeat(1_048_576);
    assert_eq!(send(&longest).await, Ok(()));
    assert_eq!(send(&format!("{longest}x")).await, Err("InvalidParameterValue".to_owned()));
    assert_eq!(send("").await, Err("MissingParameter".to_owned()));
    assert_eq!(send("\u{b}").await, Err("InvalidMessageContents".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_message_is_deleted_after_its_retention_period() {
    let client = client().await;
    let retention = [(QueueAttributeName::MessageRetentionPeriod, "60")];
    let queue = TestQueue::with(&client, "short", &retention).await;
    queue.send("hello").await;
    pass(61).await;
    assert_eq!(queue.counts().await, ["0", "0", "0"]);
}

#[tokio::test(start_paused = true)]
async fn a_message_keeps_the_trace_header_of_its_request() {
    let queue = TestQueue::new().await;
    let with = |trace: &'static str| {
        let request = queue.message("group", trace).customize();
        request.mutate_request(move |it| {
            it.headers_mut().insert("x-amzn-trace-id", trace);
        })
    };
    with("Root=1;Lineage=a:1").send().await.expect("sent");
    queue.send_to("another", "without").await;
    let messages = queue.receive().await;
    let traces = messages.iter().map(|it| {
        let trace = it.attributes()?.get(&MessageSystemAttributeName::AwsTraceHeader)?;
        Some(trace.as_str())
    });
    assert_eq!(traces.collect::<Vec<_>>(), [Some("Root=1;Lineage=a:1"), None]);
}
