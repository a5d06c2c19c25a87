use access::Tier;
use auth::TeamId;
use serde::{Deserialize, Serialize};

use crate::{Error, Tenants, keys};

/// A team and its tier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Team {
    pub id: TeamId,
    pub name: String,
    pub tier: Tier,
}

impl Tenants {
    pub async fn team(&self, id: &TeamId) -> Result<Option<Team>, Error> {
        self.table.get(keys::team(id)).await
    }

    pub async fn put_team(&self, team: &Team) -> Result<(), Error> {
        self.table.put(keys::team(&team.id), team).await
    }
}
