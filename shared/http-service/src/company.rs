//! The company that a path names, for every operation below `/companies/{uid}`.

use domain::{Company, History, Uid};
use jiff::civil::Date;
use problem_details::Problem;
use serde::Deserialize;
use store::{Past, Registry};
use utoipa::IntoParams;

use crate::Clock;

#[derive(Debug, thiserror::Error)]
#[error("no company {0} in the commercial register")]
struct UnknownCompany(Uid);

#[derive(Debug, thiserror::Error)]
#[error("nothing proves that {0} was in the commercial register on {1}")]
struct UnknownThen(Uid, Date);

/// The day whose state is asked for.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AsOf {
    /// The state at the end of this day, by what was published until then; a day after today is refused.
    /// Without it: the state of today.
    #[param(value_type = Option<String>, format = Date, example = "2024-06-30")]
    pub as_of: Option<Date>,
}

/// The record of a company, or 404. The read that a handler needs anyway is the check.
pub async fn known_company(registry: &Registry, uid: Uid) -> Result<Company, Problem> {
    let company = registry.company(uid).await?;
    company.ok_or_else(|| Problem::not_found(UnknownCompany(uid)))
}

/// The record of a company and what happened to it, or 404.
pub async fn known_company_with_history(
    registry: &Registry,
    uid: Uid,
) -> Result<(Company, History), Problem> {
    let company = registry.company_with_history(uid).await?;
    company.ok_or_else(|| Problem::not_found(UnknownCompany(uid)))
}

/// A company as it was on a day, the parameter `asOf`, or 404: where there is no such company, or nothing
/// proves that it was in the register then. A day after today is 400: nobody knows what will be published
/// until then.
pub async fn company_until(
    registry: &Registry,
    clock: &Clock,
    uid: Uid,
    day: Date,
) -> Result<Past, Problem> {
    let today = clock.today();
    if day > today {
        return Err(Problem::invalid("asOf", format!("`{day}` is after today, {today}")));
    }
    match registry.company_until(uid, day).await? {
        Some(past) => Ok(past),
        None => {
            known_company(registry, uid).await?;
            Err(Problem::not_found(UnknownThen(uid, day)))
        }
    }
}
