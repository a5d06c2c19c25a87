//! Classification of companies by industry.

use http::StatusCode;
use tests::{Service, company};

const UID: &str = "CHE-600.000.026";

#[tokio::test]
async fn a_classification_has_levels_method_and_evidence() {
    let mut programmers = company(UID, "Muster AG");
    programmers.purpose = Some("Entwicklung von Software und Programmierung.".into());
    programmers.classify("2026-11-01T00:00:00Z".parse().ok());
    let service = Service::with([programmers]).await;
    let answer = service.get(&format!("/v1/companies/{UID}/classification")).await;
    insta::assert_json_snapshot!(answer.body, @r#"
    {
      "classifiedAt": "2026-11-01T00:00:00Z",
      "companyUid": "CHE-600.000.026",
      "evidence": [
        {
          "code": "6201",
          "phrase": "entwicklung von software",
          "weight": 3.9
        },
        {
          "code": "6201",
          "phrase": "programmierung",
          "weight": 2.6
        }
      ],
      "groupCode": "62",
      "groupName": "Software and IT services",
      "industryCode": "620",
      "industryConfidence": 1.0,
      "industryName": "Information technology services",
      "industrySource": "keyword_match",
      "method": "KeywordMatch",
      "sectorCode": "J",
      "sectorName": "Media, telecoms and IT",
      "sources": [],
      "subIndustryCode": "6201",
      "subIndustryName": "Programming"
    }
    "#);
}

#[tokio::test]
async fn an_industry_stated_by_a_source_names_the_source_as_method() {
    let mut company = company(UID, "Muster AG");
    company.noga_code = Some("64".into());
    company.industry = Some("Financial services".into());
    company.industry_source = Some("zefix".into());
    company.is_finma_regulated = Some(true);
    let service = Service::with([company]).await;
    let answer = service.get(&format!("/v1/companies/{UID}/classification")).await;
    for (member, value) in
        [("method", "zefix"), ("sectorCode", "K"), ("groupCode", "64"), ("industrySource", "zefix")]
    {
        assert_eq!(answer.body[member], value, "{member}");
    }
    assert_eq!(answer.body["isFinmaRegulated"], true);
    assert!(answer.body["evidence"].as_array().is_some_and(Vec::is_empty));
    for member in ["industryCode", "subIndustryCode", "classifiedAt"] {
        assert!(answer.body.get(member).is_none(), "{member}");
    }
}

#[tokio::test]
async fn a_company_without_industry_has_the_method_none() {
    let service = Service::with([company(UID, "Muster AG")]).await;
    let answer = service.get(&format!("/v1/companies/{UID}/classification")).await;
    insta::assert_json_snapshot!(answer.body, @r#"
    {
      "companyUid": "CHE-600.000.026",
      "evidence": [],
      "method": "None",
      "sources": []
    }
    "#);
    let unknown = service.get("/v1/companies/CHE-000.000.000/classification").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    let invalid = service.get("/v1/companies/muster/classification").await;
    assert_eq!(invalid.body["errors"][0]["member"], "uid");
}
