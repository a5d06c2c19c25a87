use access::Role;
use auth::{Delegation, Email, Principal, ProviderSignIn, TeamId, TokenHash};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// How long an invitation is open.
pub const INVITATION_DURATION: SignedDuration = SignedDuration::from_hours(7 * 24);

/// An invitation of an e-mail address to a team. The stored form, which contains the hash of its token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// A UUIDv7.
    pub id: String,
    /// The team that invites.
    pub team_id: TeamId,
    /// The invited address.
    pub email: Email,
    /// Role that the user gets.
    pub role: Role,
    /// Hash of the token that accepts the invitation.
    pub token_hash: TokenHash,
    /// Who invited.
    pub created_by: Principal,
    /// Time of the invitation.
    pub created_at: Timestamp,
    /// The sign-in at the identity provider that had signed in the user who invited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<ProviderSignIn>,
    /// Time when the invitation ends.
    pub expires_at: Timestamp,
}

impl Invitation {
    /// Who has invited: it ends with their rights.
    pub fn delegation(&self) -> Delegation {
        let (by, through) = (self.created_by.clone(), self.through.clone());
        Delegation { by, at: self.created_at, through }
    }
}
