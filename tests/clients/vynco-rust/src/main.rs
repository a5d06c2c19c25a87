//! The published Rust client (vynco 2.4.1 on crates.io) as a caller of a running server.
//!
//! usage: vynco-rust LOCAL_JSON
//!
//! Calls every method of the resources that exist, with the parameters that its users send, and checks
//! what its typed results say. Ends with `N of N`.

use std::process::ExitCode;

use serde_json::Value;
use vynco::{
    Client, Company, CompanyListParams, CreateApiKeyRequest, NearbyParams, ResponseMeta, VyncoError,
};

const NESTLE: &str = "CHE-105.909.036";

type Checked = Result<(), String>;

/// What `local.json` says, and clients of the server that it names.
struct Server {
    local: Value,
}

impl Server {
    fn client(&self, tier: &str) -> Client {
        self.client_with(self.local["keys"][tier].as_str().expect("a key"))
    }

    fn client_with(&self, key: &str) -> Client {
        let url = self.local["url"].as_str().expect("an address");
        Client::builder(key).base_url(url).max_retries(0).build().expect("a client")
    }
}

/// Fails with what was found, unless the condition holds.
fn check(holds: bool, found: impl std::fmt::Debug) -> Checked {
    if holds { Ok(()) } else { Err(format!("{found:?}")) }
}

/// What the client could not do is a failure here.
trait OrFail<T> {
    fn or_fail(self) -> Result<T, String>;
}

impl<T> OrFail<T> for Result<T, VyncoError> {
    fn or_fail(self) -> Result<T, String> {
        self.map_err(|it| format!("{it:?}"))
    }
}

async fn list(client: &Client, params: CompanyListParams) -> Result<Vec<Company>, String> {
    Ok(client.companies().list(&params).await.or_fail()?.data.items)
}

fn is_of_a_group(meta: &ResponseMeta, limit: u32, window: u64) -> bool {
    meta.request_id.as_ref().is_some_and(|it| it.len() == 36)
        && meta.rate_limit_limit == Some(limit)
        && meta.rate_limit_remaining.is_some_and(|it| it < limit)
        && meta.rate_limit_reset.is_some_and(|it| it <= window)
}

async fn health_check(server: &Server) -> Checked {
    let health = server.client("free").health().check().await.or_fail()?;
    check(health.data.status == "healthy" && health.data.database == "connected", &health)?;
    check(!health.data.version.is_empty() && health.meta.request_id.is_some(), &health)
}

async fn companies_list_finds_the_one_that_is_meant(server: &Server) -> Checked {
    let client = server.client("enterprise");
    for (search, uid) in [
        ("ABB", "CHE-101.049.653"),
        ("UBS", "CHE-101.329.561"),
        ("Novartis", "CHE-103.011.259"),
        ("Zurich Insurance", "CHE-101.236.480"),
        ("Nestlé", NESTLE),
    ] {
        let search = Some(search.to_owned());
        let params = CompanyListParams { search, page_size: Some(1), ..Default::default() };
        let found = list(&client, params).await?;
        check(found.len() == 1 && found[0].uid == uid, &found)?;
    }
    Ok(())
}

async fn companies_list_takes_every_parameter(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let everything = client.companies().count().await.or_fail()?.data.count;
    let text = |it: &str| Some(it.to_owned());
    let any = CompanyListParams::default;
    for params in [
        CompanyListParams { canton: text("ZH"), status: text("active"), ..any() },
        CompanyListParams { canton: text("GE"), legal_form: text("GmbH"), ..any() },
        CompanyListParams { capital_min: Some(1e6), capital_max: Some(5e7), ..any() },
        CompanyListParams { changed_since: text("2024-01-01"), ..any() },
        CompanyListParams { auditor_category: text("big4"), ..any() },
        CompanyListParams { lei: text("DEMO00CHE00000000000"), ..any() },
        CompanyListParams { duns: text("000000000"), ..any() },
        CompanyListParams { isin: text("CH0000000000"), ..any() },
    ] {
        let page = client.companies().list(&params).await.or_fail()?.data;
        let narrowed = (0..everything).contains(&page.total);
        check(narrowed && page.items.len() as i64 <= page.page_size, (&params, page.total))?;
        let fits = |it: &Company| {
            let capital = it.share_capital.unwrap_or_default();
            params.canton.as_ref().is_none_or(|canton| it.canton.as_ref() == Some(canton))
                && params.capital_min.is_none_or(|least| capital >= least)
                && params.capital_max.is_none_or(|most| capital <= most)
        };
        check(page.items.iter().all(fits), &params)?;
    }
    Ok(())
}

