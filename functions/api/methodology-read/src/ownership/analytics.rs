//! How hard it is to see who owns a company, and its position in the network of its owners.

use std::collections::{BTreeMap, BTreeSet};

use ::ownership::{
    Link, Party, Percent,
    analytics::{
        COMPUTED_WITH, Contributor, DAMPING, Measures, Network, Opacity, OpacityLevel,
        ShellCompany, opacity, percentile, shell_company,
    },
    flags::FlagKind,
};
use axum::{Json, extract::State, response::IntoResponse};
use company_reader::owners::{Assessment, Reader, assess, coverage_note};
use domain::{
    Status, Uid,
    relationships::{CompanyRelation, Relation, relations_of},
};
use http_service::{CompanyPath, Path, Query};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::{
    answer::{chain, depth},
    parameters::OwnershipQuery,
    peers::scores_of_peers,
};
use crate::citation::{BENEFICIAL_OWNERSHIP, Citation};

/// Maximum number of nodes of the network.
const MAX_NODES: usize = 500;

/// Maximum number of companies below the company that are part of the network.
const MAX_BELOW: usize = 100;

/// Start of the random order in which communities are searched. Fixed, so that the answer is always the same.
const SEED: u64 = 42;

/// How hard it is to see who owns a company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UboAnalytics {
    /// Company number.
    uid: Uid,
    /// Name of the company.
    company_name: String,
    /// Day of the state: `asOf`, or, of a company that is deleted and was not absorbed, the day before its deletion. Its owners are the
    /// last known ones, not present ones. Absent for the present state.
    as_of: Option<Date>,
    /// Date of the deletion of the company from the register. Absent if it is not deleted.
    deletion_date: Option<Date>,
    /// 0 (transparent) to 100. The weights are a judgement, not measured.
    opacity_score: u8,
    /// Level of the score: `transparent` (0 to 19), `normal` (20 to 39), `opaque` (40 to 64) or `highly_opaque` (from 65).
    opacity_level: OpacityLevel,
    /// Whether somebody controls the company through others and owns a smaller part of it than of the votes.
    pyramiding: bool,
    /// The pyramid, in English. Absent if there is none.
    pyramiding_rationale: Option<String>,
    /// What contributes to the score. The points add up to the score, or to more than 100.
    contributors: Vec<OpacityContributor>,
    /// Provisions about beneficial owners.
    citations: Vec<Citation>,
    /// Ids of the provisions in `citations`.
    obligation_refs: Vec<&'static str>,
    /// Percentage of the peers that have a lower score; peers with the same score count half. Peers are active companies of
    /// the same legal form whose capital is between half and twice that of the company (any capital if the company has
    /// none). At most 30 are used, taken from the beginning, middle and end of the list; peers with too many owners to read
    /// are left out. Absent with `asOf`, of a deleted company, and with fewer than five peers.
    peer_percentile: Option<u8>,
    /// Number of peers with which the score was compared.
    peer_sample_size: usize,
    /// Position of the company in the network of its owners, their officers and the companies directly below it.
    graph_analytics: GraphAnalytics,
    /// Whether owners were not followed: because of `maxDepth`, because a request reads at most 100 companies, and at most 400
    /// partners and officers of a company, or because what an entity abroad reported to GLEIF was not read completely.
    truncated: bool,
    /// What is missing and why, in English.
    data_coverage_note: String,
    /// Time of the assessment.
    assessed_at: Timestamp,
}

/// A contribution to the opacity score.
#[derive(Serialize, ToSchema)]
struct OpacityContributor {
    /// What it is about: `no_beneficial_owner` (no natural person is known who owns or controls the company), `unattributed` (part
    /// of the capital whose ultimate owners are unknown), `circular_ownership` (companies own each other), `contradictory_shares`
    /// (known shares contradict each other), `depth` (levels of owners above the first), `pyramid` (control through companies that
    /// are owned only partly), `foreign_owners` (owners abroad, whose owners are not in the Swiss register), `reporting_exception`
    /// (an entity reported to GLEIF why it names no parent), `domiciliary_address` (a company has a `c/o` address) or
    /// `mass_domicile_address` (many companies share an address).
    code: &'static str,
    /// What was found, in English.
    description: String,
    /// Points added to the score.
    points: u8,
}

/// A network and the position of the company in it. Links lead from owner to owned and from officer to company. The
/// weight of a link is the share, or 1 if it is unknown or the link is an office.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GraphAnalytics {
    /// The position of the company.
    focus: FocusAnalytics,
    /// Number of nodes, at most 500.
    node_count: usize,
    /// Number of links.
    edge_count: usize,
    /// How the values were computed.
    algorithm: AnalysisAlgorithm,
    /// PageRank by identifier of the node: company number, `LEI:` and a legal entity identifier, or UUID.
    pagerank: BTreeMap<String, f64>,
    /// Betweenness by identifier, 0 to 1.
    betweenness: BTreeMap<String, f64>,
    /// Communities (Louvain), the largest first: identifiers of their nodes.
    communities: Vec<Vec<String>>,
}

