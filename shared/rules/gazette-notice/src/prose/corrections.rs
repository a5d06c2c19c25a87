//! What a correction takes back: `à Onex (et non à Lancy)`, `die Wahl von A wird annulliert`.

use std::ops::Range;

use crate::{
    brackets::DENIALS,
    given_names::is_given_name,
    item::is_full_name,
    punctuation,
    words::{is_firm_name, starts_with_any, strip_any_prefix},
};

/// The text without what it takes back, and the name among what it takes back.
pub(super) fn without_denied(text: &str) -> (String, Option<String>) {
    let mut name = None;
    let mut note = |denied: &str| name = name.take().or_else(|| denied_name(denied));
    let outside = punctuation::remove_groups(text, |group| {
        let inner = group[1..group.len() - 1].trim();
        let is_denied = starts_with_any(inner, &DENIALS) || starts_with_any(inner, &DENYING);
        if is_denied {
            note(inner);
        }
        is_denied
    });
    let text = without_opposites(&outside);
    let mut kept = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some((at, length)) = first_denial(rest) {
        let denied = &rest[at + length..];
        let end = end_of_denied(denied);
        note(&denied[..end]);
        kept.push_str(&rest[..at]);
        rest = &denied[end..];
    }
    kept.push_str(rest);
    (kept.trim_end_matches(['.', ' ']).to_owned(), name)
}

/// Where what is taken back ends: `und nicht in Bern, Mitglied` goes on with what is so.
fn end_of_denied(text: &str) -> usize {
    let end = text.find(';').unwrap_or(text.len());
    // A name can have a comma: `Keller, Anna`, `Alpha AG, in Zürich`.
    let is_detail = starts_with_any(
        text.trim_start(),
        &["in ", "von ", "à ", "de ", "a ", "da ", "mit ", "avec ", "con "],
    );
    match text[..end].find(", ") {
        Some(comma) if is_detail => comma,
        _ => end,
    }
}

/// Words at the start of what is taken back, in brackets.
const DENYING: [&str; 6] = ["nicht ", "non ", "pas ", "und nicht ", "et non ", "e non "];

/// Where what is taken back begins, and the length of the words for it. `et non plus` says what is no longer so.
fn first_denial(text: &str) -> Option<(usize, usize)> {
    #[rustfmt::skip]
    const WORDS: [&str; 9] = [
        ", und nicht ", " und nicht ", ", et non pas ", ", et non ", " et non pas ", " et non ", ", e non ", " e non ", " anziché ",
    ];
    let found = WORDS.iter().flat_map(|word| text.match_indices(word));
    let found = found.filter(|(at, word)| {
        !starts_with_any(&text[at + word.len()..], &["plus ", "mehr ", "più "])
    });
    found.map(|(at, word)| (at, word.len())).min_by_key(|(at, length)| (*at, usize::MAX - length))
}

/// The text without the first half of `nicht in Bern, sondern in Basel`.
fn without_opposites(text: &str) -> String {
    const PAIRS: [(&str, &str); 5] = [
        (" nicht ", ", sondern "),
        (" non pas ", ", mais "),
        (" non pas ", " mais "),
        (" non ", ", bensì "),
        (" non ", ", ma "),
    ];
    let found = PAIRS.iter().find_map(|(not, but)| {
        let from = text.find(not)?;
        let to = from + not.len() + text[from + not.len()..].find(but)?;
        // In one sentence, and near each other.
        let between = &text[from + not.len()..to];
        (between.len() <= 80 && !between.contains([';', '.'])).then(|| (from, to + but.len()))
    });
    match found {
        Some((from, to)) => format!("{} {}", &text[..from], &text[to..]),
        None => text.to_owned(),
    }
}

/// The full name or firm that a text consists of, without the words before it.
fn denied_name(text: &str) -> Option<String> {
    #[rustfmt::skip]
    const BEFORE: [&str; 18] = [
        "nicht: ", "nicht ", "und nicht ", "et non ", "et pas ", "non: ", "non ", "e non ", "die ", "der ", "la ", "le ", "il ", "l'", "statt ", "société ", "pas ", "Frau ",
    ];
    let mut name = text.trim();
    while let Some(rest) = strip_any_prefix(name, &BEFORE) {
        name = rest.trim_start();
    }
    let clauses = punctuation::split_clauses(name.trim_end_matches('.'));
    // `Keller, Anna, von Chur`, `Alpha Treuhand AG, in Zürich`
    let first = *clauses.first()?;
    let is_alone = is_firm_name(first) || is_full_name(first);
    let both = clauses.get(1).map(|it| format!("{it} {first}")).filter(|it| is_full_name(it));
    let is_surname =
        !first.contains(' ') || starts_with_any(first, &["von ", "de ", "Van ", "De "]);
    match (is_alone, both) {
        (true, _) if is_firm_name(first) => Some(first.to_owned()),
        (true, _) => Some(with_comma(first)),
        (false, Some(_)) if is_surname => Some(format!("{first}, {}", clauses[1])),
        _ => None,
    }
}

