//! What a record of the Global LEI Index (GLEIF) states.

use domain::{
    Company,
    company::{Affiliation, AffiliationKind},
};
use jiff::civil::Date;
use statements::gleif::{Entity, Group, RelatedEntity};

/// The rank of an entity among those of the same company; the highest is used. A company can have several
/// LEIs, of which usually only one is maintained.
pub(super) fn rank(entity: &Entity) -> (bool, bool, bool) {
    let status = entity.registration_status.as_deref();
    (entity.is_valid(), entity.status.as_deref() != Some("INACTIVE"), status == Some("ISSUED"))
}

/// Adds the LEI and, if the register does not state it, the founding date.
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

#[cfg(test)]
mod tests;
