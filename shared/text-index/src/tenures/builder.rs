//! How the index is made.

use std::{cmp::Reverse, path::Path};

use tantivy::TantivyDocument;

use super::{
    TenureRow,
    lengths::days_between,
    schema::{Group, Number, Record, schema},
};
use crate::{Error, codes, layout::Fields, segment};

/// Takes every tenure once, in any order, and writes the index of them all.
#[derive(Default)]
pub struct Builder {
    rows: Vec<TenureRow>,
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    pub tenures: u64,
    /// All files together.
    pub bytes: u64,
}

impl Builder {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn push(&mut self, row: TenureRow) {
        self.rows.push(row);
    }

    /// Writes the index into an empty directory, which is made if there is none.
    pub fn finish(mut self, directory: &Path) -> Result<Summary, Error> {
        self.rows.sort_unstable_by_key(place);
        let tenures = self.rows.len() as u64;
        let documents = self.rows.into_iter().map(|it| document(&it));
        let bytes = segment::write(directory, schema(), documents)?;
        Ok(Summary { tenures, bytes })
    }
}

/// The longest first within its group, equals by company and id.
fn place(row: &TenureRow) -> impl Ord + use<> {
    let tenure = &row.tenure;
    let group = Group::of(tenure);
    // Nobody knows how long the others are.
    let appointed = tenure.appointed_at.filter(|_| group == Group::Lasting);
    (group, Reverse(ended_after(row)), appointed, row.company, row.id)
}

/// How many days it lasted, if that is known.
fn ended_after(row: &TenureRow) -> Option<u64> {
    Some(days_between(codes::day(row.tenure.appointed_at?), codes::day(row.tenure.resigned_at?)))
}

#[expect(clippy::expect_used, reason = "a row always serialises")]
fn document(row: &TenureRow) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    let mut number = |number: Number, it: u64| document.add_u64(number.field(), it);
    number(Number::Group, Group::of(&row.tenure) as u64);
    number(Number::Appointed, row.tenure.appointed_at.map_or(0, codes::day));
    number(Number::Days, ended_after(row).map_or(0, |it| it + 1));
    number(Number::Canton, row.canton.map_or(0, codes::canton));
    document.add_bytes(Record::Row.field(), &serde_json::to_vec(row).expect("plain data"));
    document
}
