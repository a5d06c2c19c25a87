//! How parameters and bodies are read, and refused with the member, the value and the rule.

use std::{borrow::Cow, fmt};

use axum::{
    RequestPartsExt,
    extract::{FromRequest, FromRequestParts, RawPathParams, Request},
};
use bytes::Bytes;
use domain::{Uid, text};
use http::request::Parts;
use percent_encoding::percent_decode_str;
use problem_details::{BAD_REQUEST, NOT_FOUND, Problem};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor},
    forward_to_deserialize_any,
};
use utoipa::IntoParams;
use uuid::Uuid;

/// The query of a request, as `T` declares it. An unknown parameter is refused with the nearest
/// known one, so that nobody takes a mistyped filter for a filter.
#[derive(Clone, Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let parameters = Parameters::of_query(parts.uri.query().unwrap_or_default())?;
        T::deserialize(parameters).map(Self).map_err(Problem::from_refused)
    }
}

/// The query of an operation that has no parameters.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct NoParameters {}

/// The variables of a path, as `T` declares them.
#[derive(Clone, Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let variables = parts.extract::<RawPathParams>().await;
        let variables = variables.map_err(|_| not_utf8("path", parts.uri.path()))?;
        let variables = variables.iter().map(|(name, it)| (name.to_owned(), it.to_owned()));
        let parameters = Parameters::grouped(variables);
        T::deserialize(parameters).map(Self).map_err(Problem::from_refused)
    }
}

/// The company that a path names.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct CompanyPath {
    /// Company number: `CHE-123.456.789`, or without punctuation, or the nine digits alone.
    #[param(
        value_type = String,
        pattern = r"^(CHE-[0-9]{3}\.[0-9]{3}\.[0-9]{3}|(CHE-?)?[0-9]{9})$",
        example = "CHE-895.111.004"
    )]
    pub uid: Uid,
}

/// The resource that a path names by its id. An id of another shape names nothing: 404.
#[derive(Clone, Debug)]
pub struct Resource(pub String);

#[derive(Deserialize)]
struct ResourcePath {
    id: String,
}

impl<S: Send + Sync> FromRequestParts<S> for Resource {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Path(ResourcePath { id }) = parts.extract().await?;
        match Uuid::try_parse(&id) {
            Ok(uuid) => Ok(Self(uuid.to_string())),
            Err(_) => Err(Problem::new(&NOT_FOUND, format!("there is nothing with the id `{id}`"))),
        }
    }
}

/// A JSON body. No body at all is an empty object: clients send either where there is nothing to
/// say.
#[derive(Clone, Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        // The frame has read the body already; this takes it out of memory.
        let body = Bytes::from_request(request, state).await;
        let body = body.map_err(|_| Problem::new(&BAD_REQUEST, "the body broke off"))?;
        let body: &[u8] = if body.is_empty() { b"{}" } else { &body };
        // Structs would be read from arrays too, member by member; nobody means that.
        if body.trim_ascii_start().first() != Some(&b'{') {
            return Err(Problem::invalid("body", "is not a JSON object"));
        }
        let mut reader = serde_json::Deserializer::from_slice(body);
        let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            let (path, why) = (error.path().to_string(), error.inner().to_string());
            match path.as_str() {
                "." | "?" => Problem::invalid(named_in(&why).unwrap_or("body"), &why),
                member => Problem::invalid(member, &why),
            }
        })?;
        reader.end().map_err(|error| Problem::invalid("body", error))?;
        Ok(Self(value))
    }
}

/// The member that serde complains of as missing or unknown.
fn named_in(why: &str) -> Option<&str> {
    let starts = ["missing field `", "unknown field `", "duplicate field `"];
    let rest = starts.iter().find_map(|it| why.strip_prefix(it))?;
    rest.split('`').next()
}

/// How many parameters a query may have.
const PARAMETERS_AT_MOST: usize = 100;

/// Named values: the pairs of a query or of a path, those of one name together.
struct Parameters {
    parameters: Vec<Parameter>,
}

#[derive(Clone, Debug)]
struct Parameter {
    name: String,
    values: Vec<String>,
}

