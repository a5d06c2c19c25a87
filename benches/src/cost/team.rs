//! What a team keeps whose requests cost as much as those about the register: the widest saved search, the longest watchlist,
//! and a tag of many companies.

use access::Tier;
use auth::Principal;
use domain::Uid;
use serde_json::json;
use store::{MAX_LISTED_COMPANIES, TeamKey, Tenants};
use teams::{SavedSearch, SearchParams, Tag};
use uuid::Uuid;

use crate::{Error, machine, watchlists};

/// The name of the tag.
pub(super) const TAG: &str = "Measured";

/// The ids of what the team keeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    pub(super) search: String,
    pub(super) watchlist: String,
    pub(super) screening: String,
}

/// Creates it for a team, about these companies, except for the screening.
pub(super) async fn create(
    tenants: &Tenants,
    team: &TeamKey,
    companies: &[Uid],
) -> Result<Kept, Error> {
    let (now, created_by) = (machine::now(), Principal::api_key("k"));
    let params = json!({
        "search": "s", "boardMemberSearch": "s", "status": ["ACTIVE", "CANCELLED"], "hasLei": false,
        "enriched": true, "dataQualityMin": 0, "foundedAfter": "1800-01-01", "changedSince": "1900-01-01",
        "sortBy": "name",
    });
    let search = SavedSearch {
        id: Uuid::now_v7().to_string(),
        name: "Widest".to_owned(),
        description: None,
        search_params: SearchParams(params.as_object().cloned().unwrap_or_default()),
        is_scheduled: false,
        schedule_frequency: None,
        scheduled_at: None,
        created_by: created_by.clone(),
        created_at: now,
        updated_at: now,
    };
    tenants.create(team, Tier::Enterprise, &search).await?;
    let listed = companies.iter().take(MAX_LISTED_COMPANIES as usize).copied();
    let watchlist = watchlists::create(tenants, team, listed).await?;
    for uid in companies {
        let tag = Tag {
            id: Uuid::now_v7().to_string(),
            company_uid: *uid,
            tag_name: TAG.to_owned(),
            color: None,
            created_by: created_by.clone(),
            created_at: now,
        };
        tenants.create(team, Tier::Enterprise, &tag).await?;
    }
    Ok(Kept { search: search.id, watchlist, screening: String::new() })
}
