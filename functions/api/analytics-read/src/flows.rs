//! How many companies enter and leave the register.

use analytics::{
    Day, InvalidRequest, Window,
    flows::{Period, Point, flows as found_flows, needs},
    groups::{Group, GroupBy},
};
use axum::{Json, extract::State, response::IntoResponse};
use domain::search::CompanyFilters;
use http_service::{Description, Filtered, Routes, Tenant, fitting, handler, reads};
use jiff::civil::Date;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};

use crate::{
    coverage,
    names::{WantedGroupBy, WantedPeriod},
    selection::{Population, Search, Selection, filter_of, refused},
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(15), handler!(flows))
}

/// The filters by the day of the first entry, and by that of the deletion.
const REGISTERED: [&str; 2] = ["registeredAfter", "registeredBefore"];
const DELETED: [&str; 2] = ["deletedAfter", "deletedBefore"];

/// Reasons for which a deleted company goes on elsewhere.
const ELSEWHERE: &str = "merged,demerged,moved";

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct FlowsQuery {
    /// Length of a period: `monthly` (default), `quarterly` or `yearly`.
    #[param(inline, value_type = Option<WantedPeriod>, example = "yearly")]
    period: Option<WantedPeriod>,
    /// First day. Default: the first day of the period five years ago, for `yearly` 25 years ago.
    #[param(value_type = Option<String>, format = Date, example = "2020-01-01")]
    since: Option<Date>,
    /// Last day. Default: today.
    #[param(value_type = Option<String>, format = Date, example = "2024-12-31")]
    until: Option<Date>,
    /// By what companies are grouped, as they are today: `canton` (default), `industry` or `legalForm`; also `year` or `quarter` of the
    /// first entry.
    #[serde(alias = "group_by")]
    #[param(inline, value_type = Option<WantedGroupBy>, example = "canton")]
    group_by: Option<WantedGroupBy>,
}

/// Companies that entered and left the register.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Flows {
    /// A point for each period, and each group with a company that entered or left in any of them; sorted by period, then by group.
    flows: Vec<FlowDataPoint>,
    /// Since when the register is known. Absent if that cannot be said.
    data_coverage_note: Option<String>,
    /// Number of selected companies whose day of registration no source states.
    unknown_registrations: u32,
    /// Number of selected deleted companies whose day of deletion no source states.
    unknown_deletions: u32,
}

/// The companies of a group that entered and left the register in a period.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FlowDataPoint {
    /// A month (`2026-01`), a quarter (`2026-Q1`) or a year (`2026`).
    #[schema(example = "2026-01")]
    period: String,
    /// Code of the canton, English name of the division, German name of the legal form, or `Unknown`.
    #[schema(example = "ZH")]
    group: String,
    /// First entries in the register.
    registrations: u32,
    /// Deletions other than `otherDeletions`, also for an unknown reason.
    dissolutions: u32,
    /// `registrations` minus `dissolutions`.
    net: i64,
    /// Deletions after a merger, a demerger or a move abroad.
    other_deletions: u32,
    /// Whether all days of the period are within `since` and `until`, and over.
    is_complete: bool,
    /// The list of the companies that entered. Absent if there are none, or if no search can find exactly them.
    registrations_url: Option<String>,
    /// The list of all deleted companies: `dissolutions` and `otherDeletions`. Absent if there are none, or if no search can find
    /// exactly them.
    deletions_url: Option<String>,
    /// The list of the companies of `otherDeletions`. Absent if there are none, or if no search can find exactly them.
    other_deletions_url: Option<String>,
}

/// Get entries and deletions over time
///
/// How many of the selected companies entered and left the register in each period, by group. All companies are selected, also deleted
/// ones, unless the filters name a status. Groups are those of the present records. An answer has at most
/// 20,000 points, and 4 MB.
#[utoipa::path(
    get,
    path = "/v1/analytics/flows",
    tag = "Analytics",
    params(FlowsQuery, CompanyFilters),
    responses((status = OK, body = Flows)),
)]
async fn flows(
    State(state): State<crate::State>,
    tenant: Option<Tenant>,
    Filtered(query, filters): Filtered<FlowsQuery>,
) -> Result<impl IntoResponse, Problem> {
    let today: Day = state.clock.today().into();
    let period = query.period.map_or(Period::Monthly, |it| it.0);
    let by = query.group_by.map_or(GroupBy::Canton, |it| it.0);
    let default = period.default_window(today);
    let window = Window {
        since: query.since.map_or(default.since, Day::from),
        until: query.until.map_or(default.until, Day::from),
    };
    let selection = Selection::read(&state, tenant, filters, Population::All, needs(by)).await?;
    let found = selection
        .analyse(move |tables, rows| {
            found_flows(&tables.companies, rows, period, by, window, today)
        })
        .await?;
    let points = found.points.len();
    let flows =
        fitting(found.points.into_iter().map(|it| FlowDataPoint::of(it, &selection.search)));
    if flows.len() < points {
        return Err(refused(&InvalidRequest::TooManyPoints { points, max: flows.len() }));
    }
    let answer = Flows {
        flows,
        data_coverage_note: coverage::note(&selection.generation.manifest),
        unknown_registrations: found.unknown_registrations,
        unknown_deletions: found.unknown_deletions,
    };
    Ok((selection.generation.header(), Json(answer)))
}

impl FlowDataPoint {
    fn of(point: Point, search: &Search) -> Self {
        let (Window { since, until }, flow) = (point.days, point.flow);
        let url = |count: u32, [after, before]: [&'static str; 2], reasons: Option<&str>| {
            // An empty list proves little, and most points have one.
            if count == 0 {
                return None;
            }
            let mut filters = filter_of(point.group)?;
            filters.extend([(after, since.date().to_string()), (before, until.date().to_string())]);
            filters.extend(reasons.map(|it| ("statusReason", it.to_owned())));
            search.narrowed(&filters)
        };
        Self {
            registrations_url: url(flow.registrations, REGISTERED, None),
            deletions_url: url(flow.dissolutions + flow.other_deletions, DELETED, None),
            other_deletions_url: url(flow.other_deletions, DELETED, Some(ELSEWHERE)),
            period: point.period,
            group: Group::label(point.group),
            registrations: flow.registrations,
            dissolutions: flow.dissolutions,
            net: flow.net(),
            other_deletions: flow.other_deletions,
            is_complete: point.is_complete,
        }
    }
}
