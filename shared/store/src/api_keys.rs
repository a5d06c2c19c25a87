use access::Environment;
use auth::{Credential, KeyId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{ATTEMPTS, Error, TeamKey, Tenants, keys, table::Write};

/// An API key as it is stored: what its owner sees of it, and what lets it in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiKeyRecord {
    /// A UUIDv7; stays the same when the secret is rotated.
    pub id: String,
    pub name: String,
    /// `gth_live_` or `gth_test_` and the key id: enough to recognise it.
    pub prefix: String,
    pub credential: Credential,
    pub created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
    /// Changes with every write, so that two writers cannot undo each other.
    version: String,
}

/// What a new key is stored with.
#[derive(Clone, Debug)]
pub struct NewApiKey {
    pub name: String,
    pub prefix: String,
    pub credential: Credential,
    pub created_at: Timestamp,
}

/// The record of a key that somebody presents; nothing is proved yet.
#[derive(Clone, Debug)]
pub struct PresentedKey {
    pub record: ApiKeyRecord,
    lies_in: TeamKey,
}

/// Where the record of a presented key lies.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Way {
    team: auth::TeamId,
    environment: Environment,
    id: String,
}

impl Tenants {
    /// The keys that a team made in this environment, the oldest first, revoked ones among them.
    pub async fn api_keys(&self, team: &TeamKey) -> Result<Vec<ApiKeyRecord>, Error> {
        self.table.query(keys::api_keys(team)).await
    }

    pub async fn api_key(&self, team: &TeamKey, id: &str) -> Result<Option<ApiKeyRecord>, Error> {
        self.table.get(keys::api_key(team, id)).await
    }

    /// The record of the key that somebody presents, wherever it lies.
    pub async fn presented_key(&self, id: &KeyId) -> Result<Option<PresentedKey>, Error> {
        let Some(way) = self.table.get::<Way>(keys::presented_key(id)).await? else {
            return Ok(None);
        };
        let lies_in = TeamKey::way_to(way.team, way.environment);
        let record = self.api_key(&lies_in, &way.id).await?;
        Ok(record.map(|record| PresentedKey { record, lies_in }))
    }

    pub async fn create_api_key(
        &self,
        team: &TeamKey,
        new: NewApiKey,
    ) -> Result<ApiKeyRecord, Error> {
        let record = ApiKeyRecord {
            id: Uuid::now_v7().to_string(),
            name: new.name,
            prefix: new.prefix,
            credential: new.credential,
            created_at: new.created_at,
            last_used_at: None,
            version: Uuid::new_v4().to_string(),
        };
        let writes = vec![
            Write::put(keys::api_key(team, &record.id), &record)?.if_absent(),
            Self::way(team, &record)?,
        ];
        self.table.transact(writes).await?;
        Ok(record)
    }

    /// Revokes a key. Revoking it again changes nothing. `false`: there is no such key.
    pub async fn revoke_api_key(
        &self,
        team: &TeamKey,
        id: &str,
        now: Timestamp,
    ) -> Result<bool, Error> {
        for _ in 0..ATTEMPTS {
            let Some(record) = self.api_key(team, id).await? else { return Ok(false) };
            if record.credential.revoked_at.is_some() {
                return Ok(true);
            }
            let mut revoked = record.clone();
            revoked.credential.revoked_at = Some(now);
            match self.replace_api_key(team, &record, revoked, vec![]).await {
                Err(Error::Changed) => {}
                other => return other.map(|_| true),
            }
        }
        Err(Error::Changed)
    }

    /// Gives a key another secret; the one before is no longer found. [`Error::Changed`]: somebody
    /// else changed the key meanwhile.
    pub async fn rotate_api_key(
        &self,
        team: &TeamKey,
        record: &ApiKeyRecord,
        prefix: String,
        credential: Credential,
    ) -> Result<ApiKeyRecord, Error> {
        let rotated = ApiKeyRecord { prefix, credential, ..record.clone() };
        let ways = vec![
            Self::way(team, &rotated)?,
            Write::delete(keys::presented_key(&record.credential.key_id)),
        ];
        self.replace_api_key(team, record, rotated, ways).await
    }

    /// Notes that a key was used.
    pub async fn touch_api_key(&self, used: &PresentedKey, now: Timestamp) -> Result<(), Error> {
        let key = keys::api_key(&used.lies_in, &used.record.id);
        match self.table.set(key, "lastUsedAt", now.to_string()).await {
            Err(Error::Changed) => Ok(()),
            other => other,
        }
    }

    async fn replace_api_key(
        &self,
        team: &TeamKey,
        old: &ApiKeyRecord,
        new: ApiKeyRecord,
        mut others: Vec<Write>,
    ) -> Result<ApiKeyRecord, Error> {
        let new = ApiKeyRecord { version: Uuid::new_v4().to_string(), ..new };
        let put = Write::put(keys::api_key(team, &old.id), &new)?;
        others.push(put.if_field("version", &old.version));
        self.table.transact(others).await?;
        Ok(new)
    }

    fn way(team: &TeamKey, record: &ApiKeyRecord) -> Result<Write, Error> {
        let way = Way {
            team: team.team().clone(),
            environment: team.environment(),
            id: record.id.clone(),
        };
        Ok(Write::put(keys::presented_key(&record.credential.key_id), &way)?.if_absent())
    }
}
