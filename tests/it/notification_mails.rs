//! Notifications by e-mail: whom they reach, when, and how they end.

use std::collections::{BTreeSet, HashMap};

use access::{Environment, Role, Scope, Tier};
use auth::{OneTimeToken, TeamId};
use http::{Request, StatusCode, header};
use jiff::tz::TimeZone;
use jobs::{DeliveryJob, MailJob, ScheduleJob};
use local::outbox::OutboxMail;
use mail::Mailer;
use outgoing::mail::{Budget, MAX_NOTIFICATIONS_A_DAY, OutgoingMail};
use publications::Publication;
use serde_json::{Value, json};
use store::{Counted, MailWindow};
use tests::{
    Answer, Service, SignedInMember, in_zurich,
    workers_by_hand::{killed_after, waiting},
};

const COMPANY: &str = "CHE-107.787.577";
const PREFERENCES: &str = "/v1/notifications/preferences";
const UNSUBSCRIBE: &str = "/v1/notifications/unsubscribe";
const CONFIRM: &str = "/v1/notifications/confirm-email";
const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// A change of purpose that is published today.
async fn publish(service: &Service, number: u64) {
    let today = service.now().to_zoned(TimeZone::UTC).date().to_string();
    let change = Publication::mutation(COMPANY, "Muster & <Söhne> AG").number(number).on(&today);
    let change = change.new_purpose("Bau", &format!("Handel {number}"));
    service.ingest(domain::Source::Shab, tests::read_publications(&[change])).await;
}

async fn service() -> Service {
    let service = Service::start().await;
    publish(&service, 1).await;
    service
}

async fn deliver(service: &Service) {
    let delivered = service.delivery_worker().handle(DeliveryJob::NotifyWatchers).await;
    delivered.expect("delivered");
}

/// Takes the jobs that wait to send mails.
async fn mail_jobs(service: &Service) -> Vec<MailJob> {
    let nobody = auth::Owner::User(uuid::Uuid::new_v4().to_string());
    let team = TeamId("nobody".into());
    let last = MailJob::Send { team, environment: Environment::Live, owner: nobody };
    waiting(&service.cloud.mails_queue, &last).await
}

/// Runs the jobs that send mails. Returns the mails that were sent, oldest first.
async fn sent(service: &Service) -> Vec<OutboxMail> {
    let before = service.mails().len();
    for job in mail_jobs(service).await {
        service.mail_worker().handle(job, service.now()).await.expect("sent");
    }
    let mut mails = service.mails();
    mails.truncate(mails.len() - before);
    mails.reverse();
    mails
}

/// Publishes a change and notifies of it. Returns the mails that were sent.
async fn mails_of_change(service: &Service, number: u64) -> Vec<OutboxMail> {
    publish(service, number).await;
    deliver(service).await;
    sent(service).await
}

/// Sends the digests that are due. Returns the mails that were sent.
async fn digests(service: &Service) -> Vec<OutboxMail> {
    service.scheduler().handle(ScheduleJob::SendDue, service.now()).await.expect("sent");
    sent(service).await
}

async fn prefer(service: &Service, token: &str, preferences: Value) -> Value {
    let answer = service.put_as(token, PREFERENCES, preferences).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    answer.body
}

async fn watch(service: &Service, token: &str) {
    let watched = service.post_as(token, "/v1/watches", json!({ "companyUid": COMPANY })).await;
    assert_eq!(watched.status, StatusCode::CREATED, "{}", watched.text);
}

/// A user who watches the company and has these preferences.
async fn watcher(service: &Service, preferences: Value) -> SignedInMember {
    let team = service.team(Tier::Free).await;
    let user = service.member(&team, Role::Owner).await;
    prefer(service, &user.token, preferences).await;
    watch(service, &user.token).await;
    user
}

/// The token of a new session of a user, after the first one has expired.
async fn again(service: &Service, user: &SignedInMember) -> String {
    let teams = service.cloud.tenants.teams_of(&user.id).await.expect("read");
    service.session_of(&teams[0].team, &user.id).await
}

/// What a mail program sends to unsubscribe: no token, no cookies.
async fn one_click(service: &Service, link: &str) -> Answer {
    let path = link.strip_prefix(tests::PUBLIC_URL).unwrap_or(link);
    let request =
        Request::post(path).header(header::CONTENT_TYPE, "multipart/form-data; boundary=b");
    let body = "--b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b--\r\n";
    service.send_with(request, body).await
}

fn unsubscribe_link(mail: &OutboxMail) -> String {
    mail.list_unsubscribe.clone().unwrap_or_else(|| panic!("{mail:?}"))
}

/// The path of the link in the mail that asks to confirm an address.
pub(crate) fn confirm_path(mail: &OutboxMail) -> String {
    let start = format!("{}{CONFIRM}?token=", tests::PUBLIC_URL);
    let link = mail.text.lines().find(|it| it.starts_with(&start));
    let link = link.unwrap_or_else(|| panic!("{mail:?}"));
    link.strip_prefix(tests::PUBLIC_URL).expect("a path").to_owned()
}

