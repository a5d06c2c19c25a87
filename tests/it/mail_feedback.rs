//! Bounces and complaints come back, and end mails to an address. Test data are events of Amazon SES.

use access::{Role, Tier};
use auth::Email;
use http::{Request, StatusCode, header};
use jiff::{SignedDuration, Timestamp};
use jobs::{FeedbackJob, MailJob, Message, Queue};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use teams::MailKind;
use tests::{Service, SignedInMember, workers_by_hand::waiting};

const EVA: &str = "eva.muster@example.ch";
const LINK: &str = "/v1/auth/magic-link";
const MEMBERS: &str = "/v1/teams/me/members";
const PREFERENCES: &str = "/v1/notifications/preferences";
const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// What arrives in the queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct Recorded(Value);

impl Message for Recorded {
    const VARIABLE: &'static str = FeedbackJob::VARIABLE;

    fn group(&self) -> &str {
        "recorded"
    }
}

fn mail(id: &str, to: &str, sent_at: Timestamp) -> Value {
    json!({
        "timestamp": sent_at,
        "source": "Gotthard <noreply@gotthard.example>",
        "sourceArn": "arn:aws:ses:eu-central-2:123456789012:identity/gotthard.example",
        "sendingAccountId": "123456789012",
        "messageId": id,
        "destination": [to],
        "headersTruncated": false,
        "headers": [{ "name": "To", "value": to }],
        "commonHeaders": { "to": [to], "messageId": id },
        "tags": { "ses:configuration-set": ["gotthard-mails"] },
    })
}

fn bounce(kind: &str, id: &str, to: &str, now: Timestamp) -> Value {
    json!({
        "eventType": "Bounce",
        "bounce": {
            "feedbackId": "0102018e-feedback",
            "bounceType": kind,
            "bounceSubType": "General",
            "bouncedRecipients": [{
                "emailAddress": "another.person@example.ch", "action": "failed", "status": "5.1.1",
                "diagnosticCode": "smtp; 550 5.1.1 user unknown",
            }],
            "timestamp": now,
            "reportingMTA": "dns; mx.example.ch",
        },
        "mail": mail(id, to, now),
    })
}

fn complaint(id: &str, to: &str, now: Timestamp) -> Value {
    json!({
        "eventType": "Complaint",
        "complaint": {
            "feedbackId": "0102018e-feedback",
            "complainedRecipients": [{ "emailAddress": to }],
            "complaintFeedbackType": "abuse",
            "userAgent": "Mail program/1.0",
            "timestamp": now,
        },
        "mail": mail(id, to, now),
    })
}

fn delivery(id: &str, to: &str, now: Timestamp) -> Value {
    json!({
        "eventType": "Delivery",
        "delivery": {
            "timestamp": now, "processingTimeMillis": 546, "recipients": [to],
            "smtpResponse": "250 ok", "reportingMTA": "mta.example",
        },
        "mail": mail(id, to, now),
    })
}

/// As Amazon SNS passes it on.
fn notification(event: &Value) -> Value {
    json!({
        "Type": "Notification",
        "MessageId": "950a823d-501f-5137-a9a3-d0246f6094b0",
        "TopicArn": "arn:aws:sns:eu-central-2:123456789012:gotthard-MailEvents",
        "Message": event.to_string(),
        "Timestamp": "2026-11-20T12:30:00.000Z",
        "SignatureVersion": "1",
    })
}

/// Puts events into the queue, and runs the worker for each of them, twice.
async fn report(service: &Service, events: &[Value]) {
    let queue = &service.cloud.feedback_queue;
    let recorded: Queue<Recorded> =
        Queue::new(local::cloud::clients::sqs_client(&service.cloud.endpoints.sqs), queue.url());
    for event in events {
        recorded.send(&Recorded(event.clone())).await.expect("sent");
    }
    let last = "nobody@example.ch";
    let last = serde_json::from_value(delivery("last", last, service.now())).expect("a job");
    for job in waiting(queue, &last).await {
        for _ in 0..2 {
            service.feedback_worker().handle(job.clone()).await.expect("handled");
        }
    }
}

async fn request_link(service: &Service, email: &str) {
    let request = Request::post(LINK).header(header::CONTENT_TYPE, "application/json");
    let answer = service.send_with(request, json!({ "email": email }).to_string()).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text);
}

