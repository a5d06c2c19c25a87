//! The deliveries of a team on one day.

use access::{Environment, Role, Scope, Tier, waiting_deliveries, webhook_deliveries};
use auth::{Creator, TeamId};
use jobs::ScheduleJob;
use network::outgoing::OutgoingHttp;
use outgoing::webhooks::{KeySecret, WebhookSender};
use serde_json::json;
use store::Subject;
use teams::{WebhookState, webhook::Backlog};

use super::{FIRST, Messages, Receiver, Team, purpose};
use crate::billing::send_event;

const NEXT_DAY: &str = "2026-11-21T00:00:00Z";

impl Team {
    /// A Free team in the same service, with a webhook to this receiver; and the webhook.
    async fn free(receiver: &Receiver) -> (Self, String) {
        let mut team = Self::new().await;
        team.id = team.service.team(Tier::Free).await;
        team.key = team.service.key_of(&team.id, Environment::Live, &Scope::ALL).await;
        let webhook = team.webhook_to(receiver).await;
        (team, webhook)
    }

    /// Uses up the deliveries of the day, except this number.
    async fn leave(&self, number: u32) {
        let counters = &self.service.cloud.counters;
        let (team, now) = (Subject::Team(self.id.clone()), self.service.now());
        let allowance = webhook_deliveries(Tier::Free);
        // The challenge was one.
        let made = allowance.requests - 1 - number;
        let counted = counters.count_webhook_deliveries(&team, made, allowance, now).await;
        assert_ne!(counted.expect("counted"), store::Counted::Full);
    }
}

#[tokio::test]
async fn deliveries_above_the_daily_limit_wait_for_the_next_day_in_their_order() {
    let receiver = Receiver::start().await;
    let (team, webhook) = Team::free(&receiver).await;
    team.leave(5).await;
    team.change(&webhook, (3..23).map(|it| purpose(FIRST, it))).await;
    // Changes of the same time have no order.
    team.service.pass_seconds(1);
    team.change(&webhook, [purpose(FIRST, 23)]).await;
    team.deliver(&webhook).await;
    assert_eq!(receiver.requests().len(), 5, "exactly as many as were left");
    let waiting = team.deliveries(&webhook).await;
    let waiting: Vec<_> = waiting.iter().filter(|it| it["status"] == "pending").collect();
    assert_eq!(waiting.len(), 16);
    for delivery in waiting {
        let found = (&delivery["waitsFor"], &delivery["nextAttemptAt"], &delivery["attempt"]);
        assert_eq!(found, (&json!("daily_limit"), &json!(NEXT_DAY), &json!(0)));
    }
    // The scheduler sends the next job at midnight, and none before.
    let mut messages = Messages::of(&team.service.cloud.webhooks_queue);
    messages.received(2).await;
    let scheduler = team.service.scheduler();
    team.service.move_to("2026-11-20T23:59:59Z");
    scheduler.handle(ScheduleJob::SendDueWebhooks, team.service.now()).await.expect("sent");
    team.deliver(&webhook).await;
    assert_eq!(receiver.requests().len(), 5);
    messages.received(1).await;
    team.service.pass_seconds(2);
    scheduler.handle(ScheduleJob::SendDueWebhooks, team.service.now()).await.expect("sent");
    assert_eq!(messages.received(1).await, [team.job(&webhook)]);
    team.deliver(&webhook).await;
    let mut numbers = receiver.purposes();
    assert_eq!(numbers.len(), 21);
    assert!(numbers[13..].contains(&23), "the newest with the last: {numbers:?}");
    numbers.sort_unstable();
    assert_eq!(numbers, (3..24).collect::<Vec<u64>>(), "each once");
    assert!(team.deliveries(&webhook).await.iter().all(|it| it.get("waitsFor").is_none()));
}

