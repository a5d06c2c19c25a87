//! Who runs companies, and who is the same person.

use http::StatusCode;
use serde_json::{Value, json};
use tests::{Answer, Service, company};

use crate::notices::{entered, entry, left, notice, published};

const MUSTER: &str = "CHE-600.000.012";
const PROBE: &str = "CHE-600.000.029";
const DRITTE: &str = "CHE-600.000.035";

const EVA: &str = "Muster, Eva, von Chur, in Bern";
const ROLF: &str = "Probe, Rolf, von Thun, in Thun";

/// A list whose rows are read by one member.
fn each<'a>(rows: &'a Value, member: &str) -> Vec<&'a str> {
    let rows = rows.as_array().expect("a list");
    rows.iter().map(|it| it[member].as_str().unwrap_or_default()).collect()
}

/// Eva presides over Muster AG and, since it was founded, Probe AG; Rolf signs for the former, and was
/// its president before.
async fn running() -> Service {
    let service = Service::start().await;
    let rolf = entered(&format!("{ROLF}, Präsident, mit Einzelunterschrift"));
    let eva = entered(&format!(
        "{EVA}, Präsidentin des Verwaltungsrates, mit Einzelunterschrift; \
         {ROLF}, mit Kollektivprokura zu zweien [bisher: Präsident, mit Einzelunterschrift]"
    ));
    let both = entered(&format!(
        "{EVA}, Mitglied des Verwaltungsrates, mit Kollektivunterschrift zu zweien; \
         {ROLF}, Präsident des Verwaltungsrates, mit Kollektivunterschrift zu zweien"
    ));
    published(
        &service,
        [
            entry(1, "2020-01-06", MUSTER, "Muster AG", &rolf),
            notice(2, "2024-05-06", MUSTER, "Muster AG", &eva),
            entry(3, "2025-05-05", PROBE, "Probe AG", &both),
        ],
    )
    .await;
    service
}

