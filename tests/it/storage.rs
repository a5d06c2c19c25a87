//! The guarantees that we expect of DynamoDB: exact counters, one winner of a race, complete batches, atomic
//! transactions. A second emulator must give them too. `tables.rs` tests them with injected faults.

use std::{collections::BTreeSet, net::IpAddr, sync::Arc};

use access::{RateGroup, Scope, Tier};
use auth::{ApiKey, Credential, HashedSecret, KeyAuthor, Principal, TeamId};
use domain::{Company, Source, Uid};
use futures_util::{TryStreamExt, future::join_all};
use jiff::{Timestamp, ToSpan};
use store::{
    ApiKeyRecord, Claim, Counted, Decoded, Error, MAX_API_KEYS, NewApiKey, Outcome, Subject, Team,
    TeamKey, Tenants,
};
use teams::{Attempt, WebhookState};
use tests::{cloud, company, operator};

const NOW: Timestamp = Timestamp::constant(1_795_177_800, 0);
const OPERATOR: KeyAuthor = KeyAuthor::Operator { since: NOW };

/// Counted, with no refund before.
fn now(taken: u32) -> Counted {
    Counted::Now { taken, ever: taken }
}

fn address() -> Subject {
    "192.0.2.1".parse::<IpAddr>().expect("an address").into()
}

fn team(name: &str) -> TeamKey {
    operator(TeamId(name.into()))
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
    let (name, prefix) = (name.into(), key.visible_prefix());
    NewApiKey { name, prefix, credential, author: OPERATOR }
}

async fn create_key(tenants: &Tenants, team: &TeamKey, name: &str) -> ApiKeyRecord {
    let created = tenants.create_api_key(team, new_key(team, name)).await.expect("answered");
    created.expect("fewer keys than allowed")
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
        Counted::Now { taken, .. } => *taken,
        Counted::Full => u32::MAX,
    });
    let expected: Vec<Counted> = (1..=30).map(now).chain([Counted::Full; 20]).collect();
    assert_eq!(taken, expected);
}

