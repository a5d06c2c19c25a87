//! Screening: a pair of names beside another matcher, names against a long list from request to evidence, and the
//! register against a list.

mod pairs;

use std::{
    path::Path,
    time::{Duration, Instant},
};

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
/// The lowest score of a hit of a company, and the number of hits that are kept, as in `screening-updates`.
const LEAST: f64 = 0.8;
const HITS: usize = 5;

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

/// Compares the register with the whole list, and with a few entries that are new, as the worker does.
async fn register(objects: &Objects, open: &OpenList, companies: usize) -> Result<(), Error> {
    let search = |it: &ScreeningQuery| Search::new(&it.subject(), LEAST).one_of_many();
    let queries = demo_registry::companies(COMPANIES.min(companies));
    let queries: Vec<ScreeningQuery> =
        queries.map(|it| ScreeningQuery::of_company(&it, vec![List::Opensanctions])).collect();
    let (started, mut found) = (Instant::now(), 0);
    for query in &queries {
        found += search(query).find(open, HITS)?.total;
    }
    let whole = started.elapsed().mul_f64(companies as f64 / queries.len() as f64);
    let label = format!(
        "every company against the whole list: {} companies measured ({found} hits), for {companies}",
        queries.len()
    );
    row([&label, &seconds(whole)]);

    let version = screening_lists::current(objects, List::Opensanctions).await?;
    let version = version.ok_or("the list is not published")?;
    let mut changed = Vec::with_capacity(CHANGED);
    StoredEntries::download(objects, version).await?.for_each(|_, entry| {
        if changed.len() < CHANGED {
            changed.push(Prepared::new(&screening_lists::subject_of(&entry)));
        }
        Ok(())
    })?;
    let index = Candidates::new(&changed);
    let (mut time, mut found) = (Duration::ZERO, 0);
    let mut register = demo_registry::companies(companies).peekable();
    while register.peek().is_some() {
        // Companies are generated before the time is measured.
        let some = register.by_ref().take(10_000);
        let subjects: Vec<Subject> =
            some.map(|it| ScreeningQuery::of_company(&it, Vec::new()).subject()).collect();
        let started = Instant::now();
        for subject in &subjects {
            let prepared = Prepared::new(subject);
            let near = index.find_probable(&prepared, LEAST);
            let scores = near.iter().map(|it| compare(&prepared, &changed[*it as usize]).score);
            found += scores.filter(|it| *it >= LEAST).count();
        }
        time += started.elapsed();
    }
    let label = format!("{companies} companies against {CHANGED} new entries ({found} hits)");
    row([&label, &seconds(time)]);
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
