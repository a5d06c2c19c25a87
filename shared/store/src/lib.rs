//! The three tables: typed repositories over one narrow seam to DynamoDB.
//!
//! Invariant: whoever holds a handle can do what its table's repositories offer, and no more; a
//! function names the handles that it needs, and `template.yaml` grants the same.
//!
//! | Read this | To learn |
//! |---|---|
//! | [`keys`] | the data model: every key the tables hold |
//! | [`table`] | the seam: the few operations asked of a table |
//! | [`Registry`], [`Tenants`], [`Counters`] | the tables; the other modules are what each aggregate can be asked |

mod api_keys;
mod bulk;
mod companies;
mod counters;
mod feed;
mod history;
mod idempotency;
pub mod keys;
mod news;
mod reviews;
mod source_status;
pub mod table;
mod teams;

pub use api_keys::{ApiKeyRecord, NewApiKey, PresentedKey};
pub use bulk::{Bulk, BulkItem};
pub use counters::{CountError, Counted, Subject};
pub use history::Stored;
pub use idempotency::{Attempt, Claim, Outcome};
pub use keys::TeamKey;
pub use news::News;
pub use reviews::Review;
pub use source_status::SourceStatus;
use table::Table;
pub use table::{Client, client};
pub use teams::Team;

/// How often a write is decided again because its item changed meanwhile. Whoever loses so often in
/// a row has met a defect, not a rival.
const ATTEMPTS: usize = 20;

/// What can go wrong between us and a table.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the table did not answer")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("an item does not have the expected shape")]
    Shape(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("an item cannot be written")]
    Unwritable(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the item changed meanwhile")]
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

            /// The table with this name.
            pub fn named(client: Client, name: impl Into<String>) -> Self {
                Self { table: Table::new(client, name.into()) }
            }

            /// The table that the environment names. Stops the start where none is named.
            pub fn from_env(client: Client) -> Self {
                Self::named(client, table::required($variable))
            }
        }
    };
}

handle! {
    /// Companies, their facts, and the state of the sources.
    Registry, "REGISTRY_TABLE"
}
handle! {
    /// Teams and all that belongs to them.
    Tenants, "TENANTS_TABLE"
}
handle! {
    /// Rate windows and failed verifications. What is in it may be lost: quota starts anew.
    Counters, "COUNTERS_TABLE"
}
