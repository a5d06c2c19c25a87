//! Storage under faults: batches are completed, nothing is stored twice or by half.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::SeqCst},
};

use domain::{Company, History, Source, Uid, changes::PublishedEvent};
use facts::Fact;
use futures_util::future::{join, join_all};
use local::cloud::{
    Cloud,
    clients::{dynamodb_client, s3_client},
};
use objects::Objects;
use publications::Publication;
use serde_json::{Value, json};
use sources::Batch;
use store::Registry;
use tests::{
    company,
    faults::{Fault, Faults},
};

async fn registry() -> (Cloud, Registry, Faults) {
    let cloud = tests::cloud().await;
    let faults = Faults::before(&cloud.endpoints.dynamodb).await;
    let registry = Registry::named(dynamodb_client(&faults.address), &cloud.tables[0]);
    (cloud, registry, faults)
}

fn companies(count: u32) -> Vec<Company> {
    (0..count)
        .map(|it| company(&format!("CHE-600.000.{it:03}"), &format!("Firma {it} AG")))
        .collect()
}

fn uids(companies: &[Company]) -> Vec<Uid> {
    companies.iter().map(|it| it.uid).collect()
}

#[tokio::test]
async fn unprocessed_items_of_a_batch_are_retried() {
    let (_cloud, registry, faults) = registry().await;
    let companies = companies(120);
    let mut left = 3;
    faults.decide(move |operation, _| {
        let batch = matches!(operation, "BatchWriteItem" | "BatchGetItem") && left > 0;
        left -= i32::from(batch);
        batch.then_some(Fault::LeaveLastUndone)
    });
    registry.put_companies(companies.clone()).await.expect("written");
    let mut left = 3;
    faults.decide(move |operation, _| {
        let batch = operation == "BatchGetItem" && left > 0;
        left -= i32::from(batch);
        batch.then_some(Fault::LeaveLastUndone)
    });
    let read = registry.companies(&uids(&companies)).await.expect("read");
    assert_eq!(read, companies, "all companies in the requested order");
}

#[tokio::test]
async fn throttled_requests_are_retried() {
    let (_cloud, registry, faults) = registry().await;
    let companies = companies(30);
    let mut refused = 0;
    faults.decide(move |_, _| {
        refused += 1;
        (refused % 2 == 1).then_some(Fault::Throttle)
    });
    registry.put_companies(companies.clone()).await.expect("written");
    assert_eq!(registry.companies(&uids(&companies)).await.expect("read"), companies);
}

/// A fact about a company from Zefix.
fn fact() -> Fact {
    let json =
        r#"{"name": "Muster AG", "uid": "CHE600000012", "canton": "ZH", "sogcDate": "2026-03-24"}"#;
    facts::facts(sources::read(Source::Zefix, json.as_bytes()).expect("json").statements).remove(0)
}

#[tokio::test]
async fn a_transaction_cancelled_by_throttling_is_retried() {
    let (_cloud, registry, faults) = registry().await;
    let fact = fact();
    let mut left = 3;
    faults.decide(move |operation, _| {
        let cancels = operation == "TransactWriteItems" && left > 0;
        left -= i32::from(cancels);
        cancels.then_some(Fault::CancelThrottled)
    });
    let stored = registry.record_facts(fact.uid, std::slice::from_ref(&fact)).await;
    assert_eq!(stored.expect("stored"), store::Stored::New);
    assert_eq!(registry.facts(fact.uid).await.expect("read"), [fact]);
}

#[tokio::test]
async fn a_fact_is_stored_once_when_the_response_of_its_transaction_is_lost() {
    let (_cloud, registry, faults) = registry().await;
    let fact = fact();
    faults.once("TransactWriteItems", Fault::LoseAnswer);
    let stored =
        registry.record_facts(fact.uid, std::slice::from_ref(&fact)).await.expect("stored");
    assert_eq!(stored, store::Stored::New);
    assert_eq!(registry.facts(fact.uid).await.expect("read"), [fact]);
}

/// The result of an ingest: records, facts, histories, feed and quarantine.
#[derive(Debug, PartialEq)]
struct Contents {
    records: Vec<Company>,
    facts: Vec<Vec<Fact>>,
    histories: Vec<History>,
    feed: Vec<PublishedEvent>,
    quarantine: Vec<String>,
}

