//! Removal of the standard clauses that nearly every purpose contains.

use std::sync::LazyLock;

use crate::text::fold;

/// Words that start a standard clause. The clause extends to the end of its sentence.
///
/// The verbs introduce what a company *may* do: `kann Zweigniederlassungen errichten`, `peut créer des
/// succursales`. The others introduce phrases that cover any business, such as `toutes opérations`.
const OPENERS: [&str; 62] = [
    "kann",
    "darf",
    "ist berechtigt",
    "ist befugt",
    "ist ferner",
    "alle damit",
    "samtliche damit",
    "und damit zusammenhangende",
    "alle geschafte",
    "alle anderen geschafte",
    "alle weiteren",
    "alle ubrigen",
    "sowie alle",
    "samtliche geschafte",
    "beteiligung an anderen",
    "beteiligungen an anderen",
    "errichtung von zweigniederlassungen",
    "verfolgt keinen gewinn",
    "keine gewinnstrebigen",
    "peut",
    "pourra",
    "peuvent",
    "toutes operations",
    "toute operation",
    "toutes les operations",
    "toutes activites",
    "toute activite",
    "toutes les activites",
    "toutes autres",
    "tous actes",
    "toutes affaires",
    "tous autres",
    "ainsi que toutes",
    "ainsi que tous",
    "creer des succursales",
    "dans d autres entreprises",
    "puo",
    "potra",
    "possono",
    "tutte le operazioni",
    "tutte le attivita",
    "ogni operazione",
    "ogni altra",
    "ogni attivita",
    "qualsiasi operazione",
    "qualsiasi attivita",
    "qualsiasi altra",
    "nonche ogni",
    "nonche tutte",
    "may",
    "company can",
    "corporation can",
    "is authorised",
    "is authorized",
    "is entitled",
    "all activities",
    "all related",
    "any other",
    "all other",
    "any and all",
    "open branches",
    "establish branches",
];

/// [`OPENERS`] as normalised words.
static OPENER_WORDS: LazyLock<Vec<Vec<String>>> =
    LazyLock::new(|| OPENERS.iter().map(|it| it.split(' ').map(fold).collect()).collect());

/// Abbreviations. A point after them does not end the sentence.
const ABBREVIATIONS: [&str; 23] = [
    "st", "dr", "nr", "no", "bzw", "etc", "inkl", "insb", "ca", "usw", "evtl", "ggf", "allg", "z",
    "d", "u", "b", "abs", "s", "a", "sog", "resp", "div",
];

/// The sentences of a purpose without standard clauses, in order.
pub(super) fn sentences(purpose: &str) -> Vec<&str> {
    split(purpose).into_iter().filter_map(without_standard_clause).collect()
}

/// Splits a purpose into sentences. A sentence ends at a semicolon, at a line break, or at a point before
/// a capital letter unless the point belongs to an abbreviation.
fn split(purpose: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let characters: Vec<(usize, char)> = purpose.char_indices().collect();
    for (number, (at, it)) in characters.iter().enumerate() {
        let rest = || characters.get(number + 1..).unwrap_or_default().iter().map(|(_, it)| *it);
        let ends = match it {
            ';' | '\n' | '•' => true,
            '.' => {
                let before = purpose.get(start..*at).unwrap_or_default();
                let word =
                    before.rsplit(|it: char| !it.is_alphanumeric()).next().unwrap_or_default();
                let is_short = ABBREVIATIONS.contains(&word.to_lowercase().as_str());
                let next = rest().find(|it| !it.is_whitespace());
                rest().next().is_none_or(char::is_whitespace)
                    && next.is_none_or(|it| it.is_uppercase() || it == '-')
                    && !is_short
            }
            _ => false,
        };
        if ends {
            sentences.push(purpose.get(start..*at).unwrap_or_default());
            start = at + it.len_utf8();
        }
    }
    sentences.push(purpose.get(start..).unwrap_or_default());
    sentences
}

/// The sentence up to its standard clause. `None` if nothing precedes the clause.
fn without_standard_clause(sentence: &str) -> Option<&str> {
    // Words with their positions, so that the original sentence can be cut.
    let mut words: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    for word in sentence.split(|it: char| !it.is_alphanumeric()) {
        if !word.is_empty() {
            words.push((at, fold(word)));
        }
        // Skip one separator, which may have several bytes.
        at += word.len();
        at += sentence.get(at..)?.chars().next().map_or(0, char::len_utf8);
    }
    let opens = |from: usize| {
        OPENER_WORDS.iter().any(|opener| {
            let mut rest = words.get(from..).unwrap_or_default().iter();
            opener.iter().all(|word| rest.next().is_some_and(|(_, it)| it == word))
        })
    };
    let cut = (0..words.len()).find(|from| opens(*from)).map(|from| words[from].0);
    let kept = sentence.get(..cut.unwrap_or(sentence.len()))?.trim();
    (!kept.is_empty()).then_some(kept)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn standard_clauses_are_removed() {
        for (purpose, kept) in [
            (
                "Betrieb eines Restaurants. Die Gesellschaft kann Zweigniederlassungen errichten, Grundstücke erwerben und sich beteiligen.",
                vec!["Betrieb eines Restaurants", "Die Gesellschaft"],
            ),
            (
                "Exploitation d'un café, ainsi que toutes opérations immobilières. La société peut créer des succursales.",
                vec!["Exploitation d'un café,", "La société"],
            ),
            (
                "Gestione di un bar. La società può acquistare immobili.",
                vec!["Gestione di un bar", "La società"],
            ),
            (
                "Operation of a bar. The Company may acquire real estate.",
                vec!["Operation of a bar", "The Company"],
            ),
            (
                "Handel mit Waren, z.B. Uhren, inkl. Reparatur in St. Gallen",
                vec!["Handel mit Waren, z.B. Uhren, inkl. Reparatur in St. Gallen"],
            ),
            ("Kann alles. ", vec![]),
        ] {
            assert_eq!(sentences(purpose), kept, "{purpose}");
        }
    }

    proptest! {
        #[test]
        fn splitting_never_panics(purpose in any::<String>()) {
            let _ = sentences(&purpose);
        }
    }
}
