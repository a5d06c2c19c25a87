//! The change feed: every change in order of its sequence number, resumable at any cursor.

use std::collections::BTreeMap;

use access::Tier;
use domain::Source;
use serde_json::{Value, json};
use tests::{Answer, Service};

use crate::two_companies::{self, AUDITOR_CHANGE, EINS, change_types, ingest};

/// All items of the feed after a cursor, fetched in pages of `limit`.
pub(crate) async fn follow(
    service: &Service,
    filter: &str,
    limit: usize,
    from: Option<&str>,
) -> Vec<Value> {
    let key = service.key(Tier::Enterprise).await;
    let (mut items, mut cursor) = (Vec::new(), from.map(str::to_owned));
    loop {
        let after = cursor.as_deref().map(|it| format!("&cursor={it}")).unwrap_or_default();
        let path = format!("/v1/changes/feed?limit={limit}{filter}{after}");
        let page: Answer = service.get_as(&key, &path).await;
        items.extend(page.body["items"].as_array().expect("items").iter().cloned());
        cursor = page.body["nextCursor"].as_str().map(str::to_owned);
        assert!(cursor.is_some(), "every page has a cursor: {}", page.text);
        if page.body["hasMore"] == false {
            return items;
        }
    }
}

/// The changes of the newest generation, in the order of the feed.
async fn listed(service: &Service, key: &str) -> Vec<Value> {
    let list = service.get_as(key, "/v1/changes?pageSize=100&includeInternal=true").await;
    let mut listed = list.body["items"].as_array().expect("items").clone();
    listed.sort_by_key(|it| it["sequence"].as_u64());
    listed
}

#[tokio::test]
async fn replaying_the_feed_gives_the_changes_of_the_generation() {
    let service = Service::start().await;
    let publications = two_companies::publications();
    service.ingest_publications(publications[..3].to_vec()).await;
    // The last publications are newer than the generation.
    let cloud = &service.cloud;
    ingest(&cloud.registry, cloud, &publications[3..]).await.expect("ingested");
    let feed = follow(&service, "", 100, None).await;
    for limit in [1, 2, 3, 7] {
        assert_eq!(follow(&service, "", limit, None).await, feed, "in pages of {limit}");
    }
    let sequence: Vec<u64> = feed.iter().filter_map(|it| it["sequence"].as_u64()).collect();
    assert!(sequence.iter().copied().eq(1..=feed.len() as u64), "{sequence:?}");
    let of_eins = |it: &&Value| it["companyUid"] == EINS;
    let filtered = follow(&service, &format!("&uids={EINS}"), 2, None).await;
    assert!(filtered.iter().eq(feed.iter().filter(of_eins)), "a filter keeps the order");

    service.publish().await;
    let key = service.key(Tier::Enterprise).await;
    let listed = listed(&service, &key).await;
    assert_eq!(follow(&service, "", 2, None).await, feed, "a generation does not change the feed");
    assert_eq!(listed, feed, "the generation lists the changes of the feed");
    // The newest values of the feed are those of the records.
    let mut newest: BTreeMap<(String, String), Value> = BTreeMap::new();
    for event in &feed {
        let field = event["fieldName"].as_str().unwrap_or_default();
        if matches!(field, "name" | "legalSeat" | "status" | "auditorName") {
            let uid = event["companyUid"].as_str().expect("a number").to_owned();
            newest.insert((uid, field.to_owned()), event["newValue"].clone());
        }
    }
    for ((uid, field), value) in newest {
        let record = service.get_as(&key, &format!("/v1/companies/{uid}")).await;
        assert_eq!(record.body[&field], value, "{field} of {uid}");
    }
}

/// The changes that a client holds after it followed the feed: each removes those that it replaces.
fn replayed(feed: &[Value]) -> Vec<Value> {
    let mut held: Vec<Value> = Vec::new();
    for change in feed {
        let replaces = change["replaces"].as_array().cloned().unwrap_or_default();
        held.retain(|it| !replaces.contains(&it["id"]));
        held.push(change.clone());
    }
    held
}

#[tokio::test]
async fn corrections_are_appended_to_the_feed_and_name_what_they_replace() {
    let service = Service::start().await;
    let auditor_change = two_companies::publications().remove(AUDITOR_CHANGE);
    // Zefix's copy of the publication arrives first, then the gazette's own, then its cancellation.
    let copy = json!({
        "uid": EINS, "name": "Eins AG", "canton": "BE", "status": "ACTIVE",
        "sogcPub": [{ "sogcDate": "2022-01-10", "sogcId": 1_000_000_003,
            "message": auditor_change.full_text() }],
    });
    let copy = sources::read(Source::Zefix, copy.to_string().as_bytes()).expect("json");
    service.ingest(Source::Zefix, copy).await;
    service.publish().await;
    let first = follow(&service, "", 100, None).await;
    assert_eq!(first.len(), 1);
    let cloud = &service.cloud;
    let key = service.key(Tier::Enterprise).await;
    let mut before = first;
    for publication in [auditor_change.clone(), auditor_change.cancelled()] {
        ingest(&cloud.registry, cloud, &[publication]).await.expect("ingested");
        let (after, count) = (follow(&service, "", 1, None).await, before.len());
        assert_eq!(after[..count], before, "earlier items do not change");
        assert_eq!(after[count]["replaces"], json!([before[count - 1]["id"]]));
        service.publish().await;
        assert_eq!(follow(&service, "", 2, None).await, after, "nor with a new generation");
        assert_eq!(listed(&service, &key).await, replayed(&after));
        let statistics = service.get("/v1/changes/statistics").await;
        assert_eq!(statistics.body["totalChanges"], 1, "{}", statistics.text);
        let company = service.get(&format!("/v1/companies?search={EINS}&minChanges=2")).await;
        assert_eq!(company.body["total"], 0, "replaced changes do not count: {}", company.text);
        // A replaced change is still found by its id and names its replacement.
        let id = before[count - 1]["id"].as_str().expect("an id");
        let replaced = service.get(&format!("/v1/changes/{id}")).await;
        let mut expected = before[count - 1].clone();
        expected["replacedBy"] = after[count]["id"].clone();
        assert_eq!(replaced.body[0], expected);
        before = after;
    }
    assert_eq!(
        change_types(&Value::from(before)),
        ["auditor_change", "auditor_change", "publication_cancelled"]
    );
}

#[tokio::test]
async fn an_invalid_cursor_is_refused() {
    let service = Service::start().await;
    service.ingest_publications(two_companies::publications()).await;
    let refused = service.get("/v1/changes/feed?cursor=abc").await;
    assert_eq!(refused.status.as_u16(), 400);
    assert!(
        refused.detail().contains("cursor") && refused.detail().contains("`abc`"),
        "{}",
        refused.text
    );
}
