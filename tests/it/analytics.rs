//! Analyses of the register, asked over HTTP: every figure is what a search counts.

use access::Tier;
use http::StatusCode;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tests::{Answer, Service, company};

use crate::demo_register::DemoService;

const CLUSTER: &str = "/v1/analytics/cluster";
const ANOMALIES: &str = "/v1/analytics/anomalies";

/// The demo register, and a caller who may analyse it.
struct Analyst {
    demo: DemoService,
    key: String,
}

impl Analyst {
    async fn start() -> Self {
        let demo = DemoService::start().await;
        let key = demo.service.key(Tier::Enterprise).await;
        Self { demo, key }
    }

    async fn get(&self, path: &str) -> Value {
        self.success(path, self.demo.service.get_as(&self.key, path).await)
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        self.success(path, self.demo.service.post_as(&self.key, path, body.clone()).await)
    }

    fn success(&self, path: &str, answer: Answer) -> Value {
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
        answer.body
    }

    /// The number of companies that a link of an answer finds.
    async fn total_of(&self, url: &Value) -> Value {
        let url = url.as_str().expect("an address");
        let (_, path) = url.split_once("/api/v1/").expect("the address of the API");
        self.get(&format!("/v1/{path}{}pageSize=1", if path.contains('?') { '&' } else { '?' }))
            .await["total"]
            .clone()
    }

    /// Compares each figure in an answer with what the search finds to which it has a link. Returns how many were compared.
    async fn compare_figures(&self, answer: &Value) -> usize {
        let mut compared = 0;
        let mut waiting = vec![answer];
        while let Some(value) = waiting.pop() {
            match value {
                Value::Array(items) => waiting.extend(items),
                Value::Object(members) => {
                    for (name, member) in members {
                        match (name.ends_with("Url"), figure(name, value)) {
                            (true, Some(figure)) => {
                                assert_eq!(
                                    self.total_of(member).await,
                                    figure,
                                    "{name} of {value}"
                                );
                                compared += 1;
                            }
                            (true, None) => panic!("{name} is no link to a figure of {value}"),
                            (false, _) => waiting.push(member),
                        }
                    }
                }
                _ => {}
            }
        }
        compared
    }
}

/// The figure beside a link.
fn figure(link: &str, of: &Value) -> Option<Value> {
    let number = |name: &str| of[name].as_u64();
    Some(
        match link {
            "companiesUrl" => number("count")
                .or_else(|| number("companyCount"))
                .or_else(|| number("total").filter(|_| of["segments"].is_array()))
                .or_else(|| Some(number("companies")? + number("leftOut")?))
                .or_else(|| Some(number("totalScanned")? + number("leftOut")?))
                .or_else(|| {
                    let groups = of["cohorts"].as_array()?.iter();
                    groups.map(|it| it["count"].as_u64()).sum()
                })?,
            "registrationsUrl" => number("registrations")?,
            "entriesUrl" => number("entries")?,
            "bankruptciesUrl" => number("bankruptcies")?,
            "recentChangesUrl" => number("recentChanges")?,
            "deletionsUrl" => number("dissolutions")? + number("otherDeletions")?,
            "otherDeletionsUrl" => number("otherDeletions")?,
            _ => return None,
        }
        .into(),
    )
}

/// Selections of every kind.
const SELECTIONS: [&str; 7] = [
    "",
    "canton=ZH,BE,GE",
    "status=CANCELLED,ACTIVE",
    "legalForm=AG,GmbH&capitalMin=50000",
    "nogaSection=K&hasAuditor=true",
    "search=AG&registeredBefore=2020-12-31",
    "statusCanonical=deleted",
];

