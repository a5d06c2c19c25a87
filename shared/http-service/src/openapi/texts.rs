//! The pattern of the texts in request bodies ([`crate::Text`]), so that a client learns from the description which
//! texts are accepted.

use serde_json::Value;

use crate::extract::text::LONGEST_LINE;

const CONTROLS: &str = r"\x00-\x1f\x7f-\x9f";
/// Without line feed, carriage return and tab.
const CONTROLS_IN_LINES: &str = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f";

/// Adds the pattern to every text with a maximum length in the schema of a request body.
pub(super) fn add_patterns(schema: &mut Value) {
    let is_free = ["pattern", "format", "enum"].iter().all(|it| schema.get(it).is_none());
    if let (true, Some(longest)) = (is_free, schema["maxLength"].as_u64()) {
        let is_line = longest <= LONGEST_LINE as u64;
        let controls = if is_line { CONTROLS } else { CONTROLS_IN_LINES };
        // At least one character is not a blank.
        let pattern = format!(r"^[^{controls}]*[^\s{controls}][^{controls}]*$");
        schema["pattern"] = pattern.into();
    }
    match schema {
        Value::Object(members) => members.values_mut().for_each(add_patterns),
        Value::Array(items) => items.iter_mut().for_each(add_patterns),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_get_a_pattern_and_other_strings_keep_theirs() {
        let mut schema = json!({ "properties": {
            "name": { "type": "string", "maxLength": 100 },
            "stages": { "type": "array", "items": { "type": "string", "maxLength": 50 } },
            "content": { "type": "string", "maxLength": 5_000 },
            "color": { "type": "string", "maxLength": 7, "pattern": "^#" },
            "id": { "type": "string", "format": "uuid" },
        } });
        add_patterns(&mut schema);
        let of = |pointer: &str| schema.pointer(pointer).and_then(Value::as_str);
        let line = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$";
        assert_eq!(of("/properties/name/pattern"), Some(line));
        assert_eq!(of("/properties/stages/items/pattern"), Some(line));
        assert!(of("/properties/content/pattern").is_some_and(|it| it.contains(r"\x08\x0b")));
        assert_eq!(of("/properties/color/pattern"), Some("^#"));
        assert_eq!(of("/properties/id/pattern"), None);
    }
}
