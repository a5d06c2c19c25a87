use generations::Generations;
use http_service::Frame;
use objects::Objects;
use standard_read::State;
use store::{Registry, Tenants};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// On Lambda, a process has one request at a time and less than a core.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let aws = aws_environment::load().await;
    let tables = store::client(&aws);
    let objects = Objects::from_env(objects::client(&aws));
    let frame = Frame::from_env(tables.clone());
    let state = State {
        registry: Registry::from_env(tables.clone()),
        tenants: Tenants::from_env(tables),
        generations: Generations::from_env(objects),
        clock: frame.clock.clone(),
        public_url: frame.public_url.clone(),
    };
    http_service::serve(frame, standard_read::api(state)).await
}
