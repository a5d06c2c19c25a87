//! One person, made of the roles under its ids.

use std::cmp::Reverse;

use domain::{
    persons::{Mandate, Person},
    text::fold,
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use tantivy::TantivyDocument;
use uuid::Uuid;

use super::{
    Role,
    schema::{Key, Number, Record, RoleKind, Term, companies},
};
use crate::{
    codes,
    layout::Fields,
    names::beginnings,
    words::{folded, indexed},
};

/// The namespace of likenesses.
const LIKENESSES: Uuid = Uuid::from_u128(0x2c9b_7f6e_53ad_5d0b_9e41_7a80_1d3c_66f2);

/// What is kept of a person beside the roles.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Summary {
    /// The first is the one that the person goes by.
    pub(crate) ids: Vec<Uuid>,
    pub(crate) person: Person,
    pub(crate) confidence: f64,
    pub(crate) roles: u64,
    pub(crate) current: u64,
}

/// What the builder keeps of a person until it knows its place.
pub(crate) struct Draft {
    summary: Summary,
    /// The roles in their order, as JSON.
    roles: Vec<Box<[u8]>>,
    /// Family name and first name, folded.
    pub(crate) sorted_as: Box<str>,
    /// The names of all descriptions, folded.
    names: Box<[Box<str>]>,
    likenesses: Box<[u64]>,
    companies: Box<[u32]>,
    role_kinds: Box<[u64]>,
}

impl Draft {
    /// `None` without a role. The outcome does not depend on the order of roles and ids.
    pub(crate) fn new(ids: Vec<Uuid>, roles: Vec<Box<[u8]>>) -> Option<Self> {
        let read = |json: Box<[u8]>| Some((serde_json::from_slice::<Role>(&json).ok()?, json));
        let mut roles: Vec<(Role, Box<[u8]>)> = roles.into_iter().filter_map(read).collect();
        roles.sort_by(|(one, one_json), (other, other_json)| {
            place(one).cmp(&place(other)).then_with(|| one_json.cmp(other_json))
        });
        let latest = roles.iter().max_by_key(|(it, json)| (said_on(&it.mandate), json))?;
        let person = latest.0.mandate.person.clone();
        let mandates = || roles.iter().map(|(it, _)| &it.mandate);
        let sorted = |mut it: Vec<u64>| {
            it.sort_unstable();
            it.dedup();
            it
        };
        let current = || roles.iter().filter(|(it, _)| it.mandate.is_current());
        let mut names: Vec<Box<str>> =
            mandates().map(|it| folded(&it.person.full_name()).into()).collect();
        names.sort_unstable();
        names.dedup();
        let companies = sorted(current().map(|(it, _)| it.company.number().into()).collect());
        Some(Self {
            summary: Summary {
                ids: canonical_first(ids, &roles),
                confidence: mandates().map(|it| it.confidence).fold(1.0, f64::min),
                roles: roles.len() as u64,
                current: current().count() as u64,
                person: person.clone(),
            },
            sorted_as: sorted_as(&person).into(),
            names: names.into(),
            likenesses: sorted(mandates().filter_map(|it| likeness(&it.person)).collect()).into(),
            companies: companies.into_iter().map(|it| it as u32).collect(),
            role_kinds: sorted(
                roles.iter().map(|(it, _)| RoleKind::of(&it.mandate, it.canton).code()).collect(),
            )
            .into(),
            roles: roles.into_iter().map(|(_, json)| json).collect(),
        })
    }

