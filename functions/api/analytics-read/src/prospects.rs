//! Companies that may change their auditor.

use analytics::prospects::{MandateValue, Prospect, Prospects, needs};
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
    names::WantedReadiness,
    selection::{Population, Selection},
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(15), handler!(audit_prospects))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ProspectsQuery {
    /// Smallest `opportunityScore`, 0 to 100.
    #[serde(default, alias = "min_score")]
    #[param(value_type = Option<f64>, minimum = 0, maximum = 100, default = 0, example = 40)]
    min_score: MinScore,
    /// Readiness: `Hot` (a score of at least 70), `Warm` (at least 40) or `Cold`.
    #[serde(alias = "pitch_readiness")]
    #[param(inline, value_type = Option<WantedReadiness>, example = "Warm")]
    pitch_readiness: Option<WantedReadiness>,
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

/// A score from 0 to 100.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(try_from = "f64")]
struct MinScore(f64);

impl TryFrom<f64> for MinScore {
    type Error = String;

    fn try_from(score: f64) -> Result<Self, String> {
        match (0.0..=100.0).contains(&score) {
            true => Ok(Self(score)),
            false => Err(format!("must be between 0 and 100; got `{score}`")),
        }
    }
}

/// A company that may change its auditor.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProspectItem {
    /// Company number.
    company_uid: Uid,
    /// Name of the company.
    company_name: String,
    /// Canton of the seat.
    canton: Option<Canton>,
    /// Name of the current auditor.
    auditor_name: Option<String>,
    /// Category of the current auditor.
    auditor_category: Option<AuditorCategory>,
    /// Years since the appointment of the auditor. Absent if no auditor is known, or the day of the appointment.
    tenure_years: Option<f64>,
    /// How promising the company is.
    #[schema(minimum = 0, maximum = 100)]
    opportunity_score: i32,
    /// What the score consists of.
    score_parts: Vec<PartOfScore>,
    /// `Hot`: a score of at least 70; `Warm`: at least 40; `Cold`.
    #[schema(example = "Warm")]
    pitch_readiness: &'static str,
    /// `High`: the auditor was appointed at least 10 years ago; `Medium`: at least 7; `Low`; `Unknown`.
    #[schema(example = "High")]
    tenure_risk: &'static str,
    /// What the audit may be worth in a year, in francs. Absent if the kind of audit or the size is not known, and if `currency` is
    /// another one: the range states its own.
    estimated_mandate_value: Option<f64>,
    /// The range of the estimate.
    estimated_mandate_range: Option<MandateRange>,
    /// What the estimate is based on.
    estimate_basis: Option<&'static str>,
    /// The audit that the law requires today.
    audit_duty: AuditDuty,
    /// Estimated size. Absent if nothing is known to estimate it from.
    size: Option<EstimatedSize>,
    /// Nominal capital in `currency`.
    share_capital: Option<f64>,
    /// Currency of the capital.
    currency: Option<String>,
}

/// A range of amounts.
#[derive(Serialize, ToSchema)]
struct MandateRange {
    /// Lower end.
    low: f64,
    /// Upper end.
    high: f64,
    /// Currency.
    #[schema(example = "CHF")]
    currency: &'static str,
}

/// List prospects of an audit firm
///
/// The selected companies of which the law requires an audit, the most promising first: a long tenure or no known auditor, the size, and
/// recent changes add to the score, a new auditor takes away from it. Companies in liquidation or in a moratorium are left out. Score
/// and estimate are rules of this service, and those of the generation in the header `x-data-generation`; name, capital and auditor are
/// current. Without a status in the filters, companies that are in the register are selected.
#[utoipa::path(
    get,
    path = "/v1/analytics/prospects",
    tag = "Analytics",
    params(ProspectsQuery, CompanyFilters),
    responses((
        status = OK,
        body = Page<ProspectItem>,
        links(
            ("company" = (
                operation_id = "company",
                parameters(("uid" = "$response.body#/items/0/companyUid")),
                description = "The first company on the page."
            )),
        ),
    )),
)]
async fn audit_prospects(
    State(state): State<crate::State>,
    tenant: Option<Tenant>,
    Filtered(query, filters): Filtered<ProspectsQuery>,
    paginator: Paginator,
) -> Result<impl IntoResponse, Problem> {
    let today = state.clock.today().into();
    let (min_score, readiness) = (query.min_score.0, query.pitch_readiness.map(|it| it.0));
    let selection =
        Selection::read(&state, tenant, filters, Population::Registered, needs()).await?;
    let wanted = Wanted { page: query.page, page_size: query.page_size, offset: query.offset };
    let ranked = selection
        .analyse(move |Tables { companies, changes, .. }, rows| {
            let prospects = Prospects::new(companies, changes, today);
            let found = prospects.ranked(rows, min_score, readiness)?;
            Ok(Ranked::new(&found, wanted, |it| prospects.of(it)))
        })
        .await?;
    ranked.answer(&state, &selection, &paginator, item).await
}

fn item(company: Company, prospect: Prospect) -> ProspectItem {
    let range = |it: &MandateValue| MandateRange {
        low: it.low.approximate(),
        high: it.high.approximate(),
        currency: "CHF",
    };
    ProspectItem {
        company_uid: company.uid,
        company_name: company.name,
        canton: company.canton,
        auditor_name: company.auditor_name,
        auditor_category: company.auditor_category,
        tenure_years: prospect.tenure_years.map(|it| rounded(it, 1)),
        opportunity_score: prospect.score,
        score_parts: prospect.parts.into_iter().map(PartOfScore::from).collect(),
        pitch_readiness: prospect.readiness.name(),
        tenure_risk: prospect.tenure_risk.name(),
        estimated_mandate_range: prospect.value.as_ref().map(range),
        estimate_basis: prospect.value.as_ref().map(|_| MandateValue::BASIS),
        estimated_mandate_value: prospect
            .value
            .filter(|_| company.currency.as_deref().is_none_or(|it| it == "CHF"))
            .map(|it| it.value.approximate()),
        audit_duty: prospect.duty.into(),
        size: prospect.size.map(EstimatedSize::from),
        share_capital: company.share_capital.map(|it| it.approximate()),
        currency: company.currency,
    }
}
