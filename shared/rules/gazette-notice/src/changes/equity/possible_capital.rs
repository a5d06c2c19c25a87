//! Capital that the board may create: a capital band, authorised and conditional capital.

use std::borrow::Cow;

use super::{ENDED, TOPICS, Topic, has_any};
use crate::words::starts_with_any;

/// Whether a sentence begins as a label does: `Marge de fluctuation du capital selon statuts`.
pub(super) fn is_entitled(topic: Topic, current: &str) -> bool {
    const BY: [&str; 6] =
        [" gemäss ", " laut ", " selon ", " conformément ", " secondo ", " giusta "];
    let words = TOPICS[topic as usize].1;
    starts_with_any(current, words) && has_any(current, &BY)
}

/// Whether a sentence introduces or changes (`false`) or ends (`true`) capital that the board may create. `None` for others: an
/// increase within a capital band is a change of the capital only.
///
/// What follows the noun up to the next kind of capital decides; if nothing does, the noun before it (`suppression du capital
/// autorisé`) or the verb of the sentence.
pub(super) fn possible_capital(
    topic: Topic,
    is_labelled: bool,
    label: &str,
    current: &str,
) -> Option<bool> {
    #[rustfmt::skip]
    const USED: [&str; 20] = [
        "aus genehmigt", "aus bedingt", "aus dem genehmigt", "aus dem bedingt", "im rahmen", "innerhalb", "gestützt auf", "aufgrund", "wandelrecht", "optionsrecht", "teilweise",
        "dans le cadre", "dans les limites", "sur la base", "au moyen", "par suite d", "nell'ambito", "nei limiti", "sulla base", "in base",
    ];
    #[rustfmt::skip]
    const INTRODUCED: [&str; 32] = [
        "eingeführt", "einführung", "beschlossen", "geschaffen", "schaffung", "angepasst", "anpassung", "geändert", "änderung", "erneuert", "verlängert", "ermächtigt",
        "neu ", "introdui", "introduction", "adopt", "modifi", "créé", "création", "renouvel", "prolong", "autorise", "institu", "introdott", "introduzione", "istitui",
        "modific", "rinnov", "prorog", "creat", "décidé", "deciso",
    ];
    const REFUSED: [&str; 5] = [" nicht ", "abgelehnt", "rejeté", "respint", "rückgängig"];
    // `Genehmigte Kapitalerhöhung: …` is a label; what it says decides.
    let is_used =
        has_any(current, &USED) && !has_any(current, &["ermächtigt", "autorise", "autorizzat"]);
    if has_any(current, &REFUSED) || (is_used && !is_labelled) {
        return None;
    }
    if has_any(label, &ENDED) {
        return Some(true);
    }
    let current = &*without_rights(current);
    let (before, after, is_before_other) = context_of(topic, current);
    let what = |text: &str| match (has_any(text, &ENDED), has_any(text, &INTRODUCED)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    };
    // `introduite le 3 mai 2023 est supprimée`: the last one is the verb. Before another kind of capital, the first one is:
    // `è soppresso ed è introdotto un margine …`.
    let first = |words: &[&str]| words.iter().filter_map(|it| after.find(it)).min();
    let last = |words: &[&str]| words.iter().filter_map(|it| after.rfind(it)).max();
    let both = match is_before_other {
        true => first(&ENDED).zip(first(&INTRODUCED)).map(|(ended, other)| ended < other),
        false => last(&ENDED).zip(last(&INTRODUCED)).map(|(ended, other)| ended > other),
    };
    let stated = both.or_else(|| what(after)).or_else(|| what(before)).or_else(|| what(current));
    stated.or(is_labelled.then_some(false))
}

/// The text without what it says of the right of the shareholders to subscribe: `mit Aufhebung des Bezugsrechts`.
fn without_rights(text: &str) -> Cow<'_, str> {
    const RIGHTS: [&str; 5] = [
        "bezugsrecht",
        "vorwegzeichnung",
        "droit de souscription",
        "droits de souscription",
        "diritto",
    ];
    let Some(at) = RIGHTS.iter().filter_map(|it| text.find(it)).min() else {
        return Cow::Borrowed(text);
    };
    let from = text.floor_char_boundary(at.saturating_sub(35));
    let to = text.floor_char_boundary(at + 60);
    // Not across the noun of the capital.
    let from = text[from..at].rfind([',', ';']).map_or(from, |it| from + it);
    let from =
        ["aufhebung", "suppression", "soppressione", "entzug", "ausschluss", "einschränkung"]
            .iter()
            .filter_map(|it| text[from..at].rfind(it))
            .max()
            .map_or(at, |it| from + it);
    let until = text[at..to].find([',', ';']).map_or(to, |it| at + it);
    let until = match ["aufgehoben", "supprimé", "soppress", "entzogen"]
        .iter()
        .filter_map(|it| Some(text[at..until].find(it)? + it.len()))
        .min()
    {
        Some(end) => at + end,
        None => text[at..].find(' ').map_or(text.len(), |it| at + it),
    };
    Cow::Owned(format!("{}{}", &text[..from], &text[until..]))
}

/// Text shortly before the noun of a topic, text after it up to the next one or the end of the clause, and whether another one
/// follows.
fn context_of(topic: Topic, text: &str) -> (&str, &str, bool) {
    let places = |topic: Topic| {
        let words = TOPICS[topic as usize].1;
        words.iter().filter_map(|it| Some((text.find(it)?, it.len()))).min()
    };
    let Some((at, length)) = places(topic) else { return ("", text, false) };
    let others =
        [Topic::Band, Topic::Authorised, Topic::Conditional].into_iter().filter_map(places);
    let next = others.map(|it| it.0).filter(|it| *it > at).min().unwrap_or(text.len());
    let after = &text[at + length..next];
    // What was so before is no statement: `wird verlängert, nachdem die bisherige abgelaufen ist`.
    const END: [&str; 6] = [";", ", nachdem", ", da ", ", weil ", ", après", ", dopo "];
    let end = END.iter().filter_map(|it| after.find(it)).min().unwrap_or(after.len());
    let after = &after[..end];
    let before = &text[text.floor_char_boundary(at.saturating_sub(25))..at];
    (before, after, next < text.len())
}