async fn contents(Cloud { registry, objects, .. }: &Cloud, uids: &[Uid]) -> Contents {
    let mut contents = Contents {
        records: registry.companies(uids).await.expect("read"),
        facts: Vec::new(),
        histories: Vec::new(),
        feed: registry.feed(0, 100).await.expect("read").events,
        quarantine: objects.keys("quarantine/").await.expect("listed"),
    };
    for &uid in uids {
        contents.facts.push(registry.facts(uid).await.expect("read"));
        contents.histories.push(registry.history(uid).await.expect("read"));
    }
    contents
}

/// Two companies are founded, one of them with a director and then an auditor. One publication is invalid.
fn publications() -> Batch {
    let director = "Muster, Anna, von Bern, in Bern, Direktorin, mit Einzelunterschrift";
    let auditor = "Revision AG (CHE-105.909.036), in Bern, Revisionsstelle";
    let [eins, zwei] = ["CHE-600.000.012", "CHE-600.000.029"];
    let eins = (Publication::registration(eins, "Eins AG"), Publication::mutation(eins, "Eins AG"));
    let zwei = Publication::registration(zwei, "Zwei AG");
    let file = json!([
        eins.0.number(1).on("2026-03-02").persons_entered(director).json(),
        zwei.number(2).on("2026-03-03").json(),
        eins.1.number(3).on("2026-03-04").persons_entered(auditor).json(),
        { "meta": { "rubric": "HR" } },
    ]);
    let read = sources::read(Source::Shab, file.to_string().as_bytes()).expect("json");
    assert_eq!((read.statements.len(), read.rejected.len()), (3, 1));
    read
}

/// An ingest is interrupted before or after each of its requests to tables and bucket, and then repeated.
#[tokio::test]
async fn repeating_an_interrupted_ingest_gives_the_result_of_one_ingest() {
    let now = jiff::Timestamp::UNIX_EPOCH;
    let uids = ["CHE600000012", "CHE600000029"].map(|it| it.parse::<Uid>().expect("a number"));
    let cloud = tests::cloud().await;
    let ingest = async |registry: &Registry, objects: &Objects| {
        ingest::ingest(registry, objects, Source::Shab, publications(), now).await
    };
    ingest(&cloud.registry, &cloud.objects).await.expect("ingested");
    let expected = contents(&cloud, &uids).await;
    assert!(expected.feed.len() >= 4 && expected.quarantine.len() == 1, "{expected:?}");

    // Whether the ingest failed because of the fault.
    let interrupt = async |step: u32, fault: Fault| {
        let cloud = tests::cloud().await;
        let passed = Arc::new(AtomicU32::new(0));
        let proxies = [
            Faults::before(&cloud.endpoints.dynamodb).await,
            Faults::before(&cloud.endpoints.s3).await,
        ];
        for proxy in &proxies {
            let passed = passed.clone();
            proxy.decide(move |_, _| match passed.fetch_add(1, SeqCst) {
                it if it < step => None,
                it if it == step => Some(fault),
                _ => Some(Fault::Down),
            });
        }
        let registry = Registry::named(dynamodb_client(&proxies[0].address), &cloud.tables[0]);
        let objects = Objects::named(s3_client(&proxies[1].address), &cloud.bucket);
        let interrupted = ingest(&registry, &objects).await;
        ingest(&cloud.registry, &cloud.objects).await.expect("ingested");
        assert_eq!(
            contents(&cloud, &uids).await,
            expected,
            "{fault:?} at request {step}: {interrupted:?}"
        );
        interrupted.is_err()
    };
    let mut step = 0;
    loop {
        // Twelve at a time, because an interrupted ingest mostly waits for retries.
        let before = join_all((step..step + 12).map(|it| interrupt(it, Fault::Down)));
        let after = join_all((step..step + 12).map(|it| interrupt(it, Fault::FailAfterwards)));
        let (before, after) = join(before, after).await;
        step += 12;
        if before.last() == Some(&false) && after.last() == Some(&false) {
            break;
        }
    }
    assert!(step >= 24, "an ingest sends more than {step} requests");
}

/// Publications of Eins AG, each of which enters `count` new directors.
fn directors(publications: u64, count: u64) -> impl Iterator<Item = Publication> {
    let director = |it: u64| {
        format!("Muster{it}, Anna, von Bern, in Bern, Direktorin, mit Einzelunterschrift")
    };
    (0..publications).map(move |at| {
        let directors: Vec<String> = (0..count).map(|it| director(at * count + it)).collect();
        Publication::mutation("CHE-600.000.012", "Eins AG")
            .number(100 + at)
            .on(&format!("2026-03-{:02}", at % 28 + 1))
            .persons_entered(&directors.join("; "))
    })
}

