use std::collections::HashMap;

use domain::{Company, History, Uid};
use futures_util::{Stream, StreamExt, stream};

use crate::{Error, Registry, history::read_history, keys, table::Row};

impl Registry {
    /// The same registry, so many parts of which are read at a time where all of it is read. On DynamoDB one
    /// reader alone gets what one of its partitions gives, some 24 MB a second; the embedded one sorts the
    /// whole table for every page of a part.
    #[must_use]
    pub fn in_segments(mut self, segments: i32) -> Self {
        self.table.segments = segments;
        self
    }

    pub async fn company(&self, uid: Uid) -> Result<Option<Company>, Error> {
        self.table.get(keys::company(uid)).await
    }

    /// The records of these companies, in the order asked for; unknown ones are left out.
    pub async fn companies(&self, uids: &[Uid]) -> Result<Vec<Company>, Error> {
        let found: Vec<Company> =
            self.table.get_all(uids.iter().map(|it| keys::company(*it)).collect()).await?;
        let mut by_uid: HashMap<Uid, Company> = found.into_iter().map(|it| (it.uid, it)).collect();
        Ok(uids.iter().filter_map(|uid| by_uid.remove(uid)).collect())
    }

    /// Every company and what happened to it, in no order, some at a time. For the indexer: no request
    /// reads the whole table.
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
        // The parts of a history come before the record, maybe on the page before.
        pages.scan(Vec::<Row>::new(), |parts, page| {
            let whole = page.and_then(|rows| {
                let mut companies = Vec::new();
                for row in rows {
                    if parts.first().is_some_and(|it| it.partition != row.partition) {
                        // A history without a record is of no company.
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

    /// The records behind that of this company, or all, in the table's own order, some at a time.
    pub fn companies_behind(
        &self,
        behind: Option<Uid>,
    ) -> impl Stream<Item = Result<Vec<Company>, Error>> + use<> {
        let pages = self.table.scan_behind(keys::RECORD, behind.map(keys::company));
        pages.map(|page| page?.into_iter().map(Row::read).collect())
    }

    /// Writes whole records as they are, without facts: for registers that are made up.
    pub async fn put_companies(&self, companies: Vec<Company>) -> Result<(), Error> {
        self.table.put_documents(companies.into_iter().map(|it| (keys::company(it.uid), it))).await
    }

    /// Whether the table answers.
    pub async fn ping(&self) -> Result<(), Error> {
        self.source_status(statements::Source::Zefix).await.map(|_| ())
    }
}
