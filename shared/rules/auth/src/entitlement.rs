use std::fmt;

use access::Tier;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The user who created a team. A hash of the user's id, so that a team that goes on says nothing about a user who was
/// deleted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Creator(String);

impl Creator {
    /// The user with this id.
    pub fn user(id: &str) -> Self {
        Self(hex::encode(Sha256::digest(id)))
    }
}

impl fmt::Display for Creator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What the rate limits of a team depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entitlement {
    /// Tier of the team.
    pub tier: Tier,
    /// Who created the team. `None`: the operator.
    pub creator: Option<Creator>,
}

impl Entitlement {
    /// The user all of whose Free teams share one allowance, this team among them. `None`: the team has its own.
    pub fn shared_with(&self) -> Option<&Creator> {
        self.creator.as_ref().filter(|_| self.tier == Tier::Free)
    }
}

/// The entitlement of a team that the operator created.
impl From<Tier> for Entitlement {
    fn from(tier: Tier) -> Self {
        Self { tier, creator: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_free_teams_with_a_creator_share_an_allowance() {
        let creator = Creator::user("0199c0de-0000-7000-8000-000000000000");
        for tier in Tier::ALL {
            let created = Entitlement { tier, creator: Some(creator.clone()) };
            let expected = (tier == Tier::Free).then_some(&creator);
            assert_eq!(created.shared_with(), expected, "{tier}");
            assert_eq!(Entitlement::from(tier).shared_with(), None, "{tier}");
        }
        assert!(!creator.to_string().contains("0199c0de"));
        assert_ne!(creator, Creator::user("0199c0de-0000-7000-8000-000000000001"));
    }
}
