//! Splits a notice into sentences, each with the label before its colon.

use super::{
    changes, dates, headings,
    punctuation::positions_outside_brackets,
    sentence::Sentence,
    words::{HEADING_START, starts_with_any},
};

/// Maximum length of a label, in bytes. A colon after more text belongs to the sentence.
const MAX_LABEL_LENGTH: usize = 90;

/// The sentences of a notice, in the order of the text.
pub(super) fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    let mut label = "";
    let mut from = 0;
    let mut colon = 0;
    for at in positions_outside_brackets(text, |it| matches!(it, b'.' | b':')) {
        if text.as_bytes()[at] == b'.' {
            if ends_sentence(text, from, at) {
                push(&mut found, &mut label, &text[from..at]);
                from = at + 1;
            }
            continue;
        }
        // Only the text after the last colon, so that every byte is searched once.
        let since = &text[from.max(colon)..at];
        colon = at + 1;
        let candidate = text[from..at].trim();
        // A note in brackets may precede the label.
        let note = since.trim_start().starts_with('[').then(|| since.rfind(']')).flatten();
        let candidate = note.map_or(candidate, |it| since[it + 1..].trim());
        let tail = since.rfind([';', ',']).map(|it| since[it + 1..].trim_start());
        if let Some(tail) = tail.filter(|it| changes::is_new_address(it)) {
            push(
                &mut found,
                &mut label,
                text[from..at - tail.len()].trim_end_matches([' ', ';', ',']),
            );
            label = tail;
            from = at + 1;
        } else if label.is_empty() && is_label(candidate) {
            label = candidate;
            from = at + 1;
        } else {
            let heading = HEADING_START.find_last(since).map(|it| &since[it..]);
            // The full stop may be missing: `[bisher: CHF 1] Liberierung Aktienkapital neu:`.
            let after_bracket = || since.rfind(']').map(|it| since[it + 1..].trim_start());
            let heading = heading.or_else(|| after_bracket().filter(|it| is_label(it)));
            if let Some(heading) = heading.filter(|it| it.len() <= MAX_LABEL_LENGTH) {
                push(&mut found, &mut label, &text[from..at - heading.len()]);
                label = heading.trim();
                from = at + 1;
            }
        }
    }
    push(&mut found, &mut label, &text[from..]);
    found
}

fn push<'a>(found: &mut Vec<Sentence<'a>>, label: &mut &'a str, text: &'a str) {
    let text = text.trim();
    // A single character is a stray bracket or letter.
    if text.len() > 1 || !label.is_empty() {
        found.push(Sentence { label: std::mem::take(label), text });
    }
}

fn is_label(candidate: &str) -> bool {
    let is_short = !candidate.is_empty() && candidate.len() <= MAX_LABEL_LENGTH;
    is_short && (!candidate.contains(", ") || headings::person_heading_kind(candidate).is_some())
}

/// Whether the full stop at `at` ends the sentence that starts at `from`.
fn ends_sentence(text: &str, from: usize, at: usize) -> bool {
    let rest = &text[at + 1..];
    let Some(next) = rest.strip_prefix(' ') else {
        return rest.is_empty() || rest.starts_with('[') || is_joined(&text[from..at], rest);
    };
    // `franz. Staatsangehöriger`
    if !starts_sentence(next) || starts_with_any(next, &["Staatsang", "Staatsb"]) {
        return false;
    }
    let word = last_word(&text[from..at]);
    let is_ordinal = word.len() <= 2
        && word.bytes().all(|it| it.is_ascii_digit())
        && text[from..at - word.len()].ends_with(", ");
    // `am 3. Mai 2016`
    let is_day = word.len() <= 2
        && word.bytes().all(|it| it.is_ascii_digit())
        && dates::starts_with_month(next);
    !(is_day || is_ordinal || is_abbreviation(word)) || headings::starts_with_heading(next)
}

/// Whether a sentence starts directly after a full stop, without a blank: `[bisher: Bern].Eingetragene Personen: …`. Only
/// a label or a word that often starts a sentence is certain: names such as `Meier.Partner AG` have inner full stops.
fn is_joined(sentence: &str, next: &str) -> bool {
    #[rustfmt::skip]
    const STARTS: [&str; 40] = [
        "Die ", "Der ", "Das ", "Mit ", "Über ", "Sie ", "Gemäss ", "Laut ", "Nach ", "Nachdem ", "Infolge ", "Durch ", "Es ",
        "Auf ", "Demnach ", "Bei ", "Aktiven ", "Gegen ", "La ", "Le ", "Les ", "L'", "L’", "Par ", "Selon ", "Suite ",
        "Elle ", "Il ", "Lo ", "Gli ", "I ", "Con ", "Per ", "Secondo ", "Essa ", "In seguito ", "A seguito ", "Attivi ",
        "Dans ", "Sur ",
    ];
    let word = last_word(sentence);
    let is_end = sentence.ends_with([')', ']'])
        || word.ends_with(|it: char| it.is_ascii_digit())
        || (word.chars().count() >= 3 && !is_abbreviation(word));
    is_end
        && next.starts_with(char::is_uppercase)
        && (starts_with_any(next, &STARTS)
            || (ends_statement(word)
                && next.find(' ').is_some_and(|it| next[..it].chars().all(char::is_alphabetic)))
            || headings::starts_with_heading(next)
            || changes::starts_with_label(next))
}

