//! What can go wrong while subjects are monitored: nothing is lost, and one subject does not stop the others.

use std::sync::Arc;

use access::{Environment, Scope, Tier};
use auth::Principal;
use domain::lists::List;
use http::StatusCode;
use jobs::ListJob;
use serde_json::{Value, json};
use store::{TeamKey, keys};
use teams::{MonitoredSubject, screening::ScreeningQuery};
use tests::operator;
use uuid::Uuid;

use crate::{
    items::Items,
    list_updates::{ENTRY, NAME, SECO, SUBJECTS, Updated, with_entry},
};

/// A team with a key.
async fn team(service: &Updated) -> (String, TeamKey) {
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    (key, operator(team))
}

fn id(value: &Value) -> Uuid {
    value.as_str().and_then(|it| it.parse().ok()).unwrap_or_else(|| panic!("{value}"))
}

fn subject(service: &Updated, name: &str) -> MonitoredSubject {
    MonitoredSubject {
        id: Uuid::now_v7(),
        query: ScreeningQuery::of(name.to_owned(), List::ALL.to_vec()),
        created_by: Principal::api_key("k"),
        created_at: service.now(),
    }
}

fn hits(answer: &tests::Answer) -> Vec<&str> {
    let hits = answer.body["hits"].as_array().unwrap_or_else(|| panic!("{answer:?}"));
    hits.iter().filter_map(|it| it["id"].as_str()).collect()
}

#[tokio::test]
async fn a_repeated_request_does_not_take_the_notification_from_the_team() {
    let service = Updated::start().await;
    let (key, _) = team(&service).await;
    service.monitor(&key, NAME).await;
    let jobs = service.publish(&with_entry(("Aurelio", "Zapletal"))).await;
    // Before the update screens the subject, a user screens it again.
    assert_eq!(service.monitor(&key, NAME).await.body["hitCount"], 1);
    service.run_all(jobs).await;
    assert_eq!(service.notifications(&key).await.len(), 1);
    assert_eq!(service.subject(&key).await["hitCount"], 1);
    // Nor does it repeat it.
    service.monitor(&key, NAME).await;
    service.update(&with_entry(("Aurelio", "Zapletal")).replace("The Ferryman", "A")).await;
    assert_eq!(service.notifications(&key).await.len(), 1);
}

#[tokio::test]
async fn a_subject_whose_first_screening_failed_is_screened_after_the_next_update() {
    let service = Updated::start().await;
    let (key, team) = team(&service).await;
    service.update(&with_entry(("Xaver", "Unbekannt"))).await;
    // As the request leaves it that is interrupted before it screens.
    let listed = subject(&service, "Mikalaj Dovreshenka");
    let monitored = service.cloud.tenants.monitor(&team, Tier::Free, &listed).await;
    assert_eq!(monitored.expect("monitored"), listed.id);
    assert_eq!(service.subject(&key).await["riskLevel"], Value::Null);
    service.update(SECO).await;
    let notifications = service.notifications(&key).await;
    assert_eq!(
        notifications.len(),
        1,
        "the update does not concern the subject, but it was never screened"
    );
    let subject = service.subject(&key).await;
    assert_eq!((&subject["riskLevel"], &subject["hitCount"]), (&json!("medium"), &json!(1)));
    service.update(&with_entry(("Xaver", "Unbekannt"))).await;
    assert_eq!(service.notifications(&key).await.len(), 1);
}

/// The list with 30 entries of this name.
fn with_thirty(list: &str, name: (&str, &str)) -> String {
    let one = with_entry(name);
    let start = one.find("<target ssid=\"96005\">").expect("a target");
    let end = start + one[start..].find("</target>").expect("its end") + "</target>".len();
    let entries = (0..30).map(|it| one[start..end].replace("ssid=\"96", &format!("ssid=\"{it}97")));
    let at = list.find("</target>").expect("a target") + "</target>".len();
    format!("{}{}{}", &list[..at], entries.collect::<String>(), &list[at..])
}