#[tokio::test]
async fn a_change_is_sent_once_to_those_whose_watch_notifies_of_it() {
    let service = service().await;
    let team = service.team(Tier::Free).await;
    let eva = service.member(&team, Role::Owner).await;
    let hans = service.member(&team, Role::Member).await;
    // Nina wants mails, but watches nothing.
    let nina = service.member(&team, Role::Member).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    for token in [&eva.token, &nina.token, &key] {
        prefer(&service, token, json!({ "channel": "Email" })).await;
    }
    watch(&service, &eva.token).await;
    for (token, name) in [(&hans.token, "Hans"), (&eva.token, "Eva"), (&key, "Key")] {
        let list = service.post_as(token, "/v1/watchlists", json!({ "name": name })).await;
        let path = format!("/v1/watchlists/{}/companies", list.body["id"].as_str().expect("an id"));
        service.post_as(token, &path, json!({ "uids": [COMPANY] })).await;
    }
    let mails = mails_of_change(&service, 2).await;
    let [mail] = &mails[..] else { panic!("{mails:?}") };
    assert_eq!(
        (&mail.to, mail.subject.as_str()),
        (&eva.email, "Muster & <Söhne> AG: Change of purpose")
    );
    for part in ["CHE-107.787.577, published on 2026-11-20", "Before: Bau", "Now: Handel 2"] {
        assert!(mail.text.contains(part), "{}", mail.text);
    }
    assert!(mail.html.contains("Muster &#38; &#60;Söhne&#62; AG"), "{}", mail.html);
    let link = unsubscribe_link(mail);
    assert!(mail.text.contains(&link) && mail.html.contains(&link), "{}", mail.text);
    let id = mail.message_id.clone().expect("an id");
    assert!(id.ends_with("@gotthard.example"), "{id}");

    deliver(&service).await;
    assert_eq!(sent(&service).await, []);
    let other = mails_of_change(&service, 3).await;
    assert_eq!(other.len(), 1);
    assert_ne!(other[0].message_id.as_ref(), Some(&id));
}

#[tokio::test]
async fn mails_are_in_the_language_of_the_preferences_or_of_the_user() {
    let service = service().await;
    let user = watcher(&service, json!({ "channel": "Both" })).await;
    let subject = async |number| mails_of_change(&service, number).await[0].subject.clone();
    assert_eq!(subject(2).await, "Muster & <Söhne> AG: Change of purpose");
    service.put_as(&user.token, "/v1/auth/me", json!({ "language": "fr" })).await;
    assert_eq!(subject(3).await, "Muster & <Söhne> AG: Modification du but");
    prefer(&service, &user.token, json!({ "language": "de" })).await;
    assert_eq!(subject(4).await, "Muster & <Söhne> AG: Änderung des Zwecks");
    prefer(&service, &user.token, json!({ "language": null })).await;
    assert_eq!(subject(5).await, "Muster & <Söhne> AG: Modification du but");
    let refused = service.put_as(&user.token, PREFERENCES, json!({ "language": "rm" })).await;
    assert_eq!(refused.body["errors"][0]["member"], "language");
}

#[tokio::test]
async fn another_address_gets_nothing_until_its_owner_confirms_it() {
    let service = service().await;
    let key = service.key(Tier::Free).await;
    watch(&service, &key).await;
    let stored = prefer(
        &service,
        &key,
        json!({ "channel": "Email", "emailAddress": "Alerts@Muster.example", "language": "de" }),
    );
    let stored = stored.await;
    assert_eq!(stored["emailAddress"], "alerts@muster.example");
    assert!(stored.get("emailConfirmedAt").is_none(), "{stored}");
    let mail = service.mails().remove(0);
    assert_eq!(
        (mail.to.as_str(), mail.subject.as_str()),
        ("alerts@muster.example", "Adresse für Meldungen bestätigen")
    );
    assert_eq!(mails_of_change(&service, 2).await, []);

    // Opening the link changes nothing.
    let path = confirm_path(&mail);
    for _ in 0..2 {
        let page = service.get(&path).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        assert!(
            page.text.contains("<form method=\"post\" action=\"confirm-email?token="),
            "{}",
            page.text
        );
        assert!(
            page.header("content-security-policy")
                .is_some_and(|it| it.contains("form-action 'self'"))
        );
        assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    }
    assert_eq!(mails_of_change(&service, 3).await, []);
    for _ in 0..2 {
        let confirmed = one_click(&service, &path).await;
        assert_eq!(confirmed.status, StatusCode::OK, "{}", confirmed.text);
    }
    let stored = service.get_as(&key, PREFERENCES).await.body;
    assert_eq!(stored["emailConfirmedAt"], "2026-11-20T12:30:00Z");
    let mails = mails_of_change(&service, 4).await;
    assert_eq!((mails.len(), mails[0].to.as_str()), (1, "alerts@muster.example"), "{mails:?}");

    // The same address again asks nothing; another one must be confirmed, and the old link does not do it.
    let before = service.mails().len();
    prefer(&service, &key, json!({ "emailAddress": "alerts@muster.example" })).await;
    assert_eq!(service.mails().len(), before);
    prefer(&service, &key, json!({ "emailAddress": "other@muster.example" })).await;
    assert_eq!(service.mails()[0].to, "other@muster.example");
    assert_eq!(one_click(&service, &path).await.status, StatusCode::OK);
    assert_eq!(mails_of_change(&service, 5).await, []);
    let other = confirm_path(&service.mails()[0]);
    service.pass_seconds(7 * DAY);
    assert_eq!(one_click(&service, &other).await.status, StatusCode::NOT_FOUND, "expired");
}

