use super::Network;

/// Probability of following an edge instead of starting again at any node.
pub const DAMPING: f64 = 0.85;

/// When the ranks change by less than this for each node, they are final.
const PRECISION: f64 = 1e-12;
/// More than enough: the error shrinks by [`DAMPING`] each time, and 0.85²⁰⁰ is below 10⁻¹⁴.
const MAX_ITERATIONS: usize = 200;

/// PageRank of each node (L. Page, S. Brin, R. Motwani, T. Winograd, 1999), with sum 1. Edges are followed in proportion
/// to their weights. A node without successors leads to every node with the same probability.
pub fn page_rank(network: &Network) -> Vec<f64> {
    let nodes = network.nodes();
    let weights: Vec<f64> = (0..nodes)
        .map(|node| network.successors(node).iter().map(|(_, weight)| weight).sum())
        .collect();
    let uniform = 1.0 / nodes as f64;
    let mut ranks = vec![uniform; nodes];
    for _ in 0..MAX_ITERATIONS {
        let dangling: f64 = (0..nodes).filter(|it| weights[*it] == 0.0).map(|it| ranks[it]).sum();
        let everywhere = (DAMPING * dangling + 1.0 - DAMPING) * uniform;
        let mut next = vec![everywhere; nodes];
        for node in 0..nodes {
            for (to, weight) in network.successors(node) {
                next[*to] += DAMPING * ranks[node] * weight / weights[node];
            }
        }
        let change: f64 = ranks.iter().zip(&next).map(|(old, new)| (old - new).abs()).sum();
        ranks = next;
        if change < PRECISION * nodes as f64 {
            break;
        }
    }
    ranks
}
