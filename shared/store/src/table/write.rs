//! Writing: single items, batches and transactions.

use std::collections::HashMap;

use aws_sdk_dynamodb::{
    error::{ProvideErrorMetadata, SdkError},
    operation::transact_write_items::TransactWriteItemsError,
    types::{
        AttributeValue, CancellationReason, Delete, DeleteRequest, Put, PutRequest,
        TransactWriteItem, Update, WriteRequest,
    },
};
use serde::{Serialize, de::DeserializeOwned};

use super::{
    COUNT, EXPIRES, Item, REVISION, Table, attributes,
    documents::{compressed, document},
    pause_before_next,
    read::Read,
    unavailable,
};
use crate::{ATTEMPTS, Error, keys::Key, pause_after_conflict};

/// Limits of one transaction. AWS allows 100 writes and 4 MiB; the rest is left for differences in how AWS counts
/// bytes.
const TRANSACTION_WRITES: usize = 90;
const TRANSACTION_BYTES: usize = 3_500_000;

/// Reasons of a cancelled transaction that is worth sending again. The SDK does not retry it by itself:
/// it treats every cancellation as final.
const THROTTLED: [&str; 2] = ["ThrottlingError", "ProvisionedThroughputExceeded"];

/// One write of a transaction.
#[derive(Clone)]
pub(crate) struct Write {
    key: Key,
    action: Action,
    condition: Condition,
}

#[derive(Clone)]
enum Action {
    Put(Item),
    Delete,
    /// Adds to the attribute `count`; a missing item counts as 0. Sets the time to live, if one is given.
    Count {
        delta: i32,
        expires: Option<i64>,
    },
    /// Sets one attribute to `true`.
    Mark(&'static str),
}

/// Condition on the stored item. The write happens only if it holds.
#[derive(Clone)]
enum Condition {
    None,
    Absent,
    Present,
    /// The field has this value. `None`: the item or the field does not exist.
    Field(&'static str, Option<AttributeValue>),
    /// The attribute `count` is below this, or missing.
    CountBelow(u32),
    /// The attribute `count` is above this.
    CountAbove(u32),
}

impl Write {
    /// Puts an item with one attribute per field, for conditions and updates that refer to them.
    pub(crate) fn put<T: Serialize>(key: Key, item: &T) -> Result<Self, Error> {
        let item = with_key(item, &key)?;
        Ok(Self { key, action: Action::Put(item), condition: Condition::None })
    }

    /// Puts an item as one document.
    pub(crate) fn put_document<T: Serialize>(key: Key, item: &T) -> Result<Self, Error> {
        let item = document(item, &key)?;
        Ok(Self { key, action: Action::Put(item), condition: Condition::None })
    }

    /// As [`Write::put_document`], always compressed.
    pub(crate) fn put_compressed<T: Serialize>(key: Key, item: &T) -> Result<Self, Error> {
        let item = compressed(item, &key)?;
        Ok(Self { key, action: Action::Put(item), condition: Condition::None })
    }

    pub(crate) fn delete(key: Key) -> Self {
        Self { key, action: Action::Delete, condition: Condition::None }
    }

    /// Adds one to a counter, only if it is below `limit`.
    pub(crate) fn count_up(key: Key, limit: u32) -> Self {
        Self::count_within(key, 1, limit)
    }

    /// Adds a positive number to a counter, only if the sum is at most `limit`.
    pub(crate) fn count_within(key: Key, number: i32, limit: u32) -> Self {
        let below = (limit + 1).saturating_sub(number.unsigned_abs());
        Self { condition: Condition::CountBelow(below), ..Self::count(key, number, None) }
    }

    /// Subtracts one from a counter.
    pub(crate) fn count_down(key: Key) -> Self {
        Self::count(key, -1, None)
    }

    /// Adds to a counter, which expires at a time in seconds since the Unix epoch if one is given.
    pub(crate) fn count(key: Key, delta: i32, expires: Option<i64>) -> Self {
        Self { key, action: Action::Count { delta, expires }, condition: Condition::None }
    }

    /// Sets an attribute of an existing item to `true`, only if it is `false`.
    pub(crate) fn mark(key: Key, field: &'static str) -> Self {
        let condition = Condition::Field(field, Some(AttributeValue::Bool(false)));
        Self { key, action: Action::Mark(field), condition }
    }

    /// Subtracts one from a counter, only if it is above `limit`.
    pub(crate) fn count_down_above(key: Key, limit: u32) -> Self {
        Self {
            key,
            action: Action::Count { delta: -1, expires: None },
            condition: Condition::CountAbove(limit),
        }
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
        let item = match &self.action {
            Action::Put(item) => Some(item),
            Action::Delete | Action::Count { .. } | Action::Mark(_) => None,
        };
        let fields = item.into_iter().flatten().map(|(name, value)| name.len() + size(value));
        self.key.partition.len() + self.key.sort.len() + fields.sum::<usize>()
    }

