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
}

const ALWAYS: usize = usize::MAX;

/// The settings of clients of a service whose first requests hang. It gives this answer to the others.
async fn service(hanging: usize, hang: Hang, answer: &'static str) -> SdkConfig {
    let left = Arc::new(AtomicUsize::new(hanging));
    let router = Router::new().fallback(async move || {
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
            Hang::Late => {
                tokio::time::sleep(Duration::from_millis(1_500)).await;
                Response::new(Body::from(answer))
            }
        }
    });
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
