//! Groups of companies and their figures.

use analytics::{
    Day,
    cohorts::{Cohort, Metric, Question, cohorts as figures},
    groups::{Group, GroupBy},
};
use axum::{Json, extract::State, response::IntoResponse};
use domain::search::CompanyFilters;
use http_service::{Description, Filtered, Routes, Tenant, handler, reads};
use jiff::civil::Date;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};

use crate::{
    coverage,
    names::{WantedGroupBy, WantedMetric},
    selection::{Population, Search, Selection},
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(20), handler!(cohorts))
}

/// The probability with which an interval contains the true value.
const CONFIDENCE: f64 = 0.95;

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct CohortsQuery {
    /// By what companies are grouped, as they are today: `canton` (default), `industry` (NOGA division), `legalForm`, or `year` or
    /// `quarter` of the first entry in the register, or else of the foundation.
    #[serde(alias = "group_by")]
    #[param(inline, value_type = Option<WantedGroupBy>, example = "canton")]
    group_by: Option<WantedGroupBy>,
    /// The figure of each group: `count` (default), the number of companies; `registrations`, those first entered in the period;
    /// `survival`, the estimated part of companies that are not dissolved within five years (Kaplan–Meier); `dissolutionRate`,
    /// dissolutions a hundred company-years in the period; `medianCapital` in francs; `changesPerCompany`, the mean number of
    /// changes published in the period.
    #[param(inline, value_type = Option<WantedMetric>, example = "count")]
    metric: Option<WantedMetric>,
    /// First day of the period. Default: the first of 365 days up to `until`; for `registrations` by `year` or `quarter`: no limit.
    #[param(value_type = Option<String>, format = Date, example = "2024-01-01")]
    since: Option<Date>,
    /// Last day of the period. Default: today.
    #[param(value_type = Option<String>, format = Date, example = "2024-12-31")]
    until: Option<Date>,
}

/// Groups of companies with a figure each.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Cohorts {
    /// The groups, sorted; `Unknown` last.
    cohorts: Vec<CohortEntry>,
    /// By what companies are grouped.
    #[schema(example = "canton")]
    group_by: String,
    /// The figure.
    #[schema(example = "count")]
    metric: String,
    /// Probability with which the intervals from `low` to `high` contain the true value.
    #[schema(example = 0.95)]
    confidence: f64,
    /// Since when the register is known. Absent if that cannot be said.
    data_coverage_note: Option<String>,
    /// The list of all selected companies.
    companies_url: String,
}

/// A group of companies with its figure.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CohortEntry {
    /// Code of the canton, English name of the division, German name of the legal form, year (`2026`) or quarter (`2026-Q1`), or
    /// `Unknown`.
    #[schema(example = "ZH")]
    group: String,
    /// Number of selected companies in the group, for every figure.
    count: usize,
    /// The figure.
    #[schema(example = "count")]
    metric: &'static str,
    /// Value of the figure. Absent if too few companies have the values that it needs.
    value: Option<f64>,
    /// Lower end of the interval. Absent for complete counts, and if the companies are too few for one.
    low: Option<f64>,
    /// Upper end of the interval. Absent for complete counts, and if the companies are too few for one.
    high: Option<f64>,
    /// Number of companies of the group that are left out of the figure, because a value is not known.
    unknown: usize,
    /// Survival after 1, 3, 5 and 10 years, where at least 20 companies are that old. Absent for other figures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    survival: Vec<SurvivalPoint>,
    /// The list of the companies of the group. Absent if no search can find exactly them.
    companies_url: Option<String>,
}

/// The part of companies that is not dissolved after some years.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SurvivalPoint {
    /// Years since the first entry in the register.
    years: u8,
    /// Estimated part, 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    value: f64,
    /// Lower end of the interval.
    low: f64,
    /// Upper end of the interval.
    high: f64,
    /// Number of companies that are known at this age.
    at_risk: u32,
}

/// Compare groups of companies
///
/// A figure of each group of the selected companies. Groups are those of the present records. Without a status in the filters,
/// companies that are in the register are selected; for `registrations`, `survival` and `dissolutionRate` deleted ones, too, because
/// beginnings and ends are the subject. A deletion after a merger, a demerger or a move abroad is no dissolution. Survival follows
/// each company from the day from which deletions are known, so that companies that were deleted before do not distort it; the period
/// of `dissolutionRate` begins on that day, if it is later. If no such day is known, both have no value.
#[utoipa::path(
    get,
    path = "/v1/analytics/cohorts",
    tag = "Analytics",
    params(CohortsQuery, CompanyFilters),
    responses((status = OK, body = Cohorts)),
)]
async fn cohorts(
    State(state): State<crate::State>,
    tenant: Option<Tenant>,
    Filtered(query, filters): Filtered<CohortsQuery>,
) -> Result<impl IntoResponse, Problem> {
    let today: Day = state.clock.today().into();
    let by = query.group_by.map_or(GroupBy::Canton, |it| it.0);
    let metric = query.metric.map_or(Metric::Count, |it| it.0);
    let mut question = Question {
        by,
        metric,
        since: query.since.map(Day::from),
        until: query.until.map(Day::from),
        today,
        deletions_known_from: None,
    };
    let population = match metric.is_about_deleted_companies() {
        true => Population::All,
        false => Population::Registered,
    };
    let needs = question.needs();
    let selection = Selection::read(&state, tenant, filters, population, needs).await?;
    question.deletions_known_from = coverage::deletions_known_from(&selection.generation.manifest);
    let found = selection
        .analyse(move |tables, rows| figures(&tables.companies, &tables.changes, rows, &question))
        .await?;
    let entry = |it| CohortEntry::of(it, metric, &selection.search);
    let answer = Cohorts {
        cohorts: found.into_iter().map(entry).collect(),
        group_by: by.name().to_owned(),
        metric: metric.name().to_owned(),
        confidence: CONFIDENCE,
        data_coverage_note: coverage::note(&selection.generation.manifest),
        companies_url: selection.search.companies(),
    };
    Ok((selection.generation.header(), Json(answer)))
}

impl CohortEntry {
    fn of(cohort: Cohort, metric: Metric, search: &Search) -> Self {
        let point = |(years, it): (u8, analytics::survival::Point)| SurvivalPoint {
            years,
            value: it.survival.value,
            low: it.survival.low,
            high: it.survival.high,
            at_risk: it.at_risk,
        };
        Self {
            group: Group::label(cohort.group),
            count: cohort.count,
            metric: metric.name(),
            value: cohort.value,
            low: cohort.interval.map(|it| it.0),
            high: cohort.interval.map(|it| it.1),
            unknown: cohort.unknown,
            survival: cohort.survival.into_iter().map(point).collect(),
            companies_url: search.of_group(cohort.group),
        }
    }
}
