//! The subject of a sentence: an office, a signing authority, or persons and firms.

use crate::{
    clause::{AND, Clause, Part, is_name},
    entry::Draft,
    headings::{Heading, heading},
    item::is_full_name,
    punctuation, signature,
    verbs::verb,
    words::{FUNCTION, starts_with_any, strip_any_prefix},
};

/// Whether a subject names an office without its holder: `Neue Revisionsstelle`, `L'administrateur
/// unique`.
pub(super) fn is_vacant_office(subject: &str) -> bool {
    subject.len() <= 80
        && function_and_name(subject).0.is_none()
        && matches!(office_heading(subject), Some(Heading::Function(..)))
}

/// The office that a subject names, if any.
pub(super) fn office_heading(subject: &str) -> Option<Heading<'_>> {
    const ARTICLES: [&str; 7] = ["die ", "der ", "das ", "l'", "l’", "le ", "la "];
    let office = strip_any_prefix(subject, &ARTICLES).unwrap_or(subject);
    let new = ["neue ", "neuer ", "neues ", "einziges ", "nouvel ", "nouveau ", "nouvelle "];
    heading(strip_any_prefix(office, &new).unwrap_or(office))
}

/// Reads an enumeration such as `Muster Hans, Beispiel Anna und Test Rolf`. `None` if a clause is a
/// place.
pub(super) fn names_without_places(text: &str) -> Option<Vec<Draft>> {
    let clauses = punctuation::split_clauses(text);
    if clauses.iter().skip(1).any(|it| Clause::of(it).is_place()) {
        return None;
    }
    let mut names: Vec<Vec<&str>> = Vec::new();
    for clause in clauses {
        let clause = strip_any_prefix(clause, AND).unwrap_or(clause);
        let pair = [" und ", " et ", " e ", " sowie "].iter().find_map(|it| clause.split_once(it));
        match pair.filter(|(first, second)| is_full_name(first) && is_full_name(second)) {
            Some((first, second)) => names.extend([vec![first], vec![second]]),
            None if is_full_name(clause) || names.is_empty() => names.push(vec![clause]),
            None => names.last_mut().into_iter().for_each(|it| it.push(clause)),
        }
    }
    let draft = |name: &Vec<&str>| {
        let parts: Vec<Part<'_>> = name.iter().map(|it| (*it, Clause::of(it))).collect();
        Draft::from_clauses(&parts)
    };
    Some(names.iter().map(draft).collect())
}

/// Splits `L'administrateur Muster Jean` into function and name.
///
/// A function precedes a name only after an article.
pub(super) fn function_and_name(subject: &str) -> (Option<&str>, &str) {
    #[rustfmt::skip]
    const ARTICLES: [&str; 12] =
        [
        "die ", "der ", "das ", "le ", "la ", "les ", "l'", "l’", "il ", "lo ", "la ", "gli ",
    ];
    let Some(rest) = strip_any_prefix(subject, &ARTICLES) else { return (None, subject) };
    let rest =
        strip_any_prefix(rest, &["bisherige ", "bisherigen ", "neue ", "ancien ", "ancienne "])
            .unwrap_or(rest);
    let mut end = 0;
    for word in rest.split_inclusive(' ') {
        let is_name = word.starts_with(char::is_uppercase) && !FUNCTION.occur_in(word);
        if is_name || word.contains(',') {
            break;
        }
        end += word.len();
    }
    let function = rest[..end].trim();
    let has_name = is_name(&rest[end..]);
    if has_name && FUNCTION.occur_in(function) {
        (Some(function), &rest[end..])
    } else {
        (None, subject)
    }
}

/// Whether a subject is not a name: `Die Gesellschaft`, `Für die Zweigniederlassung`.
pub(super) fn is_not_a_name(subject: &str) -> bool {
    #[rustfmt::skip]
    const FIRST_WORDS: [&str; 40] = [
        "die ", "der ", "das ", "den ", "dem ", "le ", "la ", "les ", "l'", "l’", "il ", "lo ",
        "gli ", "für ", "mit ", "gemäss ", "durch ", "unter ", "sie ", "er ", "es ", "elle ",
        "ils ", "elles ", "par ", "selon ", "pour ", "avec ", "zum ", "zur ", "als ", "ein ",
        "eine ", "un ", "une ", "dans ", "in ", "en ", "sa ", "son ",
    ];
    subject.is_empty() || starts_with_any(subject, &FIRST_WORDS)
}

/// Splits `mit Einzelprokura Muster Hans, von …` or `Signature individuelle de Muster Jean, président`
/// into signature and holders.
pub(super) fn signature_and_holders(text: &str) -> Option<(&str, &str)> {
    let (signature, rest) = split_signature(text)?;
    let is_holder = is_name(rest) && verb(text).is_none();
    is_holder.then_some((signature, rest))
}

/// Splits `Die Kollektivprokura zu zweien von Muster Hans` into signature and holders. The holders are
/// empty if the subject is the signature alone.
pub(super) fn split_signature(subject: &str) -> Option<(&str, &str)> {
    let text =
        strip_any_prefix(subject, &["die ", "la ", "les ", "l'", "le ", "il "]).unwrap_or(subject);
    let text = strip_any_prefix(text, &["bisherige ", "bisherigen "]).unwrap_or(text);
    let (signature, rest) = match strip_any_prefix(text, &["pouvoirs ", "pouvoir "]) {
        Some(rest) => ("", rest),
        None => {
            let end = signature::leading_length(text)?;
            (&text[..end], text[end..].trim_start_matches([' ', ':']))
        }
    };
    let after_preposition = strip_any_prefix(
        rest,
        &[
            "von ",
            "des ",
            "der ",
            "an ",
            "de ",
            "d'",
            "d’",
            "à ",
            "conférée à ",
            "conférées à ",
            "conférés à ",
            "conférée ",
            "pour ",
            "de l'",
            "di ",
            "a ",
        ],
    );
    let holders = after_preposition.unwrap_or(rest).trim();
    let is_valid = holders.is_empty() || is_name(holders) || FUNCTION.occur_in(holders);
    is_valid.then_some((signature, holders))
}
