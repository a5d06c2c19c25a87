//! Every kind of item in the tables of tenants and counters, and what becomes of it when a user or a team is erased.
//!
//! The patterns are those of the table at the top of [`keys`](crate::keys): a test compares the two, so that a new item must be
//! classified here.

use auth::TeamId;

use crate::{keys::Key, kind::Kind};

/// What an erasure does with the items of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// Says nothing about a user or a team. Stays.
    Neutral,
    /// Data of a team, whose key names it. Goes with the team, or with the user if the key names the user. Otherwise a
    /// placeholder replaces the user.
    OfTeam,
    /// As `OfTeam`, but stays if the team has a legal duty to keep it.
    Evidence,
    /// Data of a team under a key that does not name it. Goes with the team; a placeholder replaces a user.
    CopyOfTeam,
    /// Goes with the user, or with the team that it mentions: a session, a link, a sign-in.
    OfSession,
    /// A user, or the teams of one.
    OfUser,
    /// The audit log. Only the operator's command makes its entries anonymous.
    AuditLog,
    /// The list of erasures itself. Contains hashes, or goes at the end of the erasure.
    Erasure,
    /// A counter that names who is counted. Is deleted by its table after two days at the latest.
    Counter,
}

/// A kind of item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredItem {
    /// The pattern of its partition, in which `{name}` is a text without `#`.
    pub partition: &'static str,
    /// The pattern of its sort key. The last `{name}` may contain `#`, and be empty.
    pub sort: &'static str,
    pub treatment: Treatment,
}

const fn item(partition: &'static str, sort: &'static str, treatment: Treatment) -> StoredItem {
    StoredItem { partition, sort, treatment }
}

use Treatment::{
    AuditLog, CopyOfTeam, Counter, Erasure, Evidence, Neutral, OfSession, OfTeam, OfUser,
};

