//! Single sign-on of a team: its identity provider, and the domains that it has verified.

use access::{Role, Tier};
use auth::{Accounts, MAX_ISSUER_LENGTH, Secret, TeamId};
use axum::{Json as JsonResponse, extract::State};
use futures_util::future::join_all;
use http::StatusCode;
use http_service::{
    Description, Json, NoParameters, Query, Routes, Tenant, handler, manages,
    providers::ProviderFailure, short_limits::count,
};
use jiff::Timestamp;
use jobs::MailJob;
use problem_details::Problem;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_with::skip_serializing_none;
use store::{CheckedDomains, SsoNotChanged, TeamKey};
use teams::{Check, CurrentSso, DomainStatus, MailDomain, SingleSignOn, SsoChange, SsoDomain};
use url::Url;
use utoipa::ToSchema;

use crate::{
    mail_limits::{SSO_ANNOUNCEMENTS, SSO_CHANGES},
    sessions::session_ended,
    sso_sign_in::redirect_uri,
};

const TIER: Tier = teams::SSO_TIER;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(manages(0).by_user(), handler!(single_sign_on))
        .route(manages(0).by_link().from_tier(TIER), handler!(put_single_sign_on))
        .route(manages(0).by_link(), handler!(delete_single_sign_on))
        .route(manages(0).by_link().from_tier(TIER), handler!(verify_domains))
        .route(manages(0).by_owner().by_link().from_tier(TIER), handler!(confirm_provider))
}

/// Maximum number of domains of a team.
const MAX_DOMAINS: usize = 20;
/// Maximum length of a client id and of a client secret in characters.
const MAX_CLIENT_ID_LENGTH: usize = 255;
const MAX_CLIENT_SECRET_LENGTH: usize = 1_000;
/// Maximum number of requests of one team in 10 minutes that ask its provider or name servers.
const MAX_CHANGES: u32 = 30;
/// Maximum number of choices and confirmations of the provider on a day. Removals, and owners who leave, are never refused; there
/// are hardly more of them than these.
const MAX_ANNOUNCEMENTS: u32 = 10;

/// Single sign-on of a team. The client secret is never returned.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SingleSignOnView {
    /// Address of the identity provider.
    #[schema(example = "https://login.example")]
    issuer: String,
    /// Id of the application at the provider.
    #[schema(example = "0oa1gotthard")]
    client_id: String,
    /// Whether a client secret is stored.
    has_client_secret: bool,
    /// Address to register at the provider as redirect URI of the application.
    #[schema(
        example = "https://api.example/api/v1/auth/sso/callback?team=0199c0de-00ff-7000-8000-000000000000"
    )]
    redirect_uri: String,
    /// Address at which users sign in. A verified domain may replace the id of the team in it.
    #[schema(example = "https://api.example/api/v1/auth/sso/0199c0de-00ff-7000-8000-000000000000")]
    sign_in_url: String,
    /// Domains of the users' e-mail addresses.
    domains: Vec<SsoDomainView>,
    /// Until when an owner must confirm the provider (`POST /v1/teams/me/sso/confirm`), because the owner who chose it is no
    /// longer an owner. Until then, users who sign in act as members; after that, nobody signs in. Absent if no confirmation is needed.
    confirmation_needed_by: Option<Timestamp>,
    /// Time of the last change.
    updated_at: Timestamp,
}

/// A domain of a team, and the DNS record with which it is verified.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SsoDomainView {
    /// The domain.
    #[schema(value_type = String, example = "example.ch")]
    domain: MailDomain,
    /// Whether the team has verified the domain.
    status: DomainStatus,
    /// Name of the TXT record to publish.
    #[schema(example = "_gotthard-challenge.example.ch")]
    record_name: String,
    /// Text of the TXT record to publish.
    #[schema(example = "gotthard-9mZ2x0v5bqf7nJ1sT4kYw8eRcUgHdLaPoXi3MtVjS6E")]
    record_value: String,
    /// Time when the record was seen last. Absent if the domain is not verified.
    last_seen_at: Option<Timestamp>,
}

