//! The list of erased companies and persons, and how they are removed from what others state.
//!
//! Invariants: the list contains no name and no number, only keyed hashes of them; what was redacted once is not changed when it
//! is redacted again; without erasures nothing is looked at.
//!
//! A text is searched word by word: the names of the list are hashes of their folded words, so that `MUSTER AG` and `Muster AG`
//! are the same name.

mod persons;
mod records;
mod texts;
mod values;

use std::collections::{BTreeSet, HashSet};

use domain::{
    Company, Event, History, Lei, Uid, changes::PublishedEvent, erased::ERASED_COMPANY,
    history::Recorded, persons::Person, statements::Statement, text,
};
use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;
use sha2::Sha256;
use uuid::Uuid;

use self::texts::Context;
pub use self::values::Redacted;
use crate::Fact;

/// The secret with which identifying values are hashed. It is stored next to the list: a hash alone, such as one in a log, cannot
/// be reversed by trying all numbers or addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HashKey(pub String);

/// A hash of an identifying value, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Hash(String);

impl HashKey {
    fn hash(&self, kind: &str, value: &str) -> Hash {
        #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(self.0.as_bytes()).expect("a key");
        // The parts cannot be confused: no kind contains a line break.
        for part in [kind, "\n", value] {
            mac.update(part.as_bytes());
        }
        Hash(hex::encode(mac.finalize().into_bytes()))
    }

    /// The hash of an e-mail address, for the list of erased users.
    pub fn address(&self, address: &str) -> Hash {
        self.hash("address", address)
    }

    fn number(&self, uid: Uid) -> Hash {
        self.hash("uid", &uid.to_string())
    }

    fn lei(&self, lei: &str) -> Hash {
        self.hash("lei", lei)
    }

    fn name(&self, folded: &str) -> Hash {
        self.hash("name", folded)
    }

    fn person(&self, id: Uuid) -> Hash {
        self.hash("person", &id.to_string())
    }
}

/// What was erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    Company,
    Person,
}

/// An entry of the list.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Erasure {
    pub kind: Kind,
    /// The company number, or the id of the person.
    pub identity: Hash,
    /// The names, by which texts of others are searched.
    #[serde(default)]
    pub names: Vec<NameHash>,
    /// Legal entity identifiers of a company.
    #[serde(default)]
    pub leis: Vec<Hash>,
    /// Numbers of the companies of a person. The person's name is searched where one of them stands: elsewhere it may be that of
    /// somebody else.
    #[serde(default)]
    pub companies: Vec<Hash>,
    pub erased_at: Timestamp,
    /// Why, such as the number of a court's decision.
    pub reference: Option<String>,
}

/// The hash of a name, and the number of its words.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NameHash {
    pub words: usize,
    pub hash: Hash,
}

impl Hash {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Erasure {
    /// The erasure of a company, by its number and by all names and identifiers that its record and its own facts state.
    pub fn of_company(
        key: &HashKey,
        uid: Uid,
        record: Option<&Company>,
        facts: &[Fact],
        erased_at: Timestamp,
        reference: Option<String>,
    ) -> Self {
        let mut names: BTreeSet<String> = BTreeSet::new();
        let mut leis: BTreeSet<Lei> = BTreeSet::new();
        if let Some(record) = record {
            names.insert(record.name.clone());
            names.extend(record.translations.iter().flatten().cloned());
            leis.extend(record.lei);
        }
        for fact in facts {
            names.extend(names_of(&fact.statement).into_iter().map(str::to_owned));
            leis.extend(lei_of(&fact.statement));
        }
        let names: BTreeSet<NameHash> = names.iter().filter_map(|it| key.name_hash(it)).collect();
        Self {
            kind: Kind::Company,
            identity: key.number(uid),
            names: names.into_iter().collect(),
            leis: leis.iter().map(|it| key.lei(it.as_str())).collect(),
            companies: Vec::new(),
            erased_at,
            reference,
        }
    }

    /// The erasure of a person with this id, who has roles in these companies under these names.
    pub fn of_person(
        key: &HashKey,
        id: Uuid,
        roles: &[(Uid, Person)],
        erased_at: Timestamp,
        reference: Option<String>,
    ) -> Self {
        let names = roles.iter().flat_map(|(_, it)| persons::spellings(it));
        let names: BTreeSet<NameHash> = names.filter_map(|it| key.name_hash(&it)).collect();
        let companies: BTreeSet<Hash> = roles.iter().map(|(uid, _)| key.number(*uid)).collect();
        Self {
            kind: Kind::Person,
            identity: key.person(id),
            names: names.into_iter().collect(),
            leis: Vec::new(),
            companies: companies.into_iter().collect(),
            erased_at,
            reference,
        }
    }