/// A full name with a comma between surname and given names, in the order of the lists: `Keller, Anna`.
pub(super) fn with_comma(name: &str) -> String {
    let words: Vec<&str> = name.split(' ').collect();
    if name.contains(',') || words.len() < 2 || is_firm_name(name) {
        return name.to_owned();
    }
    let given = words.iter().position(|it| is_given_name(it));
    let (surname, given) = match given {
        Some(at) if at > 0 => (&words[..at], &words[at..]),
        _ => (&words[words.len() - 1..], &words[..words.len() - 1]),
    };
    format!("{}, {}", surname.join(" "), given.join(" "))
}

/// The part of a sentence that takes back elections or entries.
#[derive(Debug, PartialEq)]
pub(super) struct Annulment {
    /// Where the persons are named whose entry ends.
    pub(super) named: Range<usize>,
    /// The part of the sentence that is read so.
    pub(super) part: Range<usize>,
}

/// What takes back the election or the entry of a person: `die Wahl von A wird annulliert`, `A ist …; ihre Eintragung wird
/// gelöscht`. The entry is the subject of the clause. That of a person who was deleted by mistake is restored.
pub(super) fn annulment(text: &str) -> Option<Annulment> {
    #[rustfmt::skip]
    const ENTRIES: [&str; 13] = [
        "wahl ", "ernennung ", "eintragung ", "eintrag ", "inscription ", "nomination ", "élection ", "désignation ", "iscrizione ", "nomina ", "elezione ", "designazione ",
        "bestellung ",
    ];
    #[rustfmt::skip]
    const ANNULLED: [&str; 12] = [
        "annulliert", "annulé", "annullat", "rückgängig", "ungültig", "hinfällig", "gelöscht", "gestrichen", "radiée", "supprimée", "cancellat", "stralciat",
    ];
    #[rustfmt::skip]
    const OTHER: [&str; 21] = [
        "löschung", "radiation", "cancellazione", "austritt", "démission", "dimission", "réinscri", "wieder ", "reiscri", "rétabli", "ripristin", "statt", "anstelle", "lieu de", "place de",
        "invece", "zurück", "nicht ", "pas ", " non ", "modifi",
    ];
    const ARTICLES: [&str; 6] = ["die ", "der ", "l'", "l’", "la ", "le "];
    const POSSESSIVES: [&str; 8] =
        ["ihre ", "ihr ", "seine ", "sein ", "son ", "sa ", "la sua ", "la relativa "];
    let mut before: Option<Range<usize>> = None;
    let mut at = 0;
    for clause in text.split(';') {
        let range = at..at + clause.len();
        at = range.end + 1;
        // Fast path: few clauses start with such a noun.
        let start = clause.trim_start();
        let start = start.split_once(": ").map_or(start, |(_, rest)| rest);
        let start = start[..start.floor_char_boundary(40)].to_lowercase();
        let starts = |it: &str| ENTRIES.iter().any(|entry| it.starts_with(entry));
        let of_former =
            POSSESSIVES.iter().find_map(|it| start.strip_prefix(it)).is_some_and(starts);
        let subject = ARTICLES.iter().find_map(|it| start.strip_prefix(it)).unwrap_or(&start);
        let is_subject = of_former || starts(subject);
        let lower = if is_subject { clause.to_lowercase() } else { String::new() };
        let has = |words: &[&str]| words.iter().any(|it| lower.contains(it));
        if is_subject && has(&ANNULLED) && !has(&OTHER) {
            return match (of_former, before) {
                (false, _) => Some(Annulment { named: range.clone(), part: range }),
                (true, Some(before)) => {
                    Some(Annulment { part: before.start..range.end, named: before })
                }
                (true, None) => None,
            };
        }
        before = Some(range);
    }
    None
}
