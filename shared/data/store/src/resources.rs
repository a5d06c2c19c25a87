//! What a team keeps: resources that it creates, lists, changes and deletes.
//!
//! Invariants: the number of resources of a kind is exact and bounded, under any concurrency; a name that must be
//! unique has one owner; the copies of a resource under other keys appear, change and disappear with it; a
//! change that another one has overtaken is made again on the new state.

use std::fmt::Display;

use access::{TeamLimits, Tier};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    ATTEMPTS, Error, TeamKey, Tenants,
    due::Due,
    keys::{self, Key},
    kind::Kind,
    pause_after_conflict,
    table::{Read, Write},
};

/// A resource of a team.
pub trait Resource: Serialize + DeserializeOwned + Send + Sync {
    const KIND: Kind;

    /// The sort key after the kind: the id of the resource, after that of its container if it has one,
    /// separated by `#`. Never changes.
    fn path(&self) -> String;

    /// The limits on the number of resources of this kind. Never change for a resource.
    fn limits(&self) -> Vec<Limit>;

    /// Keys of copies of this resource, to find it by other members.
    fn copies(&self, _team: &TeamKey) -> Vec<Copy> {
        Vec::new()
    }

    /// The first period in which this resource is due, if it runs by itself.
    fn first_due(&self, _team: &TeamKey) -> Option<Due> {
        None
    }
}

/// A resource of which a team keeps as many as its tier allows.
pub trait LimitedByTier: Resource {
    /// The maximum number.
    fn max(limits: &TeamLimits) -> u32;
}

/// A limit on the number of resources of a kind.
#[derive(Clone, Debug)]
pub struct Limit {
    /// What contains them, such as a company. Empty: the team.
    container: String,
    max: Max,
}

/// The maximum number of resources.
#[derive(Clone, Copy, Debug)]
enum Max {
    Fixed(u32),
    /// The team's tier decides.
    OfTeam(fn(&TeamLimits) -> u32),
}

impl Limit {
    /// At most this number in a team of any tier.
    pub fn of_team(max: u32) -> Self {
        Self { container: String::new(), max: Max::Fixed(max) }
    }

    /// At most this number in a container, such as a company.
    pub fn within(container: impl Display, max: u32) -> Self {
        Self { container: container.to_string(), max: Max::Fixed(max) }
    }

    /// At most the number in a team that its tier allows.
    pub fn by_tier<T: LimitedByTier>() -> Self {
        Self { container: String::new(), max: Max::OfTeam(T::max) }
    }

    /// The maximum number in a team of this tier.
    fn max(&self, tier: Tier) -> u32 {
        match self.max {
            Max::Fixed(max) => max,
            Max::OfTeam(max) => max(&TeamLimits::of(tier)),
        }
    }
}

/// A copy of a resource under another key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    pub key: Key,
    /// Whether no other resource may have this key.
    pub is_unique: bool,
}

/// The path of the resource with this id in a container, such as a company. Without an id, the prefix of all paths in it.
pub fn path_within(container: impl Display, id: &str) -> String {
    format!("{container}#{id}")
}

/// Why a resource was not created or changed.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// A resource with this path, or with this unique copy, exists.
    #[error("it exists already")]
    Exists,
    #[error("the limit of {max} {kind} is reached")]
    LimitReached { kind: Kind, max: u32 },
    #[error(transparent)]
    Failed(#[from] Error),
}

/// What a write counts, and the maximum.
type Counted = Option<(Kind, u32)>;

/// The writes that create a resource of a team of this tier, each with the limit that it checks, if it counts the resource.
pub(crate) fn creation<T: Resource>(
    team: &TeamKey,
    tier: Tier,
    new: &T,
) -> Result<Vec<(Write, Counted)>, Error> {
    let put = Write::put_document(keys::resource(team, T::KIND, &new.path()), new)?;
    let mut writes = vec![(put.revise(0, 1), None)];
    for limit in new.limits() {
        let (counter, max) = (keys::number_of(team, T::KIND, &limit.container), limit.max(tier));
        writes.push((Write::count_up(counter, max), Some((T::KIND, max))));
    }
    for copy in new.copies(team) {
        let put = Write::put_document(copy.key, new)?;
        writes.push((if copy.is_unique { put.if_absent() } else { put }, None));
    }
    if let Some(due) = new.first_due(team) {
        writes.push((due.put()?, None));
    }
    Ok(writes)
}

