//! Facts of a company, and the history that is folded from them.

mod cache;
mod layout;
mod proofs;
mod select;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, sync::Arc};

use domain::{Company, History, Provenance, Source, Uid};
use facts::{CompanyAsOf, Fact, ParsedFacts, is_known, without_repetitions};
use futures_util::future::{try_join, try_join3};
use jiff::civil::Date;

pub(crate) use self::cache::ParsedFactsCache;
pub(crate) use self::layout::{StoredHistory, items, read_history};
pub(crate) use self::proofs::Proofs;
pub use self::select::Wanted;
use crate::{
    ATTEMPTS, Error, READ_ATTEMPTS, Registry,
    held_erasures::HeldErasures,
    keys::{self, FactKind},
    pause_after_conflict,
    table::{REVISION, Row, Write},
};

/// Maximum number of facts stored in one transaction. A transaction holds 100 writes, including the record
/// and the parts of the history.
const MAX_FACTS_PER_WRITE: usize = 50;

/// Effect of storing facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stored {
    /// All facts were known already and give the stored record. Nothing was written.
    Unchanged,
    /// At least one fact was new, or the record is read differently now.
    Changed,
    /// The company had no record before and has one now.
    New,
}

impl Registry {
    /// The whole history of a company. Empty if nothing is known.
    pub async fn history(&self, uid: Uid) -> Result<History, Error> {
        read_again_if_inconsistent(move || async move {
            read_history(self.table.query_rows(keys::histories(uid)).await?)
        })
        .await
    }

    /// A company and its whole history.
    pub async fn company_with_history(
        &self,
        uid: Uid,
    ) -> Result<Option<(Company, History)>, Error> {
        let (company, history) = try_join(self.company(uid), self.history(uid)).await?;
        Ok(company.map(|it| (it, history)))
    }

    /// All facts of one company, in the order in which they are folded.
    pub async fn facts(&self, uid: Uid) -> Result<Vec<Fact>, Error> {
        let mut facts = Vec::new();
        for kind in FactKind::ALL {
            facts.extend(self.facts_of_kind(uid, kind).await?);
        }
        facts.sort_by(|one, other| one.order().cmp(&other.order()));
        Ok(facts)
    }

    /// Writes facts of companies that have facts already, without folding them: [`Registry::rebuild_record`] does
    /// that once for all. For generated registers.
    pub async fn put_facts(&self, facts: Vec<Fact>) -> Result<(), Error> {
        self.table.put_documents(facts.into_iter().map(|it| (keys::fact(&it), it))).await
    }

    pub(crate) async fn facts_of_kind(&self, uid: Uid, kind: FactKind) -> Result<Vec<Fact>, Error> {
        self.table.query(keys::facts(uid, kind)).await
    }

    /// The facts of one company from one source, by date. News have their own methods.
    pub async fn facts_of(&self, uid: Uid, source: Source) -> Result<Vec<Fact>, Error> {
        let prefix = match source {
            Source::Six => keys::facts(uid, FactKind::Shareholding),
            Source::News => keys::facts(uid, FactKind::News),
            Source::Zefix
            | Source::Lindas
            | Source::Shab
            | Source::Gleif
            | Source::Finma
            | Source::Reports => keys::facts_of(uid, source),
        };
        self.table.query(prefix).await
    }

    /// A company as of the end of a day. `None` if no fact proves that it was in the register on that day.
    pub async fn company_as_of(&self, uid: Uid, day: Date) -> Result<Option<CompanyAsOf>, Error> {
        Ok(self.parsed_facts(uid).await?.and_then(|it| it.as_of(day)))
    }

    /// The source of each member of the record, by its JSON name. Without those of members that no fact contains, such as the
    /// location.
    pub async fn proofs(&self, uid: Uid) -> Result<BTreeMap<String, Provenance>, Error> {
        let stored: Option<Proofs> = self.table.get(keys::proofs(uid)).await?;
        if let Some(stored) = stored {
            return Ok(stored.into_members());
        }
        // Loaded with [`crate::Bulk`] and not changed since.
        let current = self.parsed_facts(uid).await?.and_then(|it| it.current());
        Ok(current.map(|it| it.proofs).unwrap_or_default())
    }

    /// The facts of a company, parsed, to fold it as of several days or to limit what a request folds. `None` if there is no
    /// such company.
    pub async fn parsed_facts(&self, uid: Uid) -> Result<Option<Arc<ParsedFacts>>, Error> {
        let Some(row) = self.table.get_row(keys::history(uid)).await? else { return Ok(None) };
        // The revision is read before the facts, so that the parsed facts are never older than it says.
        let revision = row.number(REVISION).unwrap_or(0);
        let parsed = self.parsed_facts.get_or_read(uid, revision, self.read_and_parse(uid)).await?;
        Ok(Some(parsed))
    }

    /// The parsed facts of a company, and their size in bytes.
    async fn read_and_parse(&self, uid: Uid) -> Result<(ParsedFacts, usize), Error> {
        let rows = self.table.query_rows(keys::facts(uid, FactKind::Folded)).await?;
        let size = rows.iter().map(Row::size).sum();
        let facts: Vec<Fact> = rows.into_iter().map(Row::read).collect::<Result<_, _>>()?;
        Ok((ParsedFacts::new(without_repetitions(&facts)), size))
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
    /// `complete` or of how notices are read. Writes nothing if both are the same as before, or if the company has
    /// no facts. Safe to repeat.
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
        for conflicts in 0..=ATTEMPTS {
            let held = self.held_erasures(uid).await?;
            if held.erasures.has_company(uid) {
                return Ok(stored);
            }
            let facts = held.erasures.apply(facts.to_vec());
            match self.store_held(uid, &held, &facts, (&complete, rebuild), &mut stored).await {
                // Another job stored a fact of this company or published its events in the meantime, or the list of erasures was
                // applied.
                Err(Error::Changed) => pause_after_conflict(conflicts).await,
                done => return done.map(|()| stored),
            }
        }
        Err(Error::Changed)
    }

