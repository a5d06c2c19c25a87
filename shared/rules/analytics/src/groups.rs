//! Groups of companies, and how many companies each has.

use std::{cmp::Reverse, collections::BTreeMap};

use domain::{Canton, noga};

use crate::{
    InvalidRequest, LegalFormCode, Needs, Noga, Rows,
    columns::{Companies, CompanyColumn},
};

/// By what companies are grouped. All groups are those of the present record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GroupBy {
    /// Canton of the seat.
    Canton,
    /// NOGA 2008 division.
    Industry,
    /// Legal form.
    LegalForm,
    /// Year of the start: of the first entry in the register, or else of the foundation.
    Year,
    /// Quarter of the start.
    Quarter,
}

impl GroupBy {
    /// Every way of grouping.
    pub const ALL: [Self; 5] =
        [Self::Canton, Self::Industry, Self::LegalForm, Self::Year, Self::Quarter];

    /// Name in requests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Canton => "canton",
            Self::Industry => "industry",
            Self::LegalForm => "legalForm",
            Self::Year => "year",
            Self::Quarter => "quarter",
        }
    }

    /// The grouping with this name.
    pub fn named(given: &str) -> Result<Self, InvalidRequest> {
        named("groupBy", given, Self::ALL, Self::name)
    }

    /// The columns that it reads.
    pub fn needs(self) -> Needs {
        let columns: &[CompanyColumn] = match self {
            Self::Canton => &[CompanyColumn::Canton],
            Self::Industry => &[CompanyColumn::Noga],
            Self::LegalForm => &[CompanyColumn::LegalForm],
            Self::Year | Self::Quarter => &[CompanyColumn::Founding, CompanyColumn::Registration],
        };
        Needs::of(columns, &[])
    }

    /// The group of a company.
    pub fn group(self, companies: &Companies, row: u32) -> Group {
        let at = row as usize;
        let group = match self {
            Self::Canton => companies.canton[at].map(Group::Canton),
            Self::Industry => companies.noga[at].map(|it| Group::Industry(it.division())),
            Self::LegalForm => companies.legal_form[at].map(Group::LegalForm),
            Self::Year => companies.start(row).map(|it| Group::Year(it.date().year())),
            Self::Quarter => companies.start(row).map(|it| {
                let date = it.date();
                Group::Quarter(date.year(), quarter(date))
            }),
        };
        group.unwrap_or(Group::Unknown)
    }
}

/// The quarter of a day, 1 to 4.
pub(crate) fn quarter(date: jiff::civil::Date) -> u8 {
    (date.month().unsigned_abs() - 1) / 3 + 1
}

/// Finds a value by its name.
pub(crate) fn named<T: Copy, const N: usize>(
    member: &'static str,
    given: &str,
    all: [T; N],
    name: fn(T) -> &'static str,
) -> Result<T, InvalidRequest> {
    all.into_iter().find(|it| name(*it) == given).ok_or_else(|| InvalidRequest::UnknownName {
        member,
        given: given.to_owned(),
        known: all.map(name).to_vec(),
    })
}

/// A group of companies. Sorted as the variants, with the unknown last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// A canton.
    Canton(Canton),
    /// A NOGA 2008 division.
    Industry(Noga),
    /// A legal form.
    LegalForm(LegalFormCode),
    /// A year.
    Year(i16),
    /// A year and a quarter of it, 1 to 4.
    Quarter(i16, u8),
    /// What groups companies is not known.
    Unknown,
}

/// Name of the group of which nothing is known.
pub const UNKNOWN: &str = "Unknown";

impl Group {
    /// Name of the group: a canton's two letters, the English name of a division, the German name of a legal form, `2026` or
    /// `2026-Q1`, or [`UNKNOWN`].
    pub fn label(self) -> String {
        match self {
            Self::Canton(canton) => canton.code().to_owned(),
            Self::Industry(division) => division_name(division),
            Self::LegalForm(form) => form.name(),
            Self::Year(year) => format!("{year:04}"),
            Self::Quarter(year, quarter) => format!("{year:04}-Q{quarter}"),
            Self::Unknown => UNKNOWN.to_owned(),
        }
    }
}

/// English name of a division, or its code if it has none.
pub(crate) fn division_name(division: Noga) -> String {
    let code = division.code();
    noga::division(&code).map_or_else(|| code.clone(), |it| it.name.to_owned())
}

/// The rows of each group, sorted by group.
pub fn groups(by: GroupBy, companies: &Companies, rows: &Rows) -> BTreeMap<Group, Vec<u32>> {
    let mut groups: BTreeMap<Group, Vec<u32>> = BTreeMap::new();
    for row in rows.iter() {
        groups.entry(by.group(companies, row)).or_default().push(row);
    }
    groups
}

