use super::*;

#[test]
fn linked_data_is_used_only_without_a_record_of_the_rest_api() {
    let day = "2026-11-19".parse().ok();
    let linked =
        facts_from(lindas::read(LINDAS_PAGE.as_bytes()).expect("valid JSON").dated(day).statements)
            .remove(0);
    let company = fold(std::slice::from_ref(&linked)).expect("company record");
    assert_eq!(company.name, "Muster AG (verbunden)");
    assert_eq!(company.sub_industry.as_deref(), Some("Bakeries"));
    assert_eq!(company.industry_classified_at, company.updated_at);
    // The linked data contains less, so that its date is irrelevant.
    let company = fold(&[linked, zefix_fact("Muster AG", "2024-01-01")]).expect("company record");
    assert_eq!(company.name, "Muster AG");
    assert_eq!(company.data_source.as_deref(), Some("zefix"));
    assert_eq!(company.sources.len(), 1);
}

#[test]
fn status_from_linked_data_alone_follows_from_the_name() {
    let status = |name: &str| {
        let page = LINDAS_PAGE.replace("Muster AG (verbunden)", name);
        let facts = facts_from(lindas::read(page.as_bytes()).expect("valid JSON").statements);
        fold(&facts).expect("company record").status
    };
    assert_eq!(status("Muster AG"), Some(Status::Active));
    assert_eq!(status("Muster AG in Liquidation"), Some(Status::BeingCancelled));
    assert_eq!(status("Muster SA en liquidation"), Some(Status::BeingCancelled));
}

#[test]
fn deletion_overrides_linked_data_regardless_of_order() {
    for graph in ["2026-03-01", "2026-03-15"] {
        let end = deletion(1, "2026-03-10", "Die Gesellschaft wird gelöscht.");
        let mut facts = gazette_facts([end]);
        facts.push(lindas_fact(graph));
        for _ in 0..2 {
            assert_eq!(
                fold(&facts).expect("company record").status,
                Some(Status::Cancelled),
                "{graph}"
            );
            facts.reverse();
        }
    }
}

#[test]
fn name_in_liquidation_changes_the_status_and_proves_it() {
    let entry = registration(1, "2020-01-06", "");
    let graph = LINDAS_PAGE.replace("(verbunden)", "in Liquidation");
    let graph = lindas::read(graph.as_bytes()).expect("valid JSON");
    let graph = facts_from(graph.dated("2026-03-15".parse().ok()).statements);
    let then = as_of(&[gazette_facts([entry.clone()]), graph].concat(), "2026-03-15")
        .expect("company record");
    assert_eq!(then.company.status, Some(Status::BeingCancelled));
    assert_eq!(proof(&then, "status").as_deref(), Some("2026-03-15"));
    // Being still registered does not change the proof.
    let then =
        as_of(&[gazette_facts([entry]), vec![lindas_fact("2026-03-15")]].concat(), "2026-03-15");
    let then = then.expect("company record");
    assert_eq!(then.company.status, Some(Status::Active));
    assert_eq!(proof(&then, "status").as_deref(), Some("2020-01-06"));
    // The first publication with the name is the proof, not the last.
    let named = mutation(2, "2026-04-01", "").new_name("Muster AG in Liquidation");
    let still = named.clone().number(3).on("2026-05-01");
    let facts = [vec![lindas_fact("2026-03-15")], gazette_facts([named, still])].concat();
    let then = as_of(&facts, "2026-06-01").expect("company record");
    assert_eq!(then.company.status, Some(Status::BeingCancelled));
    assert_eq!(proof(&then, "status").as_deref(), Some("2026-04-01"));
}

/// A publication with bankruptcy, capital, auditor and waiver, and linked data that is five days newer.
fn publication_and_newer_linked_data() -> Vec<Fact> {
    let publication = mutation(1, "2026-03-10", &format!("{BANKRUPT} {}", entered(AUDITOR)))
        .new_opting_out(false)
        .new_capital("100000")
        .new_purpose("Handel.", "Handel mit Waren aller Art.");
    let mut facts = gazette_facts([publication]);
    facts.push(lindas_fact("2026-03-15"));
    facts
}

