//! Users and teams are erased.

use access::{Environment, Role, Scope, Tier};
use auth::TeamId;
use http::StatusCode;
use jobs::{DossierJob, ExportJob, MailJob, ScheduleJob, SearchJob, WebhookJob};
use local::erasures;
use serde_json::{Value, json};
use store::erasures::PLACEHOLDER;
use tests::{
    Service, SignedInMember, company, link_token, operator, workers_by_hand::killed_after,
};

use crate::items::{Item, Items};

const USER: &str = "/v1/auth/me";
const TEAM: &str = "/v1/teams/me";
const COMPANY: &str = "CHE-107.787.577";
const NOTES: &str = "/v1/companies/CHE-107.787.577/notes";

/// A service with one company, a team, an owner and a member.
async fn start() -> (Service, TeamId, SignedInMember, SignedInMember) {
    let service = Service::with([company(COMPANY, "Muster AG")]).await;
    let team = service.team(Tier::Professional).await;
    let owner = service.member(&team, Role::Owner).await;
    let member = service.member(&team, Role::Member).await;
    (service, team, owner, member)
}

async fn note(service: &Service, token: &str, content: &str, is_private: bool) -> String {
    let note = json!({ "content": content, "isPrivate": is_private });
    let created = service.post_as(token, NOTES, note).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.text);
    created.body["id"].as_str().expect("an id").to_owned()
}

/// Another process, which has nothing in its cache.
async fn status(service: &Service, token: &str, path: &str) -> StatusCode {
    service.second_process().get_as(token, path).await.status
}

#[tokio::test]
async fn an_erased_user_is_signed_out_and_unknown_and_can_sign_up_again() {
    let (service, _, owner, member) = start().await;
    let deleted = service.delete_as(&member.token, USER).await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{}", deleted.text);
    assert_eq!(status(&service, &member.token, USER).await, StatusCode::UNAUTHORIZED);
    let members = service.get_as(&owner.token, "/v1/teams/me/members").await.body;
    assert_eq!(members.as_array().expect("a list").len(), 1, "{members}");
    let path = format!("/v1/teams/me/members/{}", member.id);
    assert_eq!(service.delete_as(&owner.token, &path).await.status, StatusCode::NOT_FOUND);
    service.erase().await;
    let request =
        http::Request::post("/v1/auth/magic-link").header("content-type", "application/json");
    let sent = service.send_with(request, json!({ "email": member.email }).to_string()).await;
    assert!(sent.status.is_success(), "{}", sent.text);
    let token = link_token(&service.mails()[0]);
    let request = http::Request::post("/v1/auth/magic-link/verify")
        .header("content-type", "application/json");
    let signed_in = service.send_with(request, json!({ "token": token }).to_string()).await;
    assert_eq!(signed_in.status, StatusCode::OK, "{}", signed_in.text);
    assert_ne!(signed_in.body["user"]["id"], json!(member.id));
    // The next search leaves the new user alone.
    service
        .delete_as(&service.member(&service.team(Tier::Free).await, Role::Member).await.token, USER)
        .await;
    service.erase().await;
    let new = signed_in.body["user"]["id"].as_str().expect("an id");
    let user = service.cloud.tenants.user(new).await.expect("read").expect("a user");
    assert_eq!(user.email.as_str(), member.email);
}

#[tokio::test]
async fn what_an_erased_user_has_created_for_a_team_stays_without_the_author() {
    let (service, team, owner, member) = start().await;
    let shared = note(&service, &member.token, "Call back in May.", false).await;
    note(&service, &member.token, "Between us.", true).await;
    service.delete_as(&member.token, USER).await;
    service.erase().await;
    let owner = service.session_of(&team, &owner.id).await;
    let notes = service.get_as(&owner, NOTES).await.body;
    let notes = notes["items"].as_array().or(notes.as_array()).expect("a list").clone();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert_eq!(notes[0]["id"], json!(shared));
    assert_eq!(notes[0]["createdBy"]["id"], PLACEHOLDER);
}

