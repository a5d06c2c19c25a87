//! Communities after V. D. Blondel, J.-L. Guillaume, R. Lambiotte and E. Lefebvre, "Fast unfolding of communities in large
//! networks", Journal of Statistical Mechanics 2008 (the Louvain method).

use std::collections::BTreeMap;

use super::Network;

/// A level of the method must improve the modularity by more than this.
const IMPROVEMENT: f64 = 1e-7;

/// Divides the nodes into communities with many edges inside and few between. Directions do not matter. Each community
/// is sorted; the largest is first, and equally large ones are sorted by their first node. `seed` decides the order in which
/// the nodes are visited; the same seed gives the same communities.
pub fn communities(network: &Network, seed: u64) -> Vec<Vec<usize>> {
    let mut random = SplitMix(seed);
    let mut graph = Graph { neighbours: network.undirected() };
    let mut members: Vec<Vec<usize>> = (0..network.nodes()).map(|it| vec![it]).collect();
    let mut quality = graph.modularity(&(0..network.nodes()).collect::<Vec<_>>());
    loop {
        let assignment = graph.move_nodes(&mut random);
        let improved = graph.modularity(&assignment);
        if improved - quality <= IMPROVEMENT {
            break;
        }
        quality = improved;
        let (merged, merged_members) = graph.merge(&assignment, &members);
        graph = merged;
        members = merged_members;
    }
    for community in &mut members {
        community.sort_unstable();
    }
    members.sort_by_key(|it| (std::cmp::Reverse(it.len()), it[0]));
    members
}

/// Modularity of a division into communities (M. E. J. Newman, 2004), −0.5 to 1: the share of the weight inside
/// communities, less what would be expected if edges were placed at random. `None` if a node is in no community or in
/// several, or does not exist.
pub fn modularity(network: &Network, communities: &[Vec<usize>]) -> Option<f64> {
    let mut assignment = vec![None; network.nodes()];
    for (community, members) in communities.iter().enumerate() {
        for node in members {
            let of_node = assignment.get_mut(*node)?;
            if of_node.replace(community).is_some() {
                return None;
            }
        }
    }
    let assignment: Option<Vec<usize>> = assignment.into_iter().collect();
    Some(Graph { neighbours: network.undirected() }.modularity(&assignment?))
}

/// An undirected graph with weights. A loop is in the list of its node once, with its weight.
struct Graph {
    neighbours: Vec<Vec<(usize, f64)>>,
}

impl Graph {
    /// The weight of the edges of a node. A loop counts twice, as its two ends do.
    fn degree(&self, node: usize) -> f64 {
        let weight =
            |(other, weight): &(usize, f64)| if *other == node { 2.0 * weight } else { *weight };
        self.neighbours[node].iter().map(weight).sum()
    }

    fn modularity(&self, assignment: &[usize]) -> f64 {
        let communities = assignment.iter().max().map_or(0, |it| it + 1);
        let mut degrees = vec![0.0; communities];
        let mut inside = vec![0.0; communities];
        for (node, neighbours) in self.neighbours.iter().enumerate() {
            let community = assignment[node];
            degrees[community] += self.degree(node);
            for (other, weight) in neighbours.iter().filter(|it| assignment[it.0] == community) {
                inside[community] += if *other == node { 2.0 * weight } else { *weight };
            }
        }
        let all: f64 = degrees.iter().sum();
        if all == 0.0 {
            return 0.0;
        }
        let terms = inside.iter().zip(&degrees);
        terms.map(|(inside, degree)| inside / all - (degree / all).powi(2)).sum()
    }

