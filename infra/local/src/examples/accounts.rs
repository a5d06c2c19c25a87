//! What the examples of sign-in and teams need before each request: users, sessions, links and invitations.

use std::{collections::HashSet, net::IpAddr};

use ::teams::{AuditActor, AuditEntry, AuditOutcome, INVITATION_DURATION, Invitation};
use access::{Environment, Role, Tier};
use account::SessionIssuer;
use auth::{Email, Language, OneTimeToken, Owner, Principal, TeamId};
use emulators::identity_provider::IdentityProvider;
use http::Method;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use store::{LinkPurpose, MagicLink, MailLink, Team, TeamKey, Tenants};
use uuid::Uuid;

use super::{KEY_ID, TEAM_ID, parameters::Parameters, single_sign_on};
use crate::{CommandError, Context, teams};

/// The user of the examples, an owner of the team.
const EVA: &str = "0199c0de-0ac1-7000-8000-000000000000";
/// The member that the examples change and remove.
const HANS: &str = "0199c0de-0ac2-7000-8000-000000000000";
/// Id of invitations in the examples.
pub(super) const INVITATION: &str = "0199c0de-0ac3-7000-8000-000000000000";
/// Id of the team that an example creates, and of the one that another joins.
pub(super) const OTHER_TEAM: &str = "0199c0de-0ac4-7000-8000-000000000000";
/// Another owner, so that Eva can leave.
const NINA: &str = "0199c0de-0ac5-7000-8000-000000000000";
/// Tokens in the examples.
const LINK_TOKEN: &str = "9mZ2x0v5bqf7nJ1sT4kYw8eRcUgHdLaPoXi3MtVjS6E";
const INVITATION_TOKEN: &str = "Q0tWb7uZr2yKx5cNf8gHj1mPd4sVv9aEwLiToXeRz3Y";
/// Shown instead of a token.
pub(super) const TOKEN: &str = "eyJ0eXAiOiJKV1QiLCJhbGciOiJFZERTQSJ9.…";

/// The users of the examples.
pub(super) struct Accounts {
    tenants: Tenants,
    issuer: SessionIssuer,
    provider: IdentityProvider,
    now: Timestamp,
    /// The operations that only users can call: method and path of the example.
    by_user: HashSet<(String, String)>,
}

fn team() -> TeamId {
    TeamId(TEAM_ID.to_owned())
}

impl Accounts {
    /// Creates the team and its users.
    pub(super) async fn create(
        tenants: Tenants,
        issuer: SessionIssuer,
        provider: IdentityProvider,
        document: &Value,
        now: Timestamp,
    ) -> Result<Self, CommandError> {
        let new = Team { id: team(), name: "Muster Treuhand AG".into(), tier: Tier::Enterprise };
        tenants.put_team(&new).await.context("cannot create a team")?;
        for (id, name, email) in [
            (EVA, "Eva Muster", "eva.muster@example.ch"),
            (HANS, "Hans Beispiel", "hans.beispiel@example.ch"),
            (NINA, "Nina Muster", "nina.muster@example.ch"),
        ] {
            teams::create_user(&tenants, id, email, now).await?;
            let named = tenants.change_user(id, |it| {
                (it.name, it.language) = (Some(name.to_owned()), Some(Language::De));
            });
            named.await.context("cannot name a user")?;
        }
        let mut by_user = HashSet::new();
        for (path, item) in document["paths"].as_object().into_iter().flatten() {
            for (method, operation) in item.as_object().into_iter().flatten() {
                if operation["x-requires-session"] == true {
                    let uri = Parameters::of(operation).uri(path);
                    by_user.insert((method.clone(), without_query(&uri)));
                }
            }
        }
        let accounts = Self { tenants, issuer, provider, now, by_user };
        accounts.restore_members().await?;
        accounts.put_audit_entries().await?;
        Ok(accounts)
    }

