//! Redacting values: every text of their JSON.

use domain::Uid;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::texts::{Context, Search};

/// A value without what was erased.
#[derive(Clone, Debug, PartialEq)]
pub enum Redacted<T> {
    /// It contains nothing of it.
    Same,
    Changed(T),
    /// The rest is no value of this type.
    Unreadable,
}

/// What becomes of a member that is an erased company number and nothing else.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// Otherwise all that name an erased company would seem to name the same one.
    Removed,
    /// For members that are required.
    Replaced,
}

pub(super) fn redact_as<T: Serialize + DeserializeOwned>(
    search: &Search<'_>,
    value: &T,
) -> Redacted<T> {
    let Ok(json) = serde_json::to_value(value) else { return Redacted::Unreadable };
    for numbers in [Numbers::Removed, Numbers::Replaced] {
        let mut json = json.clone();
        if !redact(search, &mut json, numbers) {
            return Redacted::Same;
        }
        if let Ok(redacted) = serde_json::from_value(json) {
            return Redacted::Changed(redacted);
        }
    }
    Redacted::Unreadable
}

/// Redacts JSON. Returns whether something was erased.
pub(super) fn redact(search: &Search<'_>, json: &mut Value, numbers: Numbers) -> bool {
    let mut context = search.context;
    add_context(search, json, &mut context);
    redact_within(search, json, numbers, context)
}

fn add_context(search: &Search<'_>, json: &Value, context: &mut Context) {
    let mut add = |text: &str| {
        let Context { with_short_names, with_persons } = search.context_of(text);
        context.with_short_names |= with_short_names;
        context.with_persons |= with_persons;
    };
    match json {
        Value::String(text) => add(text),
        Value::Array(values) => values.iter().for_each(|it| add_context(search, it, context)),
        Value::Object(members) => {
            members.keys().for_each(|it| add(it));
            members.values().for_each(|it| add_context(search, it, context));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn redact_within(
    search: &Search<'_>,
    json: &mut Value,
    numbers: Numbers,
    context: Context,
) -> bool {
    let is_left = |value: &Value| numbers == Numbers::Replaced || !is_erased_number(value);
    match json {
        Value::String(text) => match search.redact(text, context) {
            Some(redacted) => {
                *text = redacted;
                true
            }
            None => false,
        },
        Value::Array(values) => {
            let mut changed = false;
            values.retain_mut(|it| {
                let is_redacted = redact_within(search, it, numbers, context);
                changed |= is_redacted;
                !is_redacted || is_left(it)
            });
            changed
        }
        Value::Object(members) => {
            let mut changed = false;
            for (name, mut value) in std::mem::take(members) {
                let is_redacted = redact_within(search, &mut value, numbers, context);
                let new_name = search.redact(&name, context);
                changed |= is_redacted || new_name.is_some();
                if !is_redacted || is_left(&value) {
                    members.insert(new_name.unwrap_or(name), value);
                }
            }
            changed
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn is_erased_number(value: &Value) -> bool {
    value.as_str().is_some_and(|it| it == Uid::ERASED.to_string())
}
