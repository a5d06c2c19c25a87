//! The events that a publication contains. They depend on that publication only.

use std::collections::HashMap;

use domain::{
    ChangeKind, Event, Language,
    changes::{ChangedField, LegalEvent, Subject},
    wording,
};
use gazette_notice::Change;
use jiff::civil::Date;
use uuid::Uuid;

use super::ParsedPublication;

mod formalities;
mod members;
mod persons;
mod status;

/// Namespace of the event ids (UUID version 5).
const EVENTS: Uuid = Uuid::from_u128(0x2b0c_1d5c_6a3e_5f4b_9a77_51f3_6b86_03c4);

/// The events of a publication: first those about the company's status, then those about members of the record, about
/// its articles and corrections, and about persons. A cancelled publication has one event, which states that.
pub(super) fn events(publication: &ParsedPublication) -> Vec<Event> {
    let mut builder = EventBuilder { publication, events: Vec::new(), occurrences: HashMap::new() };
    if publication.is_cancelled {
        builder.add(ChangeKind::PublicationCancelled, None, None, Some(publication.key.clone()));
        return builder.events;
    }
    builder.add_status_events();
    builder.add_member_events();
    builder.add_formalities();
    builder.add_person_events();
    if builder.events.is_empty() {
        builder.add(ChangeKind::Other, None, None, None);
    }
    builder.events
}

/// Collects the events of one publication.
struct EventBuilder<'a> {
    publication: &'a ParsedPublication,
    events: Vec<Event>,
    /// The number of events so far with the same company, publication, kind, member and subject.
    occurrences: HashMap<String, usize>,
}

impl EventBuilder<'_> {
    /// Adds an event about one member, with a generated summary.
    fn add(
        &mut self,
        kind: ChangeKind,
        field: Option<&str>,
        old: Option<String>,
        new: Option<String>,
    ) {
        let company = &self.publication.company_name;
        let [shown_old, shown_new] = self.shown(field, old.as_deref(), new.as_deref());
        let summary = summary(kind, field, company, shown_old.as_deref(), shown_new.as_deref());
        self.push(kind, field, old, new, summary, None);
    }

    /// The former and the new value as a summary shows them: capitals with their currencies, and of long texts the part in
    /// which they differ.
    fn shown(
        &self,
        field: Option<&str>,
        old: Option<&str>,
        new: Option<&str>,
    ) -> [Option<String>; 2] {
        if let Some([before, after]) = self.currencies(field) {
            let capital = |value: &str, currency: String| {
                let amount = value.parse().map(|it| wording::amount(Language::En, it));
                format!("{currency} {}", amount.unwrap_or_else(|_| value.to_owned()))
            };
            return [old.map(|it| capital(it, before)), new.map(|it| capital(it, after))];
        }
        let start = match (old, new) {
            (Some(old), Some(new)) => start_of_difference(old, new),
            _ => 0,
        };
        [old.map(|it| excerpt(it, start)), new.map(|it| excerpt(it, start))]
    }

    /// The currencies of the capital before and after. The publication names a currency only if it is not the franc.
    fn currencies(&self, field: Option<&str>) -> Option<[String; 2]> {
        if !field.is_some_and(|it| CAPITALS.contains(&it)) {
            return None;
        }
        let ParsedPublication { before, after, .. } = self.publication;
        let changed = self.changes().iter().find_map(|it| match it {
            Change::Capital { currency, .. } => currency.as_deref(),
            _ => None,
        });
        let before = if before.is_some() { before } else { after };
        Some([before, after].map(|state| {
            let stated = state.as_ref().and_then(|it| it.currency.as_deref());
            stated.or(changed).unwrap_or("CHF").to_owned()
        }))
    }

    /// Adds an event. Its id is derived from company, publication, kind, member and subject.
    fn push(
        &mut self,
        kind: ChangeKind,
        field: Option<&str>,
        old_value: Option<String>,
        new_value: Option<String>,
        summary: String,
        subject: Option<Subject>,
    ) {
        debug_assert!(field.is_none_or(|it| ChangedField::ALL.contains(&it)), "{field:?}");
        let ParsedPublication { uid, company_name, canton, key, date, source, .. } =
            self.publication;
        let subject_key = subject.as_ref().map(|it| match it.person_id {
            Some(id) => id.to_string(),
            None => it.name.clone(),
        });
        let subject_key = subject_key.unwrap_or_default();
        let field_key = field.unwrap_or_default();
        let name = format!("{uid}|{key}|{}|{field_key}|{subject_key}", kind.code());
        // A notice can contain the same person twice.
        let occurrence = self.occurrences.entry(name.clone()).or_default();
        let id = Uuid::new_v5(&EVENTS, format!("{name}|{occurrence}").as_bytes());
        *occurrence += 1;
        self.events.push(Event {
            id,
            uid: *uid,
            company_name: company_name.clone(),
            canton: *canton,
            kind,
            field: field.map(str::to_owned),
            old_value,
            new_value,
            currencies: self.currencies(field),
            summary,
            date: *date,
            source: source.clone(),
            subject,
            legal_event: match kind {
                ChangeKind::SeatChange if self.changes().contains(&Change::MovedIn) => {
                    Some(LegalEvent::SeatMovedIn)
                }
                ChangeKind::SeatChange => Some(LegalEvent::SeatMoved),
                ChangeKind::LegalFormChange => Some(LegalEvent::Converted),
                _ => None,
            },
            journal_date: self.publication.journal_date,
            decision_date: None,
            transfer: None,
        });
    }

    /// Adds the legal event, and the date of the decision, to the event that was added last.
    fn add_legal_event(&mut self, event: LegalEvent, decided: Option<Date>) {
        if let Some(last) = self.events.last_mut() {
            last.legal_event = Some(event);
            last.decision_date = decided;
        }
    }

    fn changes(&self) -> &[Change] {
        &self.publication.notice.changes
    }
}

