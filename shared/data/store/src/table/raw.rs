//! Items of any type, for the erasure of teams and users: found by what they mention, deleted one by one, and rewritten.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::de::DeserializeOwned;

use super::{
    Item, PARTITION, REVISION, Read, SORT, Table, attributes,
    documents::{compressed_text, read, text_of},
    items::if_condition_held,
    unavailable,
};
use crate::{Error, keys::Key};

/// Number of items that are deleted in parallel.
const PARALLEL: usize = 32;
/// Number of items of one page.
const PAGE: i32 = 500;

/// An item with all its attributes.
#[derive(Clone, Debug)]
pub(crate) struct RawItem(Item);

/// An attribute before and after a change.
pub(crate) struct Changed {
    pub(super) before: AttributeValue,
    pub(super) after: AttributeValue,
}

impl RawItem {
    pub(crate) fn key(&self) -> Key {
        let text = |name: &str| match self.0.get(name) {
            Some(AttributeValue::S(text)) => text.clone(),
            _ => String::new(),
        };
        Key { partition: text(PARTITION), sort: text(SORT) }
    }

    /// Everything that the item says, as one text. What cannot be decoded is left out.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for value in self.0.values() {
            append(&mut text, value);
        }
        text
    }

    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Error> {
        read(self.0.clone())
    }

    pub(crate) fn read_revised<T: DeserializeOwned>(&self) -> Result<Read<T>, Error> {
        let revision = self.0.get(REVISION).and_then(|it| it.as_n().ok()?.parse().ok());
        Ok(Read { value: self.read()?, revision: revision.unwrap_or_default() })
    }

    /// The attributes that `change` changes.
    fn changes(&self, change: &dyn Fn(&str) -> String) -> Result<BTreeMap<String, Changed>, Error> {
        let mut changes = BTreeMap::new();
        for (name, before) in &self.0 {
            if name == PARTITION || name == SORT {
                continue;
            }
            let after = changed(before, change)?;
            if after != *before {
                changes.insert(name.clone(), Changed { before: before.clone(), after });
            }
        }
        Ok(changes)
    }
}

fn append(text: &mut String, value: &AttributeValue) {
    match value {
        AttributeValue::S(it) => text.push_str(it),
        AttributeValue::B(bytes) => text.push_str(&text_of(bytes.as_ref()).unwrap_or_default()),
        AttributeValue::L(values) => values.iter().for_each(|it| append(text, it)),
        AttributeValue::M(values) => values.values().for_each(|it| append(text, it)),
        _ => {}
    }
    text.push('\n');
}

fn changed(
    value: &AttributeValue,
    change: &dyn Fn(&str) -> String,
) -> Result<AttributeValue, Error> {
    Ok(match value {
        AttributeValue::S(text) => AttributeValue::S(change(text)),
        AttributeValue::B(bytes) => {
            let text = text_of(bytes.as_ref())?;
            match change(&text) {
                new if new == text => value.clone(),
                new => compressed_text(&new)?,
            }
        }
        AttributeValue::L(values) => {
            let values = values.iter().map(|it| changed(it, change)).collect::<Result<_, _>>()?;
            AttributeValue::L(values)
        }
        AttributeValue::M(values) => {
            let values = values.iter().map(|(name, it)| Ok((name.clone(), changed(it, change)?)));
            AttributeValue::M(values.collect::<Result<_, Error>>()?)
        }
        other => other.clone(),
    })
}

impl Table {
    /// A page of the items of the table, in table order, after the item with the key `after`; and the key after which the next
    /// page starts. For workers only: no request scans.
    pub(crate) async fn scan_page(
        &self,
        after: Option<&Key>,
    ) -> Result<(Vec<RawItem>, Option<Key>), Error> {
        let scan = self.many.scan().table_name(&self.name).consistent_read(true).limit(PAGE);
        let scan = scan.set_exclusive_start_key(after.map(attributes)).send().await;
        let page = scan.map_err(unavailable)?;
        let next = page.last_evaluated_key.map(|it| RawItem(it).key());
        Ok((page.items.unwrap_or_default().into_iter().map(RawItem).collect(), next))
    }

