//! Loads the demo register.

use std::{error::Error, path::Path, sync::mpsc, thread};

use demo_registry::{Entry, LOCALITIES_DATE, Register};
use domain::statements::Statement;
use dynoxide::{AttributeValue, Database, Item};
use facts::Fact;
use generations::Manifest;
use ingest::locations;
use jiff::{civil::Date, tz::TimeZone};
use store::{
    Bulk, BulkItem,
    table::{DOCUMENT, PARTITION, REVISION, SORT},
};

use super::{now, progress_bar};
use crate::{
    CommandError, Context,
    cloud::{Cloud, TABLES},
};

/// Number of companies in a batch.
const BATCH_SIZE: usize = 1_000;
/// Number of batches that each reading thread may be ahead of the writer.
const BATCHES_AHEAD: usize = 2;
/// In a register of this size or larger, each company has only its newest gazette notice (unless all are
/// requested), and its facts are not stored: they would double the size of the table. This does not apply to the companies of
/// the showcase.
const LARGE_REGISTER: usize = 50_000;

/// Size and detail of a demo register.
#[derive(Clone, Copy, Debug)]
pub struct DemoSettings {
    pub companies: usize,
    /// Whether companies have all their gazette notices even in a large register.
    pub all_notices: bool,
}

impl DemoSettings {
    fn stores_facts_of(self, index: usize) -> bool {
        self.companies < LARGE_REGISTER || demo_registry::is_of_showcase(index)
    }

    fn has_all_notices(self) -> bool {
        self.all_notices || self.companies < LARGE_REGISTER
    }
}

/// A demo register in the table, and its generation, not yet published.
pub struct LoadedDemo {
    generation: indexer::Builder,
    /// Sequence number of the last change in the change feed.
    last_sequence: u64,
}

impl LoadedDemo {
    /// Publishes the generation. Its files are built in a new directory inside `temporary`.
    pub async fn publish(self, cloud: &Cloud, temporary: &Path) -> Result<Manifest, CommandError> {
        // Nobody watches yet: the delivery need not read these events.
        let skipped = cloud.tenants.advance_delivery(0, self.last_sequence).await;
        skipped.context("cannot skip the events of the demo register")?;
        let about = indexer::About {
            built_at: now(),
            registry_version: 0,
            as_of_sequence: self.last_sequence,
            left_out: 0,
        };
        let published = self.generation.publish(&cloud.objects, temporary, about).await;
        published.context("cannot publish a generation")
    }
}

/// Loads the demo register of a day into an empty table.
///
/// Uses the emulator's bulk loader instead of its HTTP interface, and adds each company to the generation
/// at the same time, so that nothing has to be read from the table again.
pub async fn load(
    cloud: &Cloud,
    database: Database,
    settings: DemoSettings,
    today: Date,
) -> Result<LoadedDemo, CommandError> {
    let register = Register::on(today);
    let load = move || load_blocking(&database, settings, register);
    let (loaded, news) = tokio::task::spawn_blocking(load).await.map_err(failed)??;
    cloud.registry.record_news(&news).await.map_err(failed)?;
    // Later imports complete records from it too. Nobody fetches a directory that is older.
    let directory = demo_registry::localities();
    let saved = locations::save(&cloud.objects, directory.as_bytes(), LOCALITIES_DATE).await;
    saved.map_err(failed)?;
    Ok(loaded)
}

/// Returns the news too, which are also stored in their order.
fn load_blocking(
    database: &Database,
    settings: DemoSettings,
    register: Register,
) -> Result<(LoadedDemo, Vec<Fact>), CommandError> {
    let recorded_at = register.day().to_zoned(TimeZone::UTC).map_err(failed)?;
    let mut bulk = Bulk::new(recorded_at.timestamp());
    let mut news = Vec::new();
    let bar = progress_bar("loading", settings.companies as u64);
    database.enable_bulk_loading().map_err(failed)?;
    let generation = thread::scope(|scope| -> Result<_, CommandError> {
        let (to_index, batches) = mpsc::sync_channel::<Vec<Entry>>(BATCHES_AHEAD);
        let indexing = scope.spawn(move || {
            let mut generation = indexer::Builder::new(register.day());
            for Entry { company, history, .. } in batches.into_iter().flatten() {
                generation.push(&company, &history)?;
            }
            Ok(generation)
        });
        for_each_batch(settings, register, |mut companies| {
            let mut items = Vec::with_capacity(companies.len() * 4);
            for Entry { company, history, facts } in &mut companies {
                let is_news = |it: &&Fact| matches!(it.statement, Statement::News(_));
                news.extend(facts.iter().filter(is_news).cloned());
                items.extend(bulk.company(company, history, facts).map_err(failed)?);
            }
            let loaded = companies.len() as u64;
            // The receiver is gone if indexing failed, which is reported below.
            if to_index.send(companies).is_err() {
                return Ok(());
            }
            put_items(database, items)?;
            bar.inc(loaded);
            Ok(())
        })?;
        drop(to_index);
        let indexed: Result<indexer::Builder, indexer::Error> =
            indexing.join().map_err(|_| failed("the index could not be built"))?;
        indexed.map_err(failed)
    })?;
    let (items, last_sequence) = bulk.finish().map_err(failed)?;
    put_items(database, items)?;
    database.disable_bulk_loading().map_err(failed)?;
    bar.finish_and_clear();
    Ok((LoadedDemo { generation, last_sequence }, news))
}

/// Creates the companies on every core and passes them on in their order, batch by batch.
fn for_each_batch(
    settings: DemoSettings,
    register: Register,
    mut load: impl FnMut(Vec<Entry>) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let count = settings.companies;
    let batches = count.div_ceil(BATCH_SIZE);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let start_reader = |reader: usize| {
            let (send, receive) = mpsc::sync_channel(BATCHES_AHEAD);
            scope.spawn(move || {
                for batch in (reader..batches).step_by(threads) {
                    let from = batch * BATCH_SIZE;
                    let to = count.min(from + BATCH_SIZE);
                    let entry = |index| {
                        let mut entry = register.entry(index, settings.has_all_notices());
                        if !settings.stores_facts_of(index) {
                            entry.facts = Vec::new();
                        }
                        entry
                    };
                    let companies: Vec<Entry> = (from..to).map(entry).collect();
                    // The receiver is gone if loading failed.
                    if send.send(companies).is_err() {
                        return;
                    }
                }
            });
            receive
        };
        let readers: Vec<_> = (0..threads).map(start_reader).collect();
        (0..batches).try_for_each(|batch| load(readers[batch % threads].recv().map_err(failed)?))
    })
}

fn put_items(database: &Database, items: Vec<BulkItem>) -> Result<(), CommandError> {
    let items = items.into_iter().map(emulator_item).collect();
    let options = dynoxide::ImportOptions { record_streams: false, set_cached_at: false };
    database.import_items(TABLES[0], items, options).map_err(failed)?;
    Ok(())
}

/// An item with the attributes that `store` writes, in the types of the emulator.
fn emulator_item(BulkItem { key, document, revision }: BulkItem) -> Item {
    let text = |name: &str, text| (name.to_owned(), AttributeValue::S(text));
    let mut item = Item::from([
        text(PARTITION, key.partition),
        text(SORT, key.sort),
        text(DOCUMENT, document),
    ]);
    if let Some(revision) = revision {
        item.insert(REVISION.to_owned(), AttributeValue::N(revision.to_string()));
    }
    item
}

fn failed(cause: impl Into<Box<dyn Error>>) -> CommandError {
    CommandError::new("cannot load the demo register", cause)
}
