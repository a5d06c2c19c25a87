//! The operations on a table. Only this module and its submodules use the DynamoDB SDK.

mod count;
mod documents;
mod items;
mod raw;
mod read;
mod redact;
mod transactions;
mod write;

use std::{collections::HashMap, time::Duration};

use aws::{Limits, SdkConfig};
use aws_sdk_dynamodb::types::AttributeValue;
use errors::Overload;

use crate::{Error, keys::Key};

pub use self::{
    count::{CountError, Counted},
    documents::DOCUMENT,
};
pub(crate) use self::{
    raw::RawItem,
    read::{Read, Row},
    write::Write,
};
pub use aws_sdk_dynamodb::Client;

type Item = HashMap<String, AttributeValue>;

/// The names of the key attributes in every table.
pub const PARTITION: &str = "pk";
pub const SORT: &str = "sk";
/// The attribute with the time to live, in seconds since the Unix epoch.
pub const EXPIRES: &str = "expires";
/// The attribute with the number of times an item was written, for items written with [`Write::revise`].
pub const REVISION: &str = "revision";
/// The attribute that counters increment.
const COUNT: &str = "count";

/// Number of attempts for a throttled transaction and for the unprocessed rest of a batch, with growing pauses.
const ATTEMPTS: u32 = 8;

/// How long a read or write of one item may take.
const ITEM: Limits =
    Limits { attempt: Duration::from_secs(1), operation: Duration::from_millis(3_500) };
/// How long a transaction, a batch, or a page of a query or scan may take.
const MANY: Limits = Limits::of_seconds(3, 10);

/// Creates the DynamoDB client for an environment.
#[expect(clippy::disallowed_methods, reason = "the one place that creates this client")]
pub fn client(environment: &SdkConfig) -> Client {
    Client::new(&ITEM.of(environment))
}

/// One table. Clones share one connection pool.
#[derive(Clone, Debug)]
pub struct Table {
    client: Client,
    /// With the same connections, for requests about many items.
    many: Client,
    name: String,
    /// Number of segments that a scan reads in parallel.
    pub(crate) segments: i32,
}

impl Table {
    pub fn new(client: Client, name: String) -> Self {
        let config = client.config();
        let timeouts = MANY.at_least(config.timeout_config());
        #[expect(clippy::disallowed_methods, reason = "the same client with more time")]
        let many = Client::from_conf(config.to_builder().timeout_config(timeouts).build());
        Self { client, many, name, segments: 1 }
    }
}

async fn pause_before_next(attempt: u32) -> Result<(), Error> {
    if attempt + 1 >= ATTEMPTS {
        let cause = format!("still throttled after {ATTEMPTS} attempts");
        return Err(Error::Unavailable(Overload(cause.into()).into()));
    }
    tokio::time::sleep(Duration::from_millis(20 << attempt)).await;
    Ok(())
}

fn attributes(key: &Key) -> Item {
    HashMap::from([
        (PARTITION.to_owned(), AttributeValue::S(key.partition.clone())),
        (SORT.to_owned(), AttributeValue::S(key.sort.clone())),
    ])
}

/// What the codes of errors contain by which DynamoDB refuses what is above the throughput of a table.
const THROTTLED: [&str; 3] =
    ["Throttling", "ProvisionedThroughputExceeded", "RequestLimitExceeded"];

fn unavailable(cause: impl std::error::Error + Send + Sync + 'static) -> Error {
    // The SDK has a type of its own for the errors of each operation, and all of them print their code.
    let description = errors::chain(&cause);
    match THROTTLED.iter().any(|it| description.contains(it)) {
        true => Error::Unavailable(Overload(cause.into()).into()),
        false => Error::Unavailable(cause.into()),
    }
}
