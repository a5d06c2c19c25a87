//! The directory of localities adds coordinates to records, in whatever order both arrive.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use domain::{Company, Source, company::GeoPrecision};
use ingest::{
    STORED_PER_JOB,
    locations::{self, Progress, Saved},
};
use jiff::{
    Timestamp,
    civil::{Date, date},
};
use local::cloud::clients::dynamodb_client;
use serde_json::json;
use sources::Batch;
use store::Registry;
use tests::{Service, faults::Faults};

const UID: &str = "CHE-600.000.012";
/// Invented places: a commune of two localities.
pub(crate) const DIRECTORY: &str = "Ortschaftsname;PLZ;Zusatzziffer;Gemeindename;BFS-Nr;Kantonskürzel;E;N;Sprache;Validity\n\
    Musterlingen;8901;00;Musterlingen;9001;ZH;2680000.0;1240000.0;de;2008-07-01\n\
    Oberdorf;8902;00;Musterlingen;9001;ZH;2681000.0;1241000.0;de;2008-07-01\n";
pub(crate) const FIRST: Date = date(2026, 3, 2);
const SECOND: Date = date(2026, 6, 1);

/// A record without coordinates.
fn record() -> Batch {
    record_of(date(2026, 3, 24))
}

fn record_of(day: Date) -> Batch {
    record_in("CHE600000012", day, "Oberdorf", "8902")
}

fn record_in(uid: &str, day: Date, city: &str, zip: &str) -> Batch {
    let record = json!({
        "name": "Muster AG", "uid": uid, "status": "ACTIVE", "sogcDate": day,
        "canton": "ZH", "legalSeat": "Musterlingen", "legalSeatId": 9001,
        "address": { "street": "Dorfstrasse", "houseNumber": "1", "city": city, "swissZipCode": zip },
    });
    let batch = sources::read(Source::Zefix, record.to_string().as_bytes()).expect("json");
    assert_eq!(batch.rejected, []);
    batch
}

/// The same directory with one locality one kilometre further east.
fn moved() -> String {
    DIRECTORY.replace("2681000.0", "2682000.0")
}

/// Stores a directory and adds the coordinates of the newest to every record.
async fn store_directory(service: &Service, table: &str, day: Date) -> Saved {
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let saved = locations::save(objects, table.as_bytes(), day).await.expect("saved");
    assert_eq!(
        locations::update(registry, objects, Progress::default(), STORED_PER_JOB, service.now())
            .await
            .expect("completed"),
        None
    );
    saved
}

async fn company(service: &Service) -> Company {
    let uid = UID.parse().expect("a number");
    service.cloud.registry.company(uid).await.expect("read").expect("a record")
}

#[tokio::test]
async fn the_order_of_directory_and_record_makes_no_difference() {
    let (before, after) = (Service::start().await, Service::start().await);
    assert_eq!(store_directory(&before, DIRECTORY, FIRST).await, Saved::Newest);
    before.ingest(Source::Zefix, record()).await;
    after.ingest(Source::Zefix, record()).await;
    assert_eq!(company(&after).await.latitude, None);
    assert_eq!(store_directory(&after, DIRECTORY, FIRST).await, Saved::Newest);
    let located = company(&before).await;
    assert_eq!(company(&after).await, located);
    assert_eq!(located.geo_precision, Some(GeoPrecision::Locality));
    let source = located.sources.last().expect("a source");
    assert_eq!((source.source.as_str(), source.date), ("swisstopo", Some(date(2008, 7, 1))));

    // An identical or older directory changes nothing; a newer one replaces the coordinates.
    assert_eq!(store_directory(&before, DIRECTORY, SECOND).await, Saved::AlreadyKnown);
    assert_eq!(company(&before).await, located);
    assert_eq!(store_directory(&before, &moved(), SECOND).await, Saved::Newest);
    assert_eq!(store_directory(&after, &moved(), SECOND).await, Saved::Newest);
    assert_eq!(store_directory(&after, DIRECTORY, FIRST).await, Saved::AlreadyKnown);
    before.ingest(Source::Zefix, record()).await;
    let moved = company(&before).await;
    assert_eq!(company(&after).await, moved);
    assert!(moved.longitude > located.longitude, "{moved:?}");
    assert_eq!(moved.sources.iter().filter(|it| it.source == "swisstopo").count(), 1);
}

