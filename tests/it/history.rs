//! What the gazette says becomes what happened: once, in one order, and provable.

use std::collections::{BTreeMap, BTreeSet};

use access::Tier;
use domain::{Company, Uid};
use local::cloud::Cloud;
use serde_json::{Value, json};
use sources::{Batch, Source};
use store::Registry;
use tests::{
    Answer, Service,
    faults::{Fault, Faults},
};

use crate::notices::{entered, entry, ingested, left, notice, published};

const ONE: &str = "CHE-600.000.012";
const TWO: &str = "CHE-600.000.029";

/// Years of two invented companies.
fn years() -> Vec<Value> {
    let board = "Musterfrau, Regula, von Bern, in Bern, Mitglied des Verwaltungsrates, mit Einzelunterschrift";
    let auditor = "Erste Revision AG (CHE-600.000.035), in Bern, Revisionsstelle";
    let next = "Zweite Revision AG (CHE-600.000.041), in Thun, Revisionsstelle";
    let mut renamed = notice(
        1_000_000_004,
        "2023-05-02",
        ONE,
        "Eins AG",
        &entered("Beispiel, Urs, von Chur, in Thun, mit Einzelprokura"),
    );
    renamed["content"]["commonsNew"]["company"]["name"] = json!("Eins Holding AG");
    renamed["content"]["commonsNew"]["company"]["seat"] = json!("Thun");
    vec![
        entry(
            1_000_000_001,
            "2020-03-02",
            ONE,
            "Eins AG",
            &format!("Eingetragene Personen: {board}; {auditor}."),
        ),
        entry(
            1_000_000_002,
            "2021-06-01",
            TWO,
            "Zwei AG",
            &format!("Eingetragene Personen: {board}."),
        ),
        notice(
            1_000_000_003,
            "2022-01-10",
            ONE,
            "Eins AG",
            &format!("{} {}", left(auditor), entered(next)),
        ),
        renamed,
        notice(
            1_000_000_005,
            "2024-02-06",
            TWO,
            "Zwei AG",
            "Die Gesellschaft wird mit Beschluss der Generalversammlung vom 30.01.2024 aufgelöst.",
        ),
    ]
}

fn read(notices: &[Value]) -> Batch {
    let batch = sources::read(Source::Shab, Value::from(notices.to_vec()).to_string().as_bytes());
    let batch = batch.expect("json");
    assert_eq!(batch.rejected, []);
    batch
}

async fn ingest(
    registry: &Registry,
    cloud: &Cloud,
    notices: &[Value],
) -> Result<(), ingest::Error> {
    let now = "2026-11-20T12:00:00Z".parse().expect("a moment");
    ingest::ingest(registry, &cloud.objects, Source::Shab, read(notices), now).await.map(|_| ())
}

/// What a registry knows, places in the feed apart.
async fn known(registry: &Registry) -> (Vec<Company>, Vec<String>, BTreeSet<String>) {
    let uids: Vec<Uid> = [ONE, TWO].map(|it| it.parse().expect("a number")).to_vec();
    let companies = registry.companies(&uids).await.expect("read");
    let mut histories = Vec::new();
    for uid in uids {
        let mut history = registry.history(uid).await.expect("read");
        assert!(!history.has_untold(), "every event has its place");
        for recorded in &mut history.events {
            (recorded.sequence, recorded.recorded_at) = (None, None);
        }
        histories.push(serde_json::to_string(&history).expect("json"));
    }
    let feed = registry.feed(0, 1_000).await.expect("read");
    let places: Vec<u64> = feed.iter().map(|it| it.sequence).collect();
    assert!(
        places.iter().copied().eq(1..=feed.len() as u64),
        "no holes, no repetition: {places:?}"
    );
    let events = feed.into_iter().map(|it| serde_json::to_string(&it.event).expect("json"));
    (companies, histories, events.collect())
}

