//! What the last screenings of a monitored subject have found.

use std::{collections::BTreeMap, mem};

use domain::lists::List;
use jiff::Timestamp;
use matching::RiskLevel;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::screening::{
    Decisions, HitState, Risk, ScreenedList, Screening, ScreeningHit, ScreeningQuery,
};

/// A hit of the last screening of a subject: what its risk depends on, and by what it is known again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KnownHit {
    /// As [`ScreeningHit::id`].
    pub id: String,
    pub list: List,
    pub material: String,
    pub risk_level: RiskLevel,
}

impl From<&ScreeningHit> for KnownHit {
    fn from(hit: &ScreeningHit) -> Self {
        let (list, material, risk_level) = (hit.list, hit.material.clone(), hit.risk_level);
        Self { id: hit.id(), list, material, risk_level }
    }
}

impl KnownHit {
    fn state(&self) -> HitState<'_> {
        let Self { id, list, material, risk_level } = self;
        HitState { id: id.clone(), list: *list, material, risk_level: *risk_level }
    }
}

/// The last screening of a subject against a list. It does not refer to the evidence, which expires.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastScreening {
    /// Id of the version of the list. Ids sort by time.
    pub version: String,
    pub screening: Uuid,
    pub screened_at: Timestamp,
    /// Version of the matcher.
    #[serde(default)]
    pub algorithm: String,
    /// What it found on the list.
    pub hits: Vec<KnownHit>,
    /// The highest risk level of what it found on the list that is not in the evidence.
    pub risk_of_others: RiskLevel,
}

impl LastScreening {
    fn of(screening: &Screening, list: List, version: &str) -> Self {
        let hits = screening.hits.iter().filter(|it| it.list == list);
        Self {
            version: version.to_owned(),
            screening: screening.id,
            screened_at: screening.screened_at,
            algorithm: screening.algorithm.clone(),
            hits: hits.map(KnownHit::from).collect(),
            risk_of_others: screening
                .risk_of_others
                .get(&list)
                .copied()
                .unwrap_or(RiskLevel::Clear),
        }
    }

    /// Whether it contains this hit in the same state.
    pub fn knows(&self, hit: &ScreeningHit) -> bool {
        self.known_level(hit).is_some()
    }

    /// The risk level that this hit had, if it contains it in the same state.
    pub fn known_level(&self, hit: &ScreeningHit) -> Option<RiskLevel> {
        let id = hit.id();
        let known = self.hits.iter().find(|it| it.id == id && it.material == hit.material);
        known.map(|it| it.risk_level)
    }
}

/// The last screenings of a subject against a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct OfList {
    /// The one whose result is the present one.
    last: LastScreening,
    /// The one whose result the team knows, if that is an earlier one: only the caller of the last one knows its result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    known: Option<LastScreening>,
}

impl OfList {
    fn known(&self) -> &LastScreening {
        self.known.as_ref().unwrap_or(&self.last)
    }
}

/// The last screenings of a subject, by list. A screening of several lists is the last one of each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastScreenings(BTreeMap<List, OfList>);

impl LastScreenings {
    /// The screening whose result the team knows: the first one, or the last one after an update. `None` without screenings.
    pub fn known(&self, list: List) -> Option<&LastScreening> {
        self.0.get(&list).map(OfList::known)
    }

    /// Those against these lists.
    #[must_use]
    pub fn among(mut self, lists: &[List]) -> Self {
        self.0.retain(|list, _| lists.contains(list));
        self
    }

    /// Each list with the last screening against it.
    pub fn iter(&self) -> impl Iterator<Item = (List, &LastScreening)> {
        self.0.iter().map(|(list, it)| (*list, &it.last))
    }

    /// Records a screening that somebody requested, for those of its lists that no screening has searched in a newer version.
    /// Unless it is the first one, the team is still notified of what an update has changed, or another matcher finds.
    pub fn record_request(&mut self, screening: &Screening) {
        for ScreenedList { list, version, .. } in &screening.lists {
            let new = LastScreening::of(screening, *list, version);
            let Some(it) = self.0.get_mut(list) else {
                self.0.insert(*list, OfList { last: new, known: None });
                continue;
            };
            if it.last.version > *version {
                continue;
            }
            let is_other = it.last.version < *version || it.last.algorithm != new.algorithm;
            let before = mem::replace(&mut it.last, new);
            if is_other {
                it.known.get_or_insert(before);
            }
        }
    }

