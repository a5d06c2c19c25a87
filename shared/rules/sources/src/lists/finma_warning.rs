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
    left_out::{LeftOut, leave_out_illegible},
    lists::{
        ReadEntry,
        hashed::Hashed,
        output::{Output, made_from, unreadable},
    },
    text::{is_web_address, lossy, single_spaced},
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
    let text = lossy(&bytes);
    let answer: Answer = serde_json::from_str(&text).map_err(|error| {
        let beginning: String = text.chars().take(40).collect();
        format!("{error}; it begins with `{beginning}`")
    })?;
    let number = answer.items.len() as u64;
    if let Some(count) = answer.count.filter(|it| *it > number) {
        return Err(format!("contains {number} of {count} warnings"));
    }
    let mut output = Output::merged(List::FinmaWarning, each);
    for mut item in answer.items {
        let record = item.to_string();
        let mut left_out = LeftOut::default();
        leave_out_illegible(&mut item, &mut left_out);
        let entry = entry(&item, &record, &mut left_out);
        output.entry(entry, &left_out, || record);
    }
    output.finish(None, file.finish().map_err(|it| it.to_string())?)
}

/// The text of a member. `None` if it is missing or empty.
fn text(item: &Value, member: &str) -> Result<Option<String>, String> {
    match item.get(member) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(single_spaced(text)),
        Some(other) => Err(format!("{member}: `{other}` is no text")),
    }
}

fn required(item: &Value, member: &str) -> Result<String, String> {
    text(item, member)?.ok_or_else(|| format!("{member}: is missing"))
}

/// The last part of the path of the page.
fn id(link: &str) -> Option<&str> {
    let path = link.split(['?', '#']).next()?;
    path.rsplit('/').find(|it| !it.is_empty())
}

fn entry(item: &Value, record: &str, left_out: &mut LeftOut) -> ListEntry {
    let link = left_out.value(required(item, "Link")).unwrap_or_default();
    let id = id(&link).map_or_else(|| made_from(record.as_bytes()), str::to_owned);
    let mut entry = ListEntry::new(List::FinmaWarning, &id, EntryKind::Other);
    entry.topics.insert("reg.warn".to_owned());
    if let Some(title) = left_out.value(required(item, "Title")) {
        add_names(&mut entry, &title, NameQuality::Primary);
    }
    let date = left_out.value(text(item, "Date")).flatten();
    entry.listed = date.and_then(|it| left_out.value(day("Date", &it)));
    entry.remarks.extend(left_out.value(text(item, "FacetColumn")).flatten());
    let url = if link.starts_with('/') { format!("{SITE}{link}") } else { link };
    entry.source_url = Some(url).filter(|it| is_web_address(it));
    entry
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
        assert_eq!((list.version.entries, list.version.active, list.version.rejected), (16, 15, 0));
        assert_eq!(entry("alpenzins").listed, Some(date(2025, 11, 3)));
    }

    #[test]
    fn member_that_cannot_be_read_is_left_out_and_a_record_without_name_rejected() {
        let untitled = r#"[{"Title": " ", "Link": "/warning-list/no-title/"},"#;
        let list = read(&LIST.replacen('[', untitled, 1));
        let reasons: Vec<(bool, &str)> =
            list.rejected.iter().map(|it| (it.is_read, it.reason.as_str())).collect();
        assert_eq!(
            reasons,
            [
                (false, "Title: is missing; has no readable name"),
                (true, "Link: is missing"),
                (true, "Date: `2026-07-02` is not a day such as 28.09.2026"),
            ]
        );
        assert_eq!(list.rejected[0].id.as_deref(), Some("no-title"));
        assert_eq!(entry("odd-date").unreadable, ["Date".to_owned()].into());
        let id = list.rejected[1].id.clone().expect("an id made from the record");
        assert_eq!(names(&entry(&id)), [(NameQuality::Primary, "No Link")]);
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
        let truncated = LIST.replace("\"Count\": 16", "\"Count\": 2180");
        assert!(error(&truncated).ends_with("contains 16 of 2180 warnings"));
    }
}
