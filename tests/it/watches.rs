//! Watches and watchlists.

use access::{Environment, RateGroup, Scope, Tier};
use auth::Principal;
use http::StatusCode;
use publications::Publication;
use serde_json::{Value, json};
use store::{Subject, TeamKey};
use tests::{Answer, Service, company, operator, request};

const FIRST: &str = "CHE-107.787.577";
const SECOND: &str = "CHE-600.000.001";
const THIRD: &str = "CHE-600.000.018";

async fn service() -> Service {
    let mut first = company(FIRST, "Muster AG");
    first.canton = "ZH".parse().ok();
    Service::with([first, company(SECOND, "Zweite AG"), company(THIRD, "Dritte AG")]).await
}

async fn watch(service: &Service, key: &str, company: &str) -> Answer {
    service.post_as(key, "/v1/watches", json!({ "companyUid": company })).await
}

/// The members `name` of the items of a list.
fn members<'a>(list: &'a Value, name: &str) -> Vec<&'a str> {
    let items = list.as_array().unwrap_or_else(|| panic!("{list}"));
    items.iter().map(|it| it[name].as_str().expect(name)).collect()
}

/// Creates a watchlist and returns its path.
async fn watchlist(service: &Service, key: &str, name: &str) -> String {
    let created = service.post_as(key, "/v1/watchlists", json!({ "name": name })).await;
    assert_eq!(created.status, 201, "{created:?}");
    format!("/v1/watchlists/{}", created.body["id"].as_str().expect("an id"))
}

/// The companies of a watchlist with these numbers after 300,000,000, as stored.
fn entries(
    service: &Service,
    list: &str,
    numbers: impl IntoIterator<Item = u32>,
) -> Vec<teams::WatchlistEntry> {
    let entry = |number| teams::WatchlistEntry {
        watchlist_id: id(list).to_owned(),
        company_uid: format!("{}", 300_000_000 + number).parse().expect("a company number"),
        after_sequence: 0,
        created_by: Principal::api_key("k"),
        added_at: service.now(),
    };
    numbers.into_iter().map(entry).collect()
}

/// The id of the watchlist with this path.
fn id(list: &str) -> &str {
    list.rsplit('/').next().expect("an id")
}

/// Adds companies to a watchlist, past the registry.
async fn fill(service: &Service, team: &TeamKey, tier: Tier, list: &str, number: u32) {
    let entries = entries(service, list, 0..number);
    let added = service.cloud.tenants.add_to_watchlist(team, tier, id(list), &entries).await;
    assert_eq!(added.expect("added"), entries.len());
}

async fn add(service: &Service, key: &str, list: &str, uids: &[&str]) -> Answer {
    service.post_as(key, &format!("{list}/companies"), json!({ "uids": uids })).await
}

#[tokio::test]
async fn companies_are_watched_and_no_longer_watched() {
    let service = service().await;
    let (key, other) = (service.key(Tier::Free).await, service.key(Tier::Free).await);
    for company in [SECOND, FIRST, SECOND] {
        let created = watch(&service, &key, company).await;
        assert_eq!((created.status.as_u16(), created.text.as_str()), (201, ""));
        service.pass_seconds(1);
    }
    let watches = service.get_as(&key, "/v1/watches").await.body;
    assert_eq!(members(&watches, "companyUid"), [SECOND, FIRST]);
    assert_eq!(watches[0]["addedAt"], "2026-11-20T12:30:00Z");
    assert_eq!(watches[0]["createdBy"]["type"], "api_key");
    assert_eq!(service.get_as(&other, "/v1/watches").await.body, json!([]));

    let path = format!("/v1/watches/{SECOND}");
    for (key, status) in [(&other, 404), (&key, 204), (&key, 404)] {
        assert_eq!(service.delete_as(key, &path).await.status, status);
    }
    let watches = service.get_as(&key, "/v1/watches").await.body;
    assert_eq!(members(&watches, "companyUid"), [FIRST]);
    for wrong in
        [json!({}), json!({ "companyUid": "x" }), json!({ "companyUid": "CHE-999.999.996" })]
    {
        let answer = service.post_as(&key, "/v1/watches", wrong).await;
        assert_eq!((answer.status.as_u16(), answer.slug()), (400, "bad-request"));
        assert_eq!(answer.body["errors"][0]["member"], "companyUid", "{answer:?}");
    }
}