async fn companies_list_is_sorted_and_paged(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let params = |page| CompanyListParams {
        sort_by: Some("shareCapital".into()),
        sort_desc: Some(true),
        page: Some(page),
        page_size: Some(20),
        ..Default::default()
    };
    let first = client.companies().list(&params(1)).await.or_fail()?.data;
    check((first.page, first.page_size, first.items.len()) == (1, 20, 20), &first)?;
    let second = list(&client, params(2)).await?;
    let both: Vec<&Company> = first.items.iter().chain(&second).collect();
    let capitals: Vec<f64> = both.iter().filter_map(|it| it.share_capital).collect();
    check(capitals.len() == 40 && capitals.is_sorted_by(|a, b| a >= b), &capitals)?;
    let mut uids: Vec<&str> = both.iter().map(|it| it.uid.as_str()).collect();
    uids.sort_unstable();
    uids.dedup();
    check(uids.len() == 40, uids)
}

async fn companies_get(server: &Server) -> Checked {
    let answer = server.client("enterprise").companies().get(NESTLE).await.or_fail()?;
    let company = &answer.data;
    check((company.uid.as_str(), company.name.as_str()) == (NESTLE, "Nestlé S.A."), company)?;
    check(company.canton.as_deref() == Some("VD"), company)?;
    check(company.legal_form.as_deref() == Some("Aktiengesellschaft"), company)?;
    check(company.data_source.as_deref() == Some("demo"), company)?;
    check(is_of_a_group(&answer.meta, 60_000, 3_600), &answer.meta)
}

async fn companies_get_full(server: &Server) -> Checked {
    let full = server.client("enterprise").companies().get_full(NESTLE).await.or_fail()?.data;
    check(full.company.uid == NESTLE && full.company.name == "Nestlé S.A.", &full)?;
    check(full.persons.is_empty() && full.relationships.is_empty(), &full)
}

async fn companies_count_and_statistics_agree(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let count = client.companies().count().await.or_fail()?;
    check(count.data.count > 0 && is_of_a_group(&count.meta, 60_000, 3_600), &count)?;
    let statistics = client.companies().statistics().await.or_fail()?.data;
    check(statistics.total == count.data.count, &statistics)?;
    for parts in [&statistics.by_status, &statistics.by_canton, &statistics.by_legal_form] {
        check(parts.values().sum::<i64>() == count.data.count, parts)?;
    }
    Ok(())
}

async fn companies_nearby_come_nearest_first(server: &Server) -> Checked {
    let params = NearbyParams { lat: 47.559, lng: 7.588, radius_km: Some(2.0), limit: Some(10) };
    let near = server.client("enterprise").companies().nearby(&params).await.or_fail()?.data;
    let distances: Vec<f64> = near.iter().map(|it| it.distance).collect();
    check(!near.is_empty() && near.len() <= 10 && distances.is_sorted(), &distances)?;
    check(near.iter().all(|it| it.distance <= 2.0 && it.latitude > 47.0), &near)
}

async fn companies_similar_are_scored(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let similar = client.companies().similar(NESTLE, Some(5)).await.or_fail()?.data;
    check(similar.company_uid == NESTLE && similar.company_name == "Nestlé S.A.", &similar)?;
    let scores: Vec<i32> = similar.results.iter().map(|it| it.similarity_score).collect();
    check(scores.len() == 5 && scores.is_sorted_by(|a, b| a >= b), &similar)?;
    check(similar.results.iter().all(|it| !it.matching_dimensions.is_empty()), &similar)?;
    let many = client.companies().similar(NESTLE, None).await.or_fail()?.data;
    check(many.results.len() > 5, many.results.len())
}

