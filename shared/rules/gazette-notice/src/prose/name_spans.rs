//! Where the name of a person or firm is in a sentence.

use super::{
    parts::{Sentence, place_start},
    tokens::Kind,
    vocabulary::{Meaning, Part, is_common_noun, is_office_adjective, is_share},
};
use crate::{
    given_names::is_given_name,
    names::{is_particle, is_title},
    nations,
    words::{FUNCTION, SIGNATURE, is_firm_name, is_legal_form, starts_with_any},
};

/// The end of the name of a person or firm that starts at a token.
pub(super) fn name_end(sentence: &Sentence<'_>, start: usize) -> Option<usize> {
    if !starts_name(sentence, start) {
        return None;
    }
    if let Some(end) = firm_end(sentence, start) {
        return Some(end);
    }
    let end = run_end(sentence, start);
    const ENGLISH: [&str; 4] = ["for", "and", "of", "the"];
    if ENGLISH.contains(&sentence.word(end))
        || (start > 0 && ENGLISH.contains(&sentence.word(start - 1)))
    {
        return None;
    }
    let run: Vec<&str> = (start..end).map(|at| sentence.word(at)).collect();
    let is_word = |it: &&&str| !is_particle(it) && !is_title(it);
    let words = run.iter().filter(is_word).count();
    if words == 0 || words > 6 || is_country(sentence, start, end) || is_place(sentence, start) {
        return None;
    }
    if let Some(end) = second_half_end(sentence, &run, end) {
        return Some(end);
    }
    // `Kantonale Steuerverwaltung` is no person.
    if words >= 2
        && run.iter().any(|it| is_abstract(it))
        && !run.iter().any(|it| is_given_name(it))
        && !is_firm_name(&run.join(" "))
    {
        return None;
    }
    // `Die Verwaltungs AG`: a legal form alone is no name.
    let is_firm = || is_firm_name(&run.join(" ")) && !run.iter().all(|it| is_legal_form(it));
    (words >= 2 || is_firm()).then_some(end)
}

/// Whether a word is a noun of German, French or Italian by its ending, and no surname.
fn is_abstract(word: &str) -> bool {
    #[rustfmt::skip]
    const ENDINGS: [&str; 34] = [
        "ung", "ungen", "schaft", "schaften", "heit", "keit", "gericht", "gerichts", "gerichtes", "amt", "amtes", "amts", "gesetz", "gesetzes", "strasse", "kommission",
        "versammlung", "ordnung", "register", "registers", "behörde", "richter", "richters", "richterin", "präsidenten", "direktion", "departement", "tribunal", "commission",
        "zione", "tion", "mento", "ment", "plan",
    ];
    ENDINGS.iter().any(|it| word.len() > it.len() + 2 && word.ends_with(it))
}

fn starts_name(sentence: &Sentence<'_>, at: usize) -> bool {
    if is_name_word(sentence, at) {
        // An article or preposition at the start of a sentence is no part of a name.
        let is_article = || {
            let surname = after_particles(sentence, at);
            // In German, `Das` is almost always the article.
            let is_german = sentence.word(at) == "Das" && !is_given(sentence, surname + 1);
            !is_name_word(sentence, surname) || is_german
        };
        return !(is_particle(sentence.word(at)) && at == 0 && is_article());
    }
    if starts_with_preposition(sentence, at) || follows_office(sentence, at) {
        return true;
    }
    // `von Muster Urs` and `van den Muster Urs`, but not `von Bern` and not `de Muster Jean`.
    #[rustfmt::skip]
    const PREFIXES: [&str; 6] = ["von", "van", "vom", "ten", "ter", "af"];
    if !PREFIXES.contains(&sentence.word(at)) {
        return false;
    }
    let is_inner = |at: &usize| matches!(sentence.word(*at), "den" | "der" | "de" | "la");
    let surname = (at + 1..at + 3).find(|it| !is_inner(it)).unwrap_or(at + 3);
    // `ten Muster, Urs`
    let given = match sentence.tokens.get(surname + 1).map(|it| it.kind) {
        Some(Kind::Comma) if surname > at + 1 || !sentence.word(at).starts_with('v') => surname + 2,
        _ => surname + 1,
    };
    is_name_word(sentence, surname)
        && is_name_word(sentence, given)
        && is_given_name(sentence.word(given))
        && follows_no_noun(sentence, at)
}

