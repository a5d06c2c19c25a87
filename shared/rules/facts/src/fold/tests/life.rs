//! Status, its reason and the legal events over the life of a company.

use domain::{
    changes::{LegalEvent, Severity},
    company::StatusReason,
};

use super::*;

const DISSOLVED: &str =
    "Die Gesellschaft ist mit Beschluss der Generalversammlung vom 03.05.2021 aufgelöst.";
const DEFECT: &str = "Mit Entscheid vom 03.05.2021 hat das Bezirksgericht Luzern die Gesellschaft gemäss Art. 731b OR \
                      aufgelöst und ihre Liquidation nach den Vorschriften über den Konkurs angeordnet.";
const OFFICER: &str = "Muster, Hans, von Luzern, in Luzern, Mitglied, mit Einzelunterschrift";

/// The facts of a company that was registered in 2020 and has these mutations, one each year.
fn after(texts: &[&str]) -> Vec<Fact> {
    let first = registration(1, "2020-03-02", &entered(&format!("{OFFICER}; {AUDITOR}")));
    let later = (2u64..)
        .zip(texts)
        .map(|(number, text)| mutation(number, &format!("{}-03-02", 2019 + number), text));
    gazette_facts([first].into_iter().chain(later))
}

/// Status and reason after these mutations.
fn status_and_reason(texts: &[&str]) -> (Status, Option<StatusReason>) {
    let company = fold(&after(texts)).expect("company record");
    assert_eq!(company.status_canonical, company.status.map(Status::canonical));
    (company.status.expect("a status"), company.status_reason)
}

/// The legal events of these facts, with the former and the new value.
fn events(facts: &[Fact]) -> Vec<(LegalEvent, Option<String>, Option<String>)> {
    let (_, history) = fold_with_history(facts).expect("company record");
    let events = history.events.into_iter().map(|it| it.event);
    let legal = events.filter_map(|it| Some((it.legal_event?, it.old_value, it.new_value)));
    legal.collect()
}

fn kinds(facts: &[Fact]) -> Vec<LegalEvent> {
    events(facts).into_iter().map(|it| it.0).collect()
}

#[test]
fn status_has_its_reason() {
    use Status::{Active, BeingCancelled};
    const MORATORIUM: &str = "Der Gesellschaft wurde die provisorische Nachlassstundung bewilligt.";
    for (texts, expected) in [
        (&[] as &[&str], (Active, None)),
        (&[DISSOLVED], (BeingCancelled, Some(StatusReason::Voluntary))),
        (&[DEFECT], (BeingCancelled, Some(StatusReason::Court731b))),
        (&[BANKRUPT], (BeingCancelled, Some(StatusReason::Bankruptcy))),
        (&[DISSOLVED, BANKRUPT], (BeingCancelled, Some(StatusReason::Bankruptcy))),
        (
            &[DEFECT, "Der Konkurs wurde mangels Aktiven eingestellt."],
            (BeingCancelled, Some(StatusReason::Court731b)),
        ),
        (&[BANKRUPT, "Der Konkurs wurde widerrufen."], (Active, None)),
        (&[DISSOLVED, "Die Auflösung der Gesellschaft wurde widerrufen."], (Active, None)),
        (&[MORATORIUM], (Active, Some(StatusReason::Moratorium))),
        (
            &[MORATORIUM, "Die Nachlassstundung wurde verlängert."],
            (Active, Some(StatusReason::Moratorium)),
        ),
        (&[MORATORIUM, "Die Nachlassstundung wurde widerrufen."], (Active, None)),
        (
            &[
                MORATORIUM,
                "Die Nachlassstundung wurde widerrufen und über die Gesellschaft der Konkurs eröffnet.",
            ],
            (BeingCancelled, Some(StatusReason::Bankruptcy)),
        ),
        (
            &[MORATORIUM, "Der Nachlassvertrag mit Vermögensabtretung wurde bestätigt."],
            (BeingCancelled, Some(StatusReason::Composition)),
        ),
        (&[MORATORIUM, "Der Nachlassvertrag wurde bestätigt."], (Active, None)),
        (
            &[BANKRUPT, "Das Konkursverfahren ist geschlossen."],
            (BeingCancelled, Some(StatusReason::Bankruptcy)),
        ),
        (&["Die Gesellschaft hat kein Rechtsdomizil mehr."], (Active, None)),
        (
            &["Die Gesellschaft wurde gemäss Art. 153b HRegV aufgelöst."],
            (BeingCancelled, Some(StatusReason::NoDomicile)),
        ),
    ] {
        assert_eq!(status_and_reason(texts), expected, "{texts:?}");
    }
}

