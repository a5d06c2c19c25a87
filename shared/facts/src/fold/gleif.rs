//! What a legal entity's record states.

use domain::{
    Company,
    company::{Affiliation, AffiliationKind},
};
use jiff::civil::Date;
use statements::gleif::{Entity, Group, Relative};

/// Before which other statement of the same company this one goes: a company may bear several
/// identifiers, of which one is kept up.
pub(super) fn rank(entity: &Entity) -> (bool, bool, bool) {
    let status = entity.registration_status.as_deref();
    (entity.is_valid(), entity.status.as_deref() != Some("INACTIVE"), status == Some("ISSUED"))
}

/// Fills what the register does not know. Nothing that the register says is replaced.
pub(super) fn enrich(entity: &Entity, company: &mut Company) {
    company.lei = Some(entity.lei.to_string());
    company.founding_date = company.founding_date.or(entity.creation_date);
}

/// Fills the security.
pub(super) fn issue(entity: &Entity, company: &mut Company) {
    // Of several, which is the share cannot be told.
    if let (Some(isin), 1) = (entity.isins.first(), entity.isins.len()) {
        company.isin = Some(isin.to_string());
    }
}

/// Fills the parents and those abroad that the company consolidates, `published` being the day of the statement.
pub(super) fn enrich_with_group(group: &Group, company: &mut Company, published: Option<Date>) {
    let lei = |it: &Option<Relative>| it.as_ref().map(|it| it.lei.to_string());
    company.direct_parent_lei = lei(&group.direct_parent);
    company.ultimate_parent_lei = lei(&group.ultimate_parent);
    company.ultimate_parent_name = group.ultimate_parent.as_ref().and_then(|it| it.name.clone());
    company.gleif_parent_enriched_at = published.map(domain::changes::midnight);
    let parent = group.direct_parent.iter().map(|it| (AffiliationKind::ConsolidatedBy, it));
    let children = group.children.iter().map(|it| (AffiliationKind::Consolidates, it));
    // One of the register states by itself who consolidates it.
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
