use std::collections::BTreeSet;

use super::*;

fn day(text: &str) -> Date {
    text.parse().expect("a date")
}

fn obligation(id: &str) -> &'static Obligation {
    CATALOGUE.obligation(id).expect("an entry")
}

#[test]
fn every_reference_in_the_catalogue_leads_somewhere_and_ids_are_unique() {
    let catalogue = &*CATALOGUE;
    let ids: BTreeSet<&str> = catalogue.obligations.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids.len(), catalogue.obligations.len());
    for it in &catalogue.obligations {
        assert!(catalogue.regulation(&it.regulation).is_some(), "{}", it.id);
        assert_eq!(catalogue.controls_of(it).count(), it.controls.len(), "{}", it.id);
        assert!(!it.applications.is_empty() && !it.versions.is_empty(), "{}", it.id);
    }
    for it in &catalogue.controls {
        assert_eq!(catalogue.evidence_of(it).count(), it.evidence.len(), "{}", it.id);
    }
    let used: BTreeSet<&str> =
        catalogue.obligations.iter().flat_map(|it| &it.controls).map(String::as_str).collect();
    assert_eq!(used.len(), catalogue.controls.len(), "a control without an obligation");
}

#[test]
fn versions_follow_each_other_without_overlap() {
    for it in &CATALOGUE.obligations {
        for pair in it.versions.windows(2) {
            let next = pair[0].until.and_then(|it| it.tomorrow().ok());
            assert_eq!(next, pair[1].since, "{}", it.id);
        }
    }
}

#[test]
fn former_versions_are_missing_only_before_the_day_since_which_the_catalogue_is_complete() {
    let first = |it: &Obligation| it.versions[0].since;
    let late = CATALOGUE.obligations.iter().filter(|it| first(it) > Some(Catalogue::COVERED_SINCE));
    for it in late {
        assert_eq!(it.regulation, "LETA", "{}: what was in force before?", it.id);
    }
}

#[test]
fn law_of_2024_differs_from_that_of_2026() {
    let (before, after) = (day("2024-06-30"), day("2026-11-20"));
    assert_eq!(obligation("co-697j").status(before), LegalStatus::InForce);
    assert_eq!(obligation("co-697j").status(after), LegalStatus::Repealed);
    assert_eq!(obligation("leta-9").status(before), LegalStatus::NotYetInForce);
    assert_eq!(obligation("leta-9").status(after), LegalStatus::InForce);
    let waiver = |day| obligation("co-727a").version(day).expect("in force").text.clone();
    assert!(!waiver(before).contains("future financial years"));
    assert!(waiver(after).contains("future financial years"));
    assert_ne!(
        obligation("schkg-43").version(before).map(|it| &it.text),
        obligation("schkg-43").version(after).map(|it| &it.text)
    );
}

#[test]
fn revised_laws_begin_on_their_day() {
    for (id, last, first) in [
        ("fadp", "2023-08-31", "2023-09-01"),
        ("co-725a", "2022-12-31", "2023-01-01"),
        ("co-725b", "2022-12-31", "2023-01-01"),
        ("co-964a", "2021-12-31", "2022-01-01"),
        ("leta-4", "2026-09-30", "2026-10-01"),
    ] {
        assert_eq!(obligation(id).status(day(last)), LegalStatus::NotYetInForce, "{id}");
        assert_eq!(obligation(id).status(day(first)), LegalStatus::InForce, "{id}");
    }
    let solvency = |day| obligation("co-725").version(day).map(|it| it.text.contains("solvency"));
    assert_eq!(solvency(day("2022-12-31")), Some(false));
    assert_eq!(solvency(day("2023-01-01")), Some(true));
}

#[test]
fn what_was_not_confirmed_is_not_verified() {
    let unverified = |id: &str, day: Date| {
        !obligation(id).nearest_version(day).expect("a version").is_verified()
    };
    let today = day("2026-11-20");
    for it in CATALOGUE.obligations.iter().filter(|it| it.regulation == "LETA") {
        assert!(unverified(&it.id, today), "{}", it.id);
    }
    assert!(unverified("co-697j", day("2024-06-30")), "its end follows from the transparency act");
    assert!(!CATALOGUE.regulation("LETA").expect("listed").verified);
    assert!(!unverified("co-727", today) && !unverified("co-727a", today));
    assert!(unverified("co-727", day("2010-06-30")), "thresholds of then");
}

/// No text of the regulation was read for these.
#[test]
fn background_knowledge_is_not_verified() {
    for id in [
        "amla-3", "amla-4", "co-718", "co-725", "co-725a", "co-725b", "co-730a", "co-931",
        "co-957", "co-964a", "fadp", "schkg-43", "cc-83b",
    ] {
        let versions = &obligation(id).versions;
        assert!(versions.iter().all(|it| it.unconfirmed.contains(&Part::Article)), "{id}");
    }
    assert!(!CATALOGUE.regulation("FADP").expect("listed").verified);
}

#[test]
fn waiver_is_bound_to_future_years_from_the_first_day_of_2025() {
    let waiver = |text| obligation("co-727a").version(day(text)).expect("in force").text.clone();
    assert!(!waiver("2024-12-31").contains("future financial years"));
    assert!(waiver("2025-01-01").contains("future financial years"));
}

#[test]
fn transparency_act_states_the_time_that_existing_entities_have() {
    let text = &obligation("leta-9").versions[0].text;
    for part in ["three months", "four months", "five months", "six months", "two years"] {
        assert!(text.contains(part), "{part}");
    }
    assert_eq!(obligation("leta-50").status(day("2026-09-30")), LegalStatus::NotYetInForce);
}

#[test]
fn version_shown_for_a_day_outside_is_the_nearest() {
    let leta = obligation("leta-9");
    assert_eq!(leta.nearest_version(day("2020-01-01")), leta.versions.first());
    let old = obligation("co-697j");
    assert_eq!(old.nearest_version(day("2027-01-01")), old.versions.last());
}