/// The writes that delete a resource: the first one deletes it, if nobody has changed it since it was read.
pub(crate) fn deletion<T: Resource>(team: &TeamKey, old: &Read<T>) -> Vec<Write> {
    let key = keys::resource(team, T::KIND, &old.value.path());
    let mut writes = vec![Write::delete(key).if_revision(old.revision)];
    for Limit { container, .. } in old.value.limits() {
        writes.push(Write::count_down(keys::number_of(team, T::KIND, &container)));
    }
    writes.extend(old.value.copies(team).into_iter().map(|it| Write::delete(it.key)));
    writes.extend(old.value.first_due(team).map(|it| Write::delete(it.key())));
    writes
}

impl Tenants {
    /// The resource with this path.
    pub async fn resource<T: Resource>(
        &self,
        team: &TeamKey,
        path: &str,
    ) -> Result<Option<T>, Error> {
        self.table.get(keys::resource(team, T::KIND, path)).await
    }

    /// The resources of the team whose path starts with `prefix`, sorted by path. Consistent.
    pub async fn resources<T: Resource>(
        &self,
        team: &TeamKey,
        prefix: &str,
    ) -> Result<Vec<T>, Error> {
        self.table.query(keys::resource(team, T::KIND, prefix)).await
    }

    /// Creates a resource of a team of this tier.
    pub async fn create<T: Resource>(
        &self,
        team: &TeamKey,
        tier: Tier,
        new: &T,
    ) -> Result<(), Refused> {
        self.create_all(creation(team, tier, new)?).await
    }

    /// Applies the writes of [`creation`], of one or several resources: all or none.
    pub(crate) async fn create_all(&self, writes: Vec<(Write, Counted)>) -> Result<(), Refused> {
        let (writes, limits): (Vec<Write>, Vec<Counted>) = writes.into_iter().unzip();
        for attempt in 0..ATTEMPTS {
            match self.table.try_transact(writes.clone()).await {
                Ok(failed) if failed.is_empty() => return Ok(()),
                Ok(failed) => {
                    // The limit does not matter for what exists already.
                    let limit = |it: usize| limits.get(it).copied().flatten();
                    let limits: Option<Vec<(Kind, u32)>> = failed.into_iter().map(limit).collect();
                    let limit = limits.and_then(|it| it.into_iter().next());
                    return Err(match limit {
                        Some((kind, max)) => Refused::LimitReached { kind, max },
                        None => Refused::Exists,
                    });
                }
                Err(Error::Changed) => pause_after_conflict(attempt).await,
                Err(failure) => return Err(failure.into()),
            }
        }
        Err(Error::Changed.into())
    }

    /// Changes a resource and returns its new state. `change` runs again if another change was faster.
    /// `Ok(None)`: the resource does not exist, or `change` returned `None`, which leaves it as it is.
    pub async fn change<T: Resource>(
        &self,
        team: &TeamKey,
        path: &str,
        change: impl FnMut(&T) -> Option<T>,
    ) -> Result<Option<T>, Refused> {
        self.change_with(team, path, change, Vec::new()).await
    }

