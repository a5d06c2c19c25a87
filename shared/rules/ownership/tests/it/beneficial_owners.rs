//! Beneficial owners and the statutory fallback.

use domain::persons::RoleCategory;
use ownership::{
    Criteria, FallbackCause, Form, Link, LinkKind, Party, Percent, Reason, Resolution, Share,
    UnknownShare, analytics::opacity,
};

use crate::support::{
    above, company, link, person, profile, resolve, resolved, shares, unknown, with_profiles,
};

fn office(owner: Party, owned: Party, category: RoleCategory) -> Link {
    link(owner, owned, LinkKind::Office(category), Share::Unknown(UnknownShare::NoShare))
}

fn named(resolution: &Resolution) -> Vec<Party> {
    resolution.beneficial_owners.iter().map(|it| it.person).collect()
}

#[test]
fn persons_with_a_quarter_are_beneficial_owners() {
    let links = [
        shares(person(7), company(1), 24.9),
        shares(person(8), company(1), 25.0),
        shares(person(9), company(1), 50.1),
    ];
    let resolution = resolve(company(1), &links);
    assert_eq!(named(&resolution), [person(9), person(8)]);
    assert_eq!(resolution.beneficial_owners[1].reasons, [Reason::Ownership]);
    let reasons = &resolution.beneficial_owners[0].reasons;
    assert!(matches!(reasons.as_slice(), [Reason::Ownership, Reason::Control(_)]), "{reasons:?}");
}

#[test]
fn a_quarter_by_multiplication_counts_as_a_quarter() {
    // 3/4 of 1/3 is not exactly a quarter in floating-point numbers.
    let links = [shares(company(2), company(1), 100.0 / 3.0), shares(person(9), company(2), 75.0)];
    assert_eq!(named(&resolve(company(1), &links)), [person(9)]);
}

#[test]
fn both_criteria_are_parameters() {
    let links = [shares(person(8), company(1), 10.0), shares(person(9), company(1), 55.0)];
    let percent = |it| Percent::new(it).expect("a share");
    let found = |ownership, majority| {
        let criteria = Criteria { ownership: percent(ownership), majority: percent(majority) };
        named(&Resolution::of(&above(company(1), &links), &criteria))
    };
    assert_eq!(found(10.0, 50.0), [person(9), person(8)]);
    assert_eq!(found(60.0, 50.0), [person(9)], "by control");
    assert!(found(60.0, 66.6).is_empty());
}

#[test]
fn votes_of_a_quarter_are_enough() {
    let links = [
        shares(person(9), company(1), 10.0),
        link(person(9), company(1), LinkKind::VotingRights, crate::support::known(30.0)),
    ];
    let resolution = resolve(company(1), &links);
    let Reason::Votes(votes) = resolution.beneficial_owners[0].reasons[0] else { panic!("votes") };
    assert_eq!(votes.get(), 30.0);
}

#[test]
fn board_of_a_foundation_is_named_as_the_fallback() {
    let links = [
        office(person(8), company(1), RoleCategory::Board),
        office(person(9), company(1), RoleCategory::Management),
    ];
    let foundation = (company(1), profile("Stiftung", Form::WithoutOwners));
    let resolution = resolved(&with_profiles(company(1), &links, [foundation]));
    let [row] = resolution.beneficial_owners.as_slice() else { panic!("the board only") };
    assert_eq!(row.person, person(8));
    assert_eq!(
        row.reasons,
        [Reason::StatutoryFallback {
            entity: company(1),
            office: LinkKind::Office(RoleCategory::Board),
            cause: FallbackCause::NoOwnersByLaw,
        }]
    );
    assert_eq!((row.ownership.get(), row.control.get()), (0.0, 0.0));
}

#[test]
fn board_of_the_head_office_is_named_for_a_branch() {
    let whole = |kind| link(company(2), company(1), kind, Share::Known(Percent::WHOLE));
    for kind in [LinkKind::HeadOffice, LinkKind::Merger] {
        let links = [
            whole(kind),
            office(person(7), company(1), RoleCategory::Management),
            office(person(8), company(2), RoleCategory::Board),
        ];
        let head = (company(2), profile("Muster AG", Form::WithOwners));
        let resolution = resolved(&with_profiles(company(1), &links, [head]));
        let [row] = resolution.beneficial_owners.as_slice() else { panic!("{resolution:?}") };
        assert_eq!(row.path, [person(8), company(2), company(1)]);
        let [Reason::StatutoryFallback { entity, .. }] = row.reasons[..] else { panic!("{row:?}") };
        assert_eq!(entity, company(2));
    }
    let circle = [
        whole(LinkKind::HeadOffice),
        link(company(1), company(2), LinkKind::HeadOffice, Share::Known(Percent::WHOLE)),
    ];
    assert!(named(&resolve(company(1), &circle)).is_empty(), "ends");
}

