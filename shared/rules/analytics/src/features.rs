//! Features of companies: numbers by which they are grouped and found unusual.
//!
//! | Feature | Value | Scaling |
//! |---|---|---|
//! | `capital` | nominal capital in francs | logarithm |
//! | `employees` | number of employees | logarithm |
//! | `companyAge` | years since the start, until today or the deletion | none |
//! | `officers` | current officers and signatories | logarithm |
//! | `soleSignerShare` | part of those who can sign who can do it alone, 0 to 1 | none |
//! | `changesLastThreeYears` | changes published in the last 1,095 days | logarithm |
//! | `auditorTenure` | years since the appointment of the auditor | none |
//! | `daysSinceChange` | days since the newest change | logarithm |
//! | `atAddress` | companies at the same address, with this one | logarithm |
//!
//! The logarithm is ln(1 + x), for values of which some are thousands of times as large as others. Companies without a value of a
//! chosen feature are left out: a value that was made up would be a pattern.

use crate::{
    Day, InvalidRequest, Needs, Rows, Window,
    columns::{ChangeColumn, Changes, Companies, CompanyColumn, Places},
    groups::{named, not_empty},
};

/// A number that describes a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// Nominal capital in francs.
    Capital,
    /// Number of employees.
    Employees,
    /// Age in years.
    CompanyAge,
    /// Number of current officers and signatories.
    Officers,
    /// Part of those who can sign who can do it alone.
    SoleSignerShare,
    /// Number of changes in three years.
    ChangesLastThreeYears,
    /// Years since the appointment of the auditor.
    AuditorTenure,
    /// Days since the newest change.
    DaysSinceChange,
    /// Number of companies at the address.
    AtAddress,
}

/// How the values of a feature are made comparable before they are standardised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// ln(1 + x).
    Logarithm,
    /// The value itself.
    None,
}

impl Scaling {
    fn scale(self, value: f64) -> f64 {
        match self {
            Self::Logarithm => value.max(0.0).ln_1p(),
            Self::None => value,
        }
    }

    /// The value with this scaled value, to five significant digits: a scaled value has no more.
    pub fn unscale(self, scaled: f64) -> f64 {
        let value = match self {
            Self::Logarithm => scaled.exp_m1(),
            Self::None => scaled,
        };
        let digits = value.abs().log10().floor();
        if !digits.is_finite() {
            return value;
        }
        // Divided, not multiplied by 0.1: that is not exact.
        let decimals = 4 - digits as i32;
        let unit = 10_f64.powi(decimals.abs());
        if decimals < 0 { (value / unit).round() * unit } else { (value * unit).round() / unit }
    }
}

impl Feature {
    /// Every feature.
    pub const ALL: [Self; 9] = [
        Self::Capital,
        Self::Employees,
        Self::CompanyAge,
        Self::Officers,
        Self::SoleSignerShare,
        Self::ChangesLastThreeYears,
        Self::AuditorTenure,
        Self::DaysSinceChange,
        Self::AtAddress,
    ];

    /// The features that are used if a request names none: those that are known for most companies.
    pub const DEFAULT: [Self; 5] = [
        Self::Capital,
        Self::CompanyAge,
        Self::Officers,
        Self::SoleSignerShare,
        Self::ChangesLastThreeYears,
    ];

    /// Name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Capital => "capital",
            Self::Employees => "employees",
            Self::CompanyAge => "companyAge",
            Self::Officers => "officers",
            Self::SoleSignerShare => "soleSignerShare",
            Self::ChangesLastThreeYears => "changesLastThreeYears",
            Self::AuditorTenure => "auditorTenure",
            Self::DaysSinceChange => "daysSinceChange",
            Self::AtAddress => "atAddress",
        }
    }

    /// The feature with this name.
    pub fn named(given: &str) -> Result<Self, InvalidRequest> {
        named("features", given, Self::ALL, Self::name)
    }

    /// The columns that its values are read from.
    pub fn needs(self) -> Needs {
        let of_companies: &[CompanyColumn] = match self {
            Self::Capital => &[CompanyColumn::Capital, CompanyColumn::Currency],
            Self::Employees => &[CompanyColumn::Employees],
            Self::CompanyAge => {
                &[CompanyColumn::Founding, CompanyColumn::Registration, CompanyColumn::Deletion]
            }
            Self::Officers => &[CompanyColumn::Officers],
            Self::SoleSignerShare => &[CompanyColumn::Signers, CompanyColumn::SoleSigners],
            Self::ChangesLastThreeYears => &[CompanyColumn::Changes],
            Self::AuditorTenure => &[CompanyColumn::AuditorSince],
            Self::DaysSinceChange => &[CompanyColumn::LastChange],
            Self::AtAddress => &[CompanyColumn::AtAddress],
        };
        let of_changes: &[ChangeColumn] =
            if self == Self::ChangesLastThreeYears { &[ChangeColumn::Day] } else { &[] };
        Needs::of(of_companies, of_changes)
    }

    /// How its values are made comparable.
    pub fn scaling(self) -> Scaling {
        match self {
            Self::CompanyAge | Self::SoleSignerShare | Self::AuditorTenure => Scaling::None,
            Self::Capital
            | Self::Employees
            | Self::Officers
            | Self::ChangesLastThreeYears
            | Self::DaysSinceChange
            | Self::AtAddress => Scaling::Logarithm,
        }
    }
}

