use aws_sdk_sqs::types::{
    ChangeMessageVisibilityBatchRequestEntry, DeleteMessageBatchRequestEntry,
    SendMessageBatchRequestEntry,
};

use super::*;

fn entry(id: &str, body: &str) -> SendMessageBatchRequestEntry {
    let entry = SendMessageBatchRequestEntry::builder().id(id).message_body(body);
    entry.build().expect("an entry")
}

async fn refusal(queue: &TestQueue, entries: Vec<SendMessageBatchRequestEntry>) -> String {
    let request = queue.client.send_message_batch().queue_url(&queue.url);
    let refused = request.set_entries(Some(entries)).send().await.expect_err("refused");
    let code = code(refused);
    code.strip_prefix("AWS.SimpleQueueService.").unwrap_or(&code).to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_batch_has_one_to_ten_entries_with_ids_of_their_own() {
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
    assert!(queue.receive().await.is_empty(), "nothing of a refused batch is sent");
}

#[tokio::test(start_paused = true)]
async fn a_refused_entry_does_not_hold_up_the_others() {
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

#[tokio::test(start_paused = true)]
async fn many_are_hidden_and_deleted_at_once() {
    let queue = TestQueue::new().await;
    for body in ["a", "b"] {
        queue.send(body).await;
    }
    let received = queue.receive().await;
    let hide = |id: &str, handle: &str| {
        let entry = ChangeMessageVisibilityBatchRequestEntry::builder().id(id);
        entry.receipt_handle(handle).visibility_timeout(0).build().expect("an entry")
    };
    let request = queue.client.change_message_visibility_batch().queue_url(&queue.url);
    let request = request.entries(hide("a", receipt(&received[0]))).entries(hide("none", "none"));
    let answer = request.send().await.expect("answered");
    assert_eq!(answer.successful()[0].id(), "a");
    assert_eq!(answer.failed()[0].code(), "ReceiptHandleIsInvalid");
    let again = queue.receive_one().await;

    let delete = |id: &str, handle: &str| {
        let entry = DeleteMessageBatchRequestEntry::builder().id(id).receipt_handle(handle);
        entry.build().expect("an entry")
    };
    let request = queue.client.delete_message_batch().queue_url(&queue.url);
    let request = request.entries(delete("a", receipt(&again)));
    let answer =
        request.entries(delete("b", receipt(&received[1]))).send().await.expect("answered");
    assert_eq!(answer.successful().len(), 2);
    pass(31).await;
    assert!(queue.receive().await.is_empty());
}
