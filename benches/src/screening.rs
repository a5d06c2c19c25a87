//! Screening: a pair of names beside another matcher, names against a long list from request to evidence, and the
//! register against a list.

mod disturbed;
mod pairs;

use std::{
    path::Path,
    pin::pin,
    time::{Duration, Instant},
};

use auth::Principal;
use bytes::Bytes;
use domain::lists::List;
use fetch::Fetcher;
use futures_util::TryStreamExt;
use generations::Records;
use invented_names::Names;
use jobs::{JobId, ListJob, Queue};
use local::{cloud::Cloud, register::demo::DemoSettings};
use matching::{Kind, Name, Prepared, Subject};
use screening_lists::ScreeningLists;
use screening_results::{Published, current};
use screening_updates::{Imported, Worker};
use serde_json::json;
use sources::lists::ListFormat;
use store::CountedSubject;
use teams::screening::ScreeningQuery;
use tempfile::TempDir;

use crate::{
    Error, machine, process,
    samples::{self, Samples, median_and_tail, row, seconds},
    server::Server,
};

/// Entries of the invented list. Each has a name and an alias.
const ENTRIES: usize = 150_000;
/// Names that are screened from request to evidence.
const SCREENINGS: usize = 20_000;
/// Companies that are compared with the list, with their officers.
const COMPANIES: usize = 50_000;
/// Entries that an update adds.
const CHANGED: usize = 1_000;
const FORMAT: ListFormat = ListFormat::FollowTheMoney;

pub(crate) fn measure_disturbed() -> Result<(), Error> {
    disturbed::measure()
}

pub(crate) fn measure(companies: usize, labelled: Option<&Path>) -> Result<(), Error> {
    samples::header(&["Screening, one core", "Figure"]);
    pairs::measure(labelled)?;
    let folder = TempDir::new()?;
    let demo = DemoSettings { companies: COMPANIES.min(companies), all_notices: false };
    let server = Server::start(folder.path(), demo)?;
    machine::pin(std::process::id(), "0")?;
    machine::pin(server.process.id(), "1")?;
    let cloud = Cloud::of_server(&server.local.endpoints);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(list(&cloud, companies))?;
    println!();
    Ok(())
}

/// Publishes the list, and screens names and companies against it.
async fn list(server: &Cloud, companies: usize) -> Result<(), Error> {
    let objects = &server.objects;
    let mut names = Names::new(17);
    let listed: Vec<(bool, Vec<String>)> = (0..ENTRIES).map(|at| name(&mut names, at)).collect();
    let file = follow_the_money(&mut Names::new(18), &listed);
    let started = Instant::now();
    let now = machine::now();
    screening_updates::import(objects, FORMAT, file, None, now).await?;
    let label =
        format!("reading and publishing a list of {ENTRIES} entries with {} names", 2 * ENTRIES);
    row([&label, &seconds(started.elapsed())]);

    let before = machine::memory("self")?;
    let lists = ScreeningLists::new(objects.clone());
    let started = Instant::now();
    let open = lists.current(List::Opensanctions).await.map_err(|it| it.0)?;
    let open = open.ok_or("the list is not published")?;
    row(["opening it: download, check, prepare", &seconds(started.elapsed())]);
    let after = machine::memory("self")?;
    row(["memory of the open list", &format!("{:.0} MB", (after.own - before.own) / 1e6)]);

    let by = Principal::api_key("measurement");
    let (mut times, mut hits) = (Samples::new(), 0);
    for _ in 0..SCREENINGS {
        let (is_person, listed) = &listed[names.below(ENTRIES)];
        let name = names.perturbed(*is_person, listed).join(" ");
        let query = ScreeningQuery::of(name, vec![List::Opensanctions]);
        let started = Instant::now();
        #[expect(clippy::disallowed_methods, reason = "no client requests it")]
        let counted = CountedSubject::as_operator();
        let found = lists.screen(counted, query, by.clone(), now).await.map_err(|it| it.0)?;
        times.push(started.elapsed());
        hits += found.hits.len();
    }
    let found = format!(
        "screening of a name, hits explained ({:.1} hits each)",
        hits as f64 / SCREENINGS as f64
    );
    row([&found, &format!("{} ms (p50 / p99)", median_and_tail(&times))]);
    row([
        "screenings per second",
        &format!("{:.0}", SCREENINGS as f64 / times.total().as_secs_f64()),
    ]);
    drop(open);
    let added = (0..CHANGED).map(|at| name(&mut names, at));
    let listed: Vec<_> = listed.into_iter().chain(added).collect();
    register(server, follow_the_money(&mut Names::new(18), &listed), companies).await
}

