//! AWS JSON 1.0: a header names the operation, the body has its parameters.

use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::sqs::{error::Refusal, state::Queues};

/// A request may be larger than its messages: JSON escapes some characters with six bytes.
const MAX_BODY: usize = 8 * 1024 * 1024;

/// The header by which clients say to which chain of requests a request belongs.
const TRACE_HEADER: &str = "x-amzn-trace-id";

/// The HTTP service of these queues.
pub fn router(queues: Queues) -> Router {
    // Old SDKs post to the URL of the queue, new ones to the root.
    Router::new().fallback(answer).layer(DefaultBodyLimit::max(MAX_BODY)).with_state(queues)
}

async fn answer(State(queues): State<Queues>, headers: HeaderMap, body: Bytes) -> Response {
    let text = |name| headers.get(name).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let operation = text("x-amz-target").strip_prefix("AmazonSQS.").unwrap_or_default();
    let origin = format!("http://{}", text(header::HOST.as_str()));
    let kind = (header::CONTENT_TYPE, "application/x-amz-json-1.0");
    let trace = headers.get(TRACE_HEADER).and_then(|it| it.to_str().ok());
    match carry_out(&queues, &origin, operation, trace, &body).await {
        Ok(Value::Null) => ([kind], "{}").into_response(),
        Ok(value) => ([kind], value.to_string()).into_response(),
        Err(refusal) => {
            let body = json!({ "__type": refusal.kind(), "message": refusal.message() });
            let code = ("x-amzn-query-error", format!("{};Sender", refusal.code()));
            (StatusCode::BAD_REQUEST, [kind], [code], body.to_string()).into_response()
        }
    }
}

async fn carry_out(
    queues: &Queues,
    origin: &str,
    operation: &str,
    trace: Option<&str>,
    body: &[u8],
) -> Result<Value, Refusal> {
    match operation {
        "CreateQueue" => queues.create_queue(origin, read(body)?),
        "GetQueueAttributes" => queues.queue_attributes(read(body)?),

        "ChangeMessageVisibility" => queues.change_visibility(read(body)?),
        "DeleteMessage" => queues.delete_message(read(body)?),
        "ReceiveMessage" => queues.receive(read(body)?).await,
        "SendMessage" => queues.send(read(body)?, trace),
        "SendMessageBatch" => queues.send_batch(read(body)?, trace),
        _ => {
            let message = format!("The action {operation} is not valid for this endpoint.");
            Err(Refusal::new("UnknownOperationException", message))
        }
    }
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|it| Refusal::new("SerializationException", it.to_string()))
}
