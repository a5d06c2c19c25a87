use std::collections::{BTreeMap, BTreeSet};

use MessageSystemAttributeName::{MessageDeduplicationId, MessageGroupId};
use QueueAttributeName::{
    ContentBasedDeduplication, DeduplicationScope, DelaySeconds, FifoThroughputLimit,
};
use rand::{Rng, SeedableRng, rngs::StdRng};

use super::*;

#[tokio::test(start_paused = true)]
async fn messages_of_a_group_are_received_in_order() {
    let queue = TestQueue::new().await;
    let mut numbers = Vec::new();
    for body in ["1", "2", "3"] {
        numbers.push(queue.send_to("a", body).await.sequence_number.expect("a number"));
    }
    assert!(numbers.is_sorted() && numbers.iter().all(|it| it.len() == 20), "{numbers:?}");
    let received = queue.receive().await;
    assert_eq!(bodies(&received), ["1", "2", "3"]);
    assert_eq!(system_attribute(&received[0], MessageGroupId), "a");
}

#[tokio::test(start_paused = true)]
async fn a_group_is_blocked_while_one_of_its_messages_is_in_flight() {
    let queue = TestQueue::new().await;
    queue.send_to("a", "a1").await;
    let first = queue.receive_one().await;
    queue.send_to("a", "a2").await;
    queue.send_to("b", "b1").await;
    assert_eq!(bodies(&queue.receive().await), ["b1"], "other groups are not blocked");
    assert!(queue.receive().await.is_empty());
    queue.delete(&first).await;
    assert_eq!(bodies(&queue.receive().await), ["a2"]);
}

