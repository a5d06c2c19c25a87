use std::collections::VecDeque;

use super::Network;

/// Betweenness of each node: the share of the shortest paths between two other nodes that lead through it, 0 to 1.
/// Directions and weights do not matter. U. Brandes, "A faster algorithm for betweenness centrality", Journal of
/// Mathematical Sociology 25, 2001.
pub fn betweenness(network: &Network) -> Vec<f64> {
    let neighbours = network.undirected();
    let nodes = neighbours.len();
    let mut betweenness = vec![0.0; nodes];
    for source in 0..nodes {
        let mut distance = vec![usize::MAX; nodes];
        let mut paths = vec![0.0; nodes];
        let mut order = Vec::with_capacity(nodes);
        distance[source] = 0;
        paths[source] = 1.0;
        let mut queue = VecDeque::from([source]);
        while let Some(node) = queue.pop_front() {
            order.push(node);
            for (next, _) in &neighbours[node] {
                if distance[*next] == usize::MAX {
                    distance[*next] = distance[node] + 1;
                    queue.push_back(*next);
                }
                if distance[*next] == distance[node] + 1 {
                    paths[*next] += paths[node];
                }
            }
        }
        let mut dependency = vec![0.0; nodes];
        for node in order.into_iter().rev() {
            for (previous, _) in &neighbours[node] {
                if distance[*previous] + 1 == distance[node] {
                    dependency[*previous] +=
                        paths[*previous] / paths[node] * (1.0 + dependency[node]);
                }
            }
            if node != source {
                betweenness[node] += dependency[node];
            }
        }
    }
    // Each pair of other nodes is counted in both directions.
    let pairs = nodes.saturating_sub(1) * nodes.saturating_sub(2);
    betweenness.into_iter().map(|it| if pairs == 0 { 0.0 } else { it / pairs as f64 }).collect()
}