#[tokio::test]
async fn a_file_of_notices_leaves_the_same_registry_however_it_comes() {
    let years = years();
    let cloud = Cloud::in_memory().await.expect("a cloud");
    ingest(&cloud.registry, &cloud, &years).await.expect("ingested");
    let whole = known(&cloud.registry).await;
    assert!(whole.2.len() > 8, "{:?}", whole.2);
    ingest(&cloud.registry, &cloud, &years).await.expect("ingested");
    assert_eq!(known(&cloud.registry).await, whole, "twice");

    let reversed: Vec<Value> = years.iter().rev().cloned().collect();
    let halves = [years[..2].to_vec(), years[2..].to_vec()];
    let backwards = [years[2..].to_vec(), years[..2].to_vec()];
    let one_by_one: Vec<Vec<Value>> = reversed.iter().map(|it| vec![it.clone()]).collect();
    for files in [vec![reversed], halves.to_vec(), backwards.to_vec(), one_by_one] {
        let cloud = Cloud::in_memory().await.expect("a cloud");
        for file in &files {
            ingest(&cloud.registry, &cloud, file).await.expect("ingested");
        }
        assert_eq!(known(&cloud.registry).await, whole, "in {} files", files.len());
    }
}

#[tokio::test]
async fn an_ingest_that_dies_at_any_step_leaves_the_same_events_once() {
    let years = years();
    let cloud = Cloud::in_memory().await.expect("a cloud");
    ingest(&cloud.registry, &cloud, &years).await.expect("ingested");
    let whole = known(&cloud.registry).await;
    for step in 0..120 {
        let cloud = Cloud::in_memory().await.expect("a cloud");
        let faults = Faults::before(&cloud.dynamodb).await;
        let client = local::cloud::dynamodb_client(&faults.address);
        let registry = Registry::named(client, local::cloud::TABLES[0]);
        let mut passed = 0;
        faults.decide(move |_, _| {
            passed += 1;
            (passed > step).then_some(Fault::Down)
        });
        let died = ingest(&registry, &cloud, &years).await;
        faults.decide(|_, _| None);
        ingest(&registry, &cloud, &years).await.expect("ingested");
        assert_eq!(known(&registry).await, whole, "died at step {step}: {died:?}");
        if died.is_ok() {
            return;
        }
    }
    panic!("an ingest has more steps than that");
}

#[tokio::test]
async fn a_publication_that_is_withdrawn_is_no_longer_part_of_the_history() {
    let service = Service::start().await;
    let mut years = years();
    published(&service, years.clone()).await;
    let before = service.get(&format!("/v1/companies/{ONE}/auditor-history")).await;
    assert_eq!(
        before.body["currentAuditor"]["auditorName"], "Zweite Revision AG",
        "{}",
        before.text
    );
    let mut withdrawn = years.remove(2);
    withdrawn["meta"]["publicationState"] = json!("CANCELLED");
    published(&service, [withdrawn]).await;
    let after = service.get(&format!("/v1/companies/{ONE}/auditor-history")).await;
    assert_eq!(after.body["currentAuditor"]["auditorName"], "Erste Revision AG", "{}", after.text);
    let changes = service.get(&format!("/v1/changes/{ONE}")).await;
    let kinds: Vec<&str> = kinds(&changes.body);
    assert!(kinds.contains(&"publication_cancelled"), "{kinds:?}");
    let swaps = kinds.iter().filter(|it| **it == "auditor_change").count();
    assert_eq!(swaps, 1, "the appointment at the start, not what was withdrawn: {kinds:?}");
}

fn kinds(changes: &Value) -> Vec<&str> {
    let changes = changes.as_array().expect("a list");
    changes.iter().filter_map(|it| it["changeType"].as_str()).collect()
}

