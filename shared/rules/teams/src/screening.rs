//! The stored evidence of screenings, and a team's decisions about hits.

mod decision;
mod hit;
mod query;
mod risk;

use std::collections::BTreeMap;

use auth::Principal;
use domain::{Uid, lists::List};
use jiff::{Timestamp, civil::Date};
use matching::RiskLevel;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

pub use self::{
    decision::{DecisionState, Decisions, EarlierDecision, HitDecision, Verdict},
    hit::{HitState, MAX_LINKS, ScreeningHit},
    query::{
        DEFAULT_HITS, InvalidName, MAX_HITS, QueryIdentifier, ScreeningQuery, SubjectName,
        SubjectType,
    },
    risk::Risk,
};

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
    /// Number of records of which a member could not be read, so that it was not compared. The hit names the members.
    pub incomplete: u64,
    /// Number of records of which nothing could be read, not in an earlier version of the list either: they were not searched.
    pub unsearched: u64,
    /// Time when the service published this version.
    pub published_at: Timestamp,
    /// Whether the list is an invented one, for trying out. Absent for the list of the publisher.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub demo: bool,
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
    /// The subject is a legal entity, usually abroad, that consolidates a company that the team watches.
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
    /// Version of the matcher: [`ALGORITHM`](matching::ALGORITHM).
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
    use domain::lists::{EntryKind, ListEntry};
    use matching::{Comparison, Explained};

    use super::*;

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
            algorithm: matching::ALGORITHM.to_owned(),
            lists: Vec::new(),
            total: 1,
            hits: vec![ScreeningHit::new(&entry, found)],
            risk_of_others: BTreeMap::new(),
            answered_risk: None,
        }
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
}
