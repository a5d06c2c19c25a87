//! Watched companies, their officers and parents are compared with the entries of a list that have changed.

use std::collections::BTreeSet;

use access::{Environment, Role, Scope, Tier};
use http::StatusCode;
use jobs::{ListJob, MailJob};
use publications::Publication;
use serde_json::{Value, json};
use store::keys;
use tests::{
    Answer, Service, company,
    workers_by_hand::{killed_after, waiting},
};

use crate::{
    items::Items,
    list_updates::{SECO, Updated, with_targets as with},
};

const MUSTER: &str = "CHE-600.000.012";
const PROBE: &str = "CHE-600.000.029";
const EVA: &str = "Zapletalova, Eva, von Chur, in Bern";

/// Two companies with one officer in common.
async fn service() -> Updated {
    let service = Updated::start().await;
    let eva = format!("{EVA}, Präsidentin des Verwaltungsrates, mit Einzelunterschrift");
    let rolf =
        format!("{eva}; Neznamov, Rolf, von Thun, in Thun, Mitglied, mit Einzelunterschrift");
    let muster = Publication::registration(MUSTER, "Quendelhof Rohstoffe AG");
    let probe = Publication::registration(PROBE, "Zwölfte Probe AG");
    let publications = [
        muster.number(1).on("2020-01-06").persons_entered(&eva),
        probe.number(2).on("2020-01-06").persons_entered(&rolf),
    ];
    service.ingest_publications(publications).await;
    // The first version of a list that is compared: only later changes are news.
    service.update(SECO).await;
    service
}

async fn watch(service: &Updated, key: &str, company: &str) {
    let answer = service.post_as(key, "/v1/watches", json!({ "companyUid": company })).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
}

async fn evidence(service: &Updated, key: &str, notification: &Value) -> Answer {
    let answer = service.get_as(key, notification["link"].as_str().expect("a link")).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer
}

#[tokio::test]
async fn a_team_is_notified_once_of_a_listing_of_a_company_that_it_watches() {
    let service = service().await;
    let (key, other) = (service.key(Tier::Free).await, service.key(Tier::Free).await);
    watch(&service, &key, MUSTER).await;
    watch(&service, &other, PROBE).await;
    // The company is also in a watchlist of the team.
    let created = service.post_as(&key, "/v1/watchlists", json!({ "name": "A" })).await;
    let watchlist = created.body["id"].clone();
    let path = format!("/v1/watchlists/{}/companies", watchlist.as_str().expect("an id"));
    let added = service.post_as(&key, &path, json!({ "uids": [MUSTER] })).await;
    assert!(added.status.is_success(), "{added:?}");
    let listed = [(70_001, "entity", "Quendelhof Rohstoffe")];
    service.update(&with(&listed)).await;
    let notifications = service.notifications(&key).await;
    assert_eq!(notifications.len(), 1, "{notifications:?}");
    assert_eq!(notifications[0]["title"], "Quendelhof Rohstoffe AG: 1 possible match");
    assert_eq!(notifications[0]["companyUid"], MUSTER);
    assert_eq!(notifications[0]["watchlistIds"], json!([watchlist]));
    let evidence = evidence(&service, &key, &notifications[0]).await;
    assert_eq!(evidence.body["hits"][0]["id"], "seco:70001");
    assert_eq!(evidence.body["screenedBy"], Value::Null);
    let trigger = json!({
        "reason": "watched_company", "companyUid": MUSTER, "newHits": ["seco:70001"],
    });
    assert_eq!(evidence.body["trigger"], trigger);
    assert_eq!(service.notifications(&other).await, Vec::<Value>::new());
    // The same entry again, and another one.
    service.update(&with(&[listed[0], (70_002, "entity", "Unrelated Holding")])).await;
    assert_eq!(service.notifications(&key).await.len(), 1);
}

