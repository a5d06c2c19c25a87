//! Parameters of a query or a path, and their deserialization.
//!
//! More lenient than `serde_urlencoded`, because published clients write values in several ways: a list
//! repeated or separated by commas, `10.0` for a whole number, a decimal comma, `True`. Stricter in one
//! point: an unknown parameter is an error.

use std::{collections::HashSet, fmt};

use serde::{
    Deserializer,
    de::{DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor},
    forward_to_deserialize_any,
};
use serde_json::{Map, Value};

use crate::text;

/// Maximum number of unknown parameters that an error lists.
const MAX_UNKNOWN: usize = 20;

/// The parameters of a query or a path, grouped by name.
#[derive(Clone, Debug)]
pub struct Parameters {
    parameters: Vec<Parameter>,
}

#[derive(Clone, Debug)]
struct Parameter {
    name: String,
    values: Vec<String>,
}

impl Parameters {
    /// The parameters with these names. The others are left out.
    #[must_use]
    pub fn only(mut self, names: &[&str]) -> Self {
        self.parameters.retain(|it| names.contains(&it.name.as_str()));
        self
    }

    /// The parameters with these names and values. A name that occurs several times is one parameter with several
    /// values.
    pub fn grouped(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut parameters: Vec<Parameter> = Vec::new();
        for (name, value) in pairs {
            match parameters.iter_mut().find(|it| it.name == name) {
                Some(known) => known.values.push(value),
                None => parameters.push(Parameter { name, values: vec![value] }),
            }
        }
        Self { parameters }
    }

    /// The parameters in a JSON object: texts, numbers and booleans, or lists of them. `null` is no value. Names may
    /// be written in snake case, as some clients do.
    pub fn of_object(object: &Map<String, Value>) -> Result<Self, InvalidParameters> {
        let mut pairs = Vec::new();
        let mut errors = Vec::new();
        for (name, value) in object {
            let values = match value {
                Value::Null => continue,
                Value::Array(values) => values.as_slice(),
                single => std::slice::from_ref(single),
            };
            for value in values {
                let text = match value {
                    Value::String(text) => text.clone(),
                    Value::Bool(_) | Value::Number(_) => value.to_string(),
                    Value::Null | Value::Array(_) | Value::Object(_) => {
                        let rule = "must be a text, a number, a boolean, or a list of them";
                        errors.push((Some(name.clone()), format!("{rule}; got `{value}`")));
                        break;
                    }
                };
                pairs.push((in_camel_case(name), text));
            }
        }
        if errors.is_empty() { Ok(Self::grouped(pairs)) } else { Err(InvalidParameters(errors)) }
    }

    /// Reads a `T`, or lists every invalid parameter.
    pub fn read<T: DeserializeOwned>(self) -> Result<T, InvalidParameters> {
        T::deserialize(self)
    }
}

/// `capitalMin` for `capital_min`.
fn in_camel_case(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut name, part| {
        let mut characters = part.chars();
        name.extend(characters.next().into_iter().flat_map(char::to_uppercase));
        name.push_str(characters.as_str());
        name
    })
}

/// Invalid parameters: for each its name, where known, and what is wrong.
#[derive(Debug)]
pub struct InvalidParameters(Vec<(Option<String>, String)>);

impl std::error::Error for InvalidParameters {}

impl fmt::Display for InvalidParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let details: Vec<&str> = self.0.iter().map(|(_, detail)| detail.as_str()).collect();
        f.write_str(&details.join("; "))
    }
}

impl serde::de::Error for InvalidParameters {
    fn custom<T: fmt::Display>(detail: T) -> Self {
        Self(vec![(None, detail.to_string())])
    }

    fn missing_field(field: &'static str) -> Self {
        Self(vec![(Some(field.to_owned()), "required parameter is missing".to_owned())])
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self(vec![(
            Some(field.to_owned()),
            "must be given once; got it in two spellings".to_owned(),
        )])
    }
}

