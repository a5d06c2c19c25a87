//! What is asked of a table: the only file that knows the DynamoDB SDK.

use std::{collections::HashMap, io::Read, time::Duration};

use aws_environment::SdkConfig;
use aws_sdk_dynamodb::{
    error::{ProvideErrorMetadata, SdkError},
    operation::{
        scan::builders::ScanFluentBuilder, transact_write_items::TransactWriteItemsError,
        update_item::UpdateItemError,
    },
    types::{
        AttributeValue, Delete, KeysAndAttributes, Put, PutRequest, ReturnValue, TransactWriteItem,
        WriteRequest,
    },
};
use flate2::{
    Compression,
    read::{GzDecoder, GzEncoder},
};
use futures_util::{Stream, TryStreamExt, stream};
use serde::{Serialize, de::DeserializeOwned};

use crate::{Error, keys::Key};

pub use aws_sdk_dynamodb::Client;

type Item = HashMap<String, AttributeValue>;

/// The names of the key attributes in every table.
pub const PARTITION: &str = "pk";
pub const SORT: &str = "sk";
/// The attribute by which DynamoDB forgets an item, in seconds since the Unix epoch.
pub const EXPIRES: &str = "expires";
/// The attribute that [`Table::count_below`] counts in.
const COUNT: &str = "count";

/// The attribute that counts how often an item was written, where [`Write::revise`] keeps it.
pub const REVISION: &str = "revision";

/// The attribute that holds a document: the whole item but its key and what [`Write::revise`] keeps, as
/// JSON in one text. That is read several times faster than forty attributes, here and in the table, and
/// takes as much room; no condition and no update looks into it. A long one is kept as the bytes of its
/// gzip: DynamoDB's items hold 400 KB, and a long-lived company's record of the register does not fit.
pub const DOCUMENT: &str = "document";

/// From how many bytes on a document is kept compressed. Nearly all are shorter, and quicker read as text.
const LONG_DOCUMENT: usize = 100_000;

/// What one transaction may hold: AWS's limits are 100 writes and 4 MiB. The rest is for what is not
/// counted: the blocks of the feed, and how AWS counts.
const TRANSACTION_WRITES: usize = 90;
const TRANSACTION_BYTES: usize = 3_500_000;

/// How many items a page of a scan looks at.
const SCANNED_AT_ONCE: i32 = 1_000;

/// How often what a batch left undone is asked for again, and a transaction that was throttled sent again,
/// with growing pauses.
const BATCH_ATTEMPTS: u32 = 8;
/// Why a transaction was cancelled that only came too early. The SDK does not send it again by itself: to it,
/// whatever cancels is final.
const THROTTLED: [&str; 2] = ["ThrottlingError", "ProvisionedThroughputExceeded"];

/// The client for an environment.
#[expect(clippy::disallowed_methods, reason = "this is where `store` makes its client")]
pub fn client(environment: &SdkConfig) -> Client {
    Client::new(environment)
}

/// The value of a variable that the deployment must set.
#[expect(clippy::disallowed_methods, reason = "the tables' names are read here and nowhere else")]
pub(crate) fn required(variable: &str) -> String {
    match std::env::var(variable) {
        Ok(value) if !value.is_empty() => value,
        _ => panic!("{variable} is not set; template.yaml sets it"),
    }
}

/// One table. Clones share one connection pool.
#[derive(Clone, Debug)]
pub struct Table {
    client: Client,
    name: String,
    /// In how many segments [`Table::scan`] reads it.
    pub(crate) segments: i32,
}

/// One write of a transaction.
pub(crate) struct Write {
    key: Key,
    item: Option<Item>,
    condition: Condition,
}

/// What must hold of the item that is there, for a write to happen.
enum Condition {
    None,
    Absent,
    /// The field has this value; or, for `None`, there is no such field (or no item).
    Field(&'static str, Option<AttributeValue>),
}

impl Write {
    /// Puts an item whose fields are attributes, for conditions and updates to look into.
    pub(crate) fn put<T: Serialize>(key: Key, item: &T) -> Result<Self, Error> {
        let item = with_key(item, &key)?;
        Ok(Self { key, item: Some(item), condition: Condition::None })
    }

