//! Companies side by side.

use std::collections::HashSet;

use serde::Deserialize;

use crate::{AuditorCategory, Company, Status, Uid};

/// How many companies a comparison takes.
pub const LEAST: usize = 2;
pub const MOST: usize = 10;

/// The companies of a comparison: 2 to 10, each once.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Vec<Uid>")]
pub struct Compared(Vec<Uid>);

/// Companies that make no comparison.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotComparable {
    #[error("{0} companies given; a comparison takes {LEAST} to {MOST}")]
    Count(usize),
    #[error("`{0}` is given twice; a comparison takes each company once")]
    Twice(Uid),
}

impl Compared {
    /// In the order in which they were given.
    pub fn uids(&self) -> &[Uid] {
        &self.0
    }
}

impl TryFrom<Vec<Uid>> for Compared {
    type Error = NotComparable;

    fn try_from(uids: Vec<Uid>) -> Result<Self, NotComparable> {
        if !(LEAST..=MOST).contains(&uids.len()) {
            return Err(NotComparable::Count(uids.len()));
        }
        let mut seen = HashSet::new();
        match uids.iter().find(|it| !seen.insert(**it)) {
            Some(uid) => Err(NotComparable::Twice(*uid)),
            None => Ok(Self(uids)),
        }
    }
}

/// One thing that companies are compared by.
#[derive(Clone, Debug, PartialEq)]
pub struct Dimension {
    /// The member of a company.
    pub field: &'static str,
    pub label: &'static str,
    /// One for each company; `None` where it is not known.
    pub values: Vec<Option<String>>,
}

type Value = fn(&Company) -> Option<String>;

/// The dimensions, in the order in which they are shown.
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

/// Whole francs. A capital in another currency is none in francs, at whatever rate.
fn francs(company: &Company) -> Option<String> {
    let is_francs = company.currency.as_deref().is_none_or(|it| it == "CHF");
    let capital = company.share_capital.filter(|_| is_francs)?;
    Some(capital.to_string().split('.').next().unwrap_or_default().to_owned())
}

/// What the companies are in each dimension.
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
    fn a_comparison_takes_two_to_ten_companies_each_once() {
        let of = |numbers: &[u32]| {
            Compared::try_from(numbers.iter().map(|it| uid(*it)).collect::<Vec<_>>())
        };
        assert_eq!(of(&[1]), Err(NotComparable::Count(1)));
        assert_eq!(of(&[1, 2, 1]), Err(NotComparable::Twice(uid(1))));
        let ten: Vec<u32> = (1..=10).collect();
        assert_eq!(of(&ten).map(|it| it.uids().len()), Ok(10));
        let refusal = of(&(1..=11).collect::<Vec<u32>>()).expect_err("too many");
        assert_eq!(refusal.to_string(), "11 companies given; a comparison takes 2 to 10");
    }

    #[test]
    fn capital_is_whole_francs_or_nothing() {
        let mut company = Company::new(uid(1), "Muster AG");
        assert_eq!(francs(&company), None);
        company.share_capital = "385840847.20".parse().ok();
        company.currency = Some("CHF".to_owned());
        assert_eq!(francs(&company).as_deref(), Some("385840847"));
        company.currency = Some("EUR".to_owned());
        assert_eq!(francs(&company), None);
    }
}
