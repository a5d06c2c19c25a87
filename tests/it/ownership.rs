//! Beneficial ownership: who owns and controls a company, through all levels of owners.

use access::Tier;
use domain::{
    Company, Provenance, Source, Status, Uid,
    company::{Affiliation, AffiliationKind, ParentException, ParentLevel},
    statements::{CompanyStatement, Statement, gleif::Entity, six::Shareholding},
};
use facts::Fact;
use http::{Method, StatusCode, header};
use jiff::civil::{Date, date};
use publications::Publication;
use serde_json::{Value, json};
use tests::{Service, bearing, company, request};

const UPPER: &str = "CHE-600.000.012";
const LOWER: &str = "CHE-600.000.026";
const FOUNDATION: &str = "CHE-600.000.029";

const ANNA: &str = "Meier, Anna, von Chur, in Thun, Gesellschafterin und Geschäftsführerin, mit Einzelunterschrift";
const BEAT: &str = "Keller, Beat, von Bern, in Basel, Gesellschafter, ohne Zeichnungsberechtigung";

/// The registration of a company with a capital of CHF 20,000.
fn registration(uid: &str, name: &str, form: &str, number: u64, persons: &str) -> Publication {
    let publication = Publication::registration(uid, name).number(number).on("2026-01-05");
    publication.legal_form(form).capital("20000").persons_entered(persons)
}

fn limited(uid: &str, name: &str, number: u64, partners: &str) -> Publication {
    let publication = Publication::limited_company(uid, name).number(number).on("2026-01-05");
    publication.persons_entered(partners)
}

fn quotas(holder: &str, shares: u32) -> String {
    format!("{holder}, mit {shares} Stammanteilen zu je CHF 1'000.00")
}

fn firm(name: &str, uid: &str) -> String {
    format!("{name} ({uid}), in Bern, Gesellschafterin")
}

async fn service(publications: impl IntoIterator<Item = Publication>) -> (Service, String) {
    let service = Service::start().await;
    service.ingest_publications(publications).await;
    let key = service.key(Tier::Professional).await;
    (service, key)
}

async fn get(service: &Service, key: &str, path: &str) -> Value {
    let answer = service.get_as(key, path).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
    answer.body
}

async fn ubo(service: &Service, key: &str, uid: &str) -> Value {
    get(service, key, &format!("/v1/companies/{uid}/ubo")).await
}

fn rows<'a>(list: &'a Value, members: &[&str]) -> Vec<Vec<&'a Value>> {
    let rows = list.as_array().expect("a list").iter();
    rows.map(|row| members.iter().map(|it| &row[*it]).collect()).collect()
}

/// Anna holds 60 % of the upper company and Beat 40 %. The upper company holds 50 % of the lower one and Anna 20 %. Nobody
/// is published for the other 30 %.
fn chain() -> [Publication; 2] {
    let upper =
        limited(UPPER, "Ober GmbH", 1, &format!("{}; {}", quotas(ANNA, 12), quotas(BEAT, 8)));
    let lower = limited(
        LOWER,
        "Unter GmbH",
        2,
        &format!("{}; {}", quotas(&firm("Ober GmbH", UPPER), 10), quotas(ANNA, 4)),
    );
    [upper, lower]
}

#[tokio::test]
async fn shares_multiply_along_a_chain_and_add_up_and_the_rest_is_unattributed() {
    let (service, key) = service(chain()).await;
    let answer = ubo(&service, &key, LOWER).await;
    let [anna] = answer["uboPersons"].as_array().expect("a list").as_slice() else {
        panic!("Beat holds 20 % only: {answer}")
    };
    assert_eq!(anna["name"], "Anna Meier");
    // 20 % directly, and 60 % of 50 %.
    assert_eq!(anna["ownershipPercentage"], 50.0);
    // She controls the upper company, so that its votes are hers.
    assert_eq!(anna["controlPercentage"], 70.0);
    assert_eq!((&anna["role"], &anna["pathLength"]), (&json!("beneficial_owner"), &json!(1)));
    assert_eq!(anna["signingAuthority"], "sole");
    let kinds: Vec<&Value> = rows(&anna["reasons"], &["kind"]).concat();
    assert_eq!(kinds, ["ownership", "control"]);
    assert_eq!(answer["unattributedPercentage"], 30.0);
    assert_eq!(
        rows(&answer["unattributed"], &["uid", "percentage"]),
        [[&json!(LOWER), &json!(30.0)]]
    );
    let chain =
        rows(&answer["ownershipChain"], &["fromName", "toName", "depth", "ownershipPercentage"]);
    let mut chain: Vec<String> =
        chain.into_iter().map(|it| Value::from_iter(it.into_iter().cloned()).to_string()).collect();
    chain.sort_unstable();
    assert_eq!(
        chain,
        [
            r#"["Anna Meier","Ober GmbH",2,60.0]"#,
            r#"["Anna Meier","Unter GmbH",1,20.0]"#,
            r#"["Beat Keller","Ober GmbH",2,40.0]"#,
            r#"["Ober GmbH","Unter GmbH",1,50.0]"#,
        ]
    );
    for link in answer["ownershipChain"].as_array().expect("a list") {
        assert_eq!((&link["kind"], &link["since"]), (&json!("shares"), &json!("2026-01-05")));
        assert_eq!(
            (&link["source"]["source"], &link["source"]["date"]),
            (&json!("shab"), &json!("2026-01-05"))
        );
        assert!(link["source"]["reference"].is_string() && link["confidence"].is_f64(), "{link}");
    }
    assert_eq!((&answer["chainDepth"], &answer["isCircular"]), (&json!(2), &json!(false)));
    assert_eq!(answer["truncated"], false);
    let note = answer["dataCoverageNote"].as_str().expect("a text");
    assert!(note.contains("transparency register is not public"), "{note}");
    assert!(note.contains("30 % of the capital is unattributed"), "{note}");
}

#[tokio::test]
async fn a_client_that_expects_numbers_gets_no_ids_of_persons() {
    let (service, key) = service(chain()).await;
    let path = format!("/v1/companies/{LOWER}/ubo");
    let of = async |agent: &str| {
        let request = request(&Method::GET, &path).header(header::USER_AGENT, agent);
        service.send(bearing(&key, request)).await.body["uboPersons"][0]["personId"].clone()
    };
    assert!(of("vynco-python/4.0.0").await.is_string());
    assert_eq!(of("vynco-rust/2.4.1").await, Value::Null, "absent");
}

