//! One owner to which several sources refer in different ways.

use domain::Uid;
use ownership::{Form, LinkKind, Party, Profile, flags::FlagKind, flags::flags};

use crate::support::{
    company, known, link, person, profile, resolved, share_of, shares, with_profiles,
};

fn foreign() -> Party {
    Party::Foreign("5493001KJTIIGC8Y1R12".parse().expect("well-formed"))
}

fn firm(name: &str) -> Party {
    Party::firm_named(name, Uid::from_number(1).expect("nine digits"))
}

fn named(name: &str) -> Profile {
    profile(name, Form::WithOwners)
}

#[test]
fn partner_of_the_register_and_parent_of_gleif_with_the_same_name_are_one_owner() {
    let links = [
        shares(firm("Holding Ltd"), company(1), 60.0),
        link(foreign(), company(1), LinkKind::Consolidation, known(60.0)),
        shares(person(9), company(1), 40.0),
    ];
    let names = [(firm("Holding Ltd"), named("Holding Ltd.")), (foreign(), named("HOLDING LTD"))];
    let structure = with_profiles(company(1), &links, names);
    let resolution = resolved(&structure);
    assert_eq!(share_of(&resolution, foreign()), 60.0);
    assert!(resolution.overstated.is_empty(), "{resolution:?}");
    assert_eq!(structure.name(foreign()), "HOLDING LTD");
    let by_name = structure.links().iter().find(|it| it.kind == LinkKind::Shares);
    assert!(by_name.is_some_and(|it| it.confidence < 1.0), "identified by its name");
}

#[test]
fn holder_of_a_disclosure_and_parent_of_gleif_with_the_same_name_are_one_owner() {
    let disclosed =
        Party::unidentified_named("Holding Ltd", Uid::from_number(1).expect("nine digits"));
    let links = [
        shares(disclosed, company(1), 60.0),
        link(foreign(), company(1), LinkKind::Consolidation, known(60.0)),
    ];
    let names = [(disclosed, named("Holding Ltd")), (foreign(), named("HOLDING LTD"))];
    let resolution = resolved(&with_profiles(company(1), &links, names));
    assert_eq!(share_of(&resolution, foreign()), 60.0);
    assert!(resolution.overstated.is_empty(), "{resolution:?}");
}

#[test]
fn entities_with_different_names_or_numbers_stay_different_owners() {
    let other_name = [
        shares(firm("Beta Ltd"), company(1), 60.0),
        link(foreign(), company(1), LinkKind::Consolidation, known(60.0)),
    ];
    let names = [(firm("Beta Ltd"), named("Beta Ltd")), (foreign(), named("Alpha Ltd"))];
    let structure = with_profiles(company(1), &other_name, names);
    let kinds: Vec<FlagKind> =
        flags(&structure, &resolved(&structure)).iter().map(|it| it.kind).collect();
    assert_eq!(kinds, [FlagKind::SharesExceedCapital]);
    let two_companies =
        [shares(company(2), company(1), 40.0), shares(company(3), company(1), 40.0)];
    let names = [(company(2), named("Muster AG")), (company(3), named("Muster AG"))];
    let resolution = resolved(&with_profiles(company(1), &two_companies, names));
    assert_eq!(
        (share_of(&resolution, company(2)), share_of(&resolution, company(3))),
        (40.0, 40.0)
    );
}

#[test]
fn company_in_the_register_is_preferred_because_its_owners_are_known() {
    let links = [
        shares(company(2), company(1), 60.0),
        link(foreign(), company(1), LinkKind::Consolidation, known(60.0)),
        shares(person(9), company(2), 100.0),
    ];
    let names = [(company(2), named("Holding AG")), (foreign(), named("Holding AG"))];
    let resolution = resolved(&with_profiles(company(1), &links, names));
    assert_eq!(share_of(&resolution, person(9)), 60.0);
}

#[test]
fn company_with_another_identifier_is_another_owner() {
    let links = [
        shares(company(2), company(1), 40.0),
        link(foreign(), company(1), LinkKind::Consolidation, known(60.0)),
    ];
    let structure = |lei: Option<&str>| {
        let lei = lei.map(|it| it.parse().expect("well-formed"));
        let of_company = Profile { lei, ..named("Holding AG") };
        let names = [(company(2), of_company), (foreign(), named("Holding AG"))];
        with_profiles(company(1), &links, names)
    };
    let other = resolved(&structure(Some("529900T8BM49AURSDO55")));
    assert_eq!((share_of(&other, company(2)), share_of(&other, foreign())), (40.0, 60.0));
    let Party::Foreign(lei) = foreign() else { panic!("an identifier") };
    let same = structure(None);
    assert_eq!(same.profile(company(2)).and_then(|it| it.lei), Some(lei), "carried over");
}