    /// Records a screening after an update, of whose new hits the team was notified.
    pub fn record_update(&mut self, screening: &Screening) {
        for ScreenedList { list, version, .. } in &screening.lists {
            let new = LastScreening::of(screening, *list, version);
            match self.0.get_mut(list) {
                Some(it) if it.last.version > *version => {
                    if it.known().version < *version {
                        it.known = Some(new);
                    }
                }
                _ => drop(self.0.insert(*list, OfList { last: new, known: None })),
            }
        }
    }

    /// The keys of the decisions about the hits of the subject of `query`.
    pub fn pairs(&self, query: &ScreeningQuery) -> Vec<String> {
        self.iter().flat_map(|(_, it)| &it.hits).map(|it| query.pair(&it.id)).collect()
    }

    /// The risk level of the subject of `query`. `None` without screenings.
    pub fn risk(
        &self,
        query: &ScreeningQuery,
        decisions: &Decisions,
        now: Timestamp,
    ) -> Option<Risk> {
        let others = self.iter().map(|(_, it)| it.risk_of_others).max()?;
        let hits = self.iter().flat_map(|(_, it)| it.hits.iter().map(KnownHit::state));
        Some(query.risk(hits, others, decisions, now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screening(version: &str) -> Screening {
        let list = ScreenedList {
            list: List::Seco,
            version: version.to_owned(),
            date: None,
            sha256: String::new(),
            entries_sha256: String::new(),
            entries: 0,
            incomplete: 0,
            unsearched: 0,
            published_at: Timestamp::UNIX_EPOCH,
            demo: false,
        };
        Screening {
            id: Uuid::new_v4(),
            screened_at: Timestamp::UNIX_EPOCH,
            screened_by: None,
            trigger: None,
            query: ScreeningQuery::of("Anna Muster".to_owned(), vec![List::Seco]),
            algorithm: String::new(),
            lists: vec![list],
            total: 0,
            hits: Vec::new(),
            risk_of_others: BTreeMap::new(),
            answered_risk: None,
        }
    }

    #[test]
    fn a_request_does_not_hide_from_the_team_what_an_update_has_changed() {
        let mut last = LastScreenings::default();
        let versions = |it: &LastScreenings| {
            let known = it.known(List::Seco).map(|it| it.version.clone());
            let shown = it.iter().map(|(_, it)| it.version.clone()).next();
            (known.unwrap_or_default(), shown.unwrap_or_default())
        };
        let both = |known: &str, shown: &str| (known.to_owned(), shown.to_owned());
        last.record_request(&screening("b"));
        assert_eq!(versions(&last), both("b", "b"), "the first one");
        last.record_request(&screening("c"));
        last.record_request(&screening("d"));
        assert_eq!(versions(&last), both("b", "d"));
        last.record_update(&screening("c"));
        assert_eq!(versions(&last), both("c", "d"));
        last.record_update(&screening("a"));
        assert_eq!(versions(&last), both("c", "d"), "never back");
        last.record_update(&screening("d"));
        assert_eq!(versions(&last), both("d", "d"));
        last.record_request(&screening("c"));
        last.record_request(&screening("d"));
        assert_eq!(versions(&last), both("d", "d"));
    }

    #[test]
    fn a_request_does_not_hide_from_the_team_what_another_matcher_finds() {
        let mut last = LastScreenings::default();
        let by_next =
            |version: &str| Screening { algorithm: "next".to_owned(), ..screening(version) };
        last.record_request(&screening("b"));
        last.record_request(&by_next("b"));
        last.record_request(&by_next("b"));
        let known = last.known(List::Seco).expect("a screening");
        assert_ne!(known.algorithm, "next", "the team does not know the result of the next one");
        last.record_update(&by_next("c"));
        assert_eq!(last.known(List::Seco).map(|it| it.algorithm.as_str()), Some("next"));
    }
}
