//! Relationships between companies: groups, branches, shared persons, mergers and shareholders.

use domain::{
    Company, Source, Status,
    company::{Affiliation, AffiliationKind},
};
use http::StatusCode;
use publications::Publication;
use serde_json::{Value, json};
use tests::{Service, company};

const HEAD: &str = "CHE-600.000.012";
const BRANCH: &str = "CHE-600.000.029";
const OTHER_BRANCH: &str = "CHE-600.000.035";
const CHILD: &str = "CHE-600.000.041";
const STRANGER: &str = "CHE-600.000.058";
const PATHS: [&str; 4] = ["relationships", "hierarchy", "structure", "acquisitions"];

fn affiliated(
    mut company: Company,
    kind: AffiliationKind,
    uid: Option<&str>,
    name: &str,
) -> Company {
    let uid = uid.map(|it| it.parse().expect("a company number"));
    company.affiliations.push(Affiliation { kind, uid, name: name.to_owned() });
    company
}

#[tokio::test]
async fn a_fingerprint_counts_the_subsidiaries_of_the_hierarchy() {
    const LEI: &str = "549300AAAAAAAAAAAA08";
    let mut head =
        affiliated(company(HEAD, "Muster AG"), AffiliationKind::BranchOffice, Some(BRANCH), "Bern");
    head.lei = Some(LEI.parse().expect("valid"));
    let mut child = company(CHILD, "Tochter AG");
    child.direct_parent_lei = head.lei;
    let mut deleted = company(STRANGER, "Gewesene AG");
    deleted.direct_parent_lei = head.lei;
    deleted.status = Some(Status::Cancelled);
    let branch = company(BRANCH, "Muster AG, Zweigniederlassung Bern");
    let service = Service::with([head, branch, child, deleted]).await;
    let hierarchy = get(&service, HEAD, "hierarchy").await;
    assert_eq!(hierarchy["subsidiaries"].as_array().map(Vec::len), Some(2));
    let fingerprint = service.get(&format!("/v1/companies/{HEAD}/fingerprint")).await.body;
    assert_eq!(fingerprint["subsidiaryCount"], 2);
}

#[tokio::test]
async fn a_parent_abroad_without_swiss_number_is_part_of_the_hierarchy() {
    use AffiliationKind::{ConsolidatedBy, Consolidates};
    const PARENT: &str = "549300AAAAAAAAAAAA08";
    let of_parent = |uid, name| {
        let mut child = affiliated(company(uid, name), ConsolidatedBy, None, "Holding plc");
        child.direct_parent_lei = Some(PARENT.parse().expect("valid"));
        child
    };
    let first = affiliated(of_parent(HEAD, "Muster AG"), Consolidates, None, "Muster GmbH");
    let service = Service::with([first, of_parent(CHILD, "Schwester AG")]).await;
    let hierarchy = get(&service, HEAD, "hierarchy").await;
    assert_eq!(hierarchy["parent"]["name"], "Holding plc");
    assert_eq!(hierarchy["parent"].get("uid"), None);
    assert_eq!(
        rows(&hierarchy["subsidiaries"], ["name", "confidence"]),
        [("Muster GmbH", "gleif")]
    );
    assert_eq!(rows(&hierarchy["siblings"], ["name", "uid"]), [("Schwester AG", CHILD)]);
    let relationships = get(&service, HEAD, "relationships").await;
    assert_eq!(
        rows(&relationships, ["relatedName", "relationshipType"]),
        [("Holding plc", "gleif_parent"), ("Muster GmbH", "gleif_subsidiary")]
    );
    let fingerprint = service.get(&format!("/v1/companies/{HEAD}/fingerprint")).await.body;
    assert_eq!(
        (&fingerprint["hasParentCompany"], &fingerprint["subsidiaryCount"]),
        (&json!(true), &json!(1))
    );
}

