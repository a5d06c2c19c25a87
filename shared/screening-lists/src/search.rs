use std::{collections::BTreeSet, io};

use domain::lists::{HitMeaning, List, ListEntry};
use screening::{Comparison, Explanation, Prepared, Subject, compare, explain};

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
    /// Score and risk level.
    pub comparison: Comparison,
    /// The reasons of the score.
    pub explanations: Vec<Explanation>,
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

    /// Compares only probable candidates ([`Candidates::find_probable`](screening::Candidates::find_probable)): for all companies
    /// of the register.
    #[must_use]
    pub fn one_of_many(self) -> Self {
        Self { is_one_of_many: true, ..self }
    }

    /// The entries of a list that may be the subject, at most `limit` of them with their reasons.
    pub fn find(&self, list: &OpenList, limit: usize) -> io::Result<Found> {
        self.find_including(list, limit, &BTreeSet::new())
    }

    /// As [`Search::find`]. The entries with the ids `included` are among the hits, also if others have higher scores.
    pub fn find_including(
        &self,
        list: &OpenList,
        limit: usize,
        included: &BTreeSet<String>,
    ) -> io::Result<Found> {
        let candidates = match self.is_one_of_many {
            true => list.candidates.find_probable(&self.subject, self.threshold),
            false => list.candidates.find(&self.subject),
        };
        let compared = candidates
            .into_iter()
            .map(|position| (compare(&self.subject, &list.subjects[position as usize]), position));
        let mut scored: Vec<(Comparison, u32)> =
            compared.filter(|(it, _)| it.score >= self.threshold).collect();
        let total = scored.len();
        // Entries are written in the order of the file, which is the same each time the version is opened.
        scored.sort_by(|(one, at), (other, place)| {
            other.score.total_cmp(&one.score).then(at.cmp(place))
        });
        let highest_left_out = split(&mut scored, limit, |position| {
            Ok(!included.is_empty() && included.contains(&list.entry(position)?.id))
        })?;
        let hit = |(_, position): (Comparison, u32)| {
            let listed = &list.subjects[position as usize];
            let (comparison, explanations) = explain(&self.subject, listed);
            let entry = list.entry(position)?;
            Ok(Hit { list: list.list(), entry, comparison, explanations })
        };
        let hits: io::Result<Vec<Hit>> = scored.into_iter().map(hit).collect();
        Ok(Found { total, highest_left_out, hits: hits? })
    }
}

/// Keeps at most `limit` of the scored entries, which are sorted: first those that are included, then the best. Returns the
/// highest score of the others; 0 if there are none.
fn split(
    scored: &mut Vec<(Comparison, u32)>,
    limit: usize,
    mut is_included: impl FnMut(u32) -> io::Result<bool>,
) -> io::Result<f64> {
    if scored.len() <= limit {
        return Ok(0.0);
    }
    let mut kept = Vec::with_capacity(scored.len());
    for (_, position) in scored.iter() {
        kept.push(is_included(*position)?);
    }
    let mut left = limit;
    for it in &mut kept {
        *it = *it && left > 0;
        left -= usize::from(*it);
    }
    for it in kept.iter_mut().filter(|it| !**it).take(left) {
        *it = true;
    }
    let first_left_out = kept.iter().position(|it| !it).and_then(|it| scored.get(it));
    let highest = first_left_out.map_or(0.0, |(it, _)| it.score);
    let mut kept = kept.into_iter();
    scored.retain(|_| kept.next().unwrap_or_default());
    Ok(highest)
}

impl Found {
    /// What was found in several lists together: at most `limit` hits, those that can be a risk before those that are
    /// information. Only what can be a risk counts for `highest_left_out`.
    pub fn merged(found: impl IntoIterator<Item = (List, Self)>, limit: usize) -> Self {
        let mut all = Self::default();
        for (list, Self { total, highest_left_out, hits }) in found {
            all.total += total;
            all.hits.extend(hits);
            if list.meaning() == HitMeaning::Risk {
                all.highest_left_out = all.highest_left_out.max(highest_left_out);
            }
        }
        let is_information = |it: &Hit| it.list.meaning() == HitMeaning::Information;
        all.hits.sort_by(|one, other| {
            let place = |it: &Hit| (it.list, it.entry.id.clone());
            let by_meaning = is_information(one).cmp(&is_information(other));
            let by_score = other.comparison.score.total_cmp(&one.comparison.score);
            by_meaning.then(by_score).then_with(|| place(one).cmp(&place(other)))
        });
        if let Some(hit) = all.hits.get(limit).filter(|it| !is_information(it)) {
            all.highest_left_out = all.highest_left_out.max(hit.comparison.score);
        }
        all.hits.truncate(limit);
        all
    }
}
