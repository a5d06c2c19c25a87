use account::State;
use generations::Generations;
use http_service::{Clock, Frame};
use objects::Objects;
use store::{Counters, Registry, Tenants};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let tables = store::client_from_env().await;
    let objects = Objects::from_env(objects::client_from_env().await);
    let state = State {
        tenants: Tenants::from_env(tables.clone()),
        counters: Counters::from_env(tables.clone()),
        registry: Registry::from_env(tables.clone()),
        generations: Generations::from_env(objects),
        clock: Clock::system(),
    };
    http_service::serve(Frame::from_env(tables), account::api(state)).await
}
