//! Who may call what, and how often: tiers, scopes, environments, rate groups, windows and the
//! table of allowances.
//!
//! Invariant: no I/O and no clock; the current time is passed in.

mod allowance;
mod environment;
mod rate_group;
mod scope;
mod tier;
mod window;

pub use allowance::Allowance;
pub use environment::{Environment, UnknownEnvironment};
pub use rate_group::RateGroup;
pub use scope::Scope;
pub use tier::Tier;
pub use window::Window;
