use std::{collections::BTreeMap, io, sync::Arc};

use domain::lists::{List, ListEntry};
use objects::Objects;
use published::{Error, Last};
use teams::screening::{MAX_HITS, ScreeningHit};

use crate::{OpenList, PublishedVersion, Search, StoredEntries, screen::hits, version::location};

/// How a version of a list differs from an earlier one in something on which the result of a screening depends.
#[derive(Debug)]
pub struct Changes {
    /// The new version.
    pub version: PublishedVersion,
    /// The entries that were added or have changed, as they are now.
    now: OpenList,
    /// The entries that were removed or have changed, as they were.
    before: Option<OpenList>,
}

/// The changes that a worker compared last. The parts of a re-screening need the same ones.
#[derive(Clone, Debug, Default)]
pub struct LastChanges(Last<(List, Option<String>, String), Arc<Changes>>);

impl LastChanges {
    /// The changes from the version with the id `before` to the one with the id `version`. Without `before`, or if it is not
    /// stored any more, all entries count as added. `None`: the new version is not stored.
    pub async fn between(
        &self,
        objects: &Objects,
        list: List,
        before: Option<&str>,
        version: &str,
    ) -> Result<Option<Arc<Changes>>, Error> {
        let compare = async {
            let location = location(objects, list);
            let Some(version) = location.find::<PublishedVersion>(version).await? else {
                return Ok(None);
            };
            let before = match before {
                Some(id) => location.find(id).await?,
                None => None,
            };
            let before = match before {
                Some(before) => Some(StoredEntries::download(objects, before).await?),
                None => None,
            };
            let now = StoredEntries::download(objects, version.clone()).await?;
            let compare = move || Changes::of(version, before, now);
            let changes =
                tokio::task::spawn_blocking(compare).await.map_err(io::Error::other)??;
            Ok(Some(Arc::new(changes)))
        };
        // Versions do not change.
        let key = (list, before.map(str::to_owned), version.to_owned());
        self.0.get(key, compare).await
    }
}

impl Changes {
    fn of(
        version: PublishedVersion,
        mut before: Option<StoredEntries>,
        now: StoredEntries,
    ) -> Result<Self, Error> {
        // Of each entry of the earlier version that is not yet found unchanged, what is material.
        let mut earlier: BTreeMap<String, String> = BTreeMap::new();
        if let Some(before) = &mut before {
            before.for_each(|_, entry| {
                earlier.insert(entry.id.clone(), entry.digest().material);
                Ok(())
            })?;
        }
        let mut has_changed = |entry: &ListEntry| {
            let is_same = earlier.get(&entry.id).is_some_and(|it| *it == entry.digest().material);
            if is_same {
                earlier.remove(&entry.id);
            }
            !is_same
        };
        let now = OpenList::read(now, &mut has_changed)?;
        let before = match before {
            Some(before) => Some(OpenList::read(before, |it| earlier.contains_key(&it.id))?),
            None => None,
        };
        Ok(Self { version, now, before })
    }

    /// Whether there was an earlier version, so that other entries than these may be on the list.
    pub fn is_delta(&self) -> bool {
        self.before.is_some()
    }

    /// Id of the earlier version. `None`: all entries count as added.
    pub fn earlier_version(&self) -> Option<&str> {
        self.before.as_ref().map(|it| it.published.id.as_str())
    }

    /// Whether the subject may be one of the entries that have changed, as they are or as they were.
    pub fn concern(&self, search: &Search) -> io::Result<bool> {
        let finds = |list: &OpenList| Ok::<_, io::Error>(search.find(list, 1)?.total > 0);
        Ok(finds(&self.now)? || self.before.as_ref().map_or(Ok(false), finds)?)
    }

