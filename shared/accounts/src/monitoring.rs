//! Persons and organisations that are screened again when a list changes.

use std::collections::{BTreeMap, BTreeSet};

use access::Environment;
use auth::{Principal, TeamId};
use domain::lists::{HitMeaning, List};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    News, Notification, NotificationCategory, PendingMail, notification_id,
    screening::{
        DecisionState, Decisions, ScreenedList, Screening, ScreeningHit, ScreeningQuery, Verdict,
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

/// The last screening of a subject against a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastScreening {
    /// Id of the version of the list. Ids sort by time.
    pub version: String,
    pub screening: Uuid,
}

/// The last screenings of a subject, by list. A screening of several lists is the last one of each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastScreenings(BTreeMap<List, LastScreening>);

impl LastScreenings {
    /// The last screening against a list. `None` if there is none.
    pub fn of(&self, list: List) -> Option<&LastScreening> {
        self.0.get(&list)
    }

    /// Those against these lists.
    #[must_use]
    pub fn among(mut self, lists: &[List]) -> Self {
        self.0.retain(|list, _| lists.contains(list));
        self
    }

    /// Each list with the last screening against it.
    pub fn iter(&self) -> impl Iterator<Item = (List, &LastScreening)> {
        self.0.iter().map(|(list, last)| (*list, last))
    }

    /// The ids of these screenings, each once.
    pub fn ids(&self) -> Vec<Uuid> {
        let ids: BTreeSet<Uuid> = self.0.values().map(|it| it.screening).collect();
        ids.into_iter().collect()
    }

    /// Records a screening for those of its lists that no screening has searched in a newer version.
    pub fn record(&mut self, screening: &Screening) {
        for ScreenedList { list, version, .. } in &screening.lists {
            if self.of(*list).is_none_or(|it| it.version <= *version) {
                let last = LastScreening { version: version.clone(), screening: screening.id };
                self.0.insert(*list, last);
            }
        }
    }

    /// What these screenings found together: of each list, what its last screening found. `None` without screenings.
    pub fn together(&self, screenings: &[Screening]) -> Option<Screening> {
        let mut all = screenings.iter().max_by_key(|it| it.screened_at)?.clone();
        let is_last = |it: &Screening, hit: &ScreeningHit| {
            self.of(hit.list).is_some_and(|last| last.screening == it.id)
        };
        let hits = |it: &Screening| {
            it.hits.iter().filter(|hit| is_last(it, hit)).cloned().collect::<Vec<_>>()
        };
        all.hits = screenings.iter().flat_map(hits).collect();
        all.total = all.hits.len();
        all.risk_of_others =
            screenings.iter().map(|it| it.risk_of_others).max().unwrap_or(all.risk_of_others);
        Some(all)
    }
}

/// The hits of which a team is notified: those that can be a risk, that `previous`, the last screening against the same list,
/// does not contain in the same state, and that the team has not decided to be false positives.
pub fn news<'a>(
    found: &'a [ScreeningHit],
    screening: &Screening,
    previous: Option<&Screening>,
    decisions: &Decisions,
    now: Timestamp,
) -> Vec<&'a ScreeningHit> {
    let is_known = |hit: &ScreeningHit| {
        let before = previous.and_then(|it| it.hit(&hit.id()));
        before.is_some_and(|it| it.material == hit.material)
    };
    let is_false_positive = |hit: &ScreeningHit| {
        let decision = decisions.get(&screening.pair(hit));
        decision.is_some_and(|it| {
            it.verdict == Verdict::FalsePositive && it.state(hit, now) == DecisionState::InForce
        })
    };
    let is_news = |hit: &&ScreeningHit| {
        hit.list.meaning() == HitMeaning::Risk && !is_known(hit) && !is_false_positive(hit)
    };
    found.iter().filter(is_news).collect()
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

    /// The notification of new hits that `screening` found, and what a mail says of it.
    pub fn notification(
        &self,
        team: &TeamId,
        environment: Environment,
        screening: &Screening,
        new: &[&ScreeningHit],
    ) -> (Notification, PendingMail) {
        let (number, name) = (new.len(), &self.query.name);
        let matches = if number == 1 {
            "1 possible match".to_owned()
        } else {
            format!("{number} possible matches")
        };
        let named = new.iter().take(NAMED).map(|it| format!("{} ({})", it.name, it.list));
        let mut listed = named.collect::<Vec<String>>();
        let names = listed.clone();
        if number > NAMED {
            listed.push(format!("and {} more", number - NAMED));
        }
        let (id, at) = (screening.id.to_string(), screening.screened_at);
        let link = format!("/v1/screenings/{id}");
        let notification = Notification {
            id: notification_id(team, environment, at, &["screening", &id]),
            title: format!("{name}: {matches}"),
            body: format!(
                "A list was updated. New or changed entries that may be “{name}”: {}.",
                listed.join(", ")
            ),
            category: NotificationCategory::Screening,
            severity: None,
            is_read: false,
            link: Some(link.clone()),
            company_uid: self.query.uid,
            event_id: None,
            watchlist_ids: Vec::new(),
            saved_search_id: None,
            created_at: at,
        };
        let mail = PendingMail {
            notification: notification.id,
            created_at: at,
            link: Some(link),
            news: News::Screening { name: name.clone(), new: number as u64, entries: names },
        };
        (notification, mail)
    }
}