#[tokio::test]
async fn changes_say_what_happened_and_which_publication_proves_it() {
    let service = Service::start().await;
    published(&service, years()).await;
    let list = service.get("/v1/changes?type=AuditorChange&since=2022-01-01").await;
    assert_eq!(list.body["total"], 1, "{}", list.text);
    let change = &list.body["items"][0];
    assert_eq!(change["oldValue"], "Erste Revision AG");
    assert_eq!(change["newValue"], "Zweite Revision AG");
    assert_eq!(change["sourceDate"], "2022-01-10");
    let reference = change["provenance"]["reference"].as_str().expect("a publication");
    assert!(reference.ends_with("/00000000-0000-4000-8000-001000000003"), "{reference}");
    let one = service.get(&format!("/v1/changes/{}", change["id"].as_str().expect("an id"))).await;
    assert_eq!(one.body[0], *change);

    let statistics = service.get("/v1/changes/statistics").await;
    let by_type = statistics.body["byType"].as_object().expect("counts");
    let counted: u64 = by_type.values().filter_map(Value::as_u64).sum();
    assert_eq!(statistics.body["totalChanges"], counted, "{}", statistics.text);
    assert_eq!(by_type["new_registration"], 2);

    let timeline = service.get(&format!("/v1/companies/{ONE}/timeline?since=2023-01-01")).await;
    let events = timeline.body["events"].as_array().expect("events");
    let fields: BTreeSet<_> = events.iter().filter_map(|it| it["fieldName"].as_str()).collect();
    assert_eq!(fields, BTreeSet::from(["legalSeat", "name", "persons"]), "{}", timeline.text);

    let diff =
        service.get(&format!("/v1/companies/{ONE}/diff?since=2022-12-31&until=2023-12-31")).await;
    let name =
        diff.body["changes"].as_array().expect("changes").iter().find(|it| it["field"] == "name");
    let name = name.expect("the name changed");
    assert_eq!((&name["from"], &name["to"]), (&json!("Eins AG"), &json!("Eins Holding AG")));
}