#[test]
fn deletion_has_the_reason_that_it_states_or_that_preceded_it() {
    for (texts, deletion_text, reason) in [
        (
            &[] as &[&str],
            "Die Gesellschaft wird nach beendigter Liquidation gelöscht.",
            Some(StatusReason::DeletedAfterLiquidation),
        ),
        (
            &[DISSOLVED],
            "Die Gesellschaft wird gelöscht.",
            Some(StatusReason::DeletedAfterLiquidation),
        ),
        (&[DEFECT], "Die Gesellschaft wird gelöscht.", Some(StatusReason::DeletedAfterLiquidation)),
        (
            &[BANKRUPT],
            "Die Gesellschaft wird gelöscht.",
            Some(StatusReason::DeletedAfterBankruptcy),
        ),
        (
            &[BANKRUPT, "Das Konkursverfahren ist mangels Aktiven eingestellt."],
            "Die Gesellschaft wird von Amtes wegen gelöscht.",
            Some(StatusReason::DeletedNoAssets),
        ),
        (&[], "Die Gesellschaft wird infolge Fusion gelöscht.", Some(StatusReason::Merged)),
        (
            &[],
            "Die Gesellschaft wird von Amtes wegen gelöscht.",
            Some(StatusReason::DeletedExOfficio),
        ),
        (
            &[],
            "Die Gesellschaft hat ihren Sitz nach Vaduz (Liechtenstein) verlegt und wird gelöscht.",
            Some(StatusReason::Moved),
        ),
        (&[], "Die Gesellschaft wird gelöscht.", None),
        (&[], "", None),
    ] {
        let mut facts = after(texts);
        facts.extend(gazette_facts([deletion(9, "2026-03-02", deletion_text)]));
        let company = fold(&facts).expect("company record");
        let expected = (Some(Status::Cancelled), reason);
        assert_eq!((company.status, company.status_reason), expected, "{texts:?} {deletion_text}");
    }
}

#[test]
fn moving_to_another_canton_ends_nothing() {
    for text in [
        "Die Gesellschaft wird infolge Verlegung des Sitzes nach Zürich im Handelsregister des Kantons Luzern von Amtes wegen gelöscht.",
        "Von Amtes wegen gelöscht im Handelsregister des Kantons Luzern infolge Verlegung des Sitzes nach Zürich.",
        "Par suite de transfert du siège à Zürich, la société est radiée d'office du registre du commerce du canton de Lucerne.",
        "La società è cancellata d'ufficio dal registro di commercio del Cantone di Lucerna in seguito al trasferimento della sede a Zürich.",
    ] {
        for notice in [deletion(2, "2026-03-02", text), mutation(2, "2026-03-02", text)] {
            let mut facts = after(&[]);
            facts.extend(gazette_facts([notice]));
            let (company, history) = fold_with_history(&facts).expect("company record");
            assert_eq!(
                (company.status, company.status_reason),
                (Some(Status::Active), None),
                "{text}"
            );
            assert_eq!(company.deletion_date, None, "{text}");
            assert_eq!(company.legal_seat.as_deref(), Some("Zürich"), "{text}");
            assert_eq!(company.canton, None, "the notice does not state the new canton: {text}");
            assert_eq!(history.board().len(), 1, "{text}");
            assert_eq!(company.auditor_name.as_deref(), Some("Erste Revision AG"), "{text}");
            let last = &history.events.last().expect("an event").event;
            let moved = (ChangeKind::SeatChange, Some(LegalEvent::SeatMovedOut), Severity::Low);
            assert_eq!((last.kind, last.legal_event, last.severity()), moved, "{text}");
            assert_eq!(last.new_value.as_deref(), Some("Zürich"), "{text}");
        }
    }
}

#[test]
fn departure_does_not_overwrite_what_the_new_office_published() {
    let moved = mutation(2, "2026-03-01", "Sitz neu: Zürich.").in_canton("ZH").new_seat("Zürich");
    let text = "Die Gesellschaft wird infolge Verlegung des Sitzes nach Zürich gelöscht.";
    let mut facts = after(&[]);
    facts.extend(gazette_facts([moved, deletion(3, "2026-03-02", text)]));
    let company = fold(&facts).expect("company record");
    assert_eq!(company.legal_seat.as_deref(), Some("Zürich"));
    assert_eq!(company.canton.map(|it| it.code()), Some("ZH"));
}

