//! What a text model writes. Rate group: `expensive_ai`.
//!
//! Invariant: an operation answers within 25 seconds, the time that clients and the gateway wait; if the text is not written by then,
//! the answer is 503, and the request is not counted.

mod dossiers;
mod preferences;
mod writing;

use access::RateGroup;
use company_reader::Sources;
use components::{Clock, Components};
use dossier_generation::Generator;
use generations::Generations;
use http_service::{Api, Description, Routes};
use jobs::{DossierJob, Queue};
use screening_results::CompanyScreenings;
use store::Registry;

components::component! {
    /// What this function uses: companies with their history and facts, the generation that is searched, the team's dossiers, the text
    /// model, and the queue of dossiers that are written later.
    pub struct State {
        pub registry: Registry,
        pub generations: Generations,
        /// What the screening lists say about companies.
        pub screened: CompanyScreenings,
        pub generator: Generator,
        pub jobs: Queue<DossierJob>,
        pub clock: Clock,
    }
}

impl State {
    fn sources(&self) -> Sources {
        let (registry, screened) = (self.registry.clone(), self.screened.clone());
        Sources { registry, screened, clock: self.clock.clone() }
    }
}

pub fn api<D: Description>(components: &Components) -> Api<D> {
    Routes::new().merge(dossiers::routes()).into_api(
        "expensive-ai",
        RateGroup::ExpensiveAi,
        components.get(),
    )
}
