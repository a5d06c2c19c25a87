//! Which companies stand on a page.

use std::io;

use domain::search::{CompanyQuery, SortBy};

use super::{Companies, names::Named, schema::Number};
use crate::best::Best;

impl Companies {
    /// The documents on the page that the query asks for; none beyond the last page.
    pub(crate) fn page(
        &self,
        query: &CompanyQuery,
        found: &Named,
        total: u64,
    ) -> io::Result<Vec<u32>> {
        let size = u64::from(query.page_size.get());
        let skip = u64::from(query.page.get() - 1) * size;
        if skip >= total {
            return Ok(Vec::new());
        }
        // Below the number of documents, which is a `u32`.
        let (skip, wanted) = (skip as usize, (skip + size).min(total) as usize);
        let mut best = match column(query.sort_by) {
            None => self.ranked(found, wanted)?,
            Some(number) => self.sorted(found, number, query.sort_desc, wanted),
        };
        best.drain(..skip.min(best.len()));
        Ok(best)
    }

    /// Those who have the value first, equals by relevance.
    fn sorted(&self, found: &Named, number: Number, descending: bool, wanted: usize) -> Vec<u32> {
        let mut best = Best::new(wanted);
        self.column(number).for_each(&found.all, |document, value| {
            best.offer((key(value, descending), document));
        });
        best.into_sorted().into_iter().map(|(_, document)| document).collect()
    }
}

/// What sorts a number the way that is asked for, with what is not known last in both.
fn key(value: u64, descending: bool) -> u64 {
    match value {
        0 => u64::MAX,
        known if descending => u64::MAX - known,
        known => known,
    }
}

/// `None` for the order of the documents themselves.
fn column(sort_by: SortBy) -> Option<Number> {
    match sort_by {
        SortBy::Relevance => None,
        SortBy::Name => Some(Number::NameRank),
        SortBy::ShareCapital => Some(Number::Capital),
        SortBy::FoundingDate => Some(Number::Founding),
        SortBy::RegistrationDate => Some(Number::Registration),
        SortBy::UpdatedAt => Some(Number::Updated),
        SortBy::Canton => Some(Number::Canton),
        SortBy::EmployeeCount => Some(Number::Employees),
        SortBy::DataQualityScore => Some(Number::Quality),
    }
}
