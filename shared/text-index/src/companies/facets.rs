//! How many companies there are of each kind.

use std::collections::HashSet;

use domain::{Uid, search::CompanyQuery};

use super::{
    Companies,
    schema::{Index, Number},
};
use crate::{Error, codes, columns::Column, documents::Documents};

/// What companies are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facet {
    /// By the two letters.
    Canton,
    /// By the register's word: `ACTIVE` …
    Status,
    /// By the German name.
    LegalForm,
    /// By the name of the tier.
    AuditorCategory,
    /// By the name of the NOGA division.
    Industry,
    /// By the two digits.
    NogaDivision,
}

/// The kind of what is not known.
pub const UNKNOWN: &str = "Unknown";

impl Facet {
    /// Every facet.
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

    /// The number under which a company is counted, below [`KINDS`].
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

/// More than any of the columns has.
const KINDS: usize = codes::DIVISIONS;

/// How many companies there are of each kind, the most frequent first.
type Counts = Vec<(&'static str, u64)>;

/// How many of all companies there are of each kind, by the place of the facet in [`Facet::ALL`].
pub(super) type Totals = [Counts; Facet::ALL.len()];

pub(super) fn totals(index: &Index) -> Totals {
    let every = index.every();
    Facet::ALL.map(|it| counts(it, index.column(it.number()), &every))
}

impl Companies {
    /// The kinds of all companies, as [`Self::facet`] counts them: once, when the index is opened.
    pub fn totals(&self, facet: Facet) -> &[(&'static str, u64)] {
        &self.totals[facet as usize]
    }

    /// The kinds of the companies that the query finds, the most frequent first, and those of which
    /// it is not known as [`UNKNOWN`]: together as many as the query finds.
    pub fn facet(
        &self,
        query: &CompanyQuery,
        facet: Facet,
    ) -> Result<Vec<(&'static str, u64)>, Error> {
        self.facet_among(query, None, facet)
    }

    /// The same of these companies only: see [`Self::search_among`].
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
