use std::{collections::HashMap, sync::Arc};

use domain::{Uid, lists::List};
use objects::Objects;
use published::{Error, Last};

use crate::{
    Published, ScreenedCompany, current,
    files::{FINGERPRINTS, long_numbers},
    screened::ListResult,
};

/// The result before a run. Of companies whose names have not changed, only the changed entries of the list matter.
#[derive(Debug)]
pub struct EarlierResult {
    /// What it is the result of.
    pub published: Published,
    numbers: Vec<u32>,
    fingerprints: Vec<u64>,
    listed: HashMap<Uid, ScreenedCompany>,
}

/// The earlier result that was read last. All parts of a run need the same one.
pub type LastResult = Last<Published, Arc<EarlierResult>>;

impl EarlierResult {
    /// The current result of a list, if it is the one with this id.
    pub async fn read(
        objects: &Objects,
        list: List,
        id: &str,
        last: &LastResult,
    ) -> Result<Option<Arc<Self>>, Error> {
        let Some(published) = current(objects, list).await?.filter(|it| it.id == id) else {
            return Ok(None);
        };
        last.get(published.clone(), Self::open(objects, published)).await
    }

    async fn open(objects: &Objects, published: Published) -> Result<Option<Arc<Self>>, Error> {
        let digest = &published.fingerprints_sha256;
        let fingerprints = long_numbers(&published.file(objects, FINGERPRINTS, digest).await?);
        let ListResult { published, numbers, listed } =
            ListResult::read(objects, published).await?;
        if fingerprints.len() != numbers.len() {
            let key = published.key(objects, FINGERPRINTS);
            return Err(Error::damaged(&key, "it has not as many hashes as there are companies"));
        }
        Ok(Some(Arc::new(Self { published, numbers, fingerprints, listed })))
    }

    /// What was found about a company. `None`: it was not compared, or with other names.
    pub fn of(&self, uid: Uid, fingerprint: u64) -> Option<ScreenedCompany> {
        let at = self.numbers.binary_search(&uid.number()).ok()?;
        let is_same = self.fingerprints.get(at) == Some(&fingerprint);
        let without =
            || ScreenedCompany { uid, fingerprint, parents: Vec::new(), hits: Vec::new() };
        is_same.then(|| self.listed.get(&uid).cloned().unwrap_or_else(without))
    }
}
