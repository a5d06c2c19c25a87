//! Media: news with sentiment.

use domain::{Source, Uid};
use http::StatusCode;
use serde_json::{Value, json};
use tests::{Service, company};

const UID: &str = "CHE-600.000.026";

async fn service() -> Service {
    let service = Service::with([company(UID, "Muster AG")]).await;
    let item = |id: &str, title: &str, published: &str| json!({ "id": id, "title": title, "date_published": published, "_gotthard": { "uid": UID } });
    let feed = json!({ "version": "https://jsonfeed.org/version/1.1", "title": "Bote", "items": [
        item("1", "Muster AG meldet Konkurs an", "2026-11-03T08:00:00Z"),
        item("2", "Muster AG lädt zum Tag der offenen Tür", "2026-11-02T08:00:00Z"),
        item("3", "Muster AG mit Rekordgewinn", "2026-11-01T08:00:00Z"),
    ]});
    let batch = sources::read(Source::News, feed.to_string().as_bytes()).expect("a feed");
    let uid: Uid = UID.parse().expect("a number");
    service
        .cloud
        .registry
        .record_facts(uid, &facts::facts(batch.statements))
        .await
        .expect("stored");
    service
}

async fn media(service: &Service, query: &str) -> Value {
    service.get(&format!("/v1/companies/{UID}/media{query}")).await.body
}

#[tokio::test]
async fn media_items_have_a_sentiment_and_its_evidence() {
    let service = service().await;
    let media = media(&service, "").await;
    let labels: Vec<&Value> = (0..3).map(|it| &media["items"][it]["sentimentLabel"]).collect();
    assert_eq!(labels, ["negative", "neutral", "positive"]);
    assert_eq!(media["total"], 3);
    let mut first = media["items"][0].clone();
    assert!(first["id"].take().is_string());
    insta::assert_json_snapshot!(first, @r#"
    {
      "evidence": [
        {
          "phrase": "meldet konkurs",
          "weight": -1
        }
      ],
      "id": null,
      "provenance": {
        "date": "2026-11-03",
        "reference": "1",
        "source": "news"
      },
      "publishedAt": "2026-11-03T08:00:00Z",
      "riskRelevance": 0.9,
      "sentimentLabel": "negative",
      "sentimentScore": -0.5,
      "source": "Bote",
      "title": "Muster AG meldet Konkurs an",
      "topics": [
        "bankruptcy"
      ]
    }
    "#);
    // An item has the same id in both lists.
    let news = service.get(&format!("/v1/companies/{UID}/news")).await;
    assert_eq!(news.body[0]["id"], media["items"][0]["id"]);
}

#[tokio::test]
async fn the_total_includes_items_beyond_the_limit() {
    let service = service().await;
    for (query, total, titles) in [
        ("?limit=1", 3, &["Muster AG meldet Konkurs an"] as &[&str]),
        ("?sentiment=POSITIVE", 1, &["Muster AG mit Rekordgewinn"]),
        ("?since=2026-11-02T08:00:00Z&limit=1", 2, &["Muster AG meldet Konkurs an"]),
        ("?sentiment=positive&since=2026-11-02", 0, &[]),
    ] {
        let media = media(&service, query).await;
        let items = media["items"].as_array().expect("a list");
        let found: Vec<&str> = items.iter().filter_map(|it| it["title"].as_str()).collect();
        assert_eq!((media["total"].as_u64(), found.as_slice()), (Some(total), titles), "{query}");
    }
}

#[tokio::test]
async fn media_are_the_newest_500_items() {
    let service = Service::with([company(UID, "Muster AG")]).await;
    let items: Vec<Value> = (0..510)
        .map(|it| {
            let published = format!("2026-11-{:02}T08:00:{:02}Z", 1 + it / 60, it % 60);
            let title = if it < 10 { "Muster AG meldet Konkurs an" } else { "Muster AG baut" };
            json!({ "id": it.to_string(), "title": title, "date_published": published, "_gotthard": { "uid": UID } })
        })
        .collect();
    let feed = json!({ "version": "https://jsonfeed.org/version/1.1", "items": items });
    let batch = sources::read(Source::News, feed.to_string().as_bytes()).expect("a feed");
    service.cloud.registry.put_facts(facts::facts(batch.statements)).await.expect("stored");
    let all = media(&service, "").await;
    assert_eq!((&all["total"], all["items"].as_array().map(Vec::len)), (&json!(500), Some(20)));
    assert_eq!(media(&service, "?sentiment=negative").await["total"], 0);
}

#[tokio::test]
async fn a_company_without_news_has_no_media_and_an_unknown_company_is_not_found() {
    let service = Service::with([company(UID, "Muster AG")]).await;
    assert_eq!(media(&service, "").await, json!({ "items": [], "total": 0 }));
    let unknown = service.get("/v1/companies/CHE-000.000.000/media").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_invalid_filter_is_refused_and_names_the_valid_values() {
    let service = Service::with([company(UID, "Muster AG")]).await;
    for (query, member, words) in [
        ("?sentiment=negativ", "sentiment", "Did you mean `negative`?"),
        ("?since=gestern", "since", "got `gestern`"),
        ("?limit=0", "limit", "1 to 100"),
    ] {
        let answer = service.get(&format!("/v1/companies/{UID}/media{query}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}");
        assert_eq!(answer.body["errors"][0]["member"], member);
        assert!(answer.detail().contains(words), "{}", answer.detail());
    }
}
