//! Parameters of a query or a path, and their deserialization.
//!
//! More lenient than `serde_urlencoded`, because published clients write values in several ways: a list
//! repeated or separated by commas, `10.0` for a whole number, a decimal comma, `True`. Stricter in one
//! point: an unknown parameter is an error.

use std::collections::HashSet;

use serde::{
    Deserializer,
    de::{DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor},
    forward_to_deserialize_any,
};
use serde_json::{Map, Value};

use crate::{
    contradictions,
    invalid_input::{self, InvalidInput},
    text,
};

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

    /// The names and values, each value by itself.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parameters.iter().flat_map(|it| it.values.iter().map(|value| (&*it.name, &**value)))
    }

    /// The parameters that a `T` has, and the others, which must be those of a `U`. `U` may be given neither those of a `T` nor
    /// `not_accepted`.
    ///
    /// # Errors
    /// If neither has a parameter.
    pub fn split<T: DeserializeOwned, U: DeserializeOwned>(
        mut self,
        not_accepted: &[&str],
    ) -> Result<(Self, Self), InvalidInput> {
        let (first, second) = (field_names::<T>(), field_names::<U>());
        let of_second = second.iter().filter(|it| !not_accepted.contains(it));
        let accepted: Vec<&str> = first.iter().chain(of_second).copied().collect();
        self.refuse_unknown(&accepted)?;
        let of_first = self.parameters.extract_if(.., |it| first.contains(&&*it.name)).collect();
        Ok((Self { parameters: of_first }, self))
    }

    fn refuse_unknown(&self, accepted: &[&str]) -> Result<(), InvalidInput> {
        let unknown = self.parameters.iter().filter(|it| !accepted.contains(&&*it.name));
        let errors: Vec<_> = unknown
            // Only these are shown, and finding the nearest name takes time.
            .take(MAX_UNKNOWN)
            .enumerate()
            .map(|(at, Parameter { name, values })| {
                let given = values.join(",");
                let help = match text::near(name, accepted.iter().map(|it| (*it, *it))) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None if accepted.is_empty() => "this operation has no parameters".to_owned(),
                    // Once: the list can be long.
                    None if at == 0 => format!("accepted: {}", accepted.join(", ")),
                    None => "not accepted either".to_owned(),
                };
                (name.clone(), format!("unknown parameter with the value `{given}`; {help}"))
            })
            .collect();
        if errors.is_empty() { Ok(()) } else { Err(InvalidInput::named(errors)) }
    }

    /// The parameters without this one.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.parameters.retain(|it| it.name != name);
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
    pub fn of_object(object: &Map<String, Value>) -> Result<Self, InvalidInput> {
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
                        errors.push((name.clone(), format!("{rule}; got `{value}`")));
                        break;
                    }
                };
                pairs.push((text::in_camel_case(name), text));
            }
        }
        if errors.is_empty() { Ok(Self::grouped(pairs)) } else { Err(InvalidInput::named(errors)) }
    }

    /// Reads a `T`, or lists every invalid parameter.
    pub fn read<T: DeserializeOwned>(self) -> Result<T, InvalidInput> {
        let single = self.parameters.iter().filter_map(|it| match it.values.as_slice() {
            [value] => Some((it.name.as_str(), value.as_str())),
            _ => None,
        });
        let contradiction = contradictions::first(&single.collect::<Vec<_>>());
        InvalidInput::unless_contradicted(T::deserialize(self), contradiction)
    }
}

impl<'de> Deserializer<'de> for Parameters {
    type Error = InvalidInput;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidInput> {
        visitor.visit_map(Entries { parameters: self.parameters.into_iter(), value: None })
    }

    /// `fields` contains every accepted name, aliases included.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, InvalidInput> {
        self.refuse_unknown(fields)?;
        self.deserialize_any(visitor)
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
    type Error = InvalidInput;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, InvalidInput> {
        self.value = self.parameters.next();
        let name = self.value.as_ref().map(|it| it.name.clone());
        name.map(|it| seed.deserialize(it.into_deserializer())).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, InvalidInput> {
        let Some(parameter) = self.value.take() else {
            return Err(serde::de::Error::custom("a value without a name"));
        };
        let Parameter { name, values } = parameter.clone();
        let invalid = |it: InvalidInput| it.of_parameter(&name, &values.join(","));
        seed.deserialize(parameter).map_err(invalid)
    }
}

impl Parameter {
    fn single(self) -> Result<String, InvalidInput> {
        let [value] = <[String; 1]>::try_from(self.values).map_err(|all| {
            InvalidInput::value(
                &format!("must be given once, not {} times", all.len()),
                &all.join(","),
            )
        })?;
        Ok(value)
    }

