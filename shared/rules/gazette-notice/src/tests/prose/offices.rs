//! Notices as the offices of several cantons write them, one file for each language.
//!
//! A line without indentation is a text. The indented lines after it are the entries that it states: kind and name, function,
//! signature, shares and residence, separated by `|`. `*` is any value; columns that are missing at the end are not compared.
//! Shares are `number x nominal value of all`.

use super::{notice, variants};
use crate::*;

/// The texts of a file with their entries.
fn cases(file: &str) -> Vec<(String, Vec<String>)> {
    let mut cases: Vec<(String, Vec<String>)> = Vec::new();
    for line in file.lines().filter(|it| !it.trim().is_empty()) {
        match (line.strip_prefix("    "), cases.last_mut()) {
            (Some(entry), Some((_, entries))) => entries.push(entry.trim().to_owned()),
            _ => cases.push((line.to_owned(), Vec::new())),
        }
    }
    cases
}

/// The columns of an entry.
fn columns(entry: &Entry) -> [String; 5] {
    let name = match &entry.subject {
        Subject::Person { last_name, first_name, .. } => format!("{last_name}, {first_name}"),
        Subject::Entity { name, .. } => format!("[{name}]"),
    };
    let kind = match entry.kind {
        EntryKind::Entered => '+',
        EntryKind::Changed => '~',
        EntryKind::Left => '-',
    };
    let signature = entry.signature_kind.map_or("", |it| match it {
        SignatureKind::Sole => "sole",
        SignatureKind::JointByTwo => "two",
        SignatureKind::SoleProcuration => "sole procuration",
        SignatureKind::JointProcuration => "joint procuration",
        SignatureKind::None => "none",
        SignatureKind::Other => "other",
    });
    let quota = entry.quota.as_ref();
    let shares = quota.and_then(|it| it.shares).map(|it| it.to_string());
    let total = quota.and_then(|it| it.total).map(|it| it.ten_thousandths() / 10_000);
    let shares = match (shares, total) {
        (None, None) => String::new(),
        (shares, total) => format!(
            "{}x{}",
            shares.unwrap_or_default(),
            total.map(|it| it.to_string()).unwrap_or_default()
        ),
    };
    [
        format!("{kind} {name}"),
        entry.function.clone().unwrap_or_default().to_lowercase(),
        signature.to_owned(),
        shares,
        entry.domicile.clone().unwrap_or_default(),
    ]
}

fn is_stated(expected: &str, entry: &Entry) -> bool {
    let columns = columns(entry);
    expected.split('|').map(str::trim).zip(&columns).enumerate().all(|(at, (expected, stated))| {
        let expected = if at == 1 { expected.to_lowercase() } else { expected.to_owned() };
        expected == "*" || expected == *stated
    })
}

/// Compares what the texts of a file state, each with the persons of all variants.
fn assert_read(file: &str) {
    let mut failures = Vec::new();
    let cases = cases(file);
    let mut failed = 0;
    for (template, expected) in &cases {
        let expected: Vec<Vec<String>> = expected.iter().map(|it| variants(it)).collect();
        let before = failures.len();
        for (at, text) in variants(template).iter().enumerate() {
            let mut expected: Vec<&String> = expected.iter().map(|it| &it[at]).collect();
            let entries = read(&notice(text)).entries;
            let mut unexpected: Vec<&Entry> = Vec::new();
            for entry in &entries {
                match expected.iter().position(|it| is_stated(it, entry)) {
                    Some(found) => drop(expected.remove(found)),
                    None => unexpected.push(entry),
                }
            }
            if !expected.is_empty() || !unexpected.is_empty() {
                let unexpected: Vec<String> =
                    unexpected.iter().map(|it| columns(it).join(" | ")).collect();
                failures.push(format!("{text}\n    {unexpected:#?}\n    instead of {expected:#?}"));
            }
        }
        failed += usize::from(failures.len() > before);
    }
    assert!(
        failures.is_empty(),
        "{failed} of {} texts, {} differences:\n{}",
        cases.len(),
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn french_texts_of_the_offices_are_read() {
    assert_read(include_str!("offices/fr.txt"));
}

#[test]
fn german_texts_of_the_offices_are_read() {
    assert_read(include_str!("offices/de.txt"));
}

#[test]
fn italian_texts_of_the_offices_are_read() {
    assert_read(include_str!("offices/it.txt"));
}
