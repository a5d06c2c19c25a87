//! What a small demo register has to show, asked over HTTP.

use std::collections::{BTreeSet, HashMap};

use access::Tier;
use auth::Language;
use company_reader::{Sources, dossier::brief};
use domain::{Source, text::fold, typography::misprint};
use generations::Generation;
use jiff::{Timestamp, civil::Date};
use local::{
    cloud::Cloud,
    register::{
        demo::{self, DemoSettings},
        lists,
    },
};
use serde_json::{Value, json};
use teams::{DossierLevel, DossierRequest};
use tempfile::TempDir;
use tests::Service;

use crate::{
    compliance::{applicability, obligations},
    surface::labels::without_labels,
};

/// The smallest register with all special cases.
const COMPANIES: usize = 100;

/// A service over a demo register that is loaded as `cargo run` does.
pub(crate) struct DemoService {
    pub(crate) service: Service,
    /// Where the register is.
    _folder: TempDir,
}

impl DemoService {
    pub(crate) async fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        let (cloud, database) = Cloud::in_folder(folder.path()).await.expect("a cloud");
        let settings = DemoSettings { companies: COMPANIES, all_notices: false };
        lists::publish(&cloud.objects, Timestamp::UNIX_EPOCH).await.expect("lists");
        demo::load(&cloud, database, settings, demo_registry::DEMO_DATE).await.expect("loaded");
        let service = Service::over(cloud).await;
        service.publish().await;
        Self { service, _folder: folder }
    }

    async fn get(&self, path: &str) -> Value {
        let answer = self.service.get(path).await;
        assert_eq!(answer.status.as_u16(), 200, "{path}: {}", answer.text);
        answer.body
    }

    /// All items of a list, whose path has a parameter already.
    async fn items(&self, path: &str) -> Vec<Value> {
        let list = self.get(&format!("{path}&pageSize=100")).await;
        list["items"].as_array().expect("items").clone()
    }

    /// All items of all pages of a list, whose path has a parameter already.
    async fn all(&self, key: &str, path: &str) -> Vec<Value> {
        let mut all = Vec::new();
        for page in 1.. {
            let path = format!("{path}&pageSize=100&page={page}");
            let list = self.service.get_as(key, &path).await;
            let items =
                list.body["items"].as_array().unwrap_or_else(|| panic!("{path}: {}", list.text));
            all.extend_from_slice(items);
            if items.len() < 100 {
                break;
            }
        }
        all
    }

    /// The number of the company with this name.
    async fn uid_of(&self, name: &str) -> String {
        let found = self.items(&format!("/v1/companies?search={}", name.replace(' ', "%20"))).await;
        let company = found.iter().find(|it| it["name"] == name);
        let company = company.unwrap_or_else(|| panic!("{name} is not found"));
        company["uid"].as_str().expect("a number").to_owned()
    }
}

fn names<'a>(list: &'a Value, member: &str) -> Vec<&'a str> {
    let items = list.as_array().expect("a list").iter();
    items.map(|it| it[member].as_str().expect("a name")).collect()
}

#[tokio::test]
async fn owners_are_shown_through_firms_circles_foundations_and_groups() {
    let demo = DemoService::start().await;
    let key = demo.service.key(Tier::Professional).await;
    let ubo = async |name: &str| {
        let path = format!("/v1/companies/{}/ubo", demo.uid_of(name).await);
        let answer = demo.service.get_as(&key, &path).await;
        assert_eq!(answer.status.as_u16(), 200, "{}", answer.text);
        answer.body
    };
    let solar = ubo("Ostvera Solar GmbH").await;
    let kinds: Vec<&str> = solar["ownershipChain"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|it| it["fromName"] == "Ostvera Energie AG")
        .filter_map(|it| it["kind"].as_str())
        .collect();
    assert_eq!(kinds, ["shares", "consolidation"], "{solar}");
    assert_eq!(solar["ultimateParentName"], "Ostvera Holding AG");
    assert!(solar["uboPersons"].to_string().contains("beneficial_owner"), "{solar}");
    let hotel = ubo("Hotel Lärchenhof GmbH").await;
    assert_eq!(hotel["isCircular"], true);
    assert_eq!(hotel["circularFlags"][0]["loopUids"].as_array().map(Vec::len), Some(2));
    assert_eq!(hotel["withoutOwners"][0]["name"], "Stiftung Sonnenpfad");
    assert_eq!(hotel["uboPersons"][0]["reasons"][0]["cause"], "no_owners_by_law", "{hotel}");
    let abroad = ubo("Merantis Pharma Produktion AG").await;
    assert_eq!(abroad["ultimateParentName"], "Merantis Group N.V.");
    let links = abroad["ownershipChain"].as_array().expect("a list").iter();
    let is_abroad = |it: &&Value| it["toName"] == "Merantis Pharmaceuticals plc";
    let above: Vec<&Value> = links.filter(is_abroad).map(|it| &it["fromName"]).collect();
    assert_eq!(above, ["Merantis Group N.V."], "{abroad}");
    let listed = ubo("Zermora Versicherung AG").await;
    let owner = &listed["uboPersons"][0];
    assert_eq!(
        (&owner["role"], &owner["controlPercentage"], &owner["sources"][0]["source"]),
        (&json!("beneficial_owner"), &json!(27.5), &json!("demo")),
        "{listed}"
    );
    assert_eq!(owner["reasons"][0]["kind"], "votes", "{listed}");
    let holding = ubo("Ostvera Holding AG").await;
    assert!(holding["riskFlags"].to_string().contains("reporting_exception"), "{holding}");
}