/// The position of a company in its network.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FocusAnalytics {
    /// PageRank of the company.
    pagerank: f64,
    /// Rank by PageRank: 1 for the highest.
    pagerank_rank: usize,
    /// Betweenness, 0 to 1.
    betweenness: f64,
    /// Index of its community in `communities`.
    community_index: usize,
    /// Number of nodes of its community.
    community_size: usize,
    /// Number of levels of owners.
    ubo_chain_depth: u8,
    /// Whether companies above the company own each other.
    has_circular_ownership: bool,
    /// Signs that the company has no business of its own. Present only if all three hold: no source states an industry,
    /// the address is `c/o` or shared with many companies, and there are at least two levels of owners. A heuristic,
    /// not proof.
    shell_company: Option<ShellCompanyFlag>,
}

/// Signs that a company has no business of its own.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ShellCompanyFlag {
    /// Number of levels of owners.
    depth: u8,
    /// Always `false`: the flag requires that the industry is unknown.
    has_industry: bool,
    /// The signs, in English.
    rationale: String,
}

/// How the values of a network were computed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AnalysisAlgorithm {
    /// What computed the values, and the version of NetworkX, a Python library, with which the computation was
    /// compared. The name of the member is that of existing client libraries.
    #[schema(example = "own implementation, with petgraph 0.8; compared with NetworkX 3.6.1")]
    networkx_version: &'static str,
    /// Damping factor of PageRank.
    pagerank_alpha: f64,
    /// Random seed of the Louvain method.
    louvain_seed: u64,
    /// Time of the computation.
    computed_at: Timestamp,
}

/// Analyse a company's ownership
///
/// How hard it is to see who owns a company: a score with its contributors, compared with companies of the same legal form and
/// size, and the position of the company in the network of its owners, their officers and the companies directly below it.
/// Sources and meaning of the shares are those of `GET /v1/companies/{uid}/ubo`. At most 100 companies are read to
/// follow the owners (the company and those above it). Of the companies that are linked to it, at most 100 are read to
/// find those directly below it. For the comparison with peers, at most 100 companies are read (the peers and those
/// above them). With `asOf`, and of a deleted company, neither companies below nor peers are read. The network has at most 500 nodes.
#[utoipa::path(
    get,
    path = "/v1/ownership/{uid}/analytics",
    tag = "Beneficial ownership",
    params(CompanyPath, OwnershipQuery),
    responses((status = OK, body = UboAnalytics)),
)]
pub(super) async fn ownership_analytics(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(query): Query<OwnershipQuery>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let (sources, scope) = (state.sources(), query.scope());
    let reader = Reader::new(&sources, &generation, query.as_of).await?;
    let assessment = assess(&reader, uid, &scope).await?;
    let peers = match assessment.scope.as_of {
        None => scores_of_peers(&reader, &assessment.company, &scope).await?,
        // The index knows the companies of today only.
        Some(_) => Vec::new(),
    };
    let below = match assessment.scope.as_of {
        None => companies_below(&reader, &assessment).await?,
        Some(_) => Vec::new(),
    };
    let answer = analytics(&assessment, &below, &peers, state.clock.now());
    Ok((generation.header(), Json(answer)))
}

/// The companies directly below a company, with the fraction that it holds.
async fn companies_below(
    reader: &Reader<'_>,
    assessment: &Assessment,
) -> Result<Vec<(Party, f64)>, Problem> {
    let company = &assessment.company;
    let mut uids = reader.companies.naming(company)?;
    uids.sort_unstable();
    uids.dedup();
    uids.truncate(MAX_BELOW);
    let records = reader.sources.registry.companies(&uids).await?;
    let deleted = records.iter().filter(|it| it.status == Some(Status::Cancelled));
    let deleted: BTreeSet<Uid> = deleted.map(|it| it.uid).collect();
    let relations = relations_of(company, &records);
    let is_below = |it: Relation| {
        matches!(it, Relation::BranchOffice | Relation::Subsidiary | Relation::Participation)
    };
    let exists = |it: &&CompanyRelation| it.uid.is_none_or(|uid| !deleted.contains(&uid));
    let below = relations.iter().filter(|it| is_below(it.relation)).filter(exists);
    let weight = |percentage: Option<f64>| percentage.map_or(1.0, |it| it / 100.0);
    Ok(below.filter_map(|it| Some((Party::Company(it.uid?), weight(it.percentage)))).collect())
}

