//! No secret reaches a log, whatever goes wrong.

use std::{
    io::Write,
    sync::{Arc, LazyLock, Mutex},
};

use domain::access::Tier;
use serde_json::json;
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

/// The log of this whole process, so that what is spawned beside a request is in it too; whatever the
/// other tests log meanwhile must keep the same promise.
static LOG: LazyLock<Log> = LazyLock::new(|| {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .json()
        .with_max_level(tracing::Level::INFO)
        .with_writer(log.clone())
        .finish();
    tracing::subscriber::set_global_default(subscriber).expect("the only subscriber");
    log
});

#[tokio::test]
async fn no_secret_and_no_body_reaches_a_log() {
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
    service.beside().get_as(&owner, "/v1/companies/count").await;
    let secrets = [owner, key];
    let written = String::from_utf8(log.0.lock().expect("not poisoned").clone()).expect("text");
    assert!(written.contains("\"answered\""), "the log is being read: {written}");
    assert!(written.contains("the handler's own secret reason"), "causes are in the log");
    // The cause stands under the id that the client was given.
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