#[test]
fn board_of_an_owning_foundation_is_named_beside_other_owners() {
    let links = [
        shares(company(2), company(1), 70.0),
        shares(person(7), company(1), 30.0),
        office(person(8), company(2), RoleCategory::Board),
        office(person(9), company(1), RoleCategory::Board),
    ];
    let foundation = (company(2), profile("Stiftung", Form::WithoutOwners));
    let resolution = resolved(&with_profiles(company(1), &links, [foundation]));
    assert_eq!(named(&resolution), [person(7), person(8)]);
    assert_eq!(resolution.beneficial_owners[1].path, [person(8), company(2), company(1)]);
    assert_eq!(resolution.without_owners[0].percentage.get(), 70.0);
    assert!(resolution.unattributed.is_empty(), "a foundation is the end, not a gap");
}

#[test]
fn cooperatives_belong_to_members_who_are_not_registered() {
    let cooperative = |number| (company(number), profile("Genossenschaft", Form::Cooperative));
    let cause = |resolution: &Resolution| match resolution.beneficial_owners[0].reasons[..] {
        [Reason::StatutoryFallback { entity, cause, .. }] => (entity, cause),
        _ => panic!("{resolution:?}"),
    };
    let own = [office(person(8), company(1), RoleCategory::Board)];
    let resolution = resolved(&with_profiles(company(1), &own, [cooperative(1)]));
    assert_eq!(cause(&resolution), (company(1), FallbackCause::MembersNotRegistered));
    assert!(resolution.without_owners.is_empty() && !resolution.is_fully_attributed());
    // Of a company that belongs to it, its directors are named, as those of a foundation are.
    let held =
        [shares(company(2), company(1), 100.0), office(person(9), company(2), RoleCategory::Board)];
    let resolution = resolved(&with_profiles(company(1), &held, [cooperative(2)]));
    assert_eq!(cause(&resolution), (company(2), FallbackCause::MembersNotRegistered));
    assert!(resolution.without_owners.is_empty(), "{resolution:?}");
    assert_eq!(resolution.unattributed[0].party, company(2));
}

#[test]
fn known_owners_with_unknown_shares_are_not_unknown_owners() {
    let unknown = |owner, kind| unknown(owner, company(1), kind);
    let divided = |links: &[Link], form, is_undisclosed| {
        let profile = ownership::Profile {
            has_undisclosed_holders: is_undisclosed,
            ..profile("Muster", form)
        };
        let structure = with_profiles(company(1), links, [(company(1), profile)]);
        resolved(&structure).divided_unknowingly(&structure)
    };
    let partners = [person(8), person(9)].map(|it| unknown(it, LinkKind::Partnership));
    assert_eq!(divided(&partners, Form::Partnership, false), Some(company(1)));
    let quotas = [shares(person(8), company(1), 60.0), unknown(person(9), LinkKind::Shares)];
    assert_eq!(divided(&quotas, Form::WithOwners, false), Some(company(1)));
    // The register names partners with unlimited liability, but no shareholders.
    assert_eq!(divided(&partners, Form::WithOwners, true), None);
    let parent = [unknown(company(2), LinkKind::Consolidation)];
    assert_eq!(divided(&parent, Form::WithOwners, false), None);
    assert_eq!(divided(&[], Form::Partnership, false), None);
}

#[test]
fn what_is_a_part_of_its_owner_has_no_capital() {
    let has_capital = |form, links: &[Link]| {
        with_profiles(company(1), links, [(company(1), profile("Muster", form))]).has_capital()
    };
    assert!(has_capital(Form::WithOwners, &[shares(person(8), company(1), 100.0)]));
    for form in [Form::Part, Form::Partnership, Form::Cooperative] {
        assert!(!has_capital(form, &[]), "{form:?}");
    }
    let whole = |kind| link(company(2), company(1), kind, Share::Known(Percent::WHOLE));
    for kind in [LinkKind::HeadOffice, LinkKind::Merger] {
        assert!(!has_capital(Form::WithOwners, &[whole(kind)]), "{kind:?}");
    }
}

#[test]
fn manager_of_a_branch_is_no_controlling_person() {
    let manager = [office(person(8), company(1), RoleCategory::Management)];
    let named = |links: &[Link]| {
        let branch = (company(1), profile("Muster Inc., Zweigniederlassung", Form::Part));
        resolved(&with_profiles(company(1), links, [branch])).beneficial_owners
    };
    assert_eq!(named(&manager), [], "its head office is not known");
    let head = link(company(2), company(1), LinkKind::HeadOffice, Share::Known(Percent::WHOLE));
    assert_eq!(named(&[manager.as_slice(), &[head]].concat()), [], "nor who manages that");
}

