//! Officers of companies, and which entries are the same person.

use http::StatusCode;
use publications::Publication;
use serde_json::{Value, json};
use tests::{Answer, Service, company};

const MUSTER: &str = "CHE-600.000.012";
const PROBE: &str = "CHE-600.000.029";
const DRITTE: &str = "CHE-600.000.035";

const EVA: &str = "Muster, Eva, von Chur, in Bern";
const ROLF: &str = "Probe, Rolf, von Thun, in Thun";

/// The texts of one member in every row of a list.
fn texts<'a>(rows: &'a Value, member: &str) -> Vec<&'a str> {
    let rows = rows.as_array().expect("a list");
    rows.iter().map(|it| it[member].as_str().unwrap_or_default()).collect()
}

/// A mutation of Muster AG.
fn muster() -> Publication {
    Publication::mutation(MUSTER, "Muster AG")
}

/// Rolf was president of Muster AG, then became a signatory when Eva became its president. Both are on the
/// board of Probe AG.
async fn service() -> Service {
    let service = Service::start().await;
    let rolf = format!("{ROLF}, Präsident, mit Einzelunterschrift");
    let eva = format!(
        "{EVA}, Präsidentin des Verwaltungsrates, mit Einzelunterschrift; \
         {ROLF}, mit Kollektivprokura zu zweien [bisher: Präsident, mit Einzelunterschrift]"
    );
    let both = format!(
        "{EVA}, Mitglied des Verwaltungsrates, mit Kollektivunterschrift zu zweien; \
         {ROLF}, Präsident des Verwaltungsrates, mit Kollektivunterschrift zu zweien"
    );
    let founded = Publication::registration(MUSTER, "Muster AG");
    let probe = Publication::registration(PROBE, "Probe AG");
    let publications = [
        founded.number(1).on("2020-01-06").persons_entered(&rolf),
        muster().number(2).on("2024-05-06").persons_entered(&eva),
        probe.number(3).on("2025-05-05").persons_entered(&both),
    ];
    service.ingest_publications(publications).await;
    service
}

