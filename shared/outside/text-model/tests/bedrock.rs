//! The client of Amazon Bedrock against an endpoint on this machine, which is written from the reference of Converse:
//! <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html>. No request reaches AWS.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use aws::SdkConfig;
use axum::{
    Json, Router,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::post,
};
use serde_json::{Value, json};
use text_model::{Assignment, Bedrock, Failure, TextModel, client};

/// What the endpoint answers to each request, in order; the last answer is repeated.
#[derive(Clone)]
enum Scripted {
    Answer(Value),
    Error(u16, &'static str),
    Garbage,
    Silence,
}

#[derive(Clone, Default)]
struct Endpoint {
    script: Arc<Mutex<Vec<Scripted>>>,
    requests: Arc<Mutex<Vec<(String, HeaderMap, Value)>>>,
}

async fn converse(
    State(endpoint): State<Endpoint>,
    Path(model): Path<String>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    endpoint.requests.lock().expect("not poisoned").push((model, headers, body));
    let next = {
        let mut script = endpoint.script.lock().expect("not poisoned");
        if script.len() > 1 { script.remove(0) } else { script[0].clone() }
    };
    match next {
        Scripted::Answer(body) => Json(body).into_response(),
        Scripted::Error(status, kind) => {
            let status = StatusCode::from_u16(status).expect("a status");
            let body = Json(json!({ "message": "a fault of the test" }));
            (status, [("x-amzn-errortype", kind)], body).into_response()
        }
        Scripted::Garbage => (StatusCode::OK, "<html>").into_response(),
        Scripted::Silence => {
            tokio::time::sleep(Duration::from_secs(60)).await;
            StatusCode::OK.into_response()
        }
    }
}

/// An answer as the reference describes it.
fn answer(stop_reason: &str, content: Value) -> Scripted {
    Scripted::Answer(json!({
        "output": { "message": { "role": "assistant", "content": content } },
        "stopReason": stop_reason,
        "usage": { "inputTokens": 30, "outputTokens": 12, "totalTokens": 42 },
        "metrics": { "latencyMs": 5 },
    }))
}

/// A model at a new endpoint that answers so.
async fn model(script: Vec<Scripted>) -> (TextModel, Endpoint) {
    let endpoint = Endpoint { script: Arc::new(Mutex::new(script)), ..Endpoint::default() };
    let router =
        Router::new().route("/model/{id}/converse", post(converse)).with_state(endpoint.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    let base: SdkConfig = aws::load().await;
    let config = base
        .into_builder()
        .endpoint_url(format!("http://{address}"))
        .region(aws_region())
        .credentials_provider(credentials())
        .build();
    let bedrock = Bedrock::new(client(&config), "example.model-v1:0");
    (TextModel::Bedrock(bedrock), endpoint)
}

fn aws_region() -> aws_sdk_bedrockruntime::config::Region {
    aws_sdk_bedrockruntime::config::Region::new("eu-central-2")
}

fn credentials() -> aws_sdk_bedrockruntime::config::SharedCredentialsProvider {
    let credentials =
        aws_sdk_bedrockruntime::config::Credentials::new("test", "test", None, None, "test");
    aws_sdk_bedrockruntime::config::SharedCredentialsProvider::new(credentials)
}

fn assignment() -> Assignment {
    Assignment {
        instructions: "Write.".to_owned(),
        input: "{\"rows\":[]}".to_owned(),
        composed: "composed".to_owned(),
    }
}

async fn write(script: Vec<Scripted>) -> (Result<String, Failure>, Endpoint) {
    let (model, endpoint) = model(script).await;
    (model.write(&assignment(), Duration::from_secs(20)).await, endpoint)
}

#[tokio::test]
async fn instructions_and_facts_are_sent_apart_and_the_text_is_returned() {
    let content = json!([
        { "reasoningContent": { "reasoningText": { "text": "hidden" } } },
        { "text": "One." },
        { "text": " Two." },
    ]);
    let (text, endpoint) = write(vec![answer("end_turn", content)]).await;
    assert_eq!(text, Ok("One. Two.".to_owned()));
    let requests = endpoint.requests.lock().expect("not poisoned");
    let (model, headers, body) = &requests[0];
    assert_eq!(model, "example.model-v1:0");
    assert!(headers["authorization"].to_str().is_ok_and(|it| it.starts_with("AWS4-HMAC-SHA256")));
    assert_eq!(body["system"], json!([{ "text": "Write." }]));
    assert_eq!(
        body["messages"],
        json!([{ "role": "user", "content": [{ "text": "{\"rows\":[]}" }] }])
    );
    assert_eq!(body["inferenceConfig"], json!({ "maxTokens": 8192, "temperature": 0.0 }));
}

#[tokio::test]
async fn answers_that_are_cut_off_empty_filtered_or_of_another_kind_are_no_texts() {
    let text = || json!([{ "text": "Half a sent" }]);
    for (script, failure) in [
        (answer("max_tokens", text()), Failure::CutOff),
        (answer("content_filtered", text()), Failure::Refused),
        (answer("guardrail_intervened", text()), Failure::Refused),
        (answer("model_context_window_exceeded", text()), Failure::Malformed),
        (answer("end_turn", json!([])), Failure::Empty),
        (answer("end_turn", json!([{ "text": " \n" }])), Failure::Empty),
        (Scripted::Answer(json!({ "stopReason": "end_turn" })), Failure::Empty),
        (
            answer(
                "end_turn",
                json!([{ "toolUse": { "toolUseId": "a", "name": "b", "input": {} } }]),
            ),
            Failure::Malformed,
        ),
        (answer("end_turn", json!([{ "text": "a".repeat(500_000) }])), Failure::Malformed),
        (Scripted::Garbage, Failure::Unavailable),
    ] {
        assert_eq!(write(vec![script]).await.0, Err(failure));
    }
}

#[tokio::test]
async fn throttling_is_retried_and_other_refusals_are_not() {
    let throttled = || Scripted::Error(429, "ThrottlingException");
    let written = answer("end_turn", json!([{ "text": "Written." }]));
    let (text, endpoint) = write(vec![throttled(), throttled(), written]).await;
    assert_eq!(text, Ok("Written.".to_owned()));
    assert_eq!(endpoint.requests.lock().expect("not poisoned").len(), 3);
    for (status, kind, failure) in [
        (400, "ValidationException", Failure::Refused),
        (403, "AccessDeniedException", Failure::Refused),
        (404, "ResourceNotFoundException", Failure::Refused),
    ] {
        let (text, endpoint) = write(vec![Scripted::Error(status, kind)]).await;
        assert_eq!(text, Err(failure), "{kind}");
        assert_eq!(endpoint.requests.lock().expect("not poisoned").len(), 1, "{kind}");
    }
}

#[tokio::test]
async fn a_model_that_does_not_answer_ends_at_the_time_limit() {
    for script in [vec![Scripted::Silence], vec![Scripted::Error(429, "ThrottlingException")]] {
        let (model, _) = model(script).await;
        let started = Instant::now();
        let text = model.write(&assignment(), Duration::from_millis(700)).await;
        assert_eq!(text, Err(Failure::TooSlow));
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    }
}

#[tokio::test]
async fn the_writer_that_is_built_in_needs_no_network() {
    let text = TextModel::Embedded.write(&assignment(), Duration::ZERO).await;
    assert_eq!((text, TextModel::Embedded.name()), (Ok("composed".to_owned()), "extractive-1"));
}
