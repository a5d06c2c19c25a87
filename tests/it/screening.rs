//! Screening against the invented lists, its evidence, and decisions about hits.

use access::{Environment, Scope, Tier};
use bytes::Bytes;
use domain::lists::{List, Minimum};
use http::{Request, StatusCode, header};
use jiff::SignedDuration;
use screening_updates::{Imported, import};
use serde_json::{Value, json};
use sources::lists::ListFormat;
use store::{keys, table::EXPIRES};
use teams::screening::Screening;
use tests::{Answer, Service, bearing, company, operator};
use uuid::Uuid;

use crate::items::Items;

const SECO: &str = include_str!("../../shared/rules/sources/fixtures/lists/seco.xml");

const WARNINGS: &str = include_str!("../../shared/rules/sources/fixtures/lists/finma_warning.json");

async fn service() -> (Service, String) {
    let service = Service::start().await;
    service.publish_lists().await;
    let key = service.key(Tier::Free).await;
    (service, key)
}

async fn screen(service: &Service, key: &str, body: Value) -> Answer {
    service.post_as(key, "/v1/screening", body).await
}

fn best(answer: &Answer) -> &Value {
    &answer.body["hits"][0]
}

#[tokio::test]
async fn a_listed_name_is_found_with_score_reasons_and_versions_of_the_lists() {
    let (service, key) = service().await;
    let answer = screen(&service, &key, json!({ "name": "Mikalaj Dovreshenka" })).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    assert_eq!(answer.body["sourcesChecked"], json!(["seco", "opensanctions", "finma"]));
    assert_eq!(answer.body["riskLevel"], "high");
    let sources: Vec<&str> = answer.body["hits"]
        .as_array()
        .expect("hits")
        .iter()
        .map(|it| it["source"].as_str().expect("a source"))
        .collect();
    assert!(sources.contains(&"seco") && sources.contains(&"opensanctions"), "{sources:?}");
    let hit = best(&answer);
    assert!(hit["score"].as_f64().expect("a score") > 0.9);
    let reasons = hit["explanations"].as_array().expect("reasons");
    let text = |it: &Value| it["text"].as_str().expect("a text").to_owned();
    assert!(
        reasons.iter().any(|it| it["feature"] == "namePart" && text(it).contains("Dovreshenka")),
        "{reasons:?}"
    );
    let lists = answer.body["lists"].as_array().expect("lists");
    assert_eq!(lists.len(), 4);
    assert!(lists.iter().all(|it| it["sha256"].as_str().is_some_and(|it| it.len() == 64)));
}

#[tokio::test]
async fn spelling_script_and_order_of_a_name_do_not_hide_it() {
    let (service, key) = service().await;
    for name in [
        "DOVRESHENKA Mikalaj",
        "Mikalai Dovreshenko",
        "Николай Доврешенко",
        "Dovreshenka, Mikalaj Vasilevich",
        // Latin letters, of which one is replaced by a Cyrillic one that looks the same.
        "Mikalaj D\u{43e}vreshenka",
    ] {
        let answer = screen(&service, &key, json!({ "name": name, "type": "person" })).await;
        let ids: Vec<&str> = answer.body["hits"]
            .as_array()
            .expect("hits")
            .iter()
            .filter_map(|it| it["id"].as_str())
            .collect();
        assert!(ids.contains(&"seco:95001"), "{name}: {ids:?}");
    }
}

#[tokio::test]
async fn birth_date_and_number_support_or_contradict_equal_names() {
    let (service, key) = service().await;
    let request = |more: Value| {
        let mut request = json!({ "name": "Mikalaj Dovreshenka", "sources": ["seco"] });
        let more = more.as_object().expect("members").clone();
        request.as_object_mut().expect("members").extend(more);
        request
    };
    let score = async |more: Value| {
        let answer = screen(&service, &key, request(more)).await;
        (best(&answer)["score"].as_f64().unwrap_or_default(), answer.body["riskLevel"].clone())
    };
    let (alone, _) = score(json!({})).await;
    let (born, risk) = score(json!({ "birthDate": "1971-03-23" })).await;
    let (other, _) = score(json!({ "birthDate": "1994-08-02", "threshold": 0.5 })).await;
    assert!(other < alone && alone < born, "{other} {alone} {born}");
    assert_eq!(risk, "critical");
}

#[tokio::test]
async fn a_company_number_is_compared_in_each_of_its_forms() {
    let (service, key) = service().await;
    let score = async |value: &str| {
        let identifiers = json!([{ "scheme": "uid", "value": value }]);
        let request = json!({ "name": "Tannhof Rohstoffe AG", "type": "company", "identifiers": identifiers });
        best(&screen(&service, &key, request).await)["score"].clone()
    };
    let standard = score("CHE-600.000.026").await;
    assert!(standard.as_f64().is_some_and(|it| it > 0.985), "{standard}");
    for form in ["600000026", "CHE600000026", "che-600.000.026 MWST"] {
        assert_eq!(score(form).await, standard, "{form}");
    }
}

