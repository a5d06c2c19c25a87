//! Relationships between companies: offices, mergers and groups, as the register and GLEIF state them
//! for either company; and persons with roles in several companies.

mod shared_persons;

use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    ChangeKind, Company, Event, Lei, Provenance, Source, Uid, additions,
    company::{Affiliation, AffiliationKind, HolderKind, QuotaHolder},
    legal_forms::FOREIGN_BRANCH,
    text,
};

pub use shared_persons::{
    CoDirector, CoDirectors, CompanyWithSharedPersons, SharedPerson, companies_with_shared_persons,
};

/// Relation of the other company to the requested one. From the register: `head_office`, `branch_office`, `acquired` (the
/// requested company acquired it; `has_taken_over` in `AffiliationKind`), `acquirer` (it acquired the requested one;
/// `was_taken_over_by`). As reported to GLEIF, the Global LEI Index: `parent` (`consolidated_by`), `subsidiary`
/// (`consolidates`). From the publications of the register: `quota_holder` (it holds shares of the requested company, which
/// is a limited liability company), `participation` (the requested company holds shares of it).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(as = Kin)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// Head office of this branch.
    HeadOffice,
    /// Direct parent, as this company reported to GLEIF.
    Parent,
    /// Partner of this limited liability company.
    QuotaHolder,
    /// Branch office of this company.
    BranchOffice,
    /// Direct subsidiary, as the subsidiary reported to GLEIF.
    Subsidiary,
    /// Limited liability company of which this company is a partner.
    Participation,
    /// Was acquired by this company.
    Acquired,
    /// Acquired this company.
    Acquirer,
}

/// Type of relationship. The values correspond to those of `Kin`: `gleif_parent` to `parent`, `gleif_subsidiary` to
/// `subsidiary`, `acquisition` to `acquired` and `acquirer`. `shared_person`: the companies are related only by shared
/// people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RelationshipKind {
    /// The other company is the head office.
    HeadOffice,
    /// The other company is the direct parent.
    GleifParent,
    /// The other company or the person holds shares of this limited liability company.
    QuotaHolder,
    /// The other company is a branch office.
    BranchOffice,
    /// The other company is a direct subsidiary.
    GleifSubsidiary,
    /// The other company is a limited liability company, of which this one holds shares.
    Participation,
    /// One company acquired the other.
    Acquisition,
    /// The companies have an officer in common.
    SharedPerson,
}

impl Relation {
    fn from_affiliation(kind: AffiliationKind) -> Option<Self> {
        match kind {
            AffiliationKind::HeadOffice | AffiliationKind::FurtherHeadOffice => {
                Some(Self::HeadOffice)
            }
            AffiliationKind::BranchOffice => Some(Self::BranchOffice),
            AffiliationKind::HasTakenOver => Some(Self::Acquired),
            AffiliationKind::WasTakenOverBy => Some(Self::Acquirer),
            AffiliationKind::ConsolidatedBy => Some(Self::Parent),
            AffiliationKind::Consolidates => Some(Self::Subsidiary),
            // An audit does not make companies related.
            AffiliationKind::AuditedBy => None,
        }
    }

    /// The type of relationship. A merger has the same type from either side.
    pub fn relationship(self) -> RelationshipKind {
        match self {
            Self::HeadOffice => RelationshipKind::HeadOffice,
            Self::Parent => RelationshipKind::GleifParent,
            Self::QuotaHolder => RelationshipKind::QuotaHolder,
            Self::BranchOffice => RelationshipKind::BranchOffice,
            Self::Subsidiary => RelationshipKind::GleifSubsidiary,
            Self::Participation => RelationshipKind::Participation,
            Self::Acquired | Self::Acquirer => RelationshipKind::Acquisition,
        }
    }

    /// Whether one of the two acquired the other.
    pub fn is_merger(self) -> bool {
        matches!(self, Self::Acquired | Self::Acquirer)
    }

