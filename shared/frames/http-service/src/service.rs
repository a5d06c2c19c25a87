//! The outermost layers around all operations, and running them on Lambda or locally.

use std::{
    any::Any,
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use access::{Network, RateGroup, Tier};
use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::{MethodFilter, MethodRouter},
};
use components::Components;
use http::{HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use problem_details::{INTERNAL, METHOD_NOT_ALLOWED, NOT_FOUND, Problem, SERVICE_UNAVAILABLE};
use tower::util::MapRequest;
use tower_http::catch_panic::CatchPanicLayer;
use tracing::Instrument;
use uuid::Uuid;

use crate::{
    Api, ClientAddress, Middleware, Operation,
    audit::RequestId,
    cors,
    meter::Bucket,
    middleware::{self, RequestReport, StageDurations},
    operation::Route,
    refusal_log::{Client, Refused},
    refused_requests, streaming,
};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The AWS X-Ray trace header, which the API gateway adds. Copied to the log and the response.
const TRACE_ID: HeaderName = HeaderName::from_static("x-amzn-trace-id");
/// Longer trace headers are ignored, in bytes. Those of X-Ray have about 100.
const MAX_TRACE_LENGTH: usize = 512;
/// The metric that counts refused requests.
const REFUSAL: &str = "Refusal";
/// True until this process has sent its first response.
static COLD: AtomicBool = AtomicBool::new(true);

/// A router with all operations of the given functions: one function on Lambda, all of them locally.
pub fn service(middleware: Middleware, apis: impl IntoIterator<Item = Api>) -> Router {
    let middleware = Arc::new(middleware);
    let mut router = Router::new();
    let (mut served, mut not_served) = (BTreeSet::new(), BTreeMap::<String, Vec<Method>>::new());
    for Api { routes, streams, other_operations, .. } in apis {
        for Route { operation, handler, .. } in routes {
            let path = operation.path.clone();
            let handler = with_middleware(&middleware, operation, handler);
            let handler = match streams {
                true => handler.route_layer(streaming::compression()),
                false => handler,
            };
            router = router.route(&path, handler);
            served.insert(path);
        }
        for (method, path) in other_operations {
            not_served.entry(path).or_default().push(method);
        }
    }
    not_served.retain(|path, _| !served.contains(path));
    for (path, methods) in not_served {
        router = router.route(&path, route_of_other_function(methods));
    }
    let routes = router.method_not_allowed_fallback(method_not_allowed).fallback(no_endpoint);
    // An outer router, because paths must be normalized before routing. A fallback service and not a
    // fallback handler, for which axum would create the layers again for every request.
    Router::new()
        .fallback_service(MapRequest::new(routes, normalized))
        .layer(cors::layer())
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(middleware, complete))
}

/// A path that another function serves. The gateway sends only requests with another method here, which
/// get 405 with the methods of the path. A request with one of these methods gets 404.
fn route_of_other_function(methods: Vec<Method>) -> MethodRouter {
    let filters = methods.into_iter().filter_map(|it| MethodFilter::try_from(it).ok());
    filters.fold(MethodRouter::new(), |path, it| path.on(it, no_endpoint))
}

async fn method_not_allowed(method: Method, uri: Uri) -> Problem {
    Problem::new(&METHOD_NOT_ALLOWED, format!("`{}` does not support {method}", uri.path()))
}

async fn no_endpoint(method: Method, uri: Uri) -> Problem {
    Problem::new(&NOT_FOUND, format!("no endpoint matches {method} `{}`", uri.path()))
}

/// Wraps the handler of one operation. Panics are caught inside the middleware, so that the request is
/// refunded.
fn with_middleware(
    middleware: &Arc<Middleware>,
    operation: Arc<Operation>,
    handler: MethodRouter,
) -> MethodRouter {
    handler
        .route_layer(CatchPanicLayer::custom(panicked))
        .route_layer(from_fn_with_state((middleware.clone(), operation), middleware::run))
}

/// Why a function stopped.
pub use lambda_http::Error as ServeError;

