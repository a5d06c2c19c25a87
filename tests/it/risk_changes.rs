//! Notifications of a new risk level of a watched company.

use access::Tier;
use domain::Source;
use jobs::DeliveryJob;
use publications::Publication;
use serde_json::{Value, json};
use tests::{Service, workers_by_hand::waiting};

pub(crate) const MUSTER: &str = "CHE-600.000.012";
const OTHER: &str = "CHE-600.000.029";
/// The day of the test's clock.
const TODAY: &str = "2026-11-20";

/// A service with two companies, registered years ago.
pub(crate) async fn service() -> Service {
    let service = Service::start().await;
    let registered =
        |uid, name, number| Publication::registration(uid, name).number(number).on("2020-01-06");
    let companies = [registered(MUSTER, "Muster AG", 1), registered(OTHER, "Andere AG", 2)];
    service.ingest_publications(companies).await;
    service
}

pub(crate) async fn watch(service: &Service, key: &str, company: &str) {
    let body = json!({ "companyUid": company });
    assert_eq!(service.post_as(key, "/v1/watches", body).await.status, 201);
}

pub(crate) fn bankruptcy(company: &str, number: u64) -> Publication {
    let text =
        "Über die Gesellschaft ist mit Entscheid vom 18.11.2026 der Konkurs eröffnet worden.";
    Publication::mutation(company, "Muster AG").number(number).on(TODAY).text(text)
}

pub(crate) async fn publish(
    service: &Service,
    publications: impl IntoIterator<Item = Publication>,
) {
    let publications: Vec<Publication> = publications.into_iter().collect();
    service.ingest(Source::Shab, tests::read_publications(&publications)).await;
}

/// Delivers what is new, then compares the risks. Returns the jobs that compared them.
async fn deliver(service: &Service) -> Vec<DeliveryJob> {
    let worker = service.delivery_worker();
    worker.handle(DeliveryJob::NotifyWatchers).await.expect("delivered");
    let last = DeliveryJob::CompareRisk { company: MUSTER.parse().expect("a number"), change: 0 };
    let risks = waiting(&service.cloud.delivery_queue, &last).await;
    for job in &risks {
        worker.handle(job.clone()).await.expect("compared");
    }
    risks
}

/// The notifications of new risk levels.
pub(crate) async fn risk_levels(service: &Service, key: &str) -> Vec<Value> {
    let page = service.get_as(key, "/v1/notifications?limit=100").await.body;
    let items = page["items"].as_array().expect("items").iter();
    items.filter(|it| it["category"] == "risk_level_change").cloned().collect()
}

#[tokio::test]
async fn a_bankruptcy_moves_the_risk_level_and_notifies_teams_whose_tier_includes_the_risk() {
    let service = service().await;
    let professional = service.key(Tier::Professional).await;
    let starter = service.key(Tier::Starter).await;
    let elsewhere = service.key(Tier::Professional).await;
    watch(&service, &professional, MUSTER).await;
    watch(&service, &starter, MUSTER).await;
    watch(&service, &elsewhere, OTHER).await;
    publish(&service, [bankruptcy(MUSTER, 3)]).await;
    deliver(&service).await;

    let found = risk_levels(&service, &professional).await;
    let [level] = &found[..] else { panic!("one notification: {found:?}") };
    let path = format!("/v1/risk/v2/{MUSTER}");
    let today = service.get_as(&professional, &format!("{path}?asOf={TODAY}")).await.body;
    let before = service.get_as(&professional, &format!("{path}?asOf=2026-11-19")).await.body;
    let (today, before) = (today["riskLevel"].as_str(), before["riskLevel"].as_str());
    assert_ne!(today, before);
    let (today, before) = (today.expect("a level"), before.expect("a level"));
    assert_eq!(level["title"], format!("Muster AG: Risk level {today}"));
    let body = level["body"].as_str().expect("a body");
    assert!(body.contains(&format!("from {before} to {today}")), "{body}");
    let of_day = format!("{path}?asOf={TODAY}");
    assert_eq!((&level["companyUid"], &level["link"]), (&json!(MUSTER), &json!(of_day)));
    for other in [starter, elsewhere] {
        assert_eq!(risk_levels(&service, &other).await, [] as [Value; 0]);
    }
}

#[tokio::test]
async fn a_change_without_effect_on_the_level_notifies_nobody_of_it() {
    let service = service().await;
    let key = service.key(Tier::Professional).await;
    watch(&service, &key, MUSTER).await;
    let change = Publication::mutation(MUSTER, "Muster AG").number(3).on(TODAY);
    publish(&service, [change.new_purpose("Bau", "Handel")]).await;
    assert_eq!(deliver(&service).await.len(), 1, "the risk was compared");
    assert_eq!(risk_levels(&service, &key).await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_risk_that_is_in_no_watching_team_s_tier_is_not_compared() {
    let service = service().await;
    let (starter, free) = (service.key(Tier::Starter).await, service.key(Tier::Free).await);
    watch(&service, &starter, MUSTER).await;
    watch(&service, &free, MUSTER).await;
    let elsewhere = service.key(Tier::Professional).await;
    watch(&service, &elsewhere, OTHER).await;
    publish(&service, [bankruptcy(MUSTER, 3)]).await;
    assert_eq!(deliver(&service).await, [], "no job");
    let page = service.get_as(&starter, "/v1/notifications").await.body;
    assert_eq!(page["items"][0]["companyUid"], MUSTER, "the change itself: {page}");
    watch(&service, &elsewhere, MUSTER).await;
    let change = Publication::mutation(MUSTER, "Muster AG").number(4).on(TODAY);
    publish(&service, [change.new_purpose("Bau", "Handel")]).await;
    assert_eq!(deliver(&service).await.len(), 1, "one team has it");
}

#[tokio::test]
async fn repeated_jobs_and_further_changes_of_the_day_are_one_notification() {
    let service = service().await;
    let key = service.key(Tier::Professional).await;
    watch(&service, &key, MUSTER).await;
    publish(&service, [bankruptcy(MUSTER, 3)]).await;
    let jobs = deliver(&service).await;
    let worker = service.delivery_worker();
    for job in jobs {
        worker.handle(job).await.expect("compared");
    }
    let change = Publication::mutation(MUSTER, "Muster AG").number(4).on(TODAY);
    publish(&service, [change.new_purpose("Bau", "Handel")]).await;
    assert_eq!(deliver(&service).await.len(), 1);
    assert_eq!(risk_levels(&service, &key).await.len(), 1);
}

#[tokio::test]
async fn a_disabled_preference_and_a_higher_minimum_severity_exclude_a_level() {
    let service = service().await;
    let key = service.key(Tier::Professional).await;
    watch(&service, &key, MUSTER).await;
    let preferences = json!({ "isEnabled": false });
    let answer = service.put_as(&key, "/v1/notifications/preferences", preferences).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    publish(&service, [bankruptcy(MUSTER, 3)]).await;
    deliver(&service).await;
    assert_eq!(risk_levels(&service, &key).await, [] as [Value; 0]);
}