    /// Moves each node to the community of a neighbour that improves the modularity most, until no move improves it.
    /// Returns the community of each node, numbered from 0 without gaps.
    fn move_nodes(&self, random: &mut SplitMix) -> Vec<usize> {
        let nodes = self.neighbours.len();
        let degrees: Vec<f64> = (0..nodes).map(|it| self.degree(it)).collect();
        let all: f64 = degrees.iter().sum();
        let mut assignment: Vec<usize> = (0..nodes).collect();
        let mut totals = degrees.clone();
        let mut order: Vec<usize> = (0..nodes).collect();
        random.shuffle(&mut order);
        let mut moved = all > 0.0;
        while moved {
            moved = false;
            for node in &order {
                let current = assignment[*node];
                let mut weights: BTreeMap<usize, f64> = BTreeMap::from([(current, 0.0)]);
                for (other, weight) in self.neighbours[*node].iter().filter(|it| it.0 != *node) {
                    *weights.entry(assignment[*other]).or_default() += weight;
                }
                totals[current] -= degrees[*node];
                let gain = |community: usize, weight: f64| {
                    weight - totals[community] * degrees[*node] / all
                };
                let mut best = (current, gain(current, weights[&current]));
                for (community, weight) in &weights {
                    let gain = gain(*community, *weight);
                    // Without the margin, rounding could move a node for ever.
                    if gain > best.1 + 1e-12 * all {
                        best = (*community, gain);
                    }
                }
                totals[best.0] += degrees[*node];
                if best.0 != current {
                    assignment[*node] = best.0;
                    moved = true;
                }
            }
        }
        renumber(&mut assignment);
        assignment
    }

    /// The graph whose nodes are the communities, and the original nodes in each.
    fn merge(&self, assignment: &[usize], members: &[Vec<usize>]) -> (Self, Vec<Vec<usize>>) {
        let communities = assignment.iter().max().map_or(0, |it| it + 1);
        let mut merged: Vec<BTreeMap<usize, f64>> = vec![BTreeMap::new(); communities];
        let mut merged_members = vec![Vec::new(); communities];
        for (node, neighbours) in self.neighbours.iter().enumerate() {
            let community = assignment[node];
            merged_members[community].extend(&members[node]);
            for (other, weight) in neighbours {
                let is_inside = assignment[*other] == community;
                // An edge between two nodes of the community is in the lists of both.
                let weight = if is_inside && *other != node { weight / 2.0 } else { *weight };
                *merged[community].entry(assignment[*other]).or_default() += weight;
            }
        }
        let neighbours = merged.into_iter().map(|it| it.into_iter().collect()).collect();
        (Self { neighbours }, merged_members)
    }
}

/// Numbers the communities in the order of their first nodes.
fn renumber(assignment: &mut [usize]) {
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    for community in assignment {
        let next = numbers.len();
        *community = *numbers.entry(*community).or_insert(next);
    }
}

/// `SplitMix64` (G. Steele, D. Lea, C. Flood, 2014). Our own, because the sequence of a library's generator can change with
/// its version, and with it the communities.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn shuffle(&mut self, items: &mut [usize]) {
        for last in (1..items.len()).rev() {
            // The bias of the remainder does not matter for an order of visits.
            let other = self.next() % (last as u64 + 1);
            items.swap(last, other as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_has_the_published_sequence() {
        // The reference implementation with seed 1234567.
        let mut random = SplitMix(1_234_567);
        assert_eq!(
            [random.next(), random.next()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]
        );
    }

    #[test]
    fn two_triangles_are_two_communities() {
        let edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)];
        let network = Network::new(6, edges.map(|(from, to)| (from, to, 1.0)));
        for seed in 0..20 {
            assert_eq!(communities(&network, seed), [[0, 1, 2], [3, 4, 5]], "seed {seed}");
        }
    }

    #[test]
    fn nodes_without_edges_are_their_own_communities() {
        assert_eq!(communities(&Network::new(2, []), 0), [[0], [1]]);
        assert!(communities(&Network::new(0, []), 0).is_empty());
    }

    #[test]
    fn modularity_needs_each_node_once() {
        let network = Network::new(2, [(0, 1, 1.0)]);
        assert_eq!(modularity(&network, &[vec![0, 1]]), Some(0.0));
        assert_eq!(modularity(&network, &[vec![0]]), None);
        assert_eq!(modularity(&network, &[vec![0, 1], vec![1]]), None);
        assert_eq!(modularity(&network, &[vec![0, 1, 2]]), None);
    }
}
