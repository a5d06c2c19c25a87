//! Integrated ownership after Brioschi, Buzzacchi and Colombo.

use super::{
    circle_solver::{Circle, LARGEST},
    circles::mutually_reachable,
    columns::Columns,
};

/// Integrated shares of one company, as fractions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Integrated {
    /// Integrated share of each party; of the company itself through circles.
    pub(super) shares: Vec<f64>,
    /// For each party: the part of the company that is lost there because its owners are unknown.
    pub(super) unattributed: Vec<f64>,
    /// For each party without owners (persons, foundations, the state): the part that ends there.
    pub(super) ends: Vec<f64>,
    /// Circles whose members hold all of each other, or that have too many members. Their shares are unattributed.
    pub(super) closed: Vec<Vec<usize>>,
}

/// Computes the column of N = (I − A)⁻¹ of `company` and, from it, the integrated shares. Companies whose known shares
/// exceed the whole must have been removed from the columns.
///
/// The companies are processed in the order from the company to its owners, one group of companies that own each other at
/// a time. Only such groups need the solution of equations; everything else are sums of products along the paths.
pub(super) fn integrated(mut columns: Columns, company: usize) -> Integrated {
    let size = columns.parties.len();
    let edges = columns.owners.iter().enumerate();
    let edges = edges.flat_map(|(owned, owners)| owners.iter().map(move |it| (owned, it.0)));
    let mut groups = mutually_reachable(size, edges);
    groups.reverse();
    let mut column = vec![0.0; size];
    column[company] = 1.0;
    // The diagonal of N.
    let mut turns = vec![1.0; size];
    let mut closed = Vec::new();
    for group in groups {
        if is_circle(&columns, &group) {
            match solve(&columns, &group, &column) {
                Some((solution, diagonal)) => {
                    for (at, member) in group.iter().enumerate() {
                        column[*member] = solution[at];
                        turns[*member] = diagonal[at];
                    }
                }
                None => {
                    columns.clear_owners(&group);
                    closed.push(group.clone());
                }
            }
        }
        for member in &group {
            let outside = columns.owners[*member].iter();
            for (owner, share) in outside.filter(|it| group.binary_search(&it.0).is_err()) {
                column[*owner] += share * column[*member];
            }
        }
    }
    let mut shares: Vec<f64> = column.iter().zip(&turns).map(|(it, turns)| it / turns).collect();
    shares[company] = (turns[company] - 1.0) / turns[company];
    let unattributed = (0..size)
        .map(|it| if columns.can_have_owners[it] { columns.unknown(it) * column[it] } else { 0.0 });
    let ends = (0..size).map(|it| if columns.can_have_owners[it] { 0.0 } else { column[it] });
    Integrated { unattributed: unattributed.collect(), ends: ends.collect(), shares, closed }
}

fn is_circle(columns: &Columns, group: &[usize]) -> bool {
    group.len() > 1 || columns.owners[group[0]].iter().any(|it| it.0 == group[0])
}

/// The solution for the members of a circle and the diagonal of their block of N.
fn solve(columns: &Columns, group: &[usize], column: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
    let size = group.len();
    if size > LARGEST {
        return None;
    }
    let mut held = vec![0.0; size * size];
    let mut outside = Vec::with_capacity(size);
    for (j, member) in group.iter().enumerate() {
        let mut rest = columns.unknown(*member);
        for (owner, share) in &columns.owners[*member] {
            match group.binary_search(owner) {
                Ok(i) => held[i * size + j] = *share,
                Err(_) => rest += share,
            }
        }
        outside.push(rest);
    }
    let circle = Circle::new(held, outside)?;
    let right = group.iter().map(|it| column[*it]).collect();
    Some((circle.solve(right), circle.turns))
}
