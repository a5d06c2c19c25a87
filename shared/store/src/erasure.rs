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
    pub(crate) kind: String,
    pub(crate) erased_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) keeps_evidence_for: Option<String>,
}

/// Kinds of what the list names.
pub(crate) const TEAM: &str = "team";
pub(crate) const USER: &str = "user";
pub(crate) const MEMBER: &str = "member";
pub(crate) const ADDRESS: &str = "address";

/// The hash under which something is in the list of erasures.
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

    /// What the list of erasures names. A member who has left a team may return, and is not in it.
    pub(crate) fn listed(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Team { team, .. } => vec![(TEAM, team.0.clone())],
            Self::User { user, email, .. } => {
                vec![(USER, user.clone()), (ADDRESS, email.as_str().to_owned())]
            }
            Self::Address { email } => vec![(ADDRESS, email.as_str().to_owned())],
            Self::Member { .. } => Vec::new(),
        }
    }

    pub(crate) fn keeps_evidence_for(&self) -> Option<&str> {
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
    pub(crate) fn writes(&self) -> Result<Vec<Write>, Error> {
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

/// The writes that put what a former member has left on the list of what is to be deleted.
pub(crate) fn leftovers_of(member: &Member, now: Timestamp) -> Result<Vec<Write>, Error> {
    let (team, user) = (member.team.clone(), member.user.clone());
    let erased = Erased::Member { team, user, has_returned: false };
    Erasure::new(erased, now).writes()
}
