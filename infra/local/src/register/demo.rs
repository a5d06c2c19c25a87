//! Loads the demo register.

use std::{error::Error, path::Path, sync::mpsc, thread};

use domain::{Company, History, owners::set_quota_holders, persons::RoleCategory};
use dynoxide::{AttributeValue, Database, Item};
use facts::Fact;
use generations::Manifest;
use jiff::tz::TimeZone;
use statements::{CompanyStatement, Source, Statement};
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
/// requested), and its facts are not stored: they would double the size of the table.
const LARGE_REGISTER: usize = 50_000;

/// Size and detail of a demo register.
#[derive(Clone, Copy, Debug)]
pub struct DemoSettings {
    pub companies: usize,
    /// Whether companies have all their gazette notices even in a large register.
    pub all_notices: bool,
}

impl DemoSettings {
    fn stores_facts(self) -> bool {
        self.companies < LARGE_REGISTER
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

/// Loads the demo register into an empty table.
///
/// Uses the emulator's bulk loader instead of its HTTP interface, and adds each company to the generation
/// at the same time, so that nothing has to be read from the table again.
pub async fn load(database: Database, settings: DemoSettings) -> Result<LoadedDemo, CommandError> {
    tokio::task::spawn_blocking(move || load_blocking(&database, settings)).await.map_err(failed)?
}

/// What is loaded of one company.
struct DemoCompany {
    company: Company,
    history: History,
    facts: Vec<Fact>,
}

fn load_blocking(database: &Database, settings: DemoSettings) -> Result<LoadedDemo, CommandError> {
    let recorded_at = demo_registry::DEMO_DATE.to_zoned(TimeZone::UTC).map_err(failed)?;
    let mut bulk = Bulk::new(recorded_at.timestamp());
    let bar = progress_bar("loading", settings.companies as u64);
    database.enable_bulk_loading().map_err(failed)?;
    let generation = thread::scope(|scope| -> Result<_, CommandError> {
        let (to_index, batches) = mpsc::sync_channel::<Vec<DemoCompany>>(BATCHES_AHEAD);
        let indexing = scope.spawn(move || {
            let mut generation = indexer::Builder::new(demo_registry::DEMO_DATE);
            for DemoCompany { company, history, .. } in batches.into_iter().flatten() {
                generation.push(&company, &history)?;
            }
            Ok(generation)
        });
        for_each_batch(settings, |mut companies| {
            let mut items = Vec::with_capacity(companies.len() * 4);
            for DemoCompany { company, history, facts } in &mut companies {
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
    Ok(LoadedDemo { generation, last_sequence })
}

/// Creates the companies on every core and passes them on in their order, batch by batch.
fn for_each_batch(
    settings: DemoSettings,
    mut load: impl FnMut(Vec<DemoCompany>) -> Result<(), CommandError>,
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
                    let companies: Result<Vec<_>, CommandError> =
                        (from..to).map(|it| demo_company(it, settings)).collect();
                    // The receiver is gone if loading failed.
                    if send.send(companies).is_err() {
                        return;
                    }
                }
            });
            receive
        };
        let readers: Vec<_> = (0..threads).map(start_reader).collect();
        (0..batches).try_for_each(|batch| load(readers[batch % threads].recv().map_err(failed)??))
    })
}

/// The company with this index. Its notices go through the same reader as those of the gazette. Its group is stored as what
/// GLEIF states, because notices do not mention it: importing another fact computes the record again from all facts.
fn demo_company(index: usize, settings: DemoSettings) -> Result<DemoCompany, CommandError> {
    let (mut company, publications) =
        demo_registry::company_with_publications(index, settings.has_all_notices());
    let publications = serde_json::to_vec(&publications).map_err(failed)?;
    let batch = sources::read(Source::Shab, &publications).map_err(failed)?;
    if let Some(rejected) = batch.rejected.first() {
        return Err(failed(rejected.reason.as_str()));
    }
    let mut statements = batch.statements;
    statements.extend(demo_registry::legal_entity(index).map(|entity| CompanyStatement {
        uid: company.uid,
        source: Source::Gleif,
        published: entity.last_update,
        statement: Statement::Gleif(Box::new(entity)),
    }));
    let mut facts = facts::facts(statements);
    let history = facts::fold_with_history(&facts).map(|(_, history)| history).unwrap_or_default();
    let director = history.current_mandates().find(|it| it.category == RoleCategory::Board);
    let director = director.map(|it| it.person.full_name()).unwrap_or_default();
    let disclosures = demo_registry::disclosures(index, &director).into_iter();
    facts.extend(disclosures.map(|disclosure| {
        Fact::from(CompanyStatement {
            uid: company.uid,
            source: Source::Six,
            published: Some(disclosure.published),
            statement: Statement::Shareholding(Box::new(disclosure)),
        })
    }));
    // The partners are those in the notices.
    set_quota_holders(&mut company, history.current_mandates());
    let facts = if settings.stores_facts() { facts } else { Vec::new() };
    Ok(DemoCompany { company, history, facts })
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