/// The items of the table of tenants, without those of [`of_kind`].
pub const TENANTS: &[StoredItem] = &[
    item("TEAM#{team}", "TEAM", OfTeam),
    item("SUBSCRIPTION#{team}", "SUBSCRIPTION", OfTeam),
    item("PAYMENT-EVENT#{id}", "DONE", Neutral),
    item("AUDIT#{team}#{environment}", "ENTRY#{id}", AuditLog),
    item("AUDIT#{team}#{environment}", "ENTRY#{id}#OUTCOME", AuditLog),
    item("TEAM#{team}#live", "TEAM", OfTeam),
    item("TEAM#{team}#live", "OWNERS", OfTeam),
    item("TEAM#{team}#live", "CREATOR", OfTeam),
    item("TEAM#{team}#{environment}", "API-KEY#{id}", OfTeam),
    item("TEAM#{team}#{environment}", "TAGGED#{name}#{uid}", OfTeam),
    item("TEAM#{team}#{environment}", "PIPELINE-COMPANY#{pipeline}#{uid}", OfTeam),
    item("TEAM#{team}#{environment}", "SETTINGS#{owner}", OfTeam),
    item("TEAM#{team}#{environment}", "NUMBER#{kind}#{container}", OfTeam),
    item("TEAM#{team}#{environment}", "WATCHLIST-NAME#{name}", OfTeam),
    item("NOTIFICATIONS#{team}#{environment}", "WATCHLIST#{id}", OfTeam),
    item("WATCHED#{uid}", "BY#{team}#{environment}#WATCH", OfTeam),
    item("WATCHED#{uid}", "BY#{team}#{environment}#WATCHLIST#{id}", OfTeam),
    item("WATCHED#ALL#{shard}", "{uid}#{team}#{environment}#WATCH", OfTeam),
    item("WATCHED#ALL#{shard}", "{uid}#{team}#{environment}#WATCHLIST#{id}", OfTeam),
    item("WATCHED#{uid}", "BY#{team}#{environment}#WEBHOOK#{id}", OfTeam),
    item("WEBHOOKS#{team}#{environment}", "WEBHOOK#{id}", OfTeam),
    item("WEBHOOKS#{team}#{environment}", "HITS#{id}", OfTeam),
    item("WEBHOOKS", "WEBHOOK#{team}#{environment}#{id}", OfTeam),
    item("WEBHOOK#{team}#{environment}#{id}", "DELIVERY#{delivery}", OfTeam),
    item("WEBHOOK#{team}#{environment}#{id}", "PENDING#{due time}#{delivery}", OfTeam),
    item("WEBHOOK#{team}#{environment}#{id}", "STATE", OfTeam),
    item("WEBHOOK#{team}#{environment}#{id}", "REPLAY", OfTeam),
    item("WEBHOOK-DUE#{shard}", "{due time}#{team}#{environment}#{id}", OfTeam),
    item("DELIVERY", "CURSOR", Neutral),
    item("NOTIFICATIONS#{team}#{environment}", "NOTIFICATION#{id}", OfTeam),
    item("NOTIFICATIONS#{team}#{environment}", "NUMBER#{day}#ALL", OfTeam),
    item("NOTIFICATIONS#{team}#{environment}", "NUMBER#{day}#UNREAD", OfTeam),
    item("NOTIFICATIONS#{team}#{environment}", "PREFERENCES#{owner}", OfTeam),
    item("NOTIFICATIONS#{team}#{environment}", "PENDING-MAIL#{owner}#{notification}", OfTeam),
    item("NOTIFICATIONS#{team}#{environment}", "QUEUED-MAIL#{owner}#{notification}", OfTeam),
    item("NOTIFICATIONS#{team}#{environment}", "DIGEST#{owner}", OfTeam),
    item("NOTIFICATIONS#{team}#live", "SSO-NEWS#{id}", OfTeam),
    item("TEAM#{team}#{environment}", "API-KEYS", OfTeam),
    item("TEAM#{team}#{environment}", "INVITATIONS", OfTeam),
    item("TEAM#{team}#{environment}", "REVIEW#{change}", OfTeam),
    item("DUE#{shard}", "{due time}#{team}#{environment}#{kind}#{id}", OfTeam),
    item("SEARCHES#{team}#{environment}", "LAST-RUN#{kind}#{id}", OfTeam),
    item("SEARCHES#{team}#{environment}", "REPORTED#{kind}#{id}", OfTeam),
    item("SCREENING#{team}#{environment}", "SCREENING#{id}", Evidence),
    item("SCREENING#{team}#{environment}", "DECISION#{hash of subject and entry}", Evidence),
    item("DOSSIERS#{team}#{environment}", "TEXT#{id}", OfTeam),
    item("DOSSIERS#{team}#{environment}", "OF-COMPANY#{uid}#{id}", OfTeam),
    item("DOSSIERS#{team}#{environment}", "NUMBER#DOSSIER#", OfTeam),
    item("DOSSIERS#{team}#{environment}", "RUNNING#{request}", OfTeam),
    item("SUBJECTS#{team}#{environment}", "IDENTITY#{hash of the subject}", OfTeam),
    item("SUBJECTS#{team}#{environment}", "LAST#{id}", OfTeam),
    item("SUBJECTS#{team}#{environment}", "FAILED#{id}#{list}", OfTeam),
    item("SUBJECTS#{team}#{environment}", "NUMBER#MONITORED#", OfTeam),
    item("SUBJECTS#{shard}", "{team}#{environment}#{id}", OfTeam),
    item("SUBJECTS#{team}#{environment}", "NOTIFIED#{list}#{uid}#{uid or person}", OfTeam),
    item("RESCREENED", "{list}", Neutral),
    item("RESCREENED#{list}", "{uid}", Neutral),
    item("EXPORTS#{team}#{environment}", "EXPORT#{id}", OfTeam),
    item("EXPORT-DUE", "{time}#{team}#{environment}#{id}", OfTeam),
    item("TEAM#{team}#live", "SSO", OfTeam),
    item("TEAM#{team}#live", "SSO-SECRET", OfTeam),
    item("TEAM#{team}#live", "SSO-USER#{user}", OfTeam),
    item("TEAM#{team}#live", "SSO-SEEN#{challenge}", OfTeam),
    item("SSO#DOMAIN#{domain}", "DOMAIN", CopyOfTeam),
    item("SSO#IDENTITY#{subject}", "IDENTITY", OfSession),
    item("SSO#ATTEMPT#{hash of the state}", "ATTEMPT", OfSession),
    item("SSO#ATTEMPT#{hash of the token}", "CONFIRMATION", OfSession),
    item("SSO#ENDED#{id of the token}", "ENDED", Neutral),
    item("USER#{user}", "USER", OfUser),
    item("USER#{user}", "TEAM#{team}", OfUser),
    item("USER#{user}", "TEAMS", OfUser),
    item("USER#{user}", "SESSIONS-ENDED", OfUser),
    item("USER#{user}", "SESSIONS-ENDED#{team}", OfUser),
    item("EMAIL#{address}", "USER", OfSession),
    item("MAGIC-LINK#{hash of the token}", "MAGIC-LINK", OfSession),
    item("MAIL-LINK#{hash of the token}", "MAIL-LINK", OfSession),
    item("INVITATION#{hash of the token}", "INVITATION", CopyOfTeam),
    item("SESSION#{id}", "SESSION", OfSession),
    item("SESSION-KEYS", "SESSION-KEYS", Neutral),
    item("KEY#{key id}", "KEY", CopyOfTeam),
    item("IDEMPOTENCY#{team}#{environment}", "{sender}#{route}#{hash of the key}", OfTeam),
    // Contains hashes, and keeps mails from an address whose owner does not want any.
    item("SUPPRESSED#{hash of the address}", "SUPPRESSED", Neutral),
    item("ERASED#{hash of kind and id}", "ERASED", Erasure),
    item("ERASED#KEY", "HASH-KEY", Erasure),
    item("ERASING", "ERASURE#{kind}#{id}", Erasure),
    item("ERASING", "SWEEP", Erasure),
];

