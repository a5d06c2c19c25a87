//! The embedded DynamoDB, S3 and SQS. The functions reach them over HTTP with the AWS SDK, as in the cloud.
//!
//! | Module | Contents |
//! |---|---|
//! | here | [`Cloud`]: the emulators with their tables, bucket and queues |
//! | [`clients`] | SDK clients of an emulator |
//! | `resources` | creates tables and queues |
//! | `servers` | starts the emulators |

pub mod clients;
mod resources;
mod servers;

use std::{path::Path, time::Duration};

use aws_sdk_s3::types::{BucketLocationConstraint, CreateBucketConfiguration};
use components::Components;
use dynoxide::Database;
use jobs::{
    DeliveryJob, DossierJob, ExportJob, FeedbackJob, IndexJob, IngestJob, ListJob, MailJob,
    Message, Queue, ScheduleJob, SearchJob, WebhookJob,
};
use objects::Objects;
use serde::{Deserialize, Serialize};
use store::{Counters, Registry, Tenants};
use tempfile::TempDir;
use uuid::Uuid;

use crate::{CommandError, Context};

/// The names of the tables, as in `template.yaml`.
pub const TABLES: [&str; 3] = ["registry", "tenants", "counters"];
/// The name of the bucket.
pub const BUCKET: &str = "gotthard";

/// The addresses of the emulators.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Endpoints {
    pub dynamodb: String,
    pub s3: String,
    pub sqs: String,
}

/// Defines [`Cloud`] with its queues: for each, its name without `.fifo`, its field, and the jobs that it carries.
macro_rules! cloud {
    ($($name:literal $field:ident: $job:ident,)*) => {
        /// The names of the queues, without `.fifo`.
        pub const QUEUES: [&str; [$($name),*].len()] = [$($name),*];

        /// Tables, bucket and queues of one service, in emulators.
        pub struct Cloud {
            pub endpoints: Endpoints,
            $(pub $field: Queue<$job>,)*
            /// The names of the tables, in the order of [`TABLES`].
            pub tables: [String; TABLES.len()],
            pub bucket: String,
            pub registry: Registry,
            pub tenants: Tenants,
            pub counters: Counters,
            pub objects: Objects,
            _folder: Option<TempDir>,
        }

        impl Cloud {
            /// Tables, bucket and queues, for functions and workers.
            pub fn components(&self) -> Components {
                Components::given()
                    .with(self.registry.clone())
                    .with(self.tenants.clone())
                    .with(self.counters.clone())
                    .with(self.objects.clone())
                    $(.with(self.$field.clone()))*
            }

            /// Clients of resources that exist. `queues` are the addresses of [`QUEUES`].
            fn connected(
                client: aws_sdk_dynamodb::Client,
                endpoints: Endpoints,
                tables: [String; TABLES.len()],
                bucket: &str,
                queues: [String; QUEUES.len()],
            ) -> Self {
                let queue_client = clients::sqs_client(&endpoints.sqs);
                let [$($field),*] = queues;
                let [registry, tenants, counters] = &tables;
                Self {
                    registry: Registry::named(client.clone(), registry),
                    tenants: Tenants::named(client.clone(), tenants),
                    counters: Counters::named(client, counters),
                    objects: Objects::named(clients::s3_client(&endpoints.s3), bucket),
                    $($field: Queue::new(queue_client.clone(), $field),)*
                    tables,
                    bucket: bucket.to_owned(),
                    endpoints,
                    _folder: None,
                }
            }
        }

        impl Endpoints {
            /// The environment variables of the queues.
            fn queues(&self) -> impl Iterator<Item = (&'static str, String)> {
                [$(($job::VARIABLE, self.queue_url($name))),*].into_iter()
            }
        }
    };
}

cloud! {
    "ingest" ingest_queue: IngestJob,
    "index" index_queue: IndexJob,
    "schedule" schedule_queue: ScheduleJob,
    "searches" searches_queue: SearchJob,
    "delivery" delivery_queue: DeliveryJob,
    "mails" mails_queue: MailJob,
    "webhooks" webhooks_queue: WebhookJob,
    "lists" lists_queue: ListJob,
    "exports" exports_queue: ExportJob,
    "dossiers" dossiers_queue: DossierJob,
    "feedback" feedback_queue: FeedbackJob,
}

impl Cloud {
    /// Embedded emulators that keep everything in memory, except the bucket, which is in a temporary
    /// directory.
    pub async fn in_memory() -> Result<Self, CommandError> {
        let folder = TempDir::new().context("cannot create a temporary directory")?;
        let database = Database::memory().context("cannot create the DynamoDB emulator")?;
        let mut cloud = Self::embedded(database, &folder.path().join("s3")).await?;
        cloud._folder = Some(folder);
        Ok(cloud)
    }

    /// Embedded emulators that keep tables and bucket in a directory. Also returns the database under the
    /// tables.
    pub async fn in_folder(folder: &Path) -> Result<(Self, Database), CommandError> {
        let file = folder.join("dynamodb.sqlite");
        let file = file.to_string_lossy();
        let database = Database::new(&file).context(&file)?;
        let cloud = Self::embedded(database.clone(), &folder.join("s3")).await?;
        let client = clients::dynamodb_client(&cloud.endpoints.dynamodb);
        resources::enable_expiry(&client, &cloud.tables).await?;
        Ok((cloud, database))
    }

