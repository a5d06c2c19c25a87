//! The keys of all items: the data model.
//!
//! | Table | Item | Partition | Sort |
//! |---|---|---|---|
//! | registry | company record | `COMPANY#{uid}` | `RECORD` |
//! | registry | fact | `COMPANY#{uid}` | `FACT#{published}#{source}#{fingerprint}` |
//! | registry | part of a company's history | `COMPANY#{uid}` | `HISTORY#{part}` |
//! | registry | company with events that are not yet in the feed | `OUTBOX#{shard}` | `{uid}` |
//! | registry | block of 100 events of the feed | `FEED#{block}` | `BLOCK` |
//! | registry | end of the feed | `FEED` | `END` |
//! | registry | news item of any company | `NEWS#{month}` | `{published}#{company}#{fingerprint}` |
//! | registry | status of a source | `SOURCE#{source}` | `STATUS` |
//! | tenants | team | `TEAM#{team}` | `TEAM` |
//! | tenants | API key | `TEAM#{team}#{environment}` | `API-KEY#{id}` |
//! | tenants | review of a change by a team | `TEAM#{team}#{environment}` | `REVIEW#{change}` |
//! | tenants | location of the record of a presented key | `KEY#{key id}` | `KEY` |
//! | tenants | idempotent request | `TEAM#{team}#{environment}` | `IDEMPOTENCY#{route}#{hash of the key}` |
//! | counters | requests in a rate-limit window | `COUNT#{subject}#{group}#{window start}` | `COUNT` |
//! | counters | failed verifications | `FAILURES#{subject}#{minute}` | `COUNT` |

use access::{Environment, RateGroup};
use auth::{Caller, KeyId, TeamId};
use domain::Uid;
use facts::Fact;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use statements::Source;
use uuid::Uuid;

/// The primary key of an item.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    pub partition: String,
    pub sort: String,
}

impl Key {
    fn new(partition: String, sort: impl Into<String>) -> Self {
        Self { partition, sort: sort.into() }
    }
}

/// The partition of one team in one environment. Every tenant key is built from it. A request gets it from
/// its verified caller only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TeamKey {
    team: TeamId,
    environment: Environment,
}

impl TeamKey {
    /// The partition that a caller may access: its team's, in the environment of its key.
    pub fn of(caller: &Caller) -> Self {
        Self { team: caller.team().clone(), environment: caller.environment() }
    }

    /// The partition of any team, for setting up a deployment. `clippy.toml` forbids it in request handlers.
    pub fn as_operator(team: TeamId, environment: Environment) -> Self {
        Self { team, environment }
    }

    /// The partition that holds the record of a presented key. Gives no right to read anything else.
    pub(crate) fn of_presented_key(team: TeamId, environment: Environment) -> Self {
        Self { team, environment }
    }

    pub fn team(&self) -> &TeamId {
        &self.team
    }

    pub fn environment(&self) -> Environment {
        self.environment
    }

    fn partition(&self) -> String {
        format!("TEAM#{}#{}", self.team, self.environment)
    }
}

pub fn company(uid: Uid) -> Key {
    Key::new(partition_of(uid), RECORD)
}

/// Sort key of company records.
pub const RECORD: &str = "RECORD";

/// Sorted by publication date, the order in which facts are folded.
pub fn fact(fact: &Fact) -> Key {
    let published = fact.published.map(|it| it.to_string()).unwrap_or_default();
    let sort = format!("FACT#{published}#{}#{}", fact.source, fact.fingerprint);
    Key::new(partition_of(fact.uid), sort)
}

/// Prefix of the [`fact`] keys of one company.
pub fn facts(uid: Uid) -> Key {
    Key::new(partition_of(uid), "FACT#")
}

/// Key of one part of a history. The first part holds the revision of the whole history.
pub fn history(uid: Uid, part: usize) -> Key {
    Key::new(partition_of(uid), format!("{HISTORY}{part:03}"))
}

/// Prefix of the sort keys of history parts.
pub const HISTORY: &str = "HISTORY#";

/// Prefix of the [`history`] keys of one company.
pub fn histories(uid: Uid) -> Key {
    Key::new(partition_of(uid), HISTORY)
}

/// Number of partitions of the outbox.
pub const OUTBOX_SHARDS: u32 = 16;

pub fn outbox(uid: Uid) -> Key {
    Key::new(format!("OUTBOX#{}", uid.number() % OUTBOX_SHARDS), uid.to_string())
}

/// Prefix of the [`outbox`] keys of one shard.
pub fn outbox_shard(shard: u32) -> Key {
    Key::new(format!("OUTBOX#{shard}"), "CHE-")
}

pub fn feed_block(block: u64) -> Key {
    Key::new(format!("FEED#{block}"), "BLOCK")
}

pub fn feed_end() -> Key {
    Key::new("FEED".to_owned(), "END")
}

/// Sorted by publication time, which is written with a fixed length.
pub fn news(published: Timestamp, uid: Uid, fingerprint: &str) -> Key {
    let sort = format!("{}#{uid}#{fingerprint}", news_moment(published));
    Key::new(news_of_month(published.to_zoned(TimeZone::UTC).date()), sort)
}

/// Partition of the news published in the month of `day`.
pub fn news_of_month(day: Date) -> String {
    format!("NEWS#{}", day.strftime("%Y-%m"))
}

/// Start of the sort key of news published at this time.
pub fn news_moment(published: Timestamp) -> String {
    published.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn partition_of(uid: Uid) -> String {
    format!("COMPANY#{uid}")
}

pub fn source_status(source: Source) -> Key {
    Key::new(format!("SOURCE#{source}"), "STATUS")
}

pub fn team(team: &TeamId) -> Key {
    Key::new(format!("TEAM#{team}"), "TEAM")
}

pub fn api_key(team: &TeamKey, id: &str) -> Key {
    Key::new(team.partition(), format!("API-KEY#{id}"))
}

/// Prefix of the [`api_key`] keys of one team and environment.
pub fn api_keys(team: &TeamKey) -> Key {
    Key::new(team.partition(), "API-KEY#")
}

pub fn change_review(team: &TeamKey, change: Uuid) -> Key {
    Key::new(team.partition(), format!("REVIEW#{change}"))
}

pub fn presented_key(id: &KeyId) -> Key {
    Key::new(format!("KEY#{id}"), "KEY")
}

pub fn idempotent_request(team: &TeamKey, route: &str, key_hash: &str) -> Key {
    Key::new(team.partition(), format!("IDEMPOTENCY#{route}#{key_hash}"))
}

pub fn count(subject: &str, group: RateGroup, window_start: i64) -> Key {
    Key::new(format!("COUNT#{subject}#{group}#{window_start}"), "COUNT")
}

pub fn failures(subject: &str, minute: i64) -> Key {
    Key::new(format!("FAILURES#{subject}#{minute}"), "COUNT")
}