#[tokio::test]
async fn events_are_cloud_events_with_the_members_that_clients_read() {
    let service = Service::start().await;
    published(&service, years()).await;
    let path = format!("/v1/companies/{TWO}/events");
    let answer = service.get(&path).await;
    let event = &answer.body["events"][0];
    assert_eq!(event["category"], "liquidation", "{}", answer.text);
    assert_eq!(event["severity"], "high");
    assert_eq!(event["ceType"], "ch.gotthard.company.liquidation");
    assert_eq!((&event["specversion"], &event["type"]), (&json!("1.0"), &event["ceType"]));
    assert_eq!((&event["subject"], &event["companyUid"]), (&json!(TWO), &json!(TWO)));
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
async fn every_event_of_a_company_stands_on_one_page() {
    let service = Service::start().await;
    published(&service, years()).await;
    let path = format!("/v1/companies/{ONE}/events?includeInternal=true");
    let all = service.get(&format!("{path}&limit=100")).await;
    let total = all.body["total"].as_u64().expect("a number");
    assert!(total > 4 && all.body["count"] == total, "{}", all.text);
    let mut paged = Vec::new();
    for page in 1..=total.div_ceil(2) {
        let answer = service.get(&format!("{path}&limit=2&page={page}")).await;
        assert_eq!(answer.body["total"], total);
        let next =
            format!("{ONE}/events?includeInternal=true&limit=2&page={}>; rel=\"next\"", page + 1);
        let link = answer.header("link");
        match page < total.div_ceil(2) {
            true => assert!(
                link.is_some_and(|it| it.starts_with('<') && it.ends_with(&next)),
                "{link:?}"
            ),
            false => assert_eq!(link, None),
        }
        paged.extend(answer.body["events"].as_array().expect("a list").clone());
    }
    assert_eq!(Value::from(paged), all.body["events"]);
    let batch = http::Request::get(format!("{path}&limit=2"))
        .header("accept", "application/cloudevents-batch+json");
    let batch = service.send(batch).await;
    assert!(batch.header("link").is_some_and(|it| it.contains("&page=2>")), "{:?}", batch.headers);
    let beyond = service.get(&format!("{path}&page=100")).await;
    assert_eq!(beyond.header("link"), None);
    assert_eq!((&beyond.body["count"], &beyond.body["events"]), (&json!(0), &json!([])));
}

#[tokio::test]
async fn a_long_history_comes_page_by_page() {
    let service = Service::start().await;
    published(&service, years()).await;
    let lines = |it: &Value| {
        let lines = it.get("events").or(it.get("changes")).unwrap_or(it);
        lines.as_array().expect("a list").clone()
    };
    let total = |it: &Value| it.get("totalEvents").or(it.get("totalChanges")).cloned();
    for path in [
        format!("/v1/companies/{ONE}/timeline?since=2020-01-01"),
        format!("/v1/companies/{ONE}/diff?since=2019-12-31"),
        format!("/v1/changes/{ONE}?includeInternal=true"),
    ] {
        let whole = service.get(&path).await;
        assert_eq!(whole.header("link"), None, "{path}");
        let (mut paged, mut next) = (Vec::new(), Some(format!("{path}&limit=2")));
        while let Some(path) = next {
            let page = service.get(&path).await;
            assert_eq!(total(&page.body), total(&whole.body), "{path}");
            assert!((1..=2).contains(&lines(&page.body).len()), "{path}: {}", page.text);
            paged.extend(lines(&page.body));
            let link = page.header("link").map(|it| it.trim_end_matches(">; rel=\"next\""));
            next = link.map(|it| it[it.find("/v1/").expect("an address")..].to_owned());
        }
        assert!(paged.len() > 2 && paged == lines(&whole.body), "{path}: {}", whole.text);
        let beyond = service.get(&format!("{path}&page=1000")).await;
        assert_eq!((lines(&beyond.body).len(), beyond.header("link")), (0, None));
        let refused = service.get(&format!("{path}&limit=1001")).await;
        assert!(refused.detail().contains("1 to 1000"), "{}", refused.text);
    }
}

#[tokio::test]
async fn a_day_that_is_still_to_come_is_refused() {
    let service = Service::start().await;
    published(&service, years()).await;
    for path in [
        format!("/v1/companies/{ONE}"),
        format!("/v1/companies/{ONE}/full"),
        format!("/v1/companies/{ONE}/auditor-history"),
        format!("/v1/persons/board-members/{ONE}"),
    ] {
        // The clock stands at noon of 2026-11-20.
        let today = service.get(&format!("{path}?asOf=2026-11-20")).await;
        assert_eq!(today.status.as_u16(), 200, "{path}: {}", today.text);
        let tomorrow = service.get(&format!("{path}?asOf=2026-11-21")).await;
        assert_eq!(tomorrow.status.as_u16(), 400, "{path}: {}", tomorrow.text);
        assert_eq!(tomorrow.detail(), "asOf: `2026-11-21` is after today, 2026-11-20", "{path}");
        assert_eq!(tomorrow.body["errors"][0]["member"], "asOf", "{path}");
    }
}

#[tokio::test]
async fn a_company_is_answered_as_it_was_on_a_day_with_what_proves_it() {
    let service = Service::start().await;
    published(&service, years()).await;
    let on = async |day: &str| service.get(&format!("/v1/companies/{ONE}?asOf={day}")).await;
    assert_eq!(on("2020-03-01").await.status.as_u16(), 404, "not entered yet");
    let early = on("2022-06-30").await;
    assert_eq!(
        (&early.body["name"], &early.body["legalSeat"]),
        (&json!("Eins AG"), &json!("Bern")),
        "{}",
        early.text
    );
    assert_eq!(early.body["auditorName"], "Zweite Revision AG");
    let proof = early.body["proofs"]["auditorName"]["reference"].as_str().expect("a publication");
    assert!(proof.ends_with("001000000003"), "{proof}");
    let late = on("2023-05-02").await;
    assert_eq!(
        (&late.body["name"], &late.body["legalSeat"]),
        (&json!("Eins Holding AG"), &json!("Thun"))
    );
    let full = service.get(&format!("/v1/companies/{ONE}/full?asOf=2021-12-31")).await;
    let persons = full.body["persons"].as_array().expect("persons");
    assert_eq!(persons.len(), 1, "{}", full.text);
    assert_eq!(persons[0]["lastName"], "Musterfrau");
    assert!(persons[0]["source"]["reference"].is_string());
    let history =
        service.get(&format!("/v1/companies/{ONE}/auditor-history?asOf=2021-12-31")).await;
    assert_eq!(history.body["currentAuditor"]["auditorName"], "Erste Revision AG");
    assert_eq!(history.body["currentAuditor"]["tenureYears"], 1.8, "{}", history.text);
}

#[tokio::test]
async fn a_whole_company_of_a_day_names_the_proof_of_every_line() {
    let service = Service::start().await;
    let merger = "Fusion: Übernahme der Aktiven und Passiven der Zwei AG, in Bern (CHE-600.000.029), \
                  gemäss Fusionsvertrag.";
    let merger = notice(1_000_000_006, "2025-01-07", ONE, "Eins AG", merger);
    published(&service, years().into_iter().chain([merger])).await;
    let on = async |day: &str| service.get(&format!("/v1/companies/{ONE}/full?asOf={day}")).await;
    let early = on("2021-12-31").await;
    let proof = |answer: &Answer, member: &str| answer.body["proofs"][member]["date"].clone();
    for member in ["name", "legalSeat", "status", "registrationDate", "auditorName"] {
        assert_eq!(proof(&early, member), "2020-03-02", "{member}: {}", early.text);
        assert!(early.body["company"][member].is_string(), "{member}: {}", early.text);
    }
    assert_eq!(early.body["relationships"], json!([]));
    let late = on("2025-01-07").await;
    assert_eq!(proof(&late, "affiliations"), "2025-01-07", "{}", late.text);
    for answer in [late, service.get(&format!("/v1/companies/{ONE}/full")).await] {
        let related = &answer.body["relationships"][0];
        assert_eq!(
            (&related["relatedUid"], &related["source"]["date"]),
            (&json!(TWO), &json!("2025-01-07"))
        );
    }
}

#[tokio::test]
async fn a_company_of_the_linked_data_is_not_found_before_its_day() {
    let service = Service::start().await;
    let page = format!(
        r#"{{"results": {{"bindings": [{{"entity": {{"value": "https://register.ld.admin.ch/zefix/company/1"}},
            "legalName": {{"value": "Eins AG"}}, "uid": {{"value": "{}"}}}}]}}}}"#,
        ONE.replace(['-', '.'], "")
    );
    let batch = sources::read(Source::Lindas, page.as_bytes()).expect("json");
    let day = "2026-03-15".parse().ok();
    ingested(&service, Source::Lindas, batch.dated(day)).await;
    let on = async |day: &str| service.get(&format!("/v1/companies/{ONE}?asOf={day}")).await;
    let then = on("2026-03-15").await.body;
    assert_eq!((&then["name"], &then["status"]), (&json!("Eins AG"), &json!("ACTIVE")));
    let before = on("1850-01-01").await;
    assert_eq!(before.status.as_u16(), 404);
    assert_eq!(
        before.detail(),
        format!("nothing proves that {ONE} was in the commercial register on 1850-01-01")
    );
}

