//! The four teams of a local server, one for each tier, and their API keys.

use access::{Environment, Scope, Tier};
use auth::{ApiKey, Credential, HashedSecret, TeamId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::{NewApiKey, Team, TeamKey, Tenants};
use uuid::Uuid;

use crate::{CommandError, Context};

/// One live key for each tier. `sandbox` is a test key of the Enterprise team.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keys {
    pub free: String,
    pub starter: String,
    pub professional: String,
    pub enterprise: String,
    pub sandbox: String,
}

impl Keys {
    /// Each key with its name, in the order of the tiers.
    pub fn named(&self) -> [(&'static str, &str); 5] {
        [
            ("free", &self.free),
            ("starter", &self.starter),
            ("professional", &self.professional),
            ("enterprise", &self.enterprise),
            ("sandbox", &self.sandbox),
        ]
    }
}

/// Creates a team for each tier, with a key each.
pub async fn create(tenants: &Tenants, now: Timestamp) -> Result<Keys, CommandError> {
    let new_key = async |team: &TeamId, environment| {
        create_key(tenants, team, environment, &[Scope::Read, Scope::Write], now).await
    };
    let enterprise = create_team(tenants, Tier::Enterprise).await?;
    Ok(Keys {
        free: new_key(&create_team(tenants, Tier::Free).await?, Environment::Live).await?,
        starter: new_key(&create_team(tenants, Tier::Starter).await?, Environment::Live).await?,
        professional: new_key(&create_team(tenants, Tier::Professional).await?, Environment::Live)
            .await?,
        sandbox: new_key(&enterprise, Environment::Test).await?,
        enterprise: new_key(&enterprise, Environment::Live).await?,
    })
}

/// Creates a team of this tier.
pub async fn create_team(tenants: &Tenants, tier: Tier) -> Result<TeamId, CommandError> {
    let id = TeamId(Uuid::now_v7().to_string());
    let team = Team { id: id.clone(), name: format!("Local {tier}"), tier };
    let put = tenants.put_team(&team).await;
    put.context("cannot create a team")?;
    Ok(id)
}

/// Creates an API key for a team, and returns it in clear text.
pub async fn create_key(
    tenants: &Tenants,
    team: &TeamId,
    environment: Environment,
    scopes: &[Scope],
    now: Timestamp,
) -> Result<String, CommandError> {
    let context = "cannot create an API key";
    let key = ApiKey::generate(environment);
    let secret = key.secret.clone();
    let hash = tokio::task::spawn_blocking(move || HashedSecret::of(&secret)).await;
    let credential = Credential {
        team: team.clone(),
        environment,
        key_id: key.id.clone(),
        hash: hash.context(context)?.context(context)?,
        scopes: scopes.to_vec(),
        expires_at: None,
        revoked_at: None,
    };
    let new = NewApiKey {
        name: format!("local {environment} key"),
        prefix: key.visible_prefix(),
        credential,
        created_at: now,
    };
    #[expect(
        clippy::disallowed_methods,
        reason = "this sets up a deployment; there is no request with a verified caller"
    )]
    let owner = TeamKey::as_operator(team.clone(), environment);
    tenants.create_api_key(&owner, new).await.context(context)?;
    Ok(key.reveal().expose().to_owned())
}
