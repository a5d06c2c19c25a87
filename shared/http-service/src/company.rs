//! The company that a path names, for every operation below `/companies/{uid}`.

use domain::{Company, Uid};
use problem_details::Problem;
use store::Registry;

#[derive(Debug, thiserror::Error)]
#[error("no company {0} in the commercial register")]
struct UnknownCompany(Uid);

/// The record of a company, or 404. The read that a handler needs anyway is the check.
pub async fn known_company(registry: &Registry, uid: Uid) -> Result<Company, Problem> {
    let company = registry.company(uid).await?;
    company.ok_or_else(|| Problem::not_found(UnknownCompany(uid)))
}
