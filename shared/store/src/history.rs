#[cfg(test)]
mod tests;

use domain::{Company, History, Uid, auditors::Tenure, history::Recorded, persons::Mandate};
use facts::{CompanyAsOf, Fact, is_known, without_repetitions};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use statements::Source;
use uuid::Uuid;

use crate::{
    ATTEMPTS, Error, Registry, keys,
    table::{REVISION, Row, Write},
};

/// Maximum size of a part of a history, in bytes of uncompressed JSON. Compression reduces it to a third or
/// less, which fits in a DynamoDB item (400 KB).
const PART_LIMIT: usize = 600_000;
/// Maximum number of facts stored in one transaction. A transaction holds 100 writes, including the record
/// and the parts of the history.
const MAX_FACTS_PER_WRITE: usize = 50;

/// Effect of storing facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// The company had no record before and has one now.
    New,
    /// At least one fact was new.
    Changed,
    /// All facts were known already. Nothing was written.
    Unchanged,
}

/// One entry of a history, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Line {
    Event(Recorded),
    Replaced(Recorded),
    Mandate(Mandate),
    Tenure(Tenure),
    SamePersons(Uuid, Uuid),
}

/// One item of a stored history. A long history is split into several items.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Part {
    lines: Vec<Line>,
}

/// A history as it is stored in the table.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoredHistory {
    pub(crate) history: History,
    parts: Vec<Part>,
    /// Number of times it was written. 0 if it is not stored yet.
    revision: usize,
}

impl Registry {
    /// The history of a company. Empty if nothing is known.
    pub async fn history(&self, uid: Uid) -> Result<History, Error> {
        read_history(self.table.query_rows(keys::histories(uid)).await?)
    }

    /// A company and its history, in one request.
    pub async fn company_with_history(
        &self,
        uid: Uid,
    ) -> Result<Option<(Company, History)>, Error> {
        let record = keys::company(uid);
        let mut rows = self.table.query_between(keys::history(uid, 0), &record.sort).await?;
        let Some(at) = rows.iter().position(|it| it.sort == record.sort) else { return Ok(None) };
        let company = rows.remove(at).read()?;
        Ok(Some((company, read_history(rows)?)))
    }

    /// The facts of one company, in the order in which they are folded.
    pub async fn facts(&self, uid: Uid) -> Result<Vec<Fact>, Error> {
        self.table.query(keys::facts(uid)).await
    }

    /// The facts of one company from one source. The keys begin with the date, so the table scans all facts of
    /// the company. It returns only the matching ones, because publications are long.
    pub async fn facts_of(&self, uid: Uid, source: Source) -> Result<Vec<Fact>, Error> {
        let member = format!("\"source\":\"{source}\"");
        let rows = self.table.query_containing(keys::facts(uid), &member).await?;
        let facts: Result<Vec<Fact>, Error> = rows.into_iter().map(Row::read).collect();
        Ok(facts?.into_iter().filter(|it| it.source == source).collect())
    }

    /// A company as of the end of a day. `None` if no fact proves that it was in the register on that day.
    pub async fn company_as_of(&self, uid: Uid, day: Date) -> Result<Option<CompanyAsOf>, Error> {
        Ok(facts::fold_as_of(&without_repetitions(&self.facts(uid).await?), day))
    }

    /// Stores facts of one company, and updates its record and history in the same transaction. Many facts are
    /// stored in several transactions. Safe to repeat and to run concurrently: known facts are not written
    /// again.
    pub async fn record_facts(&self, uid: Uid, facts: &[Fact]) -> Result<Stored, Error> {
        self.record_facts_and_complete(uid, facts, |it| it).await
    }

    /// Like [`Registry::record_facts`]. `complete` adds what no fact contains to the record: the company's
    /// location.
    pub async fn record_facts_and_complete(
        &self,
        uid: Uid,
        facts: &[Fact],
        complete: impl Fn(Company) -> Company,
    ) -> Result<Stored, Error> {
        self.store(uid, facts, complete, false).await
    }

    /// Rebuilds the record and the history of a company from its stored facts. Needed after a change of
    /// `complete` or of how notices are read. Does nothing for a company without facts. Safe to repeat.
    pub async fn rebuild_record(
        &self,
        uid: Uid,
        complete: impl Fn(Company) -> Company,
    ) -> Result<Stored, Error> {
        self.store(uid, &[], complete, true).await
    }

