//! Saved searches, and the runs that their team requests.

use access::{Environment, Scope, Tier};
use serde_json::{Value, json};
use tests::{Service, company};

const SAVED: &str = "/v1/saved-searches";

/// A service with two companies in Zürich and one in Bern.
async fn service() -> Service {
    let seated = |uid: &str, name: &str, canton: &str| {
        let mut company = company(uid, name);
        company.canton = canton.parse().ok();
        company
    };
    Service::with([
        seated("CHE-107.787.577", "Muster AG", "ZH"),
        seated("CHE-600.000.001", "Zweite AG", "ZH"),
        seated("CHE-600.000.018", "Dritte AG", "BE"),
    ])
    .await
}

/// Saves a search and returns its path.
async fn saved(service: &Service, key: &str, body: Value) -> String {
    let created = service.post_as(key, SAVED, body).await;
    assert_eq!(created.status, 201, "{created:?}");
    format!("{SAVED}/{}", created.body["id"].as_str().expect("an id"))
}

#[tokio::test]
async fn a_search_is_saved_listed_changed_and_deleted() {
    let service = service().await;
    let key = service.key(Tier::Starter).await;
    let body = json!({
        "name": "Zürich", "description": "Large ones",
        "searchParams": { "canton": ["ZH", "BE"], "capital_min": 100_000 }, "isScheduled": false,
    });
    let created = service.post_as(&key, SAVED, body.clone()).await;
    assert_eq!(created.status, 201, "{created:?}");
    for member in ["name", "description", "searchParams", "isScheduled"] {
        assert_eq!(created.body[member], body[member], "{member}");
    }
    for member in ["scheduleFrequency", "lastRunAt", "lastResultCount", "nextRunAt"] {
        assert!(created.body.get(member).is_none(), "{member}");
    }
    let path = format!("{SAVED}/{}", created.body["id"].as_str().expect("an id"));
    assert_eq!(service.get_as(&key, &path).await.body, created.body);
    let second = saved(&service, &key, json!({ "name": "All", "searchParams": {} })).await;
    let list = service.get_as(&key, SAVED).await.body;
    assert_eq!((list.as_array().map(Vec::len), &list[0]), (Some(2), &created.body));

    service.pass_seconds(60);
    let change = json!({ "name": "Bern", "description": null, "searchParams": { "canton": "BE" } });
    let changed = service.put_as(&key, &path, change).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    assert_eq!(changed.body["searchParams"], json!({ "canton": "BE" }));
    assert!(changed.body.get("description").is_none());
    assert_ne!(changed.body["updatedAt"], changed.body["createdAt"]);
    assert_eq!(service.get_as(&key, &path).await.body, changed.body);

    assert_eq!(service.delete_as(&key, &path).await.status, 204);
    assert_eq!(service.delete_as(&key, &path).await.slug(), "not-found");
    assert_eq!(service.get_as(&key, &path).await.slug(), "not-found");
    assert_eq!(service.put_as(&key, &path, json!({})).await.slug(), "not-found");
    assert_eq!(service.get_as(&key, &second).await.status, 200);
}

#[tokio::test]
async fn a_schedule_starts_when_it_is_set_and_another_frequency_starts_a_new_one() {
    let service = service().await;
    let key = service.key(Tier::Starter).await;
    let path = saved(
        &service,
        &key,
        json!({ "name": "Zürich", "searchParams": { "canton": "ZH" }, "isScheduled": true }),
    )
    .await;
    let search = service.get_as(&key, &path).await.body;
    assert_eq!(search["scheduleFrequency"], "daily");
    assert_eq!(search["nextRunAt"], "2026-11-21T12:30:00Z");

    service.pass_seconds(3_600);
    let renamed = service.put_as(&key, &path, json!({ "name": "ZH" })).await.body;
    assert_eq!(renamed["nextRunAt"], "2026-11-21T12:30:00Z");
    let monthly = json!({ "scheduleFrequency": "Monthly" });
    let monthly = service.put_as(&key, &path, monthly).await.body;
    assert_eq!(
        (&monthly["scheduleFrequency"], &monthly["nextRunAt"]),
        (&json!("monthly"), &json!("2026-12-20T13:30:00Z"))
    );
    let off = service.put_as(&key, &path, json!({ "isScheduled": false })).await.body;
    assert!(off.get("nextRunAt").is_none() && off.get("scheduledAt").is_none(), "{off}");
    assert_eq!(off["scheduleFrequency"], "monthly");
    service.pass_seconds(3_600);
    let on = service.put_as(&key, &path, json!({ "isScheduled": true })).await.body;
    assert_eq!(on["nextRunAt"], "2026-12-20T14:30:00Z");
}