/// The items of the table of counters.
pub const COUNTERS: &[StoredItem] = &[
    item("COUNT#{subject}#{group}#{window start}", "COUNT", Counter),
    item("SCREENED#{subject}#{start of the day}", "COUNT", Counter),
    item("DELIVERIES#{subject}#{start of the day}", "COUNT", Counter),
    item("MAILS#{subject}#{window start}", "COUNT", Counter),
    item("FAILURES#{subject}#{minute}", "COUNT", Counter),
];

/// The item of a resource of a team.
pub const fn of_kind(kind: Kind) -> StoredItem {
    const TEAM: &str = "TEAM#{team}#{environment}";
    match kind {
        Kind::Alert => item(TEAM, "ALERT#{id}", OfTeam),
        Kind::Dossier => item("DOSSIERS#{team}#{environment}", "DOSSIER#{id}", OfTeam),
        Kind::Invitation => item(TEAM, "INVITATION#{id}", OfTeam),
        Kind::Member => item(TEAM, "MEMBER#{user}", OfTeam),
        Kind::MonitoredSubject => item("SUBJECTS#{team}#{environment}", "MONITORED#{id}", OfTeam),
        Kind::Note => item(TEAM, "NOTE#{uid}#{id}", OfTeam),
        Kind::Pipeline => item(TEAM, "PIPELINE#{id}", OfTeam),
        Kind::PipelineEntry => item(TEAM, "PIPELINE-ENTRY#{pipeline}#{id}", OfTeam),
        Kind::SavedSearch => item(TEAM, "SAVED-SEARCH#{id}", OfTeam),
        Kind::Tag => item(TEAM, "TAG#{uid}#{id}", OfTeam),
        Kind::Watch => item(TEAM, "WATCH#{uid}", OfTeam),
        Kind::Watchlist => item(TEAM, "WATCHLIST#{id}", OfTeam),
        Kind::WatchlistEntry => item(TEAM, "WATCHLIST-ENTRY#{watchlist}#{uid}", OfTeam),
        Kind::Webhook => item(TEAM, "WEBHOOK#{id}", OfTeam),
    }
}

