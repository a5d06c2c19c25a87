//! Every key in the tables. To see the data model, read this file.
//!
//! | Table | Item | Partition | Sort |
//! |---|---|---|---|
//! | registry | company record | `COMPANY#{uid}` | `RECORD` |
//! | registry | fact | `COMPANY#{uid}` | `FACT#{published}#{source}#{fingerprint}` |
//! | registry | part of a company's history | `COMPANY#{uid}` | `HISTORY#{part}` |
//! | registry | company whose events wait for their place in the feed | `OUTBOX#{shard}` | `{uid}` |
//! | registry | a hundred events of the feed | `FEED#{block}` | `BLOCK` |
//! | registry | the end of the feed | `FEED` | `END` |
//! | registry | piece of news, of whichever company | `NEWS#{month}` | `{published}#{company}#{fingerprint}` |
//! | registry | state of a source | `SOURCE#{source}` | `STATUS` |
//! | tenants | team | `TEAM#{team}` | `TEAM` |
//! | tenants | API key | `TEAM#{team}#{environment}` | `API-KEY#{id}` |
//! | tenants | change that a team has looked at | `TEAM#{team}#{environment}` | `REVIEW#{change}` |
//! | tenants | the way from a presented key to its record | `KEY#{key id}` | `KEY` |
//! | tenants | idempotent request | `TEAM#{team}#{environment}` | `IDEMPOTENCY#{route}#{hash of the key}` |
//! | counters | requests of a window | `COUNT#{subject}#{group}#{window start}` | `COUNT` |
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

/// The data of one team in one environment. Every tenant key is built from one, and a request gets
/// one from its verified caller only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TeamKey {
    team: TeamId,
    environment: Environment,
}

impl TeamKey {
    /// The data that a caller may see: its team's, in the environment of its key.
    pub fn of(caller: &Caller) -> Self {
        Self { team: caller.team().clone(), environment: caller.environment() }
    }

    /// The data of any team, for whoever sets a deployment up. Not for a request: `clippy.toml`
    /// says so.
    pub fn as_operator(team: TeamId, environment: Environment) -> Self {
        Self { team, environment }
    }

    /// Where the record of a presented key lies; not yet anybody's right to read anything else.
    pub(crate) fn way_to(team: TeamId, environment: Environment) -> Self {
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

/// The sort key of every company record.
pub const RECORD: &str = "RECORD";

/// Sorted by day of publication, as facts are folded.
pub fn fact(fact: &Fact) -> Key {
    let published = fact.published.map(|it| it.to_string()).unwrap_or_default();
    let sort = format!("FACT#{published}#{}#{}", fact.source, fact.fingerprint);
    Key::new(partition_of(fact.uid), sort)
}

/// The start of every [`fact`] key of one company.
pub fn facts(uid: Uid) -> Key {
    Key::new(partition_of(uid), "FACT#")
}

/// The first part bears the revision of the company's history.
pub fn history(uid: Uid, part: usize) -> Key {
    Key::new(partition_of(uid), format!("{HISTORY}{part:03}"))
}

/// The start of the sort key of every part of a history.
pub const HISTORY: &str = "HISTORY#";

/// The start of every [`history`] key of one company.
pub fn histories(uid: Uid) -> Key {
    Key::new(partition_of(uid), HISTORY)
}

/// How many partitions the outbox has.
pub const OUTBOX_SHARDS: u32 = 16;

pub fn outbox(uid: Uid) -> Key {
    Key::new(format!("OUTBOX#{}", uid.number() % OUTBOX_SHARDS), uid.to_string())
}

/// The start of every [`outbox`] key of one shard.
pub fn outbox_shard(shard: u32) -> Key {
    Key::new(format!("OUTBOX#{shard}"), "CHE-")
}

pub fn feed_block(block: u64) -> Key {
    Key::new(format!("FEED#{block}"), "BLOCK")
}

pub fn feed_end() -> Key {
    Key::new("FEED".to_owned(), "END")
}

/// Sorted by the moment of publication, of which all have the same length.
pub fn news(published: Timestamp, uid: Uid, fingerprint: &str) -> Key {
    let sort = format!("{}#{uid}#{fingerprint}", news_moment(published));
    Key::new(news_of_month(published.to_zoned(TimeZone::UTC).date()), sort)
}

/// The partition of the news of a day's month.
pub fn news_of_month(day: Date) -> String {
    format!("NEWS#{}", day.strftime("%Y-%m"))
}

/// The beginning of the sort key of what was published at this moment.
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

/// The start of every [`api_key`] key of one team and environment.
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
