use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Error, Tenants, keys::Key, table::Write};

/// The version of a list, such as a team's API keys, so that two requests at the same time cannot create an item each when
/// only one more is allowed. Read it before the list: if another request creates an item in between, the write fails.
#[derive(Serialize, Deserialize)]
pub(crate) struct ListVersion {
    version: String,
}

impl Tenants {
    /// The write that makes the list new, if no other request has done so meanwhile.
    pub(crate) async fn next_version(&self, key: Key) -> Result<Write, Error> {
        let list: Option<ListVersion> = self.table.get(key.clone()).await?;
        let next = Write::put(key, &ListVersion { version: Uuid::new_v4().to_string() })?;
        Ok(match &list {
            Some(list) => next.if_field("version", &list.version),
            None => next.if_absent(),
        })
    }
}