    /// Puts an item that is read and written whole.
    pub(crate) fn put_document<T: Serialize>(key: Key, item: &T) -> Result<Self, Error> {
        let item = document(item, &key)?;
        Ok(Self { key, item: Some(item), condition: Condition::None })
    }

    pub(crate) fn delete(key: Key) -> Self {
        Self { key, item: None, condition: Condition::None }
    }

    /// Whether one transaction can hold all of these.
    pub(crate) fn fit_together<'a>(writes: impl IntoIterator<Item = &'a Self>) -> bool {
        let (mut count, mut bytes) = (0, 0);
        for write in writes {
            count += 1;
            bytes += write.size();
        }
        count <= TRANSACTION_WRITES && bytes <= TRANSACTION_BYTES
    }

    /// About as many bytes as DynamoDB counts.
    fn size(&self) -> usize {
        let size = |value: &AttributeValue| match value {
            AttributeValue::S(text) | AttributeValue::N(text) => text.len(),
            AttributeValue::B(bytes) => bytes.as_ref().len(),
            // Nothing else is ever put in a transaction.
            _ => 0,
        };
        let fields = self.item.iter().flatten().map(|(name, value)| name.len() + size(value));
        self.key.partition.len() + self.key.sort.len() + fields.sum::<usize>()
    }

    /// Only if there is no such item yet.
    pub(crate) fn if_absent(mut self) -> Self {
        self.condition = Condition::Absent;
        self
    }

    /// Only if the field of the item there has this text.
    pub(crate) fn if_field(mut self, field: &'static str, value: &str) -> Self {
        self.condition = Condition::Field(field, Some(AttributeValue::S(value.to_owned())));
        self
    }

    /// Only if the item there is at revision `from` (0: it bears none), which becomes `to`.
    pub(crate) fn revise(mut self, from: usize, to: usize) -> Self {
        let number = |it: usize| AttributeValue::N(it.to_string());
        self.condition = Condition::Field(REVISION, (from > 0).then(|| number(from)));
        if let Some(item) = &mut self.item {
            item.insert(REVISION.to_owned(), number(to));
        }
        self
    }
}

/// An item whose shape its sort key tells.
pub(crate) struct Row {
    pub(crate) partition: String,
    pub(crate) sort: String,
    item: Item,
}

impl Row {
    fn of(mut item: Item) -> Self {
        let mut text = |name: &str| match item.remove(name) {
            Some(AttributeValue::S(text)) => text,
            _ => String::new(),
        };
        let (partition, sort) = (text(PARTITION), text(SORT));
        Self { partition, sort, item }
    }

    pub(crate) fn read<T: DeserializeOwned>(self) -> Result<T, Error> {
        read(self.item)
    }

    /// A number beside the fields of its shape.
    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.item.get(name)?.as_n().ok()?.parse().ok()
    }
}

/// The answer to a conditional count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Counted; this many now.
    Now(u32),
    /// The limit was reached before.
    Full,
}

