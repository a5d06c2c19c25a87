use domain::persons::Person;
use uuid::Uuid;

use super::{former, id, linked, now, person, persons, record, role, uid, year};

/// A person with another residence, and therefore with another id.
fn resident_of(name: &str, residence: &str) -> Person {
    Person { residence: Some(residence.into()), ..person(name) }
}

fn id_of(person: &Person) -> Uuid {
    person.identity(uid(1)).id
}

#[test]
fn roles_with_one_id_belong_to_one_person() {
    let mut first = former(role(person("Regula Muster"), 1));
    first.mandate.since = None;
    let mut second = role(person("Regula Muster"), 2);
    second.mandate.confidence = 0.7;
    let third = former(role(person("Regula Muster"), 3));
    let persons = persons(&[first.clone(), third.clone(), second.clone()]);
    let regula = record(&persons, id("Regula Muster"));
    assert_eq!(regula.ids, [id("Regula Muster")]);
    assert_eq!(regula.roles, [second, third, first], "what lasts first, then the newest");
    assert_eq!(regula.confidence, 0.7);
    let hits = now(persons.search(&Default::default())).expect("an answer").persons;
    assert_eq!((hits[0].role_count, hits[0].current_role_count), (3, 1));
    assert_eq!(now(persons.person(Uuid::nil())).expect("an answer"), None);
}

#[test]
fn linked_ids_find_the_same_person() {
    let [zurich, bern, basel] =
        ["Zürich", "Bern", "Basel"].map(|it| resident_of("Regula Muster", it));
    let mut roles =
        [role(zurich.clone(), 1), role(bern.clone(), 2), role(person("Hans Muster"), 3)];
    roles[0].mandate.since = Some(year(2015));
    roles[1].mandate.since = Some(year(2010));
    roles[0].mandate.source.date = Some(year(2022));
    // No role is known for the person in Basel, whose id links the other two.
    let (zurich, bern, basel) = (id_of(&zurich), id_of(&bern), id_of(&basel));
    let mut ids = vec![zurich, basel];
    ids.sort_unstable();
    ids.insert(0, bern);
    for same in [[(zurich, basel), (basel, bern)], [(bern, basel), (basel, zurich)]] {
        let persons = linked(&roles, &same);
        assert_eq!(persons.person_count(), 2);
        for id in [zurich, bern, basel] {
            let regula = record(&persons, id);
            assert_eq!((regula.id, &regula.ids), (bern, &ids), "the earliest leads");
            assert_eq!(regula.roles.len(), 2);
            assert_eq!(regula.person.residence.as_deref(), Some("Zürich"), "the latest is shown");
        }
    }
}

#[test]
fn result_does_not_depend_on_the_order_of_roles() {
    let mut roles: Vec<_> = ["Zürich", "Bern", "Basel", "Genf"]
        .into_iter()
        .zip(1..)
        .map(|(residence, company)| role(resident_of("Regula Muster", residence), company))
        .collect();
    let ids: Vec<Uuid> = roles.iter().map(|it| it.mandate.person_id).collect();
    let mut same = vec![(ids[0], ids[1]), (ids[2], ids[3]), (ids[1], ids[3])];
    let expected = record(&linked(&roles, &same), ids[0]);
    assert_eq!(expected.ids.len(), 4);
    assert_eq!(Some(&expected.id), ids.iter().min(), "of equally early ids the smallest leads");
    roles.reverse();
    same.reverse();
    assert_eq!(record(&linked(&roles, &same), ids[0]), expected);
}

#[test]
fn links_without_roles_create_no_person() {
    let persons = linked(&[role(person("Hans Muster"), 1)], &[(id("A B"), id("C D"))]);
    assert_eq!(persons.person_count(), 1);
    assert_eq!(now(persons.person(id("A B"))).expect("an answer"), None);
}

#[test]
fn namesakes_with_the_same_origin_are_possibly_the_same() {
    let foreigner = |residence: &str| Person {
        origin: None,
        nationality_iso: Some("DE".into()),
        ..resident_of("Regula Muster", residence)
    };
    let people = [
        resident_of("Regula Muster", "Zürich"),
        resident_of("Regula Muster", "Bern"),
        Person { origin: Some("Basel".into()), ..resident_of("Regula Muster", "Genf") },
        Person { residence: None, ..person("Regula MUSTER") },
        foreigner("Zürich"),
        foreigner("Bern"),
        person("Hans Muster"),
        Person { origin: None, nationality_iso: None, ..person("Regula Muster") },
        Person { first_name: None, ..person("Muster") },
        Person { first_name: None, residence: None, ..person("Muster") },
    ];
    let roles: Vec<_> = people.iter().map(|it| role(it.clone(), 1)).collect();
    let persons = persons(&roles);
    let alike = |of: usize| {
        let same = now(persons.possibly_same(id_of(&people[of]))).expect("an answer");
        let mut same: Vec<usize> = same
            .iter()
            .filter_map(|one| people.iter().position(|it| id_of(it) == one.id))
            .collect();
        same.sort_unstable();
        same
    };
    assert_eq!(alike(0), [1, 3]);
    assert_eq!(alike(1), [0, 3]);
    assert_eq!(alike(4), [5]);
    for alone in [2, 6, 7, 8, 9] {
        assert!(alike(alone).is_empty(), "{alone}");
    }
}

#[test]
fn at_most_twenty_persons_are_possibly_the_same() {
    let roles: Vec<_> =
        (1..40).map(|it| role(resident_of("Regula Muster", &format!("Ort {it}")), it)).collect();
    let same = now(persons(&roles).possibly_same(roles[0].mandate.person_id)).expect("an answer");
    assert_eq!(same.len(), 20);
    assert!(same.iter().all(|it| it.id != roles[0].mandate.person_id));
}
