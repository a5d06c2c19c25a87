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
