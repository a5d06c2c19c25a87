//! A service for tests: its own register, requests and responses, and a clock that the test moves.

pub mod described;
pub mod faults;
pub mod probes;
pub mod sso;
pub mod workers_by_hand;

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use access::{Environment, Role, Scope, Tier};
use account::AllowedOrigins;
use auth::{Secret, TeamId};
use axum::{Router, body::Body};
use billing::PaymentProvider;
use bytes::Bytes;
use components::{Clock, Components};
use domain::{Company, Source, Uid, lists::Minimum};
use emulators::{identity_provider::IdentityProvider, stripe::StripeEmulator};
use fetch::Fetcher;
use generations::{Generations, Manifest};
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use http_service::{ClientAddress, Middleware, Operation, Providers, TrustedProxy};
use jiff::Timestamp;
use jobs::{ExportJob, MailJob};
use kept_results::KeptResults;
use local::{cloud::Cloud, functions::Site, outbox::OutboxMail};
use network::{dns::Dns, outgoing::OutgoingHttp};
use outgoing::{
    mail::Budget,
    webhooks::{KeySecret, WebhookSender},
};
use publications::Publication;
use screening_lists::ScreeningLists;
use screening_results::CompanyScreenings;
use serde_json::Value;
use sources::{Batch, lists::ListFormat};
use store::{Counters, Registry, TeamKey};
use teams::{Verification, Webhook, WebhookState};
use tempfile::TempDir;
use text_model::TextModel;
use tower::ServiceExt;
use uuid::Uuid;

/// The middle of an hour, so that no test runs into the next rate-limit window by accident.
const NOON: &str = "2026-11-20T12:30:00Z";
/// The address of the identity provider in a test.
pub const PROVIDER_URL: &str = "https://login.example";
/// How long the functions wait for it.
pub const PROVIDER_TIMEOUT: Duration = Duration::from_millis(500);
/// The address of the API in a test.
pub const PUBLIC_URL: &str = "https://api.example/api";

/// The secret from which the key of session tokens is derived.
pub const SESSION_SECRET: &str = "the secret of the sessions in tests, which is long";

/// The secret from which the keys are derived that encrypt the client secrets of single sign-on.
pub const SSO_SECRET: &str = "the-secret-of-single-sign-on-in-tests-which-is-long";
/// The secret with which verified API keys are remembered.
pub const API_KEY_SECRET: &str = "the-secret-of-the-memory-of-keys-in-tests-which-is-long";

/// The secret from which the keys of webhooks are derived.
pub const WEBHOOK_SECRET: &str = "the secret of the webhooks in tests, which is long";

/// All API functions with their own tables and bucket, and a clock that only the test moves.
pub struct Service {
    pub cloud: Arc<Cloud>,
    pub generations: Generations,
    /// What its functions and workers use.
    pub components: Components,
    pub operations: Vec<Operation>,
    /// The only host that the functions can reach.
    pub identity_provider: IdentityProvider,
    pub dns_records: DnsRecords,
    router: Router,
    shared: Shared,
    pub downloads: Arc<TempDir>,
    /// The payment provider.
    pub stripe: StripeEmulator,
}

/// The texts of TXT records by name. `None`: the name servers do not answer.
pub type DnsRecords = Arc<Mutex<HashMap<String, Option<Vec<String>>>>>;

/// What the processes of one service share besides the cloud.
#[derive(Clone)]
struct Shared {
    clock: Arc<AtomicI64>,
    identity_provider: IdentityProvider,
    /// Reaches the identity provider.
    http: OutgoingHttp,
    dns_records: DnsRecords,
    look_ups: Arc<AtomicI64>,
    sso_secret: Arc<str>,
    api_key_secret: Arc<str>,
    stripe: StripeEmulator,
    /// Reaches `stripe`.
    payments: PaymentProvider,
    text_model: TextModel,
    mail_budget: Budget,
    keeps_every_analysis: bool,
}

impl Shared {
    fn new() -> Self {
        Self::with_provider(PROVIDER_URL)
    }

    fn with_provider(issuer: &str) -> Self {
        let noon: Timestamp = NOON.parse().expect("a moment");
        let clock = Arc::new(AtomicI64::new(noon.as_millisecond()));
        let time = clock.clone();
        let identity_provider = IdentityProvider::new(issuer, move || moment(&time));
        let http = OutgoingHttp::simulated(identity_provider.router().into_service());
        let stripe = StripeEmulator::start().expect("an emulator");
        let payments = stripe.provider();
        let dns_records = DnsRecords::default();
        let text_model = TextModel::Embedded;
        let mail_budget = Budget::default();
        let (sso_secret, api_key_secret) = (SSO_SECRET.into(), API_KEY_SECRET.into());
        Self {
            clock,
            identity_provider,
            http,
            dns_records,
            look_ups: Arc::default(),
            sso_secret,
            api_key_secret,
            stripe,
            payments,
            text_model,
            mail_budget,
            keeps_every_analysis: false,
        }
    }

