//! Changes: of all companies, of one company, a single one, and their number.

use std::collections::BTreeMap;

use axum::{Json, extract::State, response::IntoResponse};
use company_reader::known_company_with_events;
use domain::{
    Canton, ChangeKind, Provenance, Uid,
    changes::{ChangedField, LegalEvent, PublishedEvent, Severity, Subject, Transfer},
    history::Recorded,
    search::{Page, PageNumber, SizeOfPage, changes::ChangeQuery},
};
use generations::Unavailable;
use http_service::{
    Description, NoParameters, Offset, Paginator, Path, Query, Routes, Selection, Tenant, handler,
    reads,
};
use jiff::{Timestamp, civil::Date};
use problem_details::{NOT_FOUND, Problem};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(2).translated(), handler!(changes))
        .route(reads(2), handler!(change_statistics))
        .route(reads(2).translated(), handler!(changes_of))
}

/// Page size of the history of one company, 1 to 1,000. Nearly all companies have fewer changes, so that
/// clients without paging get the whole history.
pub(crate) type HistoryPageSize = SizeOfPage<1000, 1000>;

/// A change of a company, stated by one publication.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Change {
    /// Id of the change. It never changes.
    id: Uuid,
    /// Company number.
    company_uid: Uid,
    /// Name of the company, as published.
    company_name: String,
    /// Canton of the seat at the time of the publication. Absent if the publication does not state it.
    canton: Option<Canton>,
    /// Change type.
    change_type: ChangeKind,
    /// What changed. Absent if the change concerns no single field.
    #[schema(value_type = Option<ChangedField>)]
    field_name: Option<String>,
    /// Value before the change. Absent if there was none or it is unknown.
    old_value: Option<String>,
    /// Value after the change. Absent if there is none or it is unknown.
    new_value: Option<String>,
    /// Description of the change in one sentence.
    description: String,
    /// Severity of the change.
    severity: Severity,
    /// Legal event. Absent if the change type says everything, or if the event could not be recognised with certainty.
    legal_event: Option<LegalEvent>,
    /// Date of the entry in the register's journal, from which the change has legal effect. Absent if unknown.
    journal_date: Option<Date>,
    /// Date of the court's decision or of the resolution. Absent if it is not stated.
    decision_date: Option<Date>,
    /// Amounts of a demerger or a transfer of assets. Absent if none is stated.
    transfer: Option<Transfer>,
    /// Person or auditor that the change concerns. Absent for other changes.
    subject: Option<Subject>,
    /// Name of the source.
    source: String,
    /// Time when the change was added to the change feed.
    detected_at: Timestamp,
    /// Date of the publication.
    source_date: Date,
    /// Sequence number in the change feed. Absent until the change is in the feed.
    sequence: Option<u64>,
    /// Publication that states the change.
    provenance: Provenance,
    /// Ids of the changes that this one supersedes: their publication was withdrawn or corrected, or the service now reads
    /// it differently. Superseded changes stay in the change feed but are left out of lists. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replaces: Vec<Uuid>,
    /// Id of the change that superseded this one. Only returned when a single change is requested by its id.
    replaced_by: Option<Uuid>,
    /// Time when the caller's team marked the change as reviewed. Absent if the team has not reviewed it.
    /// Always absent in the change feed.
    reviewed_at: Option<Timestamp>,
}

impl From<Recorded> for Change {
    fn from(recorded: Recorded) -> Self {
        let (detected_at, severity) = (recorded.detected_at(), recorded.event.severity());
        let Recorded { event, sequence, replaces, .. } = recorded;
        Self {
            id: event.id,
            company_uid: event.uid,
            company_name: event.company_name,
            canton: event.canton,
            change_type: event.kind,
            field_name: event.field,
            old_value: event.old_value,
            new_value: event.new_value,
            description: event.summary,
            severity,
            legal_event: event.legal_event,
            journal_date: event.journal_date,
            decision_date: event.decision_date,
            transfer: event.transfer,
            subject: event.subject,
            source: event.source.source.clone(),
            detected_at,
            source_date: event.date,
            sequence,
            provenance: event.source,
            replaces,
            replaced_by: None,
            reviewed_at: None,
        }
    }
}

impl From<PublishedEvent> for Change {
    fn from(published: PublishedEvent) -> Self {
        Recorded::from(published).into()
    }
}

/// List changes
///
/// Changes that match all given filters, in pages, sorted by publication date, newest first, then by sequence
/// number, newest first. `total` is exact. Superseded changes are left out. The header `Link` contains the URL of the
/// next page. If the items of a page do not fit into one response, the response contains the first of them, and `Link`
/// leads to the others.
#[utoipa::path(
    get,
    path = "/v1/changes",
    tag = "Changes",
    params(ChangeQuery),
    responses((
        status = OK,
        body = Page<Change>,
        links(
            ("change" = (
                operation_id = "changes_of",
                parameters(("id" = "$response.body#/items/0/id")),
                description = "The first change on the page."
            )),
            ("review" = (
                operation_id = "review_change",
                parameters(("id" = "$response.body#/items/0/id")),
                description = "Mark the first change on the page as reviewed."
            )),
            ("company" = (
                operation_id = "company",
                parameters(("uid" = "$response.body#/items/0/companyUid")),
                description = "The company of the first change on the page."
            )),
        ),
    )),
)]
async fn changes(
    State(state): State<crate::State>,
    Query(query): Query<ChangeQuery>,
    tenant: Option<Tenant>,
    paginator: Paginator,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let hits = generation.search_changes(&query).await?;
    let selection =
        Selection::page(query.page, query.page_size, Offset(query.offset), hits.total as usize);
    let rest = hits.events.into_iter().skip(query.offset as usize).map(Change::from);
    let (mut items, next) = paginator.fit(&state.public_url, &selection, rest);
    add_review_times(&state, tenant, &mut items).await?;
    let (page, page_size) = (query.page.get(), query.page_size.get());
    Ok((next, generation.header(), Json(Page { items, total: hits.total, page, page_size })))
}

