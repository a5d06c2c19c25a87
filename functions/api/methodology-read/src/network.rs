//! Connections between several companies.

mod analysis;
mod read;
mod separation;

use std::collections::HashSet;

use axum::{extract::State, response::IntoResponse};
use domain::{
    Amount, Canton, GivenUid, Provenance, Status, Uid,
    choice::{Choice, UnknownValue},
};
use http_service::{Description, Json, NoParameters, Query, Routes, handler, reads};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use self::{
    analysis::{Analysis, Bridge, Cluster, Connector, Edge, Network, Node, NodeKind, SameName},
    read::read,
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(15).changes_nothing().translated(), handler!(analyze_network))
}

/// Maximum number of companies in a request.
const MAX_COMPANIES: usize = 50;
/// Maximum number of nodes in an answer.
const MAX_NODES: usize = 1_000;

/// The companies of a request: 1 to 50, without duplicates.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Vec<Uid>")]
struct NetworkCompanies(Vec<Uid>);

impl TryFrom<Vec<Uid>> for NetworkCompanies {
    type Error = String;

    fn try_from(uids: Vec<Uid>) -> Result<Self, String> {
        if !(1..=MAX_COMPANIES).contains(&uids.len()) {
            return Err(format!(
                "must be 1 to {MAX_COMPANIES} company numbers; got {}",
                uids.len()
            ));
        }
        let mut seen = HashSet::new();
        match uids.iter().find(|it| !seen.insert(**it)) {
            Some(uid) => Err(format!(
                "must contain each company number only once; got `{uid}` more than once"
            )),
            None => Ok(Self(uids)),
        }
    }
}

/// What connects companies: `persons` (current officers, signatories and partners), `board-members` (current members of the
/// board), `ownership` (direct and indirect owners), `addresses` (equal addresses).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = NetworkOverlay)]
#[serde(try_from = "String")]
enum Overlay {
    /// Current officers, signatories and partners.
    #[default]
    #[schema(rename = "persons")]
    Persons,
    /// Current members of the board.
    #[schema(rename = "board-members")]
    BoardMembers,
    /// Direct and indirect owners.
    #[schema(rename = "ownership")]
    Ownership,
    /// Equal addresses.
    #[schema(rename = "addresses")]
    Addresses,
}

impl Overlay {
    const ALL: [(&str, Self); 4] = [
        ("persons", Self::Persons),
        ("board-members", Self::BoardMembers),
        ("ownership", Self::Ownership),
        ("addresses", Self::Addresses),
    ];
}

impl TryFrom<String> for Overlay {
    type Error = UnknownValue;

    fn try_from(given: String) -> Result<Self, UnknownValue> {
        Choice::of("an overlay such as `persons`").read(&given, Self::ALL)
    }
}

/// The companies to analyse, and what may connect them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NetworkRequest {
    /// One to fifty different company numbers.
    #[schema(value_type = std::collections::BTreeSet<GivenUid>, min_items = 1, max_items = 50, example = json!(["CHE-101.049.653", "CHE-101.329.561"]))]
    uids: NetworkCompanies,
    /// What may connect the companies. Default: `persons`.
    #[serde(default)]
    #[schema(value_type = Option<Overlay>, example = "persons")]
    overlay: Overlay,
}

/// Connections between companies.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NetworkAnalysis {
    /// The requested companies, then what connects most of them. At most 1,000.
    nodes: Vec<NetworkNode>,
    /// Links between the nodes.
    links: Vec<NetworkLink>,
    /// Groups of requested companies that are connected, the largest first. A company without a connection is in none.
    clusters: Vec<NetworkCluster>,
    /// Nodes without which requested companies of a group would not be connected, those that separate most first.
    bridges: Vec<NetworkBridge>,
    /// Persons with the same name who are not known to be the same person. They connect nothing.
    same_names: Vec<NetworkSameName>,
    /// Whether something was left out because of the limits.
    truncated: bool,
}

