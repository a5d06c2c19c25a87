//! Sorting and paging.

use std::io;

use domain::search::{CompanyQuery, SortBy};

use super::{Companies, names::Named, schema::Number};
use crate::best::sorted_by;

impl Companies {
    /// The documents on the requested page; none beyond the last page.
    pub(crate) fn page(
        &self,
        query: &CompanyQuery,
        found: &Named,
        total: u64,
    ) -> io::Result<Vec<u32>> {
        let places = query.page.places(query.page_size, total);
        if let Some(number) = column(query.sort_by) {
            return Ok(sorted_by(self.column(number), &found.all, query.sort_desc, places));
        }
        let mut best = self.ranked(found, places.end)?;
        best.drain(..places.start.min(best.len()));
        Ok(best)
    }
}

/// The column to sort by. `None`: document order.
fn column(sort_by: SortBy) -> Option<Number> {
    match sort_by {
        SortBy::Relevance => None,
        SortBy::Name => Some(Number::NameOrder),
        SortBy::ShareCapital => Some(Number::Capital),
        SortBy::FoundingDate => Some(Number::Founding),
        SortBy::RegistrationDate => Some(Number::Registration),
        SortBy::UpdatedAt => Some(Number::Updated),
        SortBy::Canton => Some(Number::Canton),
        SortBy::EmployeeCount => Some(Number::Employees),
        SortBy::DataQualityScore => Some(Number::Quality),
    }
}
