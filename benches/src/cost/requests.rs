//! The most expensive requests that every operation accepts: the deepest page, the longest text, the widest
//! filters, the most expensive order. Several for each operation, because it is not known in advance which of
//! them is the most expensive.

use super::team::{Kept, TAG};
use domain::{
    Canton, ChangeKind,
    legal_forms::LEGAL_FORMS,
    persons::{RoleCategory, SigningAuthority},
    search::{SortBy, persons::PersonSort},
};
use http::StatusCode;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// Every operation of every function, one per line. Generated from the routes; a test compares them.
const OPERATIONS: &str = include_str!("../../../functions/api/public/operations.txt");

/// Operations on the data of one team whose cost does depend on the register or on the screening lists.
const SEARCHES: [&str; 6] = [
    "POST /v1/dossiers",
    "POST /v1/dossiers/{id}/generate",
    "POST /v1/screenings/{id}/replay",
    "GET /v1/saved-searches/{id}/run",
    "POST /v1/saved-searches/{id}/run",
    "GET /v1/watchlists/{id}/events",
];

/// Operations on the data of one team, by the beginning of their path. The cost of others than [`SEARCHES`] does not
/// depend on the register: lists of a team are bounded.
const OF_A_TEAM: [&str; 22] = [
    "/v1/alerts",
    "/v1/api-keys",
    "/v1/audit-log",
    "/v1/auth",
    "/v1/billing",
    "/v1/bulk/watchlist",
    "/v1/companies/{uid}/notes",
    "/v1/companies/{uid}/tags",
    "/v1/credits",
    "/v1/dossiers",
    "/v1/exports",
    "/v1/notifications",
    "/v1/pipelines",
    "/v1/saved-searches",
    "/v1/screening/subjects",
    "/v1/screenings",
    "/v1/settings/preferences",
    "/v1/tags",
    "/v1/teams",
    "/v1/watches",
    "/v1/watchlists",
    "/v1/webhooks",
];

/// Writes of one item after one read.
const WRITES: [&str; 1] = ["PUT /v1/changes/{id}/review"];

/// Stands for the last page of 100 items.
pub(super) const LAST_PAGE: &str = "page=LAST";

/// A request, and what is expensive about it.
#[derive(Clone, Debug)]
pub(super) struct Costly {
    pub(super) label: String,
    /// Path and query.
    pub(super) path: String,
    /// The body of a POST request.
    pub(super) body: Option<String>,
    pub(super) status: StatusCode,
}

impl Costly {
    pub(super) fn get(label: impl Into<String>, path: impl Into<String>) -> Self {
        Self { label: label.into(), path: path.into(), body: None, status: StatusCode::OK }
    }

    /// Whether it is about an earlier day.
    pub(super) fn is_of_a_day(&self) -> bool {
        let texts = std::iter::once(&self.path).chain(&self.body);
        texts.into_iter().any(|it| it.contains("asOf"))
    }

    /// A request that is refused, because of its query. Finding out costs time too.
    fn refused(label: &str, path: String) -> Self {
        Self { status: StatusCode::BAD_REQUEST, ..Self::get(label, path) }
    }
}

/// What the requests are about.
#[derive(Clone, Debug, Default)]
pub(super) struct Subjects {
    /// Numbers of the companies with the most changes, officers and relationships.
    pub(super) companies: Vec<String>,
    /// Ids of the persons with the most roles.
    pub(super) persons: Vec<String>,
    /// Numbers of a hundred companies.
    pub(super) uids: Vec<String>,
    /// What the team keeps.
    pub(super) kept: Kept,
}

/// The operations that are measured.
pub(super) fn operations() -> impl Iterator<Item = &'static str> {
    let is_of_a_team = |operation: &&str| {
        let path = operation.split(' ').nth(1).unwrap_or_default();
        !SEARCHES.contains(operation) && OF_A_TEAM.iter().any(|it| path.starts_with(it))
    };
    OPERATIONS.lines().filter(move |it| !WRITES.contains(it) && !is_of_a_team(it))
}