#[tokio::test]
async fn a_merged_company_still_answers_and_names_who_supersedes_it() {
    let service = Service::start().await;
    let text = "Aktiven und Passiven gehen infolge Fusion auf die Eins Holding AG, in Thun \
                (CHE-600.000.012), über. Die Gesellschaft wird gelöscht.";
    let mut end = notice(1_000_000_006, "2025-01-07", TWO, "Zwei AG", text);
    end["meta"]["subRubric"] = json!("HR03");
    end["meta"]["publicationNumber"] = json!("HR03-1000000006");
    end["content"]["commonsNew"] = Value::Null;
    published(&service, years().into_iter().chain([end])).await;
    let merged = service.get(&format!("/v1/companies/{TWO}")).await;
    assert_eq!(merged.status.as_u16(), 200, "{}", merged.text);
    assert_eq!(
        (&merged.body["status"], &merged.body["supersededBy"]),
        (&json!("CANCELLED"), &json!(ONE)),
        "{}",
        merged.text
    );
    let before = service.get(&format!("/v1/companies/{TWO}?asOf=2025-01-06")).await;
    assert!(before.body["supersededBy"].is_null(), "{}", before.text);
}

#[tokio::test]
async fn a_merged_company_names_who_supersedes_it_though_only_the_other_says_so() {
    let deletion = "Die Gesellschaft wird infolge Fusion im Handelsregister gelöscht.";
    let mut end = notice(1_000_000_007, "2025-01-08", TWO, "Zwei AG", deletion);
    end["meta"]["subRubric"] = json!("HR03");
    end["meta"]["publicationNumber"] = json!("HR03-1000000007");
    end["content"]["commonsNew"] = Value::Null;
    let text = "Übernahme der Aktiven und Passiven der Zwei AG, in Bern (CHE-600.000.029), gemäss \
                Fusionsvertrag vom 19.12.2024 und Bilanz per 31.12.2023.";
    let merger = notice(1_000_000_006, "2025-01-07", ONE, "Eins Holding AG", text);
    let notices: Vec<Value> = years().into_iter().chain([merger.clone(), end]).collect();
    let reversed: Vec<Value> = notices.iter().rev().cloned().collect();
    let halves = [&notices[..6], &notices[6..]].map(<[Value]>::to_vec);
    let backwards = [&notices[6..], &notices[..6]].map(<[Value]>::to_vec);
    let mut answers = BTreeSet::new();
    for files in [vec![notices.clone(), notices], vec![reversed], halves.into(), backwards.into()] {
        let service = Service::start().await;
        for file in files {
            published(&service, file).await;
        }
        let merged = service.get(&format!("/v1/companies/{TWO}")).await;
        assert_eq!(merged.body["supersededBy"], ONE, "{}", merged.text);
        answers.insert(merged.text);
        let before = service.get(&format!("/v1/companies/{TWO}?asOf=2025-01-07")).await;
        assert!(before.body["supersededBy"].is_null(), "not deleted yet: {}", before.text);
        let after = service.get(&format!("/v1/companies/{TWO}?asOf=2025-01-08")).await;
        assert_eq!(after.body["supersededBy"], ONE, "{}", after.text);
        let proof = after.body["proofs"]["supersededBy"]["reference"].as_str();
        assert!(proof.is_some_and(|it| it.ends_with("001000000006")), "{}", after.text);

        let mut withdrawn = merger.clone();
        withdrawn["meta"]["publicationState"] = json!("CANCELLED");
        published(&service, [withdrawn, merger.clone()]).await;
        let alone = service.get(&format!("/v1/companies/{TWO}")).await;
        assert!(alone.body["supersededBy"].is_null(), "withdrawn for good: {}", alone.text);
    }
    assert_eq!(answers.len(), 1, "the same however it comes: {answers:?}");
}

