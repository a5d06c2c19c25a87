//! Loads the company in a path, for every operation below `/companies/{uid}`.

use domain::{
    Company, History, Uid,
    history::{HistoryOutline, Recorded},
};
use facts::CompanyAsOf;
use jiff::civil::Date;
use problem_details::Problem;
use serde::Deserialize;
use store::{Registry, Wanted};
use utoipa::IntoParams;

use crate::Clock;

#[derive(Debug, thiserror::Error)]
#[error("no company {0} in the commercial register")]
struct UnknownCompany(Uid);

#[derive(Debug, thiserror::Error)]
#[error("no source shows that {0} was in the commercial register on {1}")]
struct NotRegisteredOn(Uid, Date);

/// The 404 for a company that is not in the register.
pub fn unknown_company(uid: Uid) -> Problem {
    Problem::not_found(UnknownCompany(uid))
}

/// The query of operations that can return a past state.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AsOf {
    /// Day of the state to return: that at the end of the day. Not after today. Default: the current state.
    #[param(value_type = Option<String>, format = Date, example = "2024-06-30")]
    pub as_of: Option<Date>,
}

/// The current record of a company.
///
/// # Errors
/// 404 if there is no such company.
pub async fn known_company(registry: &Registry, uid: Uid) -> Result<Company, Problem> {
    let company = registry.company(uid).await?;
    company.ok_or_else(|| unknown_company(uid))
}

/// The current record of a company, and of its history what is wanted.
///
/// # Errors
/// 404 if there is no such company.
pub async fn known_company_with(
    registry: &Registry,
    uid: Uid,
    wanted: Wanted,
) -> Result<(Company, History), Problem> {
    let company = registry.company_with(uid, wanted).await?;
    company.ok_or_else(|| unknown_company(uid))
}

/// The current record of a company, the result of `select`, and the events that it selects.
///
/// # Errors
/// 404 if there is no such company.
pub async fn known_company_with_events<T>(
    registry: &Registry,
    uid: Uid,
    select: impl Fn(&Company, &HistoryOutline) -> (Vec<usize>, T),
) -> Result<(Company, T, Vec<Recorded>), Problem> {
    let company = registry.select_events(uid, select).await?;
    company.ok_or_else(|| unknown_company(uid))
}

/// A company at the end of `day`, the parameter `asOf`.
///
/// # Errors
/// 404 if there is no such company, or if no source shows that it was in the register on that day. 400 if
/// the day is in the future, because later publications could still change that state.
pub async fn company_as_of(
    registry: &Registry,
    clock: &Clock,
    uid: Uid,
    day: Date,
) -> Result<CompanyAsOf, Problem> {
    let today = clock.today();
    if day > today {
        let detail = format!("must not be after today ({today}); got `{day}`");
        return Err(Problem::invalid("asOf", detail));
    }
    match registry.company_as_of(uid, day).await? {
        Some(past) => Ok(past),
        None => {
            known_company(registry, uid).await?;
            Err(Problem::not_found(NotRegisteredOn(uid, day)))
        }
    }
}
