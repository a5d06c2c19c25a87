use std::collections::HashMap;

use domain::{Company, History, Uid};
use futures_util::{Stream, StreamExt, stream};

use serde::de::DeserializeOwned;

use crate::{Error, Registry, history::read_history, keys, table::Row};

/// Number of companies that are read in parallel.
const PARALLEL_COMPANIES: usize = 32;

/// A company whose stored record or history cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Company number, from the key of the item.
    pub company: String,
    pub reason: String,
}

/// A company of the table with its history.
pub type Decoded = Result<(Company, History), Unreadable>;

/// The items of one company, as a scan finds them.
struct Scanned {
    record: Row,
    /// The parts of the history, in their order.
    history: Vec<Row>,
}

impl Scanned {
    fn decode(self) -> Result<(Company, History), Error> {
        Ok((self.record.read()?, read_history(self.history)?))
    }
}

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

    /// The records of these companies, in the order of `uids`. Unknown companies are left out, and so are records that
    /// cannot be decoded.
    pub async fn companies(&self, uids: &[Uid]) -> Result<Vec<Company>, Error> {
        let keys = uids.iter().map(|it| keys::company(*it)).collect();
        let found = self.table.get_all_rows(keys).await?.into_iter().filter_map(readable);
        let found: Vec<Company> = found.collect::<Result<_, Error>>()?;
        let mut by_uid: HashMap<Uid, Company> = found.into_iter().map(|it| (it.uid, it)).collect();
        Ok(uids.iter().filter_map(|uid| by_uid.remove(uid)).collect())
    }

    /// All companies with their histories, in batches, in no particular order. Contains what was stored before
    /// the call. A company that cannot be decoded does not stop the others. For workers only: no request scans.
    pub fn every_company(&self) -> impl Stream<Item = Result<Vec<Decoded>, Error>> + use<> {
        let segments = 0..self.table.segments;
        stream::select_all(segments.map(|it| self.companies_of_segment(it).boxed()))
    }

    fn companies_of_segment(
        &self,
        segment: i32,
    ) -> impl Stream<Item = Result<Vec<Decoded>, Error>> + use<> {
        let pages = self.table.scan(keys::RECORD, keys::HISTORY, segment);
        // The parts of a history precede the record, possibly on the previous page.
        let scanned = pages.scan(Vec::<Row>::new(), |parts, page| {
            std::future::ready(Some(page.map(|rows| joined(parts, rows))))
        });
        let registry = self.clone();
        scanned.then(move |page| {
            let registry = registry.clone();
            async move {
                let mut companies = Vec::new();
                for scanned in page? {
                    companies.extend(registry.decode(scanned).await?);
                }
                Ok(companies)
            }
        })
    }

    /// Decodes a company. Reads it again if its history was replaced during the scan. `None`: it no longer
    /// exists.
    async fn decode(&self, scanned: Scanned) -> Result<Option<Decoded>, Error> {
        let company = keys::company_number(&scanned.record.partition).to_owned();
        let mut decoded = scanned.decode().map(Some);
        if let (Err(Error::Changed), Ok(uid)) = (&decoded, company.parse()) {
            decoded = self.company_with_history(uid).await;
        }
        match decoded {
            Ok(company) => Ok(company.map(Ok)),
            Err(Error::Shape(cause)) => {
                Ok(Some(Err(Unreadable { company, reason: errors::chain(&*cause) })))
            }
            Err(error) => Err(error),
        }
    }

    /// The records that follow the one of `after` in table order, or all, in batches. Records that cannot be
    /// decoded are left out.
    pub fn companies_after(
        &self,
        after: Option<Uid>,
    ) -> impl Stream<Item = Result<Vec<Company>, Error>> + use<> {
        let pages = self.table.scan_after(keys::RECORD, after.map(keys::company));
        pages.map(|page| page?.into_iter().filter_map(readable).collect())
    }

    /// These companies with their histories, in no particular order. Unknown companies are left out.
    pub fn companies_with_histories(
        &self,
        uids: impl IntoIterator<Item = Uid, IntoIter: Send>,
    ) -> impl Stream<Item = Result<Decoded, Error>> {
        let decoded =
            stream::iter(uids).map(async |uid| match self.company_with_history(uid).await {
                Ok(company) => Ok(company.map(Ok)),
                Err(Error::Shape(cause)) => {
                    let (company, reason) = (uid.to_string(), errors::chain(&*cause));
                    Ok(Some(Err(Unreadable { company, reason })))
                }
                Err(error) => Err(error),
            });
        let decoded = decoded.buffer_unordered(PARALLEL_COMPANIES);
        decoded.filter_map(async |it: Result<Option<Decoded>, Error>| it.transpose())
    }

    /// Writes records without facts, for generated registers.
    pub async fn put_companies(&self, companies: Vec<Company>) -> Result<(), Error> {
        let (erasures, mut companies) = (self.erasures().await?, companies);
        companies.retain(|it| !erasures.has_company(it.uid));
        let uids: Vec<Uid> = companies.iter().map(|it| it.uid).collect();
        let records = companies.into_iter().map(|it| (keys::company(it.uid), it));
        self.table.put_documents(records).await?;
        self.mark_changed(&uids).await
    }

    /// Checks that the table answers.
    pub async fn ping(&self) -> Result<(), Error> {
        self.source_status(domain::Source::Zefix).await.map(|_| ())
    }
}

/// Joins the items of each company. `parts` are those of a company whose record is on the next page.
fn joined(parts: &mut Vec<Row>, rows: Vec<Row>) -> Vec<Scanned> {
    let mut scanned = Vec::new();
    for row in rows {
        if parts.first().is_some_and(|it| it.partition != row.partition) {
            // A history without a record belongs to no company.
            parts.clear();
        }
        if row.sort == keys::RECORD {
            scanned.push(Scanned { record: row, history: std::mem::take(parts) });
        } else {
            parts.push(row);
        }
    }
    scanned
}

/// What a row contains. `None` if it cannot be decoded, which is logged: one damaged item must not stop what is about all.
pub(crate) fn readable<T: DeserializeOwned>(row: Row) -> Option<Result<T, Error>> {
    let (partition, sort) = (row.partition.clone(), row.sort.clone());
    match row.read() {
        Err(Error::Shape(cause)) => {
            let reason = errors::chain(&*cause);
            tracing::error!(metric = "UnreadableRecord", partition, sort, reason, "item skipped");
            None
        }
        result => Some(result),
    }
}
