//! Events about officers, signatories and auditors.

use domain::{
    ChangeKind, Event,
    changes::{LegalEvent, Subject},
    text,
};
use gazette_notice::{Change, Entry, EntryKind, FormerDetails, Quota, former_details};

use super::{
    super::{board, control::AUDITED},
    EventBuilder,
};

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
        let form = publication.block().and_then(|it| it.legal_form_code.as_deref());
        // An association without an auditor lacks nothing.
        let needs_auditor = form.is_none_or(|it| AUDITED.contains(&it));
        if needs_auditor && self.changes().contains(&Change::NoAuditor) {
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
                // Without a former seat, the seat only describes the firm.
                let seat = firm.residence.filter(|_| old.is_some());
                let new = seat.map_or(name.clone(), |it| format!("{name}, in {it}"));
                self.push(kind, Some("auditor"), old, Some(new), summary, subject);
            }
        }
    }

    fn add_officer(&mut self, entry: &Entry) {
        let person = board::person(entry);
        let name = person.full_name();
        let company = &self.publication.company_name;
        let short = board::function_or_signature(entry);
        let (old, new, summary) = match entry.kind {
            EntryKind::Entered => {
                (None, Some(office(entry)), format!("{name} joins {company}: {short}"))
            }
            EntryKind::Changed => change(entry, &name, company),
            EntryKind::Left => {
                (Some(office(entry)), None, format!("{name} leaves {company}: {short}"))
            }
        };
        let id = person.identity(self.publication.uid).id;
        let subject = Subject { person_id: Some(id), uid: person.uid, name };
        self.push(ChangeKind::BoardChange, Some("persons"), old, new, summary, Some(subject));
    }
}

/// Function and signature.
fn office(entry: &Entry) -> String {
    match (&entry.function, board::signature(entry)) {
        (Some(function), Some(signature)) => format!("{function}, {signature}"),
        _ => board::function_or_signature(entry),
    }
}

/// The old and the new value of an entry of a person who stays, both of the same kind, and the summary. The former details
/// that the entry states decide what has changed: name, office, shares, residence or citizenship, in this order.
fn change(entry: &Entry, name: &str, company: &str) -> (Option<String>, Option<String>, String) {
    let former = entry.before.as_deref().map(former_details).unwrap_or_default();
    let is_new = |(old, new): &(String, String)| text::fold(old) != text::fold(new);
    let mut values = Vec::new();
    let mut clauses = Vec::new();
    let former_name = former.name.as_deref().map(|it| full_name(it, entry));
    let former_name = former_name.filter(|it| text::fold(it) != text::fold(name));
    if let Some(old) = &former_name {
        clauses.push(format!("is now called {name}"));
        values.push((old.clone(), name.to_owned()));
    }
    if let Some((old, new)) = former_office(&former, entry) {
        let verb = if board::signature(entry) == Some(&new) { "now signs" } else { "is now" };
        clauses.push(format!("{verb} {new}"));
        values.push((old, new));
    }
    let quota = |it: &Option<Quota>| it.as_ref().map(|it| it.text.clone());
    if let Some((old, new)) = quota(&former.quota).zip(quota(&entry.quota)).filter(is_new) {
        clauses.push(format!("now holds {new}"));
        values.push((old, new));
    }
    if let Some((old, new)) = former.domicile.zip(entry.domicile.clone()).filter(is_new) {
        clauses.push(format!("moves from {old} to {new}"));
        values.push((old, new));
    }
    let nationality = || entry.nationality.as_ref().map(|it| it.text.clone());
    let citizenship = entry.origin.clone().or_else(nationality);
    if let Some((old, new)) = former.citizenship.zip(citizenship).filter(is_new) {
        clauses.push(format!("has the citizenship {new} instead of {old}"));
        values.push((old, new));
    }
    let Some((old, new)) = values.into_iter().next() else {
        let summary = format!("The entry of {name} at {company} changes: {}", office(entry));
        return (None, Some(office(entry)), summary);
    };
    let who = former_name.as_deref().unwrap_or(name);
    let summary = format!("{who} at {company} {}", clauses.join(" and "));
    (Some(old), Some(new), summary)
}

/// The full name for a former name as written: `Meier, Anna`, `Anna Meier`, or `Meier`, which leaves the given names.
fn full_name(former: &str, entry: &Entry) -> String {
    match (former.split_once(", "), &entry.subject) {
        (Some((surname, given)), _) => format!("{given} {surname}"),
        (None, gazette_notice::Subject::Person { first_name, .. }) if !former.contains(' ') => {
            format!("{first_name} {former}")
        }
        (None, _) => former.to_owned(),
    }
}

/// The former and the present office, as far as the former details state it: the function, the signature or both. A function
/// or a signature that has ended is compared with the whole present office.
fn former_office(former: &FormerDetails, entry: &Entry) -> Option<(String, String)> {
    let (was, had) = (former.function.as_ref(), former.signature.as_ref());
    let (is, has) = (entry.function.as_ref(), board::signature(entry));
    let (old, new) = match (was, had) {
        (None, None) => return None,
        (Some(was), None) if is.is_some() => (was.clone(), is?.clone()),
        (None, Some(had)) if has.is_some() => (had.clone(), has?.clone()),
        (None, Some(had)) => (with(is, Some(had)), office(entry)),
        (was, None) => (with(was, has), office(entry)),
        (was, had) => (with(was, had), office(entry)),
    };
    (text::fold(&old) != text::fold(&new)).then_some((old, new))
}

fn with(function: Option<&String>, signature: Option<&String>) -> String {
    let parts: Vec<&str> = function.into_iter().chain(signature).map(String::as_str).collect();
    parts.join(", ")
}
