//! Figures in credits, for clients of deployments that meter by credits.
//!
//! This deployment limits requests and not credits. The figures are derived from the rate limits: one credit is one
//! request, and a period is the current windows.

use access::{RateGroup, Tier};
use auth::Caller;
use axum::{Json, extract::State};
use domain::search::{Day, PageSize};
use http_service::{Description, NoParameters, Query, Routes, Tenant, handler, reads};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use store::Subject;
use utoipa::{IntoParams, ToSchema};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(credit_balance))
        .route(reads(0).with_token(), handler!(credit_usage))
        .route(reads(0).with_token(), handler!(credit_history))
}

/// Maximum number of entries to skip.
const MAX_OFFSET: u32 = 10_000;

/// The requests of a team in the current windows of the rate groups that its tier includes, with those of teams that share its
/// limits. Without `public`, which is counted by address.
pub(crate) struct Credits {
    groups: Vec<Group>,
}

struct Group {
    name: RateGroup,
    limit: u32,
    used: u32,
    /// Start of the current window.
    start: Timestamp,
}

impl Credits {
    pub(crate) async fn of(
        state: &crate::State,
        caller: &Caller,
        now: Timestamp,
    ) -> Result<Self, Problem> {
        let tier = caller.tier();
        let included = |it: &RateGroup| *it != RateGroup::Public && it.allowance(tier).is_some();
        let names: Vec<RateGroup> = RateGroup::ALL.into_iter().filter(included).collect();
        let used = state.counters.taken(&Subject::of(caller), &names, now).await?;
        let group = |(name, used): (RateGroup, u32)| {
            let limit = name.allowance(tier).map_or(0, |it| it.requests);
            let start = Timestamp::from_second(name.window().start(now)).unwrap_or(now);
            Group { name, limit, used, start }
        };
        Ok(Self { groups: names.into_iter().zip(used).map(group).collect() })
    }

    /// Number of requests allowed.
    pub(crate) fn allowed(&self) -> u32 {
        self.groups.iter().map(|it| it.limit).sum()
    }

    /// Number of requests left.
    pub(crate) fn left(&self) -> u32 {
        self.groups.iter().map(|it| it.limit.saturating_sub(it.used)).sum()
    }

    /// Number of requests made.
    pub(crate) fn used(&self) -> u32 {
        self.groups.iter().map(|it| it.used).sum()
    }
}

/// Credits of a team.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CreditBalance {
    /// Number of requests left in the current windows, all rate groups together.
    balance: u32,
    /// Number of requests allowed in the current windows, all rate groups together.
    monthly_credits: u32,
    /// Number of requests made in the current windows.
    used_this_month: u32,
    /// Tier of the team.
    tier: Tier,
    /// Price of a credit above the allowance. Always 0: requests above the limit are refused.
    overage_rate: f64,
}

/// Get the credit balance
///
/// For clients that expect credits. Requests are limited by rate group and cost no credits, so the figures are derived:
/// one credit is one request, and 'monthly' figures cover the current window of each rate group, not a month.
/// `GET /v1/usage/current` is more precise.
#[utoipa::path(
    get,
    path = "/v1/credits/balance",
    tag = "Usage",
    responses((status = OK, body = CreditBalance)),
)]
async fn credit_balance(
    State(state): State<crate::State>,
    Tenant { caller, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<Json<CreditBalance>, Problem> {
    let credits = Credits::of(&state, &caller, state.clock.now()).await?;
    Ok(Json(CreditBalance {
        balance: credits.left(),
        monthly_credits: credits.allowed(),
        used_this_month: credits.used(),
        tier: caller.tier(),
        overage_rate: 0.0,
    }))
}

#[derive(Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct UsageQuery {
    /// First day. Windows that began earlier are left out.
    #[param(inline, value_type = Option<Day>, example = "2026-10-01")]
    since: Option<Day>,
}

/// Used credits.
#[derive(Serialize, ToSchema)]
struct CreditUsage {
    /// One entry for each rate group with requests.
    operations: Vec<UsageRow>,
    /// Number of requests.
    total: u32,
    /// Days of the windows.
    period: UsagePeriod,
}

/// Used credits of one rate group.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UsageRow {
    /// Rate group.
    operation: RateGroup,
    /// Number of requests in the current window.
    count: u32,
    /// Same value as `count`: one credit is one request.
    total_credits: u32,
}

/// A period in days (UTC).
#[derive(Serialize, ToSchema)]
struct UsagePeriod {
    /// First day.
    #[schema(value_type = String, format = Date)]
    since: Date,
    /// Last day.
    #[schema(value_type = String, format = Date)]
    until: Date,
}

/// Get credit usage
///
/// For clients that expect credits: the requests in the current window of each rate group, one credit each. Earlier windows
/// are not kept.
#[utoipa::path(
    get,
    path = "/v1/credits/usage",
    tag = "Usage",
    params(UsageQuery),
    responses((status = OK, body = CreditUsage)),
)]
async fn credit_usage(
    State(state): State<crate::State>,
    Tenant { caller, .. }: Tenant,
    Query(UsageQuery { since }): Query<UsageQuery>,
) -> Result<Json<CreditUsage>, Problem> {
    let now = state.clock.now();
    let credits = Credits::of(&state, &caller, now).await?;
    let day = |it: Timestamp| TimeZone::UTC.to_datetime(it).date();
    let today = day(now);
    // Windows last at most a day, and all days are those of UTC.
    let first = since.map_or(today, |it| it.0.max(today));
    let counted = credits.groups.iter().filter(|it| it.used > 0 && day(it.start) >= first);
    let operations: Vec<UsageRow> = counted
        .map(|it| UsageRow { operation: it.name, count: it.used, total_credits: it.used })
        .collect();
    let total = operations.iter().map(|it| it.count).sum();
    Ok(Json(CreditUsage { operations, total, period: UsagePeriod { since: first, until: first } }))
}

#[derive(Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct HistoryQuery {
    /// Maximum number of items.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    limit: PageSize,
    /// Number of items to skip.
    #[param(minimum = 0, maximum = 10_000, default = 0, example = 0)]
    offset: u32,
}

/// Credit transactions.
#[derive(Serialize, ToSchema)]
struct CreditHistory {
    /// Always empty: requests cost no credits, so there are no transactions.
    #[schema(value_type = Vec<Object>)]
    items: [(); 0],
    /// Always 0.
    total: u32,
}

/// List credit transactions
///
/// For clients that expect credits. Always empty: requests cost no credits, so there are no transactions.
#[utoipa::path(
    get,
    path = "/v1/credits/history",
    tag = "Usage",
    params(HistoryQuery),
    responses((status = OK, body = CreditHistory)),
)]
async fn credit_history(
    Tenant { .. }: Tenant,
    Query(HistoryQuery { limit: _, offset }): Query<HistoryQuery>,
) -> Result<Json<CreditHistory>, Problem> {
    if offset > MAX_OFFSET {
        let detail = format!("must be at most {MAX_OFFSET}; got `{offset}`");
        return Err(Problem::invalid("offset", detail));
    }
    Ok(Json(CreditHistory { items: [], total: 0 }))
}
