//! Owners in public view: partners of limited liability companies, and what companies report to GLEIF about their parents.

use domain::Source;
use http::StatusCode;
use publications::Publication;
use serde_json::{Value, json};
use tests::{Service, company};

const GMBH: &str = "CHE-600.000.026";
const HOLDING: &str = "CHE-600.000.029";

/// The registration of a limited liability company with a capital of CHF 20,000.
fn registration(partners: &str) -> Publication {
    Publication::limited_company(GMBH, "Muster GmbH").on("2026-01-05").persons_entered(partners)
}

/// A later notice, whose text alone states what changes.
fn mutation(text: &str) -> Publication {
    let publication = Publication::mutation(GMBH, "Muster GmbH").number(2).on("2026-03-02");
    publication.legal_form("0107").text(text).without_block_after()
}

const ANNA: &str = "Meier, Anna, von Chur, in Thun, Gesellschafterin und Geschäftsführerin, mit Einzelunterschrift, \
                    mit 5 Stammanteilen zu je CHF 1'000.00";
const FIRM: &str = "Holding AG (CHE-600.000.029), in Bern, Gesellschafterin, mit 15 Stammanteilen zu je CHF 1'000.00";

/// A limited liability company that belongs to a holding and to a person.
async fn service() -> Service {
    let service = Service::with([company(HOLDING, "Holding AG")]).await;
    service.ingest_publications([registration(&format!("{ANNA}; {FIRM}"))]).await;
    service
}

async fn get(service: &Service, path: &str) -> Value {
    let answer = service.get(path).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
    answer.body
}

async fn of(service: &Service, uid: &str, path: &str) -> Value {
    get(service, &format!("/v1/companies/{uid}/{path}")).await
}

#[tokio::test]
async fn partners_are_in_the_record_the_structure_and_the_hierarchy() {
    let service = service().await;
    let structure = of(&service, GMBH, "structure").await;
    let [holding, anna] = structure["quotaHolders"].as_array().expect("a list").as_slice() else {
        panic!("{structure}")
    };
    assert_eq!((&holding["name"], &holding["kind"]), (&json!("Holding AG"), &json!("company")));
    assert_eq!((&holding["uid"], &holding["percentage"]), (&json!(HOLDING), &json!(75.0)));
    assert_eq!((&anna["name"], &anna["kind"]), (&json!("Anna Meier"), &json!("person")));
    assert_eq!(anna.get("uid"), None);
    for (member, value) in [
        ("count", json!(5)),
        ("nominalValue", json!(1_000)),
        ("total", json!(5_000)),
        ("currency", json!("CHF")),
        ("percentage", json!(25.0)),
        ("since", json!("2026-01-05")),
    ] {
        assert_eq!(anna[member], value, "{member}: {anna}");
    }
    assert_eq!(anna["source"]["source"], "shab");
    assert_eq!(structure["quotaHolderCount"], 2);
    let record = get(&service, &format!("/v1/companies/{GMBH}")).await;
    assert_eq!(record["quotaHolders"], structure["quotaHolders"]);
    let hierarchy = of(&service, GMBH, "hierarchy").await;
    assert_eq!(hierarchy["quotaHolders"], structure["quotaHolders"]);
    let parent = &hierarchy["parent"];
    assert_eq!((&parent["uid"], &parent["percentage"]), (&json!(HOLDING), &json!(75.0)));
    assert_eq!(parent["confidence"], "register");
}

#[tokio::test]
async fn a_partner_that_is_a_company_has_the_participation_on_its_side() {
    let service = service().await;
    let structure = of(&service, HOLDING, "structure").await;
    let [participation] = structure["participations"].as_array().expect("a list").as_slice() else {
        panic!("{structure}")
    };
    assert_eq!((&participation["uid"], &participation["percentage"]), (&json!(GMBH), &json!(75.0)));
    let hierarchy = of(&service, HOLDING, "hierarchy").await;
    assert_eq!(hierarchy["subsidiaries"][0]["uid"], GMBH);
    let relationships = of(&service, HOLDING, "relationships").await;
    let first = &relationships[0];
    assert_eq!(
        (&first["relatedUid"], &first["relationshipType"]),
        (&json!(GMBH), &json!("participation"))
    );
    assert_eq!(first["percentage"], 75.0);
}

