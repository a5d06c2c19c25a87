//! Erases users and teams with everything that is stored about them.
//!
//! An erasure starts with one transaction. From then on nobody can act for the team or as the user: authentication, invitations
//! and the workers ask [`Tenants::is_erased`], and the user is a member of no team. The scheduler then deletes the rest in steps
//! that can be killed and repeated:
//!
//! 1. [`Tenants::empty`] deletes what is found by its key, soon after the request.
//! 2. [`Tenants::sweep`] reads the whole table once for all erasures that wait, at the earliest [`QUIET`] after the request, when no
//!    process still writes for the team or user. It deletes or changes whatever mentions them, and ends the erasures. An item that
//!    cannot be erased is logged and named in its erasure, which waits for the next search; the others end.
//!
//! Invariants: what is erased stays in the list of erasures, as a hash, so that it can be erased again after a backup was
//! restored; an item is deleted only if [`items`] says so, or if it is of no known kind; the entries of the audit log are changed
//! only for the operator.
//!
//! | Module | Contents |
//! |---|---|
//! | [`items`] | every kind of item, and what becomes of it |
//! | `list` | the list of erasures |
//! | `requests` | the transactions with which erasures start |
//! | `empty` | what is found by its key |
//! | `sweep` | what is found by what it mentions |
//! | `restored` | erasures that a restored backup has undone |
//! | `whole` | ids and addresses in texts |

mod empty;
pub mod items;
mod list;
mod requests;
mod restored;
mod sweep;
mod whole;

use auth::TeamId;
use futures_util::future::try_join;
use jiff::SignedDuration;

pub use self::{
    requests::{EraseRefused, TeamNeeded},
    sweep::AuditLogs,
};
pub use crate::erasure::{Erased, Erasure, Failed, PLACEHOLDER};
use crate::{
    Error, Tenants,
    companies::readable,
    erasure::{Listed, TEAM, USER, hash},
    keys,
};

/// After this time, no process still writes for a team or user that was erased: caches last a minute, and workers stop after 15.
pub const QUIET: SignedDuration = SignedDuration::from_hours(1);

impl Tenants {
    /// Whether a team is erased, or is being erased.
    pub async fn is_erased(&self, team: &TeamId) -> Result<bool, Error> {
        let key = keys::erased(&hash(TEAM, &team.0));
        Ok(self.table.get::<Listed>(key).await?.is_some())
    }

    /// Whether a user with this id is erased. Such a user is stored again after a backup was restored.
    pub async fn is_user_erased(&self, id: &str) -> Result<bool, Error> {
        Ok(self.table.get::<Listed>(keys::erased(&hash(USER, id))).await?.is_some())
    }

    /// Whether a team or a user is erased.
    pub(crate) async fn is_either_erased(&self, team: &TeamId, user: &str) -> Result<bool, Error> {
        // On the heap: each request awaits it deep in its stack.
        let (team, user) = (Box::pin(self.is_erased(team)), Box::pin(self.is_user_erased(user)));
        let (team, user) = try_join(team, user).await?;
        Ok(team || user)
    }

    /// The legal duty because of which an erased team keeps its evidence.
    pub async fn evidence_kept_for(&self, team: &TeamId) -> Result<Option<String>, Error> {
        let listed: Option<Listed> = self.table.get(keys::erased(&hash(TEAM, &team.0))).await?;
        Ok(listed.and_then(|it| it.keeps_evidence_for))
    }

    /// Those of these teams that are not erased.
    pub(crate) async fn without_erased<T>(
        &self,
        teams: Vec<T>,
        id: impl Fn(&T) -> &TeamId,
    ) -> Result<Vec<T>, Error> {
        let key = |it: &T| keys::erased(&hash(TEAM, &id(it).0));
        let rows = self.table.get_rows(teams.iter().map(key).collect()).await?;
        let is_erased = |it: &T| rows.iter().any(|row| row.partition == key(it).partition);
        Ok(teams.into_iter().filter(|it| !is_erased(it)).collect())
    }

    /// The erasures that are not finished. One that cannot be decoded, which is logged, does not stop the others.
    pub async fn erasures(&self) -> Result<Vec<Erasure>, Error> {
        let rows = self.table.query_rows(keys::erasures()).await?;
        rows.into_iter().filter_map(readable).collect()
    }

    /// Ends an erasure: nothing is left.
    pub async fn end_erasure(&self, erasure: &Erasure) -> Result<(), Error> {
        self.table.delete_each(vec![erasure.erased.key()]).await
    }
}
