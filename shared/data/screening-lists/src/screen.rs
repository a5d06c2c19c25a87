use std::{collections::BTreeSet, sync::Arc};

use auth::Principal;
use domain::lists::List;
use jiff::Timestamp;
use matching::{ALGORITHM, RiskLevel};
use store::CountedSubject;
use teams::screening::{MAX_HITS, ScreenedList, Screening, ScreeningHit, ScreeningQuery};
use uuid::Uuid;

use crate::{Found, Hit, ListsUnavailable, OpenList, ScreeningLists, Search, search::Merged};

/// The version of a list as it is named in the evidence.
fn screened(open: &OpenList) -> ScreenedList {
    let published = &open.published;
    ScreenedList {
        list: published.version.list,
        version: published.id.clone(),
        date: published.version.date,
        sha256: published.version.sha256.clone(),
        entries_sha256: published.entries_sha256.clone(),
        entries: open.len() as u64,
        incomplete: published.version.incomplete,
        unsearched: published.unsearched,
        published_at: published.published_at,
        demo: published.version.demo,
    }
}

/// `included`: ids of entries that are among the hits, also if others have higher scores.
fn find(
    query: &ScreeningQuery,
    lists: &[Arc<OpenList>],
    included: &BTreeSet<String>,
) -> std::io::Result<Merged> {
    let search = Search::new(&query.subject(), query.threshold);
    let found: std::io::Result<Vec<(List, Found)>> = lists
        .iter()
        .map(|it| Ok((it.list(), search.find_including(it, MAX_HITS, included)?)))
        .collect();
    Ok(Merged::of(found?, MAX_HITS))
}

/// The evidence of the comparison of a subject with these versions.
fn compared(
    id: Uuid,
    query: ScreeningQuery,
    lists: &[Arc<OpenList>],
    included: &BTreeSet<String>,
    by: Option<Principal>,
    now: Timestamp,
) -> std::io::Result<Screening> {
    let mut found = find(&query, lists, included)?;
    for hit in &mut found.hits {
        if let Some(list) = lists.iter().find(|it| it.list() == hit.list) {
            list.name_relations(&mut hit.entry)?;
        }
    }
    Ok(Screening {
        id,
        screened_at: now,
        screened_by: by,
        trigger: None,
        query,
        algorithm: ALGORITHM.to_owned(),
        lists: lists.iter().map(|it| screened(it)).collect(),
        total: found.total,
        risk_of_others: found
            .left_out
            .iter()
            .map(|(list, it)| (*list, RiskLevel::of(*it)))
            .collect(),
        hits: hits(found.hits),
        answered_risk: None,
    })
}

impl ScreeningLists {
    /// The lists that are published.
    pub async fn published(&self) -> Result<Vec<List>, ListsUnavailable> {
        let mut published = Vec::new();
        for list in List::ALL {
            published.extend(self.current(list).await?.map(|_| list));
        }
        Ok(published)
    }

    /// Compares the subject of a query, which was counted, with the current versions of its lists. Lists that are not published
    /// are left out.
    pub async fn screen(
        &self,
        _: CountedSubject,
        query: ScreeningQuery,
        by: Principal,
        now: Timestamp,
    ) -> Result<Screening, ListsUnavailable> {
        let mut lists = Vec::new();
        for list in &query.lists {
            lists.extend(self.current(*list).await?);
        }
        Ok(compared(Uuid::now_v7(), query, &lists, &BTreeSet::new(), Some(by), now)?)
    }

    /// Compares the subject of a query with one version of a list, without a request. The entries with the ids `included` are
    /// among the hits if they reach the threshold. `None`: the version is not stored.
    pub async fn screen_version(
        &self,
        id: Uuid,
        query: &ScreeningQuery,
        (list, version): (List, &str),
        included: &BTreeSet<String>,
        now: Timestamp,
    ) -> Result<Option<Screening>, ListsUnavailable> {
        let Some(open) = self.version(list, version).await? else { return Ok(None) };
        // The limit of the answer to a request does not apply.
        let query = ScreeningQuery { lists: vec![list], limit: MAX_HITS, ..query.clone() };
        Ok(Some(compared(id, query, &[open], included, None, now)?))
    }

    /// What the same query, whose subject was counted again, finds now in the versions of the lists that were searched then, and
    /// their number. `None`: a version is no longer stored.
    pub async fn repeat(
        &self,
        _: CountedSubject,
        screening: &Screening,
    ) -> Result<Option<(usize, Vec<ScreeningHit>)>, ListsUnavailable> {
        let mut lists = Vec::new();
        for ScreenedList { list, version, .. } in &screening.lists {
            match self.version(*list, version).await? {
                Some(open) => lists.push(open),
                None => return Ok(None),
            }
        }
        // After an update, not only the best ones are in the evidence.
        let of_update = screening.hits.iter().filter(|_| screening.trigger.is_some());
        let included = of_update.map(|it| it.entry_id.clone()).collect();
        let found = find(&screening.query, &lists, &included)?;
        Ok(Some((found.total, hits(found.hits))))
    }
}

pub(crate) fn hits(found: Vec<Hit>) -> Vec<ScreeningHit> {
    found.into_iter().map(|it| ScreeningHit::new(&it.entry, it.explained)).collect()
}