    /// Stores facts without what is in the list of erasures. [`Error::Changed`]: has to start again.
    async fn store_held(
        &self,
        uid: Uid,
        held: &HeldErasures,
        facts: &[Fact],
        (complete, rebuild): (&impl Fn(Company) -> Company, bool),
        stored: &mut Stored,
    ) -> Result<(), Error> {
        for kind in FactKind::ALL.into_iter().filter(|it| *it != FactKind::Folded) {
            let of_kind: Vec<&Fact> = facts.iter().filter(|it| FactKind::of(it) == kind).collect();
            if !of_kind.is_empty() {
                self.store_unfolded(uid, held, kind, &of_kind, stored).await?;
            }
        }
        let facts: Vec<&Fact> =
            facts.iter().filter(|it| FactKind::of(it) == FactKind::Folded).collect();
        if facts.is_empty() && !rebuild {
            return Ok(());
        }
        let mut max_facts = MAX_FACTS_PER_WRITE;
        loop {
            // Read the history before the facts: if facts are added in between, its revision has changed.
            let (old, record, proofs) = self.stored_state(uid).await?;
            // Facts are always stored with a history, which may be empty. Without a history there are no facts.
            let mut all = match old.revision {
                0 => Vec::new(),
                _ => held.erasures.apply(self.facts_of_kind(uid, FactKind::Folded).await?),
            };
            let new = facts.iter().filter(|it| !is_known(it, &all));
            let mut new: Vec<Fact> = new.map(|it| (*it).clone()).collect();
            if new.is_empty() && (!rebuild || *stored != Stored::Unchanged) {
                return Ok(());
            }
            new.sort_by(|one, other| one.order().cmp(&other.order()));
            new.dedup_by(|one, other| one.fingerprint == other.fingerprint);
            new.truncate(max_facts);
            all.extend(new.iter().cloned());

            let mut writes = Vec::new();
            // The facts alone may not be enough for a record. They are stored until the register's facts arrive.
            let folded = ParsedFacts::new(without_repetitions(&all)).current();
            if new.is_empty() && folded.is_none() {
                return Ok(());
            }
            // Statements of other sources about a company do not create a record.
            let is_new_company = folded.is_some() && record.is_none();
            let mut history = History::default();
            if let Some(current) = folded {
                let (company, new) = (complete(current.company), Proofs::of(current.proofs));
                if record.as_ref() != Some(&company) {
                    writes.push(Write::put_document(keys::company(uid), &company)?);
                }
                if proofs.as_ref() != Some(&new) {
                    writes.push(Write::put_document(keys::proofs(uid), &new)?);
                }
                history = current.history;
            }
            let history = history.continuing(&old.history);
            if new.is_empty() && writes.is_empty() && old.is_stored_as(&history)? {
                return Ok(());
            }
            writes.extend(old.replace_with(uid, history)?);
            for fact in &new {
                writes.push(Write::put_document(keys::fact(fact), fact)?.if_absent());
            }
            writes.push(held.check());
            if new.len() > 1 && !Write::fit_together(&writes) {
                max_facts = new.len() / 2;
                continue;
            }
            self.table.transact(writes).await?;
            *stored = match is_new_company {
                true => Stored::New,
                false => (*stored).max(Stored::Changed),
            };
        }
    }

    /// Stores facts of a kind from which neither the record nor the history is folded.
    async fn store_unfolded(
        &self,
        uid: Uid,
        held: &HeldErasures,
        kind: FactKind,
        facts: &[&Fact],
        stored: &mut Stored,
    ) -> Result<(), Error> {
        loop {
            let known = self.facts_of_kind(uid, kind).await?;
            let new = facts.iter().filter(|it| !is_known(it, &known));
            let mut new: Vec<&Fact> = new.copied().collect();
            if new.is_empty() {
                return Ok(());
            }
            new.sort_by(|one, other| one.order().cmp(&other.order()));
            new.dedup_by(|one, other| one.fingerprint == other.fingerprint);
            new.truncate(MAX_FACTS_PER_WRITE);
            let mut writes = vec![held.check()];
            for fact in new {
                writes.push(Write::put_document(keys::fact(fact), fact)?.if_absent());
            }
            self.table.transact(writes).await?;
            *stored = (*stored).max(Stored::Changed);
        }
    }

    pub(crate) async fn stored_state(
        &self,
        uid: Uid,
    ) -> Result<(StoredHistory, Option<Company>, Option<Proofs>), Error> {
        let proofs = self.table.get(keys::proofs(uid));
        try_join3(self.stored_history(uid), self.company(uid), proofs).await
    }

    pub(crate) async fn stored_history(&self, uid: Uid) -> Result<StoredHistory, Error> {
        read_again_if_inconsistent(move || async move {
            StoredHistory::of(self.table.query_rows(keys::histories(uid)).await?)
        })
        .await
    }
}

/// Repeats a read of a history whose parts do not belong together, because the history was being replaced.
async fn read_again_if_inconsistent<T, F>(read: impl Fn() -> F) -> Result<T, Error>
where
    F: Future<Output = Result<T, Error>>,
{
    for conflicts in 0..READ_ATTEMPTS {
        match read().await {
            Err(Error::Changed) => pause_after_conflict(conflicts).await,
            result => return result,
        }
    }
    Err(inconsistent_parts())
}

/// The error of a history whose parts still do not belong together after repeated reads: they were not replaced, but
/// damaged.
fn inconsistent_parts() -> Error {
    Error::Shape("the parts of the history do not belong together".into())
}