/// Whether a full stop after the word is not inside a name: the word has no capital letter.
fn ends_statement(word: &str) -> bool {
    let is_short = ["due", "tre", "deux", "zu"].contains(&word);
    is_short || (word.chars().count() >= 5 && word.chars().all(char::is_lowercase))
}

/// Whether the text can be the start of a sentence.
fn starts_sentence(next: &str) -> bool {
    #[rustfmt::skip]
    const PARTICLES: [&str; 14] =
        [
        "von ", "de ", "du ", "di ", "da ", "del ", "della ", "van ", "des ", "zum ", "zur ", "ten ", "ter ", "af ",
    ];
    const INNER: [&str; 4] = ["den ", "der ", "de ", "la "];
    let is_upper = |it: &str| it.chars().next().is_some_and(char::is_uppercase);
    if next.starts_with(['[', '"', '«', '(']) || is_upper(next) {
        return true;
    }
    // A surname such as `von Muster`.
    starts_with_any(next, &PARTICLES)
        && next.split_once(' ').is_some_and(|(_, name)| {
            is_upper(INNER.iter().find_map(|it| name.strip_prefix(it)).unwrap_or(name))
        })
}

/// The last word, or its last 13 characters: no abbreviation is longer.
fn last_word(sentence: &str) -> &str {
    let start = sentence
        .char_indices()
        .rev()
        .take(13)
        .take_while(|(_, it)| !matches!(it, ' ' | '(' | '[' | ',' | '-' | '/' | '\''))
        .last();
    start.map_or("", |(at, _)| &sentence[at..])
}

fn is_abbreviation(word: &str) -> bool {
    // Sorted for a binary search, because almost every full stop is checked.
    #[rustfmt::skip]
    const ABBREVIATIONS: [&str; 66] = [
        "Abs", "Art", "Avv", "Bst", "Dipl", "Dott", "Dr", "Fr", "Gde", "Ing", "Inh", "Jr", "Kt", "Me",
        "Mio", "Mlle", "Mme", "No", "Nr", "N°", "Postf", "Prof", "Publ", "S", "Sr", "St", "Ste",
        "Str", "Ziff", "al", "art", "av", "avv", "bei", "betr", "bzw", "ca", "cf", "ch", "cpv", "dipl",
        "dott", "gem", "ing", "inkl", "iur", "jun", "jur", "let", "lett", "lic", "lit", "med", "n", "no", "oec", "pag", "phil", "pol",
        "publ", "rer", "resp", "rte", "sen", "sog", "vgl",
    ];
    let mut letters = word.chars();
    let is_initial = letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none();
    let has_inner_stop =
        word.contains('.') && word.chars().all(|it| it.is_alphabetic() || it == '.');
    is_initial || has_inner_stop || ABBREVIATIONS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<(&str, &str)> {
        sentences(text).into_iter().map(|it| (it.label, it.text)).collect()
    }

    #[test]
    fn full_stops_in_abbreviations_dates_and_amounts_do_not_end_sentences() {
        let text = "Muster S.A., in St. Gallen (SHAB Nr. 2 vom 04. 01. 2000, S. 27). Sitz neu: Au. \
                    Kapital: CHF 1'000.--. Meier, Dr. Hans P., von Affoltern a.A., in Bern";
        assert_eq!(
            split(text),
            [
                ("", "Muster S.A., in St. Gallen (SHAB Nr. 2 vom 04. 01. 2000, S. 27)"),
                ("Sitz neu", "Au"),
                ("Kapital", "CHF 1'000.--"),
                ("", "Meier, Dr. Hans P., von Affoltern a.A., in Bern"),
            ]
        );
    }

    #[test]
    fn headings_are_found_without_full_stop_before_them() {
        let text = "Kapital neu: CHF 2 [bisher: CHF 1] Liberierung neu: CHF 2";
        assert_eq!(
            split(text),
            [("Kapital neu", "CHF 2 [bisher: CHF 1]"), ("Liberierung neu", "CHF 2")]
        );
        let text = "Zweck: Handel Eingetragene Personen: A, B, von Bern, in Bern, Heimat: Thun";
        assert_eq!(
            split(text),
            [
                ("Zweck", "Handel"),
                ("Eingetragene Personen", "A, B, von Bern, in Bern, Heimat: Thun")
            ]
        );
    }

    #[test]
    fn sentences_may_start_with_particle_of_surname() {
        let text = "mit Einzelprokura. von Muster Urs, von Olten. Nr. von 3";
        assert_eq!(split(text).len(), 3);
    }

    #[test]
    fn legal_form_before_heading_does_not_hide_it() {
        let text = "Organe de révision: Fidu S.A. Inscription ou modification de personnes: X";
        assert_eq!(split(text).len(), 2);
    }
}
