//! Single sign-on of teams: settings, and the domains that teams have verified.
//!
//! Invariant: a domain is verified in the settings of a team exactly if the item of the domain names this team. Both change in
//! one transaction, so a domain belongs to one team at most.

use access::{Role, Tier};
use auth::{Member, NotOpened, ProviderId, SealedSecret, SealingKeys, Secret, TeamId, User};
use futures_util::future::try_join;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use teams::{
    Check, CurrentSso, DomainStatus, MailDomain, OnlyOwners, SSO_TIER, SingleSignOn, SsoChange,
    SsoDomain, SsoNews,
};
use uuid::Uuid;

use crate::{
    ATTEMPTS, Error, Kind, TeamKey, Tenants, keys, pause_after_conflict,
    table::{Read, Write},
};

/// How long news wait for being sent.
const NEWS_RETENTION: SignedDuration = SignedDuration::from_hours(7 * 24);
/// The attribute that functions other than `account` write. `template.yaml` names it.
const SEEN: &str = "seenAt";

/// The team that has verified a domain.
#[derive(Serialize, Deserialize)]
struct Claim {
    team: TeamId,
}

/// Our password at the provider of a team.
#[derive(Serialize, Deserialize)]
struct ClientSecret {
    sealed: SealedSecret,
    provider: ProviderId,
}

impl ClientSecret {
    fn seal(
        secret: &Secret,
        team: &TeamId,
        provider: &ProviderId,
        keys: &SealingKeys,
    ) -> Result<Self, NotOpened> {
        let sealed = keys.seal(secret, &[&team.0, &provider.to_string()])?;
        Ok(Self { sealed, provider: provider.clone() })
    }

    fn open(&self, team: &TeamId, keys: &SealingKeys) -> Result<Secret, NotOpened> {
        keys.open(&self.sealed, &[&team.0, &self.provider.to_string()])
    }
}

/// When the record of a domain was seen.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Seen {
    seen_at: Timestamp,
}

/// News that not all owners were told yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UntoldNews {
    id: String,
    pub news: SsoNews,
    /// Ids of the owners who were told.
    told: Vec<String>,
}

impl UntoldNews {
    pub fn is_told(&self, owner: &User) -> bool {
        self.told.contains(&owner.id)
    }
}

