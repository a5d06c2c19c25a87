//! What happened to a company, whole: the events, mandates and audits that its facts tell.
//!
//! Invariant: what has its place in the feed keeps place, id and words for ever. Facts that come later
//! may tell otherwise: then another event gets a place at the end of the feed, and names those that it
//! replaces. So whoever drops what is replaced has, at any place of the feed, the events that count.

use std::collections::{BTreeMap, HashSet};

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

use crate::{Event, auditors::Tenure, changes::PublishedEvent, persons::Mandate};

/// The history of one company.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// Those that count, in the order of publication.
    pub events: Vec<Recorded>,
    /// Those that have their place in the feed and count no more: of a publication that was withdrawn, or
    /// told otherwise since.
    pub replaced: Vec<Recorded>,
    /// In the order of entry; ended ones too.
    pub mandates: Vec<Mandate>,
    /// In the order of appointment; ended ones too.
    pub tenures: Vec<Tenure>,
    /// Ids that a notice shows to be of one person: somebody who moved, or took another name.
    pub same_persons: Vec<(Uuid, Uuid)>,
}

/// An event, and its place in the feed once it has one.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recorded {
    #[serde(flatten)]
    pub event: Event,
    pub sequence: Option<u64>,
    pub recorded_at: Option<Timestamp>,
    /// The ids of the events that count no more since this one was told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<Uuid>,
}

impl From<Event> for Recorded {
    fn from(event: Event) -> Self {
        Self { event, sequence: None, recorded_at: None, replaces: Vec::new() }
    }
}

impl From<PublishedEvent> for Recorded {
    fn from(published: PublishedEvent) -> Self {
        let PublishedEvent { sequence, recorded_at, replaces, event } = published;
        Self { event, sequence: Some(sequence), recorded_at: Some(recorded_at), replaces }
    }
}

impl Recorded {
    /// When the event got its place in the feed; until then, the beginning of its day.
    pub fn detected_at(&self) -> Timestamp {
        self.recorded_at.unwrap_or_else(|| self.event.time())
    }

    /// The event in the feed; `None` until it has its place.
    pub fn published(&self) -> Option<PublishedEvent> {
        Some(PublishedEvent {
            sequence: self.sequence?,
            recorded_at: self.recorded_at?,
            replaces: self.replaces.clone(),
            event: self.event.clone(),
        })
    }

    fn has_place(&self) -> bool {
        self.sequence.is_some()
    }

    /// Whether both tell the same in the same words, whatever their ids.
    fn tells_the_same(&self, other: &Self) -> bool {
        Event { id: other.event.id, ..self.event.clone() } == other.event
    }
}

impl History {
    /// The history that facts tell now, after `before` was told. Events that tell the same keep their
    /// place and id; one that was told and is told no more waits to be replaced; one that is told
    /// otherwise, or anew, is another event.
    #[must_use]
    pub fn continuing(mut self, before: &Self) -> Self {
        let taken_back = before.taken_back();
        let mut ids: HashSet<Uuid> = HashSet::new();
        let mut standing: BTreeMap<Date, Vec<Recorded>> = BTreeMap::new();
        for told in before.events.iter().chain(&before.replaced).filter(|it| it.has_place()) {
            ids.insert(told.event.id);
            if taken_back.contains(&told.event.id) {
                self.replaced.push(told.clone());
            } else {
                standing.entry(told.event.date).or_default().push(told.clone());
            }
        }
        for recorded in &mut self.events {
            let of_day = standing.get_mut(&recorded.event.date);
            let told = of_day.and_then(|of_day| {
                let at = of_day.iter().position(|it| it.tells_the_same(recorded))?;
                Some(of_day.remove(at))
            });
            match told {
                Some(told) => *recorded = told,
                None => recorded.event.id = free_id(recorded.event.id, &ids),
            }
        }
        self.replaced.extend(standing.into_values().flatten());
        self
    }

    /// Whether something waits for its place in the feed: an event, or that one counts no more.
    pub fn has_untold(&self) -> bool {
        self.events.iter().any(|it| !it.has_place())
            || (!self.events.is_empty() && !self.not_taken_back().is_empty())
    }

    /// Gives what waits the next places in the feed after `last`, the first `most` of it, and answers what
    /// stands there.
    pub fn tell(&mut self, last: &mut u64, now: Timestamp, most: usize) -> Vec<PublishedEvent> {
        for gone in self.not_taken_back() {
            self.replace(&gone);
        }
        let mut told = Vec::new();
        for recorded in self.events.iter_mut().filter(|it| !it.has_place()).take(most) {
            *last += 1;
            recorded.sequence = Some(*last);
            recorded.recorded_at = Some(now);
            told.extend(recorded.published());
        }
        told
    }

