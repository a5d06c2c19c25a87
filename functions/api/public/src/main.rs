use generations::Generations;
use http_service::Frame;
use objects::Objects;
use public::State;
use store::Registry;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let tables = store::client_from_env().await;
    let objects = Objects::from_env(objects::client_from_env().await);
    let frame = Frame::from_env(tables.clone());
    let state = State {
        registry: Registry::from_env(tables),
        generations: Generations::from_env(objects),
        clock: frame.clock.clone(),
        public_url: frame.public_url.clone(),
    };
    http_service::serve(frame, public::api(state)).await
}
