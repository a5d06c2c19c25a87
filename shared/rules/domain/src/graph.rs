//! Graph of a company: its officers, the other companies of those officers, and the companies that the
//! register and GLEIF link to it.

mod graphml;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    Amount, Canton, Company, Event, Provenance, Status, Uid,
    persons::{Officer, Role},
    relationships::{CompanyRelation, Relation, relations_of},
};

/// Maximum number of nodes in a graph.
pub const MAX_NODES: usize = 250;
/// Maximum number of officers among the nodes.
pub const MAX_OFFICERS: usize = 100;

/// Kind of node: `root` is the requested company; `overlap` is a company that is connected to the root by
/// more than one officer or link; all others are `company` or `person`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// The requested company.
    Root,
    /// Another company.
    Company,
    /// A person.
    Person,
    /// A company connected to the root by more than one officer or link.
    Overlap,
}

impl NodeKind {
    /// Name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Company => "company",
            Self::Person => "person",
            Self::Overlap => "overlap",
        }
    }
}

/// Kind of link and its direction: `board_member` from an officer or signatory to the company, `head_office` from the
/// root to its head office, `branch_office` from a head office to its branch, `acquisition` from a company to the one it
/// acquired (`has_taken_over` in `AffiliationKind`), `gleif_parent` from a company to its direct parent
/// (`consolidated_by`), `quota_holder` from a partner to the limited liability company whose shares it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// From an officer to the company.
    BoardMember,
    /// From the root to its head office.
    HeadOffice,
    /// From a head office to its branch.
    BranchOffice,
    /// From a company to the one it acquired.
    Acquisition,
    /// From a company to its direct parent.
    GleifParent,
    /// From a partner to the limited liability company.
    QuotaHolder,
}

impl LinkKind {
    /// Name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::BoardMember => "board_member",
            Self::HeadOffice => "head_office",
            Self::BranchOffice => "branch_office",
            Self::Acquisition => "acquisition",
            Self::GleifParent => "gleif_parent",
            Self::QuotaHolder => "quota_holder",
        }
    }

    /// English label.
    fn label(self) -> &'static str {
        match self {
            Self::BoardMember => "Officer",
            Self::HeadOffice => "Head office",
            Self::BranchOffice => "Branch office",
            Self::Acquisition => "Took over",
            Self::GleifParent => "Parent",
            Self::QuotaHolder => "Partner",
        }
    }
}

/// A node: a company or a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Company number, or the id of the person.
    pub id: String,
    /// Name of the company or person.
    pub name: String,
    /// Company number.
    pub uid: Option<Uid>,
    /// Kind of node.
    pub kind: NodeKind,
    /// Nominal capital, in units of `currency`.
    pub capital: Option<Amount>,
    /// Currency of the capital: ISO 4217 code.
    pub currency: Option<String>,
    /// Canton of the company's seat.
    pub canton: Option<Canton>,
    /// Status of the company.
    pub status: Option<Status>,
    /// Role of the person in the root company.
    pub role: Option<String>,
    /// Id of the person.
    pub person_id: Option<Uuid>,
}

/// A link between two nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Id of the node at the start.
    pub source: String,
    /// Id of the node at the end.
    pub target: String,
    /// Kind of link.
    pub kind: LinkKind,
    /// The role, or the English label of the kind.
    pub label: String,
    /// Source that states the link.
    pub provenance: Option<Provenance>,
    /// Confidence in the identity of the person, 0 to 1. `None` for links between companies.
    pub confidence: Option<f64>,
    /// Share of the nominal capital, in percent. `None` unless shares are held.
    pub percentage: Option<f64>,
}

/// The graph of a company.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// The root, its officers, then companies: first those linked by the register and GLEIF, then those
    /// with the most officers in common.
    pub nodes: Vec<Node>,
    /// The links between these nodes.
    pub links: Vec<Link>,
    /// Whether nodes were left out because of the maximum.
    pub truncated: bool,
}

