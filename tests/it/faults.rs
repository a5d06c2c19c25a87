//! A proxy in front of DynamoDB or S3 that injects faults and records requests.

use std::sync::{Arc, Mutex};

use axum::{Router, body::Body, extract::Request, response::Response};
use http::StatusCode;
use http_body_util::BodyExt;
use hyper_util::{client::legacy::Client, rt::TokioExecutor};
use serde_json::{Value, json};

/// A fault of one request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// The request is executed, but the connection breaks before the response arrives.
    LoseAnswer,
    /// The table refuses the request because it is throttled.
    Throttle,
    /// The table cancels the transaction because it is throttled.
    CancelThrottled,
    /// The service is down: internal server error without execution.
    Down,
    /// The request is executed, but the response is an internal server error.
    FailAfterwards,
    /// The last item of a batch is left unprocessed.
    LeaveLastUndone,
}

type Decide = dyn FnMut(&str, &Value) -> Option<Fault> + Send;

/// The proxy.
pub struct Faults {
    pub address: String,
    decide: Arc<Mutex<Box<Decide>>>,
    seen: Arc<Mutex<Vec<String>>>,
    read: Arc<Mutex<u64>>,
}

impl Faults {
    /// A proxy in front of the DynamoDB or S3 at this address. It injects no faults at first.
    pub async fn before(target: &str) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let decide: Arc<Mutex<Box<Decide>>> = Arc::new(Mutex::new(Box::new(|_, _| None)));
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let read: Arc<Mutex<u64>> = Arc::default();
        let (target, deciding, seeing) = (target.to_owned(), decide.clone(), seen.clone());
        let reading = read.clone();
        let client = Client::builder(TokioExecutor::new()).build_http();
        let router = Router::new().fallback(async move |request: Request| {
            let (mut parts, body) = request.into_parts();
            // A client that is killed sends half a request.
            let Ok(body) = body.collect().await else { return Response::default() };
            let bytes = body.to_bytes();
            let is_head = parts.method == http::Method::HEAD;
            let operation = parts.headers.get("x-amz-target").and_then(|it| it.to_str().ok());
            let path = parts.uri.path_and_query().map_or("/", |it| it.as_str()).to_owned();
            // S3 has no operation header, so its path is recorded.
            let operation =
                operation.and_then(|it| it.split('.').nth(1)).unwrap_or(&path).to_owned();
            let json: Value = serde_json::from_slice(&bytes).unwrap_or_default();
            seeing.lock().expect("not poisoned").push(operation.clone());
            let fault = (deciding.lock().expect("not poisoned"))(&operation, &json);
            let (sent, undone) = match fault {
                Some(Fault::Throttle) => {
                    return refusal(400, "ProvisionedThroughputExceededException");
                }
                Some(Fault::CancelThrottled) => return cancellation("ThrottlingError"),
                Some(Fault::Down) => return refusal(500, "InternalServerError"),
                Some(Fault::LeaveLastUndone) => split(json.clone()),
                _ => (None, None),
            };
            let body = sent.map_or(bytes, |it| it.to_string().into());
            parts.uri = format!("{target}{path}").parse().expect("an address");
            parts.headers.remove("content-length");
            let answer = client
                .request(http::Request::from_parts(parts, Body::from(body)))
                .await
                .expect("an answer");
            if fault == Some(Fault::LoseAnswer) {
                return broken();
            }
            if fault == Some(Fault::FailAfterwards) {
                return refusal(500, "InternalServerError");
            }
            let (parts, body) = answer.into_parts();
            let mut bytes = body.collect().await.expect("a body").to_bytes();
            if matches!(operation.as_str(), "GetItem" | "BatchGetItem" | "Query") {
                *reading.lock().expect("not poisoned") += bytes.len() as u64;
            }
            if let Some((member, undone)) = undone {
                let mut answer: Value = serde_json::from_slice(&bytes).expect("json");
                answer[member] = undone;
                bytes = answer.to_string().into();
            }
            let mut response = Response::new(Body::from(bytes));
            *response.status_mut() = parts.status;
            for name in ["content-type", "etag"] {
                if let Some(value) = parts.headers.get(name) {
                    response.headers_mut().insert(name, value.clone());
                }
            }
            // The size of an object, which `HeadObject` asks for.
            if is_head && let Some(size) = parts.headers.get("content-length") {
                response.headers_mut().insert("content-length", size.clone());
            }
            response
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, decide, seen, read }
    }

    /// Sets the function that decides about every further request, given its operation and body.
    pub fn decide(&self, decide: impl FnMut(&str, &Value) -> Option<Fault> + Send + 'static) {
        *self.decide.lock().expect("not poisoned") = Box::new(decide);
    }

    /// Injects a fault into the next request of this operation.
    pub fn once(&self, operation: &'static str, fault: Fault) {
        let mut left = Some(fault);
        self.decide(move |it, _| if it == operation { left.take() } else { None });
    }

    /// The bytes that DynamoDB returned for reads since the last call. No request reads more than it returns, because
    /// only scans have filters.
    pub fn bytes_read(&self) -> u64 {
        std::mem::take(&mut self.read.lock().expect("not poisoned"))
    }

    /// The operations (for S3, the paths) since the last call.
    pub fn seen(&self) -> Vec<String> {
        std::mem::take(&mut self.seen.lock().expect("not poisoned"))
    }
}

fn refusal(status: u16, kind: &str) -> Response {
    failure(status, kind, json!({}))
}

/// The response for a transaction that is cancelled because of its second item.
fn cancellation(code: &str) -> Response {
    let reasons = json!([{ "Code": "None" }, { "Code": code, "Message": "on purpose" }]);
    failure(400, "TransactionCanceledException", json!({ "CancellationReasons": reasons }))
}

fn failure(status: u16, kind: &str, mut body: Value) -> Response {
    body["__type"] = format!("com.amazonaws.dynamodb.v20120810#{kind}").into();
    body["message"] = "on purpose".into();
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = StatusCode::from_u16(status).expect("a status");
    response
        .headers_mut()
        .insert("content-type", "application/x-amz-json-1.0".parse().expect("a header"));
    response
}

/// A response whose body ends unexpectedly.
fn broken() -> Response {
    let error = std::io::Error::other("the connection broke");
    let pieces = futures_util::stream::iter([Err::<bytes::Bytes, _>(error)]);
    let mut response = Response::new(Body::from_stream(pieces));
    response.headers_mut().insert("content-length", "1000".parse().expect("a header"));
    response
}

/// The batch without its last item, and the member of the response that lists it as unprocessed.
fn split(mut batch: Value) -> (Option<Value>, Option<(&'static str, Value)>) {
    let tables = batch["RequestItems"].as_object_mut().expect("a batch");
    let (table, request) = tables.iter_mut().next().expect("a table");
    let table = table.clone();
    let members = request.get("Keys").unwrap_or(request).as_array().map_or(0, Vec::len);
    if members < 2 {
        return (None, None);
    }
    let (member, last) = match request.get_mut("Keys") {
        Some(keys) => {
            let last = keys.as_array_mut().expect("keys").pop();
            ("UnprocessedKeys", json!({ "Keys": [last] }))
        }
        None => {
            let last = request.as_array_mut().expect("writes").pop();
            ("UnprocessedItems", json!([last]))
        }
    };
    (Some(batch), Some((member, json!({ table: last }))))
}
