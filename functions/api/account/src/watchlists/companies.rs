//! The companies of a watchlist: listing, adding and removing them. Adding many counts as several requests.

use std::collections::{HashMap, HashSet};

use access::{RateGroup, TeamLimits, Tier};
use auth::Caller;
use axum::{Json as JsonResponse, extract::State};
use company_reader::UnknownCompany;
use domain::{Canton, GivenUid, Status, Uid};
use futures_util::{StreamExt, TryStreamExt, stream};
use http::StatusCode;
use http_service::{
    Description, Json, NoParameters, Path, Query, ResourceId, Routes, Tenant, handler, reads,
    writes,
};
use problem_details::{Problem, RATE_LIMIT_EXCEEDED};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use store::{Counted, Kind, MAX_LISTED_COMPANIES, Refused, Registry, Subject, TeamKey};
use teams::{PausedReason, WatchlistEntry};
use utoipa::{IntoParams, ToSchema};

use super::{entries, known_watchlist, listed};
use crate::problems::refused;

pub(super) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token().translated(), handler!(watchlist_companies))
        .route(writes(0), handler!(add_watchlist_companies))
        .route(writes(0), handler!(remove_watchlist_company))
}

/// Maximum number of companies in one request.
pub(super) const MAX_ADDED: usize = 1_000;
/// Number of companies that are counted as one request.
const COUNTED_TOGETHER: usize = 10;
/// Number of batches of companies that are read in parallel, and their size.
const PARALLEL_BATCHES: usize = 4;
const BATCH: usize = 100;

#[derive(Debug, thiserror::Error)]
#[error("the watchlist `{0}` does not contain {1}")]
struct NotListed(String, Uid);

#[derive(Debug, thiserror::Error)]
#[error("the tier `{tier}` allows {max} companies in all watchlists of a team together")]
struct TooManyListed {
    tier: Tier,
    max: u32,
}

/// The companies of a watchlist.
#[derive(Serialize, ToSchema)]
struct WatchlistCompanies {
    /// Company numbers, in ascending order.
    uids: Vec<Uid>,
    /// Companies of `uids` with name, canton and status, in the same order.
    companies: Vec<WatchlistCompany>,
}

/// A company of a watchlist.
#[skip_serializing_none]
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WatchlistCompany {
    /// Company number (UID).
    #[schema(value_type = String, example = "CHE-812.460.660")]
    uid: Uid,
    /// Current name. Empty if the company is no longer in the register.
    name: String,
    /// Status.
    status: Option<Status>,
    /// Canton of the seat.
    #[schema(value_type = Option<String>, example = "ZH")]
    canton: Option<Canton>,
    /// Why the company causes no notifications at present. Absent if it does.
    paused_reason: Option<PausedReason>,
}

impl WatchlistCompany {
    /// A company that is no longer in the register.
    fn absent(uid: Uid) -> Self {
        Self { uid, name: String::new(), status: None, canton: None, paused_reason: None }
    }
}

