//! Changes to the company, and the reference to the previous notice.

use super::decimal;
use crate::*;

fn changes(text: &str) -> Vec<Change> {
    read(text).changes
}

#[test]
fn labelled_sentences_give_changes() {
    let chf =
        |to, from, capital| Change::Capital { capital, currency: Some("CHF".into()), to, from };
    assert_eq!(
        changes(
            "Muster GmbH, bisher in Bern, CHE-600.000.012 (SHAB Nr. 2 vom 06.01.2026, Publ. 1000000001). Statutenänderung: \
             01.06.2026, 2. 06. 2026. Umwandlung: Die Gesellschaft wird gemäss Plan in eine Aktiengesellschaft umgewandelt. \
             Firma neu: Muster (Schweiz) AG (Muster (Suisse) SA). Sitz neu: Thun. Domizil neu: Seestrasse 1, 3600 Thun. \
             Rechtsform neu: Aktiengesellschaft. Zweck neu: Handel. Aktienkapital neu: CHF 100'000.00 [bisher: CHF \
             20'000.00]. Liberierung Aktienkapital neu: CHF 50'000.--."
        ),
        [
            Change::Statutes { on: Some(jiff::civil::date(2026, 6, 1)) },
            Change::Statutes { on: Some(jiff::civil::date(2026, 6, 2)) },
            Change::LegalForm { to: "Aktiengesellschaft".into() },
            Change::Name { to: "Muster (Schweiz) AG".into() },
            Change::Seat { to: Some("Thun".into()), from: Some("Bern".into()) },
            Change::Address { to: "Seestrasse 1, 3600 Thun".into() },
            Change::Purpose { to: "Handel".into() },
            chf(decimal(100_000), Some(decimal(20_000)), CapitalKind::Shares),
            chf(decimal(50_000), None, CapitalKind::Paid),
        ]
    );
}

#[test]
fn kinds_of_capital_are_distinguished() {
    for (text, capital, from, to) in [
        (
            "Liberierung Aktienkapital neu: CHF 100'000.00 [bisher: CHF 50'000.00].",
            CapitalKind::Paid,
            50,
            100,
        ),
        ("Capital-actions libéré porté de CHF 50'000 à CHF 100'000.", CapitalKind::Paid, 50, 100),
        (
            "Nouveau capital libéré: CHF 100'000 [précédemment: CHF 50'000].",
            CapitalKind::Paid,
            50,
            100,
        ),
        (
            "Capital-actions entièrement libéré porté de CHF 100'000 à CHF 200'000.",
            CapitalKind::Shares,
            100,
            200,
        ),
        (
            "Partizipationskapital neu: CHF 12'000.00 [bisher: CHF 10'000.00].",
            CapitalKind::Participation,
            10,
            12,
        ),
        (
            "Capital-participation porté de CHF 10'000 à CHF 12'000.",
            CapitalKind::Participation,
            10,
            12,
        ),
        (
            "Liberierung Partizipationskapital neu: CHF 12'000.00 [bisher: CHF 10'000.00].",
            CapitalKind::PaidParticipation,
            10,
            12,
        ),
    ] {
        let currency = Some("CHF".to_owned());
        let (from, to) = (Some(decimal(from * 1_000)), decimal(to * 1_000));
        assert_eq!(
            changes(&format!("Muster AG, in Bern, CHE-600.000.012. {text}")),
            [Change::Capital { capital, currency, to, from }],
            "{text}"
        );
    }
}

#[test]
fn registrations_deletions_and_audit_waivers_are_read() {
    let single_change = |text: &str| {
        let changes = changes(text);
        assert_eq!(changes.len(), 1, "{text}: expected one change, got {changes:?}");
        changes[0].clone()
    };
    for text in [
        "Muster, in Thun, Einzelunternehmen (Neueintragung).",
        "Nouvelle société à responsabilité limitée.",
        "Esempio SA, in Lugano (Nuova iscrizione).",
    ] {
        assert_eq!(single_change(text), Change::NewEntry);
    }
    for text in [
        "Die Gesellschaft wird gelöscht.",
        "La raison sociale est radiée.",
        "La società è cancellata.",
    ] {
        assert_eq!(single_change(text), Change::Deletion { cause: None, on: None });
    }
    for text in [
        "Gemäss Erklärung wird auf eine eingeschränkte Revision verzichtet.",
        "Selon déclaration, il est renoncé à un contrôle restreint.",
        "La società rinuncia a una revisione limitata.",
    ] {
        assert_eq!(single_change(text), Change::OptingOut { waived: true });
    }
    assert_eq!(
        single_change("Auf eine eingeschränkte Revision wird nicht mehr verzichtet."),
        Change::OptingOut { waived: false }
    );
    assert_eq!(changes("La signature de Modèle Jean est radiée."), []);
}

#[test]
fn mergers_give_other_company_and_direction() {
    let combination_with = |combination, name: &str| Change::Combination {
        combination,
        party: Party {
            name: name.into(),
            uid: CompanyNumber::parse("CHE-600.000.029"),
            seat: Some("Bern".into()),
        },
        transfer: None,
    };
    assert_eq!(
        changes(
            "Fusion: Übernahme der Aktiven und Passiven der Probe GmbH, in Bern (CHE-600.000.029), gemäss Fusionsvertrag."
        ),
        [combination_with(Combination::TakesOver, "Probe GmbH")]
    );
    assert_eq!(
        changes(
            "Aktiven und Passiven gehen infolge Fusion auf die Probe AG, in Bern (CHE-600.000.029), über. Die Gesellschaft wird gelöscht."
        ),
        [
            combination_with(Combination::IsTakenOverBy, "Probe AG"),
            Change::Deletion { cause: Some(DeletionCause::Merger), on: None }
        ]
    );
}

