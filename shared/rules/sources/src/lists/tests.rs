//! What all readers of lists guarantee.

use std::{
    cell::Cell,
    collections::BTreeSet,
    fs,
    io::{self, BufReader, Read},
    path::Path,
    rc::Rc,
};

use domain::lists::{Delta, Digests, ListEntry};
use proptest::prelude::*;

use super::*;
use crate::damage::{self, Damaged};

fn fixture(format: ListFormat) -> &'static [u8] {
    match format {
        ListFormat::Seco => include_bytes!("../../fixtures/lists/seco.xml"),
        ListFormat::FollowTheMoney => include_bytes!("../../fixtures/lists/entities.ftm.json"),
        ListFormat::Targets => include_bytes!("../../fixtures/lists/targets.simple.csv"),
        ListFormat::FinmaWarning => include_bytes!("../../fixtures/lists/finma_warning.json"),
        ListFormat::FinmaAuthorised => include_bytes!("../../fixtures/lists/finma_authorised.csv"),
    }
}

fn entries(format: ListFormat, bytes: &[u8]) -> Vec<ListEntry> {
    read_bytes(format, bytes).unwrap_or_else(|it| panic!("{format:?}: {it}")).entries
}

/// A file in its parts: what is before the records, the records, and what is after them.
fn split(format: ListFormat) -> (String, Vec<String>, String) {
    let text = std::str::from_utf8(fixture(format)).expect("text");
    let lines = |text: &str| text.lines().map(|it| format!("{it}\n")).collect();
    match format {
        ListFormat::FollowTheMoney => (String::new(), lines(text), String::new()),
        ListFormat::Targets | ListFormat::FinmaAuthorised => {
            let (header, rows) = text.split_once('\n').expect("a header");
            (format!("{header}\n"), lines(rows), String::new())
        }
        ListFormat::Seco => {
            let (start, end) =
                (text.find("<sanctions-program"), text.find("</swiss-sanctions-list"));
            let (start, end) = (start.expect("a start"), end.expect("an end"));
            let ends = ["</sanctions-program>", "</target>", "</place>"];
            let mut records = vec![String::new()];
            for line in text[start..end].lines() {
                let last = records.last_mut().expect("one");
                last.push_str(line);
                last.push('\n');
                if ends.iter().any(|it| line.ends_with(it)) {
                    records.push(String::new());
                }
            }
            (text[..start].to_owned(), records, text[end..].to_owned())
        }
        ListFormat::FinmaWarning => {
            let answer: serde_json::Value = serde_json::from_str(text).expect("JSON");
            let items = answer["Items"].as_array().expect("items");
            let records = items.iter().map(|it| format!("{it},\n")).collect();
            // The last item has no comma, so that the order can be changed.
            let end = r#"{"Title": "Last", "Link": "/last/"}]}"#;
            (r#"{"Items": ["#.to_owned(), records, end.to_owned())
        }
    }
}

fn joined(format: ListFormat, change: impl FnOnce(&mut Vec<String>)) -> Vec<u8> {
    let (before, mut records, after) = split(format);
    change(&mut records);
    (before + &records.concat() + &after).into_bytes()
}

#[test]
fn invented_files_have_at_least_twelve_entries_of_their_list() {
    for format in ListFormat::ALL {
        let file = read_bytes(format, fixture(format)).expect("a list");
        assert!(file.version.active >= 12, "{format:?}");
        assert_eq!(file.version.active, file.entries.len() as u64);
        let read = file.rejected.iter().filter(|it| it.is_read).count() as u64;
        assert_eq!(file.version.incomplete, read);
        assert_eq!(file.version.rejected, file.rejected.len() as u64 - read);
        for entry in file.entries {
            assert_eq!((entry.list, file.version.list), (format.list(), format.list()));
            let json = serde_json::to_string(&entry).expect("plain data");
            assert!(!json.contains("null"), "{json}");
            let read: ListEntry = serde_json::from_str(&json).expect("the same");
            assert_eq!(read.digest(), entry.digest());
        }
    }
}

#[test]
fn version_names_the_bytes_of_the_file() {
    use sha2::{Digest, Sha256};
    for format in ListFormat::ALL {
        let version = read_bytes(format, fixture(format)).expect("a list").version;
        assert_eq!(version.sha256, hex::encode(Sha256::digest(fixture(format))), "{format:?}");
    }
}

#[test]
fn repeating_records_does_not_change_the_entries() {
    for format in ListFormat::ALL {
        let once = entries(format, &joined(format, |_| {}));
        let twice = joined(format, |records| records.extend(records.clone()));
        assert_eq!(entries(format, &twice), once, "{format:?}");
    }
}

#[test]
fn delta_of_two_files_contains_what_was_edited() {
    let text = std::str::from_utf8(fixture(ListFormat::Seco)).expect("text");
    let now = text
        .replace("Grey Petrel", "Grey Albatross")
        .replace("State-owned bank subject", "Bank subject")
        .replace("ssid=\"95009\"", "ssid=\"95016\"");
    let digests = |text: &str| -> Digests {
        let entries = entries(ListFormat::Seco, text.as_bytes());
        entries.iter().map(|it| (it.id.clone(), it.digest())).collect()
    };
    let delta = Delta::between(&digests(text), &digests(&now), &[].into());
    assert_eq!((delta.added, delta.removed), (vec!["95016".to_owned()], vec!["95009".to_owned()]));
    assert_eq!(delta.changed, ["95006", "95008"]);
    assert_eq!(delta.materially_changed, ["95008"]);
}

/// A large file that is made while it is read. Counts what was read.
struct Generated {
    before: String,
    record: fn(u64) -> String,
    after: &'static str,
    number: u64,
    next: u64,
    pending: Vec<u8>,
    read: Rc<Cell<u64>>,
}

impl Read for Generated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.pending.is_empty() && self.next <= self.number + 1 {
            self.pending = match self.next {
                0 => std::mem::take(&mut self.before),
                next if next > self.number => self.after.to_owned(),
                next => (self.record)(next),
            }
            .into_bytes();
            self.next += 1;
        }
        let length = buffer.len().min(self.pending.len());
        buffer[..length].copy_from_slice(&self.pending[..length]);
        self.pending.drain(..length);
        self.read.set(self.read.get() + length as u64);
        Ok(length)
    }
}

