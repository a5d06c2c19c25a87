use std::collections::HashMap;

use domain::{Company, History, Uid};
use futures_util::{Stream, StreamExt, stream};

use crate::{Error, Registry, history::read_history, keys, table::Row};

impl Registry {
    /// Sets the number of segments that a scan reads in parallel.
    ///
    /// On DynamoDB, one reader gets the throughput of one partition, about 24 MB/s. The embedded emulator
    /// sorts the whole table for every page, so one segment is fastest there.
    #[must_use]
    pub fn in_segments(mut self, segments: i32) -> Self {
        self.table.segments = segments;
        self
    }

    pub async fn company(&self, uid: Uid) -> Result<Option<Company>, Error> {
        self.table.get(keys::company(uid)).await
    }

    /// The records of these companies, in the order of `uids`. Unknown companies are left out.
    pub async fn companies(&self, uids: &[Uid]) -> Result<Vec<Company>, Error> {
        let found: Vec<Company> =
            self.table.get_all(uids.iter().map(|it| keys::company(*it)).collect()).await?;
        let mut by_uid: HashMap<Uid, Company> = found.into_iter().map(|it| (it.uid, it)).collect();
        Ok(uids.iter().filter_map(|uid| by_uid.remove(uid)).collect())
    }

    /// All companies with their histories, in batches, in no particular order. For workers only: no request
    /// scans.
    pub fn every_company(
        &self,
    ) -> impl Stream<Item = Result<Vec<(Company, History)>, Error>> + use<> {
        let segments = 0..self.table.segments;
        stream::select_all(segments.map(|it| self.companies_of_segment(it).boxed()))
    }

    fn companies_of_segment(
        &self,
        segment: i32,
    ) -> impl Stream<Item = Result<Vec<(Company, History)>, Error>> + use<> {
        let pages = self.table.scan(keys::RECORD, keys::HISTORY, segment);
        // The parts of a history precede the record, possibly on the previous page.
        pages.scan(Vec::<Row>::new(), |parts, page| {
            let whole = page.and_then(|rows| {
                let mut companies = Vec::new();
                for row in rows {
                    if parts.first().is_some_and(|it| it.partition != row.partition) {
                        // A history without a record belongs to no company.
                        parts.clear();
                    }
                    if row.sort == keys::RECORD {
                        let history = read_history(std::mem::take(parts))?;
                        companies.push((row.read()?, history));
                    } else {
                        parts.push(row);
                    }
                }
                Ok(companies)
            });
            std::future::ready(Some(whole))
        })
    }

    /// The records that follow the one of `after` in table order, or all, in batches.
    pub fn companies_after(
        &self,
        after: Option<Uid>,
    ) -> impl Stream<Item = Result<Vec<Company>, Error>> + use<> {
        let pages = self.table.scan_after(keys::RECORD, after.map(keys::company));
        pages.map(|page| page?.into_iter().map(Row::read).collect())
    }

    /// Writes records without facts, for generated registers.
    pub async fn put_companies(&self, companies: Vec<Company>) -> Result<(), Error> {
        self.table.put_documents(companies.into_iter().map(|it| (keys::company(it.uid), it))).await
    }

    /// Checks that the table answers.
    pub async fn ping(&self) -> Result<(), Error> {
        self.source_status(statements::Source::Zefix).await.map(|_| ())
    }
}
