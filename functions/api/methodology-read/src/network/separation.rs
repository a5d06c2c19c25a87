//! Which nodes separate a network: one depth-first walk (J. Hopcroft, R. Tarjan, "Efficient algorithms for graph
//! manipulation", Communications of the ACM 16, 1973). The time is linear, where removing each node in turn is quadratic.

/// A depth-first walk through an undirected network.
pub(super) struct Walk {
    /// The nodes in the order in which they were reached. Those below a node follow it directly.
    order: Vec<usize>,
    /// For each position in `order`: that of the node from which it was reached, its own for the first of a component.
    parents: Vec<usize>,
    /// For each position: the lowest one that it or those below it have an edge to.
    lowest: Vec<usize>,
    /// For each position: the one after the last below it.
    ends: Vec<usize>,
}

impl Walk {
    pub(super) fn of(nodes: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); nodes];
        for (one, other) in edges {
            neighbours[one].push(other);
            neighbours[other].push(one);
        }
        let mut walk = Self {
            order: Vec::with_capacity(nodes),
            parents: Vec::with_capacity(nodes),
            lowest: Vec::with_capacity(nodes),
            ends: vec![0; nodes],
        };
        let mut positions: Vec<Option<usize>> = vec![None; nodes];
        for first in 0..nodes {
            if positions[first].is_none() {
                walk.reach(first, &neighbours, &mut positions);
            }
        }
        walk
    }

    /// Walks through the component of a node. Without recursion, because a chain can be long.
    fn reach(&mut self, first: usize, neighbours: &[Vec<usize>], positions: &mut [Option<usize>]) {
        // Positions on the way, with the number of neighbours that were looked at.
        let mut way = vec![(self.add(first, None, positions), 0)];
        while let Some((at, looked_at)) = way.last_mut() {
            let at = *at;
            let Some(neighbour) = neighbours[self.order[at]].get(*looked_at).copied() else {
                self.ends[at] = self.order.len();
                let parent = self.parents[at];
                self.lowest[parent] = self.lowest[parent].min(self.lowest[at]);
                way.pop();
                continue;
            };
            *looked_at += 1;
            match positions[neighbour] {
                // An edge to the parent changes nothing: it is not lower than the parent itself.
                Some(other) => self.lowest[at] = self.lowest[at].min(other),
                None => way.push((self.add(neighbour, Some(at), positions), 0)),
            }
        }
    }

    fn add(
        &mut self,
        node: usize,
        parent: Option<usize>,
        positions: &mut [Option<usize>],
    ) -> usize {
        let at = self.order.len();
        positions[node] = Some(at);
        self.order.push(node);
        self.parents.push(parent.unwrap_or(at));
        self.lowest.push(at);
        at
    }

    /// The nodes without which their component falls apart, with the parts.
    pub(super) fn separations(&self) -> Vec<(usize, Vec<Vec<usize>>)> {
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); self.order.len()];
        for (at, parent) in self.parents.iter().enumerate().filter(|(at, parent)| at != *parent) {
            // Those below have no edge past the parent.
            if self.lowest[at] >= *parent {
                below[*parent].push(at);
            }
        }
        let separation = |(at, cut): (usize, Vec<usize>)| {
            let mut parts: Vec<Vec<usize>> =
                cut.iter().map(|it| self.order[*it..self.ends[*it]].to_vec()).collect();
            let first = self.first_of_component(at);
            let is_cut = |it: usize| cut.iter().any(|cut| (*cut..self.ends[*cut]).contains(&it));
            let rest = (first..self.ends[first]).filter(|it| *it != at && !is_cut(*it));
            let rest: Vec<usize> = rest.map(|it| self.order[it]).collect();
            if !rest.is_empty() {
                parts.push(rest);
            }
            (parts.len() > 1).then(|| (self.order[at], parts))
        };
        let cut = below.into_iter().enumerate().filter(|(_, cut)| !cut.is_empty());
        cut.filter_map(separation).collect()
    }

    fn first_of_component(&self, mut at: usize) -> usize {
        while self.parents[at] != at {
            at = self.parents[at];
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The parts of the component of a node without it, found by removing it.
    fn removed(nodes: usize, edges: &[(usize, usize)], node: usize) -> BTreeSet<BTreeSet<usize>> {
        let joined = |parts: Vec<BTreeSet<usize>>, edge: &(usize, usize)| {
            let (with, mut without): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|it| it.contains(&edge.0) || it.contains(&edge.1));
            without.push(with.into_iter().flatten().collect());
            without
        };
        let single = |it: usize| BTreeSet::from([it]);
        let whole = edges.iter().fold((0..nodes).map(single).collect(), joined);
        let component = whole.into_iter().find(|it| it.contains(&node)).expect("a component");
        let others = component.into_iter().filter(|it| *it != node).map(single).collect();
        let rest = edges.iter().filter(|it| it.0 != node && it.1 != node && it.0 != it.1);
        let inside = |parts: Vec<BTreeSet<usize>>, edge: &(usize, usize)| match parts
            .iter()
            .any(|it| it.contains(&edge.0))
        {
            true => joined(parts, edge),
            false => parts,
        };
        rest.fold(others, inside).into_iter().collect()
    }

    #[test]
    fn separations_are_those_found_by_removing_each_node() {
        // A fixed sequence of networks of different density.
        let mut state = 7_usize;
        let mut next = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for round in 0..300 {
            let nodes = 2 + round % 9;
            let edges: Vec<(usize, usize)> =
                (0..next(2 * nodes)).map(|_| (next(nodes), next(nodes))).collect();
            let found = Walk::of(nodes, edges.iter().copied()).separations();
            for node in 0..nodes {
                let expected = removed(nodes, &edges, node);
                let parts = found.iter().find(|it| it.0 == node).map(|it| it.1.iter());
                let parts: BTreeSet<BTreeSet<usize>> =
                    parts.into_iter().flatten().map(|it| it.iter().copied().collect()).collect();
                if expected.len() > 1 {
                    assert_eq!(parts, expected, "{edges:?} without {node}");
                } else {
                    assert!(parts.is_empty(), "{edges:?} without {node}: {parts:?}");
                }
            }
        }
    }
}
