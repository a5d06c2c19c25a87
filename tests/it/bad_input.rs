//! Invalid requests: every error names the member, the value and the rule.

use access::Tier;
use http::{Request, StatusCode};
use serde_json::Value;
use tests::{Service, company};

#[tokio::test]
async fn an_invalid_query_is_refused_and_names_member_value_and_rule() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    for (query, member, words) in [
        ("cantn=ZH", "cantn", &["`ZH`", "did you mean `canton`"] as &[&str]),
        ("canton=XX", "canton", &["`XX`", "a Swiss canton", "`/v1/reference/cantons` lists them"]),
        ("canton=-ZH", "canton", &["`-ZH`", "Write `ZH` without the sign `-`", "no negation"]),
        ("canton=!Genève", "canton", &["`!Genève`", "without the sign `!`"]),
        ("status=!ACTIVE", "status", &["`!ACTIVE`", "Write `ACTIVE` without the sign `!`"]),
        (
            "status=inactive",
            "status",
            &["`inactive`", "Accepted: `ACTIVE`, `BEING_CANCELLED`, `CANCELLED`"],
        ),
        ("statusReason=-bankruptcy", "statusReason", &["without the sign `-`"]),
        ("legalForm=AG,-GmbH", "legalForm", &["`-GmbH`", "without the sign `-`"]),
        ("auditorCategory=!big4", "auditorCategory", &["`big4` without the sign `!`"]),
        ("industry=-Financial%20services", "industry", &["without the sign `-`"]),
        ("industry=Banking", "industry", &["`Banking`", "`/v1/reference/noga` lists them"]),
        (
            "sortBy=-shareCapital",
            "sortBy",
            &["`shareCapital` without the sign `-`", "sortDesc=true"],
        ),
        ("lei=-506700GE1G29325QX363", "lei", &["`-506700GE1G29325QX363`"]),
        ("nogaSection=-K", "nogaSection", &["`-K`"]),
        ("tag=-Risk", "tag", &["`-Risk`", "without the sign `-`"]),
        ("uids=-CHE-107.787.577", "uids", &["`-CHE-107.787.577`"]),
        ("-canton=ZH", "-canton", &["did you mean `canton`"]),
        ("zzz=1", "zzz", &["accepted: name, query, search, canton", "pageSize"]),
        ("search=a%00b", "search", &["U+0000"]),
        ("status=sleeping", "status", &["`sleeping`", "must be a status"]),
        ("statusReason=tired", "statusReason", &["`tired`", "must be a reason for a status"]),
        ("legalForm=GmbHH", "legalForm", &["`GmbHH`", "Did you mean `GmbH`?"]),
        ("auditorCategory=kpgm", "auditorCategory", &["`kpgm`", "`KPMG`"]),
        ("industry=Softwear", "industry", &["`Softwear`", "Did you mean"]),
        ("sortBy=nmae", "sortBy", &["`nmae`", "Did you mean `name`?"]),
        ("page=0", "page", &["`0`", "at least 1"]),
        ("pageSize=101", "pageSize", &["`101`", "1 to 100"]),
        ("pageSize=0", "pageSize", &["`0`", "1 to 100"]),
        ("page=abc", "page", &["`abc`", "whole number"]),
        ("page=1.5", "page", &["`1.5`", "whole number"]),
        ("page=99999999999", "page", &["`99999999999`", "at most 4294967295"]),
        ("currency=SEK", "currency", &["`SEK`", "a currency of companies", "`CHF`"]),
        ("auditor=-KPMG", "auditor", &["`-KPMG`", "without the sign `-`"]),
        ("auditor=!", "auditor", &["the company number or the name of an auditor"]),
        ("deletedAfter=2026-02-30", "deletedAfter", &["`2026-02-30`", "date"]),
        (
            "registeredAfter=2026-01-02&registeredBefore=2026-01-01",
            "registeredAfter",
            &["must not be after `registeredBefore`"],
        ),
        ("capitalMin=much", "capitalMin", &["`much`", "amount"]),
        ("capitalMin=-1", "capitalMin", &["at least 0"]),
        ("capitalMax=-0.00001", "capitalMax", &["at least 0"]),
        ("foundedAfter=31.12.2020", "foundedAfter", &["`31.12.2020`", "2026-01-31"]),
        ("changedSince=2026-02-30", "changedSince", &["`2026-02-30`", "date"]),
        ("hasLei=maybe", "hasLei", &["`maybe`", "`true`"]),
        ("uids=CHE-1", "uids", &["`CHE-1`", "CHE-NNN.NNN.NNN"]),
        ("nogaSection=Z", "nogaSection", &["`Z`", "A to U"]),
        ("dataQualityMin=2", "dataQualityMin", &["`2`", "between 0 and 1"]),
        ("search=%ff%fe", "search", &["`%ff%fe`", "UTF-8"]),
        ("minChanges=some", "minChanges", &["`some`"]),
        ("tag=!", "tag", &["at least one letter or digit"]),
        ("canton=ZH;BE", "canton", &["`ZH;BE`", "Separate several values by commas"]),
        ("status=active+deleted", "status", &["Separate several values by commas"]),
    ] {
        let answer = service.get(&format!("/v1/companies?{query}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}: {}", answer.text);
        assert_eq!(answer.slug(), "bad-request");
        let error = &answer.body["errors"][0];
        assert_eq!(error["member"], member, "{query}");
        for word in words {
            assert!(
                error["detail"].as_str().is_some_and(|it| it.contains(word)),
                "{query}: {error}"
            );
        }
    }
    for query in [
        "lat=91&lng=7",
        "lng=7",
        "lat=47&lng=7&radiusKm=0",
        "lat=NaN&lng=7",
        "lat=47&lng=7&radiusKm=inf",
    ] {
        let answer = service.get(&format!("/v1/companies/nearby?{query}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}");
    }
}

#[tokio::test]
async fn a_value_is_understood_in_every_language_and_spelling() {
    let muster = domain::Company {
        canton: Some(domain::Canton::Ge),
        industry: Some("Software and IT services".into()),
        ..company("CHE-107.787.577", "A & W Tiefbau AG")
    };
    let service = Service::with([muster, company("CHE-600.000.001", "Andere GmbH")]).await;
    for query in [
        "canton=Genf",
        "canton=Gen%C3%A8ve",
        "canton=ginevra",
        "canton=GENEVRA",
        "canton=Canton%20de%20Gen%C3%A8ve",
        "industry=Software%20%26%20IT%20services",
        "industry=software%20und%20it%20services",
        "search=A%20und%20W%20Tiefbau",
        "search=a%2Bw%20tiefbau",
        "search=A%20et%20W",
        "search=A%20e%20W%20Tiefb",
        "search=CHE%E2%80%91107.787.577",
        "search=CHE-107.787.577%20MWST",
        "search=CHE%E2%80%93107.787.577%2FHR.",
        "uids=CHE%E2%88%92107%20787%20577%20TVA",
        "uids=CHE107787577RC",
        "uids=107-787-577.",
    ] {
        let found = service.get(&format!("/v1/companies?{query}")).await;
        assert_eq!(found.status, StatusCode::OK, "{query}: {}", found.text);
        let uids: Vec<_> = found.body["items"]
            .as_array()
            .expect("items")
            .iter()
            .map(|it| it["uid"].clone())
            .collect();
        assert_eq!(uids, ["CHE-107.787.577"], "{query}");
    }
    let path = "/v1/companies/CHE%E2%80%91107.787.577%20MWST";
    assert_eq!(service.get(path).await.body["uid"], "CHE-107.787.577");
}

#[tokio::test]
async fn companies_are_sorted_by_name_as_in_a_directory() {
    let names = ["Samt AG", "Altname AG", "Zürich AG", "Aero AG", "Samuel AG", "Äbi AG", "Adam AG"];
    let numbered = (1..).zip(names).map(|(at, name)| company(&format!("CHE-600.000.00{at}"), name));
    let service = Service::with(numbered).await;
    let sorted =
        ["Äbi AG", "Adam AG", "Aero AG", "Altname AG", "Samt AG", "Samuel AG", "Zürich AG"];
    let mut listed = Vec::new();
    for page in 1..=4 {
        let page = service.get(&format!("/v1/companies?sortBy=name&pageSize=2&page={page}")).await;
        listed.extend(
            page.body["items"].as_array().expect("items").iter().map(|it| it["name"].clone()),
        );
    }
    assert_eq!(listed, sorted);
}

#[tokio::test]
async fn several_errors_are_reported_together() {
    let answer = Service::start().await.get("/v1/companies?cantn=ZH&pagesize=3").await;
    assert_eq!(answer.body["errors"].as_array().map(Vec::len), Some(2));
}

/// A query parameter whose value is a list.
struct List {
    path: String,
    parameter: String,
    /// A valid value.
    value: String,
    maximum: usize,
}

/// Every list in a query of every operation in the description.
fn lists(description: &Value) -> Vec<List> {
    let mut lists = Vec::new();
    for (path, operations) in description["paths"].as_object().expect("paths") {
        let parameters = operations["get"]["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|it| it["in"] == "query") {
            assert!(parameter["$ref"].is_null() && parameter["schema"]["$ref"].is_null());
            let kind = &parameter["schema"]["type"];
            if kind != "array" && !kind.as_array().is_some_and(|it| it.contains(&"array".into())) {
                continue;
            }
            let name = parameter["name"].as_str().expect("a name");
            let maximum = parameter["schema"]["maxItems"].as_u64();
            let example = parameter["example"][0].as_str();
            lists.push(List {
                path: path.replace("{uid}", "CHE-107.787.577"),
                parameter: name.to_owned(),
                value: example.unwrap_or_else(|| panic!("{path}: {name}")).replace(' ', "%20"),
                maximum: maximum.unwrap_or_else(|| panic!("{path}: {name}")) as usize,
            });
        }
    }
    lists
}

/// Every list of every operation: its length, and the number of different values, do not make a request expensive.
#[tokio::test]
async fn repeated_values_of_a_list_count_once_and_different_ones_are_limited() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let key = service.key(access::Tier::Enterprise).await;
    let lists = lists(&service.get("/openapi.json").await.body);
    for (path, parameter) in [("/v1/companies", "tag"), ("/v1/changes/feed", "uids")] {
        assert!(lists.iter().any(|it| it.path == path && it.parameter == parameter), "{parameter}");
    }
    for List { path, parameter, value, maximum } in lists {
        assert!(maximum <= 500, "{path} {parameter}: {maximum}");
        let get = async |values: String| {
            let required =
                if path == "/v1/analytics/benchmark" { "uid=CHE-107.787.577&" } else { "" };
            service.get_as(&key, &format!("{path}?{required}{parameter}={values}")).await
        };
        let once = get(value.clone()).await;
        // An analysis of no company is refused.
        let finds_nothing = path.starts_with("/v1/analytics/")
            && once.detail().starts_with("filter: no company matches the filters");
        assert!(
            once.status == StatusCode::OK || finds_nothing,
            "{path} {parameter}: {}",
            once.text
        );
        // As many as fit into a query.
        let times = 9_900 / (value.len() + 1);
        let repeated = get(vec![value.as_str(); times].join(",")).await;
        assert_eq!(repeated.status, once.status, "{path} {parameter}: {}", repeated.text);
        let [repeated, once] = [repeated.body, once.body].map(without_links);
        assert_eq!(repeated, once, "{path} {parameter}");

        let different = |count: usize| {
            let values: Vec<String> = (0..count).map(|it| format!("{value}{it}")).collect();
            values.join(",")
        };
        let refused = get(different(maximum + 1)).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{path} {parameter}");
        let error = &refused.body["errors"][0];
        assert_eq!(error["member"], parameter, "{path}");
        let rule = format!("must be at most {maximum} different values; got `{}`", maximum + 1);
        assert_eq!(error["detail"], rule, "{path} {parameter}");
        let read = get(different(maximum)).await;
        assert_ne!(read.body["errors"][0]["detail"], rule, "{path} {parameter}");
    }
}

