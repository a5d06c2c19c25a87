use std::sync::Arc;

use domain::lists::List;
use objects::Objects;
use tokio::sync::Mutex;

use crate::{Changes, Error};

/// The changes that a worker compared last. The parts of a re-screening need the same ones.
#[derive(Clone, Debug, Default)]
pub struct LastChanges(Arc<Mutex<Option<Remembered>>>);

#[derive(Debug)]
struct Remembered {
    list: List,
    before: Option<String>,
    changes: Arc<Changes>,
}

impl LastChanges {
    /// As [`Changes::between`]. Versions do not change, so these are compared once.
    pub async fn between(
        &self,
        objects: &Objects,
        list: List,
        before: Option<&str>,
        version: &str,
    ) -> Result<Option<Arc<Changes>>, Error> {
        let mut last = self.0.lock().await;
        let is_same = |it: &&Remembered| {
            it.list == list && it.before.as_deref() == before && it.changes.version.id == version
        };
        if let Some(known) = last.as_ref().filter(is_same) {
            return Ok(Some(known.changes.clone()));
        }
        // Their memory is free before others are read.
        *last = None;
        let Some(changes) = Changes::between(objects, list, before, version).await? else {
            return Ok(None);
        };
        let changes = Arc::new(changes);
        let before = before.map(str::to_owned);
        *last = Some(Remembered { list, before, changes: changes.clone() });
        Ok(Some(changes))
    }
}
