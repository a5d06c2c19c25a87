use std::{collections::HashMap, sync::Arc};

use domain::{Uid, lists::List};
use objects::Objects;

use crate::{
    Error, Published, ScreenedCompany, current,
    files::{damaged, from_lines, get, long_numbers, numbers},
    run::{FINGERPRINTS, HITS, NUMBERS},
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

impl EarlierResult {
    /// The current result of a list, if it is the one with this id. `known` is returned if it is that one.
    pub async fn read(
        objects: &Objects,
        list: List,
        id: &str,
        known: Option<Arc<Self>>,
    ) -> Result<Option<Arc<Self>>, Error> {
        let Some(published) = current(objects, list).await?.filter(|it| it.id == id) else {
            return Ok(None);
        };
        if let Some(known) = known.filter(|it| it.published == published) {
            return Ok(Some(known));
        }
        let (key, digest) = (published.key(NUMBERS), published.numbers_sha256.as_str());
        let numbers = numbers(&get(objects, &key, Some(digest)).await?);
        let (key, digest) = (published.key(FINGERPRINTS), published.fingerprints_sha256.as_str());
        let fingerprints = long_numbers(&get(objects, &key, Some(digest)).await?);
        if fingerprints.len() != numbers.len() {
            return Err(damaged(&key, "it has not as many hashes as there are companies"));
        }
        let listed = listed(objects, &published).await?;
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

/// The companies with hits or parents.
pub(crate) async fn listed(
    objects: &Objects,
    published: &Published,
) -> Result<HashMap<Uid, ScreenedCompany>, Error> {
    let key = published.key(HITS);
    let lines = get(objects, &key, Some(&published.hits_sha256)).await?;
    let companies: Vec<ScreenedCompany> = from_lines(&key, &lines)?;
    Ok(companies.into_iter().map(|it| (it.uid, it)).collect())
}
