//! Screening of names against sanctions and other lists, and what a team keeps of it. Rate group: `standard_read`.
//!
//! A function of its own, because it keeps the lists in memory, and only `bulk` and `screening-updates` may write the evidence too.

mod batch;
mod decisions;
mod evidence;
mod sanctions;
mod subjects;

use access::RateGroup;
use components::{Clock, Components, PublicUrl};
use generations::Generations;
use http_service::{Api, Description, Routes};
use screening_lists::{Retention, ScreeningLists};
use store::{Registry, Tenants};

components::component! {
    /// What this function uses: the lists, the companies that are screened by number, and the team's screenings.
    pub struct State {
        pub registry: Registry,
        pub tenants: Tenants,
        pub generations: Generations,
        pub lists: ScreeningLists,
        pub retention: Retention,
        pub clock: Clock,
        /// URL of the API for clients, ending in `/api`.
        pub public_url: PublicUrl,
    }
}

pub fn api<D: Description>(components: &Components) -> Api<D> {
    Routes::new()
        .merge(evidence::routes())
        .merge(batch::routes())
        .merge(decisions::routes())
        .merge(subjects::routes())
        .merge(sanctions::routes())
        .into_api("screenings", RateGroup::StandardRead, components.get())
}
