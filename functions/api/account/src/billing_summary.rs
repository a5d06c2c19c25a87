//! What a team uses, for its bill.

use access::Tier;
use axum::{Json, extract::State};
use http_service::{Description, NoParameters, Query, Routes, Tenant, handler, reads};
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::credits::Credits;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(0).with_token(), handler!(billing_summary))
}

/// What a team uses.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BillingSummary {
    /// Tier of the team.
    tier: Tier,
    /// Members of the team, those who joined first come first.
    members: Vec<MemberUsage>,
    /// Number of requests left in the current windows, all rate groups together.
    credit_balance: u32,
    /// Number of requests allowed in the current windows, all rate groups together.
    monthly_credits: u32,
    /// Number of requests made in the current windows.
    used_this_month: u32,
}

/// What a member uses.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MemberUsage {
    /// Id of the user.
    #[schema(example = "0199c0de-0ac1-7000-8000-000000000000")]
    user_id: String,
    /// Name of the user. Absent if none was set.
    name: Option<String>,
    /// Always 0: requests are counted for the team, not for its members.
    credits_used: u32,
}

/// Get the billing summary
///
/// Tier, members and requests of the team. The figures in credits are those of `GET /v1/credits/balance`. Test keys see no
/// members: a sandbox has none.
#[utoipa::path(
    get,
    path = "/v1/teams/me/billing-summary",
    tag = "Billing",
    responses((status = OK, body = BillingSummary)),
)]
async fn billing_summary(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<Json<BillingSummary>, Problem> {
    let credits = Credits::of(&state, &caller, state.clock.now()).await?;
    let members = state.tenants.members(&team).await?;
    let usage = members.into_iter().map(|(_, user)| MemberUsage {
        user_id: user.id,
        name: user.name,
        credits_used: 0,
    });
    Ok(Json(BillingSummary {
        tier: caller.tier(),
        members: usage.collect(),
        credit_balance: credits.left(),
        monthly_credits: credits.allowed(),
        used_this_month: credits.used(),
    }))
}
