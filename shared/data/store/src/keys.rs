//! The keys of all items: the data model.
//!
//! | Table | Item | Partition | Sort |
//! |---|---|---|---|
//! | registry | company record | `COMPANY#{uid}` | `RECORD` |
//! | registry | sources of the members of the record | `COMPANY#{uid}` | `PROOFS` |
//! | registry | fact that the record is folded from | `COMPANY#{uid}` | `FACT#{source}#{published}#{fingerprint}` |
//! | registry | news item about a company | `COMPANY#{uid}` | `NEWS#{time}#{fingerprint}` |
//! | registry | disclosure of a shareholding | `COMPANY#{uid}` | `SHAREHOLDING#{published}#{fingerprint}` |
//! | registry | short history of a company, or the contents of a long one | `COMPANY#{uid}` | `HISTORY#000` |
//! | registry | part of a long history | `COMPANY#{uid}` | `HISTORY#{section}#{part}` |
//! | registry | company with events that are not yet in the feed | `OUTBOX#{shard}` | `{uid}` |
//! | registry | company whose record or history was written on a day | `CHANGED#{day}#{shard}` | `{uid}` |
//! | registry | events of the feed: 100 sequence numbers in a partition, in items of limited size | `FEED#{(sequence - 1) / 100}` | `EVENTS#{first sequence}` |
//! | registry | event of the feed, by its id | `EVENT#{id}` | `EVENT` |
//! | registry | end of the feed | `FEED` | `END` |
//! | registry | news item of any company | `NEWS#{month}` | `{published}#{company}#{fingerprint}` |
//! | registry | status of a source | `SOURCE#{source}` | `STATUS` |
//! | registry | runs that change companies | `RUNS` | `RUN#{name}` |
//! | registry | key of the hashes in the list of erasures | `ERASED` | `HASH-KEY` |
//! | registry | erased company or person | `ERASED` | `LIST#{kind}#{hash}` |
//! | registry | version of that list, on which writes about some companies are conditional | `ERASED` | `VERSION#{shard}` |
//! | registry | job that is done | `JOB#{id}` | `DONE` |
//! | tenants | team | `TEAM#{team}` | `TEAM` |
//! | tenants | subscriptions of a team | `SUBSCRIPTION#{team}` | `SUBSCRIPTION` |
//! | tenants | event of the payment provider that is done | `PAYMENT-EVENT#{id}` | `DONE` |
//! | tenants | entry of the audit log, before the operation | `AUDIT#{team}#{environment}` | `ENTRY#{id}` |
//! | tenants | outcome of the operation | `AUDIT#{team}#{environment}` | `ENTRY#{id}#OUTCOME` |
//! | tenants | name of a team | `TEAM#{team}#live` | `TEAM` |
//! | tenants | who created a team | `TEAM#{team}#live` | `CREATOR` |
//! | tenants | number of owners of a team | `TEAM#{team}#live` | `OWNERS` |
//! | tenants | API key | `TEAM#{team}#{environment}` | `API-KEY#{id}` |
//! | tenants | resource of a team | `TEAM#{team}#{environment}` | `{kind}#{path}` |
//! | tenants | copy of a tag, by its folded name | `TEAM#{team}#{environment}` | `TAGGED#{name}#{uid}` |
//! | tenants | copy of a pipeline entry, by company | `TEAM#{team}#{environment}` | `PIPELINE-COMPANY#{pipeline}#{uid}` |
//! | tenants | personal settings | `TEAM#{team}#{environment}` | `SETTINGS#{owner}` |
//! | tenants | number of resources of a kind | `TEAM#{team}#{environment}` | `NUMBER#{kind}#{container}` |
//! | tenants | copy of a watchlist, by its folded name | `TEAM#{team}#{environment}` | `WATCHLIST-NAME#{name}` |
//! | tenants | copy of a watchlist, for the delivery | `NOTIFICATIONS#{team}#{environment}` | `WATCHLIST#{id}` |
//! | tenants | copy of a watch, by company | `WATCHED#{uid}` | `BY#{team}#{environment}#WATCH` |
//! | tenants | copy of a company in a watchlist, by company | `WATCHED#{uid}` | `BY#{team}#{environment}#WATCHLIST#{id}` |
//! | tenants | copy of a watch, among those of all teams | `WATCHED#ALL#{shard}` | `{uid}#{team}#{environment}#WATCH` |
//! | tenants | copy of a company in a watchlist, among those of all teams | `WATCHED#ALL#{shard}` | `{uid}#{team}#{environment}#WATCHLIST#{id}` |
//! | tenants | copy of a webhook that names a company, by company | `WATCHED#{uid}` | `BY#{team}#{environment}#WEBHOOK#{id}` |
//! | tenants | copy of a webhook about companies of a team | `WEBHOOKS#{team}#{environment}` | `WEBHOOK#{id}` |
//! | tenants | copy of a webhook that gets hits of screenings | `WEBHOOKS#{team}#{environment}` | `HITS#{id}` |
//! | tenants | copy of a webhook about all companies | `WEBHOOKS` | `WEBHOOK#{team}#{environment}#{id}` |
//! | tenants | delivery to a webhook | `WEBHOOK#{team}#{environment}#{id}` | `DELIVERY#{delivery}` |
//! | tenants | delivery that waits for its next attempt, with what is sent | `WEBHOOK#{team}#{environment}#{id}` | `PENDING#{due time}#{delivery}` |
//! | tenants | state of a webhook's receiver | `WEBHOOK#{team}#{environment}#{id}` | `STATE` |
//! | tenants | replay that is not finished | `WEBHOOK#{team}#{environment}#{id}` | `REPLAY` |
//! | tenants | webhook that may have a delivery that is due | `WEBHOOK-DUE#{shard}` | `{due time}#{team}#{environment}#{id}` |
//! | tenants | progress of the delivery in the change feed | `DELIVERY` | `CURSOR` |
//! | tenants | notification | `NOTIFICATIONS#{team}#{environment}` | `NOTIFICATION#{id}` |
//! | tenants | number of notifications of a day; of those, number of unread ones | `NOTIFICATIONS#{team}#{environment}` | `NUMBER#{day}#ALL`, `NUMBER#{day}#UNREAD` |
//! | tenants | notification preferences | `NOTIFICATIONS#{team}#{environment}` | `PREFERENCES#{owner}` |
//! | tenants | notification that waits to be sent by e-mail | `NOTIFICATIONS#{team}#{environment}` | `PENDING-MAIL#{owner}#{notification}` |
//! | tenants | mark of a notification that was queued to be sent | `NOTIFICATIONS#{team}#{environment}` | `QUEUED-MAIL#{owner}#{notification}` |
//! | tenants | last digest | `NOTIFICATIONS#{team}#{environment}` | `DIGEST#{owner}` |
//! | tenants | news of single sign-on that not all owners were told yet | `NOTIFICATIONS#{team}#live` | `SSO-NEWS#{id}` |
//! | tenants | version of the list of API keys | `TEAM#{team}#{environment}` | `API-KEYS` |
//! | tenants | version of the list of invitations | `TEAM#{team}#{environment}` | `INVITATIONS` |
//! | tenants | review of a change by a team | `TEAM#{team}#{environment}` | `REVIEW#{change}` |
//! | tenants | saved search, alert or digest that is due | `DUE#{shard}` | `{due time}#{team}#{environment}#{kind}#{id}` |
//! | tenants | last run of a saved search or alert | `SEARCHES#{team}#{environment}` | `LAST-RUN#{kind}#{id}` |
//! | tenants | what the scheduled runs have found | `SEARCHES#{team}#{environment}` | `REPORTED#{kind}#{id}` |
//! | tenants | evidence of a screening | `SCREENING#{team}#{environment}` | `SCREENING#{id}` |
//! | tenants | decision about a hit of a screening | `SCREENING#{team}#{environment}` | `DECISION#{hash of subject and entry}` |
//! | tenants | dossier without its text | `DOSSIERS#{team}#{environment}` | `DOSSIER#{id}` |
//! | tenants | text of a dossier | `DOSSIERS#{team}#{environment}` | `TEXT#{id}` |
//! | tenants | copy of a dossier, by company | `DOSSIERS#{team}#{environment}` | `OF-COMPANY#{uid}#{id}` |
//! | tenants | number of dossiers | `DOSSIERS#{team}#{environment}` | `NUMBER#DOSSIER#` |
//! | tenants | copy of the dossier that is being written for a request | `DOSSIERS#{team}#{environment}` | `RUNNING#{request}` |
//! | tenants | subject that a team monitors | `SUBJECTS#{team}#{environment}` | `MONITORED#{id}` |
//! | tenants | copy of such a subject, by who it is | `SUBJECTS#{team}#{environment}` | `IDENTITY#{hash of the subject}` |
//! | tenants | last screenings of such a subject | `SUBJECTS#{team}#{environment}` | `LAST#{id}` |
//! | tenants | mark of such a subject that could not be screened after an update | `SUBJECTS#{team}#{environment}` | `FAILED#{id}#{list}` |
//! | tenants | number of such subjects | `SUBJECTS#{team}#{environment}` | `NUMBER#MONITORED#` |
//! | tenants | copy of such a subject, among those of all teams | `SUBJECTS#{shard}` | `{team}#{environment}#{id}` |
//! | tenants | hits of a watched company or its officer of which a team was notified | `SUBJECTS#{team}#{environment}` | `NOTIFIED#{list}#{uid}#{uid or person}` |
//! | tenants | version of a list with which all subjects and watched companies were screened again | `RESCREENED` | `{list}` |
//! | tenants | mark of a watched company that could not be compared after updates | `RESCREENED#{list}` | `{uid}` |
//! | tenants | export | `EXPORTS#{team}#{environment}` | `EXPORT#{id}` |
//! | tenants | export that is due for the sweep at a time | `EXPORT-DUE` | `{time}#{team}#{environment}#{id}` |
//! | tenants | single sign-on of a team | `TEAM#{team}#live` | `SSO` |
//! | tenants | client secret for the identity provider of a team | `TEAM#{team}#live` | `SSO-SECRET` |
//! | tenants | copy of an identity, by user | `TEAM#{team}#live` | `SSO-USER#{user}` |
//! | tenants | when the record of a domain was seen, since the settings say so | `TEAM#{team}#live` | `SSO-SEEN#{challenge}` |
//! | tenants | team that has verified a domain | `SSO#DOMAIN#{domain}` | `DOMAIN` |
//! | tenants | identity: a user's account at an identity provider | `SSO#IDENTITY#{subject}` | `IDENTITY` |
//! | tenants | sign-in that a browser has started | `SSO#ATTEMPT#{hash of the state}` | `ATTEMPT` |
//! | tenants | account at a provider that waits for the confirmation of a user | `SSO#ATTEMPT#{hash of the token}` | `CONFIRMATION` |
//! | tenants | ID token that its user has signed out with | `SSO#ENDED#{id of the token}` | `ENDED` |
//! | tenants | user | `USER#{user}` | `USER` |
//! | tenants | copy of a membership, by user | `USER#{user}` | `TEAM#{team}` |
//! | tenants | number of teams of a user | `USER#{user}` | `TEAMS` |
//! | tenants | when all sessions of a user were ended | `USER#{user}` | `SESSIONS-ENDED` |
//! | tenants | when those in a team were ended | `USER#{user}` | `SESSIONS-ENDED#{team}` |
//! | tenants | user with an e-mail address | `EMAIL#{address}` | `USER` |
//! | tenants | what the mail servers have said about an address that gets fewer mails or none | `SUPPRESSED#{hash of the address}` | `SUPPRESSED` |
//! | tenants | sign-in link | `MAGIC-LINK#{hash of the token}` | `MAGIC-LINK` |
//! | tenants | link that confirms an address or ends mails | `MAIL-LINK#{hash of the token}` | `MAIL-LINK` |
//! | tenants | copy of an invitation, by its token | `INVITATION#{hash of the token}` | `INVITATION` |
//! | tenants | session | `SESSION#{id}` | `SESSION` |
//! | tenants | public keys that verify session tokens | `SESSION-KEYS` | `SESSION-KEYS` |
//! | tenants | location of the record of a presented key | `KEY#{key id}` | `KEY` |
//! | tenants | idempotent request of a user or an API key | `IDEMPOTENCY#{team}#{environment}` | `{sender}#{route}#{hash of the key}` |
//! | tenants | erased user, team or address | `ERASED#{hash of kind and id}` | `ERASED` |
//! | tenants | key of the hashes of addresses in that list | `ERASED#KEY` | `HASH-KEY` |
//! | tenants | erasure that is not finished | `ERASING` | `ERASURE#{kind}#{id}` |
//! | tenants | progress of the search for what erased users and teams have left | `ERASING` | `SWEEP` |
//! | counters | requests in a rate-limit window | `COUNT#{subject}#{group}#{window start}` | `COUNT` |
//! | counters | subjects of screenings on a day | `SCREENED#{subject}#{start of the day}` | `COUNT` |
//! | counters | mails of a sender or recipient | `MAILS#{subject}#{window start}` | `COUNT` |
//! | counters | deliveries to webhooks on a day | `DELIVERIES#{subject}#{start of the day}` | `COUNT` |
//! | counters | failed verifications | `FAILURES#{subject}#{minute}` | `COUNT` |
//!
//! [`erasures`](crate::erasures) says of each item what becomes of it when its user or team is erased.
//!
//! `template.yaml` restricts what functions write to the table of tenants by the beginning of the partition, so items that
//! different functions write have different beginnings.

