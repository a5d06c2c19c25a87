//! Builds the index.

use std::{collections::HashMap, iter, path::Path};

use domain::{Company, Uid};
use tantivy::TantivyDocument;

use super::{
    places::{self, Numbers},
    row::Row,
    schema::{Key, Number, Place, Term, schema},
};
use crate::{Error, layout::Fields, names::beginnings, segment, words::bare};

/// Collects companies, each once and in any order, and writes their index.
#[derive(Default)]
pub struct Builder {
    rows: Vec<Row>,
}

/// Summary of a written index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The companies, in the order of their documents.
    pub documents: Vec<Document>,
    /// Total size of the files in bytes.
    pub bytes: u64,
}

/// The document of a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document {
    pub uid: Uid,
    /// Number of companies with its address that are not deleted, with itself. `None` if its address is not known, or if it is
    /// deleted.
    pub at_address: Option<u32>,
}

impl Builder {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a company without known changes. Takes about 350 bytes of memory.
    pub fn push(&mut self, company: &Company) {
        self.push_with_changes(company, 0);
    }

    /// Adds a company and its number of known changes.
    pub fn push_with_changes(&mut self, company: &Company, changes: u32) {
        self.rows.push(Row::new(company, changes));
    }

    /// Writes the index into an empty directory, which is created if it does not exist.
    pub fn finish(mut self, directory: &Path) -> Result<Summary, Error> {
        self.rows.sort_unstable_by(|one, other| one.relevance().cmp(&other.relevance()));
        self.rank_names();
        self.order_names();
        count_at_address(&mut self.rows);
        let documents = self.rows.iter().filter_map(summarised).collect();
        let places =
            places::arranged(&self.rows).into_iter().chain(iter::repeat(Numbers::default()));
        let rows = self.rows.into_iter().zip(places).map(|(row, place)| document(&row, place));
        segment::create(directory)?;
        let bytes = segment::write(directory, schema(), rows.map(Ok))?;
        Ok(Summary { documents, bytes })
    }

    /// Numbers the names in alphabetical order, from 1; equal names share a number.
    fn order_names(&mut self) {
        let mut in_order: Vec<usize> = (0..self.rows.len()).collect();
        in_order.sort_unstable_by(|one, other| self.rows[*one].order.cmp(&self.rows[*other].order));
        let mut place = 0;
        for at in 0..in_order.len() {
            let order = &self.rows[in_order[at]].order;
            if at == 0 || *order != self.rows[in_order[at - 1]].order {
                place += 1;
            }
            let named = (!order.is_empty()).then_some(place);
            self.rows[in_order[at]].set(Number::NameOrder, named);
        }
    }

    /// Numbers the folded names in the order of their bytes, from 1; equal names share a number. This is also the position
    /// of the name among the terms, so that a prefix corresponds to a range of ranks.
    fn rank_names(&mut self) {
        let mut by_name: Vec<usize> = (0..self.rows.len()).collect();
        by_name.sort_unstable_by(|one, other| self.rows[*one].name.cmp(&self.rows[*other].name));
        let mut rank = 0;
        let mut last: Option<usize> = None;
        for row in by_name {
            // A name without letters and digits is not a term and has no rank.
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

/// Sets for each company how many others have its address.
fn count_at_address(rows: &mut [Row]) {
    let mut companies: HashMap<u64, u64> = HashMap::new();
    for address in rows.iter().filter_map(|it| it.address) {
        *companies.entry(address).or_default() += 1;
    }
    for row in rows {
        // The company itself counts instead of the 1 that distinguishes no others from no address.
        let count = row.address.and_then(|it| companies.get(&it)).copied();
        row.set(Number::AtAddress, count);
    }
}

fn summarised(row: &Row) -> Option<Document> {
    let number = |it| u32::try_from(row.number(it)).ok();
    let at_address = number(Number::AtAddress).filter(|it| *it > 0);
    Some(Document { uid: Uid::from_number(number(Number::Uid)?)?, at_address })
}

/// The document of a company. Its row also stores one place of the place tree, usually of another company:
/// see [`Place`].
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
    for seat in &row.seats {
        add(Term::Seat, seat);
    }
    for auditor in &row.auditor {
        add(Term::AuditedBy, auditor);
    }
    for identifier in &row.identifiers {
        add(Term::Identifier, identifier);
    }
    document
}
