//! Connections between several companies.

use access::Tier;
use domain::{
    Company,
    company::{Affiliation, AffiliationKind},
};
use http::StatusCode;
use publications::Publication;
use serde_json::{Value, json};
use tests::{Answer, Service, company};

const FIRST: &str = "CHE-600.000.012";
const SECOND: &str = "CHE-600.000.029";
const THIRD: &str = "CHE-600.000.035";
const EVA: &str = "Muster, Eva, von Chur, in Bern, Mitglied, mit Einzelunterschrift";
const MAX: &str = "Beispiel, Max, von Thun, in Thun, mit Kollektivprokura zu zweien";

async fn post(service: &Service, key: &str, body: Value) -> Answer {
    service.post_as(key, "/v1/network/analyze", body).await
}

async fn analyze(service: &Service, key: &str, uids: &[&str], overlay: &str) -> Value {
    let answer = post(service, key, json!({ "uids": uids, "overlay": overlay })).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.body
}

/// Three companies: the first two share a member of the board, the last two somebody with a procuration.
async fn service() -> Service {
    let service = Service::start().await;
    let entered = |number: u64, uid: &str, name: &str, persons: &str| {
        Publication::registration(uid, name).number(number).persons_entered(persons)
    };
    let both = format!("{EVA}; {MAX}");
    service
        .ingest_publications([
            entered(1, FIRST, "Erste AG", EVA),
            entered(2, SECOND, "Zweite AG", &both),
            entered(3, THIRD, "Dritte AG", MAX),
        ])
        .await;
    service
}

fn ids(list: &Value, member: &str) -> Vec<String> {
    let list = list.as_array().expect("a list").iter();
    list.map(|it| it[member].as_str().expect("a text").to_owned()).collect()
}

