use account::State;
use generations::Generations;
use http_service::{Clock, Middleware};
use objects::Objects;
use store::{Counters, Registry, Tenants};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// On Lambda, a process handles one request at a time and has less than one core.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let aws = aws_environment::load().await;
    let tables = store::client(&aws);
    let objects = Objects::from_env(objects::client(&aws));
    let state = State {
        tenants: Tenants::from_env(tables.clone()),
        counters: Counters::from_env(tables.clone()),
        registry: Registry::from_env(tables.clone()),
        generations: Generations::from_env(objects),
        clock: Clock::system(),
    };
    http_service::serve(Middleware::from_env(tables), account::api(state)).await
}
