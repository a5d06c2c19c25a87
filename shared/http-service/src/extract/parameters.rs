//! Deserializes the parameters of a query or a path.
//!
//! More lenient than `serde_urlencoded`, because published clients write values in several ways: a list
//! repeated or separated by commas, `10.0` for a whole number, a decimal comma, `True`. Stricter in one
//! point: an unknown parameter is an error.

use std::{borrow::Cow, fmt};

use domain::text;
use percent_encoding::percent_decode_str;
use problem_details::Problem;
use serde::{
    Deserializer,
    de::{DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor},
    forward_to_deserialize_any,
};

/// Maximum number of parameters in a query.
const MAX_PARAMETERS: usize = 100;

/// The parameters of a query or a path, grouped by name.
pub(super) struct Parameters {
    parameters: Vec<Parameter>,
}

#[derive(Clone, Debug)]
struct Parameter {
    name: String,
    values: Vec<String>,
}

impl Parameters {
    pub(super) fn of_query(query: &str) -> Result<Self, Problem> {
        let mut pairs = Vec::new();
        let given = query.split('&').filter(|it| !it.is_empty());
        let count = given.clone().count();
        if count > MAX_PARAMETERS {
            let detail = format!("must have at most {MAX_PARAMETERS} parameters; got {count}");
            return Err(Problem::invalid("query", detail));
        }
        for pair in given {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let plain_name = decoded(name).map_err(|()| not_utf8("query", name))?;
            let value = decoded(value).map_err(|()| not_utf8(&plain_name, value))?;
            pairs.push((plain_name.into_owned(), value.into_owned()));
        }
        Ok(Self::grouped(pairs))
    }

    pub(super) fn grouped(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut parameters: Vec<Parameter> = Vec::new();
        for (name, value) in pairs {
            match parameters.iter_mut().find(|it| it.name == name) {
                Some(known) => known.values.push(value),
                None => parameters.push(Parameter { name, values: vec![value] }),
            }
        }
        Self { parameters }
    }

    /// Reads a `T`, or lists every invalid parameter.
    pub(super) fn read<T: DeserializeOwned>(self) -> Result<T, Problem> {
        T::deserialize(self).map_err(InvalidParameters::into_problem)
    }
}

fn decoded(text: &str) -> Result<Cow<'_, str>, ()> {
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8().map_err(|_| ())?;
    Ok(Cow::Owned(decoded.into_owned()))
}

pub(super) fn not_utf8(member: &str, given: &str) -> Problem {
    Problem::invalid(member, format!("must be valid UTF-8; got `{given}`"))
}

/// Invalid parameters: for each its name, where known, and what is wrong.
#[derive(Debug)]
pub(super) struct InvalidParameters(Vec<(Option<String>, String)>);

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
    fn into_problem(self) -> Problem {
        let named =
            |(name, detail): (Option<String>, String)| (name.unwrap_or("query".into()), detail);
        Problem::all_invalid(self.0.into_iter().map(named).collect())
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

    /// Accepts a repeated parameter, and values separated by commas.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidParameters> {
        let name = self.name;
        let values = self.values.iter().flat_map(|it| it.split(','));
        let values: Vec<Parameter> = values
            .map(|it| Parameter { name: name.clone(), values: vec![it.trim().to_owned()] })
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
}

#[cfg(test)]
mod tests {
    use domain::search::CompanyQuery;

    use super::*;

    fn read(query: &str) -> Result<CompanyQuery, String> {
        let parameters = Parameters::of_query(query).map_err(|it| it.detail)?;
        parameters.read().map_err(|it| it.detail)
    }

    #[test]
    fn accepts_both_spellings_encoded_spaces_lists_and_decimals() {
        let query = read("search=Z%C3%BCrcher+K%20AG&canton=zh,Bern&canton=VD&changed_since=2026-01-01&capitalMin=1000000.0&sortDesc=True")
            .expect("valid");
        assert_eq!(query.search.as_deref(), Some("Zürcher K AG"));
        assert_eq!(query.canton.len(), 3);
        assert!(query.changed_since.is_some() && query.sort_desc);
        assert_eq!(query.capital_min.map(|it| it.0), Some(domain::Amount::units(1_000_000)));
        assert_eq!(read("page=2.0&pageSize=5,0").expect("valid").page.get(), 2);
        assert_eq!(
            read("capitalMin=0,5").expect("valid").capital_min.map(|it| it.0),
            "0.5".parse().ok()
        );
    }

    #[test]
    fn errors_name_the_parameter_the_value_and_the_rule() {
        for (query, detail) in [
            ("cantn=ZH", "cantn: unknown parameter with the value `ZH`; did you mean `canton`?"),
            ("canton=XX", "canton: must be a Swiss canton such as `ZH`; got `XX`. Did you mean `"),
            (
                "sortBy=nmae",
                "sortBy: must be a sort order such as `name`; got `nmae`. Did you mean `name`?",
            ),
            ("page=0", "page: must be at least 1; got `0`"),
            ("pageSize=101", "pageSize: must be 1 to 100; got `101`"),
            ("page=abc", "page: must be a whole number in the allowed range; got `abc`"),
            ("page=-1", "page: must be a whole number in the allowed range; got `-1`"),
            ("page=1.5", "page: must be a whole number in the allowed range; got `1.5`"),
            ("page=.0", "page: must be a whole number in the allowed range; got ``"),
            ("page=1&page=2", "page: must be given once, not 2 times; got `1,2`"),
            ("capitalMin=much", "capitalMin: must be an amount such as `100000`"),
            ("foundedAfter=31.12.2020", "foundedAfter: must be a date such as `2026-01-31`"),
            ("hasLei=maybe", "hasLei: must be `true` or `false`; got `maybe`"),
            ("tag=vip", "tag: `vip`: not available yet"),
            ("search=%ff", "search: must be valid UTF-8; got `%ff`"),
            ("changedSince=2026-01-01&changed_since=2026-01-01", "changedSince: "),
            (
                "uids=CHE-107.787.577,nestle",
                "uids: must be a company number of the form `CHE-NNN.NNN.NNN`; got `nestle`",
            ),
            ("dataQualityMin=1.5", "dataQualityMin: must be between 0 and 1; got `1.5`"),
        ] {
            let actual = read(query).expect_err(query);
            assert!(actual.starts_with(detail), "{query}: {actual}");
        }
    }
}