/// The requests of an operation. `None` if they are missing here.
pub(super) fn of(operation: &str, subjects: &Subjects) -> Option<Vec<Costly>> {
    let path = operation.split(' ').nth(1)?;
    let of_each = |variable: &str, ids: &[String], queries: &[&str]| -> Vec<Costly> {
        let each = |id: &String| {
            let path = path.replace(variable, id);
            let request = move |query: &&str| match *query {
                "" => Costly::get("the largest", path.clone()),
                query => Costly::get(query, format!("{path}?{query}")),
            };
            queries.iter().map(request).collect::<Vec<_>>()
        };
        ids.iter().flat_map(each).collect()
    };
    let companies = |queries: &[&str]| of_each("{uid}", &subjects.companies, queries);
    let persons = |queries: &[&str]| of_each("{id}", &subjects.persons, queries);
    const AS_OF: &str = "asOf=2026-10-30";
    const PROOFS: &str = "proofs=true";
    const ALL_YEARS: &str = "since=1800-01-01&limit=1000";
    Some(match operation {
        "GET /health"
        | "GET /openapi.json"
        | "GET /v1/openapi.json"
        | "GET /v1/changes/statistics"
        | "GET /v1/companies/count"
        | "GET /v1/companies/statistics"
        | "GET /v1/dashboard"
        | "GET /v1/methodology/obligations"
        | "GET /v1/methodology/risk"
        | "GET /v1/reference/cantons"
        | "GET /v1/reference/change-types"
        | "GET /v1/reference/legal-forms"
        | "GET /v1/reference/noga"
        | "GET /v1/snapshots"
        | "GET /v1/sources/freshness"
        | "GET /v1/sync/status"
        | "GET /v1/usage/current" => vec![Costly::get("", path)],
        "GET /v1/methodology/obligations/{id}" => {
            vec![Costly::get("", "/v1/methodology/obligations/co-727")]
        }
        "GET /errors/{slug}" => vec![Costly::get("", "/errors/bad-request")],
        "GET /v1/companies" => company_lists(subjects),
        "GET /v1/companies/nearby" => nearby(),
        "GET /v1/persons/search" => person_lists(),
        "GET /v1/changes" => change_lists(subjects),
        "GET /v1/changes/feed" => feeds(subjects),
        "GET /v1/auditor-tenures" => tenure_lists(),
        "GET /v1/changes/{id}" => {
            of_each("{id}", &subjects.companies, &["includeInternal=true&limit=1000"])
        }
        "GET /v1/companies/{uid}" | "GET /v1/companies/{uid}/auditor-history" => {
            companies(&["", PROOFS, AS_OF])
        }
        "GET /v1/companies/{uid}/diff" => companies(&[ALL_YEARS]),
        "GET /v1/companies/{uid}/events" => companies(&["includeInternal=true&limit=100"]),
        "GET /v1/companies/{uid}/full" => companies(&["", PROOFS, AS_OF]),
        "GET /v1/companies/{uid}/media" => companies(&["limit=100", "since=1800-01-01"]),
        "GET /v1/companies/{uid}/news" => companies(&["", "limit=100", "offset=4900&limit=100"]),
        "GET /v1/companies/{uid}/pdf" => companies(&["", "format=pdf"]),
        "GET /v1/companies/{uid}/profile.pdf" => companies(&[""]),
        "GET /v1/companies/{uid}/similar" => companies(&["limit=100"]),
        "GET /v1/companies/{uid}/ubo" | "GET /v1/ownership/{uid}/analytics" => {
            companies(&["maxDepth=20", "maxDepth=20&asOf=2026-10-30"])
        }
        "GET /v1/audit/playbook/{uid}"
        | "GET /v1/compliance/scope/{uid}"
        | "GET /v1/risk/v2/{uid}" => companies(&["", AS_OF]),
        _ if operation.contains(" /v1/analytics/") => analyses(path, subjects),
        "POST /v1/network/analyze" => {
            let request = |overlay: &'static str| {
                let others = subjects.uids.iter().filter(|it| !subjects.companies.contains(it));
                let uids: Vec<&String> = subjects.companies.iter().chain(others).take(50).collect();
                let body = serde_json::json!({ "uids": uids, "overlay": overlay });
                Costly { body: Some(body.to_string()), ..Costly::get(overlay, path) }
            };
            ["persons", "ownership", "addresses"].map(request).to_vec()
        }
        "POST /v1/ownership/{uid}" => {
            let body = Some(serde_json::json!({ "maxDepth": 20 }).to_string());
            let requests = companies(&[""]).into_iter();
            requests.map(|it| Costly { body: body.clone(), ..it }).collect()
        }
        "GET /v1/companies/{uid}/timeline" => companies(&[ALL_YEARS]),
        "GET /v1/companies/{uid}/acquisitions"
        | "GET /v1/companies/{uid}/classification"
        | "GET /v1/companies/{uid}/fingerprint"
        | "GET /v1/companies/{uid}/hierarchy"
        | "GET /v1/companies/{uid}/relationships"
        | "GET /v1/companies/{uid}/reports"
        | "GET /v1/companies/{uid}/structure"
        | "GET /v1/graph/{uid}"
        | "GET /v1/graph/{uid}/export" => companies(&[""]),
        "GET /v1/persons/board-members/{uid}" => {
            companies(&["pageSize=500", "pageSize=500&asOf=2026-10-30"])
        }
        "GET /v1/reports/industries" => vec![Costly::get("all", path)],
        "GET /v1/reports/industry/{industry}"
        | "GET /v1/reports/industry/{industry}/report.pdf" => {
            vec![Costly::get("the largest section", path.replace("{industry}", "G"))]
        }
        "GET /v1/persons/{id}" | "GET /v1/persons/{id}/network" => persons(&[""]),
        "GET /v1/news/recent" => vec![
            Costly::get("100 items", format!("{path}?limit=100")),
            Costly::get("a feed without items", format!("{path}?limit=100&source=nobody")),
        ],
        "GET /v1/saved-searches/{id}/run" | "POST /v1/saved-searches/{id}/run" => {
            let path = path.replace("{id}", &subjects.kept.search);
            let query = format!("{path}?pageSize=100&{LAST_PAGE}");
            let body = operation.starts_with("POST").then(|| "{}".to_owned());
            vec![Costly { body, ..Costly::get("the widest search, the last page by name", query) }]
        }
        "GET /v1/watchlists/{id}/events" => {
            let path = path.replace("{id}", &subjects.kept.watchlist);
            vec![Costly::get("5,000 companies", format!("{path}?includeInternal=true&limit=100"))]
        }
        "GET /v1/sanctions" => {
            let last = format!("{path}?pageSize=100&{LAST_PAGE}");
            vec![
                Costly::get("100 entries", format!("{path}?pageSize=100")),
                Costly::get("the last page", last),
            ]
        }
        "POST /v1/screening" => {
            vec![Costly { body: Some(longest_name()), ..Costly::get("the longest name", path) }]
        }
        "POST /v1/screenings/{id}/replay" => {
            let path = path.replace("{id}", &subjects.kept.screening);
            let body = Some("{}".to_owned());
            vec![Costly { body, ..Costly::get("the longest name", path) }]
        }
        "POST /v1/dossiers" => dossiers(subjects, |uid, body| {
            body["uid"] = uid.into();
            path.to_owned()
        }),
        "POST /v1/dossiers/{id}/generate" => dossiers(subjects, |uid, _| path.replace("{id}", uid)),
        "POST /v1/screening/batch" => {
            let body = Some(serde_json::json!({ "uids": subjects.uids }).to_string());
            vec![Costly { body, ..Costly::get("100 companies", path) }]
        }
        "POST /v1/bulk/export" => {
            let fields = ["name", "purpose", "address", "oldNames", "translations"];
            let body = serde_json::json!({ "uids": subjects.uids, "fields": fields }).to_string();
            vec![Costly { body: Some(body), ..Costly::get("100 companies, long columns", path) }]
        }
        "POST /v1/companies/export/excel" => {
            // 50,000 rows are an allowed answer, and more than one core writes in the time of a list.
            let request = |format: &str| {
                let filter = serde_json::json!({ "canton": "ZH", "legalForm": "GmbH" });
                let body = serde_json::json!({ "filter": filter, "format": format });
                let label = format!("a large canton, {format}");
                Costly { body: Some(body.to_string()), ..Costly::get(label, path) }
            };
            ["csv", "xlsx"].map(request).to_vec()
        }
        "POST /v1/bulk/screening" => {
            let entity = serde_json::json!({ "name": "Mikalaj Доврешенко Ltd ".repeat(10) });
            let body = serde_json::json!({ "entities": vec![entity; 100] }).to_string();
            vec![Costly { body: Some(body), ..Costly::get("100 of the longest names", path) }]
        }
        "POST /v1/companies/compare" => {
            let uids: Vec<&String> = subjects.uids.iter().take(10).collect();
            let body = Some(serde_json::json!({ "uids": uids }).to_string());
            vec![Costly { body, ..Costly::get("ten companies", path) }]
        }
        _ => return None,
    })
}

