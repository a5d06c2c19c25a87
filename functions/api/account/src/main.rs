use account::{AllowedOrigins, SessionIssuer, SsoKeys, State};
use generations::Generations;
use http_service::Middleware;
use jobs::Queue;
use network::dns::Dns;
use objects::Objects;
use outgoing::{mail::OutgoingMail, webhooks::WebhookSender};
use store::{Counters, Registry, Tenants};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// On Lambda, a process handles one request at a time and has less than one core.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let aws = aws::load().await;
    let tables = store::client(&aws);
    let objects = Objects::from_env(objects::client(&aws));
    let middleware = Middleware::from_env(&aws, tables.clone()).await;
    let tenants = Tenants::from_env(tables.clone());
    let counters = Counters::from_env(tables.clone());
    let state = State {
        sessions: SessionIssuer::from_env(&aws, tenants.clone(), &middleware.public_url),
        outgoing: OutgoingMail::from_env(&aws, tenants.clone(), counters.clone()),
        tenants,
        counters,
        registry: Registry::from_env(tables),
        generations: Generations::from_env(objects),
        clock: middleware.clock.clone(),
        public_url: middleware.public_url.clone(),
        mails: Queue::from_env(jobs::client(&aws)),
        webhooks: WebhookSender::from_env(&aws),
        origins: AllowedOrigins::from_env()?,
        providers: middleware.providers.clone(),
        dns: Dns::system(),
        sso_keys: SsoKeys::from_env(&aws),
    };
    http_service::serve(middleware, account::api(state)).await
}