/// Follows the feed to its end, some at a time.
async fn follow(service: &Service, filter: &str, limit: usize, from: Option<&str>) -> Vec<Value> {
    let key = service.key(Tier::Enterprise).await;
    let (mut found, mut cursor) = (Vec::new(), from.map(str::to_owned));
    loop {
        let after = cursor.as_deref().map(|it| format!("&cursor={it}")).unwrap_or_default();
        let path = format!("/v1/changes/feed?limit={limit}{filter}{after}");
        let page: Answer = service.get_as(&key, &path).await;
        found.extend(page.body["items"].as_array().expect("items").iter().cloned());
        cursor = page.body["nextCursor"].as_str().map(str::to_owned);
        assert!(cursor.is_some(), "a cursor, always: {}", page.text);
        if page.body["hasMore"] == false {
            return found;
        }
    }
}

#[tokio::test]
async fn the_feed_replayed_from_the_start_gives_the_generation_it_leads_to() {
    let service = Service::start().await;
    let years = years();
    published(&service, years[..3].to_vec()).await;
    // The last ones are newer than the generation.
    let cloud = &service.cloud;
    ingest(&cloud.registry, cloud, &years[3..]).await.expect("ingested");
    let whole = follow(&service, "", 100, None).await;
    for limit in [1, 2, 3, 7] {
        assert_eq!(follow(&service, "", limit, None).await, whole, "{limit} at a time");
    }
    let places: Vec<u64> = whole.iter().filter_map(|it| it["sequence"].as_u64()).collect();
    assert!(places.iter().copied().eq(1..=whole.len() as u64), "{places:?}");
    let of_one = |it: &&Value| it["companyUid"] == ONE;
    let filtered = follow(&service, &format!("&uids={ONE}"), 2, None).await;
    assert!(
        filtered.iter().eq(whole.iter().filter(of_one)),
        "filters leave out, and do not reorder"
    );

    service.publish().await;
    let key = service.key(Tier::Enterprise).await;
    let list = service.get_as(&key, "/v1/changes?pageSize=100&includeInternal=true").await;
    let mut listed = list.body["items"].as_array().expect("items").clone();
    listed.reverse();
    assert_eq!(follow(&service, "", 2, None).await, whole, "it does not change behind a cursor");
    assert_eq!(listed, whole, "the generation lists what the feed told");
    // What the events say of names, seats and states, played back, is what the records say.
    let mut told: BTreeMap<(String, String), Value> = BTreeMap::new();
    for event in &whole {
        let field = event["fieldName"].as_str().unwrap_or_default();
        if matches!(field, "name" | "legalSeat" | "status" | "auditorName") {
            let uid = event["companyUid"].as_str().expect("a number").to_owned();
            told.insert((uid, field.to_owned()), event["newValue"].clone());
        }
    }
    for ((uid, field), value) in told {
        let record = service.get_as(&key, &format!("/v1/companies/{uid}")).await;
        assert_eq!(record.body[&field], value, "{field} of {uid}");
    }
}

