//! A company and what is around it, to be drawn.

use std::{collections::HashSet, fmt, sync::Arc};

use axum::{Json, extract::State, response::IntoResponse};
use domain::{
    Amount, Canton, Company, History, Provenance, Status, Uid,
    graph::{Graph, Link, LinkKind, Node, NodeKind, OFFICERS, Surroundings},
    persons::{Officer, Role},
    text,
};
use generations::Generation;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use http_service::{
    CompanyPath, Description, NoParameters, Path, Query, Routes, handler,
    known_company_with_history, reads,
};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use text_index::persons::Persons;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::relationships::{mergers, relatives_of};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(10), handler!(company_graph)).route(reads(10), handler!(export_graph))
}

/// A company and what is around it.
#[derive(Serialize, ToSchema)]
struct CompanyGraph {
    /// The company, its officers, then companies; at most 250, of which at most 100 are officers.
    nodes: Vec<GraphNode>,
    links: Vec<GraphLink>,
    /// Whether there is more than is shown.
    truncated: bool,
}

/// A company or a person.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GraphNode {
    /// The company's number, or the person's id.
    id: String,
    name: String,
    /// Empty for a person.
    uid: String,
    #[serde(rename = "type")]
    kind: NodeKind,
    /// The same as `type`.
    node_type: NodeKind,
    /// The nominal capital, in whole units of `currency`.
    capital: Option<Amount>,
    /// ISO 4217.
    currency: Option<String>,
    canton: Option<Canton>,
    status: Option<Status>,
    /// Of a person in the company that was asked for.
    role: Option<String>,
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

/// What joins two nodes.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GraphLink {
    /// The id of a node.
    source: String,
    /// The id of a node.
    target: String,
    #[serde(rename = "type")]
    kind: LinkKind,
    /// The same as `type`.
    link_type: LinkKind,
    /// The role, or the kind in words.
    label: String,
    /// What states it: of an officer the publication, else that of a merger or the record.
    provenance: Option<Provenance>,
    /// Of an officer: how sure it is who that is, 0 to 1.
    confidence: Option<f64>,
}

impl From<Link> for GraphLink {
    fn from(Link { source, target, kind, label, provenance, confidence }: Link) -> Self {
        Self { source, target, kind, link_type: kind, label, provenance, confidence }
    }
}

/// Graph of a company
///
/// The company, who has a role in it today, the companies that these people run too, and those that
/// the register and GLEIF link to it. An `overlap` is joined to the company by more than one person or
/// link. Firms that hold an office are shown, and not followed further. Every link names what states it.
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
    /// The format of the file; `graphml` where none is named.
    #[serde(default)]
    #[param(inline, value_type = GraphFormat, required = false, example = "graphml")]
    format: GraphFormat,
}

/// A format that graphs are written in.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(rename_all = "lowercase")]
enum GraphFormat {
    #[default]
    Graphml,
}

impl TryFrom<String> for GraphFormat {
    type Error = UnknownFormat;

    fn try_from(given: String) -> Result<Self, UnknownFormat> {
        if text::fold(&given) == "graphml" { Ok(Self::Graphml) } else { Err(UnknownFormat(given)) }
    }
}

struct UnknownFormat(String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a format of graphs; the nearest is `graphml`", self.0)
    }
}

/// Graph of a company, as a file
///
/// The same graph as GraphML, which Gephi, yEd and other programs read.
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
    let (company, history) = known_company_with_history(&state.registry, uid).await?;
    let generation = state.generations.serving().await?;
    let (relatives, mut records) = relatives_of(state, &generation, &company).await?;
    let mergers = mergers(&generation, &history, &relatives).await?;
    let kin: Vec<Uid> = relatives.iter().filter_map(|it| it.uid).collect();
    let officers = officers(generation.persons().await?, &company, &history)?;
    let chosen = Surroundings::choose(uid, officers, &kin);
    let known: HashSet<Uid> = records.iter().map(|it| it.uid).collect();
    let others = chosen.companies.iter().filter(|it| !known.contains(it));
    records.extend(state.registry.companies(&others.copied().collect::<Vec<_>>()).await?);
    Ok((chosen.draw(&company, records, &mergers), generation))
}

/// Who has a role in the company today, the board first, with its other roles; one more than are drawn.
fn officers(
    persons: &Persons,
    company: &Company,
    history: &History,
) -> Result<Vec<Officer>, Problem> {
    let mut officers: Vec<Officer> = Vec::new();
    for mandate in history.board() {
        let known = persons.person(mandate.person_id)?;
        // Of several ids of one human, the one that the person goes by.
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
        if officers.len() > OFFICERS {
            break;
        }
    }
    Ok(officers)
}