/// The number of mails that requesting a link, an invitation and a confirmation each cause.
async fn mails_of_requests(service: &Service, email: &str) -> [usize; 3] {
    let owner = service.session(&service.team(Tier::Free).await, Role::Owner).await;
    let before = service.mails().len();
    request_link(service, email).await;
    let links = service.mails().len();
    let invited = service.post_as(&owner, MEMBERS, json!({ "email": email })).await;
    assert_eq!(invited.status, StatusCode::CREATED, "{}", invited.text);
    let invitations = service.mails().len();
    let asked = service.put_as(&owner, PREFERENCES, json!({ "emailAddress": email })).await;
    assert_eq!(asked.status, StatusCode::OK, "{}", asked.text);
    [links - before, invitations - links, service.mails().len() - invitations]
}

#[tokio::test]
async fn an_address_that_is_refused_gets_no_mail_but_one_link_a_week() {
    let service = Service::start().await;
    let others = [1, 1, 1];
    assert_eq!(mails_of_requests(&service, EVA).await, others);
    let refused = bounce("Permanent", "one", EVA, service.now());
    report(&service, &[notification(&refused), refused.clone()]).await;
    service.pass_seconds(HOUR);
    assert_eq!(mails_of_requests(&service, EVA).await, [0, 0, 0]);
    // Other addresses that a mail server names are not concerned.
    assert_eq!(mails_of_requests(&service, "another.person@example.ch").await, others);
    service.pass_seconds(7 * DAY);
    assert_eq!(mails_of_requests(&service, EVA).await, [1, 0, 0]);
    service.pass_seconds(HOUR);
    assert_eq!(mails_of_requests(&service, EVA).await, [0, 0, 0], "one attempt a week");
    report(&service, &[delivery("two", EVA, service.now())]).await;
    assert_eq!(mails_of_requests(&service, EVA).await, others, "the address works again");
    // A late report about the first mail still counts: it is the newest that is known to be refused.
    let stored = service.cloud.tenants.suppressed_address(&EVA.parse().expect("an address")).await;
    assert_eq!(stored.expect("read"), None, "nothing is left");
}

#[tokio::test]
async fn an_address_gets_less_after_five_mails_in_a_row_that_could_not_be_delivered() {
    let service = Service::start().await;
    let undelivered = |it: usize| bounce("Transient", &format!("mail {it}"), EVA, service.now());
    for number in 0..4 {
        report(&service, &[undelivered(number)]).await;
    }
    report(&service, &[delivery("mail 4", EVA, service.now() + SignedDuration::from_secs(1))])
        .await;
    for number in 5..9 {
        report(&service, &[undelivered(number)]).await;
    }
    assert_eq!(mails_of_requests(&service, EVA).await, [1, 1, 1]);
    report(&service, &[undelivered(9)]).await;
    assert_eq!(mails_of_requests(&service, EVA).await, [0, 0, 0]);
    service.pass_seconds(HOUR);
    assert_eq!(mails_of_requests(&service, EVA).await, [1, 0, 0]);
    service.pass_seconds(30 * DAY);
    assert_eq!(mails_of_requests(&service, EVA).await, [1, 1, 1]);
}

/// Sends a test notification to a user. Returns the number of mails.
async fn test_notification(service: &Service, user: &SignedInMember) -> usize {
    let before = service.mails().len();
    let teams = service.cloud.tenants.teams_of(&user.id).await.expect("read");
    let token = service.session_of(&teams[0].team, &user.id).await;
    service.pass_seconds(60);
    let tested = service.post_as(&token, "/v1/notifications/test", json!({})).await;
    assert_eq!(tested.status, StatusCode::OK, "{}", tested.text);
    let (team, environment) = (auth::TeamId("nobody".into()), access::Environment::Live);
    let last = MailJob::Send { team, environment, owner: auth::Owner::ApiKeys };
    for job in waiting(&service.cloud.mails_queue, &last).await {
        service.mail_worker().handle(job, service.now()).await.expect("handled");
    }
    service.mails().len() - before
}

