//! Reads what may connect companies.

use std::collections::{HashMap, HashSet};

use ::ownership::{Party, Percent};
use domain::{
    Company, History, Provenance, Uid,
    persons::{Mandate, RoleCategory},
    text,
};
use generations::{Generation, Unavailable};
use problem_details::Problem;
use store::Wanted;
use uuid::Uuid;

use super::{
    Overlay,
    analysis::{Edge, Network, Node, NodeKind},
};
use crate::ownership::owners_of_several;

/// Current mandates of a company that are used. Few companies have more.
const MAX_MANDATES: usize = 200;

/// One more shows that there are more.
const HISTORY: Wanted = Wanted { board: MAX_MANDATES + 1, former: 0, events: 0, mergers: false };

#[derive(Debug, thiserror::Error)]
#[error("no company {} in the commercial register", .0.iter().map(Uid::to_string).collect::<Vec<_>>().join(", "))]
struct UnknownCompanies(Vec<Uid>);

/// The network of these companies.
///
/// # Errors
/// 404 if one of them is not in the register.
pub(super) async fn read(
    state: &crate::State,
    generation: &Generation,
    uids: &[Uid],
    overlay: Overlay,
) -> Result<Network, Problem> {
    let found = state.registry.companies_with(uids, HISTORY).await?;
    let unknown = uids.iter().filter(|uid| !found.iter().any(|(it, _)| it.uid == **uid));
    let unknown: Vec<Uid> = unknown.copied().collect();
    if !unknown.is_empty() {
        return Err(Problem::not_found(UnknownCompanies(unknown)));
    }
    let mut network = Network::default();
    for (company, _) in &found {
        network.add_company(company, NodeKind::Root);
    }
    match overlay {
        Overlay::Persons | Overlay::BoardMembers => {
            let mandates = found.iter().flat_map(|(_, history)| history.current_mandates());
            let ids: Vec<Uuid> = mandates.map(|it| it.person_id).collect();
            let first_ids = generation.persons().await?.first_ids(&ids);
            let first_ids = first_ids.await.map_err(Unavailable::from)?;
            for (company, history) in &found {
                network.add_persons(company, history, overlay, &first_ids);
            }
        }
        Overlay::Addresses => {
            for (company, _) in &found {
                network.add_address(company);
            }
        }
        Overlay::Ownership => network.add_owners(state, generation, uids).await?,
    }
    network.index();
    Ok(network)
}

impl Network {
    fn add_company(&mut self, company: &Company, kind: NodeKind) {
        let id = company.uid.to_string();
        let node = Node {
            id: id.clone(),
            name: company.name.clone(),
            uid: Some(company.uid),
            person: None,
            kind,
            role: None,
            company: Some(Box::new(company.clone())),
        };
        self.nodes.entry(id).or_insert(node);
    }

    /// Natural persons with a mandate. One link for each, that of the first mandate.
    fn add_persons(
        &mut self,
        company: &Company,
        history: &History,
        overlay: Overlay,
        first_ids: &HashMap<Uuid, Uuid>,
    ) {
        let is_wanted = |it: &Mandate| match overlay {
            Overlay::BoardMembers => it.is_in(RoleCategory::Board),
            _ => true,
        };
        let target = company.uid.to_string();
        self.truncated |= history.current_mandates().count() > MAX_MANDATES;
        let mut seen = HashSet::new();
        let mandates = history.current_mandates().take(MAX_MANDATES);
        for mandate in mandates.filter(|it| !it.person.is_entity() && is_wanted(it)) {
            let id = mandate.person_id;
            let person = first_ids.get(&id).copied().unwrap_or(id);
            let id = person.to_string();
            self.nodes.entry(id.clone()).or_insert_with(|| Node {
                id: id.clone(),
                name: mandate.person.full_name(),
                uid: None,
                person: Some(person),
                kind: NodeKind::Person,
                role: Some(mandate.role.clone()),
                company: None,
            });
            if !seen.insert(person) {
                continue;
            }
            self.edges.push(Edge {
                source: id,
                target: target.clone(),
                kind: "board_member",
                label: mandate.role.clone(),
                confidence: mandate.confidence,
                percentage: None,
                provenance: Some(mandate.source.clone()),
            });
        }
    }

