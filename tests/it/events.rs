//! The events of a company, as plain JSON and as CloudEvents.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tests::Service;

use crate::two_companies::{self, EINS, ZWEI};

#[tokio::test]
async fn events_have_the_members_of_cloud_events_1_0() {
    let service = Service::start().await;
    service.ingest_publications(two_companies::publications()).await;
    let path = format!("/v1/companies/{ZWEI}/events");
    let answer = service.get(&path).await;
    let event = &answer.body["events"][0];
    assert_eq!(event["category"], "liquidation", "{}", answer.text);
    assert_eq!(event["severity"], "high");
    assert_eq!(event["ceType"], "ch.gotthard.company.liquidation");
    assert_eq!((&event["specversion"], &event["type"]), (&json!("1.0"), &event["ceType"]));
    assert_eq!((&event["subject"], &event["companyUid"]), (&json!(ZWEI), &json!(ZWEI)));
    assert_eq!((&event["severitytext"], &event["severitynumber"]), (&json!("ERROR"), &json!(17)));
    assert_eq!(event["time"], "2024-02-06T00:00:00Z");
    assert!(event["sequence"].as_str().is_some_and(|it| it.parse::<u64>().is_ok()), "{event}");
    let batch = http::Request::get(&path).header("accept", "application/cloudevents-batch+json");
    let batch = service.send(batch).await;
    assert_eq!(batch.header("content-type"), Some("application/cloudevents-batch+json"));
    let members: BTreeSet<&String> = batch.body[0].as_object().expect("an event").keys().collect();
    let expected = [
        "data",
        "datacontenttype",
        "id",
        "sequence",
        "severitynumber",
        "severitytext",
        "source",
        "specversion",
        "subject",
        "time",
        "type",
    ];
    assert!(members.iter().map(|it| it.as_str()).eq(expected), "{members:?}");
}

#[tokio::test]
async fn pages_of_events_contain_every_event_once() {
    let service = Service::start().await;
    service.ingest_publications(two_companies::publications()).await;
    let path = format!("/v1/companies/{EINS}/events?includeInternal=true");
    let all = service.get(&format!("{path}&limit=100")).await;
    let total = all.body["total"].as_u64().expect("a number");
    assert!(total > 4 && all.body["count"] == total, "{}", all.text);
    let mut collected = Vec::new();
    for page in 1..=total.div_ceil(2) {
        let answer = service.get(&format!("{path}&limit=2&page={page}")).await;
        assert_eq!(answer.body["total"], total);
        let next =
            format!("{EINS}/events?includeInternal=true&limit=2&page={}>; rel=\"next\"", page + 1);
        let link = answer.header("link");
        match page < total.div_ceil(2) {
            true => assert!(
                link.is_some_and(|it| it.starts_with('<') && it.ends_with(&next)),
                "{link:?}"
            ),
            false => assert_eq!(link, None),
        }
        collected.extend(answer.body["events"].as_array().expect("a list").clone());
    }
    assert_eq!(Value::from(collected), all.body["events"]);
    let batch = http::Request::get(format!("{path}&limit=2"))
        .header("accept", "application/cloudevents-batch+json");
    let batch = service.send(batch).await;
    assert!(batch.header("link").is_some_and(|it| it.contains("&page=2>")), "{:?}", batch.headers);
    let past_the_end = service.get(&format!("{path}&page=100")).await;
    assert_eq!(past_the_end.header("link"), None);
    assert_eq!(
        (&past_the_end.body["count"], &past_the_end.body["events"]),
        (&json!(0), &json!([]))
    );
}