/// List a watchlist's companies
///
/// All companies of the watchlist, sorted by number.
#[utoipa::path(
    get,
    path = "/v1/watchlists/{id}/companies",
    tag = "Watchlists",
    params(("id" = Uuid, Path, description = "Id of the watchlist.", example = "0199c0de-0040-7000-8000-000000000000")),
    responses((status = OK, body = WatchlistCompanies)),
)]
async fn watchlist_companies(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<WatchlistCompanies>, Problem> {
    let entries = entries(&state, &team, &id).await?;
    let within = state.tenants.watches_within_tier(&team, caller.tier()).await?;
    let uids: Vec<Uid> = entries.iter().map(|it| it.company_uid).collect();
    let found = companies(&state.registry, &uids).await?;
    let company = |entry: &WatchlistEntry| {
        let known = found.get(&entry.company_uid).cloned();
        let is_paused = !within.includes_listed(&id, entry.added());
        WatchlistCompany {
            paused_reason: is_paused.then_some(PausedReason::Tier),
            ..known.unwrap_or_else(|| WatchlistCompany::absent(entry.company_uid))
        }
    };
    let companies = entries.iter().map(company).collect();
    Ok(JsonResponse(WatchlistCompanies { uids, companies }))
}

/// Those of these companies that are in the register.
pub(super) async fn companies(
    registry: &Registry,
    uids: &[Uid],
) -> Result<HashMap<Uid, WatchlistCompany>, Problem> {
    let batches: Vec<Vec<Uid>> = uids.chunks(BATCH).map(<[Uid]>::to_vec).collect();
    let batches = stream::iter(batches).map(|uids| {
        let registry = registry.clone();
        async move {
            let companies = registry.companies(&uids).await?;
            let company = |it: domain::Company| {
                let (uid, name, status, canton) = (it.uid, it.name, it.status, it.canton);
                (uid, WatchlistCompany { uid, name, status, canton, paused_reason: None })
            };
            Ok::<_, store::Error>(companies.into_iter().map(company).collect::<Vec<_>>())
        }
    });
    let found: Vec<Vec<_>> = batches.buffer_unordered(PARALLEL_BATCHES).try_collect().await?;
    Ok(found.into_iter().flatten().collect())
}

/// Companies to add to a watchlist.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AddCompanies {
    /// Company numbers (UID), at most 1,000.
    #[schema(inline, value_type = Vec<GivenUid>, max_items = 1_000, example = json!(["CHE-812.460.660"]))]
    uids: Vec<Uid>,
}

/// Result of adding companies to a watchlist.
#[derive(Serialize, ToSchema)]
struct AddedCompanies {
    /// Number of companies that the watchlist did not contain before.
    added: usize,
}

/// Add companies to a watchlist
///
/// Changes of these companies cause notifications, as for watches. A watchlist can have 5,000 companies, and the watchlists of a
/// team can together have 1,000 (Free), 2,000 (Starter), 5,000 (Professional) or 500,000 (Enterprise); a company in two of them
/// counts twice. After a change to a lower tier, the companies of the newest watchlists pause, and in the oldest of these the newest
/// companies (`pausedReason`). Each group of up to 10 new companies counts as one request, even if the request is refused because a
/// company is not in the register.
#[utoipa::path(
    post,
    path = "/v1/watchlists/{id}/companies",
    tag = "Watchlists",
    params(("id" = Uuid, Path, description = "Id of the watchlist.", example = "0199c0de-0040-7000-8000-000000000000")),
    request_body = AddCompanies,
    responses((status = OK, body = AddedCompanies)),
)]
async fn add_watchlist_companies(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<AddCompanies>,
) -> Result<JsonResponse<AddedCompanies>, Problem> {
    if request.uids.len() > MAX_ADDED {
        let detail =
            format!("must have at most {MAX_ADDED} company numbers; got {}", request.uids.len());
        return Err(Problem::invalid("uids", detail));
    }
    let known: HashSet<Uid> = listed(&state, &team, &id).await?.into_iter().collect();
    let mut seen = HashSet::new();
    let is_new = |it: &Uid| !known.contains(it) && seen.insert(*it);
    let new: Vec<Uid> = request.uids.into_iter().filter(is_new).collect();
    count_companies(&state, &caller, new.len()).await?;
    let registered = companies(&state.registry, &new).await?;
    if let Some(unknown) = new.iter().find(|it| !registered.contains_key(it)) {
        return Err(Problem::invalid("uids", UnknownCompany(*unknown)));
    }
    let added = add(&state, &team, &caller, &id, known.len(), new).await?;
    Ok(JsonResponse(AddedCompanies { added }))
}