#[tokio::test]
async fn a_refunded_unit_can_be_taken_again_and_only_taken_units_are_refunded() {
    let counters = cloud().await.counters;
    let group = RateGroup::SearchRead;
    let refund =
        async |limit| counters.refund(&address(), group, limit, NOW).await.expect("answered");
    assert_eq!(refund(2).await, None);
    for count in [now(1), now(2), Counted::Full] {
        assert_eq!(counters.take(&address(), group, 2, NOW).await.expect("counted"), count);
    }
    assert_eq!(refund(2).await, Some(1));
    assert_eq!(
        counters.take(&address(), group, 2, NOW).await.expect("counted"),
        Counted::Now { taken: 2, ever: 3 }
    );
    let groups = [RateGroup::StandardRead, group];
    assert_eq!(counters.taken(&address(), &groups, NOW).await.expect("read"), [0, 2]);
    // The next window starts at zero.
    let later = NOW + 1.hour();
    assert_eq!(counters.take(&address(), group, 2, later).await.expect("counted"), now(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_units_of_a_window_are_refunded_than_allowed() {
    let counters = Arc::new(cloud().await.counters);
    let group = RateGroup::SearchRead;
    for _ in 0..20 {
        counters.take(&address(), group, 20, NOW).await.expect("counted");
    }
    let refunds = join_all((0..20).map(|_| {
        let counters = counters.clone();
        tokio::spawn(
            async move { counters.refund(&address(), group, 5, NOW).await.expect("answered") },
        )
    }))
    .await;
    let refunds = refunds.into_iter().filter_map(|it| it.expect("ended"));
    assert_eq!(refunds.collect::<BTreeSet<u32>>(), (15..20).collect());
}

#[tokio::test]
async fn several_units_are_taken_together_or_not_at_all() {
    let counters = cloud().await.counters;
    let take = async |units| {
        counters
            .take_units(&address(), RateGroup::SearchRead, units, 10, NOW)
            .await
            .expect("counted")
    };
    let expected = [(8, now(8)), (3, Counted::Full), (2, now(10))];
    for (units, counted) in expected {
        assert_eq!(take(units).await, counted);
    }
    assert_eq!(take(11).await, Counted::Full);
}

/// Two workers, or a worker and a request that activates the webhook again.
#[tokio::test(flavor = "multi_thread")]
async fn no_change_of_the_state_of_a_webhook_is_lost() {
    let tenants = cloud().await.tenants;
    let team = team("a");
    let failed = [Attempt::answered(503)];
    let changes = join_all((0..8).map(|_| {
        let change = |it: &mut WebhookState| *it = it.after(&failed, NOW);
        tenants.change_webhook_state(&team, "w", change)
    }));
    for change in changes.await {
        change.expect("stored");
    }
    let state = tenants.webhook_state(&team, "w").await.expect("read");
    assert_eq!((state.failures, state.failing_since), (8, Some(NOW)));
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_claims_of_one_request_have_one_winner() {
    let tenants = Arc::new(cloud().await.tenants);
    let claims = join_all((0..20).map(|_| {
        let tenants = tenants.clone();
        tokio::spawn(async move {
            let sender = (&team("one"), &Principal::api_key("k"));
            tenants.claim(sender, "POST /v1/things", "key", "body", NOW).await
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
        let sender = (&team("one"), &Principal::api_key("k"));
        tenants.claim(sender, "POST /v1/things", "key", "body", now).await.expect("answered")
    };
    let Claim::Granted(first) = claim(NOW).await else { panic!("free") };
    let later = NOW + 151.seconds();
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
    let record = create_key(&tenants, &team, "first").await;
    let rotate = async |by: &NewApiKey| {
        let secret = (by.prefix.clone(), by.credential.clone());
        tenants.rotate_api_key(&team, &record, secret, OPERATOR).await
    };
    let (one, other) = (new_key(&team, "one"), new_key(&team, "other"));
    let rotated = rotate(&one).await.expect("rotated");
    let late = rotate(&other).await;
    assert!(matches!(late, Err(Error::Changed)), "{late:?}");

    let presented =
        async |id| tenants.presented_key(id, NOW).await.expect("answered").map(|it| it.record);
    assert_eq!(presented(&one.credential.key_id).await, Some(rotated.clone()));
    assert_eq!(presented(&other.credential.key_id).await, None);
    assert_eq!(presented(&record.credential.key_id).await, None);
    assert_eq!(tenants.api_keys(&team, NOW).await.expect("listed"), [rotated]);
}

#[tokio::test]
async fn a_team_lists_only_its_own_keys_oldest_first() {
    let tenants = cloud().await.tenants;
    let (one, other) = (team("one"), team("one-and-more"));
    let mut made = Vec::new();
    for name in ["a", "b", "c"] {
        made.push(create_key(&tenants, &one, name).await);
        create_key(&tenants, &other, name).await;
    }
    assert_eq!(tenants.api_keys(&one, NOW).await.expect("listed"), made);
    let mine = tenants.api_key(&one, &made[0].id, NOW).await.expect("read");
    assert_eq!(mine.as_ref(), Some(&made[0]));
    assert_eq!(tenants.api_key(&other, &made[0].id, NOW).await.expect("read"), None);
}

#[tokio::test]
async fn creating_and_revoking_keys_in_a_loop_does_not_grow_the_list() {
    let tenants = cloud().await.tenants;
    let team = team("one");
    let mut made = Vec::new();
    for number in 0..130 {
        let key = create_key(&tenants, &team, &number.to_string()).await;
        let now = NOW + i64::from(number).seconds();
        assert!(tenants.revoke_api_key(&team, &key.id, now).await.expect("answered"));
        made.push(key);
    }
    let now = NOW + 1.hour();
    let listed = tenants.api_keys(&team, now).await.expect("listed");
    let names: Vec<_> = listed.iter().map(|it| it.name.clone()).collect();
    let newest: Vec<_> = (30..130).map(|it| it.to_string()).collect();
    assert_eq!(names, newest, "those that were revoked first have left");
    // The keys that left are deleted when another is created, with what finds them when they are presented.
    create_key(&tenants, &team, "last").await;
    let (gone, kept) = (&made[0], &made[100]);
    assert_eq!(tenants.api_key(&team, &gone.id, now).await.expect("read"), None);
    for (key, is_found) in [(gone, false), (kept, true)] {
        let presented = tenants.presented_key(&key.credential.key_id, NOW).await.expect("answered");
        assert_eq!(presented.is_some(), is_found, "{}", key.name);
    }
}

#[tokio::test]
async fn a_revoked_or_expired_key_leaves_the_list_after_30_days_even_if_it_is_not_deleted() {
    let tenants = cloud().await.tenants;
    let team = team("one");
    let expiring = {
        let mut new = new_key(&team, "expiring");
        new.credential.expires_at = Some(NOW + 24.hours());
        tenants.create_api_key(&team, new).await.expect("answered").expect("created")
    };
    let revoked = create_key(&tenants, &team, "revoked").await;
    tenants.revoke_api_key(&team, &revoked.id, NOW).await.expect("answered");
    create_key(&tenants, &team, "in use").await;
    let names = async |now| {
        let listed = tenants.api_keys(&team, now).await.expect("listed");
        listed.into_iter().map(|it| it.name).collect::<Vec<_>>()
    };
    let days = |days: i64| NOW + (24 * days).hours();
    assert_eq!(names(days(30) - 1.second()).await, ["expiring", "revoked", "in use"]);
    assert_eq!(names(days(30)).await, ["expiring", "in use"]);
    assert_eq!(names(days(31)).await, ["in use"]);
    assert_eq!(tenants.api_key(&team, &revoked.id, days(30)).await.expect("read"), None);
    assert_eq!(tenants.api_key(&team, &expiring.id, days(31)).await.expect("read"), None);
    assert!(!tenants.revoke_api_key(&team, &revoked.id, days(30)).await.expect("answered"));
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_requests_cannot_create_more_keys_than_allowed() {
    let tenants = Arc::new(cloud().await.tenants);
    let team = team("one");
    for number in 0..MAX_API_KEYS - 2 {
        create_key(&tenants, &team, &number.to_string()).await;
    }
    let requests = (0..8).map(|_| {
        let (tenants, team) = (tenants.clone(), team.clone());
        tokio::spawn(async move { tenants.create_api_key(&team, new_key(&team, "one more")).await })
    });
    let created = join_all(requests).await;
    let created = created.into_iter().map(|it| it.expect("ended").expect("answered"));
    assert_eq!(created.flatten().count(), 2);
    let listed = tenants.api_keys(&team, NOW).await.expect("listed");
    assert_eq!(listed.len(), MAX_API_KEYS);
}

#[tokio::test]
async fn a_missing_item_is_none() {
    let cloud = cloud().await;
    let uid: Uid = "CHE-600.000.001".parse().expect("a number");
    assert_eq!(cloud.registry.company(uid).await.expect("read"), None);
    assert_eq!(cloud.registry.facts(uid).await.expect("read"), []);
    assert_eq!(cloud.registry.companies(&[uid]).await.expect("read"), []);
    assert_eq!(
        cloud.tenants.team(&TeamId("none".into()), Timestamp::UNIX_EPOCH).await.expect("read"),
        None
    );
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
    assert_eq!(cloud.tenants.team(&put.id, Timestamp::UNIX_EPOCH).await.expect("read"), Some(put));

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
        let pages: Vec<Vec<Decoded>> =
            registry.every_company().try_collect().await.expect("scanned");
        let scanned = pages.concat().into_iter().map(|it| it.expect("readable").0);
        let mut scanned: Vec<Company> = scanned.collect();
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
