//! The directory of localities adds coordinates to records, in whatever order both arrive.

use domain::{Company, company::GeoPrecision};
use ingest::locations::{self, Saved};
use jiff::{
    Timestamp,
    civil::{Date, date},
};
use serde_json::json;
use sources::Batch;
use statements::Source;
use tests::Service;

const UID: &str = "CHE-600.000.012";
/// Invented places: a commune of two localities.
const DIRECTORY: &str = "Ortschaftsname;PLZ;Zusatzziffer;Gemeindename;BFS-Nr;Kantonskürzel;E;N;Sprache;Validity\n\
    Musterlingen;8901;00;Musterlingen;9001;ZH;2680000.0;1240000.0;de;2008-07-01\n\
    Oberdorf;8902;00;Musterlingen;9001;ZH;2681000.0;1241000.0;de;2008-07-01\n";
const FIRST: Date = date(2026, 3, 2);
const SECOND: Date = date(2026, 6, 1);

/// A record without coordinates.
fn record() -> Batch {
    record_of(date(2026, 3, 24))
}

fn record_of(day: Date) -> Batch {
    let record = json!({
        "name": "Muster AG", "uid": "CHE600000012", "status": "ACTIVE", "sogcDate": day,
        "canton": "ZH", "legalSeat": "Musterlingen", "legalSeatId": 9001,
        "address": { "street": "Dorfstrasse", "houseNumber": "1", "city": "Oberdorf", "swissZipCode": "8902" },
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
    assert_eq!(locations::update(registry, objects, None).await.expect("completed"), None);
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
    assert_eq!((source.source.as_str(), source.date), ("swisstopo", Some(FIRST)));

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