    /// The tables, the bucket and the queues of a running server.
    pub fn of_server(endpoints: &Endpoints) -> Self {
        let client = clients::dynamodb_client(&endpoints.dynamodb);
        let queues = QUEUES.map(|it| endpoints.queue_url(it));
        Self::connected(client, endpoints.clone(), TABLES.map(str::to_owned), BUCKET, queues)
    }

    /// New tables, bucket and queues, with unique names, in an emulator of another process. Items do not
    /// expire: that emulator uses the real time, and a test may use another.
    pub async fn in_emulator(endpoint: &str) -> Result<Self, CommandError> {
        let id = Uuid::new_v4();
        let bucket = format!("{BUCKET}-{id}");
        let location = CreateBucketConfiguration::builder()
            .location_constraint(BucketLocationConstraint::from(clients::REGION))
            .build();
        let request = clients::s3_client(endpoint).create_bucket().bucket(&bucket);
        let created = request.create_bucket_configuration(location).send().await;
        created.map_err(resources::failed)?;
        let tables = TABLES.map(|it| format!("{it}-{id}"));
        let queues = QUEUES.map(|it| format!("{it}-{id}"));
        let client = clients::dynamodb_client(endpoint);
        let [dynamodb, s3, sqs] = [endpoint; 3].map(str::to_owned);
        Self::create(client, Endpoints { dynamodb, s3, sqs }, tables, &bucket, queues).await
    }

    async fn embedded(database: Database, bucket_root: &Path) -> Result<Self, CommandError> {
        // The S3 emulator serves each directory below its root as a bucket.
        std::fs::create_dir_all(bucket_root.join(BUCKET)).context(bucket_root.to_string_lossy())?;
        let endpoints = Endpoints {
            dynamodb: servers::start_dynamodb(database).await?,
            s3: servers::start_s3(bucket_root).await?,
            sqs: servers::start_sqs().await?,
        };
        let (tables, queues) = (TABLES.map(str::to_owned), QUEUES.map(str::to_owned));
        let client = clients::embedded_dynamodb_client(&endpoints.dynamodb);
        Self::create(client, endpoints, tables, BUCKET, queues).await
    }

    /// Creates queues and tables where they are missing.
    async fn create(
        client: aws_sdk_dynamodb::Client,
        endpoints: Endpoints,
        tables: [String; TABLES.len()],
        bucket: &str,
        queues: [String; QUEUES.len()],
    ) -> Result<Self, CommandError> {
        let queues =
            resources::create_queues(&clients::sqs_client(&endpoints.sqs), &queues).await?;
        resources::create_tables(&client, &tables).await?;
        Ok(Self::connected(client, endpoints, tables, bucket, queues))
    }
}

impl Endpoints {
    /// The environment variables with which a function, or any AWS tool, uses the emulators: those that
    /// `template.yaml` sets, and those that Lambda sets.
    pub fn environment(&self, public_url: &str) -> Vec<(&'static str, String)> {
        let others = [
            ("AWS_ENDPOINT_URL_DYNAMODB", self.dynamodb.clone()),
            ("AWS_ENDPOINT_URL_S3", self.s3.clone()),
            ("AWS_ENDPOINT_URL_SQS", self.sqs.clone()),
            ("AWS_REGION", clients::REGION.to_owned()),
            ("AWS_ACCESS_KEY_ID", clients::ACCESS_KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", clients::SECRET_KEY.to_owned()),
            (Registry::VARIABLE, TABLES[0].to_owned()),
            (Tenants::VARIABLE, TABLES[1].to_owned()),
            (Counters::VARIABLE, TABLES[2].to_owned()),
            ("BUCKET", BUCKET.to_owned()),
            ("PUBLIC_URL", public_url.to_owned()),
        ];
        others.into_iter().chain(self.queues()).collect()
    }

    /// The queue of the `ingest` worker.
    pub fn ingest_queue(&self) -> Queue<IngestJob> {
        self.queue("ingest")
    }

    /// The queue of the `indexer` worker.
    pub fn index_queue(&self) -> Queue<IndexJob> {
        self.queue("index")
    }

    fn queue<T: Message>(&self, name: &str) -> Queue<T> {
        Queue::new(clients::sqs_client(&self.sqs), self.queue_url(name))
    }

    fn queue_url(&self, name: &str) -> String {
        emulators::sqs::url(&self.sqs, &format!("{name}.fifo"))
    }
}

/// Deletes expired items every minute. DynamoDB does this by itself; the emulator does not.
pub fn delete_expired_in_background(database: Database) {
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_secs(60)).await;
            let database = database.clone();
            let deleted = tokio::task::spawn_blocking(move || database.sweep_ttl()).await;
            if let Ok(Err(error)) = deleted {
                tracing::warn!(
                    failure = errors::chain(&error),
                    "expired items could not be deleted"
                );
            }
        }
    });
}