/// What a client holds that follows the feed as its description says.
fn replayed(feed: &[Value]) -> Vec<Value> {
    let mut held: Vec<Value> = Vec::new();
    for told in feed {
        let replaces = told["replaces"].as_array().cloned().unwrap_or_default();
        held.retain(|it| !replaces.contains(&it["id"]));
        held.push(told.clone());
    }
    held
}

#[tokio::test]
async fn what_is_learnt_later_comes_at_the_end_of_the_feed_and_says_what_it_replaces() {
    let service = Service::start().await;
    let swap = years().remove(2);
    // The register's copy of the publication, the gazette's own form, and its withdrawal.
    let copy = json!({
        "uid": ONE, "name": "Eins AG", "canton": "BE", "status": "ACTIVE",
        "sogcPub": [{ "sogcDate": "2022-01-10", "sogcId": 1_000_000_003,
            "message": swap["content"]["publicationText"] }],
    });
    let copy = sources::read(Source::Zefix, copy.to_string().as_bytes()).expect("json");
    ingested(&service, Source::Zefix, copy).await;
    service.publish().await;
    let first = follow(&service, "", 100, None).await;
    assert_eq!(first.len(), 1);
    let (cloud, mut withdrawn) = (&service.cloud, swap.clone());
    withdrawn["meta"]["publicationState"] = json!("CANCELLED");
    let key = service.key(Tier::Enterprise).await;
    let mut before = first;
    for notice in [swap, withdrawn] {
        ingest(&cloud.registry, cloud, &[notice]).await.expect("ingested");
        let (ahead, counts) = (follow(&service, "", 1, None).await, before.len());
        assert_eq!(ahead[..counts], before, "nothing before a cursor changes");
        assert_eq!(ahead[counts]["replaces"], json!([before[counts - 1]["id"]]));
        service.publish().await;
        assert_eq!(follow(&service, "", 2, None).await, ahead, "nor does a generation change it");
        let list = service.get_as(&key, "/v1/changes?pageSize=100&includeInternal=true").await;
        let mut listed = list.body["items"].as_array().expect("items").clone();
        listed.reverse();
        assert_eq!(listed, replayed(&ahead));
        let statistics = service.get("/v1/changes/statistics").await;
        assert_eq!(statistics.body["totalChanges"], 1, "{}", statistics.text);
        let company = service.get(&format!("/v1/companies?search={ONE}&minChanges=2")).await;
        assert_eq!(company.body["total"], 0, "what is replaced is not counted: {}", company.text);
        // What is replaced is still found, with what it was replaced by.
        let id = before[counts - 1]["id"].as_str().expect("an id");
        let gone = service.get(&format!("/v1/changes/{id}")).await;
        let mut expected = before[counts - 1].clone();
        expected["replacedBy"] = ahead[counts]["id"].clone();
        assert_eq!(gone.body[0], expected);
        before = ahead;
    }
    assert_eq!(
        kinds(&Value::from(before)),
        ["auditor_change", "auditor_change", "publication_cancelled"]
    );
}

