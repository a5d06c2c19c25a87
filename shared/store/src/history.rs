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

/// How large a part of a history may become, in bytes of its JSON, which is compressed to a third of that
/// or less: DynamoDB's items hold 400 KB.
const PART_LIMIT: usize = 600_000;
/// How many facts of one company are stored together, if they fit: a transaction holds 100 writes, and the
/// record and the parts of the history are among them.
const FACTS_AT_A_TIME: usize = 50;

/// What storing facts did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// The company has a record that had none before.
    New,
    /// A fact was not known before.
    Changed,
    /// All was known already; nothing was written.
    Unchanged,
}

/// One line of a history, as its parts hold it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Line {
    Event(Recorded),
    Replaced(Recorded),
    Mandate(Mandate),
    Tenure(Tenure),
    SamePersons(Uuid, Uuid),
}

/// A part of a history.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Part {
    lines: Vec<Line>,
}

/// A history as it lies in the table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    pub(crate) history: History,
    parts: Vec<Part>,
    /// How often it was written; 0 before the first time.
    revision: usize,
}

impl Registry {
    /// What happened to a company. Empty where nothing is known.
    pub async fn history(&self, uid: Uid) -> Result<History, Error> {
        read_history(self.table.query_rows(keys::histories(uid)).await?)
    }

    /// A company and what happened to it, in one request.
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

    /// The facts of one company in the order in which they are folded.
    pub async fn facts(&self, uid: Uid) -> Result<Vec<Fact>, Error> {
        self.table.query(keys::facts(uid)).await
    }

    /// The same of one source. Their keys begin with the day, so the table looks through all of them, but sends
    /// only these: publications are long, and a company has many.
    pub async fn facts_of(&self, uid: Uid, source: Source) -> Result<Vec<Fact>, Error> {
        let said = format!("\"source\":\"{source}\"");
        let rows = self.table.query_containing(keys::facts(uid), &said).await?;
        let facts: Result<Vec<Fact>, Error> = rows.into_iter().map(Row::read).collect();
        Ok(facts?.into_iter().filter(|it| it.source == source).collect())
    }

    /// A company as it was at the end of this day; `None` where nothing proves that it was in the register
    /// then.
    pub async fn company_until(&self, uid: Uid, day: Date) -> Result<Option<CompanyAsOf>, Error> {
        Ok(facts::fold_as_of(&without_repetitions(&self.facts(uid).await?), day))
    }

    /// Stores facts of one company, and the record and the history that follow from all of them,
    /// together or not at all; many facts in several steps, each whole. Safe to run twice, and beside
    /// itself: facts that are there are not written again.
    pub async fn record_facts(&self, uid: Uid, facts: &[Fact]) -> Result<Stored, Error> {
        self.record_completed(uid, facts, |it| it).await
    }

    /// The same, the record being completed by what no fact says: where its company is.
    pub async fn record_completed(
        &self,
        uid: Uid,
        facts: &[Fact],
        complete: impl Fn(Company) -> Company,
    ) -> Result<Stored, Error> {
        self.store(uid, facts, complete, false).await
    }

    /// Folds a company's facts again, because its record is completed by something else now, or its
    /// notices are read better. A record without facts stays as it is. Safe to run twice.
    pub async fn fold_again(
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
        again: bool,
    ) -> Result<Stored, Error> {
        let mut stored = Stored::Unchanged;
        let mut lost = 0;
        let mut at_a_time = FACTS_AT_A_TIME;
        loop {
            // The history first: if facts arrive in between, its revision tells.
            let (kept, is_recorded) = self.kept_history_and_record(uid).await?;
            // No fact is stored without a history, be it empty.
            let mut all = match kept.revision {
                0 => Vec::new(),
                _ => self.facts(uid).await?,
            };
            let mut new: Vec<Fact> =
                facts.iter().filter(|it| !is_known(it, &all)).cloned().collect();
            if new.is_empty() && (!again || stored != Stored::Unchanged) {
                return Ok(stored);
            }
            new.sort_by(|one, other| one.order().cmp(&other.order()));
            new.dedup_by(|one, other| one.fingerprint == other.fingerprint);
            new.truncate(at_a_time);
            all.extend(new.iter().cloned());

            let mut writes = Vec::new();
            // Facts that make no record yet wait for the register's.
            let folded = facts::fold_with_history(&without_repetitions(&all));
            let folded = folded.map(|(company, history)| (complete(company), history));
            if new.is_empty() && folded.is_none() {
                return Ok(stored);
            }
            // What others say of a company does not enter it in the register.
            let is_new_company = folded.is_some() && !is_recorded;
            if let Some((company, _)) = &folded {
                writes.push(Write::put_document(keys::company(uid), company)?);
            }
            let history = folded.map(|(_, history)| history).unwrap_or_default();
            writes.extend(kept.replaced_by(uid, history.continuing(&kept.history))?);
            for fact in &new {
                writes.push(Write::put_document(keys::fact(fact), fact)?.if_absent());
            }
            if new.len() > 1 && !Write::fit_together(&writes) {
                at_a_time = new.len() / 2;
                continue;
            }
            match self.table.transact(writes).await {
                // Another ingest stored a fact of this company, or its events got their places.
                Err(Error::Changed) if lost < ATTEMPTS => lost += 1,
                Err(error) => return Err(error),
                Ok(()) if is_new_company => stored = Stored::New,
                Ok(()) if stored == Stored::Unchanged => stored = Stored::Changed,
                Ok(()) => {}
            }
        }
    }

    /// The history, and whether there is a record, in one request.
    async fn kept_history_and_record(&self, uid: Uid) -> Result<(Kept, bool), Error> {
        let record = keys::company(uid);
        let mut rows = self.table.query_between(keys::history(uid, 0), &record.sort).await?;
        let count = rows.len();
        rows.retain(|it| it.sort != record.sort);
        let is_recorded = rows.len() < count;
        Ok((Kept::of(rows)?, is_recorded))
    }

    pub(crate) async fn kept_history(&self, uid: Uid) -> Result<Kept, Error> {
        Kept::of(self.table.query_rows(keys::histories(uid)).await?)
    }
}

impl Kept {
    pub(crate) fn of(rows: Vec<Row>) -> Result<Self, Error> {
        let revision = rows.first().and_then(|it| it.number(REVISION)).unwrap_or(0);
        let parts: Vec<Part> = rows.into_iter().map(Row::read).collect::<Result<_, _>>()?;
        Ok(Self { history: history_of(parts.clone()), parts, revision })
    }

    /// The writes that put another history in the place of this one, if this one is still there: the
    /// parts that differ, and the company's row in the outbox if something waits for its place.
    pub(crate) fn replaced_by(&self, uid: Uid, history: History) -> Result<Vec<Write>, Error> {
        let waits = history.has_unpublished();
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
        if waits {
            writes.push(Write::put_document(keys::outbox(uid), &Waiting { uid })?);
        }
        Ok(writes)
    }
}

/// The history whose parts these are, in their order.
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

/// A company in the outbox.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Waiting {
    pub(crate) uid: Uid,
}

/// The parts of a history, at least one. Events come first: as a rule they grow at their end.
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
