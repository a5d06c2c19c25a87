use std::collections::BTreeMap;

/// A directed network with weights, of nodes numbered from 0. Repeated edges are added up.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    out: Vec<Vec<(usize, f64)>>,
}

impl Network {
    /// A network with these edges: from, to, weight. Edges to nodes that do not exist and edges without a positive finite
    /// weight are left out.
    pub fn new(nodes: usize, edges: impl IntoIterator<Item = (usize, usize, f64)>) -> Self {
        // Sums do not depend on the order of the edges, because equal edges are sorted by weight.
        let mut edges: Vec<(usize, usize, f64)> = edges
            .into_iter()
            .filter(|it| it.0 < nodes && it.1 < nodes && it.2 > 0.0 && it.2.is_finite())
            .collect();
        edges.sort_by(|one, other| {
            (one.0, one.1).cmp(&(other.0, other.1)).then_with(|| one.2.total_cmp(&other.2))
        });
        let mut out: Vec<Vec<(usize, f64)>> = vec![Vec::new(); nodes];
        for (from, to, weight) in edges {
            match out[from].last_mut().filter(|it| it.0 == to) {
                Some(last) => last.1 += weight,
                None => out[from].push((to, weight)),
            }
        }
        Self { out }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.out.len()
    }

    /// Number of different edges.
    pub fn edges(&self) -> usize {
        self.out.iter().map(Vec::len).sum()
    }

    /// The successors of a node in ascending order, with weights.
    pub(super) fn successors(&self, node: usize) -> &[(usize, f64)] {
        &self.out[node]
    }

    /// The neighbours of each node without regard to direction, in ascending order. The weights of both directions are
    /// added up. A loop is its own neighbour once.
    pub(super) fn undirected(&self) -> Vec<Vec<(usize, f64)>> {
        let mut neighbours: Vec<BTreeMap<usize, f64>> = vec![BTreeMap::new(); self.nodes()];
        for (from, successors) in self.out.iter().enumerate() {
            for (to, weight) in successors {
                *neighbours[from].entry(*to).or_default() += weight;
                if from != *to {
                    *neighbours[*to].entry(from).or_default() += weight;
                }
            }
        }
        neighbours.into_iter().map(|it| it.into_iter().collect()).collect()
    }
}
