use proptest::prelude::*;

use statements::Isin;

use super::*;
use crate::Rejected;

/// Invented identifiers with valid check digits.
const SWISS: &str = "999900MUSTERAGCH0184";
const FOREIGN: &str = "999900FOREIGNCO00146";

/// Completes 18 characters to an LEI with valid check digits.
fn lei(first: &str) -> String {
    let found = (0..100).map(|it| format!("{first}{it:02}")).find(|it| it.parse::<Lei>().is_ok());
    found.expect("one of hundred fits")
}

fn swiss() -> String {
    lei(&SWISS[..18])
}

fn foreign() -> String {
    lei(&FOREIGN[..18])
}

fn subsidiary() -> String {
    lei("999900SUBSIDIARY00")
}

fn level1_table() -> String {
    let header = "LEI,Entity.LegalName,Entity.LegalName.xmllang,Entity.OtherEntityNames.OtherEntityName.1,Entity.LegalJurisdiction,\
        Entity.RegistrationAuthority.RegistrationAuthorityID,Entity.RegistrationAuthority.RegistrationAuthorityEntityID,\
        Entity.EntityStatus,Entity.EntityCreationDate,Registration.LastUpdateDate,Registration.RegistrationStatus";
    let (swiss, foreign, subsidiary) = (swiss(), foreign(), subsidiary());
    [
        header.to_owned(),
        format!("{swiss},\"Muster, Uhren AG\",de,Muster Watches,CH,RA000548,CHE-600.000.026,ACTIVE,1990-05-01T00:00:00.000Z,2026-02-03T10:00:00.000Z,ISSUED"),
        format!("{subsidiary},Muster Töchter AG,de,,CH,RA000549,CHE600000032,ACTIVE,,2026-01-03T10:00:00.000Z,LAPSED"),
        format!("{foreign},Foreign Parent plc,en,,GB,RA000585,00000001,ACTIVE,,2026-01-03,ISSUED"),
        format!("{},Unasked Inc.,en,,US,RA000602,1,ACTIVE,,2026-01-03,ISSUED", lei("999900UNASKEDINC00")),
        format!("{},Falsche Ziffer AG,de,,CH,RA000549,CHE-600.000.027,ACTIVE,,2026-01-03,ISSUED", lei("999900WRONGDIGIT00")),
        format!("{},Alte Nummer AG,de,,CH,RA000549,CH-020.3.000.000-0,ACTIVE,,2026-01-03,ISSUED", lei("999900OLDNUMBER000")),
        format!("{},Schiefes Datum AG,de,,CH,RA000549,CHE600000049,ACTIVE,1990,2026-01-03,ISSUED", lei("999900BROKENDATE00")),
        "999900XXXXXXXXXXXX00,Kein Ausweis AG,de,,CH,RA000549,CHE600000055,ACTIVE,,2026-01-03,ISSUED".to_owned(),
    ]
    .join("\n")
}

fn relationship_table() -> String {
    let header = "Relationship.StartNode.NodeID,Relationship.EndNode.NodeID,Relationship.RelationshipType,Relationship.RelationshipStatus,\
        Relationship.Period.1.startDate,Relationship.Period.1.endDate,Relationship.Period.1.periodType,\
        Relationship.Quantifiers.1.QuantifierAmount,Relationship.Quantifiers.1.QuantifierUnits,Registration.LastUpdateDate,Registration.RegistrationStatus";
    let (swiss, foreign, subsidiary) = (swiss(), foreign(), subsidiary());
    [
        header.to_owned(),
        format!("{subsidiary},{swiss},IS_DIRECTLY_CONSOLIDATED_BY,ACTIVE,2015-01-01T00:00:00.000Z,,RELATIONSHIP_PERIOD,51.5,PERCENTAGE,2026-04-01T00:00:00Z,PUBLISHED"),
        format!("{subsidiary},{foreign},IS_ULTIMATELY_CONSOLIDATED_BY,ACTIVE,,,,,,2026-04-01T00:00:00Z,PUBLISHED"),
        format!("{subsidiary},{foreign},IS_DIRECTLY_CONSOLIDATED_BY,INACTIVE,,,,,,2026-05-01T00:00:00Z,PUBLISHED"),
        format!("{swiss},{swiss},IS_DIRECTLY_CONSOLIDATED_BY,ACTIVE,,,,,,2026-05-01T00:00:00Z,PUBLISHED"),
        format!("{swiss},{foreign},IS_FUND-MANAGED_BY,ACTIVE,,,,,,,PUBLISHED"),
        format!("{swiss},{foreign},IS_FRIEND_OF,ACTIVE,,,,,,,PUBLISHED"),
        format!("{swiss},{foreign},IS_SUBFUND_OF,ACTIVE,,,,120,PERCENTAGE,,PUBLISHED"),
    ]
    .join("\n")
}

