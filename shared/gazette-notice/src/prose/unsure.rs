//! Clauses that are left out: a part of them could state the wrong thing.

use super::{clauses::Clause, parts::Sentence, said::Said, vocabulary::Meaning};

/// Whether a clause is left out, because the rules for the other clauses would state the wrong thing: something did not happen,
/// an earlier entry is taken back, or a limit or a residence ends and not an office.
pub(super) fn is_unsure(sentence: &Sentence<'_>, clause: &Clause, said: &Said<'_>) -> bool {
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
    let is_detail = said.has(Meaning::Resides) || said.has(Meaning::Originates);
    let is_negated_detail =
        said.is_negated && ((is_detail && !said.has_office()) || has(&LIMITED) || has(&ONLY));
    // `A, radiée comme directrice, est nommée administratrice`
    let ends_and_begins = said.has(Meaning::Ends)
        && said.has(Meaning::Appoints)
        && !said.is_nominal
        && said.has_office();
    ends_and_begins
        || is_respective
        || said.is_denied
        || said.is_reversal
        || said.has(Meaning::Restricts)
        || is_negated_detail
}
