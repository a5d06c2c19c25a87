use std::collections::{BTreeMap, BTreeSet, HashMap};

use statements::{
    Isin, Lei,
    gleif::{Entity, Exception, Group, MAX_CHILDREN, RelatedEntity},
};

use crate::{
    Batch,
    gleif::{Kind, Relationship, rejected, statement},
};

/// Maximum number of securities of a company. Issuers of more (a bank may have 100,000) issue
/// certificates, and the data does not show which security is the share.
pub(super) const MAX_ISINS: usize = 32;

/// Level 1, reduced to what [`join`] needs: Swiss companies completely, name and jurisdiction of all other entities.
#[derive(Debug, Default)]
pub struct Level1 {
    companies: BTreeMap<Lei, Entity>,
    others: HashMap<Lei, (String, Option<String>)>,
}

impl FromIterator<Entity> for Level1 {
    fn from_iter<I: IntoIterator<Item = Entity>>(entities: I) -> Self {
        let mut level1 = Self::default();
        for entity in entities {
            if entity.uid().is_some() {
                level1.companies.insert(entity.lei, entity);
            } else {
                level1.others.insert(entity.lei, (entity.legal_name, entity.jurisdiction));
            }
        }
        level1
    }
}

impl Level1 {
    /// Adds the securities of the Swiss companies. A company with more than 32 securities gets none.
    pub fn add_isins(&mut self, isins: impl IntoIterator<Item = (Lei, Isin)>) {
        let mut counts: HashMap<Lei, usize> = HashMap::new();
        for (lei, isin) in isins {
            let Some(company) = self.companies.get_mut(&lei) else { continue };
            let count = counts.entry(lei).or_default();
            *count += 1;
            if *count <= MAX_ISINS {
                company.isins.insert(isin);
            }
        }
        for (lei, _) in counts.into_iter().filter(|(_, count)| *count > MAX_ISINS) {
            if let Some(company) = self.companies.get_mut(&lei) {
                company.isins.clear();
            }
        }
    }

    fn relative(&self, lei: Lei, relationship: &Relationship) -> RelatedEntity {
        let company = self.companies.get(&lei);
        let other = self.others.get(&lei);
        RelatedEntity {
            lei,
            name: company.map(|it| &it.legal_name).or(other.map(|it| &it.0)).cloned(),
            jurisdiction: company.map_or_else(|| other?.1.clone(), |it| it.jurisdiction.clone()),
            uid: company.and_then(Entity::uid).and_then(Result::ok),
            since: relationship.since(),
            percentage: relationship.percentage,
        }
    }
}

/// Statements about the Swiss companies of level 1, with their parents, children and reporting
/// exceptions. Uses active relationships only; if several contradict each other, the one with the latest
/// update.
pub fn join(
    level1: &Level1,
    relationships: impl IntoIterator<Item = Relationship>,
    exceptions: impl IntoIterator<Item = Exception>,
) -> Batch {
    let mut parents: BTreeMap<Lei, Vec<Relationship>> = BTreeMap::new();
    let mut children: BTreeMap<Lei, Vec<Relationship>> = BTreeMap::new();
    for it in relationships.into_iter().filter(Relationship::is_active) {
        if it.kind == Kind::DirectParent && level1.companies.contains_key(&it.parent) {
            children.entry(it.parent).or_default().push(it.clone());
        }
        if level1.companies.contains_key(&it.child) {
            parents.entry(it.child).or_default().push(it);
        }
    }
    let mut reasons: BTreeMap<Lei, BTreeSet<Exception>> = BTreeMap::new();
    for it in exceptions.into_iter().filter(|it| level1.companies.contains_key(&it.lei)) {
        reasons.entry(it.lei).or_default().insert(it);
    }

    let mut batch = Batch::default();
    for (lei, entity) in &level1.companies {
        let mut entity = entity.clone();
        let parents = parents.remove(lei).unwrap_or_default();
        let children = children.remove(lei).unwrap_or_default();
        let parent = |kind: Kind| {
            let of_kind = parents.iter().filter(|it| it.kind == kind);
            let newest = of_kind.max_by_key(|it| (it.last_update, it.since(), it.parent))?;
            Some(level1.relative(newest.parent, newest))
        };
        let newest = parents.iter().chain(&children).filter_map(|it| it.last_update).max();
        let by_lei: BTreeMap<Lei, &Relationship> =
            children.iter().map(|it| (it.child, it)).collect();
        let listed = by_lei.iter().take(MAX_CHILDREN);
        entity.group = Some(Group {
            direct_parent: parent(Kind::DirectParent),
            ultimate_parent: parent(Kind::UltimateParent),
            head_office: parent(Kind::HeadOffice),
            exceptions: reasons.remove(lei).unwrap_or_default().into_iter().collect(),
            children: listed.map(|(child, it)| level1.relative(*child, it)).collect(),
            children_total: (by_lei.len() > MAX_CHILDREN).then_some(by_lei.len()),
        });
        match entity.uid() {
            Some(Ok(uid)) => {
                let mut statement = statement(uid, entity);
                statement.published = statement.published.max(newest);
                batch.statements.push(statement);
            }
            Some(Err(reason)) => batch.rejected.push(rejected(&entity, reason)),
            None => {}
        }
    }
    batch
}