#[tokio::test]
async fn a_free_team_can_watch_a_thousand_companies() {
    let service = service().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let team = operator(team);
    for number in 0..999 {
        let watch = teams::Watch {
            company_uid: format!("{}", 300_000_000 + number).parse().expect("a company number"),
            after_sequence: 0,
            created_by: Principal::api_key("k"),
            added_at: service.now(),
        };
        service.cloud.tenants.create(&team, Tier::Free, &watch).await.expect("stored");
    }
    let (a, b) = tokio::join!(watch(&service, &key, FIRST), watch(&service, &key, SECOND));
    let mut statuses = [a.status.as_u16(), b.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409], "one of two concurrent requests");
    let watched = service.get_as(&key, "/v1/watches").await.body;
    assert_eq!(members(&watched, "companyUid").len(), 1_000);
    assert_eq!(service.delete_as(&key, "/v1/watches/CHE-300.000.000").await.status, 204);
    let last = if a.status == 201 { SECOND } else { FIRST };
    assert_eq!(watch(&service, &key, last).await.status, 201);
}

#[tokio::test]
async fn watchlists_are_created_listed_and_deleted() {
    let service = service().await;
    let (key, other) = (service.key(Tier::Free).await, service.key(Tier::Free).await);
    let request = json!({ "name": "Zürich suppliers", "description": "Deliver to us." });
    let created = service.post_as(&key, "/v1/watchlists", request).await;
    assert_eq!(created.status, 201, "{created:?}");
    assert_eq!(created.body["description"], "Deliver to us.");
    assert_eq!(created.body["createdAt"], created.body["updatedAt"]);
    let same = service.post_as(&key, "/v1/watchlists", json!({ "name": "zurich SUPPLIERS" })).await;
    assert_eq!((same.status.as_u16(), same.slug()), (409, "conflict"));
    assert!(same.detail().contains("`zurich SUPPLIERS`"), "{same:?}");
    watchlist(&service, &other, "Zürich suppliers").await;
    let second = watchlist(&service, &key, "Clients").await;
    assert_eq!(add(&service, &key, &second, &[FIRST, SECOND]).await.body, json!({ "added": 2 }));

    let lists = service.get_as(&key, "/v1/watchlists").await.body;
    assert_eq!(members(&lists, "name"), ["Zürich suppliers", "Clients"]);
    assert_eq!((&lists[0]["companyCount"], &lists[1]["companyCount"]), (&json!(0), &json!(2)));
    assert_eq!(lists[1]["description"], "");

    assert_eq!(service.delete_as(&other, &second).await.status, 404);
    assert_eq!(service.delete_as(&key, &second).await.status, 204);
    for path in ["", "/companies", "/events", "/companies/CHE-107.787.577"] {
        let path = format!("{second}{path}");
        let answer = match path.ends_with('s') {
            true => service.get_as(&key, &path).await,
            false => service.delete_as(&key, &path).await,
        };
        assert_eq!((answer.status.as_u16(), answer.slug()), (404, "not-found"), "{path}");
    }
    let again = watchlist(&service, &key, "Clients").await;
    let companies = service.get_as(&key, &format!("{again}/companies")).await.body;
    assert_eq!(companies, json!({ "uids": [], "companies": [] }));
    for wrong in [
        json!({}),
        json!({ "name": "" }),
        json!({ "name": "…" }),
        json!({ "name": "x".repeat(101) }),
    ] {
        let answer = service.post_as(&key, "/v1/watchlists", wrong).await;
        assert_eq!(answer.body["errors"][0]["member"], "name", "{answer:?}");
    }
}

