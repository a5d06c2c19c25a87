use std::collections::BTreeMap;

use domain::{Company, History, Provenance, Uid};
use facts::CompanyAsOf;
use jiff::civil::Date;
use store::{Error, Registry, Wanted};

/// What is read of the history of a company without dated statements.
const HISTORY: Wanted = Wanted { board: 100, former: 60, events: 60, mergers: true };

/// A company on a day.
#[derive(Debug)]
pub struct Subject {
    pub company: Company,
    pub history: History,
    /// The source of each member of the record. `None` without dated statements.
    pub proofs: Option<BTreeMap<String, Provenance>>,
}

impl Subject {
    /// The company as it is now. `None` if it is not known.
    pub async fn current(
        registry: &Registry,
        uid: Uid,
        today: Date,
    ) -> Result<Option<Self>, Error> {
        // Only the fold knows the source of each member, which evidence names.
        if let Some(past) = registry.company_as_of(uid, today).await? {
            return Ok(Some(past.into()));
        }
        let current = registry.company_with(uid, HISTORY).await?;
        Ok(current.map(|(company, history)| Self { company, history, proofs: None }))
    }
}

impl From<CompanyAsOf> for Subject {
    fn from(past: CompanyAsOf) -> Self {
        let CompanyAsOf { company, history, proofs } = past;
        Self { company, history, proofs: Some(proofs) }
    }
}
