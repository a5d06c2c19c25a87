//! A person, derived from the roles with its ids.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashSet},
};

use domain::{
    collation::NameKey,
    persons::{Mandate, Person},
    text::fold,
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use tantivy::TantivyDocument;
use uuid::Uuid;

use super::{
    Role,
    schema::{Key, Number, RoleKind, Term, companies},
};
use crate::{
    codes,
    layout::Fields,
    names::beginnings,
    words::{folded, indexed},
};

/// UUID namespace of likenesses.
const LIKENESSES: Uuid = Uuid::from_u128(0x2c9b_7f6e_53ad_5d0b_9e41_7a80_1d3c_66f2);

/// The stored data of a person apart from the roles.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Summary {
    /// The first one identifies the person.
    pub(crate) ids: Vec<Uuid>,
    pub(crate) person: Person,
    pub(crate) confidence: f64,
    pub(crate) roles: u64,
    pub(crate) current: u64,
}

/// Sort key: firm or person, number of current roles, number of roles, name, id.
pub(crate) type Relevance = (bool, Reverse<u64>, Reverse<u64>, NameKey, Uuid);

impl Summary {
    /// `roles` must be sorted by [`sort_key`]. `None` without a role.
    pub(crate) fn new(ids: Vec<Uuid>, roles: &[Role]) -> Option<Self> {
        let mandates = || roles.iter().map(|it| &it.mandate);
        Some(Self {
            ids: canonical_first(ids, roles),
            person: mandates().max_by_key(|it| stated_on(it))?.person.clone(),
            confidence: mandates().map(|it| it.confidence).fold(1.0, f64::min),
            roles: roles.len() as u64,
            current: mandates().filter(|it| it.is_current()).count() as u64,
        })
    }

    /// Sort key for relevance: persons before firms, then most current roles, most roles, name.
    pub(crate) fn relevance(&self) -> Relevance {
        let Self { ids, person, roles, current, .. } = self;
        let id = ids.first().copied().unwrap_or_default();
        (person.is_entity(), Reverse(*current), Reverse(*roles), order_of(person), id)
    }

    pub(crate) fn document(&self, all: &[Role], name_rank: u64) -> TantivyDocument {
        let Self { ids, person, roles, current, .. } = self;
        let mut document = TantivyDocument::default();
        document.add_u64(Number::IsEntity.field(), person.is_entity().into());
        document.add_u64(Number::NameRank.field(), name_rank);
        document.add_u64(Number::RoleCount.field(), *roles);
        document.add_u64(Number::CurrentCount.field(), *current);
        let mut keys = |key: Key, codes: BTreeSet<u64>| {
            codes.into_iter().for_each(|it| document.add_u64(key.field(), it));
        };
        let lasting = all.iter().filter(|it| it.mandate.is_current());
        let in_companies: BTreeSet<u64> = lasting.map(|it| it.company.number().into()).collect();
        let kinds = all.iter().flat_map(|it| RoleKind::of(&it.mandate, it.canton));
        keys(Key::ById, ids.iter().map(|it| codes::id(*it)).collect());
        keys(Key::InCompany, in_companies.clone());
        keys(Key::RoleKind, kinds.map(RoleKind::code).collect());
        keys(Key::Nationality, person.nationality_iso.iter().map(|it| nationality(it)).collect());
        let described: HashSet<&Person> = all.iter().map(|it| &it.mandate.person).collect();
        keys(Key::Likeness, described.iter().filter_map(|it| likeness(it)).collect());
        in_companies.into_iter().for_each(|it| document.add_u64(companies(), it));

        let mut terms = |term: Term, texts: BTreeSet<String>| {
            let texts = texts.iter().filter(|it| !it.is_empty());
            texts.for_each(|it| document.add_text(term.field(), it));
        };
        let names: BTreeSet<String> = described.iter().map(|it| folded(&it.full_name())).collect();
        let words: BTreeSet<String> = names.iter().flat_map(|it| indexed(it)).collect();
        let origin = folded(person.origin.as_deref().unwrap_or_default());
        terms(Term::Name, names.iter().map(|it| in_any_order(it)).collect());
        terms(
            Term::WordBeginning,
            words.iter().flat_map(|it| beginnings(it)).map(str::to_owned).collect(),
        );
        terms(Term::Word, words);
        terms(Term::OriginWord, origin.split_ascii_whitespace().map(str::to_owned).collect());
        document
    }
}

/// Sort key of roles: current first, then newest first, unknown start last.
pub(crate) fn sort_key(role: &Role) -> impl Ord + '_ {
    let mandate = &role.mandate;
    let since = Reverse(mandate.since);
    (!mandate.is_current(), since, Reverse(mandate.until), role.company, &mandate.role)
}

/// Date of the publication with this description.
fn stated_on(mandate: &Mandate) -> Option<Date> {
    mandate.source.date.or(mandate.until).or(mandate.since)
}

/// The ids, sorted: the one whose roles began first, then by value. A role that began before all known
/// publications began first. An id without roles is only an alias.
fn canonical_first(mut ids: Vec<Uuid>, roles: &[Role]) -> Vec<Uuid> {
    ids.sort_unstable();
    ids.dedup();
    if ids.len() > 1 {
        let begins = |id: &Uuid| {
            let of_id = roles.iter().map(|it| &it.mandate).filter(|it| it.person_id == *id);
            let first = of_id.map(|it| it.since).min();
            (first.is_none(), first, *id)
        };
        ids.sort_by_cached_key(begins);
        ids[1..].sort_unstable();
    }
    ids
}

/// The place of the name in alphabetical order, family name first.
fn order_of(person: &Person) -> NameKey {
    NameKey::of_parts(&[&person.last_name, person.first_name.as_deref().unwrap_or_default()])
}

/// The words of a folded name, sorted.
pub(crate) fn in_any_order(name: &str) -> String {
    let mut words: Vec<&str> = name.split_ascii_whitespace().collect();
    words.sort_unstable();
    words.join(" ")
}

/// Two letters as one number.
pub(crate) fn nationality(iso: &str) -> u64 {
    iso.bytes().take(2).fold(0, |code, it| code << 8 | u64::from(it.to_ascii_uppercase()))
}

/// Digest of what persons who are possibly the same have in common: the folded name, and the origin or the
/// nationality. `None` for firms and for persons with a name only.
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
