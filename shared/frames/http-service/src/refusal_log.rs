//! Limits the log lines of refused requests and of requests that match no operation, so that a flood of them is cheap.
//!
//! The first refusals of a client in a minute have a log line each, the later ones every hundredth. A line states
//! how many refusals were left out before it, and adds them to the metric, so the metric counts every refusal. What
//! is left out when a flood ends is logged with the next request after that minute. A process that ends before
//! loses it: fewer than 100 refusals of a client.

use std::{
    collections::HashMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
};

use access::{Network, RateGroup};
use jiff::Timestamp;

/// Number of refusals of a client that have a log line each, in a minute.
pub const LOGGED_PER_MINUTE: u32 = 20;
/// Of the further refusals, every refusal with this number has a line.
pub const SAMPLE: u32 = 100;
/// Maximum number of clients that a process counts. When it is reached, counting starts anew.
const CAPACITY: usize = 10_000;

/// Counts the refused requests of each client.
#[derive(Debug, Default)]
pub(crate) struct RefusalLog {
    counts: Mutex<Counts>,
    /// Whether refusals were left out and not logged yet.
    has_left_out: AtomicBool,
    /// The minute in which the clients were last searched for overdue refusals.
    searched: AtomicI64,
}

#[derive(Debug, Default)]
struct Counts {
    clients: HashMap<Refused, Count>,
    /// Refusals left out, of clients that are no longer counted.
    dropped: Vec<(Refused, u32)>,
}

/// Refused requests that are counted together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Refused {
    pub(crate) client: Client,
    pub(crate) group: RateGroup,
    pub(crate) status: u16,
}

/// Who sent a refused request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    /// The id of a team.
    Team(String),
    /// An IPv4 address or an IPv6 /48.
    Network(Network),
}

#[derive(Clone, Copy, Debug)]
struct Count {
    /// Minutes since the Unix epoch.
    minute: i64,
    refusals: u32,
    left_out: u32,
}

impl RefusalLog {
    /// Counts a refusal. Returns how many refusals were left out since the last log line of this client;
    /// `None` if this refusal is left out, too.
    pub(crate) fn count(&self, refused: Refused, now: Timestamp) -> Option<u32> {
        let minute = minute(now);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.clients.len() >= CAPACITY && !counts.clients.contains_key(&refused) {
            let dropped = std::mem::take(&mut counts.clients).into_iter();
            let dropped = dropped.map(|(refused, it)| (refused, it.left_out));
            counts.dropped.extend(dropped.filter(|(_, left_out)| *left_out > 0));
        }
        let new = Count { minute, refusals: 0, left_out: 0 };
        let count = counts.clients.entry(refused).or_insert(new);
        if count.minute != minute {
            (count.minute, count.refusals) = (minute, 0);
        }
        count.refusals = count.refusals.saturating_add(1);
        let beyond = count.refusals.saturating_sub(LOGGED_PER_MINUTE);
        if beyond.is_multiple_of(SAMPLE) {
            return Some(std::mem::take(&mut count.left_out));
        }
        count.left_out += 1;
        self.has_left_out.store(true, Ordering::Relaxed);
        None
    }

    /// Takes the refusals that were left out in earlier minutes and not logged yet, at most once a minute.
    pub(crate) fn take_overdue(&self, now: impl FnOnce() -> Timestamp) -> Vec<(Refused, u32)> {
        if !self.has_left_out.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let minute = minute(now());
        // Once a minute: there are many clients in a flood, and every request comes here.
        if self.searched.swap(minute, Ordering::Relaxed) == minute {
            return Vec::new();
        }
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut overdue = std::mem::take(&mut counts.dropped);
        counts.clients.retain(|refused, count| {
            let is_over = count.minute < minute;
            if is_over && count.left_out > 0 {
                overdue.push((refused.clone(), count.left_out));
            }
            !is_over
        });
        let has_left_out = counts.clients.values().any(|it| it.left_out > 0);
        self.has_left_out.store(has_left_out, Ordering::Relaxed);
        overdue
    }
}

fn minute(now: Timestamp) -> i64 {
    now.as_second().div_euclid(60)
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan;
    use proptest::prelude::*;

    use super::*;

    const NOW: Timestamp = Timestamp::constant(1_795_177_800, 0);

    fn refused(team: usize) -> Refused {
        let client = Client::Team(team.to_string());
        Refused { client, group: RateGroup::SearchRead, status: 429 }
    }

    #[test]
    fn the_first_refusals_of_a_minute_and_then_every_hundredth_are_logged() {
        let log = RefusalLog::default();
        let logged: Vec<(u32, u32)> =
            (1..=270).filter_map(|number| Some((number, log.count(refused(1), NOW)?))).collect();
        let each = (1..=LOGGED_PER_MINUTE).map(|it| (it, 0));
        assert_eq!(logged, each.chain([(120, 99), (220, 99)]).collect::<Vec<_>>());
        assert_eq!(log.count(refused(2), NOW), Some(0), "another client");
        assert_eq!(log.take_overdue(|| NOW), []);
        assert_eq!(log.count(refused(1), NOW + 1.minute()), Some(50), "a new minute");
    }

    proptest! {
        #[test]
        fn every_refusal_is_counted_once(
            requests in prop::collection::vec((0_usize..3, 0_i64..30), 0..2_000), flushes: bool,
        ) {
            let (log, mut now, mut counted) = (RefusalLog::default(), NOW, 0);
            for (team, seconds) in &requests {
                now += seconds.div_euclid(10).seconds();
                counted += log.count(refused(*team), now).map_or(0, |left_out| 1 + left_out);
                if flushes {
                    counted += log.take_overdue(|| now).into_iter().map(|(_, it)| it).sum::<u32>();
                }
            }
            let later = now + 1.minute();
            counted += log.take_overdue(|| later).into_iter().map(|(_, it)| it).sum::<u32>();
            prop_assert_eq!(counted as usize, requests.len());
            prop_assert_eq!(log.take_overdue(|| later), []);
        }
    }

    #[test]
    fn refusals_of_clients_that_are_no_longer_counted_are_not_lost() {
        let log = RefusalLog::default();
        let mut counted = 0;
        for _ in 0..50 {
            counted += log.count(refused(0), NOW).map_or(0, |it| it + 1);
        }
        for team in 0..CAPACITY + 10 {
            counted += log.count(refused(team), NOW).map_or(0, |it| it + 1);
        }
        counted += log.take_overdue(|| NOW + 1.minute()).into_iter().map(|(_, it)| it).sum::<u32>();
        assert_eq!(counted as usize, 50 + CAPACITY + 10);
    }
}
