//! The complete history of a company: events, mandates and audits.
//!
//! Invariant: an event that was published in the change feed keeps its sequence number, id and content
//! forever. If later facts contradict it, a new event is appended to the feed and lists the events it
//! replaces. A consumer that drops replaced events has the valid events at every position of the feed.

use std::{
    collections::{BTreeMap, HashSet},
    ops::Range,
};

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

use crate::{
    ChangeKind, Company, Event, Provenance,
    auditors::Tenure,
    changes::{LegalEvent, PublishedEvent},
    persons::Mandate,
};

/// The history of one company.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// Valid events, in the order of publication.
    pub events: Vec<Recorded>,
    /// Published events that are no longer valid, because their publication was withdrawn or is now
    /// interpreted differently.
    pub replaced: Vec<Recorded>,
    /// Current and ended mandates, in the order of entry.
    pub mandates: Vec<Mandate>,
    /// Current and ended audits, in the order of appointment.
    pub tenures: Vec<Tenure>,
    /// Pairs of ids that belong to one person according to a notice of a move or a change of name.
    pub same_persons: Vec<(Uuid, Uuid)>,
}

/// An event with its position in the change feed.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recorded {
    /// The event.
    #[serde(flatten)]
    pub event: Event,
    /// Sequence number in the feed. `None` until the event is published.
    pub sequence: Option<u64>,
    /// Time at which the event was published in the feed. `None` until then.
    pub recorded_at: Option<Timestamp>,
    /// Ids of the events that this one replaces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<Uuid>,
}

/// What a history contains, without its content: enough to count and to select.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryOutline {
    /// Valid events, in the order of publication.
    pub events: Vec<EventOutline>,
    /// Number of mandates that have not ended.
    pub current_mandates: usize,
}

/// Date, kind and size of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventOutline {
    /// Date of the publication.
    pub date: Date,
    /// Change type.
    pub kind: ChangeKind,
    /// Size of the event as JSON, in bytes.
    pub size: usize,
}

impl EventOutline {
    /// As [`Event::is_internal`].
    pub fn is_internal(&self) -> bool {
        self.kind.is_internal()
    }
}

impl HistoryOutline {
    /// The positions of the events, newest first.
    pub fn newest_events(
        &self,
        include_internal: bool,
    ) -> impl Iterator<Item = (usize, &EventOutline)> {
        let newest = self.events.iter().enumerate().rev();
        newest.filter(move |(_, it)| include_internal || !it.is_internal())
    }
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
    /// Time at which the event was published in the feed; until then, the start of its date.
    pub fn detected_at(&self) -> Timestamp {
        self.recorded_at.unwrap_or_else(|| self.event.time())
    }

    /// The event as it is in the feed. `None` until it is published.
    pub fn published(&self) -> Option<PublishedEvent> {
        Some(PublishedEvent {
            sequence: self.sequence?,
            recorded_at: self.recorded_at?,
            replaces: self.replaces.clone(),
            event: self.event.clone(),
        })
    }

    fn is_published(&self) -> bool {
        self.sequence.is_some()
    }

    /// Whether both have the same content, apart from their ids.
    fn has_same_content(&self, other: &Self) -> bool {
        Event { id: other.event.id, ..self.event.clone() } == other.event
    }

    /// Whether both are of the same publication, kind and field, and something of their content was erased: from the
    /// published text of the one, and from the publication of which the other was made.
    fn is_same_redacted(&self, other: &Self) -> bool {
        let (one, other) = (&self.event, &other.event);
        let is_same =
            (one.kind, &one.field, &one.source) == (other.kind, &other.field, &other.source);
        is_same && one.is_redacted() && other.is_redacted()
    }
}

impl History {
    /// Takes over the published events of `before`, the previous history, into this one, which was
    /// derived from the current facts. An event with the same content keeps its sequence number and id; so does one of
    /// which something was erased, with its published text. A published event without a counterpart is to be replaced.
    /// An event with new content is a new event.
    #[must_use]
    pub fn continuing(mut self, before: &Self) -> Self {
        let superseded = before.superseded_ids();
        let mut ids: HashSet<Uuid> = HashSet::new();
        let mut published: BTreeMap<Date, Vec<Recorded>> = BTreeMap::new();
        for event in before.events.iter().chain(&before.replaced).filter(|it| it.is_published()) {
            ids.insert(event.event.id);
            if superseded.contains(&event.event.id) {
                self.replaced.push(event.clone());
            } else {
                published.entry(event.event.date).or_default().push(event.clone());
            }
        }
        for recorded in &mut self.events {
            let of_day = published.get_mut(&recorded.event.date);
            let same = of_day.and_then(|of_day| {
                let at = of_day.iter().position(|it| it.has_same_content(recorded));
                let at =
                    at.or_else(|| of_day.iter().position(|it| it.is_same_redacted(recorded)))?;
                Some(of_day.remove(at))
            });
            match same {
                Some(same) => *recorded = same,
                None => recorded.event.id = free_id(recorded.event.id, &ids),
            }
        }
        self.replaced.extend(published.into_values().flatten());
        self
    }

