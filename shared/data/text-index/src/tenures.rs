//! The index of auditor tenures.
//!
//! Current tenures grow every day, so every query takes the current date. The index stores whole rows. Totals are
//! exact.

mod builder;
mod lengths;
mod schema;
#[cfg(test)]
mod tests;

use std::{ops::Range, path::Path};

use domain::{Canton, Uid, auditors::Tenure, search::tenures::TenureQuery};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use self::builder::{Builder, Summary};
use self::{
    lengths::{days_between, exact_years, rounded, years},
    schema::{Group, Index, Number, ROWS, schema},
};
use crate::{Error, Storage, codes, daily::Daily, documents::Documents, stored::Stored};

/// A tenure of an auditor in a company.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TenureRow {
    /// See [`Tenure::id`].
    pub id: Uuid,
    pub company: Uid,
    pub company_name: String,
    /// Canton of the company's seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canton: Option<Canton>,
    pub tenure: Tenure,
}

impl TenureRow {
    /// Creates the row of a tenure, with its stable id.
    pub fn new(
        tenure: Tenure,
        company: Uid,
        company_name: impl Into<String>,
        canton: Option<Canton>,
    ) -> Self {
        let id = tenure.id(company);
        Self { id, company, company_name: company_name.into(), canton, tenure }
    }
}

/// The tenures of one generation. Cheap to open; safe to use from many threads.
pub struct Tenures {
    index: Index,
    rows: Stored<TenureRow>,
    counted: Daily<Counted>,
}

/// One page of a list, and the total number of matches.
#[derive(Clone, Debug, PartialEq)]
pub struct TenureHits {
    pub tenures: Vec<TenureRow>,
    pub total: u64,
}

/// Statistics of tenure lengths.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    pub total: u64,
    /// Number of current tenures.
    pub current: u64,
    /// Number of current tenures of ten years or more.
    pub over_10: u64,
    /// Number of current tenures of seven years or more.
    pub over_7: u64,
    /// In years with one decimal, over tenures with a known start; 0 if there are none.
    pub average_years: f64,
    /// Over tenures with a known start.
    pub longest: Option<TenureRow>,
}

/// [`Statistics`] with the document of the longest tenure.
#[derive(Clone, Copy, Debug)]
struct Counted {
    current: u64,
    over_10: u64,
    over_7: u64,
    average_years: f64,
    longest: Option<u32>,
}

impl Tenures {
    /// Opens the files that [`Builder::finish`] wrote; see
    /// [`Companies::open`](crate::companies::Companies::open).
    ///
    /// The rows are read from `storage`.
    pub fn open(directory: &Path, storage: &(impl Storage + ?Sized)) -> Result<Self, Error> {
        let index = Index::open(directory, &schema())?;
        let rows = Stored::open(directory, ROWS, storage, index.count)?;
        Ok(Self { index, rows, counted: Daily::default() })
    }

    /// Number of tenures.
    pub fn tenure_count(&self) -> u64 {
        self.index.count.into()
    }

    /// One page of the tenures that match the query. Longest first, then current before ended, then by company;
    /// tenures with an unknown start last. A minimum length excludes those.
    pub async fn search(&self, query: &TenureQuery, today: Date) -> Result<TenureHits, Error> {
        let found = self.find(query, today);
        let total = found.count();
        let places = query.page.places(query.page_size, total);
        let page = self.by_length(&found, today).take(places.end).skip(places.start);
        let page: Vec<u32> = page.collect();
        Ok(TenureHits { tenures: self.rows.get(page).await?, total })
    }

    /// Statistics as of this date. Computed once per date.
    pub async fn statistics(&self, today: Date) -> Result<Statistics, Error> {
        let Counted { current, over_10, over_7, average_years, longest } =
            self.counted.get(today, || self.count(today));
        let longest = match longest {
            Some(document) => self.rows.one(document).await?,
            None => None,
        };
        let total = self.tenure_count();
        Ok(Statistics { total, current, over_10, over_7, average_years, longest })
    }