#[tokio::test]
async fn a_parent_abroad_of_a_watched_company_notifies() {
    let mut child = company(MUSTER, "Muster AG");
    child.ultimate_parent_lei = "5493001KJTIIGC8Y1R12".parse().ok();
    child.ultimate_parent_name = Some("Quendelhof Rohstoffe Group".to_owned());
    let service = Updated::start().await;
    service.register([child]).await;
    service.update(SECO).await;
    let key = service.key(Tier::Free).await;
    watch(&service, &key, MUSTER).await;
    let listed = [(70_001, "entity", "Quendelhof Rohstoffe Group")];
    service.update(&with(&listed)).await;
    let notified = service.notifications(&key).await;
    assert_eq!(notified.len(), 1, "{notified:?}");
    assert_eq!(notified[0]["title"], "Quendelhof Rohstoffe Group (Muster AG): 1 possible match");
    let body = notified[0]["body"].as_str().expect("a text");
    assert!(body.contains("“Quendelhof Rohstoffe Group”, a parent of “Muster AG”"), "{body}");
    let evidence = evidence(&service, &key, &notified[0]).await;
    let trigger = json!({
        "reason": "parent_of_watched_company", "companyUid": MUSTER, "newHits": ["seco:70001"],
    });
    assert_eq!(evidence.body["trigger"], trigger);
    service.update(&with(&[listed[0], (70_002, "entity", "Unrelated Holding")])).await;
    assert_eq!(service.notifications(&key).await.len(), 1, "the same entry again");
}

#[tokio::test]
async fn an_officer_of_several_watched_companies_is_one_subject() {
    let service = service().await;
    let key = service.key(Tier::Free).await;
    watch(&service, &key, MUSTER).await;
    watch(&service, &key, PROBE).await;
    service.update(&with(&[(70_001, "individual", "Eva Zapletalova")])).await;
    let notifications = service.notifications(&key).await;
    assert_eq!(notifications.len(), 1, "{notifications:?}");
    let title = notifications[0]["title"].as_str().expect("a title");
    assert!(title.starts_with("Eva Zapletalova (") && title.ends_with("1 possible match"));
    let evidence = evidence(&service, &key, &notifications[0]).await;
    assert_eq!(evidence.body["trigger"]["reason"], "officer_of_watched_company");
    assert!(evidence.body["trigger"]["personId"].is_string(), "{evidence:?}");
    // A false positive holds for the next change of another entry, and ends with a material change of this one.
    let path =
        format!("{}/hits/seco:70001/decision", notifications[0]["link"].as_str().expect("a link"));
    let decided = service.put_as(&key, &path, json!({ "verdict": "false_positive" })).await;
    assert_eq!(decided.status, StatusCode::OK, "{decided:?}");
    service.update(SECO).await;
    service.update(&with(&[(70_001, "individual", "Eva Zapletalova")])).await;
    assert_eq!(service.notifications(&key).await.len(), 1, "listed again as before");
    service.update(&with(&[(70_001, "individual", "Eva Zapletalowa")])).await;
    assert_eq!(service.notifications(&key).await.len(), 2);
}

#[tokio::test]
async fn officers_who_have_left_and_companies_that_nobody_watches_any_more_do_not_notify() {
    let service = service().await;
    let (key, other) = (service.key(Tier::Free).await, service.key(Tier::Free).await);
    watch(&service, &key, PROBE).await;
    watch(&service, &other, MUSTER).await;
    let left = format!("{EVA}, Präsidentin des Verwaltungsrates, mit Einzelunterschrift");
    let mutation = Publication::mutation(PROBE, "Zwölfte Probe AG").number(3).on("2024-05-06");
    service.ingest_publications([mutation.persons_left(&left)]).await;
    let path = format!("/v1/watches/{MUSTER}");
    assert_eq!(service.delete_as(&other, &path).await.status, StatusCode::NO_CONTENT);
    let everybody =
        [(70_001, "individual", "Eva Zapletalova"), (70_002, "entity", "Quendelhof Rohstoffe AG")];
    service.update(&with(&everybody)).await;
    assert_eq!(service.notifications(&key).await, Vec::<Value>::new());
    assert_eq!(service.notifications(&other).await, Vec::<Value>::new());
    watch(&service, &other, MUSTER).await;
    let preferences = json!({ "isEnabled": false });
    let set = service.put_as(&other, "/v1/notifications/preferences", preferences).await;
    assert_eq!(set.status, StatusCode::OK, "{set:?}");
    service.update(SECO).await;
    service.update(&with(&everybody)).await;
    assert_eq!(service.notifications(&other).await, Vec::<Value>::new(), "it wants none");
}