/// Why a count was not answered.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The request certainly did not reach the table, or the table refused it.
    #[error("the counter refused or was not reached")]
    NotCounted(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The request may have been carried out; its answer did not arrive.
    #[error("the counter's answer was lost")]
    AnswerLost(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Table {
    pub fn new(client: Client, name: String) -> Self {
        Self { client, name, segments: 1 }
    }

    pub(crate) async fn get<T: DeserializeOwned>(&self, key: Key) -> Result<Option<T>, Error> {
        let request = self.client.get_item().table_name(&self.name).consistent_read(true);
        let answer = request.set_key(Some(attributes(&key))).send().await.map_err(unavailable)?;
        answer.item.map(read).transpose()
    }

    /// The items with these keys, in no order; what is not there is left out.
    pub(crate) async fn get_all<T: DeserializeOwned>(
        &self,
        keys: Vec<Key>,
    ) -> Result<Vec<T>, Error> {
        self.get_batches(keys, false).await
    }

    /// The same as they are now, not as they were a moment ago.
    pub(crate) async fn get_all_now<T: DeserializeOwned>(
        &self,
        keys: Vec<Key>,
    ) -> Result<Vec<T>, Error> {
        self.get_batches(keys, true).await
    }

    async fn get_batches<T: DeserializeOwned>(
        &self,
        keys: Vec<Key>,
        consistent: bool,
    ) -> Result<Vec<T>, Error> {
        let mut found = Vec::with_capacity(keys.len());
        for chunk in keys.chunks(100) {
            let mut wanted: Vec<Item> = chunk.iter().map(attributes).collect();
            for attempt in 0.. {
                let asked = KeysAndAttributes::builder().set_keys(Some(wanted));
                let asked = asked.consistent_read(consistent);
                let asked = asked.build().map_err(unavailable)?;
                let request = self.client.batch_get_item().request_items(&self.name, asked);
                let answer = request.send().await.map_err(unavailable)?;
                for items in answer.responses.unwrap_or_default().into_values() {
                    for item in items {
                        found.push(read(item)?);
                    }
                }
                let left = answer.unprocessed_keys.unwrap_or_default().remove(&self.name);
                wanted = left.map(|it| it.keys).unwrap_or_default();
                if wanted.is_empty() {
                    break;
                }
                pause_before_next(attempt).await?;
            }
        }
        Ok(found)
    }

    /// The items of one partition whose sort key starts with that of `prefix`, in order.
    pub(crate) async fn query<T: DeserializeOwned>(&self, prefix: Key) -> Result<Vec<T>, Error> {
        let rows = self.query_rows(prefix).await?;
        rows.into_iter().map(Row::read).collect()
    }

    /// The same, where not all have one shape or more than their shape is asked.
    pub(crate) async fn query_rows(&self, prefix: Key) -> Result<Vec<Row>, Error> {
        let condition = "pk = :pk AND begins_with(sk, :from)";
        self.query_where(condition, [(":pk", prefix.partition), (":from", prefix.sort)]).await
    }

    /// The same of those whose document contains this text as it is written there, and of those that are
    /// kept compressed: the others are not sent.
    pub(crate) async fn query_containing(
        &self,
        prefix: Key,
        text: &str,
    ) -> Result<Vec<Row>, Error> {
        let values = [
            (":pk", prefix.partition),
            (":from", prefix.sort),
            (":text", text.to_owned()),
            (":bytes", "B".to_owned()),
        ];
        let values = values.map(|(it, text)| (it.to_owned(), AttributeValue::S(text)));
        let query = self.client.query().table_name(&self.name).consistent_read(true);
        let pages = query
            .key_condition_expression("pk = :pk AND begins_with(sk, :from)")
            .filter_expression("contains(#document, :text) OR attribute_type(#document, :bytes)")
            .expression_attribute_names("#document", DOCUMENT)
            .set_expression_attribute_values(Some(values.into()))
            .into_paginator()
            .items()
            .send();
        let items = pages.collect::<Result<Vec<_>, _>>().await.map_err(unavailable)?;
        Ok(items.into_iter().map(Row::of).collect())
    }

    /// The items of one partition from the sort key of `from` to the sort key `to`, in order.
    pub(crate) async fn query_between(&self, from: Key, to: &str) -> Result<Vec<Row>, Error> {
        let values = [(":pk", from.partition), (":from", from.sort), (":to", to.to_owned())];
        self.query_where("pk = :pk AND sk BETWEEN :from AND :to", values).await
    }

    /// The items of one partition whose sort key lies between these, both included, the greatest first,
    /// page by page: whoever has enough reads no further.
    pub(crate) fn query_backwards(
        &self,
        partition: &str,
        (from, to): (&str, &str),
        page: i32,
    ) -> impl Stream<Item = Result<Vec<Row>, Error>> + use<> {
        let text = |it: &str| AttributeValue::S(it.to_owned());
        let pages = self
            .client
            .query()
            .table_name(&self.name)
            .key_condition_expression("pk = :pk AND sk BETWEEN :from AND :to")
            .expression_attribute_values(":pk", text(partition))
            .expression_attribute_values(":from", text(from))
            .expression_attribute_values(":to", text(to))
            .scan_index_forward(false)
            .limit(page)
            .into_paginator()
            .send();
        stream::unfold(pages, async |mut pages| pages.next().await.map(|page| (page, pages)))
            .map_err(unavailable)
            .map_ok(|page| page.items.unwrap_or_default().into_iter().map(Row::of).collect())
    }

    async fn query_where(
        &self,
        condition: &str,
        values: impl IntoIterator<Item = (&'static str, String)>,
    ) -> Result<Vec<Row>, Error> {
        let query = self.client.query().table_name(&self.name).consistent_read(true);
        let values = values.into_iter().map(|(it, text)| (it.to_owned(), AttributeValue::S(text)));
        let pages = query
            .key_condition_expression(condition)
            .set_expression_attribute_values(Some(values.collect()))
            .into_paginator()
            .items()
            .send();
        let items = pages.collect::<Result<Vec<_>, _>>().await.map_err(unavailable)?;
        Ok(items.into_iter().map(Row::of).collect())
    }

    /// Every item of one segment of the table with this sort key or one that begins with `prefix`, page by page; the items of one partition stand together, in order. For workers: no
    /// request scans.
    pub(crate) fn scan(
        &self,
        sort: &str,
        prefix: &str,
        segment: i32,
    ) -> impl Stream<Item = Result<Vec<Row>, Error>> + use<> {
        let condition = "sk = :sk OR begins_with(sk, :prefix)";
        let scan = self.scanning(condition, &[(":sk", sort), (":prefix", prefix)]);
        pages_of(match self.segments {
            1 => scan,
            segments => scan.segment(segment).total_segments(segments),
        })
    }

    /// Every item of the table with this sort key, in the order of the table, from behind the item with
    /// this key on. For workers: no request scans.
    pub(crate) fn scan_behind(
        &self,
        sort: &str,
        behind: Option<Key>,
    ) -> impl Stream<Item = Result<Vec<Row>, Error>> + use<> {
        let scan = self.scanning("sk = :sk", &[(":sk", sort)]);
        pages_of(scan.set_exclusive_start_key(behind.as_ref().map(attributes)))
    }

    fn scanning(&self, condition: &str, values: &[(&str, &str)]) -> ScanFluentBuilder {
        let text = |it: &str| AttributeValue::S(it.to_owned());
        let values = values.iter().map(|(name, it)| ((*name).to_owned(), text(it)));
        self.client
            .scan()
            .table_name(&self.name)
            .filter_expression(condition)
            .set_expression_attribute_values(Some(values.collect()))
            // About what a page of DynamoDB holds. The embedded one reads the rest of the table for
            // every page that has no limit.
            .limit(SCANNED_AT_ONCE)
    }

    pub(crate) async fn put<T: Serialize>(&self, key: Key, item: &T) -> Result<(), Error> {
        let request = self.client.put_item().table_name(&self.name);
        request.set_item(Some(with_key(item, &key)?)).send().await.map_err(unavailable)?;
        Ok(())
    }

    /// Puts the item if there is none with its key, if the one there has expired by `now`, or if it
    /// is this very one, whose first answer was lost (`field` has its value). `Ok(false)`: there is
    /// another.
    pub(crate) async fn put_if_free<T: Serialize>(
        &self,
        key: Key,
        item: &T,
        now: i64,
        (field, value): (&str, &str),
    ) -> Result<bool, Error> {
        let request = self
            .client
            .put_item()
            .table_name(&self.name)
            .set_item(Some(with_key(item, &key)?))
            .condition_expression("attribute_not_exists(pk) OR #expires <= :now OR #field = :value")
            .expression_attribute_names("#expires", EXPIRES)
            .expression_attribute_names("#field", field)
            .expression_attribute_values(":value", AttributeValue::S(value.to_owned()))
            .expression_attribute_values(":now", AttributeValue::N(now.to_string()));
        Ok(if_condition_held(request.send().await)?.is_some())
    }

    /// Sets one text field of an item that exists.
    pub(crate) async fn set(&self, key: Key, field: &str, value: String) -> Result<(), Error> {
        let request = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(attributes(&key)))
            .condition_expression("attribute_exists(pk)")
            .update_expression("SET #field = :value")
            .expression_attribute_names("#field", field)
            .expression_attribute_values(":value", AttributeValue::S(value));
        if_condition_held(request.send().await)?.map(|_| ()).ok_or(Error::Changed)
    }

    /// Puts many documents; what the table leaves undone is sent again.
    pub(crate) async fn put_documents<T: Serialize>(
        &self,
        items: impl IntoIterator<Item = (Key, T)>,
    ) -> Result<(), Error> {
        let mut writes = Vec::new();
        for (key, item) in items {
            let put = PutRequest::builder().set_item(Some(document(&item, &key)?));
            let put = put.build().map_err(unavailable)?;
            writes.push(WriteRequest::builder().put_request(put).build());
        }
        self.write_all(writes).await
    }

    async fn write_all(&self, writes: Vec<WriteRequest>) -> Result<(), Error> {
        for chunk in writes.chunks(25) {
            let mut left = chunk.to_vec();
            for attempt in 0.. {
                let request = self.client.batch_write_item().request_items(&self.name, left);
                let answer = request.send().await.map_err(unavailable)?;
                let undone = answer.unprocessed_items.unwrap_or_default().remove(&self.name);
                left = undone.unwrap_or_default();
                if left.is_empty() {
                    break;
                }
                pause_before_next(attempt).await?;
            }
        }
        Ok(())
    }

    /// All of the writes or none. [`Error::Changed`]: a condition did not hold.
    pub(crate) async fn transact(&self, writes: Vec<Write>) -> Result<(), Error> {
        let mut items = Vec::with_capacity(writes.len());
        for write in writes {
            items.push(self.transact_item(write)?);
        }
        for attempt in 0.. {
            let request =
                self.client.transact_write_items().set_transact_items(Some(items.clone()));
            let Err(failure) = request.send().await else { break };
            match failure.into_service_error() {
                TransactWriteItemsError::TransactionCanceledException(canceled) => {
                    let failed = |codes: &[&str]| {
                        let mut reasons = canceled.cancellation_reasons().iter();
                        reasons.any(|it| it.code().is_some_and(|it| codes.contains(&it)))
                    };
                    if failed(&["ConditionalCheckFailed", "TransactionConflict"]) {
                        return Err(Error::Changed);
                    }
                    if failed(&["ValidationError"]) {
                        return Err(Error::Unwritable(canceled.into()));
                    }
                    if !failed(&THROTTLED) {
                        return Err(unavailable(canceled));
                    }
                    pause_before_next(attempt).await?;
                }
                // Too large, as a rule: to send it again is of no use.
                other if other.code() == Some("ValidationException") => {
                    return Err(Error::Unwritable(other.into()));
                }
                other => return Err(unavailable(other)),
            }
        }
        Ok(())
    }

    fn transact_item(&self, write: Write) -> Result<TransactWriteItem, Error> {
        let (expression, names, values) = match write.condition {
            Condition::None => (None, None, None),
            Condition::Absent => (Some("attribute_not_exists(pk)"), None, None),
            Condition::Field(field, value) => (
                Some(if value.is_some() {
                    "#field = :value"
                } else {
                    "attribute_not_exists(#field)"
                }),
                Some(HashMap::from([("#field".to_owned(), field.to_owned())])),
                value.map(|it| HashMap::from([(":value".to_owned(), it)])),
            ),
        };
        let expression = expression.map(str::to_owned);
        let item = TransactWriteItem::builder();
        let Some(fields) = write.item else {
            let delete = Delete::builder()
                .table_name(&self.name)
                .set_key(Some(attributes(&write.key)))
                .set_condition_expression(expression)
                .set_expression_attribute_names(names)
                .set_expression_attribute_values(values);
            return Ok(item.delete(delete.build().map_err(unavailable)?).build());
        };
        let put = Put::builder()
            .table_name(&self.name)
            .set_item(Some(fields))
            .set_condition_expression(expression)
            .set_expression_attribute_names(names)
            .set_expression_attribute_values(values);
        Ok(item.put(put.build().map_err(unavailable)?).build())
    }

    /// Adds one to a counter that is below its limit, in one round trip, exactly under any
    /// concurrency. Never sent twice: a repeated write would count twice.
    pub(crate) async fn count_below(
        &self,
        key: Key,
        limit: u32,
        expires: i64,
    ) -> Result<Counted, CountError> {
        let request = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(attributes(&key)))
            .update_expression("ADD #count :one SET #expires = :expires")
            .condition_expression("attribute_not_exists(#count) OR #count < :limit")
            .expression_attribute_names("#count", COUNT)
            .expression_attribute_names("#expires", EXPIRES)
            .expression_attribute_values(":one", AttributeValue::N("1".into()))
            .expression_attribute_values(":limit", AttributeValue::N(limit.to_string()))
            .expression_attribute_values(":expires", AttributeValue::N(expires.to_string()))
            .return_values(ReturnValue::UpdatedNew);
        match request.customize().config_override(sent_once()).send().await {
            Ok(answer) => {
                let count = answer.attributes().and_then(|it| it.get(COUNT)).and_then(number);
                count.map(Counted::Now).ok_or_else(|| CountError::AnswerLost("no count".into()))
            }
            Err(SdkError::ServiceError(error))
                if matches!(error.err(), UpdateItemError::ConditionalCheckFailedException(_)) =>
            {
                Ok(Counted::Full)
            }
            Err(error) => Err(count_error(error)),
        }
    }

    /// Takes back one of a counter that is above zero. `None`: there was nothing to take back.
    pub(crate) async fn uncount(&self, key: Key) -> Result<Option<u32>, Error> {
        let request = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(attributes(&key)))
            .update_expression("ADD #count :minus")
            .condition_expression("#count > :zero")
            .expression_attribute_names("#count", COUNT)
            .expression_attribute_values(":minus", AttributeValue::N("-1".into()))
            .expression_attribute_values(":zero", AttributeValue::N("0".into()))
            .return_values(ReturnValue::UpdatedNew);
        let answer = request.customize().config_override(sent_once()).send().await;
        let answer = if_condition_held(answer)?;
        Ok(answer.and_then(|it| it.attributes().and_then(|it| it.get(COUNT)).and_then(number)))
    }

    /// The counts under these keys, 0 where nothing was counted yet, in their order.
    pub(crate) async fn counts(&self, keys: Vec<Key>) -> Result<Vec<u32>, Error> {
        let found: Vec<CountItem> = self.get_all(keys.clone()).await?;
        let count_of = |key: &Key| {
            let item = found.iter().find(|it| it.partition == key.partition);
            item.map_or(0, |it| it.count)
        };
        Ok(keys.iter().map(count_of).collect())
    }
}

