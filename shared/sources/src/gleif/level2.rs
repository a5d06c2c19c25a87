use std::io::Read;

use jiff::civil::Date;
use serde::de::DeserializeOwned;
use serde_json::Value;
use statements::{Lei, Source, gleif::Exception};

use crate::{
    Rejected, Unreadable,
    gleif::{Period, Relationship, day},
    table::{Row, Table},
};

const CHILD: &str = "Relationship.StartNode.NodeID";
const PARENT: &str = "Relationship.EndNode.NodeID";
const KIND: &str = "Relationship.RelationshipType";
const STATUS: &str = "Relationship.RelationshipStatus";

/// The columns that a table of relationship records must have.
pub(super) const RELATIONSHIP_COLUMNS: [&str; 4] = [CHILD, PARENT, KIND, STATUS];
/// The columns that a table of reporting exceptions must have.
pub(super) const EXCEPTION_COLUMNS: [&str; 2] = ["LEI", "Exception.Category"];

/// Number of columns for each repeated field: periods, quantifiers and reasons.
const REPEATED: usize = 5;

/// Parses a column with the `serde` names of an enum.
fn variant<T: DeserializeOwned>(row: &Row, name: &str) -> Result<T, String> {
    let text = row.required(name)?;
    serde_json::from_value(Value::String(text.to_owned()))
        .map_err(|_| format!("{name}: `{text}` is unknown"))
}

/// Reads the relationships of level 2 row by row. Returns those whose child or parent is `wanted`.
pub fn relationships<R: Read>(
    reader: R,
    wanted: impl Fn(Lei) -> bool,
) -> Result<impl Iterator<Item = Result<Relationship, Rejected>>, Unreadable> {
    each(reader, [CHILD, PARENT], &RELATIONSHIP_COLUMNS, wanted, relationship)
}

/// Reads the relationships of level 2 row by row. Returns those whose child is `wanted`.
pub(super) fn relationships_of_children<R: Read>(
    reader: R,
    wanted: impl Fn(Lei) -> bool,
) -> Result<impl Iterator<Item = Result<Relationship, Rejected>>, Unreadable> {
    each(reader, [CHILD], &RELATIONSHIP_COLUMNS, wanted, relationship)
}

/// Reads the reporting exceptions row by row. Returns those of `wanted` entities.
pub fn exceptions<R: Read>(
    reader: R,
    wanted: impl Fn(Lei) -> bool,
) -> Result<impl Iterator<Item = Result<Exception, Rejected>>, Unreadable> {
    each(reader, ["LEI"], &EXCEPTION_COLUMNS, wanted, exception)
}

/// Reads the rows of a table in which one of the `identifiers` is `wanted`. Skips other rows without
/// parsing them. `columns` are those that the table must have.
pub(super) fn each<R: Read, T, const IDENTIFIERS: usize>(
    reader: R,
    identifiers: [&str; IDENTIFIERS],
    columns: &[&str],
    wanted: impl Fn(Lei) -> bool,
    read: fn(&Row) -> Result<T, String>,
) -> Result<impl Iterator<Item = Result<T, Rejected>>, Unreadable> {
    let unreadable = |reason| Unreadable { source_name: Source::Gleif, reason };
    let mut table = Table::open(reader, b',').map_err(unreadable)?;
    table.require(columns).map_err(unreadable)?;
    let identifiers = identifiers.map(|it| table.position(it).unwrap_or(usize::MAX));
    Ok(std::iter::from_fn(move || {
        loop {
            let row = match table.next()? {
                Ok(row) => row,
                Err(broken) => return Some(Err(broken)),
            };
            let is_wanted = |position: &usize| {
                let text = std::str::from_utf8(row.at(*position)).unwrap_or_default();
                text.parse().is_ok_and(&wanted)
            };
            if identifiers.iter().any(is_wanted) {
                return Some(read(&row).map_err(|reason| row.rejected(reason)));
            }
        }
    }))
}

fn relationship(row: &Row) -> Result<Relationship, String> {
    let owned = |name: &str| row.text(name).map(|it| it.map(str::to_owned));
    let date = |name: &str| -> Result<Option<Date>, String> {
        let date = row.text(name)?.map(day).transpose();
        date.map_err(|it| format!("{name}: {it}"))
    };
    let mut periods = Vec::new();
    for number in 1..=REPEATED {
        let period = Period {
            kind: owned(&format!("Relationship.Period.{number}.periodType"))?,
            start: date(&format!("Relationship.Period.{number}.startDate"))?,
            end: date(&format!("Relationship.Period.{number}.endDate"))?,
        };
        if period.start.is_some() || period.end.is_some() {
            periods.push(period);
        }
    }
    let mut percentage = None;
    for number in 1..=REPEATED {
        let units = format!("Relationship.Quantifiers.{number}.QuantifierUnits");
        let amount = format!("Relationship.Quantifiers.{number}.QuantifierAmount");
        if percentage.is_none() && row.text(&units)? == Some("PERCENTAGE") {
            percentage = row.parsed(&amount)?;
            self::percentage(percentage).map_err(|it| format!("{amount}: {it}"))?;
        }
    }
    Ok(Relationship {
        child: row.parsed(CHILD)?.ok_or_else(|| format!("{CHILD}: is empty"))?,
        parent: row.parsed(PARENT)?.ok_or_else(|| format!("{PARENT}: is empty"))?,
        kind: variant(row, KIND)?,
        status: owned(STATUS)?,
        registration_status: owned("Registration.RegistrationStatus")?,
        periods,
        percentage,
        last_update: date("Registration.LastUpdateDate")?,
    })
}

/// Checks that a percentage is between 0 and 100.
pub(super) fn percentage(given: Option<f64>) -> Result<Option<f64>, String> {
    match given {
        Some(it) if !(0.0..=100.0).contains(&it) => Err(format!("{it} is not a percentage")),
        other => Ok(other),
    }
}

fn exception(row: &Row) -> Result<Exception, String> {
    let all = |name: &str| -> Result<Vec<String>, String> {
        let mut found = Vec::new();
        for number in 1..=REPEATED {
            found.extend(row.text(&format!("{name}.{number}"))?.map(str::to_owned));
        }
        // Older files have a single column without a number.
        found.extend(row.text(name)?.map(str::to_owned));
        Ok(found)
    };
    Ok(Exception {
        lei: row.parsed("LEI")?.ok_or("LEI: is empty")?,
        category: variant(row, "Exception.Category")?,
        reasons: all("Exception.Reason")?,
        references: all("Exception.Reference")?,
    })
}
