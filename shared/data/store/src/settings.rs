use auth::Principal;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Error, TeamKey, Tenants, keys};

/// Free-form settings, stored as one text so that every JSON value is returned as it was given.
#[derive(Serialize, Deserialize)]
struct Settings {
    settings: Map<String, Value>,
}

impl Tenants {
    /// The settings of a user, or those that the team's API keys share. Empty if none were stored.
    pub async fn settings(
        &self,
        team: &TeamKey,
        principal: &Principal,
    ) -> Result<Map<String, Value>, Error> {
        let stored = self.table.get::<Settings>(keys::settings(team, &principal.owner())).await?;
        Ok(stored.map(|it| it.settings).unwrap_or_default())
    }

    /// Replaces the settings.
    pub async fn put_settings(
        &self,
        team: &TeamKey,
        principal: &Principal,
        settings: Map<String, Value>,
    ) -> Result<(), Error> {
        let key = keys::settings(team, &principal.owner());
        self.table.put_documents([(key, Settings { settings })]).await
    }
}
