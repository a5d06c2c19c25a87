//! Who owns and controls one company.

use std::collections::BTreeSet;

use ::ownership::{
    LinkKind, Party, Resolution, Structure,
    flags::{Flag, flags},
};
use domain::{Company, Status, Uid};
use generations::Generation;
use jiff::civil::Date;
use problem_details::Problem;

use super::{
    scope::OwnershipScope,
    walk::{Above, MAX_COMPANIES, Reader},
};
use crate::{
    company::{company_as_of, known_company},
    subject::Subject,
};

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
    /// Whether the owners are the last known ones of a company that is deleted now: those on the day before the deletion.
    pub is_last_known: bool,
}

/// Assesses the owners of a company. Without a day, those of a deleted company are the last known ones, or, if it was absorbed,
/// those of its successor.
///
/// # Errors
/// 404 if there is no such company, or if no source shows that it was in the register on the day. 400 if the day is in the
/// future.
pub async fn assess(
    reader: &Reader<'_>,
    uid: Uid,
    scope: &OwnershipScope,
) -> Result<Assessment, Problem> {
    let assessment = assess_present(reader, uid, scope).await?;
    let Some(day) = assessment.last_day() else { return Ok(assessment) };
    let past = Reader { as_of: Some(day), known: None, ..*reader };
    let above = past.above([uid], scope.max_depth, MAX_COMPANIES).await?;
    if !above.companies.contains_key(&uid) {
        return Ok(assessment);
    }
    let scope = OwnershipScope { as_of: Some(day), ..*scope };
    let last = Assessment::of(above, assessment.company, &scope);
    Ok(Assessment { is_last_known: true, ..last })
}

async fn assess_present(
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

/// The owners of a company that was read for the same day, with the depth and the shares of requests that give none. A company that
/// is deleted on this day has none, whether it had a head office or was absorbed: then the successor is named.
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
    let scope = OwnershipScope::on(as_of);
    let mut assessment = assess_present(&reader, subject.company.uid, &scope).await?;
    if assessment.company.status != Some(Status::Cancelled) {
        return Ok(assessment);
    }
    let root = Party::Company(assessment.company.uid);
    assessment.above.links.retain(|it| it.owned == root && it.kind == LinkKind::Merger);
    Ok(Assessment::of(assessment.above, assessment.company, &scope))
}

impl Assessment {
    pub fn of(above: Above, company: Company, scope: &OwnershipScope) -> Self {
        let structure = above.structure(company.uid, scope);
        let resolution = Resolution::of(&structure, &scope.criteria);
        let flags = flags(&structure, &resolution);
        let is_last_known = false;
        Self { above, company, structure, resolution, flags, scope: *scope, is_last_known }
    }

    /// The last day on which a deleted company had owners. `None` if it exists, if a day was asked for, or if it was absorbed: then it
    /// is a part of its successor.
    fn last_day(&self) -> Option<Date> {
        let is_deleted = self.company.status == Some(Status::Cancelled);
        let is_absorbed = self.structure.is_absorbed();
        let deletion = self.company.deletion_date.filter(|_| is_deleted && !is_absorbed);
        deletion.filter(|_| self.scope.as_of.is_none())?.yesterday().ok()
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