#[tokio::test]
async fn a_group_of_more_companies_than_are_read_is_truncated_and_says_so() {
    const PARENT: &str = "549300AAAAAAAAAAAA08";
    let child = |number: u32| {
        let uid = domain::Uid::from_number(610_000_000 + number).expect("a company number");
        let name = format!("Tochter {number} AG");
        let consolidated = AffiliationKind::ConsolidatedBy;
        let mut child =
            affiliated(company(&uid.to_string(), &name), consolidated, None, "Group plc");
        child.direct_parent_lei = Some(PARENT.parse().expect("valid"));
        child
    };
    let branch = |number: u32| {
        let uid = domain::Uid::from_number(700_000_000 + number).expect("a company number");
        let name = format!("Filiale {number}");
        affiliated(
            company(&uid.to_string(), &name),
            AffiliationKind::HeadOffice,
            Some(HEAD),
            "Muster AG",
        )
    };
    let lengths = |hierarchy: &Value| {
        ["subsidiaries", "siblings"].map(|it| hierarchy[it].as_array().expect("a list").len())
    };
    let mut companies: Vec<Company> = (1..=500).map(child).collect();
    companies.extend((1..=501).map(branch));
    companies.push(company(HEAD, "Muster AG"));
    let service = Service::with(companies).await;
    let first = "CHE-610.000.001";
    let whole = get(&service, first, "hierarchy").await;
    assert_eq!((lengths(&whole), &whole["truncated"]), ([0, 499], &json!(false)));

    service.register([child(501)]).await;
    let truncated = get(&service, first, "hierarchy").await;
    assert_eq!(truncated["truncated"], true);
    let [_, siblings] = lengths(&truncated);
    assert!((499..=500).contains(&siblings), "{siblings}");

    let of_head = get(&service, HEAD, "hierarchy").await;
    assert_eq!((lengths(&of_head), &of_head["truncated"]), ([500, 0], &json!(true)));
    let structure = get(&service, HEAD, "structure").await;
    assert_eq!(structure["branchOffices"].as_array().map(Vec::len), Some(500));
    assert_eq!(structure["truncated"], true);
}

/// A head office that names one of its two branches, a subsidiary according to GLEIF, and an unrelated company.
fn family() -> Vec<Company> {
    let mut head =
        affiliated(company(HEAD, "Muster AG"), AffiliationKind::BranchOffice, Some(BRANCH), "Alt");
    head.lei = Some("5493001KJTIIGC8Y1R12".parse().expect("valid"));
    let mut child = company(CHILD, "Tochter AG");
    child.direct_parent_lei = head.lei;
    let branch = |uid, name| {
        affiliated(company(uid, name), AffiliationKind::HeadOffice, Some(HEAD), "Muster AG")
    };
    let branches =
        [branch(BRANCH, "Muster AG, Filiale"), branch(OTHER_BRANCH, "Muster AG, Zweite")];
    branches.into_iter().chain([head, child, company(STRANGER, "Fremd AG")]).collect()
}

fn rows<'a>(rows: &'a Value, members: [&str; 2]) -> Vec<(&'a str, &'a str)> {
    let text = |row: &'a Value, member: &str| row[member].as_str().unwrap_or_default();
    let rows = rows.as_array().expect("a list");
    rows.iter().map(|it| (text(it, members[0]), text(it, members[1]))).collect()
}

