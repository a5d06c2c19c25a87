//! Operations on many items at once. Rate group: `bulk`. Answers are streamed.

mod company_spreadsheet;
mod export;
mod exports;
mod screening;
mod snapshots;

use access::RateGroup;
use components::{Clock, Components};
use generations::Generations;
use http_service::{Api, Description, Routes};
use jobs::{ExportJob, Queue};
use objects::Objects;
use screening_lists::{Retention, ScreeningLists};
use screening_results::CompanyScreenings;
use store::{Counters, Registry, Tenants};

components::component! {
    /// What this function uses: companies, the generations with their records, the lists, the team's screenings and tags, and its
    /// exports with their files.
    pub struct State {
        pub registry: Registry,
        pub tenants: Tenants,
        pub counters: Counters,
        pub generations: Generations,
        /// What the screening lists say about companies.
        pub screened: CompanyScreenings,
        pub objects: Objects,
        pub exports: Queue<ExportJob>,
        pub lists: ScreeningLists,
        pub retention: Retention,
        pub clock: Clock,
    }
}

pub fn api<D: Description>(components: &Components) -> Api<D> {
    Routes::new()
        .merge(company_spreadsheet::routes())
        .merge(export::routes())
        .merge(exports::routes())
        .merge(snapshots::routes())
        .merge(screening::routes())
        .into_api("bulk", RateGroup::Bulk, components.get())
        .streaming()
}
