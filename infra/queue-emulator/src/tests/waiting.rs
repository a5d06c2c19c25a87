use std::sync::Arc;

use tokio::{sync::oneshot, time::Instant};

use super::*;

#[tokio::test(start_paused = true)]
async fn a_receive_waits_as_long_as_it_was_asked_to() {
    let queue = TestQueue::new().await;
    let begun = Instant::now();
    assert!(queue.receive_within(20).await.is_empty());
    assert_eq!(begun.elapsed().as_secs(), 20);
    let request = queue.client.receive_message().queue_url(&queue.url).wait_time_seconds(21);
    assert_eq!(code(request.send().await.expect_err("refused")), "InvalidParameterValue");
}

#[tokio::test(start_paused = true)]
async fn a_queue_may_say_how_long_to_wait() {
    let wait = [(QueueAttributeName::ReceiveMessageWaitTimeSeconds, "7")];
    let queue = TestQueue::with(&client().await, "patient", &wait).await;
    let begun = Instant::now();
    let request = queue.client.receive_message().queue_url(&queue.url);
    request.send().await.expect("answered");
    assert_eq!(begun.elapsed().as_secs(), 7);
}

#[tokio::test(start_paused = true)]
async fn a_waiting_receive_is_woken_by_a_send() {
    let queue = Arc::new(TestQueue::new().await);
    let begun = Instant::now();
    let waiting = tokio::spawn({
        let queue = queue.clone();
        async move { queue.receive_within(20).await }
    });
    pass(3).await;
    queue.send("hello").await;
    assert_eq!(bodies(&waiting.await.expect("received")), ["hello"]);
    assert_eq!(begun.elapsed().as_secs(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_waiting_receive_is_woken_when_a_message_becomes_visible() {
    let queue = Arc::new(TestQueue::new().await);
    queue.send("hello").await;
    let begun = Instant::now();
    let message = queue.receive_one().await;
    queue.hide(&message, 5).await.expect("hidden");
    let message = queue.receive_within(20).await.remove(0);
    assert_eq!(begun.elapsed().as_secs(), 5);

    queue.hide(&message, 600).await.expect("hidden");
    let begun = Instant::now();
    let waiting = tokio::spawn({
        let queue = queue.clone();
        async move { queue.receive_within(20).await }
    });
    pass(2).await;
    queue.hide(&message, 4).await.expect("hidden for less");
    assert_eq!(bodies(&waiting.await.expect("received")), ["hello"]);
    assert_eq!(begun.elapsed().as_secs(), 6);
}

#[tokio::test(start_paused = true)]
async fn of_many_that_wait_each_message_wakes_one() {
    let queue = Arc::new(TestQueue::new().await);
    let waiting: Vec<_> = (0..10)
        .map(|_| {
            let queue = queue.clone();
            tokio::spawn(async move {
                let request = queue.client.receive_message().queue_url(&queue.url);
                let answer = request.wait_time_seconds(10).send().await.expect("answered");
                answer.messages.unwrap_or_default().len()
            })
        })
        .collect();
    pass(1).await;
    for _ in 0..4 {
        queue.send("hello").await;
    }
    let mut received = 0;
    for it in waiting {
        received += it.await.expect("answered");
    }
    assert_eq!(received, 4);
}

#[tokio::test(start_paused = true)]
async fn a_receive_whose_client_went_away_takes_no_message() {
    let queue = Arc::new(TestQueue::new().await);
    let waiting = tokio::spawn({
        let queue = queue.clone();
        async move { queue.receive_within(20).await }
    });
    pass(1).await;
    waiting.abort();
    waiting.await.expect_err("gone");
    pass(1).await;
    queue.send("hello").await;
    assert_eq!(bodies(&queue.receive().await), ["hello"]);
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_at_a_deleted_queue_is_told() {
    let queue = Arc::new(TestQueue::new().await);
    let waiting = tokio::spawn({
        let queue = queue.clone();
        async move {
            let request = queue.client.receive_message().queue_url(&queue.url);
            request.wait_time_seconds(20).send().await.map(|_| ()).map_err(code)
        }
    });
    pass(1).await;
    queue.client.delete_queue().queue_url(&queue.url).send().await.expect("deleted");
    let gone = "AWS.SimpleQueueService.NonExistentQueue".to_owned();
    assert_eq!(waiting.await.expect("answered"), Err(gone));
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_waits_for_nobody_who_waits() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (stop, stopped) = oneshot::channel::<()>();
    let shutdown = async move { stopped.await.unwrap_or(()) };
    let server = tokio::spawn(serve(listener, Queues::new(), shutdown));
    let queue =
        Arc::new(TestQueue::with(&client_of(&format!("http://{address}")), "queue", &[]).await);
    let waiting = tokio::spawn({
        let queue = queue.clone();
        async move { queue.receive_within(20).await }
    });
    pass(1).await;
    let begun = Instant::now();
    stop.send(()).expect("heard");
    assert!(waiting.await.expect("answered").is_empty());
    server.await.expect("no panic").expect("a clean end");
    assert!(begun.elapsed() < Duration::from_secs(1));
}