    /// Only if the item does not exist.
    pub(crate) fn if_absent(mut self) -> Self {
        self.condition = Condition::Absent;
        self
    }

    /// Only if the item exists.
    pub(crate) fn if_present(mut self) -> Self {
        self.condition = Condition::Present;
        self
    }

    /// Only if this field of the stored item has this value.
    pub(crate) fn if_field(mut self, field: &'static str, value: &str) -> Self {
        self.condition = Condition::Field(field, Some(AttributeValue::S(value.to_owned())));
        self
    }

    /// Only if the stored item is at this revision (0: it has none, or there is no item).
    pub(crate) fn if_revision(mut self, revision: usize) -> Self {
        let value = (revision > 0).then(|| AttributeValue::N(revision.to_string()));
        self.condition = Condition::Field(REVISION, value);
        self
    }

    /// As [`Write::if_revision`]; sets the revision to `to`.
    pub(crate) fn revise(self, from: usize, to: usize) -> Self {
        self.if_revision(from).at_revision(to)
    }

    /// Sets the time to live, in seconds since the Unix epoch.
    pub(crate) fn expiring(mut self, at: i64) -> Self {
        if let Action::Put(item) = &mut self.action {
            item.insert(EXPIRES.to_owned(), AttributeValue::N(at.to_string()));
        }
        self
    }