#[tokio::test]
async fn tests_replays_and_repeated_attempts_count_and_the_first_two_are_refused_above_the_limit() {
    let receiver = Receiver::start().await;
    let (team, webhook) = Team::free(&receiver).await;
    let path = format!("/v1/webhooks/{webhook}");
    let test = async || team.service.post_as(&team.key, &format!("{path}/test"), json!({})).await;
    let replay = async || {
        let body = json!({ "from": "2026-11-20T00:00:00Z" });
        team.service.post_as(&team.key, &format!("{path}/replay"), body).await
    };
    team.leave(3).await;
    assert_eq!(test().await.status, 200);
    receiver.answers(http::StatusCode::SERVICE_UNAVAILABLE);
    team.change(&webhook, [purpose(FIRST, 3)]).await;
    team.service.pass_seconds(10);
    team.deliver(&webhook).await;
    assert_eq!(receiver.requests().len(), 3);
    for refused in [test().await, replay().await] {
        assert_eq!((refused.status.as_u16(), refused.slug()), (429, "rate-limit-exceeded"));
        let found = (&refused.body["window"], &refused.body["limit"]);
        assert_eq!(found, (&json!("1d"), &json!(1_000)));
        assert_eq!(refused.body["violatedPolicies"], json!(["webhook_deliveries"]));
        assert_eq!(refused.body["retryAfterSeconds"], 41_390);
        assert!(refused.header("retry-after").is_some());
    }
    receiver.answers(http::StatusCode::OK);
    team.service.move_to(NEXT_DAY);
    assert_eq!(test().await.status, 200);
    assert_eq!(replay().await.status, 202);
    let before = receiver.requests().len();
    team.deliver(&webhook).await;
    // The attempt that waited, and the three changes of the replay.
    assert_eq!(receiver.requests().len(), before + 4);
}

#[tokio::test]
async fn what_waits_for_the_next_day_is_made_at_once_after_an_upgrade() {
    let receiver = Receiver::start().await;
    let (team, webhook) = Team::free(&receiver).await;
    team.leave(0).await;
    team.change(&webhook, [purpose(FIRST, 3)]).await;
    assert_eq!(receiver.requests().len(), 0);
    let mut messages = Messages::of(&team.service.cloud.webhooks_queue);
    messages.received(1).await;
    // Whatever was scheduled before is sent first.
    let scheduler = team.service.scheduler();
    team.service.pass_seconds(20 * 60);
    scheduler.handle(ScheduleJob::SendDueWebhooks, team.service.now()).await.expect("sent");
    messages.received(1).await;
    team.deliver(&webhook).await;
    assert_eq!(receiver.requests().len(), 0);

    let stripe = &team.service.stripe;
    stripe.put_subscription("sub_1", &team.id.0, "price_starter", "active");
    let event = stripe.subscription_event("evt_1", "customer.subscription.created", "sub_1");
    assert_eq!(send_event(&team.service, &event).await.status, 200);
    team.service.pass_seconds(60);
    scheduler.handle(ScheduleJob::SendDueWebhooks, team.service.now()).await.expect("sent");
    assert_eq!(messages.received(1).await, [team.job(&webhook)]);
    team.deliver(&webhook).await;
    assert_eq!(receiver.requests().len(), 1);
}

#[tokio::test]
async fn the_free_teams_of_a_creator_share_the_deliveries_of_a_day() {
    let receiver = Receiver::start().await;
    let mut team = Team::new().await;
    let user = team.service.member(&team.id, Role::Owner).await;
    let mut webhooks = Vec::new();
    for number in 0..2 {
        let body = json!({ "name": format!("Team {number}") });
        let created = team.service.post_as(&user.token, "/v1/teams", body).await.body;
        team.id = TeamId(created["id"].as_str().expect("an id").to_owned());
        team.key = team.service.session_of(&team.id, &user.id).await;
        webhooks.push((team.id.clone(), team.key.clone(), team.webhook_to(&receiver).await));
    }
    let counters = &team.service.cloud.counters;
    let (creator, allowance) = (Creator::user(&user.id), webhook_deliveries(Tier::Free));
    // Each challenge was one.
    let made = allowance.requests - 2 - 1;
    let subject = Subject::FreeTeams(creator);
    let now = team.service.now();
    let counted = counters.count_webhook_deliveries(&subject, made, allowance, now).await;
    assert!(matches!(counted, Ok(store::Counted::Now { .. })), "{counted:?}");
    team.publish([purpose(FIRST, 3)]).await;
    team.match_events().await;
    for (id, key, webhook) in &webhooks {
        (team.id, team.key) = (id.clone(), key.clone());
        team.deliver(webhook).await;
    }
    assert_eq!(receiver.requests().len(), 1, "one was left for both");
    let test = format!("/v1/webhooks/{}/test", webhooks[1].2);
    assert_eq!(team.service.post_as(&team.key, &test, json!({})).await.status, 429);
}

