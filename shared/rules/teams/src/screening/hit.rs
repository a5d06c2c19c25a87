//! A hit: an entry that may be the subject, as it was when the subject was screened.

use std::cmp::Reverse;

use domain::lists::{BirthDate, EntryKind, List, ListEntry, ListPosition, ListRelation, Programme};
use jiff::civil::Date;
use matching::{Comparison, Explained, Explanation, RiskLevel};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// Maximum number of names of an entry that the evidence contains.
const MAX_NAMES: usize = 20;
/// Maximum number of programmes of an entry that the evidence contains.
const MAX_PROGRAMMES: usize = 5;
/// Maximum length of a text of a list in the evidence, in characters.
const MAX_TEXT: usize = 300;
/// Maximum number of reasons of an entry that the evidence contains, of at most [`MAX_REASON`] characters each.
const MAX_REASONS: usize = 3;
/// Maximum length of a reason in characters.
const MAX_REASON: usize = 1_000;
/// Maximum number of offices of an entry that the evidence contains, and of relations.
pub const MAX_LINKS: usize = 10;

/// An entry that may be the subject, as it was when the subject was screened.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScreeningHit {
    pub list: List,
    pub entry_id: String,
    /// The name of the list that is shown.
    pub name: String,
    /// The name of the entry that is most similar to the subject's, if it is another one.
    pub listed_name: Option<String>,
    pub kind: EntryKind,
    pub score: f64,
    pub name_score: f64,
    pub risk_level: RiskLevel,
    pub explanations: Vec<Explanation>,
    /// Other names, at most 20.
    pub other_names: Vec<String>,
    pub birth_dates: Vec<BirthDate>,
    pub nationalities: Vec<String>,
    pub programmes: Vec<Programme>,
    pub topics: Vec<String>,
    /// Why the entry is listed, in the words of the list.
    #[serde(default)]
    pub reasons: Vec<String>,
    /// Offices, those without a last day first.
    #[serde(default)]
    pub positions: Vec<ListPosition>,
    #[serde(default)]
    pub relations: Vec<ListRelation>,
    pub datasets: Vec<String>,
    /// Members of the list's record that could not be read.
    pub unreadable: Vec<String>,
    pub listed: Option<Date>,
    pub changed: Option<Date>,
    pub source_url: String,
    /// Hash of what a screening depends on. Another one: the entry has changed materially.
    pub material: String,
}

impl ScreeningHit {
    /// The hit about an entry.
    pub fn new(entry: &ListEntry, found: Explained) -> Self {
        let Explained { comparison, reasons: explanations, listed_name } = found;
        let Comparison { score, name_score, risk } = comparison;
        let shortened = |it: &str| first_characters(it, MAX_TEXT);
        let name = entry.name().or_else(|| entry.identifiers.first().map(|it| it.value.as_str()));
        let name = shortened(name.unwrap_or(&entry.id));
        let listed_name = listed_name.and_then(|it| entry.names.iter().nth(it));
        let listed_name = listed_name.map(|it| shortened(&it.text)).filter(|it| *it != name);
        let others = entry.names.iter().skip(1).take(MAX_NAMES).map(|it| shortened(&it.text));
        let reasons = entry.reasons.iter().take(MAX_REASONS);
        Self {
            list: entry.list,
            entry_id: entry.id.clone(),
            name,
            listed_name,
            kind: entry.kind,
            score,
            name_score,
            risk_level: risk,
            explanations,
            other_names: others.collect(),
            birth_dates: entry.birth_dates.iter().take(MAX_NAMES).cloned().collect(),
            nationalities: entry.nationalities.iter().take(MAX_NAMES).cloned().collect(),
            programmes: entry.programmes.iter().take(MAX_PROGRAMMES).cloned().collect(),
            topics: entry.topics.iter().take(MAX_NAMES).cloned().collect(),
            reasons: reasons.map(|it| first_characters(it, MAX_REASON)).collect(),
            positions: latest_positions(entry),
            relations: entry.relations.iter().take(MAX_LINKS).map(shortened_relation).collect(),
            datasets: entry.datasets.iter().take(MAX_NAMES).cloned().collect(),
            unreadable: entry.unreadable.iter().take(MAX_NAMES).cloned().collect(),
            listed: entry.listed,
            changed: entry.changed,
            source_url: entry.source_url.clone().unwrap_or_else(|| entry.list.url().to_owned()),
            material: entry.digest().material,
        }
    }

    /// What its risk depends on.
    pub fn state(&self) -> HitState<'_> {
        let Self { list, material, risk_level, .. } = self;
        HitState { id: self.id(), list: *list, material, risk_level: *risk_level }
    }

    /// The id of the hit within its screening, and of the entry among all lists.
    pub fn id(&self) -> String {
        format!("{}:{}", self.list, self.entry_id)
    }
}

/// The first `count` characters of a text.
fn first_characters(text: &str, count: usize) -> String {
    text.chars().take(count).collect()
}

/// The offices that the evidence contains: those without a last day, then those that ended last.
fn latest_positions(entry: &ListEntry) -> Vec<ListPosition> {
    let mut positions: Vec<&ListPosition> = entry.positions.iter().collect();
    positions.sort_by_key(|it| (it.to.is_some(), Reverse(it.to)));
    let shortened = |it: &ListPosition| ListPosition {
        title: first_characters(&it.title, MAX_TEXT),
        ..it.clone()
    };
    positions.into_iter().take(MAX_LINKS).map(shortened).collect()
}

fn shortened_relation(relation: &ListRelation) -> ListRelation {
    let shortened = |it: &Option<String>| it.as_ref().map(|it| first_characters(it, MAX_TEXT));
    ListRelation {
        name: shortened(&relation.name),
        role: shortened(&relation.role),
        own_role: shortened(&relation.own_role),
        ..relation.clone()
    }
}

/// What the risk of a hit depends on.
#[derive(Clone, Debug)]
pub struct HitState<'a> {
    /// As [`ScreeningHit::id`].
    pub id: String,
    pub list: List,
    pub material: &'a str,
    pub risk_level: RiskLevel,
}
