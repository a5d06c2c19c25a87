use std::collections::HashMap;

use domain::{Company, Uid};
use futures_util::Stream;
use sources::Fact;

use crate::{ATTEMPTS, Error, Registry, keys, table::Write};

/// What storing a fact did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// The company was not known before.
    New,
    /// The fact was not known before.
    Changed,
    /// The fact was known already; nothing was written.
    Unchanged,
}

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

    /// The facts of one company in the order in which they are folded.
    pub async fn facts(&self, uid: Uid) -> Result<Vec<Fact>, Error> {
        self.table.query(keys::facts(uid)).await
    }

    /// Stores facts of one company and the record that follows from all of them, together or not at
    /// all. Safe to run twice, and beside itself: facts that are there are not written again.
    pub async fn record_facts(&self, uid: Uid, facts: &[Fact]) -> Result<Stored, Error> {
        for _ in 0..ATTEMPTS {
            let known = self.facts(uid).await?;
            let is_known = |fact: &Fact| known.iter().any(|it| it.fingerprint == fact.fingerprint);
            let new: Vec<&Fact> = facts.iter().filter(|it| !is_known(it)).collect();
            if new.is_empty() {
                return Ok(Stored::Unchanged);
            }
            let is_new_company = known.is_empty() && self.company(uid).await?.is_none();
            let all: Vec<Fact> = known.into_iter().chain(new.iter().copied().cloned()).collect();
            let Some(company) = sources::fold(&all) else { return Ok(Stored::Unchanged) };

            // The revision is the number of facts that the record was folded from.
            let record = Write::put(keys::company(uid), &company)?;
            let mut writes = vec![record.revise(all.len() - new.len(), all.len())];
            for fact in new {
                writes.push(Write::put(keys::fact(fact), fact)?.if_absent());
            }
            match self.table.transact(writes).await {
                // Another ingest stored a fact of this company: fold again, with it.
                Err(Error::Changed) => {}
                Ok(()) if is_new_company => return Ok(Stored::New),
                Ok(()) => return Ok(Stored::Changed),
                Err(error) => return Err(error),
            }
        }
        Err(Error::Changed)
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