/// The officers and companies selected for a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphSelection {
    officers: Vec<Officer>,
    /// Companies whose records are needed to build the graph.
    pub companies: Vec<Uid>,
    truncated: bool,
}

impl GraphSelection {
    /// Selects the first of these officers, then the related companies, then the other companies of the
    /// officers, those with the most officers first, up to the maximum number of nodes.
    pub fn new(root: Uid, mut officers: Vec<Officer>, related: &[Uid]) -> Self {
        let mut truncated = officers.len() > MAX_OFFICERS;
        officers.truncate(MAX_OFFICERS);
        let firms = officers.iter().filter_map(|it| it.uid);
        let mut companies: Vec<Uid> = firms.chain(related.iter().copied()).collect();
        let mut counts: HashMap<Uid, usize> = HashMap::new();
        for role in people(&officers).flat_map(|it| &it.roles) {
            *counts.entry(role.company).or_default() += 1;
        }
        let mut of_officers: Vec<(Uid, usize)> = counts.into_iter().collect();
        of_officers.sort_by_key(|(uid, count)| (std::cmp::Reverse(*count), *uid));
        companies.extend(of_officers.into_iter().map(|(uid, _)| uid));
        let mut seen = HashSet::from([root]);
        companies.retain(|it| seen.insert(*it));
        let persons = officers.iter().filter(|it| it.uid.is_none()).count();
        let room = MAX_NODES - 1 - persons;
        truncated |= companies.len() > room;
        companies.truncate(room);
        Self { officers, companies, truncated }
    }

    /// Builds the graph of the root. `records` are the known records of the selected companies, `mergers`
    /// the merger events of the root and of these companies.
    pub fn build(&self, root: &Company, records: Vec<Company>, mergers: &[Event]) -> Graph {
        let mut shown = vec![root.clone()];
        shown.extend(self.companies.iter().filter_map(|uid| {
            let record = records.iter().find(|it| it.uid == *uid).cloned();
            // A firm that is an officer is shown even if it has no record.
            let firm = || self.officers.iter().find(|it| it.uid == Some(*uid));
            record.or_else(|| Some(Company::new(*uid, &firm()?.name)))
        }));
        let numbers: HashSet<Uid> = shown.iter().map(|it| it.uid).collect();
        let mut links = self.officer_links(root.uid, &numbers);
        links.extend(self.holder_links(root));
        links.extend(company_links(&shown, mergers));

        let role = |it: &Officer| {
            let role = it.roles.iter().find(|it| it.company == root.uid);
            role.map(|it| it.mandate.role.clone())
        };
        let persons = self.officers.iter().filter(|it| it.uid.is_none()).map(|it| Node {
            id: node_id(it),
            name: it.name.clone(),
            uid: None,
            kind: if it.is_entity { NodeKind::Company } else { NodeKind::Person },
            capital: None,
            currency: None,
            canton: None,
            status: None,
            role: role(it),
            person_id: Some(it.id),
        });
        let companies = shown.iter().map(|it| company(it, root.uid, &links));
        let mut nodes: Vec<Node> = companies.collect();
        nodes.splice(1..1, persons);
        Graph { nodes, links, truncated: self.truncated }
    }

    /// Links of officers. Firms and authorities are linked to the root only, because one authority
    /// supervises a thousand foundations.
    fn officer_links(&self, root: Uid, shown: &HashSet<Uid>) -> Vec<Link> {
        let mut links = Vec::new();
        for officer in &self.officers {
            let mut seen = HashSet::new();
            for Role { company, mandate, .. } in &officer.roles {
                let is_followed = *company == root || !officer.is_entity;
                if is_followed && shown.contains(company) && seen.insert(company) {
                    links.push(Link {
                        source: node_id(officer),
                        target: company.to_string(),
                        kind: LinkKind::BoardMember,
                        label: mandate.role.clone(),
                        provenance: Some(mandate.source.clone()),
                        confidence: Some(mandate.confidence),
                        percentage: None,
                    });
                }
            }
        }
        links
    }

