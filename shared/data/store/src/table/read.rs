//! Reading by key, by partition, and page by page.

use aws_sdk_dynamodb::{
    operation::{query::builders::QueryFluentBuilder, scan::builders::ScanFluentBuilder},
    types::{AttributeValue, KeysAndAttributes},
};
use futures_util::{Stream, TryStreamExt, stream};
use jiff::Timestamp;
use serde::de::DeserializeOwned;

use super::{
    EXPIRES, Item, PARTITION, REVISION, SORT, Table, attributes,
    documents::{DOCUMENT, read},
    pause_before_next, unavailable,
};
use crate::{Error, keys::Key};

/// Number of items that DynamoDB reads for one page of a scan.
const SCAN_PAGE: i32 = 1_000;

/// An item as read, with the revision that a change of it is conditional on. An item that is not stored has the
/// revision 0.
#[derive(Default)]
pub(crate) struct Read<T> {
    pub(crate) value: T,
    pub(crate) revision: usize,
}

/// An item whose type follows from its sort key.
pub(crate) struct Row {
    pub(crate) partition: String,
    pub(crate) sort: String,
    pub(super) item: Item,
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

    pub(crate) fn read_revised<T: DeserializeOwned>(self) -> Result<Read<T>, Error> {
        let revision = self.revision();
        Ok(Read { value: self.read()?, revision })
    }

    /// The revision that a change is conditional on.
    pub(crate) fn revision(&self) -> usize {
        self.number(REVISION).unwrap_or_default()
    }

    /// Size of the document, in bytes as stored.
    pub(crate) fn size(&self) -> usize {
        match self.item.get(DOCUMENT) {
            Some(AttributeValue::S(json)) => json.len(),
            Some(AttributeValue::B(bytes)) => bytes.as_ref().len(),
            _ => 0,
        }
    }

    /// Whether the item has expired: DynamoDB deletes it later.
    pub(crate) fn has_expired(&self, now: Timestamp) -> bool {
        let expires = self.number(EXPIRES).and_then(|it| i64::try_from(it).ok());
        expires.is_some_and(|it| it <= now.as_second())
    }

    /// A numeric attribute next to the document, such as the revision.
    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.item.get(name)?.as_n().ok()?.parse().ok()
    }
}

impl Table {
    pub(crate) async fn get<T: DeserializeOwned>(&self, key: Key) -> Result<Option<T>, Error> {
        let request = self.client.get_item().table_name(&self.name).consistent_read(true);
        let answer = request.set_key(Some(attributes(&key))).send().await.map_err(unavailable)?;
        answer.item.map(read).transpose()
    }

    /// As [`Table::get`], for an item with attributes next to the document.
    pub(crate) async fn get_row(&self, key: Key) -> Result<Option<Row>, Error> {
        let request = self.client.get_item().table_name(&self.name).consistent_read(true);
        let answer = request.set_key(Some(attributes(&key))).send().await.map_err(unavailable)?;
        Ok(answer.item.map(Row::of))
    }

    /// As [`Table::get`], with the revision.
    pub(crate) async fn get_revised<T: DeserializeOwned>(
        &self,
        key: Key,
    ) -> Result<Option<Read<T>>, Error> {
        self.get_row(key).await?.map(Row::read_revised).transpose()
    }

    /// The items with these keys, in no particular order. Missing items are left out. Eventually consistent.
    pub(crate) async fn get_all<T: DeserializeOwned>(
        &self,
        keys: Vec<Key>,
    ) -> Result<Vec<T>, Error> {
        self.get_batches(keys, false).await?.into_iter().map(read).collect()
    }

    /// As [`Table::get_all`], for items of which some may be impossible to decode.
    pub(crate) async fn get_all_rows(&self, keys: Vec<Key>) -> Result<Vec<Row>, Error> {
        Ok(self.get_batches(keys, false).await?.into_iter().map(Row::of).collect())
    }

    /// As [`Table::get_all`], with consistent reads.
    pub(crate) async fn get_rows(&self, keys: Vec<Key>) -> Result<Vec<Row>, Error> {
        Ok(self.get_batches(keys, true).await?.into_iter().map(Row::of).collect())
    }

