//! Fake sources: a script responds to the requests to all hosts.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use auth::Secret;
use axum::{
    Router,
    body::to_bytes,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, StatusCode};
use sources::Page;
use tokio::time::{Instant, sleep};
use url::Url;

use crate::{Account, Fetched, Fetcher, RegisterAccount, Settings};

/// A request that a fake source received.
#[derive(Clone, Debug)]
pub(super) struct ReceivedRequest {
    pub(super) address: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: String,
    pub(super) at: Instant,
}

impl ReceivedRequest {
    pub(super) fn host(&self) -> &str {
        self.address.host_str().expect("a host")
    }

    /// A parameter of the query. Empty if it is absent.
    pub(super) fn parameter(&self, name: &str) -> String {
        let mut all = self.address.query_pairs();
        all.find(|(it, _)| it == name).map(|(_, it)| it.into_owned()).unwrap_or_default()
    }
}

type Script = Box<dyn Fn(&ReceivedRequest) -> Response + Send + Sync>;

/// All hosts of the sources.
#[derive(Clone)]
pub(super) struct FakeSources {
    script: Arc<Script>,
    delay: Duration,
    requests: Arc<Mutex<Vec<ReceivedRequest>>>,
    /// The current and the maximum number of concurrent requests at each host.
    concurrent: Arc<Mutex<HashMap<String, (usize, usize)>>>,
}

impl FakeSources {
    pub(super) fn from_fn(
        script: impl Fn(&ReceivedRequest) -> Response + Send + Sync + 'static,
    ) -> Self {
        Self {
            script: Arc::new(Box::new(script)),
            delay: Duration::ZERO,
            requests: Arc::default(),
            concurrent: Arc::default(),
        }
    }

    /// Returns these responses in order, for any request.
    pub(super) fn in_order(answers: impl IntoIterator<Item = Response>) -> Self {
        let answers = Mutex::new(VecDeque::from_iter(answers));
        Self::from_fn(move |_| locked(&answers).pop_front().unwrap_or_else(unexpected_request))
    }

    pub(super) fn with_delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    pub(super) fn requests(&self) -> Vec<ReceivedRequest> {
        locked(&self.requests).clone()
    }

    /// Maximum number of concurrent requests at one host.
    pub(super) fn max_concurrent_requests(&self) -> usize {
        locked(&self.concurrent).values().map(|(_, max)| *max).max().unwrap_or_default()
    }

    pub(super) fn fetcher(&self) -> Fetcher {
        Fetcher::with_service(settings(), self.router())
    }

    pub(super) fn router(&self) -> Router {
        Router::new().fallback(answer).with_state(self.clone())
    }
}

async fn answer(State(fake_sources): State<FakeSources>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.expect("a body");
    // For a request over a connection, the host is a header.
    let host = head.headers.get("host").map(|it| it.to_str().expect("text"));
    let address = match head.uri.scheme() {
        Some(_) => head.uri.to_string(),
        None => format!("https://{}{}", host.expect("a host"), head.uri),
    };
    let request = ReceivedRequest {
        address: address.parse().expect("an address"),
        headers: head.headers,
        body: String::from_utf8(body.into()).expect("text"),
        at: Instant::now(),
    };
    let host = request.host().to_owned();
    locked(&fake_sources.requests).push(request.clone());
    {
        let mut concurrent = locked(&fake_sources.concurrent);
        let (now, max) = concurrent.entry(host.clone()).or_default();
        *now += 1;
        *max = (*max).max(*now);
    }
    sleep(fake_sources.delay).await;
    if let Some((now, _)) = locked(&fake_sources.concurrent).get_mut(&host) {
        *now -= 1;
    }
    (fake_sources.script)(&request)
}

/// All settings of an operator.
pub(super) fn settings() -> Settings {
    Settings {
        contact: Some("mailto:post@gotthard.example".into()),
        zefix: Some(RegisterAccount::Given(Account {
            user: "muster".into(),
            password: Secret::new("geheim".into()),
        })),
        feeds: vec!["https://bote.example/rss".into(), "https://json.example/feed".into()],
        reports: vec!["https://berichte.example/2025.csv".into()],
        ..Settings::default()
    }
}

/// Fetches these pages and all following pages.
pub(super) async fn fetch_all(fetcher: &Fetcher, pages: Vec<Page>) -> Vec<Fetched> {
    let mut open = VecDeque::from(pages);
    let mut all = Vec::new();
    while let Some(page) = open.pop_front() {
        let fetched = fetcher.fetch(&page).await.expect("fetched");
        open.extend(fetched.next.iter().cloned());
        all.push(fetched);
        assert!(all.len() < 100, "more than 100 pages");
    }
    all
}

/// A response without a body.
pub(super) fn status(code: u16) -> Response {
    StatusCode::from_u16(code).expect("a status").into_response()
}

pub(super) fn unexpected_request() -> Response {
    status(418)
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("not poisoned")
}
