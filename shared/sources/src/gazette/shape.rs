//! The portal's JSON and XML in one shape, so that both are read alike.
//!
//! XML knows no lists, numbers or flags; JSON writes one capital now as a list and now as an object.

use quick_xml::{Reader, XmlVersion, events::Event};
use serde_json::{Map, Value};

use crate::repair::repair_and_trim;

/// No publication is nested deeper.
const DEEPEST: usize = 32;

/// Members that are lists, whatever their number.
const LISTS: [&str; 4] = ["cantons", "capital", "revisionCompany", "headOffice"];

/// Members that are texts, though JSON may write them as numbers.
const TEXTS: [&str; 6] = [
    "journalNumber",
    "lastFoscNumber",
    "lastFoscSequence",
    "legalForm",
    "houseNumber",
    "swissZipCode",
];

/// Evens out a publication: texts repaired, nothing where there is nothing, lists where lists belong.
pub(super) fn even(value: &mut Value) {
    match value {
        Value::String(text) => repair_and_trim(text),
        Value::Array(items) => items.iter_mut().for_each(even),
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                even(member);
                if LISTS.contains(&name.as_str()) {
                    let is_single = !member.is_array() && !member.is_null();
                    if is_single {
                        *member = Value::Array(vec![member.take()]);
                    }
                    if name == "cantons" {
                        split(member);
                    }
                }
                if TEXTS.contains(&name.as_str())
                    && let Value::Number(number) = member
                {
                    *member = Value::String(number.to_string());
                }
            }
            // An empty text and an empty list say as much as no member.
            members.retain(|_, it| match it {
                Value::String(text) => !text.is_empty(),
                Value::Array(items) => !items.is_empty(),
                other => !other.is_null(),
            });
        }
        _ => {}
    }
}

/// XML writes several cantons as one text.
fn split(cantons: &mut Value) {
    let Value::Array(items) = cantons else { return };
    *items = items
        .iter()
        .flat_map(|it| match it {
            Value::String(text) => text
                .split([',', ' ', ';'])
                .filter(|it| !it.is_empty())
                .map(|it| Value::String(it.to_owned()))
                .collect(),
            other => vec![other.clone()],
        })
        .collect();
}

/// The publication of an XML export, as the JSON that the portal would answer.
pub(super) fn xml(text: &str) -> Result<Value, String> {
    let mut reader = Reader::from_str(text);
    let mut open: Vec<Element> = Vec::new();
    loop {
        let event = reader.read_event().map_err(|it| it.to_string())?;
        match event {
            Event::Start(start) => {
                if open.len() >= DEEPEST {
                    return Err(format!("elements are nested deeper than {DEEPEST}"));
                }
                open.push(Element::named(start.local_name().as_ref())?);
            }
            Event::Empty(empty) => {
                let element = Element::named(empty.local_name().as_ref())?;
                if let Some(parent) = open.last_mut() {
                    parent.add(element);
                }
            }
            Event::End(_) => {
                let Some(element) = open.pop() else {
                    return Err("an element ends that never began".into());
                };
                match open.last_mut() {
                    Some(parent) => parent.add(element),
                    None => return Ok(element.value()),
                }
            }
            Event::Text(said) => {
                if let Some(element) = open.last_mut() {
                    element.text.push_str(
                        &said.xml_content(XmlVersion::Implicit1_0).map_err(|it| it.to_string())?,
                    );
                }
            }
            Event::CData(said) => {
                if let Some(element) = open.last_mut() {
                    element.text.push_str(&said.decode().map_err(|it| it.to_string())?);
                }
            }
            Event::GeneralRef(entity) => {
                let Some(element) = open.last_mut() else { continue };
                if let Some(letter) = entity.resolve_char_ref().map_err(|it| it.to_string())? {
                    element.text.push(letter);
                    continue;
                }
                let name = entity.decode().map_err(|it| it.to_string())?;
                let resolved = quick_xml::escape::resolve_predefined_entity(&name)
                    .ok_or_else(|| format!("`&{name};` is no entity of XML"))?;
                element.text.push_str(resolved);
            }
            Event::Eof => return Err("the document ends before its root does".into()),
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
        // What markup a text holds is part of the text.
        if self.name == "publicationText" {
            self.text.push(' ');
            self.text.push_str(&element.text);
            return;
        }
        let name = element.name.clone();
        let value = element.value();
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
