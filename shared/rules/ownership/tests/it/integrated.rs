//! Integrated ownership of hand-calculated structures.

use ownership::{
    LinkKind, MaxDepth, Reason, Structure,
    flags::{FlagKind, flags},
};

use crate::support::{
    above, assert_close, company, known, link, person, resolve, resolved, share_of, shares, unknown,
};

#[test]
fn percentages_multiply_along_a_chain() {
    // 80 % of 60 % of 50 %.
    let links = [
        shares(company(2), company(1), 50.0),
        shares(company(3), company(2), 60.0),
        shares(person(9), company(3), 80.0),
    ];
    let resolution = resolve(company(1), &links);
    assert_eq!(share_of(&resolution, company(3)), 30.0);
    assert_close(share_of(&resolution, person(9)), 24.0);
    // 50 % of 1, 20 % of 1 through 2, and 6 % through 3.
    let lost: Vec<_> =
        resolution.unattributed.iter().map(|it| (it.party, it.percentage.get())).collect();
    assert_eq!(
        lost.iter().map(|it| it.0).collect::<Vec<_>>(),
        [company(1), company(2), company(3)]
    );
    for (lost, expected) in lost.iter().zip([50.0, 20.0, 6.0]) {
        assert_close(lost.1, expected);
    }
    assert_close(resolution.unattributed_percentage.get(), 76.0);
}

#[test]
fn paths_of_a_diamond_are_added() {
    let links = [
        shares(company(2), company(1), 60.0),
        shares(company(3), company(1), 40.0),
        shares(person(9), company(2), 50.0),
        shares(person(9), company(3), 25.0),
        shares(person(8), company(2), 50.0),
        shares(person(7), company(3), 75.0),
    ];
    let resolution = resolve(company(1), &links);
    assert_eq!(share_of(&resolution, person(9)), 40.0, "60 % × 50 % + 40 % × 25 %");
    assert_eq!(share_of(&resolution, person(8)), 30.0);
    assert_eq!(share_of(&resolution, person(7)), 30.0);
    assert_eq!(resolution.attributed_to_persons.get(), 100.0);
    assert!(resolution.unattributed.is_empty() && !resolution.is_circular());
}

#[test]
fn cross_holding_is_solved_exactly() {
    // 1 and 2 hold 20 % and 50 % of each other. Persons: 80 % of 2 and 50 % of 1.
    // x = share of the person in 1 through 2: n_91 = 0.8 × n_21, n_21 = 0.5 / (1 − 0.5 × 0.2) = 5/9.
    let links = [
        shares(company(2), company(1), 50.0),
        shares(company(1), company(2), 20.0),
        shares(person(9), company(2), 80.0),
        shares(person(8), company(1), 50.0),
    ];
    let resolution = resolve(company(1), &links);
    assert_close(share_of(&resolution, person(9)), 100.0 * 4.0 / 9.0);
    assert_close(share_of(&resolution, person(8)), 100.0 * 5.0 / 9.0);
    // n_22 = n_11 = 10/9: company 2 holds (5/9) / (10/9), the direct share, because every other path returns to 2.
    assert_close(share_of(&resolution, company(2)), 50.0);
    assert_close(share_of(&resolution, company(1)), 10.0);
    assert_close(resolution.attributed_to_persons.get(), 100.0);
}