#[derive(serde::Deserialize)]
struct CountItem {
    #[serde(rename = "pk")]
    partition: String,
    count: u32,
}

fn pages_of(scan: ScanFluentBuilder) -> impl Stream<Item = Result<Vec<Row>, Error>> + use<> {
    let pages = scan.into_paginator().send();
    stream::unfold(pages, async |mut pages| pages.next().await.map(|page| (page, pages)))
        .map_err(unavailable)
        .map_ok(|page| page.items.unwrap_or_default().into_iter().map(Row::of).collect())
}

/// No retry, and no long wait: the caller is a request.
fn sent_once() -> aws_sdk_dynamodb::config::Builder {
    let timeouts = aws_sdk_dynamodb::config::timeout::TimeoutConfig::builder()
        .connect_timeout(Duration::from_millis(500))
        .operation_timeout(Duration::from_secs(2));
    aws_sdk_dynamodb::Config::builder()
        .retry_config(aws_sdk_dynamodb::config::retry::RetryConfig::disabled())
        .timeout_config(timeouts.build())
}

/// Tells a count that was certainly not made from one that may have been.
fn count_error(error: SdkError<UpdateItemError>) -> CountError {
    let refused = match &error {
        SdkError::ConstructionFailure(_) => true,
        // Throttled, denied, malformed: not carried out. A failure of the service may come after.
        SdkError::ServiceError(refusal) => refusal.raw().status().is_client_error(),
        // A connection that was never made carried nothing. The connector names the step in the
        // text of its causes only.
        SdkError::DispatchFailure(failure) => failure
            .as_connector_error()
            .is_some_and(|it| errors::chain(it).contains("tcp connect error")),
        _ => false,
    };
    let cause = Box::new(error);
    if refused { CountError::NotCounted(cause) } else { CountError::AnswerLost(cause) }
}

