//! Removing persons from the texts of notices.
//!
//! A person is recognised as the fold recognises it: by name, origin and residence. Namesakes stay. What remains is an entry of a person
//! without origin and residence, which is a person of that company only: erased persons of different companies are not the same one.

use domain::{
    Event, Uid,
    changes::Subject,
    erased::ERASED_PERSON,
    persons::Person,
    statements::{Statement, gazette::Publication},
};
use gazette_notice::Entry;

use super::{Erasures, texts::words};
use crate::fold::person_of;

/// Stands for a person in a notice. Read as surname and given name, it gives [`ERASED_PERSON`].
const NAME: [&str; 2] = ["PERSON", "ERASED"];

impl Erasures {
    /// A statement about a company without the persons that were erased. Also returns the names of other persons in its texts, who
    /// may have the same name.
    pub(super) fn without_persons(
        &self,
        company: Uid,
        statement: &Statement,
    ) -> (Statement, Vec<String>) {
        let mut statement = statement.clone();
        let mut others = Vec::new();
        if self.persons.is_empty() {
            return (statement, others);
        }
        match &mut statement {
            Statement::Shab(it) => others = self.redact_publication(company, it),
            Statement::Takeover(it) => {
                let acquirer = it.company().map_or(company, |it| it.uid);
                others = self.redact_publication(acquirer, it);
            }
            Statement::Zefix(record) => {
                for message in record.sogc_pub.iter_mut().flatten() {
                    if let Some(text) = &mut message.message {
                        others.extend(self.redact_notice(company, text));
                    }
                }
            }
            _ => {}
        }
        (statement, others)
    }

    fn redact_publication(&self, company: Uid, publication: &mut Publication) -> Vec<String> {
        self.redact_notice(company, &mut publication.text)
    }

    /// Returns the names of the other persons.
    pub(super) fn redact_notice(&self, company: Uid, text: &mut String) -> Vec<String> {
        let mut others = Vec::new();
        for entry in gazette_notice::read(text).entries {
            let person = person_of(&entry);
            if person.first_name.is_none() {
                continue;
            }
            match self.has_person(person.identity(company).id) {
                true => *text = without_person(text, &entry, &person),
                false => others.extend(spellings(&person)),
            }
        }
        others
    }

    /// Removes an erased person from an event of a company. Returns whether there was one.
    pub(super) fn redact_person_of(&self, event: &mut Event) -> bool {
        let Some(subject) = &event.subject else { return false };
        if !subject.person_id.is_some_and(|it| self.has_person(it)) {
            return false;
        }
        let name = subject.name.clone();
        // What changes can be a name or a residence. An office says nothing about who has it.
        if event.old_value.is_some() && event.new_value.is_some() {
            (event.old_value, event.new_value) = (None, None);
            event.summary = format!("Entry of {ERASED_PERSON} of {} changes", event.company_name);
        }
        event.summary = event.summary.replace(&name, ERASED_PERSON);
        event.subject =
            Some(Subject { person_id: None, uid: None, name: ERASED_PERSON.to_owned() });
        true
    }
}

/// Both orders of the names of a person.
pub(super) fn spellings(person: &Person) -> Vec<String> {
    let first = person.first_name.clone().unwrap_or_default();
    vec![format!("{first} {}", person.last_name), format!("{} {first}", person.last_name)]
}

/// The text with a placeholder in place of the person of this entry.
fn without_person(text: &str, entry: &Entry, person: &Person) -> String {
    // Without markup, the entry is a part of the text.
    let place = text.find(&entry.raw).map_or(0..text.len(), |it| it..it + entry.raw.len());
    let mut part = text[place.clone()].to_owned();
    for name in spellings(person) {
        part = with_placeholder(&part, &name);
    }
    if place.len() < text.len() {
        let residence = person.residence.iter().chain(&person.origin).chain(&person.nationality);
        for clause in residence {
            part = without_clause(&part, clause);
        }
        part = without_brackets(&part);
    }
    [&text[..place.start], &part, &text[place.end..]].concat()
}

/// The text with the placeholder in place of a name, in the same order and with the same comma.
fn with_placeholder(text: &str, name: &str) -> String {
    let wanted: Vec<String> = words(name).into_iter().map(|it| it.folded).collect();
    let found = words(text);
    let mut redacted = text.to_owned();
    let places = found
        .windows(wanted.len().max(1))
        .filter(|it| it.iter().map(|it| &it.folded).eq(wanted.iter()));
    let places: Vec<(usize, usize)> =
        places.filter_map(|it| Some((it.first()?.start, it.last()?.end))).collect();
    for (start, end) in places.into_iter().rev() {
        let comma = if text[start..end].contains(',') { ", " } else { " " };
        redacted.replace_range(start..end, &NAME.join(comma));
    }
    redacted
}

/// The text without the clause that ends with this value, such as `, von Chur`.
fn without_clause(text: &str, value: &str) -> String {
    let Some(at) = text.find(value) else { return text.to_owned() };
    let Some(comma) = text[..at].rfind(',') else { return text.replacen(value, "", 1) };
    [&text[..comma], &text[at + value.len()..]].concat()
}

/// The text without former details.
fn without_brackets(text: &str) -> String {
    match (text.find('['), text.rfind(']')) {
        (Some(start), Some(end)) if start < end => {
            [text[..start].trim_end(), &text[end + 1..]].concat()
        }
        _ => text.to_owned(),
    }
}
