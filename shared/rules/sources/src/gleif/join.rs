use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use jiff::civil::Date;

use domain::{
    Isin, Lei,
    statements::gleif::{
        Entity, Exception, Group, MAX_CHILDREN, MAX_PARENTS_ABROAD, ParentAbroad, RelatedEntity,
    },
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
                company.has_many_isins = true;
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
/// exceptions, and what their parents abroad report: of those in `incomplete`, parents may be missing. Uses active
/// relationships only; if several contradict each other, the one with the latest update.
pub fn join(
    level1: &Level1,
    relationships: impl IntoIterator<Item = Relationship>,
    exceptions: impl IntoIterator<Item = Exception>,
    incomplete: BTreeSet<Lei>,
) -> Batch {
    let reports = Reports::new(level1, relationships, exceptions, incomplete);
    let mut batch = Batch::default();
    for (lei, entity) in &level1.companies {
        let mut entity = entity.clone();
        let newest = reports.newest(*lei);
        entity.group = Some(reports.group(*lei));
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

/// The records of level 2.
struct Reports<'a> {
    level1: &'a Level1,
    /// Active relationships by child.
    parents: BTreeMap<Lei, Vec<Relationship>>,
    /// Active relationships of direct consolidation by parent. Swiss parents only.
    children: BTreeMap<Lei, Vec<Relationship>>,
    exceptions: BTreeMap<Lei, BTreeSet<Exception>>,
    /// Entities abroad of which parents may be missing.
    incomplete: BTreeSet<Lei>,
}

impl<'a> Reports<'a> {
    fn new(
        level1: &'a Level1,
        relationships: impl IntoIterator<Item = Relationship>,
        exceptions: impl IntoIterator<Item = Exception>,
        incomplete: BTreeSet<Lei>,
    ) -> Self {
        let (parents, children, reasons) = Default::default();
        let mut reports = Self { level1, parents, children, exceptions: reasons, incomplete };
        for it in relationships.into_iter().filter(Relationship::is_active) {
            if it.kind == Kind::DirectParent && level1.companies.contains_key(&it.parent) {
                reports.children.entry(it.parent).or_default().push(it.clone());
            }
            reports.parents.entry(it.child).or_default().push(it);
        }
        for it in exceptions {
            reports.exceptions.entry(it.lei).or_default().insert(it);
        }
        reports
    }

    /// Date of the newest relationship in which an entity is the child, or a direct parent.
    fn newest(&self, lei: Lei) -> Option<Date> {
        let of = [&self.parents, &self.children].map(|it| it.get(&lei));
        of.into_iter().flatten().flatten().filter_map(|it| it.last_update).max()
    }

    fn parent(&self, child: Lei, kind: Kind) -> Option<RelatedEntity> {
        let of_kind = self.parents.get(&child)?.iter().filter(|it| it.kind == kind);
        let newest = of_kind.max_by_key(|it| (it.last_update, it.since(), it.parent))?;
        Some(self.level1.relative(newest.parent, newest))
    }

    fn exceptions(&self, lei: Lei) -> Vec<Exception> {
        self.exceptions.get(&lei).into_iter().flatten().cloned().collect()
    }

    fn group(&self, lei: Lei) -> Group {
        let children = self.children.get(&lei).into_iter().flatten();
        let by_lei: BTreeMap<Lei, &Relationship> = children.map(|it| (it.child, it)).collect();
        let listed = by_lei.iter().take(MAX_CHILDREN);
        let direct_parent = self.parent(lei, Kind::DirectParent);
        let ultimate_parent = self.parent(lei, Kind::UltimateParent);
        let head_office = self.parent(lei, Kind::HeadOffice);
        let named = [&direct_parent, &ultimate_parent, &head_office];
        Group {
            parents_abroad: self.parents_abroad(named.into_iter().flatten().map(|it| it.lei)),
            exceptions: self.exceptions(lei),
            children: listed.map(|(child, it)| self.level1.relative(*child, it)).collect(),
            children_total: (by_lei.len() > MAX_CHILDREN).then_some(by_lei.len()),
            direct_parent,
            ultimate_parent,
            head_office,
        }
    }

    /// What these entities and those above them report. Swiss companies end the search: their own statements name their
    /// parents. Entities that report nothing are left out.
    fn parents_abroad(&self, first: impl Iterator<Item = Lei>) -> Vec<ParentAbroad> {
        let mut next: VecDeque<Lei> = first.collect();
        let mut seen = BTreeSet::new();
        let mut above: Vec<ParentAbroad> = Vec::new();
        while let Some(lei) = next.pop_front() {
            if self.level1.companies.contains_key(&lei) || !seen.insert(lei) {
                continue;
            }
            if above.len() >= MAX_PARENTS_ABROAD {
                let names_it = |it: &&mut ParentAbroad| {
                    let mut parents =
                        [&it.direct_parent, &it.ultimate_parent].into_iter().flatten();
                    parents.any(|it| it.lei == lei)
                };
                above.iter_mut().filter(names_it).for_each(|it| it.is_incomplete = true);
                continue;
            }
            let reported = ParentAbroad {
                lei,
                is_incomplete: self.incomplete.contains(&lei),
                direct_parent: self.parent(lei, Kind::DirectParent),
                ultimate_parent: self.parent(lei, Kind::UltimateParent),
                exceptions: self.exceptions(lei),
            };
            let parents = [&reported.direct_parent, &reported.ultimate_parent];
            next.extend(parents.into_iter().flatten().map(|it| it.lei));
            let has_parents = parents.iter().any(|it| it.is_some());
            if has_parents || reported.is_incomplete || !reported.exceptions.is_empty() {
                above.push(reported);
            }
        }
        above
    }
}
