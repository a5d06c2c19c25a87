//! Notifications of a team.

use access::{Environment, Scope, Tier};
use http::Method;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use store::TeamKey;
use teams::{Notification, NotificationCategory, notification_id};
use tests::{Answer, Service, bearing, operator, request};

const PATH: &str = "/v1/notifications";
const PREFERENCES: &str = "/v1/notifications/preferences";

/// A team with a live key.
async fn team(service: &Service) -> (TeamKey, String) {
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    (operator(team), key)
}

/// A notification that is identified by this number, of this time.
fn notification(team: &TeamKey, number: usize, at: Timestamp) -> Notification {
    Notification {
        id: notification_id(team.team(), team.environment(), at, &[&number.to_string()]),
        title: number.to_string(),
        body: "A change.".into(),
        category: NotificationCategory::Change,
        severity: None,
        is_read: false,
        link: None,
        company_uid: None,
        event_id: None,
        watchlist_ids: Vec::new(),
        saved_search_id: None,
        created_at: at,
    }
}

/// As many notifications, each a minute older than the one before.
fn notifications(team: &TeamKey, count: usize, newest: Timestamp) -> Vec<Notification> {
    let at = |it: usize| newest - SignedDuration::from_mins(it as i64);
    (0..count).map(|it| notification(team, it, at(it))).collect()
}

fn titles(answer: &Answer) -> Vec<usize> {
    let items = answer.body["items"].as_array().unwrap_or_else(|| panic!("{answer:?}"));
    items
        .iter()
        .map(|it| it["title"].as_str().and_then(|it| it.parse().ok()).expect("a number"))
        .collect()
}

/// `total` and `unreadCount`.
fn numbers(answer: &Answer) -> (u64, u64) {
    let number = |member: &str| answer.body[member].as_u64();
    (number("total").expect("total"), number("unreadCount").expect("unreadCount"))
}

#[tokio::test]
async fn notifications_are_listed_newest_first_across_days_with_exact_numbers() {
    let service = Service::start().await;
    let (team, key) = team(&service).await;
    let (other_team, other_key) = self::team(&service).await;
    // 2,000 minutes are parts of three days.
    let all = notifications(&team, 2_000, service.now());
    assert_eq!(service.cloud.tenants.notify(&team, &all).await.expect("stored"), 2_000);
    service.cloud.tenants.notify(&other_team, &all[..3]).await.expect("stored");
    for (query, expected) in [
        ("", 0..20),
        ("?limit=100&offset=0", 0..100),
        ("?limit=100&offset=700", 700..800),
        ("?limit=100&offset=1950", 1_950..2_000),
        ("?limit=1&offset=1999", 1_999..2_000),
        ("?offset=2000", 0..0),
    ] {
        let page = service.get_as(&key, &format!("{PATH}{query}")).await;
        assert_eq!(titles(&page), expected.collect::<Vec<_>>(), "{query}");
        assert_eq!(numbers(&page), (2_000, 2_000), "{query}");
    }
    assert_eq!(numbers(&service.get_as(&other_key, PATH).await), (3, 3));
    for wrong in ["?limit=101", "?limit=0", "?offset=10001", "?unread=perhaps"] {
        let answer = service.get_as(&key, &format!("{PATH}{wrong}")).await;
        assert_eq!((answer.status.as_u16(), answer.slug()), (400, "bad-request"), "{wrong}");
    }
}

#[tokio::test]
async fn repeated_notification_is_stored_once_and_stays_read() {
    let service = Service::start().await;
    let (team, key) = team(&service).await;
    let tenants = &service.cloud.tenants;
    let all = notifications(&team, 200, service.now());
    assert_eq!(tenants.notify(&team, &all[..120]).await.expect("stored"), 120);
    let ids: Vec<String> = all[..3].iter().map(|it| it.id.to_string()).collect();
    let read = service.post_as(&key, "/v1/notifications/read", json!({ "ids": ids })).await;
    assert_eq!(read.body, json!({ "updated": 3 }));

    let mut repeated = all.clone();
    repeated.extend(all.iter().rev().cloned());
    assert_eq!(tenants.notify(&team, &repeated).await.expect("stored"), 80);
    assert_eq!(tenants.notify(&team, &repeated).await.expect("stored"), 0);
    let page = service.get_as(&key, PATH).await;
    assert_eq!(numbers(&page), (200, 197));
    let is_read = |it: usize| page.body["items"][it]["isRead"].as_bool();
    assert_eq!((is_read(2), is_read(3)), (Some(true), Some(false)));
}