    /// What this company is to the other one.
    pub fn inverse(self) -> Self {
        match self {
            Self::HeadOffice => Self::BranchOffice,
            Self::BranchOffice => Self::HeadOffice,
            Self::Parent => Self::Subsidiary,
            Self::Subsidiary => Self::Parent,
            Self::QuotaHolder => Self::Participation,
            Self::Participation => Self::QuotaHolder,
            Self::Acquired => Self::Acquirer,
            Self::Acquirer => Self::Acquired,
        }
    }

    /// Whether GLEIF states it, not the register.
    pub fn is_from_gleif(self) -> bool {
        matches!(self, Self::Parent | Self::Subsidiary)
    }

    /// Whether only publications state it: the register's records do not contain shares.
    fn is_from_publications(self) -> bool {
        matches!(self, Self::QuotaHolder | Self::Participation)
    }
}

/// A company that is related to another one.
#[derive(Clone, Debug, PartialEq)]
pub struct CompanyRelation {
    /// What it is to the other company.
    pub relation: Relation,
    /// Company number. `None` if the source states only a name.
    pub uid: Option<Uid>,
    /// Current name if it is known, or else the name in the source; the LEI if the source states nothing else.
    pub name: String,
    /// Share of the nominal capital that one holds of the other, in percent.
    pub percentage: Option<f64>,
    /// Publication date of a merger, or since which the shares are held.
    pub since: Option<Date>,
    /// Source that states the relationship.
    pub source: Option<Provenance>,
}

/// The companies related to `company`, sorted by relation: those that its own record states, and those
/// of `others` whose records state a relation to it. Never contains `company` itself, and each company
/// only once per relation.
pub fn relations_of(company: &Company, others: &[Company]) -> Vec<CompanyRelation> {
    let mut found: Vec<CompanyRelation> = Vec::new();
    let mut add = |next: CompanyRelation| {
        if next.uid == Some(company.uid) {
            return;
        }
        let is_same = |it: &&mut CompanyRelation| match (it.uid, next.uid) {
            _ if it.relation != next.relation => false,
            (Some(one), Some(other)) => one == other,
            // One record may have the number where the other has only the name.
            _ => text::fold(&it.name) == text::fold(&next.name),
        };
        match found.iter_mut().find(is_same) {
            Some(known) if known.uid.is_none() => *known = next,
            Some(_) => {}
            None => found.push(next),
        }
    };
    let others: Vec<&Company> = others.iter().filter(|it| it.uid != company.uid).collect();
    for Affiliation { kind, uid, name } in &company.affiliations {
        let Some(relation) = Relation::from_affiliation(*kind) else { continue };
        let record = others.iter().find(|it| Some(it.uid) == *uid);
        add(CompanyRelation {
            relation,
            uid: *uid,
            name: record.map_or(name, |it| &it.name).clone(),
            percentage: None,
            since: None,
            source: relation_source(company, relation),
        });
    }
    head_office_in_name(company).into_iter().for_each(&mut add);
    for holder in company.quota_holders.iter().filter(|it| it.kind == HolderKind::Company) {
        let record = others.iter().find(|it| Some(it.uid) == holder.uid);
        let name = record.map_or(&holder.name, |it| &it.name).clone();
        add(CompanyRelation {
            name,
            ..CompanyRelation::from_shares(Relation::QuotaHolder, holder)
        });
    }
    for other in &others {
        let held = other.quota_holders.iter().filter(|it| it.uid == Some(company.uid));
        for holder in held {
            let (uid, name) = (Some(other.uid), other.name.clone());
            let shares = CompanyRelation::from_shares(Relation::Participation, holder);
            add(CompanyRelation { uid, name, ..shares });
        }
        let related = |relation, source| CompanyRelation::from_record(other, relation, source);
        let with_this = other.affiliations.iter().filter(|it| it.uid == Some(company.uid));
        for relation in with_this.filter_map(|it| Relation::from_affiliation(it.kind)) {
            add(related(relation.inverse(), relation_source(other, relation)));
        }
        if is_child(company, other) {
            add(related(Relation::Parent, relation_source(company, Relation::Parent)));
        }
        if is_child(other, company) {
            let subsidiary =
                related(Relation::Subsidiary, relation_source(other, Relation::Parent));
            add(CompanyRelation { percentage: other.direct_parent_percentage, ..subsidiary });
        }
    }
    add_reported_parent(company, &mut found);
    found.sort_by_key(|it| it.relation);
    found
}

