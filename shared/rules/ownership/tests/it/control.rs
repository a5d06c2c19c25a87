//! Control by votes and by links.

use ownership::{ControlMeans, Form, Link, LinkKind, Party};

use crate::support::{
    company, controls, known, link, person, profile, resolve, resolved, shares, unknown,
    with_profiles,
};

/// Whether a party controls company 1.
fn controls_first(party: Party, links: &[Link]) -> bool {
    controls(&resolve(company(1), links), party)
}

#[test]
fn half_of_the_votes_is_not_control() {
    assert!(!controls_first(person(9), &[shares(person(9), company(1), 50.0)]));
    assert!(controls_first(person(9), &[shares(person(9), company(1), 50.1)]));
}

#[test]
fn majorities_along_a_chain_control_with_a_small_share() {
    // 51 % of 51 % of 51 % are 13 %.
    let links = [
        shares(company(2), company(1), 51.0),
        shares(company(3), company(2), 51.0),
        shares(person(9), company(3), 51.0),
    ];
    let resolution = resolve(company(1), &links);
    let [owner] = resolution.beneficial_owners.as_slice() else { panic!("one person") };
    assert!(owner.ownership.get() < 14.0);
    assert_eq!(owner.control.get(), 51.0);
    let controller = resolution.controllers.iter().find(|it| it.party == person(9)).expect("it");
    let steps: Vec<Party> = controller.steps.iter().map(|it| it.company).collect();
    assert_eq!(steps, [company(3), company(2), company(1)]);
    assert!(controller.is_ultimate);
    assert!(!resolution.controllers.iter().any(|it| it.party != person(9) && it.is_ultimate));
}

#[test]
fn votes_of_two_paths_add_up_to_a_majority() {
    // 26 % directly and 25 % through a company that the person controls.
    let links = [
        shares(person(9), company(1), 26.0),
        shares(company(2), company(1), 25.0),
        shares(person(9), company(2), 60.0),
    ];
    let resolution = resolve(company(1), &links);
    let controller = resolution.controllers.iter().find(|it| it.party == person(9)).expect("it");
    let last = controller.steps.last().expect("a step");
    let ControlMeans::Votes(votes) = last.means else { panic!("{last:?}") };
    assert_eq!((votes.get(), last.through.as_slice()), (51.0, [company(2), person(9)].as_slice()));
    let without_control_of_2 = [
        shares(person(9), company(1), 26.0),
        shares(company(2), company(1), 25.0),
        shares(person(9), company(2), 50.0),
    ];
    assert!(!controls_first(person(9), &without_control_of_2), "38.5 % are no majority");
}

#[test]
fn own_shares_have_no_votes() {
    let links = [shares(person(9), company(1), 45.0), shares(company(1), company(1), 15.0)];
    let resolution = resolve(company(1), &links);
    assert!(controls(&resolution, person(9)), "45 of 85 votes");
    let owner = &resolution.beneficial_owners[0];
    assert!((owner.control.get() - 45.0 / 0.85).abs() < 1e-9);
}

#[test]
fn shares_held_by_a_subsidiary_have_no_votes() {
    // Company 2 belongs to company 1 and holds 30 % of it.
    let links = [
        shares(person(9), company(1), 40.0),
        shares(company(2), company(1), 30.0),
        shares(company(1), company(2), 100.0),
    ];
    assert!(controls_first(person(9), &links), "40 of 70 votes");
    let of_others = [
        shares(person(9), company(1), 40.0),
        shares(company(2), company(1), 30.0),
        shares(person(8), company(2), 100.0),
    ];
    assert!(!controls_first(person(9), &of_others), "40 of 100 votes");
}

#[test]
fn links_can_state_control_without_a_share() {
    for kind in [
        LinkKind::Consolidation,
        LinkKind::UltimateConsolidation,
        LinkKind::HeadOffice,
        LinkKind::Merger,
    ] {
        assert!(controls_first(company(2), &[unknown(company(2), company(1), kind)]), "{kind:?}");
    }
    for kind in [LinkKind::Shares, LinkKind::VotingRights, LinkKind::Partnership] {
        assert!(!controls_first(company(2), &[unknown(company(2), company(1), kind)]), "{kind:?}");
    }
    let owner = link(person(9), company(1), LinkKind::SoleProprietor, known(100.0));
    assert!(controls_first(person(9), &[owner]));
}

#[test]
fn control_passes_through_a_consolidated_company() {
    let links = [
        unknown(company(2), company(1), LinkKind::Consolidation),
        shares(person(9), company(2), 90.0),
    ];
    let resolution = resolve(company(1), &links);
    assert!(controls(&resolution, person(9)));
    let [owner] = resolution.beneficial_owners.as_slice() else { panic!("one person") };
    assert_eq!(owner.ownership.get(), 0.0, "the share in company 1 is unknown");
    assert_eq!(owner.path, [person(9), company(2), company(1)]);
}

#[test]
fn contradictory_votes_give_no_control() {
    let links = [shares(person(8), company(1), 60.0), shares(person(9), company(1), 60.0)];
    assert!(resolve(company(1), &links).controllers.is_empty());
}

#[test]
fn members_of_a_cooperative_do_not_control_it_with_their_shares() {
    let links = [shares(person(9), company(1), 90.0)];
    let cooperative = (company(1), profile("Genossenschaft", Form::WithoutOwners));
    let resolution = resolved(&with_profiles(company(1), &links, [cooperative]));
    assert!(resolution.controllers.is_empty());
    assert_eq!(resolution.holders[0].capital.get(), 0.0);
}

#[test]
fn stated_votes_replace_those_assumed_from_the_shares() {
    let capital = [shares(person(9), company(1), 60.0)];
    assert!(controls(&resolve(company(1), &capital), person(9)));
    let votes = link(person(9), company(1), LinkKind::VotingRights, known(20.0));
    assert!(!controls(&resolve(company(1), &[capital[0].clone(), votes]), person(9)));
}