#[tokio::test]
async fn relationships_list_persons_who_hold_shares() {
    let service = service().await;
    let relationships = of(&service, GMBH, "relationships").await;
    let holders: Vec<&Value> = relationships
        .as_array()
        .expect("a list")
        .iter()
        .filter(|it| it["relationshipType"] == "quota_holder")
        .collect();
    let [holding, anna] = holders.as_slice() else { panic!("{relationships}") };
    assert_eq!(
        (&holding["relatedUid"], &holding["relatedName"]),
        (&json!(HOLDING), &json!("Holding AG"))
    );
    assert_eq!((anna.get("relatedUid"), &anna["relatedName"]), (None, &json!("Anna Meier")));
    for holder in holders {
        assert_eq!(holder["quotaHolder"]["name"], holder["relatedName"]);
        assert_eq!(holder["percentage"], holder["quotaHolder"]["percentage"]);
        assert_eq!(holder["sharedPersons"], json!([]));
    }
}

#[tokio::test]
async fn the_graph_links_partners_with_their_share() {
    let service = service().await;
    let graph = get(&service, &format!("/v1/graph/{GMBH}")).await;
    let name = |id: &Value| {
        let nodes = graph["nodes"].as_array().expect("a list");
        let node = nodes.iter().find(|it| it["id"] == *id).expect("a node");
        (node["name"].as_str().unwrap_or_default(), node["type"].as_str().unwrap_or_default())
    };
    let links = graph["links"].as_array().expect("a list");
    let mut held: Vec<_> = links
        .iter()
        .filter(|it| it["type"] == "quota_holder")
        .map(|it| (name(&it["source"]), name(&it["target"]).0, it["percentage"].as_f64()))
        .collect();
    held.sort_unstable_by_key(|(source, _, _)| source.0);
    assert_eq!(
        held,
        [
            (("Anna Meier", "person"), "Muster GmbH", Some(25.0)),
            (("Holding AG", "company"), "Muster GmbH", Some(75.0)),
        ]
    );
    let file = service.get(&format!("/v1/graph/{GMBH}/export")).await;
    assert_eq!(file.text.matches("<data key=\"percentage\">").count(), 2, "{}", file.text);
}

#[tokio::test]
async fn the_fingerprint_counts_partners_and_names_the_majority() {
    let service = service().await;
    let fingerprint = of(&service, GMBH, "fingerprint").await;
    assert_eq!(fingerprint["quotaHolderCount"], 2);
    assert_eq!(fingerprint["majorityHolder"], "Holding AG");
    assert_eq!(fingerprint["hasParentCompany"], true);
    let other = of(&service, HOLDING, "fingerprint").await;
    assert_eq!((other.get("quotaHolderCount"), &other["hasParentCompany"]), (None, &json!(false)));
}

#[tokio::test]
async fn a_transfer_changes_the_owners_and_past_days_keep_theirs() {
    let service = service().await;
    let sold = "Ausgeschiedene Personen und erloschene Unterschriften: Holding AG (CHE-600.000.029), in Bern, \
                Gesellschafterin, mit 15 Stammanteilen zu je CHF 1'000.00. Eingetragene Personen neu oder mutierend: Meier, \
                Anna, von Chur, in Thun, Gesellschafterin und Geschäftsführerin, mit Einzelunterschrift, mit 20 \
                Stammanteilen zu je CHF 1'000.00 [bisher: mit 5 Stammanteilen zu je CHF 1'000.00].";
    service.ingest_publications([mutation(sold)]).await;
    let holders = |record: &Value| -> Vec<(String, Option<f64>)> {
        let holders = record["quotaHolders"].as_array().expect("a list").iter();
        let text = |it: &Value| it["name"].as_str().unwrap_or_default().to_owned();
        holders.map(|it| (text(it), it["percentage"].as_f64())).collect()
    };
    let now = get(&service, &format!("/v1/companies/{GMBH}")).await;
    assert_eq!(holders(&now), [("Anna Meier".to_owned(), Some(100.0))]);
    let then = get(&service, &format!("/v1/companies/{GMBH}?asOf=2026-02-01")).await;
    assert_eq!(
        holders(&then),
        [("Holding AG".to_owned(), Some(75.0)), ("Anna Meier".to_owned(), Some(25.0))]
    );
    let members = get(&service, &format!("/v1/persons/board-members/{GMBH}")).await;
    let anna = members.as_array().expect("a list");
    let periods: Vec<_> = anna[0]["holdings"]
        .as_array()
        .unwrap_or_else(|| panic!("{members}"))
        .iter()
        .map(|it| (it["since"].as_str(), it["until"].as_str(), it["percentage"].as_f64()))
        .collect();
    assert_eq!(
        periods,
        [
            (Some("2026-01-05"), Some("2026-03-02"), Some(25.0)),
            (Some("2026-03-02"), None, Some(100.0)),
        ]
    );
}

