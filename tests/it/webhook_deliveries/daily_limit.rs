//! The deliveries of a team on one day.

use access::{Environment, Scope, Tier, webhook_deliveries};
use jobs::ScheduleJob;
use serde_json::json;

use super::{FIRST, Messages, Receiver, Team, purpose};

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
        let (team, now) = (self.operator(), self.service.now());
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
async fn a_higher_tier_makes_the_deliveries_that_wait() {
    let receiver = Receiver::start().await;
    let (team, webhook) = Team::free(&receiver).await;
    team.leave(0).await;
    team.change(&webhook, [purpose(FIRST, 3)]).await;
    assert_eq!(receiver.requests().len(), 0);
    let tenants = &team.service.cloud.tenants;
    let starter = store::Team { id: team.id.clone(), name: "Team".into(), tier: Tier::Starter };
    tenants.put_team(&starter).await.expect("stored");
    team.deliver(&webhook).await;
    assert_eq!(receiver.requests().len(), 1);
}
