//! The embedded DynamoDB and S3, over HTTP on the loopback: the functions reach them through the AWS
//! SDK, as in the cloud.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, KeySchemaElement, KeyType, ScalarAttributeType,
    TimeToLiveSpecification,
};
use aws_sdk_s3::types::{BucketLocationConstraint, CreateBucketConfiguration};
use dynoxide::Database;
use hyper_util::rt::{TokioExecutor, TokioIo};
use objects::Objects;
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use store::{
    Counters, Registry, Tenants,
    table::{EXPIRES, PARTITION, SORT},
};
use tempfile::TempDir;
use tokio::net::TcpListener;
use uuid::Uuid;

use crate::{Stop, directory::Endpoints};

/// The region and the credentials that the emulators take, ours and others.
pub const REGION: &str = "eu-central-2";
pub const ACCESS_KEY: &str = "test";
pub const SECRET_KEY: &str = "test";

/// The tables, by the names that `template.yaml` gives them.
pub const TABLES: [&str; 3] = ["registry", "tenants", "counters"];
/// The bucket. S3 wants a folder of that name below its root.
pub const BUCKET: &str = "gotthard";

/// A small cloud of one's own, gone when it is dropped.
pub struct Cloud {
    pub dynamodb: String,
    pub s3: String,
    /// The names of the tables, in the order of [`TABLES`].
    pub tables: [String; 3],
    pub registry: Registry,
    pub tenants: Tenants,
    pub counters: Counters,
    pub objects: Objects,
    _folder: Option<TempDir>,
}

impl Cloud {
    /// A cloud that lives in memory, but for the bucket's temporary folder.
    pub async fn in_memory() -> Result<Self, Stop> {
        let folder = TempDir::new().map_err(|it| Stop::because("a temporary folder", it))?;
        let database = Database::memory().map_err(|it| Stop::because("the database", it))?;
        let mut cloud = Self::embedded(database, &folder.path().join("s3")).await?;
        cloud._folder = Some(folder);
        Ok(cloud)
    }

    /// A cloud whose tables and bucket live in a folder, and the database below the tables.
    pub async fn in_folder(folder: &Path) -> Result<(Self, Database), Stop> {
        let file: PathBuf = folder.join("dynamodb.sqlite");
        let database = Database::new(&file.to_string_lossy())
            .map_err(|it| Stop::because(&file.to_string_lossy(), it))?;
        Ok((Self::embedded(database.clone(), &folder.join("s3")).await?, database))
    }

    /// A cloud in an emulator that runs elsewhere, under names that nothing there has yet.
    pub async fn elsewhere(endpoint: &str) -> Result<Self, Stop> {
        let id = Uuid::new_v4();
        let bucket = format!("{BUCKET}-{id}");
        let location = CreateBucketConfiguration::builder()
            .location_constraint(BucketLocationConstraint::from(REGION))
            .build();
        let made = s3_client(endpoint).create_bucket().bucket(&bucket);
        made.create_bucket_configuration(location).send().await.map_err(failed)?;
        let tables = TABLES.map(|it| format!("{it}-{id}"));
        Self::over([endpoint, endpoint].map(str::to_owned), tables, &bucket).await
    }

    async fn embedded(database: Database, bucket_root: &Path) -> Result<Self, Stop> {
        std::fs::create_dir_all(bucket_root.join(BUCKET))
            .map_err(|it| Stop::because(&bucket_root.to_string_lossy(), it))?;
        let endpoints = [serve_dynamodb(database).await?, serve_s3(bucket_root).await?];
        Self::over(endpoints, TABLES.map(str::to_owned), BUCKET).await
    }

    async fn over(
        [dynamodb, s3]: [String; 2],
        tables: [String; 3],
        bucket: &str,
    ) -> Result<Self, Stop> {
        let client = dynamodb_client(&dynamodb);
        create_tables(&client, &tables).await?;
        let [registry, tenants, counters] = &tables;
        Ok(Self {
            registry: Registry::named(client.clone(), registry),
            tenants: Tenants::named(client.clone(), tenants),
            counters: Counters::named(client, counters),
            objects: Objects::named(s3_client(&s3), bucket),
            tables,
            dynamodb,
            s3,
            _folder: None,
        })
    }
}

/// Forgets expired items now and then, as DynamoDB does. The embedded one leaves that to us.
pub fn sweep_in_background(database: Database) {
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_secs(60)).await;
            let database = database.clone();
            let swept = tokio::task::spawn_blocking(move || database.sweep_ttl()).await;
            if let Ok(Err(failure)) = swept {
                tracing::warn!(%failure, "expired items were not swept");
            }
        }
    });
}

