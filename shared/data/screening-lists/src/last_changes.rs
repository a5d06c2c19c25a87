use std::sync::Arc;

use domain::lists::List;
use objects::Objects;
use published::{Error, Last};

use crate::Changes;

/// The changes that a worker compared last. The parts of a re-screening need the same ones.
#[derive(Clone, Debug, Default)]
pub struct LastChanges(Last<(List, Option<String>, String), Arc<Changes>>);

impl LastChanges {
    /// As [`Changes::between`]. Versions do not change, so these are compared once.
    pub async fn between(
        &self,
        objects: &Objects,
        list: List,
        before: Option<&str>,
        version: &str,
    ) -> Result<Option<Arc<Changes>>, Error> {
        let compare = Changes::between(objects, list, before, version);
        let key = (list, before.map(str::to_owned), version.to_owned());
        self.0.get(key, async { Ok(compare.await?.map(Arc::new)) }).await
    }
}