/// A screening of as many words as fit, in two alphabets, for every comparison of persons and organisations.
pub(super) fn longest_name() -> String {
    let name = "Mikalaj Доврешенко Ltd ".repeat(10);
    serde_json::json!({ "name": name, "threshold": 0.5, "limit": 25 }).to_string()
}

/// Dossiers about each company, now and on an earlier day. `place` returns the path, or adds to the body.
fn dossiers(
    subjects: &Subjects,
    place: impl Fn(&str, &mut serde_json::Value) -> String,
) -> Vec<Costly> {
    let request = |uid: &String, as_of: Option<&str>| {
        let label =
            format!("detailed{}", as_of.map(|it| format!(", asOf={it}")).unwrap_or_default());
        let mut body = serde_json::json!({ "level": "detailed" });
        if let Some(day) = as_of {
            body["asOf"] = day.into();
        }
        let path = place(uid, &mut body);
        let status = StatusCode::CREATED;
        Costly { body: Some(body.to_string()), status, ..Costly::get(label, path) }
    };
    let both = |uid| [request(uid, None), request(uid, Some("2026-10-30"))];
    subjects.companies.iter().flat_map(both).collect()
}

/// Texts that are expensive to search for, each with a description.
fn texts() -> Vec<(String, String)> {
    let mut texts: Vec<(String, String)> = ["a", "m", "s", "ma", "mul"]
        .map(|it| (format!("names beginning with `{it}`"), it.to_owned()))
        .into();
    for word in ["treuhand", "immobilien", "gastronomie", "informatik", "mueller"] {
        texts.push((format!("16 misspellings of `{word}`"), misspellings(word)));
    }
    let all_alike = "immobilien immobilier immobiliare ".repeat(5) + "imobilien";
    texts.push(("one misspelling after 15 words".into(), all_alike));
    texts.push(("1,000 letters in one word".into(), "immobilien".repeat(100)));
    texts.push(("16 words of 40 letters".into(), vec!["immobilien".repeat(4); 16].join(" ")));
    texts.push(("500 initials".into(), "a b ".repeat(250)));
    texts.push(("legal forms".into(), "s a r l ".repeat(125)));
    texts.push(("1,000 Chinese characters".into(), "\u{4e2d}".repeat(1_000)));
    texts
}

