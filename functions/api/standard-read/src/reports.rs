//! Figures from the annual reports of a company.

use std::collections::HashMap;

use axum::{Json, extract::State, response::IntoResponse};
use company_reader::known_company;
use domain::{
    Amount, Provenance, Source, Uid,
    fingerprint::Figures,
    statements::{Statement, reports::Report},
};
use facts::Fact;
use http_service::{
    CompanyPath, Description, OffsetQuery, Paginator, Path, Query, Routes, Selection, handler,
    reads,
};
use jiff::{Timestamp, civil::Date};
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(5), handler!(company_reports))
}

/// An annual or interim report of a company. Figures are taken from the report, never computed. Figures that the
/// report does not contain are absent.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CompanyReport {
    /// Id of the report. It stays the same when the report is corrected.
    id: Uuid,
    /// Kind of report: `annual`, or another kind as its file states it.
    #[schema(example = "annual")]
    report_type: String,
    /// Year in which the reporting period ends.
    fiscal_year: i16,
    /// Last day of the reporting period. Absent if unknown.
    period_end: Option<Date>,
    /// Description of the report. Absent if there is none.
    description: Option<String>,
    /// URL of the report at its publisher. Absent if unknown.
    source_url: Option<String>,
    /// Date of publication. Absent if unknown.
    publication_date: Option<Date>,
    /// Currency of all amounts (ISO 4217). Absent if unknown.
    #[schema(example = "CHF")]
    currency: Option<String>,
    /// Revenue in units of the currency.
    revenue: Option<Amount>,
    /// Operating profit or loss (EBIT) in units of the currency.
    operating_income: Option<Amount>,
    /// Net income in units of the currency, including the share of minority shareholders.
    net_income: Option<Amount>,
    /// Total assets in units of the currency.
    total_assets: Option<Amount>,
    /// Equity in units of the currency.
    equity: Option<Amount>,
    /// Number of employees.
    employees: Option<u32>,
    /// Time when the figures were read from the report. Absent if unknown.
    parsed_at: Option<Timestamp>,
    /// Source of the report.
    provenance: Provenance,
}

/// The UUID namespace of report ids.
const REPORTS: Uuid = Uuid::from_u128(0x91c3_2f7d_48e6_5ab0_b6d5_2a14_e093_7c58);

impl CompanyReport {
    fn of(uid: Uid, report: &Report, fact: &Fact) -> Self {
        let Period(kind, year, end) = period(report);
        let end = end.map(|it| it.to_string()).unwrap_or_default();
        let report = report.clone();
        Self {
            id: Uuid::new_v5(&REPORTS, format!("{uid}|{kind}|{year}|{end}").as_bytes()),
            report_type: report.report_type,
            fiscal_year: report.fiscal_year,
            period_end: report.period_end,
            description: report.description,
            source_url: report.source_url,
            publication_date: report.publication_date,
            currency: report.currency,
            revenue: report.revenue,
            operating_income: report.operating_income,
            net_income: report.net_income,
            total_assets: report.total_assets,
            equity: report.equity,
            employees: report.employees,
            parsed_at: fact.read_at,
            provenance: fact.provenance(),
        }
    }
}

/// The key of a report: reports with the same key are versions of one report.
#[derive(PartialEq, Eq, Hash)]
struct Period<'a>(&'a str, i16, Option<Date>);

fn period(report: &Report) -> Period<'_> {
    Period(&report.report_type, report.fiscal_year, report.period_end)
}

/// The newest version of each report among the facts of a company, latest period first.
pub(crate) fn newest_reports(facts: &[Fact]) -> Vec<(&Report, &Fact)> {
    let reports = facts.iter().filter_map(|fact| match &fact.statement {
        Statement::Report(report) => Some((&**report, fact)),
        _ => None,
    });
    let mut newest: HashMap<Period, (&Report, &Fact)> = HashMap::new();
    for (report, fact) in reports {
        let known = newest.entry(period(report)).or_insert((report, fact));
        if fact.order() > known.1.order() {
            *known = (report, fact);
        }
    }
    let mut newest: Vec<_> = newest.into_values().collect();
    let latest = |it: &Report| (it.fiscal_year, it.period_end);
    newest.sort_by(|(one, by), (other, of)| {
        latest(other).cmp(&latest(one)).then_with(|| of.order().cmp(&by.order()))
    });
    newest
}

/// The figures of the latest report that contains revenue or net income.
pub(crate) fn newest_figures(facts: &[Fact]) -> Option<Figures> {
    let reports = newest_reports(facts).into_iter();
    let mut with_income = reports.filter(|(it, _)| it.revenue.is_some() || it.net_income.is_some());
    with_income.next().map(|(report, fact)| Figures {
        fiscal_year: report.fiscal_year,
        currency: report.currency.clone(),
        revenue: report.revenue,
        net_income: report.net_income,
        source: fact.provenance(),
    })
}

/// List a company's reports
///
/// Annual and interim reports of a company with their published figures, latest fiscal year first. If the list is too
/// large for one response, the header `Link` contains the URL of the rest.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/reports",
    tag = "News and reports",
    params(CompanyPath, OffsetQuery),
    responses((status = OK, body = Vec<CompanyReport>)),
)]
async fn company_reports(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(OffsetQuery { offset }): Query<OffsetQuery>,
    paginator: Paginator,
) -> Result<impl IntoResponse, Problem> {
    known_company(&state.registry, uid).await?;
    let facts = state.registry.facts_of(uid, Source::Reports).await?;
    let reports = newest_reports(&facts);
    let selection = Selection::list(offset, reports.len());
    let reports = reports[selection.range.clone()].iter();
    let reports = reports.map(|(report, fact)| CompanyReport::of(uid, report, fact));
    let (reports, next) = paginator.fit(&state.public_url, &selection, reports);
    Ok((next, Json(reports)))
}
