use MessageSystemAttributeName::{ApproximateReceiveCount, DeadLetterQueueSourceArn};

use super::*;

/// A queue that gives a message up after two receives, and the queue of its dead letters.
async fn queue_with_dead_letters() -> (TestQueue, TestQueue) {
    let client = client().await;
    let dead = TestQueue::with(&client, "dead", &[]).await;
    let policy = format!(r#"{{"deadLetterTargetArn":"{}","maxReceiveCount":2}}"#, dead.arn().await);
    let attributes = [(QueueAttributeName::RedrivePolicy, policy.as_str())];
    (TestQueue::with(&client, "queue", &attributes).await, dead)
}

/// Receives until the message is given up.
async fn give_up(queue: &TestQueue) {
    for _ in 0..2 {
        queue.receive_one().await;
        pass(31).await;
    }
    assert!(queue.receive().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_message_received_too_often_is_a_dead_letter() {
    let (queue, dead) = queue_with_dead_letters().await;
    let id = queue.send("poison").await;
    give_up(&queue).await;
    let letter = dead.receive_one().await;
    assert_eq!(letter.message_id(), Some(id.as_str()));
    assert_eq!(system(&letter, DeadLetterQueueSourceArn), queue.arn().await);
    assert_eq!(system(&letter, ApproximateReceiveCount), "3");
    assert_eq!(queue.counts().await, ["0", "0", "0"]);
}

#[tokio::test(start_paused = true)]
async fn dead_letters_do_not_hold_up_the_living() {
    let (queue, dead) = queue_with_dead_letters().await;
    for _ in 0..12 {
        queue.send("poison").await;
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
async fn whoever_waits_for_dead_letters_is_woken() {
    let (queue, dead) = queue_with_dead_letters().await;
    queue.send("poison").await;
    let waiting = tokio::spawn(async move { dead.receive_within(20).await });
    for _ in 0..2 {
        let message = queue.receive_one().await;
        queue.hide(&message, 0).await.expect("given back");
    }
    assert!(queue.receive().await.is_empty());
    assert_eq!(bodies(&waiting.await.expect("received")), ["poison"]);
}

#[tokio::test(start_paused = true)]
async fn dead_letters_are_moved_back_as_new_messages() {
    let (queue, dead) = queue_with_dead_letters().await;
    let id = queue.send("poison").await;
    give_up(&queue).await;
    let source = dead.arn().await;
    let start = dead.client.start_message_move_task().source_arn(&source);
    assert!(start.send().await.expect("started").task_handle.is_some());
    let message = queue.receive_one().await;
    assert_ne!(message.message_id(), Some(id.as_str()));
    assert_eq!(system(&message, ApproximateReceiveCount), "1");
    let tasks = dead.client.list_message_move_tasks().source_arn(&source).send().await;
    let task = tasks.expect("tasks").results.expect("some").remove(0);
    assert_eq!(task.status(), Some("COMPLETED"));
    assert_eq!(task.approximate_number_of_messages_moved(), 1);
}

#[tokio::test(start_paused = true)]
async fn dead_letters_are_moved_wherever_one_says() {
    let (queue, dead) = queue_with_dead_letters().await;
    let elsewhere = TestQueue::with(&queue.client, "elsewhere", &[]).await;
    queue.send("poison").await;
    dead.send("sent here").await;
    give_up(&queue).await;
    let (source, destination) = (dead.arn().await, elsewhere.arn().await);
    let start = dead.client.start_message_move_task().source_arn(&source);
    start.destination_arn(destination).send().await.expect("started");
    assert_eq!(bodies(&elsewhere.receive().await), ["sent here", "poison"]);
}

#[tokio::test(start_paused = true)]
async fn a_letter_that_came_from_nowhere_stays() {
    let (_, dead) = queue_with_dead_letters().await;
    dead.send("sent here").await;
    let source = dead.arn().await;
    let start = dead.client.start_message_move_task().source_arn(&source);
    start.send().await.expect("started");
    let tasks = dead.client.list_message_move_tasks().source_arn(&source).send().await;
    let task = tasks.expect("tasks").results.expect("some").remove(0);
    assert_eq!(task.status(), Some("FAILED"));
    assert_eq!(task.failure_reason(), Some("CouldNotDetermineMessageSource"));
    assert_eq!(bodies(&dead.receive().await), ["sent here"]);
}

#[tokio::test(start_paused = true)]
async fn a_move_that_cannot_be_is_refused() {
    let (queue, dead) = queue_with_dead_letters().await;
    let start = |arn: &str| dead.client.start_message_move_task().source_arn(arn);
    let refused = start(&queue.arn().await).send().await.expect_err("no dead letters");
    assert_eq!(code(refused), "InvalidParameterValue");
    let nowhere = queue.arn().await.replace(":queue", ":nowhere");
    let refused = start(&nowhere).send().await.expect_err("no such queue");
    assert_eq!(code(refused), "ResourceNotFoundException");
    let cancel = dead.client.cancel_message_move_task().task_handle("none");
    let refused = cancel.send().await.expect_err("no such task");
    assert_eq!(code(refused), "ResourceNotFoundException");
}

#[tokio::test(start_paused = true)]
async fn a_queue_knows_whose_dead_letters_it_takes() {
    let (queue, dead) = queue_with_dead_letters().await;
    let request = dead.client.list_dead_letter_source_queues().queue_url(&dead.url);
    assert_eq!(request.send().await.expect("sources").queue_urls(), [queue.url]);
}

#[tokio::test(start_paused = true)]
async fn a_redrive_policy_that_cannot_be_is_refused() {
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
        let request = client.create_queue().queue_name("queue");
        let request = request.attributes(QueueAttributeName::RedrivePolicy, &policy);
        let refused = request.send().await.expect_err(&policy);
        assert_eq!(code(refused), "InvalidParameterValue", "{policy}");
    }
    // As other tools write it.
    let policy = format!(r#"{{"deadLetterTargetArn":"{arn}","maxReceiveCount":"5"}}"#);
    let attributes = [(QueueAttributeName::RedrivePolicy, policy.as_str())];
    TestQueue::with(&client, "queue", &attributes).await;
}