    fn number<T: std::str::FromStr>(self, rule: &str) -> Result<T, InvalidInput> {
        let text = self.single()?;
        text.trim().parse().map_err(|_| InvalidInput::value(rule, &text))
    }

    /// Accepts `10.0`, because some clients write every number as a decimal.
    fn whole_number<T: std::str::FromStr + std::fmt::Display>(
        mut self,
        maximum: T,
    ) -> Result<T, InvalidInput> {
        for value in &mut self.values {
            if let Some((whole, fraction)) = value.split_once(['.', ','])
                && !fraction.is_empty()
                && fraction.bytes().all(|it| it == b'0')
            {
                *value = whole.to_owned();
            }
        }
        let text = self.single()?;
        text.trim().parse().map_err(|_| {
            let rule = match text.trim().parse::<i128>() {
                Ok(number) if number < 0 => "must not be negative".to_owned(),
                Ok(_) => format!("must be at most {maximum}"),
                Err(_) => "must be a whole number".to_owned(),
            };
            InvalidInput::value(&rule, &text)
        })
    }
}

macro_rules! whole_numbers {
    ($($method:ident $visit:ident $type:ty),*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidInput> {
            visitor.$visit(self.whole_number(<$type>::MAX)?)
        })*
    };
}

impl<'de> Deserializer<'de> for Parameter {
    type Error = InvalidInput;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidInput> {
        let text = self.single()?;
        let rule = invalid_input::rule_of_text(&visitor);
        let invalid = rule.map(|it| InvalidInput::value(&format!("must be {it}"), &text));
        visitor.visit_string(text).map_err(|error| invalid.unwrap_or(error))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidInput> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, InvalidInput> {
        visitor.visit_newtype_struct(self)
    }

    /// Accepts a repeated parameter, and values separated by commas. Repeated values count once.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidInput> {
        let name = self.name;
        let mut seen = HashSet::new();
        let values = self.values.iter().flat_map(|it| it.split(',')).map(str::trim);
        let values: Vec<Parameter> = values
            .filter(|it| seen.insert(*it))
            .map(|it| Parameter { name: name.clone(), values: vec![it.to_owned()] })
            .collect();
        visitor.visit_seq(Items(values.into_iter()))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidInput> {
        let text = self.single()?;
        match text.to_ascii_lowercase().as_str() {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(InvalidInput::value("must be `true` or `false`", &text)),
        }
    }

    /// Accepts a decimal comma, because one client formats numbers with the locale of its machine.
    fn deserialize_f64<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, InvalidInput> {
        for value in &mut self.values {
            *value = value.replace(',', ".");
        }
        let number: f64 = self.number("must be a number")?;
        if number.is_finite() {
            visitor.visit_f64(number)
        } else {
            Err(InvalidInput::value("must be a finite number", &number.to_string()))
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, InvalidInput> {
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
    type Error = InvalidInput;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, InvalidInput> {
        self.0.next().map(|it| seed.deserialize(it)).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The names of the fields of a struct, aliases included, as its `Deserialize` asks for them. None of another type.
fn field_names<T: DeserializeOwned>() -> &'static [&'static str] {
    T::deserialize(FieldNames).err().map_or(&[], |FoundNames(names)| names)
}

struct FieldNames;

/// Ends a deserialization as soon as the names are known.
#[derive(Debug)]
struct FoundNames(&'static [&'static str]);

impl std::fmt::Display for FoundNames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl std::error::Error for FoundNames {}

impl serde::de::Error for FoundNames {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self(&[])
    }
}

impl<'de> Deserializer<'de> for FieldNames {
    type Error = FoundNames;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, FoundNames> {
        Err(FoundNames(&[]))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, FoundNames> {
        Err(FoundNames(fields))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
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