#[tokio::test]
async fn companies_are_added_to_a_watchlist_once_and_removed() {
    let service = service().await;
    let key = service.key(Tier::Free).await;
    let list = watchlist(&service, &key, "Suppliers").await;
    assert_eq!(
        add(&service, &key, &list, &[SECOND, FIRST, SECOND]).await.body,
        json!({ "added": 2 })
    );
    assert_eq!(add(&service, &key, &list, &[FIRST, THIRD]).await.body, json!({ "added": 1 }));
    assert_eq!(add(&service, &key, &list, &[]).await.body, json!({ "added": 0 }));
    let unknown = add(&service, &key, &list, &["CHE-999.999.996"]).await;
    assert_eq!(unknown.body["errors"][0]["member"], "uids", "{unknown:?}");
    let many: Vec<String> = (0..1_001).map(|it| format!("CHE{}", 300_000_000 + it)).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(add(&service, &key, &list, &many).await.status, 400);

    let companies = service.get_as(&key, &format!("{list}/companies")).await.body;
    assert_eq!(companies["uids"], json!([FIRST, SECOND, THIRD]));
    let first = json!({ "uid": FIRST, "name": "Muster AG", "status": "ACTIVE", "canton": "ZH" });
    assert_eq!(companies["companies"][0], first);
    assert_eq!(members(&companies["companies"], "name"), ["Muster AG", "Zweite AG", "Dritte AG"]);

    let path = format!("{list}/companies/{SECOND}");
    assert_eq!(service.delete_as(&key, &path).await.status, 204);
    assert_eq!(service.delete_as(&key, &path).await.status, 404);
    let lists = service.get_as(&key, "/v1/watchlists").await.body;
    assert_eq!(lists[0]["companyCount"], 2);
}

#[tokio::test]
async fn a_watchlist_has_at_most_five_thousand_companies() {
    let service = service().await;
    let team = service.team(Tier::Enterprise).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let list = watchlist(&service, &key, "Large").await;
    let team = operator(team);
    let tenants = &service.cloud.tenants;
    fill(&service, &team, Tier::Enterprise, &list, 4_998).await;
    // Those that the list contains already do not count.
    let some = entries(&service, &list, [0, 5_000, 1]);
    let added = tenants.add_to_watchlist(&team, Tier::Enterprise, id(&list), &some).await;
    assert_eq!(added.expect("added"), 1);
    let two = add(&service, &key, &list, &[FIRST, SECOND]).await;
    assert_eq!((two.status.as_u16(), two.slug()), (409, "conflict"));
    assert!(two.detail().contains("5000 companies in a watchlist"), "{two:?}");
    let (a, b) =
        tokio::join!(add(&service, &key, &list, &[FIRST]), add(&service, &key, &list, &[SECOND]));
    let mut statuses = [a.status.as_u16(), b.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "one of two concurrent requests");
    let companies = service.get_as(&key, &format!("{list}/companies")).await.body;
    assert_eq!(companies["uids"].as_array().map(Vec::len), Some(5_000));
    let events = service.get_as(&key, &format!("{list}/events")).await;
    assert_eq!(events.body, json!({ "events": [], "count": 0, "total": 0 }));
    // Another list of the team has room.
    let other = watchlist(&service, &key, "Other").await;
    assert_eq!(add(&service, &key, &other, &[FIRST, SECOND]).await.body, json!({ "added": 2 }));
    assert_eq!(service.delete_as(&key, &list).await.status, 204);
    assert!(tenants.watchers(some[0].company_uid).await.expect("read").is_empty());
    assert_eq!(tenants.number_of_listed(&team).await.expect("read"), 2);
}

