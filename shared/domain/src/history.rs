//! What happened to a company, whole: the events, mandates and audits that its facts tell.

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

use crate::{Event, auditors::Tenure, changes::PublishedEvent, persons::Mandate};

/// The history of one company.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// In the order of publication.
    pub events: Vec<Recorded>,
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
}

impl From<Event> for Recorded {
    fn from(event: Event) -> Self {
        Self { event, sequence: None, recorded_at: None }
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
            event: self.event.clone(),
        })
    }
}

impl History {
    /// Keeps the places in the feed that the same events have in `before`.
    #[must_use]
    pub fn with_places_of(mut self, before: &Self) -> Self {
        for recorded in self.events.iter_mut().filter(|it| it.sequence.is_none()) {
            if let Some(known) = before.events.iter().find(|it| it.event.id == recorded.event.id) {
                recorded.sequence = known.sequence;
                recorded.recorded_at = known.recorded_at;
            }
        }
        self
    }

    /// Whether an event waits for its place in the feed.
    pub fn has_unpublished(&self) -> bool {
        self.events.iter().any(|it| it.sequence.is_none())
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
