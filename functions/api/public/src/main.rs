use generations::Generations;
use http_service::Frame;
use objects::Objects;
use public::State;
use store::Registry;

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
        registry: Registry::from_env(tables),
        generations: Generations::from_env(objects),
        clock: frame.clock.clone(),
        public_url: frame.public_url.clone(),
    };
    http_service::serve(frame, public::api(state)).await
}