/// The first token that is no particle.
fn after_particles(sentence: &Sentence<'_>, at: usize) -> usize {
    (at..at + 4).find(|it| !is_particle(sentence.word(*it))).unwrap_or(at)
}

fn is_given(sentence: &Sentence<'_>, at: usize) -> bool {
    is_name_word(sentence, at) && is_given_name(sentence.word(at))
}

/// Words that start a surname, and elsewhere are prepositions or articles.
#[rustfmt::skip]
const PREPOSITIONS: [&str; 13] = ["de", "du", "des", "di", "da", "del", "della", "dos", "la", "le", "zu", "zum", "zur"];

/// Whether such a word starts the surname at the start of a sentence, or of a person whose office precedes the name: `de
/// Muster Anne n'est plus …`, `L'administratrice de Muster Anne a démissionné`. A given name must follow the surname.
fn follows_office(sentence: &Sentence<'_>, at: usize) -> bool {
    // Fast path: most prepositions are not before a capital letter.
    let is_capitalised = |at: usize| sentence.tokens.get(at).is_some_and(|it| it.is_capitalised());
    if !PREPOSITIONS.contains(&sentence.word(at)) || !(at + 1..at + 3).any(is_capitalised) {
        return false;
    }
    let surname = after_particles(sentence, at);
    let is_full = is_name_word(sentence, surname) && is_given(sentence, surname + 1);
    is_full && (at == 0 || is_definite_office(sentence, at - 1))
}

/// Whether an office with a definite article ends at a token: `la direttrice`, `l'administrateur unique`. Nobody has a director
/// or a chair of his own, so that no `de` connects such an office with a person; a partner or a deputy can be that of somebody.
fn is_definite_office(sentence: &Sentence<'_>, end: usize) -> bool {
    #[rustfmt::skip]
    const OFFICES: [&str; 12] = [
        "administrat", "amministrat", "gérant", "gerente", "direct", "dirett", "direktor", "président", "president", "präsident", "geschäftsführ", "verwaltungsr",
    ];
    const ARTICLES: [&str; 12] =
        ["la", "le", "il", "die", "der", "den", "dem", "du", "del", "della", "au", "al"];
    let mut at = end;
    let mut has_office = false;
    loop {
        let word = sentence.word(at);
        let lower = word.to_lowercase();
        let bare = lower.split_once(['\'', '’']).map_or(lower.as_str(), |(_, noun)| noun);
        let is_office = starts_with_any(bare, &OFFICES) || bare.starts_with("vice");
        has_office |= is_office;
        if is_office && bare.len() < lower.len() {
            return true;
        }
        if !is_office && !is_office_adjective(word) {
            return has_office && ARTICLES.contains(&lower.as_str());
        }
        let Some(before) = at.checked_sub(1) else { return false };
        at = before;
    }
}

/// Whether a surname after a conjunction starts with a word that elsewhere is a preposition or an article: `Muster Hans, von
/// Bern, in Thun, und de Luca Giovanni, aus Italien, in Basel, sind …`. No noun before may govern it.
fn starts_with_preposition(sentence: &Sentence<'_>, at: usize) -> bool {
    let is_inner = |at: usize| matches!(sentence.word(at), "la" | "le" | "los" | "las");
    let surname = if is_inner(at + 1) { at + 2 } else { at + 1 };
    let is_pattern = PREPOSITIONS.contains(&sentence.word(at))
        && at >= 2
        && sentence.is(at - 1, Part::And)
        && sentence.separates(at - 2)
        && is_name_word(sentence, surname)
        && is_given_name(sentence.word(surname + 1));
    is_pattern
        && is_name_word(sentence, 0)
        && !(0..at).any(|it| {
            matches!(sentence.parts[it], Some(Part::Finite(_) | Part::Nominal(_)))
                || is_share(sentence.word(it))
                || SIGNATURE.occur_in(sentence.word(it))
        })
        && place_start(sentence, run_end(sentence, surname) + 1) == Some(true)
}

