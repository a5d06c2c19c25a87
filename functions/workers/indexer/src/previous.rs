//! Reading the previous generation, and from the registry only the companies that have changed since.

use std::collections::BTreeSet;

use domain::{Company, History, Uid};
use futures_util::{StreamExt, TryStreamExt};
use generations::{Batch, HISTORIES, Manifest, RECORDS, Records};
use objects::Objects;

use crate::{Building, Error, Run, unreadable};

/// If more than one of so many companies has changed, all are read from the registry: a scan is faster than many queries.
const CHANGED_SHARE: usize = 5;
/// Number of blocks that are parsed in parallel: one is added to the indexes meanwhile.
const PARALLEL_BLOCKS: usize = 3;

impl Run<'_> {
    /// `None` if the generation must be built from the registry alone: the previous one has no histories, or it is so old that
    /// it is not known what has changed since, or too much has, or the registry is an earlier one.
    pub(crate) async fn build_from(&self, previous: &Manifest) -> Result<Option<Manifest>, Error> {
        let open = async |folder| Records::open(self.objects, previous, folder).await;
        let (Some(records), Some(histories)) = (open(RECORDS).await?, open(HISTORIES).await?)
        else {
            return Ok(None);
        };
        // Publishes the events of changed companies, which marks them, too.
        let mut building = self.start().await?;
        // The table was restored to an earlier time: what it had since then is not known.
        if previous.as_of_sequence > building.as_of_sequence
            || previous.registry_version > building.registry_version
        {
            return Ok(None);
        }
        let changed = self.registry.changed_since(previous.built_at, self.now).await?;
        let Some(mut changed) =
            changed.filter(|it| it.len() <= records.companies() / CHANGED_SHARE)
        else {
            return Ok(None);
        };
        // Those that the previous generation leaves out are not among its records.
        let left_out = unreadable::listed(self.objects).await?;
        let Some(left_out) = left_out.filter(|it| it.len() as u64 >= previous.left_out) else {
            return Ok(None);
        };
        changed.extend(left_out);
        self.push_unchanged(&mut building, &records, &histories, &changed).await?;
        let mut companies = std::pin::pin!(self.registry.companies_with_histories(changed));
        while let Some(company) = companies.try_next().await? {
            building.push(company)?;
        }
        self.finish(building).await.map(Some)
    }

    /// Adds the companies of the previous generation that have not changed. The blocks of its records and histories contain
    /// the same companies.
    async fn push_unchanged(
        &self,
        building: &mut Building,
        records: &Records,
        histories: &Records,
        changed: &BTreeSet<Uid>,
    ) -> Result<(), Error> {
        if records.companies() != histories.companies() {
            return Err(Error::OtherHistories);
        }
        let blocks = records.all().zip(histories.all());
        let parsed = blocks.map(|(records, histories)| async {
            let (records, histories) = (records?, histories?);
            let parse = move || parse(&records, &histories);
            tokio::task::spawn_blocking(parse).await.map_err(std::io::Error::other)?
        });
        let mut parsed = std::pin::pin!(parsed.buffered(PARALLEL_BLOCKS));
        while let Some(companies) = parsed.try_next().await? {
            for (company, history) in companies.ok_or(Error::OtherHistories)? {
                if !changed.contains(&company.uid) {
                    building.push(Ok((company, history)))?;
                }
            }
        }
        Ok(())
    }
}

/// The companies of a block as the registry has them, with their histories. `None` if the histories are those of others.
fn parse(records: &Batch, histories: &Batch) -> Result<Option<Vec<(Company, History)>>, Error> {
    let mut companies = Vec::new();
    let mut histories = histories.records();
    for record in records.records() {
        let record = record?;
        let Some(history) = histories.next().transpose()?.filter(|it| it.uid == record.uid) else {
            return Ok(None);
        };
        let mut company = record.company()?;
        // The results of screening are not part of the stored record.
        (company.sanctions_hit, company.last_screened_at) = (None, None);
        companies.push((company, history.history()?));
    }
    Ok(histories.next().is_none().then_some(companies))
}

/// The object with the id of a generation from which no other can be built.
const REFUSED: &str = "generations/refused.json";

/// Remembers that no generation can be built from this one.
pub(crate) async fn refuse(objects: &Objects, previous: &Manifest) -> Result<(), Error> {
    Ok(objects.put(REFUSED, previous.id.clone()).await?)
}

/// Whether it was found that no generation can be built from this one.
pub(crate) async fn was_refused(objects: &Objects, previous: &Manifest) -> Result<bool, Error> {
    Ok(objects.get(REFUSED).await?.is_some_and(|it| it == previous.id.as_bytes()))
}
