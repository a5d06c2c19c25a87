//! Reading whole tables, and redacting items of any type in place. For the operator's commands only: no function does it.

use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::Stream;
use serde_json::Value;

use super::{
    Item, Table, attributes,
    documents::{DOCUMENT, document_of, json_of},
    items::if_condition_held,
    read::{Row, pages_of},
};
use crate::{Error, keys::Key};

/// Number of items of a page, as for other scans.
const PAGE: i32 = 1_000;

/// Attributes of an item that are to be changed: the name, the value before and the new one.
pub(crate) type Changes = Vec<(String, AttributeValue, AttributeValue)>;

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
        let mut changes = Vec::new();
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
            changes.extend(after.map(|it| (name.clone(), before.clone(), it)));
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
        let scan = self.client.scan().table_name(&self.name).consistent_read(true).limit(PAGE);
        pages_of(scan)
    }

    /// Sets attributes of an item, if it still has the values before. `Ok(false)`: it has others, or no longer exists.
    pub(crate) async fn set_if_unchanged(
        &self,
        key: &Key,
        changes: Changes,
    ) -> Result<bool, Error> {
        let (mut conditions, mut sets) = (vec!["attribute_exists(pk)".to_owned()], Vec::new());
        let mut request = self.client.update_item().table_name(&self.name);
        for (at, (name, before, after)) in changes.into_iter().enumerate() {
            conditions.push(format!("#n{at} = :before{at}"));
            sets.push(format!("#n{at} = :after{at}"));
            request = request
                .expression_attribute_names(format!("#n{at}"), name)
                .expression_attribute_values(format!(":before{at}"), before)
                .expression_attribute_values(format!(":after{at}"), after);
        }
        let request = request
            .set_key(Some(attributes(key)))
            .condition_expression(conditions.join(" AND "))
            .update_expression(format!("SET {}", sets.join(", ")));
        Ok(if_condition_held(request.send().await)?.is_some())
    }
}
