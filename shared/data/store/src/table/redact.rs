//! Reading whole tables, and redacting items of any type in place. For the operator's commands only: no function does it.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::Stream;
use serde_json::Value;

use super::{
    Item, Table,
    documents::{DOCUMENT, document_of, json_of},
    raw::Changed,
    read::{Row, pages_of},
};
use crate::{Error, keys::Key};

/// Number of items of a page, as for other scans.
const PAGE: i32 = 1_000;

/// Attributes of an item that are to be changed, by their name.
pub(crate) type Changes = BTreeMap<String, Changed>;

impl Row {
    pub(crate) fn key(&self) -> Key {
        Key { partition: self.partition.clone(), sort: self.sort.clone() }
    }

    /// The document as JSON; for an item with one attribute per field, its attributes.
    pub(crate) fn json(&self) -> Result<Value, Error> {
        json_of(self.item.clone())
    }

    /// The attributes in which `redact` changes something. It returns whether it does.
    pub(crate) fn redacted(&self, redact: impl Fn(&mut Value) -> bool) -> Result<Changes, Error> {
        let mut changes = Changes::new();
        for (name, before) in &self.item {
            let after = match name.as_str() {
                DOCUMENT => {
                    let mut json = json_of(Item::from([(name.clone(), before.clone())]))?;
                    match redact(&mut json) {
                        true => Some(document_of(&json, before)?),
                        false => None,
                    }
                }
                _ => redacted(before, &redact),
            };
            let changed = |after| (name.clone(), Changed { before: before.clone(), after });
            changes.extend(after.map(changed));
        }
        Ok(changes)
    }
}

/// `None`: nothing is changed.
fn redacted(
    value: &AttributeValue,
    redact: &impl Fn(&mut Value) -> bool,
) -> Option<AttributeValue> {
    match value {
        AttributeValue::S(text) => {
            let mut json = Value::String(text.clone());
            let changed = redact(&mut json);
            changed.then(|| AttributeValue::S(json.as_str().unwrap_or_default().to_owned()))
        }
        AttributeValue::L(values) => {
            let new: Vec<_> = values.iter().map(|it| redacted(it, redact)).collect();
            let kept =
                |(old, new): (&AttributeValue, Option<_>)| new.unwrap_or_else(|| old.clone());
            let is_changed = new.iter().any(Option::is_some);
            is_changed.then(|| AttributeValue::L(values.iter().zip(new).map(kept).collect()))
        }
        AttributeValue::M(members) => {
            let mut changed = members.clone();
            let mut is_changed = false;
            for (name, value) in members {
                if let Some(new) = redacted(value, redact) {
                    changed.insert(name.clone(), new);
                    is_changed = true;
                }
            }
            is_changed.then_some(AttributeValue::M(changed))
        }
        _ => None,
    }
}

impl Table {
    /// All items of the table, page by page.
    pub(crate) fn scan_all(&self) -> impl Stream<Item = Result<Vec<Row>, Error>> + use<> {
        let scan = self.many.scan().table_name(&self.name).consistent_read(true).limit(PAGE);
        pages_of(scan)
    }

    /// Makes these changes of an item, if nobody has changed it since it was read. Raises its revision, so that a change that has read
    /// the item before is made again. `false`: it was changed or deleted meanwhile.
    pub(crate) async fn redact(&self, row: &Row, changes: Changes) -> Result<bool, Error> {
        self.set_if_unchanged(&row.key(), changes).await
    }
}
