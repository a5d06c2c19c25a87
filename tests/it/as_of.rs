//! `asOf`: a company as of an earlier date, with the publication that proves each value.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use domain::Source;
use futures_util::future::join_all;
use local::cloud::clients::dynamodb_client;
use publications::Publication;
use serde_json::json;
use store::Registry;
use tests::{
    Answer, Service,
    faults::{Fault, Faults},
};

use crate::two_companies::{self, EINS, ZWEI};

#[tokio::test]
async fn a_future_date_is_refused() {
    let service = Service::start().await;
    service.ingest_publications(two_companies::publications()).await;
    for path in [
        format!("/v1/companies/{EINS}"),
        format!("/v1/companies/{EINS}/full"),
        format!("/v1/companies/{EINS}/auditor-history"),
        format!("/v1/persons/board-members/{EINS}"),
    ] {
        // The test's clock shows noon of 2026-11-20.
        let today = service.get(&format!("{path}?asOf=2026-11-20")).await;
        assert_eq!(today.status.as_u16(), 200, "{path}: {}", today.text);
        let tomorrow = service.get(&format!("{path}?asOf=2026-11-21")).await;
        assert_eq!(tomorrow.status.as_u16(), 400, "{path}: {}", tomorrow.text);
        assert_eq!(
            tomorrow.detail(),
            "asOf: must not be after today (2026-11-20); got `2026-11-21`",
            "{path}"
        );
        assert_eq!(tomorrow.body["errors"][0]["member"], "asOf", "{path}");
    }
}

#[tokio::test]
async fn a_company_has_the_values_of_the_date_and_names_their_publications() {
    let service = Service::start().await;
    service.ingest_publications(two_companies::publications()).await;
    let on = async |date: &str| service.get(&format!("/v1/companies/{EINS}?asOf={date}")).await;
    assert_eq!(on("2020-03-01").await.status.as_u16(), 404, "before its registration");
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
    let full = service.get(&format!("/v1/companies/{EINS}/full?asOf=2021-12-31")).await;
    let persons = full.body["persons"].as_array().expect("persons");
    assert_eq!(persons.len(), 1, "{}", full.text);
    assert_eq!(persons[0]["lastName"], "Musterfrau");
    assert!(persons[0]["source"]["reference"].is_string());
    let history =
        service.get(&format!("/v1/companies/{EINS}/auditor-history?asOf=2021-12-31")).await;
    assert_eq!(history.body["currentAuditor"]["auditorName"], "Erste Revision AG");
    assert_eq!(history.body["currentAuditor"]["tenureYears"], 1.8, "{}", history.text);
}

#[tokio::test]
async fn the_state_of_today_is_the_current_one() {
    let service = Service::start().await;
    service.ingest_publications(two_companies::publications()).await;
    for path in [format!("/v1/companies/{EINS}"), format!("/v1/companies/{EINS}/full")] {
        let current = service.get(&path).await.body;
        let mut today = service.get(&format!("{path}?asOf=2026-11-20")).await.body;
        let members = today.as_object_mut().expect("a record");
        assert_eq!(members.remove("asOf"), Some(json!("2026-11-20")), "{path}");
        assert!(members.remove("proofs").is_some(), "{path}");
        assert_eq!(today, current, "{path}");
    }
}

#[tokio::test]
async fn a_change_is_the_same_on_every_day() {
    let service = Service::start().await;
    service.ingest_publications(two_companies::publications()).await;
    let full = async |query: &str| {
        let answer = service.get(&format!("/v1/companies/{EINS}/full{query}")).await;
        answer.body["recentChanges"].as_array().expect("changes").clone()
    };
    let (current, past) = (full("").await, full("?asOf=2022-06-01").await);
    assert!(!past.is_empty() && past.len() < current.len(), "{past:?}");
    for change in past {
        assert_eq!(current.iter().find(|it| it["id"] == change["id"]), Some(&change));
    }
}

#[tokio::test]
async fn every_current_member_has_its_proof_with_a_link() {
    let service = Service::start().await;
    service.ingest_publications(two_companies::publications()).await;
    let company = format!("/v1/companies/{EINS}");
    let record = service.get(&company).await;
    let proved = service.get(&format!("{company}?proofs=true")).await;
    let full = service.get(&format!("{company}/full?proofs=true")).await;
    assert_eq!(full.body["proofs"], proved.body["proofs"], "{}", full.text);
    assert!(record.body["proofs"].is_null(), "{}", record.text);
    for (member, _) in record.body.as_object().expect("a record") {
        // Not stated by a source: the number identifies the company, the others are about the record, or counted.
        let about_the_record = ["uid", "sources", "dataSource", "auditorSource", "updatedAt"];
        let counted = ["dataQualityScore", "enrichmentLevel"];
        if about_the_record.iter().chain(&counted).any(|it| it == member) {
            continue;
        }
        assert_eq!(proved.body[member], record.body[member]);
        assert_is_linked(&proved.body["proofs"][member], member);
    }
    let auditor = &proved.body["proofs"]["auditorName"];
    assert_eq!(auditor["reference"], auditor["url"]);

    let board = format!("/v1/persons/board-members/{EINS}");
    let auditors = format!("{company}/auditor-history");
    for (path, list) in [(board, ""), (auditors, "/history"), (company + "/full", "/persons")] {
        let [without, with] =
            [service.get(&path).await, service.get(&format!("{path}?proofs=true")).await];
        let [without, with] =
            [&without, &with].map(|it| it.body.pointer(list).and_then(|it| it.as_array()));
        let (without, with) = (without.expect("a list"), with.expect("a list"));
        assert!(!with.is_empty() && with.len() == without.len(), "{path}");
        for (without, with) in without.iter().zip(with) {
            assert!(without["proof"].is_null(), "{path}: {without}");
            assert_is_linked(&with["proof"], &path);
        }
    }
    let refused = service.get(&format!("/v1/companies/{EINS}?proofs=maybe")).await;
    assert_eq!(refused.status.as_u16(), 400, "{}", refused.text);
}

