//! The list of erasures as those read it who store something.

use domain::Uid;
use facts::erasures::{Erasure, Erasures, HashKey};

use crate::{
    Error, Registry,
    keys::{self, Key},
    table::{REVISION, Write},
};

/// The list as a writer about one company has read it, and the condition of what it writes: the list was not applied since.
pub(crate) struct HeldErasures {
    pub(crate) erasures: Erasures,
    version: usize,
    key: Key,
}

impl HeldErasures {
    /// The condition.
    pub(crate) fn check(&self) -> Write {
        Write::check(self.key.clone()).if_revision(self.version)
    }
}

impl Registry {
    /// The list of erasures.
    pub async fn erasures(&self) -> Result<Erasures, Error> {
        let entries = self.erasure_list().await?;
        match entries.is_empty() {
            true => Ok(Erasures::default()),
            false => Ok(Erasures::new(self.hash_key().await?.unwrap_or_default(), entries)),
        }
    }

    /// The list, for a transaction that stores facts about a company. The version is read before the entries, so that it is never
    /// newer than they are.
    pub(crate) async fn held_erasures(&self, uid: Uid) -> Result<HeldErasures, Error> {
        let key = keys::register_erasures_version_of(uid);
        let version = self.table.get_row(key.clone()).await?.and_then(|it| it.number(REVISION));
        let erasures = self.erasures().await?;
        Ok(HeldErasures { erasures, version: version.unwrap_or_default(), key })
    }

    /// The entries of the list.
    pub async fn erasure_list(&self) -> Result<Vec<Erasure>, Error> {
        self.table.query(keys::register_erasures()).await
    }

    async fn hash_key(&self) -> Result<Option<HashKey>, Error> {
        self.table.get(keys::register_erasure_hash_key()).await
    }
}
