//! Analyses of the whole register, or of any part that the list of companies can select. Rate group: `analytics_read`.
//!
//! Invariant: every number of companies that a search can count has a link to that search, with the same total.
//!
//! `selection` reads the companies and columns of a request, `kept` keeps answers that take long; each other module has one
//! operation. The statistics are in the crate [`analytics`].

mod anomalies;
mod audit;
mod auditors;
mod benchmark;
mod candidates;
mod cantons;
mod cluster;
mod cohorts;
mod coverage;
mod features;
mod flows;
mod kept;
mod migrations;
mod names;
mod prospects;
mod reports;
mod rfm_segments;
mod selection;

use access::RateGroup;
use axum::middleware::from_fn_with_state;
use components::{Clock, Components, PublicUrl};
use generations::Generations;
use http_service::{Api, Description, Routes};
use kept_results::{IndustryReports, KeptResults};
use store::{Registry, Tenants};

components::component! {
    /// The data that this function reads: columns and indexes of the generation, the records of companies that an answer names, and
    /// tags of teams.
    pub struct State {
        pub registry: Registry,
        pub tenants: Tenants,
        pub generations: Generations,
        pub reports: IndustryReports,
        pub results: KeptResults,
        pub clock: Clock,
        /// URL of the API for clients, ending in `/api`.
        pub public_url: PublicUrl,
    }
}

pub fn api<D: Description>(components: &Components) -> Api<D> {
    let state: State = components.get();
    let analyses = Routes::new()
        .merge(anomalies::routes())
        .merge(auditors::routes())
        .merge(benchmark::routes())
        .merge(candidates::routes())
        .merge(cantons::routes())
        .merge(cluster::routes())
        .merge(cohorts::routes())
        .merge(flows::routes())
        .merge(migrations::routes())
        .merge(prospects::routes())
        .merge(rfm_segments::routes())
        .around(|it| it.layer(from_fn_with_state(state.clone(), kept::keep)));
    analyses.merge(reports::routes()).into_api("analytics-read", RateGroup::AnalyticsRead, state)
}
