//! How the register gets in: the demo, imports, and the generation that is built of them.

use std::path::{Path, PathBuf};

use dynoxide::{AttributeValue, Database, Item};
use generations::{Generations, Manifest};
use indicatif::{ProgressBar, ProgressStyle};
use ingest::resolve::{self, Read};
use jiff::Timestamp;
use serde_json::Value;
use sources::{Batch, Mention, Source};
use store::{
    keys,
    table::{PARTITION, SORT},
};

use crate::{
    Stop,
    cloud::{Cloud, TABLES},
};

/// How many companies are put in at once.
const COMPANIES_AT_ONCE: usize = 5_000;

/// Puts the demonstration register in, past the HTTP interface of the emulator: it is the emulator's
/// own loader, and there is nothing else in the table yet.
pub async fn load_demo(database: Database, count: usize) -> Result<(), Stop> {
    let load = move || -> Result<(), Stop> {
        let because = |it: dynoxide::DynoxideError| Stop::because("the demo register", it);
        let bar = progress_bar("loading", count as u64);
        let mut companies = demo_registry::companies(count);
        database.enable_bulk_loading().map_err(because)?;
        loop {
            let items: Result<Vec<Item>, Stop> =
                companies.by_ref().take(COMPANIES_AT_ONCE).map(|it| item(&it)).collect();
            let items = items?;
            if items.is_empty() {
                break;
            }
            let put = items.len() as u64;
            let options = dynoxide::ImportOptions { record_streams: false, set_cached_at: false };
            database.import_items(TABLES[0], items, options).map_err(because)?;
            bar.inc(put);
        }
        database.disable_bulk_loading().map_err(because)?;
        bar.finish_and_clear();
        Ok(())
    };
    tokio::task::spawn_blocking(load).await.map_err(|it| Stop::because("the demo register", it))?
}

/// A company as the table holds it: what `store` writes, in the emulator's own types.
fn item(company: &domain::Company) -> Result<Item, Stop> {
    let json = serde_json::to_value(company).map_err(|it| Stop::because("a company", it))?;
    let AttributeValue::M(mut item) = attribute(json) else {
        return Err(Stop("a company is an object".into()));
    };
    let key = keys::company(company.uid);
    item.insert(PARTITION.to_owned(), AttributeValue::S(key.partition));
    item.insert(SORT.to_owned(), AttributeValue::S(key.sort));
    Ok(item)
}

fn attribute(json: Value) -> AttributeValue {
    match json {
        Value::Null => AttributeValue::NULL(true),
        Value::Bool(value) => AttributeValue::BOOL(value),
        Value::Number(number) => AttributeValue::N(number.to_string()),
        Value::String(text) => AttributeValue::S(text),
        Value::Array(values) => AttributeValue::L(values.into_iter().map(attribute).collect()),
        Value::Object(members) => {
            AttributeValue::M(members.into_iter().map(|(name, it)| (name, attribute(it))).collect())
        }
    }
}

/// A file of a source that has been read, not yet stored.
pub struct Import {
    pub source: Source,
    pub path: PathBuf,
    pub read: Read,
}

/// Reads a file of a source.
pub fn read(source: Source, path: &Path) -> Result<Import, Stop> {
    let name = path.to_string_lossy();
    let bytes = std::fs::read(path).map_err(|it| Stop::because(&name, it))?;
    let read = resolve::read(source, &bytes).map_err(|it| Stop::because(&name, it))?;
    Ok(Import { source, path: path.to_owned(), read })
}

/// What a file says, of the companies that it names and that the published generation has.
async fn resolved(cloud: &Cloud, name: &str, read: Read) -> Result<Batch, Stop> {
    let folder = tempfile::tempdir().map_err(|it| Stop::because(name, it))?;
    let generation = match read.is_naming() {
        true => resolve::generation(&Generations::new(cloud.objects.clone(), folder.path())).await,
        false => Ok(None),
    };
    let generation = generation.map_err(|it| Stop::because(name, it))?;
    let find =
        async |it: &Mention| resolve::company(generation.as_deref(), &cloud.registry, it).await;
    read.resolved(find).await.map_err(|it| Stop::because(name, it))
}

/// Stores what files say, and tells what each did.
pub async fn import(cloud: &Cloud, imports: Vec<Import>) -> Result<(), Stop> {
    for Import { source, path, read } in imports {
        let name = path.to_string_lossy();
        let batch = resolved(cloud, &name, read).await?;
        let rejected = batch.rejected.clone();
        let stored =
            ingest::ingest(&cloud.registry, &cloud.objects, source, batch, Timestamp::now()).await;
        let report = stored.map_err(|it| Stop::because(&name, it))?;
        println!(
            "{source} {name}: {} records read, {} companies new, {} changed, {} unchanged, {} quarantined",
            report.read, report.new, report.changed, report.unchanged, report.quarantined
        );
        for record in rejected {
            println!("  quarantined: {}", record.reason);
        }
    }
    Ok(())
}

/// Prints what files would change.
pub async fn preview(cloud: &Cloud, imports: Vec<Import>) -> Result<(), Stop> {
    for Import { source, path, read } in imports {
        let name = path.to_string_lossy();
        let batch = resolved(cloud, &name, read).await?;
        let preview = ingest::preview(&cloud.registry, batch).await;
        let preview = preview.map_err(|it| Stop::because(&name, it))?;
        println!(
            "{source} {name}: {} records read, {} companies would be new, {} would change, {} stay, {} would be quarantined",
            preview.report.read,
            preview.report.new,
            preview.report.changed,
            preview.report.unchanged,
            preview.report.quarantined
        );
        for (uid, (company, members)) in preview.changes {
            println!("  {uid} {company}: {}", members.join(", "));
        }
        for record in preview.rejected {
            println!("  would be quarantined: {}", record.reason);
        }
    }
    Ok(())
}

/// Builds the generation of what is in the registry and publishes it. `expected` is about how many
/// companies there are; the files are made in a folder `below`.
pub async fn publish(cloud: &Cloud, below: &Path, expected: u64) -> Result<Manifest, Stop> {
    let bar = progress_bar("indexing", expected);
    let published =
        indexer::publish(&cloud.registry, &cloud.objects, below, Timestamp::now(), |it| {
            bar.set_position(it)
        });
    let manifest = published.await.map_err(|it| Stop::because("the generation", it))?;
    bar.finish_and_clear();
    Ok(manifest)
}

fn progress_bar(what: &'static str, length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) =
        ProgressStyle::with_template("{msg:>9} [{bar:40}] {human_pos}/{human_len} {eta}")
    {
        bar.set_style(style);
    }
    bar.set_message(what);
    bar
}
