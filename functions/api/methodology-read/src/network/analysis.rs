//! Clusters, bridges and confidence of a network of companies. No I/O.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::{Company, Provenance, Uid, text};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::separation::Walk;

/// Type of a node: `root` (a requested company), `company` (another company), `person`, `entity` (a legal entity without a
/// number, or a holder that is not identified), or `address`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(as = NetworkNodeType)]
#[serde(rename_all = "snake_case")]
pub(super) enum NodeKind {
    /// Requested company.
    Root,
    /// Another company.
    Company,
    /// Person.
    Person,
    /// Another legal entity, or a holder that is not identified.
    Entity,
    /// Address.
    Address,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) uid: Option<Uid>,
    pub(super) person: Option<Uuid>,
    pub(super) kind: NodeKind,
    /// Role of a person in the first of its companies.
    pub(super) role: Option<String>,
    pub(super) company: Option<Box<Company>>,
}

#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) source: String,
    pub(super) target: String,
    pub(super) kind: &'static str,
    pub(super) label: String,
    pub(super) confidence: f64,
    pub(super) percentage: Option<f64>,
    pub(super) provenance: Option<Provenance>,
}

/// Requested companies and what is linked to them.
#[derive(Debug, Default)]
pub(super) struct Network {
    pub(super) nodes: BTreeMap<String, Node>,
    pub(super) edges: Vec<Edge>,
    pub(super) truncated: bool,
    /// For each node, what [`Network::index`] found.
    links: HashMap<String, Links>,
}

/// The links of a node.
#[derive(Debug, Default)]
struct Links {
    /// Requested companies at the other end.
    companies: BTreeSet<Uid>,
    /// Lowest confidence of the links that start here.
    lowest: Option<f64>,
}

#[derive(Debug)]
pub(super) struct Analysis<'a> {
    /// All nodes: requested companies, then those with links to most of them.
    pub(super) order: Vec<&'a Node>,
    pub(super) clusters: Vec<Cluster>,
    pub(super) bridges: Vec<Bridge>,
    pub(super) same_names: Vec<SameName>,
}

#[derive(Debug)]
pub(super) struct Cluster {
    pub(super) companies: Vec<Uid>,
    pub(super) connectors: Vec<Connector>,
    pub(super) confidence: f64,
}

#[derive(Debug)]
pub(super) struct Connector {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) kind: NodeKind,
    pub(super) companies: Vec<Uid>,
    pub(super) confidence: f64,
}

#[derive(Debug)]
pub(super) struct Bridge {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) kind: NodeKind,
    pub(super) separates: Vec<Vec<Uid>>,
}

#[derive(Debug)]
pub(super) struct SameName {
    pub(super) name: String,
    pub(super) persons: Vec<(String, Vec<Uid>)>,
}

impl Network {
    /// Must be called when all nodes and edges are added.
    pub(super) fn index(&mut self) {
        let mut links: HashMap<String, Links> = HashMap::new();
        for edge in &self.edges {
            let (source, target) = (self.requested(&edge.source), self.requested(&edge.target));
            let of_source = links.entry(edge.source.clone()).or_default();
            of_source.companies.extend(target);
            of_source.lowest = Some(edge.confidence.min(of_source.lowest.unwrap_or(1.0)));
            links.entry(edge.target.clone()).or_default().companies.extend(source);
        }
        self.links = links;
    }

    /// The requested companies to which a node has a link.
    pub(super) fn companies_of(&self, id: &str) -> BTreeSet<Uid> {
        self.links.get(id).map(|it| it.companies.clone()).unwrap_or_default()
    }

    /// The lowest confidence of the links of a person, an entity or another company.
    pub(super) fn confidence_of(&self, id: &str) -> Option<f64> {
        let is_identity = |it: &Node| !matches!(it.kind, NodeKind::Root | NodeKind::Address);
        self.nodes.get(id).filter(|it| is_identity(it))?;
        self.links.get(id)?.lowest
    }

    /// The number of a requested company.
    fn requested(&self, id: &str) -> Option<Uid> {
        self.nodes.get(id).filter(|it| it.kind == NodeKind::Root)?.uid
    }

