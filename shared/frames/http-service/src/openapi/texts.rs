//! The pattern of the texts in request bodies ([`crate::Text`]), so that a client learns from the description which
//! texts are accepted. It names the most frequent of the characters that are refused ([`domain::characters`]), so that every
//! dialect of regular expressions reads it.

use serde_json::Value;

use crate::extract::text::LONGEST_LINE;

/// Control characters; soft hyphen; characters that change the direction of the text or are invisible, except joiners; line and
/// paragraph separators; characters for private use; byte order mark.
const REFUSED: &str =
    r"\x00-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ue000-\uf8ff\ufeff";
/// Control characters without line feed, carriage return and tab; characters that change the direction of the text.
const REFUSED_IN_LINES: &str =
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069";

/// Adds the pattern to every text with a maximum length in the schema of a request body.
pub(super) fn add_patterns(schema: &mut Value) {
    let is_free = ["pattern", "format", "enum"].iter().all(|it| schema.get(it).is_none());
    if let (true, Some(longest)) = (is_free, schema["maxLength"].as_u64()) {
        let is_line = longest <= LONGEST_LINE as u64;
        let refused = if is_line { REFUSED } else { REFUSED_IN_LINES };
        // At least one character is not a blank.
        let pattern = format!(r"^[^{refused}]*[^\s{refused}][^{refused}]*$");
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
        let line = format!(r"^[^{REFUSED}]*[^\s{REFUSED}][^{REFUSED}]*$");
        assert_eq!(of("/properties/name/pattern"), Some(&*line));
        assert_eq!(of("/properties/stages/items/pattern"), Some(&*line));
        assert!(of("/properties/content/pattern").is_some_and(|it| it.contains(r"\x08\x0b")));
        assert_eq!(of("/properties/color/pattern"), Some("^#"));
        assert_eq!(of("/properties/id/pattern"), None);
    }
}