#[tokio::test]
async fn a_users_own_address_needs_no_confirmation() {
    let service = service().await;
    let user = watcher(&service, json!({ "channel": "Email" })).await;
    let stored = prefer(&service, &user.token, json!({ "emailAddress": user.email })).await;
    assert_eq!(stored["emailConfirmedAt"], "2026-11-20T12:30:00Z");
    assert_eq!(service.mails(), []);
    let mails = mails_of_change(&service, 2).await;
    assert_eq!(mails.len(), 1);
    one_click(&service, &unsubscribe_link(&mails[0])).await;
    assert_eq!(mails_of_change(&service, 3).await, []);
    // The user changes its mind.
    prefer(&service, &user.token, json!({ "channel": "Email" })).await;
    assert_eq!(mails_of_change(&service, 4).await.len(), 1);
}

#[tokio::test]
async fn mails_that_ask_to_confirm_an_address_are_limited() {
    let service = service().await;
    let key = service.key(Tier::Free).await;
    let ask = async |address: &str| {
        service.put_as(&key, PREFERENCES, json!({ "emailAddress": address })).await
    };
    for _ in 0..5 {
        assert_eq!(ask("victim@example.ch").await.status, StatusCode::OK);
    }
    let refused = ask("victim@example.ch").await;
    assert_eq!(
        (refused.status, refused.slug()),
        (StatusCode::TOO_MANY_REQUESTS, "rate-limit-exceeded")
    );
    for number in 0..15 {
        let answer = ask(&format!("victim{number}@example.ch")).await;
        // The refused one was counted for the team.
        let expected = if number < 14 { StatusCode::OK } else { StatusCode::TOO_MANY_REQUESTS };
        assert_eq!(answer.status, expected, "{number}");
    }
    assert_eq!(service.mails().len(), 19);
    let stored = service.get_as(&key, PREFERENCES).await.body;
    assert_eq!(stored["emailAddress"], "victim13@example.ch", "a refused request changes nothing");
}

#[tokio::test]
async fn one_request_without_signing_in_unsubscribes() {
    let service = service().await;
    let key = service.key(Tier::Free).await;
    watch(&service, &key).await;
    prefer(&service, &key, json!({ "channel": "Both", "emailAddress": "alerts@muster.example" }))
        .await;
    let confirm = confirm_path(&service.mails()[0]);
    one_click(&service, &confirm).await;
    let mail = mails_of_change(&service, 2).await.remove(0);
    let link = unsubscribe_link(&mail);
    let path = link.strip_prefix(tests::PUBLIC_URL).expect("a path");

    let page = service.get(path).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    assert!(
        page.text.contains("<form method=\"post\" action=\"unsubscribe?token="),
        "{}",
        page.text
    );
    assert!(!page.text.contains("<script"), "{}", page.text);
    assert_eq!(mails_of_change(&service, 3).await.len(), 1, "opening the link changes nothing");

    // The links of different purposes do not stand for each other, and cannot be guessed.
    for wrong in [
        path.replace("unsubscribe", "confirm-email"),
        confirm.replace("confirm-email", "unsubscribe"),
        format!("{UNSUBSCRIBE}?token={}", OneTimeToken::generate().expose()),
    ] {
        let refused = one_click(&service, &wrong).await;
        assert_eq!(
            (refused.status, refused.slug()),
            (StatusCode::NOT_FOUND, "not-found"),
            "{wrong}"
        );
    }
    for wrong in [UNSUBSCRIBE.to_owned(), format!("{UNSUBSCRIBE}?token=x"), format!("{link}x")] {
        let refused = one_click(&service, &wrong).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{wrong}");
        assert_eq!(refused.body["errors"][0]["member"], "token");
    }
    assert_eq!(mails_of_change(&service, 4).await.len(), 1);

    // Long after the mail, and repeatedly.
    service.pass_seconds(300 * DAY);
    for _ in 0..2 {
        let done = one_click(&service, &link).await;
        assert_eq!(done.status, StatusCode::OK, "{}", done.text);
    }
    let stored = service.get_as(&key, PREFERENCES).await.body;
    assert_eq!(stored["channel"], "InApp");
    assert!(stored.get("emailConfirmedAt").is_none(), "{stored}");
    assert_eq!(mails_of_change(&service, 5).await, []);
    // The team cannot turn the mails on again by itself.
    prefer(&service, &key, json!({ "channel": "Both" })).await;
    assert_eq!(mails_of_change(&service, 6).await, []);
    let notifications = service.get_as(&key, "/v1/notifications").await.body;
    assert_eq!(notifications["total"], 2, "still listed, for 90 days");
}

