//! The three DynamoDB tables, as typed repositories.
//!
//! Invariant: a handle gives access to the repositories of one table only. Each function takes the handles
//! it needs, and `template.yaml` grants the matching permissions.
//!
//! | Read this | To learn |
//! |---|---|
//! | [`keys`] | the data model: every key of the tables |
//! | [`table`] | the operations on a table, on top of the AWS SDK |
//! | [`Registry`], [`Tenants`], [`Counters`] | the tables; each other module holds the operations on one kind of data |

mod api_keys;
mod bulk;
mod change_feed;
mod change_reviews;
mod companies;
mod counters;
mod history;
mod idempotency;
pub mod keys;
mod news;
mod source_status;
pub mod table;
mod teams;

pub use api_keys::{ApiKeyRecord, NewApiKey, PresentedKey};
pub use bulk::{Bulk, BulkItem};
pub use change_reviews::Review;
pub use counters::{CountError, Counted, Subject};
pub use history::Stored;
pub use idempotency::{Attempt, Claim, Outcome};
pub use keys::TeamKey;
pub use news::News;
pub use source_status::SourceStatus;
use table::Table;
pub use table::{Client, client};
pub use teams::Team;

/// Number of attempts for a write whose item was changed concurrently. Losing this often in a row means a
/// defect, not contention.
const ATTEMPTS: usize = 20;

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
    ($(#[$doc:meta])* $name:ident, $variable:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name {
            pub(crate) table: Table,
        }

        impl $name {
            /// The environment variable that names the table.
            pub const VARIABLE: &'static str = $variable;

            /// A handle for the table with this name.
            pub fn named(client: Client, name: impl Into<String>) -> Self {
                Self { table: Table::new(client, name.into()) }
            }

            /// A handle for the table named by the environment variable.
            ///
            /// # Panics
            /// If the variable is missing or empty.
            pub fn from_env(client: Client) -> Self {
                Self::named(client, table::required($variable))
            }
        }
    };
}

handle! {
    /// Companies, their facts, the change feed, news, and the status of the sources.
    Registry, "REGISTRY_TABLE"
}
handle! {
    /// Teams and their data.
    Tenants, "TENANTS_TABLE"
}
handle! {
    /// Rate-limit windows and failed verifications. Its loss only resets quotas.
    Counters, "COUNTERS_TABLE"
}