#[tokio::test]
async fn a_new_directory_writes_only_the_records_whose_location_changes() {
    let service = Service::start().await;
    store_directory(&service, DIRECTORY, FIRST).await;
    let day = date(2026, 3, 24);
    service.ingest(Source::Zefix, record_in("CHE600000012", day, "Oberdorf", "8902")).await;
    for uid in ["CHE600000029", "CHE600000035"] {
        service.ingest(Source::Zefix, record_in(uid, day, "Musterlingen", "8901")).await;
    }
    let faults = Faults::before(&service.cloud.endpoints.dynamodb).await;
    let registry = Registry::named(dynamodb_client(&faults.address), &service.cloud.tables[0]);
    let writes = Arc::new(AtomicUsize::new(0));
    let count = writes.clone();
    faults.decide(move |operation, request| {
        let is_write = operation.contains("Write") || operation.contains("Put");
        let is_of_company = request.to_string().contains("COMPANY#");
        count.fetch_add(usize::from(is_write && is_of_company), SeqCst);
        None
    });
    let written = async |table: &str, day: Date| {
        let objects = &service.cloud.objects;
        let saved = locations::save(objects, table.as_bytes(), day).await.expect("saved");
        assert_eq!(saved, Saved::Newest);
        locations::update(&registry, objects, Progress::default(), STORED_PER_JOB, service.now())
            .await
            .expect("updated");
        writes.swap(0, SeqCst)
    };
    // The same localities in a file with other bytes.
    assert_eq!(written(&format!("{DIRECTORY}\n"), date(2026, 5, 1)).await, 0);
    assert_eq!(written(&moved(), SECOND).await, 1, "only the company in Oberdorf");
    let located = company(&service).await;
    assert_eq!(located.sources.iter().filter(|it| it.source == "swisstopo").count(), 1);
}

#[tokio::test]
async fn a_company_gets_the_precision_of_its_locality_and_a_preview_includes_its_coordinates() {
    let service = Service::start().await;
    store_directory(&service, DIRECTORY, FIRST).await;
    service.ingest(Source::Zefix, record()).await;
    service.publish().await;
    let answer = service.get("/v1/companies/CHE600000012").await;
    assert_eq!(answer.body["geoPrecision"], "locality", "{}", answer.text);
    let newer = record_of(SECOND);
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let preview = ingest::preview(registry, objects, Source::Zefix, newer, Timestamp::UNIX_EPOCH);
    let preview = preview.await.expect("compared");
    let (_, members) = preview.changes.values().next().expect("a change");
    assert!(!members.contains(&"latitude".to_owned()), "{members:?}");
}

#[tokio::test]
async fn a_directory_is_applied_although_the_job_that_saved_it_was_killed() {
    let service = Service::start().await;
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    service.ingest(Source::Zefix, record()).await;
    let save =
        async |day| locations::save(objects, DIRECTORY.as_bytes(), day).await.expect("saved");
    let is_needed = async || locations::is_update_needed(objects).await.expect("read");
    let update =
        async |it| locations::update(registry, objects, it, STORED_PER_JOB, service.now()).await;
    assert!(!is_needed().await);
    assert_eq!(save(FIRST).await, Saved::Newest);
    // The job is killed here. The next one fetches the same directory.
    assert_eq!(save(SECOND).await, Saved::AlreadyKnown);
    assert!(is_needed().await);
    update(Progress::default()).await.expect("updated");
    assert!(!is_needed().await);
    assert!(company(&service).await.latitude.is_some());

    // Another directory arrives between the jobs of an update, whose first companies lack its changes.
    let second = moved();
    locations::save(objects, second.as_bytes(), SECOND).await.expect("saved");
    let progress = Progress { after: "CHE-999.999.996".parse().ok(), directory: Some(FIRST) };
    update(progress).await.expect("updated");
    assert!(is_needed().await);
}

#[tokio::test]
async fn a_directory_that_lost_localities_is_refused_and_the_previous_one_is_used() {
    let service = Service::start().await;
    store_directory(&service, DIRECTORY, FIRST).await;
    let (shorter, _) = DIRECTORY.rsplit_once("Oberdorf").expect("two localities");
    let refused = locations::save(&service.cloud.objects, shorter.as_bytes(), SECOND).await;
    let refused = refused.expect_err("refused").to_string();
    assert_eq!(refused, "the localities shrank from 2 to 1: a part of them is missing");
    service.ingest(Source::Zefix, record()).await;
    assert!(company(&service).await.latitude.is_some());
}

#[tokio::test]
async fn an_unreadable_directory_is_refused_and_a_record_without_facts_is_left_unchanged() {
    let service = Service::start().await;
    let objects = &service.cloud.objects;
    locations::save(objects, b"<html>", FIRST).await.expect_err("refused");
    let unreadable = DIRECTORY.replace(";26", ";x");
    locations::save(objects, unreadable.as_bytes(), FIRST).await.expect_err("refused");
    let mut made_up = tests::company(UID, "Muster AG");
    made_up.legal_seat_id = Some(9001);
    service.cloud.registry.put_companies(vec![made_up.clone()]).await.expect("put");
    store_directory(&service, DIRECTORY, FIRST).await;
    assert_eq!(company(&service).await, made_up);
}