    /// As [`Self::change`], with other writes in the same transaction, which have no conditions.
    pub(crate) async fn change_with<T: Resource>(
        &self,
        team: &TeamKey,
        path: &str,
        mut change: impl FnMut(&T) -> Option<T>,
        others: Vec<Write>,
    ) -> Result<Option<T>, Refused> {
        for attempt in 0..ATTEMPTS {
            let Some(old) = self.read_resource::<T>(team, path).await? else { return Ok(None) };
            let Some(new) = change(&old.value) else { return Ok(None) };
            let put = Write::put_document(keys::resource(team, T::KIND, path), &new)?;
            let mut writes = vec![put.revise(old.revision, old.revision + 1)];
            let (before, after) = (old.value.copies(team), new.copies(team));
            for copy in before.iter().filter(|it| after.iter().all(|other| other.key != it.key)) {
                writes.push(Write::delete(copy.key.clone()));
            }
            for copy in &after {
                let put = Write::put_document(copy.key.clone(), &new)?;
                let is_new = before.iter().all(|it| it.key != copy.key);
                writes.push(if copy.is_unique && is_new { put.if_absent() } else { put });
            }
            let (before, after) = (old.value.first_due(team), new.first_due(team));
            if before != after {
                writes.extend(before.map(|it| Write::delete(it.key())));
                writes.extend(after.map(|it| it.put()).transpose()?);
            }
            writes.extend(others.iter().cloned());
            match self.table.try_transact(writes).await {
                Ok(failed) if failed.is_empty() => return Ok(Some(new)),
                Ok(failed) if !failed.contains(&0) => return Err(Refused::Exists),
                Ok(_) | Err(Error::Changed) => pause_after_conflict(attempt).await,
                Err(failure) => return Err(failure.into()),
            }
        }
        Err(Error::Changed.into())
    }

    /// Deletes a resource if `may` allows it, and returns it. `None`: it does not exist, or may not be
    /// deleted.
    pub async fn delete<T: Resource>(
        &self,
        team: &TeamKey,
        path: &str,
        may: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, Error> {
        self.delete_with(team, path, may, Vec::new()).await
    }

    /// As [`Self::delete`], with the items of other keys in the same transaction.
    pub(crate) async fn delete_with<T: Resource>(
        &self,
        team: &TeamKey,
        path: &str,
        may: impl Fn(&T) -> bool,
        others: Vec<Key>,
    ) -> Result<Option<T>, Error> {
        for attempt in 0..ATTEMPTS {
            let Some(old) = self.read_resource::<T>(team, path).await? else { return Ok(None) };
            if !may(&old.value) {
                return Ok(None);
            }
            let mut writes = deletion(team, &old);
            writes.extend(others.iter().cloned().map(Write::delete));
            match self.table.try_transact(writes).await {
                Ok(failed) if failed.is_empty() => return Ok(Some(old.value)),
                Ok(_) | Err(Error::Changed) => pause_after_conflict(attempt).await,
                Err(failure) => return Err(failure),
            }
        }
        Err(Error::Changed)
    }

    /// Deletes a container and the resources in it. `false`: it does not exist.
    ///
    /// The container is deleted first. Neither a request nor the delivery can reach its contents without it, so contents
    /// that remain after an interruption have no effect.
    pub(crate) async fn delete_with_contents<T: Resource, C: Resource>(
        &self,
        team: &TeamKey,
        id: &str,
    ) -> Result<bool, Error> {
        let Some(_) = self.delete::<T>(team, id, |_| true).await? else { return Ok(false) };
        self.delete_contents::<C>(team, id).await?;
        self.table.delete_all(vec![keys::number_of(team, C::KIND, id)]).await?;
        Ok(true)
    }

    /// Deletes the resources in a container that no longer exists, and not their number.
    pub(crate) async fn delete_contents<C: Resource>(
        &self,
        team: &TeamKey,
        container: &str,
    ) -> Result<(), Error> {
        let mut keys = Vec::new();
        for content in self.resources::<C>(team, &path_within(container, "")).await? {
            keys.push(keys::resource(team, C::KIND, &content.path()));
            keys.extend(content.copies(team).into_iter().map(|it| it.key));
        }
        self.table.delete_all(keys).await
    }

    pub(crate) async fn read_resource<T: Resource>(
        &self,
        team: &TeamKey,
        path: &str,
    ) -> Result<Option<Read<T>>, Error> {
        self.table.get_revised(keys::resource(team, T::KIND, path)).await
    }
}
