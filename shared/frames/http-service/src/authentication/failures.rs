//! Limits of failed attempts: they are counted by network and by presented key.

use std::net::IpAddr;

use access::{NETWORKS_PER_SITE, Network};
use auth::ApiKey;
use jiff::Timestamp;
use store::Subject;

use super::{Authenticator, Rejected};

/// Maximum number of failed verifications of one key in a minute, from all addresses together. High,
/// because anybody who knows the public part of a key could lock out its owner.
pub const MAX_FAILURES_PER_KEY: u32 = 1_000;
/// Maximum number of failed verifications from one address (IPv6: one /64) in a minute. A /48 has
/// [`NETWORKS_PER_SITE`] times as many.
///
/// It applies to each key alone, and to keys that do not exist and forged tokens together. So wrong keys do not block other
/// clients at the same address, whose keys exist.
pub const MAX_FAILURES_PER_ADDRESS: u32 = 20;
/// For keys that exist together, the maximum is this many times higher. It limits the processor time that an
/// attacker can use who knows the public parts of many keys.
pub const FACTOR_FOR_EXISTING_KEYS: u32 = 10;

impl Authenticator {
    pub(super) async fn failures(&self, subjects: &Subjects, now: Timestamp) -> Failures {
        // If the counters are unavailable, verification continues: they only limit attempts.
        let Ok(counts) = self.counters.failures(&subjects.all(), now).await else {
            return Failures::default();
        };
        let mut counts = counts.into_iter();
        let [network, site, key, key_from_network] =
            subjects.in_order().map(|it| it.and_then(|_| counts.next()).unwrap_or(0));
        Failures { key, key_from_network, network, site }
    }

    pub(super) async fn record_failure(&self, subjects: &Subjects, now: Timestamp) {
        for subject in subjects.all() {
            if let Err(failure) = self.counters.record_failure(&subject, now).await {
                tracing::error!(
                    metric = "MeteringFailure",
                    failure = errors::chain(&failure),
                    "failed attempt not counted"
                );
            }
        }
    }
}

/// Whose failed verifications are counted.
pub(super) struct Subjects {
    /// The network of the client.
    network: String,
    /// The /48 of the client.
    site: Option<String>,
    /// The presented key, and the same from the network of the client.
    key: Option<[String; 2]>,
}

impl Subjects {
    /// For a session token, which names no key of a client.
    pub(super) fn of_address(address: IpAddr) -> Self {
        let network = Network::from(address);
        let of_network = |it: Network| Subject::Network(it).to_string();
        Self { network: of_network(network), site: network.site().map(of_network), key: None }
    }

    pub(super) fn of(presented: &ApiKey, address: IpAddr) -> Self {
        let subjects = Self::of_address(address);
        let key = format!("key#{}", presented.id);
        let key_from_network = format!("{key}#{}", subjects.network);
        Self { key: Some([key, key_from_network]), ..subjects }
    }

    /// The subjects that exist: network, site, key, key from the network.
    fn in_order(&self) -> [Option<&String>; 4] {
        let key = |index: usize| self.key.as_ref().map(|it| &it[index]);
        [Some(&self.network), self.site.as_ref(), key(0), key(1)]
    }

    fn all(&self) -> Vec<String> {
        self.in_order().into_iter().flatten().cloned().collect()
    }
}

/// Failed verifications in the current minute.
#[derive(Default)]
pub(super) struct Failures {
    /// Of the presented key.
    key: u32,
    /// Of the presented key, from the network of the client.
    key_from_network: u32,
    /// Of all keys, from the network of the client.
    network: u32,
    /// Of all keys, from the /48 of the client.
    site: u32,
}

impl Failures {
    /// Checks the limits of the presented key.
    ///
    /// # Errors
    /// The limit that is reached.
    pub(super) fn check_key(&self) -> Result<(), u32> {
        below(self.key, MAX_FAILURES_PER_KEY)?;
        below(self.key_from_network, MAX_FAILURES_PER_ADDRESS)
    }

    /// Checks a multiple of the limits of the client's network.
    ///
    /// # Errors
    /// The limit that is reached.
    pub(super) fn check_network(&self, factor: u32) -> Result<(), u32> {
        below(self.network, factor * MAX_FAILURES_PER_ADDRESS)?;
        below(self.site, factor * MAX_FAILURES_PER_ADDRESS * NETWORKS_PER_SITE)
    }
}

/// The rejection because of a limit that is reached, until the next minute.
pub(super) fn too_many(now: Timestamp) -> impl Fn(u32) -> Rejected + Copy {
    let retry_after = 60 - now.as_second().rem_euclid(60);
    move |limit| Rejected::TooManyFailures { limit, retry_after }
}

fn below(failures: u32, limit: u32) -> Result<(), u32> {
    if failures < limit { Ok(()) } else { Err(limit) }
}
