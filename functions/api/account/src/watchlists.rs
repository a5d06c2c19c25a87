//! Watchlists: named lists of companies that a team watches.

mod companies;
mod events;
mod lists;
mod numbers;
mod upload;

use domain::Uid;
use http_service::{Description, Routes};
use problem_details::Problem;
use store::{TeamKey, path_within};
use teams::{Watchlist, WatchlistEntry};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .merge(lists::routes())
        .merge(companies::routes())
        .merge(events::routes())
        .merge(upload::routes())
}

#[derive(Debug, thiserror::Error)]
#[error("the team has no watchlist with the id `{0}`")]
struct UnknownWatchlist(String);

async fn known_watchlist(
    state: &crate::State,
    team: &TeamKey,
    id: &str,
) -> Result<Watchlist, Problem> {
    let watchlist = state.tenants.resource(team, id).await?;
    watchlist.ok_or_else(|| Problem::not_found(UnknownWatchlist(id.to_owned())))
}

/// The companies of a watchlist, by number. The watchlist must exist.
async fn listed(state: &crate::State, team: &TeamKey, id: &str) -> Result<Vec<Uid>, Problem> {
    let entries = entries(state, team, id).await?;
    Ok(entries.into_iter().map(|it| it.company_uid).collect())
}

/// As [`listed`], with what is stored about each.
async fn entries(
    state: &crate::State,
    team: &TeamKey,
    id: &str,
) -> Result<Vec<WatchlistEntry>, Problem> {
    known_watchlist(state, team, id).await?;
    Ok(state.tenants.resources(team, &path_within(id, "")).await?)
}
