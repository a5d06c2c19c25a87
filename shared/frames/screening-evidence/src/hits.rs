//! How the hits of a screening are shown.

mod decision;
mod reason;

use domain::lists::{
    BirthDate, EntryKind, HitMeaning, List, ListPosition, ListRelation, Programme,
};
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use teams::screening::{Decisions, Risk, Screening, ScreeningHit};
use utoipa::ToSchema;

pub use self::decision::Decision;
use self::reason::{Reason, reason};
use crate::language::Language;

/// Type of a listed subject: `person` (natural person), `entity` (company or another organisation), `vessel`,
/// `aircraft` or `other` (something else, or unknown).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EntityType {
    /// A natural person.
    Person,
    /// A company or another organisation.
    Entity,
    /// A ship.
    Vessel,
    /// An aircraft.
    Aircraft,
    /// Something else, or unknown.
    Other,
}

impl From<EntryKind> for EntityType {
    fn from(kind: EntryKind) -> Self {
        match kind {
            EntryKind::Person => Self::Person,
            EntryKind::Organisation => Self::Entity,
            EntryKind::Vessel => Self::Vessel,
            EntryKind::Aircraft => Self::Aircraft,
            EntryKind::Other => Self::Other,
        }
    }
}

impl From<EntityType> for EntryKind {
    fn from(kind: EntityType) -> Self {
        match kind {
            EntityType::Person => Self::Person,
            EntityType::Entity => Self::Organisation,
            EntityType::Vessel => Self::Vessel,
            EntityType::Aircraft => Self::Aircraft,
            EntityType::Other => Self::Other,
        }
    }
}

/// An entry of a list that may be the subject.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// Id of the hit in its screening, and of the entry among all lists.
    #[schema(example = "seco:95001")]
    id: String,
    /// Name of the source.
    #[schema(example = "seco")]
    source: &'static str,
    /// The list within the source.
    list: List,
    /// Whether the list is an invented one, for trying out. Absent for the list of the publisher.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    demo: bool,
    /// Whether a hit on this list can be a risk, or is only information, such as a licence.
    meaning: HitMeaning,
    /// Main name of the entry, even if another of its names matched.
    matched_name: String,
    /// The name of the entry that is most similar to the subject's. Absent if it is the main name (`matchedName`), or
    /// if no name is similar.
    listed_name: Option<String>,
    /// What the listed subject is.
    entity_type: EntityType,
    /// Strength of the evidence that the subject is the listed one, 0–1. Not a probability. 1 only if a date or a number
    /// agrees.
    score: f64,
    /// Score of the names alone, 0–0.97.
    name_score: f64,
    /// Risk level of the score.
    risk_level: Risk,
    /// Datasets of the list in which the entry is; the list itself if it has none.
    datasets: Vec<String>,
    /// The reasons for the score.
    explanations: Vec<Reason>,
    /// What the list states about its subject.
    details: HitDetails,
    /// The team's decision about the subject and this entry. Absent if there is none.
    decision: Option<Decision>,
}

/// What a list states about its subject. Long lists and texts are shortened.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct HitDetails {
    /// Identifier of the entry in its list.
    entry_id: String,
    /// Other names.
    aliases: Vec<String>,
    /// Dates of birth or foundation.
    birth_dates: Vec<BirthDate>,
    /// Nationalities.
    nationalities: Vec<String>,
    /// Programmes of sanctions, or kinds of licences.
    programmes: Vec<Programme>,
    /// Why the entry is of interest: topics as in the data model of OpenSanctions (FollowTheMoney), such as `sanction`
    /// or `role.pep`.
    topics: Vec<String>,
    /// Why the entry is listed, in the words of the list. Empty if the list states no reason.
    reasons: Vec<String>,
    /// Public offices that the person has or had, those without a last day first. Empty if the list states none.
    positions: Vec<ListPosition>,
    /// Relations to other entries of the list, such as those of a relative to a politically exposed person. Empty if the list
    /// states none.
    relations: Vec<ListRelation>,
    /// Day since which the entry is listed. Absent if the list does not state it.
    listed_since: Option<Date>,
    /// Day of the last change that the list states. Absent if it states none.
    changed_on: Option<Date>,
    /// Members of the list's record that could not be read, under the names that they have in the list: what they state, such as
    /// another birth date, is missing here and was not compared. Absent if the whole record was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unreadable: Vec<String>,
    /// Page about the entry or the list.
    source_url: String,
}

impl Hit {
    /// The first hits of a screening, with the team's decisions about them.
    pub fn first_of(
        screening: &Screening,
        limit: usize,
        decisions: &Decisions,
        language: Language,
        now: Timestamp,
    ) -> Vec<Self> {
        let hit = |it: &ScreeningHit| {
            let decision = decisions.get(&screening.pair(it)).cloned();
            Self::new(
                it.clone(),
                screening.lists.iter().any(|list| list.list == it.list && list.demo),
                decision.map(|decision| Decision::of(decision, it, now)),
                language,
            )
        };
        screening.hits.iter().take(limit).map(hit).collect()
    }

    fn new(hit: ScreeningHit, demo: bool, decision: Option<Decision>, language: Language) -> Self {
        let id = hit.id();
        let own = || vec![hit.list.name().to_owned()];
        Self {
            id,
            source: hit.list.source().name(),
            list: hit.list,
            demo,
            meaning: hit.list.meaning(),
            entity_type: hit.kind.into(),
            score: hit.score,
            name_score: hit.name_score,
            risk_level: hit.risk_level.into(),
            datasets: if hit.datasets.is_empty() { own() } else { hit.datasets },
            explanations: hit.explanations.into_iter().map(|it| reason(it, language)).collect(),
            matched_name: hit.name,
            listed_name: hit.listed_name,
            details: HitDetails {
                entry_id: hit.entry_id,
                aliases: hit.other_names,
                birth_dates: hit.birth_dates,
                nationalities: hit.nationalities,
                programmes: hit.programmes,
                topics: hit.topics,
                reasons: hit.reasons,
                positions: hit.positions,
                relations: hit.relations,
                listed_since: hit.listed,
                changed_on: hit.changed,
                unreadable: hit.unreadable,
                source_url: hit.source_url,
            },
            decision,
        }
    }
}

/// Size of the hits in one answer, in bytes of JSON: Lambda returns at most 6 MB.
const MAX_BYTES: usize = 4_000_000;

/// The hits of the results of one answer, which are limited together.
#[derive(Debug)]
pub struct LimitedHits {
    left: usize,
}

impl Default for LimitedHits {
    fn default() -> Self {
        Self { left: MAX_BYTES }
    }
}

impl LimitedHits {
    /// Of the hits of the next result, those that fit.
    pub fn of(&mut self, hits: Vec<Hit>) -> Vec<Hit> {
        let fits = |it: &Hit| {
            let size = serde_json::to_vec(it).map_or(usize::MAX, |it| it.len());
            let left = self.left.checked_sub(size);
            self.left = left.unwrap_or(0);
            left.is_some()
        };
        hits.into_iter().take_while(fits).collect()
    }
}
