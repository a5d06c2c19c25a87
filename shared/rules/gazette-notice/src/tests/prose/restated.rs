//! Entries that state first what was registered, and then what is new, as Fribourg does.

use super::{line, notice};
use crate::*;

/// Each entry, and its shares: number and value of all.
fn stated(text: &str) -> Vec<String> {
    let shares = |entry: &Entry| {
        let quota = entry.quota.as_ref()?;
        Some(format!("{}x{}", quota.shares?, quota.nominal_value?.ten_thousandths() / 10_000))
    };
    let entries = read(&notice(text)).entries;
    entries
        .iter()
        .map(|it| {
            format!("{} | {}", line(it), shares(it).unwrap_or_default()).trim_end().to_owned()
        })
        .collect()
}

#[test]
fn what_follows_the_word_for_new_replaces_what_stands_before() {
    for (text, expected) in [
        (
            "Personne inscrite modifiée: Probe Anna, associée, 5 parts sociales de CHF 1'000, gérante, signature individuelle, nouveau: associée, 12 parts sociales de CHF 1'000, gérante, signature individuelle.",
            ["~ Probe, Anna | associée, gérante | signature individuelle | 12x1000"].as_slice(),
        ),
        (
            "Eingetragene Person geändert: Muster Hans, Gesellschafter, 40 Stammanteile zu CHF 500, Geschäftsführer, Kollektivunterschrift zu zweien, neu Gesellschafter, 40 Stammanteile zu CHF 500, Vorsitzender der Geschäftsführung, Einzelunterschrift.",
            ["~ Muster, Hans | Gesellschafter, Vorsitzender der Geschäftsführung | Einzelunterschrift | 40x500"].as_slice(),
        ),
        (
            "Persona iscritta modificata: Esempio Marco, membro, firma collettiva a due, nuovo: presidente.",
            ["~ Esempio, Marco | presidente | firma collettiva a due |"].as_slice(),
        ),
        (
            "Personnes inscrites modifiées: Modèle Luc, administrateur, signature collective à deux, nouveau: signature individuelle. Probe Anna, directrice, sans signature, nouveau: signature collective à deux.",
            [
                "~ Modèle, Luc | administrateur | signature individuelle |",
                "~ Probe, Anna | directrice | signature collective à deux |",
            ]
            .as_slice(),
        ),
        (
            "Nouvelle adresse: Rue du Lac 4, 1630 Bulle. Modèle Luc, gérant, signature collective à deux, nouveau: gérant, signature individuelle.",
            ["~ Modèle, Luc | gérant | signature individuelle |"].as_slice(),
        ),
        (
            "Neu eingetragene Person: Probe Anna, von Chur, in Davos, neu Präsidentin, Einzelunterschrift.",
            ["+ Probe, Anna | neu Präsidentin | Einzelunterschrift |"].as_slice(),
        ),
    ] {
        assert_eq!(stated(text), expected, "{text}");
    }
}

#[test]
fn a_new_function_after_a_place_belongs_to_an_entry_of_its_own() {
    let text = "Nuove persone iscritte: Esempio Marco, da Lugano, in Lugano, presidente, con firma individuale, e Prova Anna, da Chiasso, in Chiasso, nuova gerente, con firma collettiva a due.";
    assert!(read(&notice(text)).entries.iter().all(|it| it.kind == EntryKind::Entered), "{text}");
}

#[test]
fn a_bracket_that_limits_an_entry_is_no_correction() {
    for text in [
        "Eingetragene Personen neu: Muster, Hans, von Bern, in Thun, Sekretär (nicht Mitglied), mit Kollektivunterschrift zu zweien.",
        "Eingetragene Personen neu: Muster, Hans, von Bern, in Thun, Mitglied (nicht zeichnungsberechtigt).",
    ] {
        assert!(
            read(&notice(text)).entries.iter().all(|it| it.kind == EntryKind::Entered),
            "{text}"
        );
    }
}

#[test]
fn what_was_registered_before_is_kept_apart() {
    let text =
        "Personne inscrite modifiée: Probe Anna, gérante, signature individuelle, nouveau: à Sion.";
    let entry = read(&notice(text)).entries.remove(0);
    assert_eq!(entry.before.as_deref(), Some("gérante, signature individuelle"));
    assert_eq!(entry.domicile.as_deref(), Some("Sion"));
    assert_eq!(entry.function.as_deref(), Some("gérante"));
}
