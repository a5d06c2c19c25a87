//! The stored evidence of screenings, and a team's decisions about hits.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use ::screening::{
    Comparison, Explained, Explanation, Identifier, Kind, Name, RiskLevel, Subject, THRESHOLD,
};
use auth::Principal;
use domain::{
    Company, Lei, Uid,
    lists::{
        BirthDate, EntryKind, HitMeaning, List, ListEntry, ListPosition, ListRelation, PartialDate,
        Programme,
    },
    names::{OfficerName, ParentName, RegisteredNames},
};
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use uuid::Uuid;

/// Number of hits of an answer by default.
pub const DEFAULT_HITS: usize = 10;
/// Maximum number of hits of an answer, and of the evidence, so that it fits in one item of the table.
pub const MAX_HITS: usize = 25;
/// Maximum number of names of an entry that the evidence contains.
const MAX_NAMES: usize = 20;
/// Maximum number of programmes of an entry that the evidence contains.
const MAX_PROGRAMMES: usize = 5;
/// Maximum length of the name of a subject in characters. More is not compared.
const MAX_NAME: usize = 250;
/// Maximum length of a text of a list in the evidence, in characters.
const MAX_TEXT: usize = 300;
/// Maximum number of reasons of an entry that the evidence contains, of at most [`MAX_REASON`] characters each.
const MAX_REASONS: usize = 3;
/// Maximum length of a reason in characters.
const MAX_REASON: usize = 1_000;
/// Maximum number of offices of an entry that the evidence contains, and of relations.
pub const MAX_LINKS: usize = 10;

/// Maximum number of earlier decisions about a hit that are kept.
const MAX_EARLIER: usize = 20;

/// What a screened subject is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubjectType {
    /// A natural person.
    Person,
    /// A company or another organisation.
    Company,
    /// A ship.
    Vessel,
}

/// The name of a subject: 1–250 characters, with a letter or a digit, and without control characters. Line breaks, tabs and
/// repeated blanks, as in copied text, become one blank.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct SubjectName(pub String);

/// The text cannot be the name of a subject.
#[derive(Debug, thiserror::Error)]
pub enum InvalidName {
    #[error("must have 1 to {MAX_NAME} characters; got {0}")]
    Length(usize),
    #[error("must not contain control characters")]
    Control,
    #[error("must contain a letter or a digit; got `{0}`")]
    NothingToCompare(String),
}

impl TryFrom<String> for SubjectName {
    type Error = InvalidName;

    fn try_from(text: String) -> Result<Self, InvalidName> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match text.chars().count() {
            1..=MAX_NAME => {}
            length => return Err(InvalidName::Length(length)),
        }
        if text.chars().any(char::is_control) {
            return Err(InvalidName::Control);
        }
        if !text.chars().any(char::is_alphanumeric) {
            return Err(InvalidName::NothingToCompare(text));
        }
        Ok(Self(text))
    }
}

/// A number that an authority gave to a screened subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryIdentifier {
    pub scheme: String,
    pub value: String,
}

/// What was asked: the subject, and how it is compared.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScreeningQuery {
    pub name: String,
    /// Other names of the subject, such as translations of a company's name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_names: Vec<String>,
    pub uid: Option<Uid>,
    /// Id of the person, if the subject is an officer of a company: several have one name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<Uuid>,
    /// `None`: names are read both as names of persons and of organisations.
    #[serde(rename = "type")]
    pub subject_type: Option<SubjectType>,
    pub birth_date: Option<PartialDate>,
    /// ISO 3166-1 alpha-2 code.
    pub country: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub identifiers: Vec<QueryIdentifier>,
    /// The lowest score of a hit, 0–1.
    pub threshold: f64,
    /// Maximum number of hits in an answer. The evidence contains up to [`MAX_HITS`].
    pub limit: usize,
    /// The lists that were asked for.
    pub lists: Vec<List>,
}

impl ScreeningQuery {
    /// A query about a subject of which only the name is known, with the default threshold.
    pub fn of(name: String, lists: Vec<List>) -> Self {
        Self {
            name,
            other_names: Vec::new(),
            uid: None,
            person: None,
            subject_type: None,
            birth_date: None,
            country: None,
            identifiers: Vec::new(),
            threshold: THRESHOLD,
            limit: DEFAULT_HITS,
            lists,
        }
    }

