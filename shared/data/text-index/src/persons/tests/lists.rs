use domain::{
    Canton,
    persons::{RoleCategory, SigningAuthority},
    search::{
        PageNumber, PageSize, WantedRoleCategory, WantedSigningAuthority,
        persons::{CountryCode, PersonQuery, PersonSort},
    },
};

use super::{Role, former, found, in_canton, named, now, person, persons, role, uid};

fn signing(mut role: Role, category: RoleCategory, authority: SigningAuthority) -> Role {
    role.mandate.category = category;
    role.mandate.signing_authority = Some(authority);
    role
}

#[test]
fn role_filters_must_match_the_same_role() {
    let anna = || person("Anna Muster");
    let roles = [
        in_canton(role(anna(), 1), Canton::Zh),
        in_canton(
            former(signing(role(anna(), 2), RoleCategory::Management, SigningAuthority::Sole)),
            Canton::Be,
        ),
        in_canton(former(role(person("Berta Muster"), 3)), Canton::Zh),
    ];
    let persons = persons(&roles);
    let all = PersonQuery::default;
    let board = || [WantedRoleCategory(RoleCategory::Board)].into();
    let management = || [WantedRoleCategory(RoleCategory::Management)].into();
    let sole = || [WantedSigningAuthority(SigningAuthority::Sole)].into();
    let both = ["Anna Muster", "Berta Muster"];
    for (query, expected) in [
        (all(), &both[..]),
        (PersonQuery { role_category: board(), ..all() }, &both),
        (PersonQuery { role_category: management(), ..all() }, &both[..1]),
        (PersonQuery { canton: [Canton::Zh].into(), ..all() }, &both),
        (PersonQuery { canton: [Canton::Be, Canton::Ag].into(), ..all() }, &both[..1]),
        (PersonQuery { role_category: board(), canton: [Canton::Be].into(), ..all() }, &[]),
        (PersonQuery { signing_authority: sole(), ..all() }, &both[..1]),
        (PersonQuery { signing_authority: sole(), canton: [Canton::Zh].into(), ..all() }, &[]),
        (PersonQuery { is_active: Some(true), ..all() }, &both[..1]),
        (PersonQuery { is_active: Some(false), ..all() }, &both[1..]),
        (PersonQuery { is_active: Some(true), role_category: management(), ..all() }, &[]),
        (PersonQuery { is_active: Some(false), role_category: board(), ..all() }, &both[1..]),
    ] {
        assert_eq!(found(&persons, &query), expected, "{query:?}");
    }
}

#[test]
fn origin_and_nationality_match_the_latest_description() {
    let mut foreign = person("Carla Muster");
    (foreign.origin, foreign.nationality_iso) = (None, Some("IT".into()));
    let mut both = person("Dora Muster");
    both.origin = Some("Zürich und Wil (SG)".into());
    let persons = persons(&[role(foreign, 1), role(both, 2)]);
    let country = |it: &str| PersonQuery {
        nationality_iso: CountryCode::try_from(it.to_owned()).ok(),
        ..Default::default()
    };
    let origin = |it: &str| PersonQuery { place_of_origin: Some(it.into()), ..Default::default() };
    assert_eq!(found(&persons, &country("it")), ["Carla Muster"]);
    assert_eq!(found(&persons, &country("CH")), ["Dora Muster"]);
    assert!(found(&persons, &country("DE")).is_empty());
    for it in ["Zuerich", "wil sg", "Wil", "zürich und wil"] {
        assert_eq!(found(&persons, &origin(it)), ["Dora Muster"], "{it}");
    }
    for it in ["Wi", "Bern", "Zürich Bern", "", "!"] {
        assert!(found(&persons, &origin(it)).is_empty(), "{it}");
    }
}

#[test]
fn every_sort_order_has_two_directions() {
    let roles = [
        role(person("Anna Zeta"), 1),
        role(person("Zora Alpha"), 2),
        role(person("Zora Alpha"), 3),
        former(role(person("Mia Muster"), 4)),
        former(role(person("Mia Muster"), 5)),
        former(role(person("Mia Muster"), 6)),
    ];
    let persons = persons(&roles);
    let (anna, mia, zora) = ("Anna Zeta", "Mia Muster", "Zora Alpha");
    for (sort_by, up, down) in [
        (PersonSort::Relevance, [zora, anna, mia], [zora, anna, mia]),
        (PersonSort::Name, [zora, mia, anna], [anna, mia, zora]),
        (PersonSort::RoleCount, [anna, zora, mia], [mia, zora, anna]),
    ] {
        for (sort_desc, expected) in [(false, up), (true, down)] {
            let query = PersonQuery { sort_by, sort_desc, ..Default::default() };
            assert_eq!(found(&persons, &query), expected, "{sort_by} {sort_desc}");
        }
    }
}

#[test]
fn pages_are_consecutive_and_end() {
    let names: Vec<String> = (0..130).map(|it| format!("Regula Muster{it:03}")).collect();
    let persons = named(&names.iter().map(String::as_str).collect::<Vec<_>>());
    for sort_by in PersonSort::ALL {
        for q in [None, Some("regula".to_owned())] {
            let page = |page| {
                let query = PersonQuery {
                    q: q.clone(),
                    sort_by,
                    page: PageNumber::try_from(page).expect("a page"),
                    page_size: PageSize::try_from(50).expect("a size"),
                    ..Default::default()
                };
                let hits = now(persons.search(&query)).expect("an answer");
                assert_eq!(hits.total, 130);
                hits.persons.into_iter().map(|it| it.person.full_name()).collect::<Vec<_>>()
            };
            assert_eq!([page(1), page(2), page(3)].concat(), names, "{sort_by}");
            assert!(page(4).is_empty() && page(u32::MAX).is_empty());
        }
    }
}

#[test]
fn company_lists_its_current_officers() {
    let roles = [
        role(person("Anna Muster"), 1),
        role(person("Anna Muster"), 2),
        role(person("Berta Muster"), 1),
        former(role(person("Carla Muster"), 1)),
        role(person("Treuhand"), 1),
    ];
    let persons = persons(&roles);
    let officers = now(persons.of_company(uid(1))).expect("an answer");
    let names: Vec<String> = officers.iter().map(|it| it.person.full_name()).collect();
    assert_eq!(names, ["Anna Muster", "Berta Muster", "Treuhand"]);
    let with_roles = now(persons.officers(uid(1))).expect("an answer");
    let companies = with_roles.iter().map(|it| it.roles.iter().map(|it| it.company).collect());
    assert!(with_roles.iter().map(|it| it.id).eq(officers.iter().map(|it| it.id)));
    assert_eq!(
        companies.collect::<Vec<Vec<_>>>(),
        [vec![uid(1), uid(2)], vec![uid(1)], vec![uid(1)]]
    );
    assert!(now(persons.of_company(uid(9))).expect("an answer").is_empty());
}
