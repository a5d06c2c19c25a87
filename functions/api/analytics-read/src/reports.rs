//! Reports of industries: the list, and the report of one.

use access::RateGroup;
use analytics::{
    Window,
    chart::{Chart, Data},
    columns::Firm,
    groups::UNKNOWN,
    report::{Quarter, RECENT_DAYS, Report},
};
use axum::{Json, extract::State, response::IntoResponse};
use domain::{
    Canton, Company, Status, Uid,
    noga::{DIVISIONS, Industry, SECTIONS},
};
use http_service::{Description, IndustryPath, NoParameters, Path, Query, Routes, handler, reads};
use jiff::Timestamp;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{coverage, features::rounded};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(1).counted_in(RateGroup::StandardRead).translated(), handler!(industries))
        .route(reads(1).counted_in(RateGroup::StandardRead).translated(), handler!(industry_report))
}

/// The search for companies that are in the register.
const REGISTERED: &str = "status=ACTIVE,BEING_CANCELLED";

/// The addresses of the searches that find what a report counts.
struct Links<'a> {
    public_url: &'a str,
    industry: Industry,
}

impl Links<'_> {
    /// The filter of companies and of changes that finds the industry.
    fn filter(&self) -> String {
        let name = match self.industry {
            Industry::Division(_) => "nogaDivision",
            Industry::Section(_) => "nogaSection",
        };
        format!("{name}={}", self.industry.code())
    }

    fn companies(&self, filters: &str) -> String {
        format!("{}/v1/companies?{}&{filters}", self.public_url, self.filter())
    }

    fn changes(&self, days: Window, filters: &str) -> String {
        let Window { since, until } = days;
        let (industry, since, until) = (self.filter(), since.date(), until.date());
        format!("{}/v1/changes?{industry}&since={since}&until={until}{filters}", self.public_url)
    }
}

/// The filters of companies of which something happened on these days.
fn between(event: &str, days: Window) -> String {
    let Window { since, until } = days;
    format!("{event}After={}&{event}Before={}", since.date(), until.date())
}

/// The industries of which there are reports.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Industries {
    /// The divisions of NOGA 2008.
    industries: Vec<IndustrySummary>,
    /// Number of divisions.
    total: usize,
    /// The sections of NOGA 2008, to which divisions belong.
    sections: Vec<IndustrySummary>,
    /// Number of registered companies whose industry is not known.
    unclassified: u32,
}

/// An industry.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct IndustrySummary {
    /// English name.
    #[schema(example = "Financial services")]
    industry: &'static str,
    /// Code: two digits of a division, or the letter of a section.
    #[schema(example = "64")]
    code: String,
    /// Letter of the section.
    #[schema(example = "K")]
    section: char,
    /// Number of companies in the register (`ACTIVE` and `BEING_CANCELLED`).
    company_count: u32,
    /// The list of these companies.
    companies_url: String,
}

/// List industry reports
///
/// The divisions and sections of NOGA 2008 with their number of companies in the register. `/v1/reports/industry/{industry}` has
/// the report of each.
#[utoipa::path(
    get,
    path = "/v1/reports/industries",
    tag = "Analytics",
    responses((status = OK, body = Industries)),
)]
async fn industries(
    State(state): State<crate::State>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let reports = state.reports.of(&generation, state.clock.today()).await?;
    let summary = |industry: Industry| {
        let links = Links { public_url: &state.public_url, industry };
        IndustrySummary {
            industry: industry.name(),
            code: industry.code(),
            section: industry.section(),
            company_count: reports.of(industry).companies,
            companies_url: links.companies(REGISTERED),
        }
    };
    let divisions = DIVISIONS.iter().map(|it| summary(Industry::Division(it)));
    let sections = SECTIONS.iter().map(|it| summary(Industry::Section(it)));
    let answer = Industries {
        industries: divisions.collect(),
        total: DIVISIONS.len(),
        sections: sections.collect(),
        unclassified: reports.unclassified,
    };
    Ok((generation.header(), Json(answer)))
}

/// Figures of an industry.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct IndustryReport {
    /// English name.
    #[schema(example = "Financial services")]
    industry: &'static str,
    /// Code: two digits of a division, or the letter of a section.
    #[schema(example = "64")]
    code: String,
    /// Number of companies in the register (`ACTIVE` and `BEING_CANCELLED`), as they are classified today.
    company_count: u32,
    /// The list of these companies.
    companies_url: String,
    /// Mean capital of those with a capital in francs. Absent if there are none.
    avg_capital: Option<f64>,
    /// Median capital of those with a capital in francs. Absent if there are none.
    median_capital: Option<f64>,
    /// Number of companies with a capital in francs.
    companies_with_capital: u32,
    /// The companies with the largest capital in francs, at most 10.
    top_companies: Vec<TopCompany>,
    /// Companies by canton, the largest groups first.
    canton_distribution: Vec<CountInCanton>,
    /// Companies by status, also deleted ones: their sum is higher than `companyCount`.
    status_distribution: Vec<CountOfStatus>,
    /// Number of companies whose status is not known.
    companies_without_status: u32,
    /// Number of changes published in the last 30 days.
    recent_changes: u32,
    /// The list of these changes.
    recent_changes_url: String,
    /// The auditors with the most companies, at most 10.
    auditor_concentration: Vec<CountOfAuditor>,
    /// Number of companies with a known auditor.
    companies_with_auditor: u32,
    /// What happened in each of the last quarters, the earliest first; the last one has not ended.
    trends: Vec<Trend>,
    /// Charts of these figures.
    charts: Vec<IndustryChart>,
    /// Since when the register is known. Absent if that cannot be said.
    data_coverage_note: Option<String>,
    /// Time at which the generation was built.
    generated_at: Timestamp,
}

