//! A company compared with its peers.
//!
//! Peers are registered companies of the same NOGA class, or else group, or else division: the first level at which at least 30
//! others have the figure. The company is no peer of itself.

use domain::percentile;

use crate::{
    Day, InvalidRequest, Needs, Noga, Rows, Window,
    columns::{ChangeColumn, Changes, Companies, CompanyColumn},
    groups::named,
    quantiles::median_of_sorted,
};

/// The columns that [`benchmark`] reads.
pub fn needs() -> Needs {
    let of_companies = [
        CompanyColumn::Noga,
        CompanyColumn::Capital,
        CompanyColumn::Currency,
        CompanyColumn::Officers,
        CompanyColumn::Founding,
        CompanyColumn::Registration,
        CompanyColumn::Deletion,
        CompanyColumn::Changes,
    ];
    Needs::of(&of_companies, &[ChangeColumn::Day])
}

/// Fewer peers with the figure say too little.
pub const MIN_PEERS: usize = 30;

/// A figure by which companies are compared. The definitions are those of the fingerprint, but for the unit of the age.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dimension {
    /// Nominal capital in francs.
    Capital,
    /// Number of current officers and signatories.
    BoardSize,
    /// Number of changes published in the last 365 days.
    ChangeFrequency,
    /// Days since the first entry in the register, or else the foundation, until today or the deletion.
    CompanyAge,
}

impl Dimension {
    /// Every dimension.
    pub const ALL: [Self; 4] =
        [Self::Capital, Self::BoardSize, Self::ChangeFrequency, Self::CompanyAge];

    /// Name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Capital => "capital",
            Self::BoardSize => "board_size",
            Self::ChangeFrequency => "change_frequency",
            Self::CompanyAge => "company_age",
        }
    }

    /// Unit of the values.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Capital => "CHF",
            Self::BoardSize => "persons",
            Self::ChangeFrequency => "changes in 365 days",
            Self::CompanyAge => "days",
        }
    }

    /// The dimension with this name.
    pub fn named(given: &str) -> Result<Self, InvalidRequest> {
        named("dimensions", given, Self::ALL, Self::name)
    }
}

/// A company compared with its peers.
#[derive(Clone, Debug, PartialEq)]
pub struct Benchmark {
    /// Number of other registered companies of the division. 0 if the industry is unknown.
    pub peers: usize,
    /// The dimensions of which the company has a value, in the order asked for.
    pub compared: Vec<Compared>,
    /// The other dimensions, and why the company has no value.
    pub missing: Vec<(Dimension, Missing)>,
}

/// The value of a company among those of its peers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared {
    /// What is compared.
    pub dimension: Dimension,
    /// Value of the company.
    pub value: f64,
    /// Number of peers that have a value: of `among`, or of the division if it is `None`.
    pub peers_with_data: usize,
    /// The comparison. `None` if the industry is unknown or too few peers have a value.
    pub among: Option<Among>,
}

/// Where a value is among those of peers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Among {
    /// The class, group or division of the peers.
    pub industry: Noga,
    /// Median of the peers.
    pub median: f64,
    /// Percentage of peers with a lower value, with half of those with the same.
    pub percentile: f64,
}

/// Why a company has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// No source states it.
    NotKnown,
    /// The capital is in a currency other than the franc.
    OtherCurrency,
}

impl Missing {
    /// Name in responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotKnown => "not_known",
            Self::OtherCurrency => "other_currency",
        }
    }
}

/// Compares a company with those of its peers that are among `registered`.
pub fn benchmark(
    companies: &Companies,
    changes: &Changes,
    registered: &Rows,
    row: u32,
    dimensions: &[Dimension],
    today: Day,
) -> Benchmark {
    let places = companies.places_of_changes();
    let value = |dimension: Dimension, row: u32| -> Option<f64> {
        match dimension {
            Dimension::Capital => companies.francs(row).map(|it| it.approximate()),
            Dimension::BoardSize => companies.officers[row as usize].map(|it| f64::from(it.get())),
            Dimension::ChangeFrequency => {
                Some(f64::from(changes.count(places.of(row), Window::last(365, today))))
            }
            Dimension::CompanyAge => companies.age_in_days(row, today).map(f64::from),
        }
    };
    let industry = companies.noga[row as usize];
    let division =
        industry.map_or_else(Vec::new, |it| peers(companies, registered, row, it.division()));
    let mut found = Benchmark { peers: division.len(), compared: Vec::new(), missing: Vec::new() };
    for dimension in dimensions.iter().copied() {
        match value(dimension, row) {
            Some(own) => {
                let of_peer =
                    |it: &u32| Some((companies.noga[*it as usize]?, value(dimension, *it)?));
                let values: Vec<(Noga, f64)> = division.iter().filter_map(of_peer).collect();
                found.compared.push(compared(dimension, own, industry, &values));
            }
            None => {
                let is_known =
                    dimension == Dimension::Capital && companies.capital[row as usize].is_some();
                let reason = if is_known { Missing::OtherCurrency } else { Missing::NotKnown };
                found.missing.push((dimension, reason));
            }
        }
    }
    found
}

