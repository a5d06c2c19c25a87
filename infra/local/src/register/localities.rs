//! Imports swisstopo's directory of localities, which adds municipality and coordinates to the companies.

use std::path::Path;

use ingest::{
    STORED_PER_JOB,
    locations::{self, Progress, Saved},
};
use jiff::civil::Date;

use super::{
    import::{modified_on, today},
    now,
};
use crate::{CommandError, Context, cloud::Cloud};

/// A directory of localities, and its date.
pub struct LocalityDirectory {
    csv: Vec<u8>,
    day: Date,
}

/// Reads the file of a directory of localities.
pub fn read_file(path: &Path) -> Result<LocalityDirectory, CommandError> {
    let csv = std::fs::read(path).context(path.display())?;
    sources::localities::read(&csv).context(path.display())?;
    let day = modified_on(path).unwrap_or_else(today);
    Ok(LocalityDirectory { csv, day })
}

/// Stores a directory, and updates every record from the newest directory stored.
pub async fn import(
    cloud: &Cloud,
    LocalityDirectory { csv, day }: &LocalityDirectory,
) -> Result<(), CommandError> {
    let context = "cannot import the localities";
    match locations::save(&cloud.objects, csv, *day).await.context(context)? {
        Saved::Newest => println!("localities: stored the directory of {day}"),
        Saved::AlreadyKnown => println!(
            "localities: the directory of {day} is not stored, because the stored one is newer or equal"
        ),
    }
    let mut next = Some(Progress::default());
    while let Some(progress) = next {
        let (registry, objects) = (&cloud.registry, &cloud.objects);
        let updated = locations::update(registry, objects, progress, STORED_PER_JOB, now()).await;
        next = updated.context(context)?;
    }
    Ok(())
}
