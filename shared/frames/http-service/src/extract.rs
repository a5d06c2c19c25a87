//! Reads and validates the parts of a request. Every rejection names the member, its value and the rule.

mod body;
mod filtered;
mod items;
pub(crate) mod language;
mod members;
mod parameters;
mod path;
mod query;
mod tenant;
pub(crate) mod text;
mod upload;

pub use self::{
    body::{Json, JsonOrForm},
    filtered::Filtered,
    items::Items,
    language::{PreferredLanguage, preferred_language},
    path::{CompanyPath, IndustryPath, Path, ResourceId},
    query::{Answered, AnsweredQuery, NoParameters, Query},
    tenant::Tenant,
    text::{Name, Text},
    upload::Upload,
};
