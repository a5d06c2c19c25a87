//! Building a generation from the previous one: it is the same as one that is built from the whole registry.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

use domain::Uid;
use generations::{COLUMNS, HISTORIES, Manifest, NAMES, RECORDS};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use local::{
    cloud::{Cloud, clients::dynamodb_client},
    register::demo::{self, DemoSettings},
};
use store::{Registry, keys};
use tempfile::TempDir;
use tests::{Service, company, faults::Faults};

use crate::{
    items::Items,
    two_companies::{self, EINS, ZWEI, ingest},
};

/// A service over a demo register, with a proxy that counts the scans of the registry.
struct Updated {
    service: Service,
    registry: Registry,
    scans: Arc<AtomicUsize>,
    /// Where the register is.
    _folder: TempDir,
}

#[expect(clippy::disallowed_methods, reason = "changes are marked with the day of the machine")]
fn now() -> Timestamp {
    Timestamp::now()
}

fn uid(text: &str) -> Uid {
    text.parse().expect("a company number")
}

impl Updated {
    /// The generation of a demo register and of the first notices of two companies.
    async fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        let (cloud, database) = Cloud::in_folder(folder.path()).await.expect("a cloud");
        let settings = DemoSettings { companies: 100, all_notices: true };
        demo::load(&cloud, database, settings, demo_registry::DEMO_DATE).await.expect("loaded");
        let service = Service::over(cloud).await;
        let faults = Faults::before(&service.cloud.endpoints.dynamodb).await;
        let client = dynamodb_client(&faults.address);
        let registry = Registry::named(client, &service.cloud.tables[0]);
        let scans = Arc::new(AtomicUsize::new(0));
        let seen = scans.clone();
        faults.decide(move |operation, _| {
            seen.fetch_add(usize::from(operation == "Scan"), SeqCst);
            None
        });
        let updated = Self { service, registry, scans, _folder: folder };
        updated.ingest(&[0, 1]).await;
        updated.rebuild(now()).await;
        updated
    }

    /// Ingests some of the notices of the two companies.
    async fn ingest(&self, numbers: &[usize]) {
        let all = two_companies::publications();
        let some: Vec<_> = numbers.iter().map(|it| all[*it].clone()).collect();
        let cloud = &self.service.cloud;
        ingest(&cloud.registry, cloud, &some).await.expect("ingested");
    }

    async fn update(&self, now: Timestamp) -> Manifest {
        let objects = &self.service.cloud.objects;
        let folder = self.service.downloads.path();
        indexer::update(&self.registry, objects, folder, now).await.expect("published")
    }

    /// Builds a generation from the registry alone.
    async fn rebuild(&self, now: Timestamp) -> Manifest {
        let objects = &self.service.cloud.objects;
        let folder = self.service.downloads.path();
        indexer::publish(&self.registry, objects, folder, now, |_| ()).await.expect("published")
    }

    /// Whether an update reads the whole registry. The result is checked in any case.
    async fn reads_all(&self, now: Timestamp) -> bool {
        let before = self.scans.load(SeqCst);
        let updated = self.update(now).await;
        let scans = self.scans.load(SeqCst) - before;
        let answers = self.answers().await;
        let rebuilt = self.rebuild(now).await;
        assert_eq!(files(&updated), files(&rebuilt));
        assert_eq!(updated.contents, rebuilt.contents);
        assert_eq!(answers, self.answers().await);
        scans > 0
    }

    /// What the current generation answers.
    async fn answers(&self) -> Vec<String> {
        self.service.generations.refresh().await.expect("opened");
        let mut answers = Vec::new();
        for path in [
            "/v1/companies?pageSize=100",
            "/v1/companies?search=bank",
            "/v1/companies/statistics",
            "/v1/changes?pageSize=100",
            "/v1/changes/statistics",
            "/v1/persons/search?q=meier",
            "/v1/persons/search?sortBy=roleCount&sortDesc=true&pageSize=100",
            "/v1/auditor-tenures",
            "/v1/companies?boardMemberSearch=muster",
        ] {
            let answer = self.service.get(path).await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text);
            answers.push(answer.text);
        }
        answers
    }
}

/// The files from which exports, screening, analyses and the next generation are read, with their digests.
fn files(manifest: &Manifest) -> BTreeMap<&str, &str> {
    let is_read = |path: &str| {
        [COLUMNS, RECORDS, NAMES, HISTORIES].contains(&path.split('/').next().unwrap_or_default())
    };
    let files = manifest.files.iter().filter(|it| is_read(&it.path));
    files.map(|it| (it.path.as_str(), it.sha256.as_str())).collect()
}

