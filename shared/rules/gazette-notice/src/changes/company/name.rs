//! Changes of the name in prose.

use super::after_any;
use crate::changes::{Change, firm_names::without_translations};

/// Reads `Die Gesellschaft führt neu die Firma Muster AG` and `La raison sociale est désormais Modèle SA`.
pub(super) fn named(text: &str) -> Option<Change> {
    #[rustfmt::skip]
    const FORMULAS: [&str; 45] = [
        "nouvelle raison sociale est ", "nouvelle raison de commerce est ", "neue Firma lautet ", "raison de commerce est désormais ", "raison de commerce est maintenant ", "raison de commerce devient ", "raison individuelle est désormais ", "a modifié sa raison de commerce en ",
        "Die Firma lautet neu ", "Die Firma lautet nun ", "Die Firma lautet nunmehr ", "Firma der Gesellschaft lautet neu ", "führt neu die Firma ",
        "ändert ihre Firma in ", "hat ihre Firma geändert in ", "hat ihre Firma in ", "hat ihren Namen in ", "hat den Namen geändert in ", "Die Firma wurde geändert in ",
        "Die Firma wird geändert in ", "firmiert neu als ", "firmiert neu unter ", "firmiert neu ", "Die Gesellschaft heisst neu ", "Die Genossenschaft heisst neu ",
        "Der Verein heisst neu ", "Die Stiftung heisst neu ", "raison sociale est désormais ", "raison sociale est maintenant ", "raison sociale, qui est désormais",
        "raison sociale est modifiée en ", "a modifié sa raison sociale en ", "a changé sa raison sociale en ", "porte désormais la raison sociale ",
        "prend la raison sociale ", "a pris la raison sociale ", "adopte la raison sociale ", "a adopté la raison sociale ", "ragione sociale è ora ",
        "nuova ragione sociale è ", "ragione sociale è modificata in ", "ragione sociale diventa ", "ha modificato la ragione sociale in ",
        "ha modificato la propria ragione sociale in ", "ha assunto la ragione sociale ",
    ];
    #[rustfmt::skip]
    const DITTA: [&str; 4] =
        ["La ditta è ora ", "La ditta è modificata in ", "ha modificato la ditta in ", "La ditta diventa "];
    let name = after_any(text, &FORMULAS).or_else(|| after_any(text, &DITTA))?;
    let name = name.trim_matches(['"', '«', '»', ' ', ':']);
    let name = [" geändert", " umbenannt", " abgeändert"]
        .iter()
        .find_map(|it| name.strip_suffix(it))
        .unwrap_or(name);
    let name = without_translations(name.split(';').next().unwrap_or_default());
    name.starts_with(|it: char| it.is_uppercase() || it.is_ascii_digit())
        .then(|| Change::Name { to: name.to_owned() })
}