#[test]
fn publication_of_the_new_office_may_mention_the_deletion_in_the_old_register() {
    let text = "Sitz neu: Zürich. Die Gesellschaft wird infolge Verlegung des Sitzes nach Zürich im Handelsregister des \
                Kantons Luzern gelöscht.";
    let moved = mutation(2, "2026-03-01", text)
        .in_canton("ZH")
        .new_seat("Zürich")
        .new_purpose("Betrieb einer Bäckerei.", "Handel.");
    let mut facts = after(&[]);
    facts.extend(gazette_facts([moved]));
    let company = fold(&facts).expect("company record");
    assert_eq!(company.status, Some(Status::Active));
    assert_eq!(company.legal_seat.as_deref(), Some("Zürich"));
    assert_eq!(company.canton.map(|it| it.code()), Some("ZH"));
    assert_eq!(company.purpose.as_deref(), Some("Handel."));
    assert_eq!(kinds(&facts), [LegalEvent::Entered, LegalEvent::SeatMoved]);
}

#[test]
fn office_of_the_former_seat_may_state_the_new_seat_first() {
    for text in [
        "Sitz neu: Zürich. Die Gesellschaft wurde am 24.02.2026 im Handelsregister des Kantons Zürich eingetragen und wird im Handelsregister des Kantons Luzern gelöscht.",
        "Nouveau siège: Zürich. La société est radiée d'office du registre du commerce du canton de Lucerne.",
        "Nuova sede: Zürich. La società è cancellata d'ufficio dal registro di commercio del Cantone di Lucerna.",
        "Sitz neu: Zürich. Löschung von Amtes wegen im Handelsregister des Kantons Luzern.",
        "Transfert du siège à Zürich. La société est radiée d'office du registre du commerce du canton de Lucerne.",
        "Trasferimento della sede a Zürich. La società è cancellata d'ufficio dal registro di commercio del Cantone di Lucerna.",
    ] {
        let mut facts = after(&[]);
        facts.extend(gazette_facts([deletion(2, "2026-03-02", text)]));
        let company = fold(&facts).expect("company record");
        assert_eq!(company.status, Some(Status::Active), "{text}");
        assert_eq!(company.legal_seat.as_deref(), Some("Zürich"), "{text}");
        // The canton of the new seat is not stated.
        assert_eq!(company.canton, None, "{text}");
        assert!(kinds(&facts).contains(&LegalEvent::SeatMovedOut), "{text}");
    }
}

#[test]
fn only_the_rubric_of_deletions_deletes() {
    for text in [
        "Die Gesellschaft wird gelöscht.",
        "Die Gesellschaft ist von Amtes wegen gelöscht worden.",
        "La société est radiée d'office.",
        "La raison est radiée par suite de cessation d'activité.",
        "La società è cancellata.",
        "La ditta è stata cancellata d'ufficio.",
    ] {
        assert_eq!(status_and_reason(&[text]), (Status::Active, None), "{text}");
        assert_eq!(kinds(&after(&[text])), [LegalEvent::Entered], "{text}");
    }
}

#[test]
fn a_company_that_is_registered_again_has_no_date_of_deletion() {
    for (text, expected) in [
        ("Muster AG, in Luzern, Aktiengesellschaft (Wiedereintragung).", LegalEvent::ReEntered),
        ("Muster AG, à Lucerne, société anonyme (réinscription).", LegalEvent::ReEntered),
        ("Muster AG, in Lucerna, società anonima (reiscrizione).", LegalEvent::ReEntered),
        ("Muster AG, in Luzern, Aktiengesellschaft (Neueintragung).", LegalEvent::Entered),
    ] {
        let mut facts = after(&[]);
        let again = registration(3, "2026-05-02", text);
        facts.extend(gazette_facts([
            deletion(2, "2026-03-02", "Die Gesellschaft wird gelöscht."),
            again,
        ]));
        let company = fold(&facts).expect("company record");
        assert_eq!((company.status, company.deletion_date), (Some(Status::Active), None), "{text}");
        assert_eq!(kinds(&facts).last(), Some(&expected), "{text}");
    }
}