    async fn get_batches(&self, keys: Vec<Key>, consistent: bool) -> Result<Vec<Item>, Error> {
        let mut found = Vec::with_capacity(keys.len());
        for chunk in keys.chunks(100) {
            let mut wanted: Vec<Item> = chunk.iter().map(attributes).collect();
            for attempt in 0.. {
                let request = KeysAndAttributes::builder().set_keys(Some(wanted));
                let request = request.consistent_read(consistent).build().map_err(unavailable)?;
                let request = self.many.batch_get_item().request_items(&self.name, request);
                let answer = request.send().await.map_err(unavailable)?;
                found.extend(answer.responses.unwrap_or_default().into_values().flatten());
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

    /// The items of one partition whose sort key starts with that of `prefix`, sorted by sort key.
    pub(crate) async fn query<T: DeserializeOwned>(&self, prefix: Key) -> Result<Vec<T>, Error> {
        let rows = self.query_rows(prefix).await?;
        rows.into_iter().map(Row::read).collect()
    }

    /// The last of the items of one partition with a sort key between that of `from` and `to`, both included.
    pub(crate) async fn last_between(&self, from: Key, to: &str) -> Result<Option<Row>, Error> {
        let request = self.request_between(&from.partition, (&from.sort, to));
        let request = request.consistent_read(true).scan_index_forward(false).limit(1);
        let answer = request.send().await.map_err(unavailable)?;
        Ok(answer.items.and_then(|mut it| it.pop()).map(Row::of))
    }

    /// As [`Table::query`], for items of different types or with attributes next to the document.
    pub(crate) async fn query_rows(&self, prefix: Key) -> Result<Vec<Row>, Error> {
        let condition = "pk = :pk AND begins_with(sk, :from)";
        self.query_where(condition, [(":pk", prefix.partition), (":from", prefix.sort)]).await
    }

    /// As [`Table::query_rows`], with a sort key between `from` and `to`, both included.
    pub(crate) async fn query_between(&self, from: Key, to: String) -> Result<Vec<Row>, Error> {
        let condition = "pk = :pk AND sk BETWEEN :from AND :to";
        let values = [(":pk", from.partition), (":from", from.sort), (":to", to)];
        self.query_where(condition, values).await
    }

    /// The items of one partition with a sort key between `from` and `to`, both included, in descending
    /// order. Reads a page only when the stream is polled for it. Eventually consistent.
    pub(crate) fn query_backwards(
        &self,
        partition: &str,
        between: (&str, &str),
        page: i32,
    ) -> impl Stream<Item = Result<Vec<Row>, Error>> + use<> {
        let request = self.request_between(partition, between);
        pages_of_query(request.scan_index_forward(false).limit(page))
    }

    /// As [`Table::query_backwards`], with consistent reads.
    pub(crate) fn query_backwards_consistently(
        &self,
        partition: &str,
        between: (&str, &str),
        page: i32,
    ) -> impl Stream<Item = Result<Vec<Row>, Error>> + use<> {
        let request = self.request_between(partition, between).consistent_read(true);
        pages_of_query(request.scan_index_forward(false).limit(page))
    }

    /// As [`Table::query_backwards_consistently`], in ascending order.
    pub(crate) fn query_forwards_consistently(
        &self,
        partition: &str,
        between: (&str, &str),
        page: i32,
    ) -> impl Stream<Item = Result<Vec<Row>, Error>> + use<> {
        let request = self.request_between(partition, between).consistent_read(true);
        pages_of_query(request.limit(page))
    }

    fn request_between(&self, partition: &str, (from, to): (&str, &str)) -> QueryFluentBuilder {
        let text = |it: &str| AttributeValue::S(it.to_owned());
        self.many
            .query()
            .table_name(&self.name)
            .key_condition_expression("pk = :pk AND sk BETWEEN :from AND :to")
            .expression_attribute_values(":pk", text(partition))
            .expression_attribute_values(":from", text(from))
            .expression_attribute_values(":to", text(to))
    }

    async fn query_where(
        &self,
        condition: &str,
        values: impl IntoIterator<Item = (&'static str, String)>,
    ) -> Result<Vec<Row>, Error> {
        let query = self.many.query().table_name(&self.name).consistent_read(true);
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

    /// The items of one segment of the table whose sort key is `sort` or starts with `prefix`, page by page.
    /// The items of one partition are adjacent and sorted. For workers only: no request scans.
    pub(crate) fn scan(
        &self,
        sort: &str,
        prefix: &str,
        segment: i32,
    ) -> impl Stream<Item = Result<Vec<Row>, Error>> + use<> {
        let condition = "sk = :sk OR begins_with(sk, :prefix)";
        let scan = self.scan_request(condition, &[(":sk", sort), (":prefix", prefix)]);
        pages_of(match self.segments {
            1 => scan,
            segments => scan.segment(segment).total_segments(segments),
        })
    }

    /// The items of the table with this sort key, in table order, starting after the item with the key
    /// `after`. For workers only: no request scans.
    pub(crate) fn scan_after(
        &self,
        sort: &str,
        after: Option<Key>,
    ) -> impl Stream<Item = Result<Vec<Row>, Error>> + use<> {
        let scan = self.scan_request("sk = :sk", &[(":sk", sort)]);
        pages_of(scan.set_exclusive_start_key(after.as_ref().map(attributes)))
    }

    fn scan_request(&self, condition: &str, values: &[(&str, &str)]) -> ScanFluentBuilder {
        let text = |it: &str| AttributeValue::S(it.to_owned());
        let values = values.iter().map(|(name, it)| ((*name).to_owned(), text(it)));
        self.many
            .scan()
            .table_name(&self.name)
            // The indexer relies on it: what was stored before the scan is in its result.
            .consistent_read(true)
            .filter_expression(condition)
            .set_expression_attribute_values(Some(values.collect()))
            // About one page of DynamoDB. Without a limit, the embedded emulator reads the whole rest of
            // the table for every page.
            .limit(SCAN_PAGE)
    }
}

fn pages_of_query(
    query: QueryFluentBuilder,
) -> impl Stream<Item = Result<Vec<Row>, Error>> + use<> {
    let pages = query.into_paginator().send();
    stream::unfold(pages, async |mut pages| pages.next().await.map(|page| (page, pages)))
        .map_err(unavailable)
        .map_ok(|page| page.items.unwrap_or_default().into_iter().map(Row::of).collect())
}

pub(super) fn pages_of(
    scan: ScanFluentBuilder,
) -> impl Stream<Item = Result<Vec<Row>, Error>> + use<> {
    let pages = scan.into_paginator().send();
    stream::unfold(pages, async |mut pages| pages.next().await.map(|page| (page, pages)))
        .map_err(unavailable)
        .map_ok(|page| page.items.unwrap_or_default().into_iter().map(Row::of).collect())
}