/// The distinct texts of a member.
fn texts(items: &[Value], member: &str) -> BTreeSet<String> {
    items.iter().filter_map(|it| it[member].as_str().map(str::to_owned)).collect()
}

#[tokio::test]
async fn filters_find_what_the_records_say() {
    let demo = DemoService::start().await;
    let key = demo.service.key(Tier::Enterprise).await;
    let companies = demo.all(&key, "/v1/companies?hasWikidata=false").await;
    assert!(companies.len() >= COMPANIES);
    let expect = async |query: &str, condition: &dyn Fn(&Value) -> bool| {
        let expected = companies.iter().filter(|it| condition(it)).count();
        let list = demo.service.get_as(&key, &format!("/v1/companies?{query}")).await;
        assert_eq!(list.body["total"], expected, "{query}: {}", list.text);
        expected
    };
    for (member, filter) in [("registrationDate", "registered"), ("deletionDate", "deleted")] {
        let days = texts(&companies, member);
        assert!(days.len() > 1, "{member}");
        for day in &days {
            let in_period = |it: &Value| it[member].as_str().is_some_and(|it| it >= day.as_str());
            assert!(expect(&format!("{filter}After={day}"), &in_period).await > 0);
            let on_day = |it: &Value| it[member] == day.as_str();
            expect(&format!("{filter}After={day}&{filter}Before={day}"), &on_day).await;
        }
    }
    for currency in ["CHF", "EUR", "usd"] {
        let in_currency = |it: &Value| it["currency"] == currency.to_uppercase();
        expect(&format!("currency={currency}"), &in_currency).await;
    }
    let numbers = texts(&companies, "auditorUid");
    let names = texts(&companies, "auditorName");
    assert!(!numbers.is_empty() && !names.is_empty());
    for number in &numbers {
        expect(&format!("auditor={number}"), &|it| it["auditorUid"] == number.as_str()).await;
    }
    for name in &names {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("auditor", &name.to_uppercase())
            .finish();
        let folded = fold(name);
        let is_named = |it: &Value| it["auditorName"].as_str().map(fold) == Some(folded.clone());
        assert!(expect(&query, &is_named).await > 0);
    }
}

#[tokio::test]
async fn changes_are_filtered_by_legal_event_and_by_the_industry_of_today() {
    let demo = DemoService::start().await;
    let key = demo.service.key(Tier::Enterprise).await;
    let companies = demo.all(&key, "/v1/companies?hasWikidata=false").await;
    let industries: HashMap<&str, &str> = companies
        .iter()
        .filter_map(|it| Some((it["uid"].as_str()?, it["nogaCode"].as_str()?)))
        .collect();
    let changes = demo.all(&key, "/v1/changes?includeInternal=true").await;
    let expect = async |query: &str, condition: &dyn Fn(&Value) -> bool| {
        let expected = changes.iter().filter(|it| condition(it)).count();
        let path = format!("/v1/changes?includeInternal=true&{query}");
        let list = demo.service.get_as(&key, &path).await;
        assert_eq!(list.body["total"], expected, "{query}: {}", list.text);
        expected
    };
    let legal_events = texts(&changes, "legalEvent");
    assert!(legal_events.len() > 5, "{legal_events:?}");
    for event in &legal_events {
        expect(&format!("legalEvent={event}"), &|it| it["legalEvent"] == event.as_str()).await;
    }
    let divisions: BTreeSet<&str> = industries.values().map(|it| &it[..2]).collect();
    let mut found = 0;
    for division in &divisions {
        let is_in = |it: &Value| {
            let uid = it["companyUid"].as_str().expect("a number");
            industries.get(uid).is_some_and(|it| it.starts_with(division))
        };
        found += expect(&format!("nogaDivision={division}"), &is_in).await;
    }
    assert!(found > 0);
    let of_banks = demo.get("/v1/changes?includeInternal=true&nogaSection=K").await;
    let of_divisions = demo.get("/v1/changes?includeInternal=true&nogaDivision=64").await;
    assert!(of_banks["total"].as_u64() >= of_divisions["total"].as_u64(), "{of_banks}");
}

