//! Changes of the shares: conversions, splits and consolidations.

use std::cmp::Ordering;

use super::{BEARER, REGISTERED, Topic, Topics, has_any};
use crate::{Decimal, amount, changes::ShareMeasure, punctuation, words::starts_with_any};

/// Words that deny a statement, or say what may be.
#[rustfmt::skip]
const DENIED: [&str; 20] = [
    "rückgängig", "widerruf", "annul", "révoqu", "revocat",
    " nicht ", " können ", " kann ", " auf verlangen", " jederzeit ", " ne peu", " pas ", " peut ", " peuvent ", " pourra", " non ", " può ", " possono ", " potrà",
    " potranno ",
];

/// What happened to the shares.
pub(super) fn share_measure(topics: Topics, lower: &str, current: &str) -> Option<ShareMeasure> {
    if !topics.has(Topic::Shares) && !topics.has(Topic::Bearer) || has_any(current, &DENIED) {
        return None;
    }
    conversion(topics, lower, current).or_else(|| split(lower, current))
}

/// A conversion of bearer shares into registered shares, or the other way round.
fn conversion(topics: Topics, lower: &str, current: &str) -> Option<ShareMeasure> {
    const CONVERTED: [&str; 5] = ["umgewandelt", "umwandlung", "conver", "transform", "trasform"];
    if !topics.has(Topic::Bearer) || !topics.has(Topic::Registered) {
        return None;
    }
    let (bearer, registered) = (first_of(current, BEARER), first_of(current, REGISTERED));
    match (bearer, registered) {
        (Some(bearer), Some(registered)) if has_any(current, &CONVERTED) => {
            let (bearer_is_new, registered_is_new) =
                (is_target(current, bearer, registered), is_target(current, registered, bearer));
            match (bearer_is_new, registered_is_new) {
                (false, true) => Some(ShareMeasure::BearerToRegistered),
                (true, false) => Some(ShareMeasure::RegisteredToBearer),
                _ => None,
            }
        }
        // `100 Namenaktien zu CHF 1'000 [bisher: 100 Inhaberaktien zu CHF 1'000]`
        (bearer, registered) => {
            let former = former_value(lower)?;
            let (was_bearer, was_registered) =
                (has_any(former, BEARER), has_any(former, REGISTERED));
            match (bearer.is_some(), registered.is_some(), was_bearer, was_registered) {
                (false, true, true, false) => Some(ShareMeasure::BearerToRegistered),
                (true, false, false, true) => Some(ShareMeasure::RegisteredToBearer),
                _ => None,
            }
        }
    }
}

fn first_of(text: &str, words: &[&str]) -> Option<usize> {
    words.iter().filter_map(|it| text.find(it)).min()
}

/// Whether ` in ` or ` en ` precedes the word at this place, after the other kind of share and not long before:
/// `in 100 Namenaktien`.
fn is_target(text: &str, at: usize, other: usize) -> bool {
    let from = if other < at { other } else { 0 };
    let from = text.floor_char_boundary(from.max(at.saturating_sub(45)));
    let before = &text[from..at];
    [" in ", " en "].iter().any(|it| before.contains(it)) || before.starts_with("in ")
}

/// The former value in brackets: `[bisher: …]`, `(auparavant …)`.
fn former_value(lower: &str) -> Option<&str> {
    #[rustfmt::skip]
    const FORMER: [&str; 7] =
        ["bisher", "früher", "vorher", "auparavant", "précédemment", "jusqu'ici", "finora"];
    let groups = punctuation::bracket_groups(lower);
    groups
        .into_iter()
        .map(|(from, to)| &lower[from + 1..to])
        .find(|it| starts_with_any(it, &FORMER))
}