/// The answer to a conditional write; `None` where its condition did not hold.
fn if_condition_held<T, E, R>(answer: Result<T, SdkError<E, R>>) -> Result<Option<T>, Error>
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
    R: std::fmt::Debug + Send + Sync + 'static,
{
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if error.code() == Some("ConditionalCheckFailedException") => Ok(None),
        Err(error) => Err(unavailable(error)),
    }
}

async fn pause_before_next(attempt: u32) -> Result<(), Error> {
    if attempt + 1 >= BATCH_ATTEMPTS {
        return Err(Error::Unavailable("the table had too much to do for too long".into()));
    }
    tokio::time::sleep(Duration::from_millis(20 << attempt)).await;
    Ok(())
}

fn number(value: &AttributeValue) -> Option<u32> {
    value.as_n().ok()?.parse().ok()
}

fn attributes(key: &Key) -> Item {
    HashMap::from([
        (PARTITION.to_owned(), AttributeValue::S(key.partition.clone())),
        (SORT.to_owned(), AttributeValue::S(key.sort.clone())),
    ])
}

fn with_key<T: Serialize>(item: &T, key: &Key) -> Result<Item, Error> {
    let mut fields: Item =
        serde_dynamo::to_item(item).map_err(|it| Error::Unwritable(it.into()))?;
    fields.extend(attributes(key));
    Ok(fields)
}

