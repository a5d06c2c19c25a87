use access::Environment;
use auth::TeamId;
use domain::{Event, Provenance};
use jiff::civil::date;
use serde_json::{Value, json};

use super::*;

const URL: &str = "https://api.example/api";

fn uid(text: &str) -> Uid {
    text.parse().expect("a company number")
}

fn now() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().expect("a moment")
}

fn after(seconds: i64) -> Timestamp {
    now() + SignedDuration::from_secs(seconds)
}

fn event(kind: ChangeKind) -> PublishedEvent {
    PublishedEvent {
        sequence: 7,
        recorded_at: now(),
        replaces: Vec::new(),
        event: Event {
            id: Uuid::from_u128(7),
            uid: uid("CHE-100.000.001"),
            company_name: "Muster AG".into(),
            canton: None,
            kind,
            field: Some("purpose".into()),
            old_value: Some("Bau".into()),
            new_value: Some("Handel".into()),
            summary: "The purpose changed.".into(),
            date: date(2026, 11, 20),
            source: Provenance { source: "shab".into(), reference: None, date: None },
            subject: None,
            legal_event: None,
            journal_date: None,
            decision_date: None,
            currencies: None,
            transfer: None,
        },
    }
}

fn key(id: u128, expires_at: Option<Timestamp>) -> WebhookSigningKey {
    WebhookSigningKey {
        id: Uuid::from_u128(id),
        scheme: SignatureScheme::V1,
        public_key: None,
        created_at: now(),
        expires_at,
    }
}

fn webhook() -> Webhook {
    Webhook {
        id: "w".into(),
        url: "https://hooks.example/".into(),
        description: String::new(),
        event_filters: Vec::new(),
        company_filters: Vec::new(),
        watchlist_filters: Vec::new(),
        watched_only: false,
        minimum_severity: Severity::Low,
        alert_id: None,
        status: WebhookStatus::Active,
        signing_keys: vec![key(1, None)],
        after_sequence: 0,
        created_by: Principal::api_key("k"),
        created_at: now(),
        updated_at: now(),
    }
}

fn watcher(watchlist: Option<&str>, webhook: Option<&str>) -> Watcher {
    Watcher {
        team: TeamId("a".into()),
        environment: Environment::Live,
        watchlist: watchlist.map(str::to_owned),
        webhook: webhook.map(str::to_owned),
        added: None,
        created_by: Principal::api_key("k"),
        after_sequence: 0,
    }
}

#[test]
fn event_filters_and_severity_select_changes() {
    let accepts = |webhook: &Webhook, kind| webhook.accepts(&event(kind), 0, [], None);
    let all = webhook();
    assert!(accepts(&all, ChangeKind::AddressChange) && !accepts(&all, ChangeKind::Other));
    let read = |it: Value| serde_json::from_value::<Vec<EventFilter>>(it).expect("filters");
    let any = Webhook { event_filters: read(json!(["COMPANY.CHANGED"])), ..webhook() };
    assert!(accepts(&any, ChangeKind::AddressChange) && !accepts(&any, ChangeKind::Other));
    let filters = read(json!(["ch.gotthard.company.auditor_change", "Other"]));
    assert_eq!(json!(filters), json!(["auditor_change", "other"]));
    let some = Webhook { event_filters: filters, ..webhook() };
    assert!(accepts(&some, ChangeKind::AuditorChange) && accepts(&some, ChangeKind::Other));
    assert!(!accepts(&some, ChangeKind::Merger));
    let severe = Webhook { minimum_severity: Severity::High, ..webhook() };
    assert!(accepts(&severe, ChangeKind::Merger) && !accepts(&severe, ChangeKind::AuditorChange));
}

#[test]
fn companies_and_watchlists_select_changes() {
    let change = event(ChangeKind::PurposeChange);
    let team = WatchingTeam { watchlists: ["one".into()].into(), ..WatchingTeam::default() };
    let accepts = |webhook: &Webhook, watchers: &[Watcher]| {
        webhook.accepts(&change, 0, watchers, Some(&team))
    };
    let watches = [watcher(None, None)];
    let lists = [watcher(Some("one"), None)];
    let deleted = [watcher(Some("deleted"), None)];
    let named = [watcher(None, Some("other webhook"))];
    let of_list = Webhook { watchlist_filters: vec!["one".into(), "deleted".into()], ..webhook() };
    let watched = Webhook { watched_only: true, ..webhook() };
    let other = Webhook { company_filters: vec![uid("CHE-100.000.002")], ..webhook() };
    let both = Webhook {
        company_filters: vec![uid("CHE-100.000.001")],
        watchlist_filters: vec!["two".into()],
        ..webhook()
    };
    for (webhook, expected) in [
        (&webhook(), [true, true, true, true, true]),
        (&of_list, [false, false, true, false, false]),
        (&watched, [false, true, true, false, false]),
        (&other, [false, false, false, false, false]),
        (&both, [true, true, true, true, true]),
    ] {
        let found = [&[][..], &watches, &lists, &deleted, &named].map(|it| accepts(webhook, it));
        assert_eq!(found, expected, "{webhook:?}");
    }
    assert!(webhook().is_about_all() && !of_list.is_about_all() && !watched.is_about_all());
    assert!(!other.is_about_all() && !other.is_about_watched() && both.is_about_watched());
}