#[tokio::test]
async fn a_run_returns_what_the_list_of_companies_returns_and_becomes_the_last_run() {
    let service = service().await;
    let key = service.key(Tier::Starter).await;
    let body = json!({ "name": "Zürich", "searchParams": { "canton": "zh", "sortBy": "name" } });
    let path = saved(&service, &key, body).await;
    let run = format!("{path}/run");

    let expected = service.get_as(&key, "/v1/companies?canton=ZH&sortBy=name&pageSize=1").await;
    let posted = service.post_as(&key, &format!("{run}?pageSize=1"), json!({})).await;
    assert_eq!((posted.status.as_u16(), &posted.body), (200, &expected.body));
    assert_eq!(posted.names(), ["Muster AG"]);
    assert_eq!(posted.header("x-data-generation"), expected.header("x-data-generation"));
    assert_eq!(posted.header("x-ratelimit-group"), Some("search_read"));
    let search = service.get_as(&key, &path).await.body;
    assert_eq!(
        (&search["lastRunAt"], &search["lastResultCount"]),
        (&json!("2026-11-20T12:30:00Z"), &json!(2))
    );

    service.pass_seconds(60);
    let got = service.get_as(&key, &format!("{run}?page=2&pageSize=1")).await;
    assert_eq!(got.names(), ["Zweite AG"]);
    let listed = service.get_as(&key, SAVED).await.body;
    assert_eq!(listed[0]["lastRunAt"], "2026-11-20T12:31:00Z");
    assert_eq!(listed[0]["updatedAt"], listed[0]["createdAt"], "a run is not a change");

    let unknown = format!("{SAVED}/0199c0de-0000-7000-8000-000000000000/run");
    assert_eq!(service.post_as(&key, &unknown, json!({})).await.slug(), "not-found");
    let invalid = service.get_as(&key, &format!("{run}?pageSize=101")).await;
    assert_eq!(
        (invalid.status.as_u16(), &invalid.body["errors"][0]["member"]),
        (400, &json!("pageSize"))
    );
}

#[tokio::test]
async fn a_run_costs_as_much_as_a_search_and_needs_only_the_scope_read() {
    let service = service().await;
    let team = service.team(Tier::Starter).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let path = saved(&service, &key, json!({ "name": "All", "searchParams": {} })).await;
    let reader = service.key_of(&team, Environment::Live, &[Scope::Read]).await;
    let run = format!("{path}/run");
    let remaining = service.get_as(&reader, "/v1/companies").await.number("x-ratelimit-remaining");
    let posted = service.post_as(&reader, &run, json!({})).await;
    assert_eq!(
        (posted.status.as_u16(), posted.number("x-ratelimit-remaining")),
        (200, remaining - 1)
    );
    let got = service.get_as(&reader, &run).await;
    assert_eq!((got.status.as_u16(), got.number("x-ratelimit-remaining")), (200, remaining - 2));
    let credits = |path: &str| {
        let of_path = service.operations.iter().filter(|it| it.path == path);
        of_path.map(|it| it.credits).collect::<Vec<_>>()
    };
    assert_eq!(credits("/v1/saved-searches/{id}/run"), [credits("/v1/companies")[0]; 2]);
    assert_eq!(credits(SAVED), [0, 0]);
}

#[tokio::test]
async fn a_run_uses_the_tags_of_its_team_in_its_environment() {
    let service = service().await;
    let team = service.team(Tier::Starter).await;
    let live = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let sandbox = service.key_of(&team, Environment::Test, &Scope::ALL).await;
    let tags = "/v1/companies/CHE-600.000.018/tags";
    service.post_as(&live, tags, json!({ "tagName": "VIP" })).await;
    let body = json!({ "name": "VIPs", "searchParams": { "tag": "vip" } });
    for (key, expected) in [(&live, 1), (&sandbox, 0)] {
        let path = saved(&service, key, body.clone()).await;
        let run = service.get_as(key, &format!("{path}/run")).await;
        assert_eq!((run.status.as_u16(), &run.body["total"]), (200, &json!(expected)));
    }
}