    /// A query about a company of the register: its present and former names, its names in other languages, and its numbers.
    /// Not its country: a seat in Switzerland does not contradict another country on a list.
    pub fn of_company(company: &Company, lists: Vec<List>) -> Self {
        Self::of_names(&RegisteredNames::of(company), lists)
    }

    /// As [`ScreeningQuery::of_company`]. Without the officers.
    pub fn of_names(names: &RegisteredNames, lists: Vec<List>) -> Self {
        let mut query = Self {
            other_names: names.other_names.clone(),
            uid: Some(names.uid),
            subject_type: Some(SubjectType::Company),
            ..Self::of(names.name.clone(), lists)
        };
        if let Some(lei) = names.lei {
            query.add_lei(lei);
        }
        query
    }

    /// A query about an officer: name and kind, and the number of a registered firm. Not the nationality: with a place of origin
    /// in Switzerland, a person may have another one that a list states.
    pub fn of_officer(officer: &OfficerName, lists: Vec<List>) -> Self {
        let kind = if officer.is_entity { SubjectType::Company } else { SubjectType::Person };
        let (uid, person) = (officer.uid, Some(officer.id));
        Self { uid, person, subject_type: Some(kind), ..Self::of(officer.name.clone(), lists) }
    }

    /// A query about a parent abroad: name and identifier.
    pub fn of_parent(parent: &ParentName, lists: Vec<List>) -> Self {
        let kind = Some(SubjectType::Company);
        let mut query = Self { subject_type: kind, ..Self::of(parent.name.clone(), lists) };
        query.add_lei(parent.lei);
        query
    }

    /// Adds a legal entity identifier of the subject.
    pub fn add_lei(&mut self, lei: Lei) {
        let (scheme, value) = ("lei".to_owned(), lei.to_string());
        self.identifiers.push(QueryIdentifier { scheme, value });
    }

    /// The subject together with the entry of a hit, as the key of a decision: a hash, because it may contain any character.
    pub fn pair(&self, hit_id: &str) -> String {
        hex::encode(Sha256::digest(format!("{hit_id}\n{}", self.decided())))
    }

    /// Whom a decision concerns: a company whatever its names and other numbers are now, an officer, or else the subject as it
    /// was stated.
    fn decided(&self) -> String {
        match (self.uid, self.person, self.subject_type) {
            (Some(uid), _, None | Some(SubjectType::Company)) => uid.to_string(),
            (_, Some(person), _) => person.to_string(),
            _ => self.identity(),
        }
    }