    /// Whether something is not yet published: an event, or the replacement of one.
    pub fn has_unpublished(&self) -> bool {
        self.events.iter().any(|it| !it.is_published())
            || (!self.events.is_empty() && !self.unpublished_replacements().is_empty())
    }

    /// Publishes at most `limit` of the unpublished events: gives them the sequence numbers after `last`
    /// and returns them. `last` is advanced.
    pub fn publish(&mut self, last: &mut u64, now: Timestamp, limit: usize) -> Vec<PublishedEvent> {
        for replaced in self.unpublished_replacements() {
            self.replace(&replaced);
        }
        let mut published = Vec::new();
        for recorded in self.events.iter_mut().filter(|it| !it.is_published()).take(limit) {
            *last += 1;
            recorded.sequence = Some(*last);
            recorded.recorded_at = Some(now);
            published.extend(recorded.published());
        }
        published
    }

    /// The history as published in the feed up to and including this sequence number.
    #[must_use]
    pub fn published_through(mut self, sequence: u64) -> Self {
        let is_included = |it: &Recorded| it.sequence.is_some_and(|it| it <= sequence);
        if self.replaced.is_empty() && self.events.iter().all(is_included) {
            return self;
        }
        self.events.append(&mut self.replaced);
        self.events.retain(is_included);
        self.events.sort_by_key(|it| it.event.date);
        let superseded = self.superseded_ids();
        (self.replaced, self.events) =
            self.events.into_iter().partition(|it| superseded.contains(&it.event.id));
        self
    }

    /// Ids of the events that published events replace.
    fn superseded_ids(&self) -> HashSet<Uuid> {
        let published = self.events.iter().chain(&self.replaced).filter(|it| it.is_published());
        published.flat_map(|it| &it.replaces).copied().collect()
    }

    /// Replaced events whose replacement is not yet published.
    fn unpublished_replacements(&self) -> Vec<Recorded> {
        if self.replaced.is_empty() {
            return Vec::new();
        }
        let superseded = self.superseded_ids();
        let pending = self.replaced.iter().filter(|it| !superseded.contains(&it.event.id));
        pending.cloned().collect()
    }

    /// Chooses an event of the same date that replaces `replaced`: the most similar unpublished event,
    /// which is usually from the same publication. If there is none, a published event is published again
    /// under a new id.
    fn replace(&mut self, replaced: &Recorded) {
        let similarity = |it: &Recorded| {
            let (one, other) = (&it.event, &replaced.event);
            let same_subject =
                (one.kind, &one.field, &one.subject) == (other.kind, &other.field, &other.subject);
            (!it.is_published(), one.source == other.source, same_subject)
        };
        let most_similar =
            self.places_on(replaced.event.date).max_by_key(|at| similarity(&self.events[*at]));
        // If the date has no events left, the newest event is used.
        let Some(at) = most_similar.or(self.events.len().checked_sub(1)) else { return };
        if self.events[at].is_published() {
            let ids = self.events.iter().chain(&self.replaced).map(|it| it.event.id).collect();
            let mut again = Recorded::from(self.events[at].event.clone());
            again.event.id = free_id(again.event.id, &ids);
            again.replaces.push(self.events[at].event.id);
            self.replaced.push(std::mem::replace(&mut self.events[at], again));
        }
        // An earlier call may have added it already, if `limit` stopped the publication.
        if !self.events[at].replaces.contains(&replaced.event.id) {
            self.events[at].replaces.push(replaced.event.id);
        }
    }

    /// Where the events that were published on a day stand among all.
    fn places_on(&self, day: Date) -> Range<usize> {
        let first = self.events.partition_point(|it| it.event.date < day);
        first..self.events.partition_point(|it| it.event.date <= day)
    }

    /// Valid events that were published on a day.
    pub fn events_on(&self, day: Date) -> impl Iterator<Item = &Event> {
        self.events[self.places_on(day)].iter().map(|it| &it.event)
    }

    /// Id of the event that replaced the event with this id.
    pub fn replacement(&self, id: Uuid) -> Option<Uuid> {
        let all = self.events.iter().chain(&self.replaced);
        all.filter(|it| it.is_published())
            .find(|it| it.replaces.contains(&id))
            .map(|it| it.event.id)
    }