/// Sixteen different misspellings of a word, so that companies with this word match all of them.
fn misspellings(word: &str) -> String {
    let without = (0..word.len()).map(|at| format!("{}{}", &word[..at], &word[at + 1..]));
    let doubled = (0..word.len()).map(|at| format!("{}{}", &word[..=at], &word[at..]));
    let swapped = (1..word.len()).map(|at| {
        let (before, after) = word.split_at(at - 1);
        format!("{before}{}{}{}", &after[1..2], &after[..1], &after[2..])
    });
    let all: Vec<String> = without.chain(doubled).chain(swapped).take(16).collect();
    all.join(" ")
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

fn joined<T: ToString>(values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|it| it.to_string()).collect::<Vec<_>>().join(",")
}

fn cantons() -> String {
    joined(Canton::ALL.map(Canton::code))
}

/// As many company numbers as a list accepts; most are of no company.
fn uids(subjects: &Subjects) -> String {
    let known = subjects.uids.iter().map(|it| it.replace(['C', 'H', 'E', '-', '.'], ""));
    let unknown = (0..).map(|it| format!("{}", 100_000_000 + it));
    joined(known.chain(unknown).take(500))
}

fn company_lists(subjects: &Subjects) -> Vec<Costly> {
    let list = |label: &str, query: &str| {
        Costly::get(label, format!("/v1/companies?pageSize=100&{query}"))
    };
    let forms = joined(LEGAL_FORMS.iter().map(|it| it.code));
    // Filters that leave almost every company.
    let widest = format!(
        "canton={}&status=ACTIVE,BEING_CANCELLED,CANCELLED&statusCanonical=active,in_liquidation,deleted\
         &legalForm={forms}&legalFormCode={forms}&hasLei=false&enriched=true&isFinmaRegulated=false\
         &hasWikidata=false&dataQualityMin=0&dataQualityMax=1&foundedAfter=1800-01-01&foundedBefore=2100-01-01\
         &changedSince=1900-01-01",
        cantons()
    );
    let unknown = (0..100).map(|it| format!("{}{it}=1", "unknown".repeat(13)));
    let unknown = unknown.collect::<Vec<_>>().join("&");
    let mut lists = vec![
        list("every filter, the last page by name", &format!("{widest}&sortBy=name&{LAST_PAGE}")),
        list("a tag and every filter", &format!("{widest}&tag={TAG}&sortBy=name&{LAST_PAGE}")),
        list("500 company numbers and every filter", &format!("{widest}&uids={}", uids(subjects))),
        Costly::refused("100 unknown parameters", format!("/v1/companies?{unknown}")),
        Costly::refused(
            "an unknown legal form",
            format!("/v1/companies?legalForm={}", "unknown".repeat(1_000)),
        ),
    ];
    for order in SortBy::ALL {
        let label = format!("the last page by {}", order.name());
        lists.push(list(&label, &format!("sortBy={}&sortDesc=true&{LAST_PAGE}", order.name())));
    }
    for (label, text) in texts() {
        let text = encoded(&text);
        lists.push(list(&format!("{label}; last page"), &format!("search={text}&{LAST_PAGE}")));
        if text.len() < 2_000 {
            let label = format!("{label}, as name and as officer; every filter, last page by name");
            let query = format!("search={text}&boardMemberSearch={text}&{widest}");
            lists.push(list(&label, &format!("{query}&sortBy=name&{LAST_PAGE}")));
        }
        if text.len() < 9_000 {
            let officers = format!("boardMemberSearch={text}&sortBy=name&{LAST_PAGE}");
            lists.push(list(&format!("officers: {label}; last page by name"), &officers));
        }
    }
    lists
}