    pub(super) fn analyze(&self) -> Analysis<'_> {
        let mut order: Vec<&Node> = self.nodes.values().collect();
        let counts: HashMap<&str, usize> =
            order.iter().map(|it| (it.id.as_str(), self.companies_of(&it.id).len())).collect();
        order.sort_by_key(|it| {
            (it.kind != NodeKind::Root, std::cmp::Reverse(counts[it.id.as_str()]))
        });
        let clusters = self.clusters();
        Analysis { bridges: self.bridges(), same_names: self.same_names(), order, clusters }
    }

    /// The requested companies by group. Only links of at least this confidence count.
    fn groups(&self, confidence: f64) -> Vec<BTreeSet<Uid>> {
        let numbers: HashMap<&str, usize> =
            self.nodes.keys().enumerate().map(|(at, id)| (id.as_str(), at)).collect();
        let mut sets = Sets::new(numbers.len());
        for edge in self.edges.iter().filter(|it| it.confidence >= confidence) {
            let ends = [edge.source.as_str(), edge.target.as_str()];
            if let (Some(one), Some(other)) = (numbers.get(ends[0]), numbers.get(ends[1])) {
                sets.join(*one, *other);
            }
        }
        let mut groups: BTreeMap<usize, BTreeSet<Uid>> = BTreeMap::new();
        for (id, at) in &numbers {
            if let Some(uid) = self.requested(id) {
                groups.entry(sets.find(*at)).or_default().insert(uid);
            }
        }
        let mut groups: Vec<BTreeSet<Uid>> = groups.into_values().collect();
        groups.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        groups
    }

    fn clusters(&self) -> Vec<Cluster> {
        let connected = self.groups(0.0).into_iter().filter(|it| it.len() > 1);
        let cluster = |companies: BTreeSet<Uid>| Cluster {
            connectors: self.connectors(&companies),
            confidence: self.confidence(&companies),
            companies: companies.into_iter().collect(),
        };
        connected.map(cluster).collect()
    }

    /// The highest confidence at which these companies are still connected.
    fn confidence(&self, companies: &BTreeSet<Uid>) -> f64 {
        let mut levels: Vec<f64> = self.edges.iter().map(|it| it.confidence).collect();
        levels.sort_by(|one, other| other.total_cmp(one));
        levels.dedup();
        let holds = |level: &f64| self.groups(*level).iter().any(|it| companies.is_subset(it));
        levels.into_iter().find(holds).unwrap_or_default()
    }

    fn connectors(&self, companies: &BTreeSet<Uid>) -> Vec<Connector> {
        let candidates = self.nodes.values().filter(|it| it.kind != NodeKind::Root);
        let connector = |it: &Node| {
            let linked: BTreeSet<Uid> =
                self.companies_of(&it.id).intersection(companies).copied().collect();
            let lowest = self.links.get(&it.id).and_then(|it| it.lowest);
            (linked.len() > 1).then(|| Connector {
                id: it.id.clone(),
                name: it.name.clone(),
                kind: it.kind,
                companies: linked.into_iter().collect(),
                confidence: lowest.unwrap_or_default(),
            })
        };
        let mut connectors: Vec<Connector> = candidates.filter_map(connector).collect();
        connectors.sort_by_key(|it| std::cmp::Reverse(it.companies.len()));
        connectors
    }

    /// The nodes without which requested companies are not connected, those that separate most groups first.
    fn bridges(&self) -> Vec<Bridge> {
        let nodes: Vec<&Node> = self.nodes.values().collect();
        let numbers: HashMap<&str, usize> =
            nodes.iter().enumerate().map(|(at, it)| (it.id.as_str(), at)).collect();
        let number = |id: &String| numbers.get(id.as_str()).copied();
        let edges = self.edges.iter();
        let edges = edges.filter_map(|it| Some((number(&it.source)?, number(&it.target)?)));
        let walk = Walk::of(nodes.len(), edges);
        let company = |node: usize| self.requested(&nodes[node].id);
        let bridge = |(node, parts): (usize, Vec<Vec<usize>>)| {
            let companies = parts
                .into_iter()
                .map(|it| it.into_iter().filter_map(company).collect::<BTreeSet<Uid>>());
            let mut separates: Vec<BTreeSet<Uid>> = companies.filter(|it| !it.is_empty()).collect();
            separates
                .sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
            let Node { id, name, kind, .. } = nodes[node];
            (separates.len() > 1).then(|| Bridge {
                id: id.clone(),
                name: name.clone(),
                kind: *kind,
                separates: separates.into_iter().map(|it| it.into_iter().collect()).collect(),
            })
        };
        let mut bridges: Vec<Bridge> = walk.separations().into_iter().filter_map(bridge).collect();
        bridges.sort_by(|one, other| {
            let key = |it: &Bridge| std::cmp::Reverse(it.separates.len());
            key(one).cmp(&key(other)).then_with(|| one.id.cmp(&other.id))
        });
        bridges
    }

    /// Persons with the same name and different ids, in different companies.
    fn same_names(&self) -> Vec<SameName> {
        let mut by_name: BTreeMap<String, Vec<&Node>> = BTreeMap::new();
        for node in self.nodes.values().filter(|it| it.kind == NodeKind::Person) {
            by_name.entry(text::fold(&node.name)).or_default().push(node);
        }
        let several = by_name.into_values().filter(|it| it.len() > 1);
        let same = |nodes: Vec<&Node>| SameName {
            name: nodes[0].name.clone(),
            persons: nodes
                .into_iter()
                .map(|it| (it.id.clone(), self.companies_of(&it.id).into_iter().collect()))
                .collect(),
        };
        several.map(same).collect()
    }
}

/// Disjoint sets of numbers.
struct Sets(Vec<usize>);