#[tokio::test]
async fn a_complaint_ends_notifications_and_leaves_one_link_in_the_time_that_it_works() {
    let service = Service::start().await;
    let user = service.member(&service.team(Tier::Free).await, Role::Owner).await;
    service.put_as(&user.token, PREFERENCES, json!({ "channel": "Email" })).await;
    assert_eq!(test_notification(&service, &user).await, 1);
    report(&service, &[notification(&complaint("one", &user.email, service.now()))]).await;
    assert_eq!(test_notification(&service, &user).await, 0);
    let stored = service.get_as(&user.token, PREFERENCES).await.body;
    assert_eq!(stored["channel"], "InApp", "as if the reader had used the link in the mail");
    assert_eq!(mails_of_requests(&service, &user.email).await, [0, 0, 0]);
    service.pass_seconds(HOUR / 4);
    report(&service, &[delivery("two", &user.email, service.now())]).await;
    // Whoever asks: the link of a quarter of an hour works, and then there is another one.
    for _ in 0..3 {
        assert_eq!(mails_of_requests(&service, &user.email).await, [1, 0, 0]);
        assert_eq!(mails_of_requests(&service, &user.email).await, [0, 0, 0]);
        service.pass_seconds(HOUR / 4 - 1);
        let link = tests::link_token(&service.mails()[0]);
        let opened = service.get(&format!("/v1/auth/magic-link/verify?token={link}")).await;
        assert_eq!(opened.status, StatusCode::OK);
        service.pass_seconds(1);
    }
    let email: Email = user.email.parse().expect("an address");
    assert!(service.cloud.tenants.clear_suppressed(&email).await.expect("cleared"));
    assert!(!service.cloud.tenants.clear_suppressed(&email).await.expect("read"));
    assert_eq!(mails_of_requests(&service, &user.email).await, [1, 1, 1]);
}

#[tokio::test]
async fn of_concurrent_requests_one_tries_an_address() {
    let service = Service::start().await;
    report(&service, &[bounce("Permanent", "one", EVA, service.now())]).await;
    service.pass_seconds(7 * DAY);
    let email: Email = EVA.parse().expect("an address");
    let (tenants, now) = (&service.cloud.tenants, service.now());
    let tries = (0..8).map(|_| tenants.try_address(&email, MailKind::SignIn, false, now));
    let taken = futures_util::future::join_all(tries).await;
    let taken: Vec<bool> = taken.into_iter().map(|it| it.expect("tried")).collect();
    assert_eq!(taken.iter().filter(|it| **it).count(), 1, "{taken:?}");
}

#[tokio::test]
async fn an_attempt_that_could_not_be_sent_is_given_back() {
    let service = Service::start().await;
    report(&service, &[bounce("Permanent", "one", EVA, service.now())]).await;
    service.pass_seconds(7 * DAY);
    let outbox = service.outbox();
    std::fs::write(&outbox, "not a directory").expect("written");
    let request = Request::post(LINK).header(header::CONTENT_TYPE, "application/json");
    let failed = service.send_with(request, json!({ "email": EVA }).to_string()).await;
    assert_eq!(failed.status, StatusCode::SERVICE_UNAVAILABLE, "{}", failed.text);
    std::fs::remove_file(&outbox).expect("removed");
    request_link(&service, EVA).await;
    assert_eq!(service.mails().len(), 1);
    request_link(&service, EVA).await;
    assert_eq!(service.mails().len(), 1);
}

#[tokio::test]
async fn after_many_bounces_only_addresses_with_an_account_get_mails_that_day() {
    let service = Service::start().await;
    let user = service.member(&service.team(Tier::Free).await, Role::Owner).await;
    service.put_as(&user.token, PREFERENCES, json!({ "channel": "Email" })).await;
    let bounces = |numbers: std::ops::Range<usize>| -> Vec<Value> {
        let one =
            |it| bounce("Permanent", &format!("m{it}"), &format!("u{it}@x.ch"), service.now());
        numbers.map(one).collect()
    };
    report(&service, &bounces(0..49)).await;
    assert_eq!(mails_of_requests(&service, EVA).await, [1, 1, 1]);
    report(&service, &bounces(49..50)).await;
    assert_eq!(mails_of_requests(&service, EVA).await, [0, 0, 0]);
    assert_eq!(mails_of_requests(&service, &user.email).await, [1, 1, 1]);
    assert_eq!(test_notification(&service, &user).await, 1);
    service.pass_seconds(DAY);
    assert_eq!(mails_of_requests(&service, EVA).await, [1, 1, 1]);
}
