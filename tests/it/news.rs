//! News: read from feeds, assigned to companies, listed by company and for all companies.

use domain::{Source, Uid};
use http::StatusCode;
use ingest::resolve;
use serde_json::json;
use sources::Batch;
use tests::{Service, company};

const MUSTER: &str = "CHE-600.000.026";
const OTHER: &str = "CHE-600.000.032";

/// A feed with these items: id, title, company number and time of publication.
fn feed(items: &[(&str, &str, &str, &str)]) -> String {
    let items: Vec<_> = items
        .iter()
        .map(|(id, title, uid, published)| {
            json!({
                "id": id, "title": title, "url": format!("https://news.example/{id}"),
                "content_text": format!("Mehr zu {id}."), "date_published": published,
                "_gotthard": { "uid": uid },
            })
        })
        .collect();
    let feed = json!({ "version": "https://jsonfeed.org/version/1.1", "title": "Musterzeitung", "items": items });
    feed.to_string()
}

/// The facts of a feed, assigned to companies as the ingest worker does.
async fn resolved(service: &Service, feed: &str) -> Batch {
    let read = resolve::read(Source::News, feed.as_bytes()).expect("a feed");
    let registry = &service.cloud.registry;
    read.resolve_in(&service.generations, registry).await.expect("resolved")
}

async fn ingest(service: &Service, feed: &str) -> ingest::Report {
    let batch = resolved(service, feed).await;
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let ingested = ingest::ingest(registry, objects, Source::News, batch, service.now());
    ingested.await.expect("ingested")
}

fn titles(list: &serde_json::Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().filter_map(|it| it["title"].as_str()).collect()
}

async fn service() -> Service {
    Service::with([company(MUSTER, "Muster AG"), company(OTHER, "Andere GmbH")]).await
}