/// Serves one function: in the Lambda runtime if there is one, or else on `127.0.0.1` and `PORT` (default 3000).
///
/// # Panics
/// If a setting is missing or invalid.
pub fn serve(api: fn(&Components) -> Api) -> Result<(), ServeError> {
    // On Lambda, a process handles one request at a time and has hardly more than one core.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let components = Components::load().await;
        let (middleware, api) = (Middleware::load(&components).await, api(&components));
        telemetry::start(api.function);
        let streams = api.streams;
        let service = service(middleware, [api]);
        if components.setting("AWS_LAMBDA_RUNTIME_API").is_some() {
            return match streams {
                true => streaming::run(service).await,
                false => lambda_http::run(service).await,
            };
        }
        let port: u16 = components.setting("PORT").as_deref().unwrap_or("3000").parse()?;
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
        let service = service.into_make_service_with_connect_info::<std::net::SocketAddr>();
        Ok(axum::serve(listener, service).await?)
    })
}

/// Removes the stage `/api`, and repeated slashes at the start, which one client sends if its base URL
/// ends in a slash: `/api/v1/…`, `//v1/…` and `/v1/…` are the same.
fn normalized(mut request: Request) -> Request {
    let path = request.uri().path();
    let single = format!("/{}", path.trim_start_matches('/'));
    let inner = match single.strip_prefix("/api/") {
        Some(rest) => format!("/{}", rest.trim_start_matches('/')),
        None => single,
    };
    if inner == path {
        return request;
    }
    let query = request.uri().query().map(|it| format!("?{it}")).unwrap_or_default();
    if let Ok(uri) = format!("{inner}{query}").parse() {
        *request.uri_mut() = uri;
    }
    request
}

fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(message, "handler panicked");
    Problem::new(&INTERNAL, "the request failed because of an internal error").into_response()
}

