//! Changes of a company: the change types that the register publishes, and one event.

mod event;
mod kind;
mod legal_events;
mod severity;

pub use self::{
    event::{ChangedField, Event, PublishedEvent, Subject, Transfer, midnight},
    kind::ChangeKind,
    legal_events::LegalEvent,
    severity::{Severity, SeverityText},
};