async fn search(service: &Service, query: &str) -> Answer {
    let answer = service.get(&format!("/v1/persons/search?{query}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{query}: {}", answer.text);
    answer
}

async fn id_of(service: &Service, name: &str) -> String {
    let answer = search(service, &format!("q={name}")).await;
    assert_eq!(answer.body["total"], 1, "{name}: {}", answer.text);
    answer.body["items"][0]["id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn board_members_have_signing_authority_and_the_publication_that_proves_it() {
    let service = service().await;
    let board = service.get(&format!("/v1/persons/board-members/{MUSTER}")).await;
    assert_eq!(
        texts(&board.body, "lastName"),
        ["Muster", "Probe"],
        "board members come before signatories"
    );
    assert_eq!(texts(&board.body, "roleCategory"), ["board", "signatory"]);
    assert_eq!(board.body[1]["role"], "Zeichnungsberechtigte Person");
    assert_eq!(board.body[1]["signature"], "mit Kollektivprokura zu zweien");
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
    assert_eq!(board.body[1]["since"], "2020-01-06", "a changed role keeps its first date");
}

#[tokio::test]
async fn a_role_has_its_own_first_day_and_publication_beside_those_of_the_entry() {
    let service = service().await;
    // In the French, Italian and German wording. Only the second changes the role.
    let signature = format!(
        "{EVA}, Präsidentin des Verwaltungsrates, mit Kollektivunterschrift zu zweien \
                             [bisher: mit Einzelunterschrift]"
    );
    let member = format!(
        "{EVA}, Mitglied des Verwaltungsrates, mit Kollektivunterschrift zu zweien \
                          [bisher: Präsidentin des Verwaltungsrates]"
    );
    service
        .ingest_publications([muster().number(4).on("2025-06-02").persons_entered(&signature)])
        .await;
    let path = format!("/v1/persons/board-members/{MUSTER}?proofs=true");
    let number = |of: &Value| {
        let reference = of["reference"].as_str().expect("a reference");
        reference.rsplit('0').next().map(str::to_owned).expect("digits")
    };
    let days = |of: &Value| {
        let day = |it: &str| of[it].as_str().map(str::to_owned).unwrap_or_default();
        [day("since"), day("roleSince")]
    };
    let proofs = |of: &Value| ["sinceProof", "roleSinceProof", "proof"].map(|it| number(&of[it]));
    let board = service.get(&path).await.body;
    assert_eq!(
        (days(&board[0]), proofs(&board[0])),
        (["2024-05-06".into(), "2024-05-06".into()], ["2", "2", "4"].map(String::from))
    );
    assert_eq!(
        (days(&board[1]), proofs(&board[1])),
        (["2020-01-06".into(), "2024-05-06".into()], ["1", "2", "2"].map(String::from))
    );
    service
        .ingest_publications([muster().number(5).on("2026-01-05").persons_entered(&member)])
        .await;
    let eva = service.get(&path).await.body[0].clone();
    assert_eq!(
        (days(&eva), proofs(&eva)),
        (["2024-05-06".into(), "2026-01-05".into()], ["2", "5", "5"].map(String::from))
    );
    // Somebody whose entry is not known.
    let otto = "Alt, Otto, von Uri, in Altdorf, Mitglied, mit Einzelunterschrift [bisher: ohne Zeichnungsberechtigung]";
    service.ingest_publications([muster().number(6).on("2026-02-02").persons_entered(otto)]).await;
    let board = service.get(&path).await.body;
    let otto =
        board.as_array().expect("a list").iter().find(|it| it["lastName"] == "Alt").expect("Otto");
    assert_eq!((days(otto), &otto["sinceProof"]), ([String::new(), String::new()], &Value::Null));
    let id = eva["id"].as_str().expect("an id");
    let person = service.get(&format!("/v1/persons/{id}")).await.body;
    let roles: Vec<_> = person["roles"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| (&it["startDate"], &it["roleSince"]))
        .collect();
    assert!(roles.contains(&(&json!("2024-05-06"), &json!("2026-01-05"))), "{person}");
}

#[tokio::test]
async fn as_of_returns_the_officers_of_that_date() {
    let service = service().await;
    let early = service.get(&format!("/v1/persons/board-members/{MUSTER}?asOf=2021-01-01")).await;
    assert_eq!(texts(&early.body, "lastName"), ["Probe"]);
    assert_eq!(early.body[0]["role"], "Präsident");
    let before = service.get(&format!("/v1/persons/board-members/{MUSTER}?asOf=2019-12-31")).await;
    assert_eq!(before.status, StatusCode::NOT_FOUND, "{}", before.text);
}

#[tokio::test]
async fn a_company_without_officers_has_an_empty_list_and_an_unknown_company_is_not_found() {
    let service = Service::with([company(MUSTER, "Muster AG")]).await;
    let none = service.get(&format!("/v1/persons/board-members/{MUSTER}")).await;
    assert_eq!((none.status, none.body), (StatusCode::OK, json!([])));
    let unknown = service.get(&format!("/v1/persons/board-members/{PROBE}")).await;
    assert_eq!(unknown.slug(), "not-found");
}

#[tokio::test]
async fn pages_of_board_members_have_at_most_500_items() {
    let service = service().await;
    let second =
        service.get(&format!("/v1/persons/board-members/{MUSTER}?pageSize=1&page=2")).await;
    assert_eq!(texts(&second.body, "lastName"), ["Probe"]);
    let past_the_end = format!("/v1/persons/board-members/{MUSTER}?page=4294967295&pageSize=500");
    assert_eq!(service.get(&past_the_end).await.body, json!([]));
    for (query, member) in [("pageSize=501", "pageSize"), ("page=0", "page"), ("asOf=then", "asOf")]
    {
        let refused = service.get(&format!("/v1/persons/board-members/{MUSTER}?{query}")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{query}");
        assert_eq!(refused.body["errors"][0]["member"], member);
    }
}

#[tokio::test]
async fn persons_are_found_by_name_and_filtered_by_signing_authority() {
    let service = service().await;
    let eva = search(&service, "q=muster+eva").await;
    let first = &eva.body["items"][0];
    assert_eq!(
        (&first["fullName"], &first["placeOfOrigin"]),
        (&json!("Eva Muster"), &json!("Chur"))
    );
    assert_eq!(first["nationalityDisplay"], "Switzerland");
    assert_eq!((&first["roleCount"], &first["confidence"]), (&json!(2), &json!(0.95)));
    assert!(eva.header("x-data-generation").is_some());
    assert_eq!(search(&service, "signingAuthority=sole").await.body["total"], 1);
    assert_eq!(search(&service, "q=niemand").await.body["items"], json!([]));
    let refused = service.get("/v1/persons/search?roleCategory=bord").await;
    assert!(refused.detail().contains("Did you mean `board`?"), "{}", refused.text);
}

#[tokio::test]
async fn a_nationality_in_words_gives_its_country() {
    let service = Service::start().await;
    let anna = "Test, Anna, deutsche Staatsangehörige, in Zürich, mit Einzelunterschrift";
    service.ingest_publications([muster().persons_entered(anna)]).await;
    let found = search(&service, "q=anna").await;
    let anna = &found.body["items"][0];
    assert_eq!(
        (&anna["nationality"], &anna["nationalityText"]),
        (&json!("DE"), &json!("deutsche Staatsangehörige"))
    );
    assert_eq!(
        (&anna["nationalityIso"], &anna["nationalityDisplay"]),
        (&json!("DE"), &json!("Germany"))
    );
}

#[tokio::test]
async fn roles_of_a_person_are_sorted_current_first_then_newest_first() {
    let service = service().await;
    let eva = format!("{EVA}, Präsidentin des Verwaltungsrates, mit Einzelunterschrift");
    service.ingest_publications([muster().number(4).on("2026-02-02").persons_left(&eva)]).await;
    let id = id_of(&service, "Eva+Muster").await;
    let eva = service.get(&format!("/v1/persons/{id}")).await;
    assert_eq!((&eva.body["id"], &eva.body["fullName"]), (&json!(id), &json!("Eva Muster")));
    let roles = &eva.body["roles"];
    assert_eq!(texts(roles, "companyName"), ["Probe AG", "Muster AG"]);
    assert_eq!(texts(roles, "changeAction"), ["entered", "left"]);
    assert_eq!((&roles[0]["isCurrent"], &roles[1]["isCurrent"]), (&json!(true), &json!(false)));
    assert_eq!(
        (&roles[1]["startDate"], &roles[1]["endDate"]),
        (&json!("2024-05-06"), &json!("2026-02-02"))
    );
    assert_eq!((&eva.body["mergedIds"], &eva.body["possiblySame"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn an_unknown_person_is_not_found() {
    let service = service().await;
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
async fn a_person_who_moved_is_one_person_under_both_ids() {
    let service = service().await;
    let before = id_of(&service, "Eva+Muster").await;
    let moved = "Muster, Eva, von Chur, in Genf, Präsidentin des Verwaltungsrates, \
                 mit Einzelunterschrift [bisher: in Bern]";
    // At a company where she is new, the publication does not state that she lived elsewhere.
    let new = "Muster, Eva, von Chur, in Genf, Mitglied, mit Einzelunterschrift";
    let dritte = Publication::registration(DRITTE, "Dritte AG");
    let publications = [
        muster().number(4).on("2026-03-02").persons_entered(moved),
        dritte.number(5).on("2026-03-09").persons_entered(new),
    ];
    service.ingest_publications(publications).await;
    assert_eq!(id_of(&service, "Eva+Muster").await, before, "the first id is kept");
    let eva = service.get(&format!("/v1/persons/{before}")).await;
    assert_eq!(texts(&eva.body["roles"], "companyName").len(), 3);
    assert_eq!(eva.body["residence"], "Genf");
    let other = eva.body["mergedIds"][0].as_str().expect("another id").to_owned();
    let same = service.get(&format!("/v1/persons/{other}")).await;
    assert_eq!((&same.body["id"], &same.body["roles"]), (&json!(other), &eva.body["roles"]));
    assert_eq!(same.body["mergedIds"], json!([before]));
}

#[tokio::test]
async fn officers_of_one_company_with_the_same_name_but_other_residences_are_two_persons() {
    let service = service().await;
    let son = "Probe, Rolf, von Thun, in Bern, Mitglied, mit Einzelunterschrift";
    service.ingest_publications([muster().number(4).on("2026-03-02").persons_entered(son)]).await;
    let both = search(&service, "q=Rolf+Probe").await;
    assert_eq!(both.body["total"], 2, "{}", both.text);
    let board = service.get(&format!("/v1/persons/board-members/{MUSTER}")).await;
    let mut residences = texts(&board.body, "residence");
    residences.sort_unstable();
    assert_eq!(residences, ["Bern", "Bern", "Thun"]);
}

#[tokio::test]
async fn namesakes_are_listed_separately_as_possibly_the_same_person() {
    let service = service().await;
    let namesake = "Muster, Eva, von Chur, in Basel, Mitglied, mit Einzelunterschrift";
    let dritte = Publication::registration(DRITTE, "Dritte AG").number(4).on("2026-03-02");
    service.ingest_publications([dritte.persons_entered(namesake)]).await;
    let both = search(&service, "q=Eva+Muster").await;
    let ids = texts(&both.body["items"], "id");
    assert_eq!((ids.len(), &both.body["total"]), (2, &json!(2)));
    let first = service.get(&format!("/v1/persons/{}", ids[0])).await;
    assert_eq!(first.body["roles"].as_array().map(Vec::len), Some(2));
    let other = json!({
        "id": ids[1],
        "residence": "Basel",
        "reasons": ["same_name", "same_origin", "other_residence"],
    });
    assert_eq!(
        (&first.body["mergedIds"], &first.body["possiblySame"]),
        (&json!([]), &json!([other]))
    );
}

#[tokio::test]
async fn a_network_counts_the_companies_shared_with_each_co_director() {
    let service = service().await;
    let otto = "Einzeln, Otto, von Uri, in Altdorf, Mitglied, mit Einzelunterschrift";
    let probe = Publication::mutation(PROBE, "Probe AG").number(4).on("2026-03-02");
    service.ingest_publications([probe.persons_entered(otto)]).await;
    let id = id_of(&service, "Eva+Muster").await;
    let network = service.get(&format!("/v1/persons/{id}/network")).await.body;
    assert_eq!(
        network["person"],
        json!({ "id": id, "fullName": "Eva Muster", "firstName": "Eva", "lastName": "Muster" })
    );
    assert_eq!(texts(&network["companies"], "name"), ["Probe AG", "Muster AG"]);
    assert_eq!(
        texts(&network["coDirectors"], "name"),
        ["Rolf Probe", "Otto Einzeln"],
        "most shared companies first"
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
async fn companies_are_filtered_by_board_member_and_by_number_of_changes() {
    let service = service().await;
    let of_eva = service.get("/v1/companies?boardMemberSearch=eva+muster&sortBy=name").await;
    assert_eq!((of_eva.names(), &of_eva.body["total"]), (vec!["Muster AG", "Probe AG"], &json!(2)));
    let both = service.get("/v1/companies?boardMemberSearch=rolf&search=probe").await;
    assert_eq!(both.names(), ["Probe AG"]);
    assert_eq!(service.get("/v1/companies?boardMemberSearch=niemand").await.body["total"], 0);
    let changed = service.get("/v1/companies?minChanges=4").await;
    assert_eq!(changed.names(), ["Muster AG"], "{}", changed.text);
}
