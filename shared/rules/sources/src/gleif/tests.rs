use proptest::prelude::*;

use domain::{
    Isin, Lei,
    statements::gleif::{Category, RelatedEntity, Report},
};

use super::{
    api::{next, request},
    *,
};
use crate::{Batch, Mention, Page, Rejected, Response, Unreadable};

/// Identifiers in the test files.
const SWISS: &str = "999900MUSTERAGCH0105";
const FOREIGN: &str = "999900FOREIGNCO00160";
const SUBSIDIARY: &str = "999900SUBSIDIARY0002";

const LEVEL_1: &str = include_str!("../../fixtures/gleif/level1.csv");
const RELATIONSHIPS: &str = include_str!("../../fixtures/gleif/relationships.csv");
const EXCEPTIONS: &str = include_str!("../../fixtures/gleif/exceptions.csv");
const RESPONSE: &str = include_str!("../../fixtures/gleif/response.json");

/// Completes 18 characters to an LEI with valid check digits.
fn lei(first: &str) -> String {
    let found = (0..100).map(|it| format!("{first}{it:02}")).find(|it| it.parse::<Lei>().is_ok());
    found.expect("one of hundred fits")
}

/// The table without its last two rows, which cannot be read.
fn readable_relationships() -> String {
    RELATIONSHIPS.lines().take(6).collect::<Vec<_>>().join("\n")
}

fn read_and_rejected<T>(all: impl Iterator<Item = Result<T, Rejected>>) -> (Vec<T>, Vec<String>) {
    let mut read_and_rejected = (Vec::new(), Vec::new());
    for it in all {
        match it {
            Ok(read) => read_and_rejected.0.push(read),
            Err(rejected) => read_and_rejected.1.push(rejected.reason),
        }
    }
    read_and_rejected
}

/// The statements of a file, without looking up companies.
fn read_batch(bytes: &[u8]) -> Result<Batch, Unreadable> {
    Ok(official::read(bytes)?.resolve(|_| None))
}

fn joined_batch() -> Batch {
    let wanted: Lei = FOREIGN.parse().expect("valid");
    let (entities, _) =
        read_and_rejected(level1(LEVEL_1.as_bytes(), |it| it == wanted).expect("a table"));
    let mut level1_of_wanted = Level1::from_iter(entities);
    let isin = "CH9990000018".parse().expect("valid");
    level1_of_wanted.add_isins([(SWISS.parse().expect("valid"), isin), (wanted, isin)]);
    let (relationships, _) = read_and_rejected(relationships_of(RELATIONSHIPS));
    let (exceptions, _) =
        read_and_rejected(exceptions(EXCEPTIONS.as_bytes(), |_| true).expect("a table"));
    join(&level1_of_wanted, relationships, exceptions, Default::default())
}

fn relationships_of(table: &str) -> impl Iterator<Item = Result<Relationship, Rejected>> {
    relationships(table.as_bytes(), |_| true).expect("a table").collect::<Vec<_>>().into_iter()
}

fn entity(it: &CompanyStatement) -> &Entity {
    let Statement::Gleif(entity) = &it.statement else { panic!("{it:?}") };
    entity
}

#[test]
fn level_1_contains_swiss_companies_and_wanted_names() {
    let (entities, rejected) =
        read_and_rejected(level1(LEVEL_1.as_bytes(), |_| false).expect("a table"));
    assert_eq!(entities.len(), 5);
    assert_eq!(entities[0].legal_name, "Muster, Uhren AG");
    assert_eq!(entities[0].creation_date, Some(jiff::civil::date(1990, 5, 1)));
    assert_eq!(
        rejected,
        [
            "Entity.EntityCreationDate: `1990` is not a date",
            "LEI: `999900XXXXXXXXXXXX00` is not an LEI: its check digits are wrong",
        ]
    );
    let batch = read_batch(LEVEL_1.as_bytes()).expect("a table");
    assert_eq!((batch.statements.len(), batch.rejected.len()), (3, 4));
    assert_eq!(batch.rejected[0].reason, "registeredAs: CHE-600.000.027 has the wrong check digit");
    let is_read: Vec<bool> = batch.rejected.iter().map(|it| it.is_read).collect();
    assert_eq!(is_read, [false, false, true, false]);
}

