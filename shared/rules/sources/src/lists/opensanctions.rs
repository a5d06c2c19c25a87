//! Entities of OpenSanctions: sanctions, politically exposed persons (PEP) with their offices, relatives and associates,
//! and other lists.
//!
//! Format: `entities.ftm.json`, one JSON object of the model FollowTheMoney per line:
//! `{id, caption, schema, properties: {name: [value]}, datasets, referents, first_seen, last_seen, last_change, target}`.
//! Every property has any number of values. Things point to each other by identifiers in properties.
//!
//! - Entries are the things that are targets or have a topic that means risk. Other things, such as the offices and the
//!   companies to which they are linked, are not on the list.
//! - Sanctions, risks, offices, documents, addresses, families, associates, ownerships and functions are records of their
//!   own. They are joined to their entries, wherever they are in the file. A sanction that ended before the
//!   record was last seen is only a remark.
//! - Records with the same identifier are merged.
//! - The caption is the primary name, other names are aliases; `weakAlias` and `abbreviation` are weak.
//! - An entity whose caption, target flag or topics are missing is still read.
//!
//! The data may be used for non-commercial purposes (CC BY-NC 4.0); a commercial operator needs a licence of OpenSanctions.
//!
//! The file is read twice. In memory are the records that are joined (their properties that are read), the identifiers,
//! and one entity. Files with nested entities (`targets.nested.json`) are not read.

mod entry;
mod links;
mod record;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead};

use domain::lists::{EntryKind, List, ListVersion};

use crate::{
    UnreadableList,
    lists::{
        ReadEntry,
        hashed::Hashed,
        output::{Identifiers, Output, unreadable},
    },
    text::lossy,
};
use links::Links;
use record::{Lines, Record, day};

/// Reads the entities. See [`lists::read`](super::read).
pub fn read<R: BufRead>(
    mut open: impl FnMut() -> io::Result<R>,
    mut each: impl FnMut(ReadEntry),
) -> Result<ListVersion, UnreadableList> {
    let mut file = || open().map_err(|it| it.to_string());
    let mut read = || {
        let (links, identifiers) = links(file()?)?;
        entries(file()?, &links, identifiers, &mut each)
    };
    read().map_err(unreadable("the entities of OpenSanctions"))
}

/// First pass: the records that are joined to entries.
fn links<R: BufRead>(file: R) -> Result<(Links, Identifiers), String> {
    let (mut links, mut identifiers) = (Links::default(), Identifiers::default());
    let mut first_error = None;
    let mut lines = Lines::new(file);
    let mut is_readable = false;
    while let Some(line) = lines.next()? {
        match line.and_then(Record::parse) {
            Ok(record) => {
                is_readable = true;
                if !links.add(&record) {
                    identifiers.add(&record.id);
                }
            }
            Err(error) if lines.is_truncated() => {
                return Err(format!("ends inside a record, so that it is incomplete: {error}"));
            }
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    match first_error {
        Some(error) if !is_readable => Err(error),
        _ => {
            links.connect();
            Ok((links, identifiers))
        }
    }
}

/// Second pass: the entries.
fn entries<R: BufRead>(
    file: R,
    links: &Links,
    identifiers: Identifiers,
    each: &mut dyn FnMut(ReadEntry),
) -> Result<ListVersion, String> {
    let mut file = Hashed::new(file);
    let mut output = Output::streamed(List::Opensanctions, identifiers, each);
    let mut newest = None;
    let mut lines = Lines::new(&mut file);
    while let Some(line) = lines.next()? {
        match line.clone().and_then(Record::parse) {
            Ok(mut record) => {
                let mut left_out = std::mem::take(&mut record.left_out);
                let text = || lossy(line.unwrap_or_default()).into_owned();
                match entry::entry(&record, links, &mut left_out) {
                    Some(entry) => {
                        let seen = day("last_seen", record.last_seen.as_deref());
                        newest = newest.max(seen.unwrap_or_default());
                        output.entry(entry, &left_out, text);
                    }
                    None => output.incomplete(Some(&record.id), &left_out, text),
                }
            }
            Err(reason) => {
                let bytes = line.unwrap_or_default();
                output.reject(record::id(bytes).as_deref(), &lossy(bytes), reason);
            }
        }
    }
    output.finish(newest, file.finish().map_err(|it| it.to_string())?)
}

/// What an entity of this schema is.
pub(super) fn kind(schema: &str) -> EntryKind {
    match schema {
        "Person" => EntryKind::Person,
        "Company" | "Organization" | "PublicBody" => EntryKind::Organisation,
        "Vessel" => EntryKind::Vessel,
        "Airplane" => EntryKind::Aircraft,
        // `LegalEntity` is a person or an organisation.
        _ => EntryKind::Other,
    }
}

/// The code of a country in upper case. OpenSanctions adds codes of its own, such as `SUHH` for the Soviet Union.
pub(super) fn country(code: &str) -> String {
    code.to_ascii_uppercase()
}
