//! What was published about the company, newest first.

use domain::{Amount, Event, Status, changes::Severity, legal_forms::LegalForm};
use jiff::civil::Date;
use serde::Serialize;

use super::{
    MAX_CHANGES, Profile, Tone,
    format::{SHORT, cut},
    source,
    words::{Words, filled},
};

#[derive(Debug, Serialize)]
pub(super) struct Changes {
    rows: Vec<Row>,
    /// What the section says without rows.
    empty: &'static str,
    /// How many changes are left out.
    more: Option<String>,
}

#[derive(Debug, Serialize)]
struct Row {
    date: String,
    kind: &'static str,
    tone: Tone,
    content: String,
    source: String,
}

impl Changes {
    pub(super) fn of(profile: &Profile, words: Words) -> Self {
        let newest = profile.history.newest_events(false).take(MAX_CHANGES);
        let rows: Vec<Row> = newest.map(|it| Row::of(&it.event, words)).collect();
        let left_out = profile.total_changes.saturating_sub(rows.len());
        let more = || filled(words.more_changes(), &words.grouped(left_out as u64));
        Self { rows, empty: words.no_changes(), more: (left_out > 0).then(more) }
    }
}

impl Row {
    fn of(event: &Event, words: Words) -> Self {
        let tone = match event.severity() {
            Severity::Critical => Tone::Bad,
            Severity::High => Tone::Warn,
            Severity::Medium | Severity::Low => Tone::Plain,
        };
        Self {
            date: words.date(event.date),
            kind: words.change(event.kind),
            tone,
            content: content(event, words),
            source: source(&event.source, words, false),
        }
    }
}

/// Whom the change concerns, and the values before and after it. The English summary only if there is nothing else.
fn content(event: &Event, words: Words) -> String {
    let value = |it: &Option<String>| Some(value(event.field.as_deref(), it.as_deref()?, words));
    let values = match (value(&event.old_value), value(&event.new_value)) {
        (Some(old), Some(new)) => Some(format!("{old} → {new}")),
        (Some(old), None) => Some(format!("{old} → –")),
        (None, new) => new,
    };
    let subject = event.subject.as_ref().map(|it| cut(&it.name, SHORT));
    match (subject, values) {
        (Some(subject), Some(values)) if subject != values => format!("{subject}: {values}"),
        (Some(text), _) | (None, Some(text)) => text,
        (None, None) => cut(&event.summary, SHORT),
    }
}

/// A value of a field, as the document writes it. Names and texts are as published, the same in every language.
fn value(field: Option<&str>, text: &str, words: Words) -> String {
    let known = match field {
        Some("status") => Status::ALL
            .into_iter()
            .find(|it| it.name() == text)
            .map(|it| words.status_name(it).to_owned()),
        Some("legalForm") => LegalForm::named(text).map(|it| it.names[words.position()].to_owned()),
        Some("auditorOptOut") => match text {
            "true" => Some(words.yes().to_owned()),
            "false" => Some(words.no().to_owned()),
            _ => None,
        },
        Some("statutes") => text.parse::<Date>().ok().map(|it| words.date(it)),
        Some(
            "shareCapital"
            | "paidInCapital"
            | "participationCapital"
            | "paidInParticipationCapital",
        ) => text.parse::<Amount>().ok().map(|it| words.amount(it)),
        _ => None,
    };
    known.unwrap_or_else(|| cut(text, SHORT))
}
