use bulk::State;
use generations::Generations;
use http_service::Middleware;
use jobs::Queue;
use objects::Objects;
use screening_lists::{Retention, ScreeningLists};
use screening_results::CompanyScreenings;
use store::{Counters, Registry, Tenants};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// On Lambda, a process handles one request at a time and has hardly more than one core.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let aws = aws::load().await;
    let tables = store::client(&aws);
    let objects = Objects::from_env(objects::client(&aws));
    let middleware = Middleware::from_env(&aws, tables.clone()).await;
    let state = State {
        registry: Registry::from_env(tables.clone()),
        tenants: Tenants::from_env(tables.clone()),
        counters: Counters::from_env(tables),
        generations: Generations::from_env(objects.clone()),
        screened: CompanyScreenings::new(objects.clone()),
        lists: ScreeningLists::new(objects.clone()),
        objects,
        exports: Queue::from_env(jobs::client(&aws)),
        retention: Retention::from_env()?,
        clock: middleware.clock.clone(),
    };
    http_service::serve(middleware, bulk::api(state)).await
}