#[tokio::test]
async fn figures_are_what_the_searches_find_that_they_link_to() {
    let analyst = Analyst::start().await;
    let mut paths: Vec<String> = ["cantons", "auditors?limit=500", "rfm-segments"]
        .map(|it| format!("/v1/analytics/{it}"))
        .into();
    for by in ["canton", "industry", "legalForm", "year", "quarter"] {
        for metric in [
            "count",
            "registrations",
            "survival",
            "dissolutionRate",
            "medianCapital",
            "changesPerCompany",
        ] {
            paths.push(format!("/v1/analytics/cohorts?groupBy={by}&metric={metric}"));
        }
        for period in ["quarterly", "yearly"] {
            paths.push(format!("/v1/analytics/flows?groupBy={by}&period={period}"));
        }
    }
    let mut compared = 0;
    for (at, path) in paths.iter().enumerate() {
        // Each with the whole register, and one other selection.
        for selection in ["", SELECTIONS[at % SELECTIONS.len()]] {
            let mark = if path.contains('?') { '&' } else { '?' };
            let mut answer = analyst.get(&format!("{path}{mark}{selection}")).await;
            // A few of many points say as much.
            if let Some(points) = answer.get_mut("flows").and_then(Value::as_array_mut) {
                points.truncate(15);
            }
            compared += analyst.compare_figures(&answer).await;
        }
    }
    for filter in [json!({}), json!({ "canton": ["ZH", "BE"] }), json!({ "legal_form": "AG" })] {
        let cluster = json!({ "algorithm": "kmeans", "k": 2, "filter": filter });
        compared += analyst.compare_figures(&analyst.post(CLUSTER, &cluster).await).await;
        for algorithm in ["zscore", "isolation_forest"] {
            let anomalies = json!({ "algorithm": algorithm, "filter": filter });
            compared += analyst.compare_figures(&analyst.post(ANOMALIES, &anomalies).await).await;
        }
    }
    assert!(compared > 200, "{compared}");
}

