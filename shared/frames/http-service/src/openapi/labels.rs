//! The member `labels`, and the parameters that ask for it.

use auth::Language;
use domain::terms;
use serde_json::{Map, Value, json};

/// Types of members whose values are terms.
const TYPES: [&str; 5] =
    ["Status", "StatusReason", "ChangeKind", "RoleCategory", "SigningAuthority"];
/// Members with terms that are texts.
const TEXTS: [&str; 4] = ["legalForm", "industry", "industryGroup", "groupName"];

/// Adds `labels` to each object in the schema of a response that contains terms.
///
/// # Panics
/// If a member contains a term and is not one of [`terms::MEMBERS`]: it would have no label.
pub(super) fn add(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(add),
        Value::Object(members) => {
            members.values_mut().for_each(add);
            let Some(Value::Object(properties)) = members.get_mut("properties") else { return };
            let terms = properties.iter().filter(|(name, it)| contains_term(name, it));
            let terms: Vec<&String> = terms.map(|it| it.0).collect();
            for name in &terms {
                assert!(terms::MEMBERS.contains(&name.as_str()), "`{name}` has no label");
            }
            if !terms.is_empty() || has_values_of_field(properties) {
                properties
                    .insert("labels".into(), json!({ "$ref": "#/components/schemas/Labels" }));
            }
        }
        _ => {}
    }
}

/// Whether an object contains the values of a field that can be a term.
fn has_values_of_field(properties: &Map<String, Value>) -> bool {
    ["field", terms::VALUES].iter().all(|it| properties.contains_key(*it))
}

fn contains_term(name: &str, schema: &Value) -> bool {
    let choices = ["allOf", "anyOf", "oneOf"].iter().filter_map(|it| schema[it].as_array());
    let itself = [schema, &schema["items"]];
    let mut references =
        choices.flatten().chain(itself).filter_map(|it| it["$ref"].as_str()?.rsplit('/').next());
    TEXTS.contains(&name) || references.any(|it| TYPES.contains(&it))
}

/// The schema of `labels`.
pub(super) fn schema() -> Value {
    let member = |name: &&str| {
        let text = json!({ "type": "string" });
        let is_list = ["roleCategories", "watchedChangeTypes"].contains(name);
        let schema = if is_list { json!({ "type": "array", "items": text }) } else { text };
        ((*name).to_owned(), schema)
    };
    let mut members: Map<String, Value> = terms::MEMBERS.iter().map(member).collect();
    members.insert(
        terms::VALUES.into(),
        json!({ "type": "array", "items": { "type": "string", "nullable": true } }),
    );
    json!({
        "type": "object",
        "description": "Names of the values of the members with the same names, in the language that the request asks for \
                        with `language` or `Accept-Language`. Absent if it asks for none of the languages of the service. All \
                        other members are the same in every language.",
        "properties": members,
    })
}

/// The parameters of a translated operation.
pub(super) fn parameters() -> impl Iterator<Item = Value> {
    let codes = Language::ALL.map(Language::code);
    [
        json!({
            "name": crate::extract::language::PARAMETER, "in": "query", "required": false,
            "description": "Language of `labels`, the names of codes, or of a file. Default: the one that `Accept-Language` prefers.",
            "schema": { "type": "string", "enum": codes }, "example": "fr",
        }),
        json!({
            "name": "Accept-Language", "in": "header", "required": false,
            "description": "Preferred languages (RFC 9110). `language` takes precedence. Languages that the service does not have are ignored.",
            "schema": { "type": "string" }, "example": "fr-CH, fr;q=0.9, en;q=0.5",
        }),
    ]
    .into_iter()
}
