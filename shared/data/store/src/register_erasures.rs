//! The list of erasures, and removing from the tables what is on it.
//!
//! Invariants: facts are stored in transactions that fail if the list is applied after they have read it (`HeldErasures`), so that
//! nothing on it is stored again; what `apply_erasures` has done stays done if it is interrupted, and doing it again changes nothing
//! more; an event of an erased company keeps its id and its sequence number.

mod company;
mod registry;
mod tenants;

use std::{
    collections::{BTreeSet, HashMap},
    pin::pin,
};

use domain::{Uid, persons::Person};
use facts::erasures::{Erasure, HashKey};
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use uuid::Uuid;

use crate::{
    ATTEMPTS, Error, Registry,
    keys::{self, ERASURE_SHARDS, Key},
    pause_after_conflict,
    table::{REVISION, Table, Write},
};

/// Number of versions of the list that are raised in parallel.
const PARALLEL: usize = 16;

/// What applying the list did to a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Number of items that were read.
    pub read: u64,
    /// Number of items that were deleted.
    pub deleted: u64,
    /// Number of items or companies from which something was removed.
    pub redacted: u64,
}

impl Registry {
    /// From now on, no transaction succeeds that has read the list before. What such transactions have stored is found by a scan that
    /// starts now.
    async fn end_held_erasures(&self) -> Result<(), Error> {
        let raised = stream::iter(0..ERASURE_SHARDS)
            .map(|shard| self.raise_version(keys::register_erasures_version(shard)));
        raised.buffer_unordered(PARALLEL).try_collect().await
    }

    async fn raise_version(&self, key: Key) -> Result<(), Error> {
        for conflicts in 0..ATTEMPTS {
            let row = self.table.get_row(key.clone()).await?;
            let version = row.and_then(|it| it.number(REVISION)).unwrap_or_default();
            let put = Write::put_document(key.clone(), &())?.revise(version, version + 1);
            match self.table.transact(vec![put]).await {
                // A writer has it in its transaction.
                Err(Error::Changed) => pause_after_conflict(conflicts).await,
                done => return done,
            }
        }
        Err(Error::Changed)
    }

    /// Adds a company to the list, with the names that its facts and its record state, and with other `names`. From then on nothing
    /// about it is stored. What is stored is removed by [`Registry::apply_erasures`]. `false`: neither a record nor facts are
    /// stored, and it was not on the list.
    pub async fn erase_company(
        &self,
        uid: Uid,
        names: &[String],
        now: Timestamp,
        reference: Option<String>,
    ) -> Result<bool, Error> {
        let key = self.hash_key_or_new().await?;
        let (record, facts) = (self.company(uid).await?, self.facts(uid).await?);
        let known = record.is_some() || !facts.is_empty();
        let erasure = Erasure::of_company(&key, uid, record.as_ref(), &facts, now, reference);
        let erasure = erasure.with_names(&key, names);
        self.add_erasure(erasure).await.map(|was_listed| known || was_listed)
    }

    /// Adds a person to the list, under each id that notices of moves and changes of name connect with this one. From then on, the
    /// person is removed from the notices that are stored. Reads all companies. `false`: nobody with this id has a role, and none is
    /// on the list.
    pub async fn erase_person(
        &self,
        id: Uuid,
        now: Timestamp,
        reference: Option<String>,
    ) -> Result<bool, Error> {
        let key = self.hash_key_or_new().await?;
        let mut roles: HashMap<Uuid, Vec<(Uid, Person)>> = HashMap::new();
        let mut same = Vec::new();
        let mut companies = pin!(self.every_company());
        while let Some(page) = companies.try_next().await? {
            for (company, history) in page.into_iter().flatten() {
                same.extend(history.same_persons);
                for mandate in history.mandates {
                    let of_person = roles.entry(mandate.person_id).or_default();
                    of_person.push((company.uid, mandate.person));
                }
            }
        }
        let mut known = false;
        for id in connected(id, &same) {
            let roles = roles.get(&id).map(Vec::as_slice).unwrap_or_default();
            known |= !roles.is_empty();
            let erasure = Erasure::of_person(&key, id, roles, now, reference.clone());
            known |= self.add_erasure(erasure).await?;
        }
        Ok(known)
    }

    /// Adds an entry. Returns whether there was one already, whose names it keeps.
    async fn add_erasure(&self, erasure: Erasure) -> Result<bool, Error> {
        let key = keys::register_erasure(erasure.kind, &erasure.identity);
        for conflicts in 0..ATTEMPTS {
            let earlier = self.table.get_revised::<Erasure>(key.clone()).await?;
            let (revision, new) = match &earlier {
                Some(it) => (it.revision, erasure.clone().and(it.value.clone())),
                None => (0, erasure.clone()),
            };
            let put = Write::put_document(key.clone(), &new)?.revise(revision, revision + 1);
            match self.table.transact(vec![put]).await {
                Err(Error::Changed) => pause_after_conflict(conflicts).await,
                done => return done.map(|()| earlier.is_some()),
            }
        }
        Err(Error::Changed)
    }

    async fn hash_key_or_new(&self) -> Result<HashKey, Error> {
        hash_key_or_new(&self.table, keys::register_erasure_hash_key()).await
    }
}

/// The key of the hashes of a list of erasures. The first erasure creates it.
pub(crate) async fn hash_key_or_new(table: &Table, key: Key) -> Result<HashKey, Error> {
    if let Some(stored) = table.get(key.clone()).await? {
        return Ok(stored);
    }
    let new = HashKey(rand::random::<[u64; 4]>().map(|it| format!("{it:016x}")).concat());
    match table.transact(vec![Write::put_document(key.clone(), &new)?.if_absent()]).await {
        Ok(()) => Ok(new),
        // Another process has created one.
        Err(Error::Changed) => table.get(key).await?.ok_or(Error::Changed),
        Err(failure) => Err(failure),
    }
}

/// The ids that pairs connect with this one, and itself.
fn connected(id: Uuid, pairs: &[(Uuid, Uuid)]) -> BTreeSet<Uuid> {
    let mut found = BTreeSet::from([id]);
    loop {
        let before = found.len();
        for (one, other) in pairs {
            if found.contains(one) || found.contains(other) {
                found.extend([*one, *other]);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
