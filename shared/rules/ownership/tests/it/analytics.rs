//! Measures of networks, compared with NetworkX.

use ownership::analytics::{
    COMPUTED_WITH, Measures, NETWORKX_VERSION, Network, betweenness, communities, modularity,
    page_rank,
};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fixture {
    networkx_version: String,
    networks: Vec<Expected>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Expected {
    name: String,
    nodes: usize,
    edges: Vec<(usize, usize, f64)>,
    page_rank: Vec<f64>,
    betweenness: Vec<f64>,
    communities: Vec<Vec<usize>>,
    modularity: f64,
}

/// Made by `fixtures/measures.py`.
fn fixture() -> Fixture {
    serde_json::from_str(include_str!("../../fixtures/networkx.json")).expect("the fixture")
}

fn networks() -> Vec<(Expected, Network)> {
    let network = |it: Expected| {
        let network = Network::new(it.nodes, it.edges.iter().copied());
        (it, network)
    };
    fixture().networks.into_iter().map(network).collect()
}

#[track_caller]
fn assert_equal(name: &str, actual: &[f64], expected: &[f64]) {
    assert_eq!(actual.len(), expected.len());
    for (node, (actual, expected)) in actual.iter().zip(expected).enumerate() {
        let difference = (actual - expected).abs();
        assert!(difference < 1e-9, "{name}, node {node}: {actual} instead of {expected}");
    }
}

#[test]
fn version_is_that_of_the_fixture() {
    assert_eq!(fixture().networkx_version, NETWORKX_VERSION);
    assert!(COMPUTED_WITH.ends_with(&format!("compared with NetworkX {NETWORKX_VERSION}")));
    assert_eq!(networks().len(), 3);
}

#[test]
fn page_rank_is_that_of_networkx() {
    for (expected, network) in networks() {
        assert_equal(&expected.name, &page_rank(&network), &expected.page_rank);
    }
}

#[test]
fn betweenness_is_that_of_networkx() {
    for (expected, network) in networks() {
        assert_equal(&expected.name, &betweenness(&network), &expected.betweenness);
    }
}

#[test]
fn modularity_is_that_of_networkx() {
    for (expected, network) in networks() {
        let actual = modularity(&network, &expected.communities).expect("a division");
        assert_equal(&expected.name, &[actual], &[expected.modularity]);
    }
}

#[test]
fn communities_of_cliques_are_those_of_networkx() {
    let (expected, network) = networks().swap_remove(0);
    for seed in 0..10 {
        let mut found = communities(&network, seed);
        found.sort();
        assert_eq!(found, expected.communities, "seed {seed}");
    }
}

/// Where the best division is not obvious, another order of visits leads to another one of about the same quality.
#[test]
fn communities_are_as_good_as_those_of_networkx() {
    for (expected, network) in networks() {
        for seed in 0..10 {
            let found = communities(&network, seed);
            let quality = modularity(&network, &found).expect("each node is in one community");
            let needed = expected.modularity - 0.02;
            assert!(quality > needed, "{}, seed {seed}: {quality}", expected.name);
            assert_eq!(found, communities(&network, seed), "the same seed");
        }
    }
}

#[test]
fn small_networks_have_finite_measures() {
    for nodes in 0..3 {
        let network = Network::new(nodes, []);
        assert_eq!(page_rank(&network).len(), nodes);
        assert!(page_rank(&network).iter().all(|it| it.is_finite()));
        assert!(betweenness(&network).iter().all(|it| *it == 0.0));
    }
}

#[test]
fn impossible_edges_are_left_out_and_repeated_ones_added_up() {
    let edges = [(0, 5, 1.0), (0, 1, f64::NAN), (0, 1, -1.0), (0, 1, 1.0), (0, 1, 2.0)];
    let network = Network::new(2, edges);
    assert_eq!(network.edges(), 1);
    assert_eq!(network, Network::new(2, [(0, 1, 3.0)]));
}

#[test]
fn position_of_a_node_contains_its_rank_and_community() {
    // A star around node 0, and a pair.
    let edges = [(1, 0), (2, 0), (3, 0), (4, 5)].map(|(from, to)| (from, to, 1.0));
    let measures = Measures::of(&Network::new(6, edges), 1);
    let centre = measures.position(0).expect("a node");
    assert_eq!((centre.rank, centre.community, centre.community_size), (1, 0, 4));
    // 3 of the 10 pairs of other nodes.
    assert!((centre.betweenness - 0.3).abs() < 1e-12);
    let ranks: Vec<_> = (1..6).map(|it| measures.position(it).expect("a node").rank).collect();
    assert_eq!(ranks, [3, 3, 3, 3, 2]);
    assert_eq!(measures.position(6), None);
}
