//! Converts schemas from OpenAPI 3.1, which the generator writes, to 3.0.

use serde_json::{Value, json};

/// A text without the line breaks that come from the source code: those within a paragraph, a list item or a row of
/// a table.
fn unwrapped(text: &str) -> String {
    let mut unwrapped = String::with_capacity(text.len());
    let mut ends_paragraph = true;
    for line in text.lines() {
        let begins = line.starts_with("- ") || line.starts_with('|') || line.is_empty();
        if !unwrapped.is_empty() {
            unwrapped.push(if begins || ends_paragraph { '\n' } else { ' ' });
        }
        unwrapped.push_str(line.trim_start());
        ends_paragraph = line.is_empty();
    }
    unwrapped
}

/// Converts a schema, or a value that contains schemas.
///
/// `nullable` is true for schemas of request bodies. There `null` means that the member is absent, and is
/// allowed. Responses do not contain `null`: an absent member is left out, so the type `null` is removed.
/// Other differences are `const`, `examples` and numeric exclusive bounds.
pub(super) fn to_3_0(value: &mut Value, nullable: bool) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|it| to_3_0(it, nullable)),
        Value::Object(members) => {
            let item_types = members.get("items").and_then(|it| it.get("type"));
            let list_contains_null = item_types
                .and_then(Value::as_array)
                .is_some_and(|types| types.iter().any(|it| it == "null"));
            members.values_mut().for_each(|it| to_3_0(it, nullable));
            // Exception: lists keep `null`, so that the positions of the other items do not change.
            if list_contains_null && let Some(Value::Object(items)) = members.get_mut("items") {
                items.insert("nullable".into(), true.into());
            }
            if let Some(Value::String(text)) = members.get_mut("description") {
                *text = unwrapped(text);
            }
            let mut allows_null = false;
            if let Some(Value::Array(types)) = members.get_mut("type") {
                allows_null = types.iter().any(|it| it == "null");
                types.retain(|it| it != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    members.insert("type".into(), only);
                }
            }
            for choice in ["oneOf", "anyOf"] {
                let Some(Value::Array(choices)) = members.get_mut(choice) else { continue };
                let null = json!({ "type": "null" });
                allows_null |= choices.contains(&null);
                choices.retain(|it| *it != null);
                if let [only] = choices.as_slice() {
                    let only = only.clone();
                    members.remove(choice);
                    // In 3.0, an object with `$ref` cannot have other members.
                    match (only.get("$ref").is_some(), members.is_empty()) {
                        (true, false) => {
                            members.insert("allOf".into(), json!([only]));
                        }
                        _ => members.extend(only.as_object().cloned().unwrap_or_default()),
                    }
                }
            }
            if members.len() > 1
                && let Some(reference) = members.get("$ref").filter(|it| it.is_string()).cloned()
                && !members.contains_key("operationId")
            {
                members.remove("$ref");
                members.insert("allOf".into(), json!([{ "$ref": reference }]));
            }
            if allows_null && nullable {
                match members.remove("allOf") {
                    // In 3.0, `nullable` is allowed only together with `type`.
                    Some(Value::Array(mut choices)) => {
                        choices.push(json!({ "type": "string", "nullable": true, "enum": [null] }));
                        members.insert("anyOf".into(), choices.into());
                    }
                    _ => {
                        members.insert("nullable".into(), true.into());
                    }
                }
            }
            if let Some(constant) = members.remove("const") {
                members.insert("enum".into(), json!([constant]));
            }
            if let Some(Value::Array(examples)) = members.get("examples") {
                let first = examples.first().cloned();
                members.remove("examples");
                if let Some(first) = first {
                    members.insert("example".into(), first);
                }
            }
            for (exclusive, bound) in
                [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")]
            {
                if members.get(exclusive).is_some_and(Value::is_number)
                    && let Some(limit) = members.remove(exclusive)
                {
                    members.insert(bound.into(), limit);
                    members.insert(exclusive.into(), true.into());
                }
            }
            members.remove("propertyNames");
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_joined_and_lists_and_tables_keep_their_lines() {
        let text = "One\nparagraph.\n\nA list:\n\n- one\n  item\n- another\n\n| a |\n|---|\n| b |";
        let expected = "One paragraph.\n\nA list:\n\n- one item\n- another\n\n| a |\n|---|\n| b |";
        assert_eq!(unwrapped(text), expected);
    }
}