#[tokio::test]
async fn the_last_owner_is_told_which_teams_need_one() {
    let (service, team, owner, member) = start().await;
    let refused = service.delete_as(&owner.token, "/v1/auth/me?deleteTeams=true").await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text);
    assert!(refused.detail().contains(&team.0), "{}", refused.text);
    assert!(refused.detail().contains("last owner"), "{}", refused.text);
    let path = format!("/v1/teams/me/members/{}", member.id);
    service.put_as(&owner.token, &path, json!({ "role": "owner" })).await;
    assert_eq!(service.delete_as(&owner.token, USER).await.status, StatusCode::NO_CONTENT);
    let members = service.get_as(&member.token, "/v1/teams/me/members").await.body;
    assert_eq!(members.as_array().expect("a list").len(), 1);
}

#[tokio::test]
async fn a_team_without_other_members_is_deleted_with_its_user_if_the_request_says_so() {
    let service = Service::start().await;
    let team = service.team(Tier::Professional).await;
    let owner = service.member(&team, Role::Owner).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let refused = service.delete_as(&owner.token, USER).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text);
    assert!(refused.detail().contains("deleteTeams=true"), "{}", refused.text);
    assert_eq!(status(&service, &key, TEAM).await, StatusCode::OK);
    let deleted = service.delete_as(&owner.token, "/v1/auth/me?deleteTeams=true").await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{}", deleted.text);
    assert_eq!(status(&service, &key, TEAM).await, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_user_of_as_many_teams_as_possible_leaves_all_of_them() {
    let (service, _, _, member) = start().await;
    for number in 1..store::MAX_TEAMS {
        if number % 2 == 0 {
            let created = service.post_as(&member.token, "/v1/teams", json!({})).await;
            assert_eq!(created.status, StatusCode::CREATED, "{}", created.text);
            continue;
        }
        let team = service.team(Tier::Free).await;
        service.member(&team, Role::Owner).await;
        let (tenants, now) = (&service.cloud.tenants, service.now());
        let added = local::teams::add_member(tenants, &team, &member.id, Role::Owner, now).await;
        added.expect("a member");
    }
    let deleted = service.delete_as(&member.token, "/v1/auth/me?deleteTeams=true").await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{}", deleted.text);
    service.erase().await;
    assert_eq!(service.cloud.tenants.teams_of(&member.id).await.expect("read"), []);
}

#[tokio::test]
async fn of_owners_who_delete_themselves_at_once_one_stays() {
    let (service, team, owner, _) = start().await;
    let second = service.member(&team, Role::Owner).await;
    let (first, second) =
        tokio::join!(service.delete_as(&owner.token, USER), service.delete_as(&second.token, USER));
    let mut statuses = [first.status.as_u16(), second.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 409]);
}

#[tokio::test]
async fn keys_sessions_and_invitations_of_an_erased_team_end_at_once() {
    let (service, team, owner, member) = start().await;
    let live = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let test = service.key_of(&team, Environment::Test, &Scope::ALL).await;
    let guest = service.member(&service.team(Tier::Free).await, Role::Member).await;
    let invited =
        service.post_as(&live, "/v1/teams/me/members", json!({ "email": guest.email })).await;
    assert!(invited.status.is_success(), "{}", invited.text);
    let text = &service.mails()[0].text;
    let token = text.split("token=").nth(1).expect("a link").split_whitespace().next();
    let refused = service.delete_as(&member.token, TEAM).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "only an owner");
    let deleted = service.delete_as(&owner.token, TEAM).await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{}", deleted.text);
    // Before the scheduler has deleted anything.
    for token in [&live, &test, &owner.token, &member.token] {
        assert_eq!(status(&service, token, TEAM).await, StatusCode::UNAUTHORIZED);
    }
    let joined = service.post_as(&guest.token, "/v1/teams/join", json!({ "token": token })).await;
    assert_eq!(joined.status, StatusCode::NOT_FOUND, "{}", joined.text);
    assert_eq!(service.cloud.tenants.teams_of(&owner.id).await.expect("read"), []);
    service.erase().await;
    assert_eq!(service.cloud.tenants.team(&team, service.now()).await.expect("read"), None);
}

