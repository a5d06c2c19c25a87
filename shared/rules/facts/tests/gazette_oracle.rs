//! Tests the notice parser and the fold with real notices. The project contains none, so these tests are ignored
//! by default; each states which files it needs.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use domain::{Source, statements::Statement};
use facts::{facts, fold_with_history};
use gazette_notice::{Entry, EntryKind, Subject};
use serde::Deserialize;

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

/// The compared values: company id and date of the notice, `+` or `-`, and the names, function and signature.
type Event = (u64, String, String, [String; 5]);

fn normalised(text: Option<&str>) -> String {
    text.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// `mit Einzelunterschrift` and `Einzelunterschrift` are the same signature.
fn without_preposition(text: String) -> String {
    let rest = ["mit ", "avec ", "con "].iter().find_map(|it| text.strip_prefix(it));
    rest.map_or_else(|| text.clone(), str::to_owned)
}

impl Expected {
    fn event(&self) -> Event {
        let members =
            [&self.last_name, &self.first_name, &self.entity_name, &self.function, &self.signature];
        let members = members.map(|it| normalised(it.as_deref())).map(without_preposition);
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
        let members = written.map(normalised).map(without_preposition);
        (self.id_firma, self.journal_date.clone(), sign.to_owned(), members)
    }
}

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
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

/// Compares the persons and firms parsed from real notices with a manual transcription. F1 must be at least 0.99.
///
/// Needs a folder with `messages.jsonl` and `expected_persons.jsonl`. Its path, relative to the root of the
/// workspace, is in `GAZETTE_ORACLE_DIR`:
///
/// ```sh
/// GAZETTE_ORACLE_DIR=../oracle cargo test -p facts --test gazette_oracle -- --ignored persons_of_real_notices
/// ```
#[test]
#[ignore = "needs real notices: the folder named by GAZETTE_ORACLE_DIR"]
fn persons_of_real_notices_are_read_with_an_f1_of_at_least_0_99() {
    #[expect(clippy::disallowed_methods, reason = "a test that is configured by its caller")]
    let folder = std::env::var("GAZETTE_ORACLE_DIR").expect("GAZETTE_ORACLE_DIR");
    let folder = root().join(folder);
    let messages: Vec<Message> = lines(&folder.join("messages.jsonl"));
    let expected: Vec<Expected> = lines(&folder.join("expected_persons.jsonl"));
    let expected = counted(expected.iter().map(Expected::event));
    let read = counted(messages.iter().flat_map(|message| {
        let entries = gazette_notice::read(&message.text).entries;
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
    assert!(f1 >= 0.99, "F1 {f1:.3} is below 0.99");
}

/// The expected content of a publication in the shared data. It has no names, because the project contains no
/// real ones.
struct Example {
    number: &'static str,
    uid: &'static str,
    status: &'static str,
    /// Kind, member, old value and new value of each event. Values that contain names are left out.
    events: &'static [(&'static str, &'static str, Option<&'static str>, Option<&'static str>)],
    /// Kind and function of each entry.
    entries: &'static [(EntryKind, &'static str)],
    /// The UID of each auditor, and whether its tenure is current after the publication.
    auditors: &'static [(&'static str, bool)],
}

