//! Companies: search, lists, single and full records, statistics, similar and nearby companies, reference lists.

use demo_registry::Register;
use domain::{Amount, Canton, Status};
use http::{Request, StatusCode};
use http_service::cors;
use store::keys;
use tests::{Service, company};

use crate::items::Items;

#[tokio::test]
async fn a_search_for_a_well_known_company_finds_it_first() {
    let service = Service::start().await;
    service.register(Register::default().companies(200)).await;
    for (search, uid) in [
        ("ABB", "CHE-101.049.653"),
        ("UBS", "CHE-101.329.561"),
        ("Novartis", "CHE-103.011.259"),
        ("Roche", "CHE-103.000.037"),
        ("Zurich%20Insurance", "CHE-101.236.480"),
        ("zuerich+insurance", "CHE-101.236.480"),
        ("Nestl%C3%A9", "CHE-105.909.036"),
        ("nestle", "CHE-105.909.036"),
        ("nestel", "CHE-105.909.036"),
        ("CHE105909036", "CHE-105.909.036"),
    ] {
        let answer = service.get(&format!("/v1/companies?search={search}&pageSize=1")).await;
        assert_eq!(answer.body["items"][0]["uid"], uid, "{search}");
    }
}

#[tokio::test]
async fn a_record_that_cannot_be_decoded_is_left_out_of_lists() {
    let names = [("CHE-600.000.001", "Eins AG"), ("CHE-600.000.002", "Zwei AG")];
    let service = Service::with(names.map(|(uid, name)| company(uid, name))).await;
    Items::of(&service).damage(&keys::company("CHE-600.000.001".parse().expect("a UID"))).await;
    let list = service.get("/v1/companies").await;
    assert_eq!((list.status, list.names()), (StatusCode::OK, vec!["Zwei AG"]), "{}", list.text);
}

#[tokio::test]
async fn a_company_number_is_accepted_in_every_common_format() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    for form in
        ["CHE-107.787.577", "che107787577", "107787577", "CHE-107.787.577%20MWST", "107.787.577"]
    {
        let answer = service.get(&format!("/v1/companies/{form}")).await;
        assert_eq!(answer.status, StatusCode::OK, "{form}");
        assert_eq!(answer.body["uid"], "CHE-107.787.577");
    }
}

#[tokio::test]
async fn an_unknown_company_is_not_found_and_an_invalid_number_is_refused() {
    let service = Service::start().await;
    let unknown = service.get("/v1/companies/CHE-000.000.000").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    assert_eq!(unknown.detail(), "no company CHE-000.000.000 in the commercial register");
    let invalid = service.get("/v1/companies/nestle").await;
    assert_eq!(invalid.status, StatusCode::BAD_REQUEST);
    assert_eq!(invalid.body["errors"][0]["member"], "uid");
}

#[tokio::test]
async fn a_list_is_filtered_and_sorted_and_has_an_exact_total() {
    let companies = (0..30).map(|number| {
        let mut company =
            company(&format!("CHE-600.000.{number:03}"), &format!("Firma {number:02} AG"));
        company.canton = Some(if number % 3 == 0 { Canton::Vd } else { Canton::Zh });
        company.share_capital = Some(Amount::units(1_000 * i64::from(number)));
        company.currency = Some("CHF".into());
        company
    });
    let service = Service::with(companies).await;
    let page = service
        .get("/v1/companies?canton=vd&capitalMin=5000.0&sortBy=shareCapital&sortDesc=true&pageSize=3&page=2")
        .await;
    assert_eq!(page.body["total"], 8);
    assert_eq!(page.names(), ["Firma 18 AG", "Firma 15 AG", "Firma 12 AG"]);
    let past_the_end = service.get("/v1/companies?canton=vd&page=4294967295&pageSize=100").await;
    assert_eq!(
        (past_the_end.status, past_the_end.body["total"].as_u64()),
        (StatusCode::OK, Some(10))
    );
    assert!(past_the_end.names().is_empty());
}