/// A company with a large capital.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TopCompany {
    /// Company number.
    uid: Uid,
    /// Name of the company.
    name: String,
    /// Canton of the seat.
    canton: Option<Canton>,
    /// Nominal capital in francs.
    share_capital: Option<f64>,
    /// Status.
    status: Option<Status>,
}

/// A number of companies in a canton.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CountInCanton {
    /// Code of the canton of the seat, or `Unknown`.
    #[schema(example = "ZH")]
    canton: String,
    /// Number of companies.
    count: u32,
    /// The list of these companies. Absent for `Unknown`.
    companies_url: Option<String>,
}

/// A number of companies with a status.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CountOfStatus {
    /// Status.
    status: Status,
    /// Number of companies.
    count: u32,
    /// The list of these companies.
    companies_url: String,
}

/// A number of companies of an auditor.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CountOfAuditor {
    /// Name of the firm.
    auditor_name: String,
    /// Number of companies.
    count: u32,
    /// The list of these companies. Absent if no company number of the firm is known.
    companies_url: Option<String>,
}

/// What happened in a quarter.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Trend {
    /// Quarter.
    #[schema(example = "2026-Q1")]
    quarter: String,
    /// Whether it has ended.
    is_complete: bool,
    /// First entries in the register.
    entries: u32,
    /// The list of the companies that entered.
    entries_url: String,
    /// First entries by canton of the present seat, the largest groups first.
    entries_by_canton: Vec<CountInCanton>,
    /// Deletions other than `otherDeletions`.
    dissolutions: u32,
    /// Deletions after a merger, a demerger or a move abroad.
    other_deletions: u32,
    /// The list of all deleted companies.
    deletions_url: String,
    /// Bankruptcies that were opened.
    bankruptcies: u32,
    /// The list of these changes.
    bankruptcies_url: String,
    /// Increases of the capital in francs.
    capital_increases: u32,
    /// Sum of these increases, in francs.
    capital_increase_sum: f64,
    /// Members of boards and managements who left, in percent of those at the start. Absent if there were none.
    board_turnover: Option<f64>,
    /// Companies that got an auditor and had none.
    auditors_gained: u32,
    /// Companies that lost their auditor without getting another one.
    auditors_lost: u32,
    /// Median age in years of the companies that were registered at the end. Absent if there were none.
    median_age: Option<f64>,
}

/// A chart.
#[derive(Serialize, ToSchema)]
struct IndustryChart {
    /// Identifier.
    #[schema(example = "cantons")]
    id: String,
    /// Title.
    title: String,
    /// The chart as an SVG document.
    svg: String,
    /// The chart in words.
    text: String,
}

/// Get an industry report
///
/// Key figures, largest companies and trends of an industry, from the generation in the header `x-data-generation` and as of today.
/// Figures have links to the searches that find what they count. Companies belong to the industry of their present record.
#[utoipa::path(
    get,
    path = "/v1/reports/industry/{industry}",
    tag = "Analytics",
    params(IndustryPath),
    responses((status = OK, body = IndustryReport)),
)]
async fn industry_report(
    State(state): State<crate::State>,
    Path(path): Path<IndustryPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let industry = path.industry()?;
    let generation = state.generations.serving().await?;
    let today = state.clock.today();
    let reports = state.reports.of(&generation, today).await?;
    let report = reports.of(industry);
    let links = Links { public_url: &state.public_url, industry };
    let companies = state.registry.companies(&report.top).await?;
    let recent = Window::last(RECENT_DAYS, today.into());
    let answer = IndustryReport {
        industry: industry.name(),
        code: industry.code(),
        company_count: report.companies,
        companies_url: links.companies(REGISTERED),
        avg_capital: report.capital.map(|it| it.mean.approximate()),
        median_capital: report.capital.map(|it| it.median),
        companies_with_capital: report.capital.map_or(0, |it| it.companies),
        top_companies: companies.into_iter().map(TopCompany::from).collect(),
        canton_distribution: CountInCanton::all(&report.cantons, &links, REGISTERED),
        status_distribution: report
            .statuses
            .iter()
            .filter_map(|it| CountOfStatus::of(it, &links))
            .collect(),
        companies_without_status: report.without_status(),
        recent_changes: report.recent_changes,
        recent_changes_url: links.changes(recent, ""),
        auditor_concentration: report
            .auditors
            .iter()
            .map(|it| CountOfAuditor::of(it, &links))
            .collect(),
        companies_with_auditor: report.audited,
        trends: report.quarters.iter().map(|it| Trend::of(it, &links)).collect(),
        charts: charts(report).iter().map(IndustryChart::from).collect(),
        data_coverage_note: coverage::note(&generation.manifest),
        generated_at: generation.manifest.built_at,
    };
    Ok((generation.header(), Json(answer)))
}

