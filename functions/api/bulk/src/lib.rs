//! Operations on many items at once. Rate group: `bulk`. Answers are streamed.

mod company_spreadsheet;
mod export;
mod exports;
mod screening;
mod snapshots;

use access::RateGroup;
use generations::Generations;
use http_service::{Api, Clock, Description, Routes};
use jobs::{ExportJob, Queue};
use objects::Objects;
use screening_lists::{Retention, ScreeningLists};
use screening_results::CompanyScreenings;
use store::{Counters, Registry, Tenants};

/// What this function uses: companies, the generations with their records, the lists, the team's screenings and tags, and its
/// exports with their files.
#[derive(Clone)]
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

pub fn api<D: Description>(state: State) -> Api<D> {
    Routes::new()
        .merge(company_spreadsheet::routes())
        .merge(export::routes())
        .merge(exports::routes())
        .merge(snapshots::routes())
        .merge(screening::routes())
        .into_api("bulk", RateGroup::Bulk, state)
        .streaming()
}