impl InvalidParameters {
    /// For each invalid parameter its name and what is wrong. `otherwise` is the name where it is not known.
    pub fn errors(self, otherwise: &str) -> Vec<(String, String)> {
        let named = |(name, detail): (Option<String>, String)| {
            (name.unwrap_or_else(|| otherwise.to_owned()), detail)
        };
        self.0.into_iter().map(named).collect()
    }

    /// As [`Self::errors`], of parameters in a member of a body: `filter.canton`, or `filter` where the name is not known.
    pub fn within(self, member: &str) -> Vec<(String, String)> {
        let path = |name: Option<String>| match name {
            Some(name) => format!("{member}.{name}"),
            None => member.to_owned(),
        };
        self.0.into_iter().map(|(name, detail)| (path(name), detail)).collect()
    }
}

impl<'de> Deserializer<'de> for Parameters {
    type Error = InvalidParameters;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidParameters> {
        visitor.visit_map(Entries { parameters: self.parameters.into_iter(), value: None })
    }

    /// `fields` contains every accepted name, aliases included.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, InvalidParameters> {
        let unknown = self.parameters.iter().filter(|it| !fields.contains(&it.name.as_str()));
        let errors: Vec<_> = unknown
            // Only these are shown, and finding the nearest name takes time.
            .take(MAX_UNKNOWN)
            .map(|Parameter { name, values }| {
                let given = values.join(",");
                let nearest = text::nearest(name, fields.iter().map(|it| (*it, *it)));
                let detail = match nearest {
                    Some(nearest) => {
                        format!("unknown parameter with the value `{given}`; did you mean `{nearest}`?")
                    }
                    None => format!(
                        "unknown parameter with the value `{given}`; this operation has no parameters"
                    ),
                };
                (Some(name.clone()), detail)
            })
            .collect();
        if errors.is_empty() {
            self.deserialize_any(visitor)
        } else {
            Err(InvalidParameters(errors))
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

struct Entries {
    parameters: std::vec::IntoIter<Parameter>,
    value: Option<Parameter>,
}

impl<'de> MapAccess<'de> for Entries {
    type Error = InvalidParameters;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, InvalidParameters> {
        self.value = self.parameters.next();
        let name = self.value.as_ref().map(|it| it.name.clone());
        name.map(|it| seed.deserialize(it.into_deserializer())).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, InvalidParameters> {
        let Some(parameter) = self.value.take() else {
            return Err(serde::de::Error::custom("a value without a name"));
        };
        let Parameter { name, values } = parameter.clone();
        seed.deserialize(parameter).map_err(|InvalidParameters(errors)| {
            let given = values.join(",");
            let errors = errors.into_iter().map(|(_, detail)| {
                // Every detail names the value: add it where the error of the type does not.
                let detail =
                    if detail.contains('`') { detail } else { format!("`{given}`: {detail}") };
                (Some(name.clone()), detail)
            });
            InvalidParameters(errors.collect())
        })
    }
}

impl Parameter {
    fn single(self) -> Result<String, InvalidParameters> {
        let [value] = <[String; 1]>::try_from(self.values).map_err(|all| {
            invalid(&format!("must be given once, not {} times", all.len()), &all.join(","))
        })?;
        Ok(value)
    }

    fn number<T: std::str::FromStr>(self, rule: &str) -> Result<T, InvalidParameters> {
        let text = self.single()?;
        text.trim().parse().map_err(|_| invalid(rule, &text))
    }

    /// Accepts `10.0`, because some clients write every number as a decimal.
    fn whole_number<T: std::str::FromStr>(mut self) -> Result<T, InvalidParameters> {
        for value in &mut self.values {
            if let Some((whole, fraction)) = value.split_once(['.', ','])
                && !fraction.is_empty()
                && fraction.bytes().all(|it| it == b'0')
            {
                *value = whole.to_owned();
            }
        }
        self.number("must be a whole number in the allowed range")
    }
}

fn invalid(rule: &str, value: &str) -> InvalidParameters {
    InvalidParameters(vec![(None, format!("{rule}; got `{value}`"))])
}

macro_rules! whole_numbers {
    ($($method:ident $visit:ident $type:ty),*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidParameters> {
            visitor.$visit(self.whole_number::<$type>()?)
        })*
    };
}

impl<'de> Deserializer<'de> for Parameter {
    type Error = InvalidParameters;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidParameters> {
        visitor.visit_string(self.single()?)
    }

    fn deserialize_option<V: Visitor<'de>>(
        self,
        visitor: V,
    ) -> Result<V::Value, InvalidParameters> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, InvalidParameters> {
        visitor.visit_newtype_struct(self)
    }

    /// Accepts a repeated parameter, and values separated by commas. Repeated values count once.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidParameters> {
        let name = self.name;
        let mut seen = HashSet::new();
        let values = self.values.iter().flat_map(|it| it.split(',')).map(str::trim);
        let values: Vec<Parameter> = values
            .filter(|it| seen.insert(*it))
            .map(|it| Parameter { name: name.clone(), values: vec![it.to_owned()] })
            .collect();
        visitor.visit_seq(Items(values.into_iter()))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidParameters> {
        let text = self.single()?;
        match text.to_ascii_lowercase().as_str() {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(invalid("must be `true` or `false`", &text)),
        }
    }

    /// Accepts a decimal comma, because one client formats numbers with the locale of its machine.
    fn deserialize_f64<V: Visitor<'de>>(
        mut self,
        visitor: V,
    ) -> Result<V::Value, InvalidParameters> {
        for value in &mut self.values {
            *value = value.replace(',', ".");
        }
        let number: f64 = self.number("must be a number")?;
        if number.is_finite() {
            visitor.visit_f64(number)
        } else {
            Err(invalid("must be a finite number", &number.to_string()))
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, InvalidParameters> {
        visitor.visit_enum(self.single()?.into_deserializer())
    }

    whole_numbers! {
        deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32, deserialize_u64 visit_u64 u64,
        deserialize_i32 visit_i32 i32, deserialize_i64 visit_i64 i64
    }

    forward_to_deserialize_any! {
        i8 i16 i128 u8 u128 f32 char str string bytes byte_buf unit unit_struct tuple tuple_struct
        map struct identifier ignored_any
    }
}

struct Items(std::vec::IntoIter<Parameter>);

impl<'de> SeqAccess<'de> for Items {
    type Error = InvalidParameters;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, InvalidParameters> {
        self.0.next().map(|it| seed.deserialize(it)).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::CompanyQuery;

    fn read(object: Value) -> Result<CompanyQuery, Vec<(String, String)>> {
        let object = object.as_object().expect("an object");
        let read = Parameters::of_object(object).and_then(Parameters::read);
        read.map_err(|it| it.errors("searchParams"))
    }

    #[test]
    fn objects_are_read_like_queries() {
        let query = read(serde_json::json!({
            "canton": ["zh", "Bern"], "capital_min": 100_000.5, "hasLei": true, "changed_since": "2026-01-01",
            "search": "Käse", "pageSize": 10.0, "tag": null,
        }));
        let query = query.expect("valid");
        assert_eq!((query.canton.len(), query.has_lei), (2, Some(true)));
        assert_eq!(query.capital_min.map(|it| it.0), "100000.5".parse().ok());
        assert_eq!(query.search.as_deref(), Some("Käse"));
        assert!(query.changed_since.is_some() && query.tag.is_empty());
        assert_eq!(query.page_size.get(), 10);
    }

    #[test]
    fn errors_of_objects_name_the_parameter() {
        for (object, name, detail) in [
            (serde_json::json!({ "cantn": "ZH" }), "cantn", "did you mean `canton`?"),
            (serde_json::json!({ "canton": "XX" }), "canton", "got `XX`"),
            (serde_json::json!({ "canton": { "is": "ZH" } }), "canton", "must be a text"),
            (serde_json::json!({ "canton": ["ZH", ["BE"]] }), "canton", "must be a text"),
            (serde_json::json!({ "capital_min": 1, "capitalMin": 2 }), "capitalMin", "given once"),
        ] {
            let errors = read(object.clone()).expect_err("invalid");
            assert_eq!(errors.len(), 1, "{errors:?}");
            assert!(errors[0].0 == name && errors[0].1.contains(detail), "{object}: {errors:?}");
        }
    }
}
