//! The profile of a company as a PDF file, and its data as JSON. Rate group: `standard_read`. Answers are streamed.
//!
//! A function of its own, because the typesetting system makes the binary large.
//!
//! Invariants: the same content is always the same file, and a file that is stored is only answered if it is whole.
//!
//! | Module | Content |
//! |---|---|
//! | `profile` | The operations |
//! | `sections` | The sections that a request chooses |
//! | `answer` | The profile as JSON |
//! | `document` | The data of the template |
//! | `files` | Rendering, and the files that are stored |

mod answer;
mod document;
mod files;
mod profile;
mod sections;
mod typesetting;

use access::RateGroup;
use company_reader::Sources;
use components::{Clock, Components};
use generations::Generations;
use http_service::{Api, Description, Routes};
use screening_results::CompanyScreenings;
use store::Registry;

pub use files::Files;

components::component! {
    /// What this function uses: companies with their history, the generation that names owners and officers for the risk
    /// assessment, and the files that are stored.
    pub struct State {
        pub registry: Registry,
        pub generations: Generations,
        /// What the screening lists say about companies, for the risk assessment.
        pub screened: CompanyScreenings,
        pub files: Files,
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
    Routes::new()
        .merge(profile::routes())
        .into_api("company-pdf", RateGroup::StandardRead, components.get())
        .streaming()
}