#[test]
fn circle_of_three_companies_is_solved_exactly() {
    // 3 holds half of 2, 2 holds half of 1, 1 holds half of 3; a person holds the other half of each.
    // Each turn through the circle is worth 1/8: n_11 = 8/7, n_21 = 4/7, n_31 = 2/7.
    let links = [
        shares(company(2), company(1), 50.0),
        shares(company(3), company(2), 50.0),
        shares(company(1), company(3), 50.0),
        shares(person(7), company(1), 50.0),
        shares(person(8), company(2), 50.0),
        shares(person(9), company(3), 50.0),
    ];
    let resolution = resolve(company(1), &links);
    assert_close(share_of(&resolution, person(7)), 100.0 * 4.0 / 7.0);
    assert_close(share_of(&resolution, person(8)), 100.0 * 2.0 / 7.0);
    assert_close(share_of(&resolution, person(9)), 100.0 / 7.0);
    assert_close(share_of(&resolution, company(2)), 50.0);
    assert_close(share_of(&resolution, company(3)), 25.0);
    assert_close(share_of(&resolution, company(1)), 12.5);
    assert_close(resolution.attributed_to_persons.get(), 100.0);
}

#[test]
fn own_shares_belong_to_the_other_owners() {
    let links = [
        shares(company(1), company(1), 20.0),
        shares(person(8), company(1), 20.0),
        shares(person(9), company(1), 60.0),
    ];
    let resolution = resolve(company(1), &links);
    assert_close(share_of(&resolution, person(8)), 25.0);
    assert_close(share_of(&resolution, person(9)), 75.0);
    assert_close(share_of(&resolution, company(1)), 20.0);
}

#[test]
fn unknown_shares_count_nothing_and_are_not_distributed() {
    let links =
        [shares(person(9), company(1), 30.0), unknown(person(8), company(1), LinkKind::Shares)];
    let resolution = resolve(company(1), &links);
    assert_eq!(share_of(&resolution, person(9)), 30.0);
    assert_eq!(share_of(&resolution, person(8)), 0.0);
    assert_close(resolution.unattributed_percentage.get(), 70.0);
}

#[test]
fn quotas_below_the_capital_leave_a_rest() {
    let links = [shares(person(8), company(1), 40.0), shares(person(9), company(1), 45.0)];
    let resolution = resolve(company(1), &links);
    assert_close(resolution.unattributed_percentage.get(), 15.0);
    assert!(resolution.overstated.is_empty());
}

#[test]
fn quotas_above_the_capital_are_unattributed() {
    let links = [
        shares(person(8), company(2), 60.0),
        shares(person(9), company(2), 60.0),
        shares(company(2), company(1), 50.0),
        shares(person(7), company(1), 50.0),
    ];
    let resolution = resolve(company(1), &links);
    assert_eq!(share_of(&resolution, person(8)), 0.0);
    assert_eq!(share_of(&resolution, company(2)), 50.0, "its own share is not in doubt");
    assert_eq!(share_of(&resolution, person(7)), 50.0);
    let [part] = resolution.overstated.as_slice() else { panic!("{:?}", resolution.overstated) };
    assert_eq!((part.party, part.percentage.get()), (company(2), 120.0));
    let [part] = resolution.unattributed.as_slice() else { panic!("{resolution:?}") };
    assert_eq!((part.party, part.percentage.get()), (company(2), 50.0));
}

#[test]
fn thirds_are_the_whole() {
    let third = 100.0 / 3.0;
    let links = [7, 8, 9].map(|it| shares(person(it), company(1), third));
    let resolution = resolve(company(1), &links);
    assert!(resolution.overstated.is_empty() && resolution.unattributed.is_empty());
    assert_close(resolution.attributed_to_persons.get(), 100.0);
}

#[test]
fn same_share_from_two_sources_counts_once() {
    let mut again = shares(person(9), company(1), 60.0);
    again.source.source = "zefix".into();
    let resolution = resolve(company(1), &[shares(person(9), company(1), 60.0), again]);
    assert_eq!(share_of(&resolution, person(9)), 60.0);
}

#[test]
fn votes_and_capital_are_resolved_separately() {
    // Shares with more votes: 10 % of the capital, 40 % of the votes.
    let links = [
        shares(person(9), company(1), 10.0),
        link(person(9), company(1), LinkKind::VotingRights, known(40.0)),
        shares(person(8), company(1), 90.0),
        link(person(8), company(1), LinkKind::VotingRights, known(60.0)),
    ];
    let resolution = resolve(company(1), &links);
    let holder = resolution.holders.iter().find(|it| it.party == person(9)).expect("a holder");
    assert_eq!((holder.capital.get(), holder.votes.get()), (10.0, 40.0));
    assert!(resolution.overstated.is_empty(), "capital and votes are not added");
}

