//! Erasing companies and persons: applying the list of erasures to tables and bucket.
//!
//! | Step | What it removes |
//! |---|---|
//! | [`apply`] | from tables and files of sources |
//! | [`finish`] | from what was made of them, after a generation without it was published |

use jiff::Timestamp;
use objects::Objects;
use store::{Applied, Registry, Tenants};

use crate::{CommandError, Context};

/// The tables and the bucket of a deployment or of a data directory.
pub struct Erasing {
    pub registry: Registry,
    pub tenants: Tenants,
    pub objects: Objects,
}

/// What [`apply`] did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    pub registry: Applied,
    pub tenants: Applied,
    /// Number of files of sources that were changed or deleted.
    pub files: u64,
}

/// Removes what is on the list from the tables, and from the files of sources in the bucket. Safe to interrupt and to run again.
/// `progress` gets what is read, and the number of items so far.
pub async fn apply(
    Erasing { registry, tenants, objects }: &Erasing,
    progress: impl Fn(&str, u64),
) -> Result<Report, CommandError> {
    let erasures = registry.erasures().await.context("cannot read the list of erasures")?;
    let files = ingest::erased::apply_erasures(objects, &erasures).await;
    let files = files.context("cannot search the files of sources")?;
    let of_registry = |it| progress("registry", it);
    let applied = ingest::erased::apply_to_registry(registry, objects, of_registry).await;
    let of_registry = applied.context("cannot search the registry")?;
    let applied = tenants.apply_register_erasures(&erasures, |it| progress("teams", it)).await;
    let of_tenants = applied.context("cannot search the data of teams")?;
    Ok(Report { registry: of_registry, tenants: of_tenants, files })
}

/// Deletes what was made of the earlier state: all generations but the current one, the files of all exports, stored PDF files and
/// analyses.
/// Must run after a generation was published that was begun after [`apply`]. Safe to run again.
pub async fn finish(
    Erasing { tenants, objects, .. }: &Erasing,
    now: Timestamp,
) -> Result<(), CommandError> {
    let deleted = generations::delete_previous(objects).await;
    deleted.context("cannot delete the previous generations")?;
    tenants.delete_all_exports(now).await.context("cannot delete the exports")?;
    for prefix in ["exports/", "company-pdfs/", "analyses/"] {
        for key in objects.keys(prefix).await.context(prefix)? {
            objects.delete(&key).await.context(&key)?;
        }
    }
    Ok(())
}
