//! What both forms of XBRL have in common: which concepts are figures of ours, and which of the many
//! facts of a report is the figure.

use std::collections::{BTreeMap, BTreeSet};

use domain::Amount;
use jiff::civil::Date;
use statements::{Lei, reports::Report};

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

/// Who defines a concept, by what its namespace holds.
#[derive(Clone, Copy)]
struct Taxonomy(&'static str);

const IFRS: Taxonomy = Taxonomy("xbrl.ifrs.org/taxonomy/");
const US_GAAP: Taxonomy = Taxonomy("fasb.org/us-gaap/");

/// The concepts that are a figure without doubt. Of two for one figure, the first that a report has.
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

/// Whether a concept of this local name, in whatever namespace, can be a figure: what else a report
/// holds is passed over.
pub(super) fn may_be_figure(local: &str) -> bool {
    CONCEPTS.iter().any(|(_, name, _)| *name == local)
}

/// The figure that a concept is, and its place among those that are the same.
pub(super) fn figure(namespace: &str, local: &str) -> Option<(Figure, usize)> {
    CONCEPTS
        .iter()
        .enumerate()
        .find(|(_, (taxonomy, name, _))| *name == local && namespace.contains(taxonomy.0))
        .map(|(rank, (_, _, figure))| (*figure, rank))
}

/// A fact of a report: of the whole group, not of a segment.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Observation {
    pub(super) figure: Figure,
    /// Its place among the concepts that are the same figure.
    pub(super) rank: usize,
    /// In ten-thousandths.
    pub(super) value: i64,
    /// How many decimals are exact; the most stands for all.
    pub(super) decimals: i32,
    /// ISO 4217; absent of a number that is no amount.
    pub(super) currency: Option<String>,
    /// Absent of what holds at a moment.
    pub(super) start: Option<Date>,
    /// The last day.
    pub(super) end: Date,
}

impl Observation {
    /// A year of 52 or 53 weeks, or twelve months.
    fn is_of_a_year(&self) -> bool {
        let days = |start: Date| self.end.since(start).map_or(0, |it| it.get_days());
        self.start.is_some_and(|start| (350..=380).contains(&days(start)))
    }
}

/// The report that these facts make: the figures of the last full year. Facts that contradict each
/// other tell nothing, so that their figure is left out.
pub(super) fn report(observations: Vec<Observation>) -> Result<Report, String> {
    let end = observations.iter().filter(|it| it.is_of_a_year()).map(|it| it.end).max();
    let end = end.ok_or("there is no figure of a whole year")?;
    let mut by_figure: BTreeMap<Figure, Vec<Observation>> = BTreeMap::new();
    for it in observations {
        let is_of_period = it.end == end && (it.start.is_none() || it.is_of_a_year());
        // An amount without a currency, or a head count with one, is something else.
        if is_of_period && it.currency.is_none() == (it.figure == Figure::Employees) {
            by_figure.entry(it.figure).or_default().push(it);
        }
    }
    let chosen: BTreeMap<Figure, Observation> = by_figure
        .into_iter()
        .filter_map(|(figure, candidates)| Some((figure, agreed(candidates)?)))
        .collect();
    let currencies: BTreeSet<&String> =
        chosen.values().filter_map(|it| it.currency.as_ref()).collect();
    if currencies.len() > 1 {
        let all: Vec<&str> = currencies.into_iter().map(String::as_str).collect();
        return Err(format!(
            "the figures are in {}: which is the report's own is not told",
            all.join(" and ")
        ));
    }
    let amount = |figure| chosen.get(&figure).map(|it| Amount::from_ten_thousandths(it.value));
    let employees = chosen.get(&Figure::Employees).map(|it| it.value / 10_000);
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

/// The most exact value of the first concept, if all that are as exact agree.
fn agreed(mut candidates: Vec<Observation>) -> Option<Observation> {
    let rank = candidates.iter().map(|it| it.rank).min()?;
    candidates.retain(|it| it.rank == rank);
    let decimals = candidates.iter().map(|it| it.decimals).max()?;
    candidates.retain(|it| it.decimals == decimals);
    let first = candidates.pop()?;
    let alike = |it: &Observation| (it.value, &it.currency) == (first.value, &first.currency);
    candidates.iter().all(alike).then_some(first)
}

/// The company of a report by its identifier and the scheme of that.
pub(super) fn entity(scheme: &str, identifier: &str) -> Result<Mention, String> {
    if scheme.contains("iso/17442") {
        let lei: Lei = identifier.parse().map_err(|it| format!("entity: {it}"))?;
        return Ok(Mention::Lei(lei));
    }
    if identifier.trim().starts_with("CHE") {
        return identifier.parse().map(Mention::Uid).map_err(|it| format!("entity: {it}"));
    }
    Err(format!("entity: `{identifier}` of `{scheme}` is neither a LEI nor a company number"))
}

/// A number in plain decimals times a power of ten, in ten-thousandths. `None` where that is not
/// exact, or beyond every balance sheet.
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