#[test]
fn fallback_says_whether_an_owner_may_exist() {
    let links = [
        unknown(company(2), company(1), LinkKind::Consolidation),
        office(person(9), company(1), RoleCategory::Board),
    ];
    let resolution = resolve(company(1), &links);
    let [Reason::StatutoryFallback { cause, .. }] = &resolution.beneficial_owners[0].reasons[..]
    else {
        panic!("{resolution:?}")
    };
    assert_eq!(*cause, FallbackCause::NoOwnerFound);
}

#[test]
fn known_owners_below_the_threshold_are_no_unknown_owners() {
    let fifth = |number| shares(person(number), company(1), 20.0);
    let links: Vec<Link> = (1..=5)
        .flat_map(|it| [fifth(it), office(person(it), company(1), RoleCategory::Partner)])
        .collect();
    let cause = |links: &[Link]| {
        let resolution = resolve(company(1), links);
        let Some(Reason::StatutoryFallback { cause, .. }) =
            resolution.beneficial_owners.first().and_then(|it| it.reasons.first().cloned())
        else {
            panic!("{resolution:?}")
        };
        (cause, resolution.beneficial_owners[0].ownership.get())
    };
    assert_eq!(cause(&links), (FallbackCause::NoShareReachesTheThreshold, 20.0));
    // The fifth partner is not known, and may hold a part through others.
    assert_eq!(cause(&links[..8]), (FallbackCause::NoOwnerFound, 20.0));
}

#[test]
fn who_controls_an_owner_with_a_quarter_is_a_beneficial_owner() {
    let links = |held| {
        [
            shares(company(2), company(1), held),
            shares(person(9), company(2), 60.0),
            shares(person(8), company(2), 40.0),
            office(person(7), company(1), RoleCategory::Board),
        ]
    };
    let resolution = resolve(company(1), &links(30.0));
    let [row] = resolution.beneficial_owners.as_slice() else { panic!("{resolution:?}") };
    assert_eq!((row.person, row.ownership.get(), row.control.get()), (person(9), 18.0, 30.0));
    assert!(matches!(row.reasons[..], [Reason::ControlledVotes(it)] if it.get() == 30.0));
    assert_eq!(named(&resolve(company(1), &links(24.0))), [person(7)]);
}

#[test]
fn partners_manage_if_nobody_else_is_appointed() {
    let partners =
        [shares(person(8), company(1), 20.0), office(person(8), company(1), RoleCategory::Partner)];
    assert_eq!(named(&resolve(company(1), &partners)), [person(8)]);
    let with_manager: Vec<Link> = partners
        .into_iter()
        .chain([office(person(9), company(1), RoleCategory::Management)])
        .collect();
    assert_eq!(named(&resolve(company(1), &with_manager)), [person(9)]);
    assert!(named(&resolve(company(1), &[shares(person(8), company(1), 20.0)])).is_empty());
}

#[test]
fn nobody_in_office_is_named_beside_an_owner() {
    let links =
        [shares(person(8), company(1), 100.0), office(person(9), company(1), RoleCategory::Board)];
    assert_eq!(named(&resolve(company(1), &links)), [person(8)]);
}

#[test]
fn confidence_multiplies_along_the_path() {
    let mut first = shares(person(9), company(2), 100.0);
    first.confidence = 0.5;
    let mut second = shares(company(2), company(1), 100.0);
    second.confidence = 0.8;
    assert_eq!(resolve(company(1), &[first, second]).beneficial_owners[0].confidence, 0.4);
}

#[test]
fn a_company_of_the_state_has_known_owners_and_no_beneficial_owner() {
    let links =
        [shares(company(2), company(1), 100.0), office(person(9), company(1), RoleCategory::Board)];
    let canton = [(company(2), profile("Kanton", Form::Public))];
    let structure = with_profiles(company(1), &links, canton);
    let resolution = resolved(&structure);
    assert!(resolution.is_fully_attributed());
    let [row] = resolution.beneficial_owners.as_slice() else { panic!("one person") };
    let cause = FallbackCause::EndsWithoutOwners;
    let office = LinkKind::Office(RoleCategory::Board);
    assert_eq!(row.reasons, [Reason::StatutoryFallback { entity: company(1), office, cause }]);
    let opacity = opacity(&structure, &resolution, &[]);
    assert!(opacity.contributors.iter().all(|it| it.code != "no_beneficial_owner"), "{opacity:?}");
}