#[tokio::test]
async fn the_threshold_decides_who_is_a_beneficial_owner() {
    let (service, key) = service(chain()).await;
    let names = async |query: &str| {
        let answer = get(&service, &key, &format!("/v1/companies/{LOWER}/ubo?{query}")).await;
        let names = rows(&answer["uboPersons"], &["name"]).concat().into_iter().cloned();
        names.collect::<Vec<Value>>()
    };
    assert_eq!(names("ownershipThreshold=20").await, ["Anna Meier", "Beat Keller"]);
    assert_eq!(names("ownershipThreshold=20.1").await, ["Anna Meier"]);
    // Without control by 70 % of the votes, and with less than 60 % of the capital, nobody is left but who directs it.
    let path = format!("/v1/companies/{LOWER}/ubo?ownershipThreshold=60&controlThreshold=75");
    let answer = get(&service, &key, &path).await;
    let [anna] = answer["uboPersons"].as_array().expect("a list").as_slice() else {
        panic!("{answer}")
    };
    assert_eq!(
        (&anna["role"], &anna["reasons"][0]["kind"]),
        (&json!("controlling_person"), &json!("statutory_fallback"))
    );
    assert_eq!(anna["reasons"][0]["cause"], "no_owner_found");
}

#[tokio::test]
async fn companies_that_own_each_other_are_solved_and_flagged() {
    let one = limited(
        UPPER,
        "Eins GmbH",
        1,
        &format!("{}; {}", quotas(&firm("Zwei GmbH", LOWER), 8), quotas(ANNA, 12)),
    );
    let two = limited(
        LOWER,
        "Zwei GmbH",
        2,
        &format!("{}; {}", quotas(&firm("Eins GmbH", UPPER), 6), quotas(BEAT, 14)),
    );
    let (service, key) = service([one, two]).await;
    let answer = ubo(&service, &key, UPPER).await;
    let shares = rows(&answer["uboPersons"], &["name", "ownershipPercentage"]);
    // Anna 0.6 / (1 − 0.4 × 0.3), Beat 0.7 × 0.4 / (1 − 0.4 × 0.3).
    assert_eq!(
        shares,
        [
            [&json!("Anna Meier"), &json!(68.181818182)],
            [&json!("Beat Keller"), &json!(31.818181818)]
        ]
    );
    assert_eq!(
        (&answer["isCircular"], &answer["unattributedPercentage"]),
        (&json!(true), &json!(0.0))
    );
    assert_eq!(answer["circularFlags"][0]["loopUids"], json!([UPPER, LOWER]));
    assert_eq!(answer["riskFlags"], json!(["circular_ownership"]));
    assert!(!answer["flags"][0]["evidence"].as_array().expect("a list").is_empty());
    let trace = service.post_as(&key, &format!("/v1/ownership/{UPPER}"), json!({})).await;
    assert_eq!(trace.body["circularFlags"], answer["circularFlags"], "{}", trace.text);
    assert_eq!(trace.body["isCircular"], true);
}

#[tokio::test]
async fn a_parent_abroad_controls_and_its_share_is_unknown_for_a_stated_reason() {
    const PARENT: &str = "549300AAAAAAAAAAAA08";
    const ULTIMATE: &str = "5493001KJTIIGC8Y1R12";
    let mut child: Company = company(LOWER, "Muster AG");
    child.legal_form_code = Some("0106".into());
    child.direct_parent_lei = Some(PARENT.parse().expect("valid"));
    child.ultimate_parent_lei = Some(ULTIMATE.parse().expect("valid"));
    child.ultimate_parent_name = Some("Group plc".into());
    let (kind, name) = (AffiliationKind::ConsolidatedBy, "Holding plc".to_owned());
    child.affiliations.push(Affiliation { kind, uid: None, name });
    let service = Service::with([child]).await;
    let key = service.key(Tier::Professional).await;
    let answer = ubo(&service, &key, LOWER).await;
    let links = rows(&answer["ownershipChain"], &["fromUid", "fromName", "kind", "unknownShare"]);
    let mut links: Vec<Vec<String>> = links
        .into_iter()
        .map(|it| it.into_iter().map(|it| it.as_str().unwrap_or_default().to_owned()).collect())
        .collect();
    links.sort_unstable();
    let direct =
        [&format!("LEI:{PARENT}"), "Holding plc", "consolidation", "not_stated"].map(str::to_owned);
    let ultimate = [&format!("LEI:{ULTIMATE}"), "Group plc", "ultimate_consolidation", "indirect"]
        .map(str::to_owned);
    assert_eq!(links, [ultimate, direct]);
    assert_eq!(
        (&answer["ultimateParentLei"], &answer["ultimateParentName"]),
        (&json!(ULTIMATE), &json!("Group plc"))
    );
    assert_eq!(
        (&answer["uboPersons"], &answer["unattributedPercentage"]),
        (&json!([]), &json!(100.0))
    );
    assert_eq!(answer["riskFlags"], json!(["unknown_share"]));
    let note = answer["dataCoverageNote"].as_str().expect("a text");
    assert!(note.contains("entities abroad"), "{note}");
    let trace =
        service.post_as(&key, &format!("/v1/ownership/{LOWER}"), json!({ "maxDepth": 3 })).await;
    assert_eq!(
        trace.body["ultimateParent"],
        json!({ "uid": format!("LEI:{ULTIMATE}"), "name": "Group plc" })
    );
    let types = rows(&trace.body["ownershipChain"], &["relationshipType"]).concat();
    assert!(
        types.contains(&&json!("gleif_parent")) && types.contains(&&json!("gleif_ultimate_parent")),
        "{}",
        trace.text
    );
}