    /// The risk level of the subject: that of the highest score, without hits that are only information and those that the team
    /// has decided to be false positives. A hit that the team has decided to be a true match is critical. `others` is the highest
    /// risk level of what is not among the hits.
    pub fn risk<'a>(
        &self,
        hits: impl IntoIterator<Item = HitState<'a>>,
        others: RiskLevel,
        decisions: &Decisions,
        now: Timestamp,
    ) -> Risk {
        let level = |hit: HitState<'_>| {
            let decision = decisions.get(&self.pair(&hit.id));
            let decision = decision.filter(|it| it.state(&hit, now) == DecisionState::InForce);
            match decision.map(|it| it.verdict) {
                Some(Verdict::FalsePositive) => RiskLevel::Clear,
                Some(Verdict::TrueMatch) => RiskLevel::Critical,
                Some(Verdict::Unsure) | None => hit.risk_level,
            }
        };
        let risks = hits.into_iter().filter(|it| it.list.meaning() == HitMeaning::Risk);
        let highest = risks.map(level).max().unwrap_or(RiskLevel::Clear).max(others);
        match (highest, self.name.is_empty()) {
            (RiskLevel::Clear, true) => Risk::Unknown,
            (highest, _) => highest.into(),
        }
    }

    /// What is compared with the lists.
    pub fn subject(&self) -> Subject {
        let kind = match self.subject_type {
            Some(SubjectType::Person) => Kind::Person,
            Some(SubjectType::Company) => Kind::Organisation,
            Some(SubjectType::Vessel) => Kind::Vessel,
            None if self.uid.is_some() => Kind::Organisation,
            None => Kind::Other,
        };
        let number = |it: Option<i8>| it.and_then(|it| u8::try_from(it).ok());
        let date = |it: PartialDate| ::screening::PartialDate {
            year: it.year(),
            month: number(it.month()),
            day: number(it.day()),
        };
        let mut identifiers: Vec<Identifier> = self
            .identifiers
            .iter()
            .map(|it| Identifier { scheme: it.scheme.clone(), value: it.value.clone() })
            .collect();
        identifiers.extend(
            self.uid.map(|it| Identifier { scheme: "uid".to_owned(), value: it.to_string() }),
        );
        let names = std::iter::once(&self.name).chain(&self.other_names);
        Subject {
            kind,
            names: names.filter(|it| !it.is_empty()).map(Name::new).collect(),
            birth_dates: self.birth_date.map(date).into_iter().collect(),
            countries: self.country.iter().cloned().collect(),
            identifiers,
        }
    }

    /// A hash of the subject: the same for questions about the same subject.
    pub fn identity_hash(&self) -> String {
        hex::encode(Sha256::digest(self.identity()))
    }

    /// The same for questions about the same subject, as it was stated. Upper and lower case and blanks of names do not matter,
    /// nor do the case and the separators of numbers.
    fn identity(&self) -> String {
        let folded = |it: &String| {
            it.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
        };
        let mut others: Vec<String> = self.other_names.iter().map(folded).collect();
        others.sort_unstable();
        let number = |it: &QueryIdentifier| {
            let QueryIdentifier { scheme, value } = it.clone();
            let Identifier { scheme, value } = Identifier { scheme, value }.normalised();
            format!("{scheme} {value}")
        };
        let mut numbers: Vec<String> = self.identifiers.iter().map(number).collect();
        numbers.sort_unstable();
        let stated = (folded(&self.name), others, self.uid, self.subject_type);
        let supporting = (self.birth_date, &self.country, numbers);
        #[expect(clippy::expect_used, reason = "texts always serialise")]
        serde_json::to_string(&(stated, supporting)).expect("plain data")
    }
}

/// The version of a list that was searched.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenedList {
    /// The list.
    pub list: List,
    /// Id of the version.
    #[schema(example = "0199c0de-0000-7000-8000-000000000000")]
    pub version: String,
    /// Day of the list, as its file states it. Absent if it states none.
    pub date: Option<Date>,
    /// SHA-256 of the file of the publisher, in hexadecimal.
    pub sha256: String,
    /// SHA-256 of the entries that were searched, in hexadecimal.
    pub entries_sha256: String,
    /// Number of entries in force.
    pub entries: u64,
    /// Time when the service published this version.
    pub published_at: Timestamp,
}

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

/// Why the service screened by itself: what a list that was updated was compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TriggerReason {
    /// The team monitors the subject.
    MonitoredSubject,
    /// The team watches the company.
    WatchedCompany,
    /// The subject is an officer of a company that the team watches.
    OfficerOfWatchedCompany,
    /// The subject is a legal entity abroad that consolidates a company that the team watches.
    ParentOfWatchedCompany,
}

/// Why the service screened by itself after a list was updated.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trigger {
    /// What the updated list was compared with.
    pub reason: TriggerReason,
    /// Id of the monitored subject. Absent for watched companies, their officers and parents.
    pub subject_id: Option<Uuid>,
    /// Number of the watched company; for an officer or a parent, of one of the watched companies. Absent for monitored subjects.
    #[schema(value_type = Option<String>, example = "CHE-812.460.660")]
    pub company_uid: Option<Uid>,
    /// Id of the officer. Absent for other subjects.
    pub person_id: Option<Uuid>,
    /// Ids of the hits that the earlier screenings did not find, or whose entries have changed. Only ids of entries in
    /// `hits` are listed.
    #[schema(example = json!(["seco:95001"]))]
    pub new_hits: Vec<String>,
}

/// The evidence of a screening. Never changes.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Screening {
    pub id: Uuid,
    pub screened_at: Timestamp,
    /// `None`: the service screened by itself.
    pub screened_by: Option<Principal>,
    /// Why the service screened by itself.
    pub trigger: Option<Trigger>,
    pub query: ScreeningQuery,
    /// Version of the matcher: [`ALGORITHM`](::screening::ALGORITHM).
    pub algorithm: String,
    /// The lists that were searched.
    pub lists: Vec<ScreenedList>,
    /// Number of entries that reach the threshold, with those that are not in `hits`.
    pub total: usize,
    /// At most [`MAX_HITS`]: those that can be a risk before those that are information, each highest score first.
    pub hits: Vec<ScreeningHit>,
    /// For each list, the highest risk level of what is not in `hits`. No decision can be about it.
    pub risk_of_others: BTreeMap<List, RiskLevel>,
    /// The risk level that was answered, with the decisions of the team at that time. `None`: screened before it was stored.
    pub answered_risk: Option<Risk>,
}