    /// With other names of the company.
    #[must_use]
    pub fn with_names(mut self, key: &HashKey, names: &[String]) -> Self {
        let new: BTreeSet<NameHash> = names.iter().filter_map(|it| key.name_hash(it)).collect();
        self.names.extend(new);
        self.names.sort_unstable();
        self.names.dedup();
        self
    }

    /// The same company, erased again: what either states.
    #[must_use]
    pub fn and(mut self, earlier: Self) -> Self {
        fn add<T: PartialEq>(to: &mut Vec<T>, mut others: Vec<T>) {
            others.retain(|it| !to.contains(it));
            to.append(&mut others);
        }
        add(&mut self.names, earlier.names);
        add(&mut self.leis, earlier.leis);
        add(&mut self.companies, earlier.companies);
        let reference = self.reference.or(earlier.reference);
        Self { erased_at: earlier.erased_at, reference, ..self }
    }
}

impl HashKey {
    /// `None` for a name without a letter or digit.
    fn name_hash(&self, name: &str) -> Option<NameHash> {
        let folded = text::fold(name);
        let words = folded.split(' ').filter(|it| !it.is_empty()).count();
        (words > 0).then(|| NameHash { words, hash: self.name(&folded) })
    }
}

/// The names of the company that a statement is about.
fn names_of(statement: &Statement) -> Vec<&str> {
    match statement {
        Statement::Shab(it) => {
            let blocks = it.before.iter().chain(&it.after);
            blocks.flat_map(|it| it.translations.iter().chain([&it.name])).map(|it| &**it).collect()
        }
        Statement::Zefix(it) => {
            let old = it.old_names.iter().flatten();
            let old = old.flat_map(|it| it.translation.iter().flatten().chain([&it.name]));
            let names = it.translation.iter().flatten().chain([&it.name]);
            names.chain(old).map(|it| &**it).collect()
        }
        Statement::Lindas(it) => it.names.iter().chain([&it.legal_name]).map(|it| &**it).collect(),
        Statement::Gleif(it) => {
            it.other_names.iter().chain([&it.legal_name]).map(|it| &**it).collect()
        }
        Statement::Finma(it) => it.name.iter().map(|it| &**it).collect(),
        Statement::Shareholding(it) => vec![&it.issuer],
        // A publication of another company, or no name.
        Statement::Takeover(_)
        | Statement::GleifReport(_)
        | Statement::News(_)
        | Statement::Report(_) => Vec::new(),
    }
}

fn lei_of(statement: &Statement) -> Option<Lei> {
    match statement {
        Statement::Gleif(it) => Some(it.lei),
        Statement::GleifReport(it) => Some(it.lei()),
        _ => None,
    }
}

/// The list of all erasures.
#[derive(Clone, Debug, Default)]
pub struct Erasures {
    key: HashKey,
    companies: HashSet<Hash>,
    leis: HashSet<Hash>,
    names: HashSet<Hash>,
    /// The numbers of words of these names, the largest first.
    lengths: Vec<usize>,
    persons: HashSet<Hash>,
    person_names: HashSet<Hash>,
    person_lengths: Vec<usize>,
    /// The companies of these persons.
    companies_of_persons: HashSet<Hash>,
}

impl Erasures {
    pub fn new(key: HashKey, entries: impl IntoIterator<Item = Erasure>) -> Self {
        let mut list = Self { key, ..Self::default() };
        let mut lengths = BTreeSet::new();
        for entry in entries {
            match entry.kind {
                Kind::Company => {
                    list.companies.insert(entry.identity);
                    list.leis.extend(entry.leis);
                    lengths.extend(entry.names.iter().map(|it| it.words));
                    list.names.extend(entry.names.into_iter().map(|it| it.hash));
                }
                Kind::Person => {
                    list.persons.insert(entry.identity);
                    list.companies_of_persons.extend(entry.companies);
                    list.person_lengths.extend(entry.names.iter().map(|it| it.words));
                    list.person_names.extend(entry.names.into_iter().map(|it| it.hash));
                }
            }
        }
        list.lengths = lengths.into_iter().rev().collect();
        list
    }

    pub fn is_empty(&self) -> bool {
        self.companies.is_empty() && self.persons.is_empty()
    }

    /// Whether the company was erased.
    pub fn has_company(&self, uid: Uid) -> bool {
        !self.companies.is_empty() && self.companies.contains(&self.key.number(uid))
    }

    fn is_of_person(&self, uid: Uid) -> bool {
        let companies = &self.companies_of_persons;
        !companies.is_empty() && companies.contains(&self.key.number(uid))
    }

    /// Whether the person was erased.
    pub fn has_person(&self, id: Uuid) -> bool {
        !self.persons.is_empty() && self.persons.contains(&self.key.person(id))
    }

    /// These facts, as they may be stored.
    pub fn apply(&self, facts: Vec<Fact>) -> Vec<Fact> {
        match self.is_empty() {
            true => facts,
            false => facts.into_iter().filter_map(|it| self.redact(it)).collect(),
        }
    }

