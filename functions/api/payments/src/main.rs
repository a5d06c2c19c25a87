use billing::PaymentProvider;
use http_service::Middleware;
use payments::State;
use store::Tenants;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// On Lambda, a process handles one request at a time and has less than one core.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let aws = aws::load().await;
    let tables = store::client(&aws);
    let middleware = Middleware::from_env(&aws, tables.clone()).await;
    let state = State {
        tenants: Tenants::from_env(tables),
        provider: PaymentProvider::from_env(&aws)?,
        clock: middleware.clock.clone(),
    };
    http_service::serve(middleware, payments::api(state)).await
}
