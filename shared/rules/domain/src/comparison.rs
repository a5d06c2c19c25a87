//! Comparison of companies, dimension by dimension.

use std::collections::HashSet;

use serde::Deserialize;

use crate::{AuditorCategory, Company, Status, Uid};

/// Minimum number of companies in a comparison.
pub const MIN_COMPANIES: usize = 2;
/// Maximum number of companies in a comparison.
pub const MAX_COMPANIES: usize = 10;

/// The companies of a comparison: 2 to 10, without duplicates.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Vec<Uid>")]
pub struct ComparedCompanies(Vec<Uid>);

/// Why companies cannot be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InvalidComparison {
    /// Too few or too many companies.
    #[error("must be {MIN_COMPANIES} to {MAX_COMPANIES} company numbers; got {0}")]
    Count(usize),
    /// A company is given more than once.
    #[error("must contain each company number only once; got `{0}` more than once")]
    Duplicate(Uid),
}

impl ComparedCompanies {
    /// Company numbers, in the order given.
    pub fn uids(&self) -> &[Uid] {
        &self.0
    }
}

impl TryFrom<Vec<Uid>> for ComparedCompanies {
    type Error = InvalidComparison;

    fn try_from(uids: Vec<Uid>) -> Result<Self, InvalidComparison> {
        if !(MIN_COMPANIES..=MAX_COMPANIES).contains(&uids.len()) {
            return Err(InvalidComparison::Count(uids.len()));
        }
        let mut seen = HashSet::new();
        match uids.iter().find(|it| !seen.insert(**it)) {
            Some(uid) => Err(InvalidComparison::Duplicate(*uid)),
            None => Ok(Self(uids)),
        }
    }
}

/// One dimension of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Dimension {
    /// Name of the member of the company record.
    pub field: &'static str,
    /// English label.
    pub label: &'static str,
    /// One value for each company. `None` if it is not known.
    pub values: Vec<Option<String>>,
}

type Value = fn(&Company) -> Option<String>;

/// The dimensions, in display order.
#[rustfmt::skip]
const DIMENSIONS: [(&str, &str, Value); 11] = [
    ("canton", "Canton", |it| it.canton.map(|it| it.code().to_owned())),
    ("status", "Status", |it| it.status.map(Status::name).map(str::to_owned)),
    ("legalForm", "Legal Form", |it| it.legal_form.clone()),
    ("shareCapital", "Share Capital (CHF)", francs),
    ("industry", "Industry", |it| it.industry.clone()),
    ("auditorName", "Auditor", |it| it.auditor_name.clone()),
    ("auditorCategory", "Audit Category", |it| it.auditor_category.map(AuditorCategory::name).map(str::to_owned)),
    ("employeeCount", "Employees", |it| it.employee_count.map(|it| it.to_string())),
    ("foundingDate", "Founded", |it| it.founding_date.or(it.registration_date).map(|it| it.to_string())),
    ("addressCity", "City", |it| it.address_city.clone().or_else(|| it.legal_seat.clone())),
    ("website", "Website", |it| it.website.clone()),
];

/// Capital in whole francs. `None` for capital in another or an unknown currency, because amounts are not converted.
fn francs(company: &Company) -> Option<String> {
    let is_francs = company.currency.as_deref() == Some("CHF");
    let capital = company.share_capital.filter(|_| is_francs)?;
    Some(capital.to_string().split('.').next().unwrap_or_default().to_owned())
}

/// The values of the companies in each dimension.
pub fn dimensions(companies: &[Company]) -> Vec<Dimension> {
    let dimension = |(field, label, value): (&'static str, &'static str, Value)| Dimension {
        field,
        label,
        values: companies.iter().map(value).collect(),
    };
    DIMENSIONS.into_iter().map(dimension).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uid(number: u32) -> Uid {
        format!("CHE-600.000.{number:03}").parse().expect("well-formed")
    }

    #[test]
    fn comparison_requires_2_to_10_distinct_companies() {
        let of = |numbers: &[u32]| {
            ComparedCompanies::try_from(numbers.iter().map(|it| uid(*it)).collect::<Vec<_>>())
        };
        assert_eq!(of(&[1]), Err(InvalidComparison::Count(1)));
        assert_eq!(of(&[1, 2, 1]), Err(InvalidComparison::Duplicate(uid(1))));
        let ten: Vec<u32> = (1..=10).collect();
        assert_eq!(of(&ten).map(|it| it.uids().len()), Ok(10));
        let error = of(&(1..=11).collect::<Vec<u32>>()).expect_err("too many");
        assert_eq!(error.to_string(), "must be 2 to 10 company numbers; got 11");
    }

    #[test]
    fn capital_in_another_currency_is_not_compared() {
        let mut company = Company::new(uid(1), "Muster AG");
        assert_eq!(francs(&company), None);
        company.share_capital = "385840847.20".parse().ok();
        assert_eq!(francs(&company), None, "the currency is not known");
        company.currency = Some("CHF".to_owned());
        assert_eq!(francs(&company).as_deref(), Some("385840847"));
        company.currency = Some("EUR".to_owned());
        assert_eq!(francs(&company), None);
    }
}
