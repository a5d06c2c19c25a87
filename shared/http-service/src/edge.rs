//! The way of one request, once its operation is known: caller, unlock, meter, body, idempotency,
//! handler, ETag, give-back.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use access::{Allowance, Tier};
use auth::Caller;
use axum::{
    body::Body,
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http::{HeaderValue, Method, StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use problem_details::{
    BAD_REQUEST, FORBIDDEN, PAYLOAD_TOO_LARGE, Problem, TIER_NOT_UNLOCKED, UNAUTHORIZED,
    UNSUPPORTED_MEDIA_TYPE,
};
use sha2::{Digest, Sha256};
use store::{Counters, Subject, TeamKey, Tenants};
use tracing::{Instrument, instrument::WithSubscriber};

use crate::{
    Clock, Operation,
    caller::{ClientAddress, Gatekeeper, Rejected},
    idempotency,
    meter::{Bucket, Meter, Standing},
};

/// The greatest body that an ordinary operation reads, in bytes.
pub const BODY_LIMIT: usize = 1024 * 1024;

/// What the frame works with: one for a process.
#[derive(Debug)]
pub struct Frame {
    /// The address of the API as clients see it, ending in `/api`.
    pub public_url: Arc<str>,
    pub clock: Clock,
    pub(crate) tenants: Tenants,
    pub(crate) gatekeeper: Gatekeeper,
    pub(crate) meter: Meter,
}

impl Frame {
    pub fn new(tenants: Tenants, counters: Counters, public_url: &str, clock: Clock) -> Self {
        Self {
            public_url: public_url.trim_end_matches('/').into(),
            clock,
            gatekeeper: Gatekeeper::new(tenants.clone(), counters.clone()),
            meter: Meter::new(counters),
            tenants,
        }
    }

    /// The frame that the environment describes.
    ///
    /// # Panics
    /// When `PUBLIC_URL` is not set, or `METERING` names a variant that does not exist: a deployment
    /// that is not what its operator asked for must not answer.
    #[expect(clippy::disallowed_methods, reason = "the frame's own variables are read here")]
    pub fn from_env(client: store::Client) -> Self {
        let Ok(public_url) = std::env::var("PUBLIC_URL") else {
            panic!("PUBLIC_URL is not set; template.yaml sets it")
        };
        let metering = std::env::var("METERING").unwrap_or_else(|_| "groups".into());
        assert!(metering == "groups", "METERING is `{metering}`; known is: groups");
        let tenants = Tenants::from_env(client.clone());
        Self::new(tenants, Counters::from_env(client), &public_url, Clock::system())
    }
}

/// What is known of a request when it is answered; the outermost layer writes it into the headers and
/// the log.
#[derive(Clone, Debug)]
pub(crate) struct Reported {
    pub(crate) standing: Standing,
    /// The caller's team; `None` for a caller without a token.
    pub(crate) team: Option<String>,
    /// The operation's declared cost in credits, where the request stays counted, else 0.
    pub(crate) cost: u32,
    pub(crate) stages: Stages,
}

/// How long a request was where.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stages {
    /// Who asks.
    pub(crate) caller: Duration,
    /// Taking the unit, and giving it back.
    pub(crate) meter: Duration,
    /// Reading the body, idempotency, the handler, the ETag.
    pub(crate) handler: Duration,
}

/// Measures one stage after the other.
struct Lap(Instant);

impl Lap {
    fn ends(&mut self) -> Duration {
        let began = std::mem::replace(&mut self.0, Instant::now());
        self.0.duration_since(began)
    }
}

/// The layer around the handler of one operation.
///
/// It runs to its end even if the client goes away: what was begun is finished, its unit is given
/// back if it is due, and an idempotency key is not left locked.
pub(crate) async fn edge(
    State((frame, operation)): State<(Arc<Frame>, Arc<Operation>)>,
    request: Request,
    next: Next,
) -> Response {
    // It is copied into a task of its own, so what few requests ask is boxed where it is asked.
    let way = through(frame, operation.clone(), request, next);
    let way = way.in_current_span().with_current_subscriber();
    let answered = tokio::spawn(way).await;
    let mut response = answered.unwrap_or_else(|failure| Problem::from(failure).into_response());
    response.extensions_mut().insert(operation);
    response
}

async fn through(
    frame: Arc<Frame>,
    operation: Arc<Operation>,
    mut request: Request,
    next: Next,
) -> Response {
    let (now, mut lap) = (frame.clock.now(), Lap(Instant::now()));
    let ClientAddress(address) = ClientAddress::of(request.extensions());
    let by_address = || Bucket { subject: Subject::Address(address), group: operation.group };
    let mut stages = Stages::default();

    let caller = frame.gatekeeper.caller(request.headers(), address, now).await;
    stages.caller = lap.ends();
    let caller = match caller {
        Ok(caller) => caller,
        Err(rejected) => {
            let standing = frame.meter.standing(&by_address(), Tier::Free, now).await;
            let report = Reported { standing, team: None, cost: 0, stages };
            return reported(unauthorized(rejected), report);
        }
    };
    let team_id = caller.as_ref().map(|it| it.team().to_string());
    let tier = caller.as_ref().map_or(Tier::Free, Caller::tier);
    let bucket = bucket(&operation, caller.as_ref()).unwrap_or_else(by_address);
    let allowance = match unlock(&operation, caller.as_ref(), tier) {
        Ok(allowance) => allowance,
        Err(problem) => {
            let standing = frame.meter.standing(&bucket, tier, now).await;
            return reported(problem, Reported { standing, team: team_id, cost: 0, stages });
        }
    };
    // Verification may have waited for its turn: the window is the one that runs now.
    let now = frame.clock.now();
    let taken = frame.meter.take(&bucket, tier, allowance, now).await;
    stages.meter = lap.ends();
    let (unit, standing) = match taken {
        Ok(taken) => taken,
        Err((problem, standing)) => {
            return reported(problem, Reported { standing, team: team_id, cost: 0, stages });
        }
    };
    let mut report = Reported { standing, team: team_id, cost: operation.credits, stages };

    let team = caller.as_ref().map(TeamKey::of);
    if let Some(caller) = caller {
        request.extensions_mut().insert(caller);
    }
    let conditions = Conditions::of(&request);
    let response = match buffered(request).await {
        Err(problem) => problem.into_response(),
        Ok((request, body)) => match team {
            Some(team) => idempotency::once(&frame, &operation, &team, request, &body, next).await,
            None => next.run(request).await,
        },
    };
    let response = conditions.apply(response).await;
    report.stages.handler = lap.ends();
    if costs_nothing(response.status()) {
        report.cost = 0;
        if let Some(given) = frame.meter.give_back(&unit, now).await {
            report.standing = given;
        }
        report.stages.meter += lap.ends();
    }
    reported(response, report)
}

/// Anonymous requests and public operations are counted by address, all others by team.
fn bucket(operation: &Operation, caller: Option<&Caller>) -> Option<Bucket> {
    let caller = caller.filter(|_| operation.group != access::RateGroup::Public)?;
    Some(Bucket { subject: Subject::Team(TeamKey::of(caller)), group: operation.group })
}

fn unlock(
    operation: &Operation,
    caller: Option<&Caller>,
    tier: Tier,
) -> Result<Allowance, Problem> {
    let Operation { group, minimum_tier, scope, .. } = operation;
    if operation.needs_token && caller.is_none() {
        return Err(Problem::new(&UNAUTHORIZED, "this operation needs an API key or a session"));
    }
    let allowance = group.allowance(tier).filter(|_| tier >= *minimum_tier);
    let allowance = allowance.ok_or_else(|| {
        let detail = format!("the {tier} tier does not include this operation of {group}; the {minimum_tier} tier does");
        Problem::new(&TIER_NOT_UNLOCKED, detail)
            .with("group", group)
            .with("tier", tier)
            .with("requiredTier", minimum_tier)
    })?;
    if caller.is_some_and(|it| !it.may(*scope)) {
        let detail = format!("this operation needs a key with the scope `{scope}`");
        return Err(Problem::new(&FORBIDDEN, detail));
    }
    Ok(allowance)
}

fn unauthorized(rejected: Rejected) -> Response {
    let wait = match rejected {
        Rejected::TooManyFailures(seconds) => Some(seconds),
        _ => None,
    };
    let mut response = rejected.into_problem().into_response();
    if let Some(seconds) = wait {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

fn costs_nothing(status: StatusCode) -> bool {
    status == StatusCode::NOT_MODIFIED || status.is_server_error()
}

fn reported(response: impl IntoResponse, report: Reported) -> Response {
    let mut response = response.into_response();
    response.extensions_mut().insert(report);
    response
}

/// Reads the body whole, within its limit, and refuses what no operation reads.
async fn buffered(request: Request) -> Result<(Request, Bytes), Problem> {
    let (parts, body) = request.into_parts();
    let body = match Limited::new(body, BODY_LIMIT).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => {
            let detail = format!("the body is larger than {BODY_LIMIT} bytes");
            return Err(Problem::new(&PAYLOAD_TOO_LARGE, detail));
        }
        Err(_) => return Err(Problem::new(&BAD_REQUEST, "the body broke off")),
    };
    if !body.is_empty() && parts.method != Method::GET && parts.method != Method::DELETE {
        let header = |name| parts.headers.get(name).and_then(|it: &HeaderValue| it.to_str().ok());
        if let Some(encoding) = header(header::CONTENT_ENCODING).filter(|it| *it != "identity") {
            let detail = format!("the body is compressed (`{encoding}`); send it as it is");
            return Err(Problem::new(&UNSUPPORTED_MEDIA_TYPE, detail));
        }
        let media_type = header(header::CONTENT_TYPE).unwrap_or_default();
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        let is_json = essence.eq_ignore_ascii_case("application/json")
            || (essence.starts_with("application/") && essence.ends_with("+json"));
        if !is_json {
            let detail = format!("`{media_type}` is not read here; send `application/json`");
            return Err(Problem::new(&UNSUPPORTED_MEDIA_TYPE, detail));
        }
    }
    Ok((Request::from_parts(parts, Body::from(body.clone())), body))
}

/// The tag of an answer: the SHA-256 of its body.
fn tag(body: &[u8]) -> Option<HeaderValue> {
    let mut quoted = [b'"'; 66];
    hex::encode_to_slice(Sha256::digest(body), &mut quoted[1..65]).ok()?;
    HeaderValue::from_bytes(&quoted).ok()
}

/// Whether a client holds an answer already.
struct Conditions {
    applies: bool,
    held: Vec<String>,
}

impl Conditions {
    fn of(request: &Request) -> Self {
        let headers = request.headers().get_all(header::IF_NONE_MATCH).iter();
        let tags = headers.filter_map(|it| it.to_str().ok()).flat_map(|it| it.split(','));
        Self {
            applies: matches!(*request.method(), Method::GET | Method::HEAD),
            // Weak comparison (RFC 9110, 13.1.2): the mark does not matter.
            held: tags.map(|it| it.trim().trim_start_matches("W/").to_owned()).collect(),
        }
    }

    /// Tags an answer by its body, so that every caller who may see it shares the tag, and leaves
    /// the body out for a client that holds it.
    async fn apply(&self, response: Response) -> Response {
        // A stream is not read ahead; only what is in memory anyway has an exact size.
        let whole = axum::body::HttpBody::size_hint(response.body()).exact().is_some();
        if !self.applies || response.status() != StatusCode::OK || !whole {
            return response;
        }
        let (mut parts, body) = response.into_parts();
        let Ok(body) = body.collect().await else {
            return Response::from_parts(parts, Body::empty());
        };
        let body = body.to_bytes();
        if !parts.headers.contains_key(header::ETAG)
            && let Some(tag) = tag(&body)
        {
            parts.headers.insert(header::ETAG, tag);
        }
        if !parts.headers.contains_key(header::CACHE_CONTROL) {
            let revalidated = HeaderValue::from_static("private, no-cache");
            parts.headers.insert(header::CACHE_CONTROL, revalidated);
        }
        let tag = parts.headers.get(header::ETAG).and_then(|it| it.to_str().ok());
        let is_held = |it: &String| it == "*" || Some(it.as_str()) == tag;
        if self.held.iter().any(is_held) {
            parts.status = StatusCode::NOT_MODIFIED;
            parts.headers.remove(header::CONTENT_LENGTH);
            parts.headers.remove(header::CONTENT_TYPE);
            return Response::from_parts(parts, Body::empty());
        }
        Response::from_parts(parts, Body::from(body))
    }
}
