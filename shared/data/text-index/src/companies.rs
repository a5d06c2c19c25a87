//! The index of companies: lists, counts, nearby and similar companies.
//!
//! It returns company numbers, not records. Totals are exact.

mod address;
mod builder;
mod facets;
mod filters;
mod names;
mod nearby;
mod order;
mod places;
mod ranking;
mod readings;
mod row;
mod schema;
mod similar;
#[cfg(test)]
mod tests;

use std::{collections::HashSet, path::Path};

use domain::{Company, Lei, Status, Uid, search::CompanyQuery};

pub use self::{
    builder::{Builder, Document, Summary},
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

/// The companies of one generation. Cheap to open; safe to use from many threads.
pub struct Companies {
    index: Index,
    places: Places,
    totals: Totals,
}

/// One page of a list, and the total number of matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hits {
    pub uids: Vec<Uid>,
    pub total: u64,
}

impl Companies {
    /// Opens the files that [`Builder::finish`] wrote. Missing or truncated files are an error. Altered
    /// contents are not detected; check checksums first.
    pub fn open(directory: &Path) -> Result<Self, Error> {
        let (index, places) = segment::open(directory, &schema(), |segment| {
            Ok((Index::of(segment)?, Places::of(segment)?))
        })?;
        Ok(Self { totals: facets::totals(&index), index, places })
    }

    /// Number of companies.
    pub fn company_count(&self) -> u64 {
        self.index.count.into()
    }

    /// One page of the companies that match the query.
    ///
    /// Filters narrow the result of the search and do not influence the search itself. See `names.rs` for what
    /// a search finds, and `ranking.rs` for its order.
    ///
    /// This index does not know board members: a query with `board_member_search` finds nothing here. Use
    /// [`Self::search_among`] for it.
    pub fn search(&self, query: &CompanyQuery) -> Result<Hits, Error> {
        self.search_among(query, None)
    }

    /// As [`Self::search`], limited to the given companies: those that
    /// [`companies_with_person`](crate::persons::Persons::companies_with_person) finds for the query's
    /// `board_member_search`, and those that have one of its tags.
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

    /// As [`Self::search_among`], but all companies that match instead of one page: active and large ones first. `None`
    /// instead of the companies if they are more than `max`.
    pub fn all_among(
        &self,
        query: &CompanyQuery,
        among: Option<&HashSet<Uid>>,
        max: usize,
    ) -> Result<(u64, Option<Vec<Uid>>), Error> {
        let found = self.find(query, among)?.all;
        let total = found.count();
        let all =
            (total <= max as u64).then(|| found.iter().filter_map(|it| self.uid(it)).collect());
        Ok((total, all))
    }

    /// As [`Self::search_among`], but the positions of all documents that match, in ascending order: active and large companies
    /// first. They are the rows of the columns of the same generation.
    pub fn selection(
        &self,
        query: &CompanyQuery,
        among: Option<&HashSet<Uid>>,
    ) -> Result<Vec<u32>, Error> {
        Ok(self.find(query, among)?.all.iter().collect())
    }

    /// The companies of documents. Positions that no document has are left out.
    pub fn uids_of(&self, documents: &[u32]) -> Vec<Uid> {
        let known = documents.iter().filter(|it| **it < self.index.count);
        known.filter_map(|it| self.uid(*it)).collect()
    }

    /// The companies whose register entries name this company as head office, branch, or party of a merger.
    /// Most relevant first.
    pub(crate) fn related_to(&self, uid: Uid) -> Result<Vec<Uid>, Error> {
        let related = self.index.keyed(Key::RelatedTo, [uid.number().into()])?;
        Ok(related.iter().filter_map(|it| self.uid(it)).collect())
    }

    /// The companies with this legal entity identifier, most relevant first.
    pub fn with_lei(&self, lei: Lei) -> Result<Vec<Uid>, Error> {
        let found = self.identified("lei", lei.as_str())?;
        Ok(found.iter().filter_map(|it| self.uid(it)).collect())
    }

    /// The companies whose direct parent has this legal entity identifier, most relevant first.
    pub fn with_parent(&self, lei: Lei) -> Result<Vec<Uid>, Error> {
        let found = self.identified("parent", lei.as_str())?;
        Ok(found.iter().filter_map(|it| self.uid(it)).collect())
    }

    /// The companies whose entries name this one as [`Companies::related_to`] says, then those that report it as their direct parent.
    /// Some may be in both.
    pub fn naming(&self, company: &Company) -> Result<Vec<Uid>, Error> {
        let mut naming = self.related_to(company.uid)?;
        if let Some(lei) = company.lei {
            naming.extend(self.with_parent(lei)?);
        }
        Ok(naming)
    }

    /// Number of other companies with the same address that are not deleted. `None` if the address or the company is not known,
    /// or if the company is deleted.
    pub fn others_at_address(&self, uid: Uid) -> Result<Option<usize>, Error> {
        let found = self.index.keyed(Key::ByUid, [uid.number().into()])?;
        let Some(document) = found.iter().next() else { return Ok(None) };
        let companies = self.column(Number::AtAddress).get(document);
        Ok(usize::try_from(companies).ok().and_then(|it| it.checked_sub(1)))
    }

    fn find(&self, query: &CompanyQuery, among: Option<&HashSet<Uid>>) -> Result<Named, Error> {
        let mut found = self.named(query.search.as_deref())?;
        self.filter(query, &mut found.all)?;
        match among {
            Some(among) => self.keep(among, &mut found.all)?,
            // Without these companies the list would be unfiltered.
            None if query.board_member_search.is_some() || !query.tag.is_empty() => {
                found.all = self.none();
            }
            None => {}
        }
        Ok(found)
    }

    fn keep(&self, among: &HashSet<Uid>, found: &mut Documents) -> std::io::Result<()> {
        // A lookup costs as much as scanning many companies.
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

    /// Companies with this status. They are adjacent: see [`codes::relevance_rank`].
    fn with_status(&self, status: Option<Status>) -> Documents {
        let code = status.map_or(0, codes::status);
        let first = self.first_from(codes::relevance_rank(code));
        let end = self.first_from(codes::relevance_rank(code) + 1);
        Documents::from_range(first..end, self.index.count)
    }

    /// The first document with this or a later position of status.
    fn first_from(&self, rank: u64) -> u32 {
        let statuses = self.column(Number::Status);
        statuses.first_that(|status| codes::relevance_rank(status) >= rank)
    }

    /// Companies that are not deleted, including those of unknown status.
    fn not_deleted(&self) -> Documents {
        let mut not_deleted = self.every();
        not_deleted.subtract(&self.with_status(Some(Status::Cancelled)));
        not_deleted
    }
}