#[tokio::test]
async fn watchlists_of_a_free_team_have_at_most_a_thousand_companies_together() {
    let service = service().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let sandbox = service.key_of(&team, Environment::Test, &Scope::ALL).await;
    let large = watchlist(&service, &key, "Large").await;
    let small = watchlist(&service, &key, "Small").await;
    fill(&service, &operator(team.clone()), Tier::Free, &large, 998).await;
    let three = add(&service, &key, &small, &[FIRST, SECOND, THIRD]).await;
    assert_eq!((three.status.as_u16(), three.slug()), (409, "conflict"));
    assert!(three.detail().contains("the tier `free` allows 1000 companies"), "{three:?}");
    let companies = service.get_as(&key, &format!("{small}/companies")).await.body;
    assert_eq!(companies["uids"], json!([]), "none of the three");
    assert_eq!(add(&service, &key, &small, &[FIRST]).await.body, json!({ "added": 1 }));
    let (a, b) = tokio::join!(
        add(&service, &key, &large, &[SECOND]),
        add(&service, &key, &small, &[SECOND])
    );
    let mut statuses = [a.status.as_u16(), b.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "one of two concurrent requests for different lists");
    // The sandbox has its own number.
    let in_sandbox = watchlist(&service, &sandbox, "Sandbox").await;
    assert_eq!(add(&service, &sandbox, &in_sandbox, &[FIRST]).await.status, 200);

    assert_eq!(add(&service, &key, &small, &[FIRST]).await.body, json!({ "added": 0 }));
    assert_eq!(add(&service, &key, &small, &[THIRD]).await.status, 409);
    let first = format!("{small}/companies/{FIRST}");
    assert_eq!(service.delete_as(&key, &first).await.status, 204);
    assert_eq!(add(&service, &key, &small, &[THIRD]).await.status, 200);
    assert_eq!(add(&service, &key, &small, &[FIRST]).await.status, 409);
    assert_eq!(service.delete_as(&key, &large).await.status, 204);
    assert_eq!(add(&service, &key, &small, &[FIRST]).await.status, 200);
    let lists = service.get_as(&key, "/v1/watchlists").await.body;
    let left = service.cloud.tenants.number_of_listed(&operator(team)).await.expect("read");
    assert_eq!(lists[0]["companyCount"].as_u64(), Some(left as u64), "{lists}");
}

#[tokio::test]
async fn a_watchlist_that_is_deleted_while_companies_are_added_counts_none() {
    let service = service().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let team = operator(team);
    let tenants = &service.cloud.tenants;
    for round in 0..5 {
        let list = watchlist(&service, &key, "Suppliers").await;
        let entries = entries(&service, &list, 0..120);
        let first = format!("{list}/companies/{}", entries[0].company_uid);
        let (added, removed, deleted) = tokio::join!(
            tenants.add_to_watchlist(&team, Tier::Free, id(&list), &entries),
            service.delete_as(&key, &first),
            async {
                tokio::time::sleep(std::time::Duration::from_millis(5 * round)).await;
                service.delete_as(&key, &list).await
            }
        );
        assert_eq!(deleted.status, 204, "{added:?}, {removed:?}");
        assert_eq!(tenants.number_of_listed(&team).await.expect("read"), 0, "{added:?}");
    }
}

