//! How a screening and its hits are shown.

use accounts::screening::{
    DecisionState, Decisions, EarlierDecision, HitDecision, QueryIdentifier, Risk, ScreenedList,
    Screening, ScreeningHit, Trigger, Verdict,
};
use auth::Principal;
use domain::{
    Uid,
    lists::{
        BirthDate, EntryKind, HitMeaning, List, ListPosition, ListRelation, PartialDate, Programme,
    },
};
use jiff::{Timestamp, civil::Date};
use screening::{ALGORITHM, Explanation, Feature};
use screening_lists::sources_checked;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

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

/// A screening in a list.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreeningSummary {
    /// Id of the screening.
    id: Uuid,
    /// Name of the subject, as it was given.
    query_name: String,
    /// Company number of the subject. Absent if none was given.
    query_uid: Option<Uid>,
    /// Time of the screening.
    screened_at: Timestamp,
    /// Who screened. Absent if the service screened by itself after a list was updated.
    screened_by: Option<Principal>,
    /// Number of entries that reach the threshold. Per list, only the 1,000 entries that share the rarest parts of a
    /// name are compared.
    hit_count: usize,
    /// Risk level, with the current decisions of the team.
    risk_level: Risk,
}

impl ScreeningSummary {
    pub fn new(screening: Screening, decisions: &Decisions, now: Timestamp) -> Self {
        let risk_level = screening.risk(decisions, now);
        let Screening { id, screened_at, screened_by, query, total, .. } = screening;
        Self {
            id,
            query_name: query.name,
            query_uid: query.uid,
            screened_at,
            screened_by,
            hit_count: total,
            risk_level,
        }
    }
}

/// The result of a screening, which is also its evidence.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreeningResponse {
    /// Id of the screening.
    id: Uuid,
    /// Name of the subject, as it was given.
    query_name: String,
    /// Company number of the subject. Absent if none was given.
    query_uid: Option<Uid>,
    /// Query, without the name.
    query: ScreenedSubject,
    /// Time of the screening.
    screened_at: Timestamp,
    /// Who screened. Absent if the service screened by itself after a list was updated.
    screened_by: Option<Principal>,
    /// Why the service screened by itself. Absent if somebody requested the screening.
    trigger: Option<Trigger>,
    /// Number of entries that reach the threshold, including those that are only information. Per list, only the 1,000
    /// entries that share the rarest parts of a name are compared. `hits` contains at most as many as the limit.
    hit_count: usize,
    /// Risk level of the highest score of all entries that can be a risk, also of those that `hits` does not contain. Hits that
    /// the team has decided to be false positives do not count; a true match is critical. In the evidence, with the
    /// current decisions.
    risk_level: Risk,
    /// Risk level that was returned at the time of the screening, with the decisions of that time. Absent if the service
    /// started the screening itself after a list update, and for screenings before 2026-11-28, when this field was
    /// introduced.
    answered_risk_level: Option<Risk>,
    /// The entries that may be the subject: those that can be a risk before those that are information, each highest score
    /// first.
    hits: Vec<Hit>,
    /// Names of the sources that were searched completely.
    #[schema(example = json!(["seco", "finma"]))]
    sources_checked: Vec<&'static str>,
    /// The versions of the lists that were searched.
    lists: Vec<ScreenedList>,
    /// Version of the matcher.
    #[schema(example = json!(ALGORITHM))]
    algorithm: String,
    /// Id of the subject that the team monitors since this request. Absent in the evidence, and if `monitor` was not set.
    pub subject_id: Option<Uuid>,
}

/// Query, without the name.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ScreenedSubject {
    /// Other names that were compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_names: Vec<String>,
    /// What the subject is. Absent if it was not stated.
    #[serde(rename = "type")]
    subject_type: Option<accounts::screening::SubjectType>,
    /// Date of birth or foundation. Absent if it was not stated.
    birth_date: Option<PartialDate>,
    /// Country. Absent if it was not stated.
    country: Option<String>,
    /// Numbers of the subject that were compared, such as that of a passport. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    identifiers: Vec<ScreenedIdentifier>,
    /// Lowest score of a hit.
    threshold: f64,
    /// Maximum number of hits.
    limit: usize,
}

/// A number of the subject.
#[derive(Serialize, ToSchema)]
pub struct ScreenedIdentifier {
    /// What the number is.
    scheme: String,
    /// The number.
    value: String,
}