#[tokio::test]
async fn a_browser_gets_a_page_after_unsubscribing() {
    let service = service().await;
    let preferences = json!({ "channel": "Email", "language": "it" });
    watcher(&service, preferences).await;
    let mail = mails_of_change(&service, 2).await.remove(0);
    let link = unsubscribe_link(&mail);
    let path = link.strip_prefix(tests::PUBLIC_URL).expect("a path");
    let request = Request::post(path)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::ACCEPT, "text/html,*/*;q=0.8");
    let page = service.send_with(request, "List-Unsubscribe=One-Click").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    assert!(page.text.contains("Non riceverete più e-mail"), "{}", page.text);
    assert!(page.header("content-security-policy").is_some());
}

#[tokio::test]
async fn an_unsubscribe_link_ends_only_the_mails_of_its_owner() {
    let service = service().await;
    let one = watcher(&service, json!({ "channel": "Email" })).await;
    let other = watcher(&service, json!({ "channel": "Email" })).await;
    let mails = mails_of_change(&service, 2).await;
    assert_eq!(mails.len(), 2);
    let mail = mails.iter().find(|it| it.to == one.email).expect("a mail");
    one_click(&service, &unsubscribe_link(mail)).await;
    let mails = mails_of_change(&service, 3).await;
    let to: Vec<&str> = mails.iter().map(|it| it.to.as_str()).collect();
    assert_eq!(to, [other.email.as_str()]);
}

#[tokio::test]
async fn a_digest_is_sent_at_the_chosen_time_unless_it_would_be_empty() {
    let service = service().await;
    let preferences =
        json!({ "channel": "Email", "deliveryMode": "DailyDigest", "digestTime": "17:45" });
    let user = watcher(&service, preferences).await;
    assert_eq!(mails_of_change(&service, 2).await, []);
    assert_eq!(mails_of_change(&service, 3).await, []);
    // It is 13:30 in Switzerland.
    service.pass_seconds(4 * HOUR + 14 * 60);
    assert_eq!(digests(&service).await, []);
    service.pass_seconds(60);
    let mails = digests(&service).await;
    let [mail] = &mails[..] else { panic!("{mails:?}") };
    assert_eq!(
        (mail.to.as_str(), mail.subject.as_str()),
        (user.email.as_str(), "2 notifications on 2026-11-20")
    );
    for part in ["Now: Handel 2", "Now: Handel 3"] {
        assert!(mail.text.contains(part), "{}", mail.text);
    }
    unsubscribe_link(mail);
    assert_eq!(digests(&service).await, []);
    service.pass_seconds(DAY);
    assert_eq!(digests(&service).await, [], "nothing new");
    assert_eq!(mails_of_change(&service, 4).await, []);
    service.pass_seconds(DAY);
    let mails = digests(&service).await;
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].subject, "One notification on 2026-11-22");
    assert!(!mails[0].text.contains("Handel 3"), "{}", mails[0].text);
}

#[tokio::test]
async fn a_period_has_one_digest_although_its_job_repeats() {
    let service = service().await;
    watcher(&service, json!({ "channel": "Email", "deliveryMode": "DailyDigest" })).await;
    mails_of_change(&service, 2).await;
    service.pass_seconds(DAY);
    service.scheduler().handle(ScheduleJob::SendDue, service.now()).await.expect("sent");
    let jobs = mail_jobs(&service).await;
    let [job] = &jobs[..] else { panic!("{jobs:?}") };
    let run = async || {
        service.mail_worker().handle(job.clone(), service.now()).await.expect("sent");
        service.mails().len()
    };
    assert_eq!(run().await, 1);
    assert_eq!(mails_of_change(&service, 3).await, []);
    assert_eq!((run().await, run().await), (1, 1), "the next digest contains it");
    service.pass_seconds(DAY);
    let mails = digests(&service).await;
    assert_eq!(mails.len(), 1);
    assert_ne!(mails[0].message_id, service.mails()[1].message_id);
    assert_eq!(run().await, 2, "late");
}

