//! The graph of persons and companies around a company.

use domain::{
    Provenance,
    company::{Affiliation, AffiliationKind},
};
use http::StatusCode;
use publications::Publication;
use serde_json::{Value, json};
use tests::{Service, company};

const MUSTER: &str = "CHE-600.000.012";
const PROBE: &str = "CHE-600.000.029";
const BRANCH: &str = "CHE-600.000.035";

/// Muster AG has two officers and a branch. One officer is also on the board of Probe AG.
async fn service() -> Service {
    let eva = "Muster, Eva, von Chur, in Bern, Präsidentin, mit Einzelunterschrift";
    let rolf = "Probe, Rolf, von Thun, in Thun, Mitglied, mit Einzelunterschrift";
    let mut branch = company(BRANCH, "Muster AG, Filiale");
    branch.affiliations.push(Affiliation {
        kind: AffiliationKind::HeadOffice,
        uid: MUSTER.parse().ok(),
        name: "Muster AG".into(),
    });
    let date = "2026-01-02".parse().ok();
    branch.sources = vec![Provenance { source: "zefix".into(), reference: None, date }];
    let service = Service::with([branch]).await;
    let muster = Publication::mutation(MUSTER, "Muster AG");
    let probe = Publication::mutation(PROBE, "Probe AG");
    let publications = [
        muster.number(1).persons_entered(&format!("{eva}; {rolf}")),
        probe.number(2).persons_entered(rolf),
    ];
    service.ingest_publications(publications).await;
    service
}

fn triples(rows: &Value, members: [&str; 3]) -> Vec<[String; 3]> {
    let text = |row: &Value, it: &str| row[it].as_str().unwrap_or_default().to_owned();
    rows.as_array().expect("a list").iter().map(|row| members.map(|it| text(row, it))).collect()
}

#[tokio::test]
async fn a_graph_contains_officers_their_companies_and_related_companies() {
    let service = service().await;
    let graph = service.get(&format!("/v1/graph/{MUSTER}")).await;
    assert_eq!(graph.status, StatusCode::OK, "{}", graph.text);
    let nodes = triples(&graph.body["nodes"], ["name", "type", "uid"]);
    assert_eq!(
        nodes,
        [
            ["Muster AG", "root", MUSTER],
            ["Eva Muster", "person", ""],
            ["Rolf Probe", "person", ""],
            ["Muster AG, Filiale", "company", BRANCH],
            ["Probe AG", "company", PROBE],
        ]
        .map(|it| it.map(str::to_owned))
    );
    let rolf = &graph.body["nodes"][2];
    assert_eq!((&rolf["id"], &rolf["role"]), (&rolf["personId"], &json!("Mitglied")));
    assert_eq!(rolf["nodeType"], rolf["type"]);
    let links = triples(&graph.body["links"], ["type", "linkType", "label"]);
    let office = || ["board_member"; 2];
    assert_eq!(links[0], [office()[0], office()[1], "Präsidentin"].map(str::to_owned));
    assert_eq!(links[3], ["branch_office", "branch_office", "Branch office"].map(str::to_owned));
    assert_eq!((links.len(), &graph.body["truncated"]), (4, &json!(false)));
    let links = &graph.body["links"];
    let (office, branch) = (&links[0], &links[3]);
    assert_eq!(
        (&office["provenance"]["date"], &office["confidence"]),
        (&json!("2026-01-05"), &json!(0.95))
    );
    assert_eq!(branch["provenance"], json!({ "source": "zefix", "date": "2026-01-02" }));
    assert!(
        branch.get("confidence").is_none(),
        "a link from the register has no confidence: {branch}"
    );
    let again = service.get(&format!("/v1/graph/{MUSTER}")).await;
    assert_eq!(again.text, graph.text, "two requests get the same graph");
}

