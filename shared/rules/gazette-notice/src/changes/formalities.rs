//! Changes of the articles of association, and corrections of earlier notices.

use std::ops::Range;

use jiff::civil::Date;

use super::Change;
use crate::{
    date,
    dates::date_and_rest,
    words::{starts_with_any, strip_any_prefix},
};

/// Words that a sentence about the articles contains, as written at the start of a word. `statut` is the root in all three
/// languages; foundations have a deed.
pub(super) const ARTICLES: &[&str] =
    &["statut", "stiftungsurkunde", "urkundenänderung", "acte de fondation", "atto di fondazione"];

/// Words that a sentence about a correction contains.
#[rustfmt::skip]
pub(super) const CORRECTING: &[&str] = &[
    "berichtig", "richtigstellung", "richtiggestellt", "korrektur", "korrigiert", "nachtrag z", "nachtrag:",
    "irrtümlich", "ergänzung z", "ergänzt", "nachgetragen", "rectifi", "corrig", "correction", "correctif", "erratum",
    "errata", "par erreur", "complété", "complément à", "rettific", "correzione", "corrett", "erroneamente", "per errore",
    "completat", "lautet richtig", "heisst richtig", "richtigerweise", "nom exact", "nom correct", "orthographe exacte",
    "correctement", "nome esatto", "e non come",
];

/// Words that say that the articles change, in the clause that names them.
#[rustfmt::skip]
const CHANGING: [&str; 20] = [
    "änderung", "geändert", "abgeändert", "revision", "revidiert", "angepasst", "anpassung", "neue", "neufassung", "modifi",
    "révis", "nouveaux", "nouvel", "adapt", "refondus", "refonte", "modific", "nuov", "rivedut", "riform",
];

/// Words before the articles where a sentence only refers to them.
#[rustfmt::skip]
const REFERRING: [&str; 20] = [
    "gemäss", "laut", "massgabe", "aufgrund", "nach", "in", "ausserhalb", "selon", "conformément", "termes", "dans",
    "prévu", "prévues", "secondo", "sensi", "conformità", "nello", "negli", "dallo", "dagli",
];

/// The dates of the articles that an unlabelled sentence states, or `None` without a date. The text must contain one of
/// [`ARTICLES`].
pub(super) fn statutes(text: &str) -> Vec<Change> {
    const ENTITLED: [&str; 12] = [
        "Statuten vom ",
        "Statuten: ",
        "Statuts du ",
        "Statuts datés du ",
        "Statuts: ",
        "Statuto del ",
        "Statuti del ",
        "Statuto dell'",
        "Statuto: ",
        "Stiftungsurkunde vom ",
        "Acte de fondation du ",
        "Atto di fondazione del ",
    ];
    if let Some(days) = changed_after_date(text) {
        return days.into_iter().map(of_day).collect();
    }
    if let Some(rest) = strip_any_prefix(text, &ENTITLED) {
        return dates_at_start(rest).into_iter().map(of_day).collect();
    }
    for (clause_at, clause) in clauses(text) {
        let lower = clause.to_lowercase();
        let Some(noun) = article_noun(&lower) else { continue };
        // `Statutenänderung` always means a change; the words before it do not matter.
        let is_compound =
            lower[noun..].starts_with("statutenä") || lower[noun..].starts_with("urk");
        let is_reference = !is_compound && is_reference(&lower[..noun]);
        if is_reference || !CHANGING.iter().any(|it| lower.contains(it)) {
            continue;
        }
        // `Die Statuten wurden am 3.5.2016 geändert`, or `Am 3.5.2016 wurden die Statuten geändert`.
        let end = clause_at + clause.len();
        let from = text.floor_char_boundary((clause_at + noun).min(end));
        let after = first_dates(text, from..end);
        let dates = if after.is_empty() { first_dates(text, 0..end) } else { after };
        return if dates.is_empty() {
            vec![Change::Statutes { on: None }]
        } else {
            dates.into_iter().map(of_day).collect()
        };
    }
    Vec::new()
}

