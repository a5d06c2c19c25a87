//! Circles: companies that own each other, directly or through others.

use std::collections::{BTreeSet, VecDeque};

use petgraph::{
    algo::tarjan_scc,
    graph::{DiGraph, NodeIndex},
};
use serde::Serialize;

use crate::{Party, Structure};

/// Groups of nodes that can reach each other over the edges, each group sorted. A group comes after the groups
/// that its edges lead to. The node numbers are below `nodes`.
pub(super) fn mutually_reachable(
    nodes: usize,
    edges: impl IntoIterator<Item = (usize, usize)>,
) -> Vec<Vec<usize>> {
    let mut graph: DiGraph<(), (), usize> = DiGraph::default();
    for _ in 0..nodes {
        graph.add_node(());
    }
    for (from, to) in edges {
        graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
    }
    let groups = tarjan_scc(&graph).into_iter().map(|group| {
        let mut group: Vec<usize> = group.into_iter().map(NodeIndex::index).collect();
        group.sort_unstable();
        group
    });
    groups.collect()
}

/// Companies that own each other in a circle, whether the shares are known or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CircularOwnership {
    /// A shortest circle through the first member, in the direction from owner to owned. One member if a company holds
    /// its own shares.
    pub circle: Vec<Party>,
    /// All companies that own each other, sorted. More than `circle` if several circles are connected.
    pub members: Vec<Party>,
}

/// The circles of a structure, sorted.
pub(super) fn circles(structure: &Structure) -> Vec<CircularOwnership> {
    let parties: Vec<Party> = structure.depths().keys().copied().collect();
    let number = |party: Party| parties.binary_search(&party).ok();
    let ownership = structure.links().iter().filter(|it| it.kind.is_ownership());
    let edges: BTreeSet<(usize, usize)> =
        ownership.filter_map(|it| Some((number(it.owner)?, number(it.owned)?))).collect();
    let mut found: Vec<CircularOwnership> =
        mutually_reachable(parties.len(), edges.iter().copied())
            .into_iter()
            .filter(|group| group.len() > 1 || edges.contains(&(group[0], group[0])))
            .map(|group| CircularOwnership {
                circle: shortest(&group, &edges).into_iter().map(|it| parties[it]).collect(),
                members: group.into_iter().map(|it| parties[it]).collect(),
            })
            .collect();
    found.sort_by(|one, other| one.members.cmp(&other.members));
    found
}

/// A shortest circle through the first node of a group.
fn shortest(group: &[usize], edges: &BTreeSet<(usize, usize)>) -> Vec<usize> {
    let start = group[0];
    if group.len() == 1 {
        return vec![start];
    }
    let mut paths = VecDeque::from([vec![start]]);
    let mut seen = BTreeSet::from([start]);
    while let Some(path) = paths.pop_front() {
        let last = path[path.len() - 1];
        for (_, next) in edges.range((last, 0)..=(last, usize::MAX)) {
            if *next == start && path.len() > 1 {
                return path;
            }
            if group.binary_search(next).is_ok() && seen.insert(*next) {
                paths.push_back(path.iter().copied().chain([*next]).collect());
            }
        }
    }
    // Not reached: the members of a group can reach each other.
    group.to_vec()
}