/// How strongly a hit indicates that the subject is the listed one: `clear` (no hit), `low` (score from 0.7: similar
/// names), `medium` (from 0.8: names with small differences, or equal but common ones), `high` (from 0.9: equal rare
/// names), `critical` (from 0.975: a date, country or number agrees with similar or equal names; or the team has
/// decided that a hit is a true match) or `unknown` (no hit, and the company is not in the register, so only its number
/// was compared).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// No hit.
    Clear,
    /// Similar names.
    Low,
    /// Names with small differences, or equal but common ones.
    Medium,
    /// Equal rare names.
    High,
    /// A date, country or number agrees with similar or equal names, or the team has decided that it is a true match.
    Critical,
    /// No hit, but only the number of the subject was compared, because its name is not known.
    Unknown,
}

impl From<RiskLevel> for Risk {
    fn from(level: RiskLevel) -> Self {
        match level {
            RiskLevel::Clear => Self::Clear,
            RiskLevel::Low => Self::Low,
            RiskLevel::Medium => Self::Medium,
            RiskLevel::High => Self::High,
            RiskLevel::Critical => Self::Critical,
        }
    }
}

/// The decisions of a team about the hits of screenings, by pair of subject and entry.
pub type Decisions = HashMap<String, HitDecision>;

/// Decision of a team about a hit: `true_match` (the subject is the listed one), `false_positive` (the subject is
/// somebody else; such hits do not count for the risk level) or `unsure` (it is not clear whether the subject is the
/// listed one).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The subject is the listed one.
    TrueMatch,
    /// The subject is somebody else. Such hits do not count for the risk level.
    FalsePositive,
    /// It is not clear whether the subject is the listed one.
    Unsure,
}

/// The decision of a team about a hit. It also holds for later screenings of the same subject.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HitDecision {
    /// [`Screening::pair`]: the subject and the entry.
    pub pair: String,
    pub verdict: Verdict,
    pub reason: Option<String>,
    pub decided_by: Principal,
    pub decided_at: Timestamp,
    /// The screening whose hit was decided.
    pub screening_id: Uuid,
    pub expires_at: Option<Timestamp>,
    /// [`ScreeningHit::material`] when it was decided.
    pub material: String,
    /// Risk level of the hit when it was decided. `None`: decided before it was stored.
    pub risk_level: Option<RiskLevel>,
    /// The decisions that this one has replaced, newest first, at most [`MAX_EARLIER`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierDecision>,
}

/// A decision that another one has replaced.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EarlierDecision {
    /// What was decided.
    pub verdict: Verdict,
    /// Why. Absent if no reason was given.
    pub reason: Option<String>,
    /// Who decided.
    pub decided_by: Principal,
    /// Time of the decision.
    pub decided_at: Timestamp,
    /// The screening whose hit was decided.
    pub screening_id: Uuid,
    /// Time at which it expired, or would have. Absent if there was none.
    pub expires_at: Option<Timestamp>,
}

/// Whether a decision holds for a hit: `in_force` (it holds), `expired` (it has expired), `entry_changed` (the entry
/// has changed in something on which a screening depends) or `risk_risen` (the risk level of the hit has risen, and the
/// decision is not `true_match`). A decision that is not `in_force` has to be made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecisionState {
    /// It holds.
    InForce,
    /// It has expired, and has to be made again.
    Expired,
    /// The entry has changed in something on which a screening depends, so the decision has to be made again.
    EntryChanged,
    /// The risk level of the hit has risen, for example because the company has another name, so that a decision that is not
    /// `true_match` has to be made again.
    RiskRisen,
}

