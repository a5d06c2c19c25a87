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
/// that the entry states decide what has changed: office, name, residence or citizenship, in this order.
fn change(entry: &Entry, name: &str, company: &str) -> (Option<String>, Option<String>, String) {
    let unknown = || {
        let summary = format!("The entry of {name} at {company} changes: {}", office(entry));
        (None, Some(office(entry)), summary)
    };
    let Some(former) = entry.before.as_deref().and_then(|it| Former::read(it, entry)) else {
        return unknown();
    };
    let mut values = None;
    let mut clauses = Vec::new();
    if let Some((old, new)) = former.office(entry) {
        let verb = if board::signature(entry) == Some(&new) { "now signs" } else { "is now" };
        clauses.push(format!("{verb} {new}"));
        values = values.or(Some((old, new)));
    }
    let former_name = former.name.filter(|it| text::fold(it) != text::fold(name));
    if let Some(old) = &former_name {
        clauses.insert(0, format!("is now called {name}"));
        values = values.or(Some((old.clone(), name.to_owned())));
    }
    let is_new = |(old, new): &(String, String)| text::fold(old) != text::fold(new);
    let residence = former.entry.as_ref().and_then(|it| it.domicile.clone());
    if let Some((old, new)) = residence.zip(entry.domicile.clone()).filter(is_new) {
        clauses.push(format!("moves from {old} to {new}"));
        values = values.or(Some((old, new)));
    }
    let citizenship = |entry: &Entry| {
        let nationality = entry.nationality.as_ref().map(|it| it.text.clone());
        entry.origin.clone().or(nationality)
    };
    let former_citizenship = former.entry.as_ref().and_then(citizenship);
    if let Some((old, new)) = former_citizenship.zip(citizenship(entry)).filter(is_new) {
        clauses.push(format!("has the citizenship {new} instead of {old}"));
        values = values.or(Some((old, new)));
    }
    match values {
        Some((old, new)) => {
            let who = former_name.as_deref().unwrap_or(name);
            let summary = format!("{who} at {company} {}", clauses.join(" and "));
            (Some(old), Some(new), summary)
        }
        None => unknown(),
    }
}

/// The former details of a person, as an entry states them after `bisher:`.
struct Former {
    name: Option<String>,
    /// An entry with the other details, if there are any. Its name is not that of the person.
    entry: Option<Entry>,
}

impl Former {
    /// Reads the details as if they followed a name in a list. What is then part of the name is the former name.
    fn read(details: &str, entry: &Entry) -> Option<Self> {
        use gazette_notice::Subject::Person;
        let text = format!("Eingetragene Personen: Muster, Hans, {details}.");
        let mut former = gazette_notice::read(&text).entries.into_iter().next();
        // `Anna Meier` is no office.
        if let (Some(former), Person { first_name, .. }) = (&mut former, &entry.subject) {
            let is_name = |it: &mut String| it.split(' ').any(|it| it == first_name);
            if let Some(name) = former.function.take_if(is_name) {
                return Some(Self { name: Some(name), entry: None });
            }
        }
        let stated = match former.as_ref().map(|it| &it.subject) {
            Some(Person { first_name: added, .. }) => added.strip_prefix("Hans")?.trim().to_owned(),
            Some(_) => String::new(),
            // A name alone is no entry.
            None => details.replace(',', ""),
        };
        let surname = details.split(',').next().unwrap_or_default().trim();
        let name = (!stated.is_empty()).then(|| match &entry.subject {
            Person { first_name, .. } => match stated.strip_prefix(surname).map(str::trim) {
                // `Anna Meier`
                Some("") if surname.contains(' ') => surname.to_owned(),
                // A family name alone leaves the given names.
                Some("") => format!("{first_name} {surname}"),
                // `Meier, Anna`
                Some(given) => format!("{given} {surname}"),
                None => stated.clone(),
            },
            gazette_notice::Subject::Entity { .. } => stated.clone(),
        });
        Some(Self { name, entry: former })
    }

    /// The former and the present office, as far as the former details state it: the function, the signature or both. A
    /// function or a signature that has ended is compared with the whole present office.
    fn office(&self, entry: &Entry) -> Option<(String, String)> {
        let former = self.entry.as_ref()?;
        let (was, had) = (former.function.as_ref(), board::signature(former));
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
}

fn with(function: Option<&String>, signature: Option<&String>) -> String {
    let parts: Vec<&str> = function.into_iter().chain(signature).map(String::as_str).collect();
    parts.join(", ")
}