/// A split or a consolidation: it is named, or the numbers of shares change while the sum of their nominal values stays.
fn split(lower: &str, current: &str) -> Option<ShareMeasure> {
    #[rustfmt::skip]
    const SPLIT: [&str; 12] = [
        "aktiensplit", "aktien-split", "splitting der aktien", "gesplittet", "split des actions", "split d'actions", "fractionnement des", "fractionnement d'actions",
        "division des actions", "frazionamento delle", "split delle azioni", "suddivisione delle azioni",
    ];
    #[rustfmt::skip]
    const CONSOLIDATED: [&str; 6] = [
        "zusammenlegung der aktien", "zusammenlegung von aktien", "regroupement d'actions", "regroupement des actions", "raggruppamento delle azioni",
        "raggruppamento di azioni",
    ];
    #[rustfmt::skip]
    const BECOMES: [&str; 14] = [
        " aufgeteilt", "zerlegt", "aufteilung", "zerlegung", "zusammengelegt", "umgewandelt", " divisée", "fractionnée", "regroupée", "échangée", "suddivise", "frazionate",
        "raggruppate", "sostituite",
    ];
    if has_any(current, &SPLIT) {
        return Some(ShareMeasure::Split);
    }
    if has_any(current, &CONSOLIDATED) {
        return Some(ShareMeasure::Consolidated);
    }
    let (before, after) = match (former_value(lower), has_any(current, &BECOMES)) {
        (Some(former), _) => (only(share_blocks(former))?, only(share_blocks(current))?),
        (None, true) => {
            let [before, after] = share_blocks(current)[..] else { return None };
            (before, after)
        }
        (None, false) => return None,
    };
    let sum = |it: ShareBlock| it.count.checked_mul(it.value);
    let has_same_sum = sum(before).is_some() && sum(before) == sum(after);
    match after.count.cmp(&before.count) {
        Ordering::Greater if has_same_sum => Some(ShareMeasure::Split),
        Ordering::Less if has_same_sum => Some(ShareMeasure::Consolidated),
        _ => None,
    }
}

/// A number of shares of one nominal value.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ShareBlock {
    count: i64,
    /// Nominal value of one share, in ten-thousandths.
    value: i64,
}

fn only(share_blocks: Vec<ShareBlock>) -> Option<ShareBlock> {
    match share_blocks[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// The numbers of shares with their nominal values: `1'000 Namenaktien zu CHF 100.00`, `100 actions de CHF 1'000, nominatives`.
fn share_blocks(lower: &str) -> Vec<ShareBlock> {
    const NOUNS: [&str; 6] =
        ["aktien", "stammanteile", "actions", "parts sociales", "azioni", "quote sociali"];
    const AT: [&str; 15] = [
        " zu ",
        " von ",
        " à ",
        " de ",
        " da ",
        " di ",
        " nominale ",
        " nominatives ",
        " nominative ",
        " je ",
        " nennwert ",
        " mit ",
        " einem ",
        " nom. ",
        " nominal ",
    ];
    let words: Vec<(usize, &str)> =
        lower.split(' ').map(|it| (it.as_ptr() as usize - lower.as_ptr() as usize, it)).collect();
    let mut found = Vec::new();
    for (index, (_, word)) in words.iter().enumerate() {
        let is_number = word.starts_with(|it: char| it.is_ascii_digit());
        let Some(count) = is_number.then(|| Decimal::parse(word)).flatten() else { continue };
        // The noun is one of the next words, and the amount follows it at once.
        let after = words.iter().skip(index + 1).take(4);
        let Some((at, noun)) = after
            .take_while(|(_, it)| !it.starts_with(|it: char| it.is_ascii_digit()))
            .find(|(at, _)| {
                NOUNS.iter().any(|it| lower[*at..].starts_with(it) || ends_in(lower, *at, it))
            })
        else {
            continue;
        };
        let mut rest = &lower[at + noun.len()..];
        let limit = rest.floor_char_boundary(60);
        rest = &rest[..limit];
        while let Some(next) = AT.iter().find_map(|it| rest.strip_prefix(it)) {
            // The blank before the next word.
            let blank = rest.len() - next.len() - 1;
            rest = &rest[blank..];
        }
        let rest = rest.trim_start().to_uppercase();
        if let Some((Some(_), value)) = amount(&rest) {
            let count = count.ten_thousandths() / 10_000;
            found.push(ShareBlock { count, value: value.ten_thousandths() });
        }
    }
    found
}

/// Whether the word at this place ends in the noun: `namenaktien`.
fn ends_in(text: &str, at: usize, noun: &str) -> bool {
    let word = text[at..].split([' ', ',', ';']).next().unwrap_or_default();
    word.ends_with(noun)
}