impl HitDecision {
    /// The decision after the one that it replaces. A request that is repeated changes nothing.
    #[must_use]
    pub fn replacing(self, old: Self) -> Self {
        let decided = |it: &Self| {
            let (reason, by) = (it.reason.clone(), it.decided_by.clone());
            let state = (it.material.clone(), it.risk_level);
            (it.verdict, reason, by, it.screening_id, it.expires_at, state)
        };
        if decided(&self) == decided(&old) {
            return old;
        }
        // Of the same decision about older evidence, the higher level was decided about.
        let is_same = self.verdict == old.verdict && self.material == old.material;
        let risk_level =
            if is_same { self.risk_level.max(old.risk_level) } else { self.risk_level };
        let HitDecision {
            verdict,
            reason,
            decided_by,
            decided_at,
            screening_id,
            expires_at,
            earlier,
            ..
        } = old;
        let replaced =
            EarlierDecision { verdict, reason, decided_by, decided_at, screening_id, expires_at };
        let earlier = std::iter::once(replaced).chain(earlier).take(MAX_EARLIER).collect();
        Self { earlier, risk_level, ..self }
    }

    /// Whether the decision holds now for a hit in this state.
    pub fn state(&self, hit: &HitState<'_>, now: Timestamp) -> DecisionState {
        let has_risen = self.risk_level.is_some_and(|it| it < hit.risk_level);
        if self.material != hit.material {
            DecisionState::EntryChanged
        } else if self.expires_at.is_some_and(|it| it <= now) {
            DecisionState::Expired
        } else if has_risen && self.verdict != Verdict::TrueMatch {
            DecisionState::RiskRisen
        } else {
            DecisionState::InForce
        }
    }
}

impl Screening {
    /// The hit with this id.
    pub fn hit(&self, id: &str) -> Option<&ScreeningHit> {
        self.hits.iter().find(|it| it.id() == id)
    }

    /// The risk level, as [`ScreeningQuery::risk`].
    pub fn risk(&self, decisions: &Decisions, now: Timestamp) -> Risk {
        let hits = self.hits.iter().map(ScreeningHit::state);
        let others = self.risk_of_others.values().max().copied();
        self.query.risk(hits, others.unwrap_or(RiskLevel::Clear), decisions, now)
    }

    /// Keeps the risk level that is answered, which later decisions may change.
    pub fn set_answered_risk(&mut self, decisions: &Decisions, now: Timestamp) {
        self.answered_risk = Some(self.risk(decisions, now));
    }

