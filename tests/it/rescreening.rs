//! Monitored subjects are screened again when a list changes, and their teams are notified once.

use access::{Environment, Role, Scope, Tier};
use aws_sdk_dynamodb::types::AttributeValue;
use http::StatusCode;
use jobs::MailJob;
use matching::ALGORITHM;
use publications::Publication;
use serde_json::{Value, json};
use store::{
    keys::{self, Key},
    table::DOCUMENT,
};
use tests::{
    operator,
    workers_by_hand::{killed_after, waiting},
};

use crate::{
    items::Items,
    list_updates::{ENTRY, NAME, SECO, SUBJECTS, Updated, with_entry, with_targets},
};

const WATCHED: &str = "CHE-600.000.012";

#[tokio::test]
async fn a_team_is_notified_once_of_a_new_listing_of_its_subject() {
    let service = Updated::start().await;
    let (key, other) = (service.key(Tier::Free).await, service.key(Tier::Free).await);
    let monitored = service.monitor(&key, NAME).await;
    assert_eq!(monitored.body["hitCount"], 0);
    service.monitor(&other, "Annemarie Unverdächtig").await;
    service.pass_seconds(60);
    service.update(&with_entry(("Aurelio", "Zapletal"))).await;
    let notifications = service.notifications(&key).await;
    assert_eq!(notifications.len(), 1, "{notifications:?}");
    assert_eq!(notifications[0]["title"], "Aurelio Zapletal: 1 possible match");
    let evidence = service.get_as(&key, notifications[0]["link"].as_str().expect("a link")).await;
    assert_eq!(evidence.body["hits"][0]["id"], ENTRY, "{evidence:?}");
    assert_eq!(evidence.body["sourcesChecked"], json!(["seco"]));
    let subject = service.subject(&key).await;
    assert_eq!(subject["id"], monitored.body["subjectId"]);
    assert_eq!((&subject["hitCount"], &subject["name"]), (&json!(1), &json!(NAME)));
    assert_ne!(subject["riskLevel"], "clear");
    assert_eq!(subject["lastScreenedAt"], evidence.body["screenedAt"]);
    assert_eq!(service.notifications(&other).await, Vec::<Value>::new());
    let other = service.subject(&other).await;
    assert_eq!(other["riskLevel"], "clear");
    // Also of a subject that the update does not concern, it is known with which version it was compared.
    let of_seco = |subject: &Value| {
        let screenings = subject["screenings"].as_array().expect("screenings").iter();
        screenings.filter(|it| it["list"] == "seco").cloned().collect::<Vec<Value>>()
    };
    let [of_seco] = &of_seco(&other)[..] else { panic!("{other}") };
    assert_eq!(of_seco["version"], evidence.body["lists"][0]["version"]);
    assert_eq!(of_seco["comparedAt"], other["lastScreenedAt"]);
}

#[tokio::test]
async fn evidence_of_an_update_is_kept_as_long_as_that_of_a_request() {
    let service = Updated::start().await;
    let (free, starter) = (service.key(Tier::Free).await, service.key(Tier::Starter).await);
    for key in [&free, &starter] {
        service.monitor(key, NAME).await;
    }
    service.pass_seconds(60);
    service.update(&with_entry(("Aurelio", "Zapletal"))).await;
    let mut stored = Vec::new();
    for key in [&free, &starter] {
        let notifications = service.notifications(key).await;
        stored.push((key, notifications[0]["link"].as_str().expect("a link").to_owned()));
    }
    for (seconds, statuses) in [(30 * 86_400 - 60, [200, 200]), (60, [404, 200])] {
        service.pass_seconds(seconds);
        for ((key, link), status) in stored.iter().zip(statuses) {
            assert_eq!(service.get_as(key, link).await.status.as_u16(), status, "{link}");
        }
    }
}