    /// The history as the feed tells it up to this place.
    #[must_use]
    pub fn told_until(mut self, sequence: u64) -> Self {
        let is_told = |it: &Recorded| it.sequence.is_some_and(|it| it <= sequence);
        if self.replaced.is_empty() && self.events.iter().all(is_told) {
            return self;
        }
        self.events.append(&mut self.replaced);
        self.events.retain(is_told);
        self.events.sort_by_key(|it| it.event.date);
        let taken_back = self.taken_back();
        (self.replaced, self.events) =
            self.events.into_iter().partition(|it| taken_back.contains(&it.event.id));
        self
    }

    /// The ids of those that others in the feed replace.
    fn taken_back(&self) -> HashSet<Uuid> {
        let told = self.events.iter().chain(&self.replaced).filter(|it| it.has_place());
        told.flat_map(|it| &it.replaces).copied().collect()
    }

    /// Those that count no more, and of which the feed does not say so yet.
    fn not_taken_back(&self) -> Vec<Recorded> {
        if self.replaced.is_empty() {
            return Vec::new();
        }
        let taken_back = self.taken_back();
        let waiting = self.replaced.iter().filter(|it| !taken_back.contains(&it.event.id));
        waiting.cloned().collect()
    }

    /// Has an event of its day replace this one: of those that wait the one most like it, as a rule of the
    /// same publication. Where none waits, one that has its place is told once more.
    fn replace(&mut self, gone: &Recorded) {
        let likeness = |it: &Recorded| {
            let (one, other) = (&it.event, &gone.event);
            let is_about_the_same =
                (one.kind, &one.field, &one.subject) == (other.kind, &other.field, &other.subject);
            (!it.has_place(), one.source == other.source, is_about_the_same)
        };
        let day = gone.event.date;
        let first = self.events.partition_point(|it| it.event.date < day);
        let behind = self.events.partition_point(|it| it.event.date <= day);
        let most_like = (first..behind).max_by_key(|at| likeness(&self.events[*at]));
        // Of a day of which nothing is left, whatever is newest tells.
        let Some(at) = most_like.or(self.events.len().checked_sub(1)) else { return };
        if self.events[at].has_place() {
            let ids = self.events.iter().chain(&self.replaced).map(|it| it.event.id).collect();
            let mut again = Recorded::from(self.events[at].event.clone());
            again.event.id = free_id(again.event.id, &ids);
            again.replaces.push(self.events[at].event.id);
            self.replaced.push(std::mem::replace(&mut self.events[at], again));
        }
        // It may wait with it already, where others were told first.
        if !self.events[at].replaces.contains(&gone.event.id) {
            self.events[at].replaces.push(gone.event.id);
        }
    }

    /// The event that this one was replaced by, by their ids.
    pub fn replacement(&self, id: Uuid) -> Option<Uuid> {
        let all = self.events.iter().chain(&self.replaced);
        all.filter(|it| it.has_place()).find(|it| it.replaces.contains(&id)).map(|it| it.event.id)
    }

    /// The events, newest first, the internal ones only if asked for.
    pub fn newest_events(&self, include_internal: bool) -> impl Iterator<Item = &Recorded> {
        self.events.iter().rev().filter(move |it| include_internal || !it.event.is_internal())
    }

    /// The mandates that last.
    pub fn current_mandates(&self) -> impl Iterator<Item = &Mandate> {
        self.mandates.iter().filter(|it| it.is_current())
    }

    /// The mandates that last: the board first, then by the categories' order; among equals in the order
    /// of entry.
    pub fn board(&self) -> Vec<&Mandate> {
        let mut board: Vec<&Mandate> = self.current_mandates().collect();
        board.sort_by_key(|it| it.category);
        board
    }

    /// The auditor of today.
    pub fn current_tenure(&self) -> Option<&Tenure> {
        self.tenures.iter().rev().find(|it| it.is_current())
    }

    /// The day of the newest event.
    pub fn newest(&self) -> Option<Date> {
        self.events.last().map(|it| it.event.date)
    }
}

/// This id, or where it is taken the next that follows from it.
fn free_id(id: Uuid, taken: &HashSet<Uuid>) -> Uuid {
    let next = |id: &Uuid| Some(Uuid::new_v5(id, b"told again"));
    let mut ids = std::iter::successors(Some(id), next);
    ids.find(|it| !taken.contains(it)).unwrap_or(id)
}