    /// The first items of a partition with a sort key that starts with `prefix`. Consistent.
    pub(crate) async fn first_items(&self, prefix: &Key) -> Result<Vec<RawItem>, Error> {
        let condition = match prefix.sort.is_empty() {
            true => "pk = :pk",
            false => "pk = :pk AND begins_with(sk, :prefix)",
        };
        let text = |it: &str| AttributeValue::S(it.to_owned());
        let query = self.many.query().table_name(&self.name).consistent_read(true).limit(PAGE);
        let query = query
            .key_condition_expression(condition)
            .expression_attribute_values(":pk", text(&prefix.partition));
        let query = match prefix.sort.is_empty() {
            true => query,
            false => query.expression_attribute_values(":prefix", text(&prefix.sort)),
        };
        let page = query.send().await.map_err(unavailable)?;
        Ok(page.items.unwrap_or_default().into_iter().map(RawItem).collect())
    }

    /// The item with this key. Consistent.
    pub(crate) async fn raw(&self, key: &Key) -> Result<Option<RawItem>, Error> {
        let request = self.client.get_item().table_name(&self.name).consistent_read(true);
        let answer = request.set_key(Some(attributes(key))).send().await.map_err(unavailable)?;
        Ok(answer.item.map(RawItem))
    }

    /// Deletes items one by one, so that the role of the worker needs no permission to put items. Missing items are ignored.
    pub(crate) async fn delete_each(&self, keys: Vec<Key>) -> Result<(), Error> {
        let deleted = stream::iter(keys).map(async |key| {
            let request = self.client.delete_item().table_name(&self.name);
            request.set_key(Some(attributes(&key))).send().await.map_err(unavailable).map(drop)
        });
        deleted.buffer_unordered(PARALLEL).try_collect().await
    }

    /// Changes the texts of an item, if nobody has changed them since it was read. Raises its revision, so that a change that
    /// has read the item before is made again. `false`: it was changed or deleted meanwhile.
    pub(crate) async fn change_texts(
        &self,
        item: &RawItem,
        change: &dyn Fn(&str) -> String,
    ) -> Result<bool, Error> {
        let changes = item.changes(change)?;
        if changes.is_empty() {
            return Ok(true);
        }
        self.set_if_unchanged(&item.key(), changes).await
    }

    /// Sets attributes of an item, if it still has the values before, and raises its revision, or gives it one: a writer that has read
    /// the item without one has the condition that there is none. `false`: it has other values, or no longer exists.
    pub(super) async fn set_if_unchanged(
        &self,
        key: &Key,
        changes: BTreeMap<String, Changed>,
    ) -> Result<bool, Error> {
        let mut request = self.client.update_item().table_name(&self.name);
        request = request.set_key(Some(attributes(key)));
        let (mut sets, mut conditions) = (Vec::new(), vec!["attribute_exists(pk)".to_owned()]);
        for (index, (name, Changed { before, after })) in changes.into_iter().enumerate() {
            let (field, old, new) =
                (format!("#f{index}"), format!(":old{index}"), format!(":new{index}"));
            sets.push(format!("{field} = {new}"));
            conditions.push(format!("{field} = {old}"));
            request = request
                .expression_attribute_names(field, name)
                .expression_attribute_values(old, before)
                .expression_attribute_values(new, after);
        }
        let request = request
            .expression_attribute_names("#revision", REVISION)
            .expression_attribute_values(":one", AttributeValue::N("1".to_owned()))
            .update_expression(format!("SET {} ADD #revision :one", sets.join(", ")))
            .condition_expression(conditions.join(" AND "));
        Ok(if_condition_held(request.send().await)?.is_some())
    }

    /// Moves an item to another key, with changed texts. Only for the operator.
    pub(crate) async fn move_item(
        &self,
        item: &RawItem,
        to: &Key,
        change: &dyn Fn(&str) -> String,
    ) -> Result<(), Error> {
        let mut new = item.0.clone();
        for (name, Changed { after, .. }) in item.changes(change)? {
            new.insert(name, after);
        }
        new.extend(attributes(to));
        let request = self.client.put_item().table_name(&self.name).set_item(Some(new));
        request.send().await.map_err(unavailable)?;
        self.delete_each(vec![item.key()]).await
    }
}