#[test]
fn re_entry_after_deletion() {
    for (text, event, status, reason) in [
        (
            "Die am 02.03.2024 gelöschte Gesellschaft wird wieder in das Handelsregister eingetragen.",
            LegalEvent::ReEntered,
            Status::Active,
            None,
        ),
        (
            "La société, radiée le 2 mars 2024, est réinscrite.",
            LegalEvent::ReEntered,
            Status::Active,
            None,
        ),
        (
            "La società, cancellata il 2 marzo 2024, è reiscritta.",
            LegalEvent::ReEntered,
            Status::Active,
            None,
        ),
        (
            "Die gelöschte Gesellschaft wird zum Zwecke der Liquidation wieder eingetragen.",
            LegalEvent::ReEnteredInLiquidation,
            Status::BeingCancelled,
            Some(StatusReason::ReEntered),
        ),
        (
            "La société est réinscrite aux fins de liquidation.",
            LegalEvent::ReEnteredInLiquidation,
            Status::BeingCancelled,
            Some(StatusReason::ReEntered),
        ),
        (
            "La società è reiscritta in liquidazione.",
            LegalEvent::ReEnteredInLiquidation,
            Status::BeingCancelled,
            Some(StatusReason::ReEntered),
        ),
    ] {
        let mut facts = after(&[]);
        let end = deletion(2, "2024-03-02", "Die Gesellschaft wird gelöscht.");
        facts.extend(gazette_facts([end, mutation(3, "2025-03-03", text)]));
        let company = fold(&facts).expect("company record");
        assert_eq!((company.status, company.status_reason), (Some(status), reason), "{text}");
        assert_eq!(company.deletion_date, None, "{text}");
        let expected = [LegalEvent::Entered, LegalEvent::Deleted, event];
        assert_eq!(kinds(&facts), expected, "{text}");
        let last = events(&facts).pop().expect("an event");
        assert_eq!(last.1.as_deref(), Some("CANCELLED"), "{text}");
        assert_eq!(last.2.as_deref(), Some(status.name()), "{text}");
    }
}

#[test]
fn name_after_the_re_entry_shows_a_liquidation() {
    let again = mutation(3, "2025-03-03", "Die Gesellschaft wird wieder eingetragen.")
        .new_name("Muster AG in Liquidation");
    let mut facts = after(&[]);
    facts.extend(gazette_facts([deletion(2, "2024-03-02", ""), again]));
    let company = fold(&facts).expect("company record");
    assert_eq!(company.status, Some(Status::BeingCancelled));
}

#[test]
fn bankruptcy_of_a_company_in_liquidation_has_the_right_old_value() {
    for (name, old) in [
        ("Muster AG", "ACTIVE"),
        ("Muster AG in Liquidation", "BEING_CANCELLED"),
        ("Modèle SA en liquidation", "BEING_CANCELLED"),
        ("Esempio SA in liquidazione", "BEING_CANCELLED"),
        ("Muster AG in Nachlassliquidation", "BEING_CANCELLED"),
    ] {
        let notice = in_luzern(Publication::mutation(UID, name), 2, "2021-03-02", BANKRUPT);
        let facts = gazette_facts([notice]);
        let expected = (
            LegalEvent::BankruptcyOpened,
            Some(old.to_owned()),
            Some("BEING_CANCELLED".to_owned()),
        );
        assert_eq!(events(&facts), [expected], "{name}");
        let before = as_of(&gazette_facts([registration(1, "2020-01-06", "")]), "2021-03-01");
        assert_eq!(before.map(|it| it.company.status), Some(Some(Status::Active)));
    }
}

#[test]
fn dissolution_for_a_defect_is_a_liquidation_of_high_severity() {
    let (_, history) = fold_with_history(&after(&[DEFECT])).expect("company record");
    let event = &history.events.last().expect("an event").event;
    assert_eq!(event.kind, ChangeKind::Liquidation);
    assert_eq!(event.severity(), Severity::High);
    assert_eq!(event.decision_date, Some(jiff::civil::date(2021, 5, 3)));
}

#[test]
fn flag_of_the_office_explains_a_dissolution() {
    for (flag, text, expected) in [
        (
            "liquidation.dissolution.or731b",
            "Die Gesellschaft ist aufgelöst.",
            LegalEvent::DissolvedForDefect,
        ),
        ("liquidation.dissolution.hregv153b", "", LegalEvent::DissolvedWithoutDomicile),
        ("bankruptcy.dissolution", DEFECT, LegalEvent::DissolvedForDefect),
        ("bankruptcy.cancellation", "", LegalEvent::ProceedingsClosed),
        (
            "liquidation.revocation",
            "Die Auflösung der Gesellschaft wurde widerrufen.",
            LegalEvent::DissolutionRevoked,
        ),
    ] {
        let notice = mutation(2, "2021-03-02", text).status_flag(flag);
        assert_eq!(kinds(&gazette_facts([notice])), [expected], "{text}");
    }
}