#[tokio::test]
async fn a_company_that_takes_the_name_on_the_list_has_to_be_decided_again() {
    let (service, key) = service().await;
    let request =
        |name: &str| json!({ "name": name, "uid": "CHE-600.000.018", "sources": ["seco"] });
    let (listed, similar) = ("Zubragroprombank", "Subragrobronbanc");
    let first = screen(&service, &key, request(similar)).await;
    let (id, hit) = (first.body["id"].as_str().expect("an id"), best(&first)["id"].as_str());
    let path = format!("/v1/screenings/{id}/hits/{}/decision", hit.expect("a hit"));
    let decision = json!({ "verdict": "false_positive" });
    assert_eq!(service.put_as(&key, &path, decision).await.status, StatusCode::OK);
    let same = screen(&service, &key, request(similar)).await;
    assert_eq!(best(&same)["decision"]["state"], "in_force");
    assert_eq!(same.body["riskLevel"], "clear");
    let renamed = screen(&service, &key, request(listed)).await;
    assert_eq!(best(&renamed)["decision"]["state"], "risk_risen", "{renamed:?}");
    assert_ne!(renamed.body["riskLevel"], "clear");
}

#[tokio::test]
async fn a_name_on_no_list_is_clear_and_a_licence_is_no_risk() {
    let (service, key) = service().await;
    let clear = screen(&service, &key, json!({ "name": "Annemarie Unverdächtig" })).await;
    assert_eq!(clear.body["riskLevel"], "clear");
    assert_eq!(clear.body["hitCount"], 0);
    let body = json!({ "name": "Bank Erfunden AG", "type": "company", "sources": ["finma"] });
    let licensed = screen(&service, &key, body).await;
    assert_eq!(best(&licensed)["list"], "finma_authorised");
    assert_eq!(best(&licensed)["meaning"], "information");
    assert_eq!(licensed.body["riskLevel"], "clear");
    let body = json!({ "name": "Goldener Anker Vermögensverwaltung GmbH", "sources": ["finma"] });
    let warned = screen(&service, &key, body).await;
    assert_eq!(best(&warned)["list"], "finma_warning");
    assert_ne!(warned.body["riskLevel"], "clear");
}

#[tokio::test]
async fn a_hit_says_why_its_entry_is_listed_and_which_offices_and_relatives_it_has() {
    let (service, key) = service().await;
    let details = async |name: &str, source: &str| {
        let request = json!({ "name": name, "type": "person", "sources": [source] });
        best(&screen(&service, &key, request).await)["details"].clone()
    };
    let listed = details("Mikalaj Dovreshenka", "seco").await;
    assert_eq!(listed["reasons"], json!(["Commands the river fleet of Zubrowia."]));
    let exposed = details("Halfdan Opfunnen", "opensanctions").await;
    let title = "Member of the Parliament of Inventions";
    assert_eq!(exposed["positions"][0]["title"], title, "{exposed}");
    assert_eq!(exposed["positions"][0]["status"], "current");
    assert_eq!(exposed["positions"][0]["country"], "NO");
    let relations = exposed["relations"].as_array().expect("relations");
    let relative = relations.iter().find(|it| it["kind"] == "relative").expect("a relative");
    assert_eq!((&relative["id"], &relative["role"]), (&json!("NK-inv0004"), &json!("daughter")));
    let listed = details(relative["name"].as_str().expect("a name"), "opensanctions").await;
    assert_eq!(listed["entryId"], "NK-inv0004", "the name of the relative");
}

#[tokio::test]
async fn reasons_are_in_the_language_of_the_request() {
    let (service, key) = service().await;
    for (language, word) in [("de", "Namen"), ("fr", "noms"), ("it", "nomi"), ("rm, en", "names")] {
        let request = Request::post("/v1/screening")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::AUTHORIZATION, format!("Bearer {key}"))
            .header(header::ACCEPT_LANGUAGE, language);
        let body = json!({ "name": "Mikalaj Dovreshenka" }).to_string();
        let answer = service.send_with(request, body).await;
        let text = best(&answer)["explanations"][0]["text"].as_str().expect("a text").to_owned();
        assert!(text.contains(word), "{language}: {text}");
        assert_eq!(answer.headers[header::VARY], "accept-language");
    }
}

#[tokio::test]
async fn evidence_is_kept_and_repeated_on_the_same_versions_after_the_list_has_changed() {
    let (service, key) = service().await;
    let answer =
        screen(&service, &key, json!({ "name": "Radim Neznamov", "sources": ["seco"] })).await;
    let before = screen(
        &service,
        &key,
        json!({ "name": "Mikalaj Dovreshenka", "birthDate": "1971", "sources": ["seco"] }),
    )
    .await;
    assert_eq!(answer.body["hitCount"], 0);
    let changed = SECO.replace("Dovreshenka", "Zapletal").replace("Nezhdanov", "Neznamov");
    import_seco(&service, &changed).await;
    let second = service.second_process();
    let after = screen(
        &second,
        &key,
        json!({ "name": "Mikalaj Dovreshenka", "birthDate": "1971", "sources": ["seco"] }),
    )
    .await;
    assert!(best(&after)["score"].as_f64() < best(&before)["score"].as_f64(), "{after:?}");
    assert_ne!(after.body["lists"][0]["version"], before.body["lists"][0]["version"]);

    let id = before.body["id"].as_str().expect("an id");
    let stored = second.get_as(&key, &format!("/v1/screenings/{id}")).await;
    assert_eq!(stored.body, before.body);
    let replay = second.post_as(&key, &format!("/v1/screenings/{id}/replay"), json!({})).await;
    assert_eq!(replay.status, StatusCode::OK, "{replay:?}");
    assert_eq!(replay.body["isIdentical"], true);
    let hits = replay.body["hits"].as_array().expect("hits");
    assert_eq!(hits.len(), before.body["hits"].as_array().expect("hits").len());
    assert!(hits.iter().all(|it| it["score"] == it["replayedScore"]));
}

