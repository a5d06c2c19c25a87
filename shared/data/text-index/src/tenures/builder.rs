//! Builds the index.

use std::{cmp::Reverse, path::Path};

use tantivy::TantivyDocument;

use super::{
    TenureRow,
    lengths::days_between,
    schema::{Group, Number, ROWS, schema},
};
use crate::{Error, codes, layout::Fields, segment, stored};

/// Collects tenures, each once and in any order, and writes their index.
#[derive(Default)]
pub struct Builder {
    rows: Vec<TenureRow>,
}

/// Summary of a written index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    pub tenures: u64,
    /// Total size of the files in bytes.
    pub bytes: u64,
}

impl Builder {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn push(&mut self, row: TenureRow) {
        self.rows.push(row);
    }

    /// Writes the index into an empty directory, which is created if it does not exist.
    pub fn finish(mut self, directory: &Path) -> Result<Summary, Error> {
        self.rows.sort_unstable_by_key(sort_key);
        let tenures = self.rows.len() as u64;
        segment::create(directory)?;
        let failed = |it| Error::unwritable(directory, it);
        let mut rows = stored::Writer::create(&directory.join(ROWS)).map_err(failed)?;
        self.rows.iter().try_for_each(|it| rows.push(it)).map_err(failed)?;
        let stored = rows.finish().map_err(failed)?;
        let documents = self.rows.into_iter().map(|it| document(&it));
        let bytes = segment::write(directory, schema(), documents.map(Ok))?;
        Ok(Summary { tenures, bytes: bytes + stored })
    }
}

/// Sort key: group, then longest first, then company and id.
fn sort_key(row: &TenureRow) -> impl Ord + use<> {
    let tenure = &row.tenure;
    let group = Group::of(tenure);
    // The length of the others is not known.
    let appointed = tenure.appointed_at.filter(|_| group == Group::Lasting);
    (group, Reverse(ended_after(row)), appointed, row.company, row.id)
}

/// Length in days, if known.
fn ended_after(row: &TenureRow) -> Option<u64> {
    Some(days_between(codes::day(row.tenure.appointed_at?), codes::day(row.tenure.resigned_at?)))
}

fn document(row: &TenureRow) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    let mut number = |number: Number, it: u64| document.add_u64(number.field(), it);
    number(Number::Group, Group::of(&row.tenure) as u64);
    number(Number::Appointed, row.tenure.appointed_at.map_or(0, codes::day));
    number(Number::Days, ended_after(row).map_or(0, |it| it + 1));
    number(Number::Canton, row.canton.map_or(0, codes::canton));
    document
}