#[tokio::test]
async fn a_team_whose_subscription_goes_on_is_not_deleted() {
    let (service, team, owner, _) = start().await;
    let pay = async |id: &str| {
        let event = service.stripe.subscription_event(id, "customer.subscription.updated", "sub_1");
        let request = http::Request::post("/v1/webhooks/stripe")
            .header("content-type", "application/json")
            .header("stripe-signature", emulators::stripe::sign(&event, service.now()));
        let answer = service.send_with(request, event).await;
        assert!(answer.status.is_success(), "{}", answer.text);
        answer.body["handled"].clone()
    };
    service.stripe.put_subscription("sub_1", &team.0, "price_starter", "active");
    assert_eq!(pay("evt_1").await, json!(true));
    let refused = service.delete_as(&owner.token, TEAM).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text);
    assert!(refused.detail().contains("cancel it"), "{}", refused.text);
    service.stripe.change_subscription("sub_1", "cancel_at", json!(1_797_000_000));
    assert_eq!(pay("evt_2").await, json!(true));
    assert_eq!(service.delete_as(&owner.token, TEAM).await.status, StatusCode::NO_CONTENT);
    // What the provider reports later changes nothing.
    service.stripe.change_subscription("sub_1", "status", json!("canceled"));
    assert_eq!(pay("evt_3").await, json!(false));
}

#[tokio::test]
async fn evidence_stays_for_a_legal_duty_that_the_request_names() {
    let (service, team, owner, _) = start().await;
    service.publish_lists().await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let screened = service.post_as(&key, "/v1/screening", json!({ "name": "Eva Muster" })).await;
    let id = screened.body["id"].as_str().expect("an id").parse().expect("a UUID");
    let path = "/v1/teams/me?keepEvidenceFor=Art.+7+AMLA";
    assert_eq!(service.delete_as(&owner.token, path).await.status, StatusCode::NO_CONTENT);
    service.erase().await;
    let tenants = &service.cloud.tenants;
    let kept = tenants.screening(&operator(team.clone()), id, service.now()).await.expect("read");
    assert!(kept.is_some());
    let duty = tenants.evidence_kept_for(&team).await.expect("read");
    assert_eq!(duty.as_deref(), Some("Art. 7 AMLA"));
}

#[tokio::test]
async fn what_a_removed_member_had_for_herself_is_deleted() {
    let (service, team, owner, member) = start().await;
    note(&service, &member.token, "Between us.", true).await;
    let shared = note(&service, &member.token, "For all.", false).await;
    service.put_as(&member.token, "/v1/settings/preferences", json!({ "theme": "dark" })).await;
    let preferences = json!({ "channel": "Email", "emailAddress": "private@example.ch" });
    let stored = service.put_as(&member.token, "/v1/notifications/preferences", preferences).await;
    assert!(stored.status.is_success(), "{}", stored.text);
    let path = format!("/v1/teams/me/members/{}", member.id);
    assert_eq!(service.delete_as(&owner.token, &path).await.status, StatusCode::NO_CONTENT);
    service.erase().await;
    let items = Items::of_tenants(&service).all().await;
    for item in &items {
        let text = format!("{item:?}");
        for gone in ["Between us.", "dark", "private@example.ch"] {
            assert!(!text.contains(gone), "{gone} in {text}");
        }
    }
    let notes: Vec<teams::Note> =
        service.cloud.tenants.resources(&operator(team), "").await.expect("read");
    assert_eq!(notes.iter().map(|it| &it.id).collect::<Vec<_>>(), [&shared]);
    assert_eq!(service.cloud.tenants.erasures().await.expect("read"), []);
}

