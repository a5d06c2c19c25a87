//! New results of an alert are sent to its webhook.

use std::collections::BTreeSet;

use access::{Environment, Scope};
use jobs::{ScheduleJob, SearchJob};
use serde_json::{Value, json};
use tests::{
    in_zurich,
    workers_by_hand::{killed_after, waiting},
};

use super::{FIRST, HOUR, Receiver, Team, purpose};

const ALERTS: &str = "/v1/alerts";

fn alert(url: &str) -> Value {
    json!({
        "name": "Zürich", "queryParams": { "canton": "ZH" }, "frequency": "hourly",
        "webhookUrl": url,
    })
}

/// A team with an alert whose first run has found one company, and the answer that created the alert.
async fn team_with_alert(receiver: &Receiver) -> (Team, Value) {
    let team = Team::new().await;
    team.service.register([in_zurich(0)]).await;
    let created = team.service.post_as(&team.key, ALERTS, alert(&receiver.url())).await;
    assert_eq!(created.status, 201, "{created:?}");
    let [job] = &due(&team).await[..] else { panic!("one job") };
    run(&team, job).await;
    (team, created.body)
}

/// The jobs of the next hour.
async fn due(team: &Team) -> Vec<SearchJob> {
    let service = &team.service;
    service.pass_seconds(HOUR);
    service.scheduler().handle(ScheduleJob::SendDue, service.now()).await.expect("sent");
    let last = SearchJob::Run {
        team: auth::TeamId("nobody".into()),
        environment: Environment::Live,
        search: serde_json::from_value(json!({ "kind": "alert", "id": uuid::Uuid::new_v4() }))
            .expect("a search"),
        period: service.now(),
    };
    waiting(&service.cloud.searches_queue, &last).await
}

async fn run(team: &Team, job: &SearchJob) {
    let done = team.service.search_worker().handle(job.clone(), team.service.now()).await;
    done.expect("run");
}

#[tokio::test]
async fn new_results_of_an_alert_arrive_signed() {
    let receiver = Receiver::start().await;
    let (team, created) = team_with_alert(&receiver).await;
    let id = created["id"].as_str().expect("an id");
    team.service.register([in_zurich(1)]).await;
    // Neither a change of a company, nor a run that finds nothing new.
    team.change(id, [purpose(FIRST, 3)]).await;
    for _ in 0..2 {
        for job in due(&team).await {
            run(&team, &job).await;
        }
        team.deliver(id).await;
    }
    let [request] = &receiver.requests()[..] else { panic!("{:?}", receiver.requests()) };
    let secret = created["signingSecret"].as_str().expect("a secret");
    assert_eq!(request.header("webhook-signature"), request.v1_signature(secret));
    assert_eq!(request.body["type"], "ch.gotthard.search.new_results");
    assert_eq!(
        (&request.body["subject"], &request.body["specversion"]),
        (&json!(id), &json!("1.0"))
    );
    let company = team.service.get_as(&team.key, "/v1/companies?canton=ZH&search=1").await;
    let uid = &company.body["items"][0]["uid"];
    assert_eq!(
        request.body["data"],
        json!({
            "alertId": id, "alertName": "Zürich", "newCount": 1, "totalCount": 2,
            "companies": [{ "uid": uid, "name": "Zürcher 1 AG" }],
        })
    );
    let logged = team.deliveries(id).await.remove(0);
    assert_eq!(
        (&logged["id"], &logged["status"]),
        (&json!(request.header("webhook-id")), &json!("delivered"))
    );
    assert_eq!(logged["eventId"], request.body["id"]);
}

#[tokio::test]
async fn each_new_result_arrives_although_the_run_is_killed_at_any_step() {
    let receiver = Receiver::start().await;
    let (team, created) = team_with_alert(&receiver).await;
    let id = created["id"].as_str().expect("an id");
    let (mut polls, mut number) = (0, 0);
    loop {
        number += 1;
        team.service.register([in_zurich(number)]).await;
        let jobs = due(&team).await;
        let handled = team.service.search_worker();
        let killed = killed_after(polls, handled.handle(jobs[0].clone(), team.service.now())).await;
        // Delivered again, and once more.
        for _ in 0..2 {
            run(&team, &jobs[0]).await;
        }
        team.deliver(id).await;
        if !killed {
            break;
        }
        polls += 3;
    }
    assert!(polls > 15, "the run was killed at {polls} steps only");
    let requests = receiver.requests();
    let ids: BTreeSet<&str> = requests.iter().map(|it| it.header("webhook-id")).collect();
    assert_eq!((ids.len(), requests.len()), (number as usize, number as usize), "each once");
    let names = requests.iter().map(|it| it.body["data"]["companies"][0]["name"].to_string());
    assert_eq!(names.collect::<BTreeSet<_>>().len(), number as usize, "all companies");
}

