use proptest::prelude::*;

use super::*;
use crate::{
    company::{Affiliation, AffiliationKind},
    persons::officer_of,
};

fn uid(number: u32) -> Uid {
    Uid::from_number(number).expect("nine digits")
}

fn company(number: u32) -> Company {
    Company::new(uid(number), format!("Firma {number}"))
}

fn graph_of(root: &Company, officers: Vec<Officer>, others: Vec<Company>) -> Graph {
    let related: Vec<Uid> =
        relations_of(root, &others).into_iter().filter_map(|it| it.uid).collect();
    GraphSelection::new(root.uid, officers, &related).build(root, others, &[])
}

fn kinds(graph: &Graph) -> Vec<(String, NodeKind)> {
    graph.nodes.iter().map(|it| (it.name.clone(), it.kind)).collect()
}

#[test]
fn company_with_two_connections_to_the_root_is_an_overlap() {
    let mut branch = company(2);
    branch.affiliations = vec![Affiliation {
        kind: AffiliationKind::HeadOffice,
        uid: Some(uid(1)),
        name: "Firma 1".into(),
    }];
    let register = Provenance { source: "zefix".into(), reference: None, date: None };
    branch.sources = vec![register.clone()];
    let officers = vec![officer_of(1, &[1, 2, 3, 4]), officer_of(2, &[1, 4])];
    let graph = graph_of(&company(1), officers, vec![branch, company(3), company(4)]);
    assert_eq!(
        kinds(&graph),
        [
            ("Firma 1".into(), NodeKind::Root),
            ("Person 1".into(), NodeKind::Person),
            ("Person 2".into(), NodeKind::Person),
            ("Firma 2".into(), NodeKind::Overlap),
            ("Firma 4".into(), NodeKind::Overlap),
            ("Firma 3".into(), NodeKind::Company),
        ]
    );
    let offices = graph.links.iter().filter(|it| it.kind == LinkKind::BoardMember);
    assert_eq!(offices.clone().count(), 6);
    for office in offices {
        let reference = office.provenance.as_ref().and_then(|it| it.reference.clone());
        assert!(office.target.ends_with(&reference.expect("a reference")), "{office:?}");
        assert_eq!(office.confidence, Some(0.95));
    }
    let office = graph.links.last().expect("a link");
    assert_eq!((&office.provenance, office.confidence), (&Some(register), None));
    assert_eq!(
        (office.kind, office.source.as_str(), office.target.as_str()),
        (LinkKind::BranchOffice, "CHE-000.000.001", "CHE-000.000.002")
    );
}

#[test]
fn branch_office_is_linked_once_from_either_side() {
    let affiliation = |kind, other| {
        vec![Affiliation { kind, uid: Some(uid(other)), name: format!("Firma {other}") }]
    };
    let mut head = company(1);
    head.affiliations = affiliation(AffiliationKind::BranchOffice, 2);
    let mut branch = company(2);
    branch.affiliations = affiliation(AffiliationKind::HeadOffice, 1);
    let from = |root: &Company, other: &Company| {
        let graph = graph_of(root, Vec::new(), vec![other.clone()]);
        let links = graph.links.into_iter();
        links.map(|it| (it.kind, it.source, it.target)).collect::<Vec<_>>()
    };
    let (one, two) = (uid(1).to_string(), uid(2).to_string());
    assert_eq!(from(&head, &branch), [(LinkKind::BranchOffice, one.clone(), two.clone())]);
    assert_eq!(from(&branch, &head), [(LinkKind::HeadOffice, two, one)]);
}

#[test]
fn firm_as_officer_is_a_company_node_and_its_other_mandates_are_not_shown() {
    let firm = Officer { is_entity: true, uid: Some(uid(7)), ..officer_of(7, &[1, 2, 3]) };
    let graph = graph_of(&company(1), vec![firm], vec![company(2), company(3)]);
    assert_eq!(
        kinds(&graph),
        [("Firma 1".into(), NodeKind::Root), ("Person 7".into(), NodeKind::Company)]
    );
    assert_eq!(graph.nodes[1].id, "CHE-000.000.007");
    assert_eq!(graph.links.len(), 1);
}

#[test]
fn graph_over_the_maximum_is_marked_as_truncated() {
    let many: Vec<u32> = (1..=400).collect();
    let graph = graph_of(&company(1), vec![officer_of(1, &many)], (2..=400).map(company).collect());
    assert_eq!((graph.nodes.len(), graph.truncated), (MAX_NODES, true));
    let few = graph_of(&company(1), vec![officer_of(1, &[1, 2])], vec![company(2)]);
    assert_eq!((few.nodes.len(), few.truncated), (3, false));
}

proptest! {
    #[test]
    fn every_name_gives_well_formed_xml(name in any::<String>()) {
        let graph = graph_of(&Company::new(uid(1), name.clone()), Vec::new(), Vec::new());
        let xml = String::from_utf8(graph.graphml().expect("written")).expect("UTF-8");
        let mut reader = quick_xml::Reader::from_str(&xml);
        reader.config_mut().check_end_names = true;
        let mut next = || reader.read_event().expect("well-formed");
        while next() != quick_xml::events::Event::Eof {}
        prop_assert!(xml.chars().all(|it| it >= ' ' || matches!(it, '\t' | '\n' | '\r')));
    }
}
