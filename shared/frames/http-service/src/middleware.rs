//! The steps of a request whose operation is known: authentication, authorization, rate limit, body,
//! idempotency, audit log, handler, `ETag`, refund.

use std::{
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use access::{Allowance, Scope, Tier};
use auth::{AuthMethod, Caller};
use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use problem_details::{FORBIDDEN, Problem, TIER_NOT_UNLOCKED, UNAUTHORIZED};
use store::Subject;
use tracing::{Instrument, instrument::WithSubscriber};

use crate::{
    ClientAddress, Middleware, Operation, ScreeningSubjects,
    audit::Recording,
    conditional::Condition,
    extract::language::AskedLanguage,
    idempotency, labels,
    meter::{Bucket, RateLimitStatus},
    refused_requests, request_body,
};

/// Facts about a request that [`service`](crate::service) writes into the response headers and the log.
#[derive(Clone, Debug)]
pub(crate) struct RequestReport {
    pub(crate) rate_limit: RateLimitStatus,
    /// Id of the caller's team; `None` for anonymous callers.
    pub(crate) team: Option<String>,
    /// Cost of the operation in credits; 0 if the request is not counted.
    pub(crate) cost: u32,
    pub(crate) stages: StageDurations,
}

/// Durations of the stages of a request.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StageDurations {
    /// Authentication.
    pub(crate) caller: Duration,
    /// Counting the request, and its refund.
    pub(crate) meter: Duration,
    /// Reading the body, idempotency, the audit log, the handler, and the `ETag`.
    pub(crate) handler: Duration,
}

/// Measures consecutive stages.
struct Stopwatch(Instant);

impl Stopwatch {
    /// Time since the start or the last call.
    fn lap(&mut self) -> Duration {
        let start = std::mem::replace(&mut self.0, Instant::now());
        self.0.duration_since(start)
    }
}

/// The layer around the handler of one operation.
///
/// It continues even if the client disconnects, so that a started request finishes, a refund is made, and
/// no idempotency key stays locked.
pub(crate) async fn run(
    State((middleware, operation)): State<(Arc<Middleware>, Arc<Operation>)>,
    request: Request,
    next: Next,
) -> Response {
    // Spawning copies the future, so rarely used parts of it are boxed.
    let steps = steps(middleware, operation.clone(), request, next);
    let steps = steps.in_current_span().with_current_subscriber();
    let result = tokio::spawn(steps).await;
    let mut response = result.unwrap_or_else(|failure| Problem::from(failure).into_response());
    response.extensions_mut().insert(operation);
    response
}

async fn steps(
    middleware: Arc<Middleware>,
    operation: Arc<Operation>,
    mut request: Request,
    next: Next,
) -> Response {
    let (now, mut stopwatch) = (middleware.clock.now(), Stopwatch(Instant::now()));
    let ClientAddress(address) = ClientAddress::of(request.extensions());
    let by_address = || Bucket { subject: address.into(), group: operation.group };
    let mut stages = StageDurations::default();

    let caller = middleware.authenticator.caller(request.headers(), address, false, now).await;
    stages.caller = stopwatch.lap();
    let caller = match caller {
        Ok(caller) => caller,
        Err(rejected) => {
            let (problem, network) =
                (rejected.into_problem(operation.group), refused_requests::network_of(address));
            let bucket = by_address();
            let refused = middleware.refuse(problem, &network, &bucket, Tier::Free, now);
            let (problem, rate_limit) = refused.await;
            let report = RequestReport { rate_limit, team: None, cost: 0, stages };
            return with_report(problem, report);
        }
    };
    let team_id = caller.as_ref().map(|it| it.team().to_string());
    let tier = caller.as_ref().map_or(Tier::Free, Caller::tier);
    let bucket = bucket(&operation, caller.as_ref()).unwrap_or_else(by_address);
    let allowance = match authorize(&operation, caller.as_ref(), tier) {
        Ok(allowance) => allowance,
        Err(problem) => {
            let by_network = || refused_requests::network_of(address);
            let by = caller.as_ref().map_or_else(by_network, Subject::of);
            let (problem, rate_limit) = middleware.refuse(problem, &by, &bucket, tier, now).await;
            let report = RequestReport { rate_limit, team: team_id, cost: 0, stages };
            return with_report(problem, report);
        }
    };
    // Authentication may have waited, and a new window may have begun.
    let now = middleware.clock.now();
    let taken = middleware.meter.take(&bucket, tier, allowance, now).await;
    stages.meter = stopwatch.lap();
    let (unit, rate_limit) = match taken {
        Ok(taken) => taken,
        Err((problem, rate_limit)) => {
            let report = RequestReport { rate_limit, team: team_id, cost: 0, stages };
            return with_report(problem, report);
        }
    };
    let cost = operation.credits;
    let mut report = RequestReport { rate_limit, team: team_id, cost, stages };
    // Counted before, because it reads what is stored.
    let changes = operation.scope != Scope::Read || operation.screens;
    let headers = changes.then(|| request.headers().clone());
    let caller = match fresh(&middleware, &operation, (headers, address), caller, now).await {
        Ok(caller) => caller,
        Err(problem) => {
            if let Some(rate_limit) = middleware.meter.refund(&unit, now).await {
                (report.rate_limit, report.cost) = (rate_limit, 0);
                let counted = middleware.count_refusal(problem, &bucket.subject, bucket.group, now);
                return match counted {
                    Ok(problem) | Err(problem) => with_report(problem, report),
                };
            }
            return with_report(problem, report);
        }
    };

    let sender = caller.as_ref().map(|it| idempotency::Sender::of(it, &operation));
    let screens = caller.as_ref().filter(|_| operation.screens);
    let subjects = screens.map(|it| ScreeningSubjects::of(&middleware, it, operation.group));
    if let Some(subjects) = &subjects {
        request.extensions_mut().insert(subjects.clone());
    }
    if let Some(caller) = caller {
        request.extensions_mut().insert(caller);
    }
    let condition = Condition::of(&request);
    let asked = operation.is_translated.then(|| AskedLanguage::of(&request)).transpose();
    let read = match &asked {
        Ok(asked) => {
            if let Some(asked) = asked {
                request.extensions_mut().insert(*asked);
            }
            request_body::read(request, operation.body).await
        }
        Err(problem) => Err(problem.clone()),
    };
    let mut response = match read {
        Err(problem) => problem.into_response(),
        Ok((request, body)) => {
            let handler = Recording { middleware: &middleware, operation: &operation, next };
            match sender {
                Some(sender) => idempotency::once(handler, &sender, request, &body).await,
                None => handler.run(request).await,
            }
        }
    };
    if let Ok(Some(asked)) = asked {
        response = labels::add(response, asked.get()).await;
    }
    let response = condition.apply(response).await;
    report.stages.handler = stopwatch.lap();
    if is_free_of_charge(&response, &condition) {
        if let Some(rate_limit) = middleware.meter.refund(&unit, now).await {
            (report.rate_limit, report.cost) = (rate_limit, 0);
        }
        report.stages.meter += stopwatch.lap();
    }
    if let Some(subjects) = subjects.filter(|_| response.status().is_server_error()) {
        Box::pin(subjects.refund()).await;
    }
    with_report(response, report)
}

