//! Writing: single items, batches and transactions.

use std::collections::HashMap;

use aws_sdk_dynamodb::{
    error::{ProvideErrorMetadata, SdkError},
    operation::transact_write_items::TransactWriteItemsError,
    types::{AttributeValue, Delete, Put, PutRequest, TransactWriteItem, WriteRequest},
};
use serde::Serialize;

use super::{
    EXPIRES, Item, REVISION, Table, attributes, documents::document, pause_before_next, unavailable,
};
use crate::{Error, keys::Key};

/// Limits of one transaction. AWS allows 100 writes and 4 MiB; the rest is left for the blocks of the
/// feed, which [`Write::fit_together`] does not count, and for differences in how AWS counts bytes.
const TRANSACTION_WRITES: usize = 90;
const TRANSACTION_BYTES: usize = 3_500_000;

/// Reasons of a cancelled transaction that is worth sending again. The SDK does not retry it by itself:
/// it treats every cancellation as final.
const THROTTLED: [&str; 2] = ["ThrottlingError", "ProvisionedThroughputExceeded"];

/// One write of a transaction.
pub(crate) struct Write {
    key: Key,
    item: Option<Item>,
    condition: Condition,
}

/// Condition on the stored item. The write happens only if it holds.
enum Condition {
    None,
    Absent,
    /// The field has this value. `None`: the item or the field does not exist.
    Field(&'static str, Option<AttributeValue>),
}

impl Write {
    /// Puts an item with one attribute per field, for conditions and updates that refer to them.
    pub(crate) fn put<T: Serialize>(key: Key, item: &T) -> Result<Self, Error> {
        let item = with_key(item, &key)?;
        Ok(Self { key, item: Some(item), condition: Condition::None })
    }

    /// Puts an item as one document.
    pub(crate) fn put_document<T: Serialize>(key: Key, item: &T) -> Result<Self, Error> {
        let item = document(item, &key)?;
        Ok(Self { key, item: Some(item), condition: Condition::None })
    }

    pub(crate) fn delete(key: Key) -> Self {
        Self { key, item: None, condition: Condition::None }
    }

    /// Whether all these writes fit in one transaction.
    pub(crate) fn fit_together<'a>(writes: impl IntoIterator<Item = &'a Self>) -> bool {
        let (mut count, mut bytes) = (0, 0);
        for write in writes {
            count += 1;
            bytes += write.size();
        }
        count <= TRANSACTION_WRITES && bytes <= TRANSACTION_BYTES
    }

    /// Approximate size in bytes, as DynamoDB counts it.
    fn size(&self) -> usize {
        let size = |value: &AttributeValue| match value {
            AttributeValue::S(text) | AttributeValue::N(text) => text.len(),
            AttributeValue::B(bytes) => bytes.as_ref().len(),
            // No transaction holds other types.
            _ => 0,
        };
        let fields = self.item.iter().flatten().map(|(name, value)| name.len() + size(value));
        self.key.partition.len() + self.key.sort.len() + fields.sum::<usize>()
    }

    /// Only if the item does not exist.
    pub(crate) fn if_absent(mut self) -> Self {
        self.condition = Condition::Absent;
        self
    }

    /// Only if this field of the stored item has this value.
    pub(crate) fn if_field(mut self, field: &'static str, value: &str) -> Self {
        self.condition = Condition::Field(field, Some(AttributeValue::S(value.to_owned())));
        self
    }

    /// Only if the stored item is at revision `from` (0: it has none). Sets the revision to `to`.
    pub(crate) fn revise(mut self, from: usize, to: usize) -> Self {
        let number = |it: usize| AttributeValue::N(it.to_string());
        self.condition = Condition::Field(REVISION, (from > 0).then(|| number(from)));
        if let Some(item) = &mut self.item {
            item.insert(REVISION.to_owned(), number(to));
        }
        self
    }
}

impl Table {
    pub(crate) async fn put<T: Serialize>(&self, key: Key, item: &T) -> Result<(), Error> {
        let request = self.client.put_item().table_name(&self.name);
        request.set_item(Some(with_key(item, &key)?)).send().await.map_err(unavailable)?;
        Ok(())
    }

    /// Puts the item if the key is free: no item, an expired one, or this same item from an earlier try
    /// whose answer was lost (its `field` has `value`). `Ok(false)`: another item has the key.
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

    /// Sets one text field of an existing item. [`Error::Changed`]: the item does not exist.
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

    /// Puts many documents in batches. Unprocessed items are sent again.
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
                let unprocessed = answer.unprocessed_items.unwrap_or_default().remove(&self.name);
                left = unprocessed.unwrap_or_default();
                if left.is_empty() {
                    break;
                }
                pause_before_next(attempt).await?;
            }
        }
        Ok(())
    }

    /// Applies all writes or none. [`Error::Changed`]: a condition did not hold.
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
                // Usually too large. Sending it again would not help.
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
}

/// The answer to a conditional write. `None`: the condition did not hold.
pub(super) fn if_condition_held<T, E, R>(
    answer: Result<T, SdkError<E, R>>,
) -> Result<Option<T>, Error>
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

fn with_key<T: Serialize>(item: &T, key: &Key) -> Result<Item, Error> {
    let mut fields: Item =
        serde_dynamo::to_item(item).map_err(|it| Error::Unwritable(it.into()))?;
    fields.extend(attributes(key));
    Ok(fields)
}