#[tokio::test]
async fn common_search_words_find_companies_by_name() {
    let demo = DemoService::start().await;
    for word in [
        "bank",
        "versicherung",
        "assurance",
        "pharma",
        "treuhand",
        "montres",
        "hotel",
        "bau",
        "energie",
        "stiftung",
    ] {
        let found = demo.items(&format!("/v1/companies?search={word}")).await;
        let has_word =
            |it: &Value| it["name"].as_str().is_some_and(|name| name.to_lowercase().contains(word));
        assert!(found.iter().any(has_word), "{word}: {found:?}");
    }
}

#[tokio::test]
async fn a_group_has_a_parent_and_subsidiaries_here_and_abroad() {
    let demo = DemoService::start().await;
    let pharma = demo.uid_of("Merantis Pharma AG").await;
    let hierarchy = demo.get(&format!("/v1/companies/{pharma}/hierarchy")).await;
    assert_eq!(hierarchy["parent"]["name"], "Merantis Pharmaceuticals plc");
    assert!(hierarchy["parent"].get("uid").is_none(), "abroad: {hierarchy}");
    assert_eq!(
        names(&hierarchy["subsidiaries"], "name"),
        ["Merantis Pharma GmbH", "Merantis Pharma Inc.", "Merantis Pharma Produktion AG"]
    );
    let energy = demo.uid_of("Ostvera Energie AG").await;
    let hierarchy = demo.get(&format!("/v1/companies/{energy}/hierarchy")).await;
    assert_eq!(hierarchy["parent"]["name"], "Ostvera Holding AG");
    let solar = demo.uid_of("Ostvera Solar GmbH").await;
    let hierarchy = demo.get(&format!("/v1/companies/{solar}/hierarchy")).await;
    assert_eq!(hierarchy["parent"]["name"], "Ostvera Energie AG");
    assert_eq!(
        names(&hierarchy["siblings"], "name"),
        ["Ostvera Energia S.r.l.", "Ostvera Energie GmbH"],
        "the branch is a part of the parent"
    );
    let structure = demo.get(&format!("/v1/companies/{energy}/structure")).await;
    assert_eq!(
        names(&structure["branchOffices"], "name"),
        ["Ostvera Energie AG, Zweigniederlassung Bern"]
    );
    assert_eq!(names(&structure["acquisitions"], "name"), ["Lindtal Energie AG"]);
    let relationships = demo.get(&format!("/v1/companies/{energy}/relationships")).await;
    let kinds = names(&relationships, "relationshipType");
    for kind in ["gleif_parent", "gleif_subsidiary", "branch_office", "acquisition"] {
        assert!(kinds.contains(&kind), "{kind}: {relationships}");
    }
    for path in [format!("/v1/persons/board-members/{energy}"), format!("/v1/changes/{energy}")] {
        assert!(demo.get(&path).await[2].is_object(), "{path}");
    }
    let auditors = demo.get(&format!("/v1/companies/{energy}/auditor-history")).await;
    assert!(auditors.to_string().contains("BDO AG"), "{auditors}");
}

