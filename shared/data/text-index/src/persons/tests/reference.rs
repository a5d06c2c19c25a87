//! Compares the index with a scan of the same roles.

use std::collections::BTreeMap;

use domain::{
    Canton,
    persons::{Person, RoleCategory, SigningAuthority},
    search::{
        WantedRoleCategory, WantedSigningAuthority,
        persons::{CountryCode, PersonQuery},
    },
    text::fold,
};
use proptest::{
    collection::vec,
    option,
    prelude::*,
    sample::{select, subsequence},
};
use uuid::Uuid;

use super::{Role, former, now, person, persons, role};

const NAMES: [&str; 5] =
    ["Anna Alpha", "Anna Beta", "Änna Alphabet", "Carla Gamma Beta", "Treuhand"];
const ORIGINS: [&str; 3] = ["Bern", "Zürich und Bern", "Wil"];

prop_compose! {
    fn roles()(
        name in select(&NAMES),
        origin in option::of(select(&ORIGINS)),
        country in option::of(select(&["CH", "DE"])),
        residence in select(&["Zürich", "Bern"]),
        company in 1u32..6,
        canton in option::of(select(&Canton::ALL[..3])),
        categories in subsequence(RoleCategory::ALL[..3].to_vec(), 1..=2),
        authority in option::of(select(&SigningAuthority::ALL[..3])),
        is_current in any::<bool>(),
    ) -> Role {
        let described = Person {
            origin: origin.map(str::to_owned),
            nationality_iso: country.map(str::to_owned),
            residence: Some(residence.to_owned()),
            ..person(name)
        };
        let mut it = role(described, company);
        it.canton = canton;
        (it.mandate.category, it.mandate.other_categories) =
            (categories[0], categories[1..].to_vec());
        it.mandate.signing_authority = authority;
        if is_current { it } else { former(it) }
    }
}

prop_compose! {
    fn queries()(
        q in option::of(select(&["anna", "alpha", "alpha anna", "beta ca", "treu", "gamma"])),
        categories in vec(select(&RoleCategory::ALL[..3]), 0..2),
        authorities in vec(select(&SigningAuthority::ALL[..3]), 0..2),
        canton in vec(select(&Canton::ALL[..3]), 0..2),
        country in option::weighted(0.2, select(&["CH", "DE"])),
        origin in option::weighted(0.2, select(&["bern", "zurich bern", "basel"])),
        is_active in option::weighted(0.5, any::<bool>()),
        include_entities in any::<bool>(),
    ) -> PersonQuery {
        PersonQuery {
            q: q.map(str::to_owned),
            role_category: categories.into_iter().map(WantedRoleCategory).collect(),
            signing_authority: authorities.into_iter().map(WantedSigningAuthority).collect(),
            canton: canton.into_iter().collect(),
            nationality_iso: country.map(|it| CountryCode::try_from(it.to_owned()).expect("two")),
            place_of_origin: origin.map(str::to_owned),
            is_active,
            include_entities,
            ..Default::default()
        }
    }
}

/// Whether the name matches the search. The names are chosen so that no word is a typo of another.
fn is_named(person: &Person, search: &str) -> bool {
    let name = fold(&person.full_name());
    let (before, last) = search.rsplit_once(' ').unwrap_or(("", search));
    before.split_ascii_whitespace().all(|word| name.split(' ').any(|it| it == word))
        && name.split(' ').any(|it| it.starts_with(last))
}

/// Whether a person matches the filters. `roles` are all its roles; in this test they have the same name,
/// origin and nationality.
fn passes(roles: &[&Role], query: &PersonQuery) -> bool {
    let person = &roles[0].mandate.person;
    let originates = |wanted: &String| {
        let origin = fold(person.origin.as_deref().unwrap_or_default());
        wanted.split(' ').all(|word| origin.split(' ').any(|it| it == word))
    };
    let filters_roles = !query.role_category.is_empty()
        || !query.signing_authority.is_empty()
        || !query.canton.is_empty();
    let has_role = |it: &&Role| {
        let mandate = &it.mandate;
        (query.role_category.is_empty()
            || mandate.categories().any(|it| query.role_category.contains(&WantedRoleCategory(it))))
            && (query.signing_authority.is_empty()
                || mandate.signing_authority.is_some_and(|it| {
                    query.signing_authority.contains(&WantedSigningAuthority(it))
                }))
            && (query.canton.is_empty() || it.canton.is_some_and(|it| query.canton.contains(&it)))
            && (query.is_active != Some(true) || mandate.is_current())
    };
    let is_active = roles.iter().any(|it| it.mandate.is_current());
    query.q.as_ref().is_none_or(|it| is_named(person, it))
        && (query.include_entities || !person.is_entity())
        && query.is_active.is_none_or(|it| it == is_active)
        && (!filters_roles || roles.iter().any(has_role))
        && query.place_of_origin.as_ref().is_none_or(originates)
        && query
            .nationality_iso
            .as_ref()
            .is_none_or(|it| person.nationality_iso.as_deref() == Some(it.as_str()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn total_equals_the_count_of_a_scan(
        roles in vec(roles(), 0..50),
        queries in vec(queries(), 20),
    ) {
        // The id of a person with an origin does not depend on the nationality: all roles of an id get the
        // first description.
        let mut known: BTreeMap<Uuid, Person> = BTreeMap::new();
        let roles: Vec<Role> = roles.into_iter().map(|mut it| {
            let first = known.entry(it.mandate.person_id).or_insert(it.mandate.person.clone());
            it.mandate.person = first.clone();
            it
        }).collect();
        let mut by_person: BTreeMap<Uuid, Vec<&Role>> = BTreeMap::new();
        roles.iter().for_each(|it| by_person.entry(it.mandate.person_id).or_default().push(it));

        let persons = persons(&roles);
        for query in queries {
            let expected = by_person.values().filter(|it| passes(it, &query)).count();
            let hits = now(persons.search(&query)).expect("an answer");
            prop_assert_eq!(hits.total, expected as u64, "{:?}", &query);
            for it in hits.persons {
                prop_assert_eq!(it.role_count, by_person[&it.id].len() as u64);
            }
        }
    }
}