#[tokio::test]
async fn a_digest_lists_a_limited_number_of_notifications() {
    let service = service().await;
    watcher(&service, json!({ "channel": "Email", "deliveryMode": "DailyDigest" })).await;
    let today = service.now().to_zoned(TimeZone::UTC).date().to_string();
    let change = |number: u64| {
        let change = Publication::mutation(COMPANY, "Muster AG").number(number).on(&today);
        change.new_purpose("Bau", &format!("Handel {number}"))
    };
    let changes: Vec<Publication> = (2..62).map(change).collect();
    service.ingest(domain::Source::Shab, tests::read_publications(&changes)).await;
    deliver(&service).await;
    service.pass_seconds(DAY);
    let mail = digests(&service).await.remove(0);
    assert_eq!(mail.subject, "60 notifications on 2026-11-21");
    assert_eq!(mail.text.matches("Now: Handel").count(), 50);
    assert!(
        mail.text
            .contains("And 10 more. All notifications: https://api.example/api/v1/notifications"),
        "{}",
        mail.text
    );
    service.pass_seconds(DAY);
    assert_eq!(digests(&service).await, [], "the ten are not sent later");
}

#[tokio::test]
async fn each_day_has_one_digest_in_nights_when_clocks_change_at_month_ends_and_on_a_leap_day() {
    let service = service().await;
    let preferences =
        json!({ "channel": "Email", "deliveryMode": "DailyDigest", "digestTime": "02:30" });
    let user = watcher(&service, preferences).await;
    let mut number = 2;
    for (start, expected) in [
        // Clocks go from 02:00 to 03:00.
        ("2027-03-26T12:00:00Z", ["03-27 02:30 CET", "03-28 03:30 CEST", "03-29 02:30 CEST"]),
        // Clocks go from 03:00 to 02:00.
        ("2027-10-29T12:00:00Z", ["10-30 02:30 CEST", "10-31 02:30 CEST", "11-01 02:30 CET"]),
        ("2028-02-27T12:00:00Z", ["02-28 02:30 CET", "02-29 02:30 CET", "03-01 02:30 CET"]),
        ("2028-12-30T12:00:00Z", ["12-31 02:30 CET", "01-01 02:30 CET", "01-02 02:30 CET"]),
    ] {
        service.move_to(start);
        // What waits since the time before is sent once.
        digests(&service).await;
        let mut found = Vec::new();
        for step in 0..2 * 3 * 24 {
            if step == 0 || service.now().strftime("%H:%M").to_string() == "12:00" {
                number += 1;
                assert_eq!(mails_of_change(&service, number).await, []);
            }
            service.pass_seconds(HOUR / 2);
            let mails = digests(&service).await;
            assert!(mails.iter().all(|it| it.to == user.email));
            let zone = TimeZone::get("Europe/Zurich").expect("a time zone");
            let local = service.now().to_zoned(zone).strftime("%m-%d %H:%M %Z").to_string();
            found.extend(mails.iter().map(|_| local.clone()));
        }
        assert_eq!(found, expected);
    }
}

#[tokio::test]
async fn another_time_of_day_moves_the_digest_and_repeats_nothing() {
    let service = service().await;
    let preferences =
        json!({ "channel": "Email", "deliveryMode": "DailyDigest", "digestTime": "16:00" });
    let user = watcher(&service, preferences).await;
    mails_of_change(&service, 2).await;
    service.pass_seconds(3 * HOUR);
    assert_eq!(digests(&service).await.len(), 1);
    prefer(&service, &user.token, json!({ "digestTime": "17:00" })).await;
    prefer(&service, &user.token, json!({ "digestTime": "15:00" })).await;
    mails_of_change(&service, 3).await;
    let mut times = Vec::new();
    for _ in 0..4 * 24 {
        service.pass_seconds(HOUR / 2);
        if !digests(&service).await.is_empty() {
            times.push(service.now().strftime("%d %H:%M").to_string());
        }
        let hour = service.now().strftime("%H:%M").to_string();
        if hour == "14:30" {
            // After the time of the new digest, and before that of the old one.
            mails_of_change(&service, 100 + service.now().as_second() as u64 % 1_000_000).await;
        }
    }
    assert_eq!(times, ["21 14:00", "22 14:00"]);
}

#[tokio::test]
async fn what_waits_for_a_digest_is_sent_when_digests_end_and_left_out_when_mails_end() {
    let service = service().await;
    let digest = json!({ "channel": "Email", "deliveryMode": "DailyDigest" });
    let at_once = watcher(&service, digest.clone()).await;
    let unsubscribed = watcher(&service, digest.clone()).await;
    assert_eq!(mails_of_change(&service, 2).await, []);
    prefer(&service, &at_once.token, json!({ "deliveryMode": "Immediate" })).await;
    prefer(&service, &unsubscribed.token, json!({ "channel": "InApp" })).await;
    service.pass_seconds(DAY);
    let mails = digests(&service).await;
    let to: Vec<&str> = mails.iter().map(|it| it.to.as_str()).collect();
    assert_eq!(to, [at_once.email.as_str()]);
    prefer(&service, &again(&service, &unsubscribed).await, digest).await;
    service.pass_seconds(DAY);
    assert_eq!(digests(&service).await, [], "not sent later");
    // With the next one at once, if that comes first.
    let at_once = again(&service, &at_once).await;
    prefer(&service, &at_once, json!({ "deliveryMode": "DailyDigest" })).await;
    assert_eq!(mails_of_change(&service, 3).await, []);
    prefer(&service, &at_once, json!({ "deliveryMode": "Immediate" })).await;
    assert_eq!(mails_of_change(&service, 4).await.len(), 2);
}