#[test]
fn join_adds_names_and_uids_of_parents_and_children() {
    let batch = joined_batch();
    assert_eq!(batch.statements.len(), 3);
    let by_uid = |uid: &str| {
        let fact = batch.statements.iter().find(|it| it.uid.to_string() == uid).expect("a fact");
        (fact, entity(fact).group.as_ref().expect("a group"))
    };
    let (fact, child) = by_uid("CHE-600.000.032");
    let direct = child.direct_parent.as_ref().expect("a parent");
    assert_eq!(direct.uid.expect("swiss").to_string(), "CHE-600.000.026");
    assert_eq!(direct.percentage, Some(51.5));
    assert_eq!(direct.since, Some(jiff::civil::date(2015, 1, 1)));
    let ultimate = child.ultimate_parent.as_ref().expect("a parent");
    assert_eq!(ultimate.name.as_deref(), Some("Foreign Parent plc"));
    // The statement has the date of its newest part.
    assert_eq!(fact.published, Some(jiff::civil::date(2026, 4, 1)));

    let (fact, parent) = by_uid("CHE-600.000.026");
    assert_eq!(parent.direct_parent, None);
    assert_eq!(parent.children.len(), 1);
    assert_eq!(parent.exceptions[0].reasons, ["NATURAL_PERSONS", "NO_LEI"]);
    assert_eq!(entity(fact).isins.len(), 1);
}

#[test]
fn invalid_row_of_level_2_is_rejected_with_its_column() {
    let (relationships, rejected) = read_and_rejected(relationships_of(RELATIONSHIPS));
    assert_eq!((relationships.len(), relationships[5].percentage), (6, None));
    assert_eq!(relationships[4].kind, Kind::FundManager);
    assert_eq!(
        rejected,
        [
            "Relationship.RelationshipType: `IS_FRIEND_OF` is unknown",
            "Relationship.Quantifiers.1.QuantifierAmount: 120 is not a percentage",
        ]
    );
    let (exceptions, rejected) =
        read_and_rejected(exceptions(EXCEPTIONS.as_bytes(), |_| true).expect("a table"));
    assert_eq!(exceptions.len(), 1);
    assert_eq!(rejected, ["Exception.Category: `GRANDPARENT` is unknown"]);
    assert!(relationships_error().is_some());
}

fn relationships_error() -> Option<Unreadable> {
    relationships(LEVEL_1.as_bytes(), |_| true).err()
}

#[test]
fn company_with_too_many_securities_gets_none() {
    let (entities, _) = read_and_rejected(level1(LEVEL_1.as_bytes(), |_| false).expect("a table"));
    let mut level1_of_wanted = Level1::from_iter(entities);
    let lei: Lei = SWISS.parse().expect("valid");
    let numbers = (0..1000).filter_map(|it| format!("CH{it:010}").parse::<Isin>().ok());
    level1_of_wanted.add_isins(numbers.map(|isin| (lei, isin)));
    let batch = join(&level1_of_wanted, [], [], Default::default());
    assert!(batch.statements.iter().any(|it| entity(it).has_many_isins));
    assert!(batch.statements.iter().all(|it| entity(it).isins.is_empty()));
}

#[test]
fn table_of_securities_is_read() {
    let table = format!("LEI,ISIN\n{SWISS},CH9990000018\n{SWISS},CH1\n");
    let (pairs, rejected) = read_and_rejected(isins(table.as_bytes(), |_| true).expect("a table"));
    assert_eq!((pairs.len(), rejected.len()), (1, 1));
    assert!(rejected[0].starts_with("ISIN: `CH1`"), "{rejected:?}");
}