#[tokio::test]
async fn a_member_who_has_returned_keeps_the_new_settings() {
    let (service, team, owner, member) = start().await;
    note(&service, &member.token, "Before.", true).await;
    let path = format!("/v1/teams/me/members/{}", member.id);
    service.delete_as(&owner.token, &path).await;
    service.pass_seconds(60);
    let now = service.now();
    let again =
        local::teams::add_member(&service.cloud.tenants, &team, &member.id, Role::Member, now);
    again.await.expect("a member");
    let token = service.session_of(&team, &member.id).await;
    service.put_as(&token, "/v1/settings/preferences", json!({ "theme": "light" })).await;
    note(&service, &token, "After.", true).await;
    service.erase().await;
    let token = service.session_of(&team, &member.id).await;
    let settings = service.get_as(&token, "/v1/settings/preferences").await.body;
    assert!(settings.to_string().contains("light"), "{settings}");
    let notes: Vec<teams::Note> =
        service.cloud.tenants.resources(&operator(team), "").await.expect("read");
    assert_eq!(notes.iter().map(|it| it.content.as_str()).collect::<Vec<_>>(), ["After."]);
}

#[tokio::test]
async fn an_erasure_that_is_killed_at_any_step_is_completed_by_the_next_runs() {
    let (service, team, owner, _) = start().await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let list = service.post_as(&key, "/v1/watchlists", json!({ "name": "Suppliers" })).await;
    let path = format!("/v1/watchlists/{}/companies", list.body["id"].as_str().expect("an id"));
    service.post_as(&key, &path, json!({ "uids": [COMPANY] })).await;
    service.delete_as(&owner.token, TEAM).await;
    let mut polls = 1;
    for seconds in [0, 86_400] {
        service.pass_seconds(seconds);
        loop {
            let worker = service.scheduler();
            let run = worker.handle(ScheduleJob::Erase, service.now());
            if !killed_after(polls, run).await {
                break;
            }
            polls += 7;
        }
    }
    let items = Items::of_tenants(&service).all().await;
    let left: Vec<String> =
        items.iter().map(|it| format!("{it:?}")).filter(|it| it.contains(&team.0)).collect();
    assert_eq!(left, Vec::<String>::new());
}

#[tokio::test]
async fn a_job_about_an_erased_team_does_nothing() {
    let (service, team, owner, _) = start().await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let search = json!({ "name": "All", "searchParams": {}, "isScheduled": true });
    let search = service.post_as(&key, "/v1/saved-searches", search).await.body["id"].clone();
    let webhook = json!({ "url": "http://127.0.0.1:9/hook" });
    let webhook =
        service.post_as(&key, "/v1/webhooks", webhook).await.body["webhook"]["id"].clone();
    let dossier = json!({ "uid": COMPANY, "level": "summary" });
    let dossier = service.post_as(&key, "/v1/dossiers", dossier).await.body["id"].clone();
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    assert_eq!(service.delete_as(&owner.token, TEAM).await.status, StatusCode::NO_CONTENT);
    let before = Items::of_tenants(&service).all().await;
    let (now, environment) =
        (service.now() + jiff::SignedDuration::from_hours(25), Environment::Live);
    let search = teams::StoredSearch { kind: teams::SearchKind::SavedSearch, id: text(&search) };
    let run = SearchJob::Run { team: team.clone(), environment, search, period: now };
    service.search_worker().handle(run, now).await.expect("nothing to do");
    let owner_of_mails = auth::Owner::ApiKeys;
    let mails = MailJob::Send { team: team.clone(), environment, owner: owner_of_mails };
    service.mail_worker().handle(mails, now).await.expect("nothing to do");
    let webhook = text(&webhook);
    let deliver = WebhookJob::Deliver { team: team.clone(), environment, webhook };
    service.webhook_worker().handle(deliver, now).await.expect("nothing to do");
    let write = DossierJob::Write { team: team.clone(), environment, dossier: text(&dossier) };
    service.dossier_worker().handle(write, now).await.expect("nothing to do");
    let export = uuid::Uuid::now_v7().to_string();
    let export = ExportJob::Run { team, environment, export, again: None };
    service.export_worker().handle(export, now).await.expect("nothing to do");
    assert_eq!(Items::of_tenants(&service).all().await, before);
    assert_eq!(service.mails().len(), 0);
}

