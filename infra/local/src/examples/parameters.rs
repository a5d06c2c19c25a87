//! The parameters of an operation, with their examples.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use crate::CommandError;

/// Maximum number of items of a list in the examples.
pub(super) const MAX_ITEMS: usize = 2;

/// Characters that are percent-encoded in an address.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b',');

/// The parameters of an operation, as in the OpenAPI document.
pub(super) struct Parameters(Vec<Value>);

impl Parameters {
    pub(super) fn of(operation: &Value) -> Self {
        Self(operation["parameters"].as_array().cloned().unwrap_or_default())
    }

    /// The example of a parameter, encoded for a request.
    pub(super) fn example(&self, name: &str) -> Option<String> {
        self.0.iter().find(|it| it["name"] == name).map(|it| encode(&it["example"]))
    }

    /// Sets the value that is sent for a parameter.
    pub(super) fn set(&mut self, name: &str, value: &Value) -> Result<(), CommandError> {
        let parameter = self.0.iter_mut().find(|it| it["name"] == name);
        let parameter =
            parameter.ok_or_else(|| CommandError(format!("it has no parameter `{name}`")))?;
        parameter["example"] = value.clone();
        parameter["required"] = true.into();
        Ok(())
    }

    /// The address of a request with all required parameters, for a page of a few items.
    pub(super) fn uri(&self, path: &str) -> String {
        let (mut path, mut query) = (path.to_owned(), Vec::new());
        for parameter in &self.0 {
            let name = parameter["name"].as_str().unwrap_or_default();
            let value = encode(&parameter["example"]);
            match (parameter["in"].as_str(), name) {
                (Some("path"), _) => path = path.replace(&format!("{{{name}}}"), &value),
                (Some("query"), "pageSize" | "limit") => query.push(format!("{name}={MAX_ITEMS}")),
                (Some("query"), _) if parameter["required"] == true => {
                    query.push(format!("{name}={value}"));
                }
                _ => {}
            }
        }
        match query.is_empty() {
            true => path,
            false => format!("{path}?{}", query.join("&")),
        }
    }

    /// Each optional query parameter with its example, as `name=value`.
    pub(super) fn optional(&self) -> Vec<String> {
        let optional = self.0.iter().filter(|it| it["in"] == "query" && it["required"] != true);
        let filters = optional.filter(|it| it["name"] != "pageSize" && it["name"] != "limit");
        let name = |it: &Value| it["name"].as_str().unwrap_or_default().to_owned();
        filters.map(|it| format!("{}={}", name(it), encode(&it["example"]))).collect()
    }
}

/// A value for an address. Items of a list are separated by commas.
fn encode(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => utf8_percent_encode(text, ENCODED).to_string(),
        Value::Array(items) => items.iter().map(encode).collect::<Vec<_>>().join(","),
        other => utf8_percent_encode(&other.to_string(), ENCODED).to_string(),
    }
}
