//! Analyses of the whole register: distributions, cohorts, survival, flows, clusters, anomalies, the market of audits, industry
//! reports.
//!
//! Invariant: no I/O, no clock. Results depend on the arguments only: on columns, a selection of rows, today, and a seed.
//!
//! Reading order: [`columns`], [`rows`], [`groups`], then the analysis that interests. The statistics know nothing about companies:
//! [`quantiles`], [`rates`], [`survival`], [`kmeans`] and `forest`.
//!
//! What no source states is unknown, never 0: an analysis leaves it out and counts it.

pub mod anomalies;
pub mod audit_market;
pub mod benchmark;
pub mod candidates;
pub mod chart;
pub mod clusters;
pub mod cohorts;
pub mod columns;
pub mod features;
pub mod flows;
mod forest;
pub mod groups;
mod invalid;
pub mod kmeans;
pub mod lives;
mod mandates;
pub mod migrations;
mod needs;
pub mod prospects;
pub mod quantiles;
mod random;
pub mod rates;
pub mod report;
pub mod rfm;
pub mod robust;
mod row;
pub mod rows;
mod silhouette;
mod small;
pub mod survival;
#[cfg(test)]
mod test;

pub use invalid::InvalidRequest;
pub use mandates::{Duty, ScorePart};
pub use needs::Needs;
pub use rows::Rows;
pub use small::{Count, Currency, Day, FirmId, LegalFormCode, Money, Noga, Window};
