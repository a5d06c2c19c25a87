//! Single sign-on of teams: settings, and the domains that teams have verified.
//!
//! Invariant: a domain is verified in the settings of a team exactly if the item of the domain names this team. Both change in
//! one transaction, so a domain belongs to one team at most.

use access::Tier;
use accounts::{Check, DomainStatus, MailDomain, SingleSignOn, SsoDomain};
use auth::{ProviderId, Secret, TeamId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    ATTEMPTS, Error, TeamKey, Tenants, keys, pause_after_conflict,
    table::{Read, Write},
};

/// The team that has verified a domain.
#[derive(Serialize, Deserialize)]
struct Claim {
    team: TeamId,
}

/// Our password at the provider of a team.
#[derive(Serialize, Deserialize)]
struct ClientSecret {
    secret: String,
    provider: ProviderId,
}

/// A team with single sign-on, as somebody finds it who has not signed in yet.
#[derive(Clone, Debug)]
pub struct SsoTenant {
    pub team: TeamId,
    pub tier: Tier,
    pub settings: SingleSignOn,
}

/// The settings after look-ups.
#[derive(Clone, Debug)]
pub struct CheckedDomains {
    pub settings: SingleSignOn,
    /// Domains whose record was seen, but which another team has verified.
    pub taken: Vec<MailDomain>,
}

impl Tenants {
    /// Single sign-on of a team. `None`: it is not set up.
    pub async fn single_sign_on(&self, team: &TeamKey) -> Result<Option<SingleSignOn>, Error> {
        self.table.get(keys::single_sign_on(team)).await
    }

    /// The team with this id, or the team that has verified this domain.
    pub async fn sso_tenant(&self, name: &str) -> Result<Option<SsoTenant>, Error> {
        let team = match Uuid::try_parse(name) {
            Ok(id) => TeamId(id.to_string()),
            Err(_) => {
                let Ok(domain) = name.parse::<MailDomain>() else { return Ok(None) };
                let claim: Option<Claim> = self.table.get(keys::sso_domain(&domain)).await?;
                let Some(Claim { team }) = claim else { return Ok(None) };
                team
            }
        };
        let settings = self.single_sign_on(&TeamKey::of_user(&team)).await?;
        let Some(settings) = settings else { return Ok(None) };
        Ok(Some(SsoTenant { tier: self.tier(&team).await?, team, settings }))
    }

    /// The client secret for a provider of a team.
    pub async fn client_secret(
        &self,
        team: &TeamId,
        provider: &ProviderId,
    ) -> Result<Option<Secret>, Error> {
        let key = keys::sso_client_secret(&TeamKey::of_user(team));
        let stored: Option<ClientSecret> = self.table.get(key).await?;
        Ok(stored.filter(|it| it.provider == *provider).map(|it| Secret::new(it.secret)))
    }

    /// Sets up or changes single sign-on. `change` makes the new settings from the old ones, and runs again if another
    /// change was faster. Domains that are left out become free. `secret` replaces the client secret; without it, the
    /// stored one stays if the new settings have one.
    pub async fn put_single_sign_on(
        &self,
        team: &TeamKey,
        change: impl Fn(Option<&SingleSignOn>) -> SingleSignOn,
        secret: Option<&Secret>,
    ) -> Result<SingleSignOn, Error> {
        for attempt in 0..ATTEMPTS {
            let old = self.read_single_sign_on(team).await?;
            let new = change(old.as_ref().map(|it| &it.value));
            let mut writes = vec![replacement(team, old.as_ref(), &new)?];
            let key = keys::sso_client_secret(team);
            match secret {
                Some(secret) => {
                    let (secret, provider) = (secret.expose().to_owned(), new.provider());
                    writes.push(Write::put_document(key, &ClientSecret { secret, provider })?);
                }
                None if !new.has_client_secret => writes.push(Write::delete(key)),
                None => {}
            }
            let old = old.map(|it| it.value.domains).unwrap_or_default();
            writes.extend(releases(&old, &new.domains));
            match self.table.transact(writes).await {
                Err(Error::Changed) => pause_after_conflict(attempt).await,
                other => return other.map(|()| new),
            }
        }
        Err(Error::Changed)
    }

    /// Removes single sign-on of a team. Its domains become free. `false`: it is not set up.
    pub async fn delete_single_sign_on(&self, team: &TeamKey) -> Result<bool, Error> {
        for attempt in 0..ATTEMPTS {
            let Some(old) = self.read_single_sign_on(team).await? else { return Ok(false) };
            let mut writes = vec![
                Write::delete(keys::single_sign_on(team)).if_revision(old.revision),
                Write::delete(keys::sso_client_secret(team)),
            ];
            writes.extend(releases(&old.value.domains, &[]));
            match self.table.transact(writes).await {
                Err(Error::Changed) => pause_after_conflict(attempt).await,
                other => return other.map(|()| true),
            }
        }
        Err(Error::Changed)
    }

