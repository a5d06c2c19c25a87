use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use statements::Source;

use crate::{
    ATTEMPTS, Error, Registry, keys,
    table::{REVISION, Write},
};

/// What the loader has read of one source so far.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SourceStatus {
    /// Records that were read, over all runs.
    pub read: u64,
    /// Those of them that could be read.
    pub readable: u64,
    /// Companies of which something new was said, over all runs.
    pub stored: u64,
    /// Records that could not be read; they are kept in the quarantine.
    pub quarantined: u64,
    /// Publications whose text makes nothing happen; they are kept too.
    pub not_understood: u64,
    /// The newest publication that was read. None of a day that is still to come: what is read next follows from
    /// it.
    pub newest_publication: Option<Date>,
    pub last_started_at: Option<Timestamp>,
    pub last_completed_at: Option<Timestamp>,
    /// Why the last run failed; absent after one that did not.
    pub last_failure: Option<String>,
}

impl Registry {
    pub async fn source_status(&self, source: Source) -> Result<SourceStatus, Error> {
        Ok(self.table.get(keys::source_status(source)).await?.unwrap_or_default())
    }

    /// Changes the state of a source; two that do so at the same time lose nothing.
    pub async fn update_source_status(
        &self,
        source: Source,
        change: impl Fn(&mut SourceStatus),
    ) -> Result<SourceStatus, Error> {
        for _ in 0..ATTEMPTS {
            let key = keys::source_status(source);
            let row = self.table.query_rows(key.clone()).await?.into_iter().next();
            let revision = row.as_ref().and_then(|it| it.number(REVISION)).unwrap_or(0);
            let mut status: SourceStatus = row.map(|it| it.read()).transpose()?.unwrap_or_default();
            change(&mut status);
            let write = Write::put_document(key, &status)?.revise(revision, revision + 1);
            match self.table.transact(vec![write]).await {
                Err(Error::Changed) => {}
                done => return done.map(|()| status),
            }
        }
        Err(Error::Changed)
    }
}
