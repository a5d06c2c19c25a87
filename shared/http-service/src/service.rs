//! The outermost layers, and where the service runs.

use std::{
    any::Any,
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use access::{RateGroup, Tier};
use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{MethodFilter, MethodRouter},
};
use http::{HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use problem_details::{INTERNAL, METHOD_NOT_ALLOWED, NOT_FOUND, Problem};
use store::Subject;
use tower::util::MapRequest;
use tower_http::{catch_panic::CatchPanicLayer, cors::CorsLayer};
use tracing::Instrument;
use uuid::Uuid;

use crate::{
    Api, Frame, Operation,
    caller::ClientAddress,
    edge::{Reported, Stages, edge},
    meter::{Bucket, HEADERS},
    operation::Route,
};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// X-Ray's header, which the gateway adds: carried into the log and the answer, so that a request can
/// be followed from either end. The SDK carries the runtime's own on to the services it calls.
const TRACE_ID: HeaderName = HeaderName::from_static("x-amzn-trace-id");
/// The greatest length of a trace header that is carried, in bytes; X-Ray's own have about 100.
const TRACE_LIMIT: usize = 512;
/// Whether this process has not answered yet.
static COLD: AtomicBool = AtomicBool::new(true);

/// The routes of these functions, as one service: what Lambda runs of one function, and what the
/// local server runs of all.
pub fn service(frame: Frame, apis: impl IntoIterator<Item = Api>) -> Router {
    let frame = Arc::new(frame);
    let mut routes = Router::new();
    let (mut served, mut elsewhere) = (BTreeSet::new(), BTreeMap::<String, Vec<Method>>::new());
    for Api { routes: own, elsewhere: others, .. } in apis {
        for Route { operation, handler, .. } in own {
            let path = operation.path.clone();
            routes = routes.route(&path, framed(&frame, operation, handler));
            served.insert(path);
        }
        for (method, path) in others {
            elsewhere.entry(path).or_default().push(method);
        }
    }
    elsewhere.retain(|path, _| !served.contains(path));
    for (path, methods) in elsewhere {
        routes = routes.route(&path, served_elsewhere(methods));
    }
    let routes = routes.method_not_allowed_fallback(wrong_method).fallback(no_endpoint);
    // Routing comes after the rewriting of paths, so the routes stand behind a router of their own. A
    // service, not a handler: around a handler, axum would put the layers anew for every request.
    Router::new()
        .fallback_service(MapRequest::new(routes, rewritten))
        .layer(cors())
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn_with_state(frame, complete))
}

/// A path of another function. What reaches it here is a wrong method, which is told the methods as
/// that function would tell them, or was led astray.
fn served_elsewhere(methods: Vec<Method>) -> MethodRouter {
    let served = methods.into_iter().filter_map(|it| MethodFilter::try_from(it).ok());
    served.fold(MethodRouter::new(), |path, it| path.on(it, no_endpoint))
}

async fn wrong_method(method: Method, uri: Uri) -> Problem {
    Problem::new(&METHOD_NOT_ALLOWED, format!("`{}` cannot be asked with {method}", uri.path()))
}

async fn no_endpoint(method: Method, uri: Uri) -> Problem {
    Problem::new(&NOT_FOUND, format!("there is no endpoint {method} `{}`", uri.path()))
}

/// One operation's handler in its frame. A panic of the handler is caught inside, so that its unit
/// is given back.
fn framed(frame: &Arc<Frame>, operation: Arc<Operation>, handler: MethodRouter) -> MethodRouter {
    handler
        .route_layer(CatchPanicLayer::custom(panicked))
        .route_layer(middleware::from_fn_with_state((frame.clone(), operation), edge))
}

/// Serves one function: on Lambda where there is one around, else on `PORT` of the loopback.
pub async fn serve(frame: Frame, api: Api) -> Result<(), lambda_http::Error> {
    telemetry::start(api.function);
    let service = service(frame, [api]);
    #[expect(clippy::disallowed_methods, reason = "where the process runs is decided here")]
    let (on_lambda, port) =
        (std::env::var("AWS_LAMBDA_RUNTIME_API").is_ok(), std::env::var("PORT").ok());
    if on_lambda {
        return lambda_http::run(service).await;
    }
    let port: u16 = port.as_deref().unwrap_or("3000").parse()?;
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    let service = service.into_make_service_with_connect_info::<std::net::SocketAddr>();
    Ok(axum::serve(listener, service).await?)
}