/// Number of changes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChangeStatistics {
    /// Number of all changes.
    total_changes: u64,
    /// Number of changes published since Monday of this week.
    changes_this_week: u64,
    /// Number of changes published since the first day of this month.
    changes_this_month: u64,
    /// Number of changes by change type.
    by_type: BTreeMap<&'static str, u64>,
}

/// Get change statistics
///
/// The number of changes in total, this week, this month, and by change type. Superseded changes are not
/// counted.
#[utoipa::path(
    get,
    path = "/v1/changes/statistics",
    tag = "Changes",
    responses((status = OK, body = ChangeStatistics)),
)]
async fn change_statistics(
    State(state): State<crate::State>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let counts = generation.changes().await?.statistics(state.clock.today());
    let statistics = ChangeStatistics {
        total_changes: counts.total,
        changes_this_week: counts.this_week,
        changes_this_month: counts.this_month,
        by_type: counts.by_kind.into_iter().map(|(kind, it)| (kind.code(), it)).collect(),
    };
    Ok((generation.header(), Json(statistics)))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct ChangesOf {
    /// Company number (UID), such as `CHE-123.456.789`, or the id of a change.
    #[param(
        pattern = r"^(CHE-[0-9]{3}\.[0-9]{3}\.[0-9]{3}|(CHE-?)?[0-9]{9}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$",
        example = "CHE-812.460.660"
    )]
    id: String,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ChangesOfQuery {
    /// Include publications that change no field of the record.
    #[serde(default)]
    #[param(default = false, example = true)]
    include_internal: bool,
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

/// List a company's changes
///
/// Changes of a company, newest first, in pages. The header `Link` contains the URL of the next page.
/// Superseded changes are left out. With the id of a change, the list contains only that change, even if it is
/// superseded.
#[utoipa::path(
    get,
    path = "/v1/changes/{id}",
    tag = "Changes",
    params(ChangesOf, ChangesOfQuery),
    responses((status = OK, body = Vec<Change>)),
)]
async fn changes_of(
    State(state): State<crate::State>,
    Path(ChangesOf { id }): Path<ChangesOf>,
    Query(query): Query<ChangesOfQuery>,
    tenant: Option<Tenant>,
    paginator: Paginator,
) -> Result<impl IntoResponse, Problem> {
    if let Ok(id) = Uuid::try_parse(&id) {
        let mut changes = vec![change(&state, id).await?];
        add_review_times(&state, tenant, &mut changes).await?;
        return Ok((None, Json(changes)));
    }
    let uid: Uid = id.parse().map_err(|_| unknown_change(&id))?;
    let (_, selection, events) = known_company_with_events(&state.registry, uid, |_, history| {
        let newest = history.newest_events(query.include_internal);
        let newest: Vec<usize> = newest.map(|(at, _)| at).collect();
        let selection = Selection::page(query.page, query.limit, query.offset, newest.len());
        (newest[selection.range.clone()].to_vec(), selection)
    })
    .await?;
    let changes = events.into_iter().map(Change::from);
    let (mut changes, next) = paginator.fit(&state.public_url, &selection, changes);
    add_review_times(&state, tenant, &mut changes).await?;
    Ok((next, Json(changes)))
}

/// Sets `reviewed_at` of changes that the caller's team has reviewed.
async fn add_review_times(
    state: &crate::State,
    tenant: Option<Tenant>,
    changes: &mut [Change],
) -> Result<(), Problem> {
    let Some(Tenant { team, .. }) = tenant else { return Ok(()) };
    let reviews = state.tenants.reviews(&team, changes.iter().map(|it| it.id)).await?;
    changes.iter_mut().for_each(|it| it.reviewed_at = reviews.get(&it.id).copied());
    Ok(())
}

/// A change, and the id of the change that superseded it.
async fn change(state: &crate::State, id: Uuid) -> Result<Change, Problem> {
    let generation = state.generations.serving().await?;
    let published = match generation.changes().await?.event(id).await.map_err(Unavailable::from)? {
        Some(published) => published,
        None => {
            let newer = state.registry.event(id).await?;
            newer.ok_or_else(|| unknown_change(&id.to_string()))?
        }
    };
    let replaced_by = state.registry.replacement(published.event.uid, id).await?;
    Ok(Change { replaced_by, ..published.into() })
}

fn unknown_change(id: &str) -> Problem {
    Problem::new(&NOT_FOUND, format!("no company and no change has the id `{id}`"))
}