use access::{Environment, RateGroup};
use auth::{Caller, Email, KeyId, Owner, Principal, PrincipalKind, SubjectId, TeamId, TokenHash};
use domain::{Source, Uid, lists::List, statements::Statement};
use facts::Fact;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use teams::{MailDomain, SearchKind, SsoDomain, StoredSearch, Task, Watcher};
use uuid::Uuid;

use crate::kind::Kind;

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

    /// The partition of a team that a schedule names.
    pub(crate) fn of_schedule(team: &TeamId, environment: Environment) -> Self {
        Self { team: team.clone(), environment }
    }

    /// The partition of a team that is erased, or whose member is.
    pub(crate) fn of_erasure(team: &TeamId, environment: Environment) -> Self {
        Self { team: team.clone(), environment }
    }

    /// The partition of a team that watches a company, for the delivery of its notifications.
    pub fn of_watcher(watcher: &Watcher) -> Self {
        Self { team: watcher.team.clone(), environment: watcher.environment }
    }

    /// The live partition of a team that a user signs in to or joins, or that has verified a domain.
    pub(crate) fn of_user(team: &TeamId) -> Self {
        Self { team: team.clone(), environment: Environment::Live }
    }

    /// The partition of the members of the team. A sandbox has none of its own.
    pub(crate) fn of_members(&self) -> Self {
        Self::of_user(&self.team)
    }

    /// The live partition of a team whose mail contains a link.
    pub(crate) fn of_mail_link(team: &TeamId) -> Self {
        Self { team: team.clone(), environment: Environment::Live }
    }

    /// The partition that contains an invitation whose token is presented.
    pub(crate) fn of_invitation(team: &TeamId, environment: Environment) -> Self {
        Self { team: team.clone(), environment }
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

/// What is read together with a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactKind {
    /// The record and the history are folded from it.
    Folded,
    News,
    Shareholding,
}