/// The table without its last two rows, which cannot be read.
fn readable_relationships() -> String {
    relationship_table().lines().take(6).collect::<Vec<_>>().join("\n")
}

fn exception_table() -> String {
    format!(
        "LEI,LEI.Next,Exception.Category,Exception.Reason.1,Exception.Reason.2,Exception.Reference.1\n\
         {},,ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT,NATURAL_PERSONS,NO_LEI,https://example.ch\n\
         {},,GRANDPARENT,NATURAL_PERSONS,,\n",
        swiss(),
        swiss()
    )
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

fn joined_batch() -> Batch {
    let table = level1_table();
    let wanted: Lei = foreign().parse().expect("valid");
    let (entities, _) =
        read_and_rejected(level1(table.as_bytes(), |it| it == wanted).expect("a table"));
    let mut level1_of_wanted = Level1::from_iter(entities);
    let isin = "CH0012032048".parse().expect("valid");
    level1_of_wanted.add_isins([(swiss().parse().expect("valid"), isin), (wanted, isin)]);
    let relationships = relationship_table();
    let exceptions_table = exception_table();
    let (relationships, _) = read_and_rejected(relationships_of(&relationships));
    let (exceptions, _) =
        read_and_rejected(exceptions(exceptions_table.as_bytes(), |_| true).expect("a table"));
    join(&level1_of_wanted, relationships, exceptions)
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
    let table = level1_table();
    let (entities, rejected) =
        read_and_rejected(level1(table.as_bytes(), |_| false).expect("a table"));
    assert_eq!(entities.len(), 4);
    assert_eq!(entities[0].legal_name, "Muster, Uhren AG");
    assert_eq!(entities[0].creation_date, Some(jiff::civil::date(1990, 5, 1)));
    assert_eq!(
        rejected,
        [
            "Entity.EntityCreationDate: `1990` is not a date",
            "LEI: `999900XXXXXXXXXXXX00` is not an LEI: its check digits are wrong",
        ]
    );
    let batch = read(table.as_bytes()).expect("a table");
    assert_eq!((batch.statements.len(), batch.rejected.len()), (2, 4));
    assert_eq!(batch.rejected[0].reason, "registeredAs: CHE-600.000.027 has the wrong check digit");
}

#[test]
fn join_adds_names_and_uids_of_parents_and_children() {
    let batch = joined_batch();
    assert_eq!(batch.statements.len(), 2);
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
    let (relationships, rejected) = read_and_rejected(relationships_of(&relationship_table()));
    assert_eq!(relationships.len(), 5);
    assert_eq!(relationships[4].kind, Kind::FundManager);
    assert_eq!(
        rejected,
        [
            "Relationship.RelationshipType: `IS_FRIEND_OF` is unknown",
            "Relationship.Quantifiers.1.QuantifierAmount: 120 is not a percentage",
        ]
    );
    let table = exception_table();
    let (exceptions, rejected) =
        read_and_rejected(exceptions(table.as_bytes(), |_| true).expect("a table"));
    assert_eq!(exceptions.len(), 1);
    assert_eq!(rejected, ["Exception.Category: `GRANDPARENT` is unknown"]);
    assert!(relationships_error().is_some());
}

fn relationships_error() -> Option<Unreadable> {
    relationships(level1_table().as_bytes(), |_| true).err()
}

#[test]
fn company_with_too_many_securities_gets_none() {
    let table = level1_table();
    let (entities, _) = read_and_rejected(level1(table.as_bytes(), |_| false).expect("a table"));
    let mut level1_of_wanted = Level1::from_iter(entities);
    let lei: Lei = swiss().parse().expect("valid");
    let numbers = (0..1000).filter_map(|it| format!("CH{it:010}").parse::<Isin>().ok());
    level1_of_wanted.add_isins(numbers.map(|isin| (lei, isin)));
    let batch = join(&level1_of_wanted, [], []);
    assert!(batch.statements.iter().all(|it| entity(it).isins.is_empty()));
}

#[test]
fn table_of_securities_is_read() {
    let table = format!("LEI,ISIN\n{},CH0012032048\n{},CH1\n", swiss(), swiss());
    let (pairs, rejected) = read_and_rejected(isins(table.as_bytes(), |_| true).expect("a table"));
    assert_eq!((pairs.len(), rejected.len()), (1, 1));
    assert!(rejected[0].starts_with("ISIN: `CH1`"), "{rejected:?}");
}

fn answer() -> String {
    let (swiss, foreign) = (swiss(), foreign());
    format!(
        r#"{{"meta": {{}}, "links": {{"first": "https://api.gleif.org/api/v1/lei-records?page%5Bnumber%5D=1",
            "next": "https://api.gleif.org/api/v1/lei-records?page%5Bcursor%5D=abc"}},
        "data": [
          {{"type": "lei-records", "id": "{swiss}", "attributes": {{"lei": "{swiss}",
            "entity": {{"legalName": {{"name": "Muster, Uhren AG", "language": "de"}}, "otherNames": [{{"name": "Muster Watches"}}],
              "jurisdiction": "CH", "registeredAt": {{"id": "RA000548", "other": null}}, "registeredAs": "CHE-600.000.026",
              "legalForm": {{"id": "MVII"}}, "status": "ACTIVE", "creationDate": "1990-05-01T00:00:00Z", "successorEntity": {{"lei": null}}}},
            "registration": {{"lastUpdateDate": "2026-02-03T10:00:00Z", "status": "ISSUED"}}}}}},
          {{"type": "relationship-records", "attributes": {{"relationship": {{"startNode": {{"id": "{swiss}", "type": "LEI"}},
            "endNode": {{"id": "{foreign}", "type": "LEI"}}, "type": "IS_DIRECTLY_CONSOLIDATED_BY", "status": "ACTIVE",
            "periods": [{{"startDate": "2002-10-22T12:00:00Z", "type": "RELATIONSHIP_PERIOD"}}]}},
            "registration": {{"status": "PUBLISHED"}}}}}},
          {{"type": "reporting-exceptions", "attributes": {{"lei": "{swiss}", "category": "ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT",
            "reason": "NON_CONSOLIDATING", "reference": null}}}},
          {{"type": "lei-records", "attributes": {{"lei": "{swiss}", "entity": {{"legalName": {{}}}}}}}},
          {{"type": "lei-issuers", "attributes": {{}}}}]}}"#
    )
}

