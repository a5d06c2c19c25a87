//! The change feed: all changes of all companies in a fixed order, for clients that follow them.

use axum::{Json, extract::State, response::IntoResponse};
use domain::{
    Canton, Uid,
    changes::PublishedEvent,
    search::{PageSize, Uids, Values, WantedChangeKind},
};
use generations::Unavailable;
use http_service::{Description, FeedCursor, Query, Routes, fitting, handler, reads};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use text_index::changes::FeedQuery;
use utoipa::{IntoParams, ToSchema};

use crate::changes::Change;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(2).translated(), handler!(change_feed))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[derive(Default)]
#[into_params(parameter_in = Query)]
struct ChangeFeedQuery {
    /// `nextCursor` of the previous response. Without it, the feed starts at the first change.
    #[param(value_type = Option<String>, example = "AQAAAAAAAAAq", pattern = "^A[Q-Za-f][A-Za-z0-9_-]{10}$")]
    cursor: FeedCursor,
    /// Change types, separated by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedChangeKind>>, max_items = 100, example = json!(["auditor_change"]))]
    types: Values<WantedChangeKind>,
    /// Cantons of the seat, separated by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Canton>>, max_items = 100, example = json!(["ZH"]))]
    cantons: Values<Canton>,
    /// Company numbers (UID), separated by commas, at most 500.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Uid>>, max_items = 500, example = json!(["CHE-101.049.653", "CHE-101.329.561"]))]
    uids: Uids,
    /// Maximum number of changes to return. Fewer are returned if they are too large for one response.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    limit: PageSize,
}

/// A part of the change feed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Feed {
    /// Changes ordered by sequence number, oldest first. Includes superseded changes, and publications that
    /// change no field of the record.
    items: Vec<Change>,
    /// Cursor for the next request. Always present: if `hasMore` is false, use it later.
    next_cursor: String,
    /// Whether more changes are available now.
    has_more: bool,
}

/// Maximum number of changes newer than the generation that one request reads.
const MAX_NEWER_CHANGES: usize = 1_000;

/// Read the change feed
///
/// All changes, ordered by sequence number, oldest first. Entries are never reordered or removed. To read the
/// whole feed, send each `nextCursor` as `cursor` of the next request. A client that stores the cursor misses no
/// change. Filters leave entries out of the response; the order stays the same.
///
/// Corrections are appended; `replaces` lists the changes they supersede. To keep a local copy up to date, store
/// each change by its id and delete the changes in `replaces`. A correction may have any change type, so a request with
/// `types` can miss corrections. To keep an exact copy, read the feed without `types`.
#[utoipa::path(
    get,
    path = "/v1/changes/feed",
    tag = "Changes",
    params(ChangeFeedQuery),
    responses((
        status = OK,
        body = Feed,
        links(
            ("next" = (
                operation_id = "change_feed",
                parameters(("cursor" = "$response.body#/nextCursor")),
                description = "The next part of the feed."
            )),
        ),
    )),
)]
async fn change_feed(
    State(state): State<crate::State>,
    Query(parameters): Query<ChangeFeedQuery>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let limit = parameters.limit.get() as usize;
    let mut query = FeedQuery {
        after: parameters.cursor.sequence(),
        kinds: parameters.types.iter().map(|it| it.0).collect(),
        cantons: parameters.cantons.to_vec(),
        uids: parameters.uids.to_vec(),
    };
    let indexed = generation.manifest.as_of_sequence;
    let mut items = Vec::new();
    let mut next = query.after;
    let mut has_more = false;
    if query.after < indexed {
        items =
            generation.changes().await?.feed(&query, limit + 1).await.map_err(Unavailable::from)?;
        has_more = items.len() > limit;
        items.truncate(limit);
        // Without more items, the generation has been read to its end.
        next = if has_more { items.last().map_or(next, |it| it.sequence) } else { indexed };
    }
    // Changes newer than the generation are in the database only.
    if !has_more {
        query.after = next;
        let newer = state.registry.feed(next, MAX_NEWER_CHANGES).await?;
        // If a part of the feed cannot be decoded, it and the changes after it wait for the generation that contains them.
        let (newer, has_gap) = newer.up_to_a_gap(next);
        let read_to = newer.read_to;
        has_more = newer.has_more && !has_gap;
        for event in newer.events.into_iter().filter(|it| matches(&query, it)) {
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
    let count = items.len();
    let sequences: Vec<u64> = items.iter().map(|it| it.sequence).collect();
    let items = fitting(items.into_iter().map(Change::from));
    if items.len() < count {
        (next, has_more) = (sequences[items.len() - 1], true);
    }
    let feed = Feed { items, next_cursor: FeedCursor::after(next).to_string(), has_more };
    Ok((generation.header(), Json(feed)))
}

fn matches(query: &FeedQuery, published: &PublishedEvent) -> bool {
    let event = &published.event;
    (query.kinds.is_empty() || query.kinds.contains(&event.kind))
        && (query.cantons.is_empty() || event.canton.is_some_and(|it| query.cantons.contains(&it)))
        && (query.uids.is_empty() || query.uids.contains(&event.uid))
}