impl FactKind {
    pub const ALL: [Self; 3] = [Self::Folded, Self::News, Self::Shareholding];

    pub fn of(fact: &Fact) -> Self {
        match fact.statement {
            Statement::News(_) => Self::News,
            Statement::Shareholding(_) => Self::Shareholding,
            Statement::Shab(_)
            | Statement::Takeover(_)
            | Statement::Zefix(_)
            | Statement::Lindas(_)
            | Statement::Gleif(_)
            | Statement::GleifReport(_)
            | Statement::Finma(_)
            | Statement::Report(_) => Self::Folded,
        }
    }

    fn prefix(self) -> &'static str {
        match self {
            Self::Folded => "FACT#",
            Self::News => "NEWS#",
            Self::Shareholding => "SHAREHOLDING#",
        }
    }
}

/// Sorted by date within a kind, news by the second; folded facts by source first.
pub fn fact(fact: &Fact) -> Key {
    let published = match &fact.statement {
        Statement::News(item) => news_moment(item.published_at),
        _ => fact.published.map(|it| it.to_string()).unwrap_or_default(),
    };
    let (kind, fingerprint) = (FactKind::of(fact), &fact.fingerprint);
    let rest = match kind {
        FactKind::Folded => format!("{}#{published}#{fingerprint}", fact.source),
        FactKind::News | FactKind::Shareholding => format!("{published}#{fingerprint}"),
    };
    Key::new(partition_of(fact.uid), format!("{}{rest}", kind.prefix()))
}

/// Prefix of the [`fact`] keys of one company and kind.
pub fn facts(uid: Uid, kind: FactKind) -> Key {
    Key::new(partition_of(uid), kind.prefix())
}

/// Prefix of the [`fact`] keys of one company and source, of a source whose facts are folded.
pub fn facts_of(uid: Uid, source: Source) -> Key {
    Key::new(partition_of(uid), format!("{}{source}#", FactKind::Folded.prefix()))
}

/// Key of a history: all of it, or the contents of a long one. Sorts before the [`history_part`] keys. Holds the
/// revision of the whole history.
pub fn history(uid: Uid) -> Key {
    Key::new(partition_of(uid), format!("{HISTORY}000"))
}

/// Key of the sources of the members of a record.
pub fn proofs(uid: Uid) -> Key {
    Key::new(partition_of(uid), "PROOFS")
}

/// Key of one part of a long history.
pub fn history_part(uid: Uid, section: &str, part: usize) -> Key {
    Key::new(partition_of(uid), format!("{HISTORY}{section}#{part:03}"))
}

/// Prefix of the sort keys of histories and their parts.
pub const HISTORY: &str = "HISTORY#";

/// Prefix of the [`history`] and [`history_part`] keys of one company.
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

/// Number of partitions of the companies that changed on a day.
pub const CHANGED_SHARDS: u32 = 16;

/// A company that changed on a day.
pub fn changed(day: Date, uid: Uid) -> Key {
    let shard = uid.number() % CHANGED_SHARDS;
    Key::new(format!("CHANGED#{day}#{shard}"), uid.to_string())
}

/// Prefix of the [`changed`] keys of one day and shard.
pub fn changed_on(day: Date, shard: u32) -> Key {
    Key::new(format!("CHANGED#{day}#{shard}"), "CHE-")
}

/// Number of sequence numbers in a block, the partitions of the feed.
const FEED_BLOCK: u64 = 100;

/// The block of the event with this sequence number, which is at least 1.
pub fn feed_block(sequence: u64) -> u64 {
    (sequence - 1) / FEED_BLOCK
}

/// Key of the events of the feed from this sequence number on, up to the next such key.
pub fn feed_chunk(first: u64) -> Key {
    Key::new(format!("FEED#{}", feed_block(first)), format!("EVENTS#{first:020}"))
}

/// Prefix of the [`feed_chunk`] keys of one block.
pub fn feed_chunks(block: u64) -> Key {
    Key::new(format!("FEED#{block}"), "EVENTS#")
}

pub fn event(id: Uuid) -> Key {
    Key::new(format!("EVENT#{id}"), "EVENT")
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
    format!("{COMPANY}{uid}")
}

const COMPANY: &str = "COMPANY#";

/// The company number in the partition key of a company.
pub fn company_number(partition: &str) -> &str {
    partition.strip_prefix(COMPANY).unwrap_or(partition)
}

const ERASED_FROM_REGISTER: &str = "ERASED";

