//! How the register gets in: the demo, imports, and the generation that is built of them.

use std::{
    error::Error,
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
};

use domain::{Company, History};
use dynoxide::{AttributeValue, Database, Item};
use generations::{Generations, Manifest};
use indicatif::{ProgressBar, ProgressStyle};
use ingest::{
    File, incoming,
    locations::{self, Saved},
    not_understood, quarantine,
    resolve::{self, Read},
};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use sources::{Batch, Fact, Source};
use store::{
    Bulk, BulkItem,
    table::{DOCUMENT, PARTITION, REVISION, SORT},
};

use crate::{
    Stop,
    cloud::{Cloud, TABLES},
};

/// How many companies are read and put in at once.
const COMPANIES_AT_ONCE: usize = 1_000;
/// How many batches of companies wait to be put in, for each thread that reads them.
const BATCHES_AHEAD: usize = 2;
/// From here on a demo company has the newest of its notices alone, unless all are asked for, and its
/// history no facts behind it: they would double what is put in.
const MANY: usize = 50_000;

/// A demo company, read: what is to be put in.
struct DemoCompany {
    company: Company,
    history: History,
    facts: Vec<Fact>,
}

/// The demonstration register that was put in, and the generation of it.
pub struct Loaded {
    generation: indexer::Builder,
    /// The place of the last event in the feed.
    feed_end: u64,
}

/// How large a demonstration register is.
#[derive(Clone, Copy, Debug)]
pub struct Demo {
    pub companies: usize,
    /// Whether every notice of a large register's companies is read, not the newest alone.
    pub all_notices: bool,
}

impl Demo {
    fn has_facts(self) -> bool {
        self.companies < MANY
    }

    fn has_all_notices(self) -> bool {
        self.all_notices || self.has_facts()
    }
}

/// Puts the demonstration register in, past the HTTP interface of the emulator: it is the emulator's
/// own loader, and there is nothing else in the table yet. What is put in goes into a generation at
/// the same time, so that nothing of it need be read again.
pub async fn load_demo(database: Database, demo: Demo) -> Result<Loaded, Stop> {
    tokio::task::spawn_blocking(move || load(&database, demo)).await.map_err(because)?
}

fn load(database: &Database, demo: Demo) -> Result<Loaded, Stop> {
    let recorded_at = demo_registry::DEMO_DATE.to_zoned(TimeZone::UTC).map_err(because)?;
    let mut bulk = Bulk::new(recorded_at.timestamp());
    let bar = progress_bar("loading", demo.companies as u64);
    database.enable_bulk_loading().map_err(because)?;
    let generation = thread::scope(|scope| -> Result<_, Stop> {
        let (index, to_index) = mpsc::sync_channel::<Vec<DemoCompany>>(BATCHES_AHEAD);
        let indexing = scope.spawn(move || {
            let mut generation = indexer::Builder::default();
            for DemoCompany { company, history, .. } in to_index.into_iter().flatten() {
                generation.push(&company, &history);
            }
            generation
        });
        in_order(demo, |mut companies| {
            let mut items = Vec::with_capacity(companies.len() * 4);
            for DemoCompany { company, history, facts } in &mut companies {
                items.extend(bulk.company(company, history, facts).map_err(because)?);
            }
            let put = companies.len() as u64;
            index.send(companies).map_err(because)?;
            put_in(database, items)?;
            bar.inc(put);
            Ok(())
        })?;
        drop(index);
        indexing.join().map_err(|_| because("its indexes could not be built"))
    })?;
    let (items, feed_end) = bulk.finish().map_err(because)?;
    put_in(database, items)?;
    database.disable_bulk_loading().map_err(because)?;
    bar.finish_and_clear();
    Ok(Loaded { generation, feed_end })
}

impl Loaded {
    /// Publishes the generation; its files are made in a folder `below`.
    pub async fn publish(self, cloud: &Cloud, below: &Path) -> Result<Manifest, Stop> {
        let now = Timestamp::now();
        let published = self.generation.publish(&cloud.objects, below, self.feed_end, now).await;
        published.map_err(|it| Stop::because("the generation", it))
    }
}

