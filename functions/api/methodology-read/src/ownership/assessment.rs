//! Who owns and controls one company.

use std::collections::BTreeSet;

use ::ownership::{
    Party, Resolution, Structure,
    flags::{Flag, flags},
};
use assessments::owners::{Above, MAX_COMPANIES, Reader};
use domain::{Company, Uid};
use http_service::{company_as_of, known_company};
use problem_details::Problem;

use super::parameters::OwnershipQuery;

/// What is known about the owners of a company.
#[derive(Debug)]
pub(super) struct Assessment {
    pub(super) above: Above,
    pub(super) company: Company,
    pub(super) structure: Structure,
    pub(super) resolution: Resolution,
    pub(super) flags: Vec<Flag>,
}

/// Assesses the owners of a company.
///
/// # Errors
/// 404 if there is no such company, or if no source shows that it was in the register on the day. 400 if the day is in the
/// future.
pub(super) async fn assess(
    state: &crate::State,
    reader: &Reader<'_>,
    uid: Uid,
    query: &OwnershipQuery,
) -> Result<Assessment, Problem> {
    if let Some(day) = query.as_of {
        company_as_of(&state.registry, &state.clock, uid, day).await?;
    }
    let above = reader.above([uid], query.max_depth(), MAX_COMPANIES).await?;
    let company = match above.companies.get(&uid) {
        Some(it) => it.company.clone(),
        None => known_company(&state.registry, uid).await?,
    };
    Ok(Assessment::of(above, company, query))
}

impl Assessment {
    pub(super) fn of(above: Above, company: Company, query: &OwnershipQuery) -> Self {
        let structure = above.structure(company.uid, query.max_depth());
        let resolution = Resolution::of(&structure, &query.criteria());
        let flags = flags(&structure, &resolution);
        Self { above, company, structure, resolution, flags }
    }

    /// Companies in the structure whose record is not known.
    pub(super) fn unregistered(&self) -> BTreeSet<Party> {
        let unregistered = self.above.unregistered.iter().map(|it| Party::Company(*it));
        unregistered.filter(|it| self.structure.depths().contains_key(it)).collect()
    }
}
