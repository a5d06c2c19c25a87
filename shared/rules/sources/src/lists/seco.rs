//! The sanctions list of Switzerland, published by the State Secretariat for Economic Affairs (SECO).
//!
//! Format: XML, `swiss-sanctions-list` with `list-type="whole-list"`; in it `sanctions-program`s, `place`s and
//! `target`s, 42 MB in 2026. The schema is not published; the rules follow the file and its other readers.
//!
//! - A target points to a set of sanctions (`sanctions-set`), which is a part of a programme.
//! - The file contains the history. The newest `modification` decides: a target that it de-lists is not in force. The
//!   newest is the one with the latest effective date (or else date of enactment, or publication); of equal dates, the
//!   first, because the file puts the newest first. A target without modifications is in force.
//! - The former states in `added` and `removed` of a modification are ignored.
//! - A name consists of its parts by `order`, without titles, in every language and script in which they are spelled.
//! - Names of identities other than the main one are aliases.
//! - Vessels have their IMO number in the text `other-information`.
//!
//! The file is read twice, because addresses point to places that follow later. In memory are the programmes, the
//! places, the identifiers of all targets, and one target.

mod header;
mod names;
mod target;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead};

use domain::lists::{List, ListVersion};
use jiff::civil::Date;

use crate::{
    UnreadableList,
    left_out::LeftOut,
    lists::{
        ReadEntry,
        hashed::Hashed,
        output::{Output, unreadable},
        tree::{record, skip},
    },
    xml::{Piece, Tag, Xml},
};
use header::Header;

/// Elements of a target that are not read: the states before and after a modification.
const HISTORY: [&str; 2] = ["added", "removed"];

/// Reads the list. See [`lists::read`](super::read).
pub fn read<R: BufRead>(
    mut open: impl FnMut() -> io::Result<R>,
    mut each: impl FnMut(ReadEntry),
) -> Result<ListVersion, UnreadableList> {
    let mut file = || open().map_err(|it| it.to_string());
    let mut read = || {
        let header = header(file()?)?;
        targets(file()?, header, &mut each)
    };
    read().map_err(unreadable("the sanctions of SECO"))
}

/// First pass: programmes and places.
fn header<R: BufRead>(file: R) -> Result<Header, String> {
    let mut xml = Xml::streamed(file);
    let mut header = Header::dated(date_of(&mut xml)?);
    while let Some(tag) = next_child(&mut xml)? {
        match tag.local() {
            "sanctions-program" => header.add_programme(&record(&mut xml, tag, &[])?.root),
            "place" => header.add_place(&record(&mut xml, tag, &[])?.root),
            "target" => {
                if let Some(id) = tag.attribute("ssid") {
                    header.identifiers.add(id);
                }
                skip(&mut xml)?;
            }
            _ => skip(&mut xml)?,
        }
    }
    Ok(header)
}

/// Second pass: targets.
fn targets<R: BufRead>(
    file: R,
    mut header: Header,
    each: &mut dyn FnMut(ReadEntry),
) -> Result<ListVersion, String> {
    let mut file = Hashed::new(file);
    let mut output = Output::streamed(List::Seco, std::mem::take(&mut header.identifiers), each);
    let mut xml = Xml::streamed(&mut file);
    date_of(&mut xml)?;
    while let Some(tag) = next_child(&mut xml)? {
        if tag.local() != "target" {
            skip(&mut xml)?;
            continue;
        }
        let mut target = record(&mut xml, tag, &HISTORY)?;
        let mut left_out = LeftOut::default();
        target.root.leave_out_illegible(&mut left_out);
        let text = || target.root.to_text();
        match target::entry(&target, &header, &mut left_out) {
            Some(entry) => output.entry(entry, &left_out, text),
            None => {
                output.inactive();
                output.incomplete(target.root.attribute("ssid"), &left_out, text);
            }
        }
    }
    output.finish(header.date, file.finish().map_err(|it| it.to_string())?)
}

/// Opens the root element. Returns the day of the list.
fn date_of<R: BufRead>(xml: &mut Xml<R>) -> Result<Option<Date>, String> {
    let root = loop {
        match xml.next()? {
            Some(Piece::Start(tag)) => break tag,
            Some(_) => {}
            None => return Err("contains no element".to_owned()),
        }
    };
    if root.local() != "swiss-sanctions-list" {
        return Err(format!(
            "the root element is `{}`; expected `swiss-sanctions-list`",
            root.name
        ));
    }
    match root.attribute("list-type") {
        Some("whole-list") => {}
        other => {
            let given = other.unwrap_or_default();
            return Err(format!("list-type: is `{given}`; expected `whole-list`"));
        }
    }
    let date = root.attribute("date").map(|given| {
        given.parse().map_err(|_| format!("date: `{given}` is not a date such as 2026-09-28"))
    });
    date.transpose()
}

/// The next element in the root element. `None` at its end.
fn next_child<R: BufRead>(xml: &mut Xml<R>) -> Result<Option<Tag>, String> {
    loop {
        match xml.next()? {
            Some(Piece::Start(tag)) => return Ok(Some(tag)),
            Some(Piece::End) | None => return Ok(None),
            Some(Piece::Text(_)) => {}
        }
    }
}
