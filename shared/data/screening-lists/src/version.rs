use domain::lists::{List, ListVersion};
use jiff::Timestamp;
use objects::Objects;
use serde::{Deserialize, Serialize};

use crate::Error;

/// A published version of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishedVersion {
    /// A UUIDv7, so that ids sort by time. Another one for the same file if it was read by another version of the reader.
    pub id: String,
    /// Which file was read.
    #[serde(flatten)]
    pub version: ListVersion,
    /// When it was published.
    pub published_at: Timestamp,
    /// Size of the compressed entries in bytes.
    pub size: u64,
    /// SHA-256 of the compressed entries, in hexadecimal.
    pub entries_sha256: String,
    /// Number of entries that could not be read in this version; for them, the entries of earlier versions are used.
    pub kept: u64,
    /// Number of records that could not be read, and whose entries are in no earlier version: nobody finds them.
    pub unsearched: u64,
}

/// The content of `current.json`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Current {
    pub(crate) id: String,
}

pub(crate) fn current_key(list: List) -> String {
    format!("screening/{list}/current.json")
}

fn description_key(list: List, id: &str) -> String {
    format!("screening/{list}/versions/{id}/version.json")
}

pub(crate) fn entries_key(list: List, id: &str) -> String {
    format!("screening/{list}/versions/{id}/entries.jsonl.gz")
}

/// The id of the current version of a list. `None` before the first.
pub(crate) async fn current_id(objects: &Objects, list: List) -> Result<Option<String>, Error> {
    let Some(current) = objects.get(&current_key(list)).await? else { return Ok(None) };
    let Current { id } = serde_json::from_slice(&current).map_err(|it| Error::Damaged {
        list,
        version: "current.json".to_owned(),
        reason: it.to_string(),
    })?;
    Ok(Some(id))
}

impl PublishedVersion {
    /// The version with this id. `None` if it does not exist.
    pub(crate) async fn read(
        objects: &Objects,
        list: List,
        id: &str,
    ) -> Result<Option<Self>, Error> {
        let Some(description) = objects.get(&description_key(list, id)).await? else {
            return Ok(None);
        };
        let damaged = |reason: String| Error::Damaged { list, version: id.to_owned(), reason };
        let read: Self =
            serde_json::from_slice(&description).map_err(|it| damaged(it.to_string()))?;
        if read.id != id || read.version.list != list {
            return Err(damaged("its description is that of another version".to_owned()));
        }
        Ok(Some(read))
    }

    pub(crate) async fn write(&self, objects: &Objects) -> Result<(), Error> {
        let key = description_key(self.version.list, &self.id);
        Ok(objects.put(&key, json(self)).await?)
    }
}

pub(crate) fn json(value: &impl Serialize) -> Vec<u8> {
    #[expect(clippy::expect_used, reason = "plain data")]
    serde_json::to_vec(value).expect("plain data always serialises")
}
