use domain::company::EnrichmentLevel;
use statements::{CompanyStatement, Lei, Source, Statement};

use super::*;
use crate::{Fact, facts, fold};

const UID: &str = "CHE-600.000.032";

/// The LEI with these first eighteen characters.
fn lei(first: &str) -> Lei {
    let mut valid = (0..100).filter_map(|it| format!("{first}{it:02}").parse().ok());
    valid.next().expect("one pair of check digits is valid")
}

fn subsidiary() -> Lei {
    lei("999900SUBSIDIARY00")
}

/// The level 1 record of the company with this date of the last update.
fn entity(lei: Lei, registration_status: &str, updated: &str) -> Entity {
    let entity = serde_json::json!({
        "lei": lei, "legalName": "Muster Töchter AG", "registeredAt": "RA000549",
        "registeredAs": "CHE600000032", "status": "ACTIVE",
        "registrationStatus": registration_status, "lastUpdate": updated,
    });
    serde_json::from_value(entity).expect("valid entity")
}

fn fact(entity: Entity, published: &str) -> Fact {
    Fact::from(CompanyStatement {
        uid: UID.parse().expect("valid UID"),
        source: Source::Gleif,
        published: published.parse().ok(),
        statement: Statement::Gleif(Box::new(entity)),
    })
}

/// A company in the register.
fn lindas_fact() -> Fact {
    let page = r#"{"results": {"bindings": [{"entity": {"value": "https://register.ld.admin.ch/zefix/company/1"},
        "legalName": {"value": "Muster Uhren AG"}, "uid": {"value": "CHE600000032"}}]}}"#;
    facts(sources::lindas::read(page.as_bytes()).expect("valid JSON").statements).remove(0)
}

fn related(name: &str, uid: Option<&str>) -> RelatedEntity {
    RelatedEntity {
        lei: lei("999900FOREIGNCO001"),
        name: Some(name.to_owned()),
        uid: uid.map(|it| it.parse().expect("valid UID")),
        since: None,
        percentage: None,
    }
}

#[test]
fn lei_and_parents_are_added_with_their_source() {
    let parent = related("Muster, Uhren AG", Some("CHE-600.000.026"));
    let without_group = entity(subsidiary(), "LAPSED", "2026-01-03");
    let with_group = Entity {
        group: Some(Group {
            direct_parent: Some(parent.clone()),
            ultimate_parent: Some(related("Foreign Parent plc", None)),
            ..Group::default()
        }),
        ..without_group.clone()
    };
    // A fact without level 2 data keeps the known parents.
    let mut facts = vec![fact(with_group, "2026-04-01"), fact(without_group, "2026-01-03")];
    assert_eq!(fold(&facts), None);
    facts.push(lindas_fact());
    let company = fold(&facts).expect("company record");
    assert_eq!(company.name, "Muster Uhren AG");
    assert_eq!(company.lei, Some(subsidiary()));
    assert_eq!(company.direct_parent_lei, Some(parent.lei));
    assert_eq!(company.ultimate_parent_name.as_deref(), Some("Foreign Parent plc"));
    assert_eq!(company.enrichment_level, Some(EnrichmentLevel::Enriched));
    let sources: Vec<&str> = company.sources.iter().map(|it| it.source.as_str()).collect();
    assert_eq!(sources, ["lindas", "gleif"]);
}

#[test]
fn parents_and_children_outside_the_register_become_affiliations() {
    let group = Group {
        direct_parent: Some(related("Foreign Parent plc", None)),
        children: vec![related("Tochter AG", Some("CHE600000012")), related("Tochter GmbH", None)],
        ..Group::default()
    };
    let mut company = fold(&[lindas_fact()]).expect("company record");
    for _ in 0..2 {
        enrich_with_group(&group, &mut company, None);
        let affiliations: Vec<_> =
            company.affiliations.iter().map(|it| (it.kind, &*it.name)).collect();
        let expected = [
            (AffiliationKind::ConsolidatedBy, "Foreign Parent plc"),
            (AffiliationKind::Consolidates, "Tochter GmbH"),
        ];
        assert_eq!(affiliations, expected);
    }
}

#[test]
fn newest_fact_of_a_lei_counts_and_the_maintained_lei_is_preferred() {
    let issued = fact(entity(subsidiary(), "ISSUED", "2026-01-03"), "2026-01-03");
    // The same LEI is later marked as a duplicate.
    let duplicate = fact(entity(subsidiary(), "DUPLICATE", "2026-06-03"), "2026-06-03");
    let mut facts = vec![issued, duplicate, lindas_fact()];
    assert_eq!(fold(&facts).expect("company record").lei, None);
    let other = lei("999900OTHERNUMBER0");
    facts.push(fact(entity(other, "ISSUED", "2026-01-03"), "2026-01-03"));
    assert_eq!(fold(&facts).expect("company record").lei, Some(other));
}
