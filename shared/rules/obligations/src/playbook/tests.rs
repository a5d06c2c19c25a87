use std::collections::BTreeSet;

use super::*;
use crate::CATALOGUE;

const DAY: Date = jiff::civil::date(2026, 11, 20);

fn regime(kind: RegimeKind, basis: Basis) -> AuditRegime {
    AuditRegime { kind, basis, reasons: Vec::new() }
}

fn ids(selection: &Selection) -> BTreeSet<&'static str> {
    select(selection, DAY).into_iter().flat_map(|(_, it)| it).map(|it| it.id.as_str()).collect()
}

#[test]
fn every_procedure_has_steps_and_its_obligations_exist() {
    let ids: BTreeSet<&str> = PROCEDURES.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids.len(), PROCEDURES.len());
    for it in PROCEDURES.iter() {
        assert!(
            !it.steps.is_empty() && !it.tiers.is_empty() && !it.standards.is_empty(),
            "{}",
            it.id
        );
        for id in &it.obligation_refs {
            assert!(CATALOGUE.obligation(id).is_some(), "{id}");
        }
    }
}

#[test]
fn procedures_refer_to_the_law_of_the_day_and_to_standards_that_were_not_checked() {
    let capital_loss = PROCEDURES.iter().find(|it| it.id == "capital-loss").expect("listed");
    let on = |day: &str| -> Vec<&str> {
        let day = day.parse().expect("a day");
        capital_loss.obligations_on(day).map(|it| it.id.as_str()).collect()
    };
    assert_eq!(on("2022-12-31"), ["co-725"]);
    assert_eq!(on("2023-01-01"), ["co-725", "co-725a", "co-725b"]);
    assert!(PROCEDURES.iter().flat_map(|it| &it.standards).all(|it| !it.verified));
}

#[test]
fn ordinary_audit_has_more_procedures_than_a_limited_one() {
    let ordinary = ids(&Selection::of(&regime(RegimeKind::Ordinary, Basis::Stated), Answer::No));
    let limited = ids(&Selection::of(&regime(RegimeKind::Limited, Basis::Stated), Answer::No));
    for only_ordinary in ["internal-control", "rotation", "report-ordinary", "fraud"] {
        assert!(ordinary.contains(only_ordinary) && !limited.contains(only_ordinary));
    }
    for only_limited in ["inquiries", "report-limited"] {
        assert!(limited.contains(only_limited) && !ordinary.contains(only_limited));
    }
    assert!(ordinary.contains("materiality") && limited.contains("materiality"));
}

#[test]
fn waived_audit_has_the_checks_of_its_conditions_and_no_report() {
    let waived = ids(&Selection::of(&regime(RegimeKind::OptingOut, Basis::Stated), Answer::No));
    assert!(waived.contains("waiver-conditions") && waived.contains("capital-loss"));
    assert!(!waived.contains("independence") && !waived.contains("report-limited"));
}

#[test]
fn supervision_adds_procedures() {
    let of =
        |supervised| ids(&Selection::of(&regime(RegimeKind::Ordinary, Basis::Stated), supervised));
    let added: Vec<_> = of(Answer::Yes).difference(&of(Answer::No)).copied().collect();
    assert_eq!(added, ["aml-compliance", "report-finma", "supervisory-strategy"]);
    assert_eq!(of(Answer::Unknown), of(Answer::No), "not every licence requires them");
    let unknown = Selection::of(&regime(RegimeKind::Ordinary, Basis::Stated), Answer::Unknown);
    assert!(unknown.rationale.iter().any(|it| it.contains("`finma`")), "{unknown:?}");
}

#[test]
fn unknown_kind_of_audit_has_only_what_every_audit_begins_with() {
    let unknown = Selection::of(&regime(RegimeKind::Unknown, Basis::Unknown), Answer::No);
    assert_eq!(ids(&unknown).into_iter().collect::<Vec<_>>(), ["determine-kind", "know-client"]);
    assert!(unknown.rationale[0].contains("not known"));
    let assumed = Selection::of(&regime(RegimeKind::Limited, Basis::Assumed), Answer::No);
    assert!(assumed.rationale[0].contains("assumed"));
}

#[test]
fn request_replaces_the_tiers_and_the_kind_of_audit() {
    let own = Selection::of(&regime(RegimeKind::Limited, Basis::Stated), Answer::Yes);
    let asked =
        own.with_tiers(vec![AuditTier::Complex]).with_overlays(vec![AuditOverlay::OrdinaryAudit]);
    assert!(ids(&asked).contains("fraud") && !ids(&asked).contains("materiality"));
    assert_eq!(asked.overlays, [AuditOverlay::OrdinaryAudit, AuditOverlay::Finma]);
}

