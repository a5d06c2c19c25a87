//! Annual reports with their figures.

use domain::{Source, Uid};
use http::StatusCode;
use serde_json::json;
use tests::{Service, company};

const UID: &str = "CHE-600.000.026";

/// Stores the facts of a table of reports.
pub(crate) async fn store(service: &Service, table: &str) {
    let batch = sources::read(Source::Reports, table.as_bytes()).expect("a table");
    assert!(batch.rejected.is_empty(), "{:?}", batch.rejected);
    let uid: Uid = UID.parse().expect("a number");
    service
        .cloud
        .registry
        .record_facts(uid, &facts::facts(batch.statements))
        .await
        .expect("stored");
}

const TABLE: &str = "\
uid,fiscalYear,currency,revenue,netIncome,employees,sourceUrl,publicationDate
CHE600000026,2023,CHF,1000000.25,-5000,30,https://muster.example/2023.pdf,2024-03-01
CHE600000026,2024,CHF,2000000,,,https://muster.example/2024.pdf,2025-03-01
CHE600000026,2023,CHF,1100000,-5000,30,https://muster.example/2023b.pdf,2024-04-01
";

#[tokio::test]
async fn reports_are_sorted_latest_year_first_and_omit_unknown_figures() {
    let service = Service::with([company(UID, "Muster AG")]).await;
    store(&service, TABLE).await;
    let reports = service.get(&format!("/v1/companies/{UID}/reports")).await;
    let mut reports = reports.body;
    for report in reports.as_array_mut().expect("a list") {
        assert!(report["id"].take().as_str().is_some_and(|it| it.len() == 36));
    }
    insta::assert_json_snapshot!(reports, @r#"
    [
      {
        "currency": "CHF",
        "fiscalYear": 2024,
        "id": null,
        "provenance": {
          "date": "2025-03-01",
          "reference": "https://muster.example/2024.pdf",
          "source": "reports"
        },
        "publicationDate": "2025-03-01",
        "reportType": "annual",
        "revenue": 2000000,
        "sourceUrl": "https://muster.example/2024.pdf"
      },
      {
        "currency": "CHF",
        "employees": 30,
        "fiscalYear": 2023,
        "id": null,
        "netIncome": -5000,
        "provenance": {
          "date": "2024-04-01",
          "reference": "https://muster.example/2023b.pdf",
          "source": "reports"
        },
        "publicationDate": "2024-04-01",
        "reportType": "annual",
        "revenue": 1100000,
        "sourceUrl": "https://muster.example/2023b.pdf"
      }
    ]
    "#);
}

#[tokio::test]
async fn parsed_at_changes_only_when_a_report_is_corrected() {
    let service = Service::with([company(UID, "Muster AG")]).await;
    let parsed_at = async |lines: &[usize]| {
        let table: Vec<&str> = lines.iter().filter_map(|at| TABLE.lines().nth(*at)).collect();
        let batch = sources::read(Source::Reports, table.join("\n").as_bytes()).expect("a table");
        let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
        let done = ingest::ingest(registry, objects, Source::Reports, batch, service.now()).await;
        done.expect("ingested");
        let reports = service.get(&format!("/v1/companies/{UID}/reports")).await;
        reports.body[0]["parsedAt"].as_str().expect("a moment").to_owned()
    };
    assert_eq!(parsed_at(&[0, 1]).await, "2026-11-20T12:30:00Z");
    service.pass_seconds(3_600);
    assert_eq!(parsed_at(&[0, 1]).await, "2026-11-20T12:30:00Z", "the report is unchanged");
    assert_eq!(parsed_at(&[0, 3]).await, "2026-11-20T13:30:00Z");
}

#[tokio::test]
async fn amounts_keep_every_digit() {
    let service = Service::with([company(UID, "Muster AG")]).await;
    let table = TABLE.lines().take(2).collect::<Vec<_>>().join("\n");
    store(&service, &table).await;
    let answer = service.get(&format!("/v1/companies/{UID}/reports")).await;
    assert!(answer.text.contains("\"revenue\":1000000.25,"), "{}", answer.text);
    assert!(answer.text.contains("\"netIncome\":-5000,"), "{}", answer.text);
}

#[tokio::test]
async fn a_corrected_report_keeps_its_id() {
    let service = Service::with([company(UID, "Muster AG")]).await;
    let lines: Vec<&str> = TABLE.lines().collect();
    store(&service, &[lines[0], lines[1]].join("\n")).await;
    let before = service.get(&format!("/v1/companies/{UID}/reports")).await;
    store(&service, &[lines[0], lines[3]].join("\n")).await;
    let after = service.get(&format!("/v1/companies/{UID}/reports")).await;
    assert_eq!(after.body.as_array().map(Vec::len), Some(1));
    assert_eq!(after.body[0]["id"], before.body[0]["id"]);
    assert_eq!(after.body[0]["revenue"], json!(1_100_000));
}

#[tokio::test]
async fn a_company_without_reports_has_an_empty_list_and_an_unknown_company_is_not_found() {
    let service = Service::with([company(UID, "Muster AG")]).await;
    let none = service.get(&format!("/v1/companies/{UID}/reports")).await;
    assert_eq!((none.status, none.text.as_str()), (StatusCode::OK, "[]"));
    let unknown = service.get("/v1/companies/CHE-000.000.000/reports").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    let refused = service.get(&format!("/v1/companies/{UID}/reports?limit=1")).await;
    assert_eq!(refused.body["errors"][0]["member"], "limit");
}