/// The columns that features are read from.
pub(crate) fn needs(features: &[Feature]) -> Needs {
    features.iter().fold(Needs::default(), |needs, it| needs.and(it.needs()))
}

/// Largest number of features in a request.
pub const MAX_FEATURES: usize = 8;

/// The scaled features of a row, then zeros. Its size is fixed, so that distances are computed without loops.
pub(crate) type Point = [f32; MAX_FEATURES];

/// What reads the features of companies.
pub struct Reader<'a> {
    companies: &'a Companies,
    changes: &'a Changes,
    /// Where the changes are, if a feature needs them.
    places: Option<Places>,
    today: Day,
}

impl<'a> Reader<'a> {
    /// Reads these features as of today.
    pub fn new(
        companies: &'a Companies,
        changes: &'a Changes,
        features: &[Feature],
        today: Day,
    ) -> Self {
        let needs_changes = features.contains(&Feature::ChangesLastThreeYears);
        let places = needs_changes.then(|| companies.places_of_changes());
        Self { companies, changes, places, today }
    }

    /// The value of a feature in its own unit. `None` if it is unknown.
    pub fn value(&self, feature: Feature, row: u32) -> Option<f64> {
        let (companies, at) = (self.companies, row as usize);
        let days_since =
            |day: Option<Day>| day.map(|it| self.today.since(it)).filter(|it| *it >= 0);
        match feature {
            Feature::Capital => companies.francs(row).map(|it| it.approximate().max(0.0)),
            Feature::Employees => companies.employees[at].map(|it| f64::from(it.get())),
            Feature::CompanyAge => companies
                .age_in_days(row, self.today)
                .map(|it| f64::from(it) / crate::small::DAYS_A_YEAR),
            Feature::Officers => companies.officers[at].map(|it| f64::from(it.get())),
            Feature::SoleSignerShare => companies.sole_signer_share(row),
            Feature::ChangesLastThreeYears => {
                let window = Window::last(3 * 365, self.today);
                self.places.as_ref().map(|it| f64::from(self.changes.count(it.of(row), window)))
            }
            Feature::AuditorTenure => days_since(companies.auditor_since[at])
                .map(|it| f64::from(it) / crate::small::DAYS_A_YEAR),
            Feature::DaysSinceChange => days_since(companies.last_change[at]).map(f64::from),
            Feature::AtAddress => companies.at_address[at].map(|it| f64::from(it.get())),
        }
    }
}

/// The scaled features of the companies that have all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// The features, in the order asked for.
    pub features: Vec<Feature>,
    /// The rows that have all features.
    pub rows: Vec<u32>,
    /// The scaled features of each of these rows.
    pub(crate) points: Vec<Point>,
    /// Number of rows of the selection without a value of each feature.
    pub unknown: Vec<usize>,
    /// Number of rows of the selection that are left out, because a feature is unknown.
    pub left_out: usize,
}

impl Features {
    /// The features of the selection.
    pub fn of(
        companies: &Companies,
        changes: &Changes,
        rows: &Rows,
        features: &[Feature],
        today: Day,
    ) -> Result<Self, InvalidRequest> {
        not_empty(rows)?;
        checked(features)?;
        let reader = Reader::new(companies, changes, features, today);
        let mut table = Self {
            features: features.to_vec(),
            rows: Vec::with_capacity(rows.len()),
            points: Vec::with_capacity(rows.len()),
            unknown: vec![0; features.len()],
            left_out: 0,
        };
        for row in rows.iter() {
            let mut point = [0.0; MAX_FEATURES];
            let mut is_complete = true;
            for (at, feature) in features.iter().enumerate() {
                match reader.value(*feature, row) {
                    // Adding 0 makes the two zeros of floats one.
                    Some(value) => point[at] = feature.scaling().scale(value) as f32 + 0.0,
                    None => {
                        table.unknown[at] += 1;
                        is_complete = false;
                    }
                }
            }
            if is_complete {
                table.rows.push(row);
                table.points.push(point);
            }
        }
        table.left_out = rows.len() - table.rows.len();
        if table.rows.is_empty() {
            return Err(InvalidRequest::NoRowHasAllFeatures(names(features)));
        }
        Ok(table)
    }

    /// Mean and deviation of each feature.
    pub(crate) fn moments(&self) -> Vec<Moments> {
        (0..self.features.len())
            .map(|at| Moments::of(self.points.iter().map(|it| it[at])))
            .collect()
    }
}

/// Mean and standard deviation of a scaled feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moments {
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
}

