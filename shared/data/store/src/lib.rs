//! The three DynamoDB tables, as typed repositories.
//!
//! Invariant: a handle gives access to the repositories of one table only. Each function takes the handles
//! it needs, and `template.yaml` grants the matching permissions.
//!
//! | Read this | To learn |
//! |---|---|
//! | [`keys`] | the data model: every key of the tables |
//! | [`erasures`] | what becomes of each item when a user or team is erased |
//! | [`table`] | the operations on a table, on top of the AWS SDK |
//! | [`Registry`], [`Tenants`], [`Counters`] | the tables; each other module holds the operations on one kind of data |

mod api_keys;
mod audit;
mod authors;
mod bulk;
mod change_feed;
mod change_reviews;
mod changed;
mod companies;
mod counters;
mod dossiers;
mod due;
mod erasure;
pub mod erasures;
mod exports;
mod held_erasures;
mod history;
mod idempotency;
mod identities;
mod invitations;
mod jobs;
pub mod keys;
mod kind;
mod list_versions;
mod mail_links;
mod members;
mod monitoring;
mod news;
mod notes;
mod notifications;
mod pending_mails;
mod pipelines;
mod register_erasures;
mod resources;
mod rights;
mod runs;
mod screening_subjects;
mod screenings;
mod searches;
mod sessions;
mod settings;
mod single_sign_on;
mod source_status;
mod subscriptions;
mod suppressed_addresses;
pub mod table;
mod tags;
mod teams;
mod users;
mod watched_screenings;
mod watches;
mod webhook_counts;
mod webhooks;
mod within_tier;

use std::time::Duration;

pub use api_keys::{ApiKeyRecord, MAX_API_KEYS, NewApiKey, PresentedKey};
pub use audit::{AuditPage, MAX_SEARCHED, Recorded};
pub use bulk::{Bulk, BulkItem};
pub use change_feed::FeedPart;
pub use change_reviews::Review;
pub use companies::{Decoded, Unreadable};
use components::{Component, Components};
pub use counters::{CountError, Counted, MailWindow, REFUSED_MAILS, Subject};
pub use dossiers::MAX_DOSSIERS;
pub use due::Due;
pub use exports::DueExport;
use history::ParsedFactsCache;
pub use history::{Stored, Wanted};
pub use idempotency::{Attempt, Claim, Outcome};
pub use identities::{PendingIdentity, PresentedIdentity, SsoAttempt, SsoRefused, Unlinked};
pub use keys::TeamKey;
pub use kind::Kind;
pub use mail_links::{LinkPurpose, MailLink};
pub use members::{Denied, MAX_MEMBERS, MAX_TEAMS, NotChanged};
pub use monitoring::{Rescreened, SUBJECT_SHARDS, StoredSubject, SubjectPart, SubjectState};
pub use news::{News, NewsPart};
pub use notifications::{MAX_MARKED, NotificationPage};
pub use register_erasures::Applied;
pub use resources::{Copy, Limit, LimitedByTier, Refused, Resource, path_within};
pub use screening_subjects::{CountedSubject, SubjectCount};
pub use searches::ReadReported;
pub use sessions::PresentedSession;
pub use single_sign_on::{CheckedDomains, SsoNotChanged, SsoTenant, UntoldNews};
pub use source_status::{COVERED_DAYS, Coverage, SourceStatus};
pub use subscriptions::{PaymentEvent, ReadSubscriptions};
use table::Table;
pub use table::{Client, client};
pub use teams::{Team, TeamName};
pub use users::{LinkUse, MagicLink, SignedIn};
pub use watched_screenings::MissedUpdates;
pub use watches::{MAX_LISTED_COMPANIES, WATCH_SHARDS, WatchedPart, WatchingTeams};
pub use webhooks::{DueWebhook, LATEST_WEBHOOK_JOB, ReplayProgress};
pub use within_tier::{SortedByAge, WithinTier};

/// Number of attempts for a write whose item was changed concurrently. Losing this often in a row means a
/// defect, not contention.
const ATTEMPTS: usize = 20;
/// Number of attempts to read a history whose parts do not belong together: about two seconds.
const READ_ATTEMPTS: usize = 8;

/// Waits before the next attempt, after `conflicts` earlier conflicts: about twice as long after each, up to a second,
/// and a random time, so that the writers of one item do not meet again.
async fn pause_after_conflict(conflicts: usize) {
    let longest = (20 << conflicts.min(6)).min(1_000);
    let milliseconds = rand::random_range(longest / 2..=longest);
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
}

/// Why an operation on a table failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the table did not answer")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("an item does not have the expected shape")]
    Shape(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("an item cannot be written")]
    Unwritable(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the item was changed concurrently")]
    Changed,
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $variable:literal $(, $field:ident: $type:ty)?) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name {
            pub(crate) table: Table,
            $(pub(crate) $field: $type,)?
        }

        impl $name {
            /// The environment variable that names the table.
            pub const VARIABLE: &'static str = $variable;

            /// A handle for the table with this name.
            pub fn named(client: Client, name: impl Into<String>) -> Self {
                Self {
                    table: Table::new(client, name.into()),
                    $($field: <$type>::default(),)?
                }
            }

        }

        /// The table named by the setting [`VARIABLE`](Self::VARIABLE).
        impl Component for $name {
            fn open(components: &Components) -> Self {
                let name = components.required_setting(Self::VARIABLE);
                Self::named(components.client(client), name)
            }
        }
    };
}

handle! {
    /// Companies, their facts, the change feed, news, and the status of the sources.
    Registry, "REGISTRY_TABLE", parsed_facts: ParsedFactsCache
}
handle! {
    /// Teams and their data.
    Tenants, "TENANTS_TABLE"
}
handle! {
    /// Rate-limit windows and failed verifications. Its loss only resets quotas.
    Counters, "COUNTERS_TABLE"
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn writers_of_one_item_give_way_for_seconds_and_at_different_times() {
        let pauses = async || {
            let mut pauses = Vec::new();
            for conflicts in 0..ATTEMPTS {
                let started = Instant::now();
                pause_after_conflict(conflicts).await;
                pauses.push(started.elapsed());
            }
            pauses
        };
        let (one, other) = (pauses().await, pauses().await);
        for pauses in [&one, &other] {
            let total: Duration = pauses.iter().sum();
            assert!(total >= Duration::from_secs(5), "{total:?}");
            assert!(pauses[0] <= Duration::from_millis(25), "{:?}", pauses[0]);
        }
        assert_ne!(one, other);
    }
}
