use std::collections::BTreeSet;

use sources::finma;

use super::*;

#[test]
fn record_as_of_a_day_uses_publications_up_to_that_day() {
    let facts = lifetime();
    assert_eq!(as_of(&facts, "2020-03-01"), None);
    let early = as_of(&facts, "2021-01-01").expect("company record");
    assert_eq!(early.company.legal_seat.as_deref(), Some("Luzern"));
    assert_eq!(early.company.status, Some(Status::Active));
    assert_eq!(early.company.share_capital, "100000".parse().ok());
    for member in ["name", "legalSeat", "purpose", "shareCapital", "status", "auditorName"] {
        assert_eq!(proof(&early, member).as_deref(), Some("2020-03-02"), "{member}");
    }
    let late = as_of(&facts, "2023-01-01").expect("company record");
    assert_eq!(late.company.legal_seat.as_deref(), Some("Sursee"));
    assert_eq!(proof(&late, "legalSeat").as_deref(), Some("2022-05-02"));
    assert_eq!(
        proof(&late, "status").as_deref(),
        Some("2020-03-02"),
        "the status has not changed since"
    );
    assert_eq!(proof(&late, "purpose").as_deref(), Some("2020-03-02"));
    let end = as_of(&facts, "2030-01-01").expect("company record");
    assert_eq!(end.company.status, Some(Status::BeingCancelled));
    assert_eq!(proof(&end, "statusCanonical").as_deref(), Some("2024-02-06"));
    assert_eq!(Some(end.company), fold(&facts), "a later date yields the current record");
}

#[test]
fn every_member_as_of_a_day_has_a_proof() {
    let mut facts = lifetime();
    facts.push(lindas_fact("2023-01-01"));
    let of_the_record = ["uid", "dataSource", "auditorSource", "sources", "updatedAt"];
    let counted = ["dataQualityScore", "enrichmentLevel"];
    for day in ["2020-03-02", "2022-05-01", "2023-01-01", "2024-02-06"] {
        let past = as_of(&facts, day).expect("company record");
        let members = serde_json::to_value(&past.company).expect("valid JSON");
        let members = members.as_object().expect("JSON object").keys().map(String::as_str);
        let members = members.filter(|it| !of_the_record.contains(it) && !counted.contains(it));
        let proved: BTreeSet<&str> = past.proofs.keys().map(String::as_str).collect();
        assert_eq!(members.collect::<BTreeSet<_>>(), proved, "{day}");
        assert!(past.proofs.values().all(|it| it.date <= day.parse().ok()), "{day}: {past:?}");
    }
}

/// Publications state the whole record, before and after them. Only what they change is their statement.
#[test]
fn publication_that_repeats_a_member_does_not_prove_it() {
    let old = ["Seestrasse", "3", "6003", "Luzern"];
    let waived = "Auf eine eingeschränkte Revision wird verzichtet.";
    let facts = gazette_facts([
        registration(1, "2012-03-01", "").address(old).purpose("Handel."),
        mutation(2, "2014-07-09", waived).address(old).purpose("Handel.").new_opting_out(true),
        mutation(3, "2016-06-22", "")
            .address(old)
            .purpose("Handel.")
            .new_opting_out(true)
            .new_address(["Seestrasse", "7", "6003", "Luzern"]),
        mutation(4, "2026-11-06", BANKRUPT)
            .address(["Seestrasse", "7", "6003", "Luzern"])
            .purpose("Handel.")
            .new_opting_out(true),
    ]);
    let past = as_of(&facts, "2026-11-30").expect("company record");
    for (member, day) in [
        ("purpose", "2012-03-01"),
        ("legalFormCode", "2012-03-01"),
        ("auditorOptOut", "2014-07-09"),
        ("addressHouseNumber", "2016-06-22"),
        // The address is one statement.
        ("addressStreet", "2016-06-22"),
        ("statusReason", "2026-11-06"),
    ] {
        assert_eq!(proof(&past, member).as_deref(), Some(day), "{member}");
    }
}

/// A value that a company had before does not prove that it has it again.
#[test]
fn value_that_returns_is_proved_by_its_return() {
    let facts = gazette_facts([
        registration(1, "2012-03-01", ""),
        mutation(2, "2014-07-09", "").new_seat("Sursee"),
        mutation(3, "2016-06-22", "").seat("Sursee").new_seat("Luzern"),
        mutation(4, "2018-06-22", ""),
    ]);
    let past = as_of(&facts, "2020-01-01").expect("company record");
    assert_eq!(past.company.legal_seat.as_deref(), Some("Luzern"));
    assert_eq!(proof(&past, "legalSeat").as_deref(), Some("2016-06-22"));
}