impl From<QueryIdentifier> for ScreenedIdentifier {
    fn from(QueryIdentifier { scheme, value }: QueryIdentifier) -> Self {
        Self { scheme, value }
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
    /// Whether a hit on this list can be a risk, or is only information, such as a licence.
    meaning: HitMeaning,
    /// Name of the listed subject.
    matched_name: String,
    /// The name on the list that is most similar to that of the subject. Absent if it is `matchedName`, or if no name is similar.
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
    /// Why the entry is of interest: topics of FollowTheMoney, such as `sanction` or `role.pep`.
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
    /// Page about the entry or the list.
    source_url: String,
}

/// What a reason is about: `namePart` (words of the names), `nameRarity` (`score` is the highest score of the names
/// alone: the more common the words that agree, the lower it is), `nameDifferences` (`weight` is the part of the score
/// that is lost because words are different, missing, misspelled or abbreviated, in addition to the similarity of each
/// word), `nameOrder`, `fatherName` (after `bin`, `ibn` or `bint`), `number`, `legalForm`, `weakAlias`, `birthDate`,
/// `country`, `identifier` or `kind` (person, organisation or vessel).
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
enum ReasonFeature {
    NamePart,
    NameRarity,
    NameDifferences,
    NameOrder,
    FatherName,
    Number,
    LegalForm,
    WeakAlias,
    BirthDate,
    Country,
    Identifier,
    Kind,
}

/// A reason for a score.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Reason {
    /// The feature that was compared.
    feature: ReasonFeature,
    /// Value of the subject. Absent if it has none.
    query_value: Option<String>,
    /// Value of the listed subject. Absent if it has none.
    list_value: Option<String>,
    /// 0 (contradicts) to 1 (agrees).
    score: f64,
    /// Importance, 0–1.
    weight: f64,
    /// The reason in the language that `Accept-Language` prefers.
    #[schema(example = "“Dovreshenka” is in both names.")]
    text: String,
}

/// A decision of the team about a subject and an entry of a list. It also holds for later screenings of the same subject.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// What was decided.
    verdict: Verdict,
    /// Whether it still holds.
    state: DecisionState,
    /// Why. Absent if no reason was given.
    reason: Option<String>,
    /// Who decided.
    decided_by: Principal,
    /// Time of the decision.
    decided_at: Timestamp,
    /// The screening whose hit was decided.
    screening_id: Uuid,
    /// Time at which it expires. Absent if it does not.
    expires_at: Option<Timestamp>,
    /// The decisions that this one has replaced, newest first, at most 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    earlier: Vec<EarlierDecision>,
}

impl Decision {
    pub fn of(decision: HitDecision, hit: &ScreeningHit, now: Timestamp) -> Self {
        let state = decision.state(&hit.state(), now);
        let HitDecision {
            verdict,
            reason,
            decided_by,
            decided_at,
            screening_id,
            expires_at,
            earlier,
            ..
        } = decision;
        Self { verdict, state, reason, decided_by, decided_at, screening_id, expires_at, earlier }
    }
}

impl ScreeningResponse {
    pub fn new(
        screening: Screening,
        limit: usize,
        decisions: &Decisions,
        language: Language,
        now: Timestamp,
    ) -> Self {
        let risk_level = screening.risk(decisions, now);
        let sources_checked = sources_checked(&screening);
        let hits = Hit::first_of(&screening, limit, decisions, language, now);
        let Screening {
            id,
            screened_at,
            screened_by,
            trigger,
            query,
            algorithm,
            lists,
            total,
            answered_risk,
            ..
        } = screening;
        Self {
            id,
            query_name: query.name,
            query_uid: query.uid,
            query: ScreenedSubject {
                other_names: query.other_names,
                subject_type: query.subject_type,
                birth_date: query.birth_date,
                country: query.country,
                identifiers: query.identifiers.into_iter().map(ScreenedIdentifier::from).collect(),
                threshold: query.threshold,
                limit: query.limit,
            },
            screened_at,
            screened_by,
            trigger,
            hit_count: total,
            risk_level,
            answered_risk_level: answered_risk,
            hits,
            sources_checked,
            lists,
            algorithm,
            subject_id: None,
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
                decision.map(|decision| Decision::of(decision, it, now)),
                language,
            )
        };
        screening.hits.iter().take(limit).map(hit).collect()
    }

    fn new(hit: ScreeningHit, decision: Option<Decision>, language: Language) -> Self {
        let id = hit.id();
        let own = || vec![hit.list.name().to_owned()];
        Self {
            id,
            source: hit.list.source().name(),
            list: hit.list,
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
                source_url: hit.source_url,
            },
            decision,
        }
    }
}

fn reason(it: Explanation, language: Language) -> Reason {
    Reason {
        feature: match it.feature {
            Feature::NamePart => ReasonFeature::NamePart,
            Feature::NameRarity => ReasonFeature::NameRarity,
            Feature::NameDifferences => ReasonFeature::NameDifferences,
            Feature::NameOrder => ReasonFeature::NameOrder,
            Feature::FatherName => ReasonFeature::FatherName,
            Feature::Number => ReasonFeature::Number,
            Feature::LegalForm => ReasonFeature::LegalForm,
            Feature::WeakAlias => ReasonFeature::WeakAlias,
            Feature::BirthDate => ReasonFeature::BirthDate,
            Feature::Country => ReasonFeature::Country,
            Feature::Identifier => ReasonFeature::Identifier,
            Feature::Kind => ReasonFeature::Kind,
        },
        text: language.of(&it.text),
        query_value: it.query_value,
        list_value: it.list_value,
        score: it.score,
        weight: it.weight,
    }
}