#[tokio::test]
async fn the_evidence_of_a_notification_shows_the_new_hit_whatever_the_limit() {
    let service = Updated::start().await;
    let (key, _) = team(&service).await;
    service.update(&with_thirty(SECO, ("Aurelio", "Zapletal"))).await;
    let body = json!({ "name": NAME, "monitor": true, "limit": 1, "sources": ["seco"] });
    let first = service.post_as(&key, "/v1/screening", body).await;
    assert_eq!((&first.body["hitCount"], hits(&first).len()), (&json!(30), 1), "{first:?}");
    // Its name is less similar than those of the thirty.
    let next = with_thirty(&with_entry(("Aurelio", "Zapletaal")), ("Aurelio", "Zapletal"));
    service.update(&next).await;
    let notifications = service.notifications(&key).await;
    assert_eq!(notifications.len(), 1, "{notifications:?}");
    let link = notifications[0]["link"].as_str().expect("a link");
    let evidence = service.get_as(&key, link).await;
    assert!(hits(&evidence).contains(&ENTRY), "{evidence:?}");
    assert_eq!(evidence.body["hitCount"], 31);
    assert_eq!(evidence.body["trigger"]["newHits"], json!([ENTRY]));
    let replayed = service.post_as(&key, &format!("{link}/replay"), json!({})).await;
    assert_eq!(replayed.body["isIdentical"], true, "{replayed:?}");
}

#[tokio::test]
async fn evidence_of_an_automatic_screening_says_so() {
    let service = Updated::start().await;
    let (key, _) = team(&service).await;
    let monitored = service.monitor(&key, NAME).await;
    assert_eq!(monitored.body["screenedBy"]["type"], "api_key");
    assert_eq!(monitored.body["trigger"], Value::Null);
    service.update(&with_entry(("Aurelio", "Zapletal"))).await;
    let notifications = service.notifications(&key).await;
    let evidence = service.get_as(&key, notifications[0]["link"].as_str().expect("a link")).await;
    assert_eq!(evidence.body["screenedBy"], Value::Null, "{evidence:?}");
    assert_eq!(evidence.body["trigger"]["reason"], "monitored_subject");
    assert_eq!(evidence.body["trigger"]["subjectId"], monitored.body["subjectId"]);
    let all = service.get_as(&key, "/v1/screenings").await;
    let listed = all.body.as_array().expect("screenings").iter();
    let mut listed = listed.filter(|it| it["id"] == evidence.body["id"]);
    let summary = listed.next().unwrap_or_else(|| panic!("{all:?}"));
    assert_eq!(summary["screenedBy"], Value::Null);
}

#[tokio::test]
async fn a_subject_that_fails_is_retried_and_does_not_stop_the_others() {
    let service = Updated::start().await;
    let teams = [team(&service).await, team(&service).await];
    let mut last = Vec::new();
    for (key, team) in &teams {
        let monitored = service.monitor(key, NAME).await;
        last.push(keys::last_screenings(team, id(&monitored.body["subjectId"])));
    }
    let tenants = Items::of_tenants(&service);
    let whole = tenants.damage(&last[0]).await;
    service.pass_seconds(60);
    let jobs = service.publish(&with_entry(("Aurelio", "Zapletal"))).await;
    let failed = service.run_all(jobs).await;
    assert!(matches!(&failed[..], [ListJob::RescreenSubject { .. }]), "{failed:?}");
    assert_eq!(service.notifications(&teams[0].0).await, Vec::<Value>::new());
    assert_eq!(service.notifications(&teams[1].0).await.len(), 1);
    tenants.put(whole).await;
    let before = service.subject(&teams[0].0).await["lastScreenedAt"].clone();
    assert_ne!(before, service.subject(&teams[1].0).await["lastScreenedAt"]);
    assert_eq!(service.run_all(failed).await, Vec::new());
    assert_eq!(service.notifications(&teams[0].0).await.len(), 1);
    assert_ne!(service.subject(&teams[0].0).await["lastScreenedAt"], before);
}

