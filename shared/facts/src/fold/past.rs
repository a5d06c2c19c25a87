//! The company as it was on a day.

use std::collections::BTreeMap;

use domain::{Company, History, Provenance};
use jiff::civil::Date;
use serde_json::Value;

use super::{
    announced::{self, Announced},
    company, entry, history, in_order,
    layers::{Layer, layers},
};
use crate::Fact;

/// A company, its history until a day, and what proves each member.
#[derive(Clone, Debug, PartialEq)]
pub struct Past {
    pub company: Company,
    pub history: History,
    /// By the wire name of the member: what stated it last until that day, or the next publication, which
    /// says how it found the company. A member that follows from another has the proof of that one.
    pub proofs: BTreeMap<String, Provenance>,
}

/// What the record says of itself, and so needs no proof.
const OF_THE_RECORD: [&str; 3] = ["uid", "dataSource", "auditorSource"];

/// Members that follow from others.
const FOLLOWING: [(&str, &str); 11] = [
    ("statusCanonical", "status"),
    ("municipality", "legalSeat"),
    ("auditorCategory", "auditorOptOut"),
    ("auditorCategory", "auditorName"),
    ("supersededBy", "affiliations"),
    ("industry", "purpose"),
    ("subIndustry", "purpose"),
    ("nogaCode", "purpose"),
    ("industrySource", "purpose"),
    ("industryConfidence", "purpose"),
    ("industryClassifiedAt", "purpose"),
];

/// The company as it was at the end of this day; `None` where nothing proves that it was in the register
/// then.
///
/// Only what is dated until that day counts, and what the next publication says of the company before
/// it; a member that neither tells is left out.
pub fn fold_until(facts: &[Fact], day: Date) -> Option<Past> {
    let facts = in_order(facts);
    let mut publications = announced::announced(&facts);
    let later = publications.split_off(publications.partition_point(|it| it.date <= day));
    let known: Vec<&Fact> = facts
        .into_iter()
        .filter(|it| it.published.is_some_and(|published| published <= day))
        .collect();
    let takeovers = announced::takeovers(&known);
    let past = history(&publications, &takeovers);
    let mut layers = layers(&known, &publications, &takeovers);
    let next = next(&later, day, !layers.is_empty());
    if let Some(next) = next {
        layers.insert(0, Layer::Before(next));
    }
    let mut then = company(&layers, &publications, &past)?;
    let proofs = proofs(&then, &layers, &publications, &past);
    if let Some(next) = next.filter(|next| proofs.values().any(|it| *it == next.source)) {
        then.sources.push(next.source.clone());
    }
    Some(Past { company: then, history: past, proofs })
}

/// The publication that says how it found the company on this day: the first one later, if nothing was
/// published between the day and it. It names the one before it as a rule; where it does not, it can be
/// taken for the next one only where others are known.
fn next(later: &[Announced], day: Date, is_known: bool) -> Option<&Announced> {
    let next = later.iter().find(|it| !it.is_cancelled)?;
    let follows = next.previous.map_or(is_known, |it| it <= day);
    (follows && !next.is_registration).then_some(next)
}

fn proofs(
    company: &Company,
    layers: &[Layer<'_>],
    publications: &[Announced],
    history: &History,
) -> BTreeMap<String, Provenance> {
    let mut proofs = BTreeMap::new();
    let mut so_far = Company::new(company.uid, "");
    for layer in layers {
        let mut stated = Company::new(company.uid, "");
        layer.apply(&mut stated);
        let status = so_far.status;
        layer.apply(&mut so_far);
        // A status that is only taken for granted is no news of it, unless it is another one.
        let is_granted = !layer.states_status() && so_far.status == status;
        for member in members(&stated) {
            if !(is_granted && member == "status") {
                proofs.insert(member, layer.provenance());
            }
        }
    }
    if let Some(entry) = entry(publications) {
        for member in ["registrationDate", "foundingDate"] {
            proofs.entry(member.into()).or_insert_with(|| entry.source.clone());
        }
    }
    let tenure = history.current_tenure();
    if let Some(tenure) =
        tenure.filter(|it| company.auditor_name.as_ref() == Some(&it.auditor_name))
    {
        proofs.insert("auditorName".into(), tenure.source.clone());
        proofs.insert("auditorUid".into(), tenure.source.clone());
    }
    for (member, other) in FOLLOWING {
        if let Some(proof) = proofs.get(other).cloned() {
            proofs.insert(member.into(), proof);
        }
    }
    let answered = members(company);
    proofs.retain(|member, _| answered.contains(member));
    proofs
}

/// The wire names of the members that the record has.
fn members(company: &Company) -> Vec<String> {
    let Ok(Value::Object(mut members)) = serde_json::to_value(company) else { return Vec::new() };
    members.retain(|name, _| !OF_THE_RECORD.contains(&name.as_str()));
    if company.name.is_empty() {
        members.remove("name");
    }
    members.into_iter().map(|(name, _)| name).collect()
}