/// What is stored of the last screenings says that an earlier matcher has compared the subjects.
#[tokio::test]
async fn after_a_change_of_the_matcher_subjects_are_compared_with_all_entries() {
    let listed = |others: &[(u32, &str, &str)]| {
        let listed = [(70_001, "individual", NAME), (70_009, "entity", "Quendelhof Rohstoffe")];
        with_targets(&[&listed, others].concat())
    };
    let service = Updated::start().await;
    service.update(&listed(&[])).await;
    let items = Items::of_tenants(&service);
    let monitoring = async || {
        let team = service.team(Tier::Professional).await;
        let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
        let monitored = service.monitor(&key, NAME).await;
        let subject = monitored.body["subjectId"].as_str().expect("an id").parse().expect("an id");
        (key, keys::last_screenings(&operator(team), subject))
    };
    let by_earlier_matcher = async |last: &Key, has_found: bool| {
        let mut item = items.get(last).await;
        let document = item[DOCUMENT].as_s().expect("a text");
        let mut document: Value = serde_json::from_str(document).expect("JSON");
        let of_seco = &mut document["seco"]["last"];
        assert_eq!(of_seco["algorithm"], ALGORITHM, "{of_seco}");
        assert_eq!(of_seco["hits"].as_array().map(Vec::len), Some(1));
        of_seco["algorithm"] = json!("earlier");
        if !has_found {
            of_seco["hits"] = json!([]);
        }
        item.insert(DOCUMENT.to_owned(), AttributeValue::S(document.to_string()));
        items.put(item).await;
    };
    let ((key, last), (its_key, its_last)) = (monitoring().await, monitoring().await);
    // A watched company is compared with the changed entries only: its team knows the others.
    let company = Publication::registration(WATCHED, "Quendelhof Rohstoffe AG").number(1);
    service.ingest_publications([company.on("2020-01-06")]).await;
    let watch = json!({ "companyUid": WATCHED });
    assert!(service.post_as(&its_key, "/v1/watches", watch).await.status.is_success());
    by_earlier_matcher(&last, false).await;
    by_earlier_matcher(&its_last, true).await;
    service.pass_seconds(60);
    service.update(&listed(&[(70_002, "individual", "Ottokar Unbeteiligt")])).await;
    let notifications = service.notifications(&key).await;
    assert_eq!(notifications.len(), 1, "{notifications:?}");
    assert_eq!(notifications[0]["title"], "Aurelio Zapletal: 1 possible match");
    assert_eq!(service.notifications(&its_key).await, Vec::<Value>::new(), "that hit was known");
    // Once: now this matcher has compared them.
    service.pass_seconds(60);
    service.update(&listed(&[(70_003, "individual", "Isolde Unbeteiligt")])).await;
    assert_eq!(service.notifications(&key).await.len(), 1);
    // What the earlier matcher has found ends with its entry.
    by_earlier_matcher(&its_last, true).await;
    service.pass_seconds(60);
    service.update(SECO).await;
    let ended = service.subject(&its_key).await;
    assert_eq!((&ended["hitCount"], &ended["riskLevel"]), (&json!(0), &json!("clear")), "{ended}");
}

#[tokio::test]
async fn only_material_changes_notify_again_and_a_removed_entry_ends_the_hit() {
    let service = Updated::start().await;
    let key = service.key(Tier::Free).await;
    service.monitor(&key, NAME).await;
    let listed = with_entry(("Aurelio", "Zapletal"));
    service.update(&listed).await;
    assert_eq!(service.notifications(&key).await.len(), 1);
    // Another entry, and an entry in something on which no screening depends.
    service.update(&listed.replace("The Ferryman", "The Boatman")).await;
    service.update(&listed.replace("Holds assets of her husband.", "Holds assets.")).await;
    assert_eq!(service.notifications(&key).await.len(), 1, "nothing that concerns the subject");
    service.update(&listed.replace("Z70000007", "Z80000008")).await;
    assert_eq!(service.notifications(&key).await.len(), 2, "the entry has another passport");
    service.update(SECO).await;
    assert_eq!(service.notifications(&key).await.len(), 2);
    let subject = service.subject(&key).await;
    assert_eq!((&subject["hitCount"], &subject["riskLevel"]), (&json!(0), &json!("clear")));
}