#[test]
fn disclosed_votes_are_no_share_of_the_capital() {
    let links = [
        link(person(9), company(1), LinkKind::VotingRights, known(40.0)),
        shares(company(2), company(1), 50.0),
        link(person(8), company(2), LinkKind::VotingRights, known(60.0)),
    ];
    let resolution = resolve(company(1), &links);
    let holder = |party| resolution.holders.iter().find(|it| it.party == party).expect("a holder");
    for (party, capital, votes) in
        [(person(9), 0.0, 40.0), (person(8), 0.0, 30.0), (company(2), 50.0, 50.0)]
    {
        let found = holder(party);
        assert_eq!((found.capital.get(), found.votes.get()), (capital, votes), "{party}");
    }
    assert_eq!(resolution.attributed_to_persons.get(), 0.0);
    let reasons = resolution.beneficial_owners.iter().flat_map(|it| &it.reasons);
    assert!(reasons.into_iter().all(|it| !matches!(it, Reason::Ownership)), "{resolution:?}");
    assert_eq!(resolution.beneficial_owners.len(), 2);
}

#[test]
fn owners_beyond_the_depth_are_not_followed() {
    let links: Vec<_> = (1..30).map(|it| shares(company(it + 1), company(it), 100.0)).collect();
    let depth = |levels: u8| {
        let depth = MaxDepth::new(levels).expect("an allowed depth");
        Structure::above(company(1), links.clone(), Default::default(), depth)
    };
    let structure = depth(3);
    assert_eq!(structure.depths().len(), 4);
    assert_eq!(structure.cut_off().iter().collect::<Vec<_>>(), [&company(4)]);
    let resolution = resolved(&structure);
    assert_eq!(share_of(&resolution, company(4)), 100.0);
    assert_eq!(resolution.unattributed[0].party, company(4));
    assert_eq!(depth(20).depths().len(), 21);
    assert_eq!([MaxDepth::new(0), MaxDepth::new(21)], [None, None]);
    assert_eq!(above(company(1), &links).depth(), 10, "the default");
}

#[test]
fn parties_whose_owners_were_not_looked_up_are_unattributed_and_flagged() {
    let links = [shares(company(2), company(1), 60.0), shares(person(9), company(1), 40.0)];
    let read = above(company(1), &links);
    let unread = read.clone().with_unread_owners([company(2), company(7)]);
    assert_eq!(unread.cut_off().iter().collect::<Vec<_>>(), [&company(2)], "7 is not above 1");
    let kinds = |structure: &Structure| {
        let flags = flags(structure, &resolved(structure));
        flags.into_iter().map(|it| it.kind).collect::<Vec<_>>()
    };
    assert_eq!((kinds(&read), kinds(&unread)), (vec![], vec![FlagKind::DepthLimit]));
    assert_eq!(resolved(&unread).unattributed_percentage, resolved(&read).unattributed_percentage);
}

#[test]
fn structure_of_500_parties_is_resolved() {
    // A tree in which two owners hold each company, and a circle through the last of them.
    let mut links: Vec<_> = (1..250)
        .flat_map(|it| {
            [
                shares(company(2 * it), company(it), 60.0),
                shares(company(2 * it + 1), company(it), 30.0),
            ]
        })
        .collect();
    links.push(shares(company(1), company(499), 50.0));
    links.extend((400..499).map(|it| shares(person(u128::from(it)), company(it), 100.0)));
    let structure = above(company(1), &links);
    let resolution = resolved(&structure);
    assert!(resolution.is_circular() && structure.depths().len() >= 500);
}