#[tokio::test]
async fn the_board_of_a_foundation_is_named_as_the_statutory_fallback() {
    let board = "Roth, Eva, von Chur, in Chur, Präsidentin des Stiftungsrates, mit Kollektivunterschrift zu zweien; \
                 Frei, Urs, von Bern, in Chur, Mitglied des Stiftungsrates, mit Kollektivunterschrift zu zweien";
    let foundation = registration(FOUNDATION, "Muster Stiftung", "0110", 1, board);
    let owned = limited(LOWER, "Muster GmbH", 2, &quotas(&firm("Muster Stiftung", FOUNDATION), 20));
    let (service, key) = service([foundation, owned]).await;
    for (uid, length) in [(FOUNDATION, 1), (LOWER, 2)] {
        let answer = ubo(&service, &key, uid).await;
        let mut names = rows(&answer["uboPersons"], &["name"]).concat();
        names.sort_by_key(|it| it.to_string());
        assert_eq!(names, ["Eva Roth", "Urs Frei"], "{answer}");
        for person in answer["uboPersons"].as_array().expect("a list") {
            assert_eq!(
                (&person["role"], &person["pathLength"]),
                (&json!("controlling_person"), &json!(length))
            );
            assert_eq!(person["controllingEntityUid"], FOUNDATION);
            assert_eq!(
                (&person["ownershipPercentage"], &person["signingAuthority"]),
                (&Value::Null, &json!("collective_two")),
                "that no share is known does not mean that there is none"
            );
            let [reason] = person["reasons"].as_array().expect("a list").as_slice() else {
                panic!("{person}")
            };
            assert_eq!(
                (&reason["kind"], &reason["cause"], &reason["office"]),
                (&json!("statutory_fallback"), &json!("no_owners_by_law"), &json!("board"))
            );
            assert!(
                reason["explanation"]
                    .as_str()
                    .is_some_and(|it| it.contains("is not known to be an owner")),
                "{reason}"
            );
            assert_eq!(person["sources"][0]["source"], "shab");
            assert_eq!(person["isPresident"], json!(person["name"] == "Eva Roth"), "{person}");
        }
        let offices = rows(&answer["ownershipChain"], &["kind", "toUid"]);
        let is_office = |it: &&Vec<&Value>| *it[0] == "office" && *it[1] == FOUNDATION;
        assert_eq!(offices.iter().filter(is_office).count(), 2, "{answer}");
    }
    let answer = ubo(&service, &key, LOWER).await;
    assert_eq!(
        rows(&answer["withoutOwners"], &["uid", "percentage"]),
        [[&json!(FOUNDATION), &json!(100.0)]]
    );
    assert_eq!(answer["unattributedPercentage"], 0.0);
}

#[tokio::test]
async fn a_past_day_has_its_own_owners() {
    let (service, key) = service(chain()).await;
    let sold = "Ausgeschiedene Personen und erloschene Unterschriften: Ober GmbH (CHE-600.000.012), in Bern, \
                Gesellschafterin, mit 10 Stammanteilen zu je CHF 1'000.00. Eingetragene Personen neu oder mutierend: Keller, \
                Beat, von Bern, in Basel, Gesellschafter, ohne Zeichnungsberechtigung, mit 10 Stammanteilen zu je CHF \
                1'000.00.";
    let sale = Publication::mutation(LOWER, "Unter GmbH").number(3).on("2026-03-02").text(sold);
    service.ingest_publications([sale.legal_form("0107").without_block_after()]).await;
    let on = async |query: &str| {
        let answer = get(&service, &key, &format!("/v1/companies/{LOWER}/ubo{query}")).await;
        let shares = rows(&answer["uboPersons"], &["name", "ownershipPercentage"]).into_iter();
        shares.map(|it| Value::from_iter(it.into_iter().cloned())).collect::<Vec<Value>>()
    };
    assert_eq!(on("").await, [json!(["Beat Keller", 50.0])], "Anna holds 20 % now");
    assert_eq!(on("?asOf=2026-03-02").await, [json!(["Beat Keller", 50.0])]);
    assert_eq!(on("?asOf=2026-03-01").await, [json!(["Anna Meier", 50.0])]);
    let before = service.get_as(&key, &format!("/v1/companies/{LOWER}/ubo?asOf=2026-01-01")).await;
    assert_eq!(before.status, StatusCode::NOT_FOUND, "before its registration: {}", before.text);
}

/// The record of GLEIF about the lower company, with this group (level 2 data).
fn gleif_record(published: Date, group: Value) -> (Uid, Fact) {
    let entity: Entity = serde_json::from_value(json!({
        "lei": "549300AAAAAAAAAAAA08",
        "legalName": "Unter GmbH",
        "registeredAt": "RA000548",
        "registeredAs": LOWER,
        "registrationStatus": "ISSUED",
        "group": group,
    }))
    .expect("an entity");
    let uid = LOWER.parse().expect("a company number");
    let fact = Fact::from(CompanyStatement {
        uid,
        source: Source::Gleif,
        published: Some(published),
        statement: Statement::Gleif(Box::new(entity)),
    });
    (uid, fact)
}

#[tokio::test]
async fn parents_of_a_parent_abroad_and_its_reporting_exceptions_are_those_of_the_day() {
    const PARENT: &str = "5493001KJTIIGC8Y1R12";
    const TOP: &str = "549300TRUWO2CD2G5692";
    const LATER_TOP: &str = "549300BBBBBBBBBBBB91";
    let (service, key) = service([limited(LOWER, "Unter GmbH", 1, &quotas(ANNA, 4))]).await;
    let group = |top: &str| {
        let above = json!({ "lei": top, "name": format!("Top {top}"), "jurisdiction": "GB" });
        let reason = json!({ "lei": top, "category": "DIRECT_ACCOUNTING_CONSOLIDATION_PARENT", "reasons": ["NATURAL_PERSONS"] });
        json!({
            "directParent": { "lei": PARENT, "name": "Middle plc", "jurisdiction": "GB" },
            "parentsAbroad": [
                { "lei": PARENT, "directParent": above },
                { "lei": top, "exceptions": [reason] },
            ],
        })
    };
    for (day, top) in [(date(2026, 3, 2), TOP), (date(2026, 4, 1), LATER_TOP)] {
        let (uid, fact) = gleif_record(day, group(top));
        service.cloud.registry.record_facts(uid, &[fact]).await.expect("stored");
        service.publish().await;
    }
    for (query, top) in
        [("", LATER_TOP), ("?asOf=2026-04-01", LATER_TOP), ("?asOf=2026-03-31", TOP)]
    {
        let path = format!("/v1/companies/{LOWER}/ubo{query}");
        let answer = get(&service, &key, &path).await;
        let above = rows(&answer["ownershipChain"], &["fromUid", "toUid", "kind"]);
        let expected = [&format!("LEI:{top}"), &format!("LEI:{PARENT}"), "consolidation"];
        assert!(above.contains(&expected.map(|it| json!(it)).iter().collect()), "{path}: {answer}");
        let flags = answer["flags"].as_array().expect("a list").iter();
        let exceptions: Vec<&Value> =
            flags.filter(|it| it["kind"] == "reporting_exception").collect();
        let [exception] = exceptions.as_slice() else { panic!("{path}: {answer}") };
        let explanation = exception["explanation"].as_str().expect("a text");
        assert!(
            explanation.contains(top)
                && explanation.contains("natural persons control the company"),
            "{explanation}"
        );
        assert_eq!(exception["evidence"][0]["source"], "gleif", "{path}");
    }
    let path = format!("/v1/companies/{LOWER}/ubo?asOf=2026-03-01");
    let before = get(&service, &key, &path).await;
    assert!(!before.to_string().contains("LEI:"), "{before}");
}

