use access::Environment;
use auth::{Authority, Credential, Entitlement, KeyAuthor, KeyId, Member, RememberedKey};
use futures_util::future::try_join;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{ATTEMPTS, Error, TeamKey, Tenants, authors, keys, table::Write};

/// Maximum number of keys of a team in one environment that are not revoked.
pub const MAX_API_KEYS: usize = 100;
/// Maximum number of revoked keys in the list. Above it, the one that was revoked first leaves the list.
const MAX_REVOKED_KEYS: usize = 100;
/// How long a key stays in the list after it was revoked or has expired.
const RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Maximum number of keys that one transaction removes.
const MAX_REMOVED_KEYS: usize = 20;

/// Attributes that functions other than `account` write, too. `template.yaml` names them.
const LAST_USED: &str = "lastUsedAt";
const REMEMBERED: &str = "remembered";

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
    /// Whose rights the key depends on.
    pub author: KeyAuthor,
    pub created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
    /// That the key was verified, for other processes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub remembered: Option<RememberedKey>,
    /// Random, new with every write. Prevents two writers from overwriting each other.
    version: String,
    /// When DynamoDB deletes the item, in seconds since the Unix epoch. It does so up to two days late.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    expires: Option<i64>,
}

impl ApiKeyRecord {
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// The time at which the key leaves the list. `None`: it does not.
    fn leaves_at(&self) -> Option<Timestamp> {
        self.credential.ends_at().map(|it| it + RETENTION)
    }

    fn has_left(&self, now: Timestamp) -> bool {
        self.leaves_at().is_some_and(|it| it <= now)
    }

    /// This key with a new version.
    fn changed(self) -> Self {
        let expires = self.leaves_at().map(|it| it.as_second() + 1);
        Self { version: Uuid::new_v4().to_string(), expires, ..self }
    }
}

/// Separates the keys that are in the list from those that have left it.
fn listed(keys: Vec<ApiKeyRecord>, now: Timestamp) -> (Vec<ApiKeyRecord>, Vec<ApiKeyRecord>) {
    let revocation = |it: &ApiKeyRecord| Some((it.credential.revoked_at?, it.id.clone()));
    let mut revoked: Vec<_> = keys.iter().filter_map(revocation).collect();
    revoked.sort_unstable_by(|a, b| b.cmp(a));
    let oldest = revoked.into_iter().nth(MAX_REVOKED_KEYS - 1);
    keys.into_iter().partition(|it| {
        let is_recent = revocation(it).is_none_or(|it| oldest.as_ref().is_none_or(|at| it >= *at));
        is_recent && !it.has_left(now)
    })
}

/// The data of a new key.
#[derive(Clone, Debug)]
pub struct NewApiKey {
    pub name: String,
    pub prefix: String,
    pub credential: Credential,
    /// Whose rights the key depends on, from now on.
    pub author: KeyAuthor,
}

/// The record of the key that a request presents. The secret is not verified yet.
#[derive(Clone, Debug)]
pub struct PresentedKey {
    pub record: ApiKeyRecord,
    /// What its author may still delegate.
    pub authority: Authority,
    /// What the rate limits of its team depend on.
    pub entitlement: Entitlement,
    team: TeamKey,
}

/// Location of the record of a presented key.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Location {
    team: auth::TeamId,
    environment: Environment,
    id: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    expires: Option<i64>,
}

impl Tenants {
    /// The keys of a team in this environment, oldest first. Includes those that were revoked or have expired within
    /// 30 days, of the revoked ones at most the newest 100.
    pub async fn api_keys(
        &self,
        team: &TeamKey,
        now: Timestamp,
    ) -> Result<Vec<ApiKeyRecord>, Error> {
        Ok(listed(self.table.query(keys::api_keys(team)).await?, now).0)
    }

    /// The keys of [`Self::api_keys`], each with what its author may still delegate.
    pub async fn api_keys_with_authority(
        &self,
        team: &TeamKey,
        now: Timestamp,
    ) -> Result<Vec<(ApiKeyRecord, Authority)>, Error> {
        let keys = self.api_keys(team, now).await?;
        let members: Vec<Member> = match keys.iter().any(|it| it.author.user().is_some()) {
            true => self.resources(&team.of_members(), "").await?,
            false => Vec::new(),
        };
        let sso = match keys.iter().any(|it| it.author.through().is_some()) {
            true => self.read_vouching_sso(&team.of_members(), now).await?.map(|it| it.value),
            false => None,
        };
        let with_authority = |key: ApiKeyRecord| {
            let member = members.iter().find(|it| key.author.user() == Some(&it.user));
            let authority = authors::of_key_author(&key.author, member, sso.as_ref(), now);
            (key, authority)
        };
        Ok(keys.into_iter().map(with_authority).collect())
    }

    /// `None`: the team has no such key, or it was revoked or has expired more than 30 days ago.
    pub async fn api_key(
        &self,
        team: &TeamKey,
        id: &str,
        now: Timestamp,
    ) -> Result<Option<ApiKeyRecord>, Error> {
        let record: Option<ApiKeyRecord> = self.table.get(keys::api_key(team, id)).await?;
        Ok(record.filter(|it| !it.has_left(now)))
    }