impl From<Company> for TopCompany {
    fn from(it: Company) -> Self {
        Self {
            uid: it.uid,
            name: it.name,
            canton: it.canton,
            share_capital: it.share_capital.map(|it| it.approximate()),
            status: it.status,
        }
    }
}

impl CountInCanton {
    /// The cantons of companies that also match other filters.
    fn all(counts: &[(Option<Canton>, u32)], links: &Links, filters: &str) -> Vec<Self> {
        let entry = |(canton, count): &(Option<Canton>, u32)| Self {
            canton: code_of(*canton).to_owned(),
            count: *count,
            companies_url: canton
                .map(|it| links.companies(&format!("{filters}&canton={}", it.code()))),
        };
        counts.iter().map(entry).collect()
    }
}

impl CountOfStatus {
    /// `None` for companies whose status is not known.
    fn of((status, count): &(Option<Status>, u32), links: &Links) -> Option<Self> {
        let status = (*status)?;
        let companies_url = links.companies(&format!("status={}", status.name()));
        Some(Self { status, count: *count, companies_url })
    }
}

impl CountOfAuditor {
    fn of((firm, count): &(Firm, u32), links: &Links) -> Self {
        let uid: Option<Uid> = firm.key.parse().ok();
        Self {
            auditor_name: firm.name.clone(),
            count: *count,
            companies_url: uid.map(|it| links.companies(&format!("{REGISTERED}&auditor={it}"))),
        }
    }
}

fn code_of(canton: Option<Canton>) -> &'static str {
    canton.map_or(UNKNOWN, Canton::code)
}

impl Trend {
    fn of(quarter: &Quarter, links: &Links) -> Self {
        Self {
            quarter: quarter.label.clone(),
            is_complete: quarter.is_complete,
            entries: quarter.entries,
            entries_url: links.companies(&between("registered", quarter.days)),
            entries_by_canton: CountInCanton::all(
                &quarter.entries_by_canton,
                links,
                &between("registered", quarter.days),
            ),
            dissolutions: quarter.dissolutions,
            other_deletions: quarter.other_deletions,
            deletions_url: links.companies(&between("deleted", quarter.days)),
            bankruptcies: quarter.bankruptcies,
            bankruptcies_url: links.changes(quarter.days, "&legalEvent=bankruptcy_opened"),
            capital_increases: quarter.capital_increases,
            capital_increase_sum: quarter.capital_increase_sum.approximate(),
            board_turnover: quarter.turnover().map(|it| rounded(it, 1)),
            auditors_gained: quarter.auditors_gained,
            auditors_lost: quarter.auditors_lost,
            median_age: quarter.median_age.map(|it| rounded(it, 1)),
        }
    }
}

/// Cantons, entries and ends by quarter, and the median age.
fn charts(report: &Report) -> Vec<Chart> {
    let positions = || report.quarters.iter().map(|it| it.label.clone()).collect();
    let line = |name: &str, value: fn(&Quarter) -> Option<f64>| {
        (name.to_owned(), report.quarters.iter().map(value).collect())
    };
    let chart = |id: &str, title: &str, unit: &str, data| Chart {
        id: id.to_owned(),
        title: title.to_owned(),
        unit: unit.to_owned(),
        data,
    };
    let bars = report
        .cantons
        .iter()
        .map(|(canton, count)| (code_of(*canton).to_owned(), f64::from(*count)));
    let flows = vec![
        line("Entries", |it| Some(it.entries.into())),
        line("Dissolutions", |it| Some(it.dissolutions.into())),
        line("Bankruptcies", |it| Some(it.bankruptcies.into())),
    ];
    let ages = vec![line("Median age", |it| it.median_age)];
    vec![
        chart("cantons", "Companies by canton", "companies", Data::Bars(bars.collect())),
        chart(
            "flows",
            "Entries, dissolutions and bankruptcies by quarter",
            "companies",
            Data::Lines { positions: positions(), series: flows },
        ),
        chart(
            "age",
            "Median age at the end of the quarter",
            "years",
            Data::Lines { positions: positions(), series: ages },
        ),
    ]
}

impl From<&Chart> for IndustryChart {
    fn from(chart: &Chart) -> Self {
        Self {
            id: chart.id.clone(),
            title: chart.title.clone(),
            svg: chart.svg(),
            text: chart.text(),
        }
    }
}
