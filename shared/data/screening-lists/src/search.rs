use std::{
    collections::{BTreeMap, BTreeSet},
    io,
};

use domain::lists::{HitMeaning, List, ListEntry};
use matching::{Comparison, Explained, Prepared, Subject, compare_all, explain};

use crate::OpenList;

/// A subject that is compared with lists.
#[derive(Debug)]
pub struct Search {
    subject: Prepared,
    threshold: f64,
    /// Whether only probable candidates are compared.
    is_one_of_many: bool,
}

/// An entry that may be the subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The list of the entry.
    pub list: List,
    /// What the list states.
    pub entry: ListEntry,
    /// Score, risk level and reasons.
    pub explained: Explained,
}

/// What a search finds in a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Number of entries that reach the threshold.
    pub total: usize,
    /// The highest score of those that are not in `hits`; 0 if all are.
    pub highest_left_out: f64,
    /// The best of them, highest score first.
    pub hits: Vec<Hit>,
}

impl Search {
    /// Compares a subject with lists. Entries below `threshold`, 0–1, are no hits.
    pub fn new(subject: &Subject, threshold: f64) -> Self {
        Self { subject: Prepared::new(subject), threshold, is_one_of_many: false }
    }

    /// Compares only probable candidates ([`Candidates::find_probable`](matching::Candidates::find_probable)): for all companies
    /// of the register.
    #[must_use]
    pub fn one_of_many(self) -> Self {
        Self { is_one_of_many: true, ..self }
    }

    /// The entries of a list that may be the subject, at most `limit` of them with their reasons.
    pub fn find(&self, list: &OpenList, limit: usize) -> io::Result<Found> {
        self.find_including(list, limit, &BTreeSet::new())
    }

    /// As [`Search::find`]. The entries with the ids `included` that reach the threshold are among the hits, although others have
    /// higher scores or share more with the subject.
    pub fn find_including(
        &self,
        list: &OpenList,
        limit: usize,
        included: &BTreeSet<String>,
    ) -> io::Result<Found> {
        let mut candidates = match self.is_one_of_many {
            true => list.candidates.find_probable(&self.subject, self.threshold),
            false => list.candidates.find(&self.subject),
        };
        let mut positions = BTreeSet::new();
        for id in included {
            positions.extend(list.position(id)?);
        }
        candidates.retain(|it| !positions.contains(it));
        candidates.extend(&positions);
        let listed: Vec<&Prepared> =
            candidates.iter().map(|it| &list.subjects[*it as usize]).collect();
        let compared = compare_all(&self.subject, &listed).zip(candidates);
        let mut scored: Vec<(Comparison, u32)> =
            compared.filter(|(it, _)| it.score >= self.threshold).collect();
        let total = scored.len();
        // Entries are written in the order of the file, which is the same each time the version is opened.
        scored.sort_by(|(one, at), (other, place)| {
            other.score.total_cmp(&one.score).then(at.cmp(place))
        });
        let highest_left_out = split(&mut scored, limit, &positions);
        let hit = |(_, position): (Comparison, u32)| {
            let listed = &list.subjects[position as usize];
            let explained = explain(&self.subject, listed);
            Ok(Hit { list: list.list(), entry: list.entry(position)?, explained })
        };
        let hits: io::Result<Vec<Hit>> = scored.into_iter().map(hit).collect();
        Ok(Found { total, highest_left_out, hits: hits? })
    }
}

/// Keeps at most `limit` of the scored entries, which are sorted: first those at the positions `included`, then the best.
/// Returns the highest score of the others; 0 if there are none.
fn split(scored: &mut Vec<(Comparison, u32)>, limit: usize, included: &BTreeSet<u32>) -> f64 {
    let found = scored.iter().filter(|(_, position)| included.contains(position)).count();
    let mut others = limit.saturating_sub(found);
    let mut left = limit;
    let mut highest_left_out = 0.0_f64;
    scored.retain(|(comparison, position)| {
        let is_included = included.contains(position);
        let is_kept = left > 0 && (is_included || others > 0);
        if is_kept {
            left -= 1;
            others -= usize::from(!is_included);
        } else {
            highest_left_out = highest_left_out.max(comparison.score);
        }
        is_kept
    });
    highest_left_out
}

