//! Warnings of the Swiss Financial Market Supervisory Authority (FINMA) about providers that offer financial services
//! without a licence.
//!
//! Format: the JSON of the search on finma.ch, `{Items: [{Title, Link, Date, FacetColumn}], Count}`, all warnings in one
//! file. It is not documented. Addresses, websites and numbers are only on the page behind `Link`, which is not fetched.
//!
//! - The identifier is the last part of `Link`. The member `Id` is not in all versions of the format.
//! - A title with ` / ` lists several names, often the domains of websites: each is also an alias.
//! - The list does not state whether a provider is a person or an organisation: the kind of all entries is `other`.
//!
//! The list has 2,200 warnings and is in memory as a whole.

use std::io::{self, BufRead, Read};

use domain::lists::{EntryKind, List, ListEntry, ListName, ListVersion, NameQuality};
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    UnreadableList,
    lists::{
        ReadEntry,
        hashed::Hashed,
        output::{Output, unreadable},
    },
    text::{is_web_address, lossy, single_spaced, without_mark},
};

const SITE: &str = "https://www.finma.ch";

/// Reads the list. See [`lists::read`](super::read).
pub fn read<R: BufRead>(
    mut open: impl FnMut() -> io::Result<R>,
    mut each: impl FnMut(ReadEntry),
) -> Result<ListVersion, UnreadableList> {
    let file = open().map_err(|it| it.to_string());
    let read = file.and_then(|it| items(Hashed::new(it), &mut each));
    read.map_err(unreadable("the warnings of FINMA"))
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Answer {
    items: Vec<Value>,
    count: Option<u64>,
}

fn items<R: BufRead>(
    mut file: Hashed<R>,
    each: &mut dyn FnMut(ReadEntry),
) -> Result<ListVersion, String> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|it| it.to_string())?;
    let answer: Answer = serde_json::from_slice(without_mark(&bytes)).map_err(|error| {
        let beginning: String = lossy(&bytes).chars().take(40).collect();
        format!("{error}; it begins with `{beginning}`")
    })?;
    let number = answer.items.len() as u64;
    if let Some(count) = answer.count.filter(|it| *it > number) {
        return Err(format!("contains {number} of {count} warnings"));
    }
    let mut output = Output::merged(List::FinmaWarning, each);
    for item in answer.items {
        match entry(&item) {
            Ok(entry) => output.entry(entry),
            Err(reason) => output.reject(id(&item).as_deref(), &item.to_string(), reason),
        }
    }
    output.finish(None, file.finish().map_err(|it| it.to_string())?)
}

fn text(item: &Value, member: &str) -> Option<String> {
    item.get(member).and_then(Value::as_str).and_then(single_spaced)
}

/// The last part of the path of the page.
fn id(item: &Value) -> Option<String> {
    let link = text(item, "Link")?;
    let path = link.split(['?', '#']).next()?;
    path.rsplit('/').find(|it| !it.is_empty()).map(str::to_owned)
}

fn entry(item: &Value) -> Result<ListEntry, String> {
    let id = id(item).ok_or("Link: is missing")?;
    let title = text(item, "Title").ok_or("Title: is missing")?;
    let mut entry = ListEntry::new(List::FinmaWarning, &id, EntryKind::Other);
    entry.topics.insert("reg.warn".to_owned());
    add_names(&mut entry, &title, NameQuality::Primary);
    entry.listed = text(item, "Date").map(|it| day("Date", &it)).transpose()?;
    entry.remarks.extend(text(item, "FacetColumn"));
    let link = text(item, "Link").unwrap_or_default();
    let url = if link.starts_with('/') { format!("{SITE}{link}") } else { link };
    entry.source_url = Some(url).filter(|it| is_web_address(it));
    Ok(entry)
}

fn add_names(entry: &mut ListEntry, text: &str, quality: NameQuality) {
    entry.names.insert(ListName::new(quality, text));
    if text.contains(" / ") {
        let names = text.split(" / ").filter_map(single_spaced);
        entry.names.extend(names.map(|it| ListName::new(NameQuality::Alias, &it)));
    }
}

/// A day in the form 28.09.2026.
fn day(member: &str, given: &str) -> Result<Date, String> {
    let parts: Vec<&str> = given.split('.').collect();
    let date = match parts[..] {
        [day, month, year] if year.len() == 4 => day
            .parse()
            .ok()
            .zip(month.parse().ok())
            .zip(year.parse().ok())
            .and_then(|((day, month), year)| Date::new(year, month, day).ok()),
        _ => None,
    };
    date.ok_or_else(|| format!("{member}: `{given}` is not a day such as 28.09.2026"))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::lists::{ListFile, ListFormat, read_bytes};

    const LIST: &str = include_str!("../../fixtures/lists/finma_warning.json");

    fn read(text: &str) -> ListFile {
        read_bytes(ListFormat::FinmaWarning, text.as_bytes()).expect("a list")
    }

    fn entry(id: &str) -> ListEntry {
        read(LIST).entries.into_iter().find(|it| it.id == id).unwrap_or_else(|| panic!("{id}"))
    }

    fn names(entry: &ListEntry) -> Vec<(NameQuality, &str)> {
        entry.names.iter().map(|it| (it.quality, it.text.as_str())).collect()
    }

    #[test]
    fn warning_has_names_date_and_page() {
        let entry = entry("nordlicht-kapital");
        assert_eq!(
            names(&entry),
            [
                (NameQuality::Primary, "Nordlicht Kapital / nordlicht-kapital.example"),
                (NameQuality::Alias, "Nordlicht Kapital"),
                (NameQuality::Alias, "nordlicht-kapital.example"),
            ]
        );
        assert_eq!(entry.listed, Some(date(2026, 7, 2)));
        assert_eq!(
            entry.source_url.as_deref(),
            Some("https://www.finma.ch/en/finma-public/warnungen/warning-list/nordlicht-kapital/")
        );
        assert_eq!(Vec::from_iter(&entry.remarks), ["Not entered in commercial register"]);
        assert!(entry.topics.contains("reg.warn") && !entry.is_sanctioned());
    }

    #[test]
    fn warning_that_is_stated_twice_is_merged() {
        let list = read(LIST);
        assert_eq!((list.version.entries, list.version.active, list.version.rejected), (17, 13, 3));
        assert_eq!(entry("alpenzins").listed, Some(date(2025, 11, 3)));
    }

    #[test]
    fn invalid_record_is_rejected_with_its_identifier_and_field() {
        let list = read(LIST);
        let reasons: Vec<(Option<&str>, &str)> =
            list.rejected.iter().map(|it| (it.id.as_deref(), it.reason.as_str())).collect();
        assert_eq!(
            reasons,
            [
                (Some("no-title"), "Title: is missing"),
                (None, "Link: is missing"),
                (Some("odd-date"), "Date: `2026-07-02` is not a day such as 28.09.2026"),
            ]
        );
    }

    #[test]
    fn file_that_is_incomplete_or_in_another_format_is_an_error() {
        let error = |text: &str| {
            let error = read_bytes(ListFormat::FinmaWarning, text.as_bytes()).expect_err(text);
            error.to_string()
        };
        assert!(error("<html>x</html>").ends_with("it begins with `<html>x</html>`"));
        assert!(error(r#"{"results": []}"#).contains("missing field `Items`"));
        assert!(error(r#"{"Items": [], "Count": 0}"#).ends_with("contains no record"));
        let truncated = LIST.replace("\"Count\": 17", "\"Count\": 2180");
        assert!(error(&truncated).ends_with("contains 17 of 2180 warnings"));
    }
}
