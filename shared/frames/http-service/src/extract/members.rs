//! Reads a value from JSON. An error is in our words, and names the member.

use domain::{
    contradictions,
    invalid_input::{InvalidInput, rule_of_text},
};
use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeOwned, DeserializeSeed, Error as _, IntoDeserializer, MapAccess, SeqAccess,
        Unexpected, Visitor, value::StringDeserializer,
    },
    forward_to_deserialize_any,
};

/// A JSON value. Unlike [`serde_json::Value`] it keeps a member that is given twice, so that this is an error.
#[derive(Debug)]
pub(super) enum Given {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text(String),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Given {
    /// Reads a `T`.
    pub(super) fn read<T: DeserializeOwned>(self) -> Result<T, InvalidInput> {
        T::deserialize(self)
    }

    fn unexpected(&self) -> Unexpected<'_> {
        match self {
            Self::Null => Unexpected::Unit,
            Self::Bool(it) => Unexpected::Bool(*it),
            Self::Unsigned(it) => Unexpected::Unsigned(*it),
            Self::Signed(it) => Unexpected::Signed(*it),
            Self::Float(it) => Unexpected::Float(*it),
            Self::Text(it) => Unexpected::Str(it),
            Self::List(_) => Unexpected::Seq,
            Self::Object(_) => Unexpected::Map,
        }
    }

    /// The text of a number or a text.
    fn text(&self) -> Option<String> {
        match self {
            Self::Unsigned(it) => Some(it.to_string()),
            Self::Signed(it) => Some(it.to_string()),
            Self::Float(it) => Some(it.to_string()),
            Self::Text(it) => Some(it.clone()),
            _ => None,
        }
    }
}

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Given;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Given, E> {
        Ok(Given::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Given, E> {
        Ok(Given::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Given, E> {
        Ok(Given::Unsigned(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Given, E> {
        Ok(Given::Signed(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Given, E> {
        Ok(Given::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Given, E> {
        Ok(Given::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Given, E> {
        Ok(Given::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Given, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Given::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Given, A::Error> {
        let mut object = Vec::new();
        while let Some(member) = members.next_entry()? {
            object.push(member);
        }
        Ok(Given::Object(object))
    }
}

impl<'de> Deserializer<'de> for Given {
    type Error = InvalidInput;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidInput> {
        match self {
            Self::Null => visitor.visit_unit(),
            Self::Bool(it) => visitor.visit_bool(it),
            Self::Unsigned(it) => visitor.visit_u64(it),
            Self::Signed(it) => visitor.visit_i64(it),
            Self::Float(it) => visitor.visit_f64(it),
            Self::Text(it) => {
                let rule = rule_of_text(&visitor);
                let invalid = rule.map(|rule| InvalidInput::value(&format!("must be {rule}"), &it));
                visitor.visit_string(it).map_err(|error| invalid.unwrap_or(error))
            }
            Self::List(items) => visitor.visit_seq(Items { items: items.into_iter(), next: 0 }),
            Self::Object(members) => {
                visitor.visit_map(Members { members: members.into_iter(), value: None })
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidInput> {
        match self {
            Self::Null => visitor.visit_none(),
            given => visitor.visit_some(given),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, InvalidInput> {
        visitor.visit_newtype_struct(self)
    }

    /// Serde also reads a struct from a list of its members, which is refused here.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, InvalidInput> {
        let Self::Object(members) = &self else {
            return Err(InvalidInput::invalid_type(self.unexpected(), &"an object"));
        };
        let texts: Vec<(&str, String)> =
            members.iter().filter_map(|(name, it)| Some((name.as_str(), it.text()?))).collect();
        let pairs: Vec<(&str, &str)> =
            texts.iter().map(|(name, it)| (*name, it.as_str())).collect();
        let contradiction = contradictions::first(&pairs);
        InvalidInput::unless_contradicted(self.deserialize_any(visitor), contradiction)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, InvalidInput> {
        match self {
            Self::Text(name) => {
                let name: StringDeserializer<InvalidInput> = name.into_deserializer();
                visitor.visit_enum(name)
            }
            given => Err(InvalidInput::invalid_type(given.unexpected(), &"a text")),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

struct Items {
    items: std::vec::IntoIter<Given>,
    next: usize,
}

impl<'de> SeqAccess<'de> for Items {
    type Error = InvalidInput;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, InvalidInput> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let at = self.next;
        self.next += 1;
        seed.deserialize(item).map(Some).map_err(|it| it.within(&format!("[{at}]")))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct Members {
    members: std::vec::IntoIter<(String, Given)>,
    value: Option<(String, Given)>,
}

impl<'de> MapAccess<'de> for Members {
    type Error = InvalidInput;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, InvalidInput> {
        self.value = self.members.next();
        let name = self.value.as_ref().map(|(name, _)| name.clone());
        name.map(|it| seed.deserialize(it.into_deserializer())).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, InvalidInput> {
        let Some((name, value)) = self.value.take() else {
            return Err(InvalidInput::custom("a value without a name"));
        };
        seed.deserialize(value).map_err(|it| it.within(&name))
    }
}
