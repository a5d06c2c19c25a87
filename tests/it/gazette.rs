//! Publications of the gazette give the same registry in whatever order and number of files they arrive, also
//! after an interrupted ingest.

use std::{collections::BTreeSet, pin::pin};

use domain::{Company, Uid};
use futures_util::StreamExt;
use local::cloud::Cloud;
use publications::Publication;
use store::Registry;
use tests::{
    Service,
    faults::{Fault, Faults},
};

use crate::two_companies::{self, AUDITOR_CHANGE, EINS, ZWEI, change_types, ingest};

/// What a registry holds about the two companies: records, histories and the events of the feed, without
/// their sequence numbers, which depend on the order of arrival.
async fn contents(registry: &Registry) -> (Vec<Company>, Vec<String>, BTreeSet<String>) {
    let uids: Vec<Uid> = [EINS, ZWEI].map(|it| it.parse().expect("a number")).to_vec();
    let companies = registry.companies(&uids).await.expect("read");
    let mut histories = Vec::new();
    for uid in uids {
        let mut history = registry.history(uid).await.expect("read");
        assert!(!history.has_unpublished(), "every event is published");
        for recorded in &mut history.events {
            (recorded.sequence, recorded.recorded_at) = (None, None);
        }
        histories.push(serde_json::to_string(&history).expect("json"));
    }
    let feed = registry.feed(0, 1_000).await.expect("read").events;
    let sequence: Vec<u64> = feed.iter().map(|it| it.sequence).collect();
    assert!(
        sequence.iter().copied().eq(1..=feed.len() as u64),
        "sequence numbers without gaps or duplicates: {sequence:?}"
    );
    let events = feed.into_iter().map(|it| serde_json::to_string(&it.event).expect("json"));
    (companies, histories, events.collect())
}

#[tokio::test]
async fn publications_give_the_same_registry_in_any_order_and_number_of_files() {
    let publications = two_companies::publications();
    let cloud = Cloud::in_memory().await.expect("a cloud");
    ingest(&cloud.registry, &cloud, &publications).await.expect("ingested");
    let expected = contents(&cloud.registry).await;
    assert!(expected.2.len() > 8, "{:?}", expected.2);
    ingest(&cloud.registry, &cloud, &publications).await.expect("ingested");
    assert_eq!(contents(&cloud.registry).await, expected, "ingested twice");

    let reversed: Vec<Publication> = publications.iter().rev().cloned().collect();
    let halves = [publications[..2].to_vec(), publications[2..].to_vec()];
    let halves_reversed = [publications[2..].to_vec(), publications[..2].to_vec()];
    let one_by_one: Vec<Vec<Publication>> = reversed.iter().map(|it| vec![it.clone()]).collect();
    for files in [vec![reversed], halves.to_vec(), halves_reversed.to_vec(), one_by_one] {
        let cloud = Cloud::in_memory().await.expect("a cloud");
        for file in &files {
            ingest(&cloud.registry, &cloud, file).await.expect("ingested");
        }
        assert_eq!(contents(&cloud.registry).await, expected, "in {} files", files.len());
    }
}

#[tokio::test]
async fn repeating_an_interrupted_ingest_stores_every_event_once() {
    let publications = two_companies::publications();
    let cloud = Cloud::in_memory().await.expect("a cloud");
    ingest(&cloud.registry, &cloud, &publications).await.expect("ingested");
    let expected = contents(&cloud.registry).await;
    let interruptions = futures_util::stream::iter(0..120).map(async |step| {
        let cloud = Cloud::in_memory().await.expect("a cloud");
        let faults = Faults::before(&cloud.endpoints.dynamodb).await;
        let client = local::cloud::clients::dynamodb_client(&faults.address);
        let registry = Registry::named(client, local::cloud::TABLES[0]);
        let mut passed = 0;
        faults.decide(move |_, _| {
            passed += 1;
            (passed > step).then_some(Fault::Down)
        });
        let interrupted = ingest(&registry, &cloud, &publications).await;
        faults.decide(|_, _| None);
        ingest(&registry, &cloud, &publications).await.expect("ingested");
        (step, interrupted, contents(&registry).await)
    });
    // Most of the time, the client waits before it repeats a request that failed.
    let mut interruptions = pin!(interruptions.buffered(8));
    while let Some((step, interrupted, repeated)) = interruptions.next().await {
        assert_eq!(repeated, expected, "interrupted after {step} requests: {interrupted:?}");
        if interrupted.is_ok() {
            return;
        }
    }
    panic!("an ingest sends more than 120 requests");
}

#[tokio::test]
async fn a_cancelled_publication_no_longer_counts_in_the_history() {
    let service = Service::start().await;
    let mut publications = two_companies::publications();
    service.ingest_publications(publications.clone()).await;
    let before = service.get(&format!("/v1/companies/{EINS}/auditor-history")).await;
    assert_eq!(
        before.body["currentAuditor"]["auditorName"], "Zweite Revision AG",
        "{}",
        before.text
    );
    service.ingest_publications([publications.remove(AUDITOR_CHANGE).cancelled()]).await;
    let after = service.get(&format!("/v1/companies/{EINS}/auditor-history")).await;
    assert_eq!(after.body["currentAuditor"]["auditorName"], "Erste Revision AG", "{}", after.text);
    let changes = service.get(&format!("/v1/changes/{EINS}")).await;
    let types: Vec<&str> = change_types(&changes.body);
    assert!(types.contains(&"publication_cancelled"), "{types:?}");
    let auditor_changes = types.iter().filter(|it| **it == "auditor_change").count();
    assert_eq!(auditor_changes, 1, "only the first appointment is left: {types:?}");
}