/// Whether `von` before a name is part of the surname: after a noun such as `Prokura` it would be a preposition.
fn follows_no_noun(sentence: &Sentence<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    if sentence.separates(before) {
        return true;
    }
    let word = sentence.word(before);
    match sentence.parts[before] {
        // `wurde von A an B übertragen`
        Some(Part::Finite(_)) if !sentence.tokens.iter().any(|it| is_share(it.text)) => true,
        Some(Part::Finite(_)) => !sentence.parts.iter().any(|it| {
            matches!(
                it,
                Some(
                    Part::Finite(Meaning::Cedes | Meaning::Acquires)
                        | Part::Means(Meaning::Cedes | Meaning::Acquires)
                )
            )
        }),
        Some(
            Part::Means(_)
            | Part::Adverb
            | Part::And
            | Part::But
            | Part::Article
            | Part::Preposition,
        ) => true,
        // `zeichnen mit Einzelunterschrift von Muster Hans und …`
        _ if SIGNATURE.occur_in(word) || matches!(word, "zweien" | "dreien") => {
            let signs = |it: &Option<Part>| *it == Some(Part::Finite(Meaning::Signs));
            (before.saturating_sub(4)..before).any(|it| sentence.word(it) == "mit")
                && sentence.parts[..before].iter().any(signs)
        }
        // German nouns have a capital letter; in French and Italian, `von` is always part of a name.
        _ => {
            (FUNCTION.occur_in(word) && !word.ends_with("mandat"))
                || is_office_adjective(word)
                || sentence.is_lower_case(before)
                || matches!(word, "Weder" | "Soci")
        }
    }
}

/// Whether the token can be a part of a name: capitalised, and neither a function nor another word of the language.
pub(super) fn is_name_word(sentence: &Sentence<'_>, at: usize) -> bool {
    let Some(token) = sentence.tokens.get(at) else { return false };
    token.is_capitalised()
        && (sentence.parts[at].is_none()
            || (at == 0 && is_particle(token.text) && sentence.tokens.len() > 1))
        && !is_common_noun(token.text)
        && !is_reference(token.text)
        && !FUNCTION.occur_in(token.text)
        && !SIGNATURE.occur_in(token.text)
        && !starts_with_any(token.text, &["l'", "l’", "d'", "d’", "dell'", "all'", "Stamm"])
}

/// Whether a word belongs to the name of an authority or the number of a publication, and not to that of a person or firm.
fn is_reference(word: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: [&str; 16] = [
        "Canton", "Cantone", "Cantoni", "Nr.", "Nr", "No.", "N.", "TR-Eintrag", "TR-Eintrags", "TR-Nr.", "TB-Eintrag", "SHAB", "FOSC", "FUSC", "Publ.", "Entscheid",
    ];
    WORDS.contains(&word)
}

/// Whether the word is a court.
fn is_court(word: &str) -> bool {
    ["gericht", "gerichts", "gerichtes"].iter().any(|it| word.ends_with(it))
}

/// The end of the capitalised words and particles from a token.
pub(super) fn run_end(sentence: &Sentence<'_>, start: usize) -> usize {
    let mut end = start;
    let mut at = start;
    let mut words = 0;
    while let Some(token) = sentence.tokens.get(at) {
        if is_name_word(sentence, at) {
            words += 1;
            at += 1;
            end = at;
        } else if token.text == "&" && words > 0 && continues_firm(sentence, start, at) {
            at += 2;
            end = at;
        } else if token.is_word() && (is_particle(token.text) || is_title(token.text)) {
            // `Muster Hans von Bern in Thun`: after a full name, a particle before a single word starts a place.
            let single = is_name_word(sentence, at + 1) && !is_name_word(sentence, at + 2);
            let before_place = ["in", "à", "a"].contains(&sentence.word(at + 2))
                || ["in", "à", "a"].contains(&sentence.word(at + 3));
            if words >= 2 && single && before_place {
                break;
            }
            at += 1;
        } else {
            break;
        }
    }
    end
}

/// Whether `&` joins two words of the name of one firm: `Fiduciaire Dind & Fils`.
fn continues_firm(sentence: &Sentence<'_>, start: usize, and: usize) -> bool {
    #[rustfmt::skip]
    const RELATIVES: [&str; 14] = [
        "Fils", "fils", "Frères", "frères", "Cie", "Co", "Co.", "Söhne", "Sohn", "Partner", "Associés", "Figli", "figli", "Fratelli",
    ];
    let next = sentence.word(and + 1);
    let is_firm = is_firm_name(sentence.slice(start, and))
        && !(start..and).any(|it| is_given_name(sentence.word(it)));
    RELATIVES.contains(&next) || (is_firm && is_name_word(sentence, and + 1))
}

