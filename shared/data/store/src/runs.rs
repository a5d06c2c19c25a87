//! Runs that change companies, so that a generation is built only if something has changed.
//!
//! A run is announced before its first write and finished after its last one. A process that is killed finishes
//! nothing, so a run that was not finished counts as one that changed something.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{
    Error, Registry,
    keys::{self, Key},
};

/// A run that started longer ago was interrupted: a Lambda function is stopped after fifteen minutes.
const MAX_DURATION: SignedDuration = SignedDuration::from_mins(20);

/// The runs of one kind, which run one after another.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Runs {
    /// Number of runs that changed companies, or that may have.
    changes: u64,
    /// When the current run started. `None` if it is finished.
    started_at: Option<Timestamp>,
}

impl Runs {
    /// Counts the current run if it was interrupted.
    fn close_interrupted(&mut self) {
        self.changes += u64::from(self.started_at.take().is_some());
    }
}

impl Registry {
    /// Announces a run that may change companies. Must be called before its first write.
    pub async fn start_run(&self, name: &str, now: Timestamp) -> Result<(), Error> {
        let start = |runs: &mut Runs| {
            runs.close_interrupted();
            runs.started_at = Some(now);
        };
        self.table.update(keys::run(name), start).await.map(drop)
    }

    /// Finishes the announced run. Must be called after its last write.
    pub async fn finish_run(&self, name: &str, has_changes: bool) -> Result<(), Error> {
        let finish = |runs: &mut Runs| {
            runs.started_at = None;
            runs.changes += u64::from(has_changes);
        };
        self.table.update(keys::run(name), finish).await.map(drop)
    }

    /// A number that grows with every run that changed companies. Equal numbers: nothing has changed in between,
    /// except by a run that is not finished.
    pub async fn version(&self, now: Timestamp) -> Result<u64, Error> {
        let is_interrupted =
            |runs: &Runs| runs.started_at.is_some_and(|it| now.duration_since(it) > MAX_DURATION);
        let mut version = 0;
        for row in self.table.query_rows(keys::runs()).await? {
            let key = Key { partition: row.partition.clone(), sort: row.sort.clone() };
            let mut runs: Runs = row.read()?;
            if is_interrupted(&runs) {
                let close = |runs: &mut Runs| {
                    if is_interrupted(runs) {
                        runs.close_interrupted();
                    }
                };
                runs = self.table.update(key, close).await?;
            }
            version += runs.changes;
        }
        Ok(version)
    }
}