#[tokio::test]
async fn news_of_a_company_are_sorted_newest_first_and_name_their_source() {
    let service = service().await;
    let feed = feed(&[
        ("1", "Muster AG baut", MUSTER, "2026-11-01T08:00:00Z"),
        ("2", "Muster AG wächst", MUSTER, "2026-11-03T08:00:00+01:00"),
        ("3", "Andere GmbH zieht um", OTHER, "2026-11-02T08:00:00Z"),
    ]);
    ingest(&service, &feed).await;
    let news = service.get(&format!("/v1/companies/{MUSTER}/news")).await;
    assert_eq!(titles(&news.body), ["Muster AG wächst", "Muster AG baut"]);
    let mut first = news.body[0].clone();
    assert!(first["id"].take().as_str().is_some_and(|it| it.len() == 36));
    insta::assert_json_snapshot!(first, @r#"
    {
      "id": null,
      "provenance": {
        "date": "2026-11-03",
        "reference": "https://news.example/2",
        "source": "news"
      },
      "publishedAt": "2026-11-03T07:00:00Z",
      "source": "Musterzeitung",
      "sourceType": "press",
      "sourceUrl": "https://news.example/2",
      "summary": "Mehr zu 2.",
      "title": "Muster AG wächst",
      "url": "https://news.example/2"
    }
    "#);
    let one = service.get(&format!("/v1/companies/{MUSTER}/news?limit=1")).await;
    assert_eq!(titles(&one.body), ["Muster AG wächst"]);
}

/// Existing clients send no `limit` and expect the whole list.
#[tokio::test]
async fn news_of_a_company_are_complete_without_a_limit() {
    let service = service().await;
    let items: Vec<(String, String)> = (0..130)
        .map(|it| (it.to_string(), format!("2026-11-10T{:02}:{:02}:00Z", it / 60, it % 60)))
        .collect();
    let items: Vec<_> =
        items.iter().map(|(id, at)| (id.as_str(), id.as_str(), MUSTER, at.as_str())).collect();
    ingest(&service, &feed(&items)).await;
    let all = service.get(&format!("/v1/companies/{MUSTER}/news")).await;
    let expected: Vec<String> = (0..130).rev().map(|it| it.to_string()).collect();
    assert_eq!(titles(&all.body), expected);
    let some = service.get(&format!("/v1/companies/{MUSTER}/news?limit=7")).await;
    assert_eq!(titles(&some.body), expected[..7]);
    // The largest limit returns what a request without a limit returns.
    let most = service.get(&format!("/v1/companies/{MUSTER}/news?limit=5000")).await;
    assert_eq!(titles(&most.body), expected);
}

/// Of every item, several versions are stored. Some were published in the same second.
#[tokio::test]
async fn links_lead_to_all_news_of_a_company_and_each_item_is_listed_once() {
    let service = service().await;
    let mut items: Vec<(String, String, String)> = Vec::new();
    for id in 0..60 {
        for version in 0..4 {
            // Eight at different times of each second.
            let place = (id * 4 + version) * 77 % 240;
            let at = format!("2026-11-10T08:00:{:02}.{:03}Z", place / 8, 900 - place % 8);
            items.push((id.to_string(), format!("{id}.{version} {at}"), at));
        }
    }
    let newest = |id: &str| {
        let versions = items.iter().filter(|(it, ..)| it == id);
        versions.max_by_key(|(.., at)| at).expect("a version").clone()
    };
    let mut expected: Vec<_> = (0..60).map(|it| newest(&it.to_string())).collect();
    expected.sort_by(|(.., one), (.., other)| other.cmp(one));
    let expected: Vec<String> = expected.into_iter().map(|(_, title, _)| title).collect();
    let items: Vec<_> = items
        .iter()
        .map(|(id, title, at)| (id.as_str(), title.as_str(), MUSTER, at.as_str()))
        .collect();
    ingest(&service, &feed(&items)).await;
    for limit in [1, 7, 59, 60, 61] {
        let (mut found, mut requests) = (Vec::new(), 0);
        let mut at = Some(format!("/v1/companies/{MUSTER}/news?limit={limit}"));
        while let Some(path) = at {
            let answer = service.get(&path).await;
            assert!(titles(&answer.body).len() <= limit, "{path}");
            found.extend(titles(&answer.body).into_iter().map(str::to_owned));
            at = answer.next();
            requests += 1;
            service.pass_seconds(60 * 60);
        }
        assert_eq!((&found, requests), (&expected, 60_usize.div_ceil(limit)), "{limit}");
    }
    let beyond = service.get(&format!("/v1/companies/{MUSTER}/news?offset=60")).await;
    assert_eq!((beyond.text.as_str(), beyond.header("link")), ("[]", None));
}

#[tokio::test]
async fn a_company_without_news_has_an_empty_list_and_an_unknown_company_is_not_found() {
    let service = service().await;
    let none = service.get(&format!("/v1/companies/{MUSTER}/news")).await;
    assert_eq!((none.status, none.text.as_str()), (StatusCode::OK, "[]"));
    let recent = service.get("/v1/news/recent").await;
    assert_eq!(recent.body, json!({ "count": 0, "items": [] }));
    let unknown = service.get("/v1/companies/CHE-000.000.000/news").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_corrected_item_replaces_the_earlier_one_and_keeps_its_id() {
    let service = service().await;
    ingest(&service, &feed(&[("1", "Muster AG baut", MUSTER, "2026-11-01T08:00:00Z")])).await;
    let before = service.get("/v1/news/recent").await;
    ingest(&service, &feed(&[("1", "Muster AG baut nicht", MUSTER, "2026-11-01T09:00:00Z")])).await;
    for path in [format!("/v1/companies/{MUSTER}/news"), "/v1/news/recent".to_owned()] {
        let answer = service.get(&path).await;
        let list = answer.body.get("items").unwrap_or(&answer.body);
        assert_eq!(titles(list), ["Muster AG baut nicht"], "{path}");
        assert_eq!(list[0]["id"], before.body["items"][0]["id"], "{path}");
    }
}

#[tokio::test]
async fn recent_news_are_the_newest_of_all_companies_across_months() {
    let service = service().await;
    let feed = feed(&[
        ("1", "Erste", MUSTER, "2026-09-30T23:59:59Z"),
        ("2", "Zweite", OTHER, "2026-11-20T10:00:00Z"),
        ("3", "Dritte", MUSTER, "2026-11-02T10:00:00Z"),
        ("4", "Vor langem", MUSTER, "2025-10-31T10:00:00Z"),
        ("5", "Aus der Zukunft", MUSTER, "2026-11-30T10:00:00Z"),
        ("6", "Noch nicht eingetragen", "CHE-600.000.055", "2026-11-19T10:00:00Z"),
    ]);
    ingest(&service, &feed).await;
    let recent = service.get("/v1/news/recent").await;
    assert_eq!(recent.body["count"], 3);
    assert_eq!(titles(&recent.body["items"]), ["Zweite", "Dritte", "Erste"]);
    let first = &recent.body["items"][0];
    assert_eq!(
        (&first["companyUid"], &first["companyName"]),
        (&json!(OTHER), &json!("Andere GmbH"))
    );
    assert_eq!(first["provenance"]["source"], "news");
    for (query, expected) in [
        ("limit=2", &["Zweite", "Dritte"] as &[&str]),
        ("since=2026-11-02T10:00:00Z", &["Zweite", "Dritte"]),
        ("since=2026-11-02", &["Zweite", "Dritte"]),
        ("since=2026-11-20T10:00:01Z", &[]),
        ("source=musterzeitung", &["Zweite", "Dritte", "Erste"]),
        ("source=Press&limit=1", &["Zweite"]),
        ("source=exchange", &[]),
    ] {
        let answer = service.get(&format!("/v1/news/recent?{query}")).await;
        assert_eq!(titles(&answer.body["items"]), expected, "{query}");
    }
}

/// The month has more news than one page of the table.
#[tokio::test]
async fn recent_news_are_found_in_a_month_with_many_items() {
    let service = service().await;
    let items: Vec<(String, String)> = (0..230)
        .map(|it| (it.to_string(), format!("2026-11-10T{:02}:{:02}:00Z", it / 60, it % 60)))
        .collect();
    let rare = |it: usize| if it == 3 { OTHER } else { MUSTER };
    let items: Vec<_> = items
        .iter()
        .enumerate()
        .map(|(at, (id, published))| (id.as_str(), id.as_str(), rare(at), published.as_str()))
        .collect();
    ingest(&service, &feed(&items)).await;
    let newest = service.get("/v1/news/recent?limit=100").await;
    let expected: Vec<String> = (130..230).rev().map(|it| it.to_string()).collect();
    assert_eq!(titles(&newest.body["items"]), expected);
    let now = service.now();
    let other: Uid = OTHER.parse().expect("a number");
    let found = service.cloud.registry.recent_news(now, None, 1, |it| it.uid == other).await;
    assert_eq!(found.expect("read")[0].0.item.title, "3");
}

#[tokio::test]
async fn repeating_an_ingest_interrupted_before_its_news_completes_it() {
    let service = service().await;
    let feed = feed(&[("1", "Muster AG baut", MUSTER, "2026-11-01T08:00:00Z")]);
    // Only the facts are stored, as after an ingest that was interrupted right after them.
    let batch = resolved(&service, &feed).await;
    let uid: Uid = MUSTER.parse().expect("a number");
    service
        .cloud
        .registry
        .record_facts(uid, &facts::facts(batch.statements))
        .await
        .expect("stored");
    assert_eq!(service.get("/v1/news/recent").await.body["count"], 0);
    for _ in 0..2 {
        assert_eq!(ingest(&service, &feed).await.unchanged, 1);
        assert_eq!(service.get("/v1/news/recent").await.body["count"], 1);
    }
}

#[tokio::test]
async fn news_are_assigned_by_number_identifier_or_exact_name() {
    let mut listed = company(MUSTER, "Muster AG");
    listed.lei = Some("506700GE1G29325QX363".parse().expect("valid"));
    listed.isin = Some("CH0012032048".parse().expect("valid"));
    let similar = company("CHE-600.000.049", "Andere Bau GmbH");
    let service = Service::with([listed, company(OTHER, "Andere GmbH"), similar]).await;
    let item = |id: &str, gotthard: serde_json::Value, title: &str| json!({ "id": id, "title": title, "date_published": "2026-11-01", "_gotthard": gotthard });
    let feed = json!({ "version": "https://jsonfeed.org/version/1.1", "items": [
        item("1", json!({ "lei": "506700GE1G29325QX363" }), "Eins"),
        item("2", json!({ "isin": "CH0012032048" }), "Zwei"),
        item("3", json!({ "company": "andere gmbh" }), "Drei"),
        item("4", json!({}), "Gestern zog die Andere GmbH um"),
        item("5", json!({ "company": "Andere Baugesellschaft GmbH" }), "Fünf"),
        item("6", json!({}), "Niemand Bestimmtes"),
    ]});
    let batch = resolved(&service, &feed.to_string()).await;
    let assigned: Vec<String> = batch.statements.iter().map(|it| it.uid.to_string()).collect();
    assert_eq!(assigned, [MUSTER, MUSTER, OTHER, OTHER]);
    let reasons: Vec<&str> = batch.rejected.iter().map(|it| it.reason.as_str()).collect();
    assert_eq!(
        reasons,
        ["no known company has name `Andere Baugesellschaft GmbH`", "contains no company"]
    );
    let report = ingest(&service, &feed.to_string()).await;
    assert_eq!((report.read, report.quarantined), (6, 2));
    let quarantined = service.cloud.objects.keys("quarantine/news/").await.expect("listed");
    assert_eq!(quarantined.len(), 2);
}

#[tokio::test]
async fn without_companies_in_a_generation_news_are_assigned_by_number_only() {
    let service = Service::start().await;
    let empty = Service::over(tests::cloud().await).await;
    let feed = feed(&[("1", "Die Andere GmbH", MUSTER, "2026-11-01")]);
    for service in [&service, &empty] {
        assert_eq!(resolved(service, &feed).await.statements[0].uid.to_string(), MUSTER);
    }
}

#[tokio::test]
async fn an_invalid_query_for_news_is_refused_and_names_the_member() {
    let service = service().await;
    let company = format!("/v1/companies/{MUSTER}/news");
    for (path, member) in [
        (format!("{company}?limit=0"), "limit"),
        (format!("{company}?limit=5001"), "limit"),
        (format!("{company}?since=2026-01-01"), "since"),
        ("/v1/news/recent?since=gestern".to_owned(), "since"),
        ("/v1/news/recent?source=".to_owned(), "source"),
        ("/v1/news/recent?limt=3".to_owned(), "limt"),
        ("/v1/companies/muster/news".to_owned(), "uid"),
    ] {
        let answer = service.get(&path).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}: {}", answer.text);
        assert_eq!(answer.body["errors"][0]["member"], member, "{path}");
    }
}