/// The number of companies in each canton: all 26 in their official order, then those whose canton is unknown.
pub fn cantons(companies: &Companies, rows: &Rows) -> Result<Vec<(Group, u32)>, InvalidRequest> {
    not_empty(rows)?;
    let mut counts: BTreeMap<Group, u32> = Canton::ALL.map(|it| (Group::Canton(it), 0)).into();
    counts.insert(Group::Unknown, 0);
    for row in rows.iter() {
        *counts.entry(GroupBy::Canton.group(companies, row)).or_default() += 1;
    }
    Ok(counts.into_iter().collect())
}

/// The counts, the largest first, of equal ones in the order of the values.
pub(crate) fn largest_first<T: Ord + Copy>(
    counts: impl IntoIterator<Item = (T, u32)>,
) -> Vec<(T, u32)> {
    let mut counts: Vec<(T, u32)> = counts.into_iter().collect();
    counts.sort_unstable_by_key(|it| (Reverse(it.1), it.0));
    counts
}

/// Refuses a selection without companies.
pub(crate) fn not_empty(rows: &Rows) -> Result<(), InvalidRequest> {
    if rows.is_empty() { Err(InvalidRequest::EmptySelection) } else { Ok(()) }
}

/// A part in percent, with two decimals. 0 of nothing.
pub fn percentage(part: usize, whole: usize) -> f64 {
    let hundredths = part as f64 * 10_000.0 / whole.max(1) as f64;
    hundredths.round() / 100.0
}

/// Of how many of the companies a value is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Companies with a value.
    pub companies: usize,
    /// All companies of the selection.
    pub of: usize,
}

impl Known {
    /// Counts the rows that have a value.
    pub fn of(rows: &Rows, is_known: impl Fn(u32) -> bool) -> Self {
        Self { companies: rows.iter().filter(|it| is_known(*it)).count(), of: rows.len() }
    }

    /// Part of the companies with a value, in percent.
    pub fn percentage(self) -> f64 {
        percentage(self.companies, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Day,
        columns::CompanyColumn,
        test::{companies, day},
    };

    #[test]
    fn every_canton_has_a_row_and_the_counts_sum_to_the_selection() {
        let companies = companies(100, |at, row| {
            row.canton = [None, Some(Canton::Ju), Some(Canton::Zh)][at % 3];
        })
        .with_only(&[CompanyColumn::Canton]);
        let rows = Rows::all(100).filter(|it| it != 0);
        let found = cantons(&companies, &rows).expect("not empty");
        assert_eq!(found.len(), 27);
        assert_eq!(found[0], (Group::Canton(Canton::Zh), 33));
        assert_eq!(found[25], (Group::Canton(Canton::Ju), 33));
        assert_eq!(found[26], (Group::Unknown, 33));
        assert_eq!(found.iter().map(|it| it.1).sum::<u32>(), 99);
        assert_eq!(cantons(&companies, &Rows::default()), Err(InvalidRequest::EmptySelection));
    }

    #[test]
    fn labels_are_those_of_the_contract_and_sort_as_text() {
        let companies = companies(2, |at, row| {
            if at == 0 {
                row.canton = Some(Canton::Zh);
                row.noga = Noga::new("620100");
                row.legal_form = LegalFormCode::new("0106");
                row.founding = Some(day("2025-12-31"));
                row.registration = Some(day("2026-04-01"));
            }
        });
        let labels = |row| GroupBy::ALL.map(|it| it.group(&companies, row).label());
        assert_eq!(
            labels(0),
            ["ZH", "Software and IT services", "Aktiengesellschaft", "2026", "2026-Q2"]
        );
        assert_eq!(labels(1), [UNKNOWN; 5]);
        assert!(Group::Quarter(2025, 4).label() < Group::Quarter(2026, 1).label());
    }

    #[test]
    fn quarters_begin_in_january_april_july_and_october() {
        let months: Vec<u8> = (0..12).map(|it| quarter(Day::new(it * 31).date())).collect();
        assert_eq!(months, [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]);
    }

    #[test]
    fn unknown_names_are_refused_with_the_known_ones() {
        let error = GroupBy::named("Kanton").expect_err("unknown");
        assert_eq!(
            error.to_string(),
            "`groupBy` must be one of `canton`, `industry`, `legalForm`, `year`, `quarter`; got `Kanton`"
        );
        assert_eq!(GroupBy::named("legalForm"), Ok(GroupBy::LegalForm));
    }

    #[test]
    fn known_values_are_counted_among_the_selection() {
        let known = Known::of(&Rows::all(8), |it| it < 6);
        assert_eq!((known.companies, known.of, known.percentage()), (6, 8, 75.0));
    }

    #[test]
    fn percentages_have_two_decimals() {
        assert_eq!([percentage(1, 3), percentage(3, 3), percentage(0, 0)], [33.33, 100.0, 0.0]);
    }
}
