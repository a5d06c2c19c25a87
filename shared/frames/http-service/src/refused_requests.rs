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
/// Number of unknown API keys from a network above its limit for which a process looks in an hour. A key that the process does not
/// know yet may be valid, so that those of others in the network still work.
const MAX_LOOKUPS: u32 = 600;
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

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    window_start: i64,
    refused: u32,
    /// API keys that were looked for and not found since the limit was reached.
    lookups: u32,
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
        let new = || Arc::new(Mutex::new(Count { window_start, ..Count::default() }));
        let count = self.counts.get_with_by_ref(subject, new);
        let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
        if count.window_start != window_start {
            *count = Count { window_start, ..Count::default() };
        }
        if count.refused < limit(subject) {
            count.refused += 1;
            return None;
        }
        Some(exceeded(subject, group, now))
    }

    /// Whether the limit of the network of this address is reached.
    pub(crate) fn is_exhausted(&self, address: IpAddr, now: Timestamp) -> bool {
        self.of_exhausted(address, now, |_| ()).is_some()
    }

    /// Whether an API key is looked for that a client at this address presents and that the process does not know.
    pub(crate) fn may_look_up(&self, address: IpAddr, now: Timestamp) -> bool {
        self.of_exhausted(address, now, |it| it.lookups < MAX_LOOKUPS).unwrap_or(true)
    }

    /// Counts an API key that was looked for and not found.
    pub(crate) fn count_lookup(&self, address: IpAddr, now: Timestamp) {
        self.of_exhausted(address, now, |it| it.lookups += 1);
    }

    /// What the function returns for the count of the network of this address, if the limit of the network is reached.
    fn of_exhausted<T>(
        &self,
        address: IpAddr,
        now: Timestamp,
        of: impl FnOnce(&mut Count) -> T,
    ) -> Option<T> {
        let network = network_of(address);
        let count = self.counts.get(&network)?;
        let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
        let is_exhausted =
            count.window_start == WINDOW.start(now) && count.refused >= limit(&network);
        is_exhausted.then(|| of(&mut count))
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
    fn unknown_keys_are_looked_for_without_limit_until_the_limit_of_their_network_is_reached() {
        let requests = RefusedRequests::default();
        let network = network_of(address("192.0.2.1"));
        let may = |number: u32| {
            (0..number).all(|_| {
                requests.count_lookup(address("192.0.2.9"), NOW);
                requests.may_look_up(address("192.0.2.9"), NOW)
            })
        };
        assert!(may(2 * MAX_LOOKUPS));
        for _ in 0..MAX_PER_NETWORK {
            requests.count(&network, RateGroup::Public, NOW);
        }
        assert!(may(MAX_LOOKUPS - 1) && !may(1));
        assert!(requests.may_look_up(address("192.0.3.9"), NOW));
        assert!(requests.may_look_up(address("192.0.2.9"), NOW + 1.hour()));
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
