//! PDF files: the profile of a company, which is also answered as JSON, and the report of an industry. Rate group: `standard_read`. Answers are streamed.
//!
//! A function of its own, because the typesetting system makes the binary large.
//!
//! Invariants: the same content is always the same file, and a file that is stored is only answered if it is whole.
//!
//! | Module | Content |
//! |---|---|
//! | `profile` | The operations on companies |
//! | `industry_report` | The report of an industry |
//! | `sections` | The sections that a request chooses |
//! | `answer` | The profile as JSON |
//! | `document` | The data of the templates |
//! | `files` | Rendering, and the files that are stored |

mod answer;
mod document;
mod files;
mod industry_report;
mod profile;
mod sections;
mod typesetting;

use access::RateGroup;
use company_reader::Sources;
use components::{Clock, Components};
use generations::Generations;
use http_service::{Api, Description, Routes};
use kept_results::IndustryReports;
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
        pub reports: IndustryReports,
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
        .merge(industry_report::routes())
        .merge(profile::routes())
        .into_api("company-pdf", RateGroup::StandardRead, components.get())
        .streaming()
}
