use std::collections::BTreeMap;

use jiff::{ToSpan, civil::Date};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    left_out::LeftOut,
    reports::{
        Draft,
        figures::{self, Observation, entity, figure, scaled},
    },
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    document_info: Info,
    #[serde(default)]
    facts: BTreeMap<String, Fact>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Info {
    document_type: String,
    #[serde(default)]
    namespaces: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Fact {
    value: Option<Value>,
    decimals: Option<i32>,
    dimensions: BTreeMap<String, Value>,
}

/// Whether the document type of a JSON document is xBRL-JSON.
pub(super) fn is_xbrl_json(text: &str) -> bool {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Marked {
        document_info: Info,
    }
    serde_json::from_str::<Marked>(text)
        .is_ok_and(|it| it.document_info.document_type.ends_with("/xbrl-json"))
}

/// Reads xBRL-JSON (OIM 1.0): one document, one report.
pub(super) fn read(text: &str) -> Result<Vec<Draft>, String> {
    let document: Document = serde_json::from_str(text).map_err(|it| it.to_string())?;
    let namespaces = &document.document_info.namespaces;
    let mut observations = Vec::new();
    let mut entities: Vec<(String, String)> = Vec::new();
    for fact in document.facts.values() {
        let Some((found, entity_id)) = observation(fact, namespaces) else { continue };
        if !entities.contains(&entity_id) {
            entities.push(entity_id);
        }
        observations.push(found);
    }
    let report = match entities.as_slice() {
        [(scheme, identifier)] => entity(scheme, identifier)
            .and_then(|mention| Ok((mention, figures::report(observations)?))),
        [] => Err("contains no figure".to_owned()),
        _ => Err(format!("entity: expected one; got {}", entities.len())),
    };
    let record = entities.into_iter().map(|(_, it)| it).collect::<Vec<_>>().join(", ");
    Ok(vec![Draft {
        report,
        record: format!("xBRL-JSON of {record}"),
        left_out: LeftOut::default(),
    }])
}

/// The observation in a fact, and the scheme and identifier of its entity.
fn observation(
    fact: &Fact,
    namespaces: &BTreeMap<String, String>,
) -> Option<(Observation, (String, String))> {
    let dimension = |name: &str| fact.dimensions.get(name).and_then(Value::as_str);
    // A dimension with a prefix comes from a taxonomy and means a segment or another part.
    if fact.dimensions.keys().any(|it| it.contains(':')) {
        return None;
    }
    let (prefix, concept) = dimension("concept")?.split_once(':')?;
    let (figure, rank) = figure(namespaces.get(prefix)?, concept)?;
    let number = match fact.value.as_ref()? {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let (scheme, identifier) = dimension("entity")?.split_once(':')?;
    let scheme = namespaces.get(scheme).map_or(scheme, String::as_str);
    let (start, end) = period(dimension("period")?)?;
    let currency = match dimension("unit") {
        None => None,
        // Only plain currencies: the unit of an amount per share has a denominator.
        Some(unit) => Some(unit.strip_prefix("iso4217:").filter(|it| it.len() == 3)?.to_owned()),
    };
    let observation = Observation {
        figure,
        rank,
        value: scaled(&number, 0)?,
        // The format defines an absent precision as exact.
        decimals: fact.decimals.unwrap_or(i32::MAX),
        currency,
        start,
        end,
    };
    Some((observation, (scheme.to_owned(), identifier.to_owned())))
}

/// Parses a period such as `2025-01-01T00:00:00/2026-01-01T00:00:00` or a point in time. An end at
/// midnight means the day before.
fn period(text: &str) -> Option<(Option<Date>, Date)> {
    let day = |it: &str| it.get(..10)?.parse::<Date>().ok();
    let last_day = |it: &str| match it.get(10..) {
        None | Some("" | "T00:00:00") => day(it)?.checked_sub(1.day()).ok(),
        Some(_) => day(it),
    };
    match text.split_once('/') {
        Some((start, end)) => Some((Some(day(start)?), last_day(end)?)),
        None => Some((None, last_day(text)?)),
    }
}