    fn count(&self, today: Date) -> Counted {
        let (lasting, ended) = (self.group(Group::Lasting), self.group(Group::Ended));
        let known = Documents::from_range(0..ended.end, self.index.count);
        let at_least = |years| u64::from(self.end_of_lasting(years, today) - lasting.start);
        let mut days = 0;
        known.iter().for_each(|it| days += self.days(it, today));
        let average = exact_years(days as f64) / known.count().max(1) as f64;
        Counted {
            current: (lasting.len() + self.group(Group::LastingSinceEver).len()) as u64,
            over_10: at_least(10.0),
            over_7: at_least(7.0),
            average_years: rounded(average),
            longest: self.by_length(&known, today).next(),
        }
    }

    fn find(&self, query: &TenureQuery, today: Date) -> Documents {
        let mut found = self.index.every();
        if let Some(least) = query.min_years {
            let first_ended = self.group(Group::Ended).start;
            let lasting = 0..self.end_of_lasting(least.0, today);
            let ended = first_ended..self.end_of_ended(least.0);
            found = Documents::from_range(lasting, self.index.count);
            found.unite(&Documents::from_range(ended, self.index.count));
        }
        let cantons = query.canton.iter().map(|it| codes::canton(*it)).collect();
        self.index.column(Number::Canton).retain_any(&mut found, cantons);
        found
    }

    /// The documents, longest first: merges current and ended tenures, then appends those of unknown length.
    fn by_length(&self, found: &Documents, today: Date) -> impl Iterator<Item = u32> {
        let of = |range: Range<u32>| {
            let mut group = Documents::from_range(range, self.index.count);
            group.intersect(found);
            group
        };
        let end = self.group(Group::Ended).end;
        let documents = |it: Documents| it.iter().collect::<Vec<u32>>().into_iter();
        let mut lasting = documents(of(self.group(Group::Lasting))).peekable();
        let mut ended = documents(of(self.group(Group::Ended))).peekable();
        let known = std::iter::from_fn(move || match (lasting.peek(), ended.peek()) {
            (Some(one), Some(other)) if self.days(*other, today) > self.days(*one, today) => {
                ended.next()
            }
            (None, _) => ended.next(),
            _ => lasting.next(),
        });
        known.chain(documents(of(end..self.index.count)))
    }

    /// Length in days of a tenure with a known start.
    fn days(&self, document: u32, today: Date) -> u64 {
        match self.index.column(Number::Days).get(document) {
            0 => {
                let appointed = self.index.column(Number::Appointed).get(document);
                days_between(appointed, codes::day(today))
            }
            known => known - 1,
        }
    }

    fn group(&self, group: Group) -> Range<u32> {
        let groups = self.index.column(Number::Group);
        let (first, next) = (group as u64, group as u64 + 1);
        groups.first_that(|it| it >= first)..groups.first_that(|it| it >= next)
    }

    /// End of the range of current tenures of at least this length.
    fn end_of_lasting(&self, least: f64, today: Date) -> u32 {
        let is_so_long = |it| years(self.days(it, today)) >= least;
        partition_point(self.group(Group::Lasting), is_so_long)
    }

    /// End of the range of ended tenures of at least this length.
    fn end_of_ended(&self, least: f64) -> u32 {
        let days = self.index.column(Number::Days);
        let is_so_long = |it| years(days.get(it).saturating_sub(1)) >= least;
        partition_point(self.group(Group::Ended), is_so_long)
    }
}

/// End of the documents at the start of a range that satisfy a condition.
fn partition_point(documents: Range<u32>, is: impl Fn(u32) -> bool) -> u32 {
    let Range { mut start, mut end } = documents;
    while start < end {
        let middle = start + (end - start) / 2;
        if is(middle) {
            start = middle + 1;
        } else {
            end = middle;
        }
    }
    start
}
