//! Facts from hits on screening lists.

use domain::{
    Provenance,
    lists::{List, ListEntry},
};
use jiff::civil::Date;

use crate::{Concern, Identity, ListHit, Subject};

impl ListHit {
    /// The hits that an entry of a list is for a subject: one for each reason why the entry is on the list. None for a
    /// licence, and for entries of collections whose reason is none of [`Concern`].
    pub fn of_entry(
        entry: &ListEntry,
        subject: Subject,
        name: &str,
        identity: Identity,
    ) -> Vec<Self> {
        let has = |topic: &str| entry.topics.contains(topic);
        let concerns: Vec<Concern> = match entry.list {
            List::Seco => vec![Concern::Sanction],
            List::FinmaWarning => vec![Concern::Warning],
            List::FinmaAuthorised => Vec::new(),
            List::Opensanctions => [
                ("sanction", Concern::Sanction),
                ("reg.warn", Concern::Warning),
                ("role.pep", Concern::PoliticallyExposed),
                ("role.rca", Concern::Associate),
            ]
            .into_iter()
            .filter(|it| has(it.0))
            .map(|it| it.1)
            .collect(),
        };
        let source = Provenance {
            source: entry.list.source().name().to_owned(),
            reference: Some(entry.source_url.clone().unwrap_or_else(|| entry.id.clone())),
            date: entry.changed.or(entry.listed),
        };
        let hit = |concern| Self {
            concern,
            subject,
            name: name.to_owned(),
            identity,
            source: source.clone(),
            list_date: None,
        };
        concerns.into_iter().map(hit).collect()
    }

    /// States the day of the list that was searched.
    #[must_use]
    pub fn in_list_of(self, date: Date) -> Self {
        Self { list_date: Some(date), ..self }
    }
}