async fn get(service: &Service, uid: &str, path: &str) -> Value {
    let answer = service.get(&format!("/v1/companies/{uid}/{path}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
    assert!(answer.header("x-data-generation").is_some());
    answer.body
}

#[tokio::test]
async fn a_relationship_stated_by_either_company_is_listed_once_for_both() {
    let service = Service::with(family()).await;
    let of_head = get(&service, HEAD, "relationships").await;
    assert_eq!(
        rows(&of_head, ["relatedName", "relationshipType"]),
        [
            ("Muster AG, Filiale", "branch_office"),
            ("Muster AG, Zweite", "branch_office"),
            ("Tochter AG", "gleif_subsidiary"),
        ]
    );
    let of_child = get(&service, CHILD, "relationships").await;
    assert_eq!(rows(&of_child, ["relatedUid", "relationshipType"]), [(HEAD, "gleif_parent")]);
    let of_branch = get(&service, OTHER_BRANCH, "relationships").await;
    assert_eq!(rows(&of_branch, ["relatedUid", "relationshipType"]), [(HEAD, "head_office")]);
    assert_eq!(of_branch[0]["sharedPersons"], json!([]));
}

#[tokio::test]
async fn a_branch_stated_only_by_a_publication_is_listed_for_both_companies() {
    let service = Service::start().await;
    let branch =
        Publication::registration(BRANCH, "Muster AG, Filiale").head_office(HEAD, "Muster AG");
    let head = Publication::registration(HEAD, "Muster AG").number(2).on("2026-01-06");
    service.ingest_publications([branch, head]).await;
    let of_branch = get(&service, BRANCH, "relationships").await;
    assert_eq!(rows(&of_branch, ["relatedUid", "relationshipType"]), [(HEAD, "head_office")]);
    assert_eq!(of_branch[0]["source"]["date"], "2026-01-05");
    let of_head = get(&service, HEAD, "relationships").await;
    assert_eq!(rows(&of_head, ["relatedUid", "relationshipType"]), [(BRANCH, "branch_office")]);
}

#[tokio::test]
async fn companies_with_shared_officers_are_related_most_shared_officers_first() {
    let service = Service::start().await;
    let eva = "Muster, Eva, von Chur, in Bern, Mitglied, mit Einzelunterschrift";
    let rolf = "Probe, Rolf, von Thun, in Thun, Präsident, mit Einzelunterschrift";
    let authority = "Aufsicht über Stiftungen (CHE-600.000.087), in Bern, Aufsichtsbehörde";
    let both = format!("{eva}; {rolf}; {authority}");
    let eva = format!("{eva}; {authority}");
    let publications = [
        Publication::mutation(HEAD, "Muster AG").number(1).persons_entered(&both),
        Publication::mutation(BRANCH, "Eins AG").number(2).persons_entered(&eva),
        Publication::mutation(CHILD, "Zwei AG").number(3).persons_entered(&both),
        Publication::mutation(STRANGER, "Fremd AG").number(4).persons_entered(authority),
    ];
    service.ingest_publications(publications).await;
    let related = get(&service, HEAD, "relationships").await;
    assert_eq!(
        rows(&related, ["relatedName", "relationshipType"]),
        [("Zwei AG", "shared_person"), ("Eins AG", "shared_person")],
        "a supervisory authority is not a shared officer"
    );
    let names: Vec<&str> = related[0]["sharedPersons"]
        .as_array()
        .expect("names")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert!(names.len() == 2 && names.contains(&"Eva Muster") && names.contains(&"Rolf Probe"));
    let roles = &related[1]["sharedRoles"];
    let mut person = roles[0].clone();
    assert_eq!(
        person["personId"].take(),
        related[1]["sharedPersonIds"][0],
        "ids and roles are in the same order"
    );
    let proof = |number: u64| {
        let page = "https://www.shab.ch/#!/search/publications/detail/00000000-0000-4000-8000";
        json!({ "source": "shab", "date": "2026-01-05", "reference": format!("{page}-{number:012}") })
    };
    let expected = json!({
        "personId": null, "name": "Eva Muster", "confidence": 0.95,
        "role": "Mitglied", "source": proof(1), "relatedRole": "Mitglied", "relatedSource": proof(2),
    });
    assert_eq!((roles.as_array().map(Vec::len), person), (Some(1), expected));
    assert_eq!((&related[1]["confidence"], &related[1]["source"]), (&json!(0.95), &proof(2)));
    let id = related[1]["sharedPersonIds"][0].as_str().expect("an id");
    let person = service.get(&format!("/v1/persons/{id}")).await;
    assert_eq!(person.body["fullName"], "Eva Muster");
    let hierarchy = get(&service, HEAD, "hierarchy").await;
    assert_eq!(
        hierarchy,
        json!({
            "parentExceptions": [], "quotaHolders": [], "subsidiaries": [], "siblings": [], "truncated": false,
        }),
        "shared officers make no group"
    );
}

#[tokio::test]
async fn the_full_record_contains_the_same_relationships() {
    let service = Service::with(family()).await;
    let eva = "Muster, Eva, von Chur, in Bern, Mitglied, mit Einzelunterschrift";
    let companies = [(1, STRANGER, "Fremd AG"), (2, "CHE-600.000.064", "Eins AG")];
    let publications = companies.map(|(number, uid, name)| {
        Publication::mutation(uid, name).number(number).persons_entered(eva)
    });
    service.ingest_publications(publications).await;
    for (uid, kind) in
        [(STRANGER, "shared_person"), (CHILD, "gleif_parent"), (OTHER_BRANCH, "head_office")]
    {
        let related = get(&service, uid, "relationships").await;
        assert_eq!(related[0]["relationshipType"], kind, "{related}");
        assert_eq!(get(&service, uid, "full").await["relationships"], related);
    }
}

#[tokio::test]
async fn a_hierarchy_has_parent_subsidiaries_and_siblings() {
    let mut family = family();
    let closed = family.iter_mut().find(|it| it.name.ends_with("Filiale")).expect("a branch");
    closed.status = Some(Status::Cancelled);
    let service = Service::with(family).await;
    let of_head = get(&service, HEAD, "hierarchy").await;
    assert!(of_head["parent"].is_null());
    assert_eq!(
        rows(&of_head["subsidiaries"], ["name", "confidence"]),
        [("Muster AG, Zweite", "register"), ("Tochter AG", "gleif")],
        "a closed branch is left out"
    );
    let of_branch = get(&service, OTHER_BRANCH, "hierarchy").await;
    assert_eq!(of_branch["parent"]["uid"], HEAD);
    assert_eq!(of_branch["parent"]["sharedPersonCount"], 0);
}

/// A branch is a part of its head office.
#[tokio::test]
async fn siblings_of_a_branch_are_branches_and_those_of_a_subsidiary_are_none() {
    let mut family = family();
    let mut sister = company(STRANGER, "Schwester AG");
    sister.direct_parent_lei = family.iter().find_map(|it| it.direct_parent_lei);
    family.retain(|it| it.uid != sister.uid);
    let service = Service::with(family.into_iter().chain([sister])).await;
    for (uid, sibling) in [
        (BRANCH, (OTHER_BRANCH, "Muster AG, Zweite")),
        (OTHER_BRANCH, (BRANCH, "Muster AG, Filiale")),
        (CHILD, (STRANGER, "Schwester AG")),
    ] {
        let hierarchy = get(&service, uid, "hierarchy").await;
        assert_eq!(hierarchy["parent"]["uid"], HEAD);
        assert_eq!(rows(&hierarchy["siblings"], ["uid", "name"]), [sibling], "{uid}");
    }
}

#[tokio::test]
async fn a_head_office_without_a_number_is_a_parent() {
    let branch =
        affiliated(company(BRANCH, "Filiale"), AffiliationKind::HeadOffice, None, "Abroad Ltd");
    let service = Service::with([branch]).await;
    let hierarchy = get(&service, BRANCH, "hierarchy").await;
    assert_eq!(hierarchy["parent"]["name"], "Abroad Ltd");
    assert!(hierarchy["parent"].get("uid").is_none());
}

/// Muster AG took over Alt AG by a published merger, and Uralt AG at an unknown date.
async fn merged() -> Service {
    let service = Service::start().await;
    let merger = "Fusion: Übernahme der Aktiven und Passiven der Alt AG, in Thun (CHE-600.000.029), \
                  gemäss Fusionsvertrag vom 01.06.2026 und Bilanz per 31.12.2025.";
    let merger = Publication::mutation(HEAD, "Muster AG").number(7).on("2026-06-15").text(merger);
    service.ingest_publications([merger]).await;
    let older = affiliated(
        company(CHILD, "Uralt AG"),
        AffiliationKind::WasTakenOverBy,
        Some(HEAD),
        "Muster AG",
    );
    service.register([company(BRANCH, "Alt AG"), older]).await;
    service
}

#[tokio::test]
async fn a_structure_lists_offices_and_mergers_stated_by_either_company() {
    let service = Service::with(family()).await;
    let of_head = get(&service, HEAD, "structure").await;
    assert_eq!(of_head["branchOffices"].as_array().map(Vec::len), Some(2));
    assert_eq!(of_head["headOffices"], json!([]));
    let of_branch = get(&service, BRANCH, "structure").await;
    assert_eq!(of_branch["headOffices"], json!([{ "uid": HEAD, "name": "Muster AG" }]));
    let service = merged().await;
    let of_acquirer = get(&service, HEAD, "structure").await;
    assert_eq!(
        rows(&of_acquirer["acquisitions"], ["uid", "name"]),
        [(BRANCH, "Alt AG"), (CHILD, "Uralt AG")]
    );
    let of_acquired = get(&service, CHILD, "structure").await;
    assert_eq!(rows(&of_acquired["acquiredBy"], ["uid", "name"]), [(HEAD, "Muster AG")]);
}

#[tokio::test]
async fn a_structure_lists_the_newest_disclosure_of_each_significant_shareholder() {
    let service = Service::with(family()).await;
    let report = |id: &str, day: u32, rate: f64, below: f64, owner: &str| {
        json!({
            "publication": {
                "notificationId": id, "notificationSubmitter": "Muster AG", "publicationDate": day,
                "transactionDate": 20260101, "purchaseTotalVotingRate": rate, "saleTotalVotingRate": 0.5,
                "belowThresholdVotingRate": below, "triggerComment": ["Purchase"],
            },
            "beneficialNames": [owner], "shareholderNames": [format!("{owner} Holding AG")],
        })
    };
    let items = [
        report("ZA01", 20260105, 5.1, 0.0, "Eva Muster"),
        report("ZA02", 20260210, 10.2, 0.0, "Rolf Probe"),
        report("ZA03", 20260301, 7.3, 0.0, "Eva  MUSTER"),
        report("ZA04", 20260402, 0.0, 3.0, "Urs Beispiel"),
    ];
    let page = |items: &[Value]| {
        json!({ "status": "Ok", "totalCount": items.len(), "itemList": items }).to_string()
    };
    let reversed: Vec<Value> = items.iter().rev().cloned().collect();
    for items in [items.to_vec(), reversed] {
        let read = ingest::resolve::read(Source::Six, page(&items).as_bytes()).expect("a page");
        let registry = &service.cloud.registry;
        let batch = read.resolve_in(&service.generations, registry).await.expect("resolved");
        assert_eq!((batch.statements.len(), batch.rejected.len()), (4, 0));
        service.ingest(Source::Six, batch).await;
        let structure = get(&service, HEAD, "structure").await;
        assert_eq!(structure["branchOffices"].as_array().map(Vec::len), Some(2));
        let holders = &structure["significantShareholders"];
        let rates = holders.as_array().expect("a list").iter();
        let rates: Vec<_> = rates.map(|it| it["votingRightsPercentage"].as_f64()).collect();
        assert_eq!(rates, [Some(10.2), Some(7.3), None], "{holders}");
        assert_eq!(
            holders[1],
            json!({
                "shareholders": ["Eva  MUSTER Holding AG"], "beneficialOwners": ["Eva  MUSTER"],
                "votingRightsPercentage": 7.3, "salePositionsPercentage": 0.5,
                "transactionDate": "2026-01-01", "reasons": ["Purchase"],
                "source": { "source": "six", "reference": "ZA03", "date": "2026-03-01" },
            })
        );
        assert_eq!(holders[2]["belowThresholdPercentage"], 3.0);
    }
}

#[tokio::test]
async fn an_acquisition_has_the_date_and_the_reference_of_its_publication() {
    let service = merged().await;
    let expected = json!({
        "acquirerUid": HEAD, "acquirerName": "Muster AG", "acquiredUid": BRANCH, "acquiredName": "Alt AG",
        "createdAt": "2026-06-15T00:00:00Z",
        "source": {
            "source": "shab", "date": "2026-06-15",
            "reference": "https://www.shab.ch/#!/search/publications/detail/00000000-0000-4000-8000-000000000007",
        },
    });
    let of_acquirer = get(&service, HEAD, "acquisitions").await;
    assert_eq!(of_acquirer.as_array().map(Vec::len), Some(2));
    assert!(of_acquirer.as_array().expect("a list").contains(&expected), "{of_acquirer}");
    assert_eq!(get(&service, BRANCH, "acquisitions").await, json!([expected]));
}

#[tokio::test]
async fn an_unrelated_company_has_empty_lists_and_an_unknown_company_is_not_found() {
    let service = Service::with(family()).await;
    for (path, empty) in PATHS.into_iter().zip([
        json!([]),
        json!({
            "parentExceptions": [], "quotaHolders": [], "subsidiaries": [], "siblings": [], "truncated": false,
        }),
        json!({
            "headOffices": [], "branchOffices": [], "acquisitions": [], "acquiredBy": [],
            "quotaHolders": [], "parentExceptions": [], "participations": [], "significantShareholders": [],
            "truncated": false,
        }),
        json!([]),
    ]) {
        assert_eq!(get(&service, STRANGER, path).await, empty, "{path}");
        let unknown = service.get(&format!("/v1/companies/CHE-000.000.000/{path}")).await;
        assert_eq!(unknown.slug(), "not-found", "{path}");
        let malformed = service.get(&format!("/v1/companies/nestle/{path}")).await;
        assert_eq!(malformed.body["errors"][0]["member"], "uid", "{path}");
    }
}
