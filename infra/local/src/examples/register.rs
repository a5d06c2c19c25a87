//! The register of the examples: demo companies, with news and figures added to one of them.

use std::{error::Error, path::Path};

use generations::Generations;
use jiff::{Timestamp, civil::time, tz::TimeZone};
use statements::Source;
use store::Registry;

use crate::{
    CommandError,
    cloud::Cloud,
    register::{
        demo::{self, DemoSettings},
        lists,
    },
};

/// Number of companies: enough that no list in the examples is empty.
const COMPANIES: usize = 300;

/// Files of sources that the demo register does not cover.
const FILES: [(Source, &str); 2] =
    [(Source::News, include_str!("news.json")), (Source::Reports, include_str!("reports.csv"))];

/// The company in the examples: it has a board, a history, an auditor, a parent, subsidiaries and a branch.
const COMPANY: u32 = 812_460_660;

/// Noon of the demo register's day.
pub(super) fn noon() -> Result<Timestamp, CommandError> {
    let noon = demo_registry::DEMO_DATE.to_datetime(time(12, 30, 0, 0));
    Ok(noon.to_zoned(TimeZone::UTC).map_err(failed)?.timestamp())
}

/// Loads and publishes the register. Returns the id of the generation too.
pub(super) async fn load(folder: &Path, now: Timestamp) -> Result<(Cloud, String), CommandError> {
    let (cloud, database) = Cloud::in_folder(folder).await?;
    demo::load(database, DemoSettings { companies: COMPANIES, all_notices: false }).await?;
    for (source, text) in FILES {
        import(&cloud, folder, source, text, now).await?;
    }
    restore_company(&cloud.registry).await?;
    lists::publish(&cloud.objects, now).await?;
    let published = indexer::publish(&cloud.registry, &cloud.objects, folder, now, |_| ()).await;
    Ok((cloud, published.map_err(failed)?.id))
}

async fn import(
    cloud: &Cloud,
    folder: &Path,
    source: Source,
    text: &str,
    now: Timestamp,
) -> Result<(), CommandError> {
    let read = ingest::resolve::read(source, text.as_bytes()).map_err(failed)?;
    let generations = Generations::new(cloud.objects.clone(), folder);
    let batch = read.resolve_in(&generations, &cloud.registry).await.map_err(failed)?;
    if let Some(rejected) = batch.rejected.first() {
        return Err(failed(rejected.reason.as_str()));
    }
    let stored = ingest::ingest(&cloud.registry, &cloud.objects, source, batch, now).await;
    stored.map_err(failed).map(drop)
}

/// Stores the company of the examples as the demo register describes it. Importing its news computed its record again from
/// its notices and its group alone, which do not state all that the register does, such as its coordinates.
async fn restore_company(registry: &Registry) -> Result<(), CommandError> {
    let mut companies = demo_registry::companies(COMPANIES);
    let company = companies.find(|it| it.uid.number() == COMPANY);
    let company = company.ok_or_else(|| failed("their company is not in the demo register"))?;
    registry.put_companies(vec![company]).await.map_err(failed)
}

fn failed(cause: impl Into<Box<dyn Error>>) -> CommandError {
    CommandError::new("cannot load the register of the examples", cause)
}
