use std::collections::HashMap;

use domain::{Company, Uid};
use futures_util::Stream;

use crate::{Error, Registry, keys};

impl Registry {
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

    /// Every company, in no order, page by page. For the indexer: no request reads the whole table.
    pub fn every_company(&self) -> impl Stream<Item = Result<Vec<Company>, Error>> + use<> {
        self.table.scan(keys::RECORD)
    }

    /// Writes whole records as they are, without facts: for registers that are made up.
    pub async fn put_companies(&self, companies: Vec<Company>) -> Result<(), Error> {
        self.table.put_all(companies.into_iter().map(|it| (keys::company(it.uid), it))).await
    }

    /// Whether the table answers.
    pub async fn ping(&self) -> Result<(), Error> {
        self.source_status(sources::Source::Zefix).await.map(|_| ())
    }
}