#[test]
fn request_for_supervision_adds_its_procedures_to_those_of_the_company() {
    let own = Selection::of(&regime(RegimeKind::Ordinary, Basis::Stated), Answer::No);
    let asked = own.clone().with_overlays(vec![AuditOverlay::Finma]);
    assert!(ids(&asked).is_superset(&ids(&own)) && ids(&asked).contains("report-finma"));
    assert_eq!(asked.clone().with_overlays(vec![AuditOverlay::Finma]).overlays, asked.overlays);
}

#[test]
fn steps_are_those_of_the_law_of_the_day() {
    let steps = |procedure: &str, day: &str| -> Vec<usize> {
        let procedure = PROCEDURES.iter().find(|it| it.id == procedure).expect("listed");
        procedure.steps_on(day.parse().expect("a day")).map(|it| it.0).collect()
    };
    // The list of beneficial owners, then the transparency register.
    assert_eq!(steps("know-client", "2026-09-30"), [1, 2, 3, 5]);
    assert_eq!(steps("know-client", "2026-10-01"), [1, 2, 4, 5]);
    // Since 2025, a waiver applies to later financial years only.
    assert_eq!(steps("waiver-conditions", "2024-12-31"), [1, 2, 4]);
    assert_eq!(steps("waiver-conditions", "2025-01-01"), [1, 2, 3]);
    // Since 2023, the board watches whether the company can pay, and accounts that nobody audits are audited after a loss.
    assert_eq!(steps("capital-loss", "2022-12-31"), [2, 3]);
    assert_eq!(steps("capital-loss", "2023-01-01"), [1, 2, 3, 4]);
}

fn procedure(id: &str) -> &'static Procedure {
    PROCEDURES.iter().find(|it| it.id == id).expect("listed")
}

#[test]
fn what_the_law_requires_begins_with_the_law() {
    // No obligation of the catalogue: what these follow is older, or no law.
    let without = ["capital-and-register", "supervisory-strategy", "report-finma"];
    for procedure in PROCEDURES.iter().filter(|it| !without.contains(&it.id.as_str())) {
        let required = procedure.steps.iter().filter(|it| it.binding_level == BindingLevel::Law);
        for step in required {
            assert!(step.in_force.since.is_some(), "{}: {}", procedure.id, step.instruction);
        }
    }
    let articles = PROCEDURES.iter().flat_map(|it| &it.standards).filter(|it| it.binding == "law");
    for article in articles {
        assert!(article.in_force.since.is_some(), "{}", article.reference);
    }
}

#[test]
fn articles_are_those_of_the_law_of_the_day() {
    let articles = |procedure: &'static Procedure, day: &str| -> Vec<&str> {
        let day = day.parse().expect("a day");
        procedure.standards_on(day).map(|it| it.reference.as_str()).collect()
    };
    let loss = procedure("capital-loss");
    assert_eq!(articles(loss, "2022-12-31"), ["CO 725"]);
    assert_eq!(articles(loss, "2023-01-01"), ["CO 725", "CO 725a", "CO 725b"]);
    let topic = |day: &str| loss.source_topic_on(day.parse().expect("a day"));
    assert_eq!((topic("2022-12-31"), topic("2023-01-01")), ("CO 725", "CO 725a"));
}

#[test]
fn before_2008_there_was_neither_a_limited_audit_nor_a_waiver() {
    let last: Date = jiff::civil::date(2007, 12, 31);
    for kind in [AuditOverlay::LimitedAudit, AuditOverlay::OptingOut, AuditOverlay::OrdinaryAudit] {
        let wanted = || {
            let of_nothing =
                Selection::of(&regime(RegimeKind::Unknown, Basis::Unknown), Answer::No);
            of_nothing.with_overlays(vec![kind])
        };
        let before = wanted().on(last);
        assert_eq!(before.overlays, [], "{kind:?}");
        let ids: Vec<&str> = select(&before, last)
            .into_iter()
            .flat_map(|it| it.1)
            .map(|it| it.id.as_str())
            .collect();
        assert_eq!(ids, ["know-client"], "to determine a kind of audit is of the law of 2008");
        let first = last.tomorrow().expect("a day");
        assert_eq!(wanted().on(first).overlays, [kind]);
        assert!(select(&wanted().on(first), first)[0].1.iter().any(|it| it.id == "determine-kind"));
    }
}

#[test]
fn unknown_value_names_one_that_is_near() {
    assert_eq!("Limited-Audit".parse(), Ok(AuditOverlay::LimitedAudit));
    let error = "finam".parse::<AuditOverlay>().expect_err("unknown");
    let text = "must be an overlay; got `finam`. Did you mean `finma`?";
    assert_eq!(error.to_string(), text);
}
