//! The places in a sentence that indicate an industry.

use super::{
    patterns::{Match, Meaning, matches},
    words::{Activity, Goods},
};

/// A place in a sentence that indicates a NOGA code.
pub(super) struct Indication {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) code: &'static str,
    pub(super) weight: f64,
}

/// Weight of goods together with an activity.
const GOODS_WEIGHT: f64 = 2.5;

/// Factor for words that describe clients.
const CLIENT_FACTOR: f64 = 0.35;
/// Factor for words that describe an activity beside the main one.
const ANCILLARY_FACTOR: f64 = 0.5;
/// Factor for words that describe companies in which the company holds an interest.
const INTEREST_FACTOR: f64 = 0.15;

/// The indications in a sentence.
pub(super) fn indications(sentence: &str) -> Vec<Indication> {
    let matches = matches(sentence);
    let mut indications = Vec::new();
    // Activities since the last goods.
    let mut activities: Vec<Activity> = Vec::new();
    let mut was_used = false;
    let (mut client_until, mut interest_from) = (0, usize::MAX);
    let (mut ancillary_from, mut accompanying_until) = (usize::MAX, 0);
    // End of the longest phrase so far. Phrases within it are ignored.
    let mut covered = 0;
    // The same for activities.
    let mut activity_end = 0;
    let mut has_goods = false;
    for it in &matches {
        let factor = match () {
            () if it.start >= interest_from => INTEREST_FACTOR,
            () if it.start < client_until => CLIENT_FACTOR,
            () if it.start >= ancillary_from || it.start < accompanying_until => ANCILLARY_FACTOR,
            () => 1.0,
        };
        let is_covered = it.end <= covered;
        match it.meaning {
            // Part of a longer activity: `Detailhandel` does not count as `Handel` again.
            Meaning::Activity(_) if it.end <= activity_end => {}
            Meaning::Activity(activity) => {
                activity_end = it.end;
                // `design and manufacture` does not count as `design` again.
                if sentence.get(it.start..it.end).is_some_and(|it| it.contains(' ')) {
                    covered = covered.max(it.end);
                }
                if was_used {
                    activities.clear();
                    was_used = false;
                }
                activities.push(activity);
                client_until = 0;
            }
            Meaning::Introduction => covered = it.end,
            Meaning::Client if is_covered => {}
            Meaning::Client => {
                client_until = item_end(sentence, it.end);
            }
            // A sentence that begins with `sowie` continues the one before; the factor for its position
            // applies.
            Meaning::Ancillary if !indications.is_empty() => ancillary_from = it.end,
            Meaning::Ancillary | Meaning::Accompanying if is_covered => {}
            // `Handel mit` needs its goods; `Hotel mit Restaurant` is a hotel.
            Meaning::Accompanying if !indications.is_empty() && activity_end + 1 < it.start => {
                accompanying_until = item_end(sentence, it.end);
            }
            Meaning::Ancillary | Meaning::Accompanying => {}
            Meaning::Interest => interest_from = it.end,
            _ if is_covered => {}
            Meaning::Trade(code, weight) => {
                covered = it.end;
                // `trade` alone has no goods yet; they may follow.
                was_used |= !matches!(code, "46" | "47");
                indications.push(Indication {
                    start: it.start,
                    end: it.end,
                    code,
                    weight: weight * factor,
                });
            }
            Meaning::Goods(goods) => {
                let of_word = in_word(sentence, it, &matches);
                let following = || following(sentence, it, &matches);
                let done = match (of_word.is_empty(), activities.is_empty()) {
                    (false, _) => of_word,
                    (true, false) => activities.clone(),
                    (true, true) => following(),
                };
                was_used = true;
                for (code, share) in codes(goods, &done) {
                    covered = it.end;
                    has_goods = true;
                    let weight = GOODS_WEIGHT * share * factor;
                    indications.push(Indication { start: it.start, end: it.end, code, weight });
                }
            }
        }
    }
    // Trade in specific goods does not also count as general trade.
    indications.retain(|it| !(has_goods && matches!(it.code, "46" | "47")));
    indications
}

/// End of the list item that contains the position: the next comma or the end of the sentence.
fn item_end(sentence: &str, at: usize) -> usize {
    let rest = sentence.get(at..).unwrap_or_default();
    at + rest.find('|').unwrap_or(rest.len())
}

fn activities<'a>(matches: impl Iterator<Item = &'a Match>) -> Vec<Activity> {
    let activities = matches.filter_map(|it| match it.meaning {
        Meaning::Activity(activity) => Some(activity),
        _ => None,
    });
    activities.collect()
}

/// Activities within the same word, as in `Weinhandel`.
fn in_word(sentence: &str, goods: &Match, matches: &[Match]) -> Vec<Activity> {
    let rest = sentence.get(goods.start..).unwrap_or_default();
    let end = goods.start + rest.find(' ').unwrap_or(rest.len());
    let is_within = |it: &&Match| it.start > goods.start && it.end <= end;
    activities(matches.iter().filter(is_within))
}

/// Activities that follow the goods, up to the next comma, as in `watch manufacturing`.
fn following(sentence: &str, goods: &Match, matches: &[Match]) -> Vec<Activity> {
    let end = item_end(sentence, goods.end);
    let follows = |it: &&Match| it.start >= goods.end && it.end <= end;
    activities(matches.iter().filter(follows))
}

/// The NOGA codes of goods with these activities, each with its share. Manufacturing takes precedence,
/// because manufacturers also sell and repair.
fn codes(goods: &Goods, done: &[Activity]) -> Vec<(&'static str, f64)> {
    let is = |activity| done.contains(&activity);
    let codes = if is(Activity::Make) {
        vec![(goods.make, 1.0)]
    } else if is(Activity::Wholesale) {
        vec![(goods.wholesale, 1.2)]
    } else if is(Activity::Trade) && is(Activity::Retail) {
        vec![(goods.wholesale, 0.6), (goods.retail, 0.5)]
    } else if is(Activity::Trade) {
        // Usually wholesale: shops say that they are shops.
        vec![(goods.wholesale, 0.85)]
    } else if is(Activity::Retail) {
        vec![(goods.retail, 1.0)]
    } else if is(Activity::Rent) {
        vec![(goods.rent, 0.8)]
    } else if is(Activity::Repair) {
        vec![(goods.repair, 0.8)]
    } else {
        Vec::new()
    };
    codes.into_iter().filter(|(code, _)| !code.is_empty()).collect()
}
