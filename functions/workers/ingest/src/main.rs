//! Reads one object of the bucket, a file of a source, into the registry.

use generations::Generations;
use ingest::resolve;
use jiff::Timestamp;
use lambda_runtime::{Error, LambdaEvent, service_fn};
use objects::Objects;
use serde::Deserialize;
use sources::{Mention, Source};
use store::Registry;

/// What the invocation names.
#[derive(Deserialize)]
struct File {
    source: Source,
    /// The key of the file in the bucket.
    key: String,
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    telemetry::start("ingest");
    let registry = Registry::from_env(store::client_from_env().await);
    let objects = Objects::from_env(objects::client_from_env().await);
    let generations = Generations::from_env(objects.clone());
    lambda_runtime::run(service_fn(async |event: LambdaEvent<File>| {
        read(&registry, &objects, &generations, event.payload).await
    }))
    .await
}

async fn read(
    registry: &Registry,
    objects: &Objects,
    generations: &Generations,
    File { source, key }: File,
) -> Result<ingest::Report, Error> {
    let bytes = objects.get(&key).await?.ok_or(objects::Error::Missing(key))?;
    let read = resolve::read(source, &bytes)?;
    let generation = match read.is_naming() {
        true => resolve::generation(generations).await?,
        false => None,
    };
    let find = async |it: &Mention| resolve::company(generation.as_deref(), registry, it).await;
    let batch = read.resolved(find).await?;
    let report = ingest::ingest(registry, objects, source, batch, Timestamp::now()).await?;
    tracing::info!(%source, ?report, "ingested");
    Ok(report)
}
