use generations::Generations;
use objects::Objects;
use search_read::State;
use store::Registry;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let aws = aws_environment::load().await;
    let tables = store::client(&aws);
    let objects = Objects::from_env(objects::client(&aws));
    let registry = Registry::from_env(tables.clone());
    let state = State { registry, generations: Generations::from_env(objects) };
    http_service::serve(http_service::Frame::from_env(tables), search_read::api(state)).await
}