const EXAMPLES: [Example; 6] = [
    Example {
        number: "HR01-1006740640",
        uid: "CHE-159.326.663",
        status: "ACTIVE",
        events: &[
            ("new_registration", "status", None, Some("ACTIVE")),
            ("board_change", "persons", None, None),
        ],
        entries: &[(EntryKind::Entered, "Associé-gérant")],
        auditors: &[],
    },
    Example {
        number: "HR01-1006740173",
        uid: "CHE-282.686.396",
        status: "ACTIVE",
        events: &[
            ("new_registration", "status", None, Some("ACTIVE")),
            ("board_change", "persons", None, None),
            ("board_change", "persons", None, None),
        ],
        entries: &[
            (EntryKind::Entered, "Gesellschafter und Vorsitzender der Geschäftsführung"),
            (EntryKind::Entered, "Gesellschafter und Geschäftsführer"),
        ],
        auditors: &[],
    },
    Example {
        number: "HR03-1006740618",
        uid: "CHE-436.663.341",
        status: "CANCELLED",
        events: &[("bankruptcy", "", None, None), ("deletion", "status", None, Some("CANCELLED"))],
        entries: &[],
        auditors: &[],
    },
    // A limited liability company becomes a company limited by shares and moves its seat.
    Example {
        number: "HR02-1006740255",
        uid: "CHE-348.531.935",
        status: "ACTIVE",
        events: &[
            ("name_change", "name", None, None),
            (
                "legal_form_change",
                "legalForm",
                Some("Gesellschaft mit beschränkter Haftung"),
                Some("Aktiengesellschaft"),
            ),
            ("seat_change", "legalSeat", Some("Au (SG)"), Some("St. Margrethen")),
            ("address_change", "address", None, None),
            ("capital_change", "shareCapital", Some("20000"), Some("114285.71")),
            ("statutes_change", "statutes", None, Some("2026-08-13")),
            ("capital_change", "possibleCapital", None, None),
            ("board_change", "persons", None, None),
            ("board_change", "persons", None, None),
        ],
        entries: &[
            (EntryKind::Changed, "Präsident des Verwaltungsrates"),
            (EntryKind::Changed, "Mitglied des Verwaltungsrates"),
        ],
        auditors: &[],
    },
    Example {
        number: "HR02-1006740595",
        uid: "CHE-389.316.630",
        status: "BEING_CANCELLED",
        events: &[
            ("bankruptcy", "status", Some("ACTIVE"), Some("BEING_CANCELLED")),
            ("name_change", "name", None, None),
        ],
        entries: &[],
        // Both blocks name it, the text does not.
        auditors: &[("CHE-107.962.254", true)],
    },
    // One auditor replaces another: one event.
    Example {
        number: "HR02-1006740292",
        uid: "CHE-114.759.617",
        status: "ACTIVE",
        events: &[("auditor_change", "auditorName", None, None)],
        entries: &[(EntryKind::Left, "Revisionsstelle"), (EntryKind::Entered, "Revisionsstelle")],
        auditors: &[("CHE-321.148.727", false), ("CHE-480.307.051", true)],
    },
];

/// Members whose values contain a name or an address.
const WITH_NAMES: [&str; 4] = ["name", "address", "persons", "auditorName"];

/// Reads six real publications and compares their events, entries and auditors with [`EXAMPLES`].
///
/// Needs the file `shared/data/shab/publications_2026-08-26_trimmed.json` beside the checkout:
///
/// ```sh
/// cargo test -p facts --test gazette_oracle -- --ignored six_real_publications
/// ```
#[test]
#[ignore = "needs real publications: ../shared/data/shab beside the checkout"]
fn six_real_publications_make_the_expected_events() {
    let file = root().join("../shared/data/shab/publications_2026-08-26_trimmed.json");
    let bytes = fs::read(&file).unwrap_or_else(|it| panic!("{}: {it}", file.display()));
    let batch = sources::read(Source::Shab, &bytes).expect("a file of publications");
    assert_eq!((batch.statements.len(), batch.rejected.len()), (6, 0), "{:?}", batch.rejected);
    let facts = facts(batch.statements);
    for example in EXAMPLES {
        let number = example.number;
        let published = facts.iter().find_map(|fact| match &fact.statement {
            Statement::Shab(it) if it.printed_number() == number => Some((fact, it)),
            _ => None,
        });
        let (fact, publication) = published.unwrap_or_else(|| panic!("{number} is missing"));
        assert_eq!(fact.uid.to_string(), example.uid, "{number}");
        let read = gazette_notice::read(&publication.text).entries;
        let entries: Vec<(EntryKind, &str)> =
            read.iter().map(|it| (it.kind, it.function.as_deref().unwrap_or_default())).collect();
        assert_eq!(entries, example.entries, "{number}");

        let folded = fold_with_history(std::slice::from_ref(fact));
        let (company, history) =
            folded.unwrap_or_else(|| panic!("{number} yields no company record"));
        assert_eq!(company.status.map(|it| it.name()), Some(example.status), "{number}");
        let events = history.events.iter().map(|it| {
            let (event, field) = (&it.event, it.event.field.as_deref().unwrap_or_default());
            let value = |it: &Option<String>| it.clone().filter(|_| !WITH_NAMES.contains(&field));
            (event.kind.code(), field, value(&event.old_value), value(&event.new_value))
        });
        let owned = |it: Option<&str>| it.map(str::to_owned);
        let expected = example.events.iter();
        let expected =
            expected.map(|(kind, field, old, new)| (*kind, *field, owned(*old), owned(*new)));
        assert!(events.clone().eq(expected), "{number}: {:#?}", events.collect::<Vec<_>>());
        let auditors: Vec<(String, bool)> = history
            .tenures
            .iter()
            .map(|it| {
                (it.auditor_uid.map(|it| it.to_string()).unwrap_or_default(), it.is_current())
            })
            .collect();
        let expected =
            example.auditors.iter().map(|(uid, is_current)| ((*uid).to_owned(), *is_current));
        assert_eq!(auditors, expected.collect::<Vec<_>>(), "{number}");
    }
}