    /// Links of the partners of the root who are not in the register as companies: those are in [`company_links`].
    fn holder_links(&self, root: &Company) -> Vec<Link> {
        let holders = root.quota_holders.iter().filter(|it| it.uid.is_none());
        let links = holders.filter_map(|holder| {
            let is_holder =
                |it: &Role| it.company == root.uid && it.mandate.person_id == holder.person_id;
            let officer = self.officers.iter().find(|it| it.roles.iter().any(is_holder))?;
            let kind = LinkKind::QuotaHolder;
            Some(Link {
                source: node_id(officer),
                target: root.uid.to_string(),
                kind,
                label: kind.label().to_owned(),
                provenance: Some(holder.source.clone()),
                confidence: Some(holder.confidence),
                percentage: holder.percentage,
            })
        });
        links.collect()
    }
}

fn people(officers: &[Officer]) -> impl Iterator<Item = &Officer> {
    officers.iter().filter(|it| !it.is_entity)
}

/// Node id of an officer: the company number of a registered firm, or else the person's id.
fn node_id(officer: &Officer) -> String {
    officer.uid.map_or_else(|| officer.id.to_string(), |it| it.to_string())
}

/// Links that the register and GLEIF state between any two of these companies. The root is the first.
fn company_links(shown: &[Company], mergers: &[Event]) -> Vec<Link> {
    let root = shown.first().map(|it| it.uid);
    let numbers: HashSet<Uid> = shown.iter().map(|it| it.uid).collect();
    let mut links: BTreeMap<(LinkKind, Uid, Uid), CompanyRelation> = BTreeMap::new();
    for one in shown {
        for mut related in relations_of(one, shown) {
            let Some(other) = related.uid.filter(|it| numbers.contains(it)) else { continue };
            let kind = match related.relation {
                Relation::HeadOffice if Some(one.uid) == root => LinkKind::HeadOffice,
                Relation::BranchOffice if Some(other) != root => LinkKind::BranchOffice,
                Relation::Acquired => LinkKind::Acquisition,
                Relation::Parent => LinkKind::GleifParent,
                Relation::QuotaHolder => LinkKind::QuotaHolder,
                // The other company states the same link.
                _ => continue,
            };
            related.date_merger(one.uid, mergers);
            let (source, target) = match kind {
                LinkKind::QuotaHolder => (other, one.uid),
                _ => (one.uid, other),
            };
            links.entry((kind, source, target)).or_insert(related);
        }
    }
    let link = |((kind, source, target), related): ((LinkKind, Uid, Uid), CompanyRelation)| Link {
        source: source.to_string(),
        target: target.to_string(),
        kind,
        label: kind.label().to_owned(),
        provenance: related.source,
        confidence: None,
        percentage: related.percentage,
    };
    links.into_iter().map(link).collect()
}

fn company(record: &Company, root: Uid, links: &[Link]) -> Node {
    let id = record.uid.to_string();
    let is_connected = |it: &&Link| it.source == id || it.target == id;
    let root_id = root.to_string();
    // All officers are officers of the root, so each of their links connects the company to the root.
    // Of the other links, only those with the root itself count. A firm that is an officer counts once if it also holds
    // shares.
    let is_officer = links.iter().any(|it| it.kind == LinkKind::BoardMember && it.source == id);
    let connects_to_root = |it: &&Link| {
        let is_counted = is_officer && it.kind == LinkKind::QuotaHolder && it.source == id;
        (it.kind == LinkKind::BoardMember && it.target == id)
            || it.source == root_id
            || (it.target == root_id && !is_counted)
    };
    let kind = match links.iter().filter(is_connected).filter(connects_to_root).count() {
        _ if record.uid == root => NodeKind::Root,
        0 | 1 => NodeKind::Company,
        _ => NodeKind::Overlap,
    };
    Node {
        id,
        name: record.name.clone(),
        uid: Some(record.uid),
        kind,
        capital: record.share_capital,
        currency: record.currency.clone(),
        canton: record.canton,
        status: record.status,
        role: None,
        person_id: None,
    }
}

#[cfg(test)]
mod tests;