/// The environment in which a function, or any tool of AWS, finds the emulators: what the template
/// sets of a function's own, and what Lambda sets beside it.
pub fn environment(endpoints: &Endpoints, public_url: &str) -> Vec<(&'static str, String)> {
    vec![
        ("AWS_ENDPOINT_URL_DYNAMODB", endpoints.dynamodb.clone()),
        ("AWS_ENDPOINT_URL_S3", endpoints.s3.clone()),
        ("AWS_REGION", REGION.to_owned()),
        ("AWS_ACCESS_KEY_ID", ACCESS_KEY.to_owned()),
        ("AWS_SECRET_ACCESS_KEY", SECRET_KEY.to_owned()),
        (Registry::VARIABLE, TABLES[0].to_owned()),
        (Tenants::VARIABLE, TABLES[1].to_owned()),
        (Counters::VARIABLE, TABLES[2].to_owned()),
        ("BUCKET", BUCKET.to_owned()),
        ("PUBLIC_URL", public_url.to_owned()),
    ]
}

/// A client of a DynamoDB at this address.
pub fn dynamodb_client(endpoint: &str) -> aws_sdk_dynamodb::Client {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(aws_sdk_dynamodb::config::BehaviorVersion::latest())
        .region(aws_sdk_dynamodb::config::Region::new(REGION))
        .endpoint_url(endpoint)
        .credentials_provider(aws_sdk_dynamodb::config::Credentials::new(
            ACCESS_KEY, SECRET_KEY, None, None, "local",
        ));
    aws_sdk_dynamodb::Client::from_conf(config.build())
}

/// A client of an S3 at this address.
pub fn s3_client(endpoint: &str) -> aws_sdk_s3::Client {
    let config = aws_sdk_s3::Config::builder()
        .behavior_version(aws_sdk_s3::config::BehaviorVersion::latest())
        .region(aws_sdk_s3::config::Region::new(REGION))
        .endpoint_url(endpoint)
        .force_path_style(true)
        .credentials_provider(aws_sdk_s3::config::Credentials::new(
            ACCESS_KEY, SECRET_KEY, None, None, "local",
        ));
    aws_sdk_s3::Client::from_conf(config.build())
}

async fn listener() -> Result<(TcpListener, String), Stop> {
    let bound = TcpListener::bind("127.0.0.1:0").await;
    let listener = bound.map_err(|it| Stop::because("a port of the loopback", it))?;
    let address = listener.local_addr().map_err(|it| Stop::because("a port", it))?;
    Ok((listener, format!("http://{address}")))
}

async fn serve_dynamodb(database: Database) -> Result<String, Stop> {
    let (listener, address) = listener().await?;
    let forever = std::future::pending();
    tokio::spawn(dynoxide::server::serve_with_shutdown(listener, database, forever));
    Ok(address)
}

async fn serve_s3(root: &Path) -> Result<String, Stop> {
    let (listener, address) = listener().await?;
    let files = s3s_fs::FileSystem::new(root)
        .map_err(|it| Stop::because("the bucket", format!("{it:?}")))?;
    let mut service = S3ServiceBuilder::new(files);
    service.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
    let service = service.build();
    tokio::spawn(async move {
        let connections = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
        while let Ok((socket, _)) = listener.accept().await {
            let service = service.clone();
            let connections = connections.clone();
            tokio::spawn(async move {
                // A connection that breaks off is its client's concern.
                let _ = connections.serve_connection(TokioIo::new(socket), service).await;
            });
        }
    });
    Ok(address)
}

async fn create_tables(client: &aws_sdk_dynamodb::Client, names: &[String; 3]) -> Result<(), Stop> {
    let there = client.list_tables().send().await.map_err(failed)?.table_names.unwrap_or_default();
    for name in names {
        if there.contains(name) {
            continue;
        }
        let mut table =
            client.create_table().table_name(name).billing_mode(BillingMode::PayPerRequest);
        for (attribute, kind) in [(PARTITION, KeyType::Hash), (SORT, KeyType::Range)] {
            let key = KeySchemaElement::builder().attribute_name(attribute).key_type(kind);
            let definition = AttributeDefinition::builder()
                .attribute_name(attribute)
                .attribute_type(ScalarAttributeType::S);
            table = table
                .key_schema(key.build().map_err(failed)?)
                .attribute_definitions(definition.build().map_err(failed)?);
        }
        table.send().await.map_err(failed)?;
        let expiry = TimeToLiveSpecification::builder().attribute_name(EXPIRES).enabled(true);
        let expiry = expiry.build().map_err(failed)?;
        let request = client.update_time_to_live().table_name(name);
        request.time_to_live_specification(expiry).send().await.map_err(failed)?;
    }
    Ok(())
}

fn failed(cause: impl std::error::Error) -> Stop {
    Stop::because("the tables", aws_sdk_s3::error::DisplayErrorContext(cause))
}