#[tokio::test]
async fn the_country_of_a_parent_abroad_counts_for_the_risk() {
    let (service, key) = service([limited(LOWER, "Unter GmbH", 1, &quotas(ANNA, 4))]).await;
    let group = json!({ "directParent": {
        "lei": "5493001KJTIIGC8Y1R12", "name": "Pars Holding", "jurisdiction": "IR",
    } });
    let (uid, fact) = gleif_record(date(2026, 3, 2), group);
    let before = get(&service, &key, &format!("/v1/risk/v2/{LOWER}")).await;
    service.cloud.registry.record_facts(uid, &[fact]).await.expect("stored");
    service.publish().await;
    let after = get(&service, &key, &format!("/v1/risk/v2/{LOWER}")).await;
    let sign = "owner_from_call_for_action";
    assert!(!before.to_string().contains(sign), "{before}");
    let factors = after["factors"].as_array().expect("factors");
    let geography = factors.iter().find(|it| it.to_string().contains(sign)).expect("the sign");
    assert!(geography.to_string().contains("Pars Holding"), "{geography}");
}

#[tokio::test]
async fn owners_on_a_past_day_are_followed_until_a_number_of_facts_and_the_answer_says_so() {
    const TOP: &str = "CHE-600.000.031";
    let (upper, top) = (firm("Ober GmbH", UPPER), firm("Spitze GmbH", TOP));
    let (service, key) = service([
        limited(LOWER, "Unter GmbH", 1, &quotas(&upper, 20)),
        limited(UPPER, "Ober GmbH", 2, &quotas(&top, 20)),
        limited(TOP, "Spitze GmbH", 3, &quotas(ANNA, 20)),
    ])
    .await;
    let report = |at: i32| {
        let (year, kind) = (1900 + at % 100, format!("kind {}", at / 100));
        json!({ "uid": UPPER, "fiscalYear": year, "reportType": kind, "employees": 1 })
    };
    let reports = Value::from_iter((0..10_000).map(report)).to_string();
    let batch = sources::read(Source::Reports, reports.as_bytes()).expect("json");
    let facts = facts::facts(batch.statements);
    service.cloud.registry.put_facts(facts).await.expect("stored");
    let answer = ubo(&service, &key, LOWER).await;
    assert_eq!(answer["uboPersons"][0]["name"], "Anna Meier", "records are not folded: {answer}");
    let path = format!("/v1/companies/{LOWER}/ubo?asOf=2026-03-01");
    let answer = get(&service, &key, &path).await;
    assert_eq!(answer["uboPersons"], json!([]));
    assert_eq!(
        (&answer["truncated"], &answer["unattributedPercentage"]),
        (&json!(true), &json!(100.0))
    );
    let note = answer["dataCoverageNote"].as_str().expect("a text");
    assert!(note.contains("at most 10,000 facts: Spitze GmbH"), "{note}");
}

#[tokio::test]
async fn owners_beyond_the_depth_are_unattributed_and_the_answer_says_so() {
    let (service, key) = service(chain()).await;
    let answer = get(&service, &key, &format!("/v1/companies/{LOWER}/ubo?maxDepth=1")).await;
    // Anna is an owner of the first level, so that her link to the upper company is known too. Beat is not followed.
    assert!(!answer["ownershipChain"].to_string().contains("Beat"), "{answer}");
    assert_eq!(
        (&answer["truncated"], &answer["riskFlags"]),
        (&json!(true), &json!(["depth_limit"]))
    );
    // Beat's 40 % of 50 % are added to the 30 % of which no owner is published.
    assert_eq!(answer["unattributedPercentage"], 50.0);
    let note = answer["dataCoverageNote"].as_str().expect("a text");
    assert!(note.contains("maxDepth") && note.contains("Ober GmbH"), "{note}");
    let whole = get(&service, &key, &format!("/v1/companies/{LOWER}/ubo?maxDepth=2")).await;
    assert_eq!(whole["truncated"], false);
}

#[tokio::test]
async fn owners_beyond_100_companies_are_not_read_and_the_answer_says_so() {
    let uid =
        |number: u32| domain::Uid::from_number(610_000_000 + number).expect("a company number");
    let partner = |number: u32| {
        let uid = uid(number);
        format!(
            "Firma {number} GmbH ({uid}), in Bern, Gesellschafterin, mit 1 Stammanteil zu CHF 100.00"
        )
    };
    let partners = |count: u32| (1..=count).map(partner).collect::<Vec<_>>().join("; ");
    let owner = |number: u32| {
        limited(
            &uid(number).to_string(),
            &format!("Firma {number} GmbH"),
            u64::from(number) + 1,
            &quotas(ANNA, 20),
        )
    };
    for (count, is_truncated) in [(99, false), (100, true)] {
        let mut publications = vec![limited(LOWER, "Viele GmbH", 1, &partners(count))];
        publications.extend((1..=count).map(owner));
        let (service, key) = service(publications).await;
        let answer = ubo(&service, &key, LOWER).await;
        assert_eq!(answer["truncated"], is_truncated, "{count}");
        let note = answer["dataCoverageNote"].as_str().expect("a text");
        assert_eq!(note.contains("at most 100 companies"), is_truncated, "{note}");
        let anna = &answer["uboPersons"][0]["ownershipPercentage"];
        assert_eq!(anna, &json!(99.0 * 0.5), "of {count} partners with 0.5 % each, 99 are read");
    }
}