    fn dns(&self) -> Dns {
        let (records, look_ups) = (self.dns_records.clone(), self.look_ups.clone());
        Dns::from_fn(move |name| {
            look_ups.fetch_add(1, Ordering::SeqCst);
            let found = records.lock().expect("not poisoned").get(name).cloned();
            let texts = found.unwrap_or_else(|| Some(Vec::new()));
            texts.ok_or_else(|| network::dns::NotAnswered("a fault of the test".to_owned()))
        })
    }
}

fn moment(clock: &AtomicI64) -> Timestamp {
    Timestamp::from_millisecond(clock.load(Ordering::SeqCst)).expect("a moment")
}

/// A user of a test who is signed in.
pub struct SignedInMember {
    pub id: String,
    pub email: String,
    pub token: String,
}

/// The mails of a service.
fn outbox(folder: &Path) -> PathBuf {
    folder.join("outbox")
}

/// What the functions of a test use.
fn components(
    cloud: &Cloud,
    generations: &Generations,
    folder: &Path,
    shared: &Shared,
) -> Components {
    let time = shared.clock.clone();
    let site = Site {
        public_url: PUBLIC_URL.to_owned(),
        session_secret: Secret::new(SESSION_SECRET.to_owned()),
        sso_secret: Secret::new(shared.sso_secret.to_string()),
        api_key_secret: Secret::new(shared.api_key_secret.to_string()),
        webhooks: WebhookSender::new(
            KeySecret::given(Secret::new(WEBHOOK_SECRET.to_owned())),
            OutgoingHttp::with_loopback(),
        ),
        outbox: outbox(folder),
    };
    let components = site
        .components(cloud, generations, &Clock::from_fn(move || moment(&time)))
        .with(shared.mail_budget)
        .with(AllowedOrigins::parse("https://app.example").expect("an origin"))
        .with(Providers::new(shared.http.clone()).with_timeout(PROVIDER_TIMEOUT))
        .with(shared.dns())
        .with(shared.payments.clone())
        .with(shared.text_model.clone());
    if !shared.keeps_every_analysis {
        return components;
    }
    let results = components.get::<KeptResults>();
    components.with(results.keeping_everything())
}

