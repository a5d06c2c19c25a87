use http_service::Frame;
use public::State;
use store::Registry;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let tables = store::client_from_env().await;
    let state = State { registry: Registry::from_env(tables.clone()) };
    http_service::serve(&Frame::from_env(tables), public::api(state)).await
}
