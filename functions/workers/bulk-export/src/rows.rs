//! The records of an export.

use std::{pin::Pin, sync::Arc};

use domain::Uid;
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use generations::{Batch, Generation};
use spreadsheet::Selection;
use teams::{Export, ExportRows, SearchParams};

use crate::Error;

/// What an export writes.
pub(crate) struct Rows {
    pub(crate) generation: Arc<Generation>,
    /// Number of rows.
    pub(crate) total: u64,
    /// The records, in the order of the company numbers. There may be more than `total`: the first ones count.
    pub(crate) batches: Batches,
    /// The chosen columns. `None`: all.
    pub(crate) columns: Option<Selection>,
    /// What a profile contains besides the record. `None`: the rows are not profiles.
    pub(crate) profile: Option<Profile>,
}

/// Records, each batch with the histories of its companies if they are wanted.
type Batches =
    Pin<Box<dyn Stream<Item = Result<(Batch, Option<Batch>), generations::Error>> + Send>>;

/// What a profile contains besides the record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Profile {
    pub(crate) with_timeline: bool,
    pub(crate) with_board: bool,
}

/// The rows of an export in its generation.
pub(crate) async fn rows(export: &Export, generation: Arc<Generation>) -> Result<Rows, Error> {
    let (uids, columns, max_rows, profile) = match &export.rows {
        ExportRows::Companies { filter, tagged, columns, max_rows } => {
            let columns = columns.clone().map(Selection::try_from).transpose();
            let columns = columns.map_err(|it| Error::Invalid(format!("`fields` {it}")))?;
            let uids = matching(filter, tagged.as_deref(), &generation).await?;
            (uids, columns, max_rows.unwrap_or(u64::MAX), None)
        }
        ExportRows::Profiles { uids, with_timeline, with_board } => {
            let (with_timeline, with_board) = (*with_timeline, *with_board);
            let mut uids = uids.clone();
            uids.sort_unstable();
            uids.dedup();
            let known = Companies::These(uids);
            (known, None, u64::MAX, Some(Profile { with_timeline, with_board }))
        }
    };
    let records = generation.records().await?.clone();
    let (total, batches): (_, Batches) = match uids {
        Companies::All => {
            (records.companies() as u64, Box::pin(records.all().map_ok(|it| (it, None))))
        }
        Companies::These(mut uids) => {
            uids.sort_unstable();
            uids.truncate(usize::try_from(max_rows).unwrap_or(usize::MAX));
            let total = uids.len() as u64;
            let histories = match profile.is_some_and(|it| it.with_board || it.with_timeline) {
                true => {
                    let histories = generation.histories().await?.of_companies(uids.clone());
                    histories.map_ok(Some).left_stream()
                }
                false => stream::repeat_with(|| Ok(None)).right_stream(),
            };
            let both = records.of_companies(uids).zip(histories);
            (total, Box::pin(both.map(|(records, histories)| Ok((records?, histories?)))))
        }
    };
    let total = total.min(max_rows);
    Ok(Rows { generation, total, batches, columns, profile })
}

/// The companies of an export.
enum Companies {
    All,
    These(Vec<Uid>),
}

/// The companies that match filters. Without filters, no index is opened.
async fn matching(
    filter: &SearchParams,
    tagged: Option<&[Uid]>,
    generation: &Generation,
) -> Result<Companies, Error> {
    if filter.0.is_empty() {
        return Ok(Companies::All);
    }
    let invalid = |it: domain::invalid_input::InvalidInput| {
        let errors = it.errors("").into_iter().map(|(name, detail)| format!("`{name}` {detail}"));
        Error::Invalid(errors.collect::<Vec<_>>().join("; "))
    };
    let query = filter.query().map_err(invalid)?;
    let tagged = tagged.map(|it| it.iter().copied().collect());
    let (_, uids) = generation.all_companies(&query, tagged, usize::MAX).await?;
    Ok(Companies::These(uids.unwrap_or_default()))
}