/// An answer without links, which repeat the filters as they were given.
fn without_links(answer: Value) -> Value {
    match answer {
        Value::Object(members) => {
            let others = members.into_iter().filter(|(name, _)| !name.ends_with("Url"));
            others.map(|(name, it)| (name, without_links(it))).collect()
        }
        Value::Array(items) => items.into_iter().map(without_links).collect(),
        other => other,
    }
}

#[tokio::test]
async fn a_query_longer_than_the_gateway_accepts_is_refused() {
    let service = Service::start().await;
    for path in
        ["/v1/companies", "/v1/changes", "/v1/companies/count", "/v1/companies/CHE-107.787.577"]
    {
        let longest = service.get(&format!("{path}?x={}", "y".repeat(9_998))).await;
        assert_eq!(longest.body["errors"][0]["member"], "x", "{path}: {}", longest.text);
        let longer = service.get(&format!("{path}?x={}", "y".repeat(9_999))).await;
        assert_eq!(longer.status, StatusCode::BAD_REQUEST);
        assert_eq!(longer.detail(), "query: must have at most 10000 bytes; got `10001`", "{path}");
    }
}

#[tokio::test]
async fn an_error_response_stays_small_for_a_large_request() {
    let service = Service::start().await;
    let many: String = (0..5_000).map(|it| format!("p{it}=1&")).collect();
    for query in [many, format!("canton={}", "x".repeat(50_000)), "y".repeat(50_000)] {
        let answer = service.get(&format!("/v1/companies?{query}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        assert!(answer.text.len() < 10_000, "{} bytes", answer.text.len());
    }
}

#[tokio::test]
async fn filters_in_a_body_are_limited_like_those_of_a_query() {
    let service = Service::start().await;
    let key = service.key(access::Tier::Enterprise).await;
    let many: serde_json::Map<_, _> = (0..50_000).map(|it| (format!("p{it}"), 1.into())).collect();
    let long = serde_json::json!({ "canton": vec!["UR"; 3_000] });
    for filter in [serde_json::Value::from(many), long] {
        for (path, member, body) in [
            ("/v1/companies/export/excel", "filter", serde_json::json!({ "filter": filter })),
            ("/v1/exports", "filter", serde_json::json!({ "filter": filter })),
            (
                "/v1/saved-searches",
                "searchParams",
                serde_json::json!({ "name": "n", "searchParams": filter }),
            ),
            (
                "/v1/alerts",
                "queryParams",
                serde_json::json!({ "name": "n", "queryParams": filter }),
            ),
        ] {
            let answer = service.post_as(&key, path, body).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}: {}", answer.text);
            assert_eq!(answer.body["errors"][0]["member"], member, "{path}: {}", answer.text);
            let detail = answer.body["errors"][0]["detail"].to_string();
            assert!(detail.contains("at most 10000 bytes"), "{path}: {detail}");
        }
    }
}

#[tokio::test]
async fn invalid_utf8_in_a_path_is_refused() {
    let answer = Service::start().await.get("/v1/companies/%ff%fe").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_body_with_wrong_size_type_encoding_or_content_is_refused() {
    let service = Service::start().await;
    let key = service.key(access::Tier::Free).await;
    let post = || tests::bearing(&key, Request::post("/v1/api-keys"));
    let json = || post().header("content-type", "application/json");
    let two_megabytes = format!("{{\"name\": \"{}\"}}", "a".repeat(2_000_000));
    for (request, body, status, slug) in [
        (json(), two_megabytes, 413, "payload-too-large"),
        (
            post().header("content-type", "application/xml"),
            "<key/>".to_owned(),
            415,
            "unsupported-media-type",
        ),
        (post(), "{}".to_owned(), 415, "unsupported-media-type"),
        (json().header("content-encoding", "gzip"), "{}".to_owned(), 415, "unsupported-media-type"),
        (json(), "{\"name\": ".to_owned(), 400, "bad-request"),
        (json(), "[1]".to_owned(), 400, "bad-request"),
        (json(), "[]".to_owned(), 400, "bad-request"),
        (json(), "[\"a name\"]".to_owned(), 400, "bad-request"),
        (json(), "{\"name\": \"a\\u0000b\"}".to_owned(), 400, "bad-request"),
        (json(), "{} {}".to_owned(), 400, "bad-request"),
        (json(), "{\"name\": 7}".to_owned(), 400, "bad-request"),
        (json(), "{\"nmae\": \"x\"}".to_owned(), 400, "bad-request"),
        (json(), "{\"scopes\": [\"admin\"]}".to_owned(), 400, "bad-request"),
        (json(), "{\"scopes\": []}".to_owned(), 400, "bad-request"),
        (json(), "[".repeat(100_000), 400, "bad-request"),
    ] {
        let answer = service.send_with(request, body).await;
        assert_eq!(answer.status.as_u16(), status, "{}", answer.text);
        assert_eq!(answer.slug(), slug);
    }
    let named =
        service.post_as(&key, "/v1/api-keys", serde_json::json!({ "scopes": ["admin"] })).await;
    assert_eq!(named.body["errors"][0]["member"], "scopes[0]");
}

#[tokio::test]
async fn an_unknown_path_is_404_and_a_wrong_method_is_405_with_the_allowed_methods() {
    let service = Service::start().await;
    let unknown = service.get("/v1/nowhere").await;
    assert_eq!((unknown.status, unknown.slug()), (StatusCode::NOT_FOUND, "not-found"));
    assert_eq!(unknown.body["instance"], "/v1/nowhere");
    let wrong = service.send(Request::delete("/v1/companies")).await;
    assert_eq!(
        (wrong.status, wrong.slug()),
        (StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed")
    );
    assert_eq!(wrong.header("allow"), Some("GET,HEAD"));
}

#[tokio::test]
async fn an_id_that_no_resource_can_have_is_not_found() {
    let service = Service::start().await;
    let key = service.key(Tier::Enterprise).await;
    for path in [
        "persons/x",
        "webhooks/x/deliveries",
        "watchlists/x/events",
        "pipelines/x",
        "exports/x",
        "exports/x/download",
        "screenings/x",
        "saved-searches/x/run",
    ] {
        let answer = service.get_as(&key, &format!("/v1/{path}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path} {}", answer.text);
        assert!(answer.detail().starts_with("no resource has the id `x`"), "{}", answer.text);
    }
}

#[tokio::test]
async fn an_internal_error_does_not_reveal_its_cause() {
    let service = Service::start().await;
    for path in ["/v1/probe/panicking", "/v1/probe/failing"] {
        let answer = service.get(path).await;
        assert_eq!((answer.status, answer.slug()), (StatusCode::INTERNAL_SERVER_ERROR, "internal"));
        assert!(!answer.text.contains("secret reason"), "{path}: {}", answer.text);
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
}

#[tokio::test]
async fn every_problem_type_has_a_page_at_its_url() {
    let service = Service::start().await;
    for kind in problem_details::PROBLEM_TYPES {
        let page = service.get(&format!("/api/errors/{}", kind.slug)).await;
        assert_eq!(page.status, StatusCode::OK, "{}", kind.slug);
        assert!(page.header("content-type").is_some_and(|it| it.starts_with("text/html")));
        assert!(page.text.contains(kind.title) && page.text.contains(kind.slug));
    }
    assert_eq!(service.get("/errors/no-such-problem").await.status, StatusCode::NOT_FOUND);
}
