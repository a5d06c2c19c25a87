use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use sources::Source;

use crate::{Error, Registry, keys};

/// What the loader has read of one source so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceStatus {
    /// Records that were read, over all runs.
    pub read: u64,
    /// Facts that were new.
    pub stored: u64,
    /// Records that could not be read; they are kept in the quarantine.
    pub quarantined: u64,
    /// The newest publication that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newest_publication: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_run_at: Option<Timestamp>,
}

impl Registry {
    pub async fn source_status(&self, source: Source) -> Result<SourceStatus, Error> {
        Ok(self.table.get(keys::source_status(source)).await?.unwrap_or_default())
    }

    pub async fn put_source_status(
        &self,
        source: Source,
        status: &SourceStatus,
    ) -> Result<(), Error> {
        self.table.put(keys::source_status(source), status).await
    }
}
