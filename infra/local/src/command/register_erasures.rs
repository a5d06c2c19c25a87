//! `erase-company`, `erase-person` and `apply-erasures`: remove somebody for good.

use std::{path::PathBuf, time::Duration};

use clap::Args;
use components::Clock;
use domain::Uid;
use jiff::Timestamp;
use jobs::{IndexJob, Queue};
use objects::Objects;
use store::{Registry, Tenants};
use uuid::Uuid;

use crate::{
    CommandError, Context,
    cloud::Cloud,
    register::{
        self,
        erasures::{self, Erasing, Report},
    },
};

/// How long to wait between two looks whether the generation is published.
const INTERVAL: Duration = Duration::from_secs(15);

/// Erase a company from a register, for good
///
/// Adds the company to the list of erasures, and applies the list: its own addresses answer 404, and a placeholder stands where others
/// mention it. See "Erasing a company or a person" in DEPLOYING.md.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo run -- erase-company CHE-107.787.577 --data register --reference 'Order 4A_1/2026'
  cargo run -- erase-company CHE-107.787.577 --registry TABLE --tenants TABLE --bucket BUCKET --queue URL")]
pub(super) struct EraseCompany {
    /// Company number
    uid: Uid,
    /// Another name by which others mention the company; can be repeated. The names in its record and its publications are known
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// Why, such as the number of a court's decision
    #[arg(long)]
    reference: Option<String>,
    #[command(flatten)]
    place: Place,
}

/// Erase a person from a register, for good
///
/// A placeholder stands in the notices of companies. Namesakes with another origin or residence stay.
#[derive(Debug, Args)]
pub(super) struct ErasePerson {
    /// Id of the person, as in `GET /v1/persons`
    id: Uuid,
    /// Why, such as the number of a court's decision
    #[arg(long)]
    reference: Option<String>,
    #[command(flatten)]
    place: Place,
}

/// Erase again what a restored backup has brought back, whichever table was restored
///
/// Removes the users, teams, companies and persons of both lists of erasures from the tables and the bucket, and publishes a generation
/// without them. Safe to interrupt and to run again. Region and credentials come from the environment, as for any AWS tool.
#[derive(Debug, Args)]
pub(super) struct ApplyErasures {
    #[command(flatten)]
    place: Place,
}

/// Which register.
#[derive(Debug, Args)]
struct Place {
    /// Data directory with the register; no server may be using it
    #[arg(long, value_name = "DIR", required_unless_present = "registry", conflicts_with_all = ["registry", "tenants", "bucket", "queue"])]
    data: Option<PathBuf>,
    /// Name of a deployment's table of the register (the stack output `RegistryTable`)
    #[arg(long, value_name = "TABLE", requires_all = ["tenants", "bucket", "queue"])]
    registry: Option<String>,
    /// Name of its table of tenants (the stack output `TenantsTable`)
    #[arg(long, value_name = "TABLE")]
    tenants: Option<String>,
    /// Name of its bucket (the stack output `BucketName`)
    #[arg(long, value_name = "BUCKET")]
    bucket: Option<String>,
    /// Address of the queue of the indexer (the stack output `IndexQueueAddress`)
    #[arg(long, value_name = "URL")]
    queue: Option<String>,
}

impl EraseCompany {
    pub(super) async fn run(self) -> Result<(), CommandError> {
        let Self { uid, name, reference, place } = self;
        let add = async |Erasing { registry, .. }: &Erasing| {
            let added = registry.erase_company(uid, &name, now(), reference.clone()).await;
            match added.context("cannot write the list of erasures")? {
                true => println!("{uid} is on the list of erasures"),
                false => println!(
                    "{uid} is on the list of erasures; it is not in the register, so that its names are unknown: give them with --name"
                ),
            }
            Ok(())
        };
        place.change_and_apply(add).await
    }
}

impl ErasePerson {
    pub(super) async fn run(self) -> Result<(), CommandError> {
        let Self { id, reference, place } = self;
        let add = async |Erasing { registry, .. }: &Erasing| {
            let added = registry.erase_person(id, now(), reference.clone()).await;
            match added.context("cannot write the list of erasures")? {
                true => println!("{id} is on the list of erasures"),
                false => println!(
                    "{id} is on the list of erasures; nobody with this id has a role in a company"
                ),
            }
            Ok(())
        };
        place.change_and_apply(add).await
    }
}

impl ApplyErasures {
    pub(super) async fn run(self) -> Result<(), CommandError> {
        let erase = async |Erasing { tenants, objects, .. }: &Erasing| {
            let number = crate::erasures::apply(tenants, objects, now()).await?;
            println!("teams: {number} users, teams and addresses erased again");
            Ok(())
        };
        self.place.change_and_apply(erase).await
    }
}

impl Place {
    /// Makes a change first, such as one of the list of erasures, applies the list, publishes a generation, and deletes what was made of the earlier state.
    async fn change_and_apply(
        self,
        change: impl AsyncFnOnce(&Erasing) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        match self {
            Self { data: Some(data), .. } => {
                let apply = async |cloud: &Cloud| {
                    let erasing = erasing(cloud);
                    change(&erasing).await?;
                    print(erasures::apply(&erasing, progress).await?);
                    Ok(())
                };
                register::change_and_publish_then(&data, apply, async |cloud: &Cloud| {
                    erasures::finish(&erasing(cloud), now()).await
                })
                .await
            }
            Self {
                registry: Some(registry),
                tenants: Some(tenants),
                bucket: Some(bucket),
                queue: Some(queue),
                ..
            } => {
                let aws = aws::load().await;
                let erasing = Erasing {
                    registry: Registry::named(store::client(&aws), registry),
                    tenants: Tenants::named(store::client(&aws), tenants),
                    objects: Objects::named(objects::client(&aws), bucket),
                };
                change(&erasing).await?;
                print(erasures::apply(&erasing, progress).await?);
                let since = now();
                let queue = Queue::<IndexJob>::new(jobs::client(&aws), queue);
                queue
                    .send(&IndexJob::Rebuild)
                    .await
                    .context("cannot send the job to the indexer")?;
                println!("the indexer publishes a generation without it; waiting");
                wait_for_generation(&erasing.objects, since).await?;
                erasures::finish(&erasing, now()).await
            }
            _ => Err(CommandError(
                "give --data, or all of --registry, --tenants, --bucket and --queue".to_owned(),
            )),
        }
    }
}

/// Waits until a generation is published that was begun after this time.
async fn wait_for_generation(objects: &Objects, since: Timestamp) -> Result<(), CommandError> {
    loop {
        let published = generations::published(objects).await;
        let published = published.context("cannot read the current generation")?;
        if let Some(manifest) = published.filter(|it| it.built_at > since) {
            println!("published generation {} with {} companies", manifest.id, manifest.companies);
            return Ok(());
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

fn erasing(cloud: &Cloud) -> Erasing {
    Erasing {
        registry: cloud.registry.clone(),
        tenants: cloud.tenants.clone(),
        objects: cloud.objects.clone(),
    }
}

fn progress(table: &str, items: u64) {
    /// A line for each of so many items.
    const EACH: u64 = 100_000;
    if items % EACH < 1_000 && items >= EACH {
        eprintln!("{table}: {items} items read");
    }
}

fn print(Report { registry, tenants, files }: Report) {
    for (table, applied) in [("registry", registry), ("teams", tenants)] {
        println!(
            "{table}: {} items read, {} deleted, {} redacted",
            applied.read, applied.deleted, applied.redacted
        );
    }
    println!("files of sources: {files} changed or deleted");
}

fn now() -> Timestamp {
    Clock::system().now()
}
