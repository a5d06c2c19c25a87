//! The changes of a company between two dates.

use axum::{Json, extract::State, response::IntoResponse};
use company_reader::known_company_with_events;
use domain::{
    Provenance, Uid,
    changes::{ChangeKind, Subject},
    history::{EventOutline, Recorded},
    search::{PageNumber, changes::UtcDay},
};
use http_service::{
    CompanyPath, Description, Offset, Paginator, Path, Query, Routes, Selection, handler, reads,
};
use jiff::{Timestamp, civil::Date};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};

use crate::changes::HistoryPageSize;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(2).translated(), handler!(diff))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DiffQuery {
    /// Start date (exclusive): only later publications are included. A date, or a date and time, of which only the UTC
    /// date is used, because publication dates have no time of day.
    #[param(inline, value_type = UtcDay, example = "2020-01-01")]
    since: UtcDay,
    /// End date (inclusive): a date, or a date and time, of which only the UTC date is used, because publication dates
    /// have no time of day. Default: today.
    #[param(inline, value_type = Option<UtcDay>, example = "2026-06-30")]
    until: Option<UtcDay>,
    /// Maximum number of items per page.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000, default = 1000, example = 20)]
    limit: HistoryPageSize,
    /// Page number, starting at 1. Pages after the last one are empty.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    page: PageNumber,
    /// Number of items of the page to skip. Do not compute it: use the URL in the header `Link`.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 0, maximum = 4294967295_u32, default = 0, example = 0)]
    offset: Offset,
}

/// A page of the changes of a company between two dates.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Diff {
    /// Company number.
    uid: Uid,
    /// Start date (exclusive).
    since: Date,
    /// End date (inclusive).
    until: Date,
    /// Changes of the page, oldest first.
    changes: Vec<DiffEntry>,
    /// Number of changes on all pages.
    total_changes: u64,
}

/// A change of a company: its old and its new value.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DiffEntry {
    /// What changed, as in `fieldName` of other lists, or the change type if the change concerns no single field.
    field: String,
    /// Value before the change. Absent if there was none or it is unknown.
    from: Option<String>,
    /// Value after the change. Absent if there is none or it is unknown.
    to: Option<String>,
    /// Person or auditor that the change concerns. Absent for other changes.
    subject: Option<Subject>,
    /// Date of the publication, at midnight UTC.
    changed_at: Timestamp,
    /// Change type.
    change_type: ChangeKind,
    /// Publication that states the change.
    provenance: Provenance,
}

/// List changes between two dates
///
/// Changes of a company published after `since` and up to `until`, oldest first, in pages. The header `Link`
/// contains the URL of the next page. The status is 400 if `since` is after `until`, or after today. Superseded changes and
/// publications that change no field of the record are left out.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/diff",
    tag = "Changes",
    params(CompanyPath, DiffQuery),
    responses((status = OK, body = Diff)),
)]
async fn diff(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(query): Query<DiffQuery>,
    paginator: Paginator,
) -> Result<impl IntoResponse, Problem> {
    let since = query.since.0;
    let until = query.until.map_or_else(|| state.clock.today(), |it| it.0);
    // With `until`, the pair was compared when it was read.
    if since > until {
        let detail =
            format!("must not be after `until`, by default today ({until}); got `{since}`");
        return Err(Problem::invalid("since", detail));
    }
    let is_included = |it: &EventOutline| !it.is_internal() && it.date > since && it.date <= until;
    let (_, (selection, total_changes), events) =
        known_company_with_events(&state.registry, uid, |_, history| {
            let events = history.events.iter().enumerate();
            let changed: Vec<usize> =
                events.filter(|(_, it)| is_included(it)).map(|(at, _)| at).collect();
            let selection = Selection::page(query.page, query.limit, query.offset, changed.len());
            (changed[selection.range.clone()].to_vec(), (selection, changed.len() as u64))
        })
        .await?;
    let changes = events.into_iter().map(entry);
    let (changes, next) = paginator.fit(&state.public_url, &selection, changes);
    Ok((next, Json(Diff { uid, since, until, changes, total_changes })))
}

fn entry(recorded: Recorded) -> DiffEntry {
    let changed_at = recorded.event.time();
    let event = recorded.event;
    DiffEntry {
        field: event.field.unwrap_or_else(|| event.kind.code().to_owned()),
        from: event.old_value,
        to: event.new_value,
        subject: event.subject,
        changed_at,
        change_type: event.kind,
        provenance: event.source,
    }
}