    /// The subject together with an entry, as the key of a decision.
    pub fn pair(&self, hit: &ScreeningHit) -> String {
        self.query.pair(&hit.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_copied_text_are_one_line() {
        let name = |it: &str| SubjectName::try_from(it.to_owned()).map(|it| it.0).ok();
        assert_eq!(name("  Anna\r\n\tMuster\u{a0}Meier "), Some("Anna Muster Meier".to_owned()));
        for wrong in ["", "\n", "?!", "Anna\u{0}Muster", &"a".repeat(MAX_NAME + 1)] {
            assert_eq!(name(wrong), None, "{wrong:?}");
        }
    }

    fn query(name: &str) -> ScreeningQuery {
        ScreeningQuery::of(name.to_owned(), vec![List::Seco])
    }

    fn screening(query: ScreeningQuery) -> Screening {
        let entry = ListEntry::new(List::Seco, "1", EntryKind::Person);
        let comparison = Comparison { score: 0.9, name_score: 0.9, risk: RiskLevel::High };
        let found = Explained { comparison, reasons: Vec::new(), listed_name: None };
        Screening {
            id: Uuid::nil(),
            screened_at: Timestamp::UNIX_EPOCH,
            screened_by: Some(Principal::api_key("a")),
            trigger: None,
            query,
            algorithm: ::screening::ALGORITHM.to_owned(),
            lists: Vec::new(),
            total: 1,
            hits: vec![ScreeningHit::new(&entry, found)],
            risk_of_others: BTreeMap::new(),
            answered_risk: None,
        }
    }

    fn pair(query: ScreeningQuery) -> String {
        let screening = screening(query);
        screening.pair(&screening.hits[0])
    }

    #[test]
    fn decision_holds_for_a_company_by_number_and_for_an_officer_by_person() {
        let company = |name: &str, number: u32| ScreeningQuery {
            uid: Uid::from_number(number),
            subject_type: Some(SubjectType::Company),
            ..query(name)
        };
        assert_eq!(pair(company("Muster AG", 7)), pair(company("Beispiel AG", 7)));
        assert_ne!(pair(company("Muster AG", 7)), pair(company("Muster AG", 8)));
        let officer = |id: u128| OfficerName {
            id: Uuid::from_u128(id),
            name: "Peter Müller".to_owned(),
            is_entity: false,
            uid: None,
        };
        let officer = |id| pair(ScreeningQuery::of_officer(&officer(id), vec![List::Seco]));
        assert_eq!(officer(1), officer(1));
        assert_ne!(officer(1), officer(2), "two persons have one name");
    }

    #[test]
    fn decision_holds_for_the_same_subject_only() {
        let one = pair(query("Anna  Muster"));
        assert_eq!(pair(query("anna muster")), one);
        let stricter = ScreeningQuery { threshold: 0.9, limit: 5, ..query("Anna Muster") };
        assert_eq!(pair(stricter), one);
        let born = ScreeningQuery { birth_date: "1980".parse().ok(), ..query("Anna Muster") };
        let person =
            ScreeningQuery { subject_type: Some(SubjectType::Person), ..query("Anna Muster") };
        let swiss = ScreeningQuery { country: Some("CH".into()), ..query("Anna Muster") };
        let passport = QueryIdentifier { scheme: "passport".to_owned(), value: "X1".to_owned() };
        let numbered = ScreeningQuery { identifiers: vec![passport], ..query("Anna Muster") };
        for other in [query("Anna Mustern"), born, person, swiss, numbered] {
            assert_ne!(pair(other), one);
        }
    }

    #[test]
    fn decision_ends_with_its_expiry_and_with_a_material_change() {
        let hit = screening(query("a")).hits.remove(0);
        let decided_at = Timestamp::UNIX_EPOCH;
        let expires_at = Some("2026-01-01T00:00:00Z".parse().expect("a time"));
        let decision = HitDecision {
            pair: String::new(),
            verdict: Verdict::FalsePositive,
            reason: None,
            decided_by: Principal::api_key("a"),
            decided_at,
            screening_id: Uuid::nil(),
            expires_at,
            material: hit.material.clone(),
            risk_level: Some(hit.risk_level),
            earlier: Vec::new(),
        };
        let before = "2025-12-31T23:59:59Z".parse().expect("a time");
        assert_eq!(decision.state(&hit.state(), before), DecisionState::InForce);
        assert_eq!(
            decision.state(&hit.state(), "2026-01-01T00:00:00Z".parse().expect("a time")),
            DecisionState::Expired
        );
        let changed = ScreeningHit { material: "other".to_owned(), ..hit.clone() };
        assert_eq!(decision.state(&changed.state(), before), DecisionState::EntryChanged);
        // The company has taken the name that is on the list.
        let risen = ScreeningHit { risk_level: RiskLevel::Critical, ..hit.clone() };
        assert_eq!(decision.state(&risen.state(), before), DecisionState::RiskRisen);
        let lower = ScreeningHit { risk_level: RiskLevel::Low, ..hit };
        assert_eq!(decision.state(&lower.state(), before), DecisionState::InForce);
        let matched = HitDecision { verdict: Verdict::TrueMatch, ..decision };
        assert_eq!(matched.state(&risen.state(), before), DecisionState::InForce);
    }

    #[test]
    fn hits_that_are_not_in_the_evidence_still_count() {
        let mut screening = screening(query("a"));
        screening.risk_of_others = [(List::Seco, RiskLevel::Low)].into();
        let (decisions, now) = (Decisions::new(), Timestamp::UNIX_EPOCH);
        assert_eq!(screening.risk(&decisions, now), Risk::High);
        screening.hits.clear();
        assert_eq!(screening.risk(&decisions, now), Risk::Low);
        screening.risk_of_others.clear();
        assert_eq!(screening.risk(&decisions, now), Risk::Clear);
        screening.query.name.clear();
        assert_eq!(screening.risk(&decisions, now), Risk::Unknown);
    }

    #[test]
    fn uid_is_compared_as_an_identifier_of_an_organisation() {
        let uid = "CHE-107.787.577".parse().ok();
        let subject = ScreeningQuery { uid, ..query("Muster AG") }.subject();
        assert_eq!(subject.kind, Kind::Organisation);
        let identifier =
            Identifier { scheme: "uid".to_owned(), value: "CHE-107.787.577".to_owned() };
        assert_eq!(subject.identifiers, [identifier]);
    }
}