/// All kinds of items of the table of tenants.
pub fn of_tenants() -> impl Iterator<Item = StoredItem> {
    TENANTS.iter().copied().chain(Kind::ALL.map(of_kind))
}

/// The kinds of items that a key may be of: one, if the list is complete and without ambiguity.
pub fn items_with_key<'a>(
    partition: &'a str,
    sort: &'a str,
) -> impl Iterator<Item = StoredItem> + use<'a> {
    let all = of_tenants().chain(COUNTERS.iter().copied());
    let matching: Vec<StoredItem> = all.filter(|it| it.matches(partition, sort)).collect();
    // A sort key that is written out is not one with a variable: `NUMBER#DOSSIER#`, or the `#OUTCOME` of an entry.
    let most = matching.iter().map(StoredItem::written_out).max();
    matching.into_iter().filter(move |it| Some(it.written_out()) == most)
}

impl StoredItem {
    fn matches(&self, partition: &str, sort: &str) -> bool {
        if self.treatment == Counter {
            // A subject may contain separators.
            return self.partition.split('#').next() == partition.split('#').next();
        }
        // A separator is allowed in an e-mail address.
        let is_address = self.partition.ends_with("{address}");
        matches(self.partition, partition, is_address) && matches(self.sort, sort, true)
    }

    /// Number of characters of the patterns that are no variables.
    fn written_out(&self) -> usize {
        let literal = |pattern: &str| {
            pattern.split('#').filter(|it| !it.starts_with('{')).map(str::len).sum::<usize>()
        };
        literal(self.partition) + literal(self.sort)
    }

    /// The value of a variable of the patterns, such as `team`, in a key that matches.
    pub(crate) fn value<'a>(&self, variable: &str, key: &'a Key) -> Option<&'a str> {
        let wanted = format!("{{{variable}}}");
        let value = |pattern: &str, text: &'a str| {
            let position = pattern.split('#').position(|it| it == wanted)?;
            text.split('#').nth(position)
        };
        value(self.partition, &key.partition).or_else(|| value(self.sort, &key.sort))
    }
}

/// Whether a text has this pattern. `is_open`: the last variable may contain `#`, and be empty.
fn matches(pattern: &str, text: &str, is_open: bool) -> bool {
    let pattern: Vec<&str> = pattern.split('#').collect();
    let last = pattern.len() - 1;
    let count = text.split('#').count();
    let is_last_open = is_open && last > 0 && pattern[last].starts_with('{');
    if count < pattern.len() || (count > pattern.len() && !is_last_open) {
        return false;
    }
    let segments = pattern.iter().zip(text.splitn(pattern.len(), '#')).enumerate();
    segments.into_iter().all(|(index, (pattern, text))| match pattern.starts_with('{') {
        true => !text.is_empty() || (is_last_open && index == last),
        false => *pattern == text,
    })
}

