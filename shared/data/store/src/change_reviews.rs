use std::collections::HashMap;

use auth::TeamId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Error, TeamKey, Tenants, keys};

/// The review of a change by a team.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    pub change: Uuid,
    pub team: TeamId,
    pub reviewed_at: Timestamp,
}

impl Tenants {
    /// When the team reviewed these changes. Changes without a review are left out. Eventually consistent.
    pub async fn reviews(
        &self,
        team: &TeamKey,
        changes: impl IntoIterator<Item = Uuid>,
    ) -> Result<HashMap<Uuid, Timestamp>, Error> {
        let keys = changes.into_iter().map(|it| keys::change_review(team, it)).collect();
        let reviews: Vec<Review> = self.table.get_all(keys).await?;
        Ok(reviews.into_iter().map(|it| (it.change, it.reviewed_at)).collect())
    }

    /// Records that a team reviewed a change. A second review keeps the time of the first.
    pub async fn review_change(
        &self,
        team: &TeamKey,
        change: Uuid,
        now: Timestamp,
    ) -> Result<(), Error> {
        let key = keys::change_review(team, change);
        if self.table.get::<Review>(key.clone()).await?.is_some() {
            return Ok(());
        }
        let review = Review { change, team: team.team().clone(), reviewed_at: now };
        self.table.put(key, &review).await
    }
}
