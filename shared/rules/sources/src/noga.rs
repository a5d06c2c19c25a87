//! The official code list of economic activities (NOGA 2008), to check [`domain::noga`]. The list no
//! longer changes, so it is fetched on request only.
//!
//! Format: the response of the interoperability platform I14Y to
//! `concepts/{id}?includeCodeListEntries=true` (`data.codeListEntries` with `code`, `parentCode`, `name`),
//! or a table with the columns `code`, `de`, `fr`, `it`, `en`. The project does not contain the official
//! labels: [`domain::noga`] has its own.

use std::collections::{BTreeSet, HashMap};

use domain::noga::{CLASSES, DIVISIONS, SECTIONS};
use serde::Deserialize;
use serde_json::Value;

use crate::FetchPolicy;
use crate::{
    Rejected, Request, UnreadableList,
    table::{Row, Table},
    text::without_mark,
};

/// Limits for requests. A load is one file with about 1,800 entries in four languages.
pub const POLICY: FetchPolicy = FetchPolicy::new("noga", 2_000, 16);

const ADDRESS: &str =
    "https://api.i14y.admin.ch/api/public/v1/concepts/08dc481b-2add-1232-b5fe-b1fae7a1ac02";

/// Request for the complete list, which is one file.
pub fn request() -> Request {
    Request::get_with(ADDRESS, &[("includeCodeListEntries", "true")]).accepting("application/json")
}

/// Level of a code in the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A letter.
    Section,
    /// Two digits.
    Division,
    /// Three digits.
    Group,
    /// Four digits.
    Class,
    /// Six digits.
    Type,
}

/// A code with its labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub code: String,
    pub level: Level,
    /// In German, French, Italian and English.
    pub labels: [String; 4],
}

/// The list, indexed by code.
#[derive(Debug, Default)]
pub struct Codes {
    entries: HashMap<String, Entry>,
    /// Entries that could not be read.
    pub rejected: Vec<Rejected>,
}