impl From<SsoDomain> for SsoDomainView {
    fn from(domain: SsoDomain) -> Self {
        Self {
            status: domain.status(),
            record_name: domain.record_name(),
            record_value: domain.challenge,
            last_seen_at: domain.seen_at,
            domain: domain.domain,
        }
    }
}

impl SingleSignOnView {
    fn of(current: CurrentSso, team: &TeamId, public_url: &str) -> Self {
        let confirmation_needed_by = current.confirm_before();
        let settings = current.settings;
        Self {
            redirect_uri: redirect_uri(public_url, team),
            sign_in_url: format!("{public_url}/v1/auth/sso/{team}"),
            issuer: settings.issuer,
            client_id: settings.client_id,
            has_client_secret: settings.has_client_secret,
            domains: settings.domains.into_iter().map(SsoDomainView::from).collect(),
            confirmation_needed_by,
            updated_at: settings.updated_at,
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("single sign-on is not set up; set it up with `PUT /v1/teams/me/sso`")]
struct NotSetUp;

#[derive(Debug, thiserror::Error)]
#[error("another team has verified the domain `{0}`, and its record is still published")]
struct DomainTaken(MailDomain);

/// Get single sign-on
///
/// The identity provider of the team, and the state of its domains.
#[utoipa::path(
    get,
    path = "/v1/teams/me/sso",
    tag = "Single sign-on",
    responses((status = OK, body = SingleSignOnView), (status = NOT_FOUND)),
)]
async fn single_sign_on(
    State(state): State<crate::State>,
    Tenant { caller, team }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<SingleSignOnView>, Problem> {
    let current = state.tenants.current_sso(&team).await?;
    let mut current = current.ok_or_else(|| Problem::not_found(NotSetUp))?;
    let now = state.clock.now();
    for domain in current.settings.domains.iter_mut().filter(|it| it.is_due(now)) {
        *domain = domain.seen(state.tenants.domain_seen_at(caller.team(), domain).await?);
    }
    state.tell_owners(caller.team()).await;
    Ok(JsonResponse(SingleSignOnView::of(current, caller.team(), &state.public_url)))
}

/// The address of an identity provider.
struct Issuer(String);

impl<'de> Deserialize<'de> for Issuer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let text = text.trim();
        let url = Url::parse(text).ok().filter(|_| text.len() <= MAX_ISSUER_LENGTH);
        let is_address = |it: &Url| it.query().is_none() && it.fragment().is_none();
        if !url.as_ref().is_some_and(is_address) {
            return Err(D::Error::custom(format!(
                "must be the address of an identity provider such as `https://login.example`, of at most {MAX_ISSUER_LENGTH} characters, without query and fragment"
            )));
        }
        if Accounts::of(text) == Accounts::OfEverybody {
            return Err(D::Error::custom(
                "must be the identity provider of one organisation; at this one, everybody can have an account (for Microsoft Entra, give the id of your tenant)",
            ));
        }
        Ok(Self(text.to_owned()))
    }
}

/// Printable ASCII characters, which every provider can compare.
fn printable<'de, D: Deserializer<'de>>(
    deserializer: D,
    max_length: usize,
) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let is_printable = text.bytes().all(|it| it.is_ascii_graphic());
    if is_printable && (1..=max_length).contains(&text.len()) {
        return Ok(text);
    }
    // The text may be a secret.
    Err(D::Error::custom(format!(
        "must have 1 to {max_length} characters: ASCII letters, digits and punctuation"
    )))
}

fn client_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    printable(deserializer, MAX_CLIENT_ID_LENGTH)
}

fn client_secret<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Secret>, D::Error> {
    printable(deserializer, MAX_CLIENT_SECRET_LENGTH).map(|it| Some(Secret::new(it)))
}