/// A response with its whole body.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// The body as it was sent.
    pub bytes: Bytes,
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
        let downloads = Arc::new(TempDir::new().expect("a folder"));
        Self::process(Arc::new(cloud), Shared::new(), downloads, None)
    }

    /// A service with an empty register, and an identity provider at this address.
    pub async fn with_provider(issuer: &str) -> Self {
        let downloads = Arc::new(TempDir::new().expect("a folder"));
        let shared = Shared::with_provider(issuer);
        let service = Self::process(Arc::new(cloud().await), shared, downloads, None);
        service.register([]).await;
        service
    }

    /// A service at the time of the machine, whose functions reach providers on this machine.
    pub async fn reaching_this_machine() -> Self {
        let mut shared = Shared::new();
        shared.http = OutgoingHttp::with_loopback();
        let downloads = Arc::new(TempDir::new().expect("a folder"));
        let service = Self::process(Arc::new(cloud().await), shared, downloads, None);
        service.register([]).await;
        let now = Clock::system().now();
        service.pass_seconds(now.as_second() - service.now().as_second());
        service
    }

    /// The function `public` alone, as Lambda runs it.
    pub async fn public_function() -> Self {
        let mut service = Self::start().await;
        let components = service.components.clone().with(Clock::system());
        let middleware = Middleware::new(&components);
        service.router = http_service::service(middleware, [public::api(&components)]);
        service
    }

    /// Another process over the same tables and bucket. It shares no memory with this one.
    pub fn second_process(&self) -> Self {
        Self::process(self.cloud.clone(), self.shared.clone(), self.downloads.clone(), None)
    }

    /// Another process over the same tables and bucket, with this payment provider.
    pub fn with_payments(&self, payments: PaymentProvider) -> Self {
        let shared = Shared { payments, ..self.shared.clone() };
        Self::process(self.cloud.clone(), shared, self.downloads.clone(), None)
    }

    /// Another process over the same tables and bucket, with this text model.
    pub fn with_text_model(&self, text_model: TextModel) -> Self {
        let shared = Shared { text_model, ..self.shared.clone() };
        Self::process(self.cloud.clone(), shared, self.downloads.clone(), None)
    }

    /// Another process over the same tables and bucket, of a deployment that sends so many mails.
    pub fn with_mail_budget(&self, mail_budget: Budget) -> Self {
        let shared = Shared { mail_budget, ..self.shared.clone() };
        Self::process(self.cloud.clone(), shared, self.downloads.clone(), None)
    }

    /// Another process over the same tables and bucket, which keeps every analysis, however quick.
    pub fn keeping_every_analysis(&self) -> Self {
        let shared = Shared { keeps_every_analysis: true, ..self.shared.clone() };
        Self::process(self.cloud.clone(), shared, self.downloads.clone(), None)
    }

    /// The worker that stores what is reported about mails.
    pub fn feedback_worker(&self) -> mail_feedback::Worker {
        self.components.get()
    }

    /// Another process over the same tables and bucket, with this secret of single sign-on.
    pub fn with_sso_secret(&self, secret: &str) -> Self {
        let shared = Shared { sso_secret: secret.into(), ..self.shared.clone() };
        Self::process(self.cloud.clone(), shared, self.downloads.clone(), None)
    }

    /// Another process over the same tables and bucket, which remembers API keys with this secret.
    pub fn with_api_key_secret(&self, secret: &str) -> Self {
        let shared = Shared { api_key_secret: secret.into(), ..self.shared.clone() };
        Self::process(self.cloud.clone(), shared, self.downloads.clone(), None)
    }

    /// The worker that writes dossiers.
    pub fn dossier_worker(&self) -> dossiers::Worker {
        let screened = CompanyScreenings::new(self.cloud.objects.clone());
        dossiers::Worker { screened, ..self.components.get() }
    }

    /// Another process over the same tables and bucket, which trusts a proxy.
    pub fn with_trusted_proxy(&self, proxy: TrustedProxy) -> Self {
        let (cloud, shared) = (self.cloud.clone(), self.shared.clone());
        Self::process(cloud, shared, self.downloads.clone(), Some(proxy))
    }

    fn process(
        cloud: Arc<Cloud>,
        shared: Shared,
        downloads: Arc<TempDir>,
        proxy: Option<TrustedProxy>,
    ) -> Self {
        let generations = Generations::new(cloud.objects.clone(), downloads.path());
        let components = components(&cloud, &generations, downloads.path(), &shared);
        let middleware = Middleware::new(&components).with_trusted_proxy(proxy);
        let mut apis = local::functions::apis(&components);
        let operations = apis.iter().flat_map(|it| it.operations()).cloned().collect();
        apis.push(probes::api());
        let router = http_service::service(middleware, apis);
        let Shared { identity_provider, dns_records, stripe, .. } = shared.clone();
        Self {
            cloud,
            generations,
            components,
            operations,
            identity_provider,
            dns_records,
            router,
            shared,
            downloads,
            stripe,
        }
    }

    /// Puts companies into the register and publishes a generation that includes them.
    pub async fn register(&self, companies: impl IntoIterator<Item = Company>) {
        let companies = companies.into_iter().collect();
        self.cloud.registry.put_companies(companies).await.expect("stored");
        self.publish().await;
    }

    /// Publishes a generation of the registry and opens it.
    pub async fn publish(&self) -> Manifest {
        let (registry, objects) = (&self.cloud.registry, &self.cloud.objects);
        let publish =
            indexer::publish(registry, objects, self.downloads.path(), self.now(), |_| ());
        // On the heap, as the stack of a test's thread is small.
        let manifest = Box::pin(publish).await.expect("published");
        self.generations.refresh().await.expect("opened");
        manifest
    }

    /// Ingests the records that a reader found in a file of a source.
    pub async fn ingest(&self, source: Source, batch: Batch) -> ingest::Report {
        let (registry, objects) = (&self.cloud.registry, &self.cloud.objects);
        let ingest = ingest::ingest(registry, objects, source, batch, self.now());
        Box::pin(ingest).await.expect("ingested")
    }

    /// Ingests publications of the gazette and publishes a generation that includes them.
    pub async fn ingest_publications(&self, publications: impl IntoIterator<Item = Publication>) {
        let publications: Vec<Publication> = publications.into_iter().collect();
        self.ingest(Source::Shab, read_publications(&publications)).await;
        self.publish().await;
    }

    /// Publishes screening lists of the readers' tests.
    pub async fn publish_lists(&self) {
        let lists: [(ListFormat, &[u8]); 4] = [
            (
                ListFormat::Seco,
                include_bytes!("../../shared/rules/sources/fixtures/lists/seco.xml"),
            ),
            (
                ListFormat::FollowTheMoney,
                include_bytes!("../../shared/rules/sources/fixtures/lists/entities.ftm.json"),
            ),
            (
                ListFormat::FinmaWarning,
                include_bytes!("../../shared/rules/sources/fixtures/lists/finma_warning.json"),
            ),
            (
                ListFormat::FinmaAuthorised,
                include_bytes!("../../shared/rules/sources/fixtures/lists/finma_authorised.csv"),
            ),
        ];
        for (format, bytes) in lists {
            let (objects, bytes) = (&self.cloud.objects, Bytes::from_static(bytes));
            let imported = screening_updates::import(objects, format, bytes, None, self.now());
            imported.await.expect("published");
        }
    }

    pub fn now(&self) -> Timestamp {
        moment(&self.shared.clock)
    }

    /// Number of names that were looked up.
    pub fn look_ups(&self) -> i64 {
        self.shared.look_ups.load(Ordering::SeqCst)
    }

    /// Moves the clock forward.
    pub fn pass_seconds(&self, seconds: i64) {
        self.shared.clock.fetch_add(seconds * 1_000, Ordering::SeqCst);
    }

    /// Moves the clock to this time.
    pub fn move_to(&self, time: &str) {
        let time: Timestamp = time.parse().expect("a time");
        self.pass_seconds(time.as_second() - self.now().as_second());
    }

    /// A live key with all scopes, of a new team of this tier.
    pub async fn key(&self, tier: Tier) -> String {
        let team = self.team(tier).await;
        self.key_of(&team, Environment::Live, &Scope::ALL).await
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

    /// The token of a session of a new member of a team.
    pub async fn session(&self, team: &TeamId, role: Role) -> String {
        self.member(team, role).await.token
    }

    /// A new user who is a member of a team.
    pub async fn member(&self, team: &TeamId, role: Role) -> SignedInMember {
        let id = Uuid::now_v7().to_string();
        let email = format!("{}@example.ch", Uuid::new_v4().simple());
        let (tenants, now) = (&self.cloud.tenants, self.now());
        local::teams::create_user(tenants, &id, &email, now).await.expect("a user");
        local::teams::add_member(tenants, team, &id, role, now).await.expect("a member");
        let token = self.session_of(team, &id).await;
        SignedInMember { id, email, token }
    }

    /// The token of a new session of a user.
    pub async fn session_of(&self, team: &TeamId, user: &str) -> String {
        let tenants = &self.cloud.tenants;
        let issuer = self.components.get();
        let token = local::teams::create_session(tenants, &issuer, team, user, self.now());
        token.await.expect("a session")
    }

    /// The directory of the mails that were sent.
    pub fn outbox(&self) -> PathBuf {
        outbox(self.downloads.path())
    }

    /// The mails that were sent, newest first.
    pub fn mails(&self) -> Vec<OutboxMail> {
        local::outbox::mails(&self.outbox()).expect("the outbox")
    }

    /// The worker that sends notifications by e-mail.
    pub fn mail_worker(&self) -> notification_mails::Worker {
        self.components.get()
    }

    /// Sends the mails whose jobs wait.
    pub async fn run_mails(&self) {
        let worker = self.mail_worker();
        let last = MailJob::TellOwners { team: TeamId("nobody".into()) };
        for job in workers_by_hand::waiting(&self.cloud.mails_queue, &last).await {
            worker.handle(job, self.now()).await.expect("sent");
        }
    }

    /// The worker that writes the files of exports.
    pub fn export_worker(&self) -> bulk_export::Worker {
        self.components.get()
    }

    /// Writes the files of all exports whose jobs wait.
    pub async fn run_exports(&self) {
        let worker = self.export_worker();
        for job in workers_by_hand::waiting(&self.cloud.exports_queue, &ExportJob::Sweep).await {
            worker.handle(job, self.now()).await.expect("exported");
        }
    }

    /// The worker that notifies of changes.
    pub fn delivery_worker(&self) -> delivery::Worker {
        delivery::Worker { assessments: self.assessments(), ..self.components.get() }
    }

    /// What assessments read.
    pub fn assessments(&self) -> company_reader::Sources {
        let screened = CompanyScreenings::new(self.cloud.objects.clone());
        company_reader::Sources { screened, ..self.components.get() }
    }

    /// The worker that makes the deliveries of webhooks. It leaves what is not due yet to the scheduler.
    pub fn webhook_worker(&self) -> webhooks::Worker {
        webhooks::Worker { longest_wait: Duration::ZERO, ..self.components.get() }
    }

    /// Stores that the receiver of a webhook has proven itself, as after it has returned a challenge.
    pub async fn prove_receiver(&self, team: &TeamKey, webhook: &str) {
        let tenants = &self.cloud.tenants;
        let stored = tenants.resource::<Webhook>(team, webhook).await.expect("read");
        let proof = Verification::proven(&stored.expect("a webhook").url, self.now());
        let change = |it: &mut WebhookState| it.verification = Some(proof.clone());
        tenants.change_webhook_state(team, webhook, change).await.expect("stored");
    }

    /// The worker that ingests.
    pub fn ingest_worker(&self, fetcher: Fetcher) -> ingest::Worker {
        ingest::Worker { fetcher, ..self.components.get() }
    }

    /// The worker that updates the screening lists. It accepts lists of any size.
    pub fn list_worker(&self, fetcher: Fetcher) -> screening_updates::Worker {
        screening_updates::Worker {
            fetcher,
            lists: ScreeningLists::checked_every(self.cloud.objects.clone(), Duration::ZERO),
            minimum: |_| Minimum { entries: 1, active: 1 },
            blocks_per_part: 1,
            ..self.components.get()
        }
    }

    /// Deletes a generation, as when it is too old to be kept.
    pub async fn delete_generation(&self, id: &str) {
        let folder = format!("generations/{}/{id}/", generations::Layout::PRESENT.0);
        for key in self.cloud.objects.keys(&folder).await.expect("listed") {
            self.cloud.objects.delete(&key).await.expect("deleted");
        }
    }

    /// The worker that sends what is due.
    pub fn scheduler(&self) -> scheduler::Worker {
        self.components.get()
    }

    /// Erases what waits to be erased, until nothing is left: once now, and once when no process can still write.
    pub async fn erase(&self) {
        for seconds in [0, 24 * 3_600] {
            self.pass_seconds(seconds);
            self.scheduler().handle(jobs::ScheduleJob::Erase, self.now()).await.expect("erased");
        }
    }

    /// The worker that runs searches.
    pub fn search_worker(&self) -> saved_searches::Worker {
        self.components.get()
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

    /// Sends a PUT request with a JSON body and a token.
    pub async fn put_as(&self, key: &str, path: &str, body: Value) -> Answer {
        let request =
            bearing(key, Request::put(path)).header(header::CONTENT_TYPE, "application/json");
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

    /// All functions, as one service.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// Sends a request unchanged, and checks that the response conforms to the OpenAPI description.
    pub async fn answer(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.router.clone().oneshot(request).await.expect("infallible");
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("a body").to_bytes();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        let answer = Answer { status: parts.status, headers: parts.headers, bytes, text, body };
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

    /// A service whose registry is behind a proxy that injects faults.
    pub async fn with_faulty_registry() -> (Self, faults::Faults) {
        let mut cloud = cloud().await;
        let faults = faults::Faults::before(&cloud.endpoints.dynamodb).await;
        let client = local::cloud::clients::dynamodb_client(&faults.address);
        cloud.registry = Registry::named(client, &cloud.tables[0]);
        (Self::over(cloud).await, faults)
    }
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The path and query in the header `Link`.
    pub fn next(&self) -> Option<String> {
        let link = self.header("link")?.strip_prefix('<')?.split_once('>')?.0;
        link.strip_prefix(PUBLIC_URL).map(str::to_owned)
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

/// The token of the link in a mail.
pub fn link_token(mail: &OutboxMail) -> String {
    let (_, rest) = mail.text.split_once("/verify?token=").expect("a link");
    rest.split_whitespace().next().expect("a token").to_owned()
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

/// An active company in a canton.
pub fn in_canton(uid: &str, name: &str, canton: &str) -> Company {
    let mut company = company(uid, name);
    company.canton = canton.parse().ok();
    company
}

/// A company in Zürich with this number.
pub fn in_zurich(number: u32) -> Company {
    in_canton(&format!("CHE-{}", 600_000_100 + number), &format!("Zürcher {number} AG"), "ZH")
}

/// The live partition of a team, for a test that stores or reads what no request does.
pub fn operator(team: TeamId) -> TeamKey {
    operator_in(team, Environment::Live)
}

/// The partition of a team in one of its environments, for such a test.
#[expect(clippy::disallowed_methods, reason = "no request is served here")]
pub fn operator_in(team: TeamId, environment: Environment) -> TeamKey {
    TeamKey::as_operator(team, environment)
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
