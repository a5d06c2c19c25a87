//! A receiver of webhooks on this machine.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use auth::Secret;
use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::{net::TcpListener, task::JoinHandle};

use super::CHALLENGE;

/// Maximum time to wait for a request.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Records what it receives, and returns challenges while it answers 200. Stops when it is dropped.
pub(super) struct Receiver {
    port: u16,
    state: Shared,
    server: JoinHandle<()>,
}

type Shared = Arc<Mutex<Received>>;

#[derive(Default)]
struct Received {
    requests: Vec<Delivered>,
    challenges: Vec<Delivered>,
    answer: Answer,
}

#[derive(Clone, Copy, Default)]
enum Answer {
    #[default]
    Ok,
    Status(StatusCode),
    LargeBody,
    /// Returns another challenge than it got.
    WrongChallenge,
    /// Returns the challenge as JSON.
    Json,
    Never,
}

/// A request that was received.
#[derive(Clone, Debug)]
pub(super) struct Delivered {
    headers: HeaderMap,
    text: String,
    pub(super) body: Value,
}

impl Receiver {
    pub(super) async fn start() -> Self {
        let state = Shared::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let router = Router::new().fallback(receive).with_state(state.clone());
        let server = tokio::spawn(async move {
            axum::serve(listener, router).await.expect("served");
        });
        Self { port, state, server }
    }

    /// Its address, with a part that is secret.
    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook?token=secret", self.port)
    }

    pub(super) fn answers(&self, status: StatusCode) {
        self.set(match status {
            StatusCode::OK => Answer::Ok,
            other => Answer::Status(other),
        });
    }

    pub(super) fn answers_with_a_large_body(&self) {
        self.set(Answer::LargeBody);
    }

    pub(super) fn answers_challenges_wrongly(&self) {
        self.set(Answer::WrongChallenge);
    }

    pub(super) fn answers_challenges_as_json(&self) {
        self.set(Answer::Json);
    }

    pub(super) fn never_answers(&self) {
        self.set(Answer::Never);
    }

    fn set(&self, answer: Answer) {
        self.state.lock().expect("not poisoned").answer = answer;
    }

    /// Refuses connections from now on.
    pub(super) fn stop(&self) {
        self.server.abort();
    }

    pub(super) fn requests(&self) -> Vec<Delivered> {
        self.state.lock().expect("not poisoned").requests.clone()
    }

    /// The requests to prove itself.
    pub(super) fn challenges(&self) -> Vec<Delivered> {
        self.state.lock().expect("not poisoned").challenges.clone()
    }

    /// The numbers in the new purposes that were received.
    pub(super) fn purposes(&self) -> Vec<u64> {
        let number = |it: &Delivered| {
            let value = it.body["data"]["newValue"].as_str().expect("a purpose");
            value.trim_start_matches("Handel ").parse().expect("a number")
        };
        self.requests().iter().map(number).collect()
    }

    /// The requests, as soon as there are this many.
    pub(super) async fn wait_for(&self, number: usize) -> Vec<Delivered> {
        let started = tokio::time::Instant::now();
        while self.requests().len() < number {
            assert!(started.elapsed() < TIMEOUT, "{} requests", self.requests().len());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.requests()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn receive(State(state): State<Shared>, request: Request) -> Response {
    assert_eq!(request.method(), "POST");
    assert_eq!(request.uri().to_string(), "/hook?token=secret");
    let (head, body) = request.into_parts();
    let bytes = body.collect().await.expect("a body").to_bytes();
    let text = String::from_utf8(bytes.to_vec()).expect("text");
    let body: Value = serde_json::from_str(&text).expect("json");
    let challenge = body["data"]["challenge"].as_str().unwrap_or_default().to_owned();
    let answer = {
        let mut state = state.lock().expect("not poisoned");
        let received = match body["type"] == CHALLENGE {
            true => &mut state.challenges,
            false => &mut state.requests,
        };
        received.push(Delivered { headers: head.headers, text, body });
        state.answer
    };
    match answer {
        Answer::Ok => challenge.into_response(),
        Answer::Json => axum::Json(json!({ "challenge": challenge })).into_response(),
        Answer::WrongChallenge => format!("not {challenge}").into_response(),
        Answer::Status(status) => (status, [(header::LOCATION, "/elsewhere")]).into_response(),
        Answer::LargeBody => Body::from(vec![b'x'; 70_000]).into_response(),
        Answer::Never => std::future::pending().await,
    }
}

impl Delivered {
    pub(super) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).unwrap_or_else(|| panic!("no {name}: {self:?}"));
        value.to_str().expect("text")
    }

    fn signed(&self) -> String {
        let (id, timestamp) = (self.header("webhook-id"), self.header("webhook-timestamp"));
        format!("{id}.{timestamp}.{}", self.text)
    }

    /// The signature that a receiver with this secret computes.
    pub(super) fn v1_signature(&self, secret: &str) -> String {
        let key = secret.strip_prefix("whsec_").expect("whsec_");
        let key = Secret::new(key.to_owned());
        let key = BASE64_STANDARD.decode(key.expose()).expect("base64");
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key of any length");
        mac.update(self.signed().as_bytes());
        format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
    }

    /// Verifies the signature as a receiver with this public key does.
    pub(super) fn verify_v1a(&self, public_key: &str) {
        let url_safe = |base64: &str| {
            let bytes = BASE64_STANDARD.decode(base64).expect("base64");
            base64::prelude::BASE64_URL_SAFE_NO_PAD.encode(bytes)
        };
        let key = url_safe(public_key.strip_prefix("whpk_").expect("whpk_"));
        let signature = self.header("webhook-signature").strip_prefix("v1a,").expect("v1a,");
        let key = jsonwebtoken::DecodingKey::from_ed_components(&key).expect("a key");
        let verified = jsonwebtoken::crypto::verify(
            &url_safe(signature),
            self.signed().as_bytes(),
            &key,
            jsonwebtoken::Algorithm::EdDSA,
        );
        assert_eq!(verified.ok(), Some(true));
    }
}
