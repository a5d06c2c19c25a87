//! What a purpose says beside the purpose: clauses that stand in nearly every one.

use std::sync::LazyLock;

use crate::text::fold;

/// The words that open such a clause; it goes on to the end of its sentence.
///
/// The verbs say what a company *may* do: `kann Zweigniederlassungen errichten`, `peut créer des
/// succursales`. The rest stand for everything and therefore for nothing.
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

/// The same as folded words.
static FOLDED: LazyLock<Vec<Vec<String>>> =
    LazyLock::new(|| OPENERS.iter().map(|it| it.split(' ').map(fold).collect()).collect());

/// Words whose point ends no sentence.
const ABBREVIATIONS: [&str; 23] = [
    "st", "dr", "nr", "no", "bzw", "etc", "inkl", "insb", "ca", "usw", "evtl", "ggf", "allg", "z",
    "d", "u", "b", "abs", "s", "a", "sog", "resp", "div",
];

/// The sentences of a purpose without what says nothing, in order.
pub(super) fn sentences(purpose: &str) -> Vec<&str> {
    split(purpose).into_iter().filter_map(telling).collect()
}

/// Ends of sentences: a point before a capital, unless it shortens a word; a semicolon or a line.
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

/// A sentence up to the clause that says nothing; nothing where it is one from the start.
fn telling(sentence: &str) -> Option<&str> {
    // Words with the places where they begin, so that the sentence itself can be cut.
    let mut words: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    for word in sentence.split(|it: char| !it.is_alphanumeric()) {
        if !word.is_empty() {
            words.push((at, fold(word)));
        }
        // One separator has been taken; it may be of several bytes.
        at += word.len();
        at += sentence.get(at..)?.chars().next().map_or(0, char::len_utf8);
    }
    let opens = |from: usize| {
        FOLDED.iter().any(|opener| {
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
    fn what_every_purpose_says_is_cut() {
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
        fn no_purpose_makes_it_panic(purpose in any::<String>()) {
            let _ = sentences(&purpose);
        }
    }
}