    /// Sets the revision, without a condition.
    pub(crate) fn at_revision(mut self, revision: usize) -> Self {
        if let Action::Put(item) = &mut self.action {
            item.insert(REVISION.to_owned(), AttributeValue::N(revision.to_string()));
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

    /// As [`Table::put`], for an item that expires at a time in seconds since the Unix epoch.
    pub(crate) async fn put_expiring<T: Serialize>(
        &self,
        key: Key,
        item: &T,
        expires: i64,
    ) -> Result<(), Error> {
        let mut item = with_key(item, &key)?;
        item.insert(EXPIRES.to_owned(), AttributeValue::N(expires.to_string()));
        let request = self.client.put_item().table_name(&self.name);
        request.set_item(Some(item)).send().await.map_err(unavailable)?;
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

    /// Puts a document that is never changed, and that expires at a time in seconds since the Unix epoch. An item with
    /// this key stays as it is: it is the same one, from an earlier try whose answer was lost.
    pub(crate) async fn put_new<T: Serialize>(
        &self,
        key: Key,
        item: &T,
        expires: i64,
    ) -> Result<(), Error> {
        let mut item = document(item, &key)?;
        item.insert(EXPIRES.to_owned(), AttributeValue::N(expires.to_string()));
        let request = self.client.put_item().table_name(&self.name).set_item(Some(item));
        let request = request.condition_expression("attribute_not_exists(pk)");
        if_condition_held(request.send().await)?;
        Ok(())
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

    /// Changes a document and returns its new state. A missing one counts as the default. `change` runs again if
    /// another change was faster.
    pub(crate) async fn update<T: Default + Serialize + DeserializeOwned>(
        &self,
        key: Key,
        change: impl Fn(&mut T),
    ) -> Result<T, Error> {
        for conflicts in 0..ATTEMPTS {
            let read: Option<Read<T>> = self.get_revised(key.clone()).await?;
            let Read { mut value, revision } = read.unwrap_or_default();
            change(&mut value);
            let put = Write::put_document(key.clone(), &value)?.revise(revision, revision + 1);
            match self.transact(vec![put]).await {
                Err(Error::Changed) => pause_after_conflict(conflicts).await,
                done => return done.map(|()| value),
            }
        }
        Err(Error::Changed)
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

    /// Deletes many items in batches. Missing items are ignored.
    pub(crate) async fn delete_all(&self, keys: Vec<Key>) -> Result<(), Error> {
        let mut writes = Vec::with_capacity(keys.len());
        for key in keys {
            let delete = DeleteRequest::builder().set_key(Some(attributes(&key)));
            let delete = delete.build().map_err(unavailable)?;
            writes.push(WriteRequest::builder().delete_request(delete).build());
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
        if self.try_transact(writes).await?.is_empty() { Ok(()) } else { Err(Error::Changed) }
    }

    /// Applies all writes or none. Returns the indices of the writes whose condition did not hold: none, if
    /// all were applied. [`Error::Changed`]: another transaction was writing one of the items.
    pub(crate) async fn try_transact(&self, writes: Vec<Write>) -> Result<Vec<usize>, Error> {
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
                    let failed = |codes: &[&str]| -> Vec<usize> {
                        let reasons = canceled.cancellation_reasons().iter().enumerate();
                        let failed = |(index, reason): (usize, &CancellationReason)| {
                            reason.code().is_some_and(|it| codes.contains(&it)).then_some(index)
                        };
                        reasons.filter_map(failed).collect()
                    };
                    let conditions = failed(&["ConditionalCheckFailed"]);
                    if !conditions.is_empty() {
                        return Ok(conditions);
                    }
                    if !failed(&["TransactionConflict"]).is_empty() {
                        return Err(Error::Changed);
                    }
                    if !failed(&["ValidationError"]).is_empty() {
                        return Err(Error::Unwritable(canceled.into()));
                    }
                    if failed(&THROTTLED).is_empty() {
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
        Ok(Vec::new())
    }

    /// Applies those of these groups of writes whose first write has a condition that holds, in one transaction with
    /// `counts` of their number. Returns their number. `None`: the condition of a count does not hold, and nothing was
    /// written.
    pub(crate) async fn transact_new(
        &self,
        mut groups: Vec<Vec<Write>>,
        counts: impl Fn(i32) -> Vec<Write>,
    ) -> Result<Option<usize>, Error> {
        let mut conflicts = 0;
        while !groups.is_empty() {
            let number = i32::try_from(groups.len()).unwrap_or(i32::MAX);
            let writes = groups.iter().flatten().cloned().chain(counts(number)).collect();
            match self.try_transact(writes).await {
                Ok(failed) if failed.is_empty() => return Ok(Some(groups.len())),
                Ok(failed) => {
                    let (before, mut first) = (groups.len(), 0);
                    groups.retain(|group| {
                        let holds = !failed.contains(&first);
                        first += group.len();
                        holds
                    });
                    if groups.len() == before {
                        return Ok(None);
                    }
                }
                Err(Error::Changed) if conflicts < ATTEMPTS => {
                    pause_after_conflict(conflicts).await;
                    conflicts += 1;
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok(Some(0))
    }

    fn transact_item(&self, write: Write) -> Result<TransactWriteItem, Error> {
        let mut names = HashMap::new();
        let mut values = HashMap::new();
        let condition = match write.condition {
            Condition::None => None,
            Condition::Absent => Some("attribute_not_exists(pk)"),
            Condition::Present => Some("attribute_exists(pk)"),
            Condition::Field(field, value) => {
                names.insert("#field".to_owned(), field.to_owned());
                match value {
                    Some(value) => {
                        values.insert(":value".to_owned(), value);
                        Some("#field = :value")
                    }
                    None => Some("attribute_not_exists(#field)"),
                }
            }
            Condition::CountBelow(limit) => {
                values.insert(":limit".to_owned(), AttributeValue::N(limit.to_string()));
                Some("attribute_not_exists(#count) OR #count < :limit")
            }
            Condition::CountAbove(limit) => {
                values.insert(":limit".to_owned(), AttributeValue::N(limit.to_string()));
                Some("#count > :limit")
            }
        };
        let condition = condition.map(str::to_owned);
        let expression = match write.action {
            Action::Put(_) | Action::Delete => "",
            Action::Count { delta, expires } => {
                names.insert("#count".to_owned(), COUNT.to_owned());
                values.insert(":delta".to_owned(), AttributeValue::N(delta.to_string()));
                match expires {
                    Some(expires) => {
                        names.insert("#expires".to_owned(), EXPIRES.to_owned());
                        let expires = AttributeValue::N(expires.to_string());
                        values.insert(":expires".to_owned(), expires);
                        "ADD #count :delta SET #expires = :expires"
                    }
                    None => "ADD #count :delta",
                }
            }
            Action::Mark(field) => {
                names.insert("#mark".to_owned(), field.to_owned());
                values.insert(":mark".to_owned(), AttributeValue::Bool(true));
                "SET #mark = :mark"
            }
        };
        let names = (!names.is_empty()).then_some(names);
        let values = (!values.is_empty()).then_some(values);
        let item = TransactWriteItem::builder();
        Ok(match write.action {
            Action::Put(fields) => {
                let put = Put::builder()
                    .table_name(&self.name)
                    .set_item(Some(fields))
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(names)
                    .set_expression_attribute_values(values);
                item.put(put.build().map_err(unavailable)?).build()
            }
            Action::Delete => {
                let delete = Delete::builder()
                    .table_name(&self.name)
                    .set_key(Some(attributes(&write.key)))
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(names)
                    .set_expression_attribute_values(values);
                item.delete(delete.build().map_err(unavailable)?).build()
            }
            Action::Count { .. } | Action::Mark(_) => {
                let update = Update::builder()
                    .table_name(&self.name)
                    .set_key(Some(attributes(&write.key)))
                    .update_expression(expression)
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(names)
                    .set_expression_attribute_values(values);
                item.update(update.build().map_err(unavailable)?).build()
            }
        })
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
