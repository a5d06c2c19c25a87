//! Removing what is on the list from what is stored of a company that mentions it.

use std::collections::BTreeMap;

use domain::{Company, Uid};
use facts::{
    Fact, ParsedFacts,
    erasures::{Erasures, Redacted},
    without_repetitions,
};

use crate::{
    ATTEMPTS, Error, Registry,
    history::Proofs,
    keys::{self, FactKind, Key},
    pause_after_conflict,
    table::Write,
};

/// Maximum number of facts rewritten in one transaction: each is deleted and put.
const MAX_FACTS_PER_WRITE: usize = 30;

impl Registry {
    /// Removes what was erased from facts, record and history of a company. Published events keep their ids, and the history
    /// that is folded from the new facts continues them. Returns whether something was changed.
    pub(super) async fn redact_company(
        &self,
        erasures: &Erasures,
        uid: Uid,
        complete: &impl Fn(Company) -> Company,
    ) -> Result<bool, Error> {
        let (mut is_changed, mut conflicts) = (false, 0);
        let mut max_facts = MAX_FACTS_PER_WRITE;
        loop {
            let (old, record, proofs) = self.stored_state(uid).await?;
            let (mut facts, mut deleted) = (Vec::new(), Vec::new());
            let mut put: BTreeMap<Key, Fact> = BTreeMap::new();
            for fact in self.facts_of_kind(uid, FactKind::Folded).await? {
                let redacted = erasures.redact(fact.clone());
                if redacted.as_ref() != Some(&fact) {
                    let new = redacted.as_ref().map(|it| (keys::fact(it), it.clone()));
                    if deleted.len() < max_facts {
                        deleted.push(keys::fact(&fact));
                        put.extend(new);
                    }
                }
                facts.extend(redacted);
            }
            let own: Vec<String> = record.iter().map(|it| it.name.clone()).collect();
            let before = erasures.redact_history(old.history.clone(), &own);
            let mut writes = Vec::new();
            let history = match ParsedFacts::new(without_repetitions(&facts)).current() {
                Some(current) => {
                    let (company, new) = (complete(current.company), Proofs::of(current.proofs));
                    if record.as_ref() != Some(&company) {
                        writes.push(Write::put_document(keys::company(uid), &company)?);
                    }
                    if proofs.as_ref() != Some(&new) {
                        writes.push(Write::put_document(keys::proofs(uid), &new)?);
                    }
                    current.history.continuing(&before)
                }
                // Loaded without facts.
                None => {
                    if let Some(company) = &record
                        && let Redacted::Changed(company) = erasures.redact_as(company, &own)
                    {
                        writes.push(Write::put_document(keys::company(uid), &company)?);
                    }
                    before
                }
            };
            if deleted.is_empty() && writes.is_empty() && old.is_stored_as(&history)? {
                return Ok(is_changed);
            }
            writes.extend(old.replace_with(uid, history)?);
            let kept = |it: &Key| put.contains_key(it);
            writes.extend(deleted.iter().filter(|it| !kept(it)).cloned().map(Write::delete));
            for (key, fact) in &put {
                writes.push(Write::put_document(key.clone(), fact)?);
            }
            if max_facts > 1 && !Write::fit_together(&writes) {
                max_facts /= 2;
                continue;
            }
            match self.table.transact(writes).await {
                // Another process stored a fact of this company or published its events in the meantime.
                Err(Error::Changed) if conflicts < ATTEMPTS => {
                    pause_after_conflict(conflicts).await;
                    conflicts += 1;
                }
                Err(failure) => return Err(failure),
                Ok(()) => is_changed = true,
            }
        }
    }
}
