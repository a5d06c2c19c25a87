use std::sync::Arc;

use tokio::{sync::oneshot, time::Instant};

use super::*;

#[tokio::test(start_paused = true)]
async fn a_receive_waits_for_the_requested_time() {
    let queue = TestQueue::new().await;
    let started = Instant::now();
    assert!(queue.receive_within(20).await.is_empty());
    assert_eq!(started.elapsed().as_secs(), 20);
    let request = queue.client.receive_message().queue_url(&queue.url).wait_time_seconds(21);
    assert_eq!(code(request.send().await.expect_err("refused")), "InvalidParameterValue");
}

#[tokio::test(start_paused = true)]
async fn a_queue_can_set_the_waiting_time() {
    let wait = [(QueueAttributeName::ReceiveMessageWaitTimeSeconds, "7")];
    let queue = TestQueue::with(&client().await, "patient", &wait).await;
    let started = Instant::now();
    let request = queue.client.receive_message().queue_url(&queue.url);
    request.send().await.expect("answered");
    assert_eq!(started.elapsed().as_secs(), 7);
}

#[tokio::test(start_paused = true)]
async fn a_send_wakes_a_waiting_receive() {
    let queue = Arc::new(TestQueue::new().await);
    let started = Instant::now();
    let waiting = tokio::spawn({
        let queue = queue.clone();
        async move { queue.receive_within(20).await }
    });
    pass(3).await;
    queue.send("hello").await;
    assert_eq!(bodies(&waiting.await.expect("received")), ["hello"]);
    assert_eq!(started.elapsed().as_secs(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_waiting_receive_returns_when_a_message_becomes_visible() {
    let queue = Arc::new(TestQueue::new().await);
    queue.send("hello").await;
    let started = Instant::now();
    let message = queue.receive_one().await;
    queue.change_visibility(&message, 5).await.expect("changed");
    let message = queue.receive_within(20).await.remove(0);
    assert_eq!(started.elapsed().as_secs(), 5);

    queue.change_visibility(&message, 600).await.expect("changed");
    let started = Instant::now();
    let waiting = tokio::spawn({
        let queue = queue.clone();
        async move { queue.receive_within(20).await }
    });
    pass(2).await;
    queue.change_visibility(&message, 4).await.expect("changed");
    assert_eq!(bodies(&waiting.await.expect("received")), ["hello"]);
    assert_eq!(started.elapsed().as_secs(), 6);
}

#[tokio::test(start_paused = true)]
async fn each_message_is_delivered_to_one_waiting_receive() {
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
    for group in 0..4 {
        queue.send_to(&group.to_string(), "hello").await;
    }
    let mut received = 0;
    for it in waiting {
        received += it.await.expect("answered");
    }
    assert_eq!(received, 4);
}

#[tokio::test(start_paused = true)]
async fn a_receive_of_a_disconnected_client_takes_no_message() {
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
async fn a_shutdown_ends_waiting_receives() {
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
    let started = Instant::now();
    stop.send(()).expect("received");
    assert!(waiting.await.expect("answered").is_empty());
    server.await.expect("no panic").expect("no error");
    assert!(started.elapsed() < Duration::from_secs(1));
}
