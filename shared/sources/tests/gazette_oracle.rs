//! The reader against real notices, where the machine has them: the project ships none.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use sources::gazette::notice::{self, Entry, EntryKind, Subject};

#[derive(Deserialize)]
struct Message {
    id_firma: u64,
    journal_date: String,
    text: String,
}

#[derive(Deserialize)]
struct Expected {
    id_firma: u64,
    journal_date: String,
    add_rm: String,
    last_name: Option<String>,
    first_name: Option<String>,
    entity_name: Option<String>,
    function: Option<String>,
    signature: Option<String>,
}

/// What is compared: the notice, the sign, the names, the function and the signature.
type Event = (u64, String, String, [String; 5]);

fn tidy(text: Option<&str>) -> String {
    text.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

impl Expected {
    fn event(&self) -> Event {
        let members =
            [&self.last_name, &self.first_name, &self.entity_name, &self.function, &self.signature];
        let members = members.map(|it| tidy(it.as_deref()));
        (self.id_firma, self.journal_date.clone(), self.add_rm.clone(), members)
    }
}

impl Message {
    fn event(&self, entry: &Entry) -> Event {
        let (last, first, entity) = match &entry.subject {
            Subject::Person { last_name, first_name, .. } => {
                (Some(last_name.as_str()), Some(first_name.as_str()), None)
            }
            Subject::Entity { name, .. } => (None, None, Some(name.as_str())),
        };
        let sign = if entry.kind == EntryKind::Left { "-" } else { "+" };
        let written = [last, first, entity, entry.function.as_deref(), entry.signature.as_deref()];
        (self.id_firma, self.journal_date.clone(), sign.to_owned(), written.map(tidy))
    }
}

/// What the variable names; relative to the root of the workspace.
#[expect(clippy::disallowed_methods, reason = "the real notices lie where the machine has them")]
fn place(variable: &str) -> Option<PathBuf> {
    let Ok(place) = std::env::var(variable) else {
        println!("{variable} is not set: skipped");
        return None;
    };
    Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(place))
}

fn lines<T: for<'de> Deserialize<'de>>(path: &Path) -> Vec<T> {
    let text = fs::read_to_string(path).unwrap_or_else(|it| panic!("{}: {it}", path.display()));
    let lines = text.lines().filter(|it| !it.trim().is_empty());
    lines.map(|it| serde_json::from_str(it).unwrap_or_else(|e| panic!("{it}: {e}"))).collect()
}

fn counted(events: impl Iterator<Item = Event>) -> BTreeMap<Event, usize> {
    let mut counted = BTreeMap::new();
    for event in events {
        *counted.entry(event).or_default() += 1;
    }
    counted
}

#[test]
fn gazette_oracle() {
    let Some(folder) = place("GAZETTE_ORACLE_DIR") else { return };
    let messages: Vec<Message> = lines(&folder.join("messages.jsonl"));
    let expected: Vec<Expected> = lines(&folder.join("expected_persons.jsonl"));
    let expected = counted(expected.iter().map(Expected::event));
    let read = counted(messages.iter().flat_map(|message| {
        let entries = notice::read(&message.text).entries;
        entries.into_iter().map(|it| message.event(&it)).collect::<Vec<_>>()
    }));
    let all: BTreeSet<&Event> = expected.keys().chain(read.keys()).collect();
    let (mut right, mut wrong, mut missed) = (0, 0, 0);
    for event in all {
        let count = |of: &BTreeMap<Event, usize>| of.get(event).copied().unwrap_or_default();
        let (read, expected) = (count(&read), count(&expected));
        right += read.min(expected);
        wrong += read.saturating_sub(expected);
        missed += expected.saturating_sub(read);
        if read != expected {
            println!("{} {event:?}", if read > expected { "wrong " } else { "missed" });
        }
    }
    let share = |of: usize| if of == 0 { 1.0 } else { right as f64 / of as f64 };
    let (precision, recall) = (share(right + wrong), share(right + missed));
    let f1 = 2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE);
    println!("{} notices, precision {precision:.3}, recall {recall:.3}", messages.len());
    println!("F1 {f1:.3}");
    assert!(f1 >= 0.95, "F1 {f1:.3} is below 0.95");
}

#[test]
fn gazette_publications() {
    let Some(file) = place("GAZETTE_PUBLICATIONS") else { return };
    let bytes = fs::read(&file).unwrap_or_else(|it| panic!("{}: {it}", file.display()));
    let batch = sources::read(sources::Source::Shab, &bytes).expect("a file of publications");
    let reasons: Vec<&str> = batch.rejected.iter().map(|it| it.reason.as_str()).collect();
    assert_eq!(reasons, [""; 0]);
    for fact in &batch.facts {
        let sources::Statement::Shab(publication) = &fact.statement else {
            panic!("{} was read as a publication", fact.uid)
        };
        let notice = publication.notice();
        println!("{} {}", publication.printed_number(), fact.uid);
        for entry in &notice.entries {
            println!("  {:?} {:?} {:?}", entry.kind, entry.subject, entry.function);
        }
        for change in &notice.changes {
            println!("  {change:?}");
        }
    }
}
