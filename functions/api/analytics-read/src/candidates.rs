//! Companies that may need an auditor.

use analytics::candidates::{Candidate, Candidates, Order, needs};
use axum::{extract::State, response::IntoResponse};
use columns::Tables;
use domain::{
    AuditorCategory, Canton, Company, Uid,
    search::{CompanyFilters, Page, PageNumber, PageSize},
};
use http_service::{Description, Filtered, Offset, Paginator, Routes, Tenant, handler, reads};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};

use crate::{
    audit::{AuditDuty, EstimatedSize, PartOfScore, Ranked, Wanted},
    features::rounded,
    names::WantedOrder,
    selection::{Population, Selection},
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(15).translated(), handler!(audit_candidates))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct CandidatesQuery {
    /// Sort order: `score` (default), `shareCapital` in francs, `auditorTenure` or `changeCount`.
    #[serde(alias = "sort_by")]
    #[param(inline, value_type = Option<WantedOrder>, example = "score")]
    sort_by: Option<WantedOrder>,
    /// `false`: ascending. Companies without the value come last in either direction.
    #[serde(alias = "sort_desc")]
    #[param(value_type = Option<bool>, default = true, example = true)]
    sort_desc: Option<bool>,
    /// Page number, starting at 1. Pages after the last one are empty.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    page: PageNumber,
    /// Maximum number of items per page, 1 to 100.
    #[serde(default, alias = "page_size")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    page_size: PageSize,
    /// Number of items of the page to skip. Do not compute it: use the URL in the header `Link`.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 0, maximum = 4294967295_u32, default = 0, example = 0)]
    offset: Offset,
}

/// A company that may need an auditor.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AuditCandidate {
    /// Company number.
    uid: Uid,
    /// Name of the company.
    name: String,
    /// Canton of the seat.
    canton: Option<Canton>,
    /// Legal form, in German.
    #[schema(example = "Aktiengesellschaft")]
    legal_form: Option<String>,
    /// Nominal capital in `currency`.
    share_capital: Option<f64>,
    /// Currency of the capital.
    currency: Option<String>,
    /// Name of the current auditor.
    auditor_name: Option<String>,
    /// Category of the current auditor.
    auditor_category: Option<AuditorCategory>,
    /// Number of known changes.
    change_count: u32,
    /// Sum of the points in `scoreParts`.
    score: i32,
    /// What the score consists of.
    score_parts: Vec<PartOfScore>,
    /// What deserves attention, such as `long_tenure`.
    risk_indicators: Vec<&'static str>,
    /// Years since the appointment of the auditor. Absent if no auditor is known, or the day of the appointment.
    auditor_tenure_years: Option<f64>,
    /// The audit that the law requires today.
    audit_duty: AuditDuty,
    /// Estimated size. Absent if nothing is known to estimate it from.
    size: Option<EstimatedSize>,
}

/// List candidates for an audit
///
/// The selected companies of which the law requires an audit, or may require one, with a score: no known auditor, a long tenure, the
/// size, and recent changes. The score is a rule of this service. Scores are those of the generation in the header
/// `x-data-generation`; name, capital and auditor are current. Without a status in the filters, companies that are in the register are
/// selected.
#[utoipa::path(
    get,
    path = "/v1/analytics/candidates",
    tag = "Analytics",
    params(CandidatesQuery, CompanyFilters),
    responses((
        status = OK,
        body = Page<AuditCandidate>,
        links(
            ("company" = (
                operation_id = "company",
                parameters(("uid" = "$response.body#/items/0/uid")),
                description = "The first company on the page."
            )),
        ),
    )),
)]
async fn audit_candidates(
    State(state): State<crate::State>,
    tenant: Option<Tenant>,
    Filtered(query, filters): Filtered<CandidatesQuery>,
    paginator: Paginator,
) -> Result<impl IntoResponse, Problem> {
    let today = state.clock.today().into();
    let order = query.sort_by.map_or(Order::Score, |it| it.0);
    let descending = query.sort_desc.unwrap_or(true);
    let selection =
        Selection::read(&state, tenant, filters, Population::Registered, needs()).await?;
    let wanted = Wanted { page: query.page, page_size: query.page_size, offset: query.offset };
    let ranked = selection
        .analyse(move |Tables { companies, changes, .. }, rows| {
            let candidates = Candidates::new(companies, changes, today);
            let found = candidates.ranked(rows, order, descending)?;
            Ok(Ranked::new(&found, wanted, |it| candidates.of(it)))
        })
        .await?;
    ranked.answer(&state, &selection, &paginator, item).await
}

fn item(company: Company, candidate: Candidate) -> AuditCandidate {
    AuditCandidate {
        uid: company.uid,
        name: company.name,
        canton: company.canton,
        legal_form: company.legal_form,
        share_capital: company.share_capital.map(|it| it.approximate()),
        currency: company.currency,
        auditor_name: company.auditor_name,
        auditor_category: company.auditor_category,
        change_count: candidate.changes,
        score: candidate.score,
        score_parts: candidate.parts.into_iter().map(PartOfScore::from).collect(),
        risk_indicators: candidate.indicators,
        auditor_tenure_years: candidate.tenure_years.map(|it| rounded(it, 1)),
        audit_duty: candidate.duty.into(),
        size: candidate.size.map(EstimatedSize::from),
    }
}