#[tokio::test]
async fn a_restored_backup_is_erased_again() {
    let (service, team, owner, member) = start().await;
    note(&service, &member.token, "Call back in May.", false).await;
    let items = Items::of_tenants(&service);
    let backup = items.all().await;
    let other = service.team(Tier::Free).await;
    let user = service.member(&other, Role::Member).await;
    assert_eq!(service.delete_as(&member.token, USER).await.status, StatusCode::NO_CONTENT);
    assert_eq!(service.delete_as(&owner.token, TEAM).await.status, StatusCode::NO_CONTENT);
    service.erase().await;
    for item in backup {
        items.put(item).await;
    }
    let (tenants, objects) = (&service.cloud.tenants, &service.cloud.objects);
    // The team, the user, and the user's address.
    assert_eq!(erasures::apply(tenants, objects, service.now()).await.expect("applied"), 3);
    assert_eq!(
        mentioning(&service, &[&team.0, &member.id, &member.email]).await,
        Vec::<String>::new()
    );
    assert!(tenants.user(&user.id).await.expect("read").is_some());
    assert_eq!(erasures::apply(tenants, objects, service.now()).await.expect("applied"), 0);
    // The scheduler searches once more for what processes have written meanwhile.
    assert_eq!(tenants.erasures().await.expect("read").len(), 3);
    service.erase().await;
    assert_eq!(tenants.erasures().await.expect("read"), []);
}

/// The items that mention one of these values, without those of erasures that are not finished.
async fn mentioning(service: &Service, values: &[&str]) -> Vec<String> {
    let items = Items::of_tenants(service).all().await;
    let items = items.iter().filter(|it| it["pk"].as_s().is_ok_and(|it| it != "ERASING"));
    let texts = items.map(|it| format!("{it:?}"));
    texts.filter(|it| values.iter().any(|value| it.contains(value))).collect()
}

/// Stores all of these items again, as a restored backup does. The list of erasures stays: `.ci/restore.py`.
async fn restore(service: &Service, backup: &[Item]) {
    let items = Items::of_tenants(service);
    for item in backup {
        let partition = item["pk"].as_s().expect("a text");
        if !partition.starts_with("ERAS") {
            items.put(item.clone()).await;
        }
    }
}

#[tokio::test]
async fn a_backup_from_between_request_and_search_is_erased_again() {
    let (service, team, owner, member) = start().await;
    note(&service, &member.token, "Call back in May.", false).await;
    service.put_as(&member.token, "/v1/settings/preferences", json!({ "theme": "dark" })).await;
    for token in [&member.token, &owner.token] {
        let path = if token == &owner.token { TEAM } else { USER };
        assert_eq!(service.delete_as(token, path).await.status, StatusCode::NO_CONTENT);
    }
    // Neither user nor membership are in it.
    let backup = Items::of_tenants(&service).all().await;
    service.erase().await;
    restore(&service, &backup).await;
    assert_ne!(mentioning(&service, &[&team.0, &member.id]).await, Vec::<String>::new());
    let (tenants, objects) = (&service.cloud.tenants, &service.cloud.objects);
    assert_ne!(erasures::apply(tenants, objects, service.now()).await.expect("applied"), 0);
    assert_eq!(
        mentioning(&service, &[&team.0, &member.id, &member.email]).await,
        Vec::<String>::new()
    );
}

#[tokio::test]
async fn a_member_whom_a_backup_brings_back_does_not_count() {
    let (service, team, owner, member) = start().await;
    let backup = Items::of_tenants(&service).all().await;
    assert_eq!(service.delete_as(&member.token, USER).await.status, StatusCode::NO_CONTENT);
    service.erase().await;
    restore(&service, &backup).await;
    let (tenants, objects) = (&service.cloud.tenants, &service.cloud.objects);
    erasures::apply(tenants, objects, service.now()).await.expect("applied");
    let owner = service.session_of(&team, &owner.id).await;
    // The only member can delete the team with the user.
    let deleted = service.delete_as(&owner, "/v1/auth/me?deleteTeams=true").await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{}", deleted.text);
}