/// Adds what the company reported to GLEIF about its direct parent: its share, and the parent itself if it is known by its
/// identifier only.
fn add_reported_parent(company: &Company, found: &mut Vec<CompanyRelation>) {
    let Some(lei) = company.direct_parent_lei.filter(|it| Some(*it) != company.lei) else { return };
    let relation = Relation::Parent;
    if !found.iter().any(|it| it.relation == relation) {
        let (name, source) = (lei.to_string(), relation_source(company, relation));
        let since = None;
        found.push(CompanyRelation { relation, uid: None, name, percentage: None, since, source });
    }
    let parents: Vec<&mut CompanyRelation> =
        found.iter_mut().filter(|it| it.relation == relation).collect();
    if let Ok([parent]) = <[&mut CompanyRelation; 1]>::try_from(parents) {
        parent.percentage = company.direct_parent_percentage;
    }
}

/// The companies among `others` that report the entity with this LEI as their direct parent.
pub fn subsidiaries_of(lei: Lei, others: &[Company]) -> Vec<CompanyRelation> {
    let subsidiaries = others.iter().filter(|it| it.direct_parent_lei == Some(lei));
    subsidiaries
        .map(|it| CompanyRelation {
            percentage: it.direct_parent_percentage,
            ..CompanyRelation::from_record(
                it,
                Relation::Subsidiary,
                relation_source(it, Relation::Parent),
            )
        })
        .collect()
}

fn is_child(child: &Company, parent: &Company) -> bool {
    child.direct_parent_lei.is_some() && child.direct_parent_lei == parent.lei
}

/// The source of a record that states relationships of this kind. `None` if the record names none.
pub fn relation_source(record: &Company, relation: Relation) -> Option<Provenance> {
    let states_relation = |source| states(source, relation);
    record.sources.iter().find(|it| it.is_of(states_relation)).cloned()
}

/// The head office of a branch, as its record or its name states it.
pub fn head_office_of(branch: &Company) -> Option<CompanyRelation> {
    relations_of(branch, &[]).into_iter().find(|it| it.relation == Relation::HeadOffice)
}

/// The head office of a branch of a foreign company, as the name of the branch states it, if nothing else does: it has no number in
/// the register.
fn head_office_in_name(branch: &Company) -> Option<CompanyRelation> {
    let is_foreign = branch.legal_form_code.as_deref() == Some(FOREIGN_BRANCH);
    let kinds = || branch.affiliations.iter().filter_map(|it| Relation::from_affiliation(it.kind));
    if !is_foreign || kinds().any(|it| it == Relation::HeadOffice) {
        return None;
    }
    Some(CompanyRelation {
        relation: Relation::HeadOffice,
        uid: None,
        name: additions::head_office(&branch.name)?.to_owned(),
        percentage: None,
        since: None,
        source: relation_source(branch, Relation::HeadOffice),
    })
}

/// Whether the source states relationships of this kind in a record.
fn states(source: Source, relation: Relation) -> bool {
    match source {
        Source::Zefix => !relation.is_from_gleif() && !relation.is_from_publications(),
        Source::Shab => !relation.is_from_gleif(),
        Source::Gleif => relation.is_from_gleif(),
        Source::Lindas | Source::Finma | Source::Six | Source::News | Source::Reports => false,
    }
}

impl CompanyRelation {
    /// A related company that has a record.
    fn from_record(record: &Company, relation: Relation, source: Option<Provenance>) -> Self {
        let (uid, name) = (Some(record.uid), record.name.clone());
        Self { relation, uid, name, percentage: None, since: None, source }
    }

