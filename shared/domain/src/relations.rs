//! Which companies belong together: offices, mergers and groups, as the register and GLEIF state them
//! from either side; and who runs several.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
};

use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    ChangeKind, Company, Event, Provenance, Uid,
    company::{Affiliation, AffiliationKind},
    persons::{Mandate, Officer},
    text,
};

/// What another company is to this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kin {
    HeadOffice,
    /// Consolidates this one directly, as this one reports to GLEIF.
    Parent,
    BranchOffice,
    /// Reports to GLEIF that this one consolidates it directly.
    Subsidiary,
    /// Was taken over by this one.
    Acquired,
    /// Took this one over.
    Acquirer,
}

/// What relates two companies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RelationshipKind {
    HeadOffice,
    GleifParent,
    BranchOffice,
    GleifSubsidiary,
    Acquisition,
    SharedPerson,
}

impl Kin {
    fn stated(kind: AffiliationKind) -> Option<Self> {
        match kind {
            AffiliationKind::HeadOffice | AffiliationKind::FurtherHeadOffice => {
                Some(Self::HeadOffice)
            }
            AffiliationKind::BranchOffice => Some(Self::BranchOffice),
            AffiliationKind::HasTakenOver => Some(Self::Acquired),
            AffiliationKind::WasTakenOverBy => Some(Self::Acquirer),
            AffiliationKind::ConsolidatedBy => Some(Self::Parent),
            AffiliationKind::Consolidates => Some(Self::Subsidiary),
            // An auditor audits a company, which makes them no relatives.
            AffiliationKind::AuditedBy => None,
        }
    }

    /// The kind of relationship, as clients know it: a merger is one from either side.
    pub fn relationship(self) -> RelationshipKind {
        match self {
            Self::HeadOffice => RelationshipKind::HeadOffice,
            Self::Parent => RelationshipKind::GleifParent,
            Self::BranchOffice => RelationshipKind::BranchOffice,
            Self::Subsidiary => RelationshipKind::GleifSubsidiary,
            Self::Acquired | Self::Acquirer => RelationshipKind::Acquisition,
        }
    }

    /// Whether one of the two took the other over.
    pub fn is_merger(self) -> bool {
        matches!(self, Self::Acquired | Self::Acquirer)
    }

    /// What this one is to the other company.
    pub fn mirrored(self) -> Self {
        match self {
            Self::HeadOffice => Self::BranchOffice,
            Self::BranchOffice => Self::HeadOffice,
            Self::Parent => Self::Subsidiary,
            Self::Subsidiary => Self::Parent,
            Self::Acquired => Self::Acquirer,
            Self::Acquirer => Self::Acquired,
        }
    }

    /// Whether GLEIF says so, not the register.
    pub fn is_of_group(self) -> bool {
        matches!(self, Self::Parent | Self::Subsidiary)
    }

    /// Whether the other company stands above this one.
    pub fn is_above(self) -> bool {
        matches!(self, Self::HeadOffice | Self::Parent)
    }

    /// Whether the other company stands below this one.
    pub fn is_below(self) -> bool {
        self.mirrored().is_above()
    }
}

/// A company, and what it is to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Relative {
    pub kin: Kin,
    /// Absent for a company that the register does not number.
    pub uid: Option<Uid>,
    /// As it is called today, where that is known.
    pub name: String,
    /// The day of the publication of a merger.
    pub since: Option<Date>,
    /// What states it.
    pub source: Option<Provenance>,
}

