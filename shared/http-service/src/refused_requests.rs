//! Limits the requests that are refused before they are counted: those of unknown callers (401), those of callers who may not
//! call the operation (403), and those that match no operation (404, 405).
//!
//! They are counted by team or network in the memory of the process, so that a flood of them costs no storage. After the
//! limit, they get 429 instead. Requests that would not be refused are not affected, so that nobody in a network can block others.

use std::{
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use access::{Network, RateGroup, Window};
use jiff::Timestamp;
use moka::{policy::EvictionPolicy, sync::Cache};
use problem_details::{Problem, RATE_LIMIT_EXCEEDED};
use store::Subject;

/// Maximum number of refused requests from an IPv4 /24 or an IPv6 /48 in an hour.
pub const MAX_PER_NETWORK: u32 = 3_000;
/// Maximum number of refused requests of a team in an hour.
pub const MAX_PER_TEAM: u32 = 600;
/// The name of these limits in problem documents.
pub(crate) const REFUSED_REQUESTS: &str = "refused_requests";
const WINDOW: Window = Window::Hour;
/// Maximum number of teams and networks that a process counts. The one that was refused longest ago is forgotten first.
const CAPACITY: u64 = 10_000;

/// Counts the refused requests of each team and network.
#[derive(Clone, Debug)]
pub(crate) struct RefusedRequests {
    counts: Cache<Subject, Arc<Mutex<Count>>>,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    window_start: i64,
    refused: u32,
}

impl Default for RefusedRequests {
    fn default() -> Self {
        let counts = Cache::builder().max_capacity(CAPACITY);
        Self { counts: counts.eviction_policy(EvictionPolicy::lru()).build() }
    }
}

impl RefusedRequests {
    /// Counts a refused request of an operation of this group. Returns what to answer instead if the limit was reached before.
    pub(crate) fn count(
        &self,
        subject: &Subject,
        group: RateGroup,
        now: Timestamp,
    ) -> Option<Problem> {
        let window_start = WINDOW.start(now);
        let new = || Arc::new(Mutex::new(Count { window_start, refused: 0 }));
        let count = self.counts.get_with_by_ref(subject, new);
        let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
        if count.window_start != window_start {
            *count = Count { window_start, refused: 0 };
        }
        if count.refused < limit(subject) {
            count.refused += 1;
            return None;
        }
        Some(exceeded(subject, group, now))
    }

    /// Whether the limit of the network of this address is reached.
    pub(crate) fn is_exhausted(&self, address: IpAddr, now: Timestamp) -> bool {
        let network = network_of(address);
        let count = self.counts.get(&network);
        count.is_some_and(|it| {
            let count = *it.lock().unwrap_or_else(PoisonError::into_inner);
            count.window_start == WINDOW.start(now) && count.refused >= limit(&network)
        })
    }
}

/// By whom the refused requests of a client without a valid credential are counted.
pub(crate) fn network_of(address: IpAddr) -> Subject {
    Subject::Network(Network::from(address).block())
}

fn limit(subject: &Subject) -> u32 {
    match subject {
        Subject::Network(_) => MAX_PER_NETWORK,
        Subject::Team(_) | Subject::FreeTeams(_) => MAX_PER_TEAM,
    }
}

fn exceeded(subject: &Subject, group: RateGroup, now: Timestamp) -> Problem {
    let (limit, retry_after) = (limit(subject), WINDOW.seconds_to_reset(now));
    let of = match subject {
        Subject::Network(network) => format!("from the network {network}"),
        Subject::Team(_) => "of a team".to_owned(),
        Subject::FreeTeams(_) => "of all Free teams that one user has created".to_owned(),
    };
    let detail = format!(
        "{limit} refused requests (401, 403, unknown paths and methods) {of} are answered per {}; requests that are not \
         refused still work",
        WINDOW.word()
    );
    Problem::new(&RATE_LIMIT_EXCEEDED, detail)
        .with("group", group)
        .with("window", WINDOW.header())
        .with("limit", limit)
        .with("retryAfterSeconds", retry_after)
        .with("violatedPolicies", [REFUSED_REQUESTS])
}

#[cfg(test)]
mod tests {
    use auth::TeamId;
    use jiff::ToSpan;

    use super::*;

    const NOW: Timestamp = Timestamp::constant(1_795_177_800, 0);

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    fn team(id: impl ToString) -> Subject {
        Subject::Team(TeamId(id.to_string()))
    }

    #[test]
    fn exactly_the_limit_is_answered_in_each_hour_and_others_are_not_affected() {
        let requests = RefusedRequests::default();
        let group = RateGroup::SearchRead;
        let network = network_of(address("192.0.2.1"));
        for (subject, limit) in [(network, MAX_PER_NETWORK), (team("one"), MAX_PER_TEAM)] {
            let answered = |now| {
                (0..limit + 50).filter(|_| requests.count(&subject, group, now).is_none()).count()
            };
            assert_eq!(answered(NOW), limit as usize);
            assert_eq!(answered(NOW + 1.minute()), 0);
            assert_eq!(answered(NOW + 1.hour()), limit as usize);
        }
        let later = NOW + 1.hour();
        assert!(requests.is_exhausted(address("192.0.2.255"), later));
        assert!(!requests.is_exhausted(address("192.0.2.255"), later + 1.hour()));
        assert!(!requests.is_exhausted(address("192.0.3.1"), later));
        assert!(requests.count(&team("other"), group, later).is_none());
    }

    #[test]
    fn the_memory_is_bounded_and_the_newest_are_remembered() {
        let requests = RefusedRequests::default();
        let count = |subject: &Subject| requests.count(subject, RateGroup::Public, NOW).is_some();
        for number in 0..3 * CAPACITY {
            count(&team(number));
        }
        requests.counts.run_pending_tasks();
        assert!(requests.counts.entry_count() <= CAPACITY);
        let newest = team(3 * CAPACITY - 1);
        assert_eq!((1..MAX_PER_TEAM).filter(|_| count(&newest)).count(), 0);
        assert!(count(&newest), "its first refusal was counted");
    }
}
