//! Changes of the seat, the capital, the name and the address in prose.

use super::decimal;
use crate::*;

fn changes(text: &str) -> Vec<Change> {
    read(&format!(
        "Muster AG, in Bern, CHE-600.000.012 (SHAB Nr. 2 vom 06.01.2016, Publ. 1000000001). {text}"
    ))
    .changes
}

#[test]
fn new_seat_in_prose_is_read() {
    for (text, seat) in [
        ("Die Gesellschaft hat ihren Sitz nach Thun verlegt.", "Thun"),
        ("Der Sitz wurde nach Thun verlegt.", "Thun"),
        ("La société a transféré son siège à Nyon.", "Nyon"),
        ("Le siège est transféré de Lausanne à Nyon.", "Nyon"),
        ("La società ha trasferito la sede a Chiasso.", "Chiasso"),
        ("La sede è stata trasferita a Chiasso.", "Chiasso"),
    ] {
        let expected = Change::Seat { to: Some(seat.to_owned()), from: None };
        assert_eq!(changes(text), [expected], "{text}");
    }
}

#[test]
fn seat_in_another_register_is_a_departure() {
    let text = "Die Gesellschaft hat ihren Sitz nach Chur verlegt. Sie wird im Handelsregister des Kantons Bern von Amtes wegen gelöscht.";
    assert!(matches!(changes(text).as_slice(), [Change::Departure { .. }]), "{:?}", changes(text));
}

#[test]
fn change_of_capital_in_prose_is_read() {
    for (text, capital) in [
        (
            "Das Aktienkapital wurde von CHF 100'000.00 auf CHF 200'000.00 erhöht.",
            CapitalKind::Shares,
        ),
        ("Erhöhung des Stammkapitals von CHF 100'000.00 auf CHF 200'000.00.", CapitalKind::Quotas),
        ("Le capital-actions a été augmenté de CHF 100'000 à CHF 200'000.", CapitalKind::Shares),
        ("Augmentation du capital social de CHF 100'000 à CHF 200'000.", CapitalKind::Quotas),
        (
            "Il capitale azionario è stato aumentato da CHF 100'000.00 a CHF 200'000.00.",
            CapitalKind::Shares,
        ),
        (
            "Il capitale sociale è aumentato da CHF 100'000.00 a CHF 200'000.00.",
            CapitalKind::Quotas,
        ),
    ] {
        let expected = Change::Capital {
            capital,
            currency: Some("CHF".to_owned()),
            to: decimal(200_000),
            from: Some(decimal(100_000)),
        };
        assert_eq!(changes(text), [expected], "{text}");
    }
}

#[test]
fn new_name_and_address_in_prose_are_read() {
    let name = |it: &str| Change::Name { to: it.to_owned() };
    let address = |it: &str| Change::Address { to: it.to_owned() };
    for (text, expected) in [
        ("Die Firma lautet neu: Beispiel AG.", name("Beispiel AG")),
        ("Die Gesellschaft führt neu die Firma Beispiel AG.", name("Beispiel AG")),
        ("La raison sociale est désormais Modèle SA.", name("Modèle SA")),
        ("La raison sociale est désormais: Modèle SA.", name("Modèle SA")),
        ("La ragione sociale è ora Esempio SA.", name("Esempio SA")),
        ("La società ha modificato la ragione sociale in Esempio SA.", name("Esempio SA")),
        ("Das Domizil lautet neu: Seestrasse 1, 3600 Thun.", address("Seestrasse 1, 3600 Thun")),
        ("Die neue Adresse lautet Seestrasse 1, 3600 Thun.", address("Seestrasse 1, 3600 Thun")),
        ("L'adresse est désormais rue du Lac 1, 1260 Nyon.", address("rue du Lac 1, 1260 Nyon")),
        ("La nouvelle adresse est: rue du Lac 1, 1260 Nyon.", address("rue du Lac 1, 1260 Nyon")),
        (
            "Il nuovo recapito è via Stazione 1, 6830 Chiasso.",
            address("via Stazione 1, 6830 Chiasso"),
        ),
        (
            "L'indirizzo è ora via Stazione 1, 6830 Chiasso.",
            address("via Stazione 1, 6830 Chiasso"),
        ),
    ] {
        assert_eq!(changes(text), [expected], "{text}");
    }
}

