//! A service for tests: its own register, requests and responses, and a clock that the test moves.

pub mod described;
pub mod faults;
pub mod probes;

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use access::{Environment, Scope, Tier};
use auth::TeamId;
use axum::{Router, body::Body};
use domain::{Company, Uid};
use generations::{Generations, Manifest};
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use http_service::{ClientAddress, Clock, Middleware, Operation};
use jiff::Timestamp;
use local::cloud::Cloud;
use publications::Publication;
use serde_json::Value;
use sources::Batch;
use statements::Source;
use store::Counters;
use tempfile::TempDir;
use tower::ServiceExt;

/// The middle of an hour, so that no test runs into the next rate-limit window by accident.
const NOON: &str = "2026-11-20T12:30:00Z";
/// The address of the API in a test.
pub const PUBLIC_URL: &str = "https://api.example/api";

/// All API functions with their own tables and bucket, and a clock that only the test moves.
pub struct Service {
    pub cloud: Arc<Cloud>,
    pub generations: Generations,
    pub operations: Vec<Operation>,
    router: Router,
    clock: Arc<AtomicI64>,
    pub downloads: Arc<TempDir>,
}

/// A response with its whole body.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
    /// `null` if the body is not JSON.
    pub body: Value,
}

/// An empty cloud for one test: embedded, or in the emulator at the address in `GOTTHARD_TEST_ENDPOINT`.
pub async fn cloud() -> Cloud {
    #[expect(clippy::disallowed_methods, reason = "the tests' own configuration is read here")]
    let cloud = match std::env::var("GOTTHARD_TEST_ENDPOINT") {
        Ok(endpoint) => Cloud::in_emulator(&endpoint).await,
        Err(_) => Cloud::in_memory().await,
    };
    cloud.expect("a cloud")
}

impl Service {
    /// A service with an empty register.
    pub async fn start() -> Self {
        Self::with([]).await
    }

    /// A service with these companies in its register.
    pub async fn with(companies: impl IntoIterator<Item = Company>) -> Self {
        let service = Self::over(cloud().await).await;
        service.register(companies).await;
        service
    }

    /// A service over a cloud that the test has prepared. No generation is published.
    pub async fn over(cloud: Cloud) -> Self {
        let noon: Timestamp = NOON.parse().expect("a moment");
        let clock = Arc::new(AtomicI64::new(noon.as_millisecond()));
        let downloads = Arc::new(TempDir::new().expect("a folder"));
        Self::process(Arc::new(cloud), clock, downloads)
    }

    /// The function `public` alone, as Lambda runs it.
    pub async fn public_function() -> Self {
        let mut service = Self::start().await;
        let middleware = Middleware::new(
            service.cloud.tenants.clone(),
            service.cloud.counters.clone(),
            PUBLIC_URL,
            Clock::system(),
        );
        let api = public::api(public::State {
            registry: service.cloud.registry.clone(),
            generations: service.generations.clone(),
            clock: Clock::system(),
            public_url: PUBLIC_URL.into(),
        });
        service.router = http_service::service(middleware, [api]);
        service
    }

    /// Another process over the same tables and bucket. It shares no memory with this one.
    pub fn second_process(&self) -> Self {
        Self::process(self.cloud.clone(), self.clock.clone(), self.downloads.clone())
    }

    fn process(cloud: Arc<Cloud>, clock: Arc<AtomicI64>, downloads: Arc<TempDir>) -> Self {
        let shared = clock.clone();
        let test_clock = Clock::from_fn(move || {
            Timestamp::from_millisecond(shared.load(Ordering::SeqCst)).expect("a moment")
        });
        let generations = Generations::new(cloud.objects.clone(), downloads.path());
        let middleware = Middleware::new(
            cloud.tenants.clone(),
            cloud.counters.clone(),
            PUBLIC_URL,
            test_clock.clone(),
        );
        let mut apis = local::functions::apis(&cloud, &generations, &test_clock, PUBLIC_URL);
        let operations = apis.iter().flat_map(|it| it.operations()).cloned().collect();
        apis.push(probes::api());
        let router = http_service::service(middleware, apis);
        Self { cloud, generations, operations, router, clock, downloads }
    }

    /// Puts companies into the register and publishes a generation that includes them.
    pub async fn register(&self, companies: impl IntoIterator<Item = Company>) {
        let companies = companies.into_iter().collect();
        self.cloud.registry.put_companies(companies).await.expect("stored");
        self.publish().await;
    }

    /// Publishes a generation of the registry and opens it.
    pub async fn publish(&self) -> Manifest {
        let published = indexer::publish(
            &self.cloud.registry,
            &self.cloud.objects,
            self.downloads.path(),
            self.now(),
            |_| (),
        )
        .await;
        let manifest = published.expect("published");
        self.generations.refresh().await.expect("opened");
        manifest
    }

    /// Ingests the records that a reader found in a file of a source.
    pub async fn ingest(&self, source: Source, batch: Batch) -> ingest::Report {
        let (registry, objects) = (&self.cloud.registry, &self.cloud.objects);
        let report = ingest::ingest(registry, objects, source, batch, self.now()).await;
        report.expect("ingested")
    }

    /// Ingests publications of the gazette and publishes a generation that includes them.
    pub async fn ingest_publications(&self, publications: impl IntoIterator<Item = Publication>) {
        let publications: Vec<Publication> = publications.into_iter().collect();
        self.ingest(Source::Shab, read_publications(&publications)).await;
        self.publish().await;
    }

