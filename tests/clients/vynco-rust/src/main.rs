//! Tests the published Rust client (vynco 2.4.1 on crates.io) against a running server.
//!
//! usage: vynco-rust LOCAL_JSON
//!
//! Calls every method that the server serves with typical parameters and checks the typed results. Each check is
//! named after its method. The other methods are called in `not_served`: the server must have no endpoint for them.
//! The last line of the output is `N of N`.

mod analytics;
mod companies;
mod dossiers;
mod exports;
mod history;
mod not_served;
mod notes_and_tags;
mod people;
mod pipelines;
mod quickstart;
mod screening;
mod searches;
mod service;
mod watchlists;
mod webhooks;

use std::process::ExitCode;

use serde_json::Value;
use vynco::{Client, ResponseMeta, VyncoError};

const NESTLE: &str = "CHE-105.909.036";

// The invented companies of the files in `tests/clients/sources`, which the server has imported.
const SOLAR: &str = "CHE-600.000.012";
const BRANCH: &str = "CHE-600.000.029";
const TAKEN_OVER: &str = "CHE-600.000.035";

type Checked = Result<(), String>;

/// The running server: its `local.json`, and clients for it.
struct Server {
    local: Value,
}

impl Server {
    fn client(&self, tier: &str) -> Client {
        self.client_with(self.local["keys"][tier].as_str().expect("a key"))
    }

    fn url(&self) -> &str {
        self.local["url"].as_str().expect("an address")
    }

    /// A client with the session of a user, who signs in with the link in the mail that the server writes.
    async fn signed_in(&self, email: &str) -> Result<Client, String> {
        let failed = |it: reqwest::Error| it.to_string();
        let http = reqwest::Client::new();
        let post = async |path: &str, body: Value| {
            let request = http.post(format!("{}{path}", self.url())).json(&body);
            request.send().await?.error_for_status()?.json::<Value>().await
        };
        let body = serde_json::json!({ "email": email });
        post("/v1/auth/magic-link", body).await.map_err(failed)?;
        let outbox = format!("{}/local/outbox", self.url().trim_end_matches("/api"));
        let mails = http.get(outbox).send().await.map_err(failed)?;
        let mails: Value = mails.json().await.map_err(failed)?;
        let mail = mails.as_array().and_then(|it| it.iter().find(|it| it["to"] == email));
        let text = mail.and_then(|it| it["text"].as_str()).unwrap_or_default();
        let token: String =
            text.split("token=").nth(1).unwrap_or_default().chars().take(43).collect();
        let body = serde_json::json!({ "token": token });
        let session = post("/v1/auth/magic-link/verify", body).await.map_err(failed)?;
        Ok(self.client_with(session["token"].as_str().unwrap_or_default()))
    }

    fn client_with(&self, key: &str) -> Client {
        Client::builder(key).base_url(self.url()).max_retries(0).build().expect("a client")
    }
}

/// Fails with the found value unless the condition holds.
fn check(holds: bool, found: impl std::fmt::Debug) -> Checked {
    if holds { Ok(()) } else { Err(format!("{found:?}")) }
}

/// Turns an error of the client into a failed check.
trait OrFail<T> {
    fn or_fail(self) -> Result<T, String>;
}

impl<T> OrFail<T> for Result<T, VyncoError> {
    fn or_fail(self) -> Result<T, String> {
        self.map_err(|it| format!("{it:?}"))
    }
}

/// Whether the response has the rate-limit metadata of a group with this limit and window in seconds.
fn has_rate_limit(meta: &ResponseMeta, limit: u32, window: u64) -> bool {
    meta.request_id.as_ref().is_some_and(|it| it.len() == 36)
        && meta.rate_limit_limit == Some(limit)
        && meta.rate_limit_remaining.is_some_and(|it| it < limit)
        && meta.rate_limit_reset.is_some_and(|it| it <= window)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let path = std::env::args().nth(1).expect("usage: vynco-rust LOCAL_JSON");
    let text = std::fs::read(path).expect("local.json can be read");
    let server = Server { local: serde_json::from_slice(&text).expect("local.json is JSON") };
    let (mut passed, mut all) = (0, 0);
    macro_rules! run {
        ($($check:path)*) => { $(
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
    // The last check uses up the allowance of the free key.
    run! {
        service::health_check
        quickstart::quickstart_of_the_readme
        companies::companies_list_finds_a_well_known_company_first
        companies::companies_list_accepts_every_parameter
        companies::companies_list_is_sorted_and_paged
        companies::companies_get
        companies::companies_export_csv
        exports::exports_are_created_polled_and_downloaded
        exports::exports_of_profiles
        dossiers::dossiers_are_written_listed_read_and_deleted
        companies::companies_get_full
        companies::companies_count_and_statistics_agree
        companies::companies_nearby_are_sorted_nearest_first
        companies::companies_similar_are_scored
        companies::companies_compare
        companies::companies_classification
        companies::companies_fingerprint
        companies::companies_news
        companies::companies_media
        companies::companies_reports
        companies::companies_pdf
        companies::companies_relationships
        companies::companies_hierarchy
        companies::companies_ubo
        companies::ownership_trace
        companies::graph_analyze
        companies::companies_structure
        analytics::analytics_of_the_whole_register
        analytics::analytics_of_companies
        analytics::reports_of_industries
        companies::companies_acquisitions
        notes_and_tags::companies_notes_are_created_changed_and_deleted
        notes_and_tags::companies_are_tagged_and_the_tags_are_counted
        history::companies_timeline
        history::companies_events
        history::changes_list
        history::changes_by_company
        history::changes_statistics
        history::changes_review
        history::changes_diff
        history::auditors_tenures
        history::auditors_history
        people::persons_board_members
        people::persons_board_members_paged
        people::persons_search
        people::persons_get
        people::persons_network
        people::graph_get
        people::graph_export
        pipelines::pipelines_contain_companies_in_stages
        searches::saved_searches_are_created_changed_and_deleted
        searches::alerts_are_created_with_a_webhook_and_deleted
        screening::screening_finds_a_listed_name
        screening::screening_of_companies_by_number
        screening::sanctions_are_browsed_with_filters
        watchlists::watchlists_contain_companies_and_their_events
        webhooks::webhooks_are_created_changed_and_deleted
        service::dashboard_get
        service::api_keys_are_created_listed_and_revoked
        service::teams_and_invitations_of_an_api_key
        service::billing_needs_an_owner_and_a_payment_provider
        service::credits_balance_usage_and_history
        not_served::methods_that_are_not_served_have_no_endpoint
        service::error_responses_are_the_errors_of_the_client
    }
    println!("{passed} of {all}");
    if passed == all { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