#[test]
fn linked_data_keeps_members_that_it_does_not_state() {
    let mut facts = publication_and_newer_linked_data();
    for _ in 0..2 {
        let company = fold(&facts).expect("company record");
        assert_eq!(company.status, Some(Status::BeingCancelled));
        assert_eq!(company.share_capital, "100000".parse().ok());
        assert_eq!(company.auditor_name.as_deref(), Some("Erste Revision AG"));
        assert_eq!(company.auditor_opt_out, Some(false));
        assert_eq!(company.canton, Some(domain::Canton::Lu));
        // Members that the linked data states override the publication.
        assert_eq!(company.name, "Muster AG (verbunden)");
        assert!(company.purpose.as_deref().is_some_and(|it| it.contains("Bäckerei")));
        assert_eq!(company.data_source.as_deref(), Some("lindas"));
        let sources: Vec<&str> = company.sources.iter().map(|it| it.source.as_str()).collect();
        assert_eq!(sources, ["lindas", "shab"]);
        facts.reverse();
    }
}

#[test]
fn publication_newer_than_linked_data_overrides_it() {
    let renamed = mutation(2, "2026-03-20", "").new_name("Neu AG");
    let mut facts = publication_and_newer_linked_data();
    facts.extend(gazette_facts([renamed]));
    let company = fold(&facts).expect("company record");
    assert_eq!(company.name, "Neu AG");
    assert_eq!(company.status, Some(Status::BeingCancelled), "the bankruptcy remains");
    assert!(company.purpose.as_deref().is_some_and(|it| it.contains("Bäckerei")));
}

#[test]
fn linked_data_replaces_a_different_address_as_a_whole() {
    let housed = mutation(1, "2026-03-10", "")
        .address_line("c/o Treuhand AG")
        .address(["Hirschengraben", "3", "6003", "Luzern"])
        .new_address(["Seestrasse", "1a", "6003", "Luzern"]);
    let located = |street: &str| {
        let address = format!(
            r#""street": {{"value": "{street}"}}, "zip": {{"value": "6003"}}, "locality": {{"value": "Luzern"}}, "uid""#
        );
        let page = LINDAS_PAGE.replacen("\"uid\"", &address, 1);
        let batch = lindas::read(page.as_bytes()).expect("valid JSON");
        let mut facts = facts_from(batch.dated("2026-03-15".parse().ok()).statements);
        facts.extend(gazette_facts([housed.clone()]));
        fold(&facts).expect("company record")
    };
    let same = located("Seestrasse 1a");
    assert_eq!(same.address_care_of.as_deref(), Some("c/o Treuhand AG"));
    let moved = located("Bergstrasse 2");
    assert_eq!((moved.address_care_of, moved.address_house_number), (None, Some("2".to_owned())));
}

#[test]
fn full_snapshot_overrides_earlier_publications_except_the_audit_waiver() {
    let until = mutation(1, "2024-01-01", BANKRUPT);
    let waived = mutation(2, "2023-05-01", "Auf eine eingeschränkte Revision wird verzichtet.")
        .new_name("Alt AG");
    let mut facts = gazette_facts([until, waived]);
    facts.push(zefix_fact("Muster AG", "2024-01-01"));
    let company = fold(&facts).expect("company record");
    assert_eq!((company.name.as_str(), company.status), ("Muster AG", None));
    // The snapshot does not state the waiver.
    assert_eq!(company.auditor_opt_out, Some(true));
}

#[test]
fn auditor_of_a_snapshot_remains_until_a_notice_names_another() {
    let json = format!(
        r#"{{"uid": "{UID}", "name": "Muster AG", "canton": "LU", "sogcDate": "2024-01-01",
            "auditCompanies": [{{"name": "Zweite Revision AG"}}]}}"#
    );
    let snapshot = facts_from(zefix::read(json.as_bytes()).expect("valid JSON").statements);
    let old = mutation(1, "2020-01-01", &entered(AUDITOR));
    let other = mutation(2, "2025-01-01", "");
    let facts = [snapshot, gazette_facts([old, other])].concat();
    let company = fold(&facts).expect("company record");
    assert_eq!(company.auditor_name.as_deref(), Some("Zweite Revision AG"));
    let next = "Dritte Revision AG, in Luzern, Revisionsstelle";
    let swap = mutation(3, "2025-06-01", &format!("{} {}", left(AUDITOR), entered(next)));
    let company = fold(&[facts, gazette_facts([swap])].concat()).expect("company record");
    assert_eq!(company.auditor_name.as_deref(), Some("Dritte Revision AG"));
}