fn domains<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<MailDomain>, D::Error> {
    let domains: Vec<MailDomain> = Vec::deserialize(deserializer)?;
    let is_repeated = |(index, it): (usize, &MailDomain)| domains[..index].contains(it);
    if (1..=MAX_DOMAINS).contains(&domains.len()) && !domains.iter().enumerate().any(is_repeated) {
        return Ok(domains);
    }
    let count = domains.len();
    Err(D::Error::custom(format!("must be 1 to {MAX_DOMAINS} different domains; got {count}")))
}

/// The identity provider of a team, and the domains of its users.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PutSingleSignOn {
    /// Address of the identity provider (the `issuer` of OpenID Connect), on the public internet.
    #[schema(value_type = String, max_length = 255, pattern = "^https://[^\\s?#]+$", example = "https://login.example")]
    issuer: Issuer,
    /// Id of the application at the provider.
    #[serde(deserialize_with = "client_id")]
    #[schema(min_length = 1, max_length = 255, pattern = "^[!-~]+$", example = "0oa1gotthard")]
    client_id: String,
    /// Secret of the application at the provider. Default: the stored secret, if issuer and client id are unchanged;
    /// otherwise none.
    #[serde(default, deserialize_with = "client_secret")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 1_000, pattern = "^[!-~]+$")]
    client_secret: Option<Secret>,
    /// Domains of the users' e-mail addresses. Subdomains do not belong to them.
    #[serde(deserialize_with = "domains")]
    #[schema(value_type = Vec<String>, min_items = 1, max_items = 20, example = json!(["example.ch"]))]
    domains: Vec<MailDomain>,
}

/// Set up single sign-on
///
/// Replaces the settings. The provider must support the code flow of OpenID Connect with PKCE (`S256`); its configuration is
/// read at once. Then publish the TXT record of each domain, and call `POST /v1/teams/me/sso/verify`. Domains that are left out become free,
/// the others stay verified. Only an owner can choose a provider, that is set it up or change issuer or client id, and add domains;
/// admins can change the client secret and leave out domains. With another provider, the sessions of the earlier one end within 60
/// seconds, and with them API keys and invitations that were made in such sessions (an admin can rotate the keys), no domain is verified (each gets a new record), no account is linked with a member any more, and all owners are
/// informed by e-mail. Accounts of Google need the claim `hd` with a domain that the team has verified. At most 30 changes and
/// verifications in 10 minutes, and 10 choices and confirmations of a provider on a day.
#[utoipa::path(
    put,
    path = "/v1/teams/me/sso",
    tag = "Single sign-on",
    request_body = PutSingleSignOn,
    responses((status = OK, body = SingleSignOnView)),
)]
async fn put_single_sign_on(
    State(state): State<crate::State>,
    Tenant { caller, team }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<PutSingleSignOn>,
) -> Result<JsonResponse<SingleSignOnView>, Problem> {
    let now = state.clock.now();
    let PutSingleSignOn { issuer: Issuer(issuer), client_id, client_secret, domains } = request;
    let has_secret = client_secret.is_some();
    let change = SsoChange { issuer, client_id, has_secret, domains };
    let user = &caller.principal().id;
    // Before somebody is asked. The stored role and settings decide below.
    let old = state.tenants.single_sign_on(&team).await?;
    let as_known = (user.as_str(), caller.role().unwrap_or(Role::Member));
    let new = SingleSignOn::changed(old.as_ref(), &change, as_known, now);
    let new = new.map_err(Problem::forbidden)?;
    let subject = format!("sso#{}", caller.team());
    count(&state.counters, &SSO_CHANGES, &subject, MAX_CHANGES, now).await?;
    let is_fresh = true;
    let metadata = state.providers.metadata(&change.issuer, is_fresh, now).await;
    metadata.map_err(|it: ProviderFailure| Problem::invalid("issuer", errors::chain(&it)))?;
    if old.is_none_or(|it| it.choice != new.choice) {
        state.count_announcement(caller.team(), now).await?;
    }
    let keys = state.sso_keys.get(now).await?;
    let secret = (client_secret.as_ref(), &keys);
    let settings = state.tenants.put_single_sign_on(&team, user, &change, secret, now).await;
    let settings = settings.map_err(not_put)?;
    state.tell_owners(caller.team()).await;
    // Each time, because an earlier request may have been killed before.
    state.tenants.forget_identities(&team).await?;
    Ok(JsonResponse(state.view_of(&team, settings).await?))
}

