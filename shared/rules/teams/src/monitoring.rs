//! Persons and organisations that are screened again when a list changes.

use access::Environment;
use auth::{Principal, TeamId};
use domain::{
    Uid,
    changes::Severity,
    lists::{HitMeaning, List},
};
use jiff::Timestamp;
use matching::RiskLevel;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    LastScreening, News, Notification, NotificationCategory, PendingMail, notification_id,
    screening::{
        DecisionState, Decisions, MAX_HITS, Screening, ScreeningHit, ScreeningQuery, Verdict,
    },
};

/// Number of hits that a notification names.
const NAMED: usize = 5;

/// A person or organisation that a team monitors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MonitoredSubject {
    pub id: Uuid,
    pub query: ScreeningQuery,
    pub created_by: Principal,
    pub created_at: Timestamp,
}

/// The hits of which a team is notified: those that can be a risk, that `known`, what the team knows, does not contain in the
/// same state, and that the team has not decided to be false positives. Also those whose decision has to be made again because
/// their risk level is higher than the known one.
pub fn news<'a>(
    found: &'a [ScreeningHit],
    query: &ScreeningQuery,
    known: Option<&LastScreening>,
    decisions: &Decisions,
    now: Timestamp,
) -> Vec<&'a ScreeningHit> {
    let is_news = |hit: &&ScreeningHit| {
        if hit.list.meaning() != HitMeaning::Risk {
            return false;
        }
        let level = known.and_then(|it| it.known_level(hit));
        let decision = decisions.get(&query.pair(&hit.id()));
        match decision.map(|it| (it.verdict, it.state(&hit.state(), now))) {
            Some((Verdict::FalsePositive, DecisionState::InForce)) => false,
            Some((_, DecisionState::RiskRisen)) => level.is_none_or(|it| it < hit.risk_level),
            _ => level.is_none(),
        }
    };
    found.iter().filter(is_news).collect()
}

/// The hits of a watched company, or of one of its officers or parents, of which a team was notified. If an update of a list stops halfway,
/// the next one starts at the same version, and the team is not notified of them again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotifiedHits {
    hits: Vec<NotifiedHit>,
}

/// A hit, in a state in which the team knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct NotifiedHit {
    /// As [`ScreeningHit::id`].
    id: String,
    material: String,
    /// Id of the version of the list. Ids sort by time.
    version: String,
}

impl NotifiedHits {
    /// Whether the team was notified of this hit, in the same state, by an update to a version after `before` and before
    /// `version`. Without `before`: to any version before `version`.
    pub fn contains(&self, hit: &ScreeningHit, before: Option<&str>, version: &str) -> bool {
        let is_between = |it: &NotifiedHit| {
            before.is_none_or(|before| it.version.as_str() > before)
                && it.version.as_str() < version
        };
        let id = hit.id();
        self.hits.iter().any(|it| it.id == id && it.material == hit.material && is_between(it))
    }

    /// Adds the hits of the update from `before` to `version`, and removes those of updates to `before` and earlier versions: if an
    /// entry is removed and listed again, the team is notified again.
    pub fn add(&mut self, hits: &[&ScreeningHit], before: Option<&str>, version: &str) {
        let is_needed = |it: &NotifiedHit| before.is_none_or(|before| it.version.as_str() > before);
        self.hits.retain(|it| is_needed(it) && it.version != version);
        self.hits.extend(hits.iter().map(|it| NotifiedHit {
            id: it.id(),
            material: it.material.clone(),
            version: version.to_owned(),
        }));
    }
}

/// How severe a hit with this risk level is.
fn severity(level: RiskLevel) -> Severity {
    match level {
        RiskLevel::Clear | RiskLevel::Low => Severity::Low,
        RiskLevel::Medium => Severity::Medium,
        RiskLevel::High => Severity::High,
        RiskLevel::Critical => Severity::Critical,
    }
}

impl MonitoredSubject {
    /// The id of the screening against a version of a list that was published at this time: the same each time.
    pub fn rescreening_id(
        &self,
        team: &TeamId,
        environment: Environment,
        (list, version, published_at): (List, &str, Timestamp),
    ) -> Uuid {
        let parts = ["rescreening", &self.id.to_string(), list.name(), version];
        notification_id(team, environment, published_at, &parts)
    }

    /// Who the notification of new hits is about.
    pub fn concerned(&self) -> Concerned {
        Concerned {
            name: self.query.name.clone(),
            relation: None,
            company_uid: self.query.uid,
            is_watched: false,
            watchlist_ids: Vec::new(),
        }
    }
}

/// What the subject of a hit is to a watched company of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WatchedRelation {
    OfficerOf(String),
    /// A legal entity, usually abroad, that consolidates it.
    ParentOf(String),
}

/// Who a notification of hits is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concerned {
    pub name: String,
    /// What the subject is to a watched company. `None` if it is that company, or none.
    pub relation: Option<WatchedRelation>,
    pub company_uid: Option<Uid>,
    /// Whether the team watches the company, alone or in a watchlist.
    pub is_watched: bool,
    /// Watchlists that contain the company.
    pub watchlist_ids: Vec<String>,
}