#[tokio::test]
async fn a_killed_worker_neither_loses_nor_repeats_the_news_of_a_company() {
    let service = service().await;
    let team = service.team(Tier::Free).await;
    let user = service.member(&team, Role::Owner).await;
    let preferences = json!({ "channel": "Email" });
    service.put_as(&user.token, "/v1/notifications/preferences", preferences).await;
    watch(&service, &user.token, MUSTER).await;
    let both =
        [(70_001, "individual", "Eva Zapletalova"), (70_002, "entity", "Quendelhof Rohstoffe AG")];
    let mut jobs = service.publish(&with(&both)).await;
    let mut kills = 0;
    while let Some(job) = jobs.pop() {
        let id = service.message();
        let run = || service.worker.handle(job.clone(), id.clone(), service.now());
        for polls in (1..60).step_by(4) {
            if !killed_after(polls, run()).await {
                break;
            }
            kills += 1;
            service.pass_seconds(1);
        }
        run().await.expect("done");
        jobs.extend(service.waiting().await);
    }
    assert!(kills > 16, "{kills}");
    assert_eq!(service.notifications(&user.token).await.len(), 2);
    let evidence = service.get_as(&user.token, "/v1/screenings").await;
    assert_eq!(evidence.body.as_array().map(Vec::len), Some(2), "{evidence:?}");
    let nobody = auth::Owner::User("nobody".to_owned());
    let last = MailJob::Send { team, environment: Environment::Live, owner: nobody };
    for job in waiting(&service.cloud.mails_queue, &last).await {
        service.mail_worker().handle(job, service.now()).await.expect("sent");
    }
    assert_eq!(service.mails().len(), 2);
}

#[tokio::test]
async fn a_company_that_cannot_be_read_is_retried_and_does_not_stop_the_others() {
    let service = service().await;
    let key = service.key(Tier::Free).await;
    watch(&service, &key, MUSTER).await;
    watch(&service, &key, PROBE).await;
    let registry = Items::of(&service);
    let company = keys::company(MUSTER.parse().expect("a UID"));
    let whole = registry.damage(&company).await;
    let both =
        [(70_001, "entity", "Zwölfte Probe AG"), (70_002, "entity", "Quendelhof Rohstoffe AG")];
    let jobs = service.publish(&with(&both)).await;
    let failed = service.run_all(jobs).await;
    assert!(matches!(&failed[..], [ListJob::RescreenCompany { .. }]), "{failed:?}");
    let notifications = service.notifications(&key).await;
    assert_eq!(notifications.len(), 1, "{notifications:?}");
    assert_eq!(notifications[0]["companyUid"], PROBE);
    registry.put(whole).await;
    assert_eq!(service.run_all(failed).await, Vec::new());
    assert_eq!(service.notifications(&key).await.len(), 2);
}

#[tokio::test]
async fn a_company_whose_retries_are_lost_is_compared_after_the_next_update() {
    let service = service().await;
    let key = service.key(Tier::Free).await;
    watch(&service, &key, MUSTER).await;
    let registry = Items::of(&service);
    let whole = registry.damage(&keys::company(MUSTER.parse().expect("a UID"))).await;
    let listed = (70_002, "entity", "Quendelhof Rohstoffe AG");
    for other in ["Unrelated Holding", "Unrelated Trading"] {
        let jobs = service.publish(&with(&[listed, (70_003, "entity", other)])).await;
        assert_eq!(service.run_all(jobs).await.len(), 1, "its retries are lost");
    }
    registry.put(whole).await;
    service.update(&with(&[listed])).await;
    assert_eq!(service.notifications(&key).await.len(), 1, "of an entry of two updates before");
    service.update(&with(&[listed, (70_004, "entity", "Unrelated Shipping")])).await;
    assert_eq!(service.notifications(&key).await.len(), 1);
}