#[tokio::test]
async fn a_killed_command_after_a_restore_is_continued_by_the_scheduler() {
    let (service, team, owner, member) = start().await;
    note(&service, &member.token, "Call back in May.", false).await;
    let backup = Items::of_tenants(&service).all().await;
    assert_eq!(service.delete_as(&member.token, USER).await.status, StatusCode::NO_CONTENT);
    assert_eq!(service.delete_as(&owner.token, TEAM).await.status, StatusCode::NO_CONTENT);
    service.erase().await;
    let (tenants, objects) = (&service.cloud.tenants, &service.cloud.objects);
    let mut interrupted = 0;
    for polls in [4, 8, 12, 16, 24, 40] {
        restore(&service, &backup).await;
        if killed_after(polls, erasures::apply(tenants, objects, service.now())).await {
            interrupted += 1;
        }
        if tenants.erasures().await.expect("read").len() < 3 {
            // Killed before it has found everything: the operator starts it again.
            erasures::apply(tenants, objects, service.now()).await.expect("applied");
        }
        service.erase().await;
        assert_eq!(
            mentioning(&service, &[&team.0, &member.id, &member.email]).await,
            Vec::<String>::new()
        );
        assert_eq!(tenants.erasures().await.expect("read"), []);
    }
    assert!(interrupted > 1);
}

#[tokio::test]
async fn an_item_that_cannot_be_erased_stops_no_other_erasure() {
    let (service, _, _, member) = start().await;
    let other = service.member(&service.team(Tier::Free).await, Role::Member).await;
    let items = Items::of_tenants(&service);
    let put = async |partition: &str, sort: &str, document: &str| {
        let text = |it: &str| aws_sdk_dynamodb::types::AttributeValue::S(it.to_owned());
        let item = [("pk", partition), ("sk", sort), ("document", document)];
        items.put(item.map(|(name, it)| (name.to_owned(), text(it))).into()).await;
    };
    for user in [&member, &other] {
        let deleted = service.delete_as(&user.token, USER).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{}", deleted.text);
    }
    // Nobody knows from when this link is, and whose erasure that is.
    let link = json!({ "email": member.email }).to_string();
    put("MAGIC-LINK#x", "MAGIC-LINK", &link).await;
    put("ERASING", "ERASURE#user#x", "?").await;
    service.erase().await;
    let left = service.cloud.tenants.erasures().await.expect("read");
    let [left] = &left[..] else { panic!("{left:?}") };
    assert!(format!("{:?}", left.erased).contains(&member.id), "{left:?}");
    let failed = left.failed.as_ref().expect("kept for the operator");
    assert_eq!((failed.items, failed.first.0.as_str()), (1, "MAGIC-LINK#x"));
    assert_eq!(mentioning(&service, &[&other.id, &other.email]).await, Vec::<String>::new());
    // The operator deletes it, and the next search succeeds.
    let (partition, sort) = ("MAGIC-LINK#x".to_owned(), "MAGIC-LINK".to_owned());
    items.delete(&store::keys::Key { partition, sort }).await;
    service.erase().await;
    assert_eq!(service.cloud.tenants.erasures().await.expect("read"), []);
    assert_eq!(mentioning(&service, &[&member.id, &member.email]).await, Vec::<String>::new());
}

#[tokio::test]
async fn nobody_acts_as_an_erased_user_whom_a_backup_has_brought_back() {
    let (service, team, _, member) = start().await;
    let second = service.member(&team, Role::Owner).await;
    let name = json!({ "name": "Mine", "scopes": ["read"] });
    let created = service.post_as(&second.token, "/v1/api-keys", name).await;
    let key = created.body["rawKey"].as_str().or(created.body["key"].as_str());
    let key = key.unwrap_or_else(|| panic!("{}", created.text)).to_owned();
    assert_eq!(status(&service, &key, TEAM).await, StatusCode::OK);
    let request =
        http::Request::post("/v1/auth/magic-link").header("content-type", "application/json");
    let sent = service.send_with(request, json!({ "email": member.email }).to_string()).await;
    assert!(sent.status.is_success(), "{}", sent.text);
    let link = link_token(&service.mails()[0]);
    let backup = Items::of_tenants(&service).all().await;
    for user in [&member, &second] {
        assert_eq!(service.delete_as(&user.token, USER).await.status, StatusCode::NO_CONTENT);
    }
    restore(&service, &backup).await;
    for token in [&member.token, &second.token, &key] {
        assert_eq!(status(&service, token, TEAM).await, StatusCode::UNAUTHORIZED);
    }
    let request = http::Request::post("/v1/auth/magic-link/verify")
        .header("content-type", "application/json");
    let signed_in = service.send_with(request, json!({ "token": link }).to_string()).await;
    assert_eq!(signed_in.status, StatusCode::UNAUTHORIZED, "{}", signed_in.text);
}

