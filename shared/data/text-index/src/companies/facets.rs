//! Counts of companies by canton, status, legal form and other facets.

use std::collections::HashSet;

use domain::{Uid, search::CompanyQuery};

use super::{
    Companies,
    schema::{Index, Number},
};
use crate::{Error, codes, columns::Column, documents::Documents};

/// A member that companies are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facet {
    /// Labelled with the canton code.
    Canton,
    /// Labelled with the register's code, such as `ACTIVE`.
    Status,
    /// Labelled with the German name.
    LegalForm,
    /// Labelled with the name of the category.
    AuditorCategory,
    /// Labelled with the name of the NOGA division.
    Industry,
    /// Labelled with the two digits of the NOGA division.
    NogaDivision,
}

/// Label for companies whose value is not known.
pub const UNKNOWN: &str = "Unknown";

impl Facet {
    /// All facets.
    pub const ALL: [Self; 6] = [
        Self::Canton,
        Self::Status,
        Self::LegalForm,
        Self::AuditorCategory,
        Self::Industry,
        Self::NogaDivision,
    ];

    fn number(self) -> Number {
        match self {
            Self::Canton => Number::Canton,
            Self::Status => Number::Status,
            Self::LegalForm => Number::LegalForm,
            Self::AuditorCategory => Number::Auditor,
            Self::Industry | Self::NogaDivision => Number::Noga,
        }
    }

    /// The counter of a company with this value, less than [`KINDS`].
    fn kind(self, value: u64) -> u64 {
        match self {
            Self::Industry | Self::NogaDivision => codes::division_number(value),
            _ => value,
        }
    }

    fn label(self, kind: u64) -> Option<&'static str> {
        match self {
            Self::Canton => codes::canton_of(kind).map(|it| it.code()),
            Self::Status => codes::status_of(kind).map(|it| it.name()),
            Self::LegalForm => codes::legal_form_of(kind).map(|it| it.name()),
            Self::AuditorCategory => codes::auditor_of(kind).map(|it| it.name()),
            Self::Industry => codes::division_with_number(kind).map(|it| it.name),
            Self::NogaDivision => codes::division_with_number(kind).map(|it| it.code),
        }
    }
}

/// Greater than the number of values of every facet.
const KINDS: usize = codes::DIVISIONS;

/// Number of companies per label, most frequent first.
type Counts = Vec<(&'static str, u64)>;

/// Counts over all companies, by position of the facet in [`Facet::ALL`].
pub(super) type Totals = [Counts; Facet::ALL.len()];

pub(super) fn totals(index: &Index) -> Totals {
    let every = index.every();
    Facet::ALL.map(|it| counts(it, index.column(it.number()), &every))
}

impl Companies {
    /// As [`Self::facet`] for all companies. Counted once, when the index is opened.
    pub fn totals(&self, facet: Facet) -> &[(&'static str, u64)] {
        &self.totals[facet as usize]
    }

    /// Number of companies per label among those that match the query, most frequent first. Companies without a
    /// known value count as [`UNKNOWN`], so that the counts add up to the total of the query.
    pub fn facet(
        &self,
        query: &CompanyQuery,
        facet: Facet,
    ) -> Result<Vec<(&'static str, u64)>, Error> {
        self.facet_among(query, None, facet)
    }

    /// As [`Self::facet`], limited to the given companies: see [`Self::search_among`].
    pub fn facet_among(
        &self,
        query: &CompanyQuery,
        among: Option<&HashSet<Uid>>,
        facet: Facet,
    ) -> Result<Vec<(&'static str, u64)>, Error> {
        Ok(counts(facet, self.column(facet.number()), &self.find(query, among)?.all))
    }
}

fn counts(facet: Facet, column: &Column, documents: &Documents) -> Counts {
    let mut counts = [0; KINDS];
    column.for_each(documents, |_, value| counts[facet.kind(value) as usize % KINDS] += 1);
    let mut kinds = Counts::new();
    for (kind, count) in (0..).zip(counts).filter(|(_, count)| *count > 0) {
        let label = facet.label(kind).unwrap_or(UNKNOWN);
        match kinds.iter_mut().find(|(known, _)| *known == label) {
            Some((_, sum)) => *sum += count,
            None => kinds.push((label, count)),
        }
    }
    kinds.sort_by(|(one, few), (other, many)| many.cmp(few).then(one.cmp(other)));
    kinds
}
