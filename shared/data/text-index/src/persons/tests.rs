mod links;
mod lists;
mod names;
mod reference;

use domain::{
    Canton, Provenance, Uid,
    persons::{Mandate, Person, RoleCategory},
    search::persons::PersonQuery,
};
use jiff::civil::Date;
use tempfile::TempDir;
use uuid::Uuid;

use super::{Builder, PersonRecord, Persons, Role};
use crate::{
    Error,
    damage::{assert_refuses_truncated_files, now},
};

fn uid(number: u32) -> Uid {
    Uid::from_number(number).expect("nine digits")
}

fn year(year: i16) -> Date {
    Date::constant(year, 1, 1)
}

/// A person from Bern who lives in Zürich, or a firm if the name is a single word.
fn person(name: &str) -> Person {
    let (first, last) = match name.split_once(' ') {
        Some((first, last)) => (Some(first.to_owned()), last),
        None => (None, name),
    };
    let of_people = |it: &str| first.is_some().then(|| it.to_owned());
    Person {
        origin: of_people("Bern"),
        nationality_iso: of_people("CH"),
        residence: Some("Zürich".into()),
        last_name: last.to_owned(),
        first_name: first.clone(),
        ..Person::default()
    }
}

fn role(person: Person, company: u32) -> Role {
    let identity = person.identity(uid(company));
    Role {
        company: uid(company),
        company_name: format!("Company {company} AG"),
        canton: None,
        company_status: None,
        mandate: Mandate {
            person_id: identity.id,
            confidence: identity.confidence,
            person,
            role: "Mitglied".into(),
            category: RoleCategory::Board,
            other_categories: Vec::new(),
            signature: None,
            signing_authority: None,
            holding: None,
            holdings: Vec::new(),
            since: Some(year(2020)),
            until: None,
            entry_source: None,
            role_source: None,
            earlier_categories: Vec::new(),
            signature_source: None,
            source: Provenance {
                source: "gazette".into(),
                reference: None,
                date: Some(year(2020)),
            },
        },
    }
}

fn former(mut role: Role) -> Role {
    role.mandate.until = Some(year(2024));
    role
}

fn in_canton(mut role: Role, canton: Canton) -> Role {
    role.canton = Some(canton);
    role
}

fn id(name: &str) -> Uuid {
    person(name).identity(uid(1)).id
}

fn persons(roles: &[Role]) -> Persons {
    linked(roles, &[])
}

fn linked(roles: &[Role], same: &[(Uuid, Uuid)]) -> Persons {
    let directory = TempDir::new().expect("a directory");
    built(directory.path(), roles, same)
}

fn built(directory: &std::path::Path, roles: &[Role], same: &[(Uuid, Uuid)]) -> Persons {
    let mut builder = Builder::new();
    roles.iter().for_each(|it| builder.push(it).expect("written"));
    same.iter().for_each(|(one, other)| builder.same(*one, *other));
    let summary = builder.finish(directory).expect("an index");
    assert_eq!(summary.roles, roles.len() as u64);
    Persons::open(directory, directory).expect("the index")
}

/// An index of persons with these names, each on the board of a different company.
fn named(names: &[&str]) -> Persons {
    let roles = names.iter().zip(1..).map(|(name, company)| role(person(name), company));
    persons(&roles.collect::<Vec<_>>())
}

fn found(persons: &Persons, query: &PersonQuery) -> Vec<String> {
    let hits = now(persons.search(query)).expect("an answer");
    assert_eq!(hits.total, hits.persons.len() as u64);
    hits.persons.iter().map(|it| it.person.full_name()).collect()
}

fn searched(persons: &Persons, q: &str) -> Vec<String> {
    found(persons, &PersonQuery { q: Some(q.into()), ..Default::default() })
}

fn record(persons: &Persons, id: Uuid) -> PersonRecord {
    now(persons.person(id)).expect("an answer").expect("somebody")
}

#[test]
fn empty_index_answers_queries() {
    let persons = persons(&[]);
    assert_eq!(persons.person_count(), 0);
    assert!(searched(&persons, "muster").is_empty());
    assert!(found(&persons, &PersonQuery::default()).is_empty());
    assert_eq!(now(persons.person(Uuid::nil())).expect("an answer"), None);
    assert!(now(persons.of_company(uid(1))).expect("an answer").is_empty());
    assert!(persons.companies_with_person("muster").expect("an answer").is_empty());
    assert!(now(persons.possibly_same(Uuid::nil())).expect("an answer").is_empty());
}

#[test]
fn truncated_files_are_refused() {
    let directory = TempDir::new().expect("a directory");
    let roles: Vec<_> =
        (1..60).map(|it| role(person(&format!("Regula Muster{it}")), it / 2)).collect();
    built(directory.path(), &roles, &[]);
    assert_refuses_truncated_files(directory.path(), |it| Persons::open(it, it).map(drop));
    let nothing = TempDir::new().expect("a directory");
    assert!(matches!(Persons::open(nothing.path(), nothing.path()), Err(Error::Unreadable { .. })));
}
