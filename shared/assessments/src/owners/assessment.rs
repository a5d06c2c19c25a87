//! Who owns and controls one company.

use std::collections::BTreeSet;

use ::ownership::{
    Party, Resolution, Structure,
    flags::{Flag, flags},
};
use domain::{Company, Uid};
use generations::Generation;
use http_service::{company_as_of, known_company};
use jiff::civil::Date;
use problem_details::Problem;

use super::{
    scope::OwnershipScope,
    walk::{Above, MAX_COMPANIES, Reader},
};
use crate::subject::Subject;

/// What is known about the owners of a company.
#[derive(Debug)]
pub struct Assessment {
    /// What was read.
    pub above: Above,
    /// The company.
    pub company: Company,
    /// The links above it.
    pub structure: Structure,
    /// Who owns and controls it.
    pub resolution: Resolution,
    /// What deserves attention.
    pub flags: Vec<Flag>,
    /// How far owners were followed, and who counts as one.
    pub scope: OwnershipScope,
}

/// Assesses the owners of a company.
///
/// # Errors
/// 404 if there is no such company, or if no source shows that it was in the register on the day. 400 if the day is in the
/// future.
pub async fn assess(
    reader: &Reader<'_>,
    uid: Uid,
    scope: &OwnershipScope,
) -> Result<Assessment, Problem> {
    let crate::Sources { registry, clock, .. } = reader.sources;
    if let Some(day) = scope.as_of.filter(|it| *it > clock.today()) {
        // Refused before anything is read.
        company_as_of(registry, clock, uid, day).await?;
    }
    let above = reader.above([uid], scope.max_depth, MAX_COMPANIES).await?;
    let company = match (above.companies.get(&uid), scope.as_of) {
        (Some(it), _) => it.company.clone(),
        // Says why it was not read.
        (None, Some(day)) => company_as_of(registry, clock, uid, day).await?.company,
        (None, None) => known_company(registry, uid).await?,
    };
    Ok(Assessment::of(above, company, scope))
}

/// The owners of a company that was read for the same day, with the depth and the shares of requests that give none.
///
/// # Errors
/// As [`assess`].
pub async fn owners_of(
    sources: &crate::Sources,
    generation: &Generation,
    subject: &Subject,
    as_of: Option<Date>,
) -> Result<Assessment, Problem> {
    let reader = Reader::new(sources, generation, as_of).await?;
    let reader = Reader { known: Some(subject), ..reader };
    assess(&reader, subject.company.uid, &OwnershipScope::on(as_of)).await
}

impl Assessment {
    pub fn of(above: Above, company: Company, scope: &OwnershipScope) -> Self {
        let structure = above.structure(company.uid, scope);
        let resolution = Resolution::of(&structure, &scope.criteria);
        let flags = flags(&structure, &resolution);
        Self { above, company, structure, resolution, flags, scope: *scope }
    }

    /// Companies in the structure whose record is not known.
    pub fn unregistered(&self) -> BTreeSet<Party> {
        let unregistered = self.above.unregistered.iter().map(|it| Party::Company(*it));
        unregistered.filter(|it| self.structure.depths().contains_key(it)).collect()
    }
}

impl Above {
    /// The part that is above one company.
    pub fn structure(&self, uid: Uid, scope: &OwnershipScope) -> Structure {
        let (links, profiles) = (self.links.clone(), self.profiles.clone());
        let root = Party::Company(uid);
        let structure = Structure::above(root, links, profiles, scope.max_depth);
        structure.with_unread_owners(self.unread.union(&self.partly_read).copied())
    }
}
