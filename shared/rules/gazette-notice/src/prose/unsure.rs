//! Clauses that are left out: a part of them could state the wrong thing.

use super::{clause_content::ClauseContent, clauses::Clause, parts::Sentence, vocabulary::Meaning};

/// Whether a clause is left out, because the rules for the other clauses would state the wrong thing: something did not happen,
/// an earlier entry is taken back, or a limit or a residence ends and not an office.
pub(super) fn is_unsure(
    sentence: &Sentence<'_>,
    clause: &Clause,
    content: &ClauseContent<'_>,
) -> bool {
    #[rustfmt::skip]
    const LIMITED: [&str; 12] = [
        "limité", "limitée", "limités", "limitées", "restreint", "restreinte", "beschränkt", "eingeschränkt", "limitato", "limitata", "limitati", "limitate",
    ];
    #[rustfmt::skip]
    const ONLY: [&str; 12] = [
        "unique", "uniques", "seul", "seule", "seuls", "einziger", "einzige", "einziges", "alleiniger", "alleinige", "unico", "unica",
    ];
    let has = |words: &[&str]| clause.tokens().any(|it| words.contains(&sentence.word(it)));
    // `sont respectivement président et secrétaire`: who is what is not read.
    let is_respective = has(&["respectivement", "rispettivamente", "beziehungsweise"]);
    let is_detail = content.has(Meaning::Resides) || content.has(Meaning::Originates);
    let is_negated_detail =
        content.is_negated && ((is_detail && !content.has_office()) || has(&LIMITED) || has(&ONLY));
    // `A, radiée comme directrice, est nommée administratrice`
    let ends_and_begins = content.has(Meaning::Ends)
        && content.has(Meaning::Appoints)
        && !content.is_nominal
        && content.has_office();
    ends_and_begins
        || is_respective
        || content.is_denied
        || content.is_reversal
        || content.has(Meaning::Restricts)
        || is_negated_detail
}
