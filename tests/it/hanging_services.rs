//! Services of AWS whose answers do not come.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use auth::TeamId;
use aws::{SdkConfig, TimeoutConfig, secret};
use axum::{
    Router,
    body::{Body, Bytes},
    extract::DefaultBodyLimit,
    response::Response,
};
use futures_util::{StreamExt, stream};
use jiff::Timestamp;
use jobs::{MailJob, Queue};
use local::cloud::clients;
use mail::{Mail, Mailer};
use objects::Objects;
use store::{Counters, Tenants};

/// What a service does with a request that hangs.
#[derive(Clone, Copy, Debug)]
enum Hang {
    /// It never answers.
    Silent,
    /// It never ends the body of its answer.
    InBody,
    /// It answers after a second and a half.
    Late,
    /// It answers after five seconds.
    Slow,
}

const ALWAYS: usize = usize::MAX;

/// The settings of clients of a service whose first requests hang. It gives this answer to the others.
async fn service(hanging: usize, hang: Hang, answer: &'static str) -> SdkConfig {
    counted_service(hanging, hang, answer, Arc::default()).await
}

/// The same, and the number of requests that it received.
async fn counted_service(
    hanging: usize,
    hang: Hang,
    answer: &'static str,
    received: Arc<AtomicUsize>,
) -> SdkConfig {
    let left = Arc::new(AtomicUsize::new(hanging));
    // The body is read, as a service does before it answers.
    let router = Router::new().fallback(async move |_: Bytes| {
        received.fetch_add(1, Ordering::SeqCst);
        let take = |it: usize| it.checked_sub(1);
        if left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take).is_err() {
            return Response::new(Body::from(answer));
        }
        match hang {
            Hang::Silent => std::future::pending().await,
            Hang::InBody => {
                let begun = Ok::<_, Infallible>(Bytes::from_static(b"x"));
                let body = stream::iter([begun]).chain(stream::pending());
                Response::new(Body::from_stream(body))
            }
            Hang::Late | Hang::Slow => {
                let seconds = if let Hang::Slow = hang { 5.0 } else { 1.5 };
                tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
                Response::new(Body::from(answer))
            }
        }
    });
    let router = router.layer(DefaultBodyLimit::disable());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, router).await });
    // As on AWS: without the patience that clients of emulators have.
    clients::emulator_config(&address)
        .into_builder()
        .timeout_config(TimeoutConfig::disabled())
        .build()
}

/// A request with each client, and whether it succeeded.
#[expect(clippy::disallowed_methods, reason = "the client itself is tested")]
async fn send(client: &str, environment: &SdkConfig) -> bool {
    match client {
        "an item" => {
            let tenants = Tenants::named(store::client(environment), "table");
            tenants.user("anna").await.is_ok()
        }
        "a query" => {
            let tenants = Tenants::named(store::client(environment), "table");
            tenants.teams_of("anna").await.is_ok()
        }
        "a counter" => {
            let counters = Counters::named(store::client(environment), "table");
            counters.record_failure("192.0.2.1", Timestamp::UNIX_EPOCH).await.is_ok()
        }
        "an object" => {
            let objects = Objects::named(objects::client(environment), "bucket");
            objects.get("key").await.is_ok()
        }
        "an upload" => {
            let objects = Objects::named(objects::client(environment), "bucket");
            objects.put("key", "text").await.is_ok()
        }
        "a job" => {
            let url = format!("{}/queue", environment.endpoint_url().expect("an address"));
            let queue = Queue::<MailJob>::new(jobs::client(environment), url);
            queue.send(&MailJob::TellOwners { team: TeamId("team".into()) }).await.is_ok()
        }
        "a secret" => secret(environment, "arn").await.is_ok(),
        "a mail" => {
            let mailer = Mailer::ses(environment, "noreply@gotthard.example");
            let mail = Mail {
                to: "anna@example.ch".parse().expect("an address"),
                subject: "Subject".into(),
                text: "Text".into(),
                html: "<p>Text</p>".into(),
                id: None,
                unsubscribe: None,
            };
            mailer.send(&mail).await.is_ok()
        }
        other => panic!("{other}"),
    }
}

/// Whether the request succeeds, and how long it takes.
async fn with_service(
    client: &str,
    hanging: usize,
    hang: Hang,
    answer: &'static str,
) -> (bool, Duration) {
    let environment = service(hanging, hang, answer).await;
    let started = Instant::now();
    let succeeded = send(client, &environment).await;
    (succeeded, started.elapsed())
}

const QUEUED: &str =
    r#"{ "Successful": [{ "Id": "0", "MessageId": "1", "MD5OfMessageBody": "" }] }"#;

#[tokio::test]
async fn a_request_that_hangs_once_is_repeated() {
    let seconds = Duration::from_secs;
    let each = [
        ("an item", Hang::Silent, "{}", seconds(3)),
        ("a query", Hang::Silent, r#"{ "Items": [] }"#, seconds(6)),
        ("an object", Hang::Silent, "text", seconds(6)),
        ("an object", Hang::InBody, "text", seconds(12)),
        ("an upload", Hang::Silent, "", seconds(6)),
        ("a job", Hang::Silent, QUEUED, seconds(5)),
        // Counted once, so the answer is waited for.
        ("a counter", Hang::Late, r#"{ "Attributes": { "count": { "N": "1" } } }"#, seconds(2)),
        ("a secret", Hang::Silent, r#"{ "SecretString": "secret" }"#, seconds(5)),
    ];
    let each = each.map(async |(client, hang, answer, limit)| {
        let (succeeded, time) = with_service(client, 1, hang, answer).await;
        assert!(succeeded && time < limit, "{client} {hang:?}: {succeeded} after {time:?}");
    });
    futures_util::future::join_all(each).await;
}

/// An upload has more time the more it sends, because S3 answers at its end.
#[tokio::test]
async fn an_upload_is_waited_for_by_its_size() {
    let is_waited_for = async |bytes: usize| {
        let requests = Arc::new(AtomicUsize::new(0));
        let environment = counted_service(1, Hang::Slow, "", requests.clone()).await;
        let objects = Objects::named(objects::client(&environment), "bucket");
        objects.put("key", vec![0; bytes]).await.expect("an answer");
        requests.load(Ordering::SeqCst) == 1
    };
    let (large, small) = tokio::join!(is_waited_for(4_000_000), is_waited_for(4));
    assert!(large && !small, "4 MB: {large}; 4 bytes: {small}");
}

#[tokio::test]
async fn a_service_that_always_hangs_is_an_error_within_the_time_of_a_request() {
    let seconds = Duration::from_secs;
    let each = [
        ("an item", seconds(5)),
        ("a query", seconds(12)),
        ("a counter", seconds(3)),
        ("an object", seconds(12)),
        ("an upload", seconds(12)),
        ("a secret", seconds(8)),
        // Not repeated: it may have been sent.
        ("a mail", seconds(7)),
    ];
    let each = each.map(async |(client, limit)| {
        let (succeeded, time) = with_service(client, ALWAYS, Hang::Silent, "").await;
        assert!(!succeeded && time < limit, "{client}: {succeeded} after {time:?}");
    });
    futures_util::future::join_all(each).await;
}