pub fn register_erasure_hash_key() -> Key {
    Key::new(ERASED_FROM_REGISTER.to_owned(), "HASH-KEY")
}

/// Number of versions of the list of erasures: writers of different companies seldom meet at the same one.
pub(crate) const ERASURE_SHARDS: u32 = 64;

/// Version of the list of erasures for a shard of the companies.
pub fn register_erasures_version(shard: u32) -> Key {
    Key::new(ERASED_FROM_REGISTER.to_owned(), format!("VERSION#{shard}"))
}

/// The [`register_erasures_version`] of a company.
pub(crate) fn register_erasures_version_of(uid: Uid) -> Key {
    register_erasures_version(uid.number() % ERASURE_SHARDS)
}

pub fn register_erasure(kind: facts::erasures::Kind, identity: &facts::erasures::Hash) -> Key {
    let kind = match kind {
        facts::erasures::Kind::Company => "COMPANY",
        facts::erasures::Kind::Person => "PERSON",
    };
    Key::new(ERASED_FROM_REGISTER.to_owned(), format!("LIST#{kind}#{}", identity.as_str()))
}

/// Prefix of all [`register_erasure`] keys.
pub fn register_erasures() -> Key {
    Key::new(ERASED_FROM_REGISTER.to_owned(), "LIST#")
}

pub fn source_status(source: Source) -> Key {
    Key::new(format!("SOURCE#{source}"), "STATUS")
}

/// The runs with this name: a source, or the update of locations.
pub fn run(name: &str) -> Key {
    Key::new("RUNS".to_owned(), format!("{RUN}{name}"))
}

const RUN: &str = "RUN#";

/// Prefix of all [`run`] keys.
pub fn runs() -> Key {
    Key::new("RUNS".to_owned(), RUN)
}

pub fn done_job(id: &str) -> Key {
    Key::new(format!("JOB#{id}"), "DONE")
}

/// Key of what is known about an erased user, team or address with this hash.
pub fn erased(hash: &str) -> Key {
    Key::new(format!("{ERASED}{hash}"), "ERASED")
}

/// Key of the hashes of addresses in the list of erasures.
pub fn erasure_hash_key() -> Key {
    Key::new(format!("{ERASED}KEY"), "HASH-KEY")
}

/// Beginning of the partitions of [`erased`].
pub(crate) const ERASED: &str = "ERASED#";

/// Key of an erasure that is not finished.
pub fn erasure(kind: &str, id: &str) -> Key {
    Key::new(ERASING.to_owned(), format!("{ERASURE}{kind}#{id}"))
}

const ERASING: &str = "ERASING";
const ERASURE: &str = "ERASURE#";

/// Prefix of all [`erasure`] keys.
pub fn erasures() -> Key {
    Key::new(ERASING.to_owned(), ERASURE)
}

/// Progress of the search for what erased users and teams have left.
pub fn sweep() -> Key {
    Key::new(ERASING.to_owned(), "SWEEP")
}

pub fn team(team: &TeamId) -> Key {
    Key::new(format!("TEAM#{team}"), "TEAM")
}

/// What a team has subscribed to, which only the function `payments` may change. Not next to the tier that the operator
/// has set, which no function may change.
pub fn subscriptions(team: &TeamId) -> Key {
    Key::new(format!("SUBSCRIPTION#{team}"), "SUBSCRIPTION")
}

/// Event of the payment provider that is done.
pub fn payment_event(id: &str) -> Key {
    Key::new(format!("PAYMENT-EVENT#{id}"), "DONE")
}

/// The name of a team. Not next to its tier, which no function may change.
pub fn team_name(team: &TeamKey) -> Key {
    Key::new(team.partition(), "TEAM")
}

/// Who created a team. Never changed.
pub fn creator(team: &TeamKey) -> Key {
    Key::new(team.partition(), "CREATOR")
}

/// Number of owners of a team.
pub fn owners(team: &TeamKey) -> Key {
    Key::new(team.partition(), "OWNERS")
}

pub fn user(id: &str) -> Key {
    Key::new(format!("USER#{id}"), "USER")
}

/// Copy of a membership.
pub fn team_of_user(user: &str, team: &TeamId) -> Key {
    Key::new(format!("USER#{user}"), format!("TEAM#{team}"))
}

/// Prefix of the [`team_of_user`] keys of one user.
pub fn teams_of_user(user: &str) -> Key {
    Key::new(format!("USER#{user}"), "TEAM#")
}

/// Number of teams of a user.
pub fn number_of_teams(user: &str) -> Key {
    Key::new(format!("USER#{user}"), "TEAMS")
}

pub fn email(address: &Email) -> Key {
    Key::new(format!("EMAIL#{address}"), "USER")
}

/// The hash: the list contains no addresses of persons.
pub fn suppressed(address: &Email) -> Key {
    Key::new(format!("SUPPRESSED#{}", address.hash()), "SUPPRESSED")
}

pub fn magic_link(token: &TokenHash) -> Key {
    Key::new(format!("MAGIC-LINK#{token}"), "MAGIC-LINK")
}

pub fn mail_link(token: &TokenHash) -> Key {
    Key::new(format!("MAIL-LINK#{token}"), "MAIL-LINK")
}

/// Copy of an invitation.
pub fn invitation(token: &TokenHash) -> Key {
    Key::new(format!("INVITATION#{token}"), "INVITATION")
}

/// When the sessions of a user were ended: all, or those in a team.
pub fn sessions_ended(user: &str, team: Option<&TeamId>) -> Key {
    let team = team.map(|it| format!("#{it}")).unwrap_or_default();
    Key::new(format!("USER#{user}"), format!("SESSIONS-ENDED{team}"))
}

pub fn session(id: &str) -> Key {
    Key::new(format!("SESSION#{id}"), "SESSION")
}

/// Single sign-on of a team, which has none in its sandbox.
pub fn single_sign_on(team: &TeamKey) -> Key {
    Key::new(team.partition(), "SSO")
}

/// Not next to the settings, which every function reads.
pub fn sso_client_secret(team: &TeamKey) -> Key {
    Key::new(team.partition(), "SSO-SECRET")
}

/// Copy of an identity.
pub fn sso_identity_of(team: &TeamKey, user: &str) -> Key {
    Key::new(team.partition(), format!("SSO-USER#{user}"))
}

/// Apart from the settings: functions that only verify ID tokens may write nothing else.
pub fn sso_domain_seen(team: &TeamKey, domain: &SsoDomain) -> Key {
    Key::new(team.partition(), format!("SSO-SEEN#{}", domain.challenge))
}