async fn found(service: &Service, query: &str) -> Answer {
    let answer = service.get(&format!("/v1/persons/search?{query}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{query}: {}", answer.text);
    answer
}

async fn id_of(service: &Service, name: &str) -> String {
    let answer = found(service, &format!("q={name}")).await;
    assert_eq!(answer.body["total"], 1, "{name}: {}", answer.text);
    answer.body["items"][0]["id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn officers_stand_with_their_powers_and_the_publication_that_proves_them() {
    let service = running().await;
    let board = service.get(&format!("/v1/persons/board-members/{MUSTER}")).await;
    assert_eq!(each(&board.body, "lastName"), ["Muster", "Probe"], "the board first");
    assert_eq!(each(&board.body, "roleCategory"), ["board", "signatory"]);
    let eva = &board.body[0];
    for (member, value) in [
        ("firstName", json!("Eva")),
        ("role", json!("Präsidentin des Verwaltungsrates")),
        ("origin", json!("Chur")),
        ("nationalityIso", json!("CH")),
        ("residence", json!("Bern")),
        ("signingAuthority", json!("sole")),
        ("since", json!("2024-05-06")),
        ("roleSource", json!("shab")),
        ("roleConfidence", json!(0.95)),
    ] {
        assert_eq!(eva[member], value, "{member}");
    }
    let proof =
        "https://www.shab.ch/#!/search/publications/detail/00000000-0000-4000-8000-000000000002";
    assert_eq!(eva["source"]["reference"], proof);
    assert_eq!(board.body[1]["since"], "2020-01-06", "a changed role began when it was entered");
}

#[tokio::test]
async fn the_officers_of_a_day_are_those_of_that_day() {
    let service = running().await;
    let then = service.get(&format!("/v1/persons/board-members/{MUSTER}?asOf=2021-01-01")).await;
    assert_eq!(each(&then.body, "lastName"), ["Probe"]);
    assert_eq!(then.body[0]["role"], "Präsident");
    let before = service.get(&format!("/v1/persons/board-members/{MUSTER}?asOf=2019-12-31")).await;
    assert_eq!(before.status, StatusCode::NOT_FOUND, "{}", before.text);
}

#[tokio::test]
async fn a_company_without_officers_has_an_empty_list_and_an_unknown_one_none() {
    let service = Service::with([company(MUSTER, "Muster AG")]).await;
    let none = service.get(&format!("/v1/persons/board-members/{MUSTER}")).await;
    assert_eq!((none.status, none.body), (StatusCode::OK, json!([])));
    let unknown = service.get(&format!("/v1/persons/board-members/{PROBE}")).await;
    assert_eq!(unknown.slug(), "not-found");
}

#[tokio::test]
async fn officers_come_in_pages_of_up_to_500() {
    let service = running().await;
    let second =
        service.get(&format!("/v1/persons/board-members/{MUSTER}?pageSize=1&page=2")).await;
    assert_eq!(each(&second.body, "lastName"), ["Probe"]);
    let beyond = format!("/v1/persons/board-members/{MUSTER}?page=4294967295&pageSize=500");
    assert_eq!(service.get(&beyond).await.body, json!([]));
    for (query, member) in [("pageSize=501", "pageSize"), ("page=0", "page"), ("asOf=then", "asOf")]
    {
        let refused = service.get(&format!("/v1/persons/board-members/{MUSTER}?{query}")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{query}");
        assert_eq!(refused.body["errors"][0]["member"], member);
    }
}

#[tokio::test]
async fn persons_are_found_by_name_and_counted_by_role() {
    let service = running().await;
    let eva = found(&service, "q=muster+eva").await;
    let first = &eva.body["items"][0];
    assert_eq!(
        (&first["fullName"], &first["placeOfOrigin"]),
        (&json!("Eva Muster"), &json!("Chur"))
    );
    assert_eq!(first["nationalityDisplay"], "Switzerland");
    assert_eq!((&first["roleCount"], &first["confidence"]), (&json!(2), &json!(0.95)));
    assert!(eva.header("x-data-generation").is_some());
    assert_eq!(found(&service, "signingAuthority=sole").await.body["total"], 1);
    assert_eq!(found(&service, "q=niemand").await.body["items"], json!([]));
    let refused = service.get("/v1/persons/search?roleCategory=bord").await;
    assert!(refused.detail().contains("the nearest is `board`"), "{}", refused.text);
}

#[tokio::test]
async fn a_foreigner_is_of_the_country_that_the_words_name() {
    let service = Service::start().await;
    let text = entered("Test, Anna, deutsche Staatsangehörige, in Zürich, mit Einzelunterschrift");
    published(&service, [notice(1, "2026-01-05", MUSTER, "Muster AG", &text)]).await;
    let found = found(&service, "q=anna").await;
    let anna = &found.body["items"][0];
    assert_eq!(anna["nationality"], "deutsche Staatsangehörige");
    assert_eq!(
        (&anna["nationalityIso"], &anna["nationalityDisplay"]),
        (&json!("DE"), &json!("Germany"))
    );
}

#[tokio::test]
async fn a_person_stands_with_every_role_the_current_and_newest_first() {
    let service = running().await;
    let gone = left(&format!("{EVA}, Präsidentin des Verwaltungsrates, mit Einzelunterschrift"));
    published(&service, [notice(4, "2026-02-02", MUSTER, "Muster AG", &gone)]).await;
    let id = id_of(&service, "Eva+Muster").await;
    let eva = service.get(&format!("/v1/persons/{id}")).await;
    assert_eq!((&eva.body["id"], &eva.body["fullName"]), (&json!(id), &json!("Eva Muster")));
    let roles = &eva.body["roles"];
    assert_eq!(each(roles, "companyName"), ["Probe AG", "Muster AG"]);
    assert_eq!(each(roles, "changeAction"), ["entered", "left"]);
    assert_eq!((&roles[0]["isCurrent"], &roles[1]["isCurrent"]), (&json!(true), &json!(false)));
    assert_eq!(
        (&roles[1]["startDate"], &roles[1]["endDate"]),
        (&json!("2024-05-06"), &json!("2026-02-02"))
    );
    assert_eq!((&eva.body["mergedIds"], &eva.body["possiblySame"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn an_id_that_nobody_has_is_not_found() {
    let service = running().await;
    for id in ["0199c0de-0000-7000-8000-000000000000", "somebody"] {
        for path in ["", "/network"] {
            let answer = service.get(&format!("/v1/persons/{id}{path}")).await;
            assert_eq!(
                (answer.status, answer.slug()),
                (StatusCode::NOT_FOUND, "not-found"),
                "{id}"
            );
        }
    }
}

#[tokio::test]
async fn whoever_moves_stays_one_person_under_either_id() {
    let service = running().await;
    let before = id_of(&service, "Eva+Muster").await;
    let moved = entered(
        "Muster, Eva, von Chur, in Genf, Präsidentin des Verwaltungsrates, mit Einzelunterschrift \
         [bisher: in Bern]",
    );
    // Where she is entered for the first time, nothing tells that she lived elsewhere.
    let anew = entered("Muster, Eva, von Chur, in Genf, Mitglied, mit Einzelunterschrift");
    published(
        &service,
        [
            notice(4, "2026-03-02", MUSTER, "Muster AG", &moved),
            entry(5, "2026-03-09", DRITTE, "Dritte AG", &anew),
        ],
    )
    .await;
    assert_eq!(id_of(&service, "Eva+Muster").await, before, "the first id stays");
    let eva = service.get(&format!("/v1/persons/{before}")).await;
    assert_eq!(each(&eva.body["roles"], "companyName").len(), 3);
    assert_eq!(eva.body["residence"], "Genf");
    let other = eva.body["mergedIds"][0].as_str().expect("another id").to_owned();
    let same = service.get(&format!("/v1/persons/{other}")).await;
    assert_eq!((&same.body["id"], &same.body["roles"]), (&json!(other), &eva.body["roles"]));
    assert_eq!(same.body["mergedIds"], json!([before]));
}

#[tokio::test]
async fn a_son_beside_his_father_is_somebody_else() {
    let service = running().await;
    let son = entered("Probe, Rolf, von Thun, in Bern, Mitglied, mit Einzelunterschrift");
    published(&service, [notice(4, "2026-03-02", MUSTER, "Muster AG", &son)]).await;
    let both = found(&service, "q=Rolf+Probe").await;
    assert_eq!(both.body["total"], 2, "{}", both.text);
    let board = service.get(&format!("/v1/persons/board-members/{MUSTER}")).await;
    let mut residences = each(&board.body, "residence");
    residences.sort_unstable();
    assert_eq!(residences, ["Bern", "Bern", "Thun"]);
}

#[tokio::test]
async fn namesakes_stay_two_and_are_said_to_be_possibly_one() {
    let service = running().await;
    let namesake = entered("Muster, Eva, von Chur, in Basel, Mitglied, mit Einzelunterschrift");
    published(&service, [entry(4, "2026-03-02", DRITTE, "Dritte AG", &namesake)]).await;
    let both = found(&service, "q=Eva+Muster").await;
    let ids = each(&both.body["items"], "id");
    assert_eq!((ids.len(), &both.body["total"]), (2, &json!(2)));
    let first = service.get(&format!("/v1/persons/{}", ids[0])).await;
    assert_eq!(first.body["roles"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        (&first.body["mergedIds"], &first.body["possiblySame"]),
        (&json!([]), &json!([ids[1]]))
    );
}

#[tokio::test]
async fn a_network_counts_the_companies_that_two_people_share() {
    let service = running().await;
    let alone = entered("Einzeln, Otto, von Uri, in Altdorf, Mitglied, mit Einzelunterschrift");
    published(&service, [notice(4, "2026-03-02", PROBE, "Probe AG", &alone)]).await;
    let id = id_of(&service, "Eva+Muster").await;
    let network = service.get(&format!("/v1/persons/{id}/network")).await.body;
    assert_eq!(
        network["person"],
        json!({ "id": id, "fullName": "Eva Muster", "firstName": "Eva", "lastName": "Muster" })
    );
    assert_eq!(each(&network["companies"], "name"), ["Probe AG", "Muster AG"]);
    assert_eq!(
        each(&network["coDirectors"], "name"),
        ["Rolf Probe", "Otto Einzeln"],
        "most shared first"
    );
    assert_eq!(network["coDirectors"][0]["sharedCompanies"], 2);
    assert_eq!(
        network["coDirectors"][1]["companies"],
        json!([{ "uid": PROBE, "name": "Probe AG" }])
    );
    let stats =
        json!({ "totalCompanies": 2, "activeRoles": 2, "coDirectorCount": 2, "truncated": false });
    assert_eq!(network["stats"], stats);
}

#[tokio::test]
async fn companies_are_found_by_who_runs_them_and_by_how_much_has_changed() {
    let service = running().await;
    let of_eva = service.get("/v1/companies?boardMemberSearch=eva+muster&sortBy=name").await;
    assert_eq!((of_eva.names(), &of_eva.body["total"]), (vec!["Muster AG", "Probe AG"], &json!(2)));
    let both = service.get("/v1/companies?boardMemberSearch=rolf&search=probe").await;
    assert_eq!(both.names(), ["Probe AG"]);
    assert_eq!(service.get("/v1/companies?boardMemberSearch=niemand").await.body["total"], 0);
    let changed = service.get("/v1/companies?minChanges=4").await;
    assert_eq!(changed.names(), ["Muster AG"], "{}", changed.text);
}