#[tokio::test]
async fn concurrent_writers_and_readers_leave_exact_numbers() {
    let service = Service::start().await;
    let (team, key) = team(&service).await;
    let tenants = &service.cloud.tenants;
    let all = notifications(&team, 100, service.now());
    let notify = |from: usize| {
        let (team, part) = (&team, &all[from..from + 40]);
        async move { tenants.notify(team, part).await.expect("stored") }
    };
    let read = service.post_as(&key, "/v1/notifications/read", json!({ "all": true }));
    let (a, b, c, d, read) = tokio::join!(notify(0), notify(20), notify(40), notify(60), read);
    assert_eq!(a + b + c + d, 100);
    let read = read.body["updated"].as_u64().expect("a number");
    assert_eq!(numbers(&service.get_as(&key, PATH).await), (100, 100 - read));
}

#[tokio::test]
async fn notifications_are_marked_as_read_once() {
    let service = Service::start().await;
    let (team, key) = team(&service).await;
    let (_, other_key) = self::team(&service).await;
    let all = notifications(&team, 300, service.now());
    service.cloud.tenants.notify(&team, &all).await.expect("stored");
    let read = async |key: &str, body: Value| {
        service.post_as(key, "/v1/notifications/read", body).await.body["updated"].as_u64()
    };
    let id = all[7].id.to_string();
    assert_eq!(read(&other_key, json!({ "ids": [id] })).await, Some(0));
    assert_eq!(
        read(&key, json!({ "ids": [id, id, uuid::Uuid::nil(), uuid::Uuid::now_v7()] })).await,
        Some(1)
    );
    assert_eq!(read(&key, json!({ "ids": [id] })).await, Some(0));
    assert_eq!(read(&key, json!({ "ids": [] })).await, Some(0));
    assert_eq!(read(&key, json!({})).await, Some(0));
    let unread = service.get_as(&key, "/v1/notifications?unread=true&limit=10").await;
    assert_eq!(titles(&unread), [0, 1, 2, 3, 4, 5, 6, 8, 9, 10]);
    assert_eq!(numbers(&unread), (299, 299));
    let unread = service.get_as(&key, "/v1/notifications?unread=true&limit=2&offset=6").await;
    assert_eq!(titles(&unread), [6, 8]);

    assert_eq!(read(&key, json!({ "all": true })).await, Some(299));
    assert_eq!(read(&key, json!({ "all": true })).await, Some(0));
    assert_eq!(numbers(&service.get_as(&key, PATH).await), (300, 0));
    let unread = service.get_as(&key, "/v1/notifications?unread=true").await;
    assert_eq!((titles(&unread), numbers(&unread)), (Vec::new(), (0, 0)));

    for (body, member) in [
        (json!({ "ids": ["no id"] }), "ids[0]"),
        (json!({ "ids": vec![id.clone(); 101] }), "ids"),
        (json!({ "all": true, "ids": [id] }), "ids"),
        (json!({ "every": true }), "every"),
    ] {
        let answer = service.post_as(&key, "/v1/notifications/read", body).await;
        assert_eq!((answer.status.as_u16(), answer.slug()), (400, "bad-request"));
        assert_eq!(answer.body["errors"][0]["member"], member, "{answer:?}");
    }
}

#[tokio::test]
async fn notifications_are_listed_for_ninety_days() {
    let service = Service::start().await;
    let (team, key) = team(&service).await;
    let all = notifications(&team, 2, service.now());
    service.cloud.tenants.notify(&team, &all).await.expect("stored");
    service.pass_seconds(90 * 24 * 3_600);
    assert_eq!(numbers(&service.get_as(&key, PATH).await), (2, 2));
    service.pass_seconds(24 * 3_600);
    let later = service.get_as(&key, PATH).await;
    assert_eq!((titles(&later), numbers(&later)), (Vec::new(), (0, 0)));
    let marked = service.post_as(&key, "/v1/notifications/read", json!({ "all": true })).await;
    assert_eq!(marked.body, json!({ "updated": 0 }));
}

