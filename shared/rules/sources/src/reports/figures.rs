//! Shared by both XBRL formats: selects the figures of a report from its facts.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Amount, Lei, statements::reports::Report};
use jiff::civil::Date;

use crate::Mention;

/// A figure of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Figure {
    Revenue,
    OperatingIncome,
    NetIncome,
    TotalAssets,
    Equity,
    Employees,
}

/// A taxonomy, identified by a part of its namespace.
#[derive(Clone, Copy)]
struct Taxonomy(&'static str);

const IFRS: Taxonomy = Taxonomy("xbrl.ifrs.org/taxonomy/");
const US_GAAP: Taxonomy = Taxonomy("fasb.org/us-gaap/");

/// Concepts with an unambiguous meaning. If a report has several concepts for a figure, the first in this
/// list is used.
#[rustfmt::skip]
const CONCEPTS: [(Taxonomy, &str, Figure); 16] = [
    (IFRS, "Revenue", Figure::Revenue),
    (IFRS, "RevenueFromContractsWithCustomers", Figure::Revenue),
    (IFRS, "ProfitLossFromOperatingActivities", Figure::OperatingIncome),
    (IFRS, "ProfitLoss", Figure::NetIncome),
    (IFRS, "Assets", Figure::TotalAssets),
    (IFRS, "Equity", Figure::Equity),
    (IFRS, "NumberOfEmployees", Figure::Employees),
    (IFRS, "AverageNumberOfEmployees", Figure::Employees),
    (US_GAAP, "Revenues", Figure::Revenue),
    (US_GAAP, "RevenueFromContractWithCustomerExcludingAssessedTax", Figure::Revenue),
    (US_GAAP, "OperatingIncomeLoss", Figure::OperatingIncome),
    (US_GAAP, "ProfitLoss", Figure::NetIncome),
    (US_GAAP, "NetIncomeLoss", Figure::NetIncome),
    (US_GAAP, "Assets", Figure::TotalAssets),
    (US_GAAP, "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest", Figure::Equity),
    (US_GAAP, "StockholdersEquity", Figure::Equity),
];

/// Whether a concept with this local name can be a figure. Other facts are skipped early.
pub(super) fn may_be_figure(local: &str) -> bool {
    CONCEPTS.iter().any(|(_, name, _)| *name == local)
}

/// The figure of a concept and the rank of the concept; the smallest rank is used.
pub(super) fn figure(namespace: &str, local: &str) -> Option<(Figure, usize)> {
    CONCEPTS
        .iter()
        .enumerate()
        .find(|(_, (taxonomy, name, _))| *name == local && namespace.contains(taxonomy.0))
        .map(|(rank, (_, _, figure))| (*figure, rank))
}

/// A fact about the whole group, not about a segment.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Observation {
    pub(super) figure: Figure,
    /// Rank of the concept; the smallest rank of a figure is used.
    pub(super) rank: usize,
    /// In ten-thousandths.
    pub(super) value: i64,
    /// Number of exact decimals. The most precise fact of a figure is used.
    pub(super) decimals: i32,
    /// ISO 4217. Absent if the value is not an amount.
    pub(super) currency: Option<String>,
    /// First day. Absent for a fact about a point in time.
    pub(super) start: Option<Date>,
    /// Last day.
    pub(super) end: Date,
}

impl Observation {
    /// Whether the period is a full year: 52 or 53 weeks, or twelve months.
    fn is_of_a_year(&self) -> bool {
        let days = |start: Date| self.end.since(start).map_or(0, |it| it.get_days());
        self.start.is_some_and(|start| (350..=380).contains(&days(start)))
    }
}

