//! Changes: what happened to companies, filtered, counted and compared.

use std::collections::BTreeSet;

use access::Tier;
use serde_json::{Value, json};
use tests::Service;

use crate::two_companies::{self, EINS};

#[tokio::test]
async fn a_change_states_both_values_and_the_publication_that_proves_it() {
    let service = Service::start().await;
    service.ingest_publications(two_companies::publications()).await;
    let list = service.get("/v1/changes?type=AuditorChange&since=2022-01-01").await;
    assert_eq!(list.body["total"], 1, "{}", list.text);
    let change = &list.body["items"][0];
    assert_eq!(change["oldValue"], "Erste Revision AG");
    assert_eq!(change["newValue"], "Zweite Revision AG");
    assert_eq!(change["sourceDate"], "2022-01-10");
    let reference = change["provenance"]["reference"].as_str().expect("a publication");
    assert!(reference.ends_with("/00000000-0000-4000-8000-001000000003"), "{reference}");
    let one = service.get(&format!("/v1/changes/{}", change["id"].as_str().expect("an id"))).await;
    assert_eq!(one.body[0], *change);

    let statistics = service.get("/v1/changes/statistics").await;
    let by_type = statistics.body["byType"].as_object().expect("counts");
    let sum: u64 = by_type.values().filter_map(Value::as_u64).sum();
    assert_eq!(statistics.body["totalChanges"], sum, "{}", statistics.text);
    assert_eq!(by_type["new_registration"], 2);

    let timeline = service.get(&format!("/v1/companies/{EINS}/timeline?since=2023-01-01")).await;
    let events = timeline.body["events"].as_array().expect("events");
    let fields: BTreeSet<_> = events.iter().filter_map(|it| it["fieldName"].as_str()).collect();
    assert_eq!(fields, BTreeSet::from(["legalSeat", "name", "persons"]), "{}", timeline.text);

    let diff =
        service.get(&format!("/v1/companies/{EINS}/diff?since=2022-12-31&until=2023-12-31")).await;
    let name =
        diff.body["changes"].as_array().expect("changes").iter().find(|it| it["field"] == "name");
    let name = name.expect("the name changed");
    assert_eq!((&name["from"], &name["to"]), (&json!("Eins AG"), &json!("Eins Holding AG")));

    let late = service.get(&format!("/v1/companies/{EINS}/diff?since=2030-01-01")).await;
    assert_eq!(
        late.detail(),
        "since: must not be after `until`, by default today (2026-11-20); got `2030-01-01`"
    );
}

#[tokio::test]
async fn a_change_of_a_person_names_the_person_in_every_list() {
    let service = Service::start().await;
    service.ingest_publications(two_companies::publications()).await;
    let company = format!("/v1/companies/{EINS}");
    for (path, list) in [
        (format!("/v1/changes/{EINS}"), ""),
        (format!("{company}/full"), "/recentChanges"),
        (format!("{company}/diff?since=2019-12-31"), "/changes"),
    ] {
        let answer = service.get(&path).await;
        let changes = answer.body.pointer(list).and_then(|it| it.as_array()).expect("a list");
        let of_persons: Vec<_> =
            changes.iter().filter(|it| it["changeType"] == "board_change").collect();
        assert!(!of_persons.is_empty(), "{path}");
        for change in of_persons {
            assert!(change["subject"].is_object(), "{path}: {change}");
        }
    }
}

#[tokio::test]
async fn changes_are_sorted_by_publication_date_then_by_sequence() {
    let service = Service::start().await;
    let publications = two_companies::publications();
    // The older publications are read last and get the greater sequence numbers.
    service.ingest_publications(publications[3..].to_vec()).await;
    service.ingest_publications(publications[..3].to_vec()).await;
    let key = service.key(Tier::Enterprise).await;
    let list = service.get_as(&key, "/v1/changes?pageSize=100&includeInternal=true").await;
    let items = list.body["items"].as_array().expect("items").iter();
    let order: Vec<(&str, u64)> = items
        .map(|it| {
            let date = it["sourceDate"].as_str().expect("a date");
            (date, it["sequence"].as_u64().expect("a number"))
        })
        .collect();
    let mut newest_first = order.clone();
    newest_first.sort_unstable_by(|one, other| other.cmp(one));
    assert_eq!(order, newest_first);
    let sequences: Vec<u64> = order.iter().map(|it| it.1).collect();
    assert!(!sequences.iter().rev().is_sorted(), "the order is not that of the feed");
}

#[tokio::test]
async fn timeline_diff_and_changes_of_a_company_are_paged() {
    let service = Service::start().await;
    service.ingest_publications(two_companies::publications()).await;
    let items = |it: &Value| {
        let items = it.get("events").or(it.get("changes")).unwrap_or(it);
        items.as_array().expect("a list").clone()
    };
    let total = |it: &Value| it.get("totalEvents").or(it.get("totalChanges")).cloned();
    for path in [
        format!("/v1/companies/{EINS}/timeline?since=2020-01-01"),
        format!("/v1/companies/{EINS}/diff?since=2019-12-31"),
        format!("/v1/changes/{EINS}?includeInternal=true"),
    ] {
        let all = service.get(&path).await;
        assert_eq!(all.header("link"), None, "{path}");
        let (mut collected, mut next) = (Vec::new(), Some(format!("{path}&limit=2")));
        while let Some(path) = next {
            let page = service.get(&path).await;
            assert_eq!(total(&page.body), total(&all.body), "{path}");
            assert!((1..=2).contains(&items(&page.body).len()), "{path}: {}", page.text);
            collected.extend(items(&page.body));
            let link = page.header("link").map(|it| it.trim_end_matches(">; rel=\"next\""));
            next = link.map(|it| it[it.find("/v1/").expect("an address")..].to_owned());
        }
        assert!(collected.len() > 2 && collected == items(&all.body), "{path}: {}", all.text);
        let past_the_end = service.get(&format!("{path}&page=1000")).await;
        assert_eq!((items(&past_the_end.body).len(), past_the_end.header("link")), (0, None));
        let refused = service.get(&format!("{path}&limit=1001")).await;
        assert!(refused.detail().contains("1 to 1000"), "{}", refused.text);
    }
}