    /// A company that holds shares, or the company whose shares it holds, without the latter's number and name.
    fn from_shares(relation: Relation, holder: &QuotaHolder) -> Self {
        Self {
            relation,
            uid: holder.uid,
            name: holder.name.clone(),
            percentage: holder.percentage,
            since: holder.since,
            source: Some(holder.source.clone()),
        }
    }

    /// Whether the other company is the head office or parent of this one, or holds more than half of its shares.
    pub fn is_above(&self) -> bool {
        match self.relation {
            Relation::HeadOffice | Relation::Parent => true,
            Relation::QuotaHolder => self.is_majority(),
            _ => false,
        }
    }

    /// Whether the other company is a branch office or subsidiary of this one, or this one holds more than half of its
    /// shares.
    pub fn is_below(&self) -> bool {
        match self.relation {
            Relation::BranchOffice | Relation::Subsidiary => true,
            Relation::Participation => self.is_majority(),
            _ => false,
        }
    }

    /// The votes follow the nominal value of the shares (art. 806 of the Code of Obligations), unless the articles of
    /// association say otherwise.
    fn is_majority(&self) -> bool {
        self.percentage.is_some_and(|it| it > 50.0)
    }

    /// Sets date and source of a merger from the events of either company. The earliest merger event
    /// counts, because the later deletion states the merger again.
    pub fn date_merger(&mut self, company: Uid, events: &[Event]) {
        let mergers = events.iter().filter(|it| it.kind == ChangeKind::Merger);
        let is_this_merger = |it: &&Event| {
            let stated = match it.field.as_deref() {
                Some("hasTakenOver") => Relation::Acquired,
                Some("wasTakenOverBy") => Relation::Acquirer,
                _ => return false,
            };
            let Some(party) = &it.subject else { return false };
            let is_party = match (party.uid, self.uid) {
                (Some(party), Some(this)) => party == this,
                _ => text::fold(&party.name) == text::fold(&self.name),
            };
            (it.uid == company && stated == self.relation && is_party)
                || (Some(it.uid) == self.uid
                    && stated.inverse() == self.relation
                    && party.uid == Some(company))
        };
        if let Some(event) = mergers.filter(is_this_merger).min_by_key(|it| it.date) {
            self.since = Some(event.date);
            self.source = Some(event.source.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::changes::Subject;

    fn uid(number: u32) -> Uid {
        Uid::from_number(number).expect("nine digits")
    }

    fn company(number: u32, names: &[(AffiliationKind, Option<u32>, &str)]) -> Company {
        let affiliation = |(kind, number, name): &(AffiliationKind, Option<u32>, &str)| {
            Affiliation { kind: *kind, uid: number.map(uid), name: (*name).to_owned() }
        };
        Company {
            affiliations: names.iter().map(affiliation).collect(),
            ..Company::new(uid(number), format!("Firma {number}"))
        }
    }

    fn found(company: &Company, others: &[Company]) -> Vec<(Relation, Option<u32>, String)> {
        let values = |it: CompanyRelation| (it.relation, it.uid.map(Uid::number), it.name);
        relations_of(company, others).into_iter().map(values).collect()
    }

    #[test]
    fn relation_stated_by_both_companies_is_listed_once() {
        use AffiliationKind::{AuditedBy, BranchOffice, HasTakenOver, HeadOffice, WasTakenOverBy};
        let head = company(
            1,
            &[
                (BranchOffice, Some(2), "Alter Name"),
                (HasTakenOver, None, "Firma 3"),
                (HasTakenOver, None, "Ohne Nummer AG"),
                (AuditedBy, Some(9), "Revision AG"),
                (HeadOffice, Some(1), "Firma 1"),
            ],
        );
        let others = [
            head.clone(),
            company(2, &[(HeadOffice, Some(1), "Firma 1")]),
            company(3, &[(WasTakenOverBy, Some(1), "Firma 1")]),
            company(4, &[(HeadOffice, Some(1), "Firma 1")]),
        ];
        assert_eq!(
            found(&head, &others),
            [
                (Relation::BranchOffice, Some(2), "Firma 2".into()),
                (Relation::BranchOffice, Some(4), "Firma 4".into()),
                (Relation::Acquired, Some(3), "Firma 3".into()),
                (Relation::Acquired, None, "Ohne Nummer AG".into()),
            ]
        );
        assert_eq!(found(&others[3], &others), [(Relation::HeadOffice, Some(1), "Firma 1".into())]);
    }

    #[test]
    fn groups_are_found_by_lei() {
        let mut parent = company(1, &[]);
        parent.lei = "5493001KJTIIGC8Y1R12".parse().ok();
        let mut child = company(2, &[]);
        child.direct_parent_lei = parent.lei;
        let both = [parent.clone(), child.clone(), company(3, &[])];
        assert_eq!(found(&parent, &both), [(Relation::Subsidiary, Some(2), "Firma 2".into())]);
        assert_eq!(found(&child, &both), [(Relation::Parent, Some(1), "Firma 1".into())]);
        assert_eq!(found(&both[2], &both), [], "a company without LEIs has no parent");
    }

    #[test]
    fn branch_of_a_foreign_company_belongs_to_the_head_office_in_its_name() {
        let name = "Muster Inc., Wilmington, Zweigniederlassung Stäfa";
        let mut branch = Company { name: name.into(), ..company(2, &[]) };
        assert_eq!(found(&branch, &[]), [], "not of this form");
        branch.legal_form_code = Some(FOREIGN_BRANCH.into());
        let head = (Relation::HeadOffice, None, "Muster Inc., Wilmington".to_owned());
        assert_eq!(found(&branch, &[]), [head]);
        branch.affiliations =
            company(2, &[(AffiliationKind::HeadOffice, None, "Muster")]).affiliations;
        let stated = (Relation::HeadOffice, None, "Muster".to_owned());
        assert_eq!(found(&branch, &[]), [stated], "stated by the register itself");
    }

    #[test]
    fn source_of_a_head_office_is_one_that_states_offices() {
        let mut branch = company(2, &[(AffiliationKind::HeadOffice, Some(1), "Firma 1")]);
        let source = |name: &str| Provenance { source: name.into(), reference: None, date: None };
        branch.sources = ["lindas", "gleif", "finma", "swisstopo", "shab"].map(source).into();
        let [head] = relations_of(&branch, &[]).try_into().expect("one relative");
        assert_eq!(head.source, Some(source("shab")));
    }

    #[test]
    fn merger_is_dated_by_the_first_notice_of_either_company() {
        let source = Provenance { source: "shab".into(), reference: None, date: None };
        let event = |number: u32, field: &str, other: u32, day: i8| Event {
            id: Uuid::nil(),
            uid: uid(number),
            company_name: format!("Firma {number}"),
            canton: None,
            kind: ChangeKind::Merger,
            field: Some(field.into()),
            old_value: None,
            new_value: None,
            summary: String::new(),
            date: Date::constant(2026, 1, day),
            source: source.clone(),
            subject: Some(Subject {
                person_id: None,
                uid: Some(uid(other)),
                name: format!("Firma {other}"),
            }),
            legal_event: None,
            journal_date: None,
            decision_date: None,
            currencies: None,
            transfer: None,
        };
        let dated = |relation, events: &[Event]| {
            let mut related = CompanyRelation {
                relation,
                uid: Some(uid(2)),
                name: "Firma 2".into(),
                percentage: None,
                since: None,
                source: None,
            };
            related.date_merger(uid(1), events);
            related.since.map(|it| it.day())
        };
        let own = event(1, "hasTakenOver", 2, 9);
        let other = event(2, "wasTakenOverBy", 1, 7);
        assert_eq!(dated(Relation::Acquired, &[own.clone(), other]), Some(7));
        assert_eq!(
            dated(Relation::Acquirer, std::slice::from_ref(&own)),
            None,
            "opposite direction"
        );
        assert_eq!(dated(Relation::Acquired, &[event(1, "hasTakenOver", 3, 9)]), None);
        assert_eq!(dated(Relation::Acquired, &[own]), Some(9));
    }
}
