//! The log: one line per request, metrics, and no secrets.

use std::{
    io::Write,
    sync::{Arc, LazyLock, Mutex},
};

use access::Tier;
use serde_json::{Value, json};
use tests::{Service, faults::Fault};
use tracing_subscriber::fmt::MakeWriter;

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("not poisoned").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// The log of the whole process, including spawned tasks. It contains the lines of other tests too, which must not
/// contain secrets either.
static LOG: LazyLock<Log> = LazyLock::new(|| {
    let log = Log::default();
    let subscriber = telemetry::log("tests", log.clone());
    tracing::subscriber::set_global_default(subscriber).expect("the only subscriber");
    log
});

impl Log {
    fn lines(&self) -> Vec<Value> {
        let written = String::from_utf8(self.0.lock().expect("not poisoned").clone());
        let lines = written.expect("text");
        lines.lines().map(|it| serde_json::from_str(it).expect("every line is JSON")).collect()
    }

    /// The line of the answer with this id.
    fn answered(&self, id: &str) -> Value {
        let mut lines = self.lines().into_iter();
        let is_it = |it: &Value| it["fields"]["message"] == "request completed";
        let line = lines.find(|it| is_it(it) && it["fields"]["request_id"] == id);
        line.expect("one line an answer")["fields"].clone()
    }

    /// Number of lines that count a metric of this rate group.
    fn counted(&self, metric: &str, group: &str) -> usize {
        let lines = self.lines().into_iter();
        lines.filter(|it| it[metric] == 1 && it["group"] == group && it["_aws"].is_object()).count()
    }
}

#[tokio::test]
async fn every_request_has_one_line_with_caller_route_cost_and_durations() {
    let log = &*LOG;
    let service = Service::start().await;
    let key = service.key(Tier::Starter).await;
    let trace = "Root=1-67891233-abcdef012345678912345678";
    let path = "/v1/companies/CHE-105.909.036/similar";
    let answer = service.get(path).await;
    let line = log.answered(answer.header("x-request-id").expect("an id"));
    assert_eq!(
        (&line["path"], &line["route"]),
        (&json!(path), &json!("/v1/companies/{uid}/similar"))
    );
    let mut invocation = lambda_http::Context::default();
    invocation.request_id = "8476a536-e9f4-11e8-9739-2dfe598c3fcd".to_owned();
    let request = http::Request::get("/v1/companies/count")
        .header("authorization", format!("Bearer {key}"))
        .header("x-amzn-trace-id", trace)
        .extension(invocation);
    let answer = service.send(request).await;
    assert_eq!(answer.header("x-amzn-trace-id"), Some(trace));
    let line = log.answered(answer.header("x-request-id").expect("an id"));
    let field = |name: &str| line[name].clone();
    assert_eq!(field("method"), "GET");
    assert_eq!(field("path"), "/v1/companies/count");
    assert_eq!(field("status"), "200");
    assert_eq!(field("group"), "search_read");
    assert_eq!(field("cost"), 1);
    assert_eq!(field("trace_id"), trace);
    assert_eq!(field("lambda_request_id"), "8476a536-e9f4-11e8-9739-2dfe598c3fcd");
    assert!(field("team").as_str().is_some_and(|it| !it.is_empty()), "{line}");
    assert!(field("cold_start").is_boolean(), "{line}");
    let milliseconds = |name: &str| line[name].as_f64().unwrap_or_else(|| panic!("{name}: {line}"));
    let stages =
        ["caller_milliseconds", "meter_milliseconds", "handler_milliseconds"].map(milliseconds);
    assert!(stages.iter().all(|it| *it > 0.0), "{line}");
    assert!(stages.iter().sum::<f64>() <= milliseconds("milliseconds"), "{line}");
    // A 304 response costs nothing, and the line says so.
    let tag = answer.header("etag").expect("a tag");
    let request = http::Request::get("/v1/companies/count").header("if-none-match", tag);
    let answer = service.send(request).await;
    let line = log.answered(answer.header("x-request-id").expect("an id"));
    assert_eq!((&line["status"], &line["cost"]), (&json!("304"), &json!(0)));
    assert!(line["team"].is_null(), "{line}");
}

#[tokio::test]
async fn refusals_server_errors_and_metering_failures_are_metrics() {
    let log = &*LOG;
    let (service, faults) = Service::with_faulty_counters().await;
    let count = |metric, group| log.counted(metric, group);
    let (refused, failed) = (count("Refusal", "account"), count("ServerError", "search_read"));
    service.get("/v1/api-keys").await;
    assert!(log.counted("Refusal", "account") > refused);
    service.get("/v1/probe/failing").await;
    assert!(log.counted("ServerError", "search_read") > failed);
    let lost = count("MeteringFailure", "search_read");
    faults.decide(|_, _| Some(Fault::Down));
    service.get("/v1/companies/count").await;
    assert!(log.counted("MeteringFailure", "search_read") > lost);
}

#[tokio::test]
async fn no_secret_and_no_request_body_is_logged() {
    let log = &*LOG;
    let (service, faults) = Service::with_faulty_counters().await;
    let owner = service.key(Tier::Starter).await;
    let made =
        service.post_as(&owner, "/v1/api-keys", json!({ "name": "the-body-of-a-request" })).await;
    let key = made.body["key"].as_str().expect("a key").to_owned();
    service.get_as(&key, "/v1/companies/count").await;
    service.get_as(&format!("{key}x"), "/v1/companies/count").await;
    service.get("/v1/probe/panicking").await;
    let failed = service.get("/v1/probe/failing").await;
    faults.decide(|_, _| Some(Fault::Down));
    service.get_as(&owner, "/v1/companies/count").await;
    service.second_process().get_as(&owner, "/v1/companies/count").await;
    let secrets = [owner, key];
    let written = String::from_utf8(log.0.lock().expect("not poisoned").clone()).expect("text");
    assert!(written.contains("\"request completed\""), "the log is being read: {written}");
    assert!(written.contains("the handler's own secret reason"), "the log contains causes");
    // The cause is logged with the request id that the client got.
    let id = failed.header("x-request-id").expect("an id");
    let cause =
        |it: &&str| it.contains("\"ERROR\"") && it.contains("the handler's own secret reason");
    let causes: Vec<&str> = written.lines().filter(cause).collect();
    assert!(causes.iter().any(|it| it.contains(id)), "{causes:?}");
    for key in secrets {
        let secret = key.split('_').nth(3).expect("a secret");
        assert!(!written.contains(secret));
    }
    assert!(!written.contains("the-body-of-a-request"));
    assert!(!written.contains("argon2id$"));
}