/// A node: a company, a person, another legal entity, or an address.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NetworkNode {
    /// Company number, id of a person or entity, or the normalised address.
    id: String,
    /// Name, or address.
    name: String,
    /// Company number. Empty, not absent, if there is none.
    uid: String,
    /// Type of the node.
    #[serde(rename = "type")]
    kind: NodeKind,
    /// Same value as `type`.
    node_type: NodeKind,
    /// Nominal capital in units of `currency`. Absent if unknown.
    capital: Option<Amount>,
    /// Currency of the capital (ISO 4217). Absent if unknown.
    currency: Option<String>,
    /// Canton of the seat. Absent if unknown.
    canton: Option<Canton>,
    /// Status of the company. Absent if unknown.
    status: Option<Status>,
    /// Role of the person in the first requested company in which the person has one. For the other companies, see `label`
    /// of the link. Absent for other nodes, and for owners.
    role: Option<String>,
    /// Id of a person. Absent for others.
    person_id: Option<Uuid>,
    /// Number of requested companies to which it has a link.
    company_count: usize,
    /// Lowest confidence that links of this person or owner belong to one identity, 0 to 1. Absent without such links.
    identity_confidence: Option<f64>,
}

/// A link between two nodes.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NetworkLink {
    /// Id of the first node: a person, an owner or an address.
    source: String,
    /// Id of the second node: a company.
    target: String,
    /// Type of the link: `board_member` (officer, signatory or partner), `address`, or a kind of ownership as in
    /// `GET /v1/companies/{uid}/ubo`.
    #[serde(rename = "type")]
    #[schema(example = "board_member")]
    kind: &'static str,
    /// Same value as `type`.
    #[schema(example = "board_member")]
    link_type: &'static str,
    /// Role of the person, or type of the link.
    label: String,
    /// Confidence that the link belongs to this identity, 0 to 1.
    confidence: f64,
    /// Share in percent. Absent if it is unknown or the link is no share.
    percentage: Option<f64>,
    /// Source of the link. Absent if unknown.
    provenance: Option<Provenance>,
}

/// Requested companies that are connected.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NetworkCluster {
    /// Number of the cluster, from 0.
    id: u32,
    /// Company numbers.
    company_uids: Vec<Uid>,
    /// Names of the persons with links to two or more of these companies.
    shared_persons: Vec<String>,
    /// Everything with links to two or more of these companies: those with most first.
    connectors: Vec<NetworkConnector>,
    /// The companies are connected by links of at least this confidence, 0 to 1.
    confidence: f64,
}

/// Something that has links to two or more companies.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NetworkConnector {
    /// Id of the node.
    id: String,
    /// Name of the node.
    name: String,
    /// Type of the node.
    #[serde(rename = "type")]
    kind: NodeKind,
    /// The requested companies to which it has links.
    company_uids: Vec<Uid>,
    /// Lowest confidence of these links, 0 to 1.
    identity_confidence: f64,
}

/// A node without which companies would not be connected.
#[derive(Serialize, ToSchema)]
struct NetworkBridge {
    /// Id of the node.
    id: String,
    /// Name of the node.
    name: String,
    /// Type of the node.
    #[serde(rename = "type")]
    kind: NodeKind,
    /// Groups into which the requested companies would fall without this node. Companies of one group stay connected.
    separates: Vec<Vec<Uid>>,
}

/// Persons with one name.
#[derive(Serialize, ToSchema)]
struct NetworkSameName {
    /// The name.
    name: String,
    /// The persons, with their companies.
    persons: Vec<NetworkNamesake>,
}

/// A person and its companies.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NetworkNamesake {
    /// Id of the person.
    id: String,
    /// The requested companies to which the person has links.
    company_uids: Vec<Uid>,
}