#[test]
fn response_with_entities_relationships_and_exceptions_is_read() {
    let answer = read_answer(RESPONSE.as_bytes()).expect("json");
    assert_eq!(answer.entities[0].uid().expect("swiss").expect("valid").number(), 600_000_026);
    assert_eq!(answer.relationships[0].periods.len(), 1);
    assert_eq!(answer.exceptions[0].reasons, ["NON_CONSOLIDATING"]);
    let reasons: Vec<&str> = answer.rejected.iter().map(|it| it.reason.as_str()).collect();
    assert_eq!(
        reasons,
        ["attributes.entity.legalName: missing field `name`", "type: `lei-issuers` is unknown"]
    );
    let level1_of_wanted = Level1::from_iter(answer.entities);
    let batch =
        join(&level1_of_wanted, answer.relationships, answer.exceptions, Default::default());
    assert!(entity(&batch.statements[0]).group.is_some());
}

#[test]
fn next_page_must_be_on_the_api() {
    let page = RESPONSE;
    let next = next(page.as_bytes()).expect("json").expect("a page");
    assert!(next.ends_with("page%5Bcursor%5D=abc"));
    assert_eq!(request(Some(&next)).url, next);
    let elsewhere =
        page.replace("\"next\": \"https://api.gleif.org", "\"next\": \"https://gleif.example");
    assert!(api::next(elsewhere.as_bytes()).is_err());
    assert_eq!(api::next(b"{\"data\": []}").expect("json"), None);
    let empty = format!("{{\"data\": [], \"links\": {{\"next\": \"{next}\"}}}}");
    assert_eq!(api::next(empty.as_bytes()).expect("json"), None);
    let first = request(None).url;
    assert!(first.contains("filter%5Bentity.legalAddress.country%5D=CH"), "{first}");
    assert!(first.ends_with("page%5Bcursor%5D=%2A"), "{first}");
}

/// Each page is a job that sends the next one. They end, also if the API leads back to an earlier page.
#[test]
fn the_number_of_pages_is_bounded() {
    let after = |number: u64| {
        let response = Response { bytes: RESPONSE.as_bytes().to_vec(), modified: None };
        api::exchange(None, number).interpret(vec![response]).map(|it| it.next)
    };
    let next = next(RESPONSE.as_bytes()).expect("json");
    let expected = vec![Page::Gleif { address: next, number: 999 }];
    assert_eq!(after(998).expect("the last page but one"), expected);
    assert!(after(999).is_err());
}

/// The statements of a file for a company whose LEI is known.
fn official(bytes: &[u8], known: &str) -> Batch {
    let known: Lei = known.parse().expect("valid");
    let uid = "CHE-600.000.032".parse().ok();
    let pending = official::read(bytes).expect("an official file");
    pending.resolve(|it| if *it == Mention::Lei(known) { uid } else { None })
}

fn reports(batch: &Batch) -> Vec<&Report> {
    let report = |it: &CompanyStatement| match &it.statement {
        Statement::GleifReport(_) => true,
        other => panic!("{other:?}"),
    };
    assert!(batch.statements.iter().all(report));
    let reports = batch.statements.iter().filter_map(|it| match &it.statement {
        Statement::GleifReport(report) => Some(&**report),
        _ => None,
    });
    reports.collect()
}

#[test]
fn official_table_of_relationships_states_parents_of_known_companies() {
    let batch = official(RELATIONSHIPS.as_bytes(), SUBSIDIARY);
    let stated: Vec<(Kind, bool, Option<f64>)> = reports(&batch)
        .into_iter()
        .map(|it| match it {
            Report::Relationship(it) => (it.kind, it.is_active(), it.percentage),
            Report::Exception(_) => panic!("{it:?}"),
        })
        .collect();
    assert_eq!(
        stated,
        [
            (Kind::DirectParent, true, Some(51.5)),
            (Kind::UltimateParent, true, None),
            (Kind::DirectParent, false, None),
        ]
    );
    assert_eq!(batch.statements[0].published, Some(jiff::civil::date(2026, 4, 1)));
    assert_eq!(batch.rejected.len(), 2, "the two rows that cannot be read");
}

#[test]
fn official_table_of_exceptions_states_reasons_of_known_companies() {
    let batch = official(EXCEPTIONS.as_bytes(), SWISS);
    let [Report::Exception(exception)] = reports(&batch)[..] else { panic!("{batch:?}") };
    assert_eq!(exception.category, Category::UltimateParent);
    assert_eq!(exception.reasons, ["NATURAL_PERSONS", "NO_LEI"]);
    assert_eq!(batch.rejected.len(), 1);
}