/// Remove single sign-on
///
/// The sessions that it has started end within 60 seconds, and with them API keys and invitations that were made in such sessions:
/// an admin can rotate the keys. Users and members stay; users can sign in with links. All owners are informed by e-mail.
#[utoipa::path(
    delete,
    path = "/v1/teams/me/sso",
    tag = "Single sign-on",
    responses((status = NO_CONTENT), (status = NOT_FOUND)),
)]
async fn delete_single_sign_on(
    State(state): State<crate::State>,
    Tenant { caller, team }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    let was_set_up = state.tenants.delete_single_sign_on(&team, state.clock.now()).await?;
    state.tell_owners(caller.team()).await;
    state.tenants.forget_identities(&team).await?;
    was_set_up.then_some(StatusCode::NO_CONTENT).ok_or_else(|| Problem::not_found(NotSetUp))
}

/// Verify the domains
///
/// Looks up the TXT record of each domain. A domain is verified once its record was seen. Afterwards, the record is
/// looked up again once a day, when somebody signs in or sends an ID token: keep it published. A domain whose record has been missing for 7
/// days is not verified any more. A domain that another team has verified can be taken over once the record of that
/// team is no longer published; until then, the status is 409.
#[utoipa::path(
    post,
    path = "/v1/teams/me/sso/verify",
    tag = "Single sign-on",
    responses((status = OK, body = SingleSignOnView), (status = NOT_FOUND)),
)]
async fn verify_domains(
    State(state): State<crate::State>,
    Tenant { caller, team }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(NoParameters {}): Json<NoParameters>,
) -> Result<JsonResponse<SingleSignOnView>, Problem> {
    let now = state.clock.now();
    let not_set_up = || Problem::not_found(NotSetUp);
    let subject = format!("sso#{}", caller.team());
    count(&state.counters, &SSO_CHANGES, &subject, MAX_CHANGES, now).await?;
    let settings = state.tenants.single_sign_on(&team).await?.ok_or_else(not_set_up)?;
    let look_ups = settings.domains.iter().map(|it| state.look_up(it));
    let texts: Vec<Option<Vec<String>>> = join_all(look_ups).await;
    let checks = settings.domains.iter().zip(&texts);
    let checks: Vec<(SsoDomain, Check)> =
        checks.map(|(domain, texts)| (domain.clone(), check(domain, texts.as_ref()))).collect();
    let record = || state.tenants.record_domain_checks(caller.team(), &checks, now);
    let checked = record().await?.ok_or_else(not_set_up)?;
    let CheckedDomains { mut settings, taken } = checked;
    if !taken.is_empty() {
        for domain in &taken {
            let owner = state.tenants.verified_domain(domain, now).await?;
            let texts = settings.domains.iter().zip(&texts).find(|it| it.0.domain == *domain);
            let texts = texts.and_then(|it| it.1.as_ref());
            // Both records are at the same name, so the same answer says that the other one is gone.
            match owner {
                Some(owner) if check(&owner, texts) == Check::Missing => {
                    state.tenants.release_domain(&owner).await?;
                }
                Some(_) => return Err(Problem::conflict(DomainTaken(domain.clone()))),
                None => {}
            }
        }
        let checked = record().await?.ok_or_else(not_set_up)?;
        if let Some(taken) = checked.taken.into_iter().next() {
            return Err(Problem::conflict(DomainTaken(taken)));
        }
        settings = checked.settings;
    }
    Ok(JsonResponse(state.view_of(&team, settings).await?))
}

