//! Fingerprint: a short profile of a company.

use domain::{
    Canton, Source,
    company::{Affiliation, AffiliationKind},
};
use http::StatusCode;
use serde_json::json;
use tests::{Service, company};

use crate::reports;

const UID: &str = "CHE-600.000.026";

#[tokio::test]
async fn a_fingerprint_of_a_company_without_data_has_every_required_member() {
    let service = Service::with([company(UID, "Muster AG")]).await;
    let answer = service.get(&format!("/v1/companies/{UID}/fingerprint")).await;
    insta::assert_json_snapshot!(answer.body, @r#"
    {
      "boardSize": 0,
      "canton": "",
      "changeFrequency": 0,
      "companyAge": 0,
      "companyUid": "CHE-600.000.026",
      "fingerprintVersion": "1.0",
      "generatedAt": "2026-11-19T23:00:00Z",
      "hasParentCompany": false,
      "legalForm": "",
      "name": "Muster AG",
      "sources": [],
      "status": "ACTIVE",
      "subsidiaryCount": 0,
      "summary": "Muster AG is an active company."
    }
    "#);
}

#[tokio::test]
async fn a_fingerprint_combines_register_publications_and_reports_and_lists_their_sources() {
    let service = Service::start().await;
    let record = json!({
        "name": "Muster AG", "uid": "CHE600000026", "canton": "ZH", "status": "ACTIVE", "sogcDate": "2026-03-24",
        "legalSeat": "Zürich", "capitalNominal": 100_000, "capitalCurrency": "CHF",
        "purpose": "Entwicklung von Software und Programmierung.",
        "sogcPub": [
            { "sogcDate": "2003-05-01", "sogcId": 1_000_000_001_u64, "registryOfCommerceId": 20, "registryOfCommerceCanton": "ZH",
              "message": "Muster AG, in Zürich, CHE-600.000.026, Altweg 1, 8001 Zürich, Aktiengesellschaft (Neueintragung). Eingetragene Personen: Muster, Regula, von Bern, in Zürich, Präsidentin des Verwaltungsrates, mit Einzelunterschrift.",
              "mutationTypes": [{ "id": 2, "key": "status.neu" }] },
            { "sogcDate": "2026-03-24", "sogcId": 1_005_000_001_u64, "registryOfCommerceId": 20, "registryOfCommerceCanton": "ZH",
              "message": "Muster AG, in Zürich, CHE-600.000.026, Aktiengesellschaft (SHAB Nr. 10 vom 01.05.2003, Publ. 1). Domizil neu: Neuweg 1, 8001 Zürich.",
              "mutationTypes": [{ "id": 6, "key": "adressaenderung" }] },
        ],
    });
    let batch = sources::read(Source::Zefix, record.to_string().as_bytes()).expect("json");
    assert!(batch.rejected.is_empty(), "{:?}", batch.rejected);
    let uid = batch.statements[0].uid;
    service
        .cloud
        .registry
        .record_facts(uid, &facts::facts(batch.statements))
        .await
        .expect("stored");
    let table = "\
uid,fiscalYear,currency,revenue,netIncome,employees,publicationDate
CHE600000026,2025,CHF,2000000.5,-5000,60,2026-03-01
CHE600000026,2024,CHF,1,1,5,2025-03-01
";
    reports::store(&service, table).await;
    let answer = service.get(&format!("/v1/companies/{UID}/fingerprint")).await;
    insta::assert_json_snapshot!(answer.body, @r#"
    {
      "boardSize": 1,
      "canton": "ZH",
      "capitalAmount": 100000,
      "capitalCurrency": "CHF",
      "changeFrequency": 1,
      "companyAge": 23,
      "companyUid": "CHE-600.000.026",
      "employeeCountEstimate": 60,
      "figuresCurrency": "CHF",
      "fingerprintVersion": "1.0",
      "fiscalYear": 2025,
      "generatedAt": "2026-11-19T23:00:00Z",
      "hasParentCompany": false,
      "industry": "Software and IT services",
      "industryGroup": "Software and IT services",
      "industrySector": "Media, telecoms and IT",
      "legalForm": "",
      "name": "Muster AG",
      "netIncome": -5000,
      "registrationDate": "2003-05-01",
      "revenue": 2000000.5,
      "sizeBasis": "employees",
      "sizeCategory": "medium",
      "sources": [
        {
          "date": "2026-03-24",
          "source": "zefix"
        },
        {
          "date": "2026-03-01",
          "source": "reports"
        }
      ],
      "status": "ACTIVE",
      "subIndustry": "Programming",
      "subsidiaryCount": 0,
      "summary": "Muster AG is an active company in Zürich (ZH) and has been in the register since 1 May 2003. Its industry is Software and IT services (Programming). It has a capital of CHF 100,000, 60 employees and 1 officer or signatory. For 2025, it reported revenue of CHF 2,000,000.50 and a net loss of CHF 5,000. In the last 365 days, 1 change was published."
    }
    "#);
}

#[tokio::test]
async fn a_head_office_counts_as_parent_and_branches_as_subsidiaries() {
    let mut company = company(UID, "Muster AG");
    company.canton = Some(Canton::Be);
    let related = |kind, name: &str| Affiliation { kind, uid: None, name: name.into() };
    company.affiliations = vec![
        related(AffiliationKind::HeadOffice, "Andere AG"),
        related(AffiliationKind::BranchOffice, "Muster AG, Thun"),
        related(AffiliationKind::BranchOffice, "Muster AG, Chur"),
        related(AffiliationKind::HasTakenOver, "Andere AG"),
    ];
    let service = Service::with([company]).await;
    let answer = service.get(&format!("/v1/companies/{UID}/fingerprint")).await;
    assert_eq!(answer.body["hasParentCompany"], true);
    assert_eq!(answer.body["subsidiaryCount"], 2);
    assert_eq!(answer.body["canton"], "BE");
}

#[tokio::test]
async fn a_fingerprint_stays_the_same_for_a_whole_day() {
    let service = Service::with([company(UID, "Muster AG")]).await;
    let path = format!("/v1/companies/{UID}/fingerprint");
    let first = service.get(&path).await;
    service.pass_seconds(3_600);
    assert_eq!(service.get(&path).await.text, first.text);
    service.pass_seconds(86_400);
    assert_ne!(service.get(&path).await.text, first.text);
}

#[tokio::test]
async fn the_fingerprint_of_an_unknown_company_is_not_found() {
    let service = Service::start().await;
    let unknown = service.get("/v1/companies/CHE-000.000.000/fingerprint").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    let invalid = service.get("/v1/companies/muster/fingerprint").await;
    assert_eq!(invalid.body["errors"][0]["member"], "uid");
}