#[tokio::test]
async fn who_leaves_the_team_gets_no_more_mails() {
    let service = service().await;
    let team = service.team(Tier::Free).await;
    service.member(&team, Role::Owner).await;
    for preferences in [
        json!({ "channel": "Email" }),
        json!({ "channel": "Email", "deliveryMode": "DailyDigest" }),
    ] {
        let user = service.member(&team, Role::Member).await;
        prefer(&service, &user.token, preferences).await;
        prefer(&service, &user.token, json!({ "emailAddress": user.email })).await;
        watch(&service, &user.token).await;
        let left = service.post_as(&user.token, "/v1/teams/me/leave", json!({})).await;
        assert_eq!(left.status, StatusCode::NO_CONTENT, "{}", left.text);
        assert_eq!(mails_of_change(&service, 2).await, []);
        service.pass_seconds(DAY);
        assert_eq!(digests(&service).await, []);
        let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
        service.delete_as(&key, &format!("/v1/watches/{COMPANY}")).await;
    }
}

#[tokio::test]
async fn a_test_key_sends_no_mail() {
    let service = service().await;
    let team = service.team(Tier::Free).await;
    let sandbox = service.key_of(&team, Environment::Test, &Scope::ALL).await;
    let address = json!({ "channel": "Email", "emailAddress": "alerts@muster.example" });
    prefer(&service, &sandbox, address).await;
    watch(&service, &sandbox).await;
    assert_eq!(mails_of_change(&service, 2).await, []);
    service.post_as(&sandbox, "/v1/notifications/test", json!({})).await;
    assert_eq!(mail_jobs(&service).await, []);
    assert_eq!(service.mails(), []);
}

#[tokio::test]
async fn a_test_notification_is_sent_too() {
    let service = service().await;
    let user = watcher(&service, json!({ "channel": "Email" })).await;
    let test = async || service.post_as(&user.token, "/v1/notifications/test", json!({})).await;
    assert_eq!(
        test().await.body["message"],
        "The test notification was created, and is being sent by e-mail."
    );
    test().await;
    let mails = sent(&service).await;
    let [mail] = &mails[..] else { panic!("{mails:?}") };
    assert_eq!(
        (mail.to.as_str(), mail.subject.as_str()),
        (user.email.as_str(), "Test notification")
    );
    prefer(&service, &user.token, json!({ "deliveryMode": "DailyDigest" })).await;
    service.pass_seconds(60);
    assert_eq!(
        test().await.body["message"],
        "The test notification was created. The next digest will contain it."
    );
    assert_eq!(sent(&service).await, []);
    service.pass_seconds(DAY);
    assert_eq!(digests(&service).await.len(), 1);
}

#[tokio::test]
async fn new_results_of_a_search_are_sent_to_the_one_who_saved_it() {
    let service = Service::with([in_zurich(0)]).await;
    let team = service.team(Tier::Starter).await;
    let eva = service.member(&team, Role::Owner).await;
    let hans = service.member(&team, Role::Member).await;
    prefer(&service, &eva.token, json!({ "channel": "Email", "language": "de" })).await;
    prefer(&service, &hans.token, json!({ "channel": "Email", "deliveryMode": "DailyDigest" }))
        .await;
    for (token, name) in [(&eva.token, "Evas Alarm"), (&hans.token, "Hans’ alert")] {
        let alert =
            json!({ "name": name, "queryParams": { "canton": "ZH" }, "frequency": "hourly" });
        let created = service.post_as(token, "/v1/alerts", alert).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.text);
    }
    let run = async || {
        service.pass_seconds(HOUR);
        service.scheduler().handle(ScheduleJob::SendDue, service.now()).await.expect("sent");
        let last = jobs::SearchJob::Run {
            team: TeamId("nobody".into()),
            environment: Environment::Live,
            search: serde_json::from_value(json!({ "kind": "alert", "id": "none" }))
                .expect("a search"),
            period: service.now(),
        };
        for job in waiting(&service.cloud.searches_queue, &last).await {
            // Twice: the second run finds nothing new.
            for _ in 0..2 {
                service.search_worker().handle(job.clone(), service.now()).await.expect("run");
            }
        }
        sent(&service).await
    };
    assert_eq!(run().await, []);
    service.register([in_zurich(1)]).await;
    let mails = run().await;
    let [mail] = &mails[..] else { panic!("{mails:?}") };
    assert_eq!(
        (mail.to.as_str(), mail.subject.as_str()),
        (eva.email.as_str(), "1 neues Unternehmen")
    );
    assert!(mail.text.starts_with("Evas Alarm: 1 neues Unternehmen"), "{}", mail.text);
    assert!(mail.text.contains("Zürcher 1 AG"), "{}", mail.text);
    service.pass_seconds(DAY);
    let mails = digests(&service).await;
    let [mail] = &mails[..] else { panic!("{mails:?}") };
    assert_eq!(mail.to, hans.email);
    assert!(mail.text.contains("Hans’ alert: 1 new company"), "{}", mail.text);
}