/// The status of the evidence, and how many screenings are listed.
async fn kept(service: &Service, key: &str, id: &str) -> (u16, usize) {
    let evidence = service.get_as(key, &format!("/v1/screenings/{id}")).await;
    let listed = service.get_as(key, "/v1/screenings").await;
    (evidence.status.as_u16(), listed.body.as_array().map_or(0, Vec::len))
}

#[tokio::test]
async fn evidence_and_decisions_of_free_teams_and_sandboxes_are_kept_30_days() {
    let (service, _) = service().await;
    let request = json!({ "name": "Mikalaj Dovreshenka", "sources": ["seco"] });
    let cases = [
        (Tier::Free, Environment::Live, 30),
        (Tier::Enterprise, Environment::Test, 30),
        (Tier::Starter, Environment::Live, 3_653),
    ];
    let mut stored = Vec::new();
    for (tier, environment, days) in cases {
        let team = service.team(tier).await;
        let key = service.key_of(&team, environment, &Scope::ALL).await;
        let screened = screen(&service, &key, request.clone()).await;
        let id = screened.body["id"].as_str().expect("an id").to_owned();
        let hit = best(&screened)["id"].as_str().expect("a hit");
        let path = format!("/v1/screenings/{id}/hits/{hit}/decision");
        for verdict in ["unsure", "false_positive"] {
            let decided = service.put_as(&key, &path, json!({ "verdict": verdict })).await;
            assert_eq!(decided.status, StatusCode::OK, "{decided:?}");
        }
        stored.push((tier, key, id, days));
    }
    let mut passed = 0;
    for (tier, key, id, days) in stored {
        service.pass_seconds(days * 86_400 - 60 - passed);
        passed = days * 86_400 - 60;
        assert_eq!(kept(&service, &key, &id).await, (200, 1), "{tier}");
        let again = screen(&service, &key, request.clone()).await;
        assert_eq!(best(&again)["decision"]["verdict"], "false_positive", "{tier}");
        service.pass_seconds(60);
        passed += 60;
        assert_eq!(kept(&service, &key, &id).await, (404, 1), "{tier}: only the second one");
        let later = screen(&service, &key, request.clone()).await;
        assert!(best(&later).get("decision").is_none(), "{tier}: {later:?}");
        // What has expired is not one of the earlier decisions.
        let (id, hit) = (later.body["id"].as_str().expect("an id"), best(&later)["id"].as_str());
        let path = format!("/v1/screenings/{id}/hits/{}/decision", hit.expect("a hit"));
        let new = service.put_as(&key, &path, json!({ "verdict": "true_match" })).await;
        assert!(new.body.get("earlier").is_none_or(|it| *it == json!([])), "{new:?}");
    }
}

/// Decisions that were stored before they had a time to live.
#[tokio::test]
async fn a_decision_without_a_time_to_live_is_kept() {
    let service = Service::start().await;
    service.publish_lists().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let request = json!({ "name": "Mikalaj Dovreshenka", "sources": ["seco"] });
    let first = screen(&service, &key, request.clone()).await;
    let (id, hit) = (first.body["id"].as_str().expect("an id"), best(&first)["id"].as_str());
    let path = format!("/v1/screenings/{id}/hits/{}/decision", hit.expect("a hit"));
    service.put_as(&key, &path, json!({ "verdict": "false_positive" })).await;
    let (team, now) = (operator(team), service.now());
    let stored = service.cloud.tenants.screening(&team, id.parse().expect("an id"), now).await;
    let stored = stored.expect("read").expect("stored");
    let items = Items::of_tenants(&service);
    let mut item = items.get(&keys::hit_decision(&team, &stored.pair(&stored.hits[0]))).await;
    item.remove(EXPIRES).expect("a time to live");
    items.put(item).await;
    service.pass_seconds(31 * 86_400);
    let later = screen(&service, &key, request).await;
    assert_eq!(best(&later)["decision"]["verdict"], "false_positive", "{later:?}");
}

/// The earlier versions stay open: a caller who repeats a screening does not cause them to be read each time.
#[tokio::test]
async fn earlier_versions_of_several_lists_are_read_once_for_all_replays() {
    let (service, key) = service().await;
    let before = screen(&service, &key, json!({ "name": "Mikalaj Dovreshenka" })).await;
    import_seco(&service, &SECO.replace("Dovreshenka", "Zapletal")).await;
    import_list(&service, ListFormat::FinmaWarning, &WARNINGS.replace("Nordlicht", "Suedlicht"))
        .await;

    let second = service.second_process();
    let replay = format!("/v1/screenings/{}/replay", before.body["id"].as_str().expect("an id"));
    let first = second.post_as(&key, &replay, json!({})).await;
    assert_eq!(first.body["isIdentical"], true, "{first:?}");
    let objects = &service.cloud.objects;
    let stored = objects.keys("screening/").await.expect("listed");
    let earlier = before.body["lists"].as_array().expect("lists").iter();
    let earlier: Vec<&str> = earlier.filter_map(|it| it["version"].as_str()).collect();
    let of_earlier = stored.iter().filter(|key| earlier.iter().any(|it| key.contains(it)));
    let of_earlier: Vec<&String> = of_earlier.collect();
    assert!(of_earlier.len() >= 4, "{stored:?}");
    for key in of_earlier {
        objects.delete(key).await.expect("deleted");
    }
    let again = second.post_as(&key, &replay, json!({})).await;
    assert_eq!(again.body["isIdentical"], true, "{again:?}");
    // A process that has not read them.
    let gone = service.second_process().post_as(&key, &replay, json!({})).await;
    assert_eq!(gone.status, StatusCode::CONFLICT, "{gone:?}");
}