#[tokio::test]
async fn every_figure_of_a_report_is_what_the_search_finds_to_which_it_links() {
    let analyst = Analyst::start().await;
    let list = analyst.get("/v1/reports/industries").await;
    let divisions = list["industries"].as_array().expect("divisions");
    assert_eq!((divisions.len(), &list["total"]), (88, &json!(88)));
    let mut compared = analyst.compare_figures(&list).await;
    let registered = analyst.get("/v1/companies?status=ACTIVE,BEING_CANCELLED&pageSize=1").await;
    let classified = sum(&list["industries"], "companyCount");
    assert_eq!(
        json!(classified + list["unclassified"].as_u64().expect("a number")),
        registered["total"]
    );
    assert_eq!(sum(&list["sections"], "companyCount"), classified);

    let largest = divisions.iter().max_by_key(|it| it["companyCount"].as_u64());
    let largest = largest.expect("a division")["industry"].as_str().expect("a name");
    for industry in [largest, "64", "K", "Programmation, conseil et autres activités informatiques"]
    {
        let path = format!("/v1/reports/industry/{}", industry.replace(' ', "%20"));
        let report = analyst.get(&path).await;
        compared += analyst.compare_figures(&report).await;
        assert_eq!(
            sum(&report["cantonDistribution"], "count"),
            report["companyCount"].as_u64().expect("a number")
        );
        assert_eq!(report["avgCapital"].is_null(), report["medianCapital"].is_null());
        let capitals: Vec<f64> = report["topCompanies"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|it| it["shareCapital"].as_f64().expect("a capital"))
            .collect();
        assert!(capitals.is_sorted_by(|a, b| a >= b), "{capitals:?}");
        for chart in report["charts"].as_array().expect("charts") {
            assert!(chart["svg"].as_str().is_some_and(|it| it.starts_with("<svg")), "{chart}");
        }
        assert_eq!(report["trends"].as_array().map(Vec::len), Some(13));
    }
    assert!(compared > 300, "{compared}");
    let unknown = analyst.demo.service.get_as(&analyst.key, "/v1/reports/industry/Astrology").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_report_is_also_a_file_in_four_languages() {
    let analyst = Analyst::start().await;
    for (language, code) in [("de", "64"), ("fr", "64"), ("it", "G"), ("en", "01")] {
        let path = format!("/v1/reports/industry/{code}/report.pdf?language={language}");
        let file = analyst.demo.service.get_as(&analyst.key, &path).await;
        assert_eq!(file.status, StatusCode::OK, "{}", file.text);
        assert!(file.bytes.starts_with(b"%PDF-1.7"), "{path}");
        assert_eq!(file.header("content-language"), Some(language));
        let again = analyst.demo.service.get_as(&analyst.key, &path).await;
        assert!(again.bytes == file.bytes, "{path}: the same figures are the same file");
    }
}

fn sum(list: &Value, member: &str) -> u64 {
    list.as_array().expect("a list").iter().filter_map(|it| it[member].as_u64()).sum()
}

#[tokio::test]
async fn groups_divide_the_selection() {
    let analyst = Analyst::start().await;
    for selection in SELECTIONS {
        let list = match selection.contains("status") {
            true => format!("/v1/companies?{selection}&pageSize=1"),
            false => format!("/v1/companies?{selection}&status=ACTIVE,BEING_CANCELLED&pageSize=1"),
        };
        let total = analyst.get(&list).await["total"].as_u64().expect("a number");
        let of = async |path: &str| analyst.get(&format!("/v1/analytics/{path}{selection}")).await;
        assert_eq!(sum(&of("cantons?").await, "count"), total, "{selection}");
        assert_eq!(sum(&of("auditors?limit=500&").await, "companyCount"), total, "{selection}");
        let segments = of("rfm-segments?").await;
        assert_eq!(sum(&segments["segments"], "count"), total, "{selection}");
        assert_eq!(segments["total"], total, "{selection}");
        for by in ["canton", "industry", "legalForm", "year", "quarter"] {
            let cohorts = of(&format!("cohorts?groupBy={by}&")).await;
            assert_eq!(sum(&cohorts["cohorts"], "count"), total, "{selection} {by}");
            assert_eq!((&cohorts["groupBy"], &cohorts["metric"]), (&json!(by), &json!("count")));
        }
    }
}

#[tokio::test]
async fn a_benchmark_has_the_figures_of_the_fingerprint() {
    let analyst = Analyst::start().await;
    let companies = analyst.get("/v1/companies?status=ACTIVE&pageSize=60").await;
    let (mut compared, mut with_peers) = (0, 0);
    for company in companies["items"].as_array().expect("items") {
        let uid = company["uid"].as_str().expect("a number");
        let benchmark = analyst.get(&format!("/v1/analytics/benchmark?uid={uid}")).await;
        let fingerprint = analyst.get(&format!("/v1/companies/{uid}/fingerprint")).await;
        assert_eq!(benchmark["companyName"], company["name"]);
        for dimension in benchmark["dimensions"].as_array().expect("dimensions") {
            let value = dimension["companyValue"].as_f64();
            let same = match dimension["name"].as_str().expect("a name") {
                "capital" => company["shareCapital"].as_f64(),
                "board_size" => fingerprint["boardSize"].as_f64(),
                "change_frequency" => fingerprint["changeFrequency"].as_f64(),
                "company_age" => {
                    let years = fingerprint["companyAge"].as_f64().expect("years");
                    let days = value.expect("days");
                    assert!(
                        (days / 365.25 - years).abs() <= 1.0,
                        "{uid}: {days} days, {years} years"
                    );
                    value
                }
                other => panic!("{other}"),
            };
            assert_eq!(value, same, "{uid} {dimension}");
            compared += 1;
            with_peers += usize::from(dimension["percentile"].is_number());
            assert_eq!(dimension["percentile"].is_number(), dimension["peers"].is_object());
        }
        let known = benchmark["dimensions"].as_array().map_or(0, Vec::len);
        let missing = benchmark["missing"].as_array().map_or(0, Vec::len);
        assert_eq!(known + missing, 4, "{benchmark}");
    }
    assert!(compared > 100 && with_peers < compared, "{compared} {with_peers}");
}

#[tokio::test]
async fn candidates_and_prospects_are_ranked_and_paged() {
    let analyst = Analyst::start().await;
    for (path, score) in [("candidates", "score"), ("prospects", "opportunityScore")] {
        let all = analyst.get(&format!("/v1/analytics/{path}?pageSize=100")).await;
        let items = all["items"].as_array().expect("items");
        assert!(items.len() > 10, "{all}");
        let scores: Vec<i64> = items.iter().filter_map(|it| it[score].as_i64()).collect();
        assert!(scores.len() == items.len() && scores.is_sorted_by(|one, other| one >= other));
        for item in items {
            let parts = item["scoreParts"].as_array().expect("parts").iter();
            let points: i64 = parts.filter_map(|it| it["points"].as_i64()).sum();
            assert_eq!(item[score], points.max(0), "{item}");
            assert_ne!(item["auditDuty"]["kind"], "opting_out", "{item}");
        }
        let second = analyst.get(&format!("/v1/analytics/{path}?pageSize=5&page=2")).await;
        assert_eq!(second["items"].as_array().expect("items").as_slice(), &items[5..10]);
    }
    let hot =
        analyst.get("/v1/analytics/prospects?pitchReadiness=Warm&minScore=45&pageSize=100").await;
    for item in hot["items"].as_array().expect("items") {
        assert_eq!(item["pitchReadiness"], "Warm", "{item}");
        assert!(item["opportunityScore"].as_i64() >= Some(45), "{item}");
    }
    let smallest = analyst.get("/v1/analytics/candidates?sortBy=shareCapital&sortDesc=false").await;
    let capitals: Vec<f64> = smallest["items"]
        .as_array()
        .expect("items")
        .iter()
        .filter(|it| it["currency"] == "CHF")
        .filter_map(|it| it["shareCapital"].as_f64())
        .collect();
    assert!(capitals.len() > 5 && capitals.is_sorted(), "{capitals:?}");
}

#[tokio::test]
async fn clusters_and_anomalies_are_repeatable_and_explained() {
    let analyst = Analyst::start().await;
    let request = json!({ "algorithm": "kmeans", "features": ["companyAge", "changesLastThreeYears"], "seed": 7 });
    let clusters = analyst.post(CLUSTER, &request).await;
    assert_eq!(clusters, analyst.post(CLUSTER, &request).await);
    assert_eq!(
        sum(&clusters["clusters"], "companyCount"),
        clusters["companies"].as_u64().expect("a number")
    );
    assert_eq!(clusters["tried"].as_array().map(Vec::len), Some(9), "{clusters}");
    assert_eq!(
        (&clusters["seed"], &clusters["features"][0]["name"]),
        (&json!(7), &json!("companyAge"))
    );
    let request = json!({ "algorithm": "zscore", "threshold": 2.0, "features": ["companyAge"], "peers": "none" });
    let anomalies = analyst.post(ANOMALIES, &request).await;
    assert!(anomalies["totalScanned"].as_u64() > Some(0), "{anomalies}");
    for anomaly in anomalies["anomalies"].as_array().expect("a list") {
        assert!(anomaly["score"].as_f64() >= Some(2.0), "{anomaly}");
        let factor = &anomaly["factors"][0];
        assert_eq!(
            anomaly["score"].as_f64(),
            factor["deviation"].as_f64().map(f64::abs),
            "{anomaly}"
        );
        assert_eq!(anomaly["peers"]["kind"], "all");
    }
}

#[tokio::test]
async fn an_invalid_analysis_is_refused_and_names_member_value_and_rule() {
    let service = Service::with([
        company("CHE-107.787.577", "Muster AG"),
        company("CHE-600.000.001", "Zweite AG"),
    ])
    .await;
    let key = service.key(Tier::Starter).await;
    for (path, member, words) in [
        ("cantons?cantn=ZH", "cantn", &["`ZH`", "did you mean `canton`"] as &[&str]),
        ("cantons?page=2", "page", &["unknown parameter", "`2`"]),
        ("cantons?sortBy=name", "sortBy", &["unknown parameter"]),
        ("cantons?canton=ZH", "filter", &["no company matches the filters"]),
        ("cohorts?groupby=canton", "groupby", &["did you mean `groupBy`"]),
        ("cohorts?groupBy=colour", "groupBy", &["`colour`", "`canton`"]),
        ("cohorts?metric=size", "metric", &["`size`", "`survival`"]),
        ("cohorts?metric=size&canton=XX", "canton", &["`XX`"]),
        ("cohorts?since=2026-02-01&until=2026-01-01", "since", &["must not be after `until`"]),
        ("flows?period=daily", "period", &["`daily`", "`monthly`"]),
        ("flows?since=2026-02-30", "since", &["`2026-02-30`"]),
        ("auditors?limit=501", "limit", &["`501`", "1 to 500"]),
        ("benchmark?uid=CHE-1", "uid", &["`CHE-1`"]),
        ("benchmark?uid=CHE-107.787.577&dimensions=size", "dimensions", &["`size`", "`capital`"]),
        ("prospects?minScore=101", "minScore", &["`101`", "0 and 100"]),
        ("prospects?pitchReadiness=Boiling", "pitchReadiness", &["`Boiling`", "`Hot`"]),
        ("candidates?sortBy=colour", "sortBy", &["`colour`", "`score`"]),
    ] {
        let answer = service.get_as(&key, &format!("/v1/analytics/{path}")).await;
        refused(&answer, path, member, words);
    }
    let cluster = |other: Value| {
        with(json!({ "algorithm": "kmeans", "features": ["changesLastThreeYears"] }), other)
    };
    let anomalies = |other: Value| {
        with(json!({ "algorithm": "zscore", "features": ["changesLastThreeYears"] }), other)
    };
    for (path, body, member, words) in [
        (CLUSTER, cluster(json!({ "k": 1 })), "k", &["2 to 50", "got 1"] as &[&str]),
        (CLUSTER, cluster(json!({ "k": 10_000 })), "k", &["2 to 50", "got 10000"]),
        (CLUSTER, cluster(json!({ "k": 3 })), "k", &["different values"]),
        (
            CLUSTER,
            cluster(json!({ "algorithm": "dbscan" })),
            "algorithm",
            &["`dbscan`", "`kmeans`"],
        ),
        (CLUSTER, cluster(json!({ "features": ["colour"] })), "features[0]", &["`colour`"]),
        (CLUSTER, cluster(json!({ "features": [] })), "features", &["1 to 8", "none"]),
        (
            CLUSTER,
            cluster(json!({ "features": ["officers", "officers"] })),
            "features",
            &["different"],
        ),
        (CLUSTER, cluster(json!({ "features": ["capital"] })), "features", &["`capital`"]),
        (CLUSTER, cluster(json!({ "filter": { "canton": "XX" } })), "filter.canton", &["`XX`"]),
        (
            CLUSTER,
            cluster(json!({ "filter": { "page": 2 } })),
            "filter.page",
            &["unknown parameter"],
        ),
        (CLUSTER, cluster(json!({ "filter": { "canton": "ZH" } })), "filter", &["no company"]),
        (CLUSTER, cluster(json!({ "sampleSize": 21 })), "sampleSize", &["1 to 20", "21"]),
        (ANOMALIES, anomalies(json!({ "algorithm": "magic" })), "algorithm", &["`magic`"]),
        (ANOMALIES, anomalies(json!({ "threshold": 0.5 })), "threshold", &["1 to 100", "0.5"]),
        (
            ANOMALIES,
            anomalies(json!({ "algorithm": "isolation_forest", "threshold": 1 })),
            "threshold",
            &["0.5 to 0.9999"],
        ),
        (ANOMALIES, anomalies(json!({ "peers": "friends" })), "peers", &["`friends`"]),
        (ANOMALIES, anomalies(json!({ "limit": 0 })), "limit", &["1 to 100"]),
    ] {
        let answer = service.post_as(&key, path, body.clone()).await;
        refused(&answer, &body.to_string(), member, words);
    }
    let unknown = service.get_as(&key, "/v1/analytics/benchmark?uid=CHE-101.049.653").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND, "{}", unknown.text);
}

