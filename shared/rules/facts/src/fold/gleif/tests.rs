use domain::{
    Lei, Source,
    company::EnrichmentLevel,
    statements::{CompanyStatement, Statement},
};

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
        jurisdiction: None,
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

/// A record of the official level 2 files.
fn report(report: Report, published: Option<&str>) -> Fact {
    Fact::from(CompanyStatement {
        uid: UID.parse().expect("valid UID"),
        source: Source::Gleif,
        published: published.and_then(|it| it.parse().ok()),
        statement: Statement::GleifReport(Box::new(report)),
    })
}

fn parent(first: &str, kind: Kind, status: &str, updated: &str) -> Fact {
    let relationship = serde_json::json!({
        "child": subsidiary(), "parent": lei(first), "kind": kind, "status": status,
        "registrationStatus": "PUBLISHED", "percentage": 60.5, "lastUpdate": updated,
    });
    let relationship = serde_json::from_value(relationship).expect("valid relationship");
    report(Report::Relationship(relationship), Some(updated))
}

fn exception(category: &str, reason: &str) -> Fact {
    let exception =
        serde_json::json!({ "lei": subsidiary(), "category": category, "reasons": [reason] });
    report(Report::Exception(serde_json::from_value(exception).expect("valid exception")), None)
}

const DIRECT: &str = "DIRECT_ACCOUNTING_CONSOLIDATION_PARENT";
const ULTIMATE: &str = "ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT";
const FOREIGN: &str = "999900FOREIGNCO001";
const OTHER: &str = "999900OTHERCO00001";

/// The record from level 1 and these records of level 2, in any order.
fn with_reports(reports: &[Fact]) -> Company {
    let level1 = fact(entity(subsidiary(), "ISSUED", "2026-01-03"), "2026-01-03");
    let mut all = vec![lindas_fact(), level1];
    all.extend(reports.iter().cloned());
    let company = fold(&all).expect("company record");
    all.reverse();
    assert_eq!(fold(&all).as_ref(), Some(&company));
    company
}

#[test]
fn official_records_state_parents_and_their_share() {
    let company = with_reports(&[
        parent(FOREIGN, Kind::DirectParent, "ACTIVE", "2026-02-03"),
        parent(OTHER, Kind::UltimateParent, "ACTIVE", "2026-02-03"),
        parent(OTHER, Kind::FundManager, "ACTIVE", "2026-03-03"),
    ]);
    assert_eq!(company.direct_parent_lei, Some(lei(FOREIGN)));
    assert_eq!(company.direct_parent_percentage, Some(60.5));
    assert_eq!(company.ultimate_parent_lei, Some(lei(OTHER)));
    let relations = domain::relationships::relations_of(&company, &[]);
    let [parent] = relations.as_slice() else { panic!("{relations:?}") };
    // The files contain no names.
    assert_eq!((parent.name.clone(), parent.percentage), (lei(FOREIGN).to_string(), Some(60.5)));
    let source = parent.source.as_ref().expect("a source");
    assert_eq!(source.source, "gleif");
}

#[test]
fn newer_parent_replaces_an_older_one_and_an_ended_one_is_removed() {
    let first = parent(FOREIGN, Kind::DirectParent, "ACTIVE", "2026-02-03");
    let second = parent(OTHER, Kind::DirectParent, "ACTIVE", "2026-03-03");
    let ended = parent(FOREIGN, Kind::DirectParent, "INACTIVE", "2026-04-03");
    let company = with_reports(&[first.clone(), second, ended.clone()]);
    assert_eq!(company.direct_parent_lei, Some(lei(OTHER)));
    let company = with_reports(&[first, ended]);
    assert_eq!((company.direct_parent_lei, company.direct_parent_percentage), (None, None));
}

#[test]
fn reasons_for_naming_no_parent_are_kept_until_one_is_named() {
    let exceptions = [exception(DIRECT, "NATURAL_PERSONS"), exception(ULTIMATE, "NO_KNOWN_PERSON")];
    let company = with_reports(&exceptions);
    let reasons = |it: &Company| -> Vec<(ParentLevel, Vec<String>)> {
        it.parent_exceptions.iter().map(|it| (it.parent, it.reasons.clone())).collect()
    };
    let ultimate = (ParentLevel::Ultimate, vec!["NO_KNOWN_PERSON".to_owned()]);
    let direct = (ParentLevel::Direct, vec!["NATURAL_PERSONS".to_owned()]);
    assert_eq!(reasons(&company), [direct, ultimate.clone()]);
    let named = parent(FOREIGN, Kind::DirectParent, "ACTIVE", "2026-02-03");
    let company = with_reports(&[&exceptions[..], &[named]].concat());
    assert_eq!(reasons(&company), [ultimate]);
}

#[test]
fn records_of_an_excerpt_outweigh_older_official_records() {
    let group =
        Group { direct_parent: Some(related("Foreign Parent plc", None)), ..Group::default() };
    let excerpt = Entity { group: Some(group), ..entity(subsidiary(), "ISSUED", "2026-01-03") };
    let excerpt = fact(excerpt, "2026-06-01");
    let older = parent(OTHER, Kind::DirectParent, "ACTIVE", "2026-02-03");
    let company = with_reports(&[excerpt.clone(), older, exception(DIRECT, "NO_LEI")]);
    assert_eq!(company.direct_parent_lei, Some(lei(FOREIGN)));
    assert_eq!(company.parent_exceptions, []);
    assert_eq!(company.affiliations.len(), 1);
    let newer = parent(OTHER, Kind::DirectParent, "ACTIVE", "2026-07-03");
    let company = with_reports(&[excerpt, newer]);
    assert_eq!(company.direct_parent_lei, Some(lei(OTHER)));
    assert_eq!(company.affiliations, [], "the name of the other parent is not known");
}

#[test]
fn record_of_another_identifier_of_the_company_is_ignored() {
    let other = lei("999900ANOTHERAGCH1");
    let exception = serde_json::json!({ "lei": other, "category": DIRECT, "reasons": ["NO_LEI"] });
    let exception = Report::Exception(serde_json::from_value(exception).expect("valid exception"));
    assert_eq!(with_reports(&[report(exception, None)]).parent_exceptions, []);
}