/// Counts a mail of a team, and returns how many are counted on this day.
async fn count_mail(service: &Service, team: &TeamId) -> u32 {
    let subject = format!("notifications#team#{team}");
    let (counters, max) = (&service.cloud.counters, MAX_NOTIFICATIONS_A_DAY);
    match counters.count_mail_in(MailWindow::Day, &subject, max, service.now()).await {
        Ok(Counted::Now { taken, .. }) => taken,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_team_gets_a_limited_number_of_mails_a_day() {
    let service = service().await;
    let team = service.team(Tier::Free).await;
    let at_once = service.member(&team, Role::Owner).await;
    let daily = service.member(&team, Role::Member).await;
    prefer(&service, &at_once.token, json!({ "channel": "Email" })).await;
    let digest =
        json!({ "channel": "Email", "deliveryMode": "DailyDigest", "digestTime": "14:00" });
    prefer(&service, &daily.token, digest).await;
    watch(&service, &at_once.token).await;
    let list = service.post_as(&daily.token, "/v1/watchlists", json!({ "name": "Daily" })).await;
    let path = format!("/v1/watchlists/{}/companies", list.body["id"].as_str().expect("an id"));
    service.post_as(&daily.token, &path, json!({ "uids": [COMPANY] })).await;
    for _ in 0..MAX_NOTIFICATIONS_A_DAY - 2 {
        count_mail(&service, &team).await;
    }
    let note = "This is the last e-mail with notifications today: at most 500 are sent a day.";
    let texts =
        |mails: &[OutboxMail]| mails.iter().map(|it| it.text.contains(note)).collect::<Vec<_>>();
    for number in 2..6 {
        publish(&service, number).await;
    }
    deliver(&service).await;
    assert_eq!(texts(&sent(&service).await), [false, true]);
    service.pass_seconds(HOUR);
    assert_eq!(digests(&service).await, [], "the limit holds for digests too");

    // Another team is not affected.
    watcher(&service, json!({ "channel": "Email" })).await;
    assert_eq!(texts(&mails_of_change(&service, 6).await), [false]);
    service.pass_seconds(DAY);
    // What had to wait comes in one mail, and the digest that was put off.
    let mails = digests(&service).await;
    let [mut waited, mut digest] = [&mails[0], &mails[1]];
    if waited.to != at_once.email {
        (waited, digest) = (digest, waited);
    }
    assert_eq!((&waited.to, &digest.to), (&at_once.email, &daily.email));
    assert!(waited.subject.starts_with("3 notifications"), "{mails:?}");
    assert!(digest.subject.starts_with("5 notifications"), "{mails:?}");
    assert_eq!(mails.len(), 2);
    let mails = mails_of_change(&service, 7).await;
    assert_eq!(mails.iter().filter(|it| it.to == at_once.email).count(), 1, "{mails:?}");
}

#[tokio::test]
async fn mails_that_cannot_be_sent_wait_and_use_up_nothing() {
    let service = service().await;
    let user = watcher(&service, json!({ "channel": "Email" })).await;
    publish(&service, 2).await;
    deliver(&service).await;
    let jobs = mail_jobs(&service).await;
    let outbox = service.outbox();
    std::fs::write(&outbox, "not a directory").expect("written");
    for _ in 0..3 {
        let failed = service.mail_worker().handle(jobs[0].clone(), service.now()).await;
        let failure = errors::chain(&failed.expect_err("no outbox"));
        assert!(failure.contains("the mail was not sent"), "{failure}");
        assert!(!failure.contains(&user.email), "{failure}");
    }
    std::fs::remove_file(&outbox).expect("removed");
    service.mail_worker().handle(jobs[0].clone(), service.now()).await.expect("sent");
    assert_eq!(service.mails().len(), 1);
    let me = service.get_as(&user.token, "/v1/auth/me").await.body;
    let team = TeamId(me["team"]["id"].as_str().expect("an id").to_owned());
    assert_eq!(count_mail(&service, &team).await, 2);
}

/// The job that is sent at once may end among the dead letters.
#[tokio::test]
async fn mails_whose_job_is_lost_are_sent_after_the_next_full_hour() {
    let service = service().await;
    watcher(&service, json!({ "channel": "Email" })).await;
    publish(&service, 2).await;
    deliver(&service).await;
    assert_eq!(mail_jobs(&service).await.len(), 1, "lost");
    let scheduled = async || {
        service.scheduler().handle(ScheduleJob::SendDue, service.now()).await.expect("sent");
        mail_jobs(&service).await
    };
    assert_eq!(scheduled().await, []);
    // It is half past twelve.
    service.pass_seconds(HOUR / 2 + 60);
    assert_eq!(scheduled().await.len(), 1, "lost again");
    service.pass_seconds(HOUR);
    for job in scheduled().await {
        service.mail_worker().handle(job, service.now()).await.expect("sent");
    }
    assert_eq!(service.mails().len(), 1);
    service.pass_seconds(HOUR);
    assert_eq!(scheduled().await, [], "nothing waits any more");
}

#[tokio::test]
async fn mails_wait_while_no_sender_is_configured() {
    let service = service().await;
    watcher(&service, json!({ "channel": "Email" })).await;
    publish(&service, 2).await;
    deliver(&service).await;
    let jobs = mail_jobs(&service).await;
    let (tenants, counters) = (service.cloud.tenants.clone(), service.cloud.counters.clone());
    let outgoing = OutgoingMail::new(tenants, counters, Mailer::none(), Budget::default());
    let without = notification_mails::Worker { outgoing, ..service.mail_worker() };
    without.handle(jobs[0].clone(), service.now()).await.expect("handled");
    assert_eq!(service.mails(), []);
    service.mail_worker().handle(jobs[0].clone(), service.now()).await.expect("sent");
    assert_eq!(service.mails().len(), 1);
}

/// Every step of the delivery and of the worker that sends mails.
#[tokio::test]
async fn a_worker_killed_at_any_step_loses_no_mail_and_a_repeated_mail_has_the_same_id() {
    let service = service().await;
    watcher(&service, json!({ "channel": "Email" })).await;
    let mut polls = 0;
    loop {
        let number = polls as u64 + 2;
        publish(&service, number).await;
        let delivery = service.delivery_worker();
        let was_killed = killed_after(polls, delivery.handle(DeliveryJob::NotifyWatchers)).await;
        deliver(&service).await;
        let mut jobs = mail_jobs(&service).await;
        let job = jobs.pop().expect("a job");
        let worker = service.mail_worker();
        let killed_sending = killed_after(polls, worker.handle(job.clone(), service.now())).await;
        worker.handle(job, service.now()).await.expect("sent");
        if !was_killed && !killed_sending {
            break;
        }
        polls += 1;
    }
    assert!(polls > 15, "killed at {polls} steps only");
    let mut by_id: HashMap<String, BTreeSet<String>> = HashMap::new();
    let mut times: HashMap<String, usize> = HashMap::new();
    for mail in service.mails() {
        let id = mail.message_id.clone().expect("an id");
        let what =
            mail.text.lines().find(|it| it.starts_with("Now: ")).expect("a change").to_owned();
        *times.entry(what.clone()).or_default() += 1;
        by_id.entry(id).or_default().insert(what);
    }
    assert_eq!(times.len(), polls + 1, "each change was sent");
    assert!(times.values().all(|it| *it <= 2), "{times:?}");
    assert!(by_id.values().all(|it| it.len() == 1) && by_id.len() == times.len(), "{by_id:?}");
    let repeated = times.values().filter(|it| **it == 2).count();
    assert!(repeated < polls / 2, "{repeated} of {polls} were sent again");
}

#[tokio::test]
async fn a_digest_that_is_killed_at_any_step_loses_nothing() {
    let service = service().await;
    let digest = json!({ "channel": "Email", "deliveryMode": "DailyDigest" });
    watcher(&service, digest).await;
    let mut polls = 0;
    loop {
        let number = polls as u64 + 2;
        assert_eq!(mails_of_change(&service, number).await, []);
        service.pass_seconds(DAY);
        let before = service.mails().len();
        let scheduler = service.scheduler();
        let sending = scheduler.handle(ScheduleJob::SendDue, service.now());
        let was_killed = killed_after(polls, sending).await;
        scheduler.handle(ScheduleJob::SendDue, service.now()).await.expect("sent");
        let jobs = mail_jobs(&service).await;
        assert_eq!(jobs.len(), 1, "{jobs:?}");
        let worker = service.mail_worker();
        let killed_sending =
            killed_after(polls, worker.handle(jobs[0].clone(), service.now())).await;
        worker.handle(jobs[0].clone(), service.now()).await.expect("sent");
        let mut mails = service.mails();
        mails.truncate(mails.len() - before);
        assert!((1..=2).contains(&mails.len()), "{mails:?}");
        let ids: BTreeSet<_> = mails.iter().map(|it| it.message_id.clone()).collect();
        assert_eq!(ids.len(), 1, "{mails:?}");
        let line = format!("Now: Handel {number}");
        assert!(mails.iter().all(|it| it.text.lines().any(|it| it == line)), "{mails:?}");
        if !was_killed && !killed_sending {
            break;
        }
        polls += 1;
    }
    assert!(polls > 15, "killed at {polls} steps only");
}
