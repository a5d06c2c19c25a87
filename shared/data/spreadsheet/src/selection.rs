use std::collections::HashSet;

use serde::Deserialize;

use crate::{Column, column::COLUMNS};

/// The columns of a request that names none.
pub const DEFAULT: [&str; 7] =
    ["uid", "name", "canton", "status", "legalForm", "shareCapital", "industry"];

/// Maximum number of columns of a table.
const MOST: usize = 100;

/// The columns of a table, in their order, each with the name by which it was asked for. At least one.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub struct Selection(Vec<(String, Column)>);

/// Why columns cannot be selected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum UnknownColumns {
    /// No column or too many.
    #[error("must contain 1 to {MOST} columns; got {0}")]
    Count(usize),
    /// A column that is chosen twice, by any of its names.
    #[error("must contain each column once; `{0}` occurs twice")]
    Repeated(String),
    /// Columns that do not exist.
    #[error("must be members of the company record; got {}.{}", quoted(.0.iter().map(String::as_str)), meant(.0))]
    Unknown(Vec<String>),
}

fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
}

/// The columns that are probably meant.
fn meant(names: &[String]) -> String {
    let near: Vec<&str> = names.iter().filter_map(|it| Column::near(it)).collect();
    match near.is_empty() {
        true => " `GET /v1/companies/{uid}` returns all of them".to_owned(),
        false => format!(" Did you mean {}?", quoted(near.into_iter())),
    }
}

impl Selection {
    /// All columns but those that nothing fills yet, in the order of the record.
    pub fn all() -> Self {
        Self(COLUMNS.iter().map(|it| (it.name.to_owned(), *it)).collect())
    }

    /// The same columns. If `uid` is not one of them, it comes first.
    #[must_use]
    pub fn with_uid(mut self) -> Self {
        if let Some(uid) = Column::named("uid")
            && !self.0.iter().any(|(_, it)| it.name == uid.name)
        {
            self.0.insert(0, (uid.name.to_owned(), uid));
        }
        self
    }

    /// The columns and the names by which they were asked for.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = (&str, &Column)> {
        self.0.iter().map(|(name, column)| (name.as_str(), column))
    }
}

impl Default for Selection {
    fn default() -> Self {
        let column = |name: &str| Column::named(name).map(|it| (name.to_owned(), it));
        Self(DEFAULT.into_iter().filter_map(column).collect())
    }
}

impl TryFrom<Vec<String>> for Selection {
    type Error = UnknownColumns;

    fn try_from(names: Vec<String>) -> Result<Self, UnknownColumns> {
        if !(1..=MOST).contains(&names.len()) {
            return Err(UnknownColumns::Count(names.len()));
        }
        let (mut columns, mut unknown) = (Vec::new(), Vec::new());
        for name in names {
            match Column::named(&name) {
                Some(column) => columns.push((name, column)),
                None => unknown.push(name),
            }
        }
        if !unknown.is_empty() {
            return Err(UnknownColumns::Unknown(unknown));
        }
        let mut chosen = HashSet::new();
        let repeated = columns.iter().find(|(_, it)| !chosen.insert(it.name));
        match repeated.map(|(name, _)| name.clone()) {
            Some(name) => Err(UnknownColumns::Repeated(name)),
            None => Ok(Self(columns)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn select(names: &[&str]) -> Result<Vec<(String, &'static str)>, UnknownColumns> {
        let names = names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let selection = Selection::try_from(names)?;
        Ok(selection.columns().map(|(name, it)| (name.to_owned(), it.name)).collect())
    }

    #[test]
    fn columns_keep_the_order_and_the_names_of_the_request() {
        let expected = vec![("legal_form".to_owned(), "legalForm"), ("uid".to_owned(), "uid")];
        assert_eq!(select(&["legal_form", "uid"]), Ok(expected));
        assert_eq!(Selection::default().columns().len(), DEFAULT.len());
    }

    #[test]
    fn the_company_number_comes_first_unless_it_is_chosen() {
        let with_uid = |names: [&str; 2]| {
            let selection =
                Selection::try_from(names.map(str::to_owned).to_vec()).expect("columns");
            selection.with_uid().columns().map(|it| it.0.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(with_uid(["name", "canton"]), ["uid", "name", "canton"]);
        assert_eq!(with_uid(["name", "uid"]), ["name", "uid"]);
    }

    #[test]
    fn unknown_and_repeated_columns_and_empty_selections_are_errors() {
        let repeated = Err(UnknownColumns::Repeated("legal_form".to_owned()));
        assert_eq!(select(&["legalForm", "uid", "legal_form"]), repeated);
        assert_eq!(select(&[]), Err(UnknownColumns::Count(0)));
        assert_eq!(select(&["uid"; 101]), Err(UnknownColumns::Count(101)));
        let unknown = Err(UnknownColumns::Unknown(vec!["nme".to_owned()]));
        assert_eq!(select(&["uid", "nme"]), unknown);
    }

    #[test]
    fn all_unknown_columns_are_named_each_with_the_nearest_one() {
        let unknown = select(&["nme", "uid", "uid", "cantn"]).expect_err("unknown");
        let text = "must be members of the company record; got `nme`, `cantn`. Did you mean `name`, `canton`?";
        assert_eq!(unknown.to_string(), text);
    }

    #[test]
    fn a_column_that_nothing_fills_is_only_in_tables_that_name_it() {
        assert_eq!(select(&["uid", "duns"]).map(|it| it.len()), Ok(2));
        assert!(Selection::all().columns().all(|(name, _)| name != "duns"));
    }
}