#[tokio::test]
async fn a_list_names_its_generation_in_a_header() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let before = service.get("/v1/companies").await;
    let manifest = service.publish().await;
    let after = service.get("/v1/companies").await;
    assert_ne!(before.header("x-data-generation"), after.header("x-data-generation"));
    assert_eq!(after.header("x-data-generation"), Some(manifest.id.as_str()));
}

#[tokio::test]
async fn statistics_and_count_include_every_company() {
    let mut deleted = company("CHE-600.000.001", "Alt AG");
    deleted.status = Some(Status::Cancelled);
    deleted.canton = Some(Canton::Ge);
    let service = Service::with([company("CHE-107.787.577", "Muster AG"), deleted]).await;
    assert_eq!(service.get("/v1/companies/count").await.body["count"], 2);
    let statistics = service.get("/v1/companies/statistics").await;
    insta::assert_json_snapshot!(statistics.body, @r#"
    {
      "byCanton": {
        "GE": 1,
        "Unknown": 1
      },
      "byLegalForm": {
        "Unknown": 2
      },
      "byStatus": {
        "ACTIVE": 1,
        "CANCELLED": 1
      },
      "total": 2
    }
    "#);
}

#[tokio::test]
async fn nearby_companies_are_sorted_nearest_first() {
    let at = |uid: &str, name: &str, latitude, longitude| {
        let mut company = company(uid, name);
        (company.latitude, company.longitude) = (Some(latitude), Some(longitude));
        company
    };
    let service = Service::with([
        at("CHE-600.000.001", "Fern AG", 46.948, 7.447),
        at("CHE-600.000.002", "Nah AG", 47.5600, 7.5890),
        at("CHE-600.000.003", "Hier AG", 47.5590, 7.5880),
    ])
    .await;
    let answer = service.get("/v1/companies/nearby?lat=47.559&lng=7.588&radiusKm=2").await;
    let names: Vec<_> =
        answer.body.as_array().expect("a list").iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["Hier AG", "Nah AG"]);
    assert_eq!(answer.body[0]["distance"], 0.0);
    assert_eq!(answer.body[1]["distance"], 0.134);
}

#[tokio::test]
async fn a_full_record_contains_empty_lists() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let full = service.get("/v1/companies/CHE-107.787.577/full").await;
    insta::assert_json_snapshot!(full.body, @r#"
    {
      "company": {
        "name": "Muster AG",
        "status": "ACTIVE",
        "uid": "CHE-107.787.577"
      },
      "persons": [],
      "recentChanges": [],
      "relationships": []
    }
    "#);
}

#[tokio::test]
async fn a_full_record_is_available_before_the_first_generation() {
    let mut branch = company("CHE-107.787.577", "Muster AG, Filiale");
    branch.affiliations.push(domain::company::Affiliation {
        kind: domain::company::AffiliationKind::HeadOffice,
        uid: "CHE-600.000.012".parse().ok(),
        name: "Muster AG".into(),
    });
    let service = Service::over(tests::cloud().await).await;
    service.cloud.registry.put_companies(vec![branch]).await.expect("stored");
    let full = service.get("/v1/companies/CHE-107.787.577/full").await;
    assert_eq!(full.status, http::StatusCode::OK, "{}", full.text);
    assert_eq!(full.header("x-data-generation"), None);
    assert_eq!(full.body["relationships"][0]["relatedUid"], "CHE-600.000.012", "{}", full.text);
    let list = service.get("/v1/companies/CHE-107.787.577/relationships").await;
    assert_eq!(list.status, http::StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn similar_companies_name_the_dimensions_that_match() {
    let alike = |uid: &str, name: &str, canton| {
        let mut company = company(uid, name);
        company.canton = Some(canton);
        company.noga_code = Some("620100".into());
        company
    };
    let service = Service::with([
        alike("CHE-600.000.001", "Eins AG", Canton::Zh),
        alike("CHE-600.000.002", "Zwei AG", Canton::Zh),
        alike("CHE-600.000.003", "Drei AG", Canton::Be),
        company("CHE-600.000.004", "Fremd AG"),
    ])
    .await;
    let answer = service.get("/v1/companies/CHE-600.000.001/similar").await;
    assert_eq!(answer.body["companyName"], "Eins AG");
    let results = answer.body["results"].as_array().expect("a list");
    let scores: Vec<_> = results.iter().map(|it| (&it["name"], &it["similarityScore"])).collect();
    assert_eq!(scores.len(), 2);
    assert_eq!((scores[0].0, scores[0].1), (&"Zwei AG".into(), &60.into()));
    assert_eq!(results[1]["matchingDimensions"], serde_json::json!(["industry"]));
}

#[tokio::test]
async fn an_etag_is_the_same_for_every_caller_and_a_matching_request_gets_304() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let key = service.key(access::Tier::Starter).await;
    let path = "/v1/companies/CHE-107.787.577";
    let anonymous = service.get(path).await;
    let tag = anonymous.header("etag").expect("a tag").to_owned();
    assert_eq!(service.get_as(&key, path).await.header("etag"), Some(tag.as_str()));
    for value in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
        let answer = service.send(Request::get(path).header("if-none-match", value)).await;
        assert_eq!((answer.status, answer.text.as_str()), (StatusCode::NOT_MODIFIED, ""));
        assert_eq!(answer.header("etag"), Some(tag.as_str()));
    }
    let other = service.send(Request::get(path).header("if-none-match", "\"other\"")).await;
    assert_eq!(other.status, StatusCode::OK);
}