/// Why the settings were not changed.
#[derive(Debug, thiserror::Error)]
pub enum SsoNotChanged {
    #[error(transparent)]
    OnlyOwners(#[from] OnlyOwners),
    /// Who makes the change is not a member any more.
    #[error("the user is not a member of the team any more")]
    NotMember,
    #[error("only an owner of the team can confirm the identity provider")]
    NotOwner,
    #[error("single sign-on is not set up")]
    NotSetUp,
    #[error("the client secret could not be stored")]
    Secret(#[from] NotOpened),
    #[error(transparent)]
    Failed(#[from] Error),
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

    /// Single sign-on of a team, and whether an owner answers for the provider. `None`: it is not set up.
    pub async fn current_sso(&self, team: &TeamKey) -> Result<Option<CurrentSso>, Error> {
        Ok(self.read_current_sso(team).await?.map(|it| it.value))
    }

    /// As [`Self::current_sso`], with the revision of the settings: each loss of the role of the owner who answers for the
    /// provider changes it.
    pub(crate) async fn read_current_sso(
        &self,
        team: &TeamKey,
    ) -> Result<Option<Read<CurrentSso>>, Error> {
        let Some(Read { value: settings, revision }) = self.read_single_sign_on(team).await? else {
            return Ok(None);
        };
        let chooser = self.member(team, &settings.chosen_by.user).await?;
        Ok(Some(Read { value: CurrentSso { settings, chooser }, revision }))
    }

    /// As [`Self::read_current_sso`], if the tier of the team includes single sign-on. Otherwise nobody is signed in, and what was
    /// delegated after a sign-in pauses.
    pub(crate) async fn read_vouching_sso(
        &self,
        team: &TeamKey,
        now: Timestamp,
    ) -> Result<Option<Read<CurrentSso>>, Error> {
        let tier = self.tier(team.team(), now);
        let (sso, tier) = try_join(self.read_current_sso(team), tier).await?;
        Ok(sso.filter(|_| tier >= SSO_TIER))
    }

    /// The team with this id, or the team that has verified this domain.
    pub async fn sso_tenant(&self, name: &str, now: Timestamp) -> Result<Option<SsoTenant>, Error> {
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
        if self.is_erased(&team).await? {
            return Ok(None);
        }
        Ok(Some(SsoTenant { tier: self.tier(&team, now).await?, team, settings }))
    }

    /// The client secret for a provider of a team. The outer error: the table failed.
    pub async fn client_secret(
        &self,
        team: &TeamId,
        provider: &ProviderId,
        keys: &SealingKeys,
    ) -> Result<Result<Option<Secret>, NotOpened>, Error> {
        let key = keys::sso_client_secret(&TeamKey::of_user(team));
        let stored: Option<ClientSecret> = self.table.get(key).await?;
        let stored = stored.filter(|it| it.provider == *provider);
        Ok(stored.map(|it| it.open(team, keys)).transpose())
    }

    /// Sets up or changes single sign-on. Whether the user may do so is decided by the stored role, which cannot change
    /// meanwhile. Domains that are left out become free; another provider takes back all. `secret` replaces the client secret;
    /// without it, the stored one stays if the provider does.
    pub async fn put_single_sign_on(
        &self,
        team: &TeamKey,
        user: &str,
        change: &SsoChange,
        (secret, keys): (Option<&Secret>, &SealingKeys),
        now: Timestamp,
    ) -> Result<SingleSignOn, SsoNotChanged> {
        for attempt in 0..ATTEMPTS {
            let member = self.read_resource::<Member>(team, user).await?;
            let member = member.ok_or(SsoNotChanged::NotMember)?;
            let old = self.read_single_sign_on(team).await?;
            let role = member.value.role;
            let settings = old.as_ref().map(|it| &it.value);
            let new = SingleSignOn::changed(settings, change, (user, role), now)?;
            let mut writes = vec![replacement(team, old.as_ref(), &new)?, locked(team, &member)?];
            writes.extend(self.secret_write(team, &new, secret, keys).await?);
            if settings.is_none_or(|it| it.choice != new.choice) {
                writes.push(news(team, SsoNews::Chosen, now)?);
            }
            let old = old.map(|it| it.value.domains).unwrap_or_default();
            writes.extend(releases(&old, &new.domains));
            writes.extend(forgotten(team, &old, &new.domains));
            match self.table.transact(writes).await {
                Err(Error::Changed) => pause_after_conflict(attempt).await,
                other => return Ok(other.map(|()| new)?),
            }
        }
        Err(Error::Changed.into())
    }

    /// How the client secret changes with the settings.
    async fn secret_write(
        &self,
        team: &TeamKey,
        new: &SingleSignOn,
        secret: Option<&Secret>,
        keys: &SealingKeys,
    ) -> Result<Option<Write>, SsoNotChanged> {
        let (key, provider) = (keys::sso_client_secret(team), new.provider());
        if !new.has_client_secret {
            return Ok(Some(Write::delete(key)));
        }
        let secret = match secret {
            Some(secret) => secret.clone(),
            // Encrypted with an earlier key.
            None => {
                let stored: Option<ClientSecret> = self.table.get(key.clone()).await?;
                let Some(stored) = stored.filter(|it| !keys.is_current(&it.sealed)) else {
                    return Ok(None);
                };
                match stored.open(team.team(), keys) {
                    Ok(secret) => secret,
                    Err(failure) => {
                        let failure = errors::chain(&failure);
                        tracing::error!(failure, "a client secret could not be encrypted again");
                        return Ok(None);
                    }
                }
            }
        };
        let sealed = ClientSecret::seal(&secret, team.team(), &provider, keys)?;
        Ok(Some(Write::put_document(key, &sealed)?))
    }

    /// Stores settings as they are. Only for setting up a deployment: in others, owners choose.
    pub async fn set_up_single_sign_on(
        &self,
        team: &TeamKey,
        settings: &SingleSignOn,
    ) -> Result<(), Error> {
        let old = self.read_single_sign_on(team).await?;
        self.table.transact(vec![replacement(team, old.as_ref(), settings)?]).await
    }

    /// An owner confirms the provider, and answers for it from now on.
    pub async fn confirm_single_sign_on(
        &self,
        team: &TeamKey,
        user: &str,
        now: Timestamp,
    ) -> Result<SingleSignOn, SsoNotChanged> {
        for attempt in 0..ATTEMPTS {
            let member = self.read_resource::<Member>(team, user).await?;
            let member = member.filter(|it| it.value.role == Role::Owner);
            let member = member.ok_or(SsoNotChanged::NotOwner)?;
            let old = self.read_single_sign_on(team).await?.ok_or(SsoNotChanged::NotSetUp)?;
            let new = old.value.confirmed(user, now);
            let writes = vec![replacement(team, Some(&old), &new)?, locked(team, &member)?];
            match self.table.transact(writes).await {
                Err(Error::Changed) => pause_after_conflict(attempt).await,
                other => return Ok(other.map(|()| new)?),
            }
        }
        Err(Error::Changed.into())
    }

    /// The writes that say that an owner loses this role, who may answer for the provider.
    pub(crate) async fn without_owner(
        &self,
        team: &TeamKey,
        user: &str,
        now: Timestamp,
    ) -> Result<Vec<Write>, Error> {
        let Some(old) = self.read_single_sign_on(team).await? else { return Ok(Vec::new()) };
        let Some(new) = old.value.without_owner(user, now) else { return Ok(Vec::new()) };
        let mut writes = vec![replacement(team, Some(&old), &new)?];
        if let Some(confirm_before) = new.confirm_before {
            writes.push(news(team, SsoNews::Unconfirmed { confirm_before }, now)?);
        }
        Ok(writes)
    }

    /// The news that not all owners of a team were told yet, oldest first.
    pub async fn sso_news(&self, team: &TeamId) -> Result<Vec<UntoldNews>, Error> {
        self.table.query(keys::sso_news(&TeamKey::of_user(team), "")).await
    }

    /// Says that an owner was told. Only one worker tells the owners of a team at a time.
    pub async fn put_told(
        &self,
        team: &TeamId,
        news: &mut UntoldNews,
        owner: &User,
        now: Timestamp,
    ) -> Result<(), Error> {
        news.told.push(owner.id.clone());
        let expires = (now + NEWS_RETENTION).as_second();
        let key = keys::sso_news(&TeamKey::of_user(team), &news.id);
        self.table.put_expiring(key, news, expires).await
    }

    /// Says that all owners were told.
    pub async fn delete_sso_news(&self, team: &TeamId, news: &UntoldNews) -> Result<(), Error> {
        self.table.delete_all(vec![keys::sso_news(&TeamKey::of_user(team), &news.id)]).await
    }

    /// When the record of a verified domain was seen since the settings say so.
    pub async fn domain_seen_at(
        &self,
        team: &TeamId,
        domain: &SsoDomain,
    ) -> Result<Option<Timestamp>, Error> {
        let key = keys::sso_domain_seen(&TeamKey::of_user(team), domain);
        let seen: Option<Seen> = self.table.get(key).await?;
        Ok(seen.map(|it| it.seen_at))
    }

    /// Stores that the record of a verified domain was seen, without changing the settings.
    pub async fn put_domain_seen(
        &self,
        team: &TeamId,
        domain: &SsoDomain,
        now: Timestamp,
    ) -> Result<(), Error> {
        let key = keys::sso_domain_seen(&TeamKey::of_user(team), domain);
        self.table.put_field(key, SEEN, now.to_string()).await
    }

    /// Removes single sign-on of a team. Its domains become free. `false`: it is not set up.
    pub async fn delete_single_sign_on(
        &self,
        team: &TeamKey,
        now: Timestamp,
    ) -> Result<bool, Error> {
        for attempt in 0..ATTEMPTS {
            let Some(old) = self.read_single_sign_on(team).await? else { return Ok(false) };
            let mut writes = vec![
                Write::delete(keys::single_sign_on(team)).if_revision(old.revision),
                Write::delete(keys::sso_client_secret(team)),
                news(team, SsoNews::Removed, now)?,
            ];
            writes.extend(releases(&old.value.domains, &[]));
            writes.extend(forgotten(team, &old.value.domains, &[]));
            match self.table.transact(writes).await {
                Err(Error::Changed) => pause_after_conflict(attempt).await,
                other => return other.map(|()| true),
            }
        }
        Err(Error::Changed)
    }

    /// Stores what look-ups of domains have shown. A check counts for the challenge that was looked up, not for the same domain
    /// after the team has chosen another provider. `None`: single sign-on is not set up.
    pub async fn record_domain_checks(
        &self,
        team: &TeamId,
        checks: &[(SsoDomain, Check)],
        now: Timestamp,
    ) -> Result<Option<CheckedDomains>, Error> {
        let team = TeamKey::of_user(team);
        let mut taken: Vec<MailDomain> = Vec::new();
        for attempt in 0..ATTEMPTS {
            let Some(old) = self.read_single_sign_on(&team).await? else { return Ok(None) };
            let mut new = old.value.clone();
            for domain in &mut new.domains {
                let check = checks.iter().find(|it| it.0.challenge == domain.challenge);
                let check = check.filter(|_| !taken.contains(&domain.domain));
                if let Some((_, check)) = check {
                    // Another function may have seen it later.
                    let seen = match check {
                        Check::Missing | Check::NotAnswered => {
                            self.domain_seen_at(team.team(), domain).await?
                        }
                        Check::Found => None,
                    };
                    *domain = domain.seen(seen).after(*check, now);
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
    pub async fn verified_domain(
        &self,
        domain: &MailDomain,
        now: Timestamp,
    ) -> Result<Option<SsoDomain>, Error> {
        let tenant = self.sso_tenant(domain.as_str(), now).await?;
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

    pub(crate) async fn read_single_sign_on(
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

/// Rewrites a member, so that the transaction fails if its role has changed since it was read.
fn locked(team: &TeamKey, member: &Read<Member>) -> Result<Write, Error> {
    let key = keys::resource(team, Kind::Member, &member.value.user);
    let put = Write::put_document(key, &member.value)?;
    Ok(put.revise(member.revision, member.revision + 1))
}

fn news(team: &TeamKey, news: SsoNews, now: Timestamp) -> Result<Write, Error> {
    let id = Uuid::now_v7().to_string();
    let key = keys::sso_news(team, &id);
    let put = Write::put(key, &UntoldNews { id, news, told: Vec::new() })?;
    Ok(put.expiring((now + NEWS_RETENTION).as_second()))
}

/// The writes that forget when the records of domains were seen that the team does not have any more.
fn forgotten(team: &TeamKey, old: &[SsoDomain], new: &[SsoDomain]) -> impl Iterator<Item = Write> {
    let is_kept = |it: &SsoDomain| new.iter().any(|other| other.challenge == it.challenge);
    let gone = old.iter().filter(move |it| !is_kept(it));
    gone.map(|it| Write::delete(keys::sso_domain_seen(team, it)))
}

/// The keys of the domains that the team with these settings has verified.
pub(crate) fn claims_of(settings: &SingleSignOn) -> Vec<keys::Key> {
    let proven = settings.domains.iter().filter(|it| is_proven(it));
    proven.map(|it| keys::sso_domain(&it.domain)).collect()
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