/// The dates after a label such as `Statutenänderung`. A label that names the change states it without a date too:
/// `Statutendatum` does not.
pub(super) fn labelled_statutes(label: &str, text: &str) -> Vec<Change> {
    let mut dates = first_dates(label, 0..label.len());
    if dates.is_empty() {
        dates = dates_of_change(text).unwrap_or_else(|| dates_at_start(text));
    }
    let label = label.to_lowercase();
    let is_change = CHANGING.iter().any(|it| label.contains(it));
    match dates.is_empty() {
        true if is_change => vec![Change::Statutes { on: None }],
        _ => dates.into_iter().map(of_day).collect(),
    }
}

/// The dates of the change in `Statuts originaires du 12.02.2015, modifiés le 20.06.2024`.
fn changed_after_date(text: &str) -> Option<Vec<Date>> {
    let (first, _) = text.split_once(", ")?;
    let lower = first.to_lowercase();
    let noun = article_noun(&lower).filter(|it| !is_reference(&lower[..*it]))?;
    let is_entitled = first.split(' ').count() <= 6 && noun <= 20;
    if is_entitled { dates_of_change(text) } else { None }
}

/// The dates after the first date and a comma: `31 octobre 2016, modifiés le 15 février 2023`.
fn dates_of_change(text: &str) -> Option<Vec<Date>> {
    #[rustfmt::skip]
    const CHANGED: [&str; 12] = [
        "geändert ", "abgeändert ", "revidiert ", "angepasst ", "zuletzt ", "letztmals ", "modifié", "révisé", "adapté", "modificat", "rivedut", "adattat",
    ];
    let rest = text.split(", ").skip(1).find(|it| starts_with_any(it, &CHANGED))?;
    // Not a later clause.
    let at = rest.find(|it: char| it.is_ascii_digit()).filter(|it| *it <= 45)?;
    let rest = &text[rest.as_ptr() as usize - text.as_ptr() as usize + at..];
    Some(dates_at_start(rest)).filter(|it| !it.is_empty())
}

fn of_day(on: Date) -> Change {
    Change::Statutes { on: Some(on) }
}

/// The clauses of a sentence with their offsets.
fn clauses(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split([';', ',']).map(move |it| (it.as_ptr() as usize - text.as_ptr() as usize, it))
}

/// Where the articles are named in a lower-case text. `statutarisch` and `siège statutaire` are about something else.
fn article_noun(lower: &str) -> Option<usize> {
    let starts_word = |at: usize| !lower[..at].ends_with(char::is_alphabetic);
    let found = ARTICLES.iter().flat_map(|word| lower.match_indices(word));
    let found = found.filter(|(at, _)| starts_word(*at)).filter(|(at, _)| {
        let rest = &lower[*at..];
        !starts_with_any(rest, &["statutai", "statutar"])
    });
    found.map(|(at, _)| at).min()
}

/// Whether the last words before the articles make them a mere reference: `gemäss den Statuten`.
fn is_reference(before: &str) -> bool {
    let last = before.split(|it: char| !it.is_alphabetic()).filter(|it| !it.is_empty());
    last.rev().take(2).any(|it| REFERRING.contains(&it))
}

/// The first date that starts in this part of a text, and those that follow it directly.
fn first_dates(text: &str, part: Range<usize>) -> Vec<Date> {
    let starts = text.char_indices().filter(|(at, it)| {
        let starts_word = || !text[..*at].ends_with(|it: char| it.is_alphanumeric() || it == '.');
        part.contains(at) && it.is_ascii_digit() && starts_word()
    });
    let mut found = starts.map(|(at, _)| dates_at_start(&text[at..]));
    found.find(|it| !it.is_empty()).unwrap_or_default()
}