fn nearby() -> Vec<Costly> {
    let places = [(47.37, 8.54), (46.8, 8.2), (46.2, 6.1), (44.0, 2.0), (51.0, 8.0), (90.0, 180.0)];
    let request = |(lat, lng)| {
        let query = format!("lat={lat}&lng={lng}&radiusKm=500&limit=100");
        Costly::get(format!("500 km around {lat}, {lng}"), format!("/v1/companies/nearby?{query}"))
    };
    places.map(request).into()
}

fn person_lists() -> Vec<Costly> {
    let list = |label: &str, query: &str| {
        let path = "/v1/persons/search?pageSize=100&includeEntities=true";
        Costly::get(label, format!("{path}&{query}"))
    };
    let widest = format!(
        "canton={}&roleCategory={}&signingAuthority={}",
        cantons(),
        joined(RoleCategory::ALL),
        joined(SigningAuthority::ALL)
    );
    let mut lists = vec![
        list("every filter, the last page by name", &format!("{widest}&sortBy=name&{LAST_PAGE}")),
        list("of Bern, the last page", &format!("placeOfOrigin=Bern&{LAST_PAGE}")),
        list("Swiss, the last page by name", &format!("nationalityIso=CH&sortBy=name&{LAST_PAGE}")),
        list(
            "current, the last page by number of roles",
            &format!("isActive=true&sortBy=roleCount&{LAST_PAGE}"),
        ),
    ];
    for order in PersonSort::ALL {
        let label = format!("the last page by {}", order.name());
        lists.push(list(&label, &format!("sortBy={}&sortDesc=true&{LAST_PAGE}", order.name())));
    }
    for (label, text) in texts() {
        let text = encoded(&text);
        lists.push(list(&format!("{label}; last page"), &format!("q={text}&{LAST_PAGE}")));
        if text.len() < 2_000 {
            let label = format!("{label}; every filter, last page by name");
            let query = format!("q={text}&{widest}&sortBy=name&{LAST_PAGE}");
            lists.push(list(&label, &query));
        }
    }
    lists
}

fn change_lists(subjects: &Subjects) -> Vec<Costly> {
    let list = |label: &str, query: &str| {
        let path = "/v1/changes?pageSize=100&includeInternal=true";
        Costly::get(label, format!("{path}&{query}"))
    };
    let widest = format!(
        "type={}&canton={}&since=1800-01-01&until=2100-01-01",
        joined(ChangeKind::ALL),
        cantons()
    );
    let one_canton = ["UR"; 2_500].join(",");
    let mut lists = vec![
        list("the first page", "page=1"),
        list("the last page", LAST_PAGE),
        list("one canton, 2,500 times", &format!("canton={one_canton}")),
        list("every filter, the last page", &format!("{widest}&{LAST_PAGE}")),
        list("500 company numbers and every filter", &format!("{widest}&uids={}", uids(subjects))),
    ];
    for (label, text) in texts() {
        let text = encoded(&text);
        let label = format!("{label}; last page");
        lists.push(list(&label, &format!("companySearch={text}&{LAST_PAGE}")));
        if text.len() < 2_000 {
            let label = format!("{label}; every filter");
            lists.push(list(&label, &format!("companySearch={text}&{widest}&{LAST_PAGE}")));
        }
    }
    lists
}