#[tokio::test]
async fn a_replay_names_the_matcher_and_the_scores_of_then_and_now() {
    let service = Service::start().await;
    service.publish_lists().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let answer = screen(&service, &key, json!({ "name": "Mikalaj Dovreshenka" })).await;
    // The same evidence, as an earlier matcher and an earlier version of the service have stored it.
    let (tenants, team) = (&service.cloud.tenants, operator(team));
    let id = answer.body["id"].as_str().expect("an id").parse().expect("an id");
    let stored = tenants.screening(&team, id, service.now()).await.expect("read").expect("stored");
    let store = async |change: fn(&mut Screening)| {
        let mut changed = Screening { id: Uuid::now_v7(), ..stored.clone() };
        change(&mut changed);
        let expires = service.now() + SignedDuration::from_hours(24);
        tenants.put_screening(&team, &changed, expires).await.expect("stored");
        let replay = format!("/v1/screenings/{}/replay", changed.id);
        service.post_as(&key, &replay, json!({})).await.body
    };
    let earlier = store(|it| {
        it.algorithm = "earlier".to_owned();
        it.hits[0].score = 0.75;
    })
    .await;
    assert_eq!(earlier["isIdentical"], false);
    assert_eq!(
        (&earlier["algorithm"], &earlier["currentAlgorithm"]),
        (&json!("earlier"), &answer.body["algorithm"])
    );
    assert_eq!(earlier["hits"][0]["score"], 0.75);
    assert_eq!(earlier["hits"][0]["replayedScore"], best(&answer)["score"]);
    let shorter = store(|it| it.hits[0].reasons.clear()).await;
    assert_eq!(shorter["isIdentical"], true, "the same scores for the same reasons");
    let fewer = store(|it| {
        it.hits.remove(0);
    })
    .await;
    let new = fewer["hits"].as_array().and_then(|it| it.last()).expect("a hit");
    assert!(new.get("score").is_none() && new["replayedScore"].is_number(), "{new}");
    let other = store(|it| it.hits[0].entry_id = "0".to_owned()).await;
    let gone = &other["hits"][0];
    assert!(gone["score"].is_number() && gone.get("replayedScore").is_none(), "{gone}");
}

async fn import_seco(service: &Service, text: &str) -> Imported {
    import_list(service, ListFormat::Seco, text).await
}

async fn import_list(service: &Service, format: ListFormat, text: &str) -> Imported {
    let (bytes, minimum) = (Bytes::from(text.to_owned()), Minimum { entries: 1, active: 1 });
    let imported = import(&service.cloud.objects, format, bytes, Some(minimum), service.now());
    imported.await.expect("imported")
}

#[tokio::test]
async fn a_false_positive_holds_for_later_screenings_until_the_entry_changes_materially() {
    let (service, key) = service().await;
    let request = json!({ "name": "Mikalaj Dovreshenka", "type": "person", "sources": ["seco"] });
    let first = screen(&service, &key, request.clone()).await;
    assert_ne!(first.body["riskLevel"], "clear");
    let (id, hit) = (&first.body["id"], &best(&first)["id"]);
    let path = format!(
        "/v1/screenings/{}/hits/{}/decision",
        id.as_str().expect("an id"),
        hit.as_str().expect("an id")
    );
    let others: Vec<String> = first.body["hits"]
        .as_array()
        .expect("hits")
        .iter()
        .skip(1)
        .filter_map(|it| it["id"].as_str().map(str::to_owned))
        .collect();
    let body = json!({ "verdict": "false_positive", "reason": "Born in 1994." });
    let decided = service.put_as(&key, &path, body).await;
    assert_eq!(decided.status, StatusCode::OK, "{decided:?}");
    for other in others {
        let path = path.replace(hit.as_str().expect("an id"), &other);
        service.put_as(&key, &path, json!({ "verdict": "false_positive" })).await;
    }
    let again = screen(
        &service,
        &key,
        json!({
            "name": "mikalaj  DOVRESHENKA", "type": "person", "sources": ["seco"],
        }),
    )
    .await;
    assert_eq!(best(&again)["decision"]["verdict"], "false_positive");
    assert_eq!(best(&again)["decision"]["state"], "in_force");
    assert_eq!(again.body["riskLevel"], "clear");
    // The evidence says what was answered then.
    let evidence = format!("/v1/screenings/{}", id.as_str().expect("an id"));
    let evidence = service.get_as(&key, &evidence).await;
    assert_eq!(evidence.body["answeredRiskLevel"], first.body["riskLevel"]);
    assert_eq!(evidence.body["riskLevel"], "clear");
    let other_team = service.key(Tier::Free).await;
    let elsewhere = screen(&service, &other_team, request.clone()).await;
    assert!(best(&elsewhere).get("decision").is_none());

    // An address is nothing on which a screening depends; a name is.
    let moved = SECO.replace("ul. Invented 4", "ul. Other 12");
    assert_ne!(moved, SECO);
    import_seco(&service, &moved).await;
    let same = screen(&service.second_process(), &key, request.clone()).await;
    assert_eq!(best(&same)["decision"]["state"], "in_force");
    assert_eq!(same.body["riskLevel"], "clear");
    import_seco(&service, &SECO.replace("The Ferryman", "The Boatman")).await;
    let changed = screen(&service.second_process(), &key, request).await;
    assert_eq!(best(&changed)["decision"]["state"], "entry_changed");
    assert_ne!(changed.body["riskLevel"], "clear");
}

