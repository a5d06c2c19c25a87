//! Who may call what, and how often: tiers, scopes, roles, environments, client networks, rate groups, windows and
//! the tables of allowances.
//!
//! Invariant: no I/O and no clock; the current time is passed in.

mod allowance;
mod environment;
mod network;
mod rate_group;
mod role;
mod scope;
mod screening_subjects;
mod team_limits;
mod tier;
mod webhook_deliveries;
mod window;

pub use allowance::{Allowance, NETWORKS_PER_SITE};
pub use environment::{Environment, UnknownEnvironment};
pub use network::Network;
pub use rate_group::RateGroup;
pub use role::Role;
pub use scope::Scope;
pub use screening_subjects::screening_subjects;
pub use team_limits::TeamLimits;
pub use tier::Tier;
pub use webhook_deliveries::{waiting_deliveries, webhook_deliveries};
pub use window::Window;