    /// The fact without what was erased. `None` if it is about an erased company. The fingerprint is that of the new statement,
    /// so that the same publication is recognised when it is imported again.
    pub fn redact(&self, fact: Fact) -> Option<Fact> {
        if self.is_empty() {
            return Some(fact);
        }
        if self.has_company(fact.uid) {
            return None;
        }
        let (statement, others) = self.without_persons(fact.uid, &fact.statement);
        let own = names_of(&statement).into_iter().map(str::to_owned);
        let own: Vec<String> = own.chain(others).collect();
        let search = self.searched(&own).about(fact.uid);
        match values::redact_as(&search, &statement) {
            Redacted::Same if statement == fact.statement => Some(fact),
            Redacted::Same => Some(fact.stating(statement)),
            Redacted::Changed(statement) => Some(fact.stating(statement)),
            // A statement that needs what was erased.
            Redacted::Unreadable => None,
        }
    }

    /// The event without what was erased. Of an event of an erased company only its place in the feed remains.
    #[must_use]
    pub fn redact_event(&self, event: PublishedEvent) -> PublishedEvent {
        match self.is_empty() {
            true => event,
            false => PublishedEvent { event: self.redact_content(event.event), ..event },
        }
    }

    fn redact_content(&self, mut event: Event) -> Event {
        if self.has_company(event.uid) {
            return event.erased();
        }
        let mut own = vec![event.company_name.clone()];
        if !self.redact_person_of(&mut event) {
            own.extend(
                event.subject.iter().filter(|it| it.person_id.is_some()).map(|it| it.name.clone()),
            );
        }
        match self.redact_as(&event, &own) {
            Redacted::Same => event,
            Redacted::Changed(mut redacted) => {
                let subject = redacted.subject.as_mut();
                if let Some(subject) = subject.filter(|it| it.name == ERASED_COMPANY) {
                    // Derived from the number of the firm.
                    subject.person_id = None;
                }
                redacted
            }
            Redacted::Unreadable => event.erased(),
        }
    }

    /// A history of another company without what was erased.
    #[must_use]
    pub fn redact_history(&self, mut history: History, own: &[String]) -> History {
        if self.is_empty() {
            return history;
        }
        let redact = |events: Vec<Recorded>| {
            let redacted = events
                .into_iter()
                .map(|it| Recorded { event: self.redact_content(it.event), ..it });
            redacted.collect::<Vec<_>>()
        };
        let events = redact(std::mem::take(&mut history.events));
        let replaced = redact(std::mem::take(&mut history.replaced));
        let rest = match self.redact_as(&history, own) {
            Redacted::Changed(rest) => rest,
            Redacted::Same | Redacted::Unreadable => history,
        };
        History { events, replaced, ..rest }
    }

    /// A value of any type without what was erased. The names in `own` stay: they are those of others.
    pub fn redact_as<T: Serialize + for<'a> Deserialize<'a>>(
        &self,
        value: &T,
        own: &[String],
    ) -> Redacted<T> {
        values::redact_as(&self.searched(own), value)
    }

    /// As [`Erasures::redact_json`]; a member that is a company number stays, as that of an erased company.
    pub fn redact_members(&self, json: &mut Value) -> bool {
        !self.is_empty() && values::redact(&self.searched(&[]), json, values::Numbers::Replaced)
    }

    /// Redacts JSON. Returns whether something was erased.
    pub fn redact_json(&self, json: &mut Value) -> bool {
        !self.is_empty() && values::redact(&self.searched(&[]), json, values::Numbers::Removed)
    }

    /// Whether JSON contains the number or the identifier of an erased company.
    pub fn states_number(&self, json: &Value) -> bool {
        !self.is_empty() && records::texts(json).any(|it| self.searched(&[]).states_number(it))
    }

    /// A record of a source as it was received, whatever it is about, without what was erased. Returns whether something was.
    pub fn redact_record(&self, json: &mut Value) -> bool {
        if self.is_empty() {
            return false;
        }
        let (redacted, others) = self.without_persons_in_record(json);
        values::redact(&self.searched(&others), json, values::Numbers::Replaced) || redacted
    }

    /// The text without what was erased. `None` if it contains nothing of it. Names count whatever stands next to them.
    pub fn redact_text(&self, text: &str) -> Option<String> {
        let context = Context { with_short_names: true, with_persons: true };
        self.searched(&[]).redact(text, context)
    }

    fn searched(&self, own: &[String]) -> texts::Search<'_> {
        let words = |name: &String| text::fold(name).split(' ').map(str::to_owned).collect();
        let own = own.iter().filter(|it| !text::fold(it).is_empty()).map(words);
        texts::Search { list: self, own: own.collect(), context: Context::default() }
    }
}

#[cfg(test)]
mod tests;