#[test]
fn only_new_changes_after_the_webhook_are_delivered() {
    let change = event(ChangeKind::PurposeChange);
    assert!(webhook().accepts(&change, 6, [], None));
    assert!(!webhook().accepts(&change, 7, [], None));
    let mut backfilled = change;
    backfilled.event.date = date(2026, 11, 12);
    assert!(!webhook().accepts(&backfilled, 0, [], None));
}

#[test]
fn a_delivery_is_retried_nine_times_and_then_failed() {
    let mut delivery = WebhookDelivery::due(Uuid::nil(), Uuid::nil(), "t".into(), now());
    let (mut time, mut seconds) = (0, Vec::new());
    while let Some(next) = delivery.next_attempt_at {
        let wait = next.duration_since(after(time)).as_secs();
        seconds.push(wait);
        time += wait;
        delivery = delivery.after(&Attempt::answered(500), after(time));
        assert_eq!(delivery.http_status, Some(500));
        assert_eq!(delivery.error_message.as_deref(), Some("the receiver answered 500"));
    }
    let hours = |it: i64| it * 3_600;
    let expected =
        [0, 5, 300, 1_800, hours(2), hours(5), hours(10), hours(14), hours(20), hours(24)];
    assert_eq!(seconds, expected);
    assert_eq!((delivery.status, delivery.attempt), (DeliveryStatus::Failed, 10));
    assert_eq!(delivery.delivered_at, None);
}

#[test]
fn only_statuses_from_200_to_299_are_a_success() {
    let first = WebhookDelivery::due(Uuid::nil(), Uuid::nil(), "t".into(), now());
    for (status, expected) in [
        (200, DeliveryStatus::Delivered),
        (204, DeliveryStatus::Delivered),
        (302, DeliveryStatus::Pending),
        (400, DeliveryStatus::Pending),
        (410, DeliveryStatus::Failed),
        (503, DeliveryStatus::Pending),
    ] {
        let delivery = first.after(&Attempt::answered(status), after(1));
        assert_eq!((delivery.status, delivery.attempt), (expected, 1), "{status}");
        let is_delivered = expected == DeliveryStatus::Delivered;
        assert_eq!(delivery.delivered_at, is_delivered.then(|| after(1)));
        assert_eq!(delivery.error_message.is_none(), is_delivered);
    }
    let test = first.after_last(&Attempt::failed("no"), after(1));
    assert_eq!((test.status, test.next_attempt_at), (DeliveryStatus::Failed, None));
}

#[test]
fn a_webhook_is_disabled_after_410_or_after_three_days_of_failures() {
    let failed = [Attempt::failed("no")];
    let mut state = WebhookState::default();
    for attempt in 0..10 {
        assert_eq!(state.disabled, None);
        state = state.after(&failed, after(attempt * 8 * 3_600));
    }
    let disabled = state.disabled.clone().expect("disabled");
    assert_eq!((disabled.reason, disabled.is_notified), (DisabledReason::Failing, false));
    assert_eq!((state.failing_since, state.failures), (Some(now()), 10));

    // Not if there are few attempts, nor before three days have passed.
    let rare = WebhookState::default().after(&failed, now()).after(&failed, after(80 * 3_600));
    assert_eq!((rare.disabled, rare.failures), (None, 2));
    let many: Vec<Attempt> = vec![Attempt::failed("no"); 50];
    let many = WebhookState::default().after(&many, now());
    assert_eq!((many.disabled.clone(), many.failures), (None, 50));
    // One success of a round is enough to start anew.
    let mixed = [Attempt::failed("no"), Attempt::answered(200)];
    assert_eq!(many.after(&mixed, after(90 * 3_600)), WebhookState::default());
    let gone = WebhookState::default().after(&[Attempt::answered(410)], now());
    assert_eq!(gone.disabled.map(|it| it.reason), Some(DisabledReason::Gone));
    let view = WebhookView::new(webhook(), &state, None);
    assert_eq!(view.webhook.status, WebhookStatus::Disabled);
}

#[test]
fn old_keys_sign_until_the_overlap_ends() {
    let ids = |webhook: &Webhook, at| -> Vec<u128> {
        webhook.valid_keys(at).map(|it| it.id.as_u128()).collect()
    };
    let hour = SignedDuration::from_hours(1);
    let rotated = webhook().rotated(key(2, None), hour, now());
    assert_eq!(ids(&rotated, after(3_599)), [2, 1]);
    assert_eq!(ids(&rotated, after(3_600)), [2]);
    // A later rotation does not prolong it.
    let again = rotated.rotated(key(3, None), SignedDuration::from_hours(9), after(60));
    assert_eq!(ids(&again, after(3_599)), [3, 2, 1]);
    assert_eq!(ids(&again, after(3_600)), [3, 2]);
    assert_eq!(ids(&again.rotated(key(4, None), SignedDuration::ZERO, after(61)), after(61)), [4]);
    let mut many = webhook();
    for number in 2..9 {
        many = many.rotated(key(number, None), hour, now());
    }
    assert_eq!(ids(&many, now()), [8, 7, 6, 5]);
}