/// The report with the figures of the last full year. Figures with contradicting facts are left out.
pub(super) fn report(observations: Vec<Observation>) -> Result<Report, String> {
    let end = observations.iter().filter(|it| it.is_of_a_year()).map(|it| it.end).max();
    let end = end.ok_or("contains no figure of a full year")?;
    let mut by_figure: BTreeMap<Figure, Vec<Observation>> = BTreeMap::new();
    for it in observations {
        let is_of_period = it.end == end && (it.start.is_none() || it.is_of_a_year());
        // An amount without currency or a head count with currency has another meaning.
        if is_of_period && it.currency.is_none() == (it.figure == Figure::Employees) {
            by_figure.entry(it.figure).or_default().push(it);
        }
    }
    let agreed_values: BTreeMap<Figure, Observation> = by_figure
        .into_iter()
        .filter_map(|(figure, candidates)| Some((figure, agreed(candidates)?)))
        .collect();
    let currencies: BTreeSet<&String> =
        agreed_values.values().filter_map(|it| it.currency.as_ref()).collect();
    if currencies.len() > 1 {
        let all: Vec<&str> = currencies.into_iter().map(String::as_str).collect();
        return Err(format!("the figures are in several currencies: {}", all.join(" and ")));
    }
    let amount =
        |figure| agreed_values.get(&figure).map(|it| Amount::from_ten_thousandths(it.value));
    let employees = agreed_values.get(&Figure::Employees).map(|it| it.value / 10_000);
    Ok(Report {
        report_type: "annual".into(),
        fiscal_year: end.year(),
        period_end: Some(end),
        currency: currencies.first().map(|it| (*it).clone()),
        revenue: amount(Figure::Revenue),
        operating_income: amount(Figure::OperatingIncome),
        net_income: amount(Figure::NetIncome),
        total_assets: amount(Figure::TotalAssets),
        equity: amount(Figure::Equity),
        employees: employees.and_then(|it| it.try_into().ok()),
        source_url: None,
        publication_date: None,
        description: None,
    })
}

/// The most precise value of the concept with the smallest rank. `None` if values of that precision
/// contradict each other.
fn agreed(mut candidates: Vec<Observation>) -> Option<Observation> {
    let rank = candidates.iter().map(|it| it.rank).min()?;
    candidates.retain(|it| it.rank == rank);
    let decimals = candidates.iter().map(|it| it.decimals).max()?;
    candidates.retain(|it| it.decimals == decimals);
    let first = candidates.pop()?;
    let is_equal = |it: &Observation| (it.value, &it.currency) == (first.value, &first.currency);
    candidates.iter().all(is_equal).then_some(first)
}

/// The company of a report, from its identifier and the identifier's scheme.
pub(super) fn entity(scheme: &str, identifier: &str) -> Result<Mention, String> {
    if scheme.contains("iso/17442") {
        let lei: Lei = identifier.parse().map_err(|it| format!("entity: {it}"))?;
        return Ok(Mention::Lei(lei));
    }
    if identifier.trim().starts_with("CHE") {
        return identifier.parse().map(Mention::Uid).map_err(|it| format!("entity: {it}"));
    }
    Err(format!("entity: `{identifier}` of `{scheme}` is neither an LEI nor a UID"))
}

/// A decimal number times a power of ten, in ten-thousandths. `None` if the result is not exact or does
/// not fit.
pub(super) fn scaled(number: &str, power: i32) -> Option<i64> {
    let (negative, digits) = match number.trim().strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, number.trim()),
    };
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (digits, 0),
    };
    let (units, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let decimals = decimals.trim_end_matches('0');
    let all: String = [units, decimals].concat();
    if all.is_empty() || all.len() > 30 || !all.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let length = i32::try_from(decimals.len()).ok()?;
    let exponent = power.checked_add(exponent)?.checked_add(4)?.checked_sub(length)?;
    let value: i128 = all.parse().ok()?;
    let factor = 10_i128.checked_pow(exponent.unsigned_abs())?;
    let value = match exponent >= 0 {
        true => value.checked_mul(factor)?,
        false if value % factor == 0 => value / factor,
        false => return None,
    };
    i64::try_from(if negative { -value } else { value }).ok()
}