/// The partitions that contain data of this team only, those with evidence last.
pub(crate) fn partitions_of(team: &TeamId) -> Vec<(String, Treatment)> {
    let mut partitions: Vec<(String, Treatment)> = Vec::new();
    for item in of_tenants() {
        let is_of_team = matches!(item.treatment, OfTeam | Evidence);
        if !is_of_team || !item.partition.contains("{team}") {
            continue;
        }
        for environment in ["live", "test"] {
            let partition = item.partition.replace("{team}", &team.0);
            let partition = partition.replace("{environment}", environment);
            let is_known = partitions.iter().any(|it| it.0 == partition);
            // Those of a webhook are found with it.
            if !is_known && !partition.contains('{') {
                partitions.push((partition, item.treatment));
            }
        }
    }
    partitions.sort_by_key(|it| it.1 == Evidence);
    partitions
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The rows of the table at the top of `keys.rs` about tables of teams: partition and sort keys.
    fn documented() -> BTreeSet<(String, String)> {
        let rows = include_str!("../keys.rs").lines().filter_map(|it| it.strip_prefix("//! | "));
        let mut found = BTreeSet::new();
        for row in rows {
            let cells: Vec<&str> = row.trim_end_matches(" |").split(" | ").collect();
            if let ["tenants" | "counters", _, partition, sorts] = cells[..] {
                let partition = partition.trim_matches('`').to_owned();
                for sort in sorts.split(", ") {
                    found.insert((partition.clone(), sort.trim_matches('`').to_owned()));
                }
            }
        }
        found
    }

    #[test]
    fn every_documented_item_is_classified_and_every_classified_one_documented() {
        let all = of_tenants().chain(COUNTERS.iter().copied());
        let classified: BTreeSet<(String, String)> = all
            .filter(|it| !Kind::ALL.map(of_kind).contains(it))
            .map(|it| (it.partition.to_owned(), it.sort.to_owned()))
            .collect();
        let mut documented = documented();
        // The kinds have a row together, and some also one of their own.
        documented.remove(&("TEAM#{team}#{environment}".into(), "{kind}#{path}".into()));
        for kind in [Kind::Dossier, Kind::MonitoredSubject].map(of_kind) {
            assert!(documented.remove(&(kind.partition.into(), kind.sort.into())), "{kind:?}");
        }
        assert_eq!(classified, documented);
    }

    #[test]
    fn every_kind_of_resource_has_the_beginning_of_its_keys() {
        for kind in Kind::ALL {
            let sort = of_kind(kind).sort;
            assert_eq!(sort.split('#').next(), Some(kind.name()), "{kind:?}");
        }
    }

    #[test]
    fn a_key_is_of_one_kind() {
        for (partition, sort, expected) in [
            ("TEAM#t", "TEAM", "TEAM"),
            ("TEAM#t#live", "TEAM", "TEAM"),
            ("TEAM#t#live", "NUMBER#NOTE#CHE-1", "NUMBER#{kind}#{container}"),
            ("TEAM#t#live", "NUMBER#NOTE#", "NUMBER#{kind}#{container}"),
            ("TEAM#t#test", "NOTE#CHE-1#n", "NOTE#{uid}#{id}"),
            ("AUDIT#t#live", "ENTRY#e", "ENTRY#{id}"),
            ("AUDIT#t#live", "ENTRY#e#OUTCOME", "ENTRY#{id}#OUTCOME"),
            ("SUBJECTS#3", "t#live#s", "{team}#{environment}#{id}"),
            ("DUE#3", "2026#t#live#digest#u", "{due time}#{team}#{environment}#{kind}#{id}"),
            ("DOSSIERS#t#live", "RUNNING#CHE-1#full#de#current", "RUNNING#{request}"),
            ("WATCHED#CHE-1", "BY#t#live#WATCH", "BY#{team}#{environment}#WATCH"),
            ("RESCREENED", "seco", "{list}"),
            ("COUNT#t#live#account#1795176000", "COUNT", "COUNT"),
        ] {
            let found: Vec<&str> = items_with_key(partition, sort).map(|it| it.sort).collect();
            assert_eq!(found, [expected], "{partition} {sort}");
        }
        assert_eq!(items_with_key("NEW#t", "ITEM").count(), 0);
    }

    #[test]
    fn the_partitions_of_a_team_are_those_whose_names_say_so() {
        let found = partitions_of(&TeamId("t".into()));
        let names: Vec<&str> = found.iter().map(|it| it.0.as_str()).collect();
        assert_eq!(names.len(), 20, "{names:?}");
        assert_eq!(names.last(), Some(&"SCREENING#t#test"));
        assert!(!names.iter().any(|it| it.starts_with("AUDIT#")), "{names:?}");
    }
}