#[test]
fn the_body_is_a_cloud_event_and_the_same_change_has_the_same_id() {
    let of = |team: &str, webhook: &str, event: &PublishedEvent| {
        PendingDelivery::of(event, (&TeamId(team.into()), Environment::Live), webhook, URL)
    };
    let change = event(ChangeKind::PurposeChange);
    let delivery = of("a", "w", &change);
    assert_eq!(delivery, of("a", "w", &change));
    assert_ne!(delivery.delivery.id, of("a", "v", &change).delivery.id);
    assert_ne!(delivery.delivery.id, of("b", "w", &change).delivery.id);
    assert_eq!(delivery.delivery.event_id, change.event.id);
    assert_eq!(delivery.clone().repeated(after(9)).delivery.id, delivery.delivery.id);
    let body: Value = serde_json::from_str(&delivery.body).expect("json");
    for (member, value) in [
        ("specversion", json!("1.0")),
        ("id", json!(change.event.id)),
        ("source", json!(URL)),
        ("type", json!("ch.gotthard.company.purpose_change")),
        ("subject", json!("CHE-100.000.001")),
        ("datacontenttype", json!("application/json")),
        ("sequence", json!("00000000000000000007")),
    ] {
        assert_eq!(body[member], value, "{member}");
    }
    assert_eq!(body["data"]["newValue"], "Handel");
    // CloudEvents allows only lower-case letters and digits in the names of attributes.
    let names = body.as_object().expect("an object").keys();
    assert!(names.flat_map(|it| it.chars()).all(|it| it.is_ascii_lowercase()));
}

#[test]
fn a_change_that_is_too_large_is_sent_without_its_values() {
    let mut change = event(ChangeKind::PurposeChange);
    change.event.new_value = Some("ä".repeat(MAX_BODY));
    change.event.summary = "ä".repeat(MAX_BODY);
    let of = (&TeamId("a".into()), Environment::Live);
    let body = PendingDelivery::of(&change, of, "w", URL).body;
    assert!(body.len() <= MAX_BODY, "{}", body.len());
    let body: Value = serde_json::from_str(&body).expect("json");
    assert!(body["data"].get("newValue").is_none());
    assert_eq!(body["data"]["summary"].as_str().map(|it| it.chars().count()), Some(1_000));
}

#[test]
fn a_proof_holds_for_its_address_and_outlives_failures() {
    let proof = Some(Verification::proven(URL, now()));
    let state = WebhookState { verification: proof.clone(), ..WebhookState::default() };
    assert!(state.is_verified(URL) && !state.is_verified("https://example.com/other"));
    let failed = state.after(&[Attempt::answered(410)], now());
    assert!(failed.disabled.is_some() && failed.is_verified(URL));
    assert!(failed.after(&[Attempt::answered(200)], now()).is_verified(URL));
    assert_eq!(failed.without_failures(), state);
    assert!(!WebhookState::default().is_verified(URL));
}

#[test]
fn an_attempt_with_a_challenge_succeeds_only_if_it_is_returned() {
    for (status, is_returned, error) in [
        (200, true, None),
        (200, false, Some("the receiver answered 200, but not with the challenge")),
        (302, true, Some("the receiver answered 302; redirects are not followed")),
        (410, true, Some("the receiver answered 410 (Gone)")),
        (500, true, Some("the receiver answered 500")),
    ] {
        let attempt = Attempt::challenged(status, is_returned);
        assert_eq!((attempt.http_status, attempt.error.as_deref()), (Some(status), error));
    }
}

#[test]
fn what_does_not_fit_into_the_backlog_is_counted_until_the_team_is_told() {
    let mut state = WebhookState::default();
    state.added_to_backlog(5, 5, now());
    assert_eq!(state, WebhookState::default(), "the deliveries of the day are not used up");
    state.backlog = Some(Backlog { waiting: 7, max: 10 });
    assert_eq!(state.backlog.as_ref().map(Backlog::room), Some(3));
    state.added_to_backlog(3, 0, now());
    assert_eq!((state.backlog.as_ref().map(Backlog::room), &state.dropped), (Some(0), &None));
    state.added_to_backlog(0, 4, after(1));
    state.added_to_backlog(0, 2, after(2));
    let dropped = Dropped { number: 6, since: after(1), is_notified: false };
    assert_eq!(state.dropped, Some(dropped.clone()));
    // Attempts change nothing of it.
    let attempts = [Attempt::answered(500), Attempt::answered(200)];
    assert_eq!(state.after(&attempts, now()).dropped, Some(dropped.clone()));
    state.dropped = Some(Dropped { is_notified: true, ..dropped.clone() });
    state.end_backlog();
    assert_eq!((state.backlog, state.dropped), (None, Some(dropped)));
}