fn peers(companies: &Companies, registered: &Rows, row: u32, division: Noga) -> Vec<u32> {
    let is_peer = |it: &u32| {
        *it != row && companies.noga[*it as usize].is_some_and(|it| it.division() == division)
    };
    registered.iter().filter(is_peer).collect()
}

/// Compares a value with those of the narrowest level at which enough peers have one.
fn compared(
    dimension: Dimension,
    value: f64,
    industry: Option<Noga>,
    division: &[(Noga, f64)],
) -> Compared {
    let levels = industry.into_iter().flat_map(|it| [4, 3, 2].map(|digits| it.first(digits)));
    for level in levels.flatten() {
        let digits = level.code().len() as u32;
        let of_level = division.iter().filter(|it| it.0.first(digits) == Some(level));
        let mut values: Vec<f64> = of_level.map(|it| it.1).collect();
        if values.len() < MIN_PEERS {
            continue;
        }
        values.sort_unstable_by(f64::total_cmp);
        let among = median_of_sorted(&values)
            .zip(percentile(value, values.iter().copied()))
            .map(|(median, percentile)| Among { industry: level, median, percentile });
        return Compared { dimension, value, peers_with_data: values.len(), among };
    }
    Compared { dimension, value, peers_with_data: division.len(), among: None }
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

    const TODAY: &str = "2026-11-30";

    /// 40 companies of class 6201, 30 of 6202, 50 of 6311; capital by position.
    fn companies() -> (Companies, Changes) {
        register(120, |at, row| {
            row.noga = Noga::new(
                ["620100", "6202", "6311"][match at {
                    0..40 => 0,
                    40..70 => 1,
                    _ => 2,
                }],
            );
            row.capital = Some(Amount::units(at as i64 * 1_000).into());
            row.officers = count(at as u32 % 5);
            row.registration = Some(day(TODAY).plus(-(at as i32)));
            vec![ChangeRow::new(day(TODAY).plus(-(at as i32) * 10), ChangeKind::NameChange)]
        })
    }

    fn of(companies: &(Companies, Changes), row: u32) -> Benchmark {
        let rows = Rows::all(120).filter(|it| it != 5);
        benchmark(&companies.0, &companies.1, &rows, row, &Dimension::ALL, day(TODAY))
    }

    #[test]
    fn peers_are_of_the_narrowest_level_with_enough_values() {
        let found = of(&companies(), 39);
        assert_eq!(
            found.peers, 68,
            "of the division, without itself and one that is not registered"
        );
        let capital = found.compared[0];
        let among = capital.among.expect("enough");
        assert_eq!(
            (among.industry, capital.peers_with_data),
            (Noga::new("6201").expect("a class"), 38)
        );
        assert_eq!((among.percentile, capital.value), (100.0, 39_000.0));
        let median = (0..39).filter(|it| *it != 5).map(f64::from).collect::<Vec<_>>();
        assert_eq!(Some(among.median), median_of_sorted(&median).map(|it| it * 1_000.0));
        let of_6202 = of(&companies(), 40).compared[0];
        let group = of_6202.among.expect("enough").industry;
        assert_eq!(
            (group, of_6202.peers_with_data),
            (Noga::new("620").expect("a group"), 68),
            "29 are too few"
        );
    }

    #[test]
    fn figures_are_those_of_the_fingerprint() {
        let found = of(&companies(), 36);
        let values: Vec<f64> = found.compared.iter().map(|it| it.value).collect();
        assert_eq!(values, [36_000.0, 1.0, 1.0, 36.0], "the change was 360 days ago");
        assert_eq!(of(&companies(), 37).compared[2].value, 0.0, "370 days ago");
    }

    #[test]
    fn the_company_in_the_middle_is_at_about_50() {
        let found = of(&companies(), 95);
        for it in found
            .compared
            .iter()
            .filter(|it| matches!(it.dimension, Dimension::Capital | Dimension::CompanyAge))
        {
            let percentile = it.among.expect("enough").percentile;
            assert!((percentile - 50.0).abs() < 3.0, "{it:?}");
        }
    }

    #[test]
    fn what_is_unknown_is_missing_and_not_compared() {
        let (mut companies, changes) = companies();
        Arc::make_mut(&mut companies.capital)[0] = None;
        Arc::make_mut(&mut companies.currency)[1] = Currency::new("EUR");
        Arc::make_mut(&mut companies.noga)[2] = None;
        Arc::make_mut(&mut companies.officers)[0] = None;
        let tables = (companies, changes);
        assert_eq!(
            of(&tables, 0).missing,
            [(Dimension::Capital, Missing::NotKnown), (Dimension::BoardSize, Missing::NotKnown)]
        );
        assert_eq!(of(&tables, 1).missing, [(Dimension::Capital, Missing::OtherCurrency)]);
        let unclassified = of(&tables, 2);
        assert_eq!((unclassified.peers, unclassified.missing.len()), (0, 0));
        assert!(
            unclassified.compared.iter().all(|it| it.among.is_none() && it.peers_with_data == 0)
        );
    }
}