impl Sets {
    fn new(size: usize) -> Self {
        Self((0..size).collect())
    }

    fn find(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        self.0[one.max(other)] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uid(number: u32) -> Uid {
        Uid::from_number(600_000_000 + number).expect("nine digits")
    }

    /// Companies by number, and persons with their companies and confidence.
    fn network(companies: u32, persons: &[(&str, &str, &[u32], f64)]) -> Network {
        let mut network = Network::default();
        let mut add = |id: String, name: &str, uid, kind| {
            let node = Node {
                id: id.clone(),
                name: name.into(),
                uid,
                person: None,
                kind,
                role: None,
                company: None,
            };
            network.nodes.insert(id, node);
        };
        for number in 1..=companies {
            add(uid(number).to_string(), "Muster AG", Some(uid(number)), NodeKind::Root);
        }
        for (id, name, ..) in persons {
            add((*id).to_owned(), name, None, NodeKind::Person);
        }
        for (id, _, companies, confidence) in persons {
            network.edges.extend(companies.iter().map(|it| Edge {
                source: (*id).to_owned(),
                target: uid(*it).to_string(),
                kind: "board_member",
                label: "Mitglied".into(),
                confidence: *confidence,
                percentage: None,
                provenance: None,
            }));
        }
        network.index();
        network
    }

    #[test]
    fn companies_that_share_a_person_are_a_cluster_and_others_are_in_none() {
        let network = network(3, &[("a", "Eva Muster", &[1, 2], 0.95), ("b", "Max", &[3], 0.95)]);
        let analysis = network.analyze();
        let [cluster] = analysis.clusters.as_slice() else { panic!("{analysis:?}") };
        assert_eq!((&cluster.companies, cluster.confidence), (&vec![uid(1), uid(2)], 0.95));
        assert_eq!(cluster.connectors[0].name, "Eva Muster");
        assert_eq!(analysis.order[3].id, "a", "connects more than the other person");
    }

    #[test]
    fn confidence_of_a_cluster_is_that_of_its_weakest_needed_link() {
        let one = network(3, &[("a", "A", &[1, 2], 0.95), ("b", "B", &[2, 3], 0.85)]);
        assert_eq!(one.analyze().clusters[0].confidence, 0.85);
        let two = [("a", "A", &[1, 2][..], 0.95), ("b", "B", &[1, 2][..], 0.5)];
        assert_eq!(network(2, &two).analyze().clusters[0].confidence, 0.95, "not needed");
    }

    #[test]
    fn bridge_is_a_node_without_which_companies_are_not_connected() {
        let chain = network(3, &[("a", "A", &[1, 2], 0.95), ("b", "B", &[2, 3], 0.95)]);
        let analysis = chain.analyze();
        let found: Vec<(&str, usize)> =
            analysis.bridges.iter().map(|it| (it.id.as_str(), it.separates.len())).collect();
        let middle = uid(2).to_string();
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found.contains(&("a", 2)) && found.contains(&("b", 2)));
        assert!(found.contains(&(middle.as_str(), 2)));
        let ring = [
            ("a", "A", &[1, 2][..], 0.9),
            ("b", "B", &[2, 3][..], 0.9),
            ("c", "C", &[3, 1][..], 0.9),
        ];
        assert!(network(3, &ring).analyze().bridges.is_empty());
    }

    #[test]
    fn bridge_separates_every_group_of_a_star_and_needs_no_link_to_a_requested_company() {
        let mut star =
            network(4, &[("a", "A", &[1], 0.9), ("b", "B", &[2, 3], 0.9), ("c", "C", &[4], 0.9)]);
        let node = Node { id: "x".into(), kind: NodeKind::Entity, ..star.nodes["a"].clone() };
        star.nodes.insert("x".into(), node);
        for person in ["a", "b", "c"] {
            let edge = Edge { source: "x".into(), target: person.into(), ..star.edges[0].clone() };
            star.edges.push(edge);
        }
        star.index();
        let analysis = star.analyze();
        let [first, ..] = analysis.bridges.as_slice() else { panic!("{analysis:?}") };
        assert_eq!((first.id.as_str(), first.kind), ("b", NodeKind::Person), "{analysis:?}");
        assert_eq!(first.separates, [vec![uid(1), uid(4)], vec![uid(2)], vec![uid(3)]]);
        let entity = analysis.bridges.iter().find(|it| it.id == "x").expect("a bridge");
        assert_eq!(entity.separates, [vec![uid(2), uid(3)], vec![uid(1)], vec![uid(4)]]);
    }

    #[test]
    fn same_name_connects_nothing_but_is_listed() {
        let network = network(2, &[("a", "Eva Muster", &[1], 0.5), ("b", "EVA MUSTER", &[2], 0.5)]);
        let analysis = network.analyze();
        assert!(analysis.clusters.is_empty());
        assert_eq!(analysis.same_names[0].persons.len(), 2);
    }
}
