//! The embedded DynamoDB, S3 and SQS, over HTTP on the loopback: the functions reach them through the AWS
//! SDK, as in the cloud.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use aws_environment::SdkConfig;
use aws_sdk_dynamodb::{
    config::{
        BehaviorVersion, ConfigBag, Credentials, Intercept, Region, RuntimeComponents,
        SharedCredentialsProvider, interceptors::BeforeTransmitInterceptorContextMut,
    },
    error::BoxError,
    types::{
        AttributeDefinition, BillingMode, KeySchemaElement, KeyType, ScalarAttributeType,
        TimeToLiveSpecification, TimeToLiveStatus,
    },
};
use aws_sdk_s3::types::{BucketLocationConstraint, CreateBucketConfiguration};
use aws_sdk_sqs::types::QueueAttributeName;
use dynoxide::Database;
use hyper_util::rt::{TokioExecutor, TokioIo};
use jobs::{IndexJob, IngestJob, Message, Queue};
use objects::Objects;
use queue_emulator::Queues;
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

/// The queues, by the names that `template.yaml` gives them. What is received too often goes to the
/// dead letters of its queue, `…-dead-letters`.
pub const QUEUES: [&str; 2] = ["ingest", "index"];
/// How often a message is received before it is a dead letter, and for how long it is hidden from
/// others meanwhile, in seconds: as in `template.yaml`, but for the time, in which nothing takes long here.
const RECEIVES: u32 = 5;
const HIDDEN: u32 = 300;

/// A small cloud of one's own, gone when it is dropped.
pub struct Cloud {
    pub dynamodb: String,
    pub s3: String,
    pub sqs: String,
    pub ingest_queue: Queue<IngestJob>,
    pub index_queue: Queue<IndexJob>,
    /// The names of the tables, in the order of [`TABLES`].
    pub tables: [String; 3],
    pub bucket: String,
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
        let cloud = Self::embedded(database.clone(), &folder.join("s3")).await?;
        let_expire(&dynamodb_client(&cloud.dynamodb), &cloud.tables).await?;
        Ok((cloud, database))
    }

    /// A cloud in an emulator that runs elsewhere, under names that nothing there has yet. Nothing
    /// expires: that emulator's clock is not the test's, whose items may long be old for it.
    pub async fn elsewhere(endpoint: &str) -> Result<Self, Stop> {
        let id = Uuid::new_v4();
        let bucket = format!("{BUCKET}-{id}");
        let location = CreateBucketConfiguration::builder()
            .location_constraint(BucketLocationConstraint::from(REGION))
            .build();
        let made = s3_client(endpoint).create_bucket().bucket(&bucket);
        made.create_bucket_configuration(location).send().await.map_err(failed)?;
        let tables = TABLES.map(|it| format!("{it}-{id}"));
        let queues = QUEUES.map(|it| format!("{it}-{id}"));
        let client = dynamodb_client(endpoint);
        Self::over(client, [endpoint; 3].map(str::to_owned), tables, &bucket, queues).await
    }

    async fn embedded(database: Database, bucket_root: &Path) -> Result<Self, Stop> {
        std::fs::create_dir_all(bucket_root.join(BUCKET))
            .map_err(|it| Stop::because(&bucket_root.to_string_lossy(), it))?;
        let endpoints =
            [serve_dynamodb(database).await?, serve_s3(bucket_root).await?, serve_sqs().await?];
        let (tables, queues) = (TABLES.map(str::to_owned), QUEUES.map(str::to_owned));
        let client = embedded_dynamodb_client(&endpoints[0]);
        Self::over(client, endpoints, tables, BUCKET, queues).await
    }

    async fn over(
        client: aws_sdk_dynamodb::Client,
        [dynamodb, s3, sqs]: [String; 3],
        tables: [String; 3],
        bucket: &str,
        queues: [String; 2],
    ) -> Result<Self, Stop> {
        let queue_client = sqs_client(&sqs);
        let [ingest_queue, index_queue] = create_queues(&queue_client, &queues).await?;
        create_tables(&client, &tables).await?;
        let [registry, tenants, counters] = &tables;
        Ok(Self {
            registry: Registry::named(client.clone(), registry),
            tenants: Tenants::named(client.clone(), tenants),
            counters: Counters::named(client, counters),
            objects: Objects::named(s3_client(&s3), bucket),
            ingest_queue: Queue::new(queue_client.clone(), ingest_queue),
            index_queue: Queue::new(queue_client, index_queue),
            tables,
            bucket: bucket.to_owned(),
            dynamodb,
            s3,
            sqs,
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
                tracing::warn!(failure = errors::chain(&failure), "expired items were not swept");
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
        ("AWS_ENDPOINT_URL_SQS", endpoints.sqs.clone()),
        ("AWS_REGION", REGION.to_owned()),
        ("AWS_ACCESS_KEY_ID", ACCESS_KEY.to_owned()),
        ("AWS_SECRET_ACCESS_KEY", SECRET_KEY.to_owned()),
        (Registry::VARIABLE, TABLES[0].to_owned()),
        (Tenants::VARIABLE, TABLES[1].to_owned()),
        (Counters::VARIABLE, TABLES[2].to_owned()),
        ("BUCKET", BUCKET.to_owned()),
        (IngestJob::VARIABLE, queue_emulator::url(&endpoints.sqs, QUEUES[0])),
        (IndexJob::VARIABLE, queue_emulator::url(&endpoints.sqs, QUEUES[1])),
        ("PUBLIC_URL", public_url.to_owned()),
    ]
}

/// The queue of `ingest` in a cloud of a directory.
pub fn ingest_queue(endpoints: &Endpoints) -> Queue<IngestJob> {
    let url = queue_emulator::url(&endpoints.sqs, QUEUES[0]);
    Queue::new(sqs_client(&endpoints.sqs), url)
}

/// The queue of `indexer` in a cloud of a directory.
pub fn index_queue(endpoints: &Endpoints) -> Queue<IndexJob> {
    let url = queue_emulator::url(&endpoints.sqs, QUEUES[1]);
    Queue::new(sqs_client(&endpoints.sqs), url)
}

/// A client of a DynamoDB at this address.
pub fn dynamodb_client(endpoint: &str) -> aws_sdk_dynamodb::Client {
    store::client(&emulated(endpoint))
}

/// A client of the embedded DynamoDB at this address, which marks no transaction to be told when it is sent again:
/// the embedded one looks through the marks of the last ten minutes at each, so that a load would take the square of
/// its time. Where an answer is lost all the same, the condition on the revision keeps what was written.
pub fn embedded_dynamodb_client(endpoint: &str) -> aws_sdk_dynamodb::Client {
    let config = aws_sdk_dynamodb::config::Builder::from(&emulated(endpoint));
    aws_sdk_dynamodb::Client::from_conf(config.interceptor(WithoutMark).build())
}

/// Takes the mark out again that the SDK puts into every transaction.
#[derive(Debug)]
struct WithoutMark;

impl Intercept for WithoutMark {
    fn name(&self) -> &'static str {
        "WithoutMark"
    }

    fn modify_before_signing(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        // No text of a document is written like this: its quotes would be escaped.
        const MARK: &str = "\"ClientRequestToken\":";
        let request = context.request_mut();
        let body = request.body().bytes().and_then(|it| str::from_utf8(it).ok());
        let marked = body.and_then(|it| it.rsplit_once(MARK));
        let marked = marked.and_then(|(before, mark)| Some((before, mark.splitn(3, '"').nth(2)?)));
        let Some((before, behind)) = marked else { return Ok(()) };
        let unmarked = format!("{before}{MARK}null{behind}");
        request.headers_mut().insert("content-length", unmarked.len().to_string());
        *request.body_mut() = unmarked.into();
        Ok(())
    }
}