    /// Stores what look-ups of domains have shown. `None`: single sign-on is not set up.
    pub async fn record_domain_checks(
        &self,
        team: &TeamId,
        checks: &[(MailDomain, Check)],
        now: Timestamp,
    ) -> Result<Option<CheckedDomains>, Error> {
        let team = TeamKey::of_user(team);
        let mut taken: Vec<MailDomain> = Vec::new();
        for attempt in 0..ATTEMPTS {
            let Some(old) = self.read_single_sign_on(&team).await? else { return Ok(None) };
            let mut new = old.value.clone();
            for domain in &mut new.domains {
                let check = checks.iter().find(|it| it.0 == domain.domain);
                let check = check.filter(|_| !taken.contains(&domain.domain));
                if let Some((_, check)) = check {
                    *domain = domain.after(*check, now);
                }
            }
            if new == old.value {
                return Ok(Some(CheckedDomains { settings: new, taken }));
            }
            let claimed: Vec<&SsoDomain> =
                new.domains.iter().filter(|it| is_new(it, &old.value.domains)).collect();
            let mut writes = Vec::new();
            for domain in &claimed {
                let claim = Claim { team: team.team().clone() };
                let put = Write::put_document(keys::sso_domain(&domain.domain), &claim)?;
                writes.push(put.if_absent());
            }
            writes.push(replacement(&team, Some(&old), &new)?);
            writes.extend(releases(&old.value.domains, &new.domains));
            match self.table.try_transact(writes).await {
                Ok(failed) if failed.is_empty() => {
                    return Ok(Some(CheckedDomains { settings: new, taken }));
                }
                Ok(failed) => {
                    let others = failed.iter().filter_map(|it| claimed.get(*it));
                    taken.extend(others.map(|it| it.domain.clone()));
                }
                Err(Error::Changed) => pause_after_conflict(attempt).await,
                Err(failure) => return Err(failure),
            }
        }
        Err(Error::Changed)
    }

    /// A domain as the team has it that has verified it.
    pub async fn verified_domain(&self, domain: &MailDomain) -> Result<Option<SsoDomain>, Error> {
        let tenant = self.sso_tenant(domain.as_str()).await?;
        Ok(tenant.and_then(|it| it.settings.domain(domain.as_str()).cloned()))
    }

    /// Takes a domain from the team that has verified it with this challenge: the record is no longer published.
    pub async fn release_domain(&self, domain: &SsoDomain) -> Result<(), Error> {
        for attempt in 0..ATTEMPTS {
            let claim: Option<Claim> = self.table.get(keys::sso_domain(&domain.domain)).await?;
            let Some(Claim { team }) = claim else { return Ok(()) };
            let team = TeamKey::of_user(&team);
            let Some(old) = self.read_single_sign_on(&team).await? else { return Ok(()) };
            let mut new = old.value.clone();
            let mut verified = new.domains.iter_mut().filter(|it| it.challenge == domain.challenge);
            let Some(verified) = verified.next() else { return Ok(()) };
            verified.seen_at = None;
            let mut writes = vec![replacement(&team, Some(&old), &new)?];
            writes.extend(releases(&old.value.domains, &new.domains));
            match self.table.transact(writes).await {
                Err(Error::Changed) => pause_after_conflict(attempt).await,
                other => return other,
            }
        }
        Err(Error::Changed)
    }

    async fn read_single_sign_on(
        &self,
        team: &TeamKey,
    ) -> Result<Option<Read<SingleSignOn>>, Error> {
        self.table.get_revised(keys::single_sign_on(team)).await
    }
}

/// Replaces the settings if nobody has changed them since they were read.
fn replacement(
    team: &TeamKey,
    old: Option<&Read<SingleSignOn>>,
    new: &SingleSignOn,
) -> Result<Write, Error> {
    let revision = old.map_or(0, |it| it.revision);
    let put = Write::put_document(keys::single_sign_on(team), new)?;
    Ok(put.revise(revision, revision + 1))
}

fn is_proven(domain: &SsoDomain) -> bool {
    domain.status() == DomainStatus::Verified
}

/// Whether a domain is verified now and was not before.
fn is_new(domain: &SsoDomain, old: &[SsoDomain]) -> bool {
    let was_proven = |it: &SsoDomain| it.domain == domain.domain && is_proven(it);
    is_proven(domain) && !old.iter().any(was_proven)
}

/// The writes that free the domains that were verified before and are not any more.
fn releases(old: &[SsoDomain], new: &[SsoDomain]) -> impl Iterator<Item = Write> {
    let freed = old.iter().filter(|it| is_new(it, new));
    freed.map(|it| Write::delete(keys::sso_domain(&it.domain)))
}
