//! Who audits companies.

use analytics::{
    Window,
    audit_market::{Auditor, Market, Share, market, needs},
    columns::Firms,
    groups::{Group, UNKNOWN},
};
use axum::{Json, extract::State, response::IntoResponse};
use columns::Tables;
use domain::{
    AuditorCategory, Uid,
    fingerprint::SizeCategory,
    search::{CompanyFilters, SizeOfPage},
};
use http_service::{Description, Filtered, Routes, Tenant, handler, reads};
use jiff::civil::Date;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};

use crate::selection::{Population, Search, Selection};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(15), handler!(auditor_market))
}

/// Number of other firms that an answer names of each.
const OTHERS: usize = 20;

/// Days whose changes of auditors count if a request names none.
const DAYS: u16 = 365;

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct AuditorMarketQuery {
    /// Maximum number of firms.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 500, default = 50, example = 20)]
    limit: SizeOfPage<50, 500>,
    /// First day of the changes between firms (`gainedFrom`, `lostTo`). Default: 365 days ago, with today.
    #[param(value_type = Option<String>, format = Date, example = "2024-01-01")]
    since: Option<Date>,
}

/// The companies of an audit firm.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AuditorMarketShare {
    /// Name of the firm. `None`: companies without an audit, because the limited audit was waived or the foundation is exempt.
    /// `Unknown`: companies whose auditor no source states.
    auditor_name: String,
    /// Company number of the firm. Absent if no source states it.
    auditor_uid: Option<Uid>,
    /// Category of the firm. Absent if the auditor is not known.
    auditor_category: Option<AuditorCategory>,
    /// Number of companies that it audits.
    company_count: u32,
    /// Percentage of the companies with a known audit firm. 0 for `None` and `Unknown`.
    #[schema(minimum = 0, maximum = 100)]
    percentage: f64,
    /// Percentage of all selected companies.
    #[schema(minimum = 0, maximum = 100)]
    percentage_of_all: f64,
    /// These companies by canton, the largest groups first.
    by_canton: Vec<CountOfCanton>,
    /// These companies by estimated size, the smallest first, as in the fingerprint.
    by_size: Vec<CountOfSize>,
    /// Firms from which companies changed to this one since `since`, those with the most changes first, at most 20.
    gained_from: Vec<CountOfFirm>,
    /// Firms to which companies changed from this one since `since`, those with the most changes first, at most 20.
    lost_to: Vec<CountOfFirm>,
    /// The list of these companies. Absent if no company number of the firm is known: a search by name would also find companies
    /// whose auditor has the same name and a number.
    companies_url: Option<String>,
}

/// A number of companies in a canton.
#[derive(Serialize, ToSchema)]
struct CountOfCanton {
    /// Code of the canton of the seat, or `Unknown`.
    canton: String,
    /// Number of companies.
    count: u32,
}

/// A number of companies of a size.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
struct CountOfSize {
    /// Estimated size. Absent if nothing is known to estimate it from.
    size: Option<SizeCategory>,
    /// Number of companies.
    count: u32,
}

/// A number of changes from or to a firm.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CountOfFirm {
    /// Name of the other firm.
    auditor_name: String,
    /// Number of changes.
    count: u32,
}

/// Get the market shares of audit firms
///
/// The audit firms of the selected companies, those with the most mandates first; then the companies without an audit and those whose
/// auditor is not known. Firms with a company number are the same if their numbers are, others if their names are; branches with
/// numbers of their own count for themselves. Without a status in the filters, companies that are in the register are counted.
#[utoipa::path(
    get,
    path = "/v1/analytics/auditors",
    tag = "Analytics",
    params(AuditorMarketQuery, CompanyFilters),
    responses((status = OK, body = Vec<AuditorMarketShare>)),
)]
async fn auditor_market(
    State(state): State<crate::State>,
    tenant: Option<Tenant>,
    Filtered(query, filters): Filtered<AuditorMarketQuery>,
) -> Result<impl IntoResponse, Problem> {
    let today = state.clock.today().into();
    let selection =
        Selection::read(&state, tenant, filters, Population::Registered, needs()).await?;
    let window = match query.since {
        Some(since) => Window { since: since.into(), until: today },
        None => Window::last(DAYS, today),
    };
    let limit = query.limit.get() as usize;
    let found = selection
        .analyse(move |Tables { companies, changes, firms }, rows| {
            market(companies, changes, firms, rows, window, limit)
        })
        .await?;
    let Market { shares, .. } = found;
    let firms = &selection.tables.firms;
    let share = |it| AuditorMarketShare::of(it, firms, &selection.search);
    let answer: Vec<AuditorMarketShare> = shares.into_iter().map(share).collect();
    Ok((selection.generation.header(), Json(answer)))
}

impl AuditorMarketShare {
    fn of(share: Share, firms: &Firms, search: &Search) -> Self {
        let (name, uid) = match share.auditor {
            Auditor::Firm(id) => {
                let firm = firms.get(id);
                (firm.name.clone(), firm.key.parse().ok())
            }
            Auditor::None => (AuditorCategory::None.name().to_owned(), None),
            Auditor::Unknown => (UNKNOWN.to_owned(), None),
        };
        let others = |counts: Vec<(analytics::FirmId, u32)>| {
            let other =
                |(id, count)| CountOfFirm { auditor_name: firms.get(id).name.clone(), count };
            counts.into_iter().take(OTHERS).map(other).collect()
        };
        let of_canton =
            |(group, count): (Group, u32)| CountOfCanton { canton: group.label(), count };
        Self {
            companies_url: uid.and_then(|it: Uid| search.narrowed(&[("auditor", it.to_string())])),
            auditor_name: name,
            auditor_uid: uid,
            auditor_category: share.category,
            company_count: share.companies,
            percentage: share.percentage,
            percentage_of_all: share.percentage_of_all,
            by_canton: share.by_canton.into_iter().map(of_canton).collect(),
            by_size: share
                .by_size
                .into_iter()
                .map(|(size, count)| CountOfSize { size, count })
                .collect(),
            gained_from: others(share.gained_from),
            lost_to: others(share.lost_to),
        }
    }
}
