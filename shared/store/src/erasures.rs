//! Erases users and teams with everything that is stored about them.
//!
//! An erasure starts with one transaction. From then on nobody can act for the team or as the user: authentication, invitations
//! and the workers ask [`Tenants::is_erased`], and the user is a member of no team. The scheduler then deletes the rest in steps
//! that can be killed and repeated:
//!
//! 1. [`Tenants::empty`] deletes what is found by its key, soon after the request.
//! 2. [`Tenants::sweep`] reads the whole table once for all erasures that wait, at the earliest [`QUIET`] after the request, when no
//!    process still writes for the team or user. It deletes or changes whatever mentions them, and ends the erasures.
//!
//! Invariants: what is erased stays in the list of erasures, as a hash, so that it can be erased again after a backup was
//! restored; an item is deleted only if [`items`] says so, or if it is of no known kind; the entries of the audit log are changed
//! only for the operator.
//!
//! | Module | Contents |
//! |---|---|
//! | [`items`] | every kind of item, and what becomes of it |
//! | `requests` | the transactions with which erasures start |
//! | `empty` | what is found by its key |
//! | `sweep` | what is found by what it mentions |
//! | `restored` | erasures that a restored backup has undone |

mod empty;
pub mod items;
mod requests;
mod restored;
mod sweep;

use auth::{Email, TeamId};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub(crate) use self::requests::leftovers_of;
pub use self::{
    requests::{EraseRefused, TeamNeeded},
    sweep::AuditLogs,
};
use crate::{Error, Tenants, keys, keys::Key, table::Write};

/// After this time, no process still writes for a team or user that was erased: caches last a minute, and workers stop after 15.
pub const QUIET: SignedDuration = SignedDuration::from_hours(1);

/// The name that stands for an erased user or team, where something of others mentions them.
pub const PLACEHOLDER: &str = "00000000-0000-0000-0000-000000000000";

/// What is erased.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Erased {
    /// A team, in both environments.
    Team {
        team: TeamId,
        /// The legal duty because of which its evidence of screenings stays until it expires. `None`: it is deleted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        keeps_evidence_for: Option<String>,
    },
    /// A user.
    User {
        user: String,
        email: Email,
        /// The teams that the user was in.
        teams: Vec<TeamId>,
    },
    /// What a user had for herself in a team that she is no member of any more.
    Member {
        team: TeamId,
        user: String,
        /// Whether the user is a member again, as read before a search.
        #[serde(skip)]
        has_returned: bool,
    },
    /// Invitations and links to an address whose user was erased. Only after a backup was restored.
    Address { email: Email },
}

/// An erasure that is not finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Erasure {
    #[serde(flatten)]
    pub erased: Erased,
    pub requested_at: Timestamp,
    /// Whether what is found by its key is deleted.
    #[serde(default)]
    pub is_emptied: bool,
}

/// What the list of erasures says, under the hash of what was erased.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed {
    kind: String,
    erased_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    keeps_evidence_for: Option<String>,
}

/// Kinds of what the list names.
const TEAM: &str = "team";
const USER: &str = "user";
const MEMBER: &str = "member";
const ADDRESS: &str = "address";

/// The hash under which something is in the list of erasures.
fn hash(kind: &str, id: &str) -> String {
    hex::encode(Sha256::digest(format!("{kind}#{id}")))
}

impl Erased {
    /// What it is, for the log.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Team { .. } => TEAM,
            Self::User { .. } => USER,
            Self::Member { .. } => MEMBER,
            Self::Address { .. } => ADDRESS,
        }
    }

    /// Its key among the erasures that are not finished.
    fn key(&self) -> Key {
        match self {
            Self::Team { team, .. } => keys::erasure(TEAM, &team.0),
            Self::User { user, .. } => keys::erasure(USER, user),
            Self::Member { team, user, .. } => keys::erasure(MEMBER, &format!("{team}#{user}")),
            Self::Address { email } => keys::erasure(ADDRESS, email.as_str()),
        }
    }

    /// What the list of erasures names. A member who has left a team may return, and is not in it.
    fn listed(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Team { team, .. } => vec![(TEAM, team.0.clone())],
            Self::User { user, email, .. } => {
                vec![(USER, user.clone()), (ADDRESS, email.as_str().to_owned())]
            }
            Self::Address { email } => vec![(ADDRESS, email.as_str().to_owned())],
            Self::Member { .. } => Vec::new(),
        }
    }

    fn keeps_evidence_for(&self) -> Option<&str> {
        match self {
            Self::Team { keeps_evidence_for, .. } => keeps_evidence_for.as_deref(),
            Self::User { .. } | Self::Member { .. } | Self::Address { .. } => None,
        }
    }
}

impl Erasure {
    pub fn new(erased: Erased, requested_at: Timestamp) -> Self {
        Self { erased, requested_at, is_emptied: false }
    }

    /// The writes that put it into the list and start it.
    fn writes(&self) -> Result<Vec<Write>, Error> {
        let mut writes = vec![Write::put_document(self.erased.key(), self)?];
        for (kind, id) in self.erased.listed() {
            let listed = Listed {
                kind: kind.to_owned(),
                erased_at: self.requested_at,
                keeps_evidence_for: self.erased.keeps_evidence_for().map(str::to_owned),
            };
            writes.push(Write::put_document(keys::erased(&hash(kind, &id)), &listed)?);
        }
        Ok(writes)
    }
}

impl Tenants {
    /// Whether a team is erased, or is being erased.
    pub async fn is_erased(&self, team: &TeamId) -> Result<bool, Error> {
        let key = keys::erased(&hash(TEAM, &team.0));
        Ok(self.table.get::<Listed>(key).await?.is_some())
    }

    /// Whether a user with this id is erased.
    pub async fn is_user_erased(&self, id: &str) -> Result<bool, Error> {
        Ok(self.table.get::<Listed>(keys::erased(&hash(USER, id))).await?.is_some())
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

    /// The erasures that are not finished.
    pub async fn erasures(&self) -> Result<Vec<Erasure>, Error> {
        self.table.query(keys::erasures()).await
    }

    /// Ends an erasure: nothing is left.
    pub async fn end_erasure(&self, erasure: &Erasure) -> Result<(), Error> {
        self.table.delete_each(vec![erasure.erased.key()]).await
    }
}
