use std::collections::BTreeMap;

use domain::Source;
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{
    ATTEMPTS, Error, Registry, keys,
    table::{Read, Row, Write},
};

/// Status of one source, counted over all runs.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SourceStatus {
    /// Number of records read.
    pub read: u64,
    /// Number of records that could be parsed.
    pub readable: u64,
    /// Number of new or changed companies.
    pub stored: u64,
    /// Number of records in quarantine because they could not be parsed.
    pub quarantined: u64,
    /// Number of records that are used without a member that cannot be read.
    pub incomplete: u64,
    /// Number of records that were left out because they are about an erased company, or cannot be read and state its number.
    pub erased: u64,
    /// Number of publications whose text was not understood. They are stored too.
    pub not_understood: u64,
    /// Date of the newest publication read. Dates in the future are ignored, because the next fetch starts
    /// here.
    pub newest_publication: Option<Date>,
    pub last_started_at: Option<Timestamp>,
    pub last_completed_at: Option<Timestamp>,
    /// Why the last run failed. Absent after a successful run.
    pub last_failure: Option<String>,
    /// How much of the texts was understood, by publication date: the newest [`COVERED_DAYS`] with publications. A file that
    /// is read twice counts twice.
    pub coverage: BTreeMap<Date, Coverage>,
}

/// Number of days of which the coverage is kept.
pub const COVERED_DAYS: usize = 30;

/// How much of the texts of publications was understood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    pub publications: u64,
    /// Number of sentences.
    pub statements: u64,
    /// Number of sentences in which a statement was understood.
    pub understood: u64,
}

impl SourceStatus {
    /// Adds what was read of publications, by publication date.
    pub fn cover(&mut self, read: &BTreeMap<Date, Coverage>) {
        for (day, read) in read {
            let known = self.coverage.entry(*day).or_default();
            known.publications += read.publications;
            known.statements += read.statements;
            known.understood += read.understood;
        }
        while self.coverage.len() > COVERED_DAYS {
            self.coverage.pop_first();
        }
    }
}

impl Registry {
    pub async fn source_status(&self, source: Source) -> Result<SourceStatus, Error> {
        Ok(self.table.get(keys::source_status(source)).await?.unwrap_or_default())
    }

    /// Changes the status of a source. Concurrent changes are all applied.
    pub async fn update_source_status(
        &self,
        source: Source,
        change: impl Fn(&mut SourceStatus),
    ) -> Result<SourceStatus, Error> {
        for _ in 0..ATTEMPTS {
            let key = keys::source_status(source);
            let row = self.table.query_rows(key.clone()).await?.into_iter().next();
            let read: Option<Read<SourceStatus>> = row.map(Row::read_revised).transpose()?;
            let Read { value: mut status, revision } = read.unwrap_or_default();
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