/// Takes off the stage, and the second slash that one client sends where its base address ends in
/// one: `/api/v1/…`, `//v1/…` and `/v1/…` are the same.
fn rewritten(mut request: Request) -> Request {
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

/// Every origin may ask: a token is sent by hand, never by a browser of itself.
fn cors() -> CorsLayer {
    let allowed = ["authorization", "content-type", "idempotency-key", "if-none-match"];
    let exposed = [
        "x-request-id",
        "retry-after",
        "etag",
        "link",
        "location",
        "content-disposition",
        "idempotent-replayed",
        "x-data-generation",
        "x-data-source",
        "x-amzn-trace-id",
    ];
    CorsLayer::new()
        .allow_origin(tower_http::cors::Any)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers(allowed.map(HeaderName::from_static))
        .expose_headers([&exposed.map(HeaderName::from_static)[..], &HEADERS].concat())
        .max_age(std::time::Duration::from_secs(86_400))
}

fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let said = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(said, "a handler panicked");
    Problem::new(&INTERNAL, "the request could not be completed").into_response()
}

/// Names the request, and completes its answer: the body of a problem, the rate headers, the log.
async fn complete(State(frame): State<Arc<Frame>>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = Uuid::new_v4().to_string();
    let (method, instance) = (request.method().clone(), request.uri().path().to_owned());
    let invocation =
        request.extensions().get::<lambda_http::Context>().map(|it| it.request_id.clone());
    let trace = request.headers().get(TRACE_ID).filter(|it| it.len() <= TRACE_LIMIT).cloned();
    // Read once; whoever asks further in finds it.
    let address = ClientAddress::of(request.extensions());
    request.extensions_mut().insert(address);

    // Whatever is logged on the way bears the id that the client sees.
    let span = tracing::info_span!("request", request_id = id);
    let mut response = next.run(request).instrument(span).await;

    let report = match response.extensions_mut().remove::<Reported>() {
        Some(report) => report,
        // No operation was found: nothing was counted, and the public allowance is reported.
        None => {
            let bucket = Bucket { subject: Subject::Address(address.0), group: RateGroup::Public };
            let standing = frame.meter.standing(&bucket, Tier::Free, frame.clock.now()).await;
            Reported { standing, team: None, cost: 0, stages: Stages::default() }
        }
    };
    let operation = response.extensions_mut().remove::<Arc<Operation>>();
    let standing = report.standing;
    standing.write(response.headers_mut());
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        describe(&problem, &frame.public_url, &instance, &mut response);
    }
    let status = response.status();
    let headers = response.headers_mut();
    if status.as_u16() == 429 {
        headers.insert(header::RETRY_AFTER, standing.reset.into());
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
    let Stages { caller, meter, handler } = report.stages;
    tracing::info!(
        metric = metric(status),
        request_id = id,
        lambda_request_id = invocation,
        trace_id = trace.as_ref().and_then(|it| it.to_str().ok()),
        method = method.as_str(),
        path = instance,
        route = operation.as_ref().map(|it| it.path.as_str()),
        status = %status.as_u16(),
        group = standing.group.name(),
        team = report.team,
        cost = report.cost,
        caller_milliseconds = milliseconds(caller),
        meter_milliseconds = milliseconds(meter),
        handler_milliseconds = milliseconds(handler),
        milliseconds = milliseconds(started.elapsed()),
        cold_start = COLD.swap(false, Ordering::Relaxed),
        "answered"
    );
    response
}

/// To the microsecond.
fn milliseconds(duration: Duration) -> f64 {
    duration.as_micros() as f64 / 1_000.0
}

/// What an answer is counted as, where somebody should look at how often it comes.
fn metric(status: StatusCode) -> Option<&'static str> {
    match status.as_u16() {
        401 | 402 | 403 | 429 => Some("Refusal"),
        500.. => Some("ServerError"),
        _ => None,
    }
}

/// Writes a problem's body, which whoever refused could not know in full.
fn describe(problem: &Problem, public_url: &str, instance: &str, response: &mut Response) {
    *response.body_mut() = Body::from(problem.body(public_url, instance).to_string());
    let media_type = HeaderValue::from_static("application/problem+json");
    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    response.headers_mut().remove(header::CONTENT_LENGTH);
}
