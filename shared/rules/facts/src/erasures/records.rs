//! Records of sources that are not read: they are only stored, so that they can be read later.

use std::collections::BTreeSet;

use domain::Uid;
use serde_json::Value;

use super::{Erasures, texts::numbers};

impl Erasures {
    /// Removes erased persons from the notices in a record, as from those that are read. Returns whether there were any, and the names of
    /// the other persons.
    pub(super) fn without_persons_in_record(&self, json: &mut Value) -> (bool, Vec<String>) {
        let mut others = Vec::new();
        if self.persons.is_empty() {
            return (false, others);
        }
        // Persons without origin and residence are distinguished by their company.
        let mut companies: BTreeSet<Uid> =
            texts(json).flat_map(|it| numbers(it).map(|it| it.2)).collect();
        companies.insert(Uid::ERASED);
        let before = json.clone();
        for_each_text(json, &mut |text| {
            for company in &companies {
                others.extend(self.redact_notice(*company, text));
            }
        });
        (*json != before, others)
    }
}

/// The texts of JSON, also the names of members.
pub(super) fn texts(json: &Value) -> Box<dyn Iterator<Item = &str> + '_> {
    match json {
        Value::String(text) => Box::new(std::iter::once(text.as_str())),
        Value::Array(values) => Box::new(values.iter().flat_map(texts)),
        Value::Object(members) => {
            let names = members.keys().map(String::as_str);
            Box::new(names.chain(members.values().flat_map(texts)))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => Box::new(std::iter::empty()),
    }
}

fn for_each_text(json: &mut Value, change: &mut impl FnMut(&mut String)) {
    match json {
        Value::String(text) => change(text),
        Value::Array(values) => values.iter_mut().for_each(|it| for_each_text(it, change)),
        Value::Object(members) => {
            members.values_mut().for_each(|it| for_each_text(it, change));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
