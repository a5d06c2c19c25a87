//! Records of entities and persons.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::statement::{Record, RecordType};
use crate::{Form, Party, Profile, Resolution, Structure};

/// A record for each party of a structure, the root first.
pub(super) fn records(structure: &Structure, resolution: &Resolution) -> Vec<Record> {
    let root = structure.root();
    let owners = structure.depths().keys().copied();
    let officers = resolution.beneficial_owners.iter().map(|it| it.person);
    let others: BTreeSet<Party> = owners.chain(officers).filter(|it| *it != root).collect();
    let parties = [root].into_iter().chain(others);
    parties.map(|it| record(it, structure.profile(it))).collect()
}

fn record(party: Party, profile: Option<&Profile>) -> Record {
    let is_person = party.is_person();
    let details = if is_person { person(profile) } else { entity(party, profile) };
    let kind = if is_person { RecordType::Person } else { RecordType::Entity };
    Record { id: party.to_string(), kind, details: Value::Object(details), source: None }
}

fn name(profile: Option<&Profile>) -> Option<&str> {
    profile.map(|it| it.name.as_str()).filter(|it| !it.is_empty())
}

fn country(profile: Option<&Profile>) -> Option<Value> {
    // The standard requires a name beside the code. The code is used for both, as country names depend on the language.
    let code = profile?.country.as_deref()?;
    Some(json!({ "name": code, "code": code }))
}

fn person(profile: Option<&Profile>) -> Map<String, Value> {
    let mut details = Map::new();
    details.insert("isComponent".into(), false.into());
    match name(profile) {
        Some(name) => {
            details.insert("personType".into(), "knownPerson".into());
            details.insert("names".into(), json!([{ "type": "legal", "fullName": name }]));
        }
        None => {
            details.insert("personType".into(), "unknownPerson".into());
            details.insert("unspecifiedPersonDetails".into(), unknown("The name is unknown."));
        }
    }
    if let Some(country) = country(profile) {
        details.insert("nationalities".into(), json!([country]));
    }
    details
}

fn entity(party: Party, profile: Option<&Profile>) -> Map<String, Value> {
    let mut details = Map::new();
    details.insert("isComponent".into(), false.into());
    let form = profile.map(|it| it.form).unwrap_or_default();
    let kind = match party {
        _ if form == Form::Public => "stateBody",
        Party::Company(_) | Party::Foreign(_) => "registeredEntity",
        Party::Firm(_) | Party::Person(_) => "legalEntity",
        Party::Unidentified(_) => "unknownEntity",
    };
    details.insert("entityType".into(), json!({ "type": kind }));
    if kind == "unknownEntity" {
        let reason = "The source does not state whether this holder is a person or a legal entity.";
        details.insert("unspecifiedEntityDetails".into(), unknown(reason));
    }
    if let Some(name) = name(profile) {
        details.insert("name".into(), name.into());
    }
    let swiss =
        matches!(party, Party::Company(_)).then(|| json!({ "name": "Switzerland", "code": "CH" }));
    if let Some(jurisdiction) = swiss.or_else(|| country(profile)) {
        details.insert("jurisdiction".into(), jurisdiction);
    }
    let identifier = match party {
        Party::Company(uid) => Some(json!({
            "id": uid.to_string(),
            "schemeName": "Swiss enterprise identification number (UID)",
        })),
        Party::Foreign(lei) => Some(json!({
            "id": lei.to_string(),
            "scheme": "XI-LEI",
            "schemeName": "Global Legal Entity Identifier Index",
        })),
        Party::Firm(_) | Party::Person(_) | Party::Unidentified(_) => None,
    };
    if let Some(identifier) = identifier {
        details.insert("identifiers".into(), json!([identifier]));
    }
    details
}

/// An explanation of why something is not stated.
pub(super) fn unknown(description: &str) -> Value {
    json!({ "reason": "informationUnknownToPublisher", "description": description })
}
