//! Reads companies, and everything that an assessment of a company needs, and assesses it: its owners, its risk, its obligations, and
//! the facts of a dossier.
//!
//! Invariant: what is read is as of one day. The rules are in the pure crates (`ownership`, `risk`, `obligations`, `dossier`).
//!
//! | Module | Contents |
//! |---|---|
//! | `company` | The record of a company whose number is in a request |
//! | `filters` | What the filters of a list of companies need beside the index |
//! | [`subject`] | The company on a day, with the sources of its record |
//! | [`scope`] | The same with its owners, its group and what else decides which rules apply |
//! | [`owners`] | The companies above a company, who owns and controls it, and what is missing |
//! | [`risk`] | Its risk |
//! | [`dossier`] | The facts of a dossier |

mod company;
pub mod dossier;
mod filters;
mod group;
mod listings;
pub mod owners;
pub mod risk;
pub mod scope;
pub mod subject;

pub use company::{
    UnknownCompany, company_as_of, known_company, known_company_with, known_company_with_events,
    past_day, proofs_of, refuse_mistyped,
};

pub use filters::{refuse_misspelled_municipality, tagged_companies};

use components::Clock;
use screening_results::CompanyScreenings;
use store::Registry;

components::component! {
    /// What assessments read.
    pub struct Sources {
        pub registry: Registry,
        /// What the screening lists say about companies.
        pub screened: CompanyScreenings,
        pub clock: Clock,
    }
}
