//! Verifies ID tokens that clients present as credentials.

use access::Tier;
use auth::{Caller, Email, Expected, InvalidIdToken, PresentedIdToken, Refusal};
use jiff::Timestamp;
use store::{PresentedIdentity, Tenants};
use teams::SSO_TIER;

use crate::{
    domains::Domains,
    providers::{NotVerified, ProviderFailure, Providers},
};

/// The result of a verification.
pub(crate) enum Outcome {
    /// The token is from the provider of a team.
    Known(Box<Result<Caller, Refusal>>),
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

fn refused(refusal: Refusal) -> Outcome {
    Outcome::Known(Box::new(Err(refusal)))
}

/// Verifies a token of a user who has signed in before. No provider is asked about a token of anybody else.
pub(crate) async fn verify(
    token: &PresentedIdToken<'_>,
    tenants: &Tenants,
    providers: &Providers,
    domains: &Domains,
    now: Timestamp,
) -> Result<Outcome, Unverifiable> {
    let stored = tenants.presented_identity(token.subject(), token.id(), now).await?;
    let Some(stored) = stored else { return Ok(Outcome::Forged) };
    let PresentedIdentity { identity, sso, member, entitlement, is_signed_out, ended_at } = stored;
    let Some(sso) = sso.filter(|it| it.settings.counts(&identity)) else {
        return Ok(Outcome::Forged);
    };
    let settings = &sso.settings;
    let (issuer, client_id) = (settings.issuer.as_str(), settings.client_id.as_str());
    let expected = Expected { issuer, client_id, nonce: None };
    let verified = match providers.verify(token, expected, now).await {
        Ok(verified) => verified,
        Err(NotVerified::Invalid(InvalidIdToken::Expired)) => {
            return Ok(refused(Refusal::SessionExpired));
        }
        Err(NotVerified::Invalid(_)) => return Ok(Outcome::Forged),
        Err(NotVerified::Failed(failure)) => return Err(failure.into()),
    };
    if entitlement.tier < SSO_TIER {
        return Ok(Outcome::TierTooLow(entitlement.tier));
    }
    if is_signed_out {
        return Ok(refused(Refusal::SignedOut));
    }
    if ended_at.is_some_and(|it| verified.is_issued_until(it)) {
        return Ok(refused(Refusal::SessionEnded));
    }
    let states_other_address = verified.denies_email()
        || verified
            .email()
            .map(Email::domain)
            .is_some_and(|it| it != identity.domain && !settings.has_verified(it));
    if states_other_address || sso.admits(&verified, now).is_err() {
        return Ok(refused(Refusal::NotAdmitted));
    }
    let caller = verified.caller(&identity, member.as_ref(), sso.answered_for(), entitlement, now);
    if caller.is_err() {
        return Ok(Outcome::Known(Box::new(caller)));
    }
    // Last, because it may ask name servers.
    if !domains.is_verified(settings, &identity.team, &identity.domain, now).await? {
        return Ok(refused(Refusal::SessionEnded));
    }
    if let Ok(Some(organisation)) = settings.organisation(&verified)
        && !domains.is_verified(settings, &identity.team, organisation, now).await?
    {
        return Ok(refused(Refusal::NotAdmitted));
    }
    Ok(Outcome::Known(Box::new(caller)))
}
