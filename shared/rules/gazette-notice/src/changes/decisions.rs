//! The date of a decision: of a court's judgment, an office's order or a resolution.

use jiff::civil::Date;

use crate::{date, dates::date_and_rest, words};

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
    decision_among(text, dates(text))
}

/// The date of a decision that ends something: the revocation of a dissolution, the re-entry of a deleted company. Not the date
/// of what ends: `Die mit Verfügung vom 12.02.2021 angeordnete Auflösung wird widerrufen`.
pub(super) fn date_of_end(text: &str) -> Option<Date> {
    let mut dates = dates(text);
    if !dates.is_empty() {
        let subject = end_of_subject(text);
        dates.retain(|(at, _)| *at >= subject && !is_attribute(text, *at));
    }
    decision_among(text, dates)
}

/// Where the predicate of a sentence in the passive begins, after its subject with an article. 0 for other sentences: the subject
/// of an active one is who decides, as in `Die Generalversammlung vom 3.3.2021 hat die Auflösung widerrufen`.
fn end_of_subject(text: &str) -> usize {
    const ARTICLES: [&str; 8] = ["Die ", "Der ", "Das ", "La ", "Le ", "L'", "Il ", "Lo "];
    const PASSIVE: [&str; 13] = [
        " wird ",
        " wurde ",
        " ist ",
        " werden ",
        " wurden ",
        " est ",
        " a été ",
        " n'est ",
        " è ",
        " è stata ",
        " è stato ",
        " viene ",
        " sind ",
    ];
    const ACTIVE: [&str; 4] = [" hat ", " haben ", " ha ", " ont "];
    let is_subject = words::strip_any_prefix(text, &ARTICLES)
        .is_some_and(|it| !it.starts_with(|it: char| it.is_ascii_digit()));
    if !is_subject {
        return 0;
    }
    let first = |verbs: &[&str]| verbs.iter().filter_map(|it| text.find(it)).min();
    // `a révoqué`, but not `a été révoquée` or the Italian preposition
    let has_perfect = |at: usize| {
        let next = text[at + 3..].split([' ', ',']).next().unwrap_or_default();
        next.ends_with('é') && next != "été"
    };
    let perfect = text.match_indices(" a ").map(|it| it.0).find(|at| has_perfect(*at));
    let active = first(&ACTIVE).into_iter().chain(perfect).min();
    match (first(&PASSIVE), active) {
        (Some(passive), Some(active)) if active < passive => 0,
        (Some(passive), _) => passive,
        _ => 0,
    }
}

/// Whether the date at this place belongs to a participle or a noun of what ends: `am 12.02.2021 gelöschte`, `prononcée le 12
/// février 2021`, `Konkurseröffnung vom 12.02.2021`.
fn is_attribute(text: &str, at: usize) -> bool {
    #[rustfmt::skip]
    const NOUNS: [&str; 16] = [
        "konkurseröffnung", "auflösung", "löschung", "konkurs", "konkurses", "stundung", "konkursentscheid", "auflösungsbeschluss", "faillite", "dissolution", "radiation", "sursis",
        "fallimento", "scioglimento", "cancellazione", "moratoria",
    ];
    #[rustfmt::skip]
    const PARTICIPLES: [&str; 30] = [
        "radiée", "radié", "prononcée", "prononcé", "décidée", "décidé", "ordonnée", "ordonné", "ouverte", "déclarée", "accordé", "octroyé", "dissoute", "inscrite", "publiée", "cancellata", "cancellato", "radiata",
        "decretato", "decretata", "deciso", "decisa", "pronunciato", "pronunciata", "aperto", "ordinato", "ordinata", "dichiarato", "concessa", "sciolta",
    ];
    const AUXILIARIES: [&str; 9] =
        ["été", "est", "è", "stato", "stata", "viene", "être", "essere", "était"];
    let mut before = text[..at].rsplit(' ').map(|it| it.trim_matches([',', '(']));
    let (word, previous) = (before.next().unwrap_or_default(), before.next().unwrap_or_default());
    let is_participle = PARTICIPLES.contains(&word) && !AUXILIARIES.contains(&previous);
    // `am 12.02.2021 verfügte`, `mit Verfügung vom 12. Februar 2021 angeordnete`
    let rest = text[at..].trim_start();
    let rest = rest.split_once(' ').and_then(|(_, it)| date_and_rest(it)).map_or("", |it| it.1);
    let next = rest.trim_start().split([' ', ',']).next().unwrap_or_default();
    let is_german = next.starts_with(char::is_lowercase)
        && next.len() >= 6
        && ["te", "ten", "ter", "ene", "enen", "ener"].iter().any(|it| next.ends_with(it));
    is_participle
        || is_german
        || next.starts_with("gelöscht")
        || NOUNS.contains(&word.to_lowercase().as_str())
}

/// The dates of a text, with the places of the words before them.
fn dates(text: &str) -> Vec<(usize, Date)> {
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
    dates
}

/// The only date, or the first one of a decision.
fn decision_among(text: &str, dates: Vec<(usize, Date)>) -> Option<Date> {
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
    fn date_of_what_ends_is_not_that_of_the_end() {
        for text in [
            "Die mit Verfügung vom 12.02.2021 angeordnete Auflösung der Gesellschaft wird widerrufen",
            "Die am 12.02.2021 verfügte Konkurseröffnung ist aufgehoben",
            "Das Obergericht hat die Konkurseröffnung vom 12.02.2021 aufgehoben",
            "Die Gesellschaft, welche am 26.02.2021 gelöscht wurde, wird wieder eingetragen",
            "La décision de dissolution du 12 février 2021 est révoquée",
            "La dissolution de la société, prononcée le 12 février 2021, est révoquée",
            "La société, radiée le 26 février 2021, est réinscrite",
            "La decisione di scioglimento del 12 febbraio 2021 è revocata",
            "Lo scioglimento della società deciso il 12 febbraio 2021 è revocato",
            "La società, cancellata il 26 febbraio 2021, viene reiscritta",
        ] {
            assert_eq!(date_of_end(text), None, "{text}");
        }
        for text in [
            "Die Auflösung der Gesellschaft wird mit Verfügung vom 03.03.2021 widerrufen",
            "Der mit Urteil vom 12.02.2021 eröffnete Konkurs wurde mit Entscheid des Obergerichts vom 3.3.2021 aufgehoben",
            "Die Generalversammlung vom 3.3.2021 hat die Auflösung der Gesellschaft widerrufen",
            "Die am 26.02.2021 gelöschte Gesellschaft wird gemäss Verfügung vom 3. März 2021 wieder eingetragen",
            "Mit Entscheid vom 3. März 2021 wurde der Konkurs aufgehoben",
            "Le 3 mars 2021, la dissolution de la société a été révoquée",
            "L'assemblée générale du 3 mars 2021 a révoqué la dissolution de la société",
            "La faillite prononcée le 12 février 2021 a été annulée par arrêt du 3 mars 2021",
            "La rétractation de la faillite a été prononcée le 3 mars 2021",
            "Lo scioglimento della società è revocato con decreto del 3 marzo 2021",
            "L'assemblea generale del 3 marzo 2021 ha revocato lo scioglimento della società",
        ] {
            assert_eq!(date_of_end(text), Some(date(2021, 3, 3)), "{text}");
        }
    }

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
