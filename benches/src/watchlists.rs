//! A watchlist that a measurement needs.

use access::Tier;
use auth::Principal;
use domain::Uid;
use store::{TeamKey, Tenants};
use teams::{Watchlist, WatchlistEntry};
use uuid::Uuid;

use crate::{Error, machine};

/// Creates a watchlist with these companies, and returns its id.
pub(crate) async fn create(
    tenants: &Tenants,
    team: &TeamKey,
    companies: impl IntoIterator<Item = Uid>,
) -> Result<String, Error> {
    let (id, now, created_by) =
        (Uuid::now_v7().to_string(), machine::now(), Principal::api_key("k"));
    let watchlist = Watchlist {
        id: id.clone(),
        name: "All".to_owned(),
        description: String::new(),
        created_by: created_by.clone(),
        created_at: now,
        updated_at: now,
    };
    tenants.create(team, Tier::Enterprise, &watchlist).await?;
    let entry = |company_uid| WatchlistEntry {
        watchlist_id: id.clone(),
        company_uid,
        after_sequence: 0,
        created_by: created_by.clone(),
        added_at: now,
    };
    let entries: Vec<WatchlistEntry> = companies.into_iter().map(entry).collect();
    tenants.add_to_watchlist(team, Tier::Enterprise, &id, &entries).await?;
    Ok(id)
}
