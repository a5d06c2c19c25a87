//! The register of the examples: demo companies.

use std::{error::Error, path::Path};

use jiff::{Timestamp, civil::time, tz::TimeZone};

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

/// Noon of the demo register's day.
pub(super) fn noon() -> Result<Timestamp, CommandError> {
    let noon = demo_registry::DEMO_DATE.to_datetime(time(12, 30, 0, 0));
    Ok(noon.to_zoned(TimeZone::UTC).map_err(failed)?.timestamp())
}

/// Loads and publishes the register. Returns the id of the generation too.
pub(super) async fn load(folder: &Path, now: Timestamp) -> Result<(Cloud, String), CommandError> {
    let (cloud, database) = Cloud::in_folder(folder).await?;
    let settings = DemoSettings { companies: COMPANIES, all_notices: false };
    demo::load(&cloud, database, settings, demo_registry::DEMO_DATE).await?;
    lists::publish(&cloud.objects, now).await?;
    let published = indexer::publish(&cloud.registry, &cloud.objects, folder, now, |_| ()).await;
    Ok((cloud, published.map_err(failed)?.id))
}

fn failed(cause: impl Into<Box<dyn Error>>) -> CommandError {
    CommandError::new("cannot load the register of the examples", cause)
}