#[tokio::test]
async fn the_webhook_of_an_alert_lives_and_ends_with_the_alert() {
    let receiver = Receiver::start().await;
    let (team, created) = team_with_alert(&receiver).await;
    let (service, key) = (&team.service, &team.key);
    let id = created["id"].as_str().expect("an id");
    let path = format!("/v1/webhooks/{id}");
    let webhook = team.status(id).await;
    assert_eq!((&webhook["alertId"], &webhook["url"]), (&json!(id), &created["webhookUrl"]));
    assert!(!service.get_as(key, ALERTS).await.text.contains("signingSecret"));
    for refused in [
        service.put_as(key, &path, json!({ "url": receiver.url() })).await,
        service.put_as(key, &path, json!({ "watchedOnly": true })).await,
        service.delete_as(key, &path).await,
        service.post_as(key, &format!("{path}/replay"), json!({ "from": service.now() })).await,
    ] {
        assert_eq!((refused.status.as_u16(), refused.slug()), (409, "conflict"), "{refused:?}");
        assert!(refused.detail().contains("belongs to the alert"), "{}", refused.text);
    }
    team.set_status(id, "paused").await;
    service.register([in_zurich(1)]).await;
    for job in due(&team).await {
        run(&team, &job).await;
    }
    team.set_status(id, "active").await;
    team.deliver(id).await;
    assert_eq!(receiver.requests().len(), 0, "nothing is delivered while it is paused");

    let limits = access::TeamLimits::of(access::Tier::Professional);
    let others = usize::try_from(limits.webhooks).expect("small") - 1;
    for _ in 0..others {
        team.webhook_to(&receiver).await;
    }
    let refused = service.post_as(key, ALERTS, alert(&receiver.url())).await;
    assert_eq!(refused.status, 409, "the webhook of an alert counts: {refused:?}");
    assert_eq!(service.get_as(key, ALERTS).await.body.as_array().map(Vec::len), Some(1));
    assert_eq!(service.delete_as(key, &format!("{ALERTS}/{id}")).await.status, 204);
    assert_eq!(service.get_as(key, &path).await.status, 404);
    assert_eq!(service.post_as(key, ALERTS, alert(&receiver.url())).await.status, 201);
    // The id of a webhook is not that of an alert.
    let webhook = service.get_as(key, "/v1/webhooks").await.body[0]["id"].clone();
    let webhook = webhook.as_str().expect("an id");
    assert_eq!(service.delete_as(key, &format!("{ALERTS}/{webhook}")).await.status, 404);
    assert_eq!(service.get_as(key, &format!("/v1/webhooks/{webhook}")).await.status, 200);
}

#[tokio::test]
async fn only_who_manages_webhooks_creates_the_one_of_an_alert() {
    let receiver = Receiver::start().await;
    let team = Team::new().await;
    let service = &team.service;
    let scopes = [Scope::Read, Scope::Write];
    let writer = service.key_of(&team.id, Environment::Live, &scopes).await;
    let refused = service.post_as(&writer, ALERTS, alert(&receiver.url())).await;
    assert_eq!((refused.status.as_u16(), refused.slug()), (403, "forbidden"));
    assert!(refused.detail().contains("`manage`"), "{}", refused.text);
    let mut plain = alert("");
    plain.as_object_mut().expect("an object").remove("webhookUrl");
    let created = service.post_as(&writer, ALERTS, plain).await;
    assert_eq!((created.status.as_u16(), created.body.get("signingSecret")), (201, None));
    let mine = format!("{ALERTS}/{}", created.body["id"].as_str().expect("an id"));
    assert_eq!(service.delete_as(&writer, &mine).await.status, 204);

    let created = service.post_as(&team.key, ALERTS, alert(&receiver.url())).await;
    let other = format!("{ALERTS}/{}", created.body["id"].as_str().expect("an id"));
    assert_eq!(service.delete_as(&writer, &other).await.slug(), "forbidden");
    // The rest of the address may contain a secret.
    let listed = service.get_as(&writer, ALERTS).await;
    let origin = receiver.url().split("/hook").next().map(str::to_owned);
    assert_eq!(listed.body[0]["webhookUrl"].as_str().map(str::to_owned), origin);
    let listed = service.get_as(&team.key, ALERTS).await;
    assert_eq!(listed.body[0]["webhookUrl"], json!(receiver.url()));
}
