//! Persons with roles in several companies.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
};

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    Provenance, Uid,
    collation::NameKey,
    persons::{Mandate, Officer},
};

/// A company that has persons in common with another one.
#[derive(Clone, Debug, PartialEq)]
pub struct CompanyWithSharedPersons {
    /// Company number.
    pub uid: Uid,
    /// Name of the company.
    pub name: String,
    /// The persons in common, in the order of the other company's officers.
    pub persons: Vec<SharedPerson>,
}

/// A person with current roles in two companies.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedPerson {
    /// Id of the person.
    pub person_id: Uuid,
    /// Full name.
    pub name: String,
    /// Role in this company, as published.
    pub role: String,
    /// Publication that states the role.
    pub source: Provenance,
    /// Role in the other company, as published.
    pub related_role: String,
    /// Publication that states the role in the other company.
    pub related_source: Provenance,
    /// Confidence that both roles belong to the same person, 0 to 1: the lower confidence of the two
    /// identities.
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

impl CompanyWithSharedPersons {
    /// The newest publication that states a role of one of the persons.
    pub fn source(&self) -> Option<&Provenance> {
        let sources = self.persons.iter().flat_map(|it| [&it.source, &it.related_source]);
        sources.max_by_key(|it| it.date)
    }

    /// Confidence that the companies have a person in common: the highest confidence among the persons.
    pub fn confidence(&self) -> Option<f64> {
        self.persons.iter().map(|it| it.confidence).max_by(f64::total_cmp)
    }
}

/// The other companies in which officers of `company` have a role, most persons in common first, then by
/// company number. Firms and authorities do not count, because one authority supervises a thousand
/// foundations.
pub fn companies_with_shared_persons(
    company: Uid,
    officers: &[Officer],
) -> Vec<CompanyWithSharedPersons> {
    let mut by_company: BTreeMap<Uid, CompanyWithSharedPersons> = BTreeMap::new();
    for officer in officers.iter().filter(|it| !it.is_entity) {
        let Some(here) = officer.roles.iter().find(|it| it.company == company) else { continue };
        let mut seen = HashSet::from([company]);
        for there in officer.roles.iter().filter(|it| seen.insert(it.company)) {
            let (uid, name) = (there.company, there.company_name.clone());
            let new = || CompanyWithSharedPersons { uid, name, persons: Vec::new() };
            let person = SharedPerson::new(officer, &here.mandate, &there.mandate);
            by_company.entry(uid).or_insert_with(new).persons.push(person);
        }
    }
    let mut companies: Vec<CompanyWithSharedPersons> = by_company.into_values().collect();
    companies.sort_by_key(|it| Reverse(it.persons.len()));
    companies
}

/// Collects the co-directors of a person, company by company.
#[derive(Debug, Default)]
pub struct CoDirectors {
    by_person: HashMap<Uuid, CoDirector>,
}

/// A co-director of another person.
#[derive(Clone, Debug, PartialEq)]
pub struct CoDirector {
    /// Id of the co-director.
    pub id: Uuid,
    /// Full name.
    pub name: String,
    /// The common companies, in the order in which they were added.
    pub companies: Vec<(Uid, String)>,
}

impl CoDirectors {
    /// Adds a co-director in one company.
    pub fn add(&mut self, id: Uuid, name: String, company: Uid, company_name: &str) {
        let entry = self.by_person.entry(id);
        let co_director = entry.or_insert_with(|| CoDirector { id, name, companies: Vec::new() });
        co_director.companies.push((company, company_name.to_owned()));
    }

    /// The co-directors, most common companies first, then by name.
    pub fn most_shared_first(self) -> Vec<CoDirector> {
        let mut all: Vec<CoDirector> = self.by_person.into_values().collect();
        all.sort_by_cached_key(|it| (Reverse(it.companies.len()), NameKey::of(&it.name), it.id));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::persons::officer_of;

    fn uid(number: u32) -> Uid {
        Uid::from_number(number).expect("nine digits")
    }

    #[test]
    fn companies_with_most_persons_in_common_come_first_without_the_company_itself() {
        let firm = Officer { is_entity: true, ..officer_of(3, &[1, 4]) };
        let officers = [officer_of(1, &[1, 2, 3, 3]), officer_of(2, &[1, 3]), firm];
        let counts: Vec<(u32, usize)> = companies_with_shared_persons(uid(1), &officers)
            .iter()
            .map(|it| (it.uid.number(), it.persons.len()))
            .collect();
        assert_eq!(counts, [(3, 2), (2, 1)]);
    }

    #[test]
    fn shared_person_has_both_sources_and_the_lower_confidence() {
        let mut officer = officer_of(1, &[1, 2]);
        officer.roles[1].mandate.confidence = 0.5;
        officer.roles[1].mandate.source.date = "2026-01-05".parse().ok();
        let shared =
            companies_with_shared_persons(uid(1), &[officer, officer_of(2, &[1, 2])]).remove(0);
        let [first, second] = shared.persons.as_slice() else { panic!("{shared:?}") };
        assert_eq!((first.confidence, second.confidence), (0.5, 0.95));
        let references = [&first.source, &first.related_source].map(|it| it.reference.as_deref());
        assert_eq!(references, [Some("1"), Some("2")]);
        assert_eq!(shared.source(), Some(&first.related_source));
        assert_eq!(shared.confidence(), Some(0.95));
    }
}
