//! What a record of the Global LEI Index (GLEIF) states.

use domain::{
    Company,
    company::{Affiliation, AffiliationKind, ParentException, ParentLevel},
    statements::gleif::{
        Category, Entity, Exception, Group, Kind, RelatedEntity, Relationship, Report,
    },
};
use jiff::civil::Date;

/// The rank of an entity among those of the same company; the highest is used. A company can have several
/// LEIs, of which usually only one is maintained.
pub(super) fn rank(entity: &Entity) -> (bool, bool, bool) {
    let status = entity.registration_status.as_deref();
    (entity.is_valid(), entity.status.as_deref() != Some("INACTIVE"), status == Some("ISSUED"))
}

/// Adds the LEI and the date of creation, which counts as the founding date if the register does not state it.
pub(super) fn enrich(entity: &Entity, company: &mut Company) {
    company.lei = Some(entity.lei);
    company.founding_date = company.founding_date.or(entity.creation_date);
}

/// Adds the ISIN.
pub(super) fn add_isin(entity: &Entity, company: &mut Company) {
    // With several securities it is unknown which one is the share.
    if let (Some(isin), 1) = (entity.isins.first(), entity.isins.len()) {
        company.isin = Some(*isin);
    }
}

/// Adds the parents, and as affiliations the direct parent and the children that are not in the Swiss register.
/// `published` is the date of the statement.
pub(super) fn enrich_with_group(group: &Group, company: &mut Company, published: Option<Date>) {
    let lei = |it: &Option<RelatedEntity>| it.as_ref().map(|it| it.lei);
    company.direct_parent_lei = lei(&group.direct_parent);
    company.ultimate_parent_lei = lei(&group.ultimate_parent);
    company.ultimate_parent_name = group.ultimate_parent.as_ref().and_then(|it| it.name.clone());
    company.direct_parent_percentage = group.direct_parent.as_ref().and_then(|it| it.percentage);
    company.parent_exceptions = Vec::new();
    group.exceptions.iter().for_each(|it| add_exception(it, company));
    company.gleif_parent_enriched_at = published.map(domain::changes::midnight);
    let parent = group.direct_parent.iter().map(|it| (AffiliationKind::ConsolidatedBy, it));
    let children = group.children.iter().map(|it| (AffiliationKind::Consolidates, it));
    // Swiss companies are left out here: their own records name their parent.
    let abroad = parent.chain(children).filter(|(_, it)| it.uid.is_none());
    company.affiliations.retain(|it| {
        !matches!(it.kind, AffiliationKind::ConsolidatedBy | AffiliationKind::Consolidates)
    });
    company
        .affiliations
        .extend(abroad.filter_map(|(kind, it)| {
            Some(Affiliation { kind, uid: None, name: it.name.clone()? })
        }));
}

/// Applies a record of the official level 2 files about the company. `published` is the date of the record.
pub(super) fn apply_report(report: &Report, company: &mut Company, published: Option<Date>) {
    match report {
        Report::Relationship(it) => apply_relationship(it, company),
        Report::Exception(it) => add_exception(it, company),
    }
    company.gleif_parent_enriched_at =
        published.map(domain::changes::midnight).max(company.gleif_parent_enriched_at);
}

fn apply_relationship(relationship: &Relationship, company: &mut Company) {
    let (level, known) = match relationship.kind {
        Kind::DirectParent => (ParentLevel::Direct, company.direct_parent_lei),
        Kind::UltimateParent => (ParentLevel::Ultimate, company.ultimate_parent_lei),
        Kind::HeadOffice | Kind::FundManager | Kind::UmbrellaFund | Kind::MasterFund => return,
    };
    let is_active = relationship.is_active();
    let is_known = known == Some(relationship.parent);
    // The end of a relationship that a newer one has replaced changes nothing.
    if !is_active && !is_known {
        return;
    }
    let parent = is_active.then_some(relationship.parent);
    match level {
        ParentLevel::Direct => {
            company.direct_parent_lei = parent;
            company.direct_parent_percentage = relationship.percentage.filter(|_| is_active);
            if !(is_active && is_known) {
                company.affiliations.retain(|it| it.kind != AffiliationKind::ConsolidatedBy);
            }
        }
        ParentLevel::Ultimate => {
            company.ultimate_parent_lei = parent;
            let name = company.ultimate_parent_name.take();
            company.ultimate_parent_name = name.filter(|_| is_active && is_known);
        }
    }
    if is_active {
        company.parent_exceptions.retain(|it| it.parent != level);
    }
}

/// Adds the reasons for naming no parent, unless one is named. They replace those that were reported before.
fn add_exception(exception: &Exception, company: &mut Company) {
    let (parent, known) = match exception.category {
        Category::DirectParent => (ParentLevel::Direct, company.direct_parent_lei),
        Category::UltimateParent => (ParentLevel::Ultimate, company.ultimate_parent_lei),
    };
    if known.is_none() {
        company.parent_exceptions.retain(|it| it.parent != parent);
        let reasons = exception.reasons.clone();
        company.parent_exceptions.push(ParentException { parent, reasons });
        company.parent_exceptions.sort_by_key(|it| it.parent);
    }
}

#[cfg(test)]
mod tests;