fn feeds(subjects: &Subjects) -> Vec<Costly> {
    let feed = |label: &str, query: &str| {
        Costly::get(label, format!("/v1/changes/feed?limit=100&{query}"))
    };
    let widest = format!("types={}&cantons={}", joined(ChangeKind::ALL), cantons());
    vec![
        feed("from the start", ""),
        feed("every filter", &widest),
        feed("a rare change type", "types=revocation"),
        feed("500 company numbers and every filter", &format!("{widest}&uids={}", uids(subjects))),
    ]
}

/// The whole register, and a part of it that every filter selects.
fn analyses(path: &str, subjects: &Subjects) -> Vec<Costly> {
    let body = |label: &str, body: serde_json::Value| Costly {
        body: Some(body.to_string()),
        ..Costly::get(label, path)
    };
    let get = |label: &str, query: &str| Costly::get(label, format!("{path}?{query}"));
    // As many as a request may name.
    let features = [
        "capital",
        "companyAge",
        "officers",
        "soleSignerShare",
        "changesLastThreeYears",
        "daysSinceChange",
        "atAddress",
    ];
    match path {
        "/v1/analytics/cluster" => vec![
            body("k is chosen", serde_json::json!({ "algorithm": "kmeans" })),
            body(
                "50 clusters of 7 features",
                serde_json::json!({ "algorithm": "kmeans", "k": 50, "features": features, "sampleSize": 20 }),
            ),
        ],
        "/v1/analytics/anomalies" => ["zscore", "isolation_forest"]
            .map(|algorithm| {
                let request = serde_json::json!({
                    "algorithm": algorithm, "features": features, "limit": 100,
                });
                body(algorithm, request)
            })
            .into(),
        "/v1/analytics/benchmark" => {
            subjects.uids.iter().take(1).map(|it| get("a company", &format!("uid={it}"))).collect()
        }
        "/v1/analytics/cohorts" => vec![
            get("survival by quarter", "groupBy=quarter&metric=survival"),
            get("changes by industry", "groupBy=industry&metric=changesPerCompany"),
        ],
        "/v1/analytics/flows" => vec![get("years by industry", "period=yearly&groupBy=industry")],
        "/v1/analytics/auditors" => vec![get("500 firms", "limit=500&since=1900-01-01")],
        "/v1/analytics/candidates" | "/v1/analytics/prospects" => {
            vec![
                get("a page of 100", "pageSize=100&page=2"),
                get("a part", "legalForm=AG&pageSize=100"),
            ]
        }
        _ => vec![Costly::get("the whole register", path), get("a part", "legalForm=AG,GmbH")],
    }
}

fn tenure_lists() -> Vec<Costly> {
    let list = |label: &str, query: String| {
        Costly::get(label, format!("/v1/auditor-tenures?pageSize=100&{query}"))
    };
    vec![
        list("the last page", LAST_PAGE.to_owned()),
        list(
            "every filter, the last page",
            format!("min_years=0&canton={}&{LAST_PAGE}", cantons()),
        ),
        list("one canton, 2,500 times", format!("canton={}", ["UR"; 2_500].join(","))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_that_reads_has_requests() {
        let id = || vec!["1".to_owned()];
        let subjects =
            Subjects { companies: id(), persons: id(), uids: id(), kept: Kept::default() };
        for operation in operations() {
            let requests = of(operation, &subjects);
            let requests = requests.unwrap_or_else(|| panic!("{operation}: add it to `of`"));
            assert!(!requests.is_empty(), "{operation}");
            for Costly { path, .. } in requests {
                assert!(path.len() < 10_000 && !path.contains('{'), "{operation}: {path}");
            }
        }
        for write in WRITES {
            assert!(
                OPERATIONS.lines().any(|it| it == write) && !write.starts_with("GET"),
                "{write}"
            );
        }
        assert!(of("GET /v1/nowhere", &subjects).is_none());
    }

    #[test]
    fn misspellings_are_sixteen_different_words() {
        let words = misspellings("treuhand");
        let mut words: Vec<&str> = words.split(' ').collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), 16);
        assert!(!words.contains(&"treuhand"));
    }
}
