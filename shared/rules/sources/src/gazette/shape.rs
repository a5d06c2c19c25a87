//! Deserializers for fields whose format varies in the portal's responses: a value may be a string or a
//! number, and a list with one item may be that item alone. In XML everything is a string.

use std::fmt;

use domain::{Amount, Canton};
use jiff::civil::Date;
use quick_xml::{Reader, XmlVersion, events::Event};
use serde::{
    Deserialize, Deserializer,
    de::{Error, IntoDeserializer, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer},
};
use serde_json::{Map, Value};

use crate::repair::repair_and_trim;

/// Maximum nesting of elements. Real publications are less deep.
const MAX_DEPTH: usize = 32;

/// A string with repaired encoding and without surrounding whitespace. `None` if it is empty. Reading the
/// result again does not change it.
pub(super) fn optional<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    struct Optional;
    impl Visitor<'_> for Optional {
        type Value = Option<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
            self.visit_string(text.to_owned())
        }

        fn visit_string<E: Error>(self, mut text: String) -> Result<Self::Value, E> {
            repair_and_trim(&mut text);
            Ok(Some(text).filter(|it| !it.is_empty()))
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
            Ok(Some(number.to_string()))
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
            Ok(Some(number.to_string()))
        }

        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
    }
    deserializer.deserialize_any(Optional)
}

/// A non-empty string, otherwise as [`optional`].
pub(super) fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    optional(deserializer)?.ok_or_else(|| D::Error::custom("is empty"))
}

/// A list, or a single item in place of a list with one item.
pub(super) fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct List<T>(std::marker::PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list or one of its items")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(item) = items.next_element()? {
                list.push(item);
            }
            Ok(list)
        }

        fn visit_map<A: MapAccess<'de>>(self, item: A) -> Result<Vec<T>, A::Error> {
            Ok(vec![T::deserialize(MapAccessDeserializer::new(item))?])
        }

        fn visit_unit<E: Error>(self) -> Result<Vec<T>, E> {
            Ok(Vec::new())
        }
    }
    deserializer.deserialize_any(List(std::marker::PhantomData))
}

/// Cantons as a list (JSON) or as one string with separators (XML).
pub(super) fn cantons<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Canton>, D::Error> {
    struct Cantons;
    impl<'de> Visitor<'de> for Cantons {
        type Value = Vec<Canton>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("cantons")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Vec<Canton>, E> {
            let codes = text.split([',', ' ', ';']).filter(|it| !it.is_empty());
            codes.map(|it| Canton::deserialize(it.into_deserializer())).collect()
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<Canton>, A::Error> {
            let mut cantons = Vec::new();
            while let Some(text) = items.next_element::<String>()? {
                cantons.extend(Self.visit_str::<A::Error>(&text)?);
            }
            Ok(cantons)
        }

        fn visit_unit<E: Error>(self) -> Result<Vec<Canton>, E> {
            Ok(Vec::new())
        }
    }
    deserializer.deserialize_any(Cantons)
}

/// A date, with a time (JSON) or without (XML).
pub(super) fn day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
    parsed(&required(deserializer)?).map_err(D::Error::custom)
}

/// As [`day`], but the value may be absent.
pub(super) fn maybe_day<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Date>, D::Error> {
    optional(deserializer)?.map(|it| parsed(&it).map_err(D::Error::custom)).transpose()
}

fn parsed(text: &str) -> Result<Date, String> {
    let day = text.get(..10).unwrap_or(text);
    day.parse().map_err(|_| format!("`{text}` is not a date of the form YYYY-MM-DD"))
}

/// A flag as a boolean (JSON) or a string (XML). May be absent.
pub(super) fn maybe_flag<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<bool>, D::Error> {
    match Option::<Value>::deserialize(deserializer)? {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(flag)) => Ok(Some(flag)),
        Some(Value::String(text)) => match text.trim() {
            "" => Ok(None),
            "true" | "1" => Ok(Some(true)),
            "false" | "0" => Ok(Some(false)),
            _ => Err(D::Error::custom(format!("`{text}` is neither true nor false"))),
        },
        Some(other) => Err(D::Error::custom(format!("`{other}` is neither true nor false"))),
    }
}

/// An amount as a number or a string. May be absent.
pub(super) fn maybe_amount<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Amount>, D::Error> {
    match Option::<Value>::deserialize(deserializer)? {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
        Some(amount) => Amount::deserialize(amount).map(Some).map_err(D::Error::custom),
    }
}

/// Converts an XML export to the JSON that the portal's API would return.
pub(super) fn xml(text: &str) -> Result<Value, String> {
    let mut reader = Reader::from_str(text);
    let mut open_elements: Vec<Element> = Vec::new();
    loop {
        let event = reader.read_event().map_err(|it| it.to_string())?;
        match event {
            Event::Start(start) => {
                if open_elements.len() >= MAX_DEPTH {
                    return Err(format!("elements are nested deeper than {MAX_DEPTH}"));
                }
                open_elements.push(Element::named(start.local_name().as_ref())?);
            }
            Event::Empty(empty) => {
                let element = Element::named(empty.local_name().as_ref())?;
                if let Some(parent) = open_elements.last_mut() {
                    parent.add(element);
                }
            }
            Event::End(_) => {
                let Some(element) = open_elements.pop() else {
                    return Err("an element is closed that was not opened".into());
                };
                match open_elements.last_mut() {
                    Some(parent) => parent.add(element),
                    None => return Ok(element.value()),
                }
            }
            Event::Text(said) => {
                if let Some(element) = open_elements.last_mut() {
                    element.text.push_str(
                        &said.xml_content(XmlVersion::Implicit1_0).map_err(|it| it.to_string())?,
                    );
                }
            }
            Event::CData(said) => {
                if let Some(element) = open_elements.last_mut() {
                    element.text.push_str(&said.decode().map_err(|it| it.to_string())?);
                }
            }
            Event::GeneralRef(entity) => {
                let Some(element) = open_elements.last_mut() else { continue };
                if let Some(letter) = entity.resolve_char_ref().map_err(|it| it.to_string())? {
                    element.text.push(letter);
                    continue;
                }
                let name = entity.decode().map_err(|it| it.to_string())?;
                let resolved = quick_xml::escape::resolve_predefined_entity(&name)
                    .ok_or_else(|| format!("`&{name};` is not a predefined XML entity"))?;
                element.text.push_str(resolved);
            }
            Event::Eof => return Err("the document ends before its root element is closed".into()),
            _ => {}
        }
    }
}

struct Element {
    name: String,
    text: String,
    members: Map<String, Value>,
}

impl Element {
    fn named(name: &[u8]) -> Result<Self, String> {
        let name = std::str::from_utf8(name).map_err(|it| it.to_string())?.to_owned();
        Ok(Self { name, text: String::new(), members: Map::new() })
    }

    fn add(&mut self, element: Self) {
        // Markup inside a text field is part of the text.
        if self.name == "publicationText" {
            self.text.push(' ');
            self.text.push_str(&element.text);
            return;
        }
        let name = element.name.clone();
        let value = element.value();
        // An empty element means the same as an absent one.
        if value.as_str().is_some_and(|it| it.trim().is_empty()) {
            return;
        }
        match self.members.get_mut(&name) {
            None => {
                self.members.insert(name, value);
            }
            Some(Value::Array(items)) => items.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
        }
    }

    fn value(self) -> Value {
        if self.members.is_empty() { Value::String(self.text) } else { Value::Object(self.members) }
    }
}