/// The end of a firm's name: at its legal form.
pub(super) fn firm_end(sentence: &Sentence<'_>, start: usize) -> Option<usize> {
    let mut given_name = false;
    if is_court(sentence.word(start)) {
        return None;
    }
    for at in start..sentence.tokens.len().min(start + 12) {
        let token = &sentence.tokens[at];
        if !token.is_word() || matches!(sentence.parts[at], Some(Part::Finite(_))) {
            return None;
        }
        // `Aargau mit Entscheid vom 12.03.2021 die Muster AG`: the firm starts after the article.
        let is_date = token.text.bytes().filter(|it| *it == b'.').count() == 2
            && token.text.starts_with(|it: char| it.is_ascii_digit());
        let is_article = matches!(token.text, "die" | "das")
            && at > start
            && sentence.parts[at - 1] != Some(Part::Preposition);
        if is_date || is_article {
            return None;
        }
        // `Muster Hans et Modèle SA` are two.
        if sentence.is(at, Part::And) && given_name && at >= start + 2 {
            return None;
        }
        given_name |= is_given_name(token.text);
        let is_form = is_legal_form(token.text);
        if is_form && at > start {
            let mut end = at + 1;
            while is_legal_form(sentence.word(end)) || sentence.word(end) == "&" {
                end += 1;
            }
            // `Modèle Société anonyme`
            #[rustfmt::skip]
            const LONG_FORMS: [&str; 8] = [
                "anonyme", "anonima", "coopérative", "cooperativa", "à responsabilité limitée", "a garanzia limitata", "en nom collectif", "in nome collettivo",
            ];
            let rest = sentence.tokens.get(end).map_or("", |it| &sentence.text[it.start..]);
            let form = LONG_FORMS.iter().find(|it| rest.starts_with(**it));
            return Some(end + form.map_or(0, |it| it.split(' ').count()));
        }
        if FUNCTION.occur_in(token.text) && token.text.starts_with(char::is_lowercase) {
            return None;
        }
    }
    None
}

/// The end of the given names after a comma: `Muster, Hans Peter`.
fn second_half_end(sentence: &Sentence<'_>, surname: &[&str], comma: usize) -> Option<usize> {
    if sentence.tokens.get(comma)?.kind != Kind::Comma || !is_name_word(sentence, comma + 1) {
        return None;
    }
    let end = run_end(sentence, comma + 1);
    let given: Vec<&str> = (comma + 1..end).map(|at| sentence.word(at)).collect();
    let are_given = given.iter().all(|it| is_given_name(it) || is_title(it) || it.ends_with('.'));
    let surnames = surname.iter().filter(|it| !is_particle(it)).count();
    let is_before_place = sentence.separates(end) && place_start(sentence, end + 1).is_some();
    // `Muster, Hans` and `Muster Probe, Hans`, but not `Hans Muster, Anna Probe`.
    let is_second_half = match surnames {
        1 => are_given || is_before_place,
        _ => are_given && !surname.iter().any(|it| is_given_name(it)),
    };
    (is_second_half && given.len() <= 4).then_some(end)
}

/// Whether the name is that of a place: `St. Gallen`, or after `wohnhaft in`.
fn is_place(sentence: &Sentence<'_>, start: usize) -> bool {
    const PLACES: [&str; 6] = ["St.", "Ste", "Sankt", "Bad", "San", "Santa"];
    let after_marker = (start.saturating_sub(4)..start).any(|at| {
        matches!(
            sentence.parts[at],
            Some(Part::Finite(Meaning::Resides) | Part::Means(Meaning::Resides))
        ) || ["Sitz", "siège", "sede"].contains(&sentence.word(at))
    });
    let after_preposition = start
        .checked_sub(1)
        .is_some_and(|at| matches!(sentence.word(at), "in" | "nach" | "à" | "a" | "au"));
    PLACES.contains(&sentence.word(start)) || (after_marker && after_preposition)
}

/// `Vereinigtes Königreich (GB)` after a place is its country.
fn is_country(sentence: &Sentence<'_>, start: usize, end: usize) -> bool {
    let code = sentence.word(end).strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    let has_code =
        code.is_some_and(|it| it.len() == 2 && it.bytes().all(|it| it.is_ascii_uppercase()));
    has_code || nations::country_named(sentence.slice(start, end)).is_some()
}
