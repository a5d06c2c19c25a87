use std::io::Read;

use domain::{Lei, Source, statements::gleif::Exception};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    Rejected, Unreadable,
    gleif::{Day, Period, Relationship},
    left_out::LeftOut,
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
/// parsing them. `columns` are those that the table must have. As [`level1`](super::level1), rows may be read in part.
pub(super) fn each<R: Read, T, const IDENTIFIERS: usize>(
    reader: R,
    identifiers: [&str; IDENTIFIERS],
    columns: &[&str],
    wanted: impl Fn(Lei) -> bool,
    read: impl Fn(&Row, &mut LeftOut) -> Result<T, String>,
) -> Result<impl Iterator<Item = Result<T, Rejected>>, Unreadable> {
    let unreadable = |reason| Unreadable { source_name: Source::Gleif, reason };
    let table = Table::open(reader, b',').map_err(unreadable)?;
    table.require(columns).map_err(unreadable)?;
    let identifiers = identifiers.map(|it| table.position(it).unwrap_or(usize::MAX));
    let is_wanted = move |row: &Row| {
        identifiers.iter().any(|position| {
            let text = std::str::from_utf8(row.at(*position)).unwrap_or_default();
            text.parse().is_ok_and(&wanted)
        })
    };
    Ok(rows(table, is_wanted, read))
}

/// Reads the rows of a table that are wanted. A row that is read in part comes as what was read, and then as rejected.
pub(super) fn rows<R: Read, T>(
    mut table: Table<R>,
    is_wanted: impl Fn(&Row) -> bool,
    read: impl Fn(&Row, &mut LeftOut) -> Result<T, String>,
) -> impl Iterator<Item = Result<T, Rejected>> {
    let mut in_part: Option<Rejected> = None;
    std::iter::from_fn(move || {
        if let Some(rejected) = in_part.take() {
            return Some(Err(rejected));
        }
        loop {
            let row = match table.next()? {
                Ok(row) => row,
                Err(broken) => return Some(Err(broken)),
            };
            if is_wanted(&row) {
                let mut left_out = LeftOut::default();
                let read = read(&row, &mut left_out);
                in_part =
                    if read.is_ok() { Rejected::in_part(&left_out, || row.joined()) } else { None };
                return Some(read.map_err(|reason| row.rejected(left_out.before(&reason))));
            }
        }
    })
}

/// A relationship. What decides whether it is in force must be readable.
fn relationship(row: &Row, left_out: &mut LeftOut) -> Result<Relationship, String> {
    let owned = |name: &str| row.text(name).map(|it| it.map(str::to_owned));
    let mut periods = Vec::new();
    for number in 1..=REPEATED {
        let mut date = |end: &str| {
            let name = format!("Relationship.Period.{number}.{end}Date");
            row.optional::<Day>(&name, left_out).map(|it| it.0)
        };
        let (start, end) = (date("start"), date("end"));
        let kind = row.optional(&format!("Relationship.Period.{number}.periodType"), left_out);
        let period = Period { kind, start, end };
        if period.start.is_some() || period.end.is_some() {
            periods.push(period);
        }
    }
    let mut percentage = None;
    for number in 1..=REPEATED {
        let units = format!("Relationship.Quantifiers.{number}.QuantifierUnits");
        let amount = format!("Relationship.Quantifiers.{number}.QuantifierAmount");
        let units: Option<String> = row.optional(&units, left_out);
        if percentage.is_none() && units.as_deref() == Some("PERCENTAGE") {
            let given = row
                .parsed(&amount)
                .and_then(|it| self::percentage(it).map_err(|it| format!("{amount}: {it}")));
            percentage = left_out.value(given).flatten();
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
        last_update: row.optional::<Day>("Registration.LastUpdateDate", left_out).map(|it| it.0),
    })
}

/// Checks that a percentage is between 0 and 100.
pub(super) fn percentage(given: Option<f64>) -> Result<Option<f64>, String> {
    match given {
        Some(it) if !(0.0..=100.0).contains(&it) => Err(format!("{it} is not a percentage")),
        other => Ok(other),
    }
}

fn exception(row: &Row, left_out: &mut LeftOut) -> Result<Exception, String> {
    let mut all = |name: &str| -> Vec<String> {
        let numbered = (1..=REPEATED).map(|number| format!("{name}.{number}"));
        // Older files have a single column without a number.
        let columns = numbered.chain([name.to_owned()]);
        columns.filter_map(|it| row.optional(&it, left_out)).collect()
    };
    Ok(Exception {
        lei: row.parsed("LEI")?.ok_or("LEI: is empty")?,
        category: variant(row, "Exception.Category")?,
        reasons: all("Exception.Reason"),
        references: all("Exception.Reference"),
    })
}