#[tokio::test]
async fn a_change_that_is_newer_than_the_generation_is_found_and_reviewed() {
    let service = Service::start().await;
    let years = years();
    published(&service, years[..3].to_vec()).await;
    let cloud = &service.cloud;
    ingest(&cloud.registry, cloud, &years[3..]).await.expect("ingested");
    let newest = follow(&service, "", 100, None).await.pop().expect("a change");
    let id = newest["id"].as_str().expect("an id");
    assert_eq!(service.get(&format!("/v1/changes/{id}")).await.body[0], newest);
    let key = service.key(Tier::Starter).await;
    let request = http::Request::put(format!("/v1/changes/{id}/review"));
    let answer = service.send(tests::bearing(&key, request)).await;
    assert_eq!(answer.status.as_u16(), 204, "{}", answer.text);
}

#[tokio::test]
async fn a_team_notes_that_it_has_looked_at_a_change() {
    let service = Service::start().await;
    published(&service, years()).await;
    let key = service.key(Tier::Starter).await;
    let list = service.get("/v1/changes").await;
    let id = list.body["items"][0]["id"].as_str().expect("an id");
    for _ in 0..2 {
        let request = http::Request::put(format!("/v1/changes/{id}/review"));
        let answer = service.send(tests::bearing(&key, request)).await;
        assert_eq!((answer.status.as_u16(), answer.text.as_str()), (204, ""));
    }
    let unknown = http::Request::put("/v1/changes/00000000-0000-4000-8000-000000000000/review");
    let answer = service.send(tests::bearing(&key, unknown)).await;
    assert_eq!((answer.status.as_u16(), answer.slug()), (404, "not-found"));

    let company = list.body["items"][0]["companyUid"].as_str().expect("a company");
    let other = service.key(Tier::Starter).await;
    for path in
        ["/v1/changes".to_owned(), format!("/v1/changes/{company}"), format!("/v1/changes/{id}")]
    {
        let reviewed = async |key: &str| {
            let answer = service.send(tests::bearing(key, http::Request::get(&path))).await;
            let changes = answer.body.get("items").unwrap_or(&answer.body).clone();
            let changes: Vec<Value> = serde_json::from_value(changes).expect("changes");
            let reviewed = changes.into_iter().filter(|it| it.get("reviewedAt").is_some());
            reviewed.map(|it| it["id"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(reviewed(&key).await, [json!(id)], "{path}");
        assert_eq!(reviewed(&other).await, [] as [Value; 0], "{path}");
        assert!(!service.get(&path).await.text.contains("reviewedAt"), "{path}");
    }
}

#[tokio::test]
async fn a_cursor_that_is_none_is_refused() {
    let service = Service::start().await;
    published(&service, years()).await;
    let refused = service.get("/v1/changes/feed?cursor=abc").await;
    assert_eq!(refused.status.as_u16(), 400);
    assert!(
        refused.detail().contains("cursor") && refused.detail().contains("`abc`"),
        "{}",
        refused.text
    );
}

#[tokio::test]
async fn sources_say_how_fresh_they_are() {
    let service = Service::start().await;
    published(&service, years()).await;
    let answer = service.get("/v1/sources/freshness").await;
    let sources = answer.body["sources"].as_array().expect("sources");
    let shab = sources.iter().find(|it| it["source"] == "shab").expect("the gazette");
    assert_eq!(
        (&shab["lastPublication"], &shab["read"]),
        (&json!("2024-02-06"), &json!(5)),
        "{shab}"
    );
    let generation = &answer.body["generation"];
    assert_eq!(generation["asOfSequence"], generation["lastSequence"], "{}", answer.text);
    let status = service.get("/v1/sync/status").await;
    let pipelines = status.body["pipelines"].as_array().expect("pipelines");
    let finma = pipelines.iter().find(|it| it["pipeline"] == "finma").expect("the authority");
    assert_eq!((&finma["status"], &finma["health"]), (&json!("idle"), &json!("never")));
    let dashboard = service.get("/v1/dashboard").await;
    assert_eq!(dashboard.body["data"]["totalCompanies"], 2, "{}", dashboard.text);
    assert_eq!(dashboard.body["auditorTenures"]["currentAuditors"], 1);
}
