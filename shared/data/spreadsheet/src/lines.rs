use std::{
    collections::HashMap,
    io::{self, Write},
};

use domain::Company;
use serde_json::value::RawValue;

use crate::{Cell, Selection};

/// Companies as JSON objects, one a line (NDJSON). An object has the chosen members in their order, or the whole record.
/// Members without a value are absent.
pub struct JsonLines<W> {
    to: W,
    /// `None`: the record as it is.
    selection: Option<Selection>,
}

impl<W: Write> JsonLines<W> {
    pub fn new(to: W, selection: Option<Selection>) -> Self {
        Self { to, selection }
    }

    /// Writes a line. `record` is the record of a company as JSON.
    ///
    /// # Errors
    /// If the target fails, or if the record cannot be read.
    pub fn push(&mut self, record: &str) -> io::Result<()> {
        match &self.selection {
            None => self.to.write_all(record.as_bytes())?,
            Some(selection) => write_selected(&mut self.to, selection, record)?,
        }
        self.to.write_all(b"\n")
    }
}

fn write_selected(to: &mut impl Write, selection: &Selection, record: &str) -> io::Result<()> {
    let members: HashMap<&str, &RawValue> = serde_json::from_str(record)?;
    let mut separator = "{";
    for (name, column) in selection.columns() {
        match members.get(column.name) {
            Some(value) => {
                write!(to, "{separator}{}:{value}", serde_json::to_string(name)?)?;
            }
            // A column that is no member of the record.
            None if column.name == "address" => {
                let company: Company = serde_json::from_str(record)?;
                let Cell::Text(address) = column.value(&company) else { continue };
                let (name, address) =
                    (serde_json::to_string(name)?, serde_json::to_string(&address)?);
                write!(to, "{separator}{name}:{address}")?;
            }
            None => continue,
        }
        separator = ",";
    }
    let end = if separator == "{" { "{}" } else { "}" };
    to.write_all(end.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(columns: Option<&[&str]>, record: &str) -> String {
        let names = columns.map(|it| it.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
        let selection = names.map(|it| Selection::try_from(it).expect("columns"));
        let mut bytes = Vec::new();
        JsonLines::new(&mut bytes, selection).push(record).expect("memory");
        String::from_utf8(bytes).expect("UTF-8")
    }

    #[test]
    fn a_line_has_the_chosen_members_by_the_names_of_the_request() {
        let record = r#"{"uid":"CHE-107.787.577","name":"\"Söhne\" AG","shareCapital":1.50,"addressCity":"Bern","addressZipCode":"3000"}"#;
        assert_eq!(written(None, record), format!("{record}\n"));
        let columns = ["share_capital", "canton", "uid", "name", "address"];
        assert_eq!(
            written(Some(&columns), record),
            "{\"share_capital\":1.50,\"uid\":\"CHE-107.787.577\",\"name\":\"\\\"Söhne\\\" AG\",\"address\":\"3000 Bern\"}\n"
        );
        assert_eq!(written(Some(&["canton"]), record), "{}\n");
    }
}