#[test]
fn reference_to_previous_notice_is_read() {
    for (text, (year, month, day), publication) in [
        ("(SHAB Nr. 2 vom 06.01.2026, Publ. 1000000001)", (2026, 1, 6), Some(1_000_000_001)),
        ("(FOSC du 25.03.2026, p. 0/1000000002)", (2026, 3, 25), Some(1_000_000_002)),
        ("(FUSC no. 90 del 09. 05. 2000, pagina 3118)", (2000, 5, 9), None),
    ] {
        let date = Some(jiff::civil::date(year, month, day));
        assert_eq!(read(text).previous, Some(Reference { date, publication }), "{text}");
    }
    assert_eq!(read("Muster AG").previous, None);
}

#[test]
fn a_notice_that_states_all_about_a_company_with_a_former_seat_is_a_move_from_another_canton() {
    let restated = "Modèle SA, précédemment à Sion, CHE-600.000.012 (FOSC du 06.01.2026, p. 0/1000000001). Nouveau siège: Nyon. \
                    Statuts originaires du 03.05.2010, modifiés le 07.09.2025. But: le commerce de vins. Capital-actions: CHF \
                    100'000. Organe de publication: FOSC.";
    let found = changes(restated);
    assert!(found.contains(&Change::MovedIn), "{found:?}");
    let day = jiff::civil::date(2025, 9, 7);
    assert!(found.contains(&Change::Statutes { on: Some(day) }), "{found:?}");
    let within = "Modèle SA, précédemment à Sion, CHE-600.000.012 (FOSC du 06.01.2026, p. 0/1000000001). Nouveau siège: Sierre. \
                  Nouveau but: le commerce de vins.";
    assert!(!changes(within).contains(&Change::MovedIn));
}

#[test]
fn assets_go_to_a_company_without_a_number() {
    for (text, name, seat) in [
        (
            "Transfert de patrimoine: selon contrat du 03.05.2016, la société transfère à Caves du Lac SA, à Nyon, des actifs de CHF \
             50'000 et des passifs de CHF 20'000.",
            "Caves du Lac SA",
            Some("Nyon"),
        ),
        (
            "Vermögensübertragung: Die Gesellschaft überträgt gemäss Vertrag vom 03.05.2016 Aktiven von CHF 50'000 auf die Probe \
             Kellerei AG, in Chur. Gegenleistung: CHF 50'000.",
            "Probe Kellerei AG",
            Some("Chur"),
        ),
        (
            "Trasferimento di patrimonio: secondo contratto del 03.05.2016, la società trasferisce attivi per CHF 50'000 alla \
             Prova SA, in Lugano.",
            "Prova SA",
            Some("Lugano"),
        ),
    ] {
        let found = changes(text);
        let [Change::Combination { combination, party, .. }] = found.as_slice() else {
            panic!("{text}: {found:?}")
        };
        assert_eq!(*combination, Combination::TransfersAssets, "{text}");
        assert_eq!((party.name.as_str(), party.seat.as_deref()), (name, seat), "{text}");
    }
    let founded = "Scission: la société transfère à la société nouvellement constituée Caves du Lac SA, à Nyon, des actifs de CHF 5'000.";
    assert!(matches!(
        changes(founded).as_slice(),
        [Change::Combination { party, .. }] if party.name == "Caves du Lac SA"
    ));
    // The company itself does not receive its assets, and a person or a commune is no company.
    for to_others in [
        "Vermögensübertragung: Der Verein überträgt gemäss Übertragungsvertrag vom 03.05.2016 Aktiven von CHF 50'000 auf die \
         Einwohnergemeinde Thun.",
        "Transfert de patrimoine: La Société transfère, selon contrat du 3 mai 2016, des actifs de CHF 100'000 à Jean Probe, à Sion.",
        "Vermögensübertragung: Die Muster AG überträgt gemäss Vertrag vom 03.05.2016 Aktiven auf Hans Probe, in Bern.",
    ] {
        assert!(changes(to_others).is_empty(), "{to_others}: {:?}", changes(to_others));
    }
    // Which of them takes the assets is not certain.
    let several =
        "Transfert de patrimoine: la société transfère des actifs à Modèle SA et à Probe SA.";
    assert!(changes(several).is_empty());
}

#[test]
fn a_company_whose_name_says_so_is_entered_again_in_liquidation() {
    let entered = |header: &str| {
        let text = format!(
            "{header} (SHAB Nr. 2 vom 06.01.2026, Publ. 1000000001). Die gelöschte Gesellschaft wird gemäss Urteil vom 3. Mai 2025 \
             wieder eingetragen."
        );
        changes(&text).into_iter().find_map(|it| match it {
            Change::ReEntry { in_liquidation, .. } => Some(in_liquidation),
            _ => None,
        })
    };
    assert_eq!(entered("Probe AG in Liquidation, in Bern, CHE-600.000.012"), Some(true));
    assert_eq!(entered("Modèle SA, en liquidation, à Sion, CHE-600.000.012"), Some(true));
    assert_eq!(entered("Prova SA in liquidazione, in Lugano, CHE-600.000.012"), Some(true));
    assert_eq!(entered("Probe AG, in Bern, CHE-600.000.012"), Some(false));
}