#[tokio::test]
async fn a_false_positive_notifies_again_only_after_its_entry_has_changed() {
    let service = Updated::start().await;
    let key = service.key(Tier::Free).await;
    let listed = with_entry(("Aurelio", "Zapletal"));
    // Another team's screening of the list with the entry does not matter.
    service.update(&listed).await;
    let monitored = service.monitor(&key, NAME).await;
    assert_eq!(monitored.body["hits"][0]["id"], ENTRY, "{monitored:?}");
    let path = |id: &Value| {
        format!("/v1/screenings/{}/hits/{ENTRY}/decision", id.as_str().expect("an id"))
    };
    let verdict = json!({ "verdict": "false_positive" });
    let decided = service.put_as(&key, &path(&monitored.body["id"]), verdict).await;
    assert_eq!(decided.status, StatusCode::OK, "{decided:?}");
    assert_eq!(service.subject(&key).await["riskLevel"], "clear");
    service.update(SECO).await;
    service.update(&listed).await;
    assert_eq!(service.notifications(&key).await, Vec::<Value>::new(), "listed again as before");
    service.update(&listed.replace("Z70000007", "Z80000008")).await;
    assert_eq!(service.notifications(&key).await.len(), 1);
}

#[tokio::test]
async fn a_killed_worker_neither_loses_nor_repeats_a_notification() {
    let service = Updated::start().await;
    let key = service.key(Tier::Free).await;
    service.monitor(&key, NAME).await;
    let mut jobs = service.publish(&with_entry(("Aurelio", "Zapletal"))).await;
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
    assert_eq!(service.notifications(&key).await.len(), 1);
    let evidence = service.get_as(&key, "/v1/screenings").await;
    assert_eq!(evidence.body.as_array().map(Vec::len), Some(2), "{evidence:?}");
}

#[tokio::test]
async fn a_subject_is_monitored_once_and_no_longer_after_it_was_deleted() {
    let service = Updated::start().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let reader = service.key_of(&team, Environment::Live, &[Scope::Read]).await;
    let body = json!({ "name": NAME, "monitor": true });
    let refused = service.post_as(&reader, "/v1/screening", body).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{refused:?}");
    let id = service.monitor(&key, NAME).await.body["subjectId"].clone();
    assert_eq!(service.monitor(&key, "aurelio  ZAPLETAL").await.body["subjectId"], id);
    let second = service.monitor(&key, "Radim Neznamov").await.body["subjectId"].clone();
    let page = service.get_as(&key, &format!("{SUBJECTS}?limit=1")).await;
    assert_eq!(page.body[0]["id"], second);
    let next = format!("{SUBJECTS}?limit=1&before={}", second.as_str().expect("an id"));
    assert_eq!(service.get_as(&key, &next).await.body[0]["id"], id);
    let path = format!("{SUBJECTS}/{}", id.as_str().expect("an id"));
    assert_eq!(service.delete_as(&key, &path).await.status, StatusCode::NO_CONTENT);
    assert_eq!(service.delete_as(&key, &path).await.status, StatusCode::NOT_FOUND);
    service.update(&with_entry(("Aurelio", "Zapletal"))).await;
    assert_eq!(service.notifications(&key).await, Vec::<Value>::new());
    assert_eq!(service.get_as(&key, SUBJECTS).await.body.as_array().map(Vec::len), Some(1));
    assert_ne!(service.monitor(&key, NAME).await.body["subjectId"], id);
}

#[tokio::test]
async fn a_user_who_monitors_a_subject_gets_one_mail() {
    let service = Updated::start().await;
    let team = service.team(Tier::Free).await;
    let user = service.member(&team, Role::Owner).await;
    let preferences = json!({ "channel": "Email" });
    let set = service.put_as(&user.token, "/v1/notifications/preferences", preferences).await;
    assert_eq!(set.status, StatusCode::OK, "{set:?}");
    service.monitor(&user.token, NAME).await;
    service.update(&with_entry(("Aurelio", "Zapletal"))).await;
    let nobody = auth::Owner::User("nobody".to_owned());
    let last = MailJob::Send { team, environment: Environment::Live, owner: nobody };
    for job in waiting(&service.cloud.mails_queue, &last).await {
        service.mail_worker().handle(job, service.now()).await.expect("sent");
    }
    let mails = service.mails();
    assert_eq!(mails.len(), 1, "{mails:?}");
    // A text of a customer does not stand in a subject.
    assert_eq!(mails[0].subject, "1 possible match");
    assert!(mails[0].text.contains("Aurelio Zapletal: 1 possible match"), "{}", mails[0].text);
    assert!(mails[0].text.contains("A list was updated."), "{}", mails[0].text);
}