/// The companies that belong to this one, by what they are to it: those that it names, and those of the
/// others that name it. None is itself, and none stands twice for one thing.
pub fn relatives(company: &Company, others: &[Company]) -> Vec<Relative> {
    let mut found: Vec<Relative> = Vec::new();
    let mut add = |next: Relative| {
        if next.uid == Some(company.uid) {
            return;
        }
        let is_it = |it: &&mut Relative| match (it.uid, next.uid) {
            _ if it.kin != next.kin => false,
            (Some(one), Some(other)) => one == other,
            // One side may number what the other only names.
            _ => text::fold(&it.name) == text::fold(&next.name),
        };
        match found.iter_mut().find(is_it) {
            Some(known) if known.uid.is_none() => *known = next,
            Some(_) => {}
            None => found.push(next),
        }
    };
    let others: Vec<&Company> = others.iter().filter(|it| it.uid != company.uid).collect();
    for Affiliation { kind, uid, name } in &company.affiliations {
        let Some(kin) = Kin::stated(*kind) else { continue };
        let today = others.iter().find(|it| Some(it.uid) == *uid);
        add(Relative {
            kin,
            uid: *uid,
            name: today.map_or(name, |it| &it.name).clone(),
            since: None,
            source: proof(company, kin),
        });
    }
    for other in &others {
        let relative = |kin, source| Relative::recorded(other, kin, source);
        let of_this = other.affiliations.iter().filter(|it| it.uid == Some(company.uid));
        for kin in of_this.filter_map(|it| Kin::stated(it.kind)) {
            add(relative(kin.mirrored(), proof(other, kin)));
        }
        if is_child(company, other) {
            add(relative(Kin::Parent, proof(company, Kin::Parent)));
        }
        if is_child(other, company) {
            add(relative(Kin::Subsidiary, proof(other, Kin::Parent)));
        }
    }
    found.sort_by_key(|it| it.kin);
    found
}

/// Those of these companies that report to GLEIF that the entity with this identifier consolidates them
/// directly.
pub fn children_of(lei: &str, others: &[Company]) -> Vec<Relative> {
    let children = others.iter().filter(|it| it.direct_parent_lei.as_deref() == Some(lei));
    children.map(|it| Relative::recorded(it, Kin::Subsidiary, proof(it, Kin::Parent))).collect()
}

fn is_child(child: &Company, parent: &Company) -> bool {
    child.direct_parent_lei.is_some() && child.direct_parent_lei == parent.lei
}

/// The sources of a record that state no relatives.
const SILENT: [&str; 3] = ["lindas", "finma", "reports"];

/// The source of the demo register's records, which state groups too.
const DEMO: &str = "demo";

/// The source of a record that states who its relatives are.
fn proof(record: &Company, kin: Kin) -> Option<Provenance> {
    let of_kind = |it: &&Provenance| {
        !SILENT.contains(&it.source.as_str())
            && (it.source == DEMO || (it.source == "gleif") == kin.is_of_group())
    };
    record.sources.iter().find(of_kind).cloned()
}

impl Relative {
    /// A company that has a record.
    fn recorded(record: &Company, kin: Kin, source: Option<Provenance>) -> Self {
        Self { kin, uid: Some(record.uid), name: record.name.clone(), since: None, source }
    }

    /// Takes day and proof of a merger from the event that told of it, in the history of either company:
    /// the first, because the deletion that follows tells of it again.
    pub fn prove(&mut self, company: Uid, events: &[Event]) {
        let mergers = events.iter().filter(|it| it.kind == ChangeKind::Merger);
        let tells = |it: &&Event| {
            let taken_over = match it.field.as_deref() {
                Some("hasTakenOver") => Kin::Acquired,
                Some("wasTakenOverBy") => Kin::Acquirer,
                _ => return false,
            };
            let Some(party) = &it.subject else { return false };
            let is_this = match (party.uid, self.uid) {
                (Some(party), Some(this)) => party == this,
                _ => text::fold(&party.name) == text::fold(&self.name),
            };
            (it.uid == company && taken_over == self.kin && is_this)
                || (Some(it.uid) == self.uid
                    && taken_over.mirrored() == self.kin
                    && party.uid == Some(company))
        };
        if let Some(event) = mergers.filter(tells).min_by_key(|it| it.date) {
            self.since = Some(event.date);
            self.source = Some(event.source.clone());
        }
    }
}