#[tokio::test]
async fn ten_companies_of_a_watchlist_count_as_one_request() {
    let uids: Vec<String> = (0..25).map(|it| format!("CHE{}", 300_000_000 + it)).collect();
    let uids: Vec<&str> = uids.iter().map(String::as_str).collect();
    let service = Service::with(uids.iter().map(|it| company(it, "Muster AG"))).await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let list = watchlist(&service, &key, "Suppliers").await;
    let remaining =
        async || service.get_as(&key, "/v1/watchlists").await.number("x-ratelimit-remaining");
    assert_eq!(remaining().await, 598);
    assert_eq!(add(&service, &key, &list, &uids[..10]).await.body, json!({ "added": 10 }));
    assert_eq!(remaining().await, 596, "one request");
    assert_eq!(add(&service, &key, &list, &uids).await.body, json!({ "added": 15 }));
    assert_eq!(remaining().await, 593, "two requests for 15 new companies");
    let (subject, now) = (Subject::Team(team), service.now());
    let counters = &service.cloud.counters;
    counters.take_units(&subject, RateGroup::Account, 588, 600, now).await.expect("counted");
    let more: Vec<String> = (25..125).map(|it| format!("CHE{}", 300_000_000 + it)).collect();
    let more: Vec<&str> = more.iter().map(String::as_str).collect();
    let refused = add(&service, &key, &list, &more).await;
    assert_eq!((refused.status.as_u16(), refused.slug()), (429, "rate-limit-exceeded"));
    assert!(refused.detail().contains("100 companies counts as 10 requests"), "{refused:?}");
    assert_eq!(refused.body["violatedPolicies"], json!(["account"]));
    assert_eq!(remaining().await, 3, "the refused request itself was counted");
}

#[tokio::test]
async fn events_of_a_watchlist_are_those_of_its_companies_newest_first() {
    let service = Service::start().await;
    let key = service.key(Tier::Free).await;
    let uids = ["CHE-600.000.001", "CHE-600.000.018", "CHE-600.000.024"];
    let mut publications = Vec::new();
    for (number, uid) in uids.iter().enumerate() {
        for day in ["2026-11-02", "2026-11-04"] {
            let name = format!("Firma {number} AG");
            let number = publications.len() as u64 + 1;
            publications.push(
                Publication::mutation(uid, &name)
                    .number(number)
                    .on(day)
                    .new_purpose("Handel", "Bau"),
            );
        }
    }
    service.ingest_publications(publications).await;
    let list = watchlist(&service, &key, "Suppliers").await;
    let events =
        async |query: &str| service.get_as(&key, &format!("{list}/events{query}")).await.body;
    assert_eq!(events("").await, json!({ "events": [], "count": 0, "total": 0 }));
    add(&service, &key, &list, &uids[..2]).await;
    let all = events("").await;
    assert_eq!((&all["count"], &all["total"]), (&json!(4), &json!(4)), "{all}");
    let times = members(&all["events"], "ceTime");
    assert!(times.is_sorted_by(|a, b| a >= b) && times[0] > times[3], "{times:?}");
    let companies = members(&all["events"], "companyUid");
    assert!(companies.iter().all(|it| uids[..2].contains(it)), "{companies:?}");
    let newest = events("?limit=1").await;
    assert_eq!((&newest["count"], &newest["total"]), (&json!(1), &json!(4)));
    assert_eq!(newest["events"][0], all["events"][0]);
    let of_company = service.get(&format!("/v1/companies/{}/events", companies[0])).await.body;
    assert_eq!(of_company["events"][0], all["events"][0]);
    assert_eq!(events("?includeInternal=true").await["total"], 4);
    for wrong in ["?limit=101", "?limit=0", "?page=2"] {
        let answer = service.get_as(&key, &format!("{list}/events{wrong}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
}

#[tokio::test]
async fn sandbox_has_its_own_watches_and_watchlists() {
    let service = service().await;
    let team = service.team(Tier::Free).await;
    let live = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let sandbox = service.key_of(&team, Environment::Test, &Scope::ALL).await;
    watch(&service, &sandbox, FIRST).await;
    let list = watchlist(&service, &sandbox, "Suppliers").await;
    assert_eq!(service.get_as(&live, "/v1/watches").await.body, json!([]));
    assert_eq!(service.get_as(&live, "/v1/watchlists").await.body, json!([]));
    assert_eq!(service.delete_as(&live, &list).await.status, 404);
    assert_eq!(service.delete_as(&live, &format!("/v1/watches/{FIRST}")).await.status, 404);
    let patch = service.send(request(&http::Method::PATCH, &list)).await;
    assert_eq!(patch.slug(), "method-not-allowed");
}