/// The dates that the text starts with: `01.06.2026, 2. 06. 2026 und 3. Juni 2026`.
fn dates_at_start(text: &str) -> Vec<Date> {
    const AND: [&str; 12] = [
        ", ",
        "; ",
        " und vom ",
        " und ",
        " sowie ",
        " et du ",
        " et le ",
        " et ",
        " e del ",
        " e il ",
        " e ",
        " ed il ",
    ];
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    loop {
        if let Some((day, after)) = date_and_rest(rest) {
            found.push(day);
            let Some(next) = strip_any_prefix(after, &AND) else { break };
            rest = next;
        } else if let Some((day, next)) = shortened_date(rest, &AND) {
            found.push(day);
            rest = next;
        } else {
            break;
        }
    }
    found
}

/// A date that shares its year, or also its month, with the next one, and the text from the next one on: `15 février et 20 mars
/// 2023`, `15. und 20.03.2023`.
fn shortened_date<'a>(text: &'a str, and: &[&str]) -> Option<(Date, &'a str)> {
    // Fast path: a day.
    if !text.starts_with(|it: char| it.is_ascii_digit()) {
        return None;
    }
    let start = &text[..text.floor_char_boundary(30)];
    let (at, length) = and.iter().filter_map(|it| Some((start.find(it)?, it.len()))).min()?;
    let (part, next) = (&text[..at], &text[at + length..]);
    let following = date_and_rest(next).map(|(it, _)| it);
    let following = following.or_else(|| shortened_date(next, and).map(|(it, _)| it))?;
    let day = part.trim_end_matches('.');
    let with_year = date(&format!("{part} {}", following.year()));
    let with_month = || {
        let date = date(&format!("{day}.{}.{}", following.month(), following.year()));
        date.filter(|_| day.len() <= 2)
    };
    Some((with_year.or_else(with_month)?, next))
}

/// Whether a sentence or label says that an earlier notice or entry is corrected or supplemented. The text must contain one
/// of [`CORRECTING`].
pub(super) fn is_correction(text: &str) -> bool {
    #[rustfmt::skip]
    const NOUNS: [&str; 15] = [
        "berichtigung", "richtigstellung", "korrektur", "nachtrag", "rectification", "rectificatif", "correction",
        "correctif", "erratum", "errata corrige", "errata", "rettificazione", "rettifica", "correzione", "in berichtigung",
    ];
    #[rustfmt::skip]
    const ENTRIES: [&str; 17] = [
        "eintrag", "tagesregister", "tagebuch", "journal", "shab", "fosc", "fusc", "publi", "meldung", "inscription",
        "annonce", "avis", "iscrizion", "registro giornaliero", "foglio", "pubblic", "avviso",
    ];
    let lower = text.to_lowercase();
    let lower = lower.trim_start_matches(|it: char| !it.is_alphanumeric());
    // They need no mention of the earlier entry.
    #[rustfmt::skip]
    const RIGHT: [&str; 8] = [
        "lautet richtig", "heisst richtig", "richtigerweise", "nom exact", "nom correct", "orthographe exacte",
        "nome corretto", "nome esatto",
    ];
    #[rustfmt::skip]
    const OF: [&str; 13] = [
        " der ", " des ", " zu ", " zum ", " zur ", " de ", " du ", " d'", " del ", " dell", " della ", " dei ", " degli ",
    ];
    let articles = ["die ", "eine ", "la ", "une ", "le ", "una ", "l'"];
    let subject = strip_any_prefix(lower, &articles).unwrap_or(lower);
    let noun = NOUNS.iter().find_map(|it| subject.strip_prefix(it));
    let names_entry = ENTRIES.iter().any(|it| lower.contains(it));
    // `Rettifica motori SA` is a firm, and so is one whose number follows.
    let is_heading = noun.is_some_and(|rest| {
        let is_of = OF.iter().any(|it| rest.starts_with(it)) && !rest.contains(" che-");
        rest.is_empty() || rest.starts_with([':', '.', ')']) || is_of
    });
    is_heading
        || RIGHT.iter().any(|it| lower.contains(it))
        || (names_entry && CORRECTING.iter().any(|it| lower.contains(it)))
}
