//! What is erased, and what is stored about it.

use auth::{Email, Member, TeamId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    Error,
    keys::{self, Key},
    table::Write,
};

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
        /// `None`: only the id is known, as after a backup was restored. The address is erased by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        email: Option<Email>,
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
    /// What was stored until then is erased: the address may be that of a new user since.
    pub requested_at: Timestamp,
    /// Since when it waits for a search: from the request, or later if it has to be searched again.
    pub queued_at: Timestamp,
    /// Whether what is found by its key is deleted.
    #[serde(default)]
    pub is_emptied: bool,
    /// What the last search could not erase. The next one tries again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<Failed>,
}

/// Items that a search could not erase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failed {
    pub at: Timestamp,
    pub items: u64,
    /// Partition and sort key of the first of them, and why.
    pub first: (String, String),
    pub reason: String,
}

/// What the list of erasures says, under the hash of what was erased.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed {
    pub(crate) kind: String,
    pub(crate) erased_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) keeps_evidence_for: Option<String>,
    /// The hash of the user who had the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) user: Option<String>,
    /// Whether the operator has also made the entries of audit logs anonymous.
    #[serde(default)]
    pub(crate) is_anonymous: bool,
}

/// Kinds of what the list names.
pub(crate) const TEAM: &str = "team";
pub(crate) const USER: &str = "user";
pub(crate) const MEMBER: &str = "member";
pub(crate) const ADDRESS: &str = "address";

/// The hash under which a team or a user is in the list of erasures. Ids are random, so that it needs no key.
pub(crate) fn hash(kind: &str, id: &str) -> String {
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
    pub(crate) fn key(&self) -> Key {
        match self {
            Self::Team { team, .. } => keys::erasure(TEAM, &team.0),
            Self::User { user, .. } => keys::erasure(USER, user),
            Self::Member { team, user, .. } => keys::erasure(MEMBER, &format!("{team}#{user}")),
            Self::Address { email } => keys::erasure(ADDRESS, email.as_str()),
        }
    }
}

impl Erasure {
    pub fn new(erased: Erased, now: Timestamp) -> Self {
        Self { erased, requested_at: now, queued_at: now, is_emptied: false, failed: None }
    }

    /// The write that starts it.
    pub(crate) fn start(&self) -> Result<Write, Error> {
        Write::put_document(self.erased.key(), self)
    }
}

/// The write that puts what a former member has left on the list of what is to be deleted. The member may return, and is not in the
/// list of erasures.
pub(crate) fn leftovers_of(member: &Member, now: Timestamp) -> Result<Write, Error> {
    let (team, user) = (member.team.clone(), member.user.clone());
    Erasure::new(Erased::Member { team, user, has_returned: false }, now).start()
}
