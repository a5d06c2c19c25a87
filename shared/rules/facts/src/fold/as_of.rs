//! The company as of a date.

use std::collections::BTreeMap;

use domain::{Company, History, Provenance, statements::Statement};
use jiff::civil::Date;
use serde_json::value::RawValue;

use super::{
    ParsedPublication,
    collect::{own_publications, takeovers},
    company, history,
    layers::{Layer, layers},
    registration, sorted,
};
use crate::Fact;

/// A company as of a date, its history up to that date, and the source of each member.
#[derive(Clone, Debug, PartialEq)]
pub struct CompanyAsOf {
    pub company: Company,
    pub history: History,
    /// The source of each member, by the member's JSON name: the statement that set the current value, or the
    /// next publication if the value is known only from its `before` data. A derived member has the source of
    /// the member that it is derived from.
    pub proofs: BTreeMap<String, Provenance>,
}

/// Members about the record itself, which have no source.
const WITHOUT_PROOF: [&str; 3] = ["uid", "dataSource", "auditorSource"];

/// Derived members, each with the member it is derived from.
const DERIVED: [(&str, &str); 12] = [
    ("statusCanonical", "status"),
    ("statusReason", "status"),
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

/// The facts of a company, parsed, from which the company can be folded as of any day.
///
/// The text of publications is parsed once: that takes longer than the fold.
#[derive(Debug)]
pub struct ParsedFacts {
    /// All facts but publications, sorted.
    others: Vec<Fact>,
    publications: Vec<ParsedPublication>,
    takeovers: Vec<ParsedPublication>,
}

impl ParsedFacts {
    /// The facts can be in any order.
    pub fn new(mut facts: Vec<Fact>) -> Self {
        let (publications, takeovers) = {
            let facts = sorted(&facts);
            (own_publications(&facts), takeovers(&facts))
        };
        facts.retain(|it| !matches!(it.statement, Statement::Shab(_) | Statement::Takeover(_)));
        facts.sort_by(|one, other| one.order().cmp(&other.order()));
        Self { others: facts, publications, takeovers }
    }

    /// Number of facts: what a fold costs.
    pub fn count(&self) -> usize {
        self.others.len() + self.publications.len() + self.takeovers.len()
    }

    /// The company as of the end of this day. `None` if no fact shows that it was in the register then.
    ///
    /// Uses the facts dated up to that day, and the state that the next publication gives as the company's
    /// former state. Members that neither of them states are absent.
    pub fn as_of(&self, day: Date) -> Option<CompanyAsOf> {
        self.until(Some(day))
    }

    /// The company today, from all facts, also those without a date. `None` if no fact shows that it was in the
    /// register.
    pub fn current(&self) -> Option<CompanyAsOf> {
        self.until(None)
    }

    /// The company as of the end of this day; `None`: from all facts.
    fn until(&self, day: Option<Date>) -> Option<CompanyAsOf> {
        let is_until = |it: Date| day.is_none_or(|day| it <= day);
        let until = |it: &[ParsedPublication]| it.partition_point(|it| is_until(it.date));
        let (publications, later) = self.publications.split_at(until(&self.publications));
        let takeovers = &self.takeovers[..until(&self.takeovers)];
        let is_known = |it: &&Fact| it.published.map_or(day.is_none(), is_until);
        let known: Vec<&Fact> = self.others.iter().filter(is_known).collect();
        let mut history = history(publications, takeovers);
        let mut layers = layers(&known, publications, takeovers);
        let next = day.and_then(|it| next_publication(later, it, !layers.is_empty()));
        if let Some(next) = next {
            layers.insert(0, Layer::Before(next));
        }
        let mut company = company(&layers, publications, &mut history)?;
        let proofs = proofs(&company, &layers, publications, &history);
        if let Some(next) = next.filter(|next| proofs.values().any(|it| *it == next.source)) {
            company.sources.push(next.source.clone());
        }
        Some(CompanyAsOf { company, history, proofs })
    }
}

/// The first publication after this day, if no other publication can be missing between the day and it. It
/// usually names its predecessor. If it does not, it is used only if the company is known on this day
/// (`is_known`) from other facts.
fn next_publication(
    later: &[ParsedPublication],
    day: Date,
    is_known: bool,
) -> Option<&ParsedPublication> {
    let next = later.iter().find(|it| !it.is_cancelled)?;
    let follows = next.previous.map_or(is_known, |it| it <= day);
    (follows && !next.is_registration).then_some(next)
}

fn proofs(
    company: &Company,
    layers: &[Layer<'_>],
    publications: &[ParsedPublication],
    history: &History,
) -> BTreeMap<String, Provenance> {
    let mut proofs: BTreeMap<String, Provenance> = BTreeMap::new();
    let mut accumulated = Company::new(company.uid, "");
    // A status that a layer only assumes is proved by it only if it changes.
    let is_assumed = |layer: &Layer<'_>| {
        let status = accumulated.status;
        layer.apply(&mut accumulated);
        !layer.states_status() && accumulated.status == status
    };
    let is_assumed: Vec<bool> = layers.iter().map(is_assumed).collect();
    // The newest first: it proves what it states. A publication also repeats the data that it does not change: these are proved by
    // the first of the publications that state them alike.
    let mut proved: BTreeMap<String, Option<String>> = BTreeMap::new();
    for (layer, is_assumed) in layers.iter().zip(is_assumed).rev() {
        let mut stated = Company::new(company.uid, "");
        layer.apply(&mut stated);
        let json = serde_json::to_string(&stated).unwrap_or_default();
        let stated = members(&json);
        for &member in stated.keys().filter(|it| !(is_assumed && **it == "status")) {
            let known = proved.get(member);
            // What was stated before another value proves nothing.
            if known.is_some_and(Option::is_none) {
                continue;
            }
            let value = layer.publication().map(|_| with_its_group(member, &stated));
            let is_proof = known.is_none_or(|it| *it == value);
            if is_proof {
                proofs.insert(member.to_owned(), layer.provenance());
            }
            proved.insert(member.to_owned(), value.filter(|_| is_proof));
        }
    }
    if let Some(registration) = registration(publications) {
        let source = || registration.source.clone();
        proofs.entry("registrationDate".into()).or_insert_with(source);
        if registration.first_statutes().is_some() {
            proofs.insert("foundingDate".into(), source());
        }
    }
    let tenure = history.current_tenure();
    if let Some(tenure) =
        tenure.filter(|it| company.auditor_name.as_ref() == Some(&it.auditor_name))
    {
        proofs.insert("auditorName".into(), tenure.source.clone());
        proofs.insert("auditorUid".into(), tenure.source.clone());
    }
    // All shares together make the members: their proof is the latest.
    if let Some(holder) = company.quota_holders.iter().max_by_key(|it| it.source.date) {
        proofs.insert("quotaHolders".into(), holder.source.clone());
        proofs.insert("quotaHolderCount".into(), holder.source.clone());
    }
    for (member, origin) in DERIVED {
        if let Some(proof) = proofs.get(origin).cloned() {
            proofs.insert(member.into(), proof);
        }
    }
    let json = serde_json::to_string(company).unwrap_or_default();
    let present = members(&json);
    proofs.retain(|member, _| present.contains_key(member.as_str()));
    proofs
}

/// The members of a record in JSON that need a proof, by name, with their values in JSON.
fn members(json: &str) -> BTreeMap<&str, &RawValue> {
    let mut members: BTreeMap<&str, &RawValue> = serde_json::from_str(json).unwrap_or_default();
    members.retain(|member, value| {
        let is_unknown_name = *member == "name" && value.get() == r#""""#;
        !is_unknown_name && !WITHOUT_PROOF.contains(member)
    });
    members
}

/// Members that are one statement, by the starts of their names: if one of them changes, all are stated anew.
const STATED_TOGETHER: [&[&str]; 4] =
    [&["address"], &["status"], &["legalForm"], &["shareCapital", "currency"]];

/// The value of a member, and of those that are stated together with it.
fn with_its_group(member: &str, stated: &BTreeMap<&str, &RawValue>) -> String {
    let is_of = |it: &str, group: &[&str]| group.iter().any(|start| it.starts_with(start));
    match STATED_TOGETHER.iter().find(|group| is_of(member, group)) {
        None => stated[member].get().to_owned(),
        Some(group) => {
            let values = stated.iter().filter(|(it, _)| is_of(it, group));
            values.map(|(member, value)| format!("{member}: {value}")).collect()
        }
    }
}