    /// Valid events, newest first.
    pub fn newest_events(&self, include_internal: bool) -> impl Iterator<Item = &Recorded> {
        self.events.iter().rev().filter(move |it| include_internal || !it.event.is_internal())
    }

    /// Legal events, newest first.
    pub fn newest_legal_events(&self) -> impl Iterator<Item = LegalEvent> {
        self.newest_events(false).filter_map(|it| it.event.legal_event)
    }

    /// The day of the register's journal on which that took effect which was published on a day (ORC 34). `None` if the events of the
    /// day state none, or several.
    pub fn journal_date(&self, published: Date) -> Option<Date> {
        let mut days = self.events_on(published).filter_map(|it| it.journal_date);
        let day = days.next()?;
        days.all(|it| it == day).then_some(day)
    }

    /// Mandates that have not ended.
    pub fn current_mandates(&self) -> impl Iterator<Item = &Mandate> {
        self.mandates.iter().filter(|it| it.is_current())
    }

    /// Mandates that have not ended, in the order of their categories (board first), then in the order of
    /// entry.
    pub fn board(&self) -> Vec<&Mandate> {
        let mut board: Vec<&Mandate> = self.current_mandates().collect();
        board.sort_by_key(|it| it.category);
        board
    }

    /// The current auditor.
    pub fn current_tenure(&self) -> Option<&Tenure> {
        self.tenures.iter().rev().find(|it| it.is_current())
    }

    /// Date of the newest event.
    pub fn newest(&self) -> Option<Date> {
        self.events.last().map(|it| it.event.date)
    }
}

/// The current and former auditors of a company, latest first.
///
/// Most tenures come from publications. If they state no current auditor but the company record does,
/// the record's auditor is added, without an appointment date and with `record_source` as its source.
/// The record of a deleted company keeps its last auditor, whose tenure ends with the deletion; it is
/// not added again if the publications already list it until then.
pub fn tenures(
    company: &Company,
    history: &History,
    record_source: Option<Provenance>,
) -> Vec<Tenure> {
    let mut tenures: Vec<Tenure> = history.tenures.iter().rev().cloned().collect();
    // A deletion is published some days after it happened.
    let lasted_until_deletion =
        |it: &Tenure| company.deletion_date.is_some_and(|end| it.resigned_at >= Some(end));
    if let Some(auditor_name) = company.auditor_name.clone()
        && history.current_tenure().is_none()
        && !history
            .tenures
            .iter()
            .any(|it| lasted_until_deletion(it) && company.names_auditor_of(it))
    {
        let source = || Provenance {
            source: company.auditor_source.clone().unwrap_or_default(),
            reference: None,
            date: None,
        };
        let auditor_of_record = Tenure {
            auditor_name,
            auditor_uid: company.auditor_uid,
            appointed_as: None,
            appointed_at: None,
            resigned_at: company.deletion_date,
            source: record_source.unwrap_or_else(source),
        };
        tenures.insert(0, auditor_of_record);
    }
    tenures
}

/// Returns `id` if it is free, or else the next free id derived from it.
fn free_id(id: Uuid, taken: &HashSet<Uuid>) -> Uuid {
    // Published ids depend on this text: it must not change.
    let next = |id: &Uuid| Some(Uuid::new_v5(id, b"told again"));
    let mut ids = std::iter::successors(Some(id), next);
    ids.find(|it| !taken.contains(it)).unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Uid;

    #[test]
    fn last_auditor_of_a_deleted_company_is_listed_once() {
        let uid = |text: &str| text.parse::<Uid>().ok();
        let tenure = |name: &str, number: &str, until: &str| Tenure {
            auditor_name: name.into(),
            auditor_uid: uid(number),
            appointed_as: None,
            appointed_at: "2020-01-01".parse().ok(),
            resigned_at: until.parse().ok(),
            source: Provenance { source: "shab".into(), reference: None, date: None },
        };
        let mut company = Company::new(uid("CHE-107.787.577").expect("well-formed"), "Muster AG");
        company.auditor_name = Some("Prüf AG".into());
        company.auditor_uid = uid("CHE-106.084.881");
        company.deletion_date = "2026-03-02".parse().ok();
        let count = |published: Tenure| {
            let history = History { tenures: vec![published], ..History::default() };
            tenures(&company, &history, None).len()
        };
        assert_eq!(count(tenure("PRÜF AG", "", "2026-03-02")), 1, "same name");
        assert_eq!(
            count(tenure("Alte Prüf AG", "CHE-106.084.881", "2026-03-05")),
            1,
            "same number"
        );
        assert_eq!(count(tenure("Prüf AG", "CHE-600.000.012", "2026-03-02")), 2, "another firm");
        assert_eq!(count(tenure("Prüf AG", "", "2024-01-01")), 2, "appointed again");
    }
}
