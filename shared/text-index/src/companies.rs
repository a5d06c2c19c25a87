//! The index of the companies: lists, counts, neighbours, likenesses.
//!
//! It answers identifiers and totals; the records are elsewhere. Every total is exact.

mod builder;
mod codes;
mod facets;
mod filters;
mod names;
mod nearby;
mod order;
mod ranking;
mod row;
mod schema;
mod similar;
#[cfg(test)]
mod tests;
mod words;

use std::path::Path;

use domain::{Status, Uid, search::CompanyQuery};

pub use self::{
    builder::{Builder, Summary},
    facets::{Facet, UNKNOWN},
    nearby::Neighbour,
};
use self::{
    names::Named,
    schema::{Number, Term, schema},
};
use crate::{Error, columns::Column, documents::Documents, postings::Terms, segment};

/// The companies of one generation. Cheap to open; asked from many threads at once.
pub struct Companies {
    count: u32,
    /// In the order of [`Number::ALL`].
    columns: Vec<Column>,
    /// In the order of [`Term::ALL`].
    terms: Vec<Terms>,
    by_uid: Terms,
}

/// One page of a list, and how long the whole list is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hits {
    pub uids: Vec<Uid>,
    pub total: u64,
}

impl Companies {
    /// Maps the files that [`Builder::finish`] has written. Files that are missing or torn are an
    /// error here; whether their contents are those that were written, only their checksums tell.
    pub fn open(directory: &Path) -> Result<Self, Error> {
        let segment = segment::open(directory, &schema())?;
        let parts = || -> tantivy::Result<Self> {
            let columns = Number::ALL.iter().map(|it| segment::column(&segment, &it.name()));
            let terms = Term::ALL.iter().map(|it| segment::terms(&segment, &it.name()));
            Ok(Self {
                count: segment.max_doc(),
                columns: columns.collect::<Result<_, _>>()?,
                terms: terms.collect::<Result<_, _>>()?,
                by_uid: segment::terms(&segment, &Number::Uid.name())?,
            })
        };
        parts().map_err(|source| Error::Unreadable {
            directory: directory.to_owned(),
            source: source.into(),
        })
    }

    /// How many companies there are.
    pub fn company_count(&self) -> u64 {
        self.count.into()
    }

    /// The page of the list that the query asks for.
    ///
    /// Filters only narrow: with a search and filters, the list is what the search finds without
    /// them, less what they leave out. See `names.rs` for what a search finds, and
    /// `ranking.rs` for its order.
    pub fn search(&self, query: &CompanyQuery) -> Result<Hits, Error> {
        let found = self.find(query)?;
        let total = found.all.count();
        let page = self.page(query, &found, total)?;
        Ok(Hits { uids: page.into_iter().filter_map(|it| self.uid(it)).collect(), total })
    }

    fn find(&self, query: &CompanyQuery) -> Result<Named, Error> {
        let mut found = self.named(query.search.as_deref())?;
        self.filter(query, &mut found.all)?;
        Ok(found)
    }

    fn uid(&self, document: u32) -> Option<Uid> {
        u32::try_from(self.column(Number::Uid).get(document)).ok().and_then(Uid::from_number)
    }

    fn column(&self, number: Number) -> &Column {
        &self.columns[number as usize]
    }

    fn terms(&self, term: Term) -> &Terms {
        &self.terms[term as usize]
    }

    fn none(&self) -> Documents {
        Documents::none(self.count)
    }

    fn every(&self) -> Documents {
        Documents::from_range(0..self.count, self.count)
    }

    /// Companies of one status stand together: see [`codes::standing`].
    fn with_status(&self, status: Option<Status>) -> Documents {
        let code = status.map_or(0, codes::status);
        let first = self.first_from(codes::standing(code));
        let end = self.first_from(codes::standing(code) + 1);
        Documents::from_range(first..end, self.count)
    }

    /// The first document of this standing or a later one.
    fn first_from(&self, standing: u64) -> u32 {
        let statuses = self.column(Number::Status);
        let (mut before, mut from) = (0, self.count);
        while before < from {
            let middle = before + (from - before) / 2;
            if codes::standing(statuses.get(middle)) < standing {
                before = middle + 1;
            } else {
                from = middle;
            }
        }
        from
    }

    /// Those that are not deleted, the unknown among them.
    fn living(&self) -> Documents {
        let mut living = self.every();
        living.subtract(&self.with_status(Some(Status::Cancelled)));
        living
    }
}