fn because(error: impl Into<Box<dyn Error>>) -> Stop {
    Stop::because("the demo register", error)
}

/// Reads the companies on every core and hands them on in their order, batch by batch.
fn in_order(
    demo: Demo,
    mut take: impl FnMut(Vec<DemoCompany>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let count = demo.companies;
    let batches = count.div_ceil(COMPANIES_AT_ONCE);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let read = |worker: usize| {
            let (send, receive) = mpsc::sync_channel(BATCHES_AHEAD);
            scope.spawn(move || {
                for batch in (worker..batches).step_by(threads) {
                    let from = batch * COMPANIES_AT_ONCE;
                    let to = count.min(from + COMPANIES_AT_ONCE);
                    let companies: Result<Vec<_>, Stop> =
                        (from..to).map(|it| demo_company(it, demo)).collect();
                    // Nobody takes any more where something failed.
                    if send.send(companies).is_err() {
                        return;
                    }
                }
            });
            receive
        };
        let readers: Vec<_> = (0..threads).map(read).collect();
        (0..batches).try_for_each(|batch| take(readers[batch % threads].recv().map_err(because)??))
    })
}

/// A company of the demonstration, its notices read as the gazette's are.
fn demo_company(index: usize, demo: Demo) -> Result<DemoCompany, Stop> {
    let (company, publications) =
        demo_registry::company_with_publications(index, demo.has_all_notices());
    let published = serde_json::to_vec(&publications).map_err(because)?;
    let batch = sources::read(Source::Shab, &published).map_err(because)?;
    if let Some(rejected) = batch.rejected.first() {
        return Err(because(rejected.reason.as_str()));
    }
    let history = sources::fold_with_history(&batch.facts).map(|(_, history)| history);
    let facts = if demo.has_facts() { batch.facts } else { Vec::new() };
    Ok(DemoCompany { company, history: history.unwrap_or_default(), facts })
}

fn put_in(database: &Database, items: Vec<BulkItem>) -> Result<(), Stop> {
    let items = items.into_iter().map(item).collect();
    let options = dynoxide::ImportOptions { record_streams: false, set_cached_at: false };
    database.import_items(TABLES[0], items, options).map_err(because)?;
    Ok(())
}

