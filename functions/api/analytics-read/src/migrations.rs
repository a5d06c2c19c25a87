//! Moves of seats between cantons.

use analytics::{
    Day, Window,
    migrations::{Migration, migrations as found_migrations, needs},
};
use axum::{Json, extract::State, response::IntoResponse};
use domain::{Canton, search::CompanyFilters};
use http_service::{Description, Filtered, Routes, Tenant, handler, reads};
use jiff::civil::Date;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};

use crate::{
    coverage,
    selection::{Population, Selection},
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(15), handler!(migrations))
}

/// Number of flows that an answer repeats as the largest ones.
const TOP: usize = 10;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct MigrationsQuery {
    /// First day. Default: no limit.
    #[param(value_type = Option<String>, format = Date, example = "2020-01-01")]
    since: Option<Date>,
    /// Last day. Default: today.
    #[param(value_type = Option<String>, format = Date, example = "2024-12-31")]
    until: Option<Date>,
}

/// Moves of seats between cantons.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Migrations {
    /// Numbers of moves from one canton to another, sorted by the two.
    flows: Vec<MigrationFlow>,
    /// The largest flows, at most 10, the largest first.
    top_flows: Vec<MigrationFlow>,
    /// Moves into and out of each canton that has any.
    net: Vec<CantonBalance>,
    /// Number of moves of which no earlier publication states the former canton. They are in no flow.
    unknown_origin: u32,
    /// Since when the register is known. Absent if that cannot be said.
    data_coverage_note: Option<String>,
}

/// Moves from one canton to another.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MigrationFlow {
    /// Canton before.
    from_canton: Canton,
    /// Canton after.
    to_canton: Canton,
    /// Number of moves.
    count: u32,
}

/// Moves into and out of a canton.
#[derive(Serialize, ToSchema)]
struct CantonBalance {
    /// Canton.
    canton: Canton,
    /// Number of moves into the canton.
    into: u32,
    /// Number of moves out of the canton.
    out: u32,
}

/// Get moves between cantons
///
/// How often the selected companies moved their seat from one canton to another, from the publications. All companies are selected,
/// also deleted ones, unless the filters name a status; `canton` filters by the present canton.
#[utoipa::path(
    get,
    path = "/v1/analytics/migrations",
    tag = "Analytics",
    params(MigrationsQuery, CompanyFilters),
    responses((status = OK, body = Migrations)),
)]
async fn migrations(
    State(state): State<crate::State>,
    tenant: Option<Tenant>,
    Filtered(query, filters): Filtered<MigrationsQuery>,
) -> Result<impl IntoResponse, Problem> {
    let window = Window {
        since: query.since.map_or(Day::new(i32::MIN), Day::from),
        until: query.until.unwrap_or_else(|| state.clock.today()).into(),
    };
    let selection = Selection::read(&state, tenant, filters, Population::All, needs()).await?;
    let found = selection
        .analyse(move |tables, rows| {
            found_migrations(&tables.companies, &tables.changes, rows, Some(window))
        })
        .await?;
    let balance = |(canton, it): (&Canton, &analytics::migrations::InAndOut)| CantonBalance {
        canton: *canton,
        into: it.into,
        out: it.out,
    };
    let answer = Migrations {
        top_flows: found.largest(TOP).into_iter().map(MigrationFlow::from).collect(),
        net: found.net.iter().map(balance).collect(),
        unknown_origin: found.unknown_origin,
        flows: found.flows.into_iter().map(MigrationFlow::from).collect(),
        data_coverage_note: coverage::note(&selection.generation.manifest),
    };
    Ok((selection.generation.header(), Json(answer)))
}

impl From<Migration> for MigrationFlow {
    fn from(it: Migration) -> Self {
        Self { from_canton: it.from, to_canton: it.to, count: it.count }
    }
}