/// Importing a fact computes the record of its company again from all stored facts.
#[tokio::test]
async fn importing_a_fact_keeps_the_group_of_a_company() {
    let demo = DemoService::start().await;
    for name in ["Merantis Pharma AG", "Ostvera Energie AG", "Ostvera Solar GmbH"] {
        let uid = demo.uid_of(name).await;
        let group = async || {
            let hierarchy = demo.get(&format!("/v1/companies/{uid}/hierarchy")).await;
            let full = demo.get(&format!("/v1/companies/{uid}")).await;
            let members = ["lei", "directParentLei", "ultimateParentLei", "ultimateParentName"];
            let subsidiaries: Vec<_> =
                names(&hierarchy["subsidiaries"], "name").into_iter().map(str::to_owned).collect();
            (hierarchy["parent"]["name"].clone(), subsidiaries, members.map(|it| full[it].clone()))
        };
        let before = group().await;
        let report = format!(
            "uid,fiscalYear,currency,revenue,employees,publicationDate\n{uid},2026,CHF,1000000,77,2026-10-10\n"
        );
        let report = sources::read(Source::Reports, report.as_bytes()).expect("a report");
        assert_eq!(report.statements.len(), 1);
        demo.service.ingest(Source::Reports, report).await;
        demo.service.publish().await;
        let record = demo.get(&format!("/v1/companies/{uid}")).await;
        assert_eq!(record["employeeCount"], 77, "the record was computed again");
        assert_eq!(group().await, before, "{name}");
        // The identifier is invented, so GLEIF's website has no page for it.
        assert!(!record.to_string().contains("gleif.org"), "{record}");
    }
}

#[tokio::test]
async fn dozens_of_companies_have_one_address_and_one_director() {
    let demo = DemoService::start().await;
    let companies = demo.items("/v1/companies?canton=ZG").await;
    let mut by_address: HashMap<String, Vec<&Value>> = HashMap::new();
    for company in &companies {
        let address = format!("{} {}", company["addressStreet"], company["addressHouseNumber"]);
        by_address.entry(address).or_default().push(company);
    }
    let shared = by_address.into_values().max_by_key(Vec::len).expect("companies in Zug");
    assert!(shared.len() >= 30, "{}", shared.len());

    let mut companies_of: HashMap<String, usize> = HashMap::new();
    for company in shared {
        let uid = company["uid"].as_str().expect("a number");
        let board = demo.get(&format!("/v1/persons/board-members/{uid}")).await;
        for id in names(&board, "id") {
            *companies_of.entry(id.to_owned()).or_default() += 1;
        }
    }
    let (director, _) = companies_of.into_iter().max_by_key(|(_, it)| *it).expect("directors");
    let network = demo.get(&format!("/v1/persons/{director}/network")).await;
    let roles = network["stats"]["activeRoles"].as_u64().expect("a count");
    assert!(roles >= 20, "{network}");
}

#[tokio::test]
async fn changes_list_a_merger_bankruptcies_a_liquidation_and_an_opting_out() {
    let demo = DemoService::start().await;
    for (kind, name) in [
        ("merger", "Ostvera Energie AG"),
        ("merger", "Lindtal Energie AG"),
        ("bankruptcy", "Kranholm Bau GmbH"),
        ("bankruptcy", "Restaurant Les Glycines Sàrl"),
        ("liquidation", "Seewarte Textil AG"),
        ("audit_opt_out", "Hotel Lärchenhof GmbH"),
    ] {
        let changes = demo.items(&format!("/v1/changes?type={kind}")).await;
        let is_about =
            |it: &&Value| it["companyName"].as_str().is_some_and(|found| found.starts_with(name));
        let change = changes.iter().find(is_about);
        let change = change.unwrap_or_else(|| panic!("no {kind} of {name}: {changes:?}"));
        assert_eq!(change["provenance"]["source"], "demo", "{change}");
    }
    let merged = demo.uid_of("Lindtal Energie AG").await;
    let merged = demo.get(&format!("/v1/companies/{merged}")).await;
    assert_eq!(merged["supersededBy"], demo.uid_of("Ostvera Energie AG").await);
}

#[tokio::test]
async fn capital_fits_the_legal_form_of_every_company() {
    let demo = DemoService::start().await;
    let companies = demo.items("/v1/companies?page=1").await;
    assert_eq!(companies.len(), COMPANIES);
    for company in companies.iter().filter(|it| it["addressCity"].is_string()) {
        let least = match company["legalFormCode"].as_str() {
            Some("0106") => 100_000.0,
            Some("0107") => 20_000.0,
            _ => {
                assert!(company["shareCapital"].is_null(), "{company}");
                continue;
            }
        };
        assert!(company["shareCapital"].as_f64().is_some_and(|it| it >= least), "{company}");
    }
}