/// Confirm the identity provider
///
/// The owner takes responsibility for the provider. If the owner who chose it loses this role, users who sign in act as members, for seven
/// days; after that, nobody signs in before this confirmation, of which all owners are reminded by e-mail. A person who controls the
/// provider cannot confirm it by means of it. What its users have delegated (API keys, invitations) pauses meanwhile. At most 10 choices
/// and confirmations on a day.
#[utoipa::path(
    post,
    path = "/v1/teams/me/sso/confirm",
    tag = "Single sign-on",
    responses((status = OK, body = SingleSignOnView), (status = NOT_FOUND)),
)]
async fn confirm_provider(
    State(state): State<crate::State>,
    Tenant { caller, team }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(NoParameters {}): Json<NoParameters>,
) -> Result<JsonResponse<SingleSignOnView>, Problem> {
    let (user, now) = (&caller.principal().id, state.clock.now());
    state.count_announcement(caller.team(), now).await?;
    let confirmed = state.tenants.confirm_single_sign_on(&team, user, now).await;
    let settings = confirmed.map_err(not_put)?;
    Ok(JsonResponse(state.view_of(&team, settings).await?))
}

fn not_put(failure: SsoNotChanged) -> Problem {
    match failure {
        SsoNotChanged::NotSetUp => Problem::not_found(NotSetUp),
        SsoNotChanged::OnlyOwners(_) | SsoNotChanged::NotOwner => Problem::forbidden(failure),
        SsoNotChanged::NotMember => session_ended(),
        SsoNotChanged::Secret(failure) => failure.into(),
        SsoNotChanged::Failed(failure) => failure.into(),
    }
}

/// What the texts of a look-up say about a domain.
fn check(domain: &SsoDomain, texts: Option<&Vec<String>>) -> Check {
    texts.map_or(Check::NotAnswered, |it| domain.check(it))
}

impl crate::State {
    /// Counts a choice or a confirmation of the provider of a team.
    async fn count_announcement(&self, team: &TeamId, now: Timestamp) -> Result<(), Problem> {
        let subject = format!("sso-provider#{team}");
        count(&self.counters, &SSO_ANNOUNCEMENTS, &subject, MAX_ANNOUNCEMENTS, now).await
    }

    /// The texts of a domain's record. `None`: the name servers did not answer.
    async fn look_up(&self, domain: &SsoDomain) -> Option<Vec<String>> {
        let found = self.dns.texts(&domain.record_name()).await;
        let failed = |it: &network::dns::NotAnswered| {
            tracing::warn!(failure = errors::chain(it), "look-up failed")
        };
        found.inspect_err(failed).ok()
    }

    async fn view_of(
        &self,
        team: &TeamKey,
        settings: SingleSignOn,
    ) -> Result<SingleSignOnView, Problem> {
        let chooser = self.tenants.member(team, &settings.chosen_by.user).await?;
        let current = CurrentSso { settings, chooser };
        Ok(SingleSignOnView::of(current, team.team(), &self.public_url))
    }

    /// Lets the owners of a team be told by e-mail what has happened with its single sign-on. If this fails, the next request does:
    /// what was not told yet is stored.
    pub(crate) async fn tell_owners(&self, team: &TeamId) {
        let told = async {
            if !self.tenants.sso_news(team).await?.is_empty() {
                self.mails.send(&MailJob::TellOwners { team: team.clone() }).await?;
            }
            Ok::<(), Problem>(())
        };
        if let Err(failure) = told.await {
            tracing::error!(?failure, %team, "the owners are not told yet");
        }
    }

    /// Looks up the records again of domains whose last look-up is too old, before somebody signs in.
    pub(crate) async fn recheck(
        &self,
        team: &TeamId,
        settings: &SingleSignOn,
        names: &[&str],
        now: Timestamp,
    ) -> Result<(), Problem> {
        let due = settings.domains.iter().filter(|it| names.contains(&it.domain.as_str()));
        let due = due.filter(|it| it.is_due(now));
        let checks = join_all(due.map(async |domain| {
            let texts = self.look_up(domain).await;
            (domain.clone(), check(domain, texts.as_ref()))
        }));
        let checks = checks.await;
        if !checks.is_empty() {
            self.tenants.record_domain_checks(team, &checks, now).await?;
        }
        Ok(())
    }
}