impl NetworkAnalysis {
    fn of(network: &Network) -> Self {
        let Analysis { order, clusters, bridges, same_names } = network.analyze();
        let shown: HashSet<&str> = order.iter().take(MAX_NODES).map(|it| it.id.as_str()).collect();
        let is_shown =
            |it: &&Edge| shown.contains(it.source.as_str()) && shown.contains(it.target.as_str());
        let nodes = order.iter().take(MAX_NODES).map(|it| NetworkNode::of(it, network)).collect();
        let clusters = clusters.into_iter().zip(0..);
        Self {
            nodes,
            links: network.edges.iter().filter(is_shown).map(Into::into).collect(),
            clusters: clusters.map(|(it, id)| NetworkCluster::of(it, id)).collect(),
            bridges: bridges.into_iter().map(Into::into).collect(),
            same_names: same_names.into_iter().map(Into::into).collect(),
            truncated: network.truncated || order.len() > MAX_NODES,
        }
    }
}

impl NetworkNode {
    fn of(node: &Node, network: &Network) -> Self {
        let company = node.company.as_ref();
        Self {
            id: node.id.clone(),
            name: node.name.clone(),
            uid: node.uid.map(|it| it.to_string()).unwrap_or_default(),
            kind: node.kind,
            node_type: node.kind,
            capital: company.and_then(|it| it.share_capital),
            currency: company.and_then(|it| it.currency.clone()),
            canton: company.and_then(|it| it.canton),
            status: company.and_then(|it| it.status),
            role: node.role.clone(),
            person_id: node.person,
            company_count: network.companies_of(&node.id).len(),
            identity_confidence: network.confidence_of(&node.id),
        }
    }
}

impl From<&Edge> for NetworkLink {
    fn from(it: &Edge) -> Self {
        let Edge { source, target, kind, label, confidence, percentage, provenance } = it.clone();
        Self { source, target, kind, link_type: kind, label, confidence, percentage, provenance }
    }
}

impl NetworkCluster {
    fn of(cluster: Cluster, id: u32) -> Self {
        let Cluster { companies, connectors, confidence } = cluster;
        let persons = connectors.iter().filter(|it| it.kind == NodeKind::Person);
        Self {
            id,
            company_uids: companies,
            shared_persons: persons.map(|it| it.name.clone()).collect(),
            connectors: connectors.into_iter().map(Into::into).collect(),
            confidence,
        }
    }
}

impl From<Connector> for NetworkConnector {
    fn from(it: Connector) -> Self {
        let Connector { id, name, kind, companies, confidence } = it;
        Self { id, name, kind, company_uids: companies, identity_confidence: confidence }
    }
}

impl From<Bridge> for NetworkBridge {
    fn from(it: Bridge) -> Self {
        let Bridge { id, name, kind, separates } = it;
        Self { id, name, kind, separates }
    }
}

impl From<SameName> for NetworkSameName {
    fn from(it: SameName) -> Self {
        let person = |(id, company_uids): (String, Vec<Uid>)| NetworkNamesake { id, company_uids };
        Self { name: it.name, persons: it.persons.into_iter().map(person).collect() }
    }
}

/// Analyse connections between companies
///
/// Returns how up to fifty companies are connected through one kind of connection, chosen with `overlay`: persons,
/// board members, owners or equal addresses. The response has nodes, links, clusters with what their companies share,
/// and bridges: nodes without which companies would not be connected. People have no number in the register:
/// `identityConfidence` is the confidence that the links belong to one person. Persons who have the same name but may
/// be different people are listed in `sameNames`; they do not connect companies. With the overlays `persons` and
/// `board-members`, a firm that is an officer of two companies does not connect them. An equal address is not evidence
/// of a connection: many companies can share one.
#[utoipa::path(
    post,
    path = "/v1/network/analyze",
    tag = "Graph",
    request_body = NetworkRequest,
    responses((status = OK, body = NetworkAnalysis), (status = NOT_FOUND)),
)]
async fn analyze_network(
    State(state): State<crate::State>,
    Query(NoParameters {}): Query<NoParameters>,
    Json(NetworkRequest { uids: NetworkCompanies(uids), overlay }): Json<NetworkRequest>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let network = read(&state, &generation, &uids, overlay).await?;
    Ok((generation.header(), axum::Json(NetworkAnalysis::of(&network))))
}