#[tokio::test]
async fn a_subject_whose_retries_are_lost_is_screened_after_the_next_update() {
    let service = Updated::start().await;
    let (key, team) = team(&service).await;
    let monitored = service.monitor(&key, NAME).await;
    let tenants = Items::of_tenants(&service);
    let last = keys::last_screenings(&team, id(&monitored.body["subjectId"]));
    let whole = tenants.damage(&last).await;
    let listed = with_entry(("Aurelio", "Zapletal"));
    let jobs = service.publish(&listed).await;
    assert_eq!(service.run_all(jobs).await.len(), 1);
    tenants.put(whole).await;
    service.update(&listed.replace("The Ferryman", "The Boatman")).await;
    assert_eq!(service.notifications(&key).await.len(), 1);
}

#[tokio::test]
async fn the_present_risk_is_known_after_the_evidence_has_expired() {
    let service = Updated::start().await;
    let (key, team) = team(&service).await;
    let monitored = service.monitor(&key, "Mikalaj Dovreshenka").await;
    let risk = &monitored.body["riskLevel"];
    assert_eq!(service.subject(&key).await["riskLevel"], *risk);
    let evidence = keys::screening(&team, id(&monitored.body["id"]));
    Items::of_tenants(&service).delete(&evidence).await;
    let subject = service.subject(&key).await;
    assert_eq!((&subject["riskLevel"], &subject["hitCount"]), (risk, &monitored.body["hitCount"]));
    assert_eq!(subject["lastScreenedAt"], monitored.body["screenedAt"]);
}

#[tokio::test]
async fn a_free_team_can_monitor_a_thousand_subjects() {
    let service = Updated::start().await;
    let (key, team) = team(&service).await;
    for number in 0..999 {
        let subject = subject(&service, &format!("Subject {number}"));
        service.cloud.tenants.monitor(&team, Tier::Free, &subject).await.expect("monitored");
    }
    let monitor = |name: &str| {
        let body = json!({ "name": name, "monitor": true });
        service.post_as(&key, "/v1/screening", body)
    };
    let (one, other) = tokio::join!(monitor(NAME), monitor("Radim Neznamov"));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::CONFLICT], "one of two concurrent requests");
    let (kept, refused) = if one.status == StatusCode::OK { (one, other) } else { (other, one) };
    let detail = refused.body["detail"].as_str().expect("a reason");
    assert!(detail.contains("limit of 1000 monitored subjects"), "{detail}");
    // The same subject again is no further one.
    let name = kept.body["queryName"].as_str().expect("a name");
    assert_eq!(monitor(name).await.status, StatusCode::OK);
    let path = format!("{SUBJECTS}/{}", kept.body["subjectId"].as_str().expect("an id"));
    assert_eq!(service.delete_as(&key, &path).await.status, StatusCode::NO_CONTENT);
    assert_eq!(monitor("Another Subject").await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_parts_of_a_re_screening_compare_the_versions_once() {
    let service = Updated::start().await;
    let jobs = service.publish(&with_entry(("Aurelio", "Zapletal"))).await;
    let [ListJob::RescreenSubjects { version, .. }] = &jobs[..] else { panic!("{jobs:?}") };
    let (changes, objects) = (&service.worker.last_changes, &service.cloud.objects);
    let between = async |before: Option<&str>| {
        let compared = changes.between(objects, List::Seco, before, version).await;
        compared.expect("compared").expect("a version")
    };
    let (first, second) = (between(None).await, between(None).await);
    assert!(Arc::ptr_eq(&first, &second));
    assert!(!first.is_delta());
    let other = between(Some(version)).await;
    assert!(other.is_delta() && !Arc::ptr_eq(&first, &other));
}