    /// The address of a company, if street or PO box, and the town are known.
    fn add_address(&mut self, company: &Company) {
        let Some(town) = company.address_city.as_deref() else { return };
        let number = company.address_house_number.as_deref().unwrap_or_default();
        let place = match (&company.address_street, &company.address_po_box) {
            (Some(street), _) => format!("{street} {number}").trim().to_owned(),
            (None, Some(po_box)) => po_box.clone(),
            (None, None) => return,
        };
        let zip_code = company.address_zip_code.as_deref().unwrap_or_default();
        let name = format!("{place}, {}", format!("{zip_code} {town}").trim());
        let id = format!("address:{}", text::fold(&name));
        self.nodes.entry(id.clone()).or_insert_with(|| Node {
            id: id.clone(),
            name,
            uid: None,
            person: None,
            kind: NodeKind::Address,
            role: None,
            company: None,
        });
        self.edges.push(Edge {
            source: id,
            target: company.uid.to_string(),
            kind: "address",
            label: "Address".to_owned(),
            confidence: 1.0,
            percentage: None,
            provenance: address_source(company),
        });
    }

    async fn add_owners(
        &mut self,
        state: &crate::State,
        generation: &Generation,
        uids: &[Uid],
    ) -> Result<(), Problem> {
        let owners = owners_of_several(state, generation, uids).await?;
        self.truncated |= !owners.is_complete;
        for company in &owners.companies {
            self.add_company(company, NodeKind::Company);
        }
        for link in &owners.links {
            for party in [link.owner, link.owned] {
                self.add_party(party, owners.names.get(&party).map(String::as_str));
            }
            self.edges.push(Edge {
                source: link.owner.to_string(),
                target: link.owned.to_string(),
                kind: link.kind.name(),
                label: link.kind.name().replace('_', " "),
                confidence: link.confidence,
                percentage: link.share.known().map(Percent::get),
                provenance: Some(link.source.clone()),
            });
        }
        Ok(())
    }

    fn add_party(&mut self, party: Party, name: Option<&str>) {
        let id = party.to_string();
        let (kind, uid, person) = match party {
            Party::Company(uid) => (NodeKind::Company, Some(uid), None),
            Party::Person(person) => (NodeKind::Person, None, Some(person)),
            Party::Foreign(_) | Party::Firm(_) | Party::Unidentified(_) => {
                (NodeKind::Entity, None, None)
            }
        };
        let name = name.filter(|it| !it.is_empty()).map_or_else(|| id.clone(), str::to_owned);
        let node = Node { id: id.clone(), name, uid, person, kind, role: None, company: None };
        self.nodes.entry(id).or_insert(node);
    }
}

/// The newest source of the record that states addresses: the register and its publications. Others state identifiers,
/// licences, figures or coordinates.
fn address_source(company: &Company) -> Option<Provenance> {
    let of_register = company.sources.iter().filter(|it| it.is_of_register());
    of_register.max_by_key(|it| it.date).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_of_an_address_is_the_newest_of_the_register() {
        let source = |name: &str, date: &str| Provenance {
            source: name.into(),
            reference: None,
            date: date.parse().ok(),
        };
        let mut company = Company::new("CHE-600.000.012".parse().expect("well-formed"), "Muster");
        assert_eq!(address_source(&company), None);
        let newest = source("shab", "2026-02-03");
        company.sources = vec![
            source("gleif", "2026-05-01"),
            source("zefix", "2025-01-05"),
            newest.clone(),
            source("swisstopo", "2026-04-01"),
        ];
        assert_eq!(address_source(&company), Some(newest));
    }
}