#[tokio::test]
async fn invented_lists_say_so_in_every_answer_and_bear_no_address_of_an_authority() {
    let demo = DemoService::start().await;
    let key = demo.service.key(Tier::Enterprise).await;
    let is_invented = |it: &Value| {
        let url = it["sourceUrl"].as_str().or(it["details"]["sourceUrl"].as_str());
        it["demo"] == true && url.is_some_and(|it| it.starts_with("https://demo.example/"))
    };
    let list = demo.service.get_as(&key, "/v1/sanctions?pageSize=100").await.body;
    let entries = list["items"].as_array().expect("entries");
    assert!(entries.len() > 5 && entries.iter().all(is_invented), "{list}");
    assert!(
        entries.iter().all(|it| it["program"] != "" && it["listedSince"].is_string()),
        "{list}"
    );
    assert!(list["notice"].is_string());
    let screen = async |path: &str, body: Value| demo.service.post_as(&key, path, body).await.body;
    let hit = screen("/v1/screening", json!({"name": "Dravonic Commodities AG"})).await;
    assert!(hit["hits"].as_array().expect("hits").iter().all(is_invented), "{hit}");
    assert_eq!(hit["riskLevel"], "high", "the name alone: {hit}");
    // A real name is not on invented lists, which is no result about it.
    let clear = screen("/v1/screening", json!({"name": "Somebody Real"})).await;
    assert_eq!(clear["riskLevel"], "clear");
    let uids = json!({"uids": [demo.uid_of("Dravonic Commodities AG").await]});
    let batch = screen("/v1/screening/batch", uids).await;
    let bulk = screen("/v1/bulk/screening", json!({"entities": [{"name": "Somebody"}]})).await;
    for answer in [&hit, &clear, &batch, &bulk] {
        assert!(answer["notice"].as_str().is_some_and(|it| it.contains("invented")), "{answer}");
    }
    let lists = clear["lists"].as_array().expect("lists");
    assert!(lists.iter().all(|it| it["demo"] == true), "{clear}");
}

#[tokio::test]
async fn showcase_has_news_reports_a_moratorium_and_the_companies_of_published_clients() {
    let demo = DemoService::start().await;
    for uid in ["CHE-105.805.649", "CHE-453.797.586"] {
        let full = demo.get(&format!("/v1/companies/{uid}/full")).await;
        assert!(full["persons"].as_array().is_some_and(|it| !it.is_empty()), "{full}");
        assert!(full["company"]["auditorName"].is_string(), "{full}");
    }
    let energy = demo.uid_of("Ostvera Energie AG").await;
    let news = demo.get(&format!("/v1/companies/{energy}/news")).await;
    assert_eq!(news.as_array().map(Vec::len), Some(3), "{news}");
    let reports = demo.get(&format!("/v1/companies/{energy}/reports")).await;
    assert_eq!(reports.as_array().map(Vec::len), Some(3), "{reports}");
    let distressed = demo.uid_of("Felsbach Metallbau AG").await;
    let distressed = demo.get(&format!("/v1/companies/{distressed}")).await;
    assert_eq!(
        (&distressed["status"], &distressed["statusReason"]),
        (&json!("ACTIVE"), &json!("moratorium"))
    );
    let merged = demo.uid_of("Lindtal Energie AG").await;
    let merged = demo.get(&format!("/v1/companies/{merged}")).await;
    assert_eq!(merged["statusReason"], "merged");
}

/// The record, the fingerprint, the profile, the risk and the dossier state the same about a company that ends or may end.
#[tokio::test]
async fn proceedings_of_a_company_are_in_every_answer_about_it() {
    let demo = DemoService::start().await;
    let key = demo.service.key(Tier::Enterprise).await;
    let read = async |path: String| demo.service.get_as(&key, &path).await.body;
    let mut reasons = BTreeSet::new();
    for company in demo.items("/v1/companies?page=1").await {
        let uid = company["uid"].as_str().expect("a number");
        let reason = &company["statusReason"];
        let fingerprint = read(format!("/v1/companies/{uid}/fingerprint")).await;
        assert_eq!(
            (&fingerprint["status"], &fingerprint["statusReason"]),
            (&company["status"], reason),
            "{fingerprint}"
        );
        let profile = read(format!("/v1/companies/{uid}/pdf")).await;
        assert_eq!(&profile["company"]["statusReason"], reason, "{profile}");
        let (said, sign) = match reason.as_str() {
            Some("moratorium") => ("moratorium is in effect", "moratorium"),
            Some("bankruptcy") => ("It is bankrupt", "insolvent"),
            _ => continue,
        };
        let summary = fingerprint["summary"].as_str().expect("a text");
        assert!(summary.contains(said), "{summary}");
        let risk = read(format!("/v1/risk/v2/{uid}")).await;
        assert!(risk["factors"].to_string().contains(&format!("\"{sign}\"")), "{risk}");
        reasons.insert(sign);
    }
    assert_eq!(reasons.len(), 2, "{reasons:?}");
}

