//! How the change feed is stored: long events do not stop it, and an event is found by its id.

use domain::{Source, Uid, changes::PublishedEvent};
use local::cloud::{Cloud, clients::dynamodb_client};
use publications::Publication;
use store::Registry;
use tests::faults::Faults;
use uuid::Uuid;

const UID: &str = "CHE-600.000.012";

/// Letters that cannot be compressed to less than half (Knuth's linear congruential generator).
fn random_text(seed: u64, length: usize) -> String {
    let step = |it: &u64| {
        Some(it.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
    };
    let random = std::iter::successors(Some(seed), step).skip(1).take(length);
    random.map(|it| char::from(b'a' + (it >> 60) as u8)).collect()
}

/// A publication that replaces a purpose of this length by another one.
fn purpose(uid: &str, number: u64, length: usize) -> Publication {
    let (before, after) = (random_text(number, length), random_text(1_000 + number, length));
    Publication::mutation(uid, "Muster AG").number(number).new_purpose(&before, &after)
}

async fn ingest(cloud: &Cloud, publications: &[Publication]) {
    let batch = tests::read_publications(publications);
    let now = jiff::Timestamp::UNIX_EPOCH;
    let report = ingest::ingest(&cloud.registry, &cloud.objects, Source::Shab, batch, now);
    let report = report.await.expect("ingested");
    assert_eq!(report.quarantined, 0, "{report:?}");
}

/// The whole feed, read part by part.
async fn whole_feed(registry: &Registry) -> Vec<PublishedEvent> {
    let mut events: Vec<PublishedEvent> = Vec::new();
    loop {
        let after = events.last().map_or(0, |it| it.sequence);
        let part = registry.feed(after, 1_000).await.expect("read");
        assert!(
            !part.events.is_empty() || !part.has_more,
            "a part that is not the last has events"
        );
        events.extend(part.events);
        if !part.has_more {
            let sequences = events.iter().map(|it| it.sequence);
            assert!(sequences.eq(1..=events.len() as u64), "every sequence number once, in order");
            return events;
        }
    }
}

/// The lengths of the purposes in the feed.
fn lengths(feed: &[PublishedEvent]) -> Vec<usize> {
    feed.iter().filter_map(|it| it.event.new_value.as_ref()).map(String::len).collect()
}

#[tokio::test]
async fn a_hundred_long_purposes_are_published_and_the_feed_continues() {
    let cloud = tests::cloud().await;
    let long: Vec<Publication> = (1..=150).map(|it| purpose(UID, it, 20_000)).collect();
    ingest(&cloud, &long).await;
    ingest(&cloud, &[purpose("CHE-600.000.029", 151, 100)]).await;
    let history = cloud.registry.history(UID.parse::<Uid>().expect("a number")).await;
    assert!(!history.expect("read").has_unpublished());
    let feed = whole_feed(&cloud.registry).await;
    let long = lengths(&feed).into_iter().filter(|it| *it == 20_000).count();
    assert_eq!((feed.len(), long), (151, 150));
}

#[tokio::test]
async fn an_event_longer_than_an_item_of_the_feed_is_published() {
    let cloud = tests::cloud().await;
    let publications = [(1, 100), (2, 200_000), (3, 200_000), (4, 100)];
    let publications = publications.map(|(number, length)| purpose(UID, number, length));
    ingest(&cloud, &publications).await;
    let feed = whole_feed(&cloud.registry).await;
    let long = lengths(&feed).into_iter().filter(|it| *it == 200_000).count();
    assert_eq!((feed.len(), long), (4, 2));
}

/// Three blocks of 4 MB each.
#[tokio::test]
async fn a_reader_of_long_events_reads_and_returns_a_limited_part() {
    let cloud = tests::cloud().await;
    for company in 0..6 {
        let uid = Uid::from_number(600_000_000 + company).expect("a number").to_string();
        let first = u64::from(company) * 50;
        let long: Vec<Publication> = (1..=50).map(|it| purpose(&uid, first + it, 20_000)).collect();
        ingest(&cloud, &long).await;
    }
    assert_eq!(whole_feed(&cloud.registry).await.len(), 300);
    let faults = Faults::before(&cloud.endpoints.dynamodb).await;
    let registry = Registry::named(dynamodb_client(&faults.address), &cloud.tables[0]);
    for (after, limit, returned, read) in [
        (0, 1_000, 90..=110, 8_000_000),
        (150, 1_000, 90..=110, 8_000_000),
        (150, 10, 10..=10, 1_500_000),
        (98, 1, 1..=1, 400_000),
        (98, 4, 4..=4, 1_500_000),
        (299, 1_000, 1..=1, 400_000),
        (300, 1_000, 0..=0, 1_000),
    ] {
        faults.bytes_read();
        let part = registry.feed(after, limit).await.expect("read");
        let bytes = faults.bytes_read();
        assert!(bytes <= read, "{limit} after {after}: {bytes} bytes read");
        let sequences: Vec<u64> = part.events.iter().map(|it| it.sequence).collect();
        let count = sequences.len() as u64;
        assert!(returned.contains(&count), "{limit} after {after}: {count} returned");
        assert!(sequences.into_iter().eq(after + 1..=after + count), "{limit} after {after}");
        assert_eq!(part.has_more, after + count < 300, "{limit} after {after}");
    }
}

#[tokio::test]
async fn an_event_is_found_by_its_id_with_one_read() {
    let cloud = tests::cloud().await;
    let publications: Vec<Publication> = (1..=250).map(|it| purpose(UID, it, 20)).collect();
    ingest(&cloud, &publications).await;
    let feed = whole_feed(&cloud.registry).await;
    assert_eq!(feed.len(), 250);
    let faults = Faults::before(&cloud.endpoints.dynamodb).await;
    let registry = Registry::named(dynamodb_client(&faults.address), &cloud.tables[0]);
    for event in [&feed[0], &feed[99], &feed[100], &feed[249]] {
        let found = registry.event(event.event.id).await.expect("read");
        assert_eq!(found.as_ref(), Some(event));
        assert_eq!(faults.seen().len(), 1);
    }
    let unknown = registry.event(Uuid::nil()).await.expect("read");
    assert_eq!((unknown, faults.seen().len()), (None, 1));
}