/// A client of an S3 at this address.
pub fn s3_client(endpoint: &str) -> aws_sdk_s3::Client {
    let config = aws_sdk_s3::config::Builder::from(&emulated(endpoint)).force_path_style(true);
    aws_sdk_s3::Client::from_conf(config.build())
}

/// A client of an SQS at this address.
pub fn sqs_client(endpoint: &str) -> aws_sdk_sqs::Client {
    jobs::client(&emulated(endpoint))
}

/// The environment of an emulator at this address.
pub fn emulated(endpoint: &str) -> SdkConfig {
    let credentials = Credentials::new(ACCESS_KEY, SECRET_KEY, None, None, "local");
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(REGION))
        .endpoint_url(endpoint)
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .build()
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

async fn serve_sqs() -> Result<String, Stop> {
    let (listener, address) = listener().await?;
    let forever = std::future::pending();
    tokio::spawn(queue_emulator::serve(listener, Queues::default(), forever));
    Ok(address)
}

/// Makes the queues with their dead letters, and says their addresses.
async fn create_queues(
    client: &aws_sdk_sqs::Client,
    names: &[String; 2],
) -> Result<[String; 2], Stop> {
    let mut addresses = [const { String::new() }; 2];
    for (name, address) in names.iter().zip(&mut addresses) {
        let letters = client.create_queue().queue_name(format!("{name}-dead-letters"));
        let letters = letters.send().await.map_err(failed)?.queue_url.unwrap_or_default();
        let arn = client.get_queue_attributes().queue_url(letters);
        let arn = arn.attribute_names(QueueAttributeName::QueueArn).send().await.map_err(failed)?;
        let arn = arn.attributes.and_then(|it| it.get(&QueueAttributeName::QueueArn).cloned());
        let redrive =
            serde_json::json!({ "deadLetterTargetArn": arn, "maxReceiveCount": RECEIVES });
        let queue = client.create_queue().queue_name(name);
        let queue = queue
            .attributes(QueueAttributeName::VisibilityTimeout, HIDDEN.to_string())
            .attributes(QueueAttributeName::RedrivePolicy, redrive.to_string());
        *address = queue.send().await.map_err(failed)?.queue_url.unwrap_or_default();
    }
    Ok(addresses)
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
    }
    Ok(())
}

async fn let_expire(client: &aws_sdk_dynamodb::Client, names: &[String; 3]) -> Result<(), Stop> {
    for name in names {
        let known = client.describe_time_to_live().table_name(name).send().await.map_err(failed)?;
        let known = known.time_to_live_description.and_then(|it| it.time_to_live_status);
        // DynamoDB refuses to be told twice.
        if known == Some(TimeToLiveStatus::Enabled) {
            continue;
        }
        let expiry = TimeToLiveSpecification::builder().attribute_name(EXPIRES).enabled(true);
        let expiry = expiry.build().map_err(failed)?;
        let request = client.update_time_to_live().table_name(name);
        request.time_to_live_specification(expiry).send().await.map_err(failed)?;
    }
    Ok(())
}

fn failed(cause: impl std::error::Error + 'static) -> Stop {
    Stop::because("the tables and queues", cause)
}
