//! Verifies ID tokens that clients present as credentials.

use access::Tier;
use auth::{Caller, Expected, InvalidIdToken, PresentedIdToken, Refusal};
use jiff::Timestamp;
use store::{PresentedIdentity, Tenants};

use crate::providers::{NotVerified, ProviderFailure, Providers};

/// The lowest tier with single sign-on.
pub const TIER: Tier = Tier::Enterprise;

/// The result of a verification.
pub(crate) enum Outcome {
    /// The token is from the provider of a team.
    Known(Result<Caller, Refusal>),
    /// The team's tier does not include single sign-on.
    TierTooLow(Tier),
    /// Nobody knows who made the token.
    Forged,
}

/// Why a token could not be verified.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unverifiable {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Provider(#[from] ProviderFailure),
}

/// Verifies a token of a user who has signed in before. No provider is asked about a token of anybody else.
pub(crate) async fn verify(
    token: &PresentedIdToken<'_>,
    tenants: &Tenants,
    providers: &Providers,
    now: Timestamp,
) -> Result<Outcome, Unverifiable> {
    let stored = tenants.presented_identity(token.subject(), &token.hash()).await?;
    let Some(stored) = stored else { return Ok(Outcome::Forged) };
    let PresentedIdentity { identity, settings, member, entitlement, is_signed_out } = stored;
    let Some(settings) = settings.filter(|it| it.provider() == identity.provider) else {
        return Ok(Outcome::Forged);
    };
    let (issuer, client_id) = (settings.issuer.as_str(), settings.client_id.as_str());
    let expected = Expected { issuer, client_id, nonce: None };
    let verified = match providers.verify(token, expected, now).await {
        Ok(verified) => verified,
        Err(NotVerified::Invalid(InvalidIdToken::Expired)) => {
            return Ok(Outcome::Known(Err(Refusal::SessionExpired)));
        }
        Err(NotVerified::Invalid(_)) => return Ok(Outcome::Forged),
        Err(NotVerified::Failed(failure)) => return Err(failure.into()),
    };
    if entitlement.tier < TIER {
        return Ok(Outcome::TierTooLow(entitlement.tier));
    }
    if is_signed_out {
        return Ok(Outcome::Known(Err(Refusal::SignedOut)));
    }
    let role = member.as_ref().map(|it| it.role);
    let is_given = role.is_some_and(|it| settings.gives(&identity.provider, it));
    if !is_given || !settings.has_verified(&identity.domain) {
        return Ok(Outcome::Known(Err(Refusal::SessionEnded)));
    }
    Ok(Outcome::Known(verified.caller(&identity, member.as_ref(), entitlement, now)))
}