#[tokio::test]
async fn decisions_expire_and_wrong_ones_are_refused() {
    let (service, key) = service().await;
    let request = json!({ "name": "Mikalaj Dovreshenka", "sources": ["seco"] });
    let first = screen(&service, &key, request.clone()).await;
    let id = first.body["id"].as_str().expect("an id");
    let path = |hit: &str| format!("/v1/screenings/{id}/hits/{hit}/decision");
    let hit = best(&first)["id"].as_str().expect("an id");
    let past = json!({ "verdict": "unsure", "expiresAt": "2020-01-01T00:00:00Z" });
    assert_eq!(service.put_as(&key, &path(hit), past).await.status, StatusCode::BAD_REQUEST);
    let unknown = service.put_as(&key, &path("seco:1"), json!({ "verdict": "unsure" })).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    let soon = json!({ "verdict": "false_positive", "expiresAt": "2026-11-20T13:00:00Z" });
    assert_eq!(service.put_as(&key, &path(hit), soon).await.status, StatusCode::OK);
    let withdrawn = json!({ "verdict": "unsure", "reason": "The passport is missing." });
    assert_eq!(service.put_as(&key, &path(hit), withdrawn).await.status, StatusCode::OK);
    let again = json!({ "verdict": "false_positive", "expiresAt": "2026-11-20T13:00:00Z" });
    let decided = service.put_as(&key, &path(hit), again).await;
    let verdicts = |decision: &Value| {
        let earlier = decision["earlier"].as_array().expect("earlier ones").iter();
        earlier.map(|it| it["verdict"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(verdicts(&decided.body), ["unsure", "false_positive"]);
    let repeated = json!({ "verdict": "false_positive", "expiresAt": "2026-11-20T13:00:00Z" });
    let repeated = service.put_as(&key, &path(hit), repeated).await;
    assert_eq!(verdicts(&repeated.body), ["unsure", "false_positive"]);
    assert_eq!(decided.body["earlier"][0]["reason"], "The passport is missing.");
    service.pass_seconds(3_600);
    let later = screen(&service, &key, request).await;
    assert_eq!(verdicts(&best(&later)["decision"]), ["unsure", "false_positive"]);
    assert_eq!(best(&later)["decision"]["state"], "expired");
    assert_ne!(later.body["riskLevel"], "clear");
}

#[tokio::test]
async fn companies_are_screened_by_number_with_the_names_of_the_register() {
    let listed = company("CHE-101.049.653", "Nordfels Spedition GmbH");
    let service = Service::with([listed, company("CHE-107.787.577", "Unbedenklich AG")]).await;
    service.publish_lists().await;
    let key = service.key(Tier::Free).await;
    let body = json!({ "uids": [
        "CHE-107.787.577", "che101049653", "CHE-101.329.561", "LEI:506700GE1G29325QX363",
    ] });
    let answer = service.post_as(&key, "/v1/screening/batch", body).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    let results = answer.body["results"].as_array().expect("results");
    let names: Vec<&Value> = results.iter().map(|it| &it["companyName"]).collect();
    assert_eq!(names, ["Unbedenklich AG", "Nordfels Spedition GmbH", "", ""]);
    let unknown: Vec<&Value> = results.iter().skip(2).map(|it| &it["riskLevel"]).collect();
    assert_eq!(unknown, ["unknown", "unknown"], "no name was compared");
    assert_eq!(results[0]["riskLevel"], "clear");
    assert_eq!(results[1]["uid"], "che101049653");
    assert_eq!(results[1]["hits"][0]["matchedName"], "Nordfels Spedition GmbH");
    assert_ne!(results[1]["riskLevel"], "clear");
    let id = results[1]["screeningId"].as_str().expect("an id");
    let evidence = service.get_as(&key, &format!("/v1/screenings/{id}")).await;
    assert_eq!(evidence.body["queryUid"], "CHE-101.049.653");
}

#[tokio::test]
async fn many_names_and_companies_are_screened_with_the_options_and_explanations_of_one() {
    let service = Service::with([company("CHE-101.049.653", "Nordfels Spedition GmbH")]).await;
    service.publish_lists().await;
    let key = service.key(Tier::Enterprise).await;
    let bulk = async |entity: Value, options: Value| {
        let mut body = json!({ "entities": [entity] });
        body.as_object_mut().expect("an object").extend(options.as_object().cloned().expect("one"));
        let request = bearing(&key, Request::post("/v1/bulk/screening"));
        let request =
            request.header("content-type", "application/json").header("accept-language", "fr");
        let answer = service.send_with(request, body.to_string()).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        assert_eq!(answer.headers["content-language"], "fr");
        answer.body["results"][0].clone()
    };
    let dovreshenka = || json!({ "name": "Mikalaj Dovreshenka", "type": "person" });
    let named = bulk(dovreshenka(), json!({ "sources": ["seco"] })).await;
    let hit = &named["topMatches"][0];
    assert!(hit["explanations"].as_array().is_some_and(|it| !it.is_empty()), "{hit}");
    assert!(hit["details"]["programmes"].as_array().is_some_and(|it| !it.is_empty()), "{hit}");
    assert_eq!(hit["entityType"], "person");
    // What contradicts lowers the score; what agrees raises it.
    let with = async |member: &str, value: Value| {
        let mut entity = dovreshenka();
        entity[member] = value;
        bulk(entity, json!({ "sources": ["seco"], "threshold": 0.5 })).await["topMatches"][0]
            .clone()
    };
    let score = |it: &Value| it["score"].as_f64().expect("a score");
    let born = hit["details"]["birthDates"][0].to_string();
    let year =
        born.split(|it: char| !it.is_ascii_digit()).find(|it| it.len() == 4).expect("a year");
    let agrees = with("birthDate", json!(year)).await;
    assert!(score(&agrees) > score(hit), "{agrees}");
    let other = with("birthDate", json!("1900-01-01")).await;
    assert!(other.is_null() || score(&other) < score(hit), "{other}");
    let none = bulk(dovreshenka(), json!({ "sources": ["finma"], "limit": 1 })).await;
    assert_eq!(none["topMatches"], json!([]));

    let body = json!({ "uids": ["CHE-101.049.653"], "sources": ["seco", "finma"], "limit": 1, "threshold": 0.5 });
    let batch = service.post_as(&key, "/v1/screening/batch", body).await;
    assert_eq!(batch.status, StatusCode::OK, "{batch:?}");
    let hits = batch.body["results"][0]["hits"].as_array().expect("hits").clone();
    assert_eq!(hits.len(), 1);
    assert!(hits[0]["explanations"].as_array().is_some_and(|it| !it.is_empty()), "{hits:?}");
    let id = batch.body["results"][0]["screeningId"].as_str().expect("an id");
    let evidence = service.get_as(&key, &format!("/v1/screenings/{id}")).await;
    assert_eq!(evidence.body["query"]["threshold"], 0.5);
    for (path, body) in [
        ("/v1/screening/batch", json!({ "uids": ["CHE-101.049.653"], "limit": 26 })),
        ("/v1/bulk/screening", json!({ "entities": [dovreshenka()], "threshold": 0.4 })),
        ("/v1/bulk/screening", json!({ "entities": [{ "name": "A B", "country": "Schweiz" }] })),
    ] {
        let refused = service.post_as(&key, path, body).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{path}: {refused:?}");
    }
}

#[tokio::test]
async fn sanctions_are_browsed_by_name_with_filters() {
    let (service, _) = service().await;
    let all = service.get("/v1/sanctions").await;
    let total = all.body["total"].as_u64().expect("a number");
    assert_eq!(all.body["items"].as_array().map(Vec::len), Some(total as usize));
    assert_eq!(all.body["listDate"], "2026-09-28");
    let found = service.get("/v1/sanctions?search=dovresh%20lyud&entity_type=person").await;
    assert_eq!(found.body["total"], 1, "{found:?}");
    assert_eq!(found.body["items"][0]["secoId"], "95002");
    assert_eq!(found.body["items"][0]["program"], "Zubrowia");
    let vessels = service.get("/v1/sanctions?entityType=Vessel").await;
    let kinds = vessels.body["items"].as_array().expect("items").iter();
    assert!(kinds.clone().count() > 0 && kinds.clone().all(|it| it["entityType"] == "vessel"));
    let unknown = service.get("/v1/sanctions?entityType=Schiff").await;
    assert_eq!(unknown.status, StatusCode::BAD_REQUEST);
    assert!(
        unknown.text.contains("`vessel`") && unknown.text.contains("`Schiff`"),
        "{}",
        unknown.text
    );
    let page = service.get("/v1/sanctions?pageSize=2&page=2").await;
    assert_eq!(page.body["items"][0], all.body["items"][2]);
}

#[tokio::test]
async fn a_ship_is_found_by_its_name() {
    let (service, key) = service().await;
    for (body, level) in [
        (json!({ "name": "Grey Petrel" }), "high"),
        (json!({ "name": "MV Grey Petrel", "type": "vessel" }), "high"),
    ] {
        let found = service.post_as(&key, "/v1/screening", body.clone()).await;
        assert_eq!(found.body["hits"][0]["matchedName"], "Grey Petrel", "{body}: {found:?}");
        assert_eq!(found.body["riskLevel"], level, "{body}");
    }
}

#[tokio::test]
async fn bad_input_is_refused_and_odd_names_are_answered() {
    let (service, key) = service().await;
    for (body, member) in [
        (json!({}), "name"),
        (json!({ "name": "" }), "name"),
        (json!({ "name": " \t" }), "name"),
        (json!({ "name": "?!… —" }), "name"),
        (json!({ "name": "Anna\u{0}Muster" }), "name"),
        (json!({ "name": "\u{202e}Anna" }), "U+202E"),
        (json!({ "name": "a".repeat(10_000) }), "name"),
        (json!({ "name": "Anna", "uid": "CHE-1" }), "uid"),
        (json!({ "name": "Anna", "sources": [] }), "sources"),
        (json!({ "name": "Anna", "sources": ["ofac"] }), "sources"),
        (json!({ "name": "Anna", "type": "ship" }), "type"),
        (json!({ "name": "Anna", "birthDate": "1980-13" }), "birthDate"),
        (json!({ "name": "Anna", "country": "Schweiz" }), "country"),
        (json!({ "name": "Anna", "threshold": 0.2 }), "threshold"),
        (json!({ "name": "Anna", "limit": 26 }), "limit"),
        (json!({ "name": "Anna", "identifiers": [{ "scheme": "imo", "value": "-" }] }), "value"),
        (
            json!({ "name": "Anna", "identifiers": [{ "scheme": "uid", "value": "12" }] }),
            "company number",
        ),
        (json!({ "name": "Anna", "identifiers": [{ "scheme": "lei", "value": "12" }] }), "LEI"),
        (json!({ "name": "Anna", "color": "red" }), "color"),
    ] {
        let answer = screen(&service, &key, body.clone()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}: {answer:?}");
        assert!(answer.text.contains(member), "{body}: {}", answer.text);
    }
    let many: Vec<&str> = vec!["CHE-600.000.026"; 101];
    for uids in [json!([]), json!(many), json!(["CHE-1"]), json!(["LEI:1"])] {
        let answer = service.post_as(&key, "/v1/screening/batch", json!({ "uids": uids })).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{answer:?}");
    }
    let mistyped = json!({ "uids": ["CHE-101.049.653", "CHE-101.049.654"] });
    let answer = service.post_as(&key, "/v1/screening/batch", mistyped).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{answer:?}");
    assert_eq!(
        answer.detail(),
        "uids: no company CHE-101.049.654 in the commercial register; the last digit does not fit the others, so \
         the number may be mistyped"
    );
    for name in ["a", "Ж", "李", "Anna Анна 安娜 آنا", "a\u{301}\u{301}\u{301}", "1"] {
        let answer = screen(&service, &key, json!({ "name": name })).await;
        assert_eq!(answer.status, StatusCode::OK, "{name}: {answer:?}");
    }
}

#[tokio::test]
async fn nothing_is_called_clear_before_lists_are_loaded() {
    let service = Service::start().await;
    let key = service.key(Tier::Free).await;
    let answer = screen(&service, &key, json!({ "name": "Anna" })).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(service.get("/v1/sanctions").await.status, StatusCode::SERVICE_UNAVAILABLE);
    import_seco(&service, SECO).await;
    let second = service.second_process();
    let answer = screen(&second, &key, json!({ "name": "Anna" })).await;
    assert_eq!(answer.body["sourcesChecked"], json!(["seco"]));
    let wanted = json!({ "name": "Anna", "sources": ["opensanctions"] });
    let answer = screen(&second, &key, wanted).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(answer.text.contains("available: seco"), "{}", answer.text);
}

#[tokio::test]
async fn a_list_that_is_damaged_or_too_short_changes_nothing() {
    let (service, key) = service().await;
    let objects = &service.cloud.objects;
    let before = screening_lists::current(objects, List::Seco).await.expect("read");
    let import = async |text: String, minimum: u64| {
        let minimum = Some(Minimum { entries: minimum, active: minimum });
        import(objects, ListFormat::Seco, Bytes::from(text), minimum, service.now()).await
    };
    let half = SECO[..SECO.len() / 2].to_owned();
    assert!(import(half, 1).await.is_err());
    assert!(import(SECO.to_owned(), 8_000).await.is_err());
    assert!(import("<html>Wartung</html>".to_owned(), 1).await.is_err());
    assert_eq!(import(SECO.to_owned(), 1).await.expect("read"), Imported::Unchanged);
    assert_eq!(screening_lists::current(objects, List::Seco).await.expect("read"), before);
    let answer = screen(&service, &key, json!({ "name": "Mikalaj Dovreshenka" })).await;
    assert_ne!(answer.body["riskLevel"], "clear");
}

#[tokio::test]
async fn an_entry_whose_record_cannot_be_read_any_more_is_still_on_the_list() {
    let (service, key) = service().await;
    let unreadable = WARNINGS.replace("\"Nordlicht Kapital / nordlicht-kapital.example\"", "\" \"");
    let (bytes, minimum) = (Bytes::from(unreadable), Minimum { entries: 1, active: 1 });
    let objects = &service.cloud.objects;
    let imported =
        import(objects, ListFormat::FinmaWarning, bytes, Some(minimum), service.now()).await;
    let Ok(Imported::Published(version, delta)) = imported else { panic!("{imported:?}") };
    assert_eq!(version.kept, 1);
    assert!(delta.removed.is_empty(), "{delta:?}");
    let rejected = objects.keys("screening/finma_warning/rejected/").await.expect("listed");
    assert!(rejected.iter().any(|it| it.contains(&version.version.sha256)), "{rejected:?}");
    let answer = screen(
        &service.second_process(),
        &key,
        json!({ "name": "Nordlicht Kapital", "sources": ["finma"] }),
    )
    .await;
    assert_eq!(best(&answer)["list"], "finma_warning");
}

#[tokio::test]
async fn screenings_of_the_team_are_listed_newest_first_in_parts() {
    let (service, key) = service().await;
    let mut ids = Vec::new();
    for name in ["Anna Eins", "Anna Zwei", "Mikalaj Dovreshenka"] {
        let answer = screen(&service, &key, json!({ "name": name })).await;
        ids.push(answer.body["id"].as_str().expect("an id").to_owned());
    }
    let other = service.key(Tier::Free).await;
    screen(&service, &other, json!({ "name": "Anna Fremd" })).await;
    let first = service.get_as(&key, "/v1/screenings?limit=2").await;
    let listed = |answer: &Answer| -> Vec<String> {
        let items = answer.body.as_array().expect("a list").iter();
        items.map(|it| it["id"].as_str().expect("an id").to_owned()).collect()
    };
    assert_eq!(listed(&first), [ids[2].clone(), ids[1].clone()]);
    assert_eq!(first.body[0]["riskLevel"], "high");
    let rest = service.get_as(&key, &format!("/v1/screenings?before={}", ids[1])).await;
    assert_eq!(listed(&rest), [ids[0].clone()]);
}

#[tokio::test]
async fn many_names_are_screened_at_once_by_enterprise_teams() {
    let (service, free) = service().await;
    let body = json!({ "entities": [
        { "name": "Mikalaj Dovreshenka", "type": "person" },
        { "name": "Unverdächtig AG", "type": "company" },
        { "name": "Lyudmila Dovreshenka" },
        { "name": "Lyudmila Dovreshenka" },
        { "name": "Raiffeisenbank Erfundental Genossenschaft", "type": "company" },
    ] });
    let refused = service.post_as(&free, "/v1/bulk/screening", body.clone()).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let key = service.key(Tier::Enterprise).await;
    let answer = service.post_as(&key, "/v1/bulk/screening", body).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    assert_eq!((&answer.body["total"], &answer.body["hitsFound"]), (&json!(5), &json!(3)));
    let results = answer.body["results"].as_array().expect("results");
    let types: Vec<&Value> = results.iter().map(|it| &it["entityType"]).collect();
    assert_eq!(types, ["person", "company", "", "", "company"]);
    assert_eq!(results[4]["topMatches"][0]["meaning"], "information");
    assert_eq!(results[1]["riskLevel"], "clear");
    assert_eq!(results[1]["topMatches"], json!([]));
    let id = results[0]["screeningId"].as_str().expect("an id");
    let evidence = service.get_as(&key, &format!("/v1/screenings/{id}")).await;
    assert_eq!(evidence.body["hitCount"], results[0]["hitCount"]);
    let many = json!({ "entities": vec![json!({ "name": "Anna" }); 101] });
    for wrong in [many, json!({ "entities": [] }), json!({ "entities": [{ "name": "…" }] })] {
        let answer = service.post_as(&key, "/v1/bulk/screening", wrong).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{answer:?}");
    }
}

#[tokio::test]
async fn the_limit_of_an_answer_does_not_lower_the_risk() {
    let (service, key) = service().await;
    let request = |limit: u8| json!({ "name": "Mikalaj Dovreshenka", "limit": limit });
    let all = screen(&service, &key, request(25)).await;
    let one = screen(&service, &key, request(1)).await;
    assert_eq!(one.body["hits"].as_array().map(Vec::len), Some(1));
    assert_eq!(one.body["hitCount"], all.body["hitCount"]);
    let (id, hit) = (one.body["id"].as_str().expect("an id"), best(&one)["id"].as_str());
    let path = format!("/v1/screenings/{id}/hits/{}/decision", hit.expect("an id"));
    service.put_as(&key, &path, json!({ "verdict": "false_positive" })).await;
    let cleared = screen(&service, &key, request(1)).await;
    assert_eq!(best(&cleared)["decision"]["verdict"], "false_positive");
    assert_ne!(cleared.body["riskLevel"], "clear", "the other hits count");
    // The evidence has them, so that somebody can decide about them.
    let evidence = service.get_as(&key, &format!("/v1/screenings/{id}")).await;
    assert_eq!(
        evidence.body["hits"].as_array().map(Vec::len),
        all.body["hits"].as_array().map(Vec::len)
    );
}

#[tokio::test]
async fn a_true_match_is_critical_and_a_decision_does_not_hold_for_another_person() {
    let (service, key) = service().await;
    let request = json!({ "name": "Mikalaj Dovreshenka", "sources": ["seco"] });
    let first = screen(&service, &key, request.clone()).await;
    let id = first.body["id"].as_str().expect("an id");
    let hit = best(&first)["id"].as_str().expect("an id");
    let path = format!("/v1/screenings/{id}/hits/{hit}/decision");
    service.put_as(&key, &path, json!({ "verdict": "true_match" })).await;
    let again = screen(&service, &key, request).await;
    assert_eq!(again.body["riskLevel"], "critical");
    let other = json!({ "name": "Mikalaj Dovreshenka", "sources": ["seco"], "country": "BY" });
    let other = screen(&service, &key, other).await;
    assert!(best(&other).get("decision").is_none(), "{other:?}");
}
