//! The patterns of the vocabulary and their matches in a sentence.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::words::{ACTIVITIES, Activity, GOODS, Goods, TRADES};
use crate::text::fold;

/// What a pattern means.
#[derive(Clone, Copy)]
pub(super) enum Meaning {
    /// NOGA code of a trade, and the weight of the phrase.
    Trade(&'static str, f64),
    /// Goods.
    Goods(&'static Goods),
    /// What is done with goods.
    Activity(Activity),
    /// A phrase that indicates nothing, although its words do, such as `pour but` or `tailor made`.
    Introduction,
    /// What follows in the sentence accompanies the main activity, as after `sowie`.
    Ancillary,
    /// What follows, up to the next comma, accompanies what precedes, as in `Hotel mit Restaurant`.
    Accompanying,
    /// The words that follow, up to the next comma, describe the company's clients.
    Client,
    /// The words that follow describe companies in which the company holds an interest.
    Interest,
}

/// A match of a pattern, without the surrounding spaces.
#[derive(Clone, Copy)]
pub(super) struct Match {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) meaning: Meaning,
}

const CLIENTS: &str = "fur | zugunsten | pour | a l intention | per | destinati a | for | an | aupres de | presso | zuhanden von | zugunsten von | im auftrag von";
const INTRODUCTIONS: &str = "tailor made | tailored | an und verkauf | auf dem gebiet | organizzazione internazionale del commercio | praxis bezogen | im bereich | an and | artikel | for the purpose | pour but | pour buts | pour objet | pour objectif | per scopo | per oggetto | per finalita \
    | praxis fur | institut fur | zentrum fur | buro fur | atelier fur | fachgeschaft fur | geschaft fur | werkstatt fur | agentur fur | schule fur \
    | unternehmen fur | gesellschaft fur | bureau pour | atelier pour | centre pour | studio per | centro per | centre for | practice for";
const ANCILLARIES: &str = "sowie | ferner | ausserdem | zudem | daneben | inklusive | inkl | einschliesslich | samt | nebst \
    | ainsi que | ainsi qu | y compris | de meme que | accessoirement | nonche | inoltre | incluso | inclusi | comprese | compresi \
    | as well as | including | and related | together with | in addition | und alle damit | und damit";
const INTERESTS: &str = "anteilen an | anteile an | actions de societes | beteiligung an | beteiligungen an | beteiligung von | participations dans | participation dans \
    | participations a | partecipazioni in | partecipazioni a | interests in | participations in | shareholdings in | holdings in";

/// The automaton of all patterns, and the meaning of each pattern.
pub(super) static PATTERNS: LazyLock<(Option<AhoCorasick>, Vec<Meaning>)> = LazyLock::new(|| {
    let mut patterns = Vec::new();
    let mut meanings = Vec::new();
    let mut add = |phrases: &str, meaning: &dyn Fn(f64) -> Meaning| {
        for phrase in phrases.split('|').map(str::trim).filter(|it| !it.is_empty()) {
            let (weight, phrase) = match phrase.split_at(1) {
                ("+", rest) => (3.0, rest),
                ("-", rest) => (1.0, rest),
                _ => (2.0, phrase),
            };
            let open = |is_open: bool| if is_open { "" } else { " " };
            let folded = fold(phrase);
            if !folded.is_empty() {
                let (left, right) = (phrase.starts_with('*'), phrase.ends_with('*'));
                patterns.push(format!("{}{folded}{}", open(left), open(right)));
                meanings.push(meaning(weight));
            }
        }
    };
    for (code, phrases) in TRADES.iter() {
        add(phrases, &|weight| Meaning::Trade(code, weight));
    }
    for goods in GOODS.iter() {
        add(goods.words, &|_| Meaning::Goods(goods));
    }
    for (activity, phrases) in ACTIVITIES {
        add(phrases, &|_| Meaning::Activity(activity));
    }
    add(INTRODUCTIONS, &|_| Meaning::Introduction);
    add(CLIENTS, &|_| Meaning::Client);
    add(ANCILLARIES, &|_| Meaning::Ancillary);
    add("mit | avec | con | with", &|_| Meaning::Accompanying);
    add(INTERESTS, &|_| Meaning::Interest);
    // `None` is impossible: a test builds the automaton.
    (AhoCorasick::new(patterns).ok(), meanings)
});

pub(super) fn matches(sentence: &str) -> Vec<Match> {
    let (automaton, meanings) = &*PATTERNS;
    let all = automaton.iter().flat_map(|it| it.find_overlapping_iter(sentence));
    let bytes = sentence.as_bytes();
    let mut matches: Vec<Match> = all
        .filter_map(|it| {
            let start = it.start() + usize::from(bytes.get(it.start()) == Some(&b' '));
            let end = it.end() - usize::from(bytes.get(it.end().checked_sub(1)?) == Some(&b' '));
            Some(Match { start, end, meaning: *meanings.get(it.pattern().as_usize())? })
        })
        .collect();
    matches.sort_by_key(|it| (it.start, std::cmp::Reverse(it.end)));
    only_heads(sentence, matches)
}

/// Drops the first part of a compound whose last part, its head, is known: `Verpackungsmaschinen` are
/// machines. Activities are no heads: `Weinhandel` needs both parts.
fn only_heads(sentence: &str, matches: Vec<Match>) -> Vec<Match> {
    let bytes = sentence.as_bytes();
    let is_letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let names = |it: &Match| matches!(it.meaning, Meaning::Trade(..) | Meaning::Goods(_));
    let is_trade = |it: &Match| matches!(it.meaning, Meaning::Trade("46" | "47", _));
    let is_inside = |it: &Match| it.start.checked_sub(1).is_some_and(is_letter);
    let is_head = |it: &Match| names(it) && !is_trade(it) && is_inside(it);
    let heads: Vec<Match> = matches.iter().filter(|it| is_head(it)).copied().collect();
    let is_first_part = |it: &Match| {
        let word_end = || (it.end..bytes.len()).find(|at| !is_letter(*at)).unwrap_or(bytes.len());
        names(it)
            && is_letter(it.end)
            && heads
                .iter()
                .any(|head| head.start > it.start && head.end > it.end && head.end == word_end())
    };
    matches.iter().filter(|it| !is_first_part(it)).copied().collect()
}