    /// The entries that were added or have changed and may be the subject, highest score first, at most [`MAX_HITS`].
    pub fn hits(&self, search: &Search) -> io::Result<Vec<ScreeningHit>> {
        Ok(hits(search.find(&self.now, MAX_HITS)?.hits))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use domain::lists::{BirthDate, EntryKind, ListName, NameQuality};
    use invented_names::Names;
    use teams::screening::{ScreeningQuery, SubjectType};

    use super::*;

    /// The entry of a person with this name.
    fn entry(id: usize, name: &str) -> ListEntry {
        let mut entry = ListEntry::new(List::Seco, &id.to_string(), EntryKind::Person);
        entry.names = [ListName::new(NameQuality::Primary, name)].into();
        entry
    }

    /// A list of invented persons, the same list after an update, and subjects: some of them are listed, others have similar
    /// names.
    fn lists(count: usize) -> (Vec<ListEntry>, Vec<ListEntry>, Vec<String>) {
        let mut names = Names::new(17);
        let (mut before, mut now, mut subjects) = (Vec::new(), Vec::new(), Vec::new());
        for id in 0..count {
            let name = names.person();
            subjects.push(names.perturbed(true, &name).join(" "));
            let listed = entry(id, &name.join(" "));
            match names.below(20) {
                // Removed, added, changed materially, renamed, and changed in something on which no screening depends.
                0 => before.push(listed),
                1 => now.push(listed),
                2 => {
                    let mut changed = listed.clone();
                    let born = BirthDate::exact("1971-03-23".parse().expect("a date"));
                    changed.birth_dates = [born].into();
                    before.push(listed);
                    now.push(changed);
                }
                3 => {
                    before.push(listed);
                    now.push(entry(id, &names.person().join(" ")));
                }
                4 => {
                    let changed = ListEntry {
                        changed: Some(jiff::civil::date(2026, 11, 20)),
                        ..listed.clone()
                    };
                    before.push(listed);
                    now.push(changed);
                }
                _ => {
                    before.push(listed.clone());
                    now.push(listed);
                }
            }
        }
        (before, now, subjects)
    }

    /// What a subject is compared with, and the state of the entry.
    type Found = BTreeSet<(String, String)>;

    fn found(search: &Search, list: &OpenList) -> Found {
        let found = search.find(list, usize::MAX).expect("readable");
        hits(found.hits).into_iter().map(|it| (it.id(), it.material)).collect()
    }

    #[test]
    fn screening_all_subjects_and_screening_the_changed_entries_agree() {
        full_and_delta_agree(2_000, 2_000);
    }

    #[test]
    fn they_agree_on_a_long_list_of_which_few_candidates_are_compared() {
        full_and_delta_agree(15_000, 1_500);
    }

    /// Of very many subjects, only probable candidates are compared, and which these are depends on the whole list. So an entry that
    /// has not changed may be found with one version and not with the other: less than one hit in a thousand.
    #[test]
    fn they_agree_for_all_but_one_in_a_thousand_of_very_many_subjects() {
        let (before, now, names) = lists(15_000);
        let open = |id: &str, entries: &[ListEntry]| {
            OpenList::read(StoredEntries::of(id, entries), |_| true).expect("readable")
        };
        let (full_before, full_now) = (open("full", &before), open("full", &now));
        let version = StoredEntries::of("b", &now);
        let earlier = Some(StoredEntries::of("a", &before));
        let changes = Changes::of(version.published.clone(), earlier, version).expect("read");
        let (mut hits, mut different) = (0, 0);
        for name in names.iter().take(2_000) {
            let query = ScreeningQuery {
                subject_type: Some(SubjectType::Person),
                threshold: 0.9,
                ..ScreeningQuery::of(name.clone(), vec![List::Seco])
            };
            let search = Search::new(&query.subject(), query.threshold).one_of_many();
            let (then, today) = (found(&search, &full_before), found(&search, &full_now));
            let with_delta = match changes.concern(&search).expect("readable") {
                true => today.clone(),
                false => then,
            };
            hits += today.len();
            different += today.symmetric_difference(&with_delta).count();
        }
        assert!(hits > 500 && different * 1_000 <= hits, "{different} of {hits}");
    }

    fn full_and_delta_agree(entries: usize, subjects: usize) {
        let (before, now, names) = lists(entries);
        let stored = |id: &str, entries: &[ListEntry]| StoredEntries::of(id, entries);
        let open = |entries| OpenList::read(stored("full", entries), |_| true).expect("readable");
        let (full_before, full_now) = (open(&before), open(&now));
        let earlier = Some(stored("a", &before));
        let version = stored("b", &now);
        let changes = Changes::of(version.published.clone(), earlier, version).expect("read");
        assert!(changes.now.len() * 4 < full_now.len(), "{} entries", changes.now.len());
        let (mut concerned, mut notified) = (0, 0);
        for name in names.iter().take(subjects) {
            let query = ScreeningQuery::of(name.clone(), vec![List::Seco]);
            let search = Search::new(&query.subject(), query.threshold);
            let (then, today) = (found(&search, &full_before), found(&search, &full_now));
            let new_of = |it: Found| it.difference(&then).cloned().collect::<Found>();
            let (in_full, in_delta) = (new_of(today.clone()), new_of(found(&search, &changes.now)));
            assert_eq!(in_full, in_delta, "{name}");
            assert_eq!(changes.concern(&search).expect("readable"), then != today, "{name}");
            concerned += usize::from(then != today);
            notified += usize::from(!in_full.is_empty());
        }
        assert!(concerned > notified && notified > 100, "{concerned} {notified}");
    }
}