    /// The record of the key with this key id, of any team. `None` also: its team is erased.
    pub async fn presented_key(
        &self,
        id: &KeyId,
        now: Timestamp,
    ) -> Result<Option<PresentedKey>, Error> {
        let Some(location) = self.table.get::<Location>(keys::presented_key(id)).await? else {
            return Ok(None);
        };
        let team = TeamKey::of_presented_key(location.team, location.environment);
        let record = self.table.get::<ApiKeyRecord>(keys::api_key(&team, &location.id));
        let (record, is_erased) = try_join(record, self.is_erased(team.team())).await?;
        let Some(record) = record.filter(|_| !is_erased) else { return Ok(None) };
        let entitlement = self.entitlement(&record.credential.team, now);
        let (authority, entitlement) =
            try_join(self.authority(&team, &record, now), entitlement).await?;
        Ok(Some(PresentedKey { record, authority, entitlement, team }))
    }

    /// What the author of a key may still delegate.
    async fn authority(
        &self,
        team: &TeamKey,
        record: &ApiKeyRecord,
        now: Timestamp,
    ) -> Result<Authority, Error> {
        let author = self.key_author(team, &record.author, now).await?;
        Ok(author.authority(&record.author, now))
    }

    /// Creates a key, and removes some that have left the list. `None`: the team already has [`MAX_API_KEYS`] keys
    /// that are not revoked.
    pub async fn create_api_key(
        &self,
        team: &TeamKey,
        new: NewApiKey,
    ) -> Result<Option<ApiKeyRecord>, Error> {
        let now = new.author.since();
        let record = ApiKeyRecord {
            id: Uuid::now_v7().to_string(),
            name: new.name,
            prefix: new.prefix,
            credential: new.credential,
            author: new.author,
            created_at: now,
            last_used_at: None,
            remembered: None,
            version: String::new(),
            expires: None,
        };
        let record = record.changed();
        for _ in 0..ATTEMPTS {
            // Before the keys: if another request creates a key in between, the write fails.
            let list = self.next_version(keys::api_key_list(team)).await?;
            let (current, left) = listed(self.table.query(keys::api_keys(team)).await?, now);
            let in_use = current.iter().filter(|it| it.credential.revoked_at.is_none());
            if in_use.count() >= MAX_API_KEYS {
                return Ok(None);
            }
            let mut writes = vec![
                list,
                Write::put(keys::api_key(team, &record.id), &record)?.if_absent(),
                Self::location(team, &record)?.if_absent(),
            ];
            for gone in left.iter().take(MAX_REMOVED_KEYS) {
                writes.push(Write::delete(keys::api_key(team, &gone.id)));
                writes.push(Write::delete(keys::presented_key(&gone.credential.key_id)));
            }
            match self.table.transact(writes).await {
                Err(Error::Changed) => {}
                done => return done.map(|()| Some(record)),
            }
        }
        Err(Error::Changed)
    }

    /// Revokes a key. Revoking it again changes nothing. `false`: the key does not exist.
    pub async fn revoke_api_key(
        &self,
        team: &TeamKey,
        id: &str,
        now: Timestamp,
    ) -> Result<bool, Error> {
        for _ in 0..ATTEMPTS {
            let Some(record) = self.api_key(team, id, now).await? else { return Ok(false) };
            if record.credential.revoked_at.is_some() {
                return Ok(true);
            }
            let mut revoked = record.clone();
            revoked.credential.revoked_at = Some(now);
            let revoked = revoked.changed();
            let location = Self::location(team, &revoked)?;
            match self.replace_api_key(team, &record, revoked, vec![location]).await {
                Err(Error::Changed) => {}
                other => return other.map(|_| true),
            }
        }
        Err(Error::Changed)
    }

    /// Replaces the secret of a key, and makes it depend on the rights of `author` from now on. The old secret stops working at
    /// once. [`Error::Changed`]: the key was changed concurrently.
    pub async fn rotate_api_key(
        &self,
        team: &TeamKey,
        record: &ApiKeyRecord,
        (prefix, credential): (String, Credential),
        author: KeyAuthor,
    ) -> Result<ApiKeyRecord, Error> {
        let still = self.authority(team, record, author.since());
        // What the same author has delegated with the key stays valid.
        let author = match record.author.is_same(&author) && still.await? != Authority::Ended {
            true => record.author.clone(),
            false => author,
        };
        let rotated =
            ApiKeyRecord { prefix, credential, author, remembered: None, ..record.clone() };
        let rotated = rotated.changed();
        let writes = vec![
            Self::location(team, &rotated)?.if_absent(),
            Write::delete(keys::presented_key(&record.credential.key_id)),
        ];
        self.replace_api_key(team, record, rotated, writes).await
    }

    /// Records that a key was used at `now`, and that it was verified.
    pub async fn touch_api_key(
        &self,
        used: &PresentedKey,
        verified: Option<&RememberedKey>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let key = keys::api_key(&used.team, &used.record.id);
        let mut fields = vec![(LAST_USED, now.to_string())];
        fields.extend(verified.map(|it| (REMEMBERED, it.as_str().to_owned())));
        match self.table.set(key, fields).await {
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
            expires: record.expires,
        };
        Write::put(keys::presented_key(&record.credential.key_id), &location)
    }
}
