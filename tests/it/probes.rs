//! Operations for tests: one in each rate group that no real operation uses yet, and handlers that fail.

use access::{RateGroup, Tier};
use axum::Json;
use http_service::{Api, Routes, handler, reads, writes};
use problem_details::Problem;
use serde_json::{Value, json};

/// The probes, under `/v1/probe/`.
pub fn api() -> Api {
    Routes::new()
        .route(reads(1).counted_in(RateGroup::AnalyticsRead), handler!(analytics))
        .route(reads(1).counted_in(RateGroup::MethodologyRead), handler!(methodology))
        .route(reads(1).counted_in(RateGroup::ExpensiveAi), handler!(generating))
        .route(reads(1).counted_in(RateGroup::Bulk).from_tier(Tier::Enterprise), handler!(bulk))
        .route(reads(1), handler!(panicking))
        .route(reads(1), handler!(failing))
        .route(writes(1), handler!(counting))
        .into_api("probe", RateGroup::SearchRead, ())
}

#[utoipa::path(get, path = "/v1/probe/analytics", responses((status = OK)))]
async fn analytics() -> Json<Value> {
    Json(json!({}))
}

#[utoipa::path(get, path = "/v1/probe/methodology", responses((status = OK)))]
async fn methodology() -> Json<Value> {
    Json(json!({}))
}

#[utoipa::path(get, path = "/v1/probe/generating", responses((status = OK)))]
async fn generating() -> Json<Value> {
    Json(json!({}))
}

#[utoipa::path(get, path = "/v1/probe/bulk", responses((status = OK)))]
async fn bulk() -> Json<Value> {
    Json(json!({}))
}

#[utoipa::path(get, path = "/v1/probe/panicking", responses((status = OK)))]
async fn panicking() -> Json<Value> {
    panic!("the handler's own secret reason");
}

#[utoipa::path(get, path = "/v1/probe/failing", responses((status = OK)))]
async fn failing() -> Result<Json<Value>, Problem> {
    Err(std::io::Error::other("the handler's own secret reason"))?
}

/// Number of times that [`counting`] ran with each body. Replaying a request must not change it.
static RUNS: std::sync::LazyLock<std::sync::Mutex<std::collections::HashMap<String, u32>>> =
    std::sync::LazyLock::new(Default::default);

/// Returns how often it ran with this body. `{"slow": true}` takes one second, `{"refuse": true}` is refused.
#[utoipa::path(post, path = "/v1/probe/counting", responses((status = OK)))]
async fn counting(
    http_service::Json(body): http_service::Json<Value>,
) -> Result<Json<Value>, Problem> {
    let runs = {
        let mut runs = RUNS.lock().expect("not poisoned");
        let runs = runs.entry(body.to_string()).or_default();
        *runs += 1;
        *runs
    };
    if body["refuse"] == true {
        return Err(Problem::invalid("refuse", "on purpose"));
    }
    if body["slow"] == true {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
    Ok(Json(json!({ "runs": runs })))
}
