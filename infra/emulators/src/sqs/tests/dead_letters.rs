use MessageSystemAttributeName::{ApproximateReceiveCount, DeadLetterQueueSourceArn};

use super::*;

/// A queue that gives up a message after two receives, and its dead-letter queue.
async fn queue_with_dead_letters() -> (TestQueue, TestQueue) {
    let client = client().await;
    let dead = TestQueue::with(&client, "dead", &[]).await;
    let policy = format!(r#"{{"deadLetterTargetArn":"{}","maxReceiveCount":2}}"#, dead.arn().await);
    let attributes = [(QueueAttributeName::RedrivePolicy, policy.as_str())];
    (TestQueue::with(&client, "queue", &attributes).await, dead)
}

#[tokio::test(start_paused = true)]
async fn a_message_received_too_often_moves_to_the_dead_letter_queue() {
    let (queue, dead) = queue_with_dead_letters().await;
    let id = queue.send("poison").await;
    for _ in 0..2 {
        queue.receive_one().await;
        pass(31).await;
    }
    assert!(queue.receive().await.is_empty());
    let letter = dead.receive_one().await;
    assert_eq!(letter.message_id(), Some(id.as_str()));
    assert_eq!(system_attribute(&letter, DeadLetterQueueSourceArn), queue.arn().await);
    assert_eq!(system_attribute(&letter, ApproximateReceiveCount), "3");
    assert_eq!(queue.counts().await, ["0", "0", "0"]);
}

#[tokio::test(start_paused = true)]
async fn a_group_continues_after_its_first_message_has_moved() {
    let (queue, _) = queue_with_dead_letters().await;
    queue.send("poison").await;
    for _ in 0..2 {
        let message = queue.receive_one().await;
        queue.change_visibility(&message, 0).await.expect("changed");
    }
    queue.send("good").await;
    assert_eq!(bodies(&queue.receive().await), ["good"]);
}

#[tokio::test(start_paused = true)]
async fn dead_letters_of_many_groups_do_not_delay_other_messages() {
    let (queue, dead) = queue_with_dead_letters().await;
    for group in 0..12 {
        queue.send_to(&group.to_string(), "poison").await;
    }
    for _ in 0..2 {
        assert_eq!(queue.receive().await.len() + queue.receive().await.len(), 12);
        pass(31).await;
    }
    queue.send("good").await;
    assert_eq!(bodies(&queue.receive().await), ["good"]);
    assert_eq!(dead.counts().await, ["12", "0", "0"]);
}

#[tokio::test(start_paused = true)]
async fn a_dead_letter_wakes_a_receive_of_the_dead_letter_queue() {
    let (queue, dead) = queue_with_dead_letters().await;
    queue.send("poison").await;
    let waiting = tokio::spawn(async move { dead.receive_within(20).await });
    for _ in 0..2 {
        let message = queue.receive_one().await;
        queue.change_visibility(&message, 0).await.expect("changed");
    }
    assert!(queue.receive().await.is_empty());
    assert_eq!(bodies(&waiting.await.expect("received")), ["poison"]);
}

#[tokio::test(start_paused = true)]
async fn an_invalid_redrive_policy_is_refused() {
    let client = client().await;
    let dead = TestQueue::with(&client, "dead", &[]).await;
    let arn = dead.arn().await;
    let nowhere = arn.replace(":dead", ":nowhere");
    for policy in [
        "no JSON".to_owned(),
        r#"{"maxReceiveCount":5}"#.to_owned(),
        format!(r#"{{"deadLetterTargetArn":"{arn}","maxReceiveCount":0}}"#),
        format!(r#"{{"deadLetterTargetArn":"{arn}"}}"#),
        format!(r#"{{"deadLetterTargetArn":"{nowhere}","maxReceiveCount":5}}"#),
    ] {
        let request = client.create_queue().queue_name("queue.fifo");
        let request = request.attributes(QueueAttributeName::FifoQueue, "true");
        let request = request.attributes(QueueAttributeName::RedrivePolicy, &policy);
        let refused = request.send().await.expect_err(&policy);
        assert_eq!(code(refused), "InvalidParameterValue", "{policy}");
    }
    // Some tools send the number as a string.
    let policy = format!(r#"{{"deadLetterTargetArn":"{arn}","maxReceiveCount":"5"}}"#);
    let attributes = [(QueueAttributeName::RedrivePolicy, policy.as_str())];
    TestQueue::with(&client, "queue", &attributes).await;
}