#[test]
fn answer_of_the_api_states_companies_relationships_and_exceptions() {
    let batch = official(RESPONSE.as_bytes(), SWISS);
    let kinds: Vec<&str> = batch
        .statements
        .iter()
        .map(|it| match &it.statement {
            Statement::Gleif(_) => "entity",
            Statement::GleifReport(report) => match &**report {
                Report::Relationship(_) => "relationship",
                Report::Exception(_) => "exception",
            },
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(kinds, ["entity", "relationship", "exception"]);
    // Of an answer about one company, nothing is left out silently.
    let unknown = official(RESPONSE.as_bytes(), FOREIGN);
    let reasons: Vec<&str> = unknown.rejected.iter().map(|it| it.reason.as_str()).collect();
    let expected = format!("no known company has LEI {SWISS}");
    assert_eq!(reasons.iter().filter(|it| **it == expected).count(), 2, "{reasons:?}");
}

#[test]
fn table_without_any_known_company_is_not_read_as_nothing() {
    let batch = read_batch(readable_relationships().as_bytes()).expect("an official file");
    assert_eq!(batch.statements.len(), 0);
    let [rejected] = batch.rejected.as_slice() else { panic!("{batch:?}") };
    assert!(
        rejected.reason.starts_with("none of the 4 rows is about a known company"),
        "{rejected:?}"
    );
}

#[test]
fn table_with_an_unknown_header_is_an_error_that_names_what_is_missing() {
    for (table, missing) in [
        ("LEI,Name\n1,2\n", "Entity.LegalName"),
        ("", "LEI"),
        ("LEI;Exception.Category\n", "LEI"),
        ("Exception.Category,Exception.Reason.1\n", "LEI"),
        (
            "Relationship.StartNode.NodeID,Relationship.EndNode.NodeID,Relationship.RelationshipType\n",
            "Relationship.RelationshipStatus",
        ),
        ("Relationship.StartNode.NodeID,Relationship.EndNode\n", "Relationship.EndNode.NodeID"),
    ] {
        let error = official::read(table.as_bytes()).expect_err("an unknown header").to_string();
        assert!(error.contains(&format!("no column `{missing}`")), "{table}: {error}");
    }
    for json in ["{}", r#"{"relations": []}"#, r#"{"data": 1}"#] {
        assert!(official::read(json.as_bytes()).is_err(), "{json}");
    }
}

#[test]
fn only_files_of_level_2_need_companies_to_be_looked_up() {
    let has_lookups = |bytes: &[u8]| official::read(bytes).expect("a file").has_lookups();
    assert!(!has_lookups(LEVEL_1.as_bytes()));
    assert!(!has_lookups(&excerpt().to_bytes().expect("plain data")));
    assert!(has_lookups(RELATIONSHIPS.as_bytes()));
    assert!(has_lookups(RESPONSE.as_bytes()));
}

fn excerpt() -> Excerpt {
    let mut excerpt = Excerpt::of_day(Some(jiff::civil::date(2026, 6, 1)));
    excerpt.add_level1(RESPONSE.as_bytes()).expect("json");
    excerpt.add_relationships(readable_relationships().as_bytes()).expect("a table");
    excerpt.add_exceptions(EXCEPTIONS.as_bytes()).expect("a table");
    let isin = "LEI,ISIN\nLEI1,CH9990000018\nLEI2,CH9990000018\nLEI1,CH1\n";
    let isin = isin.replace("LEI1", SWISS).replace("LEI2", FOREIGN);
    excerpt.add_isins(isin.as_bytes()).expect("a table");
    excerpt
}

#[test]
fn excerpt_contains_all_records_about_swiss_companies() {
    let excerpt = excerpt();
    assert!(excerpt.has_companies());
    let missing: Vec<String> = excerpt.missing_entities().iter().map(Lei::to_string).collect();
    assert_eq!(missing, [FOREIGN, SUBSIDIARY]);
    let batch = read_batch(&excerpt.to_bytes().expect("plain data")).expect("an excerpt");
    let [fact] = batch.statements.as_slice() else { panic!("{:?}", batch.statements) };
    assert_eq!(fact.published, Some(jiff::civil::date(2026, 6, 1)));
    assert_eq!(entity(fact).isins.len(), 1);
    assert_eq!(entity(fact).group.as_ref().expect("a group").children.len(), 1);
    let reasons: Vec<&str> = batch.rejected.iter().map(|it| it.reason.as_str()).collect();
    assert!(reasons.contains(&"Exception.Category: `GRANDPARENT` is unknown"), "{reasons:?}");
    assert!(reasons.iter().any(|it| it.starts_with("ISIN: `CH1`")), "{reasons:?}");
}

/// A table of relationships: child, parent, kind.
fn table(rows: &[(&str, &str, &str)]) -> String {
    let mut table =
        "Relationship.StartNode.NodeID,Relationship.EndNode.NodeID,Relationship.RelationshipType,\
                     Relationship.RelationshipStatus\n"
            .to_owned();
    for (child, parent, kind) in rows {
        table += &format!("{child},{parent},IS_{kind}_CONSOLIDATED_BY,ACTIVE\n");
    }
    table
}

#[test]
fn parents_abroad_are_followed_to_the_top() {
    let [holding, top, stranger] =
        ["999900HOLDINGCO001", "999900TOPCOMPANY01", "999900STRANGERCO01"].map(lei);
    let table = table(&[
        (&holding, &top, "DIRECTLY"),
        (&holding, &top, "ULTIMATELY"),
        // A circle ends the search.
        (&top, FOREIGN, "DIRECTLY"),
        (&stranger, &top, "DIRECTLY"),
        (FOREIGN, &holding, "DIRECTLY"),
        (FOREIGN, &top, "ULTIMATELY"),
        (SWISS, FOREIGN, "DIRECTLY"),
        (SWISS, &top, "ULTIMATELY"),
        // The subsidiary abroad is above nothing.
        (SUBSIDIARY, SWISS, "DIRECTLY"),
        (SUBSIDIARY, &top, "ULTIMATELY"),
    ]);
    let mut excerpt = Excerpt::default();
    excerpt.add_level1(RESPONSE.as_bytes()).expect("json");
    excerpt.add_relationships(table.as_bytes()).expect("a table");
    let mut passes = 0;
    while excerpt.add_parents_abroad(table.as_bytes()).expect("a table") {
        passes += 1;
    }
    assert_eq!(passes, 2, "the top is named at once, and the holding by the first parent");
    let exceptions = format!(
        "LEI,Exception.Category,Exception.Reason.1\n{top},ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT,NATURAL_PERSONS\n\
         {stranger},ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT,NON_PUBLIC\n"
    );
    excerpt.add_exceptions(exceptions.as_bytes()).expect("a table");
    let mut missing: Vec<String> = excerpt.missing_entities().iter().map(Lei::to_string).collect();
    let mut named = vec![FOREIGN.to_owned(), SUBSIDIARY.to_owned(), holding.clone(), top.clone()];
    missing.sort_unstable();
    named.sort_unstable();
    assert_eq!(missing, named);
    let batch = read_batch(&excerpt.to_bytes().expect("plain data")).expect("an excerpt");
    let group = entity(&batch.statements[0]).group.as_ref().expect("a group");
    let above = group.parents_abroad.iter().map(|it| {
        let lei = |parent: &Option<RelatedEntity>| {
            parent.as_ref().map(|it| it.lei.to_string()).unwrap_or_default()
        };
        (it.lei.to_string(), lei(&it.direct_parent), lei(&it.ultimate_parent))
    });
    assert_eq!(
        above.collect::<Vec<_>>(),
        [
            (FOREIGN.to_owned(), holding.clone(), top.clone()),
            (top.clone(), FOREIGN.to_owned(), String::new()),
            (holding, top.clone(), top),
        ]
    );
    assert_eq!(group.parents_abroad[1].exceptions[0].reasons, ["NATURAL_PERSONS"]);
    assert!(group.parents_abroad.iter().all(|it| !it.is_incomplete));
    assert_eq!(excerpt.counts().exceptions, 1);
}

#[test]
fn parents_abroad_that_were_not_looked_up_or_are_unreadable_are_incomplete() {
    let top = lei("999900TOPCOMPANY01");
    let rows = table(&[(SWISS, FOREIGN, "DIRECTLY"), (FOREIGN, &top, "DIRECTLY")]);
    let broken =
        rows.replace(&format!("{FOREIGN},{top},IS_DIRECTLY_"), &format!("{FOREIGN},{top},X_"));
    let incomplete = |text: &str, passes: usize| {
        let mut excerpt = Excerpt::default();
        excerpt.add_level1(RESPONSE.as_bytes()).expect("json");
        excerpt.add_relationships(text.as_bytes()).expect("a table");
        for _ in 0..passes {
            excerpt.add_parents_abroad(text.as_bytes()).expect("a table");
        }
        let batch = read_batch(&excerpt.to_bytes().expect("plain data")).expect("an excerpt");
        let group = entity(&batch.statements[0]).group.as_ref().expect("a group");
        let incomplete = group.parents_abroad.iter().filter(|it| it.is_incomplete);
        incomplete.map(|it| it.lei.to_string()).collect::<Vec<String>>()
    };
    assert_eq!(incomplete(&rows, 0), [FOREIGN]);
    assert_eq!(incomplete(&rows, 1), [top.as_str()]);
    assert_eq!(incomplete(&rows, 2), [""; 0]);
    assert_eq!(incomplete(&broken, 2), [FOREIGN], "the row about its parent is unreadable");
}

#[test]
fn unreadable_relationship_leaves_parent_unknown() {
    let other = lei("999900ANOTHERAGCH1");
    let another = RESPONSE.replace(SWISS, &other).replace("CHE-600.000.026", "CHE-600.000.032");
    let mut excerpt = Excerpt::default();
    for answer in [RESPONSE.to_owned(), another] {
        excerpt.add_level1(answer.as_bytes()).expect("json");
    }
    excerpt.add_relationships(RELATIONSHIPS.as_bytes()).expect("a table");
    let batch = read_batch(&excerpt.to_bytes().expect("plain data")).expect("an excerpt");
    let [fact] = batch.statements.as_slice() else { panic!("{batch:?}") };
    assert_eq!(entity(fact).lei.to_string(), other);
    assert!(!batch.rejected.is_empty());
}

#[test]
fn newest_record_of_an_entity_is_used_in_any_order() {
    let newer = RESPONSE.replace("2026-02-03", "2026-05-03").replace("Muster, Uhren", "Neu");
    let mut one = Excerpt::default();
    let mut other = Excerpt::default();
    for (excerpt, texts) in [
        (&mut one, [RESPONSE.to_owned(), newer.clone()]),
        (&mut other, [newer, RESPONSE.to_owned()]),
    ] {
        texts.iter().for_each(|it| excerpt.add_level1(it.as_bytes()).expect("json"));
        excerpt.add_level1(&excerpt.clone().to_bytes().expect("plain data")).expect("ignored");
    }
    assert_eq!(one, other);
    assert_eq!(entity(&one.into_batch().statements[0]).legal_name, "Neu AG");
}

#[test]
fn several_entities_are_requested_together() {
    let leis = [SWISS, FOREIGN].map(|it| it.parse().expect("valid"));
    let url = names_request(&leis).url;
    assert!(url.contains(&format!("filter%5Blei%5D={SWISS}%2C{FOREIGN}&")), "{url}");
}

proptest! {
    #[test]
    fn changing_one_character_never_panics(at in 0usize..5_000, with in any::<char>()) {
        for text in [LEVEL_1, RELATIONSHIPS, EXCEPTIONS, RESPONSE] {
            let mut text: Vec<char> = text.chars().collect();
            let at = at % text.len();
            text[at] = with;
            let text: String = text.into_iter().collect();
            let _ = (official::read(text.as_bytes()).map(|it| it.resolve(|_| None)), next(text.as_bytes()));
            let _ = relationships(text.as_bytes(), |_| true).map(Iterator::count);
            let _ = exceptions(text.as_bytes(), |_| true).map(Iterator::count);
        }
    }
}
