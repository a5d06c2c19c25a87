//! What the code of a sign-in gives: the ID token of the user.

use auth::{Expected, PresentedIdToken, ProviderMetadata, VerifiedIdToken};
use http_service::providers::{NotRedeemed, NotVerified, ProviderFailure, Redemption};
use jiff::Timestamp;
use problem_details::{Problem, SERVICE_UNAVAILABLE};
use store::{SsoAttempt, SsoTenant};

use super::{redirect_uri, refused};

/// Redeems the code, and verifies the ID token.
pub(super) async fn id_token(
    state: &crate::State,
    tenant: &SsoTenant,
    metadata: &ProviderMetadata,
    attempt: &SsoAttempt,
    code: &str,
    now: Timestamp,
) -> Result<VerifiedIdToken, Problem> {
    let SsoTenant { team, settings, .. } = tenant;
    let secret = match settings.has_client_secret {
        true => {
            let keys = state.sso_keys.get(now).await?;
            let secret = state.tenants.client_secret(team, &settings.provider(), &keys).await?;
            secret.inspect_err(|it| {
                let failure = errors::chain(it);
                tracing::error!(failure, "a client secret cannot be decrypted");
            })?
        }
        false => None,
    };
    let redemption = Redemption {
        client_id: &settings.client_id,
        client_secret: secret.as_ref(),
        code,
        verifier: &attempt.verifier,
        redirect_uri: &redirect_uri(&state.public_url, team),
    };
    let redeemed = state.providers.redeem(metadata, redemption).await;
    let token = redeemed.map_err(|it| match it {
        NotRedeemed::Failed(failure) => unavailable(failure),
        it => refused(it),
    })?;
    let presented = PresentedIdToken::read(token.expose()).map_err(refused)?;
    let expected = Expected {
        issuer: &settings.issuer,
        client_id: &settings.client_id,
        nonce: Some(&attempt.nonce),
    };
    let verified = state.providers.verify(&presented, expected, now).await;
    verified.map_err(|it| match it {
        NotVerified::Failed(failure) => unavailable(failure),
        NotVerified::Invalid(reason) => refused(reason),
    })
}

fn unavailable(failure: ProviderFailure) -> Problem {
    let failure = errors::chain(&failure);
    tracing::warn!(failure, "identity provider failed");
    Problem::new(&SERVICE_UNAVAILABLE, failure)
}