#[tokio::test]
async fn an_invalid_search_is_refused_and_names_the_member() {
    let service = service().await;
    let key = service.key(Tier::Starter).await;
    let path = saved(&service, &key, json!({ "name": "All", "searchParams": {} })).await;
    let long: Vec<String> = (0..600).map(|it| format!("{it:0>20}")).collect();
    for (body, member, detail) in [
        (
            json!({ "searchParams": { "cantn": "ZH" } }),
            "searchParams.cantn",
            "did you mean `canton`?",
        ),
        (
            json!({ "searchParams": { "canton": "XX" } }),
            "searchParams.canton",
            "got `XX`. `/v1/reference/cantons` lists them",
        ),
        (
            json!({ "searchParams": { "capital_min": "much" } }),
            "searchParams.capitalMin",
            "got `much`",
        ),
        (
            json!({ "searchParams": { "sortBy": { "a": 1 } } }),
            "searchParams.sortBy",
            "must be a text",
        ),
        (
            json!({ "searchParams": { "pageSize": 101 } }),
            "searchParams.pageSize",
            "must be 1 to 100",
        ),
        (json!({ "searchParams": { "search": long } }), "searchParams", "at most 10000 bytes"),
        (
            json!({ "searchParams": "canton=ZH" }),
            "searchParams",
            "must be an object; got `canton=ZH`",
        ),
        (
            json!({ "scheduleFrequency": "hourly" }),
            "scheduleFrequency",
            "must be one of `daily`, `weekly`, `monthly`; got `hourly`",
        ),
        (json!({ "name": "" }), "name", "must have 1 to 100 characters"),
        (json!({ "description": "x".repeat(1_001) }), "description", "must have 1 to 1000"),
        (json!({ "isScheduled": "yes" }), "isScheduled", "must be `true` or `false`; got `yes`"),
        (json!({ "searchparams": {} }), "searchparams", "did you mean `searchParams`?"),
    ] {
        let mut whole = json!({ "name": "New", "searchParams": {} });
        let members = body.as_object().expect("an object").clone();
        whole.as_object_mut().expect("an object").extend(members);
        for answer in [
            service.post_as(&key, SAVED, whole).await,
            service.put_as(&key, &path, body.clone()).await,
        ] {
            assert_eq!(answer.status, 400, "{body}: {answer:?}");
            let error = &answer.body["errors"][0];
            assert_eq!(error["member"], member, "{body}: {error}");
            assert!(error["detail"].as_str().is_some_and(|it| it.contains(detail)), "{error}");
        }
    }
    for (body, member) in
        [(json!({ "name": "x" }), "searchParams"), (json!({ "searchParams": {} }), "name")]
    {
        let answer = service.post_as(&key, SAVED, body).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.body["errors"][0]["member"]),
            (400, &json!(member))
        );
    }
    let unchanged = service.get_as(&key, SAVED).await.body;
    assert_eq!(
        (unchanged.as_array().map(Vec::len), &unchanged[0]["name"]),
        (Some(1), &json!("All"))
    );
}

#[tokio::test]
async fn a_starter_team_has_at_most_100_saved_searches() {
    let service = Service::start().await;
    let key = service.key(Tier::Starter).await;
    let body = json!({ "name": "All", "searchParams": {}, "isScheduled": true });
    let mut path = String::new();
    for _ in 0..100 {
        path = saved(&service, &key, body.clone()).await;
    }
    let refused = service.post_as(&key, SAVED, body.clone()).await;
    assert_eq!((refused.status.as_u16(), refused.slug()), (409, "conflict"));
    assert_eq!(service.get_as(&key, SAVED).await.body.as_array().map(Vec::len), Some(100));
    assert_eq!(service.delete_as(&key, &path).await.status, 204);
    assert_eq!(service.post_as(&key, SAVED, body).await.status, 201);
}
