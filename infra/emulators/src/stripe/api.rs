//! The HTTP API.

use std::sync::{Arc, Mutex, PoisonError};

use axum::{
    Json, Router,
    extract::{Path, State},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use http::{HeaderMap, StatusCode, header};
use serde_json::{Value, json};
use url::form_urlencoded;
use uuid::Uuid;

use crate::stripe::{API_KEY, Account, Form};

type Shared = Arc<Mutex<Account>>;

/// The members of each form. Stripe refuses others.
const CUSTOMER: &[&str] = &["name", "email", "metadata[team]"];
const CHECKOUT: &[&str] = &[
    "mode",
    "customer",
    "client_reference_id",
    "line_items[0][price]",
    "line_items[0][quantity]",
    "subscription_data[metadata][team]",
    "success_url",
    "cancel_url",
];
const PORTAL: &[&str] = &["customer", "return_url"];
const KNOWN_PRICES: [&str; 5] = [
    "price_starter",
    "price_starter_yearly",
    "price_professional",
    "price_enterprise",
    "price_unknown",
];

pub(crate) fn router(account: Shared) -> Router {
    Router::new()
        .route("/v1/customers", post(create_customer))
        .route("/v1/checkout/sessions", post(create_checkout))
        .route("/v1/billing_portal/sessions", post(create_portal))
        .route("/v1/subscriptions/{id}", get(subscription))
        .with_state(account)
}

/// An error.
struct Refusal {
    status: StatusCode,
    kind: &'static str,
    code: &'static str,
    param: String,
}

fn refusal(status: StatusCode, kind: &'static str, code: &'static str, param: &str) -> Refusal {
    Refusal { status, kind, code, param: param.to_owned() }
}

fn invalid(code: &'static str, param: &str) -> Refusal {
    refusal(StatusCode::BAD_REQUEST, "invalid_request_error", code, param)
}

/// In the form of Stripe.
impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Self { status, kind, code, param } = self;
        let error = json!({ "error": {
            "type": kind,
            "code": code,
            "param": param,
            "message": format!("a text that may repeat what was sent: {API_KEY}"),
        } });
        (status, [("request-id", "req_emulator")], Json(error)).into_response()
    }
}

/// What every request needs.
fn check(account: &mut Account, headers: &HeaderMap) -> Result<(), Refusal> {
    account.requests += 1;
    if let Some(status) = account.failures.pop_front() {
        return Err(refusal(status, "api_error", "", ""));
    }
    let value = |name: &str| headers.get(name).and_then(|it| it.to_str().ok()).unwrap_or_default();
    if value("authorization") != format!("Bearer {API_KEY}") {
        return Err(refusal(StatusCode::UNAUTHORIZED, "invalid_request_error", "", ""));
    }
    if value("stripe-version") != billing::VERSION {
        return Err(invalid("invalid_version", "Stripe-Version"));
    }
    Ok(())
}

/// Creates something once for each idempotency key.
fn create(
    account: &Shared,
    headers: &HeaderMap,
    body: &str,
    members: &[&str],
    create: impl FnOnce(&mut Account, Form) -> Result<Value, Refusal>,
) -> Result<Json<Value>, Refusal> {
    let mut account = account.lock().unwrap_or_else(PoisonError::into_inner);
    check(&mut account, headers)?;
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    if media_type != Some("application/x-www-form-urlencoded") {
        return Err(invalid("", "Content-Type"));
    }
    let key = headers.get("idempotency-key").and_then(|it| it.to_str().ok()).unwrap_or_default();
    if key.is_empty() || key.len() > 255 {
        return Err(invalid("", "Idempotency-Key"));
    }
    match account.answered.get(key) {
        Some((earlier, answer)) if earlier == body => return Ok(Json(answer.clone())),
        Some(_) => return Err(refusal(StatusCode::BAD_REQUEST, "idempotency_error", "", "")),
        None => {}
    }
    let form: Form = form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    if let Some(unknown) = form.keys().find(|it| !members.contains(&it.as_str())) {
        return Err(invalid("parameter_unknown", unknown));
    }
    if let Some(missing) = members.iter().find(|it| form.get(**it).is_none_or(String::is_empty)) {
        return Err(invalid("parameter_missing", missing));
    }
    let answer = create(&mut account, form)?;
    account.answered.insert(key.to_owned(), (body.to_owned(), answer.clone()));
    Ok(Json(answer))
}

fn new_id(kind: &str) -> String {
    format!("{kind}_{}", Uuid::new_v4().simple())
}

async fn create_customer(
    State(account): State<Shared>,
    headers: HeaderMap,
    body: String,
) -> Result<Json<Value>, Refusal> {
    create(&account, &headers, &body, CUSTOMER, |account, form| {
        let id = new_id("cus");
        account.customers.insert(id.clone(), form);
        Ok(json!({ "id": id, "object": "customer" }))
    })
}

fn known_customer(account: &Account, form: &Form) -> Result<(), Refusal> {
    let is_known = form.get("customer").is_some_and(|it| account.customers.contains_key(it));
    is_known.then_some(()).ok_or_else(|| invalid("resource_missing", "customer"))
}

async fn create_checkout(
    State(account): State<Shared>,
    headers: HeaderMap,
    body: String,
) -> Result<Json<Value>, Refusal> {
    create(&account, &headers, &body, CHECKOUT, |account, form| {
        known_customer(account, &form)?;
        let price = form.get("line_items[0][price]").map(String::as_str).unwrap_or_default();
        if !KNOWN_PRICES.contains(&price) {
            return Err(invalid("resource_missing", "line_items[0][price]"));
        }
        let id = new_id("cs");
        let url = format!("https://checkout.stripe.com/c/pay/{id}");
        account.sessions.push((id.clone(), form));
        Ok(json!({ "id": id, "object": "checkout.session", "url": url }))
    })
}

async fn create_portal(
    State(account): State<Shared>,
    headers: HeaderMap,
    body: String,
) -> Result<Json<Value>, Refusal> {
    create(&account, &headers, &body, PORTAL, |account, form| {
        known_customer(account, &form)?;
        let id = new_id("bps");
        let url = format!("https://billing.stripe.com/p/session/{id}");
        account.sessions.push((id.clone(), form));
        Ok(json!({ "id": id, "object": "billing_portal.session", "url": url }))
    })
}

async fn subscription(
    State(account): State<Shared>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    let mut account = account.lock().unwrap_or_else(PoisonError::into_inner);
    check(&mut account, &headers)?;
    let subscription = account.subscriptions.get(&id).cloned();
    let missing =
        || refusal(StatusCode::NOT_FOUND, "invalid_request_error", "resource_missing", "id");
    subscription.map(Json).ok_or_else(missing)
}
