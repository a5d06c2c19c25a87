//! The four teams of a local server, one for each tier, and their keys.

use access::{Environment, Scope, Tier};
use auth::{ApiKey, Credential, HashedSecret, TeamId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::{NewApiKey, Team, TeamKey, Tenants};
use uuid::Uuid;

use crate::Stop;

/// One key for each tier; `sandbox` is the test key of the Enterprise team.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keys {
    pub free: String,
    pub starter: String,
    pub professional: String,
    pub enterprise: String,
    pub sandbox: String,
}

impl Keys {
    /// Each with its name, in the order of the tiers.
    pub fn named(&self) -> [(&'static str, &str); 5] {
        [
            ("free", &self.free),
            ("starter", &self.starter),
            ("professional", &self.professional),
            ("enterprise", &self.enterprise),
            ("sandbox", &self.sandbox),
        ]
    }

    /// The key of a tier.
    pub fn of(&self, tier: Tier) -> &str {
        match tier {
            Tier::Free => &self.free,
            Tier::Starter => &self.starter,
            Tier::Professional => &self.professional,
            Tier::Enterprise => &self.enterprise,
        }
    }
}

/// Makes the four teams, with a key each.
pub async fn create(tenants: &Tenants, now: Timestamp) -> Result<Keys, Stop> {
    let mut live = Vec::new();
    let mut last = None;
    for tier in Tier::ALL {
        let team = create_team(tenants, tier).await?;
        live.push(
            create_key(tenants, &team, Environment::Live, &[Scope::Read, Scope::Write], now)
                .await?,
        );
        last = Some(team);
    }
    let (Some(enterprise_team), Ok([free, starter, professional, enterprise])) =
        (last, <[String; 4]>::try_from(live))
    else {
        return Err(Stop("four tiers have four teams".into()));
    };
    let both = [Scope::Read, Scope::Write];
    let sandbox = create_key(tenants, &enterprise_team, Environment::Test, &both, now).await?;
    Ok(Keys { free, starter, professional, enterprise, sandbox })
}

/// Makes a team of this tier.
pub async fn create_team(tenants: &Tenants, tier: Tier) -> Result<TeamId, Stop> {
    let id = TeamId(Uuid::now_v7().to_string());
    let team = Team { id: id.clone(), name: format!("Local {tier}"), tier };
    tenants.put_team(&team).await.map_err(|it| Stop::because("a team", it))?;
    Ok(id)
}

/// Makes a key of a team and reveals it.
pub async fn create_key(
    tenants: &Tenants,
    team: &TeamId,
    environment: Environment,
    scopes: &[Scope],
    now: Timestamp,
) -> Result<String, Stop> {
    let key = ApiKey::generate(environment);
    let secret = key.secret.clone();
    let hash = tokio::task::spawn_blocking(move || HashedSecret::of(&secret)).await;
    let hash = hash.map_err(|it| Stop::because("a key", it))?;
    let credential = Credential {
        team: team.clone(),
        environment,
        key_id: key.id.clone(),
        hash: hash.map_err(|it| Stop::because("a key", it))?,
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
        reason = "this sets a deployment up; no request is served here"
    )]
    let owner = TeamKey::as_operator(team.clone(), environment);
    tenants.create_api_key(&owner, new).await.map_err(|it| Stop::because("a key", it))?;
    Ok(key.reveal().expose().to_owned())
}
