use account::State;
use http_service::{Clock, Frame};
use store::{Counters, Tenants};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let tables = store::client_from_env().await;
    let state = State {
        tenants: Tenants::from_env(tables.clone()),
        counters: Counters::from_env(tables.clone()),
        clock: Clock::system(),
    };
    http_service::serve(&Frame::from_env(tables), account::api(state)).await
}
