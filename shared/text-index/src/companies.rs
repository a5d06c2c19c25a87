//! The index of the companies: lists, counts, neighbours, likenesses.
//!
//! It answers identifiers and totals; the records are elsewhere. Every total is exact.

mod builder;
mod facets;
mod filters;
mod names;
mod nearby;
mod order;
mod places;
mod ranking;
mod row;
mod schema;
mod similar;
#[cfg(test)]
mod tests;

use std::{collections::HashSet, path::Path};

use domain::{Status, Uid, search::CompanyQuery};

pub use self::{
    builder::{Builder, Summary},
    facets::{Facet, UNKNOWN},
    nearby::Neighbour,
};
use self::{
    facets::Totals,
    names::Named,
    places::Places,
    schema::{Index, Key, Number, Term, schema},
};
use crate::{Error, codes, columns::Column, documents::Documents, postings::Terms, segment};

/// The companies of one generation. Cheap to open; asked from many threads at once.
pub struct Companies {
    index: Index,
    places: Places,
    totals: Totals,
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
        let (index, places) = segment::open(directory, &schema(), |segment| {
            Ok((Index::of(segment)?, Places::of(segment)?))
        })?;
        Ok(Self { totals: facets::totals(&index), index, places })
    }

    /// How many companies there are.
    pub fn company_count(&self) -> u64 {
        self.index.count.into()
    }

    /// The page of the list that the query asks for.
    ///
    /// Filters only narrow: with a search and filters, the list is what the search finds without
    /// them, less what they leave out. See `names.rs` for what a search finds, and
    /// `ranking.rs` for its order.
    ///
    /// Who sits in a company's board is not known here: a query that asks for it finds nothing; ask
    /// [`Self::search_among`].
    pub fn search(&self, query: &CompanyQuery) -> Result<Hits, Error> {
        self.search_among(query, None)
    }

    /// The page of the list that the query asks for, of these companies only: those that
    /// [`companies_with_person`](crate::persons::Persons::companies_with_person) finds for the
    /// query's `board_member_search`.
    pub fn search_among(
        &self,
        query: &CompanyQuery,
        among: Option<&HashSet<Uid>>,
    ) -> Result<Hits, Error> {
        let found = self.find(query, among)?;
        let total = found.all.count();
        let page = self.page(query, &found, total)?;
        Ok(Hits { uids: page.into_iter().filter_map(|it| self.uid(it)).collect(), total })
    }

    /// The companies that name this one as related to them, in the register's own words: its head
    /// office, a branch, one that it took over or was taken over by. The most relevant first.
    pub fn related_to(&self, uid: Uid) -> Result<Vec<Uid>, Error> {
        let related = self.index.keyed(Key::RelatedTo, [uid.number().into()])?;
        Ok(related.iter().filter_map(|it| self.uid(it)).collect())
    }

    /// The companies with this legal entity identifier, the most relevant first.
    pub fn with_lei(&self, lei: &str) -> Result<Vec<Uid>, Error> {
        let found = self.identified("lei", lei)?;
        Ok(found.iter().filter_map(|it| self.uid(it)).collect())
    }

    /// The companies that name this legal entity identifier as their direct parent's, the most
    /// relevant first.
    pub fn with_parent(&self, lei: &str) -> Result<Vec<Uid>, Error> {
        let found = self.identified("parent", lei)?;
        Ok(found.iter().filter_map(|it| self.uid(it)).collect())
    }

    fn find(&self, query: &CompanyQuery, among: Option<&HashSet<Uid>>) -> Result<Named, Error> {
        let mut found = self.named(query.search.as_deref())?;
        self.filter(query, &mut found.all)?;
        match among {
            Some(among) => self.keep(among, &mut found.all)?,
            // Nobody shall take an unfiltered list for a filtered one.
            None if query.board_member_search.is_some() => found.all = self.none(),
            None => {}
        }
        Ok(found)
    }

    fn keep(&self, among: &HashSet<Uid>, found: &mut Documents) -> std::io::Result<()> {
        // To look up one costs what it costs to pass by many.
        const AS_MANY: u64 = 32;
        if among.len() as u64 * AS_MANY < found.count() {
            let among = among.iter().map(|it| it.number().into());
            found.intersect(&self.index.keyed(Key::ByUid, among)?);
        } else {
            let known = |uid| u32::try_from(uid).ok().and_then(Uid::from_number);
            self.column(Number::Uid)
                .retain(found, |uid| known(uid).is_some_and(|it| among.contains(&it)));
        }
        Ok(())
    }

    fn uid(&self, document: u32) -> Option<Uid> {
        u32::try_from(self.column(Number::Uid).get(document)).ok().and_then(Uid::from_number)
    }

    fn column(&self, number: Number) -> &Column {
        self.index.column(number)
    }

    fn terms(&self, term: Term) -> &Terms {
        self.index.terms(term)
    }

    fn none(&self) -> Documents {
        self.index.none()
    }

    fn every(&self) -> Documents {
        self.index.every()
    }

    /// Companies of one status stand together: see [`codes::standing`].
    fn with_status(&self, status: Option<Status>) -> Documents {
        let code = status.map_or(0, codes::status);
        let first = self.first_from(codes::standing(code));
        let end = self.first_from(codes::standing(code) + 1);
        Documents::from_range(first..end, self.index.count)
    }

    /// The first document of this standing or a later one.
    fn first_from(&self, standing: u64) -> u32 {
        let statuses = self.column(Number::Status);
        statuses.first_that(|status| codes::standing(status) >= standing)
    }

    /// Those that are not deleted, the unknown among them.
    fn living(&self) -> Documents {
        let mut living = self.every();
        living.subtract(&self.with_status(Some(Status::Cancelled)));
        living
    }
}
