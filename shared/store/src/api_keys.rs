use access::Environment;
use auth::{Credential, KeyId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{ATTEMPTS, Error, TeamKey, Tenants, keys, table::Write};

/// An API key as stored: what its owner sees, and the credential that verifies it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiKeyRecord {
    /// A UUIDv7. Rotation keeps it.
    pub id: String,
    pub name: String,
    /// `gth_live_` or `gth_test_` followed by the key id. Lets the owner recognise the key.
    pub prefix: String,
    pub credential: Credential,
    pub created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
    /// Random, new with every write. Prevents two writers from overwriting each other.
    version: String,
}

/// The data of a new key.
#[derive(Clone, Debug)]
pub struct NewApiKey {
    pub name: String,
    pub prefix: String,
    pub credential: Credential,
    pub created_at: Timestamp,
}

/// The record of the key that a request presents. The secret is not verified yet.
#[derive(Clone, Debug)]
pub struct PresentedKey {
    pub record: ApiKeyRecord,
    team: TeamKey,
}

/// Location of the record of a presented key.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Location {
    team: auth::TeamId,
    environment: Environment,
    id: String,
}

impl Tenants {
    /// The keys of a team in this environment, revoked ones included, oldest first.
    pub async fn api_keys(&self, team: &TeamKey) -> Result<Vec<ApiKeyRecord>, Error> {
        self.table.query(keys::api_keys(team)).await
    }

    pub async fn api_key(&self, team: &TeamKey, id: &str) -> Result<Option<ApiKeyRecord>, Error> {
        self.table.get(keys::api_key(team, id)).await
    }

    /// The record of the key with this key id, of any team.
    pub async fn presented_key(&self, id: &KeyId) -> Result<Option<PresentedKey>, Error> {
        let Some(location) = self.table.get::<Location>(keys::presented_key(id)).await? else {
            return Ok(None);
        };
        let team = TeamKey::of_presented_key(location.team, location.environment);
        let record = self.api_key(&team, &location.id).await?;
        Ok(record.map(|record| PresentedKey { record, team }))
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
            Self::location(team, &record)?,
        ];
        self.table.transact(writes).await?;
        Ok(record)
    }

    /// Revokes a key. Revoking it again changes nothing. `false`: the key does not exist.
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

    /// Replaces the secret of a key. The old secret stops working at once. [`Error::Changed`]: the key was
    /// changed concurrently.
    pub async fn rotate_api_key(
        &self,
        team: &TeamKey,
        record: &ApiKeyRecord,
        prefix: String,
        credential: Credential,
    ) -> Result<ApiKeyRecord, Error> {
        let rotated = ApiKeyRecord { prefix, credential, ..record.clone() };
        let writes = vec![
            Self::location(team, &rotated)?,
            Write::delete(keys::presented_key(&record.credential.key_id)),
        ];
        self.replace_api_key(team, record, rotated, writes).await
    }

    /// Records that a key was used at `now`.
    pub async fn touch_api_key(&self, used: &PresentedKey, now: Timestamp) -> Result<(), Error> {
        let key = keys::api_key(&used.team, &used.record.id);
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
        mut writes: Vec<Write>,
    ) -> Result<ApiKeyRecord, Error> {
        let new = ApiKeyRecord { version: Uuid::new_v4().to_string(), ..new };
        let put = Write::put(keys::api_key(team, &old.id), &new)?;
        writes.push(put.if_field("version", &old.version));
        self.table.transact(writes).await?;
        Ok(new)
    }

    fn location(team: &TeamKey, record: &ApiKeyRecord) -> Result<Write, Error> {
        let location = Location {
            team: team.team().clone(),
            environment: team.environment(),
            id: record.id.clone(),
        };
        Ok(Write::put(keys::presented_key(&record.credential.key_id), &location)?.if_absent())
    }
}