#[tokio::test(start_paused = true)]
async fn a_delete_wakes_a_receive_that_waits_for_the_group() {
    let queue = std::sync::Arc::new(TestQueue::new().await);
    queue.send("1").await;
    let first = queue.receive_one().await;
    queue.send("2").await;
    let waiting = tokio::spawn({
        let queue = queue.clone();
        async move { queue.receive_within(20).await }
    });
    pass(3).await;
    let started = tokio::time::Instant::now();
    queue.delete(&first).await;
    assert_eq!(bodies(&waiting.await.expect("received")), ["2"]);
    assert_eq!(started.elapsed().as_secs(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_retried_message_keeps_its_place_in_its_group() {
    let queue = TestQueue::new().await;
    queue.send("1").await;
    let first = queue.receive_one().await;
    queue.send("2").await;
    queue.change_visibility(&first, 5).await.expect("changed");
    pass(4).await;
    assert!(queue.receive().await.is_empty(), "the group waits for the retry");
    pass(2).await;
    assert_eq!(bodies(&queue.receive().await), ["1", "2"]);
}

#[tokio::test(start_paused = true)]
async fn a_delayed_message_does_not_delay_earlier_messages() {
    let queue = TestQueue::with(&client().await, "slow", &[(DelaySeconds, "10")]).await;
    queue.send("1").await;
    pass(6).await;
    queue.send("2").await;
    pass(5).await;
    assert_eq!(bodies(&queue.receive().await), ["1"]);
    assert_eq!(queue.counts().await, ["0", "1", "1"]);
}

#[tokio::test(start_paused = true)]
async fn a_duplicate_within_five_minutes_is_delivered_once() {
    let queue = TestQueue::new().await;
    let send = async |body: &str| {
        let request = queue.message("a", body).message_deduplication_id("same");
        request.send().await.expect("sent")
    };
    let first = send("1").await;
    let message = queue.receive_one().await;
    assert_eq!(system_attribute(&message, MessageDeduplicationId), "same");
    queue.delete(&message).await;
    pass(299).await;
    let duplicate = send("2").await;
    assert_eq!(duplicate.message_id, first.message_id);
    assert_eq!(duplicate.sequence_number, first.sequence_number);
    assert!(queue.receive().await.is_empty(), "also after the first has been deleted");
    pass(1).await;
    assert_ne!(send("3").await.message_id, first.message_id);
    assert_eq!(bodies(&queue.receive().await), ["3"]);
}

#[tokio::test(start_paused = true)]
async fn deduplication_id_in_two_groups_is_delivered_once_or_twice_depending_on_the_scope() {
    let client = client().await;
    for (name, attributes, expected) in [
        ("default", &[][..], &["a"][..]),
        ("queue", &[(DeduplicationScope, "queue"), (FifoThroughputLimit, "perQueue")], &["a"]),
        ("groups", &[(DeduplicationScope, "messageGroup")], &["a", "b"]),
        (
            "fast",
            &[(DeduplicationScope, "messageGroup"), (FifoThroughputLimit, "perMessageGroupId")],
            &["a", "b"],
        ),
    ] {
        let queue = TestQueue::with(&client, name, attributes).await;
        for group in ["a", "b", "a", "b"] {
            let request = queue.message(group, group).message_deduplication_id("same");
            request.send().await.expect("sent");
        }
        assert_eq!(bodies(&queue.receive().await), expected, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn content_based_deduplication_of_each_group_compares_its_bodies() {
    let attributes = [(ContentBasedDeduplication, "true"), (DeduplicationScope, "messageGroup")];
    let queue = TestQueue::with(&client().await, "by-content", &attributes).await;
    for group in ["a", "b", "a"] {
        let request = queue.client.send_message().queue_url(&queue.url).message_body("same");
        request.message_group_id(group).send().await.expect("sent");
    }
    let received = queue.receive().await;
    let groups: Vec<_> = received.iter().map(|it| system_attribute(it, MessageGroupId)).collect();
    assert_eq!(groups, ["a", "b"]);
}

#[tokio::test(start_paused = true)]
async fn content_based_deduplication_compares_bodies() {
    let attributes = [(ContentBasedDeduplication, "true")];
    let queue = TestQueue::with(&client().await, "by-content", &attributes).await;
    for (group, body) in [("a", "same"), ("b", "same"), ("a", "different")] {
        let request = queue.client.send_message().queue_url(&queue.url).message_body(body);
        request.message_group_id(group).send().await.expect("sent");
    }
    queue.send_to("c", "same").await;
    assert_eq!(
        bodies(&queue.receive().await),
        ["same", "different", "same"],
        "the last one has an explicit id"
    );
}

#[tokio::test(start_paused = true)]
async fn a_message_needs_a_group_and_a_deduplication_id() {
    let queue = TestQueue::new().await;
    let request = || queue.client.send_message().queue_url(&queue.url).message_body("x");
    let refused = request().message_deduplication_id("1").send().await.expect_err("no group");
    assert_eq!(code(refused), "MissingParameter");
    let refused = request().message_group_id("a").send().await.expect_err("no id");
    assert_eq!(code(refused), "InvalidParameterValue");
    for invalid in ["", "a b", "ä", &"x".repeat(129)] {
        let refused = queue.message(invalid, "x").send().await.expect_err(invalid);
        assert_eq!(code(refused), "InvalidParameterValue", "{invalid}");
    }
    let refused = queue.message("a", "x").delay_seconds(1).send().await.expect_err("a delay");
    assert_eq!(code(refused), "InvalidParameterValue");
}

/// Compares the queue with a simple model during random sends, receives, deletes and retries.
#[tokio::test(start_paused = true)]
async fn a_receive_returns_the_oldest_messages_of_free_groups_in_order() {
    for seed in 0..4 {
        let mut random = StdRng::seed_from_u64(seed);
        let queue = TestQueue::with(&client().await, "random", &[]).await;
        // By group: the messages that have not been deleted. By number: the messages in flight.
        let mut present: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let mut in_flight: BTreeMap<u32, (String, Message)> = BTreeMap::new();
        let mut received_in_all = 0;
        for number in 0..300_u32 {
            match random.random_range(0..6) {
                0..3 => {
                    let group = random.random_range(0..5).to_string();
                    queue.send_to(&group, &number.to_string()).await;
                    present.entry(group).or_default().push(number);
                }
                3 => {
                    let blocked: BTreeSet<String> =
                        in_flight.values().map(|(group, _)| group.clone()).collect();
                    let mut by_group: BTreeMap<String, Vec<u32>> = BTreeMap::new();
                    for message in queue.receive().await {
                        let group = system_attribute(&message, MessageGroupId).to_owned();
                        assert!(!blocked.contains(&group), "seed {seed}: {group} is blocked");
                        let number = message.body().and_then(|it| it.parse().ok());
                        let number: u32 = number.expect("a number");
                        by_group.entry(group.clone()).or_default().push(number);
                        in_flight.insert(number, (group, message));
                        received_in_all += 1;
                    }
                    for (group, numbers) in by_group {
                        assert!(present[&group].starts_with(&numbers), "seed {seed}: {numbers:?}");
                    }
                }
                4 => {
                    let Some((number, (group, message))) = in_flight.pop_first() else { continue };
                    queue.delete(&message).await;
                    present.entry(group).or_default().retain(|it| *it != number);
                }
                _ => {
                    let Some((_, (_, message))) = in_flight.pop_last() else { continue };
                    queue.change_visibility(&message, 0).await.expect("changed");
                }
            }
        }
        assert!(received_in_all > 50, "{received_in_all}");
    }
}
