//! The network graph of a company.

use std::{collections::HashSet, sync::Arc};

use axum::{Json, extract::State, response::IntoResponse};
use company_reader::known_company_with;
use domain::{
    Amount, Canton, Company, History, Provenance, Status, Uid,
    choice::{Choice, UnknownValue},
    graph::{Graph, GraphSelection, Link, LinkKind, MAX_OFFICERS, Node, NodeKind},
    persons::{Officer, Role},
};
use generations::{Generation, Unavailable};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use http_service::{CompanyPath, Description, NoParameters, Path, Query, Routes, handler, reads};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use store::Wanted;
use text_index::persons::Persons;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::relationships::{Relatives, mergers, relatives_of};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(10).translated(), handler!(company_graph))
        .route(reads(10), handler!(export_graph))
}

/// A company with its people and related companies as a graph.
#[derive(Serialize, ToSchema)]
struct CompanyGraph {
    /// The company, then its officers, then other companies. At most 250 nodes, of which at most 100 are officers.
    nodes: Vec<GraphNode>,
    /// Links between the nodes.
    links: Vec<GraphLink>,
    /// Whether nodes were left out because of the limits.
    truncated: bool,
}

/// A node of the graph: a company or a person.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GraphNode {
    /// Company number, or id of a person.
    id: String,
    /// Name of the company or person.
    name: String,
    /// Company number. Empty, not absent, for a person and for a firm that is not in the register.
    uid: String,
    /// Type of the node.
    #[serde(rename = "type")]
    kind: NodeKind,
    /// Same value as `type`.
    node_type: NodeKind,
    /// Nominal capital in units of `currency`. Absent for persons or if unknown.
    capital: Option<Amount>,
    /// Currency of the capital (ISO 4217). Absent for persons or if unknown.
    currency: Option<String>,
    /// Canton of the seat. Absent for persons or if unknown.
    canton: Option<Canton>,
    /// Status of the company. Absent for persons or if unknown.
    status: Option<Status>,
    /// Role of a person in the requested company. Absent for companies.
    role: Option<String>,
    /// Id of a person. Absent for companies.
    person_id: Option<Uuid>,
}

impl From<Node> for GraphNode {
    fn from(node: Node) -> Self {
        Self {
            id: node.id,
            name: node.name,
            uid: node.uid.map(|it| it.to_string()).unwrap_or_default(),
            kind: node.kind,
            node_type: node.kind,
            capital: node.capital,
            currency: node.currency,
            canton: node.canton,
            status: node.status,
            role: node.role,
            person_id: node.person_id,
        }
    }
}

/// A link between two nodes.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GraphLink {
    /// Id of the first node.
    source: String,
    /// Id of the second node.
    target: String,
    /// Type of the link.
    #[serde(rename = "type")]
    kind: LinkKind,
    /// Same value as `type`.
    link_type: LinkKind,
    /// Role of the person, or name of the link type.
    label: String,
    /// Source of the link. Absent if unknown.
    provenance: Option<Provenance>,
    /// Confidence that the role belongs to this person, 0 to 1. Absent for links between companies.
    confidence: Option<f64>,
    /// Share of the nominal capital that the holder has, in percent. Only for `quota_holder`; absent if unknown.
    percentage: Option<f64>,
}

impl From<Link> for GraphLink {
    fn from(link: Link) -> Self {
        let Link { source, target, kind, label, provenance, confidence, percentage } = link;
        Self { source, target, kind, link_type: kind, label, provenance, confidence, percentage }
    }
}

