//! Events about officers, signatories and auditors.

use domain::{
    ChangeKind, Event,
    changes::{LegalEvent, Subject},
    text,
};
use gazette_notice::{Change, Entry, EntryKind};

use super::{super::board, EventBuilder};

impl EventBuilder<'_> {
    /// Adds one event per officer. An auditor that leaves and one that enters in the same notice are one event.
    pub(super) fn add_person_events(&mut self) {
        let publication = self.publication;
        let entries = &publication.notice.entries;
        let (auditors, officers): (Vec<&Entry>, Vec<&Entry>) =
            entries.iter().partition(|it| board::is_auditor(it));
        let auditors_who =
            |kind: EntryKind| auditors.iter().copied().filter(move |it| it.kind == kind);
        let mut left = auditors_who(EntryKind::Left);
        for entered in auditors_who(EntryKind::Entered) {
            self.add_auditor_change(left.next(), Some(entered));
        }
        for left in left {
            self.add_auditor_change(Some(left), None);
        }
        for changed in auditors_who(EntryKind::Changed) {
            self.add_changed_auditor(changed);
        }
        for entry in officers {
            self.add_officer(entry);
        }
        if self.changes().contains(&Change::NoAuditor) {
            self.add_lack_of_auditor();
        }
    }

    /// Marks the departure of the auditor; without one, adds an event.
    fn add_lack_of_auditor(&mut self) {
        let is_departure =
            |it: &Event| it.kind == ChangeKind::AuditorChange && it.new_value.is_none();
        if let Some(event) = self.events.iter_mut().rfind(|it| is_departure(it)) {
            event.legal_event = Some(LegalEvent::NoAuditor);
            return;
        }
        let summary = format!("{} has no auditor", self.publication.company_name);
        let field = Some("auditorName");
        self.push(ChangeKind::AuditorChange, field, None, None, summary, None);
        self.add_legal_event(LegalEvent::NoAuditor, None);
    }

    fn add_auditor_change(&mut self, left: Option<&Entry>, entered: Option<&Entry>) {
        let name = |it: Option<&Entry>| it.map(|it| board::person(it).full_name());
        let (old, new) = (name(left), name(entered));
        let Some(entry) = entered.or(left) else { return };
        let firm = board::person(entry);
        let subject = Subject { person_id: None, uid: firm.uid, name: firm.full_name() };
        let company = &self.publication.company_name;
        let summary = match (&old, &new) {
            (Some(old), Some(new)) => format!("{new} replaces {old} as auditor of {company}"),
            (None, Some(new)) => format!("{new} becomes auditor of {company}"),
            (Some(old), None) => format!("{old} ceases to be auditor of {company}"),
            (None, None) => return,
        };
        let field = Some("auditorName");
        self.push(ChangeKind::AuditorChange, field, old, new, summary, Some(subject));
    }

    /// The auditor stays, with another name, UID or seat.
    fn add_changed_auditor(&mut self, entry: &Entry) {
        let firm = board::person(entry);
        let name = firm.full_name();
        let company = &self.publication.company_name;
        let before = entry.before.as_deref();
        // `[bisher: in Thun]` states the former seat, not a former name.
        let former = before.filter(|it| !["in ", "à ", "a "].iter().any(|at| it.starts_with(at)));
        let former = former.and_then(|it| it.split(',').next()).map(str::trim);
        let former = former.filter(|it| text::fold(it) != text::fold(&name));
        let subject = Some(Subject { person_id: None, uid: firm.uid, name: name.clone() });
        let kind = ChangeKind::AuditorChange;
        match former {
            Some(former) => {
                let summary = format!("{former}, auditor of {company}, is now {name}");
                let old = Some(former.to_owned());
                self.push(kind, Some("auditorName"), old, Some(name), summary, subject);
            }
            None => {
                let summary = format!("Entry of {name}, auditor of {company}, changes");
                let old = before.map(str::to_owned);
                let new = firm.residence.map_or(name.clone(), |it| format!("{name}, in {it}"));
                self.push(kind, Some("auditor"), old, Some(new), summary, subject);
            }
        }
    }

    fn add_officer(&mut self, entry: &Entry) {
        let person = board::person(entry);
        let name = person.full_name();
        let office = match (&entry.function, &entry.signature) {
            (Some(function), Some(signature)) => format!("{function}, {signature}"),
            _ => board::function_or_signature(entry),
        };
        let company = &self.publication.company_name;
        let (old, new, summary) = match entry.kind {
            EntryKind::Entered => (
                None,
                Some(office),
                format!("{name} joins {company}: {}", board::function_or_signature(entry)),
            ),
            EntryKind::Changed => (
                entry.before.clone(),
                Some(office),
                format!(
                    "The role of {name} at {company} changes: {}",
                    board::function_or_signature(entry)
                ),
            ),
            EntryKind::Left => (
                Some(office),
                None,
                format!("{name} leaves {company}: {}", board::function_or_signature(entry)),
            ),
        };
        let id = person.identity(self.publication.uid).id;
        let subject = Subject { person_id: Some(id), uid: person.uid, name };
        self.push(ChangeKind::BoardChange, Some("persons"), old, new, summary, Some(subject));
    }
}