#[test]
fn response_with_entities_relationships_and_exceptions_is_read() {
    let answer = read_answer(answer().as_bytes()).expect("json");
    assert_eq!(answer.entities[0].uid().expect("swiss").expect("valid").number(), 600_000_026);
    assert_eq!(answer.relationships[0].periods.len(), 1);
    assert_eq!(answer.exceptions[0].reasons, ["NON_CONSOLIDATING"]);
    let reasons: Vec<&str> = answer.rejected.iter().map(|it| it.reason.as_str()).collect();
    assert_eq!(
        reasons,
        ["attributes.entity.legalName: missing field `name`", "type: `lei-issuers` is unknown"]
    );
    let level1_of_wanted = Level1::from_iter(answer.entities);
    let batch = join(&level1_of_wanted, answer.relationships, answer.exceptions);
    assert!(entity(&batch.statements[0]).group.is_some());
}

#[test]
fn next_page_must_be_on_the_api() {
    let page = answer();
    let next = next(page.as_bytes()).expect("json").expect("a page");
    assert!(next.ends_with("page%5Bcursor%5D=abc"));
    assert_eq!(request(Some(&next)).url, next);
    let elsewhere =
        page.replace("\"next\": \"https://api.gleif.org", "\"next\": \"https://gleif.example");
    assert!(super::next(elsewhere.as_bytes()).is_err());
    assert_eq!(super::next(b"{\"data\": []}").expect("json"), None);
    let empty = format!("{{\"data\": [], \"links\": {{\"next\": \"{next}\"}}}}");
    assert_eq!(super::next(empty.as_bytes()).expect("json"), None);
    let first = request(None).url;
    assert!(first.contains("filter%5Bentity.legalAddress.country%5D=CH"), "{first}");
    assert!(first.ends_with("page%5Bcursor%5D=%2A"), "{first}");
}

