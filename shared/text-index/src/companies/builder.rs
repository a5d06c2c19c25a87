//! How the index is made.

use std::{iter, path::Path};

use domain::Company;
use tantivy::TantivyDocument;

use super::{
    places::{self, Numbers},
    row::Row,
    schema::{Key, Number, Place, Term, schema},
};
use crate::{Error, layout::Fields, names::beginnings, segment, words::bare};

/// Takes every company once, in any order, and writes the index of them all.
#[derive(Default)]
pub struct Builder {
    rows: Vec<Row>,
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    pub companies: u64,
    /// All files together.
    pub bytes: u64,
}

impl Builder {
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps what the index needs of a company of which no change is known: about 300 bytes.
    pub fn push(&mut self, company: &Company) {
        self.push_with_changes(company, 0);
    }

    /// Keeps what the index needs of a company, and how many changes of it are known.
    pub fn push_with_changes(&mut self, company: &Company, changes: u32) {
        self.rows.push(Row::new(company, changes));
    }

    /// Writes the index into an empty directory, which is made if there is none.
    pub fn finish(mut self, directory: &Path) -> Result<Summary, Error> {
        self.rows.sort_unstable_by(|one, other| one.relevance().cmp(&other.relevance()));
        self.rank_names();
        let companies = self.rows.len() as u64;
        let places =
            places::arranged(&self.rows).into_iter().chain(iter::repeat(Numbers::default()));
        let documents = self.rows.into_iter().zip(places).map(|(row, place)| document(&row, place));
        let bytes = segment::write(directory, schema(), documents)?;
        Ok(Summary { companies, bytes })
    }

    /// Gives every name its place among all names, from 1; equal names share one. That is also the
    /// place of the name among the terms, so that a beginning of names is a range of ranks.
    fn rank_names(&mut self) {
        let mut by_name: Vec<usize> = (0..self.rows.len()).collect();
        by_name.sort_unstable_by(|one, other| self.rows[*one].name.cmp(&self.rows[*other].name));
        let mut rank = 0;
        let mut last: Option<usize> = None;
        for row in by_name {
            // A name without a letter or digit is no term and has no place.
            if self.rows[row].name.is_empty() {
                continue;
            }
            if last.is_none_or(|it| self.rows[it].name != self.rows[row].name) {
                rank += 1;
            }
            last = Some(row);
            self.rows[row].set(Number::NameRank, Some(rank));
        }
    }
}

/// A company and, beside it, a place that need not be its own: see [`Place`].
fn document(row: &Row, place: Numbers) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    for &number in Number::ALL {
        document.add_u64(number.field(), row.number(number));
    }
    for (it, number) in Place::ALL.iter().zip(place) {
        document.add_u64(it.field(), number);
    }
    document.add_u64(Key::ByUid.field(), row.number(Number::Uid));
    for uid in &row.related {
        document.add_u64(Key::RelatedTo.field(), u64::from(*uid));
    }
    let mut add = |term: Term, text: &str| {
        if !text.is_empty() {
            document.add_text(term.field(), text);
        }
    };
    add(Term::Name, &row.name);
    add(Term::BareName, &bare(&row.name));
    for name in &row.other_names {
        add(Term::OtherName, name);
        add(Term::BareOtherName, &bare(name));
    }
    for word in row.words() {
        beginnings(&word).for_each(|it| add(Term::WordBeginning, it));
        add(Term::Word, &word);
    }
    for identifier in &row.identifiers {
        add(Term::Identifier, identifier);
    }
    document
}
