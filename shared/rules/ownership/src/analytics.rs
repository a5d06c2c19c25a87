//! Position of a company in a network, and how opaque its ownership is.
//!
//! Decision: `petgraph` finds strongly connected components. `rustworkx-core` 0.18 has neither Louvain nor PageRank; for
//! betweenness alone it would add nine crates, among them `ndarray` and a second version of `rand`. The three measures are
//! therefore written here, and compared with NetworkX (`fixtures/networkx.json`, made by `fixtures/measures.py`).

mod betweenness;
mod communities;
mod measures;
mod network;
mod opacity;
mod page_rank;

pub use betweenness::betweenness;
pub use communities::{communities, modularity};
pub use measures::{Measures, Position};
pub use network::Network;
pub use opacity::{
    Contributor, Opacity, OpacityLevel, ShellCompany, opacity, percentile, shell_company,
};
pub use page_rank::{DAMPING, page_rank};

/// The version of NetworkX with which the measures were compared.
pub const NETWORKX_VERSION: &str = "3.6.1";

/// What computes the measures.
pub const COMPUTED_WITH: &str =
    "own implementation, with petgraph 0.8; compared with NetworkX 3.6.1";