/// A company, and the people who run it and another.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    pub uid: Uid,
    pub name: String,
    /// In the order of the other's officers.
    pub persons: Vec<SharedPerson>,
}

/// Somebody who has a role in two companies today, and what proves both.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedPerson {
    pub person_id: Uuid,
    pub name: String,
    /// In this company, as the notice writes it.
    pub role: String,
    /// The publication that proves it.
    pub source: Provenance,
    /// In the other company.
    pub related_role: String,
    /// The publication that proves that one.
    pub related_source: Provenance,
    /// How sure it is that both are one human, 0 to 1: the less sure of the two identities.
    pub confidence: f64,
}

impl SharedPerson {
    fn new(officer: &Officer, here: &Mandate, there: &Mandate) -> Self {
        Self {
            person_id: officer.id,
            name: officer.name.clone(),
            role: here.role.clone(),
            source: here.source.clone(),
            related_role: there.role.clone(),
            related_source: there.source.clone(),
            confidence: here.confidence.min(there.confidence),
        }
    }
}

impl Shared {
    /// The newest publication that names one of the people.
    pub fn source(&self) -> Option<&Provenance> {
        let sources = self.persons.iter().flat_map(|it| [&it.source, &it.related_source]);
        sources.max_by_key(|it| it.date)
    }

    /// How sure it is that anybody runs both: of the people the surest.
    pub fn confidence(&self) -> Option<f64> {
        self.persons.iter().map(|it| it.confidence).max_by(f64::total_cmp)
    }
}

/// The companies that people among these officers of `company` run too, most people first, then by
/// number. Firms that hold an office are no people: an authority that supervises a thousand foundations
/// makes them no kin.
pub fn shared(company: Uid, officers: &[Officer]) -> Vec<Shared> {
    let mut by_company: BTreeMap<Uid, Shared> = BTreeMap::new();
    for officer in officers.iter().filter(|it| !it.is_entity) {
        let Some(here) = officer.roles.iter().find(|it| it.company == company) else { continue };
        let mut seen = HashSet::from([company]);
        for there in officer.roles.iter().filter(|it| seen.insert(it.company)) {
            let (uid, name) = (there.company, there.company_name.clone());
            let new = || Shared { uid, name, persons: Vec::new() };
            let person = SharedPerson::new(officer, &here.mandate, &there.mandate);
            by_company.entry(uid).or_insert_with(new).persons.push(person);
        }
    }
    let mut shared: Vec<Shared> = by_company.into_values().collect();
    shared.sort_by_key(|it| Reverse(it.persons.len()));
    shared
}

/// Whom a person works with, met company by company.
#[derive(Debug, Default)]
pub struct CoDirectors {
    met: HashMap<Uuid, CoDirector>,
}

/// A person, and the companies in which another has a role too.
#[derive(Clone, Debug, PartialEq)]
pub struct CoDirector {
    pub id: Uuid,
    pub name: String,
    /// In the order of meeting.
    pub companies: Vec<(Uid, String)>,
}

impl CoDirectors {
    pub fn meet(&mut self, id: Uuid, name: String, company: Uid, company_name: &str) {
        let met = self.met.entry(id);
        let met = met.or_insert_with(|| CoDirector { id, name, companies: Vec::new() });
        met.companies.push((company, company_name.to_owned()));
    }

    /// Those with most companies first, then by name.
    pub fn most_shared_first(self) -> Vec<CoDirector> {
        let mut all: Vec<CoDirector> = self.met.into_values().collect();
        all.sort_by_cached_key(|it| (Reverse(it.companies.len()), text::fold(&it.name), it.id));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{changes::Subject, persons::officer_of};

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

    fn told(company: &Company, others: &[Company]) -> Vec<(Kin, Option<u32>, String)> {
        let tell = |it: Relative| (it.kin, it.uid.map(Uid::number), it.name);
        relatives(company, others).into_iter().map(tell).collect()
    }

    #[test]
    fn what_either_side_says_is_said_once() {
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
            told(&head, &others),
            [
                (Kin::BranchOffice, Some(2), "Firma 2".into()),
                (Kin::BranchOffice, Some(4), "Firma 4".into()),
                (Kin::Acquired, Some(3), "Firma 3".into()),
                (Kin::Acquired, None, "Ohne Nummer AG".into()),
            ]
        );
        assert_eq!(told(&others[3], &others), [(Kin::HeadOffice, Some(1), "Firma 1".into())]);
    }