    pub fn now(&self) -> Timestamp {
        Timestamp::from_millisecond(self.clock.load(Ordering::SeqCst)).expect("a moment")
    }

    /// Moves the clock forward.
    pub fn pass_seconds(&self, seconds: i64) {
        self.clock.fetch_add(seconds * 1_000, Ordering::SeqCst);
    }

    /// A live key with all scopes, of a new team of this tier.
    pub async fn key(&self, tier: Tier) -> String {
        let team = self.team(tier).await;
        self.key_of(&team, Environment::Live, &[Scope::Read, Scope::Write]).await
    }

    /// A new team of this tier.
    pub async fn team(&self, tier: Tier) -> TeamId {
        local::teams::create_team(&self.cloud.tenants, tier).await.expect("a team")
    }

    /// A new key of a team.
    pub async fn key_of(
        &self,
        team: &TeamId,
        environment: Environment,
        scopes: &[Scope],
    ) -> String {
        let made =
            local::teams::create_key(&self.cloud.tenants, team, environment, scopes, self.now());
        made.await.expect("a key")
    }

    /// Sends a GET request without a token.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(Request::get(path)).await
    }

    /// Sends a GET request with a token.
    pub async fn get_as(&self, key: &str, path: &str) -> Answer {
        self.send(bearing(key, Request::get(path))).await
    }

    /// Sends a POST request with a JSON body and a token.
    pub async fn post_as(&self, key: &str, path: &str, body: Value) -> Answer {
        let request =
            bearing(key, Request::post(path)).header(header::CONTENT_TYPE, "application/json");
        self.send_with(request, body.to_string()).await
    }

    pub async fn delete_as(&self, key: &str, path: &str) -> Answer {
        self.send(bearing(key, Request::delete(path))).await
    }

    pub async fn send(&self, request: http::request::Builder) -> Answer {
        self.send_with(request, String::new()).await
    }

    /// Sends a request from the address 192.0.2.1, unless it sets another one.
    pub async fn send_with(
        &self,
        request: http::request::Builder,
        body: impl Into<Body>,
    ) -> Answer {
        let mut request = request.body(body.into()).expect("a request");
        if request.extensions().get::<ClientAddress>().is_none() {
            let address = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
            request.extensions_mut().insert(ClientAddress(address));
        }
        self.answer(request).await
    }

    /// Sends a request unchanged, and checks that the response conforms to the OpenAPI description.
    pub async fn answer(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.router.clone().oneshot(request).await.expect("infallible");
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("a body").to_bytes();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        let answer = Answer { status: parts.status, headers: parts.headers, text, body };
        described::check(&method, &path, &answer);
        answer
    }

    /// A service that reaches its counters through a proxy, with which the test injects faults.
    pub async fn with_faulty_counters() -> (Self, faults::Faults) {
        let mut cloud = cloud().await;
        let faults = faults::Faults::before(&cloud.endpoints.dynamodb).await;
        let client = local::cloud::clients::dynamodb_client(&faults.address);
        cloud.counters = Counters::named(client, &cloud.tables[2]);
        let service = Self::over(cloud).await;
        service.register([]).await;
        (service, faults)
    }
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// A required header whose value is a whole number.
    pub fn number(&self, name: &str) -> i64 {
        let value = self.header(name).unwrap_or_else(|| panic!("no {name} in {self:?}"));
        value.parse().unwrap_or_else(|_| panic!("{name}: {value}"))
    }

    /// The slug of a problem: the last segment of its type.
    pub fn slug(&self) -> &str {
        let kind = self.body["type"].as_str().unwrap_or_default();
        kind.rsplit('/').next().unwrap_or_default()
    }

    pub fn detail(&self) -> &str {
        self.body["detail"].as_str().unwrap_or_default()
    }

    /// The member `name` of every item of a list.
    pub fn names(&self) -> Vec<&str> {
        let items = self.body["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        items.iter().filter_map(|it| it["name"].as_str()).collect()
    }
}

/// Adds a key as bearer token.
pub fn bearing(key: &str, request: http::request::Builder) -> http::request::Builder {
    request.header(header::AUTHORIZATION, format!("Bearer {key}"))
}

/// Sets the address of the client.
pub fn from(address: &str, request: http::request::Builder) -> http::request::Builder {
    request.extension(ClientAddress(address.parse().expect("an address")))
}

/// An active company with number and name only. Tests add the members that they are about.
pub fn company(uid: &str, name: &str) -> Company {
    let uid: Uid = uid.parse().expect("a company number");
    let mut company = Company::new(uid, name);
    company.status = Some(domain::Status::Active);
    company
}

/// The facts of publications, all of which must be readable.
pub fn read_publications(publications: &[Publication]) -> Batch {
    let file: Vec<Value> = publications.iter().map(Publication::json).collect();
    let batch = sources::read(Source::Shab, Value::from(file).to_string().as_bytes());
    let batch = batch.expect("json");
    assert_eq!(
        (batch.statements.len(), batch.rejected.len()),
        (publications.len(), 0),
        "{batch:?}"
    );
    batch
}

/// A request of this method to this path.
pub fn request(method: &Method, path: &str) -> http::request::Builder {
    Request::builder().method(method.clone()).uri(path)
}
