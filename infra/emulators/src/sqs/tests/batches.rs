use aws_sdk_sqs::types::SendMessageBatchRequestEntry;

use super::*;

fn entry(id: &str, body: &str) -> SendMessageBatchRequestEntry {
    let entry = SendMessageBatchRequestEntry::builder().id(id).message_body(body);
    let entry = entry.message_group_id("group");
    entry.message_deduplication_id(Uuid::new_v4().to_string()).build().expect("an entry")
}

async fn refusal(queue: &TestQueue, entries: Vec<SendMessageBatchRequestEntry>) -> String {
    let request = queue.client.send_message_batch().queue_url(&queue.url);
    let refused = request.set_entries(Some(entries)).send().await.expect_err("refused");
    let code = code(refused);
    code.strip_prefix("AWS.SimpleQueueService.").unwrap_or(&code).to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_batch_needs_one_to_ten_entries_with_distinct_ids() {
    let queue = TestQueue::new().await;
    let eleven = (0..11).map(|it| entry(&it.to_string(), "x")).collect();
    let half = "x".repeat(600_000);
    assert_eq!(refusal(&queue, vec![]).await, "EmptyBatchRequest");
    assert_eq!(refusal(&queue, eleven).await, "TooManyEntriesInBatchRequest");
    let same = vec![entry("a", "x"), entry("a", "y")];
    assert_eq!(refusal(&queue, same).await, "BatchEntryIdsNotDistinct");
    for id in ["", "a.b", "ä", &"x".repeat(81)] {
        assert_eq!(refusal(&queue, vec![entry(id, "x")]).await, "InvalidBatchEntryId", "{id}");
    }
    let long = vec![entry("a", &half), entry("b", &half)];
    assert_eq!(refusal(&queue, long).await, "BatchRequestTooLong");
    assert!(queue.receive().await.is_empty(), "no message of a refused batch is sent");
}

#[tokio::test(start_paused = true)]
async fn a_refused_entry_does_not_affect_the_others() {
    let queue = TestQueue::new().await;
    let request = queue.client.send_message_batch().queue_url(&queue.url);
    let answer = request.entries(entry("good", "x")).entries(entry("bad", "\u{1}")).send().await;
    let answer = answer.expect("answered");
    assert_eq!(answer.successful()[0].id(), "good");
    assert_eq!(answer.successful()[0].md5_of_message_body(), "9dd4e461268c8034f5c8564e155c67a6");
    assert_eq!(answer.failed()[0].id(), "bad");
    assert_eq!(answer.failed()[0].code(), "InvalidMessageContents");
    assert!(answer.failed()[0].sender_fault());
    assert_eq!(bodies(&queue.receive().await), ["x"]);
}
