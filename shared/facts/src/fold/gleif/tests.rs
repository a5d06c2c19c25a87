use domain::company::EnrichmentLevel;
use statements::{CompanyStatement, Lei, Source, Statement};

use super::*;
use crate::{Fact, facts, fold};

const UID: &str = "CHE-600.000.032";

/// The identifier with these first eighteen characters.
fn lei(first: &str) -> Lei {
    let mut found = (0..100).filter_map(|it| format!("{first}{it:02}").parse().ok());
    found.next().expect("one of hundred fits")
}

fn subsidiary() -> Lei {
    lei("999900SUBSIDIARY00")
}

/// What level 1 says of the company, updated on this day.
fn entity(lei: Lei, registration_status: &str, updated: &str) -> Entity {
    let entity = serde_json::json!({
        "lei": lei, "legalName": "Muster Töchter AG", "registeredAt": "RA000549",
        "registeredAs": "CHE600000032", "status": "ACTIVE",
        "registrationStatus": registration_status, "lastUpdate": updated,
    });
    serde_json::from_value(entity).expect("an entity")
}

fn fact(entity: Entity, published: &str) -> Fact {
    Fact::from(CompanyStatement {
        uid: UID.parse().expect("a number"),
        source: Source::Gleif,
        published: published.parse().ok(),
        statement: Statement::Gleif(Box::new(entity)),
    })
}

/// A record of the register, to be enriched.
fn registered() -> Fact {
    let page = r#"{"results": {"bindings": [{"entity": {"value": "https://register.ld.admin.ch/zefix/company/1"},
        "legalName": {"value": "Muster Uhren AG"}, "uid": {"value": "CHE600000032"}}]}}"#;
    facts(sources::lindas::read(page.as_bytes()).expect("json").statements).remove(0)
}

fn relative(name: &str, uid: Option<&str>) -> Relative {
    Relative {
        lei: lei("999900FOREIGNCO001"),
        name: Some(name.to_owned()),
        uid: uid.map(|it| it.parse().expect("a number")),
        since: None,
        percentage: None,
    }
}

#[test]
fn the_fold_fills_identifier_and_parents_and_says_from_where() {
    let parent = relative("Muster, Uhren AG", Some("CHE-600.000.026"));
    let alone = entity(subsidiary(), "LAPSED", "2026-01-03");
    let grouped = Entity {
        group: Some(Group {
            direct_parent: Some(parent.clone()),
            ultimate_parent: Some(relative("Foreign Parent plc", None)),
            ..Group::default()
        }),
        ..alone.clone()
    };
    // Level 1 alone does not wipe out what is known of parents.
    let mut facts = vec![fact(grouped, "2026-04-01"), fact(alone, "2026-01-03")];
    assert_eq!(fold(&facts), None);
    facts.push(registered());
    let company = fold(&facts).expect("a record");
    assert_eq!(company.name, "Muster Uhren AG");
    assert_eq!(company.lei, Some(subsidiary().to_string()));
    assert_eq!(company.direct_parent_lei, Some(parent.lei.to_string()));
    assert_eq!(company.ultimate_parent_name.as_deref(), Some("Foreign Parent plc"));
    assert_eq!(company.enrichment_level, Some(EnrichmentLevel::Enriched));
    let sources: Vec<&str> = company.sources.iter().map(|it| it.source.as_str()).collect();
    assert_eq!(sources, ["lindas", "gleif"]);
}

#[test]
fn of_a_group_the_record_names_those_abroad() {
    let group = Group {
        direct_parent: Some(relative("Foreign Parent plc", None)),
        children: vec![
            relative("Tochter AG", Some("CHE600000012")),
            relative("Tochter GmbH", None),
        ],
        ..Group::default()
    };
    let mut company = fold(&[registered()]).expect("a record");
    for _ in 0..2 {
        enrich_with_group(&group, &mut company, None);
        let named: Vec<_> = company.affiliations.iter().map(|it| (it.kind, &*it.name)).collect();
        let expected = [
            (AffiliationKind::ConsolidatedBy, "Foreign Parent plc"),
            (AffiliationKind::Consolidates, "Tochter GmbH"),
        ];
        assert_eq!(named, expected);
    }
}

#[test]
fn of_an_identifier_the_newest_statement_counts_and_of_several_the_one_kept_up() {
    let issued = fact(entity(subsidiary(), "ISSUED", "2026-01-03"), "2026-01-03");
    // Later, the same identifier turns out to have been given twice.
    let duplicate = fact(entity(subsidiary(), "DUPLICATE", "2026-06-03"), "2026-06-03");
    let mut facts = vec![issued, duplicate, registered()];
    assert_eq!(fold(&facts).expect("a record").lei, None);
    let other = lei("999900OTHERNUMBER0");
    facts.push(fact(entity(other, "ISSUED", "2026-01-03"), "2026-01-03"));
    assert_eq!(fold(&facts).expect("a record").lei, Some(other.to_string()));
}
