//! The stored search of a run.

use auth::Principal;
use futures_util::future::try_join;
use jiff::Timestamp;
use store::{TeamKey, Tenants};
use teams::{Alert, SavedSearch, SearchKind, SearchParams, StoredSearch};

/// What a run needs of a saved search or an alert.
pub(crate) struct Search {
    pub(crate) name: String,
    pub(crate) saved_search_id: Option<String>,
    pub(crate) params: SearchParams,
    pub(crate) is_scheduled: bool,
    /// Whether the team has more searches than its present tier allows, and this is one of the newest.
    pub(crate) is_paused: bool,
    /// Whether new results are sent to a webhook with the same id.
    pub(crate) has_webhook: bool,
    /// Who saved it.
    pub(crate) created_by: Principal,
}

impl Search {
    /// `None`: it was deleted.
    pub(crate) async fn read(
        tenants: &Tenants,
        team: &TeamKey,
        stored: &StoredSearch,
        now: Timestamp,
    ) -> Result<Option<Self>, store::Error> {
        Ok(match stored.kind {
            SearchKind::SavedSearch => {
                let search = tenants.resource::<SavedSearch>(team, &stored.id);
                let within = tenants.within_present_tier::<SavedSearch>(team, now);
                let (search, within) = try_join(search, within).await?;
                search.map(|it| Self {
                    is_scheduled: it.schedule().is_some(),
                    is_paused: !within.includes(&it.id),
                    has_webhook: false,
                    created_by: it.created_by,
                    name: it.name,
                    saved_search_id: Some(it.id),
                    params: it.search_params,
                })
            }
            SearchKind::Alert => {
                let alert = tenants.resource::<Alert>(team, &stored.id);
                let within = tenants.within_present_tier::<Alert>(team, now);
                let (alert, within) = try_join(alert, within).await?;
                alert.map(|it| Self {
                    is_scheduled: it.schedule().is_some(),
                    is_paused: !within.includes(&it.id),
                    has_webhook: it.webhook_url.is_some(),
                    created_by: it.created_by,
                    name: it.name,
                    saved_search_id: it.saved_search_id,
                    params: it.query_params,
                })
            }
        })
    }
}
