//! One write of a transaction: what it does, and on which condition.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{
    AttributeValue, ConditionCheck, Delete, Put, TransactWriteItem, Update,
};
use serde::Serialize;

use super::{
    COUNT, EXPIRES, Item, REVISION, attributes,
    documents::{compressed, document},
    unavailable,
};
use crate::{Error, keys::Key};

/// Limits of one transaction. AWS allows 100 writes and 4 MiB; the rest is left for differences in how AWS counts
/// bytes.
const TRANSACTION_WRITES: usize = 90;
const TRANSACTION_BYTES: usize = 3_500_000;

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
    /// Writes nothing: only its condition matters.
    Check,
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

    /// Writes nothing. With a condition on the stored item, without which DynamoDB refuses it.
    pub(crate) fn check(key: Key) -> Self {
        Self { key, action: Action::Check, condition: Condition::Present }
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

    /// Deletes a counter, only if it is below `limit`.
    pub(crate) fn delete_count_below(key: Key, limit: u32) -> Self {
        Self { condition: Condition::CountBelow(limit), ..Self::delete(key) }
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
            Action::Delete | Action::Check | Action::Count { .. } | Action::Mark(_) => None,
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

    /// The write as an item of a transaction on the table with this name.
    pub(super) fn into_item(self, table: &str) -> Result<TransactWriteItem, Error> {
        let mut names = HashMap::new();
        let mut values = HashMap::new();
        let condition = match self.condition {
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
                names.insert("#count".to_owned(), COUNT.to_owned());
                values.insert(":limit".to_owned(), AttributeValue::N(limit.to_string()));
                Some("attribute_not_exists(#count) OR #count < :limit")
            }
            Condition::CountAbove(limit) => {
                names.insert("#count".to_owned(), COUNT.to_owned());
                values.insert(":limit".to_owned(), AttributeValue::N(limit.to_string()));
                Some("#count > :limit")
            }
        };
        let condition = condition.map(str::to_owned);
        let expression = match self.action {
            Action::Put(_) | Action::Delete | Action::Check => "",
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
        Ok(match self.action {
            Action::Put(fields) => {
                let put = Put::builder()
                    .table_name(table)
                    .set_item(Some(fields))
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(names)
                    .set_expression_attribute_values(values);
                item.put(put.build().map_err(unavailable)?).build()
            }
            Action::Delete => {
                let delete = Delete::builder()
                    .table_name(table)
                    .set_key(Some(attributes(&self.key)))
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(names)
                    .set_expression_attribute_values(values);
                item.delete(delete.build().map_err(unavailable)?).build()
            }
            Action::Check => {
                let check = ConditionCheck::builder()
                    .table_name(table)
                    .set_key(Some(attributes(&self.key)))
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(names)
                    .set_expression_attribute_values(values);
                item.condition_check(check.build().map_err(unavailable)?).build()
            }
            Action::Count { .. } | Action::Mark(_) => {
                let update = Update::builder()
                    .table_name(table)
                    .set_key(Some(attributes(&self.key)))
                    .update_expression(expression)
                    .set_condition_expression(condition)
                    .set_expression_attribute_names(names)
                    .set_expression_attribute_values(values);
                item.update(update.build().map_err(unavailable)?).build()
            }
        })
    }
}

pub(super) fn with_key<T: Serialize>(item: &T, key: &Key) -> Result<Item, Error> {
    let mut fields: Item =
        serde_dynamo::to_item(item).map_err(|it| Error::Unwritable(it.into()))?;
    fields.extend(attributes(key));
    Ok(fields)
}