impl Parameters {
    fn of_query(query: &str) -> Result<Self, Problem> {
        let mut pairs = Vec::new();
        let given = query.split('&').filter(|it| !it.is_empty());
        if given.clone().count() > PARAMETERS_AT_MOST {
            let rule = format!("more than {PARAMETERS_AT_MOST} parameters are given");
            return Err(Problem::invalid("query", rule));
        }
        for pair in given {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let plain_name = decoded(name).map_err(|()| not_utf8("query", name))?;
            let value = decoded(value).map_err(|()| not_utf8(&plain_name, value))?;
            pairs.push((plain_name.into_owned(), value.into_owned()));
        }
        Ok(Self::grouped(pairs))
    }

    fn grouped(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut parameters: Vec<Parameter> = Vec::new();
        for (name, value) in pairs {
            match parameters.iter_mut().find(|it| it.name == name) {
                Some(known) => known.values.push(value),
                None => parameters.push(Parameter { name, values: vec![value] }),
            }
        }
        Self { parameters }
    }
}

fn decoded(text: &str) -> Result<Cow<'_, str>, ()> {
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8().map_err(|_| ())?;
    Ok(Cow::Owned(decoded.into_owned()))
}

fn not_utf8(member: &str, given: &str) -> Problem {
    Problem::invalid(member, format!("`{given}` is not valid UTF-8"))
}

/// Why parameters were refused: for each, its name and the rule.
#[derive(Debug)]
struct Refused(Vec<(Option<String>, String)>);

impl std::error::Error for Refused {}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<&str> = self.0.iter().map(|(_, why)| why.as_str()).collect();
        f.write_str(&reasons.join("; "))
    }
}

impl serde::de::Error for Refused {
    fn custom<T: fmt::Display>(why: T) -> Self {
        Self(vec![(None, why.to_string())])
    }

    fn missing_field(field: &'static str) -> Self {
        Self(vec![(Some(field.to_owned()), "is required".to_owned())])
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self(vec![(Some(field.to_owned()), "is given in two spellings".to_owned())])
    }
}

trait FromRefused {
    fn from_refused(refused: Refused) -> Problem;
}

impl FromRefused for Problem {
    fn from_refused(Refused(reasons): Refused) -> Problem {
        let named =
            |(member, why): (Option<String>, String)| (member.unwrap_or("query".into()), why);
        Problem::all_invalid(reasons.into_iter().map(named).collect())
    }
}

impl<'de> Deserializer<'de> for Parameters {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_map(Members { parameters: self.parameters.into_iter(), value: None })
    }

    /// `fields` are all names, other spellings among them.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        let unknown = self.parameters.iter().filter(|it| !fields.contains(&it.name.as_str()));
        let reasons: Vec<_> = unknown
            .map(|Parameter { name, values }| {
                let given = values.join(",");
                let nearest = text::nearest(name, fields.iter().map(|it| (*it, *it)));
                let why = match nearest {
                    Some(nearest) => {
                        format!("(`{given}`) is not a parameter here; the nearest is `{nearest}`")
                    }
                    None => format!("(`{given}`) is not a parameter here; there are none"),
                };
                (Some(name.clone()), why)
            })
            .collect();
        if reasons.is_empty() { self.deserialize_any(visitor) } else { Err(Refused(reasons)) }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

struct Members {
    parameters: std::vec::IntoIter<Parameter>,
    value: Option<Parameter>,
}

impl<'de> MapAccess<'de> for Members {
    type Error = Refused;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Refused> {
        self.value = self.parameters.next();
        let name = self.value.as_ref().map(|it| it.name.clone());
        name.map(|it| seed.deserialize(it.into_deserializer())).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refused> {
        let Some(parameter) = self.value.take() else {
            return Err(serde::de::Error::custom("a value without a name"));
        };
        let Parameter { name, values } = parameter.clone();
        seed.deserialize(parameter).map_err(|Refused(reasons)| {
            let given = values.join(",");
            let reasons = reasons.into_iter().map(|(_, why)| {
                // A refusal names the value; where the type's own words do not, we do.
                let why = if why.contains('`') { why } else { format!("`{given}`: {why}") };
                (Some(name.clone()), why)
            });
            Refused(reasons.collect())
        })
    }
}

impl Parameter {
    fn single(self) -> Result<String, Refused> {
        let [value] = <[String; 1]>::try_from(self.values)
            .map_err(|all| refused(&all.join(","), format!("is given {} times", all.len())))?;
        Ok(value)
    }