/// Get a company's graph
///
/// The company, its current officers, other companies in which these people have a role, and companies that the
/// register or GLEIF links to it. A node of the type `overlap` is connected to the company by more than one person or
/// link. Firms that are officers are nodes, but their other companies are left out. `provenance` is the source of a link,
/// if it is known.
#[utoipa::path(
    get,
    path = "/v1/graph/{uid}",
    tag = "Graph",
    params(CompanyPath),
    responses((status = OK, body = CompanyGraph)),
)]
async fn company_graph(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let (graph, generation) = graph(&state, uid).await?;
    let graph = CompanyGraph {
        nodes: graph.nodes.into_iter().map(Into::into).collect(),
        links: graph.links.into_iter().map(Into::into).collect(),
        truncated: graph.truncated,
    };
    Ok((generation.header(), Json(graph)))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ExportQuery {
    /// File format.
    #[serde(default)]
    #[param(inline, value_type = GraphFormat, required = false, example = "graphml")]
    format: GraphFormat,
}

/// A file format for graphs.
#[derive(Clone, Copy, Default, PartialEq, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(rename_all = "lowercase")]
enum GraphFormat {
    #[default]
    Graphml,
}

impl TryFrom<String> for GraphFormat {
    type Error = UnknownValue;

    fn try_from(given: String) -> Result<Self, UnknownValue> {
        Choice::of("a file format for graphs").read(&given, [("graphml", Self::Graphml)])
    }
}

/// Export a company's graph
///
/// The graph of a company as a GraphML file, which programs such as Gephi and yEd can read.
#[utoipa::path(
    get,
    path = "/v1/graph/{uid}/export",
    tag = "Graph",
    params(CompanyPath, ExportQuery),
    responses((status = OK, content((String = "application/graphml+xml")))),
)]
async fn export_graph(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(ExportQuery { format: GraphFormat::Graphml }): Query<ExportQuery>,
) -> Result<impl IntoResponse, Problem> {
    let (graph, generation) = graph(&state, uid).await?;
    let file = [
        (CONTENT_TYPE, "application/graphml+xml".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{uid}.graphml\"")),
    ];
    Ok((generation.header(), file, graph.graphml()?))
}

async fn graph(state: &crate::State, uid: Uid) -> Result<(Graph, Arc<Generation>), Problem> {
    let wanted = Wanted { board: MAX_BOARD, mergers: true, ..Wanted::default() };
    let (company, history) = known_company_with(&state.registry, uid, wanted).await?;
    let generation = state.generations.serving().await?;
    let Relatives { relations, mut records, truncated } =
        relatives_of(state, &generation, &company).await?;
    let mergers = mergers(&state.registry, &generation, &history, &relations).await?;
    let related: Vec<Uid> = relations.iter().filter_map(|it| it.uid).collect();
    let officers = officers(generation.persons().await?, &company, &history).await?;
    let surroundings = GraphSelection::new(uid, officers, &related);
    let known: HashSet<Uid> = records.iter().map(|it| it.uid).collect();
    let others = surroundings.companies.iter().filter(|it| !known.contains(it));
    records.extend(state.registry.companies(&others.copied().collect::<Vec<_>>()).await?);
    let mut graph = surroundings.build(&company, records, &mergers);
    graph.truncated |= truncated;
    Ok((graph, generation))
}

/// Number of current mandates that are read. A person can have several.
const MAX_BOARD: usize = 4 * MAX_OFFICERS;

/// The current officers of the company with their other roles, the board first. Returns one officer more than the
/// graph can contain, so that `truncated` can be set.
async fn officers(
    persons: &Persons,
    company: &Company,
    history: &History,
) -> Result<Vec<Officer>, Problem> {
    let ids: Vec<Uuid> = history.board().iter().map(|it| it.person_id).collect();
    let known = persons.persons(&ids).await.map_err(Unavailable::from)?;
    let mut officers: Vec<Officer> = Vec::new();
    for mandate in history.board() {
        let known = known.get(&mandate.person_id).cloned();
        // A person can have several ids; use the main one.
        let id = known.as_ref().map_or(mandate.person_id, |it| it.id);
        if officers.iter().any(|it| it.id == id) {
            continue;
        }
        let mut roles = vec![Role::new(company, mandate.clone())];
        roles.extend(known.into_iter().flat_map(|it| it.into_officer().roles));
        officers.push(Officer {
            id,
            name: mandate.person.full_name(),
            is_entity: mandate.person.is_entity(),
            uid: mandate.person.uid,
            roles,
        });
        if officers.len() > MAX_OFFICERS {
            break;
        }
    }
    Ok(officers)
}