/// An item as the table holds it: what `store` writes, in the emulator's own types.
fn item(BulkItem { key, document, revision }: BulkItem) -> Item {
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

/// A file of a source that has been read, not yet stored.
pub struct Import {
    pub source: Source,
    pub path: PathBuf,
    pub read: Read,
    /// As old as a list is that bears no day.
    day: Option<Date>,
}

/// Reads a file of a source.
pub fn read(source: Source, path: &Path) -> Result<Import, Stop> {
    let name = path.to_string_lossy();
    let bytes = std::fs::read(path).map_err(|it| Stop::because(&name, it))?;
    let read = resolve::read(source, &bytes).map_err(|it| Stop::because(&name, it))?;
    let day = written(path).filter(|_| source.is_whole_list());
    Ok(Import { source, path: path.to_owned(), read, day })
}

/// The day on which a file was last written.
fn written(path: &Path) -> Option<Date> {
    let moment = std::fs::metadata(path).and_then(|it| it.modified()).ok()?;
    Some(day_of(Timestamp::try_from(moment).ok()?))
}

fn today() -> Date {
    day_of(Timestamp::now())
}

fn day_of(moment: Timestamp) -> Date {
    moment.to_zoned(TimeZone::UTC).date()
}

/// A directory of localities, and how old it is.
pub struct List {
    table: Vec<u8>,
    day: Date,
}

/// Reads the file of a directory of localities.
pub fn read_list(path: &Path) -> Result<List, Stop> {
    let failed =
        |it: &(dyn Error + 'static)| Stop::because(&path.to_string_lossy(), errors::chain(it));
    let table = std::fs::read(path).map_err(|it| failed(&it))?;
    sources::localities::read(&table).map_err(|it| failed(&it))?;
    let day = written(path).unwrap_or_else(today);
    Ok(List { table, day })
}

/// Completes the records by a directory of localities, if it is the newest.
pub async fn locate(cloud: &Cloud, List { table, day }: &List) -> Result<(), Stop> {
    let because = |it: ingest::Error| Stop::because("the localities", it);
    match locations::save(&cloud.objects, table, *day).await.map_err(because)? {
        Saved::Newest => println!("localities of {day}: the newest"),
        Saved::AlreadyKnown => {
            println!("localities of {day}: known, or older than those there are")
        }
    }
    let mut behind = None;
    loop {
        behind =
            locations::update(&cloud.registry, &cloud.objects, behind).await.map_err(because)?;
        if behind.is_none() {
            return Ok(());
        }
    }
}

/// What a file says, of the companies that it names and that the published generation has.
async fn resolved(cloud: &Cloud, name: &str, read: Read, day: Option<Date>) -> Result<Batch, Stop> {
    let folder = tempfile::tempdir().map_err(|it| Stop::because(name, it))?;
    let generations = Generations::new(cloud.objects.clone(), folder.path());
    let resolved = read.resolve_in(&generations, &cloud.registry).await;
    Ok(resolved.map_err(|it| Stop::because(name, it))?.dated(day))
}

/// Stores what files say, and tells what each did.
pub async fn import(cloud: &Cloud, imports: Vec<Import>, accept_shrunk: bool) -> Result<(), Stop> {
    for Import { source, path, read, day } in imports {
        let name = path.to_string_lossy();
        let batch = resolved(cloud, &name, read, day).await?;
        let rejected = batch.rejected.clone();
        let key = match rejected.is_empty() {
            true => None,
            false => Some(kept(cloud, source, &path, day).await?),
        };
        let file = File { source, batch, key, accept_shrunk };
        let stored =
            ingest::ingest_file(&cloud.registry, &cloud.objects, file, Timestamp::now()).await;
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

/// Keeps a file of which a record cannot be read, so that it can be read again. Its key.
async fn kept(
    cloud: &Cloud,
    source: Source,
    path: &Path,
    day: Option<Date>,
) -> Result<String, Stop> {
    let failed =
        |it: &(dyn Error + 'static)| Stop::because(&path.to_string_lossy(), errors::chain(it));
    let bytes = std::fs::read(path).map_err(|it| failed(&it))?;
    let day = day.unwrap_or_else(today);
    let key = incoming::key(source, day, &bytes);
    cloud.objects.put(&key, bytes).await.map_err(|it| failed(&it))?;
    Ok(key)
}

/// Reads again what of a source was put aside, and tells what became of it.
pub async fn read_again(cloud: &Cloud, source: Source) -> Result<(), Stop> {
    let because = |it: &(dyn Error + 'static)| Stop::because(source.name(), errors::chain(it));
    let folder = tempfile::tempdir().map_err(|it| because(&it))?;
    let generations = Generations::new(cloud.objects.clone(), folder.path());
    let (registry, objects, now) = (&cloud.registry, &cloud.objects, Timestamp::now());
    let understood = not_understood::reprocess(registry, objects, source, now).await;
    let understood = understood.map_err(|it| because(&it))?;
    let files = quarantine::files(objects, source).await.map_err(|it| because(&it))?;
    let mut readable = 0;
    for (file, records) in files {
        let read = quarantine::reprocess_file(
            registry,
            objects,
            &generations,
            source,
            &file,
            &records,
            now,
        )
        .await;
        readable += read.map_err(|it| because(&it))?;
    }
    println!(
        "{source}: {readable} records could be read this time, {understood} publications understood"
    );
    Ok(())
}

/// Prints what files would change.
pub async fn preview(cloud: &Cloud, imports: Vec<Import>) -> Result<(), Stop> {
    for Import { source, path, read, day } in imports {
        let name = path.to_string_lossy();
        let batch = resolved(cloud, &name, read, day).await?;
        let now = Timestamp::now();
        let preview = ingest::preview(&cloud.registry, &cloud.objects, source, batch, now).await;
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
        if let Some((before, now)) = preview.shrunk {
            println!(
                "  would be refused without --accept-shrunk: {now} companies where there were {before}"
            );
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
