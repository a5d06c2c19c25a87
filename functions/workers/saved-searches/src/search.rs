//! The stored search of a run.

use accounts::{Alert, SavedSearch, SearchKind, SearchParams, StoredSearch};
use auth::Principal;
use store::{TeamKey, Tenants};

/// What a run needs of a saved search or an alert.
pub(crate) struct Search {
    pub(crate) name: String,
    pub(crate) saved_search_id: Option<String>,
    pub(crate) params: SearchParams,
    pub(crate) is_scheduled: bool,
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
    ) -> Result<Option<Self>, store::Error> {
        Ok(match stored.kind {
            SearchKind::SavedSearch => {
                tenants.resource::<SavedSearch>(team, &stored.id).await?.map(|it| Self {
                    is_scheduled: it.schedule().is_some(),
                    has_webhook: false,
                    created_by: it.created_by,
                    name: it.name,
                    saved_search_id: Some(it.id),
                    params: it.search_params,
                })
            }
            SearchKind::Alert => {
                tenants.resource::<Alert>(team, &stored.id).await?.map(|it| Self {
                    is_scheduled: it.schedule().is_some(),
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