#[tokio::test]
async fn shared_persons_connect_companies_and_the_board_only_its_members() {
    let service = service().await;
    let key = service.key(Tier::Professional).await;
    let all = analyze(&service, &key, &[FIRST, SECOND, THIRD], "persons").await;
    let roles = all["nodes"].as_array().expect("a list").iter();
    let roles: Vec<(&Value, &Value)> = roles.map(|it| (&it["name"], &it["role"])).collect();
    assert!(roles.contains(&(&json!("Eva Muster"), &json!("Mitglied"))), "{roles:?}");
    assert!(roles.contains(&(&json!("Erste AG"), &Value::Null)), "{roles:?}");
    let [cluster] = all["clusters"].as_array().expect("a list").as_slice() else { panic!("{all}") };
    assert_eq!(cluster["companyUids"], json!([FIRST, SECOND, THIRD]));
    let mut shared: Vec<&str> = cluster["sharedPersons"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    shared.sort_unstable();
    assert_eq!(shared, ["Eva Muster", "Max Beispiel"]);
    assert_eq!(cluster["confidence"], 0.95);
    assert_eq!(all["bridges"].as_array().map(Vec::len), Some(3), "{all}");
    assert_eq!(&ids(&all["nodes"], "id")[..3], [FIRST, SECOND, THIRD]);
    let board = analyze(&service, &key, &[FIRST, SECOND, THIRD], "board-members").await;
    let [cluster] = board["clusters"].as_array().expect("a list").as_slice() else {
        panic!("{board}")
    };
    assert_eq!(cluster["companyUids"], json!([FIRST, SECOND]));
    assert_eq!(cluster["sharedPersons"], json!(["Eva Muster"]));
}

#[tokio::test]
async fn persons_who_may_be_different_connect_nothing() {
    let service = Service::start().await;
    let unsure = "Muster, Eva, in Bern, Mitglied, mit Einzelunterschrift";
    let entered = |number: u64, uid: &str, name: &str| {
        Publication::registration(uid, name).number(number).persons_entered(unsure)
    };
    let publications = [entered(1, FIRST, "Erste AG"), entered(2, SECOND, "Zweite AG")];
    service.ingest_publications(publications).await;
    let key = service.key(Tier::Professional).await;
    let all = analyze(&service, &key, &[FIRST, SECOND], "persons").await;
    assert_eq!(all["clusters"], json!([]));
    let same = &all["sameNames"][0];
    assert_eq!(
        (&same["name"], same["persons"].as_array().map(Vec::len)),
        (&json!("Eva Muster"), Some(2))
    );
    let person = &all["nodes"][2];
    assert_eq!((&person["type"], &person["identityConfidence"]), (&json!("person"), &json!(0.5)));
}

fn at(uid: &str, street: &str) -> Company {
    let mut company = company(uid, "Muster AG");
    company.address_street = Some(street.to_owned());
    company.address_house_number = Some("1".into());
    company.address_zip_code = Some("3011".into());
    company.address_city = Some("Bern".into());
    company
}

#[tokio::test]
async fn equal_addresses_connect_companies_in_any_spelling() {
    let companies = [at(FIRST, "Gasse"), at(SECOND, "GASSE"), at(THIRD, "Weg")];
    let service = Service::with(companies).await;
    let key = service.key(Tier::Professional).await;
    let all = analyze(&service, &key, &[FIRST, SECOND, THIRD], "addresses").await;
    let [cluster] = all["clusters"].as_array().expect("a list").as_slice() else { panic!("{all}") };
    assert_eq!(cluster["companyUids"], json!([FIRST, SECOND]));
    assert_eq!(cluster["sharedPersons"], json!([]));
    assert_eq!(cluster["connectors"][0]["type"], "address");
}

#[tokio::test]
async fn common_head_office_connects_branches() {
    let service = Service::start().await;
    let branch = |number: u64, uid: &str, name: &str| {
        Publication::registration(uid, name).number(number).head_office(THIRD, "Haupt AG")
    };
    let head = Publication::registration(THIRD, "Haupt AG").number(3);
    let publications =
        [branch(1, FIRST, "Erste Filiale"), branch(2, SECOND, "Zweite Filiale"), head];
    service.ingest_publications(publications).await;
    let key = service.key(Tier::Professional).await;
    let all = analyze(&service, &key, &[FIRST, SECOND], "ownership").await;
    let [cluster] = all["clusters"].as_array().expect("a list").as_slice() else { panic!("{all}") };
    assert_eq!(cluster["companyUids"], json!([FIRST, SECOND]));
    assert_eq!(cluster["connectors"][0]["id"], THIRD);
    assert!(
        all["links"].as_array().is_some_and(|it| it.iter().all(|it| it["type"] == "head_office"))
    );
}

#[tokio::test]
async fn an_owner_that_two_sources_name_is_one_node() {
    let mut branch: Company = company(FIRST, "Erste Filiale");
    let affiliation = |kind, uid| Affiliation { kind, uid, name: "Haupt AG".to_owned() };
    let uid = THIRD.parse().ok();
    branch.affiliations.push(affiliation(AffiliationKind::HeadOffice, uid));
    // GLEIF names the same company, without its number.
    branch.affiliations.push(affiliation(AffiliationKind::ConsolidatedBy, None));
    branch.direct_parent_lei = Some("549300AAAAAAAAAAAA08".parse().expect("valid"));
    let service = Service::with([branch, company(THIRD, "Haupt AG")]).await;
    let key = service.key(Tier::Professional).await;
    let all = analyze(&service, &key, &[FIRST], "ownership").await;
    assert_eq!(ids(&all["nodes"], "id"), [FIRST, THIRD], "{all}");
}

#[tokio::test]
async fn invalid_requests_are_refused() {
    let service = service().await;
    let key = service.key(Tier::Professional).await;
    let many: Vec<String> = (0..51).map(|it| format!("CHE-600.001.{it:03}")).collect();
    for (bad, member) in [
        (json!({ "uids": many }), "uids"),
        (json!({ "uids": [] }), "uids"),
        (json!({ "uids": [FIRST, "CHE600000012"] }), "uids"),
        (json!({ "uids": ["x"] }), "uids"),
        (json!({ "uids": [FIRST], "overlay": "person" }), "overlay"),
    ] {
        let answer = post(&service, &key, bad.clone()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{bad} {answer:?}");
        let found = answer.body["errors"][0]["member"].as_str().unwrap_or_default();
        assert!(found.starts_with(member), "{bad} {answer:?}");
    }
    let unknown = post(&service, &key, json!({ "uids": [FIRST, "CHE-600.001.001"] })).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    assert!(unknown.body["detail"].as_str().is_some_and(|it| it.contains("CHE-600.001.001")));
    let starter = service.key(Tier::Starter).await;
    let refused = post(&service, &starter, json!({ "uids": [FIRST] })).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}