/// The format, what is before the records, a record, and what is after them.
type Large = (ListFormat, &'static str, fn(u64) -> String, &'static str);

const LARGE: [Large; 3] = [
    (
        ListFormat::Seco,
        "<swiss-sanctions-list list-type='whole-list'>",
        |at| {
            let name = format!("<value>Name {at}</value>");
            format!(
                "<target ssid='{at:09}'><entity><identity><name><name-part>{name}</name-part></name></identity></entity></target>"
            )
        },
        "</swiss-sanctions-list>",
    ),
    (
        ListFormat::FollowTheMoney,
        "",
        |at| {
            let properties = format!(r#"{{"name": ["Name {at:09}"]}}"#);
            format!(
                "{{\"id\": \"{at:09}\", \"schema\": \"Person\", \"properties\": {properties}, \"target\": true}}\n"
            )
        },
        "",
    ),
    (
        ListFormat::Targets,
        "id,schema,name,aliases,birth_date,countries,identifiers\n",
        |at| format!("{at:09},Person,Name {at:09},,,,\n"),
        "",
    ),
];

#[test]
fn entries_are_passed_on_while_the_file_is_read() {
    const NUMBER: u64 = 20_000;
    // What the readers may read ahead.
    const AHEAD: u64 = 64 * 1024;
    for (format, before, record, after) in LARGE {
        let read_bytes = Rc::new(Cell::new(0));
        let open = || {
            read_bytes.set(0);
            let (before, read) = (before.to_owned(), read_bytes.clone());
            let pending = Vec::new();
            let file = Generated { before, record, after, number: NUMBER, next: 0, pending, read };
            Ok(BufReader::new(file))
        };
        let mut entries = 0;
        let longest = record(NUMBER).len() as u64;
        let version = read(format, open, |it| {
            assert!(it.is_ok(), "{it:?}");
            entries += 1;
            let expected = before.len() as u64 + entries * longest + AHEAD;
            assert!(read_bytes.get() <= expected, "{format:?}: {} bytes", read_bytes.get());
        });
        assert_eq!(version.expect("a list").active, NUMBER, "{format:?}");
        assert_eq!(entries, NUMBER);
    }
}

#[test]
fn file_that_cannot_be_opened_is_an_error() {
    for format in ListFormat::ALL {
        let open = || Err::<&[u8], _>(io::Error::other("no such file"));
        let error = read(format, open, |it| panic!("{it:?}")).expect_err("no file");
        assert!(error.to_string().ends_with("no such file"), "{error}");
    }
}

/// Files of the publishers, in the folders `seco`, `opensanctions` and `finma` of the folder that is named by the
/// variable: `SCREENING_LISTS_DIR=../shared/data cargo test -p sources -- --ignored real_lists`. Prints what was read.
#[test]
#[ignore = "needs real lists: the folder named by SCREENING_LISTS_DIR"]
fn real_lists_are_read() {
    use ListFormat::{FinmaAuthorised, FinmaWarning, FollowTheMoney, Seco, Targets};
    #[expect(clippy::disallowed_methods, reason = "a test that is configured by its caller")]
    let folder = std::env::var("SCREENING_LISTS_DIR").expect("SCREENING_LISTS_DIR");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(folder);
    let format = |path: &str| match path {
        it if it.ends_with(".xml") => Some(Seco),
        it if it.ends_with(".ftm.json") => Some(FollowTheMoney),
        it if it.ends_with("targets.simple.csv") => Some(Targets),
        it if it.ends_with("warnings.json") => Some(FinmaWarning),
        it if it.ends_with("uid.csv") => Some(FinmaAuthorised),
        _ => None,
    };
    let mut number = 0;
    for name in ["seco", "opensanctions", "finma"] {
        for file in fs::read_dir(folder.join(name)).into_iter().flatten() {
            let path = file.expect("an entry").path();
            let Some(format) = format(&path.to_string_lossy()) else { continue };
            let mut rejected = Vec::new();
            let open = || Ok(BufReader::new(fs::File::open(&path)?));
            let version = read(format, open, |it| rejected.extend(it.err())).expect("a list");
            println!("{}: {version:?}", path.display());
            let reasons: Vec<_> = rejected.iter().take(20).map(|it| &it.reason).collect();
            assert!(version.rejected * 100 <= version.entries, "{reasons:?}");
            number += 1;
        }
    }
    assert!(number > 0, "no list in {}", folder.display());
}

/// A record with each of its members damaged in each way.
fn damaged(format: ListFormat, record: &str) -> Vec<Damaged> {
    match format {
        ListFormat::Targets | ListFormat::FinmaAuthorised => damage::row(record, b',').collect(),
        ListFormat::FollowTheMoney | ListFormat::FinmaWarning => {
            let json = record.trim_end().trim_end_matches(',');
            let end = &record.as_bytes()[json.len()..];
            let whole = |it: Damaged| Damaged { record: [&it.record, end].concat(), ..it };
            damage::json(json).map(whole).collect()
        }
        ListFormat::Seco => damage::xml(record).collect(),
    }
}

/// The words of all names of an entry.
fn words(entry: &ListEntry) -> BTreeSet<&str> {
    entry.names.iter().flat_map(|it| it.text.split_whitespace()).collect()
}

#[test]
fn no_damaged_member_hides_an_entry() {
    for format in ListFormat::ALL {
        let (before, records, after) = split(format);
        let read_records =
            |it: &[u8]| read_bytes(format, &[before.as_bytes(), it, after.as_bytes()].concat());
        let undamaged = read_records(records.concat().as_bytes()).expect("a list").version;
        for (at, record) in records.iter().enumerate() {
            // Of the record alone: its entry, if it is undamaged and in force.
            let Ok(expected) = read_records(record.as_bytes()) else { continue };
            let Some(expected) = expected.entries.iter().find(|it| it.id != "last") else {
                continue;
            };
            let (earlier, later) = (records[..at].concat(), records[at + 1..].concat());
            for Damaged { record, before: was, .. } in damaged(format, record) {
                let file = [earlier.as_bytes(), &record, later.as_bytes()].concat();
                let file = read_records(&file).expect("a list");
                let rejected = file.version.rejected - undamaged.rejected;
                let words_of = words(expected).into_iter();
                let wanted: BTreeSet<&str> = words_of.filter(|it| !was.contains(it)).collect();
                let is_found = !wanted.is_empty()
                    && file.entries.iter().any(|it| wanted.is_subset(&words(it)));
                // Without another name, the entry cannot be found, which is counted. Digits may be the name of a company.
                let is_counted = wanted.is_empty() && (rejected == 1 || record.contains(&b'1'));
                assert!(
                    is_found || is_counted || expected.names.is_empty(),
                    "{was}: {}\n{:?}",
                    String::from_utf8_lossy(&record),
                    file.rejected
                );
                assert!(file.version.active + rejected >= undamaged.active);
            }
        }
    }
}

fn any_format() -> impl Strategy<Value = ListFormat> {
    proptest::sample::select(ListFormat::ALL.to_vec())
}

proptest! {
    #[test]
    fn order_of_records_does_not_change_the_entries(format in any_format(), seed in any::<u64>()) {
        let once = joined(format, |_| {});
        let shuffled = joined(format, |records| {
            let mut state = seed;
            for at in (1..records.len()).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                records.swap(at, (state >> 33) as usize % (at + 1));
            }
        });
        prop_assert_eq!(entries(format, &shuffled), entries(format, &once));
    }

    #[test]
    fn sizes_in_which_a_file_is_read_do_not_matter(format in any_format(), size in 1usize..40) {
        let mut read_entries = Vec::new();
        let open = || Ok(BufReader::with_capacity(size, fixture(format)));
        let version = read(format, open, |it| read_entries.extend(it)).expect("a list");
        read_entries.sort_by(|one, other| one.id.cmp(&other.id));
        let expected = read_bytes(format, fixture(format)).expect("a list");
        prop_assert_eq!((read_entries, version), (expected.entries, expected.version));
    }

    #[test]
    fn arbitrary_bytes_never_panic(format in any_format(), bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = read_bytes(format, &bytes);
    }

    #[test]
    fn changed_bytes_never_panic(
        format in any_format(),
        at in any::<prop::sample::Index>(),
        with in prop::collection::vec(any::<u8>(), 0..4),
        removed in 0usize..30,
    ) {
        let mut bytes = fixture(format).to_vec();
        let at = at.index(bytes.len());
        bytes.splice(at..(at + removed).min(fixture(format).len()), with);
        if let Ok(file) = read_bytes(format, &bytes) {
            prop_assert!(file.entries.iter().all(|it| !it.id.is_empty()));
        }
    }
}
