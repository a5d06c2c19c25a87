//! Request bodies, from the examples of their members.

use serde_json::{Map, Value};

const FORM: &str = "multipart/form-data";

/// The body of an example request.
#[derive(Clone)]
pub(super) struct RequestBody {
    pub(super) media_type: &'static str,
    pub(super) text: String,
}

impl RequestBody {
    /// The example that an operation's description has; `None` if the operation takes no body.
    pub(super) fn of(operation: &Value) -> Option<Self> {
        let contents = &operation["requestBody"]["content"];
        if let Some(body) = contents["application/json"].get("example") {
            return Some(Self { media_type: "application/json", text: body.to_string() });
        }
        let members = contents[FORM]["example"].as_object()?;
        let part = |(name, value): (&String, &Value)| {
            let value = value.as_str().unwrap_or_default();
            let disposition = format!("form-data; name=\"{name}\"; filename=\"{name}\"");
            format!("--part\r\nContent-Disposition: {disposition}\r\n\r\n{value}\r\n")
        };
        let parts: String = members.iter().map(part).collect();
        let media_type = "multipart/form-data; boundary=part";
        Some(Self { media_type, text: parts + "--part--\r\n" })
    }
}

/// Adds an example of the request body, from the examples of its members.
pub(super) fn add_request_example(operation: &mut Value, schemas: &Value) {
    let contents = operation.pointer_mut("/requestBody/content").and_then(Value::as_object_mut);
    for content in contents.into_iter().flat_map(Map::values_mut) {
        content["example"] = request_example(content, schemas);
    }
}

fn request_example(content: &Value, schemas: &Value) -> Value {
    let reference = content["schema"]["$ref"].as_str().unwrap_or_default();
    let schema = &schemas[reference.rsplit('/').next().unwrap_or_default()];
    let members = schema["properties"].as_object().into_iter().flatten();
    let is_required =
        |name: &str| schema["required"].as_array().is_some_and(|it| it.contains(&name.into()));
    // A member whose type is an enumeration has no example of its own.
    let first_value = |member: &Value| {
        let reference = member.pointer("/allOf/0/$ref").or(member.get("$ref"));
        let name = reference.and_then(Value::as_str)?.rsplit('/').next()?;
        schemas[name]["enum"].as_array()?.first().cloned()
    };
    let examples = members.filter_map(|(name, it)| {
        let own = it.get("example").cloned();
        let value = own.or_else(|| first_value(it).filter(|_| is_required(name)));
        Some((name.clone(), value?))
    });
    examples.collect::<Map<String, Value>>().into()
}