async fn api_keys_are_created_listed_and_revoked(server: &Server) -> Checked {
    let starter = server.client("starter");
    let request = CreateApiKeyRequest {
        name: Some("client test".into()),
        environment: Some("test".into()),
        scopes: Some(vec!["read".into()]),
    };
    let made = starter.api_keys().create(&request).await.or_fail()?.data;
    check(made.key.starts_with("gth_test_") && made.key.starts_with(&made.prefix), &made)?;
    check(made.scopes == ["read"] && made.name == "client test", &made)?;
    check(!made.warning.is_empty() && !made.created_at.is_empty(), &made)?;
    let status = async || -> Result<Vec<String>, String> {
        let listed = starter.api_keys().list().await.or_fail()?.data;
        Ok(listed.into_iter().filter(|it| it.id == made.id).map(|it| it.status).collect())
    };
    check(status().await? == ["active"], "active")?;

    let reader = server.client_with(&made.key);
    check(reader.companies().count().await.or_fail()?.data.count > 0, "the new key reads")?;
    let more = reader.api_keys().create(&request).await;
    check(matches!(more, Err(VyncoError::Forbidden(_))), &more)?;

    let revoked = starter.api_keys().revoke(&made.id).await.or_fail()?;
    check(revoked.request_id.is_some(), &revoked)?;
    check(status().await? == ["revoked"], "revoked")
}

async fn refusals_are_the_clients_errors(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let unknown = client.companies().get("CHE-000.000.000").await;
    check(matches!(&unknown, Err(VyncoError::NotFound(it)) if it.status == 404), &unknown)?;
    let canton = CompanyListParams { canton: Some("XX".into()), ..Default::default() };
    let wrong = client.companies().list(&canton).await;
    let says = "`XX` is not a canton";
    let is_told = |it: &VyncoError| it.to_string().contains(says);
    check(matches!(&wrong, Err(it @ VyncoError::Validation(_)) if is_told(it)), &wrong)?;
    let none = client.api_keys().revoke("no-such-key").await;
    check(matches!(none, Err(VyncoError::NotFound(_))), &none)?;
    let stranger = server.client_with("vc_live_nobody").companies().count().await;
    check(matches!(stranger, Err(VyncoError::Authentication(_))), &stranger)?;
    let free = server.client("free");
    for _ in 0..61 {
        match free.companies().count().await {
            Ok(_) => {}
            Err(VyncoError::RateLimit(refusal)) => {
                return check(refusal.error_type.ends_with("/errors/rate-limit-exceeded"), refusal);
            }
            Err(error) => return Err(format!("{error:?}")),
        }
    }
    Err("61 requests with a free key".into())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let path = std::env::args().nth(1).expect("usage: vynco-rust LOCAL_JSON");
    let text = std::fs::read(path).expect("local.json can be read");
    let server = Server { local: serde_json::from_slice(&text).expect("local.json is JSON") };
    let (mut passed, mut all) = (0, 0);
    macro_rules! run {
        ($($check:ident)*) => { $(
            all += 1;
            match $check(&server).await {
                Ok(()) => {
                    passed += 1;
                    println!("ok   {}", stringify!($check));
                }
                Err(found) => println!("FAIL {}: {found}", stringify!($check)),
            }
        )* };
    }
    // The last one spends what the free key may spend.
    run! {
        health_check
        companies_list_finds_the_one_that_is_meant
        companies_list_takes_every_parameter
        companies_list_is_sorted_and_paged
        companies_get
        companies_get_full
        companies_count_and_statistics_agree
        companies_nearby_come_nearest_first
        companies_similar_are_scored
        api_keys_are_created_listed_and_revoked
        refusals_are_the_clients_errors
    }
    println!("{passed} of {all}");
    if passed == all { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
