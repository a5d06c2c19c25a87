//! A notice as sentences, each with the label that stands before its colon.

use super::{
    headings,
    pieces::outside,
    words::{ANCHOR, begins},
};

/// A sentence, or a labelled member such as `Firma neu: Muster AG`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sentence<'a> {
    /// Empty where there is none.
    pub(super) label: &'a str,
    pub(super) text: &'a str,
}

/// No label is longer; the colons of a purpose stand further in.
const LONGEST_LABEL: usize = 90;

/// The sentences of a notice, in order.
pub(super) fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    let mut label = "";
    let mut from = 0;
    let mut colon = 0;
    for at in outside(text, |it| matches!(it, b'.' | b':')) {
        if text.as_bytes()[at] == b'.' {
            if ends_here(text, from, at) {
                push(&mut found, &mut label, &text[from..at]);
                from = at + 1;
            }
            continue;
        }
        // Only what follows the last colon: each byte is looked at once.
        let since = &text[from.max(colon)..at];
        colon = at + 1;
        let candidate = text[from..at].trim();
        // A note in brackets may stand before the label.
        let note = since.trim_start().starts_with('[').then(|| since.rfind("] ")).flatten();
        let candidate = note.map_or(candidate, |it| since[it + 2..].trim());
        if label.is_empty() && is_label(candidate) {
            label = candidate;
            from = at + 1;
        } else {
            let heading = ANCHOR.last_in(since).map(|it| &since[it..]);
            // `[bisher: CHF 1] Liberierung Aktienkapital neu:` lacks its full stop.
            let behind = || since.rfind("] ").map(|it| &since[it + 2..]);
            let heading = heading.or_else(|| behind().filter(|it| is_label(it)));
            if let Some(heading) = heading.filter(|it| it.len() <= LONGEST_LABEL) {
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
    // A stray bracket or letter states nothing.
    if text.len() > 1 || !label.is_empty() {
        found.push(Sentence { label: std::mem::take(label), text });
    }
}

fn is_label(candidate: &str) -> bool {
    let is_short = !candidate.is_empty() && candidate.len() <= LONGEST_LABEL;
    is_short && (!candidate.contains(", ") || headings::people(candidate).is_some())
}

/// Whether the full stop at this offset ends a sentence that began at `from`.
fn ends_here(text: &str, from: usize, at: usize) -> bool {
    let rest = &text[at + 1..];
    let Some(next) = rest.strip_prefix(' ') else {
        return rest.is_empty() || rest.starts_with('[');
    };
    // `franz. Staatsangehöriger`
    if !opens_sentence(next) || begins(next, &["Staatsang", "Staatsb"]) {
        return false;
    }
    let word = last_word(&text[from..at]);
    let is_ordinal = word.len() <= 2
        && word.bytes().all(|it| it.is_ascii_digit())
        && text[from..at - word.len()].ends_with(", ");
    !(is_ordinal || is_abbreviation(word)) || headings::begins(next)
}

fn opens_sentence(next: &str) -> bool {
    #[rustfmt::skip]
    const PARTICLES: [&str; 11] =
        [
        "von ", "de ", "du ", "di ", "da ", "del ", "della ", "van ", "des ", "zum ", "zur ",
    ];
    let is_upper = |it: &str| it.chars().next().is_some_and(char::is_uppercase);
    if next.starts_with(['[', '"', '«', '(']) || is_upper(next) {
        return true;
    }
    // A surname such as `von Muster`.
    begins(next, &PARTICLES) && next.split_once(' ').is_some_and(|(_, name)| is_upper(name))
}

/// At most twelve letters: no abbreviation is longer.
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
    // Sorted: almost every full stop is looked up.
    #[rustfmt::skip]
    const ABBREVIATIONS: [&str; 58] = [
        "Abs", "Art", "Avv", "Dipl", "Dott", "Dr", "Fr", "Gde", "Ing", "Inh", "Jr", "Kt", "Me",
        "Mio", "Mlle", "Mme", "No", "Nr", "N°", "Postf", "Prof", "Publ", "S", "Sr", "St", "Ste",
        "Str", "Ziff", "al", "art", "av", "avv", "bei", "bzw", "ca", "ch", "cpv", "dipl", "dott",
        "ing", "inkl", "iur", "jun", "jur", "lic", "med", "n", "no", "oec", "pag", "phil", "pol",
        "publ", "rer", "resp", "rte", "sen", "vgl",
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

    fn cut(text: &str) -> Vec<(&str, &str)> {
        sentences(text).into_iter().map(|it| (it.label, it.text)).collect()
    }

    #[test]
    fn abbreviations_dates_and_amounts_end_no_sentence() {
        let text = "Muster S.A., in St. Gallen (SHAB Nr. 2 vom 04. 01. 2000, S. 27). Sitz neu: Au. \
                    Kapital: CHF 1'000.--. Meier, Dr. Hans P., von Affoltern a.A., in Bern";
        assert_eq!(
            cut(text),
            [
                ("", "Muster S.A., in St. Gallen (SHAB Nr. 2 vom 04. 01. 2000, S. 27)"),
                ("Sitz neu", "Au"),
                ("Kapital", "CHF 1'000.--"),
                ("", "Meier, Dr. Hans P., von Affoltern a.A., in Bern"),
            ]
        );
    }

    #[test]
    fn a_heading_is_found_where_the_full_stop_was_forgotten() {
        let text = "Kapital neu: CHF 2 [bisher: CHF 1] Liberierung neu: CHF 2";
        assert_eq!(
            cut(text),
            [("Kapital neu", "CHF 2 [bisher: CHF 1]"), ("Liberierung neu", "CHF 2")]
        );
        let text = "Zweck: Handel Eingetragene Personen: A, B, von Bern, in Bern, Heimat: Thun";
        assert_eq!(
            cut(text),
            [
                ("Zweck", "Handel"),
                ("Eingetragene Personen", "A, B, von Bern, in Bern, Heimat: Thun")
            ]
        );
    }

    #[test]
    fn a_sentence_may_begin_with_the_particle_of_a_surname() {
        let text = "mit Einzelprokura. von Muster Urs, von Olten. Nr. von 3";
        assert_eq!(cut(text).len(), 3);
    }

    #[test]
    fn a_form_at_the_end_of_a_sentence_does_not_hide_a_heading() {
        let text = "Organe de révision: Fidu S.A. Inscription ou modification de personnes: X";
        assert_eq!(cut(text).len(), 2);
    }
}
