//! Monitored subjects are screened again when a list changes, and their teams are notified once.

use access::{Environment, Role, Scope, Tier};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::lists::List;
use http::StatusCode;
use jobs::{ListJob, MailJob};
use screening::ALGORITHM;
use serde_json::{Value, json};
use store::{keys, table::DOCUMENT};
use tests::workers_by_hand::{killed_after, waiting};

use crate::{
    items::Items,
    list_updates::{ENTRY, NAME, SECO, SUBJECTS, Updated, with_entry},
};

#[tokio::test]
async fn a_team_is_notified_once_of_a_new_listing_of_its_subject() {
    let service = Updated::start().await;
    let (key, other) = (service.key(Tier::Free).await, service.key(Tier::Free).await);
    let monitored = service.monitor(&key, NAME).await;
    assert_eq!(monitored.body["hitCount"], 0);
    service.monitor(&other, "Annemarie Unverdächtig").await;
    service.pass_seconds(60);
    service.update(&with_entry(("Aurelio", "Zapletal"))).await;
    let told = service.told(&key).await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["title"], "Aurelio Zapletal: 1 possible match");
    let evidence = service.get_as(&key, told[0]["link"].as_str().expect("a link")).await;
    assert_eq!(evidence.body["hits"][0]["id"], ENTRY, "{evidence:?}");
    assert_eq!(evidence.body["sourcesChecked"], json!(["seco"]));
    let subject = service.subject(&key).await;
    assert_eq!(subject["id"], monitored.body["subjectId"]);
    assert_eq!((&subject["hitCount"], &subject["name"]), (&json!(1), &json!(NAME)));
    assert_ne!(subject["riskLevel"], "clear");
    assert_eq!(subject["lastScreenedAt"], evidence.body["screenedAt"]);
    assert_eq!(service.told(&other).await, Vec::<Value>::new());
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
async fn after_a_change_of_the_matcher_the_next_update_compares_all_entries() {
    let service = Updated::start().await;
    service.update(SECO).await;
    let [ListJob::RescreenSubjects { before: Some(_), .. }] =
        &service.publish(&with_entry(("Aurelio", "Zapletal"))).await[..]
    else {
        panic!("the same matcher compares what has changed")
    };
    let items = Items::of_tenants(&service);
    let mut last = items.get(&keys::rescreened(List::Seco)).await;
    let document = last[DOCUMENT].as_s().expect("a text").replace(ALGORITHM, "earlier");
    assert!(document.contains("earlier"), "{document}");
    last.insert(DOCUMENT.to_owned(), AttributeValue::S(document));
    items.put(last).await;
    let [ListJob::RescreenSubjects { before: None, .. }] =
        &service.publish(&with_entry(("Beata", "Zapletalova"))).await[..]
    else {
        panic!("another matcher compares all")
    };
}

#[tokio::test]
async fn only_material_changes_notify_again_and_a_removed_entry_ends_the_hit() {
    let service = Updated::start().await;
    let key = service.key(Tier::Free).await;
    service.monitor(&key, NAME).await;
    let listed = with_entry(("Aurelio", "Zapletal"));
    service.update(&listed).await;
    assert_eq!(service.told(&key).await.len(), 1);
    // Another entry, and an entry in something on which no screening depends.
    service.update(&listed.replace("The Ferryman", "The Boatman")).await;
    service.update(&listed.replace("Holds assets of her husband.", "Holds assets.")).await;
    assert_eq!(service.told(&key).await.len(), 1, "nothing that concerns the subject");
    service.update(&listed.replace("Z70000007", "Z80000008")).await;
    assert_eq!(service.told(&key).await.len(), 2, "the entry has another passport");
    service.update(SECO).await;
    assert_eq!(service.told(&key).await.len(), 2);
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
    assert_eq!(service.told(&key).await, Vec::<Value>::new(), "listed again as before");
    service.update(&listed.replace("Z70000007", "Z80000008")).await;
    assert_eq!(service.told(&key).await.len(), 1);
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
    assert_eq!(service.told(&key).await.len(), 1);
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
    assert_eq!(service.told(&key).await, Vec::<Value>::new());
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
    assert_eq!(mails[0].subject, "Aurelio Zapletal: 1 possible match");
    assert!(mails[0].text.contains("A list was updated."), "{}", mails[0].text);
}
