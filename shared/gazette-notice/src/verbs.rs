//! The verbs that make somebody come, go or sign.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::pieces;

/// What a verb says of its subject.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verb {
    /// The predicate decides.
    Is,
    Signs,
    /// `n'est plus`: the predicate names what it is no more.
    IsNoMore,
    Goes,
    /// `est conférée à`: the subject is a power, the predicate its holders.
    IsGiven,
}

#[rustfmt::skip]
const VERBS: [(&str, Verb); 52] = [
    (" ist nicht mehr ", Verb::IsNoMore), (" sind nicht mehr ", Verb::IsNoMore),
    (" n'est plus ", Verb::IsNoMore), (" n’est plus ", Verb::IsNoMore), (" ne sont plus ", Verb::IsNoMore),
    (" non è più ", Verb::IsNoMore), (" non sono più ", Verb::IsNoMore),
    (" a démissionné", Verb::Goes), (" ont démissionné", Verb::Goes), (" a quitté", Verb::Goes), (" ont quitté", Verb::Goes),
    (" est démissionnaire", Verb::Goes), (" sont démissionnaires", Verb::Goes), (" démissionnaire", Verb::Goes),
    (" est conférée à ", Verb::IsGiven), (" sont conférées à ", Verb::IsGiven), (" a été conférée à ", Verb::IsGiven),
    (" est conférée au ", Verb::IsGiven), (" est donnée à ", Verb::IsGiven), (" a été donnée à ", Verb::IsGiven),
    (" ont été conférées à ", Verb::IsGiven), (" est accordée à ", Verb::IsGiven), (" est attribuée à ", Verb::IsGiven),
    (" wurde erteilt an ", Verb::IsGiven), (" ist erteilt an ", Verb::IsGiven), (" ist erteilt worden an ", Verb::IsGiven),
    (" è conferita a ", Verb::IsGiven), (" è stata conferita a ", Verb::IsGiven),
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

/// The first verb outside brackets, with where it begins and ends.
pub(super) fn verb(text: &str) -> Option<(usize, usize, Verb)> {
    let mut groups = None;
    for found in FINDER.as_ref()?.find_iter(text) {
        let groups: &Vec<(usize, usize)> = groups.get_or_insert_with(|| pieces::groups(text));
        let before = groups.partition_point(|(from, _)| *from < found.start());
        let is_inside = before > 0 && groups[before - 1].1 > found.start();
        if !is_inside {
            return Some((found.start(), found.end(), VERBS[found.pattern().as_usize()].1));
        }
    }
    None
}

/// Whether a text has more than one verb, in brackets or not.
pub(super) fn has_several(text: &str) -> bool {
    FINDER.as_ref().is_some_and(|it| it.find_iter(text).take(2).count() > 1)
}