/// Waits until nothing compares the companies of the server with the list.
async fn idle(objects: &objects::Objects) -> Result<(), Error> {
    let list = List::Opensanctions;
    while screening_results::is_running(objects, list, machine::now()).await? {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    Ok(())
}

/// Compares all companies and officers of the server with the list, from the first job to the published result, as the worker
/// does: with the whole list, and after an update that adds a few entries.
async fn register(server: &Cloud, updated: Bytes, companies: usize) -> Result<(), Error> {
    let objects = &server.objects;
    // The worker of the server does not get these jobs.
    let queues = Cloud::in_memory().await?;
    let folder = TempDir::new()?;
    let components = process::components(server, folder.path())
        .with(queues.lists_queue.clone())
        .with(queues.mails_queue.clone())
        .with(Fetcher::new(fetch::Settings::default()));
    let worker: Worker = components.get();
    let generation = generations::published(objects).await?.ok_or("no generation")?;
    let names = Records::names_of(objects, &generation.id).await?.ok_or("no names")?;
    let (mut measured, mut officers) = (0, 0);
    let mut batches = pin!(names.all());
    while let Some(batch) = batches.try_next().await? {
        for record in batch.records() {
            measured += 1;
            officers += record?.names()?.officers.len();
        }
    }
    let whole_register = |it: Duration| it.mul_f64(companies as f64 / f64::from(measured));
    // The server has compared its companies with a short list, or does it now with this one.
    idle(objects).await?;
    objects.delete("screening/opensanctions/companies/current.json").await?;
    let (time, result) = screen_all(&worker, &queues.lists_queue).await?;
    let label = format!(
        "{companies} companies with their officers against the whole list, from the first job to the result \
         (from {measured} companies with {officers} officers, of which {} have hits)",
        result.with_hits
    );
    row([&label, &seconds(whole_register(time))]);
    // The server compares its companies by itself, too. It ends when it sees this result.
    tokio::time::sleep(Duration::from_secs(30)).await;
    let update = screening_updates::import(objects, FORMAT, updated, None, machine::now()).await?;
    if matches!(update, Imported::Unchanged) {
        return Err("the update was not published".into());
    }
    // Takes as long for every number of companies.
    let started = Instant::now();
    let open = worker.lists.refresh(&[List::Opensanctions]).await;
    open.map_err(|it| it.0)?;
    let now = screening_lists::current(objects, List::Opensanctions).await?.ok_or("no list")?;
    let before = Some(result.version.as_str());
    worker.last_changes.between(objects, List::Opensanctions, before, &now.id).await?;
    let reading = started.elapsed();
    let (time, result) = screen_all(&worker, &queues.lists_queue).await?;
    let label = format!(
        "{companies} companies with their officers after an update with {CHANGED} new entries ({} have hits), and of this reading the lists",
        result.with_hits
    );
    let times = [whole_register(time) + reading, reading].map(seconds);
    row([&label, &times.join(", ")]);
    Ok(())
}

/// Runs the jobs of one comparison of the register with the current version of the list.
async fn screen_all(
    worker: &Worker,
    queue: &Queue<ListJob>,
) -> Result<(Duration, Published), Error> {
    let list = List::Opensanctions;
    let before = current(&worker.objects, list).await?;
    let started = Instant::now();
    let mut job = ListJob::ScreenList { list };
    for number in 0.. {
        // Each message of a queue has an id of its own, also those of different comparisons.
        let id = JobId::of_message(&format!("{}-{number}", machine::now()), None);
        worker.handle(job.clone(), id, machine::now()).await?;
        if let Some(result) = current(&worker.objects, list).await?
            && Some(&result) != before.as_ref()
        {
            return Ok((started.elapsed(), result));
        }
        let next = queue.receive().await?;
        let delivery = next.ok_or_else(|| format!("no job after {number}: {job:?}"))?;
        queue.delete(&delivery.receipt_handle).await?;
        job = serde_json::from_str(&delivery.body)?;
    }
    Err("the jobs do not end".into())
}

/// The name of an entry, and whether it is a person: three of four are.
fn name(names: &mut Names, at: usize) -> (bool, Vec<String>) {
    match at % 4 {
        0 => (false, names.company()),
        _ => (true, names.person()),
    }
}

/// The entries in the format of OpenSanctions, each with another spelling as alias.
fn follow_the_money(names: &mut Names, listed: &[(bool, Vec<String>)]) -> Bytes {
    let mut file = Vec::new();
    for (at, (is_person, name)) in listed.iter().enumerate() {
        let alias = names.perturbed(*is_person, name).join(" ");
        let name = name.join(" ");
        let entity = json!({
            "id": format!("invented-{at}"),
            "caption": name,
            "schema": if *is_person { "Person" } else { "Company" },
            "properties": { "name": [name], "alias": [alias], "topics": ["sanction"] },
            "datasets": ["invented"],
            "target": true,
        });
        file.extend(entity.to_string().into_bytes());
        file.push(b'\n');
    }
    file.into()
}

/// A subject of which only the name is known.
fn subject(kind: Kind, name: &str) -> Prepared {
    Prepared::new(&Subject { kind, names: vec![Name::new(name)], ..Subject::default() })
}