    fn number<T: std::str::FromStr>(self, what: &str) -> Result<T, Refused> {
        let text = self.single()?;
        text.trim().parse().map_err(|_| refused(&text, format!("is not {what}")))
    }

    /// A whole number may come as `10.0`: clients write all numbers alike.
    fn whole_number<T: std::str::FromStr>(mut self) -> Result<T, Refused> {
        for value in &mut self.values {
            if let Some((whole, fraction)) = value.split_once(['.', ','])
                && !fraction.is_empty()
                && fraction.bytes().all(|it| it == b'0')
            {
                *value = whole.to_owned();
            }
        }
        self.number("a whole number in range")
    }
}

fn refused(value: &str, why: String) -> Refused {
    Refused(vec![(None, format!("`{value}` {why}"))])
}

macro_rules! whole_numbers {
    ($($method:ident $visit:ident $type:ty),*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
            visitor.$visit(self.whole_number::<$type>()?)
        })*
    };
}

impl<'de> Deserializer<'de> for Parameter {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_string(self.single()?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        visitor.visit_newtype_struct(self)
    }

    /// Several values: the parameter repeated, or separated by commas.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        let name = self.name;
        let values = self.values.iter().flat_map(|it| it.split(','));
        let values: Vec<Parameter> = values
            .map(|it| Parameter { name: name.clone(), values: vec![it.trim().to_owned()] })
            .collect();
        visitor.visit_seq(Items(values.into_iter()))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        let text = self.single()?;
        match text.to_ascii_lowercase().as_str() {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(refused(&text, "is neither `true` nor `false`".into())),
        }
    }

    /// A decimal comma is a point: one client writes numbers as its machine's locale does.
    fn deserialize_f64<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Refused> {
        for value in &mut self.values {
            *value = value.replace(',', ".");
        }
        let number: f64 = self.number("a number")?;
        if number.is_finite() {
            visitor.visit_f64(number)
        } else {
            Err(refused(&number.to_string(), "is not a number".into()))
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
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
    type Error = Refused;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Refused> {
        self.0.next().map(|it| seed.deserialize(it)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use domain::search::CompanyQuery;

    use super::*;

    fn read(query: &str) -> Result<CompanyQuery, String> {
        let parameters = Parameters::of_query(query).map_err(|it| it.detail)?;
        CompanyQuery::deserialize(parameters).map_err(|it| Problem::from_refused(it).detail)
    }

    #[test]
    fn parameters_are_read_in_both_spellings_and_with_either_space() {
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
    fn a_refusal_names_member_value_and_rule() {
        for (query, refusal) in [
            ("cantn=ZH", "cantn: (`ZH`) is not a parameter here; the nearest is `canton`"),
            ("canton=XX", "canton: `XX` is not a canton; the nearest is `"),
            ("sortBy=nmae", "sortBy: `nmae` is not a sort order; the nearest is `name`"),
            ("page=0", "page: `0`: pages count from 1"),
            ("pageSize=101", "pageSize: `101`: a page holds 1 to 100 items"),
            ("page=abc", "page: `abc` is not a whole number in range"),
            ("page=-1", "page: `-1` is not a whole number in range"),
            ("page=1.5", "page: `1.5` is not a whole number in range"),
            ("page=.0", "page: `` is not a whole number in range"),
            ("page=1&page=2", "page: `1,2` is given 2 times"),
            ("capitalMin=much", "capitalMin: `much` is not an amount"),
            ("foundedAfter=31.12.2020", "foundedAfter: `31.12.2020` is not a date"),
            ("hasLei=maybe", "hasLei: `maybe` is neither `true` nor `false`"),
            ("tag=vip", "tag: `vip`: not available yet"),
            ("search=%ff", "search: `%ff` is not valid UTF-8"),
            ("changedSince=2026-01-01&changed_since=2026-01-01", "changedSince: "),
            ("uids=CHE-107.787.577,nestle", "uids: `nestle` is not a company number"),
            ("dataQualityMin=1.5", "dataQualityMin: `1.5`: a share lies between 0 and 1"),
        ] {
            let given = read(query).expect_err(query);
            assert!(given.starts_with(refusal), "{query}: {given}");
        }
    }
}