    /// People before firms, then who has the most roles today, then who has the most, then by name.
    pub(crate) fn relevance(&self) -> impl Ord + '_ {
        let Summary { ids, person, roles, current, .. } = &self.summary;
        (person.is_entity(), Reverse(*current), Reverse(*roles), &self.sorted_as, ids.first())
    }

    #[expect(clippy::expect_used, reason = "a summary always serialises")]
    pub(crate) fn document(&self, name_rank: u64) -> TantivyDocument {
        let Summary { ids, person, roles, current, .. } = &self.summary;
        let mut document = TantivyDocument::default();
        document.add_u64(Number::IsEntity.field(), person.is_entity().into());
        document.add_u64(Number::NameRank.field(), name_rank);
        document.add_u64(Number::RoleCount.field(), *roles);
        document.add_u64(Number::CurrentCount.field(), *current);
        let mut key = |key: Key, it: u64| document.add_u64(key.field(), it);
        ids.iter().for_each(|it| key(Key::ById, codes::id(*it)));
        self.companies.iter().for_each(|it| key(Key::InCompany, (*it).into()));
        self.role_kinds.iter().for_each(|it| key(Key::RoleKind, *it));
        person.nationality_iso.iter().for_each(|it| key(Key::Nationality, nationality(it)));
        self.likenesses.iter().for_each(|it| key(Key::Likeness, *it));
        self.companies.iter().for_each(|it| document.add_u64(companies(), (*it).into()));

        let mut term = |term: Term, it: &str| {
            if !it.is_empty() {
                document.add_text(term.field(), it);
            }
        };
        self.names.iter().for_each(|it| term(Term::Name, &in_any_order(it)));
        let mut words: Vec<String> = self.names.iter().flat_map(|it| indexed(it)).collect();
        words.sort_unstable();
        words.dedup();
        for word in &words {
            beginnings(word).for_each(|it| term(Term::WordBeginning, it));
            term(Term::Word, word);
        }
        let origin = folded(person.origin.as_deref().unwrap_or_default());
        let mut words: Vec<&str> = origin.split_ascii_whitespace().collect();
        words.sort_unstable();
        words.dedup();
        words.iter().for_each(|it| term(Term::OriginWord, it));

        let summary = serde_json::to_vec(&self.summary).expect("plain data");
        document.add_bytes(Record::Summary.field(), &summary);
        let roles = [b"[", self.roles.join(&b","[..]).as_slice(), b"]"].concat();
        document.add_bytes(Record::Roles.field(), &roles);
        document
    }
}

/// Those that last first, then the newest, those of unknown beginning last.
fn place(role: &Role) -> impl Ord + '_ {
    let mandate = &role.mandate;
    let since = Reverse(mandate.since);
    (!mandate.is_current(), since, Reverse(mandate.until), role.company, &mandate.role)
}

/// The day on which a publication described the person so.
fn said_on(mandate: &Mandate) -> Option<Date> {
    mandate.source.date.or(mandate.until).or(mandate.since)
}

/// The id whose roles begin first, or else the smallest, and then the others. What began before all
/// known publications began first; an id without a role is only an alias.
fn canonical_first(mut ids: Vec<Uuid>, roles: &[(Role, Box<[u8]>)]) -> Vec<Uuid> {
    ids.sort_unstable();
    ids.dedup();
    if ids.len() > 1 {
        let begins = |id: &Uuid| {
            let of_id = roles.iter().map(|(it, _)| &it.mandate).filter(|it| it.person_id == *id);
            let first = of_id.map(|it| it.since).min();
            (first.is_none(), first, *id)
        };
        ids.sort_by_cached_key(begins);
        ids[1..].sort_unstable();
    }
    ids
}

/// Family name first, so that a list sorted by name reads as lists of people do.
fn sorted_as(person: &Person) -> String {
    let first = person.first_name.as_deref().unwrap_or_default();
    let name = format!("{}\0{}", folded(&person.last_name), folded(first));
    if name.len() == 1 { String::new() } else { name }
}

/// The words of a folded name, sorted.
pub(crate) fn in_any_order(name: &str) -> String {
    let mut words: Vec<&str> = name.split_ascii_whitespace().collect();
    words.sort_unstable();
    words.join(" ")
}

/// Two letters as a number.
pub(crate) fn nationality(iso: &str) -> u64 {
    iso.bytes().take(2).fold(0, |code, it| code << 8 | u64::from(it.to_ascii_uppercase()))
}

/// What people who may be one have in common: the folded name, and origin or else nationality.
/// Nothing can be said of firms, nor of whom only the name is known.
pub(crate) fn likeness(person: &Person) -> Option<u64> {
    let first = person.first_name.as_deref()?;
    let whence = match (&person.origin, &person.nationality_iso) {
        (Some(origin), _) => format!("of {}", fold(origin)),
        (None, Some(country)) => country.to_ascii_uppercase(),
        (None, None) => return None,
    };
    let key = format!("{}|{}|{whence}", fold(&person.last_name), fold(first));
    Some(codes::id(Uuid::new_v5(&LIKENESSES, key.as_bytes())))
}