/// Reads the list from JSON or a table.
pub fn read(bytes: &[u8]) -> Result<Codes, UnreadableList> {
    let unreadable = |reason| UnreadableList { list: "NOGA codes", reason };
    let bytes = without_mark(bytes);
    let mut codes = Codes::default();
    if bytes.trim_ascii_start().starts_with(b"{") {
        #[derive(Deserialize)]
        struct Answer {
            data: Concept,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Concept {
            code_list_entries: Vec<Value>,
        }
        let answer: Answer =
            serde_json::from_slice(bytes).map_err(|it| unreadable(it.to_string()))?;
        for record in answer.data.code_list_entries {
            codes.add(of_json(&record).map_err(|reason| Rejected::new(record.to_string(), reason)));
        }
        return Ok(codes);
    }
    let mut table = Table::detect(bytes).map_err(unreadable)?;
    table.require(&["code", "de", "fr", "it", "en"]).map_err(unreadable)?;
    while let Some(row) = table.next() {
        codes.add(row.and_then(|row| of_row(&row).map_err(|reason| row.rejected(reason))));
    }
    Ok(codes)
}

fn of_json(record: &Value) -> Result<Entry, String> {
    let code = record.get("code").and_then(Value::as_str).ok_or("code: is missing")?;
    let label = |language: &str| {
        let label = record.get("name").and_then(|it| it.get(language)).and_then(Value::as_str);
        label.map(str::to_owned).ok_or_else(|| format!("name.{language}: is missing"))
    };
    entry(code, [label("de")?, label("fr")?, label("it")?, label("en")?])
}

fn of_row(row: &Row) -> Result<Entry, String> {
    let label = |name| row.required(name).map(str::to_owned);
    entry(row.required("code")?, [label("de")?, label("fr")?, label("it")?, label("en")?])
}

fn entry(code: &str, labels: [String; 4]) -> Result<Entry, String> {
    let digits = code.bytes().all(|it| it.is_ascii_digit());
    let level = match code.len() {
        1 if code.bytes().all(|it| it.is_ascii_uppercase()) => Level::Section,
        2 if digits => Level::Division,
        3 if digits => Level::Group,
        4 if digits => Level::Class,
        6 if digits => Level::Type,
        _ => return Err(format!("code: `{code}` is not a letter or 2, 3, 4 or 6 digits")),
    };
    Ok(Entry { code: code.to_owned(), level, labels })
}

impl Codes {
    fn add(&mut self, entry: Result<Entry, Rejected>) {
        match entry {
            Ok(entry) => {
                self.entries.insert(entry.code.clone(), entry);
            }
            Err(rejected) => self.rejected.push(rejected),
        }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry of a code.
    pub fn entry(&self, code: &str) -> Option<&Entry> {
        self.entries.get(code)
    }

    /// The entries above a code and its own, from section to type. Leaves out entries that are not in the
    /// list. [`domain::noga`] provides the section, which the digits do not contain.
    pub fn hierarchy(&self, code: &str) -> Vec<&Entry> {
        let letter = domain::noga::division(code).map(|it| it.section.to_string());
        let section = letter.as_deref().and_then(|it| self.entry(it));
        let levels = [2, 3, 4, 6].into_iter().filter_map(|digits| self.entry(code.get(..digits)?));
        section.into_iter().chain(levels).collect()
    }
}

/// Differences between [`domain::noga`] and this list, one text each. [`domain::noga`] must contain all
/// sections and divisions, but only some classes.
pub fn deviations(codes: &Codes) -> Vec<String> {
    let in_project = SECTIONS.iter().map(|it| it.code.to_string());
    let in_project = in_project.chain(DIVISIONS.iter().map(|it| it.code.to_owned()));
    let in_project: BTreeSet<String> = in_project.collect();
    let classes = CLASSES.iter().map(|it| it.code.to_owned());
    let unknown = in_project.iter().cloned().chain(classes).filter(|it| codes.entry(it).is_none());
    let unknown = unknown.map(|it| format!("{it} is in the project, but not in the list"));
    let is_coarse = |it: &&Entry| matches!(it.level, Level::Section | Level::Division);
    let in_list: BTreeSet<&str> =
        codes.entries.values().filter(is_coarse).map(|it| it.code.as_str()).collect();
    let missing = in_list.into_iter().filter(|it| !in_project.contains(*it));
    let missing = missing.map(|it| format!("{it} is in the list, but not in the project"));
    unknown.chain(missing).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Official codes with invented labels, and two rows with an error.
    const LIST: &str = include_str!("../fixtures/noga/codes.csv");
    /// A response of the platform with two entries, of which the second has only one label.
    const RESPONSE: &str = include_str!("../fixtures/noga/response.json");

    #[test]
    fn hierarchy_contains_all_levels_above_a_code() {
        let codes = read(LIST.as_bytes()).expect("a table");
        let hierarchy: Vec<&str> =
            codes.hierarchy("620100").iter().map(|it| it.code.as_str()).collect();
        assert_eq!(hierarchy, ["J", "62", "620", "6201", "620100"]);
        assert_eq!(codes.entry("6201").expect("known").labels[1], "Programmation");
        assert!(codes.hierarchy("9").is_empty());
    }

    #[test]
    fn invalid_entry_is_rejected_with_its_column() {
        let reasons: Vec<String> = read(LIST.as_bytes())
            .expect("a table")
            .rejected
            .into_iter()
            .map(|it| it.reason)
            .collect();
        assert_eq!(
            reasons,
            ["code: `62x1` is not a letter or 2, 3, 4 or 6 digits", "fr: is empty"]
        );
    }

    #[test]
    fn response_of_the_platform_is_read() {
        let codes = read(RESPONSE.as_bytes()).expect("json");
        assert_eq!((codes.len(), codes.rejected.len()), (1, 1));
        assert_eq!(codes.rejected[0].reason, "name.fr: is missing");
        assert!(read(b"{}").is_err() && read(b"a,b\n").is_err());
    }

    #[test]
    fn differences_from_the_list_are_found() {
        let codes = SECTIONS.iter().map(|it| it.code.to_string());
        let codes = codes.chain(DIVISIONS.iter().map(|it| it.code.to_owned()));
        let codes = codes.chain(CLASSES.iter().map(|it| it.code.to_owned()));
        let rows: String = codes.map(|it| format!("{it},a,b,c,d\n")).collect();
        let list = format!("code,de,fr,it,en\n0111,a,b,c,d\n6203,a,b,c,d\n{rows}");
        let of = |list: &str| deviations(&read(list.as_bytes()).expect("a table"));
        assert_eq!(of(&list), [""; 0]);
        assert_eq!(
            of(&list.replace("\n62,", "\n04,").replace("\n6201,", "\n6299,")),
            [
                "62 is in the project, but not in the list",
                "6201 is in the project, but not in the list",
                "04 is in the list, but not in the project",
            ]
        );
    }

    proptest! {
        #[test]
        fn changing_one_character_never_panics(at in 0usize..500, with in any::<char>()) {
            let mut text: Vec<char> = LIST.chars().collect();
            let at = at % text.len();
            text[at] = with;
            if let Ok(codes) = read(text.into_iter().collect::<String>().as_bytes()) {
                let _ = codes.hierarchy("620100");
            }
        }
    }
}