/// What was found in several lists together.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    /// Number of entries that reach the threshold.
    pub(crate) total: usize,
    /// The best of them: those that can be a risk before those that are information, each highest score first.
    pub(crate) hits: Vec<Hit>,
    /// For each list on which a hit can be a risk, the highest score of those that are not in `hits`; none if all are.
    pub(crate) left_out: BTreeMap<List, f64>,
}

impl Merged {
    /// Keeps at most `limit` hits.
    pub(crate) fn of(found: impl IntoIterator<Item = (List, Found)>, limit: usize) -> Self {
        let mut all = Self::default();
        let is_information = |it: List| it.meaning() == HitMeaning::Information;
        for (list, Found { total, highest_left_out, hits }) in found {
            all.total += total;
            all.hits.extend(hits);
            if highest_left_out > 0.0 && !is_information(list) {
                all.left_out.insert(list, highest_left_out);
            }
        }
        let score = |it: &Hit| it.explained.comparison.score;
        all.hits.sort_by(|one, other| {
            let place = |it: &Hit| (it.list, it.entry.id.clone());
            let by_meaning = is_information(one.list).cmp(&is_information(other.list));
            let by_score = score(other).total_cmp(&score(one));
            by_meaning.then(by_score).then_with(|| place(one).cmp(&place(other)))
        });
        for hit in all.hits.drain(limit.min(all.hits.len())..) {
            if !is_information(hit.list) {
                let highest = all.left_out.entry(hit.list).or_default();
                *highest = highest.max(score(&hit));
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use domain::lists::{EntryKind, ListName, NameQuality};
    use matching::{Kind, MAX_CANDIDATES, Name};

    use super::*;
    use crate::StoredEntries;

    fn entry(id: &str, name: &str) -> ListEntry {
        let mut entry = ListEntry::new(List::Seco, id, EntryKind::Person);
        entry.names = [ListName::new(NameQuality::Primary, name)].into();
        entry
    }

    fn search() -> Search {
        let names = vec![Name::new("Anna Muster")];
        Search::new(&Subject { kind: Kind::Person, names, ..Subject::default() }, 0.7)
    }

    #[test]
    fn an_included_entry_is_found_among_more_entries_of_the_same_name_than_are_compared() {
        let number = MAX_CANDIDATES * 2;
        let all: Vec<ListEntry> =
            (0..number).map(|id| entry(&format!("{id}"), "Anna Muster")).collect();
        let list = OpenList::read(StoredEntries::of("a", &all), |_| true).expect("readable");
        let ids = |it: &Found| it.hits.iter().map(|it| it.entry.id.clone()).collect::<Vec<_>>();
        let last = (number - 1).to_string();
        let found = search().find(&list, 25).expect("readable");
        assert!(!ids(&found).contains(&last), "others are compared");
        let included = BTreeSet::from([last.clone(), "unknown".to_owned()]);
        let found = search().find_including(&list, 25, &included).expect("readable");
        assert_eq!(found.hits.len(), 25);
        assert!(ids(&found).contains(&last));
    }

    #[test]
    fn what_is_left_out_counts_for_its_own_list() {
        let hit = |list: List, id: usize, name: &str| {
            let listed = Subject { names: vec![Name::new(name)], ..Subject::default() };
            let explained = explain(&search().subject, &Prepared::new(&listed));
            let entry = ListEntry::new(list, &id.to_string(), EntryKind::Person);
            Hit { list, entry, explained }
        };
        let hits = |list| (0..3).map(|id| hit(list, id, "Anna Muster")).collect::<Vec<_>>();
        let of = |list| (list, Found { total: 3, highest_left_out: 0.0, hits: hits(list) });
        let merged = Merged::of([of(List::FinmaAuthorised), of(List::Seco)], 3);
        assert_eq!((merged.total, merged.left_out.len()), (6, 0), "a licence is no risk");
        let merged = Merged::of([of(List::FinmaWarning), of(List::Seco)], 3);
        let lists: Vec<List> = merged.left_out.keys().copied().collect();
        assert_eq!(lists.len(), 1, "{lists:?}");
        assert!(merged.hits.iter().all(|it| !lists.contains(&it.list)));
    }
}
