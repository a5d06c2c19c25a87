use super::{Network, betweenness, communities, page_rank};

/// All measures of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// PageRank of each node.
    pub page_rank: Vec<f64>,
    /// Betweenness of each node.
    pub betweenness: Vec<f64>,
    /// The communities, the largest first.
    pub communities: Vec<Vec<usize>>,
}

/// The position of one node in a network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// PageRank.
    pub page_rank: f64,
    /// Rank by PageRank: 1 for the highest. Nodes with the same PageRank have the same rank.
    pub rank: usize,
    /// Betweenness, 0 to 1.
    pub betweenness: f64,
    /// Index of the community of the node.
    pub community: usize,
    /// Number of nodes in this community.
    pub community_size: usize,
}

impl Measures {
    /// Measures a network. `seed`: see [`communities`].
    pub fn of(network: &Network, seed: u64) -> Self {
        Self {
            page_rank: page_rank(network),
            betweenness: betweenness(network),
            communities: communities(network, seed),
        }
    }

    /// The position of a node. `None` if it does not exist.
    pub fn position(&self, node: usize) -> Option<Position> {
        let page_rank = *self.page_rank.get(node)?;
        let community = self.communities.iter().position(|it| it.contains(&node))?;
        Some(Position {
            page_rank,
            rank: 1 + self.page_rank.iter().filter(|it| **it > page_rank).count(),
            betweenness: *self.betweenness.get(node)?,
            community,
            community_size: self.communities[community].len(),
        })
    }
}