#[tokio::test]
async fn an_update_reads_only_what_has_changed_and_gives_the_same_generation() {
    let it = Updated::start().await;
    assert!(!it.reads_all(now()).await, "nothing has changed");
    it.ingest(&[2, 3]).await;
    assert!(!it.reads_all(now()).await, "companies have new notices");
    let new = company("CHE-600.000.018", "Neue Firma AG");
    it.registry.put_companies(vec![new.clone()]).await.expect("stored");
    assert!(!it.reads_all(now()).await, "a company is new");
    let found = it.service.get("/v1/companies?search=neue%20firma").await;
    assert_eq!(found.body["items"][0]["uid"], new.uid.to_string());
    let move_it = |mut it: domain::Company| {
        it.municipality = Some("Umgezogen".into());
        it
    };
    it.registry.rebuild_record(uid(EINS), move_it).await.expect("rebuilt");
    assert!(!it.reads_all(now()).await, "a record was rebuilt");
    assert!(it.answers().await[0].contains("Umgezogen"));
}

#[tokio::test]
async fn changes_are_known_for_nine_days_also_those_around_midnight() {
    let it = Updated::start().await;
    it.ingest(&[2, 3]).await;
    let published = it.rebuild(now() - SignedDuration::from_hours(8 * 24)).await;
    assert!(published.built_at < now());
    assert!(!it.reads_all(now()).await);
    it.rebuild(now() - SignedDuration::from_hours(10 * 24)).await;
    assert!(it.reads_all(now()).await, "the marks of the first day are not kept");
}

#[tokio::test]
async fn what_does_not_fit_is_read_from_the_registry() {
    let it = Updated::start().await;
    let (objects, items) = (&it.service.cloud.objects, Items::of(&it.service));

    // A change without a mark: its number is missing in the feed.
    it.ingest(&[2, 3]).await;
    it.registry.publish_events(now()).await.expect("published");
    for company in [EINS, ZWEI] {
        let today = now().to_zoned(TimeZone::UTC).date();
        items.delete(&keys::changed(today, uid(company))).await;
    }
    assert!(it.reads_all(now()).await);

    // A damaged block, and no histories at all.
    for damaged in [Some("no histories"), None] {
        let manifest = generations::published(objects).await.expect("read").expect("a generation");
        let name = if damaged.is_some() { "00000.ndjson.zst" } else { "blocks.json" };
        let path = format!("{HISTORIES}/{name}");
        let file = manifest.files.iter().find(|it| it.path == path).expect("a file");
        let key = manifest.key_of(objects, file);
        match damaged {
            Some(content) => objects.put(&key, content.repeat(100_000)).await.expect("stored"),
            None => objects.delete(&key).await.expect("deleted"),
        }
        assert!(it.reads_all(now()).await, "{damaged:?}");
    }
    assert!(!it.reads_all(now()).await, "the next generation is complete");

    // A mark that cannot be decoded.
    it.ingest(&[4]).await;
    let today = now().to_zoned(TimeZone::UTC).date();
    items.damage(&keys::changed(today, uid(ZWEI))).await;
    assert!(it.reads_all(now()).await);
}

#[tokio::test]
async fn a_company_leaves_the_quarantine_with_an_update() {
    let it = Updated::start().await;
    let items = Items::of(&it.service);
    let record = keys::company(uid(EINS));
    let readable = items.damage(&record).await;
    let rebuilt = it.rebuild(now()).await;
    assert_eq!(rebuilt.left_out, 1);
    assert!(!it.reads_all(now()).await);
    // Repaired by hand, so it is not marked.
    items.put(readable).await;
    assert!(!it.reads_all(now()).await);
    let updated = it.update(now()).await;
    assert_eq!((updated.left_out, updated.companies), (0, rebuilt.companies + 1));
}

#[tokio::test]
async fn a_table_that_was_restored_to_an_earlier_time_is_read_whole() {
    let it = Updated::start().await;
    let items = Items::of(&it.service);
    let mut earlier = vec![items.get(&keys::feed_end()).await];
    for company in [EINS, ZWEI].map(uid) {
        earlier.push(items.get(&keys::company(company)).await);
        earlier.push(items.get(&keys::history(company)).await);
    }
    it.ingest(&[2, 3]).await;
    assert!(!it.reads_all(now()).await);
    for item in earlier {
        items.put(item).await;
    }
    let today = now().to_zoned(TimeZone::UTC).date();
    for company in [EINS, ZWEI].map(uid) {
        items.delete(&keys::changed(today, company)).await;
    }
    assert!(it.reads_all(now()).await, "the previous generation is of a later state");
}
