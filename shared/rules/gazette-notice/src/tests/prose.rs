//! Persons in prose, in the wordings and word orders of several offices.

mod appointments;
mod appositions;
mod bodies;
mod contrasts;
mod denials;
mod departures;
mod details;
mod endings;
mod formulas;
mod holders;
mod holdings;
mod list_and_prose;
mod lists_in_prose;
mod memberships;
mod nominal;
mod offices;
mod partial;
mod properties;
mod relatives;
mod restated;
mod resumed;
mod several;
mod several_holders;
mod shares;
mod signature_changes;
mod signatures;
mod unsure;

use crate::*;

/// Persons that take the places of `{A}`, `{B}` and `{C}`: surname, given names, origin and residence.
const PERSONS: [[[&str; 4]; 3]; 3] = [
    [
        ["Muster", "Hans", "Bern", "Thun"],
        ["Probe", "Anna", "Chur", "Davos"],
        ["Modèle", "Luc", "Sion", "Sierre"],
    ],
    [
        ["von Beispiel", "Maria Luisa", "Genève", "Carouge GE"],
        ["Esempio", "Marco", "Lugano", "Paradiso"],
        ["Muster-Test", "Jean-Claude", "La Chaux-de-Fonds", "Le Locle"],
    ],
    [
        ["Prova Modello", "Carla", "Riva San Vitale", "Mendrisio"],
        ["Test", "Ulrich", "Affoltern am Albis", "St. Gallen"],
        ["De Luca", "Giovanni", "Lausanne", "Yverdon-les-Bains"],
    ],
];

/// The template with the persons of each variant. `{A}` is the name as prose writes it, `{A:}` as an entry states it; `{A o}`
/// is the origin and `{A r}` the residence.
fn variants(template: &str) -> Vec<String> {
    let filled = PERSONS.iter().map(|persons| {
        let mut text = template.to_owned();
        for (letter, [surname, given, origin, residence]) in ["A", "B", "C"].iter().zip(persons) {
            text = text.replace(&format!("{{{letter}}}"), &format!("{surname} {given}"));
            text = text.replace(&format!("{{{letter}:}}"), &format!("{surname}, {given}"));
            text = text.replace(&format!("{{{letter} o}}"), origin);
            text = text.replace(&format!("{{{letter} r}}"), residence);
        }
        text
    });
    filled.collect()
}

/// One line for each entry: `+` (enters), `~` (changes) or `-` (leaves), then name, function and signature.
fn lines(text: &str) -> Vec<String> {
    read(text).entries.iter().map(line).collect()
}

pub(super) fn line(entry: &Entry) -> String {
    let sign = match entry.kind {
        EntryKind::Entered => '+',
        EntryKind::Changed => '~',
        EntryKind::Left => '-',
    };
    let name = match &entry.subject {
        Subject::Person { last_name, first_name, .. } => format!("{last_name}, {first_name}"),
        Subject::Entity { name, .. } => format!("[{name}]"),
    };
    let or_empty = |it: &Option<String>| it.clone().unwrap_or_default();
    format!("{sign} {name} | {} | {}", or_empty(&entry.function), or_empty(&entry.signature))
}

/// A notice with this text, in the layout of an office.
fn notice(text: &str) -> String {
    format!(
        "Muster GmbH, in Bern, CHE-600.000.012, Gesellschaft mit beschränkter Haftung (SHAB Nr. 2 vom 06.01.2016, Publ. 1000000001). {text}"
    )
}

/// Compares what the texts state, each with the persons of all variants, with what is expected. Reports all differences.
fn assert_stated(cases: &[(&str, &[&str])], stated: impl Fn(&str) -> Vec<String>) {
    let mut failures = Vec::new();
    for (template, expected) in cases {
        let expected: Vec<Vec<String>> = expected.iter().map(|it| variants(it)).collect();
        for (at, text) in variants(template).iter().enumerate() {
            let expected: Vec<String> = expected.iter().map(|it| it[at].clone()).collect();
            let stated = stated(&notice(text));
            if stated != expected {
                failures.push(format!("{text}\n    {stated:?}\n    instead of {expected:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} differences:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn the_heading_of_a_notice_states_no_person() {
    for heading in [
        "Société Intégration Verbier, à Val de Bagnes, CHE-845.506.777, association (FOSC du 10.04.2026, p. 0/4065900367).",
        "Société Muster Moser, in Bern, CHE-845.506.777, Genossenschaft (SHAB Nr. 70 vom 10.04.2026, Publ. 1006529604).",
        "Società Prova Bianchi, a Lugano, CHE-845.506.777, società cooperativa (FUSC del 10.04.2026, p. 0/4065900367).",
        "Pelevgo Action sociale Sàrl, à Cologny, Avenue de la Gare 87, 1223 Cologny, CHE-677.137.884.",
        "Société Intégration Verbier, à Sion, CHE-845.506.777, Rue des Alpes 58, 1936 Verbier, association (Nouvelle inscription).",
    ] {
        let notice =
            crate::read(&format!("{heading} Nouvelle adresse: Rue du Temple 68, 1936 Verbier."));
        assert!(notice.entries.is_empty(), "{:#?}", notice.entries);
    }
}