fn excerpt() -> Excerpt {
    let mut excerpt = Excerpt::of_day(Some(jiff::civil::date(2026, 6, 1)));
    excerpt.add_level1(answer().as_bytes()).expect("json");
    excerpt.add_relationships(readable_relationships().as_bytes()).expect("a table");
    excerpt.add_exceptions(exception_table().as_bytes()).expect("a table");
    let isin = "LEI,ISIN\nLEI1,CH0012032048\nLEI2,CH0012032048\nLEI1,CH1\n";
    let isin = isin.replace("LEI1", &swiss()).replace("LEI2", &foreign());
    excerpt.add_isins(isin.as_bytes()).expect("a table");
    excerpt
}

#[test]
fn excerpt_contains_all_records_about_swiss_companies() {
    let excerpt = excerpt();
    assert!(excerpt.has_companies());
    let missing: Vec<String> = excerpt.missing_entities().iter().map(Lei::to_string).collect();
    assert_eq!(missing, [foreign(), subsidiary()]);
    let batch = read(&excerpt.to_bytes().expect("plain data")).expect("an excerpt");
    let [fact] = batch.statements.as_slice() else { panic!("{:?}", batch.statements) };
    assert_eq!(fact.published, Some(jiff::civil::date(2026, 6, 1)));
    assert_eq!(entity(fact).isins.len(), 1);
    assert_eq!(entity(fact).group.as_ref().expect("a group").children.len(), 1);
    let reasons: Vec<&str> = batch.rejected.iter().map(|it| it.reason.as_str()).collect();
    assert!(reasons.contains(&"Exception.Category: `GRANDPARENT` is unknown"), "{reasons:?}");
    assert!(reasons.iter().any(|it| it.starts_with("ISIN: `CH1`")), "{reasons:?}");
}

#[test]
fn unreadable_relationship_leaves_parent_unknown() {
    let other = lei("999900ANOTHERAGCH1");
    let another = answer().replace(&swiss(), &other).replace("CHE-600.000.026", "CHE-600.000.032");
    let mut excerpt = Excerpt::default();
    for answer in [answer(), another] {
        excerpt.add_level1(answer.as_bytes()).expect("json");
    }
    excerpt.add_relationships(relationship_table().as_bytes()).expect("a table");
    let batch = read(&excerpt.to_bytes().expect("plain data")).expect("an excerpt");
    let [fact] = batch.statements.as_slice() else { panic!("{batch:?}") };
    assert_eq!(entity(fact).lei.to_string(), other);
    assert!(!batch.rejected.is_empty());
}

#[test]
fn newest_record_of_an_entity_is_used_in_any_order() {
    let newer = answer().replace("2026-02-03", "2026-05-03").replace("Muster, Uhren", "Neu");
    let mut one = Excerpt::default();
    let mut other = Excerpt::default();
    for (excerpt, texts) in [(&mut one, [answer(), newer.clone()]), (&mut other, [newer, answer()])]
    {
        texts.iter().for_each(|it| excerpt.add_level1(it.as_bytes()).expect("json"));
        excerpt.add_level1(&excerpt.clone().to_bytes().expect("plain data")).expect("ignored");
    }
    assert_eq!(one, other);
    assert_eq!(entity(&one.into_batch().statements[0]).legal_name, "Neu AG");
}

#[test]
fn several_entities_are_requested_together() {
    let leis = [swiss(), foreign()].map(|it| it.parse().expect("valid"));
    let url = names_request(&leis).url;
    assert!(url.contains(&format!("filter%5Blei%5D={}%2C{}&", swiss(), foreign())), "{url}");
}

proptest! {
    #[test]
    fn changing_one_character_never_panics(at in 0usize..5_000, with in any::<char>()) {
        for text in [level1_table(), relationship_table(), exception_table(), answer()] {
            let mut text: Vec<char> = text.chars().collect();
            let at = at % text.len();
            text[at] = with;
            let text: String = text.into_iter().collect();
            let _ = (read(text.as_bytes()), next(text.as_bytes()));
            let _ = relationships(text.as_bytes(), |_| true).map(Iterator::count);
            let _ = exceptions(text.as_bytes(), |_| true).map(Iterator::count);
        }
    }
}