#[test]
fn linked_data_alone_proves_nothing_before_its_date() {
    let facts = [lindas_fact("2026-03-15")];
    assert_eq!(as_of(&facts, "1850-01-01"), None);
    assert_eq!(as_of(&facts, "2026-03-14"), None);
    let past = as_of(&facts, "2026-03-15").expect("company record");
    assert_eq!(past.company.name, "Muster AG (verbunden)");
    assert_eq!(proof(&past, "purpose").as_deref(), Some("2026-03-15"));
}

#[test]
fn next_publication_gives_the_state_before_the_first_snapshot() {
    let next = in_luzern(Publication::mutation(UID, "Alt AG"), 7, "2025-02-03", "")
        .previous_on("2021-04-01")
        .new_name("Muster AG");
    let mut facts = gazette_facts([next]);
    facts.push(zefix_fact("Muster AG", "2025-06-01"));
    // The publication names its predecessor, so nothing was published in between.
    let past = as_of(&facts, "2021-04-01").expect("company record");
    assert_eq!((past.company.name.as_str(), past.company.purpose.as_deref()), ("Alt AG", None));
    assert_eq!(past.company.status, Some(Status::Active));
    assert_eq!(past.company.canton, Some(domain::Canton::Lu));
    assert_eq!(proof(&past, "name").as_deref(), Some("2025-02-03"));
    assert_eq!(past.company.sources.len(), 1);
    assert_eq!(past.company.updated_at, None);
    // Nothing is known about the time before.
    assert_eq!(as_of(&facts, "2021-03-31"), None);
    assert_eq!(as_of(&facts, "1850-01-01"), None);
    assert_eq!(as_of(&facts, "2025-02-03").expect("company record").company.name, "Muster AG");
}

#[test]
fn publication_without_predecessor_proves_no_earlier_state() {
    let facts = gazette_facts([mutation(7, "2025-02-03", "")]);
    assert_eq!(as_of(&facts, "2025-02-02"), None);
    // If earlier publications are known, it is the next one.
    let next = mutation(7, "2025-02-03", "").new_purpose("Betrieb einer Bäckerei.", "Handel.");
    let known = gazette_facts([mutation(6, "2024-02-05", ""), next]);
    let past = as_of(&known, "2024-06-01").expect("company record");
    assert_eq!(past.company.purpose.as_deref(), Some("Betrieb einer Bäckerei."));
    assert_eq!(proof(&past, "purpose").as_deref(), Some("2025-02-03"));
    assert_eq!(proof(&past, "legalSeat").as_deref(), Some("2024-02-05"));
}

#[test]
fn name_in_a_quoted_notice_counts_from_its_date() {
    let json = format!(
        r#"{{"uid": "{UID}", "name": "Neu AG", "canton": "LU", "sogcDate": "2024-01-01", "sogcPub": [
            {{"sogcDate": "2020-01-06", "sogcId": 1, "mutationTypes": [{{"id": 2, "key": "status.neu"}}],
              "message": "<FT TYPE=\"F\">Alt AG</FT>, in <FT TYPE=\"S\">Luzern</FT>, {UID}, Aktiengesellschaft (Neueintragung). Aktienkapital: CHF 100'000.00."}},
            {{"sogcDate": "2024-01-01", "sogcId": 2,
              "message": "<FT TYPE=\"F\">Alt AG</FT>, in <FT TYPE=\"S\">Luzern</FT>, {UID}, Aktiengesellschaft. Firma neu: <FT TYPE=\"N\">Neu AG</FT>."}}]}}"#
    );
    let facts = facts_from(zefix::read(json.as_bytes()).expect("valid JSON").statements);
    assert_eq!(as_of(&facts, "2020-01-05"), None);
    let past = as_of(&facts, "2023-12-31").expect("company record");
    assert_eq!(past.company.name, "Alt AG");
    assert_eq!(past.company.share_capital, "100000".parse().ok());
    assert_eq!(proof(&past, "name").as_deref(), Some("2020-01-06"));
    assert_eq!(fold(&facts).expect("company record").name, "Neu AG");
}

#[test]
fn other_sources_count_from_their_date() {
    let list = "Name,UID,AuthorisationTypeEN\nMuster AG,CHE107251578,Bank";
    let licensed = finma::read(list.as_bytes()).expect("valid table");
    let licensed = facts_from(licensed.dated("2023-01-01".parse().ok()).statements);
    let facts = [lifetime(), licensed].concat();
    let before = as_of(&facts, "2022-12-31").expect("company record");
    assert_eq!(before.company.is_finma_regulated, None);
    let since = as_of(&facts, "2023-01-01").expect("company record");
    assert_eq!(since.company.is_finma_regulated, Some(true));
    assert_eq!(since.proofs["isFinmaRegulated"].source, "finma");
    assert_eq!(as_of(&facts, "2020-01-01"), None, "a licence does not prove a registration");
}