#[tokio::test]
async fn a_user_can_be_erased_by_address_again() {
    let (service, _, owner, member) = start().await;
    let path = format!("/v1/teams/me/members/{}", member.id);
    service.put_as(&owner.token, &path, json!({ "role": "admin" })).await;
    let (tenants, objects) = (&service.cloud.tenants, &service.cloud.objects);
    let erase =
        || erasures::erase_user(tenants, objects, &member.email, false, None, service.now());
    assert!(killed_after(12, erase()).await);
    assert_ne!(mentioning(&service, &[&member.id]).await, Vec::<String>::new());
    erase().await.expect("erased");
    assert_eq!(mentioning(&service, &[&member.id, &member.email]).await, Vec::<String>::new());
    // Also when nothing waits any more.
    service.erase().await;
    erase().await.expect("erased before");
    let nobody = erasures::erase_user(tenants, objects, "x@y.ch", false, None, service.now());
    nobody.await.expect_err("nobody");
}

#[tokio::test]
async fn a_run_deletes_objects_until_its_deadline_and_the_next_one_continues() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let objects = &service.cloud.objects;
    let key = format!("exports/{team}/live/x");
    objects.put(&key, "rows").await.expect("stored");
    let now = tokio::time::Instant::now;
    assert!(!scheduler::delete_objects(objects, &team, now()).await.expect("in time"));
    assert!(objects.exists(&key).await.expect("read"));
    let later = now() + std::time::Duration::from_secs(60);
    assert!(scheduler::delete_objects(objects, &team, later).await.expect("deleted"));
    assert!(!objects.exists(&key).await.expect("read"));
}

#[tokio::test]
async fn a_request_that_is_killed_after_its_transaction_is_listed_by_the_scheduler() {
    let service = Service::start().await;
    let (tenants, now) = (&service.cloud.tenants, service.now());
    let mut listed_later = 0;
    for polls in 1.. {
        let team = service.team(Tier::Free).await;
        let owner = service.member(&team, Role::Owner).await;
        let killed = killed_after(polls, tenants.erase_user(&owner.id, true, None, now)).await;
        if tenants.user(&owner.id).await.expect("read").is_none() {
            let is_listed = tenants.is_user_erased(&owner.id).await.expect("read");
            listed_later += usize::from(!is_listed);
            service.scheduler().handle(ScheduleJob::Erase, now).await.expect("erased");
            assert!(tenants.is_user_erased(&owner.id).await.expect("read"), "{polls}");
            assert!(tenants.is_erased(&team).await.expect("read"), "{polls}");
        }
        if !killed {
            break;
        }
    }
    assert_ne!(listed_later, 0);
}

#[tokio::test]
async fn the_command_after_a_restore_leaves_members_who_have_returned_alone() {
    let (service, team, owner, member) = start().await;
    let path = format!("/v1/teams/me/members/{}", member.id);
    service.delete_as(&owner.token, &path).await;
    service.pass_seconds(60);
    let (tenants, objects, now) = (&service.cloud.tenants, &service.cloud.objects, service.now());
    let again = local::teams::add_member(tenants, &team, &member.id, Role::Member, now);
    again.await.expect("a member");
    let token = service.session_of(&team, &member.id).await;
    erasures::apply(tenants, objects, now).await.expect("applied");
    assert_eq!(status(&service, &token, USER).await, StatusCode::OK);
}