    #[test]
    fn a_group_is_told_by_its_identifiers() {
        let mut parent = company(1, &[]);
        parent.lei = Some("5493001KJTIIGC8Y1R12".into());
        let mut child = company(2, &[]);
        child.direct_parent_lei.clone_from(&parent.lei);
        let both = [parent.clone(), child.clone(), company(3, &[])];
        assert_eq!(told(&parent, &both), [(Kin::Subsidiary, Some(2), "Firma 2".into())]);
        assert_eq!(told(&child, &both), [(Kin::Parent, Some(1), "Firma 1".into())]);
        assert_eq!(told(&both[2], &both), [], "without identifiers nobody is a child");
    }

    #[test]
    fn a_head_office_is_proved_by_what_can_name_one() {
        let mut branch = company(2, &[(AffiliationKind::HeadOffice, Some(1), "Firma 1")]);
        let source = |name: &str| Provenance { source: name.into(), reference: None, date: None };
        branch.sources = ["lindas", "gleif", "finma", "shab"].map(source).into();
        let [head] = relatives(&branch, &[]).try_into().expect("one relative");
        assert_eq!(head.source, Some(source("shab")));
    }

    #[test]
    fn a_merger_is_dated_by_the_first_notice_of_either_company() {
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
        };
        let dated = |kin, events: &[Event]| {
            let mut relative = Relative {
                kin,
                uid: Some(uid(2)),
                name: "Firma 2".into(),
                since: None,
                source: None,
            };
            relative.prove(uid(1), events);
            relative.since.map(|it| it.day())
        };
        let own = event(1, "hasTakenOver", 2, 9);
        let other = event(2, "wasTakenOverBy", 1, 7);
        assert_eq!(dated(Kin::Acquired, &[own.clone(), other]), Some(7));
        assert_eq!(dated(Kin::Acquirer, std::slice::from_ref(&own)), None, "the other way round");
        assert_eq!(dated(Kin::Acquired, &[event(1, "hasTakenOver", 3, 9)]), None);
        assert_eq!(dated(Kin::Acquired, &[own]), Some(9));
    }

    #[test]
    fn most_shared_people_come_first_and_nobody_shares_with_itself() {
        let firm = Officer { is_entity: true, ..officer_of(3, &[1, 4]) };
        let officers = [officer_of(1, &[1, 2, 3, 3]), officer_of(2, &[1, 3]), firm];
        let counts: Vec<(u32, usize)> = shared(uid(1), &officers)
            .iter()
            .map(|it| (it.uid.number(), it.persons.len()))
            .collect();
        assert_eq!(counts, [(3, 2), (2, 1)]);
    }

    #[test]
    fn shared_people_are_proven_on_either_side_and_as_sure_as_the_less_sure() {
        let mut officer = officer_of(1, &[1, 2]);
        officer.roles[1].mandate.confidence = 0.5;
        officer.roles[1].mandate.source.date = "2026-01-05".parse().ok();
        let shared = shared(uid(1), &[officer, officer_of(2, &[1, 2])]).remove(0);
        let [first, second] = shared.persons.as_slice() else { panic!("{shared:?}") };
        assert_eq!((first.confidence, second.confidence), (0.5, 0.95));
        let references = [&first.source, &first.related_source].map(|it| it.reference.as_deref());
        assert_eq!(references, [Some("1"), Some("2")]);
        assert_eq!(shared.source(), Some(&first.related_source));
        assert_eq!(shared.confidence(), Some(0.95));
    }
}