#[tokio::test]
async fn every_event_of_a_company_with_thousands_of_officers_is_published() {
    let cloud = tests::cloud().await;
    let eins = Publication::registration("CHE-600.000.012", "Eins AG").on("2026-03-01");
    let zwei = Publication::registration("CHE-600.000.029", "Zwei AG").number(2).on("2026-03-03");
    let publications: Vec<Publication> =
        [eins].into_iter().chain(directors(60, 60)).chain([zwei]).collect();
    let batch = tests::read_publications(&publications);
    let now = jiff::Timestamp::UNIX_EPOCH;
    let report = ingest::ingest(&cloud.registry, &cloud.objects, Source::Shab, batch, now);
    assert_eq!(report.await.expect("ingested").new, 2);
    let history = cloud.registry.history("CHE-600.000.012".parse().expect("a number"));
    let history = history.await.expect("read");
    assert_eq!(history.mandates.len(), 3_600);
    assert!(!history.has_unpublished());
    let feed = cloud.registry.feed(0, 10_000).await.expect("read").events;
    let sequence: Vec<u64> = feed.iter().map(|it| it.sequence).collect();
    assert_eq!(sequence, (1..=feed.len() as u64).collect::<Vec<_>>());
    assert!(feed.len() > 3_600 && feed.iter().any(|it| it.event.company_name == "Zwei AG"));
}

/// A record of Zefix with this many messages.
fn record(uid: &str, messages: usize, text: impl Fn(usize) -> String) -> Value {
    let message =
        |it: usize| json!({ "sogcDate": "2026-03-02", "sogcId": it + 1, "message": text(it) });
    json!({
        "uid": uid, "name": "Muster AG", "canton": "BE", "status": "ACTIVE", "sogcDate": "2026-03-02",
        "sogcPub": (0..messages).map(message).collect::<Vec<_>>(),
    })
}

#[tokio::test]
async fn a_record_larger_than_an_item_of_dynamodb_is_stored() {
    let cloud = tests::cloud().await;
    let text =
        "Statutenänderung: 01.01.2024. Die Gesellschaft bezweckt den Handel mit Waren aller Art. ";
    let long =
        json!([record("CHE600000012", 900, |at| format!("{at} {}", text.repeat(8)))]).to_string();
    assert!(long.len() > 600_000);
    let batch = sources::read(Source::Zefix, long.as_bytes()).expect("json");
    let facts = facts::facts(batch.statements);
    let fact = &facts[0];
    let stored = cloud.registry.record_facts(fact.uid, &facts).await.expect("stored");
    assert_eq!(stored, store::Stored::New);
    assert_eq!(cloud.registry.facts(fact.uid).await.expect("read"), facts);
    let of_source = cloud.registry.facts_of(fact.uid, Source::Zefix).await.expect("read");
    assert_eq!(of_source, facts);
}

#[tokio::test]
async fn a_record_that_is_too_large_even_compressed_is_quarantined_and_the_others_are_ingested() {
    let cloud = tests::cloud().await;
    // Random letters, which cannot be compressed (Knuth's linear congruential generator).
    let text = |at: usize| {
        let step = |it: &u64| {
            Some(it.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
        };
        let random = std::iter::successors(Some(at as u64), step).skip(1).take(200_000);
        random.map(|it| char::from(b'0' + (it >> 58) as u8)).collect::<String>()
    };
    let file =
        json!([record("CHE600000012", 5, text), record("CHE600000029", 0, text)]).to_string();
    let batch = sources::read(Source::Zefix, file.as_bytes()).expect("json");
    assert_eq!((batch.statements.len(), batch.rejected.len()), (2, 0));
    let now = jiff::Timestamp::UNIX_EPOCH;
    let report = ingest::ingest(&cloud.registry, &cloud.objects, Source::Zefix, batch, now);
    let report = report.await.expect("ingested");
    assert_eq!((report.new, report.quarantined), (1, 1));
    let keys = cloud.objects.keys("quarantine/zefix/").await.expect("listed");
    let rejected = cloud.objects.get(&keys[0]).await.expect("read").expect("an object");
    let rejected: Value = serde_json::from_slice(&rejected).expect("json");
    let reason = rejected["reason"].as_str().unwrap_or_default();
    assert!(reason.starts_with("cannot be stored: "), "{reason}");
}
