use generations::Generations;
use http_service::Middleware;
use objects::Objects;
use screening_results::CompanyScreenings;
use search_read::State;
use store::{Registry, Tenants};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// On Lambda, a process handles one request at a time and has less than one core.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let aws = aws::load().await;
    let tables = store::client(&aws);
    let objects = Objects::from_env(objects::client(&aws));
    let middleware = Middleware::from_env(&aws, tables.clone()).await;
    let state = State {
        registry: Registry::from_env(tables.clone()),
        tenants: Tenants::from_env(tables),
        generations: Generations::from_env(objects.clone()),
        screened: CompanyScreenings::new(objects),
        clock: middleware.clock.clone(),
        public_url: middleware.public_url.clone(),
    };
    http_service::serve(middleware, search_read::api(state)).await
}
