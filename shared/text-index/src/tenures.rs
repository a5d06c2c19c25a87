//! The index of the auditors' tenures: who has audited whom for how long.
//!
//! Tenures that last grow from day to day, so every question says which day is today. The whole rows
//! are kept in the index. Every total is exact.

mod builder;
mod lengths;
mod schema;
#[cfg(test)]
mod tests;

use std::{io, ops::Range, path::Path};

use domain::{Canton, Uid, auditors::Tenure, search::tenures::TenureQuery};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use self::builder::{Builder, Summary};
use self::{
    lengths::{days_between, exact_years, rounded, years},
    schema::{Group, Index, Number, Record, schema},
};
use crate::{Error, codes, daily::Daily, documents::Documents};

/// How long somebody has audited a company.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TenureRow {
    /// See [`Tenure::id`].
    pub id: Uuid,
    pub company: Uid,
    pub company_name: String,
    /// Of the company's seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canton: Option<Canton>,
    pub tenure: Tenure,
}

impl TenureRow {
    /// A row under the id that the tenure has everywhere.
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

/// The tenures of one generation. Cheap to open; asked from many threads at once.
pub struct Tenures {
    index: Index,
    statistics: Daily<Statistics>,
}

/// One page of a list, and how long the whole list is.
#[derive(Clone, Debug, PartialEq)]
pub struct TenureHits {
    pub tenures: Vec<TenureRow>,
    pub total: u64,
}

/// How long auditors stay.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    pub total: u64,
    /// Those that last.
    pub current: u64,
    /// Those that last and have lasted ten years or more.
    pub over_10: u64,
    /// Those that last and have lasted seven years or more.
    pub over_7: u64,
    /// Of those whose beginning is known, with one decimal; 0 where there are none.
    pub average_years: f64,
    /// Of those whose beginning is known.
    pub longest: Option<TenureRow>,
}

impl Tenures {
    /// Maps the files that [`Builder::finish`] has written; see
    /// [`Companies::open`](crate::companies::Companies::open).
    pub fn open(directory: &Path) -> Result<Self, Error> {
        Ok(Self { index: Index::open(directory, &schema())?, statistics: Daily::default() })
    }

    /// How many tenures there are.
    pub fn tenure_count(&self) -> u64 {
        self.index.count.into()
    }

    /// The page of the list that the query asks for: the longest first, of equally long ones those
    /// that last, then by company; those of unknown beginning last. A least length leaves those out.
    pub fn search(&self, query: &TenureQuery, today: Date) -> Result<TenureHits, Error> {
        let found = self.find(query, today);
        let total = found.count();
        let places = query.page.places(query.page_size, total);
        let page = self.by_length(&found, today).take(places.end).skip(places.start);
        let row = |it| self.index.records.get(it, Record::Row);
        Ok(TenureHits { tenures: page.map(row).collect::<io::Result<_>>()?, total })
    }

    /// How long auditors stay, and have stayed until this day: counted once a day.
    pub fn statistics(&self, today: Date) -> Result<Statistics, Error> {
        self.statistics.try_get(today, || self.counted(today))
    }

    fn counted(&self, today: Date) -> Result<Statistics, Error> {
        let (lasting, ended) = (self.group(Group::Lasting), self.group(Group::Ended));
        let known = Documents::from_range(0..ended.end, self.index.count);
        let at_least = |years| u64::from(self.end_of_lasting(years, today) - lasting.start);
        let mut days = 0;
        known.iter().for_each(|it| days += self.days(it, today));
        let average = exact_years(days as f64) / known.count().max(1) as f64;
        let longest = self.by_length(&known, today).next();
        let longest = longest.map(|it| self.index.records.get(it, Record::Row)).transpose()?;
        Ok(Statistics {
            total: self.tenure_count(),
            current: (lasting.len() + self.group(Group::LastingSinceEver).len()) as u64,
            over_10: at_least(10.0),
            over_7: at_least(7.0),
            average_years: rounded(average),
            longest,
        })
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
        let cantons = query.canton.iter().map(|it| codes::canton(*it));
        self.index.column(Number::Canton).retain_any(&mut found, cantons);
        found
    }

    /// The documents, the longest first: two lists in that order become one, and the rest follows.
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

    /// The length of a tenure of known beginning, in days.
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

    /// Where those end that last and are so long.
    fn end_of_lasting(&self, least: f64, today: Date) -> u32 {
        let is_so_long = |it| years(self.days(it, today)) >= least;
        partition_point(self.group(Group::Lasting), is_so_long)
    }

    /// Where those end that have ended and were so long.
    fn end_of_ended(&self, least: f64) -> u32 {
        let days = self.index.column(Number::Days);
        let is_so_long = |it| years(days.get(it).saturating_sub(1)) >= least;
        partition_point(self.group(Group::Ended), is_so_long)
    }
}

/// Where those end of whom something is true, which come first.
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