    async fn store(
        &self,
        uid: Uid,
        facts: &[Fact],
        complete: impl Fn(Company) -> Company,
        rebuild: bool,
    ) -> Result<Stored, Error> {
        let mut stored = Stored::Unchanged;
        let mut conflicts = 0;
        let mut max_facts = MAX_FACTS_PER_WRITE;
        loop {
            // Read the history before the facts: if facts are added in between, its revision has changed.
            let (old, is_recorded) = self.stored_history_and_record(uid).await?;
            // Facts are always stored with a history, which may be empty. Without a history there are no facts.
            let mut all = match old.revision {
                0 => Vec::new(),
                _ => self.facts(uid).await?,
            };
            let mut new: Vec<Fact> =
                facts.iter().filter(|it| !is_known(it, &all)).cloned().collect();
            if new.is_empty() && (!rebuild || stored != Stored::Unchanged) {
                return Ok(stored);
            }
            new.sort_by(|one, other| one.order().cmp(&other.order()));
            new.dedup_by(|one, other| one.fingerprint == other.fingerprint);
            new.truncate(max_facts);
            all.extend(new.iter().cloned());

            let mut writes = Vec::new();
            // The facts alone may not be enough for a record. They are stored until the register's facts arrive.
            let folded = facts::fold_with_history(&without_repetitions(&all));
            let folded = folded.map(|(company, history)| (complete(company), history));
            if new.is_empty() && folded.is_none() {
                return Ok(stored);
            }
            // Statements of other sources about a company do not create a record.
            let is_new_company = folded.is_some() && !is_recorded;
            if let Some((company, _)) = &folded {
                writes.push(Write::put_document(keys::company(uid), company)?);
            }
            let history = folded.map(|(_, history)| history).unwrap_or_default();
            writes.extend(old.replace_with(uid, history.continuing(&old.history))?);
            for fact in &new {
                writes.push(Write::put_document(keys::fact(fact), fact)?.if_absent());
            }
            if new.len() > 1 && !Write::fit_together(&writes) {
                max_facts = new.len() / 2;
                continue;
            }
            match self.table.transact(writes).await {
                // Another job stored a fact of this company or published its events in the meantime.
                Err(Error::Changed) if conflicts < ATTEMPTS => conflicts += 1,
                Err(error) => return Err(error),
                Ok(()) if is_new_company => stored = Stored::New,
                Ok(()) if stored == Stored::Unchanged => stored = Stored::Changed,
                Ok(()) => {}
            }
        }
    }

    /// The stored history, and whether the company has a record, in one request.
    async fn stored_history_and_record(&self, uid: Uid) -> Result<(StoredHistory, bool), Error> {
        let record = keys::company(uid);
        let mut rows = self.table.query_between(keys::history(uid, 0), &record.sort).await?;
        let count = rows.len();
        rows.retain(|it| it.sort != record.sort);
        let is_recorded = rows.len() < count;
        Ok((StoredHistory::of(rows)?, is_recorded))
    }

    pub(crate) async fn stored_history(&self, uid: Uid) -> Result<StoredHistory, Error> {
        StoredHistory::of(self.table.query_rows(keys::histories(uid)).await?)
    }
}

impl StoredHistory {
    pub(crate) fn of(rows: Vec<Row>) -> Result<Self, Error> {
        let revision = rows.first().and_then(|it| it.number(REVISION)).unwrap_or(0);
        let parts: Vec<Part> = rows.into_iter().map(Row::read).collect::<Result<_, _>>()?;
        Ok(Self { history: history_of(parts.clone()), parts, revision })
    }

    /// The writes that replace this history, on condition that its revision is still the same: the parts that
    /// differ, and an outbox item of the company if events are not published yet.
    pub(crate) fn replace_with(&self, uid: Uid, history: History) -> Result<Vec<Write>, Error> {
        let has_unpublished = history.has_unpublished();
        let parts = parts_of(history)?;
        let mut writes = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let write = Write::put_document(keys::history(uid, at), part)?;
            if at == 0 {
                writes.push(write.revise(self.revision, self.revision + 1));
            } else if self.parts.get(at) != Some(part) {
                writes.push(write);
            }
        }
        let surplus = parts.len()..self.parts.len();
        writes.extend(surplus.map(|at| Write::delete(keys::history(uid, at))));
        if has_unpublished {
            writes.push(Write::put_document(keys::outbox(uid), &Waiting { uid })?);
        }
        Ok(writes)
    }
}

/// Joins the parts of a history. `rows` must be sorted.
pub(crate) fn read_history(rows: Vec<Row>) -> Result<History, Error> {
    let parts: Result<Vec<Part>, Error> = rows.into_iter().map(Row::read).collect();
    Ok(history_of(parts?))
}

fn history_of(parts: Vec<Part>) -> History {
    let mut history = History::default();
    for line in parts.into_iter().flat_map(|it| it.lines) {
        match line {
            Line::Event(it) => history.events.push(it),
            Line::Replaced(it) => history.replaced.push(it),
            Line::Mandate(it) => history.mandates.push(it),
            Line::Tenure(it) => history.tenures.push(it),
            Line::SamePersons(one, other) => history.same_persons.push((one, other)),
        }
    }
    history
}

/// An outbox item: a company with unpublished events.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Waiting {
    pub(crate) uid: Uid,
}

/// Splits a history into at least one part. Events come first: new events are usually appended, so that the
/// first parts do not change.
pub(crate) fn parts_of(history: History) -> Result<Vec<Part>, Error> {
    let events = history.events.into_iter().map(Line::Event);
    let replaced = history.replaced.into_iter().map(Line::Replaced);
    let mandates = history.mandates.into_iter().map(Line::Mandate);
    let tenures = history.tenures.into_iter().map(Line::Tenure);
    let same = history.same_persons.into_iter().map(|(one, other)| Line::SamePersons(one, other));
    let mut parts = vec![Part::default()];
    let mut size = 0;
    for line in events.chain(replaced).chain(mandates).chain(tenures).chain(same) {
        let length = serde_json::to_vec(&line).map_err(|it| Error::Unwritable(it.into()))?.len();
        if size + length > PART_LIMIT && size > 0 {
            parts.push(Part::default());
            size = 0;
        }
        size += length;
        if let Some(part) = parts.last_mut() {
            part.lines.push(line);
        }
    }
    Ok(parts)
}
