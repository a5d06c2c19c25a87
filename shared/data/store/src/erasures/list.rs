//! The list of erasures: what must not come back, as hashes.

use std::collections::HashMap;

use auth::{Email, TeamId};
use facts::erasures::HashKey;
use futures_util::{TryStreamExt, pin_mut};
use jiff::Timestamp;

use super::{Erased, Erasure, Listed, TEAM, USER, hash};
use crate::{
    Error, Tenants, companies::readable, erasure::ADDRESS, keys,
    register_erasures::hash_key_or_new, table::Write,
};

/// The whole list, in memory.
pub(super) struct List {
    key: HashKey,
    entries: HashMap<String, Listed>,
}

impl List {
    pub(super) fn team(&self, id: &str) -> Option<&Listed> {
        self.entries.get(&hash(TEAM, id))
    }

    pub(super) fn user(&self, id: &str) -> Option<&Listed> {
        self.entries.get(&hash(USER, id))
    }

    pub(super) fn address(&self, address: &Email) -> Option<&Listed> {
        self.entries.get(self.key.address(address.as_str()).as_str())
    }
}

impl Tenants {
    /// The writes that put what is erased on the list. They only put items, and nothing is taken back from what is listed already.
    pub(super) async fn list_writes(
        &self,
        erasure: &Erasure,
        is_anonymous: bool,
    ) -> Result<Vec<Write>, Error> {
        let new = |kind: &str, keeps_evidence_for: Option<&str>| Listed {
            kind: kind.to_owned(),
            erased_at: erasure.requested_at,
            keeps_evidence_for: keeps_evidence_for.map(str::to_owned),
            user: None,
            is_anonymous,
        };
        let named = match &erasure.erased {
            Erased::Team { team, keeps_evidence_for } => {
                vec![(hash(TEAM, &team.0), new(TEAM, keeps_evidence_for.as_deref()))]
            }
            Erased::User { user, email, .. } => {
                let of_user = hash(USER, user);
                let mut named = vec![(of_user.clone(), new(USER, None))];
                if let Some(email) = email {
                    let address = Listed { user: Some(of_user), ..new(ADDRESS, None) };
                    named.push((self.hash_of_address(email).await?, address));
                }
                named
            }
            Erased::Address { email } => {
                vec![(self.hash_of_address(email).await?, new(ADDRESS, None))]
            }
            Erased::Member { .. } => Vec::new(),
        };
        let mut writes = Vec::new();
        for (hash, mut listed) in named {
            let key = keys::erased(&hash);
            let before: Option<Listed> = self.table.get(key.clone()).await?;
            if let Some(before) = &before {
                listed.erased_at = listed.erased_at.max(before.erased_at);
                listed.is_anonymous |= before.is_anonymous;
                listed.user = listed.user.or_else(|| before.user.clone());
                listed.keeps_evidence_for = before.keeps_evidence_for.clone();
            }
            if before.as_ref() != Some(&listed) {
                writes.push(Write::put_document(key, &listed)?);
            }
        }
        Ok(writes)
    }

    /// Puts what is erased on the list. `is_anonymous`: audit logs no longer mention it either.
    pub async fn put_on_list(&self, erasure: &Erasure, is_anonymous: bool) -> Result<(), Error> {
        match self.list_writes(erasure, is_anonymous).await? {
            writes if writes.is_empty() => Ok(()),
            writes => self.table.transact(writes).await,
        }
    }

    /// The hash of the user who had this address and was erased.
    pub(crate) async fn erased_user_with(&self, email: &Email) -> Result<Option<String>, Error> {
        let key = keys::erased(&self.hash_of_address(email).await?);
        Ok(self.table.get::<Listed>(key).await?.and_then(|it| it.user))
    }

    async fn hash_of_address(&self, email: &Email) -> Result<String, Error> {
        let key = hash_key_or_new(&self.table, keys::erasure_hash_key()).await?;
        Ok(key.address(email.as_str()).as_str().to_owned())
    }

    /// Reads the whole table. An entry that cannot be decoded is logged and left out.
    pub(super) async fn erasure_list(&self) -> Result<List, Error> {
        let key = self.table.get(keys::erasure_hash_key()).await?.unwrap_or_default();
        let mut entries = HashMap::new();
        let rows = self.table.scan_after("ERASED", None);
        pin_mut!(rows);
        while let Some(page) = rows.try_next().await? {
            for row in page {
                let Some(hash) = row.partition.strip_prefix(keys::ERASED) else { continue };
                let hash = hash.to_owned();
                if let Some(listed) = readable(row).transpose()? {
                    entries.insert(hash, listed);
                }
            }
        }
        Ok(List { key, entries })
    }
}

/// What is erased again if a team of the list is found.
pub(super) fn team(id: &str, listed: &Listed) -> (Erased, Timestamp) {
    let keeps_evidence_for = listed.keeps_evidence_for.clone();
    (Erased::Team { team: TeamId(id.to_owned()), keeps_evidence_for }, listed.erased_at)
}
