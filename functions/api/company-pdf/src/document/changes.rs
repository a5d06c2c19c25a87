//! What was published about the company, newest first.

use auth::Language;
use domain::{
    ChangeKind, Event, Status,
    changes::{LegalEvent, Severity},
    legal_forms::LegalForm,
    terms::{self, Text},
};
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
    kind: String,
    tone: Tone,
    content: String,
    source: String,
}

impl Changes {
    pub(super) fn of(profile: &Profile, words: Words) -> Self {
        let legal_form = profile.company.legal_form_code.as_deref();
        let newest = profile.history.newest_events(false).take(MAX_CHANGES);
        let rows: Vec<Row> = newest.map(|it| Row::of(&it.event, legal_form, words)).collect();
        let left_out = profile.total_changes.saturating_sub(rows.len());
        let more = || filled(words.more_changes(left_out), &words.grouped(left_out as u64));
        Self { rows, empty: words.no_changes(), more: (left_out > 0).then(more) }
    }
}

impl Row {
    fn of(event: &Event, legal_form: Option<&str>, words: Words) -> Self {
        let kind = words.change(event.kind, legal_form);
        let tone = match event.severity() {
            Severity::Critical => Tone::Bad,
            Severity::High => Tone::Warn,
            Severity::Medium | Severity::Low => Tone::Plain,
        };
        Self {
            date: words.date(event.date),
            content: content(event, &kind, words),
            kind,
            tone,
            source: source(&event.source, words, false),
        }
    }
}

/// What happened, whom it concerns, and the values before and after it. The kind of the change is in another column.
fn content(event: &Event, kind: &str, words: Words) -> String {
    let values = values(event, words);
    // The values of a change of auditor are the names of the firms.
    let has_subject = event.kind != ChangeKind::AuditorChange || values.is_none();
    let subject = event.subject.as_ref().filter(|_| has_subject).map(|it| cut(&it.name, SHORT));
    let subject = subject.filter(|it| Some(it) != values.as_ref());
    let details: Vec<String> = [subject, values].into_iter().flatten().collect();
    let has_news = |it: &String| details.is_empty() || it != kind;
    let heading = heading(event).map(|it| words.term(it)).filter(has_news);
    let parts: Vec<String> = heading.into_iter().chain(details.iter().cloned()).collect();
    match (parts.is_empty(), words.0) {
        (false, _) => parts.join(": "),
        (true, Language::En) => cut(&event.summary, SHORT),
        // Summaries are in English.
        (true, _) => kind.to_owned(),
    }
}

/// The legal event, or the direction of a merger.
fn heading(event: &Event) -> Option<Text> {
    let of_merger = || {
        let field = event.field.as_deref().filter(|_| event.kind == ChangeKind::Merger);
        field.and_then(combination)
    };
    event.legal_event.map(terms::legal_event).or_else(of_merger)
}

/// The values before and after the change.
fn values(event: &Event, words: Words) -> Option<String> {
    let field = event.field.as_deref();
    let value = |it: &Option<String>, at: usize| {
        let currency = event.currencies.as_ref().map(|it| it[at].as_str());
        Some(value(field, it.as_deref()?, currency, words))
    };
    match (value(&event.old_value, 0), value(&event.new_value, 1)) {
        (Some(old), Some(new)) => Some(format!("{old} → {new}")),
        (Some(old), None) => Some(format!("{old} → –")),
        (None, Some(new)) if field == Some("auditorName") => Some(format!("– → {new}")),
        // After an entry or a deletion there is only one status.
        (None, Some(_)) if field == Some("status") && has_one_status(event) => None,
        (None, new) => new,
    }
}

fn has_one_status(event: &Event) -> bool {
    let is_of_kind = matches!(event.kind, ChangeKind::NewRegistration | ChangeKind::Deletion);
    is_of_kind && event.legal_event.is_some()
}

/// A value of a field, as the document writes it. Names and texts are as published, the same in every language.
/// An amount has a currency.
fn value(field: Option<&str>, text: &str, currency: Option<&str>, words: Words) -> String {
    if let (Some(currency), Ok(amount)) = (currency, text.parse()) {
        return format!("{currency}\u{a0}{}", words.amount(amount));
    }
    let known = match field {
        Some("status") => Status::ALL
            .into_iter()
            .find(|it| it.name() == text)
            .map(|it| words.status_name(it).to_owned()),
        Some("legalForm") => LegalForm::named(text).map(|it| words.of(it.names).to_owned()),
        Some("auditorOptOut") => match text {
            "true" => Some(words.yes().to_owned()),
            "false" => Some(words.no().to_owned()),
            _ => None,
        },
        Some("statutes") => text.parse::<Date>().ok().map(|it| words.date(it)),
        _ => None,
    };
    known.unwrap_or_else(|| cut(text, SHORT))
}

/// The direction of a merger, demerger or transfer that has no legal event, by the field of the change. The name of the other
/// company completes it.
fn combination(field: &str) -> Option<Text> {
    Some(match field {
        "hasTakenOver" => terms::legal_event(LegalEvent::Absorbs),
        "wasTakenOverBy" => terms::legal_event(LegalEvent::IsAbsorbed),
        "merger" => ["Fusion mit", "fusion avec", "fusione con", "merger with"],
        "demerger" => [
            "Spaltung, andere Partei",
            "scission, autre partie",
            "scissione, altra parte",
            "demerger, other party",
        ],
        "assetTransfer" => [
            "Vermögensübertragung, andere Partei",
            "transfert de patrimoine, autre partie",
            "trasferimento di patrimonio, altra parte",
            "transfer of assets, other party",
        ],
        _ => return None,
    })
}
