//! The member `labels` of answers: names of the codes beside it, in the language that the caller asks for.
//!
//! Invariant: the other members of an answer do not depend on the language, because clients, `ETag`s, exports and events
//! rely on them.

use std::fmt;

use auth::Language;
use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use domain::terms;
use http::{
    HeaderValue,
    header::{ACCEPT_LANGUAGE, CONTENT_LENGTH, CONTENT_TYPE, VARY},
};
use http_body_util::BodyExt;
use problem_details::{INTERNAL, Problem};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Map, Value, value::RawValue};

/// The response with the names of the codes that it contains, if it is JSON and a language is asked for.
pub(crate) async fn add(response: Response, language: Option<Language>) -> Response {
    if !response.status().is_success() || !is_json(&response) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    parts.headers.append(VARY, HeaderValue::from(ACCEPT_LANGUAGE));
    let Some(language) = language else { return Response::from_parts(parts, body) };
    let Ok(body) = body.collect().await else {
        return Problem::new(&INTERNAL, "the response ended unexpectedly").into_response();
    };
    let body = body.to_bytes();
    parts.headers.remove(CONTENT_LENGTH);
    let labelled = std::str::from_utf8(&body).ok().and_then(|it| labelled(it, language));
    Response::from_parts(parts, labelled.map_or_else(|| Body::from(body), Body::from))
}

fn is_json(response: &Response) -> bool {
    let media_type = response.headers().get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
    media_type.is_some_and(|it| it.split(';').next() == Some("application/json"))
}

/// The JSON text with the names of its codes. `None` if it is not JSON.
fn labelled(json: &str, language: Language) -> Option<String> {
    let mut written = String::with_capacity(json.len() + json.len() / 4);
    write(serde_json::from_str(json).ok()?, language, &mut written).ok()?;
    Some(written)
}

/// Copies a value as it is written, so that no number changes, and adds `labels` to each object that contains terms.
fn write(value: &RawValue, language: Language, written: &mut String) -> serde_json::Result<()> {
    match value.get().as_bytes().first() {
        Some(b'{') => {
            let Members(members) = serde_json::from_str(value.get())?;
            let field = field(&members);
            let mut labels = Map::new();
            written.push('{');
            for (at, (name, value)) in members.iter().enumerate() {
                if at > 0 {
                    written.push(',');
                }
                written.push_str(&serde_json::to_string(name)?);
                written.push(':');
                write(value, language, written)?;
                let term =
                    if name == terms::VALUES { field.as_deref().unwrap_or(name) } else { name };
                if let Some(label) = label(term, value, language) {
                    labels.insert(name.clone(), label);
                }
            }
            if !labels.is_empty() {
                written.push_str(",\"labels\":");
                written.push_str(&serde_json::to_string(&labels)?);
            }
            written.push('}');
        }
        Some(b'[') => {
            written.push('[');
            for (at, item) in
                serde_json::from_str::<Vec<&RawValue>>(value.get())?.into_iter().enumerate()
            {
                if at > 0 {
                    written.push(',');
                }
                write(item, language, written)?;
            }
            written.push(']');
        }
        _ => written.push_str(value.get()),
    }
    Ok(())
}

/// The field whose values the object contains.
fn field(members: &[(String, &RawValue)]) -> Option<String> {
    let (_, name) = members.iter().find(|(it, _)| it == "field")?;
    serde_json::from_str(name.get()).ok()
}

/// The name of the term in a member, or the names of a list of terms, in which unknown ones are `null`.
fn label(member: &str, value: &RawValue, language: Language) -> Option<Value> {
    if !terms::MEMBERS.contains(&member) {
        return None;
    }
    let name = |code: &str| terms::label(member, code).map(|it| Value::from(language.of(it)));
    match serde_json::from_str(value.get()).ok()? {
        Value::String(code) => name(&code),
        Value::Array(codes) if codes.iter().any(|it| !it.is_null()) => {
            let name = |code: &Value| {
                if code.is_null() { Some(Value::Null) } else { name(code.as_str()?) }
            };
            codes.iter().map(name).collect::<Option<Vec<Value>>>().map(Value::Array)
        }
        _ => None,
    }
}

/// The members of an object, in their order, with their values as written.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(members)
            }
        }

        deserializer.deserialize_map(InOrder).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_beside_members_that_stay_as_they_are() {
        for (json, expected) in [
            (
                r#"{"status":"ACTIVE","shareCapital":100000.10,"sources":[1e2, {"status":"running"}]}"#,
                r#"{"status":"ACTIVE","shareCapital":100000.10,"sources":[1e2,{"status":"running"}],"labels":{"status":"aktiv"}}"#,
            ),
            (
                r#"[{"legalForm":"Aktiengesellschaft","statusReason":"voluntary"},{"legalForm":""}]"#,
                r#"[{"legalForm":"Aktiengesellschaft","statusReason":"voluntary","labels":{"legalForm":"Aktiengesellschaft","statusReason":"Auflösung durch Beschluss"}},{"legalForm":""}]"#,
            ),
            (
                r#"{"watchedChangeTypes":["seat_change","other"],"category":"change","a\"b":null}"#,
                r#"{"watchedChangeTypes":["seat_change","other"],"category":"change","a\"b":null,"labels":{"watchedChangeTypes":["Sitzverlegung","Publikation anderer Art"]}}"#,
            ),
            (
                r#"[{"field":"status","values":["ACTIVE",null]},{"field":"canton","values":["ZH"]},{"field":"status","values":[null]}]"#,
                r#"[{"field":"status","values":["ACTIVE",null],"labels":{"values":["aktiv",null]}},{"field":"canton","values":["ZH"]},{"field":"status","values":[null]}]"#,
            ),
            (
                r#"{"watchedChangeTypes":[],"status":null}"#,
                r#"{"watchedChangeTypes":[],"status":null}"#,
            ),
        ] {
            assert_eq!(labelled(json, Language::De).as_deref(), Some(expected));
        }
        assert_eq!(labelled("not json", Language::De), None);
    }
}