    /// The newest entries of the audit log. Those of the examples themselves have random ids.
    async fn put_audit_entries(&self) -> Result<(), CommandError> {
        for (seconds, id, action, target, outcome) in [
            (
                1,
                "01a191f0-3528-7000-8000-000000000001",
                "create_api_key",
                "/v1/api-keys",
                (201, Some(KEY_ID)),
            ),
            (
                2,
                "01a191f0-3910-7000-8000-000000000002",
                "change_role",
                "/v1/teams/me/members/0199c0de-0ac2-7000-8000-000000000000",
                (200, None),
            ),
        ] {
            let uuid = |it: &str| it.parse::<Uuid>().context("an id of the examples");
            let created_at = self.now + SignedDuration::from_secs(seconds);
            let entry = AuditEntry {
                id: uuid(id)?,
                created_at,
                actor: AuditActor::user(EVA, Role::Owner),
                action: action.to_owned(),
                target: target.to_owned(),
                client_address: IpAddr::from([192, 0, 2, 1]),
                request_id: "4f7c7a5e-0d5b-4b0e-9d53-2f1f6a7f9e10".to_owned(),
            };
            let (status, created_id) = outcome;
            let outcome = AuditOutcome { status, created_id: created_id.map(uuid).transpose()? };
            let key = operator(&team());
            let stored = async {
                self.tenants.record(&key, &entry).await?;
                self.tenants.record_outcome(&key, &entry, outcome).await
            };
            stored.await.context("cannot store an entry of the audit log")?;
        }
        Ok(())
    }

    /// Prepares a request. Returns the token of a session if the operation needs one.
    pub(super) async fn prepare(
        &self,
        method: &Method,
        uri: &str,
    ) -> Result<Option<String>, CommandError> {
        match (method.as_str(), uri.split('?').next().unwrap_or(uri)) {
            ("DELETE", "/v1/auth/me") => return self.transient_user(&team()).await.map(Some),
            ("DELETE", "/v1/teams/me") => {
                let team = TeamId(Uuid::new_v4().to_string());
                return self.transient_user(&team).await.map(Some);
            }
            _ => {}
        }
        match (method.as_str(), uri) {
            ("POST", "/v1/auth/magic-link/verify") => self.put_link().await?,
            ("POST", "/v1/teams/join") => self.put_invitation().await?,
            ("POST", _) if uri.starts_with("/v1/notifications/unsubscribe?") => {
                self.put_mail_link(LinkPurpose::Unsubscribe).await?;
            }
            ("POST", _) if uri.starts_with("/v1/notifications/confirm-email?") => {
                self.put_mail_link(LinkPurpose::Confirm).await?;
            }
            _ if uri.starts_with("/v1/auth/sso/") => {
                self.restore_members().await?;
                self.set_up_single_sign_on().await?;
                let (tenants, provider) = (&self.tenants, &self.provider);
                let link = token(LINK_TOKEN)?;
                single_sign_on::start(tenants, provider, &team(), self.now).await?;
                single_sign_on::put_account(tenants, &team(), EVA, &link, self.now).await?;
                if !uri.starts_with("/v1/auth/sso/link?") {
                    single_sign_on::link_account(tenants, &link, self.now).await?;
                }
            }
            _ if uri.starts_with("/v1/teams/me/sso") => self.set_up_single_sign_on().await?,
            _ if uri.starts_with("/v1/teams/") => self.restore_members().await?,
            _ => {}
        }
        if !self.by_user.contains(&(method.as_str().to_lowercase(), without_query(uri))) {
            return Ok(None);
        }
        self.restore_members().await?;
        let (tenants, team) = (&self.tenants, team());
        // After the example that has ended all sessions.
        let now = self.now + SignedDuration::from_secs(1);
        let session = teams::create_session(tenants, &self.issuer, &team, EVA, now);
        session.await.map(Some)
    }

