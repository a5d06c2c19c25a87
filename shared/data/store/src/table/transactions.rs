//! Transactions: all writes or none.

use aws_sdk_dynamodb::{
    error::ProvideErrorMetadata, operation::transact_write_items::TransactWriteItemsError,
    types::CancellationReason,
};
use jiff::Timestamp;
use serde::{Serialize, de::DeserializeOwned};

use super::{
    Table, pause_before_next,
    read::{Read, Row},
    unavailable,
    write::Write,
};
use crate::{ATTEMPTS, Error, keys::Key, pause_after_conflict};

/// Reasons of a cancelled transaction that is worth sending again. The SDK does not retry it by itself:
/// it treats every cancellation as final.
const THROTTLED: [&str; 2] = ["ThrottlingError", "ProvisionedThroughputExceeded"];

impl Table {
    /// Applies all writes or none. [`Error::Changed`]: a condition did not hold.
    pub(crate) async fn transact(&self, writes: Vec<Write>) -> Result<(), Error> {
        if self.try_transact(writes).await?.is_empty() { Ok(()) } else { Err(Error::Changed) }
    }

    /// Applies all writes or none. Returns the indices of the writes whose condition did not hold: none, if
    /// all were applied. [`Error::Changed`]: another transaction was writing one of the items.
    pub(crate) async fn try_transact(&self, writes: Vec<Write>) -> Result<Vec<usize>, Error> {
        let mut items = Vec::with_capacity(writes.len());
        for write in writes {
            items.push(write.into_item(&self.name)?);
        }
        for attempt in 0.. {
            let request = self.many.transact_write_items().set_transact_items(Some(items.clone()));
            let Err(failure) = request.send().await else { break };
            match failure.into_service_error() {
                TransactWriteItemsError::TransactionCanceledException(canceled) => {
                    let failed = |codes: &[&str]| -> Vec<usize> {
                        let reasons = canceled.cancellation_reasons().iter().enumerate();
                        let failed = |(index, reason): (usize, &CancellationReason)| {
                            reason.code().is_some_and(|it| codes.contains(&it)).then_some(index)
                        };
                        reasons.filter_map(failed).collect()
                    };
                    let conditions = failed(&["ConditionalCheckFailed"]);
                    if !conditions.is_empty() {
                        return Ok(conditions);
                    }
                    if !failed(&["TransactionConflict"]).is_empty() {
                        return Err(Error::Changed);
                    }
                    if !failed(&["ValidationError"]).is_empty() {
                        return Err(Error::Unwritable(canceled.into()));
                    }
                    if failed(&THROTTLED).is_empty() {
                        return Err(unavailable(canceled));
                    }
                    pause_before_next(attempt).await?;
                }
                // Usually too large. Sending it again would not help.
                other if other.code() == Some("ValidationException") => {
                    return Err(Error::Unwritable(other.into()));
                }
                other => return Err(unavailable(other)),
            }
        }
        Ok(Vec::new())
    }

    /// Applies those of these groups of writes whose first write has a condition that holds, in one transaction with
    /// `counts` of their number. Returns their number. `None`: the condition of a count does not hold, and nothing was
    /// written.
    pub(crate) async fn transact_new(
        &self,
        mut groups: Vec<Vec<Write>>,
        counts: impl Fn(i32) -> Vec<Write>,
    ) -> Result<Option<usize>, Error> {
        let mut conflicts = 0;
        while !groups.is_empty() {
            let number = i32::try_from(groups.len()).unwrap_or(i32::MAX);
            let writes = groups.iter().flatten().cloned().chain(counts(number)).collect();
            match self.try_transact(writes).await {
                Ok(failed) if failed.is_empty() => return Ok(Some(groups.len())),
                Ok(failed) => {
                    let (before, mut first) = (groups.len(), 0);
                    groups.retain(|group| {
                        let holds = !failed.contains(&first);
                        first += group.len();
                        holds
                    });
                    if groups.len() == before {
                        return Ok(None);
                    }
                }
                Err(Error::Changed) if conflicts < ATTEMPTS => {
                    pause_after_conflict(conflicts).await;
                    conflicts += 1;
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok(Some(0))
    }

    /// Changes a document and returns its new state. A missing one counts as the default. `change` runs again if
    /// another change was faster.
    pub(crate) async fn update<T: Default + Serialize + DeserializeOwned>(
        &self,
        key: Key,
        change: impl Fn(&mut T),
    ) -> Result<T, Error> {
        self.update_item(key, None, change).await
    }

    /// As [`Table::update`], for a document that then expires at `expires`. One that has expired at `now` counts as the
    /// default.
    pub(crate) async fn update_expiring<T: Default + Serialize + DeserializeOwned>(
        &self,
        key: Key,
        (now, expires): (Timestamp, Timestamp),
        change: impl Fn(&mut T),
    ) -> Result<T, Error> {
        self.update_item(key, Some((now, expires)), change).await
    }

    async fn update_item<T: Default + Serialize + DeserializeOwned>(
        &self,
        key: Key,
        times: Option<(Timestamp, Timestamp)>,
        change: impl Fn(&mut T),
    ) -> Result<T, Error> {
        for conflicts in 0..ATTEMPTS {
            let row = self.get_row(key.clone()).await?;
            let has_expired = |row: &Row| times.is_some_and(|(now, _)| row.has_expired(now));
            let Read { mut value, revision } = match row {
                Some(row) if has_expired(&row) => {
                    Read { value: T::default(), revision: row.revision() }
                }
                Some(row) => row.read_revised()?,
                None => Read::default(),
            };
            change(&mut value);
            let put = Write::put_document(key.clone(), &value)?.revise(revision, revision + 1);
            let put = match times {
                Some((_, expires)) => put.expiring(expires.as_second()),
                None => put,
            };
            match self.transact(vec![put]).await {
                Err(Error::Changed) => pause_after_conflict(conflicts).await,
                done => return done.map(|()| value),
            }
        }
        Err(Error::Changed)
    }
}