#[tokio::test]
async fn few_deliveries_wait_and_the_team_learns_how_many_were_left_out() {
    let receiver = Receiver::start().await;
    let (team, webhook) = Team::free(&receiver).await;
    team.leave(0).await;
    team.change(&webhook, [purpose(FIRST, 3)]).await;
    let (tenants, of) = (&team.service.cloud.tenants, team.operator());
    let backlog = async || tenants.webhook_state(&of, &webhook).await.expect("read").backlog;
    let max = waiting_deliveries(Tier::Free);
    assert_eq!(backlog().await, Some(Backlog { waiting: 1, max }));
    let small = |it: &mut WebhookState| it.backlog = Some(Backlog { waiting: 1, max: 3 });
    tenants.change_webhook_state(&of, &webhook, small).await.expect("stored");
    team.service.pass_seconds(1);
    team.change(&webhook, (4..9).map(|it| purpose(FIRST, it))).await;
    assert_eq!(backlog().await, Some(Backlog { waiting: 3, max: 3 }));
    assert_eq!(team.status(&webhook).await["droppedCount"], 3);
    let notified = async || {
        let listed = team.service.get_as(&team.key, "/v1/notifications").await.body;
        let items = listed["items"].as_array().expect("items").clone();
        let of_webhook = |it: &&serde_json::Value| it["category"] == "webhook";
        items.iter().filter(of_webhook).cloned().collect::<Vec<_>>()
    };
    let [notification] = &notified().await[..] else { panic!("one notification") };
    let body = notification["body"].as_str().expect("a text");
    assert!(body.contains("3 changes were left out since 2026-11-20T12:30"), "{body}");
    // Others of the same day are only counted.
    team.change(&webhook, [purpose(FIRST, 9)]).await;
    assert_eq!(team.status(&webhook).await["droppedCount"], 4);
    assert_eq!(notified().await.len(), 1);

    team.service.move_to(NEXT_DAY);
    team.deliver(&webhook).await;
    assert_eq!((backlog().await, receiver.requests().len()), (None, 3));
    team.set_status(&webhook, "active").await;
    assert!(team.status(&webhook).await.get("droppedCount").is_none());
    let replay = format!("/v1/webhooks/{webhook}/replay");
    let body = json!({ "from": "2026-11-20T00:00:00Z" });
    assert_eq!(team.service.post_as(&team.key, &replay, body).await.status, 202);
    team.deliver(&webhook).await;
    let mut numbers = receiver.purposes();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers, (1..10).collect::<Vec<u64>>());
}

/// The key that signs cannot be read: nothing is sent.
#[tokio::test]
async fn a_delivery_that_could_not_be_sent_counts_nothing() {
    let receiver = Receiver::start().await;
    let (team, webhook) = Team::free(&receiver).await;
    team.leave(1).await;
    team.publish([purpose(FIRST, 3)]).await;
    team.match_events().await;
    let unreadable = KeySecret::given(auth::Secret::new("not a key".into()));
    let sender = WebhookSender::new(unreadable, OutgoingHttp::public());
    let worker = webhooks::Worker { sender, ..team.worker() };
    for _ in 0..3 {
        worker.handle(team.job(&webhook), team.service.now()).await.expect_err("no key");
    }
    team.deliver(&webhook).await;
    assert_eq!(receiver.requests().len(), 1);
}
