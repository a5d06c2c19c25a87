//! Changes of all companies: lists, counts, and the feed that can be followed.

use std::collections::BTreeMap;

use axum::{Json, extract::State, response::IntoResponse};
use domain::{
    Canton, ChangeKind, Provenance, Uid,
    changes::{PublishedEvent, Severity, Subject, WantedChangeKind},
    history::Recorded,
    search::{Page, PageNumber, PageSize, Uids, changes::ChangeQuery},
};
use http_service::{
    Asked, Description, NoParameters, Path, Query, Routes, Tenant, handler,
    known_company_with_history, reads,
};
use jiff::{Timestamp, civil::Date};
use problem_details::{NOT_FOUND, Problem};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use text_index::changes::FeedQuery;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{cursor::Cursor, timeline::HistoryPageSize};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(2), handler!(changes))
        .route(reads(2), handler!(change_statistics))
        .route(reads(2), handler!(change_feed))
        .route(reads(2), handler!(changes_of))
}

/// A change of a company, as one publication states it.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Change {
    id: Uuid,
    company_uid: Uid,
    company_name: String,
    canton: Option<Canton>,
    change_type: ChangeKind,
    /// The member of the company that changed.
    field_name: Option<String>,
    old_value: Option<String>,
    new_value: Option<String>,
    /// One sentence.
    description: String,
    severity: Severity,
    /// The person or auditor concerned.
    subject: Option<Subject>,
    /// The source that says so.
    source: String,
    /// When the change got its place in the feed.
    detected_at: Timestamp,
    /// The day of the publication.
    source_date: Date,
    /// The place in the feed; absent until the change has one.
    sequence: Option<u64>,
    /// The publication that proves it.
    provenance: Provenance,
    /// The changes that count no more since this one was told: those of a publication that was withdrawn,
    /// or of which more is known now. They keep their places in the feed, and are in no list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replaces: Vec<Uuid>,
    /// The change that this one was replaced by. Said of a change that is asked for by its id.
    replaced_by: Option<Uuid>,
    /// When the caller's team noted that it has looked at this one. Not said in the feed, which is the same
    /// for everybody.
    reviewed_at: Option<Timestamp>,
}

impl From<Recorded> for Change {
    fn from(recorded: Recorded) -> Self {
        let detected_at = recorded.detected_at();
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
            severity: event.kind.severity(),
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
/// The newest place in the feed first; totals are exact. What a later change replaces is left out.
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
                description = "The first change of the page, by itself."
            )),
            ("review" = (
                operation_id = "review_change",
                parameters(("id" = "$response.body#/items/0/id")),
                description = "Notes that the team has looked at it."
            )),
            ("company" = (
                operation_id = "company",
                parameters(("uid" = "$response.body#/items/0/companyUid")),
                description = "The company that changed."
            )),
        ),
    )),
)]
async fn changes(
    State(state): State<crate::State>,
    Query(query): Query<ChangeQuery>,
    tenant: Option<Tenant>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let hits = generation.changes().await?.search(&query)?;
    let mut items: Vec<Change> = hits.events.into_iter().map(Into::into).collect();
    note_reviews(&state, tenant, &mut items).await?;
    let (page, page_size) = (query.page.get(), query.page_size.get());
    Ok((generation.header(), Json(Page { items, total: hits.total, page, page_size })))
}

/// How many changes there are.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChangeStatistics {
    total_changes: u64,
    /// Published since Monday.
    changes_this_week: u64,
    /// Published since the first of the month.
    changes_this_month: u64,
    by_type: BTreeMap<&'static str, u64>,
}

/// Counts of changes
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

/// What a path names: the changes of a company, or one change.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct ChangesOf {
    /// A company number, or the id of a change.
    #[param(
        pattern = r"^(CHE-[0-9]{3}\.[0-9]{3}\.[0-9]{3}|(CHE-?)?[0-9]{9}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$",
        example = "CHE-895.111.004"
    )]
    id: String,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ChangesOfQuery {
    /// Whether publications are told that change nothing that is kept here.
    #[serde(default)]
    #[param(default = false, example = true)]
    include_internal: bool,
    /// How many changes a page holds.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000, default = 1000, example = 20)]
    limit: HistoryPageSize,
    /// From 1; beyond the last page the list is empty.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    page: PageNumber,
}

/// Changes of a company
///
/// The newest first, those left out that are replaced, page by page; the header `Link` leads to the next
/// page. With the id of a change, that change alone, replaced or not.
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
    asked: Asked,
) -> Result<impl IntoResponse, Problem> {
    if let Ok(id) = Uuid::try_parse(&id) {
        let mut one = vec![change(&state, id).await?];
        note_reviews(&state, tenant, &mut one).await?;
        return Ok((None, Json(one)));
    }
    let uid: Uid = id.parse().map_err(|_| no_change(&id))?;
    let (_, history) = known_company_with_history(&state.registry, uid).await?;
    let newest: Vec<&Recorded> = history.newest_events(query.include_internal).collect();
    let (page, next) = asked.page(&state.public_url, &newest, query.page, query.limit);
    let mut changes: Vec<Change> = page.iter().map(|it| Change::from((*it).clone())).collect();
    note_reviews(&state, tenant, &mut changes).await?;
    Ok((next, Json(changes)))
}