#[tokio::test]
async fn an_absorbed_company_belongs_to_the_other_one_and_an_announced_merger_has_no_effect() {
    let with_status = |status: Status| {
        let mut absorbed = company(LOWER, "Alt AG");
        let (kind, name) = (AffiliationKind::WasTakenOverBy, "Neu AG".to_owned());
        absorbed.affiliations.push(Affiliation { kind, uid: UPPER.parse().ok(), name });
        absorbed.sources = vec![Provenance { source: "zefix".into(), reference: None, date: None }];
        absorbed.status = Some(status);
        absorbed
    };
    for (status, links) in [(Status::Cancelled, 1), (Status::Active, 0)] {
        let service = Service::with([with_status(status), company(UPPER, "Neu AG")]).await;
        let key = service.key(Tier::Professional).await;
        let trace = service.post_as(&key, &format!("/v1/ownership/{LOWER}"), json!({})).await;
        let chain = trace.body["ownershipChain"].as_array().expect("a list");
        assert_eq!(chain.len(), links, "{}", trace.text);
        for link in chain {
            assert_eq!(
                (&link["sourceName"], &link["relationshipType"]),
                (&json!("Neu AG"), &json!("acquisition"))
            );
            assert_eq!(
                (&link["ownershipPercentage"], &link["source"]["source"]),
                (&json!(100.0), &json!("zefix"))
            );
        }
        let note = trace.body["dataCoverageNote"].as_str().expect("a text");
        let successor =
            "Neu AG took it over in a merger, and the owners are those of this successor.";
        assert_eq!(note.contains(successor), status == Status::Cancelled, "{note}");
    }
}

#[tokio::test]
async fn owners_of_a_deleted_company_are_the_last_known_ones_with_their_day() {
    let (service, key) = service(chain()).await;
    let before = ubo(&service, &key, LOWER).await;
    assert_eq!((before.get("asOf"), before.get("deletionDate")), (None, None), "{before}");
    let deletion = Publication::deletion(LOWER, "Unter GmbH").number(3).on("2026-03-05");
    let deletion = deletion.legal_form("0107").text("Die Gesellschaft wird gelöscht.");
    service.ingest_publications([deletion]).await;
    let after = ubo(&service, &key, LOWER).await;
    let deleted_on = after["deletionDate"].as_str().expect("a date").parse::<Date>();
    let day = deleted_on.expect("a date").yesterday().expect("a date").to_string();
    assert_eq!(after["asOf"], json!(day));
    for member in ["uboPersons", "ownershipChain", "unattributedPercentage"] {
        assert_eq!(after[member], before[member], "{member}");
    }
    let note = after["dataCoverageNote"].as_str().expect("a text");
    assert!(
        note.contains("has no owners any more: the last known ones are named, those of"),
        "{note}"
    );
    let trace = service.post_as(&key, &format!("/v1/ownership/{LOWER}"), json!({})).await;
    assert_eq!(trace.body["asOf"], json!(day), "{}", trace.text);
    let analytics = get(&service, &key, &format!("/v1/ownership/{LOWER}/analytics")).await;
    assert_eq!(analytics["asOf"], json!(day), "{analytics}");
    // After the deletion, there are no owners.
    let path = format!("/v1/companies/{LOWER}/ubo?asOf=2026-03-06");
    let later = get(&service, &key, &path).await;
    assert_eq!((&later["uboPersons"], &later["ownershipChain"]), (&json!([]), &json!([])));
    let note = later["dataCoverageNote"].as_str().expect("a text");
    assert!(note.contains("and has no owners any more."), "{note}");
    assert!(!note.contains("of the capital") && !note.contains("No source names"), "{note}");
}

#[tokio::test]
async fn a_branch_belongs_to_the_head_office_in_its_name() {
    let name = "Muster Trading Inc., Wilmington, Zweigniederlassung Stäfa";
    let manager =
        "Meier, Anna, von Chur, in Thun, Leiterin der Zweigniederlassung, mit Einzelunterschrift";
    let branch = Publication::registration(UPPER, name).number(1).on("2026-01-05");
    let (service, key) = service([branch.legal_form("0111").persons_entered(manager)]).await;
    let answer = ubo(&service, &key, UPPER).await;
    assert_eq!(answer["uboPersons"], json!([]), "the head of a branch directs no company");
    let head = "Muster Trading Inc., Wilmington";
    assert_eq!(answer["unattributed"][0]["name"], head, "{answer}");
    assert_eq!(rows(&answer["ownershipChain"], &["fromName", "kind"]), [[head, "head_office"]]);
    let note = answer["dataCoverageNote"].as_str().expect("a text");
    assert!(note.contains("100 % of the company is unattributed: the owners of Muster"), "{note}");
    let structure = get(&service, &key, &format!("/v1/companies/{UPPER}/structure")).await;
    assert_eq!(structure["headOffices"][0]["name"], head, "{structure}");
}

#[tokio::test]
async fn members_of_a_cooperative_are_not_registered() {
    let board =
        "Meier, Anna, von Chur, in Thun, Präsidentin der Verwaltung, mit Einzelunterschrift";
    let cooperative = Publication::registration(UPPER, "Muster Genossenschaft");
    let cooperative = cooperative.legal_form("0108").number(1).on("2026-01-05");
    let (service, key) = service([cooperative.persons_entered(board)]).await;
    let answer = ubo(&service, &key, UPPER).await;
    let reason = &answer["uboPersons"][0]["reasons"][0];
    assert_eq!(reason["cause"], "members_not_registered", "{answer}");
    let note = answer["dataCoverageNote"].as_str().expect("a text");
    assert!(note.contains("The members of cooperatives are not registered, so"), "{note}");
    let all = answer.to_string();
    assert!(!all.contains("no owners by law") && !all.contains("of the capital"), "{all}");
    assert_eq!(answer["withoutOwners"], json!([]));
}

#[tokio::test]
async fn every_managing_partner_is_named_and_no_other_partner() {
    let fifth = |name: &str, role: &str, signs: &str| {
        format!(
            "{name}, von Chur, in Thun, {role}, {signs}, mit 4 Stammanteilen zu je CHF 1'000.00"
        )
    };
    let (alone, not) = ("mit Einzelunterschrift", "ohne Zeichnungsberechtigung");
    let partners = [
        fifth("Meier, Anna", "Gesellschafterin und Vorsitzende der Geschäftsführung", alone),
        fifth("Keller, Beat", "Gesellschafter und Geschäftsführer", alone),
        fifth("Frei, Carla", "Gesellschafterin und Geschäftsführerin", alone),
        fifth("Graf, Daniel", "Gesellschafter", not),
        fifth("Huber, Eva", "Gesellschafterin", not),
    ];
    let (service, key) = service([limited(UPPER, "Muster GmbH", 1, &partners.join("; "))]).await;
    let answer = ubo(&service, &key, UPPER).await;
    let persons = answer["uboPersons"].as_array().expect("a list").iter();
    let mut named: Vec<&str> = persons.filter_map(|it| it["name"].as_str()).collect();
    named.sort_unstable();
    assert_eq!(named, ["Anna Meier", "Beat Keller", "Carla Frei"], "{answer}");
}

