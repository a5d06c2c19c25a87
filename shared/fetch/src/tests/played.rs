//! The sources, played: whatever is asked at their addresses is answered from a script.

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

use crate::{Account, Fetched, Fetcher, Settings};

/// A request as it arrived.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) address: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: String,
    pub(super) at: Instant,
}

impl Asked {
    pub(super) fn host(&self) -> &str {
        self.address.host_str().expect("a host")
    }

    /// A parameter of the query, or nothing.
    pub(super) fn parameter(&self, name: &str) -> String {
        let mut all = self.address.query_pairs();
        all.find(|(it, _)| it == name).map(|(_, it)| it.into_owned()).unwrap_or_default()
    }
}

type Script = Box<dyn Fn(&Asked) -> Response + Send + Sync>;

/// All hosts there are.
#[derive(Clone)]
pub(super) struct Played {
    script: Arc<Script>,
    takes: Duration,
    asked: Arc<Mutex<Vec<Asked>>>,
    /// How many requests are under way at each host, and the most there ever were.
    under_way: Arc<Mutex<HashMap<String, (usize, usize)>>>,
}

impl Played {
    pub(super) fn by(script: impl Fn(&Asked) -> Response + Send + Sync + 'static) -> Self {
        Self {
            script: Arc::new(Box::new(script)),
            takes: Duration::ZERO,
            asked: Arc::default(),
            under_way: Arc::default(),
        }
    }

    /// Answers one thing after another, whatever is asked.
    pub(super) fn in_order(answers: impl IntoIterator<Item = Response>) -> Self {
        let answers = Mutex::new(VecDeque::from_iter(answers));
        Self::by(move |_| locked(&answers).pop_front().unwrap_or_else(not_played))
    }

    pub(super) fn taking(mut self, takes: Duration) -> Self {
        self.takes = takes;
        self
    }

    pub(super) fn asked(&self) -> Vec<Asked> {
        locked(&self.asked).clone()
    }

    /// The most requests that one host had at the same time.
    pub(super) fn most_at_a_time(&self) -> usize {
        locked(&self.under_way).values().map(|(_, most)| *most).max().unwrap_or_default()
    }

    pub(super) fn fetcher(&self) -> Fetcher {
        Fetcher::over(settings(), self.router())
    }

    pub(super) fn router(&self) -> Router {
        Router::new().fallback(answer).with_state(self.clone())
    }
}

async fn answer(State(played): State<Played>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.expect("a body");
    // Where it came over a connection, the host is a header.
    let host = head.headers.get("host").map(|it| it.to_str().expect("text"));
    let address = match head.uri.scheme() {
        Some(_) => head.uri.to_string(),
        None => format!("https://{}{}", host.expect("a host"), head.uri),
    };
    let asked = Asked {
        address: address.parse().expect("an address"),
        headers: head.headers,
        body: String::from_utf8(body.into()).expect("text"),
        at: Instant::now(),
    };
    let host = asked.host().to_owned();
    locked(&played.asked).push(asked.clone());
    {
        let mut under_way = locked(&played.under_way);
        let (now, most) = under_way.entry(host.clone()).or_default();
        *now += 1;
        *most = (*most).max(*now);
    }
    sleep(played.takes).await;
    if let Some((now, _)) = locked(&played.under_way).get_mut(&host) {
        *now -= 1;
    }
    (played.script)(&asked)
}

/// Everything that an operator can bring.
pub(super) fn settings() -> Settings {
    Settings {
        contact: Some("mailto:post@gotthard.example".into()),
        zefix: Some(Account { user: "muster".into(), password: Secret::new("geheim".into()) }),
        feeds: vec!["https://bote.example/rss".into(), "https://json.example/feed".into()],
        reports: vec!["https://berichte.example/2025.csv".into()],
        ..Settings::default()
    }
}

/// Fetches these pages and all that they lead to.
pub(super) async fn to_the_end(fetcher: &Fetcher, pages: Vec<Page>) -> Vec<Fetched> {
    let mut open = VecDeque::from(pages);
    let mut all = Vec::new();
    while let Some(page) = open.pop_front() {
        let fetched = fetcher.fetch(&page).await.expect("fetched");
        open.extend(fetched.next.iter().cloned());
        all.push(fetched);
        assert!(all.len() < 100, "it never ends");
    }
    all
}

/// An answer without a body.
pub(super) fn status(code: u16) -> Response {
    StatusCode::from_u16(code).expect("a status").into_response()
}

pub(super) fn not_played() -> Response {
    status(418)
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("not poisoned")
}
