use generations::Generations;
use objects::Objects;
use search_read::State;
use store::Registry;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let tables = store::client_from_env().await;
    let objects = Objects::from_env(objects::client_from_env().await);
    let registry = Registry::from_env(tables.clone());
    let state = State { registry, generations: Generations::from_env(objects) };
    http_service::serve(http_service::Frame::from_env(tables), search_read::api(state)).await
}