/// Asserts that a proof names a publication of the gazette, its day and its page.
fn assert_is_linked(proof: &serde_json::Value, what: &str) {
    let url = proof["url"].as_str().unwrap_or_default();
    let page = "https://www.shab.ch/#!/search/publications/detail/";
    assert!(url.starts_with(page), "{what}: {proof}");
    assert!(proof["source"] == "shab" && proof["date"].is_string(), "{what}: {proof}");
}

#[tokio::test]
async fn a_full_record_names_the_publication_of_every_value() {
    let service = Service::start().await;
    let merger = Publication::mutation(EINS, "Eins AG").number(1_000_000_006).on("2025-01-07").text(
        "Fusion: Übernahme der Aktiven und Passiven der Zwei AG, in Bern (CHE-600.000.029), gemäss \
         Fusionsvertrag.",
    );
    service.ingest_publications(two_companies::publications().into_iter().chain([merger])).await;
    let on =
        async |date: &str| service.get(&format!("/v1/companies/{EINS}/full?asOf={date}")).await;
    let early = on("2021-12-31").await;
    let proof = |answer: &Answer, member: &str| answer.body["proofs"][member]["date"].clone();
    for member in ["name", "legalSeat", "status", "registrationDate", "auditorName"] {
        assert_eq!(proof(&early, member), "2020-03-02", "{member}: {}", early.text);
        assert!(early.body["company"][member].is_string(), "{member}: {}", early.text);
    }
    assert_eq!(early.body["relationships"], json!([]));
    let late = on("2025-01-07").await;
    assert_eq!(proof(&late, "affiliations"), "2025-01-07", "{}", late.text);
    for answer in [late, service.get(&format!("/v1/companies/{EINS}/full")).await] {
        let related = &answer.body["relationships"][0];
        assert_eq!(
            (&related["relatedUid"], &related["source"]["date"]),
            (&json!(ZWEI), &json!("2025-01-07"))
        );
    }
}

#[tokio::test]
async fn a_company_of_the_linked_data_is_not_found_before_the_date_of_its_list() {
    let service = Service::start().await;
    let page = format!(
        r#"{{"results": {{"bindings": [{{"entity": {{"value": "https://register.ld.admin.ch/zefix/company/1"}},
            "legalName": {{"value": "Eins AG"}}, "uid": {{"value": "{}"}}}}]}}}}"#,
        EINS.replace(['-', '.'], "")
    );
    let batch = sources::read(Source::Lindas, page.as_bytes()).expect("json");
    let date = "2026-03-15".parse().ok();
    service.ingest(Source::Lindas, batch.dated(date)).await;
    let on = async |date: &str| service.get(&format!("/v1/companies/{EINS}?asOf={date}")).await;
    let listed = on("2026-03-15").await.body;
    assert_eq!((&listed["name"], &listed["status"]), (&json!("Eins AG"), &json!("ACTIVE")));
    let before = on("1850-01-01").await;
    assert_eq!(before.status.as_u16(), 404);
    assert_eq!(
        before.detail(),
        format!("no source shows that {EINS} was in the commercial register on 1850-01-01")
    );
}

#[tokio::test]
async fn concurrent_requests_about_the_past_of_a_company_read_its_facts_once() {
    let mut cloud = tests::cloud().await;
    let faults = Faults::before(&cloud.endpoints.dynamodb).await;
    cloud.registry = Registry::named(dynamodb_client(&faults.address), &cloud.tables[0]);
    let service = Service::over(cloud).await;
    service.ingest_publications(two_companies::publications()).await;
    let (reads, is_down) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(true)));
    let (counted, down) = (reads.clone(), is_down.clone());
    faults.decide(move |operation, request| {
        let is_read = operation == "Query" && request.to_string().contains("\"FACT#\"");
        if is_read {
            counted.fetch_add(1, Ordering::SeqCst);
        }
        (is_read && down.load(Ordering::SeqCst)).then_some(Fault::Down)
    });
    let years: Vec<String> =
        (0..8).map(|it| format!("/v1/companies/{EINS}?asOf={}-12-31", 2018 + it)).collect();
    // They share a failure too, which is not remembered.
    for answer in join_all(years.iter().map(|it| service.get(it))).await {
        assert_eq!(answer.status.as_u16(), 500, "{}", answer.text);
    }
    is_down.store(false, Ordering::SeqCst);
    reads.store(0, Ordering::SeqCst);
    let answers = join_all(years.iter().map(|it| service.get(it))).await;
    let statuses: Vec<u16> = answers.iter().map(|it| it.status.as_u16()).collect();
    assert_eq!(statuses, [404, 404, 200, 200, 200, 200, 200, 200]);
    assert_eq!(reads.load(Ordering::SeqCst), 1);
}