#[test]
fn journal_date_is_that_of_entry_and_deletion() {
    let first = registration(1, "2020-03-05", "").journal_date("2020-03-02");
    let end = deletion(2, "2024-03-07", "Die Gesellschaft wird gelöscht.");
    let end = end.journal_date("2024-03-04");
    let (company, history) =
        fold_with_history(&gazette_facts([first, end])).expect("company record");
    let day = jiff::civil::date;
    assert_eq!(company.registration_date, Some(day(2020, 3, 2)));
    assert_eq!(company.deletion_date, Some(day(2024, 3, 4)));
    let dates: Vec<_> =
        history.events.iter().map(|it| (it.event.date, it.event.journal_date)).collect();
    let expected =
        [(day(2020, 3, 5), Some(day(2020, 3, 2))), (day(2024, 3, 7), Some(day(2024, 3, 4)))];
    assert_eq!(dates, expected);
}

#[test]
fn combinations_have_direction_and_amounts() {
    let text = "Vermögensübertragung: Die Gesellschaft überträgt gemäss Vertrag vom 03.05.2021 Aktiven von CHF 1'200'000.00 \
                und Passiven von CHF 300'000.00 auf die Probe AG, in Bern (CHE-600.000.029). Gegenleistung: CHF 900'000.00.";
    let (company, history) = fold_with_history(&after(&[text])).expect("company record");
    assert_eq!(company.status, Some(Status::Active));
    let event = &history.events.last().expect("an event").event;
    assert_eq!(event.legal_event, Some(LegalEvent::TransfersAssets));
    assert_eq!(event.field.as_deref(), Some("assetTransfer"));
    let transfer = event.transfer.clone().expect("amounts");
    let amounts = [transfer.assets, transfer.liabilities, transfer.consideration];
    let amounts = amounts.map(|it| it.map(|it| it.to_string()));
    assert_eq!(amounts, ["1200000", "300000", "900000"].map(|it| Some(it.to_owned())));
    assert_eq!(event.summary, "Muster AG transfers assets of CHF 1,200,000 to Probe AG");
    let text = "Abspaltung: Übernahme von Aktiven der Probe AG, in Bern (CHE-600.000.029).";
    assert_eq!(kinds(&after(&[text])), [LegalEvent::Entered, LegalEvent::ReceivesByDemerger]);
}

#[test]
fn statement_that_is_not_understood_makes_an_event_without_content() {
    let facts = after(&["Die Beschwerde gegen die Konkurseröffnung wurde abgewiesen."]);
    let (company, history) = fold_with_history(&facts).expect("company record");
    assert_eq!(company.status, Some(Status::Active));
    let event = &history.events.last().expect("an event").event;
    assert_eq!((event.kind, event.legal_event), (ChangeKind::Other, None));
}

#[test]
fn reason_is_proved_by_the_publication_of_the_status() {
    let facts = after(&[DEFECT, "Zweck neu: Handel."]);
    let past = as_of(&facts, "2022-12-31").expect("company record");
    assert_eq!(past.company.status_reason, Some(StatusReason::Court731b));
    assert_eq!(proof(&past, "statusReason").as_deref(), Some("2021-03-02"));
}

#[test]
fn a_company_in_liquidation_that_moves_stays_in_liquidation() {
    let moves_in = |name: &str, day: &str| {
        let text = format!("{name}, bisher in Luzern, CHE-600.000.012. Sitz neu: Zürich.");
        let publication = Publication::registration(UID, name).number(9).on(day);
        publication.in_canton("ZH").seat("Zürich").whole_text(&text)
    };
    let mut facts = after(&[DISSOLVED]);
    facts.extend(gazette_facts([moves_in("Muster AG in Liquidation", "2026-03-02")]));
    assert!(kinds(&facts).contains(&LegalEvent::SeatMovedIn), "{:?}", kinds(&facts));
    let company = fold(&facts).expect("company record");
    assert_eq!(company.status, Some(Status::BeingCancelled));
    assert_eq!(company.status_reason, Some(StatusReason::Voluntary));

    let mut facts = after(&[]);
    facts.extend(gazette_facts([moves_in("Muster AG", "2026-03-02")]));
    assert_eq!(fold(&facts).expect("company record").status, Some(Status::Active));
}
