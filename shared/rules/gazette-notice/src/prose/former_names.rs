//! Former names beside a name: `B, bisher A`, `B, inscrite sous le nom de A`.

use std::ops::Range;

use super::{
    clauses::Clause,
    mentions::Mention,
    parts::Sentence,
    vocabulary::{Meaning, Part},
};

/// Two names of one person and the words between them.
#[derive(Clone, Debug)]
pub(super) struct FormerNamePair {
    /// The two mentions.
    pub(super) mentions: [usize; 2],
    /// The words between the names.
    pub(super) words: Range<usize>,
    /// Whether the second name is the former one.
    pub(super) is_second_former: bool,
}

/// The pairs of names of one person in a clause: neighbours with the same given name, and nothing between them but how the second
/// one is the former or the new name.
pub(super) fn former_names(
    sentence: &Sentence<'_>,
    mentions: &[Mention<'_>],
    clause: &Clause,
) -> Vec<FormerNamePair> {
    let pairs = clause.mentions.windows(2).filter_map(|pair| {
        let (one, other) = (&mentions[pair[0]], &mentions[pair[1]]);
        let words = one.name.end..other.name.start;
        let given = |it: &Mention<'_>| sentence.word(it.name.end - 1);
        if words.len() < 2 || !sentence.separates(words.start) || given(one) != given(other) {
            return None;
        }
        let is_second_former = is_former(sentence, words.start + 1..words.end)?;
        Some(FormerNamePair { mentions: [pair[0], pair[1]], words, is_second_former })
    });
    pairs.collect()
}

/// Whether words introduce a former name, or only a new one: `désormais`. `None` if they mean something else.
fn is_former(sentence: &Sentence<'_>, words: Range<usize>) -> Option<bool> {
    const FORMER: [&str; 9] = [
        "bisher",
        "bislang",
        "früher",
        "jusqu'ici",
        "anciennement",
        "précédemment",
        "finora",
        "già",
        "precedentemente",
    ];
    let is_former = |it: &usize| FORMER.contains(&sentence.word(*it));
    let is_adverb = |it: &usize| sentence.is(*it, Part::Adverb) || is_former(it);
    // `eingetragen als`, `inscrite sous le nom de`, `iscritta con il nome di`
    let entered = words.clone().find(|it| {
        sentence.is(*it, Part::Means(Meaning::Appoints))
            && ["eingetragen", "inscri", "iscritt"]
                .iter()
                .any(|start| sentence.word(*it).starts_with(start))
    });
    let adverbs = words.start..entered.unwrap_or(words.end);
    if !adverbs.clone().all(|it| is_adverb(&it)) {
        return None;
    }
    match entered {
        None => {
            let is_short = words.len() <= 2;
            is_short.then(|| words.clone().any(|it| is_former(&it)))
        }
        Some(entered) => {
            let rest: Vec<&str> = (entered + 1..words.end)
                .filter(|it| !is_adverb(it))
                .map(|it| sentence.word(it))
                .collect();
            let name = match rest.as_slice() {
                [name @ .., "de" | "d'" | "d’" | "di"] => name,
                name => name,
            };
            matches!(
                name,
                ["als"]
                    | ["sous", "le", "nom"]
                    | ["unter", "dem", "Namen"]
                    | ["con" | "sotto", "il", "nome"]
                    | ["col", "nome"]
            )
            .then_some(true)
        }
    }
}
