//! Erasures that a restored backup has undone.

use std::collections::{BTreeMap, btree_map::Entry};

use auth::TeamId;
use jiff::Timestamp;

use super::{
    Erased, Erasure,
    items::{Treatment, items_with_key},
    list::{self, List},
    whole,
};
use crate::{Error, Tenants, keys::Key, table::RawItem};

/// What of the list was found, by its key among the erasures that are not finished, each with the time of the erasure.
type Found = BTreeMap<Key, (Erased, Timestamp)>;

impl Tenants {
    /// Finds what mentions users, teams and addresses of the list of erasures, and starts to erase them again, with the erasures that
    /// were not finished. Returns them, and the number of those that were found. Reads the whole table twice. For the operator,
    /// after a backup was restored.
    pub async fn undone_erasures(&self, now: Timestamp) -> Result<(Vec<Erasure>, usize), Error> {
        let list = self.erasure_list().await?;
        let mut found = Found::new();
        let mut after = None;
        loop {
            let (items, next) = self.table.scan_page(after.as_ref()).await?;
            items.iter().for_each(|it| find(&list, it, &mut found));
            after = next;
            if after.is_none() {
                break;
            }
        }
        let number = found.len();
        // What these say is more complete.
        for pending in self.erasures().await? {
            found.insert(pending.erased.key(), (pending.erased, pending.requested_at));
        }
        let mut erasures = Vec::with_capacity(found.len());
        for (erased, requested_at) in found.into_values() {
            let erasure = Erasure { requested_at, ..Erasure::new(erased, now) };
            self.table.transact(vec![erasure.start()?]).await?;
            erasures.push(erasure);
        }
        Ok((erasures, number))
    }
}

/// Adds what an item mentions of the list, and must not mention.
fn find(list: &List, item: &RawItem, found: &mut Found) {
    let key = item.key();
    let kind = items_with_key(&key.partition, &key.sort).next();
    let treatment = kind.map_or(Treatment::OfTeam, |it| it.treatment);
    if matches!(treatment, Treatment::Neutral | Treatment::Erasure | Treatment::Counter) {
        return;
    }
    let is_log = treatment == Treatment::AuditLog;
    let text = format!("{}\n{}\n{}", key.partition, key.sort, item.text());
    let mut add = |(erased, since): (Erased, Timestamp)| match found.entry(erased.key()) {
        Entry::Vacant(place) => drop(place.insert((erased, since))),
        Entry::Occupied(mut place) => {
            if let (Erased::User { teams, .. }, Erased::User { teams: new, .. }) =
                (&mut place.get_mut().0, erased)
            {
                teams.extend(new);
                teams.dedup();
            }
        }
    };
    for id in whole::ids(&text) {
        if let Some(listed) = list.team(id)
            && (!is_log || listed.is_anonymous)
            && (treatment != Treatment::Evidence || listed.keeps_evidence_for.is_none())
        {
            add(list::team(id, listed));
        }
        if let Some(listed) = list.user(id)
            && (!is_log || listed.is_anonymous)
        {
            let team = kind.and_then(|it| it.value("team", &key));
            let teams = team.map(|it| TeamId(it.to_owned())).into_iter().collect();
            add((Erased::User { user: id.to_owned(), email: None, teams }, listed.erased_at));
        }
    }
    for email in whole::addresses(&text) {
        if let Some(listed) = list.address(&email) {
            add((Erased::Address { email }, listed.erased_at));
        }
    }
}
