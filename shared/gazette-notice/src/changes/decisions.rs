//! The date of a decision: of a court's judgment, an office's order or a resolution.

use jiff::civil::Date;

use crate::{date, words};

/// The words before the date of a decision.
#[rustfmt::skip]
const DECISIONS: [&str; 33] = [
    "entscheid", "urteil", "verfügung", "beschluss", "beschlüsse", "dekret", "versammlung", "erkenntnis", "erklärung",
    "entscheidung", "jugement", "décision", "prononcé", "ordonnance", "arrêt", "assemblée", "déclaration", "requête",
    "résolution", "décret", "tribunal", "sentenza", "decreto", "decisione", "delibera", "assemblea", "dichiarazione",
    "risoluzione", "pretura", "pretore", "gericht", "richter", "giudice",
];

/// Words directly before a date.
const BEFORE_DATE: [&str; 12] = [
    " vom ",
    " am ",
    " du ",
    " le ",
    " del ",
    " in data ",
    " il ",
    " datato ",
    " daté du ",
    " datée du ",
    " dell'",
    " l'",
];

/// Maximum distance between the word for a decision and its date, in bytes.
const MAX_DISTANCE: usize = 90;

/// The date of the decision that a statement is about. `None` if it names no date, or several of which none belongs to a
/// decision.
pub(super) fn decision_date(text: &str) -> Option<Date> {
    let mut dates: Vec<(usize, Date)> = Vec::new();
    for word in BEFORE_DATE {
        for (at, _) in text.match_indices(word) {
            if let Some(found) = date(&text[at + word.len()..]) {
                dates.push((at, found));
            }
        }
    }
    // A statement may start with its date: `Am 3. Mai 2016 …`
    for word in ["Am ", "Le ", "Il ", "In data "] {
        if let Some(found) = words::strip_prefix(text, word).and_then(date) {
            dates.push((0, found));
        }
    }
    dates.sort_unstable();
    dates.dedup();
    let lower = text.to_lowercase();
    // Lowercase letters can have another length; then no word is compared.
    let is_decision = |(at, _): &&(usize, Date)| {
        let from = lower.floor_char_boundary(at.saturating_sub(MAX_DISTANCE));
        let before = lower.get(from..*at).unwrap_or_default();
        let since = DECISIONS.iter().filter_map(|it| Some(before.rfind(it)? + it.len())).max();
        // No other date may be between them.
        since.is_some_and(|it| !before[it..].bytes().any(|it| it.is_ascii_digit()))
    };
    match dates.as_slice() {
        [(_, only)] => Some(*only),
        _ => dates.iter().find(is_decision).map(|(_, it)| *it),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn date_of_the_decision_is_distinguished_from_other_dates() {
        let day = Some(date(2016, 5, 3));
        for text in [
            "Mit Entscheid vom 3. Mai 2016 hat das Bezirksgericht die Gesellschaft mit Wirkung ab dem 4.5.2016 aufgelöst",
            "Das am 4.5.2015 eröffnete Verfahren wurde mit Verfügung des Konkursrichters vom 03.05.2016 eingestellt",
            "Le Tribunal a prononcé le 3 mai 2016 la dissolution",
            "Faillite prononcée par jugement du 3 mai 2016, avec effet dès le 1er juin 2016",
            "Con decreto della Pretura di Lugano del 3 maggio 2016 è stato dichiarato il fallimento a far tempo dal 4 maggio 2016",
            "Die Gesellschaft hat sich am 03. 05. 2016 aufgelöst",
            "Beschluss der Generalversammlung vom 3.5.2016",
        ] {
            assert_eq!(decision_date(text), day, "{text}");
        }
        for text in ["Der Konkurs ist eröffnet", "Am 3.5.2016 und am 4.5.2016 wurde publiziert"] {
            assert_eq!(decision_date(text), None, "{text}");
        }
    }
}