/// Assigns the request id, and completes the response: problem body, headers, log line.
async fn complete(
    State(middleware): State<Arc<Middleware>>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let id = Uuid::new_v4().to_string();
    let (method, instance) = (request.method().clone(), request.uri().path().to_owned());
    let invocation =
        request.extensions().get::<lambda_http::Context>().map(|it| it.request_id.clone());
    let trace = request.headers().get(TRACE_ID).filter(|it| it.len() <= MAX_TRACE_LENGTH).cloned();
    // Determined once, for all inner layers.
    let mut address = ClientAddress::of(request.extensions());
    if let Some(proxy) = &middleware.trusted_proxy
        && let Some(client) = proxy.client(request.headers(), address.0)
    {
        address = ClientAddress(client);
    }
    request.extensions_mut().insert(address);
    request.extensions_mut().insert(RequestId(id.clone()));

    // Adds the request id to every log line of this request.
    let span = tracing::info_span!("request", request_id = id);
    let mut response = next.run(request).instrument(span).await;

    let report = match response.extensions_mut().remove::<RequestReport>() {
        Some(report) => report,
        // No operation matched: the request is not counted, and the headers show the group `public`.
        None => {
            let bucket = Bucket { subject: address.0.into(), group: RateGroup::Public };
            let (network, now) = (refused_requests::network_of(address.0), middleware.clock.now());
            let rate_limit = match response.extensions_mut().remove::<Problem>() {
                Some(problem) => {
                    let refused = middleware.refuse(problem, &network, &bucket, Tier::Free, now);
                    let (problem, rate_limit) = refused.await;
                    *response.status_mut() = problem.kind.status;
                    response.extensions_mut().insert(problem);
                    rate_limit
                }
                // A preflight request matches no operation and is not refused.
                None => middleware.meter.status(&bucket, Tier::Free, now).await,
            };
            RequestReport { rate_limit, team: None, cost: 0, stages: StageDurations::default() }
        }
    };
    let operation = response.extensions_mut().remove::<Arc<Operation>>();
    let rate_limit = report.rate_limit;
    rate_limit.write(response.headers_mut());
    let problem = response.extensions_mut().remove::<Problem>();
    if let Some(problem) = &problem {
        write_problem(problem, &middleware.public_url, &instance, &mut response);
    }
    let status = response.status();
    let headers = response.headers_mut();
    if status.as_u16() == 429 {
        let stated = problem.as_ref().and_then(|it| it.members.get("retryAfterSeconds")?.as_i64());
        headers.insert(header::RETRY_AFTER, stated.unwrap_or(rate_limit.reset).into());
    }
    if status.as_u16() == 401 {
        let scheme = HeaderValue::from_static("Bearer realm=\"gotthard\"");
        headers.insert(header::WWW_AUTHENTICATE, scheme);
    }
    if status.is_server_error() {
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(id) = HeaderValue::try_from(&id) {
        headers.insert(REQUEST_ID, id);
    }
    if let Some(trace) = &trace {
        headers.insert(TRACE_ID, trace.clone());
    }
    let refused = (is_refusal(status) || operation.is_none()).then(|| {
        let network = Network::from(address.0);
        let client = match &report.team {
            Some(team) => Client::Team(team.clone()),
            None => Client::Network(network.site().unwrap_or(network)),
        };
        Refused { client, group: rate_limit.group, status: status.as_u16() }
    });
    let left_out = match refused {
        Some(refused) => middleware.refusals.count(refused, middleware.clock.now()),
        None => Some(0),
    };
    if let Some(left_out) = left_out {
        let left_out = Some(left_out).filter(|it| *it > 0);
        let StageDurations { caller, meter, handler } = report.stages;
        tracing::info!(
            metric = metric(status, problem.as_ref()),
            metric_value = left_out.map(|it| it + 1),
            left_out,
            request_id = id,
            lambda_request_id = invocation,
            trace_id = trace.as_ref().and_then(|it| it.to_str().ok()),
            method = method.as_str(),
            path = instance,
            route = operation.as_ref().map(|it| it.path.as_str()),
            status = %status.as_u16(),
            group = rate_limit.group.name(),
            team = report.team,
            cost = report.cost,
            caller_milliseconds = milliseconds(caller),
            meter_milliseconds = milliseconds(meter),
            handler_milliseconds = milliseconds(handler),
            milliseconds = milliseconds(started.elapsed()),
            cold_start = COLD.swap(false, Ordering::Relaxed),
            "request completed"
        );
    }
    log_refusals_left_out(&middleware);
    response
}

/// Logs the refused requests of earlier minutes that have no log line, so that their metric counts them.
fn log_refusals_left_out(middleware: &Middleware) {
    let overdue = middleware.refusals.take_overdue(|| middleware.clock.now());
    for (Refused { client, group, status }, left_out) in overdue {
        tracing::info!(
            metric = StatusCode::from_u16(status).ok().and_then(|it| metric(it, None)),
            metric_value = left_out,
            left_out,
            status = %status,
            group = group.name(),
            team = match client {
                Client::Team(team) => Some(team),
                Client::Network(_) => None,
            },
            "refused requests left out of the log"
        );
    }
}

/// With microsecond precision.
fn milliseconds(duration: Duration) -> f64 {
    duration.as_micros() as f64 / 1_000.0
}

/// The CloudWatch metric that counts responses with this status; `None` for those without one. Who deploys a version gets it taken
/// back for `ServerError`, but not if the service says that something it needs is missing at the moment.
fn metric(status: StatusCode, problem: Option<&Problem>) -> Option<&'static str> {
    match status {
        _ if is_refusal(status) => Some(REFUSAL),
        _ if problem.is_some_and(|it| it.kind == &SERVICE_UNAVAILABLE) => Some("Unavailable"),
        _ if status.is_server_error() => Some("ServerError"),
        _ => None,
    }
}

fn is_refusal(status: StatusCode) -> bool {
    matches!(status.as_u16(), 401 | 402 | 403 | 429)
}

/// Writes the body of a problem, which contains the path of the request.
fn write_problem(problem: &Problem, public_url: &str, instance: &str, response: &mut Response) {
    *response.body_mut() = Body::from(problem.body(public_url, instance).to_string());
    let media_type = HeaderValue::from_static("application/problem+json");
    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    response.headers_mut().remove(header::CONTENT_LENGTH);
}