#[tokio::test]
async fn paths_with_and_without_api_prefix_and_with_double_slashes_are_equivalent() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    for path in [
        "/v1/companies/count",
        "/api/v1/companies/count",
        "//v1/companies/count",
        "/api//v1/companies/count",
    ] {
        assert_eq!(service.get(path).await.body["count"], 1, "{path}");
    }
    for path in ["/health", "/api/health"] {
        let answer = service.get(path).await;
        assert_eq!(answer.body["status"], "healthy", "{path}");
    }
}

#[tokio::test]
async fn filters_accept_every_code_of_the_reference_lists() {
    let service = Service::start().await;
    for (list, filter, length) in [("cantons", "canton", 26), ("legal-forms", "legalForm", 38)] {
        let answer = service.get(&format!("/v1/reference/{list}")).await;
        let entries = answer.body.as_array().expect("a list");
        assert_eq!(entries.len(), length);
        for code in entries.iter().step_by(12).map(|it| it["code"].as_str().expect("a code")) {
            let listed = service.get(&format!("/v1/companies?{filter}={code}")).await;
            assert_eq!(listed.status, StatusCode::OK, "{code}");
        }
    }
    assert_eq!(
        service.get("/v1/reference/noga").await.body.as_array().map(Vec::len),
        Some(21 + 88)
    );
    assert!(service.get("/v1/reference/change-types").await.text.contains("auditor_change"));
}

#[tokio::test]
async fn cors_allows_every_origin_and_exposes_the_headers() {
    let service = Service::start().await;
    let preflight = Request::options("/v1/companies")
        .header("origin", "https://app.example")
        .header("access-control-request-method", "GET")
        .header("access-control-request-headers", "authorization");
    let answer = service.send(preflight).await;
    assert_eq!(answer.status, StatusCode::OK);
    // In the cloud, the gateway answers with the same values.
    assert_eq!(answer.header("access-control-allow-origin"), Some(cors::ALLOWED_ORIGIN));
    let methods = cors::ALLOWED_METHODS.map(|it| it.to_string()).join(",");
    assert_eq!(answer.header("access-control-allow-methods"), Some(&*methods));
    let headers = cors::ALLOWED_HEADERS.join(",");
    assert_eq!(answer.header("access-control-allow-headers"), Some(&*headers));
    assert!(headers.contains("authorization"));
    let age = cors::MAX_AGE.as_secs().to_string();
    assert_eq!(answer.header("access-control-max-age"), Some(&*age));
    let get =
        service.send(Request::get("/v1/companies").header("origin", "https://app.example")).await;
    let exposed = get.header("access-control-expose-headers").expect("exposed headers");
    for name in ["x-request-id", "x-ratelimit-remaining", "retry-after", "etag"] {
        assert!(exposed.contains(name), "{name}");
    }
}
