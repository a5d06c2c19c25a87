//! Circles are found, solved or reported as closed.

use ownership::LinkKind;

use crate::support::{above, assert_close, company, person, resolve, share_of, shares, unknown};

#[test]
fn closed_circle_is_owned_by_nobody() {
    let links = [
        shares(company(2), company(1), 100.0),
        shares(company(3), company(2), 100.0),
        shares(company(2), company(3), 100.0),
    ];
    let resolution = resolve(company(1), &links);
    assert_eq!(resolution.closed_circles, [[company(2), company(3)]]);
    assert_eq!(share_of(&resolution, company(2)), 100.0);
    assert_close(resolution.unattributed_percentage.get(), 100.0);
    assert!(resolution.beneficial_owners.is_empty());
}

#[test]
fn company_that_holds_all_of_itself_is_a_closed_circle() {
    let resolution = resolve(company(1), &[shares(company(1), company(1), 100.0)]);
    assert_eq!(resolution.closed_circles, [[company(1)]]);
    assert_close(resolution.unattributed_percentage.get(), 100.0);
}

#[test]
fn nearly_closed_circle_is_solved() {
    // The person holds one thousandth of each, and so in the end all of both.
    let links = [
        shares(company(2), company(1), 99.9),
        shares(company(1), company(2), 99.9),
        shares(person(9), company(1), 0.1),
        shares(person(9), company(2), 0.1),
    ];
    let resolution = resolve(company(1), &links);
    assert!(resolution.closed_circles.is_empty());
    assert_close(share_of(&resolution, person(9)), 100.0);
}

#[test]
fn circle_is_reported_in_the_order_of_ownership() {
    // 1 owns 3, 3 owns 2, 2 owns 1. The share of 2 is unknown, which does not matter for the circle.
    let links = [
        unknown(company(2), company(1), LinkKind::Consolidation),
        shares(company(3), company(2), 50.0),
        shares(company(1), company(3), 50.0),
        shares(person(9), company(3), 50.0),
    ];
    let resolution = resolve(company(1), &links);
    let [circle] = resolution.circles.as_slice() else { panic!("{:?}", resolution.circles) };
    assert_eq!(circle.circle, [company(1), company(3), company(2)]);
    assert_eq!(circle.members, [company(1), company(2), company(3)]);
    assert!(resolution.closed_circles.is_empty());
}

#[test]
fn connected_circles_have_all_members_and_a_shortest_circle() {
    let links = [
        shares(company(2), company(1), 30.0),
        shares(company(1), company(2), 30.0),
        shares(company(3), company(2), 30.0),
        shares(company(2), company(3), 30.0),
    ];
    let resolution = resolve(company(1), &links);
    let [circle] = resolution.circles.as_slice() else { panic!("{:?}", resolution.circles) };
    assert_eq!(circle.circle.len(), 2);
    assert_eq!(circle.members.len(), 3);
}

#[test]
fn diamond_is_no_circle() {
    let links = [
        shares(company(2), company(1), 50.0),
        shares(company(3), company(1), 50.0),
        shares(company(4), company(2), 100.0),
        shares(company(4), company(3), 100.0),
    ];
    assert!(!resolve(company(1), &links).is_circular());
    assert_eq!(above(company(1), &links).depth(), 2);
}

/// A circle of this many companies, each of which holds half of the next; a person holds the rest of the first.
fn circle_of(members: u32) -> Vec<ownership::Link> {
    let next = |it: u32| if it == members { 1 } else { it + 1 };
    let mut links: Vec<_> =
        (1..=members).map(|it| shares(company(it), company(next(it)), 50.0)).collect();
    // Everyone is a direct owner of the root too, so that the depth does not matter.
    links.extend((2..members).map(|it| shares(company(it), company(1), 0.1)));
    links.push(shares(person(9), company(1), 10.0));
    links
}

#[test]
fn circles_with_too_many_members_are_unattributed() {
    let solved = resolve(company(1), &circle_of(256));
    assert!(solved.closed_circles.is_empty());
    assert!(share_of(&solved, person(9)) >= 10.0);
    let unsolved = resolve(company(1), &circle_of(257));
    assert_eq!(unsolved.closed_circles[0].len(), 257);
    assert_eq!(share_of(&unsolved, person(9)), 0.0);
    assert_close(unsolved.unattributed_percentage.get(), 100.0);
}