/// News for the owners of a team. The start of all these keys, without an id. Beside the mails that wait, because the worker that
/// sends them writes nothing else of the team.
pub fn sso_news(team: &TeamKey, id: &str) -> Key {
    Key::new(notifications_of(team), format!("SSO-NEWS#{id}"))
}

pub fn sso_confirmation(token: &TokenHash) -> Key {
    Key::new(format!("SSO#ATTEMPT#{token}"), "CONFIRMATION")
}

pub fn sso_identity(subject: &SubjectId) -> Key {
    Key::new(format!("SSO#IDENTITY#{subject}"), "IDENTITY")
}

pub fn sso_domain(domain: &MailDomain) -> Key {
    Key::new(format!("SSO#DOMAIN#{domain}"), "DOMAIN")
}

pub fn sso_attempt(state: &TokenHash) -> Key {
    Key::new(format!("SSO#ATTEMPT#{state}"), "ATTEMPT")
}

pub fn ended_id_token(token: &TokenHash) -> Key {
    Key::new(format!("SSO#ENDED#{token}"), "ENDED")
}

pub fn session_keys() -> Key {
    Key::new("SESSION-KEYS".to_owned(), "SESSION-KEYS")
}

pub fn api_key(team: &TeamKey, id: &str) -> Key {
    Key::new(team.partition(), format!("API-KEY#{id}"))
}

/// Prefix of the [`api_key`] keys of one team and environment.
pub fn api_keys(team: &TeamKey) -> Key {
    Key::new(team.partition(), "API-KEY#")
}

/// Key of a resource, or prefix of the keys of the resources of a kind whose path starts with `path`.
pub fn resource(team: &TeamKey, kind: Kind, path: &str) -> Key {
    Key::new(partition_of_kind(team, kind), format!("{}#{path}", kind.name()))
}

pub fn number_of(team: &TeamKey, kind: Kind, container: &str) -> Key {
    Key::new(partition_of_kind(team, kind), format!("NUMBER#{}#{container}", kind.name()))
}

/// The partition of a team's resources of a kind: its own for those that another function than `account` writes.
fn partition_of_kind(team: &TeamKey, kind: Kind) -> String {
    match kind {
        Kind::MonitoredSubject => subjects(team),
        Kind::Dossier => dossiers(team),
        _ => team.partition(),
    }
}

/// The team of the partition of a [`resource`].
pub(crate) fn team_of_resource(partition: &str) -> Option<TeamKey> {
    let mut parts = partition.splitn(3, '#');
    let (kind, team, environment) = (parts.next()?, parts.next()?, parts.next()?);
    let is_of_resources = matches!(kind, "TEAM" | "DOSSIERS" | "SUBJECTS");
    let environment = environment.parse().ok().filter(|_| is_of_resources)?;
    Some(TeamKey { team: TeamId(team.to_owned()), environment })
}

fn dossiers(team: &TeamKey) -> String {
    format!("DOSSIERS#{}#{}", team.team, team.environment)
}

/// The text of a dossier.
pub fn dossier_text(team: &TeamKey, id: Uuid) -> Key {
    Key::new(dossiers(team), format!("TEXT#{id}"))
}

/// Copy of a dossier, by its company. Sorted by time, which is the beginning of the id.
pub fn dossier_of_company(team: &TeamKey, uid: Uid, id: Uuid) -> Key {
    Key::new(dossiers(team), format!("OF-COMPANY#{uid}#{id}"))
}

/// Prefix of the [`dossier_of_company`] keys of one company.
pub fn dossiers_of_company(team: &TeamKey, uid: Uid) -> Key {
    Key::new(dossiers(team), format!("OF-COMPANY#{uid}#"))
}

/// Copy of the dossier that is being written for a request.
pub fn running_dossier(team: &TeamKey, request: &str) -> Key {
    Key::new(dossiers(team), format!("RUNNING#{request}"))
}

fn subjects(team: &TeamKey) -> String {
    format!("SUBJECTS#{}#{}", team.team, team.environment)
}

/// Copy of a monitored subject, by the hash of who it is.
pub fn subject_identity(team: &TeamKey, identity: &str) -> Key {
    Key::new(subjects(team), format!("IDENTITY#{identity}"))
}

/// The last screenings of a monitored subject.
pub fn last_screenings(team: &TeamKey, subject: Uuid) -> Key {
    Key::new(subjects(team), format!("LAST#{subject}"))
}

/// Number of partitions of the copies of all monitored subjects.
pub const SUBJECT_SHARDS: u32 = 16;

/// Copy of a monitored subject, among those of all teams.
pub fn subject_of_all(team: &TeamKey, subject: Uuid) -> Key {
    let shard = subject.as_u128() % u128::from(SUBJECT_SHARDS);
    let sort = format!("{}#{}#{subject}", team.team, team.environment);
    Key::new(format!("SUBJECTS#{shard}"), sort)
}

/// Partition of the [`subject_of_all`] keys of one shard.
pub fn subjects_of_all(shard: u32) -> String {
    format!("SUBJECTS#{shard}")
}

/// The team and the id of the sort key of a [`subject_of_all`].
pub(crate) fn subject_of_key(sort: &str) -> Option<(TeamKey, Uuid)> {
    let mut parts = sort.splitn(3, '#');
    let (team, environment) = (parts.next()?, parts.next()?);
    let team = TeamKey { team: TeamId(team.to_owned()), environment: environment.parse().ok()? };
    Some((team, parts.next()?.parse().ok()?))
}

/// Mark of a monitored subject that could not be screened after an update of this list.
pub fn failed_rescreening(team: &TeamKey, subject: Uuid, list: List) -> Key {
    Key::new(subjects(team), format!("{FAILED}{subject}#{list}"))
}

/// Prefix of the [`failed_rescreening`] keys of a team.
pub fn failed_rescreenings(team: &TeamKey) -> Key {
    Key::new(subjects(team), FAILED)
}

/// The subject and the list of the sort key of a [`failed_rescreening`].
pub(crate) fn failed_subject(sort: &str) -> Option<(Uuid, List)> {
    let (subject, list) = sort.strip_prefix(FAILED)?.split_once('#')?;
    let list = List::ALL.into_iter().find(|it| it.name() == list)?;
    Some((subject.parse().ok()?, list))
}

const FAILED: &str = "FAILED#";

pub fn rescreened(list: List) -> Key {
    Key::new("RESCREENED".to_owned(), list.name())
}

/// Mark of a watched company that could not be compared after updates of this list.
pub fn missed_updates(list: List, company: Uid) -> Key {
    Key::new(format!("RESCREENED#{list}"), company.to_string())
}