/// A sentence that describes the change of one member.
fn summary(
    kind: ChangeKind,
    field: Option<&str>,
    company: &str,
    old: Option<&str>,
    new: Option<&str>,
) -> String {
    let clause = match (old, new) {
        (Some(old), Some(new)) => format!(": {old} → {new}"),
        (None, Some(new)) => format!(": {new}"),
        (Some(old), None) => format!(": no longer {old}"),
        (None, None) => String::new(),
    };
    match kind {
        ChangeKind::NewRegistration => format!("{company} is entered in the register"),
        ChangeKind::ReRegistration => format!("{company} is entered in the register again"),
        ChangeKind::Deletion => format!("{company} is deleted from the register"),
        ChangeKind::Correction => format!("A publication on {company} is corrected"),
        ChangeKind::PublicationCancelled => {
            format!("A publication on {company} is withdrawn{clause}")
        }
        ChangeKind::AuditOptOut if new == Some("true") => {
            format!("{company} waives the limited audit")
        }
        ChangeKind::AuditOptOut => format!("{company} no longer waives the limited audit"),
        ChangeKind::StatutesChange if let Some(day) = new.and_then(|it| it.parse().ok()) => {
            let day = wording::date(Language::En, day);
            format!("{} of {company} on {day}", name_of_change(kind, field))
        }
        _ => format!("{} of {company}{clause}", name_of_change(kind, field)),
    }
}

/// The name of a change type, and of the kind of capital that changes.
fn name_of_change(kind: ChangeKind, field: Option<&str>) -> String {
    let capital = match field {
        Some("paidInCapital") => "Change of the paid-in capital",
        Some("participationCapital") => "Change of the participation capital",
        Some("paidInParticipationCapital") => "Change of the paid-in participation capital",
        Some("contribution") => "Contribution in kind or acquisition of assets",
        _ => return kind.name(),
    };
    capital.to_owned()
}

/// Members whose values are amounts.
const CAPITALS: [&str; 4] =
    ["shareCapital", "paidInCapital", "participationCapital", "paidInParticipationCapital"];

/// Maximum number of characters of a value in a summary: purposes can be very long.
const LIMIT: usize = 80;

/// Where excerpts of two values begin, in characters: at the start, unless they would not show the first difference.
fn start_of_difference(old: &str, new: &str) -> usize {
    let same: Vec<char> =
        old.chars().zip(new.chars()).take_while(|(old, new)| old == new).map(|it| it.0).collect();
    if same.len() < LIMIT / 2 || old.chars().count().max(new.chars().count()) <= LIMIT {
        return 0;
    }
    // A few words before it.
    let words = same.iter().enumerate().rev().filter(|(_, it)| it.is_whitespace());
    words.skip(2).map(|(at, _)| at + 1).next().unwrap_or_default()
}

/// At most [`LIMIT`] characters of a value, from a position on. `…` is in the place of what is left out.
fn excerpt(value: &str, start: usize) -> String {
    let ellipsis = if start > 0 { "…" } else { "" };
    let rest: Vec<char> = value.chars().skip(start).collect();
    match rest.len() + ellipsis.len().min(1) <= LIMIT {
        true => format!("{ellipsis}{}", rest.into_iter().collect::<String>()),
        false => {
            let taken: String = rest.into_iter().take(LIMIT - 1 - ellipsis.len().min(1)).collect();
            format!("{ellipsis}{}…", taken.trim_end())
        }
    }
}