/// Nobody owns, controls or directs a company that is deleted: what was known last has its day.
#[tokio::test]
async fn a_deleted_company_has_nobody_and_belongs_to_nobody() {
    let demo = DemoService::start().await;
    let key = demo.service.key(Tier::Enterprise).await;
    let read = async |path: String| demo.service.get_as(&key, &path).await.body;
    let all = demo.items("/v1/companies?page=1").await;
    let deleted: BTreeSet<&str> = all
        .iter()
        .filter(|it| it["status"] == "CANCELLED")
        .filter_map(|it| it["uid"].as_str())
        .collect();
    assert!(!deleted.is_empty());
    for company in &all {
        let uid = company["uid"].as_str().expect("a number");
        let hierarchy = read(format!("/v1/companies/{uid}/hierarchy")).await;
        for related in ["parent", "subsidiaries", "siblings"] {
            let text = hierarchy[related].to_string();
            let names = |it: &&str| text.contains(&format!("\"uid\":\"{it}\""));
            assert!(!deleted.iter().any(names), "{uid} {hierarchy}");
        }
        let list = read(format!("/v1/companies/{uid}/relationships")).await;
        for it in list.as_array().expect("a list") {
            let is_deleted = it["relatedUid"].as_str().is_some_and(|it| deleted.contains(it));
            assert!(!is_deleted || it["relationshipType"] == "acquisition", "{uid} {it}");
        }
        if !deleted.contains(uid) {
            continue;
        }
        let fingerprint = read(format!("/v1/companies/{uid}/fingerprint")).await;
        assert_eq!(
            (&fingerprint["boardSize"], &fingerprint["hasParentCompany"]),
            (&json!(0), &json!(false)),
            "{fingerprint}"
        );
        assert_eq!(read(format!("/v1/persons/board-members/{uid}")).await, json!([]), "{uid}");
        let ubo = read(format!("/v1/companies/{uid}/ubo")).await;
        assert_eq!(ubo["deletionDate"], company["deletionDate"], "{ubo}");
        let note = ubo["dataCoverageNote"].as_str().expect("a text");
        assert!(note.contains("was deleted from the register on"), "{note}");
        match company["supersededBy"].as_str() {
            Some(successor) => assert_eq!(ubo["ownershipChain"][0]["fromUid"], successor, "{ubo}"),
            None => assert!(ubo["asOf"].as_str() < ubo["deletionDate"].as_str(), "{ubo}"),
        }
    }
}

#[tokio::test]
async fn every_code_of_the_register_has_a_label_in_every_language() {
    let demo = DemoService::start().await;
    let companies = demo.items("/v1/companies?sortBy=name").await;
    assert!(companies.len() >= COMPANIES, "{}", companies.len());
    let mut labelled = BTreeSet::new();
    for language in Language::ALL {
        let key = demo.service.key(Tier::Enterprise).await;
        for company in &companies {
            let uid = company["uid"].as_str().expect("a number");
            for resource in ["full", "classification", "fingerprint"] {
                let path = format!("/v1/companies/{uid}/{resource}");
                let plain = demo.service.get_as(&key, &path).await;
                let path = format!("{path}?language={}", language.code());
                let mut answer = demo.service.get_as(&key, &path).await;
                assert_eq!(answer.status.as_u16(), 200, "{path}: {}", answer.text);
                without_labels(&mut answer.body, language, &mut labelled);
                assert_eq!(answer.body, plain.body, "{path}");
            }
        }
    }
    for member in [
        "status",
        "statusReason",
        "legalForm",
        "industry",
        "industryGroup",
        "groupName",
        "changeType",
        "roleCategories",
        "signingAuthority",
    ] {
        assert!(labelled.contains(member), "{member}: {labelled:?}");
    }
}