/// Prefix of the [`missed_updates`] keys of a list.
pub fn all_missed_updates(list: List) -> Key {
    Key::new(format!("RESCREENED#{list}"), "CHE-")
}

/// The hits of a watched company, or of one of its officers or parents, of which a team was notified.
pub fn notified_hits(team: &TeamKey, list: List, company: Uid, subject: &str) -> Key {
    Key::new(subjects(team), format!("NOTIFIED#{list}#{company}#{subject}"))
}

pub fn screening(team: &TeamKey, id: Uuid) -> Key {
    Key::new(screenings(team), format!("SCREENING#{id}"))
}

/// Prefix of the [`screening`] keys of a team.
pub fn all_screenings(team: &TeamKey) -> Key {
    Key::new(screenings(team), "SCREENING#")
}

/// `pair` is the hash of a subject and an entry of a list.
pub fn hit_decision(team: &TeamKey, pair: &str) -> Key {
    Key::new(screenings(team), format!("DECISION#{pair}"))
}

fn screenings(team: &TeamKey) -> String {
    format!("SCREENING#{}#{}", team.team, team.environment)
}

/// Version of the list of API keys of one team and environment. Each new key changes it.
pub fn api_key_list(team: &TeamKey) -> Key {
    Key::new(team.partition(), "API-KEYS")
}

/// Version of the list of invitations of one team and environment. Each new invitation changes it.
pub fn invitation_list(team: &TeamKey) -> Key {
    Key::new(team.partition(), "INVITATIONS")
}

/// Copy of a tag. A folded name contains only letters, digits and blanks.
pub fn tagged(team: &TeamKey, folded_name: &str, company: Uid) -> Key {
    Key::new(team.partition(), format!("TAGGED#{folded_name}#{company}"))
}

/// Prefix of the [`tagged`] keys of one name.
pub fn tagged_with(team: &TeamKey, folded_name: &str) -> Key {
    Key::new(team.partition(), format!("TAGGED#{folded_name}#"))
}

/// Prefix of the [`tagged`] keys of one team and environment.
pub fn all_tagged(team: &TeamKey) -> Key {
    Key::new(team.partition(), "TAGGED#")
}

/// Copy of a pipeline entry.
pub fn pipeline_company(team: &TeamKey, pipeline: &str, company: Uid) -> Key {
    Key::new(team.partition(), format!("PIPELINE-COMPANY#{pipeline}#{company}"))
}

/// Settings of a user; those of the team's API keys without one.
pub fn settings(team: &TeamKey, owner: &Owner) -> Key {
    Key::new(team.partition(), format!("SETTINGS#{owner}"))
}

fn audit_of(team: &TeamKey) -> String {
    format!("AUDIT#{}#{}", team.team, team.environment)
}

/// Sorted by time, which is the beginning of the id.
pub fn audit_entry(team: &TeamKey, id: Uuid) -> Key {
    Key::new(audit_of(team), format!("{ENTRY}{id}"))
}

/// The outcome of the [`audit_entry`] with this id, which it follows.
pub fn audit_outcome(team: &TeamKey, id: Uuid) -> Key {
    Key::new(audit_of(team), format!("{ENTRY}{id}{OUTCOME}"))
}

/// Whether the sort key is that of an [`audit_outcome`].
pub(crate) fn is_audit_outcome(sort: &str) -> bool {
    sort.ends_with(OUTCOME)
}

const ENTRY: &str = "ENTRY#";
const OUTCOME: &str = "#OUTCOME";

/// Key of an item of the audit log of an erased team, under a name that says nothing.
pub(crate) fn anonymous_audit(old: &Key, team: &TeamId, name: &str) -> Key {
    Key { partition: old.partition.replace(&team.0, name), sort: old.sort.clone() }
}

/// A key before the [`audit_entry`] keys of this time and of later times, and after those of earlier times.
pub fn audit_from(team: &TeamKey, time: Timestamp) -> Key {
    Key::new(audit_of(team), format!("{ENTRY}{}", start_of_ids(time)))
}

/// The beginning of the UUIDv7 of this time: 12 digits and a hyphen.
fn start_of_ids(time: Timestamp) -> String {
    let milliseconds = u64::try_from(time.as_millisecond()).unwrap_or_default();
    let first = uuid::Builder::from_unix_timestamp_millis(milliseconds, &[0; 10]).into_uuid();
    first.to_string()[..13].to_owned()
}

fn notifications_of(team: &TeamKey) -> String {
    format!("NOTIFICATIONS#{}#{}", team.team, team.environment)
}

/// Sorted by time, which is the beginning of the id.
pub fn notification(team: &TeamKey, id: Uuid) -> Key {
    Key::new(notifications_of(team), format!("{NOTIFICATION}{id}"))
}

const NOTIFICATION: &str = "NOTIFICATION#";

/// A key before the [`notification`] keys of this time and of later times, and after those of earlier times.
pub fn notifications_from(team: &TeamKey, time: Timestamp) -> Key {
    Key::new(notifications_of(team), format!("{NOTIFICATION}{}", start_of_ids(time)))
}

/// What the number of notifications of a day counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tally {
    All,
    Unread,
}

pub fn number_of_notifications(team: &TeamKey, day: Date, tally: Tally) -> Key {
    let tally = match tally {
        Tally::All => ALL,
        Tally::Unread => UNREAD,
    };
    Key::new(notifications_of(team), format!("{NUMBER}{day}#{tally}"))
}

const NUMBER: &str = "NUMBER#";
const ALL: &str = "ALL";
const UNREAD: &str = "UNREAD";

/// The day and what is counted, of the sort key of a [`number_of_notifications`].
pub(crate) fn counted_notifications(sort: &str) -> Option<(Date, Tally)> {
    let (day, tally) = sort.strip_prefix(NUMBER)?.split_once('#')?;
    let tally = match tally {
        ALL => Tally::All,
        UNREAD => Tally::Unread,
        _ => return None,
    };
    Some((day.parse().ok()?, tally))
}

/// Copy of a watchlist. A folded name contains only letters, digits and blanks.
pub fn watchlist_name(team: &TeamKey, folded_name: &str) -> Key {
    Key::new(team.partition(), format!("WATCHLIST-NAME#{folded_name}"))
}

/// Copy of a watchlist that the delivery reads, to know whether the watchlist exists.
pub fn watchlist_for_delivery(team: &TeamKey, id: &str) -> Key {
    Key::new(notifications_of(team), format!("WATCHLIST#{id}"))
}

/// Copy of a watch, or of a company in a watchlist.
pub fn watched(company: Uid, team: &TeamKey, watchlist: Option<&str>) -> Key {
    let Key { partition, sort: by } = watchers_of_team(company, team);
    let sort = match watchlist {
        Some(id) => format!("{by}WATCHLIST#{id}"),
        None => format!("{by}WATCH"),
    };
    Key::new(partition, sort)
}

