//! A company and what is around it, to be drawn: its officers, the companies that they run too, and
//! those that register and GLEIF link to it.

mod graphml;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    Amount, Canton, Company, Event, Provenance, Status, Uid,
    persons::{Officer, Role},
    relations::{Kin, relatives},
};

/// How many nodes a graph has at most, and how many of them are officers.
pub const NODES: usize = 250;
pub const OFFICERS: usize = 100;

/// What a node is in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// The company that was asked for.
    Root,
    Company,
    Person,
    /// A company that more than one person or link joins to the root.
    Overlap,
}

impl NodeKind {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Company => "company",
            Self::Person => "person",
            Self::Overlap => "overlap",
        }
    }
}

/// What joins two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// From an officer to the company.
    BoardMember,
    /// From the root to its head office.
    HeadOffice,
    /// From a head office to its branch.
    BranchOffice,
    /// From a company to the one that it took over.
    Acquisition,
    /// From a company to the one that consolidates it.
    GleifParent,
}

impl LinkKind {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::BoardMember => "board_member",
            Self::HeadOffice => "head_office",
            Self::BranchOffice => "branch_office",
            Self::Acquisition => "acquisition",
            Self::GleifParent => "gleif_parent",
        }
    }

    /// In words.
    fn label(self) -> &'static str {
        match self {
            Self::BoardMember => "Officer",
            Self::HeadOffice => "Head office",
            Self::BranchOffice => "Branch office",
            Self::Acquisition => "Took over",
            Self::GleifParent => "Parent",
        }
    }
}

/// A company or a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The company's number, or the person's id.
    pub id: String,
    pub name: String,
    pub uid: Option<Uid>,
    pub kind: NodeKind,
    pub capital: Option<Amount>,
    /// Of the capital, ISO 4217.
    pub currency: Option<String>,
    pub canton: Option<Canton>,
    pub status: Option<Status>,
    /// Of a person in the root.
    pub role: Option<String>,
    pub person_id: Option<Uuid>,
}

/// What joins two nodes, by their ids.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    pub source: String,
    pub target: String,
    pub kind: LinkKind,
    /// The role, or the kind in words.
    pub label: String,
    /// What states it.
    pub provenance: Option<Provenance>,
    /// How sure it is who the officer is, 0 to 1; what register and GLEIF state of companies has none.
    pub confidence: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// The root, its officers, then companies: those linked by register and GLEIF first, then those
    /// with most of the officers.
    pub nodes: Vec<Node>,
    pub links: Vec<Link>,
    /// Whether there is more than is shown.
    pub truncated: bool,
}

/// What is to be drawn around a company.
#[derive(Clone, Debug, PartialEq)]
pub struct Surroundings {
    officers: Vec<Officer>,
    /// The companies whose records are needed.
    pub companies: Vec<Uid>,
    truncated: bool,
}

impl Surroundings {
    /// Chooses what fits in: of these officers the first, then the relatives, then the companies that
    /// most of the officers run.
    pub fn choose(root: Uid, mut officers: Vec<Officer>, relatives: &[Uid]) -> Self {
        let mut truncated = officers.len() > OFFICERS;
        officers.truncate(OFFICERS);
        let firms = officers.iter().filter_map(|it| it.uid);
        let mut companies: Vec<Uid> = firms.chain(relatives.iter().copied()).collect();
        let mut counts: HashMap<Uid, usize> = HashMap::new();
        for role in people(&officers).flat_map(|it| &it.roles) {
            *counts.entry(role.company).or_default() += 1;
        }
        let mut run: Vec<(Uid, usize)> = counts.into_iter().collect();
        run.sort_by_key(|(uid, count)| (std::cmp::Reverse(*count), *uid));
        companies.extend(run.into_iter().map(|(uid, _)| uid));
        let mut seen = HashSet::from([root]);
        companies.retain(|it| seen.insert(*it));
        let persons = officers.iter().filter(|it| it.uid.is_none()).count();
        let room = NODES - 1 - persons;
        truncated |= companies.len() > room;
        companies.truncate(room);
        Self { officers, companies, truncated }
    }

    /// Draws the root and what was chosen; `records` are those of the companies, as far as they are
    /// known, and `mergers` what notices told of theirs.
    pub fn draw(&self, root: &Company, records: Vec<Company>, mergers: &[Event]) -> Graph {
        let mut shown = vec![root.clone()];
        shown.extend(self.companies.iter().filter_map(|uid| {
            let record = records.iter().find(|it| it.uid == *uid).cloned();
            // A firm that holds an office is shown even if its number is known only.
            let firm = || self.officers.iter().find(|it| it.uid == Some(*uid));
            record.or_else(|| Some(Company::new(*uid, &firm()?.name)))
        }));
        let numbers: HashSet<Uid> = shown.iter().map(|it| it.uid).collect();
        let mut links = self.offices(root.uid, &numbers);
        links.extend(kinships(&shown, mergers));

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

    /// Firms are followed to the root only: an authority supervises a thousand foundations.
    fn offices(&self, root: Uid, shown: &HashSet<Uid>) -> Vec<Link> {
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
                    });
                }
            }
        }
        links
    }
}

fn people(officers: &[Officer]) -> impl Iterator<Item = &Officer> {
    officers.iter().filter(|it| !it.is_entity)
}

/// A firm in the register is the company that it is.
fn node_id(officer: &Officer) -> String {
    officer.uid.map_or_else(|| officer.id.to_string(), |it| it.to_string())
}

/// What register and GLEIF state between any two of these companies, the root first.
fn kinships(shown: &[Company], mergers: &[Event]) -> Vec<Link> {
    let root = shown.first().map(|it| it.uid);
    let numbers: HashSet<Uid> = shown.iter().map(|it| it.uid).collect();
    let mut links: BTreeMap<(LinkKind, Uid, Uid), Option<Provenance>> = BTreeMap::new();
    for one in shown {
        for mut relative in relatives(one, shown) {
            let Some(other) = relative.uid.filter(|it| numbers.contains(it)) else { continue };
            let kind = match relative.kin {
                Kin::HeadOffice if Some(one.uid) == root => LinkKind::HeadOffice,
                Kin::BranchOffice if Some(other) != root => LinkKind::BranchOffice,
                Kin::Acquired => LinkKind::Acquisition,
                Kin::Parent => LinkKind::GleifParent,
                // The same is said from the other end.
                _ => continue,
            };
            relative.prove(one.uid, mergers);
            links.entry((kind, one.uid, other)).or_insert(relative.source);
        }
    }
    let link = |((kind, source, target), provenance): ((LinkKind, Uid, Uid), _)| Link {
        source: source.to_string(),
        target: target.to_string(),
        kind,
        label: kind.label().to_owned(),
        provenance,
        confidence: None,
    };
    links.into_iter().map(link).collect()
}

fn company(record: &Company, root: Uid, links: &[Link]) -> Node {
    let id = record.uid.to_string();
    let from_or_to = |it: &&Link| it.source == id || it.target == id;
    let root_id = root.to_string();
    // Officers are the root's own; of the other links, those to the root join.
    let joins = |it: &&Link| {
        (it.kind == LinkKind::BoardMember && it.target == id)
            || it.source == root_id
            || it.target == root_id
    };
    let kind = match links.iter().filter(from_or_to).filter(joins).count() {
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