/// What a dossier says is what the other resources say, and nothing in it contradicts the record or the history: the check drops
/// such sentences.
#[tokio::test]
async fn dossiers_of_all_companies_agree_with_the_other_resources_in_each_language() {
    let demo = DemoService::start().await;
    let key = demo.service.key(Tier::Enterprise).await;
    let read = async |path: String| demo.service.get_as(&key, &path).await.body;
    let (sources, generation) =
        (demo.service.assessments(), demo.service.generations.serving().await.expect("an index"));
    let all = demo.items("/v1/companies?page=1").await;
    assert_eq!(all.len(), COMPANIES);
    let mut owners_checked = 0;
    for uid in all.iter().map(|it| it["uid"].as_str().expect("a number")) {
        let company = read(format!("/v1/companies/{uid}")).await;
        let board = read(format!("/v1/persons/board-members/{uid}")).await;
        let auditors = read(format!("/v1/companies/{uid}/auditor-history")).await;
        let mut expected = vec![company["name"].clone()];
        let officers = board.as_array().expect("a list");
        expected.extend(officers.iter().map(|it| it["lastName"].clone()));
        if !officers.is_empty() {
            expected.push(json!(format!(": {} (", officers.len())));
        }
        expected.extend(auditors["currentAuditor"].get("auditorName").cloned());
        for language in Language::ALL {
            let text = dossier_of(&sources, &generation, uid, language).await;
            for it in &expected {
                let it = it.as_str().expect("a text");
                assert!(text.contains(it), "{uid} {language:?} does not say {it}\n{text}");
            }
            // What is quoted is of others.
            let own = text.split('«').map(|it| it.split_once('»').map_or(it, |it| it.1));
            let own = own.collect::<Vec<_>>().join("«»");
            assert_eq!(misprint(&own), None, "{uid} {language:?}\n{text}");
            if language == Language::En {
                agrees_with_record(&text, &company);
                let scope = read(format!("/v1/compliance/scope/{uid}")).await;
                let playbook = read(format!("/v1/audit/playbook/{uid}")).await;
                agrees_with_law(&text, &scope, &playbook);
                let ubo = read(format!("/v1/companies/{uid}/ubo")).await;
                owners_checked += usize::from(agrees_about_owners(&text, &ubo, &scope));
            }
        }
    }
    assert!(owners_checked > 10, "{owners_checked}");
}

/// Owners, dossier and scope say the same about who owns a company. Returns whether the sources name a beneficial owner.
fn agrees_about_owners(text: &str, ubo: &Value, scope: &Value) -> bool {
    let persons = ubo["uboPersons"].as_array().expect("a list").iter();
    let owners = persons.filter(|it| it["role"] == "beneficial_owner");
    let owners: Vec<&str> = owners.map(|it| it["name"].as_str().expect("a name")).collect();
    let is_deleted = ubo["deletionDate"].is_string();
    assert_eq!(text.contains("has no owners any more"), is_deleted, "{ubo}\n{text}");
    if is_deleted {
        assert!(!text.contains("counts as a beneficial owner"), "{text}");
        return false;
    }
    for owner in &owners {
        assert!(text.contains(owner), "{owner}\n{text}");
    }
    let note = ubo["dataCoverageNote"].as_str().unwrap_or_default();
    let unknown = "Whether a listed company controls it is not known";
    for (cause, in_dossier) in [
        ("All owners are known", "All owners are known"),
        ("This legal form has no owners", "The legal form has no owners"),
        ("The members of cooperatives are not", "The members of cooperatives are not"),
    ] {
        let is_cause = note.contains(cause);
        assert!(!is_cause || owners.is_empty(), "{ubo}");
        assert!(is_cause || !text.contains(in_dossier), "{cause}: {note}\n{text}");
        assert!(!(is_cause && scope.to_string().contains(unknown)), "{scope}");
    }
    let names_none = text.contains("The public sources name no beneficial owner");
    assert!(!names_none || note.contains("No source names"), "{note}\n{text}");
    !owners.is_empty()
}

/// A dossier with everything, in which no sentence was dropped.
async fn dossier_of(
    sources: &Sources,
    generation: &Generation,
    uid: &str,
    language: Language,
) -> String {
    let company_uid = uid.parse().expect("a number");
    let level = DossierLevel::Detailed;
    let request = DossierRequest { company_uid, level, language, as_of: None };
    let brief = brief(sources, generation, &request).await;
    let brief = brief.unwrap_or_else(|it| panic!("{uid}: {it:?}"));
    let written = brief.checked(&brief.composed());
    assert_eq!(
        written.dropped,
        0,
        "{uid} {language:?}\n{}\n{}",
        brief.composed(),
        written.text.content
    );
    written.text.content
}