const WATCHED_BY: &str = "BY#";

/// Prefix of the [`watched`] keys of one company.
pub fn watchers(company: Uid) -> Key {
    Key::new(format!("WATCHED#{company}"), WATCHED_BY)
}

/// Prefix of the [`watched`] and [`watched_by_webhook`] keys of one company and team. Ends with a separator, so that no
/// other team has it.
pub fn watchers_of_team(company: Uid, team: &TeamKey) -> Key {
    let sort = format!("{WATCHED_BY}{}#{}#", team.team, team.environment);
    Key::new(format!("WATCHED#{company}"), sort)
}

/// Number of partitions of the copies of all watches.
pub const WATCH_SHARDS: u32 = 16;

/// Copy of a watch, or of a company in a watchlist, among those of all teams.
pub fn watched_of_all(company: Uid, team: &TeamKey, watchlist: Option<&str>) -> Key {
    let by = watched(company, team, watchlist).sort;
    let sort = format!("{company}#{}", by.trim_start_matches(WATCHED_BY));
    Key::new(all_watched(company.number() % WATCH_SHARDS), sort)
}

/// Partition of the [`watched_of_all`] keys of one shard.
pub fn all_watched(shard: u32) -> String {
    format!("WATCHED#ALL#{shard}")
}

/// The company of the sort key of a [`watched_of_all`].
pub(crate) fn watched_company(sort: &str) -> Option<Uid> {
    sort.split('#').next()?.parse().ok()
}

/// Copy of a webhook that names a company.
pub fn watched_by_webhook(company: Uid, team: &TeamKey, webhook: &str) -> Key {
    let Key { partition, sort: by } = watchers_of_team(company, team);
    Key::new(partition, format!("{by}WEBHOOK#{webhook}"))
}

/// Who watches a company, of the sort key of a copy.
pub(crate) enum WatchedBy {
    Watch,
    Watchlist(String),
    Webhook(String),
}

/// The team and who watches, of the sort key of a [`watched`] or [`watched_by_webhook`].
pub(crate) fn watcher(sort: &str) -> Option<(TeamKey, WatchedBy)> {
    let mut parts = sort.strip_prefix(WATCHED_BY)?.splitn(4, '#');
    let (team, environment, kind) = (parts.next()?, parts.next()?, parts.next()?);
    let team = TeamKey { team: TeamId(team.to_owned()), environment: environment.parse().ok()? };
    let by = match (kind, parts.next()) {
        ("WATCH", None) => WatchedBy::Watch,
        ("WATCHLIST", Some(id)) => WatchedBy::Watchlist(id.to_owned()),
        ("WEBHOOK", Some(id)) => WatchedBy::Webhook(id.to_owned()),
        _ => return None,
    };
    Some((team, by))
}

/// Copy of a webhook about companies that its team watches or names; or prefix of those of the team.
pub fn webhook_of_team(team: &TeamKey, id: &str) -> Key {
    Key::new(format!("WEBHOOKS#{}#{}", team.team, team.environment), format!("{WEBHOOK}{id}"))
}

const WEBHOOK: &str = "WEBHOOK#";

/// Copy of a webhook that gets hits of screenings.
pub fn webhook_of_hits(team: &TeamKey, id: &str) -> Key {
    Key::new(format!("WEBHOOKS#{}#{}", team.team, team.environment), format!("HITS#{id}"))
}

/// Copy of a webhook about all companies.
pub fn webhook_about_all(team: &TeamKey, id: &str) -> Key {
    let sort = format!("{WEBHOOK}{}#{}#{id}", team.team, team.environment);
    Key::new(WEBHOOKS_ABOUT_ALL.to_owned(), sort)
}

const WEBHOOKS_ABOUT_ALL: &str = "WEBHOOKS";

/// Prefix of all [`webhook_about_all`] keys.
pub fn webhooks_about_all() -> Key {
    Key::new(WEBHOOKS_ABOUT_ALL.to_owned(), WEBHOOK)
}

/// The team of the sort key of a [`webhook_about_all`].
pub(crate) fn team_of_webhook(sort: &str) -> Option<TeamKey> {
    let mut parts = sort.strip_prefix(WEBHOOK)?.splitn(3, '#');
    let (team, environment) = (parts.next()?, parts.next()?);
    Some(TeamKey { team: TeamId(team.to_owned()), environment: environment.parse().ok()? })
}

fn of_webhook(team: &TeamKey, id: &str, sort: impl Into<String>) -> Key {
    Key::new(format!("WEBHOOK#{}#{}#{id}", team.team, team.environment), sort)
}

/// Sorted by the time of the event, which is the beginning of the id.
pub fn webhook_delivery(team: &TeamKey, webhook: &str, id: Uuid) -> Key {
    of_webhook(team, webhook, format!("{DELIVERY}{id}"))
}

const DELIVERY: &str = "DELIVERY#";

/// Prefix of the [`webhook_delivery`] keys of one webhook.
pub fn webhook_deliveries(team: &TeamKey, webhook: &str) -> Key {
    of_webhook(team, webhook, DELIVERY)
}

/// A delivery that waits for its next attempt. Sorted by the time from which that is due.
pub fn pending_delivery(team: &TeamKey, webhook: &str, due: Timestamp, id: Uuid) -> Key {
    of_webhook(team, webhook, format!("{PENDING}{}#{id}", webhook_moment(due)))
}