fn analytics(
    assessment: &Assessment,
    below: &[(Party, f64)],
    peers: &[u8],
    now: Timestamp,
) -> UboAnalytics {
    let Assessment { company, structure, resolution, flags, .. } = assessment;
    let Opacity { score, level, contributors } = opacity(structure, resolution, flags);
    let pyramid = flags.iter().find(|it| it.kind == FlagKind::Pyramid);
    let as_of = assessment.scope.as_of;
    let day = as_of.unwrap_or_else(|| now.to_zoned(TimeZone::UTC).date());
    let citations = Citation::in_force(BENEFICIAL_OWNERSHIP, day);
    let contributor = |it: Contributor| {
        let Contributor { code, description, points } = it;
        OpacityContributor { code, description, points }
    };
    UboAnalytics {
        uid: company.uid,
        company_name: company.name.clone(),
        as_of,
        deletion_date: company.deletion_date,
        opacity_score: score,
        opacity_level: level,
        pyramiding: pyramid.is_some(),
        pyramiding_rationale: pyramid.map(|it| it.explanation.en.clone()),
        contributors: contributors.into_iter().map(contributor).collect(),
        obligation_refs: citations.iter().map(|it| it.id).collect(),
        citations,
        peer_percentile: percentile(score, peers),
        peer_sample_size: peers.len(),
        graph_analytics: graph_analytics(assessment, below, now),
        truncated: !structure.cut_off().is_empty(),
        data_coverage_note: coverage_note(assessment),
        assessed_at: now,
    }
}

/// The nodes of the network: the company and its owners by distance, then officers, then companies below.
fn nodes(assessment: &Assessment, below: &[(Party, f64)]) -> Vec<Party> {
    let structure = &assessment.structure;
    let mut owners: Vec<(u8, Party)> =
        structure.depths().iter().map(|(party, depth)| (*depth, *party)).collect();
    owners.sort_unstable();
    let officers = structure.links().iter().map(|it| it.owner);
    let all = owners.into_iter().map(|it| it.1).chain(officers).chain(below.iter().map(|it| it.0));
    let mut nodes: Vec<Party> = Vec::new();
    let mut seen = BTreeSet::new();
    nodes.extend(all.filter(|it| seen.insert(*it)).take(MAX_NODES));
    nodes
}

fn graph_analytics(
    assessment: &Assessment,
    below: &[(Party, f64)],
    now: Timestamp,
) -> GraphAnalytics {
    let structure = &assessment.structure;
    let nodes = nodes(assessment, below);
    let number: BTreeMap<Party, usize> =
        nodes.iter().enumerate().map(|(at, party)| (*party, at)).collect();
    let weight = |it: &Link| it.share.known().map_or(1.0, Percent::fraction);
    let links = structure.links().iter().map(|it| (it.owner, it.owned, weight(it)));
    let below = below.iter().map(|(party, weight)| (structure.root(), *party, *weight));
    // A person can be a partner and an officer of the same company: the strongest link counts once.
    let mut edges: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for (owner, owned, weight) in links.chain(below) {
        if let (Some(from), Some(to)) = (number.get(&owner), number.get(&owned)) {
            let strongest = edges.entry((*from, *to)).or_default();
            *strongest = strongest.max(weight);
        }
    }
    let edges = edges.into_iter().map(|((from, to), weight)| (from, to, weight));
    let network = Network::new(nodes.len(), edges);
    let measures = Measures::of(&network, SEED);
    let id = |node: &usize| nodes[*node].to_string();
    let by_id = |values: &[f64]| {
        let values = values.iter().enumerate();
        values.map(|(node, value)| (id(&node), *value)).collect::<BTreeMap<String, f64>>()
    };
    GraphAnalytics {
        focus: focus(assessment, &measures),
        node_count: network.nodes(),
        edge_count: network.edges(),
        algorithm: AnalysisAlgorithm {
            networkx_version: COMPUTED_WITH,
            pagerank_alpha: DAMPING,
            louvain_seed: SEED,
            computed_at: now,
        },
        pagerank: by_id(&measures.page_rank),
        betweenness: by_id(&measures.betweenness),
        communities: measures.communities.iter().map(|it| it.iter().map(id).collect()).collect(),
    }
}

fn focus(assessment: &Assessment, measures: &Measures) -> FocusAnalytics {
    // The company is the first node.
    let position = measures.position(0);
    let shell = |it: ShellCompany| {
        let ShellCompany { depth, has_industry, rationale } = it;
        ShellCompanyFlag { depth, has_industry, rationale }
    };
    FocusAnalytics {
        pagerank: position.map_or(0.0, |it| it.page_rank),
        pagerank_rank: position.map_or(1, |it| it.rank),
        betweenness: position.map_or(0.0, |it| it.betweenness),
        community_index: position.map_or(0, |it| it.community),
        community_size: position.map_or(1, |it| it.community_size),
        ubo_chain_depth: depth(&chain(assessment), &assessment.structure),
        has_circular_ownership: assessment.resolution.is_circular(),
        shell_company: shell_company(&assessment.structure).map(shell),
    }
}