/// An object with other members.
fn with(mut object: Value, others: Value) -> Value {
    let members = object.as_object_mut().expect("an object");
    members.extend(others.as_object().expect("an object").clone());
    object
}

fn refused(answer: &Answer, request: &str, member: &str, words: &[&str]) {
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{request}: {}", answer.text);
    let errors = answer.body["errors"].as_array().expect("errors");
    let error = errors.iter().find(|it| it["member"] == member);
    let error = error.unwrap_or_else(|| panic!("{request}: {}", answer.text));
    let detail = error["detail"].as_str().unwrap_or_default();
    for word in words {
        assert!(detail.contains(word), "{request}: {detail}");
    }
}

#[tokio::test]
async fn an_answer_is_kept_for_the_same_request_generation_and_day_but_not_for_tags() {
    let analyst = Analyst::start().await;
    let first = analyst.demo.service.keeping_every_analysis();
    let objects = &analyst.demo.service.cloud.objects;
    let kept = async || objects.keys("analyses/").await.expect("listed");
    let body = json!({ "algorithm": "kmeans", "k": 3 });
    let requests = [
        ("/v1/analytics/cohorts?groupBy=canton&metric=count", None),
        ("/v1/analytics/candidates?canton=ZH&pageSize=5", None),
        (CLUSTER, Some(&body)),
    ];
    let ask = async |service: &Service, key: &str, (path, body): (&str, Option<&Value>)| match body
    {
        Some(body) => service.post_as(key, path, body.clone()).await,
        None => service.get_as(key, path).await,
    };
    let other_team = analyst.demo.service.key(Tier::Starter).await;
    for (at, request) in requests.into_iter().enumerate() {
        let computed = ask(&first, &analyst.key, request).await;
        assert_eq!(computed.status, StatusCode::OK, "{}", computed.text);
        assert_eq!(kept().await.len(), at + 1, "no announcement is left");
        // Another process, and another team.
        let read = ask(&first.keeping_every_analysis(), &other_team, request).await;
        assert!(read.text == computed.text, "{} {}", read.text, computed.text);
        for header in ["content-type", "x-data-generation", "link", "etag"] {
            assert_eq!(read.header(header), computed.header(header));
        }
    }
    // The order of the parameters does not matter.
    let swapped = ("/v1/analytics/cohorts?metric=count&groupBy=canton", None);
    ask(&first, &analyst.key, swapped).await;
    assert_eq!(kept().await.len(), requests.len());
    // What is kept is answered.
    for key in kept().await {
        let object = objects.get(&key).await.expect("read").expect("an object");
        let text = String::from_utf8(object[32..].to_vec()).expect("a text");
        let marked = text.replace("\"group\":\"ZH\"", "\"group\":\"marked\"");
        let object = [Sha256::digest(&marked).as_slice(), marked.as_bytes()].concat();
        objects.put(&key, object).await.expect("stored");
    }
    let marked = ask(&first, &analyst.key, requests[0]).await;
    assert!(marked.text.contains("\"marked\""), "{}", marked.text);

    // Refused requests and answers about tags are not kept.
    let refused = ask(&first, &analyst.key, ("/v1/analytics/cohorts?metric=luck", None)).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    let uid = analyst.get("/v1/companies?pageSize=1").await["items"][0]["uid"].clone();
    let path = format!("/v1/companies/{}/tags", uid.as_str().expect("a number"));
    first.post_as(&analyst.key, &path, json!({ "tagName": "Client" })).await;
    let of_tag = ("/v1/analytics/cantons?%74ag=client", None);
    assert_eq!(sum(&ask(&first, &analyst.key, of_tag).await.body, "count"), 1);
    assert_eq!(ask(&first, &other_team, of_tag).await.status, StatusCode::BAD_REQUEST);
    let filtered = json!({ "algorithm": "zscore", "features": ["changesLastThreeYears"], "filter": { "tag": "client" } });
    assert_eq!(
        ask(&first, &analyst.key, (ANOMALIES, Some(&filtered))).await.body["totalScanned"],
        1
    );
    assert_eq!(kept().await.len(), requests.len());

    // Another day is another answer.
    analyst.demo.service.pass_seconds(86_400);
    let next_day = ask(&first, &analyst.key, requests[0]).await;
    assert!(!next_day.text.contains("\"marked\""), "{}", next_day.text);
    assert_eq!(kept().await.len(), requests.len() + 1);
}

#[tokio::test]
async fn a_team_analyses_its_own_tags_only() {
    let service = Service::with([
        company("CHE-107.787.577", "Muster AG"),
        company("CHE-600.000.001", "Zweite AG"),
    ])
    .await;
    let (own, other) = (service.key(Tier::Starter).await, service.key(Tier::Starter).await);
    let tag = json!({ "tagName": "Client" });
    let tagged = service.post_as(&own, "/v1/companies/CHE-107.787.577/tags", tag).await;
    assert!(tagged.status.is_success(), "{}", tagged.text);
    let path = "/v1/analytics/cantons?tag=client";
    let answer = service.get_as(&own, path).await;
    assert_eq!(sum(&answer.body, "count"), 1, "{}", answer.text);
    let answer = service.get_as(&other, path).await;
    refused(&answer, path, "filter", &["no company matches the filters"]);
    let body = json!({ "algorithm": "zscore", "features": ["changesLastThreeYears"], "filter": { "tag": "client" } });
    assert_eq!(service.post_as(&own, ANOMALIES, body.clone()).await.body["totalScanned"], 1);
    assert_eq!(service.post_as(&other, ANOMALIES, body).await.status, StatusCode::BAD_REQUEST);
}
