//! Reads and validates the parts of a request. Every rejection names the member, its value and the rule.

mod body;
mod parameters;
mod path;
mod query;
mod tenant;

pub use self::{
    body::Json,
    path::{CompanyPath, Path, ResourceId},
    query::{NoParameters, Query},
    tenant::Tenant,
};