/// Part of the sort key of what is due at this time. Has a fixed length.
pub fn webhook_moment(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

const PENDING: &str = "PENDING#";

/// Prefix of the [`pending_delivery`] keys of one webhook.
pub fn pending_deliveries(team: &TeamKey, webhook: &str) -> Key {
    of_webhook(team, webhook, PENDING)
}

pub fn webhook_state(team: &TeamKey, webhook: &str) -> Key {
    of_webhook(team, webhook, "STATE")
}

pub fn webhook_replay(team: &TeamKey, webhook: &str) -> Key {
    of_webhook(team, webhook, "REPLAY")
}

/// Number of partitions of webhooks that may be due.
pub const WEBHOOK_SHARDS: u32 = 4;

/// Key of a webhook that may have a delivery that is due at this time.
pub fn due_webhook(team: &TeamKey, webhook: &str, at: Timestamp) -> Key {
    let shard = webhook.bytes().map(u32::from).sum::<u32>() % WEBHOOK_SHARDS;
    let sort = format!("{}#{}#{}#{webhook}", webhook_moment(at), team.team, team.environment);
    Key::new(format!("WEBHOOK-DUE#{shard}"), sort)
}

/// A key before the [`due_webhook`] keys of one shard.
pub fn due_webhooks_from(shard: u32) -> Key {
    Key::new(format!("WEBHOOK-DUE#{shard}"), "0")
}

/// Sorted by time, which is the beginning of the id.
pub fn export(team: &TeamKey, id: Uuid) -> Key {
    Key::new(exports(team), format!("{EXPORT}{id}"))
}

const EXPORT: &str = "EXPORT#";

/// The team and the id of the key of an [`export`].
pub(crate) fn export_of(key: &Key) -> Option<(TeamKey, Uuid)> {
    let (team, environment) = key.partition.strip_prefix("EXPORTS#")?.split_once('#')?;
    let id = key.sort.strip_prefix(EXPORT)?.parse().ok()?;
    let environment = environment.parse().ok()?;
    Some((TeamKey { team: TeamId(team.to_owned()), environment }, id))
}

/// Prefix of the [`export`] keys of a team.
pub fn all_exports(team: &TeamKey) -> Key {
    Key::new(exports(team), EXPORT)
}

fn exports(team: &TeamKey) -> String {
    format!("EXPORTS#{}#{}", team.team, team.environment)
}

const DUE_EXPORTS: &str = "EXPORT-DUE";

/// Key of an export that is due for the sweep at this time.
pub fn due_export(team: &TeamKey, id: Uuid, at: Timestamp) -> Key {
    let sort = format!("{}#{}#{}#{id}", webhook_moment(at), team.team, team.environment);
    Key::new(DUE_EXPORTS.to_owned(), sort)
}

/// A key before all [`due_export`] keys.
pub fn due_exports() -> Key {
    Key::new(DUE_EXPORTS.to_owned(), "0")
}

pub fn delivery_cursor() -> Key {
    Key::new("DELIVERY".to_owned(), "CURSOR")
}

pub fn notification_preferences(team: &TeamKey, owner: &Owner) -> Key {
    Key::new(notifications_of(team), format!("PREFERENCES#{owner}"))
}

/// Prefix of the [`notification_preferences`] keys of a team.
pub fn all_notification_preferences(team: &TeamKey) -> Key {
    Key::new(notifications_of(team), "PREFERENCES#")
}

pub fn pending_mail(team: &TeamKey, owner: &Owner, notification: Uuid) -> Key {
    Key::new(notifications_of(team), format!("{PENDING_MAIL}{owner}#{notification}"))
}

/// Prefix of the [`pending_mail`] keys of one owner. Sorted by time, which is the beginning of the notification's id.
pub fn pending_mails(team: &TeamKey, owner: &Owner) -> Key {
    Key::new(notifications_of(team), format!("{PENDING_MAIL}{owner}#"))
}

const PENDING_MAIL: &str = "PENDING-MAIL#";

/// Mark of a notification that was queued to be sent by e-mail.
pub fn queued_mail(team: &TeamKey, owner: &Owner, notification: Uuid) -> Key {
    Key::new(notifications_of(team), format!("{QUEUED_MAIL}{owner}#{notification}"))
}

/// Prefix of the [`queued_mail`] keys of one owner.
pub fn queued_mails(team: &TeamKey, owner: &Owner) -> Key {
    Key::new(notifications_of(team), format!("{QUEUED_MAIL}{owner}#"))
}

const QUEUED_MAIL: &str = "QUEUED-MAIL#";

pub fn last_digest(team: &TeamKey, owner: &Owner) -> Key {
    Key::new(notifications_of(team), format!("DIGEST#{owner}"))
}

/// Number of partitions of what is due.
pub const DUE_SHARDS: u32 = 16;

/// Key of what is due at this time.
pub fn due(team: &TeamKey, task: &Task, at: Timestamp) -> Key {
    // Digests are due at the same times, and the owner of most is the same text.
    let spread = match task {
        Task::Search(search) => &search.id,
        Task::Digest(_) | Task::Mails(_) => &team.team.0,
    };
    let shard = spread.bytes().map(u32::from).sum::<u32>() % DUE_SHARDS;
    let sort = format!("{}#{}#{}#{task}", due_moment(at), team.team, team.environment);
    Key::new(format!("DUE#{shard}"), sort)
}

/// A key before the [`due`] keys of one shard.
pub fn due_from(shard: u32) -> Key {
    Key::new(format!("DUE#{shard}"), "0")
}

/// Start of the sort key of what is due at this time. Has a fixed length.
pub fn due_moment(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Key of the last run of a search, or prefix of those of a kind.
pub fn last_run(team: &TeamKey, kind: SearchKind, id: &str) -> Key {
    Key::new(searches_of(team), format!("LAST-RUN#{}#{id}", kind.name()))
}

/// Key of what the scheduled runs of a search have found.
pub fn reported(team: &TeamKey, search: &StoredSearch) -> Key {
    Key::new(searches_of(team), format!("REPORTED#{search}"))
}

fn searches_of(team: &TeamKey) -> String {
    format!("SEARCHES#{}#{}", team.team, team.environment)
}

pub fn change_review(team: &TeamKey, change: Uuid) -> Key {
    Key::new(team.partition(), format!("REVIEW#{change}"))
}

pub fn presented_key(id: &KeyId) -> Key {
    Key::new(format!("KEY#{id}"), "KEY")
}

pub fn idempotent_request(team: &TeamKey, sender: &Principal, route: &str, key_hash: &str) -> Key {
    let sender = match sender.kind {
        PrincipalKind::ApiKey => format!("API-KEY#{}", sender.id),
        PrincipalKind::User => format!("USER#{}", sender.id),
    };
    let partition = format!("IDEMPOTENCY#{}#{}", team.team, team.environment);
    Key::new(partition, format!("{sender}#{route}#{key_hash}"))
}

pub fn count(subject: &str, group: RateGroup, window_start: i64) -> Key {
    Key::new(format!("COUNT#{subject}#{group}#{window_start}"), "COUNT")
}

pub fn screened_subjects(subject: &str, day_start: i64) -> Key {
    Key::new(format!("SCREENED#{subject}#{day_start}"), "COUNT")
}

pub fn mails(subject: &str, window_start: i64) -> Key {
    Key::new(format!("MAILS#{subject}#{window_start}"), "COUNT")
}

/// The deliveries to webhooks on the day that starts at this time.
pub fn webhook_deliveries_of_day(subject: &str, day_start: i64) -> Key {
    Key::new(format!("DELIVERIES#{subject}#{day_start}"), "COUNT")
}

pub fn failures(subject: &str, minute: i64) -> Key {
    Key::new(format!("FAILURES#{subject}#{minute}"), "COUNT")
}
