//! The published Rust client (vynco 2.4.1 on crates.io) as a caller of a running server.
//!
//! usage: vynco-rust LOCAL_JSON
//!
//! Calls every method of the resources that exist, with the parameters that its users send, and checks
//! what its typed results say; each check bears the name of its method. Ends with `N of N`.
//!
//! Left out is what asks for endpoints that are not served yet: of `companies` notes, tags,
//! `timeline_summary`, `ubo`, `media_analyze`, `pdf` and `export_csv`; of `graph` `analyze`; and `ai`, `alerts`,
//! `analytics`, `billing`, `credits`, `dossiers`, `exports`, `ownership`, `pipelines`, `reports`,
//! `saved_searches`, `screening`, `teams`, `watchlists`, `webhooks`.

mod companies;
mod history;
mod people;
mod service;

use std::process::ExitCode;

use serde_json::Value;
use vynco::{Client, ResponseMeta, VyncoError};

const NESTLE: &str = "CHE-105.909.036";

// The invented companies of `tests/clients/sources`, which the server has read.
const SOLAR: &str = "CHE-600.000.012";
const BRANCH: &str = "CHE-600.000.029";
const TAKEN_OVER: &str = "CHE-600.000.035";

type Checked = Result<(), String>;

/// What `local.json` says, and clients of the server that it names.
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

    fn client_with(&self, key: &str) -> Client {
        Client::builder(key).base_url(self.url()).max_retries(0).build().expect("a client")
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

fn is_of_a_group(meta: &ResponseMeta, limit: u32, window: u64) -> bool {
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
    // The last one spends what the free key may spend.
    run! {
        service::health_check
        companies::companies_list_finds_the_one_that_is_meant
        companies::companies_list_takes_every_parameter
        companies::companies_list_is_sorted_and_paged
        companies::companies_get
        companies::companies_get_full
        companies::companies_count_and_statistics_agree
        companies::companies_nearby_come_nearest_first
        companies::companies_similar_are_scored
        companies::companies_compare
        companies::companies_classification
        companies::companies_fingerprint
        companies::companies_news
        companies::companies_media
        companies::companies_reports
        companies::companies_relationships
        companies::companies_hierarchy
        companies::companies_structure
        companies::companies_acquisitions
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
        service::dashboard_get
        service::api_keys_are_created_listed_and_revoked
        service::refusals_are_the_clients_errors
    }
    println!("{passed} of {all}");
    if passed == all { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