#[tokio::test]
async fn a_test_notification_is_created_once_a_minute() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let sandbox = service.key_of(&team, Environment::Test, &Scope::ALL).await;
    let test = async |key: &str| {
        let request = bearing(key, request(&Method::POST, "/v1/notifications/test"));
        service.send(request).await.body["message"].as_str().expect("a message").to_owned()
    };
    let message = test(&key).await;
    assert_ne!(message, test(&key).await);
    service.pass_seconds(60);
    assert_eq!(message, test(&key).await);
    let page = service.get_as(&key, PATH).await;
    assert_eq!(numbers(&page), (2, 2));
    assert_eq!(page.body["items"][0]["category"], "test");
    assert_eq!(numbers(&service.get_as(&sandbox, PATH).await), (0, 0));
    assert_eq!(test(&sandbox).await, message);
}

#[tokio::test]
async fn preferences_are_changed_member_by_member() {
    let service = Service::start().await;
    let (_, key) = team(&service).await;
    let (_, other_key) = team(&service).await;
    let defaults = service.get_as(&key, PREFERENCES).await.body;
    for (member, value) in [
        ("isEnabled", json!(true)),
        ("deliveryMode", json!("Immediate")),
        ("channel", json!("InApp")),
        ("digestTime", json!("08:00:00")),
        ("watchedChangeTypes", json!([])),
        ("minimumSeverity", json!("low")),
    ] {
        assert_eq!(defaults[member], value, "{member}");
    }
    let changed = service.put_as(
        &key,
        PREFERENCES,
        json!({
            "deliveryMode": "daily_digest",
            "channel": "Both",
            "emailAddress": "alerts@muster.example",
            "digestTime": "07:30",
            "watchedChangeTypes": ["AuditorChange", "bankruptcy", "auditor_change"],
        }),
    );
    let changed = changed.await;
    assert_eq!(changed.status, 200, "{changed:?}");
    let changed = changed.body;
    assert_eq!(changed["digestTime"], "07:30:00");
    assert_eq!(changed["watchedChangeTypes"], json!(["auditor_change", "bankruptcy"]));
    service.pass_seconds(60);
    let again = service
        .put_as(&key, PREFERENCES, json!({ "isEnabled": false, "emailAddress": null }))
        .await
        .body;
    assert_eq!(again["isEnabled"], false);
    assert!(again.get("emailAddress").is_none(), "{again}");
    for same in ["id", "deliveryMode", "channel", "digestTime", "watchedChangeTypes", "createdAt"] {
        assert_eq!(again[same], changed[same], "{same}");
    }
    assert_ne!(again["updatedAt"], changed["updatedAt"]);
    assert_eq!(service.get_as(&key, PREFERENCES).await.body, again);
    assert_eq!(service.get_as(&other_key, PREFERENCES).await.body["isEnabled"], true);
}

#[tokio::test]
async fn invalid_preferences_are_refused_and_name_the_member() {
    let service = Service::start().await;
    let (_, key) = team(&service).await;
    for (member, value) in [
        ("isEnabled", json!("yes")),
        ("deliveryMode", json!("Weekly")),
        ("channel", json!("Fax")),
        ("emailAddress", json!("nobody")),
        ("emailAddress", json!("a@b@c")),
        ("emailAddress", json!(format!("{}@muster.example", "a".repeat(250)))),
        ("digestTime", json!("25:00:00")),
        ("digestTime", json!("8:00")),
        ("digestTime", json!("08:00:00.5")),
        ("watchedChangeTypes[0]", json!(["nonsense"])),
        ("minimumSeverity", json!("urgent")),
        ("timezone", json!("UTC")),
    ] {
        let name = member.split('[').next().expect("a name");
        let answer = service.put_as(&key, PREFERENCES, json!({ name: value })).await;
        assert_eq!(
            (answer.status.as_u16(), answer.slug()),
            (400, "bad-request"),
            "{member} {value}"
        );
        assert_eq!(answer.body["errors"][0]["member"], member, "{answer:?}");
    }
}