/// Scope, playbook and dossier say the same about the audit, and count the same provisions.
fn agrees_with_law(text: &str, scope: &Value, playbook: &Value) {
    let regime = &playbook["regime"];
    let applies = |id| applicability(scope, id);
    let is_waived_for_later_years =
        regime["reasons"].to_string().contains("This one was entered on");
    let in_dossier = match (regime["kind"].as_str(), regime["basis"].as_str()) {
        (Some("ordinary"), Some("stated")) => {
            assert!(applies("co-727") == "applies" || applies("cc-69b") == "applies", "{scope}");
            "The company has to have an ordinary audit"
        }
        (Some("limited"), Some("assumed")) if is_waived_for_later_years => {
            assert_eq!(
                (applies("co-727").as_str(), applies("co-727a").as_str()),
                ("no", "applies")
            );
            "The company probably still has to have a limited audit of the current financial year"
        }
        (Some("limited"), Some("assumed")) => {
            assert_eq!(
                (applies("co-727").as_str(), applies("co-727a").as_str()),
                ("unclear", "unclear")
            );
            "The company probably has to have a limited audit; this is an assumption"
        }
        (Some("ordinary"), Some("assumed")) => {
            assert_eq!(applies("co-727"), "unclear", "{scope}");
            "The company probably has to have an ordinary audit"
        }
        (Some("opting_out"), Some("assumed")) => {
            let found = (applies("co-727"), applies("orc-62"));
            assert_eq!(found, ("unclear".to_owned(), "applies".to_owned()), "{scope}");
            match is_waived_for_later_years {
                true => {
                    "The company has waived the limited audit of financial years that begin after"
                }
                false => {
                    "The company has waived the limited audit; the sources do not show whether"
                }
            }
        }
        (Some("opting_out"), Some("stated")) => {
            assert_eq!((applies("co-727").as_str(), applies("orc-62").as_str()), ("no", "applies"));
            "The company has waived the limited audit"
        }
        (Some("none"), Some("stated")) => {
            assert_eq!(applies("co-727"), "no", "{scope}");
            let is_exempt = regime["reasons"][0]["fact"] == "audit_waiver";
            match is_exempt {
                true => "has exempted the foundation from the duty to have an auditor",
                false => "The law requires no audit of the company",
            }
        }
        (Some("unknown"), Some("stated")) => {
            assert_eq!((applies("co-727").as_str(), applies("cc-83b").as_str()), ("no", "no"));
            "The law on occupational pensions decides about the audit of the foundation"
        }
        (Some("unknown"), Some("unknown")) => {
            assert_ne!(applies("co-727"), "applies", "{scope}");
            "The sources do not show which audit the law requires of the company"
        }
        other => panic!("{other:?}"),
    };
    assert!(text.contains(in_dossier), "{in_dossier}\n{regime}\n{text}");
    let of_company = |wanted: &str| {
        let all = obligations(scope).into_iter().filter(|it| {
            let applications = it["applications"].as_array().expect("applications");
            let answers = |wanted: &str| {
                applications
                    .iter()
                    .any(|it| it["addressee"] == "company" && it["applicability"] == wanted)
            };
            answers(wanted) && (wanted == "applies" || !answers("applies"))
        });
        all.count()
    };
    let (certain, unclear) = (of_company("applies"), of_company("unclear"));
    let all = format!("for the company: applicable {certain}, uncertain {unclear};");
    let none = certain + unclear == 0 && text.contains("No provision of the catalogue applies");
    assert!(none || text.contains(&all), "{all}\n{text}");
}

fn agrees_with_record(text: &str, company: &Value) {
    let status = match company["status"].as_str() {
        Some("ACTIVE") => "The company is active",
        Some("BEING_CANCELLED") => "The company is in liquidation",
        Some("CANCELLED") => "The company is deleted from the commercial register",
        other => panic!("{other:?}"),
    };
    let beginning = text.split("\n\n## Identity").next().expect("a section");
    assert!(beginning.starts_with("## Key points"), "{text}");
    assert!(beginning.contains(status), "{company}\n{text}");
    let has_reason = ["; the reason is: ", "; the register notes: "]
        .iter()
        .any(|it| beginning.contains(&format!("{status}{it}")));
    assert_eq!(has_reason, company["statusReason"].is_string(), "{company}\n{text}");
    for (member, before) in [
        ("registrationDate", "The first entry in the commercial register is of "),
        ("deletionDate", "The deletion is of "),
    ] {
        let day = company[member].as_str().map(|it| it.parse::<Date>().expect("a day"));
        let said = day.map(|it| format!("{before}{} ", it.strftime("%-d %B %Y")));
        assert!(said.is_none_or(|it| text.contains(&it)), "{member}: {company}\n{text}");
        assert_eq!(text.contains(before), day.is_some(), "{member}: {company}\n{text}");
    }
}
