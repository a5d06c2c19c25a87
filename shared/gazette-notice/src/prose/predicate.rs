//! The predicate of a sentence: an office, a signature, or the end of either.

use crate::{
    clause::Clause,
    entry::{Draft, may_be_copied},
    item::{FoundEntry, shared_statement},
    punctuation,
    words::{FUNCTION, LEAVING, SIGNATURE, is_firm_name, starts_with_any, strip_any_prefix},
};

/// The holders in `erteilt an Muster Hans`.
pub(super) fn holders_of_grant(predicate: &str) -> Option<&str> {
    ["erteilt an ", "conférée à ", "conférées à ", "conferita a "]
        .iter()
        .find_map(|it| Some(&predicate[predicate.find(it)? + it.len()..]))
        .or_else(|| {
            let holders = strip_any_prefix(predicate, &["an "])?;
            Some(holders.trim_end_matches("erteilt worden").trim_end_matches("erteilt").trim())
        })
}

/// The predicate without introductory words: `Präsident` for `nun Präsident`.
pub(super) fn strip_introduction(predicate: &str) -> &str {
    #[rustfmt::skip]
    const INTRODUCTIONS: [&str; 40] = [
        "neu ", "neuer ", "neue ", "neues ", "nun ", "nunmehr ", "jetzt ", "gewählt als ",
        "ernannt zum ", "als ", "zum ", "zur ", "weiterhin ", "désormais ", "maintenant ",
        "actuellement ", "nommé ", "nommée ", "nommés ", "nommées ", "élu ", "élue ", "élus ",
        "élues ", "désigné ", "désignée ", "inscrit ", "inscrite ", "inscrits ", "également ",
        "nouvel ", "nouvelle ", "nouveau ", "nouveaux ", "comme ", "en qualité de ",
        "en qualité d'", "stato nominato ", "ora ", "été ",
    ];
    let mut rest = predicate;
    while let Some(stripped) = strip_any_prefix(rest, &INTRODUCTIONS) {
        rest = stripped;
    }
    rest
}

/// Whether a predicate without introduction starts with an office or a signature.
pub(super) fn is_office(predicate: &str) -> bool {
    let is_early = |it: Option<(usize, usize)>| {
        it.is_some_and(|(at, _)| {
            predicate[..at].split(' ').count() <= 3 && !predicate[..at].contains(',')
        })
    };
    // With an article, the predicate describes a company: `ist eine Verwaltungsgesellschaft`.
    let has_article = starts_with_any(
        predicate,
        &["die ", "der ", "das ", "eine ", "ein ", "une ", "la ", "le ", "les "],
    );
    !has_article
        && (is_early(FUNCTION.find_first(predicate)) || is_early(SIGNATURE.find_first(predicate)))
}

/// Applies the function and signature of a predicate to its subjects.
pub(super) fn apply_predicate(predicate: &str, found: &mut [FoundEntry]) {
    if !may_be_copied(predicate, found.len()) {
        return;
    }
    let mut common = Draft::default();
    for clause in punctuation::split_clauses(predicate) {
        // The rest is about the predecessor.
        const PREDECESSOR: [&str; 6] =
            ["en remplacement", "dont ", "anstelle ", "démissionnaire", "suite ", "remplaç"];
        if starts_with_any(clause, &PREDECESSOR) {
            break;
        }
        match shared_statement(clause) {
            Some(statement) => common.add(Clause::of(statement)),
            None => common.add(Clause::of(clause)),
        }
    }
    for (_, draft) in found {
        // The predicate takes precedence: the details next to the name may be former ones.
        let mut new = common.clone();
        new.fill_missing_from(draft);
        draft.fill_missing_from(&new);
        draft.signature = new.signature.clone();
        if let Some(function) = common.function().filter(|it| !is_firm_name(it)) {
            draft.set_function(&function);
        }
        draft.was_entered |= common.was_entered;
        draft.before = draft.before.take().or_else(|| common.before.clone());
    }
}

/// The function after `n'est plus`: `associé et gérant` for `associé ni gérant`.
pub(super) fn former_function(predicate: &str) -> String {
    let end = predicate.find([',', '.']).unwrap_or(predicate.len());
    predicate[..end].trim().replace(" ni ", " et ")
}

/// The function in `als Revisionsstelle zurückgetreten`.
pub(super) fn function_before_leaving(predicate: &str) -> Option<String> {
    let rest = strip_any_prefix(predicate, &["als ", "comme ", "quale "])?;
    let (at, _) = LEAVING.find_first(rest)?;
    Some(rest[..at].trim().to_owned())
}