/// Says of changes when the caller's team looked at them.
async fn note_reviews(
    state: &crate::State,
    tenant: Option<Tenant>,
    changes: &mut [Change],
) -> Result<(), Problem> {
    let Some(Tenant { team, .. }) = tenant else { return Ok(()) };
    let reviews = state.tenants.reviews(&team, changes.iter().map(|it| it.id)).await?;
    changes.iter_mut().for_each(|it| it.reviewed_at = reviews.get(&it.id).copied());
    Ok(())
}

/// One change, and what it was replaced by.
async fn change(state: &crate::State, id: Uuid) -> Result<Change, Problem> {
    let generation = state.generations.serving().await?;
    let published = match generation.changes().await?.event(id)? {
        Some(published) => published,
        None => {
            let newer = state.registry.event_after(generation.manifest.as_of_sequence, id).await?;
            newer.ok_or_else(|| no_change(&id.to_string()))?
        }
    };
    let history = state.registry.history(published.event.uid).await?;
    Ok(Change { replaced_by: history.replacement(id), ..published.into() })
}

fn no_change(id: &str) -> Problem {
    Problem::new(&NOT_FOUND, format!("there is neither a company nor a change `{id}`"))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[derive(Default)]
#[into_params(parameter_in = Query)]
struct FeedParameters {
    /// The `nextCursor` of the answer before; without it, from the first change there ever was.
    #[param(value_type = Option<String>, example = "AQAAAAAAAAAq", pattern = "^A[Q-Za-f][A-Za-z0-9_-]{10}$")]
    cursor: Cursor,
    /// Kinds of change; several separated by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedChangeKind>>, example = json!(["auditor_change"]))]
    types: Vec<WantedChangeKind>,
    /// Cantons of the seat; several separated by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Canton>>, example = json!(["ZH"]))]
    cantons: Vec<Canton>,
    /// Company numbers, separated by commas; at most 500.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Uid>>, max_items = 500, example = json!(["CHE-101.049.653", "CHE-101.329.561"]))]
    uids: Uids,
    /// How many changes at most.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    limit: PageSize,
}

/// A part of the feed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Feed {
    /// In the order of the feed: the internal ones too, and those that later ones replace.
    items: Vec<Change>,
    /// What to ask with next, always; ask again later where `hasMore` is false.
    next_cursor: String,
    has_more: bool,
}

/// How many changes after the generation are looked through for one answer.
const LOOKED_THROUGH: usize = 1_000;

/// The change feed
///
/// Every change there ever was, in the one order in which it got its place; a place is never taken
/// again, and nothing before a cursor changes. Filters leave out, they do not reorder. So a client that
/// keeps the cursor misses nothing, from any point of the past.
///
/// What is learnt later comes at the end: a change that has `replaces` is told in the place of those that
/// it names. Whoever keeps changes by their ids, and drops those when it comes, holds what the list of
/// changes holds, the internal ones included. What replaces may be of another kind: who asks for some
/// kinds asks for `publication_cancelled` too.
#[utoipa::path(
    get,
    path = "/v1/changes/feed",
    tag = "Changes",
    params(FeedParameters),
    responses((
        status = OK,
        body = Feed,
        links(
            ("next" = (
                operation_id = "change_feed",
                parameters(("cursor" = "$response.body#/nextCursor")),
                description = "What comes after."
            )),
        ),
    )),
)]
async fn change_feed(
    State(state): State<crate::State>,
    Query(asked): Query<FeedParameters>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let limit = asked.limit.get() as usize;
    let mut query = FeedQuery {
        after: asked.cursor.after(),
        kinds: asked.types.iter().map(|it| it.0).collect(),
        cantons: asked.cantons,
        uids: asked.uids.0,
    };
    let indexed = generation.manifest.as_of_sequence;
    let mut items = Vec::new();
    let mut next = query.after;
    let mut has_more = false;
    if query.after < indexed {
        items = generation.changes().await?.feed(&query, limit + 1)?;
        has_more = items.len() > limit;
        items.truncate(limit);
        // Without more of them, the generation is read to its end.
        next = if has_more { items.last().map_or(next, |it| it.sequence) } else { indexed };
    }
    // What is newer than the generation is read where it is written.
    if !has_more {
        query.after = next;
        let newer = state.registry.feed(next, LOOKED_THROUGH).await?;
        let read_to = newer.last().map_or(next, |it| it.sequence);
        has_more = newer.len() == LOOKED_THROUGH;
        for event in newer.into_iter().filter(|it| is_asked(&query, it)) {
            if items.len() == limit {
                has_more = true;
                break;
            }
            next = event.sequence;
            items.push(event);
        }
        if items.len() < limit {
            next = read_to;
        }
    }
    let feed = Feed {
        items: items.into_iter().map(Into::into).collect(),
        next_cursor: Cursor::behind(next).to_string(),
        has_more,
    };
    Ok((generation.header(), Json(feed)))
}

fn is_asked(query: &FeedQuery, published: &PublishedEvent) -> bool {
    let event = &published.event;
    (query.kinds.is_empty() || query.kinds.contains(&event.kind))
        && (query.cantons.is_empty() || event.canton.is_some_and(|it| query.cantons.contains(&it)))
        && (query.uids.is_empty() || query.uids.contains(&event.uid))
}