#[tokio::test]
async fn a_sole_proprietor_owns_everything_and_shares_of_partners_are_not_registered() {
    let owner = "Meier, Anna, von Chur, in Thun, Inhaberin, mit Einzelunterschrift";
    let sole = registration(UPPER, "Meier Beratung", "0101", 1, owner);
    let partners = "Meier, Anna, von Chur, in Thun, Gesellschafterin, mit Einzelunterschrift; Keller, Beat, von Bern, in \
                    Basel, Gesellschafter, mit Einzelunterschrift";
    let partnership = registration(LOWER, "Meier & Keller", "0103", 2, partners);
    let (service, key) = service([sole, partnership]).await;
    let answer = ubo(&service, &key, UPPER).await;
    let [anna] = answer["uboPersons"].as_array().expect("a list").as_slice() else {
        panic!("{answer}")
    };
    assert_eq!(
        (&anna["name"], &anna["ownershipPercentage"]),
        (&json!("Anna Meier"), &json!(100.0))
    );
    assert_eq!(rows(&answer["ownershipChain"], &["kind"]).concat(), ["sole_proprietor"]);
    let answer = ubo(&service, &key, LOWER).await;
    let links = rows(&answer["ownershipChain"], &["kind", "unknownShare"]);
    let of_kind = |kind: &str| links.iter().filter(|it| *it[0] == kind).count();
    // The partners direct the company, and are named because their shares are not known: each has one link, as an owner.
    assert_eq!((of_kind("partnership"), links.len()), (2, 2), "{answer}");
    assert!(links.iter().all(|it| *it[1] == "not_registered"), "{answer}");
    assert_eq!(answer["unattributedPercentage"], 100.0);
    assert_eq!(answer["riskFlags"], json!(["unknown_share"]));
    for row in answer["uboPersons"].as_array().expect("a list") {
        assert!(
            row.to_string().contains("some of whose known owners hold shares of unknown size"),
            "{row}"
        );
    }
}

#[tokio::test]
async fn reasons_for_naming_no_parent_and_care_of_addresses_are_flags_with_evidence() {
    let mut listed: Company = company(LOWER, "Muster AG");
    listed.lei = Some("5493001KJTIIGC8Y1R12".parse().expect("valid"));
    let reasons = vec!["NON_CONSOLIDATING".to_owned()];
    listed.parent_exceptions.push(ParentException { parent: ParentLevel::Direct, reasons });
    listed.address_care_of = Some("c/o Treuhand AG".into());
    let source = |name: &str| Provenance { source: name.into(), reference: None, date: None };
    listed.sources = ["gleif", "zefix"].map(source).into();
    let service = Service::with([listed]).await;
    let key = service.key(Tier::Professional).await;
    let answer = ubo(&service, &key, LOWER).await;
    let flags: Vec<_> = answer["flags"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| (it["kind"].as_str().unwrap_or_default(), it["evidence"][0]["source"].as_str()))
        .collect();
    assert_eq!(
        flags,
        [("reporting_exception", Some("gleif")), ("domiciliary_address", Some("zefix"))]
    );
    let path = format!("/v1/ownership/{LOWER}/analytics");
    let analytics = get(&service, &key, &path).await;
    let codes = rows(&analytics["contributors"], &["code"]).concat();
    for code in
        ["no_beneficial_owner", "unattributed", "reporting_exception", "domiciliary_address"]
    {
        assert!(codes.contains(&&json!(code)), "{code}: {analytics}");
    }
}

/// A disclosure of voting rights in the lower company.
fn disclosure(
    id: &str,
    holders: &[&str],
    percent: f64,
    published: Date,
    below_threshold: Option<f64>,
) -> Fact {
    let holding = Shareholding {
        id: id.into(),
        issuer: "Muster AG".into(),
        issuer_id: None,
        published,
        transaction: None,
        purchase_rate: Some(percent),
        sale_rate: None,
        below_threshold,
        shareholders: Vec::new(),
        beneficial_owners: holders.iter().map(|it| (*it).to_owned()).collect(),
        reasons: Vec::new(),
    };
    Fact::from(CompanyStatement {
        uid: LOWER.parse().expect("a company number"),
        source: Source::Six,
        published: Some(published),
        statement: Statement::Shareholding(Box::new(holding)),
    })
}

#[tokio::test]
async fn the_latest_disclosure_of_a_shareholder_counts_on_each_day() {
    let mut listed: Company = company(LOWER, "Muster AG");
    listed.legal_form_code = Some("0106".into());
    let service = Service::with([listed]).await;
    let disclosure = |id, day, percent| disclosure(id, &["Eva Muster"], percent, day, None);
    let facts =
        [disclosure("ZA01", date(2026, 1, 5), 12.0), disclosure("ZA02", date(2026, 3, 2), 31.0)];
    let uid = LOWER.parse().expect("a company number");
    service.cloud.registry.record_facts(uid, &facts).await.expect("stored");
    let key = service.key(Tier::Professional).await;
    let answer = ubo(&service, &key, LOWER).await;
    let [link] = answer["ownershipChain"].as_array().expect("a list").as_slice() else {
        panic!("{answer}")
    };
    assert_eq!((&link["fromName"], &link["kind"]), (&json!("Eva Muster"), &json!("voting_rights")));
    assert_eq!(
        (&link["ownershipPercentage"], &link["source"]["reference"]),
        (&json!(31.0), &json!("ZA02"))
    );
    let note = answer["dataCoverageNote"].as_str().expect("a text");
    let disclosed = "A disclosure to the exchange names: Eva Muster (31 % of the votes); it does not say whether it is a person";
    assert!(note.contains(disclosed), "{note}");
    // Nobody says whether the holder is a person, so that it is no beneficial owner.
    assert_eq!(
        (&answer["uboPersons"], &answer["unattributedPercentage"]),
        (&json!([]), &json!(100.0))
    );
}

