//! Records of which a member cannot be read: they are read without it.
//!
//! A damaged date must not hide a name. So a reader leaves out what it cannot read, says so, and rejects a record only if
//! nothing identifies its subject.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;

use crate::xml::REPLACEMENT;

/// Maximum number of members that are left out of a record of JSON. Each costs a new reading, so that a record that is
/// damaged everywhere would take quadratic time.
const MAX_LEFT_OUT: usize = 100;

/// The members that were left out of a record, with what is wrong with them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LeftOut(Vec<String>);

impl LeftOut {
    /// The value. If it cannot be read, `None`, and the reason is kept. A reason begins with the name of the member and a
    /// colon.
    pub(crate) fn value<T>(&mut self, read: Result<T, String>) -> Option<T> {
        read.map_err(|it| self.add(it)).ok()
    }

    /// Keeps the reason why a member is left out.
    pub(crate) fn add(&mut self, reason: String) {
        if self.0.len() < MAX_LEFT_OUT {
            self.0.push(reason);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The reasons as one text. `None` if nothing was left out.
    pub(crate) fn reason(&self) -> Option<String> {
        (!self.is_empty()).then(|| self.0.join("; "))
    }

    /// A reason why nothing of a record is used, after what was left out of it: what is missing may be that.
    pub(crate) fn before(&self, reason: &str) -> String {
        self.reason().into_iter().chain([reason.to_owned()]).collect::<Vec<_>>().join("; ")
    }

    /// The names of the members, without positions in lists: `birthDate`, not `birthDate[0]`.
    pub(crate) fn members(&self) -> BTreeSet<String> {
        let name = |it: &String| {
            let member = it.split(':').next().unwrap_or_default();
            let parts = member.trim().split('.').map(|it| it.split('[').next().unwrap_or_default());
            parts.filter(|it| !it.is_empty()).collect::<Vec<_>>().join(".")
        };
        self.0.iter().map(name).collect()
    }

    /// Whether a member with one of these names, or a part of it, was left out.
    pub(crate) fn has(&self, members: &[&str]) -> bool {
        let members_left_out = self.members();
        members
            .iter()
            .any(|it| members_left_out.iter().any(|name| name.split('.').any(|part| part == *it)))
    }
}

impl FromIterator<String> for LeftOut {
    fn from_iter<I: IntoIterator<Item = String>>(reasons: I) -> Self {
        Self(reasons.into_iter().take(MAX_LEFT_OUT).collect())
    }
}

/// The value of a type, without the members that cannot be read: each is removed together with as little as possible.
///
/// # Errors
/// If the value cannot be read without a member that cannot be read, or more than [`MAX_LEFT_OUT`] are damaged. What was left
/// out before is in `left_out`: [`LeftOut::before`].
pub(crate) fn from_json<T: DeserializeOwned>(
    json: Value,
    left_out: &mut LeftOut,
) -> Result<T, String> {
    from_json_without(json, left_out, remove)
}

/// As [`from_json`]. `remove` removes what is at a path; it returns false if that is the whole record.
pub(crate) fn from_json_without<T: DeserializeOwned>(
    mut json: Value,
    left_out: &mut LeftOut,
    remove: impl Fn(&mut Value, &[&Segment]) -> bool,
) -> Result<T, String> {
    // The path of what was removed last, and why.
    let mut last: Option<(String, String)> = None;
    for _ in 0..=MAX_LEFT_OUT {
        let error = match serde_path_to_error::deserialize(&json) {
            Ok(value) => {
                last.into_iter().for_each(|(_, reason)| left_out.add(reason));
                return Ok(value);
            }
            Err(error) => error,
        };
        let path: Vec<&Segment> = error.path().iter().collect();
        let name = if path.is_empty() { String::new() } else { error.path().to_string() };
        let reason = match path.is_empty() {
            true => error.inner().to_string(),
            false => format!("{name}: {}", error.inner()),
        };
        // What is missing without the last one is no fault of its own.
        let reason = match last.take() {
            Some((before, cause)) if before.starts_with(&name) && before != name => cause,
            Some((_, reason_before)) => {
                left_out.add(reason_before);
                reason
            }
            None => reason,
        };
        if !remove(&mut json, &path) {
            return Err(reason);
        }
        last = Some((name, reason));
    }
    Err(format!("more than {MAX_LEFT_OUT} members cannot be read"))
}

/// Removes what is at a path, or the innermost value on the way to it. `false` if that is the whole record.
pub(crate) fn remove(json: &mut Value, path: &[&Segment]) -> bool {
    let Some((first, rest)) = path.split_first() else { return false };
    match (first, json) {
        (Segment::Map { key }, Value::Object(members)) => {
            let is_removed = members.get_mut(key).is_some_and(|it| remove(it, rest));
            is_removed || members.remove(key).is_some()
        }
        (Segment::Seq { index }, Value::Array(items)) if *index < items.len() => {
            if !remove(&mut items[*index], rest) {
                items.remove(*index);
            }
            true
        }
        _ => false,
    }
}

/// Leaves out all texts of which a character could not be read.
pub(crate) fn leave_out_illegible(json: &mut Value, left_out: &mut LeftOut) {
    leave_out_illegible_with(json, left_out, remove);
}

/// As [`leave_out_illegible`]. `remove` is as for [`from_json_without`].
pub(crate) fn leave_out_illegible_with(
    json: &mut Value,
    left_out: &mut LeftOut,
    remove: impl Fn(&mut Value, &[&Segment]) -> bool,
) {
    let mut paths = Vec::new();
    illegible(json, &mut Vec::new(), &mut paths);
    // From the end, so that the positions of the others in a list do not change.
    for path in paths.iter().rev() {
        remove(json, &path.iter().collect::<Vec<_>>());
        let names = path.iter().map(Segment::to_string).collect::<Vec<_>>().join(".");
        left_out.add(format!("{names}: contains a character that cannot be read"));
    }
}

/// The paths of the texts of which a character could not be read.
fn illegible(json: &Value, path: &mut Vec<Segment>, paths: &mut Vec<Vec<Segment>>) {
    let mut walk = |it: &Value, segment: Segment| {
        path.push(segment);
        illegible(it, path, paths);
        path.pop();
    };
    match json {
        Value::Object(members) => {
            members.iter().for_each(|(name, it)| walk(it, Segment::Map { key: name.clone() }));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, it)| walk(it, Segment::Seq { index }));
        }
        Value::String(text) if text.contains(REPLACEMENT) => paths.push(path.clone()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Part {
        name: String,
        number: Option<u8>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Whole {
        name: String,
        part: Option<Part>,
        #[serde(default)]
        parts: Vec<Part>,
    }

    fn read(json: Value) -> (Result<Whole, String>, LeftOut) {
        let mut left_out = LeftOut::default();
        (from_json(json, &mut left_out), left_out)
    }

    #[test]
    fn as_little_as_possible_is_left_out() {
        let (whole, left_out) = read(json!({
            "name": "A",
            "part": {"name": "B", "number": "x"},
            "parts": [{"name": "C"}, {"number": 1}, 7, {"name": "D", "number": 300}],
        }));
        let part = |name: &str| Part { name: name.to_owned(), number: None };
        let expected =
            Whole { name: "A".into(), part: Some(part("B")), parts: vec![part("C"), part("D")] };
        assert_eq!(whole, Ok(expected));
        let members = ["part.number", "parts", "parts.number"].map(str::to_owned);
        assert_eq!(left_out.members(), members.into());
        assert!(left_out.has(&["number"]) && left_out.has(&["parts"]) && !left_out.has(&["name"]));
        let reason = left_out.reason().expect("reasons");
        assert!(
            reason.starts_with("part.number: invalid type: string \"x\", expected u8; "),
            "{reason}"
        );
    }

    #[test]
    fn record_without_what_it_needs_is_an_error_that_names_it() {
        let (whole, _) = read(json!({"name": 7}));
        let error = whole.expect_err("no name");
        assert!(error.starts_with("name: invalid type: integer `7`"), "{error}");
        assert!(read(json!([])).0.is_err() && read(json!(null)).0.is_err());
        let (whole, _) = read(json!({"name": "A", "parts": vec![1; 1_000]}));
        assert_eq!(whole, Err("more than 100 members cannot be read".to_owned()));
    }

    #[test]
    fn illegible_texts_are_left_out() {
        let mut json = json!({"a": ["x\u{fffd}", "y"], "b": {"c": "\u{fffd}"}, "d": 1});
        let mut left_out = LeftOut::default();
        leave_out_illegible(&mut json, &mut left_out);
        assert_eq!(json, json!({"a": ["y"], "b": {}, "d": 1}));
        assert_eq!(left_out.members(), ["a".to_owned(), "b.c".to_owned()].into());
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i16>().prop_map(Value::from),
            "[a-z\u{fffd}]{0,3}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("name|part|parts|number", inner, 0..4)
                    .prop_map(Value::from_iter),
            ]
        })
    }

    proptest! {
        #[test]
        fn record_with_its_name_is_always_read(mut json in any_json()) {
            if let Value::Object(members) = &mut json {
                members.insert("name".into(), "A".into());
                let mut left_out = LeftOut::default();
                leave_out_illegible(&mut json, &mut left_out);
                let whole: Result<Whole, String> = from_json(json, &mut left_out);
                prop_assert_eq!(whole.map(|it| it.name), Ok("A".to_owned()));
            }
        }
    }
}
