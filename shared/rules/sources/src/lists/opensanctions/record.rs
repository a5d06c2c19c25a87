//! Lines of the file.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    io::{BufRead, Read},
};

use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    left_out::{LeftOut, from_json, leave_out_illegible},
    lists::output::made_from,
    text::{lossy, single_spaced, without_mark},
};

/// Maximum length of a line in bytes. Real lines have less than a tenth.
const MAX_LINE: u64 = 16 * 1024 * 1024;

/// An entity of FollowTheMoney.
#[derive(Debug, Deserialize)]
pub(super) struct Record {
    /// Made from the line if it cannot be read.
    #[serde(default)]
    pub(super) id: String,
    /// Empty if it cannot be read.
    #[serde(default)]
    pub(super) schema: String,
    pub(super) caption: Option<String>,
    #[serde(default)]
    properties: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub(super) datasets: Vec<String>,
    #[serde(default)]
    pub(super) referents: Vec<String>,
    pub(super) first_seen: Option<String>,
    pub(super) last_seen: Option<String>,
    pub(super) last_change: Option<String>,
    #[serde(default)]
    pub(super) target: bool,
    /// What of the line could not be read.
    #[serde(skip)]
    pub(super) left_out: LeftOut,
}

impl Record {
    pub(super) fn parse(line: &[u8]) -> Result<Self, String> {
        // Nearly all lines are undamaged, and are read without a copy.
        let mut record = match serde_json::from_slice::<Self>(line) {
            Ok(record) => record,
            Err(error) => Self::parse_damaged(line).map_err(|reason| {
                let beginning: String = lossy(line.trim_ascii()).chars().take(40).collect();
                format!("{}; it begins with `{beginning}`", reason.unwrap_or(error.to_string()))
            })?,
        };
        let missing: Vec<&str> = [("id", &record.id), ("schema", &record.schema)]
            .into_iter()
            .filter(|(member, value)| value.trim().is_empty() && !record.left_out.has(&[member]))
            .map(|(member, _)| member)
            .collect();
        if let [_, _] = missing[..] {
            return Err("is no entity: has neither `id` nor `schema`".to_owned());
        }
        missing.iter().for_each(|it| record.left_out.add(format!("{it}: is missing")));
        if record.id.trim().is_empty() {
            record.id = made_from(line);
        }
        Ok(record)
    }

    /// Reads a line that is not as it should be. The error is absent if the line is no JSON at all.
    fn parse_damaged(line: &[u8]) -> Result<Self, Option<String>> {
        let text = lossy(line);
        let mut json: Value = serde_json::from_str(&text).map_err(|_| None)?;
        let mut left_out = LeftOut::default();
        if matches!(text, Cow::Owned(_)) {
            leave_out_illegible(&mut json, &mut left_out);
        }
        let record: Self = from_json(json, &mut left_out).map_err(Some)?;
        Ok(Self { left_out, ..record })
    }

    /// The values of a property as they are stated.
    pub(super) fn stated(&self, property: &str) -> impl Iterator<Item = &str> {
        self.properties.get(property).into_iter().flatten().map(String::as_str)
    }

    /// The values of a property, without empty ones.
    pub(super) fn values(&self, property: &str) -> impl Iterator<Item = String> {
        self.properties.get(property).into_iter().flatten().filter_map(|it| single_spaced(it))
    }

    /// The values of several properties.
    pub(super) fn all<'a>(&'a self, properties: &'a [&str]) -> impl Iterator<Item = String> + 'a {
        properties.iter().flat_map(|it| self.values(it))
    }
}

/// The identifier of a record that could not be read otherwise.
pub(super) fn id(line: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Identified {
        id: String,
    }
    let identified: Identified = serde_json::from_slice(line).ok()?;
    single_spaced(&identified.id)
}

/// The day of a moment such as `2023-04-20T18:00:25`.
pub(super) fn day(member: &str, moment: Option<&str>) -> Result<Option<Date>, String> {
    let Some(moment) = moment.filter(|it| !it.is_empty()) else { return Ok(None) };
    let day = moment.split(['T', ' ']).next().and_then(|it| it.parse().ok());
    day.map(Some).ok_or_else(|| format!("{member}: `{moment}` is not a day such as 2026-09-28"))
}

/// The lines of a file, without empty ones.
pub(super) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    is_first: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, line: Vec::new(), is_first: true }
    }

    /// The next line. `None` at the end. The inner error is a line that is too long.
    pub(super) fn next(&mut self) -> Result<Option<Result<&[u8], String>>, String> {
        loop {
            self.line.clear();
            let mut limited = self.input.by_ref().take(MAX_LINE);
            let length = limited.read_until(b'\n', &mut self.line).map_err(|it| it.to_string())?;
            if length == 0 {
                return Ok(None);
            }
            if length as u64 == MAX_LINE && !self.line.ends_with(b"\n") {
                self.skip_line()?;
                // What follows is a new line, so that the file is not truncated here.
                self.line = b"\n".to_vec();
                return Ok(Some(Err(format!("is longer than {MAX_LINE} bytes"))));
            }
            if std::mem::take(&mut self.is_first) {
                self.line = without_mark(&self.line).to_vec();
            }
            if !self.line.trim_ascii().is_empty() {
                return Ok(Some(Ok(&self.line)));
            }
        }
    }

    fn skip_line(&mut self) -> Result<(), String> {
        loop {
            let bytes = self.input.fill_buf().map_err(|it| it.to_string())?;
            let end = bytes.iter().position(|it| *it == b'\n');
            let length = end.map_or(bytes.len(), |it| it + 1);
            self.input.consume(length);
            if end.is_some() || length == 0 {
                return Ok(());
            }
        }
    }

    /// Whether the current line has no end, so that the file may have been cut there.
    pub(super) fn is_truncated(&self) -> bool {
        !self.line.ends_with(b"\n")
    }
}