#[tokio::test]
async fn a_holder_with_the_name_of_a_director_is_that_person() {
    let board = "Muster, Eva Maria, von Chur, in Thun, Präsidentin, mit Einzelunterschrift; \
                 Frei, Urs, von Bern, in Chur, Mitglied, mit Kollektivunterschrift zu zweien";
    let listed = registration(LOWER, "Muster AG", "0106", 1, board);
    let (service, key) = service([listed]).await;
    let uid = LOWER.parse().expect("a company number");
    let registry = &service.cloud.registry;
    let disclose = async |id: &str, holders: &[&str], percent, published, below| {
        let fact = disclosure(id, holders, percent, published, below);
        registry.record_facts(uid, &[fact]).await.expect("stored");
    };
    // What she disclosed before, with the names in another order.
    disclose("ZA00", &["Eva Maria Muster"], 48.0, date(2026, 3, 1), None).await;
    disclose("ZA01", &["MUSTER Eva Maria, Thun"], 31.0, date(2026, 3, 2), None).await;
    // Two persons together, and another name, remain unknown.
    disclose("ZA02", &["Hans Keller", "Urs Frei"], 26.0, date(2026, 3, 2), None).await;
    disclose("ZA03", &["Eva Muster"], 5.0, date(2026, 3, 2), None).await;
    let answer = ubo(&service, &key, LOWER).await;
    let [owner] = answer["uboPersons"].as_array().expect("a list").as_slice() else {
        panic!("{answer}")
    };
    assert_eq!(
        (&owner["name"], &owner["role"], &owner["controlPercentage"]),
        (&json!("Eva Maria Muster"), &json!("beneficial_owner"), &json!(31.0)),
        "{owner}"
    );
    // Voting rights are no share of the capital.
    assert_eq!(owner.get("ownershipPercentage"), None, "{owner}");
    assert_eq!(
        (&owner["reasons"][0]["kind"], &owner["reasons"][0]["percentage"]),
        (&json!("votes"), &json!(31.0))
    );
    let links = answer["ownershipChain"].as_array().expect("a list").iter();
    let mut links: Vec<(&str, f64)> = links
        .filter(|it| it["kind"] == "voting_rights")
        .map(|it| (it["fromName"].as_str().unwrap_or(""), it["confidence"].as_f64().unwrap_or(0.0)))
        .collect();
    links.sort_by(|one, other| one.0.cmp(other.0));
    assert_eq!(
        links,
        [("Eva Maria Muster", 0.7), ("Eva Muster", 0.8), ("Hans Keller, Urs Frei", 0.8)]
    );
    let why = owner["reasons"][0]["explanation"].as_str().expect("a text");
    assert!(why.contains("it has the name of this director"), "{why}");
    assert_eq!(owner["confidence"], 0.7, "{owner}");
    // Later, she discloses together with somebody else: her share alone is not known any more.
    disclose("ZA04", &["Eva Maria Muster", "Hans Keller"], 40.0, date(2026, 3, 3), None).await;
    let answer = ubo(&service, &key, LOWER).await;
    let roles = rows(&answer["uboPersons"], &["role"]).concat();
    assert!(!roles.contains(&&json!("beneficial_owner")), "{answer}");
    // The group ends, and she goes on alone.
    let group = ["Eva Maria Muster", "Hans Keller"];
    disclose("ZA05", &group, 0.0, date(2026, 3, 4), Some(3.0)).await;
    disclose("ZA06", &["Eva Maria Muster"], 27.0, date(2026, 3, 4), None).await;
    let answer = ubo(&service, &key, LOWER).await;
    assert_eq!(answer["uboPersons"][0]["controlPercentage"], 27.0, "{answer}");
}

#[tokio::test]
async fn analytics_measure_opacity_and_the_position_in_the_network() {
    let (service, key) = service(chain()).await;
    let answer = get(&service, &key, &format!("/v1/ownership/{LOWER}/analytics")).await;
    // 30 % are unattributed, and there are two levels of owners.
    assert_eq!(
        rows(&answer["contributors"], &["code", "points"]),
        [[&json!("unattributed"), &json!(8)], [&json!("depth"), &json!(5)]]
    );
    assert_eq!(
        (&answer["opacityScore"], &answer["opacityLevel"]),
        (&json!(13), &json!("transparent"))
    );
    let graph = &answer["graphAnalytics"];
    assert_eq!((&graph["nodeCount"], &graph["edgeCount"]), (&json!(4), &json!(4)), "{graph}");
    assert_eq!(graph["focus"]["pagerankRank"], 1, "everything leads to the company: {graph}");
    let sum: f64 =
        graph["pagerank"].as_object().expect("values").values().filter_map(Value::as_f64).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{graph}");
    assert_eq!(answer["obligationRefs"], json!(["amla-2a", "amla-4", "leta-4"]));
    assert_eq!(
        (answer.get("peerPercentile"), &answer["peerSampleSize"]),
        (None, &json!(0)),
        "one is too few"
    );
    let peer = |number: u64| {
        let uid = format!("CHE-620.000.00{number}");
        limited(&uid, &format!("Firma {number} GmbH"), number + 10, &quotas(BEAT, 20))
    };
    service.ingest_publications((1..=5).map(peer)).await;
    let compared = get(&service, &key, &format!("/v1/ownership/{LOWER}/analytics")).await;
    // The upper company and five others, whose owners are all known.
    assert_eq!(
        (&compared["peerPercentile"], &compared["peerSampleSize"]),
        (&json!(100), &json!(6))
    );
    let clear = get(&service, &key, &format!("/v1/ownership/{UPPER}/analytics")).await;
    assert_eq!(
        (&clear["opacityScore"], &clear["peerPercentile"]),
        (&json!(0), &json!(41)),
        "half of five of six, rounded down"
    );
}

#[tokio::test]
async fn a_tier_below_professional_is_refused() {
    let (service, _) = service(chain()).await;
    let starter = service.key(Tier::Starter).await;
    let ubo = service.get_as(&starter, &format!("/v1/companies/{LOWER}/ubo")).await;
    let trace = service.post_as(&starter, &format!("/v1/ownership/{LOWER}"), json!({})).await;
    for answer in [ubo, trace] {
        assert_eq!((answer.status, answer.slug()), (StatusCode::FORBIDDEN, "tier-not-unlocked"));
        assert_eq!(answer.body["requiredTier"], "professional");
    }
}

