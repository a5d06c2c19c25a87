//! The audit log: every operation that changes something, of teams whose tier includes the log.
//!
//! An entry is stored before the handler runs; if that fails, the request is refused with 503 and nothing is changed. So
//! there is no change without an entry, even if the process ends. The outcome is a second item. If it cannot be stored,
//! the entry remains without an outcome, and an error is logged that raises an alarm.
//!
//! Not recorded: requests that are refused before the handler (they change nothing), repeated requests with the same
//! `Idempotency-Key`, and requests with test keys, which only change the sandbox.

use std::net::IpAddr;

use access::{Environment, Tier};
use auth::Caller;
use axum::{
    body::Body,
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use http_body_util::BodyExt;
use jiff::Timestamp;
use problem_details::{Problem, SERVICE_UNAVAILABLE};
use serde::Deserialize;
use store::TeamKey;
use teams::{AuditActor, AuditEntry, AuditOutcome, Audited, audit_target};
use uuid::{NoContext, Uuid};

use crate::{ClientAddress, Middleware, Operation};

/// The id of a request, an extension of the request.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(pub(crate) String);

/// The handler of an operation, which records what it does.
pub(crate) struct Recording<'a> {
    pub(crate) middleware: &'a Middleware,
    pub(crate) operation: &'a Operation,
    pub(crate) next: Next,
}

impl Recording<'_> {
    /// Runs the handler.
    pub(crate) async fn run(self, mut request: Request) -> Response {
        let Self { middleware, operation, next } = self;
        if !operation.is_audited {
            return next.run(request).await;
        }
        let context = AuditContext::of(operation, &request, middleware.clock.now());
        let caller = request.extensions().get::<Caller>().filter(|it| has_log(it));
        let recorded = caller.map(|it| (TeamKey::of(it), context.by(AuditActor::caller(it))));
        if let Some((team, entry)) = &recorded
            && let Err(failure) = Box::pin(middleware.tenants.record(team, entry)).await
        {
            failed(&failure, entry, None);
            let detail = "the audit log cannot be written at the moment, so nothing was changed; try again later";
            return Problem::new(&SERVICE_UNAVAILABLE, detail).into_response();
        }
        request.extensions_mut().insert(context);
        let response = next.run(request).await;
        let Some((team, entry)) = recorded else { return response };
        let (response, outcome) = outcome(response).await;
        let stored = middleware.tenants.record_outcome(&team, &entry, outcome);
        if let Err(failure) = Box::pin(stored).await {
            failed(&failure, &entry, Some(outcome));
        }
        response
    }
}

/// Whether what the caller does is recorded.
fn has_log(caller: &Caller) -> bool {
    caller.tier() >= Tier::Enterprise && caller.environment() == Environment::Live
}

/// What a request does, an extension of the request. Handlers that act in a team other than the caller's (a sign-in, joining
/// a team, a payment) write its entry themselves, before their changes or with them.
#[derive(Clone, Debug)]
pub struct AuditContext {
    at: Timestamp,
    action: &'static str,
    target: String,
    client_address: IpAddr,
    request_id: String,
}

impl AuditContext {
    fn of(operation: &Operation, request: &Request, now: Timestamp) -> Self {
        let request_id = request.extensions().get::<RequestId>();
        Self {
            at: now,
            action: operation.id,
            target: audit_target(&operation.path, request.uri().path()),
            client_address: ClientAddress::of(request.extensions()).0,
            request_id: request_id.map(|it| it.0.clone()).unwrap_or_default(),
        }
    }

    /// The entry about it, if this is who does it.
    pub fn by(&self, actor: AuditActor) -> AuditEntry {
        AuditEntry {
            id: id_at(self.at),
            created_at: self.at,
            actor,
            action: self.action.to_owned(),
            target: self.target.clone(),
            client_address: self.client_address,
            request_id: self.request_id.clone(),
        }
    }

    /// The entry about it with its outcome, if this is who does it, and it succeeds.
    pub fn succeeded(&self, actor: AuditActor) -> Audited {
        let outcome = AuditOutcome { status: StatusCode::OK.as_u16(), created_id: None };
        Audited { entry: self.by(actor), outcome }
    }
}

/// A UUIDv7 with this time.
fn id_at(now: Timestamp) -> Uuid {
    let seconds = u64::try_from(now.as_second()).unwrap_or_default();
    let nanoseconds = u32::try_from(now.subsec_nanosecond()).unwrap_or_default();
    Uuid::new_v7(uuid::Timestamp::from_unix(NoContext, seconds, nanoseconds))
}

/// The answer about a resource that was created.
#[derive(Deserialize)]
struct Created {
    id: Uuid,
}

/// The response, and what the log says about it.
async fn outcome(response: Response) -> (Response, AuditOutcome) {
    let status = response.status();
    if status != StatusCode::CREATED {
        return (response, AuditOutcome { status: status.as_u16(), created_id: None });
    }
    let (parts, body) = response.into_parts();
    let body = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let created = serde_json::from_slice::<Created>(&body).ok();
    let outcome = AuditOutcome { status: status.as_u16(), created_id: created.map(|it| it.id) };
    (Response::from_parts(parts, Body::from(body)), outcome)
}

/// Logs what is missing in the audit log, so that it is not lost. Without the client's address, which no log contains.
fn failed(failure: &store::Error, entry: &AuditEntry, outcome: Option<AuditOutcome>) {
    tracing::error!(
        metric = "AuditFailure",
        failure = errors::chain(failure),
        audit_request = entry.request_id,
        action = entry.action,
        target_path = entry.target,
        actor = entry.actor.id,
        status = outcome.map(|it| it.status),
        "the audit log could not be written"
    );
}