    /// The session of a new user, who is deleted, or whose team is: a member of the team of the examples, or the owner of another.
    async fn transient_user(&self, of: &TeamId) -> Result<String, CommandError> {
        let (tenants, id) = (&self.tenants, Uuid::new_v4().to_string());
        teams::create_user(tenants, &id, &format!("{id}@example.ch"), self.now).await?;
        if *of == team() {
            teams::add_member(tenants, of, &id, Role::Member, self.now).await?;
        } else {
            let created = tenants.create_team(of.clone(), "Beispiel AG", &id, self.now);
            created.await.context("cannot create a team")?;
        }
        teams::create_session(tenants, &self.issuer, of, &id, self.now).await
    }

    async fn set_up_single_sign_on(&self) -> Result<(), CommandError> {
        single_sign_on::set_up(&self.tenants, &operator(&team()), EVA, self.now).await
    }

    /// Adds the members that earlier examples have removed.
    async fn restore_members(&self) -> Result<(), CommandError> {
        let key = operator(&team());
        for (user, role) in [(EVA, Role::Owner), (HANS, Role::Member), (NINA, Role::Owner)] {
            let member = self.tenants.member(&key, user).await.context("cannot read a member")?;
            if member.is_none() {
                teams::add_member(&self.tenants, &team(), user, role, self.now).await?;
            }
        }
        Ok(())
    }

    async fn put_link(&self) -> Result<(), CommandError> {
        let link = MagicLink {
            email: email("eva.muster@example.ch")?,
            language: Language::De,
            redirect_url: None,
            invitation: None,
            signs_in_until: self.now + jiff::SignedDuration::from_mins(15),
            expires_at: self.now + jiff::SignedDuration::from_mins(15),
        };
        let hash = token(LINK_TOKEN)?.hash();
        self.tenants.put_magic_link(&hash, &link).await.context("cannot create a link")
    }

    async fn put_mail_link(&self, purpose: LinkPurpose) -> Result<(), CommandError> {
        let link = MailLink {
            purpose,
            team: team(),
            owner: Owner::User(EVA.to_owned()),
            email: email("eva.muster@example.ch")?,
            language: Language::De,
            expires_at: self.now + jiff::SignedDuration::from_hours(24),
        };
        let hash = token(LINK_TOKEN)?.hash();
        self.tenants.put_mail_link(&hash, &link).await.context("cannot create a link")
    }

    /// Invites Eva to another team, of which she is no member.
    async fn put_invitation(&self) -> Result<(), CommandError> {
        let other = TeamId(OTHER_TEAM.to_owned());
        let key = operator(&other);
        let context = "cannot prepare an invitation";
        if self.tenants.team(&other, self.now).await.context(context)?.is_none() {
            let name = "Beispiel AG";
            let created = self.tenants.create_team(other.clone(), name, NINA, self.now);
            created.await.context(context)?;
        }
        self.tenants.remove_member(&key, EVA, |_| true, self.now).await.context(context)?;
        let invitation = Invitation {
            id: INVITATION.to_owned(),
            team_id: other,
            email: email("eva.muster@example.ch")?,
            role: Role::Member,
            token_hash: token(INVITATION_TOKEN)?.hash(),
            created_by: Principal::user(NINA),
            created_at: self.now,
            through: None,
            expires_at: self.now + INVITATION_DURATION,
        };
        self.tenants.invite(&key, &invitation, self.now).await.context(context)
    }
}

fn email(text: &str) -> Result<Email, CommandError> {
    text.parse().context(text)
}

fn token(text: &str) -> Result<OneTimeToken, CommandError> {
    text.parse().context("a token of the examples")
}

#[expect(
    clippy::disallowed_methods,
    reason = "this sets up the examples; there is no request with a verified caller"
)]
fn operator(team: &TeamId) -> TeamKey {
    TeamKey::as_operator(team.clone(), Environment::Live)
}

fn without_query(uri: &str) -> String {
    uri.split('?').next().unwrap_or_default().to_owned()
}

/// The text with every session token replaced.
pub(super) fn without_tokens(text: &str) -> String {
    let is_token = |it: char| it.is_ascii_alphanumeric() || "-_.".contains(it);
    let mut parts = text.split("eyJ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |before, part| before + TOKEN + part.trim_start_matches(is_token))
}
