//! The guarantees that we expect of DynamoDB: exact counters, one winner of a race, complete batches, atomic
//! transactions. A second emulator must give them too. `tables.rs` tests them with injected faults.

use std::sync::Arc;

use access::{Environment, RateGroup, Scope, Tier};
use auth::{ApiKey, Credential, HashedSecret, TeamId};
use domain::{Company, History, Uid};
use futures_util::{TryStreamExt, future::join_all};
use jiff::{Timestamp, ToSpan};
use statements::Source;
use store::{Claim, Counted, Error, NewApiKey, Outcome, Subject, Team, TeamKey};
use tests::{cloud, company};

const NOW: Timestamp = Timestamp::constant(1_795_177_800, 0);

fn address() -> Subject {
    Subject::Address("192.0.2.1".parse().expect("an address"))
}

fn team(name: &str) -> TeamKey {
    #[expect(clippy::disallowed_methods, reason = "no request is served here")]
    TeamKey::as_operator(TeamId(name.into()), Environment::Live)
}

/// A key that cannot be used, because its hash belongs to no secret.
fn new_key(team: &TeamKey, name: &str) -> NewApiKey {
    let key = ApiKey::generate(team.environment());
    let hash = serde_json::from_str::<HashedSecret>("\"no hash\"").expect("a text");
    let credential = Credential {
        team: team.team().clone(),
        environment: team.environment(),
        key_id: key.id.clone(),
        hash,
        scopes: vec![Scope::Read],
        expires_at: None,
        revoked_at: None,
    };
    NewApiKey { name: name.into(), prefix: key.visible_prefix(), credential, created_at: NOW }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_counter_stops_at_its_limit() {
    let counters = Arc::new(cloud().await.counters);
    let taken = join_all((0..50).map(|_| {
        let counters = counters.clone();
        tokio::spawn(async move {
            counters.take(&address(), RateGroup::SearchRead, 30, NOW).await.expect("counted")
        })
    }))
    .await;
    let mut taken: Vec<Counted> = taken.into_iter().map(|it| it.expect("ended")).collect();
    taken.sort_by_key(|it| match it {
        Counted::Now(count) => *count,
        Counted::Full => u32::MAX,
    });
    let expected: Vec<Counted> = (1..=30).map(Counted::Now).chain([Counted::Full; 20]).collect();
    assert_eq!(taken, expected);
}

#[tokio::test]
async fn a_refunded_unit_can_be_taken_again_and_only_taken_units_are_refunded() {
    let counters = cloud().await.counters;
    let group = RateGroup::SearchRead;
    assert_eq!(counters.give_back(&address(), group, NOW).await.expect("answered"), None);
    for count in [Counted::Now(1), Counted::Now(2), Counted::Full] {
        assert_eq!(counters.take(&address(), group, 2, NOW).await.expect("counted"), count);
    }
    assert_eq!(counters.give_back(&address(), group, NOW).await.expect("answered"), Some(1));
    assert_eq!(counters.take(&address(), group, 2, NOW).await.expect("counted"), Counted::Now(2));
    let groups = [RateGroup::StandardRead, group];
    assert_eq!(counters.taken(&address(), &groups, NOW).await.expect("read"), [0, 2]);
    // The next window starts at zero.
    let later = NOW + 1.hour();
    assert_eq!(counters.take(&address(), group, 2, later).await.expect("counted"), Counted::Now(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_claims_of_one_request_have_one_winner() {
    let tenants = Arc::new(cloud().await.tenants);
    let claims = join_all((0..20).map(|_| {
        let tenants = tenants.clone();
        tokio::spawn(async move {
            tenants.claim(&team("one"), "POST /v1/things", "key", "body", NOW).await
        })
    }))
    .await;
    let claims = claims.into_iter().map(|it| it.expect("ended").expect("answered"));
    let (granted, others): (Vec<_>, Vec<_>) =
        claims.partition(|it| matches!(it, Claim::Granted(_)));
    assert_eq!(granted.len(), 1);
    assert!(others.iter().all(|it| matches!(it, Claim::Running)), "{others:?}");
}

#[tokio::test]
async fn an_expired_claim_is_taken_over_and_its_first_holder_gets_an_error() {
    let tenants = cloud().await.tenants;
    let claim = async |now| {
        tenants.claim(&team("one"), "POST /v1/things", "key", "body", now).await.expect("answered")
    };
    let Claim::Granted(first) = claim(NOW).await else { panic!("free") };
    let later = NOW + 61.seconds();
    let Claim::Granted(second) = claim(later).await else { panic!("run out") };
    let outcome = Outcome::Withheld { id: Some("made".into()) };
    let late = tenants.finish(&first, outcome.clone(), later).await;
    assert!(matches!(late, Err(Error::Changed)), "{late:?}");
    let late = tenants.release(&first).await;
    assert!(matches!(late, Err(Error::Changed)), "{late:?}");
    tenants.finish(&second, outcome.clone(), later).await.expect("stored");
    assert!(matches!(claim(later).await, Claim::Ran(it) if it == outcome));
}

#[tokio::test]
async fn the_second_of_two_concurrent_rotations_fails_and_changes_nothing() {
    let tenants = cloud().await.tenants;
    let team = team("one");
    let record = tenants.create_api_key(&team, new_key(&team, "first")).await.expect("made");
    let rotate = async |by: &NewApiKey| {
        tenants.rotate_api_key(&team, &record, by.prefix.clone(), by.credential.clone()).await
    };
    let (one, other) = (new_key(&team, "one"), new_key(&team, "other"));
    let rotated = rotate(&one).await.expect("rotated");
    let late = rotate(&other).await;
    assert!(matches!(late, Err(Error::Changed)), "{late:?}");

    let presented =
        async |id| tenants.presented_key(id).await.expect("answered").map(|it| it.record);
    assert_eq!(presented(&one.credential.key_id).await, Some(rotated.clone()));
    assert_eq!(presented(&other.credential.key_id).await, None);
    assert_eq!(presented(&record.credential.key_id).await, None);
    assert_eq!(tenants.api_keys(&team).await.expect("listed"), [rotated]);
}

#[tokio::test]
async fn a_team_lists_only_its_own_keys_oldest_first() {
    let tenants = cloud().await.tenants;
    let (one, other) = (team("one"), team("one-and-more"));
    let mut made = Vec::new();
    for name in ["a", "b", "c"] {
        made.push(tenants.create_api_key(&one, new_key(&one, name)).await.expect("made"));
        tenants.create_api_key(&other, new_key(&other, name)).await.expect("made");
    }
    assert_eq!(tenants.api_keys(&one).await.expect("listed"), made);
    let mine = tenants.api_key(&one, &made[0].id).await.expect("read");
    assert_eq!(mine.as_ref(), Some(&made[0]));
    assert_eq!(tenants.api_key(&other, &made[0].id).await.expect("read"), None);
}

#[tokio::test]
async fn a_missing_item_is_none() {
    let cloud = cloud().await;
    let uid: Uid = "CHE-600.000.001".parse().expect("a number");
    assert_eq!(cloud.registry.company(uid).await.expect("read"), None);
    assert_eq!(cloud.registry.facts(uid).await.expect("read"), []);
    assert_eq!(cloud.registry.companies(&[uid]).await.expect("read"), []);
    assert_eq!(cloud.tenants.team(&TeamId("none".into())).await.expect("read"), None);
    let revoked = cloud.tenants.revoke_api_key(&team("one"), "none", NOW).await;
    assert!(!revoked.expect("answered"));
    cloud.registry.ping().await.expect("answered");
}

#[tokio::test]
async fn an_item_is_read_as_it_was_written() {
    let cloud = cloud().await;
    let put =
        Team { id: TeamId("one".into()), name: "Käse & Söhne ⛰".into(), tier: Tier::Starter };
    cloud.tenants.put_team(&put).await.expect("put");
    assert_eq!(cloud.tenants.team(&put.id).await.expect("read"), Some(put));

    // The largest number of digits of an amount.
    let mut company = company("CHE-600.000.001", "Größe \"AG\"\u{a0}\u{1f3d4}\n");
    company.share_capital = Some("99999999999.9999".parse().expect("an amount"));
    company.purpose = Some(String::new());
    cloud.registry.put_companies(vec![company.clone()]).await.expect("put");
    assert_eq!(cloud.registry.company(company.uid).await.expect("read"), Some(company));
}

#[tokio::test]
async fn a_batch_of_any_size_is_written_completely_and_read_in_the_requested_order() {
    let registry = cloud().await.registry;
    let mut companies: Vec<Company> = (0..1_250)
        .map(|it| {
            let uid = format!("CHE-60{}.{:03}.{:03}", it / 1_000, it % 1_000, it % 7);
            company(&uid, &format!("Firma {it} AG"))
        })
        .collect();
    registry.put_companies(companies.clone()).await.expect("written");
    let uids: Vec<Uid> = companies.iter().rev().map(|it| it.uid).collect();
    let read = registry.companies(&uids[..250]).await.expect("read");
    assert!(read.iter().eq(companies.iter().rev().take(250)));

    companies.sort_by_key(|it| it.uid);
    for segments in [1, 4] {
        let registry = registry.clone().in_segments(segments);
        let pages: Vec<Vec<(Company, History)>> =
            registry.every_company().try_collect().await.expect("scanned");
        let mut scanned: Vec<Company> = pages.concat().into_iter().map(|(it, _)| it).collect();
        scanned.sort_by_key(|it| it.uid);
        assert!(scanned == companies, "{segments}: {} of {}", scanned.len(), companies.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_facts_are_all_folded_into_the_record() {
    let registry = Arc::new(cloud().await.registry);
    let record = |day: u32| {
        format!(
            r#"{{"name": "Stand {day} AG", "uid": "CHE600000012", "canton": "ZH", "sogcDate": "2026-03-{day:02}"}}"#
        )
    };
    let facts: Vec<_> = (1..=8)
        .map(|day| {
            let read = sources::read(Source::Zefix, record(day).as_bytes());
            facts::facts(read.expect("json").statements).remove(0)
        })
        .collect();
    let uid = facts[0].uid;
    let stored = join_all(facts.iter().cloned().rev().map(|fact| {
        let registry = registry.clone();
        tokio::spawn(async move { registry.record_facts(uid, &[fact]).await })
    }))
    .await;
    for outcome in stored {
        outcome.expect("ended").expect("stored");
    }
    assert_eq!(registry.facts(uid).await.expect("read"), facts, "in the order of publication");
    let company = registry.company(uid).await.expect("read").expect("a record");
    assert_eq!(company.name, "Stand 8 AG");
}
