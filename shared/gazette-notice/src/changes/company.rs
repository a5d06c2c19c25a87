//! Changes of the capital, the name and the address in prose.

use super::{CapitalKind, Change, labels::without_translations};
use crate::{Decimal, amount, words::ABOUT_COMPANY};

/// Adds what a sentence says about the capital, the name or the address of the company.
pub(super) fn read(text: &str, found: &mut Vec<Change>) {
    // Fast path: all of these sentences are short and name what changes.
    if text.len() <= 600 && ABOUT_COMPANY.occur_in(text) {
        found.extend(capital(text).or_else(|| named(text)).or_else(|| address(text)));
    }
}

/// Reads `Das Aktienkapital wurde von CHF 100'000 auf CHF 200'000 erhöht`.
fn capital(text: &str) -> Option<Change> {
    #[rustfmt::skip]
    const VERBS: [&str; 14] = [
        "erhöh", "Erhöhung", "herabgesetzt", "Herabsetzung", "reduziert", "augment", "Augment", "rédui", "réduction", "élevé", "aument", "Aument", "ridott",
        "ridu",
    ];
    #[rustfmt::skip]
    const NOUNS: [(&str, CapitalKind); 9] = [
        ("artizipationskapital", CapitalKind::Participation), ("capital-participation", CapitalKind::Participation),
        ("capitale di partecipazione", CapitalKind::Participation), ("ktienkapital", CapitalKind::Shares), ("capital-actions", CapitalKind::Shares),
        ("capitale azionario", CapitalKind::Shares), ("tammkapital", CapitalKind::Quotas), ("capital social", CapitalKind::Quotas),
        ("capitale sociale", CapitalKind::Quotas),
    ];
    if !VERBS.iter().any(|it| text.contains(it))
        || text.contains("libération")
        || text.contains("iberier")
    {
        return None;
    }
    let lower = text.to_lowercase();
    let (_, capital) = NOUNS.iter().find(|(noun, _)| lower.contains(noun))?;
    let from = amount_after(text, &[" von ", " de ", " da "]);
    let (currency, to) = amount_after(text, &[" auf ", " à ", " a "])?;
    let from = from.map(|(_, it)| it).filter(|it| *it != to);
    Some(Change::Capital { capital: *capital, currency: Some(currency), to, from })
}

/// The amount directly after one of the words.
fn amount_after(text: &str, words: &[&str]) -> Option<(String, Decimal)> {
    words.iter().flat_map(|it| text.match_indices(it)).find_map(|(at, word)| {
        let (currency, number) = amount(&text[at + word.len()..])?;
        Some((currency?, number))
    })
}

/// Reads `Die Gesellschaft führt neu die Firma Muster AG` and `La raison sociale est désormais Modèle SA`.
fn named(text: &str) -> Option<Change> {
    #[rustfmt::skip]
    const FORMULAS: [&str; 18] = [
        "Die Firma lautet neu ", "Die Firma lautet nun ", "führt neu die Firma ", "ändert ihre Firma in ", "hat ihre Firma geändert in ", "firmiert neu als ",
        "firmiert neu unter ", "La raison sociale est désormais ", "La raison sociale est modifiée en ", "a modifié sa raison sociale en ",
        "a changé sa raison sociale en ", "porte désormais la raison sociale ", "La ragione sociale è ora ", "La ditta è ora ", "La ditta è modificata in ",
        "ha modificato la ragione sociale in ", "ha modificato la ditta in ", "ha modificato la propria ragione sociale in ",
    ];
    let name = after_any(text, &FORMULAS)?;
    let name = without_translations(name.trim_matches(['"', '«', '»', ' ', ':']));
    name.starts_with(char::is_uppercase).then(|| Change::Name { to: name.to_owned() })
}

/// Reads `Die neue Adresse lautet Seestrasse 1, 3600 Thun`.
fn address(text: &str) -> Option<Change> {
    #[rustfmt::skip]
    const FORMULAS: [&str; 18] = [
        "Das Domizil lautet neu ", "Das Domizil befindet sich neu ", "Das Domizil ist neu ", "Das Rechtsdomizil befindet sich neu ", "Die Adresse lautet neu ",
        "Die neue Adresse lautet ", "Das neue Domizil lautet ", "Das neue Domizil ist ", "L'adresse est désormais ", "L'adresse est maintenant ",
        "La nouvelle adresse est ", "L'adresse a été transférée ", "L'adresse est transférée ", "L'indirizzo è ora ", "Il nuovo indirizzo è ", "Il recapito è ora ",
        "Il nuovo recapito è ", "Il recapito è stato trasferito ",
    ];
    let address = after_any(text, &FORMULAS)?.trim_start_matches([':', ' ']);
    let prepositions = [
        "à la ", "à l'", "à ", "an der ", "am ", "an ", "in der ", "in ", "bei ", "alla ", "a ",
        "au ",
    ];
    let address = prepositions.iter().find_map(|it| address.strip_prefix(it)).unwrap_or(address);
    (!address.is_empty()).then(|| Change::Address { to: address.to_owned() })
}

fn after_any<'a>(text: &'a str, formulas: &[&str]) -> Option<&'a str> {
    let straight = |it: &&str| text.find(*it).map(|at| at + it.len());
    formulas.iter().find_map(straight).map(|at| text[at..].trim())
}
