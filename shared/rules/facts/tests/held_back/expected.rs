//! The notices of the set, with what a person read in them.

use std::{collections::BTreeSet, fs, path::Path};

use jiff::civil::Date;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Notice {
    pub(crate) id: String,
    /// `list` or `prose`.
    pub(crate) style: String,
    pub(crate) lang: String,
    /// The canton of the office.
    pub(crate) office: String,
    pub(crate) company: String,
    pub(crate) uid: String,
    pub(crate) publication_date: Date,
    pub(crate) rubric: Rubric,
    pub(crate) text: String,
    pub(crate) expected: Expected,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub(crate) enum Rubric {
    #[serde(rename = "HR01")]
    NewEntry,
    #[serde(rename = "HR02")]
    Mutation,
    #[serde(rename = "HR03")]
    Deletion,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Expected {
    pub(crate) persons: Vec<Person>,
    pub(crate) events: BTreeSet<String>,
    pub(crate) status_after: String,
    pub(crate) court_date: Option<Date>,
    #[serde(default)]
    pub(crate) mentioned_unchanged: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Person {
    pub(crate) action: String,
    pub(crate) name: String,
    pub(crate) roles: Vec<String>,
    pub(crate) signature: Option<String>,
    pub(crate) quota: Option<Quota>,
    pub(crate) origin: Vec<String>,
    pub(crate) residence: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Quota {
    pub(crate) count: u64,
    /// Of one share, in units of the currency.
    pub(crate) nominal: i64,
    pub(crate) currency: String,
}

impl Expected {
    pub(crate) fn is_re_entry(&self) -> bool {
        self.events.contains("re_entered")
    }
}

/// The notices of a file; a relative path is that from the folder of the crate.
pub(crate) fn notices(file: &str) -> Vec<Notice> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(&file).unwrap_or_else(|it| panic!("{}: {it}", file.display()));
    let notices = text.lines().enumerate();
    let notices = notices.map(|(at, line)| {
        serde_json::from_str(line).unwrap_or_else(|it| panic!("line {}: {it}", at + 1))
    });
    notices.collect()
}
