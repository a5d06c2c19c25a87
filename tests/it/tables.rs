//! What the tables promise when they are pressed: batches are finished, nothing is half done.

use domain::{Company, Uid};
use local::cloud::{Cloud, dynamodb_client};
use store::Registry;
use tests::{
    company,
    faults::{Fault, Faults},
};

async fn registry() -> (Cloud, Registry, Faults) {
    let cloud = tests::cloud().await;
    let faults = Faults::before(&cloud.dynamodb).await;
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
async fn what_a_batch_leaves_undone_is_asked_for_again() {
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
    assert_eq!(read, companies, "all of them, in the order asked for");
}

#[tokio::test]
async fn a_table_that_throttles_for_a_moment_loses_nothing() {
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

#[tokio::test]
async fn a_fact_whose_answer_is_lost_after_its_commit_is_stored_once() {
    let (_cloud, registry, faults) = registry().await;
    let json =
        r#"{"name": "Muster AG", "uid": "CHE600000012", "canton": "ZH", "sogcDate": "2026-03-24"}"#;
    let fact =
        sources::read(sources::Source::Zefix, json.as_bytes()).expect("json").facts.remove(0);
    faults.once("TransactWriteItems", Fault::LoseAnswer);
    let stored =
        registry.record_facts(fact.uid, std::slice::from_ref(&fact)).await.expect("stored");
    assert_eq!(stored, store::Stored::New);
    assert_eq!(registry.facts(fact.uid).await.expect("read"), [fact]);
}

/// A run that dies between any two requests, and is run again, leaves what one run leaves.
#[tokio::test]
async fn an_ingest_that_dies_at_any_step_is_finished_by_the_next() {
    let records = |month: u32| {
        format!(
            r#"[{{"name": "Eins AG", "uid": "CHE600000012", "canton": "ZH", "sogcDate": "2026-{month:02}-01"}},
                    {{"name": "Zwei AG", "uid": "CHE600000029", "canton": "BE", "sogcDate": "2026-{month:02}-02"}},
                    {{"broken": true}}]"#
        )
    };
    let read =
        |month| sources::read(sources::Source::Zefix, records(month).as_bytes()).expect("json");
    let state = async |registry: &Registry| {
        let uids: Vec<Uid> = ["CHE600000012", "CHE600000029"]
            .iter()
            .map(|it| it.parse().expect("a number"))
            .collect();
        let facts = [
            registry.facts(uids[0]).await.expect("read"),
            registry.facts(uids[1]).await.expect("read"),
        ];
        (registry.companies(&uids).await.expect("read"), facts)
    };
    let (cloud, registry, _) = registry().await;
    let now = jiff::Timestamp::UNIX_EPOCH;
    let source = sources::Source::Zefix;
    ingest::ingest(&registry, &cloud.objects, source, read(3), now).await.expect("ingested");
    let whole = state(&registry).await;

    for step in 0..12 {
        let (cloud, registry, faults) = self::registry().await;
        let mut passed = 0;
        faults.decide(move |_, _| {
            passed += 1;
            (passed > step).then_some(Fault::Down)
        });
        let died = ingest::ingest(&registry, &cloud.objects, source, read(3), now).await;
        faults.decide(|_, _| None);
        ingest::ingest(&registry, &cloud.objects, source, read(3), now).await.expect("ingested");
        assert_eq!(state(&registry).await, whole, "died at step {step}: {died:?}");
        let kept = cloud.objects.keys("quarantine/").await.expect("listed");
        assert_eq!(kept.len(), 1);
    }
}