#[tokio::test]
async fn both_ends_of_every_link_are_nodes_of_the_graph() {
    let service = service().await;
    for uid in [MUSTER, PROBE, BRANCH] {
        let graph = service.get(&format!("/v1/graph/{uid}")).await.body;
        let ids = triples(&graph["nodes"], ["id", "name", "type"]);
        for [source, target, _] in triples(&graph["links"], ["source", "target", "type"]) {
            let is_node = |id: &str| ids.iter().any(|it| it[0] == id);
            assert!(is_node(&source) && is_node(&target), "{graph}");
        }
    }
}

#[tokio::test]
async fn a_company_without_relations_is_a_graph_of_one_node_and_an_unknown_company_is_not_found() {
    let service = Service::with([company(PROBE, "Probe AG")]).await;
    let graph = service.get(&format!("/v1/graph/{PROBE}")).await.body;
    assert_eq!(triples(&graph["nodes"], ["id", "type", "status"])[0], [PROBE, "root", "ACTIVE"]);
    assert_eq!(graph["links"], json!([]));
    for path in [MUSTER.to_owned(), format!("{MUSTER}/export?format=graphml")] {
        assert_eq!(service.get(&format!("/v1/graph/{path}")).await.slug(), "not-found");
    }
}

#[tokio::test]
async fn a_graph_is_exported_as_graphml() {
    let service = service().await;
    let file = service.get(&format!("/v1/graph/{MUSTER}/export?format=graphml")).await;
    assert_eq!(file.header("content-type"), Some("application/graphml+xml"));
    let name = format!("attachment; filename=\"{MUSTER}.graphml\"");
    assert_eq!(file.header("content-disposition"), Some(name.as_str()));
    assert!(file.text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns="));
    assert_eq!((file.text.matches("<node ").count(), file.text.matches("<edge ").count()), (5, 4));
    assert!(file.text.contains("<data key=\"label\">Präsidentin</data>"), "{}", file.text);
    for (key, value, edges) in [
        ("source", "shab", 3),
        ("date", "2026-01-05", 3),
        ("confidence", "0.95", 3),
        ("source", "zefix", 1),
    ] {
        let data = format!("<data key=\"{key}\">{value}</data>");
        assert_eq!(file.text.matches(&data).count(), edges, "{data}: {}", file.text);
    }
    assert_eq!(file.text.matches("publications/detail/").count(), 3);
    let refused = service.get(&format!("/v1/graph/{MUSTER}/export?format=gexf")).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    let words = "must be a file format for graphs; got `gexf`. Accepted: `graphml`";
    assert_eq!(refused.body["errors"][0], json!({ "member": "format", "detail": words }));
}

#[tokio::test]
async fn markup_and_control_characters_in_a_name_are_escaped_in_the_export() {
    let name = "</data><node id=\"x\"/>&amp;\u{1}\u{fffe} \"AG\" ]]>";
    let service = Service::with([company(MUSTER, name)]).await;
    let file = service.get(&format!("/v1/graph/{MUSTER}/export")).await;
    assert_eq!(file.text.matches("<node").count(), 1, "{}", file.text);
    assert!(file.text.contains("&lt;/data&gt;&lt;node id="), "{}", file.text);
    assert!(!file.text.contains(['\u{1}', '\u{fffe}']) && !file.text.contains("]]>"));
}

#[tokio::test]
async fn the_graphs_of_both_companies_show_an_acquisition_with_its_publication() {
    let service = Service::with([company(PROBE, "Probe AG")]).await;
    let merger = "Übernahme der Aktiven und Passiven der Probe AG, in Thun (CHE-600.000.029), \
                  gemäss Fusionsvertrag vom 01.06.2026.";
    let merger = Publication::mutation(MUSTER, "Muster AG").on("2026-06-15").text(merger);
    service.ingest_publications([merger]).await;
    for uid in [MUSTER, PROBE] {
        let graph = service.get(&format!("/v1/graph/{uid}")).await.body;
        let links = triples(&graph["links"], ["type", "source", "target"]);
        assert_eq!(links, [["acquisition", MUSTER, PROBE].map(str::to_owned)]);
        assert_eq!(graph["links"][0]["provenance"]["date"], "2026-06-15", "{graph}");
    }
}
