//! The four teams of a local server, one for each tier, and their API keys. Also users, for tests and deployments.

use access::{Environment, Role, Scope, Tier};
use account::SessionIssuer;
use auth::{ApiKey, Credential, Email, HashedSecret, KeyAuthor, Member, Session, TeamId, User};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::{NewApiKey, Team, TeamKey, Tenants};
use uuid::Uuid;

use crate::{CommandError, Context};

/// The domain of the invented users' addresses. Nobody can own it.
pub const MEMBERS_DOMAIN: &str = "demo.example";

/// One live key for each tier, with every scope. `sandbox` is a test key of the Enterprise team.
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
    create_teams(tenants, now).await.map(|(keys, _)| keys)
}

/// As [`create`], and adds invented users, as whom one can sign in: the owner of each team, `free@demo.example` and so on,
/// and to the Enterprise team a member in every other role, `admin@demo.example` and `member@demo.example`.
pub async fn create_with_members(tenants: &Tenants, now: Timestamp) -> Result<Keys, CommandError> {
    let (keys, teams) = create_teams(tenants, now).await?;
    for (tier, team) in Tier::ALL.into_iter().zip(&teams) {
        add_invented_member(tenants, team, &tier.to_string(), Role::Owner, now).await?;
    }
    if let Some(enterprise) = teams.last() {
        for role in [Role::Admin, Role::Member] {
            add_invented_member(tenants, enterprise, role.name(), role, now).await?;
        }
    }
    Ok(keys)
}

/// The keys, and the teams in the order of the tiers.
async fn create_teams(
    tenants: &Tenants,
    now: Timestamp,
) -> Result<(Keys, Vec<TeamId>), CommandError> {
    let mut teams = Vec::new();
    for tier in Tier::ALL {
        teams.push(create_team(tenants, tier).await?);
    }
    let new_key = async |team: usize, environment| {
        create_key(tenants, &teams[team], environment, &Scope::ALL, now).await
    };
    let keys = Keys {
        free: new_key(0, Environment::Live).await?,
        starter: new_key(1, Environment::Live).await?,
        professional: new_key(2, Environment::Live).await?,
        sandbox: new_key(3, Environment::Test).await?,
        enterprise: new_key(3, Environment::Live).await?,
    };
    Ok((keys, teams))
}

async fn add_invented_member(
    tenants: &Tenants,
    team: &TeamId,
    name: &str,
    role: Role,
    now: Timestamp,
) -> Result<(), CommandError> {
    let id = Uuid::now_v7().to_string();
    create_user(tenants, &id, &format!("{name}@{MEMBERS_DOMAIN}"), now).await?;
    add_member(tenants, team, &id, role, now).await
}

/// Creates a team of this tier.
pub async fn create_team(tenants: &Tenants, tier: Tier) -> Result<TeamId, CommandError> {
    let id = TeamId(Uuid::now_v7().to_string());
    let team = Team { id: id.clone(), name: format!("Local {tier}"), tier };
    let put = tenants.put_team(&team).await;
    put.context("cannot create a team")?;
    Ok(id)
}

/// The team with this id.
pub async fn find(tenants: &Tenants, id: &TeamId, now: Timestamp) -> Result<Team, CommandError> {
    let team = tenants.team(id, now).await.context("cannot read the team")?;
    team.ok_or_else(|| CommandError(format!("no team has the id `{id}`")))
}

/// Gives a team a tier.
pub async fn set_tier(
    tenants: &Tenants,
    id: &TeamId,
    tier: Tier,
    now: Timestamp,
) -> Result<(), CommandError> {
    let team = Team { tier, ..find(tenants, id, now).await? };
    tenants.put_team(&team).await.context("cannot change the tier")?;
    tenants.retry_webhooks(id, now).await.context("cannot send the deliveries that wait")
}

/// Makes a user an owner of a team.
#[expect(
    clippy::disallowed_methods,
    reason = "the operator decides who owns a team that has no members"
)]
pub async fn add_owner(
    tenants: &Tenants,
    id: &TeamId,
    email: &Email,
    now: Timestamp,
) -> Result<(), CommandError> {
    find(tenants, id, now).await?;
    let user = tenants.user_with(email).await.context("cannot read the user")?;
    let user = user.ok_or_else(|| {
        CommandError(format!("nobody has signed in as {email}; the user must sign in first"))
    })?;
    let team = TeamKey::as_operator(id.clone(), Environment::Live);
    let changed = tenants.change_role(&team, &user.id, Role::Owner, now).await;
    if changed.context("cannot change the role")?.is_none() {
        add_member(tenants, id, &user.id, Role::Owner, now).await?;
    }
    Ok(())
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
        author: KeyAuthor::Operator { since: now },
    };
    #[expect(
        clippy::disallowed_methods,
        reason = "this sets up a deployment; there is no request with a verified caller"
    )]
    let owner = TeamKey::as_operator(team.clone(), environment);
    let created = tenants.create_api_key(&owner, new).await.context(context)?;
    created.ok_or("the team already has the maximum of keys").context(context)?;
    Ok(key.reveal().expose().to_owned())
}

/// Creates a user.
#[expect(
    clippy::disallowed_methods,
    reason = "this sets up a deployment; the user has not signed in"
)]
pub async fn create_user(
    tenants: &Tenants,
    id: &str,
    email: &str,
    now: Timestamp,
) -> Result<User, CommandError> {
    let user = User {
        id: id.to_owned(),
        email: email.parse::<Email>().context(email)?,
        name: None,
        language: None,
        last_team: None,
        created_at: now,
        last_login_at: now,
    };
    tenants.put_user(&user).await.context("cannot create a user")?;
    Ok(user)
}

/// Adds a user to a team.
#[expect(clippy::disallowed_methods, reason = "this sets up a deployment; nobody can invite yet")]
pub async fn add_member(
    tenants: &Tenants,
    team: &TeamId,
    user: &str,
    role: Role,
    now: Timestamp,
) -> Result<(), CommandError> {
    let member = Member { team: team.clone(), user: user.to_owned(), role, since: now };
    tenants.add_member(&member).await.context("cannot add a member")
}

/// Starts a session of a user, and returns its token.
#[expect(
    clippy::disallowed_methods,
    reason = "this sets up a deployment; the user has not signed in"
)]
pub async fn create_session(
    tenants: &Tenants,
    issuer: &SessionIssuer,
    team: &TeamId,
    user: &str,
    now: Timestamp,
) -> Result<String, CommandError> {
    let id = Uuid::new_v4().to_string();
    let session = Session::starting(id, user.to_owned(), team.clone(), now);
    tenants.start_session(&session).await.context("cannot start a session")?;
    let token = issuer.token(&session, now).await.context("cannot issue a token")?;
    Ok(token.expose().to_owned())
}
