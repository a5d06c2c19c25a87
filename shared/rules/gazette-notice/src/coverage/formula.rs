//! The wording of a sentence without names, numbers, dates and places.

/// In place of words that can be a name or a place.
const NAME: &str = "…";
/// In place of numbers and dates.
const NUMBER: &str = "#";
/// Maximum number of words and placeholders. What follows rarely belongs to the formula.
const MAX_WORDS: usize = 14;

/// Words with a capital letter that are shown, in lower case. All others can be names.
#[rustfmt::skip]
const WORDS: [&str; 111] = [
    "aktien", "aktiengesellschaft", "aktiven", "amtes", "angaben", "art", "artikel", "assemblée", "assemblea", "auflösung",
    "aus", "bei", "bemerkungen", "beschluss", "beteiligung", "but", "capital", "capitale", "ce", "conseil", "consiglio", "das",
    "der", "des", "die", "dieser", "dissolution", "domizil", "durch", "ein", "eine", "eintragung", "elle", "entscheid",
    "es", "essa", "firma", "frist", "gemäss", "generalversammlung", "genossenschaft", "gericht", "gesellschaft",
    "gesellschafter", "gesellschafterversammlung", "gläubiger", "gli", "handelsregister", "handelsregisteramt", "herrn",
    "herr", "frau", "i", "il", "im", "in", "inhaber", "kapital", "konkurs", "l'assemblée", "la", "laut", "le", "les", "liquidation",
    "liquidator", "lo", "löschung", "mit", "mitglieder", "mitteilungen", "mitteilung", "namenaktien", "nach", "nachlassstundung",
    "organ", "passiven", "personen", "publikationsorgan", "publikationen", "radiation", "rechtsdomizil", "rechtsform",
    "revision", "revisionsstelle", "sacheinlage", "selon", "siège", "sitz", "società", "société", "stammanteile", "stammkapital",
    "statuten", "statuts", "statuti", "stiftung", "suite", "unternehmen", "unterschrift", "urteil", "verein", "vereins",
    "verfahren", "verfügung", "vertrag", "verwaltungsrat", "verwaltungsrates", "zeichnungsberechtigung", "zweck", "zweigniederlassung",
];

/// The start of a sentence with placeholders. Words in lower case are kept; of the words with a capital letter, only
/// those of the register's own language.
pub(super) fn formula(label: &str, text: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    let colon = (!label.is_empty()).then_some(":");
    let text = text.split_whitespace();
    for word in label.split_whitespace().chain(colon).chain(text) {
        let word = match word {
            ":" => word,
            _ => shown(word),
        };
        // `… …` is one name, `# …` may be a date.
        let repeats = words.last() == Some(&word) && (word == NAME || word == NUMBER);
        if !word.is_empty() && !repeats {
            words.push(word);
        }
        if words.len() == MAX_WORDS {
            break;
        }
    }
    words.join(" ").replace(" :", ":")
}

/// The word without punctuation, or its placeholder.
fn shown(word: &str) -> &str {
    let bare = word.trim_matches(|it: char| !it.is_alphanumeric());
    if bare.contains(|it: char| it.is_numeric()) {
        return NUMBER;
    }
    // Addresses, pairs of names, and words written in capitals within.
    let is_plain = bare.chars().all(|it| it.is_alphabetic() || matches!(it, '\'' | '’' | '-'));
    let is_lower = !bare.contains(char::is_uppercase);
    match is_plain && (is_lower || WORDS.contains(&bare.to_lowercase().as_str())) {
        true => bare,
        false => NAME,
    }
}

#[cfg(test)]
mod tests {
    use super::formula;

    #[test]
    fn names_numbers_dates_and_places_are_not_shown() {
        for (text, shown) in [
            (
                "Die Gesellschaft dankt Eva Muster-Keller, von Thun, am 12.03.2024",
                "Die Gesellschaft dankt … von … am #",
            ),
            (
                "La société salue d'Artagnan de l'Isle (info@isle.example)",
                "La société salue … de …",
            ),
            ("La società cede CHF 20'000.-- a Rossi", "La società cede … # a …"),
        ] {
            assert_eq!(formula("", text), shown);
        }
        assert_eq!(formula("Hinweis Keller", "Bern"), "…: …");
    }
}