#[tokio::test]
async fn wrong_parameters_are_named_with_what_would_be_right() {
    let (service, key) = service(chain()).await;
    for (member, given, rule) in [
        ("maxDepth", "0", "must be between 1 and 20; got `0`"),
        ("maxDepth", "21", "must be between 1 and 20; got `21`"),
        ("ownershipThreshold", "0", "must be a percentage of more than 0 and at most 100; got `0`"),
        (
            "ownershipThreshold",
            "100.5",
            "must be a percentage of more than 0 and at most 100; got `100.5`",
        ),
        (
            "controlThreshold",
            "100",
            "must be a percentage of at least 0 and less than 100; got `100`",
        ),
        ("asOf", "2026-11-21", "must not be after today (2026-11-20); got `2026-11-21`"),
    ] {
        let get =
            service.get_as(&key, &format!("/v1/companies/{LOWER}/ubo?{member}={given}")).await;
        let value = serde_json::from_str(given).unwrap_or_else(|_| json!(given));
        let post = service
            .post_as(&key, &format!("/v1/ownership/{LOWER}"), json!({ member: value }))
            .await;
        for answer in [get, post] {
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{member}={given}: {}", answer.text);
            assert_eq!(answer.body["errors"][0]["member"], member, "{}", answer.text);
            assert!(answer.detail().contains(rule), "{}", answer.text);
        }
    }
    let unknown = service.get_as(&key, "/v1/companies/CHE-600.000.099/ubo").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn statements_of_the_standard_are_returned_on_request() {
    let (service, key) = service(chain()).await;
    let path = format!("/v1/companies/{LOWER}/ubo");
    let wanted = request(&Method::GET, &path).header(header::ACCEPT, "application/vnd.bods+json");
    let answer = service.send(bearing(&key, wanted)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert_eq!(answer.header("content-type"), Some("application/vnd.bods+json"));
    let statements = answer.body.as_array().expect("a list");
    let count = |kind: &str| statements.iter().filter(|it| it["recordType"] == kind).count();
    // Two companies, Anna and Beat, four direct links, and Anna's indirect interest.
    assert_eq!((count("entity"), count("person")), (2, 2), "{}", answer.text);
    assert!(count("relationship") >= 5, "{}", answer.text);
    for statement in statements {
        assert_eq!(statement["declarationSubject"], LOWER);
        assert_eq!(statement["publicationDetails"]["bodsVersion"], "0.4");
        assert_eq!(statement["publicationDetails"]["publisher"]["name"], "Gotthard");
    }
}

#[tokio::test]
async fn partners_below_the_threshold_are_known_owners_who_direct_the_company() {
    let partner = |number: u32| {
        format!(
            "Meier, Anna{number}, von Chur, in Thun, Gesellschafterin und Geschäftsführerin, mit Einzelunterschrift, mit 4 \
             Stammanteilen zu je CHF 1'000.00"
        )
    };
    let partners =
        ["Eva", "Ida", "Lea", "Mia", "Zoe"].map(|name| partner(0).replace("Anna0", name));
    let (service, key) = service([limited(LOWER, "Fünf GmbH", 1, &partners.join("; "))]).await;
    let answer = ubo(&service, &key, LOWER).await;
    let persons = answer["uboPersons"].as_array().expect("a list");
    assert_eq!(persons.len(), 5, "{answer}");
    for person in persons {
        assert_eq!(
            (&person["role"], &person["ownershipPercentage"]),
            (&json!("controlling_person"), &json!(20.0))
        );
        let reason = &person["reasons"][0];
        assert_eq!(reason["cause"], "no_share_reaches_the_threshold", "{reason}");
        let text = reason["explanation"].as_str().expect("a text");
        assert!(
            text.starts_with("The person holds 20 % of the capital, less than the threshold."),
            "{text}"
        );
    }
    let note = answer["dataCoverageNote"].as_str().expect("a text");
    assert!(note.contains("All owners are known") && !note.contains("No source names"), "{note}");
    let analytics = get(&service, &key, &format!("/v1/ownership/{LOWER}/analytics")).await;
    assert_eq!(analytics["opacityScore"], 0, "{analytics}");
    let version = analytics["graphAnalytics"]["algorithm"]["networkxVersion"].as_str();
    assert!(version.is_some_and(|it| it.contains("petgraph")), "{version:?}");
}

#[tokio::test]
async fn who_controls_a_holder_of_a_quarter_is_a_beneficial_owner() {
    let upper =
        limited(UPPER, "Ober GmbH", 1, &format!("{}; {}", quotas(ANNA, 12), quotas(BEAT, 8)));
    let lower = limited(LOWER, "Unter GmbH", 2, &quotas(&firm("Ober GmbH", UPPER), 6));
    let (service, key) = service([upper, lower]).await;
    let answer = ubo(&service, &key, LOWER).await;
    let [anna] = answer["uboPersons"].as_array().expect("a list").as_slice() else {
        panic!("{answer}")
    };
    assert_eq!((&anna["name"], &anna["ownershipPercentage"]), (&json!("Anna Meier"), &json!(18.0)));
    assert_eq!(
        (&anna["reasons"][0]["kind"], &anna["reasons"][0]["percentage"]),
        (&json!("controlled_votes"), &json!(30.0))
    );
    // With a threshold that high, nobody controls anything.
    let path = format!("/v1/companies/{LOWER}/ubo?controlThreshold=70");
    assert_eq!(get(&service, &key, &path).await["uboPersons"], json!([]));
}

#[tokio::test]
async fn address_of_many_companies_is_a_flag_and_a_sign_of_risk() {
    let at = |number: u32, house: &str| {
        let uid = domain::Uid::from_number(620_000_000 + number).expect("a company number");
        let mut company = company(&uid.to_string(), &format!("Firma {number} AG"));
        company.address_street = Some("Bahnhofstrasse".into());
        company.address_house_number = Some(house.into());
        company.address_city = Some("Zug".into());
        company
    };
    let mut companies: Vec<Company> = (0..=20).map(|it| at(it, "5")).collect();
    companies.extend((21..=40).map(|it| at(it, "7")));
    let service = Service::with(companies).await;
    let key = service.key(Tier::Professional).await;
    for (number, others) in [(0, Some(20)), (21, None)] {
        let uid = domain::Uid::from_number(620_000_000 + number).expect("a company number");
        let answer = ubo(&service, &key, &uid.to_string()).await;
        let flags = answer["riskFlags"].as_array().expect("a list");
        assert_eq!(flags.contains(&json!("mass_domicile_address")), others.is_some(), "{answer}");
        let risk = get(&service, &key, &format!("/v1/risk/v2/{uid}")).await;
        let text = risk.to_string();
        assert_eq!(text.contains("shared_address"), others.is_some(), "{text}");
        if let Some(others) = others {
            let expected = format!("shares its address with {others} companies");
            assert!(answer["flags"].to_string().contains(&expected), "{answer}");
            assert!(text.contains(&format!("{others} other companies have the same address")));
        }
    }
}
