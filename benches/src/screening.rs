//! Screening: a pair of names beside another matcher, names against a long list from request to evidence, and the
//! register against a list.

mod pairs;

use std::{path::Path, time::Instant};

use accounts::screening::ScreeningQuery;
use auth::Principal;
use bytes::Bytes;
use domain::lists::List;
use invented_names::Names;
use local::{
    cloud::{BUCKET, clients},
    register::demo::DemoSettings,
};
use objects::Objects;
use screening::{Candidates, Kind, Name, Prepared, Subject, compare};
use screening_lists::{OpenList, ScreeningLists, Search, StoredEntries};
use serde_json::json;
use sources::lists::ListFormat;
use tempfile::TempDir;

use crate::{
    Error, machine,
    samples::{self, Samples, median_and_tail, row, seconds},
    server::Server,
};

/// Entries of the invented list. Each has a name and an alias.
const ENTRIES: usize = 150_000;
/// Names that are screened from request to evidence.
const SCREENINGS: usize = 20_000;
/// Companies of the register that are compared with the whole list.
const COMPANIES: usize = 100_000;
/// Entries that are new in the list, compared with the whole register.
const CHANGED: usize = 1_000;

pub(crate) fn measure(companies: usize, labelled: Option<&Path>) -> Result<(), Error> {
    samples::header(&["Screening, one core", "Figure"]);
    pairs::measure(labelled)?;
    let folder = TempDir::new()?;
    let small = DemoSettings { companies: 1_000, all_notices: false };
    let server = Server::start(folder.path(), small)?;
    machine::pin(std::process::id(), "0")?;
    machine::pin(server.process.id(), "1")?;
    let objects = Objects::named(clients::s3_client(&server.local.endpoints.s3), BUCKET);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(list(objects, companies))?;
    println!();
    Ok(())
}

/// Publishes the list, and screens names and companies against it.
async fn list(objects: Objects, companies: usize) -> Result<(), Error> {
    let mut names = Names::new(17);
    let listed: Vec<(bool, Vec<String>)> = (0..ENTRIES).map(|at| name(&mut names, at)).collect();
    let file = follow_the_money(&mut names, &listed);
    let started = Instant::now();
    let now = machine::now();
    let format = ListFormat::FollowTheMoney;
    screening_updates::import(&objects, format, file, None, now).await?;
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
        let found = lists.screen(query, by.clone(), now).await.map_err(|it| it.0)?;
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
    register(&objects, &open, companies).await
}

/// Compares the register with the whole list, and a few entries with the whole register.
async fn register(objects: &Objects, open: &OpenList, companies: usize) -> Result<(), Error> {
    let queries = demo_registry::companies(COMPANIES.min(companies));
    let queries: Vec<ScreeningQuery> =
        queries.map(|it| ScreeningQuery::of_company(&it, vec![List::Opensanctions])).collect();
    let (started, mut found) = (Instant::now(), 0);
    for query in &queries {
        found += Search::new(&query.subject(), query.threshold).find(open, 1)?.total;
    }
    let whole = started.elapsed().mul_f64(companies as f64 / queries.len() as f64);
    let label = format!(
        "every company against the whole list: {} companies measured ({found} hits), for {companies}",
        queries.len()
    );
    row([&label, &seconds(whole)]);

    let query = |it| ScreeningQuery::of_company(&it, Vec::new()).subject();
    let started = Instant::now();
    let subjects: Vec<Prepared> =
        demo_registry::companies(companies).map(|it| Prepared::new(&query(it))).collect();
    let index = Candidates::new(&subjects);
    row([&format!("preparing the names of {companies} companies"), &seconds(started.elapsed())]);

    let version = screening_lists::current(objects, List::Opensanctions).await?;
    let version = version.ok_or("the list is not published")?;
    let mut entries = Vec::with_capacity(CHANGED);
    StoredEntries::download(objects, version).await?.for_each(|_, entry| {
        if entries.len() < CHANGED {
            entries.push(Prepared::new(&screening_lists::subject_of(&entry)));
        }
        Ok(())
    })?;
    let (started, mut found) = (Instant::now(), 0);
    for entry in &entries {
        let near = index.find(entry);
        found +=
            near.iter().filter(|it| compare(&subjects[**it as usize], entry).is_match()).count();
    }
    let label =
        format!("{CHANGED} new entries against {companies} prepared companies ({found} hits)");
    row([&label, &seconds(started.elapsed())]);
    Ok(())
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