fn document<T: Serialize>(item: &T, key: &Key) -> Result<Item, Error> {
    let json = serde_json::to_string(item).map_err(|it| Error::Unwritable(it.into()))?;
    let document = match json.len() {
        ..LONG_DOCUMENT => AttributeValue::S(json),
        _ => {
            let mut bytes = Vec::new();
            let mut gzip = GzEncoder::new(json.as_bytes(), Compression::fast());
            gzip.read_to_end(&mut bytes).map_err(|it| Error::Unwritable(it.into()))?;
            AttributeValue::B(bytes.into())
        }
    };
    let mut fields = attributes(key);
    fields.insert(DOCUMENT.to_owned(), document);
    Ok(fields)
}

/// An item of either kind. Attributes are read as JSON too: two ways for each type would be twice the code
/// in every function, and few items are attributes.
fn read<T: DeserializeOwned>(mut item: Item) -> Result<T, Error> {
    let json = match item.remove(DOCUMENT) {
        Some(AttributeValue::S(json)) => json,
        Some(AttributeValue::B(bytes)) => {
            let mut json = String::new();
            let mut gzip = GzDecoder::new(bytes.as_ref());
            gzip.read_to_string(&mut json).map_err(|it| Error::Shape(it.into()))?;
            json
        }
        _ => attributes_as_json(item)?,
    };
    serde_json::from_str(&json).map_err(|it| Error::Shape(it.into()))
}

fn attributes_as_json(item: Item) -> Result<String, Error> {
    let fields: serde_json::Value =
        serde_dynamo::from_item(item).map_err(|it| Error::Shape(it.into()))?;
    Ok(fields.to_string())
}

fn unavailable(cause: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Unavailable(Box::new(cause))
}
