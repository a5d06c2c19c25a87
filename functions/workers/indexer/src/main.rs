//! Publishes a new generation whenever it is invoked. Its reserved concurrency is 1.

use jiff::Timestamp;
use lambda_runtime::{Error, LambdaEvent, service_fn};
use objects::Objects;
use store::Registry;

#[tokio::main]
async fn main() -> Result<(), Error> {
    telemetry::start("indexer");
    let registry = Registry::from_env(store::client_from_env().await);
    let objects = Objects::from_env(objects::client_from_env().await);
    lambda_runtime::run(service_fn(async |_: LambdaEvent<serde_json::Value>| {
        let manifest =
            indexer::publish(&registry, &objects, &std::env::temp_dir(), Timestamp::now(), |_| ())
                .await?;
        tracing::info!(generation = manifest.id, companies = manifest.companies, "published");
        Ok::<_, Error>(manifest)
    }))
    .await
}
