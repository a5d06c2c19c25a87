use access::Role;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{Email, Language, TeamId};

/// A person who signs in. The stored form.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// A UUIDv7.
    pub id: String,
    /// Address that sign-in links are sent to. No other user has it.
    pub email: Email,
    /// Name of the person. `None` until the person sets it.
    pub name: Option<String>,
    /// Language of mails to the person.
    pub language: Option<Language>,
    /// Team of the last session.
    pub last_team: Option<TeamId>,
    /// Time of the first sign-in.
    pub created_at: Timestamp,
    /// Time of the last sign-in.
    pub last_login_at: Timestamp,
}

/// Membership of a user in a team. The stored form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// The team.
    pub team: TeamId,
    /// Id of the user.
    pub user: String,
    /// Role of the user in the team.
    pub role: Role,
    /// Time when the user joined.
    pub since: Timestamp,
}