#[tokio::test]
async fn official_files_of_gleif_state_the_parent_and_the_reasons_for_naming_none() {
    const CHILD: &str = "549300AAAAAAAAAAAA08";
    const PARENT: &str = "5493001KJTIIGC8Y1R12";
    let service = Service::start().await;
    service.ingest_publications([registration(ANNA)]).await;
    let level1 = format!(
        "LEI,Entity.LegalName,Entity.RegistrationAuthority.RegistrationAuthorityID,\
         Entity.RegistrationAuthority.RegistrationAuthorityEntityID,Registration.RegistrationStatus,\
         Registration.LastUpdateDate\n{CHILD},Muster GmbH,RA000548,{GMBH},ISSUED,2026-01-03T00:00:00Z\n"
    );
    let relationships = format!(
        "Relationship.StartNode.NodeID,Relationship.EndNode.NodeID,Relationship.RelationshipType,\
         Relationship.RelationshipStatus,Relationship.Quantifiers.1.QuantifierAmount,\
         Relationship.Quantifiers.1.QuantifierUnits,Registration.LastUpdateDate,Registration.RegistrationStatus\n\
         {CHILD},{PARENT},IS_DIRECTLY_CONSOLIDATED_BY,ACTIVE,80.5,PERCENTAGE,2026-02-03T00:00:00Z,PUBLISHED\n\
         {PARENT},{CHILD},IS_FUND-MANAGED_BY,ACTIVE,,,2026-02-03T00:00:00Z,PUBLISHED\n"
    );
    let exceptions = format!(
        "LEI,Exception.Category,Exception.Reason.1\n\
         {CHILD},ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT,NON_CONSOLIDATING\n"
    );
    for (file, statements) in [(level1, 1), (relationships, 1), (exceptions, 1)] {
        let read = ingest::resolve::read(Source::Gleif, file.as_bytes()).expect("an official file");
        let registry = &service.cloud.registry;
        let batch = read.resolve_in(&service.generations, registry).await.expect("resolved");
        assert_eq!((batch.statements.len(), batch.rejected.len()), (statements, 0), "{file}");
        service.ingest(Source::Gleif, batch).await;
        service.publish().await;
    }
    let hierarchy = of(&service, GMBH, "hierarchy").await;
    // The official files contain identifiers only.
    assert_eq!(
        (&hierarchy["parent"]["name"], &hierarchy["parent"]["percentage"]),
        (&json!(PARENT), &json!(80.5))
    );
    assert_eq!(hierarchy["parent"]["source"]["source"], "gleif");
    let exceptions = json!([{ "parent": "ultimate", "reasons": ["NON_CONSOLIDATING"] }]);
    assert_eq!(hierarchy["parentExceptions"], exceptions);
    assert_eq!(of(&service, GMBH, "structure").await["parentExceptions"], exceptions);
    let relationships = of(&service, GMBH, "relationships").await;
    assert_eq!(
        (&relationships[0]["relationshipType"], &relationships[0]["percentage"]),
        (&json!("gleif_parent"), &json!(80.5))
    );
}