impl Moments {
    fn of(values: impl Iterator<Item = f32> + Clone) -> Self {
        let count = values.clone().count().max(1) as f64;
        let mean = values.clone().map(f64::from).sum::<f64>() / count;
        let squares: f64 = values.map(|it| (f64::from(it) - mean).powi(2)).sum();
        Self { mean, deviation: (squares / count).sqrt() }
    }

    /// How many deviations a value is above the mean. 0 if all values are equal.
    pub(crate) fn standardised(self, value: f64) -> f64 {
        // Rounding errors of equal values are no differences.
        let is_constant = self.deviation <= self.mean.abs() * 1e-6;
        if is_constant { 0.0 } else { (value - self.mean) / self.deviation }
    }
}

fn names(features: &[Feature]) -> Vec<&'static str> {
    features.iter().map(|it| it.name()).collect()
}

fn checked(features: &[Feature]) -> Result<(), InvalidRequest> {
    let mut different = features.to_vec();
    different.sort_unstable();
    different.dedup();
    let is_valid =
        (1..=MAX_FEATURES).contains(&features.len()) && different.len() == features.len();
    let error = || InvalidRequest::Features { given: names(features), max: MAX_FEATURES };
    is_valid.then_some(()).ok_or_else(error)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Amount, ChangeKind};

    use super::*;
    use crate::{
        Currency,
        columns::ChangeRow,
        test::{count, day, register},
    };

    fn two_companies() -> (Companies, Changes) {
        register(2, |at, row| {
            if at == 1 {
                return Vec::new();
            }
            let today = day("2026-11-30");
            row.capital = Some(Amount::units(100_000).into());
            row.employees = count(12);
            row.registration = Some(today.plus(-3_652));
            row.officers = count(4);
            row.signers = count(4);
            row.sole_signers = count(1);
            row.auditor_since = Some(today.plus(-731));
            row.last_change = Some(today.plus(-30));
            row.at_address = count(3);
            [-1_095, -1_094, -30]
                .map(|it| ChangeRow::new(today.plus(it), ChangeKind::NameChange))
                .into()
        })
    }

    #[test]
    fn values_are_in_their_own_units_and_unknown_is_not_0() {
        let (companies, changes) = two_companies();
        let reader = Reader::new(&companies, &changes, &Feature::ALL, day("2026-11-30"));
        let values = |row| Feature::ALL.map(|it| reader.value(it, row));
        let rounded = values(0).map(|it| it.map(|it| (it * 100.0).round() / 100.0));
        let known = [100_000.0, 12.0, 10.0, 4.0, 0.25, 2.0, 2.0, 30.0, 3.0];
        assert_eq!(rounded, known.map(Some));
        let mut unknown = [None; 9];
        unknown[5] = Some(0.0);
        assert_eq!(values(1), unknown, "a company without changes has none");
    }

    #[test]
    fn other_currencies_and_days_in_the_future_are_unknown() {
        let (mut companies, changes) = two_companies();
        Arc::make_mut(&mut companies.currency)[0] = Currency::new("USD");
        let features = [Feature::Capital, Feature::AuditorTenure, Feature::DaysSinceChange];
        let reader = Reader::new(&companies, &changes, &features, day("2020-01-01"));
        assert_eq!(features.map(|it| reader.value(it, 0)), [None; 3]);
    }

    #[test]
    fn scaling_can_be_undone() {
        for feature in Feature::ALL {
            for value in [0.0, 0.5, 7.0, 1e9] {
                let scaling = feature.scaling();
                let back = scaling.unscale(scaling.scale(value));
                assert!((back - value).abs() <= value * 1e-12, "{feature:?} {value}");
            }
        }
    }

    #[test]
    fn incomplete_rows_are_left_out_and_counted() {
        let (companies, changes) = two_companies();
        let of = |features: &[Feature], rows: &Rows| {
            Features::of(&companies, &changes, rows, features, day("2026-11-30"))
        };
        let all = Rows::all(2);
        let found = of(&[Feature::Officers, Feature::ChangesLastThreeYears], &all).expect("valid");
        assert_eq!((found.rows, found.unknown, found.left_out), (vec![0], vec![1, 0], 1));
        let none = of(&[Feature::Officers], &all.filter(|it| it == 1));
        assert_eq!(none, Err(InvalidRequest::NoRowHasAllFeatures(vec!["officers"])));
        assert_eq!(of(&[Feature::Officers], &Rows::default()), Err(InvalidRequest::EmptySelection));
        for wrong in [&[][..], &[Feature::Officers; 2], &Feature::ALL] {
            assert!(matches!(of(wrong, &all), Err(InvalidRequest::Features { .. })), "{wrong:?}");
        }
        let error = Feature::named("Capital").expect_err("unknown").to_string();
        assert!(
            error.contains("`capital`, `employees`") && error.ends_with("got `Capital`"),
            "{error}"
        );
    }

    #[test]
    fn equal_values_are_all_at_the_mean() {
        let moments = Moments::of([11.512_925; 1_000].into_iter());
        assert_eq!(moments.standardised(11.512_925), 0.0);
    }
}
