//! The verbs that state that a person or firm enters, leaves or signs.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::punctuation;

/// The meaning of a verb for its subject.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verb {
    /// `ist`, `est`, `è`: the predicate decides.
    Is,
    /// `zeichnet`: the predicate is the signature.
    Signs,
    /// `n'est plus`: the predicate is the former function.
    IsNoMore,
    /// `a démissionné`.
    Leaves,
    /// `est conférée à`: the subject is a signature, the predicate its holders.
    IsGranted,
}

#[rustfmt::skip]
const VERBS: [(&str, Verb); 52] = [
    (" ist nicht mehr ", Verb::IsNoMore), (" sind nicht mehr ", Verb::IsNoMore),
    (" n'est plus ", Verb::IsNoMore), (" n’est plus ", Verb::IsNoMore), (" ne sont plus ", Verb::IsNoMore),
    (" non è più ", Verb::IsNoMore), (" non sono più ", Verb::IsNoMore),
    (" a démissionné", Verb::Leaves), (" ont démissionné", Verb::Leaves), (" a quitté", Verb::Leaves), (" ont quitté", Verb::Leaves),
    (" est démissionnaire", Verb::Leaves), (" sont démissionnaires", Verb::Leaves), (" démissionnaire", Verb::Leaves),
    (" est conférée à ", Verb::IsGranted), (" sont conférées à ", Verb::IsGranted), (" a été conférée à ", Verb::IsGranted),
    (" est conférée au ", Verb::IsGranted), (" est donnée à ", Verb::IsGranted), (" a été donnée à ", Verb::IsGranted),
    (" ont été conférées à ", Verb::IsGranted), (" est accordée à ", Verb::IsGranted), (" est attribuée à ", Verb::IsGranted),
    (" wurde erteilt an ", Verb::IsGranted), (" ist erteilt an ", Verb::IsGranted), (" ist erteilt worden an ", Verb::IsGranted),
    (" è conferita a ", Verb::IsGranted), (" è stata conferita a ", Verb::IsGranted),
    (" zeichnet ", Verb::Signs), (" zeichnen ", Verb::Signs), (" führt ", Verb::Signs), (" führen ", Verb::Signs),
    (" signe ", Verb::Signs), (" signent ", Verb::Signs), (" signera ", Verb::Signs), (" engage ", Verb::Signs), (" engagent ", Verb::Signs),
    (" firma con ", Verb::Signs), (" firmano ", Verb::Signs),
    (" ist ", Verb::Is), (" sind ", Verb::Is), (" wird ", Verb::Is), (" werden ", Verb::Is), (" wurde ", Verb::Is), (" wurden ", Verb::Is),
    (" est ", Verb::Is), (" sont ", Verb::Is), (" a été ", Verb::Is), (" ont été ", Verb::Is), (" è ", Verb::Is), (" sono ", Verb::Is), (" devient ", Verb::Is),
];

static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let words = VERBS.iter().map(|(word, _)| word);
    AhoCorasick::builder()
        .kind(Some(AhoCorasickKind::DFA))
        .match_kind(MatchKind::LeftmostLongest)
        .build(words)
        .ok()
});

/// The first verb outside brackets, with its start and end offsets.
pub(super) fn verb(text: &str) -> Option<(usize, usize, Verb)> {
    let mut groups = None;
    for found in FINDER.as_ref()?.find_iter(text) {
        let groups: &Vec<(usize, usize)> =
            groups.get_or_insert_with(|| punctuation::bracket_groups(text));
        let before = groups.partition_point(|(from, _)| *from < found.start());
        let is_inside = before > 0 && groups[before - 1].1 > found.start();
        if !is_inside {
            return Some((found.start(), found.end(), VERBS[found.pattern().as_usize()].1));
        }
    }
    None
}

/// Whether a text has more than one verb, inside or outside brackets.
pub(super) fn has_several(text: &str) -> bool {
    FINDER.as_ref().is_some_and(|it| it.find_iter(text).take(2).count() > 1)
}