#[tokio::test]
async fn an_update_that_stops_halfway_does_not_repeat_its_news() {
    let service = service().await;
    let key = service.key(Tier::Free).await;
    watch(&service, &key, MUSTER).await;
    let first = (70_001, "entity", "Quendelhof Rohstoffe");
    let mut jobs = service.publish(&with(&[first])).await;
    while service.notifications(&key).await.is_empty() {
        let job = jobs.pop().expect("a job that notifies");
        service.worker.handle(job, service.message(), service.now()).await.expect("done");
        jobs.extend(service.waiting().await);
    }
    // The rest of the update is lost, so the next one starts at the same version.
    service.pass_seconds(60);
    let second = (70_002, "entity", "Quendelhof Rohstoffe AG");
    service.update(&with(&[first, second])).await;
    let notifications = service.notifications(&key).await;
    assert_eq!(notifications.len(), 2, "{notifications:?}");
    let evidence = evidence(&service, &key, &notifications[0]).await;
    assert_eq!(evidence.body["trigger"]["newHits"], json!(["seco:70002"]));
    // An entry that is removed and listed again is news.
    service.update(SECO).await;
    service.update(&with(&[first])).await;
    assert_eq!(service.notifications(&key).await.len(), 3);
}

/// The hits of each company with their scores, when all are screened.
async fn all_hits(service: &Service, key: &str, uids: &[String]) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    let answer = service.post_as(key, "/v1/screening/batch", json!({ "uids": uids })).await;
    for result in answer.body["results"].as_array().unwrap_or_else(|| panic!("{answer:?}")) {
        let uid = result["uid"].as_str().expect("a UID");
        let hits = result["hits"].as_array().expect("hits").iter();
        let hits = hits.filter(|it| it["source"] == "seco");
        found.extend(hits.map(|it| (uid.to_owned(), it["id"].as_str().expect("an id").to_owned())));
    }
    found
}

#[tokio::test]
async fn screening_all_companies_and_comparing_the_changed_entries_agree() {
    let service = Updated::start().await;
    let team = service.team(Tier::Starter).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let mut names = invented_names::Names::new(23);
    let (mut uids, mut all, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..40_u32 {
        let uid = domain::Uid::from_number(300_000_000 + number).expect("nine digits").to_string();
        let words = names.person();
        // Most names are on the list, some spelt otherwise, and some not at all.
        let listed = names.perturbed(true, &words).join(" ");
        all.push(tests::company(&uid, &format!("{} Holding AG", words.join(" "))));
        uids.push(uid);
        if number % 4 != 0 {
            entries.push((70_000 + number, "entity", format!("{listed} Holding")));
        }
    }
    service.register(all).await;
    for uid in &uids {
        watch(&service, &key, uid).await;
    }
    let list = |wanted: &dyn Fn(usize) -> bool| {
        let entries = entries.iter().enumerate().filter(|(at, _)| wanted(*at));
        let entries = entries.map(|(_, (id, kind, name))| (*id, *kind, name.as_str()));
        with(&entries.collect::<Vec<_>>())
    };
    service.update(&list(&|it| it % 2 == 0)).await;
    // Another process does not remember an earlier version of the list.
    let before = all_hits(&service.second_process(), &key, &uids).await;
    let notifications: BTreeSet<String> =
        service.notifications(&key).await.iter().map(|it| it["id"].to_string()).collect();
    service.update(&list(&|it| it % 3 != 0)).await;
    let after = all_hits(&service.second_process(), &key, &uids).await;
    let expected: BTreeSet<(String, String)> = after.difference(&before).cloned().collect();
    assert!(expected.len() >= 5, "{expected:?}");
    let mut found = BTreeSet::new();
    let all = service.notifications(&key).await;
    for news in all.iter().filter(|it| !notifications.contains(&it["id"].to_string())) {
        let evidence = evidence(&service, &key, news).await;
        let uid = evidence.body["trigger"]["companyUid"].as_str().expect("a UID").to_owned();
        for hit in evidence.body["trigger"]["newHits"].as_array().expect("ids") {
            found.insert((uid.clone(), hit.as_str().expect("an id").to_owned()));
        }
    }
    assert_eq!(found, expected);
}
