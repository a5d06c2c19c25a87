//! Whether the domains of teams are still theirs, for ID tokens. Their users do not sign in here, so nothing else looks up the
//! records.
//!
//! Invariant: a process looks up a record at most once in [`LOOK_UP_INTERVAL`], however many tokens are presented.

use std::time::Duration;

use auth::TeamId;
use jiff::{SignedDuration, Timestamp};
use moka::future::Cache;
use network::dns::Dns;
use store::Tenants;
use teams::{Check, DomainStatus, SingleSignOn};

/// How soon a process looks up a record again that it has not found.
const LOOK_UP_INTERVAL: SignedDuration = SignedDuration::from_mins(10);
/// Maximum number of domains that a process remembers.
const CAPACITY: u64 = 1_000;

/// Looks up the records of domains. Clones share what is known.
#[derive(Clone, Debug)]
pub(crate) struct Domains {
    tenants: Tenants,
    dns: Dns,
    /// What look-ups have shown, by challenge and interval.
    known: Cache<String, Check>,
}

impl Domains {
    pub(crate) fn new(tenants: Tenants, dns: Dns) -> Self {
        let interval = Duration::from_secs(LOOK_UP_INTERVAL.as_secs().unsigned_abs());
        let known = Cache::builder().max_capacity(CAPACITY).time_to_live(interval).build();
        Self { tenants, dns, known }
    }

    /// Whether the domain with this name is verified: its record is looked up once a day, and the domain counts for seven days
    /// after it was seen last.
    pub(crate) async fn is_verified(
        &self,
        settings: &SingleSignOn,
        team: &TeamId,
        name: &str,
        now: Timestamp,
    ) -> Result<bool, store::Error> {
        let Some(domain) = settings.domain(name) else { return Ok(false) };
        if !domain.is_due(now) {
            return Ok(domain.status() == DomainStatus::Verified);
        }
        let domain = domain.seen(self.tenants.domain_seen_at(team, domain).await?);
        if !domain.is_due(now) {
            return Ok(true);
        }
        let interval = now.as_second() / LOOK_UP_INTERVAL.as_secs();
        let look_up = async {
            let check = match self.dns.texts(&domain.record_name()).await {
                Ok(texts) => domain.check(&texts),
                Err(failure) => {
                    tracing::warn!(failure = errors::chain(&failure), "look-up failed");
                    Check::NotAnswered
                }
            };
            if check == Check::Found
                && let Err(failure) = self.tenants.put_domain_seen(team, &domain, now).await
            {
                tracing::warn!(failure = errors::chain(&failure), "seen record not stored");
            }
            check
        };
        let key = format!("{}#{interval}", domain.challenge);
        let check = self.known.get_with(key, look_up).await;
        Ok(domain.after(check, now).status() == DomainStatus::Verified)
    }
}