/// Counts a request that adds companies as several requests, or refuses it with 429. It has already been counted once.
async fn count_companies(
    state: &crate::State,
    caller: &Caller,
    companies: usize,
) -> Result<(), Problem> {
    let more = companies.div_ceil(COUNTED_TOGETHER).saturating_sub(1);
    let units = u32::try_from(more).unwrap_or(u32::MAX);
    let (group, tier, now) = (RateGroup::Account, caller.tier(), state.clock.now());
    let Some(allowance) = group.allowance(tier).filter(|_| units > 0) else { return Ok(()) };
    let (limit, subject) = (allowance.requests, Subject::of(caller));
    match state.counters.take_units(&subject, group, units, limit, now).await {
        Ok(Counted::Now { .. }) => Ok(()),
        Ok(Counted::Full) => {
            let detail = format!(
                "adding {companies} companies counts as {} requests; the tier `{tier}` allows \
                 {limit} `{group}` requests per {}",
                more + 1,
                allowance.window.word()
            );
            Err(Problem::new(&RATE_LIMIT_EXCEEDED, detail)
                .with("group", group)
                .with("window", allowance.window.header())
                .with("limit", limit)
                .with("retryAfterSeconds", allowance.window.seconds_to_reset(now))
                .with("violatedPolicies", [group]))
        }
        // As for the request itself.
        Err(failure) => {
            tracing::error!(
                metric = "MeteringFailure",
                %group,
                failure = errors::chain(&failure),
                "companies of a request not counted"
            );
            Ok(())
        }
    }
}

/// Adds companies of the register to a watchlist with a number of other companies, and returns how many were added.
pub(super) async fn add(
    state: &crate::State,
    team: &TeamKey,
    caller: &Caller,
    id: &str,
    known: usize,
    new: Vec<Uid>,
) -> Result<usize, Problem> {
    let max = TeamLimits::of(caller.tier()).listed_companies as usize;
    let of_team = state.tenants.number_of_listed(team).await?;
    let is_full = known + new.len() > MAX_LISTED_COMPANIES as usize || of_team + new.len() > max;
    if is_full && !new.is_empty() {
        return Err(full(caller.tier()));
    }
    let (after_sequence, added_at) = (state.registry.feed_end().await?, state.clock.now());
    let entry = |company_uid| WatchlistEntry {
        watchlist_id: id.to_owned(),
        company_uid,
        after_sequence,
        created_by: caller.principal().clone(),
        added_at,
    };
    let entries: Vec<WatchlistEntry> = new.into_iter().map(entry).collect();
    let tier = caller.tier();
    match state.tenants.add_to_watchlist(team, tier, id, &entries).await {
        Ok(added) => Ok(added),
        Err(Refused::LimitReached { .. }) => Err(full(tier)),
        Err(other) => {
            // It may have been deleted meanwhile.
            known_watchlist(state, team, id).await?;
            Err(refused(other))
        }
    }
}

/// The problem of companies that a watchlist of a team of this tier cannot have in addition.
fn full(tier: Tier) -> Problem {
    let max = TeamLimits::of(tier).listed_companies;
    // If all watchlists together cannot have more companies than one, that limit is reached first.
    if max <= MAX_LISTED_COMPANIES {
        return Problem::conflict(TooManyListed { tier, max });
    }
    refused(Refused::LimitReached { kind: Kind::WatchlistEntry, max: MAX_LISTED_COMPANIES })
}

/// A company of a watchlist in a path.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct ListedPath {
    /// Id of the watchlist.
    #[param(value_type = Uuid, example = "0199c0de-0040-7000-8000-000000000000")]
    id: String,
    /// Company number (UID).
    #[param(inline, value_type = GivenUid, example = "CHE-812.460.660")]
    uid: Uid,
}

/// Remove a company from a watchlist
///
/// Changes of the company no longer cause notifications, unless a watch or another watchlist contains it.
#[utoipa::path(
    delete,
    path = "/v1/watchlists/{id}/companies/{uid}",
    tag = "Watchlists",
    params(ListedPath),
    responses((status = NO_CONTENT)),
)]
async fn remove_watchlist_company(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Path(ListedPath { id, uid }): Path<ListedPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    known_watchlist(&state, &team, &id).await?;
    match state.tenants.remove_from_watchlist(&team, &id, uid).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Problem::not_found(NotListed(id, uid))),
    }
}