/// What a change says, in a few words.
fn in_words(change: &Change) -> String {
    match change {
        Change::Name { to } => format!("name {to}"),
        Change::Seat { to, .. } => format!("seat {}", to.as_deref().unwrap_or_default()),
        Change::Address { to } => format!("address {to}"),
        Change::Purpose { to } => format!("purpose {}", to.trim_end_matches('.')),
        Change::Capital { to, .. } => format!("capital {}", to.ten_thousandths() / 10_000),
        Change::Statutes { on: Some(on) } => format!("statutes {on}"),
        Change::OptingOut { waived: true } => "opting out".to_owned(),
        Change::OptingOut { waived: false } => "opting in".to_owned(),
        Change::MovedIn => "moved in".to_owned(),
        other => format!("{other:?}"),
    }
}

/// A line without indentation is a text, the indented lines after it are the changes that it states.
#[test]
fn texts_of_the_offices_about_the_company_are_read() {
    let mut cases: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in include_str!("company_offices.txt").lines() {
        match (line.strip_prefix("    "), cases.last_mut()) {
            (Some(change), Some((_, changes))) => changes.push(change),
            _ => cases.push((line, Vec::new())),
        }
    }
    let mut failures = Vec::new();
    for (text, expected) in &cases {
        let stated: Vec<String> = changes(text).iter().map(in_words).collect();
        let mut sorted = stated.clone();
        sorted.sort();
        let mut expected = expected.clone();
        expected.sort_unstable();
        if sorted != expected {
            failures.push(format!("{text}\n    {stated:?}\n    instead of {expected:?}"));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} texts:\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

#[test]
fn direction_and_party_of_a_merger_in_prose_are_read() {
    for (text, combination, party) in [
        (
            "La société est radiée par suite de fusion avec Exemple Holding SA, à Nyon (CHE-100.200.300), qui a repris l'actif et le passif.",
            Combination::IsTakenOverBy,
            "Exemple Holding SA",
        ),
        (
            "La société a été absorbée par Exemple Holding SA (CHE-100.200.300), à Nyon; elle est radiée.",
            Combination::IsTakenOverBy,
            "Exemple Holding SA",
        ),
        (
            "Die Gesellschaft ist durch Fusion mit der Beispiel Holding AG (CHE-100.200.300), in Zug, aufgelöst worden und wird gelöscht.",
            Combination::IsTakenOverBy,
            "Beispiel Holding AG",
        ),
        (
            "Aktiven und Passiven gehen gemäss Fusionsvertrag vom 12.05.2020 auf die Beispiel Holding AG (CHE-100.200.300), in Zug, über. Die Gesellschaft wird gelöscht.",
            Combination::IsTakenOverBy,
            "Beispiel Holding AG",
        ),
        (
            "La società è cancellata in seguito a fusione con Esempio Holding SA, in Lugano (CHE-100.200.300).",
            Combination::IsTakenOverBy,
            "Esempio Holding SA",
        ),
        (
            "Die Gesellschaft hat die Modell GmbH, in Zug (CHE-100.200.300), durch Fusion übernommen.",
            Combination::TakesOver,
            "Modell GmbH",
        ),
        (
            "La société a repris, par fusion, l'actif et le passif de Modèle Sàrl, à Nyon (CHE-100.200.300), selon contrat du 12.05.2020.",
            Combination::TakesOver,
            "Modèle Sàrl",
        ),
    ] {
        let read = changes(text).into_iter().find_map(|it| match it {
            Change::Combination { combination, party, .. } => Some((combination, party.name)),
            _ => None,
        });
        assert_eq!(read, Some((combination, party.to_owned())), "{text}");
        let is_deleted = changes(text).iter().any(|it| matches!(it, Change::Deletion { .. }));
        assert_eq!(is_deleted, combination == Combination::IsTakenOverBy, "{text}");
    }
}

#[test]
fn new_address_is_read_in_other_formulas() {
    let expected = |it: &str| vec![Change::Address { to: it.to_owned() }];
    for text in [
        "Adresse: rue du Lac 4, 1800 Vevey.",
        "Adresse: désormais rue du Lac 4, 1800 Vevey.",
        "Transfert de l'adresse: rue du Lac 4, 1800 Vevey.",
        "Nouveaux bureaux: rue du Lac 4, 1800 Vevey.",
        "Nouveau domicile: rue du Lac 4, 1800 Vevey.",
        "Bureaux transférés rue du Lac 4, 1800 Vevey.",
        "La société a désormais ses bureaux à la rue du Lac 4, 1800 Vevey.",
        "La fondation a transféré ses locaux à la rue du Lac 4, 1800 Vevey.",
    ] {
        assert_eq!(changes(text), expected("rue du Lac 4, 1800 Vevey"), "{text}");
    }
    for text in [
        "Geschäftsadresse: Seestrasse 4, 3900 Brig.",
        "Neue Adresse ist Seestrasse 4, 3900 Brig.",
        "Die Geschäftsadresse lautet nun Seestrasse 4, 3900 Brig.",
        "Die Gesellschaft hat ihre Adresse an die Seestrasse 4, 3900 Brig, verlegt.",
    ] {
        assert_eq!(changes(text), expected("Seestrasse 4, 3900 Brig"), "{text}");
    }
    for text in
        ["Recapito: Via Prova 4, 6830 Chiasso.", "Indirizzo: ora Via Prova 4, 6830 Chiasso."]
    {
        assert_eq!(changes(text), expected("Via Prova 4, 6830 Chiasso"), "{text}");
    }
}

#[test]
fn address_of_a_new_company_is_no_change() {
    let text = "Modèle SA, à Sion, CHE-600.000.012, rue du Lac 4, 1950 Sion, société anonyme (Nouvelle inscription). Adresse: rue du Lac 4, 1950 Sion.";
    assert_eq!(read(text).changes, [Change::NewEntry]);
}

#[test]
fn new_address_beside_the_new_seat_is_read() {
    for text in [
        "Siège transféré de Vevey à Nyon; nouvelle adresse: rue du Lac 4, 1260 Nyon.",
        "Le siège a été transféré à Nyon, nouvelle adresse: rue du Lac 4, 1260 Nyon.",
    ] {
        let expected = [
            Change::Address { to: "rue du Lac 4, 1260 Nyon".to_owned() },
            Change::Seat { to: Some("Nyon".to_owned()), from: None },
        ];
        assert_eq!(changes(text), expected, "{text}");
    }
}

#[test]
fn address_after_its_noun_is_read_in_any_wording() {
    for (text, address) in [
        ("Neues Domizil ist Seestrasse 1a, 3600 Thun.", "Seestrasse 1a, 3600 Thun"),
        (
            "Das neue Rechtsdomizil der Gesellschaft lautet Seestrasse 1, 3600 Thun.",
            "Seestrasse 1, 3600 Thun",
        ),
        (
            "Suite au transfert du siège de Lausanne à Sion, la société est inscrite au registre du Valais central; adresse: rue de Lausanne 5, 1950 Sion.",
            "rue de Lausanne 5, 1950 Sion",
        ),
        (
            "La nouvelle adresse de la société est route de Berne 10, 1700 Fribourg.",
            "route de Berne 10, 1700 Fribourg",
        ),
        ("Il nuovo recapito della società è Via Nassa 5, 6900 Lugano.", "Via Nassa 5, 6900 Lugano"),
    ] {
        let expected = Change::Address { to: address.to_owned() };
        assert!(changes(text).contains(&expected), "{text}: {:?}", changes(text));
    }
    for text in [
        "L'administrateur Muster Hans a désormais son domicile à la rue du Rhône 5, 1204 Genève.",
        "Muster Hans, maintenant domicilié rue du Rhône 5, 1204 Genève, est nommé directeur.",
        "Adresse de liquidation: rue du Rhône 5, 1204 Genève.",
        "La société tient à disposition les comptes à son adresse, rue du Rhône 5, 1204 Genève.",
    ] {
        let changes = changes(text);
        let is_address = |it: &Change| matches!(it, Change::Address { .. });
        assert!(!changes.iter().any(is_address), "{text}: {changes:?}");
    }
}

#[test]
fn names_of_parties_keep_their_prepositions() {
    for (text, name) in [
        (
            "L'actif et le passif sont repris par Fiduciaire de Genève SA, à Genève (CHE-105.909.036), par suite de fusion.",
            "Fiduciaire de Genève SA",
        ),
        (
            "Reprise de l'actif et du passif de Exemple de la Côte SA, à Nyon (CHE-105.909.036), par fusion.",
            "Exemple de la Côte SA",
        ),
        (
            "La società ha ripreso attivi e passivi della Fiduciaria di Lugano SA, in Lugano (CHE-105.909.036), mediante fusione.",
            "Fiduciaria di Lugano SA",
        ),
        (
            "La società ha assorbito la Esempio SA, in Lugano (CHE-105.909.036), mediante fusione.",
            "Esempio SA",
        ),
        (
            "Übernahme der Aktiven und Passiven der Beispiel AG, in Olten (CHE-105.909.036), durch Fusion.",
            "Beispiel AG",
        ),
    ] {
        let changes = changes(text);
        let names: Vec<&str> = changes
            .iter()
            .filter_map(|it| match it {
                Change::Combination { party, .. } => Some(party.name.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(names, [name], "{text}");
    }
}

#[test]
fn name_and_seat_that_are_new_now_are_read() {
    for text in [
        "La nouvelle raison sociale est Modèle Nouveau SA.",
        "La raison de commerce est désormais Modèle Nouveau SA.",
        "La raison de commerce devient Modèle Nouveau SA.",
    ] {
        let expected = [Change::Name { to: "Modèle Nouveau SA".to_owned() }];
        assert_eq!(changes(text), expected, "{text}");
    }
    let seat = |it: &str| [Change::Seat { to: Some(it.to_owned()), from: None }];
    assert_eq!(changes("Le siège de la société est désormais à Nyon."), seat("Nyon"));
    assert_eq!(changes("La sede della società è ora a Chiasso."), seat("Chiasso"));
}

#[test]
fn absorption_has_a_direction() {
    for (text, combination) in [
        (
            "La società è stata ripresa per fusione da Prova SA, in Lugano (CHE-600.000.029).",
            Combination::IsTakenOverBy,
        ),
        (
            "La società è stata assorbita da Prova SA, in Lugano (CHE-600.000.029), mediante fusione.",
            Combination::IsTakenOverBy,
        ),
        (
            "La société a absorbé Prova SA, à Lugano (CHE-600.000.029), par fusion.",
            Combination::TakesOver,
        ),
    ] {
        let found = changes(text);
        let [Change::Combination { combination: read, party, .. }] = found.as_slice() else {
            panic!("{text}: {found:?}");
        };
        assert_eq!((*read, party.name.as_str()), (combination, "Prova SA"), "{text}");
    }
}

#[test]
fn waiver_of_the_audit_under_the_label_of_the_auditor_is_read() {
    for text in [
        "Organe de révision: la société n'étant pas soumise au contrôle ordinaire, il est renoncé à un contrôle restreint.",
        "Revisionsstelle: Es wird auf eine eingeschränkte Revision verzichtet.",
        "Ufficio di revisione: la società rinuncia alla revisione limitata.",
    ] {
        let found = read(&format!(
            "Muster AG, in Bern, CHE-600.000.012 (SHAB Nr. 2 vom 06.01.2016, Publ. 1000000001). {text}"
        ));
        assert_eq!(found.changes, [Change::OptingOut { waived: true }], "{text}");
    }
}
