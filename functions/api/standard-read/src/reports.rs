//! What annual reports say of a company, in figures.

use std::collections::HashMap;

use axum::{Json, extract::State};
use domain::{Amount, Provenance, Uid, fingerprint::Figures};
use http_service::{
    CompanyPath, Description, NoParameters, Path, Query, Routes, handler, known_company, reads,
};
use jiff::{Timestamp, civil::Date};
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use sources::{Fact, Statement, reports::Report};
use utoipa::ToSchema;
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(5), handler!(company_reports))
}

/// A report of a company. A figure that was not read is left out; none is ever computed.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CompanyReport {
    /// The same for ever, though the report is corrected.
    id: Uuid,
    #[schema(example = "annual")]
    report_type: String,
    /// The year in which the period ends.
    fiscal_year: i16,
    /// The last day of the period.
    period_end: Option<Date>,
    description: Option<String>,
    source_url: Option<String>,
    publication_date: Option<Date>,
    /// ISO 4217.
    #[schema(example = "CHF")]
    currency: Option<String>,
    /// In whole units of the currency, as are all amounts.
    revenue: Option<Amount>,
    operating_income: Option<Amount>,
    /// With the share of other shareholders.
    net_income: Option<Amount>,
    total_assets: Option<Amount>,
    equity: Option<Amount>,
    employees: Option<u32>,
    /// When the report was read, as it is answered here.
    parsed_at: Option<Timestamp>,
    /// Where and when it was published.
    provenance: Provenance,
}

/// The namespace of the ids of reports.
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

/// What makes two reports versions of one.
#[derive(PartialEq, Eq, Hash)]
struct Period<'a>(&'a str, i16, Option<Date>);

fn period(report: &Report) -> Period<'_> {
    Period(&report.report_type, report.fiscal_year, report.period_end)
}

/// The reports among the facts of a company, the latest period first; of each its newest version.
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

/// The figures of the latest report that says what a company earned.
pub(crate) fn newest_figures(facts: &[Fact]) -> Option<Figures> {
    let reports = newest_reports(facts).into_iter();
    let mut telling = reports.filter(|(it, _)| it.revenue.is_some() || it.net_income.is_some());
    telling.next().map(|(report, fact)| Figures {
        fiscal_year: report.fiscal_year,
        currency: report.currency.clone(),
        revenue: report.revenue,
        net_income: report.net_income,
        source: fact.provenance(),
    })
}

/// Reports of a company
///
/// The figures of its reports as they were published, the latest fiscal year first.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/reports",
    tag = "News and reports",
    params(CompanyPath),
    responses((status = OK, body = Vec<CompanyReport>)),
)]
async fn company_reports(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<Json<Vec<CompanyReport>>, Problem> {
    known_company(&state.registry, uid).await?;
    let facts = state.registry.facts(uid).await?;
    let reports = newest_reports(&facts);
    let reports = reports.into_iter().map(|(report, fact)| CompanyReport::of(uid, report, fact));
    Ok(Json(reports.collect()))
}