/// The caller as stored now, if the operation changes something, as screenings do, which are kept as evidence and may begin monitoring:
/// what a revoked key or a removed member begins would last longer than the 60 seconds in which a process may still let them read. `headers` are given for such operations only.
async fn fresh(
    middleware: &Middleware,
    operation: &Operation,
    (headers, address): (Option<HeaderMap>, IpAddr),
    caller: Option<Caller>,
    now: Timestamp,
) -> Result<Option<Caller>, Problem> {
    let Some(headers) = headers else { return Ok(caller) };
    let caller = middleware.authenticator.caller(&headers, address, true, now).await;
    let caller = caller.map_err(|it| it.into_problem(operation.group))?;
    let tier = caller.as_ref().map_or(Tier::Free, Caller::tier);
    authorize(operation, caller.as_ref(), tier)?;
    Ok(caller)
}

/// The team's bucket; `None` for requests that are counted by address: anonymous ones, and those of
/// public operations.
fn bucket(operation: &Operation, caller: Option<&Caller>) -> Option<Bucket> {
    let caller = caller.filter(|_| operation.group != access::RateGroup::Public)?;
    Some(Bucket { subject: Subject::of(caller), group: operation.group })
}

/// The allowance of a caller who may call the operation.
fn authorize(
    operation: &Operation,
    caller: Option<&Caller>,
    tier: Tier,
) -> Result<Allowance, Problem> {
    let Operation { group, minimum_tier, scope, minimum_role, needs_link, .. } = operation;
    if operation.needs_token && caller.is_none() {
        return Err(Problem::new(
            &UNAUTHORIZED,
            "this operation requires an API key or a session; send `Authorization: Bearer <API key or session token>`",
        ));
    }
    let allowance = group.allowance(tier).filter(|_| tier >= *minimum_tier);
    let allowance = allowance.ok_or_else(|| {
        let detail = format!(
            "this operation of the group `{group}` requires the tier `{minimum_tier}`; yours is `{tier}`"
        );
        Problem::new(&TIER_NOT_UNLOCKED, detail)
            .with("group", group)
            .with("tier", tier)
            .with("requiredTier", minimum_tier)
    })?;
    match caller.map(|it| (it, it.role())) {
        Some((caller, None)) if !caller.may(*scope) => {
            let detail = format!("this operation requires an API key with the scope `{scope}`");
            Err(Problem::new(&FORBIDDEN, detail))
        }
        Some((_, None)) if minimum_role.is_some() => {
            let detail = "this operation requires the session of a user; an API key cannot call it";
            Err(Problem::new(&FORBIDDEN, detail))
        }
        Some((caller, Some(_))) if *needs_link && caller.method() == AuthMethod::Sso => {
            let detail = "single sign-on cannot call this operation, because it is about more than the data of the team; sign in with a link";
            Err(Problem::new(&FORBIDDEN, detail))
        }
        Some((caller, Some(role)))
            if !caller.may(*scope) || minimum_role.is_some_and(|it| role < it) =>
        {
            let required = operation.lowest_role();
            let by_provider = match caller.method() {
                AuthMethod::Sso => {
                    ", because single sign-on gives at most `admin`, and `member` while an owner has to confirm the identity provider; sign in with a link"
                }
                AuthMethod::ApiKey | AuthMethod::Session => "",
            };
            let detail = format!(
                "this operation requires the role `{required}`; yours is `{role}`{by_provider}"
            );
            Err(Problem::new(&FORBIDDEN, detail))
        }
        _ => Ok(allowance),
    }
}

/// Whether a response is not counted against the rate limit: a failure of the service, or 304 for a client that
/// has the same response. A client that sends `If-None-Match: *` has made no such claim.
fn is_free_of_charge(response: &Response, condition: &Condition) -> bool {
    let is_known = || condition.names_tag(response.headers());
    response.status().is_server_error()
        || (response.status() == StatusCode::NOT_MODIFIED && is_known())
}

fn with_report(response: impl IntoResponse, report: RequestReport) -> Response {
    let mut response = response.into_response();
    response.extensions_mut().insert(report);
    response
}