impl Concerned {
    /// Name of the watched company of which the subject is an officer.
    pub fn officer_of(&self) -> Option<&str> {
        match &self.relation {
            Some(WatchedRelation::OfficerOf(company)) => Some(company),
            Some(WatchedRelation::ParentOf(_)) | None => None,
        }
    }

    /// Name of the watched company of which the subject is a parent.
    pub fn parent_of(&self) -> Option<&str> {
        match &self.relation {
            Some(WatchedRelation::ParentOf(company)) => Some(company),
            Some(WatchedRelation::OfficerOf(_)) | None => None,
        }
    }

    /// The notification of new hits that `screening` found, and what a mail says of it. The same each time for the same
    /// screening.
    pub fn notification(
        &self,
        team: &TeamId,
        environment: Environment,
        screening: &Screening,
        new: &[&ScreeningHit],
    ) -> (Notification, PendingMail) {
        let number = new.len();
        let matches = match number {
            1 => "1 possible match".to_owned(),
            // There may be more, which are not in the evidence.
            MAX_HITS.. => format!("at least {number} possible matches"),
            _ => format!("{number} possible matches"),
        };
        let named = new.iter().take(NAMED).map(|it| format!("{} ({})", it.name, it.list));
        let mut listed = named.collect::<Vec<String>>();
        let names = listed.clone();
        if number > NAMED {
            listed.push(format!("and {} more", number - NAMED));
        }
        let related = |what: &str, company: &str| {
            let title = format!("{} ({company})", self.name);
            (title, format!("“{}”, {what} of “{company}”", self.name))
        };
        let (title, subject) = match &self.relation {
            None => (self.name.clone(), format!("“{}”", self.name)),
            Some(WatchedRelation::OfficerOf(company)) => related("an officer", company),
            Some(WatchedRelation::ParentOf(company)) => related("a parent", company),
        };
        let (id, at) = (screening.id.to_string(), screening.screened_at);
        let link = format!("/v1/screenings/{id}");
        let listed = listed.join(", ");
        let notification = Notification {
            id: notification_id(team, environment, at, &["screening", &id]),
            title: format!("{title}: {matches}"),
            body: format!("A list was updated. New possible matches of {subject}: {listed}."),
            category: NotificationCategory::Screening,
            severity: new.iter().map(|it| severity(it.risk_level)).max(),
            is_read: false,
            link: Some(link.clone()),
            company_uid: self.company_uid,
            event_id: None,
            watchlist_ids: self.watchlist_ids.clone(),
            saved_search_id: None,
            created_at: at,
        };
        let mail = PendingMail {
            notification: notification.id,
            created_at: at,
            link: Some(link),
            news: News::Screening { name: title, new: number as u64, entries: names },
        };
        (notification, mail)
    }
}

#[cfg(test)]
mod tests {
    use domain::lists::{EntryKind, ListEntry};
    use matching::{Comparison, Explained};

    use super::*;
    use crate::screening::HitDecision;

    #[test]
    fn a_known_false_positive_is_news_when_its_risk_level_has_risen() {
        let hit = |risk| {
            let entry = ListEntry::new(List::Seco, "1", EntryKind::Person);
            let comparison = Comparison { score: 0.9, name_score: 0.9, risk };
            let found = Explained { comparison, reasons: Vec::new(), listed_name: None };
            ScreeningHit::new(&entry, found)
        };
        let query = ScreeningQuery::of("Anna Muster".to_owned(), vec![List::Seco]);
        let (low, high) = (hit(RiskLevel::Low), hit(RiskLevel::High));
        let known = LastScreening {
            version: "a".to_owned(),
            screening: Uuid::nil(),
            screened_at: Timestamp::UNIX_EPOCH,
            algorithm: String::new(),
            hits: vec![(&low).into()],
            risk_of_others: RiskLevel::Clear,
        };
        let decision = |risk_level| HitDecision {
            pair: query.pair(&low.id()),
            verdict: Verdict::FalsePositive,
            reason: None,
            decided_by: Principal::api_key("a"),
            decided_at: Timestamp::UNIX_EPOCH,
            screening_id: Uuid::nil(),
            expires_at: None,
            material: low.material.clone(),
            risk_level: Some(risk_level),
            earlier: Vec::new(),
        };
        let number = |found: &ScreeningHit, decided: Option<RiskLevel>| {
            let decisions: Decisions =
                decided.map(decision).into_iter().map(|it| (it.pair.clone(), it)).collect();
            let found = std::slice::from_ref(found);
            news(found, &query, Some(&known), &decisions, Timestamp::UNIX_EPOCH).len()
        };
        assert_eq!(number(&high, Some(RiskLevel::Low)), 1, "to be decided again");
        assert_eq!(number(&high, Some(RiskLevel::High)), 0, "decided at this level");
        assert_eq!(number(&high, None), 0, "the team knows it");
        assert_eq!(number(&low, Some(RiskLevel::Low)), 0);
    }
}
